"""List the house values of a rule set, each with what the text of the book fixes about it.

In:  an analysed rule set.
Out: every house value with its place, its size, the note of its case, and the facts of the text that name it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..core.entries import Entry
from ..core.house_values import HouseValue, house_values
from ..core.maps import one_map
from ..core.used_names import house_names
from ..passes.compiled import Compiled, given
from .facts import Fact, facts_of, in_force


@dataclass(frozen=True, slots=True)
class Listed:
    """A house value, how large it is, the notes of its case, and what the text says of it."""

    value: HouseValue
    entry: Entry
    size: str
    notes: tuple[str, ...]
    facts: tuple[Fact, ...]


def listed(made: Compiled) -> list[Listed]:
    """Every house value of a rule set."""
    book, entries = given(made.book), given(made.entries)
    facts = in_force(facts_of(made.name), made.layers)
    notes = notes_of(made)
    rests = house_names(entries)
    spoken = [(f, f.words.union(*(rests.get(word, ()) for word in f.asked))) for f in facts]
    marked = [entry for entry in entries if entry.house]
    return [
        Listed(
            value,
            entry,
            size_of(entry, book),
            notes.get((entry.case, entry.title), ()),
            tuple(fact for fact, words in spoken if words & names_of(entry, book)),
        )
        for value, entry in zip(house_values(entries), marked, strict=True)
    ]


def names_of(entry: Entry, book: c.Book) -> frozenset[str]:
    """The names by which a fact speaks of a value: its own, its counters, the places and hexes of its map."""
    node = entry.node
    if isinstance(node, n.Data) and node.kind == "roster":
        return frozenset(u.name for u in units_of(entry, book))
    if isinstance(node, n.Data) and node.kind == "map" and book.map is not None:
        own = one_map(book.map, node.name)
        return frozenset((*own.names, *own.hexes, *own.boxes))
    if isinstance(node, n.Data):
        return frozenset()
    return frozenset(node.names if isinstance(node, n.Field) else (entry.name,)) - {""}


def units_of(entry: Entry, book: c.Book) -> list[c.UnitLine]:
    """The counters that a roster holds."""
    at = entry.node.span
    return [u for u in book.units if u.span.file == at.file and at.line <= u.span.line <= at.end_line]


def size_of(entry: Entry, book: c.Book) -> str:
    """How much a value holds, where it can be counted."""
    node = entry.node
    if isinstance(node, n.Table):
        rows = [line for line in node.lines if line.text.startswith("|")]
        return counted(len(rows) - 1, "row")
    if isinstance(node, n.Data) and node.kind == "roster":
        return counted(len(units_of(entry, book)), "counter")
    if isinstance(node, n.Data) and node.kind == "map" and book.map is not None:
        return counted(len(one_map(book.map, node.name).hexes), "hex", "hexes")
    return ""


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def notes_of(made: Compiled) -> dict[tuple[str, str], tuple[str, ...]]:
    """The notes of every case block, of the book and of its overlays."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}

    def take(cases: Iterable[n.Decl]) -> None:
        for case in cases:
            if isinstance(case, n.Case):
                key = (case.id, case.title or "")
                found[key] = found.get(key, ()) + tuple(x.text for x in case.body if isinstance(x, n.Note))
                take(case.body)

    take(node for _, node in given(made.collected).cases.values())
    for _, layer in made.layers:
        take(layer.body)
    return found
