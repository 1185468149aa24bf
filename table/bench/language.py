"""The language server behind a socket: for the owner, for the files of one desk, in a process with limits.

In:  messages of the editor in the browser, the folder that it may speak about.
Out: the messages of the language server. Every address of a file in a message must lie in the folder; one that does
     not ends the connection.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from .limits import limited

LONGEST = 4_000_000
SECONDS = 3600
"""Of processor time in one sitting."""
Receive = Callable[[], Awaitable[str | None]]
Send = Callable[[str], Awaitable[None]]


class Outside(Exception):
    """A message speaks of a file that is not on the desk."""


def confined(told: Any, folder: Path) -> None:
    """Refuse a message with an address outside of the folder."""
    match told:
        case dict():
            for key, value in told.items():
                if isinstance(value, str) and (key.lower().endswith("uri") or key in ("rootPath", "path")):
                    check(value, folder)
                confined(key, folder)
                confined(value, folder)
        case list():
            for value in told:
                confined(value, folder)
        case str() if told.startswith("file:"):
            check(told, folder)


def check(uri: str, folder: Path) -> None:
    parts = urlsplit(uri)
    path = Path(unquote(parts.path)).resolve()
    if parts.scheme not in ("file", "") or parts.netloc or not path.is_relative_to(folder.resolve()):
        raise Outside


async def serve(receive: Receive, send: Send, folder: Path) -> None:
    """Carry messages both ways until one side ends."""
    process = await asyncio.create_subprocess_exec(
        *limited("rulewright.compiler.cli.main", "lsp", seconds=SECONDS),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=folder,
    )
    assert process.stdin is not None and process.stdout is not None
    ways = [
        asyncio.create_task(answers(process.stdout, send)),
        asyncio.create_task(questions(receive, process.stdin, folder)),
    ]
    try:
        done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in done:
            way.result()
    finally:
        for way in ways:
            way.cancel()
        if process.returncode is None:
            process.kill()
        await process.wait()


async def questions(receive: Receive, to: asyncio.StreamWriter, folder: Path) -> None:
    """What the page says, message by message, as far as it speaks of the folder."""
    while (text := await receive()) is not None:
        if len(text) > LONGEST:
            raise Outside
        confined(json.loads(text), folder)
        data = text.encode()
        to.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        await to.drain()


async def answers(out: asyncio.StreamReader, send: Send) -> None:
    """What the server says, message by message."""
    while line := await out.readline():
        size = 0
        while line.strip():
            name, _, value = line.decode("ascii", "replace").partition(":")
            if name.lower() == "content-length":
                size = int(value)
            line = await out.readline()
        await send((await out.readexactly(size)).decode("utf-8"))
