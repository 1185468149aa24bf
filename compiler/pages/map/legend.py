"""The legend: the signs that a map uses, each with its name, in rows below the frame.

In:  the sheets of a picture and its width.
Out: pieces of SVG, and how high they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from .ground import SCATTERED, glyph, tile
from .paper import num, said, wide
from .sheet import Sheet
from .signs import sign
from .strokes import drawn
from .style import Fill

SIZE = 10.5
ROW = 21.0


def legend(sheets: Sequence[Sheet], width: float, key: str) -> tuple[list[str], float]:
    """The entries from (0, 0) on, and the height that they take."""
    found: list[str] = []
    x, y = 0.0, 14.0
    for k, (swatch, name) in enumerate(entries(sheets, key)):
        text = said(name)
        room = 30 + wide(text, SIZE) + 14
        if k and x + room > width:
            x, y = 0.0, y + ROW
        found.append(
            f'<g transform="translate({num(x)} {num(y)})">{swatch}'
            f'<text x="30" y="4" font-size="{num(SIZE)}">{text}</text></g>'
        )
        x += room
    return found, (y + 12 if found else 0.0)


def entries(sheets: Sequence[Sheet], key: str) -> list[tuple[str, str]]:
    """A swatch and a name for everything that is drawn on one of the sheets."""
    found: list[tuple[str, str]] = []
    board, style = sheets[0].board, sheets[0].style
    shown = {h for sheet in sheets for h in sheet.shown}
    for k, fill in enumerate(style.fills(board)):
        held = board.fields.get(fill.field, {})
        if any(h in shown and (v is True or str(v) == fill.value) for h, v in held.items()) and (
            fill.color or fill.pattern != "plain"
        ):
            found.append((swatch(fill, f"{key}l{k}"), fill.value or fill.field))
    sides = {name for about, name, _ in style.looks if about == "side"}
    for sign_ in style.signs(board):
        held = {h: v for sheet in sheets for h, v in sheet.held(sign_.field).items()}
        if sign_.sign and any(h in shown and (v is True or str(v) == sign_.value) for h, v in held.items()):
            plain = sign_.value and sign_.value not in sides and not sign_.value.isdigit()
            words = (sign_.value, sign_.field) if plain else (sign_.field, sign_.value)
            name = " ".join(words).strip()
            found.append((sign(sign_.sign, (14, 0), sign_.color), name))
    borders = [s for s in style.borders(board) if s.stroke]
    for stroke in (*style.sides(board), *style.ways(board), *borders):
        ends = board.sides.get(stroke.name, ())
        chains = board.lines.get(stroke.name, ())
        areas = board.fields.get(stroke.name, {})
        used = (
            any(h in shown for side in ends for h in side)
            or any(h in shown for _, chain in chains for h in chain)
            or any(h in shown for h in areas)
        )
        if used:
            course = "M2 0C9 -5 17 5 25 0" if stroke.stroke == "river" else "M2 0H25"
            found.append((drawn(course, stroke), f"border of a {stroke.name}" if stroke in borders else stroke.name))
    first = {name: k for k, (_, name) in reversed(list(enumerate(found)))}
    return [found[k] for k in sorted(first.values())]


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
