"""Play many games of a rule set and count who wins, and how.

In:  a rule set, a scenario and seeds.
Out: one result a seed, in the order of the seeds, the same on every machine and for any number of processes.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.players import seat
from rulewright.runtime.problems import Fault, Refusal
from rulewright.runtime.telling.promises import check_promises

from .loader import load

MOST = 20_000
Z = 1.959964  # two-sided 95 %


@dataclass(frozen=True, slots=True)
class Played:
    """How one game went: the winner, the case that says so, and the turn in which it ended."""

    seed: int
    winner: str | None
    case: str
    turn: str
    choices: int
    problem: str = ""


def sim(
    name: str,
    scenario: str | None,
    seeds: Iterable[int],
    jobs: int = 0,
    until: int = MOST,
    told: Callable[[int], None] = lambda _: None,
    players: tuple[str, ...] = ("random",),
) -> list[Played]:
    """A game for each seed between `players` (one for all sides, or one a side); `jobs` processes share them
    (0: one a core)."""
    load(name)
    work = [(name, scenario, seed, until, players) for seed in seeds]
    found: list[Played] = []
    for played in shared(work, jobs or os.cpu_count() or 1):
        found.append(played)
        told(len(found))
    return found


Job = tuple[str, str | None, int, int, tuple[str, ...]]


def shared(work: list[Job], jobs: int) -> Iterator[Played]:
    if jobs == 1 or len(work) < 2:
        yield from map(play, work)
        return
    with multiprocessing.get_context("spawn").Pool(min(jobs, len(work))) as pool:
        yield from pool.imap(play, work)


def play(job: Job) -> Played:
    """One game to its end."""
    name, scenario, seed, until, words = job
    made = 0
    game: Game | None = None
    try:
        game = load(name).new(scenario, seed)
        check_promises(game)
        players = seat(words, game.program.sides, seed)
        while not game.over and made < until:
            decision = game.decisions[0]
            game.do(players[decision.side](game, decision))
            made += 1
            check_promises(game)
    except (Fault, Refusal) as problem:
        told = "; ".join((str(problem), *getattr(problem, "notes", ())))
        return Played(seed, None, getattr(problem, "case", ""), turn_of(game), made, told)
    won = next((e for e in reversed(game.log) if e.get("event") == "win"), None)
    left = "" if game.over else f"unfinished after {made} choices"
    return Played(seed, game.winner, won["case"] if won else "", turn_of(game), made, left)


def turn_of(game: Game | None) -> str:
    """The turn that a game is in, by the first binding that holds one."""
    if game is None:
        return ""
    turns = game.program.turns
    held = (
        getattr(game.state, f"bind_{name}", None) for name, type_ in game.program.bindings.items() if type_ == "turn"
    )
    return next((turns[now][0] for now in held if isinstance(now, int) and 0 <= now < len(turns)), "")


# ---------------------------------------------------------------- what they amount to


def interval(wins: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if not games:
        return 0.0, 1.0
    share, spread = wins / games, Z * Z / games
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def summary(played: list[Played], sides: tuple[str, ...], players: tuple[str, ...] = ("random",)) -> dict[str, Any]:
    """Who played, wins a side with their interval, the cases that decided, and how long games last."""
    games = len(played)
    wins = {side: sum(p.winner == side for p in played) for side in sides}
    return {
        "games": games,
        "players": {side: players[i % len(players)] for i, side in enumerate(sides)},
        "wins": {
            side: {"games": n, "share": round(n / games, 4) if games else 0.0, "interval": rounded(interval(n, games))}
            for side, n in wins.items()
        },
        "undecided": sum(p.winner is None and not p.problem for p in played),
        "how": [
            {"winner": winner or "nobody", "case": case, "turn": turn, "games": n}
            for (winner, case, turn), n in sorted(
                Counter((p.winner or "", p.case, p.turn) for p in played if not p.problem).items(),
                key=lambda x: (-x[1], x[0]),
            )
        ],
        "choices": sum(p.choices for p in played),
        "problems": [asdict(p) for p in played if p.problem],
    }


def balance(before: list[Played], after: list[Played], sides: tuple[str, ...]) -> dict[str, Any]:
    """How the same seeds went under two rule sets: the shift in wins with the interval of paired games."""
    games = len(before)
    pairs = list(zip(before, after, strict=True))
    found: dict[str, Any] = {"games": games, "sides": {}, "turned": sum(a.winner != b.winner for a, b in pairs)}
    for side in sides:
        shifts = [(b.winner == side) - (a.winner == side) for a, b in pairs]
        mean = sum(shifts) / games if games else 0.0
        spread = sqrt(sum((x - mean) ** 2 for x in shifts) / (games - 1) / games) * Z if games > 1 else 1.0
        found["sides"][side] = {
            "before": sum(a.winner == side for a in before),
            "after": sum(b.winner == side for b in after),
            "shift": round(mean, 4),
            "interval": rounded((mean - spread, mean + spread)),
        }
    return found


def rounded(pair: tuple[float, float]) -> list[float]:
    return [round(x, 4) for x in pair]
