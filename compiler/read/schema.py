"""Check data blocks against Cerberus schemas.

In:  data blocks as raw lines (`kind name:` and `key: value`).
Out: for each block its lines by key, known to be of the shape that its schema states.
Reports: RW120 unknown kind of data, RW121 unknown key, RW122 missing key, RW123 value of the wrong form.

A new kind of data is a schema here, and a reader of its values elsewhere; never a change of the grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, did_you_mean
from rulewright.dsl.source import Span

from ..cache.incremental import Memory
from ..cache.passed_checks import Clean
from ..core.entries import Entry

MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
DATE = rf"(?:[0-9]{{1,2}} )?(?:{MONTHS})(?:/(?:{MONTHS}))?(?: I{{1,2}})? [0-9]{{4}}"
A_DATE = "a date is written Jun 1941, Jun II 1941, May/Jun 1941 or 3 Jun 1941"
DAYS_OF_MONTH = r"days [1-9][0-9]?(, *[1-9][0-9]?)*"
ONE = {"type": "list", "minlength": 1, "maxlength": 1}

SCHEMAS: dict[str, dict[str, Any]] = {
    "calendar": {
        "from": {**ONE, "required": True, "schema": {"type": "string", "regex": DATE}},
        "to": {**ONE, "required": True, "schema": {"type": "string", "regex": DATE}},
        "step": {
            **ONE,
            "required": True,
            "schema": {"type": "string", "regex": rf"(half month|[1-9][0-9]? (day|days|month|months)|{DAYS_OF_MONTH})"},
        },
        "joined": {**ONE, "schema": {"type": "string", "regex": rf"({MONTHS})/({MONTHS})(, *({MONTHS})/({MONTHS}))*"}},
    },
    "roster": {"form": {**ONE, "required": True, "schema": {"type": "string", "minlength": 1}}},
    "scenario": {
        "sequence": {**ONE, "required": True, "schema": {"type": "string", "regex": "[A-Za-z_][A-Za-z0-9_]*"}},
        "units": {**ONE, "schema": {"type": "string", "maxlength": 0}},
        "set": {**ONE, "schema": {"type": "string", "maxlength": 0}},
        "map": {**ONE, "schema": {"type": "string", "regex": "[A-Za-z_][A-Za-z0-9_]*"}},
        "margin": {**ONE, "schema": {"type": "string", "regex": r"(side\.)?[A-Za-z_][A-Za-z0-9_]*"}},
        "default": {**ONE, "schema": {"type": "string", "allowed": ["yes"]}},
    },
    "words": {},
    "shown": {},
    "veiled": {},
    "style": {},
    "map": {
        "grid": {"type": "list", "maxlength": 1, "schema": {"type": "string"}},
        "default": {**ONE, "schema": {"type": "string", "allowed": ["yes"]}},
        "shares ids with": {**ONE, "schema": {"type": "string", "regex": "[A-Za-z_][A-Za-z0-9_]*"}},
    },
}
OPEN = {"roster", "map", "words", "shown", "veiled", "style"}
FORMS = {
    "from": A_DATE,
    "to": A_DATE,
    "step": "a step is half month, 1 month, 2 months, a number of days such as 7 days, or the days of each month "
    "such as days 1, 11, 21",
    "joined": "months that share a turn are written Jan/Feb, Mar/Apr",
    "form": "name the fields in the order in which a line gives them, such as strength-movement arm",
    "sequence": "name a sequence of the book",
    "units": "leave the rest of the line empty, and give each place a line below it: A1: Red 1, Red 2",
    "set": "leave the rest of the line empty, and give each mark a line below it: Red 1.moved: yes",
    "map": "name a map of the book",
    "shares ids with": "name the map of the book whose ids and names mean the same hexes in print",
    "margin": "name a number of a side: a definition of one side, or a mark, as side.points",
    "default": "write default: yes in the scenario that is played, or the map that is played on, where none is named",
    "nature": "its nature is correction, clarification, change, ruling, reversed ruling, option, expansion,"
    " variant or printed",
    "date": "a date is a day that there is, written 1 Apr 1976, Apr 1976, 1976, 1976-04 or 1976-04-01",
    **dict.fromkeys(("source", "title"), "say it in a few words"),
    **dict.fromkeys(("includes", "requires", "excludes", "supersedes", "after"), "name overlays, with commas between"),
    "priority": "write a number",
    "grid": "write the grid on one line, such as rows A..E, columns from the west",
}
"""What each key of a block holds, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One `key: value` line, with the lines below it."""

    key: str
    value: str
    span: Span
    below: tuple[Line, ...]


Checked = tuple[Entry, n.Data, dict[str, list[Line]]]
"""A data block that is of its shape, with its lines by key."""


def schema(entries: list[Entry], report: Reporter, memory: Memory | None = None) -> list[Checked]:
    """The data blocks that are as their schemas want them."""
    memory = memory or Memory()
    room = memory.room("schema")
    checked: list[Checked] = []
    for entry in entries:
        if isinstance(entry.node, n.Data):
            report.case = entry.case
            lines = room.work((entry,), partial(shaped, entry.node, report, memory.clean), report)
            if lines is not None:
                checked.append((entry, entry.node, lines))
    report.case = ""
    return checked


def shaped(data: n.Data, report: Reporter, clean: Clean | None = None) -> dict[str, list[Line]] | None:
    """The lines of a data block by key, or None when its shape is wrong."""
    if data.kind not in SCHEMAS:
        report.error(
            "RW120",
            data.span,
            f'"{data.kind}" is no kind of data',
            help=did_you_mean(data.kind, [*SCHEMAS, *KEYWORDS]) or "kinds of data: " + ", ".join(SCHEMAS),
        )
        return None
    return data_lines(data.kind, data.name, data.lines, SCHEMAS[data.kind], data.span, report, clean)


def data_lines(
    kind: str,
    name: str,
    raws: tuple[n.RawLine, ...],
    shape: dict[str, Any],
    span: Span,
    report: Reporter,
    clean: Clean | None = None,
) -> dict[str, list[Line]] | None:
    """Lines by key, known to be of the shape, or None when they are not."""
    lines: dict[str, list[Line]] = {}
    for raw in raws:
        line = read_line(raw)
        lines.setdefault(line.key, []).append(line)
    document = {key: [x.value for x in found] for key, found in lines.items()}
    if clean is not None and clean.passed("schema", kind, document):
        return lines
    from cerberus import Validator

    validator = Validator(shape, allow_unknown=kind in OPEN)
    if validator.validate(document):
        if clean is not None:
            clean.note("schema", kind, document)
        return lines
    for key, problems in sorted(validator.errors.items()):
        where = lines[key][0].span if key in lines else span
        known = list(shape)
        if "required field" in problems:
            report.error("RW122", span, f'the {kind} {name} lacks "{key}"', help=f"add a line {key}: …")
        elif "unknown field" in problems:
            report.error(
                "RW121",
                where,
                f'a {kind} has no "{key}"',
                help=did_you_mean(str(key), known) or "its keys: " + ", ".join(known),
            )
        else:
            report.error("RW123", where, f'"{key}" of {kind} {name} does not have the right form', help=FORMS[str(key)])
    return None


KEYWORDS = ("define", "except", "gather", "remember", "procedure", "sequence", "action", "route", "matching", "table")


def read_line(raw: n.RawLine) -> Line:
    key, colon, value = raw.text.partition(":")
    below = tuple(read_line(x) for x in raw.below)
    if not colon:
        return Line(key=raw.text.strip(), value="", span=raw.span, below=below)
    return Line(key=key.strip(), value=value.strip(), span=raw.span, below=below)
