"""Coverage: how much of a printed rulebook is executed and tested.

In:  a rule set, its examples, and the inventory of the printed cases.
Out: for each row of the inventory one of run, weak, compiled, data, house, unclear, untranslated, missing.

`run` is measured by mutation, not claimed: removing the rule of a row makes an example of that row fail (evidence.py).
Results are cached: the whole report by the text of the rule set, and each row by everything that it depends on.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.cache import cache_directory, read_sealed, write_sealed
from rulewright.runtime.problems import Refusal

from ..core import nodes as c
from ..core.case_marks import chapter
from ..loader import NotCompiled, build
from ..overlay.stack import with_required
from ..pipeline import analyse
from .evidence import Evidence
from .executed_statements import stamp
from .parallel import parallel_map
from .trial import ready

STATUSES = ("run", "weak", "compiled", "data", "house", "unclear", "untranslated", "missing")
Told = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the inventory: `house` are the house values that its rules depend on."""

    case: str
    executable: str
    status: str
    where: str
    by: str
    house: tuple[str, ...] = ()
    rule_set: str = ""


def coverage(
    name: str,
    inventory: Path | None = None,
    places: tuple[Path, ...] = (),
    chapters: frozenset[str] = frozenset(),
    overlays: bool = False,
    jobs: int = 0,
    told: Told = lambda *_: None,
) -> list[Row]:
    """A row for each row of the inventory, or for each case of the rule set where there is none.

    With `overlays` each overlay of the book is stacked in turn, and a row gets the best status found.
    """
    listed = None if inventory is None else read_inventory(inventory)
    digest, _ = build(name, places, folded=False)
    words = (digest, stamp(), name, listed, sorted(chapters), overlays)
    path = cache_directory() / "coverage" / f"{hashlib.sha256(repr(words).encode()).hexdigest()[:32]}.json"
    known = read_rows(path)
    if known is not None:
        return known
    found = measured(name, listed, places, chapters, jobs, told)
    if overlays:
        found = with_overlays(name, found, places, jobs, told)
    write_sealed(path, json.dumps([asdict(row) for row in found], ensure_ascii=False).encode())
    return found


def measured(
    name: str,
    listed: list[tuple[str, str]] | None,
    places: tuple[Path, ...],
    chapters: frozenset[str],
    jobs: int,
    told: Told,
    only: Callable[[c.Example], bool] = lambda _: True,
) -> list[Row]:
    """The rows of one rule set."""
    evidence = Evidence(ready(name, places, told, only))
    rows = [(case, "rule") for case in evidence.book.cases] if listed is None else listed
    rows = [row for row in rows if not chapters or chapter(row[0]) in chapters]
    store = Remembered(name)
    found: list[Row] = []
    judged = parallel_map(lambda row: evidence.row(*row, store.known), rows, jobs)
    for (case, executable), (one, key) in zip(rows, judged, strict=True):
        if key:
            store.keep(key, one.by if one.status == "run" else "")
        found.append(
            Row(case=case, executable=executable, status=one.status, where=one.where, by=one.by, house=one.house)
        )
        told("cases", len(found), len(rows))
    store.write()
    return found


def with_overlays(name: str, rows: list[Row], places: tuple[Path, ...], jobs: int, told: Told) -> list[Row]:
    """Rows that an overlay of the book implements, measured under that overlay by its examples."""
    best = {row.case: row for row in rows}
    order = {status: i for i, status in enumerate(STATUSES)}
    known = analyse(name, places).overlays
    tasks = [("+".join((name, *with_required(known, one))), one, rows, places) for one in sorted(known)]
    for done, found in enumerate(parallel_map(under_overlay, tasks, jobs), 1):
        for row in found:
            if order[row.status] < order[best[row.case].status]:
                best[row.case] = row
        told("overlays", done, len(tasks))
    return [best[row.case] for row in rows]


def under_overlay(task: tuple[str, str, list[Row], tuple[Path, ...]]) -> list[Row]:
    """The rows that one overlay implements and the book alone does not prove."""
    stacked, overlay, rows, places = task
    made = analyse(stacked, places)
    if made.report.failed or made.entries is None:
        raise NotCompiled(stacked, made.report.found)
    own = [e for e in made.entries if e.overlay == overlay]
    cases = {case for e in own for case in (e.case, *e.covers)}
    wanted = [(row.case, row.executable) for row in rows if row.case in cases and row.status != "run"]
    if not wanted:
        return []
    spans = {e.node.span for e in own if isinstance(e.node, n.Example)}
    found = measured(stacked, wanted, places, frozenset(), 1, lambda *_: None, lambda x: x.span in spans)
    return [replace(row, rule_set=stacked) for row in found]


def row_fields(row: Row) -> dict[str, Any]:
    return {key: getattr(row, key) for key in ("case", "executable", "status", "where", "by", "house", "rule_set")}


# ---------------------------------------------------------------- between runs


class Remembered:
    """The cache of earlier proofs, by the hash of everything they depend on; of a rule set only the last run."""

    def __init__(self, name: str) -> None:
        digest = hashlib.sha256(name.encode()).hexdigest()[:32]
        self.path = cache_directory() / "coverage" / f"{digest}.strikes.json"
        try:
            found = json.loads(read_sealed(self.path) or b"")
            self.known = {str(key): str(value) for key, value in found.items()}
        except (ValueError, AttributeError):
            self.known = {}

    def keep(self, key: str, noticed: str) -> None:
        self.known[key] = noticed

    def write(self) -> None:
        write_sealed(self.path, json.dumps(dict(list(self.known.items())[-MOST:]), ensure_ascii=False).encode())


MOST = 20_000


def read_rows(path: Path) -> list[Row] | None:
    try:
        document = json.loads(read_sealed(path) or b"")
        return [Row(**{**row, "house": tuple(row["house"])}) for row in document]
    except (ValueError, TypeError, KeyError):
        return None


# ---------------------------------------------------------------- inventory and report


def read_inventory(path: Path) -> list[tuple[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        if not {"case", "executable"} <= {*(reader.fieldnames or ())}:
            raise Refusal(f"{path} is no inventory: its first line must name the columns case and executable")
        return [(row["case"] or "", row["executable"] or "") for row in reader]


def totals(rows: list[Row]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        counts = found.setdefault(row.executable, dict.fromkeys(STATUSES, 0))
        counts[row.status] += 1
    return found


def as_json(book: str, rows: list[Row]) -> str:
    document: dict[str, Any] = {
        "book": book,
        "rows": [{**row_fields(r), "house": list(r.house)} for r in rows],
        "totals": totals(rows),
    }
    return json.dumps(document, indent=1, ensure_ascii=False)
