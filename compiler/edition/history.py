"""The history of every case: printed, amended by an erratum of 1984, superseded in 1986.

In:  a rule set with the overlays in force and those that are known, its declarations and names.
Out: the events of each case, oldest first. What a superseded sheet did is told too, and that it no longer counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..doc.model import Block, Case, Model, spot
from ..doc.names import Names
from ..doc.overrides import relation_of, targets
from ..overlay.heads import ERRATA, Head, read_head
from ..overlay.stack import resolves
from ..pipeline import Compiled
from ..read.collect import collect
from .parts import Event

DID = {
    "except": "exception added",
    "waive": "waived",
    "add": "added to",
    "forbid": "ban added",
    "require": "need added",
    "stop": "stop added",
    "instead": "replaced",
    "amend": "amended",
    "strike": "struck",
    "replace": "replaced",
    "rename": "renamed",
    "move": "renumbered",
    "insert": "inserted into",
}
Dated = tuple[tuple[int, int, int], Event]
UNDATED = (9999, 1, 1)


def histories(made: Compiled, model: Model, names: Names, printed: str) -> dict[str, tuple[Event, ...]]:
    """The events of each case of a rule set; `printed` is when the book was."""
    found: dict[str, list[Dated]] = {}
    heads = {head.name: head for head, _ in made.layers}
    dates = {layer.name: date_text(layer) for _, layer in made.layers}
    for case in model.cases.values():
        begun = beginning(case, heads, dates, printed)
        if begun is not None:
            found.setdefault(case.id, []).append(begun)
    told = already_there(made)
    for d in model.declarations():
        head = heads.get(d.entry.overlay)
        sort = relation_of(d.entry.node)
        if head is None or not sort or d.state == "struck":
            continue
        for id in sorted({x.case for x in targets(d, model, names) if x.case != d.case}):
            did = "in the text already, says" if spot(d.entry.node.span) in told else f"{DID[sort]} by"
            found.setdefault(id, []).append(event(head, dates[head.name], did, d.case))
    for id, one in superseded(made, dates):
        found.setdefault(id, []).append(one)
    return {id: tuple(unique(events)) for id, events in found.items()}


def unique(events: list[Dated]) -> list[Event]:
    """The events by date, each once; those of one day in the order in which they were found."""
    return list(dict.fromkeys(e for _, e in sorted(events, key=lambda x: x[0])))


def beginning(case: Case, heads: dict[str, Head], dates: dict[str, str], printed: str) -> Dated | None:
    """How a case came to be: printed, made up, lent by a library, or brought by an overlay."""
    if not case.blocks:
        return None
    first: Block = next((b for b in case.blocks if not b.overlay), case.blocks[0])
    if first.overlay in heads:
        return event(heads[first.overlay], dates[first.overlay], "added by", case.id)
    rules = [d for d in case.declarations() if not d.entry.overlay and d.sort != "example"]
    if first.file.startswith("lib/"):
        return (0, 0, 0), Event("", "common to several books")
    if rules and all(d.entry.house for d in rules):
        return (0, 0, 0), Event("", "house: the print leaves it open, or it is lost")
    return (0, 0, 0), Event(printed, "printed")


def event(head: Head, date: str, did: str, case: str) -> Dated:
    sort = "erratum" if head.kind == "correction" else head.kind
    return head.date or UNDATED, Event(date, f"{did} {sort} {case}", head.title or head.name)


def already_there(made: Compiled) -> set[tuple[str, int, int]]:
    """Where the items of sheets stand that say `already in text`."""
    return {
        spot(x.span)
        for _, layer in made.layers
        for block in layer.body
        if isinstance(block, n.Case) and block.already
        for x in block.body
    }


def superseded(made: Compiled, dates: dict[str, str]) -> Iterator[tuple[str, Dated]]:
    """What sheets did that another sheet in force supersedes, and since when that no longer counts."""
    quiet = Reporter()
    for by, _ in made.layers:
        for old in made.overlays.values():
            if old.name == by.name or not any(resolves(word, old) for word in by.supersedes):
                continue
            head = read_head(old, quiet)
            if head.kind not in ERRATA:
                continue
            for entry in collect(old.body, quiet, old.name).entries:
                target = getattr(entry.node, "target", None)
                sort = relation_of(entry.node)
                if not sort or entry.already or not isinstance(target, n.Target):
                    continue
                for case in target.cases:
                    yield case, event(head, date_text(old), f"{DID[sort]} by", entry.case)
                    gone = Event(dates[by.name], f"{entry.case} superseded", by.title or by.name)
                    yield case, (by.date or UNDATED, gone)


def date_text(overlay: n.Overlay) -> str:
    """The date of an overlay as it states it."""
    for line in overlay.heads:
        key, _, value = line.text.partition(":")
        if key.strip() == "date":
            return value.strip()
    return ""


def latest(events: tuple[Event, ...]) -> str:
    """The date of the last event that a sheet brought, for the margin."""
    return next((e.date for e in reversed(events) if e.by and e.date), "")
