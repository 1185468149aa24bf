"""Places and links: a map as flat columns of whole numbers.

Places are 0..n-1 in the order given. A link between two places is an *edge* with one number for both
directions (a hexside, a road between points). `start`, `to` and `edge` are the usual compressed rows:
the neighbors of `a` are `to[start[a]:start[a + 1]]`, across the edges `edge[start[a]:start[a + 1]]`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

# Steps in axial coordinates: east, north-east, north-west, west, south-west, south-east; y grows southward.
DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Places joined by links; distance is the number of links."""

    start: tuple[int, ...]
    to: tuple[int, ...]
    edge: tuple[int, ...]
    ends: tuple[tuple[int, int], ...]
    """The two places of each edge, the smaller number first."""

    @property
    def count(self) -> int:
        return len(self.start) - 1

    def neighbors(self, a: int) -> tuple[int, ...]:
        return self.to[self.start[a] : self.start[a + 1]]

    def edges(self, a: int) -> tuple[int, ...]:
        return self.edge[self.start[a] : self.start[a + 1]]

    def edge_between(self, a: int, b: int) -> int:
        """The edge that joins two places, or -1."""
        for at in range(self.start[a], self.start[a + 1]):
            if self.to[at] == b:
                return self.edge[at]
        return -1

    def distance(self, a: int, b: int) -> int:
        """The number of links on a shortest way, or -1 when there is none."""
        return hops(self, (a,), until=b)[b]

    def within(self, center: int, n: int) -> tuple[int, ...]:
        """The places at most `n` away, the center among them, by number."""
        return tuple(place for place, far in enumerate(hops(self, (center,), limit=n)) if 0 <= far <= n)

    def ring(self, center: int, n: int) -> tuple[int, ...]:
        """The places exactly `n` away, by number."""
        return tuple(place for place, far in enumerate(hops(self, (center,), limit=n)) if far == n)


@dataclass(frozen=True, slots=True, eq=False)
class Hexes(Graph):
    """A hex map; distance is the straight count of hexes, also across holes in the map."""

    q: tuple[int, ...]
    r: tuple[int, ...]
    beside: tuple[int, ...]
    """`beside[6 * a + d]`: the hex next to `a` in direction `d`, or -1 where the map has none."""
    at: dict[tuple[int, int], int]

    def distance(self, a: int, b: int) -> int:
        dq, dr = self.q[a] - self.q[b], self.r[a] - self.r[b]
        return (abs(dq) + abs(dr) + abs(dq + dr)) // 2

    def within(self, center: int, n: int) -> tuple[int, ...]:
        if 3 * n * (n + 1) >= self.count:
            return tuple(place for place in range(self.count) if self.distance(center, place) <= n)
        q, r, at = self.q[center], self.r[center], self.at
        found = (
            at.get((q + dq, r + dr), -1)
            for dq in range(-n, n + 1)
            for dr in range(max(-n, -n - dq), min(n, n - dq) + 1)
        )
        return tuple(sorted(place for place in found if place >= 0))

    def ring(self, center: int, n: int) -> tuple[int, ...]:
        return tuple(place for place in self.within(center, n) if self.distance(center, place) == n)


def hex_map(coordinates: Sequence[tuple[int, int]], shifted: int = 1) -> Hexes:
    """A hex map from (x, y) offsets whose rows are staggered.

    Rows with `y % 2 == shifted` lie half a hex to the east of the others. A map whose columns are
    staggered is the same map with x and y exchanged.
    """
    if shifted not in (0, 1):
        raise ValueError(f"shifted says which rows lie east, 0 or 1, not {shifted}")
    lean = -1 if shifted else 1
    q = tuple(x - (y + lean * (y & 1)) // 2 for x, y in coordinates)
    r = tuple(y for _, y in coordinates)
    at: dict[tuple[int, int], int] = {}
    for place, spot in enumerate(zip(q, r, strict=True)):
        if at.setdefault(spot, place) != place:
            raise ValueError(f"places {at[spot]} and {place} are both at {tuple(coordinates[place])}")
    beside = tuple(at.get((a + dq, b + dr), -1) for a, b in zip(q, r, strict=True) for dq, dr in DIRECTIONS)
    rows = [[b for b in beside[6 * a : 6 * a + 6] if b >= 0] for a in range(len(q))]
    return Hexes(*_columns(rows), q=q, r=r, beside=beside, at=at)


def point_map(count: int, links: Iterable[tuple[int, int]]) -> Graph:
    """A map of points from its links; neighbors are listed by number."""
    rows: list[list[int]] = [[] for _ in range(count)]
    for a, b in links:
        if not (0 <= a < count and 0 <= b < count) or a == b or b in rows[a]:
            raise ValueError(f"the link {a}-{b} is repeated or does not join two of {count} places")
        rows[a].append(b)
        rows[b].append(a)
    return Graph(*_columns([sorted(row) for row in rows]))


def hops(
    graph: Graph,
    sources: Iterable[int],
    *,
    limit: int | None = None,
    may_enter: Callable[[int], bool] | None = None,
    may_cross: Callable[[int], bool] | None = None,
    until: int = -1,
) -> list[int]:
    """For each place the number of links from the nearest source, -1 where none leads.

    `may_enter` asks about a place (sources excepted), `may_cross` about an edge; the search ends past
    `limit`, or as soon as `until` is reached.
    """
    far = [-1] * graph.count
    front = sorted(set(sources))
    for place in front:
        far[place] = 0
    steps = 0
    while front and (limit is None or steps < limit) and (until < 0 or far[until] < 0):
        steps += 1
        ahead: list[int] = []
        for a in front:
            for at in range(graph.start[a], graph.start[a + 1]):
                b = graph.to[at]
                if far[b] >= 0 or (may_cross is not None and not may_cross(graph.edge[at])):
                    continue
                if may_enter is None or may_enter(b):
                    far[b] = steps
                    ahead.append(b)
        front = ahead
    return far


Columns = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...]]


def _columns(rows: list[list[int]]) -> Columns:
    """Compressed rows; edges are numbered by their smaller place, then in the order of its row."""
    ends = [(a, b) for a, row in enumerate(rows) for b in row if a < b]
    number = {pair: at for at, pair in enumerate(ends)}
    start = [0]
    for row in rows:
        start.append(start[-1] + len(row))
    to = tuple(b for row in rows for b in row)
    edge = tuple(number[min(a, b), max(a, b)] for a, row in enumerate(rows) for b in row)
    return tuple(start), to, edge, tuple(ends)
