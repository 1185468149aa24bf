"""Elaborate literals: numbers, ratios, steps of scales, dates, hexes and the names of units in quotes.

In:  a literal and the type that its place hints at: `3:1` is a step where a scale is wanted, else a ratio.
Out: a constant of the core.
Reports: RW201 no step of the scale, RW214 unknown unit, RW215 unknown hex, RW216 unknown date.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import choose, did_you_mean
from rulewright.dsl.source import Span
from rulewright.runtime.notation import sides_of

from ...core import types as t
from ...core.maps import ends_of
from ...core.nodes import BuiltinCall, Const, Expr
from ...core.types import Type
from .context import Context


def literal(on: Context, node: n.Literal, expected: Type | None) -> Expr:
    value = node.value
    match node.sort:
        case "number":
            if expected is not None and expected.sort == "scale":
                return scale_step(on, str(value), expected, node.span)
            return on.const(value, t.NUMBER, node.span)
        case "ratio":
            if expected is not None and expected.sort == "scale":
                return scale_step(on, node.span.text, expected, node.span)
            return on.const(plain(value), t.RATIO, node.span)
        case "flag":
            return on.const(value, t.FLAG, node.span)
        case "dice":
            return on.const(value, t.DICE, node.span)
        case "below":
            return below_scale(on, str(value), expected, node.span)
        case "date":
            return date_literal(on, str(value), node.span)
        case "hex":
            return hex_literal(on, str(value), node.span)
        case _:
            return unit_literal(on, str(value), node.span, expected)


def scale_step(on: Context, text: str, scale: Type, span: Span) -> Expr:
    steps = on.book.scales.get(scale.name, ())
    if text not in steps:
        on.report.error("RW201", span, f'"{text}" is no step of {scale.name}', help="its steps: " + ", ".join(steps))
        return on.wrong(span)
    return on.const(steps.index(text), scale, span)


def below_scale(on: Context, text: str, expected: Type | None, span: Span) -> Expr:
    """`below 1:6`: what lies below the lowest step of a scale."""
    named = [expected.name] if expected is not None and expected.sort == "scale" else list(on.book.scales)
    found = [x for x in named if text == next(iter(on.book.scales.get(x, ())), None)]
    if len(found) != 1:
        lowest = ", ".join(f"below {on.book.scales[x][0]}" for x in named if on.book.scales.get(x))
        told = f'"{text}" is the lowest step of ' + ("no scale" if not found else f"several: {', '.join(found)}")
        on.report.error("RW201", span, told, help=f"write {lowest}" if lowest else "declare it: scale …")
        return on.wrong(span)
    return on.const(-1, Type("scale", found[0]), span)


def date_literal(on: Context, text: str, span: Span) -> Expr:
    calendar = on.book.calendar
    if calendar is None:
        on.report.error("RW216", span, "the book has no calendar", help="declare one: calendar NAME: …")
        return on.wrong(span)
    labels = [label for label, _, _ in calendar.turns]
    if text in labels:
        return on.const(labels.index(text), t.TURN, span)
    if text in calendar.months:
        return on.const(text, t.MONTH, span)
    later = date_beyond(text, calendar.turns, calendar.months)
    if later is not None:
        return on.const(later, t.TURN, span)
    on.report.error(
        "RW216",
        span,
        f'"{text}" is no turn of the calendar',
        help=choose(text, labels + list(calendar.months), "turns and months"),
    )
    return on.wrong(span)


def hex_literal(on: Context, text: str, span: Span) -> Expr:
    places = on.symbols.places
    if text in places:
        return on.located(text, places[text], span)
    ends = ends_of(text, places)
    if len(ends) == 2 and any(x in on.symbols.shared for x in ends):
        sides = tuple(on.located(x, places[x], span) for x in ends)
        known = [x.value for x in sides if isinstance(x, Const) and isinstance(x.value, int)]
        if len(known) < 2:
            return BuiltinCall("edge", sides, type=t.HEXSIDE, span=span)
        return on.const(tuple(sorted(known)), t.HEXSIDE, span)
    pair = sides_of(places, text)
    if pair is not None:
        return on.const(pair, t.HEXSIDE, span)
    on.report.error(
        "RW215", span, f'the map has no hex "{text}"', help=did_you_mean(text, places) or "check the map's hexes"
    )
    return on.wrong(span)


def unit_literal(on: Context, text: str, span: Span, expected: Type | None) -> Expr:
    if expected is not None and expected.name == "text":
        return on.const(text, t.TEXT, span)
    if text in on.symbols.units:
        return on.const(on.symbols.units[text], t.UNIT, span)
    on.report.error(
        "RW214",
        span,
        f'no roster has a unit "{text}"',
        help=did_you_mean(text, on.symbols.units) or "add it to a roster",
    )
    return on.wrong(span)


def plain(value: Any) -> Any:
    """A Fraction that is whole, as an int."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def date_beyond(text: str, turns: tuple[tuple[str, int, int], ...], months: tuple[str, ...]) -> int | None:
    """The number of a date before or after the calendar's turns, where it fits their rhythm."""
    words = text.split()
    label, year = " ".join(words[:-1]), words[-1]
    if not year.isdigit() or label not in months or not turns:
        return None
    ordered = [m for m in months if m]
    per_year = len(ordered)
    first_label, first_year, _ = turns[0]
    first = first_year * per_year + ordered.index(" ".join(first_label.split()[:-1]))
    return int(year) * per_year + ordered.index(label) - first
