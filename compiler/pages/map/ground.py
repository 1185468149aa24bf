"""The ground: sea and land, what fills hexes, the grid, the borders between areas.

In:  a `Sheet`.
Out: pieces of SVG, from the sea upwards.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape

from ...core.maps import hex_at, locate
from . import beyond, waters
from .outline import chains, loops, rough
from .paper import (
    INK,
    WIDTH,
    Cell,
    Point,
    corners,
    num,
    on_paper,
    pair,
    path,
    said,
    smooth_ring,
    smooth_way,
    spelt,
    steps,
    wide,
)
from .patterns import SCATTERED, SPOTS, glyph, tile
from .pens import drawn
from .rivers import rivers
from .sheet import Sheet
from .style import Fill, Stroke, darker, number, paler

BLANK = "#f6f1e3"
"""What lies on none of the sheets of a map."""
MANY = 150
"""Areas of more hexes have names that grow with the map."""


def definitions(sheet: Sheet) -> Iterator[str]:
    """Patterns and glyphs that the fills of this sheet use, and the shape of the land."""
    for k, fill in enumerate([*sheet.style.fills(sheet.board), *ground_fills(sheet)]):
        id = f"{sheet.key}f{k}"
        if fill.pattern in SCATTERED:
            for turn in (1, -1):
                marks = "".join(glyph(fill.pattern, dx * turn, dy, fill.ink) for dx, dy in SPOTS)
                yield f'<g id="{id}{"a" if turn > 0 else "b"}">{marks}</g>'
        elif fill.pattern != "plain":
            yield tile(id, fill)


def ground_fills(sheet: Sheet) -> list[Fill]:
    """Land and what lies beyond it, as fills; then what lies beyond it in single parts."""
    found = []
    for name, part in (("land", ""), ("beyond", ""), *(("beyond", part) for part in sheet.style.parts())):
        color, pattern = sheet.style.ground(name, part)
        found.append(Fill(field=name, value=part, color=color, pattern=pattern, ink=darker(color, 0.84)))
    return found


def ground(sheet: Sheet, under_rivers: Iterable[str] = ()) -> Iterator[str]:
    """Sea, shore, land, fills and grid; what belongs between the land and its rivers."""
    style, board = sheet.style, sheet.board
    fills = style.fills(board)
    land, sea, *others = ground_fills(sheet)
    left, top, right, bottom = sheet.box
    frame = f'x="{num(left)}" y="{num(top)}" width="{num(right - left)}" height="{num(bottom - top)}"'
    yield f'<rect {frame} fill="{sea.color}"/>'
    if sea.pattern != "plain":
        yield f'<rect {frame} fill="url(#{sheet.key}f{len(fills) + 1})"/>'
    elif style.coast:
        yield sea_dots(sheet)
    dry = {sheet.at[h] for h in board.hexes if h not in sheet.wet and h in sheet.at and sheet.near(h)}
    coast = ""
    if style.coast:
        blank = landward(sheet, dry)
        shores = loops(board, dry | blank | edge(sheet, dry | blank))
        coast = "".join(smooth_ring(rough(loop)) for loop in shores)
        yield f'<path d="{coast}" fill="none" stroke="{paler(darker(sea.color, 0.93), 0.1)}" stroke-width="9"/>'
        yield from beyond.areas(sheet, dry, edge(sheet, dry))
        yield f'<clipPath id="{sheet.own_key}land"><path d="{coast}" clip-rule="evenodd"/></clipPath>'
        yield f'<path d="{coast}" fill="{land.color}" fill-rule="evenodd"/>'
        yield f'<g clip-path="url(#{sheet.own_key}land)">'
    else:
        outline = "".join(path(loop, closed=True) for loop in loops(board, dry | edge(sheet, dry)))
        yield f'<path d="{outline}" fill="{land.color}" fill-rule="evenodd"/><g>'
    for k, fill in enumerate(fills):
        if not fill.water:
            yield from filled(sheet, fill, f"{sheet.key}f{k}")
    yield from cities(sheet)
    yield from under_rivers
    yield from rivers(sheet)
    yield from waters.shores(sheet)
    for k, fill in enumerate(fills):
        if fill.water:
            yield from filled(sheet, fill, f"{sheet.key}f{k}")
    grid = grid_of(sheet)
    yield f'<path d="{grid}" fill="none" stroke="{darker(land.color, 0.7)}" stroke-width=".6" stroke-opacity=".75"/>'
    yield "</g>"
    for k, part in enumerate(others, len(fills) + 2):
        yield from out_of_play(sheet, part, f"{sheet.key}f{k}")
    if style.coast:
        yield f'<path d="{coast}" fill="none" {shore_ink(sheet, sea.color)} stroke-linejoin="round"/>'
    yield from waters.waters(sheet)


def shore_ink(sheet: Sheet, sea: str) -> str:
    """The pen of coasts."""
    return f'stroke="{darker(sea, 0.42)}" stroke-width="{num(1.7 * sheet.part_grown(0.4))}"'


def off_sheet(sheet: Sheet) -> Iterator[str]:
    """What lies on none of the printed sheets is paper: neither land nor sea, and no coast runs along it."""
    blocks = [path(block, closed=True) for block in blank_blocks(sheet)]
    if blocks:
        d, width = "".join(blocks), num(4.4 * sheet.part_grown(0.5))
        yield f'<path d="{d}" fill="none" stroke="{INK}" stroke-width="{width}"/><path d="{d}" fill="{BLANK}"/>'
        for name, (left, top, right, bottom) in boxes(sheet):
            rect = f'x="{num(left)}" y="{num(top)}" width="{num(right - left)}" height="{num(bottom - top)}"'
            line = num(sheet.grown)
            yield f'<rect {rect} rx="{num(6 * sheet.grown)}" fill="#fffdf5" stroke="{INK}" stroke-width="{line}"/>'
            where = f'x="{num((left + right) / 2)}" y="{num((top + bottom) / 2 + BOXED * sheet.grown / 3)}"'
            size = f'font-size="{num(BOXED * sheet.grown)}" text-anchor="middle"'
            yield f"<text {where} {size}>{said(name)}</text>"


BOXED = 9.5
"""How large the names of boxes are."""


def boxes(sheet: Sheet) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Single hexes of their own beside the sheets, each printed as a box with its name; and where the box lies."""
    if not sheet.off_sheet:
        return []
    there = set(sheet.at.values())
    found = []
    left, top, right, bottom = sheet.box
    for name, place in sheet.board.names.items():
        at = sheet.at.get(place)
        if at is None or any((at[0] + dx, at[1] + dy) in there for dx, dy in steps(sheet.board)):
            continue
        size = BOXED * sheet.grown
        across, down = wide(name, size) / 2 + size, size * 1.1
        x = min(max(sheet.spots[place][0], left + across + size), right - across - size)
        y = min(max(sheet.spots[place][1], top + down + size), bottom - down - size)
        found.append((name, (x - across, y - down, x + across, y + down)))
    return found


def blank_blocks(sheet: Sheet) -> Iterator[list[Point]]:
    """Blocks of paper over what lies on none of the sheets: the edge of the map there is as straight as its frame."""
    rows: dict[int, list[int]] = {}
    for x, y in sorted(sheet.off_sheet):
        rows.setdefault(y, []).append(x)
    runs = sorted((run, y) for y, xs in rows.items() for run in runs_of(xs))
    bands: list[tuple[tuple[int, int], int, int]] = []
    for (west, east), y in sorted(runs, key=lambda r: (r[1], r[0])):
        for k, ((a, b), top, low) in enumerate(bands):
            if y - low <= 2 and abs(a - west) <= 1 and abs(b - east) <= 1:
                bands[k] = ((min(a, west), max(b, east)), top, y)
                break
        else:
            bands.append(((west, east), y, y))
    for (west, east), top, low in bands:
        spots = [on_paper(sheet.board, at) for at in ((west, top), (east, low))]
        yield block_of(sheet, spots)


def runs_of(xs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Columns that follow one another, as the first and the last; a gap of one hex does not part them."""
    start = last = xs[0]
    for x in xs[1:]:
        if x - last > 4:
            yield start, last
            start = x
        last = x
    yield start, last


def block_of(sheet: Sheet, spots: Sequence[Point]) -> list[Point]:
    """The corners of a block of hexes, out over the frame where it touches that."""
    rows = sheet.board.grid.staggered == "rows"
    across, down = (WIDTH / 4, WIDTH * 0.4) if rows else (WIDTH * 0.4, WIDTH / 4)
    left, right = min(x for x, _ in spots) - across, max(x for x, _ in spots) + across
    top, bottom = min(y for _, y in spots) - down, max(y for _, y in spots) + down
    far = 4 * WIDTH
    left, right = left - far * (left < sheet.box[0] + WIDTH), right + far * (right > sheet.box[2] - WIDTH)
    top, bottom = top - far * (top < sheet.box[1] + WIDTH), bottom + far * (bottom > sheet.box[3] - WIDTH)
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def landward(sheet: Sheet, dry: set[Cell]) -> set[Cell]:
    """The cells off all sheets that lie nearer to land than to water: the shore ends where the sheets end."""
    left = set(sheet.off_sheet)
    found: set[Cell] = set()
    rim = [(at, at in dry) for at in sorted(sheet.inner - sheet.off_sheet)] if left else []
    while rim:
        onward = []
        for (x, y), land in rim:
            for near in ((x + dx, y + dy) for dx, dy in steps(sheet.board)):
                if near in left:
                    left.discard(near)
                    onward.append((near, land))
                    if land:
                        found.add(near)
        rim = onward
    return found


def grid_of(sheet: Sheet) -> str:
    """Every side of every hex once: three of each, and those to where no hex is."""
    there = {sheet.at[h] for h in sheet.shown if h in sheet.at}
    ways = steps(sheet.board)
    found = []
    for place in sheet.shown:
        if place not in sheet.at:
            continue
        x, y = sheet.at[place]
        around = corners(sheet.board, sheet.spots[place])
        for k in range(6):
            dx, dy = ways[k]
            if k < 3 or (x + dx, y + dy) not in there:
                a, b = around[k], around[(k + 1) % 6]
                step = f"{num(b[0] - a[0])} {num(b[1] - a[1])}"
                found.append(f" {step}" if k in (1, 2) else f"M{pair(a)}l{step}")
    return "".join(found)


def out_of_play(sheet: Sheet, part: Fill, id: str) -> Iterator[str]:
    """A part of the grid beyond the hexes: everything that hangs together with the hex that the style names."""
    start = locate(sheet.board.grid, part.value)
    empty = sheet.inner - {at for h, at in sheet.at.items() if h not in sheet.wet}
    if start is None or start not in empty:
        return
    found, queue = {start}, [start]
    while queue:
        x, y = queue.pop()
        for near in ((x + dx, y + dy) for dx, dy in steps(sheet.board)):
            if near in empty and near not in found:
                found.add(near)
                queue.append(near)
    outline = "".join(smooth_ring(rough(loop)) for loop in loops(sheet.board, found | edge(sheet, found)))
    yield f'<path d="{outline}" fill="{part.color}"/>'
    if part.pattern != "plain":
        yield f'<path d="{outline}" fill="url(#{id})"/>'


def edge(sheet: Sheet, cells: set[Cell]) -> set[Cell]:
    """Cells beyond the bounds of the whole map that touch these."""
    around = {(x + dx, y + dy) for x, y in cells for dx, dy in steps(sheet.board)}
    return around - sheet.inner


def filled(sheet: Sheet, fill: Fill, id: str) -> Iterator[str]:
    """The hexes of one fill: a smoothed patch, and its pattern."""
    held = sheet.board.fields.get(fill.field, {})
    known = (h for h in held if h in sheet.at and sheet.near(h))
    places = [h for h in known if held[h] is True or str(held[h]) == fill.value]
    cells = {sheet.at[h] for h in places if h in sheet.at}
    if not cells:
        return
    rim = edge(sheet, cells)
    others = {at for at in sheet.at.values() if at not in cells} if rim else set()
    rim = {x for x in rim if not touches_more(sheet, x, cells, others)}
    outline = "".join(smooth_ring(rough(loop)) for loop in loops(sheet.board, cells | rim))
    if fill.color:
        shore = f" {shore_ink(sheet, fill.color)}" if fill.water else ""
        yield f'<path d="{outline}" fill="{fill.color}" fill-rule="evenodd"{shore}/>'
    if fill.pattern in SCATTERED:
        uses = []
        for place in places:
            x, y = sheet.spots[place]
            k = number(place)
            uses.append(f'<use href="#{id}{"ab"[k % 2]}" x="{num(x + k % 5 - 2)}" y="{num(y + k // 5 % 5 - 2)}"/>')
        yield "".join(uses)
    elif fill.pattern != "plain":
        yield f'<path d="{outline}" fill="url(#{id})" fill-rule="evenodd"/>'


def touches_more(sheet: Sheet, cell: Cell, ours: set[Cell], others: set[Cell]) -> bool:
    """Whether a cell beyond the edge touches more hexes of others than of ours."""
    near = [(cell[0] + dx, cell[1] + dy) for dx, dy in steps(sheet.board)]
    return sum(x in others for x in near) > sum(x in ours for x in near)


SEA_DOT = "#8fb3cb"


def sea_cells(sheet: Sheet) -> list[Cell]:
    """The hexes of the sea: what lies within the bounds of the map and is no land."""
    dry = {at for h, at in sheet.at.items() if h not in sheet.wet}
    return sorted(sheet.inner - dry - sheet.off_sheet - beyond.land(sheet))


def sea_dots(sheet: Sheet) -> str:
    """A point in the middle of each hex of the sea, so that the grid can be followed over it."""
    left, top, right, bottom = sheet.box
    empty = (on_paper(sheet.board, at) for at in sea_cells(sheet))
    dots = "".join(f"M{num(x - 1)} {num(y)}h2" for x, y in empty if left < x < right and top < y < bottom)
    return f'<path d="{dots}" stroke="{SEA_DOT}" stroke-width="2"/>' if dots else ""


SHORE = Stroke(name="shore", stroke="solid", width=1.6, color="#41708c")


def borders(sheet: Sheet) -> Iterator[str]:
    """Lines between hexes where a field differs; a shore where one of them is an area without a name, such as a sea."""
    wet = waters.wet_cells(sheet)
    for stroke in sheet.borders():
        held = sheet.board.fields.get(stroke.name, {})
        drowned = {value for value in map(str, {*held.values()}) if silent(sheet, stroke.name, value)}
        lines: dict[bool, list[tuple[Point, Point]]] = {False: [], True: []}
        for place in sheet.shown if stroke.stroke else ():
            at = sheet.at.get(place)
            if at is None:
                continue
            around = corners(sheet.board, sheet.spots[place])
            for k, (dx, dy) in enumerate(steps(sheet.board)[:3]):
                near = hex_at(sheet.board.grid, (at[0] + dx, at[1] + dy))
                if near in sheet.spots and near not in sheet.wet and held.get(place) != held.get(near):
                    if sheet.at[near] in wet or at in wet:
                        continue  # the water has its own shore
                    shore = bool(drowned & {str(held.get(place)), str(held.get(near))})
                    lines[shore].append((around[k], around[(k + 1) % 6]))
        for shore, sides in lines.items():
            if sides:
                yield drawn("".join(smooth_way(chain) for chain in chains(sides)), SHORE if shore else stroke)


Realm = tuple[str, Stroke, float, Point, float]
"""The name of an area, its look, its size, the middle of its place, how far it reaches on either side."""


def realms(sheet: Sheet) -> Iterator[str]:
    """The name of each area where it covers least, near the middle of its hexes, if the style asks for names."""
    for value, stroke, size, (x, y), _ in named_areas(sheet):
        text = escape(spelt(value.replace("_", " ").upper()))
        where = f'x="{num(x)}" y="{num(y + 6)}" font-size="{num(size)}" letter-spacing="{size / 3:.0f}"'
        pen = f'stroke="{BLANK}" stroke-width="{num(size / 4)}" stroke-linejoin="round" stroke-opacity=".7"'
        yield f'<text {where} fill="none" {pen} text-anchor="middle">{text}</text>'
        ink = darker(stroke.color, 0.85)
        yield f'<text {where} fill="{ink}" fill-opacity=".85" text-anchor="middle">{text}</text>'


def named_areas(sheet: Sheet) -> Iterator[Realm]:
    """Where the names of areas stand."""
    crowded = Rows(busy(sheet))
    for stroke in sheet.borders():
        held = sheet.board.fields.get(stroke.name, {}) if stroke.names else {}
        for value in sorted({str(v) for v in held.values() if v}):
            spots = {h: sheet.spots[h] for h in sheet.shown if str(held.get(h)) == value}
            if len(spots) <= 5:
                continue
            if silent(sheet, stroke.name, value):
                continue
            size = round((16 if len(spots) > 40 else 11) * (1 + (sheet.grown - 1) * 0.6 * (len(spots) > MANY)))
            reach = (0.33 + 0.33 + 0.06 * (sheet.grown > 1)) * size * len(value) / 1.3
            mx, my = (sum(spot[k] for spot in spots.values()) / len(spots) for k in (0, 1))
            low, high = sheet.box[0] + reach + 6, sheet.box[2] - reach - 6
            off = {
                h: abs(x - mx) + abs(y - my) + 45 * crowded.many(min(max(x, low), high), y, reach)
                for h, (x, y) in spots.items()
            }
            x, y = spots[min(off, key=lambda h: (off[h], h))]
            if sheet.grown > 1:  # on a large map names of areas meet one another
                crowded.add((min(max(x, low), high) + reach * k / 4, y) for k in range(-4, 5))
            yield value, stroke, size, (min(max(x, low), high), y), reach


def silent(sheet: Sheet, field: str, value: str) -> bool:
    """Whether the style has a line for this one area that does not ask for its name."""
    look = sheet.style.looks.get(("hex", field, value))
    return look is not None and "names" not in look.words


def busy(sheet: Sheet) -> Iterator[Point]:
    """Where names, lines and patterns are."""
    yield from (sheet.spots[h] for h in sheet.board.names.values() if h in sheet.spots)
    for layer in sheet.board.lines.values():
        yield from (sheet.spots[h] for _, chain in layer for h in chain if h in sheet.spots)
    for fill in sheet.style.fills(sheet.board):
        if fill.color or fill.pattern != "plain":
            held = sheet.board.fields.get(fill.field, {})
            yield from (sheet.spots[h] for h, v in held.items() if h in sheet.spots and str(v) in (fill.value, "True"))


class Rows:
    """Points by their rows, to count those near a line of text."""

    def __init__(self, points: Iterable[Point]) -> None:
        self.rows: dict[int, list[float]] = {}
        for x, y in sorted(points):
            self.rows.setdefault(int(y // 24), []).append(x)

    def add(self, points: Iterable[Point]) -> None:
        for x, y in points:
            insort(self.rows.setdefault(int(y // 24), []), x)

    def many(self, x: float, y: float, reach: float) -> int:
        found = 0
        for row in {int((y - 12) // 24), int((y + 12) // 24)}:
            xs = self.rows.get(row, [])
            found += bisect(xs, x + reach) - bisect(xs, x - reach)
        return found


BUILT_UP = 2
"""Names of so high a rank are those of cities."""


def built_up(sheet: Sheet) -> list[tuple[str, str]]:
    """City hexes with the colors of their signs: under counters the ground of a city is seen where its sign is not."""
    found: dict[str, str] = {}
    if sheet.hexed and any(sheet.position.units.values()):
        for sign in sheet.style.signs(sheet.board):
            if sign.sign and 0 < sign.rank <= BUILT_UP:
                for place, value in sheet.held(sign.field).items():
                    if place in sheet.shown_set and (value is True if not sign.value else str(value) == sign.value):
                        found[place] = sign.color
    return list(found.items())


def cities(sheet: Sheet) -> Iterator[str]:
    """The built-up ground of cities."""
    for place, color in built_up(sheet):
        outline = path(corners(sheet.board, sheet.spots[place], 0.97), closed=True)
        yield f'<path d="{outline}" fill="{paler(color, 0.68)}" stroke="{darker(color, 0.8)}" stroke-width="1.2"/>'


def ring(sheet: Sheet, place: str) -> str:
    """The outline of one hex, a little within it."""
    return path(corners(sheet.board, sheet.spots[place], 0.94), closed=True)
