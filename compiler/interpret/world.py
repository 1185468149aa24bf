"""The world that rules look at: a state, and what has been worked out about it.

In:  a state of the runtime.
Out: its cells; changes to them; and memoised results, as long as they are valid.

A result is memoised together with everything that was read to find it: cells of the state and other results. When a
cell changes, the results that read it are dropped, and those that depend on them. Dependencies are recorded as they
happen and never computed in advance: that would be the compiler's analysis over again, which the oracle is there to
test.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rulewright.runtime.problems import Fault
from rulewright.runtime.state import State

Key = tuple[Hashable, ...]
MOST_WORK = 3_000_000


@dataclass(slots=True)
class Layer:
    """Answers under a supposition: those of the real world that it `taints` do not count in it."""

    taints: set[Key]
    answers: dict[Key, tuple[Any, set[Key]]] = field(default_factory=dict)


class World:
    """One state and the answers about it; `stale` are the kept keys among `kept` that a change has dropped."""

    def __init__(self, state: State) -> None:
        self.S = state
        self.answers: dict[Key, Any] = {}
        self.users: dict[Key, set[Key]] = {}
        self.asking: list[set[Key]] = []
        self.layers: list[Layer] = []
        self.growing: dict[Key, tuple[Any, ...]] = {}
        self.work = self.nested = 0
        self.kept: set[Key] = set()
        self.stale: set[Key] = set()

    def copy(self) -> World:
        """Another world in which as much has been worked out."""
        other = World(self.S.copy())
        other.answers = self.answers.copy()
        other.users = {key: users.copy() for key, users in self.users.items()}
        other.kept = self.kept.copy()
        return other

    @property
    def ground(self) -> range:
        """The numbers of the hexes of the map in play."""
        return self.S.ground

    @staticmethod
    def blank() -> World:
        """A world without a state: only what is the same in every game has a value in it."""
        world = World.__new__(World)
        world.answers, world.users, world.asking, world.layers, world.growing = {}, {}, [], [], {}
        world.work = world.nested = 0
        return world

    # ------------------------------------------------------------ how much is asked

    def through(self, members: Iterable[Any]) -> Iterator[Any]:
        """The members that a loop goes through; all that is gone through within the outermost loop is counted."""
        self.work = self.work if self.nested else 0
        self.nested += 1
        try:
            for x in members:
                self.count(1)
                yield x
        finally:
            self.nested -= 1

    def count(self, members: int) -> None:
        self.work += members if self.nested else 0
        if self.work > MOST_WORK:
            self.work = 0
            raise Fault(f"more than {MOST_WORK:,} members are gone through within one loop")

    # ------------------------------------------------------------ what was looked at

    def look(self, cell: Key) -> None:
        if self.asking:
            self.asking[-1].add(cell)

    def remember(self, key: Key, work: Callable[[], Any]) -> Any:
        """The answer under a key, worked out where it is not known."""
        if self.layers:
            return self._suppose(key, work)
        if key not in self.answers:
            value, seen = self._work(work)
            self.answers[key] = value
            users = self.users
            for x in seen:
                if x in users:
                    users[x].add(key)
                else:
                    users[x] = {key}
        if self.asking:
            self.asking[-1].add(key)
        return self.answers[key]

    def _suppose(self, key: Key, work: Callable[[], Any]) -> Any:
        layer = self.layers[-1]
        if key not in layer.answers:
            if key in self.answers and not any(key in x.taints for x in self.layers):
                self.look(key)
                return self.answers[key]
            layer.answers[key] = self._work(work)
        value, seen = layer.answers[key]
        if self.asking:
            self.asking[-1] |= seen
        return value

    def _work(self, work: Callable[[], Any]) -> tuple[Any, set[Key]]:
        seen: set[Key] = set()
        self.asking.append(seen)
        try:
            return work(), seen
        finally:
            self.asking.pop()

    def changed(self, cells: Iterable[Key]) -> None:
        """Drop the answers that depend on some cells."""
        cells = list(cells)
        for layer in self.layers:
            gone = {key for key, (_, seen) in layer.answers.items() if not seen.isdisjoint(cells)}
            for key in gone:
                del layer.answers[key]
        todo = cells
        while todo:
            for key in self.users.pop(todo.pop(), ()):
                if key in self.answers:
                    del self.answers[key]
                    todo.append(key)
                    if key in self.kept:
                        self.stale.add(key)

    def resting_on(self, cells: Iterable[Key]) -> set[Key]:
        """The cells, and the answers that depend on them."""
        found: set[Key] = set()
        todo = list(cells)
        while todo:
            x = todo.pop()
            if x not in found:
                found.add(x)
                todo += self.users.get(x, ())
        return found

    # ------------------------------------------------------------ reading

    def at(self, unit: Any) -> int | None:
        place: int | None = self.S.at[unit]
        self.look(("at", unit))
        return place

    def units_at(self, place: int | None) -> tuple[int, ...]:
        if place is None:
            return ()
        self.look(("here", place))
        return tuple(self.S.here[place])

    def on_map(self, unit: Any) -> bool:
        place = self.at(unit)
        return place is not None and place in self.ground

    def units(self, side: Any) -> tuple[int, ...]:
        """A side's units on the map."""

        def work() -> tuple[int, ...]:
            self.look(("on map",))
            self.look(("unit_side",))
            sides, ground = self.S.unit_side, self.ground
            return tuple(u for u, p in enumerate(self.S.at) if p is not None and p in ground and sides[u] == side)

        found: tuple[int, ...] = self.remember(("units", side), work)
        return found

    def all_units(self) -> tuple[int, ...]:
        self.look(("on map",))
        return tuple(u for u, p in enumerate(self.S.at) if p is not None and p in self.ground)

    def counters(self, side: Any) -> tuple[int, ...]:
        self.look(("unit_side",))
        mine = (u for u, s in enumerate(self.S.unit_side) if s == side)
        pools = self.S.program.board.pools
        return tuple(u for u in mine if self.at(u) not in pools) if pools else tuple(mine)

    def occupied(self, side: Any) -> tuple[int, ...]:
        """The places on the map that hold a side's units."""

        def work() -> tuple[int, ...]:
            self.look(("all at",))
            return tuple(sorted({p for u in self.units(side) if (p := self.S.at[u]) is not None}))

        found: tuple[int, ...] = self.remember(("occupied", side), work)
        return found

    def mark(self, column: str, owner: Any, start: Any) -> Any:
        """The value of a mark; marks of hexsides and turns hold `start` where nothing was set."""
        values = getattr(self.S, column)
        self.look((column, owner))
        if owner is None and column.startswith("game_"):
            return values
        if column.startswith(("hexside_", "turn_")):
            return values.get(owner, start)
        return values[owner]

    def bound(self, name: str) -> Any:
        self.look(("bind", name))
        return getattr(self.S, f"bind_{name}")

    def running(self, phase: str) -> bool:
        self.look(("phase", phase))
        return phase in self.S.phases

    def reading(self, name: str) -> str:
        self.look(("reading", name))
        return self.S.readings[name]

    def winner(self) -> str | None:
        self.look(("winner",))
        return self.S.winner

    def past(self, memory: str, key: Key, start: Any) -> Any:
        self.look(("past", memory, key))
        return getattr(self.S, f"past_{memory}").get(key, start)

    def spent(self, quota: str, key: Key) -> Any:
        self.look(("spent", quota, key))
        return getattr(self.S, f"spent_{quota}").get(key, 0)

    # ------------------------------------------------------------ changing

    def move(self, units: Iterable[int], place: int | None) -> set[Key]:
        """Put units somewhere; gives the cells that this changes, and tells nobody."""
        cells: set[Key] = {("all at",)}
        for u in units:
            old = self.S.at[u]
            if old is not None:
                self.S.here[old].remove(u)
            self.S.own("at")[u] = place
            if place is not None:
                insort(self.S.here[place], u)
            cells |= {("at", u), ("here", old), ("here", place)}
            if (old is not None and old in self.ground) != (place is not None and place in self.ground):
                cells.add(("on map",))
        return cells

    def give(self, column: str, owner: Any, value: Any) -> set[Key]:
        """Give a mark a value; gives the cells that this changes, and tells nobody."""
        if column.startswith("game_"):
            setattr(self.S, column, value)
            return {(column, None)}
        self.S.own(column)[owner] = value
        return {(column, owner), (column,)}

    def bind(self, name: str, value: Any) -> bool:
        """Bind a name that a phase runs for; says whether that changes it."""
        if getattr(self.S, f"bind_{name}") == value:
            return False
        setattr(self.S, f"bind_{name}", value)
        self.changed([("bind", name)])
        return True

    def suppose(self, change: Callable[[], set[Key]], columns: Iterable[str], ask: Callable[[], Any]) -> Any:
        """The answer after a change that is then taken back; `columns` are those that it touches."""
        saved = {name: getattr(self.S, name) for name in columns}
        here, growing = self.S.here, self.growing
        for name in saved:
            self.S.lent.add(name)
        if "at" in saved:
            self.S.here = [list(x) for x in here]
        self.growing = {}
        try:
            cells = change() | {("growing", key) for key in growing}
            self.layers.append(Layer(self.resting_on(cells)))
            try:
                return ask()
            finally:
                self.layers.pop()
        finally:
            for name, old in saved.items():
                setattr(self.S, name, old)
            self.S.here, self.growing = here, growing
            self.S.lent.update(name for name in saved if not name.startswith("game_"))
