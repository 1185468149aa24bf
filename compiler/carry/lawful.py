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

from ..analyse.dependencies import Depends, column_name
from ..core import nodes as c
from ..core.digest import Form
from ..core.texts import type_text
from ..core.types import FLAG, UNIT
from ..evaluate.functions import functions
from ..words.cases import said_of
from ..words.expressions import Words
from ..words.phrases import phrases_of
from .choices import Choices
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
        self.depends = b.made.depends or Depends(b.book)

    def breaks(self, before: State, after: State) -> list[Break]:
        """What is not lawful under the new rules."""
        found = [*self.invariants(after), *self.duties(before, after, running=False), *self.bans(before, after)]
        return [*found, *self.decisions(after)]

    def owed(self, before: State, after: State) -> list[Break]:
        """Duties of phases that run now, unmet so far and met or unknown under the old rules."""
        return list(self.duties(before, after, running=True))

    def said(self, declaration: Any, case: str = "") -> str:
        """What a declaration says, or what one case says of it."""
        lines = [x for top in said_of(self.words, declaration) for x in top.walk()]
        return " ".join(x.text for x in lines if not case or x.case == case)

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
            if not running and not self.stands(duty, after):
                continue
            was = {shown(self.a, d, m) for d in (old.get(duty.name),) if d for m in lacking(d, before)}
            now = [m for m in lacking(duty, after) if shown(self.b, duty, m) not in was]
            if not now:
                continue
            who = named(self.b, duty.type, [m[0] for m in now if m])
            phases = listed([f"the {plain(p)} phase" for p in duty.phases])
            what = f"{plain(duty.name)}, which {phases} asks for, is not met" + (f": {who}" if who else "")
            yield Break(duty.case, what, self.said(self.b.book.duties[duty.name]))

    def stands(self, duty: DutyInfo, S: State) -> bool:
        """Whether a duty of another phase binds the position: its phase has been, and it asks for nothing that is done
        anew whenever the phase comes (what clears marks by itself or fills quotas again)."""
        if not any(S.turn_of_phase.get(p) for p in duty.phases):
            return False
        book, node = self.b.book, self.b.book.duties[duty.name]
        reads = self.depends.of([node.test, *([node.domain] if node.domain is not None else [])])
        passing = {m for m in book.marks.values() if m.until is not None or m.until_test is not None}
        return not reads & {*(column_name(m.owner.name, m.name) for m in passing), *(f"spent_{q}" for q in book.quotas)}

    # ------------------------------------------------------------ where counters may be

    def bans(self, before: State, after: State) -> Iterator[Break]:
        """New bans on steps, where they leave no way at all into the place in which a counter stands.

        Nothing is said where a route that takes more than a counter might lead there.
        """
        ours, theirs = Form(self.a.book), Form(self.b.book)
        known = {repr((r.name, ours(rule))) for r in self.a.book.routes.values() for rule in r.rules}
        routes = [r for r in self.b.book.routes.values() if r.params and r.params[0].type.plain == UNIT]
        new = [
            (route, rule)
            for route in routes
            for rule in route.rules
            if rule.sort == "forbid" and about_places(rule.test) and repr((route.name, theirs(rule))) not in known
        ]
        if not new or any(len(route.params) > 1 for route in routes):
            return
        old = [r for r in self.a.book.routes.values() if len(r.params) == 1 and r.params[0].type.plain == UNIT]
        was, now = (self.barring(x, found) for x, found in ((self.a, old), (self.b, routes)))
        barred: dict[int, list[int]] = {}
        for u, at in enumerate(after.at):
            if at is None or at not in after.ground:
                continue
            there = [self.a.program.unit_index.get(self.b.program.units[u]), before_place(self.a, self.b, at)]
            if all(self.shut(self.b, x, bars, after, u, at) for x, bars in zip(routes, now, strict=True)):
                if None in there or all(self.shut(self.a, *x, before, *there) for x in zip(old, was, strict=True)):
                    continue
                for i, (route, rule) in enumerate(new):
                    bars_step = self.holds(self.b, rule, route)
                    if any(asked(bars_step, after, u, *step) for step in ways_in(self.b, route, after, u, at)):
                        barred.setdefault(i, []).append(u)
        for i, units in barred.items():
            route, rule = new[i]
            program = self.b.program
            who = [f"{program.units[u]} in {say(program, 'place', after.at[u])}" for u in units]
            more = f" and {len(who) - MOST} more" if len(who) > MOST else ""
            what = f"no way leads any more to where these stand: {', '.join(who[:MOST])}{more}"
            yield Break(rule.case, what, self.said(route, rule.case))

    def barring(self, side: RuleSet, routes: list[c.Route]) -> list[list[Callable[..., bool]]]:
        """For each route what bars its steps."""
        rules = ((route, [r for r in route.rules if r.sort == "forbid"]) for route in routes)
        return [[self.holds(side, r, route) for r in found] for route, found in rules]

    def shut(
        self, side: RuleSet, route: c.Route, bars: list[Callable[..., bool]], S: State, u: Any, at: Any
    ) -> bool:
        """Whether no step of a route leads a counter to a place; a line of several routes has no steps of its own."""
        steps = ways_in(side, route, S, u, at)
        return bool(route.legs) or all(any(asked(bar, S, u, *step) for bar in bars) for step in steps)

    def holds(self, side: RuleSet, rule: c.Rule, route: c.Route) -> Callable[..., bool]:
        """Whether a rule of a route speaks of a step: its test, where its guard holds, unless it is waived."""
        own = self.asks(side, route, rule.test)
        guard = None if rule.guard is None else self.asks(side, route, rule.guard)
        inner = [self.waived(side, w, route) for w in rule.waivers]
        return lambda *args: (guard is None or guard(*args)) and own(*args) and not any(w(*args) for w in inner)

    def waived(self, side: RuleSet, waiver: c.Waiver, route: c.Route) -> Callable[..., bool]:
        guard = None if waiver.guard is None else self.asks(side, route, waiver.guard)
        inner = [self.waived(side, w, route) for w in waiver.waivers]
        return lambda *args: (guard is None or guard(*args)) and not any(w(*args) for w in inner)

    def asks(self, side: RuleSet, route: c.Route, test: c.Expr) -> Callable[..., bool]:
        """A test of a step of a route."""
        params = (*(p.name for p in route.params), "here", "there", "crossing")
        found = functions(side.book, side.program, [("test", params, test)])["test"]
        return lambda *args: bool(found(*args))

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
        yield from unanswered(game)


def unanswered(game: Game) -> Iterator[Break]:
    """Where no lawful choice is found: that there is none, that it is not shown, or that it cannot be worked out."""
    found = Choices(game)
    if next(iter(found), None) is not None:
        return
    for case, why in dict.fromkeys(found.faults):
        yield Break(case, f"what may be done cannot be worked out: {why}")
    cases, sides = (sorted({getattr(d, x) for d in game.pending}) for x in ("case", "side"))
    if found.open:
        none = f"no lawful choice is found for {listed(sides)}"
        yield Break(", ".join(cases), f"{none}, and it is not shown that there is none")
    elif not found.faults:
        yield Break(", ".join(cases), f"{listed(sides)} has no lawful choice left" if sides else "no choice is left")


def asked(question: Callable[..., Any], *given: Any) -> Any:
    """An answer; None where it cannot be worked out in this position."""
    try:
        return question(*given)
    except (*NONSENSE, Fault):
        return None


def ways_in(side: RuleSet, route: c.Route, S: State, u: int, at: int) -> list[tuple[int, int, tuple[int, int]]]:
    """The steps of a route into a hex, over its layers or by a jump: from where, into it, and the side they cross."""
    board = side.program.board
    near = {n for x in route.layers for n in (board.neighbors if x == "land" else board.layers[x])[at]}
    jump = side.program.values[f"{route.name}.jump"][0] if "jump" in route.facets else None
    ends = (asked(jump, S, u) if jump is not None else None) or ()
    near |= {*ends} - {at} if at in ends else set()
    return [(n, at, (min(n, at), max(n, at))) for n in sorted(near)]


def before_place(a: RuleSet, b: RuleSet, at: int) -> int | None:
    """The same place under the old rules."""
    return a.program.place_index.get(b.program.board.places[at])


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
