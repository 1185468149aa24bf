"""One table and those around it: picks by number, undo, agreement, the curtain, history, and the journal as the truth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.runtime.problems import Refusal
from rulewright.table.links import HOT, SEAT, WATCH

SKIRMISH = "skirmish.rules"
BOOKS = Path(__file__).parents[1] / "books"


def link(room, kind, side=""):
    return next(x for x in room.card.links if x.kind == kind and (not side or side in x.sides))


def sit(room, side):
    return room.enter(link(room, SEAT, side))


def ask(room, sitter):
    return room.frame(sitter)["ask"]


def do(room, sitter, **message):
    """Send a message from the list that lies open, and let the game go on."""
    told = room.obey(sitter, {"n": room.chair(sitter.side).n, **message})
    room.run(None)
    return told


def pick(room, sitter, text):
    """Pick the line with this text."""
    items = ask(room, sitter)["items"]
    i = next(i for i, x in enumerate(items) if x["t"] == text)
    return do(room, sitter, do="pick", i=i)


def test_a_counter_moves_by_three_picks_and_all_see_it(rooms):
    room = rooms(SKIRMISH)
    red, blue, watcher = sit(room, "red"), sit(room, "blue"), room.enter(link(room, WATCH))
    for s in (red, blue, watcher):
        room.frame(s)
    pick(room, red, "move")
    assert room.table.game.journal.path is not None and len(room.table.game.journal) == 0
    pick(room, red, "Red 1")
    goals = ask(room, red)["items"]
    assert all(x["cost"] and x["path"] for x in goals)
    pick(room, red, goals[0]["t"])
    assert len(room.table.game.journal) == 1
    for s in (blue, watcher):
        frame = room.news(s)
        assert [0, goals[0]["p"]] in [x[:2] for x in frame["units"]]
        assert any("move: Red 1" in "".join(p[0] for p in parts) for parts, _ in frame["log"]["lines"])
        assert frame["ask"] is None and frame["lit"] == []


def test_what_may_be_done_is_lit_and_one_click_goes_there(rooms):
    room = rooms(SKIRMISH)
    red = sit(room, "red")
    frame = room.frame(red)
    assert frame["ask"]["sort"] == "kinds"
    i, j, unit, place = frame["lit"][1]
    assert frame["ways"][i]["t"] == "move" and unit == 1 and place == room.table.game.state.at[1]
    do(room, red, do="way", i=i, j=j)
    assert ask(room, red)["title"] == "move › Red 2"


def test_a_pick_from_a_list_that_has_gone_is_refused(rooms):
    room = rooms(SKIRMISH)
    red = sit(room, "red")
    n = room.frame(red)["n"]
    do(room, red, do="pick", i=0)
    before = room.digest()
    [told] = room.obey(red, {"do": "pick", "n": n, "i": 0})
    assert told["stale"] and room.digest() == before and room.news(red) is not None


@pytest.mark.parametrize("message", [{"do": "pick", "i": 99}, {"do": "way", "i": 99}, {"do": "ok"}, {"do": "back"}, {"do": "fill", "every": True}, {"do": "pass"}, {"do": "why", "i": 99}, {"do": "why", "place": 9999}, {"do": "via", "places": [1, 2]}, {"do": "chances"}, {"do": "undo", "how": "own"}, {"do": "agree", "yes": True}, {"do": "look", "at": 99}, {"do": "told", "place": 99999}])
def test_what_cannot_be_done_is_said_and_nothing_changes(rooms, message):
    room = rooms(SKIRMISH)
    red = sit(room, "red")
    room.frame(red)
    before = room.digest()
    [told] = do(room, red, **message)
    assert told["say"] and room.digest() == before


@pytest.mark.parametrize("do_", ["pick", "way", "ok", "back", "why", "chances", "undo", "agree", "pass", "via"])
def test_spectators_look_on_and_nothing_else(rooms, do_):
    room = rooms(SKIRMISH)
    watcher = room.enter(link(room, WATCH))
    frame = room.frame(watcher)
    assert frame["ask"] is None and frame["undo"] == {} and frame["deciding"] == ["red"]
    before = room.digest()
    assert do(room, watcher, do=do_, i=0, how="ask", yes=True, places=[1]) == [{"say": "spectators look on"}]
    assert room.digest() == before and room.asked is None


def moved(room, red, unit="Red 1"):
    if ask(room, red)["sort"] == "kinds":
        pick(room, red, "move")
    if unit not in ask(room, red)["title"]:  # the only one that is left is filled in
        pick(room, red, unit)
    do(room, red, do="pick", i=0)


def test_only_the_seat_that_chose_takes_back(rooms):
    room = rooms(SKIRMISH)
    red, blue = sit(room, "red"), sit(room, "blue")
    start = room.digest()
    moved(room, red)
    [told] = do(room, blue, do="undo", how="own")
    assert "another" in told["say"]
    do(room, red, do="undo", how="own")
    assert room.digest() == start


def test_a_phase_is_taken_back_whole(rooms):
    room = rooms(SKIRMISH)
    red = sit(room, "red")
    start = room.digest()
    moved(room, red)
    moved(room, red, "Red 2")
    do(room, red, do="undo", how="phase")
    assert room.digest() == start and len(room.table.game.journal) == 0


def test_by_agreement_when_the_other_says_yes(rooms):
    room = rooms(SKIRMISH)
    red, blue = sit(room, "red"), sit(room, "blue")
    start = room.digest()
    moved(room, red)
    after = room.digest()
    do(room, blue, do="undo", how="ask")
    assert room.digest() == after
    assert room.frame(blue)["asked"]["mine"] and not room.frame(red)["asked"]["mine"]
    do(room, red, do="agree", yes=False)
    assert room.digest() == after and room.frame(red)["asked"] is None
    do(room, blue, do="undo", how="ask")
    do(room, red, do="agree", yes=True)
    assert room.digest() == start


def test_a_request_to_take_back_does_not_tell_that_another_has_answered_in_secret(rooms):
    room = rooms("spies.rules")
    red, blue, green = (sit(room, side) for side in ("red", "blue", "green"))
    start = room.digest()
    pick(room, red, ask(room, red)["items"][0]["t"])
    do(room, blue, do="undo", how="ask")
    asked = room.frame(red)["asked"]
    pick(room, green, ask(room, green)["items"][0]["t"])
    assert room.frame(red)["asked"] == asked and room.frame(blue)["asked"] is not None
    for sitter in (red, green):
        do(room, sitter, do="agree", yes=True)
    assert room.digest() == start, "the choice that was meant is taken back, with what came after it"


def fight(room):
    """Bring Red 1 beside Blue 1: both may attack now, and a die would fall."""
    red, blue = room.enter(link(room, SEAT, "red")), room.enter(link(room, SEAT, "blue"))
    index = room.program.place_index
    for ways in (("B1", "C1"), ("C2", "C3")):
        pick(room, red, "move")
        pick(room, red, "Red 1")
        do(room, red, do="via", places=[index[x] for x in ways])
        do(room, red, do="way", i=1)
        if ask(room, blue) is not None:
            pick(room, blue, "done")
    room.leave(red), room.leave(blue)


def test_undo_after_a_die_is_refused_without_agreement(rooms):
    room = rooms(SKIRMISH)
    red, blue = sit(room, "red"), sit(room, "blue")
    fight(room)
    made = len(room.table.game.journal)
    pick(room, red, "attack")
    pick(room, red, "Red 1")
    do(room, red, do="ok")
    assert len(room.table.game.journal) > made and room.table.game.state.revealed
    after = room.digest()
    [told] = do(room, red, do="undo", how="own")
    assert "die" in told["say"] and room.digest() == after
    do(room, red, do="undo", how="ask")
    do(room, blue, do="agree", yes=True)
    assert room.digest() != after


def test_chances_come_before_the_dice(rooms):
    room = rooms(SKIRMISH)
    red = sit(room, "red")
    fight(room)
    pick(room, red, "attack")
    pick(room, red, "Red 1")
    before = room.digest()
    [told] = do(room, red, do="chances")
    [group] = told["chances"]["groups"]
    assert [(r["chance"], r["dice"]) for r in group["rows"]] == [("1", "1–6")]  # at 1:2 the attacker loses
    assert room.digest() == before


def test_why_is_answered_with_cases_as_links(rooms):
    room = rooms(SKIRMISH)
    red = sit(room, "red")
    pick(room, red, "move")
    pick(room, red, "Red 1")
    far = room.program.place_index["D5"]
    [told] = do(room, red, do="why", place=far)
    text = json.dumps(told)
    assert "refused" in text and '"case"' in text


def test_a_hex_is_no_unit(rooms):
    """Red 1 is unit 0 and stands in hex 0: a hex that is asked about is not taken for a unit of its number."""
    room = rooms(SKIRMISH)
    red = sit(room, "red")
    pick(room, red, "move")
    [told] = do(room, red, do="why", place=7)
    assert told["why"]["title"].startswith("B3")


def test_a_way_bends_where_the_player_says(rooms):
    room = rooms(SKIRMISH)
    red = sit(room, "red")
    pick(room, red, "move")
    pick(room, red, "Red 1")
    index = room.program.place_index
    do(room, red, do="via", places=[index["A2"], index["A3"]])
    [event] = room.table.game.journal.events()
    assert list(event[3][1][1]) == [index["A1"], index["A2"], index["A3"]]
    [told] = do(room, red, do="via", places=[index["D1"]])
    assert "why" in told and len(room.table.game.journal) == 1


def test_history_steps_through_what_was_seen(rooms):
    room = rooms(SKIRMISH)
    red = sit(room, "red")
    start = room.frame(red)
    moved(room, red)
    moved(room, red, "Red 2")
    [told] = do(room, red, do="look", at=0)
    assert sorted(told["past"]["units"]) == sorted(start["units"]) and told["past"]["of"] >= 2
    [told] = do(room, red, do="look", at=told["past"]["of"])
    assert sorted(told["past"]["units"]) == sorted(room.frame(red)["units"])


def test_a_reload_in_the_middle_of_a_question_finds_it_as_it_was(rooms):
    room = rooms(SKIRMISH)
    fight(room)
    red = sit(room, "red")
    pick(room, red, "attack")
    pick(room, red, "Red 1")
    before = room.frame(red)["ask"]
    room.leave(red)
    again = room.frame(sit(room, "red"))
    assert again["ask"] == before and again["log"]["from"] == 0 and again["faces"]


def test_the_journal_is_the_truth(rooms, shelf):
    room = rooms(SKIRMISH)
    red = sit(room, "red")
    moved(room, red)
    moved(room, red, "Red 2")
    digest, lines = room.digest(), room.chair("red").chronicle.lines
    room.table.game.journal.close()
    again = rooms(SKIRMISH, card=shelf.card(room.card.id))
    assert again.digest() == digest and again.chair("red").chronicle.lines == lines
    do(again, sit(again, "red"), do="undo", how="own")
    assert len(again.table.game.journal) == 1


def test_a_hot_seat_follows_whoever_decides(rooms):
    room = rooms(SKIRMISH)
    both = room.enter(link(room, HOT))
    assert room.frame(both)["side"] == "red"
    pick(room, both, "done")
    frame = room.news(both)
    assert frame["side"] == "blue" and frame["log"]["from"] == 0 and "curtain" not in frame


def test_where_sides_keep_secrets_a_curtain_falls_between_them(rooms):
    room = rooms("spies.rules")
    both = room.enter(link(room, HOT))
    frame = room.frame(both)
    assert frame["curtain"] and set(frame) == {"curtain", "name", "who"}
    assert do(room, both, do="pick", i=0) == [{"say": "the curtain is down"}]
    room.obey(both, {"do": "lift"})
    assert room.frame(both)["side"] == frame["curtain"]


def test_players_that_need_no_person_play_on(rooms):
    room = rooms(SKIRMISH, players={"blue": "busy"})
    red = sit(room, "red")
    assert [x.sides for x in room.card.links if x.kind == SEAT] == [("red",)]
    pick(room, red, "done")
    frame = room.frame(red)
    assert frame["ask"] is not None and any("Blue:" in "".join(p[0] for p in parts) for parts, _ in frame["log"]["lines"])


def test_an_opponent_says_why(rooms, shelf):
    room = rooms(SKIRMISH, players={"blue": "bold"})
    red, watcher = sit(room, "red"), room.enter(link(room, WATCH))
    assert room.frame(red)["who"]["thinking"]
    assert "nobody here has chosen" in do(room, red, do="that", back=0)[0]["say"]
    pick(room, red, "done")
    for who in (red, watcher):
        told = do(room, who, do="that", back=0)[0]["why"]
        assert told["title"].startswith("bold, blue: ") and told["that"] == 0 and told["lines"]
    assert "are remembered" in do(room, red, do="that", back=99)[0]["say"]
    room.close()
    again = rooms(SKIRMISH, card=room.card)
    red = sit(again, "red")
    assert "is not remembered" in do(again, red, do="that", back=0)[0]["say"]
    do(again, red, do="undo", how="own")
    assert "nobody here has chosen" in do(again, red, do="that", back=0)[0]["say"]


def test_of_a_secret_choice_nobody_hears(rooms):
    """Not even that it was made: red and the spectator are told that nobody has chosen yet."""
    room = rooms(str(BOOKS / "secrets.rules"), players={"blue": "sly"})
    red, watcher = sit(room, "red"), room.enter(link(room, WATCH))
    do(room, red, do="pick", i=0)
    assert room.table.players["blue"].thoughts
    for who in (red, watcher):
        assert "nobody here has chosen" in do(room, who, do="that", back=0)[0]["say"]


def test_unknown_games_are_refused(shelf):
    for id in ("", "..", "../../etc", "a" * 12, "A" * 12):
        with pytest.raises(Refusal):
            shelf.card(id)


def test_the_turn_record_has_the_turns_round_the_one_in_play(rooms):
    """The battle of trc is fought in the second turn of its calendar; a book without turns has no record."""
    room = rooms("trc", scenario="battle")
    turns = room.frame(sit(room, "axis"))["turns"]
    assert turns[:3] == [["May/Jun 1941", -1], ["Jul/Aug 1941", 0], ["Sep/Oct 1941", 1]] and len(turns) == 8
    skirmish = rooms(SKIRMISH)
    assert skirmish.frame(sit(skirmish, "red"))["turns"] == []
