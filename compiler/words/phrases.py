"""Phrases: English templates for declared names, with slots for parameters.

In:  the text of a phrase, such as `{u} is in supply`, or a bare name where the book gives no phrase.
Out: a `Phrase`, to be filled with noun phrases; that of a flag can be negated.

The phrase of a flag is a clause. Its verb is the word after a parameter that opens it, else the first auxiliary; a
clause with neither is negated as a whole (`it is not so that …`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..core import nodes as c
from .english import AUXILIARIES, BEHIND, DOES, MODALS, Noun, verb_phrase, words

SLOT = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(\.own)?\}")
OWNED = re.compile(r"\bthe \{([A-Za-z_][A-Za-z0-9_]*)\} |\{([A-Za-z_][A-Za-z0-9_]*)\} (?=(?:air )?(?:units|troops)\b)")
"""An owner or a nation before what is its own."""
ARTICLED = re.compile(r"(?:the|a|an|that|its) ")
PREPOSITIONS = ("in", "at", "on", "near", "behind", "under", "within", "along", "beyond", "beside", "outside", "inside")
TAIL = ("by", "of", "to", "at", "in", "from", "on", "for", "with", "into", "than", "next", "over")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text with `{slots}`; `made` where it was generated from a name."""

    text: str
    made: bool = False

    @property
    def slots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(m[1] for m in SLOT.finditer(self.text)))

    def fill(self, given: Mapping[str, Noun]) -> str:
        return filled_in(self.text, given)

    def subject(self) -> str | None:
        """The parameter that is the subject: the one that opens the phrase."""
        opening = SLOT.match(self.text)
        if opening is None or opening[2] or self.text[opening.end() : opening.end() + 1] != " ":
            return None
        return None if OWNED.match(self.text) else opening[1]

    def clause(self, given: Mapping[str, Noun], positive: bool) -> str:
        """The phrase of a flag, affirmed or negated."""
        subject = self.subject()
        if subject is not None:
            noun = given[subject]
            if positive and counts(noun, self.text.partition("} ")[2].partition(" ")[0]):
                return self.fill(given)
            return f"{noun} {self.predicate(given, noun.plural, positive)}"
        found = list(self.text.split(" "))
        for at, word in enumerate(found):
            if word in AUXILIARIES or word in MODALS or word in DOES:
                head, rest = " ".join(found[:at]), " ".join(found[at:])
                many = word in ("are", "have", "were", "do")
                filled = filled_in(rest, given)
                if head == "there" and not positive and word in ("is", "are"):
                    return f"there {word} no {filled.removeprefix(f'{word} ').removeprefix('a ').removeprefix('an ')}"
                return f"{filled_in(head, given)} {verb_phrase(filled, many, positive)}".strip()
        filled = self.fill(given)
        return filled if positive else f"it is not so that {filled}"

    def act(self, given: Mapping[str, Noun]) -> str:
        """The phrase of something done; where its subject opens it, the verb goes with that."""
        return self.clause(given, True) if self.subject() is not None else self.fill(given)

    def predicate(self, given: Mapping[str, Noun], many: bool, positive: bool) -> str:
        """The phrase of a flag without its subject."""
        rest = SLOT.sub("", self.text, count=1).strip()
        return verb_phrase(filled_in(rest, given), many, positive)


def phrases_of(book: c.Book, language: str = "en") -> dict[str, Phrase]:
    """The phrases of a book in one language, or in the book's own language where there are none."""
    found = {x.key: Phrase(x.text) for x in book.words if x.language == "en"}
    return found | {x.key: Phrase(x.text) for x in book.words if x.language == language}


def filled_in(text: str, given: Mapping[str, Noun]) -> str:
    """A text with its slots filled; `the {it} dead pile` takes a noun with an article as its owner."""

    def owned(m: re.Match[str]) -> str:
        noun = given[m[1] or m[2]]
        return f"{noun.owning} " if ARTICLED.match(str(noun)) else m[0]

    text = OWNED.sub(owned, text)
    return BEFORE_WORD.sub(lambda m: put(given, m), text)


BEFORE_WORD = re.compile(rf"{SLOT.pattern}(?P<next> [a-z]+)?")
"""A slot and the word behind it."""
OF_NO_NUMBER = frozenset(f"{BEHIND} is are was were has have may can must or and than times each more".split())
"""Words behind a number that are not what it counts."""


def counts(noun: Noun, behind: str) -> bool:
    """Whether a number stands before what it counts: {n} men."""
    number = noun.amount or (bool(noun.article) and noun.head == "number")
    return number and behind not in OF_NO_NUMBER and behind not in MODALS


def put(given: Mapping[str, Noun], m: re.Match[str]) -> str:
    """A slot filled: `{n} units` is a number of units, `{points} points` are the points."""
    noun, behind = given[m[1]], m["next"] or ""
    if m[2]:
        return f"{noun.owning}{behind}"
    if behind and counts(noun, behind[1:]):
        return f"({noun}){behind}" if noun.amount else f"{noun} of{behind}"
    if noun.article and behind and noun.head == behind[1:]:
        return str(noun)
    return f"{noun}{behind}"


def of_flag(name: str, params: Sequence[str]) -> Phrase:
    """A clause generated from the name of a flag."""
    said, slots = words(name), [f"{{{p}}}" for p in params]
    first = said.partition(" ")[0]
    last = said.rpartition(" ")[2]
    if not slots:
        if first in AUXILIARIES or first in MODALS:
            return Phrase(f"it {said}", True)
        return Phrase(f"“{said}” is so", True)
    others = listed_slots(slots[1:])
    if first in MODALS or first in AUXILIARIES:
        return Phrase(f"{slots[0]} {said}" + (f" {link(last)}{others}" if others else ""), True)
    if in_third_person(first):  # takes room, reaches (a hex)
        behind = f" {'' if first == said else link(last)}{others}" if others else ""
        return Phrase(f"{slots[0]} {said}{behind}", True)
    if first in PREPOSITIONS and len(slots) > 1:
        return Phrase(f"{slots[-1]} is {said} of {listed_slots(slots[:-1])}", True)
    if len(slots) == 1:
        return Phrase(f"{slots[0]} is {said}", True)
    if last in TAIL and len(slots) == 2:
        return Phrase(f"{slots[0]} is {said} {slots[1]}", True)
    return Phrase(f"“{said}” is so for {listed_slots(slots)}", True)


def in_third_person(word: str) -> bool:
    """Whether a word looks like a verb in the third person; names of flags are seldom plural nouns."""
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def of_value(name: str, params: Sequence[str]) -> Phrase:
    """A noun phrase generated from the name of a value."""
    said, slots = words(name), [f"{{{p}}}" for p in params]
    if not slots:
        return Phrase(f"the {said}", True)
    last = said.rpartition(" ")[2]
    link_word = "" if last in TAIL else "of "
    return Phrase(f"the {said} {link_word}{listed_slots(slots)}", True)


def link(last: str) -> str:
    return "" if last in TAIL else "for "


def listed_slots(slots: Sequence[str]) -> str:
    return ", ".join(slots[:-1]) + f" and {slots[-1]}" if len(slots) > 1 else "".join(slots)
