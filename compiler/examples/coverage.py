"""Coverage: how much of a printed rulebook really runs.

In:  a compiled book, its examples, and the inventory of the printed cases.
Out: for each row of the inventory one of run, weak, compiled, data, unclear, untranslated, missing.

`run` is measured, not claimed: code under the case was executed while examples ran, and at least one
mutant of it makes an example fail.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.runtime.problems import Refusal

from ..core import nodes as c
from ..core.entries import Entry
from ..loader import Loaded
from ..pipeline import Compiled
from .executed_lines import Line, LineTracer
from .mutants import Mutant, mutants_of
from .run import Functions, Runner, load_functions

STATUSES = ("run", "weak", "compiled", "data", "unclear", "untranslated", "missing")
DATA = (n.Kind, n.Scale, n.Record, n.Field, n.Data, n.Box, n.Table)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    case: str
    executable: str
    status: str
    where: str
    by: str


@dataclass(slots=True)
class Seen:
    """What the examples executed: for each example the lines, and for each line the examples."""

    lines: list[set[Line]] = field(default_factory=list)

    def examples(self, lines: Iterable[Line]) -> list[int]:
        wanted = set(lines)
        return [i for i, seen in enumerate(self.lines) if seen & wanted]


def coverage(
    made: Compiled,
    loaded: Loaded,
    inventory: Path | None,
    full: bool = False,
    chapters: frozenset[str] = frozenset(),
    most: int = 6,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> list[Row]:
    """A row for each row of the inventory, or for each case of the book when there is none; of some chapters only."""
    assert made.book is not None and made.entries is not None
    rows = read_inventory(inventory) if inventory is not None else [(case, "rule") for case in made.book.cases]
    if chapters:
        rows = [(case, executable) for case, executable in rows if chapter(case) in chapters]
    measured = Measured(made, loaded, full, most)
    found: list[Row] = []
    for case, executable in rows:
        found.append(measured.row(case, executable))
        told(len(found), len(rows))
    return found


def read_inventory(path: Path) -> list[tuple[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        if not {"case", "executable"} <= {*(reader.fieldnames or ())}:
            raise Refusal(f"{path} is no inventory: its first line must name the columns case and executable")
        return [(row["case"] or "", row["executable"] or "") for row in reader]


def chapter(case: str) -> str:
    """The chapter that a case stands in: 13 for 13.3/AE."""
    return case.split("/")[0].split(".")[0]


FEW = 12


class Measured:
    def __init__(self, made: Compiled, loaded: Loaded, full: bool, most: int) -> None:
        assert made.book is not None and made.entries is not None
        self.book: c.Book = made.book
        self.entries: list[Entry] = made.entries
        self.loaded = loaded
        self.full = full
        self.most = most
        self.functions: list[Functions] = load_functions(self.book, loaded.program, self.book.examples)
        self.passing: list[bool] = []
        self.seen = self._execute()
        self.executed = set().union(*self.seen.lines) if self.seen.lines else set()
        self.by_case: dict[str, list[tuple[Line, int]]] = {}
        for module, line, case, _, rules_line, _ in loaded.source_lines():
            self.by_case.setdefault(case, []).append(((module, line), rules_line))
        self.claims = self._claims()
        self.killed: dict[str, str] = {}
        self.sharp: set[int] = set()

    # ------------------------------------------------------------ running

    def _execute(self) -> Seen:
        seen = Seen()
        tracer = LineTracer(self.loaded.folder)
        for i, example in enumerate(self.book.examples):
            with tracer:
                outcome = Runner(self.book, self.loaded.program, self.functions[i]).run(example)
            self.passing.append(outcome.passed)
            seen.lines.append(tracer.lines)
        return seen

    def _holds(self, i: int) -> bool:
        example = self.book.examples[i]
        try:
            return Runner(self.book, self.loaded.program, self.functions[i]).run(example).passed
        except Exception:
            return False

    # ------------------------------------------------------------ who carries a case

    def _claims(self) -> dict[str, list[Entry]]:
        """The declarations under a case, or covering it from elsewhere."""
        found: dict[str, list[Entry]] = {}
        for e in self.entries:
            if isinstance(e.node, n.Untranslated | n.Unclear | n.Note):
                continue
            for case in (e.case, *e.covers):
                found.setdefault(case, []).append(e)
        return found

    def _lines(self, entry: Entry) -> list[Line]:
        """The generated lines that come from one declaration."""
        span = entry.node.span
        low, high = span.line, span.end_line
        return [line for line, rules_line in self.by_case.get(entry.case, ()) if low <= rules_line <= high]

    # ------------------------------------------------------------ judging

    def row(self, case: str, executable: str) -> Row:
        claims = self.claims.get(case, [])
        rules = [e for e in claims if not isinstance(e.node, (n.Example, *DATA))]
        data = [e for e in claims if isinstance(e.node, DATA)]
        examples = [e for e in claims if isinstance(e.node, n.Example)]
        where = next((str(e.node.span) for e in [*rules, *data, *examples]), "")
        if case in self.book.untranslated and not claims:
            return Row(
                case=case, executable=executable, status="untranslated", where=where, by=self.book.untranslated[case]
            )
        doubt = next((u for u in self.book.unclear.values() if u.case == case), None)
        best = self._judge(rules, data, examples)
        if best[0] in ("missing", "compiled") and doubt is not None:
            return Row(case=case, executable=executable, status="unclear", where=str(doubt.span), by=doubt.text)
        return Row(case=case, executable=executable, status=best[0], where=where, by=best[1])

    def _judge(self, rules: list[Entry], data: list[Entry], examples: list[Entry]) -> tuple[str, str]:
        found: list[tuple[str, str]] = []
        for e in rules:
            found.append(self._rule(e))
            if found[-1][0] == "run":
                return found[-1]
        for e in data:
            found.append(self._data(e))
            if found[-1][0] == "run":
                return found[-1]
        for e in examples:
            i = next((k for k, x in enumerate(self.book.examples) if x.span == e.node.span), None)
            if i is not None and self.passing[i]:
                status = "run" if self._is_sharp(i) else "weak"
                found.append((status, f"example: {self.book.examples[i].title}"))
        order = {s: k for k, s in enumerate(STATUSES)}
        return min(found, key=lambda f: order[f[0]], default=("missing", ""))

    def _rule(self, e: Entry) -> tuple[str, str]:
        lines = self._lines(e)
        hit = [x for x in lines if x in self.executed]
        if not lines:
            return self._quiet(e)
        if not hit:
            return ("compiled", "")
        examples = self._nearest(e, hit)
        mutants = mutants_of(self.loaded, hit, e, self.book)
        tried = 0
        for mutant in mutants:
            if not self.full and tried >= self.most * 4:
                break
            tried += 1
            killer = self._kill(mutant, examples)
            if killer is not None:
                self.sharp.add(killer)
                return ("run", f"{mutant.what} fails: {self.book.examples[killer].title}")
        return ("weak", f"{tried} mutants unnoticed")

    def _nearest(self, e: Entry, lines: list[Line]) -> list[int]:
        """The examples that run these lines: those of the same case first, then the shortest; all when asked."""
        found = [i for i in self.seen.examples(lines) if self.passing[i]]
        mine = {e.case, *e.covers}

        def far(i: int) -> tuple[bool, bool, int]:
            x = self.book.examples[i]
            return x.case not in mine, chapter(x.case) != chapter(e.case), len(self.seen.lines[i])

        found.sort(key=far)
        return found if self.full else found[:FEW]

    def _quiet(self, e: Entry) -> tuple[str, str]:
        """A declaration without code of its own: a mark or invariant, judged by who reads it."""
        node = e.node
        if isinstance(node, n.Mark):
            column = f"{'place' if node.owner in ('hex', 'point') else node.owner}_{node.name}"
            used = [x for x in self._naming(column) if x in self.executed]
            if not used:
                return ("compiled", "")
            examples = self._nearest(e, used)
            for mutant in mutants_of(self.loaded, used, e, self.book):
                killer = self._kill(mutant, examples)
                if killer is not None:
                    self.sharp.add(killer)
                    return ("run", f"{mutant.what} fails: {self.book.examples[killer].title}")
            return ("weak", "")
        return ("missing", "") if isinstance(node, n.Covers) else ("compiled", "")

    def _naming(self, word: str) -> Iterator[Line]:
        """The lines of the chapters that name a column."""
        for path in sorted(self.loaded.folder.glob("chapter_*.py")):
            for i, text in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                if word in text:
                    yield path.stem, i

    def _data(self, e: Entry) -> tuple[str, str]:
        if isinstance(e.node, n.Table):
            return self._rule(e)
        return ("data", type(e.node).__name__.lower())

    def _is_sharp(self, i: int) -> bool:
        """Whether some mutant makes this example fail."""
        if i in self.sharp:
            return True
        lines = sorted(self.seen.lines[i])
        for mutant in mutants_of(self.loaded, lines, None, self.book):
            if self._kill(mutant, [i]) is not None:
                self.sharp.add(i)
                return True
        return False

    def _kill(self, mutant: Mutant, examples: list[int]) -> int | None:
        with mutant:
            for i in examples:
                if not self._holds(i):
                    return i
        return None


def totals(rows: list[Row]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        counts = found.setdefault(row.executable, dict.fromkeys(STATUSES, 0))
        counts[row.status] += 1
    return found


def as_json(book: str, rows: list[Row]) -> str:
    document: dict[str, Any] = {
        "book": book,
        "rows": [
            {"case": r.case, "executable": r.executable, "status": r.status, "where": r.where, "by": r.by} for r in rows
        ],
        "totals": totals(rows),
    }
    return json.dumps(document, indent=1, ensure_ascii=False)
