"""Build what is played: procedures, actions, duties, triggers and what replaces them.

In:  their entries and drafts.
Out: statements of the core under their names, with who may start them and when.
Reports: RW201 unknown phases, RW211 an action by something that is no side, and what statements find.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import choose
from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core import types as t
from ..core.entries import Entry
from ..read.symbols import Scope
from .draft_kinds import OtherDraft, shape
from .events import event_params
from .routes import Routes, uses_only
from .statements import Statements


class Play(Routes):
    """Statements under their names, with who may set them off."""

    def _procedure(
        self,
        entry: Entry,
        name: str,
        params: tuple[c.Param, ...],
        body: tuple[n.Stmt, ...],
        sort: c.ProcedureSort,
        span: Span,
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
                    self.book.procedures[node.name] = self._known(
                        ("procedure", entry, self._numbers()), partial(self._plain_procedure, entry, node)
                    )
                case n.Action():
                    if self.symbols.actions[node.name].entry is entry:
                        gate = self.numbered(entry.case, node.name) if entry.under else ""
                        rests = tuple(map(shape, self.rules.get(node.name, ())))
                        self.book.actions[node.name] = self._known(
                            ("action", entry, gate, rests, self._numbers()), partial(self._action, entry, node, gate)
                        )
                case n.Invariant():
                    self.book.invariants[node.name] = self._known(
                        ("invariant", entry), partial(self._invariant, entry, node)
                    )
                case n.Duty():
                    draft = self._other(entry)
                    self.book.duties[node.name] = self._known(
                        ("duty", shape(draft), self._numbers()), partial(self._duty, entry, node, draft)
                    )
                case n.Trigger():
                    draft = self._other(entry)
                    name = self.numbered(entry.case, "on " + (node.event.name if node.event is not None else "soon"))
                    trigger = self._known(
                        ("trigger", name, shape(draft), self._numbers()),
                        partial(self._trigger, entry, node, draft, name),
                    )
                    self.book.triggers.append(trigger)
                case _:
                    pass
        self._order_triggers()
        for entry in self.entries:
            if isinstance(entry.node, n.Instead):
                self.report.case = entry.case
                self._instead(entry, entry.node)

    def _plain_procedure(self, entry: Entry, node: n.Procedure) -> c.Procedure:
        sort: c.ProcedureSort = "sequence" if node.sequence else "procedure"
        return self._procedure(entry, node.name, self._params(node.params), node.body, sort, node.span)

    def _invariant(self, entry: Entry, node: n.Invariant) -> c.Invariant:
        test = self.e.flag(node.test, Scope({}))
        return c.Invariant(name=node.name, case=entry.case, test=test, span=node.span)

    def _action(self, entry: Entry, node: n.Action, gate_id: str) -> c.Action:
        params = self._params(node.params, actor=t.SIDE)
        scope = Scope({p.name: p.type for p in params}).plus(actor=t.SIDE)
        by = self.e.hinted(node.by, Scope({}), None)
        if not t.fits(by.type, t.SIDE) and not t.fits(by.type, t.set_of(t.SIDE)):
            self.report.error(
                "RW211",
                node.by.span,
                f"a side takes an action; this is a {by.type}",
                help="write by phasing, or by a side",
            )
        for phase in node.phases:
            self.e.check_phase(phase, node.span)
        procedure = self._procedure(entry, node.name, params, node.body, "action", node.span)
        spends = []
        for stmt in procedure.body:
            if isinstance(stmt, c.Spend) and uses_only(stmt, {*scope.locals}):
                spends.append((stmt.quota, stmt.given, stmt.amount))
        under = self._under(entry, scope, None, node.span)
        rules = self._rules_of(node.name)
        if under is not None:
            gate = c.Rule(
                id=gate_id, sort="require", label="", case=entry.case, overlay=entry.overlay,
                test=under, guard=None, waivers=(), span=node.span,
            )  # fmt: skip
            rules = (gate, *rules)
        return c.Action(
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

    def _duty(self, entry: Entry, node: n.Duty, draft: OtherDraft) -> c.Duty:
        domain = self.e.collection(node.domain, Scope({})) if node.domain is not None else None
        params: tuple[c.Param, ...] = ()
        if node.var is not None and domain is not None:
            params = (c.Param(name=node.var, type=domain.type.of or t.ANY),)
        for phase in node.phases:
            self.e.check_phase(phase, node.span)
        test = self.e.flag(node.test, draft.scope)
        under = self._under(entry, draft.scope, None, node.span)
        if under is not None:
            test = c.Or(c.Not(under, type=t.FLAG, span=node.span), test, type=t.FLAG, span=node.span)
        failing = None
        if node.failing is not None:
            failing = self._procedure(entry, f"{node.name} failing", params, node.failing, "failing", node.span)
        return c.Duty(
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

    def _trigger(self, entry: Entry, node: n.Trigger, draft: OtherDraft, name: str) -> c.Trigger:
        params = event_params(node, self.symbols, self.report)
        if node.event is not None:
            event = (node.event.sort, node.event.name)
            condition = node.guard
            if node.event.sort in ("start", "end"):
                self.e.check_phase(node.event.name, node.event.span)
        else:
            event = ("soon", name)
            condition = node.condition
        guard = self.e.flag(condition, draft.scope) if condition is not None else None
        procedure = self._procedure(entry, name, params, node.body, "trigger", node.span)
        return c.Trigger(
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
            valued = (target.name or "") in self.e.symbols.callables
            self.report.error(
                "RW204",
                node.span,
                f'"{what}" names {len(hit) or "no"} procedure{"s" if len(hit) != 1 else ""} to replace',
                help="that case declares: " + ", ".join(known)
                if known
                else f"{target.name} has a value: write except CASE {target.name}: VALUE when CONDITION"
                if valued
                else choose(target.name or "", self.book.procedures, "procedures"),
            )
            return
        key, procedure = hit[0]
        id = self.numbered(entry.case, procedure.name)
        wrapper = self._known(
            ("instead", entry, procedure, id, self._numbers()), partial(self._wrapper, entry, node, procedure, id)
        )
        self._wrap(key, procedure, wrapper)

    def _wrapper(self, entry: Entry, node: n.Instead, procedure: c.Procedure, id: str) -> c.Wrapper:
        scope = Scope({p.name: p.type for p in procedure.params})
        if procedure.sort == "action":
            scope = scope.plus(actor=t.SIDE)
        guard = self.e.flag(node.guard, scope) if node.guard is not None else None
        return c.Wrapper(
            id=id,
            case=entry.case,
            guard=self._under(entry, scope, guard, node.span),
            body=Statements(self.e, entry.case, usual=True).block(node.body, scope),
            overlay=entry.overlay,
            covers=entry.covers,
            span=node.span,
        )

    def _wrap(self, key: str, procedure: c.Procedure, wrapper: c.Wrapper) -> None:
        changed = self._known(
            ("wrapped", procedure, wrapper),
            lambda: replace(procedure, wrappers=(wrapper, *procedure.wrappers)),
        )
        if key.startswith("action:"):
            action = self.book.actions[key.removeprefix("action:")]
            self.book.actions[action.name] = self._known(
                ("wrapped", action, changed), lambda: replace(action, procedure=changed)
            )
        elif key.startswith("trigger:"):
            i = int(key.removeprefix("trigger:"))
            trigger = self.book.triggers[i]
            self.book.triggers[i] = self._known(
                ("wrapped", trigger, changed), lambda: replace(trigger, procedure=changed)
            )
        else:
            self.book.procedures[key] = changed
