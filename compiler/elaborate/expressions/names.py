"""Bind a name that stands by itself: a local, a value of a kind, a mark of the game, a definition without parameters, …

In:  a name, its scope, and the type that its place hints at.
Out: the core expression that it stands for. What is nearest wins: locals, then words of the kind that is wanted, then
     what is bound in play, then what the book declares.
Reports: RW201 unknown name, RW203 a word of several kinds, RW212 a name that needs arguments.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import did_you_mean
from rulewright.dsl.source import Span

from ...core import nodes as c
from ...core import types as t
from ...core.builtins import BUILTINS
from ...core.nodes import Expr
from ...core.types import Type
from ...read.symbols import Scope
from .calls import invoke
from .context import Context

UNLIMITED = 10**18


def bound_name(on: Context, node: n.Name, scope: Scope, expected: Type | None) -> Expr:
    name, span, book = node.id, node.span, on.book
    if name in scope.locals:
        return c.Local(name, type=scope.locals[name], span=span)
    element = expected.of if expected is not None and expected.of is not None else expected
    if element is not None and element.sort == "kind" and name in book.kinds.get(element.name, ()):
        return on.const(name, element, span)
    if element is not None and element.sort == "scale" and name in book.scales.get(element.name, ()):
        return on.const(book.scales[element.name].index(name), element, span)
    if name == "usual" and scope.usual is not None:
        return c.Usual(type=scope.usual, span=span)
    if name == "keep" and scope.keep is not None:
        return c.Keep(type=scope.keep, span=span)
    if name in book.bindings:
        return c.Bound(name, type=book.bindings[name], span=span)
    if ("game", name) in book.marks:
        on.symbols.read.add(("game", name))
        return c.MarkOf(None, name, type=book.marks["game", name].type, span=span)
    if name in on.symbols.callables and not on.symbols.callables[name].params:
        return invoke(on, on.symbols.callables[name], (), span)
    if name in book.unclear:
        return c.Reading(name, type=Type("kind", name), span=span)
    if name in on.symbols.names:
        return on.located(name, on.symbols.names[name], span)
    kinds = on.symbols.kind_of(name)
    if len(kinds) == 1:
        return on.const(name, Type("kind", kinds[0]), span)
    if len(kinds) > 1:
        on.report.error(
            "RW203",
            span,
            f'"{name}" is a value of several kinds: {", ".join(kinds)}',
            help="compare it with something of a known kind, or rename one of them",
        )
        return on.wrong(span)
    for scale, steps in book.scales.items():
        if name in steps:
            return on.const(steps.index(name), Type("scale", scale), span)
    if name in book.kinds:
        values = tuple(book.kinds[name])
        return on.const(values, Type("list", of=Type("kind", name)), span)
    if name in book.scales:
        steps_ = tuple(range(len(book.scales[name])))
        return on.const(steps_, Type("list", of=Type("scale", name)), span)
    if name in t.ABSENT:
        return on.const(None, t.NOTHING, span)
    if name == "unlimited":
        return on.const(UNLIMITED, t.NUMBER, span)
    if name in BUILTINS and not BUILTINS[name].params:
        return c.BuiltinCall(name, (), type=BUILTINS[name].type, span=span)
    if name in on.symbols.layers:
        return on.const(name, t.LAYER, span)
    if name in book.phases:
        return on.const(name, t.PHASE, span)
    return on.undeclared(name, span) or unknown_name(on, name, span, scope)


def unknown_name(on: Context, name: str, span: Span, scope: Scope) -> Expr:
    known = [*scope.names(), *on.symbols.callables, *on.book.bindings, *on.symbols.names, *BUILTINS]
    known += [m for owner, m in on.book.marks if owner == "game"]
    known += [v for values in on.book.kinds.values() for v in values]
    if name in on.symbols.callables or name in BUILTINS:
        params = (
            [p.name for p in on.symbols.callables[name].params]
            if name in on.symbols.callables
            else [str(p) for p in BUILTINS[name].params]
        )
        on.report.error("RW212", span, f'"{name}" needs arguments', help=f"write {name}({', '.join(params)})")
        return on.wrong(span)
    if name in ("usual", "keep"):
        text = "an exception or a wrapper" if name == "usual" else "a remember always body"
        on.report.error("RW201", span, f'"{name}" has a meaning only in {text}', help="name the value itself")
        return on.wrong(span)
    on.report.error(
        "RW201",
        span,
        f'unknown name "{name}"',
        help=did_you_mean(name, known) or "declare it in a case of this book",
    )
    return on.wrong(span)
