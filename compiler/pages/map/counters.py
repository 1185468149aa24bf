"""Counters: what a unit's counter looks like, one by one and in fanned stacks.

In:  the pieces of a position and the style of the book.
Out: counters as SVG, and the room that they take. The symbols come from `symbols.svg`, made once from milsymbol
     (MIT) by tools/symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from .paper import INK, SANS, Point, num, said, spelt
from .sheet import Piece, Sheet
from .style import CounterLook, Style, darker, paler

SIZE = 29.0
STACK = 4
FAN = 4.0
SYMBOL = re.compile(r'<symbol id="([a-z_]+)"[^>]*>.*</symbol>')


@cache
def sprite() -> Mapping[str, str]:
    """The symbols by name, each a `<symbol>` element."""
    text = Path(__file__).with_name("symbols.svg").read_text(encoding="utf-8")
    return {match[1]: match[0] for match in SYMBOL.finditer(text)}


def symbols(names: Iterable[str], key: str) -> Iterator[str]:
    """The definitions of these symbols."""
    for name in sorted({name for name in names if name in sprite()}):
        yield sprite()[name].replace(f'id="{name}"', f'id="{key}s-{name}"', 1)


def stacks(sheet: Sheet) -> dict[str, Sequence[Piece]]:
    return {place: sheet.position.units[place] for place in sheet.shown if sheet.position.units.get(place)}


def room_of(sheet: Sheet) -> dict[str, float]:
    """How far the stack in each hex reaches from its middle."""
    return {place: SIZE / 2 + FAN * (min(len(pieces), STACK) - 1) / 2 for place, pieces in stacks(sheet).items()}


def counters(sheet: Sheet) -> Iterator[str]:
    """Every stack: the first piece on top, the others fanned out behind it."""
    for place, pieces in stacks(sheet).items():
        x, y = sheet.spots[place]
        shown = list(pieces[:STACK])
        fan = FAN * (len(shown) - 1) / 2
        names = escape(", ".join(spelt(p.name) for p in pieces))
        yield f"<g><title>{escape(spelt(place))}: {names}</title>"
        for k in range(len(shown) - 1, -1, -1):
            spot = (x - fan + FAN * k, y + fan - FAN * k)
            yield counter(shown[k], sheet.style, sheet.key, spot, bare=k > 0)
        if len(pieces) > STACK:
            edge = (x + SIZE / 2 + fan - 2, y - SIZE / 2 - fan + 2)
            yield f'<circle cx="{num(edge[0])}" cy="{num(edge[1])}" r="6" fill="#fffdf5" stroke="{INK}"/>'
            yield text(edge[0], edge[1] + 2.6, str(len(pieces)), 7.5, INK, bold=True)
        yield "</g>"


def counter(piece: Piece, style: Style, key: str, spot: Point, bare: bool = False) -> str:
    """One counter round its spot; a `bare` one is covered by others, so that only its rim is drawn."""
    look = style.counter(piece.fields)
    half = SIZE / 2
    parts = [outline(look, half)]
    if not bare:
        parts += face(piece, look, key)
    faded = ' opacity=".55"' if any(b == "fade" for b, _, _ in look.badges) else ""
    return f'<g transform="translate({num(spot[0])} {num(spot[1])})"{faded}>{"".join(parts)}</g>'


def outline(look: CounterLook, half: float) -> str:
    body = f'fill="{look.color}" stroke="{darker(look.color, 0.45)}" stroke-width="1"'
    if look.shape == "cut":
        c = half * 0.72
        return (
            f'<path d="M{num(-c)} {num(-half)}H{num(c)}L{num(half)} {num(-c)}V{num(c)}L{num(c)} {num(half)}H{num(-c)}'
            f'L{num(-half)} {num(c)}V{num(-c)}z" {body}/>'
        )
    round_ = 6.5 if look.shape == "round" else 1.2
    size = num(2 * half)
    return f'<rect x="{num(-half)}" y="{num(-half)}" width="{size}" height="{size}" rx="{num(round_)}" {body}/>'


def face(piece: Piece, look: CounterLook, key: str) -> Iterator[str]:
    """What is printed on a counter: size, symbol, name, numbers, badges."""
    ink = look.ink
    if look.symbol in sprite():
        pale = paler(look.color, 0.72)
        yield f'<rect x="-8.2" y="-7.4" width="16.4" height="10.9" fill="{pale}" stroke="#1d1d1b" stroke-width=".9"/>'
        yield (
            f'<use href="#{key}s-{look.symbol}" x="-8.2" y="-7.4" width="16.4" height="10.9" color="#1d1d1b"'
            ' overflow="hidden"/>'
        )
        if look.size:
            yield text(0, -8.4, escape(look.size), 5, ink, bold=True)
        name = short(piece.name)
        if name:
            yield f'<g transform="rotate(-90 -10 -2)">{text(-10, -2, name, 4.2, ink)}</g>'
    else:
        yield text(0, -1, said(piece.name, 9), 5.4, ink, bold=True)
    if look.prints:
        shown = said(look.prints, 9)
        yield text(0, 12.2, shown, 8.4 if len(shown) < 6 else 7.2 if len(shown) < 8 else 5.8, ink, bold=True)
    yield from badges(look.badges)


def badges(found: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """Marks that hold, each in its color: a bar at the foot, pips at the edge, a stroke across, a sign in a corner."""
    corner = 0
    for kind, words, color in found:
        if kind == "bar":
            yield f'<rect x="-14" y="4.4" width="28" height="1.6" fill="{color}"/>'
        elif kind == "pips":
            yield from pips(int(words), color)
        elif kind == "slash":
            yield f'<path d="M-13.4 13.4L13.4 -13.4" stroke="{color}" stroke-width="2" stroke-opacity=".8"/>'
        elif kind != "fade":
            x, y = ((11.0, -11.0), (11.0, 0.0), (-11.0, -11.0))[corner % 3]
            corner += 1
            if words:
                yield f'<circle cx="{num(x)}" cy="{num(y)}" r="4.6" fill="{color}" stroke="#fffdf5" stroke-width=".9"/>'
                yield text(x, y + 2, said(words, 3), 5.4 if len(words) < 2 else 4, "#fffdf5", bold=True)
            elif kind == "ring":
                yield f'<circle cx="{num(x)}" cy="{num(y)}" r="3" fill="#fffdf5" stroke="{color}" stroke-width="1.8"/>'
            elif kind == "cross":
                cross = f"M{num(x - 2.6)} {num(y - 2.6)}l5.2 5.2m0 -5.2l-5.2 5.2"
                yield f'<path d="{cross}" stroke="{color}" stroke-width="2" stroke-linecap="round"/>'
            elif kind == "star":
                d = "M0 -3.8L1.1 -1.2L3.8 -1.2L1.6 .5L2.4 3.3L0 1.6L-2.4 3.3L-1.6 .5L-3.8 -1.2L-1.1 -1.2z"
                yield f'<path transform="translate({num(x)} {num(y)})" d="{d}" fill="{color}"/>'
            else:
                yield f'<circle cx="{num(x)}" cy="{num(y)}" r="3" fill="{color}" stroke="#fffdf5" stroke-width=".8"/>'


PIPS = 7
"""More than so many are a number."""


def pips(many: int, color: str) -> Iterator[str]:
    """Dots down the right edge, one for each step that is lost; from eight on their number."""
    if many > PIPS:
        yield text(11.2, 1, str(many), 6, color, bold=True)
        return
    for k in range(many):
        y = num(-6.4 + 3.6 * k)
        yield f'<circle cx="11.4" cy="{y}" r="1.5" fill="{color}" stroke="#fffdf5" stroke-width=".6"/>'


def text(x: float, y: float, words: str, size: float, ink: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    where = f'x="{num(x)}" y="{num(y)}" font-size="{num(size)}"'
    return f'<text {where} fill="{ink}" text-anchor="middle"{weight}>{words}</text>'


def short(name: str) -> str:
    """The part of a unit's name that tells it from others: its numbers, or its first word."""
    first = spelt(name).split(" ")[0] if name else ""
    return escape(first[:7])


def counter_picture(fields: Mapping[str, Any], style: Style, key: str) -> str:
    """One counter as a picture of its own, without a name on it; `key` keeps the ids of pictures on a page apart."""
    look = style.counter(fields)
    half = SIZE / 2 + 1
    drawn = "".join([*symbols([look.symbol], key), outline(look, SIZE / 2), *face(Piece(name=""), look, key)])
    return (
        f'<svg viewBox="{num(-half)} {num(-half)} {num(2 * half)} {num(2 * half)}" width="{num(2.4 * half)}"'
        f' height="{num(2.4 * half)}" aria-hidden="true" focusable="false" font-family="{SANS}">{drawn}</svg>'
    )


def counter_sheet(pieces: Mapping[str, Mapping[str, Any]], style: Style, key: str = "c") -> tuple[str, dict[str, str]]:
    """The counters of a page: every face once, to stand at its top, and for each unit a small picture that uses it."""
    looks = {name: style.counter(fields) for name, fields in pieces.items()}
    ids = {look: f"{key}-{k}" for k, look in enumerate(dict.fromkeys(looks.values()))}
    half = SIZE / 2 + 1
    box = f"{num(-half)} {num(-half)} {num(2 * half)} {num(2 * half)}"
    faces = [*symbols((look.symbol for look in ids), key)]
    for look, id in ids.items():
        drawn = outline(look, SIZE / 2) + "".join(face(Piece(name=""), look, key))
        faces.append(f'<symbol id="{id}" viewBox="{box}">{drawn}</symbol>')
    head = f'<svg width="0" height="0" aria-hidden="true" focusable="false" font-family="{SANS}">{"".join(faces)}</svg>'
    size = num(2.4 * half)
    return head, {
        name: f'<svg width="{size}" height="{size}" aria-hidden="true" focusable="false" font-family="{SANS}">'
        f'<use href="#{ids[look]}"/></svg>'
        for name, look in looks.items()
    }
