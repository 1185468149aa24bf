"""Elaborate declarations: from entries to the core.

In:  the entries of one rule set and the symbols they declare.
Out: the book in the core, each declaration with its case, exceptions and waivers in place.
Reports: RW204 an exception to nothing, RW301 a definition that may have no value, and what the
         expressions and statements find.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose, did_you_mean
from rulewright.dsl.source import Span

from . import core as c
from . import types as t
from .collect import Entry
from .depends import waiver_exprs
from .expressions import Expressions
from .read_data import read_scenario
from .read_table import read_table
from .schema import Line
from .scope import Scope, Symbols
from .statements import Statements
from .types import Type

STEP = {"here": t.PLACE, "there": t.PLACE, "crossing": t.HEXSIDE}
EVENTS: dict[str, tuple[Type, ...]] = {
    "enter": (t.UNIT, t.PLACE),
    "leave": (t.UNIT, t.PLACE),
    "halted": (t.UNIT, t.PLACE),
    "cross": (t.UNIT, t.HEXSIDE, t.PLACE),
}


@dataclass(slots=True)
class LayerDraft:
    """A layer under construction: others may still come to defeat it."""

    entry: Entry
    name: str
    scope: Scope
    type: Type
    body: n.Body
    span: Span
    id: str = ""
    exceptions: list[LayerDraft] = field(default_factory=list)
    outranks: list[LayerDraft] = field(default_factory=list)
    waivers: list[WaiverDraft] = field(default_factory=list)
    stage: str = ""
    total: bool = False
    keep: Type | None = None


@dataclass(slots=True)
class RuleDraft:
    entry: Entry
    node: n.Rule
    target: str
    scope: Scope
    waivers: list[WaiverDraft] = field(default_factory=list)
    id: str = ""


@dataclass(slots=True)
class WaiverDraft:
    entry: Entry
    node: n.Waive
    scope: Scope
    waivers: list[WaiverDraft] = field(default_factory=list)
    id: str = ""


@dataclass(slots=True)
class OtherDraft:
    """A duty or a trigger, which waivers may name."""

    entry: Entry
    name: str
    scope: Scope
    waivers: list[WaiverDraft] = field(default_factory=list)


Waivable = LayerDraft | RuleDraft | WaiverDraft | OtherDraft


def elaborate(
    entries: list[Entry], symbols: Symbols, scenarios: list[tuple[Entry, dict[str, list[Line]]]], report: Reporter
) -> c.Book:
    """The whole book in the core."""
    return Elaborator(entries, symbols, report).run(scenarios)


class Elaborator:
    def __init__(self, entries: list[Entry], symbols: Symbols, report: Reporter) -> None:
        self.entries = entries
        self.symbols = symbols
        self.book = symbols.book
        self.report = report
        self.e = Expressions(symbols, report)
        self.layers: dict[str, LayerDraft] = {}
        self.drafts: list[LayerDraft] = []
        self.added: dict[str, list[LayerDraft]] = {}
        self.rules: dict[str, list[RuleDraft]] = {}
        self.waivers: list[WaiverDraft] = []
        self.others: list[OtherDraft] = []
        self.counts: dict[str, int] = {}

    def run(self, scenarios: list[tuple[Entry, dict[str, list[Line]]]]) -> c.Book:
        self._draft_bases()
        self._draft_rules()
        self._draft_others()
        self._draft_exceptions()
        self._draft_waivers()
        self._build_definitions()
        self._build_tables()
        self._build_routes()
        self._build_matchings()
        self._build_play()
        for entry, lines in scenarios:
            self.report.case = entry.case
            made = read_scenario(entry, lines, self.symbols, self.report)
            if made is not None:
                self.book.scenarios[made.name] = made
        self._build_examples()
        self.report.case = ""
        return self.book

    # ------------------------------------------------------------ drafting

    def _id(self, case: str, name: str) -> str:
        key = f"{case} {name}"
        self.counts[key] = self.counts.get(key, 0) + 1
        return key if self.counts[key] == 1 else f"{key} ({self.counts[key]})"

    def _base(self, entry: Entry, name: str, scope: Scope, type: Type, body: n.Body, total: bool = True) -> None:
        draft = LayerDraft(entry, name, scope, type, body, body.span, total=total)
        draft.id = self._id(entry.case, name)
        self.layers[name] = draft
        self.drafts.append(draft)

    def _draft_bases(self) -> None:
        for entry in self.entries:
            node = entry.node
            match node:
                case n.Define() | n.Quota():
                    signature = self.symbols.callables.get(node.name)
                    if signature is None or signature.entry is not entry:
                        continue
                    scope = Scope({p.name: p.type for p in signature.params})
                    self._base(entry, node.name, scope, signature.type, node.body)
                case n.Remember():
                    signature = self.symbols.callables.get(node.name)
                    if signature is None or signature.entry is not entry:
                        continue
                    scope = Scope({p.name: p.type for p in signature.params})
                    type = t.FLAG if node.how in ("ever", "counting") else signature.type
                    self._base(entry, node.name, scope, type, node.body)
                    if node.how == "always":
                        self.layers[node.name].keep = signature.type
                case n.Route():
                    scope = self._route_scope(node.name)
                    for facet in node.facets:
                        if facet.name == "over":
                            continue
                        inner = scope.plus(**STEP) if facet.name in ("leave", "cross", "enter") else scope
                        type = t.NUMBER if facet.name in ("budget", "leave", "cross", "enter") else t.set_of(t.PLACE)
                        if node.like is not None:
                            inner = Scope(inner.locals, type)
                        self._base(entry, f"{node.name}.{facet.name}", inner, type, facet.body)
                case _:
                    pass

    def _route_scope(self, name: str) -> Scope:
        signature = self.symbols.callables.get(name)
        params = signature.params if signature is not None else ()
        return Scope({p.name: p.type for p in params})

    def _draft_rules(self) -> None:
        for entry in self.entries:
            node = entry.node
            self.report.case = entry.case
            if isinstance(node, n.Rule):
                target = node.target or ""
                scope = self._target_scope(target, node.sort)
                if scope is None:
                    known = [
                        *self.symbols.actions,
                        *(s.name for s in self.symbols.callables.values() if s.sort in ("route", "matching")),
                    ]
                    self.report.error(
                        "RW201",
                        node.span,
                        f'there is no action or route "{target}" to {node.sort}',
                        help=did_you_mean(target, known) or "declare the action or route first",
                    )
                    continue
                self._rule(entry, node, target, scope)
            elif isinstance(node, n.Route):
                for rule in node.rules:
                    scope_ = self._target_scope(node.name, rule.sort)
                    if scope_ is not None:
                        self._rule(entry, rule, node.name, scope_)
            elif isinstance(node, n.Matching):
                item, target_, _ = self._matched(node)
                self.symbols.matchings[node.name] = (item, target_, node.groups)
                for rule in node.rules:
                    self._rule(entry, rule, node.name, self._matching_scope(node, rule.sort))
            elif isinstance(node, n.Action):
                scope_ = self._target_scope(node.name, "forbid")
                assert scope_ is not None
                for guard in node.guards:
                    rule = n.Rule(sort="require", target=node.name, label=None, tests=((guard, None),), span=guard.span)
                    self._rule(entry, rule, node.name, scope_)

    def _rule(self, entry: Entry, node: n.Rule, target: str, scope: Scope) -> None:
        draft = RuleDraft(entry, node, target, scope, id=self._id(entry.case, node.label or target))
        self.rules.setdefault(target, []).append(draft)

    def _target_scope(self, name: str, sort: str) -> Scope | None:
        if name in self.symbols.actions:
            params = self.symbols.actions[name].params
            return Scope({**{p.name: p.type for p in params}, "actor": t.SIDE})
        signature = self.symbols.callables.get(name)
        if signature is not None and signature.sort == "route":
            scope = self._route_scope(name)
            return scope.plus(path=t.PATH) if sort == "require" else scope.plus(**STEP)
        if signature is not None and signature.sort == "matching" and sort != "stop":
            node = next((e.node for e in self.entries if isinstance(e.node, n.Matching) and e.node.name == name), None)
            return self._matching_scope(node, sort) if node is not None else None
        return None

    def _matched(self, node: n.Matching) -> tuple[Type, Type, dict[str, Type]]:
        """What a matching assigns, to what, and its parameters."""
        base = {p.name: p.type for p in self.symbols.callables[node.name].params}
        items = self.e.collection(node.items, Scope(base))
        targets = self.e.collection(node.targets, Scope(base))
        return items.type.of or t.ANY, targets.type.of or t.ANY, base

    def _matching_scope(self, node: n.Matching, sort: str) -> Scope:
        """A rule of a matching speaks of a pair, or of a group and what is assigned to it."""
        item, target, base = self._matched(node)
        if sort == "require":
            more = {"group": t.set_of(target), "assigned": t.set_of(item), "unassigned": t.set_of(item)}
            return Scope({**base, **more, node.target: target})
        return Scope({**base, node.item: item, node.target: target})

    def _draft_others(self) -> None:
        for entry in self.entries:
            node = entry.node
            self.report.case = entry.case
            if isinstance(node, n.Duty):
                scope = Scope({})
                if node.var is not None and node.domain is not None:
                    domain = self.e.collection(node.domain, scope)
                    scope = scope.plus(**{node.var: domain.type.of or t.ANY})
                self.others.append(OtherDraft(entry, node.name, scope))
            elif isinstance(node, n.Trigger):
                params = self._event_params(node)
                name = node.event.name if node.event is not None else ""
                self.others.append(OtherDraft(entry, name, Scope({p.name: p.type for p in params})))

    def _draft_exceptions(self) -> None:
        made: list[tuple[LayerDraft, n.Except]] = []
        for entry in self.entries:
            node = entry.node
            self.report.case = entry.case
            if isinstance(node, n.Add):
                name = node.name if node.facet is None else f"{node.name}.{node.facet}"
                base = self.layers.get(name)
                if base is None:
                    self.report.error(
                        "RW204",
                        node.span,
                        f'there is nothing called "{name}" to add to',
                        help=did_you_mean(name, self.layers) or "declare it with gather",
                    )
                    continue
                draft = LayerDraft(entry, name, base.scope, base.type, node.body, node.span, stage=node.stage or "")
                draft.id = self._id(entry.case, name)
                self.added.setdefault(name, []).append(draft)
                self.drafts.append(draft)
            elif isinstance(node, n.Except):
                found = self._exception(entry, node)
                if found is not None:
                    made.append((found, node))
        for draft, node in made:
            self._attach(draft, node)

    def _exception(self, entry: Entry, node: n.Except) -> LayerDraft | None:
        target = node.target
        name = target.name
        if name is None:
            names = {d.name for d in self.drafts if d.entry.case in target.cases}
            names |= {d.name for d in self.layers.values() if d.entry.case in target.cases}
            if len(names) != 1:
                self._no_target(entry, node.target, names)
                return None
            name = names.pop()
        elif target.facet is not None:
            name = f"{name}.{target.facet}"
        base = self.layers.get(name)
        if base is None:
            self._no_target(entry, node.target, set(self.layers))
            return None
        scope = Scope(base.scope.locals, base.type, base.keep)
        draft = LayerDraft(entry, name, scope, base.type, node.body, node.span)
        draft.id = self._id(entry.case, name)
        self.drafts.append(draft)
        return draft

    def _attach(self, draft: LayerDraft, node: n.Except) -> None:
        self.report.case = draft.entry.case
        hit: list[LayerDraft] = []
        for case in node.target.cases:
            found = [d for d in self.drafts if d.name == draft.name and d.entry.case == case and d is not draft]
            if not found:
                self._no_target(draft.entry, n.Target(cases=(case,), name=draft.name, span=node.target.span), set())
            hit += found
        if not hit:
            return
        parent = hit[0]
        parent.exceptions.append(draft)
        for other in hit[1:]:
            draft.outranks.append(other)

    def _no_target(self, entry: Entry, target: n.Target, names: set[str]) -> None:
        what = " ".join(filter(None, (", ".join(target.cases), target.name)))
        where = [d.entry.case for d in self.drafts if d.name == target.name and d.entry is not entry]
        if where:
            help = f"{target.name} is declared in case {', '.join(sorted(set(where)))}"
        elif target.name is not None:
            help = (
                did_you_mean(target.name, {d.name for d in self.drafts})
                or "name the case and the declaration it defeats"
            )
        else:
            help = "that case declares " + (", ".join(sorted(names)) or "nothing") + "; name one: except CASE NAME: …"
        self.report.error(
            "RW204", target.span, f'there is no "{what}" to make an exception to', help=help, case=entry.case
        )

    def _draft_waivers(self) -> None:
        pending = [e for e in self.entries if isinstance(e.node, n.Waive)]
        for _ in range(4):
            rest = []
            for entry in pending:
                if not self._waive(entry):
                    rest.append(entry)
            pending = rest
        for entry in pending:
            assert isinstance(entry.node, n.Waive)
            target = entry.node.target
            what = " ".join(filter(None, (", ".join(target.cases), target.name)))
            known = sorted({r.entry.case for rules in self.rules.values() for r in rules})
            self.report.error(
                "RW204",
                entry.node.span,
                f'there is no rule "{what}" to waive',
                help=did_you_mean(target.cases[0], known)
                or "name the case of a forbid, require, stop, duty or exception",
                case=entry.case,
            )

    def _waive(self, entry: Entry) -> bool:
        node = entry.node
        assert isinstance(node, n.Waive)
        target = node.target
        hit: list[Waivable] = []
        named = f"{target.name}.{target.facet}" if target.facet else target.name
        for rules in self.rules.values():
            for r in rules:
                if r.entry.case in target.cases and named in (None, r.node.label, r.target):
                    hit.append(r)
        for o in self.others:
            if o.entry.case in target.cases and named in (None, o.name):
                hit.append(o)
        for d in self.drafts:
            if d.entry.case in target.cases and named is not None and named == d.name and not d.total:
                hit.append(d)
        for w in self.waivers:
            if w.entry.case in target.cases and w.entry is not entry and (named is None or not hit):
                hit.append(w)
        hit = [h for h in hit if getattr(h, "entry", None) is not entry]
        if not hit:
            return False
        for h in hit:
            draft = WaiverDraft(entry, node, h.scope, id=self._id(entry.case, "waive"))
            h.waivers.append(draft)
            self.waivers.append(draft)
        return True

    # ------------------------------------------------------------ building

    def _under(self, entry: Entry, scope: Scope, guard: c.Expr | None, span: Span) -> c.Expr | None:
        """The guard, joined with the `under` conditions that the entry stands in."""
        parts = [self.e.flag(u, scope) for u in entry.under]
        if guard is not None:
            parts.append(guard)
        if not parts:
            return None
        return reduce(lambda a, b: c.Expr("and", (a, b), t.FLAG, span), parts)

    def _waiver(self, draft: WaiverDraft) -> c.Waiver:
        self.report.case = draft.entry.case
        guard = self.e.flag(draft.node.guard, draft.scope) if draft.node.guard is not None else None
        return c.Waiver(
            id=draft.id,
            case=draft.entry.case,
            overlay=draft.entry.overlay,
            guard=self._under(draft.entry, draft.scope, guard, draft.node.span),
            waivers=tuple(self._waiver(w) for w in draft.waivers),
            covers=draft.entry.covers,
            span=draft.node.span,
        )

    def _layer(self, draft: LayerDraft) -> c.Layer:
        entry = draft.entry
        self.report.case = entry.case
        scope = Scope(draft.scope.locals, draft.scope.usual, draft.keep)
        lets = []
        for let in draft.body.lets:
            value = self.e._expr(let.value, scope, None)
            lets.append((let.name, value))
            scope = scope.plus(**{let.name: value.type})
        clauses = []
        expected = draft.type
        for clause in draft.body.clauses:
            if draft.name.endswith((".from", ".to", ".jump")):
                value = self._places(clause.value, scope)
            else:
                value = self.e.expr(clause.value, scope, t.NUMBER if clause.operation else expected)
            guard = self.e.flag(clause.guard, scope) if clause.guard is not None else None
            if not draft.total:
                guard = self._under(entry, scope, guard, clause.span)
            clauses.append(c.Clause(value=value, guard=guard, span=clause.span, operation=clause.operation))
        if draft.total and clauses and all(x.guard is not None for x in clauses) and draft.keep is None:
            nothing = {"number": None, "flag": False}
            if draft.type == t.FLAG or (draft.type.many and draft.name):
                empty: Any = nothing["flag"] if draft.type == t.FLAG else ()
                value = c.Expr("const", (), draft.type, draft.span, empty)
                if draft.type == t.FLAG:
                    clauses.append(c.Clause(value=value, guard=None, span=draft.span))
                else:
                    self._not_total(draft)
            else:
                self._not_total(draft)
        for early in clauses[:-1]:
            if early.guard is None:
                self.report.error(
                    "RW302",
                    early.span,
                    "the clauses after this one are never reached",
                    help="give it a when, or move it last",
                )
        return c.Layer(
            id=draft.id,
            case=entry.case,
            overlay=entry.overlay,
            house=entry.house,
            lets=tuple(lets),
            clauses=tuple(clauses),
            exceptions=tuple(self._layer(x) for x in draft.exceptions),
            outranks=tuple(x.id for x in draft.outranks),
            waivers=tuple(self._waiver(w) for w in draft.waivers),
            covers=entry.covers,
            span=draft.span,
        )

    def _places(self, node: n.Expr, scope: Scope) -> c.Expr:
        """Where a route begins or ends: a set of places, or a single one."""
        value = self.e._expr(node, scope, t.set_of(t.PLACE))
        if value.type.plain == t.PLACE:
            return c.Expr("setlit", (value,), t.set_of(t.PLACE), node.span)
        if not t.fits(value.type, t.set_of(t.PLACE)):
            self.report.error(
                "RW211", node.span, f"this is a {value.type}, where places are needed", help=self.e.say(t.PLACE)
            )
        return value

    def _not_total(self, draft: LayerDraft) -> None:
        self.report.error(
            "RW301",
            draft.entry.node.span.find(draft.name.rpartition(".")[2]),
            f'"{draft.name}" may have no value: every clause has a condition',
            help="end it with: VALUE otherwise",
        )

    def _definition(self, name: str, params: tuple[c.Param, ...], sort: str, stages: tuple[n.Stage, ...] = ()) -> None:
        draft = self.layers[name]
        gathered = name in self.added or (isinstance(draft.entry.node, n.Define) and draft.entry.node.gathered)
        if draft.entry.house:
            self.book.house.append((name, draft.entry.case, draft.span))
        made = []
        names = {s.name for s in stages}
        for add in self.added.get(name, []):
            layer = self._layer(add)
            stage = add.stage
            if stages and stage not in names:
                self.report.error(
                    "RW208",
                    add.span,
                    f'"{name}" is reckoned in steps; this does not say in which',
                    help=f"write add to {name} in STEP: …; its steps: " + ", ".join(s.name for s in stages),
                    case=add.entry.case,
                )
            made.append(c.Contribution(stage=stage, layer=layer))
        self.report.case = draft.entry.case
        self.book.definitions[name] = c.Definition(
            name=name,
            params=params,
            type=draft.type,
            base=self._layer(draft),
            gathered=gathered,
            stages=tuple(self._stage(s, draft.scope) for s in stages),
            contributions=tuple(made),
            sort=sort,
        )

    def _stage(self, node: n.Stage, scope: Scope) -> c.Stage:
        found: dict[str, Any] = {}
        for rule in node.rules:
            if rule.sort == "round":
                if rule.value not in ("up", "down", "nearest"):
                    self.report.error(
                        "RW208", rule.span, f'a step cannot round "{rule.value}"', help="round up, down or nearest"
                    )
                found["round"] = str(rule.value)
            elif rule.sort == "once":
                found["once"] = True
            elif rule.value is not None and not isinstance(rule.value, str):
                found[rule.sort] = self.e.number(rule.value, scope)
        return c.Stage(name=node.name, **found)

    def _build_definitions(self) -> None:
        for entry in self.entries:
            node = entry.node
            self.report.case = entry.case
            match node:
                case n.Define() if self._mine(entry, node.name):
                    params = self._params(node.params)
                    self._definition(node.name, params, "define", node.body.stages)
                case n.Quota() if self._mine(entry, node.name):
                    params = self._params(node.params)
                    self._definition(node.name, params, "quota")
                    self.book.quotas[node.name] = c.Quota(
                        name=node.name,
                        case=entry.case,
                        per=node.per,
                        definition=self.book.definitions[node.name],
                        covers=entry.covers,
                        span=node.span,
                    )
                    for per in node.per:
                        if per not in self.book.phases:
                            self.report.error(
                                "RW201",
                                node.span,
                                f'no sequence has a phase "{per}"',
                                help=choose(per, self.book.phases, "phases"),
                            )
                case n.Remember() if self._mine(entry, node.name):
                    self._memory(entry, node)
                case n.Grow() if self._mine(entry, node.name):
                    params = self._params(node.params)
                    scope = Scope({p.name: p.type for p in params})
                    domain = self.e.collection(node.domain, scope)
                    test = self.e.flag(node.test, scope.plus(it=domain.type.of or t.ANY))
                    self.book.grows[node.name] = c.Grow(
                        name=node.name,
                        case=entry.case,
                        params=params,
                        type=self.symbols.callables[node.name].type,
                        domain=domain,
                        test=test,
                        covers=entry.covers,
                        span=node.span,
                    )
                case _:
                    pass

    def _mine(self, entry: Entry, name: str) -> bool:
        signature = self.symbols.callables.get(name)
        return signature is not None and signature.entry is entry

    def _params(self, params: tuple[n.Param, ...], **known: Type) -> tuple[c.Param, ...]:
        found: list[c.Param] = []
        for p in params:
            scope = Scope({**known, **{x.name: x.type for x in found}})
            type = self.symbols.type(p.type, self.report)
            domain = None
            if p.domain is not None:
                many = type if type.many else t.set_of(type)
                domain = self.e.expr(p.domain, scope, many)
            found.append(c.Param(name=p.name, type=type, domain=domain))
        return tuple(found)

    def _memory(self, entry: Entry, node: n.Remember) -> None:
        params = self._params(node.params)
        for p in params:
            if p.domain is None and p.type.plain not in (t.UNIT, t.PLACE) and p.type.sort != "kind":
                self.report.error(
                    "RW209",
                    node.span,
                    f'there is no end of values for "{p.name}" to remember something about',
                    help=f"name them: {p.name}: {p.type} from SET",
                )
        self._definition(node.name, params, "memory")
        event = None
        if node.event is not None:
            event = (node.event.sort, node.event.name)
            if node.event.sort in ("start", "end") and node.event.name not in self.book.phases:
                self.report.error(
                    "RW201",
                    node.event.span,
                    f'no sequence has a phase "{node.event.name}"',
                    help=choose(node.event.name, self.book.phases, "phases"),
                )
        type = self.symbols.callables[node.name].type
        start: Any = (
            None if type.absent else 0 if type == t.NUMBER else False if type == t.FLAG else () if type.many else None
        )
        how = {"at_event": "at"}.get(node.how, node.how)
        self.book.memories[node.name] = c.Memory(
            name=node.name,
            case=entry.case,
            how=how,
            event=event,
            definition=self.book.definitions[node.name],
            start=start,
            covers=entry.covers,
            span=node.span,
        )

    def _build_tables(self) -> None:
        for entry in self.entries:
            node = entry.node
            if not isinstance(node, n.Table) or not self._mine(entry, node.name):
                continue
            self.report.case = entry.case
            params = self._params(node.params)
            type = self.symbols.callables[node.name].type
            cells, clamps = read_table(node, params, type, self.symbols, self.report)
            if entry.house:
                self.book.house.append((node.name, entry.case, node.span))
            self.book.tables[node.name] = c.Table(
                name=node.name,
                case=entry.case,
                house=entry.house,
                overlay=entry.overlay,
                params=params,
                type=type,
                clamps=clamps,
                cells=cells,
                covers=entry.covers,
                span=node.span,
            )

    def _rules_of(self, target: str) -> tuple[c.Rule, ...]:
        made = []
        for draft in self.rules.get(target, []):
            made += self._build_rule(draft)
        return tuple(made)

    def _build_rule(self, draft: RuleDraft) -> list[c.Rule]:
        entry, node = draft.entry, draft.node
        self.report.case = entry.case
        waivers = tuple(self._waiver(w) for w in draft.waivers)
        made = []
        for i, (test, guard) in enumerate(node.tests):
            wanted = self.e.flag(test, draft.scope) if test is not None else None
            condition = self.e.flag(guard, draft.scope) if guard is not None else None
            condition = self._under(entry, draft.scope, condition, node.span)
            if node.sort == "require":
                assert wanted is not None
            else:
                wanted = condition if condition is not None else c.Expr("const", (), t.FLAG, node.span, True)
                condition = None
            made.append(
                c.Rule(
                    id=draft.id if i == 0 else f"{draft.id} [{i + 1}]",
                    sort=node.sort,
                    label=node.label or "",
                    case=entry.case,
                    overlay=entry.overlay,
                    test=wanted,
                    guard=condition,
                    waivers=waivers,
                    covers=entry.covers,
                    span=node.span,
                )
            )
        return made

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
            params = self._params(node.params)
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
                self._definition(full, (*params, *extra), "facet")
                if parent is not None and facet.name in parent.facets:
                    self.book.definitions[full] = self._usual_from(
                        self.book.definitions[full], parent.facets[facet.name]
                    )
                elif parent is not None:
                    self._no_usual(self.book.definitions[full].base, parent.name, facet.name)
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
                needs=path_needs(rules, self.report),
                covers=entry.covers,
                span=node.span,
            )
            done[name] = route
            return route

        for name in nodes:
            made = build(name, ())
            if made is not None:
                self.book.routes[name] = made

    def _no_usual(self, layer: c.Layer, parent: str, facet: str) -> None:
        """`usual` in a facet that the other route does not have stands for nothing."""
        values = [value for _, value in layer.lets]
        values += [x for clause in layer.clauses for x in (clause.value, clause.guard) if x is not None]
        for e in (e for top in values for e in top.walk() if e.op == "usual"):
            self.report.error(
                "RW201",
                e.span,
                f'there is no usual {facet}: the route "{parent}" has none',
                help=f"give {parent} a line {facet}: …, or state the value here",
            )

    def _usual_from(self, definition: c.Definition, parent: str) -> c.Definition:
        """`usual` in a facet of a route that is like another means the other route's facet."""
        args = tuple(c.Expr("local", (), p.type, definition.base.span, p.name) for p in definition.params)

        def swap(e: c.Expr) -> c.Expr:
            if e.op == "usual":
                return c.Expr("call", args, e.type, e.span, parent)
            return replace(e, args=tuple(swap(a) for a in e.args))

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
            if isinstance(x, n.Binary) and x.op == "+":
                gather(x.left)
                gather(x.right)
            elif isinstance(x, n.Name):
                if x.id not in self.symbols.layers:
                    self.report.error(
                        "RW201",
                        x.span,
                        f'the map has no lines called "{x.id}"',
                        help=did_you_mean(x.id, self.symbols.layers) or "layers: " + ", ".join(self.symbols.layers),
                    )
                names.append(x.id)
            else:
                self.report.error(
                    "RW211",
                    x.span,
                    "this is no layer of the map",
                    help="a route runs over land, or lines of the map, joined by +",
                )

        gather(value)
        return tuple(names), test

    def _leg(self, node: n.Leg, scope: Scope) -> c.Leg:
        e = self.e._expr(node.call, scope, None)
        if e.op != "route":
            self.report.error("RW211", node.span, "a leg is a route", help="write legs: maybe road(u) then rail(u)")
        return c.Leg(sort=node.sort, route=str(e.info), args=e.args)

    def _build_matchings(self) -> None:
        for entry in self.entries:
            node = entry.node
            if not isinstance(node, n.Matching) or not self._mine(entry, node.name):
                continue
            self.report.case = entry.case
            params = self._params(node.params)
            scope = Scope({p.name: p.type for p in params})
            items = self.e.collection(node.items, scope)
            targets = self.e.collection(node.targets, scope)
            one = scope.plus(**{node.item: items.type.of or t.ANY})
            other = scope.plus(**{node.target: targets.type.of or t.ANY})
            idle = self.e.flag(node.idle, one) if node.idle is not None else None
            empty = self.e.flag(node.empty, other) if node.empty is not None else None
            self.book.matchings[node.name] = c.Matching(
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

    # ------------------------------------------------------------ play

    def _procedure(
        self, entry: Entry, name: str, params: tuple[c.Param, ...], body: tuple[n.Stmt, ...], sort: str, span: Span
    ) -> c.Procedure:
        scope = Scope({p.name: p.type for p in params})
        if sort == "action":
            scope = scope.plus(actor=t.SIDE)
        statements = Statements(self.e, entry.case)
        return c.Procedure(
            name=name,
            case=entry.case,
            params=params,
            body=statements.block(body, scope),
            sort=sort,
            overlay=entry.overlay,
            covers=entry.covers,
            span=span,
        )

    def _build_play(self) -> None:
        for entry in self.entries:
            node = entry.node
            self.report.case = entry.case
            match node:
                case n.Procedure():
                    if self.symbols.procedures[node.name].entry is not entry:
                        continue
                    sort = "sequence" if node.sequence else "procedure"
                    self.book.procedures[node.name] = self._procedure(
                        entry, node.name, self._params(node.params), node.body, sort, node.span
                    )
                case n.Action():
                    if self.symbols.actions[node.name].entry is entry:
                        self._action(entry, node)
                case n.Invariant():
                    self.book.invariants[node.name] = c.Invariant(
                        name=node.name, case=entry.case, test=self.e.flag(node.test, Scope({})), span=node.span
                    )
                case n.Duty():
                    self._duty(entry, node)
                case n.Trigger():
                    self._trigger(entry, node)
                case _:
                    pass
        self._order_triggers()
        for entry in self.entries:
            if isinstance(entry.node, n.Instead):
                self.report.case = entry.case
                self._instead(entry, entry.node)

    def _action(self, entry: Entry, node: n.Action) -> None:
        params = self._params(node.params, actor=t.SIDE)
        scope = Scope({p.name: p.type for p in params}).plus(actor=t.SIDE)
        by = self.e._expr(node.by, Scope({}), None)
        if not t.fits(by.type, t.SIDE) and not t.fits(by.type, t.set_of(t.SIDE)):
            self.report.error(
                "RW211",
                node.by.span,
                f"a side takes an action; this is a {by.type}",
                help="write by phasing, or by a side",
            )
        for phase in node.phases:
            if phase not in self.book.phases:
                self.report.error(
                    "RW201",
                    node.span,
                    f'no sequence has a phase "{phase}"',
                    help=choose(phase, self.book.phases, "phases"),
                )
        procedure = self._procedure(entry, node.name, params, node.body, "action", node.span)
        spends = []
        for stmt in procedure.body:
            if stmt.op == "spend" and uses_only(stmt, {*scope.locals}):
                spends.append((str(stmt.info), stmt.args[1:], stmt.args[0]))
        under = self._under(entry, scope, None, node.span)
        rules = self._rules_of(node.name)
        if under is not None:
            gate = c.Rule(
                id=self._id(entry.case, node.name), sort="require", label="", case=entry.case, overlay=entry.overlay,
                test=under, guard=None, waivers=(), span=node.span,
            )  # fmt: skip
            rules = (gate, *rules)
        self.book.actions[node.name] = c.Action(
            name=node.name,
            case=entry.case,
            params=params,
            by=by,
            phases=node.phases,
            anytime=not node.phases,
            rules=rules,
            spends=tuple(spends),
            procedure=procedure,
            covers=entry.covers,
            span=node.span,
        )

    def _other(self, entry: Entry) -> OtherDraft:
        return next(o for o in self.others if o.entry is entry)

    def _duty(self, entry: Entry, node: n.Duty) -> None:
        draft = self._other(entry)
        domain = self.e.collection(node.domain, Scope({})) if node.domain is not None else None
        params: tuple[c.Param, ...] = ()
        if node.var is not None and domain is not None:
            params = (c.Param(name=node.var, type=domain.type.of or t.ANY),)
        for phase in node.phases:
            if phase not in self.book.phases:
                self.report.error(
                    "RW201",
                    node.span,
                    f'no sequence has a phase "{phase}"',
                    help=choose(phase, self.book.phases, "phases"),
                )
        test = self.e.flag(node.test, draft.scope)
        under = self._under(entry, draft.scope, None, node.span)
        if under is not None:
            test = c.Expr("or", (c.Expr("not", (under,), t.FLAG, node.span), test), t.FLAG, node.span)
        failing = None
        if node.failing is not None:
            failing = self._procedure(entry, f"{node.name} failing", params, node.failing, "failing", node.span)
        self.book.duties[node.name] = c.Duty(
            name=node.name,
            case=entry.case,
            var=node.var,
            domain=domain,
            phases=node.phases,
            test=test,
            waivers=tuple(self._waiver(w) for w in draft.waivers),
            failing=failing,
            covers=entry.covers,
            span=node.span,
        )

    def _event_params(self, node: n.Trigger) -> tuple[c.Param, ...]:
        event = node.event
        if event is None or event.sort in ("start", "end"):
            return ()
        if event.sort == "change":
            signature = self.symbols.callables.get(event.name)
            if signature is None or signature.sort not in ("remember", "define"):
                self.report.error(
                    "RW201",
                    event.span,
                    f'nothing remembered is called "{event.name}"',
                    help=choose(
                        event.name, [x for x, s in self.symbols.callables.items() if s.sort == "remember"], "memories"
                    ),
                )
                return ()
            return tuple(c.Param(name=x, type=p.type) for x, p in zip(event.params, signature.params, strict=False))
        if event.name in EVENTS and event.sort == "happens":
            types = EVENTS[event.name]
            if len(event.params) > len(types):
                self.report.error(
                    "RW212",
                    event.span,
                    f"{event.name} tells {len(types)} things",
                    help=f"write on {event.name}({', '.join('uhf'[: len(types)])})",
                )
            return tuple(c.Param(name=x, type=y) for x, y in zip(event.params, types, strict=False))
        signature = self.symbols.actions.get(event.name) or self.symbols.procedures.get(event.name)
        if signature is None:
            known = [*EVENTS, *self.symbols.actions, *self.symbols.procedures]
            self.report.error(
                "RW201",
                event.span,
                f'nothing that happens is called "{event.name}"',
                help=did_you_mean(event.name, known) or "name an action, a procedure, or one of: " + ", ".join(EVENTS),
            )
            return ()
        names = [p.name for p in signature.params]
        found = []
        for i, x in enumerate(event.params):
            at = names.index(x) if x in names else i
            if at < len(signature.params):
                found.append(c.Param(name=x, type=signature.params[at].type))
            else:
                self.report.error(
                    "RW212", event.span, f"{event.name} has {len(names)} parameters", help=", ".join(names)
                )
        return tuple(found)

    def _trigger(self, entry: Entry, node: n.Trigger) -> None:
        draft = self._other(entry)
        params = self._event_params(node)
        name = self._id(entry.case, "on " + (node.event.name if node.event is not None else "soon"))
        if node.event is not None:
            event = (node.event.sort, node.event.name)
            condition = node.guard
            if node.event.sort in ("start", "end") and node.event.name not in self.book.phases:
                self.report.error(
                    "RW201",
                    node.event.span,
                    f'no sequence has a phase "{node.event.name}"',
                    help=choose(node.event.name, self.book.phases, "phases"),
                )
        else:
            event = ("soon", name)
            condition = node.condition
        guard = self.e.flag(condition, draft.scope) if condition is not None else None
        procedure = self._procedure(entry, name, params, node.body, "trigger", node.span)
        made = c.Trigger(
            id=name,
            case=entry.case,
            event=event,
            params=params,
            guard=self._under(entry, draft.scope, guard, node.span),
            waivers=tuple(self._waiver(w) for w in draft.waivers),
            procedure=procedure,
            covers=entry.covers,
            span=node.span,
        )
        self.book.triggers.append(made)

    def _order_triggers(self) -> None:
        """Triggers stand in the order of the cases; `after` puts one behind those of another case."""
        triggers = self.book.triggers
        for entry in self.entries:
            node = entry.node
            if not isinstance(node, n.Trigger) or node.after is None:
                continue
            at = next(i for i, x in enumerate(triggers) if x.span == node.span and x.case == entry.case)
            others = [
                i for i, x in enumerate(triggers) if i != at and x.case == node.after and x.event == triggers[at].event
            ]
            if not others:
                self.report.error(
                    "RW204",
                    node.span,
                    f"case {node.after} has no trigger on this event to come after",
                    help="name a case that holds an on … of the same event, or strike after",
                    case=entry.case,
                )
            elif others[-1] > at:
                triggers.insert(others[-1], triggers.pop(at))

    def _instead(self, entry: Entry, node: n.Instead) -> None:
        target = node.target
        pools: list[tuple[str, c.Procedure]] = list(self.book.procedures.items())
        pools += [("action:" + k, a.procedure) for k, a in self.book.actions.items()]
        pools += [(f"trigger:{i}", x.procedure) for i, x in enumerate(self.book.triggers)]
        hit = [
            (key, p) for key, p in pools if p.case in target.cases and (target.name is None or p.name == target.name)
        ]
        if len(hit) != 1:
            known = [p.name for _, p in pools if p.case in target.cases]
            what = " ".join(filter(None, (", ".join(target.cases), target.name)))
            self.report.error(
                "RW204",
                node.span,
                f'"{what}" names {len(hit) or "no"} procedure{"s" if len(hit) != 1 else ""} to replace',
                help="that case declares: " + ", ".join(known)
                if known
                else choose(target.name or "", self.book.procedures, "procedures"),
            )
            return
        key, procedure = hit[0]
        scope = Scope({p.name: p.type for p in procedure.params})
        if procedure.sort == "action":
            scope = scope.plus(actor=t.SIDE)
        guard = self.e.flag(node.guard, scope) if node.guard is not None else None
        wrapper = c.Wrapper(
            id=self._id(entry.case, procedure.name),
            case=entry.case,
            guard=self._under(entry, scope, guard, node.span),
            body=Statements(self.e, entry.case, usual=True).block(node.body, scope),
            overlay=entry.overlay,
            covers=entry.covers,
            span=node.span,
        )
        changed = replace(procedure, wrappers=(wrapper, *procedure.wrappers))
        if key.startswith("action:"):
            name = key.removeprefix("action:")
            self.book.actions[name] = replace(self.book.actions[name], procedure=changed)
        elif key.startswith("trigger:"):
            i = int(key.removeprefix("trigger:"))
            self.book.triggers[i] = replace(self.book.triggers[i], procedure=changed)
        else:
            self.book.procedures[key] = changed

    # ------------------------------------------------------------ examples

    def _build_examples(self) -> None:
        for entry in self.entries:
            node = entry.node
            if isinstance(node, n.Example):
                self.report.case = entry.case
                lines = tuple(x for x in (self._example_line(line) for line in node.lines) if x is not None)
                self.book.examples.append(
                    c.Example(title=node.title, case=entry.case, lines=lines, covers=entry.covers, span=node.span)
                )

    def _example_line(self, line: n.ExampleLine) -> c.ExampleLine | None:
        scope = Scope({})
        exprs: tuple[c.Expr, ...] = ()
        info: Any = None
        sort = line.sort
        match sort:
            case "given_at":
                exprs = tuple(self.e._expr(v, scope, t.PLACE if i % 2 else t.UNIT) for i, v in enumerate(line.values))
            case "given_is":
                made = self._given(line, scope)
                if made is None:
                    return None
                info, exprs = made
            case "given_during" | "given_scenario":
                name = line.words[0]
                known: Any = self.book.phases if sort == "given_during" else self.book.scenarios
                if name not in known:
                    what = "phase" if sort == "given_during" else "scenario"
                    self.report.error(
                        "RW201", line.span, f'there is no {what} "{name}"', help=choose(name, known, what + "s")
                    )
            case "dice":
                exprs = tuple(self.e.number(v, scope) for v in line.values)
            case "draws":
                exprs = tuple(self.e._expr(v, scope, None) for v in line.values)
            case "expect" | "expect_conflict":
                exprs = (self.e._expr(line.values[0], scope, t.FLAG if sort == "expect" else None),)
            case "expect_asked":
                exprs = (self.e.expr(line.values[0], scope, t.SIDE),)
            case "expect_quiet":
                pass
            case "run":
                call = line.values[0]
                name = call.id if isinstance(call, n.Name) else call.name if isinstance(call, n.Call) else ""
                signature = self.symbols.procedures.get(name)
                if signature is None:
                    self.report.error(
                        "RW221",
                        line.span,
                        f'unknown procedure "{name}"',
                        help=choose(name, self.symbols.procedures, "procedures"),
                    )
                    return None
                as_call = call if isinstance(call, n.Call) else n.Call(name=name, arguments=(), span=call.span)
                info, exprs = name, self.e.arguments(as_call, signature.params, scope)
            case "play" | "refused" | "legal":
                made = self._choice(line, scope)
                if made is None:
                    return None
                info, exprs = made
        return c.ExampleLine(sort=sort, exprs=exprs, words=line.words, info=info, span=line.span)

    def _given(self, line: n.ExampleLine, scope: Scope) -> tuple[Any, tuple[c.Expr, ...]] | None:
        what, value = line.values
        if isinstance(what, n.Name) and what.id in self.book.bindings:
            return ("bind", what.id), (self.e.expr(value, scope, self.book.bindings[what.id]),)
        if isinstance(what, n.Name) and what.id in self.book.unclear:
            return ("reading", what.id), (self.e.expr(value, scope, Type("kind", what.id)),)
        if isinstance(what, n.Name) and ("game", what.id) in self.book.marks:
            return ("mark", ("game", what.id)), (self.e.expr(value, scope, self.book.marks["game", what.id].type),)
        if isinstance(what, n.Dot):
            base = self.e._expr(what.base, scope, None)
            owner = base.type.of if base.type.of is not None else base.type
            key = (owner.plain.name, what.name)
            if key in self.book.marks:
                return ("mark", key), (self.e.expr(value, scope, self.book.marks[key].type), base)
        if isinstance(what, n.Call | n.Name):
            name = what.id if isinstance(what, n.Name) else what.name
            if name in self.book.memories or name in self.book.quotas:
                inner = self.e._expr(what, scope, None)
                sort = "memory" if inner.op == "memory" else "spent"
                type = self.symbols.callables[name].type if sort == "memory" else t.NUMBER
                return (sort, name), (self.e.expr(value, scope, type), *inner.args)
        self.report.error(
            "RW220",
            line.span,
            "an example can give a mark, a name that a phase binds, something remembered, or a reading",
            help="units are placed with given UNIT at PLACE",
        )
        return None

    def _choice(self, line: n.ExampleLine, scope: Scope) -> tuple[Any, tuple[c.Expr, ...]] | None:
        side = self.e.expr(line.values[0], scope, t.SIDE)
        call = line.values[1]
        if isinstance(call, n.Name):
            call = n.Call(name=call.id, arguments=(), span=call.span)
        assert isinstance(call, n.Call)
        if call.name in ("done", "take_back"):
            return (call.name, "word"), (side,)
        if call.name in self.symbols.actions:
            params = []
            for p in self.symbols.actions[call.name].params:
                type = t.list_of(t.PLACE) if p.type == t.PATH else p.type
                params.append(c.Param(name=p.name, type=type))
            return (call.name, "action"), (side, *self.e.arguments(call, tuple(params), scope))
        asks = [a for a in self.book.asks if a.name == call.name]
        if not asks:
            known = [*self.symbols.actions, *(a.name for a in self.book.asks), "done"]
            self.report.error(
                "RW222",
                line.span,
                f'"{call.name}" is neither an action nor something that is asked',
                help=choose(call.name, known, "actions and answers"),
            )
            return None
        if len(call.arguments) != 1:
            self.report.error(
                "RW212", line.span, f'"{call.name}" is answered by one value', help=f"write {call.name}(ANSWER)"
            )
            return None
        type = asks[0].type
        expected = t.list_of(t.PLACE) if type == t.PATH else type
        return (call.name, "ask"), (side, self.e.expr(call.arguments[0].value, scope, expected))


BINDERS = ("filter", "any", "every", "count", "sum", "each", "each_of", "highest", "lowest")


def renamed(e: c.Expr, names: dict[str, str]) -> c.Expr:
    """An expression with some of its free names exchanged for others."""
    if not names:
        return e
    if e.op == "local":
        return replace(e, info=names.get(str(e.info), e.info))
    if e.op not in BINDERS or len(e.args) < 2:
        return replace(e, args=tuple(renamed(a, names) for a in e.args))
    var, inner = str(e.info), {k: v for k, v in names.items() if k != e.info}
    if var in inner.values():
        inner[var] = var = f"{var}_here"
    return replace(e, args=(renamed(e.args[0], names), *(renamed(a, inner) for a in e.args[1:])), info=var)


def rename_rule(rule: c.Rule, names: dict[str, str]) -> c.Rule:
    """A rule taken over by a route whose parameters are called otherwise."""
    if not names:
        return rule

    def waiver(w: c.Waiver) -> c.Waiver:
        guard = renamed(w.guard, names) if w.guard is not None else None
        return replace(w, guard=guard, waivers=tuple(map(waiver, w.waivers)))

    guard = renamed(rule.guard, names) if rule.guard is not None else None
    return replace(rule, test=renamed(rule.test, names), guard=guard, waivers=tuple(map(waiver, rule.waivers)))


def rename_local(e: c.Expr, old: str, new: str) -> c.Expr:
    if e.op == "local" and e.info == old:
        return replace(e, info=new)
    return replace(e, args=tuple(rename_local(a, old, new) for a in e.args))


def uses_only(stmt: c.Stmt, names: set[str]) -> bool:
    bound: set[str] = set()
    for arg in stmt.args:
        for e in arg.walk():
            if e.op in ("filter", "any", "every", "count", "sum", "each", "each_of", "highest", "lowest"):
                bound.add(str(e.info))
    return all(e.info in names | bound for arg in stmt.args for e in arg.walk() if e.op == "local")


BINDERS = {"filter", "any", "every", "count", "sum", "each", "each_of", "highest", "lowest"}


def put_for(e: c.Expr, var: str, name: str) -> c.Expr:
    """An expression with another name for a variable, where it is not bound anew."""
    if e.op == "local" and e.info == var:
        return replace(e, info=name)
    if e.op in BINDERS and e.info == var:
        return replace(e, args=(put_for(e.args[0], var, name), *e.args[1:]))
    return replace(e, args=tuple(put_for(a, var, name) for a in e.args))


def mentions_path(e: c.Expr | None) -> bool:
    return e is not None and any(x.op == "local" and x.info == "path" for x in e.walk())


def every_step(rule: c.Rule) -> tuple[str, c.Expr] | None:
    """What a rule requires of each place of a path by itself: `every steps(path) has …`, `no steps(path) where …`."""
    test = rule.test
    bad = test.op == "not" and test.args[0].op == "any"
    inner = test.args[0] if bad else test
    if rule.sort != "require" or inner.op not in ("every", "any") or (inner.op == "any") != bad or len(inner.args) != 2:
        return None
    base, wanted = inner.args
    if not (
        base.op == "builtin" and base.info == "steps" and base.args[0].op == "local" and base.args[0].info == "path"
    ):
        return None
    waived = any(mentions_path(x) for w in rule.waivers for x in waiver_exprs(w))
    if waived or mentions_path(wanted) or mentions_path(rule.guard):
        return None
    return str(inner.info), c.Expr("not", (wanted,), t.FLAG, wanted.span) if bad else wanted


def on_each_step(rule: c.Rule) -> c.Rule | None:
    """The same requirement as a ban on single steps, so that a search can keep to it as it goes."""
    found = every_step(rule)
    if found is None:
        return None
    var, wanted = found
    span = rule.span
    wrong = [c.Expr("not", (put_for(wanted, var, x),), t.FLAG, span) for x in ("here", "there")]
    test = c.Expr("or", (wrong[0], wrong[1]), t.FLAG, span)
    if rule.guard is not None:
        test = c.Expr("and", (rule.guard, test), t.FLAG, span)
    return replace(rule, id=f"{rule.id} on each step", sort="forbid", test=test, guard=None)


def path_needs(rules: tuple[c.Rule, ...], report: Reporter) -> tuple[str, ...]:
    """What a search must carry along so that conditions on the whole path can be told at its end."""
    rules = tuple(r for r in rules if every_step(r) is None)
    needs: set[str] = set()
    for rule in rules:
        if rule.sort != "require":
            continue
        for top in (rule.test, rule.guard):
            if top is None:
                continue
            for e in top.walk():
                if e.op == "local" and e.info == "path":
                    needs.add("path")
                if e.op == "builtin" and e.info in ("last", "length", "start") and e.args[0].info == "path":
                    needs.add(str(e.info))
    uses = sum(
        1
        for rule in rules
        if rule.sort == "require"
        for top in (rule.test, rule.guard)
        if top is not None
        for e in top.walk()
        if e.op == "local" and e.info == "path"
    )
    simple = sum(
        1
        for rule in rules
        if rule.sort == "require"
        for top in (rule.test, rule.guard)
        if top is not None
        for e in top.walk()
        if e.op == "builtin" and e.info in ("last", "length", "start") and e.args and e.args[0].info == "path"
    )
    if uses == simple:
        needs.discard("path")
    return tuple(sorted(needs))
