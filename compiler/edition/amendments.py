"""Amendments as sentences: what an item of a sheet does to the cases that it names.

In:  an amendment as syntax, and the phrases of the book.
Out: a sentence; how the case reads now stands in the case. None for a declaration that amends nothing.
"""

from __future__ import annotations

import re

from rulewright.dsl import nodes as n
from rulewright.dsl.print import print_expression

from ..words.english import listed, sentence, words
from ..words.expressions import Words
from ..words.said import Said

PLAIN = re.compile(r'[\w :/.@"-]+')
"""A value that reads the same to a person and to the compiler: a number, a name, a place."""
ACTS = {"insert": "inserted in", "strike": "struck from", "replace": "replaced in"}

PLACES = {
    "before": "something comes before {}",
    "after": "something comes after {}",
    "into": "something is added to {}",
    "replace": "{} is replaced",
    "strike": "{} is struck",
}
"""What happens to the sequence at a phase."""


def amendment(w: Words, node: n.Decl, already: bool) -> Said | None:
    """What an amendment does."""
    said, lines = told(w, node)
    if not said:
        return None
    if already:
        said = f"already in the text: {said}"
    return Said(sentence(said) if not lines else f"{sentence(said).rstrip('.')}:", tuple(map(Said, lines)))


def told(w: Words, node: n.Decl) -> tuple[str, list[str]]:
    """The sentence of an amendment, and the lines of data that it brings."""
    match node:
        case n.Amend():
            return f"{aim(w, node.target)} is amended{becomes(node.old, node.new)}", []
        case n.AmendPrinted():
            where = f" in {words(node.scenario)}" if node.scenario is not None else ""
            change = becomes(node.old, node.new).removeprefix(": ")
            return f"{node.thing.lstrip('@')}, {words(node.field)}{where}: {change or 'amended'}", []
        case n.Strike() if node.example is not None:
            return f"the example “{node.example}” of {listed(list(node.target.cases))} is struck", []
        case n.Strike():
            return f"{aim(w, node.target)} is struck", []
        case n.Replace():
            return f"{aim(w, node.target)} is replaced", []
        case n.Rows():
            lines = [sentence(words(line.text.strip("| ").replace(" | ", ", "))) for line in node.lines]
            return f"{node.what} {ACTS.get(node.act, node.act)} {aim(w, node.target)}", lines
        case n.Rename():
            return f"{aim(w, node.target)} is now called “{words(node.new)}”", []
        case n.MoveCase():
            return f"{node.old} becomes {node.new}", []
        case n.Insert():
            return PLACES[node.where].format(f"the {w.phase(node.phase)}"), []
        case _:
            return "", []


def aim(w: Words, target: n.Target) -> str:
    """What an amendment names: `3, march budget`."""
    named = " ".join(words(x) for x in (target.name, target.facet) if x)
    return ", ".join(filter(None, (listed(list(target.cases)), f"“{named}”" if named else "")))


def becomes(old: n.Expr, new: n.Expr) -> str:
    """The old value and the new, where both read the same to a person."""
    before, after = print_expression(old), print_expression(new)
    if not (PLAIN.fullmatch(before) and PLAIN.fullmatch(after)):
        return ""
    clean = [words(x.replace('"', "").replace("@", "")) for x in (before, after)]
    return f": {clean[0]} becomes {clean[1]}"
