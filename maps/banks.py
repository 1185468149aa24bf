"""Banks: on which side of its river a town stands, for the builders whose rivers run along hexsides.

In:  banks.tsv; the seats of towns and the course of a river as positions of a board whose hexes lie 1 apart.
Out: the course, bent so that each town has the water on its proper side; the hexsides on which a river may not run.

A hex is larger than a town: the nearest hex to a town's coordinates may lie beyond the nearest hexsides to its river.
The bend moves the river, never the town, by as much as the town's hex needs, and fades along the course.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, exp, hypot, radians, sin
from pathlib import Path
from typing import TypeVar

Spot = tuple[float, float]
H = TypeVar("H", str, tuple[int, int])

TOWARDS = {"n": 90, "ne": 45, "e": 0, "se": -45, "s": -90, "sw": -135, "w": 180, "nw": 135}
STEP = 0.1
ASIDE = 0.52
NEAR, FAR = 0.4, 0.72
REACH, FADE, ROUNDS = 3.0, 1.3, 4
WRONG = 0.4
PARTS = re.compile(r"_(?:upper|lower)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """One town, its river, and the way from the water to the town, northwards as the second number."""

    town: str
    rivers: tuple[str, ...]
    side: Spot
    word: str
    by_water: bool

    def on(self, river: str) -> bool:
        """Whether a line of a builder's table is this river or a part of it."""
        return PARTS.sub("", river) in self.rivers


def read_banks(board: str) -> list[Bank]:
    """The towns of the list, but those that this board has otherwise."""
    found = []
    for line in (Path(__file__).parent / "banks.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith(("#", "towns\t")):
            continue
        towns, rivers, bank, water, but = line.split("\t")
        turn = radians(TOWARDS[bank])
        if board not in but.split():
            found += [
                Bank(
                    town=town,
                    rivers=tuple(rivers.split()),
                    side=(round(cos(turn), 6), round(sin(turn), 6)),
                    word=bank,
                    by_water=not water,
                )
                for town in towns.split()
            ]
    return found


class Banks:
    """The banks of one board: where its towns lie, and which way its second coordinate runs."""

    def __init__(self, board: str, seats: Mapping[str, H], centre: Callable[[H], Spot], north: int) -> None:
        self.seats, self.centre = seats, centre
        self.held = [
            (bank, (bank.side[0], bank.side[1] * north)) for bank in read_banks(board) if bank.town in self.seats
        ]

    def bent(self, river: str, course: Sequence[Spot]) -> list[Spot]:
        """The course with every town of the river on its bank."""
        line = dense(course)
        towns = [
            (self.centre(self.seats[bank.town]), side) for bank, side in self.held if bank.by_water and bank.on(river)
        ]
        for _ in range(ROUNDS):
            for at, side in towns:
                line = shifted(line, at, side)
        return line

    def barred(self, river: str, around: Callable[[H], Iterable[H]]) -> set[tuple[H, H]]:
        """The sides of towns away from the water."""
        found = set()
        for bank, (dx, dy) in self.held:
            if bank.on(river):
                town = self.seats[bank.town]
                x, y = self.centre(town)
                for near in around(town):
                    if (self.centre(near)[0] - x) * dx + (self.centre(near)[1] - y) * dy > WRONG:
                        found.add((min(town, near), max(town, near)))
        return found


def dense(course: Sequence[Spot]) -> list[Spot]:
    """The course in short steps."""
    found = list(course[:1])
    for (ax, ay), (bx, by) in pairwise(course):
        many = max(1, int(hypot(bx - ax, by - ay) / STEP))
        found += [(ax + (bx - ax) * k / many, ay + (by - ay) * k / many) for k in range(1, many + 1)]
    return found


def within_frame(course: Sequence[Spot], held: Callable[[Spot], bool]) -> Iterator[list[Spot]]:
    """The parts of a course that lie on the board: a river that leaves it does not run on along the edge."""
    part: list[Spot] = []
    for at in dense(course):
        if held(at):
            part.append(at)
        else:
            if len(part) > 1:
                yield part
            part = []
    if len(part) > 1:
        yield part


def shifted(line: Sequence[Spot], at: Spot, side: Spot) -> list[Spot]:
    """The line with its nearest point to a town moved before the middle of that side of the town where the water is."""
    if not line:
        return []
    nearest = min(range(len(line)), key=lambda k: (round(hypot(line[k][0] - at[0], line[k][1] - at[1]), 6), k))
    x, y = line[nearest][0] - at[0], line[nearest][1] - at[1]
    off = -(x * side[0] + y * side[1])
    if hypot(x, y) > REACH or NEAR <= off <= FAR:
        return list(line)
    dx, dy = -side[0] * ASIDE - x, -side[1] * ASIDE - y
    moved = []
    for k, (px, py) in enumerate(line):
        fade = exp(-(((k - nearest) * STEP / FADE) ** 2))
        moved.append((round(px + dx * fade, 6), round(py + dy * fade, 6)))
    return moved


def without(
    ends: Mapping[Spot, Sequence[tuple[Spot, tuple[H, H]]]], barred: Collection[tuple[H, H]]
) -> dict[Spot, list[tuple[Spot, tuple[H, H]]]]:
    """The graph of hexsides less some of them."""
    return {at: [(to, side) for to, side in joined if side not in barred] for at, joined in ends.items()}
