"""Emit choice spaces: for each action one function that walks its legal arguments.

In:  an action of the core, with the names of the functions that were printed for it.
Out: a function of the generated module: who may take it and when, then the domains as nested loops, each rule and
     quota at the first loop where all that it looks at is known. `pick` puts the members of a domain in the order in which they are tried, so that the
     same function lists the choices and finds one at random.

Paths are walked by where they end: a path is put together only when its turn comes.
"""

from __future__ import annotations

from ..core import nodes as c
from .expressions import literal, mangle
from .module import Module

Guards = list[tuple[int, str]]
"""Tests that refuse a choice where they hold: how many parameters each needs, and its text."""


def emit_ways(e: Module, a: c.Action, guards: Guards, single: Guards) -> str:
    """The function of one action; `single` are tests of one member of a set, by what must be known before it."""
    p = e.printer()
    name = f"{mangle(a.name, 'a')}_ways"
    f = e.function(name, "S, actor, pick", f"{e.title(a.case)}: the legal ways to take {a.name}.")
    who, phases = p(a.by), " or ".join(f"{x!r} in S.phases" for x in a.phases)
    shut = [f"actor not in {who}" if a.by.type.many else f"actor != {who}", *([f"not ({phases})"] if phases else [])]
    f.lines += [f"if {' or '.join(shut)}:", "    return"]
    for level in range(len(a.params) + 1):
        pad = "    " * level
        for needs, text in guards:
            if needs == level:
                f.lines += [f"{pad}{text}", f"{pad}    {'continue' if level else 'return'}"]
        if level == len(a.params):
            f.lines.append(f"{pad}yield ({''.join(mangle(x.name) + ', ' for x in a.params)})")
            continue
        x, before = a.params[level], [mangle(y.name) for y in a.params[:level]]
        var = mangle(x.name)
        if x.domain is not None and not e.traced and by_ends(e.book, x):
            route, args = mangle(str(x.domain.info), "r"), p.args(x.domain)
            line = f"{pad}for {var} in pick({route}_ends({args}), False):"
            f.lines += [
                f"{pad}within_{level} = {route}_reach({args})",
                e.at(line, a.case, x.domain.span, f"action {a.name}"),
                f"{pad}    {var} = path_to(within_{level}, {var})",
            ]
            continue
        members = p(x.domain) if x.domain is not None else everything(e.book, x)
        alone = [f"{text}({', '.join(['S, actor', *before, f'({var},)'])})" for needs, text in single if needs == level]
        if alone:
            members = f"tuple({var} for {var} in {members} if not ({' or '.join(alone)}))"
        line = f"{pad}for {var} in pick({members}, {x.type.many}):"
        f.lines.append(e.at(line, a.case, x.domain.span if x.domain is not None else a.span, f"action {a.name}"))
    return name


def by_ends_of(book: c.Book, a: c.Action) -> tuple[bool, ...]:
    """What the ways of an action look at beside the action."""
    return tuple(by_ends(book, x) for x in a.params)


def by_ends(book: c.Book, x: c.Param) -> bool:
    """Whether the paths of a parameter are one to each place in reach, whatever they lead through."""
    if x.type.name != "path" or x.domain is None or x.domain.op != "route":
        return False
    r = book.routes[str(x.domain.info)]
    return not (r.legs or {"length", "path", "start"} & {*r.needs} or any(rule.sort == "require" for rule in r.rules))


def everything(book: c.Book, x: c.Param) -> str:
    """Every value of a type, for a parameter without a domain."""
    if x.type.sort == "kind":
        return literal(tuple(book.kinds.get(x.type.name, ())))
    match x.type.plain.name:
        case "unit":
            return "tuple(range(len(data.UNITS)))"
        case "place":
            return "HEXES"
        case "flag":
            return "(False, True)"
        case _:
            return "()"
