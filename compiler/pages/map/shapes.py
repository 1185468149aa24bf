"""Shapes that only the picture has: seas and rivers under a map of points.

In:  a `Sheet` of points whose style gives outlines.
Out: pieces of SVG.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .paper import num, path, said, smooth_way
from .pens import drawn
from .sheet import Sheet
from .style import Stroke, darker, first

BORDER = Stroke(name="border", stroke="dashes", width=2.0, color="#9c2f2a")


def river_under(sheet: Sheet) -> Stroke:
    """How rivers are drawn under a map of points."""
    return Stroke(name="river", stroke="river", width=2.6, color="#5b93bf")


def shapes(sheet: Sheet) -> Iterator[str]:
    """Sea and land, then waters, rivers and borders in the order of the style, and their names above all."""
    left, top, right, bottom = sheet.box
    land, sea = sheet.style.ground("land")[0], sheet.style.ground("beyond")[0]
    found = {
        name: (look, [sheet.project(p) if look.globe else p for p in look.points])
        for name, look in sheet.style.shapes().items()
    }
    under = sea if any("land" in look.words for look, _ in found.values()) else land
    rect = f'x="{num(left)}" y="{num(top)}" width="{num(right - left)}" height="{num(bottom - top)}"'
    yield f'<rect {rect} fill="{under}"/>'
    for look, points in found.values():
        if "land" in look.words or "water" in look.words:
            color = first(look.colors, land if "land" in look.words else sea)
            shore = f'stroke="{darker(sea, 0.5)}" stroke-width="1.2" stroke-linejoin="round"'
            yield f'<path d="{path(points, closed=True)}" fill="{color}" {shore}/>'
        elif "name" not in look.words:
            stroke = river_under(sheet) if "river" in look.words else BORDER
            yield drawn(smooth_way(points), replace(stroke, color=first(look.colors, stroke.color)))
    for name, (look, points) in found.items():
        x, y = points[0]
        if "name" in look.words and left < x < right and top < y < bottom:
            yield (
                f'<text x="{num(x)}" y="{num(y)}" font-size="17" font-style="italic" letter-spacing="2"'
                f' fill="{darker(sea, 0.6)}" text-anchor="middle">{said(name)}</text>'
            )
