"""Text of the older language in the words of today."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.format import format_text
from rulewright.dsl.parse import parse
from rulewright.dsl.upgrade import Remark, upgrade

ROOT = Path(__file__).parents[2]
BOOKS = sorted((ROOT / "rulebooks").rglob("*.rules"))
OLD = """\
book mine on series "Mine"
case 1 "Pieces":
  note "as soon as the sun is up"
  kind side: red, blue
  mark tired on unit until end of turn  # on foot
  house mark gold on side: number
  roster army:
    form: strength side
    kind: none
    3 red: note, mark on
  gather worth(u: unit) -> number:
    lowest(it over {u.strength, lowest(it over {3, 4})})
    steps: halved round up
  procedure rest(u: unit):
    note "a rest"
    if u.tired: note "at last"
    else:
      note "no rest"
  forbid move as worn when:
    u.tired
    either:
      u.hex = @A1
      all:
        u.gold
        any units(red) where it.tired
    not u.fresh
  as soon as no units(red): win blue
  instead of 1 rest when u.fresh: do usual
  house instead of 1 rest:
    note "instead of a rest"
  example "kept":
    scenario first
    expect highest(it over units(red)) = 3
  scenario first "kept":
    sequence: play
scenario later of mine "Later":
  kind: scenario
  case L.1 "One" as reversed ruling already in text:
    strike 1 rest
  case L.2 as scenario:
    note "kept"
"""
NEW = """\
book mine of series "Mine"
case 1 "Pieces":
  note "as soon as the sun is up"
  kind side: red, blue
  mark tired of unit until end of turn  # on foot
  house mark gold of side: number
  roster army:
    form: strength side
    kind: none
    3 red: note, mark on
  gather worth(u: unit) -> number:
    lowest(u.strength, lowest(3, 4))
    stages: halved round up
  procedure rest(u: unit):
    log "a rest"
    if u.tired: log "at last"
    else:
      log "no rest"
  forbid move as worn when:
    u.tired
    (u.hex = @A1 or (u.gold and (any units(red) where it.tired)))
    not u.fresh
  whenever no units(red): win blue
  except 1 rest when u.fresh: do usual
  house except 1 rest:
    log "instead of a rest"
  example "kept":
    given scenario first
    expect highest(it over units(red)) = 3
  scenario first "kept":
    sequence: play
expansion later of mine "Later":
  nature: expansion
  case L.1 "One":
    nature: reversed ruling, already in text
    strike 1 rest
  case L.2:
    nature: expansion
    note "kept"
"""


def test_old_words_become_those_of_today() -> None:
    assert upgrade(OLD) == (NEW, ())
    report = Reporter()
    parse(NEW, "new.rules", report)
    assert not report.found


def test_text_of_today_stays_as_it_is() -> None:
    assert upgrade(NEW) == (NEW, ())


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_book_is_touched(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert upgrade(text) == (text, ())


def test_a_name_that_has_become_a_word_is_left_to_the_author() -> None:
    old = "case 1:\n  mark log on game\n  procedure whenever:\n    set log\n"
    assert upgrade(old)[1] == tuple(
        Remark(line, f'"{word}" has become a word of the language: choose another name for it')
        for line, word in ((2, "log"), (3, "whenever"), (4, "log"))
    )


def test_the_command_upgrades_lays_out_and_says_what_it_cannot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.rules", tmp_path / "bad.rules"
    good.write_text(OLD)
    bad.write_text("case 1:\n  mark log on game\n")
    assert main(["fmt", "--upgrade", str(good)]) == 0
    assert good.read_text() == format_text(NEW)
    assert main(["fmt", "--upgrade", str(bad)]) == 1
    assert f'{bad}:2: "log" has become a word of the language' in capsys.readouterr().err
    assert bad.read_text() == "case 1:\n  mark log of game\n"


def test_cases_of_libraries_by_their_names() -> None:
    old = 'case 6:\n  except L.3 takes_room: false\n  note "see L.3"\n  example "x":\n    refused red: move("L.3") by 6, L.3\n'
    new = old.replace("except L.3", "except stacking 1").replace("6, L.3", "6, stacking 1")
    assert upgrade(old) == (new, ()) and upgrade(new) == (new, ())
    own = 'case L.3:\n  define room -> number: 1\ncase 2:\n  except L.3 room: 2\n'
    assert upgrade(own) == (own, ())


def test_a_game_on_a_series_gets_the_marks_that_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    series = 'book low "Low"\n\ncase 1 "Pieces":\n  kind side: red, blue\n  define pace -> number: 3\n'
    game = (
        'book high of low "High"\n\ncase 2 "Mud":\n  amend 1 pace: 3 becomes 2\n\n'
        'option mire of high "Mire":\n  case 3 "Mire":\n    amend 1 pace: 2 becomes 1\n'
    )
    (tmp_path / "low.rules").write_text(series)
    (tmp_path / "high.rules").write_text(game)
    assert main(["fmt", "--upgrade", "high.rules"]) == 0
    assert (tmp_path / "high.rules").read_text() == game.replace("amend 1 pace", "amend low 1 pace")
    assert main(["fmt", "--upgrade", "--check", "high.rules"]) == 0
