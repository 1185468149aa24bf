"""What many games amount to.

In:  a setting, its contestants, and what each game told.
Out: one document of plain values: who played, wins with their intervals, pairs, margins, lengths, losses, dice,
     endings, cases, duties and problems. Games without a result are counted as such, and enter no other figure, except
     that those that were stopped tell which cases run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from math import ceil
from statistics import median
from typing import Any

from ..players import Contestant
from .intervals import Interval, Z, deviation, mean_interval, score_interval, wilson
from .records import CONFLICT, UNFINISHED, Number, Played
from .rounds import pairs

Document = dict[str, Any]
POWER = 0.841621
"""Four times in five, of the normal distribution."""


def summary(
    played: Sequence[Played],
    contestants: Sequence[Contestant],
    sides: tuple[str, ...],
    known: Iterable[str] = (),
    steps: Mapping[str, int] | None = None,
) -> Document:
    """The whole document; `known` are the cases that have code, `steps` the places of the steps of scales."""
    ended = [p for p in played if not p.problem]
    return {
        "games": len(played),
        "choices": sum(p.choices for p in played),
        "players": [about(x) for x in contestants],
        "wins": {side: share(sum(p.winner == side for p in ended), len(ended)) for side in sides},
        "seats": list(seats(ended, len(contestants), sides)),
        "pairs": about_pairs(played, sides) if len(contestants) > 1 else None,
        "undecided": sum(p.winner is None for p in ended),
        "margin": {side: spread([p.margin[side] for p in ended if side in p.margin]) for side in sides},
        "shown": {key: spread([p.shown[key] for p in ended if key in p.shown]) for key in keys(p.shown for p in ended)},
        "length": {"choices": spread([p.choices for p in ended]), "turns": turns(ended)},
        "left": a_game([p.left for p in ended]),
        "came": a_game([p.came for p in ended]),
        "dice": dice(ended, steps or {}),
        "how": how(ended),
        "cases": cases([p for p in played if p.sort in ("", UNFINISHED)], tuple(known)),
        "duties": duties(ended),
        "problems": [problem(p) for p in played if p.problem],
    }


def about(contestant: Contestant) -> Document:
    """Who somebody is, and what to keep in mind of results with them."""
    return {
        "name": contestant.name,
        "hash": contestant.hash,
        "seats": {side: f"{seat.name} ({seat.hash})" for side, seat in contestant.seats.items()},
        "aimless": {seat.name: seat.aimless for seat in contestant.seats.values() if seat.aimless},
    }


# ---------------------------------------------------------------- who wins


def share(wins: int, games: int) -> Document:
    """A share of independent games, with Wilson's interval."""
    return {
        "games": wins,
        "share": round(wins / games, 4) if games else 0.0,
        "interval": rounded(wilson(wins, games)),
    }


def seats(ended: Sequence[Played], contestants: int, sides: tuple[str, ...]) -> Iterable[Document]:
    """How each contestant fared on each side."""
    for i in range(contestants):
        for at, side in enumerate(sides):
            mine = [p for p in ended if p.seats[at] == i]
            won = share(sum(p.winner == side for p in mine), len(mine))
            yield {
                "player": i,
                "side": side,
                "played": len(mine),
                "won": won,
                "margin": spread([p.margin[side] for p in mine if side in p.margin]),
            }


def about_pairs(played: Sequence[Played], sides: tuple[str, ...]) -> Document:
    """The pair score of the first contestant, with its interval and the counts behind it."""
    found = pairs(played, sides)
    scores = [*found.scores.values()]
    return {
        "pairs": len(scores),
        "left_out": list(found.left_out),
        "score": round(sum(scores) / len(scores), 4) if scores else None,
        "interval": rounded(score_interval(scores)),
        "counts": found.counts,
        "deviation": round(deviation(scores), 4),
    }


def balance(before: Sequence[Played], after: Sequence[Played], sides: tuple[str, ...]) -> Document:
    """The same games under two rule sets: the shift in wins, with the interval of paired games.

    A shift is 1, 0 or -1 a game; with sides swapped, the mean of the games of a seed is one observation.
    """
    twos = list(zip(before, after, strict=True))
    seeds = list(dict.fromkeys(p.seed for p in before))
    found: Document = {"games": len(before), "sides": {}, "turned": sum(a.winner != b.winner for a, b in twos)}
    for side in sides:
        by_seed: dict[int, list[int]] = {seed: [] for seed in seeds}
        for a, b in twos:
            by_seed[a.seed].append((b.winner == side) - (a.winner == side))
        shifts = [sum(x) / len(x) for x in by_seed.values()]
        low, high = score_interval([(x + 1) / 2 for x in shifts])
        found["sides"][side] = {
            "before": sum(a.winner == side for a in before),
            "after": sum(b.winner == side for b in after),
            "shift": round(sum(shifts) / len(shifts), 4) if shifts else 0.0,
            "interval": rounded((2 * low - 1, 2 * high - 1)),
        }
    return found


# ---------------------------------------------------------------- numbers


def spread(values: Sequence[Number]) -> Document | None:
    """How numbers lie; None where there are none."""
    if not values:
        return None
    between = mean_interval(values)
    return {
        "mean": round(sum(values) / len(values), 4),
        "interval": rounded(between) if between is not None else None,
        "deviation": round(deviation(values), 4),
        "low": min(values),
        "median": median(values),
        "high": max(values),
        "values": list(values),
    }


def keys(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """All keys, in the order in which they are met."""
    return list(dict.fromkeys(key for row in rows for key in row))


def turns(ended: Sequence[Played]) -> dict[str, int]:
    """In which turn games ended, in the order of the turns of the games."""
    return dict(sorted(Counter(p.turn for p in ended if p.turn).items(), key=lambda x: (-x[1], x[0])))


def a_game(rows: Sequence[Mapping[str, Mapping[str, int]]]) -> dict[str, dict[str, float]]:
    """Units a game, by side and place."""
    found: dict[str, Counter[str]] = {}
    for row in rows:
        for side, places in row.items():
            found.setdefault(side, Counter()).update(places)
    return {
        side: {place: round(n / len(rows), 2) for place, n in sorted(found[side].items(), key=lambda x: (-x[1], x[0]))}
        for side in sorted(found)
    }


def dice(ended: Sequence[Played], steps: Mapping[str, int]) -> dict[str, Document]:
    """Look-ups of dice: by table, column and result, of all sides and of each; columns in the order of their scale."""
    total: Counter[str] = Counter()
    for p in ended:
        total.update(p.reads)
    found: dict[str, Document] = {}
    for key, n in sorted(total.items()):
        table, column, result, side = key.split("|")
        row = found.setdefault(table, {}).setdefault(column, {"rolls": 0, "results": {}, "by": {}})
        row["rolls"] += n
        row["results"][result] = row["results"].get(result, 0) + n
        row["by"][side] = row["by"].get(side, 0) + n

    def place(column: str) -> list[int]:
        return [steps.get(word, len(steps)) for word in column.split(", ")]

    return {table: dict(sorted(rows.items(), key=lambda x: place(x[0]))) for table, rows in found.items()}


# ---------------------------------------------------------------- rules


def how(ended: Sequence[Played]) -> list[Document]:
    """How games ended: the winner, the case and the turn."""
    ends = Counter((p.winner or "", p.case, p.turn) for p in ended)
    return [
        {"winner": winner or "nobody", "case": case, "turn": turn, "games": n}
        for (winner, case, turn), n in sorted(ends.items(), key=lambda x: (-x[1], x[0]))
    ]


def cases(seen: Sequence[Played], known: tuple[str, ...]) -> Document | None:
    """Which cases ran in no game, in every game, and in how many of the games otherwise; stopped games count too."""
    if not known or not seen:
        return None
    ran = Counter(case for p in seen for case in p.ran)
    return {
        "known": len(known),
        "never": [case for case in known if not ran[case]],
        "always": [case for case in known if ran[case] == len(seen)],
        "sometimes": {case: ran[case] for case in known if 0 < ran[case] < len(seen)},
    }


def duties(ended: Sequence[Played]) -> dict[str, Document]:
    """Duties: how many were owed when a window closed, how many were not done, in how many games they arose."""
    found: dict[str, Document] = {}
    for p in ended:
        for name, (owed, undone) in p.duties.items():
            row = found.setdefault(name, {"owed": 0, "undone": 0, "games": 0})
            row["owed"] += owed
            row["undone"] += undone
            row["games"] += 1
    return dict(sorted(found.items()))


def problem(p: Played) -> Document:
    made = asdict(p)
    return {key: made[key] for key in ("seed", "seats", "sort", "case", "turn", "choices", "problem")}


def faulty(played: Iterable[Played]) -> bool:
    """Whether rules could not go on in some game."""
    return any(p.sort not in ("", UNFINISHED) for p in played)


def conflicts(found: Document) -> int:
    return sum(row["sort"] == CONFLICT for row in found["problems"])


def rounded(pair: Interval) -> list[float]:
    return [round(x, 4) + 0.0 for x in pair]


def pairs_for(deviation: float, points: float) -> int:
    """How many pairs tell such a difference from none four times in five, at 95 %."""
    return max(1, ceil(((Z + POWER) * deviation / points) ** 2))
