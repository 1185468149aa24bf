"""Mutations of table cells: each cell in turn gets another value that occurs in the table.

In:  a table as syntax.
Out: changed lines, each with a description and its position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.source import Span

from ..overlay.edit_tree import Spot


def cell_changes(node: n.Table) -> Iterator[tuple[Spot, n.RawLine, str, Span]]:
    """For each cell its line, the changed line, a description of the change, and its position."""
    drawn = [(i, line) for i, line in enumerate(node.lines) if line.text.startswith("|")]
    if len(drawn) < 2:
        return
    rows = [cells_of(line.text) for _, line in drawn]
    head, lead = rows[0], max(1, len(node.params) - 1)
    known = [text for row in rows[1:] for text in row[lead:]]
    for r, (i, line) in enumerate(drawn[1:], 1):
        for k in range(lead, min(len(rows[r]), len(head))):
            other = another([row[k] for row in rows[1:] if k < len(row)], r - 1, known)
            if other is None:
                continue
            texts = [*rows[r][:k], other, *rows[r][k + 1 :]]
            what = f"{node.name}, row {', '.join(rows[r][:lead])}, {head[k]}: {rows[r][k]} becomes {other}"
            yield ("lines", i), replace(line, text=f"| {' | '.join(texts)} |"), what, line.span


def cells_of(text: str) -> list[str]:
    return [x.strip() for x in text.strip("|").split("|")]


def another(column: list[str], at: int, all_cells: list[str]) -> str | None:
    """Another value for a cell: from the nearest row that has one, else from any cell, else the number plus one."""
    near = sorted(range(len(column)), key=lambda i: (abs(i - at), i < at))
    for text in (*(column[i] for i in near), *all_cells):
        if text != column[at]:
            return text
    return str(int(column[at]) + 1) if re.fullmatch(r"-?\d{1,9}", column[at]) else None
