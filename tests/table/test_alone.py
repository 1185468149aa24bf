"""A book that plays in the browser alone: no compiler in it, the games of the desk, going on after a break.

The game in Chromium needs Pyodide: `make pyodide`, or its folder in RULEWRIGHT_PYODIDE. Without it, that test skips.
"""

from __future__ import annotations

import functools
import http.server
import importlib.util
import json
import os
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.cli.main import main
from rulewright.compiler.players import contestant, seat_players
from rulewright.runtime.players import play

ROOT = Path(__file__).parents[2]
SKIRMISH = str(ROOT / "tests" / "books" / "skirmish.rules")
OUTSIDE = ("lark", "jinja2", "cerberus", "markupsafe", "prompt_toolkit", "starlette", "sqlite3")
spec = importlib.util.spec_from_file_location("rulewright_test_browser", ROOT / "tests" / "doc" / "browser.py")
chromium = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chromium)
PYODIDE = Path(os.environ.get("RULEWRIGHT_PYODIDE") or ROOT / ".pyodide" / "package")
LACKING = chromium.why_not() or ("" if (PYODIDE / "pyodide.mjs").is_file() else "no Pyodide is here: make pyodide")
ALONE = """
import json, sys, types
class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in OUTSIDE:
            raise ImportError(name)
sys.meta_path.insert(0, Wall())
sys.modules["sqlite3"] = types.ModuleType("sqlite3")
sys.modules["sqlite3"].Error = sys.modules["sqlite3"].DatabaseError = Exception
sys.path.insert(0, sys.argv[1])
from rulewright.table.alone.room import begin
assert all(m.__file__.startswith(sys.argv[1]) for n, m in sys.modules.items() if n.partition(".")[0] == "rulewright" and m.__file__)
seat = begin(sys.argv[1], sys.argv[2], lambda text: None)
sent = []
for message in json.loads(sys.argv[3]):
    while not seat.go_on(): pass
    sent += json.loads(seat.told())
    frame = [x for x in sent if "n" in x][-1]
    sent += json.loads(seat.hear(json.dumps({**message, "n": frame["n"]})))
while not seat.go_on(): pass
sent += json.loads(seat.told())
print(json.dumps([json.loads(seat.state()), sent]))
""".replace("OUTSIDE", repr(OUTSIDE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("alone") / "skirmish"
    assert main(["export", SKIRMISH, "-o", f"{made}/", "--quiet"]) == 0
    return made


def run(folder, tmp_path, settings, messages=()):
    """The folder's Python in a process that finds nothing but the folder's own modules."""
    with zipfile.ZipFile(folder / "game.zip") as packed:
        packed.extractall(tmp_path / "unpacked")
    words = [str(tmp_path / "unpacked"), json.dumps(settings), json.dumps(list(messages))]
    done = subprocess.run([sys.executable, "-I", "-S", "-c", ALONE, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def at_the_desk(book, scenario, seed):
    game = load(book).new(scenario, seed)
    play(game, seat_players(contestant(load(book), "random").seats, seed))
    return game


def test_a_random_game_is_that_of_the_desk(folder, tmp_path):
    state, _ = run(folder, tmp_path, {"scenario": "", "players": ["random", "random"], "seed": 5})
    game = at_the_desk(SKIRMISH, None, 5)
    assert state["over"] and (state["choices"], state["digest"]) == (len(game.journal), game.digest())


def test_a_person_plays_and_goes_on_another_day(folder, tmp_path):
    settings = {"scenario": "", "players": ["person", "person"], "seed": 3}
    picks = [{"do": "way", "i": 0}, {"do": "pick", "i": 0}, {"do": "pick", "i": 0}]
    state, sent = run(folder, tmp_path, settings, picks)
    assert state["choices"] == 1 and any(x.get("ask") for x in sent)
    again, sent = run(folder, tmp_path, {**settings, "made": state["made"]})
    assert again == state
    assert sent[-1]["log"]["lines"], "the log is whole after a break"


def test_the_archive_holds_no_compiler_and_is_the_same_each_time(folder, tmp_path):
    other = tmp_path / "again"
    assert main(["export", SKIRMISH, "-o", f"{other}/", "--quiet"]) == 0
    for file in folder.rglob("*"):
        if file.is_file():
            assert file.read_bytes() == (other / file.relative_to(folder)).read_bytes(), file.name
    names = zipfile.ZipFile(folder / "game.zip").namelist()
    assert not [
        x
        for x in names
        if x.startswith(("rulewright/compiler/pipeline", "rulewright/compiler/read", "rulewright/dsl/parse"))
    ]
    assert "hot seat" in (folder / "index.html").read_text()


def test_what_cannot_be_written_is_refused(tmp_path, capsys):
    assert main(["export", SKIRMISH, "-o", f"{tmp_path}/x/", "--pyodide", str(tmp_path)]) == 2
    assert "npm pack pyodide" in capsys.readouterr().err


@pytest.mark.skipif(bool(LACKING), reason=LACKING or "the folder is played")
def test_a_game_in_the_browser_ends_with_the_digest_of_the_desk(tmp_path):
    folder = tmp_path / "trc"
    assert main(["export", "trc", "-o", f"{folder}/", "--pyodide", str(PYODIDE), "--quiet"]) == 0
    game = at_the_desk("trc", "battle", 5)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = chromium.Browser(tmp_path / "profile")

    def wait(script):
        until = time.monotonic() + 300
        while time.monotonic() < until:
            try:
                found = browser.run(script)
            except RuntimeError:
                found = None
            if found:
                return found
            time.sleep(0.1)
        raise TimeoutError(browser.run("document.body.textContent"))

    def go(page):
        browser.call("Page.navigate", url="about:blank")
        browser.call("Page.navigate", url=f"http://127.0.0.1:{server.server_address[1]}/{page}")

    try:
        browser.call(
            "Page.addScriptToEvaluateOnNewDocument",
            source="addEventListener('securitypolicyviolation', e => { window.broken = e.violatedDirective; })",
        )
        go("index.html")
        assert wait("document.body.dataset.ready") == "yes"
        for colors in ("dark", "light"):
            scheme = {"name": "prefers-color-scheme", "value": colors}
            browser.call("Emulation.setEmulatedMedia", features=[scheme])
            assert browser.violations(chromium.find_axe()) == [], colors
        go("play.html#scenario=battle&players=random,random&seed=5")
        state = wait("window.alone && window.alone.over && window.alone")
        assert (state["choices"], state["digest"]) == (len(game.journal), game.digest())
        assert browser.violations(chromium.find_axe()) == []
        assert browser.run("window.broken || ''") == ""
    finally:
        browser.close()
        server.shutdown()
