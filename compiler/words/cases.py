"""A whole book in English, case by case.

In:  a book in the core, and its phrases.
Out: for each case the sentences of its declarations, in the order of the text. What a case says about a declaration of
     another case appears under both: in the list of that declaration, and under the case that says it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core.types import FLAG
from . import declarations as d
from .definitions import definition, head_of
from .english import listed
from .english import words as plain_words
from .expressions import Words
from .phrases import phrases_of
from .said import Said
from .statements import lowered

WAIVED = "This does not count"
Declaration = Any
"""A declaration of the core that has words: `SAYERS` lists their classes."""

SAYERS: dict[type, Callable[[Words, Any], list[Said]]] = {
    c.Definition: definition,
    c.Route: d.route,
    c.Matching: d.matching,
    c.Action: d.action,
    c.Procedure: d.procedure,
    c.Trigger: d.trigger,
    c.Duty: d.duty,
    c.Memory: d.memory,
    c.Quota: d.quota,
    c.Grow: d.grow,
    c.Mark: d.mark,
    c.Invariant: d.invariant,
    c.Preview: d.preview,
    c.Unclear: d.unclear,
}


def declared(book: c.Book) -> Iterator[tuple[Span, Declaration]]:
    """Every declaration that has sentences, with its position in the text."""
    told = {x.definition for x in book.previews}
    for x in book.definitions.values():
        if x.sort == "define" and x.name not in told:
            yield x.base.span, x
    yield from ((p.span, p) for p in book.previews)
    for found in (book.routes, book.matchings, book.actions, book.procedures, book.duties, book.memories):
        yield from ((x.span, x) for x in found.values())
    for more in (book.quotas, book.grows, book.marks, book.invariants, book.unclear):
        yield from ((x.span, x) for x in more.values())
    yield from ((x.span, x) for x in book.triggers)


def said_of(words: Words, declaration: Declaration) -> list[Said]:
    """The sentence of one declaration."""
    return SAYERS[type(declaration)](words, declaration)


@dataclass(frozen=True, slots=True)
class OfDeclaration:
    """The sentences of one declaration."""

    span: Span
    declaration: Declaration
    said: list[Said]

    @property
    def case(self) -> str:
        return case_of(self.declaration)


@dataclass(frozen=True, slots=True)
class OfCase:
    """What a case says: its own declarations in the order of the text, then what it says about those of others."""

    own: list[OfDeclaration]
    others: list[Said]


def sentences(book: c.Book, language: str = "en", diary: bool = True) -> dict[str, OfCase]:
    """The sentences of every case; without the `diary` they leave out what a log would say."""
    words = Words(book, phrases_of(book, language), diary)
    found = {case: OfCase([], []) for case in book.cases}
    every = [OfDeclaration(span, x, said_of(words, x)) for span, x in declared(book)]
    for one in sorted(every, key=lambda x: (x.span.file, x.span.line, x.span.column)):
        if one.case in found:
            found[one.case].own.append(one)
    for case, about in about_others(words, every).items():
        if case in found:
            found[case].others.extend(about)
    return found


def by_case(book: c.Book, language: str = "en") -> dict[str, list[Said]]:
    """The sentences of every case as one list."""
    found = sentences(book, language)
    return {case: [s for one in of.own for s in one.said] + of.others for case, of in found.items()}


def about_others(words: Words, every: list[OfDeclaration]) -> dict[str, list[Said]]:
    """By case what it adds to declarations of other cases: alike additions to several of them are said once."""
    told = {case: texts_in(own) for case, own in grouped(every).items()}
    added: dict[str, dict[Said, list[OfDeclaration]]] = {}
    for one in every:
        for case, item in foreign(one.said, one.case):
            if bare(item).text not in told.get(case, ()):  # a route that is like another repeats its rules
                added.setdefault(case, {}).setdefault(bare(item), []).append(one)
    found: dict[str, list[Said]] = {}
    for case, items in added.items():
        by_target: dict[tuple[int, ...], list[Said]] = {}
        targets: dict[tuple[int, ...], list[OfDeclaration]] = {}
        for item, ones in items.items():
            key = tuple(dict.fromkeys(id(x.declaration) for x in ones))
            by_target.setdefault(key, []).append(item)
            targets[key] = list({id(x.declaration): x for x in ones}.values())
        found[case] = [addition(words, targets[key], several, case) for key, several in by_target.items()]
    return found


def addition(words: Words, targets: list[OfDeclaration], items: list[Said], case: str) -> Said:
    """What one case adds to declarations of others: `For the zone of control of a unit (7.1): …`."""
    if len(targets) == len(items) == 1 and is_flag(targets[0].declaration):
        said = bare(items[0]).text
        link = ", but " if said.startswith("Not ") else ", " if said.startswith("Also ") else ": "
        if not said.startswith(("Not ", "Also ", "If ", "Only ", "Never", "Always", "Instead")) and not waives(said):
            link = ", also if "  # one of the conditions of which any is enough
        opening = f"{head_of(words, targets[0].declaration)} ({targets[0].case}){link}{lowered(said)}"
        return Said(opening[0].upper() + opening[1:], items[0].items, case)
    named = list(dict.fromkeys(f"{subject(words, x.declaration)} ({x.case})" for x in targets))
    head = f"For {listed(named)}:"
    if len(items) == 1:
        return Said(f"{head} {lowered(items[0].text)}", items[0].items, case)
    return Said(head, tuple(items), case)


def waives(said: str) -> bool:
    """Whether a sentence opens with the rule that it is about, in quotes (`in_context`)."""
    return said.startswith("“") and ("does not count" in said or "”, except " in said)


def is_flag(x: Declaration) -> bool:
    return isinstance(x, c.Definition) and x.type.plain == FLAG


def subject(words: Words, x: Declaration) -> str:
    """What a declaration is about, for the middle of a sentence."""
    match x:
        case c.Definition():
            return ("whether " if x.type.plain == FLAG else "") + head_of(words, x)
        case c.Memory():
            return subject(words, x.definition)
        case c.Quota():
            return f"the allowance for “{plain_words(x.name)}”"
        case c.Route():
            return d.title_of(words, x.name, x.params, "", "for")
        case c.Action():
            return f"“{d.title_of(words, x.name, x.params, '', 'with')}”".replace("““", "“").replace("””", "”")
        case c.Procedure():
            return f"“{d.title_of(words, x.name, x.params, '', 'for').replace('“', '').replace('”', '')}”"
        case c.Matching() | c.Duty() | c.Grow():
            return f"“{plain_words(x.name)}”"
        case _:
            return lowered(said_of(words, x)[0].text.rstrip(":."))


def foreign(said: Iterable[Said], case: str, above: Said | None = None, top: bool = True) -> Iterator[tuple[str, Said]]:
    """The parts of sentences that other cases state, each with its case.

    A part of a part says what it changes: what a waiver sets aside, which line of a list has the exception.
    """
    for one in said:
        if one.case and one.case != case:
            yield one.case, in_context(one, above, top) if above is not None else one
        yield from foreign(one.items, one.case or case, one, above is None)


def in_context(item: Said, above: Said, top: bool) -> Said:
    """A waiver with the rule that it waives, an exception with the line that it is about."""
    said = item.text.removeprefix(f"({item.case}) ")
    exception = said.startswith("Except (") and not top and not above.text.startswith("Except (")
    if not said.startswith(WAIVED) and not exception:
        return item
    what = f"“{bare(above).text.rstrip('.:')}”" + (f" ({above.case})" if above.case and not exception else "")
    if exception:
        return Said(f"{what}, except {lowered(bare(item).text)}", item.items, item.case)
    return Said(f"{what}{said.removeprefix('This')}", item.items, item.case)


def bare(item: Said) -> Said:
    """A part without the number of its own case in front."""
    text = item.text.removeprefix(f"({item.case}) ").removeprefix(f"Except ({item.case})").removeprefix(":").strip()
    text = text or "Instead:"
    return Said(text[0].upper() + text[1:], item.items, item.case)


def texts_in(ones: Iterable[OfDeclaration]) -> set[str]:
    return {bare(s).text for one in ones for top in one.said for s in top.walk()}


def grouped(every: Iterable[OfDeclaration]) -> dict[str, list[OfDeclaration]]:
    found: dict[str, list[OfDeclaration]] = defaultdict(list)
    for one in every:
        found[one.case].append(one)
    return found


def case_of(x: Declaration) -> str:
    return str(x.case)
