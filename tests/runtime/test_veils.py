"""Veils: what lies beneath a stack is in nothing that the other side can get at, and nothing hangs on it unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.loader import analysed
from rulewright.compiler.pages.map.style import style_of
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.replay.seen import Onlooker
from rulewright.compiler.seat.forecast import forecast
from rulewright.runtime import Game, Refusal, canon
from rulewright.runtime.ops import refresh_all, shift
from rulewright.runtime.telling.veils import veiled_units
from rulewright.runtime.view import blinded, do_for, legal_for, log_for, refusals_for, save_for, undo_for, view, why_for

BOOK = str(Path(__file__).parents[1] / "books" / "fog.rules")


def fresh(*choices: str) -> Game:
    game = load(BOOK).new("one", seed=1)
    for choice in choices:
        game.do(choice)
    return game


def names(game: Game, side: str) -> set[str]:
    return set(view(game, side)["units"])


def moved(game: Game, name: str, to: str, tired: bool = False) -> Game:
    """The same position but for a unit that lies elsewhere, or is tired."""
    S, program = game.state, game.program
    u = program.unit_index[name]
    shift(S, u, program.place_index[to])
    S.own("unit_tired")[u] = tired
    S.forget()
    refresh_all(S)
    S.dirty = {}
    return game


ALL = {*(f"Red {n}" for n in (1, 2, 3, 4)), *(f"Blue {n}" for n in (1, 2, 3, 4, 5))}


def test_a_side_sees_its_own_units_and_the_tops_of_others() -> None:
    game = fresh()
    assert names(game, "red") == ALL - {"Blue 1", "Blue 2", "Blue 5"}
    assert names(game, "blue") == ALL - {"Red 1", "Red 2"}
    assert [game.program.units[u] for u in sorted(veiled_units(game.state, ""))] == sorted(
        ["Blue 5", "Blue 1", "Blue 2", "Red 1", "Red 2"], key=game.program.unit_index.__getitem__
    )


def test_a_stack_opens_when_its_top_marches_away() -> None:
    game = fresh('red: march("Red 4", B1)')
    assert names(game, "blue") == ALL - {"Red 2"}, "the next one lies on top"


def test_a_log_names_what_is_seen_before_or_after() -> None:
    game = fresh('red: march("Red 1", B1)', 'red: march("Red 3", A1)', 'red: march("Red 2", A2)', 'red: point("Red 3")')
    told = [e for e in log_for(game, "blue") if e["event"] in ("choice", "put")]
    units, index = game.program.units, game.program.unit_index
    assert [[units[u] for u in e["units"]] for e in told if e["event"] == "put"] == [["Red 1"], ["Red 3"], ["Red 2"]]
    texts = [e["text"] for e in told if e["event"] == "choice"]
    assert texts[0] == "red: march(u: …, h: @B1)" and texts[1] == 'red: march(u: "Red 3", h: @A1)'
    assert texts[3] == "red: point(u: …)" and "hidden" in str(log_for(game, "blue")[-1])
    assert f"'value': {index['Red 3']}" not in str([e for e in log_for(game, "blue") if e["event"] != "put"])
    assert "Red 3" in str([e.get("text") for e in log_for(game, "red")])


def test_a_unit_that_goes_from_one_stack_under_another_is_not_told() -> None:
    game = fresh('red: march("Red 1", A2)')
    assert not [e for e in log_for(game, "blue") if e["event"] == "put"]
    assert [e for e in log_for(game, "red") if e["event"] == "put"] and "Red 1" not in names(game, "blue")


def seen_by(game: Game, side: str) -> bytes:
    asked = ["might(red, @A1)", "might(red, @A2)", '"Red 1".hex', '"Red 1".tired', "count(units(red))", "last_there(@A1)"]
    legal = [c.plain() for c in legal_for(game, side)]
    tries = [f"{side}: raid({place})" for place in ("A1", "A2", "B3")] + [f'{side}: march("Blue 1", A4)']
    refused = [[(g.case, g.label) for g in refusals_for(game, side, text)] for text in tries]
    values = [why_for(game, side, text) for text in asked]
    done = [tried(game, side, text) for text in tries]
    return canon.dumps([view(game, side), log_for(game, side), legal, refused, values, done, save_for(game, side).hex()])


def tried(game: Game, side: str, text: str) -> str:
    """What trying a choice says."""
    twin = Game(game.program, game.state.copy(), game.journal.opening(len(game.journal)))
    try:
        do_for(twin, side, text)
    except Refusal as refused:
        return refused.message
    return "done"


@pytest.mark.parametrize(("unit", "to", "tired"), [("Red 1", "A2", False), ("Red 2", "A1", True), ("Red 1", "A2", True)])
def test_positions_that_differ_beneath_a_stack_are_the_same_to_the_other_side(unit: str, to: str, tired: bool) -> None:
    one, other = fresh("red: done"), moved(fresh("red: done"), unit, to, tired)
    assert one.state.plain() != other.state.plain()
    assert seen_by(one, "blue") == seen_by(other, "blue")
    assert seen_by(one, "red") != seen_by(other, "red")
    assert blinded(one, "blue").state.plain() == blinded(other, "blue").state.plain()


def test_what_lies_beneath_makes_nothing_possible() -> None:
    game = fresh("red: done")
    assert not game.refusals(game.read("blue: raid(A1)")), "Red 1, 2 and 4 are strong enough"
    with pytest.raises(Refusal, match="strong"):
        do_for(game, "blue", "blue: raid(A1)")


def test_a_value_is_told_as_far_as_it_is_seen() -> None:
    game = fresh()
    assert "11" not in why_for(game, "blue", "might(red, @A1)") and "can see" in why_for(game, "blue", "might(red, @A1)")
    assert "= 12" in why_for(game, "red", "might(red, @A1)").replace("11", "12")
    choice = next(c for c in game.legal("red") if c.name == "fire")
    assert all(told.unseen for told in forecast(game, "red", choice))


def test_an_answer_that_names_a_veiled_unit_is_kept_until_it_is_shown() -> None:
    game = fresh("red: fire(A5)", 'blue: target("Blue 2")')
    told = [e for e in log_for(game, "red") if e["event"] in ("choice", "answer")][-1]
    assert told["text"] == "blue: target(…)" and "Blue 2" not in str(told)
    assert "Blue 2" in names(game, "red"), "it has been exposed"


def test_what_was_learned_cannot_be_taken_back() -> None:
    game = fresh("red: fire(A5)", 'blue: target("Blue 2")')
    with pytest.raises(Refusal, match="shown"):
        undo_for(game, "blue")
    same = fresh("red: fire(A5)", 'blue: target("Blue 3")')
    undo_for(same, "blue")
    assert same.pending[0].name == "target", "the top was seen before"


def test_uncovering_an_own_unit_can_be_taken_back() -> None:
    game = fresh('red: march("Red 4", B1)')
    undo_for(game, "red")
    assert names(game, "blue") == ALL - {"Red 1", "Red 2"}


def test_stores_beneath_units_are_kept() -> None:
    game = fresh("red: stock(A1, 3)")
    assert "place_stores" not in view(game, "blue")["marks"] and view(game, "red")["marks"]["place_stores"] == {"A1": "3"}
    told = str([e for e in log_for(game, "blue") if e["event"] in ("choice", "set")])
    assert "stores" not in told and "n: …" in told.replace("h: …, ", "")


def test_marks_and_tables_that_name_veiled_units_are_kept() -> None:
    game = fresh('red: march("Red 1", A2)', 'red: point("Red 1")')
    assert "side_pointed" not in view(game, "blue")["marks"]
    assert '"Red 1"' in str(view(game, "red")["marks"]["side_pointed"])
    u = game.program.unit_index["Red 1"]
    seen = view(game, "blue")
    rows = [*seen["memories"]["been_at"], *seen["memories"]["last_there"], *seen["spent"]["marches"]]
    assert not any(u in (*key, *(value if isinstance(value, list) else ())) for key, value in rows)


def test_a_replay_for_a_side_shows_tops_alone() -> None:
    loaded = load(BOOK)
    book = analysed(loaded).book
    assert book is not None
    game = loaded.new("one", seed=1)
    seen = Onlooker(book, loaded.program, None, style_of(book), "blue").look(game)
    whole = Onlooker(book, loaded.program, None, style_of(book), None).look(game)
    assert {game.program.units[u] for u in seen.units} == ALL - {"Red 1", "Red 2"} and len(whole.units) == len(ALL)


def test_a_phase_bound_to_a_veiled_unit_does_not_name_it() -> None:
    game = fresh('red: point("Red 1")', "red: done")
    assert "saluting" in view(game, "red")["bound"] and "saluting" not in view(game, "blue")["bound"]
    told = {side: [e["value"] for e in log_for(game, side) if e.get("name") == "salute"] for side in ("red", "blue")}
    assert told == {"red": [game.program.unit_index["Red 1"]], "blue": [None]}
    assert blinded(game, "blue").state.bind_saluting is None


def test_a_memory_of_veiled_marks_is_kept_place_by_place() -> None:
    game = fresh("red: stock(A1, 3)", "red: stock(A2, 1)")
    seen, own = view(game, "blue")["memories"], view(game, "red")["memories"]
    assert [row for row in own["stocked"] if row[1]] and not [row for row in seen["stocked"] if row[1]]
    assert game.state.past_stocked_once == {(): True}
    assert own["stocked_once"] == seen["stocked_once"] == [], "it is of no place, and some are veiled from either side"


def told(game: Game, side: str, event: str) -> list[dict[str, object]]:
    return [e for e in log_for(game, side) if e["event"] == event]


def test_what_a_side_spends_by_amounts_it_alone_knows() -> None:
    game = fresh("red: haul(A1, 2)")
    for side in ("red", "blue"):
        own = side == "red"
        assert (view(game, side)["spent"]["carts"] != []) == own
        assert ([e["amount"] for e in told(game, side, "spend")] == [2]) == own, "an amount would tell what lies there"
    assert blinded(game, "blue").state.spent_carts == {} and game.state.spent_carts == {("red",): 2}
    assert told(fresh('red: march("Red 4", B1)'), "blue", "spend"), "how often is seen by everybody"


def test_a_line_keeps_numbers_that_are_made_of_what_is_veiled() -> None:
    game = fresh("red: haul(A1, 2)", 'red: order("Red 1", dug_in)', 'red: count_off("Red 1")', 'red: order("Red 4", dug_in)')
    values = {side: [[v[1] for v in e["values"]] for e in told(game, side, "note")] for side in ("red", "blue")}
    index, a1 = game.program.unit_index, game.program.place_index["A1"]
    hauled, ordered, counted, seen = values["blue"]
    assert hauled == ["red", a1, None] and ordered == [None] * 4
    assert counted == [None, 5], "a number that has a name of its own is announced"
    assert seen == [index["Red 4"], 2, a1, None], "of the top all is seen, of the stack it is not"
    assert values["red"] == [["red", a1, 2], [index["Red 1"], 5, a1, 12], [index["Red 1"], 5], [index["Red 4"], 2, a1, 12]]


def test_what_is_ordered_of_a_veiled_unit_is_as_veiled() -> None:
    game = fresh('red: order("Red 1", dug_in)', 'red: order("Red 4", dug_in)')
    beneath, top = (e["text"] for e in told(game, "blue", "choice"))
    assert beneath == "red: order(u: …, p: …)" and top == 'red: order(u: "Red 4", p: dug_in)'
    assert [e["owner"] for e in told(game, "blue", "set")] == [game.program.unit_index["Red 4"]]


def test_a_number_of_veiled_units_cannot_be_taken_back() -> None:
    game = fresh("red: done", "blue: gauge(A1)")
    with pytest.raises(Refusal, match="something hidden"):
        undo_for(game, "blue")
    open_ = fresh("red: gauge(A6)")
    with pytest.raises(Refusal, match="something hidden"):
        undo_for(open_, "red")
    same = moved(fresh("red: done"), "Red 1", "B1")
    same = moved(same, "Red 2", "B2")
    same.do("blue: gauge(A1)")
    undo_for(same, "blue")
    assert "side_score" not in view(same, "blue")["marks"], "all that was there was seen"


def test_a_value_of_veiled_marks_says_that_it_is_as_far_as_can_be_seen() -> None:
    game = fresh("red: stock(A1, 3)")
    assert "can see" in why_for(game, "blue", "@A1.stores") and "= 0" in why_for(game, "blue", "@A1.stores")
    for name, to in (("Red 1", "B1"), ("Red 2", "B2"), ("Blue 1", "B5"), ("Blue 2", "B6"), ("Blue 5", "A4")):
        moved(game, name, to)
    assert not veiled_units(game.state, "blue") and "can see" in why_for(game, "blue", "@A1.stores")


@pytest.mark.parametrize(
    ("line", "near"),
    [("unit: lies_benaeth", "lies_beneath"), ("hex.dumb: out_of_sight", "hex.dump"), ("unit: out_of_sight", "")],
)
def test_a_misspelt_veil_is_told_the_nearest_name(tmp_path: Path, line: str, near: str) -> None:
    path = tmp_path / "mist.rules"
    path.write_text(
        'book mist "Mist"\n\ncase 1 "Mist":\n  kind side: red, blue\n  mark dump of hex\n'
        "  define lies_beneath(u: unit, s: side) -> flag: u.side != s\n"
        f"  define out_of_sight(h: hex, s: side) -> flag: h.dump and s = red\n  veiled stacks:\n    {line}\n"
    )
    helps = [d.help for d in analyse(str(path)).report.found if d.code == "RW605"]
    assert helps == [f'did you mean "{near}"?' if near else "write define out_of_sight(u: unit, s: side) -> flag: …"]
