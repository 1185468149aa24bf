"""The facts of a diff: what changed from one rule set to another.

In:  two rule sets as far as the core.
Out: facts in a stable order, each with a short id made from its content.

Facts come from the core, never from the text: declarations are paired by content hashes, differing pairs are compared
part by part, and a pair with the same meaning in the core gives no fact. Layout, comments, notes and `covers` lines
never count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core.digest import Form, event_of, parts_of
from ..core.entries import Entry
from ..core.walk import below
from ..pipeline import Compiled
from .data import (
    Change,
    calendar_changes,
    default_changes,
    look_changes,
    maps_changes,
    reached_changes,
    scenario_changes,
    table_changes,
    unit_changes,
    word_changes,
)
from .entries import RULES, digest, each_field, element, name_of, node_digest, printed_forms
from .heads import head_changes
from .items import Item, Origins, Sheet, sheets
from .match import Matched, match, order
from .meaning.pieces import Around, CanonicalPieces, Piece, pieces
from .meaning.pieces import waivers as waivers
from .meaning.wholes import AllWhole, Wholes
from .smallest import DECLARATIONS, Difference, code, smallest, text

DATA = ("map", "roster", "calendar", "words")
"""Blocks whose lines are told one by one."""
QUIET = frozenset({"example", "preview", "title", "provenance", "invariant", "untranslated", "overlay"})


@dataclass(frozen=True, slots=True)
class Fact:
    """One change; `old` and `new` are the declarations that contain it."""

    id: str
    kind: str
    element: str
    case: str
    name: str
    before: str
    after: str
    where: str
    lines: tuple[str, str] = ("", "")
    old: Entry | None = field(default=None, compare=False)
    new: Entry | None = field(default=None, compare=False)
    part: Difference | None = field(default=None, compare=False)
    keys: tuple[Any, ...] = field(default=(), compare=False)
    items: tuple[Item, ...] = field(default=(), compare=False)

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "element": self.element,
            "case": self.case,
            "name": self.name,
            "before": self.before or None,
            "after": self.after or None,
            "where": self.where,
            "lines": {"before": self.lines[0] or None, "after": self.lines[1] or None},
            "items": [{"overlay": i.overlay, "case": i.case} for i in self.items],
        }


@dataclass(slots=True)
class Compared:
    """The facts, and the pairing of declarations behind them."""

    facts: list[Fact]
    matched: Matched
    sheets: list[Sheet]


def facts(a: Compiled, b: Compiled) -> list[Fact]:
    """What changed from one rule set to the other."""
    return compared(a, b).facts


def compared(a: Compiled, b: Compiled) -> Compared:
    """The facts with the pairing behind them."""
    assert a.book is not None and b.book is not None and a.entries is not None and b.entries is not None
    matched = match(each_field(a.entries), each_field(b.entries), (a.book.cases, b.book.cases))
    new = sheets(a, b)
    origins = Origins(new)
    known = {i.case for s in new for i in s.items}
    found = [
        replace(f, items=origins.of(f)) for f in Finder(a, b, matched).all() if not (headline(f) and f.case in known)
    ]
    return Compared(numbered(found), matched, new)


def headline(f: Fact) -> bool:
    """Whether a fact says only that a case was added, which the item of a sheet says already."""
    return f.element == "case" and f.kind == "added"


def numbered(found: list[Fact]) -> list[Fact]:
    """Facts in the order of their cases, with unique ids; equal facts get a suffix."""
    seen: dict[str, int] = {}
    made = []
    for f in sorted(found, key=rank):
        words = "\x1f".join((f.kind, f.element, f.case, f.name, f.where, f.before, f.after))
        id = "f" + hashlib.sha256(words.encode()).hexdigest()[:9]
        seen[id] = seen.get(id, 0) + 1
        if seen[id] > 1:
            id = f"{id}-{seen[id]}"
        made.append(replace(f, id=id))
    return made


def rank(f: Fact) -> tuple[Any, ...]:
    return order(f.case), f.element in QUIET, f.element, f.name, f.where, f.kind, f.before, f.after


class Finder:
    """Finds the facts of two rule sets whose declarations are paired."""

    def __init__(self, a: Compiled, b: Compiled, matched: Matched) -> None:
        assert a.book is not None and b.book is not None and a.entries is not None and b.entries is not None
        self.a, self.b = a.book, b.book
        self.ours, self.theirs = each_field(a.entries), each_field(b.entries)
        self.overlays = a.overlays, b.overlays
        self.matched = matched
        self.numbers = dict(matched.renumbered)
        self._elements: list[dict[int, list[tuple[Piece, Around]]] | None] = [None, None]
        self._canonical: dict[tuple[int, type[Wholes] | None], CanonicalPieces] = {}

    def all(self) -> Iterator[Fact]:
        m = self.matched
        for old, new in m.renumbered:
            yield self.fact("renumbered", "case", new, self.b.cases.get(new, ""), old, new)
        yield from self.cases()
        for sort, case, before, after in m.renamed:
            yield self.fact("renamed", sort, case, after, before, after)
        for x, y in m.moved:
            yield self.fact("moved", element(y.node), y.case, name_of(y.node), x.case, y.case, old=x, new=y)
        for x, y in m.pairs:
            yield from self.pair(x, y)
        for e in m.struck:
            yield from self.alone("struck", e)
        for e in m.added:
            yield from self.alone("added", e)
        yield from self.data()
        yield from self.heads()
        yield from self.trigger_order()

    def fact(
        self,
        kind: str,
        element: str,
        case: str,
        name: str,
        before: str,
        after: str,
        where: str = "",
        old: Entry | None = None,
        new: Entry | None = None,
        part: Difference | None = None,
        keys: tuple[Any, ...] = (),
    ) -> Fact:
        lines = (place(old.node.span) if old else "", place(new.node.span) if new else "")
        return Fact("", kind, element, case, name, before, after, where, lines, old, new, part, keys)

    def cases(self) -> Iterator[Fact]:
        """Numbers that came or went, and titles that changed."""
        there = set(self.numbers.values())
        for case, title in self.a.cases.items():
            if case in self.numbers:
                new = self.numbers[case]
            elif case in self.b.cases:
                new = case
            else:
                yield self.fact("struck", "case", case, "", title, "")
                continue
            if self.b.cases.get(new, title) != title:
                yield self.fact("amended", "title", new, new, title, self.b.cases[new])
        for case, title in self.b.cases.items():
            if case not in there and case not in self.a.cases:
                yield self.fact("added", "case", case, "", "", title)

    # ------------------------------------------------------------ declarations

    def alone(self, kind: str, e: Entry) -> Iterator[Fact]:
        """A declaration on one side only; data such as units gives one fact each."""
        if isinstance(e.node, n.Data) and e.node.kind in DATA:
            return
        if isinstance(e.node, n.Data) and e.node.kind == "style":
            return
        if isinstance(e.node, n.AmendPrinted):
            return
        said = text(e.node)
        if isinstance(e.node, n.Example):
            said = e.node.title
        for guard in reversed(e.under):
            said = f"under {text(guard)}: {said}"
        before, after = (said, "") if kind == "struck" else ("", said)
        old, new = (e, None) if kind == "struck" else (None, e)
        yield self.fact(kind, element(e.node), e.case, name_of(e.node), before, after, old=old, new=new)

    def pair(self, x: Entry, y: Entry) -> Iterator[Fact]:
        word, name = element(y.node), name_of(y.node)
        if x.house != y.house:
            before, after = ("house" if e.house else "printed" for e in (x, y))
            yield self.fact("amended", "provenance", y.case, name, before, after, old=x, new=y)
        if [text(u) for u in x.under] != [text(u) for u in y.under]:
            before, after = (" and ".join(text(u) for u in e.under) for e in (x, y))
            yield self.fact("amended", word, y.case, name, before, after, where="under", old=x, new=y)
        if isinstance(y.node, n.Table) and isinstance(x.node, n.Table):
            for change in table_changes(self.a, self.b, x.node.name, y.node.name):
                yield self.changed(change, x, y)
            return
        if isinstance(y.node, n.Data) and y.node.kind == "veiled":
            if text(x.node) != text(y.node):
                yield self.fact("amended", word, y.case, name, text(x.node), text(y.node), old=x, new=y)
            return
        if isinstance(y.node, n.Data | n.AmendPrinted):
            return
        if isinstance(y.node, n.Example):
            if digest(x) != digest(y):
                yield from self.parts(x, y, word, name)
            return
        if not self.same_meaning(x, y):
            yield from self.parts(x, y, word, name)
            return
        asked = [[s.name for s in below(z.node) if isinstance(s, n.Ask)] for z in (x, y)]
        for before, after in zip(*asked, strict=False):
            if before != after:
                yield self.fact("renamed", "answer", y.case, after, before, after, name, x, y)

    def parts(self, x: Entry, y: Entry, word: str, name: str) -> Iterator[Fact]:
        if type(x.node) is not type(y.node):
            yield self.fact("amended", word, y.case, name, text(x.node), text(y.node), old=x, new=y)
            return
        differences, moved = moved_phases(smallest(x.node, y.node))
        for gone, come in moved:
            before, after = (neighbour(z.node, phase) for z, phase in ((x, gone), (y, come)))
            yield self.fact("moved", "phase", y.case, come.name, before, after, name, x, y)
        for d in differences:
            kind = "added" if d.before is None else "struck" if d.after is None else "amended"
            part = d.before if d.after is None else d.after
            if isinstance(part, n.Phase) and kind != "amended":
                yield self.fact(
                    kind, "phase", y.case, part.name, text(d.before), text(d.after), f"{name}: {d.where}", x, y, d
                )
                continue
            if isinstance(part, n.Rule) and kind != "amended":
                label = " ".join(filter(None, (name, part.label)))
                yield self.fact(kind, RULES[part.sort], y.case, label, text(d.before), text(d.after), "", x, y, d)
                continue
            if (
                isinstance(d.before, DECLARATIONS)
                and isinstance(part, DECLARATIONS)
                and not isinstance(part, n.Rule | n.Let)
            ):
                yield self.fact("amended", word, y.case, name, text(x.node), text(y.node), "", x, y, d)
                continue
            yield self.fact("amended", word, y.case, name, text(d.before), text(d.after), d.where, x, y, d)

    def same_meaning(self, x: Entry, y: Entry) -> bool:
        """Whether two differently written declarations have the same canonical form in the core."""
        if any(aim(x.node, f) != aim(y.node, f) for f in AIMED):
            return False
        if isinstance(x.node, n.Box) and isinstance(y.node, n.Box):
            return self.a.boxes.get(x.node.name) == self.b.boxes.get(y.node.name)
        for wholes in (AllWhole, None, Wholes):
            ours, theirs = self.meaning(0, x, wholes), self.meaning(1, y, wholes)
            if wholes is AllWhole and (not ours or ours != theirs):
                return False
            if wholes is not AllWhole and ours == theirs:
                return True
        return False

    def meaning(self, side: int, e: Entry, wholes: type[Wholes] | None) -> list[Any]:
        """The pieces of the core that came from a declaration, in their canonical form.

        Which numbers are whole is costly to find: it is asked only where two declarations are one if all of them are,
        and differ if none is.
        """
        book = (self.a, self.b)[side]
        known = self._elements[side]
        if known is None:
            known = self._elements[side] = by_block(book)
        canonical = self._canonical.get((side, wholes))
        if canonical is None:
            canonical = CanonicalPieces(book, wholes(book) if wholes is not None else None)
            self._canonical[side, wholes] = canonical
        form, span = Form(book), e.node.span
        mine = [(x, around) for x, around in known.get(id(span.origin), []) if inside(x, span)]
        mine += [(rule, around) for x, around in mine for rule in amended_rules(x, span)]
        numbers = self.numbers if side == 0 else {}
        return sorted((shallow(form, canonical.piece(x, around), numbers) for x, around in mine), key=repr)

    # ------------------------------------------------------------ data

    def changed(self, change: Change, x: Entry | None = None, y: Entry | None = None) -> Fact:
        return self.fact(
            change.kind, change.element, change.case, change.name, change.before, change.after, change.where, x, y,
            keys=change.keys,
        )  # fmt: skip

    def data(self) -> Iterator[Fact]:
        """Units, maps, calendars, looks, phrases and scenarios.

        Counters and maps are skipped where neither their blocks nor what is printed in them are amended; scenarios are
        not: an amendment of one set-up, another roster or another default map reach into a block that stays as it is.
        """
        m = self.matched
        touched = [e for pair in [*m.pairs, *m.moved] for e in pair] + m.struck + m.added
        kinds = {e.node.kind for e in touched if isinstance(e.node, n.Data)}
        homes = {e.node.kind: e for e in [*self.theirs, *touched] if isinstance(e.node, n.Data)}
        printed = {e.node.unit for e in touched if isinstance(e.node, n.AmendPrinted)}
        if "roster" in kinds or True in printed or any(isinstance(e.node, n.Field | n.Scale) for e in touched):
            for change in unit_changes(self.a, self.b, self.numbers, self.forms()):
                yield self.changed(change)
        if ("map" in kinds or False in printed) and "map" in homes:
            for change in maps_changes(self.a, self.b, homes["map"].case):
                yield self.changed(change, None, homes["map"] if "map" in kinds else None)
        if "calendar" in kinds:
            for change in calendar_changes(self.a.calendar, self.b.calendar):
                yield self.changed(change)
        if "style" in kinds:
            for change in look_changes(self.a, self.b):
                yield self.changed(change)
        if "words" in kinds:
            for change in word_changes(self.a, self.b):
                yield self.changed(change)
        blocks = {y.node.name: (x, y) for x, y in m.pairs if isinstance(y.node, n.Data) and y.node.kind == "scenario"}
        for name in self.b.scenarios if touched else ():
            found = scenario_changes if name in blocks else reached_changes
            for change in found(self.a, self.b, name):
                yield self.changed(change, *blocks.get(name, (None, None)))
        for change in default_changes(self.a, self.b):
            yield self.changed(change)

    def forms(self) -> dict[str, list[list[str]]]:
        """The fields that the rosters of each case print with hyphens between them."""
        found: dict[str, list[list[str]]] = {}
        for e in self.theirs:
            found.setdefault(e.case, []).extend(printed_forms(e))
        return found

    def heads(self) -> Iterator[Fact]:
        """Changed heads of overlays that both sides have, in force or not."""
        for change, old, new in head_changes(*self.overlays):
            yield replace(self.changed(change), lines=(place(old.span), place(new.span)))

    def trigger_order(self) -> Iterator[Fact]:
        """Changed order of triggers of one event: they run in order, so that is a fact."""
        if [t.id for t in self.a.triggers] == [t.id for t in self.b.triggers]:
            return
        for event in sorted({event_of(t) for t in self.b.triggers}):
            ours = [self.numbers.get(t.case, t.case) for t in self.a.triggers if event_of(t) == event]
            theirs = [t.case for t in self.b.triggers if event_of(t) == event]
            if ours != theirs and sorted(ours) == sorted(theirs):
                name = " ".join(filter(None, event))
                yield self.fact("moved", "trigger", theirs[0], name, ", ".join(ours), ", ".join(theirs), "order")


def moved_phases(found: list[Difference]) -> tuple[list[Difference], list[tuple[n.Phase, n.Phase]]]:
    """Separate phases that were removed in one place and added in another from the other differences."""
    gone = [d for d in found if isinstance(d.before, n.Phase) and d.after is None]
    come = [d for d in found if isinstance(d.after, n.Phase) and d.before is None]
    pairs: list[tuple[n.Phase, n.Phase]] = []
    for d in gone:
        for other in come:
            if code(d.before) == code(other.after):
                pairs.append((d.before, other.after))
                found = [x for x in found if x is not d and x is not other]
                come = [x for x in come if x is not other]
                break
    return found, pairs


def neighbour(node: n.Decl, phase: n.Phase) -> str:
    """The position of a phase in a sequence: after or before which other."""
    for x in (node, *below(node)):
        for part in (getattr(x, "body", ()), getattr(x, "otherwise", ())):
            names = [s.name for s in part if isinstance(s, n.Phase)] if isinstance(part, tuple) else []
            if phase.name in names:
                at = names.index(phase.name)
                if at:
                    return f"after {names[at - 1]}"
                return f"before {names[1]}" if len(names) > 1 else "alone"
    return ""


AIMED = ("target", "name", "facet", "stage", "sort", "label", "after", "event")


def aim(node: n.Decl, field: str) -> str:
    """The target of a declaration. The core has no field for it: a layer hangs on its target."""
    value = getattr(node, field, None)
    return node_digest(value) if isinstance(value, n.Node) else str(value)


def place(span: Span) -> str:
    """A line of a file; one outside the working folder goes by its name and folder, the same on every machine."""
    path = PurePath(span.file)
    return f"{'/'.join(path.parts[-2:]) if path.is_absolute() else span.file}:{span.line}"


# ---------------------------------------------------------------- pieces of the core


def elements(book: c.Book) -> dict[int, list[Any]]:
    """The declarations of the core by the block of text they came from, without the names around them."""
    return {origin: [x for x, _ in found] for origin, found in by_block(book).items()}


def by_block(book: c.Book) -> dict[int, list[tuple[Piece, Around]]]:
    """The declarations of the core by block of text, each with the parameters in scope around it."""
    found: dict[int, list[tuple[Piece, Around]]] = {}
    for x, around in pieces(book):
        span = x.base.span if isinstance(x, c.Definition) else x.span
        found.setdefault(id(span.origin), []).append((x, around))
    return found


def amended_rules(x: Piece, span: Span) -> list[c.Rule]:
    """Rules of a declaration that an overlay replaced: their spans are in the overlay, their case is the old one."""
    if not isinstance(x, c.Route | c.Matching | c.Action):
        return []
    return [r for r in x.rules if r.case == x.case and r.span.origin is not span.origin]


def inside(x: Any, span: Span) -> bool:
    own = x.base.span if isinstance(x, c.Definition) else x.span
    start, end = (own.row, own.column), (own.end_row, own.end_column)
    return (span.row, span.column) <= start and end <= (span.end_row, span.end_column)


NESTED = {"exceptions", "waivers", "contributions", "wrappers", "rules"}


def shallow(form: Form, x: Any, numbers: dict[str, str]) -> Any:
    """A piece without the parts that other declarations add to it, its case renumbered."""
    if isinstance(x, c.Definition):
        return ("Definition", x.name, form(x.params), str(x.type), x.gathered, form(x.stages), x.sort)
    made: list[Any] = [type(x).__name__]
    for name in parts_of(type(x)):
        if name in NESTED or (name == "definition" and not isinstance(x, c.Layer)):
            continue
        value = getattr(x, name)
        if name == "case":
            made.append(numbers.get(value, value))
        elif name == "procedure":
            made.append((form(value.params), form(value.body)))
        else:
            made.append(form(value))
    return tuple(made)
