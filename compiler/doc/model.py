"""The model behind the reference pages: cases, their blocks, notes and declarations.

In:  an analysed rule set, and its files.
Out: for each case its blocks in reading order; each declaration as it is after all overlays, with its text and with
     the overlays that struck or changed it.

An unchanged declaration is shown in its author's text and layout; only one that an overlay changed is printed from its
syntax tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse
from rulewright.dsl.print import print_expression, print_rules
from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core.case_marks import chapter, mark_of, marked, one_word
from ..core.case_order import Key, natural
from ..core.entries import Entry
from ..index import Indexer, Item, Mention, declared, shown_name
from ..passes.compiled import given
from ..pipeline import Compiled
from ..read.case_numbers import renumbered
from ..read.library import Source, find_book
from ..read.sources import display, read_files, split_name

AMENDMENTS = (n.Amend, n.AmendPrinted, n.Strike, n.Rows, n.Replace, n.Rename, n.MoveCase, n.Insert)


@dataclass(slots=True, eq=False)
class Declaration:
    """One declaration: `state` says that it is in force, that it amends another, that it was struck, or that the text
    had it already."""

    entry: Entry
    case: str
    state: str
    sort: str
    name: str
    anchor: str
    text: str
    file: str
    line: int
    item: Item | None
    mentions: list[Mention]
    before: str = ""
    under: tuple[str, ...] = ()

    @property
    def href(self) -> str:
        return f"{page_of(self.case)}#{self.anchor}"

    @property
    def label(self) -> str:
        """Its label in lists: case, name, and its sort where the name is not clear without."""
        return f"{self.case} {self.title}".strip()

    @property
    def title(self) -> str:
        if self.sort == "example":
            return f"“{self.name}”"
        return f"{self.sort} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Remark:
    text: str


@dataclass(slots=True)
class Block:
    """One `case` block of the text; a case may have several, in several files."""

    title: str
    file: str
    line: int
    overlay: str
    items: list[Remark | Declaration] = field(default_factory=list)


@dataclass(slots=True)
class Case:
    id: str
    title: str
    blocks: list[Block] = field(default_factory=list)
    moved_to: str = ""

    @property
    def href(self) -> str:
        return case_href(self.id)

    def declarations(self) -> Iterator[Declaration]:
        yield from (x for b in self.blocks for x in b.items if isinstance(x, Declaration))


@dataclass(slots=True)
class Model:
    """A rule set as the reference pages show it."""

    book: c.Book
    cases: dict[str, Case]
    chapters: dict[str, list[Case]]
    intros: dict[str, str]

    def declarations(self) -> Iterator[Declaration]:
        for case in self.cases.values():
            yield from case.declarations()


def page_of(case: str) -> str:
    return f"chapter-{one_word(chapter(case))}.html"


def case_anchor(case: str) -> str:
    return f"case-{one_word(case)}"


def case_href(case: str) -> str:
    return f"{page_of(case)}#{case_anchor(case)}"


def lay_out(made: Compiled) -> Model:
    """The model of a rule set; it must have no errors."""
    assert made.book is not None and made.entries is not None
    return Layout(made, made.book, made.entries).model()


class Layout:
    def __init__(self, made: Compiled, book: c.Book, entries: list[Entry]) -> None:
        self.made, self.book = made, book
        self.files = file_names(made)
        self.standing = {spot(e.as_written.span): e for e in entries if e.as_written is not None}
        self.moves: dict[str, str] = {}
        self.anchors: dict[str, int] = {}
        self.cases: dict[str, Case] = {}

    def model(self) -> Model:
        decls = self.read()
        layers = [(head.name, layer.body) for head, layer in self.made.layers]
        blocks = [(d, "") for d in decls if isinstance(d, n.Case) and d.id in self.book.cases]
        blocks += [(d, name) for name, body in layers for d in body if isinstance(d, n.Case)]
        self.moves = {x.old: x.new for d, _ in blocks for x in d.body if isinstance(x, n.MoveCase)}
        for decl, overlay in blocks:
            self.block(decl, overlay)
        for id, title in self.book.cases.items():
            if id not in self.cases:
                self.cases[id] = Case(id, title, moved_to=self.moves.get(id, ""))
        cases = {id: self.cases[id] for id in sorted(self.cases, key=self.order)}
        chapters: dict[str, list[Case]] = {}
        for case in cases.values():
            chapters.setdefault(chapter(case.id), []).append(case)
        return Model(self.book, cases, chapters, self.intros(decls))

    def order(self, case: str) -> tuple[int, Key]:
        """The series, the book, and behind them the libraries, of which a reader of the print knows nothing."""
        series = given(self.made.collected).marks.values()
        return 0 if (mark := mark_of(case)) and mark in series else 2 if mark else 1, natural(case)

    def read(self) -> list[n.Decl]:
        """The declarations of all files as they are written, with the marks of their cases."""
        found: list[n.Decl] = []
        for path in dict.fromkeys(self.made.sources):
            mark = self.made.file_marks.get(path, "")
            for decl in read_files(Source(name="", root=Path(), files=(path,)), Reporter(), self.made.texts):
                found.append(renumbered(decl, lambda number, *_: marked(mark, number)) if mark else decl)  # noqa: B023
        return found

    def intros(self, decls: list[n.Decl]) -> dict[str, str]:
        """The comment at the top of the file in which a chapter begins."""
        homes: dict[str, str] = {}
        for d in decls:
            if isinstance(d, n.Case):
                homes.setdefault(chapter(d.id), d.span.file)
        tops = {display(p, p.resolve()): p for p in self.made.sources}
        first = {file: id for id, file in reversed(homes.items())}
        found = {}
        for id, file in homes.items():
            if file in tops and first[file] == id:
                found[id] = opening(self.made.texts.get(tops[file].resolve()) or tops[file].read_text(encoding="utf-8"))
        return found

    # ------------------------------------------------------------ blocks

    def block(self, decl: n.Case, overlay: str) -> None:
        id = self.moves.get(decl.id, decl.id)
        made = Block(decl.title, self.files.get(decl.span.file, decl.span.file), decl.span.line, overlay)
        title = self.book.cases.get(decl.id, decl.title)
        self.cases.setdefault(id, Case(id, title)).blocks.append(made)
        self.body(decl.body, id, decl, overlay, made, (), False)

    def body(
        self,
        body: Iterable[n.Decl],
        case: str,
        home: n.Case,
        overlay: str,
        into: Block,
        under: tuple[n.Expr, ...],
        house: bool,
    ) -> None:
        for d in body:
            match d:
                case n.Note():
                    into.items.append(Remark(d.text))
                case n.Under():
                    self.body(d.body, case, home, overlay, into, (*under, d.guard), house)
                case n.House():
                    self.body((d.decl,), case, home, overlay, into, under, True)
                case n.Case():
                    self.block(d, overlay)
                case n.Covers():
                    pass
                case _:
                    entry = self.standing.get(spot(d.span))
                    state = "stands"
                    if isinstance(d, AMENDMENTS):
                        state = "amends"
                    elif entry is None:
                        state = "already" if home.already else "struck"
                    entry = entry or Entry(
                        node=d, case=case, title=home.title, overlay=overlay, under=under, house=house, as_written=d
                    )
                    into.items.append(self.declaration(entry, case, d, state))

    def declaration(self, e: Entry, case: str, written: n.Decl, state: str) -> Declaration:
        node = e.node
        sort, names, _ = declared(node)
        name = names[0] if names else shown_name(node) or aimed(node)
        changed = e.as_written is not None and node is not e.as_written
        text, node, indexer = printed(node, e.case) if changed else as_written(node)
        indexer.declaration(node, e.case, e.title, "", e.overlay)
        span = node.span
        mentions = [shifted(m, span) for m in indexer.block.mentions if span.row <= m.row <= span.end_row]
        return Declaration(
            entry=e,
            case=case,
            state=state,
            sort=sort if sort != "data" else getattr(node, "kind", sort),
            name=name,
            anchor=self.anchor(case, sort, name),
            text=text,
            file=self.files.get(written.span.file, written.span.file),
            line=written.span.line,
            item=indexer.block.items[0] if indexer.block.items else None,
            mentions=mentions,
            before=as_written(written)[0] if changed else "",
            under=tuple(print_expression(x) for x in e.under),
        )

    def anchor(self, case: str, sort: str, name: str) -> str:
        """An HTML id that does not depend on other cases; duplicates within a case are numbered."""
        word = "" if sort == "example" else "-".join(re.findall(r"\w+", name.partition("“")[0]))
        base = "-".join(filter(None, (one_word(case), sort, word)))
        self.anchors[base] = self.anchors.get(base, 0) + 1
        return base if self.anchors[base] == 1 else f"{base}-{self.anchors[base]}"


# ---------------------------------------------------------------- texts


def aimed(node: n.Decl) -> str:
    """The name under which an amendment or a waiver is listed: that of its target."""
    match node:
        case n.AmendPrinted():
            return f"{node.thing}.{node.field}"
        case n.MoveCase():
            return f"{node.old} to {node.new}"
        case n.Insert():
            return f"{node.where} {node.phase}"
        case _:
            target = getattr(node, "target", None)
            if not isinstance(target, n.Target):
                return ""
            example = f"“{node.example}”" if isinstance(node, n.Strike) and node.example is not None else ""
            return " ".join(filter(None, (", ".join(target.cases), target.name, example)))


def as_written(node: n.Decl) -> tuple[str, n.Decl, Indexer]:
    """The author's text of a declaration, dedented."""
    lines = node.span.text.split("\n")
    left = node.span.column - 1
    lines[1:] = [x[left:] if not x[:left].strip() else x.lstrip() for x in lines[1:]]
    return "\n".join(lines), node, Indexer(node.span.origin.text)


def printed(node: n.Decl, case: str) -> tuple[str, n.Decl, Indexer]:
    """An amended declaration as an author would write it."""
    text = print_rules([n.Case(id=case, title="", body=(node,), span=node.span)])
    again = parse(text, "amended", Reporter())
    home = again[0]
    assert isinstance(home, n.Case) and len(home.body) == 1, text
    shown, inner, _ = as_written(home.body[0])
    return shown, inner, Indexer(text)


def shifted(m: Mention, span: Span) -> Mention:
    """A mention with its position relative to the start of the declaration."""
    return Mention(
        m.text,
        m.row - span.row,
        m.column - span.column,
        form=m.form,
        realm=m.realm,
        declares=m.declares,
        within=m.within,
        cases=m.cases,
    )


def opening(text: str) -> str:
    """The comment at the top of a file, as one paragraph."""
    lines = []
    for line in text.split("\n"):
        if line.startswith("#"):
            lines.append(line.lstrip("# ").strip())
        elif line.strip() or lines:
            break
    return " ".join(lines).strip()


# ---------------------------------------------------------------- files


def file_names(made: Compiled) -> dict[str, str]:
    """A short name for each file of the spans, so that pages hold no path of the machine that made them."""
    source = find_book(split_name(made.name)[0])
    found = {}
    for path in made.sources:
        real = path.resolve()
        shown = real.name
        if source is not None and real.is_relative_to(source.root.resolve()):
            shown = real.relative_to(source.root.resolve()).as_posix()
        elif real.parent.name == "lib":
            shown = f"lib/{real.name}"
        found[display(path, real)] = shown
    return found


def spot(span: Span) -> tuple[str, int, int]:
    return span.file, span.line, span.column
