"""The table in a real browser: by mouse, by keyboard, two seats and a spectator, a reload, and readable for everybody.

Skipped, with the reason, where no Chromium, no Playwright or no axe-core is installed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import threading
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("rulewright_test_browser", HERE.parent / "doc" / "browser.py")
chromium = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chromium)
LACKING = chromium.why_not() or ("" if importlib.util.find_spec("playwright") else "playwright is not installed")
pytestmark = pytest.mark.skipif(bool(LACKING), reason=LACKING or "the table is opened")

BOOKS = ["trc", "tdv", "fite", "fragment", "caseblue"]
SKIRMISH = HERE.parent / "books" / "skirmish.rules"
STEPS = 6
LONG = int(os.environ.get("RULEWRIGHT_CLICKS", 0))
"""More clicks a book than a run of all tests has time for."""
WIDE, TABLET, PHONE = ({"width": w, "height": h} for w, h in ((1280, 800), (820, 1180), (390, 844)))


@pytest.fixture(scope="module")
def around(tmp_path_factory):
    """A server with all books, in a thread of this process."""
    import uvicorn

    from rulewright.table.app import Server
    from rulewright.table.guard import names_for
    from rulewright.table.links import new_token
    from rulewright.table.serve import listen
    from rulewright.table.shelf import Shelf

    server = Server(Shelf(tmp_path_factory.mktemp("games")), [*BOOKS, str(SKIRMISH)], new_token(), names_for("127.0.0.1"))
    listening = listen("127.0.0.1", 0)
    running = uvicorn.Server(uvicorn.Config(server.app, log_level="warning", ws="websockets-sansio"))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.01)
    server.at = f"http://localhost:{listening.getsockname()[1]}"
    yield server
    running.should_exit = True
    thread.join(10)


@pytest.fixture(scope="module")
def chrome():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium.find_browser(), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def pages(chrome):
    """Opens pages, each in a context of its own; whatever the console complains of is a failure."""
    made, complaints = [], []

    def open_(url, **how):
        context = chrome.new_context(**{"viewport": WIDE, **how})
        made.append(context)
        page = context.new_page()
        page.frames_seen = []
        page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: complaints.append(str(e)))
        page.on("websocket", lambda ws: ws.on("framereceived", lambda told: page.frames_seen.append(told)))
        page.goto(url)
        return page

    yield open_
    for context in made:
        context.close()
    assert complaints == []


def begin(around, rules, scenario=None, seed=5, players=None):
    card = around.begin(rules, scenario, players)
    card.seed = seed
    around.shelf.keep(card)
    return card


def link(around, card, kind, side=""):
    found = next(x for x in card.links if x.kind == kind and (not side or side in x.sides))
    return around.at + around.href(card, found.token)


def ready(page, n=None):
    """Wait for the table to be drawn: any list, or another one than `n`."""
    page.wait_for_function("n => document.body.dataset.n && document.body.dataset.n !== n", arg=n, timeout=120_000)
    return page.evaluate("document.body.dataset.n")


def lift(page):
    if page.locator("#cover-lift").is_visible():
        n = page.evaluate("document.body.dataset.n")
        page.click("#cover-lift")
        ready(page, n)


def room_of(around, card):
    return around.hub.tables[card.id].room


def violations(page, axe):
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found["violations"]]


# ---------------------------------------------------------------- by mouse


def spot_of(page, items):
    """The first line that is on the map, alone in its place: its number and where it is on the screen."""
    return page.evaluate(
        """items => {
          const { board } = window.rulewright, { clientWidth: w, clientHeight: h } = board.view;
          for (const [i, item] of items.entries()) {
            if (item.p === undefined || item.shut || items.filter(x => x.p === item.p).length > 1 || !board.spot(item.p)) continue;
            board.show(item.p);
            const [x, y] = board.onScreen(item.p), box = board.view.getBoundingClientRect();
            if (x > 5 && y > 5 && x < w - 60 && y < h - 60) return [i, box.left + x, box.top + y];
          }
          return null; }""",
        items,
    )


@pytest.mark.parametrize(("book", "scenario"), [("trc", "battle"), *((book, None) for book in BOOKS[1:])])
def test_a_game_by_mouse_is_the_game_that_is_typed(around, pages, book, scenario):
    from rulewright.compiler import load
    from rulewright.compiler.cli.desk.desk import Desk
    from rulewright.compiler.cli.desk.table import Table
    from rulewright.runtime.text import Choice

    card = begin(around, book, scenario)
    page = pages(link(around, card, "hot seat"))
    n = ready(page)
    on_map = 0
    for _ in range(LONG or (STEPS if book in ("trc", "fragment") else 3)):
        lift(page)
        n = page.evaluate("document.body.dataset.n")
        ask = page.evaluate("window.rulewright.frame.ask")
        if ask is None:
            break
        spot = spot_of(page, ask["items"]) if ask["sort"] == "one" else None
        if spot is not None:
            on_map += 1
            page.mouse.click(spot[1], spot[2])
        elif ask.get("ready"):
            page.click("[data-key=ok]")
        else:
            open_ = page.locator(".pick:not([disabled]):not(.on)")
            open_.nth(0 if ask["sort"] != "kinds" or open_.count() < 2 else _ % 2).click()
        n = ready(page, n)
    game = room_of(around, card).table.game
    assert len(game.journal) and (on_map or book not in ("trc", "fragment"))
    loaded = load(book)
    typed = Table(loaded, loaded.new(scenario, card.seed), dict.fromkeys(loaded.program.sides))
    typed.keeping = False
    desk = Desk(typed)
    events = [Choice.from_plain(event) for event in game.journal.events()]
    while len(typed.game.journal) < len(events):
        made = len(typed.game.journal)
        desk.begin()
        if len(typed.game.journal) == made:
            desk.open(events[made].side)
            desk.curtain = False
            desk.line(typed.game.show(events[made]))
            assert len(typed.game.journal) > made, desk.message
    assert typed.game.digest() == game.digest()


def test_a_counter_is_dragged_to_its_goal(around, pages):
    card = begin(around, "trc", "battle")
    page = pages(link(around, card, "seat", "axis"))
    n = ready(page)
    spots = page.evaluate(
        """() => { const { board } = window.rulewright, box = board.view.getBoundingClientRect();
          const at = id => { const p = Number(Object.keys(board.data.places).find(k => board.data.places[k][0] === id));
            board.show(p); const [x, y] = board.onScreen(p); return [box.left + x, box.top + y]; };
          at("V21"); at("W20"); return [at("W20"), at("V21")]; }"""
    )
    page.mouse.move(*spots[0])
    page.mouse.down()
    page.mouse.move((spots[0][0] + spots[1][0]) / 2, (spots[0][1] + spots[1][1]) / 2, steps=4)
    page.mouse.move(*spots[1], steps=4)
    page.mouse.up()
    page.wait_for_selector(".log >> text=move 44 Infantry")
    assert len(room_of(around, card).table.game.journal) == 1
    ready(page, n)
    page.click("[data-key=undo-own]")
    page.wait_for_selector(".log >> text=move 44 Infantry", state="detached")
    assert len(room_of(around, card).table.game.journal) == 0


# ---------------------------------------------------------------- by keyboard


def line_of(ask, wanted=lambda x: x.get("mark", "[ ]") == "[ ]"):
    """The number of the first open line that is wanted, among those that can be reached by the arrow keys."""
    open_ = [x for x in ask["items"] if not x.get("shut")]
    return next((i for i, x in enumerate(open_) if wanted(x)), 0)


def test_a_turn_by_keyboard_alone(around, pages):
    """The turn of the battle, from the first move to the verdict: the Axis moves from the map and from the list and fights, what
    a die has decided is not taken back, both sides hand over; nothing is clicked."""
    card = begin(around, "trc", "battle")
    page = pages(link(around, card, "hot seat"))
    n = ready(page)
    key = page.keyboard.press

    def choose(i):
        key("l")
        for _ in range(i):
            key("ArrowDown")
        key("Enter")

    key("m")
    key("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "view" and page.inner_text("#here")
    key("Enter")
    if page.locator("#chooser").is_visible():
        key("Enter")
    n = ready(page, n)
    key("l")
    key("ArrowDown")
    key("w")
    page.wait_for_selector("#answer .whys")
    key("Enter")
    ready(page, n)
    game = room_of(around, card).table.game
    assert len(game.journal) == 1
    whose, fought = ["axis"], False
    for _ in range(150):
        n = page.evaluate("document.body.dataset.n")
        frame = page.evaluate("window.rulewright.frame")
        if frame["side"] != whose[-1]:
            whose.append(frame["side"])
        if frame["over"]:
            break
        ask, ways = frame["ask"], {w["t"]: w.get("shut") for w in frame["ways"]}
        if not fought and "attack" in ways and not ways["attack"] and ask["sort"] == "kinds":
            choose(line_of(ask, lambda x: x["t"] == "attack"))
        elif ask.get("ready"):
            key("o")
        elif "done" in ways and not ways["done"] and (fought or "attack" not in ways or ways["attack"]):
            key("d")
        else:
            choose(line_of(ask))
        ready(page, n)
        if not fought and any(e["event"] == "roll" for e in game.log):
            fought, made = True, len(game.journal)
            if page.locator("[data-key=undo-own]:not([disabled])").count():
                key("u")
                page.wait_for_function("() => document.getElementById('say').textContent")
                assert "die" in page.inner_text("#say") and len(game.journal) == made
    assert fought and game.over and {"axis", "russian"} == set(whose)


def test_a_step_that_comes_each_time_can_be_passed_by_itself(around, pages):
    """Red is done with moving each time: it is not asked again, what it may do besides is, and taking back ends it."""
    card = begin(around, str(SKIRMISH), players={"blue": "random"})
    page = pages(link(around, card, "seat"))
    ready(page)
    page.check("[data-key=auto]")
    game = room_of(around, card).table.game
    page.wait_for_function("() => window.rulewright.frame.log && window.rulewright.aside.count > 4")
    told = [(e["side"], e["text"]) for e in game.log if e["event"] == "choice"]
    assert told[0] == ("red", "red: done")
    for _ in range(2):
        page.wait_for_function("() => window.rulewright.frame.over || (window.rulewright.frame.ask && !window.rulewright.passes.has(window.rulewright.passKey(window.rulewright.frame)))")
        frame = page.evaluate("window.rulewright.frame")
        if frame["over"]:
            break
        assert "move" not in [w["t"] for w in frame["ways"]], "asked to move, though done with it each time"
        n = page.evaluate("document.body.dataset.n")
        page.keyboard.press("d")
        ready(page, n)
    assert sum(text == "red: done" for side, text in [(e["side"], e["text"]) for e in game.log if e["event"] == "choice"]) > 1


# ---------------------------------------------------------------- seats


def test_two_seats_and_a_spectator_see_what_they_may(around, pages, tmp_path):
    spec = importlib.util.spec_from_file_location("rulewright_test_planted", HERE / "test_secrets.py")
    planted = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(planted)
    file = tmp_path / "planted.rules"
    file.write_text(planted.PLANTED)
    card = begin(around, str(file))
    red, blue = (pages(link(around, card, "seat", side)) for side in ("red", "blue"))
    watcher = pages(link(around, card, "spectator"))
    for page in (red, blue, watcher):
        ready(page)
    red.click(".pick >> text=QUAGGA")
    blue.click(".pick >> text=XYLEM")
    red.click(".pick >> text=7302")
    red.click(".pick >> text=hide")
    red.wait_for_selector(".pick >> text=Red 1")
    n = red.evaluate("document.body.dataset.n")
    red.click(".pick >> text=Red 1")
    ready(red, n)
    watcher.wait_for_selector(".calm >> text=Blue")
    assert "QUAGGA" in json.dumps(red.frames_seen) and not red.locator(".line").count()
    for page, secrets in ((blue, ("QUAGGA", "7302", "Redcap")), (watcher, ("QUAGGA", "7302", "Redcap", "XYLEM", "OKAPI"))):
        sent = json.dumps([str(x) for x in page.frames_seen])
        assert page.frames_seen and not [x for x in secrets if x in sent]
    assert watcher.locator(".pick").count() == 0
    assert blue.title().startswith("●") and not red.title().startswith("●")


def test_a_reload_finds_the_question_as_it_was_and_a_broken_line_comes_back(around, pages):
    card = begin(around, "trc", "battle")
    page = pages(link(around, card, "seat", "axis"))
    n = ready(page)
    page.click(".pick >> text=move")
    n = ready(page, n)
    page.click(".pick:has-text('24 Panzer')")
    ready(page, n)
    items = page.locator(".line").count()
    widths = page.evaluate("['.lines', '.lines .pick .words'].map(x => document.querySelector(x).clientWidth)")
    assert widths[1] > widths[0] / 2, "a line is as wide as its list"
    page.reload()
    ready(page)
    assert "24 Panzer" in page.inner_text(".question") and page.locator(".line").count() == items
    page.evaluate("window.rulewright.wire.socket.close()")
    page.wait_for_selector("body.lost")
    page.wait_for_selector("body:not(.lost)")
    n = page.evaluate("document.body.dataset.n")
    page.click(".pick >> nth=0")
    ready(page, n)
    assert len(room_of(around, card).table.game.journal) == 1


AWAY = """
window.rung = []; window.sounds = 0;
window.Notification = class { constructor(title, how) { window.rung.push([title, how.body]); } };
Notification.permission = "granted";
window.AudioContext = class { constructor() { window.sounds += 1; throw new Error("no sound here"); } };
Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
addEventListener("focus", e => e.stopImmediatePropagation(), true);
"""


def test_who_is_away_hears_when_it_is_their_turn_and_what_happened_since(around, pages):
    card = begin(around, str(SKIRMISH))
    red, blue = (pages(link(around, card, "seat", side)) for side in ("red", "blue"))
    ready(red)
    ready(blue)
    blue.click("#bell")
    blue.add_init_script(AWAY)
    blue.reload()
    ready(blue)
    assert blue.evaluate("[window.rung.length, window.sounds]") == [0, 0]
    while len(room_of(around, card).table.game.journal) < 2:
        n = red.evaluate("document.body.dataset.n")
        red.click(".pick:not([disabled]) >> nth=0")
        ready(red, n)
    while red.evaluate("window.rulewright.frame.ask") is not None:
        n = red.evaluate("document.body.dataset.n")
        red.keyboard.press("d")
        ready(red, n)
    blue.wait_for_function("() => window.rung.length")
    [[title, body], *_] = blue.evaluate("window.rung")
    assert "skirmish" in title and body and blue.evaluate("window.sounds") and blue.title().startswith("●")
    blue.evaluate("localStorage.setItem(window.rulewright.aside.key(window.rulewright.frame), 1)")
    blue.reload()
    blue.wait_for_selector(".log .since")
    assert blue.locator(".log .since ~ p").count() == blue.locator(".log p").count() - 2


def test_history_shows_what_was_and_comes_back(around, pages):
    card = begin(around, "fragment", None, players={"soviet": "random", "axis": "random"})
    page = pages(link(around, card, "spectator"))
    page.wait_for_function("() => window.rulewright.frame && window.rulewright.frame.moments > 4", timeout=60_000)
    page.click("#tab-history")
    page.click("[data-key=go-first]")
    page.wait_for_selector("#past >> text=choice 0")
    page.click("[data-key=go-on]")
    page.wait_for_selector("#past >> text=choice 1")
    page.click("#past button")
    assert not page.locator("#past").is_visible()


# ---------------------------------------------------------------- for everybody


def test_the_pages_are_for_everybody(around, pages):
    axe = chromium.find_axe()
    for scheme, size in (("light", WIDE), ("dark", PHONE)):
        start = pages(f"{around.at}/#{around.owner}", color_scheme=scheme, viewport=size)
        start.wait_for_selector("body[data-ready]")
        start.click(".book:has-text('fragment ·')")
        start.wait_for_selector(".set .who")
        assert violations(start, axe) == [], (scheme, "start")
        assert start.evaluate("document.documentElement.scrollWidth") <= size["width"]
    card = begin(around, "trc", "battle")
    for scheme, size in (("light", WIDE), ("dark", TABLET), ("dark", PHONE)):
        page = pages(link(around, card, "hot seat"), color_scheme=scheme, viewport=size)
        n = ready(page)
        assert violations(page, axe) == [], (scheme, size)
        if page.evaluate("window.rulewright.frame.ask.depth") == 1:
            page.click(".pick >> text=move")
            n = ready(page, n)
            page.click(".pick:has-text('24 Panzer')")
            ready(page, n)
        page.click(".line .why >> nth=0")
        page.wait_for_selector("#answer .whys")
        page.click("#tab-trays")
        assert violations(page, axe) == [], (scheme, size, "with an answer")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_pages_of_the_reference_keep_to_the_policy(around, pages):
    """axe looks at them in tests/doc; here the console must be silent under the policy of the table."""
    card = begin(around, "fragment")
    rules = pages(f"{around.at}/t/{card.id}/rules/case?of=6.0")
    assert "chapter-6" in rules.url and rules.inner_text("h1")


EITHER = """
variant bold of choosy "Bold play":
  excludes: timid
  case 9 "Bolder":
    amend 3 march.budget: 3 becomes 4

variant timid of choosy "Timid play":
  case 9 "More timid":
    amend 3 march.budget: 3 becomes 2
"""


def test_the_start_page_says_why_a_mix_is_refused(around, pages, tmp_path):
    from rulewright.table.books import offers

    file = tmp_path / "choosy.rules"
    file.write_text(SKIRMISH.read_text().replace("book skirmish", "book choosy") + EITHER)
    around.offers += offers([str(file)])
    page = pages(f"{around.at}/#{around.owner}")
    page.wait_for_selector("body[data-ready]")
    page.click(".book:has-text('choosy')")
    page.check("[name=overlay-bold]")
    page.wait_for_selector(".set .who")
    page.check("[name=overlay-timid]")
    page.wait_for_selector(".refused >> text=bold")
    assert page.locator(".set .main").is_disabled() and "timid" in page.inner_text(".refused")
    page.uncheck("[name=overlay-bold]")
    page.wait_for_selector(".set .main:not([disabled])")
    around.offers.pop()


def test_the_start_page_begins_a_game(around, pages):
    page = pages(f"{around.at}/#{around.owner}")
    page.wait_for_selector("body[data-ready]")
    page.click(".book:has-text('trc ·')")
    page.wait_for_selector(".set .who", timeout=60_000)
    page.select_option("[name=scenario]", "battle")
    page.select_option("[name=player-russian]", "random")
    page.click(".set .main")
    page.wait_for_selector(".game.new .seats a.hot")
    href = page.eval_on_selector(".game.new .seats a.hot", "a => a.href")
    table = pages(href)
    ready(table)
    assert "The Russian Campaign" in table.title()


def test_the_page_is_light(around, pages):
    """All that trc needs but its map and its pieces, as it goes over the wire: no more than 60 KB; with them 100."""
    import gzip

    page = HERE.parents[1] / "table" / "page"
    own = sum(len(gzip.compress(x.read_bytes())) for x in page.iterdir() if x.name not in ("start.html", "start.js"))
    card = begin(around, "trc", "battle")
    table = pages(link(around, card, "spectator"))
    ready(table)
    room = room_of(around, card)
    board, drawn = json.dumps(room.pictures.board_data()), room.pictures.svg
    whole = own + len(gzip.compress(board.encode())) + len(gzip.compress(drawn.encode()))
    assert own < 30_000 and whole < 100_000, (own, whole)
