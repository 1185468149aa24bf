"""The frame of The Dark Valley: chapters 2 to 6 and 10, the house map, and a scenario that plays to its end."""

from __future__ import annotations

import csv
import importlib.util
import sys
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import RandomPlayer

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "rulebooks" / "tdv"
MOST = 3000
WAITING = {"3.2/p14", "3.2/t1"}


@pytest.fixture(scope="module")
def book():
    return load("tdv")


def test_every_row_is_declared_or_waits_for_a_later_chapter() -> None:
    made = analyse("tdv")
    assert made.entries is not None
    assert not [finding for finding in made.report.found if finding.severity == "error"]
    declared = {case for entry in made.entries for case in (entry.case, *entry.covers)}
    with (BOOK / "inventory.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    mine = {r["case"] for r in rows if r["executable"] in ("rule", "data")}
    mine = {case for case in mine if case.split(".")[0] in {"3", "4", "5", "6", "10"}}
    assert mine - declared == WAITING


@pytest.mark.parametrize("seed", [1, 5])
def test_the_house_scenario_plays_to_its_end(book, seed: int) -> None:
    game = book.new("smolensk", seed)
    players = {side: RandomPlayer(seed * 31 + i) for i, side in enumerate(book.program.sides)}
    made = 0
    while not game.over and made < MOST:
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        made += 1
    assert game.over and game.winner in ("axis", "soviet")


def test_the_map_script_numbers_hexes_as_the_text_does() -> None:
    pytest.importorskip("numpy")
    sys.path.insert(0, str(ROOT / "maps"))
    try:
        spec = importlib.util.spec_from_file_location("build_tdv", ROOT / "maps" / "build_tdv.py")
        assert spec and spec.loader
        script = importlib.util.module_from_spec(spec)
        sys.modules["build_tdv"] = script
        spec.loader.exec_module(script)
    finally:
        sys.path.remove(str(ROOT / "maps"))
    fit = script.fit_board()
    assert script.hex_of(fit.spot(59.94, 30.31)) == script.unspell("W4702")
    assert script.hex_of(fit.spot(46.45, 17.00)) == script.unspell("W1642")
    assert script.unspell("W4702") in script.around(script.unspell("W4603"))
    assert 1 / (fit.a**2 + fit.b**2) ** 0.5 == pytest.approx(20 * 1.609344, rel=0.15)
