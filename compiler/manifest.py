"""The manifest and the source map of a compiled rule set: what it was made from, case by case and line by line.

Both are the same bytes wherever the files lie: a file is named by as much of its path as tells it from the others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .core.house_values import house_values
from .pipeline import Compiled
from .read.sources import display


def manifest(made: Compiled) -> str:
    """Names, hashes and counts as JSON, the same bytes for the same text."""
    assert made.book is not None and made.entries is not None
    book = made.book
    cases: dict[str, Any] = {}
    for entry in made.entries:
        h = cases.setdefault(entry.case, hashlib.sha256())
        h.update(entry.node.span.text.encode())
    document = {
        "book": book.name,
        "title": book.title,
        "overlays": list(book.overlays),
        "digest": made.digest,
        "cases": {case: h.hexdigest()[:16] for case, h in cases.items()},
        "files": [*short_names(made.sources).values()],
        "house": [{"what": h.what, "case": h.case} for h in house_values(made.entries)],
        "unclear": [
            {"name": u.name, "case": u.case, "readings": [r for r, _ in u.readings]} for u in book.unclear.values()
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def short_names(sources: Iterable[Path]) -> dict[Path, str]:
    """Files by the end of their path that no other of them shares."""
    paths = [*dict.fromkeys(sources)]
    found: dict[Path, str] = {}
    for path in paths:
        parts = path.as_posix().split("/")
        for n in range(1, len(parts) + 1):
            name = "/".join(parts[-n:])
            if not any(f"/{other.as_posix()}".endswith(f"/{name}") for other in paths if other != path):
                break
        found[path] = name
    return found


def source_map(made: Compiled) -> str:
    """For every module the lines of the rules that its lines come from, and what its functions are asked about.

    A line of a module has its case, the number of a file, the line there and the element; `text` holds those lines.
    """
    assert made.emitted is not None
    names = {display(path, path.resolve()): name for path, name in short_names(made.sources).items()}
    files: dict[str, int] = {}
    wanted: dict[str, set[int]] = {}
    modules: dict[str, list[list[Any]]] = {}
    for module, rows in made.emitted.map.items():
        lines = modules[module] = []
        for line, case, file, rules_line, element in rows:
            name = names.get(file, file.rpartition("/")[2])
            wanted.setdefault(file, set()).add(rules_line)
            lines.append([line, case, files.setdefault(name, len(files)), rules_line, element])
    text: dict[str, dict[int, str]] = {}
    for path in made.sources:
        shown = display(path, path.resolve())
        if shown in wanted:
            lines_ = path.read_text(encoding="utf-8").split("\n")
            text[names[shown]] = {n: lines_[n - 1].strip() for n in sorted(wanted[shown]) if n <= len(lines_)}
    document = {
        "files": list(files),
        "modules": modules,
        "asked": made.emitted.asked,
        "text": text,
    }
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\n"
