"""Coverage figures for the reference pages.

In:  a file written by `rulewright coverage --format json`, or a measurement taken now, or neither.
Out: rows by case, and one sentence on where they come from and which rule set they are of.
Reports: `NoCoverage` where the file has another format.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path

from ..examples.coverage import STATUSES, Row, coverage, totals
from ..pages.html import short
from ..pipeline import Compiled
from ..read.library import find_book
from ..read.sources import split_name

MEANS = {
    "run": "struck, it makes an example of the case fail",
    "weak": "executed by examples, but none of the case fails when it is struck",
    "compiled": "compiled, and executed by no example",
    "data": "in the book as data that something reads which ran",
    "house": "made up here for what the print lacks",
    "unclear": "unclear in print; each reading is carried out",
    "untranslated": "declared as not carried out, with its reason",
    "missing": "not in the book",
}


@dataclass(frozen=True, slots=True)
class Coverage:
    told: str
    rows: dict[str, Row] = field(default_factory=dict)

    @property
    def totals(self) -> dict[str, dict[str, int]]:
        return totals(list(self.rows.values()))


@dataclass(frozen=True, slots=True)
class Printed:
    """A row of the inventory: a case of the printed book."""

    case: str
    title: str
    executable: str


class NoCoverage(Exception):
    """The file was not written by `rulewright coverage --format json`."""


def not_measured() -> Coverage:
    return Coverage("Coverage was not measured for this reference; rulewright doc BOOK --coverage does so.")


def measured(made: Compiled) -> Coverage:
    """Measure now, against the inventory of the book if it has one."""
    path = inventory_path(made)
    rows = coverage(made.name, path, made.places)
    against = "its inventory of printed cases" if path is not None else "its own cases"
    return Coverage(f"Coverage of {short(made.name)}, measured against {against}.", {r.case: r for r in rows})


def from_file(path: Path, made: Compiled) -> Coverage:
    """Figures of an earlier measurement."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        rows = [
            Row(
                **{key: str(r[key]) for key in ("case", "executable", "status", "where", "by")},
                house=tuple(map(str, r.get("house", ()))),
            )
            for r in document["rows"]
        ]
        book = str(document["book"])
    except (ValueError, KeyError, TypeError) as error:
        raise NoCoverage(f"{path}: this is no report of rulewright coverage --format json ({error})") from error
    wrong = next((r.status for r in rows if r.status not in STATUSES), None)
    if wrong is not None:
        raise NoCoverage(f'{path}: "{wrong}" is no status of a case; there are: {", ".join(STATUSES)}')
    other = "" if short(book) == short(made.name) else f", not for {short(made.name)}"
    return Coverage(f"Coverage as measured earlier for {short(book)}{other}.", {r.case: r for r in rows})


def inventory_path(made: Compiled) -> Path | None:
    source = find_book(split_name(made.name)[0])
    path = source.root / "inventory.tsv" if source is not None else None
    return path if path is not None and path.is_file() else None


def inventory(made: Compiled) -> list[Printed]:
    """The cases of the printed book, if the book has an inventory."""
    path = inventory_path(made)
    if path is None:
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Printed(r["case"], r.get("title") or "", r["executable"]) for r in rows]
