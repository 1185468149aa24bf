"""Fingerprints of a printed text: for each case the hashes of its runs of eight words, and not one word.

In:  the text, and the lines of each case in it; or a file of fingerprints.
Out: `Print`s in the order of the text, one for each piece of a case that stands in one place. The file has a line a
     piece: its case (none for what is no rule), how many words it has, its hashes.
Reports: `Unreadable` for a file that is none.

Runs lie one behind the other; the last eight words are one more run, so that every word of a case is in one. A case
of fewer than eight words has no run: nothing can be said about it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .normal_words import words_of

RUN = 8
DIGITS = 12
HEAD = "# Fingerprints of the printed text: case, number of words, a hash of each run of eight of them."


class Unreadable(Exception):
    """A file that holds no fingerprints."""


@dataclass(frozen=True, slots=True)
class Print:
    """A piece of a case of the print: `runs` are where each run begins in it, and its hash."""

    case: str
    words: int
    runs: tuple[tuple[int, str], ...]


def starts(words: int) -> list[int]:
    """Where the runs of a case begin."""
    if words < RUN:
        return []
    found = list(range(0, words - RUN + 1, RUN))
    return found if found[-1] == words - RUN else [*found, words - RUN]


def hashed(run: Iterable[str]) -> str:
    """The hash of a run of words."""
    return hashlib.sha256(" ".join(run).encode()).hexdigest()[:DIGITS]


def fingerprint(case: str, words: Sequence[str]) -> Print:
    return Print(case, len(words), tuple((at, hashed(words[at : at + RUN])) for at in starts(len(words))))


def of_text(text: str, cases: Mapping[str, Sequence[tuple[int, int]]]) -> list[Print]:
    """The fingerprints of a text whose cases stand in these lines, piece by piece in the order of the text.

    Of cases that share a line the one that begins later has it. Lines of no case are pieces without a number, so that
    nobody takes them for new.
    """
    owner: dict[int, str] = {}
    for first, _, case in sorted((a, -b, case) for case, spans in cases.items() for a, b in spans):
        last = max(b for a, b in cases[case] if a == first)
        owner |= {line: case for line in range(first, last + 1)}
    found: list[Print] = []
    case, piece = "", list[str]()
    for word in words_of(text):
        if owner.get(word.line, "") != case:
            found += [fingerprint(case, piece)] if piece else []
            case, piece = owner.get(word.line, ""), []
        piece.append(word.text)
    found += [fingerprint(case, piece)] if piece else []
    missing = [fingerprint(x, ()) for x in cases if x not in {p.case for p in found}]
    return [*found, *missing]


def written(prints: Iterable[Print]) -> str:
    """Fingerprints as a file."""
    rows = ("\t".join((p.case, str(p.words), " ".join(h for _, h in p.runs))) for p in prints)
    return "\n".join((HEAD, *rows)) + "\n"


def read(text: str) -> list[Print]:
    """The fingerprints of a file."""
    found: list[Print] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            case, words, hashes = line.split("\t")
            at = starts(int(words))
            found.append(Print(case, int(words), tuple(zip(at, hashes.split(), strict=True))))
        except ValueError:
            raise Unreadable(f"line {number} is no fingerprint of a case") from None
    return found
