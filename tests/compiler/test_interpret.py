"""The reference interpreter and the generated code are of one mind.

Random games run on both, the same choices on each: after every choice the states have the same digest, at every
few decisions the same choices are legal, and every definition gives the same value for sampled arguments.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler.interpret.program import interpret
from rulewright.compiler.loader import import_program, write
from rulewright.compiler.pipeline import Compiled, compile_book
from rulewright.runtime import dice
from rulewright.runtime.choices.spaces import LISTED
from rulewright.runtime.game import Game, new_game
from rulewright.runtime.players import RandomPlayer
from rulewright.runtime.problems import Fault
from rulewright.runtime.program import ActionInfo, Program
from rulewright.runtime.state import State
from rulewright.runtime.text import Choice, show_choice

ROOT = Path(__file__).parents[2]
ORACLE = str(Path(__file__).with_name("books") / "oracle.rules")
WIDE = 8
ASKED = 12
BROKEN = (TypeError, KeyError, IndexError, AttributeError, ValueError)


def books() -> list[tuple[str, str | None, int, int]]:
    """Book, scenario, how many games, how many choices each: every probe that is a game by itself."""
    found: list[tuple[str, str | None, int, int]] = [(ORACLE, "war", 1, 60), (ORACLE, "brawl", 1, 110)]
    probes = ROOT / "tests" / "probes"
    games = [*probes.glob("*.rules"), *(path / f"{path.name}.rules" for path in probes.iterdir() if path.is_dir())]
    found += [(str(path), None, 1, 12) for path in sorted(games) if path.is_file()]
    return [*found, (str(ROOT / "rulebooks" / "trc"), "battle", 1, 16)]


def book_id(row: tuple[str, str | None, int, int]) -> str:
    return f"{Path(row[0]).stem}-{row[1] or 'first'}"


@cache
def both(name: str, folder: Path) -> tuple[Compiled, Program, Program]:
    """A book compiled, as its generated program and as its interpreted one."""
    made = compile_book(name)
    assert made.emitted is not None, made.report.found
    write(made, folder)
    return made, import_program(folder), interpret(made, remembers=name != ORACLE)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("oracle")


def programs(row: tuple[str, str | None, int, int], folders: Path) -> tuple[Program, Program]:
    _, plain, walked = both(row[0], folders / Path(row[0]).stem)
    assert plain.scenarios
    return plain, walked


# ---------------------------------------------------------------- games


@pytest.mark.parametrize("row", books(), ids=book_id)
def test_games_agree(row: tuple[str, str | None, int, int], folders: Path) -> None:
    """The same seeds and choices reach the same states, with the same choices open on the way."""
    plain, walked = programs(row, folders)
    _, scenario, games, most = row
    if scenario is not None and scenario not in plain.scenarios:
        scenario = None
    for seed in range(games):
        same_game(plain, walked, scenario, seed, most)


def same_game(plain: Program, walked: Program, scenario: str | None, seed: int, most: int) -> None:
    """Play one game on both, comparing all the way."""
    one, other = new_game(plain, scenario, seed), new_game(walked, scenario, seed)
    assert differences(one, other) == {}
    players = {side: RandomPlayer(31 * seed + i) for i, side in enumerate(plain.sides)}
    for number in range(most):
        if one.over:
            break
        decision = one.decisions[0]
        choice = players[decision.side](one, decision)
        if number % 9 == 4:
            assert_same_listing(one, other)
        if number % 13 == 5:
            assert_same_values(plain, walked, one.state, seed + number)
        do_both(one, other, choice)
        found = differences(one, other)
        assert found == {}, f"after {number + 1} choices, {show_choice(plain, choice)}: {found}"
    assert one.over == other.over
    assert one.winner == other.winner


def do_both(one: Game, other: Game, choice: Choice) -> None:
    """Do a choice in both games; a fault must strike both alike."""
    results = []
    for game in (one, other):
        try:
            game.do(choice)
            results.append("")
        except Fault as fault:
            results.append(f"{type(fault).__name__} {fault.case}")
    assert results[0] == results[1], f"{show_choice(one.program, choice)}: {results}"
    if results[0]:
        pytest.fail(f"the game ended in a fault: {results[0]}")


def differences(one: Game, other: Game) -> dict[str, Any]:
    if one.digest() == other.digest():
        return {}
    a, b = one.state.plain(), other.state.plain()
    return {name: (a[name], b[name]) for name in a if a[name] != b[name]} or {"digest": "equal values, other bytes"}


def assert_same_listing(one: Game, other: Game) -> None:
    """The same choices are listed; of long lists, each accepts what the other lists."""
    assert [(d.id, d.side, d.name) for d in one.decisions] == [(d.id, d.side, d.name) for d in other.decisions]
    lists = [list(itertools.islice(game.legal(), LISTED)) for game in (one, other)]
    if all(len(x) < LISTED for x in lists):
        narrow = {name for name, action in one.program.actions.items() if not wide(action, one.state)} | {
            "done",
            "take_back",
        }
        narrow |= {ask.name for ask in one.program.asks}
        assert {bare(c) for c in lists[0] if c.name in narrow} == {bare(c) for c in lists[1] if c.name in narrow}
    for game, choices in ((one, lists[1]), (other, lists[0])):
        for choice in choices[:: max(1, len(choices) // 12)]:
            assert game.refusals(choice) == [], show_choice(one.program, choice)


def wide(action: ActionInfo, S: State) -> bool:
    """Whether an action takes sets from so many members that not all of them are listed."""
    return any(x.type.startswith(("set:", "list:")) for x in action.params) and len(S.at) > WIDE


def bare(choice: Choice) -> Any:
    """A choice with its paths by their ends: which of several equal paths is listed is not part of the rules."""
    args = tuple(
        (name, (v[0], v[-1]) if isinstance(v, tuple) and len(v) > 1 and name.startswith("p") else v)
        for name, v in choice.args
    )
    return (choice.decision, choice.side, choice.name, args)


# ---------------------------------------------------------------- definitions


def assert_same_values(plain: Program, walked: Program, state: State, seed: int) -> None:
    """Every definition whose arguments can be counted gives the same value, or the same fault."""
    rng = dice.seed(seed)
    one, other = State.from_plain(plain, state.plain()), State.from_plain(walked, state.plain())
    for name, (function, types, _, _) in plain.values.items():
        domains = [members(plain, t) for t in types]
        if any(d is None for d in domains):
            continue
        for _ in range(ASKED):
            args = []
            for d in domains:
                assert d is not None
                if not d:
                    break
                at, rng = dice.draw(rng, len(d))
                args.append(d[at])
            if len(args) < len(domains):
                break
            assert outcome(function, one, args) == outcome(walked.values[name][0], other, args), (name, args)
            if not domains:
                break
    assert one.digest() == state.digest(), "asking changes nothing"
    assert other.digest() == state.digest(), "asking changes nothing"


def outcome(function: Any, S: State, args: list[Any]) -> Any:
    """A value, or the sort of trouble that a question has no answer to."""
    try:
        return function(S, *args)
    except Fault as fault:
        return type(fault).__name__
    except BROKEN:
        return "broken"


def members(program: Program, type: str) -> list[Any] | None:
    """Every value of a type, where there is an end of them."""
    if type.startswith("kind:"):
        return list(program.kinds.get(type[5:], ())) or None
    if type.startswith("scale:"):
        return list(range(len(program.scales[type[6:]])))
    if type.startswith("set:"):
        inner = members(program, type[4:])
        return None if inner is None else [tuple(inner[i : i + n]) for n in (0, 1, 2) for i in range(len(inner))]
    match type:
        case "unit":
            return list(range(len(program.units)))
        case "place":
            return list(range(program.board.hexes))
        case "hexside":
            return [(a, b) for a, near in enumerate(program.board.neighbors) for b in near if a < b] or None
        case "flag":
            return [False, True]
        case "number":
            return list(range(-1, 8))
        case "turn":
            return list(range(len(program.turns)))
        case _:
            return None


@pytest.mark.parametrize("scenario", ["war", "brawl"])
def test_definitions_agree(scenario: str, folders: Path) -> None:
    """Every definition of the fixture, on states in the middle of games."""
    plain, walked = programs((ORACLE, scenario, 1, 1), folders)
    for i, state in enumerate(states(plain, scenario, 50, 90)):
        if i % 22 == 7:
            assert_same_values(plain, walked, state, i)


def states(program: Program, scenario: str | None, seed: int, most: int) -> Iterator[State]:
    """The states of one random game."""
    game = new_game(program, scenario, seed)
    players = {side: RandomPlayer(31 * seed + i) for i, side in enumerate(program.sides)}
    for _ in range(most):
        if game.over:
            return
        yield game.state
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))


# ---------------------------------------------------------------- one program and the other


def test_same_tables(folders: Path) -> None:
    """The interpreter builds the same program, but for its functions."""
    plain, walked = programs((ORACLE, "war", 1, 1), folders)
    for name in (
        "name",
        "title",
        "rules_hash",
        "units",
        "sides",
        "kinds",
        "scales",
        "turns",
        "unit_sides",
    ):
        assert getattr(plain, name) == getattr(walked, name), name
    for name in ("bindings", "readings", "scenarios", "resets", "cases", "board"):
        assert getattr(plain, name) == getattr(walked, name), name
    who = [{column: {*watching} for column, watching in program.watches.items()} for program in (plain, walked)]
    assert who[0] == who[1]
    assert without_functions(plain) == without_functions(walked)


def without_functions(program: Program) -> Any:
    """The tables of a program with every function left out; of the steps of a procedure only how many there are.

    Generated code runs some steps on into the next, which then stand nowhere by themselves.
    """

    def strip(x: Any) -> Any:
        if callable(x):
            return "…"
        if isinstance(x, tuple | list):
            return [strip(y) for y in x]
        if isinstance(x, dict):
            return {k: strip(v) for k, v in x.items()}
        if hasattr(x, "__dataclass_fields__"):
            fields = [k for k in x.__dataclass_fields__ if k not in ("member", "accepts", "sets", "straight")]
            return {k: len(x.blocks) if k == "blocks" else strip(getattr(x, k)) for k in fields}
        return x

    names = (
        "columns",
        "memories",
        "quotas",
        "asks",
        "offers",
        "actions",
        "duties",
        "triggers",
        "procedures",
        "invariants",
        "expiring",
        "values",
    )
    return {name: strip(getattr(program, name)) for name in names}


def test_examples_of_the_fixture_hold(folders: Path) -> None:
    """What the fixture says about itself holds on the generated code."""
    from rulewright.compiler.examples.run import run_examples

    made = compile_book(ORACLE)
    folder = folders / "examples"
    write(made, folder)
    assert made.book is not None
    assert len(made.book.examples) >= 10
    for outcome in run_examples(made.book, import_program(folder)):
        assert outcome.passed, (outcome.example.title, outcome.failures)


def test_disagreement_would_show(folders: Path) -> None:
    """The comparison is not blind: an interpreter of a changed book is caught within one game."""
    made, plain, _ = both(ORACLE, folders / "oracle")
    assert made.book is not None
    zone = made.book.definitions["zone"]
    try:
        made.book.definitions["zone"] = made.book.definitions["zone_without_exceptions"] = _bare(zone)
        walked = interpret(made)
        with pytest.raises(AssertionError):
            for state in states(plain, "brawl", 3, 40):
                assert_same_values(plain, walked, state, 1)
    finally:
        made.book.definitions["zone"] = zone
        del made.book.definitions["zone_without_exceptions"]


def _bare(definition: Any) -> Any:
    from dataclasses import replace

    return replace(definition, base=replace(definition.base, exceptions=()))
