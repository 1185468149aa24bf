"""The legend: every sign that a map uses, with its words, group by group in rows below the frame.

In:  the sheets of a picture and its width.
Out: pieces of SVG, and how high they are. The words are those that the style gives in quotes, or the name of the thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.looks import BADGES, SYMBOLS
from .counters import badges, sprite, stacks
from .counters import text as lettered
from .paper import INK, SANS, num, said, wide
from .patterns import SCATTERED, glyph, tile
from .pens import drawn
from .shapes import river_under
from .sheet import Piece, Sheet
from .signs import sign
from .style import Fill, darker, first, pick
from .waters import band

SIZE = 10.5
ROW = 21.0
COLUMN = 104.0
"""About how wide a column is; a heading takes one, an entry as many as its words need."""
GAP = 22.0
LONGEST = 44
Entry = tuple[str, str]
"""A swatch of 27 by 20 round (13, 0), and what it stands for."""


def legend(sheets: Sequence[Sheet], width: float, key: str) -> tuple[list[str], float]:
    """The groups from (0, 0) on, and the height that they take: each from a column on, short ones side by side."""
    found: list[str] = []
    columns = max(2, int(width / COLUMN))
    column, y, at = width / columns, 14.0, 0
    for heading, entries in groups(sheets, key):
        spans = [min(columns - 1, -int(-(36 + wide(said(name, LONGEST), SIZE)) // column)) for _, name in entries]
        if at and at + 1 + sum(spans) > columns:
            at, y = 0, y + ROW
        found.append(
            f'<text x="{num(column * at + (GAP if at else 0))}" y="{num(y + 4)}" font-size="{num(SIZE - 1)}"'
            f' font-weight="bold" letter-spacing=".8" fill="#6b5a3c">{heading.upper()}</text>'
        )
        at += 1
        for (swatch_, name), span in zip(entries, spans, strict=True):
            if at + span > columns:
                at, y = 1, y + ROW
            found.append(
                f'<g transform="translate({num(column * at)} {num(y)})">{swatch_}'
                f'<text x="32" y="4" font-size="{num(SIZE)}">{said(name, LONGEST)}</text></g>'
            )
            at += span
    return found, (y + 14 if found else 0.0)


def groups(sheets: Sequence[Sheet], key: str) -> Iterator[tuple[str, list[Entry]]]:
    """The groups that have entries; of two entries with the same words only the first."""
    for heading, found in (
        ("Terrain", terrain(sheets, key)),
        ("Waters", (*waters(sheets), *courses(sheets))),
        ("Hexsides", hexsides(sheets)),
        ("Lines", lines(sheets)),
        ("Places", places(sheets)),
        ("Counters", counters(sheets, key)),
    ):
        once: dict[str, Entry] = {}
        for entry in found:
            once.setdefault(entry[1], entry)
        if once:
            yield heading, list(once.values())


def plain(name: str) -> str:
    """A name of the book as words."""
    return name.replace("_", " ")


def terrain(sheets: Sequence[Sheet], key: str) -> Iterator[Entry]:
    """What fills hexes."""
    sheet = sheets[0]
    if not sheet.hexed:
        return
    land = sheet.style.looks.get(("ground", "land", ""))
    if land is not None and land.label:
        color, pattern = sheet.style.ground("land")
        yield swatch(Fill(field="", value="", color=color, pattern=pattern, ink=darker(color)), f"{key}l"), land.label
    for k, fill in enumerate(sheet.style.fills(sheet.board)):
        if (fill.color or fill.pattern != "plain") and held(sheets, fill.field, fill.value):
            yield swatch(fill, f"{key}l{k}"), fill.label or plain(fill.value or fill.field)


def waters(sheets: Sequence[Sheet]) -> Iterator[Entry]:
    """Rivers, and other waters between hexes."""
    style, board = sheets[0].style, sheets[0].board
    for stroke in (*style.sides(board), *style.ways(board)):
        if stroke.stroke not in ("river", "channel") or not used(sheets, stroke.name):
            continue
        name = stroke.label or plain(stroke.name)
        if stroke.stroke == "channel":
            ring = band([(1, 3), (8, -2), (18, 3), (26, -2)], 4.0, (False, False))
            d = "M" + "L".join(f"{num(x)} {num(y)}" for x, y in ring) + "z"
            ink = darker(stroke.color, 0.5)
            body = f'<path d="{d}" fill="{stroke.color}" stroke="{ink}" stroke-width="1"/>'
            over = f'<path d="M13 -6V6" stroke="{stroke.link}" stroke-width="2.6"/>' if stroke.link else ""
            yield body + over, name
        else:
            yield drawn("M2 0C9 -5 17 5 25 0", stroke), name


def courses(sheets: Sequence[Sheet]) -> Iterator[Entry]:
    """The rivers under a map of points."""
    for sheet in sheets:
        if not sheet.hexed and any("river" in look.words for look in sheet.style.shapes().values()):
            yield drawn("M2 0C9 -5 17 5 25 0", river_under(sheet)), "river"


def hexsides(sheets: Sequence[Sheet]) -> Iterator[Entry]:
    """Other signs on hexsides."""
    for stroke in sheets[0].style.sides(sheets[0].board):
        if stroke.stroke not in ("river", "channel") and any(
            h in sheet.shown_set for sheet in sheets for side in sheet.board.sides.get(stroke.name, ()) for h in side
        ):
            yield drawn("M2 0H25", stroke), stroke.label or plain(stroke.name)


def lines(sheets: Sequence[Sheet]) -> Iterator[Entry]:
    """Railways, roads, borders."""
    style, board = sheets[0].style, sheets[0].board
    for stroke in style.ways(board):
        if stroke.stroke != "river" and used(sheets, stroke.name):
            yield drawn("M2 0H25", stroke), stroke.label or plain(stroke.name)
    for stroke in style.borders(board):
        if stroke.stroke and any(h in sheet.shown_set for sheet in sheets for h in board.fields.get(stroke.name, {})):
            yield drawn("M2 0H25", stroke), stroke.label or f"border of a {plain(stroke.name)}"


def places(sheets: Sequence[Sheet]) -> Iterator[Entry]:
    """What stands in hexes."""
    sides = {name for about, name, _ in sheets[0].style.looks if about == "side"}
    for sign_ in sheets[0].style.signs(sheets[0].board):
        if sign_.sign and held(sheets, sign_.field, sign_.value):
            ahead = sign_.value and sign_.value not in sides and not sign_.value.isdigit()
            words = (sign_.value, sign_.field) if ahead else (sign_.field, sign_.value)
            yield sign(sign_.sign, (14, 0), sign_.color), sign_.label or plain(" ".join(words).strip())


def counters(sheets: Sequence[Sheet], key: str) -> Iterator[Entry]:
    """What counters print: sides, the numbers at the foot, symbols, sizes, marks; of a set-up, what is in it."""
    style, pieces = sheets[0].style, pieces_of(sheets)
    for (about, name, _), look in style.looks.items():
        if about == "side" and (not pieces or any(p.fields.get("side") == name for p in pieces)):
            color = first(look.colors, "#cccccc")
            box = f'<rect x="5.5" y="-8" width="15" height="15" rx="{5 if "round" in look.words else 1}" fill="{color}"'
            yield f'{box} stroke="{darker(color, 0.45)}"/>', look.label or plain(name)
    told = style.looks.get(("counter", "", ""))
    if told is not None and told.prints:
        parts = [x for x in told.prints.split("-") if x]
        digits = "-".join("46389"[: len(parts)])
        yield letters(digits, 9.5), told.label or " – ".join(plain(x) for x in parts)
    for symbol, name in kinds(sheets):
        frame = 'x="2" y="-8" width="22" height="15"'
        box = f'<rect {frame} fill="#fffdf5" stroke="#1d1d1b" stroke-width=".9"/>'
        yield f'{box}<use href="#{key}s-{symbol}" {frame} color="#1d1d1b" overflow="hidden"/>', name
    for (about, name, value), look in style.looks.items():
        if about != "unit" or (pieces and not any(carries(p, name, value) for p in pieces)):
            continue
        if look.size and value:
            yield letters(look.size, 8.5 if len(look.size) < 4 else 5.6), look.label or plain(value)
        elif look.text or (look.label and set(look.words) & set(BADGES)):
            color = first(look.colors, INK)
            badge = pick(look, BADGES, "")
            if look.text:
                disc = f'<circle cx="13" cy="-.5" r="7" fill="{color}" stroke="#fffdf5"/>'
                body = disc + letters(look.text, 7.5, "#fffdf5", -1)
            elif badge in ("dot", "pips"):
                spots = (13,) if badge == "dot" else (10, 16)
                body = "".join(
                    f'<circle cx="{x}" cy="-.5" r="{3.4 if badge == "dot" else 2}" fill="{color}"/>' for x in spots
                )
            else:
                body = f'<g transform="translate(13 0) scale(.6)">{"".join(badges([(badge, "", color)]))}</g>'
            yield body, look.label or plain(value or name)


def letters(words: str, size: float, ink: str = INK, lift: float = 0.0) -> str:
    """Letters in the place of a swatch."""
    return f'<g font-family="{SANS}">{lettered(13, 4 + lift, words, size, ink, bold=True)}</g>'


def kinds(sheets: Sequence[Sheet]) -> list[tuple[str, str]]:
    """The unit symbols and what each stands for; of several words for one the first."""
    pieces = pieces_of(sheets)
    found: dict[str, str] = {}
    for (about, name, value), look in sheets[0].style.looks.items():
        symbol = pick(look, SYMBOLS, "") if about == "unit" and value else ""
        if symbol and symbol in sprite() and (not pieces or any(carries(p, name, value) for p in pieces)):
            found.setdefault(symbol, look.label or plain(value))
    return list(found.items())


def pieces_of(sheets: Sequence[Sheet]) -> list[Piece]:
    return [p for sheet in sheets for stack in stacks(sheet).values() for p in stack]


def carries(piece: Piece, name: str, value: str) -> bool:
    """Whether a line of style about units holds for one."""
    here = piece.fields.get(name)
    return str(here) == value if value else here not in (None, False, 0, "")


def held(sheets: Sequence[Sheet], field: str, value: str) -> bool:
    """Whether a hex that is shown has the field, or has it with this value."""
    return any(
        h in sheet.shown_set and (v is True or str(v) == value)
        for sheet in sheets
        for h, v in sheet.held(field).items()
    )


def used(sheets: Sequence[Sheet], name: str) -> bool:
    """Whether a kind of hexside or line is on a part that is shown."""
    board = sheets[0].board
    shown = {h for sheet in sheets for h in sheet.shown}
    return any(h in shown for side in board.sides.get(name, ()) for h in side) or any(
        h in shown for _, chain in board.lines.get(name, ()) for h in chain
    )


def swatch(fill: Fill, id: str) -> str:
    """A small piece of a fill."""
    color = fill.color or "#fbf7ea"
    box = f'<rect x="2" y="-8" width="23" height="15" fill="{color}" stroke="#8d8468" stroke-width=".7"/>'
    if fill.pattern in SCATTERED:
        marks = "".join(glyph(fill.pattern, dx, dy, fill.ink) for dx, dy in ((-12, 2), (2, -5), (13, 5), (-2, 9)))
        return f'{box}<g transform="translate(13.5 -1) scale(.6)">{marks}</g>'
    if fill.pattern != "plain":
        return f'{box}{tile(id, fill)}<rect x="2" y="-8" width="23" height="15" fill="url(#{id})"/>'
    return box
