"""Pens: a path drawn in one of the strokes of style.

In:  the path, a stroke.
Out: a piece of SVG.
"""

from __future__ import annotations

from .paper import num
from .style import Stroke, darker, paler


def drawn(d: str, stroke: Stroke) -> str:
    """A path in one of the strokes."""
    pen = f'fill="none" stroke="{stroke.color}" stroke-linejoin="round"'
    w = stroke.width
    match stroke.stroke:
        case "river":
            return rim(d, stroke) + body(d, stroke)
        case "channel":
            return (
                f'<path d="{d}" fill="none" stroke="{darker(stroke.color, 0.55)}"'
                f' stroke-width="{num(3 * w + 2.4)}" stroke-linejoin="round"/>'
                f'<path d="{d}" {pen} stroke-width="{num(3 * w)}" stroke-linecap="round"/>'
            )
        case "ties":
            return (
                f'<path d="{d}" {pen} stroke-width="{num(w * 1.4)}" stroke-dasharray="{dashed(stroke, 1, 5)}"/>'
                f'<path d="{d}" {pen} stroke-width="{num(w * 0.42)}"/>'
            )
        case "double":
            return (
                f'<path d="{d}" {pen} stroke-width="{num(w)}"/>'
                f'<path d="{d}" fill="none" stroke="#fbf7ea" stroke-width="{num(w * 0.45)}" stroke-linejoin="round"/>'
            )
        case "ticks":
            return (
                f'<path d="{d}" {pen} stroke-width="{num(w * 0.5)}"/>'
                f'<path d="{d}" {pen} stroke-width="{num(w * 1.8)}" stroke-dasharray="{dashed(stroke, 2, 4)}"/>'
            )
        case "dashes" | "dotted":
            dashes = dashed(stroke, *((7, 4) if stroke.stroke == "dashes" else (0.1, 4.5)))
            return f'<path d="{d}" {pen} stroke-width="{num(w)}" stroke-dasharray="{dashes}" stroke-linecap="round"/>'
        case _:
            return f'<path d="{d}" {pen} stroke-width="{num(w)}" stroke-linecap="round"/>'


def rim(d: str, stroke: Stroke) -> str:
    """The pale rim that parts a river from what it crosses."""
    return (
        f'<path d="{d}" fill="none" stroke="{paler(stroke.color, 0.78)}" stroke-width="{num(stroke.width + 2)}"'
        f' stroke-linejoin="round" stroke-linecap="round" stroke-opacity=".8"/>'
    )


def body(d: str, stroke: Stroke) -> str:
    """A river's water."""
    return (
        f'<path d="{d}" fill="none" stroke="{stroke.color}" stroke-linejoin="round"'
        f' stroke-width="{num(stroke.width)}" stroke-linecap="round"/>'
    )


def dashed(stroke: Stroke, on: float, off: float) -> str:
    """The lengths of dashes and gaps."""
    return f"{num(on * stroke.grown)} {num(off * stroke.grown)}"
