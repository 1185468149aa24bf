"""Folded rules give the answers of unfolded ones and of the oracle; what is folded stays known to an edit.

Small definitions stand where they are asked, answers that rest on the map alone are found once, sums and roundings are
reckoned in place. The book `folds` has a definition for each of these, and one that each of them must leave alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rulewright.compiler.cache import incremental as remember
from rulewright.compiler.cache import parsed_blocks as blocks
from rulewright.compiler.compiled import names_of
from rulewright.compiler.examples.coverage import coverage
from rulewright.compiler.interpret.game import Oracle
from rulewright.compiler.loader import import_program, write
from rulewright.compiler.pipeline import Compiled, compile_book
from rulewright.runtime import ops
from rulewright.runtime.begin import new_game
from rulewright.runtime.problems import Conflict, Fault
from rulewright.runtime.program import Program
from rulewright.runtime.state import State
from rulewright.runtime.telling.trace import nodes

BOOK = Path(__file__).with_name("books") / "folds.rules"
ORACLE = BOOK.with_name("oracle.rules")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("folds")


@cache
def made(book: Path, folded: bool) -> Compiled:
    found = compile_book(str(book), folded=folded)
    assert found.emitted is not None, found.report.found
    return found


@cache
def program(book: Path, folded: bool, folder: Path) -> Program:
    where = folder / f"{book.stem}-{folded}"
    write(made(book, folded), where)
    return import_program(where)


def rules(folder: Path) -> SimpleNamespace:
    return names_of(program(BOOK, True, folder))


def body(name: str, text: str = "") -> str:
    """The text of one function."""
    text = text or (made(BOOK, True).emitted or pytest.fail()).code()
    return text.split(f"\ndef {name}(")[1].split("\n\n\n")[0]


def states(one: Program) -> Iterator[State]:
    """Positions that differ in everything that the definitions of the book look at."""
    for season, now, spent, sunk in product(("summer", "winter"), (0, 4, 9), (0, 2), (1, 2)):
        S = new_game(one, None, 1).state
        ops.set_mark(S, "game_season", None, season, "1")
        ops.set_mark(S, "game_now", None, now, "1")
        ops.set_mark(S, "unit_spent", spent, True, "1")
        ops.set_mark(S, "unit_sunk", sunk, True, "1")
        yield S


def members(one: Program, type: str) -> list[Any]:
    """Values of a type to ask about; none where there is no end of them."""
    known = {
        "unit": list(range(len(one.units))),
        "place": list(range(one.board.hexes)),
        "hexside": [(a, b) for a, near in enumerate(one.board.neighbors) for b in near if a < b],
        "number": [0, 3],
        "flag": [False, True],
    }
    return list(one.kinds.get(type[5:], ())) if type.startswith("kind:") else known.get(type, [])


def outcome(ask: Any, S: State, args: list[Any]) -> Any:
    try:
        return ask(S, *args)
    except Fault as fault:
        return type(fault)
    except TypeError:  # something is asked of a unit that is nowhere
        return None


def answers(one: Program, S: State) -> dict[tuple[Any, ...], Any]:
    found = {}
    for name, (ask, types, _, _) in one.values.items():
        for args in product(*(members(one, t) for t in types)):
            found[name, *args] = outcome(ask, S, list(args))
    return found


def test_folded_unfolded_and_interpreted_agree(folder: Path) -> None:
    folded, unfolded = program(BOOK, True, folder), program(BOOK, False, folder)
    plainly = Oracle(made(BOOK, True).book).program
    seen: set[Any] = set()
    for S in states(folded):
        wanted = answers(unfolded, State.from_plain(unfolded, S.plain()))
        assert answers(folded, S) == wanted
        asked = State.from_plain(plainly, S.plain())
        for (name, *args), value in wanted.items():
            assert outcome(plainly.values[name][0], asked, args) == value, (name, args)
        seen.update((name, value) for (name, *_), value in wanted.items())
    assert ("defence", Conflict) in seen and ("zone", Conflict) in seen
    assert {value for name, value in seen if name == "cold"} == {0, 1, 2}


def test_the_oracle_agrees_unfolded(folder: Path) -> None:
    folded, unfolded = program(ORACLE, True, folder), program(ORACLE, False, folder)
    S = new_game(folded, "brawl", 5).state
    other = State.from_plain(unfolded, S.plain())
    for name, (ask, types, _, _) in folded.values.items():
        domains = [members(folded, t)[:6] for t in types]
        for args in product(*domains):
            wanted = outcome(unfolded.values[name][0], other, list(args))
            assert wanted is None or outcome(ask, S, list(args)) == wanted, (name, args)


def test_small_definitions_stand_where_they_are_asked() -> None:
    assert "cold(" not in body("first_cold") + body("no_cold")  # a comparison of constants is its condition
    assert " 1" not in body("first_cold").split('"""')[2] and '"winter"' in body("first_cold")
    assert "worth" not in body("force") and "sum(" not in body("force")
    assert "ratio(" not in body("ratio_of") and "up(" not in body("ratio_of")


def test_what_is_dear_is_asked_once() -> None:
    assert "twice(S, len(units(S, s)))" in body("many")  # folded, it would count twice
    assert "stops_at(S, edge(h, it))" in body("open_ring")


def test_unfolded_rules_call_every_definition() -> None:
    text = (made(BOOK, False).emitted or pytest.fail()).code()
    assert "cold(S)" in body("first_cold", text) and "worth(S, it)" in body("force", text)
    assert "ring(S, S.at[u])" in text and "RING[" not in text


def test_answers_that_rest_on_the_map_are_found_once(folder: Path) -> None:
    """One table serves every game; what hangs on a reading or on the state of a game has none."""
    found = rules(folder)
    S, T = (new_game(found.PROGRAM, None, seed).state for seed in (1, 2))
    foot = found.PROGRAM.unit_index["Red 1"]
    here = S.at[foot]
    found.RING.clear()
    assert found.zone(S, foot) is found.zone(T, foot) is found.RING[here]
    assert list(found.RING) == [here]
    assert found.near_town(S, here) == any(here in found.NEAR[t] for t in found.TOWNS[None])
    text = (made(BOOK, True).emitted or pytest.fail()).code()
    assert [line.split(" = ")[0] for line in text.split("\n") if " = ByPlace(" in line] == ["RING", "TOWNS"]
    wide = new_game(found.PROGRAM, None, 1, {"broad": "wide"}).state
    assert len(found.breadth(wide, here)) == 19 > len(found.breadth(S, here))


def test_no_conflict_hides_behind_a_condition_that_holds(folder: Path) -> None:
    """A unit in a town is doubled whatever else there is, but two cases that contradict one another are told."""
    S = new_game(program(BOOK, True, folder), None, 1).state
    horse = S.program.unit_index["Red Horse"]
    assert rules(folder).defence(S, horse) == 10
    for mark in ("unit_sunk", "unit_spent"):
        ops.set_mark(S, mark, horse, True, "1")
    with pytest.raises(Conflict, match=r"5\.2 and 5\.3"):
        rules(folder).defence(S, horse)
    assert "step_value" in body("defence")


EDITS = {
    "a small definition": ("1 when season = winter and now < 6", "1 when season = winter and now < 5"),
    "one that grows dear": (
        "define cold -> number:",
        "define cold -> number:\n    3 when any units(red) where it.spent",
    ),
    "a table that moves": ("where not edge(h, it).river)", "where not edge(h, it).river or season = mud)"),
    "a number no longer whole": (
        "    u.strength\n    stages: halved round up\n",
        "    u.strength / 3\n    stages: halved\n",
    ),
    "a printed value": ("5 horse red", "6 horse red"),
    "a conflict": ("define doubtful(u: unit) -> flag: false", "define doubtful(u: unit) -> flag: u.spent"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_reaches_those_it_is_folded_into(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = EDITS[name]
    book = tmp_path / "folds.rules"
    text = BOOK.read_text()
    assert old in text
    book.write_text(text)
    before = compile_book(str(book)).emitted
    book.write_text(text.replace(old, new))
    again = compile_book(str(book)).emitted
    monkeypatch.setattr(remember, "_MEMORIES", {})
    monkeypatch.setattr(blocks, "_FILES", {})
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    cold = compile_book(str(book)).emitted
    assert before is not None and again is not None and cold is not None
    assert (again.modules, again.map) == (cold.modules, cold.map)
    assert again.modules != before.modules


def test_coverage_sees_a_case_that_is_folded_away() -> None:
    rows = {row.case: row for row in coverage(str(BOOK))}
    assert {rows["2"].status, rows["5"].status} <= {"run", "weak"}  # executed; one that no line ran of is compiled


# ---------------------------------------------------------------- the traced twin


def traced(folder: Path) -> Program:
    found = program(BOOK, True, folder).traced
    assert found is not None
    return found()


def test_what_is_asked_again_shares_its_node(folder: Path) -> None:
    twin = traced(folder)
    S = new_game(twin, None, 1).state
    S.trace = []
    assert twin.values["ratio_of"][0](S, "red") == twin.values["ratio_of"][0](S, "red")
    first, second = (nodes(nodes([top])[0].below) for top in S.trace)
    assert [x.name for x in first] == ["force"] * 3
    assert len({id(x) for top in S.trace for x in top[4]}) == 1
    assert [x.name for x in nodes(second[0].below)] == ["worth"] * 3
    ops.set_mark(S, "unit_spent", twin.unit_index["Red 1"], True, "1")
    S.trace = []
    twin.values["ratio_of"][0](S, "red")
    assert nodes(nodes(S.trace)[0].below)[0].value == first[0].value - 1


def test_a_trace_tells_of_tables(folder: Path) -> None:
    """An answer that is found once is told wherever it is asked, with what it asked in turn."""
    twin = traced(folder)
    for seed in (1, 2):
        S = new_game(twin, None, seed).state
        S.trace = []
        foot = twin.unit_index["Red 1"]
        twin.values["zone"][0](S, foot)
        (zone,) = nodes(S.trace)
        (ring,) = nodes(zone.below)
        assert (zone.case, ring.name, ring.args, ring.case) == ("4.1", "ring", (S.at[foot],), "3")
        assert zone.value == ring.value


def test_the_case_that_decides_is_cited(folder: Path) -> None:
    twin = traced(folder)
    S = new_game(twin, None, 1).state
    horse = twin.unit_index["Red Horse"]
    for spent, case in ((False, "4.2"), (True, "4.4")):
        ops.set_mark(S, "unit_spent", horse, spent, "1")
        S.trace = []
        twin.values["zone"][0](S, horse)
        assert nodes(S.trace)[-1].case == case
