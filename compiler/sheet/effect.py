"""What changes do to play, in sentences.

In:  the judgements of facts.
Out: sentences that claim what the judgements have proved or seen and no more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..diff.facts import Fact
from ..diff.judge import Judgement
from .printed import spaced

WAYS = {"narrower": "less is allowed than before", "wider": "more is allowed than before"}
WINS = {"narrower": "harder", "wider": "easier"}
SIDE = re.compile(r"\w+")
RANK = {"alters": 0, "may": 1, "not": 2}
COUNT = re.compile(r" \(\d+ tried\)")
NOTHING = re.compile(r"\b(not )?nothing\Z")
TRIED = re.compile(r"no witness found \((\d+) positions? tried\)")
LATE = re.compile(r"no witness found \(not finished in (\S+) seconds\)")


@dataclass(frozen=True, slots=True)
class Effect:
    """What one change does to play; `seen` says what was tried where it may alter play, or why it does not."""

    play: str
    way: str
    seen: str
    whom: str


def effect(f: Fact, j: Judgement, sides: Mapping[str, str]) -> Effect:
    """The effect of a fact; `sides` are the names of the sides in words."""
    if j.play == "not":
        return Effect("not", "", spaced(j.reason), "")
    seen = evidence(j.evidence) if j.play == "may" else ""
    return Effect(j.play, way_of(j, sides), seen, whom(f, j, sides))


def said(effects: Sequence[Effect]) -> tuple[str, ...]:
    """The effects of several changes as sentences: what is alike is said once, with how many it holds of."""
    felt = [x for x in effects if x.play != "not"]
    groups: dict[tuple[str, str], list[Effect]] = {}
    for x in sorted(felt or effects, key=lambda x: RANK[x.play]):
        groups.setdefault((x.play, x.way), []).append(x)
    return tuple(sentence(play, way, several, len(effects)) for (play, way), several in groups.items())


def sentence(play: str, way: str, several: Sequence[Effect], total: int) -> str:
    part = "" if len(several) == total else f" ({len(several)} of {total})"
    seen = list(dict.fromkeys(x.seen for x in several if x.seen))
    if play == "not":
        return f"Does not alter play{part}: {'; '.join(seen)}."
    found = [way] if way else []
    if play == "may":
        found = [f"if so, {way}"] if way else []
        found += seen if len(seen) == 1 else dict.fromkeys(COUNT.sub("", x) for x in seen)
    text = f"{'Alters' if play == 'alters' else 'May alter'} play{part}"
    link = ": " if play == "alters" else "; "
    concerned = {x.whom for x in several}
    about = f" Concerns {concerned.pop()}." if len(concerned) == 1 and "" not in concerned else ""
    return f"{text}{link if found else ''}{'; '.join(found)}.{about}"


def way_of(j: Judgement, sides: Mapping[str, str]) -> str:
    """The direction with how it is known; nothing where values are merely others."""
    if j.direction not in WAYS:
        return ""
    side = j.concerns.wins.removeprefix("for ")
    told = f"it gets {WINS[j.direction]} for {sides.get(side, spaced(side))} to win" if side else WAYS[j.direction]
    only = f"; only “{j.but}” may come {'later' if j.direction == 'wider' else 'sooner'}" if j.but else ""
    return f"{told} ({j.certainty}{only})" if j.certainty else told


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
    told = spaced(", ".join(x for x in parts if not NOTHING.search(x)))
    if w.phases:
        told += f"{', ' if told else ''}the {spaced(' and '.join(w.phases))}"
    return told
