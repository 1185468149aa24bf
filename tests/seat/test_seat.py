"""One side at a table, without typed lines: items as data, undo by the seat that chose, its view only."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.players import contestant, seat_players
from rulewright.compiler.seat.seat import Seat
from rulewright.compiler.seat.table import Table
from rulewright.runtime.players import play
from rulewright.runtime.problems import Refusal
from rulewright.runtime.text import Choice

SKIRMISH = str(Path(__file__).parents[1] / "books" / "skirmish.rules")


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.chdir(tmp_path)
    loaded = load(SKIRMISH)
    return Table(loaded, loaded.new(None, 1), dict.fromkeys(loaded.program.sides))


def seated(table: Table, side: str) -> Seat:
    seat = Seat(table, side)
    seat.look_again()
    return seat


def test_a_path_is_data_with_its_cost(table: Table) -> None:
    red = seated(table, "red")
    red.take(red.pick(red.step, 1))
    assert [x.unit for x in red.step.items] == [0, 1]
    red.take(red.pick(red.step, 1))
    for item in red.step.items:
        assert item.path[-1] == item.place and item.path[0] == table.game.state.at[0]
        assert item.cost == table.game.program.actions["move"].params[1].cost(red.seen.state, "red", 0, item.path)


def test_only_the_seat_that_chose_takes_its_choice_back(table: Table) -> None:
    red = seated(table, "red")
    start = table.game.digest()
    with pytest.raises(Refusal, match="nothing to undo"):
        table.undo_by("red")
    red.take(red.pick(red.step, 1))
    red.take(red.pick(red.step, 1))
    red.take(red.pick(red.step, 1))
    with pytest.raises(Refusal, match="another's"):
        table.undo_by("blue")
    table.undo_by("red")
    assert table.game.digest() == start


def test_back_to_the_start_of_a_phase_takes_all_choices_of_it(table: Table) -> None:
    red = seated(table, "red")
    start = table.game.digest()
    for _ in range(2):
        made = len(table.game.journal)
        while len(table.game.journal) == made:
            red.take(red.pick(red.step, 1))
        red.look_again()
    assert len(table.own) == 2 and table.phase_start("red") == 0
    table.undo_phase("red")
    assert table.game.digest() == start and table.own == []


def test_a_seat_with_nothing_to_decide_has_no_step(table: Table) -> None:
    blue = seated(table, "blue")
    assert blue.steps == [] and blue.ways is None and "red" not in blue.question()


def test_players_at_a_table_make_the_choices_of_a_playtest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they do out of turn, too: the book has a standing offer that random players take up now and then."""
    monkeypatch.chdir(tmp_path)
    loaded = load(str(Path(SKIRMISH).with_name("secrets.rules")))
    seats = contestant(loaded, "random").seats
    played = loaded.new(None, 3)
    play(played, seat_players(seats, 3), 60)
    table = Table(loaded, loaded.new(None, 3), seat_players(seats, 3), until=60)
    table.advance()
    assert table.game.digest() == played.digest()
    standing = {name for name, x in loaded.program.actions.items() if "shout" in name}
    assert any(Choice.from_plain(x).name in standing for x in played.journal.events())


def test_where_sides_keep_secrets_a_phase_goes_back_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both lay a snare in secret, red moves twice: the two moves go back at once, the snares stay."""
    monkeypatch.chdir(tmp_path)
    loaded = load(str(Path(SKIRMISH).with_name("ambush.rules")))
    table = Table(loaded, loaded.new(None, 1), dict.fromkeys(loaded.program.sides))
    told = []
    for _ in range(4):
        decision = table.advance()
        assert decision is not None
        space = table.game.spaces(decision)[0]
        told.append((decision.side, space.name, table.game.digest()))
        table.do(decision.side, Choice(decision.id, decision.side, space.name, list(space.listing())[-1]))
    assert [x[:2] for x in told[2:]] == [("red", "move")] * 2 and table.secrets
    table.undo_phase("red")
    assert table.game.digest() == told[2][2] and len(table.game.journal) == 2
