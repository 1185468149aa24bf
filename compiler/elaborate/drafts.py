"""Draft what declarations say: definitions, rules, duties and triggers that others may still defeat.

In:  the entries of a rule set.
Out: drafts of layers, rules and others, with the scope that each body sees; their bodies are still syntax.
Reports: RW201 a rule about nothing, and what events report.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, did_you_mean

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core import types as t
from ..core.entries import Entry
from ..core.types import Type
from ..read.symbols import Scope, Symbols
from .draft_kinds import LayerDraft, OtherDraft, RuleDraft, WaiverDraft
from .events import event_params
from .expressions.build import Expressions

T = TypeVar("T")
STEP = {"here": t.PLACE, "there": t.PLACE, "crossing": t.HEXSIDE}


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

    def numbered(self, case: str, name: str) -> str:
        key = f"{case} {name}"
        self.counts[key] = self.counts.get(key, 0) + 1
        return key if self.counts[key] == 1 else f"{key} ({self.counts[key]})"

    def _base(self, entry: Entry, name: str, scope: Scope, type: Type, body: n.Body, total: bool = True) -> None:
        draft = LayerDraft(entry, name, scope, type, body, body.span, total=total)
        draft.id = self.numbered(entry.case, name)
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
                for when in node.guards:
                    tests, span = ((when.test, None),), when.test.span
                    rule = n.Rule(sort="require", target=node.name, label=when.label, tests=tests, span=span)
                    self._rule(entry, rule, node.name, scope_)

    def _rule(self, entry: Entry, node: n.Rule, target: str, scope: Scope) -> None:
        draft = RuleDraft(entry, node, target, scope, id=self.numbered(entry.case, node.label or target))
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
                params = event_params(node, self.symbols, self.report)
                name = node.event.name if node.event is not None else ""
                self.others.append(OtherDraft(entry, name, Scope({p.name: p.type for p in params})))
