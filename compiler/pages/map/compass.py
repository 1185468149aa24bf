"""The compass and the scale of a map, beside its title.

In:  a `Sheet` whose style says where north is and how far a hex is across, or whose points lie on the globe.
Out: pieces of SVG that end at a given place on the right.
"""

from __future__ import annotations

from math import hypot

from .paper import INK, WIDTH, num, wide
from .sheet import Sheet

ROUND = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
LONGEST_BAR = 150.0
DEGREE_KM = 111.2
SIZE = 10.5
TURNED = 15
"""A sheet that is turned by more degrees has a larger arrow."""


def per_unit(sheet: Sheet) -> tuple[float, str]:
    """How long one kilometre or mile is on paper; nothing where the map does not say."""
    told = sheet.style.whole("scale")
    if told is not None and sheet.hexed:
        return WIDTH / told.number, told.words[0] if told.words else "km"
    globe = [look.points[0] for look in sheet.style.places().values() if look.globe]
    if sheet.hexed or not globe:
        return 0.0, ""
    east, north = (sum(at[k] for at in globe) / len(globe) for k in (0, 1))
    (ax, ay), (bx, by) = sheet.project((east, north - 1)), sheet.project((east, north + 1))
    return hypot(ax - bx, ay - by) / 2 / DEGREE_KM, "km"


def compass(sheet: Sheet, right: float, foot: float) -> str:
    """A bar of a round length and an arrow to the north, at most as far right as `right`."""
    unit, word = per_unit(sheet)
    told = sheet.style.whole("north")
    grown, found = sheet.grown, []
    x = right
    if told is not None or (unit and not sheet.hexed):
        turned = told is not None and abs(told.number) > TURNED
        x -= (26 if turned else 20) * grown
        turn = f" rotate({num(told.number)})" if told is not None and told.number else ""
        arrow = num((1.25 if turned else 0.85) * grown)
        found.append(
            f'<g transform="translate({num(x)} {num(foot + 2 * grown)}){turn} scale({arrow})">'
            f'<path d="M0 -11L4.5 7L0 3.5L-4.5 7Z" fill="{INK}"/>'
            '<text y="-13" font-size="9" text-anchor="middle">N</text></g>'
        )
        x -= (28 if turned else 22) * grown
    if unit:
        length = max((n for n in ROUND if n * unit <= LONGEST_BAR * grown), default=ROUND[0])
        label, size = f"{length} {word}", SIZE * grown
        bar = length * unit
        x -= wide(label, size)
        found.append(f'<text x="{num(x)}" y="{num(foot + 4 * grown)}" font-size="{num(size)}">{label}</text>')
        x -= bar + 6 * grown
        tick = 4 * grown
        up, down, end = num(foot - tick), num(foot), num(x + bar)
        ends = f"M{num(x)} {up}V{down}H{end}V{up}M{num(x + bar / 2)} {up}V{down}"
        found.append(f'<path d="{ends}" fill="none" stroke="{INK}" stroke-width="{num(1.4 * grown)}"/>')
    return "".join(found)
