"""Players that need no person, by the words for them.

In:  a loaded rule set and a player's word: `random`, `busy`, `lookahead`, a doctrine by name or path, with a level
     where one is wanted (`lookahead:hard`, `manstein:easy`, `./mine.rules`), `doctrine` for the book's own on each
     side; `A/B` is A on the first side and B on the second.
Out: a seat a side: the name of who plays it, the hash of how it plays, and the player itself, made from a seed.
Reports: `Unknown` for a word that nobody goes by, with the words that are known.

`sim`, `play`, tables and `diff --games` all seat their players here; in each of them the player of the i-th side of a
game with seed N gets the seed N * 1009 + i, so that one game is the same everywhere.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from rulewright import runtime
from rulewright.runtime.automatic import AUTOMATIC
from rulewright.runtime.doctrine.player import LEVELS, DoctrinePlayer
from rulewright.runtime.players import Player
from rulewright.runtime.problems import Refusal

from .loader import Loaded, load
from .read.library import doctrine_places, find_book
from .read.sources import split_name

EACH = 1009
OWN = "doctrine"
"""The word for the book's own doctrine of a side."""
NORMAL, AHEAD = "normal", "hard"
HEAD = re.compile(r"^doctrine\s+\w+\s+of\s+(\w+)[^:\n]*?\bfor\s+([\w, ]+):", re.MULTILINE)
AIMLESS: Mapping[str, str] = {
    "random": "takes any legal choice; it finds faults in rules, and what it wins says little about balance",
    "busy": "acts while it can, without an aim: it often loses to the random player, and says little about balance",
}
"""The players that do not try to win, and what to keep in mind of results with them."""


class Unknown(Refusal):
    """Nobody goes by this word; `known` are those that somebody goes by."""

    def __init__(self, word: str, known: Sequence[str]) -> None:
        super().__init__(f'"{word}" does not play by itself (known: {", ".join(known)})')
        self.word, self.known = word, tuple(known)


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays one side: a name, a hash of everything that its choices rest on, and the player, made from a seed.

    `aimless` is the warning of a player that does not try to win, empty for all others.
    """

    word: str
    name: str
    hash: str
    make: Callable[[int], Player]
    aimless: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.hash})"


@dataclass(frozen=True, slots=True)
class Contestant:
    """Somebody who plays any side, with a seat for each."""

    word: str
    seats: Mapping[str, Seat]

    @property
    def name(self) -> str:
        names = [seat.name for seat in self.seats.values()]
        return names[0] if len(set(names)) == 1 else "/".join(names)

    @property
    def hash(self) -> str:
        hashes = [seat.hash for seat in self.seats.values()]
        return hashes[0] if len(set(hashes)) == 1 else digest(*hashes)

    def __str__(self) -> str:
        return f"{self.name} ({self.hash})"


def known_words(loaded: Loaded) -> tuple[str, ...]:
    """The words of all players of a rule set, without their levels."""
    return (*(word for word in AUTOMATIC if ":" not in word), *known_doctrines(loaded))


def words_for(loaded: Loaded, side: str) -> tuple[str, ...]:
    """The words of all players of one side, a doctrine with each of its levels."""
    mine = [name for name, sides in known_doctrines(loaded).items() if side in sides]
    return (*AUTOMATIC, *(name if level == NORMAL else f"{name}:{level}" for name in mine for level in LEVELS))


def find_seat(loaded: Loaded, word: str, side: str) -> Seat:
    """The player that goes by a word, on one side."""
    name, level = named_level(word)
    plain = name if level == NORMAL else word
    if plain in AUTOMATIC:
        return Seat(word, plain, automatic_hash(plain), AUTOMATIC[plain], AIMLESS.get(plain, ""))
    if level not in LEVELS:
        raise Refusal(f'"{level}" is no level of a player: {", ".join(LEVELS)}')
    if name == OWN:
        name = own_doctrine(loaded, side)
    first = name.partition("+")[0]
    if not first.endswith(".rules") and first not in known_doctrines(loaded):
        raise Unknown(word, known_words(loaded))
    program = load(f"{loaded.name}+{name}", loaded.places).program
    if program.doctrine is None:
        raise Refusal(f'"{name}" is no doctrine')
    if side not in program.doctrine.sides:
        raise Refusal(f"{program.doctrine.name} plays {' and '.join(program.doctrine.sides)}, not {side}")
    if level == AHEAD and program.doctrine.judge is None:
        raise Refusal(f"{program.doctrine.name} has no judge, so it cannot look ahead: it plays easy and normal")
    given = name if level == NORMAL else f"{name}:{level}"
    made = digest("doctrine", level, program.rules_hash, player_texts())
    return Seat(word, given, made, partial(DoctrinePlayer, program, level=level))


def named_level(word: str) -> tuple[str, str]:
    """`manstein:easy` as a name and a level."""
    name, _, level = word.partition(":")
    return name, level or NORMAL


def known_doctrines(loaded: Loaded) -> Mapping[str, tuple[str, ...]]:
    """The doctrines beside a book, each with the sides that it plays."""
    source = find_book(split_name(loaded.name)[0], loaded.places)
    book = loaded.program.name.partition("+")[0]
    found: dict[str, tuple[str, ...]] = {}
    for place in doctrine_places(source.files) if source is not None else ():
        for file in sorted(place.glob("*.rules")):
            head = HEAD.search(file.read_text(encoding="utf-8"))
            if head is not None and head[1] == book:
                found[file.stem] = tuple(x.strip() for x in head[2].split(","))
    return found


def own_doctrine(loaded: Loaded, side: str) -> str:
    """The book's first doctrine for a side."""
    for name, sides in known_doctrines(loaded).items():
        if side in sides:
            return name
    raise Refusal(f"no doctrine beside {loaded.name} plays {side}")


def contestant(loaded: Loaded, word: str) -> Contestant:
    """Who goes by a word on every side; `A/B` names one player a side. A path (`./mine.rules`) is one word."""
    sides = loaded.program.sides
    words = one_a_side(word)
    if len(words) == 1:
        words = words * len(sides)
    if len(words) != len(sides):
        raise Refusal(f'"{word}" names {len(words)} players: name one, or one a side ({"/".join(sides)})')
    return Contestant(word, {side: find_seat(loaded, each, side) for side, each in zip(sides, words, strict=True)})


def one_a_side(word: str) -> list[str]:
    """The words of `A/B`; a slash inside a path divides nothing."""
    words: list[str] = []
    open_path = False
    for part in word.split("/"):
        if open_path:
            words[-1] += "/" + part
        else:
            words.append(part)
        open_path = not words[-1].partition(":")[0].endswith(".rules") and (open_path or part in ("", ".", "..", "~"))
    return words


def seat_players(seats: Mapping[str, Seat], seed: int) -> dict[str, Player]:
    """The players of one game, made from its seed."""
    return {side: seat.make(seed * EACH + i) for i, (side, seat) in enumerate(seats.items())}


def digest(*words: str) -> str:
    """A short hash of what a player is made of."""
    return hashlib.blake2b("\0".join(words).encode(), digest_size=6).hexdigest()


@cache
def automatic_hash(word: str) -> str:
    """The hash of a player written in Python: its own text, and that of the spaces from which it draws."""
    return digest(word, player_texts())


@cache
def player_texts() -> str:
    """The text of all that a player does by itself."""
    home = Path(runtime.__file__).parent
    rooms = [file for room in ("choices", "doctrine", "lookahead") for file in sorted((home / room).glob("*.py"))]
    files = [home / "players.py", home / "dice.py", *rooms]
    return "\0".join(file.read_text(encoding="utf-8") for file in files)
