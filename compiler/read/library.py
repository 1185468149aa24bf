"""Find books: in the current project, then among the installed ones, or by path.

In:  a name or a path.
Out: the files of the book, library or overlay that it leads to, in a fixed order; None where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

DOCTRINES = "doctrines"
"""The folder beside a book in which its doctrines lie: they are found by name, and are no part of the rules."""
INSTALLED = Path(__file__).resolve().parents[2] / "rulebooks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The files of one book, library or overlay, in a fixed order."""

    name: str
    root: Path
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Lookup:
    """A name that was looked for, where first, and the folder that it led to: another place may hold another one."""

    sort: str
    name: str
    places: tuple[Path, ...] = ()
    root: Path | None = None


def find(lookup: Lookup) -> Source | None:
    """What a name leads to from here."""
    return (find_library if lookup.sort == "library" else find_book)(lookup.name, lookup.places)


def installed() -> Path:
    """Where the installed books are."""
    if INSTALLED.is_dir():
        return INSTALLED
    from importlib import resources

    return Path(str(resources.files("rulewright.rulebooks")))


def find_book(name: str, places: tuple[Path, ...] = ()) -> Source | None:
    """A book by name or by path (a folder, or one file)."""
    if not name:
        return None
    path = Path(name)
    if path.suffix == ".rules" and path.is_file():
        return Source(name=path.stem, root=path.parent, files=(path,))
    if ("/" in name or name in (".", "..")) and path.is_dir() and any(path.rglob("*.rules")):
        return folder(path.resolve().name, path)
    for place in (*places, Path("rulebooks"), Path(), installed()):
        found = place / name
        if found.is_dir() and any(found.rglob("*.rules")):
            return folder(name, found)
        single = place / f"{name}.rules"
        if single.is_file():
            return Source(name=name, root=place, files=(single,))
    return None


def folder(name: str, root: Path) -> Source:
    """A book in a folder; the doctrines beside it are no part of its rules."""
    found = (path for path in root.rglob("*.rules") if DOCTRINES not in path.relative_to(root).parts)
    return Source(name=name, root=root, files=tuple(sorted(filter(readable, found), key=order)))


def doctrine_places(files: Iterable[Path]) -> tuple[Path, ...]:
    """The folders beside the files of a book that hold its doctrines."""
    return tuple(sorted({place for file in files if (place := file.parent / DOCTRINES).is_dir()}))


def readable(path: Path) -> bool:
    """A file, or a link that leads nowhere and is to be reported; no folder, no pipe."""
    return path.is_file() or (path.is_symlink() and not path.exists())


def order(path: Path) -> tuple[str, ...]:
    """Files in the order of their names, numbers as numbers."""
    import re

    return tuple(part.zfill(8) if part.isdigit() else part for part in re.split(r"(\d+)", path.as_posix()))


def find_library(name: str, places: tuple[Path, ...] = ()) -> Source | None:
    """A library that books `use`."""
    for place in (*(p / "lib" for p in places), Path("rulebooks/lib"), installed() / "lib"):
        single = place / f"{name}.rules"
        if single.is_file():
            return Source(name=name, root=place, files=(single,))
    return None


def lent(file: str) -> bool:
    """Whether a file belongs to a library, which lends more than a book may use."""
    return Path(file).parent.name == "lib"


def known_books() -> list[str]:
    found = []
    for place in (Path("rulebooks"), installed()):
        if place.is_dir():
            found += [
                p.name for p in sorted(place.iterdir()) if p.is_dir() and p.name != "lib" and any(p.rglob("*.rules"))
            ]
    return sorted(set(found))
