"""Every hex, place, counter and number that a rulebook's text states of its map, counters and charts: the house data agrees.

`facts.tsv` of a book holds one fact a line as an expression of the language, with the case and the line of the text.
"""

from __future__ import annotations

import pytest

from rulewright.compiler.provenance.facts import broken_facts, facts_of
from rulewright.compiler.read.library import find_book

LEAST = {"trc": 200, "tdv": 150, "fragment": 80, "fite": 60}


ALONE = {"27.2", "27.3", "27.5", "27.6", "28.6"}
"""Overlays that exclude others; the rest stand in one stack."""


def groups() -> list[tuple[str, tuple[str, ...]]]:
    """Each book by itself, with each overlay that stands alone, and with all the others that its facts speak of."""
    found = []
    for book in LEAST:
        spoken = dict.fromkeys(name for fact in facts_of(book) for name in fact.overlays)
        together = tuple(name for name in spoken if name not in ALONE)
        stacks = {(), together, *((name,) for name in spoken if name in ALONE)}
        found += [(book, over) for over in sorted(stacks)]
    return found


@pytest.mark.parametrize(("book", "over"), groups())
def test_the_house_data_agrees_with_the_text(book: str, over: tuple[str, ...]) -> None:
    """What the text says of the bare book is asked of the bare book only: an option may be there to change it."""
    facts = [x for x in facts_of(book) if bool(x.overlays) == bool(over) and set(x.overlays) <= set(over)]
    assert facts
    found = broken_facts("+".join((book, *over)), facts)
    assert [f"line {x.fact.line}: {x.fact.text}: {x.why}" for x in found] == []


@pytest.mark.parametrize("book", LEAST)
def test_the_table_is_whole_and_in_order(book: str) -> None:
    table = facts_of(book)
    assert len(table) >= LEAST[book]
    assert [fact.line for fact in table] == sorted(fact.line for fact in table)
    assert len(set(table)) == len(table)


@pytest.mark.parametrize("book", LEAST)
def test_every_fact_names_a_case_of_the_print(book: str) -> None:
    source = find_book(book)
    assert source is not None
    rows = (source.root / "inventory.tsv").read_text(encoding="utf-8").splitlines()[1:]
    cases = {row.split("\t")[0] for row in rows}
    assert {fact.case for fact in facts_of(book)} <= cases
