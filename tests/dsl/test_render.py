"""Rendering: text, JSON and SARIF."""

from __future__ import annotations

import json

import pytest

from rulewright.dsl.diagnostics import Diagnostic, Reporter
from rulewright.dsl.parse import parse
from rulewright.dsl.render import render_json, render_sarif, render_text
from rulewright.dsl.source import NOWHERE, Origin, Span

TEXT = "case 8.2:\n  entering wods costs 2\n"


def diagnostic(text: str = TEXT, row: int = 2, start: int = 12, end: int = 16, **more: object) -> Diagnostic:
    values: dict[str, object] = {
        "code": "RW201",
        "severity": "error",
        "span": Span(Origin("rulebooks/ardennes/movement.rules", 40, text), row, start, row, end),
        "message": 'unknown terrain "wods"',
        "help": 'did you mean "woods" (declared at line 12)?',
        **more,
    }
    return Diagnostic(**values)  # type: ignore[arg-type]


def test_text_has_the_form_of_the_style_guide() -> None:
    assert render_text([diagnostic()]) == (
        'RW201 unknown terrain "wods"\n'
        "  --> rulebooks/ardennes/movement.rules:41:12\n"
        "   |\n"
        "41 |   entering wods costs 2\n"
        "   |            ^^^^\n"
        'help: did you mean "woods" (declared at line 12)?\n'
    )


def test_case_and_notes_stand_between_source_and_help() -> None:
    lines = render_text([diagnostic(case="8.2", notes=("one", "two"))]).split("\n")
    assert lines[5:9] == [
        "case: 8.2",
        "note: one",
        "note: two",
        'help: did you mean "woods" (declared at line 12)?',
    ]


def test_a_warning_says_that_it_is_one() -> None:
    assert render_text([diagnostic(severity="warning")]).startswith('RW201 warning: unknown terrain "wods"\n')


def test_two_diagnostics_are_set_apart_by_a_blank_line() -> None:
    one = render_text([diagnostic()])
    assert render_text([diagnostic(), diagnostic()]) == one + "\n" + one
    assert render_text([]) == ""


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "carets"),
    [
        ('  note "Größe" x', 16, 17, '  note "Größe" x', " " * 15 + "^"),
        ('  note "日本" x', 13, 14, '  note "日本" x', " " * 14 + "^"),
        ("  日本 x", 3, 5, "  日本 x", "  ^^^^"),
        ("  e\u0301a x", 6, 7, "  e\u0301a x", "    ^"),
        ("\tx y", 4, 5, "        x y", " " * 10 + "^"),
        ("  a\tb", 5, 6, "  a     b", " " * 8 + "^"),
        ("use", 4, 5, "use", "   ^"),
        ("use", 9, 12, "use", "   ^"),
        ("  a\x1b[31mb", 9, 10, "  a\\u{1b}[31mb", " " * 13 + "^"),
        ("  a\u202eb", 5, 6, "  a\\u{202e}b", " " * 11 + "^"),
    ],
)
def test_carets_stand_below_what_they_mean(line: str, start: int, end: int, shown: str, carets: str) -> None:
    lines = render_text([diagnostic(text=line + "\n", row=1, start=start, end=end)]).split("\n")
    assert lines[3] == f"40 | {shown}".rstrip()
    assert lines[4] == f"   | {carets}"


def test_a_span_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    span = Span(Origin("a.rules", 1, "case 1:\n  use a\n"), 1, 6, 2, 4)
    lines = render_text([diagnostic(span=span)]).split("\n")
    assert lines[3:5] == ["1 | case 1:", "  |      ^^"]


def test_a_very_long_line_is_cut_around_the_carets() -> None:
    line = "a" * 5000 + " wods " + "b" * 5000
    lines = render_text([diagnostic(text=line, row=1, start=5002, end=5006)]).split("\n")
    assert len(lines[3]) < 200
    at = lines[4].index("^")
    assert lines[3][at : at + 4] == "wods"


def test_a_finding_without_a_place_has_no_arrow() -> None:
    assert render_text([diagnostic(span=NOWHERE, help="")]) == 'RW201 unknown terrain "wods"\n'


def test_control_signs_of_a_stranger_never_reach_the_terminal() -> None:
    text = render_text([diagnostic(message="a\x1b[2Jb", help="c\x07", notes=("d\r\ne",), case="\x9b")])
    assert all(ch == "\n" or ch.isprintable() for ch in text)


def test_color_adds_nothing_but_color() -> None:
    import re

    colored = render_text([diagnostic(case="8.2", notes=("n",))], color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render_text([diagnostic(case="8.2", notes=("n",))])


def test_json_holds_every_field() -> None:
    (found,) = json.loads(render_json([diagnostic(case="8.2", notes=("n",))]))
    assert found == {
        "code": "RW201",
        "severity": "error",
        "message": 'unknown terrain "wods"',
        "file": "rulebooks/ardennes/movement.rules",
        "line": 41,
        "column": 12,
        "end_line": 41,
        "end_column": 16,
        "case": "8.2",
        "notes": ["n"],
        "help": 'did you mean "woods" (declared at line 12)?',
    }
    assert json.loads(render_json([])) == []


def test_sarif_names_rules_and_places() -> None:
    pages = {"RW201": "# Unknown name\n\nA name that nothing declares.\n"}
    log = json.loads(render_sarif([diagnostic(), diagnostic(code="RW101", severity="warning")], pages))
    (run,) = log["runs"]
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert driver["name"] == "rulewright"
    assert [rule["id"] for rule in driver["rules"]] == ["RW101", "RW201"]
    assert driver["rules"][1]["shortDescription"]["text"] == "Unknown name"
    assert "nothing declares" in driver["rules"][1]["help"]["text"]
    first, second = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("RW201", 1, "error")
    assert (second["ruleId"], second["ruleIndex"], second["level"]) == ("RW101", 0, "warning")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "rulebooks/ardennes/movement.rules"
    assert place["region"] == {"startLine": 41, "startColumn": 12, "endLine": 41, "endColumn": 16}


def test_sarif_of_nothing_is_a_run_without_results() -> None:
    (run,) = json.loads(render_sarif([]))["runs"]
    assert run["results"] == [] and run["tool"]["driver"]["rules"] == []


def test_sarif_quotes_file_names_and_leaves_out_places_that_are_none() -> None:
    odd = Span(Origin("my books\\größe.rules", 1, "use\n"), 1, 1, 1, 2)
    first, second = json.loads(render_sarif([diagnostic(span=odd), diagnostic(span=NOWHERE)]))["runs"][0]["results"]
    uri = first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "my%20books/gr%C3%B6%C3%9Fe.rules"
    assert "locations" not in second


def test_a_parse_error_renders_with_its_case() -> None:
    report = Reporter()
    parse('use a\n\ncase 4.1 "Größe":\n  forbid ground if x\n', "trc.rules", report)
    assert render_text(report.found) == (
        'RW101 the condition of a rule follows "when", not "if"\n'
        " --> trc.rules:4:17\n"
        "  |\n"
        "4 |   forbid ground if x\n"
        "  |                 ^^\n"
        "case: 4.1\n"
        'help: write "when" in place of "if"\n'
    )
