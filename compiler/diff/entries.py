"""Content hashes of declarations, without layout, comments and notes.

In:  the entries of a rule set (after its overlays).
Out: hashes of their content, the key by which a declaration is known, and copies of a declaration
     with its case references or a name rewritten.

Hashes are cached by node: a second diff of the same books computes none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import raw_form
from rulewright.dsl.parse import room_for_chains

from ..core.entries import Entry, declared_name
from ..overlay.shared_lines import each_apart
from ..read.case_numbers import renumbered

WORDS = {
    n.Define: "definition",
    n.Except: "exception",
    n.Add: "contribution",
    n.Waive: "waiver",
    n.Instead: "replacement",
    n.Remember: "memory",
    n.Quota: "quota",
    n.Grow: "growing set",
    n.Route: "route",
    n.Matching: "matching",
    n.Action: "action",
    n.Preview: "preview",
    n.Procedure: "procedure",
    n.Trigger: "trigger",
    n.Duty: "duty",
    n.Invariant: "invariant",
    n.Table: "table",
    n.Kind: "kind",
    n.Scale: "scale",
    n.Record: "record",
    n.Field: "field",
    n.Mark: "mark",
    n.Box: "box",
    n.Unclear: "unclear",
    n.Untranslated: "untranslated",
    n.Example: "example",
}
RULES = {"forbid": "prohibition", "require": "requirement", "stop": "stop"}
Key = tuple[str, str]

_APART: dict[int, tuple[list[Entry], list[Entry]]] = {}
_DIGESTS: dict[int, tuple[n.Node, str]] = {}
_MOST = 200_000


def each_field(entries: list[Entry]) -> list[Entry]:
    """The entries with every field on a line of its own: an amendment may hit one of several. The same for the same."""
    known = _APART.get(id(entries))
    if known is None or known[0] is not entries:
        if len(_APART) > 16:
            _APART.clear()
        known = _APART[id(entries)] = (entries, list(each_apart(entries)))
    return known[1]


def element(node: n.Decl) -> str:
    """The name of the sort of a declaration."""
    if isinstance(node, n.Rule):
        return RULES[node.sort]
    if isinstance(node, n.Data):
        return node.kind
    if isinstance(node, n.Procedure) and node.sequence:
        return "sequence"
    return WORDS.get(type(node), type(node).__name__.lower())


def name_of(node: n.Decl) -> str:
    """The name of a declaration for readers."""
    match node:
        case n.Except() | n.Instead() | n.Waive():
            return aimed(node.target)
        case n.Add():
            return node.name + (f".{node.facet}" if node.facet else "")
        case n.Rule():
            return " ".join(filter(None, (node.target, node.label)))
        case n.Trigger():
            return node.event.name if node.event is not None else "whenever"
        case n.Field():
            return ", ".join(node.names)
    return declared_name(node)


def aimed(target: n.Target) -> str:
    return (target.name or "") + (f".{target.facet}" if target.facet else "")


def key(node: n.Decl) -> Key:
    """The key that pairs two declarations of one case: sort and name."""
    return element(node), name_of(node)


# ---------------------------------------------------------------- hashes


def digest(entry: Entry) -> str:
    """The hash of an entry regardless of its position: its node, its guards, and whether it is a house value."""
    own = node_digest(entry.node)
    if not entry.under and not entry.house:
        return own
    return "|".join((own, *(node_digest(u) for u in entry.under), "house" if entry.house else ""))


def forget() -> None:
    """Drop the cached hashes."""
    _DIGESTS.clear()


def node_digest(node: n.Node) -> str:
    """A hash of a node without its spans and notes."""
    known = _DIGESTS.get(id(node))
    if known is not None and known[0] is node:
        return known[1]
    out: list[str] = []
    try:
        encode(node, out)
    except RecursionError:
        out.clear()
        with room_for_chains():
            encode(node, out)
    made = hashlib.blake2b("\x1f".join(out).encode(), digest_size=12).hexdigest()
    if len(_DIGESTS) > _MOST:
        _DIGESTS.clear()
    _DIGESTS[id(node)] = (node, made)
    return made


_PARTS: dict[type, tuple[str, ...]] = {}


def parts(kind: Any) -> tuple[str, ...]:
    """The fields of a node class, without the span."""
    if kind not in _PARTS:
        _PARTS[kind] = tuple(f.name for f in fields(kind) if f.name != "span")
    return _PARTS[kind]


def encode(x: Any, out: list[str]) -> None:
    """Serialize a tree for hashing. The commonest leaves are inlined here: this is where a diff spends its time."""
    kind = type(x)
    if kind is str:
        out.append(x)
    elif kind is tuple:
        out.append("(")
        for item in x:
            if type(item) is str:
                out.append(item)
            elif type(item) is not n.Note:
                encode(item, out)
        out.append(")")
    elif kind is n.RawLine:
        out.append(raw_form(x.text))
        encode(x.below, out)
    elif isinstance(x, n.Node):
        out.append(kind.__name__)
        for name in _PARTS.get(kind) or parts(kind):
            part = getattr(x, name)
            if type(part) is str:
                out.append(part)
            elif part is None:
                out.append("-")
            else:
                encode(part, out)
    else:
        out.append(repr(x))


# ---------------------------------------------------------------- copies


def blind(entry: Entry) -> str:
    """The hash of an entry with the case numbers in it left out."""
    return digest(replace(entry, node=renumbered(entry.node, lambda *_: "·")))


def printed_forms(e: Entry) -> Iterator[list[str]]:
    """The fields that a roster prints with hyphens between them."""
    if isinstance(e.node, n.Data) and e.node.kind == "roster":
        for line in e.node.lines:
            if line.text.startswith("form:"):
                yield from (word.split("-") for word in line.text[5:].split() if "-" in word)
