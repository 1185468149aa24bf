"""Print positions and questions as a worked example.

In:  lines and values by name, and the rule set that gives them a meaning.
Out: text that the parser reads back to the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.runtime.notation import show

from ..core.types import Type
from ..emit.text import type_text
from .lines import Given, Line
from .rule_set import Rules


def literal(rules: Rules, type: Type, value: Any) -> str:
    """A value by name, as an author writes it."""
    return show(rules.program, type_text(type.plain, rules.book), rules.encode(type, value))


def given(rules: Rules, value: Given) -> str:
    return literal(rules, *value)


def call(rules: Rules, name: str, args: Iterable[Given]) -> str:
    inner = ", ".join(given(rules, v) for v in args)
    return f"{name}({inner})" if inner else name


def line_text(rules: Rules, line: Line) -> str:
    """One line of an example."""
    values = [given(rules, v) for v in line.values]
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
            return "run " + call(rules, str(line.info), line.values)
        case "play" | "legal" | "refused":
            side, *args = line.values
            return f"{line.sort} {side[1]}: " + call(rules, line.info[0], args)
    sort, name = line.info
    if sort == "mark":
        owner, mark = name
        return f"given {mark} = {values[0]}" if owner == "game" else f"given {values[1]}.{mark} = {values[0]}"
    target = call(rules, name, line.values[1:]) if sort in ("memory", "spent") else name
    return f"given {target} = {values[0]}"


def example_text(title: str, lines: Iterable[str]) -> str:
    """The whole example, as it stands in a case."""
    return "\n".join([f'example "{title}":', *(f"  {line}" for line in lines)])
