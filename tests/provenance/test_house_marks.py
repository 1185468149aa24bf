"""House values say so wherever they appear: every one of every book, in every output."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.core.entries import Entry
from rulewright.compiler.core.house_values import rules_on
from rulewright.compiler.diff.facts import Fact
from rulewright.compiler.diff.phrases import is_house
from rulewright.compiler.doc.coverage import inventory, not_measured
from rulewright.compiler.doc.site import doc
from rulewright.compiler.loader import load
from rulewright.compiler.manifest import manifest
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.compiler.seat.facts import Facts
from rulewright.dsl import nodes as n
from rulewright.runtime.telling.explain import origin
from rulewright.runtime.telling.narrate import narrate

BOOKS = ("fragment", "trc", "tdv", "fite")


def house_entries(made: Compiled) -> list[Entry]:
    assert made.entries is not None
    return [e for e in made.entries if e.house]


@pytest.mark.parametrize("book", BOOKS)
def test_every_house_value_says_so(book: str) -> None:
    made = analyse(book)
    assert made.book is not None and made.entries is not None
    program = load(book).program
    marked = house_entries(made)
    assert len(marked) >= 40

    listed = [(row["case"], row["what"]) for row in json.loads(manifest(made))["house"]]
    assert len(listed) == len(marked)
    assert {case for case, _ in listed} == {e.case for e in marked}

    printed_cases = {
        e.case for e in made.entries if not e.house and not isinstance(e.node, n.Example) and rules_on(e.node)
    }
    for e in marked:
        for name in e.node.names if isinstance(e.node, n.Field) else filter(None, [e.name]):
            assert origin(program, e.case, name).endswith(", house"), (e.case, name)  # what `why` says after a case
            fact = Fact("", "changed", "definition", e.case, name, "1", "2", "")
            assert is_house(fact, made.book), (e.case, name)
        if e.case not in printed_cases:
            told = narrate(program, {"event": "note", "texts": ("so",), "values": (), "names": (), "case": e.case})
            assert told == f"    so  [{e.case}, house]"

    facts = Facts(program, load(book).data())
    for i, u in enumerate(made.book.units):
        assert (program.house.get(f'"{u.name}"') == "house") == u.house
        assert facts.unit(i).endswith("(house)") == u.house
    assert ("map" in program.house) == any(isinstance(e.node, n.Data) and e.node.kind == "map" for e in marked)


def test_printed_values_do_not_say_house() -> None:
    made, program = analyse("trc"), load("trc").program
    for e in made.entries or ():
        if not e.house and e.name and not isinstance(e.node, n.Example) and rules_on(e.node):
            assert "house" not in origin(program, e.case, e.name), (e.case, e.name)
    for case, name, cited in (("10.3", "d", "10.3"), ("13.2", "d", "13.2, crt is house"), ("13.2", "e", "13.2")):
        assert narrate(program, {"event": "roll", "faces": [3], "case": case, "name": name}) == f"    die: 3  [{cited}]"
    told = {"event": "note", "texts": ("die ", ""), "values": (("number", 3, ()),), "names": ("d",), "case": "13.2"}
    assert narrate(program, told) == "    die 3  [13.2, crt is house]"


def test_only_the_roll_that_is_read_in_a_house_table_says_so() -> None:
    """Case 2.3 of the series rolls for the weather, in a house table of Case Blue, and for the first player."""
    house = load("caseblue").program.house
    assert house["ocs 2.3 die die"] == "ground_table is house" and "ocs 2.3 die dice" not in house
    assert "limited_up_to" in house["1.3/p1 die die"]  # the die is held against the number of that table


def test_the_reference_marks_every_house_declaration() -> None:
    made = analyse("fragment")
    pages = doc(made, not_measured(), inventory(made))
    shown = pages["house.html"].count('class="badge house"')
    assert shown == len(house_entries(made))
    chapters = sum(text.count('class="badge house"') for name, text in pages.items() if name.startswith("chapter-"))
    assert chapters >= shown
    rests = [x for text in pages.values() for x in re.findall(r'class="badge rests">rests on house ([^<]+)<', text)]
    assert rests and {y for x in rests for y in x.split(", ")} <= {e.name for e in house_entries(made)}


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    words = ["--players", "random", "--seed", "2", "--until", "3", "--quiet", "--save", "g.save"]
    assert main(["play", "fragment", *words]) == 0
    capsys.readouterr()
    return tmp_path / "g.save"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("crt(3, 2:1)", "[absent/CRT Combat results table, house]"),
        ('"1 Panzer".strength', "house counter"),
        ("Kiev.country", "house map"),
        ("holder(Kiev)", "[HOUSE/control Who holds a point, house]"),
        ("weather", "[7.A.a"),
        ('price("1 Panzer")', "house counter"),
    ],
)
def test_why_says_it(asked: str, told: str, saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["why", "fragment", str(saved), asked])
    found = capsys.readouterr().out
    assert told in found or asked == "weather", found
    assert ("house" in found) == ("house" in told.lower()), found
