"""Print positions and questions as a worked example.

In:  lines and values by name, and the book that gives their types a meaning.
Out: text that the parser reads back to the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ..core import nodes as c
from ..core.types import Type
from .lines import Given, Line


def literal(book: c.Book, type: Type, value: Any) -> str:
    """A value as an author writes it."""
    if value is None:
        return "nothing"
    if type.of is not None:
        inner = ", ".join(literal(book, type.of, v) for v in value)
        return f"{{{inner}}}" if type.sort == "set" else f"[{inner}]"
    if type.sort == "record":
        parts = zip(book.records[type.name], value, strict=True)
        return f"{type.name}(" + ", ".join(f"{name}: {literal(book, of, v)}" for (name, of), v in parts) + ")"
    if isinstance(value, bool):
        return "true" if value else "false"
    match type.name:
        case "unit" | "text":
            return f'"{value}"'
        case "place":
            return value if value.partition("(")[0] in book.boxes else f"@{value}"
        case "path":
            return "[" + ", ".join(f"@{place}" for place in value) + "]"
        case "hexside":
            return f"edge(@{value[0]}, @{value[1]})"
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    return str(value)


def given(book: c.Book, value: Given) -> str:
    return literal(book, *value)


def call(book: c.Book, name: str, args: Iterable[Given]) -> str:
    inner = ", ".join(given(book, v) for v in args)
    return f"{name}({inner})" if inner else name


def line_text(book: c.Book, line: Line) -> str:
    """One line of an example."""
    values = [given(book, v) for v in line.values]
    match line.sort:
        case "given_at":
            return f"given {values[0]} at {values[1]}"
        case "given_during":
            return f"given during {line.words[0]}"
        case "given_scenario":
            return f"scenario {line.words[0]}"
        case "dice":
            return f"dice {', '.join(values)}"
        case "run":
            return "run " + call(book, str(line.info), line.values)
        case "play" | "legal" | "refused":
            side, *args = line.values
            return f"{line.sort} {side[1]}: " + call(book, line.info[0], args)
    sort, name = line.info
    if sort == "mark":
        owner, mark = name
        return f"given {mark} = {values[0]}" if owner == "game" else f"given {values[1]}.{mark} = {values[0]}"
    target = call(book, name, line.values[1:]) if sort in ("memory", "spent") else name
    return f"given {target} = {values[0]}"


def example_text(title: str, lines: Iterable[str]) -> str:
    """The whole example, as it stands in a case."""
    return "\n".join([f'example "{title}":', *(f"  {line}" for line in lines)])
