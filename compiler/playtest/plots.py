"""Plots as SVG text, drawn in the colors of the page.

In:  labelled numbers.
Out: one SVG: horizontal bars with intervals, stacked bars, a histogram. Each has a title that says what it shows; the
     numbers themselves stand beside the bars, so that no color or length has to be read.

Three forms of bars are all that a playtest needs; a plotting library would bring numpy and fonts for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor

WIDTH, ROW, LABEL, TEXT = 720, 24, 220, 170
INKS = ("--link", "--number", "--word", "--text", "--new", "--old", "--soft", "--line")


@dataclass(frozen=True, slots=True)
class Bar:
    """A share or a number with its interval, from 0 to the end of the axis."""

    label: str
    value: float
    told: str
    low: float | None = None
    high: float | None = None


def bars(title: str, rows: Sequence[Bar], end: float = 1.0, line: float | None = None) -> str:
    """Horizontal bars; `line` is a value to compare with."""
    room = WIDTH - LABEL - TEXT

    def at(x: float) -> float:
        return LABEL + room * min(max(x, 0.0), end) / end if end else LABEL

    made = []
    for i, row in enumerate(rows):
        y = i * ROW + 4
        made.append(label(0, y, row.label))
        made.append(rect(LABEL, y, at(row.value) - LABEL, ROW - 8, INKS[0]))
        if row.low is not None and row.high is not None:
            middle = y + ROW / 2 - 4
            made.append(stroke(at(row.low), middle, at(row.high), middle))
            made += [stroke(at(x), middle - 4, at(x), middle + 4) for x in (row.low, row.high)]
        made.append(label(LABEL + room + 8, y, row.told))
    if line is not None:
        made.append(stroke(at(line), 0, at(line), len(rows) * ROW, dashed=True))
    return svg(title, made, len(rows) * ROW)


def stacked(title: str, rows: Sequence[tuple[str, Sequence[tuple[str, int]]]]) -> str:
    """Rows of parts of a whole, each as wide as its count; the same part has the same ink in all rows."""
    parts = list(dict.fromkeys(name for _, row in rows for name, _ in row))
    most = max((sum(n for _, n in row) for _, row in rows), default=1) or 1
    room, made = WIDTH - LABEL - 40, []
    for i, (name, row) in enumerate(rows):
        x, y = float(LABEL), i * ROW + 4
        made.append(label(0, y, name))
        for part, n in row:
            width = room * n / most
            inside = f"<title>{escape(f'{name}: {part} {n}')}</title>"
            made.append(rect(x, y, width, ROW - 8, INKS[parts.index(part) % len(INKS)], inside))
            if width > 7 * len(part) + 6:
                made.append(label(x + 3, y, part, "--paper"))
            x += width
        made.append(label(x + 6, y, str(sum(n for _, n in row))))
    return svg(title, made, len(rows) * ROW)


def histogram(title: str, values: Sequence[float], most: int = 24) -> str:
    """How often values lie where."""
    low, high = floor(min(values)), ceil(max(values))
    wide = max(1, ceil((high - low + 1) / most))
    counts = [0] * ((high - low) // wide + 1)
    for value in values:
        counts[int((value - low) // wide)] += 1
    room, tall, top = WIDTH - 40, 120, max(counts)
    step, made = room / len(counts), []
    for i, n in enumerate(counts):
        height = tall * n / top
        told = f"{low + i * wide:g}" + (f" to {low + (i + 1) * wide - 1:g}" if wide > 1 else "")
        inside = f"<title>{escape(f'{told}: {n}')}</title>"
        made.append(rect(20 + i * step, 16 + tall - height, step - 2, height, INKS[0], inside))
        if n:
            made.append(label(20 + i * step, 16 + tall - height - 16, str(n)))
    for i in range(0, len(counts), max(1, len(counts) // 8)):
        made.append(label(20 + i * step, 18 + tall, f"{low + i * wide:g}"))
    return svg(title, made, tall + 40)


# ---------------------------------------------------------------- marks


def svg(title: str, made: Sequence[str], height: float) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" role="img"'
        f' aria-label="{escape(title)}"><title>{escape(title)}</title>{"".join(made)}</svg>'
    )


def rect(x: float, y: float, width: float, height: float, ink: str, inside: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="var({ink})">{inside}</rect>'


def stroke(x1: float, y1: float, x2: float, y2: float, dashed: bool = False) -> str:
    look = ' stroke-dasharray="4 3"' if dashed else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="var(--ink)"{look}/>'


def label(x: float, y: float, text: str, ink: str = "--ink") -> str:
    return f'<text x="{x:.1f}" y="{y + 13:.1f}" font-size="13" fill="var({ink})">{escape(text)}</text>'
