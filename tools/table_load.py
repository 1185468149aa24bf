"""Many tables at once: seats that click at random, a server that is killed again and again.

In:  how many tables, for how long, how many kills.
Out: how many choices were made and told, how long an answer took; exit 1 where a page was shown something that the
     journals do not hold, or a game is not what its journal says. `make load` runs this.

A page that was shown a moment of its game has been told of every choice up to it: after a kill it may not go back.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import websockets

from rulewright.runtime.journal import Journal
from rulewright.table.links import WATCH
from rulewright.table.room import Room
from rulewright.table.shelf import Shelf

PORT = 8917
HOME = f"http://localhost:{PORT}"
BOOKS = (("fragment", None), ("trc", "battle"))


class Load:
    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self.args, self.folder = args, folder
        self.server: asyncio.subprocess.Process | None = None
        self.seen: dict[str, int] = {}
        self.units: dict[str, Any] = {}
        self.waits: list[float] = []
        self.lost: list[str] = []
        self.sent = self.frames = 0
        self.over = False

    async def start(self) -> str:
        """A server; the owner's token."""
        command = ["-m", "rulewright.compiler.cli.main", "table", "--folder", str(self.folder), "--port", str(PORT)]
        self.server = await asyncio.create_subprocess_exec(
            sys.executable, *command, "--no-open", *(b for b, _ in BOOKS), stdout=asyncio.subprocess.PIPE
        )
        assert self.server.stdout is not None
        line = (await self.server.stdout.readline()).decode()
        return line.split("#")[1].split()[0]

    def kill(self) -> None:
        assert self.server is not None
        os.kill(self.server.pid, signal.SIGKILL)

    def api(self, owner: str, path: str, body: Any = None) -> Any:
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(HOME + path, data, {"authorization": f"Bearer {owner}"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    async def run(self) -> int:
        try:
            return await self.campaign()
        finally:
            if self.server is not None and self.server.returncode is None:
                self.kill()

    async def campaign(self) -> int:
        owner = await self.start()
        tables = []
        for i in range(self.args.tables):
            book, scenario = BOOKS[i % len(BOOKS)]
            body = {"book": book, "scenario": scenario}
            tables.append(await asyncio.to_thread(self.api, owner, "/api/tables", body))
        seats = [
            (t["id"], x["href"].split("#")[1], x["kind"]) for t in tables for x in t["links"] if x["kind"] != "hot seat"
        ]
        pages = [
            asyncio.create_task(self.page(*seat, random.Random(f"{self.args.seed} {i}")))
            for i, seat in enumerate(seats)
        ]
        seconds = 60 * self.args.minutes
        for _ in range(self.args.kills):
            await asyncio.sleep(seconds / (self.args.kills + 1))
            assert self.server is not None
            self.kill()
            await self.server.wait()
            await self.start()
        await asyncio.sleep(seconds / (self.args.kills + 1))
        self.over = True
        await asyncio.sleep(3)
        for page in pages:
            page.cancel()
        await asyncio.gather(*pages, return_exceptions=True)
        assert self.server is not None
        self.server.send_signal(signal.SIGTERM)
        await self.server.wait()
        return self.tell([t["id"] for t in tables], len(seats))

    async def page(self, id: str, token: str, kind: str, dice: random.Random) -> None:
        """One page: it sits down, clicks while it may, and sits down again when the line breaks."""
        key = f"{id} {token}"
        while True:
            try:
                at = f"ws://localhost:{PORT}/t/{id}/socket"
                async with websockets.connect(at, origin=websockets.Origin(HOME), max_size=None) as ws:
                    await ws.send(json.dumps({"do": "sit", "token": token}))
                    await self.play(ws, key, id, kind, dice)
            except (OSError, websockets.WebSocketException, TimeoutError):
                await asyncio.sleep(0.3 + dice.random())

    async def play(self, ws: Any, key: str, id: str, kind: str, dice: random.Random) -> None:
        asked = 0.0
        async for text in ws:
            frame = json.loads(text)
            if "gone" in frame:
                raise OSError(frame["gone"])
            if "n" not in frame:
                continue
            self.frames += 1
            if asked:
                self.waits.append(time.monotonic() - asked)
                asked = 0.0
            if frame["moments"] < self.seen.get(key, 0):
                self.lost.append(f"{key}: {frame['moments']} moments after {self.seen[key]}")
            self.seen[key] = frame["moments"]
            if kind == WATCH:
                self.units[id] = sorted(x[:2] for x in frame["units"])
            ask = frame["ask"]
            if ask is None or self.over:
                continue
            await asyncio.sleep(dice.random() * self.args.pause)
            if ask.get("ready"):
                message = {"do": "ok"}
            else:
                may = [i for i, x in enumerate(ask["items"]) if not x.get("shut")]
                message = {"do": "pick", "i": dice.choice(may)} if may else {"do": "fill", "every": True}
            if dice.random() < 0.05 and ask["depth"] > 1:
                message = {"do": "back"}
            asked = time.monotonic()
            self.sent += 1
            await ws.send(json.dumps({**message, "n": frame["n"]}))

    def tell(self, ids: list[str], seats: int) -> int:
        shelf, wrong = Shelf(self.folder), list(self.lost)
        choices = 0
        for id in ids:
            card = shelf.card(id)
            choices += len(Journal.read(shelf.path(card)))
            room = Room(card, shelf)
            room.run(None)
            watcher = room.enter(next(x for x in card.links if x.kind == WATCH))
            if id in self.units and sorted(x[:2] for x in room.frame(watcher)["units"]) != self.units[id]:
                wrong.append(f"{id}: the page shows another position than the journal")
            room.table.game.journal.close()
        waits = sorted(self.waits) or [0.0]
        print(
            f"{len(ids)} tables, {seats} pages, {self.args.minutes:g} minutes, {self.args.kills} kills: "
            f"{self.sent:,} clicks, "
            f"{self.frames:,} frames, {choices:,} choices in the journals; an answer took "
            f"{statistics.median(waits):.3f} s in the "
            f"middle, {waits[int(len(waits) * 0.95)]:.3f} s at 95 %; {len(wrong)} faults"
        )
        for line in wrong[:20]:
            print("  " + line)
        return 1 if wrong else 0


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--tables", type=int, default=100)
    p.add_argument("--minutes", type=float, default=10)
    p.add_argument("--kills", type=int, default=20)
    p.add_argument("--pause", type=float, default=4.0, help="seconds that a page waits at most before it clicks")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(Load(args, Path(folder)).run())


if __name__ == "__main__":
    sys.exit(main())
