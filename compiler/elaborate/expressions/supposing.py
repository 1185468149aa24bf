"""Elaborate `supposing CHANGES: VALUE`.

In:  units put elsewhere or marks set otherwise, and what is asked of the position that this makes.
Out: a core expression; the position itself stays as it is.
Reports: RW211 a change that cannot be supposed, RW213 unknown mark.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n

from ...core import nodes as c
from ...core import types as t
from ...core.nodes import Expr
from ...core.types import Type
from ...read.symbols import Scope
from .context import Context


def supposing(on: Context, node: n.Supposing, scope: Scope, expected: Type | None) -> Expr:
    changes: list[c.UnitAt | c.MarkAs] = []
    for change in node.changes:
        if change.sort == "at":
            what = on.hinted(change.what, scope, None)
            place = on.hinted(change.value, scope, t.PLACE)
            changes.append(c.UnitAt(what, place))
        elif isinstance(change.what, n.Dot):
            base = on.hinted(change.what.base, scope, None)
            owner = base.type.of if base.type.of is not None else base.type
            key = (owner.plain.name, change.what.name)
            mark = on.book.marks.get(key)
            if mark is None:
                on.report.error(
                    "RW213",
                    change.span,
                    f'a {owner} has no mark "{change.what.name}"',
                    help="only marks can be supposed",
                )
                continue
            to = on.expr(change.value, scope, mark.type)
            changes.append(c.MarkAs(base, to, change.what.name, of_game=False))
        elif isinstance(change.what, n.Name) and ("game", change.what.id) in on.book.marks:
            mark = on.book.marks["game", change.what.id]
            nothing, to = on.const(None, t.NOTHING, change.span), on.expr(change.value, scope, mark.type)
            changes.append(c.MarkAs(nothing, to, change.what.id, of_game=True))
        else:
            on.report.error(
                "RW211",
                change.span,
                "suppose a unit at a place, or a mark with a value",
                help="write supposing UNIT at PLACE: …, or supposing THING.mark = VALUE: …",
            )
    value = on.hinted(node.value, scope, expected)
    return c.Suppose(tuple(changes), value, type=value.type, span=node.span)
