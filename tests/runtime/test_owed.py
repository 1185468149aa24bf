"""What is legal, listed and owed agree, however large the sets are."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.runtime import Choice, Game, RandomPlayer, Refusal
from rulewright.runtime.choices.deep import STEPS, Deep

NAMES = ", ".join(f"Unit {n} @A{1 + n % 4}" for n in range(1, 41))
BOOK = """book crowd "Many units, one attack"

case 1 "Pieces":
  kind side: red, blue
  field power of unit: number
  mark struck of game
  map field:
    grid: rows A..A, columns 1..4
    hexes: A1..A4
  house roster army:
    form: power side
    1 red: {names}
    5 red: Big @A1, Tall @A2

case 2 "Play":
  action storm(us: set of unit from units(red){where}) by red during day:
{rules}
    set struck
  duty strike during day:
    struck
  sequence days:
    phase day:
      offer red: storm
  scenario one:
    sequence: days
"""

RULES = {
    "a number of units": "    when count(us) = 20\n",
    "enough units": "    when count(us) >= 20\n",
    "enough and not too many": "    when count(us) >= 20\n    when count(us) <= 21\n",
    "a sum": "    when sum(it.power over us) = 27\n",
    "enough power in few": "    when sum(it.power over us) >= 25\n    when count(us) <= 17\n",
    "all but some": '    when count(us) > 38\n    when not ("Big" in us and "Tall" in us)\n',
}
NEVER = {
    "too many": "    when count(us) >= 99\n",
    "at odds": "    when count(us) > 20\n    when count(us) < 20\n",
}


def begun(tmp_path: Path, rules: str, where: str = "") -> Game:
    path = tmp_path / "crowd.rules"
    path.write_text(BOOK.format(names=NAMES, rules=rules.rstrip("\n"), where=where))
    return load(str(path)).new("one")


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_duty_that_can_be_met_is_owed_and_listed(tmp_path: Path, rules: str) -> None:
    game = begun(tmp_path, rules)
    listed = [c for c in game.legal("red") if c.name == "storm"]
    assert listed and all(not game.refusals(c) for c in listed)
    assert "done" not in {c.name for c in game.legal("red")}
    with pytest.raises(Refusal, match="strike"):
        game.do("red: done")
    for seed in range(3):
        choice = RandomPlayer(seed)(game, game.decisions[0])
        assert choice.name == "storm" and not game.refusals(choice)
    game.do(listed[0])
    game.do("red: done")
    assert not [e for e in game.log if e["event"] == "note"]


@pytest.mark.parametrize("rules", NEVER.values(), ids=NEVER)
def test_a_duty_that_nothing_is_found_for_is_not_waived_in_silence(tmp_path: Path, rules: str) -> None:
    game = begun(tmp_path, rules)
    assert [c.name for c in game.legal("red")] == ["done"]
    game.do(RandomPlayer(1)(game, game.decisions[0]))
    [entry] = [e for e in game.log if e["event"] == "note"]
    assert entry["case"] == "2"
    assert entry["text"] == (
        f"strike is not met, and it is not shown that it could not be: no way was found for storm ({STEPS:,} steps)"
    )


def test_where_all_sets_can_be_tried_a_waiver_is_proved(tmp_path: Path) -> None:
    """Eleven units have more sets than are listed, and few enough to be tried all."""
    rules = "    when count(us) >= 5\n    when sum(it.power over us) = 8\n"
    where = " where it.hex = @A2"
    game = begun(tmp_path, rules, where)

    members = [u for u in range(42) if game.state.at[u] == game.program.place_index["A2"]]
    assert len(members) == 11
    search = Deep(game.state, game.program.actions["storm"], "red")
    found = search.first()
    assert found is not None and not game.refusals(Choice(game.decisions[0].id, "red", "storm", (("us", found[0]),)))
    game = begun(tmp_path, "    when sum(it.power over us) = 5\n    when count(us) = 4\n", where)
    search = Deep(game.state, game.program.actions["storm"], "red")
    assert search.first() is None and not search.open
    game.do("red: done")
    assert not [e for e in game.log if e["event"] == "note"]


def test_a_question_about_many_finds_its_answer(tmp_path: Path) -> None:
    path = tmp_path / "asks.rules"
    text = BOOK.format(names=NAMES, rules="    when count(us) = 1", where="")
    text = text.replace(
        "      offer red: storm\n", "      ask red for some picked from units(red) so that count(picked) = 20\n"
    )
    path.write_text(text.replace("  duty strike during day:\n    struck\n", ""))
    game = load(str(path)).new("one")
    assert game.decisions[0].name == "picked"
    first = next(game.legal("red"))
    assert len(first.args[0][1]) == 20 and not game.refusals(first)
    game.do(RandomPlayer(5)(game, game.decisions[0]))
