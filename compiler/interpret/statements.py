"""Statements in which nobody decides anything.

In:  a statement of the core, the table and the names in reach.
Out: what it does to the table.
"""

from __future__ import annotations

from typing import assert_never

from ..core import nodes as c
from .program import member_text, type_text
from .table import Local, Skip, Table


def plain(
    table: Table,
    s: c.Note | c.Let | c.SetMark | c.Put | c.Roll | c.Draw | c.Spend | c.Halt | c.Reveal,
    L: Local,
) -> None:
    """A statement in which nobody decides anything."""
    match s:
        case c.Note(texts=texts, values=values):
            told = [(type_text(v.type), table.value(v, L)) for v in values]
            table.tell(s.case, texts, told, [table.made(v, L) for v in values], c.names_told(s))
        case c.Let(name=name, value=value):
            L[name] = table.value(value, L)
        case c.SetMark(key=key, value=value, of=of):
            owner = table.value(of, L) if of is not None else None
            table.set_mark("_".join(key), owner, table.value(value, L), s.case)
        case c.Put(what=what, place=place):
            table.put(table.value(what, L), table.value(place, L), s.case)
        case c.Roll(name=name, dice=dice):
            count, sides = table.value(dice, L)
            L[name] = table.roll(count, sides, s.case, name)
        case c.Draw(name=name, source=source, secretly_for=side):
            secret = table.value(side, L) if side is not None else None
            L[name] = table.draw(table.value(source, L), s.case, secret, member_text(source))
        case c.Spend(quota=quota, amount=amount, given=given):
            table.spend(quota, tuple(table.value(a, L) for a in given), table.value(amount, L), s.case)
        case c.Halt(unit=unit):
            stopped = table.value(unit, L)
            if stopped not in table.S.halted:
                table.S.halted.append(stopped)
        case c.Reveal(what=what):
            mark, owner = None, None
            if isinstance(what, c.MarkOf):
                mark = f"{what.of.type.plain.name if what.of is not None else 'game'}_{what.name}"
                owner = table.value(what.of, L) if what.of is not None else None
            table.reveal(table.value(what, L), s.case, mark, owner, type_text(what.type))
        case _:
            assert_never(s)


def out_of_order(table: Table, s: c.SkipPhase | c.RepeatPhase, L: Local) -> None:
    """A phase to be left out or to come again."""
    match s:
        case c.SkipPhase(phase=phase, guard=guard):
            table.skips.append(Skip(phase, guard, {k: v for k, v in L.items() if not k.startswith("@")}, s.case))
            table.note("skip_ahead", s.case, name=phase)
        case c.RepeatPhase(phase=phase, guard=guard):
            if guard is None or table.value(guard, L):
                table.S.agains.append(phase)
                table.note("again", s.case, name=phase)
        case _:
            assert_never(s)
