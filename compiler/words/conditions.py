"""Conditions that are made of others, as clauses: joined, compared, about some or every member, supposed.

In:  a condition of the core, and whether it is affirmed or denied.
Out: a clause; a denial goes to where a reader expects it ("no unit is there", not "it is not so that …").
"""

from __future__ import annotations

from ..core import nodes as c
from ..core.types import FLAG
from .called import owned
from .english import (
    Noun,
    article,
    listed,
    words,
)
from .members import base
from .phrases import Phrase
from .protocol import Writer
from .relative import is_property, predicate, relative, speaks_once
from .scope import Scope, type_noun
from .shapes import (
    base_of,
    chain,
    disjunction,
    is_it,
    member_type,
    named,
    parity,
    several,
    stripped,
)

SIGNS = {
    "=": ("is", "is not"),
    "!=": ("is not", "is"),
    "<": ("is less than", "is at least"),
    "<=": ("is at most", "is more than"),
    ">": ("is more than", "is at most"),
    ">=": ("is at least", "is less than"),
}
BEFORE = {
    "<": ("is before", "is not before"),
    "<=": ("is not after", "is after"),
    ">": ("is after", "is not after"),
    ">=": ("is not before", "is before"),
}


def joined(w: Writer, e: c.And | c.Or, scope: Scope, positive: bool) -> str:
    """A chain of one connective.

    A chain of `or` is marked by `either` wherever it could be taken for more or less than it is, and stands last in
    a chain of `and`, as does what is said of each of several: so nothing behind it seems to be part of it.
    """
    conjunction = isinstance(e, c.And) == positive
    closed: list[str] = []
    trailing: list[str] = []
    for x in chain(e):
        said = w.clause(x, scope, positive)
        if isinstance(stripped(x), c.Choose):
            said = f"({said})"
        if conjunction and disjunction(x, positive):
            trailing.append(said if said.startswith("either ") else f"either {said}")
        else:
            (trailing if said.startswith("for ") or " either " in said else closed).append(said)
    parts = [*closed, *trailing]
    if conjunction:
        return listed(parts, "and")
    if any(" and " in x or ", " in x for x in parts):
        return f"either {', or '.join(parts)}"
    return f"either {listed(parts, 'or')}" if len(parts) == 2 else listed(parts, "or")


def compared(w: Writer, e: c.Comparison, scope: Scope, positive: bool) -> str:
    left, right = e.left, e.right
    sign = e.sign
    if left.type.plain == FLAG and isinstance(right, c.Const):
        return w.clause(left, scope, (bool(right.value) == (sign == "=")) == positive)
    if left.type.plain.name == "turn" and sign in BEFORE:
        verb = BEFORE[sign][not positive]
        return f"{w.noun(left, scope)} {verb} {w.noun(right, scope)}"
    if isinstance(left, c.CountOf) and isinstance(right, c.Const) and right.value == 0 and sign in ("=", ">", "!="):
        some = (sign != "=") == positive
        return f"there {'are' if some else 'are no'} {str(w.noun(left, scope)).removeprefix('the number of ')}"
    if isinstance(right, c.Const) and right.value is None and sign in ("=", "!="):
        absent = (sign == "=") == positive
        if isinstance(left, c.Keep):
            return f"there was {'none' if absent else 'one'} before"
        if left.type.plain.name == "place" and isinstance(left, c.PlaceOf):
            unit = w.noun(left.unit, scope)
            return f"{unit} {'are' if unit.plural else 'is'} {'nowhere' if absent else 'somewhere'}"
        said = w.noun(left, scope)
        bare = isinstance(left, c.MarkOf) and left.of is None and w.phrase(left.name) is None
        if bare or said.article != "the":
            named = f"“{said.head}”" if bare else str(said)
            return f"{named} {'are' if said.plural else 'is'} {'not set' if absent else 'set'}"
        if said.plural:
            return f"there are {'no ' if absent else ''}{said.head}"
        return f"there is {'no' if absent else article(said.head)} {said.head}"
    if isinstance(right, c.SetOf | c.Const) and (
        right.type.many and not getattr(right, "items", getattr(right, "value", None))
    ):
        return there_is(w, left, w.noun(left, scope), scope, (sign == "=") != positive)
    noun = w.noun(left, scope)
    verb = SIGNS[sign][not positive]
    if noun.plural:
        verb = "are" + verb.removeprefix("is")
    return f"{noun} {verb} {w.noun(right, scope)}"


def be(w: Writer, e: c.Expr, scope: Scope, positive: bool) -> str:
    noun = w.noun(e, scope)
    return f"{noun} {'are' if noun.plural else 'is'}{'' if positive else ' not'}"


def lists(w: Writer, e: c.Expr) -> bool:
    """The members of a collection that the rule lists one by one."""
    return isinstance(e, c.Const | c.SetOf | c.ListOf)


def nested(w: Writer, e: c.AnyOf | c.EveryOf, each: str, scope: Scope) -> str | None:
    """Two quantifiers of one sort, the second over a collection of its own: `for each of a and each of b, …`."""
    inner = e.test
    if inner is None or type(inner) is not type(e) or not isinstance(inner, c.AnyOf | c.EveryOf):
        return None
    types = member_type(e), member_type(inner)
    if inner.test is None or any(is_it(x, e.var) for x in base_of(inner).walk()):
        return None
    alike = types[0] == types[1]
    if alike and ("it" in (e.var, inner.var) or each != "each"):
        return None
    nouns = {
        x.var: Noun(f"{noun} {x.var}") if alike else Noun(noun, "that")
        for x, noun in zip((e, inner), (type_noun(t, w.place) for t in types), strict=True)
    }
    inside = Scope({**scope.nouns, **nouns}, (*scope.loops, (e.var, types[0]), (inner.var, types[1])))
    marks = (f" ({e.var})", f" ({inner.var})") if alike else ("", "")
    both = f"{each} of {base(w, e, scope)}{marks[0]} and {each} of {base(w, inner, scope)}{marks[1]}"
    return f"for {both}, {w.clause(inner.test, inside)}"


def some(w: Writer, e: c.AnyOf, scope: Scope, positive: bool) -> str:
    both = nested(w, e, "at least one", scope) if positive else None
    if both is not None:
        return both
    many = base(w, e, scope)
    if e.test is None:
        if many.head.startswith("{"):  # to be filled, with nothing at times
            return f"{many} are named" if positive else "nothing is named"
        return there_is(w, base_of(e), many, scope, positive)
    if many.head.startswith("{"):
        inside = scope.in_loop(e.var, member_type(e), w.place)
        verb = predicate(w, e.test, e.var, inside, False)
        if verb is not None:
            return f"{'one' if positive else 'none'} of {many} {verb}"
    if (several(base_of(e)) and many.joined) or not many.head or named(base_of(e), many):
        inside = scope.in_loop(e.var, member_type(e), w.place)
        verb = predicate(w, e.test, e.var, inside, False)
        if verb is not None:
            return f"{'at least one' if positive else 'none'} of {many} {verb}"
        if speaks_once(w, e.test, e.var):
            one = Noun(f"{'at least one' if positive else 'each'} of {many}", joined=True)
            return w.clause(e.test, scope.with_name(e.var, one), positive)
        if positive:
            return f"for at least one of {many}, {w.clause(e.test, inside)}"
        return f"for each of {many}, {w.clause(e.test, inside, False)}"
    return f"there {'are' if positive else 'are no'} {many.any}{relative(w, e.test, e, scope)}"


def there_is(w: Writer, e: c.Expr, many: Noun, scope: Scope, positive: bool) -> str:
    """Whether a collection has members."""
    if isinstance(e, c.Without):
        taken: list[c.Expr] = []
        while isinstance(e, c.Without):
            taken.insert(0, e.right)
            e = e.left
        among = f"among {listed([str(w.noun(x, scope)) for x in taken])}"
        left = w.noun(e, scope)
        return f"at least one of {left} is not {among}" if positive else f"each of {left} is {among}"
    if (many.joined and several(e)) or named(e, many) or many.head.startswith("those "):
        return f"there is {'at least one' if positive else 'none'} of {many}"
    return f"there {'are' if positive else 'are no'} {many.any}"


def every(w: Writer, e: c.EveryOf, scope: Scope, positive: bool) -> str:
    both = nested(w, e, "each", scope) if positive else None
    if both is not None:
        return both
    many = base(w, e, scope)
    assert e.test is not None
    inside = scope.in_loop(e.var, member_type(e), w.place)
    if not positive and not parity(e.test):
        verb = predicate(w, stripped(e.test), e.var, inside, False)
        if verb is not None:
            return f"at least one of {many} {verb}"
    if positive and is_property(w, e.test, e.var) and not many.joined:
        return w.clause(e.test, scope.with_name(e.var, Noun(f"each of {many}", joined=True)))
    verb = predicate(w, e.test, e.var, inside, not positive)
    if verb is not None:
        return f"each of {many} {verb}" if positive else f"not all of {many} {verb}"
    if positive:
        return f"for each of {many}, {w.clause(e.test, inside)}"
    return f"for at least one of {many}, {w.clause(e.test, inside, False)}"


def supposed(w: Writer, e: c.Suppose, scope: Scope) -> str:
    said = []
    for change in e.changes:
        if isinstance(change, c.UnitAt):
            what = w.noun(change.what, scope)
            said.append(f"{what} {'are' if what.plural else 'is'} in {w.noun(change.to, scope)}")
            continue
        name = w.phrase(f"{change.what.type.plain.of or change.what.type.plain}.{change.name}", change.name)
        if change.of_game:
            said.append(f"{name.text if name else words(change.name)} is {w.noun(change.to, scope)}")
        elif isinstance(change.to, c.Const) and change.to.type.plain == FLAG:
            phrase = name or Phrase(f"{{it}} is marked “{words(change.name)}”", True)
            what = w.noun(change.what, scope)
            said.append(phrase.clause({slot: what for slot in phrase.slots}, bool(change.to.value)))
        else:
            mark = owned(w, change.what, name, change.name, change.to.type, scope)
            said.append(f"{mark} {'are' if mark.plural else 'is'} {w.noun(change.to, scope)}")
    return listed(said)
