"""Games that are kept in a file, so that a playtest can be stopped, gone on with, added to and compared.

In:  a file, a stage, games as they end.
Out: the games that were played before; a document of all that a file holds.
Reports: `Refusal` of a file that is something else.

A game is known by all that it rests on: the rules by their hash, the scenario, the players by name and hash on each
side, the seed, and the version of Rulewright. Each is written down as it ends (SQLite, write-ahead log, synced):
whatever ends the program, what was kept stays whole, and no game is played twice.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import rulewright
from rulewright.runtime.problems import Refusal

from ..examples.executed_statements import stamp
from ..pages.html import short
from .records import Played, Task
from .stage import Stage

APPLICATION = 0x52574754
"""What marks a file of this kind."""
TABLES = """
CREATE TABLE rules(id INTEGER PRIMARY KEY, about TEXT NOT NULL UNIQUE);
CREATE TABLE game(
  rules INTEGER NOT NULL REFERENCES rules, players TEXT NOT NULL, seed INTEGER NOT NULL, told TEXT NOT NULL,
  PRIMARY KEY (rules, players, seed)
) WITHOUT ROWID;
"""


class Kept:
    """A file of games."""

    def __init__(self, path: Path) -> None:
        self.path = path
        new = not path.exists() or not path.stat().st_size
        try:
            self.base = sqlite3.connect(path, timeout=60, isolation_level=None)
            if new:
                self.base.execute("PRAGMA journal_mode=WAL")
                self.base.execute(f"PRAGMA application_id={APPLICATION}")
                self.base.executescript(f"BEGIN IMMEDIATE;{TABLES.replace('TABLE ', 'TABLE IF NOT EXISTS ')}COMMIT;")
            elif self.base.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
                raise Refusal(f"{path} holds no playtests")
            self.base.execute("PRAGMA synchronous=FULL")
        except sqlite3.Error as error:
            raise Refusal(f"{path} cannot be used to keep playtests: {error}") from error

    def of(self, stage: Stage) -> KeptGames:
        """The games of a stage."""
        return KeptGames(self, stage)

    def close(self) -> None:
        self.base.close()

    def rules(self, about: str) -> int:
        self.base.execute("INSERT OR IGNORE INTO rules(about) VALUES (?)", (about,))
        found: int = self.base.execute("SELECT id FROM rules WHERE about = ?", (about,)).fetchone()[0]
        return found

    def groups(self) -> Iterator[tuple[dict[str, str], tuple[str, ...], list[Played]]]:
        """All games, by rules and by who played them, in the order in which they were begun."""
        rows = self.base.execute(
            "SELECT rules.id, about, players FROM rules JOIN game ON game.rules = rules.id GROUP BY rules.id, players"
        ).fetchall()
        for rules, about, players in rows:
            told = self.base.execute(
                "SELECT told FROM game WHERE rules = ? AND players = ? ORDER BY seed", (rules, players)
            )
            yield json.loads(about), tuple(json.loads(players)), [Played.read(text) for (text,) in told]


class KeptGames:
    """The games of one stage in a file."""

    def __init__(self, kept: Kept, stage: Stage) -> None:
        self.kept, self.stage = kept, stage
        self.rules = kept.rules(plain_json(rests_on(stage)))

    def players(self, task: Task) -> str:
        seats = zip(self.stage.sides, task.seats, strict=True)
        return plain_json([str(self.stage.contestants[i].seats[side]) for side, i in seats])

    def find(self, task: Task) -> Played | None:
        found = self.kept.base.execute(
            "SELECT told FROM game WHERE rules = ? AND players = ? AND seed = ?",
            (self.rules, self.players(task), task.seed),
        ).fetchone()
        return replace(Played.read(found[0]), seats=task.seats) if found is not None else None

    def keep(self, played: Played) -> None:
        task = Task(played.seed, played.seats)
        self.kept.base.execute(
            "INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?)",
            (self.rules, self.players(task), played.seed, played.text()),
        )


def rests_on(stage: Stage) -> dict[str, str]:
    """All that a game rests on besides its players and its seed."""
    return {
        "book": short(stage.loaded.name),
        "rules": stage.loaded.program.rules_hash,
        "scenario": stage.scenario,
        "sides": "/".join(stage.sides),
        "until": str(stage.setting.until),
        "cases": "yes" if stage.setting.cases else "no",
        "version": f"{rulewright.__version__} ({stamp()[:12]})",  # and a hash of our own code
    }


def plain_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
