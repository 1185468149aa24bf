"""Every hex, place, counter and number that a rulebook's text states of its map, counters and charts: the house data agrees.

`facts.tsv` of a book holds one fact a line as an expression of the language, with the case and the line of the text.
"""

from __future__ import annotations

import pytest

from rulewright.compiler.provenance.facts import broken_facts, facts_of
from rulewright.compiler.read.library import find_book

LEAST = {"trc": 200, "tdv": 80, "fragment": 80}


def groups() -> list[tuple[str, tuple[str, ...]]]:
    """Each book with each set of overlays that its facts speak of."""
    return [(book, over) for book in LEAST for over in dict.fromkeys(fact.overlays for fact in facts_of(book))]


@pytest.mark.parametrize(("book", "over"), groups())
def test_the_house_data_agrees_with_the_text(book: str, over: tuple[str, ...]) -> None:
    facts = [fact for fact in facts_of(book) if fact.overlays == over]
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
