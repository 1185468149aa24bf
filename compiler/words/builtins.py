"""English phrases for built-in functions; a slot is the number of an argument.

`place` in a phrase is the book's word for a place of its map: hex or point.
"""

from __future__ import annotations

VALUES: dict[str, tuple[str, bool]] = {
    "hexes": ("the places of the map", True),
    "points": ("the points of the map", True),
    "neighbors": ("the places next to {p0}", True),
    "edge": ("the side between {p0} and {p1}", False),
    "bank": ("the place across {p0} from {p1}", False),
    "sides_of": ("the two places at {p0}", True),
    "distance": ("the distance from {p0} to {p1}", False),
    "linked": ("the places that {p0} joins to {p1}", True),
    "units": ("the units of {p0} on the map", True),
    "counters": ("all units of {p0}", True),
    "all_units": ("the units on the map", True),
    "units_at": ("the units in {p0}", True),
    "units_in": ("the units in {p0}", True),
    "spare": ("the next counter of {p0}", False),
    "occupied": ("the places that hold units of {p0}", True),
    "places": ("the places of {p0}", True),
    "name": ("the name of {p0}", False),
    "up": ("{p0}, rounded up", False),
    "down": ("{p0}, rounded down", False),
    "nearest": ("{p0}, rounded to the nearest", False),
    "turns": ("the turns of the game", True),
    "year": ("the year of {p0}", False),
    "month": ("the month of {p0}", False),
    "turn_number": ("the number of {p0}", False),
    "turn_after": ("the turn that comes {p1} after {p0}", False),
    "first": ("the first {p0} places that {p1} enters", True),
    "last": ("the end of {p0}", False),
    "start": ("the start of {p0}", False),
    "length": ("the length of {p0}", False),
    "steps": ("the places of {p0}", True),
    "winner": ("the winner", False),
    "placed": ("what {p0} places", True),
    "targets": ("the targets of {p0}", True),
    "assigned": ("what {p0} assigns to {p1}", True),
    "share": ("the share of {p1} in {p0}", False),
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
