"""One list of passes: it says what each pass takes and reports, and whoever asks, the same passes refuse."""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from rulewright.compiler import NotCompiled, load
from rulewright.compiler import pipeline as pipeline_module
from rulewright.compiler.cli.main import main
from rulewright.compiler.passes.compiled import stop_on_errors
from rulewright.compiler.pipeline import CORE, MODULES, PASSES, Compiled, Pass, analyse, compile_book
from rulewright.dsl.render import PAGES
from rulewright.editor.diagnose import diagnose
from rulewright.editor.project import RuleSet

HERE = Path(__file__).parent
BOOK = HERE.parent / "books" / "skirmish.rules"
spec = importlib.util.spec_from_file_location("rulewright_test_diagnostics", HERE / "test_diagnostics.py")
assert spec is not None and spec.loader is not None
diagnostics = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(diagnostics)
STEPS = [step for step in PASSES if step is not stop_on_errors]

# ---------------------------------------------------------------- what the list says


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_a_pass_says_what_goes_in_and_what_comes_out(step: Pass) -> None:
    text = step.__doc__ or ""
    assert re.search(r"^    In:  ", text, re.M)
    assert re.search(r"^    (Out|Reports): ", text, re.M) or step.__name__ == "allow"
    named = set(re.findall(r"`(\w+)`", text))
    assert named <= {field.name for field in fields(Compiled)}, "what it names is a part of the value"


def test_the_codes_of_the_list_are_the_codes_of_the_page() -> None:
    page = set(re.findall(r"^### (RW\d{3}) ", PAGES.read_text(encoding="utf-8"), re.M))
    named: set[str] = set()
    for step in STEPS:
        reports = (step.__doc__ or "").partition("Reports: ")[2]
        named |= set(re.findall(r"RW\d{3}", reports))
        for first, last in re.findall(r"RW(\d{3}) to RW(\d{3})", reports):
            named |= {f"RW{n}" for n in range(int(first), int(last) + 1)} & page
    assert named == page


def test_a_pass_leaves_its_input_as_it_was() -> None:
    """A value may be taken up again: the same pass on it finds the same."""
    made = analyse(str(BOOK))
    before = {field.name: getattr(made, field.name) for field in fields(Compiled)}
    compile_again = pipeline_module.finished(made)
    assert compile_again.emitted is not None and made.emitted is None
    assert all(getattr(made, name) is value for name, value in before.items())


# ---------------------------------------------------------------- whoever asks, the same passes refuse

# Of each pass that can refuse, one text of docs/diagnostics.md that it refuses.
REFUSED = {
    "gather": "RW101",
    "stack": "RW404",
    "check_rules_stay": "RW801",
    "amend": "RW402",
    "check_names": "RW217",
    "schema": "RW120",
    "declare": "RW205",
    "check_maps": "RW706",
    "elaborate": "RW201",
    "order": "RW303",
    "check_circles": "RW304",
    "check_loops": "RW305",
    "check_more_helps": "RW309",
    "check_secrets": "RW604",
    "check_words": "RW138",
    "check_styles": "RW141",
    "check_kinds": "RW406",
}
COMMANDS = {
    "check": ["check", "{book}"],
    "compile": ["compile", "{book}"],
    "compile -o": ["compile", "{book}", "-o", "out"],
    "test": ["test", "{book}"],
    "play": ["play", "{book}", "--players", "random,random", "--quiet"],
    "sim": ["sim", "{book}", "--games", "1", "--quiet"],
    "why": ["why", "{book}", "none.save", "enemy(red)"],
    "diff": ["diff", "{book}", "{book}"],
    "coverage": ["coverage", "{book}", "--quiet"],
    "doc": ["doc", "{book}", "-o", "out"],
    "map": ["map", "{book}"],
    "new": ["new", "variant", "mine", "--of", "{book}"],
}


@pytest.fixture(params=REFUSED)
def refused(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, str]:
    """A rule set that one pass refuses: the pass, the code, the name."""
    code = REFUSED[request.param]
    monkeypatch.chdir(tmp_path)
    shown = next(s for s in diagnostics.SHOWN if s.code == code and s.sort == "raises")
    diagnostics.found(shown, tmp_path)
    return request.param, code, f"sample.rules{shown.overlay}"


def refusing(rules: str) -> tuple[str, set[str]]:
    """The pass that refuses a rule set, and what it found; no pass where none does."""
    made = Compiled(name=rules)
    for step in CORE:
        made = step(made)
        if made.report.failed:
            return step.__name__, {d.code for d in made.report.found}
    return "", set()


def test_the_pass_that_refuses_is_the_one_named(refused: tuple[str, str, str]) -> None:
    name, code, rules = refused
    step, codes = refusing(rules)
    assert step == name and code in codes


@pytest.mark.parametrize("command", COMMANDS)
def test_a_rule_set_that_a_pass_refuses_is_refused_by_every_command(
    refused: tuple[str, str, str], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, code, rules = refused
    assert main([word.format(book=rules) for word in COMMANDS[command]]) in (1, 2)
    out, err = capsys.readouterr()
    assert code in (out + err)
    assert not Path("out").exists(), "nothing is written of what is refused"


def test_a_rule_set_that_a_pass_refuses_is_refused_from_python_and_in_the_editor(refused: tuple[str, str, str]) -> None:
    _, code, rules = refused
    with pytest.raises(NotCompiled, match=code):
        load(rules)
    assert compile_book(rules).emitted is None
    own = Path("sample.rules").resolve()
    made = diagnose(RuleSet(names=(rules,), root=own.parent, places=(), own=(own,), below=()), {})
    assert made.failed and code in {d.code for found in made.found.values() for d in found}


def test_no_other_pass_refuses_any_text_of_the_page(tmp_path: Path) -> None:
    """The others only warn, or hand on."""
    steps = set()
    for shown in diagnostics.SHOWN:
        if shown.sort == "raises":
            diagnostics.found(shown, tmp_path)
            steps.add(refusing(f"{tmp_path / 'sample.rules'}{shown.overlay}")[0])
    assert steps - {""} == set(REFUSED)


def test_what_is_not_refused_is_written(tmp_path: Path) -> None:
    for shown in diagnostics.SHOWN:
        found = diagnostics.found(shown, tmp_path)
        if shown.sort in ("raises", "silent") and not any(d.severity == "error" for d in found):
            made = compile_book(f"{tmp_path / 'sample.rules'}{shown.overlay}")
            assert made.emitted is not None and not made.report.failed, shown


def test_the_passes_that_write_report_nothing() -> None:
    assert all("Reports" not in (step.__doc__ or "") for step in MODULES)


def test_checks_that_only_warn_never_refuse() -> None:
    """Mutants skip them, so what they report must never be an error."""
    codes = set()
    for step in pipeline_module.WARNING:
        reports = (step.__doc__ or "").partition("Reports: ")[2]
        codes |= set(re.findall(r"RW\d{3}", reports))
        for first, last in re.findall(r"RW(\d{3}) to RW(\d{3})", reports):
            codes |= {f"RW{n}" for n in range(int(first), int(last) + 1)}
    compiler = HERE.parents[1] / "compiler"
    refusing = {
        code
        for path in compiler.rglob("*.py")
        for code in re.findall(r"\.error\(\s*\"(RW\d{3})\"", path.read_text(encoding="utf-8"))
    }
    assert refusing & {"RW303", "RW304", "RW604"}, "the search finds errors"
    assert not codes & refusing
