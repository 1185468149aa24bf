"""Generated code and the oracle are of one mind: games, verdicts, values and examples, a short form of `make twins`.

The comparison lies in `tools/twin`; `docs/twins.md` reports the long form.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.builtins import BUILTINS
from rulewright.compiler.examples.expressions import load_functions
from rulewright.compiler.interpret import builtins, expressions, flow, operators, statements
from rulewright.compiler.interpret.asks import Unknown
from rulewright.compiler.interpret.game import Oracle
from rulewright.compiler.interpret.matchings import Matching
from rulewright.compiler.interpret.values import NONSENSE
from rulewright.compiler.interpret.world import World
from rulewright.compiler.pipeline import compile_book
from rulewright.runtime.begin import new_game
from rulewright.runtime.state import fresh

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from twin.examples import run_examples  # noqa: E402
from twin.games import play_both  # noqa: E402
from twin.pair import Tally, Twins  # noqa: E402
from twin.samples import Chance  # noqa: E402
from twin.values import ask_both, ask_every  # noqa: E402
from twins import core_classes, small_books, used  # noqa: E402

ORACLE = str(Path(__file__).with_name("books") / "oracle.rules")
# Book, scenario, seeds, choices each, how many values are asked for now and then.
LARGE = [
    ("fragment", "first_year", 2, 200, 40),
    ("trc", "battle", 2, 40, 20),
    ("trc", "barbarossa", 1, 40, 40),
    ("tdv", "smolensk", 1, 8, 20),
    ("tdv", "campaign_start", 1, 10, 20),
    ("fite+errata", "niemen", 1, 8, 20),
]
MADE_BY_ANALYSES = {"Choose", "Total"}
WORDS = {*BUILTINS, "assigned", "targets", "target_groups", "share"}


@cache
def both(name: str, folder: Path) -> Twins:
    return Twins.of(name, folder / Path(name).stem)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("twins")


# ---------------------------------------------------------------- games, values, examples


@pytest.mark.parametrize("name", small_books(), ids=lambda name: Path(name).stem)
def test_small_books(name: str, folder: Path) -> None:
    """Fixtures and probes: all examples, some games, every definition several times."""
    pair = both(name, folder)
    run_examples(pair)
    for scenario in pair.plain.scenarios:
        for seed in range(2):
            play_both(pair, scenario, seed, 60, every=6, asked=10)
        ask_every(pair, new_game(pair.plain, scenario, 5).state, Chance(5), 3, f"{scenario} at its start")
    assert pair.tally.differences == []


@pytest.mark.parametrize("row", LARGE, ids=lambda row: f"{row[0]}-{row[1]}")
def test_large_books(row: tuple[str, str, int, int, int], folder: Path) -> None:
    """The shipped books: the beginning of games, verdicts and values on the way."""
    name, scenario, seeds, most, asked = row
    pair = both(name, folder)
    for seed in range(seeds):
        play_both(pair, scenario, seed, most, every=8, asked=asked)
    assert pair.tally.differences == []
    assert pair.tally.choices > 0 and pair.tally.verdicts["legal"] > 0 and pair.tally.verdicts["refused"] > 0


@pytest.mark.parametrize(("name", "every"), [("fragment", 1), ("trc", 40), ("tdv", 160), ("fite+errata", 200)])
def test_examples(name: str, every: int, folder: Path) -> None:
    """Worked examples hold by the oracle, and values agree in the positions that some of them leave."""
    pair = both(name, folder)
    before = len(pair.tally.differences)
    run_examples(pair, every, asked=20)
    assert pair.tally.differences[before:] == []


# ---------------------------------------------------------------- it knows everything, and nobody tells it


def named_in(module: object) -> set[str]:
    """The classes of the core that the cases of a module's matches name."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    found = [x.cls for x in ast.walk(tree) if isinstance(x, ast.MatchClass)]
    return {x.attr for x in found if isinstance(x, ast.Attribute)}


def test_it_knows_every_operator_statement_and_word() -> None:
    exprs, stmts = core_classes()
    assert set(exprs) <= named_in(expressions) | named_in(operators)
    assert set(stmts) <= named_in(flow) | named_in(statements)
    assert builtins.KNOWN == WORDS
    book = compile_book(ORACLE).book
    assert book is not None
    oracle = Oracle(book)
    for word in sorted(WORDS):
        with pytest.raises((*NONSENSE,)) as told:
            builtins.builtin(World(fresh(oracle.program, 0)), book, oracle.ev.board, word, ())
            raise LookupError("it takes nothing")
        assert "does not know" not in str(told.value), word


def test_every_operator_statement_and_word_is_compared() -> None:
    """The small books say them all; what analyses make of the core stands in no book."""
    books = [compile_book(name).book for name in small_books()]
    exprs, stmts = core_classes()
    wanted = {*exprs, *stmts, *(f"word {x}" for x in WORDS)} - MADE_BY_ANALYSES
    assert wanted - used([b for b in books if b is not None]) == set()


def test_it_shares_the_core_and_the_state_only() -> None:
    """No import from rooms that generated code comes from, nor of the runtime's machine, spaces, solver or search."""
    runtime = {"state", "dice", "program", "problems", "text", "notation"}
    for path in (ROOT / "compiler" / "interpret").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 2:
                assert (node.module or "").split(".")[0] == "core", f"{path.name} imports {node.module}"
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rulewright"):
                parts = (node.module or "").split(".")
                told = [parts[2]] if len(parts) > 2 else [x.name for x in node.names]
                assert parts[1] == "runtime" and set(told) <= runtime, f"{path.name} imports {node.module}"


# ---------------------------------------------------------------- the comparison is not blind


def test_a_struck_exception_shows(folder: Path) -> None:
    """An oracle of a book without the exceptions to one definition is caught by its values."""
    pair = both(ORACLE, folder)
    zone = pair.book.definitions["zone"]
    bare = replace(zone, base=replace(zone.base, exceptions=()))
    other = replace(pair.book, definitions={**pair.book.definitions, "zone": bare})
    blind = Twins(pair.name, other, pair.plain, Oracle(other), Tally("struck"))
    for seed in range(3):
        ask_every(blind, new_game(pair.plain, "brawl", seed).state, Chance(seed), 12, "brawl")
    assert any("zone" in text for text in blind.tally.differences)


def test_another_statement_shows(folder: Path) -> None:
    """An oracle of a book in which one action does nothing is caught within one game."""
    pair = both(ORACLE, folder)
    move = pair.book.actions["move"]
    idle = replace(move, procedure=replace(move.procedure, body=()))
    other = replace(pair.book, actions={**pair.book.actions, "move": idle})
    blind = Twins(pair.name, other, pair.plain, Oracle(other), Tally("struck"))
    play_both(blind, "war", 1, 60)
    assert blind.tally.differences


# ---------------------------------------------------------------- matchings


def test_brute_force_gives_up_where_there_are_too_many_plans(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """What is given up is counted, and compared with nothing."""
    monkeypatch.setattr("rulewright.compiler.interpret.matchings.MOST", 1)
    pair = both(str(Path(__file__).with_name("books") / "words.rules"), folder)
    state = new_game(pair.plain, None, 1).state
    with pytest.raises(Unknown):
        Matching(pair.oracle.ev, pair.oracle.at(state).W, "assault", ("red",)).any()
    told = Tally("few steps")
    ask_both(replace(pair, tally=told), state, Chance(3), 60, "the start")
    assert told.unknown > 0 and told.differences == []


@pytest.mark.parametrize("side", ["red", "blue"])
def test_plans_agree_with_the_solver(side: str, folder: Path) -> None:
    """Every plan that the one lists the other accepts, and there are as many."""
    pair = both(ORACLE, folder)
    for seed in range(4):
        state = new_game(pair.plain, "brawl", seed).state
        for name, m in pair.book.matchings.items():
            if [p.type.name for p in m.params] != ["side"]:
                continue
            mine = Matching(pair.oracle.ev, pair.oracle.at(state).W, name, (side,))
            ask = c.Plans(name, (c.Const(side, type=m.params[0].type, span=m.span),), type=m.items.type, span=m.span)
            example = c.Example(title="", case="", lines=(c.ExpectedConflict(ask, span=m.span),), span=m.span)
            fn = load_functions(pair.book, pair.plain, [example])[0][0, 0, ""]
            theirs = fn(state)
            assert theirs == mine.every()
            assert all(mine.accepts(x) for x in theirs)
