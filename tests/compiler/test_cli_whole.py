"""The whole command line: exit codes, faults that are ours, quiet pipes, listings as data, completion, progress."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulewright
from rulewright.compiler import load
from rulewright.compiler.cli import commands as cli_commands
from rulewright.compiler.cli import completion
from rulewright.compiler.cli.books import listed
from rulewright.compiler.cli.commands import commands_for, parser_of
from rulewright.compiler.cli.completion import SCRIPTS
from rulewright.compiler.cli.main import main
from rulewright.compiler.cli.progress import Progress
from rulewright.compiler.cli.test import below
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.read.library import known_books

ROOT = Path(__file__).parent.parent.parent
BOOK = str(ROOT / "tests" / "books" / "skirmish.rules")
COMMAND = [
    sys.executable,
    "-c",
    "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))",
]

Out = pytest.CaptureFixture[str]


def usage(words: list[str]) -> int:
    """The exit code of a command line, whether it comes by `sys.exit` or not."""
    try:
        return main(words)
    except SystemExit as stopped:
        return int(stopped.code or 0)


def one_line(out: Out) -> str:
    err = out.readouterr().err
    assert "Traceback" not in err
    return err


# ---------------------------------------------------------------- exit codes


def test_the_version_is_that_of_the_package(capsys: Out) -> None:
    assert main(["--version"]) == 0 and capsys.readouterr().out == f"rulewright {rulewright.__version__}\n"
    assert importlib.metadata.version("rulewright") == rulewright.__version__


def test_a_fault_of_ours_is_one_line_a_file_and_exit_3(
    capsys: Out, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(args: object) -> int:
        raise KeyError("a thing that is not there")

    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    commands = {"map": (lambda p: p.set_defaults(run=broken), "")}
    monkeypatch.setattr(cli_commands, "commands_for", lambda words: commands)
    assert main(["map"]) == 3
    said = one_line(capsys)
    assert said.count("\n") == 1 and "our fault" not in said and "Rulewright's fault" in said
    path = Path(re.search(r"the traceback is in (.*)", said)[1])  # type: ignore[index]
    assert "KeyError: 'a thing that is not there'" in path.read_text() and path.parent == tmp_path / "faults"


def test_a_rule_set_that_does_not_compile_is_a_finding_everywhere(capsys: Out, tmp_path: Path) -> None:
    bad = tmp_path / "bad.rules"
    bad.write_text(Path(BOOK).read_text().replace("budget: 3", "budget: speed(u)"))
    save = str(tmp_path / "game.save")
    main(["play", BOOK, "--players", "random", "--until", "2", "--save", save, "--quiet"])
    for words in (
        ["compile", str(bad)],
        ["compile", str(bad), "-o", str(tmp_path / "out")],
        ["test", str(bad)],
        ["play", str(bad)],
        ["sim", str(bad), "--games", "1"],
        ["coverage", str(bad)],
        ["why", str(bad), save, "red: done"],
        ["migrate", save, "--overlay", "nosuch", "--book", BOOK],
        ["migrate", save, "--overlay", "nosuch", "--book", str(bad)],
    ):
        assert main(words) == 1, words
        assert re.search(r"^RW\d+ ", one_line(capsys), re.M), words


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sim", BOOK, "--scenario", "batle"], 'did you mean "battle"?'),
        (["play", BOOK, "--scenario", "batle"], 'did you mean "battle"?'),
        (["map", BOOK, "--scenario", "batle"], 'did you mean "battle"?'),
        (["sim", BOOK, "--games", "0"], '"0" is no number above nothing'),
        (["sim", BOOK, "--games", "-3"], "number above nothing"),
        (["diff", BOOK, BOOK, "--games", "0"], "number above nothing"),
        (["check", BOOK, "--as-of", "yesterday"], '"yesterday" is no date'),
        (["check", BOOK, "--as-of", "1984-13"], "is no date"),
        (["test", BOOK, "--case", "99"], "no example of case 99"),
        (["play"], "which book?"),
        (["books", "trk"], 'did you mean "trc"?'),
        (["completion", "tcsh"], "invalid choice"),
        (["nosuch"], "invalid choice"),
        ([], "COMMAND"),
        (["fmt", "nowhere.rules"], "nowhere.rules: No such file"),
    ],
)
def test_what_is_typed_wrong_exits_two_and_says_how_it_is_meant(words: list[str], said: str, capsys: Out) -> None:
    assert usage(words) == 2
    assert said in one_line(capsys)


def test_a_case_takes_in_the_cases_below_it(capsys: Out) -> None:
    assert [below(x, "12") for x in ("12", "12.1", "12.5/p2", "12/b1", "120", "1.12")] == [
        True, True, True, True, False, False,
    ]  # fmt: skip
    assert main(["test", "trc", "--case", "12.5", "--format", "json", "--quiet"]) == 0
    own = {row["case"] for row in json.loads(capsys.readouterr().out)}
    assert any(case.startswith("12.5/") for case in own)


def test_a_pipe_that_closes_early_is_no_fault() -> None:
    for words in (["books"], ["books", "--format", "json"], ["map", BOOK], ["test", BOOK]):
        first = subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert first.stdout is not None and first.stderr is not None
        first.stdout.close()
        said = first.stderr.read().decode()
        first.stderr.close()
        told = [x for x in said.splitlines() if not x.startswith("drawn without a look: ")]
        assert first.wait(60) == 0 and told == [], (words, said)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed_from_the_start_are_no_fault(closed: str) -> None:
    for words in ("books", f"test {BOOK}", f"play {BOOK} --players random --quiet"):
        told = subprocess.run(
            ["sh", "-c", f'"$0" -c "$1" {words} {closed}', sys.executable, COMMAND[2]],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert told.returncode == 0 and told.stderr == "", (words, told)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_an_output_that_is_full_is_told_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        told = subprocess.run([*COMMAND, "books"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert told.returncode == 2 and told.stderr == "a file: No space left on device\n"


# ---------------------------------------------------------------- listings as data


def test_every_listing_comes_as_json(capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save = "game.save"
    main(["play", BOOK, "--players", "random", "--until", "3", "--save", save, "--quiet"])
    assert capsys.readouterr().out == "3 choices; unfinished\n"
    listings = {
        "check": ["check", BOOK],
        "test": ["test", BOOK, "--case", "6"],
        "coverage": ["coverage", BOOK],
        "why": ["why", BOOK, save, "in_zone(red, A1)"],
        "diff": ["diff", BOOK, BOOK],
        "sim": ["sim", BOOK, "--games", "2", "--jobs", "1"],
        "play": ["play", BOOK, "--players", "random", "--seed", "2"],
        "books": ["books"],
        "fmt": ["fmt", "--check", BOOK],
    }
    for name, words in listings.items():
        code = main([*words, "--format", "json"])
        out = capsys.readouterr()
        assert code in (0, 1) and json.loads(out.out) is not None, name
        assert out.err == "", name


def test_the_result_of_a_game_as_data(capsys: Out) -> None:
    assert main(["play", BOOK, "--players", "random", "--seed", "5", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["over"] and found["seed"] == 5 and found["choices"] > 0 and found["scenario"] == "battle"
    game = load(BOOK).new("battle", 5)
    assert found["winner"] in (*game.program.sides, None)


@pytest.mark.parametrize("name", known_books())
def test_books_lists_what_the_compiler_finds(name: str) -> None:
    """The quick reading of heads agrees with the parser, for every book."""
    made = analyse(name)
    assert made.book is not None
    found = listed(name)
    assert found is not None
    assert [s["scenario"] for s in found["scenarios"]] == list(made.book.scenarios)
    assert {o["overlay"] for o in found["overlays"]} == set(made.overlays)
    for overlay in found["overlays"]:
        from rulewright.compiler.overlay.stack import pick
        from rulewright.dsl.diagnostics import Reporter

        meant = pick(overlay["call"], made.overlays, Reporter())
        assert meant is not None and meant.name == overlay["overlay"]


# ---------------------------------------------------------------- completion


def test_words_are_completed() -> None:
    def candidates(typed):
        return completion.candidates(typed, commands_for([]), parser_of)

    assert candidates(["pl"]) == ["play"]
    assert set(candidates([""])) >= {"check", "books", "completion", "lsp"}
    assert candidates(["play", "tr"]) == ["trc"]
    assert "trc+26.9" in candidates(["play", "trc+26."])
    assert "trc+26.9" not in candidates(["play", "trc+26.9+26."])
    assert candidates(["play", "trc", "--scenario", "ba"]) == ["barbarossa", "battle"]
    assert "fall_blau" in candidates(["play", "trc+27.4", "--scenario", "fa"])
    assert candidates(["check", "trc", "--format", "s"]) == ["sarif"]
    assert candidates(["play", "trc", "--players", "person,r"]) == ["person,random"]
    assert candidates(["why", "trc", ""]) == [":files"]
    assert "--scenario" in candidates(["play", "trc", "--s"])
    assert candidates(["nosuch", ""]) == []


@pytest.mark.parametrize("shell", sorted(SCRIPTS))
def test_the_scripts_are_printed_and_parse(shell: str, capsys: Out, tmp_path: Path) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "rulewright completion words" in script
    if shutil.which(shell):
        path = tmp_path / "script"
        path.write_text(script)
        subprocess.run([shell, "-n", str(path)], check=True)


def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    (tmp_path / "rulewright").write_text(f'#!/bin/sh\nexec {COMMAND[0]} -c "{COMMAND[2]}" "$@"\n')
    (tmp_path / "rulewright").chmod(0o755)
    asked = "COMP_LINE='rulewright play trc --scenario ba'; COMP_POINT=${#COMP_LINE}; _rulewright; echo ${COMPREPLY[@]}"
    done = subprocess.run(
        ["bash", "-c", f'eval "$(rulewright completion bash)"; {asked}'],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["barbarossa", "battle"], done.stderr


# ---------------------------------------------------------------- progress


def test_progress_shows_to_a_person_only(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    with Progress("games", 10) as progress:
        progress(5)
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress("games", 10) as progress:
        progress(5)
        progress(10)
    said = capsys.readouterr().err
    assert "games" in said and "5/10" in said and "10/10" in said and said.endswith("\r\x1b[K")
    with Progress("games", 10, quiet=True) as progress:
        progress(5)
    monkeypatch.setenv("TERM", "dumb")
    with Progress("games", 10) as progress:
        progress(5)
    assert capsys.readouterr().err == ""


def test_the_time_left_is_reckoned() -> None:
    bar = Progress("games", 100)
    assert bar.line(25, 30.0).endswith("25/100  1:30 left")
    assert bar.line(100, 30.0).endswith("100/100") and len(bar.line(0, 0.0)) == len("games ") + 24 + len(" 0/100")


def test_in_a_terminal_a_bar_shows_and_goes_and_the_answer_stays(tmp_path: Path) -> None:
    pytest.importorskip("pyte")
    pytest.importorskip("pty")
    sys.path.insert(0, str(ROOT / "tools"))
    from terminal import Terminal

    t = Terminal([*COMMAND, "sim", BOOK, "--games", "6", "--jobs", "1"], 80, 40, tmp_path)
    assert t.end() == 0
    assert "6/6" in t.raw and "6 games, " in t.text() and "6/6" not in t.text()


# ---------------------------------------------------------------- start


def test_each_command_imports_only_what_it_needs() -> None:
    heavy = ["argparse", "json", "sqlite3", "lark", "jinja2", "cerberus", "prompt_toolkit", "typing", "dataclasses"]
    for words, spared in (
        (["--version"], heavy),
        (["books"], ["lark", "jinja2", "cerberus", "sqlite3", "prompt_toolkit"]),
        (["completion", "words", "--", "play", "trc+"], ["lark", "jinja2", "cerberus", "sqlite3", "prompt_toolkit"]),
        (["play", BOOK, "--players", "random", "--quiet"], ["prompt_toolkit"]),
    ):
        main([*words[:1], BOOK, "--players", "random", "--quiet"] if words[0] == "play" else ["--version"])
        code = (
            f"import sys; before = set(sys.modules); from rulewright.compiler.cli.main import main; main({words!r}); "
        )
        code += "print(','.join(sorted({m.partition('.')[0] for m in set(sys.modules) - before})), file=sys.stderr)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert not set(spared) & set(done.stderr.strip().split(",")), words


def test_a_value_that_no_book_defines_is_told_from_a_choice(tmp_path: Path, capsys: Out) -> None:
    save = str(tmp_path / "one.save")
    main(
        ["play", "tdv", "--scenario", "crimea", "--players", "random,random", "--until", "2", "--quiet", "--save", save]
    )
    assert main(["why", "tdv", save, "holder(Sevastopol)"]) == 0
    assert "holder(" in capsys.readouterr().out
    assert main(["why", "tdv", save, "holdr(Sevastopol)"]) == 2
    said = capsys.readouterr().err
    assert 'unknown name "holdr"' in said and 'did you mean "holder"' in said and "axis, soviet" in said
    assert main(["why", "tdv", save, "holder(Sevastopl)"]) == 2
    assert 'did you mean "Sevastopol"?' in capsys.readouterr().err
