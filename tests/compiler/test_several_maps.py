"""A book with several maps: a game sees the one that it is played on, and a book says clearly what two maps cannot share.

Games and examples of `books/maps.rules` are compared with the oracle by `test_interpret.py`.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler import Loaded, load
from rulewright.compiler.cli.desk.desk import Desk
from rulewright.compiler.cli.desk.table import Table, pick_players
from rulewright.compiler.cli.main import main
from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.maps import Map, one_map
from rulewright.compiler.diff.data import maps_changes
from rulewright.compiler.pages.map.small import small_map
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.runtime.begin import new_game, resume
from rulewright.runtime.playout import share_lasting
from rulewright.runtime.state import State
from rulewright.runtime.view import view

BOOK = Path(__file__).with_name("books") / "maps.rules"


@cache
def loaded() -> Loaded:
    return load(str(BOOK))


@cache
def book() -> c.Book:
    found = analyse(str(BOOK)).book
    assert found is not None
    return found


def board() -> Map:
    assert book().map is not None
    return book().map  # type: ignore[return-value]


def ids(state: State, places: tuple[int, ...]) -> set[str]:
    return {state.program.board.places[p] for p in places}


def edited(tmp_path: Path, *edits: tuple[str, str], name: str = "maps.rules") -> Compiled:
    text = BOOK.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return analyse(str(path))


def told(made: Compiled, code: str) -> list[tuple[int, str, str]]:
    return [(x.span.line, x.message, x.help or "") for x in made.report.found if x.code == code]


# ---------------------------------------------------------------- the board


def test_hexes_stand_map_after_map_the_default_first() -> None:
    ends = {name: (numbers[0], numbers[-1]) for name, (numbers, _) in loaded().program.grounds.items()}
    assert ends == {"practice": (0, 5), "lowlands": (6, 17), "uplands": (18, 27)}


def test_no_hex_touches_one_of_another_map() -> None:
    program = loaded().program
    for _, ground in program.grounds.values():
        rows = [program.board.neighbors, *program.board.layers.values()]
        assert all(near in ground for row in rows for here in ground for near in row[here])


def test_a_box_with_the_id_of_a_hex_of_another_map_is_that_hex() -> None:
    assert "UB9" not in board().boxes and loaded().program.place_index["UB9"] in loaded().program.grounds["uplands"][1]


def test_one_of_them_has_what_is_printed_on_it() -> None:
    uplands = one_map(board(), "uplands")
    assert uplands.names == {"Birch": "UC3"} and [*uplands.fields["city"]] == ["UC3"]
    assert uplands.sides == {"river": (("UA1", "UA2"),)} and uplands.lines == {"road": ((None, ("UA1", "UB1", "UC1")),)}
    assert uplands.grid.shifted == "even" and one_map(board(), "lowlands").grid.shifted == "odd"


# ---------------------------------------------------------------- games


@pytest.mark.parametrize(("scenario", "name", "letter"), [("drill", "practice", "P"), ("heights", "uplands", "U")])
def test_a_game_stays_on_its_map_and_comes_back_from_a_save(
    scenario: str, name: str, letter: str, tmp_path: Path
) -> None:
    program = loaded().program
    game = new_game(program, scenario, 3)
    dice = random.Random(1)
    while not game.over and len(game.journal) < 30:
        game.do(dice.choice(list(game.legal())))
        assert game.state.map == name
        stand = ids(game.state, tuple(x for x in game.state.at if x is not None))
        assert all(place.startswith((letter, "lost")) for place in stand)
    game.check()
    game.save(tmp_path / "game.save")
    again = resume(tmp_path / "game.save", lambda _: program)
    assert again.state.map == name and again.digest() == game.digest() and view(again, "red")["map"] == name
    game.undo(agreed=True)
    assert game.state.map == name and game.state.ground == program.grounds[name][1]


def test_a_save_on_a_map_that_there_is_not_is_played_again_from_its_events(tmp_path: Path) -> None:
    program = loaded().program
    game = new_game(program, "heights", 3)
    game.do(next(iter(game.legal())))
    game.state.map = "nowhere"
    game.save(tmp_path / "game.save")
    assert resume(tmp_path / "game.save", lambda _: program).state.map == "uplands"


def test_what_never_changes_in_a_game_is_not_shared_by_games_on_other_maps() -> None:
    program = loaded().program
    seen = []
    for scenario in ("plain", "heights", "drill", "plain"):
        state = new_game(program, scenario, 0).state
        share_lasting(state)
        seen.append(len(program.values["rims"][0](state)))
    assert seen == [5, 6, 4, 5]


def test_a_desk_shows_the_map_in_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = loaded().new("heights", 1)
    desk = Desk(Table(loaded(), game, pick_players("person", loaded(), 1)))
    desk.begin()
    drawn = "".join(text for line in desk.board(80, 30) for _, text in line)
    assert "UA1" in drawn and "PA1" not in drawn and "A4" not in drawn
    desk.scroll("east", 9)
    assert desk.middle in game.state.ground


# ---------------------------------------------------------------- pictures


def test_the_command_draws_one_map(capsys: pytest.CaptureFixture[str]) -> None:
    def drawn(*more: str) -> str:
        assert main(["map", str(BOOK), "--ids", *more]) == 0
        return capsys.readouterr().out

    assert ">PA1<" in drawn() and ">A4<" not in drawn()
    assert ">A4<" in drawn("--map", "lowlands") and ">UA1<" not in drawn("--map", "lowlands")
    assert ">UA1<" in drawn("--scenario", "heights") and ">PA1<" not in drawn("--scenario", "heights")
    assert main(["map", str(BOOK), "--map", "upland"]) == 2
    assert 'there is no map "upland"' in capsys.readouterr().err


def test_a_small_map_shows_the_map_of_its_units() -> None:
    drawn = small_map(book(), {"UA1": ["Red 1"]}, title="One", key="a")
    assert "UA1" in drawn and "PA1" not in drawn


# ---------------------------------------------------------------- what two maps cannot share


def test_an_id_is_one_hex(tmp_path: Path) -> None:
    made = edited(
        tmp_path, ("sheet P: rows A..B, columns", "grid: rows A..B, columns"), ("PA1..PA3, PB1..PB3", "A1..A3, B1")
    )
    assert [x[1] for x in told(made, "RW709")] == ['the hex "A1" and 3 more is on two maps: practice and lowlands']


def test_a_name_is_one_place(tmp_path: Path) -> None:
    made = edited(tmp_path, ("name Birch: UC3", "name Alder: UC3"))
    found = told(made, "RW709")
    assert found[0][1] == 'the place "Alder" is on two maps: lowlands and uplands' and "another name" in found[0][2]


def test_maps_are_laid_out_alike(tmp_path: Path) -> None:
    stray = "sheet U: rows A..C, columns 1..9 from the west, even rows touch n and n+1"
    made = edited(tmp_path, (stray, "sheet U: rows A..C, columns 1..9 from the west, even columns touch n and n+1"))
    assert any("staggered columns" in x[1] for x in told(made, "RW709"))


def test_one_map_is_the_default(tmp_path: Path) -> None:
    made = edited(tmp_path, ("  map lowlands:\n", "  map lowlands:\n    default: yes\n"))
    assert ["two maps are the default one" in x[1] for x in told(made, "RW709")] == [True]


def test_a_scenario_names_a_map_that_there_is(tmp_path: Path) -> None:
    made = edited(tmp_path, ("map: uplands", "map: upland"))
    assert next(x[1:] for x in told(made, "RW201")) == ('there is no map "upland"', 'did you mean "uplands"?')


def test_a_scenario_sets_units_up_on_its_map(tmp_path: Path) -> None:
    made = edited(tmp_path, ("      UA1: Red 1, Red 4", "      A1: Red 1, Red 4"))
    assert [x[1] for x in told(made, "RW710")] == ['"A1" is on the map lowlands, and this is played on uplands']


def test_an_amendment_leaves_a_unit_on_the_map_of_its_scenario(tmp_path: Path) -> None:
    lines = 'case 4 "Amended":\n  amend "Red 1".hex in heights: @UA1 becomes @A1\n'
    path = tmp_path / "maps.rules"
    path.write_text(BOOK.read_text(encoding="utf-8") + lines, encoding="utf-8")
    assert len(told(analyse(str(path)), "RW710")) == 1


def test_an_amendment_reaches_the_sides_and_fields_of_every_map(tmp_path: Path) -> None:
    lines = 'case 4 "Amended":\n  amend @UA2/UA3.river: no becomes yes\n  amend @UA2.city: no becomes yes\n'
    path = tmp_path / "maps.rules"
    path.write_text(BOOK.read_text(encoding="utf-8") + lines, encoding="utf-8")
    made = analyse(str(path))
    assert not made.report.failed and made.book is not None and made.book.map is not None
    uplands = one_map(made.book.map, "uplands")
    assert ("UA2", "UA3") in uplands.sides["river"] and uplands.fields["city"]["UA2"]


# ---------------------------------------------------------------- overlays and differences


OVERLAY = """variant wide of maps "A wider upland":
  case 1/wide "Wider":
    replace 1 uplands:
      map uplands:
        sheet U: rows A..C, columns 1..9 from the west, even rows touch n and n+1
        hexes: UA1..UA5, UB1..UB5, UC1..UC5, UB9
        city: UC3
        name Birch: UC3
"""


def test_an_overlay_puts_one_map_in_the_place_of_another(tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    (folder / "overlays").mkdir(parents=True)
    (folder / "maps.rules").write_text(BOOK.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "overlays" / "wide.rules").write_text(OVERLAY, encoding="utf-8")
    made = analyse(f"{folder}+wide")
    assert not made.report.failed and made.book is not None and made.book.map is not None
    assert [(x.name, len(x.hexes)) for x in made.book.map.parts] == [("practice", 6), ("lowlands", 12), ("uplands", 16)]
    wide = load(f"{folder}+wide").new("heights", 0).state
    assert "UA5" in ids(wide, wide.hexes)


def test_a_map_that_only_one_book_has_is_one_fact(tmp_path: Path) -> None:
    text = BOOK.read_text(encoding="utf-8")
    at, end = text.index("  map lowlands:"), text.index("  map practice:")
    path = tmp_path / "maps.rules"
    path.write_text(text[:at] + text[end:], encoding="utf-8")
    less = analyse(str(path)).book
    assert less is not None
    changes = [x for x in maps_changes(less, book(), "1") if x.element == "map"]
    assert [(x.kind, x.name, x.after) for x in changes] == [("added", "lowlands", "12 places")]
