"""Definitions as English sentences.

In:  a definition of the core, or one of its waivers or conditions.
Out: sentences with lists; exceptions and contributions are listed below what they change, each with its case.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ..core import nodes as c
from ..core.types import FLAG
from .called import plain_name
from .english import definite, is_plural, listed, sentence, words
from .expressions import Words
from .phrases import of_flag, of_value
from .said import Said
from .scope import Scope, local
from .shapes import chain
from .statements import lowered

LONG = 160
"""A condition longer than this becomes a list."""


def conditions(w: Words, test: c.Expr, scope: Scope, positive: bool = True) -> tuple[str, tuple[Said, ...]]:
    """A condition for the end of a sentence; a long chain becomes a list below it."""
    said = w.clause(test, scope, positive)
    parts = chain(test)
    if len(said) <= LONG or len(parts) < 2:
        return said, ()
    conjunction = isinstance(test, c.And) == positive
    head = "all of this holds" if conjunction else "any of this holds"
    return head, tuple(Said(sentence(w.clause(x, scope, positive))) for x in parts)


def definition(w: Words, d: c.Definition) -> list[Said]:
    """A definition: its value clause by clause, then contributions and exceptions."""
    scope = Scope(w.nouns_of(d.name, d.params))
    head = head_of(w, d)
    if d.gathered:
        return [gathered(w, d, head, scope)]
    return [layer(w, d, d.base, head, scope)]


def head_of(w: Words, d: c.Definition, positive: bool = True) -> str:
    """The subject of a definition, its parameters with the indefinite article: nothing has mentioned them yet."""
    nouns = w.nouns_of(d.name, d.params, False)
    names = [p.name for p in d.params]
    name = plain_name(w, d.name)
    own = w.phrase(d.name)
    if d.type.plain == FLAG:
        return (own or of_flag(name, names)).clause(nouns, positive)
    return str(definite((own or of_value(name, names)).fill(nouns)))


def layer(w: Words, d: c.Definition, at: c.Layer, head: str, scope: Scope) -> Said:
    scope, lets = with_lets(w, at, scope)
    flag = d.type.plain == FLAG
    exceptions = tuple(exception(w, d, e, scope) for e in at.exceptions)
    clauses = at.clauses
    if len(clauses) == 1 and clauses[0].guard is None:
        text, below = whole(w, d, clauses[0].value, head, scope)
        return Said(text, (*lets, *below, *exceptions), at.case)
    items = tuple(item(w, d, x, scope, at_end=x is clauses[-1]) for x in clauses)
    verb = "" if flag else f" {verb_of(head, d.type.many)},"
    opening = f"{head}{verb} by the first of these that applies:"
    return Said(opening[0].upper() + opening[1:], (*lets, *items, *exceptions), at.case)


def whole(w: Words, d: c.Definition, value: c.Expr, head: str, scope: Scope) -> tuple[str, tuple[Said, ...]]:
    """A definition of one clause."""
    if d.type.plain != FLAG:
        return sentence(f"{head} {verb_of(head, d.type.many)} {w.noun(value, scope)}"), ()
    if isinstance(value, c.Const):
        return sentence(f"as a rule, {head if value.value else head_of(w, d, False)}"), ()
    said, below = conditions(w, value, scope)
    return (sentence(f"{head} if {said}") if not below else f"{sentence(f'{head} if {said}')[:-1]}:"), below


def verb_of(head: str, many: bool) -> str:
    """The verb of a definition; a collection with a singular name `consists of` its members."""
    return "are" if is_plural(head) else "consists of" if many else "is"


def item(w: Words, d: c.Definition, x: c.Clause, scope: Scope, at_end: bool) -> Said:
    """One clause of several."""
    value = said_value(w, d, x.value, scope)
    if x.guard is None:
        return Said(sentence(f"otherwise {value}"))
    said, below = conditions(w, x.guard, scope)
    if not below and d.type.plain == FLAG and not isinstance(x.value, c.Const):
        return Said(sentence(f"if {said}, {value}"))
    if not below and long(value):
        return Said(sentence(f"if {said}: {value}"))
    return Said(sentence(f"{value} if {said}") if not below else f"{sentence(f'{value} if {said}')[:-1]}:", below)


def long(value: str) -> bool:
    """Whether a condition behind a value would seem to be about a part of it."""
    return any(x in value for x in (" that ", " whose ", " for which ", " if "))


def said_value(w: Words, d: c.Definition, value: c.Expr, scope: Scope) -> str:
    if d.type.plain != FLAG:
        return str(w.noun(value, scope))
    if isinstance(value, c.Const):
        return "yes" if value.value else "no"
    return f"only if {w.clause(value, scope)}"


def with_lets(w: Words, at: c.Layer, scope: Scope) -> tuple[Scope, tuple[Said, ...]]:
    found: list[Said] = []
    for name, value in at.lets:
        noun = local(name, value.type, w.place)
        found.append(Said(sentence(f"here {noun} {'are' if noun.plural else 'is'} {w.noun(value, scope)}")))
        scope = scope.with_name(name, noun)
    return scope, tuple(found)


def exception(w: Words, d: c.Definition, at: c.Layer, scope: Scope) -> Said:
    """An exception: what another case says instead."""
    scope, lets = with_lets(w, at, scope)
    items = [*lets, *(item_of_exception(w, d, x, scope) for x in at.clauses)]
    if len(at.clauses) > 1 and at.clauses[-1].guard is None:
        items[-1] = Said(f"Otherwise {lowered(items[-1].text)}", items[-1].items, items[-1].case)
    items += [exception(w, d, e, scope) for e in at.exceptions]
    items += [waiver(w, x, scope) for x in at.waivers]
    if len(items) == 1 and not items[0].items:
        return Said(f"Except ({at.case}): {lowered(items[0].text)}", (), at.case)
    return Said(f"Except ({at.case}):", tuple(items), at.case)


def item_of_exception(w: Words, d: c.Definition, x: c.Clause, scope: Scope) -> Said:
    if d.type.plain == FLAG and isinstance(x.value, c.Const):
        return flag_exception(w, bool(x.value.value), x.guard, scope)
    value = said_value(w, d, x.value, scope)
    if x.guard is None:
        return Said(sentence(value))
    said, below = conditions(w, x.guard, scope)
    if below:
        return Said(f"{sentence(f'{value} if {said}')[:-1]}:", below)
    return Said(sentence(f"if {said}: {value}"))


def flag_exception(w: Words, value: bool, guard: c.Expr | None, scope: Scope) -> Said:
    """An exception that makes a condition hold or fail."""
    if guard is None:
        return Said("Always." if value else "Never.")
    said, below = conditions(w, guard, scope)
    return Said(f"{'Also' if value else 'Not'} if {said}{':' if below else '.'}", below)


def waiver(w: Words, x: c.Waiver, scope: Scope) -> Said:
    said = "this does not count" + (f" if {w.clause(x.guard, scope)}" if x.guard is not None else "")
    return Said(f"({x.case}) {sentence(said)}", tuple(waiver(w, y, scope) for y in x.waivers), x.case)


def gathered(w: Words, d: c.Definition, head: str, scope: Scope) -> Said:
    """A gathered value, stage by stage."""
    opening = layer(w, d, d.base, head, scope)
    never = len(d.base.clauses) == 1 and constant_of(d.base.clauses[0].value) is False
    if d.type.plain == FLAG and never and d.contributions and not d.stages:
        added = tuple(alternative(contribution(w, d, x, scope)) for x in d.contributions)
        return Said(f"{sentence(head)[:-1]} if any of this holds:", (*added, *opening.items), opening.case)
    items = list(opening.items)
    stages = {s.name: s for s in d.stages}
    for name in dict.fromkeys([*stages, *(x.stage for x in d.contributions)]):
        those = tuple(contribution(w, d, x, scope) for x in d.contributions if x.stage == name)
        stage = stages.get(name)
        behind = stage_end(w, stage, scope) if stage is not None else ""
        if stage is None and not name:
            items += those
        elif those or behind:
            title = f"Then, {words(name)}{behind}" if name else f"Then{behind}"
            items.append(Said(f"{title}:" if those else f"{title}.", those))
    return Said(beginning(d, opening.text, head), tuple(items), opening.case)


def beginning(d: c.Definition, said: str, head: str) -> str:
    """The first sentence of a gathered value; nothing and 0 are where it begins, not what it is."""
    only = d.base.clauses[0] if len(d.base.clauses) == 1 and d.base.clauses[0].guard is None else None
    if only is None or not (d.contributions or d.stages) or not head:
        return said
    empty = isinstance(only.value, c.Const) and not only.value.value
    empty = empty or (isinstance(only.value, c.SetOf) and not only.value.items)
    if d.type.many and empty:
        return f"{sentence(head)[:-1]} {'are' if is_plural(head) else 'is'} put together as follows:"
    if constant_of(only.value) == 0 and d.type.plain != FLAG:
        return sentence(f"{head} {'start' if is_plural(head) else 'starts'} at 0")
    return said


def alternative(said: Said) -> Said:
    """One of the conditions of which any is enough: `(25.2) Also if …` without the `also if`."""
    start = f"({said.case}) Also if "
    if not said.text.startswith(start):
        return said
    rest = said.text.removeprefix(start)
    return Said(f"({said.case}) {rest[0].upper()}{rest[1:]}", said.items, said.case)


def stage_end(w: Words, s: c.Stage, scope: Scope) -> str:
    said = []
    if s.once:
        said.append("only one of these counts")
    if s.round:
        said.append(f"rounded {s.round}")
    if s.most is not None:
        said.append(f"at most {w.noun(s.most, scope)}")
    if s.least is not None:
        said.append(f"at least {w.noun(s.least, scope)}")
    return f" ({listed(said)})" if said else ""


OPERATIONS = {"": "add", "plus": "add", "minus": "take away", "times": "multiply by"}


FACTORS: dict[object, str] = {2: "double it", 3: "triple it", Fraction(1, 2): "halve it"}


def constant_of(e: c.Expr) -> object:
    """The number that an expression is; None where it is no number, nor one divided by another."""
    if isinstance(e, c.Over) and isinstance(e.left, c.Const) and isinstance(e.right, c.Const):
        over, under = e.left.value, e.right.value
        return Fraction(over, under) if isinstance(over, int) and isinstance(under, int) and under else None
    return e.value if isinstance(e, c.Const) else None


def signed(clause: c.Clause) -> tuple[str, c.Expr]:
    """The operation and amount of a contribution; adding a negative number is phrased as subtracting."""
    value = clause.value
    if clause.operation in ("", "plus"):
        match value:
            case c.Minus(left=c.Const(value=0), right=amount) | c.Negative(value=amount):
                return "minus", amount
            case c.Const(value=int() | Fraction() as number) if not isinstance(number, bool) and number < 0:
                return "minus", replace(value, value=-number)
    return clause.operation, value


def contribution(w: Words, d: c.Definition, x: c.Contribution, scope: Scope) -> Said:
    at = x.layer
    scope, lets = with_lets(w, at, scope)
    items = list(lets)
    for clause in at.clauses:
        operation, amount = signed(clause)
        value = w.noun(amount, scope)
        verb = OPERATIONS[operation]
        below: tuple[Said, ...] = ()
        if d.type.plain == FLAG:
            both = clause.value
            if clause.guard is not None and not isinstance(both, c.Const):
                both = c.And(clause.guard, both, type=both.type, span=both.span)
            test, below = conditions(w, both, scope)
            said = f"also if {test}"
        elif operation == "times" and constant_of(amount) in FACTORS:
            said = FACTORS[constant_of(amount)]
        else:
            said = f"{verb} {value}"
        if clause.guard is not None:
            if isinstance(clause.value, c.Const) and d.type.plain == FLAG:
                said = f"{'also' if clause.value.value else 'not'} if {w.clause(clause.guard, scope)}"
            elif d.type.plain != FLAG:
                when = w.clause(clause.guard, scope)
                said = f"if {when}: {said}" if long(said) else f"{said} if {when}"
        items.append(Said(f"{sentence(said)[:-1]}:" if below else sentence(said), below))
    items += [exception(w, d, e, scope) for e in at.exceptions]
    items += [waiver(w, y, scope) for y in at.waivers]
    if len(items) == 1:
        return Said(f"({at.case}) {items[0].text}", items[0].items, at.case)
    return Said(f"({at.case})", tuple(items), at.case)
