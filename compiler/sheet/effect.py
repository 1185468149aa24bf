"""What a change does to play, in a sentence.

In:  the judgement of a fact.
Out: a sentence that claims what the judgement has proved or seen and no more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..diff.facts import Fact
from ..diff.judge import Judgement
from .printed import spaced

WAYS = {"narrower": "less is allowed than before", "wider": "more is allowed than before"}
WINS = {"narrower": "harder", "wider": "easier"}
SIDE = re.compile(r"\w+")
TRIED = re.compile(r"no witness found \((\d+) positions? tried\)")
LATE = re.compile(r"no witness found \(not finished in (\S+) seconds\)")


def effect(f: Fact, j: Judgement, sides: Mapping[str, str]) -> str:
    """The sentence; `sides` are the names of the sides in words."""
    if j.play == "not":
        return f"Does not alter play: {spaced(j.reason)}."
    way = way_of(j, sides)
    if j.play == "alters":
        said = "Alters play" + (f": {way}" if way else "")
    else:
        found = evidence(j.evidence)
        said = "May alter play" + (f"; if so, {way}" if way else "") + (f"; {found}" if found else "")
    concerned = whom(f, j, sides)
    return f"{said}." + (f" Concerns {concerned}." if concerned else "")


def way_of(j: Judgement, sides: Mapping[str, str]) -> str:
    """The direction with how it is known; nothing where values are merely others."""
    if j.direction not in WAYS:
        return ""
    side = j.concerns.wins.removeprefix("for ")
    said = f"it gets {WINS[j.direction]} for {sides.get(side, spaced(side))} to win" if side else WAYS[j.direction]
    return f"{said} ({j.certainty})" if j.certainty else said


def evidence(text: str) -> str:
    if found := TRIED.fullmatch(text):
        return f"no position was found that shows it ({found[1]} tried)"
    if late := LATE.fullmatch(text):
        return f"the search for a position ended after {late[1]} seconds"
    return spaced(text)


def whom(f: Fact, j: Judgement, sides: Mapping[str, str]) -> str:
    """The limits that every clause of the changed rule names; of a counter only its side, for the line names it."""
    w = j.concerns
    named = [SIDE.sub(lambda m: sides.get(m[0], m[0]), x) for x in w.sides]
    units = [f"units: {'; '.join(w.units)}"] if w.units else []
    parts = named if f.element in ("unit", "set-up") else [*named, *units, *w.turns, *w.conditions]
    said = spaced(", ".join(parts))
    if w.phases:
        said += f"{', ' if said else ''}the {spaced(' and '.join(w.phases))}"
    return said
