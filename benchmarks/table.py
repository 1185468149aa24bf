"""The table in a real browser: a click to the next picture, the largest map while it is moved, weight, a cold start.

A real server runs in a process of its own with an empty cache. Times are of the clock. What the browser does is held
against what the same machine does at the same time without it: one answer of the room, a frame of an empty page, a
cold check of the same book.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib.util
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .timing import Figure

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CLICKS, MOVES = 40, 60
MAIN = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"
DRAWN = "n => document.body.dataset.n && document.body.dataset.n !== n"
CLICK = """i => new Promise(done => {
  const n = document.body.dataset.n, start = performance.now();
  new MutationObserver((_, seen) => {
    if (document.body.dataset.n === n) return;
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
  }).observe(document.body, { attributes: true });
  window.rulewright.send({ do: "pick", i });
})"""
WATCH = """() => { window.frameTimes = []; let last = performance.now();
  const go = t => { window.frameTimes.push(t - last); last = t; if (!window.enough) requestAnimationFrame(go); };
  window.enough = false; requestAnimationFrame(go); }"""


def figures() -> list[Figure]:
    names = (
        "trc: click to picture ÷ one answer of the room",
        "a frame while the map of fite is moved ÷ one of an empty page",
        "KB of trc to the first board, compressed",
        "trc: cold start to the first board ÷ a cold check",
    )
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    lacking = [x for x in ("playwright", "starlette", "uvicorn") if importlib.util.find_spec(x) is None]
    if browser is None or lacking:
        why = f"not installed: {', '.join(lacking) or 'Chromium'}"
        return [Figure(name, None, note=why) for name in names]
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        chrome = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        try:
            return [
                clicks(chrome, Path(folder), names[0]),
                moves(chrome, Path(folder), names[1]),
                *start(chrome, Path(folder), names[2:]),
            ]
        finally:
            chrome.close()


@contextlib.contextmanager
def served(folder: Path, cache: str, *words: str) -> Iterator[str]:
    """The link of a hot seat of a server that runs meanwhile."""
    env = {**os.environ, "RULEWRIGHT_CACHE": str(folder / cache)}
    where = ("--port", "0", "--no-open", "--folder", str(folder / "games"))
    command = [sys.executable, "-c", MAIN, "table", *words, *where]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield next(line.split()[-1] for line in process.stdout if "hot seat" in line)
    finally:
        process.kill()
        process.wait()


def opened(chrome: Any, url: str) -> Any:
    """A page whose board is drawn, without a curtain."""
    page = chrome.new_context(viewport={"width": 1400, "height": 860}).new_page()
    page.goto(url)
    up = "() => document.body.dataset.n || !document.querySelector('#cover-lift').hidden"
    page.wait_for_function(up, timeout=300_000)
    if page.locator("#cover-lift").is_visible():
        before = page.evaluate("document.body.dataset.n ?? null")
        page.click("#cover-lift")
        page.wait_for_function(DRAWN, arg=before)
    return page


def clicks(chrome: Any, folder: Path, name: str) -> Figure:
    """Random picks of a battle: in the browser from the click to the second frame after it; the same ones in a room."""
    dice, made = random.Random(1), []
    with served(folder, "warm", "trc", "--scenario", "battle") as url:
        page = opened(chrome, url)
        while len(made) < CLICKS:
            ask = page.evaluate("window.rulewright.frame.ask")
            if ask is None:
                break
            may = [i for i, x in enumerate(ask["items"]) if not x.get("shut") and x["t"] != "done"]
            if ask["sort"] not in ("one", "kinds") or not may:
                break
            i = dice.choice(may)
            made.append((i, page.evaluate(CLICK, i)))
        page.context.close()
    answers = room_answers(folder, [i for i, _ in made])
    redraw, answer = statistics.median(ms for _, ms in made), 1000 * statistics.median(answers)
    slow = sorted(ms for _, ms in made)[int(0.95 * (len(made) - 1))]
    note = f"{len(made)} clicks: {redraw:.0f} ms in the middle, {slow:.0f} at 95 %; the room {answer:.1f} ms"
    return Figure(name, redraw / answer, most=12, note=note)


def room_answers(folder: Path, picks: list[int]) -> list[float]:
    """Seconds that a room takes for the same picks: it obeys and makes the frame."""
    from rulewright.table.links import HOT
    from rulewright.table.room import Room
    from rulewright.table.shelf import Shelf

    shelf = Shelf(folder / "games")
    card = shelf.cards()[0]
    shelf.path(card).unlink(missing_ok=True)
    room = Room(card, shelf)
    room.run(None)
    sitter = room.enter(next(x for x in card.links if x.kind == HOT))
    room.frame(sitter)
    found = []
    for i in picks:
        begun = time.perf_counter()
        room.obey(sitter, {"do": "pick", "i": i, "n": room.chair(sitter.side).n})
        room.news(sitter)
        found.append(time.perf_counter() - begun)
    room.table.game.journal.close()
    return found


def moves(chrome: Any, folder: Path, name: str) -> Figure:
    """The map of 9,815 hexes is dragged about; beside it, an empty page under the same hand."""
    with served(folder, "warm", "fite", "--scenario", "war") as url:
        page = opened(chrome, url)
        page.evaluate("window.rulewright.board.zoom(1 / window.rulewright.board.scale)")
        page.wait_for_timeout(3000)
        large = dragged(page)
        page.goto("about:blank")
        empty = dragged(page)
        page.context.close()
    late = sorted(large)[int(0.95 * (len(large) - 1))]
    mid, bare = statistics.median(large), statistics.median(empty)
    return Figure(name, mid / bare, most=2, note=f"{mid:.0f} ms in the middle, {late:.0f} at 95 %, {bare:.0f} empty")


def dragged(page: Any) -> list[float]:
    page.evaluate(WATCH)
    page.mouse.move(600, 500)
    page.mouse.down()
    for i in range(MOVES):
        page.mouse.move(600 - 5 * i, 500 - 3 * i)
    page.mouse.up()
    page.evaluate("() => { window.enough = true; }")
    return [float(x) for x in page.evaluate("window.frameTimes.slice(2)")]


def start(chrome: Any, folder: Path, names: tuple[str, ...]) -> list[Figure]:
    """From the command to the first board, with nothing in the cache; and how much came over the line by then."""
    begun = time.perf_counter()
    weight, frames = [0.0], list[str]()
    with served(folder, "cold", "trc", "--scenario", "battle") as url:
        page = chrome.new_context(viewport={"width": 1400, "height": 860}).new_page()
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        line.on("Network.loadingFinished", lambda told: weight.append(told["encodedDataLength"]))
        page.on("websocket", lambda ws: ws.on("framereceived", lambda told: frames.append(str(told))))
        page.goto(url)
        page.wait_for_selector("#cover-text")
        shown = time.perf_counter() - begun
        page.wait_for_function(DRAWN, arg=None, timeout=300_000)
        board = time.perf_counter() - begun
        page.wait_for_timeout(500)
        page.context.close()
    kilobytes = (sum(weight) + len(gzip.compress("".join(frames).encode()))) / 1000
    env = {**os.environ, "RULEWRIGHT_CACHE": str(folder / "check")}
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", MAIN, "check", "trc"], check=True, env=env, stdout=subprocess.DEVNULL)
    check = time.perf_counter() - begun
    note = f"{board:.1f} s, progress is shown from {shown:.1f} s on; the check {check:.1f} s"
    return [
        Figure(names[0], kilobytes, most=100, note="page, map, pieces and the first frames"),
        Figure(names[1], board / check, most=2, note=note),
    ]
