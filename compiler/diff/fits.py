"""Check how an overlay applies to another edition, amendment by amendment.

In:  an overlay, the book it was written for, and the edition to apply it to.
Out: for each amendment `applies`, `moved` (with the new case), `target changed`, or `gone`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.print import declaration
from rulewright.dsl.source import Span

from ..core.entries import Entry, declared_name
from ..overlay.amend import Amender
from ..overlay.gather import Gatherer
from ..overlay.heads import Head, read_head
from ..overlay.stack import pick
from ..overlay.stacked import aimed_at
from ..pipeline import analyse
from ..read.collect import collect
from ..read.sources import nowhere

TARGETED = n.Except | n.Instead | n.Waive


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """One amendment of an overlay and its outcome."""

    case: str
    amendment: str
    status: str
    detail: str
    span: Span


def fits(name: str, edition: str, places: tuple[Path, ...] = ()) -> tuple[list[Fit], Reporter]:
    """How the overlay `name` applies to `edition`; the report holds errors that kept it from being read."""
    made = analyse(edition, places)
    if made.entries is None or made.report.failed:
        return [], made.report
    report = Reporter()
    known = dict(made.overlays)
    layer = pick(name, known, report) or Gatherer(places, made.texts, made.memory, report).outside(name)[0]
    if layer is None:
        report.error("RW403", nowhere(name), f'there is no overlay "{name}"', help="name an overlay or its file")
        return [], report
    head = read_head(layer, report)
    if report.failed:
        return [], report
    first = analyse(layer.of, places).entries or []
    items = collect(layer.body, report, layer.name).entries
    amender = Amender(made.entries, {head.name: head}, Reporter())
    return [fit(item, amender, first, head) for item in items if not isinstance(item.node, n.Example)], report


def fit(item: Entry, amender: Amender, first: list[Entry], head: Head) -> Fit:
    """Apply one amendment, and return its outcome."""
    node = item.node
    amender.report = Reporter()
    amender.carry_out([item], head)
    text = declaration(node)[0].rstrip(":")
    failed = amender.report.found
    book = [e for e in amender.entries if e.overlay != head.name]
    status, detail = "applies", ""
    target = getattr(node, "target", None)
    if failed:
        changed = any(d.code in ("RW402", "RW405", "RW406") for d in failed)
        status, detail = ("target changed", failed[0].message) if changed else missing(target, book, first)
    elif isinstance(node, TARGETED) and not any(aimed_at(e, node.target) for e in amender.entries if e is not item):
        status, detail = missing(node.target, book, first)
    elif isinstance(target, str) and not any(declared_name(e.node) == target for e in amender.entries if e is not item):
        status, detail = "gone", f"nothing is called {target}"
    return Fit(case=item.case, amendment=text, status=status, detail=detail, span=node.span)


def missing(target: object, entries: list[Entry], first: list[Entry]) -> tuple[str, str]:
    """The outcome for a target that is not in its case: `moved`, or `gone`."""
    if not isinstance(target, n.Target):
        return "gone", ""
    was = [e for e in first if aimed_at(e, target)]
    others = [e for e in entries if e.case not in target.cases]
    alike = [e for e in others if any(same(e.node, x.node, loose=True) for x in was)]
    named = [e for e in others if target.name and declared_name(e.node) == target.name]
    found = [*alike, *named]
    return ("moved", f"it stands in case {found[0].case} now") if found else ("gone", "")
