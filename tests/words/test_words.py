"""The rules in words: everything is said, nothing is left as code, and a phrase is used as it is written."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler.core import nodes as c
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.words.cases import by_case, declared, said_of
from rulewright.compiler.words.english import listed, plural, verb_phrase
from rulewright.compiler.words.expressions import Words
from rulewright.compiler.words.phrases import phrases_of
from rulewright.compiler.words.said import plain

BOOKS = ("trc", "tdv", "fite", "fragment")
EVERY_FORM = Path(__file__).parents[1] / "diagnostics" / "every_form.rules"
CODE = re.compile(r"[_@{}<>=\[\]]|->|\bit\.\w|\w\(\w+[,)]")
"""What only text for the compiler has: joined names, signs, calls."""


@cache
def book(name: str) -> c.Book:
    found = analyse(name).book
    assert found is not None
    return found


@pytest.mark.parametrize("name", [*BOOKS, str(EVERY_FORM)])
def test_every_declaration_is_said_and_nothing_is_left_as_code(name: str) -> None:
    rules = book(name)
    words = Words(rules, phrases_of(rules))
    for span, declaration in declared(rules):
        said = said_of(words, declaration)
        where = f"{span.file}:{span.line}"
        assert said, where
        for sentence in (s for top in said for s in top.walk()):
            assert sentence.text and sentence.text[-1] in ".:!?)", (where, sentence.text)
            assert not CODE.search(unquoted(sentence.text)), (where, sentence.text)


def unquoted(text: str) -> str:
    """Without the braces of a book's own log lines and names in brackets."""
    text = re.sub(r"(log says “[^”]*)\{(\w+)\}", r"\1\2", text)
    return re.sub(r"\([A-Za-z0-9./+\- ]+\)", "", text)


@pytest.mark.parametrize("name", BOOKS)
def test_the_same_rules_give_the_same_words(name: str) -> None:
    assert by_case(book(name)) == by_case(book(name))


def said(text: str, case: str, tmp_path: Path) -> list[str]:
    path = tmp_path / "words.rules"
    path.write_text(text, encoding="utf-8")
    return plain(by_case(book(str(path)))[case])


SMALL = """book small "Small"

case 1 "Pieces":
  kind side: red, blue
  kind arm: foot, partisan
  field strength of unit: number
  field arm of unit: arm
  map field:
    grid: rows A..C, columns from the east
    hexes: A1..A6, B1..B6, C1..C6
  roster all:
    form: strength arm side
    4 foot red: Guard @B1
    2 partisan blue: Scout @B6

case 2 "Zone of control":
  define zone(u: unit) -> set of hex: {u.hex} + neighbors(u.hex)
  words en:
    zone: the zone of control of {u}

case 3 "Partisans":
  except 2 zone: {u.hex} when u.arm = partisan

case 4 "Threat":
  define threatens(u: unit, h: hex) -> flag: h in zone(u) and not u.arm = partisan
"""


def test_a_definition_and_its_exception(tmp_path: Path) -> None:
    assert said(SMALL, "2", tmp_path) == [
        "The zone of control of a unit consists of the unit's hex and the hexes next to the unit's hex.",
        "- Except (3): if the unit's arm is partisan: the unit's hex.",
    ]
    assert said(SMALL, "3", tmp_path) == [
        "About 2: The zone of control of a unit consists of the unit's hex and the hexes next to the unit's hex.",
        "- Except (3): if the unit's arm is partisan: the unit's hex.",
    ]


def test_a_flag_is_a_clause_that_can_be_denied(tmp_path: Path) -> None:
    assert said(SMALL, "4", tmp_path) == [
        "A unit threatens a hex if the hex is among the zone of control of the unit and the unit's arm is not partisan."
    ]


def test_another_language_stands_beside_the_first(tmp_path: Path) -> None:
    more = SMALL + "  words de:\n    zone: die Kontrollzone von {u}\n"
    path = tmp_path / "words.rules"
    path.write_text(more, encoding="utf-8")
    assert "Die Kontrollzone von a unit" in plain(by_case(book(str(path)), "de")["2"])[0]
    assert "the zone of control" in plain(by_case(book(str(path)), "en")["2"])[0].lower()


@pytest.mark.parametrize(
    ("verb", "many", "positive", "made"),
    [
        ("is in supply", False, False, "is not in supply"),
        ("has moved", True, True, "have moved"),
        ("can move", False, False, "cannot move"),
        ("counts for stacking", True, False, "do not count for stacking"),
        ("reaches it", True, True, "reach it"),
        ("carries it", False, False, "does not carry it"),
    ],
)
def test_verbs(verb: str, many: bool, positive: bool, made: str) -> None:
    assert verb_phrase(verb, many, positive) == made


def test_lists_and_plurals() -> None:
    assert listed(["a", "b", "c"]) == "a, b and c" and listed(["a"]) == "a"
    assert [plural(x) for x in ("hex", "army", "unit", "key")] == ["hexes", "armies", "units", "keys"]


def test_an_overlay_may_strike_what_the_book_has_a_phrase_for(tmp_path: Path) -> None:
    rule = '\ncase 9 "March":\n  route way(u: unit):\n    from: u.hex\n    budget: 1\n    enter: 1\n'
    ban = "    forbid as own when any units_at(there)\n"
    over = '{kind} bare of small "Bare":\n  case V.1 "No ban":\n    strike 9 no_own\n'
    path, more = tmp_path / "small.rules", tmp_path / "bare.rules"
    text = SMALL + rule + ban + "  forbid way as no_own when u.strength = 0\n"
    path.write_text(text + "  words en:\n    way.no_own: {u} is spent\n", encoding="utf-8")
    more.write_text(over.format(kind="variant"), encoding="utf-8")
    assert not analyse(str(path)).report.failed
    assert not analyse(f"{path}+{more}").report.failed
    more.write_text(over.format(kind="variant") + "    words en:\n      way.no_own: {u} is weak\n", encoding="utf-8")
    found = analyse(f"{path}+{more}").report.found
    assert [d.code for d in found if d.code == "RW138"] == ["RW138"]
