"""Looks: the words of a `style` block, and what one line of it says.

In:  nothing; these are the values that `read/styles.py` builds, `check/styles.py` checks and `pages/map` draws.
Out: `Look` and `StyleLine`, and the vocabulary that looks are written in.
"""

from __future__ import annotations

from rulewright.dsl.records import dataclass
from rulewright.dsl.source import Span

COLORS = {
    "black": "#2b2a28",
    "white": "#fbf9f2",
    "gray": "#9a9d98",
    "silver": "#cfd2cc",
    "field_gray": "#8f9a8c",
    "red": "#c8452f",
    "crimson": "#9c2f2a",
    "pink": "#e3b5aa",
    "brown": "#8d6f4a",
    "tan": "#d8bd94",
    "sand": "#f2e2b0",
    "parchment": "#f3ecd6",
    "orange": "#d98a3d",
    "yellow": "#ecd36a",
    "gold": "#c9a227",
    "olive": "#8a8b4f",
    "green": "#6f9154",
    "pale_green": "#c3d6a0",
    "dark_green": "#3f6b45",
    "teal": "#4f8a80",
    "sky": "#bcd6e6",
    "water": "#5b93bf",
    "blue": "#3f6fa5",
    "navy": "#22405f",
    "purple": "#7d5a86",
}
"""Colors by name, chosen so that they go together on one sheet; any other is written \"#c3d6a0\", in quotes."""

PATTERNS = ("plain", "trees", "conifers", "peaks", "hills", "tufts", "waves", "dots", "hatch", "crosshatch", "blocks")
"""What fills a hex."""
SIGNS = (
    "dot", "ring", "square", "diamond", "triangle", "star", "anchor", "derrick", "fort", "factory", "flag", "cross",
    "knot",
)  # fmt: skip
"""What stands in a hex."""
STROKES = ("solid", "dashes", "dotted", "ties", "river", "channel", "double", "ticks", "link")
"""How a line or a hexside is drawn: `ties` as a railway, `river` winding, `double` as a road, `ticks` as a
rampart, `channel` as a narrow water with its shores, `link` across the side."""
WIDTHS = ("thin", "wide", "broad")
BORDERS = ("border", "names")
"""`border` draws a line between different values of a field; `names` prints each value in the middle of its hexes."""
SHAPES = ("box", "round", "cut")
"""The outline of counters."""
BADGES = ("dot", "ring", "cross", "bar", "pips", "slash", "star", "fade")
"""What is laid on a counter while a mark holds; `pips` are as many as the mark counts."""
SYMBOLS = (
    "air", "airborne", "antiaircraft", "antitank", "armor", "artillery", "assault_gun", "bicycle", "cavalry",
    "construction", "engineer", "factory", "fortification", "guerrilla", "headquarters", "infantry", "leader",
    "light_armor", "light_infantry", "machine_gun", "marine", "marker", "mechanized", "motorized", "mountain",
    "mountain_cavalry", "police", "railroad_artillery", "railroad_engineer", "reconnaissance", "rocket", "security",
    "ship", "ski", "supply", "transport",
)  # fmt: skip
"""Unit symbols: the names of the sprite `pages/map/symbols.svg`."""
COAST = ("coast",)
AREAS = ("land", "water", "river", "border", "name")
"""What an outline of the picture is; `name` only prints its name there."""
COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
LENGTHS = ("km", "miles")
"""What the scale of a map counts."""

WORDS: dict[str, tuple[str, ...]] = {
    "ground": (*PATTERNS, *COAST),
    "hex": (*PATTERNS, *SIGNS, *BORDERS, *STROKES, *WIDTHS, *COAST),
    "sides": (*STROKES, *WIDTHS),
    "lines": (*STROKES, *WIDTHS),
    "side": SHAPES,
    "unit": (*SHAPES, *SYMBOLS, *BADGES),
    "shape": (*AREAS, *WIDTHS),
    "at": (),
    "bank": COMPASS,
    "north": (),
    "scale": LENGTHS,
    "counter": (),
    "hidden": (),
}
"""The words that a line may hold, by what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How something is drawn: its colors, words of the vocabulary, and what else the line gives.

    `rank` is that of the label (1 is the largest), `size` the mark of a formation (XX for a division), `text` what a
    badge says, `points` places as (x, y), y growing to the south; `globe` when they were given as degrees; `hexes`
    places by their ids, runs as A..B; `number` what a line about the whole picture says; `label` what the legend says.
    """

    colors: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    rank: int = 0
    size: str = ""
    text: str = ""
    prints: str = ""
    points: tuple[tuple[float, float], ...] = ()
    globe: bool = False
    hexes: tuple[str, ...] = ()
    number: float = 0.0
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleLine:
    """One line of a `style` block: what it is about (`about`, `name`, perhaps a `value`), and how that looks."""

    about: str
    name: str
    value: str
    look: Look
    text: str
    case: str
    overlay: str
    span: Span
