"""Positions to draw: the counters of a scenario or of a saved game, with their fields and marks.

In:  the book in the core; the name of a scenario, units by place, or a program and its state.
Out: a `Position`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.runtime.program import Program, printed_id
from rulewright.runtime.state import State

from ...core import nodes as c
from .sheet import Piece, Position


def pieces(book: c.Book) -> dict[str, dict[str, Any]]:
    """What each counter prints, by the name of the unit; a field without a line has its usual value."""
    usual = {name: f.default for (owner, name), f in book.fields.items() if owner == "unit" and plain(f.default)}
    return {u.name: {**usual, **u.fields} for u in book.units}


def plain(value: Any) -> bool:
    return isinstance(value, str | int | bool) and value is not False


def standing(book: c.Book, units: Mapping[str, Sequence[str]]) -> Position:
    """Units by place, with what they print."""
    known = pieces(book)
    return Position(
        units={
            place: [Piece(name=name, fields=known.get(name, {})) for name in names] for place, names in units.items()
        }
    )


def starting(book: c.Book, scenario: str) -> Position:
    """The set-up of a scenario, as far as it is fixed."""
    units: dict[str, list[str]] = {}
    for unit, place in book.scenarios[scenario].units.items():
        units.setdefault(printed_id(place), []).append(unit)
    return standing(book, units)


def position_of(book: c.Book, program: Program, state: State) -> Position:
    """A position of a game: who stands where, and the marks on units and hexes."""
    known = pieces(book)
    units: dict[str, list[Piece]] = {}
    marks: dict[str, dict[str, Any]] = {}
    on_units: dict[int, dict[str, Any]] = {}
    for column in program.columns:
        name = column.name.partition("_")[2]
        for owner, value in state.each(column):
            if column.sort == "unit" and (value != column.start or name == "side"):
                on_units.setdefault(owner, {})[name] = value
            elif column.sort == "place" and value != column.start and owner < program.board.hexes:
                marks.setdefault(name, {})[printed_id(program.board.places[owner])] = value
    for u, at in enumerate(state.at):
        if at is not None and at < program.board.hexes:
            name = program.units[u]
            piece = Piece(name=name, fields={**known.get(name, {}), **on_units.get(u, {})})
            units.setdefault(printed_id(program.board.places[at]), []).append(piece)
    return Position(units=units, marks=marks)
