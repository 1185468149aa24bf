"""The notation of values: each has one text, the literal that the rules language has for it.

In:  a value, and its type as the compiled book names it (`set:unit`, `record:battle`, `plan:unit|place`).
Out: its text. `Reader` (reading.py) reads it back to the same value, and so does the language's own parser where that
     type is expected; logs, choices, `why`, examples, witnesses and diffs all print through `show`.

`label` is the shorter text of one thing in a list or a sentence, where no quotes are needed: `47 Panzer`, `T14`.

Limits: numbers of more than 18 digits, other than `unlimited`, can be printed but not read. Shares whose members have
no known type print them as they are held.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

from .program import Program, printed_id
from .values import LARGEST

HEX = re.compile(r"[A-Za-z0-9]{1,32}(?:\.[0-9]{1,6})?(?:/[A-Za-z0-9]{1,32}(?:\.[0-9]{1,6})?){0,3}\Z")
"""A place, or two joined by a stroke, that may follow `@` (the same as HEX in dsl/rulewright.lark)."""
MOST_RATIO = 9_999
ABSENT = ("nothing", "nobody", "nowhere", "never", "none")
"""What stands for no value; `nothing`, unless a kind has that word."""


class Places(Protocol):
    """The names of places, hexes first."""

    @property
    def places(self) -> tuple[str, ...]: ...
    @property
    def hexes(self) -> int: ...


class Names(Protocol):
    """What printing needs to know: a compiled program does, and so does a book in the core."""

    @property
    def units(self) -> tuple[str, ...]: ...
    @property
    def board(self) -> Places: ...
    @property
    def place_index(self) -> Mapping[str, int]: ...
    @property
    def scales(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def turns(self) -> tuple[tuple[str, int, str], ...]: ...
    @property
    def records(self) -> Mapping[str, tuple[tuple[str, str], ...]]: ...
    def words(self, kind: str) -> tuple[str, ...]: ...


def show(names: Names, type: str, value: Any) -> str:
    """A value as the language writes it."""
    head, _, rest = type.partition(":")
    if value is None:
        words = names.words(rest) if head == "kind" else ()
        return next(x for x in ABSENT if x not in words)
    match head:
        case "unit":
            return f'"{names.units[value]}"'
        case "place":
            return place(names, value)
        case "number":
            return number(value)
        case "flag":
            return "true" if value else "false"
        case "kind" | "month" | "phase" | "layer":
            return str(value)
        case "scale":
            return step(names, rest, value)
        case "turn":
            return turn(names, value)
        case "set":
            return several(names, rest, value)
        case "list" | "path":
            return "[" + ", ".join(show(names, rest or "place", v) for v in value) + "]"
        case "record":
            parts = zip(names.records[rest], value, strict=True)
            return f"{rest}(" + ", ".join(f"{name}: {show(names, of, v)}" for (name, of), v in parts) + ")"
        case "hexside":
            return hexside(names, value)
        case "ratio":
            return ratio(value)
        case "text":
            return f'"{value}"'
        case "shares":
            return "{" + ", ".join(f"{show(names, rest, m)}: {number(n)}" for m, n in value) + "}"
        case "plan":
            item, _, target = rest.partition("|")
            pairs = (f"{group(names, item, items)} to {group(names, target, goals)}" for goals, items in value)
            return "{" + ", ".join(pairs) + "}"
        case _:
            return untyped(names, value)


def label(names: Names, type: str, value: Any) -> str:
    """A value as it is named in a list or a sentence, without the signs that only a reader of text needs."""
    head, _, rest = type.partition(":")
    match head:
        case _ if value is None:
            return "nothing"
        case "unit":
            return str(names.units[value])
        case "place":
            return printed_id(names.board.places[value])
        case "hexside" | "path":
            return ("/" if head == "hexside" else ">").join([printed_id(names.board.places[p]) for p in value])
        case "flag":
            return "yes" if value else "no"
        case "text":
            return str(value)
        case "set" | "list":
            opening, closing = "{}" if head == "set" else "[]"
            return opening + ", ".join(label(names, rest, v) for v in value) + closing
        case _:
            return show(names, type, value)


def several(names: Names, type: str, values: tuple[Any, ...]) -> str:
    return "{" + ", ".join(show(names, type, v) for v in values) + "}"


def group(names: Names, type: str, values: tuple[Any, ...]) -> str:
    """Members of a plan: one as it is, several in braces; one that is itself a set needs them too."""
    return show(names, type, values[0]) if len(values) == 1 and not braced(type) else several(names, type, values)


def braced(type: str) -> bool:
    """Whether values of a type stand in braces themselves."""
    return type.startswith(("set", "plan", "shares"))


# ---------------------------------------------------------------- single values


def number(value: Any) -> str:
    if abs(value) == LARGEST:
        return "unlimited" if value > 0 else "-unlimited"
    return str(value)


PARTS = {
    (1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾", (1, 5): "⅕", (2, 5): "⅖", (3, 5): "⅗", (4, 5): "⅘",
    (1, 6): "⅙", (5, 6): "⅚", (1, 8): "⅛", (3, 8): "⅜", (5, 8): "⅝", (7, 8): "⅞",
}  # fmt: skip


def spoken(value: Any) -> str:
    """A number as print has it for a reader: 4½ for nine halves, 1 3/7 where no such sign is."""
    top, bottom = abs(value.numerator), value.denominator
    if bottom == 1 or top >= LARGEST:
        return number(value)
    whole, rest = divmod(top, bottom)
    part = PARTS.get((rest, bottom))
    text = f"{whole or ''}{part}" if part else f"{whole} {rest}/{bottom}" if whole else f"{rest}/{bottom}"
    return f"-{text}" if value < 0 else text


def ratio(value: Any) -> str:
    """A quotient as odds are written; one of long numbers as a fraction."""
    top, bottom = value.numerator, value.denominator
    return f"{top}:{bottom}" if max(abs(top), bottom) <= MOST_RATIO else number(value)


def place(names: Names, value: int) -> str:
    """A hex with its sign; a box by its name alone."""
    name = printed_id(names.board.places[value])
    return f"@{name}" if value < names.board.hexes and HEX.match(name) else name


def hexside(names: Names, value: tuple[int, ...]) -> str:
    """`@A1/A2`; by a call where that would mean something else."""
    one, other = value
    places = names.board.places
    ends = printed_id(places[one]), printed_id(places[other])
    text = "/".join(ends)
    read = sides_of(names.place_index, text) if max(value) < names.board.hexes and HEX.match(text) else None
    if read is not None and {printed_id(places[p]) for p in read} == {*ends}:
        return f"@{text}"
    return f"edge({place(names, one)}, {place(names, other)})"


def sides_of(places: Mapping[str, int], text: str) -> tuple[int, ...] | None:
    """The two places that `A1/A2` names, each of which may hold strokes itself; None where it is one place, or none."""
    if text in places:
        return None
    parts = text.split("/")
    pairs = (("/".join(parts[:i]), "/".join(parts[i:])) for i in range(1, len(parts)))
    return next((tuple(sorted((places[a], places[b]))) for a, b in pairs if a in places and b in places), None)


def step(names: Names, scale: str, value: int) -> str:
    """A step of a scale; what lies below all of them, by the lowest."""
    steps = names.scales[scale]
    if 0 <= value < len(steps):
        return steps[value]
    return f"below {steps[0]}" if steps[0][:1].isdigit() else f"on_scale({scale}, -1)"


def turn(names: Names, value: int) -> str:
    """A turn as the calendar prints it; one beyond the calendar, counted from its end."""
    turns = names.turns
    if not turns:
        return str(value)
    if 0 <= value < len(turns):
        return turns[value][0]
    near = 0 if value < 0 else len(turns) - 1
    return f"turn_after({turns[near][0]}, {value - near})"


def untyped(names: Names, value: Any) -> str:
    """A value of which nothing is known, as it is held."""
    match value:
        case tuple():
            return "[" + ", ".join(show(names, "", v) for v in value) + "]"
        case bool():
            return "true" if value else "false"
        case int() | Fraction():
            return number(value)
        case _:
            return str(value)


# ---------------------------------------------------------------- form


def units_named(program: Program, type: str, value: Any) -> list[int]:
    """The units that a value names, whatever holds them."""
    head, _, rest = type.partition(":")
    match head:
        case _ if value is None:
            return []
        case "unit":
            return [value]
        case "set" | "list":
            return [u for v in value for u in units_named(program, rest, v)]
        case "record":
            members = zip(program.records[rest], value, strict=True)
            return [u for (_, of), v in members for u in units_named(program, of, v)]
        case "shares":
            return [u for v, _ in value for u in units_named(program, rest, v)]
        case "plan":
            item, _, target = rest.partition("|")
            goals = (u for x, _ in value for u in units_named(program, f"set:{target}", x))
            return [*goals, *(u for _, x in value for u in units_named(program, f"set:{item}", x))]
        case _:
            return []


def of_type(program: Program, type: str, value: Any) -> bool:
    """Whether a value has the form of its type; what is merely equal (True to 1, 2.0 to 2) has not."""
    head, _, rest = type.partition(":")
    kind, member = value.__class__, {"path": "place", "hexside": "place"}.get(head, rest)
    match head:
        case _ if value is None:
            return True
        case "set" | "list" | "path" | "hexside":
            return kind is tuple and all(of_type(program, member, v) for v in value)
        case "record":
            members = program.records[rest]
            whole = kind is tuple and len(value) == len(members)
            return whole and all(of_type(program, of, v) for (_, of), v in zip(members, value, strict=True))
        case "shares" | "plan" if rest:
            first, _, second = rest.partition("|")
            parts = (f"set:{second}", f"set:{first}") if second else (first, "number")
            pairs = kind is tuple and all(v.__class__ is tuple and len(v) == 2 for v in value)
            return pairs and all(of_type(program, *x) for v in value for x in zip(parts, v, strict=True))
        case "unit" | "place":
            return kind is int and 0 <= value < len(program.units if head == "unit" else program.board.places)
        case "number" | "ratio":
            whole = kind is int or (kind is Fraction and value.denominator != 1)
            return whole and max(abs(value.numerator), value.denominator) < LARGEST
        case "kind":
            return kind is str and value in program.words(rest)
        case "flag" | "turn" | "scale":
            return kind is (bool if head == "flag" else int)
    return kind in (int, str, bool) or (kind is tuple and all(of_type(program, "", v) for v in value))
