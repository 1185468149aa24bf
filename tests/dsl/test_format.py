"""Formatting: one layout, nothing lost, nothing changed."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.dsl import format as formatting
from rulewright.dsl import nodes as n
from rulewright.dsl.compare import difference
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.format import format_text
from rulewright.dsl.parse import parse
from rulewright.dsl.print import print_rules
from rulewright.dsl.wrap import WIDTH

_spec = importlib.util.spec_from_file_location("strategies", Path(__file__).parents[1] / "strategies.py")
assert _spec and _spec.loader
strategies: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(strategies)

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")
SLOWLY = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=50)


def parsed(text: str) -> tuple[n.Decl, ...]:
    report = Reporter()
    found = parse(text, "test.rules", report)
    assert not report.found, f"{text}\n{report.found}"
    return found


def test_one_layout() -> None:
    untidy = """\
#  The head.


book   trc   "x"
use hexes
case 7.1  "Zone" :   # why


    # about zone
    define zone( u:unit )->set of hex : {u . hex}+( neighbors( u.hex ) where not  barrier(u.hex,it) )#trailing
    define n -> number:- 3-2*-a


    procedure p :
            if a=1 : do x
            else:
                    do y(b :2,c)
                    # at the end of else
            # after the if
    # end of the case
case 7.2:
\tuse a
# the end


"""
    assert (
        format_text(untidy)
        == """\
#  The head.

book trc "x"
use hexes

case 7.1 "Zone":  # why
  # about zone
  define zone(u: unit) -> set of hex: {u.hex} + (neighbors(u.hex) where not barrier(u.hex, it))  #trailing
  define n -> number: -3 - 2 * -a

  procedure p:
    if a = 1: do x
    else:
      do y(b: 2, c)
      # at the end of else
    # after the if
  # end of the case

case 7.2:
  use a
# the end
"""
    )


def test_table_columns_are_aligned() -> None:
    text = (
        "case 1:\n  table t(d: number) -> x:\n    clamp  d to 0..7\n"
        '    |d|1:2|  "a | b"|   # head\n    # between\n    | 10-12|  x y| c|\n'
    )
    assert format_text(text) == (
        "case 1:\n  table t(d: number) -> x:\n    clamp  d to 0..7\n"
        '    | d     | 1:2 | "a | b" |  # head\n    # between\n    | 10-12 | x y | c       |\n'
    )


def test_raw_lines_are_moved_and_trimmed_and_keys_tidied() -> None:
    text = (
        'map  m  "x":\n      grid :rows   x\n      hexes:\n            A1   A2  # two \n'
        '      note:"a # b"   # c\n      3×11-10   Panzer  \n      1:2 x\n'
    )
    assert format_text(text) == (
        'map m "x":\n  grid: rows   x\n  hexes:\n    A1   A2  # two\n'
        '  note: "a # b"  # c\n  3×11-10   Panzer\n  1:2 x\n'
    )


def test_heads_of_an_overlay_are_tidied() -> None:
    text = "errata e of trc:\n    source :a sheet   # 1976\n    nature:change\n    strike 1\n"
    assert format_text(text) == "errata e of trc:\n  source: a sheet  # 1976\n  nature: change\n  strike 1\n"


def test_lines_inside_brackets_keep_their_breaks() -> None:
    text = "case 1:\n   define f -> flag: g(a, # one\n b ,\n       # two\n   c\n   )\n   use d\n"
    assert format_text(text) == (
        "case 1:\n  define f -> flag: g(a,  # one\n      b,\n      # two\n      c\n    )\n  use d\n"
    )


def test_blank_lines_are_kept_single_and_never_open_a_block() -> None:
    text = "case 1:\n\n\n  use a\n\n\n  use b\n\n\n\n\ncase 2:\n  use c\n\n"
    assert format_text(text) == "case 1:\n  use a\n\n  use b\n\ncase 2:\n  use c\n"


def test_a_comment_above_a_block_stays_with_it() -> None:
    text = "case 1:\n  use a\n# about 2\ncase 2:\n  use b\n\n# far\n\n# near\ncase 3:\n  use c\n"
    assert format_text(text) == (
        "case 1:\n  use a\n\n# about 2\ncase 2:\n  use b\n\n# far\n\n# near\ncase 3:\n  use c\n"
    )


def test_a_dot_stands_close_behind_a_hex() -> None:
    text = "case 1:\n  define f -> flag: @A1 .city\n"
    assert format_text(text) == text.replace(" .", ".")


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n", "#a\n\n\n\n#b", "use a", "\ufeffuse a\r\n", "  use a\n"])
def test_small_files_format_to_themselves_the_second_time(text: str) -> None:
    once = format_text(text)
    assert format_text(once) == once
    assert once == "" or (once.endswith("\n") and not once.endswith("\n\n") and "\r" not in once)


LONG = "a_name_quite_long_for_a_name"


@pytest.mark.parametrize(
    ("long", "broken"),
    [
        (
            f"  define f(u: unit) -> flag: {LONG}(u) and {LONG}(u) and {LONG}(u)",
            ["  define f(u: unit) -> flag:", f"    {LONG}(u) and {LONG}(u) and {LONG}(u)"],
        ),
        (
            f"  forbid move as why when {LONG}(u) and {LONG}(u) and any units where {LONG}(it) or it = {LONG}",
            [
                "  forbid move as why",
                f"      when {LONG}(u)",
                f"        and {LONG}(u)",
                f"        and any units where {LONG}(it) or it = {LONG}",
            ],
        ),
        (
            f"  define f -> set of unit: units(red) where {LONG}(it) and {LONG}(it) and {LONG}(it) and {LONG}(it)",
            [
                "  define f -> set of unit:",
                "    units(red)",
                f"        where {LONG}(it)",
                f"          and {LONG}(it)",
                f"          and {LONG}(it)",
                f"          and {LONG}(it)",
            ],
        ),
        (
            f"  action go(u: unit from {LONG}(phasing), h: hex from {LONG}1) by phasing during movement, combat:",
            [
                f"  action go(u: unit from {LONG}(phasing), h: hex from {LONG}1)",
                "      by phasing during movement, combat:",
            ],
        ),
        (
            f"  kind arm: {LONG}1, {LONG}2, {LONG}3, {LONG}4",
            [f"  kind arm: {LONG}1, {LONG}2, {LONG}3,", f"      {LONG}4"],
        ),
        (
            f"  define f -> number: {LONG} + {LONG} - 3 * {LONG} + {LONG}  # the sum",
            ["  # the sum", "  define f -> number:", f"    {LONG} + {LONG} - 3 * {LONG}", f"        + {LONG}"],
        ),
        (
            f"  roster army:\n    3-4 foot: {LONG}, {LONG}, {LONG}, {LONG} @A1\n      old: yes",
            [
                "  roster army:",
                f"    3-4 foot: {LONG}, {LONG}, {LONG},",
                f"      {LONG} @A1",
                "      old: yes",
            ],
        ),
    ],
    ids="value chain reach action words sum data".split(),
)
def test_long_lines_are_broken_where_they_are_joined_most_loosely(long: str, broken: list[str]) -> None:
    action = "\n    do nothing_at_all" if long.endswith("combat:") else ""
    text = f"case 1:\n{long}{action}\n"
    written = format_text(text)
    expected = "\n".join(["case 1:", *broken]) + action + "\n"
    assert written == expected
    assert format_text(written) == written
    assert difference(parsed(text), parsed(written)) is None


def test_lines_that_go_on_are_lined_up() -> None:
    untidy = """\
case 1:
  define f -> number:
    a +
     b
          - c  # less
       when d
             and e
    g
         otherwise
"""
    tidy = """\
case 1:
  define f -> number:
    a +
        b
        - c  # less
        when d
          and e
    g
        otherwise
"""
    assert format_text(untidy) == tidy


WORDS = "the quick brown fox jumps over the lazy dog "


@pytest.mark.parametrize(
    ("untidy", "filled"),
    [
        (
            f'  note "{WORDS * 3}."',
            [f'  note "{WORDS * 2}the quick brown fox"', '      "jumps over the lazy dog ."'],
        ),
        (
            '  note "a"\n    "b"\n         "c"',
            ['  note "a b c"'],
        ),
        (
            f'  example\n    "{WORDS * 2}the quick brown fox jumps"   :\n    expect a',
            [f'  example "{WORDS * 2}the quick brown fox"', '      "jumps":', "    expect a"],
        ),
        (
            f'  procedure p: log "{WORDS * 3}."',
            ["  procedure p:", f'    log "{WORDS * 2}the quick brown fox"', '        "jumps over the lazy dog ."'],
        ),
        (
            '  note "a"  # why\n    "b"\n    # and\n    "c"',
            ['  note "a"  # why', '      "b"', "      # and", '      "c"'],
        ),
        (
            f'  note "{"x" * 130} {"y" * 120} z"',
            ["  note", f'      "{"x" * 130}"', f'      "{"y" * 120}"', '      "z"'],
        ),
        (
            f"  use a  # {WORDS * 3}.",
            [f"  # {WORDS * 2}the quick brown fox jumps", "  # over the lazy dog .", "  use a"],
        ),
    ],
    ids="note joined example log comments long_words comment".split(),
)
def test_prose_is_filled_anew(untidy: str, filled: list[str]) -> None:
    text = f"case 1:\n{untidy}\n"
    written = format_text(text)
    assert written == "\n".join(["case 1:", *filled]) + "\n"
    assert format_text(written) == written
    assert difference(parsed(text), parsed(written)) is None


def test_a_text_that_goes_on_is_joined_by_a_space() -> None:
    (case,) = parsed('case 1 "a"\n    "b":\n  note "c " "" "d"\n  unclear e "f" "g":\n    reading h "i"\n      "j"\n')
    assert isinstance(case, n.Case) and case.title == "a b"
    note, unclear = case.body
    assert isinstance(note, n.Note) and note.text == "c   d"
    assert isinstance(unclear, n.Unclear) and (unclear.text, unclear.readings[0].text) == ("f g", "i j")


def test_what_cannot_be_broken_is_found() -> None:
    row = f"    | {LONG}, {LONG}, {LONG}, {LONG} | 1 |"
    text = f"case 1:\n  table t(k: x) -> number:\n    | k | n |\n{row}\n"
    assert formatting.too_long(format_text(text)) == [(3, 130), (4, 130)]
    head = f"errata e of trc:\n  source: {', '.join([LONG] * 5)}\n  strike   1\n"
    assert format_text(head) == head.replace("   1", " 1")
    assert formatting.too_long(head) == [(2, 158)]


def test_no_shipped_text_has_a_line_over_the_width() -> None:
    root = Path(__file__).parents[2]
    files = [path for folder in ("rulebooks", "tests", "tools", "docs") for path in root.glob(f"{folder}/**/*.rules")]
    assert len(files) > 150
    wide = [
        f"{path.relative_to(root)}:{line}"
        for path in files
        for line, _ in formatting.too_long(path.read_text(encoding="utf-8"))
    ]
    shown = [
        f"{page.relative_to(root)}: {line}"
        for page in [*root.glob("docs/**/*.md"), root / "README.md"]
        for block in re.findall(r"```rules\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        for line in block.split("\n")
        if len(line) > WIDTH
    ]
    assert wide + shown == []


def test_text_that_does_not_parse_comes_back_with_its_diagnostics() -> None:
    text = "case 1\n   use   a\n"
    report = Reporter()
    assert format_text(text, "test.rules", report) == text
    assert [(d.code, str(d.span)) for d in report.found] == [("RW101", "test.rules:1:7")]


def test_a_layout_that_would_change_the_meaning_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "case 1:\n  define f -> number:  a - b\n"
    monkeypatch.setattr(formatting, "lay_out", lambda text: "case 1:\n  define f -> number: a + b\n")
    assert format_text(text) == text
    monkeypatch.setattr(formatting, "lay_out", lambda text: "case 1\n")
    assert format_text(text) == text


@SLOWLY
@given(strategies.books())
def test_printed_text_is_laid_out_already(decls: tuple[n.Decl, ...]) -> None:
    text = print_rules(decls)
    if any(line.lstrip().startswith("|") or re.match(r"\s*\w+:\S", line) for line in text.split("\n")):
        return
    if all(len(line) <= WIDTH for line in text.split("\n")):
        assert format_text(text) == text


@SLOWLY
@given(strategies.books(), st.randoms(use_true_random=False))
def test_untidy_text_formats_once_for_all_and_keeps_tree_and_comments(decls: tuple[n.Decl, ...], chance: Any) -> None:
    lines: list[str] = []
    for i, line in enumerate(print_rules(decls).split("\n")):
        bare = line.lstrip(" ")
        indent = "   " * ((len(line) - len(bare)) // 2)
        if bare and chance.random() < 0.3:
            lines.append(" " * chance.randrange(9) + f"# own {i}")
        lines += [""] * chance.choice([0, 0, 0, 1, 3])
        trailing = f"  # trailing {i}" if bare and bare.count('"') % 2 == 0 and chance.random() < 0.4 else ""
        lines.append(indent + bare + trailing + " " * chance.randrange(3))
    text = "\n".join(lines)
    once = format_text(text)
    assert format_text(once) == once
    assert difference(decls, parsed(once), loose=True) is None
    assert re.findall(r"# (?:own|trailing) \d+", once) == re.findall(r"# (?:own|trailing) \d+", text)
    assert once == formatting.lay_out(text)
    assert all(line == line.rstrip() for line in once.split("\n"))
    assert all(len(line) <= WIDTH or '"' not in line or "|" in line for line in once.split("\n"))
