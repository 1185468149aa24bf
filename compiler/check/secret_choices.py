"""Check that what a side may choose does not tell it another's secret.

In:  the book in the core, and what everything in it reads.
Out: the secrets of the book, each with where it is declared.
Reports: RW602 a secret that decides what another side may do or answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.source import Span

from ..analyse.dependencies import Depends, column_name, hidden_memories
from ..analyse.secret_boxes import SecretBoxes, hidden_boxes
from ..analyse.secret_flows import Telling, hidden_tables
from ..analyse.secret_names import names_of_secrets
from ..core import nodes as c
from ..core.walk import all_procedures, all_statements, rule_exprs
from .owners import Owners, own_names


@dataclass(frozen=True, slots=True)
class Secret:
    """Something that not every side may know: a mark, a box, or what is made from one."""

    name: str
    case: str
    key: str
    rests: str = ""

    def note(self) -> str:
        """Where it comes from."""
        told = [f"is declared in case {self.case}"] if self.case else []
        told += [f"rests on {self.rests}"] if self.rests else []
        return f"{self.name} {' and '.join(told)}"


@dataclass(frozen=True, slots=True)
class Looking:
    """What expressions look at, directly or through definitions: columns and secret boxes."""

    depends: Depends
    boxes: SecretBoxes

    def told(self, exprs: tuple[c.Expr, ...], secret: dict[str, Secret]) -> list[Secret]:
        """The secrets that some expressions look at."""
        found = self.depends.of(exprs) | {f"box {name}" for name in self.boxes.of(exprs)}
        return [secret[x] for x in sorted(found & set(secret))]


def secrets_of(book: c.Book, look: Looking) -> dict[str, Secret]:
    """The secrets of a book by the column, box or table that holds them."""
    found = {
        column_name(owner, name): Secret(name, mark.case, column_name(owner, name))
        for (owner, name), mark in book.marks.items()
        if mark.secret_to is not None
    }
    found |= {f"box {name}": Secret(name, box.case, f"box {name}") for name, box in look.boxes.secret.items()}
    if not found:
        return found
    plain = {key: secret.name for key, secret in found.items()}
    tables = {f"past_{name}": rests for name, rests in hidden_memories(book, look.depends).items()}
    for name, boxes in hidden_boxes(book, look.depends).items():
        tables[f"past_{name}"] = (*tables.get(f"past_{name}", ()), *(f"box {box}" for box in boxes))
    tables |= hidden_tables(Telling(book, look.depends, look.boxes))
    for key, rests in tables.items():
        sort, _, name = key.partition("_")
        told = ", ".join(dict.fromkeys(plain.get(x, "what lies in secret boxes") for x in rests if x != "*"))
        case = {"past": book.memories, "spent": book.quotas}.get(sort, {})
        found[key] = Secret(name, case[name].case if name in case else "", key, told or "a secret answer or draw")
    return found


def asks(book: c.Book) -> Iterator[c.AskSide]:
    """Every question of a book."""
    return (s for p in all_procedures(book) for s in all_statements(p) if isinstance(s, c.AskSide))


def check_choices(book: c.Book, secret: dict[str, Secret], look: Looking, report: Reporter) -> None:
    """What one side may do or answer must not hang on what only another may know."""
    for action in book.actions.values():
        legality(action, secret, book, look, report)
    names = names_of_secrets(Telling(book, look.depends, look.boxes))
    acting = {id(a.procedure): f"action {a.name}" for a in book.actions.values()}
    for p in all_procedures(book):
        asked = [s.ask for s in all_statements(p) if isinstance(s, c.AskSide)]
        known = names.get(acting.get(id(p), p.name), {})
        answered = {ask.name: ask.side for ask in asked if ask.secret}
        answered |= {s.name: s.secretly_for for s in all_statements(p) if isinstance(s, c.Draw) and s.secretly_for}
        for ask in asked:
            question(ask, answered, known, secret, book, look, report)


def legality(action: c.Action, secret: dict[str, Secret], book: c.Book, look: Looking, report: Reporter) -> None:
    """The rules of an action, what its arguments are taken from, and what it spends."""
    owners = Owners(book, look.depends, look.boxes, frozenset(secret), action.by, {"actor": True})
    owners = replace(owners, mine=own_names(owners, action.params))
    what = f"whether {action.name} is legal"
    exprs = [(x, rule.case) for rule in action.rules for x in rule_exprs(rule)]
    exprs += [(p.domain, action.case) for p in action.params if p.domain is not None]
    for top, case in exprs:
        foreign = owners.of(top)
        for told in look.told((top,), secret):
            if told.key in foreign:
                warn(report, top.span, what, told, case)
    for quota, keys, amount in action.spends:
        for key in owners.spent(quota, keys):
            warn(report, (*keys, amount)[0].span, what, secret[key], action.case)


def question(
    ask: c.Ask,
    answered: dict[str, c.Expr],
    names: dict[str, tuple[str, ...]],
    secret: dict[str, Secret],
    book: c.Book,
    look: Looking,
    report: Reporter,
) -> None:
    """What a question may be answered with; names in its procedure stand for secrets too."""
    mine = {ask.side.name: True} if isinstance(ask.side, c.Local) else {}
    owners = Owners(book, look.depends, look.boxes, frozenset(secret), ask.side, mine)
    for top in (x for x in (ask.source, ask.number, ask.so_that) if x is not None):
        what = f"what {ask.name} may be answered with"
        foreign = owners.of(top)
        for told in look.told((top,), secret):
            if told.key in foreign:
                warn(report, top.span, what, told, ask.case)
        heard = {e.name: e.span for e in top.walk() if isinstance(e, c.Local)}
        for name in sorted(heard.keys() - {ask.name}):
            if not known_to(ask.side, name, answered, names):
                warn(report, heard[name], what, Secret(name, "", name, "what is secret"), ask.case)


def known_to(side: c.Expr, name: str, answered: dict[str, c.Expr], names: dict[str, tuple[str, ...]]) -> bool:
    """Whether a name in a procedure tells a side nothing that it may not know, as far as can be seen."""
    if name in answered:
        return c.alike(answered[name], side)
    return all(own(side, x, answered, {k: v for k, v in names.items() if k != name}) for x in names.get(name, ()))


def own(side: c.Expr, told: str, answered: dict[str, c.Expr], names: dict[str, tuple[str, ...]]) -> bool:
    if told.startswith("name "):
        return known_to(side, told[5:], answered, names)
    owner = told.partition("=")[2]
    match side:
        case c.Const(value=str(value)):
            return owner == value
        case c.Local(name) | c.Bound(name):
            return owner == f"@{name}"
        case _:
            return False


def warn(report: Reporter, span: Span, what: str, told: Secret, case: str) -> None:
    report.warning(
        "RW602",
        span,
        f'{what} depends on "{told.name}", which its side may not know',
        help="ask for what that side knows (actor.…), or reveal it first, or check it when the choice is carried out",
        notes=(told.note(),),
        case=case,
    )
