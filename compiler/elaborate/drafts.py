"""Draft what declarations say, and bind amendments to what they name.

In:  the entries of a rule set.
Out: drafts of layers, rules and waivers, each under what it defeats; their bodies are still syntax.
Reports: RW204 an exception, addition or waiver that names nothing, RW223 a change of what nothing remembers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose, did_you_mean
from rulewright.dsl.source import Span

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core import types as t
from ..core.entries import Entry
from ..core.types import Type
from ..read.symbols import Scope, Symbols
from .expressions.build import Expressions

T = TypeVar("T")
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


class Drafting:
    """Drafts of one rule set; others may still come to defeat them."""

    def __init__(self, entries: list[Entry], symbols: Symbols, report: Reporter, memory: Memory | None = None) -> None:
        self.entries = entries
        self.memory = memory or Memory()
        self.room = self.memory.room("elaborate drafts")
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

    def _known(self, parts: tuple[object, ...], make: Callable[[], T]) -> T:
        """The elaborated form of one declaration, cached with the names it reads and the decisions it holds.

        `parts` is all that it looks at besides the names and types of the book (see `interface`).
        """
        book, symbols = self.book, self.symbols

        def work() -> tuple[T, set[tuple[str, str]], list[c.Ask], list[c.Offer]]:
            reads, asks, offers = symbols.read, len(book.asks), len(book.offers)
            symbols.read = set()
            try:
                value = make()
                return value, symbols.read, book.asks[asks:], book.offers[offers:]
            finally:
                symbols.read = reads
                del book.asks[asks:], book.offers[offers:]

        value, reads, asks, offers = self.room.work(parts, work, self.report)
        symbols.read |= reads
        book.asks += asks
        book.offers += offers
        return value

    def _numbers(self) -> tuple[int, int]:
        """Decisions are numbered in text order, so a declaration with decisions depends on how many came before."""
        return len(self.book.asks), len(self.book.offers)

    def _shape(self, draft: Waivable) -> tuple[object, ...]:
        """The inputs of a draft: its own text, and everything that defeats it."""
        below = tuple(map(self._shape, draft.waivers))
        match draft:
            case LayerDraft():
                excepted = tuple(map(self._shape, draft.exceptions))
                outranked = tuple(x.id for x in draft.outranks)
                return (draft.entry, draft.body, draft.name, draft.id, draft.stage, excepted, outranked, below)
            case RuleDraft():
                return (draft.entry, draft.node.sort, draft.node.label, draft.node.tests, draft.id, below)
            case WaiverDraft():
                return (draft.entry, draft.id, below)
            case _:
                return (draft.entry, draft.name, below)

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

    def _event_params(self, node: n.Trigger) -> tuple[c.Param, ...]:
        event = node.event
        if event is None or event.sort in ("start", "end"):
            return ()
        if event.sort == "change":
            signature = self.symbols.callables.get(event.name)
            if signature is not None and signature.sort == "define":
                self.report.error(
                    "RW223",
                    event.span,
                    f'"{event.name}" is worked out anew whenever it is asked; only what is remembered changes',
                    help=f"remember it, or wait for it: whenever {event.name}(...) ...",
                )
                return ()
            if signature is None or signature.sort != "remember":
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
