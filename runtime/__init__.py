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
    "Choice",
    "Conflict",
    "Damage",
    "Decision",
    "Fault",
    "Game",
    "Ground",
    "Program",
    "RandomPlayer",
    "Refusal",
    "SaveProblem",
    "ScriptedPlayer",
    "new_game",
    "play",
    "resume",
]
_HOMES = {
    "game": ("Decision", "Game", "new_game", "resume"),
    "journal": ("Damage", "SaveProblem"),
    "players": ("RandomPlayer", "ScriptedPlayer", "play"),
    "problems": ("Conflict", "Fault", "Ground", "Refusal"),
    "program": ("Program",),
    "text": ("Choice",),
}


def __getattr__(name: str) -> Any:
    """Names are imported when they are asked for: who needs one module does not wait for all."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
