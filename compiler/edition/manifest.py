"""The manifest of an edition: what it says, case by case, for a program to read.

In:  an edition; or the folder of one that was written before.
Out: JSON text, the same bytes for the same edition; the texts by case again.
Reports: `NoEdition`, a folder that holds no edition or one that cannot be read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from .parts import Edition

FILE = "edition.json"
FORMAT = 1


class NoEdition(Exception):
    """A folder without an edition in it."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier edition: its name and date, and by case its title and texts."""

    rules: str
    date: str
    cases: dict[str, tuple[str, tuple[str, ...]]]

    @property
    def named(self) -> str:
        return f"{self.rules}, {self.date}" if self.date and self.date not in self.rules else self.rules


def manifest(edition: Edition) -> str:
    """The manifest of an edition as JSON."""
    found = {
        "format": FORMAT,
        "rules": edition.rules,
        "title": edition.title,
        "date": edition.date,
        "digest": edition.digest,
        "rulewright": edition.version,
        "cases": {
            case.id: {
                "title": case.title,
                "texts": list(case.texts),
                "history": [[e.date, e.what, e.by] for e in case.history],
            }
            for case in edition.cases().values()
        },
    }
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def as_earlier(edition: Edition) -> Earlier:
    """An edition as one to compare with, without writing it."""
    return Earlier(edition.rules, edition.date, {x.id: (x.title, x.texts) for x in edition.cases().values()})


def read_manifest(folder: Path) -> Earlier:
    """The edition in a folder."""
    path = folder / FILE if folder.is_dir() else folder
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["format"] != FORMAT:
            raise NoEdition(f"{path} has format {found['format']}, and this version reads {FORMAT}: write it again")
        cases = {
            str(id): (str(case["title"]), tuple(str(x) for x in case["texts"])) for id, case in found["cases"].items()
        }
        return Earlier(str(found["rules"]), str(found["date"]), cases)
    except OSError as error:
        raise NoEdition(f"{folder} holds no edition: there is no {FILE} in it") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NoEdition(f"{path} cannot be read as the manifest of an edition") from error
