"""The real server, driven over its protocol: a process, its standard input and output."""

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("pygls")

WAIT = float(os.environ.get("RULEWRIGHT_TEST_WAIT", 600))
HEAD = """\
book picket "A picket"

case 1 "Pieces":
  note "Who stands where."
  kind side: red, blue
  field strength of unit: number
  map field:
    grid: rows A..C, columns from the east
    hexes: A1..A6, B1..B6, C1..C6
    name Hill: A3
  roster all:
    form: strength side
    4 red: Guard @B1
    2 blue: Scout @B6
    1 blue: 𝄞é @C6
"""
ZONES = """\
case 2 "Zone of control":
  note "Who holds what."
  define reach -> number: 2 + 1
  define zone(u: unit) -> set of hex: {u.hex} + neighbors(u.hex)
  define held(s: side) -> set of hex: each(zone(it) over units(s))

case 3 "Scouts hold only their own hex":
  except 2 zone: {u.hex} when u.strength < reach
  covers 2/p2
  example "é𝄞 a guard holds the hexes around it":
    given "Guard" at @B1, "Scout" at @B6
    expect @B2 in zone("Guard")
    expect zone("Scout") = {@B6}
    expect "𝄞é" = "𝄞é" and @B6 in zone("Scout") and @A1 in zone("Guard")
"""


class Client:
    """As much of an editor as the tests need."""

    def __init__(self, folder):
        env = os.environ | {"RULEWRIGHT_CACHE": str(folder / "cache")}
        code = "import sys; from rulewright.editor.command import run_lsp; sys.exit(run_lsp(None))"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
        )
        self.replies, self.findings, self.last, self.opened = queue.Queue(), {}, 0, set()
        self.news = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()
        start = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
        self.capabilities = self.ask("initialize", start)["capabilities"]
        self.tell("initialized", {})

    def listen(self):
        out = self.process.stdout
        while line := out.readline():
            size = 0
            while line.strip():
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
                line = out.readline()
            message = json.loads(out.read(size))
            if "id" in message and "method" not in message:
                self.replies.put(message)
            elif message.get("method") == "textDocument/publishDiagnostics":
                with self.news:
                    self.findings.setdefault(message["params"]["uri"], []).append(message["params"]["diagnostics"])
                    self.news.notify_all()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def reply(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        found = self.replies.get(timeout=WAIT)
        assert found["id"] == self.last
        return found

    def ask(self, method, params):
        found = self.reply(method, params)
        assert "error" not in found, found
        return found["result"]

    def open(self, path, text=None):
        self.versions = 1
        self.opened.add(path.as_uri())
        document = {"uri": path.as_uri(), "languageId": "rules", "version": 1, "text": text or path.read_text()}
        return self.after(path, lambda: self.tell("textDocument/didOpen", {"textDocument": document}))

    def change(self, path, text):
        self.versions += 1
        document = {"uri": path.as_uri(), "version": self.versions}
        change = {"textDocument": document, "contentChanges": [{"text": text}]}
        return self.after(path, lambda: self.tell("textDocument/didChange", change))

    def after(self, path, act):
        """The first findings of a file that are published after an act."""
        uri = path.as_uri()
        with self.news:
            before = len(self.findings.get(uri, ()))
            act()
            assert self.news.wait_for(lambda: len(self.findings.get(uri, ())) > before, timeout=WAIT), "no diagnostics"
            return self.findings[uri][before]

    def at(self, method, path, line, character, **more):
        place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}}
        return self.ask(method, place | more)

    def stop(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(timeout=WAIT)


@pytest.fixture
def desk(tmp_path):
    folder = tmp_path / "picket"
    folder.mkdir()
    (folder / "01-book.rules").write_text(HEAD)
    (folder / "02-zones.rules").write_text(ZONES)
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for all tests, as an editor keeps it: no text may leave it worse for the next."""
    client = Client(tmp_path_factory.mktemp("home"))
    yield client
    if client.process.poll() is None:
        client.process.kill()
        client.process.wait()


@pytest.fixture
def client(server):
    yield server
    for uri in server.opened:
        server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    server.opened.clear()


def place(text, needle, nth=0, inside=0):
    """The protocol's line and character of a needle: UTF-16 code units."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(needle, at + 1)
    line = text.count("\n", 0, at)
    start = text.rfind("\n", 0, at) + 1
    return line, len(text[start:at].encode("utf-16-le")) // 2 + inside


def slice_(text, span):
    """The text of a range of one line, cut in UTF-16."""
    assert span["start"]["line"] == span["end"]["line"]
    units = text.split("\n")[span["start"]["line"]].encode("utf-16-le")
    return units[2 * span["start"]["character"] : 2 * span["end"]["character"]].decode("utf-16-le")


GAME = """\
book patrol of picket "A patrol on the rules of the picket"

case 2 "Patrols":
  note "Patrols see further."
  except picket 2 reach: 4
  define seen(u: unit) -> number: reach
case 3 "Nobody sees at night":
  except 2 seen: 0 when u.strength < 3
  waive picket 3 zone when u.strength > 8
  example "a guard sees":
    expect seen("Guard") = 4
"""


# ---------------------------------------------------------------- diagnostics


def test_a_sound_book_has_no_findings(client, desk):
    assert client.open(desk / "02-zones.rules") == []


def test_an_unsaved_change_is_checked_with_the_whole_book(client, desk):
    path = desk / "02-zones.rules"
    client.open(path)
    (found,) = client.change(path, ZONES.replace("u.strength <", "u.strenth <"))
    assert found["code"] == "RW213" and "strength" in found["message"]
    assert slice_(ZONES.replace("u.strength <", "u.strenth <"), found["range"]).endswith("strenth")
    assert path.read_text() == ZONES
    assert client.change(path, ZONES) == []


def test_a_change_in_one_file_is_reported_in_another(client, desk):
    head, zones = desk / "01-book.rules", desk / "02-zones.rules"
    client.open(zones)
    client.open(head)
    client.tell(
        "textDocument/didChange",
        {
            "textDocument": {"uri": head.as_uri(), "version": 2},
            "contentChanges": [{"text": HEAD.replace("strength", "force")}],
        },
    )
    with client.news:
        assert client.news.wait_for(lambda: client.findings[zones.as_uri()][-1], timeout=WAIT)
    assert {d["code"] for d in client.findings[zones.as_uri()][-1]} == {"RW213"}


def test_edits_in_the_middle_of_a_line_with_wide_letters_arrive_whole(client, desk):
    path = desk / "02-zones.rules"
    client.open(path)
    line, character = place(ZONES, '"Guard")', nth=1)
    span = {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + 7}}
    change = {"range": span, "text": '"Gard"'}
    params = {"textDocument": {"uri": path.as_uri(), "version": 2}, "contentChanges": [change]}
    (found,) = client.after(path, lambda: client.tell("textDocument/didChange", params))
    assert found["code"] == "RW214"
    assert slice_(ZONES.replace('zone("Guard")\n"""', ""), found["range"]) == '"Guard'


@pytest.mark.parametrize(
    "text",
    [
        "case",
        'case 2 "x:\n  define',
        "\x00\x01",
        ZONES[: len(ZONES) // 2],
        ZONES.replace("(", "", 1),
        "case 2:\n" + "  " * 200 + "define x -> number: " + "(" * 500,
        "é" * 2000,
        "\ud83d",
        "",
    ],
)
def test_broken_text_never_kills_the_server(client, desk, text):
    path = desk / "02-zones.rules"
    client.open(path)
    client.change(path, text)
    for method in ("definition", "hover", "completion", "documentSymbol", "formatting"):
        options = {"tabSize": 2, "insertSpaces": True}
        client.at(f"textDocument/{method}", path, 0, 3, options=options)
    client.reply(
        "textDocument/rename",
        {"textDocument": {"uri": path.as_uri()}, "position": {"line": 0, "character": 3}, "newName": "x"},
    )
    assert client.change(path, ZONES) == []


def test_a_broken_case_leaves_what_the_others_say(client, desk):
    path = desk / "02-zones.rules"
    client.open(path)
    broken = ZONES.replace("each(zone(it) over units(s))", "each(zone(it over")
    (found,) = client.change(path, broken)
    assert found["code"] == "RW101"
    (where,) = client.at("textDocument/definition", path, *place(broken, "zone: {u.hex}"))
    assert slice_(broken, where["range"]) == "zone"


# ---------------------------------------------------------------- go to, hover


@pytest.mark.parametrize(
    "needle, inside, file, line, word",
    [
        ("except 2 zone", 7, "02-zones.rules", 'case 2 "Zone of control":', "2"),
        ("except 2 zone", 10, "02-zones.rules", "define zone(u: unit)", "zone"),
        ("covers 2/p2", 8, "02-zones.rules", 'case 2 "Zone of control":', "2"),
        ("u.strength", 3, "01-book.rules", "field strength of unit", "strength"),
        ("s: side", 4, "01-book.rules", "kind side: red, blue", "side"),
        ("{u.hex} when", 1, "02-zones.rules", "define zone(u: unit)", "u"),
        ("reach\n", 2, "02-zones.rules", "define reach -> number", "reach"),
        ('"Scout" at', 2, "01-book.rules", "2 blue: Scout @B6", "Scout"),
        ('"𝄞é" and @B6 in zone("Scout")', 19, "02-zones.rules", "define zone(u: unit)", "zone"),
    ],
)
def test_go_to(client, desk, needle, inside, file, line, word):
    path = desk / "02-zones.rules"
    client.open(path)
    (where,) = client.at("textDocument/definition", path, *place(ZONES, needle, inside=inside))
    target = Path(desk / file)
    assert where["uri"] == target.as_uri()
    assert line in target.read_text().split("\n")[where["range"]["start"]["line"]]
    assert slice_(target.read_text(), where["range"]) == word


def test_go_to_a_case_that_refuses(client, desk):
    path = desk / "02-zones.rules"
    text = ZONES + '    refused red: zone("Guard") by 3, 2\n'
    client.open(path, text)
    (where,) = client.at("textDocument/definition", path, *place(text, "by 3, 2", inside=6))
    assert where["range"]["start"]["line"] == 0


def test_hover_tells_of_cases_names_values_units_and_built_in_words(client, desk):
    path = desk / "02-zones.rules"
    client.open(path)

    def told(needle, inside=0):
        return client.at("textDocument/hover", path, *place(ZONES, needle, inside=inside))["contents"]["value"]

    case = told("except 2", 7)
    assert "Zone of control" in case and "Who holds what." in case
    zone = told("zone: {u")
    assert "define zone(u: unit) -> set of hex" in zone and "amended by 3" in zone
    assert "always 3" in told("reach\n")
    assert "field strength of unit: number" in told("strength <")
    assert "u: unit" in told("{u.hex} when", 1)
    assert "the places that touch it" in told("neighbors")
    assert "strength 2" in told('"Scout" at', 2)


def test_hover_marks_the_word_behind_wide_letters(client, desk):
    path = desk / "02-zones.rules"
    client.open(path)
    found = client.at("textDocument/hover", path, *place(ZONES, 'zone("Scout") and', inside=2))
    assert slice_(ZONES, found["range"]) == "zone"


def test_references_name_every_use(client, desk):
    path = desk / "02-zones.rules"
    client.open(path)
    found = client.at("textDocument/references", path, *place(ZONES, "zone(u"), context={"includeDeclaration": True})
    assert len(found) == 7
    assert {slice_(ZONES, x["range"]) for x in found} == {"zone"}


# ---------------------------------------------------------------- completion


@pytest.mark.parametrize(
    "line, wanted, unwanted",
    [
        ("  except ", {"1", "2", "3"}, {"zone", "define"}),
        ("  except 2 ", {"zone", "held", "reach"}, {"side"}),
        ("  define f(u: unit) -> number: u.", {"strength", "hex"}, {"zone"}),
        ("  define f -> set of hex: {@B", {"@B1", "@B6"}, {"zone"}),
        ('  define f -> unit: "', {"Guard", "Scout"}, {"zone"}),
        ("  define f -> set of hex: z", {"zone", "neighbors", "red", "Hill", "every"}, set()),
        ("  covers ", {"2"}, {"zone"}),
        ("    given map ", {"field"}, {"zone", "Guard", "define"}),
        ('  note "', set(), {"Guard", "zone"}),
        ("  # ", set(), {"zone"}),
        ("  style look:\n    terrain woods: ", {"pale_green", "trees", "star"}, {"zone", "armor"}),
        ("  style look:\n    lines rail: black ", {"ties", "water"}, {"trees"}),
        ("  style look:\n    unit.type tank: ", {"armor"}, {"trees"}),
    ],
)
def test_completion(client, desk, line, wanted, unwanted):
    path = desk / "02-zones.rules"
    client.open(path)
    text = f'{ZONES}\ncase 4 "More":\n{line}'
    client.change(path, text)
    at = (text.count("\n"), len(text.rpartition("\n")[2]))
    found = {x["label"] for x in client.at("textDocument/completion", path, *at)["items"]}
    assert wanted <= found
    assert not unwanted & found


TYPED = """\
case 4 "More":
  kind sky: clear, mud, snow
  mark weather: sky = clear
  mark weary of unit
  field height of hex: number
  record blow:
    force: number
  define f(u: unit, h: hex) -> flag: """


@pytest.mark.parametrize(
    "end, found",
    [
        ("u.", {"strength", "side", "hex", "weary"}),
        ('"Guard".w', {"strength", "side", "hex", "weary"}),
        ("h.", {"height"}),
        ("u.hex.", {"height"}),
        ("@B1.", {"height"}),
        ("weather = ", {"clear", "mud", "snow"}),
        ("weather != m", {"clear", "mud", "snow"}),
        ("u.side = ", {"red", "blue"}),
        ("u.side in {red, ", {"red", "blue"}),
    ],
)
def test_completion_knows_the_type_of_what_stands_before_it(client, desk, end, found):
    """In a case that does not parse yet: its own marks, fields and kinds count too."""
    path = desk / "02-zones.rules"
    client.open(path)
    text = f"{ZONES}\n{TYPED}{end}"
    client.change(path, text)
    at = (text.count("\n"), len(text.rpartition("\n")[2]))
    assert {x["label"] for x in client.at("textDocument/completion", path, *at)["items"]} == found


def test_a_finding_that_asks_did_you_mean_has_a_quick_fix(client, desk):
    path = desk / "02-zones.rules"
    client.open(path)
    text = ZONES.replace("zone(it) over", "zonne(it) over").replace('"Scout" at', '"Scuot" at')
    found = client.change(path, text)
    document = {"uri": path.as_uri()}
    mended = text
    for d in found:
        params = {"textDocument": document, "range": d["range"], "context": {"diagnostics": [d]}}
        action, *_ = client.ask("textDocument/codeAction", params)
        [edit] = action["edit"]["changes"][path.as_uri()]
        assert action["kind"] == "quickfix"
        assert action["title"] == f'Replace "{slice_(text, edit["range"])}" by "{edit["newText"]}"'
        mended = mended.replace(slice_(text, edit["range"]), edit["newText"])
    assert len(found) == 2 and mended == ZONES
    assert client.capabilities["codeActionProvider"]["codeActionKinds"] == ["quickfix"]


def test_the_hover_of_a_table_shows_the_table(client, desk):
    path = desk / "02-zones.rules"
    client.open(path)
    table = "table price(die: number) -> number:\n    | die | price |\n    | 1-3 | 2     |\n    | 4-6 | 3     |"
    text = f'{ZONES}\ncase 4 "More":\n  house {table}\n  define dear -> number: price(6)\n'
    client.change(path, text)
    told = client.at("textDocument/hover", path, *place(text, "price(6)"))["contents"]["value"]
    assert "| 1-3 | 2     |" in told and "| 4-6 | 3     |" in told and "house table price" in told


@pytest.mark.parametrize("length", [b"twelve", b"-3", b"", b"1e9", b"9" * 30])
def test_a_length_that_is_none_ends_the_server_with_a_clear_line(tmp_path, length):
    code = "import sys; from rulewright.editor.command import run_lsp; sys.exit(run_lsp(None))"
    sent = b"Content-Length: " + length + b"\r\n\r\n{}"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(sent)
    process.stdin.flush()  # the pipe stays open: a server that waits for more would never end
    assert process.wait(timeout=WAIT) == 1
    last = process.stderr.read().decode().strip().splitlines()[-1]
    assert last.startswith("rulewright lsp: the Content-Length") and last.endswith("the session ends")


def test_headers_in_other_letters_are_read(tmp_path):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "shutdown"}).encode()
    code = "import sys; from rulewright.editor.command import run_lsp; sys.exit(run_lsp(None))"
    sent = b"content-length:%d\nContent-Type: application/vscode-jsonrpc\n\n%s" % (len(body), body)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, input=sent, capture_output=True, timeout=WAIT)
    assert b'"id": 1' in done.stdout or b'"id":1' in done.stdout


def test_completion_replaces_what_is_typed_behind_wide_letters(client, desk):
    path = desk / "02-zones.rules"
    client.open(path)
    line = '  define f -> flag: "𝄞é" = "𝄞" and @B'
    text = f'{ZONES}\ncase 4 "More":\n{line}'
    client.change(path, text)
    items = client.at("textDocument/completion", path, text.count("\n"), len(line) + 2)["items"]
    edit = next(x["textEdit"] for x in items if x["label"] == "@B6")
    assert slice_(text, edit["range"]) == "@B"


# ---------------------------------------------------------------- rename, format, symbols


def renamed(client, path, texts, at, new):
    edit = client.at("textDocument/rename", path, *at, newName=new)
    for uri, edits in edit["changes"].items():
        for e in sorted(
            edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True
        ):
            lines = texts[uri].split("\n")
            assert slice_(texts[uri], e["range"]).isidentifier()
            units = lines[e["range"]["start"]["line"]].encode("utf-16-le")
            start, end = 2 * e["range"]["start"]["character"], 2 * e["range"]["end"]["character"]
            units = units[:start] + new.encode("utf-16-le") + units[end:]
            lines[e["range"]["start"]["line"]] = units.decode("utf-16-le")
            texts[uri] = "\n".join(lines)
    return texts


@pytest.mark.parametrize(
    "old, new, needle", [("zone", "area", "zone(u"), ("strength", "force", "strength <"), ("red", "crimson", "")]
)
def test_rename_in_all_files(client, desk, old, new, needle):
    """A definition stands in code alone; a field and a side stand in the roster too."""
    head, zones = desk / "01-book.rules", desk / "02-zones.rules"
    client.open(zones)
    client.open(head)
    texts = {head.as_uri(): HEAD, zones.as_uri(): ZONES}
    path, at = (zones, place(ZONES, needle)) if needle else (head, place(HEAD, "red"))
    made = renamed(client, path, texts, at, new)
    expected = {
        uri: __import__("re").sub(rf"\b{old}\b", new, text)
        for uri, text in ((head.as_uri(), HEAD), (zones.as_uri(), ZONES))
    }
    assert made == expected
    for path in (head, zones):
        path.write_text(made[path.as_uri()])
    from rulewright.compiler.pipeline import analyse

    assert analyse(str(desk)).report.wrong == []


@pytest.mark.parametrize(
    "needle, new, why",
    [
        ("zone(u", "held", "declared already"),
        ("zone(u", "each", "word of the language"),
        ("zone(u", "neighbors", "built-in"),
        ("zone(u", "Hill", "place on the map"),
        ("zone(u", "2zone", "no name"),
        ("reach\n", "u", "local name"),
        ("u: unit", "v", "declared for the whole book"),
        ('2 "Zone', "9", "printed number"),
    ],
)
def test_a_rename_that_would_not_do_is_refused_with_its_reason(client, desk, needle, new, why):
    path = desk / "02-zones.rules"
    client.open(path)
    line, character = place(ZONES, needle)
    params = {
        "textDocument": {"uri": path.as_uri()},
        "position": {"line": line, "character": character},
        "newName": new,
    }
    assert why in client.reply("textDocument/rename", params)["error"]["message"]


def test_a_field_is_renamed_in_a_form_with_hyphens(client, desk):
    head, zones = desk / "01-book.rules", desk / "02-zones.rules"
    text = HEAD.replace("field strength of", "field strength, pace of").replace(
        "form: strength side", "form: strength-pace side"
    )
    text = text.replace("4 red", "4-2 red").replace("2 blue", "2-6 blue").replace("1 blue", "1-3 blue")
    head.write_text(text)
    client.open(head)
    made = renamed(client, head, {head.as_uri(): text, zones.as_uri(): ZONES}, place(text, "pace"), "speed")
    assert made[head.as_uri()] == text.replace("pace", "speed")


def test_format(client, desk):
    path = desk / "02-zones.rules"
    loose = ZONES.replace("define zone(u: unit)", "define   zone( u:unit )")
    client.open(path, loose)
    options = {"tabSize": 2, "insertSpaces": True}
    params = {"textDocument": {"uri": path.as_uri()}, "options": options}
    (edit,) = client.ask("textDocument/formatting", params)
    assert edit["newText"] == ZONES
    assert edit["range"]["start"] == {"line": 0, "character": 0}
    assert edit["range"]["end"]["line"] == loose.count("\n")
    client.change(path, ZONES)
    assert client.ask("textDocument/formatting", params) == []
    client.change(path, loose.replace("over units", "over over units"))
    assert client.ask("textDocument/formatting", params) == []


def test_symbols(client, desk):
    path = desk / "02-zones.rules"
    client.open(path)
    two, three = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
    assert two["name"] == "2 Zone of control"
    assert [x["name"] for x in two["children"]] == ["reach", "zone", "held"]
    assert [x["detail"] for x in three["children"]] == ["except", "example"]
    assert two["range"]["start"]["line"] == 0 and three["range"]["start"]["line"] == 6
    found = client.ask("workspace/symbol", {"query": "stren"})
    assert [x["name"] for x in found] == ["strength"]
    assert found[0]["location"]["uri"] == (desk / "01-book.rules").as_uri()


# ---------------------------------------------------------------- other files


def test_an_overlay_is_checked_on_its_book(client, desk):
    path = desk / "overlays" / "wide.rules"
    path.parent.mkdir()
    text = 'variant wide of picket "Wide":\n  case 9 "Scouts reach":\n    amend 3 zone: {u.hex} becomes zone_(u)\n'
    path.write_text(text)
    found = client.open(path)
    assert {d["code"] for d in found} & {"RW201"}
    mended = text.replace("zone_(u)", "neighbors(u.hex)")
    assert client.change(path, mended) == []
    (where,) = client.at("textDocument/definition", path, *place(text, "amend 3", inside=6))
    assert where["uri"] == (desk / "02-zones.rules").as_uri()


def test_cases_of_a_series_and_of_a_game_are_two(client, desk):
    path = desk.parent / "patrol.rules"
    path.write_text(GAME)
    zones = (desk / "02-zones.rules").read_text()
    assert client.open(path) == []
    (home,) = client.at("textDocument/definition", path, *place(GAME, "picket 2", inside=8))
    assert home["uri"].endswith("02-zones.rules") and slice_(zones, home["range"]) == "2"
    (home,) = client.at("textDocument/definition", path, *place(GAME, "except 2", inside=7))
    assert home["uri"].endswith("patrol.rules") and home["range"]["start"]["line"] == 2
    shown = client.at("textDocument/hover", path, *place(GAME, "picket 2", inside=1))["contents"]["value"]
    assert "case picket 2" in shown and "Zone of control" in shown and "Patrols" not in shown
    shown = client.at("textDocument/hover", path, *place(GAME, "reach: 4", inside=1))["contents"]["value"]
    assert "case picket 2 Zone of control" in shown and "amended by 2" in shown
    uses = client.at("textDocument/references", path, *place(GAME, "picket 3"), context={"includeDeclaration": True})
    assert {(x["uri"].rpartition("/")[2], x["range"]["start"]["line"]) for x in uses} == {
        ("patrol.rules", 8),
        ("02-zones.rules", 6),
    }
    line = "  except picket "
    text = GAME + line
    client.change(path, text)
    items = client.at("textDocument/completion", path, *place(text, line, inside=len(line)))
    items = items["items"] if isinstance(items, dict) else items
    assert "picket 2" in {x["label"] for x in items} and "2" in {x["label"] for x in items}
    text = GAME.replace("except picket 2 reach", "except 1 reach")
    (found,) = client.change(path, text)
    assert found["code"] == "RW114"
    document = {"uri": path.as_uri()}
    params = {"textDocument": document, "range": found["range"], "context": {"diagnostics": [found]}}
    action, *_ = client.ask("textDocument/codeAction", params)
    assert action["title"] == 'Replace "1" by "picket 1"'
    client.change(path, GAME)
    reply = client.reply(
        "textDocument/rename",
        {
            "textDocument": document,
            "position": dict(zip(("line", "character"), place(GAME, "picket 2"), strict=True)),
            "newName": "9",
        },
    )
    assert "keeps its printed number" in reply["error"]["message"]


def test_an_unsaved_document_is_parsed(client):
    document = {"uri": "untitled:Untitled-1", "languageId": "rules", "version": 1, "text": "case 1:\n  define x\n"}
    client.tell("textDocument/didOpen", {"textDocument": document})
    with client.news:
        assert client.news.wait_for(lambda: "untitled:Untitled-1" in client.findings, timeout=WAIT)
    assert client.findings["untitled:Untitled-1"][0][0]["code"] == "RW101"


def test_the_server_leaves_in_peace(tmp_path):
    assert Client(tmp_path).stop() == 0
