"""`why` cites what made a value, neither more nor less.

The traced twin is asked which cases made a value, and the oracle, which works it out on its own, must say the same. Then
every contribution is struck, one case after another: what was cited changes the value or its ground, what was not
changes neither. On random small books, and on definitions of the shipped books in positions of seeded games.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rulewright.compiler import NotCompiled
from rulewright.compiler.core import nodes as c
from rulewright.compiler.interpret.asks import Unknown
from rulewright.compiler.interpret.definitions import answer_of
from rulewright.compiler.interpret.grounds import grounds_of
from rulewright.compiler.interpret.world import World
from rulewright.runtime.begin import new_game
from rulewright.runtime.players import RandomPlayer, play
from rulewright.runtime.problems import NONSENSE, Conflict, Fault
from rulewright.runtime.state import State
from rulewright.runtime.telling.explain import explain
from rulewright.runtime.telling.trace import ALSO, cases_behind, nodes
from rulewright.runtime.values import AND

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from twin.pair import Twins  # noqa: E402
from twin.samples import Chance, NoValue, any_value  # noqa: E402

HEAD = """
book grounds "What made it"
case 1 "Everything":
  kind side: red
  field a of unit: number
  map web:
    points: P0, P1
    lines road: P0 P1
  roster all:
    form: a side
    0 red: Zero @P0
    1 red: One @P0
    2 red: Two @P0
    3 red: Three @P0
  sequence of_play:
    phase turn for nr in {1..2}:
      log "on"
  scenario first:
    sequence: of_play
"""
FLAGS = ["true", "false", "u.a > 1", "u.a < 2", "u.a = 0"]
SETS = ["{}", "{1}", "{1, 2}", "{u.a}", "{1..3} where it < u.a"]
NUMBERS = ["plus 1", "plus 0", "times 2", "plus u.a", "times 1/2"]
GUARDS = ["", " when u.a > 0", " when u.a > 1", " when u.a = 3", " when u.a < 2"]
TYPES = {"flag": FLAGS, "set of number": SETS, "number": NUMBERS}


@st.composite
def book_text(draw: st.DrawFn) -> str:
    """A book of a few gathered definitions, each with contributions of several cases, some of them excepted."""
    text, number = HEAD, 1
    for i in range(draw(st.integers(2, 5))):
        number += 1
        kind = draw(st.sampled_from(sorted(TYPES)))
        base = draw(st.sampled_from(TYPES[kind] if kind != "number" else ["0", "2", "u.a"]))
        text += f'case {number} "Base":\n  gather thing_{i}(u: unit) -> {kind}:\n    {base}\n'
        if kind == "number":
            text += f"    stages: first{draw(st.sampled_from(['', ' once', ' round up']))}\n"
        for _ in range(draw(st.integers(0, 4))):
            number += 1
            value, guard = draw(st.sampled_from(TYPES[kind])), draw(st.sampled_from(GUARDS))
            where = " in first" if kind == "number" else ""
            text += f'case {number} "More":\n  add to thing_{i}{where}: {value}{guard}\n'
    return text


AGREEING = {"flag": FLAGS[:3], "set of number": SETS[:3], "number": ["1", "2", "u.a"]}


@st.composite
def excepted_text(draw: st.DrawFn) -> str:
    """A book of definitions with exceptions of one rank that often agree, and exceptions to those."""
    text, number = HEAD, 1
    for i in range(draw(st.integers(2, 4))):
        number += 1
        kind = draw(st.sampled_from(sorted(AGREEING)))
        word = draw(st.sampled_from(["define", "gather"]))
        layers, about = [number], AGREEING[kind]
        text += f'case {number} "Base":\n  {word} thing_{i}(u: unit) -> {kind}:\n    {about[0]}\n'
        if word == "gather":
            text += "    stages: first\n" if kind == "number" else ""
            number += 1
            layers.append(number)
            more = f"add to thing_{i} in first: plus" if kind == "number" else f"add to thing_{i}:"
            text += f'case {number} "More":\n  {more} {draw(st.sampled_from(about))}\n'
        for _ in range(draw(st.integers(2, 5))):
            number += 1
            value, guard = draw(st.sampled_from(about)), draw(st.sampled_from(GUARDS[1:]))
            text += f'case {number} "Not so":\n  except {draw(st.sampled_from(layers))} thing_{i}: {value}{guard}\n'
            layers.append(number)
    return text


def twins(text: str, folder: Path) -> Twins:
    book = folder / "grounds.rules"
    book.write_text(text, encoding="utf-8")
    return Twins.of(str(book), folder / "made")


def cited(pair: Twins, S: State, d: c.Definition, args: tuple[Any, ...]) -> frozenset[str]:
    """The cases that the traced twin cites for a value."""
    assert pair.plain.traced is not None
    traced = pair.plain.traced()
    other = State.from_plain(traced, S.plain())
    other.trace = []
    traced.values[d.name][0](other, *args)
    node = nodes(other.trace)[-1]
    if d.gathered and not d.type.many and d.type.name in ("number", "ratio"):
        parts = [*node.parts, *(part for x in nodes(node.below) if not x.name for part in x.parts)]
        if any(part[1] != ALSO for part in parts):
            return frozenset({d.case, *(case for part in parts for case in part[0].split(AND))})
    return frozenset(cases_behind(node))


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=excepted_text())
def test_exceptions_that_agree_are_all_cited(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """By the twin as by the oracle; where they disagree, both stop."""
    try:
        pair = twins(text, tmp_path_factory.mktemp("agreeing"))
    except NotCompiled:
        assume(False)  # a conflict that the text alone proves
    S = new_game(pair.plain, "first", 1).state
    W = pair.oracle.at(S).W
    for d in pair.book.definitions.values():
        for u in range(4):
            try:
                mine = grounds_of(pair.oracle.ev, W, d, (u,))
                pair.oracle.ev.define(W, d.name, (u,))
            except Conflict as conflict:
                with pytest.raises(Conflict) as found:
                    cited(pair, S, d, (u,))
                assert found.value.about == conflict.about == d.name
                continue
            told = cited(pair, S, d, (u,))
            assert told == mine, f"{d.name}({u}) cites {sorted(told)}, and is made by {sorted(mine)}"


def check(pair: Twins, S: State, W: World, d: c.Definition, args: tuple[Any, ...]) -> int:
    """Compare, then strike what each other case adds; returns how many cases were struck."""
    ev = pair.oracle.ev
    value, mine, told = ev.define(W, d.name, args), grounds_of(ev, W, d, args), cited(pair, S, d, args)
    assert told == mine, f"{d.name}{args} cites {sorted(told)}, and is made by {sorted(mine)}"
    struck = 0
    for case in dict.fromkeys(x.layer.case for x in d.contributions):
        gone = [x for x in d.contributions if x.layer.case == case]
        inner = {y.case for x in gone for y in x.layer.walk()}
        rest = [x for x in d.contributions if x not in gone]
        others = {d.case, *(y.case for y in d.base.walk()), *(y.case for x in rest for y in x.layer.walk())}
        if inner & others:
            continue  # two things under one case cannot be told apart by citing it
        without = replace(d, contributions=tuple(rest))
        now, then = (value, mine), (answer_of(ev, W, without, args), grounds_of(ev, W, without, args))
        assert (now != then) == bool(inner & told), f"{d.name}{args}: {case} is struck, {now} becomes {then}"
        struck += 1
    return struck


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=book_text())
def test_what_is_cited_made_the_value_in_random_books(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    pair = twins(text, tmp_path_factory.mktemp("grounds"))
    S = new_game(pair.plain, "first", 1).state
    W = pair.oracle.at(S).W
    for d in pair.book.definitions.values():
        for u in range(4):
            check(pair, S, W, d, (u,))


@pytest.mark.parametrize(
    ("name", "scenario", "choices", "times", "least"),
    [
        ("fragment", "first_year", 40, 4, 10),
        ("trc", "barbarossa", 30, 4, 100),
        ("tdv", "smolensk", 3, 1, 10),
        ("fite", "niemen", 2, 2, 30),
    ],
)
def test_what_is_cited_made_the_value_in_shipped_books(
    name: str, scenario: str, choices: int, times: int, least: int, tmp_path: Path
) -> None:
    pair = Twins.of(name, tmp_path / "made")
    game, chance, struck = new_game(pair.plain, scenario, 7), Chance(7), 0
    players = {side: RandomPlayer(i) for i, side in enumerate(pair.plain.sides)}
    gathered = [d for d in pair.book.definitions.values() if d.contributions and d.name in pair.plain.values]
    for _ in range(3):
        play(game, players, choices)
        W = pair.oracle.at(game.state).W
        for d in gathered:
            for _ in range(times):
                with suppress(NoValue, Unknown, Fault, *NONSENSE):
                    args = tuple(any_value(pair, game.state, x, chance) for x in pair.plain.values[d.name][1])
                    struck += check(pair, game.state, W, d, args)
    assert struck >= least


def test_the_case_that_is_cited_speaks_where_nothing_is_gathered(tmp_path: Path) -> None:
    pair = Twins.of("trc", tmp_path / "made")
    game, chance, asked = new_game(pair.plain, "battle", 3), Chance(3), 0
    play(game, {side: RandomPlayer(i) for i, side in enumerate(pair.plain.sides)}, 12)
    W = pair.oracle.at(game.state).W
    for d in pair.book.definitions.values():
        if d.gathered or d.sort != "define" or d.name not in pair.plain.values:
            continue
        for _ in range(3):
            with suppress(NoValue, Unknown, Fault, *NONSENSE):
                args = tuple(any_value(pair, game.state, x, chance) for x in pair.plain.values[d.name][1])
                told = cited(pair, game.state, d, args)
                assert told == grounds_of(pair.oracle.ev, W, d, args), f"{d.name}{args}"
                asked += 1
    assert asked > 200


FINDING = (
    HEAD
    + """
case 2 "The year 1942":
  gather won(u: unit) -> flag: u.a = 1
case 4 "The year 1944":
  add to won: u.a = 2 when u.a > 0
case 5 "Another way":
  add to won: true when u.a > 1
case 6 "Places":
  gather ports(u: unit) -> set of number: {}
case 7 "Ports":
  add to ports: {1} when u.a > 0
case 8 "None":
  add to ports: {} when u.a > 0
case 9 "Reckoned":
  gather modifier(u: unit) -> number:
    0
    stages: best once
case 10 "Large":
  add to modifier in best: plus 3
case 11 "Small":
  add to modifier in best: plus 1
case 12 "Rank":
  define rank(u: unit) -> number: 0
case 13 "High":
  except 12 rank: 5 when u.a > 1
case 14 "Higher":
  except 12 rank: 2 + u.a when u.a > 2
"""
)


@pytest.mark.parametrize(
    ("name", "unit", "shown"),
    [
        ("won", 0, 'won("Zero") = false  [2 The year 1942]'),
        ("won", 1, 'won("One") = true  [2 The year 1942]'),
        ("won", 2, 'won("Two") = true  [4 The year 1944; 5 Another way]'),
        ("won", 3, 'won("Three") = true  [5 Another way]'),
        ("ports", 0, 'ports("Zero") = {}  [6 Places]'),
        ("ports", 1, 'ports("One") = {1}  [7 Ports]'),
        ("modifier", 1, 'modifier("One") = 3  [10 Large]'),
        ("rank", 2, 'rank("Two") = 5  [13 High]'),
        ("rank", 3, 'rank("Three") = 5  [13 High; 14 Higher]'),
    ],
)
def test_why_names_the_cases_that_made_it(name: str, unit: int, shown: str, tmp_path: Path) -> None:
    pair = twins(FINDING, tmp_path)
    game = new_game(pair.plain, "first", 1)
    assert explain(game, name, unit).lines()[0] == shown


def test_the_books_own_case_is_cited_before_the_librarys(tmp_path: Path) -> None:
    pair = Twins.of("trc", tmp_path / "made")
    game = new_game(pair.plain, "battle", 1)
    placed = [i for i, x in enumerate(game.state.at) if x is not None and x < pair.plain.board.hexes]
    unit = next(i for i in placed if "Infantry" in pair.plain.units[i])
    assert "[6.3" in explain(game, "takes_room", unit).lines()[0]
    assert "; stacking 1 Stacking" in explain(game, "takes_room", unit).lines()[0]
    assert "[6.1" in explain(game, "has_room", unit, game.state.at[unit]).lines()[0]
    assert "[7.1" in explain(game, "enemy_zone", "axis", game.state.at[unit]).lines()[0]
