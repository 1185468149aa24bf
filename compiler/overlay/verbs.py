"""Carry out the amendments of declarations: amend, strike, replace, rename, move, insert.

In:  one amendment and the rule set as it stands.
Out: the rule set with the amendment carried out.
Reports: RW401 an amendment that misses its target, RW402 an old value that is not there, RW408 an owner's file that
         replaces no house value.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same
from rulewright.dsl.diagnostics import choose

from ..core.entries import Entry, Touch, declared_name
from ..read.case_numbers import renumbered
from .edit_tree import Spot, at, put, renamed
from .falls import told
from .find_spots import found_in, named_spots
from .heads import PRINTED
from .parts import parts, shown
from .phases import fitted, nodes_of, phases
from .shared_lines import set_apart
from .stacked import Gone, Stacked


def amend(on: Stacked, node: n.Amend) -> None:
    set_apart(on, node.target)
    found = on.hits(node.target)
    if not found:
        return on.missed(node.target, 0)
    places = {i: where for i in found if (where := named_spots(on.entries[i].node, node.target))}
    if not places:
        return no_part(on, node.target, found)
    spots = {i: found_in(on.entries[i].node, where, node.old) for i, where in places.items()}
    total = sum(map(len, spots.values()))
    if total != node.times:
        if changed_below(on, found, node):
            return None
        stands = "nowhere" if not total else "once" if total == 1 else f"{total} times"
        wanted = "" if node.times == 1 else f", not {node.times} times,"
        there = [shown(at(on.entries[i].node, spot)) for i, where in places.items() for spot in where]
        return on.report.error(
            "RW402",
            node.old.span,
            f"the old value stands {stands}{wanted} in what is amended",
            notes=(f"there stands: {'; '.join(there)}",),
            help=on.as_it_stands("state the value as the book has it now")
            if not total
            else f"state more of what stands around it, or say how often: …, {total} times:",
        )
    if same(node.old, node.new):
        return on.report.error(
            "RW402", node.span, "this amendment changes nothing", help="state the new value, or strike the line"
        )
    for i, here in spots.items():
        tree: n.Decl = on.entries[i].node
        new = on.known(("put", tree, node), partial(put_all, tree, here, node.new))
        for spot in here:
            on.change(i, new, spot, node.span)
    return None


def no_part(on: Stacked, target: n.Target, found: list[int]) -> None:
    """The declaration is there, and has no part of that name."""
    known = dict.fromkeys(name for i in found for name in parts(on.entries[i].node))
    on.report.error(
        "RW401",
        target.span,
        f'{target.cases[0]} {target.name} has no part "{target.facet}"',
        help=choose(target.facet or "", known, "its parts")
        if known
        else f"it has no parts; write amend {target.cases[0]} {target.name}: …",
    )


def changed_below(on: Stacked, found: list[int], node: n.Amend) -> bool:
    """Whether an old value is gone because another overlay changed it; then that is reported."""
    assert on.head is not None
    for i in found:
        for other in on.entries[i].touched:
            where = named_spots(other.before, node.target)
            if other.overlay != on.head.name and found_in(other.before, where, node.old):
                what = f"{on.entries[i].case} {declared_name(on.entries[i].node)}".strip()
                on.conflict(other, node.span, what)
                return True
    return False


def amend_printed(on: Stacked, item: Entry, node: n.AmendPrinted) -> None:
    """What a map or a counter prints is changed where data is read; here only two overlays can clash."""
    for e in on.entries:
        other = e.node
        if isinstance(other, n.AmendPrinted) and alike(other, node):
            theirs = Touch(overlay=e.overlay, case=e.case, spot=(), before=other, span=other.span)
            if e.overlay != item.overlay and not on.comes_after(theirs):
                return on.conflict(theirs, node.span, f"{node.thing}.{node.field}")
    on.entries.append(item)
    return None


def strike(on: Stacked, node: n.Strike) -> None:
    if node.example is not None:
        return strike_example(on, node)
    set_apart(on, node.target)
    found = on.declaring(node.target)
    if not found or (node.target.name is not None and len(found) != 1):
        return on.missed(node.target, len(found))
    for i in reversed(found):
        if on.touch(i, (), node.span):
            on.struck.append((on.entries[i], on.entries[i].touched[-1]))
            on.gone.append(Gone(on.entries[i], None, node, on.report.case))
            del on.entries[i]
    return None


def strike_example(on: Stacked, node: n.Strike) -> None:
    cases = node.target.cases
    titles = {e.node.title: i for i, e in enumerate(on.entries) if e.case in cases and isinstance(e.node, n.Example)}
    at = titles.get(node.example or "")
    if at is None and (cases[0], node.example or "") in on.examples_gone:
        return None
    if at is None:
        return on.report.error(
            "RW401",
            node.span,
            f'case {cases[0]} has no example "{node.example}"',
            help=choose(node.example or "", titles, "its examples"),
        )
    on.examples_gone.add((on.entries[at].case, node.example or ""))
    del on.entries[at]
    return None


def replace_declaration(on: Stacked, node: n.Replace) -> None:
    inner: n.Decl = node.decl
    house = isinstance(inner, n.House)
    if isinstance(inner, n.House):
        inner = inner.decl
    if not isinstance(inner, n.Field) or inner.names == (node.target.name,):  # else the whole line gives way to a line
        set_apart(on, node.target)
    found = on.declaring(node.target)
    if len(found) != 1:
        return on.missed(node.target, len(found))
    before = on.entries[found[0]]
    if on.head is not None and on.head.kind == PRINTED and not may_be_printed(on, node, before, house):
        return None
    if same(before.node, inner) and before.house == house:
        return on.report.error(
            "RW402", node.span, "this amendment changes nothing", help="state the new declaration, or strike this"
        )
    if on.change(found[0], inner, (), node.span):
        entry = on.entries[found[0]]
        on.gone.append(Gone(before, inner, node, on.report.case))
        on.entries[found[0]] = on.known(("house", entry, str(house)), partial(replace, entry, house=house))
    return None


def may_be_printed(on: Stacked, node: n.Replace, before: Entry, house: bool) -> bool:
    """Whether an owner's file puts a printed value in the place of a house value."""
    what = f"{before.case} {before.name}"
    inner = node.decl.decl if isinstance(node.decl, n.House) else node.decl
    if not before.house:
        on.report.error(
            "RW408",
            node.target.span,
            f"{what} is no house value, and this file holds printed values for those alone",
            help="change rules in a variant of your own; rulewright house BOOK lists the house values",
        )
    elif house and same(before.node, inner):
        on.report.remark(
            "RW408",
            node.span,
            f"{what} is still the house value",
            help="put the values of your copy there, and strike the word house in front of it",
        )
    else:
        return True
    return False


def rename(on: Stacked, node: n.Rename) -> None:
    set_apart(on, node.target)
    found = on.hits(node.target)
    if not found or node.target.name is None:
        return on.missed(node.target, len(found))
    taken = next((e for e in on.entries if declared_name(e.node) == node.new and e.node), None)
    if taken is not None and not isinstance(taken.node, n.Example):
        return on.report.error(
            "RW401",
            node.span,
            f'"{node.new}" is already declared in case {taken.case}',
            help="choose another name",
        )
    if on.touch(found[0], ("name",), node.span):
        old, new = node.target.name, node.new
        on.entries = [on.known(("rename", e, old, new), partial(renamed_entry, e, old, new)) for e in on.entries]
    return None


def move_case(on: Stacked, node: n.MoveCase) -> None:
    if not any(e.case == node.old for e in on.entries):
        return on.missed(n.Target(cases=(node.old,), name=None, span=node.span), 0)
    standing = [told(e) for e in on.entries if e.case == node.new]
    if standing:
        return on.report.error(
            "RW401",
            node.span,
            f"case {node.new} is there already: {', '.join(standing[:4])}{', …' if len(standing) > 4 else ''}",
            help=f"move or strike {node.new} first, or choose a number that is free",
        )
    old, new = node.old, node.new
    on.entries = [on.known(("move", e, old, new), partial(moved_entry, e, old, new)) for e in on.entries]
    return None


def insert_statements(on: Stacked, node: n.Insert) -> None:
    """Phases and statements beside, in place of, or without a phase of the sequence."""
    found = places_of(on, node.phase)
    if len(found) != 1:
        near = {x.name for e in on.entries for x in nodes_of(e.node, n.Phase)}
        count = f"{len(found)} times" if found else "nowhere"
        return on.report.error(
            "RW401",
            node.span,
            f'the phase "{node.phase}" stands {count} in the sequence; one is needed',
            help=choose(node.phase, near, "phases"),
        )
    assert on.head is not None
    i, spot = found[0]
    where = (*spot, node.where, on.head.name) if node.where in ("before", "after", "into") else spot
    tree: n.Decl = on.entries[i].node
    on.change(i, on.known(("fit", tree, node), partial(fitted, tree, node)), where, node.span)
    return None


def places_of(on: Stacked, phase: str) -> list[tuple[int, Spot]]:
    """Where a phase stands: the number of its declaration, and the spot in it."""
    return [
        (i, spot)
        for i, e in enumerate(on.entries)
        if isinstance(e.node, n.Procedure | n.Action | n.Trigger)
        for spot in phases(e.node, phase)
    ]


def alike(one: n.AmendPrinted, other: n.AmendPrinted) -> bool:
    """Whether two amendments are of the same printed value."""
    return (one.thing, one.field, one.scenario) == (other.thing, other.field, other.scenario)


def put_all(tree: n.Decl, spots: list[Spot], new: n.Node) -> n.Decl:
    made: n.Decl = reduce(lambda found, spot: put(found, spot, new), spots, tree)
    return made


def renamed_entry(entry: Entry, old: str, new: str) -> Entry:
    """The entry with a declared name changed wherever it is used."""
    return replace(entry, node=renamed(entry.node, old, new))


def moved_entry(entry: Entry, old: str, new: str) -> Entry:
    """The entry with a case number changed, its own and those that it refers to."""

    def number(case: str) -> str:
        return new if case == old else case

    node = renumbered(entry.node, lambda case, *_: number(case))
    return replace(entry, case=number(entry.case), node=node, covers=tuple(map(number, entry.covers)))
