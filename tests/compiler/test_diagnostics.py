"""Every code has a page with a text that raises it where it says so, and one that stays silent.

The texts are the examples of docs/diagnostics.md: what the page shows is what the compiler does.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from rulewright.compiler.cli import main
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.diagnostics import Diagnostic, Reporter
from rulewright.dsl.parse import MOST_BYTES, MOST_CHAIN, parse
from rulewright.dsl.render import PAGES, code_page, render_sarif, render_text

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "check"
CODE = re.compile(r"RW\d{3}")
FENCE = re.compile(r"^```rules (\w+)(?: (\d+))?( alone)?(?: (\+\w+))?\n(.*?)^```$", re.M | re.S)
# Too long to print on a page: written here instead.
LONG = {
    "RW102": ("# x\n" * (MOST_BYTES // 4 + 1), "# x\n"),
    "RW105": (
        f"case 1:\n  define f -> flag: {'not ' * (MOST_CHAIN + 1)}true\n",
        "case 1:\n  define f -> flag: not true\n",
    ),
}


@dataclass(frozen=True)
class Shown:
    code: str
    sort: str
    line: int
    alone: bool
    overlay: str
    text: str

    def __str__(self) -> str:
        return f"{self.code} {self.sort}"


PAGE = PAGES.read_text(encoding="utf-8")
FRAME = next(m[5] for m in FENCE.finditer(PAGE) if m[1] == "frame")
CODES = re.findall(r"^### (RW\d{3}) ", PAGE, re.M)
SHOWN = [
    Shown(code, m[1], int(m[2] or 0), bool(m[3]), m[4] or "", m[5])
    for code in CODES
    for m in FENCE.finditer(code_page(code))
]


def found(shown: Shown, folder: Path) -> list[Diagnostic]:
    path = folder / "sample.rules"
    path.write_text(shown.text if shown.alone else f"{shown.text}\n{FRAME}", encoding="utf-8")
    return analyse(f"{path}{shown.overlay}").report.found


def raised_in_source() -> set[str]:
    """Every code that stands as a text of its own in the compiler's source."""
    codes: set[str] = set()
    for path in [*(ROOT / "compiler").glob("*.py"), *(ROOT / "dsl").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
                codes.add(node.value)
    return codes


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert sorted(CODES) == CODES, "the sections stand in the order of their codes"
    assert set(CODES) == raised_in_source()


def test_every_code_has_a_raising_and_a_silent_text() -> None:
    sorts = {code: sorted(s.sort for s in SHOWN if s.code == code) for code in CODES if code not in LONG}
    assert {code: found for code, found in sorts.items() if found != ["raises", "silent"]} == {}


def test_every_page_says_what_it_means_in_words() -> None:
    for code in CODES:
        words = FENCE.sub("", code_page(code)).split("\n", 1)[1].split()
        assert len(words) >= 8, code


@pytest.mark.parametrize("shown", [s for s in SHOWN if s.sort == "raises"], ids=str)
def test_the_text_raises_its_code_and_no_other(shown: Shown, tmp_path: Path) -> None:
    report = found(shown, tmp_path)
    assert {d.code for d in report} == {shown.code}, render_text(report)
    assert shown.line in {d.span.line for d in report}, render_text(report)
    assert all(d.help for d in report), "every finding says what to do next"
    assert all(d.case for d in report) or shown.code in NO_CASE


# Findings about a whole file, book or overlay stand in no case.
NO_CASE = {"RW100", "RW110", "RW205", "RW403"}


@pytest.mark.parametrize("shown", [s for s in SHOWN if s.sort == "silent"], ids=str)
def test_the_repaired_text_is_silent(shown: Shown, tmp_path: Path) -> None:
    report = found(shown, tmp_path)
    assert report == [], render_text(report)


@pytest.mark.parametrize("code", LONG)
def test_what_is_too_long_for_a_page(code: str) -> None:
    loud, quiet = Reporter(), Reporter()
    parse(LONG[code][0], "long.rules", loud)
    parse(LONG[code][1], "long.rules", quiet)
    assert [d.code for d in loud.found] == [code] and loud.found[0].help
    assert quiet.found == []


def test_every_error_in_the_source_gives_a_help() -> None:
    """A call of error or warning passes a help; `_report` and `complain` hand on what they are given."""
    bare = []
    for path in sorted((ROOT / "compiler").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr not in ("error", "warning") or not node.args:
                continue
            code = node.args[0]
            if not (isinstance(code, ast.Constant) and isinstance(code.value, str) and CODE.fullmatch(code.value)):
                continue
            helps = [k.value for k in node.keywords if k.arg == "help"] + list(node.args[3:4])
            if not helps or only_near_names(helps[0]):
                bare.append(f"{path.name}:{node.lineno} {code.value}")
    assert bare == []


def only_near_names(help: ast.expr) -> bool:
    """`did_you_mean(…)` alone is empty where no name is near."""
    return isinstance(help, ast.Call) and isinstance(help.func, ast.Name) and help.func.id == "did_you_mean"


# ---------------------------------------------------------------- what people and tools see


@pytest.mark.parametrize("code", ["RW201", "RW204", "RW303", "RW310", "RW511"])
def test_the_text_form_is_as_agreed(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = next(s for s in SHOWN if s.code == code and s.sort == "raises")
    found(shown, tmp_path)
    text = render_text(analyse(f"sample.rules{shown.overlay}").report.found)
    golden = GOLDEN / code / "expected.txt"
    if not golden.is_file():
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8")
        (golden.parent / "sample.rules").write_text(shown.text, encoding="utf-8")
        pytest.fail(f"{golden} was missing and is written now; read it")
    assert text == golden.read_text(encoding="utf-8")
    assert shown.text == (golden.parent / "sample.rules").read_text(encoding="utf-8")


def test_sarif_carries_the_page_of_each_code(tmp_path: Path) -> None:
    shown = next(s for s in SHOWN if s.code == "RW201" and s.sort == "raises")
    run = json.loads(render_sarif(found(shown, tmp_path)))["runs"][0]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["id"] == "RW201"
    assert rule["shortDescription"]["text"] == "An unknown name"
    assert "The help lists near names" in rule["help"]["markdown"]


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_check_takes_files_folders_and_rule_sets(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    overlaid = next(s for s in SHOWN if s.code == "RW402" and s.sort == "raises")
    (tmp_path / "rulebooks" / "sample").mkdir(parents=True)
    (tmp_path / "rulebooks" / "sample" / "1-rules.rules").write_text(overlaid.text, encoding="utf-8")
    (tmp_path / "rulebooks" / "sample" / "2-frame.rules").write_text(FRAME, encoding="utf-8")
    clean = ["sample", "rulebooks/sample", "./rulebooks/sample"]
    assert main(["check", "--format", form, *clean]) == 0
    quiet = capsys.readouterr().out
    assert codes_in(quiet, form) == []
    assert main(["check", "--format", form, "sample+sharp"]) == 1
    assert codes_in(capsys.readouterr().out, form) == ["RW402"]
    single = tmp_path / "one.rules"
    single.write_text('case 1 "Pieces":\n  kind sides: red\n', encoding="utf-8")
    assert main(["check", "--format", form, str(single), "sample+sharp", "no_such_book"]) == 1
    assert codes_in(capsys.readouterr().out, form) == ["RW205", "RW402", "RW100"]


def codes_in(out: str, form: str) -> list[str]:
    if form == "json":
        return [d["code"] for d in json.loads(out)]
    if form == "sarif":
        return [r["ruleId"] for r in json.loads(out)["runs"][0]["results"]]
    return re.findall(r"^(RW\d{3}) ", out, re.M)
