"""All tables that are open, and the sockets around them.

In:  messages of sockets, one room a table.
Out: answers and frames. Each room has a thread of its own, which is its lock: two messages of a table never meet.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, TypeVar

from rulewright.runtime.problems import Fault, Refusal

from .links import Link, find_link
from .room import Message, Room, Sitter
from .shelf import Card, Shelf

T = TypeVar("T")
SLICE = 0.25
"""Seconds for which players that need no person go on before everybody is shown how it stands."""
MOST_ROOMS, MOST_SOCKETS, MOST_AT_TABLE = 200, 800, 40
WAITING = 64
PACE, BURST = 20.0, 60.0
"""Messages a second of one socket in the long run, and how many at once."""
LONG = 10.0
"""Seconds after which a table whose rules are still at work says so, and takes no more messages until they are done.

Rules end by a budget of steps, the same on every machine; a message cannot be cut short by a clock."""
AT_WORK = "the rules are still at work on a choice; the table goes on when they are done"
log = logging.getLogger("rulewright.table")


class Socket:
    """One page: what waits to be sent to it, and how fast it talks."""

    def __init__(self) -> None:
        self.out: asyncio.Queue[str | None] = asyncio.Queue(WAITING)
        self.sitter: Sitter | None = None
        self.left, self.since = BURST, monotonic()

    def send(self, message: dict[str, Any] | None) -> None:
        """Put a message on the way; a page that does not read is let go."""
        try:
            self.out.put_nowait(None if message is None else json.dumps(message, ensure_ascii=False))
        except asyncio.QueueFull:
            while not self.out.empty():
                self.out.get_nowait()
            self.out.put_nowait(None)

    def hurried(self) -> bool:
        """Whether more messages come than a person could send."""
        now = monotonic()
        self.left = min(BURST, self.left + (now - self.since) * PACE) - 1
        self.since = now
        return self.left < 0


class Open:
    """A table that is open: its room, its thread, its sockets."""

    def __init__(self, card: Card) -> None:
        self.card = card
        self.thread = ThreadPoolExecutor(1, thread_name_prefix=f"table-{card.id}")
        self.room: Room | None = None
        self.loading = "waiting"
        self.trouble = ""
        self.sockets: set[Socket] = set()
        self.going: asyncio.Task[None] | None = None
        self.ready = asyncio.Event()
        self.late = False

    async def call(self, what: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, what, *args)


class Hub:
    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.tables: dict[str, Open] = {}
        self.sockets = 0
        self.compiling = asyncio.Lock()
        self.tasks: set[asyncio.Task[Any]] = set()

    # ------------------------------------------------------------ opening and closing

    def open(self, id: str) -> Open:
        """The table with this id, opened when somebody comes first."""
        found = self.tables.get(id)
        if found is None:
            card = self.shelf.card(id)
            if len(self.tables) >= MOST_ROOMS:
                raise Refusal("too many tables are open")
            found = self.tables[id] = Open(card)
            self.task(self._load(found))
        return found

    def task(self, work: Any) -> asyncio.Task[Any]:
        made = asyncio.get_running_loop().create_task(work)
        self.tasks.add(made)
        made.add_done_callback(self.tasks.discard)
        return made

    async def _load(self, table: Open) -> None:
        loop = asyncio.get_running_loop()

        def tell(text: str) -> None:
            loop.call_soon_threadsafe(self._progress, table, text)

        try:
            async with self.compiling:
                table.room = await table.call(Room, table.card, self.shelf, tell)
            await table.call(table.room.run, 0.0)
        except Exception as error:
            table.trouble = words_of(error)
            self.tables.pop(table.card.id, None)
            for socket in list(table.sockets):
                socket.send({"gone": table.trouble})
                socket.send(None)
        table.ready.set()
        if table.room is not None:
            self.go_on(table)

    def _progress(self, table: Open, text: str) -> None:
        table.loading = text
        for socket in table.sockets:
            socket.send({"loading": text})

    async def close(self) -> None:
        """Close all tables: everything is on disk, and the cards say how they stand."""
        for table in list(self.tables.values()):
            await self.close_table(table)

    async def close_table(self, table: Open) -> None:
        self.tables.pop(table.card.id, None)
        await table.ready.wait()
        if table.going is not None:
            table.going.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await table.going
        for socket in list(table.sockets):
            socket.send(None)
        if table.room is not None:
            await table.call(table.room.close)
        table.thread.shutdown(wait=False)

    # ------------------------------------------------------------ sockets

    async def join(self, table: Open, socket: Socket, token: str) -> bool:
        """Seat a socket by its token, after the table is ready; False where the token opens nothing."""
        link = find_link(table.card.links, token)
        if link is None:
            return False
        if len(table.sockets) >= MOST_AT_TABLE:
            socket.send({"gone": "too many pages are open at this table"})
            return False
        table.sockets.add(socket)
        if not table.ready.is_set():
            socket.send({"loading": table.loading})
            await table.ready.wait()
        if table.room is None:
            socket.send({"gone": table.trouble})
            return False
        socket.sitter = await table.call(table.room.enter, link)
        await self.show(table)
        return True

    async def part(self, table: Open, socket: Socket) -> None:
        table.sockets.discard(socket)
        if socket.sitter is not None and table.room is not None:
            with contextlib.suppress(RuntimeError):  # the table is being closed
                await table.call(table.room.leave, socket.sitter)
                await self.show(table)

    async def hear(self, table: Open, socket: Socket, message: Message) -> None:
        """Carry out a message and show everybody what came of it."""
        assert table.room is not None and socket.sitter is not None
        if table.late:
            socket.send({"say": AT_WORK})
            return
        work = asyncio.ensure_future(table.call(table.room.obey, socket.sitter, message))
        if not (await asyncio.wait({work}, timeout=LONG))[0]:
            table.late = True
            for other in table.sockets:
                other.send({"say": AT_WORK})
        try:
            answers = await work
        except Exception as error:
            answers = [{"say": words_of(error)}]
        finally:
            table.late = False
        for answer in answers:
            socket.send(answer)
        await self.show(table)
        self.go_on(table)

    async def show(self, table: Open) -> None:
        """Send everybody the table as it stands, unless they have it."""
        room = table.room
        if room is None:
            return
        for socket in list(table.sockets):
            if socket.sitter is not None and (frame := await table.call(room.news, socket.sitter)) is not None:
                socket.send(frame)

    def go_on(self, table: Open) -> None:
        """Let players that need no person go on, a slice at a time, while everybody looks on."""
        if table.room is not None and not table.room.settled and (table.going is None or table.going.done()):
            table.going = self.task(self._going(table))

    async def _going(self, table: Open) -> None:
        room = table.room
        assert room is not None
        try:
            while not await table.call(room.run, SLICE):
                await self.show(table)
        except Exception as error:
            room.settled = True
            for socket in table.sockets:
                socket.send({"say": words_of(error)})
        await self.show(table)

    # ------------------------------------------------------------ the owner

    async def revoke(self, id: str, links: list[Link]) -> None:
        """Give a table other links; whoever sits there by an old one is shown out."""
        card = self.tables[id].card if id in self.tables else self.shelf.card(id)
        card.links = links
        self.shelf.keep(card)
        for socket in list(self.tables[id].sockets) if id in self.tables else ():
            if socket.sitter is None or socket.sitter.link not in links:
                socket.send({"gone": "this link opens nothing any more"})
                socket.send(None)


def words_of(error: Exception) -> str:
    """An error in words for a page; one of ours is told to the log, and not to the page."""
    from rulewright.compiler.loader import NotCompiled
    from rulewright.runtime.journal import SaveProblem

    match error:
        case Refusal() | SaveProblem():
            help = getattr(error, "help", "")
            return str(error) + (f" ({help})" if help else "")
        case NotCompiled():
            return f"the rules do not compile: {error.diagnostics[0].message}"
        case Fault():
            return f"the rules cannot go on: {error}"
    log.error("a table failed", exc_info=error)
    return "something is wrong with this table; the server's log tells what"
