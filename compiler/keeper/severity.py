"""How grave each fact of a diff is.

In:  facts with their judgements, and levels by case, by sort of thing, by kind of change and by judgement.
Out: for each fact one of `error`, `warning`, `note` or `off`.

The most particular level counts: that of the case (12.3 before 12), then of the sort of thing that changed, then of the
kind of change, then of the judgement's direction, then of its class, then the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..diff.entries import RULES, WORDS
from ..diff.facts import Fact
from ..diff.judge import Judgement

LEVELS = ("error", "warning", "note", "off")
"""From the gravest down; a fact that is `off` is not reported to code hosts and fails nothing."""
KINDS = ("added", "struck", "amended", "renumbered", "moved", "renamed")
CLASSES = ("alters", "may", "not")
DIRECTIONS = ("narrower", "wider", "different")
ELEMENTS = tuple(
    sorted(
        {*WORDS.values(), *RULES.values(), "answer", "calendar", "case", "cell", "look", "map", "map feature"}
        | {"overlay", "phase", "phrase", "provenance", "roster", "scenario", "sequence", "set-up", "shown", "veiled"}
        | {"style", "title", "unit", "words"}
    )
)
USUAL = {"alters": "warning", "may": "warning", "not": "note"}


@dataclass(frozen=True, slots=True)
class Levels:
    """Levels by what they are given for."""

    case: Mapping[str, str] = field(default_factory=dict)
    element: Mapping[str, str] = field(default_factory=dict)
    kind: Mapping[str, str] = field(default_factory=dict)
    judgement: Mapping[str, str] = field(default_factory=dict)
    default: str = ""

    def of(self, f: Fact, j: Judgement | None) -> str:
        """The level of a fact."""
        cases = [c for c in self.case if any(within(x, c) for x in (f.case, *(i.case for i in f.items)))]
        if cases:
            return self.case[max(cases, key=len)]
        found = self.element.get(f.element) or self.kind.get(f.kind)
        if not found and j is not None and j.play != "not":
            found = self.judgement.get(j.direction)
        if not found and j is not None:
            found = self.judgement.get(j.play)
        return found or self.default or (USUAL[j.play] if j is not None else "note")


def within(case: str, of: str) -> bool:
    """Whether a case is another one or stands below it: 12 takes in 12.1 and 12.5/p2."""
    return case == of or case.startswith((f"{of}.", f"{of}/"))


def failing(words: tuple[str, ...], level: str, j: Judgement | None) -> bool:
    """Whether a fact is among what `--fail-on` names; a level takes in the graver ones."""
    named = [LEVELS.index(w) for w in words if w in LEVELS]
    if level == "off":
        return False
    if named and LEVELS.index(level) <= max(named):
        return True
    return j is not None and (j.play in words or (j.play != "not" and j.direction in words))
