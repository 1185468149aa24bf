"""What one side may know: two games that differ only in the other side's secrets look the same to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.runtime import Choice, Fault, Game, RandomPlayer, Refusal, canon
from rulewright.runtime.view import (
    blinded,
    decisions_for,
    do_for,
    legal_for,
    log_for,
    refusals_for,
    save_for,
    undo_for,
    view,
    why_for,
)

PROBE = Path(__file__).parent.parent / "probes" / "caseblue_2_5" / "caseblue_2_5.rules"


def seen_by(game: Game, side: str) -> bytes:
    """Everything that a side can get out of a game, as bytes."""
    tries = [*legal_for(game, side)][:12]
    tries += [Choice(d.id, side, "show_goal") for d in game.decisions]
    tries += [Choice(-1, side, "show_goal"), Choice(10**6, side, "done"), Choice(0, "german", "done")]
    tries += [Choice(d.id, side, "aim", (("", "moscow"),)) for d in game.decisions]
    refused = [[(g.case, g.label, g.where) for g in refusals_for(game, side, c)] for c in tries]
    told = [why_for(game, side, c) for c in tries[:3]]
    texts = [game.show(c) for c in tries]
    return canon.dumps([view(game, side), log_for(game, side), refused, told, texts])


def lockstep(scenario: str, goals: tuple[str, ...], seed: int, show_at: int | None = None) -> int:
    """Play games alike but for the secret goal; returns how many pairs of positions were compared."""
    loaded = load(str(PROBE))
    games = [loaded.new(scenario, seed=seed) for _ in goals]
    players = {"german": RandomPlayer(seed), "soviet": RandomPlayer(seed + 1)}
    pairs = steps = 0
    open_now = False
    while not games[0].over and steps < 60:
        decision = games[0].decisions[0]
        chosen = decision.name == "aim" or games[0].state.game_goal is not None
        if decision.name == "aim":
            for game, goal in zip(games, goals, strict=True):
                game.do(Choice(decision.id, "german", "aim", (("", goal),)))
        elif show_at is not None and steps >= show_at and chosen and not open_now:
            open_now = True
            for game in games:
                game.do("german: show_goal")
        else:
            choice = players[decision.side](games[0], decision)
            for game in games:
                game.do(choice)
        steps += 1
        open_now = open_now or any(e["event"] == "reveal" for e in games[0].log)
        sights = [seen_by(game, "soviet") for game in games]
        for other in sights[1:]:
            assert (sights[0] == other) is not (open_now and chosen)
            pairs += not open_now
        if chosen:
            mine = [seen_by(game, "german") for game in games]
            assert len(set(mine)) == len(goals)
    return pairs


def test_a_secret_goal_leaves_no_trace_in_what_the_other_side_sees() -> None:
    pairs = 0
    pairs += lockstep("blue", ("oil_fields", "stalingrad"), 0)
    pairs += lockstep("linked_1942", ("oil_fields", "stalingrad", "moscow"), 1)
    pairs += lockstep("whole_1942", ("oil_fields", "stalingrad"), 0)
    assert pairs >= 50


def test_once_shown_it_is_seen() -> None:
    assert lockstep("blue", ("oil_fields", "stalingrad"), 5, show_at=4) >= 3
    game = load(str(PROBE)).new("blue")
    game.do("german: aim(stalingrad)")
    assert "game_goal" not in view(game, "soviet")["marks"]
    assert view(game, "german")["marks"]["game_goal"] == {"": "stalingrad"}
    game.do("german: show_goal")
    assert view(game, "soviet")["marks"]["game_goal"] == {"": "stalingrad"}


def test_a_secret_question_is_not_announced() -> None:
    game = load(str(PROBE)).new("blue")
    assert [d.name for d in decisions_for(game, "german")] == ["aim"]
    assert decisions_for(game, "soviet") == []
    assert view(game, "soviet")["waiting"] and not view(game, "german")["waiting"]
    assert view(game.state, "soviet") == view(game, "soviet")
    with pytest.raises(Refusal):
        view(game, "italian")


def test_a_view_holds_nothing_of_frames_dice_or_seed() -> None:
    game = load(str(PROBE)).new("blue", seed=7)
    game.do("german: aim(stalingrad)")
    keys = "rules side over winner phases bound readings units cups marks memories spent decisions waiting"
    assert set(view(game, "soviet")) == set(keys.split())
    assert b"stalingrad" not in canon.dumps([view(game, "soviet"), log_for(game, "soviet")])
    assert all("id" not in d for d in view(game, "soviet")["decisions"])


BOOK = """book hidden "Cups, hands and sealed bids"

case 1 "Pieces":
  kind side: red, blue
  kind bid: low, high
  field worth of unit: number
  cup bag
  box table
  mark hand of side: unit or nothing = nothing secret to it
  mark sealed of side: bid or nothing = nothing secret to it
  mark armed of unit secret to it.side
  remember bold(s: side) -> flag ever: s.sealed = high
  remember dealt -> flag ever: any units_at(table)
  house map board:
    grid: rows A..A, columns from the east
    hexes: A1..A3
  house roster chits:
    form: worth side
    1 red: Chit One @bag, Chit Three @bag
    2 blue: Chit Two @bag, Chit Four @bag
    3 red: Guard @A1
    3 blue: Scout @A3

case 2 "Play":
  action arm(u: unit from units(actor)) by red during late:
    when not u.armed
    set u.armed
  action raid() by blue during late:
    when no units(red) where it.armed
    when not dealt or bold(red) or true
    log "raided"
  action tip() by blue during late:
    put units_at(table) in bag
  sequence game_of_bids:
    for each s in [red, blue]:
      draw c from bag secretly for s
      set s.hand = c
    together:
      ask red secretly for one red_bid from bid
      ask blue secretly for one blue_bid from bid
    set red.sealed = red_bid
    set blue.sealed = blue_bid
    draw open from bag
    put open in table
    phase late:
      offer red: arm
      offer blue: raid, tip
    for each s in [red, blue]:
      reveal s.hand
      reveal s.sealed
  scenario bids "Bids":
    sequence: game_of_bids
"""


@pytest.fixture
def hidden(tmp_path: Path) -> Path:
    path = tmp_path / "hidden.rules"
    path.write_text(BOOK)
    return path


def everything(game: Game, side: str) -> bytes:
    return canon.dumps([view(game, side), log_for(game, side), [game.show(c) for c in legal_for(game, side)]])


def test_sealed_bids_made_at_once(hidden: Path) -> None:
    game, other = (load(str(hidden)).new("bids", seed=3) for _ in range(2))
    before = everything(game, "blue")
    game.do("red: red_bid(high)")
    other.do("red: red_bid(low)")
    assert everything(game, "blue") == everything(other, "blue") == before
    assert everything(game, "red") != everything(other, "red")
    for g in (game, other):
        g.do("blue: blue_bid(low)")
    assert everything(game, "blue") == everything(other, "blue") != before
    assert "bold" not in view(game, "blue")["memories"] and "dealt" in view(game, "blue")["memories"]
    assert game.state.past_bold and not blinded(game, "blue").state.past_bold


def test_cups_and_hands(hidden: Path) -> None:
    game = load(str(hidden)).new("bids", seed=3)
    seen = view(game, "blue")
    assert seen["cups"] == {"bag": 4}
    assert set(seen["units"]) == {"Guard", "Scout"}
    drawn = [e["drawn"] for e in log_for(game, "blue") if e["event"] == "draw"]
    assert drawn[0] is None and drawn[1] is not None
    assert list(seen["marks"]["side_hand"]) == ["blue"]
    for line in ("red: red_bid(low)", "blue: blue_bid(low)", "red: done"):
        game.do(line)
    assert view(game, "red")["cups"] == {"bag": 3}
    game.do("blue: tip")
    last = [e for e in log_for(game, "red") if e["event"] == "put"][-1]
    assert last["units"] == 1


def test_a_refusal_for_a_hidden_reason_does_not_name_it(hidden: Path) -> None:
    games = [load(str(hidden)).new("bids", seed=3) for _ in range(2)]
    for game in games:
        game.do("red: red_bid(low)")
        game.do("blue: blue_bid(low)")
    games[0].do('red: arm("Guard")')
    for game in games:
        game.do("red: done")
    assert refusals_for(games[0], "blue", "blue: raid") == refusals_for(games[1], "blue", "blue: raid") == []
    assert why_for(games[0], "blue", "blue: raid") == why_for(games[1], "blue", "blue: raid")
    state = games[0].digest()
    with pytest.raises(Refusal) as refusal:
        do_for(games[0], "blue", "blue: raid")
    assert refusal.value.grounds == () and "armed" not in refusal.value.message
    assert games[0].digest() == state
    do_for(games[1], "blue", "blue: raid")
    with pytest.raises(Refusal, match="does not choose for others"):
        do_for(games[1], "blue", "red: done")


def test_undo_takes_an_answer_out_of_the_frame(hidden: Path) -> None:
    game = load(str(hidden)).new("bids", seed=3)
    before, plain = game.digest(), game.state.plain()
    game.do("red: red_bid(high)")
    assert canon.digest(plain) == before
    game.undo()
    assert game.digest() == before


def test_a_standing_offer_does_not_tell_a_secret(tmp_path: Path) -> None:
    path = tmp_path / "cry.rules"
    path.write_text(
        BOOK.replace(
            "  action raid() by blue during late:",
            "  action cry() by blue anytime:\n    when no units(red) where it.armed\n"
            '    log "cried"\n  action raid() by blue during late:',
        )
    )
    games = [load(str(path)).new("bids", seed=3) for _ in range(2)]
    for game in games:
        game.do("red: red_bid(low)")
        game.do("blue: blue_bid(low)")
    games[0].do('red: arm("Guard")')
    assert [d.name for d in games[0].decisions] != [d.name for d in games[1].decisions]
    assert view(games[0], "blue")["decisions"] == view(games[1], "blue")["decisions"]


QUESTION = """
      draw lot from bag secretly for red
      ask red secretly for order line from units(red)
      ask blue for one guess from {"Chit One", "Chit Two", "Chit Three", "Chit Four"} so that guess != lot
      ask blue for some others from {1 .. 9} where it <= count(line)"""


def test_a_secret_draw_or_answer_under_way_is_not_told_by_what_may_be_answered(tmp_path: Path) -> None:
    path = tmp_path / "lots.rules"
    path.write_text(BOOK.replace("\n    phase late:", "\n    phase early:" + QUESTION + "\n    phase late:"))
    seen = set()
    for seed in range(6):
        game = load(str(path)).new("bids", seed=seed)
        for line in ("red: red_bid(low)", "blue: blue_bid(low)"):
            game.do(line)
        game.do(next(game.legal("red")))
        assert game.decisions[0].name == "guess"
        seen.add(tuple(c.args for c in legal_for(game, "blue")))
        game.do(next(game.legal("blue")))
        assert [c.args for c in legal_for(game, "blue")] == [(("", ()),)]
        assert isinstance(why_for(game, "blue", "blue: others({1})"), str)
        assert refusals_for(game, "blue", "blue: others({1})") != []
    assert len(seen) == 1 and len(next(iter(seen))) == 4


def test_undo_and_the_record_of_a_side(hidden: Path) -> None:
    games = [load(str(hidden)).new("bids", seed=3) for _ in range(2)]
    for game, bid in zip(games, ("low", "high"), strict=True):
        game.do(f"red: red_bid({bid})")
    assert save_for(games[0], "blue") == save_for(games[1], "blue")
    assert save_for(games[0], "red") != save_for(games[1], "red")
    with pytest.raises(Refusal, match="there is nothing to undo"):  # blue cannot see that red has chosen
        undo_for(games[0], "blue")
    undo_for(games[0], "red")
    assert games[0].decisions[0].name == "red_bid"


LEAKS = Path(__file__).parent.parent / "books" / "leaks.rules"
BEGIN = ("red: red_aim(north)", "blue: blue_aim(south)", "blue: ready(true)")


def told(game: Game, side: str) -> list[str]:
    return [e["text"] for e in log_for(game, side) if e["event"] == "choice"]


def test_arguments_that_end_in_a_secret_mark_are_for_their_side_alone() -> None:
    games = [load(str(LEAKS)).new(seed=3) for _ in range(2)]
    for game, plan in zip(games, ('"Guard", @B1', '"Lancer", @A4'), strict=True):
        for line in (*BEGIN, f"red: plan({plan})"):
            game.do(line)
    assert told(games[0], "blue")[-1] == told(games[1], "blue")[-1] == "red: plan(u: …, h: …)"
    assert told(games[0], "red")[-1] == 'red: plan(u: "Guard", h: @B1)'
    assert everything(games[0], "blue") == everything(games[1], "blue")
    assert save_for(games[0], "blue") == save_for(games[1], "blue")
    assert everything(games[0], "red") != everything(games[1], "red")
    games[0].do('red: lead("Guard", @A2)')
    assert told(games[0], "blue")[-1] == 'red: lead(u: "Guard", h: @A2)'  # seen to move


def test_a_quota_by_what_is_secret_is_not_shown_and_others_are() -> None:
    game = load(str(LEAKS)).new(seed=3)
    for line in (*BEGIN, 'red: plan("Guard", @B1)'):
        game.do(line)
    assert set(view(game, "blue")["spent"]) == {"tries"}
    assert [e["quota"] for e in log_for(game, "blue") if e["event"] == "spend"] == ["tries"]
    assert not blinded(game, "blue").state.spent_flights and game.state.spent_flights


def test_a_phase_bound_to_a_secret_does_not_tell_it() -> None:
    games = [load(str(LEAKS)).new(seed=3) for _ in range(2)]
    for game, aim in zip(games, ("north", "south"), strict=True):
        game.do(f"red: red_aim({aim})")
        game.do("blue: blue_aim(south)")
    assert games[0].state.bind_prey != games[1].state.bind_prey
    assert everything(games[0], "blue") == everything(games[1], "blue")
    assert "prey" not in view(games[0], "blue")["bound"]
    assert {e["name"]: e["value"] for e in log_for(games[0], "blue") if e["event"] == "phase"} == {"hunt": None}


def test_what_lies_in_which_cup_comes_out_nowhere() -> None:
    games = [load(str(LEAKS)).new(seed=3) for _ in range(2)]
    for game in games:
        for line in BEGIN:
            game.do(line)
    state = games[1].state
    at, (bag, sack) = state.own("at"), sorted(games[1].program.board.cups)
    one, other = state.here[bag][0], state.here[sack][0]
    at[one], at[other] = at[other], at[one]
    state.settle_places()
    state.past_rich = {(): 99}
    state.forget()
    assert [c.args for c in games[0].legal("red")] != [c.args for c in games[1].legal("red")]
    for side in ("red", "blue"):
        assert everything(games[0], side) == everything(games[1], side)
        assert not {"rich", "full"} & set(view(games[0], side)["memories"])
    for text in ("red: peek", 'red: look("Chit 2")', 'red: look("Chit 4")'):
        assert why_for(games[0], "red", text) == why_for(games[1], "red", text)
        assert refusals_for(games[0], "red", text) == refusals_for(games[1], "red", text)


def test_a_fault_that_rests_on_a_secret_does_not_tell_it(tmp_path: Path) -> None:
    path = tmp_path / "faults.rules"
    path.write_text(
        BOOK.replace(
            '    log "raided"\n', '    let k = 6 / count(units(red) where not it.armed)\n    log "raided"\n'
        ).replace("    when no units(red) where it.armed\n", "")
    )
    game = load(str(path)).new("bids", seed=3)
    for line in ("red: red_bid(low)", "blue: blue_bid(low)", 'red: arm("Guard")', "red: done"):
        game.do(line)
    with pytest.raises(Fault) as fault:
        do_for(game, "blue", "blue: raid")
    assert str(fault.value) == "the rules cannot go on, for a reason that blue may not see"
