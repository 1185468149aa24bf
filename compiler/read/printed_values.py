"""Read printed values: the text of a cell, a roster line or a scenario as a value of a known type.

In:  a text, the type it must have, and the symbols.
Out: the value as the core holds it; None where it is malformed.
Reports: RW123 a value of another type, RW132 an unknown place.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from rulewright.dsl.diagnostics import Reporter, did_you_mean
from rulewright.dsl.source import Span

from ..core.types import FLAG, NUMBER, PLACE, RATIO, TEXT, TURN, Type
from .symbols import Symbols

ANY = "any"
"""A value of a field: where maps share the hex, it is the one on the map in play."""


def read_value(text: str, type: Type, span: Span, symbols: Symbols, report: Reporter, on: str = "") -> Any:
    """A printed value of a known type; a scenario says on which map it stands, a field may stand on any."""
    book = symbols.book
    text = text.strip()
    if type.of is not None:
        return tuple(read_value(x, type.of, span, symbols, report, on) for x in text.split(",") if x.strip())
    if type.absent and text in ("-", "", "none", "nothing", "never", "nobody", "nowhere"):
        return None
    if type == NUMBER or type.name in ("number", "ratio"):
        if re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            return int(text)
        if re.fullmatch(r"[+-]?[0-9]{1,9}/[1-9][0-9]{0,8}", text):
            value = Fraction(text)
            return int(value) if value.denominator == 1 else value
        if type == RATIO and re.fullmatch(r"[0-9]{1,4}:[0-9]{1,4}", text):
            left, right = text.split(":")
            return Fraction(int(left), int(right))
    elif type == FLAG:
        if text in ("yes", "true", "no", "false", ""):
            return text in ("yes", "true", "")
    elif type.sort == "kind":
        if text in book.kinds.get(type.name, ()):
            return text
        report.error(
            "RW123",
            span,
            f'"{text}" is no {type.name}',
            help=did_you_mean(text, book.kinds.get(type.name, ()))
            or "its values: " + ", ".join(book.kinds.get(type.name, ())),
        )
        return None
    elif type.sort == "scale":
        if text in book.scales.get(type.name, ()):
            return book.scales[type.name].index(text)
    elif type.plain == TEXT:
        return text
    elif type.plain == PLACE:
        name = text.removeprefix("@")
        found = symbols.place(name, on)
        if name in symbols.shared and not on:
            several_hexes(name, symbols, span, report)
        if isinstance(found, int):
            return found
        unknown_place(name, symbols, span, report)
        return None
    elif type.plain == TURN and book.calendar is not None:
        labels = [label for label, _, _ in book.calendar.turns]
        if text in labels:
            return labels.index(text)
    elif type.name == "month" and book.calendar is not None and text in book.calendar.months:
        return text
    elif type.name == "unit" and text.strip('"') in symbols.units:
        return symbols.units[text.strip('"')]
    elif type.sort == "record":
        return read_record(text, type, span, symbols, report)
    report.error("RW123", span, f'"{text}" is no {type}', help=f"a {type} is needed here")
    return None


def read_record(text: str, type: Type, span: Span, symbols: Symbols, report: Reporter) -> Any:
    """A cell that holds several values, such as `snow -3`; a number left out is 0, a flag no, a set empty."""
    words = text.split()
    members = symbols.book.records[type.name]
    values = []
    for i, (name, member) in enumerate(members):
        if i < len(words):
            values.append(read_value(words[i], member, span, symbols, report))
        else:
            values.append(0 if member == NUMBER else False if member == FLAG else () if member.many else None)
            if not (member in (NUMBER, FLAG) or member.many or member.absent):
                report.error(
                    "RW123",
                    span,
                    f'"{text}" leaves out the part "{name}" of a {type.name}',
                    help=f"its parts: {', '.join(m for m, _ in members)}; only numbers, flags and sets may be left out",
                )
    if len(words) > len(members):
        report.error(
            "RW123",
            span,
            f'"{text}" has more parts than a {type.name}',
            help="its parts: " + ", ".join(m for m, _ in members),
        )
    return tuple(values)


def unknown_place(name: str, symbols: Symbols, span: Span, report: Reporter) -> None:
    report.error(
        "RW132",
        span,
        f'there is no place "{name}"',
        help=did_you_mean(name, [*symbols.places, *symbols.names]) or "check the map's hexes",
    )


def several_hexes(name: str, symbols: Symbols, span: Span, report: Reporter) -> None:
    """What is printed holds on every map, so that it cannot be a hex that each of them has for itself."""
    report.error(
        "RW709",
        span,
        f'"{name}" is a hex of several maps: {", ".join(symbols.shared[name])}',
        help="let a definition give it, or a field: there it means the hex of the map in play",
    )


def off_map(place: str, other: str, on: str, span: Span, report: Reporter) -> None:
    report.error(
        "RW710",
        span,
        f'"{place}" is on the map {other}, and this is played on {on}',
        help=f"choose a place of {on}, or write map: {other} in the scenario, given map {other} in the example",
    )
