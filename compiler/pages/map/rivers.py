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

RISING = (0.5, 0.75)
"""How thin a river is in its first parts, and how many bends each of them has."""
BENDS = 2


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
    for k, rises in enumerate(course.rises):
        if rises:
            for nr in range(len(shares)):
                share = RISING[nr // BENDS] if nr // BENDS < len(RISING) else 1.0
                at = nr if k == 0 else len(shares) - 1 - nr
                shares[at] = min(shares[at], share)
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
