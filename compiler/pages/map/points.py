"""Maps of points: where they lie on paper.

In:  a `Map` without a grid, and the places that its style gives, in degrees or on paper.
Out: a spot for every point. Degrees are projected as an atlas does; points without a place lie where their
     neighbours are near, the same on every run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import cos, hypot, pi, radians, sin

from ...core.maps import Map, neighbors
from .paper import Point, turned
from .style import Style

NEAREST = 50.0
LINK = 70.0
MOST = 400
ROUNDS = 150

Project = Callable[[Point], Point]


def lay_out(board: Map, style: Style) -> tuple[dict[str, Point], Project]:
    """The spots of all points, and how degrees come to paper."""
    given = {board.names.get(name, name): look for name, look in style.places().items()}
    globe = {place: look.points[0] for place, look in given.items() if look.globe and place in board.hexes}
    plain = {place: look.points[0] for place, look in given.items() if not look.globe and place in board.hexes}
    project = conic(list(globe.values()), [line for chains in board.lines.values() for _, line in chains], globe)
    fixed = {**{place: project(at) for place, at in globe.items()}, **plain}
    if all(place in fixed for place in board.hexes):
        return {place: fixed[place] for place in board.hexes}, project
    return settled(board, fixed), project


# ---------------------------------------------------------------- the globe


def conic(spots: Sequence[Point], chains: Sequence[Sequence[str]], places: Mapping[str, Point]) -> Project:
    """An equidistant conic projection round these places, at a scale where linked places are well apart."""
    if not spots:
        return lambda at: at
    norths = sorted(at[1] for at in spots)
    easts = sorted(at[0] for at in spots)
    low, high = radians(norths[0] + (norths[-1] - norths[0]) / 6), radians(norths[-1] - (norths[-1] - norths[0]) / 6)
    middle = (easts[0] + easts[-1]) / 2
    n = sin(low) if abs(high - low) < 1e-6 else (cos(low) - cos(high)) / (high - low)
    if abs(n) < 1e-6:  # along the equator a cone is a cylinder
        n = 1e-6
    g = cos(low) / n + low

    def flat(at: Point) -> Point:
        angle, radius = n * radians(at[0] - middle), g - radians(at[1])
        return radius * sin(angle), radius * cos(angle)

    gaps = [
        hypot(a[0] - b[0], a[1] - b[1])
        for chain in chains
        for x, y in pairwise(chain)
        if x in places and y in places
        for a, b in [(flat(places[x]), flat(places[y]))]
    ]
    shortest = min((gap for gap in gaps if gap > 1e-6), default=0.05)
    scale = NEAREST / shortest

    def project(at: Point) -> Point:
        x, y = flat(at)
        return x * scale, y * scale

    return project


# ---------------------------------------------------------------- a layout


def settled(board: Map, fixed: Mapping[str, Point]) -> dict[str, Point]:
    """Points at distances that follow their links (stress majorization); those with a place keep it."""
    places = list(board.hexes)
    radius = NEAREST * max(3, len(places)) / (2 * pi)
    spots = {place: turned((0, 0), radius, 2 * pi * k / len(places)) for k, place in enumerate(walked(board))}
    spots.update(fixed)
    if len(places) > MOST:
        return spots
    steps = {place: reached(board, place) for place in places}
    far = 1 + max((d for row in steps.values() for d in row.values()), default=1)
    for _ in range(ROUNDS):
        for place in places:
            if place in fixed:
                continue
            x, y = spots[place]
            sx = sy = weight = 0.0
            for other in places:
                if other == place:
                    continue
                wanted = LINK * steps[place].get(other, far)
                ox, oy = spots[other]
                gap = hypot(x - ox, y - oy) or 1.0
                w = 1 / wanted**2
                sx += w * (ox + wanted * (x - ox) / gap)
                sy += w * (oy + wanted * (y - oy) / gap)
                weight += w
            if weight:
                spots[place] = (round(sx / weight, 4), round(sy / weight, 4))
    return {place: spots[place] for place in places}


def walked(board: Map) -> list[str]:
    """The points so that neighbours come one after another."""
    found: dict[str, None] = {}
    for start in board.hexes:
        found.update(dict.fromkeys(place for place in reached(board, start) if place not in found))
    return list(found)


def reached(board: Map, start: str) -> dict[str, int]:
    """How many links away each point is."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for near in neighbors(board, here):
            if near not in found:
                found[near] = found[here] + 1
                queue.append(near)
    return found
