"""The shelf: the games that wait on disk, each a journal and a small file about it.

In:  a folder.
Out: the games in it; new ones; what was changed about one, written whole or not at all.
Reports: `Refusal` where a game is not there.

`ID.save` is the journal, the truth about the game; `ID.json` has who may sit where, readable by this user alone. Games
are named by their ids, which come from this list; a path is never asked for.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.runtime.problems import Refusal

from .links import Link, read_links

ID = re.compile(r"[a-z2-7]{12}")
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


@dataclass(slots=True)
class Card:
    """What is known of a game without opening its journal."""

    id: str
    rules: str
    scenario: str
    title: str
    players: dict[str, str]
    links: list[Link]
    seed: int = 0
    begun: float = 0.0
    save: str = ""
    """The file of a game that was begun elsewhere; "" for `ID.save`."""
    readings: dict[str, str] = field(default_factory=dict)
    state: str = ""
    """How it stood when it was last left, in words that everybody may read."""

    def plain(self) -> dict[str, Any]:
        names = ("id", "rules", "scenario", "title", "players", "seed", "begun", "save", "readings", "state")
        return {name: getattr(self, name) for name in names} | {"links": [x.plain() for x in self.links]}


class Shelf:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def path(self, card: Card) -> Path:
        return Path(card.save) if card.save else self.folder / f"{card.id}.save"

    def cards(self) -> list[Card]:
        """All games, the last one played first; a file that is none of ours is passed over."""
        found = []
        for file in self.folder.glob("*.json"):
            with contextlib.suppress(Refusal):
                found.append((file.stat().st_mtime, self.card(file.stem)))
        return [card for _, card in sorted(found, key=lambda x: (-x[0], x[1].id))]

    def card(self, id: str) -> Card:
        if not ID.fullmatch(id):
            raise Refusal("there is no such table")
        try:
            told = json.loads((self.folder / f"{id}.json").read_text(encoding="utf-8"))
            return Card(**{**told, "links": read_links(told["links"])})
        except (OSError, ValueError, TypeError, KeyError):
            raise Refusal("there is no such table") from None

    def new(
        self,
        rules: str,
        scenario: str,
        title: str,
        players: Mapping[str, str],
        links: list[Link],
        save: Path | None = None,
    ) -> Card:
        """A card for a new game, with a seed that nobody can guess."""
        id = "".join(secrets.choice(LETTERS) for _ in range(12))
        where = str(save.resolve()) if save is not None else ""
        card = Card(id, rules, scenario, title, dict(players), links, secrets.randbits(63), time.time(), where)
        self.keep(card)
        return card

    def keep(self, card: Card) -> None:
        text = json.dumps(card.plain(), indent=1, ensure_ascii=False)
        with tempfile.NamedTemporaryFile("w", dir=self.folder, delete=False, encoding="utf-8") as file:
            os.chmod(file.name, 0o600)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(file.name, self.folder / f"{card.id}.json")

    def drop(self, card: Card) -> None:
        """Take a game off the shelf; a journal from elsewhere stays where it is."""
        (self.folder / f"{card.id}.json").unlink(missing_ok=True)
        if not card.save:
            for file in self.folder.glob(f"{card.id}.save*"):
                file.unlink(missing_ok=True)


def usual_folder() -> Path:
    """Where the games of this user lie."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "rulewright" / "tables"
