"""Patterns: what fills hexes besides a color, as tiles or as little signs scattered over a hex.

In:  a fill, or the kind of a sign and its place.
Out: pieces of SVG.
"""

from __future__ import annotations

from .paper import num
from .style import Fill

SCATTERED = ("trees", "conifers", "peaks", "hills", "tufts")
SPOTS = ((-12, -5), (2, -12), (12, 0), (-3, 6), (9, 12), (-13, 10))


def tile(id: str, fill: Fill) -> str:
    """A pattern that repeats."""
    ink = f'stroke="{fill.ink}" fill="none" stroke-opacity=".55"'
    match fill.pattern:
        case "hatch":
            size, marks = 8, f'<path d="M-2 10L10 -2M-2 2L2 -2M6 10L10 6" {ink} stroke-width="1"/>'
        case "crosshatch":
            size, marks = 9, f'<path d="M-2 11L11 -2M-2 -2L11 11" {ink} stroke-width=".9"/>'
        case "dots":
            size = 9
            marks = "".join(f'<circle cx="{num(at)}" cy="{num(at)}" r="1.1" fill="{fill.ink}"/>' for at in (2.5, 7))
        case "blocks":
            size = 12
            marks = f'<path d="M2 2h4v4h-4zM8 7h3v3h-3z" fill="{fill.ink}" fill-opacity=".6"/>'
        case _:
            size, marks = 24, f'<path d="M2 7q3 -4 6 0t6 0M13 18q3 -4 6 0t6 0" {ink} stroke-width="1.1"/>'
    return f'<pattern id="{id}" width="{size}" height="{size}" patternUnits="userSpaceOnUse">{marks}</pattern>'


def glyph(kind: str, x: float, y: float, ink: str) -> str:
    """One little sign of a scattered pattern."""
    match kind:
        case "trees":
            return (
                f'<path d="M{num(x)} {num(y + 5)}v-4" stroke="{ink}"/>'
                f'<circle cx="{num(x)}" cy="{num(y - 1)}" r="3.3" fill="{ink}" fill-opacity=".75"/>'
            )
        case "conifers":
            return f'<path d="M{num(x - 3)} {num(y + 4)}l3 -9l3 9z" fill="{ink}" fill-opacity=".8"/>'
        case "peaks":
            if (x + y) % 3 == 1:
                return ""
            slope = f"M{num(x - 7)} {num(y + 5)}l7 -11l7 11"
            ridge = f"M{num(x)} {num(y - 6)}l2 5l-2 2l2 4"
            return (
                f'<path d="{slope}z" fill="{ink}" fill-opacity=".45"/>'
                f'<path d="{slope}{ridge}" fill="none" stroke="{ink}"/>'
            )
        case "hills":
            return f'<path d="M{num(x - 6)} {num(y + 3)}q6 -9 12 0" fill="none" stroke="{ink}" stroke-width="1.2"/>'
        case _:
            reeds = f"M{num(x - 5)} {num(y)}h10m-7 0v-3m2 3v-5m2 5v-3"
            return f'<path d="{reeds}" fill="none" stroke="{ink}" stroke-width="1.2"/>'
