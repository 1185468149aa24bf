"""Print a diff as one page of change notes that a designer can publish.

In:  a diff.
Out: a self-contained HTML page: no script, no network. Changed tables stand side by side with changed
     cells marked by more than colour; headings follow in order; tables have captions and headed rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from ..core import nodes as c
from ..core.notation import named
from ..diff.compare import Diff
from ..diff.data import key_text, plain_key
from ..diff.facts import Fact
from ..diff.items import Item, Sheet
from ..diff.judge import Judgement
from ..diff.phrases import house, phrase
from ..diff.render import MARKS, fraction, part, signed, standing, summary
from ..pages.html import environment, short, stylesheet
from ..pages.map.small import small_map

WORDS = {
    "added": "Added",
    "struck": "Struck",
    "amended": "Amended",
    "renumbered": "Renumbered",
    "moved": "Moved",
    "renamed": "Renamed",
}


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """One side of a table: column heads, and rows with their keys."""

    caption: str
    corner: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[Cell, ...]], ...]


def render_html(made: Diff) -> str:
    """The page."""
    pages = environment(fraction=fraction, signed=signed, sentence=sentence)
    books = made.before.book, made.after.book
    assert books[0] is not None and books[1] is not None
    return pages.get_template("diff.html.j2").render(
        style=Markup(stylesheet()),
        title=f"{heading(made.before.name, books[0])} to {heading(made.after.name, books[1])}",
        names=(short(made.before.name), short(made.after.name)),
        summary=summary(made, short),
        sections=sections(made),
        sheets=[{"head": s.head, "told": s.told, "idle": idle(made, s)} for s in made.compared.sheets],
        phrases={f.id: phrase(f, made.before, made.after) for f in made.facts},
        house={f.id for f in made.facts if house(f, made.before, made.after)},
        distributions=made.distributions,
        witnesses={w["fact"]: w for w in made.witnesses},
        unfollowed=made.unfollowed,
        unrun=made.unrun,
        standing=standing,
        part=part,
        pictures=pictures(made),
        balance=made.balance,
        saves=made.saves,
        words=WORDS,
        marks=MARKS,
    )


def sentence(text: str) -> str:
    """With a capital at the beginning."""
    return text[:1].upper() + text[1:]


def idle(made: Diff, sheet: Sheet) -> list[Item]:
    """The items of a sheet that caused no fact."""
    used = {i for f in made.facts for i in f.items}
    return [i for i in sheet.items if i not in used]


def pictures(made: Diff) -> dict[str, Markup]:
    """The positions of the witnesses, drawn."""
    found = {}
    book = made.before.book
    for w in made.witnesses:
        if w.get("example"):
            units, others = w["places"]["units"], w["places"]["others"]
            drawn = small_map(book, units, others, title=f"Witness of {w['fact']}", key=f"w-{w['fact']}")
            found[w["fact"]] = Markup(drawn)
    return found


def heading(name: str, book: c.Book) -> str:
    return f"{book.title} ({short(name)})" if book.title else short(name)


@dataclass(frozen=True, slots=True)
class Section:
    """One case: its facts with their judgements, and its tables drawn on both sides."""

    case: str
    title: str
    facts: tuple[tuple[Fact, Judgement | None], ...]
    grids: tuple[tuple[str, Grid, Grid], ...]


def sections(made: Diff) -> list[Section]:
    a, b = made.before.book, made.after.book
    assert a is not None and b is not None
    judged = {j.fact: j for j in made.judgements}
    titles = {**a.cases, **b.cases}
    found: list[Section] = []
    for case in dict.fromkeys(f.case for f in made.facts):
        mine = [f for f in made.facts if f.case == case]
        tables = list(dict.fromkeys(f.name for f in mine if f.element in ("cell", "table")))
        grids = [(name, *both(name, a, b)) for name in tables if name in a.tables and name in b.tables]
        rest = [f for f in mine if f.element != "cell" or f.name not in {g[0] for g in grids}]
        cells = [f for f in mine if f not in rest]
        found.append(
            Section(
                case,
                titles.get(case, ""),
                tuple((f, judged.get(f.id)) for f in [*rest, *cells]),
                tuple(grids),
            )
        )
    return found


# ---------------------------------------------------------------- tables


def both(name: str, a: c.Book, b: c.Book) -> tuple[Grid, Grid]:
    """A table as it was and as it is, with the same rows and columns on both sides."""
    old, new = a.tables[name], b.tables[name]
    ours = {plain_key(k, old, a): named(v, old.type, a) for k, v in old.cells.items()}
    theirs = {plain_key(k, new, b): named(v, new.type, b) for k, v in new.cells.items()}
    keys = [*theirs, *(k for k in ours if k not in theirs)]
    crossed = len(new.params) > 1
    heads = list(dict.fromkeys(k[-1] for k in keys)) if crossed else [new.name]
    leads = list(dict.fromkeys(k[:-1] if crossed else k for k in keys))
    rows: list[tuple[list[tuple[Any, ...]], list[str], list[str]]] = []
    for lead in leads:
        full = [(*lead, h) if crossed else lead for h in heads]
        before, after = [ours.get(k, "") for k in full], [theirs.get(k, "") for k in full]
        if rows and rows[-1][1:] == (before, after) and follows(rows[-1][0][-1], lead):
            rows[-1][0].append(lead)
        else:
            rows.append(([lead], before, after))
    params = new.params[:-1] if crossed else new.params
    corner = tuple(p.name for p in params)
    shared = [
        (tuple(key_text("", [lead[i] for lead in group]).strip() for i in range(len(params))), before, after)
        for group, before, after in rows
    ]

    def grid(caption: str, side: int) -> Grid:
        drawn = tuple(
            (lead, tuple(Cell((x, y)[side], x != y) for x, y in zip(before, after, strict=True)))
            for lead, before, after in shared
        )
        return Grid(caption, corner, tuple(map(str, heads)), drawn)

    return grid(f"{name}, before", 0), grid(f"{name}, after", 1)


def follows(last: tuple[Any, ...], lead: tuple[Any, ...]) -> bool:
    """Whether the key of a row is one above that of the row before it."""
    if last[:-1] != lead[:-1] or not lead:
        return False
    return isinstance(last[-1], int) and isinstance(lead[-1], int) and lead[-1] == last[-1] + 1
