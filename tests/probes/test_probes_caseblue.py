"""The probes from Case Blue and from the fragment: they compile clean, their examples hold, they play to the end.

A probe is worth its name only if its examples notice a broken rule; the mutants below break one each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import RandomPlayer, play

HERE = Path(__file__).parent
PROBES = {
    "2.4": HERE / "caseblue_2_4.rules",
    "2.5": HERE / "caseblue_2_5" / "caseblue_2_5.rules",
    "3.1": HERE / "caseblue_3_1.rules",
    "1.12c": HERE / "caseblue_1_12c.rules",
    "3.5j": HERE / "caseblue_3_5j.rules",
    "1.1c": HERE / "caseblue_1_1c.rules",
    "7.A": HERE / "fragment_7_a.rules",
}


def failures(path: Path) -> list[str]:
    """The titles of the examples that do not hold."""
    made = analyse(str(path))
    assert made.book is not None and not made.report.failed, [d.message for d in made.report.found]
    return [o.example.title for o in run_examples(made.book, load(str(path)).program) if not o.passed]


@pytest.mark.parametrize("probe", PROBES)
def test_probe_is_clean_and_its_examples_hold(probe: str) -> None:
    made = analyse(str(PROBES[probe]))
    assert [(d.code, d.message) for d in made.report.wrong] == []
    assert made.book is not None and len(made.book.examples) >= 6
    assert failures(PROBES[probe]) == []


@pytest.mark.parametrize("probe", PROBES)
def test_probe_plays_to_the_end_and_the_same_way_twice(probe: str) -> None:
    loaded = load(str(PROBES[probe]))
    for scenario in loaded.program.scenarios:
        for seed in range(4):
            ends = []
            for _ in range(2):
                game = loaded.new(scenario, seed=seed)
                players = {s: RandomPlayer(10 * seed + i) for i, s in enumerate(loaded.program.sides)}
                made = play(game, players, 3000)
                assert game.over and 0 < made < 3000
                ends.append((made, game.winner, game.digest()))
            assert ends[0] == ends[1]


def test_random_players_declare_fortresses_out_of_turn() -> None:
    loaded = load(str(PROBES["2.4"]))
    declared = 0
    for seed in range(12):
        game = loaded.new(seed=seed)
        play(game, {"axis": RandomPlayer(seed), "soviet": RandomPlayer(seed + 99)}, 3000)
        declared += sum("declare_fortress" in e["text"] for e in game.log if e["event"] == "choice")
    assert declared > 0


MUTANTS = [
    ("2.4", "it within 10 of c", "it within 11 of c"),
    ("2.4", "fortress of hex until not cut_off(it)", "fortress of hex"),
    ("2.4", "by axis anytime:", "by axis during movement:"),
    ("2.4", "h.fortress\n", "h.fortress and phasing = axis\n"),
    ("2.5", "if goal = nothing:", "if true:"),
    ("2.5", "and before Sep 1942", ""),
    ("2.5", "usual + {moscow} when all_linked", "usual + {moscow}"),
    ("2.5", "stack_limit: 3 becomes 2", "stack_limit: 3 becomes 4"),
    ("2.5", "usual - (neighbors(u.hex) where edge(u.hex, it).volga)", "usual"),
    ("3.1", "per game: 4", "per game: 5"),
    ("3.1", "per game: 4", "per turn: 4"),
    ("3.1", "skip next reaction when phasing = soviet", "skip next reaction when phasing = german"),
    ("3.1", "turn_after(assault_on, 1):", "turn_after(assault_on, 2):"),
    ("1.12c", "it.hex within 10 of h", "it.hex within 11 of h"),
    ("1.12c", "it is attack_capable and ", ""),
    ("1.12c", "every steps(path) has near_axis(it)", "near_axis(last(path))"),
    ("1.12c", "every steps(path) has near_axis(it)", "every first(40, path) has near_axis(it)"),
    ("1.1c", "per movement, combat: 1", "per movement: 1"),
    ("1.1c", "per movement, combat: 1", "per movement, combat: 2"),
    ("1.1c", "    spend ferry_room(e, bank)", '    log "nothing is counted"'),
    ("1.1c", "left(ferry_room(crossing, here)) = 0", "left(ferry_room(crossing, there)) = 0"),
    ("1.1c", "spend ferry_room(edge(u.hex, there), u.hex)", "spend ferry_room(edge(u.hex, there), there)"),
    ("7.A", "if d <= 3", "if d <= 4"),
    ("7.A", "when month(now) = Mar:", "when month(now) in {Mar, Apr}:"),
    ("7.A", "| Nov | snow        | good         |", "| Nov | snow        | snow         |"),
    ("7.A", "stop as opposed when opposed(u.side, there)", "stop as opposed when false"),
]


@pytest.mark.parametrize(("probe", "old", "new"), MUTANTS)
def test_a_broken_rule_is_noticed(probe: str, old: str, new: str, tmp_path: Path) -> None:
    source = PROBES[probe]
    text = source.read_text()
    assert old in text
    for other in source.parent.glob("*.rules") if source.parent != HERE else ():
        (tmp_path / other.name).write_text(other.read_text())
    broken = tmp_path / source.name
    broken.write_text(text.replace(old, new))
    assert failures(broken) != []
