"""Maps that share ids: `@A1` is the hex of the map in play, in rules, examples, scenarios, choices and amendments."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler import Loaded, load
from rulewright.compiler.cli.main import main
from rulewright.compiler.core.maps import one_map
from rulewright.compiler.pages.map.small import small_map
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.runtime.begin import new_game
from rulewright.runtime.problems import Refusal
from rulewright.runtime.view import view

BOOK = Path(__file__).with_name("books") / "cuts.rules"


@cache
def loaded() -> Loaded:
    return load(str(BOOK))


def edited(tmp_path: Path, *edits: tuple[str, str]) -> Compiled:
    text = BOOK.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "cuts.rules"
    path.write_text(text, encoding="utf-8")
    return analyse(str(path))


def told(made: Compiled, code: str) -> list[str]:
    return [x.message for x in made.report.found if x.code == code]


def test_ids_and_names_mean_the_map_in_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(BOOK)]) == 0, capsys.readouterr().out


def test_a_choice_is_read_and_shown_on_the_map_in_play() -> None:
    game = new_game(loaded().program, "large", seed=1)
    game.do(game.read('red: step("Red 1", @A3)'))
    assert view(game, "red")["units"]["Red 1"]["place"] == "A3"
    assert game.show(game.read('red: step("Red 1", A4)')) == 'red: step(u: "Red 1", h: @A4)'
    small = new_game(loaded().program, "small", seed=1)
    with pytest.raises(Refusal):
        small.do(small.read('red: step("Red 1", @D9)'))


def test_the_drawn_map_has_printed_ids() -> None:
    board = analyse(str(BOOK)).book.map  # type: ignore[union-attr]
    assert board is not None
    large = one_map(board, "country")
    assert len(large.hexes) == 36 and large.hexes[0] == "A1" and large.names["Ford"] == "B2/B3"
    assert large.fields["terrain"] == {"A2": "woods", "D4": "woods"}


def test_an_amendment_is_of_the_hex_on_every_map(tmp_path: Path) -> None:
    more = 'errata proof of cuts "Proof":\n  case P.1 "A1":\n    amend @A1.city: yes becomes no\n'
    (tmp_path / "proof.rules").write_text(more, encoding="utf-8")
    edited(tmp_path)
    made = analyse(f"{tmp_path / 'cuts.rules'}+{tmp_path / 'proof.rules'}")
    assert made.book is not None and made.book.map is not None
    assert [name for name, on in made.book.map.fields["city"].items() if on] == ["country:D9"]


def test_a_map_shares_with_another_map_of_the_book(tmp_path: Path) -> None:
    made = edited(tmp_path, ("shares ids with: field", "shares ids with: feld"))
    assert told(made, "RW201") == ['there is no other map "feld"']


def test_shared_hexes_touch_alike(tmp_path: Path) -> None:
    made = edited(
        tmp_path,
        ("grid: rows A..H, columns from the west", "grid: rows A..H, columns from the west, even rows touch n and n+1"),
    )
    assert told(made, "RW709")[0].endswith("touch on one of the maps field and country alone")


def test_a_cell_of_a_chart_is_no_hex_of_several_maps(tmp_path: Path) -> None:
    chart = "  table hub(side: side) -> hex:\n    | side | hub |\n    | red  | A1  |\n    | blue | C4  |\n"
    made = edited(tmp_path, ("  map field:\n", chart + "  map field:\n"))
    assert told(made, "RW709")[0] == '"A1" is a hex of several maps: field, country'


def test_a_small_map_has_printed_ids_too() -> None:
    made = analyse(str(BOOK)).book
    assert made is not None and made.map is not None
    mark = next(part.mark for part in made.map.parts if part.mark)
    drawn = small_map(made, {f"{mark}A1": ["Red 1"]}, [f"{mark}A2"], title="Marked", key="m")
    assert ">A1<" in drawn and ">A2<" in drawn and mark not in drawn
    assert "A1 holds" in drawn or "Red 1 at A1" in drawn
