"""Parsing: blocks, spans, layout and the cached grammar."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler.cache.parsed_blocks import read_back, stored
from rulewright.dsl import nodes as n
from rulewright.dsl import parse as parsing
from rulewright.dsl.cache import cache_directory, write_whole
from rulewright.dsl.compare import difference
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.format import lay_out
from rulewright.dsl.grammar import GRAMMAR, build_parser, load_parser, parser
from rulewright.dsl.parse import Memory, blocks, parse
from rulewright.dsl.print import print_rules
from rulewright.dsl.wrap import WIDTH

ROOT = Path(__file__).parents[2]
BOOKS = sorted(
    path
    for folder in ("rulebooks", "tests")
    for path in (ROOT / folder).rglob("*.rules")
    if "broken" not in path.parts and not any(part.startswith(".") for part in path.parts)
)


def parsed(text: str, memory: Memory | None = None) -> tuple[n.Decl, ...]:
    report = Reporter()
    found = parse(text, "test.rules", report, memory)
    assert not report.found, report.found
    return found


def complaints(text: str) -> Reporter:
    report = Reporter()
    parse(text, "test.rules", report)
    return report


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_book_parses_prints_and_formats_to_itself(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    memory = read_back(stored(str(path.resolve())))  # no block is parsed twice: here, or where its book was compiled
    decls = parsed(text, memory)
    assert difference(decls, parsed(print_rules(decls), memory)) is None
    assert [line for line in text.split("\n") if len(line) > WIDTH] == []
    # The samples of diagnostics stand as their page shows them, close together.
    assert lay_out(text) == text or "check" in path.parts


def test_a_file_is_cut_at_lines_in_the_first_column() -> None:
    text = "# head\nbook trc\n\n# about 1\ncase 1:\n  use a\n\n  use b\n# end\n"
    assert blocks(text) == [(2, "book trc\n"), (5, "case 1:\n  use a\n\n  use b\n")]


def test_spans_point_at_the_lines_of_the_file() -> None:
    _, case = parsed('book trc\n\ncase 7.1 "Zone":\n  define zone(u: unit) -> flag: true\n')
    assert isinstance(case, n.Case)
    assert str(case.body[0].span) == "test.rules:4:3"
    assert case.body[0].span.text == "define zone(u: unit) -> flag: true"


def test_one_bad_block_leaves_the_others_standing() -> None:
    report = Reporter()
    found = parse("case 1:\n  use a\n\ncase 2\n  use b\n\ncase 3:\n  use c\n", "test.rules", report)
    assert [d.id for d in found if isinstance(d, n.Case)] == ["1", "3"]
    assert [(d.code, d.span.line, d.case) for d in report.found] == [("RW101", 4, "2")]


def test_a_remembered_block_moves_with_the_text_above_it() -> None:
    memory = Memory()
    report = Reporter()
    (first,) = parse("case 1:\n  use a\n", "test.rules", report, memory)
    _, again = parse("use b\n\ncase 1:\n  use a\n", "test.rules", report, memory)
    assert again is first
    assert again.span.line == 3


def test_a_block_that_stands_twice_keeps_both_places() -> None:
    memory = Memory()
    for _ in range(2):
        found = parse("case 1:\n  use a\n\ncase 1:\n  use a\n", "test.rules", Reporter(), memory)
        assert [d.span.line for d in found] == [1, 4]


def test_line_ends_and_byte_order_mark_of_windows_change_nothing() -> None:
    plain = "case 1:\n  use a\n  use b\n"
    windows = "\ufeff" + plain.replace("\n", "\r\n")
    assert difference(parsed(plain), parsed(windows)) is None


def test_a_bracket_may_run_over_several_lines() -> None:
    wide = "case 1:\n  define f -> flag: g(a,  # first\n    b,\n  # between\n    c)\n  use d\n"
    assert difference(parsed(wide), parsed("case 1:\n  define f -> flag: g(a, b, c)\n  use d\n")) is None


@pytest.mark.parametrize(
    "text",
    [
        "  define f -> flag: a\n      and b  # so\n      # - or not\n\n      or c\n",
        "  define f -> flag: a and\n      b or\n    c\n",
        "  define f -> flag:\n    a and b\n      or c\n",
        "  define f\n      -> flag: a and b or c\n",
    ],
)
def test_a_line_goes_on_at_an_operator_where_the_next_is_indented_deeper(text: str) -> None:
    assert difference(parsed("case 1:\n" + text), parsed("case 1:\n  define f -> flag: a and b or c\n")) is None


def test_a_line_of_data_goes_on_behind_a_comma_and_in_lines_without_a_key() -> None:
    (case,) = parsed("case 1:\n  roster r:\n    3 foot: A,\n      B\n      old: yes\n    lines road: A1\n      A2 A3\n")
    assert isinstance(case, n.Case)
    (data,) = case.body
    assert isinstance(data, n.Data)
    assert [(line.text, [below.text for below in line.below]) for line in data.lines] == [
        ("3 foot: A, B", ["old: yes"]),
        ("lines road: A1 A2 A3", []),
    ]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("  procedure p:\n    set a =\n    set b\n", 3),
        ("  define f -> flag: a\n  and b\n", 3),
        ("  define f -> flag: a\n      b\n", 3),
    ],
)
def test_a_line_that_is_not_indented_or_has_no_operator_does_not_go_on(text: str, row: int) -> None:
    found = complaints("case 1:\n" + text).found
    assert [(d.code, d.span.line) for d in found] == [("RW101", row)]


def test_a_line_that_lines_up_with_nothing_is_reported_at_its_row() -> None:
    (found,) = complaints("case 1:\n  procedure p:\n      do a\n    do b\n").found
    assert (found.code, found.span.line, found.span.column, found.case) == ("RW101", 4, 1, "1")


def test_a_bracket_too_many_is_a_diagnostic() -> None:
    (found,) = complaints("case 1:\n  define f -> flag: a)\n").found
    assert (found.span.line, found.span.column) == (2, 22)


def test_an_error_names_the_innermost_case() -> None:
    text = "option a of b:\n  case 1:\n    use c\n  case 2:\n    procedure p:\n      do x y\n"
    (found,) = complaints(text).found
    assert found.case == "2"


@pytest.mark.parametrize("line", ["doubled(u)", "letx = 3", "setu.moved", "notewell"])
def test_a_keyword_never_swallows_the_start_of_a_longer_word(line: str) -> None:
    (found,) = complaints(f"case 1:\n  procedure p:\n    {line}\n").found
    assert (found.code, found.span.column) == ("RW101", 5)


def test_a_file_that_is_no_rules_at_all_stops_after_a_hundred_errors() -> None:
    assert len(complaints("nonsense\n" * 5000).found) == 101


# ---------------------------------------------------------------- the cached grammar


def test_the_cache_directory_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "mine"))
    assert cache_directory() == tmp_path / "mine"
    monkeypatch.delenv("RULEWRIGHT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "rulewright"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_directory() == tmp_path / "home" / ".cache" / "rulewright"


def test_a_loaded_grammar_parses_as_the_built_one(tmp_path: Path) -> None:
    path = tmp_path / "grammar.bin"
    built = build_parser(GRAMMAR.read_text(encoding="utf-8"), path)
    loaded = load_parser(path)
    assert loaded is not None
    text = "case 1:\n  define f(u: unit) -> flag:\n    a(u,\n      b) when c\n    d otherwise\n"
    assert loaded.parse(text) == built.parse(text)
    assert loaded.parse(text).meta.end_line == built.parse(text).meta.end_line


@pytest.mark.parametrize("damage", [b"", b"short", b"\x00" * 4000])
def test_a_damaged_cache_is_built_anew(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "grammar.bin"
    path.write_bytes(damage)
    assert load_parser(path) is None


def test_a_cache_that_would_run_code_is_refused(tmp_path: Path) -> None:
    import hashlib

    content = pickle.dumps(os.getcwd)
    path = tmp_path / "grammar.bin"
    path.write_bytes(hashlib.sha256(content).digest() + content)
    assert load_parser(path) is None


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert not write_whole(blocked / "grammar.bin", b"x")
    run = subprocess.run(
        [sys.executable, "-c", "from rulewright.dsl.parse import parser; parser().parse('use a\\n')"],
        env={**os.environ, "RULEWRIGHT_CACHE": str(blocked / "deeper")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_a_second_process_reads_what_the_first_one_wrote(tmp_path: Path) -> None:
    code = (
        "import rulewright.dsl.grammar as p; "
        "p.build_parser = (lambda *a, b=p.build_parser: (print('built'), b(*a))[1]); p.parser()"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "RULEWRIGHT_CACHE": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for _ in range(2)
    ]
    assert said == ["built", ""]
    assert [path.suffix for path in tmp_path.iterdir()] == [".bin"]


def test_the_parser_is_one() -> None:
    assert parser() is parser() is parsing.parser()


def test_a_case_number_may_begin_with_a_small_word_and_a_slash() -> None:
    text = 'case absent/CRT "Lost":\n  define a -> number: 6 / 2\n  covers absent/Repl-2\ncase 2 "Two":\n  except absent/CRT a: 1\n'
    lost, two = parsed(text)
    assert isinstance(lost, n.Case) and lost.id == "absent/CRT"
    assert isinstance(lost.body[1], n.Covers) and lost.body[1].cases == ("absent/Repl-2",)
    assert isinstance(two, n.Case) and isinstance(two.body[0], n.Except) and two.body[0].target.cases == ("absent/CRT",)


def test_a_small_word_alone_is_no_case_number() -> None:
    assert complaints('case absent "Lost":\n  note "x"\n').found
