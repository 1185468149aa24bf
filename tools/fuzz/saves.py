"""Campaign 3: a hurt save recovers its acknowledged prefix or names the damage; a hostile one gets one clear answer."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from rulewright.compiler import load
from rulewright.compiler.cli.main import main
from rulewright.runtime import RandomPlayer, canon, journal, resume
from rulewright.runtime.game import Game
from rulewright.runtime.journal import Damage, Journal, SaveProblem

from .runner import Tally, Wrong

ROOT = Path(__file__).resolve().parents[2]
TITLE = "saves"
COUNT = 1 << 30
WHAT = """
A game of tests/books/ambush.rules, with secret choices, dice and choices taken back, is kept in its file while it is
played: forty choices stand in the end, with the snapshot in the middle. The file is cut at every byte, and every bit of
it is flipped, one at a time; each of these files is read by the code that opens every save. A save that a killed process
left behind is taken with its write-ahead log: that log, too, is cut at every byte and flipped in every bit.

A file must either open with all its events, header and first state, and the right snapshot or none; or raise one line
that names the damage, and what is kept (`repair`, tried at every fiftieth) must be the first events and nothing else.

Hostile saves are sound files with other contents: wrong tables, headers, seals, snapshots and events, huge and deep
values, SQL, names with paths in them, no file at all. They are opened, resumed, and handed to `play`, `why`, `map` and
`migrate`; each must answer with one clear line, or play the very same game. Seals find damage, not forgery: a snapshot
that was forged with care, its seal too, is taken as the position; one that has not the form of a position is not.
"""

BOOK = str(ROOT / "tests" / "books" / "ambush.rules")
EVENTS = 40
MIDDLE = 25
UNDONE = (9, 18, 30)


def run(tally: Tally, count: int) -> None:
    """All of it; with a smaller count a share of the cuts and flips, evenly spread, and all hostile saves."""
    with workplace() as folder:
        whole = sound_save(folder)
        bits = [(at, bit) for at in range(len(whole.data)) for bit in range(8)]
        inputs: list[tuple[str, int, int]] = [("cut", at, 0) for at in range(len(whole.data))]
        inputs += [("flip", at, bit) for at, bit in bits]
        step = max(1, -(-len(inputs) // max(1, count)))
        start = tally.dice("start").randrange(step)
        for i, (sort, at, bit) in enumerate(inputs):
            if i % step == start if tally.only is None else i == tally.only:
                hurt = whole.data[:at] if sort == "cut" else flipped(whole.data, at, bit)
                with tally.trial(sort, f"{i} (byte {at}, bit {bit})"):
                    said = judged(folder / "hurt.save", hurt, whole, repair=i % (50 * step) == start)
                    tally.answer(f"{sort}: {said}")
        if tally.only is None:
            crashed(tally, folder, step)
            hostile(tally, folder, 9 if tally.short else 1)
        tally.notes.append(f"The save holds {len(whole.data):,} bytes and {EVENTS} events.")


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """A folder in memory where the system has one: what is tried is reading, not the disk."""
    memory = Path("/dev/shm")
    where = str(memory) if memory.is_dir() and os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=where) as folder:
        yield Path(folder)


# ---------------------------------------------------------------- cuts and flips


@dataclass
class Whole:
    """A sound save: its bytes, and what they hold."""

    data: bytes
    header: journal.Header
    events: list[bytes]
    snapshot: tuple[int, bytes] | None


@cache
def played() -> Game:
    """The game, with its journal in memory."""
    return play(None)


def play(path: Path | None) -> Game:
    """A small game with secrets, dice, choices taken back and a snapshot; with a path its file keeps every change."""
    book = load(BOOK)
    for seed in range(100):
        game = book.new(seed=seed)
        if path is not None:
            game.journal.save_as(path)
            game.journal = Journal.open(path)
        players = {s: RandomPlayer(seed + k) for k, s in enumerate(book.program.sides)}
        undone = 0
        while not game.over and len(game.journal) < EVENTS:
            made = len(game.journal)
            if made == MIDDLE:
                game.journal.snapshot(game.state.plain())
            decision = game.decisions[0]
            game.do(players[decision.side](game, decision))
            if made == UNDONE[undone % len(UNDONE)] and undone < len(UNDONE):
                game.undo(agreed=True)
                undone += 1
        game.journal.close()
        rolled = any(line["event"] == "roll" for line in game.log)
        if len(game.journal) == EVENTS and undone == len(UNDONE) and rolled:
            return game
    raise AssertionError("no game of this book is long enough")


def sound_save(folder: Path) -> Whole:
    path = folder / "sound.save"
    kept = play(path).journal
    return Whole(path.read_bytes(), kept.header, [row[1] for row in kept._rows], kept._snapshot)


def flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def judged(path: Path, data: bytes, whole: Whole, repair: bool = False) -> str:
    """What opening these bytes comes to."""
    for name in ("-wal", "-shm"):
        Path(f"{path}{name}").unlink(missing_ok=True)
    path.write_bytes(data)
    try:
        with Journal.open(path) as log:
            hold_together(log, whole, len(whole.events))
            return "opens whole"
    except Damage as damage:
        one_line(damage)
        kept = damage.good
    except SaveProblem as problem:
        one_line(problem)
        return "not a save of ours"
    if kept is None:
        return "damage named, nothing to keep"
    hold_together(journal._read(path)[0], whole, kept)
    if repair:
        with Journal.open(path, repair=True) as log:
            hold_together(log, whole, kept)
        with Journal.open(path) as log:
            hold_together(log, whole, kept)
        for beside in path.parent.glob(path.name + ".damaged*"):
            beside.unlink()
    return "damage named, a prefix kept" if kept < len(whole.events) else "damage named, all events kept"


def hold_together(log: Journal, whole: Whole, kept: int) -> None:
    if log.header != whole.header:
        raise Wrong("another header")
    if [row[1] for row in log._rows] != whole.events[:kept]:
        raise Wrong(f"the events are not the first {kept}")
    if log._snapshot not in (None, whole.snapshot):
        raise Wrong("another snapshot")


def one_line(problem: SaveProblem) -> None:
    if not problem.message or "\n" in problem.message or not problem.help:
        raise Wrong(f"not one line with help: {problem.message!r}")


def crashed(tally: Tally, folder: Path, step: int) -> None:
    """A save with the log that a killed process left beside it: all that was acknowledged is in the main file."""
    place = folder / "crashed"
    place.mkdir()
    path = place / "a.save"
    played().journal.save_as(path)
    log = Journal.open(path)
    try:
        log.append("one more")
        assert log._db is not None
        log._db.execute("BEGIN")
        log._db.execute("DELETE FROM event")
        main_file, wal = path.read_bytes(), Path(f"{path}-wal").read_bytes()
        expected = [row[1] for row in log._rows]
    finally:
        log.close()
    cases: list[tuple[str, int, int]] = [("log cut", at, 0) for at in range(len(wal))]
    cases += [("log flip", at, bit) for at in range(len(wal)) for bit in range(8)]
    for sort, at, bit in cases[tally.dice("log").randrange(step) :: step]:
        for name in ("", "-wal", "-shm"):
            Path(f"{path}{name}").unlink(missing_ok=True)
        path.write_bytes(main_file)
        Path(f"{path}-wal").write_bytes(wal[:at] if sort == "log cut" else flipped(wal, at, bit))
        with tally.trial(sort, f"byte {at}, bit {bit}"):
            with Journal.open(path) as found:
                if [row[1] for row in found._rows] != expected:
                    raise Wrong("an acknowledged event is lost")
            tally.answer(f"{sort}: opens whole")
    tally.notes.append(f"The log beside it holds {len(wal):,} bytes.")


# ---------------------------------------------------------------- hostile saves


def hostile(tally: Tally, folder: Path, step: int) -> None:
    """Every hostile save, or each of so many, through every door."""
    program = load(BOOK).program
    right = played().digest()
    place, variant = folder / "hostile", folder / "calm.rules"
    variant.write_text(VARIANT, encoding="utf-8")
    for name, make in list(hostile_saves().items())[tally.seed % step :: step]:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        path = place / "game.save"
        make(path)
        with tally.trial("hostile save", f"{name}: open"):
            try:
                Journal.open(path).close()
                tally.answer("hostile: opens")
            except SaveProblem as problem:
                one_line(problem)
                tally.answer("hostile: refused when opened")
        for door, enter in (("resume", lambda p: resume(p, lambda _: program)), ("resume by name", resume)):
            with tally.trial("hostile save", f"{name}: {door}"):
                try:
                    game = enter(path)
                    list(zip(range(20), game.legal(), strict=False))
                    said = "the same game" if game.digest() == right else "another game"
                    if said == "another game" and not name.startswith("a snapshot"):
                        raise Wrong("it resumes as another game")
                    tally.answer(f"hostile: {said}")
                except SaveProblem as problem:
                    one_line(problem)
                    tally.answer("hostile: refused when resumed")
        for words in (
            ("play", BOOK, "--resume", str(path), "--until", "1", "--players", "random", "--quiet"),
            ("why", BOOK, str(path), "enemy(red)"),
            ("map", BOOK, "--save", str(path), "-o", str(place / "map.svg")),
            ("migrate", str(path), "--overlay", str(variant), "--book", BOOK),
        ):
            with tally.trial("hostile save", f"{name}: {words[0]}"):
                tally.answer(f"hostile: {words[0]} exits with {command(words)}")


def command(words: tuple[str, ...]) -> int:
    """Run a command in this process; its exit code, after a look at what it said."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(list(words))
        except SystemExit as end:
            code = int(end.code or 0)
    said = err.getvalue()
    if code not in (0, 1, 2) or "Traceback" in said or (code and not (said or out.getvalue())):
        raise Wrong(f"exit {code}, says {said[:200]!r}")
    return code


def rewritten(change: Callable[[sqlite3.Connection], Any]) -> Callable[[Path], None]:
    """A sound save, changed by SQL."""

    def make(path: Path) -> None:
        played().journal.save_as(path)
        db = sqlite3.connect(path)
        change(db)
        db.commit()
        db.close()

    return make


def sql(*lines: str) -> Callable[[Path], None]:
    def change(db: sqlite3.Connection) -> None:
        for line in lines:
            db.execute(line)

    return rewritten(change)


def journal_of(
    header: Callable[[journal.Header], journal.Header] = lambda h: h,
    events: Callable[[list[bytes]], list[bytes]] = lambda e: e,
    snapshot: Callable[[Any], bytes] | None = None,
    body: bytes | None = None,
) -> Callable[[Path], None]:
    """A save with other contents, its seals as they should be."""

    def make(path: Path) -> None:
        about = header(played().journal.header)
        log = Journal(about)
        if body is not None:
            seal = sha256(sha256(body).digest() + about.start).digest()
            object.__setattr__(log, "header", Forged(about, body, seal))
        for raw in events([row[1] for row in played().journal._rows]):
            seq, last = len(log) + 1, log._seal_at(len(log))
            log._rows.append((seq, raw, last, journal._seal(last, seq, raw)))
        if snapshot is not None:
            log._snapshot = (len(log), snapshot(played().state.plain()))
        log.save_as(path)

    return make


class Forged:
    """A header with a body of its own."""

    def __init__(self, about: journal.Header, body: bytes, seal: bytes) -> None:
        self.start, self._body, self._seal = about.start, body, seal

    def body(self) -> bytes:
        return self._body

    def seal(self) -> bytes:
        return self._seal


def changed(**columns: Any) -> Callable[[Any], bytes]:
    """The state of the game with some columns changed."""
    return lambda plain: canon.dumps({**plain, **columns})


def without(name: str) -> Callable[[Any], bytes]:
    return lambda plain: canon.dumps({k: v for k, v in plain.items() if k != name})


VARIANT = """variant calm of ambush "Calm":
  nature: change
  case V.1 "Mine":
    define house_rule -> flag: true
    example "it holds":
      expect house_rule
"""
DEEP = b"[" * 90 + b"]" * 90
NAMES = ("../../../etc/passwd", "/etc/passwd", "trc+../../x", "a\nb", "x" * 10_000, "'; DROP TABLE event; --", "")


def hostile_saves() -> dict[str, Callable[[Path], None]]:
    """Name, and what lays such a save at a path."""

    def directory(path: Path) -> None:
        path.mkdir()

    def symlinks(path: Path) -> None:
        path.symlink_to(path.with_name("b"))
        path.with_name("b").symlink_to(path)

    def link_to_folder(path: Path) -> None:
        path.symlink_to(path.parent)

    def sparse(path: Path) -> None:
        played().journal.save_as(path)
        os.truncate(path, journal.MAX_FILE + 4096)

    def padded(path: Path) -> None:
        played().journal.save_as(path)
        with path.open("ab") as file:
            file.write(b"\0" * 4096 * 3)

    def pipe(path: Path) -> None:
        os.mkfifo(path)

    def raw(data: bytes) -> Callable[[Path], None]:
        return lambda path: void(path.write_bytes(data))

    def foreign(path: Path) -> None:
        played().journal.save_as(path)
        Path(f"{path}-wal").mkdir()

    def other_pages(size: int, *pragmas: str) -> Callable[[Path], None]:
        def make(path: Path) -> None:
            played().journal.save_as(path)
            db = sqlite3.connect(path, isolation_level=None)
            for pragma in ("journal_mode=DELETE", f"page_size={size}", *pragmas):
                db.execute(f"PRAGMA {pragma}")
            db.execute("VACUUM")
            db.close()

        return make

    first = canon.loads(played().journal._rows[0][1])
    found: dict[str, Callable[[Path], None]] = {
        "nothing there": lambda path: None,
        "a folder": directory,
        "a circle of links": symlinks,
        "a link to a folder": link_to_folder,
        "an empty file": raw(b""),
        "noise": raw(bytes(range(256)) * 100),
        "a head and nothing": raw(b"SQLite format 3\0" + b"\0" * 52 + journal.APPLICATION),
        "a head and zeros": raw(b"SQLite format 3\0" + b"\0" * 52 + journal.APPLICATION + b"\0" * 20_000),
        "a head and ones": raw(b"SQLite format 3\0" + b"\xff" * 52 + journal.APPLICATION + b"\xff" * 20_000),
        "a gigabyte of nothing": sparse,
        "empty pages behind": padded,
        "a pipe": pipe,
        "a folder where the log goes": foreign,
        "small pages": other_pages(512),
        "large pages": other_pages(65536),
        "automatic vacuum": other_pages(4096, "auto_vacuum=1"),
        "a view for a table": sql("ALTER TABLE event RENAME TO e", "CREATE VIEW event AS SELECT * FROM e"),
        "a view that does not end": sql(
            "DROP TABLE snapshot",
            "CREATE VIEW snapshot AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) "
            "SELECT x, x, x FROM c",
        ),
        "a trigger": sql("CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END"),
        "an index": sql("CREATE INDEX i ON event (body)"),
        "one table more": sql("CREATE TABLE extra (x)"),
        "another column": sql("ALTER TABLE event ADD COLUMN x"),
        "a schema in disorder": sql(
            "PRAGMA writable_schema=ON",
            "UPDATE sqlite_master SET sql = 'CREATE TABLE event (seq); DROP TABLE header' WHERE name = 'event'",
        ),
        "no root page": sql("PRAGMA writable_schema=ON", "UPDATE sqlite_master SET rootpage = 9999"),
        "crossed root pages": sql("PRAGMA writable_schema=ON", "UPDATE sqlite_master SET rootpage = 2"),
        "text for bytes": sql("UPDATE event SET body = CAST(body AS TEXT)"),
        "numbers for bytes": sql("UPDATE event SET own = 9223372036854775807"),
        "nothing for bytes": sql("UPDATE event SET body = NULL, previous = NULL, own = NULL"),
        "a blob of 70 MB": sql("UPDATE event SET body = zeroblob(70000000) WHERE seq = 3"),
        "negative numbers": sql("UPDATE event SET seq = -seq"),
        "vast numbers": sql("UPDATE event SET seq = seq + 9223372036854775000"),
        "two headers": sql("INSERT INTO header SELECT 2, body, start, own, seq, last FROM header"),
        "no header": sql("DELETE FROM header"),
        "a header that says text": sql("UPDATE header SET seq = 'many', last = 'none'"),
        "a header of SQL": sql("UPDATE header SET body = '''; DROP TABLE event; --'"),
        "many snapshots": sql(
            "WITH RECURSIVE c(x) AS (SELECT 100 UNION ALL SELECT x+1 FROM c WHERE x < 5000) "
            "INSERT INTO snapshot SELECT x, zeroblob(10), zeroblob(32) FROM c"
        ),
        "another rule set": journal_of(lambda h: replace(h, rules="ambush", rules_hash="00" * 32)),
        "no such scenario": journal_of(lambda h: replace(h, scenario="nowhere\n'; --")),
        "a vast seed": journal_of(lambda h: replace(h, seed=10**4000)),
        "a negative seed": journal_of(lambda h: replace(h, seed=-1)),
        "a format of the future": journal_of(body=canon.dumps([99, "x", "", "", 0])),
        "a format beyond numbers": journal_of(body=canon.dumps([10**4000, "x", "", "", 0])),
        "a short header": journal_of(body=canon.dumps([1, "x"])),
        "a header of lists": journal_of(body=canon.dumps([1, ["x"], {"a": 1}, None, 0])),
        "a header of one number": journal_of(body=b"1"),
        "a deep header": journal_of(body=b"[" * 5000),
        "a first state of one number": journal_of(lambda h: replace(h, start=b"7")),
        "a first state of a list": journal_of(lambda h: replace(h, start=b"[]")),
        "an empty first state": journal_of(lambda h: replace(h, start=b"{}")),
        "readings that are a list": journal_of(lambda h: replace(h, start=b'{"readings":[1,2]}')),
        "readings unheard of": journal_of(lambda h: replace(h, start=b'{"readings":{"a":"b"}}')),
        "readings of numbers": journal_of(lambda h: replace(h, start=b'{"readings":{"a":{"b":1}}}')),
        "a first state that does not read": journal_of(lambda h: replace(h, start=b"\xff")),
        "an event that is a number": journal_of(events=lambda e: [b"7", *e]),
        "an event that is text": journal_of(events=lambda e: [b'"red: done"', *e]),
        "an event that is deep": journal_of(events=lambda e: [*e, DEEP]),
        "an event that is too deep": journal_of(events=lambda e: [*e, b"[" * 5000]),
        "an event with floats": journal_of(events=lambda e: [*e, b"[1.5]"]),
        "an event twice": journal_of(events=lambda e: [e[0], *e]),
        "events the other way round": journal_of(events=lambda e: e[::-1]),
        "an event left out": journal_of(events=lambda e: e[1:]),
        "an event of a stranger": journal_of(events=lambda e: [canon.dumps([first[0], "nobody", first[2], first[3]])]),
        "an event of vast numbers": journal_of(events=lambda e: [canon.dumps([10**4000, *first[1:]])]),
        "an event with a vast value": journal_of(events=lambda e: [canon.dumps([*first[:3], [["x", 10**4000]]])]),
        "an event with more": journal_of(events=lambda e: [canon.dumps([*first[:3], [*first[3], ["@draft", 0]]])]),
        "an event with keys that are no text": journal_of(events=lambda e: [canon.dumps([*first[:3], [[1, 2]]])]),
        "an event of 10,000 arguments": journal_of(
            events=lambda e: [canon.dumps([*first[:3], [[f"a{k}", k] for k in range(10_000)]])]
        ),
        "10,000 events": journal_of(events=lambda e: e * 250),
        "a snapshot that is a number": journal_of(snapshot=lambda plain: b"7"),
        "a snapshot that is a list": journal_of(snapshot=lambda plain: b"[1,2,3]"),
        "a snapshot that is empty": journal_of(snapshot=lambda plain: b"{}"),
        "a snapshot without units": journal_of(snapshot=changed(at=[])),
        "a snapshot with units off the map": journal_of(snapshot=changed(at=[10**9] * 50)),
        "a snapshot with units of text": journal_of(snapshot=changed(at=["A1"] * 50)),
        "a snapshot with a stack of noise": journal_of(snapshot=changed(stack=[[["x"], 9, 7]])),
        "a snapshot with no such procedure": journal_of(snapshot=changed(stack=[["no such", 0, {}]])),
        "a snapshot with a block beyond": journal_of(
            snapshot=lambda plain: canon.dumps({**plain, "stack": beyond(plain["stack"])})
        ),
        "a snapshot with decisions of noise": journal_of(snapshot=changed(pending=[1, 2])),
        "a snapshot with no such decision": journal_of(
            snapshot=changed(pending=[{"id": 1, "side": "x", "sort": "ask", "ref": 10**6, "frame": 99, "case": ""}])
        ),
        "a snapshot with dice of noise": journal_of(snapshot=changed(dice=[])),
        "a snapshot with phases of numbers": journal_of(snapshot=changed(phases=7)),
        "a snapshot with readings of numbers": journal_of(snapshot=changed(readings=7)),
        "a snapshot with drafts of noise": journal_of(snapshot=changed(drafts=[[7]])),
        "a snapshot with a queue of noise": journal_of(snapshot=changed(queue=[7, "x"])),
        "a snapshot that is over": journal_of(snapshot=changed(over=7)),
        "a snapshot with sides of numbers": journal_of(snapshot=changed(unit_side=[1, 2])),
    }
    for k, name in enumerate(NAMES):
        found[f"a rule set named {k}"] = journal_of(lambda h, name=name: replace(h, rules=name))
    for name in played().state.plain():
        found[f"a snapshot without {name}"] = journal_of(snapshot=without(name))
        found[f"a snapshot with a number for {name}"] = journal_of(snapshot=changed(**{name: 10**9}))
        found[f"a snapshot with a list for {name}"] = journal_of(snapshot=changed(**{name: [["x"], {"y": 1}, None]}))
    return found


def beyond(stack: list[Any]) -> list[Any]:
    return [[name, 10**6, local] for name, _, local in stack]


def void(_: object) -> None:
    return None
