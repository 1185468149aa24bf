"""Collections and what is made of them, as noun phrases: filtered, summed up, taken together.

In:  an expression about the members of a collection.
Out: the collection with the relative clause that selects its members.
"""

from __future__ import annotations

import re
from typing import assert_never

from ..core import nodes as c
from .english import (
    Noun,
    listed,
    plural,
)
from .protocol import Writer
from .relative import relative
from .scope import Scope, type_noun
from .shapes import (
    alone,
    base_of,
    is_it,
    loop_var,
    member_type,
    several,
)


def base(w: Writer, e: c.Loop, scope: Scope) -> Noun:
    """The collection that a loop runs over, as a plural."""
    found = w.noun(base_of(e), scope)
    if found.plural or found.joined or "{" in found.head:
        return found if found.plural or found.joined else Noun(found.head, found.article, True)
    return Noun(f"{plural(type_noun(member_type(e), w.place))} in {found}", "the", True)


def filtered(w: Writer, e: c.Filter, scope: Scope) -> Noun:
    """The members that pass a filter; nested filters become one list of conditions."""
    tests: list[tuple[c.Expr, c.Loop]] = []
    inner: c.Expr = e
    while isinstance(inner, c.Filter):
        tests.insert(0, (inner.test, inner))
        inner = inner.base
    many = w.noun(inner, scope)
    which = " and".join(relative(w, test, loop, scope) for test, loop in tests)
    if isinstance(inner, c.Usual):
        return Noun(f"only those of them{which}", plural=True, joined=True)
    if len(tests) == 1 and alone(inner):
        loop = tests[0][1]
        inside = scope.in_loop(loop_var(loop), member_type(loop), w.place)
        return Noun(f"{many} (if {w.clause(tests[0][0], inside)})", joined=True)
    if several(inner) and many.joined:  # the condition is about all of them, not about the last
        return Noun(f"those of {many}{which}", plural=True, joined=True)
    return Noun(f"{many.head}{which}", many.article, True, joined=True)


def folded(w: Writer, e: c.SumOf | c.Highest | c.Lowest | c.Each | c.EachOf, scope: Scope) -> Noun:
    many = base(w, e, scope)
    inside = scope.in_loop(e.var, member_type(e), w.place)
    if isinstance(e, c.Highest | c.Lowest) and isinstance(e.base, c.SetOf) and is_it(e.value, e.var):
        which = "larger" if isinstance(e, c.Highest) else "smaller"
        members = [str(w.noun(x, scope)) for x in e.base.items]
        if any(" and " in x for x in members):
            members = [f"({x})" if " " in x else x for x in members]
        return Noun(f"the {which} of {listed(members)}", joined=True)
    if is_it(e.value, e.var):
        said = "members"
    else:
        said = str(w.noun(e.value, inside)).removeprefix("its ")
    own = isinstance(e.value, c.FieldOf | c.MarkOf | c.PlaceOf) and is_it(
        e.value.args[0] if e.value.args else e.value, e.var
    )
    match e:
        case c.SumOf() if own:
            return Noun(f"total {said} of {many}", "the", joined=True)
        case c.SumOf() if not any(is_it(x, e.var) for x in e.value.walk()):
            return Noun(f"{w.noun(e.value, scope)} for each of {many}", joined=True)
        case c.SumOf():
            each = inside.with_name(e.var, Noun(f"each of {many}", joined=True))
            return Noun(f"sum of {w.noun(e.value, each)}", "the", joined=True)
        case c.Highest():
            return Noun(
                f"highest {said.removeprefix('the ')} of {many}" if own else over(w, "highest", e, inside, many),
                "the",
            )
        case c.Lowest():
            return Noun(
                f"lowest {said.removeprefix('the ')} of {many}" if own else over(w, "lowest", e, inside, many),
                "the",
            )
        case c.Each() | c.EachOf() if own and not e.value.type.many:
            return Noun(f"{plural(said)} of {many}", "the", True)
        case c.Each() | c.EachOf():
            value = w.noun(e.value, inside)
            if str(value).endswith(" it"):  # the hexes next to it
                return Noun(f"{str(value).removeprefix('the ').removesuffix(' it')} {many}", "the", True)
            return Noun(f"{value}, for each of {many}", plural=True, joined=True)
        case _:
            assert_never(e)


def over(w: Writer, which: str, e: c.Folded, inside: Scope, many: Noun) -> str:
    said = str(w.noun(e.value, inside))
    if said.startswith("the ") and said.endswith(" of it") and not re.search(r"\bits?\b", said[:-3]):
        return f"{which} {said[4:-6]} of {many}"
    return f"{which} of {said}, over {many}"
