"""Drafts of declarations: what is known of each before everything that defeats it has been found.

In:  an entry and the scope of its body.
Out: values that change while exceptions and waivers are bound to them, and are built into the core after that.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.dsl import nodes as n
from rulewright.dsl.source import Span

from ..core.entries import Entry
from ..core.types import Type
from ..read.symbols import Scope


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


def shape(draft: Waivable) -> tuple[object, ...]:
    """The inputs of a draft: its own text, and everything that defeats it."""
    below = tuple(map(shape, draft.waivers))
    match draft:
        case LayerDraft():
            excepted = tuple(map(shape, draft.exceptions))
            outranked = tuple(x.id for x in draft.outranks)
            return (draft.entry, draft.body, draft.name, draft.id, draft.stage, excepted, outranked, below)
        case RuleDraft():
            return (draft.entry, draft.node.sort, draft.node.label, draft.node.tests, draft.id, below)
        case WaiverDraft():
            return (draft.entry, draft.id, below)
        case _:
            return (draft.entry, draft.name, below)
