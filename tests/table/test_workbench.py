"""The workbench: a newcomer's walk from the text to a variant of their own, in a real browser; and what it refuses.

With RULEWRIGHT_PICTURES=DIR the walk takes the pictures of docs/workbench.md.
"""

from __future__ import annotations

import asyncio
import base64
import importlib.util
import json
import os
import sys
import threading
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SKIRMISH = HERE.parent / "books" / "skirmish.rules"
spec = importlib.util.spec_from_file_location("rulewright_test_browser", HERE.parent / "doc" / "browser.py")
chromium = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chromium)
HOME = "http://localhost"


def made(tmp_path):
    from rulewright.table.app import Server
    from rulewright.table.bench.desk import Desk
    from rulewright.table.bench.routes import Workbench
    from rulewright.table.guard import names_for
    from rulewright.table.links import new_token
    from rulewright.table.shelf import Shelf

    shelf = Shelf(tmp_path / "games")
    bench = Workbench(Desk(str(SKIRMISH), shelf.folder / "workbench"))
    return Server(shelf, [str(SKIRMISH)], new_token(), names_for("127.0.0.1"), bench, editing=True), bench


@pytest.fixture
def client(tmp_path):
    from starlette.testclient import TestClient

    server, bench = made(tmp_path)
    with TestClient(server.app, base_url=HOME) as client:
        client.server, client.bench = server, bench
        client.mine = {"authorization": f"Bearer {server.owner}"}
        yield client


# ---------------------------------------------------------------- trust


def test_only_the_owner_sees_or_changes_anything(client):
    for path in ("state", "text?file=skirmish.rules"):
        assert client.get(f"/edit/api/{path}").status_code == 403
        assert client.get(f"/edit/api/{path}", headers=client.mine).status_code == 200
    for path in ("text", "example", "mix", "try", "changes", "variant"):
        assert client.post(f"/edit/api/{path}", json={}).status_code == 403


def test_files_are_taken_from_the_list_and_nowhere_else(client):
    for name in ("../../../etc/passwd", "/etc/passwd", str(SKIRMISH), "", "nothing.rules"):
        assert client.get("/edit/api/text", params={"file": name}, headers=client.mine).status_code == 409
        told = client.post("/edit/api/text", json={"file": name, "text": "x"}, headers=client.mine)
        assert told.status_code == 409, name
    assert client.get("/edit/changes/../../x").status_code == 404
    assert client.get("/edit/page/..%2f..%2fapp.py").status_code == 404
    for name in ("../x", "X", "a b", ""):
        told = client.post("/edit/api/variant", json={"name": name, "title": "X"}, headers=client.mine)
        assert told.status_code == 409, name


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
def test_text_that_cannot_be_written_is_no_message(client, text):
    told = json.dumps({"file": "skirmish.rules", "text": text, "name": "x", "title": text}).encode()
    for path in ("text", "variant"):
        assert client.post(f"/edit/api/{path}", content=told, headers=client.mine).status_code == 400
    assert client.bench.desk.changed() == []


def test_the_opponents_of_the_book_come_along(client):
    assert "doctrines/bold.rules" in client.bench.desk.files()
    assert not [x for x in client.bench.desk.files() if "sly" in x or "pincer" in x]
    told = client.post("/edit/api/mix", json={}, headers=client.mine).json()
    assert all("bold:hard" in side["players"] for side in told["sides"])


def test_the_book_itself_is_never_written(client):
    before = SKIRMISH.read_bytes()
    text = SKIRMISH.read_text(encoding="utf-8").replace("budget: 3", "budget: 4")
    told = client.post("/edit/api/text", json={"file": "skirmish.rules", "text": text}, headers=client.mine).json()
    assert told == {"changed": ["skirmish.rules"]}
    assert SKIRMISH.read_bytes() == before


def test_the_page_has_a_strict_policy_with_a_nonce(client):
    first, second = (client.get("/edit").headers["content-security-policy"] for _ in range(2))
    assert first != second and "default-src 'none'" in first and "unsafe" not in first


def test_the_language_server_is_for_the_owner_and_for_the_desk(client):
    from starlette.websockets import WebSocketDisconnect

    here = {"origin": HOME}
    with (
        client.websocket_connect("ws://localhost/edit/language", headers=here) as ws,
        pytest.raises(WebSocketDisconnect),
    ):
        ws.send_text("not the token")
        ws.receive_text()
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("ws://localhost/edit/language", headers={"origin": "http://evil.test"}) as ws,
    ):
        ws.receive_text()
    with (
        client.websocket_connect("ws://localhost/edit/language", headers=here) as ws,
        pytest.raises(WebSocketDisconnect),
    ):
        ws.send_text(client.server.owner)
        outside = {
            "jsonrpc": "2.0",
            "method": "textDocument/didOpen",
            "params": {"textDocument": {"uri": SKIRMISH.as_uri(), "languageId": "rules", "version": 1, "text": ""}},
        }
        ws.send_text(json.dumps(outside))
        while True:
            ws.receive_text()


@pytest.mark.parametrize(
    "uri",
    ["file:///etc/passwd", "file:///desk/../etc/x", "file://host/desk/a", "http://x/desk/a", "file:///desk/%2e%2e/x"],
)
def test_an_address_outside_of_the_desk_is_refused_wherever_it_stands(uri):
    from rulewright.table.bench.language import Outside, confined

    for told in (
        {"params": {"textDocument": {"uri": uri}}},
        {"params": {"rootUri": uri}},
        {"changes": {uri: []}},
        [{"targetUri": uri}],
    ):
        if uri.startswith("http") and told == {"changes": {uri: []}}:
            continue
        with pytest.raises(Outside):
            confined(told, Path("/desk"))
    confined({"uri": "file:///desk/a.rules", "rootUri": "file:///desk"}, Path("/desk"))


def test_a_job_that_takes_too_much_is_ended():
    from rulewright.table.bench import limits

    done = asyncio.run(
        asyncio.wait_for(run(limits.limited("timeit", "-n", "1", "-r", "1", "while True: pass", seconds=1)), 30)
    )
    assert done != 0
    done = asyncio.run(
        asyncio.wait_for(run(limits.limited("timeit", "-n", "1", "-r", "1", "x = bytearray(1 << 33)")), 30)
    )
    assert done != 0


async def run(words):
    process = await asyncio.create_subprocess_exec(
        *words, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    return await process.wait()


def test_the_start_page_opens_the_workbench_of_a_listed_book_for_the_owner(client):
    name = str(SKIRMISH)
    assert client.get("/api/books", headers=client.mine).json()[0]["edit"] is True
    assert client.post("/api/edit", json={"book": name}).status_code == 403
    assert client.post("/api/edit", json={"book": "/etc/passwd"}, headers=client.mine).status_code == 409
    hrefs = {client.post("/api/edit", json={"book": name}, headers=client.mine).json()["href"] for _ in range(2)}
    assert hrefs == {"/edit/of/1"}
    assert client.get("/edit/of/1/api/state").status_code == 403
    assert client.get("/edit/of/1/api/state", headers=client.mine).json()["name"] == "skirmish"
    client.server.editing = False
    assert client.post("/api/edit", json={"book": name}, headers=client.mine).status_code == 409


# ---------------------------------------------------------------- the walk


class Walker:
    """A newcomer at a browser."""

    def __init__(self, tmp_path):
        import uvicorn

        from rulewright.table.serve import listen

        self.server, self.bench = made(tmp_path)
        listening = listen("127.0.0.1", 0)
        self.running = uvicorn.Server(uvicorn.Config(self.server.app, log_level="warning", ws="websockets-sansio"))
        self.thread = threading.Thread(target=self.running.run, kwargs={"sockets": [listening]}, daemon=True)
        self.thread.start()
        while not self.running.started:
            time.sleep(0.01)
        self.at = f"http://localhost:{listening.getsockname()[1]}"
        self.browser = chromium.Browser(tmp_path / "profile")
        watch = "window.broken = []; addEventListener('error', e => broken.push(e.message)); addEventListener('unhandledrejection', e => broken.push(String(e.reason))); addEventListener('securitypolicyviolation', e => broken.push(e.violatedDirective + ' ' + e.blockedURI));"
        self.browser.call("Page.addScriptToEvaluateOnNewDocument", source=watch)
        self.browser.call(
            "Emulation.setDeviceMetricsOverride", width=1360, height=820, deviceScaleFactor=1, mobile=False
        )

    def close(self):
        self.browser.close()
        self.running.should_exit = True
        self.thread.join(20)

    def go(self, path):
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.call("Page.navigate", url=self.at + path)

    def wait(self, script, seconds=60):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                found = self.browser.run(script)
            except RuntimeError:
                found = None
            if found:
                return found
            time.sleep(0.1)
        raise TimeoutError(
            (script, self.browser.run("[document.body.innerText.slice(0, 2000), JSON.stringify(window.broken)]"))
        )

    def press(self, id):
        self.browser.run(f"document.getElementById('{id}').click()")

    def text(self, id):
        return self.browser.run(f"document.getElementById('{id}').textContent")

    def put(self, old, new):
        """Select a text in the editor and type another."""
        self.browser.run(
            f"{{ const view = bench.view(), at = view.state.doc.toString().indexOf({json.dumps(old)}); "
            f"view.focus(); view.dispatch({{selection: {{anchor: at, head: at + {len(old)}}}, scrollIntoView: true}}); }}"
        )
        self.browser.call("Input.insertText", text=new)

    def cursor(self, text):
        self.browser.run(
            f"{{ const view = bench.view(), at = view.state.doc.toString().indexOf({json.dumps(text)}); "
            "view.focus(); view.dispatch({selection: {anchor: at}, scrollIntoView: true}); }"
        )

    def picture(self, name):
        if folder := os.environ.get("RULEWRIGHT_PICTURES"):
            time.sleep(0.8)
            data = self.browser.call("Page.captureScreenshot", format="png")["data"]
            Path(folder, f"{name}.png").write_bytes(base64.b64decode(data))

    def sound(self):
        assert self.browser.run("JSON.stringify(window.broken)") == "[]"


def test_a_variant_is_never_overwritten(tmp_path):
    """Games may be played under it; they could not be opened again."""
    from rulewright.runtime.problems import Refusal
    from rulewright.table.bench.desk import Desk

    desk = Desk(str(SKIRMISH), tmp_path)
    desk.variant("calm").write_text("variant calm of skirmish:", encoding="utf-8")
    with pytest.raises(Refusal, match="another title"):
        desk.variant("calm")


@pytest.mark.skipif(bool(chromium.why_not()) or sys.platform != "linux", reason=chromium.why_not() or "Linux")
def test_a_newcomer_plays_a_variant_of_their_own(tmp_path):
    walker = Walker(tmp_path)
    verdict = "document.getElementById('verdict').textContent"
    try:
        # from the start page to the rules of the book
        walker.go(f"/#{walker.server.owner}")
        walker.wait("document.body.dataset.ready === 'yes'")
        walker.browser.run("document.querySelector('.book').click()")
        walker.wait("document.querySelector('.set .who') !== null")
        walker.picture("start")
        walker.browser.run("document.querySelector('.set .edit').click()")
        walker.wait("document.getElementById('count')?.textContent === 'none'")
        at = walker.browser.run("location.pathname")
        walker.wait("document.body.dataset.ready === 'yes'")
        walker.wait("document.getElementById('count').textContent === 'none'")
        for colors in ("dark", "light"):
            scheme = {"name": "prefers-color-scheme", "value": colors}
            walker.browser.call("Emulation.setEmulatedMedia", features=[scheme])
            assert walker.browser.violations(chromium.find_axe()) == [], colors
        # an example, as a position
        walker.cursor('example "a zone stops a march"')
        assert walker.wait(f"/holds|fails/.test({verdict}) && {verdict}") == "holds"
        walker.wait("document.querySelector('#picture img')?.naturalWidth")
        walker.picture("example")
        # a slip is found as one types, and mended
        walker.put("budget: 3", "budgt: 3")
        walker.wait("document.querySelector('#found li.error') !== null")
        walker.wait(f"{verdict} === 'does not compile'")
        walker.picture("finding")
        walker.put("budgt: 3", "budget: 1")
        walker.wait("document.getElementById('count').textContent === 'none'")
        # a rule that the example does not like
        walker.cursor('example "a zone stops a march"')
        walker.wait(f"{verdict} === 'fails'")
        assert walker.browser.run("document.querySelectorAll('#failures li').length") >= 1
        walker.picture("red")
        walker.put("budget: 1", "budget: 4")
        walker.wait("document.getElementById('state').textContent === 'kept'")
        # a game under it
        walker.press("try")
        walker.wait("document.getElementById('trying').open")
        assert walker.browser.violations(chromium.find_axe()) == []
        walker.browser.run("document.querySelectorAll('#who select').forEach(x => { x.value = 'person'; })")
        walker.picture("try")
        walker.press("trying-go")
        walker.wait("document.getElementById('told').open")
        assert "A game under the changed rules" in walker.text("told-title")
        table = walker.browser.run("document.getElementById('told-link').getAttribute('href')")
        walker.sound()
        walker.go(table)
        walker.wait("document.body.dataset.n")
        walker.browser.run("rulewright.send({do: 'way', i: 0})")
        walker.wait("rulewright.frame.ask.items.some(x => x.u !== undefined)")
        walker.browser.run("rulewright.send({do: 'pick', i: 0})")
        walker.wait("rulewright.frame.ask.items.some(x => x.path)")
        assert (
            max(len(x["path"]) for x in json.loads(walker.browser.run("JSON.stringify(rulewright.frame.ask.items)")))
            == 5
        )
        walker.picture("table")
        walker.browser.run("rulewright.send({do: 'pick', i: 0})")
        walker.wait("rulewright.frame.moments === 1")
        # another change: the game goes on from where it stands
        walker.go(f"{at}#{walker.server.owner}")
        walker.wait("document.body.dataset.ready === 'yes'")
        walker.put("budget: 4", "budget: 2")
        walker.wait("document.getElementById('state').textContent === 'kept'")
        walker.press("try")
        walker.wait("document.getElementById('trying').open")
        walker.press("trying-go")
        walker.wait("document.getElementById('told').open")
        assert walker.text("told-title") == "The game goes on under the changed rules"
        after = walker.browser.run("document.getElementById('told-link').getAttribute('href')")
        assert after != table
        # what did I change
        walker.browser.run("document.getElementById('told').close()")
        walker.press("changes")
        walker.wait("document.getElementById('told').open")
        page = walker.browser.run("document.getElementById('told-link').getAttribute('href')")
        # save as variant, and play it
        walker.browser.run("document.getElementById('told').close()")
        walker.press("save")
        walker.wait("document.getElementById('saving').open")
        walker.browser.run(
            "{ const t = document.getElementById('title'); t.value = 'Short marches'; t.dispatchEvent(new Event('input')); }"
        )
        walker.press("saving-go")
        walker.wait("document.getElementById('told').open")
        assert 'variant short_marches of skirmish "Short marches":' in walker.text("told-text")
        assert "3 becomes 2" in walker.text("told-text")
        own = walker.browser.run("document.getElementById('told-link').getAttribute('href')")
        walker.sound()
        walker.go(own)
        walker.wait("document.body.dataset.n")
        assert "short_marches" in walker.browser.run("rulewright.board.data.rules")
        walker.go(after)
        walker.wait("document.body.dataset.n")
        assert walker.browser.run(
            "rulewright.frame.units.some(([u, p]) => u === 0 && rulewright.board.data.places[p][0] !== 'A1')"
        )
        walker.go(page)
        assert "1 change, 1 alters play" in walker.wait("document.body?.innerText")
        walker.picture("changes")
    finally:
        walker.close()
