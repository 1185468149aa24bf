"""Lay the modules of a package out: head, imports, constants, functions case by case.

In:  printed functions and rows, with the names that they take from other modules.
Out: the text of each module, cut into pieces for the allow-list, and where its lines come from.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from ..core import nodes as c
from ..core.case_marks import chapter as chapter_of_case
from .chunks import Printed
from .fixed import Fixed
from .model.expressions import Expr, Name
from .model.literals import comment
from .model.printer import Printer
from .naming import Naming, chapter_of
from .package import SHARED
from .program.rows import Row
from .template_files import templates

Refs = set[tuple[str, str]]
Place = tuple[int, str, str, int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One module; its functions begin in the line after `head`, `arguments` are those of the program."""

    name: str
    head: str = ""
    functions: tuple[Printed, ...] = ()
    sections: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    walked: bool = True

    @property
    def file(self) -> str:
        return f"{self.name}.py"

    @property
    def text(self) -> str:
        if self.arguments:
            return self.head + program(self.arguments)
        return "".join((self.head, *(s + f.text for s, f in zip(self.sections, self.functions, strict=True))))

    @property
    def pieces(self) -> tuple[str, ...]:
        """The text cut between its statements; the arguments of the program are walked one by one."""
        if self.arguments:
            return (self.head, program(()))
        return (self.head, *(s + f.text for s, f in zip(self.sections, self.functions, strict=True)))

    def places(self) -> tuple[Place, ...]:
        """Where every line comes from."""
        found: list[Place] = []
        at = self.head.count("\n") + 1
        for section, f in zip(self.sections, self.functions, strict=True):
            at += section.count("\n")
            for i, case, span, element in f.rows:
                origin = span.origin
                found.append((at + i, case, origin.file, origin.line + span.row - 1, element))
            at += f.lines
        return tuple(found)


def chapter_module(
    book: c.Book, folder: str, name: str, functions: list[Printed], constants: list[tuple[str, Expr]]
) -> Module:
    """A chapter: the functions of its cases in order."""
    printer = Printer(name)
    for word, value in constants:
        printer.put(0, f"{word} = ", value)
    refs: Refs = set(printer.refs)
    for f in functions:
        refs |= f.refs
    refs -= {("", name)}
    chapter = next((chapter_of_case(f.case) for f in functions if chapter_of(f.case) == name), "")
    said = book.cases.get(chapter, "")
    title = f"{book.title or book.name}, chapter {chapter}" + (f": {said}" if said else "")
    if folder:
        title += " (traced)"
    sections, last = [], ""
    for f in functions:
        sections.append(section(f.case, book.cases.get(f.case, "")) if f.case != last else "")
        last = f.case
    head = header(book, title, folder, refs, printer.lines, bool(folder))
    return Module(name=folder + name, head=head, functions=tuple(functions), sections=tuple(sections))


@cache
def section(case: str, title: str) -> str:
    """The line above the functions of a case."""
    text: str = templates().get_template("section.py.j2").render(case=comment(case), title=comment(title))
    return text


def rules_module(book: c.Book, folder: str, rows: list[Row]) -> Module:
    """The entry: it assembles the program from the functions of the chapters."""
    refs: Refs = {("rulewright.runtime.program", "Program"), ("rulewright.runtime.state", "State")}
    for row in rows:
        refs |= row.refs
    title = f"{book.title or book.name}: the {'traced twin' if folder else 'rules'}"
    head = header(book, title, folder, refs, [], bool(folder))
    return Module(name=f"{folder}rules", head=head, arguments=tuple(row.text for row in rows))


def program(arguments: Iterable[str]) -> str:
    text: str = templates().get_template("program.py.j2").render(program=arguments)
    return text


def kept_module(book: c.Book, folder: str, names: list[str]) -> Module:
    """Where the answers of each function are kept in the state."""
    title = f"{book.title or book.name}: answers that are kept, by where they stand in a state's memo"
    lines = [f"{name} = {i}" for i, name in enumerate(names)]
    return Module(name=f"{folder}kept", head=header(book, title, folder, set(), lines, bool(folder)))


def names_module(book: c.Book, naming: Naming) -> Module:
    """Fields of records, steps of scales, and the types that signatures name."""
    printer = Printer("names")
    for name, kind in naming.aliases.items():
        printer.put(0, f"{name} = ", Name(kind))
    printer.lines.append("")
    for name, value in naming.constants.items():
        printer.put(0, f"{name} = ", value)
    title = f"{book.title or book.name}: fields of records, steps of scales, types"
    return Module(name="names", head=header(book, title, "", set(), printer.lines))


def fixed_module(book: c.Book, fixed: Fixed) -> Module:
    """What never changes and takes work to make."""
    printer = Printer("fixed")
    for name, value in fixed.values.items():
        printer.put(0, f"{name} = ", value)
    title = f"{book.title or book.name}: what never changes in play, made once"
    return Module(name="fixed", head=header(book, title, "", printer.refs, printer.lines))


def data_module(book: c.Book, rows: list[Row]) -> Module:
    """Map, counters, calendar and printed values."""
    refs: Refs = set()
    for row in rows:
        refs |= row.refs
    title = f"{book.title or book.name}: map, counters, calendar and printed values"
    return Module(name="data", head=header(book, title, "", refs, [row.text.rstrip("\n") for row in rows]))


def kernels_module() -> Module:
    return Module(name="kernels", head=templates().get_template("kernels.py.j2").render(), walked=False)


def header(book: c.Book, title: str, folder: str, refs: Refs, lines: list[str], traced: bool = False) -> str:
    """What stands above the functions: title, imports and constants."""
    return head_text(comment(title), comment(book.name), traced, folder, frozenset(refs), tuple(lines))


@lru_cache(256)
def head_text(
    title: str, name: str, traced: bool, folder: str, refs: frozenset[tuple[str, str]], lines: tuple[str, ...]
) -> str:
    """The same, laid out once for the same imports and constants."""
    template = templates().get_template("module.py.j2")
    text: str = template.render(title=title, name=name, traced=traced, imports=imports(folder, refs), lines=lines)
    return text


def imports(folder: str, refs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The imports of a module from what it uses: of Python, of the runtime, of the package."""
    by: dict[str, set[str]] = {}
    for module, name in refs:
        by.setdefault(module, set()).add(name)
    groups: list[list[str]] = [["from __future__ import annotations"], [], [], []]
    for module in sorted(by):
        names = sorted(by[module])
        if module == "fractions":
            groups[1] += import_lines(module, names)
        elif module.startswith("rulewright."):
            groups[2] += import_lines(module, names)
        elif not module:
            groups[3] += import_lines(".", names)
        else:
            groups[3] += import_lines(f"{'..' if folder and module in SHARED else '.'}{module}", names)
    return [group for group in groups if group]


def import_lines(module: str, names: list[str]) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= 120:
        return [line]
    rows = textwrap.wrap(", ".join(names) + ",", 116, break_long_words=False, break_on_hyphens=False)
    return [f"from {module} import (", *(f"    {row}" for row in rows), ")"]
