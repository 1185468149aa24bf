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

from rulewright.compiler.cli.main import main
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.diagnostics import Diagnostic, Reporter
from rulewright.dsl.grammar import MOST_BYTES, MOST_CHAIN
from rulewright.dsl.parse import parse
from rulewright.dsl.render import PAGES, code_page, render_sarif, render_text

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "check"
CODE = re.compile(r"RW\d{3}")
FENCE = re.compile(r"^```rules (\w+)(?: (\d+))?( alone)?(?: ([+]\S+))?\n(.*?)^```$", re.M | re.S)
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
    told = analyse(f"{path}{shown.overlay}").report.found
    return [d for d in told if d.severity != "remark" or d.code == shown.code]


def raised_in_source() -> set[str]:
    """Every code that stands as a text of its own in the compiler's source."""
    codes: set[str] = set()
    for path in [*(ROOT / "compiler").rglob("*.py"), *(ROOT / "dsl").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
                codes.add(node.value)
    return codes


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert sorted(CODES) == CODES, "the sections stand in the order of their codes"
    assert set(CODES) == raised_in_source()


def test_every_code_has_a_raising_and_a_silent_text() -> None:
    sorts = {code: sorted({s.sort for s in SHOWN if s.code == code}) for code in CODES if code not in LONG}
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
NO_CASE = {"RW100", "RW110", "RW205", "RW403", "RW404", "RW808"}


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
    for path in sorted((ROOT / "compiler").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr not in ("error", "warning", "remark") or not node.args:
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
    assert set(codes_in(quiet, form)) == {"RW513"}, "a remark, and it is no failure"
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


# ---------------------------------------------------------------- the finer points of a code

MORE = {
    "a label that is a parameter": (
        "RW202",
        3,
        "action rest(u: unit from units(phasing)) by phasing during combat:\n"
        "    when as u: u.strength > 1\n    set u.moved\n  on start of combat: offer phasing: rest",
    ),
    "a ban whose label is a parameter": (
        "RW202",
        5,
        "action rest(u: unit from units(phasing)) by phasing during combat:\n    set u.moved\n"
        "  on start of combat: offer phasing: rest\n  forbid rest as u when u.strength < 2",
    ),
    "a label that is a preview": (
        "RW202",
        3,
        "action rest(u: unit from units(phasing)) by phasing during combat:\n    when as worth: u.strength > 1\n"
        "    set u.moved\n  on start of combat: offer phasing: rest\n  preview rest as worth: u.strength",
    ),
    "a parameter twice": ("RW202", 2, "define f(u: unit, u: unit) -> number: 1"),
    "a value of a kind twice": ("RW202", 2, "kind sky: fair, rain, fair"),
    "a facet twice": ("RW202", 2, "route go(u: unit):\n    from: u.hex\n    budget: 3\n    budget: 4\n    enter: 1"),
    "usual where the other route has none": (
        "RW201",
        7,
        "route go(u: unit):\n    from: u.hex\n    enter: 1\n  route fast(u: unit) like go:\n"
        "    over: land\n    budget: usual + 1",
    ),
    "legs twice": (
        "RW108",
        6,
        "route go(u: unit):\n    from: u.hex\n    budget: 3\n    legs: go(u)\n    legs: maybe go(u)",
    ),
    "a value of a kind that only data can name": ("RW217", 2, "kind answer: yes, no"),
    "a month as a parameter": ("RW217", 2, "define f(May: unit) -> number: 1"),
    "a refusal by no case": (
        "RW113",
        5,
        'example "refused":\n    given phasing = red\n    given during movement\n'
        '    refused red: move("Red 1", @A2) by 77',
    ),
    "a circle of two procedures": (
        "RW305",
        3,
        "on start of combat: do one\n  procedure one: do two\n  procedure two: do one",
    ),
    "a circle through a wrapper": (
        "RW305",
        3,
        'on start of combat: do one\n  procedure one: win red\ncase 1.1 "Again":\n  except 1 one: do one',
    ),
    "a range without end": ("RW306", 2, "define f(n: number) -> flag: n in {1 .. 10000000}"),
    "a range of keys without end": (
        "RW312",
        4,
        "table f(n: number) -> number:\n    | n           | v |\n    | 1-100000000 | 1 |",
    ),
    "an open key that nothing clamps": ("RW312", 4, "table f(n: number) -> number:\n    | n  | v |\n    | 1+ | 1 |"),
    "a set that shrinks through a definition": (
        "RW307",
        3,
        "define poor(h: hex) -> flag: h not in fed\n  grow fed -> set of hex from hexes: it = @A1 or poor(it)",
    ),
    "a set that grows by what a matching leaves open": (
        "RW308",
        5,
        "matching posts(s: side):\n    each h in fed\n    to x in hexes\n"
        "  grow fed -> set of hex from hexes: it = @A1 or it in uncovered(posts(red))",
    ),
    "a phase in a procedure that nothing runs": (
        "RW505",
        3,
        'procedure aside:\n    phase night: win red\n  example "aside":\n    run aside\n    expect winner = red',
    ),
    "a mark read only to reckon itself": (
        "RW501",
        2,
        "mark score of game: number\n  on end of turn: set score = score + 1",
    ),
    "a phase whose condition never holds": (
        "RW508",
        4,
        "sequence odd_play:\n    phase round for phasing in [red, blue]:\n"
        "      phase dawn when phasing = red and phasing = blue: win red\n"
        "  scenario dawn_battle:\n    sequence: odd_play",
    ),
    "a conjunct that slips into no": (
        "RW511",
        2,
        "forbid move as seen when no units(blue) where it.moved and u.strength > 3",
    ),
    "a secret through a definition": (
        "RW602",
        4,
        "mark plan of side: number secret to it\n  define bold(s: side) -> flag: s.plan = 2\n"
        "  forbid move as bold when bold(enemy(phasing))\n  on end of turn: set red.plan = 1",
    ),
    "a die in a draft, two procedures away": (
        "RW604",
        4,
        "action probe(u: unit from units(phasing)) by phasing during combat:\n    do test(u)\n"
        "  on start of combat: offer phasing draft: probe\n  procedure test(u: unit):\n    roll d = 1d6\n"
        "    if d = 6: set u.moved",
    ),
}
QUIET = {
    "an answer that is tested": "on start of combat:\n    ask red for one lost from units(red) where it.moved\n"
    "    if lost != nothing: set lost.moved = false",
    "an answer that is only put away": "on start of combat:\n    ask red for one lost from units(red) where it.moved\n"
    "    put lost in dead(red)",
    "two triggers that agree": "mark alarm of game\n  forbid move as alarm when alarm\n"
    '  on start of combat: set alarm\ncase 2 "Too":\n  on start of combat: set alarm',
    "a condition put first": "forbid move as seen when any units(blue) where u.strength > 3 and it.moved",
    "a condition with a search of its own": "forbid move as seen when any units(blue) where it.moved and "
    "(any units(red) as r where adjacent(r.hex, it.hex))",
    "one's own secret": "mark plan of side: number secret to it\n  forbid move as plan when actor.plan = 2\n"
    "  on end of turn: set red.plan = 1",
    "a set that is asked for through a definition": "define rich(h: hex) -> flag: any neighbors(h) where it in fed\n"
    "  grow fed -> set of hex from hexes: it = @A1 or rich(it)",
    "a set that a route leads to": "route haul(h: hex):\n    from: h\n    to: fed\n    budget: 2\n    enter: 1\n"
    "  grow fed -> set of hex from hexes: it = @A1 or any haul(it)",
    "a parameter like a built-in": "define f(first: unit, length: number) -> number: length",
    "the same procedure twice": "on start of combat: do one\n  on end of combat: do one\n  procedure one: win red",
}


@pytest.mark.parametrize("name", MORE)
def test_the_finer_points(name: str, tmp_path: Path) -> None:
    code, line, text = MORE[name]
    report = found(Shown(code, "raises", line, False, "", f'case 1 "Shown":\n  {text}\n'), tmp_path)
    assert {(d.code, d.span.line) for d in report} == {(code, line)}, render_text(report)


@pytest.mark.parametrize("name", QUIET)
def test_what_is_harmless_stays_quiet(name: str, tmp_path: Path) -> None:
    report = found(Shown("", "silent", 0, False, "", f'case 1 "Shown":\n  {QUIET[name]}\n'), tmp_path)
    assert report == [], render_text(report)


def test_a_citation_is_measured_by_the_inventory(tmp_path: Path) -> None:
    shown = next(s for s in SHOWN if s.code == "RW113" and s.sort == "silent")
    assert found(shown, tmp_path) == []
    (tmp_path / "inventory.tsv").write_text("case\ttitle\texecutable\n1\tNumbers\trule\n", encoding="utf-8")
    assert [d.code for d in found(shown, tmp_path)] == ["RW113"]


def test_an_amendment_that_changes_nothing_is_one_that_fails(tmp_path: Path) -> None:
    shown = next(s for s in SHOWN if s.code == "RW402" and s.sort == "silent")
    idle = Shown("RW402", "raises", 6, False, "+sharp", shown.text.replace("becomes 3", "becomes 2"))
    assert [(d.code, d.span.line) for d in found(idle, tmp_path)] == [("RW402", 6)]


def test_an_action_and_a_procedure_of_one_name_are_two_declarations(tmp_path: Path) -> None:
    text = 'case 1 "Sight":\n  procedure look(n: number):\n    log "{n}"\n  action look() by red during turn:\n    do look(1)\n'
    said = [d.message for d in found(Shown("RW202", "raises", 4, False, "", text), tmp_path) if d.code == "RW202"]
    assert said == ['"look" is the name of an action and of a procedure (also in case 1)']
