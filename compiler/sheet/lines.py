"""What differs between two texts in words, line by line.

In:  sentences with lists, as they were and as they are.
Out: lines marked as old, new or the same; of a long rule only those that differ and the sentences above them. A
     sentence that changed has its changed words marked, and long stretches that did not change are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

from ..words.said import Said

Sort = Literal["was", "is", "new", "gone", "same", "kept"]
"""A line as it was and as it is, one that came, one that went; `same` stands above others, `kept` below one."""
ALIKE = 0.5
"""Two sentences that share less than this part of their words are shown one under the other, without marks."""
LONG = 24
"""A stretch of more unchanged words than this is cut."""
KEPT = 8
SHORT = 3
"""A list of at most so many lines is repeated below a changed opening."""


@dataclass(frozen=True, slots=True)
class Run:
    """Some words of a line; `changed` where the other text has others there."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence with the list below it."""

    sort: Sort
    runs: tuple[Run, ...]
    below: tuple[Line, ...] = ()
    case: str = ""

    @property
    def text(self) -> str:
        return " ".join(r.text for r in self.runs)

    def walk(self) -> Iterator[Line]:
        yield self
        for x in self.below:
            yield from x.walk()


def differing(was: Sequence[Said], now: Sequence[Said]) -> tuple[Line, ...]:
    """The lines that differ, each below the sentence that it belongs to."""
    found: list[Line] = []
    steps = SequenceMatcher(None, [key(x) for x in was], [key(x) for x in now], autojunk=False).get_opcodes()
    for step, i, i_end, j, j_end in steps:
        if step == "equal":
            continue
        for old, new in paired(was[i:i_end], now[j:j_end]):
            found += one(old, new)
    return tuple(found)


def paired(was: Sequence[Said], now: Sequence[Said]) -> list[tuple[Said | None, Said | None]]:
    """Old and new lines side by side: those with the same opening sentence first, the others in their order."""
    left, right = list(was), list(now)
    found: list[tuple[Said | None, Said | None]] = []
    for old in was:
        same = next((x for x in right if x.text == old.text), None)
        if same is not None:
            found.append((old, same))
            left.remove(old)
            right.remove(same)
    return [*found, *zip_longest(left, right)]


def one(old: Said | None, new: Said | None) -> tuple[Line, ...]:
    """A pair of lines; None where one side has none."""
    if old is None or new is None:
        return (
            *(whole(x, "gone") for x in (old,) if x is not None),
            *(whole(x, "new") for x in (new,) if x is not None),
        )
    below = differing(old.items, new.items)
    if old.text == new.text:
        return (Line("same", (Run(old.text),), below, new.case),) if below else ()
    ours, theirs = marked(old.text, new.text)
    return Line("was", ours, (), old.case), Line("is", theirs, below or tail(new), new.case)


def tail(x: Said) -> tuple[Line, ...]:
    """The unchanged list below a changed sentence that opens it; a long one is left out."""
    if not x.text.endswith(":") or not x.items:
        return ()
    if sum(1 for y in x.items for _ in y.walk()) > SHORT:
        return (Line("kept", (Run("…"),)),)
    return tuple(whole(y, "kept") for y in x.items)


def whole(x: Said, sort: Sort) -> Line:
    """A line that only one side has, with all that is below it."""
    return Line(sort, (Run(x.text),), tuple(whole(y, sort) for y in x.items), x.case)


def key(x: Said) -> tuple[str, tuple[object, ...]]:
    return x.text, tuple(key(y) for y in x.items)


def marked(old: str, new: str) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Both sentences with the words that differ marked; sentences with little in common are left unmarked."""
    ours, theirs = old.split(" "), new.split(" ")
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    if matcher.ratio() < ALIKE:
        return (Run(old),), (Run(new),)
    left: list[Run] = []
    right: list[Run] = []
    for step, i, i_end, j, j_end in matcher.get_opcodes():
        changed = step != "equal"
        if i < i_end:
            left.append(Run(" ".join(ours[i:i_end]), changed))
        if j < j_end:
            right.append(Run(" ".join(theirs[j:j_end]), changed))
    return shortened(left), shortened(right)


def shortened(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs with long unchanged stretches cut to their ends."""
    found: list[Run] = []
    for at, run in enumerate(runs):
        words = run.text.split(" ")
        if run.changed or len(words) <= LONG:
            found.append(run)
            continue
        head = words[:KEPT]
        tail = words[-KEPT:] if at + 1 < len(runs) else []
        found.append(Run(" ".join([*head, "…", *tail])))
    return tuple(found)


def without(lines: Sequence[Line], cases: frozenset[str]) -> tuple[Line, ...]:
    """The lines without those that come from any of these cases, and without sentences that then have nothing below."""
    found: list[Line] = []
    for x in lines:
        if x.sort != "same" and x.case in cases:
            continue
        below = without(x.below, cases)
        if x.sort == "same" and not below:
            continue
        found.append(Line(x.sort, x.runs, below, x.case))
    return tuple(found)
