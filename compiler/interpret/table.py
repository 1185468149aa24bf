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
from typing import Any

from rulewright.runtime import dice
from rulewright.runtime.problems import Fault
from rulewright.runtime.state import State

from ..core import nodes as c
from .expressions import Evaluator
from .program import keys_of
from .reads import bindings_of
from .values import as_many, bounded
from .world import Key, World

ROUNDS = 50
Local = dict[str, Any]


@dataclass(slots=True)
class Queued:
    """Something set off: a trigger (by its place in the book) or an effect put off until now (-1)."""

    order: int
    procedure: c.Procedure
    local: Local
    trigger: c.Trigger | None = None
    effect: Effect | None = None


@dataclass(slots=True, eq=False)
class Effect:
    """Statements put off until a phase begins."""

    phase: str
    stmt: c.Schedule
    local: Local


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
    together: int = 0
    skips: list[Skip] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    keys: dict[str, dict[Key, int]] = field(default_factory=dict)
    heard: dict[tuple[str, str], list[tuple[int, c.Trigger]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for order, trigger in enumerate(self.book.triggers):
            self.heard.setdefault(trigger.event, []).append((order, trigger))

    @property
    def S(self) -> State:
        return self.W.S

    @property
    def book(self) -> c.Book:
        return self.ev.book

    def note(self, event: str, case: str, **more: Any) -> None:
        self.log.append({"event": event, "case": case, **more})

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
        found = [x for x in queued if x.trigger is None or self.holds(x.trigger, x.local)]
        return sorted(found, key=lambda x: x.order)

    def holds(self, trigger: c.Trigger, local: Local) -> bool:
        """Whether the condition of a trigger holds and nothing waives it."""
        if trigger.guard is not None and not self.ev.value(self.W, trigger.guard, local):
            return False
        return not self.ev.waived(self.W, trigger.waivers, local)

    # ------------------------------------------------------------ settling

    def begin(self, phases: Iterable[str] | None = None) -> None:
        """The position stands: everything remembered is worked out, and conditions waited for are looked at.

        A condition that asks what a phase is for counts as not yet true, unless the `phases` under way are given.
        """
        for m in self.book.memories.values():
            if m.how in ("always", "ever"):
                self.refresh(m, None)
        self.settle()
        self.S.phases += phases or ()
        self.W.changed([("phase", phase) for phase in phases or ()])
        for phase in phases or ():
            self.start(phase)
        for mark in self.expiring():
            self.expired(mark)
        for trigger in self.soon():
            bound = () if phases is not None else bindings_of(self.book, trigger)
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
        known: Key = ("keys", m.name)
        self.W.kept.add(known)
        order: dict[Key, int] = self.W.remember(
            known, lambda: {key: i for i, key in enumerate(keys_of(self.ev, self.W, m))}
        )
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
        self.W.changed(self.W.move(moved, place))
        self.note("put", case, units=tuple(moved), place=place)
        for u, old in zip(moved, before, strict=True):
            if old is not None:
                self.fire(("happens", "leave"), (u, old))
            if place is not None:
                self.fire(("happens", "enter"), (u, place))
        self.settle()

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
        if known.secret is None:
            self.note("set", case, mark=column, owner=owner, value=value)
        else:
            for o in many:
                to = known.secret(S) if o is None else known.secret(S, o)
                self.note("set", case, mark=column, owner=o, value=value, to=to, secret=True)
        self.settle()

    def bind(self, name: str, value: Any) -> None:
        if self.W.bind(name, value):
            self.settle()

    def spend(self, quota: str, key: tuple[Any, ...], amount: Any, case: str) -> None:
        spent = self.S.own(f"spent_{quota}")
        spent[key] = spent.get(key, 0) + amount
        self.W.changed([("spent", quota, key)])
        self.note("spend", case, quota=quota, amount=amount)
        self.settle()

    def roll(self, count: int, sides: int, case: str) -> int:
        faces = dice.roll(self.S.dice, count, sides)
        self.S.revealed += 1
        self.note("roll", case, faces=faces, sides=sides)
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
        self.note("draw", case, drawn=options[index], secret=secret, type=type)
        return options[index]

    def reveal(self, value: Any, case: str, mark: str | None, owner: Any, type: str) -> None:
        self.S.revealed += 1
        if mark is not None and [mark, owner] not in self.S.shown:
            self.S.shown.append([mark, owner])
        self.note("reveal", case, value=value, mark=mark, owner=owner, type=type)

    # ------------------------------------------------------------ phases

    def enter(self, name: str, var: str | None) -> None:
        """A phase begins."""
        S = self.S
        S.phases.append(name)
        S.turn_of_phase[name] = S.turn_of_phase.get(name, 0) + 1
        self.W.changed([("phase", name)])
        self.note("phase", "", name=name, var=var, value=getattr(S, f"bind_{var}") if var is not None else None)
        self.start(name)
        for effect in [x for x in self.effects if x.phase == name]:
            body = c.Procedure(
                name="", case=effect.stmt.case, params=(), body=effect.stmt.block, sort="trigger", span=effect.stmt.span
            )
            self.queue.append(Queued(-1, body, dict(effect.local), effect=effect))
        self.fire(("start", name), ())
        self.settle()

    def start(self, name: str) -> None:
        """What the start of a phase resets and remembers."""
        for quota in self.book.quotas.values():
            spent = getattr(self.S, f"spent_{quota.name}")
            if name in quota.per and spent:
                setattr(self.S, f"spent_{quota.name}", {})
                self.W.changed([("spent", quota.name, key) for key in spent])
        self.reset("start", name)
        self.look("start", name)

    def close(self, name: str) -> None:
        """What happens at the end of a phase, while it still runs."""
        self.look("end", name)
        self.fire(("end", name), ())
        self.settle()

    def leave(self, name: str) -> None:
        """A phase is over: marks that live until then go; those that last until the next end go at the second."""
        S = self.S
        self.reset("end", name)
        for mark in self.marks_until("end_next", name):
            column = S.program.column[column_of(mark)]
            armed = S.armed.get(column.name, [])
            marked = [o for o, value in S.each(column) if value != column.start]
            cells: set[Key] = set()
            for o in armed:
                cells |= self.W.give(column.name, o, column.start)
            S.armed[column.name] = [o for o in marked if o not in armed]
            self.W.changed(cells)
        if name in S.phases:
            del S.phases[len(S.phases) - 1 - S.phases[::-1].index(name)]
        self.W.changed([("phase", name)])
        self.settle()

    def marks_until(self, sort: str, name: str) -> list[c.Mark]:
        return [m for m in self.book.marks.values() if m.until_test is None and m.until == (sort, name)]

    def reset(self, sort: str, name: str) -> None:
        """Marks that live until now are back at their start."""
        for mark in self.marks_until(sort, name):
            column = self.S.program.column[column_of(mark)]
            cells: set[Key] = set()
            for o, value in list(self.S.each(column)):
                if value != column.start:
                    cells |= self.W.give(column.name, o, column.start)
            self.W.changed(cells)

    def look(self, sort: str, name: str) -> None:
        """Memories of a moment: `at` keeps the values of then, `counting` how many times in a row something held."""
        for m in self.book.memories.values():
            if m.event != (sort, name) or m.how not in ("at", "counting"):
                continue
            past = getattr(self.S, f"past_{m.name}")
            new: dict[Any, Any] = {key: self.ev.define(self.W, m.name, key) for key in keys_of(self.ev, self.W, m)}
            start = m.start
            if m.how == "counting":
                start = 0
                new = past | {key: past.get(key, 0) + 1 if held else 0 for key, held in new.items()}
            new = {key: value for key, value in new.items() if value != start}
            setattr(self.S, f"past_{m.name}", new)
            self.S.lent.discard(f"past_{m.name}")
            touched = [key for key in {**past, **new} if past.get(key, start) != new.get(key, start)]
            self.W.changed([("past", m.name, key) for key in touched])


def column_of(mark: c.Mark) -> str:
    return f"{mark.owner.name}_{mark.name}"


def keep_of(m: c.Memory, old: Any) -> Any:
    """What a memory that is always settled keeps; the others know of no value before."""
    return old if m.how == "always" else None
