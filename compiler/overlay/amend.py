"""Stack overlays on a book.

In:  the entries of a book and the overlays in force, in order.
Out: the entries with every amendment carried out; each remembers who touched it.
Reports: RW401 an amendment that misses its target, RW402 an old value that is not there, RW405 two
overlays that touch the same element, RW406 an item that is not in the text although it says so, RW407 rules of other
cases that would fall with what is struck or replaced, RW408 an owner's file that replaces no house value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same
from rulewright.dsl.diagnostics import Reporter, choose
from rulewright.dsl.source import Span

from ..cache.incremental import Memory, Room
from ..core.entries import Entry, Touch, declared_name
from ..read.collect import collect
from .amend_rows import NotThere, Rowed, changed
from .case_order import in_case_order
from .edit_tree import Spot, at, find, overlap, put, rebuilt, recased, renamed
from .falls import about, signature, told
from .heads import PRINTED, Head
from .parts import parts, shown


def overlay(
    entries: list[Entry],
    layers: list[tuple[Head, n.Overlay]],
    report: Reporter,
    memory: Memory | None = None,
    whole: bool = True,
) -> list[Entry]:
    """The entries as amended by each overlay in turn, by case; unless `whole`, a layer is a piece of an overlay."""
    memory = memory or Memory()
    amender = Amender(entries, {head.name: head for head, _ in layers}, report, memory.room("overlay"))
    room = memory.room("collect overlays")
    for head, layer in layers:
        amender.carry_out(collect(layer.body, report, head.name, room).entries, head)
        if whole:
            amender.check_falls()
    return in_case_order(amender.entries)


def amended(entries: list[Entry], more: list[Entry], report: Reporter, room: Room | None = None) -> list[Entry]:
    """The entries of a series book as amended by the game book that stands on it."""
    amender = Amender(entries, {}, report, room)
    amender.carry_out(more, Head(name="", sort="book", of="", title="", kind="change"))
    amender.check_falls()
    return amender.entries


class Amender:
    """Carries out amendments, one at a time, and remembers what each touched.

    What an amendment makes of an entry or a tree is the same object in the next compile, where both are unchanged:
    `known` makes everything new here.
    """

    def __init__(
        self, entries: list[Entry], heads: dict[str, Head], report: Reporter, room: Room | None = None
    ) -> None:
        self.known = (room or Room()).work
        self.entries = list(entries)
        self.heads = heads
        self.report = report
        self.struck: list[tuple[Entry, Touch]] = []
        self.gone: list[Gone] = []
        self.examples_gone: set[tuple[str, str]] = set()
        self.head: Head | None = None
        self.item: Entry | None = None

    def carry_out(self, items: list[Entry], head: Head) -> None:
        """Every amendment of one overlay; what amends nothing is added."""
        self.head = head
        for item in items:
            self.item = item
            self.report.case = item.case
            if item.already:
                self.check_already(item)
            else:
                self.carry_out_one(item)
        self.report.case = ""

    def carry_out_one(self, item: Entry) -> None:
        node = item.node
        if self.head is not None and self.head.kind == PRINTED and not isinstance(node, n.Replace | n.Example):
            return self.report.error(
                "RW408",
                node.span,
                "a file of printed values does nothing but replace house values by their names",
                help="write replace CASE NAME: and the whole chart, roster or map; other changes go into a variant",
            )
        match node:
            case n.Amend():
                self.amend(node)
            case n.Strike():
                self.strike(node)
            case n.Rows():
                self.rows(node)
            case n.Replace():
                self.replace(node)
            case n.Rename():
                self.rename(node)
            case n.MoveCase():
                self.move(node)
            case n.Insert():
                self.insert(node)
            case n.AmendPrinted():
                self.amend_printed(item, node)
            case _:
                self.entries.append(item)
        return None

    # ------------------------------------------------------------ the amendments

    def amend(self, node: n.Amend) -> None:
        found = self.hits(node.target)
        if not found:
            return self.missed(node.target, 0)
        places = {i: where for i in found if (where := named_spots(self.entries[i].node, node.target))}
        if not places:
            return self.no_part(node.target, found)
        spots = {i: found_in(self.entries[i].node, where, node.old) for i, where in places.items()}
        total = sum(map(len, spots.values()))
        if total != node.times:
            if self.changed_below(found, node):
                return None
            stands = "nowhere" if not total else "once" if total == 1 else f"{total} times"
            wanted = "" if node.times == 1 else f", not {node.times} times,"
            there = [shown(at(self.entries[i].node, spot)) for i, where in places.items() for spot in where]
            return self.report.error(
                "RW402",
                node.old.span,
                f"the old value stands {stands}{wanted} in what is amended",
                notes=(f"there stands: {'; '.join(there)}",),
                help=self.as_it_stands("state the value as the book has it now")
                if not total
                else f"state more of what stands around it, or say how often: …, {total} times:",
            )
        if same(node.old, node.new):
            return self.report.error(
                "RW402", node.span, "this amendment changes nothing", help="state the new value, or strike the line"
            )
        for i, here in spots.items():
            tree: n.Decl = self.entries[i].node
            new = self.known(("put", tree, node), partial(put_all, tree, here, node.new))
            for spot in here:
                self.change(i, new, spot, node.span)
        return None

    def as_it_stands(self, help: str) -> str:
        """The remedy for an old value that is not there, which may be what another overlay leaves."""
        assert self.head is not None
        if not self.head.absent:
            return help
        others = ", ".join(self.head.absent)
        stack = "+".join((self.head.of, *self.head.absent, self.head.name))
        return f"{self.head.name} comes after {others}, not in force here: stack it too ({stack}), or {help}"

    def no_part(self, target: n.Target, found: list[int]) -> None:
        """The declaration is there, and has no part of that name."""
        known = dict.fromkeys(name for i in found for name in parts(self.entries[i].node))
        self.report.error(
            "RW401",
            target.span,
            f'{target.cases[0]} {target.name} has no part "{target.facet}"',
            help=choose(target.facet or "", known, "its parts")
            if known
            else f"it has no parts; write amend {target.cases[0]} {target.name}: …",
        )

    def amend_printed(self, item: Entry, node: n.AmendPrinted) -> None:
        """What a map or a counter prints is changed where data is read; here only two overlays can clash."""
        for e in self.entries:
            other = e.node
            if isinstance(other, n.AmendPrinted) and alike(other, node):
                theirs = Touch(overlay=e.overlay, case=e.case, spot=(), before=other, span=other.span)
                if e.overlay != item.overlay and not self.comes_after(theirs):
                    return self.conflict(theirs, node.span, f"{node.thing}.{node.field}")
        self.entries.append(item)
        return None

    def strike(self, node: n.Strike) -> None:
        if node.example is not None:
            return self.strike_example(node)
        found = self.declaring(node.target)
        if not found or (node.target.name is not None and len(found) != 1):
            return self.missed(node.target, len(found))
        for i in reversed(found):
            if self.touch(i, (), node.span):
                self.struck.append((self.entries[i], self.entries[i].touched[-1]))
                self.gone.append(Gone(self.entries[i], None, node, self.report.case))
                del self.entries[i]
        return None

    def strike_example(self, node: n.Strike) -> None:
        cases = node.target.cases
        titles = {
            e.node.title: i for i, e in enumerate(self.entries) if e.case in cases and isinstance(e.node, n.Example)
        }
        at = titles.get(node.example or "")
        if at is None and (cases[0], node.example or "") in self.examples_gone:
            return None
        if at is None:
            return self.report.error(
                "RW401",
                node.span,
                f'case {cases[0]} has no example "{node.example}"',
                help=choose(node.example or "", titles, "its examples"),
            )
        self.examples_gone.add((self.entries[at].case, node.example or ""))
        del self.entries[at]
        return None

    def rows(self, node: n.Rows) -> None:
        hits = self.hits(node.target)
        found = [i for i in hits if isinstance(self.entries[i].node, Rowed)]
        if hits and not found:
            return self.no_rows(node)
        if len(found) != 1:
            return self.missed(node.target, len(found))
        old = self.entries[found[0]].node
        assert isinstance(old, Rowed)
        try:
            wanted, spots = changed(old, node)
        except NotThere as error:
            if not self.rows_changed_below(found[0], node):
                self.report.error("RW402", error.span, error.message, help=self.as_it_stands(error.help))
            return None
        new = self.known(("rows", old, node), lambda: wanted)
        for spot in spots:
            self.change(found[0], new, spot, node.span)
        return None

    def no_rows(self, node: n.Rows) -> None:
        """What stands there has the name, but nothing of the sort that is to be changed."""
        name = node.target.name
        others = [e.case for e in self.entries if isinstance(e.node, Rowed) and declared_name(e.node) == name]
        there = f"a table, kind or data block of that name stands in case {', '.join(others)}"
        self.report.error(
            "RW401",
            node.target.span,
            f'"{name or node.target.cases[0]}" has no {node.what}s in case {node.target.cases[0]}',
            help=there if others else "name a table, a kind, or a block of data such as a roster",
        )

    def replace(self, node: n.Replace) -> None:
        found = self.declaring(node.target)
        if len(found) != 1:
            return self.missed(node.target, len(found))
        inner: n.Decl = node.decl
        house = isinstance(inner, n.House)
        if isinstance(inner, n.House):
            inner = inner.decl
        before = self.entries[found[0]]
        if self.head is not None and self.head.kind == PRINTED and not self.may_be_printed(node, before, house):
            return None
        if same(before.node, inner) and before.house == house:
            return self.report.error(
                "RW402", node.span, "this amendment changes nothing", help="state the new declaration, or strike this"
            )
        if self.change(found[0], inner, (), node.span):
            entry = self.entries[found[0]]
            self.gone.append(Gone(before, inner, node, self.report.case))
            self.entries[found[0]] = self.known(("house", entry, str(house)), partial(replace, entry, house=house))
        return None

    def may_be_printed(self, node: n.Replace, before: Entry, house: bool) -> bool:
        """Whether an owner's file puts a printed value in the place of a house value."""
        what = f"{before.case} {before.name}"
        inner = node.decl.decl if isinstance(node.decl, n.House) else node.decl
        if not before.house:
            self.report.error(
                "RW408",
                node.target.span,
                f"{what} is no house value, and this file holds printed values for those alone",
                help="change rules in a variant of your own; rulewright house BOOK lists the house values",
            )
        elif house and same(before.node, inner):
            self.report.remark(
                "RW408",
                node.span,
                f"{what} is still the house value",
                help="put the values of your copy there, and strike the word house in front of it",
            )
        else:
            return True
        return False

    def rename(self, node: n.Rename) -> None:
        found = self.hits(node.target)
        if not found or node.target.name is None:
            return self.missed(node.target, len(found))
        taken = next((e for e in self.entries if declared_name(e.node) == node.new and e.node), None)
        if taken is not None and not isinstance(taken.node, n.Example):
            return self.report.error(
                "RW401",
                node.span,
                f'"{node.new}" is already declared in case {taken.case}',
                help="choose another name",
            )
        if self.touch(found[0], ("name",), node.span):
            old, new = node.target.name, node.new
            self.entries = [
                self.known(("rename", e, old, new), partial(renamed_entry, e, old, new)) for e in self.entries
            ]
        return None

    def move(self, node: n.MoveCase) -> None:
        if not any(e.case == node.old for e in self.entries):
            return self.missed(n.Target(cases=(node.old,), name=None, span=node.span), 0)
        standing = [told(e) for e in self.entries if e.case == node.new]
        if standing:
            return self.report.error(
                "RW401",
                node.span,
                f"case {node.new} is there already: {', '.join(standing[:4])}{', …' if len(standing) > 4 else ''}",
                help=f"move or strike {node.new} first, or choose a number that is free",
            )
        old, new = node.old, node.new
        self.entries = [self.known(("move", e, old, new), partial(moved_entry, e, old, new)) for e in self.entries]
        return None

    def insert(self, node: n.Insert) -> None:
        """Phases and statements beside, in place of, or without a phase of the sequence."""
        found = [
            (i, spot)
            for i, e in enumerate(self.entries)
            if isinstance(e.node, n.Procedure | n.Action | n.Trigger)
            for spot in phases(e.node, node.phase)
        ]
        if len(found) != 1:
            near = {x.name for e in self.entries for x in nodes_of(e.node, n.Phase)}
            count = f"{len(found)} times" if found else "nowhere"
            return self.report.error(
                "RW401",
                node.span,
                f'the phase "{node.phase}" stands {count} in the sequence; one is needed',
                help=choose(node.phase, near, "phases"),
            )
        assert self.head is not None
        i, spot = found[0]
        where = (*spot, node.where, self.head.name) if node.where in ("before", "after", "into") else spot
        tree: n.Decl = self.entries[i].node
        self.change(i, self.known(("fit", tree, node), partial(fitted, tree, node)), where, node.span)
        return None

    # ------------------------------------------------------------ what they touch

    def change(self, at: int, node: n.Decl, spot: Spot, span: Span) -> bool:
        """Put an amended declaration into its place, unless another overlay has a say there."""
        if not self.touch(at, spot, span):
            return False
        entry = self.entries[at]
        self.entries[at] = self.known(("change", entry, node), partial(replace, entry, node=node))
        return True

    def touch(self, at: int, spot: Spot, span: Span) -> bool:
        """Remember that this overlay touches an element; False where another one did and this one yields."""
        assert self.head is not None and self.item is not None
        entry = self.entries[at]
        for other in entry.touched:
            if other.overlay != self.head.name and overlap(spot, other.spot) and not self.comes_after(other):
                self.conflict(other, span, f"{entry.case} {declared_name(entry.node)}".strip())
                return False
        by, case = self.head.name, self.item.case

        def touched() -> Entry:
            made = Touch(overlay=by, case=case, spot=spot, before=entry.node, span=span)
            return replace(entry, touched=(*entry.touched, made))

        self.entries[at] = self.known(("touch", entry, by, case, spot, span), touched)
        return True

    def comes_after(self, other: Touch) -> bool:
        """Whether this overlay stands on the other one; all others stand on an owner's printed values."""
        assert self.head is not None
        theirs = self.heads.get(other.overlay)
        return other.overlay in self.head.after or (theirs is not None and theirs.kind == PRINTED != self.head.kind)

    def conflict(self, other: Touch, span: Span, what: str) -> None:
        """Two overlays on one element: the higher priority holds, else both are shown."""
        assert self.head is not None
        theirs = self.heads.get(other.overlay)
        if theirs is None or theirs.priority > self.head.priority:
            return
        self.report.error(
            "RW405",
            span,
            f"{self.head.cited} and {theirs.cited} both change {what}",
            notes=(f"{theirs.name} changes it at {other.span.file}:{other.span.line}, case {other.case}",),
            help=f"say which comes on top: after: {theirs.name} in the head of {self.head.name} (and state the value"
            f" as {theirs.name} leaves it), or give one a higher priority: so that the other yields",
        )

    def changed_below(self, found: list[int], node: n.Amend) -> bool:
        """Whether an old value is gone because another overlay changed it; then that is reported."""
        assert self.head is not None
        for i in found:
            for other in self.entries[i].touched:
                where = named_spots(other.before, node.target)
                if other.overlay != self.head.name and found_in(other.before, where, node.old):
                    what = f"{self.entries[i].case} {declared_name(self.entries[i].node)}".strip()
                    self.conflict(other, node.span, what)
                    return True
        return False

    def rows_changed_below(self, at: int, node: n.Rows) -> bool:
        assert self.head is not None
        for other in self.entries[at].touched:
            before = other.before
            if other.overlay == self.head.name or not isinstance(before, Rowed):
                continue
            try:
                changed(before, node)
            except NotThere:
                continue
            self.conflict(other, node.span, f"{self.entries[at].case} {declared_name(before)}".strip())
            return True
        return False

    # ------------------------------------------------------------ what falls with what goes

    def check_falls(self) -> None:
        """Rules of other cases about what was struck or replaced: each is dropped or kept by name, or reported."""
        for gone in self.gone:
            named = (*gone.by.dropping, *gone.by.keeping)
            fallen: list[Entry] = []
            went = [gone]
            while went:
                now = self.fallen(went.pop())
                fallen += now
                dropped = [e for e in now if e.case in gone.by.dropping]
                self.entries = [e for e in self.entries if not any(e is x for x in dropped)]
                went += [replace(gone, entry=e, new=None) for e in dropped]
            for case in named:
                if not any(e.case == case for e in fallen):
                    self.falls_not(gone, case, {e.case for e in fallen})
            left = [e for e in fallen if e.case not in named]
            if left:
                self.fall(gone, left)
        self.gone = []

    def fallen(self, gone: Gone) -> list[Entry]:
        """The rules about what went that have nothing to hold of; those of the overlay itself are its own matter."""
        assert self.head is not None
        mine = self.head.name
        about_it = [e for e in self.entries if about(e, gone.entry.case, gone.entry.node)]
        return [e for e in about_it if (e.overlay != mine or not mine) and not self.holds(e, gone)]

    def holds(self, rule: Entry, gone: Gone) -> bool:
        """Whether a rule about what went has something to hold of, which is asked in the same way."""
        if gone.new is not None:
            return signature(gone.new) == signature(gone.entry.node) and about(rule, gone.entry.case, gone.new)
        return any(about(rule, e.case, e.node) for e in self.entries if e is not rule)

    def fall(self, gone: Gone, left: list[Entry]) -> None:
        cases = ", ".join(dict.fromkeys(e.case for e in left))
        what = " ".join(filter(None, (gone.entry.case, declared_name(gone.entry.node))))
        if gone.new is None:
            said, help = "struck", f"strike them as well, all at once with: strike {what} dropping {cases}"
        else:
            said = "replaced by something that is asked otherwise"
            help = f"where they fit the new one: replace {what} keeping {cases}: …; "
            help += f"else: replace {what} dropping {cases}: …"
        self.report.error(
            "RW407",
            gone.by.span,
            f"{what} is {said}, and other rules are about it",
            notes=tuple(told(e) for e in left[:12]) + ((f"and {len(left) - 12} more",) if len(left) > 12 else ()),
            help=help,
            case=gone.case,
        )

    def falls_not(self, gone: Gone, case: str, cases: set[str]) -> None:
        what = " ".join(filter(None, (gone.entry.case, declared_name(gone.entry.node))))
        self.report.error(
            "RW401",
            gone.by.span.find(case),
            f"no rule of case {case} falls with {what}",
            help=f"rules about it: {', '.join(sorted(cases))}" if cases else "strike that word and its cases",
            case=gone.case,
        )

    # ------------------------------------------------------------ finding targets

    def hits(self, target: n.Target) -> list[int]:
        return [i for i, e in enumerate(self.entries) if aimed_at(e, target)]

    def declaring(self, target: n.Target) -> list[int]:
        """What a target hits; where a name has one declaration, that and not the rules of its case about it."""
        found = self.hits(target)
        own = [i for i in found if not isinstance(self.entries[i].node, RULES)]
        return own if target.name is not None and len(own) == 1 else found

    def missed(self, target: n.Target, count: int) -> None:
        """Report a target that is not there, or not alone, with what is near."""
        for entry, other in self.struck:
            if aimed_at(entry, target) and self.head is not None and other.overlay != self.head.name:
                return self.conflict(other, target.span, f"{entry.case} {declared_name(entry.node)}".strip())
        what = " ".join(filter(None, (", ".join(target.cases), target.name)))
        here = sorted({declared_name(e.node) for e in self.entries if e.case in target.cases} - {""})
        elsewhere = sorted({e.case for e in self.entries if target.name and declared_name(e.node) == target.name})
        if elsewhere:
            help = f"{target.name} stands in case {', '.join(elsewhere)}"
        elif here:
            help = f"case {target.cases[0]} declares: {', '.join(here)}"
        else:
            help = choose(target.cases[0], (e.case for e in self.entries), "cases")
        stands = f"{count} places" if count > 1 else "one place" if count else "no place"
        return self.report.error("RW401", target.span, f'"{what}" hits {stands}; one is needed', help=help)

    # ------------------------------------------------------------ items that the book holds already

    def check_already(self, item: Entry) -> None:
        """An item `already in text`: carrying it out would change nothing, since the book reads as it wants."""
        node = item.node
        wrong = ""
        match node:
            case n.Amend():
                found = [self.entries[i].node for i in self.hits(node.target)]
                new, old = (
                    sum(len(found_in(e, named_spots(e, node.target), x)) for e in found) for x in (node.new, node.old)
                )
                if new != node.times or old:
                    wrong = f"the new value stands {new or 'no'} times there, the old one {old or 'no'} times"
            case n.Strike(example=None):
                if self.hits(node.target):
                    wrong = "what it strikes still stands there"
            case n.Rows():
                wrong = self.rows_missing(node)
            case n.Replace():
                found = [self.entries[i].node for i in self.hits(node.target)]
                if not any(same(e, node.decl, loose=True) for e in found):
                    wrong = "the declaration there is another one"
            case n.Example() | n.AmendPrinted():
                self.entries.append(item)
            case n.Rename() | n.MoveCase() | n.Insert() | n.Strike():
                wrong = "only values, rows and declarations can be in the text already"
            case _:
                if not any(e.case == item.case and same(e.node, node, loose=True) for e in self.entries):
                    wrong = "the book has no such declaration in that case"
        if wrong:
            self.report.error(
                "RW406",
                node.span,
                f"this item is not in the text already: {wrong}",
                help="strike already in text, and let the amendment be carried out",
            )

    def rows_missing(self, node: n.Rows) -> str:
        found = [self.entries[i].node for i in self.hits(node.target)]
        tables = [e for e in found if isinstance(e, Rowed)]
        if len(tables) != 1:
            return "there is no such table"
        try:
            changed(tables[0], node if node.act == "strike" else reverse(node))
        except NotThere as error:
            return "" if node.act == "strike" else error.message
        return "what it strikes still stands there" if node.act == "strike" else ""


@dataclass(frozen=True, slots=True)
class Gone:
    """A declaration that was struck or replaced, by which amendment of which case."""

    entry: Entry
    new: n.Decl | None
    by: n.Strike | n.Replace
    case: str


def alike(one: n.AmendPrinted, other: n.AmendPrinted) -> bool:
    """Whether two amendments are of the same printed value."""
    return (one.thing, one.field, one.scenario) == (other.thing, other.field, other.scenario)


def named_spots(node: n.Decl, target: n.Target) -> list[Spot]:
    """Where to look in a declaration: at the part that a target names, else everywhere."""
    return [()] if target.facet is None else parts(node).get(target.facet, [])


def found_in(tree: n.Decl, where: list[Spot], wanted: n.Node) -> list[Spot]:
    """The spots of `wanted` within some parts, each once."""
    return list(dict.fromkeys(spot for part in where for spot in find(at(tree, part), wanted, part)))


def put_all(tree: n.Decl, spots: list[Spot], new: n.Node) -> n.Decl:
    made: n.Decl = reduce(lambda found, spot: put(found, spot, new), spots, tree)
    return made


def renamed_entry(entry: Entry, old: str, new: str) -> Entry:
    """The entry with a declared name changed wherever it is used."""
    return replace(entry, node=renamed(entry.node, old, new))


def moved_entry(entry: Entry, old: str, new: str) -> Entry:
    """The entry with a case number changed, its own and those that it refers to."""

    def number(case: str) -> str:
        return new if case == old else case

    return replace(entry, case=number(entry.case), node=recased(entry.node, number))


RULES = (n.Rule, n.Except, n.Add, n.Instead, n.Trigger)
"""Declarations that go by the name of what they are about."""


def aimed_at(entry: Entry, target: n.Target) -> bool:
    names = (declared_name(entry.node), getattr(entry.node, "target", None))
    return (
        entry.case in target.cases
        and (target.name is None or target.name in names)
        and not isinstance(entry.node, n.Example)
    )


def reverse(node: n.Rows) -> n.Rows:
    """The change of rows that undoes a change of rows."""
    act = {"insert": "strike", "strike": "insert", "replace": "replace"}[node.act]
    lines = node.lines
    if act == "replace" and node.what in ("cell", "item"):
        lines = tuple(replace(x, text=turned(x.text)) for x in lines)
    elif act == "replace":
        lines = tuple(lines[i ^ 1] for i in range(len(lines) & ~1))
    return replace(node, act=act, lines=lines)


def turned(text: str) -> str:
    key, _, value = text.partition(":")
    old, _, new = value.partition(" becomes ")
    return f"{key}: {new.strip()} becomes {old.strip()}"


# ---------------------------------------------------------------- phases and cases in trees


def phases(tree: Any, name: str, spot: Spot = ()) -> list[Spot]:
    """Where a phase stands in a declaration."""
    if isinstance(tree, tuple):
        return [x for i, part in enumerate(tree) for x in phases(part, name, (*spot, i))]
    if not isinstance(tree, n.Node):
        return []
    here = [spot] if isinstance(tree, n.Phase) and tree.name == name else []
    parts = [f for f in ("body", "other", "arms", "otherwise", "failing") if hasattr(tree, f)]
    return [*here, *(x for f in parts for x in phases(getattr(tree, f), name, (*spot, f)))]


def nodes_of(tree: Any, kind: type[n.Phase]) -> list[n.Phase]:
    if isinstance(tree, tuple):
        return [x for part in tree for x in nodes_of(part, kind)]
    if not isinstance(tree, n.Node):
        return []
    inner = [x for f in ("body", "other") if hasattr(tree, f) for x in nodes_of(getattr(tree, f), kind)]
    return [tree, *inner] if isinstance(tree, kind) else inner


def fitted(tree: Any, node: n.Insert) -> Any:
    """A declaration with the statements of `node` set beside its phase, or in its place."""
    if not isinstance(tree, tuple):
        return rebuilt(tree, lambda x: fitted(x, node))
    found: list[Any] = []
    for item in tree:
        here = isinstance(item, n.Phase) and item.name == node.phase
        if here and node.where in ("before", "replace"):
            found += node.body
        if here and node.where == "into":
            found.append(joined(item, node.body))
        elif not here or node.where in ("before", "after"):
            found.append(fitted(item, node))
        if here and node.where == "after":
            found += node.body
    return tuple(found)


def joined(phase: n.Phase, more: tuple[n.Stmt, ...]) -> n.Phase:
    """A phase with more in it: an offer joins the window of the same side that stands there already."""
    body = list(phase.body)
    for stmt in more:
        at = next((i for i, x in enumerate(body) if isinstance(stmt, n.Offer) and window(x, stmt)), None)
        if at is None:
            body.append(stmt)
        else:
            old = body[at]
            assert isinstance(old, n.Offer) and isinstance(stmt, n.Offer)
            body[at] = replace(old, actions=(*old.actions, *stmt.actions))
    return replace(phase, body=tuple(body))


def window(one: n.Stmt, other: n.Offer) -> bool:
    return isinstance(one, n.Offer) and one.sort == other.sort and same(one.side, other.side)
