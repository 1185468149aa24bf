"""The server, line by line of what it promises: hosts, origins, tokens, headers, limits, saves, seeds."""

from __future__ import annotations

import contextlib
import json
import re
import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rulewright.table.app import Server
from rulewright.table.guard import POLICY, host_name, names_for
from rulewright.table.hub import AT_WORK, BURST
from rulewright.table.links import new_token
from rulewright.table.room import Room
from rulewright.table.shelf import Shelf

SKIRMISH = str(Path(__file__).parents[1] / "books" / "skirmish.rules")
HOME = "http://localhost"


class Around:
    """A server with one game, and its owner."""

    def __init__(self, folder: Path) -> None:
        self.owner = new_token()
        self.server = Server(Shelf(folder), [SKIRMISH], self.owner, names_for("127.0.0.1"))
        self.client = TestClient(self.server.app, base_url=HOME)

    def api(self, method: str, path: str, token: str | None = None, **how):
        headers = {"authorization": f"Bearer {self.owner if token is None else token}", **how.pop("headers", {})}
        return self.client.request(method, path, headers=headers, **how)

    def begin(self, **more):
        return self.api("POST", "/api/tables", json={"book": SKIRMISH, **more}).json()

    def token(self, game, kind="seat", side="red"):
        return next(x["href"].split("#")[1] for x in game["links"] if x["kind"] == kind and (kind != "seat" or side in x["sides"]))

    def socket(self, game, origin=HOME, host="localhost"):
        return self.client.websocket_connect(f"/t/{game['id']}/socket", headers={"origin": origin, "host": host})

    @contextlib.contextmanager
    def sit(self, game, **who):
        with self.socket(game) as ws:
            ws.send_json({"do": "sit", "token": self.token(game, **who)})
            yield ws, frame_of(ws)


def frame_of(ws):
    while True:
        told = ws.receive_json()
        if "n" in told or "gone" in told or "curtain" in told:
            return told


@pytest.fixture(scope="module")
def around(tmp_path_factory):
    made = Around(tmp_path_factory.mktemp("games"))
    with made.client:
        yield made


@pytest.fixture(scope="module")
def game(around):
    return around.begin()


# ---------------------------------------------------------------- 1, 2: where it listens, who may ask


def test_it_listens_to_this_machine_alone():
    import argparse

    from rulewright.table.command import add_table

    p = argparse.ArgumentParser()
    add_table(p)
    assert p.parse_args([]).host == "127.0.0.1"


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "", "localhost/x", "[::1", "localhost:x"])
def test_a_request_for_another_host_is_refused(around, host):
    found = around.client.get("/", headers={"host": host})
    assert found.status_code == 400 and "<html" not in found.text


@pytest.mark.parametrize("host", ["localhost", "localhost:8014", "127.0.0.1:9", "[::1]:8014"])
def test_the_names_of_this_machine_are_served(around, host):
    assert around.client.get("/", headers={"host": host}).status_code == 200


def test_host_names_are_read_like_a_browser_does():
    assert host_name("LocalHost:80") == "localhost" and host_name("a b") != "localhost"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:9999", "https://localhost.evil.example", "http://127.0.0.1", ""])
def test_a_socket_from_another_origin_is_refused(around, game, origin):
    with pytest.raises(WebSocketDisconnect), around.socket(game, origin=origin) as ws:
        ws.receive_json()


def test_a_socket_to_another_host_is_refused(around, game):
    with pytest.raises(WebSocketDisconnect), around.socket(game, origin="http://evil.example", host="evil.example") as ws:
        ws.receive_json()


def test_a_change_from_another_origin_is_refused(around):
    found = around.api("POST", "/api/tables", json={"book": SKIRMISH}, headers={"origin": "http://evil.example"})
    assert found.status_code == 403


# ---------------------------------------------------------------- 3: tokens


def test_tokens_have_128_bits_and_stand_in_the_fragment(game):
    tokens = [x["href"].partition("#")[2] for x in game["links"]]
    assert len(set(tokens)) == len(tokens) == 4
    assert all(re.fullmatch(r"[\w-]{22}", t) for t in tokens)
    assert all("?" not in x["href"] for x in game["links"])


def test_tokens_are_compared_in_constant_time():
    import inspect

    from rulewright.table import links

    assert "compare_digest" in inspect.getsource(links.same)
    assert links.find_link([], "x") is None


@pytest.mark.parametrize("token", ["x" * 22, "é" * 22])
def test_a_wrong_token_opens_nothing(around, game, token):
    with around.socket(game) as ws:
        ws.send_json({"do": "sit", "token": token})
        assert ws.receive_json() == {"gone": "this link opens nothing"}
        with pytest.raises(WebSocketDisconnect):
            ws.receive_json()


def test_a_link_can_be_revoked(around):
    game = around.begin()
    with around.sit(game) as (ws, frame):
        assert frame["side"] == "red"
        anew = around.api("POST", f"/api/tables/{game['id']}/links", json={}).json()
        assert frame_of(ws)["gone"]
    with around.sit(game) as (_, told):
        assert told == {"gone": "this link opens nothing"}
    with around.sit(anew) as (_, frame):
        assert frame["side"] == "red"


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/books"), ("GET", "/api/tables"), ("POST", "/api/tables"), ("POST", "/api/mix"), ("POST", "/api/tables/{id}/links"), ("DELETE", "/api/tables/{id}")])
def test_only_the_owner_begins_lists_and_drops(around, game, method, path):
    for token in ("", "x", around.token(game)):
        assert around.api(method, path.format(id=game["id"]), token=token, json={}).status_code == 403


# ---------------------------------------------------------------- 4: the side comes from the token


def test_the_side_comes_from_the_token_alone(around, game):
    with around.sit(game, kind="spectator") as (ws, frame):
        assert frame["side"] == "" and frame["ask"] is None
        ws.send_json({"do": "pick", "n": frame["n"], "i": 0})
        assert ws.receive_json() == {"say": "spectators look on"}
    for more in ({"side": "red"}, {"sides": ["red"]}, {"token": "x" * 22}):
        with around.sit(game, kind="spectator") as (ws, frame), pytest.raises(WebSocketDisconnect):
            ws.send_json({"do": "pick", "n": frame["n"], "i": 0, **more})
            ws.receive_json()


# ---------------------------------------------------------------- 5: what answers may do in a browser


@pytest.mark.parametrize("path", ["/", "/t/{id}", "/page/table.js", "/page/table.css", "/t/{id}/map.svg", "/t/{id}/board.json", "/t/{id}/rules/index.html", "/api/books", "/nowhere", "/page/..%2fapp.py"])
def test_every_answer_has_strict_headers(around, game, path):
    found = around.client.get(path.format(id=game["id"]))
    assert found.headers["content-security-policy"] == POLICY and "unsafe" not in POLICY
    assert found.headers["referrer-policy"] == "no-referrer" and found.headers["cache-control"] == "no-store"
    assert found.headers["x-content-type-options"] == "nosniff"


def test_pages_hold_no_script_and_no_style_of_their_own():
    page = Path(__file__).parents[2] / "table" / "page"
    for file in page.glob("*.html"):
        text = file.read_text()
        assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", text), file.name
    for file in page.glob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", file.read_text()), file.name


def test_cases_lead_to_the_reference(around, game):
    found = around.client.get(f"/t/{game['id']}/rules/case", params={"of": "3.2"}, follow_redirects=False)
    assert found.headers["location"] == f"/t/{game['id']}/rules/chapter-3.html#case-3.2"
    assert "Woods cost two" in around.client.get(found.headers["location"]).text
    away = around.client.get(f"/t/{game['id']}/rules/case", params={"of": "//evil.example"}, follow_redirects=False)
    assert away.headers["location"].startswith(f"/t/{game['id']}/rules/")


# ---------------------------------------------------------------- 6: schema and limits


@pytest.mark.parametrize("text", ["[]", "null", "{", '{"do":"sit"}', '{"do":"quit"}', "x" * 5000, '{"do":"sit","token":"' + "y" * 22 + '"}'])
def test_a_message_that_is_none_ends_the_socket_and_no_more(around, game, text):
    with around.sit(game) as (ws, frame):
        ws.send_text(text)
        with pytest.raises(WebSocketDisconnect):
            while True:
                ws.receive_json()
    with around.sit(game) as (_, again):
        assert again["units"] == frame["units"]


def test_bytes_end_the_socket(around, game):
    with around.sit(game) as (ws, _):
        ws.send_bytes(b'{"do":"lift"}')
        with pytest.raises(WebSocketDisconnect):
            while True:
                ws.receive_json()


def test_a_socket_that_talks_too_fast_is_let_go(around, game):
    with around.sit(game) as (ws, _):
        for _ in range(int(BURST) + 40):
            ws.send_json({"do": "told", "place": 0})
        with pytest.raises(WebSocketDisconnect):
            for _ in range(500):
                ws.receive_json()


def test_sockets_and_tables_are_limited(around, game, monkeypatch):
    monkeypatch.setattr("rulewright.table.app.MOST_SOCKETS", 0)
    with pytest.raises(WebSocketDisconnect), around.socket(game) as ws:
        ws.receive_json()
    monkeypatch.undo()
    monkeypatch.setattr("rulewright.table.hub.MOST_AT_TABLE", 0)
    with around.sit(game) as (_, told):
        assert "too many" in told["gone"]
    monkeypatch.undo()
    monkeypatch.setattr("rulewright.table.hub.MOST_ROOMS", 0)
    another = around.begin()
    with around.sit(another) as (_, told):
        assert told == {"gone": "there is no such table"}


def test_a_table_whose_rules_take_long_says_so_and_queues_nothing(around, monkeypatch):
    """Rules end by their budget of steps; until then no more messages pile up behind them."""
    game = around.begin()
    at_work, let_go, obeyed = threading.Event(), threading.Event(), []
    obey = Room.obey

    def slowly(room, sitter, message):
        obeyed.append(message)
        at_work.set()
        let_go.wait(20)
        return obey(room, sitter, message)

    with around.sit(game) as (red, _), around.sit(game, side="blue") as (blue, _):
        monkeypatch.setattr("rulewright.table.hub.LONG", 0.02)
        monkeypatch.setattr(Room, "obey", slowly)
        red.send_json({"do": "told", "place": 0})
        assert at_work.wait(20)
        assert {"say": AT_WORK} in (first_say(red), first_say(blue))
        blue.send_json({"do": "told", "place": 0})
        assert first_say(blue) == {"say": AT_WORK} and len(obeyed) == 1
        let_go.set()
        monkeypatch.setattr(Room, "obey", obey)
        red.send_json({"do": "told", "place": 0})
        while "told" not in red.receive_json():
            pass


def first_say(ws):
    while "say" not in (told := ws.receive_json()):
        pass
    return told


def test_a_socket_that_says_nothing_is_let_go(around, game, monkeypatch):
    monkeypatch.setattr("rulewright.table.app.PATIENCE", 0.01)
    with around.socket(game) as ws, pytest.raises(WebSocketDisconnect):
        ws.receive_json()


@pytest.mark.parametrize("body", [b"[]", b"{", b"1" * 30_000, b"\xff", json.dumps({"book": "../../etc/passwd"}).encode(), json.dumps({"book": SKIRMISH, "overlays": ["/etc/passwd"]}).encode(), json.dumps({"book": SKIRMISH, "overlays": [1]}).encode(), json.dumps({"book": SKIRMISH, "scenario": "no"}).encode(), json.dumps({"book": SKIRMISH, "players": {"red": "script:/etc/passwd"}}).encode()])
def test_what_the_owner_sends_is_checked(around, body):
    found = around.api("POST", "/api/tables", content=body)
    assert found.status_code in (400, 409, 413) and "Traceback" not in found.text


# ---------------------------------------------------------------- 7: seeds


def test_seeds_cannot_be_guessed_and_are_told_to_nobody(around, game):
    cards = {x.id: x for x in around.server.shelf.cards()}
    seeds = {x.seed for x in cards.values()}
    assert len(seeds) == len(cards) and all(seed > 2**20 for seed in seeds)
    with around.sit(game) as (_, frame):
        board = around.client.get(f"/t/{game['id']}/board.json").text
        told = json.dumps([frame, around.api("GET", "/api/tables").json()]) + board
        assert str(cards[game["id"]].seed) not in told and '"rng"' not in told


# ---------------------------------------------------------------- 10: saves from a list, no tracebacks


@pytest.mark.parametrize("id", ["..", "%2e%2e%2fx", "abc", "x" * 400, "a" * 12])
def test_games_are_known_by_their_ids_alone(around, id):
    for path in (f"/t/{id}/map.svg", f"/t/{id}/board.json", f"/t/{id}/rules/index.html"):
        found = around.client.get(path)
        assert found.status_code == 404 and "Traceback" not in found.text
    assert around.api("DELETE", f"/api/tables/{id}").status_code in (404, 409)


def test_pages_are_served_from_a_list(around):
    for name in ("../app.py", "%2e%2e/app.py", "%2e%2e%2fapp.py", "app.py", "table.py"):
        assert around.client.get(f"/page/{name}").status_code == 404


def test_a_fault_of_ours_is_told_to_the_log_and_not_to_the_page(around, game, monkeypatch, caplog):
    def broken(*_):
        raise ValueError("/secret/path/of/the/server")

    with around.sit(game) as (ws, frame):
        monkeypatch.setattr("rulewright.table.room.Room._do", broken)
        ws.send_json({"do": "ok", "n": frame["n"]})
        told = ws.receive_json()
    assert "/secret" not in json.dumps(told) and "wrong" in told["say"] and "/secret" in caplog.text


def test_games_and_links_are_for_this_user_alone(around, game):
    folder = around.server.shelf.folder
    assert (folder / f"{game['id']}.json").stat().st_mode & 0o077 == 0


def test_the_command_line_seats_any_player_and_a_page_those_that_are_listed(around, game):
    from rulewright.compiler.cli.faults import Usage
    from rulewright.table.serve import begin

    assert begin(around.server, SKIRMISH, None, "person,doctrine", None).players == {"red": "person", "blue": "doctrine"}
    with pytest.raises(Usage, match="does not play by itself"):
        begin(around.server, SKIRMISH, None, "person,nobody", None)
    for word in ("bold:hard", "bold:easy"):
        told = around.api("POST", "/api/tables", json={"book": SKIRMISH, "scenario": "", "players": {"blue": word}})
        assert told.json()["players"]["blue"] == word
    for word in ("bold:cruel", "../x", "/tmp/mine.rules", "sly"):
        told = around.api("POST", "/api/tables", json={"book": SKIRMISH, "scenario": "", "players": {"blue": word}})
        assert told.status_code == 409, word


def test_the_list_of_games_tells_who_is_to_decide(around, game):
    assert around.client.get(f"/t/{game['id']}/board.json").status_code == 200
    told = {x["id"]: x["state"] for x in around.api("GET", "/api/tables").json()}
    assert "Red to decide" in told[game["id"]]


def test_a_dropped_game_is_gone(around):
    game = around.begin()
    with around.sit(game):
        assert around.api("DELETE", f"/api/tables/{game['id']}").json() == {"dropped": game["id"]}
    assert not list(around.server.shelf.folder.glob(f"{game['id']}*"))


# ---------------------------------------------------------------- the start page


def test_books_mixes_and_the_reason_of_a_refused_one(tmp_path):
    made = Around(tmp_path)
    made.server.books = ["trc"]
    with made.client:
        [book] = made.api("GET", "/api/books").json()
        assert book["title"] == "The Russian Campaign" and any(o["call"] == "26.17" for o in book["overlays"])
        assert "there is no such overlay" in made.api("POST", "/api/mix", json={"book": "trc", "overlays": ["27"]}).text
        refused = made.api("POST", "/api/mix", json={"book": "trc", "overlays": ["27.3", "27.4"]}).json()["refused"]
        assert "27.3" in refused[0] and "27.4" in refused[0], refused
