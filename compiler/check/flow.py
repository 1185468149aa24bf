"""Check the flow of play: answers that may be missing, triggers in no stated order, misplaced conditions, dead marks.

In:  the entries and the core of one rule set.
Out: nothing.
Reports: RW507 an answer that may be nothing and is used as if it were there, RW510 two triggers on one event
         that write the same mark in no stated order, RW511 a condition inside a search that has nothing to do with it,
         RW512 a mark that is asked about and never set.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.entries import Entry
from ..core.walk import all_procedures, all_statements, below, inner_fields

NEEDING = (c.PlaceOf, c.FieldOf, c.MarkOf, c.Member, c.BuiltinCall, c.Call, c.Paths, c.Within)
"""Operators that cannot do without what they are asked about."""


def check_flow(
    entries: list[Entry], book: c.Book, exprs: list[c.Expr], report: Reporter, memory: Memory | None = None
) -> None:
    """Warn of rules that are well-formed and likely to play wrongly."""
    for p in all_procedures(book):
        for body in (p.body, *(w.body for w in p.wrappers)):
            answers(body, report)
    triggers(entries, book, report)
    memory = memory or Memory()
    room = memory.room("check flow")
    for entry in entries:
        memory.check(room, "flow", entry, partial(slips, entry, report), report)
    never_set(book, exprs, report)


# ---------------------------------------------------------------- answers


def answers(body: tuple[c.Stmt, ...], report: Reporter) -> None:
    """`ask … for one x from SET where …`, no failing, and x used where something must be."""
    for i, s in enumerate(body):
        answers(s.body, report)
        answers(s.other, report)
        if not isinstance(s, c.AskSide):
            continue
        ask = s.ask
        if s.failing is not None or ask.sort != "one" or ask.source is None or not may_be_empty(ask.source):
            continue
        use = needs(body[i + 1 :], ask.name)
        if use is not None:
            report.warning(
                "RW507",
                s.span,
                f'"{ask.name}" may find nothing to choose from, and line {use.span.line} uses it as if it were there',
                help=f"add a failing: block below the ask, or test it: if {ask.name} != nothing: …",
                case=s.case,
            )


def may_be_empty(source: c.Expr) -> bool:
    return isinstance(source, c.Filter) or (isinstance(source, c.FirstOf) and may_be_empty(source.tiers[-1]))


def needs(body: tuple[c.Stmt, ...], name: str) -> c.Stmt | None:
    """The first statement that needs the answer to be there; a test of the answer clears what follows."""
    for s in body:
        if isinstance(s, c.If | c.Repeat) and any(mentions(x, name) for x in s.args):
            return None
        if any(needed(x, name) for x in s.args):
            return s
        match s:
            case c.Walk(unit=one) | c.Halt(unit=one) | c.SetMark(of=one) if one is not None and mentions(one, name):
                return s
            case _:
                pass
        found = needs(s.body, name) or needs(s.other, name)
        if found is not None:
            return found
    return None


def mentions(e: c.Expr, name: str) -> bool:
    return any(isinstance(x, c.Local) and x.name == name for x in e.walk())


def needed(e: c.Expr, name: str) -> bool:
    """Whether some part of it cannot do without the answer: a field of it, or a function of it."""
    return any(
        isinstance(x, NEEDING) and any(isinstance(a, c.Local) and a.name == name and not a.type.absent for a in x.args)
        for x in e.walk()
    )


# ---------------------------------------------------------------- triggers


def triggers(entries: list[Entry], book: c.Book, report: Reporter) -> None:
    """Two cases that answer to one event and write one mark: the order of the text would decide."""
    after = {(e.case, e.node.after) for e in entries if isinstance(e.node, n.Trigger) and e.node.after is not None}
    for a, b in itertools.combinations(book.triggers, 2):
        if a.event != b.event or a.event[0] == "soon" or a.case == b.case:
            continue
        if chained(after, a.case, b.case) or chained(after, b.case, a.case):
            continue
        both = sorted(key for key, values in writes(a).items() if writes(b).get(key, values) != values)
        if both:
            report.warning(
                "RW510",
                b.span,
                f"cases {a.case} and {b.case} both set {both[0][1]} on this event; which comes last is not said",
                help=f"say it: on … after {a.case}: …",
                case=b.case,
            )


def chained(after: set[tuple[str, str]], later: str, earlier: str) -> bool:
    seen, todo = set(), [later]
    while todo:
        case = todo.pop()
        if case == earlier:
            return True
        if case not in seen:
            seen.add(case)
            todo += [x for y, x in after if y == case]
    return False


def writes(t: c.Trigger) -> dict[tuple[str, str], set[str]]:
    """The marks that a trigger sets, with the values it gives them."""
    found: dict[tuple[str, str], set[str]] = {}
    for s in all_statements(t.procedure):
        if isinstance(s, c.SetMark):
            told = repr(s.value.value) if isinstance(s.value, c.Const) else f"{t.id} {s.value.span}"
            found.setdefault(s.key, set()).add(told)
    return found


# ---------------------------------------------------------------- conditions


def slips(entry: Entry, report: Reporter) -> None:
    """`any S where A and B`, where B never mentions the member: B was probably meant outside."""
    for x in below(entry.node):
        if not isinstance(x, n.Quantified) or x.sort not in ("any", "no", "every") or x.test is None:
            continue
        parts = list(joined(x.test))
        if len(parts) > 1 and speaks(parts[0], x.var) and not speaks(parts[-1], x.var):
            form = f"{x.sort} … {'has' if x.sort == 'every' else 'where'}"
            report.warning(
                "RW511",
                parts[-1].span,
                f'this condition is part of "{form}" and never mentions "{x.var}"',
                help=f"close the search before it: ({form} …) and …; or put it first if it belongs inside",
                case=entry.case,
            )


def joined(e: n.Expr) -> Iterator[n.Expr]:
    match e:
        case n.Binary(op="and" | "or"):
            yield from joined(e.left)
            yield from joined(e.right)
        case _:
            yield e


def speaks(e: n.Node | tuple[n.Node, ...], var: str) -> bool:
    """Whether the expression mentions the variable, where no inner search hides it."""
    if isinstance(e, n.Name):
        return e.id == var
    if isinstance(e, n.Filter | n.Quantified | n.Fold) and e.var == var:
        return speaks(e.base, var)
    return any(speaks(x, var) for x in children(e))


def children(e: n.Node | tuple[n.Node, ...]) -> Iterator[n.Node]:
    values = e if isinstance(e, tuple) else tuple(getattr(e, name) for name in inner_fields(type(e)))
    for value in values:
        if isinstance(value, n.Node):
            yield value
        elif isinstance(value, tuple):
            yield from (x for x in value if isinstance(x, n.Node))


# ---------------------------------------------------------------- marks


def never_set(book: c.Book, exprs: list[c.Expr], report: Reporter) -> None:
    """Marks that are read and never set: their rule never comes into force."""
    if not book.scenarios:
        return
    written = {s.key for p in all_procedures(book) for s in all_statements(p) if isinstance(s, c.SetMark)}
    written |= {(sort, name) for x in book.scenarios.values() for sort, name, _ in x.marks}
    asked = {e.key for e in exprs if isinstance(e, c.MarkOf)}
    for key, mark in book.marks.items():
        if key in asked and key not in written and key != ("unit", "side"):
            report.warning(
                "RW512",
                mark.span,
                f'the mark "{mark.name}" is asked about and nothing ever sets it',
                help=f"set it in play or in a scenario, or declare a field: field {mark.name} of {mark.owner.name}: …",
                case=mark.case,
            )
