"""A game as a page: the steps are the game's, a side's page holds what the side may know, and the page asks for nothing."""

from __future__ import annotations

import base64
import gzip
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.cli.main import main
from rulewright.compiler.loader import analysed
from rulewright.compiler.pages.map.style import style_of
from rulewright.compiler.players import contestant, seat_players
from rulewright.compiler.replay.record import moves, record
from rulewright.compiler.replay.seen import Onlooker
from rulewright.runtime.game import Game
from rulewright.runtime.telling.diary import Diary
from rulewright.runtime.view import log_for, view

HERE = Path(__file__).parents[1]
SKIRMISH = str(HERE / "books" / "skirmish.rules")
spec = importlib.util.spec_from_file_location("rulewright_test_browser", HERE / "doc" / "browser.py")
chromium = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chromium)


def packed(page: str) -> dict[str, Any]:
    data = re.search(r'id="game">([^<]*)<', page)
    assert data is not None
    return json.loads(gzip.decompress(base64.b64decode(data[1])))


def written(tmp_path: Path, *words: str) -> str:
    page = tmp_path / "game.html"
    assert main(["export", *words, "-o", str(page), "--quiet"]) == 0
    return page.read_text(encoding="utf-8")


def positions(data: dict[str, Any]) -> list[dict[str, str]]:
    """Where each unit stands after every step, put together from the differences as the page does."""
    now: dict[int, int] = {}
    found = []
    for step in data["steps"]:
        for unit, *stand in step.get("u", ()):
            now.pop(unit, None)
            if stand:
                now[unit] = stand[0]
        found.append({data["units"][u][0]: data["places"][p][0] for u, p in now.items()})
    return found


def test_the_steps_are_those_of_the_game(tmp_path):
    data = packed(written(tmp_path, SKIRMISH, "--seed", "4"))
    loaded = load(SKIRMISH)
    game = loaded.new(None, 4)
    players = seat_players(contestant(loaded, "random").seats, 4)
    for choice in moves(game, players, None):
        game.do(choice)
    assert len(data["steps"]) == len(game.journal) + 1
    stand = {
        name: game.program.board.places[at]
        for name, at in zip(game.program.units, game.state.at, strict=True)
        if at is not None
    }
    assert {
        u: re.sub(r".*\((.*)\)", r"\1", p) for u, p in positions(data)[-1].items() if p.isascii()
    }.keys() == stand.keys()
    told = [data["texts"][n] for step in data["steps"] for n in step.get("l", ())]
    told += [data["texts"][step["s"]] for step in data["steps"]]
    assert set(Diary(game.program).lines(game.log)) <= set(told)
    assert all(step.get("y") for step in data["steps"][1:]), "every choice says why it was allowed"


def test_a_save_and_the_game_that_wrote_it_give_one_page(tmp_path):
    save = tmp_path / "kept.save"
    words = [
        "play",
        SKIRMISH,
        "--seed",
        "9",
        "--players",
        "random,random",
        "--until",
        "12",
        "--save",
        str(save),
        "--quiet",
    ]
    assert main(words) == 0
    assert written(tmp_path, str(save), "--rules", SKIRMISH) == written(
        tmp_path, SKIRMISH, "--seed", "9", "--until", "12"
    )


def test_the_page_says_whether_the_game_is_over(tmp_path):
    assert "The game is not over" in written(tmp_path, SKIRMISH, "--until", "2")
    assert "The game is over" in written(tmp_path, SKIRMISH)


@pytest.mark.parametrize("book", ["secrets", "council", "spies", "hands", "leaks"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_side_sees_what_its_view_shows_and_nothing_else(book, seed):
    loaded = load(str(HERE / "books" / f"{book}.rules"))
    made = analysed(loaded).book
    program = loaded.program
    for side in program.sides:
        watched = loaded.new(None, seed)
        onlooker = Onlooker(made, program, made.map, style_of(made), side)
        seen: list[dict[str, str]] = []
        look = onlooker.look

        def both(game: Game, look=look, seen=seen, side=side):
            found = look(game)
            known = {n: u["place"] for n, u in view(game, side)["units"].items() if u["place"] is not None}
            assert {program.units[u]: program.board.places[p] for u, (p, _) in found.units.items()} == known
            seen.append(known)
            return found

        onlooker.look = both
        players = seat_players(contestant(loaded, "random").seats, seed)
        replay = record(watched, moves(watched, players, 40), onlooker, side)
        assert seen
        known = Diary(program, side).lines(log_for(watched, side))
        mine = {line for step in replay.steps for line in (*step.lines, step.said)}
        assert set(known) <= mine
        for step in replay.steps[1:]:
            assert not (step.why and step.side != side), "what another side weighed"


def test_a_page_is_refused_with_a_word(tmp_path, capsys):
    for words in (["-o", "x.txt"], ["-o", "x.html", "--side", "green"], ["-o", "x.html", "--players", "person"]):
        assert main(["export", SKIRMISH, *words]) == 2
    said = capsys.readouterr().err
    assert "FILE.html" in said and 'no side "green"' in said and "--players random" in said


def test_pages_are_small(tmp_path):
    page = written(tmp_path, "trc", "--scenario", "battle", "--seed", "5")
    assert len(page) < 200_000
    assert page == written(tmp_path, "trc", "--scenario", "battle", "--seed", "5")


@pytest.mark.skipif(bool(chromium.why_not()), reason=chromium.why_not() or "pages are opened")
def test_the_page_replays_in_a_browser(tmp_path):
    page = tmp_path / "game.html"
    assert main(["export", "trc", "--scenario", "battle", "--seed", "5", "-o", str(page), "--quiet"]) == 0
    data = packed(page.read_text(encoding="utf-8"))
    browser = chromium.Browser(tmp_path / "profile")
    watch = "addEventListener('securitypolicyviolation', e => { window.broken = e.violatedDirective; })"
    browser.call("Page.addScriptToEvaluateOnNewDocument", source=watch)
    try:
        for how in ({"width": 1200, "dark": False}, {"width": 380, "dark": True}):
            browser.open(page, **how)
            browser.run(
                "new Promise(r => { const f = () => document.documentElement.dataset.ready ? r() : setTimeout(f, 20); f(); })"
            )
            assert browser.run("window.broken || ''") == ""
            assert browser.violations(chromium.find_axe()) == []
            browser.run("window.broken = ''")  # axe-core tries styles of its own
            assert browser.run("document.documentElement.scrollWidth") <= how["width"]
        press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}))"
        said = "document.getElementById('said').textContent"
        browser.run("document.body." + (press % "End").partition(".")[2])
        assert browser.run(said) == data["texts"][data["steps"][-1]["s"]]
        on_map = "[...document.querySelectorAll('#live .unit title')].map(t => t.textContent).sort()"
        hexes = {p[0] for p in data["places"] if len(p) == 3}
        for step in (-1, 17, 44):
            n = len(data["steps"]) - 1 if step < 0 else step
            browser.run(
                f"const at = document.getElementById('at'); at.value = {n}; at.dispatchEvent(new Event('input'))".replace(
                    "const at", "var at"
                )
            )
            assert (
                browser.run("document.getElementById('count').textContent") == f"Step {n} of {len(data['steps']) - 1}"
            )
            assert browser.run(on_map) == sorted(u for u, p in positions(data)[n].items() if p in hexes)
        browser.run("document.body." + (press % "ArrowLeft").partition(".")[2])
        assert browser.run(said) == data["texts"][data["steps"][43]["s"]]
        assert (
            browser.run(
                "performance.getEntriesByType('resource').filter(e => !e.name.startsWith('blob:')).map(e => e.name)"
            )
            == []
        )
        assert browser.run("window.broken || ''") == ""
    finally:
        browser.close()
