"""What only the picture of a map of hexes has: land that is not in play, lakes smaller than a hex, the names of waters.

In:  a `Sheet` of hexes whose style gives shapes, by hexes (also such as the map has not) or by places in hexes.
Out: pieces of SVG: areas under the land, lakes on it, and where the names stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.looks import Look
from ...core.maps import locate
from .outline import loops, rough
from .paper import WIDTH, Cell, Point, num, on_paper, said, smooth_ring, wide
from .sheet import Sheet
from .style import darker, first

SMALLER = (1.0, 0.85, 0.7)
SIZES = {1: 26.0, 2: 19.0, 3: 13.0, 4: 10.0}
AWAY = "#e4e0d2"
"""Land that is not in play."""
Names = list[tuple[str, Point, float]]


def cells(sheet: Sheet, items: Sequence[str]) -> list[Cell]:
    """The cells of a list of hexes and runs of hexes; nothing where the grid has them not."""
    found: list[Cell] = []
    for item in items:
        first_id, _, last_id = item.partition("..")
        start, end = locate(sheet.board.grid, first_id), locate(sheet.board.grid, last_id or first_id)
        if start is None or end is None:
            continue
        dx, dy = (2 * sign(end[k] - start[k]) for k in (0, 1))
        if dx and dy:
            found += [start, end]
            continue
        many = max(abs(end[0] - start[0]), abs(end[1] - start[1])) // 2
        found += [(start[0] + dx * k, start[1] + dy * k) for k in range(many + 1)]
    return found


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def areas(sheet: Sheet, dry: set[Cell], rim: set[Cell]) -> Iterator[str]:
    """Land beyond the map, under that of the map: its shore goes on where the hexes end."""
    for _, look in of(sheet, "land"):
        held = set(cells(sheet, look.hexes))
        if not held:
            continue
        around = loops(sheet.board, held | dry | rim | beyond_frame(sheet, held))
        outline = "".join(smooth_ring(rough(loop)) for loop in around)
        shore = darker(sheet.style.ground("beyond")[0], 0.55)
        yield (
            f'<path d="{outline}" fill="{first(look.colors, AWAY)}" fill-rule="evenodd"'
            f' stroke="{shore}" stroke-width="1.2"/>'
        )


def land(sheet: Sheet) -> set[Cell]:
    """The cells of land that is not in play."""
    return {at for _, look in of(sheet, "land") for at in cells(sheet, look.hexes)}


def beyond_frame(sheet: Sheet, held: set[Cell]) -> set[Cell]:
    """Cells outside the bounds of the map that touch these: an area goes on beyond the frame."""
    ways = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1), (2, 0), (-2, 0))
    rows = sheet.board.grid.staggered == "rows"
    near = {
        (x + dx, y + dy)
        for x, y in held
        for dx, dy in ways
        if (dx, dy) not in (((0, 2), (0, -2)) if rows else ((2, 0), (-2, 0)))
    }
    return near - sheet.inner


def lakes(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Waters smaller than a hex, a picture only: the outline of each, and its color."""
    usual = next((fill.color for fill in sheet.style.fills(sheet.board) if fill.water and fill.color), "")
    sea = sheet.style.ground("beyond")[0] if sheet.style.coast or not usual else usual
    for _, look in of(sheet, "water"):
        ring = [(x * WIDTH, y * WIDTH) for x, y in look.points]
        if len(ring) > 2:
            yield smooth_ring(ring), first(look.colors, sea)


def names(sheet: Sheet) -> Names:
    """The names of seas, lakes and straits: each text, the middle of its place, its size."""
    found: Names = []
    for name, look in of(sheet, "name"):
        if look.rank > 3:  # finds its place among the labels
            continue
        spots = [on_paper(sheet.board, at) for at in cells(sheet, look.hexes)]
        if spots:
            x, y = (sum(spot[k] for spot in spots) / len(spots) for k in (0, 1))
            left, top, right, bottom = sheet.box
            size = full = SIZES.get(look.rank, SIZES[3]) * sheet.grown
            for share in SMALLER:  # beside the frame a smaller name stays over its water
                size = full * share
                if left + 8 < x - spread(name, size) / 2 and x + spread(name, size) / 2 < right - 8:
                    break
            half = spread(name, size) / 2
            if left < x < right and top < y < bottom and right - left > 2 * half + 20:
                x = min(max(x, left + half + 8), right - half - 8)
                found.append((name, (x, min(max(y, top + size), bottom - size)), size))
    return found


def spread(name: str, size: float) -> float:
    """How wide a name is with its letters apart."""
    return wide(name, size) + len(name) * size * 0.16


def written(sheet: Sheet, found: Names) -> Iterator[str]:
    """Names over the water."""
    ink = darker(sheet.style.ground("beyond")[0], 0.55)
    if sheet.style.ground("beyond")[0] == "#fdfbf4":
        ink = "#5d7f95"
    for name, (x, y), size in found:
        yield (
            f'<text x="{num(x)}" y="{num(y + size * 0.35)}" font-size="{num(size)}" font-style="italic"'
            f' letter-spacing="{num(size * 0.16)}" fill="{ink}" text-anchor="middle">{said(name)}</text>'
        )


def of(sheet: Sheet, word: str) -> Iterator[tuple[str, Look]]:
    """The shapes of one sort."""
    return ((name, look) for name, look in sheet.style.shapes().items() if word in look.words)
