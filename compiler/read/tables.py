"""Read tables drawn as tables.

In:  the raw rows of a table, its parameters and the type of its cells.
Out: a mapping from keys to cells.
Reports: RW310 a gap, RW311 an overlap, RW312 a malformed row or key.

With one parameter a row is `| key | value |`. With more, the leading columns hold the keys of all
parameters but the last, whose keys head the other columns; or every parameter has a column and the
last column holds the value. A key is a value, a range `3-5`, an open range `6+`, a list `a, b`, or `*`.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose
from rulewright.dsl.source import Origin, Span

from ..core.nodes import Param
from ..core.types import FLAG, MONTH, NUMBER, TURN, Type
from .printed_values import read_value
from .symbols import Symbols

Cells = dict[tuple[Any, ...], Any]
ALL = "*"
MOST_KEYS = 1000


def read_table(
    node: n.Table, params: tuple[Param, ...], type: Type, symbols: Symbols, report: Reporter
) -> tuple[Cells, dict[str, tuple[int, int]]]:
    """The cells by key, and the clamps by parameter."""
    clamps: dict[str, tuple[int, int]] = {}
    rows: list[tuple[list[str], Span]] = []
    for raw in node.lines:
        clamp = re.fullmatch(r"clamp\s+(\w+)\s+to\s+(-?\d+)\s*\.\.\s*(-?\d+)", raw.text)
        if clamp is not None:
            if clamp[1] not in [p.name for p in params]:
                report.error(
                    "RW312",
                    raw.span,
                    f'the table has no parameter "{clamp[1]}" to clamp',
                    help=choose(clamp[1], [p.name for p in params], "parameters"),
                )
            low, high = int(clamp[2]), int(clamp[3])
            if not 0 <= high - low <= MOST_KEYS:
                report.error(
                    "RW312",
                    raw.span,
                    f"{low}..{high} is no range of keys",
                    help=f"give the lower number first, and at most {MOST_KEYS} keys",
                )
                continue
            clamps[clamp[1]] = (low, high)
        elif raw.text.startswith("|") and raw.text.endswith("|"):
            rows.append(([c.strip() for c in raw.text[1:-1].split("|")], raw.span))
        else:
            report.error("RW312", raw.span, "a row of a table stands between bars", help="write | key | value |")
    if len(rows) < 2 or not params:
        report.error("RW312", node.span, "a table has a head row and at least one row", help="draw it between bars")
        return {}, clamps
    head, *body = rows
    lead = len(params) - 1
    last = params[-1]
    crossed = lead > 0 and len(head[0]) > lead and all(is_key(c, last.type, symbols) for c in head[0][lead:])
    cells: Cells = {}
    wild: Cells = {}
    for texts, span in body:
        if len(texts) != len(head[0]):
            report.error(
                "RW312", span, f"this row has {len(texts)} cells, the head row {len(head[0])}", help="fill every column"
            )
            continue
        if crossed:
            keys = [expand(texts[i], params[i], clamps, symbols, span, report) for i in range(lead)]
            for heading, text in zip(head[0][lead:], texts[lead:], strict=True):
                columns = expand(heading, last, clamps, symbols, span, report)
                store(cells, wild, (*keys, columns), cell(text, type, span, symbols, report), span, report)
        else:
            keys = [expand(texts[i], params[i], clamps, symbols, span, report) for i in range(len(params))]
            value = ", ".join(texts[len(params) :]) if type.of is not None else " ".join(texts[len(params) :])
            store(cells, wild, tuple(keys), cell(value, type, span, symbols, report), span, report)
    return fill(cells, wild, params, clamps, symbols, node.span, report), clamps


def cell(text: str, type: Type, span: Span, symbols: Symbols, report: Reporter) -> Any:
    if type.of is not None and text in ("-", ""):
        return ()
    return read_value(text, type, span, symbols, report)


def is_key(text: str, type: Type, symbols: Symbols) -> bool:
    quiet = Reporter()
    if type == NUMBER:
        return re.fullmatch(r"-?\d+(\s*-\s*-?\d+|\+)?", text) is not None
    parts = [p.strip() for p in text.split(",")]
    for p in parts:
        read_value(p, type, SPANLESS, symbols, quiet)
    return not quiet.failed


SPANLESS = Span(Origin("<key>"), 1, 1, 1, 1)
"""For keys that are only tried: what is reported there is thrown away."""


def expand(
    text: str, param: Param, clamps: dict[str, tuple[int, int]], symbols: Symbols, span: Span, report: Reporter
) -> list[Any]:
    """The values that a key stands for."""
    if text in ("*", "any"):
        return [ALL]
    if param.type == NUMBER:
        found = re.fullmatch(r"(-?\d+)\s*-\s*(-?\d+)", text)
        if found is not None:
            low, high = int(found[1]), int(found[2])
            if not 0 <= high - low <= MOST_KEYS:
                report.error(
                    "RW312",
                    span,
                    f'"{text}" is no range of keys',
                    help=f"give the lower number first, and at most {MOST_KEYS} keys",
                )
                return []
            return list(range(low, high + 1))
        if re.fullmatch(r"-?\d+\+", text):
            low = int(text[:-1])
            if param.name not in clamps:
                report.error(
                    "RW312",
                    span,
                    f'"{text}" has no end: the table does not say how high "{param.name}" may go',
                    help=f"add clamp {param.name} to LOWEST..HIGHEST; a number above that is read as the highest",
                )
            return list(range(low, min(max(low, clamps.get(param.name, (low, low))[1]), low + MOST_KEYS) + 1))
    parts = [p.strip() for p in text.split(",")]
    return [read_value(p, param.type, span, symbols, report) for p in parts]


def store(cells: Cells, wild: Cells, keys: tuple[list[Any], ...], value: Any, span: Span, report: Reporter) -> None:
    twice: list[tuple[Any, ...]] = []
    for key in itertools.product(*keys):
        into = wild if ALL in key else cells
        if key in into:
            twice.append(key)
        into[key] = value
    if twice:
        more = f", and to {len(twice) - 1} more keys" if len(twice) > 1 else ""
        report.error(
            "RW311",
            span,
            f"two cells answer to {', '.join(map(str, twice[0]))}{more}",
            help="make the keys of the rows and columns exclude one another",
        )


def fill(
    cells: Cells,
    wild: Cells,
    params: tuple[Param, ...],
    clamps: dict[str, tuple[int, int]],
    symbols: Symbols,
    span: Span,
    report: Reporter,
) -> Cells:
    """Every key of the table's range with its cell; a star stands for all that no other row names."""
    axes: list[list[Any]] = []
    for i, param in enumerate(params):
        named = {key[i] for key in [*cells, *wild]} - {ALL}
        if param.type.sort == "kind":
            axes.append(list(symbols.book.kinds.get(param.type.name, ())))
        elif param.type.sort == "scale":
            axes.append(list(range(len(symbols.book.scales.get(param.type.name, ())))))
        elif param.type == FLAG:
            axes.append([False, True])
        elif param.type.plain in (MONTH, TURN) and symbols.book.calendar is not None:
            turns = symbols.book.calendar.turns
            months = (symbols.book.calendar.months[month - 1] for _, _, month in turns)
            axes.append(list(range(len(turns))) if param.type.plain == TURN else list(dict.fromkeys(months)))
        elif param.type == NUMBER and all(isinstance(x, int) for x in named) and named:
            low, high = clamps.get(param.name, (min(named), max(named)))
            axes.append(list(range(low, min(high, low + MOST_KEYS) + 1)))
        else:
            axes.append(sorted(named, key=str))
    full: Cells = {}
    missing: list[tuple[Any, ...]] = []
    starred = sorted(wild, key=lambda w: sum(x == ALL for x in w))
    for key in itertools.product(*axes):
        if key in cells:
            full[key] = cells[key]
            continue
        for stars in starred:
            if all(s in (ALL, k) for s, k in zip(stars, key, strict=True)):
                full[key] = wild[stars]
                break
        else:
            missing.append(key)
    full.update({k: v for k, v in cells.items() if k not in full})
    if missing:
        shown = "; ".join(", ".join(map(str, k)) for k in missing[:4])
        more = f" and {len(missing) - 4} more" if len(missing) > 4 else ""
        report.error(
            "RW310", span, f"the table has no cell for {shown}{more}", help="add the row or column, or a row with *"
        )
    return full
