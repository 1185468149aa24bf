"""Probes of The Dark Valley and of the what-ifs of The Russian Campaign.

Each probe is a small book for one mechanic. Its examples hold; random players reach its end; a game saved in
the middle of a procedure goes on in another process to the same state; and a rule struck from the text makes
an example fail.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler import Loaded, load
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.loader import import_program, write
from rulewright.compiler.pipeline import analyse, compile_book
from rulewright.runtime import resume
from rulewright.runtime.game import Game
from rulewright.runtime.players import RandomPlayer, play

HERE = Path(__file__).parent
BOOKS = ("tdv_10_2", "tdv_10_5_6", "tdv_10_5_7", "tdv_13_5", "tdv_13_8", "trc_28_6")
OVERLAID = {"tdv_13_5+chain": "V.1", "trc_28_6+what_if": "V", "trc_28_6+sea": "W"}
PLAYED = (*BOOKS, "tdv_13_5+chain", "trc_28_6+what_if", "trc_28_6+what_if+sea")
SEEDS = (1, 2, 3)


def path_of(name: str, folder: Path = HERE) -> str:
    book, *overlays = name.split("+")
    return "+".join([str(folder / f"{book}.rules"), *overlays])


def failures(name: str, case: str | None = None, folder: Path | None = None) -> list[str]:
    """What the examples of a rule set (or of one case of it) find wrong; at least one must have run."""
    made = analyse(name) if folder is None else compile_book(name)
    assert made.book is not None and not made.report.failed, [d.message for d in made.report.found]
    chosen = [x for x in made.book.examples if case is None or x.case == case]
    assert chosen
    if folder is None:
        program = load(name).program
    else:
        write(made, folder)
        program = import_program(folder)
    outcomes = run_examples(made.book, program, chosen)
    return [f"{o.example.title}: line {line}: {text}" for o in outcomes for line, text in o.failures]


def players(book: Loaded, seed: int) -> dict[str, RandomPlayer]:
    return {side: RandomPlayer(seed * 100 + i) for i, side in enumerate(book.program.sides)}


@pytest.mark.parametrize("name", BOOKS)
def test_nothing_is_found_wrong(name: str) -> None:
    found = analyse(path_of(name)).report.found
    unread = {"RW501"} if name == "trc_28_6" else set()
    assert [d.message for d in found if d.code not in unread and d.severity != "remark"] == []


@pytest.mark.parametrize("name", BOOKS)
def test_examples(name: str) -> None:
    assert failures(path_of(name)) == []


@pytest.mark.parametrize("name", OVERLAID)
def test_examples_of_overlays(name: str) -> None:
    assert failures(path_of(name), OVERLAID[name]) == []


@pytest.mark.parametrize("name", PLAYED)
def test_random_players_reach_the_end(name: str) -> None:
    book = load(path_of(name))
    for seed in SEEDS:
        game = book.new(seed=seed)
        made = play(game, players(book, seed), most=5000)
        assert game.over and made > 5, f"seed {seed} is still going after {made} choices"


# ---------------------------------------------------------------- save and resume

RESUME = """
import sys
from rulewright.compiler import load
from rulewright.runtime import resume
from rulewright.runtime.players import RandomPlayer, play
book = load(sys.argv[1])
game = resume(sys.argv[2], load=lambda name: book.program)
print(game.digest())
play(game, {side: RandomPlayer(900 + i) for i, side in enumerate(book.program.sides)}, most=5000)
print(game.digest(), game.over, game.winner)
"""


def goes_on_elsewhere(name: str, game: Game, save: Path) -> None:
    """Save, finish here and in another process: the same states."""
    here = game.digest()
    game.save(save)
    book = load(path_of(name))
    command = [sys.executable, "-c", RESUME, path_of(name), str(save)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=save.parent)
    assert done.returncode == 0, done.stderr
    told = done.stdout.split()
    assert told[0] == here
    play(game, {side: RandomPlayer(900 + i) for i, side in enumerate(book.program.sides)}, most=5000)
    assert game.over
    assert told[1:] == [game.digest(), "True", str(game.winner)]


@pytest.mark.parametrize("name", [*BOOKS, "trc_28_6+what_if"])
def test_saved_in_the_middle(name: str, tmp_path: Path) -> None:
    book = load(path_of(name))
    game = book.new(seed=4)
    random = players(book, 4)
    play(game, random, most=6)
    while len(game.state.stack) == 1 and len(game.journal) < 12:
        play(game, random, most=1)
    assert not game.over and game.state.phases
    goes_on_elsewhere(name, game, tmp_path / "middle.save")


def test_saved_between_an_announcement_and_the_answer(tmp_path: Path) -> None:
    """Manstein is announced and Stavka may step in: the action waits on the stack under its own trigger."""
    game = load(path_of("tdv_10_2")).new(seed=9)
    random = players(load(path_of("tdv_10_2")), 9)
    for _ in range(3000):
        decision = game.decisions[0]
        if (
            decision.side == "axis"
            and decision.name == "play_manstein"
            and any(
                u == game.program.unit_index["Stavka"]
                for u in game.state.here[game.program.place_index["hand(soviet)"]]
            )
        ):
            game.do("axis: play_manstein()")
            break
        refuses = decision.name == "play_stavka"
        game.do("soviet: done" if refuses else random[decision.side](game, decision))
    assert [f[0] for f in game.state.stack if f[0].startswith("action ")] == ["action play_manstein"]
    assert game.decisions[0].name == "play_stavka"
    goes_on_elsewhere("tdv_10_2", game, tmp_path / "announced.save")


def test_saved_in_a_draft(tmp_path: Path) -> None:
    """Two drafted moves that need each other; taking back works in the other process as well."""
    book = load(path_of("tdv_10_5_6"))
    game = book.new(seed=3)
    while "axis" in {d.side for d in game.decisions}:
        game.do("axis: done")
    game.do('soviet: counter_march(u: "1 Rifle", p: D1>C1>C2)')
    assert "soviet: done" not in texts(game)
    game.do('soviet: counter_march(u: "1 Tank", p: D2>C2)')
    game.do('soviet: counter_march(u: "2 Rifle", p: D3>C3)')
    save = tmp_path / "draft.save"
    game.save(save)
    back = resume(save, load=lambda name: book.program)
    for g in (game, back):
        g.do("soviet: take_back")
        g.do("soviet: take_back")
    assert back.digest() == game.digest()
    assert "soviet: done" not in texts(back)
    game.do('soviet: counter_march(u: "1 Tank", p: D2>C2)')
    goes_on_elsewhere("tdv_10_5_6", game, tmp_path / "again.save")


def texts(game: Game) -> set[str]:
    from rulewright.runtime.text import show_choice

    return {show_choice(game.program, c) for c in game.legal()}


def test_replayed_from_its_journal(tmp_path: Path) -> None:
    """Without a snapshot the choices alone rebuild the game, readings included."""
    from rulewright.runtime.text import Choice

    book = load(path_of("tdv_10_2"))
    game = book.new(seed=6, readings={"overtaking": "lapses"})
    play(game, players(book, 6), most=120)
    again = book.new(seed=6, readings={"overtaking": "lapses"})
    for event in game.journal.events():
        again.do(Choice.from_plain(event))
    assert again.digest() == game.digest()
    save = tmp_path / "readings.save"
    game.journal.save_as(save)
    assert resume(save, load=lambda name: book.program).digest() == game.digest()


# ---------------------------------------------------------------- a rule struck out is noticed

MUTANTS = {
    "the opening pair of Turn 1 is free": ("tdv_10_2", "when now = Jun 1941:", "when now = Jun 1942 and blau_begun:"),
    "Fall Blau in both months": ("tdv_10_2", " and not blau_begun:", ":"),
    "Stavka may open an Axis turn": (
        "tdv_10_2",
        "when initiative = axis and not opened",
        "when initiative = axis and opened",
    ),
    "Manstein is not to be overtaken": (
        "tdv_10_2",
        "on before play_manstein():\n    clear overtaken\n    if any",
        "on before play_manstein():\n    clear overtaken\n    if no",
    ),
    "Stavka goes into the cup": (
        "tdv_10_2",
        'add to kept_out: true when c = "Stavka"',
        'add to kept_out: false when c = "Stavka"',
    ),
    "a lone rifle division is enough": ("tdv_10_5_6", "count(us) > 1 or", "count(us) > 0 or"),
    "moved units need not be able to fight": ("tdv_10_5_6", "    idle when not a.shifted\n", "    idle\n"),
    "a helper may be spent": (
        "tdv_10_5_6",
        "units_at(d).hit = true: no counter_plan()",
        "units_at(d).hit = true: not any counter_plan() and false",
    ),
    "no least number of attacks": ("tdv_10_5_6", "highest(d, 6)", "highest(d, 1)"),
    "Romania counts in June": ("tdv_10_5_6", "when now = Jun 1941", "when now = Aug 1941"),
    "a far division instead of a near one": ("tdv_10_5_6", "away(r) < away(q)", "away(r) > away(q)"),
    "range measured as one goes": ("tdv_10_5_7", "when not active(u)", "when not may_act(u)"),
    "infantry fights after moving": (
        "tdv_10_5_7",
        "when chosen = move_then_fight and any",
        "when chosen = fight_then_move and any",
    ),
    "other headquarters move": (
        "tdv_10_5_7",
        "u.arm = headquarters and u != hq",
        "u.arm = headquarters and u = nobody",
    ),
    "a city works without rails": (
        "tdv_13_5",
        'supposing "Spare Depot" at c: depot_works("Spare Depot") otherwise',
        "true otherwise",
    ),
    "a city east of a depot": ("tdv_13_5", "where not west_of(c, it.hex)", "where west_of(it.hex, it.hex)"),
    "headquarters through headquarters": (
        "tdv_13_5",
        "may_lean_on: false when u.arm = headquarters",
        "may_lean_on: false when u.arm = depot",
    ),
    "headquarters feed without being fed": (
        "tdv_13_5",
        "over fed where it.arm = headquarters",
        "over units(axis) where it.arm = headquarters",
    ),
    "the marker follows the line": ("tdv_13_8", "3 when u.supply != supplied", "3 when live(u) != supplied"),
    "attrition restores supply": (
        "tdv_13_8",
        "      for each u in eased:\n        set u.supply = out",
        "      for each u in eased:\n        set u.supply = live(u)",
    ),
    "attrition asks for the line of the enemy": (
        "tdv_13_8",
        "combat(it) and it.supply = supplied\n",
        "combat(it) and live(it) = supplied\n",
    ),
    "flights for the newly cut off": (
        "tdv_13_8",
        "u.arm = panzer and u.supply = out",
        "u.arm = panzer and live(u) = out",
    ),
    "neutral oil stays shut": (
        "trc_28_6+what_if",
        "waive 28.6.III.MD.2/p2 yields_oil when sellout",
        "waive 28.6.III.MD.2/p2 yields_oil when sellout and bulge",
    ),
    "the gambit needs nothing": (
        "trc_28_6+what_if",
        "when reaction and phasing = axis and nr = 2",
        "when phasing = axis and nr = 2",
    ),
    "Tunisia after a sellout": ("trc_28_6+what_if", "when not sellout and phasing", "when phasing"),
    "the reaction in any spring": (
        "trc_28_6+what_if",
        "turn_before(u.due) when reaction",
        "turn_before(u.due) when distraction",
    ),
    "two invasions after all": ("trc_28_6+sea", "invasions: unlimited", "invasions: 3"),
    "a sinking closes nothing": (
        "trc_28_6+sea",
        "forbid invade as closed when sunk(phasing)",
        "forbid invade as closed when sunk(phasing) and phasing = axis",
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_broken_rule_fails_an_example(mutant: str, tmp_path: Path) -> None:
    name, old, new = MUTANTS[mutant]
    book = name.split("+")[0]
    text = (HERE / f"{book}.rules").read_text()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    (tmp_path / f"{book}.rules").write_text(text.replace(old, new))
    assert failures(path_of(name, tmp_path), OVERLAID.get(name), tmp_path / "compiled") != []
