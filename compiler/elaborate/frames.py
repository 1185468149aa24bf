"""The names within reach of each question of a book.

In:  the procedures of the core.
Out: by the number of a question, the names that its procedure has given until then, with their types.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..core import nodes as c
from ..core import types as t
from ..core.types import Type

Frame = dict[str, Type]


def frames_of_questions(procedures: Mapping[str, c.Procedure]) -> dict[int, Frame]:
    """The frame of every question that these procedures put."""
    found: dict[int, Frame] = {}
    for p in procedures.values():
        given = {x.name: x.type for x in p.params}
        for body in (p.body, *(w.body for w in p.wrappers)):
            follow(body, {**given, "actor": t.SIDE} if p.sort == "action" else given, found)
    return found


def follow(body: tuple[c.Stmt, ...], given: Frame, found: dict[int, Frame]) -> None:
    """Follow a block in order; what it names is known to its end."""
    known = dict(given)
    for s in body:
        inner = dict(known)
        match s:
            case c.Let(name=name, value=value):
                known[name] = value.type
            case c.Roll(name=name):
                known[name] = t.NUMBER
            case c.Draw(name=name, source=source):
                known[name] = source.type.of or t.UNIT
            case c.AskSide(ask=ask):
                found[ask.id] = dict(known)
                known[ask.name] = ask.type
            case c.ForEach(var=name, source=source):
                inner[name] = source.type.of or t.ANY
            case c.RunPhase(var=str() as name, source=source) if source is not None:
                inner[name] = source.type.of or t.ANY
            case c.Together(block=block):  # what is named inside stays known after it
                follow(block, known, found)
                known |= named_in(block)
                continue
            case _:
                pass
        follow(s.body, inner, found)
        follow(s.other, inner, found)


def named_in(block: tuple[c.Stmt, ...]) -> Frame:
    """The names that a block gives."""
    known: Frame = {}
    for s in block:
        match s:
            case c.Let(name=name, value=value):
                known[name] = value.type
            case c.AskSide(ask=ask):
                known[ask.name] = ask.type
            case c.Roll(name=name):
                known[name] = t.NUMBER
            case _:
                pass
    return known
