"""The traced twin gives the values of the plain module, and tells which cases made them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler.loader import import_program, write
from rulewright.compiler.pipeline import compile_book
from rulewright.runtime import dice
from rulewright.runtime.begin import new_game
from rulewright.runtime.players import RandomPlayer
from rulewright.runtime.problems import Fault
from rulewright.runtime.program import Program
from rulewright.runtime.state import State
from rulewright.runtime.telling.trace import nodes
from rulewright.runtime.text import Choice

ROOT = Path(__file__).parents[2]
ORACLE = Path(__file__).with_name("books") / "oracle.rules"
BOOKS = [
    (ORACLE, "war", 40),
    (ORACLE, "brawl", 60),
    *((path, None, 8) for path in sorted((ROOT / "tests" / "probes").glob("*.rules"))),
    *([(ROOT / "rulebooks" / "trc", "battle", 8)] if (ROOT / "rulebooks" / "trc" / "00-book.rules").is_file() else []),
]
ASKED = 8


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traced")


@cache
def twins(book: Path, folders: Path) -> tuple[Program, Program]:
    made = compile_book(str(book))
    assert made.emitted is not None, made.report.found
    folder = folders / book.stem
    write(made, folder)
    plain = import_program(folder)
    assert plain.traced is not None
    return plain, plain.traced()


@pytest.mark.parametrize(("book", "scenario", "most"), BOOKS, ids=lambda x: getattr(x, "stem", None))
def test_twins_agree(book: Path, scenario: str | None, most: int, folders: Path) -> None:
    """For every definition, on states sampled from a random game."""
    plain, traced = twins(book, folders)
    assert plain.scenarios
    game = new_game(plain, scenario if scenario in plain.scenarios else None, 5)
    players = {side: RandomPlayer(i) for i, side in enumerate(plain.sides)}
    rng = dice.seed(5)
    for number in range(most):
        if game.over:
            break
        if number % 20 == 3:
            rng = assert_twins(plain, traced, game.state, rng)
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))


def assert_twins(plain: Program, traced: Program, state: State, rng: int) -> int:
    assert set(plain.values) == set(traced.values)
    one, other = State.from_plain(plain, state.plain()), State.from_plain(traced, state.plain())
    for name, (function, types, _, _) in plain.values.items():
        domains = [members(plain, t) for t in types]
        if not all(domains):
            continue
        for _ in range(ASKED if domains else 1):
            args: list[Any] = []
            for domain in domains:
                at, rng = dice.draw(rng, len(domain))
                args.append(domain[at])
            root: list[Any] = []
            other.trace = root
            wanted, found = outcome(function, one, args), outcome(traced.values[name][0], other, args)
            assert wanted == found, (name, args)
            if not isinstance(found, Trouble):
                assert other.trace is root, name
                assert_told(root, name, tuple(args), found)
    return rng


def assert_told(trace: list[Any], name: str, args: tuple[Any, ...], value: Any) -> None:
    """The trace names the definition, what it was asked and what it said."""
    node = nodes(trace)[-1]
    assert (node.name, node.args, node.value) == (name, args, value)


class Trouble(str):
    """The sort of trouble that a question has no answer to."""


def outcome(function: Any, S: State, args: list[Any]) -> Any:
    try:
        return function(S, *args)
    except Fault as fault:
        return Trouble(type(fault).__name__)
    except (TypeError, KeyError, IndexError, AttributeError, ValueError) as error:
        return Trouble(f"broken {type(error).__name__}")


def members(program: Program, type: str) -> list[Any]:
    """Values of a type to ask about; none where there is no end of them."""
    if type.startswith("kind:"):
        return list(program.kinds.get(type[5:], ()))
    if type.startswith("scale:"):
        return list(range(len(program.scales[type[6:]])))
    if type.startswith("set:"):
        inner = members(program, type[4:])
        return [tuple(inner[i : i + n]) for n in (0, 1, 2) for i in range(len(inner))]
    known = {
        "unit": list(range(len(program.units))),
        "place": list(range(program.board.hexes)),
        "hexside": [(a, b) for a, near in enumerate(program.board.neighbors) for b in near if a < b],
        "flag": [False, True],
        "number": list(range(-1, 8)),
        "turn": list(range(len(program.turns))),
    }
    return known.get(type, [])


def test_a_trace_cites_the_case_that_answers(folders: Path) -> None:
    """Staff holds nothing by 2.3, guns only their hex by 2.1, and the reckoning keeps its parts."""
    plain, traced = twins(ORACLE, folders)
    game = new_game(plain, "brawl", 1)
    S = State.from_plain(traced, {**game.state.plain(), "game_weather": "fair"})
    said = {}
    for unit in ("Red Staff", "Red Guns", "Red Foot 1"):
        S.trace = []
        traced.values["zone"][0](S, plain.unit_index[unit])
        said[unit] = nodes(S.trace)[-1].case
    assert said == {"Red Staff": "2.3", "Red Guns": "2.1", "Red Foot 1": "2"}
    S.trace = []
    traced.values["force"][0](S, plain.unit_index["Red Foot 1"], plain.place_index["B3"])
    parts = nodes(S.trace)[-1].parts
    assert [(case, operation) for case, operation, _, _ in parts][:1] == [("3.1", "times")]


def test_an_unmet_duty_is_named_when_asked_why(folders: Path) -> None:
    plain, _ = twins(ORACLE, folders)
    game = new_game(plain, "war", 2)
    players = {side: RandomPlayer(14 + i) for i, side in enumerate(plain.sides)}
    for _ in range(40):
        decision = game.decisions[0]
        done = Choice(decision.id, decision.side, "done")
        if decision.sort == "offer" and game.refusals(done):
            assert str(game.why(done)).splitlines()[1:] == ['  10 "Duties": horse_moves']
            return
        game.do(players[decision.side](game, decision))
    pytest.fail("no duty stood in the way")
