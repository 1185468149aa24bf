"""What in a position breaks the rules that are to hold from now on.

In:  a position under the rules of before and the same one under those of after.
Out: breaks, each with its case, what stands against it and what the case says: invariants that do not hold, duties that
     were met and no longer are, counters in places that no step may lead into any more, decisions without an answer.
     What is merely owed (a duty of a phase that still runs) is told apart.

A duty counts where it held under the old rules or is new; a ban where the old rules did not have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.problems import NONSENSE, Fault
from rulewright.runtime.program import DutyInfo
from rulewright.runtime.state import State
from rulewright.runtime.telling.words import listed, plain, say

from ..core import nodes as c
from ..core.digest import Form
from ..core.texts import type_text
from ..core.types import FLAG, UNIT
from ..evaluate.functions import functions
from ..words.cases import said_of
from ..words.expressions import Words
from ..words.phrases import phrases_of
from .ruleset import RuleSet

MOST = 6
"""So many offenders are named."""


@dataclass(frozen=True, slots=True)
class Break:
    """Something that a case does not allow: the case, what is wrong, and what the case says."""

    case: str
    what: str
    rule: str = ""


class Lawful:
    """Holds positions against the rules."""

    def __init__(self, a: RuleSet, b: RuleSet) -> None:
        self.a, self.b = a, b
        self.words = Words(b.book, phrases_of(b.book, "en"))

    def breaks(self, before: State, after: State) -> list[Break]:
        """What is not lawful under the new rules."""
        found = [*self.invariants(after), *self.duties(before, after, running=False), *self.bans(after)]
        return [*found, *self.decisions(after)]

    def owed(self, before: State, after: State) -> list[Break]:
        """Duties of phases that run now, unmet so far and met or unknown under the old rules."""
        return list(self.duties(before, after, running=True))

    def said(self, declaration: Any) -> str:
        """What a declaration says."""
        lines = [x.text for top in said_of(self.words, declaration) for x in top.walk()]
        return " ".join(lines)

    # ------------------------------------------------------------ invariants

    def invariants(self, S: State) -> Iterator[Break]:
        for name, case, test in self.b.program.invariants:
            held = asked(test, S)
            if held:
                continue
            who = self.offenders(self.b.book.invariants[name].test, S) if held is not None else ""
            what = f"{plain(name)} does not hold" if held is not None else f"{plain(name)} cannot be worked out here"
            yield Break(case, what + (f": {who}" if who else ""), self.said(self.b.book.invariants[name]))

    def offenders(self, test: c.Expr, S: State) -> str:
        """The members that a test over a collection fails for; nothing where it is no such test."""
        wrong: c.Expr | None = None
        match test:
            case c.EveryOf(base=base, test=inner, var=var) if inner is not None:
                against = c.Not(value=inner, type=FLAG, span=inner.span)
                wrong = c.Filter(base=base, test=against, var=var, type=base.type, span=test.span)
            case c.Not(value=c.AnyOf(base=base, test=inner, var=var)) if inner is not None:
                wrong = c.Filter(base=base, test=inner, var=var, type=base.type, span=test.span)
            case c.Not(value=c.AnyOf(base=base, test=None)):
                wrong = base
        if wrong is None or wrong.type.of is None:
            return ""
        found = asked(functions(self.b.book, self.b.program, [("wrong", (), wrong)])["wrong"], S)
        return named(self.b, type_text(wrong.type.of, self.b.book), list(found or ()))

    # ------------------------------------------------------------ duties

    def duties(self, before: State, after: State, running: bool) -> Iterator[Break]:
        old = {d.name: d for d in self.a.program.duties}
        for duty in self.b.program.duties:
            if any(p in after.phases for p in duty.phases) is not running:
                continue
            was = {shown(self.a, d, m) for d in (old.get(duty.name),) if d for m in lacking(d, before)}
            now = [m for m in lacking(duty, after) if shown(self.b, duty, m) not in was]
            if not now:
                continue
            who = named(self.b, duty.type, [m[0] for m in now if m])
            phases = listed([f"the {plain(p)} phase" for p in duty.phases])
            what = f"{plain(duty.name)}, which {phases} asks for, is not met" + (f": {who}" if who else "")
            yield Break(duty.case, what, self.said(self.b.book.duties[duty.name]))

    # ------------------------------------------------------------ where counters may be

    def bans(self, S: State) -> Iterator[Break]:
        """New bans on steps that bar every way into the place where a counter stands."""
        ours, theirs = Form(self.a.book), Form(self.b.book)
        for route in self.b.book.routes.values():
            if len(route.params) != 1 or route.params[0].type.plain != UNIT:
                continue
            old = self.a.book.routes.get(route.name)
            known = {repr(ours(r)) for r in old.rules} if old is not None else set()
            for rule in route.rules:
                if rule.sort == "forbid" and repr(theirs(rule)) not in known and about_places(rule.test):
                    yield from self.ban(route, rule, S)

    def ban(self, route: c.Route, rule: c.Rule, S: State) -> Iterator[Break]:
        program = self.b.program
        bars = self.holds(rule.test, route, rule.waivers)
        barred = []
        for u, at in enumerate(S.at):
            if at is None or at >= program.board.hexes:
                continue
            near = program.board.neighbors[at]
            if near and all(asked(bars, S, u, n, at, (min(n, at), max(n, at))) for n in near):
                barred.append(u)
        if barred:
            who = listed([f"{program.units[u]} in {say(program, 'place', S.at[u])}" for u in barred[:MOST]])
            more = f" and {len(barred) - MOST} more" if len(barred) > MOST else ""
            yield Break(rule.case, f"{plain(route.name)} may not lead where these stand: {who}{more}", self.said(route))

    def holds(self, test: c.Expr, route: c.Route, waivers: tuple[c.Waiver, ...]) -> Callable[..., bool]:
        """Whether a rule of a route speaks of a step: its test, unless it is waived."""
        params = (*(p.name for p in route.params), "here", "there", "crossing")
        own = functions(self.b.book, self.b.program, [("test", params, test)])["test"]
        inner = [self.waived(w, route) for w in waivers]
        return lambda *args: bool(own(*args)) and not any(w(*args) for w in inner)

    def waived(self, waiver: c.Waiver, route: c.Route) -> Callable[..., bool]:
        if waiver.guard is not None:
            return self.holds(waiver.guard, route, waiver.waivers)
        inner = [self.waived(w, route) for w in waiver.waivers]
        return lambda *args: not any(w(*args) for w in inner)

    # ------------------------------------------------------------ decisions

    def decisions(self, S: State) -> Iterator[Break]:
        """Questions and windows that are open, and that nobody could answer under the new rules."""
        game = Game(self.b.program, S.copy())
        for item in game.state.pending:
            info = game._info(item)
            side = asked(info.side, game.state, game._local(item))
            what = "the question" if item["sort"] == "ask" else "the window"
            if side != item["side"]:
                who = f"{side} decides" if side is not None else "nobody decides"
                yield Break(info.case, f"{what} that {item['side']} has before it: {who} it under the new rules")
        if game.over:
            return
        if asked(next, game.legal(), None) is None:
            cases = sorted({d.case for d in game.pending})
            sides = listed(sorted({d.side for d in game.pending}))
            yield Break(", ".join(cases), f"{sides} has no lawful choice left" if sides else "no choice is left")


def asked(question: Callable[..., Any], *given: Any) -> Any:
    """An answer; None where it cannot be worked out in this position."""
    try:
        return question(*given)
    except (*NONSENSE, Fault):
        return None


def about_places(test: c.Expr) -> bool:
    """Whether a test looks at the place that a step leads into."""
    return any(isinstance(e, c.Local) and e.name == "there" for e in test.walk())


def lacking(duty: DutyInfo, S: State) -> list[tuple[Any, ...]]:
    """Who lacks what a duty asks for."""
    return [m for m in asked(duty.domain, S) or () if asked(duty.met, S, *m) is False]


def shown(side: RuleSet, duty: DutyInfo, member: tuple[Any, ...]) -> str:
    return "; ".join(say(side.program, duty.type, x) for x in member)


def named(side: RuleSet, type: str, members: list[Any]) -> str:
    """Members of a collection by name."""
    program = side.program
    said = [say(program, type, x) for x in members[:MOST]]
    return ", ".join(said) + (f" and {len(members) - MOST} more" if len(members) > MOST else "")
