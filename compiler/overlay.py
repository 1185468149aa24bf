"""Stack overlays on a book.

In:  the entries of a book and the overlays that are asked for, in order.
Out: the entries with every amendment carried out.
Reports: RW401 an amendment that hits nothing, or more than one place; RW402 an old value that is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same
from rulewright.dsl.diagnostics import Reporter

from .collect import Entry, collect, declared_name


def overlay(entries: list[Entry], layers: list[n.Overlay], report: Reporter) -> list[Entry]:
    """The entries as amended by each overlay in turn."""
    for layer in layers:
        entries = amended(entries, collect(layer.body, report, layer.name).entries, report)
    return entries


def amended(entries: list[Entry], more: list[Entry], report: Reporter) -> list[Entry]:
    """The entries with more on top: amendments carried out, everything else added.

    A game book stands on a series book in the same way as an overlay on a book.
    """
    for entry in more:
        report.case = entry.case
        node = entry.node
        match node:
            case n.Amend():
                entries = amend(entries, node, report)
            case n.Strike():
                entries = strike(entries, node, report)
            case n.ReplaceRow():
                entries = replace_row(entries, node, report)
            case n.Rename():
                entries = rename(entries, node, report)
            case n.MoveCase():
                entries = move(entries, node, report)
            case n.Insert():
                entries = insert(entries, node, report)
            case _:
                entries = [*entries, entry]
    report.case = ""
    return entries


def hits(entries: list[Entry], target: n.Target) -> list[int]:
    return [
        i
        for i, e in enumerate(entries)
        if e.case in target.cases
        and (target.name is None or target.name in (declared_name(e.node), getattr(e.node, "target", None)))
        and not isinstance(e.node, n.Example)
    ]


def missed(target: n.Target, count: int, report: Reporter, entries: list[Entry]) -> None:
    what = " ".join(filter(None, (", ".join(target.cases), target.name)))
    near = sorted({declared_name(e.node) for e in entries if e.case in target.cases and declared_name(e.node)})
    report.error(
        "RW401",
        target.span,
        f'"{what}" hits {count or "no"} place{"s" if count != 1 else ""}; one is needed',
        help=("that case declares: " + ", ".join(near)) if near else "check the case number",
    )


def amend(entries: list[Entry], node: n.Amend, report: Reporter) -> list[Entry]:
    found = [i for i in hits(entries, node.target) if count(entries[i].node, node.old)]
    total = sum(count(entries[i].node, node.old) for i in found)
    if not hits(entries, node.target):
        missed(node.target, 0, report, entries)
        return entries
    if total != 1:
        report.error(
            "RW402",
            node.old.span,
            f"the old value stands {total or 'no'} time{'s' if total != 1 else ''} in what is amended",
            help="state the value as the book has it now",
        )
        return entries
    if same(node.old, node.new):
        report.error(
            "RW402", node.span, "this amendment changes nothing", help="state the new value, or strike the line"
        )
        return entries
    at = found[0]
    changed = replace(entries[at], node=swap(entries[at].node, node.old, node.new))
    return [*entries[:at], changed, *entries[at + 1 :]]


def strike(entries: list[Entry], node: n.Strike, report: Reporter) -> list[Entry]:
    found = hits(entries, node.target)
    if not found or (node.target.name is not None and len(found) != 1):
        missed(node.target, len(found), report, entries)
        return entries
    return [e for i, e in enumerate(entries) if i not in found]


def replace_row(entries: list[Entry], node: n.ReplaceRow, report: Reporter) -> list[Entry]:
    found = [i for i in hits(entries, node.target) if isinstance(entries[i].node, n.Table | n.Data)]
    if len(found) != 1:
        missed(node.target, len(found), report, entries)
        return entries
    table = entries[found[0]].node
    assert isinstance(table, n.Table | n.Data)
    rows = [i for i, line in enumerate(table.lines) if cells(line.text) == cells(node.old.text)]
    if len(rows) != 1:
        report.error(
            "RW402", node.old.span, "the old row is not in the table", help="state the row as the book has it now"
        )
        return entries
    lines = (*table.lines[: rows[0]], node.new, *table.lines[rows[0] + 1 :])
    changed = replace(entries[found[0]], node=replace(table, lines=lines))
    return [*entries[: found[0]], changed, *entries[found[0] + 1 :]]


def cells(row: str) -> list[str]:
    return [c.strip() for c in row.strip().strip("|").split("|")]


def rename(entries: list[Entry], node: n.Rename, report: Reporter) -> list[Entry]:
    found = hits(entries, node.target)
    if not found or node.target.name is None:
        missed(node.target, len(found), report, entries)
        return entries
    return [replace(e, node=renamed(e.node, node.target.name, node.new)) for e in entries]


def move(entries: list[Entry], node: n.MoveCase, report: Reporter) -> list[Entry]:
    if not any(e.case == node.old for e in entries):
        missed(n.Target(cases=(node.old,), name=None, span=node.span), 0, report, entries)
        return entries

    def number(case: str) -> str:
        return node.new if case == node.old else case

    return [replace(e, case=number(e.case), node=recased(e.node, number)) for e in entries]


def insert(entries: list[Entry], node: n.Insert, report: Reporter) -> list[Entry]:
    total = 0

    def fit(value: Any) -> Any:
        nonlocal total
        if isinstance(value, tuple):
            found: list[Any] = []
            for item in value:
                here = isinstance(item, n.Phase) and item.name == node.phase
                total += here
                if here and node.where == "before":
                    found += node.body
                found.append(fit(item))
                if here and node.where == "after":
                    found += node.body
            return tuple(found)
        return rebuilt(value, fit)

    made = [replace(e, node=fit(e.node)) if isinstance(e.node, n.Procedure) else e for e in entries]
    if total != 1:
        missed(n.Target(cases=(node.phase,), name=None, span=node.span), total, report, entries)
        return entries
    return made


# ---------------------------------------------------------------- trees


def rebuilt(value: Any, change: Any) -> Any:
    """A node with its parts changed."""
    if not is_dataclass(value) or isinstance(value, type) or not isinstance(value, n.Node):
        return value
    parts = {}
    for f in fields(value):
        if f.name == "span":
            continue
        old = getattr(value, f.name)
        if isinstance(old, n.Node | tuple):
            new = change(old)
            if new is not old:
                parts[f.name] = new
    return replace(value, **parts) if parts else value


def count(tree: Any, wanted: n.Expr) -> int:
    if same(tree, wanted):
        return 1
    if isinstance(tree, tuple):
        return sum(count(x, wanted) for x in tree)
    if isinstance(tree, n.Node):
        return sum(count(getattr(tree, f.name), wanted) for f in fields(tree) if f.name != "span")
    return 0


def swap(tree: Any, old: n.Expr, new: n.Expr) -> Any:
    if same(tree, old):
        return new
    if isinstance(tree, tuple):
        return tuple(swap(x, old, new) for x in tree)
    return rebuilt(tree, lambda x: swap(x, old, new))


def recased(value: Any, change: Callable[[str], str]) -> Any:
    """A tree with every case number that it refers to changed."""
    if isinstance(value, tuple):
        made_ = tuple(recased(x, change) for x in value)
        return value if all(x is y for x, y in zip(value, made_, strict=True)) else made_
    if not isinstance(value, n.Node):
        return value
    made = rebuilt(value, lambda x: recased(x, change))
    match made:
        case n.Target() if made.cases != tuple(map(change, made.cases)):
            return replace(made, cases=tuple(map(change, made.cases)))
        case n.Trigger() if made.after is not None and made.after != change(made.after):
            return replace(made, after=change(made.after))
        case n.ExampleLine() if made.sort in ("play", "legal", "refused"):
            words = tuple(map(change, made.words))
            return made if words == made.words else replace(made, words=words)
    return made


def renamed(tree: Any, old: str, new: str) -> Any:
    if isinstance(tree, tuple):
        return tuple(new if x == old else renamed(x, old, new) for x in tree)
    if not isinstance(tree, n.Node):
        return tree
    made = rebuilt(tree, lambda x: renamed(x, old, new))
    named = {
        f.name: new
        for f in fields(made)
        if f.name in ("id", "name", "target", "phase", "action", "trait") and getattr(made, f.name) == old
    }
    return replace(made, **named) if named else made
