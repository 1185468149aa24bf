"""Whether an order or a sharing-out exists is decided, or said to be undecided; nothing lawful is refused or passed over."""

from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from rulewright.compiler import load
from rulewright.runtime import Choice, Game, RandomPlayer, Refusal
from rulewright.runtime.choices.questions import MOST_TRIED, ask_space
from rulewright.runtime.choices.sums import Shares
from rulewright.runtime.values import splits

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from twin import games
from twin.pair import Twins

BOOK = """book sharing "Orders and shares"

case 1 "Pieces":
  kind side: red, blue
  field load of unit: number
  mark failed of game
  house map field:
    grid: rows A..A, columns 1..2
    hexes: A1..A2
  house roster army:
    form: load side
{rows}

case 2 "Play":
  define heavy(x: shares) -> number: sum(share(x, it) over units(red) where it.load > 3)
  sequence days:
    phase day:
      ask red for {asked} so that:
{condition}
      failing: set failed
  scenario one:
    sequence: days
"""


def begun(tmp_path: Path, loads: list[int], asked: str, *conditions: str) -> Game:
    rows = "\n".join(f"    {load} red: Unit {i} @A1" for i, load in enumerate(loads, 1))
    path = tmp_path / "sharing.rules"
    condition = "\n".join(f"        {x}" for x in conditions)
    path.write_text(BOOK.format(rows=rows, asked=asked, condition=condition))
    return load(str(path)).new("one")


CONDITIONS = [
    "every units(red) as u has share(x, u) <= u.load",
    "sum(share(x, it) * it.load over units(red)) = {n}",
    "sum(share(x, it) * it.load over units(red)) > {n}",
    "count(units(red) where share(x, it) > 0) <= {few}",
    "count(units(red) where share(x, it) > 0) >= {few}",
    'share(x, "Unit 1") != {few}',
    'odd(share(x, "Unit 2")) or share(x, "Unit 2") = 0',
    "heavy(x) < {n}",
    "no units(red) where share(x, it) = {few}",
    "any units(red) where share(x, it) > it.load",
    "sum(up(share(x, it) / 2) over units(red)) in {few} .. {n}",
]


@pytest.mark.parametrize("seed", range(8))
def test_sharing_out_against_every_way(seed: int, tmp_path: Path) -> None:
    """Possible, listed and legal are what trying every way says, for small random books."""
    rng = Random(seed)
    loads, total = [rng.randrange(0, 6) for _ in range(rng.randrange(2, 5))], rng.randrange(1, 6)
    chosen = rng.sample(CONDITIONS, rng.randrange(1, 4))
    texts = [x.format(n=rng.randrange(1, 12), few=rng.randrange(0, 4)) for x in chosen]
    game = begun(tmp_path, loads, f"shares x of {total} among units(red)", *texts)
    info = game.program.asks[0]
    assert info.margins, texts
    local: dict[str, object] = {}
    space = ask_space(game.state, info, local)
    ways = list(splits(total, space.members))
    right = {way for way in ways if info.so_that is not None and info.so_that(game.state, {"x": way})}
    assert space.possible() == bool(right) == (not game.state.game_failed), texts
    assert {args[0][1] for args in space.listing()} == right, texts
    assert {way for way in ways if not space.refusals((("", way),))} == right
    assert space._by_sums() is not None
    if seed < 3:
        pair = Twins.of(str(tmp_path / "sharing.rules"), tmp_path / "sharing")
        games.play_both(pair, "one", seed, 3, every=1)
        assert pair.tally.differences == [] and not pair.tally.unknown


def test_the_ways_to_share_are_all_ways() -> None:
    """Against every way, for small random sums of arbitrary functions of one share."""
    rng = Random(7)
    for _ in range(60):
        members, total, many = tuple(range(rng.randrange(1, 5))), rng.randrange(0, 6), rng.randrange(1, 3)
        adds = [[tuple(rng.randrange(-3, 4) for _ in range(many)) for _ in range(total)] for _ in members]
        begin = tuple(rng.randrange(-4, 5) for _ in range(many))
        signs = [rng.choice((">=", "<=", "=")) for _ in range(many)]
        tests = {">=": lambda n: n >= 0, "<=": lambda n: n <= 0, "=": lambda n: n == 0}

        found = list(Shares(total, members, adds, begin, signs))
        assert len(found) == len(set(found))
        ways = {
            way: [b + sum(adds[m][n - 1][i] for m, n in way) for i, b in enumerate(begin)]
            for way in splits(total, members)
        }
        assert set(found) == {
            w for w, sums in ways.items() if all(tests[s](n) for s, n in zip(signs, sums, strict=True))
        }


def test_a_sharing_out_among_many_is_found_and_its_absence_proved(tmp_path: Path) -> None:
    """Fifteen shares among twenty-five units: the first ways that are tried give all of it to one or two."""
    loads = [1] * 18 + [0] * 7
    asked = "shares x of 15 among units(red)"
    capped = "every units(red) as u has share(x, u) <= u.load"
    game = begun(tmp_path, loads, asked, capped)
    assert not game.state.game_failed and next(iter(game.legal("red")), None) is not None
    for seed in range(2):
        assert not game.refusals(RandomPlayer(seed)(game, game.decisions[0]))
    game = begun(tmp_path, [1] * 14 + [0] * 11, asked, capped)
    assert game.state.game_failed and game.over


def test_the_last_of_many_members_is_tried_too(tmp_path: Path) -> None:
    """More members than are listed: only the last may have it."""
    loads = [0] * 402 + [1]
    game = begun(
        tmp_path, loads, "shares x of 1 among units(red)", "highest(share(x, it) * it.load over units(red)) = 1"
    )
    assert not game.state.game_failed
    assert [game.show(c) for c in game.legal("red")] == ['red: x({"Unit 403": 1})']


def test_orders_that_are_alike_are_decided_by_one(tmp_path: Path) -> None:
    loads = [1] * 12
    game = begun(
        tmp_path, loads, "order x from units(red)", "sum(it.load over x where it.load > 0) = 12", "count(x) > 3"
    )
    assert game.program.asks[0].alike and not game.state.game_failed
    assert next(iter(game.legal("red")), None) is not None
    game = begun(tmp_path, loads, "order x from units(red)", "any x where it.load > 1")
    assert game.program.asks[0].alike and game.state.game_failed and game.over


def test_what_stays_open_is_put_and_said(tmp_path: Path) -> None:
    """A condition that is no sum: the question is put, whoever knows an answer hands it in, and nobody says there is none."""
    loads = [1] * 9
    names = ", ".join(f'"Unit {i}"' for i in range(9, 0, -1))
    asked = begun(tmp_path, loads, "order x from units(red)", f"x = [{names}]")
    assert not asked.program.asks[0].alike and not asked.state.game_failed
    assert list(asked.legal("red")) == []
    with pytest.raises(
        Refusal, match=rf"finds nothing legal to do at x \(case 2\): .* in {MOST_TRIED:,} steps"
    ) as refused:
        RandomPlayer(1)(asked, asked.decisions[0])
    assert "it is not shown that there is none" in str(refused.value) and refused.value.cases == ("2",)
    asked.do(f"red: x([{names}])")
    assert asked.over and not asked.state.game_failed


@pytest.mark.parametrize("many", [3, 5, 6])
def test_orders_against_every_order(many: int, tmp_path: Path) -> None:
    names = ", ".join(f'"Unit {i}"' for i in [2, 1, *range(3, many + 1)])
    game = begun(tmp_path, [1] * many, "order x from units(red)", f"x != [{names}]", "count(x) > 1")
    decision = game.decisions[0]
    legal = {c.args[0][1] for c in game.legal("red")}
    orders = [p for p in permutations(range(many)) if not game.refusals(Choice(decision.id, "red", "x", (("", p),)))]
    assert len(orders) == len(list(permutations(range(many)))) - 1 and legal <= set(orders)
    assert legal == set(orders) or len(legal) >= 399
