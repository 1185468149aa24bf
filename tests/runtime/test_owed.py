"""What is legal, listed and owed agree, however large the sets are."""

from __future__ import annotations

from itertools import combinations
from operator import eq, ge, gt, le, lt
from pathlib import Path
from random import Random

import pytest

from rulewright.compiler import load
from rulewright.runtime import Choice, Game, RandomPlayer, Refusal
from rulewright.runtime.choices.deep import STEPS, Deep
from rulewright.runtime.choices.sums import Sets

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
  define might(us: set of unit) -> number: sum(it.power over us)
  define odd(us: set of unit) -> flag: highest(it.power over us) = 5 and lowest(count(units_at(it.hex)) over us) > 90
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
    "a sum that cannot be": "    when sum(2 * it.power over us) = 27\n",
    "a sum in too few": "    when sum(it.power over us) = 27\n    when count(us) < 19\n",
    "through a definition": "    when might(us) > 90\n",
    "with one that is in the way": '    when "Big" in us\n    when sum(it.power over us) < 5\n',
    "some and none": "    when any us where it.power = 5\n    when count(us where it.power > 1) <= 0\n",
    "between": "    when count(us) in 20 .. 30\n    when sum(it.power over us) <= 19\n",
}
HARD = "    when odd(us)\n"


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
def test_a_duty_that_cannot_be_met_is_proved_so(tmp_path: Path, rules: str) -> None:
    game = begun(tmp_path, rules)
    search = Deep(game.state, game.program.actions["storm"], "red")
    assert search.first() is None and not search.open
    assert [c.name for c in game.legal("red")] == ["done"]
    game.do(RandomPlayer(1)(game, game.decisions[0]))
    assert not [e for e in game.log if e["event"] == "note"]


def test_a_duty_that_stays_undecided_keeps_its_window_and_says_so(tmp_path: Path) -> None:
    game = begun(tmp_path, HARD)
    assert list(game.legal("red")) == []
    said = f"storm may still be possible: no way was found in {STEPS:,} steps, and it is not shown that there is none"
    with pytest.raises(Refusal, match="is refused by 2: ") as refused:
        game.do("red: done")
    assert [(g.case, g.label) for g in refused.value.grounds] == [("2", "strike"), ("2", said)]
    with pytest.raises(Refusal, match="may still be possible"):
        RandomPlayer(1)(game, game.decisions[0])


def test_sets_by_sums_are_all_sets_that_will_do() -> None:
    """Against every subset, for small random sums."""
    rng = Random(4)
    for _ in range(60):
        members, many = tuple(range(rng.randrange(1, 8))), rng.randrange(1, 4)
        adds = [tuple(rng.randrange(-3, 4) for _ in range(many)) for _ in members]
        begin = tuple(rng.randrange(-6, 7) for _ in range(many))
        signs = [rng.choice((">=", ">", "<=", "<", "=")) for _ in range(many)]
        tests = {">=": ge, ">": gt, "<=": le, "<": lt, "=": eq}

        def will_do(some: tuple[int, ...]) -> bool:
            sums = [b + sum(adds[m][k] for m in some) for k, b in enumerate(begin)]  # noqa: B023
            return all(tests[sign](x, 0) for sign, x in zip(signs, sums, strict=True))  # noqa: B023

        wanted = {s for k in range(1, len(members) + 1) for s in combinations(members, k) if will_do(s)}
        found = list(Sets(members, adds, begin, signs))
        assert len(found) == len(set(found)) and set(found) == wanted
    given_up = Sets((1, 2), [(1,), (1,)], (0,), [">="], steps=0)
    assert given_up.open and list(given_up) == []


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


@pytest.mark.parametrize(
    ("so_that", "possible"),
    [
        ("sum(it.power over picked) = 27 and count(picked) = 19", True),
        ("sum(it.power over picked) = 27 and count(picked) = 18", False),
        ("count(picked) in 7 .. 9 and sum(it.power over picked) = 16", True),
        ("count(picked) > 4 and sum(it.power over picked) < 5", False),
    ],
)
def test_a_question_about_many_is_put_exactly_where_it_has_an_answer(
    tmp_path: Path, so_that: str, possible: bool
) -> None:
    path = tmp_path / "asks.rules"
    text = BOOK.format(names=NAMES, rules="    when count(us) = 1", where="")
    asked = f'      ask red for some picked from units(red) so that {so_that}\n      failing: log "nobody"\n'
    path.write_text(
        text.replace("      offer red: storm\n", asked).replace("  duty strike during day:\n    struck\n", "")
    )
    game = load(str(path)).new("one")
    assert bool(game.pending) is possible
    assert (("nobody",) in [e.get("texts") for e in game.log]) is not possible
    if possible:
        first = next(game.legal("red"))
        assert not game.refusals(first)
        game.do(first)


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
