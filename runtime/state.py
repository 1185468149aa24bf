"""The state of a game: flat columns of plain data, and what is derived from them.

Everything that `plain` returns can be copied, compared, hashed, saved and sent elsewhere,
in the middle of any procedure. Occupants and remembered answers are derived and never saved.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import canon
from .dice import new_dice
from .program import Column, Fn, Program


class State:
    """One position. Columns are attributes: `S.unit_moved[u]`, `S.game_sky`, `S.bind_now`, `S.past_holder`."""

    at: list[int | None]
    stack: list[list[Any]]
    pending: list[dict[str, Any]]
    queue: list[list[Any]]
    phases: list[str]
    dice: dict[str, Any]
    skips: list[dict[str, Any]]
    agains: list[str]
    winner: str | None
    over: bool
    together: int
    counter: int
    turn_of_phase: dict[str, int]
    revealed: int
    readings: dict[str, str]
    soon: dict[str, bool]
    halted: list[int]
    drafts: list[Any]
    armed: dict[str, list[Any]]
    parked: list[list[Any]]
    shown: list[list[Any]]

    def __init__(self, program: Program) -> None:
        self.program = program
        self.memo: list[dict[Any, Any]] = [{} for _ in range(program.memo)]
        self.here: list[list[int]] = []
        self.log: list[dict[str, Any]] | None = []
        self.dirty: dict[str, set[Any]] = {}
        self.seen: dict[str, tuple[frozenset[Any], ...]] = {}
        self.supposing = 0
        self.steps = 0
        self.work = 0
        self.trace: list[Any] = []
        self.growing: dict[Any, Any] = {}
        self.lists: dict[Any, Any] = {}
        self.lent: set[str] = set()
        self.shared: set[int] | None = None
        self.seldom: set[int] = set()
        self.playout: Any = None
        self.map = next(iter(program.grounds))
        self.hexes, self.ground = program.grounds[self.map]

    if TYPE_CHECKING:  # at run time this would slow down every access to a column

        def __getattr__(self, name: str) -> Any: ...

    def play_on(self, name: str) -> None:
        """Choose the map that is in play: `hexes` are its hexes, `ground` is the range of their numbers."""
        if self.program.board.maps:
            self.map = name
            self.hexes, self.ground = self.program.grounds[name]
            self.forget()

    # ------------------------------------------------------------ plain data

    def plain(self) -> dict[str, Any]:
        """The whole state as immutable plain data. Columns are shared copy-on-write: see `own`."""
        mine = self.__dict__
        found = {name: mine[name] for name in KEPT}
        for name in NESTED:
            found[name] = deep(found[name]) if found[name] else found[name].copy()
        for name in self.program.flat:
            found[name] = mine[name]
        self.lent = {*self.program.flat}
        return found

    def own(self, name: str) -> Any:
        """A column to write to, copied first where a snapshot of the state shares it."""
        if name in self.lent:
            self.lent.discard(name)
            setattr(self, name, getattr(self, name).copy())
        return getattr(self, name)

    def own_memo(self, slot: int) -> dict[Any, Any]:
        """Kept answers by owner, of which some are to be dropped: copied first where a fork shares them."""
        if self.shared is not None and slot in self.shared:
            self.shared.discard(slot)
            known = self.memo[slot]
            self.memo[slot] = {**known} if known.__class__ is dict else {}
        return self.memo[slot]

    def stand(self, unit: int, old: int | None, place: int | None) -> None:
        """A unit stands elsewhere: who is where; lists that a fork shares are left as they are."""
        here = self.here
        if old is not None:
            if self.shared is not None:
                here[old] = here[old].copy()
            here[old].remove(unit)
        if place is not None:
            if self.shared is not None:
                here[place] = here[place].copy()
            insort(here[place], unit)

    def copy(self) -> State:
        """Another state with the same values."""
        return State.from_plain(self.program, self.plain())

    @staticmethod
    def from_plain(program: Program, plain: dict[str, Any]) -> State:
        state = State(program)
        for name in KEPT:
            setattr(state, name, deep(plain[name]))
        for name in program.flat:
            setattr(state, name, plain[name])
        state.lent = {*program.flat}
        state.hexes, state.ground = program.grounds[state.map]
        state.settle_places()
        if state.together:  # changes made before the pending question have not settled yet
            state.unsettle()
        return state

    def unsettle(self) -> None:
        """Anything may have changed: all that is remembered must be looked at again."""
        self.dirty = {name: {...} for who in self.program.watches.values() for name in who}

    def settle_places(self) -> None:
        """Occupants by place, rebuilt from where the units are."""
        self.here = [[] for _ in self.program.board.places]
        for unit, place in enumerate(self.at):
            if place is not None:
                self.here[place].append(unit)

    # ------------------------------------------------------------ marks by owner

    def each(self, column: Column) -> Iterator[tuple[Any, Any]]:
        """The owners of a mark with their values; a mark on the game has the owner None."""
        values = getattr(self, column.name)
        if column.sort == "game":
            return iter([(None, values)])
        return enumerate(values) if isinstance(values, list) else iter(sorted(values.items()))

    def held(self, column: Column, owner: Any) -> Any:
        values = getattr(self, column.name)
        if column.sort == "game":
            return values
        return values.get(owner, column.start) if isinstance(values, dict) else values[owner]

    def give(self, column: Column, owner: Any, value: Any) -> None:
        """Give one owner a value; nothing settles."""
        if column.sort == "game":
            setattr(self, column.name, value)
        else:
            self.own(column.name)[owner] = value

    def digest(self) -> str:
        return canon.digest(self.plain())

    def forget(self) -> None:
        """Drop every remembered answer."""
        self.memo = [{} for _ in self.memo]
        self.lists.clear()


NESTS = {list, dict}
KEPT = tuple(name for name in State.__annotations__ if name != "at")
"""What every state holds besides the flat columns of its program."""
NESTED = tuple(name for name in KEPT if State.__annotations__[name].startswith(("list", "dict")))
"""Those whose values nest, so that copies are deep."""


FORMER = ("scheduled",)
"""What a state held in older versions; the rules that filled it no longer compile."""


def of_today(plain: Any) -> Any:
    """Plain data of a state as this version lays it out."""
    return {k: v for k, v in plain.items() if k not in FORMER} if isinstance(plain, dict) else plain


def fresh(program: Program, seed: int) -> State:
    """A state with nothing in play and every mark at its start."""
    state = State(program)
    state.at = [program.homes.get(u) for u in range(len(program.units))]
    state.stack, state.pending, state.queue, state.phases = [], [], [], []
    state.dice = new_dice(seed)
    state.skips, state.agains, state.halted, state.drafts = [], [], [], []
    state.winner, state.over, state.together, state.counter, state.revealed = None, False, 0, 0, 0
    state.turn_of_phase, state.soon, state.armed, state.parked, state.shown = {}, {}, {}, [], []
    state.readings = {name: options[0] for name, options in program.readings.items()}
    for column in program.columns:
        setattr(state, column.name, start_of(column, program))
    for name, type_ in program.bindings.items():
        setattr(state, "bind_" + name, bound_at_start(type_))
    for memory in program.memories:
        setattr(state, "past_" + memory.name, {})
    for quota in program.quotas:
        setattr(state, "spent_" + quota, {})
    state.settle_places()
    return state


def bound_at_start(type: str) -> Any:
    """What a name is bound to before any phase binds it."""
    return 0 if type in ("turn", "number") else None


def of_owner(fn: Fn, S: State, owner: Any) -> Any:
    """What a function about a mark says of one owner."""
    return fn(S) if owner is None else fn(S, owner)


def start_of(column: Any, program: Program) -> Any:
    """A column with every owner at the start value."""
    if column.name == "unit_side":
        return list(program.unit_sides)
    match column.sort:
        case "unit" | "place":
            return [column.start] * len(program.units if column.sort == "unit" else program.board.places)
        case "key" | "hexside":
            return dict.fromkeys(column.keys, column.start)
        case _:
            return column.start


def deep(value: Any) -> Any:
    """A value that nests, with lists and dictionaries of its own."""
    kind = value.__class__
    if kind is list:
        return [(deep(v) if v else v.copy()) if v.__class__ in NESTS else v for v in value]
    if kind is dict:
        made = value.copy()
        for k, v in value.items():
            if v.__class__ in NESTS:
                made[k] = deep(v) if v else v.copy()
        return made
    return value
