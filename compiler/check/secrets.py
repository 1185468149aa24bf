"""Check that secrets stay secret, and that drafts can be taken back.

In:  the book in the core, and the dependencies.
Out: nothing.
Reports: RW601 a secret that flows into a public mark, RW603 a note that tells a secret, RW604 a die, draw or reveal in
         a draft; and what secret_choices.py does (RW602).

A secret is a mark or a box that not every side may look at, and what is made from one: a memory, a quota that is spent
by it, what a phase is bound to.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from rulewright.dsl.diagnostics import Reporter

from ..analyse.dependencies import Depends, asked_exprs
from ..analyse.secret_boxes import SecretBoxes
from ..core import nodes as c
from ..core.walk import all_procedures, all_statements
from .secret_choices import Looking, Secret, asks, check_choices, secrets_of

Shown: TypeAlias = c.Roll | c.Draw | c.Reveal
"""What cannot be taken back once it has been seen."""


def check_secrets(book: c.Book, depends: Depends, report: Reporter) -> None:
    """Warn of each way by which a side could learn what it may not know."""
    look = Looking(depends, SecretBoxes(book, depends))
    secret = secrets_of(book, look)
    if secret or any(s.ask.secret for s in asks(book)):
        for p in all_procedures(book):
            for body in (p.body, *(w.body for w in p.wrappers)):
                flows(body, secret, {}, book, look, report)
        check_choices(book, secret, look, report)
        check_shown(book, secret, look, report)
    drafts(book, report)


def check_shown(book: c.Book, secret: dict[str, Secret], look: Looking, report: Reporter) -> None:
    """What everybody has before them rests on nothing that somebody may not know; a secret mark is shown to its own."""
    for x in book.shown:
        d = book.definitions.get(x.key)
        for mark in look.told(tuple(asked_exprs(d)), secret) if d is not None else ():
            report.error(
                "RW148",
                x.span,
                f'"{x.key}" rests on the secret "{mark.name}", and every side has it before them',
                help=f"show what does not rest on {mark.name}, or {mark.name} itself, which only its own side sees",
                notes=(mark.note(),),
                case=x.case,
            )


def flows(
    body: tuple[c.Stmt, ...],
    secret: dict[str, Secret],
    guards: dict[str, Secret],
    book: c.Book,
    look: Looking,
    report: Reporter,
) -> None:
    """Follow a block in order: what has been revealed in it is no secret any more."""
    hidden = dict(secret)
    for s in body:
        if isinstance(s, c.Reveal):
            for mark in look.told((s.what,), hidden):
                hidden.pop(mark.key)
        elif isinstance(s, c.SetMark):
            target = book.marks[s.key]
            for mark in look.told((s.value,), hidden):
                if target.secret_to is None:
                    report.warning(
                        "RW601",
                        s.span,
                        f'the public mark "{target.name}" takes its value from the secret "{mark.name}"',
                        help=f"keep it secret too: mark {target.name} … secret to …; or reveal {mark.name} first",
                        notes=(mark.note(),),
                        case=s.case,
                    )
        elif isinstance(s, c.Note):
            for mark in look.told(s.values, hidden):
                report.warning(
                    "RW603",
                    s.span,
                    f'this note tells the secret "{mark.name}", and every side reads the log',
                    help=f"reveal {mark.name} first, or leave the value out",
                    notes=(mark.note(),),
                    case=s.case,
                )
            for mark in (m for key, m in guards.items() if key in hidden):
                report.warning(
                    "RW603",
                    s.span,
                    f'this note is written only as the secret "{mark.name}" has it, and every side reads the log',
                    help=f"reveal {mark.name} first, or write the note in either case",
                    notes=(mark.note(),),
                    case=s.case,
                )
        inner = dict(guards)
        if depends_on_values(s):
            inner |= {m.key: m for m in look.told(s.args, hidden)}
        flows(s.body, hidden, inner, book, look, report)
        flows(s.other, hidden, inner, book, look, report)


def depends_on_values(s: c.Stmt) -> bool:
    """Whether what a statement asks decides if, or how often, the blocks in it run."""
    match s:
        case c.If() | c.ForEach() | c.Repeat() | c.RunPhase():
            return True
        case c.Block() | c.Together() | c.AskSide():
            return False
        case c.Note() | c.Let() | c.SetMark() | c.Put() | c.Walk() | c.Roll() | c.Draw() | c.Spend() | c.Reveal():
            return False  # from here on, without a block
        case c.Win() | c.Halt() | c.Do() | c.DoUsual() | c.SkipPhase() | c.RepeatPhase() | c.OfferWindow():
            return False
        case _:
            assert_never(s)


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
                    f'"{name}" is only drafted here and may be taken back, but in it {shown_by(shown)}',
                    help="roll, draw and reveal after the window has closed, or offer it without draft",
                    notes=(f"it happens in case {shown.case}, at {shown.span}",),
                    case=offer.case,
                )


def shown_by(s: Shown) -> str:
    match s:
        case c.Roll():
            return "a die may be rolled"
        case c.Draw():
            return "something may be drawn"
        case c.Reveal():
            return "something may be revealed"
        case _:
            assert_never(s)


def shows(book: c.Book, p: c.Procedure, seen: set[str]) -> Shown | None:
    """The first statement of a procedure, or of those it runs, that shows something."""
    for s in all_statements(p):
        if isinstance(s, c.Roll | c.Draw | c.Reveal):
            return s
        if isinstance(s, c.Do) and s.name not in seen and s.name in book.procedures:
            seen.add(s.name)
            found = shows(book, book.procedures[s.name], seen)
            if found is not None:
                return found
    return None
