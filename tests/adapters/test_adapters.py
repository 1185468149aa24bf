"""The adapters pass the API tests of their libraries; what they show is legal, repeatable, and no more than the view."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import numpy
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from rulewright.adapters.gymnasium_env import WargameEnv, observation
from rulewright.adapters.match import Match, Rules
from rulewright.adapters.pettingzoo_env import env, raw_env
from rulewright.runtime.players import RandomPlayer
from rulewright.runtime.problems import Refusal

ROOT = Path(__file__).parents[2]
BOOKS = ROOT / "tests" / "books"
TUTORIAL = re.compile(r"<!-- rules: continues causeway -->\n```rules\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def causeway(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The tutorial game."""
    path = tmp_path_factory.mktemp("tutorial") / "causeway.rules"
    text = "\n".join(TUTORIAL.findall((ROOT / "docs" / "language.md").read_text(encoding="utf-8")))
    path.write_text(text.partition("variant flood")[0], encoding="utf-8")
    return str(path)


@pytest.fixture(params=["causeway", "trc"])
def game(request: pytest.FixtureRequest, causeway: str) -> tuple[str, str | None]:
    return (causeway, None) if request.param == "causeway" else ("trc", "battle")


def quietly(test: Any, *args: Any, **named: Any) -> None:
    """A test of a library, without its remarks on style."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        test(*args, **named)


def test_gymnasiums_own_test(game: tuple[str, str | None]) -> None:
    quietly(check_env, WargameEnv(*game), skip_render_check=True)


def test_pettingzoos_own_tests(game: tuple[str, str | None]) -> None:
    quietly(api_test, env(*game, candidates=16), num_cycles=30)
    quietly(seed_test, lambda: env(*game, candidates=8), num_cycles=5)


def test_openspiels_own_test(game: tuple[str, str | None]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import rulewright.adapters.openspiel_game  # noqa: F401 - registers the game

    book, scenario = game
    params = {"book": book, "scenario": scenario or "", "seeds": 20, "candidates": 8}
    if scenario is not None:
        params["longest"] = 25
    made = pyspiel.load_game("rulewright", params)
    pyspiel.random_sim_test(made, num_sims=1, serialize=False, verbose=False)
    state = made.new_initial_state()
    state.apply_action(3)
    for _ in range(6):
        state.apply_action(state.legal_actions()[-1])
    copied = state.clone()
    assert str(copied) == str(state) and copied.history() == state.history()
    copied.apply_action(copied.legal_actions()[0])
    assert str(copied) != str(state), "a copy is played on by itself"


def test_all_candidates_are_legal_different_and_the_same_again(causeway: str) -> None:
    rules = Rules(causeway, candidates=12)
    match = rules.begin(4)
    twin = rules.begin(4)
    rng = numpy.random.default_rng(1)
    while not match.over:
        told = [match.game.show(x) for x in match.offered]
        assert 0 < len(told) <= 12 and len(set(told)) == len(told)
        assert all(not match.game.refusals(x) for x in match.offered)
        assert told == [twin.game.show(x) for x in match.copy().offered] == [twin.game.show(x) for x in twin.offered]
        taken = int(rng.integers(len(told)))
        match.take(taken)
        twin.take(taken)
    assert match.game.digest() == twin.game.digest() and sum(match.returns().values()) == 0


def test_an_observation_is_made_from_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two positions that differ in what only the other side may see look the same."""
    rules = Rules(str(BOOKS / "hands.rules"))
    shown = differs = 0
    for seed in range(3):
        match = rules.begin(seed)
        players = {side: RandomPlayer(seed) for side in rules.sides}
        for _ in range(30):
            if match.over:
                break
            match.make(players[match.side](match.game, match.decision))
            for side in rules.sides:
                other = hidden_changed(match, side)
                if other is not None:
                    shown += 1
                    differs += other.game.digest() != match.game.digest()
                    mine, theirs = (observation(x, side)["position"] for x in (match, other))
                    assert (mine == theirs).all()
    assert shown and differs == shown


def hidden_changed(match: Match, side: str) -> Match | None:
    """The same with two units swapped that lie where this side cannot see."""
    board, S = match.rules.program.board, match.game.state
    shut = [
        u for u, at in enumerate(S.at) if at in board.cups or (at in board.seen_by and side not in board.seen_by[at])
    ]
    pairs = [(u, v) for u in shut for v in shut if S.at[u] != S.at[v] and S.unit_side[u] == S.unit_side[v]]
    if not pairs:
        return None
    other = match.copy()
    T, (u, v) = other.game.state, pairs[0]
    T.own("at")[u], T.at[v] = S.at[v], S.at[u]
    T.settle_places()
    T.forget()
    return other


def test_rewards_and_refusals(causeway: str) -> None:
    table = raw_env(causeway)
    with pytest.raises(Refusal, match="call reset first"):
        table.observe("blue")
    table.reset(seed=3)
    with pytest.raises(Refusal, match="is no candidate"):
        table.step(31_000)
    rng = numpy.random.default_rng(2)
    while not any(table.terminations.values()):
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(int(rng.integers(mask.sum())))
    assert sorted(table.rewards.values()) == [-1.0, 1.0]
    assert table.rewards[table.begun().game.winner] == 1.0
    assert not table.observe("red")["action_mask"].any()
    cut = WargameEnv(causeway, side="red", others="busy", most=10)
    cut.reset(seed=1)
    ended = [cut.step(0)[2:4] for _ in range(12)]
    assert (False, True) in ended, "cut off, and not at its end"


def test_the_learner_of_the_page_beats_random(causeway: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", page, re.S)
    [told] = re.findall(r"```text\n(.*?)```", page, re.S)
    monkeypatch.chdir(Path(causeway).parent)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "learning.md", "exec"), {})
    said = out.getvalue()
    assert said == told
    random, trained = map(int, re.findall(r"(?:random|trained) (\d+)", said))
    assert trained - random >= 15


def test_a_doctrine_of_one_side_plays_the_other() -> None:
    """It need not play the side that learns; the same seed is the same game."""
    made = WargameEnv("trc", "battle", side="axis", others="zhukov", candidates=4)
    seen = []
    for _ in range(2):
        made.reset(seed=1)
        while made.begun().made < 12:
            made.step(1)
        seen.append(made.begun().game.digest())
    assert seen[0] == seen[1] and made.players["russian"].doctrine.name == "zhukov"
    with pytest.raises(Refusal, match="no side"):
        WargameEnv("trc", "battle", side="green")
