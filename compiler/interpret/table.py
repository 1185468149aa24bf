"""The table that a game is played on: the world, what waits to run, and how changes settle.

In:  a book, and a state of it.
Out: changes to the state; after each, memories, lifetimes of marks and triggers are brought up to date.

What `docs/language.md` says under "When change settles" is carried out here, once. Which memories and triggers must be
looked at again is known from what they looked at the last time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeGuard

from rulewright.runtime import dice
from rulewright.runtime.notation import units_named
from rulewright.runtime.problems import Fault
from rulewright.runtime.state import State

from ..core import nodes as c
from ..core.shown import made_of
from ..core.types import UNIT, Type
from ..core.walk import all_procedures, all_statements
from .expressions import Evaluator
from .program import keys_of
from .reads import bindings_of
from .values import as_many, bounded, whole
from .world import Key, World

ROUNDS = 50
Local = dict[str, Any]


@dataclass(slots=True)
class Queued:
    """A trigger that was set off, with its place in the book."""

    order: int
    procedure: c.Procedure
    local: Local
    trigger: c.Trigger


@dataclass(slots=True, eq=False)
class Skip:
    """A phase to be left out, where its guard holds then."""

    phase: str
    guard: c.Expr | None
    local: Local
    case: str


@dataclass(slots=True)
class Table:
    """One game under way, but for its flow."""

    ev: Evaluator
    W: World
    log: list[dict[str, Any]] = field(default_factory=list)
    queue: list[Queued] = field(default_factory=list)
    read: frozenset[str] | None = None
    """The memories that anything asks for; None for all."""
    told: set[Key] | None = None
    """What is given of memories in a position that began as an empty board with all of it remembered."""
    together: int = 0
    skips: list[Skip] = field(default_factory=list)
    keys: dict[str, dict[Key, int]] = field(default_factory=dict)
    heard: dict[tuple[str, str], list[tuple[int, c.Trigger]]] = field(default_factory=dict)
    spends: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for order, trigger in enumerate(self.book.triggers):
            self.heard.setdefault(trigger.event, []).append((order, trigger))

    @property
    def S(self) -> State:
        return self.W.S

    @property
    def book(self) -> c.Book:
        return self.ev.book

    def value(self, e: c.Expr, local: Local) -> Any:
        """The value of an expression here and now; a number that is whole as a whole number."""
        found = self.ev.value(self.W, e, local)
        return whole(found) if e.type.name == "number" else found

    def note(self, event: str, case: str, **more: Any) -> None:
        self.log.append({"event": event, "case": case, **more})

    def made(self, e: c.Expr, local: Local) -> tuple[set[int], list[tuple[str, Any]]]:
        """The units, and the veiled marks with their places, that a value is made of."""
        marks = {f"place_{x.key.partition('.')[2]}" for x in self.book.veils if x.key != "unit"}
        if not self.book.veils:
            return set(), []
        units, owned = made_of(e, marks)
        return {u for x in units for u in as_many(self.value(x, local))}, [(m, self.value(x, local)) for m, x in owned]

    def tell(
        self,
        case: str,
        texts: tuple[str, ...],
        values: list[tuple[str, Any]],
        made: list[tuple[set[int], list[tuple[str, Any]]]],
        names: tuple[str, ...],
    ) -> None:
        """A line that the rules write, with where the units lie that it names."""
        named = [units_named(self.S.program, type, v) for type, v in values]
        kept = [[type, v, [self.S.at[u] for u in us]] for (type, v), us in zip(values, named, strict=True)]
        veiled: dict[str, list[int]] = {}
        for i, (us, (units, marks)) in enumerate(zip(named, made, strict=True)):
            unseen = {*self.kept_from({*us, *units})}
            for column, place in marks:
                unseen |= {*self.marks_kept(column, (place,), None)} if place is not None else set()
            for side in (*self.book.kinds.get("side", ()), ""):
                if side in unseen:
                    veiled.setdefault(side, []).append(i)
        self.note("note", case, texts=texts, values=kept, names=names, **told(veiled))

    # ------------------------------------------------------------ what is veiled

    def kept_from(self, units: Any) -> dict[str, list[int]]:
        """From whom some units are kept now: by side, those of them that it may not know; "" sees what all see."""
        by = [x.by for x in self.book.veils if x.key == "unit"]
        if not by:
            return {}
        sides = self.book.kinds.get("side", ())
        found: dict[str, list[int]] = {}
        for side in (*sides, ""):
            eyes = (side,) if side else sides
            for u in units:
                others = [x for x in eyes if x != self.S.unit_side[u]] if self.S.at[u] is not None else []
                if any(self.ev.define(self.W, name, (u, x), None) for x in others for name in by):
                    found.setdefault(side, []).append(u)
        return found

    def uneven(self, quota: str) -> bool:
        """Whether more or less can be spent of a quota at a time, where units or stores are veiled."""
        if quota not in self.spends:
            asked = [a.amount for x in all_procedures(self.book) for a in all_statements(x) if spends(a, quota)]
            asked += [amount for a in self.book.actions.values() for q, _, amount in a.spends if q == quota]
            self.spends[quota] = bool(self.book.veils) and not all(isinstance(x, c.Const) for x in asked)
        return self.spends[quota]

    def marks_kept(self, column: str, many: Any, value: Any) -> dict[str, list[Any]]:
        """From whom it is kept that a mark of these owners is set to a value."""
        by = [x.by for x in self.book.veils if x.key != "unit" and f"place_{x.key.partition('.')[2]}" == column]
        sides = self.book.kinds.get("side", ())
        found: dict[str, list[Any]] = {}
        for side in (*sides, "") if by else ():
            eyes = (side,) if side else sides
            kept = [o for o in many if any(self.ev.define(self.W, name, (o, x), None) for x in eyes for name in by)]
            found |= {side: kept} if kept else {}
        known = self.S.program.column[column]
        if not by and known.sort == "unit":
            found = self.kept_from(many)
        return found | {side: list(many) for side in self.value_kept(known.type, value)}

    def value_kept(self, type: str, value: Any) -> dict[str, list[int]]:
        """From whom a value is kept, since it names units."""
        units = as_many(value) if type in ("unit", "set:unit", "list:unit") else ()
        return self.kept_from(units)

    # ------------------------------------------------------------ events

    def fire(self, event: tuple[str, str], args: tuple[Any, ...]) -> None:
        """Queue the triggers of an event; whether they apply is asked when the change has settled."""
        for order, trigger in self.heard.get(event, ()):
            local = {p.name: args[i] for p, i in self.places(trigger) if i < len(args)}
            self.queue.append(Queued(order, trigger.procedure, local, trigger))

    def places(self, trigger: c.Trigger) -> list[tuple[c.Param, int]]:
        """The parameters of a trigger, each with its place among what the event tells: by name, else as written."""
        sort, name = trigger.event
        known: list[str] = []
        if sort in ("happens", "before"):
            if name in self.book.actions:
                known = [p.name for p in self.book.actions[name].params]
            elif name in self.book.procedures:
                known = [p.name for p in self.book.procedures[name].params]
        return [(p, known.index(p.name) if p.name in known else i) for i, p in enumerate(trigger.params)]

    def due(self) -> list[Queued]:
        """What is queued and applies, in the order of the book; the queue is then empty."""
        queued, self.queue = self.queue, []
        found = [x for x in queued if self.holds(x.trigger, x.local)]
        return sorted(found, key=lambda x: x.order)

    def holds(self, trigger: c.Trigger, local: Local) -> bool:
        """Whether the condition of a trigger holds and nothing waives it."""
        if trigger.guard is not None and not self.ev.value(self.W, trigger.guard, local):
            return False
        return not self.ev.waived(self.W, trigger.waivers, local)

    # ------------------------------------------------------------ settling

    def first_look(self) -> None:
        """Work everything out that is remembered of a position."""
        if self.told is not None:
            self.forget_changed(self.told)
        else:
            for m in self.remembered():
                self.refresh(m, None)
        self.settle()

    def remembered(self) -> list[c.Memory]:
        """The memories that any change may alter."""
        every = (m for m in self.book.memories.values() if m.how in ("always", "ever"))
        return [m for m in every if self.read is None or m.name in self.read]

    def forget_changed(self, told: set[Key]) -> None:
        """Forget what was remembered of an empty board and rests on what has changed since, but for what is told."""
        todo = None
        while todo != (todo := {key for key in self.W.stale if key[0] == "memory" and key not in told}):
            for key in todo:
                self.forget(str(key[1]), {key[2]})
        for m in self.remembered():
            if ("keys", m.name) in self.W.stale:
                here = {key[2] for key in told if key[1] == m.name}
                self.forget(m.name, {*self.keys[m.name]} - {*self.known(m)} - here)
        self.W.stale |= told

    def forget(self, memory: str, keys: set[Any]) -> None:
        past = self.S.own(f"past_{memory}")
        for key in keys & past.keys():
            del past[key]
            self.W.changed([("past", memory, key)])

    def unremembered(self) -> None:
        """Nothing that was remembered counts but what is told."""
        told, self.told = self.told, None
        if told is None:
            return
        for m in self.remembered():
            past = self.S.own(f"past_{m.name}")
            for key in [key for key in past if ("memory", m.name, key) not in told]:
                del past[key]

    def wait_for(self, in_phases: bool) -> None:
        """Look at the conditions that are waited for.

        One that asks what a phase is for counts as not yet true, unless the position stands in the middle of phases.
        """
        for mark in self.expiring():
            self.expired(mark)
        for trigger in self.soon():
            bound = () if in_phases else bindings_of(self.book, trigger)
            if bound and trigger.guard is not None:
                self.S.soon[trigger.id] = False
                self.wait(("soon", trigger.id), [("bind", name) for name in bound])
            else:
                self.S.soon[trigger.id] = self.now(trigger)
        self.queue.clear()

    def wait(self, key: Key, cells: Iterable[Key]) -> None:
        """Keep a key that is looked at again when one of these cells changes."""
        self.W.kept.add(key)
        self.W.answers[key] = None
        for cell in cells:
            self.W.users.setdefault(cell, set()).add(key)

    def settle(self) -> None:
        """Bring memories and marks up to date and queue what became true, until nothing changes."""
        if self.together:
            return
        for _ in range(ROUNDS):
            stale = {key[:2] for key in self.W.stale}
            if not stale:
                return
            kept = self.W.stale
            self.W.stale = set()
            for m in self.book.memories.values():
                if ("memory", m.name) in stale or ("keys", m.name) in stale:
                    mine = {key for key in (*kept, *self.W.stale) if key[:2] == ("memory", m.name)}
                    self.W.stale = {key for key in self.W.stale if key[:2] != ("memory", m.name)}
                    self.refresh(m, mine)
            for mark in self.expiring():
                if ("until", column_of(mark)) in stale:
                    self.expire(mark)
            for order, trigger in enumerate(self.book.triggers):
                if trigger.event[0] == "soon" and ("soon", trigger.id) in stale:
                    now = self.now(trigger)
                    if now and not self.S.soon.get(trigger.id, False):
                        self.queue.append(Queued(order, trigger.procedure, {}, trigger))
                    self.S.soon[trigger.id] = now
        raise Fault("memories keep changing one another", "")

    def refresh(self, m: c.Memory, stale: set[Key] | None) -> None:
        """Work a memory out again for the keys whose answer is gone, or for all."""
        order = self.known(m)
        before = self.keys.get(m.name, {})
        self.keys[m.name] = order
        if stale is None:
            todo = list(order)
        else:
            gone = {key[2] for key in stale} | ({*order} - {*before} if order is not before else set())
            todo = sorted((k for k in order if k in gone), key=lambda k: order[k])
        past = getattr(self.S, f"past_{m.name}")
        for key in todo:
            old = past.get(key, m.start)
            node: Key = ("memory", m.name, key)
            self.W.kept.add(node)
            self.W.answers.pop(node, None)
            now = self.W.remember(node, partial(self.ev.define, self.W, m.name, key, keep_of(m, old)))
            new = (old or bool(now)) if m.how == "ever" else now
            if new != old:
                past = self.S.own(f"past_{m.name}")
                past[key] = new
                self.W.changed([("past", m.name, key)])
                self.fire(("change", m.name), key)

    def known(self, m: c.Memory) -> dict[Key, int]:
        """What a memory is of just now, each with its place."""
        known: Key = ("keys", m.name)
        self.W.kept.add(known)
        order: dict[Key, int] = self.W.remember(
            known, lambda: {key: i for i, key in enumerate(keys_of(self.ev, self.W, m))}
        )
        return order

    def now(self, trigger: c.Trigger) -> bool:
        key: Key = ("soon", trigger.id)
        self.W.kept.add(key)
        self.W.answers.pop(key, None)
        return bool(self.W.remember(key, lambda: self.holds(trigger, {})))

    def soon(self) -> list[c.Trigger]:
        return [t for t in self.book.triggers if t.event[0] == "soon"]

    def expiring(self) -> list[c.Mark]:
        return [m for m in self.book.marks.values() if m.until_test is not None]

    def expired(self, mark: c.Mark) -> list[Any]:
        """The owners whose mark has run out."""
        column = self.S.program.column[column_of(mark)]
        key: Key = ("until", column.name)
        self.W.kept.add(key)
        self.W.answers.pop(key, None)

        def work() -> list[Any]:
            self.W.look((column.name,))
            self.W.look((column.name, None))
            held = [o for o, value in self.S.each(column) if value != column.start]
            test = mark.until_test
            assert test is not None
            return [o for o in held if self.ev.value(self.W, test, {} if o is None else {"it": o})]

        found: list[Any] = self.W.remember(key, work)
        return found

    def expire(self, mark: c.Mark) -> None:
        column = column_of(mark)
        cells: set[Key] = set()
        for o in self.expired(mark):
            cells |= self.W.give(column, o, mark.start)
        self.W.changed(cells)

    # ------------------------------------------------------------ changes

    def put(self, what: Any, place: int | None, case: str) -> None:
        """Move units to a place at once."""
        moved = [u for u in as_many(what) if self.S.at[u] != place]
        if not moved:
            return
        before = [self.S.at[u] for u in moved]
        kept = self.kept_from(moved)
        self.W.changed(self.W.move(moved, place))
        now = self.kept_from(moved) if kept else {}
        still = {side: [u for u in us if u in now.get(side, ())] for side, us in kept.items()}
        self.note("put", case, units=tuple(moved), place=place, **told({s: us for s, us in still.items() if us}))
        for u, old in zip(moved, before, strict=True):
            if old is not None:
                self.fire(("happens", "leave"), (u, old))
            if place is not None:
                self.fire(("happens", "enter"), (u, place))
        if place is not None and place in self.ev.board.pools:
            self.blank(set(moved))
        self.settle()

    def blank(self, units: set[int]) -> None:
        """Counters leave play: nothing is known of them any more, and nothing names them."""
        cells: set[Key] = set()
        for (_, name), mark in self.book.marks.items():
            column = self.S.program.column[column_of(mark)]
            for owner, value in list(self.S.each(column)):
                new = value
                if mark.owner == UNIT and owner in units:
                    new = self.book.units[owner].fields.get("side", "") if name == "side" else mark.start
                elif is_unit(mark.type):
                    new = mark.start if value in units else value
                elif is_unit(mark.type.of):
                    new = tuple(x for x in value if x not in units)
                if new != value:
                    cells |= self.W.give(column.name, owner, new)
            if mark.owner == UNIT:
                self.S.armed |= {x: [o for o in them if o not in units] for x, them in self.armed_for(column.name)}
                self.S.shown = [x for x in self.S.shown if not (x[0] == column.name and x[1] in units)]
        for m in self.book.memories.values():
            lost = self.lose(f"past_{m.name}", m.definition, units)
            cells |= {("past", m.name, key) for key in lost}
            if m.how in ("always", "ever"):
                for key in lost:
                    self.W.answers.pop(("memory", m.name, key), None)
                    self.W.stale.add(("memory", m.name, key))
        for q in self.book.quotas:
            cells |= {("spent", q, key) for key in self.lose(f"spent_{q}", self.book.definitions[q], units)}
        self.S.halted = [u for u in self.S.halted if u not in units]
        self.W.changed(cells)

    def armed_for(self, column: str) -> list[tuple[str, list[Any]]]:
        return [(column, self.S.armed[column])] if column in self.S.armed else []

    def lose(self, column: str, d: c.Definition, units: set[int]) -> list[Key]:
        """Take out of a table what is about some units or holds them; gives the keys of that."""
        rows: dict[Key, Any] = getattr(self.S, column)
        kept: dict[Key, Any] = {}
        for key, value in rows.items():
            about = any(p.type.plain == UNIT and k in units for p, k in zip(d.params, key, strict=True))
            if not about and not (is_unit(d.type) and value in units):
                kept[key] = tuple(x for x in value if x not in units) if is_unit(d.type.of) else value
        changed = [key for key in rows if key not in kept or kept[key] != rows[key]]
        if changed:
            setattr(self.S, column, kept)
            self.S.lent.discard(column)
        return changed

    def set_mark(self, column: str, owner: Any, value: Any, case: str) -> None:
        """Give a mark a value, for one owner or each of several."""
        S, known = self.S, self.S.program.column[column]
        if known.type == "number":
            bounded(value or 0)
        one = known.sort == "hexside" and isinstance(owner, tuple) and owner and not isinstance(owner[0], tuple)
        many = (owner,) if one or known.sort == "game" else as_many(owner)
        if S.armed.get(column):
            S.armed[column] = [o for o in S.armed[column] if o not in many]
        changed = [o for o in many if S.held(known, o) != value]
        if not changed:
            return
        cells: set[Key] = set()
        for o in changed:
            cells |= self.W.give(column, o, value)
        S.shown = [x for x in S.shown if x[0] != column or (owner is not None and x[1] != owner)]
        self.W.changed(cells)
        if known.secret is None and known.sort == "unit" and S.program.board.seen_by:
            for o in many:
                kept = told(self.marks_kept(column, (o,), value))
                self.note("set", case, mark=column, owner=o, value=value, at=S.at[o], **kept)
        elif known.secret is None:
            whose = owner if len(changed) == len(many) else tuple(changed)
            kept = told(self.marks_kept(column, changed, value))
            self.note("set", case, mark=column, owner=whose, value=value, **kept)
        else:
            for o in many:
                to = known.secret(S) if o is None else known.secret(S, o)
                more = {"at": S.at[o]} if known.sort == "unit" and S.program.board.seen_by else {}
                self.note("set", case, mark=column, owner=o, value=value, to=to, secret=True, **more)
        self.settle()

    def bind(self, name: str, value: Any) -> None:
        if self.W.bind(name, value):
            self.settle()

    def spend(self, quota: str, key: tuple[Any, ...], amount: Any, case: str) -> None:
        spent = self.S.own(f"spent_{quota}")
        spent[key] = spent.get(key, 0) + amount
        self.W.changed([("spent", quota, key)])
        whose = self.book.kinds.get("side", ()) if self.uneven(quota) else ()
        params = self.book.quotas[quota].definition.params
        of = next((k for k, p in zip(key, params, strict=True) if p.type.plain.name == "side"), None)
        kept = {side: [quota] for side in (*whose, "") if of is not None and whose and side != of}
        self.note("spend", case, quota=quota, amount=amount, **told(kept))
        self.settle()

    def roll(self, count: int, sides: int, case: str, name: str) -> int:
        faces = dice.roll(self.S.dice, count, sides)
        self.S.revealed += 1
        self.note("roll", case, faces=faces, sides=sides, name=name)
        return sum(faces)

    def draw(self, options: tuple[Any, ...], case: str, secret: Any, type: str) -> Any:
        """One of the options, blindly; nothing when there are none."""
        if not options:
            return None
        index, self.S.dice["rng"] = dice.draw(self.S.dice["rng"], len(options))
        if self.S.dice.get("draws"):
            wanted = self.S.dice["draws"].pop(0)
            if wanted not in options:
                raise Fault("what the script draws is not there to be drawn", case)
            index = options.index(wanted)
        self.S.revealed += 1
        kept = told(self.value_kept(type, options[index]))
        self.note("draw", case, drawn=options[index], secret=secret, type=type, **kept)
        return options[index]

    def reveal(self, value: Any, case: str, mark: str | None, owner: Any, type: str) -> None:
        self.S.revealed += 1
        if mark is not None and [mark, owner] not in self.S.shown:
            self.S.shown.append([mark, owner])
        self.note("reveal", case, value=value, mark=mark, owner=owner, type=type)


def spends(s: c.Stmt, quota: str) -> TypeGuard[c.Spend]:
    return isinstance(s, c.Spend) and s.quota == quota


def told(kept: Any) -> dict[str, Any]:
    """What the log holds of something that is kept from a side; nothing where it is kept from nobody."""
    return {"kept": kept} if kept else {}


def is_unit(t: Type | None) -> bool:
    return t is not None and t.plain == UNIT


def column_of(mark: c.Mark) -> str:
    return f"{mark.owner.name}_{mark.name}"


def keep_of(m: c.Memory, old: Any) -> Any:
    """What a memory that is always settled keeps; the others know of no value before."""
    return old if m.how == "always" else None
