"""Read data blocks into the core, each kind by its reader.

In:  data entries whose shape the schemas have checked.
Out: the book's calendar, map, places, units, words and style; the scenarios still unread, since they may name anything.
Reports: RW703 a second calendar or a second map of a name, and what the readers find.
"""

from __future__ import annotations

from functools import partial

from rulewright.dsl.diagnostics import Reporter

from ..cache.incremental import Memory
from ..core.entries import Entry
from .calendars import read_calendar
from .places import add_places, read_board
from .rosters import read_by_rosters, read_rosters
from .schema import Checked, Line
from .several_maps import Read, join_maps
from .styles import read_styles
from .symbols import Symbols
from .wordings import read_shown, read_veiled, read_words


def read_data(
    checked: list[Checked], entries: list[Entry], symbols: Symbols, report: Reporter, memory: Memory | None = None
) -> list[tuple[Entry, dict[str, list[Line]]]]:
    """Calendars, maps, boxes and rosters; returns the scenarios, to be read when all names are known."""
    room = (memory or Memory()).room("data")
    held: dict[str, Entry] = {}
    maps: list[Read] = []
    for entry, data, lines in checked:
        report.case = entry.case
        one = {"map": f"map {data.name}", "calendar": "calendar"}.get(data.kind)
        if one is not None and held.setdefault(one, entry) is not entry:
            report.error(
                "RW703",
                data.span,
                f"a book has one {one}; case {held[one].case} has it already",
                help=f"strike one of the two, or let an overlay replace {held[one].case}",
            )
        symbols.book.data_cases[f"{data.kind} {data.name}"] = (entry.case, *entry.covers)
        if data.kind == "calendar":
            symbols.book.calendar = read_calendar(lines, entry, report)
        elif data.kind == "map":
            board = room.work(("map", entry), partial(read_board, data, entry, report), report)
            maps.append((entry, data, lines, board))
        elif data.kind == "words":
            symbols.book.words += read_words(data, entry, report)
        elif data.kind == "shown":
            symbols.book.shown += read_shown(data, entry, report)
        elif data.kind == "veiled":
            symbols.book.veils += read_veiled(data, entry, report)
        elif data.kind == "style":
            symbols.book.styles += read_styles(data, entry, report)
    symbols.book.map = join_maps(maps, report)
    add_places(entries, symbols, report)
    rosters = [(entry, lines) for entry, data, lines in checked if data.kind == "roster"]
    listed = (memory or Memory()).room("rosters", read_by_rosters(symbols))
    parts = tuple((entry.case, str(entry.house), entry.node) for entry, _ in rosters)
    symbols.book.units = listed.work(parts, partial(read_rosters, rosters, symbols, report), report)
    symbols.units.update({unit.name: i for i, unit in enumerate(symbols.book.units)})
    report.case = ""
    return [(entry, lines) for entry, data, lines in checked if data.kind == "scenario"]
