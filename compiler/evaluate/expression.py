"""Read one expression of the language as a rule set understands it.

In:  its text, and an analysed rule set.
Out: the expression in the core.
Reports: what the parser reports of text (RW101 to RW107) and elaboration of names and types (RW201 to RW216).
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse_expression, room_for_chains
from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core.types import DICE, PLACE, Type
from ..elaborate.expressions.build import Expressions
from ..pipeline import Compiled
from ..read.symbols import Scope
from .problems import Unread

FILE = "expression"


class Typed(Expressions):
    """Expressions as a person types them: a hex needs no sign, unless something has that name."""

    def undeclared(self, name: str, span: Span) -> c.Expr | None:
        return self.const(self.symbols.places[name], PLACE, span) if name in self.symbols.places else None


def read_expression(
    made: Compiled, text: str, report: Reporter, names: Mapping[str, Type] | None = None, typed: bool = False
) -> c.Expr | None:
    """The expression, over local names of these types; None where something is reported."""
    assert made.symbols is not None
    reader = (Typed if typed else Expressions)(made.symbols, report)
    with room_for_chains():
        node = parse_expression(text, FILE, report)
        if node is None:
            return None
        found = reader.hinted(node, Scope(dict(names or {})), None)
    if isinstance(found, c.Plans):
        help = f"ask blocked({node.span.text}), uncovered({node.span.text}), or about a plan itself"
        report.error("RW211", node.span, "a matching is a set of plans, not a value", help=help)
    if found.type == DICE:
        report.error("RW211", node.span, "dice are rolled in play; they have no value", help="ask for a table's cell")
    return None if report.failed else found


def expression(made: Compiled, text: str) -> c.Expr:
    """The expression that a person typed, or the first finding as a refusal."""
    report = Reporter()
    found = read_expression(made, text, report, typed=True)
    if found is None:
        raise Unread(next(d for d in report.found if d.severity == "error"))
    return found
