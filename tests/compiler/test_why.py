"""`why` takes any expression of the language: answers, citations, secrets, budgets and mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.compiler import explain, load
from rulewright.compiler.cli.main import main
from rulewright.compiler.evaluate import limit
from rulewright.compiler.evaluate.limit import limited
from rulewright.compiler.evaluate.problems import TooLong
from rulewright.runtime import Refusal
from rulewright.runtime.begin import resume
from rulewright.runtime.ops import set_mark
from rulewright.runtime.program import Program
from rulewright.runtime.view import why_for

SECRETS = str(Path(__file__).parent.parent / "books" / "secrets.rules")
SKIRMISH = str(Path(__file__).parent.parent / "books" / "skirmish.rules")
SCENARIOS = {"trc": "battle", "tdv": "smolensk", "fite": "niemen", "fragment": "first_year"}

# The text, the value, and the case that the first line cites.
ASKED = {
    "trc": [
        ("crt(3, 3:1)", "DR", "ABS/CRT"),
        ("crt(6, 10:1) = DS", "true", ""),
        ("terrain_chart(woods)", "terrain_effect(cost: 1, stops: true, doubled: false, holds: true)", "ABS/TEC"),
        ("terrain_chart(woods).cost", "1", ""),
        ("weather", "clear", "4.1.1"),
        ("weather = snow", "false", ""),
        ("now", "Jul/Aug 1941", ""),
        ("phasing", "axis", ""),
        ("since Nov/Dec 1941", "false", ""),
        ("turn_after(now, 3)", "Jan/Feb 1942", ""),
        ("turn_after(now, 100)", "turn_after(May/Jun 1945, 77)", ""),
        ('"47 Panzer".hex', "@P17", ""),
        ('"47 Panzer".strength', "8", "2.4"),
        ('"47 Panzer".moved', "false", "5.3"),
        ("@P17.terrain", "woods", "ABS/MAP"),
        ("P17.terrain", "woods", "ABS/MAP"),
        ('zone("47 Panzer")', "{@O16, @O17, @P16, @P17, @P18, @Q16, @Q17}", "7.1"),
        ('allowance("47 Panzer")', "8", "5.4"),
        ('odds(battle(attackers: {"47 Panzer", "46 Panzer"}, defenders: {"24 Army"}))', "3:1", "13.1"),
        ('odds(battle({"47 Panzer"}, {"24 Army"}, {}))', "1:1", "13.1"),
        ('battle(attackers: {"47 Panzer"})', 'battle(attackers: {"47 Panzer"}, defenders: {}, air: {})', ""),
        ('battle(attackers: {"47 Panzer"}).attackers', '{"47 Panzer"}', ""),
        ("count(units(russian))", "34", ""),
        ("count(units(axis) where enemy_zone(axis, it.hex))", "7", ""),
        ("sum(it.strength over units(axis))", "123", ""),
        ("units_at(Kiev)", '{"5 Cavalry", "6 Army"}', ""),
        ('supposing "47 Panzer" at @Q17: units_at(@Q17)', '{"7 Infantry", "46 Panzer", "47 Panzer"}', ""),
        ('supposing weather = snow: allowance("47 Panzer")', "4", ""),
        ('supposing "47 Panzer".moved = true: any units(axis) where it.moved', "true", ""),
        ("left(rail_moves(axis))", "6", "9.2"),
        ("last_hold(Kiev)", "russian", ""),
        ("who_surrenders", "owner_chooses", "12.5"),
        ("phase_is(movement)", "true", ""),
        ('cost(ground("47 Panzer"), [@P17, @P16])', "1", "5.2"),
        ("edge(@P17, @P16)", "@P16/P17", ""),
        ("1/2 + 1/3", "5/6", ""),
        ("{1, 2, 3} - {2}", "{1, 3}", ""),
        ("on_scale(odds, 7/2)", "3:1", ""),
        ("on_scale(odds, 1/9)", "below 1:6", ""),
        ('{} else {"46 Panzer"}', '{"46 Panzer"}', ""),
        ('"47 Panzer".hex = @P17 and not pinned("47 Panzer")', "true", ""),
        ('"47 Panzer" in units(axis)', "true", ""),
        ("every units(axis) has it.side = axis", "true", ""),
        ("winner", "nothing", ""),
        ("unlimited", "unlimited", ""),
    ],
    "tdv": [
        ("weather", "fair", "2.1/p3"),
        ('supposing "1 Panzer".reduced = true: attack_now("1 Panzer")', "3", ""),
        ("vp_now", "16", "3.1/p3"),
        ("holder(Warsaw)", "axis", ""),
        ("left(bridgeheads)", "2", "12.4.1"),
        ("both_zones", "newcomer", "2.4/p5"),
    ],
    "fite": [
        ("combat_results(4, 3:1)", "HX", "T.CRT"),
        ("order_of_players", "[axis, soviet]", "4/p1"),
        ('entry_toll("1 Pz", @1B/2723)', "toll(passage: open, points: 1, share: 0)", "6/p3"),
        ("@1B/2623/1B/2723", "@1B/2623/1B/2723", ""),
        ("owner(@1B/2623)", "axis", ""),
        ("count(troops(soviet))", "15", ""),
    ],
    "fragment": [
        ("weather_column", "second_column", "7.A/p1"),
        ('"16 Army".hex', "@Konigsberg", ""),
        ("axis.infantry_points", "0", "8.A/p3"),
        ('odds_of({"16 Army"}, @Warsaw)', "1:2", "HOUSE/combat"),
        ("variable(May)", "true", "7.A/p1"),
    ],
}


@pytest.fixture(scope="module")
def saves(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("saves")
    for book, scenario in SCENARIOS.items():
        load(book).new(scenario, seed=1).save(folder / f"{book}.save")
    load(SKIRMISH).new(seed=1).save(folder / "skirmish.save")
    return {path.stem: str(path) for path in folder.iterdir()}


def asked(capsys, book: str, save: str, text: str, *more: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["why", book, save, text, *more])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(("book", "text", "value", "case"), [(b, *row) for b, rows in ASKED.items() for row in rows])
def test_any_expression_is_answered_on_the_command_line(saves, capsys, book, text, value, case):
    code, out, err = asked(capsys, book, saves[book], text, "--format", "json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert told["value"] == value and told["legal"]
    first = told["lines"][0]
    assert f"[{case} " in first if case else "[" not in first.partition("  [")[2]
    assert first.partition("  [")[0].endswith((f" = {value}", f": {value}"))


def test_there_are_many_of_them():
    assert sum(map(len, ASKED.values())) >= 40 and set(ASKED) == set(SCENARIOS)


def test_the_value_that_is_told_reads_back(saves, capsys):
    """What an explanation prints can be asked again, and is itself."""
    for book, rows in ASKED.items():
        for text, value, _ in rows:
            code, out, _ = asked(capsys, book, saves[book], f"({text}) = ({value})")
            # A kind's word that several kinds have, or nothing at all, does not compare without a type.
            assert (code == 0 and f"({text}) = ({value}): true" in out) or value in (
                "nothing",
                "true",
                "false",
            )


# ---------------------------------------------------------------- what it was made of


def lines(book: str, text: str) -> list[str]:
    return str(load(book).new(SCENARIOS[book], seed=1).why(text)).splitlines()


def test_conditions_tell_their_parts_up_to_the_one_that_decides():
    assert lines("trc", 'weather = snow and "47 Panzer".strength > 5') == [
        'weather = snow and "47 Panzer".strength > 5: false',
        "  weather = snow: false",
        "    weather = clear  [4.1.1 Weather]",
    ]
    assert lines("trc", 'weather = clear or "47 Panzer".strength > 5')[1] == "  weather = clear: true"


def test_what_is_supposed_is_supposed_of_the_parts_too():
    found = lines("trc", 'supposing weather = snow: allowance("47 Panzer") + 1')
    assert found[0].endswith("= 5") and any(x.strip().startswith('allowance("47 Panzer") = 4') for x in found)


def test_arguments_are_told_where_they_are_more_than_values():
    found = lines("trc", 'holder("47 Panzer".hex)')
    assert found[0].startswith("holder(@P17) = ") and found[1] == '  "47 Panzer".hex = @P17'


def test_members_of_a_loop_are_told_where_they_tell_something():
    found = lines("trc", "count(units(axis) where enemy_zone(axis, it.hex))")
    assert any("enemy_zone(axis, @" in x and "= true" in x for x in found)


def test_records_and_tables_are_told_by_name():
    found = lines("trc", 'odds(battle({"47 Panzer"}, {"24 Army"}, {}))')
    said = 'odds(battle(attackers: {"47 Panzer"}, defenders: {"24 Army"}, air: {})) = 1:1'
    assert found[0] == f"{said}  [13.1 Odds; rests on house values]"
    assert any('attack_value("47 Panzer", battle(…)) = ' in x for x in found)
    assert any("terrain_chart(clear) = terrain_effect(cost: 1" in x for x in found)


def test_from_python_a_game_answers_too(tmp_path):
    loaded = load("trc")
    game = loaded.new("battle", seed=1)
    assert str(game.why("crt(3, 3:1)")) == str(explain(loaded, game, "crt(3, 3:1)"))
    game.save(tmp_path / "a.save")
    assert resume(tmp_path / "a.save", lambda _: loaded.program).why("weather").shown == "clear"


def test_without_the_compiler_only_choices_are_answered():
    game = load(SKIRMISH).new(seed=1)
    bare = {name: getattr(game.program, name) for name in Program.__dataclass_fields__ if name in FIELDS}
    game.program = Program(**{**bare, "explains": None})
    with pytest.raises(Refusal, match="does not begin with a side"):
        game.why("1 + 1")


FIELDS = {f.name for f in Program.__dataclass_fields__.values() if f.init}


def test_asking_changes_nothing():
    game = load("trc").new("battle", seed=1)
    before = game.digest()
    for text, _, _ in ASKED["trc"]:
        game.why(text)
    assert game.digest() == before


# ---------------------------------------------------------------- secrets


def test_two_positions_that_differ_in_a_secret_are_told_alike():
    texts = ['"Scout".fuel', '"Scout" is armed', "count(units(blue) where it.fuel > 3)", "bold(blue)", "blue.sealed",
             'supposing "Guard".fuel = 5: sum(it.fuel over all_units())', "red.held", "mines(@A1)"]  # fmt: skip
    book = load(SECRETS)
    one, other = book.new(seed=3), book.new(seed=3)
    S = other.state
    set_mark(S, "unit_fuel", S.program.unit_index["Scout"], 7, "")
    set_mark(S, "unit_armed", S.program.unit_index["Scout"], True, "")
    assert [why_for(one, "red", t) for t in texts] == [why_for(other, "red", t) for t in texts]
    assert why_for(one, "blue", texts[0]) != why_for(other, "blue", texts[0])


@pytest.mark.parametrize("text", ['"Chit 1".hex', "units_at(bag)", "sum(it.worth over units_at(bag))"])
def test_what_lies_in_a_cup_is_not_told_to_a_side(text):
    game = load(SECRETS).new(seed=3)
    with pytest.raises(Refusal, match="red may not see"):
        why_for(game, "red", text)
    with pytest.raises(Refusal, match="red may not see"):
        explain(load(SECRETS), game, text, "red")
    assert game.why(text).shown


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("text", "code", "said", "marked"),
    [
        ("in_zon(red, @A1)", "RW201", 'unknown name "in_zon"', "^^^^^^"),
        ("in_zone(red, 3)", "RW211", "this is a number, where a place is needed", "^"),
        ('"Red 11".hex', "RW214", 'no roster has a unit "Red 11"', "^^^^^^^^"),
        ("1 +", "RW101", "a value is missing", "^"),
        ("(" * 500 + "1" + ")" * 500, "RW104", "nesting is deeper than 64", "^"),
        ("1" + " + 1" * 900, "RW105", "a chain of more than", "^"),
        ("9" * 40, "RW106", "more than 18 digits", "^"),
        ("x" * 300, "RW103", "longer than 128 characters", "^"),
        ("\x1b[31mred\x07", "RW101", "", "^"),
        ("", "RW101", "an expression is expected", ""),
        ("1d6", "RW211", "dice are rolled", "^^^"),
        ("zone(it)", "RW201", 'unknown name "it"', "^^"),
        ("win red", "RW101", "", "^"),
        ("__import__('os')", "RW101", "", "^"),
    ],
)
def test_a_mistake_is_one_finding_with_its_place_marked(saves, capsys, text, code, said, marked):
    exit_code, out, err = asked(capsys, SKIRMISH, saves["skirmish"], text)
    assert (exit_code, out) == (2, "")
    assert err.startswith(code) and said in err.splitlines()[0] and marked in err
    assert "a choice begins with a side: red, blue" in err
    assert all(x.isprintable() for x in err.replace("\n", "")) and "Traceback" not in err and len(err.splitlines()) <= 8


def test_what_begins_with_a_side_is_a_choice(saves, capsys):
    exit_code, _, err = asked(capsys, SKIRMISH, saves["skirmish"], "red: in_zone(red, @A1)")
    assert exit_code == 1 and "neither an action nor something that is asked" in err


@pytest.mark.parametrize(
    "text",
    [
        "count({1..99999} as x where any {1..99999} as y where x * y = 7)",
        "sum(sum(sum(1 over {1..9999} as z) over {1..9999} as y) over {1..9999} as x)".replace(" as z", "")
        .replace(" as y", "").replace(" as x", ""),
    ],
)  # fmt: skip
def test_a_silly_question_ends(saves, capsys, monkeypatch, text):
    monkeypatch.setattr(limit, "MOST_STEPS", 200_000)
    exit_code, out, err = asked(capsys, SKIRMISH, saves["skirmish"], text)
    assert (exit_code, out) == (1, "") and "steps to work out" in err and len(err.splitlines()) == 1


def test_work_that_hides_in_single_steps_is_stopped_by_the_clock():
    def work() -> None:
        for _ in range(100_000):
            sorted(range(10))

    with pytest.raises(TooLong, match="longer than 0 seconds"), limited(10**9, 0.0):
        work()


def test_a_value_that_is_not_there_is_one_line(saves, capsys):
    text = 'supposing "Red 1" at nowhere: neighbors("Red 1".hex)'
    exit_code, _, err = asked(capsys, SKIRMISH, saves["skirmish"], text)
    assert exit_code in (0, 1) and "Traceback" not in err and len(err.splitlines()) <= 1
