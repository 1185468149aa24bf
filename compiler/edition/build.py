"""Build an edition: the rule set case by case, in words, tables and pictures.

In:  a rule set without errors.
Out: an `Edition`, the same for the same rule set. Every sentence that the rules have is in it once under its own case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from markupsafe import Markup

import rulewright
from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..core.case_marks import mark_of
from ..core.maps import one_map
from ..doc import model as doc_model
from ..doc.cases import cited
from ..doc.coverage import inventory
from ..doc.model import Declaration, Model, lay_out
from ..doc.names import Names
from ..doc.site import chapter_titles
from ..doc.tables import rosters
from ..pages.draw_map import NEVER, draw_map
from ..pages.html import short
from ..pages.map.small import small_map
from ..pages.map.style import style_of
from ..pipeline import Compiled
from ..read.sources import split_name
from ..words.cases import OfCase, OfDeclaration, sentences
from ..words.examples import said_example
from ..words.expressions import Words
from ..words.phrases import phrases_of
from . import tables
from .amendments import amendment
from .components import component, fields
from .crossrefs import index, references
from .history import already_there, date_text, histories
from .parts import Case, Chapter, Edition, Example, Note, Part, Picture, Rule, SheetInForce, Unclear, Untranslated

LONGEST = 14
"""An example of more lines is left to the reference, unless all examples are asked for."""


Holds = Callable[[Sequence[c.Example]], Sequence[bool]]
"""Runs examples and says which of them hold."""


def build(made: Compiled, examples: int | None = 2, holds: Holds | None = None) -> Edition:
    """The edition of a rule set, with at most so many examples a case (None: all).

    An example that does not hold under these rules, such as one that an overlay has made wrong, is not printed.
    """
    return Builder(made, examples, holds).edition()


class Builder:
    def __init__(self, made: Compiled, examples: int | None, holds: Holds | None) -> None:
        self.made, self.most = made, examples
        self.model: Model = lay_out(made)
        self.book: c.Book = self.model.book
        self.names = Names(self.model)
        self.w = Words(self.book, phrases_of(self.book), diary=False)
        self.said: dict[str, OfCase] = sentences(self.book, diary=False)
        self.style = style_of(self.book)
        self.rosters = rosters(self.model)
        tried = [x for x in self.book.examples if examples is None or (examples and len(x.lines) <= LONGEST)]
        held = holds(tried) if holds is not None else [True] * len(tried)
        self.by_title = {(x.case, x.title): x for x, good in zip(tried, held, strict=True) if good}
        self.already = already_there(made)
        self.pictures = 0

    def edition(self) -> Edition:
        book, made = self.book, self.made
        _, _, day = split_name(made.name)
        printed = book.printed
        self.history = histories(made, self.model, self.names, printed)
        self.rests, self.back = references(self.model, self.names)
        titles = chapter_titles(self.model, inventory(made))
        sheets = tuple(
            SheetInForce(head.name, layer.title or head.title, head.kind, date_text(layer), head.source)
            for head, layer in made.layers
        )
        youngest = max((head.date for head, _ in made.layers if head.date is not None), default=None)
        dates = [date_text(layer) for head, layer in made.layers if head.date == youngest and youngest is not None]
        return Edition(
            title=book.title or book.name,
            rules=short(made.name),
            date=day or next(iter(dates), "") or printed,
            printed=printed,
            digest=made.digest[:12],
            version=rulewright.__version__,
            sheets=sheets,
            chapters=tuple(
                Chapter(id, titles[id], opening(self.model.intros.get(id, "")), tuple(self.case(x) for x in cases))
                for id, cases in self.model.chapters.items()
            ),
            terms=tuple(index(self.model, self.names, self.w)),
        )

    # ------------------------------------------------------------ cases

    def case(self, case: doc_model.Case) -> Case:
        said = self.said.get(case.id, OfCase([], []))
        left: dict[int, OfDeclaration] = {id(x): x for x in said.own}
        parts: list[Part] = []
        for block in case.blocks:
            for several in together(block.items):
                item = several[0]
                if len(several) > 1:
                    parts.append(
                        Rule(fields(self.w, [x for x in map(field_of, several) if x is not None]), house_of(item))
                    )
                elif isinstance(item, doc_model.Remark):
                    parts.append(Note(self.spelled(item.text, case.id)))
                elif item.state == "amends":
                    said_of_it = amendment(
                        self.w, item.entry.node, doc_model.spot(item.entry.node.span) in self.already
                    )
                    parts += [Rule(said_of_it)] if said_of_it is not None else []
                elif item.state == "stands":
                    mine = [x for x in left.values() if is_of(x, item)]
                    for x in mine:
                        del left[id(x)]
                    parts += self.parts(item, mine)
        parts += [Rule(s) for x in left.values() for s in x.said]
        parts += [Rule(s) for s in said.others]
        examples, more = self.examples(case)
        return Case(
            id=case.id,
            title=case.title,
            parts=tuple(parts),
            examples=tuple(examples),
            more_examples=more,
            history=self.history.get(case.id, ()),
            see=tuple(self.rests.get(case.id, ())),
            seen_from=tuple(self.back.get(case.id, ())),
            moved_to=case.moved_to,
        )

    def parts(self, d: Declaration, said: list[OfDeclaration]) -> list[Part]:
        """What an edition prints of one declaration."""
        node, house = d.entry.node, d.entry.house
        match node:
            case n.Unclear():
                readings = tuple((r.name.replace("_", " "), self.spelled(r.text, d.case)) for r in node.readings)
                return [Unclear(self.spelled(node.text, d.case), readings)]
            case n.Untranslated():
                return [Untranslated(self.spelled(node.text, d.case))]
            case n.Table():
                found: Part | None = tables.table(self.w, d)
                return [found] if found is not None else []
            case n.Data():
                found = self.data(d)
                return [found] if found is not None else []
            case _:
                one = component(self.w, node)
                told = [one] if one is not None else [s for x in said for s in x.said]
                return [Rule(s, house) for s in told]

    def spelled(self, text: str, case: str) -> str:
        """A text of a case with the cases that it names as this book calls them: 12.5 in the series is `ocs 12.5`."""
        mark, out, at = mark_of(case), "", 0
        for start, end, found in cited(text, self.model.cases, mark) if mark else ():
            out, at = out + text[at:start] + found, end
        return out + text[at:]

    def data(self, d: Declaration) -> Part | None:
        """A roster, calendar, scenario or map; words and styles are in the sentences and pictures."""
        match d.sort:
            case "roster":
                return tables.counters(d, self.rosters.get(d, []), self.book, self.style)
            case "calendar":
                return tables.calendar(d, self.book)
            case "scenario":
                return tables.setup(self.w, d, self.book)
            case "map" if self.book.map is not None:
                board = one_map(self.book.map, d.name)
                svg = draw_map(board, self.style, ids=NEVER, title=self.book.title)
                count = f"{len(board.hexes)} {'hexes' if board.grid.sheets else 'points'}"
                which = f" {d.name.replace('_', ' ')}" if self.book.map.parts else ""
                return Picture(Markup(svg), f"The map{which}: {count}", d.text, d.entry.house)
            case _:
                return None

    # ------------------------------------------------------------ examples

    def examples(self, case: doc_model.Case) -> tuple[list[Example], int]:
        """The examples of a case that are printed, and how many more there are."""
        found = [d for d in case.declarations() if d.sort == "example" and d.state == "stands"]
        known = [x for d in found if (x := self.by_title.get((d.case, d.name))) is not None]
        chosen = known if self.most is None else sorted(known, key=telling)[: self.most]
        return [self.example(x) for x in known if x in chosen], len(found) - len(chosen)

    def example(self, x: c.Example) -> Example:
        said = said_example(self.w, x)
        self.pictures += 1
        key = f"e{self.pictures}"
        drawn = small_map(
            self.book, said.units, said.others, title=x.title, key=key, style=self.style, panels=2, scale=1.2
        )
        return Example(tables.first(x.title), said.given, said.then, Markup(drawn if any(said.units) else ""))


Item = doc_model.Remark | Declaration


def field_of(item: Item) -> n.Field | None:
    """The field that an item declares, if it does."""
    node = item.entry.node if isinstance(item, Declaration) and item.state == "stands" else None
    return node if isinstance(node, n.Field) else None


def house_of(item: Item) -> bool:
    return isinstance(item, Declaration) and item.entry.house


def together(items: Iterable[Item]) -> list[list[Item]]:
    """Items one by one; fields of one owner that follow one another are one group."""
    found: list[list[Item]] = []
    for item in items:
        here, last = field_of(item), field_of(found[-1][0]) if found else None
        if (
            here is not None
            and last is not None
            and here.owner == last.owner
            and house_of(item) == house_of(found[-1][0])
        ):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def is_of(x: OfDeclaration, d: Declaration) -> bool:
    """Whether sentences belong to a declaration of the text."""
    node = d.entry.node
    if isinstance(x.declaration, c.Definition):
        return isinstance(node, n.Define) and node.name == x.declaration.name
    spots = {doc_model.spot(node.span)}
    if d.entry.as_written is not None:
        spots.add(doc_model.spot(d.entry.as_written.span))
    return doc_model.spot(x.span) in spots


CHAPTER = re.compile(r"^(?:Chapters?|Rules?) [^:]*: *")
OF_FILES = re.compile(r"\w/|\b\d+-\w|\w/\w")


def opening(comment: str) -> str:
    """What a chapter is about: the first sentence of the comment that heads its file, unless that is of files."""
    first = CHAPTER.sub("", comment).partition(". ")[0].rstrip(".")
    return f"{first[:1].upper()}{first[1:]}." if first and not OF_FILES.search(first) else ""


def telling(x: c.Example) -> tuple[bool, bool]:
    """The order in which examples are chosen: those of a position in which somebody does something come first."""
    placed = any(isinstance(line, c.GivenAt) for line in x.lines)
    chosen = any(isinstance(line, c.ChoiceLine) for line in x.lines)
    return not placed, not chosen
