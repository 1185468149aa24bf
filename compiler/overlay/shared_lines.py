"""Fields that share a line: each is a declaration of its own for whoever names it.

In:  the entries of a rule set, and what an amendment names.
Out: the same entries, where the line of a field that is named has given way to one line for it, one for those before
     it and one for those after it, so that an amendment hits that field alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from rulewright.dsl import nodes as n

from ..core.entries import Entry
from .stacked import Stacked


def set_apart(on: Stacked, target: n.Target) -> None:
    """Give a field that an amendment names a line of its own."""
    found: list[Entry] = []
    for entry in on.entries:
        line = entry.node
        if isinstance(line, n.Field) and target.name in line.names[:-1] + line.names[1:] and entry.case in target.cases:
            at = line.names.index(str(target.name))
            parts = (line.names[:at], line.names[at : at + 1], line.names[at + 1 :])
            found += (on.known(("apart", entry, names), partial(part, entry, names)) for names in parts if names)
        else:
            found.append(entry)
    if len(found) != len(on.entries):
        on.entries = found


def part(entry: Entry, names: tuple[str, ...]) -> Entry:
    """The same line for some of its fields."""
    assert isinstance(entry.node, n.Field)
    return replace(entry, node=replace(entry.node, names=names))


def each_apart(entries: list[Entry]) -> Iterator[Entry]:
    """Every field on a line of its own."""
    for entry in entries:
        if isinstance(entry.node, n.Field) and len(entry.node.names) > 1:
            yield from (part(entry, (name,)) for name in entry.node.names)
        else:
            yield entry
