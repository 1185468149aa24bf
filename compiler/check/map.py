"""Check what a map prints: every field of it is declared, and every value is one that the field can have.

In:  the lines of map blocks, when fields, kinds and scales are known, and the overlays that lie beside the book.
Out: nothing.
Reports: RW123 a value that the field cannot have, RW706 a field that no case declares, RW707 lines without a use.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, did_you_mean
from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core.entries import Entry
from ..core.types import Type
from ..read.map_blocks import NOTATION
from ..read.printed_values import ANY, read_value
from ..read.symbols import Symbols
from .checked_expressions import layers_named

PRINTABLE = ("flag", "number", "ratio", "text")


def check_maps(entries: list[Entry], symbols: Symbols, overlays: Mapping[str, n.Overlay], report: Reporter) -> None:
    """Report the lines of maps that would print something nobody can ask about, whatever option is in force."""
    for entry in entries:
        if isinstance(entry.node, n.Data) and entry.node.kind == "map":
            report.case = entry.case
            check_map(entry.node, symbols, overlays, report)
    report.case = ""


def check_map(data: n.Data, symbols: Symbols, overlays: Mapping[str, n.Overlay], report: Reporter) -> None:
    fields = symbols.book.fields
    for raw in data.lines:
        word, _, rest = raw.text.partition(":")[0].strip().partition(" ")
        rest = rest.strip()
        if word == "sides":
            owner, name, value = "hexside", rest, ""
        elif word not in NOTATION and word.isidentifier() and " " not in rest:
            owner, name, value = "place", word, rest
        else:
            continue
        if (owner, name) in fields or not any(declares(o, owner, name) for o in overlays.values()):
            check_field(name, owner, value, raw.span, symbols, report)


def declares(overlay: n.Overlay, owner: str, name: str) -> bool:
    """Whether the overlay, where it is in force, declares this field."""
    found = (x for case in overlay.body if isinstance(case, n.Case) for x in case.body if isinstance(x, n.Field))
    return any(name in x.names and (x.owner == "hexside") == (owner == "hexside") for x in found)


def check_field(name: str, owner: str, value: str, span: Span, symbols: Symbols, report: Reporter) -> None:
    """One line: the field that it names, and the value that it gives."""
    what = "hexside" if owner == "hexside" else "hex"
    field = symbols.book.fields.get((owner, name))
    if field is None:
        known = [x for o, x in symbols.book.fields if o == owner]
        words = known if owner == "hexside" else [*known, *NOTATION]
        declare = f"declare it: field {name} of {what}: {'KIND' if value else 'flag'}"
        report.error(
            "RW706",
            span,
            f'the map prints "{name}", but a {what} has no such field',
            help=did_you_mean(name, words) or declare,
        )
    elif not value and field.type.name != "flag":
        report.error("RW123", span, f'"{name}" is a {field.type}: which one?', help=f"write {name} VALUE: A1, A2")
    elif value and (field.type.name == "flag" or not printable(field.type)):
        told = "is a yes or no" if field.type.name == "flag" else f"is a {field.type}, which a map cannot print"
        report.error("RW123", span, f'"{name}" {told}', help=f"write {name}: A1, A2 where it holds")
    elif value:
        read_value(value, field.type, span, symbols, report, ANY)


def printable(type: Type) -> bool:
    return type.sort in ("kind", "scale") or type.name in PRINTABLE


def check_lines(entries: list[Entry], book: c.Book, exprs: list[c.Expr], report: Reporter) -> None:
    """Warn of lines that no route runs over and no rule asks about: most likely a layer is misspelt.

    On a map of points every line joins neighbours, and has its use.
    """
    if book.map is None or not book.map.grid.sheets:
        return
    used = {name for r in book.routes.values() for name in r.layers} | {name for _, name in book.fields}
    used |= layers_named(exprs)
    told: set[str] = set()
    for entry in entries:
        if not isinstance(entry.node, n.Data) or entry.node.kind != "map":
            continue
        for raw in entry.node.lines:
            words = raw.text.partition(":")[0].split()
            if words[:1] != ["lines"] or len(words) < 2 or words[1] in used | told:
                continue
            told.add(words[1])
            report.warning(
                "RW707",
                raw.span,
                f'no route runs over the lines "{words[1]}", and no rule asks about them',
                help=did_you_mean(words[1], used) or f"write over: {words[1]} in a route, or strike them",
                case=entry.case,
            )
