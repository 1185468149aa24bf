"""A position of one rule set as a position of another.

In:  two rule sets, and the plain data of a state at a decision of the first.
Out: the plain data of a state of the second at the same decision: counters and marks by their names, procedures at
     the same points, the dice where they are; and what was dropped or begins anew on the way.
Reports: `Stuck`, with every reason why there is no such position: things on the board that the second rule set does
         not have, or a point in the middle of a rule that it no longer has.

Drafts are closed: what was done before stands and is not taken back. A rule that waits for a condition (`whenever`) and
that is new, or waits for another condition, does not fire for what holds already.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.runtime.forms import sound
from rulewright.runtime.ops import refresh
from rulewright.runtime.program import Column
from rulewright.runtime.state import State, fresh
from rulewright.runtime.telling.words import mark_of, plain, say, say_owner

from ..core.digest import Form
from ..core.texts import type_text
from .points import Moved, Points, Way
from .ruleset import RuleSet
from .values import Lost, Values

Plain = dict[str, Any]
KEPT_LOCALS = ("@wrapped", "@inner", "@done", "@draft", "@failed", "@secret")


class Stuck(Exception):
    """A position that cannot be carried over, with the reasons: a case of the rules, or nothing, and a sentence."""

    def __init__(self, reasons: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(said for _, said in reasons))
        self.reasons = reasons


class Carrier:
    """Carries positions from one rule set to another."""

    def __init__(self, a: RuleSet, b: RuleSet) -> None:
        self.a, self.b = a, b
        self.values = Values(a.program, b.program)
        self.ways: dict[str, Way | None] = {}
        self.reasons: list[tuple[str, str]] = []
        self.dropped: dict[str, None] = {}
        self.frames: list[list[Any]] = []

    def carried(self, position: Plain) -> State:
        """The position under the second rule set; `dropped` says what did not come along."""
        self.reasons, self.dropped, self.frames = [], {}, []
        made = fresh(self.b.program, 0).plain()
        made["at"] = self.places(position)
        if self.b.program.board.maps:
            made["map"] = self.map(position, made["at"])
        for name, value in (*self.marks(position), *self.bound(position), *self.running(position)):
            made[name] = value
        if self.reasons:
            raise Stuck(list(dict.fromkeys(self.reasons)))
        state = State.from_plain(self.b.program, made)
        self.remember(position, state)
        state.log = []
        if not sound(self.b.program, state.plain()):
            raise Stuck([("", "the position does not have the form that the new rules give to positions")])
        return state

    def stuck(self, case: str, said: str) -> None:
        self.reasons.append((case, said))

    # ------------------------------------------------------------ the board

    def map(self, position: Plain, at: list[int | None]) -> str:
        """The map of the same name; from rules with one map, the one that units stand on."""
        grounds = self.b.program.grounds
        if "map" not in position:
            held = [name for name, (_, ground) in grounds.items() if any(p in ground for p in at if p is not None)]
            return next(iter(held or grounds))
        if position["map"] not in grounds:
            self.stuck("", f"it is played on the map {position['map']}, which the new rules do not have")
            return next(iter(grounds))
        return str(position["map"])

    def places(self, position: Plain) -> list[int | None]:
        a, b = self.a.program, self.b.program
        found = list(fresh(b, 0).at)
        for u, at in enumerate(position["at"]):
            unit = self.values.unit(u)
            if unit is None:
                if at is not None and at not in a.board.pools:
                    self.stuck("", f"{a.units[u]} is in {say(a, 'place', at)}; the new rules have no such counter")
                continue
            place = self.values.place(at) if at is not None else None
            if at is not None and place is None:
                self.stuck("", f"{a.units[u]} is in {say(a, 'place', at)}, which the new rules do not have")
            found[unit] = place
        return found

    def marks(self, position: Plain) -> Iterator[tuple[str, Any]]:
        before = State.from_plain(self.a.program, position)
        after = fresh(self.b.program, 0)
        for column in self.a.program.columns:
            new = self.b.program.column.get(column.name)
            worn = [(o, v) for o, v in before.each(column) if v != column.start]
            if new is None or (new.sort, new.type) != (column.sort, column.type):
                if worn and column.name != "unit_side":
                    held = f", which {len(worn)} bore" if column.sort != "game" else ""
                    self.dropped[f"{self.what(column)} (case {column.case}){held}"] = None
                continue
            for owner, value in before.each(column):
                if value != column.start or new.start != column.start:
                    self.mark(after, column, new, owner, value)
        for column in self.b.program.columns:
            yield column.name, getattr(after, column.name)

    def mark(self, after: State, old: Column, new: Column, owner: Any, value: Any) -> None:
        """One mark; the side of a counter is that of the new rules unless play has changed it."""
        a = self.a.program
        if old.sort in ("unit", "place"):
            there = self.values.unit(owner) if old.sort == "unit" else self.values.place(owner)
            if there is None:  # a counter or hex that is not there is told by whoever stands on it
                return
            if old.name == "unit_side" and value == a.unit_sides[owner]:
                return
            owner_there: Any = there
        else:
            try:
                owner_there = self.values.owner(old.sort, owner)
            except Lost as lost:
                self.dropped[f"{self.what(old)} at {lost.what}"] = None
                return
            if new.keys and owner_there not in new.keys:
                who = say_owner(a, old, owner)
                self.stuck(old.case, f"{self.what(old)} is borne by {who}, which the new rules do not have")
                return
        try:
            after.give(new, owner_there, self.values(old.type, value))
        except Lost as lost:
            of = f" of {say_owner(a, old, owner)}" if old.sort != "game" else ""
            self.stuck(old.case, f"{self.what(old)}{of} is {lost.what}, which the new rules do not have")

    def what(self, column: Column) -> str:
        return f"the mark {plain(mark_of(self.a.program, column)[1])}"

    # ------------------------------------------------------------ what is bound and remembered

    def bound(self, position: Plain) -> Iterator[tuple[str, Any]]:
        a, b = self.a.program, self.b.program
        for name, type_ in a.bindings.items():
            if b.bindings.get(name) == type_:
                try:
                    yield f"bind_{name}", self.values(type_, position[f"bind_{name}"])
                except Lost as lost:
                    self.stuck("", f"{plain(name)} is {lost.what}, which the new rules do not have")
        for name, quota in self.a.book.quotas.items():
            if name in self.b.book.quotas:
                types = self.types(quota.definition.params, self.a)
                if types == self.types(self.b.book.quotas[name].definition.params, self.b):
                    yield f"spent_{name}", self.keyed(position[f"spent_{name}"], types, "number")
        for name, memory in self.a.book.memories.items():
            other = self.b.book.memories.get(name)
            types = self.types(memory.definition.params, self.a)
            gives = type_text(memory.definition.type, self.a.book)
            if (
                other is not None
                and (other.how, types) == (memory.how, self.types(other.definition.params, self.b))
                and gives == type_text(other.definition.type, self.b.book)
            ):
                gives = "number" if memory.how == "counting" else gives
                yield f"past_{name}", self.keyed(position[f"past_{name}"], types, gives)
            elif position[f"past_{name}"]:
                self.dropped[f"what was remembered as {plain(name)} (case {memory.case})"] = None

    def types(self, params: Any, side: RuleSet) -> tuple[str, ...]:
        return tuple(type_text(p.type, side.book) for p in params)

    def keyed(self, held: dict[Any, Any], takes: tuple[str, ...], gives: str) -> dict[Any, Any]:
        """What is held by keys; keys that the new rules cannot ask for are left out."""
        found = {}
        for key, value in held.items():
            try:
                there = tuple(self.values(t, k) for t, k in zip(takes, key, strict=True))
                found[there] = self.values(gives, value)
            except Lost as lost:
                self.dropped[f"what was kept for {lost.what}"] = None
        return found

    def remember(self, position: Plain, state: State) -> None:
        """What the new rules remember from now on, and which conditions hold already."""
        program = self.b.program
        for memory in program.memories:
            if memory.name not in self.a.book.memories and memory.how in ("always", "ever"):
                refresh(state, memory)
        known = {t.id: t for t in self.a.book.triggers}
        for trigger in self.b.book.triggers:
            if trigger.event != ("soon", ""):
                continue
            info = next(t for t in program.by_event[("soon", "")] if t.id == trigger.id)
            old = known.get(trigger.id)
            same = old is not None and Form(self.a.book)(old.guard) == Form(self.b.book)(trigger.guard)
            if same and trigger.id in position["soon"]:
                state.soon[trigger.id] = position["soon"][trigger.id]
            else:
                state.soon[trigger.id] = bool(info.guard(state)) if info.guard is not None else True
        state.queue, state.dirty = list(state.queue), {}

    # ------------------------------------------------------------ procedures under way

    def running(self, position: Plain) -> Iterator[tuple[str, Any]]:
        b = self.b.program
        waiting = [*position["pending"], *(item for _, held in position["parked"] for item in held)]
        for i, frame in enumerate(position["stack"]):
            asks = [self.a.program.asks[x["ref"]].name for x in waiting if x["frame"] == i and x["sort"] == "ask"]
            name, block, local = frame
            self.frames.append(self.frame(name, block, local, asks))
        yield "stack", self.frames
        yield "pending", [self.decision(position, item) for item in position["pending"]]
        yield "parked", [[at, [self.decision(position, item) for item in held]] for at, held in position["parked"]]
        yield "queue", [[name, self.named(name, local)] for name, local in position["queue"]]
        for name in ("dice", "agains", "winner", "over", "together", "counter", "revealed", "turn_of_phase"):
            yield name, position[name]
        yield "phases", self.phases(position["phases"])
        yield "drafts", [() for _ in position["drafts"]]
        if any(position["drafts"]):
            self.dropped["drafts are closed: what was done so far is not taken back"] = None
        for skip in position["skips"]:
            if skip["guard"] is not None:
                self.stuck(skip["case"], f"the rules wait to leave out the phase {plain(skip['phase'])}")
        yield "skips", [x for x in position["skips"] if x["guard"] is None]
        readings = {name: chosen for name, chosen in position["readings"].items() if chosen in b.readings.get(name, ())}
        for name, chosen in position["readings"].items():
            if name not in readings:
                self.dropped[f"the reading {name} = {chosen}"] = None
        yield "readings", {**{name: options[0] for name, options in b.readings.items()}, **readings}
        yield "soon", {}
        yield "halted", [u for x in position["halted"] if (u := self.values.unit(x)) is not None]
        yield "armed", dict(self.owners(position["armed"]))
        yield "shown", [[name, owner] for name, owner in self.known_owners(position["shown"])]
        if position["winner"] is not None and position["winner"] not in b.sides:
            self.stuck("", f"{position['winner']} has won, a side that the new rules do not have")
        for side in {item["side"] for item in position["pending"]} - set(b.sides):
            self.stuck("", f"{side} is to decide, a side that the new rules do not have")

    def phases(self, running: list[str]) -> list[str]:
        known = self.b.book.phases
        for name in running:
            if name not in known:
                self.stuck("", f"the {plain(name)} phase runs, which the new rules do not have")
        return running

    def owners(self, armed: dict[str, list[Any]]) -> Iterator[tuple[str, list[Any]]]:
        for name, owners in armed.items():
            yield name, [o for _, o in self.known_owners([[name, owner] for owner in owners])]

    def known_owners(self, pairs: list[list[Any]]) -> Iterator[tuple[str, Any]]:
        """Marks with their owners, as far as both are there."""
        for name, owner in pairs:
            old, new = self.a.program.column.get(name), self.b.program.column.get(name)
            if old is not None and new is not None and new.sort == old.sort:
                try:
                    yield name, self.values.owner(old.sort, owner)
                except Lost:
                    continue

    def way(self, name: str) -> Way | None:
        """The way between the steps of a procedure; None where the new rules do not have it."""
        if name not in self.ways:
            sides = [(x.book, x.lowered.get(name)) for x in (self.a, self.b)]
            points = [Points(book, low) for book, low in sides if low is not None]
            self.ways[name] = Way(*points) if len(points) == 2 else None
        return self.ways[name]

    def frame(self, name: str, block: int, local: Plain, asks: list[str]) -> list[Any]:
        """A procedure under way; `asks` are the names that answers will give."""
        way = self.way(name)
        info = self.a.program.procedures[name]
        at = f"the game is in the middle of {called(name)}"
        if way is None:
            self.stuck(info.case, f"{at}, which the new rules do not have")
            return [name, block, {}]
        try:
            there = way.block(block)
        except Moved:
            self.stuck(info.case, f"{at}, which goes on otherwise under the new rules")
            return [name, block, {}]
        needed = way.b.needed(there)
        made = self.named(name, local, needed)
        missing = sorted(needed - {*made, *asks})
        if missing:
            self.stuck(info.case, f"{at}, which needs {', '.join(map(plain, missing))} under the new rules")
        return [name, there, made]

    def named(self, name: str, local: Plain, needed: set[str] | None = None) -> Plain:
        """The names in a frame with their values; one that is not needed any more may be left out."""
        way = self.way(name)
        if way is None:
            self.stuck("", f"{called(name)} is due, which the new rules do not have")
            return {}
        ours, theirs = way.a.types, way.b.types
        made: Plain = {}
        for key, value in local.items():
            there = way.slots.get(key, key) if key.startswith("@") else key
            try:
                if key == "@failed":
                    made[key] = [way.asks[x] for x in value]
                elif key in KEPT_LOCALS:
                    made[key] = value
                elif key.startswith(("@each", "@times", "@walk")):
                    if key in way.slots:
                        made[there] = self.slot(key, value, ours.get(key, ""))
                elif key in theirs and key in ours and theirs[key] != ours[key]:
                    if needed is None or key in needed:
                        said = f"{called(name)} holds {plain(key)}, which is of another type under the new rules"
                        self.stuck("", said)
                else:
                    made[key] = self.values(ours.get(key, ""), value)
            except (Lost, KeyError) as lost:
                if needed is not None and there not in needed and not key.startswith("@"):
                    continue
                what = lost.what if isinstance(lost, Lost) else plain(key)
                self.stuck("", held(called(name), what))
        return made

    def slot(self, key: str, value: Any, type: str) -> Any:
        """What a loop or a walk has still to do."""
        if key.startswith("@each"):
            return [self.values(type, x) for x in value]
        if key.startswith("@walk"):
            unit, rest, at = value
            return [self.values("unit", unit), [self.values("place", x) for x in rest], self.values("place", at)]
        return value

    def decision(self, position: Plain, item: Plain) -> Plain:
        """A question or window that is open."""
        procedure = position["stack"][item["frame"]][0]
        way = self.way(procedure)
        sort = "question" if item["sort"] == "ask" else "window"
        found = None if way is None else (way.asks if item["sort"] == "ask" else way.offers).get(item["ref"])
        if way is None or found is None:
            self.stuck(item["case"], f"the {sort} that is open in {called(procedure)} is not in the new rules")
            return item
        made = {**item, "ref": found}
        made["case"] = (self.b.program.asks if item["sort"] == "ask" else self.b.program.offers)[found].case
        if item.get("else", -1) >= 0:
            try:
                made["else"] = way.block(item["else"])
            except Moved:
                said = f"what follows where {called(procedure)} has no answer is not in the new rules"
                self.stuck(item["case"], said)
        return made


def held(procedure: str, what: str) -> str:
    """Why what a procedure holds does not come along."""
    if not what:
        return f"{procedure} holds a value of which it is not known what it is"
    return f"{procedure} holds {what}, which the new rules do not have"


def called(procedure: str) -> str:
    """A procedure as a reader knows it."""
    return plain(procedure.removeprefix("action "))
