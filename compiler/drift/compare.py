"""Hold a text against fingerprints: which cases stand in it as they were printed, which do not.

In:  the fingerprints of a book's cases in order, and somebody's text.
Out: a `Verdict` for each case (unchanged, changed, moved, gone, too short to tell), and passages that are new.

A case is found where most of its runs are. What is missing between runs that are there lies between their places; the
words there are the print's but for slips of the scanner (repair.py), or they have changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .fingerprints import RUN, Print, hashed
from .normal_words import Word, words_of
from .repair import Vocabulary, is_noise, printed_number

SLACK = 60
"""How far the words of a case may be from where they stood, for words that came in or went."""
FEW = 4
"""A case of which no more than one run in so many is left is gone."""
NEW = 14
"""The fewest words of a passage that is called new."""


@dataclass(frozen=True, slots=True)
class Change:
    """A place where a case reads otherwise: the line of the text, and what is known of the difference."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one case; `line` is where it begins in the text, 0 where it is not in it."""

    case: str
    status: str
    line: int = 0
    changes: tuple[Change, ...] = ()
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of the text that no case of the print had."""

    first: int
    last: int
    words: int


@dataclass(frozen=True, slots=True)
class Drift:
    """A whole text held against a whole book."""

    verdicts: tuple[Verdict, ...]
    new: tuple[Passage, ...]

    def of(self, status: str) -> list[Verdict]:
        return [v for v in self.verdicts if v.status == status]


class Text:
    """The words of a text, and where each run of eight begins."""

    def __init__(self, text: str) -> None:
        self.all: list[Word] = words_of(text)
        self.words = [w.text for w in self.all]
        self.vocabulary = Vocabulary.of(self.words)
        self.places: dict[str, list[int]] = defaultdict(list)
        for i in range(len(self.words) - RUN + 1):
            self.places[hashed(self.words[i : i + RUN])].append(i)

    def line(self, at: int) -> int:
        return self.all[min(max(at, 0), len(self.all) - 1)].line if self.all else 0


def drift(prints: Sequence[Print], text: str) -> Drift:
    """What has become of every case."""
    known = Text(text)
    starts = between_neighbours(prints, located(prints, known), known)
    verdicts = [verdict(p, start, known) for p, start in zip(prints, starts, strict=True)]
    return Drift(tuple(by_case(with_moves(verdicts))), tuple(passages(prints, verdicts, known)))


def by_case(pieces: list[Verdict]) -> list[Verdict]:
    """One verdict a case; the worst of its pieces counts, and a case is gone when all of it is."""
    found: dict[str, list[Verdict]] = {}
    for v in pieces:
        if v.case:
            found.setdefault(v.case, []).append(v)
    return [joined(several) for several in found.values()]


def joined(pieces: list[Verdict]) -> Verdict:
    told = [v for v in pieces if v.status != "too short"]
    if not told:
        return pieces[0]
    there = [v for v in told if v.status != "gone"]
    if not there:
        return told[0]
    status = next(s for s in ("changed", "moved", "unchanged") if any(v.status == s for v in there))
    if len(there) < len(told):
        status = "changed"
    changes = tuple(x for v in there for x in v.changes)
    lost = () if len(there) == len(told) else (Change(there[0].line, "a part of it is gone"),)
    return replace(there[0], status=status, changes=(*changes, *lost))


def located(prints: Sequence[Print], text: Text) -> list[int | None]:
    """Where each piece begins: where most of its runs would have it begin; of places alike the next in order."""
    found: list[int | None] = []
    reached = 0
    for p in prints:
        best = best_starts(p, text)
        start = min(best, key=lambda s: (s < reached - SLACK, abs(s - reached)), default=None)
        found.append(start)
        if start is not None:
            reached = start + p.words
    return found


def best_starts(p: Print, text: Text) -> list[int]:
    votes: Counter[int] = Counter()
    for at, hash in p.runs:
        for place in text.places.get(hash, ())[:20]:
            votes[place - at] += 1
    near = {s: (n + sum(m for other, m in votes.items() if 0 < abs(other - s) <= SLACK), n) for s, n in votes.items()}
    most = max(near.values(), default=None)
    return sorted(s for s, n in near.items() if n == most)


def between_neighbours(prints: Sequence[Print], starts: list[int | None], text: Text) -> list[int | None]:
    """A case of which no run is found may still stand behind the case before it, where that many words are free."""
    found = list(starts)
    for i, p in enumerate(prints):
        if found[i] is not None or not p.runs or not i or found[i - 1] is None:
            continue
        begin = (found[i - 1] or 0) + prints[i - 1].words
        after = next((s for s in starts[i + 1 :] if s is not None and s >= begin), len(text.words))
        if after - begin >= p.words // 2:
            found[i] = begin
    return found


def verdict(p: Print, start: int | None, text: Text) -> Verdict:
    """One case where it was found."""
    if not p.runs:
        return Verdict(p.case, "too short")
    if start is None:
        return Verdict(p.case, "gone")
    chain = placed_runs(p, start, text)
    changes: list[Change] = []
    for i, (_, hash) in enumerate(p.runs):
        if chain[i] is not None:
            continue
        before = next((j for j in range(i - 1, -1, -1) if chain[j] is not None), None)
        after = next((j for j in range(i + 1, len(chain)) if chain[j] is not None), None)
        found = explained(p, i, hash, chain, before, after, start, text)
        if found is not None:
            changes.append(found)
    if len(p.runs) > 1 and FEW * (len(p.runs) - len(changes)) <= len(p.runs):
        return Verdict(p.case, "gone")
    changes += put_in(p, chain, text)
    end = start + p.words
    placed = [(at, place) for (at, _), place in zip(p.runs, chain, strict=True) if place is not None]
    if placed:
        end = placed[-1][1] + p.words - placed[-1][0]
        start = placed[0][1] - placed[0][0]
    status = "changed" if changes else "unchanged"
    return Verdict(p.case, status, text.line(start), tuple(dict.fromkeys(changes)), start, end)


def put_in(p: Print, chain: list[int | None], text: Text) -> list[Change]:
    """Words that stand between two runs which the print has side by side."""
    found = []
    for (at, _), (after, _), here, there in zip(p.runs, p.runs[1:], chain, chain[1:], strict=False):
        more = (there - here) - (after - at) if here is not None and there is not None else 0
        if more > 0 and here is not None:
            words = " ".join(text.words[here + RUN : here + RUN + more][:RUN])
            found.append(Change(text.line(here + RUN), f"words are put in: {words}"))
    return found


def placed_runs(p: Print, start: int, text: Text) -> list[int | None]:
    """Where each run stands, in rising order near where the case begins."""
    chain: list[int | None] = []
    shift, last = 0, -1
    for at, hash in p.runs:
        wanted = start + at + shift
        near = [x for x in text.places.get(hash, ()) if abs(x - wanted) <= SLACK and x > last]
        place = min(near, key=lambda x: abs(x - wanted), default=None)
        chain.append(place)
        if place is not None:
            shift, last = place - start - at, place
    return chain


def explained(
    p: Print, i: int, hash: str, chain: list[int | None], before: int | None, after: int | None, start: int, text: Text
) -> Change | None:
    """Why a run is not where it stood: None where the scanner slipped, else what has changed."""
    at = p.runs[i][0]
    guesses: list[int] = []
    if before is not None:
        guesses.append((chain[before] or 0) + at - p.runs[before][0])
    if after is not None:
        guesses.append((chain[after] or 0) + at - p.runs[after][0])
    guesses = guesses or [start]
    for guess in dict.fromkeys(guesses):
        for length in (RUN, RUN + 1, RUN - 1):
            for begin in dict.fromkeys((guess, guess + RUN - length)):
                if begin >= 0 and is_noise(text.words[begin : begin + length], hash, text.vocabulary):
                    return None
    guess = guesses[0]
    words = text.words[guess : guess + RUN]
    for begin in dict.fromkeys(guesses):
        number = printed_number(text.words[begin : begin + RUN], hash)
        if number is not None:
            return Change(text.line(begin), f"{number[0]} stands where the print has {number[1]}")
    return Change(text.line(guess), "reads otherwise near: " + " ".join(words) if words else "words are missing here")


def with_moves(verdicts: list[Verdict]) -> list[Verdict]:
    """Cases that stand in another order than in the print are moved: all but a longest row in order."""
    placed = [(i, v.start) for i, v in enumerate(verdicts) if v.start >= 0]
    row = longest_rising([start for _, start in placed])
    kept = {placed[k][0] for k in row}
    return [
        replace(v, status="moved") if v.start >= 0 and i not in kept and v.status == "unchanged" else v
        for i, v in enumerate(verdicts)
    ]


def longest_rising(values: list[int]) -> list[int]:
    """The places of a longest rising row among numbers."""
    tails: list[int] = []
    ends: list[int] = []
    before = [-1] * len(values)
    for i, value in enumerate(values):
        at = bisect_left(tails, value)
        before[i] = ends[at - 1] if at else -1
        tails[at:at + 1] = [value]
        ends[at:at + 1] = [i]
    found: list[int] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        found.append(at)
        at = before[at]
    return found[::-1]


def passages(prints: Sequence[Print], verdicts: list[Verdict], text: Text) -> list[Passage]:
    """Words between the pieces that none of them had; pieces too short to be found take up their room."""
    room = [0] * len(prints)
    last: int | None = None
    unplaced = 0
    for i, (p, v) in enumerate(zip(prints, verdicts, strict=True)):
        if v.start >= 0:
            last = i
        elif v.status == "too short" and last is not None:
            room[last] += p.words
        elif v.status == "too short":
            unplaced += p.words
    spans = sorted((v.start, v.end + room[i]) for i, v in enumerate(verdicts) if v.start >= 0)
    found: list[Passage] = []
    reached = unplaced
    for start, end in [*spans, (len(text.words), len(text.words))]:
        if start - reached >= NEW:
            found.append(Passage(text.line(reached), text.line(start - 1), start - reached))
        reached = max(reached, end)
    return found
