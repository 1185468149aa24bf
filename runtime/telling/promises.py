"""The invariants of a book, checked after each choice of a game.

In:  a game after a choice.
Out: nothing.
Reports: a fault for the first invariant that does not hold: its case, the choice that broke it and where in the game
         that was, so that the position can be found again.
"""

from __future__ import annotations

from ..game import Game
from ..problems import Fault
from .secrecy import text_for

EVERYBODY = ""
"""No side: what is told to everybody names nothing that is kept from anybody."""


def check_promises(game: Game) -> None:
    """Check every invariant; what is broken is told with the choice before."""
    try:
        game.check()
    except Fault as fault:
        made, phases = len(game.journal), ", ".join(game.state.phases)
        told = f"after choice {made}, {last_choice(game)}" if made else "where the game begins"
        fault.notes = (
            *fault.notes,
            f"{told}{f', during {phases}' if phases else ''}",
            f"the position is {game.digest()[:16]} (scenario {game.journal.header.scenario}, "
            f"seed {game.journal.header.seed}, {made} choices)",
        )
        raise


def last_choice(game: Game) -> str:
    """The last choice, as everybody may read it."""
    entry = next(e for e in reversed(game.log) if e["event"] == "choice")
    if entry["secret"]:
        return f"a secret answer of {entry['side']}"
    return text_for(game.program, entry, EVERYBODY) if "parts" in entry else str(entry["text"])
