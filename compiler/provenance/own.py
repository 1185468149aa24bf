"""An owner's file: house values written out, to be edited to the print, as an overlay that replaces them.

In:  the entries of a rule set, the names of house values, and rows of a spreadsheet where there is one.
Out: the text of an overlay of the nature `printed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same
from rulewright.dsl.format import format_text
from rulewright.dsl.print import declaration

from ..core.entries import Entry
from ..core.house_values import sort_of
from .sheets import ROSTER, Fields, NoSheet, Row, chart_rows, counter_rows, with_chart, with_counters

GROUPS = {"charts": "table", "counters": "roster", "map": "map"}
"""Words for all house values of a sort."""


def replaceable(entries: Iterable[Entry]) -> dict[str, Entry]:
    """The house values that an owner's file can replace, by name."""
    found: dict[str, Entry] = {}
    for entry in entries:
        if entry.house and entry.name and isinstance(entry.node, n.Table | n.Data | n.Define | n.Scale | n.Kind):
            found.setdefault(entry.name, entry)
    return found


def chosen(known: dict[str, Entry], names: Sequence[str]) -> tuple[list[Entry], list[str]]:
    """The values that names or words for groups mean, and the names that mean none."""
    found: dict[str, Entry] = {}
    lost: list[str] = []
    for name in names:
        sort = GROUPS.get(name, "")
        group = {key: e for key, e in known.items() if sort and sort_of(e.node) == sort}
        one = {name: known[name]} if name in known else {}
        found |= one or group
        lost += [] if one or group else [name]
    return list(found.values()), lost


def owners_file(name: str, book: str, entries: Sequence[Entry], edited: dict[str, n.Decl] | None = None) -> str:
    """The overlay `name` with the values as they are, marked house still; those edited are printed."""
    edited = edited or {}
    needs = list(dict.fromkeys(e.overlay for e in entries if e.overlay))
    out = [
        "# Values of your own copy of the game, in the place of house values.",
        *(
            ["# Edit each to the print, and strike the word `house` in front of it when it is done."]
            if any(e.name not in edited for e in entries)
            else []
        ),
        f'variant {name} of {book} "Printed values of my own copy":',
        "  nature: printed",
        "  source: my copy of the game",
        *([f"  requires: {', '.join(needs)}", f"  after: {', '.join(needs)}"] if needs else []),
    ]
    last = ("", "")
    for entry in entries:
        if (entry.case, entry.title) != last:
            last = (entry.case, entry.title)
            out.append(f"  case {entry.case}{f' {chr(34)}{entry.title}{chr(34)}' if entry.title else ''}:")
        node = edited.get(entry.name, n.House(decl=entry.node, span=entry.node.span))
        out += [f"    replace {entry.case} {entry.name}:", *(f"      {line}" for line in declaration(node))]
    return format_text("\n".join(out) + "\n")


# ---------------------------------------------------------------- spreadsheets


def sheet_of(entries: Sequence[Entry], fields: Fields) -> list[Row]:
    """One chart, or any number of rosters, as the rows of a spreadsheet."""
    nodes = [e.node for e in entries]
    rosters = [x for x in nodes if isinstance(x, n.Data) and x.kind == "roster"]
    if len(nodes) == 1 and isinstance(nodes[0], n.Table):
        return chart_rows(nodes[0])
    if rosters and len(rosters) == len(nodes):
        return counter_rows(rosters, fields)
    raise NoSheet("a spreadsheet holds one chart, or counters", "name one chart, one or more rosters, or `counters`")


def from_sheet(entries: Sequence[Entry], rows: list[Row], fields: Fields) -> dict[str, n.Decl]:
    """The same values as a spreadsheet has them, by name."""
    sheet_of(entries, fields)
    rows = [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        raise NoSheet("the sheet is empty", "give it a head row and at least one row")
    first = entries[0].node
    if isinstance(first, n.Table):
        return {first.name: with_chart(first, rows)}
    head, *body = rows
    known = {e.name: e.node for e in entries}
    if ROSTER not in head and len(entries) > 1:
        raise NoSheet('the sheet has no column "roster"', "write one with -o FILE.csv, and fill that in")
    at = head.index(ROSTER) if ROSTER in head else -1
    groups: dict[str, list[Row]] = {}
    for row in body:
        groups.setdefault(row[at] if at >= 0 else entries[0].name, []).append(row)
    lost = [name for name in groups if name not in known]
    if lost:
        raise NoSheet(f'the sheet has counters of a roster "{lost[0]}"', "its rosters: " + ", ".join(known))
    gone = [name for name in known if name not in groups]
    if gone:
        raise NoSheet(f"the sheet has no counter of the roster {gone[0]}", "name only the rosters that the sheet holds")
    found: dict[str, n.Decl] = {}
    for name, mine in groups.items():
        roster = known[name]
        assert isinstance(roster, n.Data)
        found[name] = with_counters(roster, head, mine)
    return found


def differing(before: n.Decl, after: n.Decl, fields: Fields) -> tuple[int, int, str]:
    """How many cells or counters of a value are others than before, of how many, and what they are."""
    if isinstance(before, n.Table) and isinstance(after, n.Table):
        old, new = chart_rows(before), chart_rows(after)
        pairs = [(x, y) for a, b in zip(old, new, strict=False) for x, y in zip(a, b, strict=False)]
        size = sum(map(len, new))
        return sum(x != y for x, y in pairs) + size - len(pairs), size, "cells"
    if isinstance(before, n.Data) and isinstance(after, n.Data) and before.kind == "roster":
        was = {
            row[1]: dict(zip(rows[0], row, strict=True))
            for rows in [counter_rows([before], fields)]
            for row in rows[1:]
        }
        now = {
            row[1]: dict(zip(rows[0], row, strict=True)) for rows in [counter_rows([after], fields)] for row in rows[1:]
        }
        kept = {name for name, given in now.items() if filled(given) == filled(was.get(name, {}))}
        return len(now) - len(kept), len(now), "counters"
    return int(not same(before, after)), 1, "declarations"


def filled(given: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in given.items() if value}
