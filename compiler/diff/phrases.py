"""Facts as one line of text, in the terms of a rulebook.

In:  a fact, and both books.
Out: one line: a counter by its printed values, a hex by its name, a phase by the one before it, a number by the
     condition it is under.
"""

from __future__ import annotations

import re

from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..core.notation import shown
from ..core.types import FLAG, TURN
from ..core.walk import below
from ..pipeline import Compiled
from .entries import printed_forms
from .facts import Fact
from .smallest import text

INNER = re.compile(r"\A(clause|step|branch|rule|condition|let|otherwise|domain|value|line|arm)( \d+)?\Z")
LONG = 60


def phrase(f: Fact, a: Compiled, b: Compiled) -> str:
    """A fact on one line."""
    match f.element, f.kind:
        case "unit", _:
            return of_unit(f, a, b)
        case "set-up", _ if f.where != "set":
            return f"{f.name}: {f.where} {placed(f.before, f.after)}"
        case "map feature", _:
            return of_map(f, a, b)
        case "phase", "moved":
            return f"the {words(f.name)} phase now comes {words(f.after)} (it came {words(f.before)})"
        case "answer", "renamed":
            return f"in {words(f.where)} the answer {f.before} is now called {f.after}"
        case "phrase", _:
            return f"{f.name} {'is said' if f.after else 'has no phrase any more'} ({f.where}): {change(f)}"
    head = " ".join(x for x in (f.element, words(f.name)) if x)
    where = place_of(f)
    return f"{head}{where}: {change(f)}"


def house(f: Fact, a: Compiled, b: Compiled) -> bool:
    """Whether a house value changed: a declaration, a counter or a map feature, before or after."""
    return any(is_house(f, made.book) for made in (a, b) if made.book is not None)


def is_house(f: Fact, book: c.Book) -> bool:
    if f"{f.case} {f.name}" in book.house or f.case in book.house:
        return True
    if f.element == "unit":
        names = set(f.name.split(", "))
        return any(u.house and u.name in names for u in book.units)
    return f.element.startswith("map") and "map" in book.house


def words(name: str) -> str:
    """A declared name as words; quoted text and text with spaces is left as it is."""
    return name.replace("_", " ")


def change(f: Fact) -> str:
    """Both sides on one line."""
    if not f.before:
        return flat(f.after)
    if not f.after:
        return flat(f.before)
    return f"{flat(f.before)} becomes {flat(f.after)}"


def flat(said: str) -> str:
    return " ".join(said.split())


def place_of(f: Fact) -> str:
    """Where in a declaration a change is: the named part, and the condition of its clause."""
    if f.element in ("cell", "table", "calendar", "scenario", "set-up", "overlay"):
        return f", {f.where}" if f.where else ""
    named = [x for x in f.where.split(", ") if x and not INNER.match(x)]
    found = ", ".join(named)
    guard = guard_of(f)
    if guard:
        found = f"{found} {guard}".strip()
    return f", {words(found)}" if found else ""


def guard_of(f: Fact) -> str:
    """The condition of the clause whose value changed."""
    part = f.part.after if f.part is not None else None
    if f.new is None or not isinstance(part, n.Node):
        return ""
    for clause in below(f.new.node):
        if isinstance(clause, n.Clause) and clause.guard is not None and any(x is part for x in below(clause.value)):
            said = f"when {flat(text(clause.guard))}"
            return said if len(said) <= LONG else said[: LONG - 1] + "…"
    return ""


# ---------------------------------------------------------------- counters


def of_unit(f: Fact, a: Compiled, b: Compiled) -> str:
    many = "," in f.name
    match f.kind:
        case "added":
            return f"new counter{'s' if many else ''} {f.name}: {f.after}"
        case "struck":
            return f"counter{'s' if many else ''} gone: {f.name}"
        case "renamed":
            return f"counter {f.before} is now called {f.after}"
        case "moved":
            return f"{f.name}: listed in case {f.after} instead of {f.before}"
    if f.where == "start":
        return f"{f.name} {placed(f.before, f.after, 's' if not many else '')}"
    if f.where == "provenance":
        return f"{f.name}: {f.before} becomes {f.after}"
    printed = [values(book, f) for book in (a, b)]
    if printed[0] and printed[1]:
        return f"{f.name}: {printed[0]} becomes {printed[1]}"
    assert b.book is not None
    field = b.book.fields.get(("unit", f.where))
    if field is not None and field.type.plain == TURN:
        return f"{f.name}: {words(f.where)} {f.after or 'never'} instead of {f.before or 'never'}"
    return f"{f.name}: {words(f.where)} {f.before or 'none'} becomes {f.after or 'none'}"


def placed(before: str, after: str, s: str = "s") -> str:
    """A changed set-up place: here instead of there."""
    if before == "none":
        return f"set{s} up in {after}"
    if after == "none":
        return f"no longer set{s} up in {before}"
    return f"set{s} up in {after} instead of {before}"


def values(made: Compiled, f: Fact) -> str:
    """The numbers of a counter in printed form, if the changed one is among them."""
    assert made.book is not None
    fields = f.where.split(", ")
    groups = [g for e in made.entries or [] if e.case == f.case for g in printed_forms(e) if set(fields) <= set(g)]
    names = {x.strip() for x in f.name.split(",")}
    told = set()
    for u in (u for u in made.book.units if u.name in names):
        if not groups or any(x not in u.fields for x in groups[0]):
            return ""
        told.add("-".join(shown(u.fields[x], made.book.fields["unit", x].type, made.book) for x in groups[0]))
    return told.pop() if len(told) == 1 else ""


# ---------------------------------------------------------------- maps


def of_map(f: Fact, a: Compiled, b: Compiled) -> str:
    assert b.book is not None
    if not f.where:
        what = words(f.name.removeprefix("place "))
        if f.name.startswith("place "):
            return f"{what} lies in {f.after} instead of {f.before}" if f.kind == "amended" else f"{what}: {change(f)}"
        verb = {"added": "new on the map", "struck": "gone from the map"}.get(f.kind, "other on the map")
        return f"{words(f.name)}: {verb}: {change(f)}"
    places = ", ".join(place_name(x.strip(), b.book) for x in f.where.split(","))
    field = b.book.fields.get(("place", f.name))
    if field is not None and field.type == FLAG:
        return f"{places}: {'now' if f.after in ('true', 'yes') else 'no longer'} {words(f.name)}"
    default = shown(field.default, field.type, b.book) if field is not None else "none"
    lead = "" if field is not None and field.type.sort == "kind" else f"{words(f.name)} "
    return f"{places}: {lead}{f.before or default} becomes {f.after or default}"


def place_name(hex: str, book: c.Book) -> str:
    names = [x for x, at in (book.map.names.items() if book.map is not None else ()) if at == hex]
    return f"{names[0]} ({hex})" if names else hex
