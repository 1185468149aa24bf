"""Say where elements of a rule set come from, and which known overlay would change them.

In:  the entries of a rule set; the overlays that are known and not in force.
Out: texts by `CASE NAME` (or `CASE` alone), which explanations and refusals show.
"""

from __future__ import annotations

from functools import partial

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..cache.incremental import Memory
from ..core.entries import Entry, declared_name
from ..read.collect import collect


def origins(entries: list[Entry]) -> dict[str, str]:
    """For each element that an overlay brought or changed, how: `in place of 12.1`, `as amended by 26.9`."""
    found: dict[str, str] = {}
    for e in entries:
        key = f"{e.case} {declared_name(e.node)}".strip()
        if e.touched:
            by = dict.fromkeys(f"{t.case} ({t.overlay})" if t.overlay else t.case for t in e.touched)
            found[key] = f"as amended by {', '.join(by)}"
        elif e.overlay:
            target = getattr(e.node, "target", None)
            place = f" in place of {', '.join(target.cases)}" if isinstance(target, n.Target) else ""
            found[key] = f"{e.overlay}{place}"
    return found


def waived_by(known: list[n.Overlay], memory: Memory | None = None) -> dict[str, tuple[str, ...]]:
    """For each element that an overlay not in force would waive or change, a sentence that says so."""
    found: dict[str, dict[str, None]] = {}
    room = (memory or Memory()).room("waived by")
    for overlay in known:
        for key, sentence in room.work((overlay,), partial(waives, overlay)):
            found.setdefault(key, {})[sentence] = None
    return {key: tuple(sentences) for key, sentences in sorted(found.items())}


def waives(overlay: n.Overlay) -> list[tuple[str, str]]:
    """What one overlay would waive or change, each with its sentence."""
    found = []
    for e in collect(overlay.body, Reporter(), overlay.name).entries:
        target = getattr(e.node, "target", None)
        if not isinstance(target, n.Target) or e.already or isinstance(e.node, n.Rename):
            continue
        if isinstance(e.node, n.Strike) and e.node.example is not None:
            continue
        word = "waives" if isinstance(e.node, n.Waive | n.Strike) else "changes"
        for case in target.cases:
            key = f"{case} {target.name or ''}".strip()
            found.append((key, f"{overlay.sort} {overlay.name} ({e.case}) {word} this"))
    return found
