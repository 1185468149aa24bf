"""Long curves of a picture in few bytes: a board goes over the wire before anybody sees it.

In:  an SVG picture whose paths are written in absolute coordinates.
Out: the same; long paths with bends are written in whole units, each from the point before. Points are rounded where
     they lie, so that no error adds up.
"""

from __future__ import annotations

import re

LONG = 1500
"""Shorter paths stay as they are: little would be won."""
PATH = re.compile(rf' d="(M[^"]{{{LONG},}})"')
STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def shortened(svg: str) -> str:
    """The picture with its long curves in relative, whole units."""
    return PATH.sub(lambda found: f' d="{relative(found[1])}"', svg)


def relative(d: str) -> str:
    """A path of moves, lines and quadratic bends, each from where the one before ended; any other as it is."""
    steps = [(command, NUMBER.findall(body)) for command, body in STEP.findall(d)]
    if not {command for command, _ in steps} <= {*"MLQz"} or "Q" not in d:
        return d
    x = y = begun_x = begun_y = 0
    found = []
    for command, numbers in steps:
        spots = [(round(float(a)), round(float(b))) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
        if command == "M":
            (x, y), *spots = spots
            begun_x, begun_y = x, y
            found.append(f"M{x} {y}")
        elif command == "z":
            x, y = begun_x, begun_y
            found.append("z")
        size = 2 if command == "Q" else 1
        for k in range(0, len(spots), size):
            part = spots[k : k + size]
            found.append(("q" if size == 2 else "l") + " ".join(f"{a - x} {b - y}" for a, b in part))
            x, y = part[-1]
    return "".join(found)
