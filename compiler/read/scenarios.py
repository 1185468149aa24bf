"""Read scenarios: where units stand and which values marks have when a game starts.

In:  the lines of a scenario block; all names are known.
Out: a `Scenario`.
Reports: RW123 an unknown reading, RW132 an unknown place, RW135 a unit set up twice, RW201 an unknown sequence,
         RW213 an unknown mark, RW214 an unknown unit, RW710 a unit on a map that is not played on.
"""

from __future__ import annotations

from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose
from rulewright.runtime.program import printed_id

from ..core.entries import Entry
from ..core.maps import elsewhere
from ..core.nodes import Scenario
from .printed_values import off_map, read_value, unknown_place
from .rosters import read_names
from .schema import Line
from .symbols import Symbols


def read_scenario(entry: Entry, lines: dict[str, list[Line]], symbols: Symbols, report: Reporter) -> Scenario | None:
    """Units placed and values set when a game starts."""
    data = entry.node
    assert isinstance(data, n.Data)
    book = symbols.book
    on = scenario_map(lines, symbols, report)
    rostered = book.units if not lines.get("units") else ()
    starts = {u.name: u.start for u in rostered if u.start is not None}
    here = {u: start(at, on, symbols) for u, at in starts.items()}
    units = {u: at for u, at in here.items() if not elsewhere(book.map, on, symbols.places.get(at))}
    placed: dict[str, str] = {}
    for line in lines.get("units", []):
        for below in line.below:
            place = below.key.removeprefix("@")
            at = symbols.place(place, on)
            if not isinstance(at, int):
                unknown_place(place, symbols, below.span, report)
                continue
            where = book.places[at]
            if other := elsewhere(book.map, on, symbols.places[where]):
                off_map(place, other, on, below.span, report)
                continue
            for name, _ in read_names(below.value):
                if name not in symbols.units:
                    report.error(
                        "RW214", below.span, f'no roster has a unit "{name}"', help=choose(name, symbols.units, "units")
                    )
                elif name in placed:
                    report.error(
                        "RW135",
                        below.span,
                        f'the unit "{name}" is set up in two places: {placed[name]} and {where}',
                        help="strike it in one of them; a second counter wants a name of its own in a roster",
                    )
                else:
                    placed[name] = units[name] = where
    marks: list[tuple[str, str, Any]] = []
    for line in lines.get("set", []):
        for below in line.below:
            owner, dot, mark = below.key.rpartition(".")
            marks += scenario_mark(owner if dot else "", mark, below, symbols, report, on)
    sequence = lines["sequence"][0].value
    if sequence not in symbols.procedures:
        report.error(
            "RW201",
            lines["sequence"][0].span,
            f'unknown sequence "{sequence}"',
            help=choose(sequence, symbols.procedures, "sequences"),
        )
    return Scenario(
        name=data.name,
        title=data.title,
        case=entry.case,
        sequence=sequence,
        units={k: v for k, v in sorted(units.items(), key=lambda x: symbols.units[x[0]]) if v is not None},
        marks=tuple(sorted(marks, key=mark_order)),
        house=entry.house,
        span=data.span,
        map=on,
        margin=next((line.value for line in lines.get("margin", [])), ""),
    )


def start(at: str, on: str, symbols: Symbols) -> str:
    """Where a roster puts a unit: of hexes that maps share, the one on this map."""
    found = symbols.place(printed_id(at), on)
    return symbols.book.places[found] if isinstance(found, int) and printed_id(at) in symbols.shared else at


def scenario_map(lines: dict[str, list[Line]], symbols: Symbols, report: Reporter) -> str:
    """Of several maps, the one that a scenario names, or else the first; nothing where there is but one."""
    board = symbols.book.map
    parts = [part.name for part in board.parts] if board is not None else []
    for line in lines.get("map", []):
        known = [name.removeprefix("map ") for name in symbols.book.data_cases if name.startswith("map ")]
        if line.value not in known:
            help = choose(line.value, known, "maps")
            report.error("RW201", line.span, f'there is no map "{line.value}"', help=help)
        elif line.value in parts:
            return line.value
    return parts[0] if parts else ""


def mark_order(mark: tuple[str, str, Any]) -> tuple[str, str, str]:
    """Marks by what bears them, their name, and which of them is meant."""
    sort, name, value = mark
    return sort, name, "" if sort in ("game", "reading") else repr(value[0])


def scenario_mark(
    owner: str, mark: str, line: Line, symbols: Symbols, report: Reporter, on: str
) -> list[tuple[str, str, Any]]:
    book = symbols.book
    if mark in book.unclear:
        names = [r for r, _ in book.unclear[mark].readings]
        if line.value not in names:
            report.error(
                "RW123", line.span, f'"{line.value}" is no reading of {mark}', help="readings: " + ", ".join(names)
            )
        return [("reading", mark, line.value)]
    for (sort, name), declared in book.marks.items():
        if name == mark and (sort == "game") == (owner == ""):
            value = read_value(line.value, declared.type, line.span, symbols, report, on)
            if sort == "game":
                return [("game", mark, value)]
            keys = [read_value(x, declared.owner, line.span, symbols, report, on) for x in owner.split(",")]
            return [(sort, mark, (key, value)) for key in keys]
    report.error(
        "RW213", line.span, f'no mark "{mark}" is declared', help=choose(mark, [m for _, m in book.marks], "marks")
    )
    return []
