"""The state of a server session, and its two worker threads.

In:  changes of open documents.
Out: published diagnostics; views of the project for `answers`.

The *reader* thread owns the project (texts, indexes, views); only the *judge* thread runs the compiler's passes, so a
long analysis never delays an answer. A change is analysed after a pause in typing; results for an outdated text are
dropped.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as l
from pygls import uris
from pygls.lsp.server import LanguageServer

import rulewright
from rulewright.compiler.core import nodes as c
from rulewright.dsl.diagnostics import Diagnostic
from rulewright.dsl.source import Span

from .diagnose import Diagnosis, diagnose
from .positions import UTF16, from_units, lines_of, to_units
from .project import Project, RuleSet, Spot, View

T = TypeVar("T")
Names = tuple[str, ...]
PAUSE = 0.3
GATHER = 0.05
SEVERITIES = {
    "error": l.DiagnosticSeverity.Error,
    "warning": l.DiagnosticSeverity.Warning,
    "remark": l.DiagnosticSeverity.Information,
}
log = logging.getLogger(__name__)


class Server(LanguageServer):
    """The state of one session."""

    def __init__(self) -> None:
        super().__init__("rulewright", rulewright.__version__)
        self.project = Project()
        self.reader = ThreadPoolExecutor(1, "reader")
        self.judge = ThreadPoolExecutor(1, "judge")
        self.open: dict[Path, str] = {}
        self.books: dict[Path, c.Book] = {}
        self.shown: dict[Names, set[Path]] = {}
        self.analysed: dict[Path, Names] = {}
        self.turns: dict[Names, int] = {}
        self.waiting: dict[Path, asyncio.Task[None]] = {}

    # ------------------------------------------------------------ texts

    async def read(self, work: Callable[..., T], *args: Any) -> T:
        """Do something with the project, in its thread."""
        return await asyncio.get_running_loop().run_in_executor(self.reader, work, *args)

    def changed(self, uri: str) -> None:
        """Store the new text of a document, and schedule its analysis."""
        path = path_of(uri)
        self.open[path] = uri
        self.reader.submit(self.project.texts.__setitem__, path, self.workspace.get_text_document(uri).source)
        self.soon(path)

    def closed(self, uri: str) -> None:
        path = path_of(uri)
        self.open.pop(path, None)
        self.reader.submit(self.project.texts.pop, path, None)
        self.soon(path)

    def uri(self, path: Path) -> str:
        return self.open.get(path) or uris.from_fs_path(str(path)) or path.as_uri()

    @property
    def encoding(self) -> str:
        chosen = self.workspace.position_encoding
        return str(getattr(chosen, "value", chosen) or UTF16)

    # ------------------------------------------------------------ diagnostics

    def soon(self, path: Path) -> None:
        known = self.waiting.get(path)
        if known is not None:
            known.cancel()
        self.waiting[path] = asyncio.get_running_loop().create_task(self.look(path))

    async def look(self, path: Path) -> None:
        """Publish what is wrong: syntax at once, the rest when the whole rule set has been analysed."""
        await asyncio.sleep(PAUSE)
        try:
            rules, found, texts = await self.read(self.first_look, path)
            if found or rules is None:
                await self.publish((str(path),), {path: found})
                return
            if await self.overtaken(path, rules.names):
                return
            made = await asyncio.get_running_loop().run_in_executor(self.judge, diagnose, rules, texts)
            if await self.read(lambda: self.project.texts != texts):
                return
            self.learn(rules, made)
            alike = {path, *(p for p in self.open if self.analysed.get(p) == rules.names)}
            await self.publish(rules.names, {**{p: [] for p in sorted(alike)}, **made.found})
        except asyncio.CancelledError:
            raise
        except Exception as error:
            log.exception("the analysis failed")
            self.window_log_message(l.LogMessageParams(l.MessageType.Error, f"rulewright: {error!r}"))

    async def overtaken(self, path: Path, names: Names) -> bool:
        """Whether another file of the rule set has changed just now: then one analysis serves both."""
        self.analysed[path] = names
        mine = self.turns[names] = self.turns.get(names, 0) + 1
        await asyncio.sleep(GATHER)
        return self.turns[names] != mine

    def first_look(self, path: Path) -> tuple[RuleSet | None, list[Diagnostic], dict[Path, str]]:
        view = self.project.view(path)
        file = view.file(path)
        return view.rules, list(file.found) if file is not None else [], dict(self.project.texts)

    def learn(self, rules: RuleSet, made: Diagnosis) -> None:
        if made.book is not None:
            self.books[rules.root] = made.book

    async def publish(self, names: Names, found: dict[Path, list[Diagnostic]]) -> None:
        """Show findings, and take back those of files that have none any more."""
        gone = self.shown.get(names, set()) - set(found)
        self.shown[names] = {path for path, some in found.items() if some}
        for path in (*found, *gone):
            text = await self.read(self.project.text, path)
            lines = lines_of(text or "")
            listed = [self.diagnostic(d, lines) for d in found.get(path, ())]
            self.text_document_publish_diagnostics(l.PublishDiagnosticsParams(self.uri(path), listed))

    def diagnostic(self, d: Diagnostic, lines: list[str]) -> l.Diagnostic:
        text = "\n".join((d.message, *d.notes, *([f"help: {d.help}"] if d.help else [])))
        severity = SEVERITIES[d.severity]
        return l.Diagnostic(self.span(d.span, lines), text, severity=severity, code=d.code, source="rulewright")

    # ------------------------------------------------------------ places

    def span(self, span: Span, lines: list[str]) -> l.Range:
        return self.range(lines, span.line, span.column, span.end_line, max(span.end_column, 1))

    def range(self, lines: list[str], line: int, column: int, end_line: int, end: int) -> l.Range:
        return l.Range(self.position(lines, line, column), self.position(lines, end_line, end))

    def position(self, lines: list[str], line: int, column: int) -> l.Position:
        """A position counted from 1 in characters, in the counting of the protocol."""
        line = max(1, min(line, len(lines)))
        text = lines[line - 1] if lines else ""
        return l.Position(line - 1, to_units(text, column - 1, self.encoding))

    def place(self, view: View, at: l.Position) -> tuple[int, int]:
        """A position of the protocol in the open file, counted from 1 in characters."""
        file = view.file(view.path)
        if file is None or at.line >= len(file.lines):
            return at.line + 1, 1
        return at.line + 1, from_units(file.lines[at.line], at.character, self.encoding) + 1

    def location(self, view: View, spot: Spot) -> l.Location:
        file = view.file(spot.path)
        lines = file.lines if file is not None else []
        end = spot.mention.end
        return l.Location(self.uri(spot.path), self.range(lines, spot.line, spot.mention.column, spot.line, end))

    def book(self, view: View) -> c.Book | None:
        return self.books.get(view.rules.root) if view.rules is not None else None


def path_of(uri: str) -> Path:
    """The path of a URI; an unsaved document gets a path that no file has."""
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path).resolve() if path else Path("/unsaved") / uri.replace("/", "_")
