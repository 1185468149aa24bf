"""Print positions and questions as a worked example.

In:  lines and values by name, and the book that gives their types a meaning.
Out: text that the parser reads back to the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, assert_never

from ..core import nodes as c
from ..core.types import Type
from . import lines as w
from .lines import Given, Line, Play


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
    match line:
        case w.At():
            return f"given {values[0]} at {values[1]}"
        case w.MarkIs():
            owner, mark = line.key
            return f"given {mark} = {values[0]}" if owner == "game" else f"given {values[1]}.{mark} = {values[0]}"
        case w.MemoryIs() | w.SpentIs():
            return f"given {call(book, line.name, line.values[1:])} = {values[0]}"
        case w.BoundIs() | w.ReadingIs():
            return f"given {line.name} = {values[0]}"
        case w.During():
            return f"given during {line.phase}"
        case w.Setup():
            return f"scenario {line.scenario}"
        case w.Die():
            return f"dice {', '.join(values)}"
        case w.Run():
            return "run " + call(book, line.procedure, line.values)
        case w.Play():
            return choice_text(book, "play", line)
        case _:
            assert_never(line)


def choice_text(book: c.Book, word: str, choice: Play) -> str:
    """A choice that is taken (`play`), or said to be `legal` or `refused`."""
    side, *args = choice.values
    return f"{word} {side[1]}: " + call(book, choice.name, args)


def example_text(title: str, lines: Iterable[str]) -> str:
    """The whole example, as it stands in a case."""
    return "\n".join([f'example "{title}":', *(f"  {line}" for line in lines)])
