"""The server: pages, the owner's requests, and one socket a page that sits at a table.

In:  HTTP requests and sockets, past the guard.
Out: pages, JSON, frames. Whoever has the owner's token may begin, list and drop games; whoever has a link may sit.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.compiler.pages.html import short
from rulewright.compiler.read.sources import split_name
from rulewright.runtime.problems import Refusal

from .bench.desk import Desk
from .bench.routes import Workbench
from .bench.routes import file as bench_file
from .books import Offer, mix, offers, rules_of, side_name
from .guard import Guard
from .hub import MOST_SOCKETS, Hub, Open, Socket
from .links import PERSON, new_links, same
from .messages import Bad, read
from .reference import rule_pages
from .shelf import Card, Shelf

PAGE = Path(__file__).with_name("page")
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
PATIENCE = 10.0
"""Seconds within which a socket says who it is."""
LARGEST = 20_000
"""Bytes of a request of the owner."""


class Server:
    def __init__(
        self,
        shelf: Shelf,
        books: Sequence[str],
        owner: str,
        names: frozenset[str],
        bench: Workbench | None = None,
        editing: bool = False,
    ) -> None:
        self.shelf, self.owner, self.names = shelf, owner, names
        self.books = list(books)
        self.offers: list[Offer] = []
        self.hub = Hub(shelf)
        self.writing = asyncio.Lock()
        self.editing, self.benches = editing, dict[str, Workbench]()
        self.app = Starlette(
            routes=[
                Route("/", self.page("start.html")),
                Route("/t/{id}", self.page("table.html")),
                Route("/page/{name}", self.file),
                Route("/favicon.ico", self.sign),
                Route("/t/{id}/map.svg", self.map),
                Route("/t/{id}/board.json", self.board),
                Route("/t/{id}/rules/{name}", self.rules),
                Route("/api/books", self.owned(self.list_books)),
                Route("/api/mix", self.owned(self.try_mix), methods=["POST"]),
                Route("/api/edit", self.owned(self.edit), methods=["POST"]),
                Route("/edit/page/{name}", bench_file),
                Route("/api/tables", self.owned(self.list_tables)),
                Route("/api/tables", self.owned(self.new_table), methods=["POST"]),
                Route("/api/tables/{id}/links", self.owned(self.new_links), methods=["POST"]),
                Route("/api/tables/{id}", self.owned(self.drop_table), methods=["DELETE"]),
                WebSocketRoute("/t/{id}/socket", self.socket),
                *(bench.routes(self) if bench is not None else ()),
            ],
            middleware=[Middleware(Guard, names=names), Middleware(GZipMiddleware, minimum_size=800)],
            lifespan=self.lifespan,
        )

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.offers = await run_in_threadpool(offers, self.books)
        yield
        await self.hub.close()

    # ------------------------------------------------------------ pages

    def page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            return FileResponse(PAGE / name, media_type="text/html")

        return answer

    async def file(self, request: Request) -> Response:
        """A script or a style of the page, from the list of those that there are."""
        name = request.path_params["name"]
        kind = KINDS.get(Path(name).suffix)
        if kind is None or name not in {x.name for x in PAGE.iterdir()}:
            raise HTTPException(404)
        return FileResponse(PAGE / name, media_type=kind)

    async def sign(self, request: Request) -> Response:
        """What browsers ask for where a page names no icon: the pages of the reference."""
        return FileResponse(PAGE / "icon.svg", media_type=KINDS[".svg"])

    async def table(self, request: Request) -> Open:
        """The open table of a request."""
        try:
            table = self.hub.open(request.path_params["id"])
        except Refusal:
            raise HTTPException(404) from None
        await table.ready.wait()
        if table.room is None:
            raise HTTPException(404)
        return table

    async def map(self, request: Request) -> Response:
        table = await self.table(request)
        assert table.room is not None
        return Response(table.room.pictures.svg, media_type="image/svg+xml")

    async def board(self, request: Request) -> Response:
        table = await self.table(request)
        assert table.room is not None
        return JSONResponse(await table.call(table.room.pictures.board_data))

    async def rules(self, request: Request) -> Response:
        """A page of the reference of the rules that are played; `case` leads to the page of a case."""
        table = await self.table(request)
        room, name = table.room, request.path_params["name"]
        assert room is not None
        async with self.writing:  # apart from the room's thread: a reference takes seconds, and the game goes on
            pages, cases = await run_in_threadpool(rule_pages, room.table.loaded)
        if name == "case":
            href = cases.get(request.query_params.get("of", ""), "index.html")
            return Response(status_code=303, headers={"location": f"/t/{table.card.id}/rules/{href}"})
        if name not in pages:
            raise HTTPException(404)
        return Response(pages[name], media_type=KINDS[Path(name).suffix])

    # ------------------------------------------------------------ the owner

    def owned(self, answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Only for whoever has the owner's token; what is refused is said in words."""

        async def guarded(request: Request) -> Response:
            given = request.headers.get("authorization", "").removeprefix("Bearer ")
            if not same(self.owner, given):
                raise HTTPException(403)
            try:
                return await answer(request)
            except Refusal as refused:
                return JSONResponse({"refused": [str(refused)]}, 409)

        return guarded

    async def list_books(self, request: Request) -> Response:
        return JSONResponse([{"name": x.name, "edit": self.editing, **x.told} for x in self.offers])

    async def body(self, request: Request) -> dict[str, Any]:
        found = b""
        async for chunk in request.stream():
            found += chunk
            if len(found) > LARGEST:
                raise HTTPException(413)
        try:
            told = json.loads(found)
        except (ValueError, RecursionError):
            raise HTTPException(400) from None
        if not isinstance(told, dict):
            raise HTTPException(400)
        return told

    def offered(self, told: dict[str, Any]) -> Offer:
        """The listed book that a request names."""
        offer = next((x for x in self.offers if x.name == told.get("book")), None)
        if offer is None:
            raise Refusal("there is no such book")
        return offer

    async def edit(self, request: Request) -> Response:
        """Where the workbench of a listed book is; it opens when it is asked for first."""
        name = split_name(self.offered(await self.body(request)).name)[0]
        if not self.editing:
            raise Refusal("the workbench is not offered here; see `rulewright table --help`")
        async with self.hub.compiling:
            if name not in self.benches:
                desk = await run_in_threadpool(Desk, name, self.shelf.folder / "workbench")
                made = Workbench(desk, f"/edit/of/{len(self.benches) + 1}")
                self.app.router.routes.extend(made.routes(self))
                self.benches[name] = made
        return JSONResponse({"href": self.benches[name].at})

    async def asked_for(self, request: Request) -> tuple[dict[str, Any], str]:
        """What a request says, and the rule set that it names by a listed book and listed overlays."""
        told = await self.body(request)
        offer = self.offered(told)
        ticked = told.get("overlays", [])
        if not isinstance(ticked, list) or not all(isinstance(x, str) for x in ticked):
            raise Refusal("there is no such overlay")
        return told, rules_of(offer, ticked)

    async def try_mix(self, request: Request) -> Response:
        _, rules = await self.asked_for(request)
        async with self.hub.compiling:
            return JSONResponse(await run_in_threadpool(mix, rules))

    async def new_table(self, request: Request) -> Response:
        told, rules = await self.asked_for(request)
        async with self.hub.compiling:
            card = await run_in_threadpool(self.begin, rules, told.get("scenario"), told.get("players"))
        return JSONResponse(self.told(card))

    def begin(self, rules: str, scenario: Any, players: Any, save: Path | None = None, listed: bool = True) -> Card:
        """A card for a new game; pages name players from the list, the command line may name any, also by a path."""
        found = mix(rules)
        if "refused" in found:
            raise Refusal("; ".join(found["refused"]))
        known = [x["scenario"] for x in found["scenarios"]]
        scenario = scenario or (known[0] if known else "")
        if scenario not in known:
            raise Refusal("there is no such scenario; there are: " + ", ".join(known))
        players = players if isinstance(players, dict) else {}
        words = {x["side"]: players.get(x["side"], PERSON) for x in found["sides"]}
        for x in found["sides"]:
            if listed and words[x["side"]] not in x["players"]:
                raise Refusal(f"nobody plays {x['side']} like that; known: " + ", ".join(x["players"]))
        title = next(x["title"] for x in found["scenarios"] if x["scenario"] == scenario)
        links = new_links([side for side in words if words[side] == PERSON])
        return self.shelf.new(rules, scenario, title, words, links, save)

    async def list_tables(self, request: Request) -> Response:
        cards = await run_in_threadpool(self.shelf.cards)
        for card in cards:
            table = self.hub.tables.get(card.id)
            if table is not None and table.room is not None and table.ready.is_set():
                with contextlib.suppress(RuntimeError):  # the table is being closed
                    card.state = await table.call(table.room.standing)
        return JSONResponse([self.told(x) for x in cards])

    def told(self, card: Card) -> dict[str, Any]:
        """A game for its owner, with the links to its seats."""
        names = {"state": card.state, "rules": short(card.rules), "title": card.title, "scenario": card.scenario}
        links = [{"kind": x.kind, "sides": list(x.sides), "href": self.href(card, x.token)} for x in card.links]
        table = self.hub.tables.get(card.id)
        here = sum(s.sitter is not None for s in table.sockets) if table is not None else 0
        return {"id": card.id, **names, "players": card.players, "begun": card.begun, "links": links, "here": here}

    @staticmethod
    def href(card: Card, token: str) -> str:
        return f"/t/{card.id}#{token}"

    async def new_links(self, request: Request) -> Response:
        """Other links for a table: the old ones open nothing any more."""
        id = request.path_params["id"]
        card = self.shelf.card(id)
        links = new_links([side for side, word in card.players.items() if word == PERSON])
        await self.hub.revoke(id, links)
        return JSONResponse(self.told(self.shelf.card(id)))

    async def drop_table(self, request: Request) -> Response:
        card = self.shelf.card(request.path_params["id"])
        table = self.hub.tables.get(card.id)
        if table is not None:
            await self.hub.close_table(table)
        await run_in_threadpool(self.shelf.drop, card)
        return JSONResponse({"dropped": card.id})

    # ------------------------------------------------------------ sockets

    async def socket(self, ws: WebSocket) -> None:
        """One page at one table; whatever it sends that is none of our messages ends it."""
        if self.hub.sockets >= MOST_SOCKETS:
            await ws.close(1013)
            return
        await ws.accept()
        self.hub.sockets += 1
        socket = Socket()
        writer = self.hub.task(write(ws, socket))
        table: Open | None = None
        try:
            table = await self.sit_down(ws, socket)
            while table is not None:
                message = read((await ws.receive()).get("text"))
                if message["do"] == "sit" or socket.hurried():
                    raise Bad("too much at once")
                await self.hub.hear(table, socket, message)
        except (Bad, WebSocketDisconnect, RuntimeError, TimeoutError):
            pass
        finally:
            self.hub.sockets -= 1
            socket.send(None)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(writer), 5)
            if table is not None:
                await self.hub.part(table, socket)

    async def sit_down(self, ws: WebSocket, socket: Socket) -> Open | None:
        """The table, once the socket has shown a token of it."""
        async with asyncio.timeout(PATIENCE):
            message = read((await ws.receive()).get("text"))
        if message["do"] != "sit":
            raise Bad("who is there?")
        try:
            table = self.hub.open(ws.path_params["id"])
        except Refusal:
            socket.send({"gone": "there is no such table"})
            return None
        if await self.hub.join(table, socket, message["token"]):
            return table
        table.sockets.discard(socket)
        socket.send({"gone": table.trouble or "this link opens nothing"})
        return None


async def write(ws: WebSocket, socket: Socket) -> None:
    """Send what waits; then close."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (text := await socket.out.get()) is not None:
            await ws.send_text(text)
        await ws.close(1000)


__all__ = ["Server", "side_name"]
