"""Build definitions, memories, quotas, tables and rules from their drafts.

In:  drafts with their exceptions and waivers.
Out: clause sets in the core.
Reports: RW208 a step that does not fit, RW209 a memory without end, RW301 a definition that may have no value,
         RW302 a clause that is never reached.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core import types as t
from ..core.entries import Entry
from ..core.types import Type
from ..read.symbols import Scope
from ..read.tables import read_table
from .draft_kinds import LayerDraft, RuleDraft, WaiverDraft, shape
from .drafts import Drafting

KEPT: dict[str, c.Kept] = {"at_event": "at", "ever": "ever", "counting": "counting", "always": "always"}
RULES: dict[str, c.RuleSort] = {"forbid": "forbid", "require": "require", "stop": "stop"}
"""Words of the grammar as the core has them."""


class Definitions(Drafting):
    """Clause sets in the core."""

    def _under(self, entry: Entry, scope: Scope, guard: c.Expr | None, span: Span) -> c.Expr | None:
        """The guard, joined with the `under` conditions that the entry stands in."""
        parts = [self.e.flag(u, scope) for u in entry.under]
        if guard is not None:
            parts.append(guard)
        if not parts:
            return None
        return reduce(lambda a, b: c.And(a, b, type=t.FLAG, span=span), parts)

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
            value = self.e.hinted(let.value, scope, None)
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
        exceptions = tuple(self._layer(x) for x in draft.exceptions)
        if draft.total and clauses and all(x.guard is not None for x in clauses) and draft.keep is None:
            about = asked_words(clauses, exceptions)
            left = [x for x in self.book.kinds.get(about[0].type.name, ()) if x not in about[1]] if about else []
            if draft.type == t.FLAG:
                no = c.Const(False, type=t.FLAG, span=draft.span)
                clauses.append(c.Clause(value=no, guard=None, span=draft.span))
            elif about is not None and not left:
                clauses[-1] = replace(clauses[-1], guard=None)
            else:
                self._not_total(draft, left)
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
            exceptions=exceptions,
            outranks=tuple(x.id for x in draft.outranks),
            waivers=tuple(self._waiver(w) for w in draft.waivers),
            covers=entry.covers,
            span=draft.span,
        )

    def _places(self, node: n.Expr, scope: Scope) -> c.Expr:
        """Where a route begins or ends: a set of places, or a single one."""
        value = self.e.hinted(node, scope, t.set_of(t.PLACE))
        if value.type.plain == t.PLACE:
            return c.SetOf((value,), type=t.set_of(t.PLACE), span=node.span)
        if not t.fits(value.type, t.set_of(t.PLACE)):
            self.report.error(
                "RW211", node.span, f"this is a {value.type}, where places are needed", help=self.e.say(t.PLACE)
            )
        return value

    def _not_total(self, draft: LayerDraft, left: list[str]) -> None:
        why = f"no clause is for {', '.join(left)}" if left else "every clause has a condition"
        self.report.error(
            "RW301",
            draft.entry.node.span.find(draft.name.rpartition(".")[2]),
            f'"{draft.name}" may have no value: {why}',
            help="end it with: VALUE otherwise" + (", or say what holds then" if left else ""),
        )

    def _definition(
        self, name: str, params: tuple[c.Param, ...], sort: c.DefinitionSort, stages: tuple[n.Stage, ...] = ()
    ) -> None:
        parts = (sort, params, *self._shapes(name))
        self.book.definitions[name] = self._known(parts, lambda: self._define(name, params, sort, stages))

    def _shapes(self, name: str) -> tuple[object, ...]:
        return tuple(map(shape, (self.layers[name], *self.added.get(name, ()))))

    def _define(
        self, name: str, params: tuple[c.Param, ...], sort: c.DefinitionSort, stages: tuple[n.Stage, ...] = ()
    ) -> c.Definition:
        draft = self.layers[name]
        gathered = name in self.added or (isinstance(draft.entry.node, n.Define) and draft.entry.node.gathered)
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
        return c.Definition(
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
                        self.e.check_phase(per, node.span)
                case n.Remember() if self._mine(entry, node.name):
                    self._memory(entry, node)
                case n.Grow() if self._mine(entry, node.name):
                    self.book.grows[node.name] = self._known(("grow", entry), partial(self._grow, entry, node))
                case _:
                    pass

    def _grow(self, entry: Entry, node: n.Grow) -> c.Grow:
        params = self._params(node.params)
        scope = Scope({p.name: p.type for p in params})
        domain = self.e.collection(node.domain, scope)
        test = self.e.flag(node.test, scope.plus(it=domain.type.of or t.ANY))
        return c.Grow(
            name=node.name,
            case=entry.case,
            params=params,
            type=self.symbols.callables[node.name].type,
            domain=domain,
            test=test,
            covers=entry.covers,
            span=node.span,
        )

    def _mine(self, entry: Entry, name: str) -> bool:
        signature = self.symbols.callables.get(name)
        return signature is not None and signature.entry is entry

    def _params(self, params: tuple[n.Param, ...], **known: Type) -> tuple[c.Param, ...]:
        return self._known(("params", params, tuple(known), self.report.case), lambda: self._all_params(params, known))

    def _all_params(self, params: tuple[n.Param, ...], known: dict[str, Type]) -> tuple[c.Param, ...]:
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
            if node.event.sort in ("start", "end"):
                self.e.check_phase(node.event.name, node.event.span)
        type = self.symbols.callables[node.name].type
        start: c.Value = (
            None if type.absent else 0 if type == t.NUMBER else False if type == t.FLAG else () if type.many else None
        )
        self.book.memories[node.name] = c.Memory(
            name=node.name,
            case=entry.case,
            how=KEPT[node.how],
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
            self.book.tables[node.name] = self._known(("table", entry), partial(self._table, entry, node))

    def _table(self, entry: Entry, node: n.Table) -> c.Table:
        params = self._params(node.params)
        type = self.symbols.callables[node.name].type
        cells, clamps = read_table(node, params, type, self.symbols, self.report)
        return c.Table(
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
                wanted = condition if condition is not None else c.Const(True, type=t.FLAG, span=node.span)
                condition = None
            made.append(
                c.Rule(
                    id=draft.id if i == 0 else f"{draft.id} [{i + 1}]",
                    sort=RULES[node.sort],
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


# ---------------------------------------------------------------- clauses that leave nothing out


def asked_words(clauses: list[c.Clause], exceptions: tuple[c.Layer, ...] = ()) -> tuple[c.Expr, set[c.Value]] | None:
    """The one value of a kind that all conditions ask about, and the words they name; None where they ask otherwise.

    Words that exceptions answer for in any case are named as well.
    """
    subject: c.Expr | None = None
    words: set[c.Value] = set()
    for clause in clauses:
        found = words_of(clause.guard)
        if found is None or (subject is not None and not c.alike(subject, found[0])):
            return None
        subject = found[0]
        words |= found[1]
    for clause in (x for layer in exceptions if not layer.waivers for x in layer.clauses):
        also = words_of(clause.guard)
        unusual = not any(isinstance(e, c.Usual) for e in clause.value.walk())
        if subject is not None and also is not None and unusual and c.alike(subject, also[0]):
            words |= also[1]
    return None if subject is None else (subject, words)


def words_of(guard: c.Expr | None) -> tuple[c.Expr, set[c.Value]] | None:
    """`u.arm = foot` and `u.arm in {foot, horse}` as what they ask about and the words they name."""
    match guard:
        case c.Equal(left=subject, right=named):
            listed: tuple[c.Expr, ...] = (named,)
        case c.IsIn(item=subject, many=c.SetOf(items=items)):
            listed = items
        case c.IsIn(item=subject, many=named):
            listed = (named,)
        case _:
            return None
    if subject.type.sort != "kind" or subject.type.absent:
        return None
    words = {x.value for x in listed if isinstance(x, c.Const) and x.type.sort == "kind"}
    return (subject, words) if all(isinstance(x, c.Const) and x.type.sort == "kind" for x in listed) else None
