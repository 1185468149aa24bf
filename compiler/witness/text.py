"""Print positions and questions as a worked example.

In:  lines and values by name, and the rule set that gives them a meaning.
Out: text that parses to the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from rulewright.runtime.notation import show

from ..core.texts import type_text
from ..core.types import Type
from . import lines as w
from .lines import Given, Line, Play
from .rule_set import Rules


def literal(rules: Rules, type: Type, value: Any) -> str:
    """A value by name, as `.rules` text."""
    return show(rules.program, type_text(type.plain, rules.book), rules.encode(type, value))


def given(rules: Rules, value: Given) -> str:
    return literal(rules, *value)


def call(rules: Rules, name: str, args: Iterable[Given]) -> str:
    inner = ", ".join(given(rules, v) for v in args)
    return f"{name}({inner})" if inner else name


def line_text(rules: Rules, line: Line) -> str:
    """One line of an example."""
    values = [given(rules, v) for v in line.values]
    match line:
        case w.At():
            return f"given {values[0]} at {values[1]}"
        case w.MarkIs():
            owner, mark = line.key
            return f"given {mark} = {values[0]}" if owner == "game" else f"given {values[1]}.{mark} = {values[0]}"
        case w.MemoryIs() | w.SpentIs():
            return f"given {call(rules, line.name, line.values[1:])} = {values[0]}"
        case w.BoundIs() | w.ReadingIs():
            return f"given {line.name} = {values[0]}"
        case w.During():
            return f"given during {line.phase}"
        case w.OnMap():
            return f"given map {line.map}"
        case w.Setup():
            return f"given scenario {line.scenario}"
        case w.Die():
            return f"dice {', '.join(values)}"
        case w.Run():
            return "run " + call(rules, line.procedure, line.values)
        case w.Play():
            return choice_text(rules, "play", line)
        case _:
            assert_never(line)


def choice_text(rules: Rules, word: str, choice: Play) -> str:
    """A choice that is made (`play`), or stated to be `legal` or `refused`."""
    side, *args = choice.values
    return f"{word} {side[1]}: " + call(rules, choice.name, args)


def example_text(title: str, lines: Iterable[str]) -> str:
    """The whole example, as it is written in a case."""
    return "\n".join([f'example "{title}":', *(f"  {line}" for line in lines)])
