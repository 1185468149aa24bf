"""The language server: registers a function for each feature of the protocol.

In:  messages of an editor on standard input.
Out: replies on standard output; exit code 1 after a malformed message.
"""

from __future__ import annotations

import logging
import sys
from typing import BinaryIO, cast

from lsprotocol import types as l

from rulewright.dsl.format import format_text

from .answers import (
    code_actions,
    completion,
    definition,
    everywhere,
    hover_text,
    prepare_rename,
    references,
    rename,
    symbols,
)
from .frames import Frames
from .positions import lines_of
from .session import Server, path_of


def make_server() -> Server:
    """A server with all its features."""
    server = Server()

    @server.feature(l.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: l.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(l.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: l.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(l.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(params: l.DidSaveTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(l.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: l.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @server.feature(l.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_files(params: l.DidChangeWatchedFilesParams) -> None:
        for path in list(server.open):
            server.soon(path)

    @server.feature(l.TEXT_DOCUMENT_DEFINITION)
    async def go_to(params: l.DefinitionParams) -> list[l.Location]:
        return await server.read(definition, server, path_of(params.text_document.uri), params.position)

    @server.feature(l.TEXT_DOCUMENT_REFERENCES)
    async def refer(params: l.ReferenceParams) -> list[l.Location]:
        path, whole = path_of(params.text_document.uri), params.context.include_declaration
        return await server.read(references, server, path, params.position, whole)

    @server.feature(l.TEXT_DOCUMENT_HOVER)
    async def hovers(params: l.HoverParams) -> l.Hover | None:
        return await server.read(hover_text, server, path_of(params.text_document.uri), params.position)

    @server.feature(l.TEXT_DOCUMENT_COMPLETION, l.CompletionOptions(trigger_characters=["@", ".", '"']))
    async def completes(params: l.CompletionParams) -> l.CompletionList:
        return await server.read(completion, server, path_of(params.text_document.uri), params.position)

    @server.feature(l.TEXT_DOCUMENT_CODE_ACTION, l.CodeActionOptions(code_action_kinds=[l.CodeActionKind.QuickFix]))
    async def fixes(params: l.CodeActionParams) -> list[l.CodeAction]:
        found = params.context.diagnostics
        return await server.read(code_actions, server, path_of(params.text_document.uri), found)

    @server.feature(l.TEXT_DOCUMENT_RENAME, l.RenameOptions(prepare_provider=True))
    async def renames(params: l.RenameParams) -> l.WorkspaceEdit:
        return await rename(server, path_of(params.text_document.uri), params.position, params.new_name)

    @server.feature(l.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepares(params: l.PrepareRenameParams) -> l.PrepareRenamePlaceholder | None:
        return await server.read(prepare_rename, server, path_of(params.text_document.uri), params.position)

    @server.feature(l.TEXT_DOCUMENT_FORMATTING)
    async def formats(params: l.DocumentFormattingParams) -> list[l.TextEdit]:
        path = path_of(params.text_document.uri)
        text = await server.read(server.project.text, path) or ""
        made = await server.read(format_text, text)
        lines = lines_of(text)
        return [l.TextEdit(server.range(lines, 1, 1, len(lines), len(lines[-1]) + 1), made)] if made != text else []

    @server.feature(l.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def outlines(params: l.DocumentSymbolParams) -> list[l.DocumentSymbol]:
        return await server.read(symbols, server, path_of(params.text_document.uri))

    @server.feature(l.WORKSPACE_SYMBOL)
    async def searches(params: l.WorkspaceSymbolParams) -> list[l.WorkspaceSymbol]:
        return await server.read(everywhere, server, params.query)

    return server


def serve() -> int:
    """Serve one editor on standard input and output; 1 after a malformed message."""
    logging.basicConfig(level=logging.WARNING)
    frames = Frames(sys.stdin.buffer)
    make_server().start_io(cast(BinaryIO, frames))
    if frames.problem:
        print(f"rulewright lsp: {frames.problem}; the session ends", file=sys.stderr)
        return 1
    return 0
