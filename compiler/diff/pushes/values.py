"""Verdicts on changed values: definitions, exceptions and contributions, quotas, and the parts of routes.

In:  a fact, both books, and the dependencies between the declarations of each.
Out: whether the value becomes more or less, and what that does to what is legal; different where the form does not
     tell.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n

from ...analyse.order_exceptions import possible
from ...core import nodes as c
from ...core.walk import below
from ..dependents import Dependents
from ..facts import Fact, inside
from ..smallest import Difference, number
from .effects import COSTS, Push, at_least_nought, of_rule
from .polarity import push
from .readers import SERVES, alone
from .verdict import Verdict, spread, still


def quota(f: Fact, book: c.Book) -> Verdict:
    """A number that bounds how often something may be done."""
    if f.kind != "amended" or f.part is None or not in_value(f.part):
        return Verdict(True, "different", "unproved", "the number is reckoned otherwise")
    return spread([("define", f.name, push(f.part))], book, "a quota caps how often something may be done")


def in_value(d: Difference) -> bool:
    """Whether a difference is in what a clause gives, not in when it does, nor in a name that both may use."""
    return not any(word.startswith(("condition", "let")) for word in d.path)


def route(f: Fact, book: c.Book) -> Verdict:
    if f.kind != "amended":
        return Verdict(
            True, "different", "unproved", "there is a new route" if f.kind == "added" else "a route is gone"
        )
    path = f.part.path if f.part is not None else ()
    pushes: list[Push] = []
    reason = "the route runs otherwise"
    if f.part is not None and path and in_value(f.part) and path[0] in ("budget", *COSTS):
        pushes = [("define", f"{f.name}.{path[0]}", push(f.part))]
        reason = (
            "the budget of the route has changed" if path[0] == "budget" else "a step of the route costs another amount"
        )
    elif f.part is not None and path and path[0].startswith("rule"):
        ban = rule_at(f, path)
        if ban is not None and ban.sort in ("forbid", "stop"):
            sign = -push(f.part) if in_value(f.part) or f.part.up else 0
            pushes = of_rule(f.name, "route", sign, book)
            reason = (
                f"a ban of the route holds {'less' if sign > 0 else 'more'} often"
                if sign
                else "a ban of the route holds elsewhere"
            )
    return spread(pushes, book, reason)


def rule_at(f: Fact, path: tuple[str, ...]) -> n.Rule | None:
    if f.old is None or not isinstance(f.old.node, n.Route):
        return None
    digits = "".join(ch for ch in path[0] if ch.isdigit())
    i = int(digits) - 1 if digits else 0
    return f.old.node.rules[i] if i < len(f.old.node.rules) else None


def layer(f: Fact, a: c.Book, b: c.Book, ours: Dependents, theirs: Dependents) -> Verdict:
    """An exception or contribution, compared with the plain number that it replaces or adds to."""
    name = f.name
    sign = 0
    if f.kind in ("added", "struck"):
        book = b if f.kind == "added" else a
        found = own_layer(f, book)
        if found is not None and all(cl.guard is not None and not possible(book, cl.guard) for cl in found.clauses):
            return still("its condition can never hold")
        always = one_value(name, a)
        if f.element == "exception" and found is not None and always is not None and always == one_value(name, b):
            return still("the value is the same with it and without it")
    entry = f.new or f.old
    node = entry.node if entry is not None else None
    if f.kind == "amended" and f.part is not None and in_value(f.part):
        sign = push(f.part)
    elif f.kind == "amended" and f.part is not None:
        sign = in_flag(f)
    elif isinstance(node, n.Except | n.Add) and len(node.body.clauses) == 1 and f.kind in ("added", "struck"):
        value = literal(node.body.clauses[0].value)
        book = b if f.new is not None else a
        usual = (0, 0) if isinstance(node, n.Add) else usual_range(name, book, f.case)
        if value is not None and usual is not None and not node.body.clauses[0].operation:
            sign = 1 if value > usual[1] else -1 if value < usual[0] else 0
            sign = sign if f.kind == "added" else -sign
    if f.element == "contribution" and sign and not all(added(f, book) for book in (a, b)):
        sign = 0
    return spread([("define", name, sign)], b, f"the {f.element} gives another value")


def added(f: Fact, book: c.Book) -> bool:
    """Whether a contribution only adds in a book, or multiplies what is surely not negative."""
    d, found = book.definitions.get(f.name), own_layer(f, book)
    plain = found is None or all(x.operation != "times" for x in found.clauses)
    return plain or (d is not None and at_least_nought(d, book))


def in_flag(f: Fact) -> int:
    """The guard of a constant clause of a flag: if it holds more often, the flag has that value more often."""
    part = f.part.after if f.part is not None else None
    if f.part is None or f.new is None or not isinstance(part, n.Node) or not f.part.up:
        return 0
    outer = f.part.up[-1][1]
    for clause in below(f.new.node):
        match clause:
            case n.Clause(value=n.Literal(sort="flag", value=value), guard=guard) if guard is outer:
                return push(f.part) * (1 if value else -1)
    return 0


def own_layer(f: Fact, book: c.Book) -> c.Layer | None:
    """The layer of the core that an exception or contribution was compiled to."""
    entry, d = f.new or f.old, book.definitions.get(f.name)
    if entry is None or d is None:
        return None
    return next((x for x in d.layers() if x.span.origin is entry.node.span.origin and inside(x, entry.node.span)), None)


def one_value(name: str, book: c.Book) -> c.Value:
    """The constant that every clause of a definition gives; None where they differ."""
    d = book.definitions.get(name)
    if d is None or d.contributions or d.sort != "define" or all(x.guard is not None for x in d.base.clauses):
        return None
    values = [x.value for layer in d.base.walk() for x in layer.clauses]
    first = values[0]
    same_ = isinstance(first, c.Const) and all(isinstance(x, c.Const) and x.value == first.value for x in values)
    return first.value if same_ and isinstance(first, c.Const) else None


def literal(e: n.Expr) -> int | None:
    value = number(e)
    return value if isinstance(value, int) else None


def usual_range(name: str, book: c.Book, case: str) -> tuple[int, int] | None:
    """The least and greatest value of a definition without the layers of one case, if all values are plain numbers."""
    d = book.definitions.get(name)
    if d is None or d.contributions:
        return None
    found: list[int] = []
    for part in d.base.walk():
        if part is not d.base and part.case == case:
            continue
        for clause in part.clauses:
            value = clause.value.value if isinstance(clause.value, c.Const) else None
            if not isinstance(value, int) or isinstance(value, bool):
                return None
            found.append(value)
    return (min(found), max(found)) if found else None


def definition(f: Fact, a: c.Book, b: c.Book, ours: Dependents, theirs: Dependents) -> Verdict:
    sorts = ("grow",) if f.element == "growing set" else ("define",)
    if f.kind in ("added", "struck"):
        if all(alone(f, (s, f.name), ours, theirs) for s in sorts):
            return still(SERVES[f.kind])
        return Verdict(True, "different", "unproved", f"the {f.element} is new" if f.kind == "added" else "it is gone")
    sign = 0 if f.part is None else push(f.part) if in_value(f.part) else in_flag(f)
    return spread([(sorts[0], f.name, sign)], b, "the value is another wherever this part of it counts")
