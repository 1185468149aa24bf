"""Draw maps: the board with its terrain, lines, places and counters, as the style of the book says.

In:  a `Map`, its `Style`, the position on it, and perhaps a hex or patches of hexes to look at.
Out: one self-contained SVG, the same bytes for the same input, without scripts or outside parts; every text of a
     book in it is escaped. `draw` gives the spots of the hexes, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from rulewright.dsl.records import dataclass

from ..core.maps import Map, distance, locate
from .map import beyond, compass, counters, ground, labels, legend, panels, shapes, signs, strokes, waters
from .map.paper import INK, SANS, SERIF, Point, cells_of, num, said, spelt
from .map.sheet import Piece, Position, Sheet
from .map.style import Style
from .short_paths import shortened

REACH = 4
MARGIN = 8.0
ZOOMED = 1.5
SMALLER = (1.0, 0.9, 0.8, 0.7)
PAD, LEAST = 14.0, 300.0
"""The room about a legend beside the sheets of a map, and how wide the paper there must be for one."""
ALWAYS, WHEN_ZOOMED, NEVER = "always", "zoomed", "never"
NUMBERED = 1500
"""A map of at most so many hexes has their numbers printed; on a larger one they are specks until it is magnified."""


def usual_ids(board: Map) -> str:
    """Whether the numbers of hexes are printed on a whole map, or come up when it is magnified."""
    return ALWAYS if len(board.hexes) <= NUMBERED else WHEN_ZOOMED


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A map as SVG, and where the middle of each hex lies in it."""

    svg: str
    spots: Mapping[str, Point]


def draw_map(
    board: Map,
    style: Style | None = None,
    position: Position | None = None,
    around: str | None = None,
    ids: str = WHEN_ZOOMED,
    title: str = "",
) -> str:
    """The board as SVG; with `around`, only the part within four hexes of that hex."""
    return draw(board, style, position, around=around, ids=ids, title=title).svg


def draw(
    board: Map,
    style: Style | None = None,
    position: Position | None = None,
    *,
    around: str | None = None,
    patches: Sequence[Collection[str]] | None = None,
    lit: Collection[str] = (),
    ids: str = WHEN_ZOOMED,
    title: str = "",
    description: str = "",
    key: str = "m",
    scale: float = 1.0,
) -> Picture:
    """The board, or `patches` of it, a panel each; `lit` hexes are outlined; `key` keeps the ids of pictures apart."""
    style, position = style or Style(), position or Position()
    near = around if around is not None and locate(board.grid, around) else None
    whole = near is None and patches is None
    focus: Collection[str] = board.hexes
    if near is not None:
        shown = [h for h in board.hexes if distance(board, near, h) <= REACH + 1]
        focus = {h for h in shown if distance(board, near, h) <= REACH}
        pieces = [shown]
    elif patches is not None:
        pieces = [[h for h in board.hexes if h in wanted] for wanted in map(set, patches)]
    else:
        at = cells_of(board, board.hexes) if board.grid.sheets else {}
        pieces = panels.groups(at, board.hexes) if at else [list(board.hexes)]
    sheets = [Sheet(board, style, position, key, k, piece, set(focus)) for k, piece in enumerate(pieces)]
    return Drawing(sheets, key, ids, title, description, whole, lit, scale).picture()


class Drawing:
    """Sheets put together on one page, with a title and a legend."""

    def __init__(
        self,
        sheets: Sequence[Sheet],
        key: str,
        ids: str,
        title: str,
        description: str,
        whole: bool,
        lit: Collection[str],
        scale: float,
    ) -> None:
        self.sheets, self.key, self.ids, self.title = sheets, key, ids, title
        self.description, self.whole, self.lit, self.scale = description, whole, lit, scale

    def picture(self) -> Picture:
        board = self.sheets[0].board
        many = len(self.sheets) > 1
        head = 14.0 if many else 0.0
        places = panels.pack([(s.wide, s.high + head) for s in self.sheets]) if many else [(0.0, 0.0)]
        width = max(x + s.wide for s, (x, _) in zip(self.sheets, places, strict=True))
        height = max(y + s.high + head for s, (_, y) in zip(self.sheets, places, strict=True))
        grown = self.sheets[0].grown if not many else 1.0
        beside = self._beside(grown) if self.whole and not many else None
        keys, below = legend.legend(self.sheets, width / grown, self.key) if self.whole and not beside else ([], 0.0)
        below *= grown
        banner = 26.0 * grown if self.title and self.whole and not beside else 0.0
        w, h = width + 2 * MARGIN, height + below + banner + 2 * MARGIN + (6 if below or banner else 0)
        named = self.title or board.name.replace("_", " ")
        described = f'<desc id="{self.key}-d">{escape(spelt(self.description))}</desc>' if self.description else ""
        about = f' aria-labelledby="{self.key}-t{f" {self.key}-d" if described else ""}"'
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(w)} {num(h)}" width="{num(w * self.scale)}"'
            f' height="{num(h * self.scale)}" role="img"{about} font-family="{SERIF}" fill="{INK}">',
            f'<title id="{self.key}-t">{escape(spelt(named))}</title>{described}',
            *self._zoom(w),
            f'<rect width="{num(w)}" height="{num(h)}" fill="#fdfbf4"/>' if self.whole else "",
            "<defs>",
            *self._definitions(),
            "</defs>",
        ]
        spots: dict[str, Point] = {}
        for sheet, (x, y) in zip(self.sheets, places, strict=True):
            shift = (MARGIN + x - sheet.box[0], MARGIN + y + head - sheet.box[1])
            known = {h: sheet.spots[h] for h in sheet.shown if h in sheet.spots}
            spots |= {h: (x + shift[0], y + shift[1]) for h, (x, y) in known.items()}
            parts += [f'<g transform="translate({num(shift[0])} {num(shift[1])})">', *self._sheet(sheet, many), "</g>"]
        foot = MARGIN + height + 6
        if banner:
            where = f'x="{num(MARGIN)}" y="{num(foot + 19 * grown)}"'
            size = f'font-size="{num(20 * grown)}" letter-spacing="1"'
            parts.append(f"<text {where} {size}>{said(self.title, 60)}</text>")
            parts.append(compass.compass(self.sheets[0], MARGIN + width, foot + 14 * grown))
        if keys:
            scaled = f" scale({num(grown)})" if grown > 1 else ""
            parts += [f'<g transform="translate({num(MARGIN)} {num(foot + banner)}){scaled}">', *keys, "</g>"]
        parts += beside or []
        return Picture(svg=shortened("\n".join(x for x in [*parts, "</svg>"] if x)) + "\n", spots=spots)

    def _beside(self, grown: float) -> list[str] | None:
        """Title, scale and legend on paper beside the printed sheets of the map, if they find room there."""
        sheet = self.sheets[0]
        left, top, right, bottom = sheet.box
        blocks = [
            (max(block[0][0], left), max(block[0][1], top), min(block[2][0], right), min(block[2][1], bottom))
            for block in (ground.blank_blocks(sheet) if sheet.off_sheet and self.title else ())
        ]
        for x0, y0, x1, y1 in sorted(blocks, key=lambda b: -(b[2] - b[0]) * (b[3] - b[1])):
            for size in (grown * share for share in SMALLER):
                pad, banner = PAD * size, 52.0 * size
                wide, high = x1 - x0 - 2 * pad, y1 - y0 - 2 * pad
                keys, below = legend.legend(self.sheets, wide / size, self.key) if wide > LEAST * size else ([], 0.0)
                if not keys or banner + below * size > high:
                    continue
                x, y = MARGIN - left + x0 + pad, MARGIN - top + y0 + pad
                font = f'font-size="{num(30 * size)}" letter-spacing="2"'
                return [
                    f'<text x="{num(x)}" y="{num(y + 26 * size)}" {font}>{said(self.title, 60)}</text>',
                    compass.compass(sheet, x + wide, y + 20 * grown),
                    f'<g transform="translate({num(x)} {num(y + banner)}) scale({num(size)})">',
                    *keys,
                    "</g>",
                ]
        return None

    def _zoom(self, width: float) -> Iterator[str]:
        """Hex ids come up when the picture is magnified, by the browser's zoom or by its own size."""
        if self.ids == WHEN_ZOOMED and self.whole:
            large = f"(min-resolution:{ZOOMED}dppx),(min-width:{width * ZOOMED:.0f}px)"
            yield f"<style>.rw-ids{{display:none}}@media {large}{{.rw-ids{{display:inline}}}}</style>"

    def _definitions(self) -> Iterator[str]:
        style = self.sheets[0].style
        pieces = [p for s in self.sheets for stack in counters.stacks(s).values() for p in stack]
        used = {style.counter(p.fields).symbol for p in pieces}
        if self.whole:
            used |= {symbol for symbol, _ in legend.kinds(self.sheets)}
        yield from counters.symbols(used, self.key)
        for sheet in self.sheets:
            left, top, right, bottom = sheet.box
            rect = f'x="{num(left)}" y="{num(top)}" width="{num(right - left)}" height="{num(bottom - top)}"'
            yield f'<clipPath id="{sheet.own_key}page"><rect {rect}/></clipPath>'
        if self.sheets[0].hexed:
            yield from ground.definitions(self.sheets[0])

    def _sheet(self, sheet: Sheet, captioned: bool) -> Iterator[str]:
        left, top, right, bottom = sheet.box
        yield f'<g clip-path="url(#{sheet.own_key}page)">'
        yield from self._layers(sheet)
        yield "</g>"
        rect = f'x="{num(left)}" y="{num(top)}" width="{num(right - left)}" height="{num(bottom - top)}"'
        yield f'<rect {rect} fill="none" stroke="{INK}" stroke-width="{2.4 if self.whole else 1}"/>'
        if captioned and (self.whole or caption(sheet) not in sheet.shown_set):
            yield f'<text x="{num(left)}" y="{num(top - 4)}" font-size="9.5">{caption(sheet)}</text>'

    def _layers(self, sheet: Sheet) -> Iterator[str]:
        found = signs.placed(sheet)
        names = labels.labels(sheet, found, counters.room_of(sheet))
        if sheet.hexed:
            yield from ground.ground(sheet, labels.halos(sheet, names))
            if self.whole:
                yield f'<g font-family="{SERIF}">'
                yield from ground.realms(sheet)
                yield "</g>"
            yield from ground.borders(sheet)
        else:
            yield from shapes.shapes(sheet)
            yield from labels.halos(sheet, names)
        yield from strokes.ways(sheet)
        if sheet.hexed:
            yield from ground.off_sheet(sheet)
        yield from self._lit(sheet)
        if self.ids != NEVER and sheet.hexed:
            yield from self._ids(sheet)
        yield from signs.signs(found)
        if sheet.hexed:
            yield from beyond.written(sheet, beyond.names(sheet, waters.wet_cells(sheet)))
        yield '<g text-anchor="middle">'
        yield from labels.names(sheet, names)
        yield "</g>"
        yield f'<g font-family="{SANS}">'
        yield from counters.counters(sheet)
        yield "</g>"

    def _lit(self, sheet: Sheet) -> Iterator[str]:
        for place in sheet.shown:
            if place in self.lit and sheet.hexed:
                yield f'<path d="{ground.ring(sheet, place)}" fill="none" stroke="#b02a1c" stroke-width="2.4"/>'

    def _ids(self, sheet: Sheet) -> Iterator[str]:
        pale = ".7" if self.whole else "1"
        yield (
            f'<g class="rw-ids" font-family="{SANS}" font-size="6" text-anchor="middle" fill="#6f674e">'
            if self.ids == WHEN_ZOOMED
            else f'<g font-family="{SANS}" font-size="6" text-anchor="middle" fill="#6f674e" fill-opacity="{pale}">'
        )
        lift = 15.5 if sheet.board.grid.staggered == "rows" else 13.5
        for place in sheet.shown:
            if place in sheet.spots:
                x, y = sheet.spots[place]
                yield f'<text x="{num(x)}" y="{num(y - lift)}">{escape(place)}</text>'
        yield "</g>"


def caption(sheet: Sheet) -> str:
    """What a panel shows: its largest place, or the first of its hexes, and as many letters as fit above it."""
    ranks: dict[str, int] = {}
    for place, rank in labels.ranks(sheet):
        ranks[place] = min(rank, ranks.get(place, 9))
    named = [(ranks.get(place, 5), name) for name, place in sheet.board.names.items() if place in sheet.shown_set]
    fits = max(8, int(sheet.wide / 5.5))
    return said(min(named)[1] if named else sheet.shown[0], fits)


__all__ = ["ALWAYS", "NEVER", "WHEN_ZOOMED", "Picture", "Piece", "Position", "draw", "draw_map"]
