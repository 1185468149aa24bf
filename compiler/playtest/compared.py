"""What a file of playtests holds, side by side.

In:  the games of a file.
Out: a document: for each rule set and scenario who won against whom, and the score of each two players on the seeds
     that were played from both sides; the shift in wins where two rule sets were played by the same players with the
     same seeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .intervals import score_interval
from .kept import Kept
from .records import Played
from .rounds import pairs
from .summary import Document, balance, rounded, share

Group = tuple[dict[str, str], tuple[str, ...], list[Played]]


def compared(kept: Kept) -> Document:
    """The whole document."""
    groups = [*kept.groups()]
    return {
        "games": sum(len(played) for *_, played in groups),
        "played": [about(*group) for group in groups],
        "pairs": [*scores(groups)],
        "shifts": [*shifts(groups)],
    }


def about(rules: dict[str, str], players: tuple[str, ...], played: list[Played]) -> Document:
    ended = [p for p in played if not p.problem]
    sides = rules["sides"].split("/")
    return {
        **rules,
        "players": dict(zip(sides, players, strict=True)),
        "games": len(played),
        "wins": {side: share(sum(p.winner == side for p in ended), len(ended)) for side in sides},
        "problems": len(played) - len(ended),
    }


def scores(groups: list[Group]) -> Iterator[Document]:
    """The pair score of each two players, where both have played either side."""
    for i, (rules, players, played) in enumerate(groups):
        for other, swapped, back in groups[i + 1 :]:
            if other == rules and len(players) == 2 and swapped == players[::-1]:
                sides = tuple(rules["sides"].split("/"))
                both = [replace(p, seats=(0, 1)) for p in played] + [replace(p, seats=(1, 0)) for p in back]
                found = pairs(both, sides)
                values = [*found.scores.values()]
                if values:
                    yield {
                        **rules,
                        "players": list(players),
                        "pairs": len(values),
                        "score": round(sum(values) / len(values), 4),
                        "interval": rounded(score_interval(values)),
                        "counts": found.counts,
                    }


def shifts(groups: list[Group]) -> Iterator[Document]:
    """What other rules change for the same players with the same seeds."""
    for i, (rules, players, played) in enumerate(groups):
        for other, same, then in groups[i + 1 :]:
            alike = all(other[key] == rules[key] for key in ("scenario", "sides"))
            if same == players and other["rules"] != rules["rules"] and alike:
                before, after = ({p.seed: p for p in rows if not p.problem} for rows in (played, then))
                seeds = [seed for seed in before if seed in after]
                if seeds:
                    found = balance(
                        [before[s] for s in seeds], [after[s] for s in seeds], tuple(rules["sides"].split("/"))
                    )
                    named = {"before": rules["book"], "after": other["book"], "scenario": rules["scenario"]}
                    yield {**named, "players": list(players), **found}


def text(found: Document) -> Iterator[str]:
    """The same as lines."""
    yield f"{found['games']} games are kept"
    for row in found["played"]:
        who = ", ".join(f"{side} {name}" for side, name in row["players"].items())
        won = ", ".join(f"{side} {x['games']} ({x['share']:.1%})" for side, x in row["wins"].items())
        left = f"; {row['problems']} without a result" if row["problems"] else ""
        where = f"{row['book']} · {row['scenario']} · rules {row['rules'][:12]}"
        yield f"{where} · {who}: {row['games']} games, {won}{left}"
    for row in found["pairs"]:
        low, high = row["interval"]
        first, second = row["players"]
        yield (
            f"pairs in {row['book']} · {row['scenario']}: {first} scores {row['score']:.1%} against {second}"
            f" (95 % between {low:.1%} and {high:.1%}; {row['pairs']} pairs)"
        )
    for row in found["shifts"]:
        yield f"{row['before']} → {row['after']} · {row['scenario']}, played by {' and '.join(row['players'])}:"
        for side, x in row["sides"].items():
            low, high = x["interval"]
            sure = f"95 % between {low:+.1%} and {high:+.1%}"
            yield f"  {side} wins {x['before']} → {x['after']} of {row['games']} ({sure})"
