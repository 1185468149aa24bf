"""Changed printed values: counters, hexes, cells.

In:  a fact and both rule sets.
Out: what a position must contain for the change to have an effect, and the printed value itself as a last question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..core import types as t
from ..core.types import Type
from ..diff.facts import Fact
from . import lines as w
from .compare import Both, Candidate
from .questions import Question
from .rule_set import Rules, Unknown


def must_have(f: Fact, both: Both, side: int) -> dict[str, list[Any]]:
    """The units and places, by number in one rule set, that a position must contain."""
    program = both[side].program
    found: dict[str, list[Any]] = {}
    for owner, _, who in changed(f, both):
        if owner == "unit" and who in program.unit_index:
            found.setdefault("unit", []).append(program.unit_index[who])
        places = (who,) if owner == "place" else who if owner == "hexside" else ()
        found.setdefault("place", []).extend(program.place_index[p] for p in places if p in program.place_index)
    return {k: v[:12] for k, v in found.items() if v}


def printed_by(facts: Iterable[Fact], rules: Rules) -> dict[str, frozenset[Any]]:
    """The units and places, by number, that some facts mention: positions for other facts should avoid them."""
    found: dict[str, set[Any]] = {"unit": set(), "place": set()}
    for f in facts:
        if f.element == "unit":
            found["unit"] |= {rules.program.unit_index.get(x.strip()) for x in f.name.split(",")}
        elif f.element == "map feature":
            named = re.split(r"[,\s]+|(?<=\d)[/-](?=\d?[A-Z])", f"{f.where}, {f.before}, {f.after}")
            found["place"] |= {rules.program.place_index.get(x) for x in named}
    return {sort: frozenset(x for x in known if x is not None) for sort, known in found.items()}


def changed(f: Fact, both: Both) -> list[tuple[str, str, Any]]:
    """The printed values that a fact changes: sort of owner, field, and owners."""
    if f.element not in ("unit", "map feature", "amendprinted", "map", "field"):
        return []
    entry = f.new or f.old
    found: list[tuple[str, str, Any]] = []
    a, b = both
    if f.element == "unit" and not f.where and f.kind != "amended":
        return []
    for key, field in a.book.fields.items():
        owner, name = key
        if key not in b.book.fields or not named(f, entry, name):
            continue
        ours, theirs = (rules.printed(key) for rules in both)
        for who in sorted({*ours, *theirs}, key=repr):
            if ours.get(who, field.default) != theirs.get(who, b.book.fields[key].default) and about(f, owner, who):
                found.append((owner, name, who))
    return found


def named(f: Fact, entry: Any, field: str) -> bool:
    if entry is not None and isinstance(entry.node, n.AmendPrinted):
        return bool(entry.node.field == field)
    return f.element in ("map", "map feature") or field in (*f.where.split(", "), f.name) or field in f.name.split()


def about(f: Fact, owner: str, who: Any) -> bool:
    if f.element == "unit":
        return bool(owner == "unit" and who in [x.strip() for x in f.name.split(",")])
    if f.element == "amendprinted" and f.new is not None and isinstance(f.new.node, n.AmendPrinted):
        return bool(who == f.new.node.thing)
    return True


def printed_questions(f: Fact, both: Both) -> list[Candidate]:
    """Questions that need no position: about printed values, or the set-up of a scenario."""
    return [*(Candidate((), q) for q in plain_questions(f, both)), *setups(f, both)][:12]


def setups(f: Fact, both: Both) -> Iterator[Candidate]:
    """Questions about where units stand when a scenario begins."""
    start = f.element == "unit" and f.where == "start"
    if f.element not in ("set-up", "scenario") and not start:
        return
    a, b = (rules.book.scenarios for rules in both)
    units = [x.strip() for x in (f.name if start else f.where).split(",")]
    for name in [x for x in a if x in b and (start or x == f.name)]:
        lines = (w.setup(name),)
        for unit in units:
            if a[name].units.get(unit) != b[name].units.get(unit):
                yield Candidate(lines, Question("value", "a0.hex", ((t.UNIT, unit),)))
        for sort, mark, value in sorted({*marks(a[name]), *marks(b[name])}, key=repr):
            if f.where == "set" and sort in ("game", "reading"):
                yield Candidate(lines, Question("value", mark))
            elif f.where == "set" and (sort, mark) in both[0].book.marks:
                owner = both[0].book.marks[sort, mark].owner
                yield Candidate(lines, Question("value", f"a0.{mark}", ((owner, both[0].decode(owner, value[0])),)))


def marks(scenario: c.Scenario) -> list[tuple[str, str, Any]]:
    return [m for m in scenario.marks if m[0] in ("game", "reading") or isinstance(m[2], tuple)]


def plain_questions(f: Fact, both: Both) -> list[Question]:
    """Questions about the printed value of a place, counter or cell."""
    found = []
    for owner, field, who in changed(f, both):
        type = {"unit": t.UNIT, "place": t.PLACE, "hexside": t.HEXSIDE}.get(owner)
        if type is not None:
            found.append(Question("value", f"a0.{field}", ((type, who),)))
    if f.element in ("cell", "table"):
        found += cells(f, both)
    if f.element == "unit" and not found:
        found += rosters(f, both)
    return found[:8]


def cells(f: Fact, both: Both) -> list[Question]:
    """Questions about the changed cells of a table."""
    name = f.name.split(",")[0].strip()
    a, b = (rules.book.tables.get(name) for rules in both)
    if a is None or b is None or [p.type for p in a.params] != [p.type for p in b.params]:
        return []
    text = f"{name}(" + ", ".join(f"a{i}" for i in range(len(a.params))) + ")"
    parts = [f".{x}" for x, _ in both[0].book.records[a.type.name]] if a.type.sort == "record" else [""]
    found = []
    wanted = list(f.keys) or [k for k in a.cells if a.cells.get(k) != b.cells.get(k)]
    for key in wanted[:4]:
        whole = key if isinstance(key, tuple) else (key,)
        try:
            args = tuple((p.type.plain, named_value(both[0], p.type, v)) for p, v in zip(a.params, whole, strict=True))
        except (Unknown, ValueError, IndexError, TypeError):
            continue
        found += [Question("value", text + part, args) for part in parts]
    return found


def named_value(rules: Rules, type: Type, value: Any) -> Any:
    """A key by name; the keys of a fact are by name already."""
    return rules.decode(type, value) if isinstance(value, int) and not isinstance(value, bool) else value


def rosters(f: Fact, both: Both) -> list[Question]:
    """A question for an added or removed counter: how many a side has."""
    return [Question("value", f"count(counters({side}))") for side in both[0].program.sides]
