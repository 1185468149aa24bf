"""Print a comparison: text for a terminal, Markdown, HTML.

In:  a comparison.
Out: one table, a row for each declaration of each book with its case and what it says; then what all books share and
     in what they differ. Long rules are cut unless `detail` is asked for, and that is said.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ..pages.html import environment, stylesheet
from ..pages.map.paper import spelt
from ..words.said import Said
from .answers import Answer
from .table import Comparison, OfBook

WIDTH = 110
MOST = 6


@dataclass(frozen=True, slots=True)
class Row:
    """One line of what a declaration says, and how deep it stands in its list."""

    text: str
    depth: int


def rows(a: Answer, detail: bool) -> list[Row]:
    """What a declaration says, line by line; the rest of a long one is counted."""
    found = [r for s in a.said for r in flat(s, 0)]
    if detail or len(found) <= MOST + 1:
        return found
    return [*found[:MOST], Row(f"… and {len(found) - MOST} more lines (--detail)", 1)]


def flat(s: Said, depth: int) -> Iterator[Row]:
    yield Row(s.text, depth)
    for x in s.items:
        yield from flat(x, depth + 1)


def cited(a: Answer) -> str:
    return f"{a.case}, house" if a.house else a.case


def with_cases(found: dict[str, tuple[str, ...]]) -> str:
    """Books with the cases that show a trait."""
    return "; ".join(f"{b} ({', '.join(cases)})" if cases else b for b, cases in found.items())


def heading(made: Comparison) -> str:
    """Above what all books share that know the concept."""
    several = len(made.speaking)
    return "what its rules show" if several == 1 else "in all of them that speak of it"


def nothing(b: OfBook) -> str:
    return f"says nothing of it: {b.lacks}"


# ---------------------------------------------------------------- text


def render_text(made: Comparison, detail: bool = False) -> str:
    return "\n".join(spelt(x) for x in text_lines(made, detail))


def text_lines(made: Comparison, detail: bool) -> Iterator[str]:
    yield f"{made.concept.title}: {made.concept.question}"
    for b in made.books:
        yield ""
        yield f"{b.name}  {b.title}".rstrip()
        if b.lacks:
            yield from wrapped(nothing(b), "  ", "  ")
        for a in b.answers:
            head = f"  [{cited(a)}] "
            for k, row in enumerate(rows(a, detail)):
                indent = "    " + "  " * row.depth
                yield from wrapped(row.text, head if k == 0 else f"{indent}- ", f"{indent}  ")
    if made.shared:
        yield ""
        yield f"{heading(made)}:"
        yield from (f"  {t}" for t in made.shared)
    if made.differences:
        yield ""
        yield "in some of them:"
        for trait, books in made.differences:
            yield from wrapped(f"{trait}: {with_cases(books)}", "  ", "    ")


def wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    ) or [first.rstrip()]


# ---------------------------------------------------------------- Markdown and HTML


def render_markdown(made: Comparison, detail: bool = False) -> str:
    from ..sheet.markdown import text

    def cell(several: Sequence[Row]) -> str:
        return "<br>".join(("· " * r.depth) + text(r.text) for r in several)

    found = [f"# {text(made.concept.title)}", "", text(made.concept.question), ""]
    found += ["| book | case | in words |", "|---|---|---|"]
    for b in made.books:
        name = text(f"{b.name}: {b.title}" if b.title else b.name)
        if b.lacks:
            found.append(f"| {name} | | {text(nothing(b))} |")
        for k, a in enumerate(b.answers):
            found.append(f"| {'' if k else name} | {text(cited(a))} | {cell(rows(a, detail))} |")
    if made.shared:
        found += ["", f"{heading(made).capitalize()}:", "", *(f"- {text(t)}" for t in made.shared)]
    if made.differences:
        found += ["", "In some of them:", ""]
        found += [f"- {text(t)}: {text(with_cases(books))}" for t, books in made.differences]
    return "\n".join(found) + "\n"


def render_html(made: Comparison, detail: bool = False) -> str:
    pages = environment()
    pages.finalize = lambda x: spelt(x) if isinstance(x, str) and not isinstance(x, Markup) else x
    return pages.get_template("compare.html.j2").render(
        made=made,
        style=Markup(stylesheet()),
        rows=lambda a: rows(a, detail),
        cited=cited,
        nothing=nothing,
        with_cases=with_cases,
        heading=heading(made).capitalize(),
    )
