"""The runtime: state, decisions, search, dice and the journal; no rule of any game."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .begin import new_game, resume
    from .game import Decision, Game
    from .journal import Damage, SaveProblem
    from .players import BusyPlayer, RandomPlayer, ScriptedPlayer, play
    from .problems import Conflict, Fault, Ground, Refusal
    from .program import Program
    from .text import Choice

__all__ = [
    "BusyPlayer", "Choice", "Conflict", "Damage", "Decision", "Fault", "Game", "Ground", "Program", "RandomPlayer",
    "Refusal", "SaveProblem", "ScriptedPlayer", "new_game", "play", "resume",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Names are imported when they are asked for: a command that needs only `Fault` does not wait for SQLite."""
    match name:
        case "Conflict" | "Fault" | "Ground" | "Refusal":
            from . import problems

            return getattr(problems, name)
        case "Program":
            from . import program

            return getattr(program, name)
        case "Choice":
            from . import text

            return getattr(text, name)
        case "Damage" | "SaveProblem":
            from . import journal

            return getattr(journal, name)
        case "Decision" | "Game":
            from . import game

            return getattr(game, name)
        case "new_game" | "resume":
            from . import begin

            return getattr(begin, name)
        case "BusyPlayer" | "RandomPlayer" | "ScriptedPlayer" | "play":
            from . import players

            return getattr(players, name)
        case _:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
