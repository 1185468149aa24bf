"""Put declarations in the order of their cases.

In:  the entries of a rule set, in the order in which files, rosters and overlays were read.
Out: the same entries in an order that does not depend on the text: what lies below comes first (libraries, the series
     book, the book, then overlays as they are stacked), within that case numbers decide, within a case names, and
     among nameless declarations of one case their text. Examples and preferences of a case stay as they are written.

Everything after this pass follows the order of entries (the numbers of units, boxes and decisions, triggers that wait
for one event, contributions, bans and the actions that are listed), so that no game depends on where a line is written.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.print import declaration, expr

from ..core.case_order import by_name, natural
from ..core.entries import Entry, declared_name


def in_case_order(entries: list[Entry]) -> list[Entry]:
    """The entries by layer, case, name and text."""
    layers = {layer: i for i, layer in enumerate(dict.fromkeys((e.source, e.overlay) for e in entries))}
    cases = {case: natural(case) for case in dict.fromkeys(e.case for e in entries)}
    names = {name: by_name(name) for name in dict.fromkeys(named(e) for e in entries)}

    def key(e: Entry) -> tuple[Any, ...]:
        return layers[e.source, e.overlay], cases[e.case], e.case, type(e.node).__name__, names[named(e)]

    found: list[Entry] = []
    for _, alike in groupby(sorted(entries, key=key), key):
        several = list(alike)
        found += sorted(several, key=text) if len(several) > 1 and not in_their_order(several[0]) else several
    return found


def named(e: Entry) -> str:
    return "" if in_their_order(e) else declared_name(e.node)


def in_their_order(e: Entry) -> bool:
    """Whether declarations of this sort stay in the order in which a case has them."""
    return isinstance(e.node, n.Example | n.Prefer)


def text(e: Entry) -> tuple[str, ...]:
    """How a declaration reads, with the conditions that it stands under."""
    return (*declaration(e.node), "", *map(expr, e.under), "", *e.covers)
