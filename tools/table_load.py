"""Many tables at once: seats that click at random, a server that is killed again and again.

In:  how many tables, for how long, how many kills.
Out: how many choices were made and told, how long an answer took; exit 1 where a page was shown something that the
     journals do not hold, or a game is not what its journal says. `make load` runs this and writes docs/fuzz/load.md.

A page that was shown a moment of its game has been told of every choice up to it: after a kill it may not go back, and
at the end the journal holds them all. At every fourth table choices are taken back too; what such a page is shown last
has to be what the journal says.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import signal
import statistics
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

import websockets

from rulewright.runtime.journal import Journal
from rulewright.table.links import WATCH, find_link
from rulewright.table.room import Room
from rulewright.table.shelf import Shelf

PORT = 8917
HOME = f"http://localhost:{PORT}"
BOOKS = (("fragment", None), ("trc", "battle"))
SILENCE = 6.0
"""Seconds without a frame after which a page that may choose clicks again."""
QUIET, QUIET_AT_LAST = 2.0, 60.0
"""Seconds without a frame after which the pages and the journals are compared, and how long to wait for that."""
TAKING_BACK = 4
"""At one table of so many, choices are taken back."""


class Load:
    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self.args, self.folder = args, folder
        self.server: asyncio.subprocess.Process | None = None
        self.seen: dict[str, int] = {}
        self.units: dict[str, Any] = {}
        self.waits: list[float] = []
        self.lost: list[str] = []
        self.sent: Counter[str] = Counter()
        self.frames = self.said = self.broken = 0
        self.open: set[str] = set()
        self.heard = 0.0
        self.starts: list[float] = []
        self.over = False

    async def start(self) -> str:
        """A server; the owner's token."""
        command = ["-m", "rulewright.compiler.cli.main", "table", "--folder", str(self.folder), "--port", str(PORT)]
        self.server = await asyncio.create_subprocess_exec(
            sys.executable, *command, "--no-open", *(b for b, _ in BOOKS), stdout=asyncio.subprocess.PIPE
        )
        assert self.server.stdout is not None
        begun = time.monotonic()
        line = (await self.server.stdout.readline()).decode()
        self.starts.append(time.monotonic() - begun)
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
            (i, t["id"], x["href"].split("#")[1], x["kind"])
            for i, t in enumerate(tables)
            for x in t["links"]
            if x["kind"] != "hot seat"
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
        await self.quiet()
        for page in pages:
            page.cancel()
        await asyncio.gather(*pages, return_exceptions=True)
        assert self.server is not None
        self.server.send_signal(signal.SIGTERM)
        await self.server.wait()
        return self.tell([t["id"] for t in tables], Counter(kind for *_, kind in seats))

    async def quiet(self) -> None:
        """Wait until every click has its answer and nothing more comes."""
        until = time.monotonic() + QUIET_AT_LAST
        while time.monotonic() < until and (self.open or time.monotonic() - self.heard < QUIET):
            await asyncio.sleep(0.2)

    async def page(self, i: int, id: str, token: str, kind: str, dice: random.Random) -> None:
        """One page: it sits down, clicks while it may, and sits down again when the line breaks."""
        takes_back = i % TAKING_BACK == TAKING_BACK - 1
        while True:
            try:
                at = f"ws://localhost:{PORT}/t/{id}/socket"
                async with websockets.connect(at, origin=websockets.Origin(HOME), max_size=None) as ws:
                    await ws.send(json.dumps({"do": "sit", "token": token}))
                    await self.play(ws, id, token, kind, dice, takes_back)
            except (OSError, websockets.WebSocketException):
                self.open.discard(f"{id} {token}")
                self.broken += 1
                await asyncio.sleep(0.3 + dice.random())

    async def play(self, ws: Any, id: str, token: str, kind: str, dice: random.Random, takes_back: bool) -> None:
        key, asked, frame = f"{id} {token}", 0.0, {}
        while True:
            try:
                told = json.loads(await asyncio.wait_for(ws.recv(), SILENCE if frame.get("ask") else None))
            except TimeoutError:
                told = frame
            if "gone" in told:
                raise OSError(told["gone"])
            self.heard = time.monotonic()
            self.open.discard(key)
            if "say" in told:
                self.said += 1
                asked = 0.0
            if "n" not in told:
                continue
            if told is not frame:
                self.frames += 1
                if asked:
                    self.waits.append(time.monotonic() - asked)
            frame, asked = told, 0.0
            if frame["moments"] < self.seen.get(key, 0) and not takes_back:
                self.lost.append(f"{key}: {frame['moments']} moments after {self.seen[key]}")
            self.seen[key] = frame["moments"]
            if kind == WATCH:
                self.units[id] = sorted(x[:2] for x in frame["units"])
            if frame["ask"] is None or self.over:
                continue
            await asyncio.sleep(dice.random() * self.args.pause)
            message = click(frame["ask"], dice, takes_back and bool(frame["undo"].get("own")))
            if self.over:
                continue
            asked = time.monotonic()
            self.open.add(key)
            self.sent[message["do"]] += 1
            await ws.send(json.dumps({**message, "n": frame["n"]}))

    def tell(self, ids: list[str], seats: Counter[str]) -> int:
        shelf, wrong = Shelf(self.folder), list(self.lost)
        choices = 0
        over = Counter[str]()
        for id in ids:
            card = shelf.card(id)
            choices += len(Journal.read(shelf.path(card)))
            room = Room(card, shelf)
            room.run(None)
            over["over" if room.table.over else "going on"] += 1
            watcher = room.enter(next(x for x in card.links if x.kind == WATCH))
            if id in self.units and sorted(x[:2] for x in room.frame(watcher)["units"]) != self.units[id]:
                wrong.append(f"{id}, number {ids.index(id)}: the page shows another position than the journal")
            for key, moments in self.seen.items():
                whose, token = key.split()
                link = find_link(card.links, token) if whose == id else None
                if link is not None and (held := room.frame(room.enter(link))["moments"]) != moments:
                    wrong.append(f"{key}: told of {moments} moments, the journal holds {held}")
            room.table.game.journal.close()
        waits = sorted(self.waits) or [0.0]
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        clicks = ", ".join(f"{n:,} {do}" for do, n in self.sent.most_common())
        text = f"""# Load: many tables

{len(ids)} tables of {" and ".join(b + (f" ({s})" if s else "") for b, s in BOOKS)}, {seats["seat"]} seats that click at
random and {seats[WATCH]} spectators, {self.args.minutes:g} minutes, {self.args.kills} kills of the server (SIGKILL).
At one table of {TAKING_BACK} choices are taken back, too. `make load` does this.

| | |
|---|---|
| clicks | {self.sent.total():,} ({clicks}) |
| frames received | {self.frames:,} |
| answers in words (a list that has gone, a refusal) | {self.said:,} |
| lines that broke and were opened again | {self.broken:,} |
| choices in the journals | {choices:,} |
| games over | {over["over"]} of {len(ids)} |
| from click to frame | {statistics.median(waits):.3f} s in the middle, {waits[int(len(waits) * 0.95)]:.3f} s at 95 % |
| a server is up again after | {statistics.median(self.starts):.1f} s in the middle, {max(self.starts):.1f} s at most |
| processor time of all servers | {used.ru_utime + used.ru_stime:.0f} s |
| memory of the largest server | {used.ru_maxrss / 1024:.0f} MB |
| load of the machine at the end | {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores |

No page may go back behind what it was shown, and at the end each journal, played again, has to hold what every page was
told last: **{len(wrong)} faults**.
"""
        text += "".join(f"\n- {line}" for line in wrong[:20])
        print(text)
        if self.args.report is not None:
            self.args.report.write_text(text, encoding="utf-8")
        return 1 if wrong else 0


def click(ask: dict[str, Any], dice: random.Random, may_take_back: bool) -> dict[str, Any]:
    """What a page does with a question."""
    if may_take_back and dice.random() < 0.1:
        return {"do": "undo", "how": "own"}
    if dice.random() < 0.05 and ask["depth"] > 1:
        return {"do": "back"}
    if ask.get("ready"):
        return {"do": "ok"}
    may = [i for i, x in enumerate(ask["items"]) if not x.get("shut")]
    return {"do": "pick", "i": dice.choice(may)} if may else {"do": "fill", "every": True}


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--tables", type=int, default=100)
    p.add_argument("--minutes", type=float, default=10)
    p.add_argument("--kills", type=int, default=20)
    p.add_argument("--pause", type=float, default=4.0, help="seconds that a page waits at most before it clicks")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--report", type=Path)
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(Load(args, Path(folder)).run())


if __name__ == "__main__":
    sys.exit(main())
