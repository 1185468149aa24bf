"""What hostile books once got away with: names, calendars, loops, chains and paths, one test for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.emit.naming import mangle
from rulewright.compiler.pipeline import analyse, compile_book
from rulewright.compiler.read.inventory import printed_cases
from rulewright.compiler.read.library import find_book

FRAME = """book small "Small"

case 1 "Pieces":
  kind side: red, blue
  map board:
    grid: rows A..D, columns 1..{columns}
    hexes: A1..A{columns}, B1..B{columns}, C1..C{columns}, D1..D{columns}
  mark n of game: number = 2
  {declaration}
  sequence s:
    ask red whether go
    {statement}
  scenario x:
    sequence: s
"""


def book(tmp_path: Path, declaration: str = 'note "x"', statement: str = "set n = 1", columns: int = 9) -> str:
    path = tmp_path / "small.rules"
    path.write_text(FRAME.format(declaration=declaration, statement=statement, columns=columns), encoding="utf-8")
    return str(path)


def codes(name: str) -> set[str]:
    return {d.code for d in analyse(name).report.found if d.severity == "error"}


def test_names_that_differ_stay_different():
    names = [
        "len",
        "len_",
        "len__",
        "_x",
        "v_x",
        "vv_x",
        "v",
        "S",
        "S_",
        "d_zone",
        "d_zone_",
        "None_",
        "class_",
        "_",
        "__",
        "v_",
    ]
    assert len({mangle(name) for name in names}) == len(names)


def test_parameters_that_python_knows(tmp_path):
    declaration = (
        "define f(len: number, len_: number, S: number, S_: number) -> number: len * 1000 + len_ * 100 + S * 10 + S_"
    )
    game = load(book(tmp_path, declaration, "set n = f(1, 2, 3, 4)")).new()
    game.do("red: go(yes)")
    assert game.state.game_n == 1234


def test_the_longest_name_compiles(tmp_path):
    name = "a" * 128
    assert not compile_book(book(tmp_path, f"define {name} -> number: 1", f"set n = {name}")).report.failed


def test_the_longest_chain_compiles(tmp_path):
    for chain in (" + ".join(["n"] * 150), " * ".join(["n"] * 60), "-" * 60 + "n", "(" * 60 + "n" + " + 1)" * 60):
        made = compile_book(book(tmp_path, f"define f -> number: {chain}", "set n = f"))
        assert not made.report.failed and made.emitted is not None, chain


def test_what_python_cannot_read_is_a_finding(tmp_path):
    deep = "any hexes() where " * 140 + "n > 0"
    made = compile_book(book(tmp_path, f"define f -> flag: {deep}", "if f: set n = 1"))
    assert made.emitted is None and {d.code for d in made.report.found if d.severity == "error"} <= {"RW105", "RW306"}


@pytest.mark.parametrize(
    ("first", "last", "step"),
    [
        ("Jan 1941", "Feb 1941", "0 months"),
        ("Jan 1941", "Feb 1941", "1 day"),
        ("31 Feb 1941", "3 Mar 1941", "1 day"),
        ("1 Jan 1941", "Mar 1941", "2 months"),
        ("2 Feb 1941", "1 Jan 1941", "1 day"),
        ("1 Jan 1000", "31 Dec 9999", "1 day"),
    ],
)
def test_a_calendar_that_does_not_go_together_is_a_finding(tmp_path, first, last, step):
    declaration = f"calendar war:\n    from: {first}\n    to: {last}\n    step: {step}"
    assert codes(book(tmp_path, declaration)) == {"RW123"}


def test_a_calendar_by_days(tmp_path):
    made = analyse(book(tmp_path, "calendar war:\n    from: 30 Dec 1941\n    to: 3 Jan 1942\n    step: 2 days"))
    assert made.book is not None and made.book.calendar is not None
    assert [turn[0] for turn in made.book.calendar.turns] == ["30 Dec 1941", "1 Jan 1942", "3 Jan 1942"]


@pytest.mark.parametrize(
    "declaration",
    [
        "define far -> flag: any hexes() as a where any hexes() as b where any hexes() as c where a = b and b = c",
        "define far -> number: sum(sum(sum(1 over hexes()) over hexes()) over hexes())",
        "define far -> set of hex: each(each(each(it over hexes()) over hexes()) over hexes())",
        "remember far(a: hex, b: hex) -> flag ever: a = b",
    ],
)
def test_everything_within_everything_is_too_much(tmp_path, declaration):
    assert "RW306" in codes(book(tmp_path, declaration, columns=150))
    assert "RW306" not in codes(book(tmp_path, declaration, columns=3))


def test_a_tower_of_definitions_is_too_high(tmp_path):
    def tower(height: int) -> str:
        floors = (f"define t{k} -> number: t{k - 1} - 1 + t{k - 1}" for k in range(1, height))
        return "define t0 -> number: n\n  " + "\n  ".join(floors)

    assert codes(book(tmp_path, tower(40), "set n = t39")) == {"RW306"}
    assert codes(book(tmp_path, tower(12), "set n = t11")) == set()


def test_definitions_in_a_circle_are_told(tmp_path):
    assert codes(book(tmp_path, "define p -> number: q\n  define q -> number: p", "set n = p"))


def test_a_book_reads_no_inventory_of_its_neighbours(tmp_path):
    (tmp_path / "inventory.tsv").write_text("case\n99\n")
    (tmp_path / "mine").mkdir()
    path = tmp_path / "mine" / "small.rules"
    path.write_text("")
    assert printed_cases((path,), {}) == set()
    (tmp_path / "mine" / "inventory.tsv").write_text("case\n7\n")
    assert printed_cases((path,), {}) == {"7"}


def test_no_name_is_no_book(tmp_path, monkeypatch):
    book(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert find_book("") is None
    assert find_book(".") is not None


def test_a_folder_of_rules_holds_files(tmp_path):
    book(tmp_path)
    (tmp_path / "folder.rules").mkdir()
    import os

    os.mkfifo(tmp_path / "pipe.rules")
    (tmp_path / "gone.rules").symlink_to(tmp_path / "nowhere")
    found = find_book(f"{tmp_path}/")
    assert found is not None
    assert [p.name for p in found.files] == ["gone.rules", "small.rules"]
    assert codes(f"{tmp_path}/") == {"RW100"}


def test_rows_over_one_another_are_told_once_each(tmp_path):
    rows = "\n    ".join(f"| 1-{k + 9} | {k} |" for k in range(40))
    made = analyse(book(tmp_path, f"table t(x: number) -> number:\n    | x | v |\n    {rows}", "set n = t(5)"))
    found = [d for d in made.report.found if d.code == "RW311"]
    assert len(found) == 39 and found[0].message == "two cells answer to 1, and to 8 more keys"
