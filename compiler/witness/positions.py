"""Sample small positions that are likely to exercise a changed rule.

In:  a rule set, what the rule reads, and a random source.
Out: positions as lines, and values of any type taken from them.

A position is a few units near one another around a relevant hex. Marks, bindings, phases and memories that the rule
reads are sometimes set, to values that the rule compares them with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from rulewright.runtime import dice
from rulewright.runtime.program import printed_id

from ..core import nodes as c
from ..core import types as t
from ..core.types import Type
from ..core.walk import all_procedures, all_statements
from ..interpret.board import printed
from . import lines as w
from .lines import Given, Line
from .reads import Reads
from .rule_set import Rules

T = TypeVar("T")
LARGEST = 6


class Source:
    """A seeded random source, the same on every machine."""

    def __init__(self, seed: int) -> None:
        self.rng = dice.seed(seed)

    def below(self, n: int) -> int:
        found, self.rng = dice.draw(self.rng, n)
        return found

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def often(self, percent: int) -> bool:
        return self.below(100) < percent

    def some(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        found, self.rng = dice.pick_subset(self.rng, items, min(count, len(items)))
        return found


class Board:
    """What positions of a rule set are made of; computed once."""

    def __init__(self, rules: Rules, map: str = "") -> None:
        """`map` is one of several maps; without it, the first, on which examples stand that name none."""
        self.rules, self.book, self.program = rules, rules.book, rules.program
        self.map = map
        self.hexes = self.program.grounds[map][1] if map else next(iter(self.program.grounds.values()))[1]
        self.near = self.program.board.neighbors
        self.printed = {key: self.in_play(key[0], printed(self.book, key[0], f)) for key, f in self.book.fields.items()}
        self.outer: dict[str, tuple[str, ...]] = {}
        self.numbers: dict[str, list[Any]] = {}
        for p in all_procedures(self.book):
            self.nested(p.body, ())
        for p in all_procedures(self.book):
            for s in all_statements(p):
                if isinstance(s, c.RunPhase) and s.var is not None:
                    assert s.source is not None, "a phase with a variable has the set that it runs over"
                    self.numbers.setdefault(s.var, []).extend(
                        e.value for e in s.source.walk() if isinstance(e, c.Const) and isinstance(e.value, int)
                    )

    def in_play(self, owner: str, values: dict[Any, Any]) -> dict[Any, Any]:
        """What is printed on counters, and on the map that examples stand on."""
        if owner not in ("place", "hexside") or not self.program.board.maps:
            return values
        return {at: x for at, x in values.items() if (at if owner == "place" else at[0]) in self.hexes}

    def nested(self, body: tuple[c.Stmt, ...], outer: tuple[str, ...]) -> None:
        """Which phases enclose which, by the nesting of the text."""
        for s in body:
            inside = outer
            if isinstance(s, c.RunPhase):
                self.outer.setdefault(s.name, outer)
                inside = (*outer, s.name)
            self.nested(s.body, inside)
            self.nested(s.other, inside)

    @cached_property
    def ids(self) -> dict[str, int]:
        """The hexes of this map by the id that is printed in them."""
        return {printed_id(self.program.board.places[p]): p for p in self.hexes}

    def here(self, place: int) -> int:
        """Of hexes that maps share, the one on this map; any other place itself."""
        if place in self.hexes or place >= len(self.near):
            return place
        return self.ids.get(printed_id(self.program.board.places[place]), place)

    def ring(self, centre: int, reach: int) -> list[int]:
        """The places within a distance."""
        seen, front = {centre: None}, [centre]
        for _ in range(reach):
            front = [y for x in front for y in self.near[x] if y not in seen]
            seen |= dict.fromkeys(front)
        return list(seen)

    def keyed(self, key: tuple[str, str]) -> dict[Any, Any]:
        return self.printed.get(key, {})


class Sampler:
    """Samples positions for one question."""

    def __init__(
        self,
        board: Board,
        reads: Reads,
        source: Source,
        must: dict[str, list[Any]] | None = None,
        others: Mapping[str, frozenset[Any]] | None = None,
    ) -> None:
        """`must` are units and places to include, `others` those that only other facts concern, to avoid."""
        self.board, self.reads, self.source = board, reads, source
        self.others = others or {}
        self.rules, self.book, self.program = board.rules, board.book, board.program
        self.must = must or {}
        self.units, self.liked_units = self.rank_units()
        self.liked_places = self.rank_places()
        self.placed: list[int] = []
        self.centre = 0

    # ------------------------------------------------------------ what is liked

    def rank_units(self) -> tuple[list[int], list[int]]:
        """All units, and those with printed values that the rule mentions."""
        score = [0] * len(self.program.units)
        for owner, name in self.reads.fields:
            if owner != "unit":
                continue
            type = self.book.fields[owner, name].type
            wanted = self.reads.constants.get(type.name, [])
            for u, value in self.board.keyed((owner, name)).items():
                if value is True or (not isinstance(value, bool) and value in wanted):
                    score[u] += 2 if type.name != "number" else 1
        for u in [*self.reads.constants.get("unit", []), *self.must.get("unit", [])]:
            score[u] += 3
        shunned = self.others.get("unit", frozenset())
        every = [u for u in range(len(score)) if u not in shunned] or list(range(len(score)))
        best = max((score[u] for u in every), default=0)
        return every, [u for u in every if score[u] and score[u] >= best - 1]

    def rank_places(self) -> list[int]:
        score: dict[int, int] = {}
        for owner, name in self.reads.fields:
            type = self.book.fields[owner, name].type
            wanted = self.reads.constants.get(type.name, [])
            for who, value in self.board.keyed((owner, name)).items():
                if value is True or (not isinstance(value, bool) and value in wanted):
                    for place in (who,) if owner == "place" else who if owner == "hexside" else ():
                        score[place] = score.get(place, 0) + 1
        for layer in self.reads.layers:
            for place, linked in enumerate(self.program.board.layers.get(layer, ())):
                if linked:
                    score[place] = score.get(place, 0) + 1
        for place in map(self.board.here, self.reads.constants.get("place", [])):
            score[place] = score.get(place, 0) + 2
        must = self.must.get("place", [])
        if must:
            return must
        shunned = self.others.get("place", frozenset())
        return sorted(p for p in score if p in self.board.hexes and p not in shunned)

    @property
    def at_home(self) -> bool:
        """Whether something that the rule names or looks for lies on this map."""
        return any(p in self.board.hexes for p in self.liked_places)

    # ------------------------------------------------------------ a position

    def position(self, phases: tuple[str, ...] = ()) -> list[Line]:
        """A position, with these phases running."""
        lines: list[Line] = [w.on_map(self.board.map)] if self.board.map else []
        lines += self.stand()
        lines += self.bindings()
        lines += self.marks()
        lines += self.past()
        for name in self.reads.readings:
            if name in self.book.unclear and self.source.often(40):
                lines.append(w.read(name, self.source.pick(self.book.unclear[name].readings)[0]))
        lines += self.running(phases)
        return lines

    def stand(self) -> list[Line]:
        s = self.source
        liked = self.liked_places
        self.placed = []
        if not self.board.hexes or not self.units:
            return []
        self.centre = s.pick(liked) if liked and s.often(75) else s.pick(self.board.hexes)
        ring = self.board.ring(self.centre, 3)
        close = self.board.ring(self.centre, 1)
        beset = s.often(35)
        lines: list[Line] = []
        for i in range(s.pick((2, 3, 3, 4)) if beset else s.pick((1, 2, 2, 3, 3, 4, 4))):
            pool = self.liked_units if self.liked_units and s.often(65 if i else 80) else self.units
            if i and (beset or (i == 1 and s.often(60))):
                facing = self.program.unit_sides[self.placed[0]]
                others = [u for u in pool if self.program.unit_sides[u] != facing]
                pool = others or [u for u in self.units if self.program.unit_sides[u] != facing] or pool
            pool = [u for u in pool if u not in self.placed]
            if not pool:
                continue
            self.placed.append(s.pick(pool))
            place = self.spot_of(i, beset, close, ring)
            lines.append(w.at(self.program.units[self.placed[-1]], self.program.board.places[place]))
        return lines

    def spot_of(self, i: int, beset: bool, close: list[int], ring: list[int]) -> int:
        """A place for the next unit: mostly near the first one."""
        s = self.source
        if beset:
            return s.pick(close[1:] or close) if i else self.centre
        if self.reads.boxes and s.often(15):
            return s.pick(list(self.program.board.boxes[s.pick(list(self.reads.boxes))].values()))
        if i and self.liked_places and s.often(12):
            return s.pick(self.liked_places)
        if i == 0 and s.often(60):
            return self.centre
        return s.pick(close) if s.often(70) else s.pick(ring)

    def bindings(self) -> list[Line]:
        return [w.bound(name, type, self.value(type, name)) for name, type in self.book.bindings.items()]

    def marks(self) -> list[Line]:
        s = self.source
        found = []
        for owner, name in self.reads.marks:
            mark = self.book.marks.get((owner, name))
            if mark is None or name == "side" or s.often(50):
                continue
            for _ in range(1 if owner == "game" or s.often(70) else 2):
                value = self.value(mark.type, name)
                if mark.type == t.FLAG:
                    value = not mark.start
                who = None if owner == "game" else self.value(mark.owner)
                if owner == "game" or who is not None:
                    found.append(w.marked(mark.owner, name, mark.type, who, value))
        return list(dict.fromkeys(found))

    def past(self) -> list[Line]:
        """Sometimes a value for a memory or a spent quota."""
        s = self.source
        found: list[Line] = []
        for name in self.reads.memories:
            memory = self.book.memories.get(name)
            if memory is not None and memory.how != "always" and s.often(30):
                key = tuple(self.given(p.type) for p in memory.definition.params)
                type = {"ever": t.FLAG, "counting": t.NUMBER}.get(memory.how, memory.definition.type)
                value = True if type == t.FLAG else self.value(type, name)
                if all(v is not None for _, v in key):
                    found.append(w.remembered(name, type, key, value))
        for name in self.reads.quotas:
            quota = self.book.quotas.get(name)
            if quota is not None and s.often(30):
                key = tuple(self.given(p.type) for p in quota.definition.params)
                found.append(w.spent(name, t.NUMBER, key, 1 + s.below(LARGEST)))
        return found

    def running(self, phases: tuple[str, ...]) -> list[Line]:
        s = self.source
        wanted = list(phases[:1]) if len(phases) < 2 else [s.pick(phases)]
        known = [p for p in self.reads.phases if p in self.book.phases]
        if not wanted and known and s.often(60):
            wanted = [s.pick(known)]
        if not wanted:
            return []
        outer = self.board.outer.get(wanted[0], ())
        found = [*outer, *wanted] if s.often(60) else wanted
        return [w.during(p) for p in dict.fromkeys(found)]

    def dice(self) -> list[Line]:
        s = self.source
        liked = [k for k in self.reads.constants.get("number", []) if isinstance(k, int) and 1 <= k <= 6]
        faces = [s.pick(liked) if liked and s.often(40) else 1 + s.below(6) for _ in range(1 + s.below(3))]
        return [w.die(face) for face in faces]

    # ------------------------------------------------------------ values

    def given(self, type: Type, name: str = "") -> Given:
        return type.plain, self.value(type, name)

    def value(self, type: Type, name: str = "") -> Any:
        """A random value of a type, by name; None where the type has none."""
        s, liked = self.source, self.reads.constants
        if type.absent and s.often(20):
            return None
        if type.of is not None:
            return self.several(type.of)
        if type.sort == "record":
            side = s.pick(self.program.sides) if self.program.sides else None
            return tuple(self.part(of, i, side) for i, (_, of) in enumerate(self.book.records[type.name]))
        known = [v for v in liked.get(type.name, []) if type.name not in ("unit", "place")]
        if type.sort == "kind":
            words = self.book.kinds.get(type.name, ())
            known = [v for v in known if v in words]
            return s.pick(known) if known and s.often(60) else s.pick(words) if words else None
        if type.sort == "scale":
            steps = self.program.scales[type.name]
            return step(steps, s.pick(known)) if known and s.often(60) else s.pick(steps)
        return self.simple(type, name, known)

    def simple(self, type: Type, name: str, known: list[Any]) -> Any:
        s = self.source
        match type.name:
            case "number" | "ratio":
                if self.board.numbers.get(name):
                    return s.pick(self.board.numbers[name])
                whole = [k for k in known if isinstance(k, int) and not isinstance(k, bool)]
                return max(0, s.pick(whole) + s.below(3) - 1) if whole and s.often(50) else s.below(LARGEST + 1)
            case "flag":
                return bool(s.below(2))
            case "unit":
                must = self.must.get("unit", [])
                if must and s.often(50):
                    return self.program.units[s.pick(must)]
                pool = self.placed if self.placed and s.often(85) else self.liked_units or self.units
                return self.program.units[s.pick(pool)] if pool else None
            case "place":
                return self.program.board.places[self.spot()] if self.board.hexes else None
            case "hexside":
                here = self.spot()
                if here >= len(self.board.near) or not self.board.near[here]:
                    return None
                pair = sorted((here, s.pick(self.board.near[here])))
                return tuple(self.program.board.places[p] for p in pair)
            case "turn":
                return self.turn(known)
            case "month":
                months = list(dict.fromkeys(m for _, _, m in self.program.turns))
                return s.pick(known) if known and s.often(60) else s.pick(months) if months else None
            case "text":
                return s.pick(known) if known else ""
        return None

    def turn(self, known: list[Any]) -> Any:
        s, turns = self.source, self.program.turns
        if not turns:
            return None
        months = self.reads.constants.get("month", [])
        if months and s.often(40):
            fitting = [label for label, _, month in turns if month in months]
            if fitting:
                return s.pick(fitting)
        if known and s.often(60):
            return turns[min(len(turns) - 1, max(0, s.pick(known) + s.below(3) - 1))][0]
        return s.pick(turns)[0]

    def spot(self) -> int:
        """A relevant place: an occupied one, one near it, or one that the rule mentions."""
        s = self.source
        must: list[int] = self.must.get("place", [])
        if must and s.often(60):
            return s.pick(must)
        if self.liked_places and s.often(25):
            return s.pick(self.liked_places)
        if self.reads.reaches and s.often(40):
            away = s.pick(list(self.reads.reaches)) + s.below(3)
            return s.pick(self.board.ring(self.centre, away)[-4 * away - 1 :])
        return s.pick(self.board.ring(self.centre, s.pick((0, 0, 1, 1, 2))))

    def several(self, of: Type) -> tuple[Any, ...]:
        s = self.source
        if of.name == "unit":
            side = s.pick(self.program.sides)
            mine = [u for u in self.placed if self.program.unit_sides[u] == side] or self.placed
            return tuple(self.program.units[u] for u in s.some(mine, 1 + s.below(max(1, len(mine)))))
        found = [self.value(of) for _ in range(1 + s.below(2))]
        return tuple(dict.fromkeys(v for v in found if v is not None))

    def part(self, of: Type, i: int, side: str | None) -> Any:
        """A member of a record; sets of units alternate between sides, as attackers and defenders do."""
        if of.of is not None and of.of.name == "unit" and side is not None:
            sides = self.program.sides
            wanted = sides[(sides.index(side) + i) % len(sides)]
            mine = [u for u in self.placed if self.program.unit_sides[u] == wanted]
            if i > 1:
                return ()
            return tuple(
                self.program.units[u] for u in self.source.some(mine, 1 + self.source.below(max(1, len(mine))))
            )
        return self.value(of)


def step(steps: tuple[str, ...], known: Any) -> str:
    """A step of a scale from its index or its name."""
    return (
        steps[known]
        if isinstance(known, int) and 0 <= known < len(steps)
        else str(known)
        if known in steps
        else steps[0]
    )
