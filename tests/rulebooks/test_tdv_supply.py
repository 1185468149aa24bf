"""Supply of The Dark Valley beside a plain search of our own, and what must hold of it in every position."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import RandomPlayer

BOOK = Path(__file__).parents[2] / "rulebooks" / "tdv"
REACH = {"axis": 7, "soviet": 5}


@pytest.fixture(scope="module")
def book() -> Any:
    return load("tdv")


def positions(book: Any, seed: int, every: int = 12) -> Iterator[Any]:
    game = book.new("smolensk", seed)
    players = {side: RandomPlayer(seed * 7 + i) for i, side in enumerate(book.program.sides)}
    made = 0
    while not game.over and made < 600:
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        game.check()
        made += 1
        if made % every == 0:
            yield game


def water(book: Any) -> set[frozenset[int]]:
    places = {name: i for i, name in enumerate(book.program.board.places)}
    text = (BOOK / "house" / "map.rules").read_text()
    pairs = re.findall(r"(\w+)/(\w+)", " ".join(re.findall(r"sides all_water: (.*)", text)))
    return {frozenset((places[a], places[b])) for a, b in pairs}


def reached(book: Any, game: Any, side: str, start: int, goals: set[int], reach: int, tracks: bool) -> bool:
    """Breadth first over (hex, whether it is the start): the words of 13.2 and 13.3 once more."""
    board, wet = book.program.board, water(book)
    lines = [board.layers[layer] for layer in ("rail", "road")]
    seen, queue = {start}, deque([(start, 0)])
    while queue:
        here, far = queue.popleft()
        if here in goals:
            return True
        if far == reach:
            continue
        on_track = tracks and here != start and any(line[here] for line in lines)
        for there in board.neighbors[here]:
            if there in seen or frozenset((here, there)) in wet or game.value("line_cut", side, there):
                continue
            if on_track and not any(there in line[here] for line in lines):
                continue
            seen.add(there)
            queue.append((there, far + 1))
    return False


def ground_units(game: Any) -> list[int]:
    S = game.state
    return [u for u in range(len(S.at)) if game.value("judged", u)]


@pytest.mark.parametrize("seed", [2, 6])
def test_lines_are_those_of_a_plain_search(book: Any, seed: int) -> None:
    looked = 0
    for game in positions(book, seed):
        S = game.state
        for u in ground_units(game)[::3]:
            side = book.program.unit_sides[u]
            main, all_of_them = (set(game.value(n, side)) for n in ("main_sources", "supply_sources"))
            by_sea = {h for h in game.value("open_ports", side) if not game.value("far_port", side, h)}
            if side == "axis" and not game.value("by_baltic", u):
                by_sea -= set(game.value("baltic_ports"))
            fed = reached(book, game, side, S.at[u], main, REACH[side], True)
            fed = fed or reached(book, game, side, S.at[u], by_sea, 5, True)
            assert game.value("own_line", u) == fed
            assert game.value("has_loc", u) == reached(book, game, side, S.at[u], all_of_them, 10_000, False)
            looked += 1
    assert looked > 20


@pytest.mark.parametrize("seed", [3])
def test_who_is_supplied_can_trace_and_fewer_enemies_never_hurt(book: Any, seed: int) -> None:
    for game in positions(book, seed, 40):
        units = ground_units(game)
        fed = {u for u in units if game.value("in_supply", u)}
        traced = {u for u in units if game.value("has_loc", u)}
        assert fed <= traced
        for gone in units[::5]:
            side = book.program.unit_sides[gone]
            others = [u for u in units if book.program.unit_sides[u] != side]
            with_less = without(game, gone)
            assert {u for u in others if u in fed} <= {u for u in others if with_less.value("in_supply", u)}
            assert {u for u in others if u in traced} <= {u for u in others if with_less.value("has_loc", u)}


def without(game: Any, unit: int) -> Any:
    """The same position with one unit off the map."""
    other = type(game)(game.program, game.state.copy())
    other.state.own("at")[unit] = None
    other.state.here = [[u for u in held if u != unit] for held in other.state.here]
    other.state.memo = [{} for _ in other.state.memo]
    return other


def test_every_scenario_starts_as_its_marks_say(book: Any) -> None:
    """Whoever is not marked otherwise can trace his supply on the first day, and whoever is marked cannot."""
    for scenario in book.program.scenarios:
        game = book.new(scenario, 1)
        marked = {u: game.state.unit_supply[u] for u in ground_units(game)}
        assert len(marked) > 10
        traced = {u: game.value("supply_of", u) for u in marked}
        assert traced == marked, scenario


def test_every_row_is_declared() -> None:
    made = analyse("tdv")
    assert made.entries is not None
    declared = {c for e in made.entries if type(e.node).__name__ != "Example" for c in (e.case, *e.covers)}
    with (BOOK / "inventory.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    mine = {
        r["case"] for r in rows if r["executable"] in ("rule", "data") and r["case"][:2] in ("11", "13", "14", "15")
    }
    assert len(mine) == 77
    assert mine <= declared
