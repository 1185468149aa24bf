"""The diff of two rule sets: what changed, and what that does to play.

In:  two rule sets, analysed.
Out: facts, judgements, witnesses and distributions, each list in a stable order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..examples.workers import ENDLESS, Until
from ..pipeline import Compiled
from .chances.distributions import Distribution, distributions
from .chances.kept_rolls import KeptRolls
from .facts import Compared, Fact, compared
from .judge import File, Judge, Judgement
from .phrases import house, phrase

Search = Callable[[Compiled, Compiled, list[Fact]], list[dict[str, Any]]]


@dataclass(slots=True)
class Diff:
    """Everything found about a change."""

    before: Compiled
    after: Compiled
    compared: Compared
    judgements: list[Judgement] = field(default_factory=list)
    witnesses: list[dict[str, Any]] = field(default_factory=list)
    distributions: list[Distribution] = field(default_factory=list)
    unfollowed: dict[str, dict[str, str]] = field(default_factory=dict)
    """For facts by id: the marks that keep a roll on which the fact may bear, with their cases; no chances are told."""
    unrun: int = 0
    """How many worked examples were not run, because the time was up."""
    unfiled: list[dict[str, Any]] = field(default_factory=list)
    """Worked examples that come out otherwise and stand under no fact: several make it, or the time was up."""
    saves: list[dict[str, Any]] = field(default_factory=list)
    balance: dict[str, Any] | None = None
    left_out: list[Fact] = field(default_factory=list)
    """Facts that are not shown: known, ignored, or not asked for."""

    @property
    def facts(self) -> list[Fact]:
        return self.compared.facts

    def as_json(self) -> dict[str, Any]:
        return {
            "before": self.before.name,
            "after": self.after.name,
            "sheets": [s.as_json() for s in self.compared.sheets],
            "facts": [
                {
                    **f.as_json(),
                    "text": phrase(f, self.before, self.after),
                    "house": house(f, self.before, self.after),
                }
                for f in self.facts
            ],
            "judgements": [j.as_json() for j in self.judgements],
            "witnesses": self.witnesses,
            "distributions": [d.as_json() for d in self.distributions],
            "unfollowed_rolls": self.unfollowed,
            "examples_not_run": self.unrun,
            "examples_of_no_fact": self.unfiled,
            "saves": self.saves,
            "balance": self.balance,
        }


def diff(
    a: Compiled,
    b: Compiled,
    *,
    ignored: frozenset[str] = frozenset(),
    examples: bool = True,
    saves: Sequence[dict[str, Any]] = (),
    search: Search | None = None,
    wanted: Callable[[Fact], bool] | None = None,
    file: File | None = None,
    jobs: int = 1,
    until: Until = ENDLESS,
) -> Diff:
    """Compare two rule sets; facts and judgements whose ids are ignored are left out, and facts that are not `wanted`.

    `search` finds witnesses: each names its `fact`, and may say in how many positions it `found` a difference.
    `file` finds the facts that make an example change. `saves` are the answers for saved games. Examples are run by
    `jobs` processes, until the time is up.
    """
    found = compared(a, b)
    shown = [f for f in found.facts if f.id not in ignored and (wanted is None or wanted(f))]
    ids = {f.id for f in shown}
    left_out = [f for f in found.facts if f.id not in ids]
    found.facts = shown
    made = Diff(a, b, found, saves=list(saves), left_out=left_out)
    if not found.facts:
        return made
    made.distributions = distributions(a, b, found.facts)
    form = Judge(a, b, found.facts)
    made.unfollowed = unfollowed(form)
    # Examples first: they are the cheapest evidence, and a search may take all the time there is.
    changed, made.unrun = form.examples(jobs, until) if examples else ([], 0)
    evidence = form.filed(changed, file)
    made.witnesses = search(a, b, form.open()) if search is not None else []
    seen = {w["fact"]: w for w in made.witnesses}
    judged = form.judgements(evidence, made.saves, seen)
    made.judgements = [j for j in judged if j.id not in ignored]
    filed = {e["title"] for j in judged for e in j.examples}
    made.unfiled = [e.as_json() for e in changed if e.title not in filed]
    by_fact = {j.fact: j.id for j in made.judgements}
    for w in made.witnesses:
        if "judgement" in w:
            w["judgement"] = by_fact.get(w["fact"])
    return made


def unfollowed(form: Judge) -> dict[str, dict[str, str]]:
    """The marks that hold rolls and that a fact may affect: chances are not traced through them."""
    found: dict[str, dict[str, str]] = {}
    for book, side in zip(form.books, ("old", "new"), strict=True):
        rolls = KeptRolls(book)
        for f in form.open() if rolls.read else ():
            entry = getattr(f, side)
            marks = rolls.beside(form.reach[f.id][1], entry.node.span if entry is not None else None)
            if marks:
                found.setdefault(f.id, {}).update(marks)
    return found
