"""Check that secrets stay secret, and that drafts can be taken back.

In:  the book in the core, and the dependencies.
Out: nothing.
Reports: RW601 a secret that flows into a public mark, RW602 a secret that decides what another side may do,
         RW603 a note that tells a secret, RW604 a die, draw or reveal in a draft.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from rulewright.dsl.diagnostics import Reporter

from ..analyse.dependencies import Depends, column_name
from ..analyse.secret_boxes import SecretBoxes
from ..core import nodes as c
from ..core.walk import all_procedures, all_statements, rule_exprs
from .owners import Owners

Shown: TypeAlias = c.Roll | c.Draw | c.Reveal
"""What cannot be taken back once it has been seen."""


def check_secrets(book: c.Book, depends: Depends, report: Reporter) -> None:
    """Warn of each way by which a side could learn what it may not know."""
    look = Looking(depends, SecretBoxes(book, depends))
    secret = {
        column_name(owner, name): Secret(name, mark.case, column_name(owner, name))
        for (owner, name), mark in book.marks.items()
        if mark.secret_to is not None
    }
    secret |= {f"box {name}": Secret(name, box.case, f"box {name}") for name, box in look.boxes.secret.items()}
    if secret:
        for p in all_procedures(book):
            for body in (p.body, *(w.body for w in p.wrappers)):
                flows(body, secret, {}, book, look, report)
        for action in book.actions.values():
            legality(action, secret, book, look, report)
    drafts(book, report)


@dataclass(frozen=True, slots=True)
class Secret:
    """A mark or a box that not every side may look at."""

    name: str
    case: str
    key: str


@dataclass(frozen=True, slots=True)
class Looking:
    """What expressions look at, directly or through definitions: columns and secret boxes."""

    depends: Depends
    boxes: SecretBoxes

    def told(self, exprs: tuple[c.Expr, ...], secret: dict[str, Secret]) -> list[Secret]:
        """The secrets that some expressions look at."""
        found = self.depends.of(exprs) | {f"box {name}" for name in self.boxes.of(exprs)}
        return [secret[x] for x in sorted(found & set(secret))]


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
                        notes=(f"{mark.name} is declared in case {mark.case}",),
                        case=s.case,
                    )
        elif isinstance(s, c.Note):
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


def legality(action: c.Action, secret: dict[str, Secret], book: c.Book, look: Looking, report: Reporter) -> None:
    """What one side may do must not depend on what only another may know."""
    exprs = [(x, rule.case) for rule in action.rules for x in rule_exprs(rule)]
    exprs += [(p.domain, action.case) for p in action.params if p.domain is not None]
    owners = Owners(book, look.depends, look.boxes, frozenset(secret), action)
    for top, case in exprs:
        foreign = owners.of(top)
        for mark in look.told((top,), secret):
            if mark.key in foreign:
                report.warning(
                    "RW602",
                    top.span,
                    f'whether {action.name} is legal depends on "{mark.name}", which its side may not know',
                    help="ask for what the acting side knows (actor.…), or check it when the action is carried out",
                    notes=(f"{mark.name} is declared in case {mark.case}",),
                    case=case,
                )


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
            return "a die is rolled"
        case c.Draw():
            return "something is drawn"
        case c.Reveal():
            return "something is revealed"
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
