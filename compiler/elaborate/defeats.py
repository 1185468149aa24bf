"""Bind additions, exceptions and waivers to what they add to or defeat.

In:  the drafts of everything that can be defeated.
Out: the same drafts, each with its exceptions and waivers.
Reports: RW204 an exception, addition or waiver that names nothing.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import did_you_mean

from ..core.entries import Entry
from ..read.symbols import Scope
from .draft_kinds import LayerDraft, Waivable, WaiverDraft
from .drafts import Drafting


def draft_exceptions(drafts: Drafting) -> None:
    made: list[tuple[LayerDraft, n.Except]] = []
    for entry in drafts.entries:
        node = entry.node
        drafts.report.case = entry.case
        if isinstance(node, n.Add):
            name = node.name if node.facet is None else f"{node.name}.{node.facet}"
            base = drafts.layers.get(name)
            if base is None:
                drafts.report.error(
                    "RW204",
                    node.span,
                    f'there is nothing called "{name}" to add to',
                    help=did_you_mean(name, drafts.layers) or "declare it with gather",
                )
                continue
            draft = LayerDraft(entry, name, base.scope, base.type, node.body, node.span, stage=node.stage or "")
            draft.id = drafts.numbered(entry.case, name)
            drafts.added.setdefault(name, []).append(draft)
            drafts.drafts.append(draft)
        elif isinstance(node, n.Except):
            found = exception(drafts, entry, node)
            if found is not None:
                made.append((found, node))
    for draft, node in made:
        attach(drafts, draft, node)


def exception(drafts: Drafting, entry: Entry, node: n.Except) -> LayerDraft | None:
    target = node.target
    name = target.name
    if name is None:
        names = {d.name for d in drafts.drafts if d.entry.case in target.cases}
        names |= {d.name for d in drafts.layers.values() if d.entry.case in target.cases}
        if len(names) != 1:
            no_target(drafts, entry, node.target, names)
            return None
        name = names.pop()
    elif target.facet is not None:
        name = f"{name}.{target.facet}"
    base = drafts.layers.get(name)
    if base is None:
        no_target(drafts, entry, node.target, set(drafts.layers))
        return None
    scope = Scope(base.scope.locals, base.type, base.keep)
    draft = LayerDraft(entry, name, scope, base.type, node.body, node.span)
    draft.id = drafts.numbered(entry.case, name)
    drafts.drafts.append(draft)
    return draft


def attach(drafts: Drafting, draft: LayerDraft, node: n.Except) -> None:
    drafts.report.case = draft.entry.case
    hit: list[LayerDraft] = []
    for case in node.target.cases:
        found = [d for d in drafts.drafts if d.name == draft.name and d.entry.case == case and d is not draft]
        if not found:
            no_target(drafts, draft.entry, n.Target(cases=(case,), name=draft.name, span=node.target.span), set())
        hit += found
    if not hit:
        return
    parent = hit[0]
    parent.exceptions.append(draft)
    for other in hit[1:]:
        draft.outranks.append(other)


def no_target(drafts: Drafting, entry: Entry, target: n.Target, names: set[str]) -> None:
    what = " ".join(filter(None, (", ".join(target.cases), target.name)))
    where = [d.entry.case for d in drafts.drafts if d.name == target.name and d.entry is not entry]
    if where:
        help = f"{target.name} is declared in case {', '.join(sorted(set(where)))}"
    elif target.name is not None:
        help = (
            did_you_mean(target.name, {d.name for d in drafts.drafts}) or "name the case and the declaration it defeats"
        )
    else:
        help = "that case declares " + (", ".join(sorted(names)) or "nothing") + "; name one: except CASE NAME: …"
    drafts.report.error(
        "RW204", target.span, f'there is no "{what}" to make an exception to', help=help, case=entry.case
    )


def draft_waivers(drafts: Drafting) -> None:
    pending = [e for e in drafts.entries if isinstance(e.node, n.Waive)]
    # A waiver may waive a waiver that stands later in the book, so those that find nothing are tried again; nobody
    # has written one more than four deep.
    for _ in range(4):
        rest = []
        for entry in pending:
            if not waive(drafts, entry):
                rest.append(entry)
        pending = rest
    for entry in pending:
        assert isinstance(entry.node, n.Waive)
        target = entry.node.target
        what = " ".join(filter(None, (", ".join(target.cases), target.name)))
        known = sorted({r.entry.case for rules in drafts.rules.values() for r in rules})
        drafts.report.error(
            "RW204",
            entry.node.span,
            f'there is no rule "{what}" to waive',
            help=did_you_mean(target.cases[0], known) or "name the case of a forbid, require, stop, duty or exception",
            case=entry.case,
        )


def waive(drafts: Drafting, entry: Entry) -> bool:
    node = entry.node
    assert isinstance(node, n.Waive)
    target = node.target
    hit: list[Waivable] = []
    named = f"{target.name}.{target.facet}" if target.facet else target.name
    for rules in drafts.rules.values():
        for r in rules:
            if r.entry.case in target.cases and named in (None, r.node.label, r.target):
                hit.append(r)
    for o in drafts.others:
        if o.entry.case in target.cases and named in (None, o.name):
            hit.append(o)
    for d in drafts.drafts:
        if d.entry.case in target.cases and named is not None and named == d.name and not d.total:
            hit.append(d)
    for w in drafts.waivers:
        if w.entry.case in target.cases and w.entry is not entry and (named is None or not hit):
            hit.append(w)
    hit = [h for h in hit if getattr(h, "entry", None) is not entry]
    if not hit:
        return False
    for h in hit:
        draft = WaiverDraft(entry, node, h.scope, id=drafts.numbered(entry.case, "waive"))
        h.waivers.append(draft)
        drafts.waivers.append(draft)
    return True
