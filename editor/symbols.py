"""The outline of a file by case, and the search over all declared names.

In:  the index of a file, or a view and a query.
Out: symbols with their line ranges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .project import FileIndex, Spot, View

MOST = 200


@dataclass(slots=True)
class Symbol:
    """An entry of an outline, from `line` to `end_line` (counted from 1), with its children."""

    name: str
    about: str
    sort: str
    line: int
    end_line: int
    below: list[Symbol] = field(default_factory=list)


def outline(file: FileIndex) -> list[Symbol]:
    """The cases of a file, each with its declarations; overlays hold their cases."""
    found: list[Symbol] = []
    for start, block in file.blocks:
        open_: list[Symbol] = []
        for item in block.items:
            if not item.name:
                continue
            name = f"{item.name} {item.title}".strip() if item.sort == "case" else item.name
            about = item.title if item.overlay == item.name else item.sort
            symbol = Symbol(name, about, item.sort, start + item.row - 1, start + item.end_row - 1)
            while open_ and open_[-1].end_line < symbol.line:
                open_.pop()
            (open_[-1].below if open_ else found).append(symbol)
            if item.sort == "case" or item.overlay == item.name:
                open_.append(symbol)
    return found


def search(view: View, query: str) -> Iterator[Spot]:
    """Declarations whose name or case title contains the query."""
    wanted = query.lower()
    left = MOST
    for text, spots in view.declared.items():
        for spot in spots:
            title = spot.item.title.lower() if spot.item is not None and spot.mention.realm == "case" else ""
            if spot.mention.realm in ("local", "answer") or not (wanted in text.lower() or wanted in title):
                continue
            yield spot
            left -= 1
            if not left:
                return
