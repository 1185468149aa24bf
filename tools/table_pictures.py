"""Take the pictures of docs/table.md again: a real server, a real browser, a battle of The Russian Campaign.

In:  Chromium and Playwright.
Out: docs/table/*.jpg. `make pictures` runs this; pictures differ from machine to machine by their fonts.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import sync_playwright

from rulewright.table.app import Server
from rulewright.table.guard import names_for
from rulewright.table.links import HOT, new_token
from rulewright.table.serve import listen
from rulewright.table.shelf import Shelf

FOLDER = Path(__file__).parent.parent / "docs" / "table"
BOOKS = ["trc", "tdv", "fite", "fragment", "caseblue"]
MOVES = ("43 Infantry", "35 Infantry")


def main() -> int:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        print("no Chromium is installed", file=sys.stderr)
        return 2
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as games, sync_playwright() as play:
        server = Server(Shelf(Path(games)), BOOKS, new_token(), names_for("127.0.0.1"), editing=True)
        listening = listen("127.0.0.1", 0)
        running = uvicorn.Server(uvicorn.Config(server.app, log_level="warning", ws="websockets-sansio"))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        at = f"http://localhost:{listening.getsockname()[1]}"
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take(browser, server, at)
        browser.close()
        running.should_exit = True
        thread.join(5)
    return 0


def take(browser: Any, server: Server, at: str) -> None:
    page = opened(browser, f"{at}/#{server.owner}", 1180, 900)
    page.wait_for_selector("body[data-ready]")
    page.click(".book:has-text('trc ·')")
    page.wait_for_selector(".set .who", timeout=60_000)
    page.select_option("[name=scenario]", "battle")
    shoot(page, "start")
    table = opened(browser, link(server, at, "trc", "battle"), 1400, 860)
    drawn(table)
    pick(table, "move")
    for unit in MOVES:
        pick(table, unit)
        n = table.evaluate("document.body.dataset.n")
        table.click(".pick >> nth=1")
        drawn(table, n)
    pick(table, "24 Panzer")
    table.hover(".pick:has-text('N20')")
    time.sleep(0.3)
    shoot(table, "move")
    shoot(opened(browser, table.url, 1400, 860, "dark"), "dark")
    battle = opened(browser, link(server, at, "trc", "battle"), 1400, 1000)
    drawn(battle)
    battle.keyboard.press("d")
    battle.wait_for_selector(".pick:has-text('attack')")
    pick(battle, "attack")
    pick(battle, "Gomel")
    battle.click("[data-key=ok]")
    battle.wait_for_selector(".pick:has-text('24 Panzer')")
    pick(battle, "24 Panzer")
    pick(battle, "12 Infantry")
    battle.click("[data-key=odds]")
    battle.wait_for_selector("#answer summary", timeout=60_000)
    battle.click("#answer summary >> nth=0")
    battle.click("#answer summary >> nth=6")
    battle.evaluate("document.querySelector('#answer').scrollTop = 120")
    shoot(battle, "chances")


def opened(browser: Any, url: str, wide: int, high: int, scheme: str = "light") -> Any:
    page = browser.new_context(viewport={"width": wide, "height": high}, color_scheme=scheme).new_page()
    page.goto(url)
    return page


def link(server: Server, at: str, rules: str, scenario: str | None) -> str:
    card = server.begin(rules, scenario, None)
    card.seed = 5
    server.shelf.keep(card)
    return at + server.href(card, next(x.token for x in card.links if x.kind == HOT))


def drawn(page: Any, n: str | None = None) -> str:
    page.wait_for_function("n => document.body.dataset.n && document.body.dataset.n !== n", arg=n, timeout=120_000)
    return str(page.evaluate("document.body.dataset.n"))


def pick(page: Any, text: str) -> None:
    n = page.evaluate("document.body.dataset.n")
    page.click(f".pick:not([disabled]):has-text('{text}') >> nth=0")
    drawn(page, n)


def shoot(page: Any, name: str) -> None:
    time.sleep(0.8)
    page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=84)


if __name__ == "__main__":
    sys.exit(main())
