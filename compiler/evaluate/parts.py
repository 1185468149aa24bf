"""The parts of an expression that an explanation tells.

In:  an expression of the core.
Out: its parts in reading order, what each is called, and the case that stands behind it.
"""

from __future__ import annotations

from rulewright.runtime.telling.explain import short

from ..core import nodes as c

WRITTEN = c.Const | c.SetOf | c.ListOf | c.RecordOf | c.BoxOf | c.Negative | c.Range | c.Arithmetic
"""What a value is written with; an expression of nothing else tells nothing."""


def children(e: c.Expr) -> list[c.Expr]:
    """The parts right below an expression that are more than written values."""
    match e:
        case c.Suppose():
            found: tuple[c.Expr, ...] = (e.value,)
        case c.Tested() | c.Filter() | c.Folded():
            found = (e.base,)
        case c.And() | c.Or():
            return [x for side in (e.left, e.right) for x in (children(side) if type(side) is type(e) else [side])]
        case _:
            found = e.args
    return [x for x in found if not all(isinstance(y, WRITTEN) for y in x.walk())]


def closed(e: c.Expr, bound: frozenset[str] = frozenset()) -> bool:
    """Whether an expression can be worked out by itself: it names no variable of a loop around it."""
    match e:
        case c.Local():
            return e.name in bound
        case c.Tested():
            return closed(e.base, bound) and (e.test is None or closed(e.test, bound | {e.var}))
        case c.Filter():
            return closed(e.base, bound) and closed(e.test, bound | {e.var})
        case c.Folded():
            return closed(e.base, bound) and closed(e.value, bound | {e.var})
        case _:
            return all(closed(x, bound) for x in e.args)


def under(around: tuple[c.Suppose, ...], e: c.Expr) -> c.Expr:
    """An expression under what is supposed around it, the outermost first."""
    for x in reversed(around):
        e = c.Suppose(x.changes, e, type=e.type, span=e.span)
    return e


def name_of(e: c.Expr) -> str:
    """The text of an expression, as far as a line has room."""
    return short(" ".join(e.span.text.split()))


def atomic(e: c.Expr) -> bool:
    """Whether `NAME = VALUE` reads well: `weather = snow = true` does not."""
    return not isinstance(e, c.And | c.Or | c.Not | c.Comparison | c.IsIn | c.Between | c.Within | c.AnyOf | c.EveryOf)


def case_of(book: c.Book, e: c.Expr) -> tuple[str, str]:
    """The case that declares what an expression asks for, and the name of that; empty where there is none."""
    match e:
        case c.MarkOf():
            mark = book.marks.get((e.of.type.plain.name if e.of is not None else "game", e.name))
            return (mark.case, e.name) if mark is not None else ("", "")
        case c.FieldOf():
            return book.fields[e.key].case, e.key[1]
        case c.QuotaCap() | c.QuotaLeft() | c.QuotaSpent():
            return book.quotas[e.name].case, e.name
        case c.Paths() | c.PathEnds() | c.ShortestPaths() | c.PathCost():
            return book.routes[e.name].case, e.name
        case c.BlockedItems() | c.UncoveredTargets():
            return book.matchings[e.name].case, e.name
        case c.Reading():
            return book.unclear[e.name].case, e.name
        case _:
            return "", ""
