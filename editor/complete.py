"""Completion at the cursor.

In:  a view of the files, the line up to the cursor, and the book in the core if it compiles.
Out: candidates with a description each: hexes after `@`, units in quotes, cases where one is cited, members after a
     dot, values of the kind after a comparison, maps and scenarios where an example names one, looks in
     a style, elsewhere names and keywords.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.builtins import BUILTINS
from rulewright.compiler.elaborate.expressions.special_calls import SPECIAL
from rulewright.dsl.syntax_hints import keywords
from rulewright.dsl.words import code_of

from .complete_style import looks
from .project import View
from .types import Types

MOST = 2000
COMPARED = re.compile(r"\s*(?:!=|=|\bis not|\bis|\bin \{|\bnot in \{|[<>]=?)\s*(?:\w+\s*,\s*)*\w*$")
_CASE = r"(?:[a-z_]\w*\s+)?[0-9A-Z][0-9A-Za-z./\-]*"
_CITES = re.compile(
    r"(?:^\s*(?:except|waive|covers|amend|strike|replace|rename|move|insert)|\bof|\bafter|\bby|\brow|\bline|\bcell)"
    rf"(?:\s+{_CASE}\s*,)*\s+(?P<case>{_CASE})?$"
)
_MARKED = re.compile(
    rf"^\s*(?:except|waive|amend|strike|replace|rename|covers)\s+(?:{_CASE}\s*,\s*)*(?P<case>[a-z_]\w*\s*)$"
)
_NAMED = re.compile(
    rf"^\s*(?:except|waive|amend|strike|replace|rename)\s+(?P<cases>{_CASE}(?:\s*,\s*{_CASE})*)\s+\w*$"
)
_GIVEN = re.compile(r"\s*given\s+(?P<kind>map|scenario)\s+\w*$")
_PHASE = re.compile(r"\b(?:during|next|again|before|after|into|(?:start|end)\s+of)\s+(?:\w+\s*,\s*)*\w*$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A completion: the text, its sort, and a description; it replaces the last `back` characters."""

    text: str
    sort: str
    about: str = ""
    back: int = 0


def complete(view: View, line: str, book: c.Book | None, item_line: int = 0) -> list[Candidate]:
    """Candidates at the end of a line that is cut off at the cursor."""
    found: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates(view, line, book, item_line):
        found.setdefault((candidate.text, candidate.sort), candidate)
        if len(found) == MOST:
            break
    return list(found.values())


def candidates(view: View, line: str, book: c.Book | None, at: int) -> Iterator[Candidate]:
    code = code_of(line)
    if line.count('"') % 2:
        if not re.match(r"\s*(?:note|untranslated|case|example|book|unclear|reading)\b", line):
            yield from units(line.rpartition('"')[2], book)
        return
    if "#" in line and code.rstrip() != line.rstrip() and "#" in line[len(code.rstrip()) :]:
        return
    file = view.file(view.path)
    styled = looks(file.lines, code, at) if file is not None else None
    if styled is not None:
        yield from (Candidate(word, "value") for word in styled)
        return
    hex_ = re.search(r"@[A-Za-z0-9/]*(?:\.[0-9]+)?$", code)
    if hex_:
        yield from hexes(len(hex_.group()), book)
        return
    cites = _CITES.search(code)
    named = _NAMED.match(code)
    if named and not code.rstrip().endswith(","):
        wanted = [" ".join(x.split()) for x in named["cases"].split(",")]
        yield from in_cases(view, wanted)
        return
    marked = _MARKED.match(code)
    if marked:
        yield from cases(view, len(marked["case"]))
        return
    if cites:
        yield from cases(view, len(cites["case"] or ""))
        if re.search(r"^\s*(?:except|waive|covers)|\bby\b", code):
            return
    point = re.search(r"(?<=[A-Za-z0-9_)\]\"])\s*\.\w*$", line)
    if point:
        yield from members(view, Types(view, book, at), line[: point.start()])
        return
    compared = COMPARED.search(code)
    if compared:
        types = Types(view, book, at)
        words = types.words(types.of(line[: compared.start()]))
        yield from (Candidate(word, "value") for word in words)
        if words:
            return
    given = _GIVEN.match(code)
    if given:
        yield from (x for x in of_realm(view, ("name",)) if x.sort == given["kind"])
        return
    if _PHASE.search(code):
        yield from of_realm(view, ("phase",))
    if re.match(r"\s*use\s+\w*$", code):
        yield from of_realm(view, ("book",))
    yield from names(view, book, at)


def cases(view: View, back: int) -> Iterator[Candidate]:
    for text, spots in view.declared.items():
        for spot in spots:
            if spot.mention.realm == "case" and spot.item is not None:
                yield Candidate(text, "case", spot.item.title, back)


def in_cases(view: View, wanted: list[str]) -> Iterator[Candidate]:
    """The declarations of these cases that an amendment may aim at."""
    for text, spots in view.declared.items():
        for spot in spots:
            if spot.item is not None and spot.item.case in wanted and spot.mention.realm in ("name", "label"):
                yield Candidate(text, spot.mention.declares, spot.item.head)


def members(view: View, types: Types, before: str) -> Iterator[Candidate]:
    """The fields and marks of the expression before the dot; those of every type where its type is unknown."""
    owner = types.of(before)
    about = {x.text: x.about for x in of_realm(view, ("member",))}
    for name, sort in types.members(owner):
        yield Candidate(name, sort, "where a unit is" if name == "hex" else about.get(name, ""))
    if not owner:
        yield from of_realm(view, ("member",))


def names(view: View, book: c.Book | None, at: int) -> Iterator[Candidate]:
    yield from locals_(view, at)
    yield from of_realm(view, ("name",))
    for name, b in BUILTINS.items():
        yield Candidate(name, "builtin", b.text)
    for name in SPECIAL:
        yield Candidate(name, "builtin", f"{name}({', '.join(SPECIAL[name])})")
    if book is not None and book.map is not None:
        for name, place in book.map.names.items():
            if name.isidentifier():
                yield Candidate(name, "place", f"@{place}")
    for word in sorted(keywords()):
        yield Candidate(word, "keyword")


def locals_(view: View, at: int) -> Iterator[Candidate]:
    """Parameters and local names of the declaration around a line."""
    file = view.file(view.path)
    for start, item in file.items() if file is not None else ():
        first, last = start + item.row - 1, start + item.end_row - 1
        if item.sort != "case" and first <= at <= last:
            lender = view.lender(item)
            for owner in (item, lender.item if lender is not None else None):
                if owner is not None:
                    yield from (Candidate(name, "local", kind) for name, kind, _, _ in owner.params)
            yield from (Candidate(name, "local") for name in sorted(item.locals))


def of_realm(view: View, realms: tuple[str, ...]) -> Iterator[Candidate]:
    for text, spots in view.declared.items():
        for spot in spots:
            if spot.mention.realm in realms and spot.item is not None:
                yield Candidate(text, spot.mention.declares, f"{spot.item.head} (case {spot.item.case})")


def hexes(back: int, book: c.Book | None) -> Iterator[Candidate]:
    if book is None or book.map is None:
        return
    named = {place: name for name, place in book.map.names.items()}
    for place in book.map.hexes:
        yield Candidate(f"@{place}", "hex", named.get(place, ""), back)


def units(typed: str, book: c.Book | None) -> Iterator[Candidate]:
    for unit in book.units if book is not None else ():
        yield Candidate(unit.name, "unit", f"case {unit.case}", len(typed))
