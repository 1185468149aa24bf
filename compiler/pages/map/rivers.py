"""Rivers: each one smooth line, thin where it rises.

In:  a `Sheet`: rivers along hexsides, through hexes, and courses that only the picture has.
Out: pieces of SVG, the widest rivers on top.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from .network import Course, courses
from .paper import between, pair, path
from .pens import body, rim
from .sheet import Sheet
from .style import Stroke

GROWS = 5
"""By how many steps a river reaches its full width from where it rises, or from one drawn thinner."""
THIN = 0.5
"""One that is thinner at first takes all of these steps, another two."""
BENDS = 2
"""How many bends each of them has."""


def rivers(sheet: Sheet) -> Iterator[str]:
    """Every river of the sheet, the thin below the wide."""
    found = courses(sheet)
    layers: dict[Stroke, None] = dict.fromkeys(c.stroke for c in sorted(found, key=lambda c: c.stroke.width))
    for stroke in layers:
        parts: dict[float, list[str]] = {}
        for course in found:
            if course.stroke == stroke:
                for share, text in drawn_parts(course):
                    parts.setdefault(share, []).append(text)
        widths = {share: replace(stroke, width=stroke.width * share) for share in sorted(parts)}
        yield from (rim("".join(parts[share]), pen) for share, pen in widths.items())
        yield from (body("".join(parts[share]), pen) for share, pen in widths.items())


def drawn_parts(course: Course) -> Iterator[tuple[float, str]]:
    """The line of a river in parts, each with its share of the full width: thin where it rises."""
    points = course.points
    bends = len(points) - 2
    shares = [1.0] * max(1, bends + 1)
    for k, thin in enumerate(course.starts):
        steps = GROWS if thin < THIN else 2
        for nr in range(min(len(shares), steps * BENDS) if thin < 1 else 0):
            share = thin + (1 - thin) * (nr // BENDS) / steps
            at = nr if k == 0 else len(shares) - 1 - nr
            shares[at] = min(shares[at], round(share, 3))
    if bends < 1:
        yield shares[0], path(points)
        return
    text, share = f"M{pair(points[0])}L{pair(between(points[0], points[1]))}", shares[0]
    for nr, (one, two) in enumerate(pairwise(points[1:]), 1):
        if shares[nr] != share:
            yield share, text
            text, share = f"M{pair(between(points[nr - 1], points[nr]))}", shares[nr]
        text += f"Q{pair(one)} {pair(between(one, two))}"
    yield share, text + f"L{pair(points[-1])}"
