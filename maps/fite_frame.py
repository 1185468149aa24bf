"""The frame of Fire in the East: six sheets laid together, and the fit of the globe to the hexes that the text names.

In:  the anchors, each a place on the globe and the hex that the text gives it.
Out: hexes as (number from the east, row from the north) of the whole map, their printed ids, and `Fit`.

Sheets count rows from the north and columns from the east, and share a row or a column: there a hex has the northern
number and the western one. The sheets and where they lie are the only thing that is particular to this map.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, hypot

import numpy as np
from earth import ROW_PITCH, conic

Spot = tuple[float, float]
Hex = tuple[int, int]
PULL = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPlace:
    """How many columns lie east of a sheet and how many rows north of it, and the numbers that are its own."""

    east: int
    north: int
    columns: int
    first_row: int = 2
    last_row: int = 51


SHEETS = {
    "5B": SheetPlace(east=32, north=0, columns=33, first_row=1),
    "6A": SheetPlace(east=0, north=0, columns=32, first_row=1),
    "1B": SheetPlace(east=32, north=50, columns=33),
    "2A": SheetPlace(east=0, north=50, columns=32),
    "3B": SheetPlace(east=32, north=100, columns=33),
    "4A": SheetPlace(east=0, north=100, columns=32),
}
ANCHORS = (
    ("2A/3532", "Smolensk (7.C)", 54.78, 32.05),
    ("2A/3425", "Vyazma (7.C)", 55.21, 34.29),
    ("1B/2601", "Velikie Luki (OB.S.22)", 56.34, 30.53),
    ("1B/2906", "Polotsk (7.A.3)", 55.49, 28.79),
    ("2A/3317", "Moskva (OB.S.CAP)", 55.75, 37.62),
    ("3B/0607", "Kiev (OB.S.KIEV)", 50.45, 30.52),
    ("3B/2510", "Odessa (OB.S.ODESSA)", 46.48, 30.73),
    ("6A/1617", "Murmansk (34.A)", 68.97, 33.08),
    ("6A/2420", "Kandalaksha (OB.S.LEN)", 67.15, 32.41),
    ("5B/2502", "Rovaniemi (OB.A.NOR)", 66.50, 25.72),
    ("1B/0515", "Hango (OB.S.LEN)", 59.82, 22.97),
    ("2A/0931", "Leningrad (2.B)", 59.94, 30.31),
    ("2A/0832", "Kronshtadt (31.A.4)", 60.00, 29.77),
    ("3B/3502", "Simferopol (OB.S.ODESSA)", 44.95, 34.10),
    ("2A/4621", "Orel (OB.S.16)", 52.97, 36.07),
    ("1B/4604", "Gomel (OB.S.21)", 52.43, 30.98),
    ("1B/1705", "Pskov (OB.S.41)", 57.82, 28.33),
    ("4A/1432", "Kremenchug (34.A)", 49.07, 33.42),
    ("4A/3402", "Elista (34.A)", 46.31, 44.26),
    ("4A/3818", "Krasnodar (34.A)", 45.03, 38.98),
    ("4A/4507", "Pyatigorsk (34.A)", 44.05, 43.06),
    ("4A/2015", "Voroshilovgrad (34.A)", 48.57, 39.31),
    ("3B/1630", "Cluj (32.A.1)", 46.77, 23.59),
    ("6A/4407", "Obozerskaya (7.D: one end of the new line)", 63.44, 40.31),
    ("6A/3818", "Belomorsk (7.D: the other end)", 64.52, 34.78),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The affine part of the fit, eastwards and southwards, and the pulls at their positions."""

    across: tuple[float, float, float]
    down: tuple[float, float, float]
    pulls: tuple[tuple[float, float, float, float], ...] = ()

    def flat(self, latitude: float, longitude: float) -> Spot:
        east, north = conic(latitude, longitude)
        (a, b, c), (d, e, f) = self.across, self.down
        return a * east + b * north + c, d * east + e * north + f

    def spot(self, latitude: float, longitude: float) -> Spot:
        """Hexes west of nothing eastwards and rows southwards, pulls included."""
        x, y = self.flat(latitude, longitude)
        near = [(fade((x, y), (px, py)), dx, dy) for px, py, dx, dy in self.pulls]
        return x + sum(w * dx for w, dx, _ in near), y + sum(w * dy for w, _, dy in near)


# ------------------------------------------------------------------ the grid
def spell(place: Hex) -> str:
    """The printed id; a shared hex has that of the northern and western sheet."""
    number, row = place
    for name, sheet in SHEETS.items():
        own, line = number - sheet.east, row - sheet.north
        if 1 <= own <= sheet.columns and sheet.first_row <= line <= sheet.last_row:
            return f"{name}/{line:02}{own:02}"
    raise KeyError(place)


def unspell(text: str) -> Hex:
    name, digits = text.split("/")
    sheet = SHEETS[name]
    return int(digits[2:]) + sheet.east, int(digits[:2]) + sheet.north


@cache
def frame() -> frozenset[Hex]:
    """Every hex of the sheets, those of a shared row or column once."""
    return frozenset(
        (number + sheet.east, row + sheet.north)
        for sheet in SHEETS.values()
        for number in range(1, sheet.columns + 1)
        for row in range(sheet.first_row, sheet.last_row + 1)
    )


def in_order(places: set[Hex] | Sequence[Hex] | frozenset[Hex]) -> list[Hex]:
    """Sheet by sheet, row by row, from the east."""
    order = {name: k for k, name in enumerate(SHEETS)}
    return sorted(places, key=lambda place: (order[spell(place)[:2]], place[1], place[0]))


def centre(place: Hex) -> Spot:
    """Even rows lie half a hex further west."""
    return -(place[0] + (place[1] % 2 == 0) / 2), place[1] * ROW_PITCH


@cache
def around(place: Hex) -> tuple[Hex, ...]:
    number, row = place
    low = number - (row % 2)
    beside = [(low + k, row + step) for step in (-1, 1) for k in (0, 1)]
    return tuple(x for x in [(number - 1, row), (number + 1, row), *beside] if x in frame())


def hex_of(spot: Spot) -> Hex:
    row, number = round(spot[1] / ROW_PITCH), round(-spot[0])
    near = [(c, r) for c in range(number - 1, number + 2) for r in range(row - 1, row + 2)]
    return min(near, key=lambda place: (round(gap(spot, centre(place)), 9), place))


def gap(one: Spot, other: Spot) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def fade(one: Spot, other: Spot) -> float:
    return exp(-(gap(one, other) ** 2) / (2 * PULL**2))


# ------------------------------------------------------------------ the fit
def fit_board(leave_out: str = "") -> Fit:
    """Six numbers by least squares, then the pulls that bring each anchor to its hex."""
    used = [anchor for anchor in ANCHORS if anchor[0] != leave_out]
    ground = np.array([[*conic(lat, lon), 1.0] for _, _, lat, lon in used])
    board = np.array([centre(unspell(name)) for name, *_ in used])
    solution = np.linalg.lstsq(ground, board, rcond=None)[0]
    across, down = ([round(float(v), 9) for v in solution[:, k]] for k in (0, 1))
    fit = Fit(across=(across[0], across[1], across[2]), down=(down[0], down[1], down[2]))
    at = [fit.flat(lat, lon) for _, _, lat, lon in used]
    kernel = np.array([[fade(a, b) for b in at] for a in at]) + 0.05 * np.eye(len(at))
    pulls = np.linalg.solve(kernel, board - np.array(at))
    placed = tuple((*here, round(float(dx), 6), round(float(dy), 6)) for here, (dx, dy) in zip(at, pulls, strict=True))
    return Fit(across=fit.across, down=fit.down, pulls=placed)


def residuals(fit: Fit) -> Iterator[str]:
    """How far each anchor lies off, in hexes: fitted, with the pull, and when left out."""
    east, south = 1 / hypot(*fit.across[:2]), 1 / hypot(*fit.down[:2])
    yield f"one hex {east:.2f} km wide, {south:.2f} km high"
    yield f"{'hex':9}{'fitted':>14}{'pulled':>14}{'left out':>14}   place   (hexes east, south)"
    off = []
    for name, reason, latitude, longitude in ANCHORS:
        x, y = centre(unspell(name))
        at = (latitude, longitude)
        found = (fit.flat(*at), fit.spot(*at), fit_board(name).flat(*at))
        off.append([gap(spot, (x, y)) for spot in found])
        cells = "".join(f"{f'{px - x:+.2f} {py - y:+.2f}':>14}" for px, py in found)
        yield f"{name:9}{cells}   {reason}"
    for word, values in zip(("fitted", "pulled", "left out"), zip(*off, strict=True), strict=True):
        rms = (sum(v * v for v in values) / len(values)) ** 0.5
        yield f"{word}: rms {rms:.2f} hex, worst {max(values):.2f}"
