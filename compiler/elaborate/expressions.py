"""Elaborate expressions: names bound, types checked, sugar gone.

In:  a syntax expression and the scope it stands in.
Out: a core expression.
Reports: RW201 unknown name, RW203 ambiguous value, RW211 wrong type, RW212 wrong number of arguments,
         RW213 unknown field, RW214 unknown unit, RW215 unknown hex, RW216 unknown date, RW228 a record not whole.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose, did_you_mean
from rulewright.dsl.source import Span
from rulewright.runtime.notation import sides_of

from ..core import nodes as c
from ..core import types as t
from ..core.builtins import BUILTINS
from ..core.nodes import Expr, Param
from ..core.types import Type, common, fits
from ..read.symbols import Scope, Signature, Symbols

WRONG = Type("any", "unknown")
UNLIMITED = 10**18
SPECIAL: dict[str, tuple[str, ...]] = {  # what each is called with, for messages
    "left": ("QUOTA(…)",),
    "spent": ("QUOTA(…)",),
    "phase_is": ("PHASE",),
    "ends": ("ROUTE(…)",),
    "shortest": ("ROUTE(…)",),
    "cost": ("ROUTE(…)", "PATH"),
    "blocked": ("MATCHING(…)",),
    "uncovered": ("MATCHING(…)",),
    "assigned": ("PLAN", "TARGET"),
    "targets": ("PLAN",),
    "placed": ("PLAN",),
    "share": ("SHARES", "MEMBER"),
    "on_scale": ("SCALE", "NUMBER"),
    "shifted": ("STEP", "NUMBER"),
    "rank": ("VALUE",),
    "other": ("VALUE",),
}
SAMPLES = {
    "number": "a number is a figure such as 3, a field or mark that holds one, count(…) or sum(…)",
    "ratio": "a ratio is written 3:1",
    "unit": 'a unit is a name in quotes ("3 Panzer"), a parameter, or one of a set of units',
    "place": "a place is written @A1, unit.hex, or by the name that the map or a box gives it",
    "hexside": "a hexside is written @A1/A2 or edge(place, place)",
    "turn": "a turn is a date of the calendar with its year, or now",
    "month": "a month is written Jan, or month(turn)",
    "text": 'a text stands in quotes: "…"',
    "dice": "dice are written 1d6 or 2d6",
    "path": "a path is taken from a route: p: path from ROUTE(…)",
    "plan": "a plan is taken from a matching: ask … for one NAME from MATCHING(…)",
    "shares": "shares come from: ask … for shares NAME of NUMBER among SET",
    "layer": "a layer is land, or the name of lines of the map",
    "phase": "name a phase of a sequence",
}


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
COMPARED: dict[str, type[c.Equal | c.Unequal | c.Less | c.AtMost | c.More | c.AtLeast]] = {
    kind.sign: kind for kind in (c.Equal, c.Unequal, c.Less, c.AtMost, c.More, c.AtLeast)
}
RECKONED: dict[str, type[c.Plus | c.Minus | c.Times | c.Over]] = {
    kind.sign: kind for kind in (c.Plus, c.Minus, c.Times, c.Over)
}
FOLDED: dict[str, type[c.SumOf | c.Highest | c.Lowest]] = {"sum": c.SumOf, "highest": c.Highest, "lowest": c.Lowest}


class Expressions:
    def __init__(self, symbols: Symbols, report: Reporter) -> None:
        self.symbols = symbols
        self.book = symbols.book
        self.report = report

    # ------------------------------------------------------------ entry points

    def expr(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> Expr:
        """The core expression; a mismatch with `expected` is reported."""
        found = self._expr(node, scope, expected)
        if expected is not None and not fits(found.type, expected):
            self.report.error(
                "RW211",
                node.span,
                f"this is a {found.type}, where a {expected} is needed",
                help=self._type_help(found.type, expected),
            )
        return found

    def flag(self, node: n.Expr, scope: Scope) -> Expr:
        return self.expr(node, scope, t.FLAG)

    def number(self, node: n.Expr, scope: Scope) -> Expr:
        return self.expr(node, scope, t.NUMBER)

    def collection(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> Expr:
        found = self._expr(node, scope, expected)
        if not found.type.many and found.type.sort != "any":
            self.report.error(
                "RW211",
                node.span,
                f"this is a single {found.type}, where a set is needed",
                help="put it into braces, or name a set",
            )
            return c.SetOf((found,), type=t.set_of(found.type), span=node.span)
        return found

    def _type_help(self, found: Type, expected: Type) -> str:
        if found.many and found.of is not None and fits(found.of, expected):
            return "pick one of the set, or use any, every, count or sum over it"
        if expected.many and expected.of is not None and fits(found, expected.of):
            return "put it into braces: {…}"
        if expected == t.FLAG:
            return "a condition compares something: write = or in, or ask any, no, every"
        if found.absent and fits(found.plain, expected):
            return "it may be nothing; ask for that first"
        return self.say(expected)

    def say(self, type: Type) -> str:
        """What stands for a value of this type, for an author who gave another."""
        if type.of is not None:
            return f"a {type} is written {{…}} with: {self.say(type.of)}"
        if type.sort == "kind":
            return f"a {type.name} is one of: " + ", ".join(self.book.kinds.get(type.name, ()))
        if type.sort == "scale":
            return f"a {type.name} is one of: " + ", ".join(self.book.scales.get(type.name, ()))
        if type.sort == "record":
            return f"write {type.name}({', '.join(m for m, _ in self.book.records.get(type.name, ()))})"
        return SAMPLES.get(type.name, f"give it a {type.name}")

    # ------------------------------------------------------------ dispatch

    def _expr(self, node: n.Expr, scope: Scope, expected: Type | None) -> Expr:
        match node:
            case n.Literal():
                return self._literal(node, expected)
            case n.Name():
                return self._name(node, scope, expected)
            case n.Call():
                return self._call(node, scope, expected)
            case n.Dot():
                return self._dot(node, scope)
            case n.Binary():
                return self._binary(node, scope, expected)
            case n.Unary():
                return self._unary(node, scope)
            case n.IsTrait():
                return self._trait(node, scope)
            case n.Within():
                return self._within(node, scope)
            case n.Filter():
                base = self.collection(node.base, scope, expected)
                test = self.flag(node.test, scope.plus(**{node.var: self._member(base)}))
                return c.Filter(base, test, node.var, type=self._as_set(base.type), span=node.span)
            case n.Quantified():
                return self._quantified(node, scope)
            case n.Fold():
                return self._fold(node, scope, expected)
            case n.Collection():
                return self._collection(node, scope, expected)
            case n.Preference():
                tiers = [self.collection(x, scope, expected) for x in node.tiers]
                known = (x.type for x in tiers if self._member(x).sort != "any")  # `{}` has no type of its own
                return c.FirstOf(tuple(tiers), type=next(known, tiers[0].type), span=node.span)
            case n.Supposing():
                return self._supposing(node, scope, expected)

    def _member(self, base: Expr) -> Type:
        return base.type.of if base.type.of is not None else WRONG

    def _as_set(self, type: Type) -> Type:
        return type if type.sort == "list" else t.set_of(type.of) if type.of is not None else type

    def _const(self, value: c.Value, type: Type, span: Span) -> Expr:
        return c.Const(value, type=type, span=span)

    def _wrong(self, span: Span) -> Expr:
        return c.Const(None, type=WRONG, span=span)

    # ------------------------------------------------------------ literals and names

    def _literal(self, node: n.Literal, expected: Type | None) -> Expr:
        value = node.value
        match node.sort:
            case "number":
                if expected is not None and expected.sort == "scale":
                    return self._scale_value(str(value), expected, node.span)
                return self._const(value, t.NUMBER, node.span)
            case "ratio":
                if expected is not None and expected.sort == "scale":
                    return self._scale_value(node.span.text, expected, node.span)
                return self._const(plain(value), t.RATIO, node.span)
            case "flag":
                return self._const(value, t.FLAG, node.span)
            case "dice":
                return self._const(value, t.DICE, node.span)
            case "below":
                return self._below(str(value), expected, node.span)
            case "date":
                return self._date(str(value), node.span)
            case "hex":
                return self._hex(str(value), node.span)
            case _:
                return self._unit(str(value), node.span, expected)

    def _scale_value(self, text: str, scale: Type, span: Span) -> Expr:
        steps = self.book.scales.get(scale.name, ())
        if text not in steps:
            self.report.error(
                "RW201", span, f'"{text}" is no step of {scale.name}', help="its steps: " + ", ".join(steps)
            )
            return self._wrong(span)
        return self._const(steps.index(text), scale, span)

    def _below(self, text: str, expected: Type | None, span: Span) -> Expr:
        """`below 1:6`: what lies below the lowest step of a scale."""
        named = [expected.name] if expected is not None and expected.sort == "scale" else list(self.book.scales)
        found = [x for x in named if text == next(iter(self.book.scales.get(x, ())), None)]
        if len(found) != 1:
            lowest = ", ".join(f"below {self.book.scales[x][0]}" for x in named if self.book.scales.get(x))
            told = f'"{text}" is the lowest step of ' + ("no scale" if not found else f"several: {', '.join(found)}")
            self.report.error("RW201", span, told, help=f"write {lowest}" if lowest else "declare it: scale …")
            return self._wrong(span)
        return self._const(-1, Type("scale", found[0]), span)

    def _date(self, text: str, span: Span) -> Expr:
        calendar = self.book.calendar
        if calendar is None:
            self.report.error("RW216", span, "the book has no calendar", help="declare one: calendar NAME: …")
            return self._wrong(span)
        labels = [label for label, _, _ in calendar.turns]
        if text in labels:
            return self._const(labels.index(text), t.TURN, span)
        if text in calendar.months:
            return self._const(text, t.MONTH, span)
        later = date_beyond(text, calendar.turns, calendar.months)
        if later is not None:
            return self._const(later, t.TURN, span)
        self.report.error(
            "RW216",
            span,
            f'"{text}" is no turn of the calendar',
            help=choose(text, labels + list(calendar.months), "turns and months"),
        )
        return self._wrong(span)

    def _hex(self, text: str, span: Span) -> Expr:
        places = self.symbols.places
        if text in places:
            return self._const(places[text], t.PLACE, span)
        pair = sides_of(places, text)
        if pair is not None:
            return self._const(pair, t.HEXSIDE, span)
        self.report.error(
            "RW215", span, f'the map has no hex "{text}"', help=did_you_mean(text, places) or "check the map's hexes"
        )
        return self._wrong(span)

    def _unit(self, text: str, span: Span, expected: Type | None) -> Expr:
        if expected is not None and expected.name == "text":
            return self._const(text, t.TEXT, span)
        if text in self.symbols.units:
            return self._const(self.symbols.units[text], t.UNIT, span)
        self.report.error(
            "RW214",
            span,
            f'no roster has a unit "{text}"',
            help=did_you_mean(text, self.symbols.units) or "add it to a roster",
        )
        return self._wrong(span)

    def _name(self, node: n.Name, scope: Scope, expected: Type | None) -> Expr:
        name, span, book = node.id, node.span, self.book
        if name in scope.locals:
            return c.Local(name, type=scope.locals[name], span=span)
        element = expected.of if expected is not None and expected.of is not None else expected
        if element is not None and element.sort == "kind" and name in book.kinds.get(element.name, ()):
            return self._const(name, element, span)
        if element is not None and element.sort == "scale" and name in book.scales.get(element.name, ()):
            return self._const(book.scales[element.name].index(name), element, span)
        if name == "usual" and scope.usual is not None:
            return c.Usual(type=scope.usual, span=span)
        if name == "keep" and scope.keep is not None:
            return c.Keep(type=scope.keep, span=span)
        if name in book.bindings:
            return c.Bound(name, type=book.bindings[name], span=span)
        if ("game", name) in book.marks:
            self.symbols.read.add(("game", name))
            return c.MarkOf(None, name, type=book.marks["game", name].type, span=span)
        if name in self.symbols.callables and not self.symbols.callables[name].params:
            return self._invoke(self.symbols.callables[name], (), span)
        if name in book.unclear:
            return c.Reading(name, type=Type("kind", name), span=span)
        if name in self.symbols.names:
            value = self.symbols.names[name]
            return self._const(value, t.HEXSIDE if isinstance(value, tuple) else t.PLACE, span)
        kinds = self.symbols.kind_of(name)
        if len(kinds) == 1:
            return self._const(name, Type("kind", kinds[0]), span)
        if len(kinds) > 1:
            self.report.error(
                "RW203",
                span,
                f'"{name}" is a value of several kinds: {", ".join(kinds)}',
                help="compare it with something of a known kind, or rename one of them",
            )
            return self._wrong(span)
        for scale, steps in book.scales.items():
            if name in steps:
                return self._const(steps.index(name), Type("scale", scale), span)
        if name in book.kinds:
            values = tuple(book.kinds[name])
            return self._const(values, Type("list", of=Type("kind", name)), span)
        if name in book.scales:
            steps_ = tuple(range(len(book.scales[name])))
            return self._const(steps_, Type("list", of=Type("scale", name)), span)
        if name in t.ABSENT:
            return self._const(None, t.NOTHING, span)
        if name == "unlimited":
            return self._const(UNLIMITED, t.NUMBER, span)
        if name in BUILTINS and not BUILTINS[name].params:
            return c.BuiltinCall(name, (), type=BUILTINS[name].type, span=span)
        if name in self.symbols.layers:
            return self._const(name, t.LAYER, span)
        if name in book.phases:
            return self._const(name, t.PHASE, span)
        return self._unknown(name, span, scope)

    def _unknown(self, name: str, span: Span, scope: Scope) -> Expr:
        known = [*scope.names(), *self.symbols.callables, *self.book.bindings, *self.symbols.names, *BUILTINS]
        known += [m for owner, m in self.book.marks if owner == "game"]
        known += [v for values in self.book.kinds.values() for v in values]
        if name in self.symbols.callables or name in BUILTINS:
            params = (
                [p.name for p in self.symbols.callables[name].params]
                if name in self.symbols.callables
                else [str(p) for p in BUILTINS[name].params]
            )
            self.report.error("RW212", span, f'"{name}" needs arguments', help=f"write {name}({', '.join(params)})")
            return self._wrong(span)
        if name in ("usual", "keep"):
            text = "an exception or a wrapper" if name == "usual" else "a remember always body"
            self.report.error("RW201", span, f'"{name}" has a meaning only in {text}', help="name the value itself")
            return self._wrong(span)
        self.report.error(
            "RW201",
            span,
            f'unknown name "{name}"',
            help=did_you_mean(name, known) or "declare it in a case of this book",
        )
        return self._wrong(span)

    # ------------------------------------------------------------ calls

    def _call(self, node: n.Call, scope: Scope, expected: Type | None) -> Expr:
        name, span = node.name, node.span
        special = CALLED.get(name)
        if special is not None and name not in self.symbols.callables:
            wanted = SPECIAL[name]
            if len(node.arguments) != len(wanted) or any(a.name is not None for a in node.arguments):
                self.report.error(
                    "RW212",
                    span,
                    f'"{name}" takes {len(wanted)} argument{"s" if len(wanted) != 1 else ""}, given by place',
                    help=f"write {name}({', '.join(wanted)})",
                )
                return self._wrong(span)
            return special(self, node, scope)
        if name in self.symbols.callables:
            signature = self.symbols.callables[name]
            return self._invoke(signature, self.arguments(node, signature.params, scope), span)
        if name in self.book.records:
            members = self.book.records[name]
            params = tuple(Param(name=m, type=type) for m, type in members)
            args = self.arguments(node, params, scope, partial=True)
            return c.RecordOf(name, args, type=Type("record", name), span=span)
        if name in BUILTINS:
            builtin = BUILTINS[name]
            params = tuple(Param(name=f"{p} {i + 1}", type=p) for i, p in enumerate(builtin.params))
            return c.BuiltinCall(name, self.arguments(node, params, scope), type=builtin.type, span=span)
        known = [*self.symbols.callables, *BUILTINS, *self.book.records]
        help = did_you_mean(name, known) or "declare it in a case of this book"
        if name in self.symbols.procedures:
            help = f"{name} is a procedure: run it with do"
        if name in self.symbols.actions:
            help = f"{name} is an action: sides take it in a window; offer it"
        self.report.error("RW201", span, f'unknown name "{name}"', help=help)
        for a in node.arguments:
            self._expr(a.value, scope, None)
        return self._wrong(span)

    def arguments(
        self, node: n.Call, params: tuple[Param, ...], scope: Scope, partial: bool = False
    ) -> tuple[Expr, ...]:
        """The arguments in the order of the parameters, given by place or by name."""
        given: dict[str, Expr] = {}
        names = [p.name for p in params]
        for i, a in enumerate(node.arguments):
            if a.name is not None and a.name not in names:
                self.report.error(
                    "RW212",
                    a.span,
                    f'"{node.name}" has no parameter "{a.name}"',
                    help=did_you_mean(a.name, names) or "its parameters: " + ", ".join(names),
                )
                continue
            if a.name is None and i >= len(params):
                self.report.error(
                    "RW212",
                    a.span,
                    f'"{node.name}" takes {len(params)} argument{"s" if len(params) != 1 else ""}',
                    help=f"write {node.name}({', '.join(names)})",
                )
                break
            param = params[names.index(a.name)] if a.name is not None else params[i]
            given[param.name] = self.expr(a.value, scope, param.type)
        found = []
        for param in params:
            if param.name not in given:
                if not partial:
                    self.report.error(
                        "RW212",
                        node.span,
                        f'"{node.name}" lacks its argument "{param.name}"',
                        help=f"write {node.name}({', '.join(names)})",
                    )
                elif not (param.type.many or param.type.absent or param.type == t.FLAG):
                    self.report.error(
                        "RW228",
                        node.span,
                        f'this {node.name} lacks its part "{param.name}"',
                        help=f"give it: {node.name}(…, {param.name}: …); or let the record say {param.name}: "
                        f"{param.type} or nothing",
                    )
                empty: c.Value = () if param.type.many else False if param.type == t.FLAG else None
                given[param.name] = self._const(empty, param.type, node.span)
            found.append(given[param.name])
        return tuple(found)

    def _invoke(self, signature: Signature, args: tuple[Expr, ...], span: Span) -> Expr:
        self.symbols.read.add((signature.sort, signature.name))
        return INVOKED[signature.sort](signature.name, args, type=signature.type, span=span)

    def _call_left(self, node: n.Call, scope: Scope) -> c.QuotaLeft:
        """`left(quota(args))`: what is left of a quota."""
        value = node.arguments[0].value if node.arguments else None
        inner = self._expr(value, scope, None) if value is not None else self._wrong(node.span)
        if not isinstance(inner, c.QuotaCap):
            self.report.error("RW211", node.span, "left needs a quota", help="write left(NAME(arguments))")
            return c.QuotaLeft("", (), type=t.NUMBER, span=node.span)
        return c.QuotaLeft(inner.name, inner.asked, type=t.NUMBER, span=node.span)

    def _call_spent(self, node: n.Call, scope: Scope) -> Expr:
        left = self._call_left(node, scope)
        return c.QuotaSpent(left.name, left.asked, type=t.NUMBER, span=node.span)

    def _call_phase_is(self, node: n.Call, scope: Scope) -> Expr:
        """`phase_is(NAME)`: whether a phase of that name is running."""
        value = node.arguments[0].value if node.arguments else None
        name = value.id if isinstance(value, n.Name) else ""
        if name not in self.book.phases:
            self.report.error(
                "RW201", node.span, f'no sequence has a phase "{name}"', help=choose(name, self.book.phases, "phases")
            )
        return c.InPhase(name, type=t.FLAG, span=node.span)

    def _one_route(self, node: n.Call, scope: Scope, at: int = 0) -> c.Paths:
        value = node.arguments[at].value if len(node.arguments) > at else None
        inner = self._expr(value, scope, None) if value is not None else self._wrong(node.span)
        if not isinstance(inner, c.Paths):
            self.report.error("RW211", node.span, f"{node.name} needs a route", help=f"write {node.name}(ROUTE(…))")
            return c.Paths("", (), type=WRONG, span=node.span)
        return inner

    def _call_ends(self, node: n.Call, scope: Scope) -> Expr:
        """`ends(route(args))`: every place that a path of it can end in."""
        inner = self._one_route(node, scope)
        return c.PathEnds(inner.name, inner.asked, type=t.set_of(t.PLACE), span=node.span)

    def _call_shortest(self, node: n.Call, scope: Scope) -> Expr:
        """`shortest(route(args))`: its paths of the least cost."""
        inner = self._one_route(node, scope)
        return c.ShortestPaths(inner.name, inner.asked, type=t.set_of(t.PATH), span=node.span)

    def _call_cost(self, node: n.Call, scope: Scope) -> Expr:
        """`cost(route(args), path)`: what the path costs on that route."""
        inner = self._one_route(node, scope)
        path = self.expr(node.arguments[1].value, scope, t.PATH) if len(node.arguments) > 1 else self._wrong(node.span)
        return c.PathCost(inner.name, inner.asked, path, type=t.NUMBER, span=node.span)

    def _call_blocked(self, node: n.Call, scope: Scope) -> Expr:
        """`blocked(matching(args))`: the items that no complete plan can place."""
        value = node.arguments[0].value if node.arguments else None
        inner = self._expr(value, scope, None) if value is not None else self._wrong(node.span)
        if not isinstance(inner, c.Plans):
            self.report.error("RW211", node.span, "blocked needs a matching", help="write blocked(MATCHING(…))")
            return self._wrong(node.span)
        item = self.symbols.matchings.get(inner.name, (t.UNIT, t.ANY, False))[0]
        return c.BlockedItems(inner.name, inner.asked, type=t.set_of(item), span=node.span)

    def _call_uncovered(self, node: n.Call, scope: Scope) -> Expr:
        """`uncovered(matching(args))`: the targets of every part of the matching that has no complete plan."""
        value = node.arguments[0].value if node.arguments else None
        inner = self._expr(value, scope, None) if value is not None else self._wrong(node.span)
        if not isinstance(inner, c.Plans):
            self.report.error("RW211", node.span, "uncovered needs a matching", help="write uncovered(MATCHING(…))")
            return self._wrong(node.span)
        known = self.book.matchings.get(inner.name)
        targets = known.targets.type if known is not None else t.set_of(t.ANY)
        return c.UncoveredTargets(inner.name, inner.asked, type=targets, span=node.span)

    def _call_assigned(self, node: n.Call, scope: Scope) -> Expr:
        """`assigned(plan, target)`: the items that a plan assigns to a target."""
        plan, target = (a.value for a in node.arguments)
        given = self.expr(plan, scope, t.PLAN)
        item, kind, _ = self._plan_parts(given.type)
        args = (given, self._expr(target, scope, kind))
        return c.BuiltinCall("assigned", args, type=t.set_of(item), span=node.span)

    def _call_targets(self, node: n.Call, scope: Scope) -> Expr:
        """`targets(plan)`: the targets that a plan sends items to; sets of them where the matching has groups."""
        given = self.expr(node.arguments[0].value, scope, t.PLAN)
        _, kind, groups = self._plan_parts(given.type)
        name = "target_groups" if groups else "targets"
        many = t.list_of(t.set_of(kind) if groups else kind)
        return c.BuiltinCall(name, (given,), type=many, span=node.span)

    def _call_placed(self, node: n.Call, scope: Scope) -> Expr:
        """`placed(plan)`: the items that a plan assigns."""
        given = self.expr(node.arguments[0].value, scope, t.PLAN)
        items = t.set_of(self._plan_parts(given.type)[0])
        return c.BuiltinCall("placed", (given,), type=items, span=node.span)

    def _plan_parts(self, type: Type) -> tuple[Type, Type, bool]:
        """What a plan sorts onto what, and whether in groups."""
        return self.symbols.matchings.get(type.via, (t.ANY, t.ANY, False))

    def _call_share(self, node: n.Call, scope: Scope) -> Expr:
        """`share(shares, member)`: what an allocation gives to a member."""
        shares, member = (a.value for a in node.arguments)
        args = (self.expr(shares, scope, t.SHARES), self._expr(member, scope, None))
        return c.BuiltinCall("share", args, type=t.NUMBER, span=node.span)

    def _call_on_scale(self, node: n.Call, scope: Scope) -> Expr:
        """`on_scale(SCALE, ratio)`: the highest step not above the ratio; below the lowest step, less than it."""
        first = node.arguments[0].value if node.arguments else None
        name = first.id if isinstance(first, n.Name) else ""
        if name not in self.book.scales:
            self.report.error(
                "RW201",
                node.span,
                f'no scale "{name}"',
                help=did_you_mean(name, self.book.scales) or "declare it: scale …",
            )
            return self._wrong(node.span)
        value = self.number(node.arguments[1].value, scope)
        steps = tuple(plain(fraction_of(x)) for x in self.book.scales[name])
        return c.OnScale(value, steps, type=Type("scale", name), span=node.span)

    def _call_shifted(self, node: n.Call, scope: Scope) -> Expr:
        """`shifted(step, n)`: n steps along the scale, stopping at its ends."""
        step = self._expr(node.arguments[0].value, scope, None)
        by = self.number(node.arguments[1].value, scope)
        if step.type.sort != "scale":
            self.report.error(
                "RW211",
                node.span,
                f"shifted needs a step of a scale; this is a {step.type}",
                help="write shifted(STEP, NUMBER)",
            )
            return self._wrong(node.span)
        return c.Shifted(step, by, len(self.book.scales[step.type.name]) - 1, type=step.type, span=node.span)

    def _call_rank(self, node: n.Call, scope: Scope) -> Expr:
        """`rank(value)`: the place of a value in its kind or scale, from 1."""
        value = self._expr(node.arguments[0].value, scope, None)
        if value.type.sort == "kind":
            return c.Rank(value, tuple(self.book.kinds[value.type.name]), type=t.NUMBER, span=node.span)
        if value.type.sort not in ("scale", "any") and value.type.plain != t.TURN:
            self.report.error(
                "RW211",
                node.span,
                f"a {value.type} has no rank",
                help="only values of a kind, steps of a scale and turns have one",
            )
        return c.Rank(value, None, type=t.NUMBER, span=node.span)

    def _call_other(self, node: n.Call, scope: Scope) -> Expr:
        """`other(value)`: the other word of a kind that has two."""
        value = self._expr(node.arguments[0].value, scope, None)
        words = tuple(self.book.kinds[value.type.name]) if value.type.sort == "kind" else ()
        if len(words) != 2 and value.type.sort != "any":
            self.report.error(
                "RW211",
                node.span,
                f"other needs a value of a kind with two words; this is a {value.type}",
                help="a kind of three and more has no other: write a definition with a clause for each of its words",
            )
            return self._wrong(node.span)
        return c.Other(value, words, type=value.type, span=node.span)

    # ------------------------------------------------------------ fields and traits

    def _dot(self, node: n.Dot, scope: Scope) -> Expr:
        base = self._expr(node.base, scope, None)
        return self.member(base, node.name, node.span)

    def member(self, base: Expr, name: str, span: Span) -> Expr:
        """A field, mark or memory of something, or a member of a record."""
        owner = base.type.plain
        if owner.sort == "any":
            if owner == t.ANY:
                self.report.error(
                    "RW213",
                    span,
                    f'it is not known what has the "{name}" here',
                    help="name its type; a plan's is the name of its matching",
                )
            return self._wrong(span)
        if owner == t.UNIT and name in ("hex", "point", "place"):
            return c.PlaceOf(base, type=Type("prim", "place", absent=True), span=span)
        if owner.sort == "record":
            members = self.book.records[owner.name]
            names = [m for m, _ in members]
            if name in names:
                return c.Member(base, names.index(name), type=members[names.index(name)][1], span=span)
            self.report.error(
                "RW213",
                span,
                f'a {owner.name} has no "{name}"',
                help=did_you_mean(name, names) or "it has: " + ", ".join(names),
            )
            return self._wrong(span)
        key = (owner.name, name)
        if key in self.book.marks:
            self.symbols.read.add(key)
            return c.MarkOf(base, name, type=self.book.marks[key].type, span=span)
        if key in self.book.fields:
            self.symbols.read.add(key)
            return c.FieldOf(base, key, type=self.book.fields[key].type, span=span)
        if owner.many:
            self.report.error(
                "RW211",
                span,
                f"this is a {owner}; only one thing has a {name}",
                help=f"write sum(it.{name} over …) or any … where it.{name}",
            )
            return self._wrong(span)
        known = [m for o, m in [*self.book.fields, *self.book.marks] if o == owner.name]
        self.report.error(
            "RW213",
            span,
            f'a {owner} has no field or mark "{name}"',
            help=did_you_mean(name, known) or f"declare it: field {name} of {owner}: … or mark {name} on {owner}",
        )
        return self._wrong(span)

    def _trait(self, node: n.IsTrait, scope: Scope) -> Expr:
        base = self._expr(node.value, scope, None)
        key = (base.type.plain.name, node.trait)
        if key in self.book.marks or key in self.book.fields:
            found = self.member(base, node.trait, node.span)
        elif node.trait in self.symbols.callables and len(self.symbols.callables[node.trait].params) == 1:
            signature = self.symbols.callables[node.trait]
            if not fits(base.type, signature.params[0].type):
                self.report.error(
                    "RW211",
                    node.span,
                    f"{node.trait} is said of a {signature.params[0].type}, not of a {base.type}",
                    help=self.say(signature.params[0].type),
                )
            found = self._invoke(signature, (base,), node.span)
        elif base.type.sort == "any":
            return self._wrong(node.span)
        else:
            known = [m for o, m in [*self.book.fields, *self.book.marks] if o == base.type.plain.name]
            known += [s.name for s in self.symbols.callables.values() if len(s.params) == 1]
            self.report.error(
                "RW213",
                node.span,
                f'nothing says when a {base.type} is "{node.trait}"',
                help=did_you_mean(node.trait, known) or f"declare it: define {node.trait}(x: {base.type}) -> flag: …",
            )
            return self._wrong(node.span)
        if found.type != t.FLAG and found.type.sort != "any":
            self.report.error(
                "RW211",
                node.span,
                f"{node.trait} is a {found.type}, not a flag",
                help="compare it: write THING.NAME = VALUE",
            )
        return found

    # ------------------------------------------------------------ operators

    def _binary(self, node: n.Binary, scope: Scope, expected: Type | None) -> Expr:
        op, span = node.op, node.span
        if op in ("and", "or"):
            joined = c.And if op == "and" else c.Or
            return joined(self.flag(node.left, scope), self.flag(node.right, scope), type=t.FLAG, span=span)
        if op in COMPARED:
            left, right = self._pair(node.left, node.right, scope)
            if op not in ("=", "!=") and (left.type.sort == "kind" or left.type == t.FLAG):
                self.report.error(
                    "RW211", span, f"values of {left.type} have no order", help="declare a scale instead of a kind"
                )
            return COMPARED[op](left, right, type=t.FLAG, span=span)
        if op == "in":
            return self._in(node, scope)
        left = self._expr(node.left, scope, expected)
        right = self._expr(node.right, scope, left.type if left.type.many else None)
        if left.type.many or right.type.many:
            if op not in "+-":
                self.report.error(
                    "RW211", span, f"sets know + and -, not {op}", help="use count(…) or sum(… over …) for a number"
                )
            right = self._lift(right, left.type)
            left = self._lift(left, right.type)
            if not fits(right.type, left.type):
                self.report.error(
                    "RW211", span, f"a {left.type} and a {right.type} do not go together", help=self.say(left.type)
                )
            type = left.type if left.type.of is not None and left.type.of.sort != "any" else right.type
            return (c.Union if op == "+" else c.Without)(left, right, type=self._as_set(type), span=span)
        if left.type == t.TURN or left.type == t.MONTH:
            self.report.error("RW211", span, "turns are not added up", help="write turn_after(turn, number)")
        for side in (left, right):
            if not fits(side.type, t.NUMBER):
                self.report.error(
                    "RW211",
                    side.span,
                    f"this is a {side.type}, where a number is needed",
                    help=self._type_help(side.type, t.NUMBER),
                )
        return RECKONED[op](left, right, type=t.NUMBER, span=span)

    def _lift(self, e: Expr, other: Type) -> Expr:
        return e if e.type.many or e.type.sort == "any" else c.SetOf((e,), type=t.set_of(e.type), span=e.span)

    def _pair(self, a: n.Expr, b: n.Expr, scope: Scope) -> tuple[Expr, Expr]:
        """Both sides of a comparison; the side whose type is plain lends it to the other."""
        if isinstance(a, n.Name | n.Literal) and not isinstance(b, n.Name | n.Literal):
            right = self._expr(b, scope, None)
            left = self._expr(a, scope, right.type.plain)
        else:
            left = self._expr(a, scope, None)
            right = self._expr(b, scope, left.type.plain)
        if common(left.type, right.type) is None:
            self.report.error(
                "RW211",
                b.span,
                f"a {left.type} is compared with a {right.type}",
                help=self._type_help(right.type, left.type),
            )
        return left, right

    def _in(self, node: n.Binary, scope: Scope) -> Expr:
        left = self._expr(node.left, scope, None)
        if isinstance(node.right, n.Collection) and node.right.sort == "range":
            low, high = (self._expr(x, scope, left.type.plain) for x in node.right.items)
            return c.Between(left, low, high, type=t.FLAG, span=node.span)
        right = self._expr(node.right, scope, t.set_of(left.type))
        if not right.type.many and right.type.sort != "any":
            self.report.error(
                "RW211",
                node.right.span,
                f"this is a {right.type}, where a set is needed",
                help="use = for a single thing",
            )
        elif right.type.of is not None and not fits(left.type, right.type.of):
            self.report.error(
                "RW211",
                node.span,
                f"a {left.type} is looked for in a {right.type}",
                help=self._type_help(left.type, right.type),
            )
        return c.IsIn(left, right, type=t.FLAG, span=node.span)

    def _unary(self, node: n.Unary, scope: Scope) -> Expr:
        match node.op:
            case "not":
                return c.Not(self.flag(node.value, scope), type=t.FLAG, span=node.span)
            case "-":
                return c.Negative(self.number(node.value, scope), type=t.NUMBER, span=node.span)
            case _:
                date = self.expr(node.value, scope, t.TURN)
                if "now" not in self.book.bindings and "now" not in scope.locals:
                    self.report.error(
                        "RW201",
                        node.span,
                        f"{node.op} needs a turn that is running",
                        help="bind it in the sequence: phase turn for now in turns: …",
                    )
                now = self._name(n.Name(id="now", span=node.span), scope, t.TURN)
                return (c.AtLeast if node.op == "since" else c.Less)(now, date, type=t.FLAG, span=node.span)

    def _within(self, node: n.Within, scope: Scope) -> Expr:
        one = self.expr(node.value, scope, t.PLACE)
        reach = self.number(node.reach, scope)
        other = self.expr(node.of, scope, t.PLACE)
        return c.Within(one, reach, other, type=t.FLAG, span=node.span)

    def _quantified(self, node: n.Quantified, scope: Scope) -> Expr:
        base = self.collection(node.base, scope)
        test = None
        if node.test is not None:
            test = self.flag(node.test, scope.plus(**{node.var: self._member(base)}))
        if node.sort == "count":
            return c.CountOf(base, test, node.var, type=t.NUMBER, span=node.span)
        if node.sort == "every":
            return c.EveryOf(base, test, node.var, type=t.FLAG, span=node.span)
        found = c.AnyOf(base, test, node.var, type=t.FLAG, span=node.span)
        return found if node.sort == "any" else c.Not(found, type=t.FLAG, span=node.span)

    def _fold(self, node: n.Fold, scope: Scope, expected: Type | None) -> Expr:
        base = self.collection(node.base, scope)
        element = expected.of if expected is not None and expected.of is not None else None
        value = self._expr(node.value, scope.plus(**{node.var: self._member(base)}), element)
        if node.sort == "each":
            if value.type.many:
                return c.EachOf(base, value, node.var, type=self._as_set(value.type), span=node.span)
            return c.Each(base, value, node.var, type=t.set_of(value.type), span=node.span)
        if node.sort == "sum" and not fits(value.type, t.NUMBER):
            self.report.error(
                "RW211",
                node.value.span,
                f"this is a {value.type}, where a number is needed",
                help=self._type_help(value.type, t.NUMBER),
            )
        return FOLDED[node.sort](base, value, node.var, type=value.type.plain, span=node.span)

    def _collection(self, node: n.Collection, scope: Scope, expected: Type | None) -> Expr:
        element = expected.of if expected is not None and expected.of is not None else None
        if node.sort in ("span", "range"):
            low, high = (self.number(x, scope) for x in node.items)
            return c.Range(low, high, type=t.set_of(t.NUMBER), span=node.span)
        if node.sort in ("plan", "shares") or (not node.items and expected in (t.PLAN, t.SHARES)):
            return self._pairs(node, scope, expected)
        items = []
        type: Type | None = element
        for x in node.items:
            item = self._expr(x, scope, type)
            if type is None or type.sort == "any":
                type = item.type.plain if not item.type.many else item.type
            elif not fits(item.type, type):
                self.report.error(
                    "RW211", x.span, f"a {item.type} among values of {type}", help=self._type_help(item.type, type)
                )
            items.append(item)
        made = t.set_of(type or WRONG) if node.sort == "set" else t.list_of(type or WRONG)
        return (c.SetOf if node.sort == "set" else c.ListOf)(tuple(items), type=made, span=node.span)

    def _pairs(self, node: n.Collection, scope: Scope, expected: Type | None) -> Expr:
        """A plan `{item to target, {items} to {targets}}` or shares `{member: number}`."""
        type = expected if expected is not None and expected in (t.PLAN, t.SHARES) else None
        if type is None:
            type = t.PLAN if node.sort == "plan" else t.SHARES
        elif node.items and type != (t.PLAN if node.sort == "plan" else t.SHARES):
            self.report.error(
                "RW211", node.span, f"these are {node.sort}, where a {type} is needed", help=SAMPLES[type.name]
            )
        item, target, _ = self._plan_parts(type)
        found = []
        for a, b in zip(node.items[::2], node.items[1::2], strict=True):
            if node.sort == "shares":
                pair = (self._expr(a, scope, None), self.number(b, scope))
            else:
                one, other = self._expr(a, scope, t.set_of(item)), self._expr(b, scope, t.set_of(target))
                for given, kind in ((one, item), (other, target)):
                    if not fits(given.type.of or given.type, kind):
                        self.report.error(
                            "RW211",
                            given.span,
                            f"this is a {given.type}, where a {kind} is needed",
                            help=self.say(kind),
                        )
                pair = (self._lift(other, t.set_of(target)), self._lift(one, t.set_of(item)))
            found.append(c.ListOf(pair, type=t.list_of(t.ANY), span=node.span))
        return c.ListOf(tuple(found), type=type, span=node.span)

    def _supposing(self, node: n.Supposing, scope: Scope, expected: Type | None) -> Expr:
        changes: list[c.UnitAt | c.MarkAs] = []
        for change in node.changes:
            if change.sort == "at":
                what = self._expr(change.what, scope, None)
                place = self._expr(change.value, scope, t.PLACE)
                changes.append(c.UnitAt(what, place))
            elif isinstance(change.what, n.Dot):
                base = self._expr(change.what.base, scope, None)
                owner = base.type.of if base.type.of is not None else base.type
                key = (owner.plain.name, change.what.name)
                mark = self.book.marks.get(key)
                if mark is None:
                    self.report.error(
                        "RW213",
                        change.span,
                        f'a {owner} has no mark "{change.what.name}"',
                        help="only marks can be supposed",
                    )
                    continue
                to = self.expr(change.value, scope, mark.type)
                changes.append(c.MarkAs(base, to, change.what.name, of_game=False))
            elif isinstance(change.what, n.Name) and ("game", change.what.id) in self.book.marks:
                mark = self.book.marks["game", change.what.id]
                nothing, to = self._const(None, t.NOTHING, change.span), self.expr(change.value, scope, mark.type)
                changes.append(c.MarkAs(nothing, to, change.what.id, of_game=True))
            else:
                self.report.error(
                    "RW211",
                    change.span,
                    "suppose a unit at a place, or a mark with a value",
                    help="write supposing UNIT at PLACE: …, or supposing THING.mark = VALUE: …",
                )
        value = self._expr(node.value, scope, expected)
        return c.Suppose(tuple(changes), value, type=value.type, span=node.span)


CALLED: dict[str, Callable[[Expressions, n.Call, Scope], Expr]] = {
    "left": Expressions._call_left,
    "spent": Expressions._call_spent,
    "phase_is": Expressions._call_phase_is,
    "ends": Expressions._call_ends,
    "shortest": Expressions._call_shortest,
    "cost": Expressions._call_cost,
    "blocked": Expressions._call_blocked,
    "uncovered": Expressions._call_uncovered,
    "assigned": Expressions._call_assigned,
    "targets": Expressions._call_targets,
    "placed": Expressions._call_placed,
    "share": Expressions._call_share,
    "on_scale": Expressions._call_on_scale,
    "shifted": Expressions._call_shifted,
    "rank": Expressions._call_rank,
    "other": Expressions._call_other,
}
"""What each of the special functions is elaborated by."""


def plain(value: Any) -> Any:
    """A Fraction that is whole, as an int."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def fraction_of(step: str) -> Fraction:
    """The ratio that a step of a scale stands for; 0 where it is a word."""
    if ":" in step:
        left, right = step.split(":")
        return Fraction(int(left), int(right) or 1)
    return Fraction(int(step)) if step.lstrip("-").isdigit() else Fraction(0)


def date_beyond(text: str, turns: tuple[tuple[str, int, int], ...], months: tuple[str, ...]) -> int | None:
    """The number of a date before or after the calendar's turns, where it fits their rhythm."""
    words = text.split()
    label, year = " ".join(words[:-1]), words[-1]
    if not year.isdigit() or label not in months or not turns:
        return None
    ordered = [m for m in months if m]
    per_year = len(ordered)
    first_label, first_year, _ = turns[0]
    first = first_year * per_year + ordered.index(" ".join(first_label.split()[:-1]))
    return int(year) * per_year + ordered.index(label) - first
