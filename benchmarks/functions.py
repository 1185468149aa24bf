"""Generated functions against what an expert would write in Python: odds, allowance, zone and supply of `trc`.

Both read the same columns and give the same answers, which is checked first. One round asks every unit (or battle)
of a position once, after what the generated functions keep about positions has been dropped, so that no answer
comes from an earlier round. What both ask alike (sources of supply, who holds a city) stays known to both, and so does
what rests on the map alone: the twin works it out beforehand, the generated rules when it is first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rulewright.compiler import load
from rulewright.compiler.compiled import names_of
from rulewright.runtime.places import occupied
from rulewright.runtime.problems import rested
from rulewright.runtime.state import State

from .timing import Figure, best

Ask = Callable[[State], list[Any]]


class Twins:
    """The rules by hand, over the columns of the compiled book."""

    def __init__(self, rules: Any) -> None:
        data = rules.data
        self.rules, self.data = rules, data
        self.near = data.BOARD.neighbors
        strait, water, dashed = data.HEXSIDE_STRAIT, data.HEXSIDE_ALL_WATER, data.HEXSIDE_DASHED
        self.round: list[tuple[int, ...]] = []  # the zone around every hex: the map does not change
        self.land: list[tuple[int, ...]] = []
        for h, near in enumerate(self.near):
            sides = [(n, (min(h, n), max(h, n))) for n in near]
            held = [n for n, e in sides if not (strait.get(e) or water.get(e) or dashed.get(e))]
            self.round.append(tuple(sorted((h, *held))))
            dry = [n for n, e in sides if not data.HEXSIDE_RAIL_ONLY.get(e)]
            self.land.append(tuple(n for n in dry if not coast(data, h, n)))

    def zone(self, S: State, u: int) -> tuple[int, ...]:
        if "setup" in S.phases:
            return ()
        here = S.at[u]
        assert here is not None
        return (here,) if self.data.UNIT_TYPE[u] == "partisan" else self.round[here]

    def allowance(self, S: State, u: int) -> int:
        data, side, nation = self.data, S.unit_side[u], self.data.UNIT_NATION[u]
        if S.side_stunned[side] and nation == ("german" if side == "axis" else "soviet"):
            return 0
        factor = data.CELLS_MOVEMENT_CHART[S.bind_nr, nation, data.UNIT_TYPE[u], S.game_weather]
        product = data.UNIT_MOVEMENT[u] * factor
        return -(-product.numerator // product.denominator)

    def combat_supplied(self, S: State, u: int) -> bool:
        data, now = self.data, S.bind_now
        if S.unit_invaded[u] == now or S.game_weather != "snow" or S.unit_side[u] != "axis":
            return True
        here = S.at[u]
        if data.UNIT_NATION[u] == "finnish" or data.PLACE_COUNTRY[here] != "russia":
            return True
        if now < 6:
            return bool(self.rules.near_city(S, here))
        if 9 <= now < 12:
            return bool(self.rules.near_city(S, here) or self.rules.one_hex_out(S, here))
        return True

    def odds(self, S: State, b: tuple[Any, ...]) -> int:
        data, (attackers, defenders, air) = self.data, b
        strength, at, river = data.UNIT_STRENGTH, S.at, data.PLACE_RIVER
        ours = theirs = 0
        for u in attackers:
            ours += strength[u] if self.combat_supplied(S, u) else -(-strength[u] // 2)
        for u in defenders:
            value, here = strength[u], at[u]
            if not self.combat_supplied(S, u):
                value = -(-value // 2)
            if (
                data.CELLS_TERRAIN_CHART[data.PLACE_TERRAIN[here],][2]
                or data.PLACE_MAJOR_CITY[here]
                or all(data.HEXSIDE_STRAIT.get(side(at[a], here), False) for a in attackers)
                or (
                    not (S.unit_side[u] == "russian" and S.bind_now == 0 and S.bind_nr == 1)
                    and all(river[at[a]] and not self.rules.same_river(S, at[a], here) for a in attackers)
                )
            ):
                value *= 2
            theirs += value
        if theirs == 0:
            column = 14
        elif ours >= theirs:
            column = min(14, 4 + ours // theirs)
        else:
            column = max(-1, 6 - -(-theirs // ours)) if ours else -1
        shift = min(3, sum(self.rules.lift(S, x) for x in air)) if air else 0
        return max(0, min(14, column + shift)) if shift else column

    def supply(self, S: State, units: tuple[int, ...]) -> list[bool]:
        """For all units: bans and zones as sets, found once, then a search of its own for each."""
        data, rules = self.data, self.rules
        limit = 4 if S.game_weather == "snow" else 8
        found = []
        known: dict[str, tuple[set[int], set[int], frozenset[int]]] = {}
        for u in units:
            mine = S.unit_side[u]
            if data.UNIT_TYPE[u] in ("paratroop", "partisan") or S.unit_invaded[u] == S.bind_now:
                found.append(True)
                continue
            if mine not in known:
                other = "russian" if mine == "axis" else "axis"
                placed = [x for x, p in enumerate(S.at) if p is not None and p < data.BOARD.hexes]
                enemies = [x for x in placed if S.unit_side[x] == other]
                zones = {h for x in enemies for h in self.zone(S, x)}
                shut = {S.at[x] for x in enemies if data.UNIT_TYPE[x] != "partisan"}
                shut |= {h for h, city in enumerate(data.PLACE_CITY) if city and rules.holder(S, h) == other}
                known[mine] = (shut, zones, frozenset(rules.supply_sources(S, mine)))
            shut, zones, sources = known[mine]
            found.append(self.reaches(S.at[u], sources, shut, zones, limit))
        return found

    def reaches(self, start: Any, goals: frozenset[int], shut: set[int], halt: set[int], limit: int) -> bool:
        if start in goals:
            return True
        seen, edge = {start}, [start]
        for _ in range(limit):
            following = []
            for here in edge:
                for there in self.land[here]:
                    if there in seen or there in shut:
                        continue
                    if there in goals:
                        return True
                    seen.add(there)
                    if there not in halt:
                        following.append(there)
            edge = following
        return False


def coast(data: Any, a: int, b: int) -> bool:
    e = side(a, b)
    return bool(data.HEXSIDE_COAST.get(e) and not data.HEXSIDE_STRAIT.get(e))


def side(a: Any, b: Any) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def position() -> tuple[Any, State]:
    """The compiled rules and a state of the battle scenario."""
    book = load("trc")
    game = book.new("battle", seed=1)
    return names_of(book.program), game.state


def battles(rules: Any, S: State) -> list[tuple[Any, ...]]:
    """Every hex of one side with all of the other that stand next to it."""
    found = []
    for mine, other in (("axis", "russian"), ("russian", "axis")):
        for h in occupied(S, other):
            near = tuple(sorted(u for n in rules.NEAR[h] for u in S.here[n] if S.unit_side[u] == mine))
            found += [(near[:n], tuple(S.here[h]), ()) for n in range(1, len(near) + 1)]
    return found


def pairs(rules: Any, S: State) -> dict[str, tuple[Ask, Ask]]:
    """Each question as the generated code and as the twin answers it."""
    twin = Twins(rules)
    on_map = tuple(u for u, p in enumerate(S.at) if p is not None and p < rules.data.BOARD.hexes)
    fights = battles(rules, S)
    zone, allowance, odds, supplied = rules.zone, rules.allowance, rules.odds, rules.supplied
    return {
        "odds": (lambda s: [odds(s, b) for b in fights], lambda s: [twin.odds(s, b) for b in fights]),
        "allowance": (lambda s: [allowance(s, u) for u in on_map], lambda s: [twin.allowance(s, u) for u in on_map]),
        "zone": (lambda s: [zone(s, u) for u in on_map], lambda s: [twin.zone(s, u) for u in on_map]),
        "supply": (lambda s: [supplied(s, u) for u in on_map], lambda s: twin.supply(s, on_map)),
    }


def figures() -> list[Figure]:
    rules, S = position()
    kept = slots(rules)
    found = []
    for name, (mine, twin) in pairs(rules, S).items():
        assert mine(S) == twin(S), name

        def generated(mine: Ask = mine) -> None:
            rested(S)
            for i in kept:
                S.memo[i].clear()
            mine(S)

        one, other = best(generated, lambda twin=twin: twin(S))
        found.append(Figure(f"{name}: generated ÷ written by hand", one / other, most=1.3))
    return found


def slots(rules: Any) -> list[int]:
    """Where the functions under test keep answers that rest on positions; who holds a city stays known to both."""
    program = rules.PROGRAM
    moving = {*program.clears.get("at", ()), *(i for i, _ in program.owned.get("at", ()))}
    mine = re.compile(r"KEPT_(ZONE|ZONES|ZONES__MEMBERS|SUPPLIED|ROUTE_SUPPLY_.*)\Z")
    found = []
    for name, value in vars(rules).items():
        if mine.match(name):
            found.append(int(value))
    return sorted(moving & set(found))
