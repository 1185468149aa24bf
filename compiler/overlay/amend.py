"""Stack overlays on a book.

In:  the entries of a book and the overlays in force, in order.
Out: the entries with every amendment carried out; each remembers who touched it.
Reports: RW401 to RW408, see the modules of the amendments.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..cache.incremental import Memory, Room
from ..core.case_order import natural
from ..core.entries import Entry
from ..read.collect import collect
from .already import check_already
from .case_order import in_case_order
from .check_falls import check_falls, without_lost_maps
from .heads import PRINTED, Head
from .row_verbs import change_rows
from .stacked import Stacked
from .verbs import amend, amend_printed, insert_statements, move_case, places_of, rename, replace_declaration, strike


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
            check_falls(amender)
    if whole:
        without_lost_maps(amender)
    return in_case_order(amender.entries)


def amended(entries: list[Entry], more: list[Entry], report: Reporter, room: Room | None = None) -> list[Entry]:
    """The entries of a series book as amended by the game book that stands on it."""
    amender = Amender(entries, {}, report, room)
    amender.carry_out(more, Head(name="", sort="book", of="", title="", kind="change"))
    check_falls(amender)
    return amender.entries


class Amender(Stacked):
    """Carries out amendments, one at a time."""

    def carry_out(self, items: list[Entry], head: Head) -> None:
        """Every amendment of one overlay; what amends nothing is added.

        Changes of the sequence come last, by case: two phases that are set before the same one stand in the order of
        their cases, and one may be set beside a phase that another of them brings, wherever both are written.
        """
        self.head = head
        left: list[Entry] = []
        for item in items:
            if isinstance(item.node, n.Insert) and not item.already:
                left.append(item)
            else:
                self.take(item)
        left.sort(key=lambda x: natural(x.case))
        while left:
            place = next((i for i, x in enumerate(left) if self.stands(x.node)), 0)  # 0: it is refused
            self.take(left.pop(place))
        self.report.case = ""

    def take(self, item: Entry) -> None:
        """Carry out one amendment, or hold what is said to stand in the text against it."""
        self.item = item
        self.report.case = item.case
        if item.already:
            check_already(self, item)
        else:
            self.carry_out_one(item)

    def stands(self, node: n.Node) -> bool:
        """Whether the phase of a change of the sequence is there."""
        return isinstance(node, n.Insert) and bool(places_of(self, node.phase))

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
                amend(self, node)
            case n.Strike():
                strike(self, node)
            case n.Rows():
                change_rows(self, node)
            case n.Replace():
                replace_declaration(self, node)
            case n.Rename():
                rename(self, node)
            case n.MoveCase():
                move_case(self, node)
            case n.Insert():
                insert_statements(self, node)
            case n.AmendPrinted():
                amend_printed(self, item, node)
            case _:
                self.entries.append(item)
        return None
