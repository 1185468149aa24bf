"""The runtime: state, decisions, search, dice and the journal; no rule of any game."""

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
