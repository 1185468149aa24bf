"""The file of a journal: its tables, its lock, and how disk trouble is told.

In:  a path.
Out: an SQLite connection to it, held so that nobody else writes; statements for its tables.
Reports: `SaveProblem` with one line about what is wrong and what to do next.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .. import canon
from .holding import Held, hold, let_go

APPLICATION = b"RWJ1"  # at byte 68 of the file
MAX_FILE = 1 << 30

TABLES = {
    "event": "seq INTEGER PRIMARY KEY, body BLOB, previous BLOB, own BLOB",
    "header": "id INTEGER PRIMARY KEY, body BLOB, start BLOB, own BLOB, seq INTEGER, last BLOB",
    "snapshot": "seq INTEGER PRIMARY KEY, body BLOB, own BLOB",
}
SCHEMA = [("table", name, name, f"CREATE TABLE {name} ({columns})") for name, columns in TABLES.items()]

Row = tuple[int, bytes, bytes, bytes]
"""An event as a file holds it: number, bytes, the seal before, its own seal."""
Statement = tuple[str, Iterable[tuple[Any, ...]]]
"""SQL, and the records to run it with."""


class SaveProblem(Exception):
    """A save that cannot be used: one line about it, and what to do next."""

    def __init__(self, message: str, help: str) -> None:
        self.message, self.help = " ".join(message.split()), help
        super().__init__(self.message)


class Damage(SaveProblem):
    """A save of ours that was hurt; the first `good` events are sound, None when the header is lost."""

    def __init__(self, path: Path, what: str, good: int | None) -> None:
        sound = "" if good is None else f"open it with repair to keep the first {good} events, or "
        super().__init__(f"the save {path} is damaged: {what.splitlines()[0]}", f"{sound}restore a copy of the file")
        self.good = good


def insert(table: str, records: Iterable[tuple[Any, ...]]) -> Statement:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * (TABLES[table].count(',') + 1))})", records


def connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(os.path.abspath(path), isolation_level=None, timeout=5)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, canon.MAX_BYTES + 4096)
    for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "synchronous=FULL", "wal_autocheckpoint=1"):
        db.execute(f"PRAGMA {pragma}")
    return db


def held_by_us(path: Path) -> int | None:
    try:
        return hold(path)
    except Held:
        message = f"the save {path} is open in another program"
        raise SaveProblem(message, "end the game there first, or save under another name") from None


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """While nobody else writes to a file; one that is not there is free."""
    held = held_by_us(path) if path.exists() else None
    try:
        yield
    finally:
        let_go(held)


@contextlib.contextmanager
def trouble(path: Path) -> Iterator[None]:
    """Turn what the disk and SQLite say into one clear line."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        said = getattr(error, "strerror", None) or str(error)
        help = "check the folder, its free space, and that no other program holds the file"
        raise SaveProblem(f"the save {path} cannot be used: {said}", help) from error


def sync(path: Path) -> None:
    with contextlib.suppress(PermissionError):  # some systems do not open folders
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def set_aside(path: Path) -> None:
    names = (Path(f"{path}.damaged{number or ''}") for number in itertools.count())
    with trouble(path):
        os.replace(path, next(name for name in names if not name.exists()))
