"""The layout of one screen: status, map, list, log and message.

In:  a desk, the scroll positions, and the size of the terminal.
Out: lines of (style, text) pieces, exactly as many as the terminal has. Wide terminals have the list beside the map,
     narrow ones below it; a page of text (an explanation, the log, help) replaces both.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from ...seat.pick import Item
from .board import Line, clipped
from .desk import Desk

WIDE = 100
LEAST = (30, 8)


@dataclass(slots=True)
class Spot:
    """Scroll positions: the selected line of the list, the first one shown, and the first line of a page."""

    at: int = 0
    top: int = 0
    read: int = 0

    def home(self) -> None:
        self.at = self.top = 0


def frame(desk: Desk, spot: Spot, width: int, height: int) -> list[Line]:
    """The whole screen except for the input line."""
    if width < LEAST[0] or height < LEAST[1]:
        return padded([[("", "more room, please")]], height)
    if desk.curtain:
        return curtain(desk, width, height)
    message = textwrap.wrap(desk.message, width)[:3] or [""]
    head = clipped([("class:status", f" {desk.status()}{desk.standing(' · ')}".ljust(width))], width)
    foot: list[Line] = [[("class:message", text)] for text in message]
    room = height - 1 - len(foot)
    if desk.page is not None:
        return [head, *padded(page(desk, spot, width, room), room), *foot]
    tail = log(desk, width, 6 if height >= 34 else 4 if height >= 28 else 2) if height >= 14 else []
    room -= len(tail)
    if width >= WIDE:
        side = min(56, max(44, width * 2 // 5))
        left = padded(desk.board(width - side - 1, room), room)
        right = padded(listing(desk, spot, side, room), room)
        body = [[*fitted(a, width - side - 1), ("class:grid ", "│"), *b] for a, b in zip(left, right, strict=True)]
    else:
        below = min(room, max(6, len(desk.listing()) + 3), max(6, room - max(4, room // 2)))
        body = padded(desk.board(width, room - below), room - below) + padded(listing(desk, spot, width, below), below)
    return [head, *body, *tail, *foot]


def curtain(desk: Desk, width: int, height: int) -> list[Line]:
    told = [f"It is for {desk.side} to decide, and not all of it is for others to see.", "", "Enter opens the desk."]
    lines: list[Line] = [[("", text.center(width).rstrip())] for text in told]
    return padded([[] for _ in range(max(0, height // 2 - 2))] + lines, height)


def listing(desk: Desk, spot: Spot, width: int, height: int) -> list[Line]:
    """The question, and as many lines of the list as fit."""
    lines: list[Line] = [[("class:question", text)] for text in textwrap.wrap(desk.question(), width)[:2]]
    hints = [f"/{desk.words}" if desk.words else "", *desk.hints()]
    lines += [[("class:dim", text)] for hint in hints for text in textwrap.wrap(hint, width)[:2]]
    items = desk.listing()
    room = height - len(lines) - 1
    if len(items) <= room + 1:
        room = len(items)
    spot.at = max(0, min(spot.at, len(items) - 1))
    spot.top = max(0, min(spot.top, spot.at, len(items) - room))
    spot.top = max(spot.top, spot.at - room + 1) if room > 0 else spot.at
    for i, (n, x) in enumerate(items[spot.top : spot.top + room], spot.top):
        lines.append(choice_line(desk, n, x, width, i == spot.at))
    if not items and desk.steps:
        lines.append([("class:dim", "nothing in the list" + (f" with {desk.words}" if desk.words else ""))])
    if len(items) > room:
        lines.append(
            [("class:dim", f"    {spot.top + 1}–{spot.top + room} of {len(items)}: PgUp, PgDn, /word"[:width])]
        )
    return lines[:height]


def choice_line(desk: Desk, n: int, item: Item, width: int, here: bool) -> Line:
    mark = desk.step.mark(n - 1) if n <= len(desk.step.items) else ""
    style = "class:shut" if item.shut else "class:pick" if here else ""
    said = f"not yet: {item.shut}" if item.shut else item.note
    note = f"  {said}" if said else ""
    line: Line = [
        ("class:pick " if here else "class:number ", f"{n:4} "),
        (style, f"{mark}{item.text}"),
        ("class:dim", note),
    ]
    return clipped(line, width)


def log(desk: Desk, width: int, height: int) -> list[Line]:
    """The last lines of the log below a horizontal line."""
    told = desk.lines[-height:] if height else []
    lines: list[Line] = [clipped([("class:log", text)], width) for text in told]
    return [[("class:grid ", "─" * width)], *padded(lines, height)]


def page(desk: Desk, spot: Spot, width: int, height: int) -> list[Line]:
    """The part of a page that fits."""
    assert desk.page is not None
    title, text = desk.page
    lines = [part for line in text for part in wrapped(line, width)]
    room = height - 2
    spot.read = max(0, min(spot.read, len(lines) - room))
    shown: list[Line] = [[("", line)] for line in lines[spot.read : spot.read + room]]
    more = f"  ({spot.read + 1}–{spot.read + len(shown)} of {len(lines)}: PgUp, PgDn)" if len(lines) > room else ""
    return [clipped([("class:question", title), ("class:dim", f"{more}  Enter or Esc goes back")], width), [], *shown]


def wrapped(line: str, width: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(line, width, subsequent_indent=indent, drop_whitespace=True) or [""]


def fitted(line: Line, width: int) -> Line:
    """A line cut or padded to exactly this width."""
    cut = clipped(line, width)
    return [*cut, ("", " " * (width - sum(len(text) for _, text in cut)))]


def padded(lines: list[Line], height: int) -> list[Line]:
    """Lines cut or padded to exactly this number."""
    return lines[:height] + [[] for _ in range(height - len(lines))]
