"""Read what a concept is and which names of a book answer it.

In:  `concepts.tsv` of the library (and of a project's own `rulebooks/lib`): concepts with the names of the shared
     vocabulary; `concepts.tsv` of a book's folder (`NAME.concepts.tsv` beside a book of one file): names of its own.
Out: concepts in the order of the file.
Reports: `BadConcepts`, one line, for a row that cannot be read, a concept or point that nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.dsl.diagnostics import choose

from ..read.library import find_book, installed

FILE = "concepts.tsv"
POINTS = ("effects", "rounding", "measures", "dice", "choosers", "phases", "route", "winners", "rests")
"""The points by which books are compared; traits.py derives each from the core."""
WIN = "win"
"""In place of a name: whatever lets a side win."""


class BadConcepts(Exception):
    """What is wrong with a file of concepts, in one line."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing that every wargamer asks about."""

    name: str
    title: str
    thing: str
    """One of it, with its article: what a trait of another concept is said of."""
    question: str
    names: tuple[str, ...]
    points: tuple[str, ...]


def concepts() -> dict[str, Concept]:
    """The concepts of the library, and those that a project adds to it."""
    found: dict[str, Concept] = {}
    for path in dict.fromkeys((installed() / "lib" / FILE, Path("rulebooks/lib") / FILE)):
        if not path.is_file():
            continue
        for where, row in rows(path, ("concept", "title", "thing", "question", "names", "traits")):
            name, title, thing, question, names, traits = row
            unknown = [x for x in traits.split() if x not in POINTS]
            if unknown:
                help = choose(unknown[0], POINTS, "points") or f"there are: {', '.join(POINTS)}"
                raise BadConcepts(f'{where}: there is no point "{unknown[0]}" to compare; {help}')
            found[name] = Concept(name, title, thing, question, tuple(names.split()), tuple(traits.split()))
    return found


def own_names(book: str, known: Mapping[str, Concept]) -> dict[str, tuple[str, ...]]:
    """The names that a book's own file gives, by concept."""
    path = own_file(book)
    found: dict[str, tuple[str, ...]] = {}
    if path is None or not path.is_file():
        return found
    for where, (concept, names) in rows(path, ("concept", "names")):
        if concept not in known:
            help = choose(concept, known, "concepts") or f"there are: {', '.join(known)}"
            raise BadConcepts(f'{where}: there is no concept "{concept}"; {help}')
        found[concept] = (*found.get(concept, ()), *names.split())
    return found


def own_file(book: str) -> Path | None:
    """The file of concepts of a book, whether there is one or not."""
    source = find_book(book.partition("+")[0].partition("@")[0])
    if source is None:
        return None
    single = source.files[0] if len(source.files) == 1 and source.files[0].stem == source.name else None
    return single.with_suffix(f".{FILE}") if single is not None else source.root / FILE


def rows(path: Path, head: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The rows below the head of a file, each with its place; lines that begin with # are remarks."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadConcepts(f"{path}: it cannot be read ({error.__class__.__name__})") from error
    seen = False
    for number, line in enumerate(text.splitlines(), 1):
        cells = tuple(x.strip() for x in line.split("\t"))
        if not line.strip() or line.startswith("#"):
            continue
        if not seen:
            if cells != head:
                raise BadConcepts(f"{path}:{number}: the first row names the columns: {', '.join(head)} (by tabs)")
            seen = True
        elif len(cells) != len(head) or not all(cells[: len(head) - 1]):
            raise BadConcepts(f"{path}:{number}: a row has {len(head)} cells, by tabs: {', '.join(head)}")
        else:
            yield f"{path}:{number}", cells
