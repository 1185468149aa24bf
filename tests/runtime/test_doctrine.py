"""A doctrine plays: cases in order, what is avoided, the best of the ways, questions with their frame, ties by seed."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.players import Unknown, contestant, find_seat, seat_players
from rulewright.runtime import Game, RandomPlayer
from rulewright.runtime.choices import ranked
from rulewright.runtime.doctrine.ahead import expected
from rulewright.runtime.doctrine.player import DoctrinePlayer
from rulewright.runtime.doctrine.told import NOBODY, why_that
from rulewright.runtime.kept.fork import fork
from rulewright.runtime.ops import put, shift
from rulewright.runtime.players import play
from rulewright.runtime.problems import Refusal
from rulewright.runtime.state import State

BOOKS = Path(__file__).parent.parent / "books"
BOOK = str(BOOKS / "skirmish.rules")


def seated(word: str, seed: int = 1) -> dict[str, DoctrinePlayer]:
    book = load(BOOK)
    return seat_players({side: find_seat(book, word, side) for side in book.program.sides}, seed)  # type: ignore[return-value]


def test_the_first_case_with_a_way_chooses_and_says_so() -> None:
    game, players = load(BOOK).new(seed=1), seated("bold")
    red = players["red"]
    choice = red(game, game.decisions[0])
    assert red.last is not None and red.last.chosen is not None
    assert (choice.name, red.last.chosen.case) == ("move", "D.3")
    assert choice.args[1][1][-1] != choice.args[1][1][0], "it comes nearer"


def test_avoided_ways_are_never_taken() -> None:
    woods = {load(BOOK).program.place_index[name] for name in ("B2", "B3")}
    game, players, ends = load(BOOK).new(seed=3), seated("bold", 3), []

    def watch(game, choice) -> None:
        if choice.name == "move":
            ends.append(choice.args[1][1][-1])

    play(game, players, 400, watch)
    assert ends and not woods & {*ends}


def test_a_game_is_the_same_for_the_same_seed() -> None:
    first, again = (load(BOOK).new(seed=7) for _ in range(2))
    for game in (first, again):
        play(game, seated("bold", 7), 300)
    assert first.state.digest() == again.state.digest()


def wins(word: str, side: str, seeds: range) -> int:
    """How often a side wins against the random player."""
    book, won = load(BOOK), 0
    for seed in seeds:
        game = book.new(seed=seed)
        players = {s: find_seat(book, word if s == side else "random", s).make(seed) for s in book.program.sides}
        play(game, players, 2000)
        won += game.winner == side
    return won


def test_it_beats_the_random_player_on_both_sides() -> None:
    for side in load(BOOK).program.sides:
        assert wins("bold", side, range(24)) >= wins("random", side, range(24)) + 3


def test_questions_are_answered_with_the_names_of_their_frame() -> None:
    found: list[str] = []
    for seed in range(30):
        game, players = load(BOOK).new(seed=seed), {**seated("bold", seed), "blue": RandomPlayer(seed)}

        def watch(game, choice, players=players) -> None:
            if choice.name == "lost" and choice.side == "red":
                found.append(players[choice.side].last.chosen.case)

        play(game, players, 500, watch)
    assert found and {*found} == {"D.4"}


def test_an_overlay_on_a_doctrine_changes_what_it_does() -> None:
    game = load(BOOK).new(seed=1)
    bold, wary = seated("bold")["red"], seated("bold+wary")["red"]
    assert bold(game, game.decisions[0]) != wary(game, game.decisions[0])
    assert bold.program.rules_hash != wary.program.rules_hash
    assert game.program.rules_hash == load(BOOK).program.rules_hash, "the rules stay as they are"


def test_words_for_doctrines() -> None:
    book = load(BOOK)
    seat = find_seat(book, "bold:easy", "red")
    assert seat.name == "bold:easy" and not seat.aimless
    assert seat.hash != find_seat(book, "bold", "red").hash
    assert contestant(book, "doctrine").seats["blue"].name == "bold"
    assert find_seat(book, str(BOOKS / "doctrines" / "bold.rules"), "red").make(1)
    with pytest.raises(Unknown, match="known: random, busy, lookahead, bold"):
        find_seat(book, "bald", "red")
    with pytest.raises(Refusal, match='"cruel" is no level'):
        find_seat(book, "bold:cruel", "red")
    with pytest.raises(Refusal, match="has no judge, so it cannot look ahead"):
        find_seat(load(str(BOOKS / "secrets.rules")), "sly:hard", "red")


def test_why_that_tells_the_case_the_worth_the_runners_up_and_the_cases_before() -> None:
    game, players = load(BOOK).new(seed=1), seated("bold")
    with pytest.raises(Refusal, match="nobody here has chosen by a doctrine"):
        why_that(list(players.values()))
    play(game, players, 1)
    told = why_that(list(players.values()))
    assert told[0].startswith("bold, red: move(")
    assert told[1] == '  by D.3 "Close up"'
    assert any(line.startswith("  worth place_value(u, last(p)) = ") for line in told)
    assert any("far(" in line and "[D.1 What counts, bold]" in line for line in told)
    assert "  next best:" in told
    play(game, players, 6)
    back = [why_that(list(players.values()), back=i) for i in range(7)]
    assert back[6] == told, "an earlier choice is told from the position as it was"
    done = [line for lines in back if lines[0].endswith("done") for line in lines]
    assert any(line == '  before that, D.3 "Close up": no move will do' for line in done)


def test_of_secrets_others_hear_the_case_alone() -> None:
    book = load(str(BOOKS / "secrets.rules"))
    path = BOOKS / "doctrines" / "sly.rules"
    seats = {side: find_seat(book, str(path), side) for side in book.program.sides}
    players, game = seat_players(seats, 1), book.new(seed=1)
    play(game, players, 1)
    mine = next(side for side, p in players.items() if p.last is not None)  # type: ignore[attr-defined]
    other = next(side for side in players if side != mine)
    own, theirs = why_that(list(players.values()), mine), why_that(list(players.values()), other)
    assert own[1] == theirs[1] and len(own) > len(theirs)
    assert theirs[-1] == "  what it reckoned with is its own secret"


def test_choices_that_a_side_cannot_read_are_not_told_nor_those_taken_back() -> None:
    book = load(str(BOOKS / "secrets.rules"))
    players = seat_players({side: find_seat(book, "sly", side) for side in book.program.sides}, 1)
    game = book.new(seed=1)
    play(game, players, 40)
    made = [e for e in game.log if e["event"] == "choice"]
    for asker in (*book.program.sides, NOBODY):
        readable = [e for e in made if not e["secret"] or e["side"] == asker]
        assert 0 < len(readable) < len(made)
        for back in range(len(readable)):
            told = why_that(list(players.values()), asker, back, game)
            its = readable[-1 - back]
            assert f"{its['side']}" in told[0]
            assert its["side"] == asker or told[-1] == "  what it reckoned with is its own secret" or "  by " not in told[1]
        with pytest.raises(Refusal, match="are remembered"):
            why_that(list(players.values()), asker, len(readable), game)
    game.undo(agreed=True, steps=len(game.journal))
    with pytest.raises(Refusal, match="nobody here has chosen"):
        why_that(list(players.values()), "", 0, game)


def test_a_doctrine_does_not_see_what_the_other_side_hides() -> None:
    book = load(str(BOOKS / "secrets.rules"))
    seats = {side: find_seat(book, "sly", side) for side in book.program.sides}
    players, game, hidden = seat_players(seats, 2), book.new(seed=2), 0
    while not game.over and len(game.journal) < 60:
        decision = game.decisions[0]
        side = decision.side
        theirs = [u for u, whose in enumerate(game.state.unit_side) if whose not in (side, None)]
        hidden += any(game.state.unit_armed[u] for u in theirs)
        seen = players[side].mind.see(game, side)  # type: ignore[attr-defined]
        assert not any(seen.unit_armed[u] for u in theirs)
        game.do(players[side](game, decision))
    assert hidden > 5, "there was something to see"


def test_looking_ahead_weighs_every_face_of_the_die() -> None:
    """Red 1 and Red 2 (6) against Blue 1 (4) are 1:1: on 1-3 one of them is lost, on 4-6 Blue 1."""
    program = find_seat(load(BOOK), "bold", "red").make(0).program  # type: ignore[attr-defined]
    game = load(BOOK).new(seed=1)
    red1, red2, blue1 = (program.unit_index[name] for name in ("Red 1", "Red 2", "Blue 1"))
    game.do("red: done")
    for unit, place in ((red1, "A1"), (red2, "A3"), (blue1, "A2")):
        shift(game.state, unit, program.place_index[place])
    game.state.forget()
    attack = game.read('red: attack(@A2, {"Red 1", "Red 2"})')
    inner, judge = DoctrinePlayer(program, 0), program.doctrine.judge  # type: ignore[union-attr]
    seen = State.from_plain(program, game.state.plain())
    found = expected(seen, attack, inner, lambda S: judge(S, "red"))  # type: ignore[misc]
    now = 6 - 8
    assert found == (Fraction(3 * (now - 3) + 3 * (now + 4), 6), True)


def test_at_the_level_hard_it_plays_a_whole_game() -> None:
    book = load(BOOK)
    game, players = book.new(seed=4), seat_players({s: find_seat(book, "bold:hard", s) for s in book.program.sides}, 4)
    play(game, players, 400)
    assert game.over


def test_what_is_kept_of_earlier_positions_is_what_a_fresh_look_gives() -> None:
    """A doctrine's position goes along with the game, and a fork of it keeps its answers; neither is ever behind."""
    book, compared = load(BOOK), 0
    game, players = book.new(seed=5), seated("bold", 5)

    def watch(game, choice) -> None:
        nonlocal compared
        for player in players.values():
            S = player.mind.see(game, choice.side)
            forked, fresh = fork(S), State.from_plain(S.program, S.plain())
            ways = [[*Game(S.program, x).legal()] for x in (S, forked, fresh)]
            assert ways[0] == ways[1] == ways[2]
            compared += len(ways[0])
            for unit in [u for u, place in enumerate(forked.at) if place is not None][:2]:
                put(forked, unit, next(p for p in forked.hexes if not forked.here[p]), "")
            again = State.from_plain(S.program, forked.plain())
            assert [*Game(S.program, forked).legal()] == [*Game(S.program, again).legal()]
            assert [*Game(S.program, S).legal()] == ways[0], "what a fork does, it does alone"

    play(game, players, 24, watch)
    assert compared > 200


def test_the_best_way_and_the_next_ones_are_those_of_a_look_at_all() -> None:
    """Tests that seldom fail are asked of the best ways first; that changes nothing but the work."""
    book = load(BOOK)
    S, action = book.new(seed=1).state, book.program.actions["move"]

    def spared(values) -> bool:
        asked.append(values)
        return values[1][-1] % 5 != 0

    def rank(values) -> int:
        return -(values[1][-1] // 3)

    side, found, asked = action.by(S), [], []
    for late in (False, True):
        tests: list[list[ranked.Test]] = [[], [], [] if late else [ranked.Test("", spared)]]
        best = ranked.Ranked(
            S, action, side, ranked.Wanted(tests, rank, {}, [ranked.Test("", spared)] if late else [])
        ).run()
        found.append((best.found, best.tied, best.each, len(asked)))
    assert found[0][:3] == found[1][:3] and found[0][0]
    assert found[1][3] - found[0][3] < found[0][3]


def test_a_fork_sees_who_bars_its_own_way() -> None:
    """What bars a step into a place is asked where somebody stands: in the fork, not in the state that it is of."""
    game = load(str(Path(__file__).parents[2] / "benchmarks" / "ridge.rules")).new(seed=1)
    before = [*game.legal()]
    forked, enemy = fork(game.state), game.program.unit_index["Red 1"]
    ends = {choice.args[1][1][-1] for choice in before if choice.name == "move"}
    for place in sorted(ends)[:6]:
        if not forked.here[place]:
            put(forked, enemy, place, "")
            fresh = State.from_plain(forked.program, forked.plain())
            assert [*Game(forked.program, forked).legal()] == [*Game(forked.program, fresh).legal()] != before
    assert [*game.legal()] == before
