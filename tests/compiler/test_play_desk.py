"""A person's desk: lists to pick from, sets built member by member, search, why, undo, saves, one side's view only."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.cli.desk.board import BRACKETS, Sheet, said
from rulewright.compiler.cli.desk.desk import Desk
from rulewright.compiler.cli.desk.frame import Spot, frame
from rulewright.compiler.cli.desk.table import Table, pick_players
from rulewright.runtime import Choice, Refusal, resume

BOOKS = Path(__file__).parent.parent / "books"
GOALS = Path(__file__).parent.parent / "probes" / "caseblue_2_5" / "caseblue_2_5.rules"


def desk_of(book: str, players: str = "person", scenario: str | None = None, seed: int = 1) -> Desk:
    loaded = load(book)
    game = loaded.new(scenario, seed)
    desk = Desk(Table(loaded, game, pick_players(players, loaded, seed)))
    desk.begin()
    return desk


@pytest.fixture(autouse=True)
def at_a_desk_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with a person is kept in the working folder from its first choice."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def skirmish() -> Desk:
    return desk_of(str(BOOKS / "skirmish.rules"))


@pytest.fixture
def council() -> Desk:
    return desk_of(str(BOOKS / "council.rules"))


def texts(desk: Desk) -> list[str]:
    return [item.text for _, item in desk.listing()]


def type_in(desk: Desk, *lines: str) -> None:
    for line in lines:
        desk.line(line)


# ---------------------------------------------------------------- picking


def test_a_move_is_picked_in_three_steps_and_the_list_stays_with_moving(skirmish: Desk) -> None:
    assert texts(skirmish) == ["move", "done"]
    type_in(skirmish, "1")
    assert texts(skirmish) == ["Red 1", "Red 2"]
    type_in(skirmish, "Red 2", "A4")
    assert skirmish.table.game.state.at[1] == skirmish.table.game.program.place_index["A4"]
    assert skirmish.step.title == "move › Red 1", "who alone is left needs no picking"
    type_in(skirmish, "done")
    assert "blue" in skirmish.status(), "nobody stands next to an enemy"


def test_a_step_without_anything_to_do_closes_itself(skirmish: Desk) -> None:
    """Nobody stands next to an enemy: red's combat is passed over, and undo returns to what red chose."""
    type_in(skirmish, "done")
    game = skirmish.table.game
    assert game.decisions[0].side == "blue" and game.state.phases[-1] == "movement"
    assert [line for line in skirmish.told_log(True) if line == "red: done"] == ["red: done"] * 2
    skirmish.line("undo")
    assert game.decisions[0].side == "red" and texts(skirmish) == ["move", "done"]


def test_what_is_listed_is_what_is_legal(skirmish: Desk) -> None:
    type_in(skirmish, "move")
    ways = set()
    for n, _ in list(skirmish.listing()):
        type_in(skirmish, str(n))
        ways |= {(skirmish.step.title, item.value) for _, item in skirmish.listing()}
        type_in(skirmish, "back")
    legal = [c for c in skirmish.table.game.legal("red") if c.name == "move"]
    assert {value for _, value in ways} == {c.args[1][1] for c in legal} and len(ways) == len(legal)


def test_words_narrow_a_list_and_find_choices_below_it(skirmish: Desk) -> None:
    type_in(skirmish, "/red 2")
    assert texts(skirmish) == ["move › Red 2"]
    type_in(skirmish, "/a4")
    assert texts(skirmish) == ["move › Red 1 › A4", "move › Red 2 › A4"]
    type_in(skirmish, "3")
    assert skirmish.table.game.log[-1]["event"] == "set" and skirmish.table.made == 1
    type_in(skirmish, "/nonsense")
    assert texts(skirmish) == []
    type_in(skirmish, "/")
    assert texts(skirmish) == ["move", "done"]


def test_a_name_that_several_lines_share_narrows_and_one_that_is_not_there_says_so(skirmish: Desk) -> None:
    type_in(skirmish, "move", "red")
    assert texts(skirmish) == ["Red 1", "Red 2"] and "2 lines" in skirmish.message
    type_in(skirmish, "Purple")
    assert "help" in skirmish.message and skirmish.table.made == 0
    type_in(skirmish, "99")
    assert "no line 99" in skirmish.message


def test_a_whole_choice_may_be_typed(skirmish: Desk) -> None:
    type_in(skirmish, 'move(u: "Red 1", p: A1>B1)')
    assert skirmish.table.made == 1
    type_in(skirmish, 'move(u: "Red 1", p: B1>C1)')
    assert skirmish.table.made == 1 and skirmish.page is not None
    assert any("Red 1 is marked “moved”" in line for line in skirmish.page[1]), skirmish.page


# ---------------------------------------------------------------- sets, orders, shares, plans


def test_a_set_is_built_member_by_member_within_its_bounds(council: Desk) -> None:
    assert council.step.title == "Choose at most 2 of the units of Red on the map (scouts)"
    type_in(council, "1-3", "ok")
    assert "0 to 2 needed" in council.message
    type_in(council, "2")
    assert [council.step.mark(i).strip() for i in range(3)] == ["[x]", "[ ]", "[x]"]
    type_in(council, "ok")
    assert 'red: scouts({"Red 1", "Red 3"})' in council.told_log(True)


def test_an_order_shares_and_a_plan(council: Desk) -> None:
    type_in(council, "none", "ok", "3 1", "ok")
    assert council.message and council.step.title == "Put the units of Red on the map in order (march)"
    type_in(council, "2", "ok")
    assert 'red: march(["Red 3", "Red 1", "Red 2"])' in council.told_log(True)
    type_in(council, "1 x3", "ok")
    assert "4 needed" in council.message
    type_in(council, "2", "ok")
    assert 'red: load({"Red 1": 3, "Red 2": 1})' in council.told_log(True)
    assert council.step.title == "Choose an orders from the plans of “tasks” for Red" and "the plan stands" in council.hints()[-1]
    type_in(council, "all")
    assert "one line" in council.message
    before = council.step.mark(0)
    type_in(council, "1", "idle", "ok")
    assert council.message or before == "[idle] "


def test_every_member_can_stand_anywhere_in_a_plan(council: Desk) -> None:
    type_in(council, "ok", "1-3", "ok", "1 x4", "ok")
    for unit, target in (("Red 1", "Blue 2"), ("Red 2", "Blue 1"), ("Red 3", "Blue 1")):
        type_in(council, unit, target)
    type_in(council, "ok")
    assert 'red: orders({{"Red 2", "Red 3"} to "Blue 1", "Red 1" to "Blue 2"})' in council.told_log(True)


def test_whole_choices_can_be_picked_where_a_set_is_hard_to_guess(skirmish: Desk) -> None:
    type_in(skirmish, 'move(u: "Red 2", p: A2>A3>A4)', "done", "done", "done", "done")
    type_in(skirmish, 'move(u: "Red 2", p: A4>B4>C4)', "done", "attack")
    while skirmish.step.title != "attack › D4":
        assert "D4" in texts(skirmish)
        type_in(skirmish, "D4")
    type_in(skirmish, "some")
    whole = texts(skirmish)[len(skirmish.step.items) :]
    legal = [skirmish.short(c) for c in skirmish.seen.legal("red") if c.name == "attack" and c.args[0][1] in (18, 13)]
    assert whole and set(whole) <= set(legal)
    type_in(skirmish, str(len(skirmish.step.items) + 1))
    assert any("attack(h: @D4" in line for line in skirmish.told_log(True))


# ---------------------------------------------------------------- one side's view


def through_the_council(desk: Desk) -> None:
    type_in(desk, "ok", "1-3", "ok", "1 x4", "ok", "ok", "2")


def test_a_curtain_falls_between_sides_and_secrets_stay_behind_it(council: Desk) -> None:
    through_the_council(council)
    assert council.side == "blue" and council.curtain
    shown = "\n".join(map(said, frame(council, Spot(), 100, 30)))
    assert "blue to decide" in shown and "Camp" not in shown
    type_in(council, "")
    assert not council.curtain and council.step.title == "Choose a blue plan from the numbers from 1 to 3"
    assert not any("red plan" in line for line in council.lines)
    assert not any("red_plan" in line or "plan = 2" in line for line in council.told_log(True))
    type_in(council, "why blue_plan(1)")
    shown = "\n".join(map(said, frame(council, Spot(), 100, 30)))
    assert "red_plan" not in shown


def test_a_side_is_told_its_own_secrets(council: Desk) -> None:
    through_the_council(council)
    type_in(council, "", "3", "")
    assert council.side == "red"
    assert any("red_plan(2)" in line for line in council.told_log(True))
    assert not any("blue_plan" in line for line in council.told_log(True))
    assert not any("blue plan" in line for line in council.lines)


def test_two_games_that_differ_in_a_secret_look_alike_on_the_other_desk() -> None:
    sights = []
    for goal in ("oil_fields", "stalingrad"):
        desk = desk_of(str(GOALS), "person", "blue", 3)
        assert desk.step.title == "Choose an aim from the may aim" and goal in texts(desk)
        type_in(desk, goal)
        assert any(goal.replace("_", " ") in line.lower() for line in desk.lines)
        desk.refresh("soviet")
        desk.curtain = False
        sights.append((desk.lines, [said(line) for line in desk.board(100, 30)], desk.status()))
    assert sights[0] == sights[1]


def test_a_person_may_step_in_at_any_time_and_is_asked_once_a_phase(tmp_path: Path) -> None:
    book = tmp_path / "step_in.rules"
    text = (BOOKS / "skirmish.rules").read_text().replace("book skirmish", "book step_in")
    more = """
case 7 "Flight":
  action flee(u: unit from units(actor)) by [red, blue] anytime:
    put u in dead(actor)
"""
    book.write_text(text + more)
    desk = desk_of(str(book), "random,person")
    assert desk.side == "blue" and desk.waiting() and texts(desk) == ["flee"]
    assert "pass" in desk.hints()[0] and desk.table.made == 0
    type_in(desk, "pass")
    assert desk.table.made > 0 and desk.side == "blue"
    type_in(desk, "flee", "Blue 1")
    assert any("flee" in line for line in desk.lines)


# ---------------------------------------------------------------- why, undo, save, resume, log, map


def test_why_explains_lines_values_and_what_is_not_listed(skirmish: Desk) -> None:
    type_in(skirmish, "why done")
    assert skirmish.page is not None and skirmish.page[1][0].endswith("legal")
    type_in(skirmish, "why in_zone(blue, D3)")
    assert skirmish.page is not None and skirmish.page[1][0].startswith("in_zone(blue, @D3) = true")
    type_in(skirmish, "move", "Red 1", "why D4")
    assert skirmish.page is not None and "refused" in skirmish.page[1][0]
    type_in(skirmish, "why 1")
    assert skirmish.page is not None and "legal" in skirmish.page[1][0]
    type_in(skirmish, "why")
    assert skirmish.page is None and "why what" in skirmish.message


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("count(units(red)) > 1", "count(units(red)) > 1: true"),
        ('"Red 1".hex', '"Red 1".hex = @A1'),
        ('supposing "Red 1" at @D3: units_at(@D3)', 'supposing "Red 1" at @D3: units_at(@D3) = {"Red 1"}'),
    ],
)
def test_why_takes_any_expression(skirmish: Desk, text: str, first: str) -> None:
    type_in(skirmish, f"why {text}")
    assert skirmish.page is not None and skirmish.page[1][0] == first


def test_what_is_neither_a_line_nor_a_choice_nor_an_expression_is_told_as_such(skirmish: Desk) -> None:
    type_in(skirmish, "why in_zon(blue, D3)")
    assert skirmish.page is None and "no line here and no choice" in skirmish.message
    assert 'unknown name "in_zon"; did you mean "in_zone"' in skirmish.message
    type_in(skirmish, "why 99")
    assert skirmish.message == "there is no line 99"
    type_in(skirmish, 'why move(u: "Red 11", p: A1>A2)')
    assert 'no unit "Red 11"' in skirmish.message


def test_why_tells_a_side_nothing_of_what_it_may_not_see() -> None:
    desk = desk_of(str(BOOKS / "secrets.rules"), "person,random")
    type_in(desk, "why units_at(bag)")
    assert desk.page is None and "may not see" in desk.message


def test_undo_goes_back_over_the_others_to_the_persons_own_choice() -> None:
    desk = desk_of(str(BOOKS / "skirmish.rules"), "person,random")
    start = desk.table.game.digest()
    type_in(desk, "done", "done")
    assert desk.side == "red" and desk.table.made > 3
    rolled = desk.table.game.state.revealed
    type_in(desk, "undo")
    if rolled:
        assert "agreement" in desk.message
        type_in(desk, "undo agreed")
    type_in(desk, "undo")
    assert desk.table.game.digest() == start
    type_in(desk, "undo")
    assert "nothing to undo" in desk.message


def test_a_resumed_game_has_its_log_and_can_be_undone(skirmish: Desk) -> None:
    start = skirmish.table.game.digest()
    type_in(skirmish, "move", "Red 1", "B1", "save here.save", "resume here.save")
    assert any("Red 1, A1, B1" in line for line in skirmish.lines)
    type_in(skirmish, "undo")
    assert skirmish.table.game.digest() == start


def test_an_unmet_duty_says_who_lacks() -> None:
    desk = desk_of("trc", "person", "battle", 4)
    type_in(desk, "done")
    done = next(item for item in desk.ways.items if item.text == "done")  # type: ignore[union-attr]
    assert "attack with all (12.1): 35 Infantry" in done.shut
    type_in(desk, "done")
    assert desk.message.startswith("done: not yet: attack with all (12.1)")
    type_in(desk, "why done")
    assert desk.page is not None and any(x.startswith("  still to do: 35 Infantry") for x in desk.page[1])


def test_save_and_resume_from_the_desk(skirmish: Desk, tmp_path: Path) -> None:
    type_in(skirmish, "move", "Red 1", "B1", "save here.save")
    assert skirmish.message == "saved as here.save"
    saved = skirmish.table.game.digest()
    program = skirmish.table.loaded.program
    assert resume(tmp_path / "here.save", lambda _: program).digest() == saved
    type_in(skirmish, "Red 2", "B2", "resume here.save")
    assert skirmish.table.game.digest() == saved and "here.save" in skirmish.message
    type_in(skirmish, "resume nowhere.save")
    assert skirmish.message and skirmish.table.game.digest() == saved


def test_log_help_and_map(skirmish: Desk) -> None:
    type_in(skirmish, "log detail movement")
    assert skirmish.page == ("the log", ["— movement"])
    type_in(skirmish, "log movement")
    assert skirmish.page == ("the log", [])  # nothing has happened in it
    type_in(skirmish, "help")
    assert skirmish.page is not None and any("undo" in line for line in skirmish.page[1])
    type_in(skirmish, "map D4")
    assert skirmish.message.startswith("D4:") and "Blue 1" in skirmish.message
    type_in(skirmish, "map Z9")
    assert "no place" in skirmish.message
    type_in(skirmish, "map north")
    assert skirmish.middle is not None


# ---------------------------------------------------------------- the map


@pytest.mark.parametrize("book", ["skirmish.rules"])
def test_bricks_touch_as_hexes_do(book: str) -> None:
    """Two hexes share an edge on the drawn map when they are neighbours, and only then."""
    from rulewright.compiler.cli.desk.board import Bricks

    desk = desk_of(str(BOOKS / book))
    bricks = Bricks(desk.sheet(), 7, 80, 24)
    S = desk.seen.state
    at = {p: bricks.corner(p) for p in range(desk.seen.program.board.hexes)}

    def share(a: int, b: int) -> bool:
        (ax, ay), (bx, by) = at[a], at[b]
        wide = min(ax, bx) + bricks.size - max(ax, bx)
        high = min(ay, by) + 2 - max(ay, by)
        return (wide > 0 and high == 0) or (wide == 0 and high > 0)

    for a in at:
        assert {b for b in at if b != a and share(a, b)} == set(S.program.board.neighbors[a])


def test_every_unit_near_the_middle_is_on_the_map(skirmish: Desk) -> None:
    lines = [said(line) for line in skirmish.board(70, 14)]
    drawn = "\n".join(lines)
    assert f"{BRACKETS[0][0]}Red1" in drawn and f"{BRACKETS[1][0]}Blu1" in drawn
    assert all(len(line) <= 70 for line in lines) and len(lines) <= 14


def test_points_come_with_their_links(council: Desk) -> None:
    lines = [said(line) for line in Sheet(council.seen, council.table.facts).draw(0, 60, 20)]
    assert lines[0].startswith("Camp") and "  road: Ford, Hill" in lines and "  [Red 1 3, Red 2 3]" in lines


@pytest.mark.parametrize("size", [(30, 8), (80, 24), (100, 30), (120, 40), (240, 70), (20, 5)])
def test_a_screen_fits_its_terminal(skirmish: Desk, size: tuple[int, int]) -> None:
    width, height = size
    for line in ("", "move", "help", "why done", "map D4"):
        type_in(skirmish, line)
        lines = frame(skirmish, Spot(), width, height)
        assert len(lines) == height and all(len(said(row)) <= width for row in lines)


@pytest.mark.parametrize("book", ["skirmish.rules", "council.rules"])
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_typed_the_desk_goes_on_and_every_choice_is_legal(book: str, seed: int) -> None:
    """Two hundred lines at random; what was done can be replayed from the start."""
    rng = random.Random(seed)
    desk = desk_of(str(BOOKS / book), rng.choice(["person", "person,random"]), seed=seed)
    words = ["ok", "back", "some", "done", "all", "none", "undo", "undo agreed", "log", "map", "pass", "/a", "/", "9-1"]
    words += ["why 1", "why done", "map north", "map A3", "x", "1 x2", "side blue", "why zone", "why (", "move("]
    for _ in range(200):
        lines = desk.listing()
        picked = str(rng.choice(lines)[0]) if lines and rng.random() < 0.6 else rng.choice(words)
        desk.line(picked)
        size = rng.choice([(80, 24), (120, 40)])
        assert len(frame(desk, Spot(at=rng.randrange(30)), *size)) == size[1]
        if desk.over:
            break
    game = desk.table.game
    again = desk.table.loaded.new(game.journal.header.scenario, seed)
    for event in game.journal.events():
        again.do(Choice.from_plain(event))
    assert again.digest() == game.digest()


@pytest.mark.parametrize("where", ["line", "board"])
def test_a_fault_of_ours_closes_the_screen_and_comes_out(
    skirmish: Desk, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from rulewright.compiler.cli.desk.screen import Screen

    def broken(*_: object) -> None:
        raise KeyError("ours")

    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        screen = Screen(skirmish)
        monkeypatch.setattr(skirmish, where, broken)
        keys.send_text("1\r")
        with pytest.raises(KeyError, match="ours"):
            screen.run()


# ---------------------------------------------------------------- an opponent who says why


def test_an_opponent_is_asked_why(tmp_path: Path) -> None:
    desk = desk_of(str(BOOKS / "skirmish.rules"), "person,bold")
    type_in(desk, "why that")
    assert "nobody here has chosen by a doctrine" in desk.message
    type_in(desk, "done")
    assert desk.table.game.log, "blue has moved"
    pages = []
    for line in ("why that", "why that 2", "why that 3"):
        type_in(desk, line)
        assert desk.page[0] == line and desk.page[1][0].startswith("bold, blue: ")
        pages.append(desk.page[1])
    assert any("[D.1 What counts, bold]" in line for told in pages for line in told), "what its worth rests on"
    assert any("before that, D." in line for told in pages for line in told), "what had nothing to say"
    save = tmp_path / "with.json"
    desk.table.game.save(save)
    book = load(str(BOOKS / "skirmish.rules"))
    assert resume(save, lambda _: book.program).digest() == desk.table.game.digest(), "it goes on without the doctrine"
    assert "bold" not in save.read_text(errors="replace"), "a save knows nothing of who plays"


def test_a_misspelt_player_is_told_the_nearest_one() -> None:
    loaded = load(str(BOOKS / "skirmish.rules"))
    with pytest.raises(Refusal, match=r"is no kind of player: person, random, .*; did you mean \"lookahead\"\?$"):
        pick_players("lookahed,random", loaded, 1)
    with pytest.raises(Refusal, match=r"or script:FILE$"):
        pick_players("xyzzy", loaded, 1)
