"""View models of cases and declarations, for the page of a chapter.

In:  the model of a rule set, its names, and which declaration overrides which.
Out: views of cases and declarations, ready for a template.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..core.case_marks import mark_of, marked, number_of
from ..diff.dependents import Dependents
from ..examples.coverage import Row
from ..words.cases import by_case
from ..words.said import Said
from .code import Code, near
from .coverage import Coverage
from .model import Block, Case, Declaration, Model, Remark, case_anchor
from .names import Names, Uses
from .overrides import Overrides, Relation
from .tables import Grid, draw_roster, draw_scenario, draw_table

NUMBER = re.compile(r"(?<![\w./:\-])(?:[a-z_]\w* )?[0-9A-Z]+(?:[./][0-9A-Za-z\-]+)*(?![\w/])")


def cited(text: str, known: Container[str], mark: str = "") -> Iterator[tuple[int, int, str]]:
    """The cases that a text of the book `mark` names, each with where it stands; a plain figure is none."""
    for m in NUMBER.finditer(text):
        number = number_of(m[0])
        if number != m[0] and m[0] in known:
            yield m.start(), m.end(), m[0]
        elif ("." in number or "/" in number) and marked(mark, number) in known:
            yield m.end() - len(number), m.end(), marked(mark, number)


@dataclass(frozen=True, slots=True)
class DeclarationView:
    d: Declaration
    code: Markup
    before: Markup
    grid: Grid | None
    readings: tuple[n.Reading, ...]
    question: str
    covers: tuple[tuple[str, str], ...]
    does: list[Relation]
    suffers: list[Relation]
    rules: list[Declaration]
    examples: list[Declaration]
    origin: str
    could: tuple[str, ...]
    on_house: tuple[str, ...] = ()
    """The house charts and definitions that a printed definition asks, at once or through others."""


@dataclass(frozen=True, slots=True)
class BlockView:
    block: Block
    title: str
    notes: list[Markup]
    declarations: list[DeclarationView]


@dataclass(frozen=True, slots=True)
class SaidView:
    """A sentence with its case numbers linked, and the list below it."""

    text: Markup
    items: list[SaidView]


@dataclass(frozen=True, slots=True)
class CaseView:
    case: Case
    anchor: str
    coverage: Row | None
    overlays: list[str]
    notes: list[str]
    house: bool
    words: list[SaidView] = field(default_factory=list)
    blocks: list[BlockView] = field(default_factory=list)
    examples: list[DeclarationView] = field(default_factory=list)
    proved_by: list[Declaration] = field(default_factory=list)


def resting_on_house(book: c.Book) -> dict[str, tuple[str, ...]]:
    """By definition: the house tables and definitions that it asks, at once or through others."""
    touch = Dependents(book)
    found: dict[str, list[str]] = {}
    charts: list[tuple[str, str]] = [("table", t.name) for t in book.tables.values() if t.house]
    charts += [("define", name) for name, d in book.definitions.items() if f"{d.case} {name}" in book.house]
    for sort, chart in charts:
        for kind, name in touch.of([(sort, chart)]).names:
            if kind == "define" and name != chart:
                found.setdefault(name, []).append(chart)
    return {name: tuple(charts) for name, charts in found.items()}


class Printer:
    """Makes views; `page` is the page that shows them, so that links within it need no file name."""

    def __init__(
        self,
        model: Model,
        names: Names,
        overrides: Overrides,
        code: Code,
        rosters: dict[Declaration, list[c.UnitLine]],
        covered: Coverage,
    ) -> None:
        self.model, self.names, self.overrides, self.code = model, names, overrides, code
        self.rosters, self.covered = rosters, covered
        self.words = by_case(model.book)
        self.on_house = resting_on_house(model.book)
        self.covering: dict[str, list[Declaration]] = {}
        for d in model.declarations():
            for case in d.entry.covers if d.state == "stands" else ():
                self.covering.setdefault(case, []).append(d)

    def head(self, case: Case) -> CaseView:
        """A case for a list: without its declarations."""
        return CaseView(
            case=case,
            anchor=case_anchor(case.id),
            coverage=self.covered.rows.get(case.id),
            overlays=list(dict.fromkeys(b.overlay for b in case.blocks if b.overlay)),
            notes=[x.text for b in case.blocks for x in b.items if isinstance(x, Remark)],
            house=any(d.entry.house for d in case.declarations()),
        )

    def case(self, case: Case, page: str) -> CaseView:
        made = self.head(case)
        mark = mark_of(case.id)
        made.words.extend(self.said(x, page) for x in self.words.get(case.id, ()))
        for block in case.blocks:
            shown = [x for x in block.items if isinstance(x, Declaration)]
            rules = [self.declaration(d, page) for d in shown if d.sort != "example"]
            notes = [self.prose(x.text, page, mark) for x in block.items if isinstance(x, Remark)]
            made.examples.extend(self.declaration(d, page) for d in shown if d.sort == "example")
            if rules or notes:
                title = block.title if block.title != case.title else ""
                made.blocks.append(BlockView(block, title, notes, rules))
        made.proved_by.extend(self.covering.get(case.id, ()))
        return made

    def said(self, x: Said, page: str) -> SaidView:
        return SaidView(self.prose(x.text, page), [self.said(y, page) for y in x.items])

    def prose(self, text: str, page: str, mark: str = "") -> Markup:
        """A note of the book `mark` with its case numbers linked."""
        out, at = Markup(""), 0
        for start, end, case in cited(text, self.model.cases, mark):
            link = Markup('<a href="{}">{}</a>').format(near(self.names.case(case), page), text[start:end])
            out, at = out + escape(text[at:start]) + link, end
        return out + escape(text[at:])

    def declaration(self, d: Declaration, page: str) -> DeclarationView:
        node = d.entry.node
        uses = self.names.uses.get(d, Uses())
        acting = self.overrides.actors.get(d, ())
        key = f"{d.case} {d.entry.name}".strip()
        book = self.model.book
        return DeclarationView(
            d=d,
            code=self.code.html(d.text, self.names.links.get(d, ()), page),
            before=self.code.html(d.before) if d.before and d.entry.touched else Markup(""),
            grid=self.grid(d, page) if d.state == "stands" else None,
            readings=node.readings if isinstance(node, n.Unclear) else (),
            question=node.text if isinstance(node, n.Unclear | n.Untranslated) else "",
            covers=tuple((case, near(self.names.case(case), page)) for case in d.entry.covers),
            does=close(self.overrides.does.get(d, ()), page),
            suffers=close(self.overrides.suffers.get(d, ()), page),
            rules=[x for x in uses.rules if x not in acting],
            examples=list(uses.examples),
            origin=book.origins.get(key, "") if d.entry.touched or d.entry.overlay else "",
            could=book.waived_by.get(key, ()) if d.state == "stands" and d.sort != "example" else (),
            on_house=self.on_house.get(d.entry.name, ()) if isinstance(node, n.Define) and not d.entry.house else (),
        )

    def grid(self, d: Declaration, page: str) -> Grid | None:
        """A data declaration as a table; None for one that has no such form."""
        if d.sort == "roster":
            return draw_roster(d, self.rosters.get(d, []), self.model.book, self.names, page)
        if d.sort == "scenario":
            return draw_scenario(d, self.model.book, self.names, page)
        return draw_table(d, self.names, page)


def close(found: Iterable[Relation], page: str) -> list[Relation]:
    return [Relation(r.word, r.label, near(r.href, page), r.overlay) for r in found]
