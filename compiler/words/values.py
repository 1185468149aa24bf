"""Constants in English: numbers, values of kinds, places by name and hex, units by name, and sets of them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulewright.runtime.notation import spoken
from rulewright.runtime.program import printed_id

from ..core import nodes as c
from ..core.notation import shown
from ..core.types import Type
from .english import Noun, listed, plural, words
from .phrases import Phrase

LISTED = 3
"""All values of a kind are listed where there are no more than so many."""
ABSENT = {"unit": "no unit", "place": "nowhere", "turn": "never", "side": "nobody"}


def constant(book: c.Book, phrases: dict[str, Phrase], value: Any, type: Type) -> Noun:
    """A constant of the rules."""
    of = type.plain
    if value is None:
        return Noun(ABSENT.get(of.name, "nothing"))
    if of.many and isinstance(value, tuple):
        assert of.of is not None
        if not value:
            return Noun("nothing", plural=False)
        if len(value) > LISTED and value == book.kinds.get(of.of.name):
            return Noun(plural(words(of.of.name)), "the", True)
        members = [str(constant(book, phrases, v, of.of)) for v in value]
        return Noun(listed(members), plural=len(members) != 1, joined=True)
    if of.sort == "kind":
        given = phrases.get(f"{of.name}.{value}")
        if given is None and of.name == "side":
            return Noun(words(str(value)).title())
        return Noun(given.text if given else words(str(value)))
    if of.sort == "scale":
        step = shown(value, of, book)
        given = phrases.get(f"{of.name}.{step}")
        return Noun(given.text if given else words(step))
    if of.name == "unit":
        return Noun(book.units[value].name)
    if of.name == "place":
        return Noun(place(book, value, phrases))
    if of.name == "dice" and isinstance(value, tuple):
        return Noun(dice(value))
    if of.name == "flag":
        return Noun("yes" if value else "no")
    if of.name == "layer":
        return Noun(words(str(value)))
    if isinstance(value, Fraction) and of.name != "ratio" and value.denominator == 2 and value.numerator == 1:
        return Noun("half")
    if isinstance(value, Fraction) and of.name != "ratio":
        return Noun(spoken(value))
    return Noun(shown(value, of, book).strip('"').lstrip("@"))


def place(book: c.Book, value: int, phrases: Mapping[str, Phrase]) -> str:
    """A place by its name on the map and its hex; a box by its name."""
    text = book.places[value]
    if value >= book.hexes:
        return box(book, text, phrases)
    name, own = names_on_map(book).get(text), printed_id(text)
    return f"{words(printed_id(name))} ({own})" if name and name != text else words(own)


def box(book: c.Book, text: str, phrases: Mapping[str, Phrase]) -> str:
    """`eliminated(axis)` as words."""
    name, _, key = text.partition("(")
    key = key.removesuffix(")")
    of = words(key)
    if key in book.kinds.get("side", ()):
        side = phrases.get(f"side.{key}")
        of = side.text if side is not None else of.title()
    if name in phrases:
        return phrases[name].fill(dict.fromkeys(phrases[name].slots, Noun(of)))
    return f"the box “{words(name)}”" + (f" of {of}" if of else "")


def names_on_map(book: c.Book) -> dict[str, str]:
    """The names of hexes on the map."""
    return {hex: name for name, hex in book.map.names.items()} if book.map is not None else {}


def dice(value: tuple[Any, ...]) -> str:
    """A number of dice with so many sides, and the number added to them."""
    many, sides, *more = value
    added = more[0] if more else 0
    return f"{many}d{sides}" + (f" plus {added}" if added and added > 0 else f" minus {-added}" if added else "")
