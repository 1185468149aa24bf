"""Check a whole book: what is declared and never used, and what can never happen.

In:  the book in the core, and which names were read while it was elaborated.
Reports: RW501 a mark or field never read, RW502 a quota never spent, RW503 an action never offered,
         RW504 a reading never asked about, RW505 a phase that no running sequence contains,
         RW506 a procedure never run, RW507 an ask that may find nothing to choose from.
"""

from __future__ import annotations

from rulewright.dsl.diagnostics import Reporter

from . import core as c
from .depends import Depends
from .scope import Symbols


def check(book: c.Book, symbols: Symbols, depends: Depends, report: Reporter) -> None:
    """Warn of silence: each of these is a rule that would do nothing."""
    read = symbols.read
    for (owner, name), mark in book.marks.items():
        if name != "side" and (owner, name) not in read and mark.secret_to is None:
            report.warning(
                "RW501", mark.span, f'the mark "{name}" is set and never read', help="ask about it in a rule, or strike it", case=mark.case
            )
    for (owner, name), field in book.fields.items():
        if (owner, name) not in read:
            report.warning(
                "RW501", field.span, f'the field "{name}" is never read', help="ask about it in a rule, or strike it", case=field.case
            )
    for name, quota in book.quotas.items():
        if ("spend", name) not in read:
            report.warning("RW502", quota.span, f'the quota "{name}" is never spent', help=f"write spend {name}(…) where it is used", case=quota.case)
    for name, action in book.actions.items():
        if not action.anytime and ("action", name) not in read:
            report.warning("RW503", action.span, f'the action "{name}" is offered in no window', help=f"add it to an offer: offer SIDE: {name}", case=action.case)
    asked = {e.info for e in all_exprs(book) if e.op == "reading"}
    for name, unclear in book.unclear.items():
        if name not in asked:
            report.warning("RW504", unclear.span, f'nothing depends on how "{name}" is read', help=f"write {name} = READING in a condition", case=unclear.case)
    running = {s.sequence for s in book.scenarios.values()}
    called = {name for sort, name in read if sort == "procedure"}
    for name, p in book.procedures.items():
        if name in called or name in running:
            continue
        used = any(line.info == name for x in book.examples for line in x.lines if line.sort == "run")
        if p.sort == "sequence" and running:
            report.warning("RW505", p.span, f'the sequence "{name}" is run by no scenario', help="name it in a scenario, or do it in another sequence", case=p.case)
        elif p.sort == "procedure" and not used:
            report.warning("RW506", p.span, f'the procedure "{name}" is never run', help=f"write do {name} where it belongs", case=p.case)


def all_exprs(book: c.Book) -> list[c.Expr]:
    """Every expression of the book, at the top and below."""
    from .depends import definition_exprs, rule_exprs

    tops: list[c.Expr] = []
    for d in book.definitions.values():
        tops += definition_exprs(d)
    for rules in (*(r.rules for r in book.routes.values()), *(m.rules for m in book.matchings.values()), *(a.rules for a in book.actions.values())):
        for rule in rules:
            tops += rule_exprs(rule)
    for p in all_procedures(book):
        for s in statements(p.body):
            tops += s.args
        for w in p.wrappers:
            tops += [w.guard] if w.guard is not None else []
            for s in statements(w.body):
                tops += s.args
    tops += [t.guard for t in book.triggers if t.guard is not None]
    tops += [d.test for d in book.duties.values()]
    tops += [g.test for g in book.grows.values()]
    return [e for top in tops for e in top.walk()]


def all_procedures(book: c.Book) -> list[c.Procedure]:
    found = list(book.procedures.values())
    found += [a.procedure for a in book.actions.values()]
    found += [t.procedure for t in book.triggers]
    found += [d.failing for d in book.duties.values() if d.failing is not None]
    return found


def statements(body: tuple[c.Stmt, ...]) -> list[c.Stmt]:
    found = []
    for s in body:
        found += [s, *statements(s.body), *statements(s.other)]
    return found
