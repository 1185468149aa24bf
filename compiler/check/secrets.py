"""Check that secrets stay secret, and that what is taken back was never shown.

In:  the book in the core, and what everything in it reads.
Out: nothing.
Reports: RW601 a secret that flows into a public mark, RW602 a secret that decides what another side may do,
         RW603 a note that tells a secret, RW604 a die, draw or reveal in a draft.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl.diagnostics import Reporter

from ..analyse.dependencies import Depends, column_name
from ..core import nodes as c
from ..core.walk import all_procedures, all_statements, rule_exprs

SHOWS = {"roll": "a die is rolled", "draw": "something is drawn", "reveal": "something is revealed"}


def check_secrets(book: c.Book, depends: Depends, report: Reporter) -> None:
    """Warn of each way by which a side could learn what it may not know."""
    secret = {
        column_name(owner, name): mark for (owner, name), mark in book.marks.items() if mark.secret_to is not None
    }
    if secret:
        for p in all_procedures(book):
            for body in (p.body, *(w.body for w in p.wrappers)):
                flows(body, secret, {}, book, depends, report)
        for action in book.actions.values():
            legality(action, secret, book, depends, report)
    drafts(book, report)


def told(exprs: Iterator[c.Expr] | tuple[c.Expr, ...], secret: dict[str, c.Mark], depends: Depends) -> list[c.Mark]:
    """The secret marks that some expressions read, directly or through definitions."""
    return [secret[x] for x in sorted(depends.of(exprs) & set(secret))]


def flows(
    body: tuple[c.Stmt, ...],
    secret: dict[str, c.Mark],
    guards: dict[str, c.Mark],
    book: c.Book,
    depends: Depends,
    report: Reporter,
) -> None:
    """Follow a block in order: what has been revealed in it is no secret any more."""
    hidden = dict(secret)
    for s in body:
        if s.op == "reveal":
            for mark in told(s.args, hidden, depends):
                hidden.pop(column_name(mark.owner.name, mark.name))
        elif s.op == "set":
            target = book.marks[s.info]
            for mark in told(s.args[:1], hidden, depends):
                if target.secret_to is None:
                    report.warning(
                        "RW601",
                        s.span,
                        f'the public mark "{target.name}" takes its value from the secret "{mark.name}"',
                        help=f"keep it secret too: mark {target.name} … secret to …; or reveal {mark.name} first",
                        notes=(f"{mark.name} is declared in case {mark.case}",),
                        case=s.case,
                    )
        elif s.op == "note":
            for mark in (m for key, m in guards.items() if key in hidden):
                report.warning(
                    "RW603",
                    s.span,
                    f'this note is written only as the secret "{mark.name}" has it, and every side reads the log',
                    help=f"reveal {mark.name} first, or write the note in either case",
                    notes=(f"{mark.name} is declared in case {mark.case}",),
                    case=s.case,
                )
        inner = dict(guards)
        if s.op in ("if", "repeat", "phase", "for"):
            inner |= {column_name(m.owner.name, m.name): m for m in told(s.args, hidden, depends)}
        flows(s.body, hidden, inner, book, depends, report)
        flows(s.other, hidden, inner, book, depends, report)


def legality(action: c.Action, secret: dict[str, c.Mark], book: c.Book, depends: Depends, report: Reporter) -> None:
    """What one side may do must not hang on what only another may know."""
    exprs = [(x, rule.case) for rule in action.rules for x in rule_exprs(rule)]
    exprs += [(p.domain, action.case) for p in action.params if p.domain is not None]
    params = {p.name for p in action.params}
    for top, case in exprs:
        own = {
            column_name(e.args[0].type.plain.name if e.args else "game", str(e.info))
            for e in top.walk()
            if e.op == "mark" and mine(e, action, params, book)
        }
        for mark in told((top,), secret, depends):
            if column_name(mark.owner.name, mark.name) not in own:
                report.warning(
                    "RW602",
                    top.span,
                    f'whether {action.name} is legal depends on "{mark.name}", which its side may not know',
                    help="ask for what the acting side knows (actor.…), or check it when the action is carried out",
                    notes=(f"{mark.name} is declared in case {mark.case}",),
                    case=case,
                )


def mine(e: c.Expr, action: c.Action, params: set[str], book: c.Book) -> bool:
    """Whether a secret mark is read of the acting side itself, or of something that it names."""
    if e.args:
        owner = e.args[0]
        return (owner.op == "local" and (owner.info == "actor" or owner.info in params)) or alike(owner, action.by)
    to = book.marks["game", str(e.info)].secret_to
    return to is not None and alike(to, action.by)


def alike(a: c.Expr, b: c.Expr) -> bool:
    return a.op == b.op and a.info == b.info and len(a.args) == len(b.args) and all(map(alike, a.args, b.args))


def drafts(book: c.Book, report: Reporter) -> None:
    """What a draft window holds can be taken back; what was seen cannot."""
    for offer in book.offers:
        if offer.sort != "draft":
            continue
        for name, _ in offer.actions:
            shown = shows(book, book.actions[name].procedure, set())
            if shown is not None:
                report.error(
                    "RW604",
                    offer.span,
                    f'"{name}" is only drafted here and may be taken back, but in it {SHOWS[shown.op]}',
                    help="roll, draw and reveal after the window has closed, or offer it without draft",
                    notes=(f"it happens in case {shown.case}, at {shown.span}",),
                    case=offer.case,
                )


def shows(book: c.Book, p: c.Procedure, seen: set[str]) -> c.Stmt | None:
    for s in all_statements(p):
        if s.op in SHOWS:
            return s
        if s.op == "do" and s.info not in seen and s.info in book.procedures:
            seen.add(str(s.info))
            found = shows(book, book.procedures[str(s.info)], seen)
            if found is not None:
                return found
    return None
