"""What the books are made of: lines, cases, and the constructs that only one of them uses.

    python tools/constructs.py [BOOK …]

Lines hold text that is no comment; examples and overlays are counted apart. A construct is a kind of syntax node or a
built-in word.
"""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulewright.compiler.core.builtins import BUILTINS
from rulewright.compiler.read.library import installed
from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse

BOOKS = ("trc", "tdv", "fite", "fragment")


def walk(node: Any) -> Iterator[Any]:
    """A node and all nodes below it."""
    if isinstance(node, tuple | list):
        for x in node:
            yield from walk(x)
    elif dataclasses.is_dataclass(node) and isinstance(node, n.Node):
        yield node
        for field in dataclasses.fields(node):
            yield from walk(getattr(node, field.name))


def lines(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    return sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("#"))


def measure(book: str) -> tuple[Counter[str], Counter[str]]:
    """Lines and cases of a book, and how often it uses each construct."""
    told: Counter[str] = Counter()
    used: Counter[str] = Counter()
    root = installed() / book
    for path in sorted(root.rglob("*.rules")):
        part = {"examples": "examples", "overlays": "overlays"}.get(path.relative_to(root).parts[0], "rules")
        told[part] += lines(path)
        report = Reporter()
        for node in walk(parse(path.read_text(encoding="utf-8"), str(path), report)):
            name = type(node).__name__
            used[name] += 1
            if isinstance(node, n.Case) and part == "rules":
                told["cases"] += 1
            if isinstance(node, n.Call) and node.name in BUILTINS:
                used[f"{node.name}(…)"] += 1
    return told, used


def main() -> None:
    books = sys.argv[1:] or BOOKS
    found = {book: measure(book) for book in books}
    print(f"{'book':10} {'rules':>7} {'cases':>7} {'lines a case':>13} {'examples':>9} {'overlays':>9}")
    for book, (told, _) in found.items():
        share = told["rules"] / max(1, told["cases"])
        print(f"{book:10} {told['rules']:7} {told['cases']:7} {share:13.1f} {told['examples']:9} {told['overlays']:9}")
    everything = sorted({name for _, used in found.values() for name in used})
    for book, (_, used) in found.items():
        others = {x for b, (_, other) in found.items() if b != book for x in other}
        alone = [x for x in everything if x in used and x not in others]
        print(f"only {book}: " + (", ".join(f"{x} ({used[x]})" for x in alone) or "nothing"))


if __name__ == "__main__":
    main()
