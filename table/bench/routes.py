"""The workbench's part of the server: for the owner alone.

In:  requests with the owner's token, the desk, the server's tables.
Out: texts, findings of the language server, examples as pictures, games under the changed rules, changes, variants.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.dsl.syntax_hints import keywords
from rulewright.runtime.problems import Refusal

from ..hub import Hub
from ..links import new_token, same
from ..shelf import Card
from .desk import LONGEST, Desk
from .language import Outside, serve
from .limits import work

PAGE = Path(__file__).with_name("page")
KINDS = {".js": "text/javascript", ".css": "text/css", ".txt": "text/plain"}
PATIENCE = 10.0
MOST_SOCKETS = 4
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{}'; img-src 'self' blob: data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
STILL = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""Of the page of changes, which has no script."""


class Tables(Protocol):
    """What the workbench needs of the server."""

    owner: str
    hub: Hub

    def owned(self, answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]: ...
    def begin(self, rules: str, scenario: Any, players: Any, save: Path | None = None) -> Card: ...
    def href(self, card: Card, token: str) -> str: ...


async def file(request: Request) -> Response:
    """A script or a style of the page, the same for every workbench."""
    name = request.path_params["name"]
    kind = KINDS.get(Path(name).suffix)
    if kind is None or name not in {x.name for x in PAGE.iterdir()}:
        raise HTTPException(404)
    return FileResponse(PAGE / name, media_type=kind)


class Workbench:
    def __init__(self, desk: Desk, at: str = "/edit") -> None:
        self.desk, self.at = desk, at
        self.working = asyncio.Lock()
        self.pages: dict[str, Path] = {}
        self.game: tuple[Card, Path] | None = None
        self.sockets = 0

    def routes(self, tables: Tables) -> list[BaseRoute]:
        self.tables = tables
        owned, at = tables.owned, self.at
        return [
            Route(at, self.page),
            Route(f"{at}/changes/{{id}}", self.changes_page),
            Route(f"{at}/api/state", owned(self.state)),
            Route(f"{at}/api/text", owned(self.text)),
            Route(f"{at}/api/text", owned(self.keep), methods=["POST"]),
            Route(f"{at}/api/example", owned(self.example), methods=["POST"]),
            Route(f"{at}/api/mix", owned(self.mix), methods=["POST"]),
            Route(f"{at}/api/try", owned(self.try_it), methods=["POST"]),
            Route(f"{at}/api/changes", owned(self.changes), methods=["POST"]),
            Route(f"{at}/api/variant", owned(self.variant), methods=["POST"]),
            WebSocketRoute(f"{at}/language", self.language),
        ]

    # ------------------------------------------------------------ pages

    async def page(self, request: Request) -> Response:
        """The page, with a nonce for the styles that the editor makes."""
        nonce = secrets.token_urlsafe(16)
        text = (PAGE / "bench.html").read_text(encoding="utf-8").replace("NONCE", nonce)
        return Response(text, media_type="text/html", headers={"content-security-policy": POLICY.format(nonce)})

    async def changes_page(self, request: Request) -> Response:
        """A page of changes; whoever has its address has been given it by the owner's page."""
        path = self.pages.get(request.path_params["id"])
        if path is None or not path.is_file():
            raise HTTPException(404)
        return FileResponse(path, media_type="text/html", headers={"content-security-policy": STILL})

    # ------------------------------------------------------------ texts

    async def body(self, request: Request) -> dict[str, Any]:
        found = b""
        async for chunk in request.stream():
            found += chunk
            if len(found) > 2 * LONGEST:
                raise HTTPException(413)
        try:
            told = json.loads(found)
        except (ValueError, RecursionError):
            raise HTTPException(400) from None
        if not isinstance(told, dict):
            raise HTTPException(400)
        return told

    async def state(self, request: Request) -> Response:
        desk = self.desk
        return JSONResponse(
            {
                "name": desk.name,
                "root": desk.root.resolve().as_uri(),
                "files": desk.files(),
                "changed": await run_in_threadpool(desk.changed),
                "keywords": sorted(keywords()),
                "playing": self.game is not None,
            }
        )

    async def text(self, request: Request) -> Response:
        name = request.query_params.get("file", "")
        return JSONResponse({"text": await run_in_threadpool(self.desk.read, name)})

    async def keep(self, request: Request) -> Response:
        told = await self.body(request)
        await run_in_threadpool(self.desk.write, word(told, "file"), word(told, "text"))
        return JSONResponse({"changed": await run_in_threadpool(self.desk.changed)})

    # ------------------------------------------------------------ what the rules do

    async def example(self, request: Request) -> Response:
        told = await self.body(request)
        file = self.desk.path(word(told, "file"))
        line = told.get("line")
        if not isinstance(line, int) or isinstance(line, bool):
            raise HTTPException(400)
        async with self.working:
            return JSONResponse(await work("example", self.desk.rules, str(file), str(line)))

    async def mix(self, request: Request) -> Response:
        """The scenarios and sides of the working copy, or why it does not compile."""
        async with self.working:
            return JSONResponse(await work("mix", self.desk.rules))

    async def try_it(self, request: Request) -> Response:
        """The game that was tried last goes on under the text as it is; or a new one begins."""
        told = await self.body(request)
        async with self.working:
            kept = await run_in_threadpool(self.desk.keep)
            rules = self.desk.rules_in(kept)
            made = await work("mix", rules)
            if "refused" in made:
                return JSONResponse(made)
            reasons: list[str] = []
            if self.game is not None and not told.get("anew"):
                card, root = self.game
                if root == kept:
                    return JSONResponse({"href": self.link(card), "went_on": True})
                found = await self.carried(card, root, rules)
                if isinstance(found, Card):
                    self.game = (found, kept)
                    return JSONResponse({"href": self.link(found), "went_on": True})
                reasons = found
            card = await run_in_threadpool(self.tables.begin, rules, told.get("scenario"), told.get("players"))
            self.game = (card, kept)
        return JSONResponse({"href": self.link(card), "went_on": False, "reasons": reasons})

    async def carried(self, card: Card, root: Path, rules: str) -> Card | list[str]:
        """The game of a card on another card, under other rules; or why it cannot go on."""
        open_table = self.tables.hub.tables.get(card.id)
        if open_table is not None:
            await self.tables.hub.close_table(open_table)
        shelf = self.tables.hub.shelf
        save = shelf.path(card)
        if not save.is_file():
            return []
        new = self.desk.folder / "games"
        new.mkdir(exist_ok=True)
        to = new / f"{secrets.token_hex(6)}.save"
        found = await work("carry", str(save), self.desk.rules_in(root), rules, str(to))
        if "refused" in found:
            return [str(x) for x in found["refused"]]
        return await run_in_threadpool(self.tables.begin, rules, card.scenario, card.players, to)

    def link(self, card: Card) -> str:
        """The seat for all sides, or the one that there is."""
        return self.tables.href(card, next(x.token for x in [*card.links[-2:-1], *card.links]))

    async def changes(self, request: Request) -> Response:
        """What the working copy changes of the book, with positions that show it, as a page under a secret name."""
        id = new_token()
        path = self.desk.folder / "changes.html"
        async with self.working:
            found = await work("diff", self.desk.base, self.desk.rules, str(path))
        if "refused" in found:
            return JSONResponse(found)
        self.pages = {id: path}
        return JSONResponse({"href": f"{self.at}/changes/{id}"})

    async def variant(self, request: Request) -> Response:
        """What was changed as a variant in a file of its own, and a game with it."""
        told = await self.body(request)
        name, title = word(told, "name"), word(told, "title")
        if len(title) > 80 or not title.strip() or any(x in title for x in '"\\\n\r'):
            raise Refusal("a variant has a title of one line, without quotes")
        path = self.desk.variant(name)
        async with self.working:
            found = await work("variant", self.desk.base, self.desk.rules, name, title.strip(), str(path))
            if "refused" in found:
                path.unlink(missing_ok=True)
                return JSONResponse(found)
            card = await run_in_threadpool(self.tables.begin, found["rules"], told.get("scenario"), told.get("players"))
        return JSONResponse({"file": str(path), "text": found["text"], "href": self.link(card)})

    # ------------------------------------------------------------ the language server

    async def language(self, ws: WebSocket) -> None:
        """The language server for the owner; whatever is no message of an editor ends it."""
        if self.sockets >= MOST_SOCKETS:
            await ws.close(1013)
            return
        await ws.accept()
        self.sockets += 1

        async def receive() -> str | None:
            message = await ws.receive()
            return message.get("text") if message["type"] == "websocket.receive" else None

        try:
            async with asyncio.timeout(PATIENCE):
                first = await receive()
            if first is None or not same(self.tables.owner, first):
                await ws.close(1008)
                return
            await serve(receive, ws.send_text, self.desk.root)
            await ws.close(1011)
        except (Outside, ValueError, RecursionError, TimeoutError):
            with contextlib.suppress(RuntimeError):
                await ws.close(1008)
        except (WebSocketDisconnect, RuntimeError, ConnectionError):
            pass
        finally:
            self.sockets -= 1


def word(told: dict[str, Any], name: str) -> str:
    found = told.get(name)
    if not isinstance(found, str) or "\0" in found or any("\ud800" <= x <= "\udfff" for x in found):
        raise HTTPException(400)
    return found
