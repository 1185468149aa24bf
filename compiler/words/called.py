"""What has a name, as a noun phrase: definitions, marks, fields, quotas, records, and the markers bound in a sequence.

In:  an expression that asks for something by its name, and the noun phrases of the names in scope.
Out: the book's own phrase with what it is asked about filled in, or one made from the name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..core import nodes as c
from ..core.types import FLAG, Type
from .english import (
    Noun,
    definite,
    is_plural,
    listed,
    plural,
    words,
)
from .phrases import TAIL, Phrase, of_flag, of_value
from .protocol import Writer
from .scope import Scope, type_noun
from .shapes import (
    item_type,
    worked_out,
)


def bound(w: Writer, e: c.Bound) -> Noun:
    given = w.phrase(e.name)
    if given is not None:
        return definite(given.text)
    if e.name == "phasing":
        return Noun("phasing side", "the")
    if e.name == "now":
        return Noun("present turn", "the")
    return Noun(words(e.name), "the", is_plural(words(e.name)))


def mark(w: Writer, e: c.MarkOf, scope: Scope) -> Noun:
    if e.of is None:
        given = w.phrase(e.name)
        return definite(given.text) if given else definite(f"the {words(e.name)}")
    return owned(w, e.of, w.phrase(f"{e.key[0]}.{e.name}", e.name), e.name, e.type, scope)


def owned(w: Writer, of: c.Expr, given: Phrase | None, name: str, type: Type, scope: Scope) -> Noun:
    """A field, mark or member with its owner: the unit's strength, the strength of the units that …"""
    owner = w.noun(of, scope)
    if given is not None and given.slots:
        return definite(given.fill({given.slots[0]: owner}))
    said = given.text.removeprefix("the ") if given is not None else words(name)
    if type == FLAG and given is None:
        return Noun(f"whether {of_flag(name, ['it']).clause({'it': owner}, True)}", joined=True)
    if owner.short:
        return Noun(f"{owner.owning} {said}", plural=is_plural(said))
    return Noun(f"{said} of {owner}", "the", is_plural(said), owner.joined)


def called(w: Writer, e: c.Call | c.Remembered | c.TableCell | c.Grown, scope: Scope) -> Noun:
    if e.type.plain == FLAG:
        return Noun(f"whether {w.clause(e, scope)}", joined=True)
    phrase = w.phrase(e.name) or of_value(plain_name(w, e.name), params(w, e))
    given = dict(zip(params(w, e), (w.noun(x, scope) for x in e.asked), strict=False))
    last = phrase.slots[-1] if phrase.text.endswith("}") else ""
    for name, x in zip(params(w, e), e.asked, strict=False):
        if name == last and isinstance(x, c.Plus | c.Minus):  # what follows the phrase would seem part of the sum
            given[name] = Noun(f"({given[name]})", joined=True)
        elif worked_out(x, given[name]):
            given[name] = replace(given[name], amount=True)
    if phrase.made and len(given) == 1:
        owner = next(iter(given.values()))
        if owner.short and plain_name(w, e.name).rpartition("_")[2] not in TAIL:
            said = words(plain_name(w, e.name))
            return Noun(f"{owner.owning} {said}", plural=is_plural(said))
    return definite(phrase.fill(given))


def plain_name(w: Writer, name: str) -> str:
    """A declared name as words; a facet of a route reads as part of the route."""
    return name.replace(".", " ")


def params(w: Writer, e: c.Named) -> list[str]:
    """The names of the parameters of a declaration."""
    book = w.book
    match e:
        case c.Call():
            found = book.definitions[e.name].params if e.name in book.definitions else ()
        case c.Remembered():
            found = book.memories[e.name].definition.params
        case c.TableCell():
            found = book.tables[e.name].params
        case c.Grown():
            found = book.grows[e.name].params
        case _:
            found = ()
    names = [p.name for p in found]
    return [*names, *(f"p{i}" for i in range(len(names), len(e.asked)))]


def allowance(w: Writer, quota: str, asked: Iterable[c.Expr], scope: Scope) -> str:
    """A quota, for whom or what it is counted."""
    given = [w.noun(x, scope) for x in asked]
    own = w.phrase(quota)
    if own is not None:
        names = [p.name for p in w.book.quotas[quota].definition.params]
        return own.fill(dict(zip(names, given, strict=False)))
    of = f" of {listed([str(x) for x in given])}" if given else ""
    return f"the allowance for “{words(quota)}”{of}"


def with_args(w: Writer, head: str, e: c.Named, scope: Scope, many: bool = False) -> Noun:
    given = listed([str(w.noun(x, scope)) for x in e.asked])
    own = w.phrase(e.name)
    said = own.text if own is not None and not own.slots else f"“{words(plain_name(w, e.name))}”"
    if isinstance(e, c.BuiltinCall):
        return Noun(f"{head} {given}".strip(), "the", many)
    return Noun(f"{head} {said}" + (f" for {given}" if given else ""), "the", many)


def of_plans(w: Writer, e: c.BlockedItems | c.UncoveredTargets, scope: Scope) -> Noun:
    """The items that no plan places, the targets of the parts that have no plan."""
    about = w.book.matchings[e.name]
    own = w.phrase(e.name)
    given = dict(zip((p.name for p in about.params), (w.noun(x, scope) for x in e.asked), strict=False))
    plans = definite(own.fill(given)) if own is not None else with_args(w, "plans of", e, scope, many=True)
    if isinstance(e, c.BlockedItems):
        return Noun(f"{plural(type_noun(item_type(about.items), w.place))} that none of {plans} can place", "the", True)
    what = plural(type_noun(item_type(about.targets), w.place))
    return Noun(f"{what} of those parts for which there are no {plans.any}", "the", True)


def record(w: Writer, e: c.RecordOf, scope: Scope) -> Noun:
    members = w.book.records[e.name]
    parts = []
    for (name, _), value in zip(members, e.asked, strict=True):
        if isinstance(value, c.Const) and value.value in ((), None):
            continue
        if isinstance(value, c.Const) and value.type.plain == FLAG:
            parts += [words(name)] if value.value else []
            continue
        said = w.noun(value, scope)
        parts.append(f"{said} as {words(name)}" if str(said) != f"the {words(name)}" else str(said))
    return Noun(words(e.name) + (f" with {listed(parts)}" if parts else ""), "a", joined=True)
