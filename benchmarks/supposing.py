"""What `supposing … at …` costs on a large map against a small one: only what is touched is copied."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulewright.compiler import load
from rulewright.runtime.kept.supposing import suppose

from . import front
from .timing import Figure, best

AIM = 1.5


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as scratch:
        small, large = (asked(Path(scratch), columns, rows) for columns, rows in ((40, 25), (250, 100)))
        one, many = best(small, large)
    return [Figure("supposing a unit elsewhere: 25,000 hexes ÷ 1,000 hexes", many / one, most=AIM)]


def asked(folder: Path, columns: int, rows: int) -> Callable[[], Any]:
    """An empty question, asked as if one unit stood in another hex."""
    place = folder / f"front_{columns}"
    place.mkdir()
    S = load(str(front.make(columns, rows, 300, 40).write(place))).new(seed=1).state
    unit = next(u for u, at in enumerate(S.at) if at is not None)
    elsewhere = next(p for p in range(S.program.board.hexes) if p != S.at[unit])
    return lambda: suppose(S, (("at", "", unit, elsewhere),), lambda: None)
