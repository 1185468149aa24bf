"""Tables, rosters, calendars and set-ups of an edition.

In:  data declarations, and the book in the core.
Out: grids of plain words, with a key to the abbreviations in them; counters that print the same in one row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..core.notation import named
from ..doc.model import Declaration
from ..doc.tables import rows_of
from ..pages.map.counters import counter_picture
from ..pages.map.position import pieces
from ..pages.map.style import Style
from ..words.english import words
from ..words.expressions import Words
from ..words.values import names_on_map
from .parts import CounterRow, Counters, Grid


def table(w: Words, d: Declaration) -> Grid | None:
    """A table in its author's layout."""
    node = d.entry.node
    if not isinstance(node, n.Table):
        return None
    found = rows_of(node)
    if found is None:
        return None
    heads, lead, rows = found
    told = {x for row in rows for x in row[lead:]} | set(heads)
    by = " and ".join(words(p.name) for p in node.params)
    return Grid(
        caption=f"{first(words(d.name))}: {words(node.type.name)} by {by}",
        heads=tuple(words(x) for x in heads),
        lead=lead,
        rows=tuple(tuple(words(x) for x in row) for row in rows),
        key=key_of(w, node.type.name, told),
        notes=tuple(line.text for line in node.lines if not line.text.startswith("|")),
        house=d.entry.house,
    )


def key_of(w: Words, kind: str, told: set[str]) -> tuple[tuple[str, str], ...]:
    """What the values of a kind that stand in a table mean, where the book says it in other words."""
    found = []
    for value in w.book.kinds.get(kind, ()):
        phrase = w.phrase(f"{kind}.{value}")
        if value in told and phrase is not None and phrase.text != words(value):
            found.append((words(value), phrase.text.removesuffix(f" ({value})")))
    return tuple(found)


def counters(d: Declaration, units: Sequence[c.UnitLine], book: c.Book, style: Style) -> Counters | None:
    """A roster: one row for all counters that print the same."""
    if not units:
        return None
    types = {name: f.type.plain for (owner, name), f in book.fields.items() if owner == "unit"}
    text = {(u.name, f): words(named(v, types.get(f), book)) for u in units for f, v in u.fields.items()}
    fields = list(dict.fromkeys(f for u in units for f in u.fields))
    shared = [f for f in fields if len({text.get((u.name, f)) for u in units}) == 1]
    groups: dict[tuple[object, ...], list[c.UnitLine]] = {}
    printed = pieces(book)
    for u in units:
        own = (f"{words(f)} {text[u.name, f]}" for f in fields if f not in shared and (u.name, f) in text)
        groups.setdefault((style.counter(printed[u.name]), *own), []).append(u)
    at = names_on_map(book)
    rows = tuple(
        CounterRow(
            picture=Markup(counter_picture(printed[several[0].name], style, f"{d.anchor}-{row}")),
            prints=", ".join(map(str, key[1:])),
            units=", ".join(u.name + (f" ({spot(u.start, at)})" if u.start else "") for u in several),
            many=len(several),
        )
        for row, (key, several) in enumerate(groups.items())
    )
    count = "1 counter" if len(units) == 1 else f"{len(units)} counters"
    return Counters(
        caption=f"{first(words(d.name))}: {count}",
        rows=rows,
        shared=", ".join(f"{words(f)} {text[units[0].name, f]}" for f in shared),
        house=d.entry.house,
    )


def spot(place: str, names: Mapping[str, str]) -> str:
    """A place by its name and hex."""
    return f"{words(names[place])}, {place}" if names.get(place, place) != place else words(place)


def calendar(d: Declaration, book: c.Book) -> Grid | None:
    """The turns, a year a row."""
    if book.calendar is None:
        return None
    years: dict[str, list[str]] = {}
    for label, year, _ in book.calendar.turns:
        years.setdefault(str(year), []).append(label.removesuffix(f" {year}"))
    return Grid(
        caption="Turns",
        heads=("year", "turns"),
        lead=1,
        rows=tuple((year, ", ".join(turns)) for year, turns in years.items()),
        house=d.entry.house,
    )


def setup(w: Words, d: Declaration, book: c.Book) -> Grid | None:
    """A scenario: what it plays, what holds at its start, and where its units begin."""
    s = book.scenarios.get(d.name)
    if s is None:
        return None
    by_place: dict[str, list[str]] = {}
    for unit, place in s.units.items():
        by_place.setdefault(place, []).append(unit)
    at = names_on_map(book)
    rows = [(spot(place, at), ", ".join(units)) for place, units in by_place.items()]
    title = s.title or first(words(d.name))
    sequence = w.phrase(s.sequence)
    plays = sequence.text if sequence is not None else words(s.sequence)
    return Grid(
        caption=f"Scenario: {title}",
        heads=("place", "units"),
        lead=1,
        rows=tuple(rows),
        notes=(f"Played as: {plays}.",),
        house=d.entry.house,
    )


def first(text: str) -> str:
    return text[:1].upper() + text[1:]
