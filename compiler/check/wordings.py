"""Check phrases: each belongs to something that the book names, and has its parameters in it.

In:  the book in the core.
Out: nothing.
Reports: RW138 a phrase of something that is not there, RW139 a phrase that names a parameter that is not there, or
         leaves one out, RW202 a label that its phrase would share with a parameter or a preview.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulewright.dsl.diagnostics import Reporter, did_you_mean

from ..core import nodes as c
from ..core.walk import all_statements, question_homes, question_key

SLOT = re.compile(r"\{([^{}]*)\}")
OWNING = ".own"


def check_words(book: c.Book, report: Reporter) -> None:
    """Report phrases that nobody will ever see, or that would be filled wrongly."""
    check_labels(book, report)
    known = named(book)
    for x in book.words:
        report.case = x.case
        if x.key not in known and below(book, x.overlay):
            continue
        if x.key not in known:
            near = did_you_mean(x.key, list(known))
            help = (
                near
                or "name a declaration of the book, or a part of one: battle.attackers, outcome.DR, attack.too_weak"
            )
            report.error("RW138", x.span, f'"{x.key}" is nothing that this book names', help=help)
            continue
        must, may = known[x.key]
        used = [slot.removesuffix(OWNING) for slot in SLOT.findall(x.text)]
        for slot in used:
            if slot not in must and slot not in may:
                there = ", ".join(f"{{{p}}}" for p in (*must, *may)) or "nothing in braces"
                message = f'"{x.key}" has no {{{slot}}} to put into its phrase'
                report.error("RW139", x.span, message, help=f"a phrase of {x.key} holds {there}")
        for slot in must:
            if slot not in used:
                message = f'the phrase of "{x.key}" leaves out {{{slot}}}'
                report.error("RW139", x.span, message, help=f"say where {{{slot}}} stands in it")
    report.case = ""


def check_labels(book: c.Book, report: Reporter) -> None:
    """Report labels of rules whose phrase would be that of a parameter or a preview as well."""
    own = {(x.action, x.name): "a preview" for x in book.previews}
    own |= {(home, p.name): "a parameter" for home, params in parameters(book) for p in params}
    told: set[tuple[str, str]] = set()
    for about, rules, _ in ruled(book):
        for rule in rules:
            what = own.get((about, rule.label))
            if what and (about, rule.label) not in told:
                told.add((about, rule.label))
                report.case = rule.case
                message = f'"{rule.label}" is {what} of {about} and the label of one of its conditions'
                help = f"rename one of them: a phrase of {about}.{rule.label} would be that of both"
                report.error("RW202", rule.span, message, help=help)


def below(book: c.Book, overlay: str) -> bool:
    """Whether an overlay lies above this text, which may have struck what it names; by itself the text is checked."""
    return bool(book.overlays) and overlay != book.overlays[-1]


Slots = tuple[tuple[str, ...], tuple[str, ...]]
"""The parameters that a phrase must hold, and those that it may hold."""


def named(book: c.Book) -> dict[str, Slots]:
    """Everything that can carry a phrase, with what stands in braces."""
    found: dict[str, Slots] = {name: ((), ()) for name in (*book.kinds, *book.scales, *book.phases, *book.bindings)}
    found |= {home: (names(params), ()) for home, params in parameters(book)}
    found |= {name: ((), ()) for name in book.duties}
    found |= {f"{x.action}.{x.name}": ((), ()) for x in book.previews}
    found |= {name: ((), ("it",) if box.keys else ()) for name, box in book.boxes.items()}
    found |= {f"{kind}.{word}": ((), ()) for kind, words in book.kinds.items() for word in words}
    found |= {f"{scale}.{step}": ((), ()) for scale, steps in book.scales.items() for step in steps}
    found |= {f"{record}.{part}": ((), ("it",)) for record, parts in book.records.items() for part, _ in parts}
    for owner, name in book.fields:
        found[f"{owner}.{name}"] = ((), ("it",))
    for owner, name in book.marks:
        found[name if owner == "game" else f"{owner}.{name}"] = ((), ()) if owner == "game" else ((), ("it",))
    for about, rules, known in ruled(book):
        found |= {f"{about}.{r.label}": ((), known) for r in rules if r.label}
    for home, params in parameters(book):
        for param in params:
            found.setdefault(f"{home}.{param.name}", ((), ()))
    for home, p in question_homes(book):
        own = (*names(p.params), *locals_of(all_statements(p)))
        for a in all_statements(p):
            if isinstance(a, c.AskSide):
                found.setdefault(question_key(home, a.ask), ((), own))
    return found


def parameters(book: c.Book) -> Iterable[tuple[str, tuple[c.Param, ...]]]:
    """What can have parameters, with them."""
    for name, d in book.definitions.items():
        if d.sort == "define":
            yield name, d.params
    for several in (book.tables, book.grows, book.routes, book.matchings, book.actions, book.procedures):
        for name, x in several.items():
            yield name, x.params
    for memories in (book.memories, book.quotas):
        for name, memory in memories.items():
            yield name, memory.definition.params


def ruled(book: c.Book) -> Iterable[tuple[str, tuple[c.Rule, ...], tuple[str, ...]]]:
    """What bans and needs are about, with the parameters they know."""
    for name, route in book.routes.items():
        yield name, route.rules, (*names(route.params), "here", "there")
    for several in (book.matchings, book.actions):
        for name, x in several.items():
            yield name, x.rules, names(x.params)


def names(params: tuple[c.Param, ...]) -> tuple[str, ...]:
    return tuple(p.name for p in params)


def locals_of(body: Iterable[c.Stmt]) -> tuple[str, ...]:
    """The names that statements give."""
    found: list[str] = []
    for s in body:
        match s:
            case c.Let(name=name) | c.Roll(name=name) | c.Draw(name=name):
                found.append(name)
            case c.ForEach(var=var):
                found.append(var)
            case c.AskSide(ask=ask):
                found.append(ask.name)
            case _:
                pass
    return tuple(dict.fromkeys(found))
