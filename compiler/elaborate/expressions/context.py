"""What the parts of an elaborated expression share: the symbols, the findings, and the types that are asked for.

In:  a syntax expression, the scope it stands in, and the type that its place wants.
Out: a core expression of that type.
Reports: RW201 unknown phase, RW211 wrong type.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose
from rulewright.dsl.source import Span

from ...core import nodes as c
from ...core import types as t
from ...core.nodes import BuiltinCall, Expr
from ...core.types import Type, fits
from ...read.symbols import Scope, Symbols

WRONG = Type("any", "unknown")
SAMPLES = {
    "number": "a number is a figure such as 3, a field or mark that holds one, count(…) or sum(…)",
    "ratio": "a ratio is written 3:1",
    "unit": 'a unit is a name in quotes ("3 Panzer"), a parameter, or one of a set of units',
    "place": "a place is written @A1, unit.hex, or by the name that the map or a box gives it",
    "hexside": "a hexside is written @A1/A2 or edge(place, place)",
    "turn": "a turn is a date of the calendar with its year, or now",
    "month": "a month is written Jan, or month(turn)",
    "text": 'a text stands in quotes: "…"',
    "dice": "dice are written 1d6 or 2d6",
    "path": "a path is taken from a route: p: path from ROUTE(…)",
    "plan": "a plan is taken from a matching: ask … for one NAME from MATCHING(…)",
    "shares": "shares come from: ask … for shares NAME of NUMBER among SET",
    "layer": "a layer is land, or the name of lines of the map",
    "phase": "name a phase of a sequence",
}


class Context:
    """One rule set while its expressions are elaborated; `hinted` knows every form (see build.py)."""

    def __init__(self, symbols: Symbols, report: Reporter) -> None:
        self.symbols = symbols
        self.book = symbols.book
        self.report = report
        self.map = ""

    def located(self, text: str, value: int | tuple[int, ...], span: Span) -> Expr:
        """A place or hexside: where maps share it, that of the map of an example, else of the one in play."""
        shared = self.symbols.shared.get(text)
        if shared is None or self.map in shared:
            value = value if shared is None else shared[self.map]
            return self.const(value, t.HEXSIDE if isinstance(value, tuple) else t.PLACE, span)
        if not isinstance(value, tuple):
            return self.on_map(tuple(x for x in shared.values() if isinstance(x, int)), span)
        pairs = (x for x in shared.values() if isinstance(x, tuple))
        ends = (self.on_map(x, span) for x in zip(*pairs, strict=True))
        return BuiltinCall("edge", tuple(ends), type=t.HEXSIDE, span=span)

    def of_this_map(self, e: Expr) -> Expr:
        """A printed place: where maps share ids, the one on the map in play."""
        if e.type.plain != t.PLACE or not self.symbols.shared:
            return e
        return BuiltinCall("twin", (e,), type=e.type, span=e.span)

    def on_map(self, places: tuple[int, ...], span: Span) -> Expr:
        """Of several places, the one on the map in play."""
        return BuiltinCall("on_this_map", (self.const(places, t.set_of(t.PLACE), span),), type=t.PLACE, span=span)

    def hinted(self, node: n.Expr, scope: Scope, hint: Type | None) -> Expr:
        """The core expression; the type its place wants helps to read it, and is not insisted on."""
        raise NotImplementedError

    def undeclared(self, name: str, span: Span) -> Expr | None:
        """What a name stands for that nothing declares: nothing, in the text of a book."""
        return None

    def expr(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> Expr:
        """The core expression; a mismatch with `expected` is reported."""
        found = self.hinted(node, scope, expected)
        if expected is not None and not fits(found.type, expected):
            self.report.error(
                "RW211",
                node.span,
                f"this is a {found.type}, where a {expected} is needed",
                help=self.type_help(found.type, expected),
            )
        return found

    def flag(self, node: n.Expr, scope: Scope) -> Expr:
        return self.expr(node, scope, t.FLAG)

    def number(self, node: n.Expr, scope: Scope) -> Expr:
        return self.expr(node, scope, t.NUMBER)

    def collection(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> Expr:
        """The same, where a set or list must stand."""
        found = self.hinted(node, scope, expected)
        if not found.type.many and found.type.sort != "any":
            self.report.error(
                "RW211",
                node.span,
                f"this is a single {found.type}, where a set is needed",
                help="put it into braces, or name a set",
            )
            return c.SetOf((found,), type=t.set_of(found.type), span=node.span)
        return found

    def type_help(self, found: Type, expected: Type) -> str:
        """What an author may do about a type that does not fit."""
        if found.many and found.of is not None and fits(found.of, expected):
            return "pick one of the set, or use any, every, count or sum over it"
        if expected.many and expected.of is not None and fits(found, expected.of):
            return "put it into braces: {…}"
        if expected == t.FLAG:
            return "a condition compares something: write = or in, or ask any, no, every"
        if found.absent and fits(found.plain, expected):
            return "it may be nothing; ask for that first"
        return self.say(expected)

    def say(self, type: Type) -> str:
        """What stands for a value of this type, for an author who gave another."""
        if type.of is not None:
            return f"a {type} is written {{…}} with: {self.say(type.of)}"
        if type.sort == "kind":
            return f"a {type.name} is one of: " + ", ".join(self.book.kinds.get(type.name, ()))
        if type.sort == "scale":
            return f"a {type.name} is one of: " + ", ".join(self.book.scales.get(type.name, ()))
        if type.sort == "record":
            return f"write {type.name}({', '.join(m for m, _ in self.book.records.get(type.name, ()))})"
        return SAMPLES.get(type.name, f"give it a {type.name}")

    def check_phase(self, name: str, span: Span) -> None:
        """A phase that is named is one of some sequence."""
        if name not in self.book.phases:
            help = choose(name, self.book.phases, "phases")
            self.report.error("RW201", span, f'no sequence has a phase "{name}"', help=help)

    def member_type(self, base: Expr) -> Type:
        """The type of the members of a collection."""
        return base.type.of if base.type.of is not None else WRONG

    def as_set(self, type: Type) -> Type:
        """The type of a part of a collection: a list stays a list, everything else becomes a set."""
        return type if type.sort == "list" else t.set_of(type.of) if type.of is not None else type

    def const(self, value: c.Value, type: Type, span: Span) -> Expr:
        return c.Const(value, type=type, span=span)

    def wrong(self, span: Span) -> Expr:
        """In place of what was reported: its type fits everywhere, so that one mistake brings one message."""
        return c.Const(None, type=WRONG, span=span)

    def lift(self, e: Expr, other: Type) -> Expr:
        """A single thing as a set of one."""
        return e if e.type.many or e.type.sort == "any" else c.SetOf((e,), type=t.set_of(e.type), span=e.span)
