"""Stack overlays on a book.

In:  the entries of a book and the overlays in force, in order.
Out: the entries with every amendment carried out; each remembers who touched it.
Reports: RW401 an amendment that misses its target, RW402 an old value that is not there, RW405 two
overlays that touch the same element, RW406 an item that is not in the text although it says so.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same
from rulewright.dsl.diagnostics import Reporter, choose
from rulewright.dsl.source import Span

from ..cache.incremental import Memory, Room
from ..core.entries import Entry, Touch, declared_name
from ..read.collect import collect
from .amend_rows import NotThere, Rowed, changed
from .edit_tree import Spot, find, overlap, rebuilt, recased, renamed, swap
from .heads import Head


def overlay(
    entries: list[Entry], layers: list[tuple[Head, n.Overlay]], report: Reporter, memory: Memory | None = None
) -> list[Entry]:
    """The entries as amended by each overlay in turn."""
    memory = memory or Memory()
    amender = Amender(entries, {head.name: head for head, _ in layers}, report, memory.room("overlay"))
    room = memory.room("collect overlays")
    for head, layer in layers:
        amender.carry_out(collect(layer.body, report, head.name, room).entries, head)
    return amender.entries


def amended(entries: list[Entry], more: list[Entry], report: Reporter, room: Room | None = None) -> list[Entry]:
    """The entries of a series book as amended by the game book that stands on it."""
    amender = Amender(entries, {}, report, room)
    amender.carry_out(more, Head(name="", sort="book", of="", title="", kind="change"))
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

    # ------------------------------------------------------------ the amendments

    def amend(self, node: n.Amend) -> None:
        found = self.hits(node.target)
        if not found:
            return self.missed(node.target, 0)
        spots = {i: find(self.entries[i].node, node.old) for i in found}
        total = sum(map(len, spots.values()))
        if total != node.times:
            if self.changed_below(found, node.old, node.span):
                return None
            stands = "nowhere" if not total else "once" if total == 1 else f"{total} times"
            wanted = "" if node.times == 1 else f", not {node.times} times,"
            return self.report.error(
                "RW402",
                node.old.span,
                f"the old value stands {stands}{wanted} in what is amended",
                help="state the value as the book has it now"
                if not total
                else f"state more of what stands around it, or say how often: …, {total} times:",
            )
        if same(node.old, node.new):
            return self.report.error(
                "RW402", node.span, "this amendment changes nothing", help="state the new value, or strike the line"
            )
        for i, places in spots.items():
            tree: n.Decl = self.entries[i].node
            new = self.known(("swap", tree, node.old, node.new), partial(swap, tree, node.old, node.new))
            for spot in places:
                self.change(i, new, spot, node.span)
        return None

    def amend_printed(self, item: Entry, node: n.AmendPrinted) -> None:
        """What a map or a counter prints is changed where data is read; here only two overlays can clash."""
        for e in self.entries:
            other = e.node
            if isinstance(other, n.AmendPrinted) and (other.thing, other.field) == (node.thing, node.field):
                theirs = Touch(overlay=e.overlay, case=e.case, spot=(), before=other, span=other.span)
                if e.overlay != item.overlay and not self.comes_after(theirs):
                    return self.conflict(theirs, node.span, f"{node.thing}.{node.field}")
        self.entries.append(item)
        return None

    def strike(self, node: n.Strike) -> None:
        if node.example is not None:
            return self.strike_example(node)
        found = self.hits(node.target)
        if not found or (node.target.name is not None and len(found) != 1):
            return self.missed(node.target, len(found))
        for i in reversed(found):
            if self.touch(i, (), node.span):
                self.struck.append((self.entries[i], self.entries[i].touched[-1]))
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
                self.report.error("RW402", error.span, error.message, help=error.help)
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
        found = self.hits(node.target)
        if len(found) != 1:
            return self.missed(node.target, len(found))
        inner: n.Decl = node.decl
        house = isinstance(inner, n.House)
        if isinstance(inner, n.House):
            inner = inner.decl
        if same(self.entries[found[0]].node, inner):
            return self.report.error(
                "RW402", node.span, "this amendment changes nothing", help="state the new declaration, or strike this"
            )
        if self.change(found[0], inner, (), node.span):
            entry = self.entries[found[0]]
            self.entries[found[0]] = self.known(("house", entry, str(house)), partial(replace, entry, house=house))
        return None

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
        assert self.head is not None
        return other.overlay in self.head.after

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

    def changed_below(self, found: list[int], old: n.Node, span: Span) -> bool:
        """Whether an old value is gone because another overlay changed it; then that is reported."""
        assert self.head is not None
        for i in found:
            for other in self.entries[i].touched:
                if other.overlay != self.head.name and find(other.before, old):
                    self.conflict(other, span, f"{self.entries[i].case} {declared_name(self.entries[i].node)}".strip())
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

    # ------------------------------------------------------------ finding targets

    def hits(self, target: n.Target) -> list[int]:
        return [i for i, e in enumerate(self.entries) if aimed_at(e, target)]

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
                new, old = (sum(len(find(e, x)) for e in found) for x in (node.new, node.old))
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


def renamed_entry(entry: Entry, old: str, new: str) -> Entry:
    """The entry with a declared name changed wherever it is used."""
    return replace(entry, node=renamed(entry.node, old, new))


def moved_entry(entry: Entry, old: str, new: str) -> Entry:
    """The entry with a case number changed, its own and those that it refers to."""

    def number(case: str) -> str:
        return new if case == old else case

    return replace(entry, case=number(entry.case), node=recased(entry.node, number))


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
