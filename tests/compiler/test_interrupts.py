"""Games that are interrupted: a choice is whole or not made, and no save is lost. The long form is `make interrupts`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.cli.signals import Stopped, Stopping
from rulewright.runtime import RandomPlayer, dice, machine, resume
from rulewright.runtime.journal import Journal

if not hasattr(os, "fork"):
    pytest.skip("signals and locks of Unix systems", allow_module_level=True)

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import interrupts  # noqa: E402

BOOK = str(ROOT / "tests" / "books" / "skirmish.rules")
COMMAND = [sys.executable, "-c", "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"]


def test_a_short_campaign_of_interrupts() -> None:
    found = interrupts.campaign([f"{BOOK}:battle", "trc:barbarossa"], 12, seed=5)
    every = [left for lefts in found.values() for left in lefts]
    assert len(every) == 12 and not [left for left in every if left.problem]
    codes = {left.way: left.code for left in found["trc:barbarossa"]}
    assert codes["Ctrl-C"] == 130 and codes["a request to end"] == 143 and codes["a closed terminal"] == 129
    assert codes["kill -9"] == -9 and codes["a full disk"] == 1


def test_an_interrupt_at_any_step_of_a_choice_leaves_all_of_it_or_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody shields the game: the n-th change of a choice is interrupted, for every n."""
    book = load(BOOK)
    for stop in range(1, 12):
        game = book.new(seed=3)
        players = {side: RandomPlayer(i) for i, side in enumerate(book.program.sides)}
        for _ in range(14):
            decision = game.decisions[0]
            choice = players[decision.side](game, decision)
            before, log, made = game.digest(), list(game.log), len(game.journal)
            left = [stop]

            def step(S: Any, case: str, left: list[int] = left, count: Any = machine.count) -> None:
                left[0] -= 1
                if not left[0]:
                    raise KeyboardInterrupt
                count(S, case)

            with monkeypatch.context() as patch:
                patch.setattr(machine, "count", step)
                try:
                    game.do(choice)
                except KeyboardInterrupt:
                    assert (game.digest(), game.log, len(game.journal)) == (before, log, made)
            if len(game.journal) == made:
                game.do(choice)


def test_an_interrupt_after_the_choice_is_written_down_leaves_it_made() -> None:
    book = load(BOOK)
    game, other = book.new(seed=3), book.new(seed=3)
    choice = next(game.legal())
    append = game.journal.append

    def written(event: Any) -> str:
        append(event)
        raise KeyboardInterrupt

    game.journal.append = written  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        game.do(choice)
    other.do(choice)
    assert game.digest() == other.digest() and game.log == other.log and len(game.journal) == 1
    game.undo()
    assert game.digest() == book.new(seed=3).digest()


def test_a_signal_waits_for_the_end_of_what_must_be_whole() -> None:
    before = signal.getsignal(signal.SIGINT)
    done = []
    with Stopping() as stopping:
        with pytest.raises(Stopped) as caught, stopping.whole():
            with stopping.whole():
                os.kill(os.getpid(), signal.SIGTERM)
                done.append("inner")
            done.append("outer")
        assert done == ["inner", "outer"] and caught.value.code == 143
        stopping.asked = None
        with pytest.raises(Stopped):
            os.kill(os.getpid(), signal.SIGINT)
            dice.draw(1, 6)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_writer_is_refused_in_one_line_and_a_reader_is_not(tmp_path: Path) -> None:
    path = tmp_path / "game.save"
    game = load(BOOK).new(seed=1)
    game.journal.keep_in(path)
    game.do(next(game.legal()))
    words = ["play", BOOK, "--players", "random", "--quiet"]
    for more in (["--save", str(path)], ["--resume", str(path), "--save", str(path)]):
        told = subprocess.run([*COMMAND, *words, *more], capture_output=True, text=True, check=False)
        assert told.returncode == 1
        assert told.stderr.splitlines()[0] == f"the save {path} is open in another program"
    told = subprocess.run([*COMMAND, "why", BOOK, str(path), "1 + 1"], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    game.do(next(game.legal()))
    assert len(Journal.read(path)) == 2
    game.journal.close()
    told = subprocess.run(
        [*COMMAND, *words, "--resume", str(path), "--save", str(path)], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    assert resume(path, lambda _: load(BOOK).program).over


def test_a_killed_game_between_random_players_resumes_from_its_last_position(tmp_path: Path) -> None:
    """A position in the file saves replaying; what came after it is played again."""
    path = tmp_path / "game.save"
    book = load(BOOK)
    game = book.new(seed=1)
    game.journal.keep_in(path)
    players = {side: RandomPlayer(i) for i, side in enumerate(book.program.sides)}
    for made in range(20):
        game.do(players[game.decisions[0].side](game, game.decisions[0]))
        if made == 12:
            game.journal.snapshot(game.state.plain())
    again = resume(path, lambda _: book.program)
    assert again.digest() == game.digest() and len(again.journal) == 20
    assert sum(e["event"] == "choice" for e in again.log) == 7, "only those after the position"


def hear_ctrl_c() -> None:
    """Commands that a shell starts in the background are deaf to Ctrl-C, and so are their children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_command_that_is_stopped_says_so_with_its_code(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "sim", "trc", "--scenario", "barbarossa", "--games", "50", "--jobs", "1"],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=hear_ctrl_c,
    ) as child:  # fmt: skip
        try:
            child.wait(6)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT)
        _, told = child.communicate(timeout=60)
    assert child.returncode == 130 and told.splitlines()[-1] == "stopped"
