"""Definitions whose clauses leave out no word of a kind need no `otherwise`; a new word shows where one is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import analyse

BOOK = """book arms "Arms"

case 1 "Pieces":
  kind side: red, blue
  kind arm: foot, horse, guns
  field arm of unit: arm
  field old of unit: arm or none
  map board:
    grid: rows A..B, columns from the east
    hexes: A1..A5
  roster armies:
    form: arm side
    foot red: Foot @A1
    horse red: Horse @A2
    guns red: Guns @A3

case 2 "Worth":
{worth}
"""
WHOLE = """  define worth(u: unit) -> number:
    1 when u.arm = foot
    2 when u.arm in {horse, guns}
"""
MORE = """
variant camels of arms "Camels":
  case 3 "Camels":
    insert item 1 arm:
      camels
    roster caravan:
      form: arm side
      camels blue: Camels @A4
"""


def found(tmp_path: Path, worth: str, more: str = "", stack: str = "") -> list[tuple[str, str]]:
    path = tmp_path / "arms.rules"
    path.write_text(BOOK.replace("{worth}", worth) + more, encoding="utf-8")
    report = analyse(f"{path}{stack}").report
    return [(d.code, d.message) for d in report.found if d.severity == "error"]


def test_all_words_of_a_kind_are_enough(tmp_path: Path) -> None:
    proof = """  example "worth":
    expect worth("Foot") = 1 and worth("Horse") = 2 and worth("Guns") = 2
"""
    assert found(tmp_path, WHOLE + proof) == []
    name = str(tmp_path / "arms.rules")
    book = analyse(name).book
    assert book is not None
    assert [o.passed for o in run_examples(book, load(name).program)] == [True]


@pytest.mark.parametrize(
    ("clauses", "why"),
    [
        (("1 when u.arm = foot", "2 when u.arm = guns"), "no clause is for horse"),
        (("1 when u.arm = foot", "2 when u.arm != foot"), "every clause has a condition"),
        (("1 when u.old = foot", "2 when u.old in {horse, guns}"), "every clause has a condition"),
        (("1 when u.arm = foot", '2 when "Foot".arm in {horse, guns}'), "every clause has a condition"),
        (("1 when u.arm = foot and on_map(u)", "2 when u.arm in {horse, guns}"), "every clause has a condition"),
    ],
)
def test_a_word_left_out_is_named(tmp_path: Path, clauses: tuple[str, ...], why: str) -> None:
    worth = "  define worth(u: unit) -> number:\n" + "".join(f"    {x}\n" for x in clauses)
    assert found(tmp_path, worth) == [("RW301", f'"worth" may have no value: {why}')]


def test_a_new_word_shows_where_it_is_not_known_yet(tmp_path: Path) -> None:
    missing = [("RW301", '"worth" may have no value: no clause is for camels')]
    assert found(tmp_path, WHOLE, MORE) == []
    assert found(tmp_path, WHOLE, MORE, "+camels") == missing
    usual = "    except 2 worth: usual + 3 when u.arm = camels\n"
    assert found(tmp_path, WHOLE, MORE + usual, "+camels") == missing, "there is no usual value for them"
    known = '    except 2 worth: 3 when u.arm = camels\n    example "camels":\n      expect worth("Camels") = 3\n'
    assert found(tmp_path, WHOLE, MORE + known, "+camels") == []
    name = f"{tmp_path / 'arms.rules'}+camels"
    book = analyse(name).book
    assert book is not None
    assert [o.passed for o in run_examples(book, load(name).program)] == [True]
