"""Probes from Fire in the East: each checks clean, its examples hold, it plays to its end, and it can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.examples.run import Outcome, run_examples
from rulewright.compiler.loader import Loaded, load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime.game import Game
from rulewright.runtime.players import RandomPlayer, play

HERE = Path(__file__).parent
PROBES = ("fite_10", "fite_12_b", "fite_19", "fite_21_b_2", "fite_9_f_1")


def outcomes(path: str) -> list[Outcome]:
    made = analyse(path)
    assert made.book is not None and not made.report.failed
    return run_examples(made.book, load(path).program)


def game(book: Loaded, seed: int) -> Game:
    return book.new(seed=seed)


@pytest.mark.parametrize("probe", PROBES)
def test_checks_without_a_finding(probe: str) -> None:
    assert [d.message for d in analyse(str(HERE / f"{probe}.rules")).report.wrong] == []


@pytest.mark.parametrize("probe", PROBES)
def test_examples_hold(probe: str) -> None:
    found = outcomes(str(HERE / f"{probe}.rules"))
    assert len(found) >= 10
    assert [(o.example.title, o.failures) for o in found if not o.passed] == []


@pytest.mark.parametrize("probe", PROBES)
def test_random_players_reach_the_end_and_the_same_seed_the_same_state(probe: str) -> None:
    book = load(str(HERE / f"{probe}.rules"))
    digests = []
    for seed in (1, 2, 2):
        g = game(book, seed)
        made = play(g, {side: RandomPlayer(seed + i) for i, side in enumerate(book.program.sides)}, most=2000)
        assert g.over and made > 1
        digests.append(g.digest())
    assert digests[1] == digests[2] != digests[0]


def test_the_errata_sheet_lowers_the_threshold() -> None:
    """With 1/7 in force only the example about exactly a fifth fails; the sheet strikes it."""
    book = str(HERE / "fite_10.rules")
    assert all(o.passed for o in outcomes(f"{book}+sheet"))
    base, program = analyse(book).book, load(f"{book}+sheet").program
    assert base is not None
    assert [o.example.case for o in run_examples(base, program) if not o.passed] == ["10.C/p2"]


MUTANTS = [
    ("fite_10", "number: 1 / 5\n", "number: 1 / 6\n", "exactly a fifth counts, anything less does not"),
    ("fite_10", "neutral when u in k.spared and usual = half", "neutral when u in k.spared", "a full unit cannot be called neutral by naming it"),
    ("fite_10", "proportion(tally(attackers, aeca, {}, nowhere)) >= 1 / 2", "proportion(tally(attackers, aeca, {}, nowhere)) > 1 / 2", "whoever spares all its half units has nothing left to back them"),
    ("fite_10", "(no_aec(h) or edge(u.hex, h).steep)", "no_aec(h)", "a steep side takes armour from those who cross it and from nobody else"),
    ("fite_12_b", "then maybe rail_haul(u)", "then maybe road_haul(u) then maybe rail_haul(u)", "no second road"),
    ("fite_12_b", "then maybe road_haul(u) then repeat truck_haul(u)", "then repeat truck_haul(u) then maybe road_haul(u)", "overland, truck, road, truck, rail"),
    ("fite_12_b", "road_haul as not_held when holder(there) != u.side", "road_haul as not_held when held(enemy(u.side), there)", "a road in enemy hands is no road, overland does not mind"),
    ("fite_12_b", "repeat truck_haul(u)", "maybe truck_haul(u)", "a chain of trucks, each with its own length"),
    ("fite_12_b", " and not held(s, h)", "", "a zone across the only way, opened by friends who stand in it"),
    ("fite_12_b", " and no supply_line(u)", " and no supply_line(u) and not u.fed", "fed for the player turn, no roll, and the count goes on"),
    ("fite_19", "    halt a\n", "", "hex by hex: passed over once, turned back in the next"),
    ("fite_19", "per air_phase: base.capacity", "per air_phase: base.capacity + 1", "three fighters, two attacks"),
    ("fite_19", "per air_phase: 1", "per air_phase: 2", "a roomy base does not let a fighter attack twice"),
    ("fite_19", ", at most 1", "", "hex by hex: passed over once, turned back in the next"),
    ("fite_21_b_2", "answering and not d.silent", "answering", "an abort silences it from the next exchange on, a second one kills"),
    ("fite_21_b_2", "      if answers: do fire(d, a)", "      if answers and d.pending != kill: do fire(d, a)", "both shots count, even of those shot down"),
    ("fite_21_b_2", "if d.worst = abort: put d in shot_down", "if d.worst = kill: put d in shot_down", "an abort silences it from the next exchange on, a second one kills"),
    ("fite_21_b_2", "    each a in i\n    to d in e\n  example", "    each a in i\n    to d in e\n    empty\n  example", "four against two: two each, or three and one"),
    ("fite_9_f_1", "from (free where roomy(u, it)) else free else around", "from free else around", "room in a free hex goes before a full one"),
    ("fite_9_f_1", "from (free where roomy(u, it)) else free else around", "from (free where roomy(u, it)) else around", "a full hex without a zone goes before an enemy zone, and the retreat goes on"),
    ("fite_9_f_1", " and u.nation = german", "", "nor are allied motorized units spared"),
    ("fite_9_f_1", "while on_map(u) and overstacked(u.hex)", "while on_map(u) and false", "a full hex without a zone goes before an enemy zone, and the retreat goes on"),
    ("fite_9_f_1", "    failing:\n      put u in dead(u.side)\n    if h", "    failing:\n      do reduce(u)\n    if h", "nowhere to go: not even a cadre is left"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("probe", "old", "new", "example"), MUTANTS, ids=[f"{m[0]}-{i}" for i, m in enumerate(MUTANTS)]
)
def test_a_changed_rule_fails_its_example(tmp_path: Path, probe: str, old: str, new: str, example: str) -> None:
    text = (HERE / f"{probe}.rules").read_text()
    assert old in text
    changed = tmp_path / f"{probe}.rules"
    changed.write_text(text.replace(old, new))
    assert example in [o.example.title for o in outcomes(str(changed)) if not o.passed]
