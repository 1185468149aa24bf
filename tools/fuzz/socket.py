"""Campaign 7: hostile messages to the table's socket are refused, and leave the game byte-identical."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

from rulewright.compiler import load
from rulewright.table.links import HOT, SEAT, WATCH, new_links
from rulewright.table.messages import LONGEST, MESSAGES, Bad, read
from rulewright.table.room import Room, Sitter
from rulewright.table.shelf import Shelf

from .mutations import by_letters, noise
from .runner import Tally, Wrong

ROOT = Path(__file__).resolve().parents[2]
TITLE = "socket"
COUNT = 100_000
WHAT = """
Tables of four books are played by picks at random. Between the picks come batches of hostile messages, each read and
obeyed as one from a socket is: noise; good messages with letters changed, members left out, added, renamed or of other
types, numbers out of every range; messages with the number of a list that has gone; picks of a spectator, of the side
that has nothing to decide, of a hot seat behind its curtain; and, as an owner of a seat may send them, good messages of
every sort in any order with lines, places and moments that may not exist.

Each must be answered in words or refused as no message. What comes from a seat that may not choose, names a list that
has gone or is no message must leave the seal of the journal and the canonical bytes of the position as they were. Every
frame that is drawn for the others in between must be JSON. At the end of each batch the file holds what the room holds.
"""

BOOKS = {
    "skirmish": (str(ROOT / "tests" / "books" / "skirmish.rules"), ""),
    "spies": (str(ROOT / "tests" / "books" / "spies.rules"), ""),
    "fragment": ("fragment", ""),
    "trc battle": ("trc", "battle"),
}
BATCH = 100
GOOD_PICKS = 3
LONGEST_GAME = 300
STRANGE: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 1.5, 10**6, 10**11, 2**63, 1e308, "", "0", "axis", "\u202e", [], {}, [[]], [True],
    {"$ne": 1}, "__class__", "../../etc/passwd", "x" * 200,
)  # fmt: skip


def run(tally: Tally, count: int) -> None:
    names = list(BOOKS)[:2] if tally.short else list(BOOKS)
    with tempfile.TemporaryDirectory() as folder:
        tables = {name: Around(name, Path(folder) / name.replace(" ", "-")) for name in names}
        for i in range(max(1, -(-count // BATCH))):
            around = tables[names[i % len(names)]]
            around.move_on(tally.dice("play", i))
            if tally.only is None or tally.only == i:
                batch(tally, i, around)


class Around:
    """A table, and everybody around it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.shelf = name, Shelf(folder)
        self.begin()

    def begin(self) -> None:
        rules, scenario = BOOKS[self.name]
        sides = load(rules).program.sides
        links = new_links(sides)
        card = self.shelf.new(rules, scenario, "", dict.fromkeys(sides, "person"), links)
        card.seed = 5
        self.room = Room(card, self.shelf)
        self.room.run(None)
        self.seats = {x.sides[0]: self.room.enter(x) for x in links if x.kind == SEAT}
        self.hot = next(self.room.enter(x) for x in links if x.kind == HOT)
        self.watcher = next(self.room.enter(x) for x in links if x.kind == WATCH)

    def everybody(self) -> list[Sitter]:
        return [*self.seats.values(), self.hot, self.watcher]

    def deciding(self) -> set[str]:
        return {d.side for d in self.room.table.game.decisions}

    def send(self, sitter: Sitter, message: dict[str, Any]) -> list[dict[str, Any]]:
        answers = self.room.obey(sitter, read(json.dumps(message)))
        self.room.run(None)
        return answers

    def move_on(self, dice: random.Random) -> None:
        """A few good picks."""
        game = self.room.table.game
        if game.over or len(game.journal) > LONGEST_GAME:
            game.journal.close()
            self.begin()
        for _ in range(GOOD_PICKS):
            for side in sorted(self.deciding() & set(self.seats)):
                sitter = self.seats[side]
                ask = self.room.frame(sitter)["ask"]
                if ask is not None and ask["items"]:
                    good = {"do": "ok"} if ask.get("ready") else {"do": "pick", "i": dice.randrange(len(ask["items"]))}
                    self.send(sitter, {"n": self.room.chair(side).n, **good})

    @property
    def standing(self) -> tuple[str, str]:
        return self.room.table.game.journal.head, self.room.digest()


def batch(tally: Tally, i: int, around: Around) -> None:
    dice = tally.dice("socket", i)
    for k in range(BATCH):
        sort, sitter, text, harmless = hostile(dice, around)
        before = around.standing if harmless else None
        with tally.trial(sort, f"{i} {around.name} #{k}", lambda text=text: repr(text)[:300]):
            try:
                answers = around.room.obey(sitter, read(text))
                around.room.run(None)
                tally.answer("answered" if answers else "done")
                if any(set(a) - {"say", "stale", "why", "chances", "told", "place", "past"} for a in answers):
                    raise Wrong(f"an answer of no known sort: {answers}")
                json.dumps(answers)
            except Bad:
                tally.answer("no message")
            if before is not None and around.standing != before:
                raise Wrong("the game is not what it was")
        if k % 20 == 0:
            json.dumps([around.room.news(x) for x in around.everybody()])
    on_disk = Path(around.shelf.path(around.room.card))
    around.room.table.flush()
    with tally.trial("the file", f"{i} {around.name}"):
        from rulewright.runtime.journal import Journal

        if Journal.read(on_disk).head != around.room.table.game.journal.head:
            raise Wrong("the file does not hold what the room holds")


# ---------------------------------------------------------------- hostile messages


def hostile(dice: random.Random, around: Around) -> tuple[str, Sitter, Any, bool]:
    """A message: its sort, who sends it, its text, and whether it must change nothing."""
    room = around.room
    anybody = dice.choice(around.everybody())
    n = room.chair(anybody.side).n
    good = message(dice, n)
    match dice.randrange(9):
        case 0:
            return "noise", anybody, noise(dice), True
        case 1:
            return "letters changed", anybody, by_letters(json.dumps(good), dice), False
        case 2:
            spoiled = dict(good)
            spoiled.pop(dice.choice(list(spoiled)))
            return "a member left out", anybody, json.dumps(spoiled), False
        case 3:
            key = dice.choice(("side", "value", "token", "seed", "args", "__proto__", "x" * 50))
            return "a member added", anybody, json.dumps({**good, key: dice.choice(STRANGE)}), key != "token"
        case 4:
            key = dice.choice(list(good))
            return "another type", anybody, json.dumps({**good, key: dice.choice(STRANGE)}), False
        case 5:
            old = {**good, "n": max(0, n - dice.randrange(1, 9))}
            return "a list that has gone", anybody, json.dumps(old), "n" in MESSAGES[good["do"]]
        case 6:
            return "a spectator", around.watcher, json.dumps(message(dice, room.chair("").n)), True
        case 7:
            idle = [s for side, s in around.seats.items() if side not in around.deciding()]
            sitter = dice.choice(idle or [around.watcher])
            chosen = message(dice, room.chair(sitter.side).n)
            return "a seat with nothing to decide", sitter, json.dumps(chosen), chosen["do"] not in ("undo", "agree")
        case _:
            if dice.randrange(40) == 0:
                return "too long", anybody, json.dumps({**good, "x": "y" * LONGEST}), True
            sitter = dice.choice(list(around.seats.values()))
            return "any order", sitter, json.dumps(message(dice, room.chair(sitter.side).n)), False


def message(dice: random.Random, n: int) -> dict[str, Any]:
    """A message of the right form, with numbers that may lead nowhere."""
    do = dice.choice([x for x in MESSAGES if x != "sit" and (x != "chances" or dice.randrange(20) == 0)])
    small = dice.choice((0, 1, 2, 5, 40, 9_999))
    values = {
        "n": n, "i": small, "j": dice.choice((0, 1, 9)), "times": dice.choice((0, 1, 3, 999)), "every": dice.random() < 0.5,
        "yes": dice.random() < 0.5, "how": dice.choice(("own", "phase", "ask")), "back": dice.randrange(70), "at": dice.choice((0, 1, 5, 10**6)),
        "place": dice.choice((0, 7, 300, 99_999)), "places": [dice.randrange(60) for _ in range(dice.randrange(5))],
    }  # fmt: skip
    found: dict[str, Any] = {"do": do}
    for key, rule in MESSAGES[do].items():
        if rule.get("required") or dice.random() < 0.6:
            found[key] = values[key]
    return found
