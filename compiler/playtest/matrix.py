"""Several players, each against each, on either side.

In:  a stage with several contestants, and seeds.
Out: a document: for each two of them who won on which side; the pair score of each against each of the others.

Everybody plays everybody with every seed, himself too: what a side is worth can be read in the line of any player.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from rulewright.runtime.problems import Refusal

from .intervals import score_interval
from .records import Played, Task
from .rounds import pairs
from .run import Known, Place, Told, run
from .stage import Stage
from .summary import Document, about, problem, rounded, share


def matrix(
    stage: Stage,
    seeds: Iterable[int],
    place: Place | None = None,
    known: Known | None = None,
    told: Told = lambda _: None,
) -> tuple[Document, list[Played]]:
    """Play all of them."""
    if len(stage.sides) != 2:
        raise Refusal(f"a matrix is of two sides; {stage.loaded.name} has {len(stage.sides)}")
    every, many = list(seeds), range(len(stage.contestants))
    tasks = [Task(seed, seats) for seats in product(many, many) for seed in every]
    played = run(stage, tasks, place, known, told)
    return {
        "book": stage.loaded.name,
        "rules": stage.loaded.program.rules_hash,
        "scenario": stage.scenario,
        "games": len(played),
        "players": [about(x) for x in stage.contestants],
        "sides": list(stage.sides),
        "wins": [[*row(played, i, stage)] for i in many],
        "scores": [score(played, i, j, stage) for i, j in combinations(many, 2)],
        "problems": [problem(p) for p in played if p.problem],
    }, played


def row(played: list[Played], i: int, stage: Stage) -> Iterator[Document]:
    """How often the first side won under one player, against each on the second."""
    for j in range(len(stage.contestants)):
        ended = [p for p in played if p.seats == (i, j) and not p.problem]
        yield {"played": len(ended), **share(sum(p.winner == stage.sides[0] for p in ended), len(ended))}


def score(played: list[Played], i: int, j: int, stage: Stage) -> Document:
    """The pair score of one player against another."""
    mine = [p for p in played if p.seats in ((i, j), (j, i))]
    found = pairs([seen_by(p, i) for p in mine], stage.sides)
    values = [*found.scores.values()]
    return {
        "first": i,
        "second": j,
        "pairs": len(values),
        "score": round(sum(values) / len(values), 4) if values else None,
        "interval": rounded(score_interval(values)),
        "counts": found.counts,
    }


def seen_by(p: Played, first: int) -> Played:
    """A game of two of them, with the first as contestant 0."""
    return Played(
        seed=p.seed, seats=tuple(int(x != first) for x in p.seats), winner=p.winner, problem=p.problem, sort=p.sort
    )


def text(found: Document) -> Iterator[str]:
    """The matrix as lines."""
    first, second = found["sides"]
    names = [x["name"] for x in found["players"]]
    yield f"{found['book']} · {found['scenario']} · rules {found['rules'][:12]}"
    yield f"{found['games']} games"
    for x in found["players"]:
        yield f"  {x['name']} ({x['hash']})"
    for name, why in {k: v for x in found["players"] for k, v in x["aimless"].items()}.items():
        yield f"  caution: {name} {why}"
    yield f"wins of {first}, by who plays {first} (down) and {second} (across), with 95 % intervals:"
    wide = max(map(len, names))
    yield "  " + " " * wide + "".join(f"  {name:>20}" for name in names)
    for name, cells in zip(names, found["wins"], strict=True):
        told = (f"{c['games']}/{c['played']} [{c['interval'][0]:.0%}–{c['interval'][1]:.0%}]" for c in cells)
        yield f"  {name:<{wide}}" + "".join(f"  {cell:>20}" for cell in told)
    yield "pair scores, sides swapped:"
    for x in found["scores"]:
        if x["score"] is not None:
            low, high = x["interval"]
            yield (
                f"  {names[x['first']]} {x['score']:.1%} against {names[x['second']]}"
                f" (95 % between {low:.1%} and {high:.1%}; {x['pairs']} pairs)"
            )
    yield from (f"  seed {p['seed']}: {p['problem']}" for p in found["problems"])
