"""Whether a fact makes play narrower, wider or different, as far as that follows from its form.

In:  a fact, both books, and the dependencies between the declarations of each.
Out: a verdict with its reason.

Narrower: no choice is legal that was not before. Wider: every choice that was legal still is. Different: values,
results or the order of play change. The push of a change (a value becomes more or less, a condition holds more or less
often) is propagated from a definition to the prohibitions, requirements and budgets that use it (`effects.py`); only if
all agree is there a verdict. Where a duty keeps a window open while something in it is possible, a side may be `done`
later when more is possible, and sooner when less is: such a verdict holds `but` for that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rulewright.dsl import nodes as n

from ..analyse.order_exceptions import possible
from ..check.phases import windows
from ..core import nodes as c
from ..core.names import Name
from ..core.walk import below
from .chances.reach import Reach
from .data import plain_key
from .dependents import Dependents, name_asked
from .entries import node_digest
from .facts import Fact, elements, inside
from .pushes import victory
from .pushes.effects import COSTS, Legal, Push, at_least_nought, effects, of_rule
from .pushes.polarity import push
from .smallest import Difference, number

BANS = ("prohibition", "stop")
WORD = {1: "wider", -1: "narrower"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether play may be altered, in which direction, how certain that is, and why; `evident` where it surely is.

    `way` names the side whose chance to win changes, where that is what gets wider or narrower; `but` is the choice for
    which a proved direction does not hold.
    """

    alters: bool
    direction: str
    certainty: str
    reason: str
    evident: bool = False
    way: str = ""
    but: str = ""


def direction(f: Fact, a: c.Book, b: c.Book, ours: Dependents, theirs: Dependents) -> Verdict:
    """The verdict on one fact."""
    idle = unfelt((ASKED_AS[f.element], f.name), ours, theirs) if f.element in ASKED_AS else ""
    if idle:
        return still(idle)
    match f.element:
        case "provenance":
            return still("the value is the same; only where it comes from has changed")
        case "invariant":
            return still("an invariant is checked by tests and decides nothing in play")
        case "untranslated":
            return still("an untranslated case has no rule that runs")
        case "look":
            return still("style changes pictures and no rule")
        case "preview" | "shown":
            return still("what players are shown changes no rule")
        case "prohibition" | "stop" | "requirement":
            return rule(f, a, b)
        case "action":
            return owed(action(f), [("action", f.name, 1)], a, b)
        case "duty":
            return duty(f)
        case "waiver":
            return waiver(f, a, b)
        case "quota":
            return quota(f, b)
        case "route":
            return route(f, b)
        case "exception" | "contribution":
            return layer(f, a, b, ours, theirs)
        case "definition" | "memory" | "growing set":
            return definition(f, a, b, ours, theirs)
        case "table" | "cell":
            return read_data(f, ("table", f.name), ours, theirs)
        case "field" | "mark" | "kind" | "scale" | "record" | "box":
            return read_data(f, (f.element, f.name.split(",")[0]), ours, theirs)
        case "unit" | "map feature" | "map" | "calendar" | "scenario" | "set-up" | "roster":
            return printed(f, a, b, ours, theirs)
        case "phrase":
            return still("a phrase says a rule and changes none")
        case "phase" if f.kind == "moved":
            return Verdict(True, "different", "proved", "the phases come in another order")
        case "unclear":
            return Verdict(True, "different", "unproved", "a case may be read in other ways")
        case "trigger" if f.kind == "moved":
            return Verdict(True, "different", "unproved", "these triggers run in another order")
    return won(in_statement(f, b)) or Verdict(True, "different", "unproved", f"the {f.element} does something else")


def in_statement(f: Fact, book: c.Book) -> victory.Won | None:
    """A changed bound in a condition that leads directly to a win; an amended part has the position of the old one."""
    part = f.part
    if part is None or not isinstance(part.after, n.Node) or not part.up:
        return None
    sign = push(part)
    around = part.up[-1][1]
    return victory.by_part(around.span, sign, book) if sign else None


def won(found: victory.Won | None) -> Verdict | None:
    """A verdict on how easily a side wins."""
    if found is None:
        return None
    side, sign = found
    reason = f"{side} wins {'more' if sign > 0 else 'less'} easily"
    return Verdict(True, WORD[sign], "proved", reason, way=f"for {side}")


def printed(f: Fact, a: c.Book, b: c.Book, ours: Dependents, theirs: Dependents) -> Verdict:
    """Printed values matter if a rule reads them; a changed set-up alters every game of its scenario."""
    if f.element == "unit" and f.where == "provenance":
        return still("the value is the same; only where it comes from has changed")
    if f.element == "set-up" or (f.element == "unit" and (f.where == "start" or f.kind in ("added", "struck"))):
        if f.element == "set-up" or begun(f, a, b):
            return Verdict(True, "different", "proved", "games begin in another position", evident=True)
        other = "no scenario sets it up from there" if f.where else "there are other counters, none in a set-up"
        return Verdict(True, "different", "proved", other)
    if (f.element in ("unit", "map feature") and f.kind == "amended") or (f.element == "map feature" and f.where):
        fields = f.where.split(", ") if f.element == "unit" else [f.name]
        known = {name for _, name in a.fields}
        if all(x in known and not any(t.read(("field", x)) for t in (ours, theirs)) for x in fields):
            return still("no rule reads what is printed there")
    if f.element == "scenario" and f.where in UNPLAYED:
        return still(UNPLAYED[f.where])
    return Verdict(True, "different", "proved", f"the {f.element} is another")


UNPLAYED = {
    "title": "a title is not played",
    "margin": "a margin is told after a game and decides nothing in it",
    "default": "each scenario is played as before; another one is played where none is named",
}


def begun(f: Fact, a: c.Book, b: c.Book) -> bool:
    """Whether some scenario of both books sets up one of the units of a fact elsewhere, or one of them has it."""
    names = {x.strip() for x in f.name.split(",")}
    for name in {*a.scenarios, *b.scenarios}:
        ours, theirs = (book.scenarios[name].units if name in book.scenarios else {} for book in (a, b))
        if any(ours.get(x) != theirs.get(x) for x in names):
            return True
    return False


def still(reason: str) -> Verdict:
    return Verdict(False, "", "proved", reason)


def pushed(sign: int, reason: str, otherwise: str) -> Verdict:
    if sign == 0:
        return Verdict(True, "different", "unproved", otherwise)
    return Verdict(True, WORD[sign], "proved", reason)


# ---------------------------------------------------------------- rules and choices


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


# ---------------------------------------------------------------- values


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


ASKED_AS = {
    "definition": "define",
    "exception": "define",
    "contribution": "define",
    "memory": "define",
    "quota": "define",
    "growing set": "grow",
    "matching": "matching",
    "unclear": "reading",
}
"""The elements that play can feel only where something asks for them, with the sort of name that is asked for."""


def unfelt(name: Name, *touches: Dependents) -> str:
    """Why no position can feel a definition; empty where a rule, or an opponent, asks for it."""
    shown: set[str] = set()
    for touch in touches:
        book = touch.book
        previews = {("define", x.definition) for x in book.previews}
        found = touch.of([name]).names
        defined = {word for sort, word in found if sort == "define"}
        if not found <= {name, *previews} or any(word.partition(".")[0] in book.routes for word in defined):
            return ""
        if book.doctrine is not None and defined & set(book.doctrine.definitions()):
            return ""
        if any(name_asked(e) in found for x in book.invariants.values() for e in x.test.walk()):
            shown.add("an invariant")
        if found & previews or defined & {x.key for x in book.shown}:
            shown.add("what players are shown")
        if defined & {s.margin for s in book.scenarios.values()}:
            shown.add("a margin")
    return f"only {' and '.join(sorted(shown))} asks for it" if shown else "nothing asks for it"


SERVES = {"added": "only what is new asks for it", "struck": "only what is gone asked for it"}


def alone(f: Fact, name: tuple[str, str], ours: Dependents, theirs: Dependents) -> bool:
    """Whether all users of something were added or removed together with it."""
    here, there = (theirs, ours) if f.kind == "added" else (ours, theirs)
    known = {(p.owner, p.case) for p in there.pieces}
    return all((p.owner, p.case) not in known for p in here.users.get(name, ()))


def spread(pushes: Iterable[Push], book: c.Book, reason: str) -> Verdict:
    """Propagate pushes to all that asks for what is pushed."""
    known = list(pushes)
    sign = known[0][2] if known else 0
    if sign and len(known) == 1 and known[0][0] == "define":
        told = won(victory.by_definition(known[0][1], sign, book))
        if told is not None:
            return told
    found = effects(known, book) if sign else None
    ways = {way for _, _, way in found} if found is not None else set()
    if found is not None and len(ways) == 1:
        reason = f"{reason}; all that asks for it pushes one way"
        return owed(Verdict(True, WORD[ways.pop()], "proved", reason), found, book)
    return Verdict(True, "different", "unproved", reason)


def owed(verdict: Verdict, found: Iterable[Legal], *books: c.Book) -> Verdict:
    """A proved direction of what actions are legal, with what it does to the end of windows that a duty keeps open."""
    if verdict.certainty != "proved" or verdict.direction not in WORD.values():
        return verdict
    hit = {name for sort, name, _ in found if sort == "action"}
    names = [duty_.name for book in books for duty_ in book.duties.values() if keeps_open(duty_, hit, book)]
    if not names:
        return verdict
    later = "later" if verdict.direction == "wider" else "sooner"
    why = f"{verdict.reason}; a side may be done {later} under the duty {', '.join(dict.fromkeys(names))}"
    return replace(verdict, reason=why, but="done")


def keeps_open(duty_: c.Duty, actions: set[str], book: c.Book) -> bool:
    """Whether a duty refuses `done` while one of these actions is possible."""
    if duty_.failing is not None:
        return False
    times = windows(book)
    return any("*" in (at := times.get(name, set())) or at & set(duty_.phases) for name in actions)


# ---------------------------------------------------------------- data


def read_data(f: Fact, name: tuple[str, str], ours: Dependents, theirs: Dependents) -> Verdict:
    """Changed data matters only if something reads it."""
    if f.element in ("table", "cell", "field", "mark") and not ours.read(name) and not theirs.read(name):
        return still("nothing reads it")
    if f.kind in ("added", "struck") and f.element != "cell" and alone(f, name, ours, theirs):
        return still(SERVES[f.kind])
    if f.element == "cell" and not any(reached(f, t.book) for t in (ours, theirs)):
        return still("no look-up of the table can ask for it")
    if f.element in ("cell", "table"):
        return Verdict(True, "different", "proved", "the table answers otherwise for these keys")
    if f.kind == "added":
        return Verdict(True, "different", "unproved", f"the {f.element} is new")
    return Verdict(True, "different", "unproved", f"the {f.element} is another")


def reached(f: Fact, book: c.Book) -> bool:
    """Whether play can read one of the cells that a fact changes."""
    table = book.tables.get(f.name)
    if table is None:
        return False
    reach = reach_of(book)
    keys = {plain_key(k, table, book): k for k in table.cells}
    return any(reach.reaches(table, keys[k]) for k in f.keys if k in keys) or not f.keys


_REACH: dict[int, tuple[c.Book, Reach]] = {}


def reach_of(book: c.Book) -> Reach:
    """The reachable keys of the look-ups of a book, computed once."""
    known = _REACH.get(id(book))
    if known is None or known[0] is not book:
        if len(_REACH) > 8:
            _REACH.clear()
        known = _REACH[id(book)] = (book, Reach(book))
    return known[1]
