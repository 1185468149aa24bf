"""Answers to requests of the language server protocol.

In:  the session, and the parameters of a request.
Out: the objects that the protocol expects. All but `rename` run in the reader's thread; `rename` compiles, and runs in
     the judge's (see session.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types as l
from pygls.exceptions import JsonRpcInternalError

from rulewright.dsl.words import word_at

from .complete import Candidate, complete
from .hover import hover
from .positions import from_units, lines_of
from .project import Spot, View
from .quick_fix import fixes
from .rename import Places, Refused, checked, plan, renamable
from .session import Server
from .symbols import Symbol, outline, search

KINDS = {
    "case": l.SymbolKind.Namespace,
    "kind": l.SymbolKind.Enum,
    "scale": l.SymbolKind.Enum,
    "value": l.SymbolKind.EnumMember,
    "reading": l.SymbolKind.EnumMember,
    "record": l.SymbolKind.Struct,
    "field": l.SymbolKind.Field,
    "member": l.SymbolKind.Field,
    "mark": l.SymbolKind.Property,
    "define": l.SymbolKind.Function,
    "gather": l.SymbolKind.Function,
    "procedure": l.SymbolKind.Method,
    "sequence": l.SymbolKind.Method,
    "action": l.SymbolKind.Event,
    "table": l.SymbolKind.Array,
    "example": l.SymbolKind.String,
    "book": l.SymbolKind.Package,
}
ITEMS = {
    "case": l.CompletionItemKind.Reference,
    "hex": l.CompletionItemKind.Value,
    "unit": l.CompletionItemKind.Constant,
    "place": l.CompletionItemKind.Constant,
    "value": l.CompletionItemKind.EnumMember,
    "keyword": l.CompletionItemKind.Keyword,
    "builtin": l.CompletionItemKind.Function,
    "local": l.CompletionItemKind.Variable,
    "field": l.CompletionItemKind.Field,
    "member": l.CompletionItemKind.Field,
    "mark": l.CompletionItemKind.Property,
    "kind": l.CompletionItemKind.Enum,
    "define": l.CompletionItemKind.Function,
    "gather": l.CompletionItemKind.Function,
    "procedure": l.CompletionItemKind.Method,
}


def definition(server: Server, path: Path, at: l.Position) -> list[l.Location]:
    """Where the word at a position is declared."""
    view = server.project.view(path)
    line, column = server.place(view, at)
    spot = view.at(line, column)
    file = view.file(path)
    word = word_at(file.lines[line - 1], column - 1) if file is not None and line <= len(file.lines) else None
    found: list[Spot] = []
    if spot is not None:
        found = view.resolve(spot)
        local = view.local(spot.mention.text, spot.item) if not found else None
        if local is not None:
            return [server.location(view, local[0])] if local[0] is not None else []
    elif word is not None and word.sort in ("case", "name"):
        found = view.meaning(word.text, word.sort)
    if found:
        return [server.location(view, x) for x in found]
    return in_data(server, view, word.text) if word is not None and word.sort != "comment" else []


def in_data(server: Server, view: View, word: str) -> list[l.Location]:
    """The first data line that mentions a place, hex or unit: they have no declaration in code."""
    name = word.removeprefix("@")
    for wanted in (("map",), ("roster",)):
        for file in view.files:
            for line, column, text, kind in file.raw():
                at = text.find(name) if kind in wanted else -1
                end = at + len(name)
                if at >= 0 and not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
                    place = server.range(file.lines, line, column + at, line, column + end)
                    return [l.Location(server.uri(file.path), place)]
    return []


def references(server: Server, path: Path, at: l.Position, declarations: bool) -> list[l.Location]:
    """Every mention of what the word at a position refers to."""
    view = server.project.view(path)
    spot = view.at(*server.place(view, at))
    found = view.resolve(spot) if spot is not None else []
    homes = {(x.path, x.line, x.mention.column) for x in found}
    text = found[0].mention.meant if found else ""
    listed = [
        x
        for x in view.spots()
        if x.mention.meant == text
        and (declarations or not x.mention.declares)
        and any((y.path, y.line, y.mention.column) in homes for y in view.resolve(x))
    ]
    return [server.location(view, x) for x in listed]


def hover_text(server: Server, path: Path, at: l.Position) -> l.Hover | None:
    view = server.project.view(path)
    line, column = server.place(view, at)
    told = hover(view, line, column, server.book(view))
    file = view.file(path)
    if told is None or file is None:
        return None
    text, start, end = told
    where = server.range(file.lines, line, start, line, end)
    return l.Hover(l.MarkupContent(l.MarkupKind.Markdown, text), where)


def completion(server: Server, path: Path, at: l.Position) -> l.CompletionList:
    view = server.project.view(path)
    line, column = server.place(view, at)
    file = view.file(path)
    lines = file.lines if file is not None else []
    text = lines[line - 1][: column - 1] if line <= len(lines) else ""
    found = complete(view, text, server.book(view), line)
    return l.CompletionList(False, [item(server, x, lines, line, column) for x in found])


def code_actions(server: Server, path: Path, found: Sequence[l.Diagnostic]) -> list[l.CodeAction]:
    """For each diagnostic with a "did you mean", an edit for each suggested name."""
    lines = lines_of(server.project.text(path) or "")
    made: list[l.CodeAction] = []
    for d in found:
        start, end = d.range.start, d.range.end
        if d.source != "rulewright" or start.line >= len(lines):
            continue
        text = lines[start.line]
        first = from_units(text, start.character, server.encoding)
        last = from_units(text, end.character, server.encoding) if end.line == start.line else len(text)
        for fix in fixes(str(d.message), text[first:last]):
            at = start.line + 1
            where = server.range(lines, at, first + fix.start + 1, at, first + fix.end + 1)
            edit = l.WorkspaceEdit(changes={server.uri(path): [l.TextEdit(where, fix.new)]})
            title = f'Replace "{fix.word}" by "{fix.new}"'
            made.append(l.CodeAction(title, kind=l.CodeActionKind.QuickFix, diagnostics=[d], edit=edit))
    return made


def item(server: Server, x: Candidate, lines: list[str], line: int, column: int) -> l.CompletionItem:
    edit = None
    if x.back:
        edit = l.TextEdit(server.range(lines, line, column - x.back, line, column), x.text)
    kind = ITEMS.get(x.sort, l.CompletionItemKind.Reference)
    return l.CompletionItem(x.text, kind=kind, detail=x.sort, documentation=x.about or None, text_edit=edit)


def symbols(server: Server, path: Path) -> list[l.DocumentSymbol]:
    file = server.project.file(path)
    if file is None:
        return []

    def made(x: Symbol) -> l.DocumentSymbol:
        whole = server.range(file.lines, x.line, 1, x.end_line, len(file.lines[x.end_line - 1]) + 1)
        first = server.range(file.lines, x.line, 1, x.line, len(file.lines[x.line - 1]) + 1)
        kind = KINDS.get(x.sort, l.SymbolKind.Object)
        return l.DocumentSymbol(x.name, kind, whole, first, detail=x.about, children=[made(y) for y in x.below])

    return [made(x) for x in outline(file)]


def everywhere(server: Server, query: str) -> list[l.WorkspaceSymbol]:
    """Declared names in the rule sets of all open files."""
    found: dict[tuple[Path, int, int], l.WorkspaceSymbol] = {}
    for path in list(server.open):
        view = server.project.view(path)
        for x in search(view, query):
            kind = KINDS.get(x.mention.declares, l.SymbolKind.Object)
            about = f"case {x.item.case} {x.item.title}".strip() if x.item is not None and x.item.case else ""
            name = f"{x.mention.text} {x.item.title}" if x.item and x.mention.realm == "case" else x.mention.text
            made = l.WorkspaceSymbol(server.location(view, x), name, kind, container_name=about)
            found.setdefault((x.path, x.line, x.mention.column), made)
    return list(found.values())


# ---------------------------------------------------------------- rename


async def rename(server: Server, path: Path, at: l.Position, new: str) -> l.WorkspaceEdit:
    """The edits of a rename, once the renamed book has been found sound."""

    def prepare() -> Any:
        view = server.project.view(path)
        made = plan(view, view.at(*server.place(view, at)), new, server.book(view))
        paths = {*made.code, *made.data}
        sources = {p: server.project.text(p) or "" for p in paths}
        return made, view.rules, dict(server.project.texts), sources

    try:
        made, rules, texts, sources = await server.read(prepare)
        loop = asyncio.get_running_loop()
        places: Places = await loop.run_in_executor(server.judge, checked, made, rules, texts, sources)
    except Refused as refused:
        raise JsonRpcInternalError(str(refused)) from None
    edits = {}
    for file, spots in places.items():
        lines = lines_of(sources[file])
        edits[server.uri(file)] = [l.TextEdit(server.range(lines, a, b, a, e), new) for a, b, e in spots]
    return l.WorkspaceEdit(changes=edits)


def prepare_rename(server: Server, path: Path, at: l.Position) -> l.PrepareRenamePlaceholder | None:
    view = server.project.view(path)
    spot = view.at(*server.place(view, at))
    try:
        renamable(view, spot)
    except Refused as refused:
        raise JsonRpcInternalError(str(refused)) from None
    assert spot is not None
    return l.PrepareRenamePlaceholder(server.location(view, spot).range, spot.mention.text)
