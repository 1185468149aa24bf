"""Compare syntax trees, leaving out where their nodes stand.

In:  two nodes, or two tuples of nodes.
Out: whether they say the same; `difference` names the first place where they do not.

Raw lines of tables and data hold text; `loose` compares them by their words, so that
columns may be aligned and `key : value` tidied without a difference. It walks with a
list of its own, so the longest chain needs no deep recursion.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

from .nodes import RawLine

_WORD = re.compile(r'"[^"]*"?|[^\s"]+')
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]*:(?![:=])[ \t]*")


def same(a: Any, b: Any, loose: bool = False) -> bool:
    """Whether two trees are equal but for their spans."""
    return difference(a, b, loose) is None


def difference(a: Any, b: Any, loose: bool = False) -> str | None:
    """The path to the first difference of two trees, or None."""
    todo: list[tuple[Any, Any, str]] = [(a, b, "")]
    while todo:
        a, b, path = todo.pop()
        if type(a) is not type(b):
            return f"{path}: {type(a).__name__} or {type(b).__name__}"
        if is_dataclass(a):
            for field in fields(a):
                if field.name == "span":
                    continue
                left, right = getattr(a, field.name), getattr(b, field.name)
                if loose and isinstance(a, RawLine) and field.name == "text":
                    left, right = raw_form(left), raw_form(right)
                todo.append((left, right, f"{path}.{field.name}"))
        elif isinstance(a, (tuple, list)):
            if len(a) != len(b):
                return f"{path}: {len(a)} or {len(b)} items"
            todo.extend((x, y, f"{path}[{i}]") for i, (x, y) in enumerate(zip(a, b, strict=True)))
        elif a != b:
            return f"{path}: {a!r} or {b!r}"
    return None


def raw_form(text: str) -> str:
    """A raw line with its white space evened out: rows by cell, `key: value` by key."""
    if text.startswith("|"):
        return " | ".join(" ".join(_WORD.findall(cell)) for cell in cells(text))
    key = _KEY.match(text)
    if key:
        text = f"{key.group(1)}: {text[key.end() :]}"
    return text.rstrip()


def cells(row: str) -> list[str]:
    """The cells of a table row, trimmed; a bar inside quotes does not cut."""
    parts = [""]
    quoted = False
    for ch in row.strip():
        if ch == '"':
            quoted = not quoted
        if ch == "|" and not quoted:
            parts.append("")
        else:
            parts[-1] += ch
    return [part.strip() for part in parts]
