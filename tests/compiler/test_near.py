"""Memories are looked at only where a change can touch them, and nobody can tell."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.analyse.invalidation import narrowed
from rulewright.compiler.pipeline import Compiled, compile_book
from rulewright.runtime import RandomPlayer, resume
from rulewright.runtime.begin import new_game
from rulewright.runtime.game import Game
from rulewright.runtime.ops import refresh
from rulewright.runtime.program import Program

BOOK = str(Path(__file__).with_name("books") / "memories.rules")
NEAR = {
    "last_in": {"at": "place", "unit_side": "where"},
    "rested_in": {"at": "place", "unit_tired": "where"},
    "was_burnt": {"past_last_in": "place", "place_burnt": "place"},
    "out": {"at": "unit"},
    "worn": {"past_last_in": "any", "unit_tired": "unit"},
    "held": {"at": "set", "past_last_in": "place", "place_burnt": "place", "unit_side": "set", "unit_tired": "set"},
    "crowded": {"at": "place", "unit_side": "set"},
    "ringed": {"at": "set", "past_last_in": "place", "unit_side": "set"},
}


@cache
def made() -> Compiled:
    return compile_book(BOOK)


def test_how_a_change_touches_keys():
    """What reads a neighbour, counts its own changes or asks for itself is not narrowed."""
    assert {name: dict(found.by) for name, found in narrowed(made().depends)} == NEAR


def test_only_touched_keys_are_looked_at():
    game = load(BOOK).new("war", seed=1)
    memory = next(m for m in game.program.memories if m.name == "held")
    place = {name: i for i, name in enumerate(game.program.board.places)}
    assert memory.keys(game.state, {place["A2"], place["A3"], None}) == [(place["A2"],)]
    assert [len(s) > 6 for s in memory.sets(game.state)] == [True, True]


def looking_everywhere(program: Program) -> Program:
    """The same program, but every memory looks at all its keys whenever one of them may have changed."""
    memories = tuple(replace(m, sets=None, keys=lambda S, among=None, m=m: m.keys(S)) for m in program.memories)
    watches = {column: dict.fromkeys(who, "any") for column, who in program.watches.items()}
    return replace(program, memories=memories, watches=watches)


def both(seed: int) -> tuple[Game, Game]:
    program = load(BOOK).program
    return new_game(program, "war", seed), new_game(looking_everywhere(program), "war", seed)


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_same_as_looking_at_every_key(seed):
    """States, triggers and their order are the same."""
    same(*both(seed), seed)


def same(fast: Game, slow: Game, seed: int) -> None:
    """Play the same random game on both, state by state."""
    players = {side: RandomPlayer(seed * 7 + i) for i, side in enumerate(fast.program.sides)}
    while not fast.over:
        decision = fast.decisions[0]
        choice = players[decision.side](fast, decision)
        fast.do(choice)
        slow.do(choice)
        assert fast.digest() == slow.digest(), fast.show(choice)


# ---------------------------------------------------------------- memories made up at random


class Maker:
    """Memories of places and units that ask whatever can be asked."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def of(self, *forms: str) -> str:
        return self.chance.choice(forms).replace("SIDE", self.chance.choice(("red", "blue")))

    def of_unit(self, u: str) -> str:
        """A condition on a unit."""
        return self.of(
            f"{u}.side = SIDE",
            f"{u}.tired",
            f"{u}.strength > 1",
            f"on_map({u})",
            f"out({u})",
            f"worn({u})",
            f"{u} in units(SIDE)",
            f"(on_map({u}) and {u}.hex in zones(SIDE))",
            f"(on_map({u}) and {u}.hex.burnt)",
            f"(on_map({u}) and any units_at({u}.hex) as other where other.tired)",
        )

    def of_place(self, h: str, depth: int = 2) -> str:
        """A condition on a place."""
        if depth and self.chance.random() < 0.5:
            one, other = (self.of_place(h, depth - 1) for _ in range(2))
            return self.of(f"({one} and {other})", f"({one} or {other})", f"not {one}")
        x = f"x{depth}"
        return self.of(
            f"(any units_at({h}) as {x} where {self.of_unit(x)})",
            f"(any (units_at({h}) where it.tired) as {x} where {self.of_unit(x)})",
            f"(any strong_at({h}) as {x} where {self.of_unit(x)})",
            f"count(units_at({h})) > 1",
            f"(any units(SIDE) as {x} where {x}.hex = {h})",
            f"{h}.burnt",
            f"{h}.mined",
            f"{h} in zones(SIDE)",
            f"covers(SIDE, {h})",
            f"{h} in occupied(SIDE)",
            f"{h} in (hexes where it.town and covers(SIDE, it))",
            f"{h} in ring",
            f"last_in({h}) = SIDE",
            f"held({h}) = SIDE",
            "sky = rain",
            f"(any neighbors({h}) as {x} where {x}.burnt or any units_at({x}) where it.side = SIDE)",
        )

    def memory(self, name: str) -> str:
        key, kind = self.chance.choice((("h", "hex"), ("h", "hex"), ("u", "unit")))
        test = self.of_place if kind == "hex" else self.of_unit
        domain = ""
        if self.chance.random() < 0.5:
            sets = ("watched", "ring", f"hexes where {self.of_place('it')}", "occupied(SIDE)")
            domain = " from " + (self.of(*sets) if kind == "hex" else self.of("units(SIDE)", "counters(SIDE)"))
        head = f"  remember {name}({key}: {kind}{domain}) -> flag "
        match self.chance.randrange(3):
            case 0:
                return f"{head}ever: {test(key)}\n"
            case 1:
                return f"{head}always: {test(key)}\n"
        turns = "true when not keep and {}\n    false when keep and {}"
        kept = self.of("keep when {}", "true when keep and {}", "false when keep and {}", "true when {}", turns)
        kept = kept.replace("{}", test(key))
        return f"{head}always:\n    true when {test(key)}\n    {kept}\n    keep when {test(key)}\n    false otherwise\n"

    def case(self) -> str:
        made = (self.memory(f"made_{i}") for i in range(12))
        hear = "  on change of made_{0}(x):\n    if told > 100000: set told = 0\n    set told = told * 3 + {0}\n"
        heard = "".join(hear.format(i) for i in range(12))
        return '\ncase 8 "Made up":\n' + "".join(made) + heard


@pytest.mark.parametrize("seed", range(6, 9))
def test_whatever_a_memory_asks(seed, tmp_path):
    book = tmp_path / "made.rules"
    book.write_text(Path(BOOK).read_text(encoding="utf-8") + Maker(seed).case(), encoding="utf-8")
    compiled = compile_book(str(book))
    assert compiled.emitted is not None, [d.message for d in compiled.report.found]
    program = load(str(book)).program
    same(new_game(program, "war", seed), new_game(looking_everywhere(program), "war", seed), seed)


def unsettled(game: Game) -> list[tuple[str, Any]]:
    """What would change if every key were looked at now."""
    state = game.state.copy()
    before = {m.name: dict(getattr(state, "past_" + m.name)) for m in game.program.memories}
    for memory in game.program.memories:
        if memory.sets is not None:
            refresh(state, memory)
    after = {m.name: getattr(state, "past_" + m.name) for m in game.program.memories}
    return [(name, key) for name in after for key in after[name] if after[name][key] != before[name].get(key)]


@pytest.mark.parametrize("name, scenario", [("trc", "battle"), ("tdv", "smolensk"), ("fite", "niemen")])
def test_books_have_nothing_left_to_look_at(name, scenario):
    book = load(name)
    assert any(m.sets is not None for m in book.program.memories)
    game = book.new(scenario, seed=3)
    players = {side: RandomPlayer(30 + i) for i, side in enumerate(book.program.sides)}
    for _ in range(40):
        if game.over:
            break
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        if not game.state.together:
            assert unsettled(game) == []


def test_a_change_inside_together_settles_after_a_save(tmp_path):
    """A question within `together` is answered in another process: what changed before it settles all the same."""
    game = load(BOOK).new("war", seed=2)
    game.do("red: shuffle()")
    game.do('red: first_one("Red 1")')
    game.save(tmp_path / "game.save")
    again = resume(tmp_path / "game.save", lambda name: game.program)
    for one in (game, again):
        one.do('red: second_one("Red 2")')
    assert again.digest() == game.digest()
