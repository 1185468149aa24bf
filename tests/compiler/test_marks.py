"""Cases of a game, of its series and of libraries: numbers that are alike stay apart, everywhere."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.cli.main import main
from rulewright.compiler.core.case_order import natural
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.compiler.read.case_numbers import numbered, renumbered
from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse
from rulewright.dsl.print import print_rules
from rulewright.runtime.telling.explain import explain, why

LIBRARY = """\
case 1 "Pace":
  define pace(u: unit) -> number: 2
"""
FIELD = """\
  map field:
    grid: rows A..C, columns from the east
    hexes: A1..A3, B1..B3, C1..C3
  calendar year:
    from: Mar 1815
    to: Apr 1815
    step: 1 month
  sequence play:
    phase turn for now in turns:
      phase half for phasing in [red, blue]:
        offer phasing: move
    win nobody
  scenario first:
    sequence: play
"""

SERIES = f"""\
book series "A series"
use pacing

case 1.1 "Pieces":
  kind side: red, blue
case 1.2 "Moving":
  note "What 1.1 brings may move."
  mark moved of unit until end of turn
  define most(u: unit) -> number: pace(u) + 1
  action move(u: unit from units(phasing)) by phasing during half:
    when not u.moved
    set u.moved
  forbid move as spent when most(u) < 1
case 1.3 "Stragglers":
  except 1.2 most: 1 when u is slow
  define slow(u: unit) -> flag: false
  example "nobody straggles yet":
    expect no units(red) where it is slow
case TRIAL "A trial game":
{FIELD}  roster all:
    form: side
    red: Guard @A1
    blue: Scout @C3
"""
GAME = f"""\
book game of series without TRIAL "A game"

case 1.1 "Ground and pieces":
{FIELD}  roster all:
    form: side
    red: Guard @A1
    red: Mule @A2
    blue: Scout @C3
case 1.2 "Mules":
  except series 1.3 slow: true when u = "Mule"
  amend series 1.2 most: 1 becomes 2
  define load(u: unit) -> number: 4
  forbid move as burdened when u = "Mule" and load(u) > 3
  covers 1.2/p2
  example "mules straggle, and others march on":
    expect most("Mule") = 1 and most("Guard") = 4 and most("Scout") = 11
  example "a mule bears too much":
    given "Mule" at @A2
    given phasing = red
    given during half
    refused red: move("Mule") by 1.2
case 1.3 "Forced marches":
  except 1.2 load: 2 when most(u) > 3
  except pacing 1 pace: 9 when u = "Scout"
  waive series 1.2 spent
  example "numbers of both":
    expect load("Guard") = 2 and load("Mule") = 4 and pace("Scout") = 9
"""
OPTION = """\
option laggards of series "Laggards":
  case 1.3 "Laggards":
    amend 1.3 most: 1 becomes 0
    example "who straggles stays":
      expect every units(red) has most(it) = 0 or not it is slow
  case 21.1 "Who is refused":
    forbid move as halted when most(u) = 0
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "pacing.rules").write_text(LIBRARY)
    (tmp_path / "series.rules").write_text(SERIES)
    (tmp_path / "game.rules").write_text(GAME)
    (tmp_path / "laggards.rules").write_text(OPTION)
    return tmp_path


def wrong(made: Compiled) -> list[tuple[str, str, str]]:
    return [(d.code, d.message, d.help) for d in made.report.wrong if d.severity == "error"]


def outcomes(name: str) -> dict[str, bool]:
    made = analyse(name)
    assert wrong(made) == [] and made.book is not None
    return {o.example.title: o.passed for o in run_examples(made.book, load(name).program)}


def test_two_cases_of_one_number_stay_two(home: Path) -> None:
    made = analyse("game")
    assert wrong(made) == [] and made.book is not None
    cases = made.book.cases
    assert cases["1.2"] == "Mules" and cases["series 1.2"] == "Moving" and cases["pacing 1"] == "Pace"
    assert "series TRIAL" not in cases and "TRIAL" not in cases
    assert all(outcomes("game").values()) and len(outcomes("game")) == 3
    order = list(dict.fromkeys(e.case for e in made.entries or ()))
    assert order == ["pacing 1", "series 1.1", "series 1.2", "series 1.3", "1.1", "1.2", "1.3"]
    assert sorted(reversed(order), key=natural) == order


def test_alone_the_series_says_plain_numbers(home: Path) -> None:
    made = analyse("series")
    assert made.book is not None and wrong(made) == []
    assert list(made.book.cases) == ["pacing 1", "1.1", "1.2", "1.3", "TRIAL"]


def test_play_cites_both(home: Path) -> None:
    game = load("game").new("first", 1)
    told = explain(game, "most", game.program.units.index("Mule")).lines()
    assert any("[series 1.3 Stragglers]" in line for line in told), told
    assert any("[1.2 Mules]" in line for line in told), told
    told = explain(game, "most", game.program.units.index("Guard")).lines()
    assert any("[series 1.2 Moving, as amended by 1.2]" in line for line in told), told
    move = next(x for x in game.legal("red") if x.name == "move")
    move = replace(move, args=(("u", game.program.units.index("Mule")),))
    assert why(game, move).cases == ("1.2",)
    assert why(load("game+laggards").new("first", 1), move).cases == ("1.2", "series 21.1")


def test_an_option_of_the_series_goes_on_every_game(home: Path) -> None:
    made = analyse("game+laggards")
    assert wrong(made) == [] and made.book is not None
    assert made.book.cases["series 21.1"] == "Who is refused" and "21.1" not in made.book.cases
    assert outcomes("game+laggards")["who straggles stays"]
    assert wrong(analyse("series+laggards")) == []
    (home / "other.rules").write_text('book other "Another"\ncase 1 "Pieces":\n  kind side: red, blue\n')
    assert [code for code, *_ in wrong(analyse("other+laggards"))] == ["RW403"]


def test_an_option_in_the_folder_of_the_series(home: Path) -> None:
    (home / "far" / "series" / "overlays").mkdir(parents=True)
    (home / "far" / "series" / "1.rules").write_text((home / "series.rules").read_text())
    (home / "far" / "series" / "overlays" / "laggards.rules").write_text(OPTION)
    (home / "far" / "game.rules").write_text(GAME)
    (home / "rulebooks").mkdir()
    (home / "lib").rename(home / "rulebooks" / "lib")
    for name in ("series.rules", "game.rules", "laggards.rules"):
        (home / name).unlink()
    assert outcomes("far/game.rules+laggards")["who straggles stays"]
    assert wrong(analyse("far/game.rules+21.1")) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "help"),
    [
        ("waive series 1.2 spent", "waive 9.9 spent", "RW114", 'did you mean "series 9.9"?'),
        ("except series 1.3 slow", "except 9.9 slow", "RW114", 'did you mean "series 9.9"?'),
        ("covers 1.2/p2", "covers 9.9", "RW114", 'did you mean "series 9.9"?'),
        ('refused red: move("Mule") by 1.2', 'refused red: move("Mule") by 9.9', "RW114", 'did you mean "series 9.9"?'),
        ("amend series 1.2 most", "amend 9.9 most", "RW114", 'did you mean "series 9.9"?'),
        ("waive series 1.2 spent", "waive serie 1.2 spent", "RW112", 'did you mean "series"?'),
        ("waive series 1.2 spent", "waive game 1.2 spent", "RW112", ""),
        ('case 1.3 "Forced', 'case serious 1.9 "Forced', "RW112", 'did you mean "series"?'),
        ("amend series 1.2 most", "amend 8.8 most", "RW401", ""),
        ("except series 1.3 slow", "except 8.8 slow", "RW204", ""),
        ("without TRIAL", "without TRAIL", "RW401", 'did you mean "TRIAL"?'),
    ],
)
def test_what_is_wrong_is_said(home: Path, old: str, new: str, code: str, help: str) -> None:
    assert old in GAME
    (home / "series.rules").write_text(SERIES + 'case 9.9 "More":\n  define more -> number: 1\n')
    (home / "game.rules").write_text(GAME.replace(old, new))
    found = wrong(analyse("game"))
    assert code in [x for x, *_ in found], found
    assert any(x == code and help in h for x, _, h in found), found


def test_an_overlay_of_the_game_marks_as_the_game_does(home: Path) -> None:
    (home / "rush.rules").write_text(
        'variant rush of game "Rush":\n  case R.1 "Rush":\n    amend 1.2 load: 4 becomes 3\n'
        '    amend series 1.2 most: 2 becomes 3\n    example "on top of what the game amends":\n'
        '      expect most("Guard") = 5 and load("Mule") = 3\n'
        '    strike 1.2 "mules straggle, and others march on"\n    strike 1.3 "numbers of both"\n'
        '    strike 1.2 "a mule bears too much"\n'
    )
    assert outcomes("game+rush") == {"on top of what the game amends": True}
    (home / "rush.rules").write_text(
        'variant rush of game "Rush":\n  case R.1 "Rush":\n    amend 1 pace: 2 becomes 3\n'
    )
    assert [(code, help) for code, _, help in wrong(analyse("game+rush"))] == [
        ("RW114", 'write it with its name: did you mean "pacing 1"?')
    ]


def test_the_capital_name_of_a_series_is_refused(home: Path) -> None:
    (home / "Big.rules").write_text(SERIES.replace("book series", "book Big"))
    (home / "game.rules").write_text(GAME.replace("of series", "of Big"))
    assert [code for code, *_ in wrong(analyse("game"))] == ["RW100"]
    (home / "lib" / "Pacing.rules").write_text(LIBRARY)
    (home / "series.rules").write_text(SERIES.replace("use pacing", "use Pacing"))
    assert "RW100" in [code for code, *_ in wrong(analyse("series"))]


def test_print_and_parse(home: Path) -> None:
    report = Reporter()
    text = print_rules(parse(GAME, "game.rules", report))
    assert not report.failed
    assert print_rules(parse(text, "game.rules", report)) == text and "amend series 1.2 most: 1 becomes 2" in text
    spaced = GAME.replace("series 1.3", "series \t 1.3")
    assert print_rules(parse(spaced, "game.rules", report)) == text and not report.failed


def test_commands_say_the_mark(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "after.rules").write_text(GAME.replace("book game", "book after").replace("most: 1 becomes 2", "most: 1 becomes 3"))
    (home / "rulewright.toml").write_text('[severity.case]\n"series 1.2" = "note"\n"1.2" = "error"\n')
    assert main(["diff", "game", "after", "--format", "json", "--quiet"]) in (0, 1)
    facts = json.loads(capsys.readouterr().out)["facts"]
    assert {(f["case"], f["severity"]) for f in facts} == {("series 1.2", "note")}, facts
    assert main(["diff", "game", "after", "--format", "rules", "--quiet"]) in (0, 1)
    overlay = capsys.readouterr().out
    assert "    amend series 1.2 most: 2 becomes 3" in overlay and "cannot state" not in overlay
    (home / "changes.rules").write_text(overlay)
    assert wrong(analyse("game+changes")) == []
    (home / "inventory.tsv").write_text("case\ttitle\texecutable\n1.1\tGround\tdata\n1.2\tMules\trule\n1.3\tForced\trule\n")
    assert main(["coverage", "game", "--inventory", "inventory.tsv", "--format", "json", "--quiet"]) in (0, 1)
    rows = {r["case"]: r["status"] for r in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["1.2"] == "run" and set(rows) == {"1.1", "1.2", "1.3"}
    assert main(["test", "game", "--case", "1.2"]) == 0
    assert main(["edition", "game", "-o", "printed"]) == 0
    printed = (home / "printed" / "index.html").read_text()
    assert 'id="case-series-1.2"' in printed and '<a href="#case-series-1.1">series 1.1</a>' in printed
    assert "TRIAL" not in printed
    assert main(["doc", "game", "-o", "pages"]) == 0
    page = (home / "pages" / "chapter-series-1.html").read_text()
    assert 'id="case-series-1.2"' in page and 'href="#case-series-1.1">1.1</a>' in page
    assert 'href="chapter-series-1.html#case-series-1.3"' in (home / "pages" / "chapter-1.html").read_text()
    capsys.readouterr()


def test_a_series_on_a_series(home: Path) -> None:
    (home / "third.rules").write_text(
        'book third of game "A third"\n\ncase 1.2 "Rain":\n  amend series 1.2 most: 2 becomes 3\n'
        "  except game 1.2 load: 1 when most(u) > 4\n  except game 1.3, game 1.2 load: usual + 0\n"
    )
    made = analyse("third")
    assert wrong(made) == [] and made.book is not None
    assert {"series 1.2", "game 1.2", "1.2", "pacing 1"} <= set(made.book.cases)
    text = (home / "third.rules").read_text()
    (home / "third.rules").write_text(text.replace("except game 1.3,", "except 1.3,"))
    assert [(code, help) for code, _, help in wrong(analyse("third"))] == [
        ("RW114", 'write it with its name: did you mean "game 1.3" or "series 1.3"?')
    ]


def test_the_same_result_in_one_process_and_in_two(home: Path) -> None:
    """What is kept of an earlier compile never brings back an earlier mark."""
    first = analyse("game").entries
    alone = analyse("series").entries
    (home / "game.rules").write_text(GAME + 'case 9 "More":\n  define more -> number: 1\n')
    again = analyse("game").entries
    assert first is not None and alone is not None and again is not None
    assert {e.case for e in alone} == {"pacing 1", "1.1", "1.2", "1.3", "TRIAL"}
    assert {e.case for e in again} == {e.case for e in first} | {"9"}
    below = [e.node for e in first if e.case == "series 1.3"]
    assert all(x is y for x, y in zip(below, [e.node for e in again if e.case == "series 1.3"], strict=True))


def every_node(tree: object) -> list[n.Node]:
    """All nodes of a tree, found without knowing where numbers can stand."""
    if isinstance(tree, tuple):
        return [x for part in tree for x in every_node(part)]
    if not isinstance(tree, n.Node):
        return []
    below = (getattr(tree, f.name) for f in fields(tree) if f.name != "span")
    return [tree, *(x for part in below for x in every_node(part))]


def test_numbers_are_found_wherever_they_stand():
    report = Reporter()
    text = Path(__file__).parent.parent / "diagnostics" / "every_form.rules"
    tree = parse(text.read_text(encoding="utf-8"), text.name, report)
    seen: list[tuple[type, str]] = []
    renumbered(tree, lambda number, use, node: seen.append((type(node), number)) or number)
    wanted = []
    for node in every_node(tree):
        for name, _ in numbered(node):
            held = getattr(node, name)
            wanted += [(type(node), x) for x in (held if isinstance(held, tuple) else (held,)) if x is not None]
    assert sorted(map(str, seen)) == sorted(map(str, wanted))
    assert {kind for kind, _ in wanted} >= {n.Case, n.Target, n.Covers, n.ExampleLine}
