"""Where a procedure stands, under other rules.

In:  a procedure in steps under both rule sets, and the step at which it goes on.
Out: the step of the second that is the same point of the text: after the same question, in the same window, loop or
     walk, or after the same statement, in the same phases.
Reports: `Moved`: the second rule set has no such point, has several, or needs a value there that was never taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any

from ..core import nodes as c
from ..core.texts import answer_text, type_text
from ..emit.lowering import machinery as m
from ..emit.lowering.blocks import (
    Block,
    Lowered,
    NextItem,
    NextRound,
    NextStep,
    Question,
    Questions,
    Window,
    ways_on,
)

Key = tuple[Any, ...]
LOOPS = (Window, NextItem, NextRound, NextStep)


class Moved(Exception):
    """The rules do not go on at that point any more."""


class Points:
    """The points of one procedure."""

    def __init__(self, book: c.Book, low: Lowered) -> None:
        self.book, self.low = book, low

    @cached_property
    def phases(self) -> dict[int, tuple[str, ...]]:
        """The phases of this procedure that run at each step."""
        found: dict[int, tuple[str, ...]] = {}
        todo: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while todo:
            i, around = todo.pop()
            if i in found:
                continue
            found[i] = around
            for s in self.low.blocks[i].stmts:
                if isinstance(s, m.EnterPhase):
                    around = (*around, s.name)
                elif isinstance(s, m.LeavePhase) and s.name in around:
                    at = len(around) - 1 - around[::-1].index(s.name)
                    around = around[:at] + around[at + 1 :]
            todo += [(j, around) for j in reversed(ways_on(self.low.blocks[i].end))]
        return found

    @cached_property
    def keys(self) -> dict[int, Key]:
        """What each step is known by."""
        into: dict[int, set[Key]] = {}
        for block in self.low.blocks:
            last = statement(block.stmts[-1]) if block.stmts else ()
            for role, j in enumerate(ways_on(block.end)):
                into.setdefault(j, set()).add((last, self.end(block), role))
        found: dict[int, Key] = {}
        for i, block in enumerate(self.low.blocks):
            if not block.stmts and isinstance(block.end, LOOPS):
                own: Any = ("at", self.end(block))
            else:
                own = ("after", tuple(sorted(into.get(i, ()), key=repr)))
            found[i] = (self.phases.get(i, ()), own)
        return found

    def end(self, block: Block) -> Key:
        """How a step goes on, without numbers."""
        end = block.end
        more: Key = ()
        match end:
            case Question():
                more = (self.asked(end.ask),)
            case Questions():
                more = tuple(map(self.asked, end.asks))
            case NextItem():
                more = (end.var,)
            case _:
                more = tuple(x for x in (getattr(end, "phase", None),) if x)
        return type(end).__name__, more

    def asked(self, ask: int) -> Key:
        found = self.book.asks[ask]
        return found.name, found.sort, answer_text(self.book, found)

    def numbers(self, sort: str) -> list[tuple[Key, int]]:
        """The questions, windows or slots of the procedure, each with what it is known by."""
        found: list[tuple[Key, int]] = []
        for i, block in enumerate(self.low.blocks):
            around = self.phases.get(i, ())
            match sort, block.end:
                case "ask", Question(ask=ask):
                    found.append(((around, self.asked(ask)), ask))
                case "ask", Questions(asks=asks):
                    found += [((around, self.asked(ask)), ask) for ask in asks]
                case "offer", Window(offer=offer):
                    found.append(((around,), offer))
        return found

    def slots(self) -> list[tuple[Key, str]]:
        """What loops and walks keep in the frame."""
        ends = ((i, b.end) for i, b in enumerate(self.low.blocks))
        return [(self.keys[i], end.slot) for i, end in ends if isinstance(end, NextItem | NextRound | NextStep)]

    @cached_property
    def types(self) -> dict[str, str]:
        """The types of the names in a frame; a slot has that of its members."""
        found = {p.name: type_text(p.type, self.book) for p in self.low.params}
        found["actor"] = "kind:side"
        for part in parts(self.low.blocks):
            if isinstance(part, c.Local):
                found.setdefault(part.name, type_text(part.type.plain, self.book))
        for ask in (ask for _, ask in self.numbers("ask")):
            found[self.book.asks[ask].name] = answer_text(self.book, self.book.asks[ask])
        for block in self.low.blocks:
            for s in block.stmts:
                if isinstance(s, m.BeginFor) and s.source.type.of is not None:
                    found[s.slot] = type_text(s.source.type.of, self.book)
                elif isinstance(s, m.Bind):
                    found[s.local] = type_text(self.book.bindings[s.var], self.book)
                elif isinstance(s, c.Roll):
                    found.setdefault(s.name, "number")
                elif isinstance(s, c.Let):
                    found.setdefault(s.name, type_text(s.value.type.plain, self.book))
            if isinstance(block.end, NextItem) and block.end.slot in found:
                found.setdefault(block.end.var, found[block.end.slot])
        return found

    # ------------------------------------------------------------ what a step needs

    def needed(self, at: int) -> set[str]:
        """The names that are read from some step on before they are given a value."""
        live: dict[int, set[str]] = {i: set() for i in range(len(self.low.blocks))}
        changed = True
        while changed:
            changed = False
            for i in reversed(range(len(self.low.blocks))):
                found = self.before(self.low.blocks[i], live)
                if found != live[i]:
                    live[i], changed = found, True
        return live[at]

    def before(self, block: Block, live: Mapping[int, set[str]]) -> set[str]:
        end = block.end
        after = {name for j in ways_on(end) for name in live[j]}
        match end:
            case NextItem():
                after = (live[end.body] - {end.var}) | live[end.after] | {end.slot}
            case NextRound() | NextStep():
                after |= {end.slot}
            case Question() | Questions():
                asks = [self.book.asks[x] for x in ((end.ask,) if isinstance(end, Question) else end.asks)]
                after = (after | self.read(asks)) - {ask.name for ask in asks}
            case Window():
                after |= self.read([self.book.offers[end.offer]])
            case _:
                after |= self.read([end])
        for s in reversed(block.stmts):
            given = set(assigned(s))
            after = (after - given) | (self.read([s]) - given)
        return after

    def read(self, of: Iterable[Any]) -> set[str]:
        found = {x.name for part in of for x in parts(part) if isinstance(x, c.Local)}
        found |= {x.local for part in of for x in parts(part) if isinstance(x, m.Bind)}
        return found & self.declared

    @cached_property
    def declared(self) -> set[str]:
        """The names that the procedure itself gives values to."""
        found = {p.name for p in self.low.params} | {self.book.asks[ask].name for _, ask in self.numbers("ask")}
        for block in self.low.blocks:
            found |= {name for s in block.stmts for name in assigned(s)}
            if isinstance(block.end, NextItem):
                found.add(block.end.var)
        return found


def statement(s: Any) -> Key:
    """A statement by its sort and the names in it."""
    names = ("name", "key", "phase", "quota", "var")
    return type(s).__name__, tuple(str(getattr(s, x)) for x in names if getattr(s, x, None) is not None)


def assigned(s: Any) -> Iterator[str]:
    """The names that a statement gives values to, those inside it too."""
    for part in parts(s):
        if isinstance(part, c.Let | c.Roll | c.Draw):
            yield part.name
        elif isinstance(part, c.ForEach):
            yield part.var
        elif isinstance(part, m.BeginFor | m.BeginRepeat | m.BeginWalk):
            yield part.slot


def parts(x: Any) -> Iterator[Any]:
    """A node of the core and all below it."""
    todo = [x]
    while todo:
        x = todo.pop()
        if isinstance(x, tuple | list):
            todo.extend(x)
        elif is_dataclass(x) and not isinstance(x, type):
            yield x
            todo.extend(getattr(x, f.name) for f in fields(x) if f.name not in ("span", "type"))


def paired(ours: list[tuple[Key, Any]], theirs: list[tuple[Key, Any]]) -> dict[Any, Any]:
    """Those of one list by those of the other that are known by the same, in their order; where there are more on one
    side than on the other, none of them is paired."""
    by: dict[Key, tuple[list[Any], list[Any]]] = {}
    for side, found in enumerate((ours, theirs)):
        for key, value in found:
            by.setdefault(key, ([], []))[side].append(value)
    return {x: y for a, b in by.values() if len(a) == len(b) for x, y in zip(a, b, strict=True)}


class Way:
    """The way from the points of one procedure to those of the same one under other rules."""

    def __init__(self, a: Points, b: Points) -> None:
        self.a, self.b = a, b
        self.blocks = paired([(k, i) for i, k in a.keys.items()], [(k, i) for i, k in b.keys.items()])
        self.asks = paired(a.numbers("ask"), b.numbers("ask"))
        self.offers = paired(a.numbers("offer"), b.numbers("offer"))
        self.slots = paired(a.slots(), b.slots())

    def block(self, at: int) -> int:
        """The step of the second rule set that goes on where a step of the first does."""
        found: int | None = self.blocks.get(at)
        if found is None:
            raise Moved
        return found
