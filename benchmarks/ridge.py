"""The rules of ridge.rules written by hand, with random players that choose as Rulewright's do.

A state is a few lists and dictionaries; legality is asked once, when a choice is made. Nothing is logged, kept for
undo or explained.
"""

from __future__ import annotations

import random
from fractions import Fraction

COLUMNS, ROWS = 9, 7
WOODS = {(1, 2), (1, 3), (2, 5), (3, 1), (3, 4), (4, 5), (5, 2), (5, 6)}
TOWN = (3, 5)
UNITS = [
    ("blue", 4, 3, (1, 0)),
    ("blue", 4, 3, (2, 0)),
    ("blue", 4, 3, (4, 0)),
    ("blue", 6, 4, (3, 0)),
    ("blue", 2, 5, (5, 0)),
    ("red", 3, 3, (3, 5)),
    ("red", 3, 3, (4, 6)),
    ("red", 3, 3, (1, 7)),
    ("red", 5, 4, (2, 7)),
]
ODDS = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3))
RESULTS = {
    1: ("AE", "AE", "NE", "NE"),
    2: ("AE", "NE", "NE", "DE"),
    3: ("AE", "NE", "NE", "DE"),
    4: ("NE", "NE", "DE", "DE"),
    5: ("NE", "NE", "DE", "DE"),
    6: ("NE", "DE", "DE", "DE"),
}
ENEMY = {"blue": "red", "red": "blue"}


def around(row: int, column: int) -> list[int]:
    low = row % 2 == 0  # row A is odd: it touches n and n+1
    found = [(row, column - 1), (row, column + 1)]
    found += [(row + d, column + s) for d in (-1, 1) for s in ((0, 1) if low else (-1, 0))]
    return sorted(r * COLUMNS + c for r, c in found if 0 <= r < ROWS and 0 <= c < COLUMNS)


NEAR = [around(*divmod(p, COLUMNS)) for p in range(ROWS * COLUMNS)]
PRICE = [2 if divmod(p, COLUMNS) in WOODS else 1 for p in range(ROWS * COLUMNS)]
COVER = [int(divmod(p, COLUMNS) in WOODS or divmod(p, COLUMNS) == TOWN) for p in range(ROWS * COLUMNS)]
ALDER = TOWN[0] * COLUMNS + TOWN[1]
SIDE = [u[0] for u in UNITS]
STRENGTH = [u[1] for u in UNITS]
MOVEMENT = [u[2] for u in UNITS]


class Ridge:
    """One game."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.at: list[int | None] = [r * COLUMNS + c for *_, (r, c) in UNITS]
        self.choices = 0
        self.winner: str | None = None

    def units(self, side: str) -> list[int]:
        return [u for u, p in enumerate(self.at) if p is not None and SIDE[u] == side]

    def here(self, place: int) -> list[int]:
        return [u for u, p in enumerate(self.at) if p == place]

    def marches(self, u: int) -> list[tuple[int, ...]]:
        """The cheapest path to every hex in reach; of equals the one whose last step is from the lower hex."""
        start, limit = self.at[u], MOVEMENT[u]
        assert start is not None
        enemies = {p for v, p in enumerate(self.at) if p is not None and SIDE[v] != SIDE[u]}
        zones = {n for p in enemies for n in NEAR[p]}
        cost, last = {start: 0}, {start: -1}
        buckets: list[list[int]] = [[start]] + [[] for _ in range(limit)]
        for spent, bucket in enumerate(buckets):
            for here in sorted(bucket):
                if here in zones and here != start:
                    continue
                for there in NEAR[here]:
                    total = spent + PRICE[there]
                    if total > limit or there in cost or there in enemies:
                        continue
                    cost[there], last[there] = total, here
                    buckets[total].append(there)
        paths = []
        for place in sorted(cost):
            if place != start:
                path = [place]
                while path[-1] != start:
                    path.append(last[path[-1]])
                paths.append(tuple(reversed(path)))
        return paths

    def play(self) -> Ridge:
        for _ in range(8):
            for phasing in ("blue", "red"):
                self.movement(phasing)
                self.combat(phasing)
                for side in (phasing, ENEMY[phasing]):
                    if not self.units(ENEMY[side]):
                        self.winner = side
                        return self
        self.winner = "blue" if any(SIDE[u] == "blue" for u in self.here(ALDER)) else "red"
        return self

    def movement(self, phasing: str) -> None:
        moved: set[int] = set()
        while True:
            self.choices += 1
            choice = self.a_move(phasing, moved)
            if choice is None:
                return
            u, path = choice
            for place in path[1:]:
                self.at[u] = place
            moved.add(u)

    def a_move(self, phasing: str, moved: set[int]) -> tuple[int, tuple[int, ...]] | None:
        for u in self.few([u for u in self.units(phasing) if u not in moved]):
            paths = self.marches(u)
            self.rng.shuffle(paths)
            for path in paths:
                if len(self.here(path[-1])) < 2:
                    return u, path
        return None

    def few(self, units: list[int]) -> list[int]:
        """Some of the units, from none to all, in a random order."""
        return self.rng.sample(units, self.rng.randint(0, len(units)))

    def combat(self, phasing: str) -> None:
        fought: set[int] = set()
        while True:
            self.choices += 1
            choice = self.an_attack(phasing, fought)
            if choice is None:
                return
            a, target, odds = choice
            fought.add(a)
            match RESULTS[self.rng.randint(1, 6)][odds]:
                case "AE":
                    self.at[a] = None
                case "DE":
                    for u in self.here(target):
                        self.at[u] = None

    def an_attack(self, phasing: str, fought: set[int]) -> tuple[int, int, int] | None:
        for a in self.few([u for u in self.units(phasing) if u not in fought]):
            place = self.at[a]
            assert place is not None
            targets = list(NEAR[place])
            self.rng.shuffle(targets)
            for h in targets:
                defenders = self.here(h)
                if not defenders or SIDE[defenders[0]] == phasing:
                    continue
                ratio = Fraction(STRENGTH[a], sum(STRENGTH[u] + COVER[h] for u in defenders))
                odds = max((i for i, step in enumerate(ODDS) if step <= ratio), default=-1)
                if odds >= 0:
                    return a, h, odds
        return None
