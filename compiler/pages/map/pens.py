"""Pens: a path drawn in one of the strokes of style.

In:  the path, a stroke.
Out: a piece of SVG.
"""

from __future__ import annotations

from .paper import num
from .style import Stroke, darker, paler


def drawn(d: str, stroke: Stroke) -> str:
    """A path in one of the strokes."""
    body = f'fill="none" stroke="{stroke.color}" stroke-linejoin="round"'
    w = stroke.width
    match stroke.stroke:
        case "river":
            pale = paler(stroke.color, 0.78)
            return (
                f'<path d="{d}" fill="none" stroke="{pale}" stroke-width="{num(w + 2)}" stroke-linejoin="round"'
                f' stroke-linecap="round" stroke-opacity=".8"/>'
                f'<path d="{d}" {body} stroke-width="{num(w)}" stroke-linecap="round"/>'
            )
        case "channel":
            return (
                f'<path d="{d}" fill="none" stroke="{darker(stroke.color, 0.55)}"'
                f' stroke-width="{num(3 * w + 2.4)}" stroke-linejoin="round"/>'
                f'<path d="{d}" {body} stroke-width="{num(3 * w)}" stroke-linecap="round"/>'
            )
        case "ties":
            return (
                f'<path d="{d}" {body} stroke-width="{num(w * 1.4)}" stroke-dasharray="{dashed(stroke, 1, 5)}"/>'
                f'<path d="{d}" {body} stroke-width="{num(w * 0.42)}"/>'
            )
        case "double":
            return (
                f'<path d="{d}" {body} stroke-width="{num(w)}"/>'
                f'<path d="{d}" fill="none" stroke="#fbf7ea" stroke-width="{num(w * 0.45)}" stroke-linejoin="round"/>'
            )
        case "ticks":
            return (
                f'<path d="{d}" {body} stroke-width="{num(w * 0.5)}"/>'
                f'<path d="{d}" {body} stroke-width="{num(w * 1.8)}" stroke-dasharray="{dashed(stroke, 2, 4)}"/>'
            )
        case "dashes" | "dotted":
            dashes = dashed(stroke, *((7, 4) if stroke.stroke == "dashes" else (0.1, 4.5)))
            return f'<path d="{d}" {body} stroke-width="{num(w)}" stroke-dasharray="{dashes}" stroke-linecap="round"/>'
        case _:
            return f'<path d="{d}" {body} stroke-width="{num(w)}" stroke-linecap="round"/>'


def dashed(stroke: Stroke, on: float, off: float) -> str:
    """The lengths of dashes and gaps."""
    return f"{num(on * stroke.grown)} {num(off * stroke.grown)}"
