"""The books that are offered, and whether a mix of overlays goes together.

In:  the names of the books.
Out: their titles, scenarios and overlays; a rule set that was loaded, or in words why there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.compiler.cli.books import listed
from rulewright.compiler.loader import Loaded, NotCompiled, load
from rulewright.compiler.players import words_for
from rulewright.compiler.read.library import known_books
from rulewright.runtime.problems import Refusal

from .links import PERSON

MOST_REASONS = 4


@dataclass(frozen=True, slots=True)
class Offer:
    """A book that can be played: its name, and how it is listed."""

    name: str
    told: dict[str, Any]


def offers(names: Sequence[str]) -> list[Offer]:
    """The books with something to play; named ones in the order in which they are named."""
    found = []
    for name in names or known_books():
        book, *overlays = name.split("+")
        told = listed(book)
        if told is not None and (told["scenarios"] or any(o["scenarios"] for o in told["overlays"])):
            found.append(Offer(name, {**told, "ticked": overlays}))
    return found


def rules_of(offer: Offer, ticked: Sequence[str]) -> str:
    """The name of a book with some of its overlays; only those that are listed can be ticked."""
    known = {o["call"]: o for o in offer.told["overlays"]}
    wrong = [x for x in ticked if x not in known]
    if wrong:
        raise Refusal("there is no such overlay")
    book, *own = offer.name.split("+")
    return "+".join([book, *own, *(x for x in known if x in ticked and x not in own)])


def mix(rules: str) -> dict[str, Any]:
    """What a rule set has to play with, or why it does not go together."""
    try:
        loaded = load(rules)
    except NotCompiled as refused:
        told = [d for d in refused.diagnostics if d.severity == "error"]
        reasons = [f"{d.message}" + (f" ({d.help})" if d.help else "") for d in told[:MOST_REASONS]]
        more = f"and {len(told) - MOST_REASONS} more" if len(told) > MOST_REASONS else ""
        return {"rules": rules, "refused": [x for x in (*reasons, more) if x]}
    except Refusal as refused:
        return {"rules": rules, "refused": [str(refused)]}
    program = loaded.program
    return {
        "rules": rules,
        "sides": [
            {"side": s, "name": side_name(loaded, s), "players": [PERSON, *words_for(loaded, s)]} for s in program.sides
        ],
        "scenarios": [{"scenario": k, "title": x.title or k} for k, x in program.scenarios.items()],
        "readings": {name: list(words) for name, words in program.readings.items()},
    }


def side_name(loaded: Loaded, side: str) -> str:
    from rulewright.runtime.telling.words import heading

    return heading(loaded.program, "kind:side", side)
