"""What lies on the table before one side: counters, marks, boxes, the panel, as plain data.

In:  a game on which what the side may not see is blinded, the side ("" looks on), and the pictures of the book.
Out: the scene. It is built from an allow-list; what is not named here is not sent.
"""

from __future__ import annotations

from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.telling.panel import panel
from rulewright.runtime.telling.secrecy import may_see, rests_on_secrets, shut
from rulewright.runtime.telling.words import capital, phase_words

from .pictures import Pictures

TURNS = 8
"""How many turns of the record are shown."""

def scene(seen: Game, side: str, pictures: Pictures) -> dict[str, Any]:
    """The position as the side may see it."""
    S = seen.state
    return {
        "units": counters(seen, side, pictures),
        "hidden": hidden(seen, side),
        "marks": marks(seen, side, pictures),
        "held": held(seen, pictures),
        "panel": [list(row) for row in panel(seen, side)],
        "turns": turn_record(seen, side),
        "phases": [capital(phase_words(seen.program, p)) for p in S.phases[-3:]],
        "over": seen.over,
        "winner": S.winner,
    }


def turn_record(seen: Game, side: str) -> list[list[Any]]:
    """The turns round the one in play: each with whether it is past, in play or to come; none where none is bound."""
    S, turns = seen.state, seen.program.turns
    bound = [b for b, type_ in seen.program.bindings.items() if type_ == "turn"]
    now = next((getattr(S, f"bind_{b}") for b in bound if not rests_on_secrets(S, f"bind_{b}", side)), None)
    if now is None or not 0 <= now < len(turns):
        return []
    first = max(0, min(now - 1, len(turns) - TURNS))
    return [[name, (i > now) - (i < now)] for i, (name, *_) in enumerate(turns[first : first + TURNS], first)]


def counters(seen: Game, side: str, pictures: Pictures) -> list[list[int]]:
    """Unit, place and face of every counter that can be seen, those of a stack in their order."""
    S, board = seen.state, seen.program.board
    on_units: dict[int, dict[str, Any]] = {}
    for column in seen.program.columns:
        if column.sort != "unit":
            continue
        name = column.name.partition("_")[2]
        for unit, value in S.each(column):
            if (value != column.start or name == "side") and may_see(S, column, unit, side):
                on_units.setdefault(unit, {})[name] = value
    found = []
    for place, units in enumerate(S.here):
        if units and place not in board.pools and not shut(board, place, side):
            if place < board.hexes and place not in pictures.spots:
                continue
            found += [[u, place, pictures.face(u, on_units.get(u, {}))] for u in units]
    return found


def hidden(seen: Game, side: str) -> list[list[int]]:
    """How many counters lie in each place that the side cannot see into, where that is counted."""
    board, here = seen.program.board, seen.state.here
    closed = sorted({*board.cups, *board.seen_by} - board.uncounted - board.pools)
    return [[p, len(here[p])] for p in closed if shut(board, p, side) and here[p]]


def marks(seen: Game, side: str, pictures: Pictures) -> list[list[Any]]:
    """The marks of hexes that have a sign: place, and the sign as a piece of SVG."""
    S = seen.state
    found: list[list[Any]] = []
    taken: dict[int, int] = {}
    for column in seen.program.columns:
        if column.sort != "place":
            continue
        name = column.name.partition("_")[2]
        for place, value in S.each(column):
            if value == column.start or place not in pictures.spots or not may_see(S, column, place, side):
                continue
            drawn = pictures.mark(name, value, taken.get(place, 0))
            if drawn:
                taken[place] = taken.get(place, 0) + 1
                found.append([place, drawn])
    return found


def held(seen: Game, pictures: Pictures) -> list[list[Any]]:
    """Who holds each town, where the book says so."""
    facts = pictures.facts
    towns = [p for p in pictures.spots if facts.city(p) is not None]
    found = ((p, facts.holder(seen, p)) for p in towns)
    return [[p, side] for p, side in found if side is not None]
