"""Verdicts on changed rules and choices: prohibitions, requirements, stops, actions, duties and waivers.

In:  a fact, and both books.
Out: whether more or less is legal, or neither follows from the form.
"""

from __future__ import annotations

from typing import Any

from rulewright.dsl import nodes as n

from ...analyse.order_exceptions import possible
from ...core import nodes as c
from ..entries import node_digest
from ..facts import Fact, elements, inside
from .effects import Legal, of_rule
from .polarity import push
from .verdict import WORD, Verdict, owed, pushed, spread, still

BANS = ("prohibition", "stop")


def rule(f: Fact, a: c.Book, b: c.Book) -> Verdict:
    """A prohibition or requirement: the more often it applies, the narrower is what it governs."""
    what = {"prohibition": "a prohibition", "stop": "a stop", "requirement": "a requirement"}[f.element]
    if f.kind in ("added", "struck") and f.element in BANS and never(f, b if f.kind == "added" else a):
        return still("its condition can never hold")
    if f.kind == "added":
        return ruled(f, -1, b, f"{what} was added: it can only refuse more", "")
    if f.kind == "struck":
        return ruled(f, 1, a, f"{what} was struck: what it refused is open", "")
    sign = 0
    if f.part is not None and f.where != "under":
        sign = push(f.part)
        if not f.part.up and f.part.before is None:
            sign = -1
        elif not f.part.up and f.part.after is None:
            sign = 1
    if f.element in BANS or in_guard(f):
        return ruled(f, -sign, b, f"{what} holds {'more' if sign > 0 else 'less'} often", f"{what} holds elsewhere")
    return ruled(f, sign, b, f"{what} is met {'more' if sign > 0 else 'less'} easily", f"{what} asks something else")


def never(f: Fact, book: c.Book) -> bool:
    """Whether a prohibition or stop is one that no combination of values brings about."""
    found = [x for x in written(f, book) if isinstance(x, c.Rule)]
    guards = [(x.test, *([x.guard] if x.guard is not None else [])) for x in found]
    return bool(guards) and all(any(not possible(book, guard) for guard in both) for both in guards)


def written(f: Fact, book: c.Book) -> list[Any]:
    """The pieces of the core that came from the declaration of a fact in one of the books."""
    entry = f.new if f.new is not None and f.kind != "struck" else f.old
    found = elements(book).get(id(entry.node.span.origin), []) if entry is not None else []
    return [x for x in found if entry is not None and inside(x, entry.node.span)]


def ruled(f: Fact, sign: int, book: c.Book, reason: str, otherwise: str) -> Verdict:
    """A push on an action is one on legality; a push on a route or matching is propagated to its users."""
    target = f.name.split(" ")[0]
    if sign == 0:
        return Verdict(True, "different", "unproved", otherwise)
    for sort, known in (("route", book.routes), ("matching", book.matchings)):
        if target in known:
            return spread(of_rule(target, sort, sign, book), book, reason)
    return owed(Verdict(True, WORD[sign], "proved", reason), [("action", target, sign)], book)


def in_guard(f: Fact) -> bool:
    """Whether the change is in the `when` of a requirement rather than in what it requires."""
    if f.old is None or f.new is None or not isinstance(f.old.node, n.Rule) or not isinstance(f.new.node, n.Rule):
        return False
    for (x, g), (y, h) in zip(f.old.node.tests, f.new.node.tests, strict=False):
        if not same(g, h):
            return same(x, y)
    return False


def same(a: n.Node | None, b: n.Node | None) -> bool:
    return (a is None and b is None) or (a is not None and b is not None and node_digest(a) == node_digest(b))


def action(f: Fact) -> Verdict:
    if f.kind == "added":
        return Verdict(True, "wider", "proved", "there is one more thing that a side may do")
    if f.kind == "struck":
        return Verdict(True, "narrower", "proved", "there is one thing less that a side may do")
    path = f.part.path if f.part is not None else ()
    if f.part is not None and path and path[0].startswith("condition"):
        if f.part.before is None and not f.part.up:
            return Verdict(True, "narrower", "proved", "the action has one more condition")
        if f.part.after is None and not f.part.up:
            return Verdict(True, "wider", "proved", "the action has one condition less")
        sign = push(f.part)
        word = "more" if sign > 0 else "less"
        return pushed(
            sign, f"a condition of the action is met {word} often", "a condition of the action reads otherwise"
        )
    if f.part is not None and "domain" in path:
        return pushed(
            push(f.part), "the action may be taken with other things", "the action is taken with other things"
        )
    if f.part is not None and path and path[0].startswith("phase"):
        gone, come = f.part.before, f.part.after
        if isinstance(gone, tuple) and isinstance(come, tuple):
            if set(gone) < set(come):
                return Verdict(True, "wider", "proved", "the action may be taken in more phases")
            if set(come) < set(gone):
                return Verdict(True, "narrower", "proved", "the action may be taken in fewer phases")
    return Verdict(True, "different", "unproved", "the action does something else")


def duty(f: Fact) -> Verdict:
    if f.kind == "added":
        return Verdict(True, "narrower", "proved", "a duty was added: fewer ways to end are open")
    if f.kind == "struck":
        return Verdict(True, "wider", "proved", "a duty was struck")
    if f.part is not None and f.where.startswith("condition"):
        sign = push(f.part)
        return pushed(sign, f"the duty is {'easier' if sign > 0 else 'harder'} to meet", "the duty asks something else")
    return Verdict(True, "different", "unproved", "the duty asks something else")


def waiver(f: Fact, a: c.Book, b: c.Book) -> Verdict:
    entry = f.new or f.old
    assert entry is not None and isinstance(entry.node, n.Waive)
    book, hit = (b, waived(f, b)) if f.new is not None else (a, waived(f, a))
    if hit is None:
        return Verdict(True, "different", "unproved", "a waiver takes an exception or another waiver out of force")
    if f.kind == "added":
        found = Verdict(True, "wider", "proved", "a waiver was added: a rule can be out of force")
    elif f.kind == "struck":
        found = Verdict(True, "narrower", "proved", "a waiver was struck: a rule is in force again")
    else:
        sign = push(f.part) if f.part is not None else 0
        more = "more" if sign > 0 else "less"
        found = pushed(sign, f"the waiver holds {more} often", "the waiver holds elsewhere")
    return owed(found, hit, book)


def waived(f: Fact, book: c.Book) -> list[Legal] | None:
    """The actions and duties of which a waiver lifts a rule; None where it lifts anything else."""
    mine = {x.id for x in written(f, book) if isinstance(x, c.Waiver)}
    found: list[Legal] = []
    held = [("action", a.name, w.id) for a in book.actions.values() for rule_ in a.rules for w in rule_.waivers]
    held += [("duty", d.name, w.id) for d in book.duties.values() for w in d.waivers]
    for sort, name, lifted in held:
        if lifted in mine:
            found.append((sort, name, 1))
    mine -= {lifted for _, _, lifted in held}
    return None if mine or not found else found
