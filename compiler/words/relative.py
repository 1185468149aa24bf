"""Relative clauses: which members of a collection are meant.

In:  a test of a member, and the loop that names it.
Out: "that are in supply", "whose strength is more than 2", "of which …".
"""

from __future__ import annotations

import re

from ..core import nodes as c
from ..core.types import FLAG
from .english import (
    agree,
    listed,
    of_which,
    theirs,
)
from .protocol import Writer
from .scope import Scope
from .shapes import (
    base_of,
    chain,
    held_by,
    is_it,
    loop_var,
    member_type,
    parity,
    stripped,
)

NESTED = re.compile(r"\w (?:whose|that|for which) .*|\Afor which either |\Asuch ")
"""A relative clause that has another in it, or a choice."""
AT_ITS_END = re.compile(r"the (.+) (of|on|in|at|for|to|from|by) it")
"""A noun phrase that ends with the member it is about: the marker on it."""


def is_property(w: Writer, e: c.Expr, var: str) -> bool:
    """Whether a condition compares one property of the member that a definition finds: its holder."""
    if not isinstance(e, c.Comparison) or not isinstance(e.left, c.Call | c.Remembered):
        return False
    asked = e.left.asked
    return len(asked) == 1 and is_it(asked[0], var) and sum(is_it(x, var) for x in e.walk()) == 1


def speaks_once(w: Writer, e: c.Expr, var: str) -> bool:
    """Whether a comparison is of something of the member that it names once: the marker on it."""
    if not isinstance(e, c.Comparison | c.IsIn | c.Between) or isinstance(e.args[0], c.Loop):
        return False
    return sum(is_it(x, var) for x in e.args[0].walk()) == sum(is_it(x, var) for x in e.walk()) == 1


def relative(w: Writer, test: c.Expr, loop: c.Loop, scope: Scope) -> str:
    """A relative clause to follow the noun: ` that have fought`, ` whose side is red`, ` for which …`."""
    inside = scope.in_loop(loop_var(loop), member_type(loop), w.place)
    parts = []
    for part in chain(test) if isinstance(test, c.And) else [test]:
        least = extreme(w, part, loop, inside)
        if least is not None:
            parts.append(least)
            continue
        having = whose(w, part, loop_var(loop), inside)
        verb = predicate(w, part, loop_var(loop), inside, True) if having is None else None
        if having is not None:
            parts.append(having)
        elif verb is not None:
            parts.append(f"that {verb}")
        else:
            parts.append(of_which(w.clause(part, inside)))
    parts.sort(key=lambda x: bool(NESTED.search(x)))  # what is said of others last: more behind it would seem of them
    return f" {listed(parts)}"


def extreme(w: Writer, part: c.Expr, loop: c.Loop, inside: Scope) -> str | None:
    """`for which the distance is least`: none of the same collection has less of it."""
    inner = stripped(part)
    if parity(part) or not isinstance(inner, c.AnyOf) or not c.alike(base_of(inner), base_of(loop)):
        return None
    test = inner.test
    if not isinstance(test, c.Less | c.More):
        return None
    own, other = loop_var(loop), inner.var
    left, right = test.left, test.right
    if any(is_it(x, own) for x in left.walk()) or any(is_it(x, other) for x in right.walk()):
        return None
    said = w.noun(right, inside)
    if str(said) != str(w.noun(left, inside.with_name(other, inside.nouns[own]))):
        return None
    verb, most = "are" if said.plural else "is", "least" if isinstance(test, c.Less) else "greatest"
    return f"for which {said} {verb} {most}"


def whose(w: Writer, e: c.Expr, var: str, inside: Scope) -> str | None:
    """`whose strength is 3`, for a comparison of a property of the member."""
    inner, positive = stripped(e), parity(e)
    if not isinstance(inner, c.Comparison | c.IsIn | c.Between):
        return None
    subject = inner.args[0]
    if isinstance(subject, c.Call | c.Remembered) and len(subject.asked) == 1 and is_it(subject.asked[0], var):
        noun, said = str(w.noun(subject, inside)), w.clause(inner, inside, positive)
        if noun.startswith("the ") and noun.endswith(" of it") and said.startswith(f"{noun} "):
            return f"whose {noun[4:-6]}{said.removeprefix(noun)}"
    turned = about_it(w, subject, inner, inside, positive)
    if turned is not None:
        return turned
    if not isinstance(subject, c.FieldOf | c.MarkOf | c.PlaceOf | c.Member) or subject.type.plain == FLAG:
        return None
    if not subject.args or not is_it(subject.args[0], var):
        return None
    said = w.clause(inner, inside, positive)
    return "whose " + said.removeprefix("its ") if said.startswith("its ") else None


def about_it(w: Writer, subject: c.Expr, test: c.Expr, inside: Scope, positive: bool) -> str | None:
    """`on which the marker is red`, `whose owner is red`: the subject speaks of the member once, at its end."""
    noun, said = str(w.noun(subject, inside)), w.clause(test, inside, positive)
    found = AT_ITS_END.fullmatch(noun)
    if found is None or not said.startswith(f"{noun} ") or re.search(r"\bits?\b", found[1]):
        return None
    rest = said.removeprefix(noun)
    return f"whose {found[1]}{rest}" if found[2] == "of" else f"{found[2]} which the {found[1]}{rest}"


def predicate(w: Writer, e: c.Expr, var: str, inside: Scope, many: bool) -> str | None:
    """The predicate of a condition whose subject is the member."""
    inner, positive = stripped(e), parity(e)
    if isinstance(inner, c.AnyOf) and held_by(base_of(inner), var):
        which = relative(w, inner.test, inner, inside) if inner.test is not None else ""
        return f"{'hold' if many else 'holds'} {'' if positive else 'no '}units{which}"
    said = w.clause(inner, inside, positive)
    if isinstance(inner, c.And | c.Or) or not said.startswith("it ") or isinstance(inner, c.InPhase | c.Usual | c.Keep):
        return None
    if isinstance(inner, c.MarkOf) and inner.of is None:
        return None
    if isinstance(inner, c.Call | c.Remembered) and not inner.asked:
        return None
    return agree(theirs(said.removeprefix("it "))) if many else said.removeprefix("it ")
