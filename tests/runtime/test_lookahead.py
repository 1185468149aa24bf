"""A player for any book from its rules alone: it tries plans by games, and knows no more than its side."""

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.players import find_seat, known_words, seat_players, words_for
from rulewright.runtime.doctrine.told import NOBODY, why_that
from rulewright.runtime.game import Game
from rulewright.runtime.kept.fork import fork
from rulewright.runtime.lookahead.player import LEVELS, LookaheadPlayer
from rulewright.runtime.lookahead.worth import Spread, Worth, worth
from rulewright.runtime.ops import shift
from rulewright.runtime.players import RandomPlayer, play
from rulewright.runtime.playout import playout
from rulewright.runtime.problems import Refusal
from rulewright.runtime.telling.secrecy import shut

BOOKS = Path(__file__).parents[1] / "books"
CAUSEWAY, SECRETS, HANDS = (str(BOOKS / f"{name}.rules") for name in ("causeway", "secrets", "hands"))


def against_random(book: str, side: str, word: str, seed: int) -> Game:
    loaded = load(book)
    words = {s: word if s == side else "random" for s in loaded.program.sides}
    game = loaded.new(seed=seed)
    playout(game, seat_players({s: find_seat(loaded, w, s) for s, w in words.items()}, seed))
    return game


def test_it_beats_the_random_player_from_either_side() -> None:
    """Random against random, blue wins one game in ten or so, and red the others."""
    won = {side: sum(against_random(CAUSEWAY, side, "lookahead:easy", seed).winner == side for seed in range(1, 9))
           for side in ("blue", "red")}  # fmt: skip
    plain = {side: sum(against_random(CAUSEWAY, side, "random", seed).winner == side for seed in range(1, 9))
             for side in ("blue", "red")}  # fmt: skip
    assert sum(plain.values()) == 8
    assert won["blue"] >= plain["blue"] + 4
    assert sum(won.values()) >= 13


def test_the_same_seed_gives_the_same_game_however_it_is_played() -> None:
    loaded = load(CAUSEWAY)
    ends = []
    for run in (play, playout, playout):
        game = loaded.new(seed=5)
        words = {"blue": "lookahead:easy", "red": "random"}
        players = seat_players({s: find_seat(loaded, w, s) for s, w in words.items()}, 5)
        run(game, players)
        ends.append((game.digest(), [(t.choice, t.work) for t in players["blue"].thoughts]))
    assert ends[0] == ends[1] == ends[2]


def test_it_has_a_seat_wherever_players_are_seated() -> None:
    loaded = load(CAUSEWAY)
    assert words_for(loaded, "red")[2:5] == ("lookahead", "lookahead:easy", "lookahead:hard")
    assert "lookahead" in known_words(loaded)
    seats = {
        word: find_seat(loaded, word, "red") for word in ("lookahead", "lookahead:normal", "lookahead:hard", "random")
    }
    assert seats["lookahead"].name == seats["lookahead:normal"].name == "lookahead"
    assert len({seats[word].hash for word in ("lookahead", "lookahead:hard", "random")}) == 3
    assert not seats["lookahead"].aimless and seats["random"].aimless


def test_it_tries_no_more_than_its_level_allows() -> None:
    loaded = load(CAUSEWAY)
    worked = {}
    for level, (most, budget) in LEVELS.items():
        game = loaded.new(seed=3)
        player = LookaheadPlayer(1, level)
        trial = player.tried(game, game.decisions[0])
        longest = max(40, budget // (2 * len(trial.tried))) + 60
        assert 1 < len(trial.tried) <= most
        assert budget / 2 < trial.work <= budget + longest * len(trial.tried)
        worked[level] = trial.work
    assert worked["easy"] < worked["normal"] < worked["hard"]


def test_what_has_one_lawful_answer_is_not_tried() -> None:
    loaded = load(CAUSEWAY)
    game, player = loaded.new(seed=2), LookaheadPlayer(7, "easy")
    play(game, {"blue": player, "red": RandomPlayer(1)}, 60)
    alone = [t for t in player.thoughts if not t.tried and not t.step]
    assert alone and all(t.said == "there is but one lawful answer" and t.work == 0 for t in alone)


def test_the_dice_of_the_game_are_not_looked_at() -> None:
    game = load(CAUSEWAY).new(seed=4)
    play(game, {"blue": RandomPlayer(1), "red": RandomPlayer(2)}, 12)
    trials = []
    for turned in (0, 12345):
        state = fork(game.state)
        state.dice["rng"] ^= turned
        trials.append(LookaheadPlayer(9, "easy").tried(Game(state.program, state, game.journal), game.decisions[0]))
    assert trials[0].tried and trials[0] == trials[1]


@pytest.mark.parametrize("book", [SECRETS, HANDS])
def test_what_the_other_side_hides_changes_nothing_that_is_tried(book) -> None:
    """The same position with other secrets of the other side: the same plans, tried by the same games."""
    loaded = load(book)
    game, compared = loaded.new(seed=2), 0
    players = {side: RandomPlayer(i) for i, side in enumerate(loaded.program.sides)}
    while not game.over and compared < 12:
        decision = game.decisions[0]
        other = hidden_otherwise(game, decision.side)
        if other.state.digest() != game.state.digest():
            trials = [LookaheadPlayer(9, "easy").tried(x, decision) for x in (game, other)]
            assert trials[0].tried == trials[1].tried
            compared += bool(trials[0].tried)
        play(game, players, 1)
    assert compared >= 5


def hidden_otherwise(game: Game, side: str) -> Game:
    """The same game with the other side's secrets turned round: marks of its units, and what lies where it cannot look."""
    S = fork(game.state)
    theirs = [u for u, whose in enumerate(S.unit_side) if whose not in (side, None)]
    for column in S.program.columns:
        if column.secret is not None and column.sort == "unit" and column.type in ("flag", "number"):
            for u in theirs:
                S.give(column, u, not S.held(column, u) if column.type == "flag" else S.held(column, u) + 1)
    slots = [(p, u) for p in range(len(S.here)) if shut(S.program.board, p, side) for u in sorted(S.here[p])]
    for _, unit in slots:
        shift(S, unit, None)
    for (place, _), (_, unit) in zip(slots, slots[1:] + slots[:1], strict=True):
        shift(S, unit, place)
    S.forget()
    return Game(S.program, S, game.journal)


def test_it_says_why() -> None:
    loaded = load(CAUSEWAY)
    game, player = loaded.new(seed=2), LookaheadPlayer(7, "easy")
    players = {"blue": player, "red": RandomPlayer(1)}
    play(game, players, 12)
    told = next(lines for back in range(12) if "tried" in (lines := why_that([player], "red", back, game))[1])
    assert told[0].startswith("lookahead, blue: ")
    assert told[1].startswith("  tried ") and told[1].endswith("both sides at random after the plan")
    assert " stood best: won " in told[2] or told[2].startswith("  this one: won ")
    assert told[3] == "  next best:"
    with pytest.raises(Refusal, match="nobody here has chosen"):
        why_that([players["red"]], "", 0, game)


def test_of_secrets_others_hear_that_it_was_tried_alone() -> None:
    loaded = load(HANDS)
    game, player = loaded.new(seed=2), LookaheadPlayer(7, "easy")
    play(game, {"red": player, "blue": RandomPlayer(1)}, 8)
    lines = [line for back in range(2) for line in why_that([player], NOBODY, back, game)]
    assert "  what it tried is its own secret" in lines
    assert not any("won" in line for line in lines)


def test_wins_count_before_margins_and_margins_before_units() -> None:
    won, lost = Worth(1, 0.0, -3), Worth(-1, 2.0, 3)
    spread = Spread.of([won, lost])
    assert spread.score([won]) > spread.score([lost])
    ahead, behind = Worth(0, 2.0, -3), Worth(0, 0.0, 3)
    spread = Spread.of([ahead, behind])
    assert spread.score([ahead]) > spread.score([behind])
    alike = [Worth(0, 0.0, 1), Worth(0, 0.0, 2)]
    assert Spread.of(alike).score(alike[1:]) > Spread.of(alike).score(alike[:1])


def test_a_position_is_worth_what_the_scenario_counts() -> None:
    game = load("trc").new("battle", seed=1)
    found = worth(game, "axis", "battle")
    assert found.margin == game.value("toll", "axis") - game.value("toll", "russian")
    assert found.units == -worth(game, "russian", "battle").units != 0
