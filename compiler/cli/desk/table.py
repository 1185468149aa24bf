"""The table of the terminal: one that a signal ends between two choices, with players from the command line.

In:  a loaded rule set, a game, and a word for each side's player.
Out: a `Table` whose choices are never cut in two.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright.dsl.diagnostics import did_you_mean
from rulewright.runtime.players import ScriptedPlayer
from rulewright.runtime.problems import Refusal

from ...loader import Loaded
from ...players import EACH, Unknown, find_seat, one_a_side
from ...seat import table as seat
from ...seat.table import Player, take_up
from ..control_characters import visible
from ..faults import text_of
from ..signals import Stopping


class Table(seat.Table):
    """A table that holds signals back while a choice is made."""

    stopping: Stopping

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.stopping = Stopping()

    def spelt(self, line: str) -> str:
        return visible(line)


def pick_players(text: str, loaded: Loaded, seed: int) -> dict[str, Player | None]:
    """A player for each side; None is a person."""
    sides = loaded.program.sides
    words = text.split(",")
    if len(words) == 1 and len(one_a_side(text)) == len(sides):
        words = one_a_side(text)
    elif len(words) == 1:
        words = words * len(sides)
    if len(words) != len(sides):
        raise Refusal(f"name a player for each side ({', '.join(sides)}), by commas")
    found: dict[str, Player | None] = {}
    for i, (side, word) in enumerate(zip(sides, words, strict=True)):
        if word.startswith("script:"):
            found[side] = ScriptedPlayer(text_of(Path(word[7:])).splitlines())
        elif word == "person":
            found[side] = None
        else:
            try:
                found[side] = find_seat(loaded, word, side).make(seed * EACH + i)
            except Unknown as unknown:
                known = ("person", *unknown.known)
                there = f"{', '.join(known)} or script:FILE"
                help = did_you_mean(word.partition(":")[0], known)
                raise Refusal(f'"{word}" is no kind of player: {there}' + (f"; {help}" if help else "")) from None
    return found


__all__ = ["Table", "pick_players", "take_up"]
