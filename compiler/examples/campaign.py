"""Mutation testing: try many mutants in parallel, and score the examples of a book.

In:  a rule set prepared for trials, mutants in the order in which to try them, how many are wanted.
Out: a result for each, in that order, the same for any number of processes; and the score by kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .changes import KINDS
from .mutants import Mutant
from .parallel import parallel_map
from .trial import Trials

MOST_EQUIVALENT = 0.03
"""The share of mutants that may be argued to be equivalent."""


@dataclass(frozen=True, slots=True)
class Result:
    """A mutant that compiles to other rules, and whether an example detects it."""

    mutant: Mutant
    noticed: bool
    by: str
    met: int
    reason: str = ""
    """Why it is argued to be equivalent, where it is."""

    @property
    def status(self) -> str:
        if self.reason:
            return "refuted" if self.noticed else "equivalent"
        return "noticed" if self.noticed else "unnoticed"


def campaign(
    trials: Trials,
    order: list[Mutant],
    count: int | None,
    jobs: int = 0,
    reasons: Mapping[str, str] | None = None,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> list[Result]:
    """Try mutants until `count` of them were valid: accepted by the compiler, and with different code."""
    reasons = reasons or {}
    wanted = len(order) if count is None else count
    found: list[Result] = []
    rest = iter(order)
    while len(found) < wanted:
        batch = list(islice(rest, wanted - len(found) if count is not None else None))
        if not batch:
            break
        for mutant, tried in zip(batch, parallel_map(trials.try_out, batch, jobs), strict=True):
            if tried.status in ("noticed", "unnoticed"):
                noticed = tried.status == "noticed"
                found.append(Result(mutant, noticed, tried.by, tried.met, reasons.get(mutant.id, "")))
                told(len(found), wanted)
    return found


# ---------------------------------------------------------------- what they amount to


def scores(results: list[Result]) -> dict[str, dict[str, int]]:
    """By kind: how many mutants, how many of them detected, how many equivalent."""
    found: dict[str, dict[str, int]] = {}
    for kind in KINDS:
        mine = [r for r in results if r.mutant.kind == kind]
        if mine:
            found[kind] = counts(mine)
    return found


def counts(results: list[Result]) -> dict[str, int]:
    return {
        "mutants": len(results),
        "noticed": sum(r.noticed for r in results),
        "equivalent": sum(r.status == "equivalent" for r in results),
    }


def share(row: Mapping[str, int]) -> float:
    """The share of detected ones among the mutants that are not equivalent."""
    real = row["mutants"] - row["equivalent"]
    return row["noticed"] / real if real else 1.0


def as_json(book: str, seed: int, results: list[Result], stale: list[str]) -> dict[str, Any]:
    total = counts(results)
    return {
        "book": book,
        "seed": seed,
        **total,
        "score": round(share(total), 4),
        "kinds": {kind: {**row, "score": round(share(row), 4)} for kind, row in scores(results).items()},
        "mutants_tried": [
            {
                "id": r.mutant.id,
                "status": r.status,
                "case": r.mutant.case,
                "kind": r.mutant.kind,
                "file": r.mutant.span.file,
                "line": r.mutant.span.line,
                "house": r.mutant.house,
                "what": r.mutant.what,
                "by": r.by,
                "met": r.met,
                "reason": r.reason,
            }
            for r in results
        ],
        "stale": stale,
    }
