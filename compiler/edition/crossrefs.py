"""Cross-references both ways, and the index of terms.

In:  the declarations of a rule set, the names that they use, the phrases of the book.
Out: by case the cases that it rests on and those that rest on it; terms with where they are explained and used.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..core.case_order import natural
from ..doc.model import Declaration, Model
from ..doc.names import Names
from ..doc.overrides import relation_of, targets
from ..words.english import words
from ..words.expressions import Words
from ..words.phrases import SLOT
from .parts import Term

LOOSE = {"of", "in", "at", "to", "from", "by", "for", "with", "on", "into", "as", "over", "against", "and", "…"}
OPENING = {"the", "a", "an", "is", "are", "has", "have", "may", "can", "must", "there", "was", "were", "had", "it"}
ENDING = {"the", "a", "that", "which", "what", "who", "so"}
DATA = ("roster", "scenario", "map", "style", "words", "shown", "veiled", "unclear", "scale", "example")
"""Declarations whose names are labels of data, or of readings."""
TOLD = ("name", "member", "phase", "value")
"""The realms of names that a reader would look up."""


def references(model: Model, names: Names) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """By case: the cases that it rests on, and the cases that rest on it."""
    rests: dict[str, set[str]] = {}
    for d in model.declarations():
        if d.state == "struck":
            continue
        if relation_of(d.entry.node):
            for target in targets(d, model, names):
                rests.setdefault(d.case, set()).add(target.case)
        for user in names.uses[d].rules if d in names.uses else ():
            rests.setdefault(user.case, set()).add(d.case)
    back: dict[str, set[str]] = {}
    for case, others in rests.items():
        others.discard(case)
        for other in others:
            back.setdefault(other, set()).add(case)
    return ordered(rests), ordered(back)


def ordered(found: dict[str, set[str]]) -> dict[str, list[str]]:
    return {case: sorted(others, key=natural) for case, others in found.items()}


def index(model: Model, names: Names, w: Words) -> list[Term]:
    """Every term once: where it is explained, and where it is used."""
    at: dict[str, set[str]] = {}
    used: dict[str, set[str]] = {}
    for word, several in names.declared.items():
        for mention, d in several:
            if mention.realm not in TOLD or d.sort in DATA:
                continue
            said = term(w, keys(mention.declares, word, d), word)
            at.setdefault(said, set()).add(d.case)
            if mention.declares != "value" and d in names.uses:
                used.setdefault(said, set()).update(x.case for x in names.uses[d].rules)
    return [
        Term(word, tuple(sorted(at[word], key=natural)), tuple(sorted(used.get(word, set()) - at[word], key=natural)))
        for word in sorted(at, key=lambda x: (x.lower(), x))
    ]


def keys(declares: str, word: str, d: Declaration) -> Iterable[str]:
    """The keys under which a book may have a phrase for a name."""
    owner = getattr(d.entry.node, "owner", "")
    return (f"{d.name}.{word}", word) if declares == "value" else (f"{owner}.{word}", word)


def term(w: Words, known: Iterable[str], word: str) -> str:
    """A name as a reader would look it up: `zone of control`, from `the zone of control of {u}`."""
    phrase = w.phrase(*known)
    if phrase is None:
        return words(word)
    found = SLOT.sub("…", phrase.text).replace("…'s", "…").split()
    while found and found[0].lower() in OPENING | LOOSE:
        del found[0]
    while found and found[-1].lower() in LOOSE | ENDING:
        del found[-1]
    return " ".join(found).strip(" ,;") or words(word)
