"""The journal: what happened in a game, in order, each event sealed to the one before.

A saved journal is an SQLite file. An event row holds its number, the event as canonical bytes, the seal of
the row before and its own seal, SHA-256(previous seal, number, bytes); the first row follows the header's
seal. The header also keeps the number and seal of the last event, so that a lost tail shows. `append` returns
after the event has reached the main file: each commit is checkpointed at once, and the write-ahead log holds
nothing that only it knows. A journal that is `lazy` writes several events at once, some times a second: a process
that is killed then leaves the events up to some earlier one, whole.

A file has one writer: a second one is refused (see holding.py). Whoever only reads it may do so at any time.

Seals find damage, not forgery: whoever can write the file can seal it anew. The snapshot, the state after some
event, only saves time; one that does not fit its seal is passed over.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Self

import rulewright

from . import canon
from .files.holding import let_go
from .files.save_file import (
    APPLICATION,
    MAX_FILE,
    SCHEMA,
    Damage,
    Row,
    SaveProblem,
    Statement,
    alone,
    connect,
    held_by_us,
    insert,
    set_aside,
    sync,
    trouble,
)

__all__ = ["Damage", "Header", "Journal", "Played", "SaveProblem"]

FORMAT, CARRIED = 2, 3
"""What is written, and what is written of a game that other rules took over; format 1, which named no version, is read
too."""
LATEST = 0.25
"""For how many seconds at most a lazy journal keeps events to itself."""
VERSION = re.compile(r"[0-9A-Za-z.+!-]{1,40}").fullmatch


class Played(NamedTuple):
    """Rules that a game was played under: their name and hash, the number of choices, and the seal of the last."""

    rules: str
    rules_hash: str
    choices: int
    seal: str


def played(x: Played) -> bool:
    """Whether what was played before has the form that we write."""
    texts = all(type(t) is str and len(t) < 1000 for t in (x.rules, x.rules_hash, x.seal))
    return texts and type(x.choices) is int and x.choices >= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a journal is about: the rule set by name (`trc+26.9`) and hash, how the game began, and who wrote it.

    A header that was read keeps its format, for the seals of all events follow from its bytes.
    """

    rules: str = ""
    rules_hash: str = ""
    scenario: str = ""
    seed: int = 0
    start: Any = b""
    """The first state, plain or in canonical bytes."""
    version: str = rulewright.__version__
    """The Rulewright that began the journal; "" where the format does not tell."""
    format: int = FORMAT
    before: tuple[Played, ...] = ()
    """Of a game that was carried over: the rules that it was played under before, oldest first. `start` is then the
    position in which these rules took over."""

    def first(self) -> bytes:
        return self.start if isinstance(self.start, bytes) else canon.dumps(self.start)

    def body(self) -> bytes:
        told = [self.format, self.rules, self.rules_hash, self.scenario, self.seed]
        told += [self.version] if self.format > 1 else []
        return canon.dumps([*told, [list(x) for x in self.before]] if self.format == CARRIED else told)

    def seal(self) -> bytes:
        return sha256(sha256(self.body()).digest() + self.first()).digest()


class Journal:
    """A journal in memory (`Journal(header)`) or in a file (`keep_in`, `open`), which then keeps every change."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.lazy = False
        self._rows: list[Row] = []
        self._snapshot: tuple[int, bytes] | None = None
        self._path = Path()
        self._db: sqlite3.Connection | None = None
        self._held: int | None = None
        self._waiting = 0
        self._written = 0.0

    @staticmethod
    def read(path: str | Path) -> Journal:
        """A saved journal after checking all of it, to be read; a damaged file raises `Damage`."""
        sound, damage = _read(Path(path))
        if damage:
            raise Damage(Path(path), damage, len(sound))
        return sound

    @staticmethod
    def open(path: str | Path, repair: bool = False) -> Journal:
        """Open a saved journal after checking all of it, to be written.

        A damaged file raises `Damage`; with `repair` its sound events go into a new file in its place, and
        the damaged one stays beside it as `<name>.damaged`.
        """
        path = Path(path)
        sound, damage = _read(path)
        if damage and not repair:
            raise Damage(path, damage, len(sound))
        if damage:
            with alone(path):
                set_aside(path)
            _write_file(path, sound)
        sound.go_on_in(path)
        return sound

    def keep_in(self, path: str | Path) -> None:
        """Write the whole journal to a file, in place of what stood there, and keep every change in it from now on."""
        self.close()
        _write_file(Path(path), self)
        self.go_on_in(path)

    def go_on_in(self, path: str | Path) -> None:
        """Keep every change in a file that holds this journal already."""
        self.close()
        self._path = Path(path)
        with trouble(self._path):
            self._held = held_by_us(self._path)
            try:
                self._db = connect(self._path)
                self._same()
            except BaseException:
                self.close()
                raise

    @property
    def path(self) -> Path | None:
        """The file that keeps every change, None where there is none."""
        return self._path if self._db is not None else None

    def close(self) -> None:
        """Let go of the file; the journal goes on in memory."""
        try:
            self.flush()
        finally:
            db, self._db, self._waiting = self._db, None, 0
            if db is not None:
                db.close()
            held, self._held = self._held, None
            let_go(held)

    def __len__(self) -> int:
        return len(self._rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def head(self) -> str:
        """The seal of everything so far."""
        return self._seal_at(len(self)).hex()

    def append(self, event: Any) -> str:
        """Add an event; it is kept when this returns its seal, or soon after where the journal is lazy.

        Whatever interrupts this, file and memory hold the same events: both have the new one or neither.
        """
        seq, last, body = len(self) + 1, self._seal_at(len(self)), canon.dumps(event)
        own = _seal(last, seq, body)
        row = (seq, body, last, own)
        if self.lazy and self._db is not None and time.monotonic() - self._written < LATEST:
            self._rows.append(row)
            self._waiting += 1
            return own.hex()
        try:
            self._write(seq, own, insert("event", [*self._unwritten(), row]))
            self._rows.append(row)
        except BaseException:
            if self._db is not None and len(self) < seq and self._file_end() == (seq, own):
                self._rows.append(row)
            raise
        return own.hex()

    def flush(self) -> None:
        """Write the events that a lazy journal still keeps to itself."""
        if self._waiting:
            self._write(*self._end(), insert("event", self._unwritten()))

    def _unwritten(self) -> list[Row]:
        return self._rows[len(self) - self._waiting :]

    def truncate(self, seq: int) -> None:
        """Take back all events after the first `seq`."""
        if not 0 <= seq <= len(self):
            raise ValueError(f"cannot cut a journal of {len(self)} events after event {seq}")
        self.flush()
        cuts = [(f"DELETE FROM {table} WHERE seq > ?", [(seq,)]) for table in ("event", "snapshot")]
        self._write(seq, self._seal_at(seq), *cuts)
        del self._rows[seq:]
        if self._snapshot is not None and self._snapshot[0] > seq:
            self._snapshot = None

    def events(self) -> Iterator[Any]:
        """The events in order."""
        return (canon.loads(row[1]) for row in self._rows)

    def opening(self, seq: int) -> Journal:
        """The first events, in a journal in memory."""
        made = Journal(self.header)
        made._rows = self._rows[:seq]
        made._snapshot = self._snapshot if self._snapshot is not None and self._snapshot[0] <= seq else None
        return made

    def snapshot(self, state: Any) -> None:
        """Keep the state as it is after the last event; an older one goes."""
        kept = (len(self), canon.dumps(state))
        self.flush()
        self._write(*self._end(), ("DELETE FROM snapshot", [()]), insert("snapshot", [self._sealed(*kept)]))
        self._snapshot = kept

    def latest(self) -> tuple[int, Any]:
        """The number of events behind the kept state, and that state; the first state when there is none."""
        seq, body = self._snapshot or (0, self.header.first())
        return seq, canon.loads(body)

    def save_as(self, path: str | Path) -> None:
        """Write the whole journal to a file, complete or not at all; what stood there is replaced."""
        if self._db is None or not (os.path.exists(path) and os.path.samefile(path, self._path)):
            _write_file(Path(path), self)

    def _seal_at(self, seq: int) -> bytes:
        return self._rows[seq - 1][3] if seq else self.header.seal()

    def _end(self) -> tuple[int, bytes]:
        """What the header says of the last event."""
        return len(self), self._seal_at(len(self))

    def _sealed(self, seq: int, body: bytes) -> tuple[int, bytes, bytes]:
        """A snapshot as a file holds it."""
        return seq, body, sha256(b"snapshot" + self._seal_at(seq) + body).digest()

    def _write(self, seq: int, last: bytes, *changes: Statement) -> None:
        """Make changes that leave `seq` events; only a file has to."""
        if self._db is None:
            return
        try:
            with trouble(self._path), self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._same()
                for change in (*changes, ("UPDATE header SET seq = ?, last = ?", [(seq, last)])):
                    self._db.executemany(*change)
        finally:
            if self._file_end() == (seq, last):  # also where an interrupt came right after it was written
                self._waiting, self._written = 0, time.monotonic()

    def _same(self) -> None:
        """That the file ends where it was left."""
        good = len(self) - self._waiting
        if self._file_end() != (good, self._seal_at(good)):
            raise SaveProblem(f"another program has written to {self._path}", "open the save again")

    def _file_end(self) -> Any:
        assert self._db is not None
        return self._db.execute("SELECT seq, last FROM header").fetchone()


def _seal(previous: bytes, seq: int, body: bytes) -> bytes:
    return sha256(previous + seq.to_bytes(8, "big") + body).digest()


def _write_file(path: Path, journal: Journal) -> None:
    """A complete file under a temporary name, then moved into place."""
    header, kept = journal.header, journal._snapshot
    with (
        trouble(path),
        alone(path),
        tempfile.TemporaryDirectory(prefix=".save-", dir=path.absolute().parent) as folder,
    ):
        fresh = Path(folder) / "journal"
        with contextlib.closing(connect(fresh)) as db:
            db.execute(f"PRAGMA application_id={int.from_bytes(APPLICATION, 'big')}")
            db.execute("PRAGMA journal_mode=WAL")
            with db:
                db.execute("BEGIN")
                for *_, statement in SCHEMA:
                    db.execute(statement)
                for change in (
                    insert("header", [(1, header.body(), header.first(), header.seal(), *journal._end())]),
                    insert("event", journal._rows),
                    insert("snapshot", [] if kept is None else [journal._sealed(*kept)]),
                ):
                    db.executemany(*change)
        sync(fresh)
        for side in ("-wal", "-shm"):  # a log left there by a crash would be laid over the new file
            Path(f"{path}{side}").unlink(missing_ok=True)
        os.replace(fresh, path)
        sync(path.absolute().parent)


def _read(path: Path) -> tuple[Journal, str]:
    """The sound part of a file, and what is wrong with the rest; SaveProblem when it is not ours at all."""
    with trouble(path):
        if not path.is_file():
            raise SaveProblem(f"there is no save at {path}", "check the name")
        with path.open("rb") as file:
            opening = file.read(100)
        size, log = path.stat().st_size, Path(f"{path}-wal")
        unlogged = not log.exists() or not log.stat().st_size
    if opening[:16] != b"SQLite format 3\0" or opening[68:72] != APPLICATION:
        raise SaveProblem(f"{path} is not a saved game of ours", "check the name; nothing was changed")
    if size > MAX_FILE:
        raise SaveProblem(f"the save {path} holds {size} bytes, more than {MAX_FILE}", "check the name")
    pages = int.from_bytes(opening[28:32], "big") * int.from_bytes(opening[16:18], "big")
    short = unlogged and size < pages
    journal: Journal | None = None
    try:
        with contextlib.closing(connect(path)) as db:
            journal = Journal(_read_header(path, db))
            what = _read_events(db, journal) or _read_rest(db, journal) or "its end is cut off" * short
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise SaveProblem(f"another program holds the save {path}", "close it there first") from error
        what = str(error)
    except (sqlite3.Error, ValueError, TypeError, OverflowError, MemoryError) as error:
        what = str(error) or type(error).__name__
    if journal is None:
        raise Damage(path, what, None)
    return journal, what


def _read_header(path: Path, db: sqlite3.Connection) -> Header:
    if db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall() != SCHEMA:
        raise ValueError("its tables are not those of a journal")
    found = db.execute("SELECT body, start, own FROM header LIMIT 2").fetchall()
    if len(found) != 1 or not all(type(value) is bytes for value in found[0]):
        raise ValueError("its header is missing")
    body, start, own = found[0]
    if sha256(sha256(body).digest() + start).digest() != own:
        raise ValueError("its header does not fit its seal")
    match canon.loads(body):
        case [int(format), *rest] if format > CARRIED:
            by = next((f"Rulewright {x}" for x in rest[4:5] if isinstance(x, str) and VERSION(x)), "a newer Rulewright")
            message = f"the save {path} was written by {by}, in format {format}"
            help = f"install that version: Rulewright {rulewright.__version__} reads formats up to {CARRIED}"
            raise SaveProblem(message, help)
        case [1 | 2 | 3 as format, str(rules), str(rules_hash), str(scenario), int(seed), *rest]:
            canon.loads(start)
            version = rest[0] if rest and isinstance(rest[0], str) and VERSION(rest[0]) else ""
            told = {"rules": rules, "rules_hash": rules_hash, "scenario": scenario, "seed": seed, "start": start}
            before = tuple(Played(*x) for x in rest[1]) if format == CARRIED else ()
            if format == CARRIED and not (before and all(map(played, before))):
                raise ValueError("its header does not say what was played before")
            header = Header(**told, version=version, format=format, before=before)
            if header.body() == body:
                return header
    raise ValueError("its header does not read")


def _read_events(db: sqlite3.Connection, journal: Journal) -> str:
    """Take the sound events over; what is wrong with the next one, or nothing."""
    for row in db.execute("SELECT seq, body, previous, own FROM event ORDER BY seq"):
        seq, body, *_ = row
        good, last = journal._end()
        if seq != good + 1:
            return f"event {good + 1} is missing"
        if type(body) is not bytes or row != (seq, body, last, _seal(last, seq, body)):
            return f"event {seq} does not fit its seal"
        canon.loads(body)
        journal._rows.append(row)
    said = db.execute("SELECT seq, last FROM header").fetchone()
    return "" if said == journal._end() else f"it ends after event {len(journal)}, and its header says after {said[0]}"


def _read_rest(db: sqlite3.Connection, journal: Journal) -> str:
    """Take the last fitting snapshot over and look at the file's structure."""
    for row in db.execute("SELECT seq, body, own FROM snapshot ORDER BY seq"):
        seq, body, _ = row
        if type(body) is bytes and 0 <= seq <= len(journal) and row == journal._sealed(seq, body):
            with contextlib.suppress(ValueError):
                canon.loads(body)
                journal._snapshot = (seq, body)
    said = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    return "" if said == "ok" else said
