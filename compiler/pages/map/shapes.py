"""Shapes that only the picture has: seas and rivers under a map of points.

In:  a `Sheet` of points whose style gives outlines.
Out: pieces of SVG.
"""

from __future__ import annotations

from collections.abc import Iterator

from .paper import num, path, said, smooth_way
from .sheet import Sheet
from .strokes import drawn
from .style import Stroke, darker, first


def shapes(sheet: Sheet) -> Iterator[str]:
    """Land, then waters, rivers and borders in the order of the style."""
    left, top, right, bottom = sheet.box
    land, sea = sheet.style.ground("land")[0], sheet.style.ground("beyond")[0]
    yield f'<rect x="{num(left)}" y="{num(top)}" width="{num(right - left)}" height="{num(bottom - top)}" fill="{land}"/>'
    for name, look in sheet.style.shapes().items():
        points = [sheet.project(p) if look.globe else p for p in look.points]
        if "water" in look.words:
            color = first(look.colors, sea)
            yield f'<path d="{path(points, closed=True)}" fill="{color}" stroke="{darker(color, 0.62)}" stroke-width="1.3"/>'
        else:
            kind = "river" if "river" in look.words else "dashes"
            stroke = Stroke(name=name, stroke=kind, width=2.2, color=first(look.colors, darker(sea, 0.7)))
            yield drawn(smooth_way(points), stroke)
    yield from names(sheet)


def names(sheet: Sheet) -> Iterator[str]:
    """The name of each water in its middle, where that is on the sheet."""
    left, top, right, bottom = sheet.box
    for name, look in sheet.style.shapes().items():
        points = [sheet.project(p) if look.globe else p for p in look.points]
        inside = [(x, y) for x, y in points if left <= x <= right and top <= y <= bottom]
        if "water" not in look.words or len(inside) < 4:
            continue
        xs, ys = [x for x, _ in inside], [y for _, y in inside]
        x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        color = darker(first(look.colors, sheet.style.ground("beyond")[0]), 0.6)
        yield (
            f'<text x="{num(x)}" y="{num(y)}" font-size="13" font-style="italic" letter-spacing="2" fill="{color}"'
            f' text-anchor="middle">{said(name)}</text>'
        )
