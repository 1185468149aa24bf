"""Verdicts on printed data: it matters where something reads it, and a changed set-up begins other games.

In:  a fact, both books, and the dependencies between the declarations of each.
Out: whether play can feel the change, and why not.
"""

from __future__ import annotations

from ...core import nodes as c
from ...core.names import Name
from ..chances.reach import Reach
from ..data import plain_key
from ..dependents import Dependents, name_asked
from ..facts import Fact
from ..once import once_a_book
from .verdict import Verdict, still


def printed(f: Fact, a: c.Book, b: c.Book, ours: Dependents, theirs: Dependents) -> Verdict:
    """Printed values matter if a rule reads them; a changed set-up alters every game of its scenario."""
    if f.element == "unit" and f.where == "provenance":
        return still("the value is the same; only where it comes from has changed")
    if f.element == "set-up" or (f.element == "unit" and (f.where == "start" or f.kind in ("added", "struck"))):
        if f.element == "set-up" or begun(f, a, b):
            return Verdict(True, "different", "proved", "games begin in another position", evident=True)
        other = "no scenario sets it up from there" if f.where else "there are other counters, none in a set-up"
        return Verdict(True, "different", "proved", other)
    if (f.element in ("unit", "map feature") and f.kind == "amended") or (f.element == "map feature" and f.where):
        fields = f.where.split(", ") if f.element == "unit" else [f.name]
        known = {name for _, name in a.fields}
        if all(x in known and not any(t.read(("field", x)) for t in (ours, theirs)) for x in fields):
            return still("no rule reads what is printed there")
    if f.element == "scenario" and f.where in UNPLAYED:
        return still(UNPLAYED[f.where])
    return Verdict(True, "different", "proved", f"the {f.element} is another")


UNPLAYED = {
    "title": "a title is not played",
    "margin": "a margin is told after a game and decides nothing in it",
    "default": "each scenario is played as before; another one is played where none is named",
}


def begun(f: Fact, a: c.Book, b: c.Book) -> bool:
    """Whether some scenario of both books sets up one of the units of a fact elsewhere, or one of them has it."""
    names = {x.strip() for x in f.name.split(",")}
    for name in {*a.scenarios, *b.scenarios}:
        ours, theirs = (book.scenarios[name].units if name in book.scenarios else {} for book in (a, b))
        if any(ours.get(x) != theirs.get(x) for x in names):
            return True
    return False


def unfelt(name: Name, *touches: Dependents) -> str:
    """Why no position can feel a definition; empty where a rule, or an opponent, asks for it."""
    shown: set[str] = set()
    for touch in touches:
        book = touch.book
        previews = {("define", x.definition) for x in book.previews}
        found = touch.of([name]).names
        defined = {word for sort, word in found if sort == "define"}
        if not found <= {name, *previews} or any(word.partition(".")[0] in book.routes for word in defined):
            return ""
        if book.doctrine is not None and defined & set(book.doctrine.definitions()):
            return ""
        if any(name_asked(e) in found for x in book.invariants.values() for e in x.test.walk()):
            shown.add("an invariant")
        if found & previews or defined & {x.key for x in book.shown}:
            shown.add("what players are shown")
        if defined & {s.margin for s in book.scenarios.values()}:
            shown.add("a margin")
    return f"only {' and '.join(sorted(shown))} asks for it" if shown else "nothing asks for it"


SERVES = {"added": "only what is new asks for it", "struck": "only what is gone asked for it"}


def alone(f: Fact, name: tuple[str, str], ours: Dependents, theirs: Dependents) -> bool:
    """Whether all users of something were added or removed together with it."""
    here, there = (theirs, ours) if f.kind == "added" else (ours, theirs)
    known = {(p.owner, p.case) for p in there.pieces}
    return all((p.owner, p.case) not in known for p in here.users.get(name, ()))


def read_data(f: Fact, name: tuple[str, str], ours: Dependents, theirs: Dependents) -> Verdict:
    """Changed data matters only if something reads it."""
    if f.element in ("table", "cell", "field", "mark") and not ours.read(name) and not theirs.read(name):
        return still("nothing reads it")
    if f.kind in ("added", "struck") and f.element != "cell" and alone(f, name, ours, theirs):
        return still(SERVES[f.kind])
    if f.element == "cell" and not any(reached(f, t.book) for t in (ours, theirs)):
        return still("no look-up of the table can ask for it")
    if f.element in ("cell", "table"):
        return Verdict(True, "different", "proved", "the table answers otherwise for these keys")
    if f.kind == "added":
        return Verdict(True, "different", "unproved", f"the {f.element} is new")
    return Verdict(True, "different", "unproved", f"the {f.element} is another")


def reached(f: Fact, book: c.Book) -> bool:
    """Whether play can read one of the cells that a fact changes."""
    table = book.tables.get(f.name)
    if table is None:
        return False
    reach = reach_of(book)
    keys = {plain_key(k, table, book): k for k in table.cells}
    return any(reach.reaches(table, keys[k]) for k in f.keys if k in keys) or not f.keys


@once_a_book
def reach_of(book: c.Book) -> Reach:
    """The reachable keys of the look-ups of a book."""
    return Reach(book)
