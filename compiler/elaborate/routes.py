"""Build routes and matchings: sets of paths and sets of plans.

In:  their entries, and the drafts of their facets and rules.
Out: routes and matchings in the core; what a rule requires of every step becomes a ban on single steps, so that a
     search can apply it as it goes.
Reports: what expressions find.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import choose, did_you_mean

from ..core import nodes as c
from ..core import types as t
from ..core.entries import Entry
from ..core.walk import waiver_exprs
from ..read.symbols import Scope
from .definitions import Definitions
from .draft_kinds import shape
from .drafts import STEP

LEGS: dict[str, c.LegSort] = {"one": "one", "maybe": "maybe", "repeat": "repeat"}


class Routes(Definitions):
    """Routes with their facets and rules; matchings with theirs."""

    def _build_routes(self) -> None:
        nodes = {e.node.name: (e, e.node) for e in self.entries if isinstance(e.node, n.Route)}
        done: dict[str, c.Route] = {}

        def build(name: str, seen: tuple[str, ...]) -> c.Route | None:
            if name in done:
                return done[name]
            if name not in nodes or name in seen:
                return None
            entry, node = nodes[name]
            self.report.case = entry.case
            parent = build(node.like, (*seen, name)) if node.like is not None else None
            if node.like is not None and parent is None:
                self.report.error(
                    "RW201",
                    node.span,
                    f'there is no route "{node.like}" to be like',
                    help=choose(node.like, [x for x in nodes if x != name], "routes"),
                )
            self.report.case = entry.case
            full = [f"{name}.{facet.name}" for facet in node.facets if facet.name != "over"]
            rests = (tuple(map(self._shapes, full)), tuple(map(shape, self.rules.get(name, ()))))
            done[name], made = self._known(("route", entry, parent, *rests), lambda: one(name, entry, node, parent))
            self.book.definitions.update(made)
            return done[name]

        def one(
            name: str, entry: Entry, node: n.Route, parent: c.Route | None
        ) -> tuple[c.Route, dict[str, c.Definition]]:
            made: dict[str, c.Definition] = {}
            params = self._params(node.params)
            if parent is not None and [p.type for p in params] != [p.type for p in parent.params]:
                given = ", ".join(f"{p.name}: {p.type}" for p in parent.params)
                self.report.error(
                    "RW212",
                    node.span,
                    f'a route like "{parent.name}" takes what that takes: ({given})',
                    help="give it the same parameters, or write the route out",
                )
            facets = dict(parent.facets) if parent is not None else {}
            scope = self._route_scope(name)
            layers = parent.layers if parent is not None else ("land",)
            over_test = parent.over_test if parent is not None else None
            for facet in node.facets:
                if facet.name == "over":
                    layers, over_test = self._over(facet, scope)
                    continue
                full = f"{name}.{facet.name}"
                step = facet.name in ("leave", "cross", "enter")
                extra = tuple(c.Param(name=k, type=v) for k, v in STEP.items()) if step else ()
                made[full] = self._define(full, (*params, *extra), "facet")
                if parent is not None and facet.name in parent.facets:
                    made[full] = self._usual_from(made[full], parent.facets[facet.name])
                elif parent is not None:
                    self._no_usual(made[full].base, parent.name, facet.name)
                facets[facet.name] = full
            own = self._rules_of(name)
            steps = tuple(x for x in map(on_each_step, own) if x is not None)
            rules = (*own, *steps)
            if parent is not None:
                names = {a.name: b.name for a, b in zip(parent.params, params, strict=False) if a.name != b.name}
                over_test = (
                    renamed(over_test, names) if over_test is not None and over_test is parent.over_test else over_test
                )
                rules = (*(rename_rule(x, names) for x in parent.rules), *rules)
            legs = tuple(self._leg(leg, scope) for leg in node.legs)
            route = c.Route(
                name=name,
                case=entry.case,
                params=params,
                layers=layers,
                over_test=over_test,
                facets=facets,
                rules=rules,
                legs=legs,
                needs=path_needs(rules),
                covers=entry.covers,
                span=node.span,
            )
            return route, made

        for name in nodes:
            made = build(name, ())
            if made is not None:
                self.book.routes[name] = made

    def _no_usual(self, layer: c.Layer, parent: str, facet: str) -> None:
        """`usual` in a facet that the other route does not have stands for nothing."""
        values = [value for _, value in layer.lets]
        values += [x for clause in layer.clauses for x in (clause.value, clause.guard) if x is not None]
        for e in (e for top in values for e in top.walk() if isinstance(e, c.Usual)):
            self.report.error(
                "RW201",
                e.span,
                f'there is no usual {facet}: the route "{parent}" has none',
                help=f"give {parent} a line {facet}: …, or state the value here",
            )

    def _usual_from(self, definition: c.Definition, parent: str) -> c.Definition:
        """`usual` in a facet of a route that is like another means the other route's facet."""
        args = tuple(c.Local(p.name, type=p.type, span=definition.base.span) for p in definition.params)

        def swap(e: c.Expr) -> c.Expr:
            if isinstance(e, c.Usual):
                return c.Call(parent, args, type=e.type, span=e.span)
            return e.with_args(tuple(swap(a) for a in e.args))

        clauses = tuple(
            replace(x, value=swap(x.value), guard=swap(x.guard) if x.guard is not None else None)
            for x in definition.base.clauses
        )
        lets = tuple((k, swap(v)) for k, v in definition.base.lets)
        return replace(definition, base=replace(definition.base, clauses=clauses, lets=lets))

    def _over(self, facet: n.Facet, scope: Scope) -> tuple[tuple[str, ...], c.Expr | None]:
        value = facet.body.clauses[0].value
        test = None
        if isinstance(value, n.Filter):
            test = self.e.flag(value.test, scope.plus(**{value.var: t.HEXSIDE, **STEP}))
            value = value.base
            if isinstance(facet.body.clauses[0].value, n.Filter) and facet.body.clauses[0].value.var != "crossing":
                var = facet.body.clauses[0].value.var
                test = rename_local(test, var, "crossing")
        names: list[str] = []

        def gather(x: n.Expr) -> None:
            match x:
                case n.Binary(op="+"):
                    gather(x.left)
                    gather(x.right)
                case n.Name():
                    if x.id not in self.symbols.layers:
                        known = self.symbols.layers
                        self.report.error(
                            "RW201",
                            x.span,
                            f'the map has no lines called "{x.id}"',
                            help=did_you_mean(x.id, known) or "layers: " + ", ".join(known),
                        )
                    names.append(x.id)
                case _:
                    self.report.error(
                        "RW211",
                        x.span,
                        "this is no layer of the map",
                        help="a route runs over land, or lines of the map, joined by +",
                    )

        gather(value)
        return tuple(names), test

    def _leg(self, node: n.Leg, scope: Scope) -> c.Leg:
        e = self.e.hinted(node.call, scope, None)
        if not isinstance(e, c.Paths):
            self.report.error("RW211", node.span, "a leg is a route", help="write legs: maybe road(u) then rail(u)")
            return c.Leg(sort=LEGS[node.sort], route="", args=())
        return c.Leg(sort=LEGS[node.sort], route=e.name, args=e.asked)

    def _build_matchings(self) -> None:
        for entry in self.entries:
            node = entry.node
            if not isinstance(node, n.Matching) or not self._mine(entry, node.name):
                continue
            self.report.case = entry.case
            before = tuple((name, m.targets.type) for name, m in self.book.matchings.items())
            rests = tuple(map(shape, self.rules.get(node.name, ())))
            self.book.matchings[node.name] = self._known(
                ("matching", entry, before, rests), partial(self._matching, entry, node)
            )

    def _matching(self, entry: Entry, node: n.Matching) -> c.Matching:
        params = self._params(node.params)
        scope = Scope({p.name: p.type for p in params})
        items = self.e.collection(node.items, scope)
        targets = self.e.collection(node.targets, scope)
        one = scope.plus(**{node.item: items.type.of or t.ANY})
        other = scope.plus(**{node.target: targets.type.of or t.ANY})
        idle = self.e.flag(node.idle, one) if node.idle is not None else None
        empty = self.e.flag(node.empty, other) if node.empty is not None else None
        return c.Matching(
            name=node.name,
            case=entry.case,
            params=params,
            item=node.item,
            items=items,
            target=node.target,
            targets=targets,
            groups=node.groups,
            rules=self._rules_of(node.name),
            idle=idle,
            empty=empty,
            more_helps=node.more_helps,
            covers=entry.covers,
            span=node.span,
        )


def renamed(e: c.Expr, names: dict[str, str]) -> c.Expr:
    """An expression with some of its free names exchanged for others."""
    if not names:
        return e
    if isinstance(e, c.Local):
        return replace(e, name=names.get(e.name, e.name))
    if not isinstance(e, c.Tested | c.Filter | c.Folded) or e.inner is None:
        return e.with_args(tuple(renamed(a, names) for a in e.args))
    var, inner = e.var, {k: v for k, v in names.items() if k != e.var}
    if var in inner.values():
        inner[var] = var = f"{var}_here"
    return replace(e, var=var).with_args((renamed(e.base, names), renamed(e.inner, inner)))


def rename_rule(rule: c.Rule, names: dict[str, str]) -> c.Rule:
    """A rule inherited by a route whose parameters have other names."""
    if not names:
        return rule

    def waiver(w: c.Waiver) -> c.Waiver:
        guard = renamed(w.guard, names) if w.guard is not None else None
        return replace(w, guard=guard, waivers=tuple(map(waiver, w.waivers)))

    guard = renamed(rule.guard, names) if rule.guard is not None else None
    return replace(rule, test=renamed(rule.test, names), guard=guard, waivers=tuple(map(waiver, rule.waivers)))


def rename_local(e: c.Expr, old: str, new: str) -> c.Expr:
    if isinstance(e, c.Local) and e.name == old:
        return replace(e, name=new)
    return e.with_args(tuple(rename_local(a, old, new) for a in e.args))


def uses_only(stmt: c.Stmt, names: set[str]) -> bool:
    bound: set[str] = set()
    for arg in stmt.args:
        for e in arg.walk():
            if isinstance(e, c.Loop):
                bound.add(e.var)
    return all(e.name in names | bound for arg in stmt.args for e in arg.walk() if isinstance(e, c.Local))


def put_for(e: c.Expr, var: str, name: str) -> c.Expr:
    """An expression with another name for a variable, where it is not bound anew."""
    if isinstance(e, c.Local) and e.name == var:
        return replace(e, name=name)
    if isinstance(e, c.Loop) and e.var == var:
        return e.with_args((put_for(e.base, var, name), *e.args[1:]))
    return e.with_args(tuple(put_for(a, var, name) for a in e.args))


def is_path(e: c.Expr) -> bool:
    """Whether this is the path that a rule of a route judges."""
    return isinstance(e, c.Local) and e.name == "path"


def mentions_path(e: c.Expr | None) -> bool:
    return e is not None and any(is_path(x) for x in e.walk())


def every_step(rule: c.Rule) -> tuple[str, c.Expr] | None:
    """What a rule requires of each place of a path by itself: `every steps(path) has …`, `no steps(path) where …`."""
    if rule.sort != "require":
        return None
    match rule.test:
        case c.EveryOf(base=c.BuiltinCall(name="steps", asked=(walked,)), test=wanted, var=var) if wanted is not None:
            bad = False
        case c.Not(value=c.AnyOf(base=c.BuiltinCall(name="steps", asked=(walked,)), test=wanted, var=var)) if (
            wanted is not None
        ):
            bad = True
        case _:
            return None
    if not is_path(walked):
        return None
    waived = any(mentions_path(x) for w in rule.waivers for x in waiver_exprs(w))
    if waived or mentions_path(wanted) or mentions_path(rule.guard):
        return None
    return var, c.Not(wanted, type=t.FLAG, span=wanted.span) if bad else wanted


def on_each_step(rule: c.Rule) -> c.Rule | None:
    """The same requirement as a ban on single steps, so that a search can keep to it as it goes."""
    found = every_step(rule)
    if found is None:
        return None
    var, wanted = found
    span = rule.span
    wrong = [c.Not(put_for(wanted, var, x), type=t.FLAG, span=span) for x in ("here", "there")]
    test: c.Expr = c.Or(wrong[0], wrong[1], type=t.FLAG, span=span)
    if rule.guard is not None:
        test = c.And(rule.guard, test, type=t.FLAG, span=span)
    return replace(rule, id=f"{rule.id} on each step", sort="forbid", test=test, guard=None)


def path_needs(rules: tuple[c.Rule, ...]) -> tuple[str, ...]:
    """What a search must track so that conditions on the whole path can be checked at its end."""
    required = [r for r in rules if r.sort == "require" and every_step(r) is None]
    tops = [top for r in required for top in (r.test, r.guard) if top is not None]
    uses = sum(is_path(e) for top in tops for e in top.walk())
    simple = [about_path(e) for top in tops for e in top.walk() if about_path(e)]
    return tuple(sorted({*simple, *(["path"] if uses != len(simple) else [])}))


def about_path(e: c.Expr) -> str:
    """What is asked of the path that a search knows without keeping it: its start, its last place, its length."""
    if isinstance(e, c.BuiltinCall) and e.name in ("last", "length", "start") and is_path(e.asked[0]):
        return e.name
    return ""
