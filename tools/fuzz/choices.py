"""Campaign 2: wrong, stale and foreign choices are refused, and leave the state byte-identical."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from rulewright.compiler import load
from rulewright.runtime import Choice, RandomPlayer, canon
from rulewright.runtime.game import Game
from rulewright.runtime.problems import Refusal

from .mutations import by_expressions, by_letters, by_tokens, noise
from .runner import Tally, Wrong

ROOT = Path(__file__).resolve().parents[2]
TITLE = "choices"
COUNT = 120_000
WHAT = """
Random games of four books are played; at every few decisions a batch of wrong choices is handed in: choices of earlier
decisions, of the other side, of another game and of another book; legal choices with an argument changed, left out,
added, doubled or renamed, values of wrong types and sizes; text forms with letters, words and values changed, and
noise; random plain data read as a choice.

What is wrong by construction (stale, of the other side, of no decision, with an argument too many, with a value that is
no plain data or of another type) must be refused with a `Refusal`. What a change made may happen to be legal: then the
choice must read back from its text and lead to the very same state, and undoing it must lead back. The canonical bytes
of the state, the length of the log and of the journal are compared before and after each input.
"""

BOOKS = {
    "skirmish": (str(ROOT / "tests" / "books" / "skirmish.rules"), None),
    "fragment": ("fragment", None),
    "trc battle": ("trc", "battle"),
    "tdv smolensk": ("tdv", "smolensk"),
}
BATCH = 60
APART = 3
"""A batch at every so many decisions of a game."""
LONGEST = 240
"""A game goes on for so many choices, then another begins."""


def run(tally: Tally, count: int) -> None:
    names = list(BOOKS)[:1] if tally.short else list(BOOKS)
    tables = {name: Table(name, tally.dice("table", name)) for name in names}
    for i in range(max(len(names), -(-count // BATCH))):
        name = names[i % len(names)]
        table = tables[name]
        table.move_on()
        if tally.only is None or tally.only == i:
            batch(tally, i, table, [t for t in tables.values() if t is not table])


@cache
def book(name: str) -> Any:
    return load(BOOKS[name][0])


@dataclass
class Table:
    """One book's running game, with what was chosen in it so far."""

    name: str
    dice: random.Random
    game: Game = field(init=False)
    past: list[Choice] = field(default_factory=list)
    made: int = 0

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Another game; its choices so far are those of another game from now on."""
        seed = self.dice.randrange(1 << 30)
        self.game, self.made = book(self.name).new(BOOKS[self.name][1], seed), 0
        self.players = {s: RandomPlayer(seed + k) for k, s in enumerate(self.game.program.sides)}
        self.others, self.past = self.past[-200:], []

    def move_on(self) -> None:
        """A few choices further."""
        for _ in range(APART):
            if self.game.over or self.made >= LONGEST:
                self.begin()
            decision = self.game.decisions[0]
            choice = self.players[decision.side](self.game, decision)
            self.game.do(choice)
            self.past.append(choice)
            self.made += 1
        if self.game.over:
            self.begin()

    def legal(self) -> list[Choice]:
        return list(islice(self.game.legal(), 40))


def batch(tally: Tally, i: int, table: Table, others: list[Table]) -> None:
    dice, game, legal = tally.dice("choices", i), table.game, table.legal()
    pending = {d.id for d in game.decisions}
    for k in range(BATCH):
        sort, given, wrong = spoiled_choice(dice, table, legal, others, pending)
        before = canon.dumps(game.state.plain())
        lengths = len(game.log), len(game.journal)
        with tally.trial(sort, f"{i} {table.name} #{k}", lambda given=given: repr(given)[:300]):
            try:
                choice = Choice.from_plain(given) if isinstance(given, list) else given
                game.do(choice)
            except Refusal as refusal:
                if "\n" in refusal.message or not refusal.message:
                    raise Wrong(f"a refusal of one line: {refusal.message!r}") from None
                tally.answer("refused")
            else:
                tally.answer("legal after all")
                legal_after_all(game, before, wrong)
            if canon.dumps(game.state.plain()) != before or (len(game.log), len(game.journal)) != lengths:
                raise Wrong("the state is not what it was")


def legal_after_all(game: Game, before: bytes, wrong: bool) -> None:
    """An accepted choice: nothing wrong may be; and as text it means the same."""
    reached, kept = canon.dumps(game.state.plain()), list(game.journal.events())[-1]
    game.undo(agreed=True)
    made = Choice.from_plain(kept)
    if wrong:
        raise Wrong(f"accepted: {game.show(made)}")
    read = game.read(game.show(made))
    game.do(replace(read, decision=made.decision))
    same = canon.dumps(game.state.plain()) == reached
    game.undo(agreed=True)
    if not same:
        raise Wrong(f"another state from the text form: {game.show(made)}")


# ---------------------------------------------------------------- wrong choices


def spoiled_choice(
    dice: random.Random, table: Table, legal: list[Choice], others: list[Table], pending: set[int]
) -> tuple[str, Any, bool]:
    """A choice, or its text, or its plain data; and whether it is wrong by construction."""
    game = table.game
    base = dice.choice(legal) if legal else dice.choice(table.past)
    match dice.randrange(12):
        case 0:
            old = dice.choice(table.past or [base])
            return "stale", old, old.decision not in pending and old.decision >= 0
        case 1:
            side = dice.choice([s for s in (*game.program.sides, "", "nobody", "side\n") if s != base.side])
            return "wrong side", replace(base, side=side), True
        case 2:
            found = table.others or [base]
            return "another game", dice.choice(found), False
        case 3:
            found = [c for t in others or [table] for c in (t.past[-20:] or t.legal()[:5])]
            return "another book", replace(dice.choice(found), decision=base.decision), False
        case 4:
            far = dice.choice((10**6, -(10**6), 2**63, -1, 0, max(pending, default=0) + 1))
            anytime = far < 0 and base.name in game.program.actions and game.program.actions[base.name].anytime
            return "no such decision", replace(base, decision=far), far not in pending and not anytime
        case 5 | 6 | 7:
            return spoiled_arguments(base, dice)
        case 8 | 9:
            text = dice.choice((by_letters, by_tokens, by_expressions, spoiled_value))(game.show(base), dice)
            return "changed text", text, False
        case 10:
            return "text noise", dice.choice(("", f"{base.side}: ", f"{base.side}: {base.name}(")) + noise(dice), False
        case _:
            return "plain data", plain_data(base, dice), False


def spoiled_arguments(base: Choice, dice: random.Random) -> tuple[str, Choice, bool]:
    """A choice with its arguments not as they should be."""
    args = list(base.args)
    at = dice.randrange(len(args)) if args else 0
    match dice.randrange(7):
        case 0:
            extra = (dice.choice(("x", "actor", "@draft", "@secret", "", "u")), junk(dice))
            named = any(name == extra[0] for name, _ in args)
            return "argument added", replace(base, args=(*args, extra)), not named
        case 1 if args:
            return "argument left out", replace(base, args=tuple(args[:at] + args[at + 1 :])), True
        case 2 if args:
            return "argument doubled", replace(base, args=(*args, args[at])), True
        case 3 if args:
            args[at] = (args[at][0] + "_", args[at][1])
            return "argument renamed", replace(base, args=tuple(args)), True
        case 4 if args:
            name, value = args[at]
            args[at] = (name, other_type(value))
            return "argument of another type", replace(base, args=tuple(args)), True
        case _ if args:
            value = junk(dice)
            args[at] = (args[at][0], value)
            return "argument of no sense", replace(base, args=tuple(args)), not plain(value)
        case _:
            return "argument added", replace(base, args=(("x", junk(dice)),)), True


def other_type(value: Any) -> Any:
    """What Python holds to be equal, or nearly, and is another thing: 1.0, True, a list for a tuple."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return float(value) if value not in (0, 1) else bool(value)
    if isinstance(value, tuple):
        return list(value)
    return [value]


def junk(dice: random.Random) -> Any:
    """A value of no sense."""
    some = (0, 1, -1, 7, 10**6, 2**64, -(2**70), 10**4000, None, True, 0.5, float("nan"), "", "x" * 5000, "\ud800")
    more = ((), ((),), (1, 2), (1, (2,)), [], [1], {}, {"a": 1}, b"x", {1, 2}, object, Fraction(1, 3), "'; --", "\n")
    deep: Any = 1
    for _ in range(dice.choice((3, 200, 2000))):
        deep = (deep,)
    return dice.choice((*some, *more, deep))


def plain(value: Any) -> bool:
    try:
        canon.dumps(value)
    except ValueError:
        return False
    return True


def spoiled_value(text: str, dice: random.Random) -> str:
    """A value in the text replaced by a strange one."""
    head, _, rest = text.partition("(")
    odd = (
        *("1/0", "0/0", "-1/0", "9" * 5000, "-" + "9" * 5000, "٣", "1:0", "{" * 200, "nothing", "yes", '""', '"', "@"),
        *("A1>A1>A1", "A1/A2/A3", ">>", "{}", "[]", "{1 to 2}", "{1: 2}", "(((", "nothing nothing", "a" * 19_000, "²"),
    )
    parts = rest[:-1].split(", ")
    parts[dice.randrange(len(parts))] = dice.choice(odd)
    key = dice.choice(("", rest.partition(":")[0] + ": "))
    return f"{head}({key}{', '.join(parts)}" + dice.choice((")", "", "))"))


def plain_data(base: Choice, dice: random.Random) -> list[Any]:
    """Plain data in about the form of a choice."""
    made: list[Any] = base.plain()
    for _ in range(dice.choice((1, 1, 2))):
        at = dice.randrange(len(made) + 1)
        value = junk(dice)
        match dice.randrange(3):
            case 0:
                made[at : at + 1] = [value]
            case 1:
                made[at:at] = [value]
            case _:
                made[at : at + 1] = []
    return made
