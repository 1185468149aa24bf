"""Facts of style: how things are drawn, thing by thing.

In:  two books in the core.
Out: changes; of two looks for one thing the later counts, so that lines in another order are no change.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core import nodes as c
from ..core.looks import StyleLine
from .data import Change


def look_changes(a: c.Book, b: c.Book) -> Iterator[Change]:
    """The things that are drawn otherwise."""
    old, new = ({(x.about, x.name, x.value): x for x in book.styles} for book in (a, b))
    for thing in [*old, *(x for x in new if x not in old)]:
        x, y = old.get(thing), new.get(thing)
        before, after = (look(line) for line in (x, y))
        known = y or x
        if before != after and known is not None:
            kind = "added" if x is None else "struck" if y is None else "amended"
            yield Change(kind, "look", known.case, name_of(known), "", before, after)


def look(line: StyleLine | None) -> str:
    """The right side of a line."""
    if line is None:
        return ""
    return "hidden" if line.about == "hidden" else line.text.partition(":")[2].strip()


def name_of(line: StyleLine) -> str:
    """The left side of a line."""
    if line.about == "hidden":
        return line.name if line.value == "hex" else f"{line.value} {line.name}"
    return " ".join(line.text.partition(":")[0].split())
