"""The frame of The Russian Campaign: chapters 2 and 4 to 8, our charts, and a battle that plays."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime.players import RandomPlayer, play

BOOK = Path(__file__).parents[2] / "rulebooks" / "trc"
LATER = {
    "2.1/M1": "26.13", "2.1/M3": "26.9", "2.1/M5": "26.14", "2.1/M8": "26.8", "2.1/M11": "27.12",
}  # fmt: skip


def inventory() -> list[dict[str, str]]:
    with (BOOK / "inventory.tsv").open() as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def mine(case: str) -> bool:
    return case.split(".")[0] in {"2", "4", "5", "6", "7", "8"} or case in {
        f"ABS/{x}" for x in ("MAC", "TEC", "MAP", "COUNTERS", "TRT", "BOXES")
    }


def test_every_row_of_the_frame_is_declared() -> None:
    made = analyse("trc")
    assert made.entries is not None
    declared = {c for e in made.entries if type(e.node).__name__ != "Example" for c in (e.case, *e.covers)}
    wanted = {r["case"] for r in inventory() if r["executable"] in ("rule", "data") and mine(r["case"])}
    assert wanted - declared == set(LATER)


def test_the_book_checks_but_for_marks_of_later_chapters() -> None:
    waiting = {"bulgaria_released": "20.7", "invaded": "10.3.2", "arrives_in": "20.2"}
    for finding in analyse("trc").report.wrong:
        assert finding.code in ("RW501", "RW512") and any(f'"{mark}"' in finding.message for mark in waiting), (
            finding.message
        )


def test_every_unit_of_a_side_has_a_nation_of_that_side() -> None:
    book = analyse("trc").book
    assert book is not None
    for unit in book.units:
        assert (unit.fields["nation"] == "soviet") == (unit.fields["side"] == "russian"), unit.name


@pytest.mark.parametrize("scenario", ["battle", "frontier"])
def test_stacks_of_a_scenario_fit(scenario: str) -> None:
    loaded = load("trc")
    S = loaded.new(scenario).state
    fits = loaded.program.values["stack_fits"][0]
    stacks: dict[int, list[int]] = {}
    for unit, place in enumerate(S.at):
        if place is not None:
            stacks.setdefault(place, []).append(unit)
    assert len(stacks) > 20
    assert all(fits(S, tuple(us), h) for h, us in stacks.items())


@pytest.mark.parametrize("seed", range(4))
def test_the_battle_plays_to_an_end(seed: int) -> None:
    loaded = load("trc")
    game = loaded.new("battle", seed=seed)
    players = {s: RandomPlayer(seed * 7 + i) for i, s in enumerate(loaded.program.sides)}
    assert play(game, players, 3000) < 3000
    assert game.over and game.winner in ("axis", "russian")


YEAR_END = """\
variant conceded of trc "The Axis gives up in its first winter":
  case HOUSE/conceded "Conceded":
    add to sudden_death: true when s = russian and year(now) = 1942
"""


def test_sudden_death_is_asked_after_every_january(tmp_path: Path) -> None:
    (tmp_path / "conceded.rules").write_text(YEAR_END)
    loaded = load("trc+conceded", (tmp_path,))
    game = loaded.new("frontier", seed=3)
    closing = {s: (lambda g, d: RandomPlayer(1)(g, d)) for s in loaded.program.sides}
    play(game, closing, 3000)
    assert game.winner == "russian"
    assert loaded.program.turns[game.state.bind_now][0] == "Jan/Feb 1942"
