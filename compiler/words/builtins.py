"""English phrases for built-in functions; a slot is the number of an argument.

`place` in a phrase is the book's word for a place of its map: hex or point.
"""

from __future__ import annotations

VALUES: dict[str, str] = {
    "hexes": "the places of the map",
    "points": "the points of the map",
    "neighbors": "the places next to {p0}",
    "edge": "the side between {p0} and {p1}",
    "bank": "the place across {p0} from {p1}",
    "sides_of": "the two places at {p0}",
    "distance": "the distance from {p0} to {p1}",
    "linked": "the places that {p0} joins to {p1}",
    "units": "the units of {p0} on the map",
    "counters": "the counters of {p0}",
    "all_units": "the units on the map",
    "units_at": "the units in {p0}",
    "units_in": "the units in {p0}",
    "spare": "the next counter of {p0}",
    "foremost": "the first of {p0}",
    "occupied": "the places that hold units of {p0}",
    "places": "the places of {p0}",
    "name": "the name of {p0}",
    "up": "{p0}, rounded up",
    "down": "{p0}, rounded down",
    "nearest": "{p0}, rounded to the nearest",
    "turns": "the turns of the game",
    "on_this_map": "{p0}",
    "year": "the year of {p0}",
    "month": "the month of {p0}",
    "turn_number": "the number of {p0}",
    "turn_after": "the turn that comes {p1} after {p0}",
    "first": "the first {p0} places that {p1} enters",
    "last": "the end of {p0}",
    "start": "the start of {p0}",
    "length": "the length of {p0}",
    "steps": "the places of {p0}",
    "winner": "the winner",
    "placed": "all that {p0} assigns",
    "targets": "the targets of {p0}",
    "assigned": "what {p0} assigns to {p1}",
    "share": "the share of {p1} in {p0}",
}

FLAGS: dict[str, str] = {
    "adjacent": "{p0} is next to {p1}",
    "west_of": "{p0} lies west of {p1}",
    "north_of": "{p0} lies north of {p1}",
    "links": "{p0} joins {p1} and {p2}",
    "on_line": "{p0} runs through {p1}",
    "on_map": "{p0} is on the map",
    "odd": "{p0} is odd",
}
