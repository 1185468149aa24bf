"""The chances of a choice: what may come of it, and how likely, before one commits to it.

In:  a game, a side and one of its choices.
Out: every result up to the next decision with its exact chance, as a fraction, and what the log would say of it.
Reports: `Refusal` where it cannot be reckoned: too many dice, a blind draw, or what the side may not see decides too.

The choice is made over and over on copies of the game as the side sees it, blinded and with dice of their own that are
told how to fall; so a forecast knows neither a secret nor the next roll. Rules see the sum of the dice of one roll,
so each sum is walked once and weighs as many ways as it has.

Where the side is first asked something more, with few answers, each answer is followed up to its dice.

What a side may not see stands at its start in the blinded copy, and counters that are veiled from it are not there.
Where a rule looks at the former on the way, and wherever there are the latter, the forecast says so (`unseen`): it
reckons as if it stood so, and the chances may be others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

from rulewright.runtime import canon
from rulewright.runtime.choices.questions import AskSpace
from rulewright.runtime.dice import draw, new_dice
from rulewright.runtime.game import Game
from rulewright.runtime.problems import NONSENSE, Fault, Refusal
from rulewright.runtime.state import State
from rulewright.runtime.telling.diary import Diary
from rulewright.runtime.telling.veils import veiled_units
from rulewright.runtime.telling.words import question, say
from rulewright.runtime.text import Choice
from rulewright.runtime.view import blinded, entry_for

from .unseen import Watch, answered_in_secret

RUNS = 600
"""How many ways for dice to fall are walked at most."""
ANSWERS, DEEP = 12, 2
"""How many answers of a question that comes before the dice are followed, and how many such questions in a row."""
WORD = re.compile(r"\d+|\D+")


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that fell: how many of how many sides, what for, and their sum."""

    count: int
    sides: int
    name: str
    total: int


@dataclass(frozen=True, slots=True)
class Result:
    """What comes of some ways for the dice to fall: its chance, those ways, the lines of the log of each.

    `state` is the position that they all lead to, `asked` what is to be decided there.
    """

    chance: Fraction
    dice: tuple[tuple[Roll, ...], ...]
    told: tuple[tuple[str, ...], ...]
    state: str
    asked: str

    @property
    def lines(self) -> tuple[str, ...]:
        return common(self.told)


@dataclass(frozen=True, slots=True)
class Forecast:
    """The results of one choice; of several, where a question before the dice has several answers.

    `answers` are the questions on the way, each with its answer, in words; `asked` is the question at which the
    forecast stops, if one stands between the choice and any dice. `unseen` says that something which the side may not
    see was looked at.
    """

    answers: tuple[tuple[str, str], ...]
    results: tuple[Result, ...]
    asked: str = ""
    unseen: bool = False

    @property
    def rolls(self) -> bool:
        return any(ways != ((),) for ways in (r.dice for r in self.results))

    def rows(self) -> list[Result]:
        """The results as they are told: those of which the same is said, but for the dice, are one."""
        rows: list[list[Result]] = []
        for result in self.results:
            row = next((row for row in rows if same_words(row[0], result)), None)
            if row is None:
                rows.append([result])
            else:
                row.append(result)
        return [together(row) for row in rows]


@dataclass(slots=True)
class Budget:
    left: int
    watch: Watch

    def take(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Refusal("there are too many ways for the dice to fall")


def forecast(game: Game, side: str, choice: Choice, runs: int = RUNS) -> list[Forecast]:
    """What may come of a choice, as far as the side can know."""
    if answered_in_secret(game, side, choice):
        raise Refusal("others decide in secret at the same time")
    watch = Watch(game.state, side)
    found = follow(blinded(game, side), side, choice, Budget(runs, watch))
    if game.program.board.seen_by:
        other = follow(blinded(game, side, turned=True), side, choice, Budget(runs, watch))
        if [said(x) for x in found] != [said(x) for x in other]:
            raise Refusal("what comes of it rests on what you may not see")
    veiled = bool(veiled_units(game.state, side))
    return [replace(each, unseen=watch.looked or veiled) for each in found]


def said(told: Forecast) -> Any:
    return told.answers, told.asked, [(r.chance, r.lines) for r in told.results]


def follow(
    seen: Game, side: str, choice: Choice, budget: Budget, answers: tuple[tuple[str, str], ...] = (), deep: int = 0
) -> list[Forecast]:
    """The forecasts of a choice: one, or one an answer where a question of the same side comes before any dice."""
    if seen.refusals(choice):
        raise Refusal("it is not allowed as it is")
    results, after = walk(seen, side, choice, budget)
    more = next_answers(after, side) if after is not None and deep < DEEP else None
    if more is None:
        asked = ask_text(after, side) if after is not None else ""
        return [Forecast(answers, tuple(results), asked)]
    assert after is not None
    found: list[Forecast] = []
    for words, answer in more:
        found += follow(after, side, answer, budget, (*answers, words), deep + 1)
    return found


# ---------------------------------------------------------------- dice


def walk(seen: Game, side: str, choice: Choice, budget: Budget) -> tuple[list[Result], Game | None]:
    """Every result with its chance; and, where no die is rolled, the position that follows."""
    merged: dict[Any, list[tuple[Fraction, tuple[Roll, ...], tuple[str, ...], str, str]]] = {}
    todo: list[tuple[Roll, ...]] = [()]
    only: Game | None = None
    while todo:
        given = todo.pop()
        budget.take()
        fork, rolls = run(seen, choice, given, budget.watch)
        if not rolls:
            only = fork
        for k in range(len(given), len(rolls)):
            r = rolls[k]
            others = [t for t in sums(r.count, r.sides) if t != r.total]
            todo += [(*rolls[:k], Roll(r.count, r.sides, r.name, t)) for t in others]
        chance = Fraction(1)
        for r in rolls:
            chance *= sums(r.count, r.sides)[r.total]
        lines, state = lines_of(fork, side), position(fork)
        merged.setdefault((state, plain(lines)), []).append((chance, rolls, lines, state, ask_text(fork, side)))
    results = []
    for same in merged.values():
        same.sort(key=lambda x: [r.total for r in x[1]])
        total = sum((x[0] for x in same), Fraction(0))
        results.append(Result(total, tuple(x[1] for x in same), tuple(x[2] for x in same), *same[0][3:]))
    results.sort(key=lambda r: [[x.total for x in way] for way in r.dice])
    return results, only


def run(seen: Game, choice: Choice, given: Sequence[Roll], watch: Watch) -> tuple[Game, tuple[Roll, ...]]:
    """The choice made on a copy where the first rolls fall as given; with all rolls that were made."""
    S: State = seen.state.copy()
    script = [face for r in given for face in faces(r)]
    S.dice, S.log = new_dice(0, script), []
    start = S.dice["rng"]
    fork = Game(seen.program, S, seen.journal)
    try:
        with watch.over(S):
            fork.playout(choice)
    except (*NONSENSE, Fault) as error:
        raise Refusal("what comes of it cannot be worked out from what you may see") from error
    told = [e for e in fork.state.log or () if e["event"] == "roll"]
    rolls = tuple(Roll(len(e["faces"]), e["sides"], e["name"], sum(e["faces"])) for e in told)
    drawn = start
    for e in told:
        known = min(len(e["faces"]), len(script))
        del script[:known]
        for _ in range(len(e["faces"]) - known):
            _, drawn = draw(drawn, e["sides"])
    if fork.state.dice["rng"] != drawn:
        raise Refusal("a blind draw decides too")
    return fork, rolls


@cache
def sums(count: int, sides: int) -> dict[int, Fraction]:
    """The chance of each sum of some dice."""
    found = {0: Fraction(1)}
    for _ in range(count):
        after: dict[int, Fraction] = {}
        for total, chance in found.items():
            for face in range(1, sides + 1):
                after[total + face] = after.get(total + face, Fraction(0)) + chance / sides
        found = after
    return found


def faces(roll: Roll) -> list[int]:
    """Faces with this sum."""
    left, found = roll.total, []
    for k in range(roll.count, 0, -1):
        face = min(roll.sides, left - (k - 1))
        found.append(face)
        left -= face
    return found


# ---------------------------------------------------------------- what is said of a result


def position(game: Game) -> str:
    """The position without its dice: ways that lead to one are one result."""
    told = game.state.plain()
    return canon.digest({k: v for k, v in told.items() if k not in ("dice", "log")})


def lines_of(game: Game, side: str) -> tuple[str, ...]:
    """What the log would tell the side, without the dice."""
    own = (entry_for(game, e, side) for e in game.state.log or () if e["event"] not in ("roll", "phase"))
    return tuple(x.strip() for x in Diary(game.program, side).lines([e for e in own if e is not None]))


def plain(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(re.sub(r"\d+", "#", line) for line in lines)


def same_words(a: Result, b: Result) -> bool:
    """Whether the same is said of two results, but for the sums of the dice."""
    if a.asked != b.asked or plain(a.told[0]) != plain(b.told[0]):
        return False
    mine, others = ({str(r.total) for r in x.dice[0]} for x in (a, b))
    words = zip(numbers(a.told[0]), numbers(b.told[0]), strict=True)
    return all(x == y or (x in mine and y in others) for x, y in words)


def numbers(lines: Sequence[str]) -> list[str]:
    return re.findall(r"\d+", "\n".join(lines))


def together(found: list[Result]) -> Result:
    if len(found) == 1:
        return found[0]
    chance = sum((r.chance for r in found), Fraction(0))
    dice = tuple(way for r in found for way in r.dice)
    return Result(chance, dice, tuple(lines for r in found for lines in r.told), "", found[0].asked)


def common(told: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Lines that differ in numbers alone, as one: `die 1, 2: contact`."""
    found = []
    for lines in zip(*told, strict=True):
        parts = zip(*(WORD.findall(line) for line in lines), strict=True)
        found.append("".join(", ".join(dict.fromkeys(words)) for words in parts))
    return tuple(found)


# ---------------------------------------------------------------- questions on the way


def question_of(game: Game, side: str) -> tuple[Any, AskSpace] | None:
    """The one question that this side is asked next, if nothing else is to be decided."""
    pending = game.pending
    if game.over or len(pending) != 1 or pending[0].side != side or pending[0].sort != "ask":
        return None
    [space] = game.spaces(pending[0])
    return (pending[0], space) if isinstance(space, AskSpace) else None


def next_answers(game: Game, side: str) -> list[tuple[tuple[str, str], Choice]] | None:
    """The answers of the question that comes next, in words; None where there is none, or too many."""
    found = question_of(game, side)
    if found is None or found[1].accept is not None:
        return None
    decision, space = found
    listed = list(islice(space.listing(), ANSWERS + 1))
    if not listed or len(listed) > ANSWERS:
        return None
    asked, type = game.asks(decision), space.info.type
    return [
        ((asked, say(game.program, type, args[0][1])), Choice(decision.id, side, space.name, args)) for args in listed
    ]


def ask_text(game: Game, side: str) -> str:
    """What is decided next, in words; nothing of another's secret question."""
    for item in game.state.pending:
        if item["sort"] == "ask" and (item["side"] == side or not game.program.asks[item["ref"]].secret):
            local = game.state.stack[item["frame"]][2]
            return question(game.program, item["ref"], local) if item["side"] == side else ""
    return ""


__all__ = ["Forecast", "Result", "Roll", "forecast"]
