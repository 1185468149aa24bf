"""Check a whole book: what is declared and never used, and what can never happen.

In:  the book in the core, and which names were read while it was elaborated.
Out: nothing.
Reports: RW501 a mark or field never read, RW502 a quota never spent, RW503 an action never offered,
         RW504 a reading never asked about, RW505 a sequence that no scenario runs, RW506 a procedure never run.
"""

from __future__ import annotations

from functools import partial

from rulewright.dsl.diagnostics import Reporter

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.shown import shown_keys
from ..core.walk import all_procedures, all_statements
from ..read.symbols import Symbols
from .checked_expressions import layers_named


def check(book: c.Book, symbols: Symbols, exprs: list[c.Expr], report: Reporter, memory: Memory | None = None) -> None:
    """Warn of declarations without effect."""
    own = only_by_itself(book, exprs, memory or Memory())
    read = symbols.read - own
    given = marked(book)
    lines = {name for r in book.routes.values() for name in r.layers}
    lines |= layers_named(exprs)
    seen = shown_keys(book)
    for (owner, name), mark in book.marks.items():
        used = name == "side" or (owner, name) in read or f"{owner}_{name}" in seen
        if not used and mark.secret_to is None:
            report.warning(
                "RW501",
                mark.span,
                f'the mark "{name}" is {unread((owner, name), own, given)}',
                help="ask about it in a rule, or strike it",
                case=mark.case,
            )
    for (owner, name), field in book.fields.items():
        if (owner, name) not in read and name not in lines:
            report.warning(
                "RW501",
                field.span,
                f'the field "{name}" is never read',
                help="ask about it in a rule, or strike it",
                case=field.case,
            )
    for name, quota in book.quotas.items():
        if ("spend", name) not in read:
            report.warning(
                "RW502",
                quota.span,
                f'the quota "{name}" is never spent',
                help=f"write spend {name}(…) where it is used",
                case=quota.case,
            )
    for name, action in book.actions.items():
        if not action.anytime and ("action", name) not in read:
            report.warning(
                "RW503",
                action.span,
                f'the action "{name}" is offered in no window',
                help=f"add it to an offer: offer SIDE: {name}",
                case=action.case,
            )
    asked = {e.name for e in exprs if isinstance(e, c.Reading)}
    for name, unclear in book.unclear.items():
        if name not in asked:
            report.warning(
                "RW504",
                unclear.span,
                f'nothing depends on how "{name}" is read',
                help=f"write {name} = READING in a condition",
                case=unclear.case,
            )
    running = {s.sequence for s in book.scenarios.values()}
    called = {name for sort, name in read if sort == "procedure"}
    for name, p in book.procedures.items():
        if name in called or name in running:
            continue
        used = any(isinstance(y, c.RunLine) and y.procedure == name for x in book.examples for y in x.lines)
        if p.sort == "sequence" and running:
            report.warning(
                "RW505",
                p.span,
                f'the sequence "{name}" is run by no scenario',
                help="name it in a scenario, or do it in another sequence",
                case=p.case,
            )
        elif p.sort == "procedure" and not used:
            report.warning(
                "RW506",
                p.span,
                f'the procedure "{name}" is never run',
                help=f"write do {name} where it belongs",
                case=p.case,
            )


def unread(key: tuple[str, str], own: set[tuple[str, str]], given: set[tuple[str, str]]) -> str:
    """What becomes of a mark that no rule asks about."""
    if key in own:
        return "read only to reckon its own next value"
    return "set and never read" if key in given else "neither set nor read"


def marked(book: c.Book) -> set[tuple[str, str]]:
    """The marks that a rule or a scenario sets."""
    found = {s.key for p in all_procedures(book) for s in all_statements(p) if isinstance(s, c.SetMark)}
    return found | {(sort, name) for x in book.scenarios.values() for sort, name, _ in x.marks}


def only_by_itself(book: c.Book, exprs: list[c.Expr], memory: Memory) -> set[tuple[str, str]]:
    """The marks that are read only to compute their own next value."""
    own: set[int] = set()
    for p in all_procedures(book):
        for s in all_statements(p):
            if isinstance(s, c.SetMark):
                own |= {id(e) for e in s.value.walk() if isinstance(e, c.MarkOf) and e.key == s.key}
    marks = [e for e in exprs if isinstance(e, c.MarkOf)]
    inside = {e.key for e in marks if id(e) in own}
    outside = {e.key for e in marks if id(e) not in own}
    room = memory.room("check examples")
    shown: set[tuple[str, str]] = set().union(*(room.work((x,), partial(marks_of, x)) for x in book.examples))
    return inside - outside - shown


def marks_of(x: c.Example) -> set[tuple[str, str]]:
    return {e.key for line in x.lines for top in line.exprs for e in top.walk() if isinstance(e, c.MarkOf)}
