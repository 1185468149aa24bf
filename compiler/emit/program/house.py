"""What the program says of house values.

In:  the book in the core.
Out: texts by `CASE NAME` or `CASE`; by `CASE die NAME` where the roll of that name is read in a house table; by the
     name of a counter; by `map`; by `NAME reads` the sorts of house values (`unit`, `place`) that a definition itself
     reads.

Explanations, logs and screens show them.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...core import nodes as c
from ...core.house_values import HOUSE
from ...core.walk import all_procedures, all_statements, definition_exprs


def house_texts(book: c.Book) -> dict[str, str]:
    """Every text, in a fixed order."""
    found = dict(book.house)
    read: dict[str, set[str]] = {}
    for procedure in all_procedures(book):
        if procedure.case not in found:
            for die, charts in charts_of_rolls(procedure, book):
                read.setdefault(f"{procedure.case} die {die}", set()).update(charts)
    for key, charts in read.items():
        found[key] = f"{', '.join(sorted(charts))} {'is' if len(charts) == 1 else 'are'} house"
    found |= {f'"{u.name}"': HOUSE for u in book.units if u.house}
    owners = {"unit"} if any(u.house for u in book.units) else set()
    owners |= {"place", "hexside"} if "map" in book.house else set()
    for name, d in book.definitions.items() if owners else ():
        sorts = {e.key[0] for top in definition_exprs(d) for e in top.walk() if isinstance(e, c.FieldOf)} & owners
        if sorts:
            found[f"{name} reads"] = " ".join(sorted({"place" if x == "hexside" else x for x in sorts}))
    return found


def charts_of_rolls(procedure: c.Procedure, book: c.Book) -> Iterable[tuple[str, set[str]]]:
    """Each roll of a procedure, and the house tables that it is looked up in, at once or by a definition that is given
    it, or whose number it is held against."""
    body = all_statements(procedure)
    dice = {s.name for s in body if isinstance(s, c.Roll)}
    exprs = [e for s in body for top in s.args for e in top.walk()] if dice else []
    for die in sorted(dice):
        told = [e for e in exprs if die in names(e)]
        given: list[c.Expr] = [e for e in told if isinstance(e, c.TableCell | c.Call)]
        given += [x for e in told if isinstance(e, c.Comparison) for x in e.args if isinstance(x, c.TableCell)]
        charts = {table for e in given for table in charts_behind(e, book, set())}
        if charts:
            yield die, charts


def names(e: c.Expr) -> set[str]:
    return {x.name for x in e.walk() if isinstance(x, c.Local)}


def charts_behind(e: c.Expr, book: c.Book, seen: set[str]) -> Iterable[str]:
    """The house tables that a look-up or a definition comes to."""
    if isinstance(e, c.TableCell):
        if book.tables[e.name].house:
            yield e.name
    elif isinstance(e, c.Call) and e.name in book.definitions and e.name not in seen:
        seen.add(e.name)
        for top in definition_exprs(book.definitions[e.name]):
            for x in top.walk():
                yield from charts_behind(x, book, seen)
