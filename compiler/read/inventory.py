"""The inventory of a printed book: the ids of its cases.

In:  the files of a rule set, and the marks of those whose cases bear one.
Out: the first column of each `inventory.tsv` beside them, with their marks; nothing where a book ships none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..core.case_marks import marked


def printed_cases(files: Iterable[Path], file_marks: Mapping[Path, str]) -> set[str]:
    """The cases of the printed books, as the rule set calls them."""
    found: set[str] = set()
    for folder, mark in sorted({(file.parent, file_marks.get(file, "")) for file in files}):
        try:
            lines = (folder / "inventory.tsv").read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            continue
        found |= {marked(mark, line.split("\t")[0]) for line in lines[1:] if line.strip()}
    return found
