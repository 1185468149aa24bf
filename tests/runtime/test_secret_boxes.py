"""Secret boxes: games that differ only in what lies in them are the same to those who may not see it."""

from __future__ import annotations

from pathlib import Path

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import Game, Refusal, canon
from rulewright.runtime.ops import shift
from rulewright.runtime.view import legal_for, log_for, refusals_for, save_for, view, why_for

BOOK = str(Path(__file__).parents[1] / "books" / "hands.rules")


def game_with(red: tuple[str, ...], ambush: tuple[str, ...] = ()) -> Game:
    """A game in which red holds these cards and has these columns in ambush."""
    game = load(BOOK).new("evening", seed=1)
    at = game.program.place_index
    for name in red:
        shift(game.state, game.program.unit_index[name], at["hand(red)"])
    for name in ambush:
        shift(game.state, game.program.unit_index[name], at["ambush(red)"])
    game.state.forget()
    return game


def said(game: Game, side: str, text: str) -> str:
    try:
        return why_for(game, side, text)
    except Refusal as refusal:
        return f"refused: {refusal.message}"


def seen_by(game: Game, side: str) -> bytes:
    asked = ["units_at(hand(red))", "count(units_at(hand(red)))", "units_at(ambush(red))", '"Ace".hex', '"Fog".marked']
    asked += ["count(units_at(ambush(red)))", "count(counters(red))", 'drawn_before("Ace")', "whereabouts(red)"]
    choices = [c.plain() for c in legal_for(game, side)]
    refused = [[g.case, g.label] for g in refusals_for(game, side, f'{side}: play_card("Ace")')]
    values = [said(game, side, text) for text in asked]
    return canon.dumps([view(game, side), log_for(game, side), choices, refused, values, save_for(game, side).hex()])


def test_which_cards_lie_in_a_hand_is_not_told() -> None:
    one, other = game_with(("Ace", "Fog")), game_with(("Corn", "Bread"))
    assert seen_by(one, "blue") == seen_by(other, "blue")
    assert seen_by(one, "red") != seen_by(other, "red")
    assert view(one, "blue")["cups"]["hand(red)"] == 2 and "hand(red)" not in view(one, "red")["cups"]
    assert "Ace" not in view(one, "blue")["units"] and view(one, "red")["units"]["Ace"]["place"] == "hand(red)"
    assert "2" in said(one, "blue", "count(units_at(hand(red)))")
    assert "may not see" in said(one, "blue", "units_at(hand(red))")


def test_how_many_lie_in_a_box_that_is_not_counted_is_not_told() -> None:
    game = game_with((), ("Red 1",))
    assert "ambush(red)" not in view(game, "blue")["cups"]
    assert "may not see" in said(game, "blue", "count(units_at(ambush(red)))")
    assert "1" in said(game, "red", "count(units_at(ambush(red)))")


def test_a_log_tells_no_more() -> None:
    game = load(BOOK).new("evening", seed=1)
    game.do('red: hide("Red 1")')
    told = canon.dumps([e for e in log_for(game, "blue") if e["event"] in ("put", "set")])
    mine = canon.dumps([e for e in log_for(game, "red") if e["event"] in ("put", "set")])
    assert b"ambush" not in told and told != mine
    game = load(BOOK).new("evening", seed=1)
    game.do("red: draw_card")
    drawn = next(e for e in log_for(game, "red") if e["event"] == "put")
    hidden = next(e for e in log_for(game, "blue") if e["event"] == "put")
    assert len(drawn["units"]) == 1 and hidden["units"] == 1
    assert any(e["event"] == "set" for e in log_for(game, "red"))
    assert not any(e["event"] == "set" for e in log_for(game, "blue"))


LEAKS = """book leaks "What gets out"
case 1 "Cards":
  kind side: red, blue
  field worth of unit: number
  box hand(s: side) secret to s counted
  box table
  mark total of side: number
  roster cards:
    form: worth side
    1 red: Ace
    1 blue: Two
  action tell() by red during turn:
    set red.total = sum(it.worth over units_at(hand(red)))
  action fear() by red during turn:
    when any units_at(hand(blue))
    set red.total = 1
  action size_up() by red during turn:
    when count(units_at(hand(blue))) > 0
    set red.total = count(units_at(hand(blue)))
  action think() by red during turn:
    when any units_at(hand(actor))
    log "red thinks"
  sequence s:
    phase turn:
      offer red: tell, fear, size_up, think
  scenario one:
    sequence: s
  invariant low: red.total < 99
"""


def test_the_compiler_finds_what_gets_out(tmp_path: Path) -> None:
    path = tmp_path / "leaks.rules"
    path.write_text(LEAKS, encoding="utf-8")
    found = [(d.code, d.span.line) for d in analyse(str(path)).report.found if d.code in ("RW601", "RW602", "RW603")]
    assert found == [("RW601", 13), ("RW602", 15)]


def test_what_an_owner_does_with_its_own_is_no_secret(tmp_path: Path) -> None:
    """RW602 follows definitions: `due(phasing)` is the acting side's own, `due(foe(phasing))` is not."""
    text = (Path(__file__).parent.parent / "books" / "leaks.rules").read_text()
    path = tmp_path / "leaks.rules"

    def told() -> list[tuple[str, int]]:
        path.write_text(text)
        return [(d.code, d.span.line) for d in analyse(str(path)).report.found if d.code == "RW602"]

    look = 1 + text.splitlines().index("  action look(c: unit from units_at(bag)) by phasing during day:")
    cancel = 1 + text.splitlines().index("  action cancel(u: unit from due(phasing)) by phasing during day:")
    spent = 1 + text.splitlines().index("    spend flights(h)")  # by both sides, hex by hex where a secret target is
    rich = 1 + text.splitlines().index("    when rich > 4")  # a memory of what lies in the bag
    always = [("RW602", look), ("RW602", spent), ("RW602", rich)]
    assert sorted(told()) == sorted(always)
    text = text.replace("from due(phasing)", "from due(foe(phasing))")
    assert sorted(told()) == sorted([*always, ("RW602", cancel)])
