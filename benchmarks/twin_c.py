"""The C twin of benchmarks/front.py, compiled by the system's `cc` into a temporary folder."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

from .front import ARMS, PRICES, SUPPLY_REACH, Front

SOURCE = Path(__file__).with_name("twin.c")


class Columns(ctypes.Structure):
    _fields_ = [
        ("places", ctypes.c_int),
        ("units", ctypes.c_int),
        ("near", ctypes.c_void_p),
        ("river", ctypes.c_void_p),
        ("road", ctypes.c_void_p),
        ("terrain", ctypes.c_void_p),
        ("depot", ctypes.c_void_p),
        ("side", ctypes.c_void_p),
        ("arm", ctypes.c_void_p),
        ("movement", ctypes.c_void_p),
        ("price", ctypes.c_void_p),
        ("at", ctypes.c_void_p),
    ]


class Twin:
    """The same front in C: `reach(units)` and `supply()` leave their answers in buffers."""

    def __init__(self, front: Front, folder: Path) -> None:
        cc = shutil.which("cc")
        assert cc is not None
        library = folder / "twin.so"
        subprocess.run([cc, "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)], check=True)
        self.c = ctypes.CDLL(str(library))
        self.c.reach.restype = ctypes.c_int64
        places = len(front.terrain)
        near, river, road = [], [], []
        for p in range(places):
            row = front.near(p)
            row += [-1] * (6 - len(row))
            pairs = [(min(p, q), max(p, q)) for q in row]
            near += row
            river += [q >= 0 and pair in front.rivers for q, pair in zip(row, pairs, strict=True)]
            road += [q >= 0 and pair in front.roads for q, pair in zip(row, pairs, strict=True)]
        arms = list(ARMS)
        self.held = [
            (ctypes.c_int32 * len(near))(*near),
            (ctypes.c_uint8 * len(river))(*river),
            (ctypes.c_uint8 * len(road))(*road),
            (ctypes.c_uint8 * places)(*front.terrain),
            (ctypes.c_uint8 * places)(*({"red": 1, "blue": 2}.get(front.depots.get(p, ""), 0) for p in range(places))),
            (ctypes.c_uint8 * len(front.units))(*(x[1] == "blue" for x in front.units)),
            (ctypes.c_uint8 * len(front.units))(*(arms.index(x[0]) for x in front.units)),
            (ctypes.c_uint8 * len(front.units))(*(ARMS[x[0]] for x in front.units)),
            (ctypes.c_int32 * 18)(*(x for arm in arms for x in PRICES[arm])),
            (ctypes.c_int32 * len(front.units))(*(x[3] for x in front.units)),
        ]
        pointers = [ctypes.cast(x, ctypes.c_void_p) for x in self.held]
        self.columns = Columns(places, len(front.units), *pointers)
        self.out = (ctypes.c_int32 * (3 * 600 * len(front.units)))()
        self.sizes = (ctypes.c_int32 * len(front.units))()
        self.flags = (ctypes.c_uint8 * len(front.units))()

    def place(self, unit: int, at: int | None) -> None:
        self.held[-1][unit] = at

    def reach(self, who: ctypes.Array[ctypes.c_int32]) -> int:
        return int(self.c.reach(ctypes.byref(self.columns), who, len(who), self.out, self.sizes))

    def supply(self) -> int:
        return int(self.c.supply(ctypes.byref(self.columns), SUPPLY_REACH, self.flags))

    def reached(self, count: int) -> list[dict[int, tuple[int, int]]]:
        """What the last `reach` found: for each unit the cost of every place and the place before."""
        found, at = [], 0
        for size in self.sizes[:count]:
            row = self.out[3 * at : 3 * (at + size)]
            found.append({row[i]: (row[i + 1], row[i + 2]) for i in range(0, 3 * size, 3)})
            at += size
        return found


def compiler() -> bool:
    return shutil.which("cc") is not None
