"""From the globe to the board: a conic projection, then a fit to the hexes that the text names.

In:  anchors, each a place on the globe and its position on the board.
Out: `Fit`, which turns latitude and longitude into a board position.

A board position is (p, row): p counts hexes from the east edge to the west, so that hex n of an
even row lies at p = n and hex n of an odd row at p = n + 0.5; row is the row's index, A = 1.

The fit has two parts. Six numbers (an affine map, weighted least squares) carry the whole board;
then a gentle pull, fading over PULL hexes, moves the neighbourhood of each anchor to where the
text wants it. Residuals are printed for both parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, exp, log, pi, radians, sin, sqrt, tan

import numpy as np

CENTRAL_MERIDIAN, PARALLELS, ORIGIN = 33.0, (45.0, 60.0), 52.0
EARTH_KM = 6371.0
ROW_PITCH = sqrt(3) / 2
PULL = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A place whose board position the text gives; weight 0 keeps it out of the fit."""

    label: str
    latitude: float
    longitude: float
    position: tuple[float, float]
    weight: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The affine part, and the pulls at their board positions."""

    across: tuple[float, float, float]
    down: tuple[float, float, float]
    pulls: tuple[tuple[float, float, float, float], ...] = ()

    def flat(self, latitude: float, longitude: float) -> tuple[float, float]:
        """Board position by the affine part alone."""
        x, y = conic(latitude, longitude)
        (a, b, c), (d, e, f) = self.across, self.down
        return a * x + b * y + c, d * x + e * y + f

    def position(self, latitude: float, longitude: float) -> tuple[float, float]:
        """Board position, pulls included."""
        p, row = self.flat(latitude, longitude)
        near = [(_fade(p, row, at_p, at_row), dp, drow) for at_p, at_row, dp, drow in self.pulls]
        return p + sum(w * dp for w, dp, _ in near), row + sum(w * dr for w, _, dr in near)


def conic(
    latitude: float,
    longitude: float,
    meridian: float = CENTRAL_MERIDIAN,
    parallels: tuple[float, float] = PARALLELS,
    origin: float = ORIGIN,
) -> tuple[float, float]:
    """Lambert's conformal conic, kilometres east and north of the origin; one parallel may stand for both."""
    low, high = (radians(parallel) for parallel in parallels)
    if low == high:
        n = sin(low)
    else:
        n = log(cos(low) / cos(high)) / log(tan(pi / 4 + high / 2) / tan(pi / 4 + low / 2))
    scale = EARTH_KM * cos(low) * tan(pi / 4 + low / 2) ** n / n
    rho, rho0 = (scale / tan(pi / 4 + radians(lat) / 2) ** n for lat in (latitude, origin))
    theta = n * radians(longitude - meridian)
    return rho * sin(theta), rho0 - rho * cos(theta)


def fit_board(anchors: Sequence[Anchor]) -> Fit:
    """Fit the affine part to the weighted anchors, then solve for the pulls.

    The pulls are kernel ridge regression on the residuals: a weight of 1 nearly meets its anchor,
    a small weight yields to its neighbours. Numbers are rounded so that every machine agrees.
    """
    used = [anchor for anchor in anchors if anchor.weight > 0]
    ground = np.array([[*conic(a.latitude, a.longitude), 1.0] for a in used])
    board = np.array([a.position for a in used])
    weight = np.array([[a.weight] for a in used])
    solution = np.linalg.lstsq(ground * weight, board * weight, rcond=None)[0]
    across, down = ((*(round(float(v), 9) for v in solution[:, k]),) for k in (0, 1))
    fit = Fit(across=(across[0], across[1], across[2]), down=(down[0], down[1], down[2]))
    at = [fit.flat(a.latitude, a.longitude) for a in used]
    kernel = np.array([[_fade(*one, *other) for other in at] for one in at])
    ridge = np.diag([0.1 / a.weight**2 for a in used])
    pulls = np.linalg.solve(kernel + ridge, board - np.array(at))
    rounded = [(round(float(dp), 6), round(float(drow), 6)) for dp, drow in pulls]
    placed = tuple((*here, *pull) for here, pull in zip(at, rounded, strict=True))
    return Fit(across=fit.across, down=fit.down, pulls=placed)


def _fade(p: float, row: float, at_p: float, at_row: float) -> float:
    return exp(-((p - at_p) ** 2 + (ROW_PITCH * (row - at_row)) ** 2) / (2 * PULL**2))
