"""RW602 where things are veiled: a choice must not hang on what lies beneath another's stack; on its own it may."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.pipeline import compile_book

BOOK = """book stacks "Stacks"

case 1 "Pieces":
  kind side: red, blue
  field strength of unit: number
  mark store of hex: number = 0
  mark keeper of hex: side or nobody = nobody
  mark score of side: number = 0
  map field:
    grid: rows A..A, columns 1..3
    hexes: A1..A3
  house roster men:
    form: strength side
    2 red: Guard @A1
    3 blue: Scout @A3
  define foe(s: side) -> side: other(s)
  define held(s: side, h: hex) -> number:
    h.store when h.keeper = s
    0 otherwise
  define enemy_store(s: side, h: hex) -> flag: h.store > 0 and h.keeper != s
  define might(s: side, h: hex) -> number: sum(it.strength over units_at(h) where it.side = s)
  define beneath(u: unit, s: side) -> flag: on_map(u) and u != foremost(units_at(u.hex) where it.side = u.side)
  define stored(h: hex, s: side) -> flag: h.keeper != s and any units_at(h) where it.side != s
  veiled stacks:
    unit: beneath
    hex.store: stored
    hex.keeper: stored

case 2 "Play":
  action act(u: unit from units(phasing), h: hex from hexes) by phasing during day:
{rule}    set h.store = h.store + u.strength
    set h.keeper = phasing
    set phasing.score = phasing.score + 1
  sequence days:
    phase day for phasing in [red, blue]:
{asks}      offer phasing: act
  scenario one:
    sequence: days
"""
TELLS = {
    "another's strength": ("when might(foe(phasing), h) < 3", "a number made of units"),
    "a sum of other units": ("when sum(it.strength over units_at(h) where it.side != phasing) < 3", "a number made of"),
    "a count of other units": ("when count(units(other(phasing)) where it.hex = h) < 2", "a number made of units"),
    "a store of nobody's": ("when h.store < 3", '"store"'),
    "another's store": ("when not enemy_store(phasing, h)", '"store"'),
    "what another holds": ("when held(foe(phasing), h) = 0", '"store"'),
    "whose a store is": ("when h.keeper != other(phasing)", '"keeper"'),
}
QUIET = {
    "its own strength": "when might(phasing, h) < 3 and u.strength > 1",
    "its own units": "when count(units(phasing) where it.hex = h) < 2",
    "its own store": "when held(phasing, u.hex) < 3",
    "a store that it sees to be its own": "when h.keeper = phasing and h.store < 9",
    "a store that lies open": "when not stored(h, phasing) and not enemy_store(phasing, h)",
    "whether anybody is there": "when no units_at(h) where it.side != phasing",
}


def warnings(folder: Path, rule: str = "", asks: str = "") -> list[str]:
    path = folder / "stacks.rules"
    path.write_text(BOOK.replace("{rule}", f"    {rule}\n" if rule else "").replace("{asks}", asks), encoding="utf-8")
    report = compile_book(str(path)).report
    assert [d.message for d in report.found if d.severity == "error"] == []
    return [d.message for d in report.found if d.code == "RW602"]


@pytest.mark.parametrize(("rule", "told"), TELLS.values(), ids=TELLS)
def test_what_is_veiled_may_not_decide(rule: str, told: str, tmp_path: Path) -> None:
    found = warnings(tmp_path, rule)
    assert found and all("whether act is legal" in x and "veiled" in x for x in found) and told in found[0] + found[-1]


@pytest.mark.parametrize("rule", QUIET.values(), ids=QUIET)
def test_what_is_its_own_or_open_may(rule: str, tmp_path: Path) -> None:
    assert warnings(tmp_path, rule) == []


def test_an_answer_may_not_hang_on_what_is_veiled(tmp_path: Path) -> None:
    ask = "      ask phasing for one goal from hexes where {}\n      set goal.store = goal.store + 1\n"
    assert ["what goal may be" in x for x in warnings(tmp_path, asks=ask.format("it.store = 0"))] == [True]
    assert warnings(tmp_path, asks=ask.format("held(phasing, it) = 0")) == []
