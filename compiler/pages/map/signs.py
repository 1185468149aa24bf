"""Signs in hexes: towns, ports, forts, wells, goals.

In:  a `Sheet`.
Out: the signs with their spots; each as a piece of SVG.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl.records import dataclass

from .paper import INK, Point, num
from .sheet import Sheet
from .style import Sign

MIDDLE = ("dot", "ring", "square", "knot")
SLOTS = ((14.0, -5.0), (-14.0, -5.0), (14.0, 9.0), (-14.0, 9.0), (0.0, -16.0))
REACH = 7.0
BARE = "#fffdf5"
"""The color of a point that no line of style marks."""
LARGEST = {1: 2.5, 2: 2.1, 3: 1.7, 4: 1.5}
OTHERS_LARGEST = 1.9
"""How much signs may grow with a large map, by the rank of the name that they give: none is larger than a hex."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A sign at its spot; `middle` when it stands in the middle of its hex."""

    sign: Sign
    place: str
    spot: Point
    middle: bool
    size: float = 1.0


def placed(sheet: Sheet) -> list[Placed]:
    """Every sign of the sheet: the last town sign in the middle of its hex, all others round it."""
    signs = sheet.style.signs(sheet.board)
    found: list[Placed] = []
    per: dict[str, list[Sign]] = {}
    apart = min(1.5, sheet.grown)
    for sign in signs:
        held = sheet.held(sign.field)
        for place in held:
            holds = held[place] is True if not sign.value else str(held[place]) == sign.value
            if sign.sign and holds and place in sheet.shown_set and place in sheet.spots:
                per.setdefault(place, []).append(sign)
    named = set(sheet.board.names.values())
    for place, here in per.items():
        x, y = sheet.spots[place]
        towns = [s for s in here if s.sign in MIDDLE]
        middle = towns[-1] if towns else None
        others = [s for s in here if s.sign not in MIDDLE]
        if middle is None and others and (place not in named or not sheet.hexed):
            middle, *others = others
        if middle is not None:
            found.append(Placed(sign=middle, place=place, spot=(x, y), middle=True, size=sized(sheet, middle, True)))
        for sign, (dx, dy) in zip(others, SLOTS, strict=False):
            spot = (x + dx * apart, y + dy * apart)
            found.append(Placed(sign=sign, place=place, spot=spot, middle=False, size=sized(sheet, sign, False)))
    if not sheet.hexed:
        bare = Sign(field="", value="", sign="dot", color=BARE, rank=0)
        marked = {p.place for p in found if p.middle}
        for place in sheet.shown:
            if place not in marked and place in sheet.spots:
                found.append(Placed(sign=bare, place=place, spot=sheet.spots[place], middle=True))
    return found


def signs(found: list[Placed]) -> Iterator[str]:
    """The signs as SVG; those in the middle of a hex first."""
    for p in sorted(found, key=lambda p: not p.middle):
        yield sign(p.sign.sign, p.spot, p.sign.color, p.size)


def sized(sheet: Sheet, sign: Sign, middle: bool) -> float:
    """How large a sign is drawn: on a large map as much larger as its hex leaves room."""
    size = 1.0 if middle or sign.sign in ("anchor", "derrick", "factory") else 0.85
    return size * min(sheet.grown, LARGEST.get(sign.rank, OTHERS_LARGEST if middle else 1.6))


def sign(kind: str, spot: Point, color: str, size: float = 1.0) -> str:
    """One sign."""
    body = SHAPES[kind].format(color=color, ink=INK)
    scale = f" scale({num(size)})" if size != 1 else ""
    return f'<g transform="translate({num(spot[0])} {num(spot[1])}){scale}">{body}</g>'


_EDGE = 'stroke="{ink}" stroke-width="1.4" stroke-linejoin="round"'
_ANCHOR = "M0 -4.5V6M-5 1.5Q-4.5 6 0 6.2Q4.5 6 5 1.5M-3 -2.2H3"
SHAPES = {
    "dot": f'<circle r="4.4" fill="{{color}}" {_EDGE}/>',
    "ring": f'<circle r="5.6" fill="#fffdf5" {_EDGE}/><circle r="2.4" fill="{{ink}}"/>',
    "square": f'<rect x="-6.5" y="-6.5" width="13" height="13" fill="#fffdf5" {_EDGE}/>'
    f'<rect x="-3.8" y="-3.8" width="7.6" height="7.6" fill="{{color}}" {_EDGE}/>',
    "diamond": f'<path d="M0 -6L5 0L0 6L-5 0z" fill="{{color}}" {_EDGE}/>',
    "triangle": f'<path d="M0 -6L6 5H-6z" fill="{{color}}" {_EDGE}/>',
    "star": '<path d="M0 -7L2 -2.2L7 -2.2L3 1L4.4 6L0 3L-4.4 6L-3 1L-7 -2.2L-2 -2.2z" fill="{color}"'
    ' stroke="{ink}" stroke-width=".9" stroke-linejoin="round"/>',
    "anchor": f'<path d="{_ANCHOR}" fill="none" stroke="#fbf7ea" stroke-width="3.6"/>'
    f'<path d="{_ANCHOR}" fill="none" stroke="{{color}}" stroke-width="1.6"'
    ' stroke-linecap="round"/><circle cy="-6" r="1.7" fill="#fbf7ea" stroke="{color}" stroke-width="1.4"/>',
    "derrick": '<path d="M-5 7L-1.2 -7H1.2L5 7M-3.6 2H3.6M-2.4 -2.4H2.4M-4.6 6.4L3.4 1.8M4.6 6.4L-3.4 1.8" fill="none"'
    ' stroke="{color}" stroke-width="1.3" stroke-linejoin="round"/>',
    "fort": f'<path d="M-7 6V-4H-4V-1H-1.5V-4H1.5V-1H4V-4H7V6z" fill="{{color}}" {_EDGE}/>',
    "factory": '<path d="M-7 6V-1L-3 -4V-1L1 -4V-1L5 -4V6zM5.6 6V-7H7.4V6z" fill="{color}" stroke="{ink}"'
    ' stroke-width=".8"/>',
    "flag": '<path d="M-4 7V-7" stroke="{ink}" stroke-width="1.4"/><path d="M-4 -7L6 -4L-4 -1z" fill="{color}"'
    ' stroke="{ink}" stroke-width=".9"/>',
    "cross": '<path d="M-5 -5L5 5M5 -5L-5 5" stroke="#fbf7ea" stroke-width="4.6" stroke-linecap="round"/>'
    '<path d="M-5 -5L5 5M5 -5L-5 5" stroke="{color}" stroke-width="2.4" stroke-linecap="round"/>',
    "knot": '<circle r="2.6" fill="{color}"/>',
}
"""Every sign round (0, 0)."""


def reach(p: Placed) -> tuple[float, float, float, float]:
    """The room that a sign takes."""
    r = (3.0 if p.sign.sign == "knot" else REACH) * p.size
    return p.spot[0] - r, p.spot[1] - r, p.spot[0] + r, p.spot[1] + r
