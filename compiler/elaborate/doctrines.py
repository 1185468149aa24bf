"""Elaborate a doctrine: what its cases prefer and avoid, lowered to definitions.

In:  the entries of the doctrine in force, and the book in the core as far as it stands.
Out: a `Doctrine`, and a definition for each filter and ranking, in the book.
Reports: RW802 a preference outside a doctrine, RW803 one of nothing, RW804 a weight that is not between its bounds,
         RW805 an order of the values of nothing, RW808 two doctrines at once, and what expressions find.

A condition is cut at its `and`s; each part is asked as soon as the values that it looks at are picked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose
from rulewright.dsl.print import print_expression

from ..core import nodes as c
from ..core import types as t
from ..core.case_order import natural
from ..core.doctrine import Asked, Doctrine, Preference, PreferenceSort, Weight
from ..core.entries import Entry
from ..core.types import Type
from ..core.walk import all_procedures, local_names
from ..read.symbols import Scope, Signature, Symbols
from .expressions.build import Expressions
from .frames import Frame, frames_of_questions

WORDS = ("done", "any")
OURS = (n.Prefer, n.Otherwise, n.Judge)


class Elaborating(Protocol):
    """What the elaborator of the whole book lends."""

    entries: list[Entry]
    symbols: Symbols
    book: c.BookDraft
    report: Reporter
    e: Expressions


def build_doctrine(made: Elaborating, heads: Sequence[n.Overlay]) -> Doctrine | None:
    """The doctrine among the overlays in force; None where there is none."""
    found = [head for head in heads if head.sort == "doctrine"]
    for other in found[1:]:
        message = f"{found[0].name} and {other.name} are two doctrines; one player follows one"
        made.report.error("RW808", other.span, message, help="seat them apart: --players A,B")
    mine = [entry for entry in made.entries if isinstance(entry.node, OURS) or is_weight(entry)]
    mine.sort(key=lambda entry: natural(entry.case))
    if not found:
        for entry in mine:
            word = entry.node.sort if isinstance(entry.node, n.Prefer) else type(entry.node).__name__.lower()
            message = f"{'weight' if is_weight(entry) else word} stands outside a doctrine, and nobody would follow it"
            help = "put it into a file that opens with: doctrine NAME of BOOK for SIDE:"
            made.report.error("RW802", entry.node.span, message, help=help, case=entry.case)
        return None
    return Builder(made, found[0]).doctrine(mine)


def is_weight(entry: Entry) -> bool:
    return isinstance(entry.node, n.Define) and entry.node.between is not None


class Builder:
    """Builds one doctrine."""

    def __init__(self, made: Elaborating, head: n.Overlay) -> None:
        self.made, self.head, self.e = made, head, made.e
        self.book, self.symbols, self.report = made.book, made.symbols, made.report
        self.frames = frames_of_questions({str(i): p for i, p in enumerate(all_procedures(made.book.finished()))})
        self.counts: dict[str, int] = {}

    def doctrine(self, entries: Iterable[Entry]) -> Doctrine:
        preferences: list[Preference] = []
        weights: list[Weight] = []
        otherwise, judge = "done", None
        known = self.book.kinds.get("side", ())
        for side in self.head.sides:
            if side not in known:
                help = choose(side, known, "sides")
                self.report.error("RW803", self.head.span.find(side), f'there is no side "{side}"', help=help)
        for entry in entries:
            self.report.case = entry.case
            match entry.node:
                case n.Prefer():
                    made = self.preference(entry, entry.node)
                    preferences += [made] if made is not None else []
                case n.Define():
                    weights.append(self.weight(entry, entry.node))
                case n.Otherwise(word=word):
                    otherwise = word
                    if word not in WORDS:
                        message = f'a doctrine cannot end with "{word}"'
                        help = "otherwise done, or otherwise any: whatever is legal"
                        self.report.error("RW803", entry.node.span, message, help=help)
                case n.Judge(value=value):
                    judge = self.lowered(entry, "judge", (c.Param(name="actor", type=t.SIDE),), value, t.NUMBER)
                case _:
                    pass
        self.report.case = ""
        return Doctrine(
            name=self.head.name,
            title=self.head.title,
            sides=self.head.sides,
            preferences=tuple(preferences),
            weights=tuple(weights),
            otherwise=otherwise,
            judge=judge,
        )

    # ------------------------------------------------------------ weights

    def weight(self, entry: Entry, node: n.Define) -> Weight:
        """A number between two others, all three written out."""
        assert node.between is not None
        given = [node.body.clauses[0].value, *node.between]
        found = [constant(self.e.number(x, Scope({}))) for x in given]
        value, least, most = found
        if value is None or least is None or most is None:
            message = f"{node.name} and its bounds are not all written as numbers"
            self.report.error("RW804", node.span, message, help=f"weight {node.name} = 1 in 0 .. 4")
        elif not least <= value <= most:
            message = f"{node.name} does not lie between its bounds"
            self.report.error("RW804", node.span, message, help="change the number, or the bounds behind in")
        return Weight(name=node.name, case=entry.case, least=least, most=most)

    # ------------------------------------------------------------ preferences

    def preference(self, entry: Entry, node: n.Prefer) -> Preference | None:
        """One preference; None where it names nothing."""
        action = self.book.actions.get(node.target) if node.case is None else None
        asks = [a for a in self.book.asks if a.name == node.target and node.case in (None, a.case)]
        if action is None and not asks:
            known = [*self.book.actions, *sorted({a.name for a in self.book.asks})]
            if node.case is not None and any(a.name == node.target for a in self.book.asks):
                there = sorted({a.case for a in self.book.asks if a.name == node.target})
                message, help = f"{node.target} is not asked in case {node.case}", "it is in: " + ", ".join(there)
            else:
                message = f'no action and no question is called "{node.target}"'
                help = choose(node.target, known, "actions and questions")
            self.report.error("RW803", node.span.find(node.target), message, help=help)
            return None
        values: list[c.Param]
        frame: Frame = {}
        if action is not None:
            values = [c.Param(name=p.name, type=p.type) for p in action.params]
        else:
            values = [c.Param(name=node.target, type=asks[0].type)]
            frame = self.frame(asks)
            if any(a.type != asks[0].type for a in asks):
                there = sorted({a.case for a in asks})
                message = f"{node.target} is asked for values of several types"
                help = f"say which is meant: {node.sort} {node.target} in {there[0]}"
                self.report.error("RW803", node.span.find(node.target), message, help=help)
        given = [c.Param(name="actor", type=t.SIDE), *values]
        local = [c.Param(name=name, type=type) for name, type in frame.items() if name not in {p.name for p in given}]
        base, sort = f"{node.target}_{node.sort}", preference_sort(node.sort)
        each = [self.order(entry, name, value, values, local) for name, value in node.each]
        tests = [
            self.asked(entry, f"{base}_when", values, local, part, t.FLAG)
            for part in (parts_of(node.guard) if node.guard is not None else ())
        ]
        by = self.asked(entry, f"{base}_by", values, local, node.by, t.NUMBER) if node.by is not None else None
        if sort == "avoid" and (node.by is not None or node.each):
            message = "what is avoided is not ranked"
            self.report.error("RW805", node.span, message, help="strike by and each, or write prefer")
        return Preference(
            id=self.numbered(f"{entry.case} {node.sort} {node.target}"),
            sort=sort,
            target=node.target,
            case=entry.case,
            asks=tuple(a.id for a in asks) if action is None else (),
            each=tuple(x for x in each if x is not None),
            tests=tuple(sorted(tests, key=lambda x: x.level)),
            by=by,
            frame=tuple(p.name for p in local),
            span=node.span,
        )

    def frame(self, asks: list[c.Ask]) -> Frame:
        """The names that all of these questions have in reach, of the same type in each."""
        first, *rest = [self.frames.get(a.id, {}) for a in asks]
        return {k: v for k, v in first.items() if all(other.get(k) == v for other in rest)}

    def order(
        self, entry: Entry, name: str, node: n.Expr, values: list[c.Param], local: list[c.Param]
    ) -> tuple[int, Asked] | None:
        """In which order the values of a parameter are tried, or the members of a set."""
        at = next((i for i, p in enumerate(values) if p.name == name), None)
        if at is None:
            help = choose(name, [p.name for p in values], "parameters")
            self.report.error("RW805", node.span, f'there is no parameter "{name}" to put in order', help=help)
            return None
        type = values[at].type
        one = c.Param(name="it", type=type.of or t.ANY) if type.many else values[at]
        before = [*values[:at], one]
        made = self.asked(entry, f"{name}_order", before, local, node, t.NUMBER)
        return at, made

    def asked(
        self, entry: Entry, name: str, values: list[c.Param], local: list[c.Param], node: n.Expr, type: Type
    ) -> Asked:
        """A definition over the values that a part looks at, and all before them."""
        params = [c.Param(name="actor", type=t.SIDE), *values]
        scope = Scope({p.name: p.type for p in (*params, *local)})
        value = self.e.flag(node, scope) if type == t.FLAG else self.e.number(node, scope)
        used = local_names(value)
        level = max((i + 1 for i, p in enumerate(values) if p.name in used), default=0)
        if name.endswith("_order"):
            level = len(values)
        made = self.define(entry, name, (*params[: level + 1], *local), value, type, node)
        return Asked(definition=made, level=level, text=print_expression(node))

    def lowered(self, entry: Entry, name: str, params: tuple[c.Param, ...], node: n.Expr, type: Type) -> str:
        value = self.e.number(node, Scope({p.name: p.type for p in params}))
        return self.define(entry, name, params, value, type, node)

    def define(
        self, entry: Entry, name: str, params: tuple[c.Param, ...], value: c.Expr, type: Type, node: n.Expr
    ) -> str:
        """A definition of the book, under a name of its own."""
        own = self.free(name)
        clause = c.Clause(value=value, guard=None, span=node.span)
        layer = c.Layer(
            id=f"{entry.case} {own}",
            case=entry.case,
            overlay=entry.overlay,
            house=False,
            lets=(),
            clauses=(clause,),
            span=node.span,
        )
        self.book.definitions[own] = c.Definition(name=own, params=params, type=type, base=layer)
        self.symbols.callables[own] = Signature(sort="define", name=own, params=params, type=type, entry=entry)
        return own

    def free(self, name: str) -> str:
        """A name that nothing else has."""
        taken = {*self.symbols.callables, *self.symbols.actions, *self.symbols.procedures}
        own, at = name, 1
        while own in taken:
            at += 1
            own = f"{name}_{at}"
        return own

    def numbered(self, name: str) -> str:
        self.counts[name] = self.counts.get(name, 0) + 1
        return name if self.counts[name] == 1 else f"{name} ({self.counts[name]})"


def preference_sort(word: str) -> PreferenceSort:
    return "avoid" if word == "avoid" else "prefer"


def parts_of(node: n.Expr) -> Iterator[n.Expr]:
    """What a condition joins by `and`, in order."""
    if isinstance(node, n.Binary) and node.op == "and":
        yield from parts_of(node.left)
        yield from parts_of(node.right)
    else:
        yield node


def constant(e: c.Expr) -> int | float | None:
    """A number that is written out."""
    match e:
        case c.Const(value=value) if isinstance(value, int):
            return value
        case c.Negative(value=below):
            inner = constant(below)
            return None if inner is None else -inner
        case c.Over(left=up, right=down):
            left, right = constant(up), constant(down)
            return None if left is None or not right else left / right
        case _:
            return None
