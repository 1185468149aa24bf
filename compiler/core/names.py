"""Names that expressions and statements of the core refer to.

In:  an expression or a statement.
Out: what it refers to by itself, as (sort, name); the expressions and blocks below it are left to the caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from . import nodes as c

Name: TypeAlias = tuple[str, str]


def name_asked(e: c.Expr) -> Name | None:
    """What an expression itself asks for, without the expressions below it."""
    e = c.known(e)
    match e:
        case c.Const() | c.Local():  # nine of ten expressions of examples
            return None
        case c.Call():
            return "define", e.name
        case c.Remembered():
            return "memory", e.name
        case c.QuotaCap() | c.QuotaLeft() | c.QuotaSpent():
            return "quota", e.name
        case c.Paths() | c.PathEnds() | c.ShortestPaths() | c.PathCost():
            return "route", e.name
        case c.Plans() | c.BlockedItems() | c.UncoveredTargets():
            return "matching", e.name
        case c.Grown():
            return "grow", e.name
        case c.TableCell():
            return "table", e.name
        case c.BoxOf():
            return "box", e.name
        case c.MarkOf():
            return "mark", e.name
        case c.FieldOf():
            return "field", e.key[1]
        case c.Bound():
            return "bind", e.name
        case c.Reading():
            return "reading", e.name
        case c.InPhase():
            return "phase", e.name
        case c.BuiltinCall():
            layer = layer_asked(e)
            return None if layer is None else ("layer", layer)
        case c.Usual() | c.Keep() | c.Total() | c.PlaceOf() | c.Member() | c.RecordOf():
            return None
        case c.OnScale() | c.Shifted() | c.Rank() | c.Other() | c.Binary() | c.Not() | c.Negative() | c.Between():
            return None
        case c.Within() | c.IsIn() | c.SetOf() | c.ListOf() | c.Range() | c.FirstOf() | c.Tested() | c.Filter():
            return None
        case c.Folded() | c.Suppose() | c.Choose():
            return None
        case _:
            assert_never(e)


def layer_asked(e: c.BuiltinCall) -> str | None:
    """The layer of the map that a built-in function looks at."""
    if e.name in ("links", "linked", "on_line") and e.asked and isinstance(e.asked[0], c.Const):
        return str(e.asked[0].value)
    return None


def names_run(s: c.Stmt) -> Iterator[Name]:
    """What a statement itself runs, offers or spends."""
    match s:
        case c.Do():
            yield "procedure", s.name
        case c.OfferWindow():
            yield from (("action", name) for name, _ in s.offer.actions)
        case c.RunPhase():
            yield "phase", s.name
        case c.Spend():
            yield "quota", s.quota
        case c.Note() | c.Let() | c.SetMark() | c.Put() | c.Walk() | c.Roll() | c.Draw() | c.Reveal() | c.Win():
            pass
        case c.Halt() | c.DoUsual() | c.SkipPhase() | c.RepeatPhase() | c.AskSide() | c.Block():
            pass
        case c.Together() | c.If() | c.ForEach() | c.Repeat():
            pass
        case _:
            assert_never(s)
