"""House values: what a book makes up for charts, counters and maps that its text does not hold.

In:  the entries of a rule set.
Out: every declaration marked `house`, with what it is and where it stands; and marks for those who tell of values, by
     `CASE NAME`, and by `CASE` where all of it is house.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.dsl import nodes as n
from rulewright.dsl.source import Span

from .entries import Entry

SORTS: dict[type, str] = {
    n.Table: "table",
    n.Define: "definition",
    n.Procedure: "procedure",
    n.Action: "action",
    n.Route: "route",
    n.Matching: "matching",
    n.Remember: "memory",
    n.Quota: "quota",
    n.Grow: "set",
    n.Mark: "mark",
    n.Field: "field",
    n.Kind: "kind",
    n.Scale: "scale",
    n.Record: "record",
    n.Box: "box",
    n.Duty: "duty",
    n.Preview: "preview",
    n.Invariant: "invariant",
    n.Trigger: "trigger",
    n.Example: "example",
    n.Unclear: "unclear",
    n.Add: "contribution to",
    n.Except: "exception to",
    n.Instead: "stand-in for",
    n.Rule: "rule about",
}
"""The sorts of declarations in a reader's words; a data block is called by its own kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseValue:
    """One declaration that is marked `house`; `overlay` brought it, "" for the book itself."""

    sort: str
    name: str
    case: str
    title: str
    overlay: str
    span: Span

    @property
    def what(self) -> str:
        return f"{self.sort} {self.name}".strip()


def house_values(entries: Iterable[Entry]) -> tuple[HouseValue, ...]:
    """Every house declaration, in the order of the entries."""
    return tuple(
        HouseValue(
            sort=sort_of(entry.node),
            name=", ".join(entry.node.names) if isinstance(entry.node, n.Field) else entry.name,
            case=entry.case,
            title=entry.title,
            overlay=entry.overlay,
            span=entry.node.span,
        )
        for entry in entries
        if entry.house
    )


def sort_of(node: n.Decl) -> str:
    """What a declaration is, in a reader's words."""
    if isinstance(node, n.Data):
        return node.kind
    if isinstance(node, n.Box):
        return node.sort
    return SORTS.get(type(node), "rule")


def house_marks(entries: Iterable[Entry]) -> dict[str, str]:
    """What to say of values that house declarations gave, for those who cite their cases."""
    rules = [e for e in entries if not isinstance(e.node, n.Example | n.Untranslated | n.Unclear) and rules_on(e.node)]
    found = {f"{e.case} {name}": HOUSE for e in rules if e.house for name in names_of(e)}
    printed = {e.case for e in rules if not e.house}
    found |= {e.case: HOUSE for e in rules if e.house and e.case not in printed}
    if any(e.house and isinstance(e.node, n.Data) and e.node.kind == "map" for e in rules):
        found["map"] = HOUSE
    return dict(sorted(found.items()))


def rules_on(node: n.Decl) -> bool:
    """Whether a declaration rules anything: phrases, looks and what is shown are nobody's values."""
    return not isinstance(node, n.Data) or node.kind not in ("words", "shown", "style")


HOUSE = "house"


def names_of(entry: Entry) -> tuple[str, ...]:
    return entry.node.names if isinstance(entry.node, n.Field) else (entry.name,) if entry.name else ()
