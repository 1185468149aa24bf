"""Every hex, place, counter and number that a rulebook's text states of its map, counters and charts: the house data agrees.

The tables in `facts/` hold one fact a line as an expression of the language, with the line of the text that states it.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.loader import load_compiled
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.render import render_text

FACTS = Path(__file__).parent / "facts"
LEAST = {"trc": 200, "tdv": 150, "fragment": 80}
Row = dict[str, str]


def rows(book: str) -> list[Row]:
    lines = (FACTS / f"{book}.tsv").read_text(encoding="utf-8").splitlines()
    table = [line for line in lines if not line.startswith("#")]
    return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def groups() -> list[tuple[str, str]]:
    """Each book with each set of overlays that its facts speak of."""
    return [(book, over) for book in LEAST for over in dict.fromkeys(row["with"] for row in rows(book))]


def as_overlay(book: str, facts: list[Row]) -> str:
    """The facts as the examples of an overlay, one a fact."""
    out = [f'errata text_facts of {book} "What the text states":', "  nature: clarification", '  case TF.1 "Facts":']
    for number, row in enumerate(facts):
        out += [f'    example "{number}: line {row["line"]}":']
        out += [f"      given {part.strip()}" for part in row["given"].split(";") if part.strip()]
        out += [f"      expect {row['fact']}"]
    return "\n".join(out) + "\n"


@pytest.mark.parametrize(("book", "over"), groups())
def test_the_house_data_agrees_with_the_text(book: str, over: str, tmp_path: Path) -> None:
    facts = [row for row in rows(book) if row["with"] == over]
    path = tmp_path / "text_facts.rules"
    path.write_text(as_overlay(book, facts), encoding="utf-8")
    made = analyse("+".join(part for part in (book, over, str(path)) if part))
    errors = [d for d in made.report.found if d.severity == "error"]
    assert errors == [], render_text(errors)
    assert made.book is not None
    mine = [example for example in made.book.examples if example.case == "TF.1"]
    assert len(mine) == len(facts)
    told = defaultdict(list)
    for outcome in run_examples(made.book, load_compiled(made).program, mine):
        row = facts[int(outcome.example.title.partition(":")[0])]
        for _, why in outcome.failures:
            told[f"line {row['line']}: {row['fact']}"].append(why)
    assert dict(told) == {}


@pytest.mark.parametrize("book", LEAST)
def test_the_table_is_whole_and_in_order(book: str) -> None:
    table = rows(book)
    assert len(table) >= LEAST[book]
    assert [int(row["line"]) for row in table] == sorted(int(row["line"]) for row in table)
    assert len({(row["with"], row["given"], row["fact"], row["line"]) for row in table}) == len(table)
