"""A rule set while overlays are stacked on it: what each touched, and which of two that touch the same holds.

In:  the entries of a book, and the heads of the overlays.
Out: the entries as they stand after each amendment; every entry remembers who touched it.
Reports: RW401 an amendment that misses its target, RW405 two overlays that touch the same element.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose
from rulewright.dsl.source import Span

from ..cache.incremental import Room
from ..core.entries import Entry, Touch, declared_name
from ..core.house_values import names_of
from .edit_tree import Spot, overlap
from .falls import Asked, told
from .heads import PRINTED, Head


@dataclass(frozen=True, slots=True)
class Gone:
    """A declaration that was struck or replaced, by which amendment of which case."""

    entry: Entry
    new: n.Decl | None
    by: n.Strike | n.Replace
    case: str


RULES = (n.Rule, n.Except, n.Add, n.Instead, n.Trigger)
"""Declarations that go by the name of what they are about."""


class Stacked:
    """The entries of a rule set, amended one after another, and what each amendment touched.

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
        self.asked = Asked()
        self.examples_gone: set[tuple[str, str]] = set()
        self.head: Head | None = None
        self.item: Entry | None = None

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
        """Whether this overlay stands on the other one.

        All stand on the book, and on what it changed in the series; all others on an owner's printed values.
        """
        assert self.head is not None
        theirs = self.heads.get(other.overlay)
        printed = theirs is not None and theirs.kind == PRINTED != self.head.kind
        return not other.overlay or other.overlay in self.head.after or printed

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

    def hits(self, target: n.Target) -> list[int]:
        return [i for i, e in enumerate(self.entries) if aimed_at(e, target)]

    def declaring(self, target: n.Target) -> list[int]:
        """What a target hits; where a name has one declaration, that and not the rules of its case about it.

        With a part, `5.5 ground.bulgaria`, it is the rule of that label about it, or what is added or excepted there.
        """
        found = self.hits(target)
        if target.facet is not None:
            return [i for i in found if labelled(self.entries[i].node) == (target.name, target.facet)]
        own = [i for i in found if not isinstance(self.entries[i].node, RULES)]
        return own if target.name is not None and len(own) == 1 else found

    def missed(self, target: n.Target, count: int) -> None:
        """Report a target that is not there, or not alone, with what is near."""
        for entry, other in self.struck:
            if aimed_at(entry, target) and self.head is not None and other.overlay != self.head.name:
                return self.conflict(other, target.span, f"{entry.case} {declared_name(entry.node)}".strip())
        name = ".".join(filter(None, (target.name, target.facet)))
        what = " ".join(filter(None, (", ".join(target.cases), name)))
        here = sorted({name for e in self.entries if e.case in target.cases for name in names_of(e)})
        elsewhere = sorted({e.case for e in self.entries if target.name and target.name in names_of(e)})
        several = [e for e in self.entries if aimed_at(e, target)] if count > 1 else []
        if several:
            help = f"name one of them: {', '.join(told_apart(e) for e in several)}"
        elif elsewhere:
            help = f"{target.name} stands in case {', '.join(elsewhere)}"
        elif here:
            help = f"case {target.cases[0]} declares: {', '.join(here)}"
        else:
            help = choose(target.cases[0], (e.case for e in self.entries), "cases")
        stands = f"{count} places" if count > 1 else "one place" if count else "no place"
        return self.report.error("RW401", target.span, f'"{what}" hits {stands}; one is needed', help=help)

    def as_it_stands(self, help: str) -> str:
        """The remedy for an old value that is not there, which may be what another overlay leaves."""
        assert self.head is not None
        if not self.head.absent:
            return help
        others = ", ".join(self.head.absent)
        stack = "+".join((self.head.of, *self.head.absent, self.head.name))
        return f"{self.head.name} comes after {others}, not in force here: stack it too ({stack}), or {help}"


def labelled(node: n.Decl) -> tuple[str, str]:
    """What a rule is about, and its label or the part of it that it concerns."""
    match node:
        case n.Rule():
            return node.target or "", node.label or ""
        case n.Add():
            return node.name, node.facet or ""
        case n.Except():
            return node.target.name or "", node.target.facet or ""
        case _:
            return "", ""


def told_apart(entry: Entry) -> str:
    """A rule with the words that name it alone: `5.5 forbid ground as bulgaria (ground.bulgaria)`."""
    words = labelled(entry.node)
    return f"{told(entry)} ({'.'.join(words)})" if all(words) else told(entry)


def aimed_at(entry: Entry, target: n.Target) -> bool:
    names = (declared_name(entry.node), getattr(entry.node, "target", None))
    return (
        entry.case in target.cases
        and (target.name is None or target.name in names)
        and not isinstance(entry.node, n.Example)
    )
