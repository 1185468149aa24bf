"""The desk: a working copy of a book, the texts that were tried, and where all of it lies.

In:  the name of a book or a file, a folder for the desk.
Out: the files of the working copy by name, read and written only inside it; copies as they were tried.
Reports: `Refusal` of a file that is none of the book's.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from rulewright.compiler.players import HEAD
from rulewright.compiler.read.library import DOCTRINES, doctrine_places, find_book
from rulewright.runtime.problems import Refusal

LONGEST = 2_000_000
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


class Desk:
    def __init__(self, given: str, folder: Path) -> None:
        source = find_book(given)
        if source is None or not source.files:
            raise Refusal(f'there is no book "{given}" to edit')
        self.single = len(source.files) == 1 and Path(given).suffix == ".rules"
        self.name = source.name
        self.folder = folder / source.name
        self.base = str(Path(given).resolve()) if self.single or "/" in given else given
        self.root = self.folder / "text" / source.name
        self.fresh = not self.root.exists()
        if self.fresh:
            self.root.mkdir(parents=True)
            for file in source.files:
                self._copy(file, source.root)
            for file in source.root.glob("*.tsv") if not self.single else ():
                self._copy(file, source.root)
        if not (self.root / DOCTRINES).is_dir():
            self._copy_doctrines(doctrine_places(source.files))

    def _copy_doctrines(self, places: Iterable[Path]) -> None:
        """The opponents of the book, so that a game under changed rules has them too."""
        for file in (file for place in places for file in sorted(place.glob("*.rules"))):
            head = HEAD.search(file.read_text(encoding="utf-8"))
            if head is not None and head[1] == self.name:
                (self.root / DOCTRINES).mkdir(exist_ok=True)
                shutil.copyfile(file, self.root / DOCTRINES / file.name)

    def _copy(self, file: Path, root: Path) -> None:
        to = self.root / file.relative_to(root)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, to)

    @property
    def rules(self) -> str:
        """The working copy as a rule set."""
        return self.rules_in(self.root)

    def rules_in(self, root: Path) -> str:
        return str(next(root.glob("*.rules"))) if self.single else str(root)

    # ------------------------------------------------------------ files

    def files(self) -> list[str]:
        """The files of the working copy, those of the book before its examples and overlays."""
        found = [x.relative_to(self.root).as_posix() for x in self.root.rglob("*.rules") if x.is_file()]
        return sorted(found, key=lambda x: (x.count("/"), x))

    def path(self, name: str) -> Path:
        """A file by its name, from the list of those that there are."""
        if name not in self.files():
            raise Refusal("there is no such file")
        return self.root / name

    def read(self, name: str) -> str:
        return self.path(name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        if len(text) > LONGEST:
            raise Refusal("this text is too long")
        path = self.path(name)
        new = path.with_suffix(".new")
        new.write_text(text, encoding="utf-8", newline="\n")
        new.replace(path)

    def changed(self, before: Path | None = None) -> list[str]:
        """The files that differ from another copy, or from the book."""
        source = find_book(self.base)
        root = before or (source.root if source is not None else self.root)
        here = {x: (self.root / x).read_bytes() for x in self.files()}
        return [x for x, text in here.items() if not (root / x).is_file() or (root / x).read_bytes() != text]

    # ------------------------------------------------------------ what was tried

    @property
    def tried(self) -> list[Path]:
        """The texts under which games were begun or went on, the last one last."""
        found = self.folder / "tried"
        return sorted(found.iterdir(), key=lambda x: int(x.name)) if found.is_dir() else []

    def keep(self) -> Path:
        """The working copy as it is now, kept for the game that is played under it; the same text is kept once."""
        tried = self.tried
        if tried and not self.changed(tried[-1] / self.name):
            return tried[-1] / self.name
        number = int(tried[-1].name) + 1 if tried else 1
        to = self.folder / "tried" / str(number) / self.name
        shutil.copytree(self.root, to)
        return to

    def variant(self, name: str) -> Path:
        """Where a variant of this name is written."""
        if not NAME.fullmatch(name):
            raise Refusal("a variant is called by small letters, digits and underlines: long_marches")
        folder = self.folder / "variants"
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / f"{name}.rules").exists():
            raise Refusal(f'there is a variant "{name}", and games may be played under it: give this one another title')
        return folder / f"{name}.rules"
