"""Equivalent mutants: those for which a book argues that no position distinguishes them from the rules.

In:  the file `equivalent.tsv` of a book, an id and a reason a line.
Out: the reasons by id; entries that match no mutant any longer.

Only a mutant that no example can detect may be listed, and at most three in a hundred.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulewright.runtime.problems import Refusal

from ..passes.compiled import Compiled
from ..read.library import find_book
from ..read.sources import split_name

FILE = "equivalent.tsv"


def file_of(made: Compiled) -> Path | None:
    """The file of a book, where it has one."""
    source = find_book(split_name(made.name)[0], made.places)
    path = source.root / FILE if source is not None and len(source.files) > 1 else None
    return path if path is not None and path.is_file() else None


def read_reasons(path: Path | None) -> dict[str, str]:
    """The reasons by the id of their mutant; lines that begin with # are comments."""
    found: dict[str, str] = {}
    for i, line in enumerate(path.read_text(encoding="utf-8").split("\n") if path is not None else (), 1):
        if not line.strip() or line.startswith("#"):
            continue
        id, _, reason = line.partition("\t")
        if not reason.strip():
            raise Refusal(f"{path}:{i}: an id, a tab and the reason are expected")
        if id in found:
            raise Refusal(f"{path}:{i}: {id} stands there twice")
        found[id] = reason.strip()
    return found


def stale(reasons: Iterable[str], known: Iterable[str]) -> list[str]:
    """The ids that match no mutant of the book any longer."""
    ids = {*known}
    return sorted(id for id in reasons if id not in ids)
