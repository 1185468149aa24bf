"""What else tells of veiled units and marks, when it is named in the open: arguments about them, amounts of quotas.

In:  the book in the core, and where arguments end.
Out: of each action, the arguments that end in marks of units: they are as veiled as the units. The quotas of a side
     that are spent by amounts, each with the place of the side among its keys: what it has spent it alone knows.
"""

from __future__ import annotations

from ..core import nodes as c
from ..core.shown import of_units
from ..core.types import PATH, PLACE
from ..core.walk import all_procedures
from .secret_flows import Telling, each_statement


def told_of_units(telling: Telling) -> dict[str, tuple[str, ...]]:
    """Of each action the arguments, neither units nor places, whose value becomes a mark of units."""
    columns = frozenset(f"unit_{name}" for owner, name in telling.book.marks if owner == "unit")
    if not telling.book.veils or not columns:
        return {}
    follow = Telling(telling.book, telling.depends, telling.boxes, columns, guarded=False)
    found: dict[str, tuple[str, ...]] = {}
    for name, action in telling.book.actions.items():
        units = any(of_units(p.type) for p in action.params)
        sinks = follow.sinks(action.procedure) if units else {}
        open_ = [p for p in action.params if p.name in sinks and not of_units(p.type)]
        found[name] = tuple(p.name for p in open_ if p.type.plain not in (PLACE, PATH))
    return {name: told for name, told in found.items() if told}


def quotas_of_a_side(book: c.Book) -> dict[str, int]:
    """The quotas with a side among their keys of which more or less can be spent, in a book with veils."""
    if not book.veils:
        return {}
    spent = [(s.quota, s.amount) for p in all_procedures(book) for s in bodies(p) if isinstance(s, c.Spend)]
    spent += [(quota, amount) for action in book.actions.values() for quota, _, amount in action.spends]
    found: dict[str, int] = {}
    for name in sorted({quota for quota, amount in spent if not isinstance(amount, c.Const)}):
        keys = [p.type.plain.name for p in book.quotas[name].definition.params]
        if "side" in keys:
            found[name] = keys.index("side")
    return found


def bodies(p: c.Procedure) -> list[c.Stmt]:
    """The statements of a procedure and of its wrappers."""
    return [s for body in (p.body, *(w.body for w in p.wrappers)) for s in each_statement(body)]
