"""Printed columns: what the counters, hexes and hexsides of a book print, field by field."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from . import nodes as c
from .types import ABSENT, Type


def column(book: c.Book, owner: str, field: c.FieldDecl) -> Any:
    """One printed field: by unit, by place, or by key."""
    default = field.default
    if owner == "unit":
        return tuple(u.fields.get(field.name, default) for u in book.units)
    if owner == "place":
        return place_column(book, field)
    if owner == "hexside":
        return side_column(book, field)
    return {}


def homes(book: c.Book) -> dict[int, int]:
    """The counters that begin in a pool, each with that place: they are there unless something else is said."""
    pools = {place for name, box in book.boxes.items() if box.sort == "pool" for place in box.named(name)}
    return {i: book.places.index(u.start) for i, u in enumerate(book.units) if u.start in pools}


def place_column(book: c.Book, field: c.FieldDecl) -> tuple[Any, ...]:
    values: list[Any] = [field.default] * len(book.places)
    if book.map is not None:
        index = {h: i for i, h in enumerate(book.places)}
        for name, value in book.map.fields.get(field.name, {}).items():
            if name in index:
                values[index[name]] = printed_value(value, field.type, book.scales)
        if field.type.name == "flag" and field.name in book.map.lines:
            for _, chain in book.map.lines[field.name]:
                for name in chain:
                    if name in index:
                        values[index[name]] = True
    return tuple(values)


def side_column(book: c.Book, field: c.FieldDecl) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    if book.map is None:
        return found
    index = {h: i for i, h in enumerate(book.places)}
    for one, other in book.map.sides.get(field.name, ()):
        if one in index and other in index:
            found[tuple(sorted((index[one], index[other])))] = True
    if field.type.name == "flag" and field.name in book.map.lines:
        for _, chain in book.map.lines[field.name]:
            for one, other in itertools.pairwise(chain):
                if one in index and other in index:
                    found[tuple(sorted((index[one], index[other])))] = True
    return dict(sorted(found.items()))


def printed_value(
    value: str | bool, type: Type, scales: Mapping[str, tuple[str, ...]]
) -> str | bool | int | Fraction | None:
    """What a map prints, as a value of the field's type; `check_map` has found it fit."""
    if isinstance(value, bool):
        return value
    if type.absent and value in ABSENT:
        return None
    if type.name in ("number", "ratio"):
        exact = Fraction(value)
        return int(exact) if exact.denominator == 1 else exact
    return scales[type.name].index(value) if type.sort == "scale" else value
