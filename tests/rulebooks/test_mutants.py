"""A sample of mutants of shipped books is noticed by their examples; `make mutants` is the campaign."""

from __future__ import annotations

import pytest

from rulewright.compiler.examples.campaign import MOST_EQUIVALENT, campaign, counts, share
from rulewright.compiler.examples.equivalent import file_of, read_reasons, stale
from rulewright.compiler.examples.mutants import mutants, sample
from rulewright.compiler.examples.trial import Trials
from rulewright.compiler.pipeline import analyse


@pytest.mark.parametrize(("book", "count", "least"), [("fragment", 24, 0.7), ("trc", 5, 0.6)])
def test_the_examples_notice_a_sample_of_mutants(book: str, count: int, least: float) -> None:
    trials = Trials(book)
    assert trials.failing() == []
    everything = mutants(trials.made)
    reasons = read_reasons(file_of(trials.made))
    assert stale(reasons, (m.id for m in everything)) == []
    assert len(reasons) <= MOST_EQUIVALENT * len(everything)
    results = campaign(trials, sample(everything, 7), count, 1, reasons)
    assert not [r.mutant.id for r in results if r.status == "refuted"]
    missed = [f"{r.mutant.id} {r.mutant.what}" for r in results if r.status == "unnoticed"]
    assert share(counts(results)) >= least, missed


@pytest.mark.parametrize("book", ["tdv", "ocs", "caseblue"])
def test_an_argument_of_equivalence_has_its_mutant(book: str) -> None:
    made = analyse(book)
    ids = [m.id for m in mutants(made)]
    reasons = read_reasons(file_of(made))
    assert reasons
    assert stale(reasons, ids) == []
    assert len(reasons) <= MOST_EQUIVALENT * len(ids)
