"""What a compiled book hands to the runtime: tables of functions and plain data, nothing live.

The generated module builds one `Program`; the reference interpreter builds another from the
core. The runtime plays either and knows no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Fn = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A mark: `sort` is unit, place, game, hexside or key (a kind); `keys` are the owners of a key column."""

    name: str
    sort: str
    start: Any
    type: str
    case: str
    keys: tuple[Any, ...] = ()
    secret: Fn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryInfo:
    """`of` is what the only key is, a unit or a place. Where a change touches only some keys, `sets` gives the sets
    that keys are looked for in, and `keys` also takes what the change has touched."""

    name: str
    case: str
    how: str
    event: tuple[str, str] | None
    keys: Fn
    value: Fn
    start: Any
    of: str = ""
    sets: Fn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskInfo:
    case: str
    sort: str
    name: str
    secret: bool
    limit: str
    type: str
    side: Fn
    tiers: tuple[tuple[Fn, Fn | None], ...]
    number: Fn | None
    so_that: Fn | None
    where: str
    margins: tuple[tuple[Fn, str], ...] | None = None
    """Where `so_that` asks for sums over the members of a set, or over shares: see choices/sums.py."""
    alike: bool = False
    """Whether `so_that` holds of every order of the same members or of none."""
    roams: tuple[Fn | None, ...] = ()
    """By tier the walks of its route, where the listed paths do not tell whether one will do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferInfo:
    case: str
    sort: str
    side: Fn
    actions: tuple[tuple[str, Fn | None], ...]
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParamInfo:
    name: str
    type: str
    domain: Fn | None
    accepts: Fn | None
    cost: Fn | None = None
    """What a path costs by its route, for those who show it: `cost(S, actor, *params before, path)`."""
    roams: Fn | None = None
    """The walks of the route of a path, where the listed ones do not tell whether one will do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInfo:
    """`refuses(S, actor, *params)`; `level` is how many parameters it needs, `member` a test of one member of a set.

    `margins` are given where the rule permits a set exactly by sums over its members: numbers, and how each must stand
    to 0 (see choices/sums.py).
    """

    case: str
    label: str
    refuses: Fn
    level: int
    where: str
    member: tuple[str, int] | None = None
    margins: tuple[tuple[Fn, str], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionInfo:
    """`ways(S, actor, pick)` walks the legal arguments, each parameter's members in the order that `pick` gives.

    `previews` are what is worth knowing of a choice before it is made: a name, and the value that tells it of the actor
    and the arguments.
    """

    name: str
    case: str
    params: tuple[ParamInfo, ...]
    by: Fn
    phases: tuple[str, ...]
    anytime: bool
    rules: tuple[RuleInfo, ...]
    spends: tuple[tuple[str, Fn, Fn, int], ...]
    procedure: str
    ways: Fn
    previews: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyInfo:
    name: str
    case: str
    phases: tuple[str, ...]
    domain: Fn
    met: Fn
    var: str | None
    failing: str | None
    type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerInfo:
    id: str
    case: str
    event: tuple[str, str]
    params: tuple[str, ...]
    positions: tuple[int, ...]
    guard: Fn | None
    procedure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureInfo:
    """`blocks` by number, None where one is only gone into from another; `straight` is one that runs without a halt."""

    name: str
    case: str
    sort: str
    params: tuple[str, ...]
    blocks: tuple[Fn, ...]
    wrappers: tuple[tuple[str, Fn | None], ...] = ()
    straight: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaInfo:
    name: str
    case: str
    per: tuple[str, ...]
    cap: Fn


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioInfo:
    title: str
    case: str
    sequence: str
    units: Mapping[int, int]
    marks: tuple[tuple[str, str, Any], ...]
    map: str = ""
    margin: str = ""
    """A number of each side: the column of a mark, or `value NAME`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a doctrine asks: `ask(S, actor, *values, *frame)` of the first `level` values that are picked."""

    ask: Fn
    level: int
    name: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceInfo:
    """A `prefer` or `avoid` of a doctrine: `tests` filter, the cheap ones first; `by` ranks what is left.

    `each` has a parameter's place and the order in which its values are tried, of a set its members. `asks` are the
    questions that it answers, none where `target` is an action; `frame` the names that it takes from their procedure.
    """

    sort: str
    target: str
    case: str
    tests: tuple[Asked, ...]
    by: Asked | None
    each: tuple[tuple[int, Asked], ...] = ()
    asks: tuple[int, ...] = ()
    frame: tuple[str, ...] = ()
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctrineInfo:
    """How somebody plays: preferences in the order of their cases, and what to do where none applies.

    `judge(S, actor)` is what a position is worth.
    """

    name: str
    title: str
    sides: tuple[str, ...]
    preferences: tuple[PreferenceInfo, ...]
    otherwise: str = "done"
    judge: Fn | None = None
    weights: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Geography as flat data: hexes come first among the places, boxes after them.

    From `cups` one draws blindly; `pools` hold counters that are not in play. What lies in a place of `seen_by` is
    known to the sides named there alone, and in one of `uncounted` they alone know how much it is. `aliases` are the
    ids that hexes have on another sheet besides. Of several `maps`, each has the hexes from one number up to another;
    a game is played on one of them, and nothing of it touches the others. Where maps share ids, the hexes of some bear
    a mark, and `shared` has what printed ids and names mean on each map.
    """

    places: tuple[str, ...]
    hexes: int
    names: Mapping[str, Any]
    neighbors: tuple[tuple[int, ...], ...]
    layers: Mapping[str, tuple[tuple[int, ...], ...]]
    coordinates: tuple[tuple[int, int], ...]
    staggered: str
    boxes: Mapping[str, Mapping[Any, int]]
    cups: frozenset[int]
    pools: frozenset[int] = frozenset()
    seen_by: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    uncounted: frozenset[int] = frozenset()
    aliases: Mapping[str, int] = field(default_factory=dict)
    maps: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    shared: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def printed_id(place: str) -> str:
    """The id or name of a place as it is printed: without the mark of its map, where maps share ids."""
    return place.rpartition(":")[2]


@dataclass(slots=True, kw_only=True)
class Program:
    """One compiled rule set.

    `values` can be asked from outside: their function, the types of what they take, the type they give, and their case.
    `explains` answers for any expression in a game, where the compiler that read the book is at hand.
    `placed` are the memo slots with answers about places (kept/by_place.py), by column, with how a change touches them.
    `growing` are the memo slots whose answers depend on a least set, by its name.
    `homes` are the pools of the counters that begin in one.
    `house` says what is made up for lack of a print: by `CASE NAME`, `CASE`, `CASE die`, the name of a counter, `map`,
    and `NAME reads` for the sorts of house values (`unit`, `place`) that a definition reads.
    `own_cases` are the book's cases about what a library defines, by the library's case and the name.
    `hidden` are the secret marks that a memory, a binding (`bind_NAME`) or a quota (`spent_NAME`) rests on,
    `hidden_boxes` the boxes; `kept` are the arguments of an action that only the acting side may read;
    `secret_names` are names in procedures that stand for secrets (see telling/secrecy.py).
    `said` are the texts of play by language (telling/words.py); `language` is the one that is spoken.
    `shown` is the state that players have before them: columns, `bind_NAME`, `value NAME` (telling/panel.py).
    `veils` are the definitions that keep units (`unit`) or a mark of places (its column) from a side (veils.py);
    `unit_names` are the names in procedures that hold units, in a book with veils; `veiled_memories` the memories that
    rest on veiled marks, each with their columns; `told_of_units` the arguments of actions that become marks of units;
    `own_quotas` the quotas that only their side knows, with the place of the side among their keys.
    `dice` are the tables in which a roll is read, by `CASE NAME`, with the place of the die in their keys.
    `grounds` are the hexes of each map and their numbers; a book with one map has it under no name. `twins` are the
    hexes of the same id on each map that shares it.
    `by_owner` and `by_place` are the memo slots with answers by owner, and about places (those that only whole tables
    are dropped of are found in play); `lasting` are those that nothing in play can change.
    `many` are the searches that are remembered at once; each may hold the whole map.
    `records` are the members of each record with their types; `told` the types of whatever else a trace may name.
    """

    name: str
    title: str
    rules_hash: str
    board: Board
    units: tuple[str, ...]
    sides: tuple[str, ...]
    kinds: Mapping[str, tuple[str, ...]]
    scales: Mapping[str, tuple[str, ...]]
    turns: tuple[tuple[str, int, str], ...]
    unit_sides: tuple[str, ...]
    columns: tuple[Column, ...]
    bindings: Mapping[str, str]
    readings: Mapping[str, tuple[str, ...]]
    memories: tuple[MemoryInfo, ...]
    quotas: Mapping[str, QuotaInfo]
    asks: tuple[AskInfo, ...]
    offers: tuple[OfferInfo, ...]
    actions: Mapping[str, ActionInfo]
    duties: tuple[DutyInfo, ...]
    triggers: tuple[TriggerInfo, ...]
    procedures: Mapping[str, ProcedureInfo]
    scenarios: Mapping[str, ScenarioInfo]
    invariants: tuple[tuple[str, str, Fn], ...]
    resets: Mapping[tuple[str, str], tuple[str, ...]]
    expiring: tuple[tuple[str, Fn], ...]
    memo: int
    clears: Mapping[str, tuple[int, ...]]
    watches: Mapping[str, Mapping[str, str]]
    cases: Mapping[str, str]
    values: Mapping[str, tuple[Fn, tuple[str, ...], str, str]]
    records: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    told: Mapping[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    traced: Callable[[], Program] | None = None
    explains: Callable[[Any, str], Any] | None = None
    hidden: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hidden_boxes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kept: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    secret_names: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    house: Mapping[str, str] = field(default_factory=dict)
    waived_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    own_cases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    owned: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    placed: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    growing: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    homes: Mapping[int, int] = field(default_factory=dict)
    said: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    language: str = "en"
    shown: tuple[str, ...] = ()
    veils: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unit_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    veiled_memories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    told_of_units: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    own_quotas: Mapping[str, int] = field(default_factory=dict)
    dice: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    doctrine: DoctrineInfo | None = None

    flat: tuple[str, ...] = field(init=False)
    by_event: dict[tuple[str, str], list[TriggerInfo]] = field(init=False)
    by_procedure: dict[str, tuple[int, TriggerInfo]] = field(init=False)
    column: dict[str, Column] = field(init=False)
    unit_index: dict[str, int] = field(init=False)
    place_index: dict[str, int] = field(init=False)
    place_names: dict[int, str] = field(init=False)
    grounds: dict[str, tuple[tuple[int, ...], range]] = field(init=False)
    twins: dict[int, dict[str, int]] = field(init=False)
    many: int = field(init=False)
    columns_of_all: frozenset[str] = field(init=False)
    by_owner: frozenset[int] = field(init=False)
    by_place: set[int] = field(init=False)
    lasting: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self.by_event = {}
        self.by_procedure = {trigger.procedure: (i, trigger) for i, trigger in enumerate(self.triggers)}
        for trigger in self.triggers:
            self.by_event.setdefault(trigger.event, []).append(trigger)
        self.flat = (
            "at",
            *(c.name for c in self.columns),
            *("bind_" + b for b in self.bindings),
            *("past_" + m.name for m in self.memories),
            *("spent_" + q for q in self.quotas),
            *(("map",) if self.board.maps else ()),
        )
        maps = self.board.maps or {"": (0, self.board.hexes)}
        self.grounds = {name: (tuple(range(*ends)), range(*ends)) for name, ends in maps.items()}
        self.many = min(512, max(16, 200_000 // max(1, len(self.board.places))))
        self.columns_of_all = frozenset(self.flat)
        self.by_owner = frozenset(i for row in self.owned.values() for i, _ in row)
        self.by_place = {i for row in self.placed.values() for i, _ in row}
        lost = self.by_owner.union(self.by_place, *self.clears.values())
        self.lasting = frozenset(i for i in range(self.memo) if i not in lost)
        self.column = {c.name: c for c in self.columns}
        self.unit_index = {name: i for i, name in enumerate(self.units)}
        named = reversed(list(self.board.names.items()))
        self.place_names = {place: printed_id(name) for name, place in named if isinstance(place, int)}
        self.place_index = {**self.board.aliases, **{name: i for i, name in enumerate(self.board.places)}}
        self.twins = {}
        for text in {x: None for on in self.board.shared.values() for x in on}:
            same = {name: on[text] for name, on in self.board.shared.items() if text in on}
            self.twins.update((place, same) for place in same.values() if isinstance(place, int))
        if self.board.shared:
            for name, place in [*self.place_index.items()]:
                self.place_index.setdefault(printed_id(name), place)

    def words(self, kind: str) -> tuple[str, ...]:
        """The words of a kind, or the readings of what is unclear."""
        return self.kinds.get(kind) or self.readings.get(kind, ())

    def signature(self, name: str) -> tuple[tuple[str, ...], str]:
        """The types of what something named takes and gives, as far as they are known."""
        known = self.values.get(name)
        return (known[1], known[2]) if known is not None else self.told.get(name, ((), ""))
