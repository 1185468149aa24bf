"""Check that overlays are of the kind that they say.

In:  the overlays of a rule set, its entries, and the book in the core; a way to the core under another stack.
Out: nothing; a clarification must leave play as it was, every other kind must change it.
Reports: RW406 a clarification that changes play, or a change that does not.

An item is a case of an overlay that states its kind (`as change`); an overlay whose cases do not is one item. An
item that brings a declaration of its own, or makes one read otherwise, is taken to change play: an errata sheet has a
hundred of them, and to compare a hundred cores takes longer than all other passes. The rest, and every clarification,
are left out one at a time, and the two cores are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.print import declaration
from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core.digest import PARTS, Form, triggers
from ..core.entries import Entry, Touch
from ..overlay.heads import DOCTRINE, PRINTED, Head
from ..overlay.stack import Layer
from ..read.collect import collect

Layers = tuple[Layer, ...]
SILENT = n.Example | n.Invariant | n.Preview | n.Untranslated
"""Declarations that leave play as it is."""
WIDTH = 42


@dataclass(frozen=True, slots=True)
class Item:
    """Cases of one overlay that stand or fall together, and their kind."""

    overlay: str
    cases: frozenset[str]
    kind: str
    shown: str
    span: Span

    def brought(self, entry: Entry) -> bool:
        return entry.overlay == self.overlay and entry.case in self.cases

    def touched(self, entry: Entry) -> list[Touch]:
        return [t for t in entry.touched if t.overlay == self.overlay and t.case in self.cases]


def check_kinds(
    layers: Layers,
    entries: list[Entry],
    book: c.Book,
    core_of: Callable[[Layers], c.Book | None],
    report: Reporter,
) -> None:
    """Report items whose kind and effect do not agree."""
    for item in (item for head, layer in layers for item in items(head, layer)):
        quiet = item.kind == "clarification"
        if not quiet and any(rewrites(item, e) for e in entries):
            continue
        if changes(item, layers, book, core_of) != quiet:
            continue
        case = min(item.cases)
        if quiet:
            message = f"{item.shown} is a clarification, but it changes a declaration"
            help = "call it a correction, change or ruling, or leave the rules as they are written"
            report.error("RW406", item.span, message, notes=islice(told(item, entries), 3), help=help, case=case)
        else:
            message = f"{item.shown} is a {item.kind}, but it changes nothing in play"
            help = "call it a clarification, mark it already in text, or state the change"
            report.error("RW406", item.span, message, help=help, case=case)


def items(head: Head, layer: n.Overlay) -> list[Item]:
    """The items of an overlay; what is in the text already is none, and printed values may play as house ones did.

    A doctrine has no items: it changes no rule (RW801).
    """
    if layer.sort == DOCTRINE:
        return []
    cases = [x for x in layer.body if isinstance(x, n.Case)]
    found = [
        Item(head.name, frozenset({x.id}), x.sort, f"{x.id} of {head.cited}", x.span)
        for x in cases
        if x.sort and not x.already
    ]
    rest = frozenset(x.id for x in cases if not x.sort)
    if rest and head.kind != PRINTED:
        found.append(Item(head.name, rest, head.kind, head.cited, layer.span))
    return found


def rewrites(item: Item, entry: Entry) -> bool:
    """Whether a declaration is there only by the item, or reads otherwise by it."""
    if isinstance(entry.node, SILENT):
        return False
    return item.brought(entry) or any(not same(t.before, entry.node, loose=True) for t in item.touched(entry))


def changes(item: Item, layers: Layers, book: c.Book, core_of: Callable[[Layers], c.Book | None]) -> bool:
    """Whether play is another with the item than without it."""
    if not amends(item, layers):
        return False
    less = core_of(without(layers, item))
    if less is None or differ(less, book):
        return True
    below = yielding(layers, item)
    if len(below) == len(layers):
        return False
    more, less = core_of(below), core_of(without(below, item))
    return more is None or less is None or differ(less, more)


def amends(item: Item, layers: Layers) -> bool:
    """Whether an item says anything at all that could change play."""
    own = [entry for head, layer in layers if head.name == item.overlay for entry in brought_by(layer, head)]
    return any(e.case in item.cases and not isinstance(e.node, SILENT) for e in own)


def brought_by(layer: n.Overlay, head: Head) -> list[Entry]:
    return collect(layer.body, Reporter(), head.name).entries


def without(layers: Layers, item: Item) -> Layers:
    """The same stack, the cases of one item left out."""

    def less(layer: n.Overlay) -> n.Overlay:
        kept = (x for x in layer.body if not (isinstance(x, n.Case) and x.id in item.cases))
        return replace(layer, body=tuple(kept))

    return tuple((head, less(layer) if head.name == item.overlay else layer) for head, layer in layers)


def yielding(layers: Layers, item: Item) -> Layers:
    """The stack without the overlays of higher priority: to those an item yields, and is still what it says."""
    own = next(head.priority for head, _ in layers if head.name == item.overlay)
    return tuple((head, layer) for head, layer in layers if head.priority <= own)


# ---------------------------------------------------------------- two cores


class Played(Form):
    """What is played: whether a value is printed or house counts for nothing."""

    def part(self, owner: Any, name: str) -> Any:
        return None if name == "house" else super().part(owner, name)


def differ(a: c.Book, b: c.Book) -> bool:
    """Whether two books play differently."""
    form_a, form_b = Played(a), Played(b)
    numbered = a.places == b.places and [u.name for u in a.units] == [u.name for u in b.units]

    def same(x: Any, y: Any) -> bool:  # one object says the same twice, unless its places and units are others
        return (numbered and x is y) or form_a(x) == form_b(y)

    def alike(x: Mapping[Any, Any], y: Mapping[Any, Any]) -> bool:
        return x.keys() == y.keys() and all(same(x[key], y[key]) for key in x)

    parts = (name for name in PARTS if name not in ("invariants", "untranslated"))
    if not all(alike(getattr(a, name), getattr(b, name)) for name in parts):
        return True
    if set(a.phases) != set(b.phases) or set(a.places) != set(b.places) or not same(a.calendar, b.calendar):
        return True
    units = {u.name: u for u in a.units}, {u.name: u for u in b.units}
    return not (alike(*units) and same(a.map, b.map) and triggers(a, form_a) == triggers(b, form_b))


# ---------------------------------------------------------------- what an item did


def told(item: Item, entries: list[Entry]) -> Iterator[str]:
    """What became of each declaration that an item brought or touched, one line each."""
    for e in entries:
        if item.brought(e) and not isinstance(e.node, SILENT):
            yield f"{e.case} {clip(declaration(e.node)[0])}"
        elif touches := item.touched(e):
            place = f"{e.case} {e.name}".strip()
            yield f"{place}: {shown_change(declaration(touches[0].before), declaration(e.node))}"


def shown_change(before: list[str], after: list[str]) -> str:
    """The first lines in which two declarations differ."""
    pairs = zip_longest(before, after, fillvalue="")
    old, new = next(((x, y) for x, y in pairs if x != y), ("", ""))
    return f"{clip(old)} → {clip(new)}"


def clip(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= WIDTH else flat[: WIDTH - 1] + "…"
