"""Trees as text that one can read and compare: syntax nodes, the core, lowered steps.

A node is `Name(field: value, …)` on one line where that fits, else a field a line below it; an expression of the core is
`Name[type](value, …)`. Fields that hold nothing are left out, and so is where a node stands: a line more at the top of a
file should not touch every line of a golden one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from rulewright.compiler.core.expressions import Operator
from rulewright.compiler.core.types import Type
from rulewright.dsl.source import Span

WIDTH = 118
EMPTY: tuple[Any, ...] = (None, (), "", False)


def dump(value: Any) -> str:
    return "\n".join(lines(value, "", 0)) + "\n"


def lines(value: Any, label: str, depth: int) -> Iterator[str]:
    """A value below its label, broken where it is too long for one line."""
    margin = "  " * depth
    flat = margin + label + short(value)
    below = list(parts(value))
    if not below or (len(flat) <= WIDTH and depth):
        yield flat
        return
    yield (margin + label + (headed(value) if is_dataclass(value) else "")).rstrip()
    for name, part in below:
        yield from lines(part, name, depth + 1)


def parts(value: Any) -> Iterator[tuple[str, Any]]:
    """What a value is made of, each with its label."""
    if isinstance(value, Type | Span | Enum):
        return
    if is_dataclass(value):
        yield from ((f"{name}: ", part) for name, part in told(value))
    elif isinstance(value, Mapping):
        yield from ((f"{key if isinstance(key, str) else short(key)}: ", part) for key, part in value.items())
    elif isinstance(value, tuple | list):
        yield from (("- ", part) for part in value)


def headed(value: Any) -> str:
    return f"{type(value).__name__}[{value.type}]" if isinstance(value, Operator) else type(value).__name__


def told(value: Any) -> Iterator[tuple[str, Any]]:
    for field in fields(value):
        part = getattr(value, field.name)
        if isinstance(part, Span) or (isinstance(value, Operator) and field.name == "type"):
            continue
        if isinstance(part, tuple | str | bool | type(None)) and part in EMPTY:
            continue
        if isinstance(part, Mapping) and not part:
            continue
        yield field.name, part


def short(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Type):
        return str(value)
    if isinstance(value, Span):
        return ""
    if isinstance(value, Operator):
        return f"{headed(value)}({', '.join(short(part) for _, part in told(value))})"
    if is_dataclass(value):
        return f"{type(value).__name__}({', '.join(f'{name}: {short(part)}' for name, part in told(value))})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{short(key)}: {short(part)}" for key, part in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(short(part) for part in value) + "]"
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(map(short, value))) + "}"
    if callable(value):
        raise TypeError(f"{value!r} is no plain value")
    return str(value) if isinstance(value, int) else repr(value)
