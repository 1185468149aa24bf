"""The rule sets that files belong to: what to check and test when they have changed.

In:  paths of files.
Out: names of rule sets, each once: the book that a file is part of, with each overlay that the file declares; for an
     overlay in a file of its own, its book with it; for a library, the books below the same folder that use it.
Reports: the files that belong to no book.

A folder with one `book` line below it is a book; so is a file with such a line in a folder that holds several.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..read.library import find_book, lent
from ..read.opening_lines import BOOK, OVERLAY, REQUIRES, USE


@dataclass(frozen=True, slots=True)
class Opened:
    """What a file declares: books, overlays with the book and what each requires, libraries that it uses."""

    books: tuple[str, ...]
    overlays: tuple[tuple[str, str, tuple[str, ...]], ...]
    uses: tuple[str, ...]


def rule_sets(files: Iterable[Path]) -> tuple[list[str], list[Path]]:
    """The rule sets of some files, and the files that belong to none."""
    found: dict[str, None] = {}
    stray = []
    for file in files:
        names = names_of(file)
        found.update(dict.fromkeys(names))
        stray += [] if names or lent(str(file)) else [file]
    opened.cache_clear()
    return list(found), stray


def names_of(file: Path) -> list[str]:
    """The rule sets of one file."""
    here = Path(os.path.abspath(file))
    own = opened(here)
    for folder in here.parents:
        books = books_below(folder)
        if books:
            break
        if (folder / ".git").exists() or folder == Path.cwd():
            break
    if len(books) == 1:
        one = called(folder)
        return [one, *(stacked(one, needs, name) for name, _, needs in own.overlays)]
    if own.books:
        one = called(here)
        return [one, *(stacked(one, needs, name) for name, _, needs in own.overlays)]
    if own.overlays:
        known = {name: called(home_of(path, folder)) for path in books for name in opened(path).books}
        homes = [(known.get(of, of), needs) for _, of, needs in own.overlays[:1]]
        return [stacked(home, needs, called(here)) for home, needs in homes if find_book(home) is not None]
    homes_below = {home_of(path, folder): None for path in books}
    return [called(x) for x in homes_below if here.stem in uses_of(x)] if lent(str(here)) else []


def stacked(book: str, needs: tuple[str, ...], overlay: str) -> str:
    return "+".join((book, *needs, overlay))


def home_of(path: Path, top: Path) -> Path:
    """The folder that is the book of a file with a `book` line, or the file where its folder holds several books."""
    home = path
    for folder in path.parents:
        if folder == top or len(books_below(folder)) > 1:
            return home
        home = folder
    return home


def uses_of(home: Path) -> set[str]:
    files = rules_below(home) if home.is_dir() else [home]
    return {name for file in files for name in opened(file).uses}


def called(path: Path) -> str:
    """A path as a name of a book: from here, with a stroke in it."""
    name = os.path.relpath(path)
    return name if "/" in name or name in (".", "..") or path.is_file() else f"./{name}"


def books_below(folder: Path) -> list[Path]:
    """The files below a folder that have a `book` line."""
    return [path for path in rules_below(folder) if opened(path).books]


def rules_below(folder: Path) -> list[Path]:
    """The rules files below a folder, but for hidden ones."""
    found = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(x for x in folders if not x.startswith("."))
        found += [Path(root) / name for name in sorted(files) if name.endswith(".rules")]
    return found


@cache
def opened(path: Path) -> Opened:
    """The opening lines of a file; one that cannot be read declares nothing."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
    except OSError:
        lines = []
    books = tuple(m[1] for line in lines if (m := BOOK.match(line)))
    uses = tuple(m[1] for line in lines if (m := USE.match(line)))
    overlays: list[tuple[str, str, tuple[str, ...]]] = []
    for line in lines:
        if m := OVERLAY.match(line):
            overlays.append((m[2], m[3], ()))
        elif overlays and (m := REQUIRES.match(line)):
            name, of, _ = overlays[-1]
            overlays[-1] = (name, of, tuple(x.strip() for x in m[1].split(",")))
    return Opened(books, tuple(overlays), uses)
