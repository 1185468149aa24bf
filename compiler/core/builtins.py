"""Words of the language that are not declared by a book: geography, units, numbers, time, paths."""

from __future__ import annotations

from dataclasses import dataclass

from .types import FLAG, HEXSIDE, LAYER, MONTH, NUMBER, PATH, PLACE, PLAN, SIDE, TEXT, TURN, UNIT, Type, set_of


@dataclass(frozen=True, slots=True)
class Builtin:
    """A built-in function: parameter types, result, and the columns of the state it reads."""

    params: tuple[Type, ...]
    type: Type
    reads: tuple[str, ...] = ()
    text: str = ""


BUILTINS: dict[str, Builtin] = {
    "hexes": Builtin((), set_of(PLACE), (), "every hex or point of the map"),
    "points": Builtin((), set_of(PLACE), (), "every point of the map"),
    "neighbors": Builtin((PLACE,), set_of(PLACE), (), "the places that touch it"),
    "adjacent": Builtin((PLACE, PLACE), FLAG, (), "whether two places touch"),
    "edge": Builtin((PLACE, PLACE), HEXSIDE, (), "the hexside between two places"),
    "bank": Builtin((HEXSIDE, PLACE), PLACE, (), "the place across a hexside"),
    "sides_of": Builtin((HEXSIDE,), set_of(PLACE), (), "the two places at a hexside"),
    "distance": Builtin((PLACE, PLACE), NUMBER, (), "places from one to the other, as the crow flies"),
    "west_of": Builtin((PLACE, PLACE), FLAG, (), "whether the first place lies farther west than the second"),
    "north_of": Builtin((PLACE, PLACE), FLAG, (), "whether the first place lies farther north than the second"),
    "on_this_map": Builtin(
        (set_of(PLACE),), PLACE, (), "of the hexes that maps share an id for, the one on the map in play"
    ),
    "twin": Builtin((PLACE,), PLACE, (), "of a hex that maps share an id for, the one on the map in play"),
    "linked": Builtin((LAYER, PLACE), set_of(PLACE), (), "the places that a line of this layer joins to it"),
    "links": Builtin((LAYER, PLACE, PLACE), FLAG, (), "whether a line of this layer joins two places"),
    "on_line": Builtin((LAYER, PLACE), FLAG, (), "whether a line of this layer runs through the place"),
    "units": Builtin((SIDE,), set_of(UNIT), ("at", "m_side"), "a side's units on the map"),
    "counters": Builtin((SIDE,), set_of(UNIT), ("m_side",), "all units of a side, wherever they are in play"),
    "all_units": Builtin((), set_of(UNIT), ("at",), "every unit on the map"),
    "units_at": Builtin((PLACE,), set_of(UNIT), ("at",), "the units in a place"),
    "spare": Builtin(
        (PLACE,), Type("prim", "unit", absent=True), ("at",), "the next counter that a pool has to give, if any"
    ),
    "foremost": Builtin(
        (set_of(UNIT),), Type("prim", "unit", absent=True), (), "of some units the first, if there is one"
    ),
    "units_in": Builtin((set_of(PLACE),), set_of(UNIT), ("at",), "the units in several places"),
    "on_map": Builtin((UNIT,), FLAG, ("at",), "whether a unit is on the map"),
    "occupied": Builtin((SIDE,), set_of(PLACE), ("at", "m_side"), "the places on the map that hold a side's units"),
    "places": Builtin((set_of(UNIT),), set_of(PLACE), ("at",), "where these units are"),
    "name": Builtin((UNIT,), TEXT, (), "a unit's name"),
    "up": Builtin((NUMBER,), NUMBER, (), "rounded up"),
    "down": Builtin((NUMBER,), NUMBER, (), "rounded down"),
    "nearest": Builtin((NUMBER,), NUMBER, (), "rounded to the nearest, halves up"),
    "odd": Builtin((NUMBER,), FLAG, (), "whether a whole number is odd"),
    "turns": Builtin((), Type("list", of=TURN), (), "every turn of the calendar, in order"),
    "year": Builtin((TURN,), NUMBER, (), "the year of a turn"),
    "month": Builtin((TURN,), MONTH, (), "the month (or pair of months) of a turn"),
    "turn_number": Builtin((TURN,), NUMBER, (), "1 for the first turn"),
    "turn_after": Builtin((TURN, NUMBER), Type("prim", "turn", absent=True), (), "the turn so many turns later"),
    "first": Builtin((NUMBER, PATH), set_of(PLACE), (), "the first places that a path enters"),
    "last": Builtin((PATH,), PLACE, (), "where a path ends"),
    "start": Builtin((PATH,), PLACE, (), "where a path begins"),
    "length": Builtin((PATH,), NUMBER, (), "how many places a path enters"),
    "steps": Builtin((PATH,), Type("list", of=PLACE), (), "the places of a path, its start included"),
    "winner": Builtin(
        (), Type("kind", "side", absent=True), (), "who has won; nobody while the game goes on, or when nobody did"
    ),
    "placed": Builtin((PLAN,), set_of(UNIT), (), "the items that a plan assigns"),
}
