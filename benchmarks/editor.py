"""The language server on a copy of `trc`: from a keystroke to the findings, and a rename over many files.

The real server runs in a process of its own and is spoken to as an editor does. Times are of the clock, the best of
several rounds; a keystroke includes the pause in typing that the server waits for. Beside them stands a check of the
same book by a new process that knows nothing of it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from .timing import Figure

BOOK = Path(__file__).parents[1] / "rulebooks" / "trc"
OVERLAYS = "overlays"
ROUNDS = 5
MANY = 20
SERVE = "import sys; from rulewright.editor.command import run_lsp; sys.exit(run_lsp(None))"
CHECK = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(['check', sys.argv[1]]))"


def figures() -> list[Figure]:
    try:
        import pygls  # noqa: F401
    except ImportError:
        return [Figure("keystroke to findings ÷ cold check of trc", None, most=0.2, note="pygls is not installed")]
    with tempfile.TemporaryDirectory() as scratch:
        book = Path(scratch).resolve() / "books" / "trc"
        shutil.copytree(BOOK, book)
        shutil.copytree(BOOK.parent / "lib", book.parent / "lib")
        colds = [cold(book, Path(scratch) / f"cold{i}") for i in range(2)]
        desk = Desk(book, Path(scratch) / "cache")
        try:
            found = [keystroke(desk, book, min(colds), file) for file in largest(book)]
            found.append(rename(desk, book, min(colds)))
        finally:
            desk.close()
    return found


def largest(book: Path) -> list[tuple[str, Path]]:
    """The largest file of the book itself, and the largest of all, which holds overlays."""
    files = sorted(book.rglob("*.rules"), key=lambda p: p.stat().st_size)
    own = [p for p in files if OVERLAYS not in p.parts]
    return [("largest file", own[-1]), ("largest overlay", files[-1])]


def cold(book: Path, cache: Path) -> float:
    """Seconds that a check takes in a new process with an empty cache."""
    start = time.perf_counter()
    env = {**os.environ, "RULEWRIGHT_CACHE": str(cache)}
    subprocess.run([sys.executable, "-c", CHECK, str(book)], check=True, env=env, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def keystroke(desk: Desk, book: Path, beside: float, what: tuple[str, Path]) -> Figure:
    """One number of one case is typed anew, another one each round."""
    where, path = what
    text = path.read_text(encoding="utf-8")
    desk.open(path, text)
    spots = [m for m in re.finditer(r"(?<=expect )[^\n\"]*?\b(\d)\b", text) if text[m.end() - 1] != "9"]
    times = []
    for i in range(ROUNDS):
        at = spots[(i * 7) % len(spots)].end() - 1
        start = time.perf_counter()
        desk.change(path, text[:at] + str(int(text[at]) + 1) + text[at + 1 :])
        times.append(time.perf_counter() - start)
    desk.change(path, text)
    lines = text.count("\n")
    note = f"{min(times):.2f} s, {lines} lines; the check {beside:.2f} s"
    return Figure(f"keystroke to findings ÷ cold check of trc, {where}", min(times) / beside, most=0.2, note=note)


def rename(desk: Desk, book: Path, beside: float) -> Figure:
    """The name declared in the book that stands in the most files."""
    own = [p for p in book.rglob("*.rules") if OVERLAYS not in p.parts]
    texts = {p: p.read_text(encoding="utf-8") for p in own}
    counted = []
    for path, text in texts.items():
        for m in re.finditer(r"(?m)^  (?:define|mark) (\w+)", text):
            word = re.compile(rf"\b{m[1]}\b")
            counted.append((sum(1 for t in texts.values() if word.search(t)), m[1], path, m.start(1)))
    _, name, path, at = max(counted)
    text = texts[path]
    line, column = text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1
    desk.open(path, text)
    times, files = [], 0
    for i in range(2):
        start = time.perf_counter()
        made = desk.ask("textDocument/rename", desk.at(path, line, column) | {"newName": f"{name}_anew{i}"})
        times.append(time.perf_counter() - start)
        files = len(made.get("documentChanges") or made.get("changes") or ())
    note = f'{min(times):.2f} s; "{name}" in {files} files'
    assert files >= MANY, note
    return Figure(f"rename over {MANY} files and more ÷ cold check of trc", min(times) / beside, most=0.5, note=note)


class Desk:
    """As much of an editor as is needed: one server, one message after the other."""

    def __init__(self, book: Path, cache: Path) -> None:
        env = {**os.environ, "RULEWRIGHT_CACHE": str(cache)}
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([sys.executable, "-c", SERVE], cwd=book.parent, env=env, **pipes)
        self.last = 0
        self.ask("initialize", {"processId": None, "rootUri": book.as_uri(), "capabilities": {}})
        self.send({"method": "initialized", "params": {}})

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self) -> Any:
        out = self.process.stdout
        assert out is not None
        size = 0
        while line := out.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        if not size:
            raise SystemExit("the server has ended")
        return json.loads(out.read(size))

    def ask(self, method: str, params: Any) -> Any:
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while (found := self.receive()).get("id") != self.last:
            pass
        if "error" in found:
            raise SystemExit(f"{method}: {found['error']['message']}")
        return found["result"]

    def at(self, path: Path, line: int, column: int) -> dict[str, Any]:
        return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}

    def open(self, path: Path, text: str) -> None:
        document = {"uri": path.as_uri(), "languageId": "rules", "version": 1, "text": text}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        self.findings(path)

    def change(self, path: Path, text: str) -> None:
        document = {"uri": path.as_uri(), "version": self.last}
        params = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.send({"method": "textDocument/didChange", "params": params})
        self.findings(path)

    def findings(self, path: Path) -> None:
        """Wait for the findings of a file."""
        while True:
            found = self.receive()
            if found.get("method") == "textDocument/publishDiagnostics" and found["params"]["uri"] == path.as_uri():
                return

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
