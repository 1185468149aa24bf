"""RW602: a choice must not tell its side another's secret, however the secret comes to it; its own is no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.pipeline import compile_book

BOOK = """book plans "Plans"

case 1 "Pieces":
  kind side: red, blue
  mark plan of side: number = 0 secret to it
  mark goal of unit: hex or nowhere secret to it.side
  mark mined of hex: number = 0 secret to red
  mark score of side: number = 0
  map field:
    grid: rows A..A, columns 1..3
    hexes: A1..A3
  house roster men:
    form: side
    red: Guard @A1
    blue: Scout @A3
  remember bold(s: side) -> flag ever: s.plan > 2
  remember aimed(u: unit) -> flag ever: u.goal != nowhere
  remember mines -> number always: sum(it.mined over hexes())
  quota flights(h: hex) per day: 2
  quota drops(s: side) per day: 5
  quota sorties(s: side) per day: s.plan
  quota raids(s: side) per day: foe(s).plan
  define foe(s: side) -> side:
    blue when s = red
    red otherwise

case 2 "Play":
  action aim(u: unit from units(phasing), h: hex from hexes()) by phasing during day:
    set u.goal = h
    spend drops(phasing)
  action dig(h: hex from hexes()) by red during day:
    set h.mined = h.mined + 1
{action}
  sequence days:
    for each s in [red, blue]:
      ask s secretly for one bid from {{1 .. 3}}
      set s.plan = bid
    phase hunt for prey in [red.plan]:
{bound}
    phase day for phasing in [red, blue]:
{asks}
      offer phasing: {offered}
  scenario one:
    sequence: days
"""
SCORES = "    set actor.score = actor.score + 1\n"
TOLD = {
    "a memory of another's": ("    when not bold(foe(actor))\n", "bold"),
    "a memory of all": ("    when mines = 0\n", "mines"),
    "a memory of any unit": ("    when no counters(foe(actor)) where aimed(it)\n", "aimed"),
    "a mark of a hex": ("    when @A1.mined = 0\n", "mined"),
    "a quota of so many as another's plan": ("    when left(raids(actor)) > 0\n", "plan"),
}
OWN = {
    "a memory of its own": "    when not bold(actor)\n",
    "a memory of its units": "    when no units(actor) where aimed(it)\n",
    "its own mark": "    when actor.plan > 0\n",
    "its own quota": "    when left(drops(actor)) > 0\n",
    "a quota of so many as its own plan": "    when left(sorties(actor)) > 0\n",
}
ASKED = {
    "another's mark in a name": ("      let x = red.plan\n      ask blue for one g from {1 .. 3} so that g != x\n", "x"),
    "what is made from it": ("      let x = red.plan\n      let y = x + 1\n      ask blue for one g from {y .. 9}\n", "y"),
    "another's answer": (
        "      ask red secretly for one r from {1 .. 3}\n      ask blue for one g from {1 .. 3} so that g != r\n", "r",
    ),
    "another's mark": ("      ask blue for one g from {1 .. 3} so that g != red.plan\n", "plan"),
}  # fmt: skip
SILENT = {
    "its own name": "      let x = red.plan\n      ask red for one g from {1 .. 3} so that g != x\n",
    "its own answer": (
        "      ask red secretly for one r from {1 .. 3}\n      ask red for one g from {1 .. 3} so that g != r\n"
    ),
    "its own mark": "      ask phasing for one g from {1 .. 3} so that g != phasing.plan\n",
}


def found(tmp_path: Path, action: str = "", asks: str = "", bound: str = "") -> list[str]:
    path = tmp_path / "plans.rules"
    made = f"  action act() by phasing during day:\n{action}{SCORES}".rstrip("\n") if action else ""
    offered = "aim, dig, act" if action else "aim, dig"
    text = BOOK.format(action=made, asks=asks.rstrip("\n"), bound=bound or '      log "hunt"', offered=offered)
    path.write_text(text.replace("\n\n\n", "\n").replace(":\n\n", ":\n"))
    report = compile_book(str(path)).report
    assert [d.message for d in report.found if d.severity == "error"] == []
    return [d.message for d in report.found if d.code == "RW602"]


@pytest.mark.parametrize(("rule", "name"), TOLD.values(), ids=TOLD)
def test_a_rule_that_would_tell_is_named(tmp_path: Path, rule: str, name: str) -> None:
    assert found(tmp_path, rule) == [f'whether act is legal depends on "{name}", which its side may not know']


@pytest.mark.parametrize("rule", OWN.values(), ids=OWN)
def test_an_owner_may_use_its_own(tmp_path: Path, rule: str) -> None:
    assert found(tmp_path, rule) == []


@pytest.mark.parametrize(("asks", "name"), ASKED.values(), ids=ASKED)
def test_a_question_that_would_tell_is_named(tmp_path: Path, asks: str, name: str) -> None:
    assert found(tmp_path, asks=asks) == [
        f'what g may be answered with depends on "{name}", which its side may not know'
    ]


@pytest.mark.parametrize("asks", SILENT.values(), ids=SILENT)
def test_a_question_about_its_own_is_silent(tmp_path: Path, asks: str) -> None:
    assert found(tmp_path, asks=asks) == []


def test_what_a_phase_is_bound_to_and_a_quota_spent_by_a_secret(tmp_path: Path) -> None:
    bound = "      ask blue for one g from {1 .. 9} so that g != prey"
    assert found(tmp_path, bound=bound) == [
        'what g may be answered with depends on "prey", which its side may not know'
    ]
    spending = "    when actor.score < 9\n    set units(actor).goal = @A1\n    spend flights(@A1)\n"
    assert found(tmp_path, spending) == []
    path = tmp_path / "plans.rules"
    path.write_text(path.read_text().replace("    spend drops(phasing)\n", "    spend flights(h)\n"))
    told = [d.message for d in compile_book(str(path)).report.found if d.code == "RW602"]
    assert 'whether aim is legal depends on "flights", which its side may not know' in told
