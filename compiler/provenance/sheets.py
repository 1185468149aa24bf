"""Charts and counter sheets as spreadsheets.

In:  a table or rosters of a book; or the rows of a CSV file.
Out: rows of cells; or the same declaration with the rows in the place of its own.

A chart keeps its shape: the head row and the rows as they are drawn. Counters have one row each: the roster, the name,
where it begins, and a column for each field that a counter of the sheet has. A field that all counters of a roster
share becomes one line of the roster again; an empty cell says nothing of a field.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rulewright.dsl import nodes as n

from ..read.rosters import read_names
from ..read.schema import read_line

Row = list[str]
Fields = frozenset[str]
SLOT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ROSTER, NAME, AT = "roster", "name", "at"


class NoSheet(Exception):
    """A sheet that cannot be read, with what to do about it."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message, self.help = message, help


# ---------------------------------------------------------------- charts


def chart_rows(table: n.Table) -> list[Row]:
    """The rows of a table as they are drawn."""
    return [cells(line.text) for line in table.lines if line.text.startswith("|")]


def with_chart(table: n.Table, rows: Sequence[Row]) -> n.Table:
    """The table with other rows; what else it says, such as its clamps, stays."""
    wide = max((len(row) for row in rows), default=0)
    for number, row in enumerate(rows, 1):
        if len(row) != wide or any("|" in cell or "\n" in cell for cell in row):
            raise NoSheet(
                f"row {number} of the sheet has {len(row)} cells, another has {wide}"
                if len(row) != wide
                else f"row {number} of the sheet has a bar or a line break in a cell",
                "give every row as many cells as the head row, with plain values in them",
            )
    model = table.lines[0]
    drawn = [replace(model, text=f"| {' | '.join(row)} |", below=()) for row in rows]
    kept = [line for line in table.lines if not line.text.startswith("|")]
    return replace(table, lines=(*drawn, *kept))


def cells(text: str) -> Row:
    return [cell.strip() for cell in text.strip()[1:-1].split("|")]


# ---------------------------------------------------------------- counters


def counter_rows(rosters: Sequence[n.Data], fields: Fields) -> list[Row]:
    """A head row, then one row a counter."""
    counters = [(roster.name, *one) for roster in rosters for one in counters_of(roster, fields)]
    columns = list(dict.fromkeys(key for *_, given in counters for key in given))
    head = [ROSTER, NAME, AT, *columns]
    return [
        head,
        *([roster, name, at, *(given.get(key, "") for key in columns)] for roster, name, at, given in counters),
    ]


def counters_of(roster: n.Data, fields: Fields) -> list[tuple[str, str, dict[str, str]]]:
    """The counters of a roster: name, where it begins, and its fields as text; `fields` are those that units have."""
    lines = [read_line(raw) for raw in roster.lines]
    form = form_of(roster)
    shape = re.compile(pattern(form) + r"\Z")
    found = []
    shared: dict[str, str] = {}
    for line in lines:
        if line.key == "form":
            continue
        match = shape.match(line.key)
        if line.key in fields or match is None:
            shared[line.key] = line.value
            continue
        given = {**match.groupdict(), **{x.key: x.value for x in line.below}}
        found += [(name, start or "", given) for name, start in read_names(line.value)]
    return [(name, at, {**given, **{k: v for k, v in shared.items() if k not in given}}) for name, at, given in found]


def with_counters(roster: n.Data, head: Row, rows: Sequence[Row]) -> n.Data:
    """The roster with the counters of a sheet, in its own form."""
    form = form_of(roster)
    slots = SLOT.findall(form)
    missing = [slot for slot in (NAME, *slots) if slot not in head]
    if missing:
        raise NoSheet(f'the sheet has no column "{missing[0]}"', f"roster {roster.name} has the form {form}")
    counters = [dict(zip(head, row, strict=False)) for row in rows]
    others = [key for key in head if key not in (ROSTER, NAME, AT, *slots)]
    shared = {key: counters[0].get(key, "") for key in others if len({c.get(key, "") for c in counters}) == 1}
    model = roster.lines[0]
    lines = [replace(model, text=f"form: {form}", below=())]
    lines += [replace(model, text=f"{key}: {value}", below=()) for key, value in shared.items() if value]
    for key, below, names in grouped(form, slots, counters, [key for key in others if key not in shared]):
        under = tuple(replace(model, text=x, below=()) for x in below)
        lines.append(replace(model, text=f"{key}: {', '.join(names)}", below=under))
    return replace(roster, lines=tuple(lines))


def grouped(
    form: str, slots: list[str], counters: Sequence[dict[str, str]], others: list[str]
) -> list[tuple[str, tuple[str, ...], list[str]]]:
    """Counters that print the same share a line: its form filled in, the lines below it, the names."""
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for number, counter in enumerate(counters, 2):
        name = counter[NAME]
        empty = [slot for slot in slots if not counter.get(slot)]
        if not name or empty or any(mark in name for mark in ',:@"\n'):
            what = f'has no "{empty[0]}"' if empty else "has no name" if not name else f'is called "{name}"'
            raise NoSheet(
                f"a counter of the sheet {what} (row {number} of its roster)",
                "every counter has a name without commas, colons and quotes, and a value for each field of the form",
            )
        filled = "".join(counter.get(part, part) for part in re.split(f"({SLOT.pattern})", form))
        below = tuple(f"{key}: {counter[key]}" for key in others if counter.get(key))
        at = counter.get(AT, "").removeprefix("@")
        found.setdefault((filled, below), []).append(f"{name} @{at}" if at else name)
    return [(key, below, names) for (key, below), names in found.items()]


def form_of(roster: n.Data) -> str:
    return next(line.value for line in map(read_line, roster.lines) if line.key == "form")


def pattern(form: str) -> str:
    """The form as a pattern with a group for each field."""
    marks = list(SLOT.finditer(form))
    found = re.escape(form[: marks[0].start()])
    for i, mark in enumerate(marks):
        end = marks[i + 1].start() if i + 1 < len(marks) else len(form)
        found += f"(?P<{mark[0]}>.+?)" + re.escape(form[mark.end() : end])
    return found.replace(r"\ ", r"\s+")
