"""Lay out data: items that go on below their line, and the columns of tables.

In:  raw lines.
Out: the same, broken at commas, or aligned.
"""

from __future__ import annotations

from dataclasses import replace

from ..compare import cells
from ..wrap import WIDTH
from .lines import Line


def wrap_raw(line: Line) -> list[Line]:
    """A line of data: its items go on in lines below it."""
    if line.fixed or len(str(line)) <= WIDTH or line.code.startswith("|"):
        return [line]
    between = " " if line.code.startswith("lines ") else ", "
    items = line.code.split(between)
    texts = [items[0]]
    for i, item in enumerate(items[1:], 1):
        width = WIDTH - 2 * (line.depth + (len(texts) > 1)) - (i + 1 < len(items))
        if len(texts[-1]) + len(between) + len(item) <= width or (between == " " and ":" not in texts[0]):
            texts[-1] += between + item
        else:
            texts[-1] += between.strip()
            texts.append(item)
    above = [replace(line, code="")] if line.comment and len(texts) > 1 else []
    kept = "" if above else line.comment
    return above + [Line(depth=line.depth + (k > 0), raw=True, code=text, comment=kept) for k, text in enumerate(texts)]


def align_tables(lines: list[Line]) -> None:
    """Even out the columns of each run of rows."""
    run: list[Line] = []
    for line in [*lines, Line()]:
        if line.raw and line.code.startswith("|") and (not run or run[0].depth == line.depth):
            run.append(line)
        elif not (line.comment and not line.code):
            align(run)
            run = [line] if line.raw and line.code.startswith("|") else []


def align(rows: list[Line]) -> None:
    split = [cells(row.code) for row in rows]
    widths: list[int] = []
    for row in split:
        for i, cell in enumerate(row):
            if i == len(widths):
                widths.append(0)
            widths[i] = max(widths[i], len(cell))
    for line, row in zip(rows, split, strict=True):
        closed = row[-1] == ""
        inner = row[1:-1] if closed else row[1:]
        if not inner:
            continue
        text = " | ".join(cell.ljust(widths[i + 1]) for i, cell in enumerate(inner))
        line.code = f"| {text} |" if closed else f"| {text}".rstrip()
