"""The journal: what happened in a game, in order, each event sealed to the one before.

A saved journal is an SQLite file. An event row holds its number, the event as canonical bytes, the seal of
the row before and its own seal, SHA-256(previous seal, number, bytes); the first row follows the header's
seal. The header also keeps the number and seal of the last event, so that a lost tail shows. `append` returns
after the event has reached the main file: each commit is checkpointed at once, and the write-ahead log holds
nothing that only it knows.

Seals find damage, not forgery: whoever can write the file can seal it anew. Snapshots only save time; one
that does not fit its seal is passed over.
"""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Self

from . import canon

FORMAT = 1
APPLICATION = b"RWJ1"  # at byte 68 of the file
MAX_FILE = 1 << 30
SNAPSHOT_EVERY = 64

_TABLES = {
    "event": "seq INTEGER PRIMARY KEY, body BLOB, previous BLOB, own BLOB",
    "header": "id INTEGER PRIMARY KEY, body BLOB, start BLOB, own BLOB, seq INTEGER, last BLOB",
    "snapshot": "seq INTEGER PRIMARY KEY, body BLOB, own BLOB",
}
_SCHEMA = [("table", name, name, f"CREATE TABLE {name} ({columns})") for name, columns in _TABLES.items()]

Row = tuple[bytes, bytes]
"""An event's bytes and its seal."""
Write = Callable[[sqlite3.Connection], object]


class SaveProblem(Exception):
    """A save that cannot be used: one line about it, and what to do next."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


class Damage(SaveProblem):
    """A save of ours that was hurt; the first `good` events are sound, None when the header is lost."""

    def __init__(self, path: Path, what: str, good: int | None) -> None:
        sound = "" if good is None else f"open it with repair to keep the first {good} events, or "
        super().__init__(f"the save {path} is damaged: {what}", f"{sound}restore a copy of the file")
        self.good = good


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a journal is about: the rule set by name (`trc+26.9`) and hash, and how the game began."""

    rules: str
    rules_hash: str
    scenario: str
    seed: int
    start: bytes
    """The first state, in canonical bytes."""
    format: int = FORMAT

    def body(self) -> bytes:
        return canon.dumps([self.format, self.rules, self.rules_hash, self.scenario, self.seed])

    def seal(self) -> bytes:
        return sha256(sha256(self.body()).digest() + self.start).digest()


class MemoryJournal:
    """A journal that is not saved; `Journal` is the same on disk."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self._rows: list[Row] = []
        self._snapshots: dict[int, bytes] = {}

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
        """Add an event; it is kept when this returns its seal."""
        return self.extend((event,))

    def extend(self, events: Iterable[Any]) -> str:
        """Add several events, all or none."""
        last, fresh = self._seal_at(len(self)), list[Row]()
        records: list[tuple[int, bytes, bytes, bytes]] = []
        for seq, event in enumerate(events, len(self) + 1):
            body = canon.dumps(event)
            own = _seal(last, seq, body)
            records.append((seq, body, last, own))
            fresh.append((body, own))
            last = own
        self._write(len(self) + len(fresh), last, _insert("event", records))
        self._rows += fresh
        return last.hex()

    def truncate(self, seq: int) -> None:
        """Take back all events after the first `seq`."""
        if not 0 <= seq <= len(self):
            raise ValueError(f"cannot cut a journal of {len(self)} events after event {seq}")

        def cut(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM event WHERE seq > ?", (seq,))
            db.execute("DELETE FROM snapshot WHERE seq > ?", (seq,))

        self._write(seq, self._seal_at(seq), cut)
        del self._rows[seq:]
        self._snapshots = {at: body for at, body in self._snapshots.items() if at <= seq}

    def events(self, after: int = 0) -> Iterator[Any]:
        """The events in order, from the one after number `after`."""
        return (canon.loads(body) for body, _ in islice(self._rows, after, None))

    def snapshot(self, state: Any) -> None:
        """Keep the state as it is after the last event."""
        seq, body = len(self), canon.dumps(state)
        seal = self._seal_at(seq)
        keep = _insert("snapshot", [(seq, body, _snapshot_seal(seal, body))])
        self._write(seq, seal, keep)
        self._snapshots[seq] = body

    def snapshot_due(self) -> bool:
        return len(self) - max(self._snapshots, default=0) >= SNAPSHOT_EVERY

    def latest(self, at_most: int | None = None) -> tuple[int, Any]:
        """The number of events behind the last kept state (up to `at_most`), and that state."""
        top = len(self) if at_most is None else at_most
        seq = max((at for at in self._snapshots if at <= top), default=0)
        return seq, canon.loads(self._snapshots.get(seq, self.header.start))

    def save_as(self, path: str | Path) -> None:
        """Write the whole journal to a file, complete or not at all; what stood there is replaced."""
        _write_file(Path(path), self)

    def close(self) -> None:
        """Let go of the file; nothing to do in memory."""

    def _seal_at(self, seq: int) -> bytes:
        return self._rows[seq - 1][1] if seq else self.header.seal()

    def _write(self, seq: int, last: bytes, change: Write) -> None:
        """Make a change that leaves `seq` events; only a file has to."""


class Journal(MemoryJournal):
    """A journal in a file. Use `create` or `open`."""

    path: Path
    _db: sqlite3.Connection

    @classmethod
    def create(cls, path: str | Path, header: Header) -> Self:
        """Start a journal in a new file."""
        path = Path(path)
        if path.exists():
            raise SaveProblem(f"there is a file at {path} already", "choose another name or move the file")
        _write_file(path, MemoryJournal(header))
        return cls.open(path)

    @classmethod
    def open(cls, path: str | Path, repair: bool = False) -> Self:
        """Open a saved journal after checking all of it.

        A damaged file raises `Damage`; with `repair` its sound events go into a new file in its place, and
        the damaged one stays beside it as `<name>.damaged`.
        """
        path = Path(path)
        journal, damage = _read(path)
        if damage is not None:
            if not repair or journal is None:
                raise damage
            _set_aside(path)
            _write_file(path, journal)
        assert journal is not None
        opened = cls(journal.header)
        opened._rows, opened._snapshots, opened.path = journal._rows, journal._snapshots, path
        with _trouble(path):
            opened._db = _connect(path)
        return opened

    def save_as(self, path: str | Path) -> None:
        if not (os.path.exists(path) and os.path.samefile(path, self.path)):
            super().save_as(path)

    def close(self) -> None:
        self._db.close()

    def _write(self, seq: int, last: bytes, change: Write) -> None:
        with _trouble(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                found = self._db.execute("SELECT seq, last FROM header").fetchone()
                if found != (len(self), self._seal_at(len(self))):
                    raise SaveProblem(f"another program has written to {self.path}", "open the save again")
                change(self._db)
                self._db.execute("UPDATE header SET seq = ?, last = ?", (seq, last))
                self._db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise


def _seal(previous: bytes, seq: int, body: bytes) -> bytes:
    return sha256(previous + seq.to_bytes(8, "big") + body).digest()


def _snapshot_seal(seal: bytes, body: bytes) -> bytes:
    return sha256(b"snapshot" + seal + body).digest()


def _insert(table: str, records: list[Any]) -> Write:
    marks = ", ".join("?" * (_TABLES[table].count(",") + 1))
    return lambda db: db.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", records)


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(os.path.abspath(path), isolation_level=None, timeout=5)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, canon.MAX_BYTES + 4096)
    for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "synchronous=FULL", "wal_autocheckpoint=1"):
        db.execute(f"PRAGMA {pragma}")
    return db


@contextlib.contextmanager
def _trouble(path: Path) -> Iterator[None]:
    """Turn what the disk and SQLite say into one clear line."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        said = getattr(error, "strerror", None) or str(error)
        help = "check the folder, its free space, and that no other program holds the file"
        raise SaveProblem(f"the save {path} cannot be used: {said}", help) from error


def _write_file(path: Path, journal: MemoryJournal) -> None:
    """A complete file under a temporary name, then moved into place."""
    header, seq = journal.header, len(journal)
    seals = [journal._seal_at(at) for at in range(seq + 1)]
    with _trouble(path), tempfile.TemporaryDirectory(prefix=".save-", dir=path.absolute().parent) as folder:
        fresh = Path(folder) / "journal"
        db = _connect(fresh)
        try:
            db.execute(f"PRAGMA application_id={int.from_bytes(APPLICATION, 'big')}")
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("BEGIN")
            for *_, statement in _SCHEMA:
                db.execute(statement)
            _insert("header", [(1, header.body(), header.start, seals[0], seq, seals[seq])])(db)
            events = [(at, body, seals[at - 1], own) for at, (body, own) in enumerate(journal._rows, 1)]
            _insert("event", events)(db)
            shots = [(at, body, _snapshot_seal(seals[at], body)) for at, body in journal._snapshots.items()]
            _insert("snapshot", shots)(db)
            db.execute("COMMIT")
        finally:
            db.close()
        _sync(fresh)
        for side in ("-wal", "-shm"):  # a log left there by a crash would be laid over the new file
            Path(f"{path}{side}").unlink(missing_ok=True)
        os.replace(fresh, path)
        _sync(path.absolute().parent)


def _sync(path: Path) -> None:
    with contextlib.suppress(PermissionError):  # some systems do not open folders
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _set_aside(path: Path) -> None:
    number, aside = 1, Path(f"{path}.damaged")
    while aside.exists():
        number += 1
        aside = Path(f"{path}.damaged{number}")
    with _trouble(path):
        os.replace(path, aside)


def _read(path: Path) -> tuple[MemoryJournal | None, Damage | None]:
    """The sound part of a file and what is wrong with the rest; SaveProblem when it is not ours at all."""
    with _trouble(path):
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
    journal: MemoryJournal | None = None
    try:
        with contextlib.closing(_connect(path)) as db:
            journal = _read_header(path, db)
            what = _read_events(db, journal) or _read_rest(db, journal) or "its end is cut off" * short
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise SaveProblem(f"another program holds the save {path}", "close it there first") from error
        what = str(error)
    except (sqlite3.Error, ValueError, TypeError, OverflowError, MemoryError) as error:
        what = str(error) or type(error).__name__
    good = None if journal is None else len(journal)
    return journal, Damage(path, what.splitlines()[0], good) if what else None


def _read_header(path: Path, db: sqlite3.Connection) -> MemoryJournal:
    if db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall() != _SCHEMA:
        raise ValueError("its tables are not those of a journal")
    found = db.execute("SELECT body, start, own FROM header LIMIT 2").fetchall()
    if len(found) != 1 or not all(type(value) is bytes for value in found[0]):
        raise ValueError("its header is missing")
    body, start, own = found[0]
    if sha256(sha256(body).digest() + start).digest() != own:
        raise ValueError("its header does not fit its seal")
    match canon.loads(body):
        case [int(format), *_] if format != FORMAT:
            raise SaveProblem(f"the save {path} has format {format}, not {FORMAT}", "use a newer version")
        case [int(), str(rules), str(rules_hash), str(scenario), int(seed)]:
            canon.loads(start)
            header = Header(rules=rules, rules_hash=rules_hash, scenario=scenario, seed=seed, start=start)
            if header.body() == body:
                return MemoryJournal(header)
    raise ValueError("its header does not read")


def _read_events(db: sqlite3.Connection, journal: MemoryJournal) -> str:
    """Take the sound events over; what is wrong with the next one, or nothing."""
    last = journal.header.seal()
    for seq, body, previous, own in db.execute("SELECT seq, body, previous, own FROM event ORDER BY seq"):
        due = len(journal) + 1
        if seq != due:
            return f"event {due} is missing"
        if type(body) is not bytes or previous != last or own != _seal(last, seq, body):
            return f"event {seq} does not fit its seal"
        canon.loads(body)
        journal._rows.append((body, own))
        last = own
    kept, sealed = db.execute("SELECT seq, last FROM header").fetchone()
    if kept != len(journal) or sealed != last:
        return f"it ends after event {len(journal)}, and its header says after {kept}"
    return ""


def _read_rest(db: sqlite3.Connection, journal: MemoryJournal) -> str:
    """Take the fitting snapshots over and look at the file's structure."""
    for seq, body, own in db.execute("SELECT seq, body, own FROM snapshot ORDER BY seq"):
        if type(body) is bytes and 0 <= seq <= len(journal):
            if own != _snapshot_seal(journal._seal_at(seq), body):
                continue
            with contextlib.suppress(ValueError):
                canon.loads(body)
                journal._snapshots[seq] = body
    said = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    return "" if said == "ok" else said
