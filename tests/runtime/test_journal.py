"""Journals: what is written comes back, and hurt files say so."""

import random
import shutil
import sqlite3
import subprocess
import sys

import pytest

import rulewright
from rulewright.runtime import canon, journal
from rulewright.runtime.files import holding
from rulewright.runtime.journal import Damage, Header, Journal, SaveProblem

EVENTS = [{"side": "blue", "choice": ("move", k, [k, k + 1])} for k in range(12)]


def header(**changes) -> Header:
    told = {"rules": "trc+26.9", "rules_hash": "ab" * 32, "scenario": "first", "seed": 7}
    return Header(**{**told, "start": canon.dumps({"turn": 1}), **changes})


def in_file(path, about: Header) -> Journal:
    """A journal in a file of its own."""
    Journal(about).save_as(path)
    return Journal.open(path)


@pytest.fixture(params=["memory", "file"])
def log(request, tmp_path):
    in_memory = request.param == "memory"
    with Journal(header()) if in_memory else in_file(tmp_path / "a.save", header()) as made:
        yield made


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> bytes:
    """The bytes of a small closed save: twelve events and a snapshot."""
    path = tmp_path_factory.mktemp("saved") / "game.save"
    with in_file(path, header()) as log:
        for event in EVENTS[:6]:
            log.append(event)
        log.snapshot({"turn": 2})
        for event in EVENTS[6:]:
            log.append(event)
    assert [p.name for p in path.parent.iterdir()] == ["game.save"]
    return path.read_bytes()


def test_events_come_back_in_order(log):
    seals = [log.append(event) for event in EVENTS]
    assert list(log.events()) == EVENTS
    assert len(set(seals)) == len(log) == 12
    assert log.head == seals[-1]


def test_a_truncated_journal_goes_on_from_there(log):
    seals = [log.append(event) for event in EVENTS]
    log.truncate(5)
    assert log.head == seals[4]
    assert list(log.events()) == EVENTS[:5]
    assert log.append(EVENTS[5]) == seals[5]
    with pytest.raises(ValueError, match="after event 9"):
        log.truncate(9)


def test_the_latest_snapshot_is_found(log):
    assert log.latest() == (0, {"turn": 1})
    for event in EVENTS[:4]:
        log.append(event)
    log.snapshot("four")
    for event in EVENTS[4:]:
        log.append(event)
    assert log.latest() == (4, "four")
    log.truncate(6)
    assert log.latest() == (4, "four")
    log.snapshot("six")
    assert log.latest() == (6, "six")
    log.truncate(3)
    assert log.latest() == (0, {"turn": 1})


def test_an_event_that_is_not_plain_data_changes_nothing(log):
    log.append(1)
    with pytest.raises(ValueError, match="not plain data"):
        log.append([2, object()])
    assert list(log.events()) == [1]
    log.append(3)
    assert list(log.events()) == [1, 3]


def test_a_saved_copy_is_the_same_journal(log, tmp_path):
    for event in EVENTS:
        log.append(event)
    log.snapshot({"turn": 3})
    copy = tmp_path / "copy.save"
    copy.write_bytes(b"something older")
    (tmp_path / "copy.save-wal").write_bytes(b"a log that a crash left")
    log.save_as(copy)
    with Journal.open(copy) as other:
        assert other.header == log.header
        assert other.head == log.head
        assert other.latest() == (12, {"turn": 3})
        assert list(other.events()) == EVENTS
        other.save_as(copy)
        other.append("more")
    assert not list(tmp_path.glob(".save-*"))


def test_both_kinds_give_the_same_seals(tmp_path):
    memory = Journal(header())
    with in_file(tmp_path / "a", header()) as file:
        assert [memory.append(e) for e in EVENTS] == [file.append(e) for e in EVENTS]
    assert Journal(header(seed=8)).append(EVENTS[0]) != memory.head


def test_two_writers_do_not_mix(tmp_path):
    path = tmp_path / "a"
    with in_file(path, header()) as one:
        with pytest.raises(SaveProblem, match="is open in another program"):
            Journal.open(path)
        with pytest.raises(SaveProblem, match="is open in another program"):
            Journal(header(seed=8)).save_as(path)
        one.append(1)
        assert list(Journal.read(path).events()) == [1], "reading is free"
        one.append(2)
    with Journal.open(path) as log:
        assert list(log.events()) == [1, 2]


def test_where_the_system_has_no_locks_a_foreign_change_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(holding, "fcntl", None)
    path = tmp_path / "a"
    with in_file(path, header()) as one, Journal.open(path) as two:
        one.append(1)
        with pytest.raises(SaveProblem, match="another program"):
            two.append(2)
    with Journal.open(path) as log:
        assert list(log.events()) == [1]


def test_a_lazy_journal_writes_several_at_once_and_all_when_it_must(tmp_path, monkeypatch):
    path = tmp_path / "a"
    now = [0.0]
    monkeypatch.setattr(journal.time, "monotonic", lambda: now[0])
    log = Journal(header())
    log.lazy = True
    log.append(0)
    now[0] = 100.0
    log.keep_in(path)
    log.append(1)
    for k in (2, 3):
        log.append(k)
    assert list(Journal.read(path).events()) == [0, 1]
    now[0] += journal.LATEST
    log.append(4)
    assert list(Journal.read(path).events()) == [0, 1, 2, 3, 4]
    log.append(5)
    log.truncate(5)
    assert list(Journal.read(path).events()) == [0, 1, 2, 3, 4]
    log.append(6)
    log.snapshot("six")
    assert list(Journal.read(path).events()) == [0, 1, 2, 3, 4, 6]
    log.append(7)
    log.flush()
    assert list(Journal.read(path).events()) == [0, 1, 2, 3, 4, 6, 7]
    log.append(8)
    log.close()
    assert list(Journal.read(path).events()) == list(log.events()) == [0, 1, 2, 3, 4, 6, 7, 8]


@pytest.mark.parametrize("lazy", [False, True])
def test_a_full_disk_leaves_what_was_acknowledged(tmp_path, lazy):
    path = tmp_path / "a"
    log = in_file(path, header())
    log.lazy = lazy
    log.append("small")
    log.flush()
    log._db.execute("PRAGMA max_page_count=8")
    log._written = 0.0
    with pytest.raises(SaveProblem, match="full"):
        log.append("x" * 100_000)
    assert list(log.events()) == ["small"] == list(Journal.read(path).events())
    log._db.execute("PRAGMA max_page_count=8000")
    log._written = 0.0
    log.append("y" * 100_000)
    log.close()
    assert len(Journal.read(path)) == 2


class Interrupted:
    """A connection that is interrupted right after a commit, or before it."""

    def __init__(self, db, after: bool) -> None:
        self.db, self.after = db, after

    def __getattr__(self, name):
        return getattr(self.db, name)

    def __enter__(self):
        return self.db.__enter__()

    def __exit__(self, *problem):
        if self.after:
            self.db.__exit__(*problem)
            raise KeyboardInterrupt
        self.db.rollback()
        raise KeyboardInterrupt


@pytest.mark.parametrize("after", [False, True])
def test_an_interrupted_commit_is_whole_or_not_made(tmp_path, after):
    path = tmp_path / "a"
    log = in_file(path, header())
    log.append(1)
    db = log._db
    log._db = Interrupted(db, after)
    with pytest.raises(KeyboardInterrupt):
        log.append(2)
    log._db = db
    assert list(log.events()) == list(Journal.read(path).events()) == ([1, 2] if after else [1])
    log.append(3)
    log.close()
    assert list(Journal.read(path).events()) == ([1, 2, 3] if after else [1, 3])


def test_an_acknowledged_event_survives_a_killed_process(tmp_path):
    path = tmp_path / "a"
    program = (
        "import os, sys\n"
        "from rulewright.runtime.journal import Header, Journal\n"
        "header = Header(rules='x', rules_hash='', scenario='', seed=1, start=b'1')\n"
        "Journal(header).save_as(sys.argv[1])\n"
        "log = Journal.open(sys.argv[1])\n"
        "for k in range(20): log.append(k)\n"
        "log._db.execute('BEGIN'); log._db.execute('DELETE FROM event')\n"
        "os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(path)]).returncode == 9
    left = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    assert "a-wal" in left
    with Journal.open(path) as log:
        assert list(log.events()) == list(range(20))
    # The write-ahead log holds nothing of its own: cut, flipped or gone, the events are all there.
    rnd = random.Random(1)
    wal = left["a-wal"]
    hurt = [wal[:at] for at in (0, 1, 31, 32, 40, 56, len(wal) // 2, len(wal) - 1)]
    for _ in range(60):
        at = rnd.randrange(len(wal))
        hurt.append(wal[:at] + bytes([wal[at] ^ 1 << rnd.randrange(8)]) + wal[at + 1 :])
    for count, log_bytes in enumerate(hurt):
        folder = tmp_path / f"case{count}"
        folder.mkdir()
        (folder / "a").write_bytes(left["a"])
        (folder / "a-wal").write_bytes(log_bytes)
        with Journal.open(folder / "a") as log:
            assert list(log.events()) == list(range(20))
        shutil.rmtree(folder)


def outcome(path, data: bytes) -> Exception | None:
    """Open these bytes; whole and right, or a SaveProblem, and nothing in between."""
    path.write_bytes(data)
    try:
        with Journal.open(path) as log:
            assert list(log.events()) == EVENTS
            assert log.header == header()
            assert log.latest() in ((6, {"turn": 2}), (0, {"turn": 1}))
    except SaveProblem as problem:
        assert "\n" not in problem.message and problem.help
        return problem
    return None


def test_a_cut_file_is_named(saved, tmp_path):
    cuts = {*range(0, 120, 3), *range(0, len(saved), 97), *range(4096, len(saved), 4096), len(saved) - 1}
    for cut in sorted(cuts):
        assert outcome(tmp_path / "cut", saved[:cut]) is not None, cut


def test_a_flipped_bit_is_named_or_harmless(saved, tmp_path):
    rnd = random.Random(5)
    used = [at for at, byte in enumerate(saved) if byte]
    flips = [(at, bit) for at in range(100) for bit in (0, 3, 7)]
    flips += [(rnd.choice(used), rnd.randrange(8)) for _ in range(700)]
    flips += [(rnd.randrange(len(saved)), rnd.randrange(8)) for _ in range(200)]
    named = 0
    for at, bit in flips:
        hurt = bytearray(saved)
        hurt[at] ^= 1 << bit
        named += isinstance(outcome(tmp_path / "flip", bytes(hurt)), Damage)
    assert named > 400


def test_a_flipped_event_is_named_by_its_number_and_the_events_before_it_can_be_kept(saved, tmp_path):
    path = tmp_path / "a"
    body = canon.dumps(EVENTS[8])
    assert saved.count(body) == 1
    path.write_bytes(saved.replace(body, body.replace(b"blue", b"glue")))
    with pytest.raises(Damage, match="event 9 does not fit its seal") as caught:
        Journal.open(path)
    assert caught.value.good == 8
    with Journal.open(path, repair=True) as log:
        assert list(log.events()) == EVENTS[:8]
        log.append("on we go")
    assert (tmp_path / "a.damaged").exists()
    with Journal.open(path) as log:
        assert len(log) == 9


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DELETE FROM event WHERE seq = 4", "event 4 is missing"),
        ("DELETE FROM event WHERE seq = 12", "ends after event 11"),
        ("UPDATE header SET seq = 11", "header says after 11"),
        ("UPDATE event SET body = 'text' WHERE seq = 3", "event 3"),
        ("UPDATE header SET start = x'30'", "header"),
        ("DELETE FROM header", "header"),
        ("CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END", "tables"),
        ("DROP TABLE snapshot", "tables"),
    ],
)
def test_a_changed_row_is_named(saved, tmp_path, change, said):
    path = tmp_path / "a"
    path.write_bytes(saved)
    db = sqlite3.connect(path)
    db.execute(change)
    db.commit()
    db.close()
    with pytest.raises(Damage, match=said):
        Journal.open(path)


def test_a_snapshot_that_does_not_fit_is_passed_over(saved, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(saved.replace(b'{"turn":2}', b'{"turn":9}'))
    with Journal.open(path) as log:
        assert log.latest() == (0, {"turn": 1})


def test_a_foreign_file_gets_one_clear_line_and_stays_as_it_was(tmp_path):
    other = tmp_path / "other.db"
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE event (seq, body)")
    db.commit()
    db.close()
    foreign = {"empty": b"", "text": b"hello\n" * 50, "short": b"SQLite format 3\0", "db": other.read_bytes()}
    for name, data in foreign.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SaveProblem, match="not a saved game"):
            Journal.open(tmp_path / name, repair=True)
        assert (tmp_path / name).read_bytes() == data
    for gone in (tmp_path / "gone", tmp_path):
        with pytest.raises(SaveProblem, match="there is no save"):
            Journal.open(gone)
    with pytest.raises(SaveProblem, match="cannot be used"):
        Journal(header()).save_as(tmp_path / "no" / "folder")


@pytest.mark.parametrize(
    ("version", "by"), [("7.3.1", "Rulewright 7.3.1"), ("\x1b[31m", "a newer Rulewright"), ("9" * 50, "a newer Rulewright")]
)
def test_a_newer_format_is_refused_with_the_remedy_and_not_taken_for_damage(tmp_path, version, by):
    Journal(header(format=99, version=version)).save_as(tmp_path / "a")
    with pytest.raises(SaveProblem) as caught:
        Journal.open(tmp_path / "a")
    assert not isinstance(caught.value, Damage)
    assert caught.value.message == f"the save {tmp_path / 'a'} was written by {by}, in format 99"
    assert caught.value.help.startswith("install that version")


def test_a_save_names_the_version_that_wrote_it(tmp_path):
    Journal(header()).save_as(tmp_path / "a")
    with Journal.open(tmp_path / "a") as opened:
        assert opened.header.version == rulewright.__version__ and opened.header.format == journal.FORMAT


@pytest.mark.parametrize("version", ["1 2", "\x1b[31m", "9" * 50])
def test_a_version_that_is_none_is_damage(tmp_path, version):
    Journal(header(version=version)).save_as(tmp_path / "a")
    with pytest.raises(Damage, match="its header does not read"):
        Journal.open(tmp_path / "a")


def test_a_hostile_event_is_refused_when_opening(tmp_path):
    log = Journal(header())
    body = b"[" * 5000
    seal = log.header.seal()
    log._rows.append((1, body, seal, journal._seal(seal, 1, body)))
    log.save_as(tmp_path / "a")
    with pytest.raises(Damage, match="nested too deeply"):
        Journal.open(tmp_path / "a")
