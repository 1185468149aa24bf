"""Read blocks of words: how things are said, a line each, which of them players have before them, and what is veiled.

In:  `words LANGUAGE:` blocks, each line `name: phrase` or `thing.part: phrase`; `shown NAME:` blocks, each line a name.
Out: wordings in the order of the text, of two for one thing the later counts, so that an overlay changes a phrase; what
     is shown, and what is kept from whom.
Reports: RW137 a line that is no phrase, RW148 a line that is no name, RW605 a line that is no veil.
"""

from __future__ import annotations

import re

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..core.entries import Entry
from ..core.nodes import Shown, Veil, Wording

LINE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*(?:\.(?:[A-Za-z0-9_]+(?::[0-9]+)?))?)[ \t]*:[ \t]+(\S.*)\Z")
"""A name, perhaps with a part of it (`battle.attackers`, `odds.3:1`), a colon and what it is called."""


def read_words(data: n.Data, entry: Entry, report: Reporter) -> list[Wording]:
    """The phrases of one block."""
    found: list[Wording] = []
    for line in data.lines:
        match = LINE.match(line.text.strip())
        if match is None:
            report.error(
                "RW137",
                line.span,
                "a line of words is a name, a colon and a phrase",
                help="write moved: {it} has moved, or attack.too_weak: the attack is too weak",
            )
            continue
        text = match[2].strip()
        if len(text) > 1 and text.startswith('"') and text.endswith('"'):
            text = text[1:-1]
        found.append(
            Wording(language=data.name, key=match[1], text=text, case=entry.case, overlay=entry.overlay, span=line.span)
        )
    return found


NAMED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?")


def read_shown(data: n.Data, entry: Entry, report: Reporter) -> list[Shown]:
    """The names of one block, several to a line with commas."""
    found: list[Shown] = []
    for line in data.lines:
        for name in filter(None, (x.strip() for x in line.text.split(","))):
            if NAMED.fullmatch(name) is None:
                message = f'"{name[:40]}" is no name of what players see'
                help = "name a mark, a binding or a definition: weather, unit.disrupted, points"
                report.error("RW148", line.span, message, help=help)
                continue
            found.append(Shown(key=name, case=entry.case, overlay=entry.overlay, span=line.span))
    return found


VEILED = re.compile(r"(unit|(?:hex|place)\.[A-Za-z_][A-Za-z0-9_]*)[ \t]*:[ \t]*([A-Za-z_][A-Za-z0-9_]*)")


def read_veiled(data: n.Data, entry: Entry, report: Reporter) -> list[Veil]:
    """The lines of one block: what is veiled, a colon, and the definition that says of what and from whom."""
    found: list[Veil] = []
    for line in data.lines:
        match = VEILED.fullmatch(line.text.strip())
        if match is None:
            message = "a line of what is veiled is unit or a mark of hexes, a colon and a definition"
            report.error("RW605", line.span, message, help="write unit: lies_beneath, or hex.dump: out_of_sight")
            continue
        found.append(Veil(key=match[1], by=match[2], case=entry.case, overlay=entry.overlay, span=line.span))
    return found
