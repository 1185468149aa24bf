"""Search better weights for a doctrine, and confirm them with seeds that the search has not seen.

In:  a doctrine, who plays the other side, how much may be played.
Out: the weights found, and how they fare against those of the text on fresh seeds.

A point is judged by its mean margin over some seeds, or by its share of wins where the scenario has no margin; all
points of a round have the same seeds, so that luck is shared. `halving` begins with the weights of the text and random
ones, plays a few seeds with each, keeps the better half, plays twice as many more seeds, and so on. `nevergrad` (an
extra) asks that library for points, one after another. Whatever a search has found is the luckiest of many; so what
counts is the difference on fresh seeds, seed by seed, with its interval.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from rulewright.runtime.problems import Refusal

from ..players import Contestant, Seat, find_seat
from .intervals import mean_interval
from .records import Played, Setting, Task
from .run import Here, Place, run
from .stage import Stage
from .summary import Document, rounded, share
from .weights import Point, Weighed, Weight

FIRST, SEARCHES = 4, ("halving", "nevergrad")
Score = Callable[[Point, Sequence[int]], list[float]]


class Trial:
    """A doctrine against somebody, by any weights."""

    def __init__(self, setting: Setting, against: str, place: Place | None = None) -> None:
        word = setting.players[0]
        self.place = place or Here()
        self.stage = Stage(Setting(setting.book, setting.scenario, (word, against), setting.until, False), NOBODY)
        loaded = self.stage.loaded
        self.weighed = Weighed(loaded, word)
        if len(self.stage.sides) != 2:
            raise Refusal(f"a doctrine is tuned against one other side; {loaded.name} has {len(self.stage.sides)}")
        others = {s for side in self.weighed.sides for s in self.stage.sides if s != side}
        seats: Mapping[str, Seat] = {
            side: find_seat(loaded, against, side) for side in self.stage.sides if side in others
        }
        self.stage.contestants = (Contestant(word, self.weighed.seats), Contestant(against, seats))

    def play(self, point: Point, seeds: Sequence[int]) -> list[Played]:
        """Each seed from each side that the doctrine plays."""
        self.weighed.put(point)
        seats = [tuple(int(s != side) for s in self.stage.sides) for side in self.weighed.sides]
        return run(self.stage, [Task(seed, who) for seed in seeds for who in seats], self.place)

    def score(self, point: Point, seeds: Sequence[int]) -> list[float]:
        """What each seed gave."""
        played, n = self.play(point, seeds), len(self.weighed.sides)
        return [sum(map(self.worth, played[i : i + n])) / n for i in range(0, len(played), n)]

    def worth(self, p: Played) -> float:
        """The margin of a game, else a win as 1 and a draw as 1/2."""
        return float(p.margin[self.stage.sides[p.seats.index(0)]]) if p.margin else p.share(self.stage.sides, 0)


NOBODY = (Contestant("", {}),)
"""Until the weights are known."""


def tune(
    trial: Trial,
    search: str = "halving",
    points: int = 16,
    seeds: int = FIRST,
    confirm: int = 50,
    seed: int = 0,
    told: Callable[[str], None] = lambda _: None,
) -> tuple[Point, Document]:
    """Search, then confirm with the seeds that follow."""
    if search not in SEARCHES:
        raise Refusal(f'"{search}" is no search: {", ".join(SEARCHES)}')
    weighed = trial.weighed
    looked = halving if search == "halving" else nevergrad
    used: set[int] = set()

    def score(point: Point, some: Sequence[int]) -> list[float]:
        used.update(some)
        found = trial.score(point, some)
        told(f"{named(weighed.weights, point)}: {sum(found) / len(found):.3f}")
        return found

    best = looked(weighed.weights, score, points, seeds, seed)
    fresh = range(max(used) + 1, max(used) + 1 + confirm)
    before, after = trial.play(weighed.now, fresh), trial.play(best, fresh)
    n = len(weighed.sides)
    worth = [[trial.worth(p) for p in played] for played in (before, after)]
    gains = [
        sum(y - x for x, y in zip(worth[0][i : i + n], worth[1][i : i + n], strict=True)) / n
        for i in range(0, len(before), n)
    ]
    between = mean_interval(gains)
    sure = between is not None and any(gains) and (between[0] > 0 or between[1] < 0)
    return best, {
        "book": trial.stage.loaded.name,
        "scenario": trial.stage.scenario,
        "doctrine": str(trial.stage.contestants[0].seats[weighed.sides[0]]),
        "against": [f"{side} {seat}" for side, seat in trial.stage.contestants[1].seats.items()],
        "aimless": {seat.name: seat.aimless for seat in trial.stage.contestants[1].seats.values() if seat.aimless},
        "search": search,
        "measure": "margin" if any(p.margin for p in before) else "share of wins",
        "weights": [
            {"name": w.name, "case": w.case, "before": str(w.now), "after": str(x)}
            for w, x in zip(weighed.weights, best, strict=True)
        ],
        "searched": len(used),
        "confirmed": {
            "seeds": confirm,
            "before": wins(before, trial),
            "after": wins(after, trial),
            "gain": round(sum(gains) / len(gains), 4),
            "interval": rounded(between) if between is not None else None,
            "answer": "same"
            if best == weighed.now
            else "open"
            if not sure
            else "better"
            if sum(gains) > 0
            else "worse",
        },
    }


def wins(played: Sequence[Played], trial: Trial) -> Document:
    return {"of": len(played), **share(sum(p.share(trial.stage.sides, 0) == 1 for p in played), len(played))}


# ---------------------------------------------------------------- searches


def halving(weights: Sequence[Weight], score: Score, points: int, seeds: int, seed: int) -> Point:
    """The best that is left when the worse half has gone again and again, the weights of the text among the first."""
    rng = random.Random(seed)
    left = list(dict.fromkeys([tuple(w.now for w in weights), *(somewhere(weights, rng) for _ in range(points - 1))]))
    known: dict[Point, list[float]] = {point: [] for point in left}
    at, more = seed, seeds
    while len(left) > 1:
        for point in left:
            known[point] += score(point, range(at, at + more))
        at, more = at + more, more * 2
        left.sort(key=lambda p: -sum(known[p]) / len(known[p]))
        left = left[: (len(left) + 1) // 2]
    return left[0]


def somewhere(weights: Sequence[Weight], rng: random.Random) -> Point:
    return tuple(w.at(rng.random()) for w in weights)


def nevergrad(weights: Sequence[Weight], score: Score, points: int, seeds: int, seed: int) -> Point:
    """What a library's search for noisy values recommends; each point is judged on seeds of its own."""
    try:
        import nevergrad as library
    except ImportError:
        raise Refusal("this search needs an extra: pip install 'rulewright[tuning]'") from None
    space = library.p.Array(init=[share_of(w) for w in weights], lower=0.0, upper=1.0)
    space.random_state.seed(seed)
    optimizer = library.optimizers.TBPSA(parametrization=space, budget=points)

    def point(shares: Iterator[float]) -> Point:
        return tuple(w.at(float(x)) for w, x in zip(weights, shares, strict=True))

    for i in range(points):
        asked = optimizer.ask()
        found = score(point(iter(asked.value)), range(seed + i * seeds, seed + (i + 1) * seeds))
        optimizer.tell(asked, -sum(found) / len(found))
    return point(iter(optimizer.provide_recommendation().value))


def share_of(w: Weight) -> float:
    """Where a weight lies between its bounds, kept off them."""
    return min(max(float((w.now - w.least) / ((w.most - w.least) or 1)), 0.01), 0.99)


def named(weights: Sequence[Weight], point: Point) -> str:
    return ", ".join(f"{w.name} {x}" for w, x in zip(weights, point, strict=True))


def text(found: Document) -> Iterator[str]:
    """A search and its confirmation, as lines."""
    sure = found["confirmed"]
    yield f"{found['book']} · {found['scenario']} · {found['doctrine']} against {', '.join(found['against'])}"
    yield from (f"  caution: {name} {why}" for name, why in found["aimless"].items())
    for w in found["weights"]:
        yield f"  {w['case']} {w['name']}: {w['before']}" + (f" → {w['after']}" if w["after"] != w["before"] else "")
    yield f"found by {found['search']} on {found['searched']} seeds, by {found['measure']}"
    for word in ("before", "after"):
        x = sure[word]
        low, high = x["interval"]
        yield f"  {word}: wins {x['games']} of {x['of']} ({x['share']:.1%}; 95 % between {low:.1%} and {high:.1%})"
    between = sure["interval"]
    told = f" (95 % between {between[0]:+.3f} and {between[1]:+.3f})" if between else ""
    yield (
        f"on {sure['seeds']} fresh seeds the {found['measure']} changes by {sure['gain']:+.3f}{told}: "
        + {
            "same": "the weights of the text are the best that was found",
            "open": "no difference is shown",
            "better": "the new weights are better",
            "worse": "the new weights are worse",
        }[sure["answer"]]
    )
