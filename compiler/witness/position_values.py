"""Read and set the value of an expression in a position.

In:  the lines of a position, values of local names, and an expression of the core.
Out: the value of the expression, if lines and names determine it; or the position changed to give it a wanted value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from ..core import nodes as c
from ..core import types as t
from ..core.types import Type
from . import lines as w
from .lines import Given, Line
from .positions import Sampler

Env = dict[str, Given]
"""The values of local names."""


class PositionValues:
    """The lines of one position by what they set."""

    def __init__(self, sampler: Sampler, lines: Iterable[Line]) -> None:
        self.s, self.book, self.program = sampler, sampler.book, sampler.program
        self.lines: dict[Any, Line] = {key_of(line): line for line in lines}

    def put(self, line: Line) -> None:
        self.lines[key_of(line)] = line

    def constant(self, e: c.Const) -> Given | None:
        return self.given(e.type, e.value)

    def given(self, type: Type, value: Any) -> Given | None:
        return None if value is None else (type.plain, self.s.rules.decode(type.plain, value))

    def of(self, e: c.Expr, env: Env) -> Given | None:
        """The value of an expression, if the lines and names of the position determine it."""
        e = c.known(e)
        match e:
            case c.Const():
                return self.constant(e)
            case c.Local():
                return env.get(e.name)
            case c.Bound():
                return self.lined(("bind", e.name))
            case c.PlaceOf():
                unit = self.of(e.unit, env)
                line = self.lines.get(("at", unit[1])) if unit is not None else None
                return line.values[1] if line is not None else None
            case c.FieldOf():
                who = self.of(e.of, env)
                if who is None:
                    return None
                printed = self.s.board.keyed(e.key)
                return self.given(e.type, printed.get(self.s.rules.encode(*who), self.book.fields[e.key].default))
            case c.MarkOf():
                owner = e.of.type.plain.name if e.of is not None else "game"
                who = self.of(e.of, env) if e.of is not None else None
                found = self.lined(("mark", (owner, e.name), who[1] if who else None))
                return found or self.given(e.type, self.book.marks[owner, e.name].start)
            case c.BoxOf():
                key = self.of(e.asked[0], env) if e.asked else None
                return None if key is None else (t.PLACE, f"{e.name}({key[1]})")
            case c.BuiltinCall():
                turn = self.of(e.asked[0], env) if e.name == "month" and e.asked else None
                return None if turn is None else (t.MONTH, self.program.turns[self.s.rules.turns[turn[1]]][2])
            case c.Usual() | c.Keep() | c.Total() | c.Reading() | c.InPhase() | c.Member() | c.Named() | c.OnScale():
                return None
            case c.Shifted() | c.Rank() | c.Other() | c.Binary() | c.Not() | c.Negative() | c.Between() | c.Within():
                return None
            case c.IsIn() | c.SetOf() | c.ListOf() | c.Range() | c.FirstOf() | c.Tested() | c.Filter() | c.Folded():
                return None
            case c.Suppose() | c.Choose():
                return None
            case _:
                assert_never(e)

    def lined(self, key: Any) -> Given | None:
        """The value of the line with a key; None where there is no line, or its value is empty."""
        line = self.lines.get(key)
        return line.values[0] if line is not None and line.values[0][1] is not None else None

    def side(self, unit: str) -> str:
        return self.program.unit_sides[self.program.unit_index[unit]]

    def assign(self, e: c.Expr, value: Any, env: Env) -> bool:
        """Set the value of an expression; False where a position cannot."""
        e = c.known(e)
        match e:
            case c.Local():
                env[e.name] = (e.type.plain, value)
            case c.Bound():
                self.put(w.bound(e.name, self.book.bindings[e.name], value))
            case c.Reading():
                self.put(w.read(e.name, value))
            case c.PlaceOf():
                unit = self.thing(e.unit, t.UNIT, env)
                self.put(w.at(unit, value))
            case c.MarkOf():
                owner = e.of.type.plain.name if e.of is not None else "game"
                mark = self.book.marks[owner, e.name]
                who = self.thing(e.of, mark.owner, env) if e.of is not None else None
                self.put(w.marked(mark.owner, mark.name, mark.type, who, value))
            case c.Remembered():
                memory = self.book.memories[e.name]
                if memory.how == "always":
                    return False
                key = tuple(
                    (p.type.plain, self.thing(x, p.type, env))
                    for p, x in zip(memory.definition.params, e.asked, strict=True)
                )
                self.put(w.remembered(memory.name, e.type.plain, key, value))
            case c.FieldOf():
                return self.printed(e, value, env)
            case c.BuiltinCall():
                return self.dated(e, value, env)
            case c.Const() | c.Usual() | c.Keep() | c.Total() | c.InPhase() | c.Member() | c.Named() | c.OnScale():
                return False
            case c.Shifted() | c.Rank() | c.Other() | c.Binary() | c.Not() | c.Negative() | c.Between() | c.Within():
                return False
            case c.IsIn() | c.SetOf() | c.ListOf() | c.Range() | c.FirstOf() | c.Tested() | c.Filter() | c.Folded():
                return False
            case c.Suppose() | c.Choose():
                return False
            case _:
                assert_never(e)
        return True

    def thing(self, e: c.Expr, kind: Type, env: Env) -> Any:
        """The value of an expression; a name or place without one gets one."""
        known = self.of(e, env)
        if known is None and isinstance(e, c.Local):
            known = env[e.name] = (kind.plain, self.s.value(kind.plain))
        if known is None and isinstance(e, c.PlaceOf):
            spot = self.program.board.places[self.s.spot()]
            self.assign(e, spot, env)
            known = (t.PLACE, spot)
        if known is None:
            raise KeyError(type(e).__name__)
        return known[1]

    def printed(self, e: c.FieldOf, value: Any, env: Env) -> bool:
        """Rebind a name to something that has the wanted printed value."""
        owner, inner = e.key[0], e.of
        field = self.book.fields[e.key]
        wanted = self.s.rules.encode(field.type.plain, value)
        known = self.of(inner, env)
        held = self.s.board.keyed(e.key)
        if known is not None and held.get(self.s.rules.encode(*known), field.default) == wanted:
            return True
        everyone: Iterable[Any] = range(len(self.program.units)) if owner == "unit" else self.s.board.hexes
        fitting = [x for x in (held if owner == "hexside" else everyone) if held.get(x, field.default) == wanted]
        if known is not None and owner == "unit":
            fitting = [u for u in fitting if self.program.unit_sides[u] == self.side(known[1])] or fitting
        near = [x for x in fitting if x in self.s.placed]
        if not fitting:
            return False
        type = {"unit": t.UNIT, "place": t.PLACE, "hexside": t.HEXSIDE}.get(owner)
        if type is None:
            return False
        chosen = self.s.rules.decode(type, self.s.source.pick(near or fitting))
        if isinstance(inner, c.PlaceOf):
            return self.assign(inner, chosen, env)
        if not isinstance(inner, c.Local):
            return False
        if known is not None and owner == "unit" and ("at", known[1]) in self.lines:
            place = self.lines.pop(("at", known[1])).values[1][1]
            self.put(w.at(chosen, place))
        env[inner.name] = (type, chosen)
        return True

    def dated(self, e: c.BuiltinCall, value: Any, env: Env) -> bool:
        """Set the turn to one whose month or year has the wanted value."""
        part = 2 if e.name == "month" else 1
        fitting = [turn[0] for turn in self.program.turns if turn[part] == value]
        return bool(fitting) and self.assign(e.asked[0], self.s.source.pick(fitting), env)

    def place(self, unit: Given | None) -> None:
        """Place a unit on the map near the others, unless it is there already."""
        if unit is not None and ("at", unit[1]) not in self.lines:
            close = self.s.board.ring(self.s.centre, 1)
            self.put(w.at(unit[1], self.program.board.places[self.s.source.pick(close)]))


def settable(e: c.Expr) -> bool:
    """Whether a line of a position can set the value of an expression."""
    if isinstance(e, c.BuiltinCall):
        return e.name in ("month", "year") and bool(e.asked) and settable(e.asked[0])
    return isinstance(e, c.MarkOf | c.Bound | c.Remembered | c.Reading | c.PlaceOf | c.FieldOf | c.Local)


def key_of(line: Line) -> Any:
    """What a line sets; a later line with the same key replaces it."""
    match line:
        case w.At():
            return "at", line.values[0][1]
        case w.During():
            return "during", line.phase
        case w.MarkIs():
            return "mark", line.key, line.values[1][1] if len(line.values) > 1 else None
        case w.BoundIs():
            return "bind", line.name
        case w.ReadingIs():
            return "reading", line.name
        case w.MemoryIs():
            return "memory", line.name, line.values[1:]
        case w.SpentIs():
            return "spent", line.name, line.values[1:]
        case w.OnMap():
            return "map"
        case w.Setup() | w.Die() | w.Run() | w.Play():
            return line
        case _:
            assert_never(line)
