"""The players that need neither a person, a script nor a doctrine, by the words for them; each is made from a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from .lookahead.player import LEVELS, LookaheadPlayer
from .players import BusyPlayer, RandomPlayer

LOOKAHEAD, NORMAL = "lookahead", "normal"
AUTOMATIC: Mapping[str, Callable[[int], RandomPlayer]] = {
    "random": RandomPlayer,
    "busy": BusyPlayer,
    **{
        LOOKAHEAD if level == NORMAL else f"{LOOKAHEAD}:{level}": partial(LookaheadPlayer, level=level)
        for level in sorted(LEVELS, key=lambda level: level != NORMAL)
    },
}


def seat(words: Sequence[str], sides: Sequence[str], seed: int) -> dict[str, RandomPlayer]:
    """Such a player for each side, by one word for all of them or one a side; a game's seed gives theirs."""
    each = list(words) * len(sides) if len(words) == 1 else words
    return {side: AUTOMATIC[word](seed * 1009 + i) for i, (side, word) in enumerate(zip(sides, each, strict=True))}
