"""Style: the looks of a book by what they are about, with a pattern for whatever has none.

In:  the style lines of a book, and the fields of hexes that it declares.
Out: `Style`, which answers how each field, hexside, line, side and counter is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rulewright.dsl.records import dataclass

from ...core import nodes as c
from ...core.looks import (
    BADGES,
    COLORS,
    COMPASS,
    PATTERNS,
    SHAPES,
    SIGNS,
    STROKES,
    SYMBOLS,
    WIDTHS,
    Look,
    StyleLine,
)
from ...core.maps import Map

LAND = COLORS["parchment"]
SEA = COLORS["sky"]
STRANGE = ("#e6d9bd", "#d9dcc9", "#e3d3cb", "#d4dbe0", "#ded3e0", "#e9e0c4")
STRANGE_INK = ("#7a5f3a", "#5f6b3d", "#8a4f43", "#44606f", "#6d5077", "#7d6b2c")
ODD = ("hatch", "dots", "crosshatch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """What fills hexes: those where the field has the value."""

    field: str
    value: str
    color: str
    pattern: str
    ink: str
    label: str = ""
    water: bool = False
    """Whether it is open water, with a shore."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """What stands in hexes where the field holds, or has the value."""

    field: str
    value: str
    sign: str
    color: str
    rank: int
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """How a line, a hexside or a border is drawn."""

    name: str
    stroke: str
    width: float
    color: str
    names: bool = False
    link: str = ""
    """The color of a mark across a narrow water, where there is a way over it."""
    label: str = ""
    grown: float = 1.0
    """How much longer its dashes are; on a large map lines are as much wider."""


class Style:
    """The looks of one book; of two for one thing the later counts."""

    def __init__(self, lines: Iterable[StyleLine] = (), fields: Collection[str] | None = None) -> None:
        self.lines = tuple(lines)
        self.fields = fields
        self.looks: dict[tuple[str, str, str], Look] = {}
        for line in self.lines:
            self.looks.pop((line.about, line.name, line.value), None)
            self.looks[line.about, line.name, line.value] = line.look
        self.hidden = {(line.value, line.name) for line in self.lines if line.about == "hidden"}

    # ------------------------------------------------------------ the ground

    def ground(self, name: str, part: str = "") -> tuple[str, str]:
        """The color and the pattern of the land, of what lies beyond it, or of one part of that."""
        look = self.looks.get(("ground", name, part), Look())
        default = LAND if name == "land" else SEA
        return first(look.colors, default), pick(look, PATTERNS, "plain")

    def parts(self) -> list[str]:
        """The hexes off the map that stand for parts of what lies beyond it."""
        return [part for about, name, part in self.looks if about == "ground" and part]

    @property
    def coast(self) -> bool:
        """Whether what lies beyond the hexes is water, so that the land has a shore."""
        look = self.looks.get(("ground", "beyond", ""))
        return look is None or "coast" in look.words

    # ------------------------------------------------------------ fields of hexes

    def shown(self, board: Map) -> list[str]:
        """The fields that are drawn, in the order of the style, then of the map."""
        told = dict.fromkeys(name for about, name, _ in self.looks if about == "hex")
        every = [*(f for f in told if f in board.fields), *(f for f in board.fields if f not in told)]
        declared = self.fields
        return [f for f in every if ("hex", f) not in self.hidden and (declared is None or f in declared or f in told)]

    def fills(self, board: Map) -> list[Fill]:
        """What fills hexes, in the order in which it is laid on."""
        found: list[Fill] = []
        for field in self.shown(board):
            values = values_of(board, field)
            told = {v for v in values if ("hex", field, v) in self.looks}
            whole = self.looks.get(("hex", field, ""))
            bordered = whole is not None and "border" in whole.words
            strange = (bool(told) and not bordered) or (whole is None and not found)
            for value in values:
                look = self.looks.get(("hex", field, value))
                if look is None and whole is not None and "border" not in whole.words:
                    look = whole
                if look is not None and not (set(look.words) & {*SIGNS, "border", "names"}):
                    color, pattern = first(look.colors, ""), pick(look, PATTERNS, "plain")
                    ink = look.colors[1] if len(look.colors) > 1 else darker(color or LAND)
                    water = "coast" in look.words
                    found.append(
                        Fill(
                            field=field,
                            value=value,
                            color=color,
                            pattern=pattern,
                            ink=ink,
                            label=look.label,
                            water=water,
                        )
                    )
                elif look is None and value and strange:
                    found.append(strange_fill(field, value))
        return found

    def borders(self, board: Map) -> list[Stroke]:
        """The fields between whose values a line is drawn."""
        filled = {fill.field for fill in self.fills(board)}
        found = []
        for field in self.shown(board):
            look = self.looks.get(("hex", field, ""))
            if look is not None and {"border", "names"} & set(look.words):
                stroke = stroke_of(field, look, COLORS["crimson"], "dashes", 2.2)
                if "border" not in look.words:
                    stroke = Stroke(name=field, stroke="", width=0, color=stroke.color, names=True, label=look.label)
                found.append(stroke)
            elif look is None and field not in filled and not self._told(field) and any(values_of(board, field)):
                color = STRANGE_INK[number(field) % len(STRANGE_INK)]
                found.append(Stroke(name=field, stroke="dotted", width=1.6, color=color))
        return found

    def _told(self, field: str) -> bool:
        """Whether a line of style tells about a value of a field of hexes."""
        return any(about == "hex" and name == field for about, name, _ in self.looks)

    def signs(self, board: Map) -> list[Sign]:
        """What stands in hexes; the later lines of the style stand above the earlier."""
        found = []
        told = [name for about, name, _ in self.looks if about == "hex" and name not in board.fields]
        for field in dict.fromkeys([*self.shown(board), *told]):
            own = {v for about, name, v in self.looks if about == "hex" and name == field}
            for value in values_of(board, field) or sorted(own):
                look = self.looks.get(("hex", field, value)) or self.looks.get(("hex", field, ""))
                if look is None and not value:
                    ink = STRANGE_INK[number(field) % len(STRANGE_INK)]
                    found.append(Sign(field=field, value="", sign="diamond", color=ink, rank=0))
                elif look is not None and (set(look.words) & set(SIGNS) or look.rank):
                    sign = pick(look, SIGNS, "")
                    ink = first(look.colors, "#fffdf5" if sign in ("dot", "ring") else COLORS["red"])
                    found.append(Sign(field=field, value=value, sign=sign, color=ink, rank=look.rank, label=look.label))
        return found

    # ------------------------------------------------------------ sides, lines, places

    def sides(self, board: Map) -> list[Stroke]:
        return self._strokes("sides", board.sides)

    def ways(self, board: Map) -> list[Stroke]:
        return self._strokes("lines", board.lines)

    def _strokes(self, about: str, names: Iterable[str]) -> list[Stroke]:
        told = dict.fromkeys(name for what, name, _ in self.looks if what == about)
        there = list(names)
        found = []
        for name in [*(x for x in told if x in there), *(x for x in there if x not in told)]:
            look = self.looks.get((about, name, ""))
            if (about, name) in self.hidden:
                continue
            if look is not None:
                found.append(stroke_of(name, look, COLORS["water"], "solid", 3.0))
            else:
                ink = STRANGE_INK[number(name) % len(STRANGE_INK)]
                found.append(Stroke(name=name, stroke="dashes", width=2.4, color=ink))
        return found

    def places(self) -> dict[str, Look]:
        """Where points lie, as far as the book says."""
        return {name: look for (about, name, _), look in self.looks.items() if about == "at"}

    def shapes(self) -> dict[str, Look]:
        """Outlines that only a picture has: seas, rivers."""
        return {name: look for (about, name, _), look in self.looks.items() if about == "shape"}

    def banks(self) -> dict[str, str]:
        """The bank on which places stand that a river runs by in their own hex."""
        return {name: pick(look, COMPASS, "") for (about, name, _), look in self.looks.items() if about == "bank"}

    def whole(self, about: str) -> Look | None:
        """A line about the whole picture: where north is, or its scale."""
        return self.looks.get((about, about, ""))

    # ------------------------------------------------------------ counters

    def counter(self, fields: Mapping[str, Any]) -> CounterLook:
        """The look of a counter with these fields and marks: all lines that hold for it, later ones over earlier."""
        color, ink, shape, symbol, size = "", "", "", "", ""
        badges: list[tuple[str, str, str]] = []
        for (about, name, value), look in self.looks.items():
            here: Any = None
            if about == "side":
                holds = fields.get("side") == name
            elif about == "unit":
                here = fields.get(name)
                holds = str(here) == value if value else here not in (None, False, 0, "")
            else:
                continue
            if not holds:
                continue
            badge = next((w for w in look.words if w in BADGES), "")
            if badge or look.text:
                many = here if about == "unit" and isinstance(here, int) else 1
                text = str(int(many)) if badge == "pips" else look.text
                badges.append((badge, text, first(look.colors, COLORS["red"])))
                continue
            color = first(look.colors, color)
            ink = look.colors[1] if len(look.colors) > 1 else ink
            shape = pick(look, SHAPES, shape)
            symbol = pick(look, SYMBOLS, symbol)
            size = look.size or size
        if not color:
            color = STRANGE[number(str(fields.get("side", ""))) % len(STRANGE)]
        return CounterLook(
            color=color,
            ink=ink or readable_on(color),
            shape=shape or "box",
            symbol=symbol,
            size=size,
            badges=tuple(badges),
            prints=self.prints(fields),
        )

    def prints(self, fields: Mapping[str, Any]) -> str:
        """What stands at the foot of a counter, each name by its value; nothing where all of them are nought."""
        foot = self.foot(fields)
        text = filled(self.looks["counter", *foot].prints, fields) if foot else ""
        return text if text.strip("0-") else ""

    def foot(self, fields: Mapping[str, Any]) -> tuple[str, str] | None:
        """The name and value of the last `counter` line that holds for a counter with these fields."""
        found = None
        for about, name, value in self.looks:
            here = fields.get(name)
            if about == "counter" and (not name or (str(here) == value if value else bool(here))):
                found = name, value
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterLook:
    color: str
    ink: str
    shape: str
    symbol: str
    size: str
    badges: tuple[tuple[str, str, str], ...]
    prints: str


def style_of(book: c.Book) -> Style:
    """The style of a book; what its map prints for overlays that are not in force is left out."""
    return Style(book.styles, {name for owner, name in book.fields if owner in ("place", "hex")})


def values_of(board: Map, field: str) -> list[str]:
    """The values that the map prints for a field; a flag has the one value ``."""
    return sorted({"" if x is True else str(x) for x in board.fields.get(field, {}).values()})


def stroke_of(name: str, look: Look, color: str, stroke: str, width: float) -> Stroke:
    share = {"thin": 0.55, "wide": 1.5, "broad": 2.2}.get(pick(look, WIDTHS, ""), 1.0)
    return Stroke(
        name=name,
        stroke=pick(look, STROKES, stroke),
        width=width * share,
        color=first(look.colors, color),
        names="names" in look.words,
        label=look.label,
        link=look.colors[-1] if "link" in look.words and "channel" in look.words and look.colors else "",
    )


def strange_fill(field: str, value: str) -> Fill:
    """A fill for a value that no line of style tells about: pale, with a pattern, always the same."""
    k = number(field + value)
    pattern = ODD[k % len(ODD)]
    color, ink = STRANGE[k % len(STRANGE)], STRANGE_INK[k % len(STRANGE_INK)]
    return Fill(field=field, value=value, color=color, pattern=pattern, ink=ink)


def filled(template: str, fields: Mapping[str, Any]) -> str:
    """A line of numbers with the names replaced by the values of a unit."""
    found, word = "", ""
    for ch in template + " ":
        if ch == "_" or ch.isalnum():
            word += ch
            continue
        value = fields.get(word, "") if word and not word[0].isdigit() else word
        found += ("" if value is None or value is False else str(value)) + ch
        word = ""
    return found.strip()


def number(name: str) -> int:
    return sum((k + 3) * ord(letter) for k, letter in enumerate(name))


def first(colors: tuple[str, ...], default: str) -> str:
    return colors[0] if colors else default


def pick(look: Look, among: tuple[str, ...], default: str) -> str:
    return next((word for word in look.words if word in among), default)


def rgb(color: str) -> tuple[int, int, int]:
    digits = color.lstrip("#")
    digits = "".join(x * 2 for x in digits) if len(digits) == 3 else digits
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def darker(color: str, share: float = 0.6) -> str:
    return "#" + "".join(f"{round(x * share):02x}" for x in rgb(color))


def paler(color: str, share: float = 0.45) -> str:
    return "#" + "".join(f"{round(x + (255 - x) * share):02x}" for x in rgb(color))


def readable_on(color: str) -> str:
    r, g, b = rgb(color)
    return "#1d1d1b" if 0.299 * r + 0.587 * g + 0.114 * b > 115 else "#fbf9f2"
