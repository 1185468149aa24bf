"""Lines over hexes and hexsides between them: rivers, railways, roads, straits.

In:  a `Sheet`.
Out: pieces of SVG, rivers below everything that crosses them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import cos, pi, sin

from ...core.looks import COMPASS
from ...core.maps import Map, hex_at, locate
from .paper import Cell, Point, between, corners, key, num, on_paper, pair, path, smooth_way, steps, turned
from .sheet import Sheet
from .style import Stroke, darker, number, paler

DASHES = {"dashes": "7 4", "dotted": ".1 4.5", "link": "none"}


def ways(sheet: Sheet) -> Iterator[str]:
    """Sides and lines, each as the style says; water first, so that bridges cross it."""
    sides, lines = sheet.style.sides(sheet.board), sheet.style.ways(sheet.board)
    for stroke in sorted(sides, key=lambda s: s.stroke != "river"):
        yield from side(sheet, stroke)
    for stroke in sorted(lines, key=lambda s: s.stroke != "river"):
        yield from line(sheet, stroke)


def line(sheet: Sheet, stroke: Stroke) -> Iterator[str]:
    """One layer of lines."""
    found = []
    for _, chain in sheet.board.lines.get(stroke.name, ()):
        for run in runs(chain, sheet):
            if stroke.stroke == "river":
                found.append(course(sheet, run, run[0] == chain[0], run[-1] == chain[-1]))
            else:
                found.append(path([sheet.spots[h] for h in run]))
    if found:
        yield drawn("".join(found), stroke)


def runs(chain: Sequence[str], sheet: Sheet) -> Iterator[list[str]]:
    """The parts of a chain that lie on this sheet or just beyond it."""
    run: list[str] = []
    for place in chain:
        if place in sheet.spots and sheet.near(place):
            run.append(place)
        elif run:
            if len(run) > 1:
                yield run
            run = []
    if len(run) > 1:
        yield run


def course(sheet: Sheet, chain: Sequence[str], source: bool, end: bool) -> str:
    """A river through hexes: through the middles of the sides, bending near the centres, out into the sea."""
    spots = [aside(sheet, h) for h in chain] if sheet.hexed else [sheet.spots[h] for h in chain]
    spring = mouth(sheet, chain[0]) if source else None
    text = f"M{pair(spring or spots[0])}"
    for one, two in pairwise(spots):
        text += f"Q{pair(one)} {pair(between(one, two))}"
    sea = mouth(sheet, chain[-1]) if end else None
    return text + (f"Q{pair(spots[-1])} {pair(sea)}" if sea else f"L{pair(spots[-1])}")


def mouth(sheet: Sheet, place: str) -> Point | None:
    """The middle of the side by which a river's last hex meets the sea, if it does."""
    at = sheet.at.get(place)
    for dx, dy in steps(sheet.board) if at and sheet.style.coast else ():
        near: Cell = (at[0] + dx, at[1] + dy) if at else (0, 0)
        there = hex_at(sheet.board.grid, near)
        if near in sheet.inner and (there not in sheet.spots or there in sheet.wet):
            return between(sheet.spots[place], on_paper(sheet.board, near))
    return None


def sway(place: str, spot: Point) -> Point:
    """A small fixed shift by id, so that long straight rivers wander a little."""
    return turned(spot, 7, 2 * pi * (number(place) * 7 % 24) / 24)


ASIDE = 21.0
"""How far off the middle of its hex a river is drawn towards which its town looks: the curve runs at half of that."""


def aside(sheet: Sheet, place: str) -> Point:
    """Where a river bends in a hex: off the town, if one stands on a bank there; else near the middle."""
    bank = sheet.banks.get(place)
    x, y = sheet.spots[place]
    if not bank:
        return sway(place, (x, y))
    turn = 2 * pi * COMPASS.index(bank) / len(COMPASS)
    return x - ASIDE * sin(turn), y + ASIDE * cos(turn)


def side(sheet: Sheet, stroke: Stroke) -> Iterator[str]:
    """One kind of hexside."""
    edges: list[tuple[Point, Point]] = []
    links: list[tuple[Point, Point]] = []
    for one, two in sheet.board.sides.get(stroke.name, ()):
        if one not in sheet.shown_set and two not in sheet.shown_set:
            continue
        shared = shared_side(sheet.board, one, two)
        if shared is not None:
            edges.append(shared)
            ends = [centre_of(sheet.board, h) for h in (one, two)]
            links.append((between(ends[0], ends[1], 0.3), between(ends[0], ends[1], 0.7)))
    if not edges:
        return
    if stroke.stroke == "link":
        yield drawn("".join(path(x) for x in links), stroke)
    elif stroke.stroke == "river":
        yield drawn("".join(smooth_way(bent(chain)) for chain in chains(edges)), stroke)
    elif stroke.stroke == "channel":
        yield drawn("".join(smooth_way(chain) for chain in chains(edges)), stroke)
        if stroke.link:
            across = Stroke(name=stroke.name, stroke="link", width=3.0, color=stroke.link)
            yield drawn("".join(path(x) for x in links), across)
    else:
        yield drawn("".join(path(x) for x in edges), stroke)


def bent(chain: Sequence[Point]) -> list[Point]:
    """A chain of corners, each a little off its place: a river is no fence."""
    if len(chain) < 3:
        return list(chain)
    moved = [turned(p, 3.2, 2 * pi * ((key(p)[0] * 31 + key(p)[1] * 17) % 24) / 24) for p in chain[1:-1]]
    return [chain[0], *moved, chain[-1]]


def centre_of(board: Map, place: str) -> Point:
    at = locate(board.grid, place)
    return on_paper(board, at) if at is not None else (0.0, 0.0)


def shared_side(board: Map, one: str, two: str) -> tuple[Point, Point] | None:
    """The ends of the side between two hexes."""
    here, there = ({key(p): p for p in corners(board, centre_of(board, h))} for h in (one, two))
    shared = [here[k] for k in sorted(here) if k in there]
    return (shared[0], shared[1]) if len(shared) == 2 else None


def chains(edges: Iterable[tuple[Point, Point]]) -> list[list[Point]]:
    """Sides joined end to end: from fork to fork, and round in loops."""
    near: dict[Cell, dict[Cell, Point]] = {}
    spots: dict[Cell, Point] = {}
    for a, b in edges:
        near.setdefault(key(a), {})[key(b)] = b
        near.setdefault(key(b), {})[key(a)] = a
        spots[key(a)], spots[key(b)] = a, b
    left = {(a, b) for a, others in near.items() for b in others}
    found: list[list[Point]] = []

    def walk(start: Cell, there: Cell) -> None:
        chain = [spots[start]]
        here = start
        while True:
            left.discard((here, there))
            left.discard((there, here))
            chain.append(spots[there])
            here, onward = there, [x for x in near[there] if (there, x) in left]
            if len(near[here]) != 2 or not onward:
                break
            there = onward[0]
        found.append(chain)

    for start in sorted(near):
        if len(near[start]) != 2:
            for there in sorted(near[start]):
                if (start, there) in left:
                    walk(start, there)
    while left:
        walk(*min(left))
    return found


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
                f'<path d="{d}" {body} stroke-width="{num(w * 1.4)}" stroke-dasharray="1 5"/>'
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
                f'<path d="{d}" {body} stroke-width="{num(w * 1.8)}" stroke-dasharray="2 4"/>'
            )
        case "dashes" | "dotted":
            dashes = DASHES[stroke.stroke]
            return f'<path d="{d}" {body} stroke-width="{num(w)}" stroke-dasharray="{dashes}" stroke-linecap="round"/>'
        case _:
            return f'<path d="{d}" {body} stroke-width="{num(w)}" stroke-linecap="round"/>'
