"""The files and rule sets of an editor session.

In:  the paths of files, and the texts of open ones, saved or not.
Out: for each file its index, the rule set that it belongs to, and the index of all files of that rule set.

A file belongs to the nearest folder (its own, or one above) whose files hold exactly one `book` line; a file with a
`book` line of its own next to other books is a book by itself. A file of overlays without a book around it is analysed
with the book that it amends. Only blocks whose text has changed are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.compiler.cache.parsed_blocks import forget, keep, read_back, stored
from rulewright.compiler.index import REALMS, Block, Item, Mention, index_block, marked_block, rough
from rulewright.compiler.read.library import Source, find_book, find_library, folder
from rulewright.compiler.read.sources import display
from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Diagnostic, Reporter
from rulewright.dsl.parse import Memory, blocks, parse

from .positions import lines_of

LEVELS = 3
_BOOK = re.compile(r"(?m)^book[ \t]+([A-Za-z_][A-Za-z0-9_]*)(?:[ \t]+of[ \t]+([A-Za-z_][A-Za-z0-9_]*))?")
_USE = re.compile(r"(?m)^use[ \t]+([A-Za-z_][A-Za-z0-9_]*)")
_OVERLAY = re.compile(
    r"(?m)^(?:option|errata|expansion|variant|edition)[ \t]+([A-Za-z_][A-Za-z0-9_]*)"
    r"[ \t]+of[ \t]+([A-Za-z_][A-Za-z0-9_]*)"
)


@dataclass(frozen=True, slots=True)
class Spot:
    """A mention in a file, with its line counted from 1."""

    path: Path
    line: int
    mention: Mention
    item: Item | None

    @property
    def column(self) -> int:
        return self.mention.column


@dataclass(slots=True)
class FileIndex:
    """The index of one file as last read."""

    path: Path
    text: str
    lines: list[str]
    found: list[Diagnostic] = field(default_factory=list)
    blocks: list[tuple[int, Block]] = field(default_factory=list)
    _spots: list[Spot] | None = None
    _marked: dict[str, FileIndex] = field(default_factory=dict)

    def marked(self, mark: str) -> FileIndex:
        """The same index for a rule set in which the cases of this file bear a mark."""
        if not mark:
            return self
        if mark not in self._marked:
            blocks = [(line, marked_block(block, mark)) for line, block in self.blocks]
            self._marked[mark] = FileIndex(self.path, self.text, self.lines, self.found, blocks)
        return self._marked[mark]

    def spots(self) -> list[Spot]:
        """Every mention, in the order of the blocks."""
        if self._spots is None:
            self._spots = [
                Spot(self.path, line + m.row - 1, m, block.items[m.within] if m.within >= 0 else None)
                for line, block in self.blocks
                for m in block.mentions
            ]
        return self._spots

    def items(self) -> Iterator[tuple[int, Item]]:
        """Every declaration with the line where its block starts."""
        for line, block in self.blocks:
            yield from ((line, item) for item in block.items)

    def raw(self) -> Iterator[tuple[int, int, str, str]]:
        """Every data line: line, column, text and kind."""
        for line, block in self.blocks:
            yield from ((line + row - 1, column, text, kind) for row, column, text, kind in block.raw)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """What is analysed together: names of rule sets, where to look for them, their own files, and those below with
    the marks that their cases bear."""

    names: tuple[str, ...]
    root: Path
    places: tuple[Path, ...]
    own: tuple[Path, ...]
    below: tuple[tuple[Path, str], ...]

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys((*self.own, *(path for path, _ in self.below))))

    def mark(self, path: Path) -> str:
        """The mark of the cases of a file; empty for the book's own."""
        return "" if path in self.own else next((mark for file, mark in self.below if file == path), "")


class Project:
    """All files known so far; `texts` holds the open ones by resolved path."""

    def __init__(self) -> None:
        self.texts: dict[Path, str] = {}
        self._files: dict[Path, tuple[object, FileIndex]] = {}
        self._memories: dict[Path, Memory] = {}
        self._blocks: dict[Path, dict[str, Block]] = {}
        self._view: View | None = None

    # ------------------------------------------------------------ files

    def text(self, path: Path) -> str | None:
        """The text of a file, open or on disk; None where it cannot be read."""
        if path in self.texts:
            return self.texts[path]
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def file(self, path: Path) -> FileIndex | None:
        """The index of a file, updated if its text has changed."""
        stamp = self._stamp(path)
        known = self._files.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        text = self.text(path)
        if text is None:
            return None
        made = self._index(path, text)
        self._files[path] = (stamp, made)
        return made

    def _stamp(self, path: Path) -> object:
        if path in self.texts:
            return self.texts[path]
        try:
            status = path.stat()
        except OSError:
            return None
        return (status.st_mtime_ns, status.st_size)

    def _index(self, path: Path, text: str) -> FileIndex:
        memory = self._memories.get(path)
        if memory is None:
            memory = self._memories[path] = read_back(stored(str(path)))
        report = Reporter()
        before = len(memory)
        made = FileIndex(path, text, lines_of(text))
        parsed: dict[int, list[n.Decl]] = {}
        for decl in parse(text, display(path, path.resolve()), report, memory):
            parsed.setdefault(decl.span.origin.line, []).append(decl)
        known = self._blocks.setdefault(path, {})
        fresh: dict[str, Block] = {}
        for line, block in blocks(text):
            decls = parsed.get(line)
            if block not in fresh:
                fresh[block] = known.get(block) or (index_block(tuple(decls), block) if decls else rough(block))
            made.blocks.append((line, fresh[block]))
        self._blocks[path] = fresh
        if path in self.texts:
            forget(memory, set(fresh))
        elif len(memory) != before:
            keep(path.resolve(), memory, set(fresh))
        made.found = report.found
        return made

    # ------------------------------------------------------------ rule sets

    def rule_set(self, path: Path) -> RuleSet | None:
        """The rule set of a file; None for a file that belongs to no book."""
        text = self.text(path) or ""
        root = self._root(path, text)
        layers = _OVERLAY.findall(text)
        if root is not None:
            source = (
                folder(root.name, root) if root.is_dir() else Source(name=path.stem, root=path.parent, files=(path,))
            )
            own = tuple(p.resolve() for p in source.files)
            places = (source.root, source.root.parent)
            base = str(root)
            names = tuple(f"{base}+{name}" for name, _ in layers) or (base,)
            return RuleSet(names, root, places, own, self._below(own, places))
        if layers and path.is_file():
            places = (path.parent, path.parent.parent)
            below: tuple[Path, ...] = ()
            names = ()
            for name, of in layers:
                book = find_book(of, places)
                if book is not None:
                    below += tuple(p.resolve() for p in book.files)
                    names += (f"{of}+{path}" if not names else f"{of}+{path}+{name}",)
            if names:
                amended = tuple((file, "") for file in below)
                return RuleSet(names[:1], path, places, (path,), (*amended, *self._below(below, places)))
        return None

    def _root(self, path: Path, text: str) -> Path | None:
        """The folder of the book that a file belongs to, or the file itself."""
        mine = _BOOK.search(text) is not None
        place = path.parent
        for _ in range(LEVELS):
            try:
                files = [p for p in place.glob("*.rules") if p.is_file()]
            except OSError:
                return None
            heads = [p for p in files if _BOOK.search(text if p == path else self._opening(p))]
            if len(heads) == 1 and (not mine or (heads[0] == path and len(files) > 1)):
                return place
            if mine or len(heads) > 1:
                return path if mine and path.is_file() else None
            place = place.parent
        return None

    def _opening(self, path: Path) -> str:
        """The beginning of a file, where its `book` line is."""
        if path.resolve() in self.texts:
            return self.texts[path.resolve()][:4000]
        try:
            with path.open(encoding="utf-8", errors="replace") as file:
                return file.read(4000)
        except OSError:
            return ""

    def _below(self, files: Iterable[Path], places: tuple[Path, ...]) -> tuple[tuple[Path, str], ...]:
        """The files of the books and libraries that these files build on, each with the name it is called by here."""
        found: list[tuple[Path, str]] = []
        todo = list(files)
        seen = set(todo)
        while todo:
            text = self._opening(todo.pop())
            wanted = [(on, find_book(on, places)) for _, on in _BOOK.findall(text) if on]
            wanted += [(name, find_library(name, places)) for name in _USE.findall(text)]
            for mark, source in wanted:
                for file in (p.resolve() for p in (source.files if source is not None else ())):
                    if file not in seen:
                        seen.add(file)
                        found.append((file, mark))
                        todo.append(file)
        return tuple(found)

    def view(self, path: Path) -> View:
        """The view from a file: everything its names can refer to."""
        rules = self.rule_set(path)
        files = rules.files if rules is not None else (path,)
        indexed = [f for f in map(self.file, dict.fromkeys((path, *files))) if f is not None]
        indexed = [f.marked(rules.mark(f.path)) for f in indexed] if rules is not None else indexed
        known = self._view
        if known is None or known.path != path or known.rules != rules or not same(known.files, indexed):
            known = self._view = View(path, rules, indexed)
        return known


def same(some: list[FileIndex], others: list[FileIndex]) -> bool:
    """Whether two lists hold the same objects."""
    return len(some) == len(others) and all(a is b for a, b in zip(some, others, strict=True))


class View:
    """The files of one rule set, and name resolution in it."""

    def __init__(self, path: Path, rules: RuleSet | None, files: list[FileIndex]) -> None:
        self.path = path
        self.rules = rules
        self.files = files
        self.declared: dict[str, list[Spot]] = {}
        for file in files:
            for spot in file.spots():
                if spot.mention.declares:
                    self.declared.setdefault(spot.mention.meant, []).append(spot)

    def spots(self) -> Iterator[Spot]:
        for file in self.files:
            yield from file.spots()

    def file(self, path: Path) -> FileIndex | None:
        return next((f for f in self.files if f.path == path), None)

    def at(self, line: int, column: int) -> Spot | None:
        """The mention at a position of the open file; line and column count from 1."""
        file = self.file(self.path)
        for spot in file.spots() if file is not None else ():
            if spot.line == line and spot.mention.column <= column <= spot.mention.end:
                return spot
        return None

    def resolve(self, spot: Spot) -> list[Spot]:
        """The declarations that a mention refers to; none where it is local or unknown."""
        m = spot.mention
        if m.declares:
            return self.realm(m.meant, m.realm)
        if m.form == "name" and self.local(m.text, spot.item) is not None:
            return []
        found = self.meaning(m.meant, m.form)
        if m.cases and m.form != "case":
            near = [x for x in found if x.item is not None and x.item.case in m.cases]
            found = near or found
        return found

    def meaning(self, word: str, form: str) -> list[Spot]:
        """The declarations that a word in this form can refer to."""
        if form == "case":
            return self.case(word)
        for realm in REALMS[form]:
            found = self.realm(word, realm)
            if found:
                return found
        return []

    def realm(self, word: str, realm: str) -> list[Spot]:
        return [x for x in self.declared.get(word, ()) if x.mention.realm == realm]

    def case(self, number: str) -> list[Spot]:
        """A case, or the nearest one above it that exists: `12.5/p2` may be a part of 12.5."""
        while number:
            found = self.realm(number, "case")
            if found:
                return found
            number = number[: max(number.rfind("/"), number.rfind("."), 0)]
        return []

    def local(self, word: str, item: Item | None) -> tuple[Spot | None, str] | None:
        """Where a parameter is declared, with its type; None where the word is no local name."""
        if item is None:
            return None
        owners = [item]
        owner = self.lender(item)
        if owner is not None and owner.item is not None:
            owners.append(owner.item)
        for one in owners:
            for name, kind, row, column in one.params:
                if name == word:
                    home = next((x for x in self.spots() if x.item is one and x.mention.declares), None)
                    if home is None:
                        return None, kind
                    where = Spot(home.path, home.line - home.mention.row + row, Mention(name, row, column), one)
                    return where, kind
        if not any(word in one.locals for one in owners):
            return None
        bound = [x for x in self.declared.get(word, ()) if x.mention.realm in ("local", "answer") and x.item is item]
        return (bound[0] if bound else None), ""

    def lender(self, item: Item) -> Spot | None:
        """The declaration whose parameters an amendment sees."""
        if not item.lends:
            return None
        if item.lends.startswith("@"):
            cases = item.lends[1:].split(",")
            found = [
                x
                for spots in self.declared.values()
                for x in spots
                if x.item is not None and x.item.case in cases and x.item.params
            ]
        else:
            found = self.realm(item.lends, "name") or self.realm(item.lends, "label")
        return found[0] if found else None
