"""What a rule reads: the fields, marks, names and constants that sampled positions should often contain.

In:  a book and the names of some of its declarations.
Out: everything that these read, directly or through calls up to a small depth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, assert_never

from ..core import nodes as c
from ..core.names import Name, layer_asked
from ..core.walk import all_statements, definition_exprs, domains, rule_exprs, waiver_exprs
from ..diff.dependents import asked

DEEP = 5
CONSTANTS = 3


@dataclass(slots=True)
class Reads:
    """The things read, in order of discovery; constants by the name of their type."""

    constants: defaultdict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    fields: dict[tuple[str, str], None] = field(default_factory=dict)
    marks: dict[tuple[str, str], None] = field(default_factory=dict)
    memories: dict[str, None] = field(default_factory=dict)
    quotas: dict[str, None] = field(default_factory=dict)
    readings: dict[str, None] = field(default_factory=dict)
    phases: dict[str, None] = field(default_factory=dict)
    boxes: dict[str, None] = field(default_factory=dict)
    layers: dict[str, None] = field(default_factory=dict)
    reaches: dict[int, None] = field(default_factory=dict)
    rolls: bool = False

    def constant(self, type: str, value: Any) -> None:
        if value not in self.constants[type]:
            self.constants[type].append(value)


def reads(book: c.Book, names: Iterable[Name], also: Iterable[c.Expr] = ()) -> Reads:
    """What these declarations read."""
    found = Reads()
    for top in also:
        look(found, top, True)
    level, seen = list(dict.fromkeys(names)), set[Name]()
    for depth in range(DEEP):
        following: dict[Name, None] = {}
        for name in level:
            if name in seen:
                continue
            seen.add(name)
            exprs, others = parts(book, name, found)
            for top in exprs:
                look(found, top, depth < CONSTANTS)
            following |= dict.fromkeys(sorted({*asked(exprs), *others}))
        level = list(following)
    return found


def parts(book: c.Book, name: Name, found: Reads) -> tuple[list[c.Expr], list[Name]]:
    """The expressions of a declaration, and the names of what it runs."""
    sort, word = name
    exprs: list[c.Expr] = []
    others: list[Name] = []
    if sort == "define" and word in book.definitions:
        exprs += definition_exprs(book.definitions[word])
    if sort == "define" and word in book.memories:
        event = book.memories[word].event
        if event is not None:
            found.phases.setdefault(event[1])
    if sort == "route" and word in book.routes:
        r = book.routes[word]
        exprs += [*domains(r.params), *(x for leg in r.legs for x in leg.args)]
        exprs += [x for rule in r.rules for x in rule_exprs(rule)]
        exprs += [x for d in r.facets.values() if d in book.definitions for x in definition_exprs(book.definitions[d])]
        if r.over_test is not None:
            exprs.append(r.over_test)
        others += [("route", leg.route) for leg in r.legs]
        found.layers |= dict.fromkeys(x for x in r.layers if x != "land")
    if sort == "matching" and word in book.matchings:
        m = book.matchings[word]
        exprs += [m.items, m.targets, *(x for x in (m.idle, m.empty) if x is not None)]
        exprs += [x for rule in m.rules for x in rule_exprs(rule)]
    if sort == "grow" and word in book.grows:
        exprs += [book.grows[word].domain, book.grows[word].test]
    if sort == "action" and word in book.actions:
        a = book.actions[word]
        exprs += [a.by, *domains(a.params), *(x for rule in a.rules for x in rule_exprs(rule))]
        found.phases |= dict.fromkeys(a.phases)
        stated(a.procedure, exprs, others, found)
    if sort == "procedure" and word in book.procedures:
        stated(book.procedures[word], exprs, others, found)
    if sort == "trigger":
        for t in book.triggers:
            if t.id == word:
                exprs += [x for x in (t.guard,) if x is not None] + [x for w in t.waivers for x in waiver_exprs(w)]
                stated(t.procedure, exprs, others, found)
    if sort == "duty" and word in book.duties:
        d = book.duties[word]
        exprs += [
            d.test,
            *([d.domain] if d.domain is not None else []),
            *(x for w in d.waivers for x in waiver_exprs(w)),
        ]
        found.phases |= dict.fromkeys(d.phases)
    if sort == "mark":
        found.marks |= dict.fromkeys(key for key in book.marks if key[1] == word)
    if sort == "field":
        found.fields |= dict.fromkeys(key for key in book.fields if key[1] == word)
    return exprs, others


def stated(p: c.Procedure, exprs: list[c.Expr], others: list[Name], found: Reads) -> None:
    """Add what the statements of a procedure read and run."""
    exprs += domains(p.params)
    exprs += [w.guard for w in p.wrappers if w.guard is not None]
    for s in all_statements(p):
        exprs += s.args
        match s:
            case c.Do():
                others.append(("procedure", s.name))
            case c.Roll():
                found.rolls = True
            case c.SetMark():
                found.marks.setdefault(s.key)
            case c.Note() | c.Let() | c.Put() | c.Walk() | c.Draw() | c.Spend() | c.Reveal() | c.Win() | c.Halt():
                pass
            case c.DoUsual() | c.SkipPhase() | c.RepeatPhase() | c.RunPhase() | c.OfferWindow():
                pass
            case c.AskSide() | c.Block() | c.Together() | c.If() | c.ForEach() | c.Repeat():
                pass
            case _:
                assert_never(s)


def look(found: Reads, top: c.Expr, constants: bool) -> None:
    """Add what an expression reads; its constants only where they are wanted."""
    for e in top.walk():
        e = c.known(e)
        match e:
            case c.FieldOf():
                found.fields.setdefault(e.key)
            case c.MarkOf():
                found.marks.setdefault((e.of.type.plain.name if e.of is not None else "game", e.name))
            case c.Remembered():
                found.memories.setdefault(e.name)
            case c.QuotaLeft() | c.QuotaSpent():
                found.quotas.setdefault(e.name)
            case c.Reading():
                found.readings.setdefault(e.name)
            case c.InPhase():
                found.phases.setdefault(e.name)
            case c.BoxOf():
                found.boxes.setdefault(e.name)
            case c.BuiltinCall():
                layer = layer_asked(e)
                if layer is not None:
                    found.layers.setdefault(layer)
            case c.Within():
                if isinstance(e.reach, c.Const) and isinstance(e.reach.value, int):
                    found.reaches.setdefault(e.reach.value)
            case c.Const():
                if constants:
                    for type, value in flat(e):
                        found.constant(type, value)
            case c.Local() | c.Usual() | c.Keep() | c.Bound() | c.Total() | c.PlaceOf() | c.Member():
                pass
            case c.Call() | c.TableCell() | c.Grown() | c.QuotaCap() | c.Paths() | c.PathEnds() | c.ShortestPaths():
                pass
            case c.PathCost() | c.Plans() | c.BlockedItems() | c.UncoveredTargets() | c.RecordOf():
                pass
            case c.OnScale() | c.Shifted() | c.Rank() | c.Other() | c.Binary() | c.Not() | c.Negative():
                pass
            case c.Between() | c.IsIn() | c.SetOf() | c.ListOf() | c.Range() | c.FirstOf():
                pass
            case c.Tested() | c.Filter() | c.Folded() | c.Suppose() | c.Choose():
                pass
            case _:
                assert_never(e)


def flat(e: c.Const) -> Iterator[tuple[str, Any]]:
    """A constant, or each member of a constant set."""
    if e.type.of is not None and isinstance(e.value, tuple):
        of = e.type.of.name
        yield from ((of, v) for v in e.value)
    elif e.value is not None:
        yield e.type.name, e.value
