"""A short run of every campaign finds no fault; `make fuzz` runs the long ones."""

from __future__ import annotations

import importlib

import pytest
from fuzz import CAMPAIGNS
from fuzz.front_end import ROOT
from fuzz.runner import Tally, Wrong, report

from rulewright.compiler.pipeline import compile_book

SHORT = {"front_end": 50, "choices": 120, "saves": 60, "books": 3, "secrets": 24, "arguments": 25, "socket": 300}


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_short_campaign_finds_no_fault(name: str) -> None:
    campaign, tally = importlib.import_module(f"fuzz.{name}"), Tally(seed=1, short=True)
    campaign.run(tally, SHORT[name])
    assert tally.faults == []
    assert tally.inputs >= SHORT[name]
    assert f"# Fuzz: {campaign.TITLE}" in report(campaign, tally)


def test_the_book_of_every_form_is_sound() -> None:
    """What is changed by the campaigns is clean to begin with, with its overlay too."""
    path = ROOT / "tests" / "diagnostics" / "every_form.rules"
    for name in (str(path), f"{path}+fog"):
        assert compile_book(name).report.wrong == []


def test_a_fault_is_told() -> None:
    tally = Tally()
    with tally.trial("sort", "one"):
        raise KeyError("x")
    with tally.trial("sort", "two"):
        raise Wrong("no such thing")
    with tally.trial("sort", "three"):
        pass
    assert tally.inputs == 3
    assert [fault.split(":")[0] for fault in tally.faults] == ["sort one", "sort two"]
    assert "- FAULT sort two: no such thing" in report(importlib.import_module("fuzz.books"), tally)
