"""Strikes: mutants that remove a rule, or a part of it that implements a case.

In:  a declaration.
Out: the mutants that remove the declaration, or a clause, arm, effect, phase, offer or cell of it. The only value of a
     definition cannot be removed; it is replaced by an empty one (no, zero, the empty set), a single hex or word by
     another one.

A negated condition or another number is no strike: an example that never uses the rule may detect it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from rulewright.dsl import nodes as n
from rulewright.dsl.print import print_expression

from ..core import nodes as c
from ..core.entries import Entry
from ..core.maps import part_with, parts_of
from ..overlay.edit_tree import Spot
from .changes import STRIKES, Change
from .mutants import Mutant, of_entry

INNER = frozenset({"number", "side", "condition", "rounding", "and-or", "comparison"})
"""Changes of a lone value whose type has no empty value; it has no part that an example could fail to meet."""


def strikes(at: int, entry: Entry, book: c.Book) -> list[Mutant]:
    """The strikes of a declaration, whole ones first."""
    everything = list(of_entry(at, entry, book.kinds.get("side", ())))
    found = [m for m in everything if m.kind in STRIKES]
    found.sort(key=lambda m: len(m.change.spot) > 0)
    for spot, clause, type_ in lone_values(entry.node):
        empty = [*emptied(clause.value, type_), *another(clause.value, book)]
        for node in empty:
            words = partial(str, f"{print_expression(clause.value)} becomes {print_expression(node)}")
            change = Change("clause", (*spot, "value"), node, words, clause.span)
            found.append(Mutant(f"{entry.case}:value", at, entry.case, entry.house, change))
        if not empty:
            found += [m for m in everything if m.kind in INNER and m.change.spot[: len(spot)] == spot]
    if isinstance(entry.node, n.Grow | n.Invariant):
        test = entry.node.test
        words = partial(str, f"{print_expression(test)} becomes false")
        change = Change("clause", ("test",), n.Literal(sort="flag", value=False, span=test.span), words, test.span)
        found.append(Mutant(f"{entry.case}:value", at, entry.case, entry.house, change))
    if isinstance(entry.node, n.Action):
        found += [m for m in everything if m.kind == "when" and m.change.spot[:1] == ("guards",)]
    return found


def lone_values(node: n.Decl) -> Iterator[tuple[Spot, n.Clause, n.TypeName | None]]:
    """The clauses whose removal would leave a gap, with the type of their value if it is declared."""
    match node:
        case n.Define() | n.Remember():
            bodies: list[tuple[Spot, n.Body, n.TypeName | None]] = [(("body",), node.body, node.type)]
        case n.Quota():
            bodies = [(("body",), node.body, None)]
        case n.Route():
            bodies = [(("facets", i, "body"), facet.body, None) for i, facet in enumerate(node.facets)]
        case _:
            bodies = []
    for spot, body, type_ in bodies:
        for i, clause in enumerate(body.clauses):
            if len(body.clauses) == 1 or clause.guard is None:
                yield (*spot, "clauses", i), clause, type_


def emptied(value: n.Expr, type_: n.TypeName | None) -> Iterator[n.Expr]:
    """The empty value to replace a value; where its type is not declared, candidates of which one compiles."""
    no = n.Literal(sort="flag", value=False, span=value.span)
    nought = n.Literal(sort="number", value=0, span=value.span)
    nothing = n.Collection(sort="set", items=(), span=value.span)
    if type_ is None:
        yield from (nought, no, nothing)
    elif type_.wrap:
        yield nothing
    elif type_.name == "flag":
        yield no
    elif type_.name == "number":
        yield nought


def another(value: n.Expr, book: c.Book) -> Iterator[n.Expr]:
    """Another hex or word to replace a single one."""
    match value:
        case n.Literal(sort="hex") if book.map is not None:
            part = part_with(book.map, str(value.value)) or parts_of(book.map)[0]
            yield from (replace(value, value=x) for x in [x for x in part.hexes if x != value.value][:1])
        case n.Name():
            words = next((words for words in book.kinds.values() if value.id in words), ())
            yield from (replace(value, id=x) for x in [x for x in words if x != value.id][:1])
