"""Declare names: kinds, scales, records, fields, marks, and the signatures of all that can be called.

In:  the entries of one rule set.
Out: symbols with every declared name and its type; bodies are not looked at yet.
Reports: RW202 a name declared twice, RW205 no sides, RW206 a mark on something that has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.source import NOWHERE

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core import types as t
from ..core.entries import Entry
from ..core.nodes import BookDraft, FieldDecl, Mark, Param, Unclear
from ..core.types import Type
from ..read.amend_printed import amend_printed
from ..read.data_blocks import read_data
from ..read.schema import Checked, Line
from ..read.symbols import Scope, Signature, Symbols
from .expressions.build import Expressions


def declare(
    entries: list[Entry], checked: list[Checked], book: BookDraft, report: Reporter, memory: Memory | None = None
) -> tuple[Symbols, list[tuple[Entry, dict[str, list[Line]]]]]:
    """All symbols of the rule set, and its scenarios still unread."""
    symbols = Symbols(book)
    declare_types(entries, book, report)
    declare_state(entries, symbols, report)
    scenarios = read_data(checked, entries, symbols, report, memory)
    amend_printed(entries, symbols, report)
    report.case = ""
    declare_phases(entries, symbols)
    declare_signatures(entries, symbols, report)
    bind_phases(entries, symbols)
    mark_starts(entries, symbols, report)
    return symbols, scenarios


def declare_types(entries: list[Entry], book: BookDraft, report: Reporter) -> None:
    for entry in entries:
        node = entry.node
        report.case = entry.case
        if isinstance(node, n.Kind | n.Scale | n.Record):
            if node.name in {**book.kinds, **book.scales, **book.records} or node.name in t.PRIMITIVES:
                twice(node.name, node, report)
            if isinstance(node, n.Kind):
                book.kinds[node.name] = node.values
            elif isinstance(node, n.Scale):
                book.scales[node.name] = node.values
            else:
                book.records[node.name] = ()
        elif isinstance(node, n.Unclear):
            readings = tuple((r.name, r.text) for r in node.readings)
            book.unclear[node.name] = Unclear(
                name=node.name, case=entry.case, text=node.text, readings=readings, span=node.span
            )
            book.kinds[node.name] = tuple(name for name, _ in readings)
        elif isinstance(node, n.Untranslated):
            book.untranslated[entry.case] = node.text
    if "side" not in book.kinds:
        span = entries[0].node.span if entries else NOWHERE
        report.error("RW205", span, "the book declares no sides", help="add to a case: kind side: axis, soviet")
        book.kinds["side"] = ()


def declare_state(entries: list[Entry], symbols: Symbols, report: Reporter) -> None:
    book = symbols.book
    for entry in entries:
        node = entry.node
        report.case = entry.case
        if isinstance(node, n.Record):
            book.records[node.name] = tuple((m, symbols.type(ty, report)) for m, ty in node.members)
    span = entries[0].node.span if entries else NOWHERE
    book.marks["unit", "side"] = Mark(
        name="side",
        owner=t.UNIT,
        type=t.SIDE,
        start=None,
        case="",
        until=None,
        until_test=None,
        secret_to=None,
        span=span,
    )
    for entry in entries:
        node = entry.node
        report.case = entry.case
        if isinstance(node, n.Field):
            owner = owner_type(node.owner, symbols, node, report)
            type = symbols.type(node.type, report)
            for name in node.names:
                key = (owner.name, name)
                if key == ("unit", "side"):
                    continue
                if key in book.fields or key in book.marks:
                    twice(name, node, report)
                default = literal(node.default) if node.default is not None else default_of(type)
                if type.absent and default in t.ABSENT:
                    default = None
                book.fields[key] = FieldDecl(
                    name=name, owner=owner, type=type, default=default, case=entry.case, span=node.span
                )
        elif isinstance(node, n.Mark):
            owner = owner_type(node.owner, symbols, node, report)
            type = symbols.type(node.type, report) if node.type is not None else t.FLAG
            key = (owner.name, node.name)
            if key in book.fields or key in book.marks:
                twice(node.name, node, report)
            until = (node.until.sort, node.until.phase) if node.until is not None else None
            book.marks[key] = Mark(
                name=node.name,
                owner=owner,
                type=type,
                start=default_of(type),
                case=entry.case,
                until=until,
                until_test=None,
                secret_to=None,
                covers=entry.covers,
                span=node.span,
            )


def mark_starts(entries: list[Entry], symbols: Symbols, report: Reporter) -> None:
    """Start values, lifetimes by condition and secrecy, once all names are known."""
    book = symbols.book
    expressions = Expressions(symbols, report)
    for entry in entries:
        node = entry.node
        if not isinstance(node, n.Mark):
            continue
        report.case = entry.case
        owner = owner_type(node.owner, symbols, node, report)
        mark = book.marks[owner.name, node.name]
        scope = Scope({} if owner == t.GAME else {"it": owner})
        if node.start is not None:
            value = expressions.expr(node.start, scope, mark.type)
            match value:
                case c.SetOf(items=()):
                    mark = replace(mark, start=())
                case c.Negative(value=c.Const(value=int() | Fraction() as number)):
                    mark = replace(mark, start=-number)
                case c.Const():
                    mark = replace(mark, start=value.value)
                case _:
                    report.error(
                        "RW207", node.start.span, "a mark starts with a plain value", help="set it on start of a phase"
                    )
        if node.secret_to is not None:
            mark = replace(mark, secret_to=expressions.expr(node.secret_to, scope, t.SIDE))
        if node.until is not None and node.until.condition is not None:
            mark = replace(mark, until_test=expressions.flag(node.until.condition, scope))
        elif node.until is not None:
            expressions.check_phase(node.until.phase, node.until.span)
        book.marks[owner.name, node.name] = mark


def declare_signatures(entries: list[Entry], symbols: Symbols, report: Reporter) -> None:
    for entry in entries:
        if isinstance(entry.node, n.Matching):
            symbols.matchings[entry.node.name] = (t.ANY, t.ANY, entry.node.groups)
    for entry in entries:
        node = entry.node
        report.case = entry.case
        sort: str | None = None
        match node:
            case n.Define():
                sort, type = "define", symbols.type(node.type, report)
            case n.Remember():
                sort, type = "remember", symbols.type(node.type, report)
            case n.Quota():
                sort, type = "quota", t.NUMBER
            case n.Table():
                sort, type = "table", symbols.type(node.type, report)
            case n.Grow():
                sort, type = "grow", symbols.type(node.type, report)
            case n.Route():
                sort, type = "route", t.set_of(t.PATH)
            case n.Matching():
                sort, type = "matching", t.set_of(t.plan_of(node.name))
            case n.Box() if node.params:
                sort, type = "box", t.PLACE
            case n.Procedure() | n.Action():
                table = symbols.procedures if isinstance(node, n.Procedure) else symbols.actions
                if node.name in table:
                    twice(node.name, node, report)
                params = parameters(node.params, symbols, report)
                where = "procedure" if isinstance(node, n.Procedure) else "action"
                table[node.name] = Signature(sort=where, name=node.name, params=params, type=t.GAME, entry=entry)
                continue
            case _:
                continue
        if node.name in symbols.callables:
            other = symbols.callables[node.name].entry
            twice(node.name, node, report, other.case if other is not None else "")
            continue
        params = parameters(node.params, symbols, report)
        symbols.callables[node.name] = Signature(sort=sort, name=node.name, params=params, type=type, entry=entry)


def parameters(params: tuple[n.Param, ...], symbols: Symbols, report: Reporter) -> tuple[Param, ...]:
    return tuple(Param(name=p.name, type=symbols.type(p.type, report)) for p in params)


def phases_in(body: tuple[n.Stmt, ...]) -> Iterator[n.Phase]:
    """Every phase that a block of statements holds."""
    for node in body:
        match node:
            case n.Phase():
                yield node
                yield from phases_in(node.body)
            case n.If():
                for _, inner in node.branches:
                    yield from phases_in(inner)
                yield from phases_in(node.otherwise)
            case n.ForEach() | n.Repeat() | n.Together():
                yield from phases_in(node.body)
            case n.Match():
                for _, inner in node.arms:
                    yield from phases_in(inner)
                yield from phases_in(node.otherwise or ())
            case _:
                pass


def bodies(entry: Entry) -> tuple[n.Stmt, ...]:
    node = entry.node
    return node.body if isinstance(node, n.Procedure | n.Action | n.Trigger | n.Instead) else ()


def declare_phases(entries: list[Entry], symbols: Symbols) -> None:
    for entry in entries:
        for phase in phases_in(bodies(entry)):
            symbols.book.phases.setdefault(phase.name, entry.case)
    symbols.book.phases.setdefault("game", "")


def bind_phases(entries: list[Entry], symbols: Symbols) -> None:
    """The types of the names that phases bind; a few rounds, for one may rest on another."""
    book = symbols.book
    binding = []
    for entry in entries:
        phases = [x for x in phases_in(bodies(entry)) if x.var is not None and x.source is not None]
        if phases:
            node, quiet = entry.node, Reporter()
            params = node.params if isinstance(node, n.Procedure | n.Action) else ()
            binding.append((phases, Scope({p.name: symbols.type(p.type, quiet) for p in params})))
    for _ in range(3):
        for phases, scope in binding:
            for phase in phases:
                assert phase.var is not None and phase.source is not None
                source = Expressions(symbols, Reporter()).hinted(phase.source, scope, None)
                found = source.type.of or t.ANY
                if book.bindings.get(phase.var, t.ANY).sort == "any":
                    book.bindings[phase.var] = found


def owner_type(name: str, symbols: Symbols, node: n.Node, report: Reporter) -> Type:
    if name == "game":
        return t.GAME
    found = t.PRIMITIVES.get(name)
    if found in (t.UNIT, t.PLACE, t.HEXSIDE, t.TURN):
        return found
    if name in symbols.book.kinds:
        return Type("kind", name)
    report.error(
        "RW206",
        node.span,
        f'nothing can be noted on "{name}"',
        help="marks and fields belong to unit, hex, point, hexside, turn, a kind such as side, or game",
    )
    return t.GAME


def default_of(type: Type) -> c.Value:
    if type.absent:
        return None
    if type.many:
        return ()
    if type == t.NUMBER or type == t.RATIO:
        return 0
    if type == t.FLAG:
        return False
    return None


def literal(node: n.Expr) -> c.Value:
    match node:
        case n.Literal():
            return node.value
        case n.Name():
            return node.id
        case n.Unary(op="-", value=n.Literal(value=int() as v)):
            return -v
        case _:
            return None


def twice(name: str, node: n.Node, report: Reporter, where: str = "") -> None:
    place = f" (also in case {where})" if where else ""
    report.error(
        "RW202", node.span, f'"{name}" is declared twice{place}', help="rename one, or write an exception to the first"
    )
