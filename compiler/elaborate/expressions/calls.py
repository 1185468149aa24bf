"""Elaborate calls of definitions, tables, routes, records and builtins.

In:  a call.
Out: a core expression with its arguments in the order of the parameters.
Reports: RW201 unknown name, RW212 wrong number of arguments, RW228 a record that is not whole.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import did_you_mean
from rulewright.dsl.source import Span

from ...core import nodes as c
from ...core import types as t
from ...core.builtins import BUILTINS
from ...core.nodes import Expr, Param
from ...core.types import Type
from ...read.symbols import Scope, Signature
from .context import Context
from .special_calls import CALLED, SPECIAL

INVOKED: dict[str, type[c.Call | c.Remembered | c.QuotaCap | c.TableCell | c.Paths | c.Plans | c.Grown | c.BoxOf]] = {
    "define": c.Call,
    "remember": c.Remembered,
    "quota": c.QuotaCap,
    "table": c.TableCell,
    "route": c.Paths,
    "matching": c.Plans,
    "grow": c.Grown,
    "box": c.BoxOf,
}


def call(on: Context, node: n.Call, scope: Scope, expected: Type | None) -> Expr:
    name, span = node.name, node.span
    special = CALLED.get(name)
    if special is not None and name not in on.symbols.callables:
        wanted = SPECIAL[name]
        if len(node.arguments) != len(wanted) or any(a.name is not None for a in node.arguments):
            on.report.error(
                "RW212",
                span,
                f'"{name}" takes {len(wanted)} argument{"s" if len(wanted) != 1 else ""}, given by place',
                help=f"write {name}({', '.join(wanted)})",
            )
            return on.wrong(span)
        return special(on, node, scope)
    if name in on.symbols.callables:
        signature = on.symbols.callables[name]
        return invoke(on, signature, arguments(on, node, signature.params, scope), span)
    if name in on.book.records:
        members = on.book.records[name]
        params = tuple(Param(name=m, type=type) for m, type in members)
        args = arguments(on, node, params, scope, partial=True)
        return c.RecordOf(name, args, type=Type("record", name), span=span)
    if name in BUILTINS:
        builtin = BUILTINS[name]
        params = tuple(Param(name=f"{p} {i + 1}", type=p) for i, p in enumerate(builtin.params))
        return c.BuiltinCall(name, arguments(on, node, params, scope), type=builtin.type, span=span)
    known = [*on.symbols.callables, *BUILTINS, *on.book.records]
    help = did_you_mean(name, known) or "declare it in a case of this book"
    if name in on.symbols.procedures:
        help = f"{name} is a procedure: run it with do"
    if name in on.symbols.actions:
        help = f"{name} is an action: sides take it in a window; offer it"
    on.report.error("RW201", span, f'unknown name "{name}"', help=help)
    for a in node.arguments:
        on.hinted(a.value, scope, None)
    return on.wrong(span)


def arguments(
    on: Context, node: n.Call, params: tuple[Param, ...], scope: Scope, partial: bool = False
) -> tuple[Expr, ...]:
    """The arguments in the order of the parameters, given by place or by name."""
    given: dict[str, Expr] = {}
    names = [p.name for p in params]
    for i, a in enumerate(node.arguments):
        if a.name is not None and a.name not in names:
            on.report.error(
                "RW212",
                a.span,
                f'"{node.name}" has no parameter "{a.name}"',
                help=did_you_mean(a.name, names) or "its parameters: " + ", ".join(names),
            )
            continue
        if a.name is None and i >= len(params):
            on.report.error(
                "RW212",
                a.span,
                f'"{node.name}" takes {len(params)} argument{"s" if len(params) != 1 else ""}',
                help=f"write {node.name}({', '.join(names)})",
            )
            break
        param = params[names.index(a.name)] if a.name is not None else params[i]
        given[param.name] = on.expr(a.value, scope, param.type)
    found = []
    for param in params:
        if param.name not in given:
            if not partial:
                on.report.error(
                    "RW212",
                    node.span,
                    f'"{node.name}" lacks its argument "{param.name}"',
                    help=f"write {node.name}({', '.join(names)})",
                )
            elif not (param.type.many or param.type.absent or param.type == t.FLAG):
                on.report.error(
                    "RW228",
                    node.span,
                    f'this {node.name} lacks its part "{param.name}"',
                    help=f"give it: {node.name}(…, {param.name}: …); or let the record say {param.name}: "
                    f"{param.type} or nothing",
                )
            empty: c.Value = () if param.type.many else False if param.type == t.FLAG else None
            given[param.name] = on.const(empty, param.type, node.span)
        found.append(given[param.name])
    return tuple(found)


def invoke(on: Context, signature: Signature, args: tuple[Expr, ...], span: Span) -> Expr:
    on.symbols.read.add((signature.sort, signature.name))
    return INVOKED[signature.sort](signature.name, args, type=signature.type, span=span)
