"""The hooks and the workflow, each run on a real repository."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.keeper.holding import rule_sets

yaml = pytest.importorskip("yaml", reason="the extra dev has it")
ROOT = Path(__file__).resolve().parents[2]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
WORKFLOW = ROOT / "docs" / "ci" / "github-workflow.yml"


@pytest.fixture
def around(tmp_path):
    """An environment in which `rulewright` is the one under test."""
    tools = tmp_path / "tools"
    tools.mkdir()
    program = tools / "rulewright"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nfrom rulewright.compiler.cli.main import main\nsys.exit(main(sys.argv[1:]))\n"
    )
    program.chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    return {**kept, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PRE_COMMIT_HOME": str(tmp_path / "cache")}


@pytest.fixture
def book(tmp_path, repos):
    return repos.repository(tmp_path / "my games", {"ford.rules": repos.ford()})


def test_the_hooks_are_the_three():
    assert set(HOOKS) == {"rulewright-check", "rulewright-fmt", "rulewright-test"}
    for hook in HOOKS.values():
        assert hook["language"] == "python" and hook["files"] == r"\.rules$" and hook["require_serial"] is True


def run_hook(id, *files):
    """A hook as pre-commit calls it: its entry, its arguments, and the staged files that it is meant for."""
    chosen = [f for f in files if re.search(HOOKS[id]["files"], f)]
    program, *words = HOOKS[id]["entry"].split()
    assert program == "rulewright"
    return main([*words, *chosen])


BREAKS = {
    "rulewright-check": ("budget: pace(u)", "budget: pase(u)", 'unknown name "pase"'),
    "rulewright-test": ("3 otherwise", "1 otherwise", "a long march"),
}


@pytest.mark.parametrize("id", BREAKS)
def test_a_hook_passes_what_is_sound_and_stops_what_is_not(book, repos, monkeypatch, capsys, id):
    monkeypatch.chdir(book)
    assert run_hook(id, "ford.rules") == 0
    old, new, said = BREAKS[id]
    (book / "ford.rules").write_text(repos.ford().replace(old, new))
    capsys.readouterr()
    assert run_hook(id, "ford.rules") == 1 and said in capsys.readouterr().out


def test_pre_commit_runs_them(book, repos, around):
    """Truly, by pre-commit, with the environment under test in place of one that it would have to install."""
    pytest.importorskip("pre_commit", reason="the extra dev has it")
    hooks = [{**hook, "language": "system"} for hook in HOOKS.values()]
    (book / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks}]}))
    (book / "notes.txt").write_text("no rules")
    text = repos.ford().replace("budget: pace(u)", "budget:   pace(u)").replace("3 otherwise", "1 otherwise")
    (book / "ford.rules").write_text(text)
    repos.git(book, "add", "-A")
    command = [sys.executable, "-m", "pre_commit", "run", "--color=never"]
    done = subprocess.run(command, cwd=book, env=around, capture_output=True, text=True)
    said = dict(re.findall(r"^(rulewright \w+)\.+(\w+)$", done.stdout, re.M))
    assert said == {"rulewright check": "Passed", "rulewright fmt": "Failed", "rulewright test": "Failed"}, done.stdout
    assert "files were modified by this hook" in done.stdout and "a long march" in done.stdout
    assert "budget: pace(u)" in (book / "ford.rules").read_text()


# ---------------------------------------------------------------- which rule sets a file belongs to


def test_files_lead_to_their_rule_sets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    head = 'book {0} "{0}"\nuse pace\ncase 1 "A":\n  kind side: red, blue\n'
    files = {
        "games/north/1.rules": head.format("north"),
        "games/north/2.rules": 'case 2 "B":\n  kind arm: foot\n',
        "games/north/overlays/hot.rules": 'option hot of north "Hot":\n  requires: dry\n  case 9 "C":\n',
        "games/one.rules": head.format("one"),
        "games/fast.rules": 'variant fast of one "Fast":\n  case 9 "C":\n',
        "games/lib/pace.rules": 'case L "L":\n  define pace -> number: 3\n',
        "games/lib/unused.rules": 'case M "M":\n  define slow -> number: 3\n',
        "stray.rules": 'case 1 "A":\n  kind arm: foot\n',
        "far.rules": 'errata far of nosuchbook "F":\n  case 1 "A":\n',
        "mine.rules": 'errata mine of trc "F":\n  case 1 "A":\n',
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def sets(*names):
        found, stray = rule_sets(map(Path, names))
        return found, [str(x) for x in stray]

    assert sets("games/north/2.rules", "games/north/1.rules") == (["games/north"], [])
    assert sets("games/north/overlays/hot.rules") == (["games/north", "games/north+dry+hot"], [])
    assert sets("games/one.rules") == (["games/one.rules"], [])
    assert sets("games/fast.rules") == (["games/one.rules+games/fast.rules"], [])
    assert sets("games/lib/pace.rules") == (["games/one.rules", "games/north"], [])
    assert sets("games/lib/unused.rules") == ([], [])
    assert sets("stray.rules", "far.rules") == ([], ["stray.rules", "far.rules"])
    assert sets("mine.rules") == (["trc+mine.rules"], [])


def test_files_of_no_book_are_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stray.rules").write_text('case 1 "A":\n  kind arm: foot\n')
    for id in BREAKS:
        assert run_hook(id, "stray.rules") == 2 and "stray.rules belongs to no book" in capsys.readouterr().err
        assert run_hook(id, "none.rules") == 2 and "there is no file none.rules" in capsys.readouterr().err


# ---------------------------------------------------------------- the workflow


def steps():
    [job] = yaml.safe_load(WORKFLOW.read_text())["jobs"].values()
    return job["steps"]


def test_the_workflow_has_the_history_and_the_rights_that_it_needs():
    made = yaml.safe_load(WORKFLOW.read_text())
    assert made["permissions"] == {"contents": "read", "security-events": "write"}
    assert set(made[True]) == {"pull_request", "push"}  # YAML reads `on` as true
    checkout = next(s for s in steps() if s.get("uses", "").startswith("actions/checkout"))
    assert checkout["with"]["fetch-depth"] == 0
    for step in steps():  # a name that somebody else may choose never stands in a script
        assert "${{" not in step.get("run", "")


KNOWN = {
    "workflow": {"name", "run-name", "on", "permissions", "env", "defaults", "concurrency", "jobs"},
    "job": {
        "name", "runs-on", "needs", "if", "permissions", "env", "strategy", "steps", "timeout-minutes", "outputs",
        "defaults", "concurrency", "continue-on-error", "container", "services", "environment",
    },
    "step": {
        "id", "name", "if", "uses", "run", "with", "env", "shell", "working-directory", "continue-on-error",
        "timeout-minutes",
    },
}  # fmt: skip
"""The keys that the host's syntax of workflows has at each level; another is an error there."""


def test_the_workflow_has_only_keys_that_the_host_knows():
    made = yaml.safe_load(WORKFLOW.read_text())
    made = {"on" if key is True else key: value for key, value in made.items()}
    assert set(made) <= KNOWN["workflow"] and {"on", "jobs"} <= set(made)
    assert all(isinstance(value, str) for value in made["env"].values())
    for name, job in made["jobs"].items():
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", name) and set(job) <= KNOWN["job"]
        assert isinstance(job["runs-on"], str) and job["steps"]
        for step in job["steps"]:
            assert set(step) <= KNOWN["step"] and ("uses" in step) != ("run" in step), step
            assert all(isinstance(v, str) for v in step.get("env", {}).values())
            assert re.fullmatch(r"[\w.-]+/[\w./-]+@v\d+", step.get("uses", "a/b@v1")), step
            for at in re.findall(r"\$\{\{(.*?)\}\}", yaml.safe_dump(step)):
                assert re.fullmatch(r" *(github|env|runner|steps|matrix)(\.[a-z_-]+)+ *", at), at
            if "run" in step:
                done = subprocess.run(["bash", "-n"], input=step["run"], text=True, capture_output=True)
                assert done.returncode == 0, done.stderr


SMALL = 'book low "Low"\n\ncase 1 "Pieces":\n  kind side: red, blue\n  define pace -> number: 3\n'


def test_every_command_of_the_workflow_runs_in_a_repository(tmp_path, repos, around):
    top = repos.repository(tmp_path / "games", {"low.rules": SMALL})
    repos.git(top, "checkout", "-q", "-b", "change")
    (top / "rulewright.toml").write_text('[severity.case]\n1 = "error"\n')
    repos.commit(top, {"low.rules": SMALL.replace("3", "2")})
    summary, base = tmp_path / "summary.md", repos.git(top, "rev-parse", "main")
    env = {**around, "BOOKS": "low.rules", "BASE": base, "GITHUB_STEP_SUMMARY": str(summary)}
    codes = []
    for step in steps():
        if "rulewright " in step.get("run", ""):
            command = ["bash", "-eo", "pipefail", "-c", step["run"]]
            done = subprocess.run(command, cwd=top, env=env, capture_output=True, text=True)
            codes.append((step["name"].split(",")[0], done.returncode))
    words = ("Layout", "Check", "Worked examples", "What changed", "What changed")
    assert codes == list(zip(words, (0, 0, 0, 0, 1), strict=True))
    assert "definition pace: 3 becomes 2" in summary.read_text()
    log = json.loads((top / "sarif" / "low.rules.sarif").read_text())
    assert [r["level"] for r in log["runs"][0]["results"]] == ["error"]
