"""`migrate --from-now-on`: a saved game goes on under other rules from its present position."""

import json
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.carry.position import Carrier
from rulewright.compiler.carry.ruleset import rule_set
from rulewright.compiler.cli.main import main
from rulewright.compiler.pipeline import analyse
from rulewright.runtime.begin import resume
from rulewright.runtime.journal import Journal, SaveProblem
from rulewright.runtime.players import RandomPlayer
from rulewright.runtime.problems import Refusal

BOOKS = Path(__file__).parents[1] / "books"
BASE = (BOOKS / "skirmish.rules").read_text(encoding="utf-8").partition("case 6 ")[0] + 'case 6 "Notes":\n  note "so far"\n'


def played(book, choices, seed=3):
    """A game of random players after some choices."""
    game = load(str(book)).new(seed=seed)
    go(game, choices)
    return game


def go(game, choices):
    players = {side: RandomPlayer(i) for i, side in enumerate(game.program.sides)}
    while not game.over and choices:
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        choices -= 1


class Desk:
    """A folder with a book, a save under it, and what migrate says."""

    def __init__(self, folder, capsys):
        self.folder, self.capsys = folder, capsys
        self.save, self.new = folder / "game.save", folder / "new.save"

    def book(self, text, name="skirmish"):
        path = self.folder / f"{name}.rules"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def after(self, old, new):
        """The verdict on the save under a book that was edited after it; both as files beside one another."""
        before, after = self.book(old, "before"), self.book(new, "after")
        from rulewright.compiler.carry.from_now_on import as_json, from_now_on, lines

        sides = [rule_set(analyse(x), load(x).program) for x in (before, after)]
        self.verdict = from_now_on(self.save, *sides)
        self.said = "\n".join(lines(self.verdict))
        return as_json(self.verdict)


@pytest.fixture
def desk(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path, capsys)


def saved(desk, text, choices, seed=3):
    game = played(desk.book(text, "before"), choices, seed)
    game.save(desk.save)
    return game


# ---------------------------------------------------------------- the game that goes on

SHORT = '\noption short of skirmish:\n  case O.3 "Shorter marches":\n    amend 3 march.budget: 3 becomes 1\n'
DEAR = '\noption dear of skirmish:\n  case O.4 "Dear woods":\n    amend 3.2 march.enter: 2 becomes 3\n'


def test_it_is_played_on_saved_undone_and_resumed(desk):
    book = desk.book(BASE + SHORT)
    game = played(book, 12)
    game.save(desk.save)
    words = ["migrate", str(desk.save), "--book", book, "--overlay", "short", "--from-now-on"]
    old = desk.save.read_bytes()
    assert main(words) == 0 and not desk.new.exists()
    assert main([*words, "-o", str(desk.new)]) == 0
    said = desk.capsys.readouterr().out
    assert "can go on under skirmish+short" in said and ": move: " in said
    assert "is refused by case 3: " in said and f"{desk.new}: goes on under skirmish+short after 12 choices" in said
    assert desk.save.read_bytes() == old

    program = load(f"{book}+short").program
    on = resume(desk.new, lambda _: program)
    assert on.state.at == game.state.at and on.state.phases == game.state.phases
    with pytest.raises(Refusal, match="nothing to undo"):
        on.undo(agreed=True)
    start = on.digest()
    go(on, 8)
    assert len(on.journal) == 8 and on.digest() != start
    on.undo(agreed=True, steps=8)
    assert on.digest() == start
    go(on, 8)
    on.save(desk.new)
    again = resume(desk.new, lambda _: program)
    assert again.digest() == on.digest()
    short = [c for c in again.legal() if c.name == "move"]
    assert all(len(dict(c.args)["p"]) <= 2 for c in short)
    assert main(["play", f"{book}+short", "--resume", str(desk.new), "--players", "random", "--quiet"]) == 0
    assert main(["why", f"{book}+short", str(desk.new), "count(all_units)"]) == 0


def test_the_journal_says_where_the_rules_changed(desk):
    book = desk.book(BASE + SHORT)
    game = played(book, 12)
    game.save(desk.save)
    head = Journal.read(desk.save).head
    words = ["migrate", str(desk.save), "--book", book, "--overlay", "short", "--from-now-on", "-o", str(desk.new)]
    assert main(words) == 0
    made = Journal.read(desk.new)
    assert len(made) == 0 and made.header.format == 3 and made.header.rules == "skirmish+short"
    [before] = made.header.before
    assert before == ("skirmish", Journal.read(desk.save).header.rules_hash, 12, head)
    assert Journal.read(desk.save).header.format == 2
    # without its snapshot the game is rebuilt from where the rules took over, and no other way
    program = load(f"{book}+short").program
    on = resume(desk.new, lambda _: program)
    go(on, 5)
    on.journal.save_as(desk.folder / "bare.save")
    assert resume(desk.folder / "bare.save", lambda _: program).digest() == on.digest()
    with pytest.raises(SaveProblem, match="saved under other rules"):
        resume(desk.new, lambda _: load(book).program)
    # the play screen tells it, and the next change goes on top of this one
    desk.capsys.readouterr()
    assert main(["play", f"{book}+short", "--resume", str(desk.new), "--players", "random", "--until", "1"]) == 0
    assert "12 choices under skirmish, then skirmish+short" in desk.capsys.readouterr().out
    on.save(desk.new)
    third = desk.folder / "third.save"
    back = desk.book(BASE + SHORT + DEAR)
    words = ["migrate", str(desk.new), "--book", f"{back}+short", "--overlay", "dear", "--from-now-on", "-o", str(third)]
    assert main(words) == 1  # the text of the book is another one: other rules
    assert "other rules" in desk.capsys.readouterr().err


def test_a_second_change_and_a_replay_of_a_game_that_was_carried_over(desk):
    book = desk.book(BASE + SHORT + DEAR)
    played(book, 6).save(desk.save)
    assert main(["migrate", str(desk.save), "--book", book, "--overlay", "short", "--from-now-on", "-o", "a.save"]) == 0
    program = load(f"{book}+short").program
    on = resume("a.save", lambda _: program)
    go(on, 3)
    on.save("a.save")
    words = ["migrate", "a.save", "--book", f"{book}+short", "--overlay", "dear"]
    assert main([*words, "--from-now-on", "-o", "b.save"]) == 0
    assert [(x.rules, x.choices) for x in Journal.read("b.save").header.before] == [("skirmish", 6), ("skirmish+short", 3)]
    desk.capsys.readouterr()
    assert main(words) == 1
    assert "went over to skirmish+short in its middle" in desk.capsys.readouterr().out


def test_nothing_is_written_where_the_position_is_not_lawful(desk):
    saved(desk, BASE, 12)
    at = next(u for u, p in enumerate(played(desk.book(BASE, "before"), 12).state.at) if p is not None)
    found = desk.after(BASE, BASE.replace("case 6 ", f'case 5.1 "No":\n  invariant gone: count(units(red)) = {at + 90}\n\ncase 6 '))
    assert found["lawful"] is False and found["breaks"][0]["case"] == "5.1"
    assert "cannot go on" in desk.said and desk.verdict.game is None


# ---------------------------------------------------------------- what breaks which case


def test_an_invariant_names_its_offenders_and_says_itself(desk):
    game = saved(desk, BASE, 0)
    extra = 'case 5.1 "Woods":\n  invariant out: no all_units where it.hex = @A1\n  invariant in: every units(red) has it.hex = @A2\n\n'
    found = desk.after(BASE, BASE.replace("case 6 ", extra + "case 6 "))
    assert {b["what"] for b in found["breaks"]} == {"out does not hold: Red 1", "in does not hold: Red 1"}
    assert all("At all times" in b["rule"] for b in found["breaks"])
    assert game.state.at[0] is not None


STACK = """
case 5.2 "Stacking":
  duty room for h in hexes during movement:
    count(units_at(h)) <= {}

case 6 """


def test_stacking_as_a_duty_is_broken_only_when_its_phase_is_over(desk):
    old = BASE.replace("Red 2 @A2", "Red 2 @A1").replace("case 6 ", STACK.format(2))
    new = old.replace("<= 2", "<= 1")
    saved(desk, old, 0)
    found = desk.after(old, new)
    assert found["lawful"] is True
    assert [x["what"] for x in found["owed"]] == ["room, which the movement phase asks for, is not met: A1"]
    game = load(desk.book(old, "before")).new()
    game.do("red: done")
    game.save(desk.save)
    found = desk.after(old, new)
    assert [(b["case"], b["what"]) for b in found["breaks"]] == [
        ("5.2", "room, which the movement phase asks for, is not met: A1")
    ]
    assert "count(units_at" not in found["breaks"][0]["rule"] and found["breaks"][0]["rule"]


def test_a_new_ban_on_entering_where_somebody_stands(desk):
    saved(desk, BASE, 0)
    ban = 'case 3.3 "Closed":\n  forbid march when there = @A1 or there = @D4 and u.side = red\n\ncase 4 '
    found = desk.after(BASE, BASE.replace("case 4 ", ban, 1))
    assert [(b["case"], b["what"]) for b in found["breaks"]] == [
        ("3.3", "no way leads any more to where these stand: Red 1 in A1")
    ]
    assert found["breaks"][0]["rule"].count("A1") == 1
    rail = "  route rail(u: unit):\n    from: u.hex\n    enter: 1\n  action ride(u: unit from units(phasing), p: path from rail(u)) by phasing during movement:\n    walk u along p\n\ncase 4 "
    other = BASE.replace("case 4 ", 'case 3.4 "Rail":\n' + rail, 1)
    assert desk.after(BASE, other.replace("case 4 ", ban, 1))["breaks"] == []  # another way leads there
    waived = ban.replace("\n\ncase 4 ", "\n  waive 3.3 march when u.strength = 3\n\ncase 4 ")
    assert "waive" in waived
    assert desk.after(BASE, BASE.replace("case 4 ", waived, 1))["breaks"] == []


SEA = """case 3.4 "Sea":
  define ports -> set of hex: {@A1, @D5}
  route sea(u: unit):
    from: u.hex
    jump: ports
    enter: 1
    forbid as by_ship when not (here in ports and there in ports)
  action sail(u: unit from units(phasing), p: path from sea(u)) by phasing during movement:
    walk u along p

case 4 """
CLOSED = 'case 3.5 "Closed":\n  forbid march when there in {@A1, @A2}\n\ncase 4 '


def test_a_jump_and_a_line_lead_in_as_well(desk):
    """A1 and A2 are closed to marches; ships come to Red 1 from afar, and nothing but marches to Red 2."""
    old = BASE.replace("case 4 ", SEA, 1)
    saved(desk, old, 0)
    found = desk.after(old, old.replace("case 4 ", CLOSED, 1))
    assert [b["what"] for b in found["breaks"]] == ["no way leads any more to where these stand: Red 2 in A2"]


def test_a_duty_to_do_something_binds_no_position(desk):
    """Whether somebody has marched or fought is begun anew with each side's turn; where units stand is not."""
    march = 'case 5.2 "March":\n  duty somebody during movement:\n    any units(phasing) where it.moved\n\n'
    away = 'case 5.3 "Away":\n  duty away during combat:\n    no units_at(@A1)\n\n'
    new = BASE.replace("case 6 ", march + march.replace("5.2", "5.4").replace("somebody", "fight").replace("movement", "combat").replace("moved", "fought") + away + "case 6 ")
    game = load(desk.book(BASE, "before")).new()
    for breaks in ([], [], ["5.3"]):  # in movement, in combat, and in the movement after it
        game.save(desk.save)
        found = desk.after(BASE, new)
        assert [b["case"] for b in found["breaks"]] == breaks
        game.do(f"{game.decisions[0].side}: done")


def test_what_cannot_be_worked_out_is_neither_lawful_nor_refused(desk):
    """The number of moved units is 0 until the first has moved, and the new rule divides by it."""
    rule = "    when 6 / count(units(red) where it.moved) > 1\n"
    new = BASE.replace("    when not u.moved\n", "    when not u.moved\n" + rule)
    game = load(desk.book(BASE, "before")).new()
    game.do(next(c for c in game.legal() if c.name == "move"))
    game.do("red: done")
    game.save(desk.save)
    found = desk.after(BASE, new)
    assert found["earlier"]["refused"] == [] and [x["event"] for x in found["earlier"]["not_asked"]] == [1]
    saved(desk, BASE, 0)
    found = desk.after(BASE, new)
    assert found["breaks"] == []  # `done` is lawful
    [red] = found["open"]
    assert red["lost"] == [] and red["faults"] == [{"case": "3", "why": "a number is divided by zero"}]
    assert "  cannot be worked out (case 3): a number is divided by zero" in desk.said
    stuck = asked(desk, BASE)
    text = BASE.replace("one lost from us\n", "one lost from us so that 1 / (1 - 1) > 0\n")
    found = desk.after(BASE, text)
    assert [b["what"] for b in found["breaks"]] == ["what may be done cannot be worked out: a number is divided by zero"]
    assert not stuck.over


def test_what_players_no_longer_have_before_them_is_told(desk):
    score = BASE.replace("case 6 ", 'case 5.3 "Score":\n  define score -> number: count(units(red))\n  shown table:\n    score\n\ncase 6 ')
    saved(desk, score, 0)
    found = desk.after(score, score.replace("  shown table:\n    score\n", ""))
    assert [(x["before"], x["after"]) for x in found["shown"]] == [("2", "nothing")]


def test_counters_boxes_words_and_marks_that_are_gone(desk):
    old = BASE.replace("case 2 ", 'case 1.1 "Sky":\n  kind sky: sun, fog\n  mark sky of game: sky = fog\n  mark tired of unit\n\ncase 2 ', 1)
    old = old.replace("    set u.moved\n", "    set u.moved\n    set u.tired\n    set sky = sun\n", 1)
    game = load(desk.book(old, "before")).new()
    game.do(next(c for c in game.legal() if c.name == "move"))
    game.save(desk.save)
    [moved] = [u for u, x in enumerate(game.state.unit_tired) if x]
    found = desk.after(old, old.replace("sky: sun, fog", "sky: rain, fog").replace("sky = sun", "sky = rain"))
    assert [(b["case"], b["what"]) for b in found["breaks"]] == [
        ("1.1", "the mark sky is sun, which the new rules do not have")
    ]
    name = game.program.units[moved]
    found = desk.after(old, old.replace("  mark tired of unit\n", "").replace("    set u.tired\n", ""))
    assert found["lawful"] and found["dropped"] == ["the mark tired (case 1.1), which 1 bore"]
    found = desk.after(old, old.replace("Red 1 @A1, ", ""))
    assert name == "Red 1" and [b["what"].partition(" in ")[0] for b in found["breaks"]] == ["Red 1 is"]
    assert [x.partition(" (")[0] for x in found["counters"]["red"]] == ["Red 1 is no longer a counter"]
    found = desk.after(old, old.replace("hexes: A1..A5, B1..B5, C1..C5, D1..D5", "hexes: A1..A5, B1..B5, C1..C5, D1..D4").replace(", Blue 2 @D5", ""))
    assert any(b["what"] == "Blue 2 is in D5; the new rules have no such counter" for b in found["breaks"])


def test_printed_values_choices_and_what_players_see(desk):
    saved(desk, BASE, 0)
    found = desk.after(BASE, BASE.replace("3 red: Red 1", "5 red: Red 1").replace("budget: 3", "budget: 2"))
    assert found["lawful"] and found["counters"]["red"] == [
        "Red 1: strength 3 becomes 5 (in A1)",
        "Red 2: strength 3 becomes 5 (in A2)",
    ]
    [red] = found["open"]
    assert red["side"] == "red" and red["before"] > red["after"] and red["gained"] == []
    assert len(red["lost"]) == red["before"] - red["after"] and {c for r in red["lost"] for c in r["cases"]} == {"3"}
    found = desk.after(BASE, BASE.replace("budget: 3", "budget: 4"))
    [red] = found["open"]
    assert red["lost"] == [] and len(red["gained"]) == red["after"] - red["before"]


# ---------------------------------------------------------------- in the middle of a rule


def asked(desk, text):
    """A game that stands before a question: red has lost a battle and names the loser."""
    for seed in range(60):
        game = load(desk.book(text, "before")).new(seed=seed)
        players = {side: RandomPlayer(i + seed) for i, side in enumerate(game.program.sides)}
        while not game.over:
            d = game.decisions[0]
            if d.sort == "ask":
                game.save(desk.save)
                return game
            game.do(players[d.side](game, d))
    raise AssertionError("no game came to a question")


def test_an_open_question_goes_on_where_the_rules_around_it_change(desk):
    game = asked(desk, BASE)
    new = BASE.replace("    set us.fought\n    roll d = 1d6\n", '    log "fire"\n    set us.fought\n    roll d = 1d6\n')
    new = new.replace("      put lost in dead(phasing)\n", '      log "lost"\n      put lost in dead(phasing)\n')
    found = desk.after(BASE, new)
    assert found["lawful"], desk.said
    on = desk.verdict.game
    assert [d.name for d in on.decisions] == ["lost"]
    answer = next(on.legal())
    on.do(answer)
    lost = dict(answer.args)[""]
    assert on.state.at[lost] == on.program.place_index[f"dead({game.decisions[0].side})"]
    assert any("lost" in "".join(e.get("texts", ())) for e in on.log)


def test_a_question_that_is_gone_or_asks_for_more_is_named(desk):
    text = BASE[: BASE.index("case 6 ")]
    asked(desk, text)
    gone = text.replace("      ask phasing for one lost from us\n      put lost in dead(phasing)\n", "      put us in dead(phasing)\n")
    found = desk.after(text, gone)
    assert not found["lawful"] and {b["case"] for b in found["breaks"]} == {"4"}
    assert "the question that is open in attack is not in the new rules" in desk.said
    needs = text.replace("    roll d = 1d6\n", "    roll d = 1d6\n    let many = count(us)\n")
    needs = needs.replace("put lost in dead(phasing)\n", "if many > 1: put lost in dead(phasing)\n")
    found = desk.after(text, needs)
    assert "attack, which needs many under the new rules" in desk.said and not found["lawful"]


def test_the_phases_of_the_turn_may_change_around_the_game(desk):
    saved(desk, BASE, 3)
    phase = "        phase supply:\n          offer phasing: move\n        phase combat:\n"
    found = desk.after(BASE, BASE.replace("        phase combat:\n", phase).replace("by phasing during movement", "by phasing during movement, supply"))
    assert found["lawful"], desk.said
    go(desk.verdict.game, 20)
    game = load(desk.book(BASE, "before")).new()
    game.do("red: done")
    game.save(desk.save)
    text = BASE[: BASE.index("case 6 ")]
    gone = text.replace("        phase combat:\n          offer phasing: attack\n", "").replace("by phasing during combat", "by phasing during movement")
    found = desk.after(BASE, gone)
    assert not found["lawful"] and "the combat phase runs, which the new rules do not have" in desk.said


def test_a_game_that_is_over_and_one_that_has_not_begun(desk):
    game = played(desk.book(BASE, "before"), 2000)
    assert game.over
    game.save(desk.save)
    assert desk.after(BASE, BASE.replace("budget: 3", "budget: 2"))["lawful"] is False
    assert "the game is over" in desk.said
    saved(desk, BASE, 0)
    desk.after(BASE, BASE.replace("budget: 3", "budget: 2"))
    assert "no choice has been made so far" in desk.said


# ---------------------------------------------------------------- every position of a game


@pytest.mark.parametrize("name", ["skirmish", "hands", "ambush", "council", "secrets", "../compiler/books/maps"])
def test_a_position_carried_to_the_same_rules_is_the_same_position(name):
    side = rule_set(analyse(str(BOOKS / f"{name}.rules")), load(str(BOOKS / f"{name}.rules")).program)
    carrier = Carrier(side, side)
    game = load(str(BOOKS / f"{name}.rules")).new(seed=5)
    for _ in range(25):
        there = carrier.carried(game.state.plain())
        mine = {**game.state.plain(), "drafts": [() for _ in game.state.drafts]}
        theirs = there.plain()
        assert {k for k in mine if mine[k] != theirs[k]} <= {"soon"}
        if game.over:
            break
        go(game, 1)


def test_things_go_by_their_names_where_all_numbers_change(desk):
    """The same game with counters, hexes and boxes in another order goes on alike, choice by choice."""
    new = BASE.replace("3 red: Red 1 @A1", "3 red: Red 0, Red 1 @A1").replace("4 blue: Blue 1", "4 blue: Blue 0, Blue 1")
    new = new.replace("grid: rows A..D", "grid: rows A..E").replace("D1..D5\n", "D1..D5, E1..E5\n")
    new = new.replace("  box dead(s: side)\n", "  box away\n  box dead(s: side)\n")
    game = saved(desk, BASE, 9)
    found = desk.after(BASE, new)
    assert found["lawful"], desk.said
    on = desk.verdict.game
    assert on.program.units != game.program.units

    def names(g):
        return {g.program.units[u]: g.program.board.places[p] for u, p in enumerate(g.state.at) if p is not None}

    assert names(on) == names(game)
    players = {side: RandomPlayer(i) for i, side in enumerate(game.program.sides)}
    for _ in range(15):
        if game.over:
            break
        d = game.decisions[0]
        choice = players[d.side](game, d)
        on.do(on.read(game.show(choice)))
        game.do(choice)
        assert names(on) == names(game) and on.over == game.over


# ---------------------------------------------------------------- the command


def test_against_the_revision_that_a_save_was_played_under(tmp_path, repos, monkeypatch, capsys):
    top = repos.repository(tmp_path / "r", {"skirmish.rules": BASE})
    monkeypatch.chdir(top)
    played("skirmish.rules", 6).save("g.save")
    (top / "skirmish.rules").write_text(BASE.replace("budget: 3", "budget: 2"))
    words = ["migrate", "g.save", "--book", "skirmish.rules"]
    assert main([*words, "--from-now-on"]) == 2 and "which rules are to hold?" in capsys.readouterr().err
    assert main([*words, "--git", "v1", "--from-now-on", "--write", "n.save", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["lawful"] is True
    assert resume("n.save", lambda _: load("skirmish.rules").program).program.rules_hash
    assert main([*words, "--git", "v1"]) in (0, 1)
    assert main([*words, "--git", "v9", "--from-now-on"]) == 2 and "no revision" in capsys.readouterr().err


def test_bad_input_is_one_line(desk):
    book = desk.book(BASE + SHORT)
    played(book, 2).save(desk.save)
    words = ["--book", book, "--overlay", "short", "--from-now-on"]
    (desk.folder / "no.save").write_text("nothing")
    for save, code, said in (("none.save", 1, "there is no save"), ("no.save", 1, "is not a saved game of ours")):
        assert main(["migrate", save, *words]) == code
        err = desk.capsys.readouterr().err
        assert said in err and "Traceback" not in err
    assert main(["migrate", str(desk.save), *words, "-o", str(desk.save)]) == 2
    assert "a save is not written over" in desk.capsys.readouterr().err
    assert main(["migrate", str(desk.save), *words, "-o", "no/folder/x.save"]) in (1, 2)
    assert main(["migrate", str(desk.save), "--book", book, "--overlay", "nope", "--from-now-on"]) in (1, 2)
    assert "Traceback" not in desk.capsys.readouterr().err


def test_a_forged_start_is_refused(desk):
    from rulewright.runtime.journal import CARRIED, Header, Played

    book = desk.book(BASE)
    game = played(book, 2)
    told = {"rules": "skirmish", "rules_hash": game.program.rules_hash, "scenario": "battle", "seed": 1}
    for start in ({"readings": {}}, {**game.state.plain(), "at": [999, 0, 0, 0]}):
        header = Header(**told, start=start, format=CARRIED, before=(Played("x", "y", 3, "z"),))
        Journal(header).save_as("forged.save")
        with pytest.raises(SaveProblem, match="is not one of these rules"):
            resume("forged.save", lambda _: game.program)
    header = Header(**told, start=game.state.plain(), format=CARRIED, before=())
    Journal(header).save_as("forged.save")
    with pytest.raises(SaveProblem, match="does not say what was played before"):
        resume("forged.save", lambda _: game.program)


def test_a_save_that_does_not_replay_is_named(desk):
    book = desk.book(BASE + SHORT)
    game = played(book, 3)
    forged = Journal(game.journal.header)
    events = list(game.journal.events())
    for event in [events[1], *events[1:]]:
        forged.append(event)
    forged.save_as(desk.save)
    assert main(["migrate", str(desk.save), "--book", book, "--overlay", "short", "--from-now-on"]) == 1
    err = desk.capsys.readouterr().err
    assert "does not replay under its own rules" in err and len(err.splitlines()) == 2


def test_a_place_that_is_gone_is_told_in_the_words_of_the_old_rules(desk):
    game = load(desk.book(BASE, "before")).new()
    game.do('red: move("Red 1", [@A1, @B1])')
    game.save(desk.save)
    found = desk.after(BASE, BASE.replace("B1..B5", "B2..B5"))
    assert [b["what"] for b in found["breaks"]] == ["Red 1 is in B1, which the new rules do not have"]
    assert 'choice 1: Red: move: Red 1, A1, B1 is refused: there is no place "B1"' in desk.said
