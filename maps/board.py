"""The bare board: its hexes, a fine raster over it, and what the raster says about each hex.

In:  polygons as board positions (p, row).
Out: a raster of flags, and for each hex or hexside the share of cells that hold a flag.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from earth import ROW_PITCH
from numpy.typing import NDArray

from rulewright.compiler.core.maps import Grid, Sheet, locate, spell_id, touching

ROWS, WIDTH = 43, 31
CELLS = 12
REACH = 0.62
SHEET = Sheet(lettered=True, rows=(1, ROWS), columns=(1, WIDTH), from_east=True)
GRID = Grid(sheets=(SHEET,))

Position = tuple[float, float]
Mask = NDArray[np.bool_]

_P0, _R0 = 0.0, 0.0
_SHAPE = ((ROWS + 1) * CELLS, (WIDTH + 1) * CELLS)


def row_length(row: int) -> int:
    """Even rows hold one hex more than odd rows, so that both edges of the board are straight."""
    return WIDTH if row % 2 == 0 else WIDTH - 1


@cache
def all_hexes() -> tuple[str, ...]:
    """Every hex of the board, row by row, from the east."""
    return tuple(spell_id(SHEET, row, n) for row in range(1, ROWS + 1) for n in range(1, row_length(row) + 1))


@cache
def centre(place: str) -> Position:
    """Board position of a hex."""
    at = locate(GRID, place)
    assert at is not None, place
    return -at[0] / 2, float(at[1])


def around(place: str) -> tuple[str, ...]:
    """The hexes of the board that touch a hex."""
    return tuple(near for near in touching(GRID, place) if near in _on_board())


def gap(one: Position, other: Position) -> float:
    """Distance between two board positions in hexes."""
    return float(np.hypot(one[0] - other[0], ROW_PITCH * (one[1] - other[1])))


def hex_of(at: Position) -> str | None:
    """The hex that holds a board position, or None beyond the edges."""
    best = min(_candidates(at), key=lambda place: (round(gap(at, centre(place)), 9), place), default=None)
    return best if best is not None and gap(at, centre(best)) <= REACH else None


def nearest(at: Position, places: Iterable[str]) -> str:
    """The listed hex whose centre lies nearest."""
    return min(places, key=lambda place: (round(gap(at, centre(place)), 9), place))


def fill(polygons: Iterable[Sequence[Position]]) -> Mask:
    """Cells inside an odd number of the polygons (even-odd rule, so lakes cut holes)."""
    return raster(polygons, _SHAPE, (_P0, _R0 + 0.5), CELLS)


def raster(polygons: Iterable[Sequence[Position]], shape: tuple[int, int], corner: Position, cells: int) -> Mask:
    """The same on any raster: its shape, the position of its corner, and how many cells one hex counts."""
    mask = np.zeros(shape, dtype=np.bool_)
    x_of = corner[0] + (np.arange(shape[1]) + 0.5) / cells
    edges = []
    for polygon in polygons:
        ring = np.asarray(polygon, dtype=np.float64)
        edges.append(np.hstack([ring, np.roll(ring, -1, axis=0)]))
    if not edges:
        return mask
    x1, y1, x2, y2 = np.vstack(edges).T
    for line in range(shape[0]):
        y = corner[1] + (line + 0.5) / cells
        crossing = (y1 <= y) != (y2 <= y)
        if crossing.any():
            share = (y - y1[crossing]) / (y2[crossing] - y1[crossing])
            cuts = np.sort(x1[crossing] + share * (x2[crossing] - x1[crossing]))
            mask[line] = np.searchsorted(cuts, x_of) % 2 == 1
    return mask


@cache
def owners() -> NDArray[np.int32]:
    """For each cell the number of its hex in `all_hexes`, -1 beyond the board."""
    lines, columns = np.indices(_SHAPE)
    p, r = _P0 + (columns + 0.5) / CELLS, _R0 + 0.5 + (lines + 0.5) / CELLS
    first = np.cumsum([0] + [row_length(row) for row in range(1, ROWS + 1)])
    best = np.full(_SHAPE, REACH)
    found = np.full(_SHAPE, -1, dtype=np.int32)
    for step in (-1, 0, 1):
        row = np.clip(np.rint(r).astype(np.int64) + step, 1, ROWS)
        shift = np.where(row % 2, 0.5, 0.0)
        n = np.clip(np.rint(p - shift).astype(np.int64), 1, np.where(row % 2, WIDTH - 1, WIDTH))
        off = np.hypot(p - n - shift, ROW_PITCH * (r - row))
        nearer = off < best - 1e-9
        best = np.where(nearer, off, best)
        found = np.where(nearer, first[row - 1] + n - 1, found).astype(np.int32)
    return found


def cell_of(at: Position) -> tuple[int, int] | None:
    line, column = int((at[1] - _R0 - 0.5) * CELLS // 1), int((at[0] - _P0) * CELLS // 1)
    return (line, column) if 0 <= line < _SHAPE[0] and 0 <= column < _SHAPE[1] else None


def share(mask: Mask, within: Mask | None = None) -> dict[str, float]:
    """For each hex the share of its cells (of those `within`) that the mask holds."""
    owner = owners()
    counted = owner >= 0 if within is None else (owner >= 0) & within
    total = np.bincount(owner[counted], minlength=len(all_hexes()))
    held = np.bincount(owner[counted & mask], minlength=len(all_hexes()))
    parts = held / np.maximum(total, 1)
    return {place: float(parts[k]) for k, place in enumerate(all_hexes())}


def side_share(mask: Mask, one: str, other: str) -> float:
    """The share of the hexside between two hexes that the mask holds."""
    (pa, ra), (pb, rb) = centre(one), centre(other)
    middle = ((pa + pb) / 2, (ra + rb) / 2)
    dp, dr = (pb - pa), (rb - ra) * ROW_PITCH
    half = 0.5 / 3**0.5
    steps = [(k - 7.5) / 7.5 * half * 0.94 for k in range(16)]
    cells = [cell_of((middle[0] - dr * s, middle[1] + dp * s / ROW_PITCH)) for s in steps]
    inside = [cell for cell in cells if cell is not None]
    return sum(bool(mask[cell]) for cell in inside) / len(inside) if inside else 0.0


def flood(mask: Mask, seeds: Iterable[Position]) -> Mask:
    """The cells of the mask joined to any seed."""
    found = np.zeros(_SHAPE, dtype=np.bool_)
    queue: deque[tuple[int, int]] = deque()
    for seed in seeds:
        cell = cell_of(seed)
        if cell is not None and mask[cell]:
            queue.append(cell)
            found[cell] = True
    while queue:
        line, column = queue.popleft()
        for near in ((line - 1, column), (line + 1, column), (line, column - 1), (line, column + 1)):
            if 0 <= near[0] < _SHAPE[0] and 0 <= near[1] < _SHAPE[1] and mask[near] and not found[near]:
                found[near] = True
                queue.append(near)
    return found


@cache
def _on_board() -> frozenset[str]:
    return frozenset(all_hexes())


def _candidates(at: Position) -> list[str]:
    found = []
    for row in range(round(at[1]) - 1, round(at[1]) + 2):
        if 1 <= row <= ROWS:
            n = round(at[0] - (0.5 if row % 2 else 0.0))
            found += [spell_id(SHEET, row, k) for k in range(n - 1, n + 2) if 1 <= k <= row_length(row)]
    return found
