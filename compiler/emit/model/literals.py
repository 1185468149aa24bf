"""Plain values as Python text.

In:  a value of plain data: words, numbers, exact fractions, and tuples, lists and dictionaries of them.
Out: the literal that gives it back.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

PLAIN = frozenset((str, int, bool, type(None)))


@lru_cache(8192)
def comment(text: str) -> str:
    """Text that may stand in a comment or docstring."""
    return re.sub(r"[^\w .,:;()/+*'’–—-]", " ", text).strip()


def quoted(value: Any) -> str:
    """The printed form of a value, strings in double quotes where none stands within."""
    text = repr(value)
    return text.replace("'", '"') if "'" in text and '"' not in text and "\\" not in text else text


def literal(value: Any) -> str:
    """A Python literal for a plain value."""
    kind = type(value)
    if kind in PLAIN:
        return quoted(value)
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"Fraction({value.numerator}, {value.denominator})"
    if isinstance(value, tuple):
        if PLAIN.issuperset(map(type, value)):
            return quoted(value)
        inner = ", ".join([literal(v) for v in value])
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(literal(v) for v in value) + "]"
    if isinstance(value, bool | int | str):
        return quoted(value)
    raise TypeError(f"no plain value: {value!r}")


def items_of(value: Any) -> tuple[str, list[tuple[str, Any]], str]:
    """The brackets of a collection, and its items with what stands before each."""
    if isinstance(value, dict):
        return "{", [(f"{literal(k)}: ", v) for k, v in value.items()], "}"
    opening, closing = "()" if isinstance(value, tuple) else "[]"
    return opening, [("", v) for v in value], closing


def pieces(text: str, most: int) -> list[str]:
    """A long string cut between its words into literals that stand one below another."""
    found, now = [], ""
    for part in re.split(r"(?<= )", text):
        if now and len(quoted(now + part)) > most:
            found.append(quoted(now))
            now = ""
        now += part
        while len(quoted(now)) > most:
            found.append(quoted(now[: most // 2]))
            now = now[most // 2 :]
    return [*found, quoted(now)] if now or not found else found


def has_fraction(value: Any) -> bool:
    """Whether an exact fraction stands anywhere in a value."""
    if isinstance(value, dict):
        return any(has_fraction(x) for row in value.items() for x in row)
    if isinstance(value, tuple | list):
        return any(map(has_fraction, value)) if not PLAIN.issuperset(map(type, value)) else False
    return isinstance(value, Fraction)
