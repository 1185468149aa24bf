"""What each side loses and gains when other rules take over, and what it might not have done under them.

In:  a game under the rules of before, and its position under those of after.
Out: counters and their printed values that change, by side; what players have before them; the choices that are open
     now and no longer lawful, or lawful now and not before; earlier choices that the new rules refuse.
Reports: `SaveProblem` of a save that does not replay under its own rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.journal import SaveProblem
from rulewright.runtime.problems import NONSENSE, Fault, Refusal, cases_of
from rulewright.runtime.program import Program
from rulewright.runtime.state import State
from rulewright.runtime.telling.panel import panel
from rulewright.runtime.telling.words import capital, listed, say, say_action, say_word
from rulewright.runtime.text import WORDS, Choice

from ..diff.data import unit_changes
from ..diff.entries import printed_forms
from .choices import Choices, trouble
from .position import Carrier, Stuck
from .ruleset import RuleSet

MOST = 300
"""So many choices of each side's open decisions are held against the other rules."""
NAMED = 5


@dataclass(frozen=True, slots=True)
class Refused:
    """A choice that the new rules refuse: its number, who made it, what it was, the cases and the reasons in words."""

    event: int
    side: str
    choice: str
    said: str
    cases: tuple[str, ...]
    reasons: str


@dataclass(frozen=True, slots=True)
class Open:
    """How the choices that a side has now differ: of how many that were looked at, which are lost and which are new."""

    side: str
    before: int
    after: int
    cut: bool
    lost: tuple[Refused, ...]
    gained: tuple[str, ...]
    faults: tuple[tuple[str, str], ...] = ()
    """What cannot be worked out under the new rules: the case, and why."""


def counters(a: RuleSet, b: RuleSet, position: State) -> dict[str, list[str]]:
    """Counters that come, go or read otherwise, by the side that has them; those off the map are told as such."""
    found: dict[str, list[str]] = {}
    forms: dict[str, list[list[str]]] = {}
    for e in b.made.entries or ():
        forms.setdefault(e.case, []).extend(printed_forms(e))
    for change in unit_changes(a.book, b.book, {}, forms):
        for name in change.name.split(", "):
            side = side_of(a.program, b.program, name)
            if change.where in ("start", "provenance") or change.kind not in ("added", "struck", "renamed", "amended"):
                continue
            told = {
                "added": f"{name} is a new counter; it is not in play",
                "struck": f"{name} is no longer a counter",
                "renamed": f"{change.before} is now called {change.after}",
            }.get(change.kind, f"{name}: {change.where} {change.before or '-'} becomes {change.after or '-'}")
            found.setdefault(side, []).append(f"{told}{whereabouts(a.program, position, name)}")
    return found


def side_of(a: Program, b: Program, name: str) -> str:
    for program in (a, b):
        if name in program.unit_index:
            return program.unit_sides[program.unit_index[name]]
    return ""


def whereabouts(program: Program, S: State, name: str) -> str:
    u = program.unit_index.get(name)
    if u is None:
        return ""
    at = S.at[u]
    return f" (in {say(program, 'place', at)})" if at is not None else " (not in play)"


def shown(before: Game, after: Game) -> list[tuple[str, str, str]]:
    """What players have before them and that reads otherwise now, or no longer stands there."""
    ours, theirs = dict(panel(before)), dict(panel(after))
    both = [(name, ours.get(name, "nothing"), theirs.get(name, "nothing")) for name in {**theirs, **ours}]
    return [(name, was, now) for name, was, now in both if was != now]


def open_choices(before: Game, after: Game) -> list[Open]:
    """The choices that are open now, under both rule sets, side by side."""
    found = []
    for side in before.program.sides:
        (ours, _), (theirs, faults) = listing(before, side), listing(after, side)
        lost, unjudged = held_against(after, ours)
        gained, _ = held_against(before, theirs)
        faults = [*faults, *unjudged]
        if lost or gained or faults:
            cut = max(len(ours), len(theirs)) >= MOST
            new = tuple(r.said for r in gained)
            found.append(Open(side, len(ours), len(theirs), cut, tuple(lost), new, tuple(dict.fromkeys(faults))))
    return found


def listing(game: Game, side: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The lawful choices of a side, as they are typed and in words; and what could not be worked out."""
    found = Choices(game, side)
    return [(game.show(choice), in_words(game, choice)) for choice in islice(found, MOST)], found.faults


def held_against(game: Game, told: list[tuple[str, str]]) -> tuple[list[Refused], list[tuple[str, str]]]:
    """Which of some choices the rules of a game refuse, and why others cannot be judged."""
    found, faults = [], []
    for text, words in told:
        try:
            if (refusal := refused(game, text, words, 0)) is not None:
                found.append(refusal)
        except Unjudged as unjudged:
            faults.append((unjudged.case, unjudged.why))
    return found, faults


class Unjudged(Exception):
    """It cannot be worked out whether a choice is lawful; in which case, and why."""

    def __init__(self, problem: Exception) -> None:
        super().__init__(f"it cannot be worked out: {problem}")
        self.case, self.why = trouble(problem)


def refused(game: Game, text: str, words: str, event: int) -> Refused | None:
    """Why the rules of a game refuse a choice, which is told in the words of the rules that it was lawful under; None
    where they do not; `Unjudged` where that cannot be worked out."""
    side = text.partition(":")[0]
    try:
        choice = game.read(text)
        grounds = game.refusals(choice)
        if not grounds:
            return None
        return Refused(event, side, text, words, cases_of(grounds), game.reasons(choice, grounds))
    except Refusal as refusal:
        return Refused(event, side, text, words, tuple(refusal.cases), str(refusal))
    except (*NONSENSE, Fault) as problem:
        raise Unjudged(problem) from problem


def in_words(game: Game, choice: Choice) -> str:
    """What a side does, in words."""
    if choice.name in WORDS:
        return say_word(choice.name)
    if choice.name in game.program.actions:
        return say_action(game.program, choice.name, dict(choice.args))
    return game.show(choice).partition(":")[2].strip()


@dataclass(frozen=True, slots=True)
class Earlier:
    """Earlier choices held against the new rules: those refused, how many were asked, and those that could not be."""

    refused: tuple[Refused, ...]
    asked: int
    unasked: tuple[tuple[int, str], ...]


def earlier(carrier: Carrier, game: Game, events: list[Choice]) -> Earlier:
    """Each choice of a game, asked in the position in which it was made; `game` is played to its end."""
    found: list[Refused] = []
    unasked: list[tuple[int, str]] = []
    for i, choice in enumerate(events, 1):
        try:
            text, words = game.show(choice), in_words(game, choice)
            position = game.state.plain()
            game.do(choice)
        except (Refusal, Fault, *NONSENSE) as problem:
            message = f"choice {i} of the save does not replay under its own rules: {problem}"
            raise SaveProblem(message, "restore a copy of the file") from problem
        try:
            told = refused(Game(carrier.b.program, carrier.carried(position)), text, words, i)
            if told is not None:
                found.append(told)
        except (Stuck, Unjudged) as reason:
            unasked.append((i, str(reason)))
    return Earlier(tuple(found), len(events) - len(unasked), tuple(unasked))


def sentence(r: Refused) -> str:
    """An earlier choice and why it would have been refused."""
    by = f" by {listed([f'case {x}' for x in r.cases])}" if r.cases else ""
    why = f": {r.reasons}" if r.reasons else ""
    return f"{capital(r.side)}: {r.said} is refused{by}{why}"


def plain_refused(r: Refused) -> dict[str, Any]:
    told = {"event": r.event, "side": r.side, "choice": r.choice, "text": r.said}
    return {**told, "cases": list(r.cases), "reason": r.reasons}
