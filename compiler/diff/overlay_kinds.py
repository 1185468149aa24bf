"""Check that overlays are of the kind that they say.

In:  a rule set with overlays, analysed without errors.
Out: nothing; a clarification must leave the core as it was, every other kind must change it.
Reports: RW406 a clarification that changes play, or a change that does not.

An item is a case of an overlay that states its kind (`as change`); an overlay whose cases do not is one item.
Items that a fact of the diff points at are known to change something; the others are left out, one at a
time, and the core is compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulewright.dsl import nodes as n
from rulewright.dsl.source import Span

from ..core.digest import core_digest
from ..overlay.heads import Head
from ..pipeline import Compiled, analyse, split_name
from ..read.collect import collect
from .facts import QUIET, Fact, compared
from .render import change


@dataclass(frozen=True, slots=True)
class Item:
    """Cases of one overlay that stand or fall together, and their kind."""

    overlay: str
    cases: frozenset[str]
    kind: str
    shown: str
    span: Span


def check_kinds(made: Compiled, places: tuple[Path, ...] = ()) -> None:
    """Report items whose kind and effect do not agree."""
    if made.report.failed or made.book is None or not made.layers:
        return
    known = [f for f in compared(analyse(split_name(made.name)[0], places), made).facts if f.element not in QUIET]
    for item in (item for head, layer in made.layers for item in items(head, layer)):
        quiet = item.kind == "clarification"
        if not quiet and any(points_at(fact, item) for fact in known):
            continue
        facts = effect(made, item, places)
        if quiet and facts:
            made.report.error(
                "RW406",
                item.span,
                f"{item.shown} is a clarification, but it changes play",
                notes=tuple(f"{f.case} {f.element} {f.name}: {change(f)}" for f in facts[:3]),
                help="call it a correction, change or ruling, or leave play as it was",
                case=sorted(item.cases)[0],
            )
        elif not quiet and not facts:
            made.report.error(
                "RW406",
                item.span,
                f"{item.shown} is a {item.kind}, but it changes nothing in play",
                help="call it a clarification, mark it already in text, or state the change",
                case=sorted(item.cases)[0],
            )


def items(head: Head, layer: n.Overlay) -> list[Item]:
    """The items of an overlay; what is in the text already is none."""
    cases = [x for x in layer.body if isinstance(x, n.Case)]
    found = [
        Item(head.name, frozenset({x.id}), x.sort, f"{x.id} of {head.cited}", x.span)
        for x in cases
        if x.sort and not x.already
    ]
    rest = frozenset(x.id for x in cases if not x.sort)
    if rest:
        found.append(Item(head.name, rest, head.kind, head.cited, layer.span))
    return found


def points_at(fact: Fact, item: Item) -> bool:
    """Whether a fact lies in a declaration that the item brought or touched."""
    entry = fact.new
    if entry is None:
        return False
    own = entry.overlay == item.overlay and entry.case in item.cases
    return own or any(t.overlay == item.overlay and t.case in item.cases for t in entry.touched)


def effect(made: Compiled, item: Item, places: tuple[Path, ...]) -> list[Fact]:
    """The facts between the rule set without the item and the whole of it."""
    entries = [e for _, layer in made.layers for e in collect(layer.body, made.report, item.overlay).entries]
    if not any(e.case in item.cases and not isinstance(e.node, n.Example) for e in entries):
        return []
    less = analyse(made.name, places, frozenset((item.overlay, case) for case in item.cases))
    if less.book is None or less.report.failed or made.book is None:
        return [f for f in compared(analyse(split_name(made.name)[0], places), made).facts if points_at(f, item)]
    if core_digest(less.book) == core_digest(made.book):
        return []
    return [f for f in compared(less, made).facts if f.element not in QUIET]
