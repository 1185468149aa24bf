"""Elaborate `unit.strength` and `hex is fortified`: fields, marks, members of records, and definitions said of a thing.

In:  an expression and the name asked of it.
Out: a core expression.
Reports: RW211 one thing wanted and a set given, RW213 unknown field or mark.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import did_you_mean
from rulewright.dsl.source import Span

from ...core import nodes as c
from ...core import types as t
from ...core.nodes import Expr
from ...core.types import Type, fits
from ...read.symbols import Scope
from .calls import invoke
from .context import Context


def dot(on: Context, node: n.Dot, scope: Scope) -> Expr:
    base = on.hinted(node.base, scope, None)
    return member(on, base, node.name, node.span)


def member(on: Context, base: Expr, name: str, span: Span) -> Expr:
    """A field, mark or memory of something, or a member of a record."""
    owner = base.type.plain
    if owner.sort == "any":
        if owner == t.ANY:
            on.report.error(
                "RW213",
                span,
                f'it is not known what has the "{name}" here',
                help="name its type; a plan's is the name of its matching",
            )
        return on.wrong(span)
    if owner == t.UNIT and name in ("hex", "point", "place"):
        return c.PlaceOf(base, type=Type("prim", "place", absent=True), span=span)
    if owner.sort == "record":
        members = on.book.records[owner.name]
        names = [m for m, _ in members]
        if name in names:
            return c.Member(base, names.index(name), type=members[names.index(name)][1], span=span)
        on.report.error(
            "RW213",
            span,
            f'a {owner.name} has no "{name}"',
            help=did_you_mean(name, names) or "it has: " + ", ".join(names),
        )
        return on.wrong(span)
    key = (owner.name, name)
    if key in on.book.marks:
        on.symbols.read.add(key)
        return c.MarkOf(base, name, type=on.book.marks[key].type, span=span)
    if key in on.book.fields:
        on.symbols.read.add(key)
        return on.of_this_map(c.FieldOf(base, key, type=on.book.fields[key].type, span=span))
    if owner.many:
        on.report.error(
            "RW211",
            span,
            f"this is a {owner}; only one thing has a {name}",
            help=f"write sum(it.{name} over …) or any … where it.{name}",
        )
        return on.wrong(span)
    known = [m for o, m in [*on.book.fields, *on.book.marks] if o == owner.name]
    on.report.error(
        "RW213",
        span,
        f'a {owner} has no field or mark "{name}"',
        help=did_you_mean(name, known) or f"declare it: field {name} of {owner}: … or mark {name} of {owner}",
    )
    return on.wrong(span)


def trait(on: Context, node: n.IsTrait, scope: Scope) -> Expr:
    base = on.hinted(node.value, scope, None)
    key = (base.type.plain.name, node.trait)
    if key in on.book.marks or key in on.book.fields:
        found = member(on, base, node.trait, node.span)
    elif node.trait in on.symbols.callables and len(on.symbols.callables[node.trait].params) == 1:
        signature = on.symbols.callables[node.trait]
        if not fits(base.type, signature.params[0].type):
            on.report.error(
                "RW211",
                node.span,
                f"{node.trait} is said of a {signature.params[0].type}, not of a {base.type}",
                help=on.say(signature.params[0].type),
            )
        found = invoke(on, signature, (base,), node.span)
    elif base.type.sort == "any":
        return on.wrong(node.span)
    else:
        known = [m for o, m in [*on.book.fields, *on.book.marks] if o == base.type.plain.name]
        known += [s.name for s in on.symbols.callables.values() if len(s.params) == 1]
        on.report.error(
            "RW213",
            node.span,
            f'nothing says when a {base.type} is "{node.trait}"',
            help=did_you_mean(node.trait, known) or f"declare it: define {node.trait}(x: {base.type}) -> flag: …",
        )
        return on.wrong(node.span)
    if found.type != t.FLAG and found.type.sort != "any":
        on.report.error(
            "RW211",
            node.span,
            f"{node.trait} is a {found.type}, not a flag",
            help="compare it: write THING.NAME = VALUE",
        )
    return found
