"""What a book veils, by the names that the runtime knows.

In:  a book with `veiled` blocks.
Out: `unit`, or the column of a mark of hexes (`place_dump`), with the definitions that say from whom it is kept.
"""

from __future__ import annotations

from .book import Book

WANTED = {"unit": ("unit", "side"), "place": ("place", "side")}
"""What the definition of a veil is asked about."""


def veil_key(book: Book, key: str) -> str | None:
    """The name by which the runtime knows what a line veils; None where nothing of the kind is there."""
    if key == "unit":
        return key
    owner, _, name = key.partition(".")
    column = ("place", name)
    return f"place_{name}" if owner in ("hex", "place") and column in book.marks else None


def says_so(book: Book, key: str, by: str) -> bool:
    """Whether a definition can say of a unit (a hex) and a side whether it is kept from that side."""
    d = book.definitions.get(by)
    if d is None or d.sort != "define" or d.type.plain.name != "flag":
        return False
    return tuple(x.type.plain.name for x in d.params) == WANTED["unit" if key == "unit" else "place"]


def veil_keys(book: Book) -> dict[str, tuple[str, ...]]:
    """What is veiled, each with the definitions that say so, in the order of the book."""
    found: dict[str, tuple[str, ...]] = {}
    for x in book.veils:
        key = veil_key(book, x.key)
        if key is not None and says_so(book, x.key, x.by) and x.by not in found.get(key, ()):
            found[key] = (*found.get(key, ()), x.by)
    return found
