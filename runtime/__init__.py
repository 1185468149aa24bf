"""The runtime: state, decisions, search, dice and the journal; no rule of any game."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .game import Decision, Game, new_game, resume
    from .journal import Damage, SaveProblem
    from .players import RandomPlayer, ScriptedPlayer, play
    from .problems import Conflict, Fault, Ground, Refusal
    from .program import Program
    from .text import Choice

__all__ = [
    "Choice", "Conflict", "Damage", "Decision", "Fault", "Game", "Ground", "Program", "RandomPlayer", "Refusal",
    "SaveProblem", "ScriptedPlayer", "new_game", "play", "resume",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Names are imported when they are asked for, from the lightest module that has them: nobody waits for all."""
    homes = ("problems", "program", "text", "journal", "game", "players") if name in __all__ else ()
    for home in homes:
        module = import_module(f"{__name__}.{home}")
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
