"""Say of an unknown name that an amendment took its declaration out.

In:  the declarations of a book before and after its overlays, the overlays, and what was found.
Out: nothing; a finding about a name that an overlay has struck, replaced or renamed tells where that amendment stands
     and not what names are near.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..core.entries import Entry, declared_name
from .falls import phases
from .heads import Head

QUOTED = re.compile(r'"(\w+)"')
Layers = Iterable[tuple[Head, n.Overlay]]
Took = n.Strike | n.Replace | n.Rename


def blame(before: Iterable[Entry], after: Iterable[Entry], layers: Layers, report: Reporter) -> None:
    """Add to each error about a name that is gone which amendment took it out."""
    if not report.failed:
        return
    left = {name for e in after for name in names_declared(e.node)}
    known = ((name, e.case, declared_name(e.node)) for e in before for name in names_declared(e.node))
    gone = {name: (case, own) for name, case, own in known if name not in left}
    took = list(taking(layers)) if gone else []
    for i, d in enumerate(report.found):
        names = [x for x in QUOTED.findall(d.message) if x in gone] if d.severity == "error" else []
        for head, case, node in took:
            if any(gone[x][0] in node.target.cases and node.target.name in (None, gone[x][1]) for x in names):
                done = "renames it" if isinstance(node, n.Rename) else "takes it out"
                where = f"{case} of {head.name} {done} ({node.span.file}:{node.span.line})"
                help = f"{where}; amend or strike what asks for it as well"
                report.found[i] = replace(d, help=help)
                break


def names_declared(node: n.Decl) -> set[str]:
    """What a declaration itself brings: its name, the words of a kind, the phases of a sequence."""
    match node:
        case n.Rule() | n.Add() | n.Except() | n.Instead() | n.Waive() | n.Trigger() | n.Example() | n.Prefer():
            return set()
        case n.Field():
            return set(node.names)
        case n.Kind():
            return {node.name, *node.values}
        case n.Procedure():
            return {node.name, *phases(node)}
        case _:
            return {declared_name(node)} - {""}


def taking(layers: Layers) -> Iterator[tuple[Head, str, Took]]:
    """The amendments that take declarations out, with the overlay and the item that they stand in."""
    for head, layer in layers:
        for case in layer.body:
            if isinstance(case, n.Case):
                yield from ((head, case.id, x) for x in case.body if isinstance(x, Took))
