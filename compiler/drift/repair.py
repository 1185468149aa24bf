"""Tell a slip of the scanner from a change: is there a reading of some words that has the hash of the print?

In:  words of a text that stand where a run of the print stood, and the hash of that run.
Out: `noise` where a likely misreading of letters explains it; the number that was printed, where only a number differs.

Only words without digits can be misread here: 3 for 8 may be a slip or an erratum, and is told as a change. So is a
word that the text has elsewhere: a slip seldom makes one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .fingerprints import RUN, hashed

ALIKE = (
    ("rn", "m"), ("l", "i"), ("l", "1"), ("i", "1"), ("o", "0"), ("c", "e"), ("h", "b"), ("u", "n"), ("cl", "d"),
    ("vv", "w"), ("f", "t"), ("s", "5"), ("g", "9"), ("ii", "n"), ("li", "h"), ("a", "o"), ("e", "o"),
)  # fmt: skip
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NUMBERS = 130
RARE, RARER = 2, 15


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How often a text has each of its words."""

    counted: Counter[str]

    @staticmethod
    def of(words: Sequence[str]) -> Vocabulary:
        return Vocabulary(Counter(words))

    def slip(self, word: str, of: str) -> bool:
        """Whether a word is so much rarer than another that it may be a misreading of it."""
        return self.counted[word] <= max(RARE, self.counted[of] // RARER)


def is_noise(found: Sequence[str], hash: str, known: Vocabulary) -> bool:
    """Whether words are those of the print but for one or two slips of letters."""
    if len(found) == RUN:
        if hashed(found) == hash:
            return True
        once = list(substituted(found, known))
        if any(hashed(x) == hash for x in once):
            return True
        return any(hashed(y) == hash for x in once for y in substituted(x, known, wide=False))
    if len(found) == RUN + 1:
        joined = ([*found[:i], found[i] + found[i + 1], *found[i + 2 :]] for i in range(RUN))
        return any(hashed(x) == hash for x in joined)
    if len(found) == RUN - 1:
        return any(hashed(x) == hash for x in split(found))
    return False


def split(found: Sequence[str]) -> Iterator[list[str]]:
    """One word cut in two."""
    for i, word in enumerate(found):
        for at in range(1, len(word)):
            yield [*found[:i], word[:at], word[at:], *found[i + 1 :]]


def substituted(found: Sequence[str], known: Vocabulary, wide: bool = True) -> Iterator[list[str]]:
    """One word read otherwise."""
    for i, word in enumerate(found):
        for other in readings(word, known, wide):
            yield [*found[:i], other, *found[i + 1 :]]


def readings(word: str, known: Vocabulary, wide: bool) -> set[str]:
    """What a word may be a misreading of: other letters of like shape, or one letter more, less or other that makes a
    word which the text has elsewhere."""
    if word.lstrip("+-").replace(":", "").replace("/", "").isdigit():
        return set()
    made: set[str] = set()
    for a, b in ALIKE:
        for one, other in ((a, b), (b, a)):
            at = word.find(one)
            while at >= 0:
                made.add(word[:at] + other + word[at + len(one) :])
                at = word.find(one, at + 1)
    if wide:
        near = {word[:i] + word[i + 1 :] for i in range(len(word))}
        near |= {word[:i] + x + word[i:] for i in range(len(word) + 1) for x in LETTERS}
        near |= {word[:i] + x + word[i + 1 :] for i in range(len(word)) for x in LETTERS}
        made |= {x for x in near if x in known.counted}
    made.discard(word)
    return {x for x in made if known.slip(word, x) and (word.isalnum() and not x.isdigit())}


def printed_number(found: Sequence[str], hash: str) -> tuple[str, str] | None:
    """A number of the words, and the one that the print has instead; None where no other number will do."""
    if len(found) != RUN:
        return None
    for i, word in enumerate(found):
        bare = word.lstrip("+-")
        if not bare.isdigit():
            continue
        for n in range(NUMBERS):
            for sign in ("", "+", "-"):
                was = f"{sign}{n}"
                if was != word and hashed([*found[:i], was, *found[i + 1 :]]) == hash:
                    return word, was
    return None
