"""Find rules that no game can reach.

In:  the book in the core, and its graph of references.
Out: nothing.
Reports: RW513 (a remark) a rule that no scenario reaches.

A book that names no scenario yet is left alone: nothing of it can be reached. Libraries lend more than a book uses, so
what they declare is left alone too.
"""

from __future__ import annotations

from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.source import Span

from ..analyse.references import References, Speaking, Thing, things
from ..core import nodes as c
from ..read.library import lent

WORDS = {
    "define": "definition",
    "route": "route",
    "matching": "matching",
    "grow": "set",
    "table": "table",
    "memory": "memory",
    "procedure": "procedure",
    "action": "action",
    "trigger": "trigger",
    "duty": "duty",
    "quota": "quota",
}

ELSEWHERE = {"quota", "action", "procedure"}
"""Sorts about which RW502, RW503, RW505 and RW506 warn where nothing at all asks for them."""


def check_reach(book: c.Book, references: References, report: Reporter) -> None:
    """Name every rule that no sequence of a scenario leads to."""
    if not book.scenarios:
        return
    in_play = references.in_play()
    shown = references.closure(t for x in book.examples for t in references.by_example(x))
    for thing, x in things(book):
        if thing in in_play or lent(span_of(x).file):
            continue
        if thing not in shown and thing[0] in ELSEWHERE:
            continue
        report.remark(
            "RW513",
            span_of(x),
            f"no scenario comes to {named(thing)}" + ("; examples do" if thing in shown else ""),
            help="let a sequence, an action or a rule that is played ask for it, or strike it",
            case=x.case,
        )


def named(thing: Thing) -> str:
    sort, name = thing
    return f"this {WORDS[sort]}" if sort == "trigger" else f'the {WORDS[sort]} "{name}"'


def span_of(x: Speaking) -> Span:
    return x.base.span if isinstance(x, c.Definition) else x.span
