"""The Russian Campaign, counted out: small positions, every choice, every sequence of choices.

Each position is opened as a game and walked choice by choice. Beside the game walks a model that knows the
printed rules only (zones, stops, terrain, odds, duties) as plain sets of hexes. At every step both must offer
the same choices; the totals by depth stand below as numbers, so that a change of the rules shows.
A move or a retreat counts once for each hex that it can end in; `done` closes the window and is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import ceil
from typing import Any, Protocol

import pytest

from rulewright.compiler import load
from rulewright.runtime import machine, ops
from rulewright.runtime.game import Game
from rulewright.runtime.state import fresh
from rulewright.runtime.text import Choice

Key = tuple[Any, ...]
Places = dict[str, str]
DONE: Key = ("done",)
CONTACT: Key = ("column", -3)

# ---------------------------------------------------------------- what the counters and the map print


@dataclass(frozen=True)
class Counter:
    side: str
    strength: int
    movement: int
    type: str
    size: str = "corps"


COUNTERS = {
    "47 Panzer": Counter("axis", 8, 8, "armor"),
    "5 Infantry": Counter("axis", 5, 4, "infantry"),
    "9 Infantry": Counter("axis", 5, 4, "infantry"),
    "6 Infantry": Counter("axis", 4, 4, "infantry"),
    "28 Infantry": Counter("axis", 3, 4, "infantry"),
    "49 Mountain": Counter("axis", 4, 5, "mountain"),
    "Rumanian Cavalry": Counter("axis", 2, 5, "cavalry"),
    "24 Army": Counter("russian", 5, 3, "infantry", "army"),
    "34 Army": Counter("russian", 5, 3, "infantry", "army"),
    "50 Army": Counter("russian", 5, 3, "infantry", "army"),
    "33 Army": Counter("russian", 6, 3, "infantry", "army"),
    "62 Army": Counter("russian", 5, 3, "infantry", "army"),
    "1 Tank": Counter("russian", 2, 5, "armor"),
    "6 Tank": Counter("russian", 2, 5, "armor"),
    "1 Paratroop": Counter("russian", 1, 3, "paratroop"),
}
WOODS = frozenset("O17 P17 P18 T15 U14 U15 S13 S14 R13 R14".split())
SWAMP = frozenset("O21 P20 P21 P22 Q19 Q20 Q21 R19 R20 R21 S19 S20".split())
MOUNTAIN = frozenset("O28 O29 P28 P29 Q27 Q28 R27 S27".split())
MAJOR_CITIES = frozenset({"AA15"})
DONETS = frozenset("AA14 BB15 BB16 CC15 DD15 EE14 FF14 GG13 HH13 II13".split())
DON = frozenset("X10 X11 Y11 Z11 Z12 AA11 BB12 CC11 DD12 EE11 FF11 FF10".split())
STRAIT = frozenset({"KK19", "KK20"})
COAST = frozenset(frozenset(e.split("/")) for e in "GG19/HH20 GG20/HH20 GG20/HH21 HH20/HH21".split())
NO_ZONE = COAST | {STRAIT}


@cache
def program() -> Any:
    return load("trc").program


@cache
def around(place: str) -> frozenset[str]:
    board = program().board
    return frozenset(board.places[p] for p in board.neighbors[board.places.index(place)])


def side_of(unit: str) -> str:
    return COUNTERS[unit].side


def zone_of(place: str) -> set[str]:
    return {place} | {h for h in around(place) if frozenset({place, h}) not in NO_ZONE}


def enemy_zones(places: Places, side: str) -> set[str]:
    return {h for u, p in places.items() if side_of(u) != side for h in zone_of(p)}


def stops(counter: Counter, place: str, sky: str) -> bool:
    """Woods let men on foot pass, mountains only mountain troops, frozen swamps all."""
    if place in WOODS:
        return counter.type in ("armor", "motorized", "cavalry")
    if place in MOUNTAIN:
        return counter.type != "mountain"
    return place in SWAMP and sky != "snow"


def allowance(counter: Counter, impulse: int, sky: str) -> int:
    share = {(1, "clear"): 1, (1, "snow"): 0.5, (2, "clear"): 0.5}[impulse, sky]
    return ceil(counter.movement * share)


def odds_down(attack: int, defence: int) -> int:
    """Six to one is 5, one to one 0, one to six -5; rounded for the defender, ten to one at most."""
    if attack >= defence:
        return min(attack // defence, 10) - 1
    return 1 - ceil(defence / attack)


def battle_odds(places: Places, hexes: frozenset[str], attackers: frozenset[str]) -> int:
    defence = 0
    for unit, place in places.items():
        if place in hexes:
            behind = any(all(places[a] in river for a in attackers) and place not in river for river in (DON, DONETS))
            doubled = place in MAJOR_CITIES or place in MOUNTAIN or behind
            defence += COUNTERS[unit].strength * (2 if doubled else 1)
    return odds_down(sum(COUNTERS[a].strength for a in attackers), defence)


def subsets(items: set[str]) -> Iterator[frozenset[str]]:
    for n in range(1, len(items) + 1):
        yield from map(frozenset, combinations(sorted(items), n))


# ---------------------------------------------------------------- the models


class Model(Protocol):
    def choices(self) -> set[Key]: ...

    def after(self, key: Key) -> Model | None: ...


@dataclass(frozen=True)
class Movement:
    """The movement window of the Axis: moves, automatic victories, done."""

    places: Places
    impulse: int = 1
    sky: str = "clear"
    pinned: frozenset[str] = frozenset()
    spent: frozenset[str] = frozenset()
    victors: frozenset[str] = frozenset()

    def steps(self, unit: str, path: tuple[str, ...]) -> set[str]:
        """Where a unit that came along this path may set its foot next."""
        counter, here, zones = COUNTERS[unit], path[-1], enemy_zones(self.places, side_of(unit))
        if len(path) > allowance(counter, self.impulse, self.sky):
            return set()
        if len(path) > 1:
            crossed = {path[-2], here} == STRAIT
            if here in zones or crossed or stops(counter, here, self.sky):
                return set()
        taken = {p for u, p in self.places.items() if side_of(u) != counter.side}
        open_to = {h for h in around(here) - taken if frozenset({here, h}) not in COAST}
        return open_to - zones if here in zones else open_to

    def may_move(self, unit: str) -> bool:
        return side_of(unit) == "axis" and unit not in self.pinned | self.spent

    def lawful_path(self, unit: str, path: tuple[str, ...]) -> bool:
        return self.may_move(unit) and all(path[i] in self.steps(unit, path[:i]) for i in range(1, len(path)))

    def ends(self, unit: str) -> set[str]:
        """By the shortest paths; a path longer than needed reaches nothing more."""
        start = self.places[unit]
        found, edge = set(), [(start,)]
        seen: set[tuple[str, ...]] = set()
        while edge:
            path = edge.pop(0)
            for h in self.steps(unit, path):
                found.add(h)
                mark = (h, str(len(path)), str({path[-1], h} == STRAIT))
                if mark not in seen:
                    seen.add(mark)
                    edge.append((*path, h))
        return found - {start}

    def victories(self) -> set[Key]:
        found: set[Key] = set()
        red = {p for u, p in self.places.items() if side_of(u) == "russian"}
        for hexes in subsets(red):
            beside = {
                u
                for u, p in self.places.items()
                if side_of(u) == "axis" and u not in self.victors and hexes <= zone_of(p)
            }
            for attackers in subsets(beside):
                if battle_odds(self.places, hexes, attackers) == 9:
                    found.add(("automatic_victory", hexes, attackers))
        return found

    def choices(self) -> set[Key]:
        moves = {("move", u, h) for u in self.places if self.may_move(u) for h in self.ends(u)}
        return {DONE} | moves | self.victories()

    def after(self, key: Key) -> Movement | None:
        if key == DONE:
            return None
        if key[0] == "move":
            return replace(self, places=self.places | {key[1]: key[2]}, spent=self.spent | {key[1]})
        _, hexes, attackers = key
        left = {u: p for u, p in self.places.items() if p not in hexes}
        return replace(self, places=left, spent=self.spent | attackers, victors=self.victors | attackers)


@dataclass(frozen=True)
class Combat:
    """The combat window: which attacks, then which column; at one to four a one is a contact, and is followed."""

    places: Places
    attackers: frozenset[str]
    hexes: frozenset[str]
    column: int | None = None

    @staticmethod
    def of(places: Places) -> Combat:
        bound = {u for u, p in places.items() if side_of(u) == "axis" and p in enemy_zones(places, "axis")}
        due = {p for u, p in places.items() if side_of(u) == "russian" and zone_of(p) & {places[b] for b in bound}}
        return Combat(places, frozenset(bound), frozenset(due))

    def battles(self) -> set[tuple[frozenset[str], frozenset[str]]]:
        return {
            (hexes, attackers)
            for hexes in subsets(set(self.hexes))
            for attackers in subsets(set(self.attackers))
            if all(h in around(self.places[a]) for h in hexes for a in attackers)
            and battle_odds(self.places, hexes, attackers) >= -5
        }

    def plannable(self) -> bool:
        """Whether everybody who must can fight everything that must be fought."""
        if not self.hexes or not self.attackers:
            return not self.hexes and not self.attackers
        first = min(self.hexes)
        return any(
            replace(self, hexes=self.hexes - h, attackers=self.attackers - a).plannable()
            for h, a in self.battles()
            if first in h
        )

    def choices(self) -> set[Key]:
        if self.column is not None:
            return {("column", step) for step in range(-5, self.column + 1)}
        if not self.hexes:
            return {DONE}
        return {
            ("attack", h, a)
            for h, a in self.battles()
            if replace(self, hexes=self.hexes - h, attackers=self.attackers - a).plannable()
        }

    def after(self, key: Key) -> Combat | None:
        if key[0] == "attack":
            _, hexes, attackers = key
            return Combat(
                self.places, self.attackers - attackers, self.hexes - hexes, battle_odds(self.places, hexes, attackers)
            )
        return replace(self, column=None) if key == CONTACT else None


@dataclass(frozen=True)
class Retreat:
    """Defenders driven back two hexes by the attacker, who spares whom he can."""

    places: Places
    waiting: tuple[str, ...]

    def fits(self, unit: str, place: str) -> bool:
        stack = {u for u, p in self.places.items() if p == place} - {unit} | {unit}
        return len(stack) <= (2 if any(COUNTERS[u].size == "army" for u in stack) else 3)

    def ends(self, unit: str) -> set[str]:
        start, zones = self.places[unit], enemy_zones(self.places, side_of(unit))
        near = around(start) - zones
        return {h for n in near for h in around(n) - zones - {start}}

    def saved(self) -> int:
        """The most of those who wait that can still be brought to a safe place."""
        if not self.waiting:
            return 0
        unit, *rest = self.waiting
        given_up = replace(self, waiting=tuple(rest)).saved()
        kept = [1 + self.sent(unit, h).saved() for h in self.ends(unit) if self.fits(unit, h)]
        return max([given_up, *kept])

    def sent(self, unit: str, place: str) -> Retreat:
        return replace(self, places=self.places | {unit: place}, waiting=self.waiting[1:])

    def choices(self) -> set[Key]:
        if not self.waiting:
            return {DONE}
        unit, most = self.waiting[0], self.saved()
        return {
            ("retreat", unit, h)
            for h in self.ends(unit)
            if self.fits(unit, h) and 1 + self.sent(unit, h).saved() == most
        }

    def after(self, key: Key) -> Retreat | None:
        return None if key == DONE else self.sent(key[1], key[2])


# ---------------------------------------------------------------- the game, and the walk beside the model


def opened(places: Places, now: str = "Jul/Aug 1941", dice: tuple[int, ...] = ()) -> Game:
    """The first movement window of the Axis in this position."""
    p = program()
    S = fresh(p, 0)
    for unit, place in places.items():
        ops.shift(S, p.unit_index[unit], p.place_index[place])
    S.bind_now = [label for label, *_ in p.turns].index(now)
    S.dice["script"] = list(dice)
    S.forget()
    for memory in p.memories:
        if memory.how in ("always", "ever"):
            ops.refresh(S, memory)
    machine.call(S, "game_turn", ())
    machine.run(S)
    return Game(p, S)


def play(game: Game, *texts: str) -> Game:
    for text in texts:
        game.do("axis: " + text)
    return game


def key_of(game: Game, choice: Choice) -> Key:
    """A choice of the game in the words of the models."""
    p = game.program
    args = [value for _, value in choice.args]
    match choice.name:
        case "move":
            return ("move", p.units[args[0]], p.board.places[args[1][-1]])
        case "automatic_victory" | "attack":
            hexes, attackers = args
            return (choice.name, frozenset(p.board.places[h] for h in hexes), frozenset(p.units[u] for u in attackers))
        case "column":
            a, d = (int(x) for x in game.show(choice).split("(")[1].rstrip(")").split(":"))
            return ("column", a - 1 if d == 1 else 1 - d)
        case "p":
            start = p.board.places[args[0][0]]
            waiting = [u for u in range(len(p.units)) if game.state.at[u] == p.place_index[start]]
            return ("retreat", p.units[min(waiting)], p.board.places[args[0][-1]])
        case _:
            return (choice.name, *args)


def perft(game: Game, model: Model, depth: int, besides: str = "") -> list[int]:
    """How many sequences of one, two, ... choices there are; game and model agree at every step."""
    listed = [(key_of(game, c), c) for c in game.legal() if c.name != besides]
    offered = dict(listed)
    assert len(offered) == len(listed), "an end is offered twice"
    assert set(offered) == model.choices()
    counts = [len(listed)] + [0] * (depth - 1)
    if depth > 1:
        for key, choice in listed:
            following = model.after(key)
            if following is not None:
                game.do(choice)
                for i, n in enumerate(perft(game, following, depth - 1, besides), 1):
                    counts[i] += n
                game.undo(agreed=True)
    return counts


def test_the_counters_are_the_printed_ones() -> None:
    from rulewright.compiler.pipeline import analyse

    book = analyse("trc").book
    assert book is not None
    lines = {line.name: line.fields for line in book.units}
    for name, counter in COUNTERS.items():
        assert Counter(**{k: lines[name][k] for k in ("side", "strength", "movement", "type", "size")}) == counter


# ---------------------------------------------------------------- 1: movement, zones, terrain

BERESINA = {"Rumanian Cavalry": "Q17", "5 Infantry": "Q16", "24 Army": "O16", "34 Army": "R14"}
PRIPET = {"28 Infantry": "R18", "6 Infantry": "R18", "24 Army": "P18", "34 Army": "S16"}
CARPATHIANS = {"49 Mountain": "P30", "5 Infantry": "P30", "24 Army": "Q26"}
KERCH = {"49 Mountain": "JJ21", "28 Infantry": "KK20", "24 Army": "MM18"}


def second_impulse(places: Places) -> Game:
    return play(opened(places), "done", "done")


@pytest.mark.parametrize(
    ("places", "sky", "counts"),
    [
        pytest.param(BERESINA, "clear", [43, 852, 810], id="woods_stop_horses"),
        pytest.param(PRIPET, "clear", [19, 180, 162], id="swamps_stop_men"),
        pytest.param(PRIPET, "snow", [23, 264, 242], id="frozen_swamps_stop_nobody"),
        pytest.param(CARPATHIANS, "snow", [39, 662, 624], id="mountains_stop_all_but_mountain_troops"),
    ],
)
def test_moves_over_terrain_and_zones(places: Places, sky: str, counts: list[int]) -> None:
    """In clear weather the second impulse, in snow the first: half the factor either way."""
    game = opened(places, "Jan/Feb 1944") if sky == "snow" else second_impulse(places)
    assert perft(game, Movement(places, impulse=1 if sky == "snow" else 2, sky=sky), 3) == counts


def test_moves_over_the_strait() -> None:
    """The far shore ends the move, and no zone reaches over; the ships of chapter 10 are not walked."""
    game = opened(KERCH, "Jan/Feb 1944")
    assert perft(game, Movement(KERCH, sky="snow"), 3, besides="sea_evacuation") == [13, 76, 64]


@pytest.mark.parametrize(
    ("unit", "steps", "tried", "lawful"),
    [("Rumanian Cavalry", 4, 1554, 138), ("5 Infantry", 3, 258, 30), ("24 Army", 1, 6, 0)],
)
def test_every_single_path(unit: str, steps: int, tried: int, lawful: int) -> None:
    """Not one path to each end but all walks, also those that turn back: taken or refused as the model says."""
    game, model = second_impulse(BERESINA), Movement(BERESINA, impulse=2)
    p, walks, seen, good = game.program, [(BERESINA[unit],)], 0, 0
    for _ in range(steps):
        walks = [(*walk, h) for walk in walks for h in sorted(around(walk[-1]))]
        for walk in walks:
            path = tuple(p.place_index[h] for h in walk)
            choice = Choice(game.decisions[0].id, "axis", "move", (("u", p.unit_index[unit]), ("p", path)))
            taken = not game.refusals(choice)
            assert taken is model.lawful_path(unit, walk), walk
            seen, good = seen + 1, good + taken
    assert (seen, good) == (tried, lawful)


# ---------------------------------------------------------------- 2 and 3: pinned, and freed

PINNED = {"5 Infantry": "V12", "28 Infantry": "V12", "9 Infantry": "V13", "1 Paratroop": "V11"}
CAUGHT = {"47 Panzer": "V12", "5 Infantry": "V14", "9 Infantry": "V14", "24 Army": "V11", "1 Paratroop": "V13"}


def test_pinned_in_the_second_impulse() -> None:
    """A contact pins two corps; the third is free, may bring ten to one about, and unpins nobody."""
    attack = 'attack(hexes: {V11}, attackers: {"5 Infantry", "28 Infantry"})'
    game = play(opened(PINNED, dice=(1,)), "done", attack, "column(1:4)", "done")
    model = Movement(PINNED, impulse=2, pinned=frozenset({"5 Infantry", "28 Infantry"}))
    assert not any(key[:2] == ("move", u) for key in model.choices() for u in model.pinned)
    assert perft(game, model, 3) == [18, 23, 6]


def test_free_after_an_automatic_victory() -> None:
    """Between two zones the tanks have no way out until the paratroops in the one are gone."""
    game, model = opened(CAUGHT, "Jan/Feb 1944"), Movement(CAUGHT, sky="snow")
    assert not model.ends("47 Panzer")
    freed = model.after(("automatic_victory", frozenset({"V13"}), frozenset({"5 Infantry", "9 Infantry"})))
    assert freed is not None and len(freed.ends("47 Panzer")) == 45
    assert perft(game, model, 3) == [29, 433, 769]


# ---------------------------------------------------------------- 4: retreats

ALONE = {"47 Panzer": "W9", "24 Army": "W8"}
PAIR = {"47 Panzer": "W9", "5 Infantry": "W9", "24 Army": "W8", "34 Army": "W8"}
HEMMED = {"47 Panzer": "V9", "5 Infantry": "X9", "24 Army": "W8", "34 Army": "W8", "33 Army": "W6"}
CROWDED = HEMMED | {"9 Infantry": "W5", "33 Army": "V7"}
CORPS = {"47 Panzer": "V9", "5 Infantry": "X9", "9 Infantry": "W5", "33 Army": "V7"} | dict.fromkeys(
    ("1 Tank", "6 Tank", "1 Paratroop"), "W8"
)
MIXED = CORPS | {"6 Tank": "X7", "1 Paratroop": "X7", "24 Army": "W8"}


def driven_back(places: Places) -> tuple[Game, Retreat]:
    """One to one and a one: the defenders of W8 retreat two hexes."""
    attackers = [u for u in places if side_of(u) == "axis" and places[u] in around("W8")]
    listed = ", ".join(f'"{u}"' for u in attackers)
    attack = f"attack(hexes: {{W8}}, attackers: {{{listed}}})"
    game = play(opened(places, dice=(1,)), "done", attack, "column(1:1)")
    order = sorted((u for u in places if places[u] == "W8"), key=lambda u: program().unit_index[u])
    return game, Retreat(places, tuple(order))


@pytest.mark.parametrize(
    ("places", "counts"),
    [
        pytest.param(ALONE, [10, 10], id="one_army"),
        pytest.param(PAIR, [10, 100, 100], id="two_armies"),
        pytest.param(HEMMED, [3, 8, 8], id="two_armies_and_a_hex_half_full"),
        pytest.param(CROWDED, [2, 3, 3], id="two_armies_and_room_for_three"),
        pytest.param(CORPS, [2, 3, 4, 4], id="three_corps"),
        pytest.param(MIXED, [1, 1, 1], id="the_corps_leaves_the_only_room_to_the_army"),
    ],
)
def test_retreats_led_by_the_attacker(places: Places, counts: list[int]) -> None:
    game, model = driven_back(places)
    assert perft(game, model, len(counts)) == counts


@pytest.mark.parametrize(
    ("places", "count"), [pytest.param(ALONE, 13, id="one_army"), pytest.param(HEMMED, 3, id="one_of_two_armies")]
)
def test_every_path_of_a_retreat(places: Places, count: int) -> None:
    """Two hexes, neither in a zone, not home again; the path may end next door."""
    game, model = driven_back(places)
    p, zones = game.program, enemy_zones(places, "russian")
    taken = set()
    walks = [("W8",)]
    for _ in range(3):
        walks = [(*walk, h) for walk in walks for h in sorted(around(walk[-1]))]
        for walk in walks:
            path = tuple(p.place_index[h] for h in walk)
            if not game.refusals(Choice(game.decisions[0].id, "axis", "p", (("", path),))):
                taken.add(walk)
    ends = {key[2] for key in model.choices()}
    expected = {("W8", a, b) for a in around("W8") - zones for b in around(a) & ends}
    assert taken == expected
    assert len(taken) == count


# ---------------------------------------------------------------- 5: duties of attack

OPEN_FRONT = {u: "AA14" for u in ("5 Infantry", "6 Infantry", "28 Infantry")} | {
    "24 Army": "AA13",
    "1 Tank": "BB14",
    "6 Tank": "BB14",
}
WEAK_FRONT = {u: "AA14" for u in ("5 Infantry", "6 Infantry", "28 Infantry")} | {
    "24 Army": "AA13",
    "33 Army": "BB14",
    "34 Army": "BB14",
}
ONE_OFF_THE_RIVER = WEAK_FRONT | {"6 Infantry": "Z14"}
BEFORE_KHARKOV = {
    "5 Infantry": "AA14",
    "6 Infantry": "AA14",
    "28 Infantry": "BB14",
    "24 Army": "AA15",
    "33 Army": "AA15",
    "34 Army": "BB15",
}


@pytest.mark.parametrize(
    ("places", "counts"),
    [
        pytest.param(OPEN_FRONT, [13, 63, 13, 58, 12], id="any_split_of_three"),
        pytest.param(WEAK_FRONT, [11, 40, 9, 26, 6], id="the_weakest_is_no_match_for_two_armies"),
        pytest.param(ONE_OFF_THE_RIVER, [4, 17, 3, 11, 2], id="one_attacker_off_the_river"),
        pytest.param(BEFORE_KHARKOV, [6, 24, 4, 12, 2], id="a_major_city"),
    ],
)
def test_attacks_that_meet_all_duties(places: Places, counts: list[int]) -> None:
    """Attack, column, attack, column, done; battles at one to four are followed, as a one leaves all in contact."""
    game = play(opened(places, dice=(1, 1)), "done")
    assert perft(game, Combat.of(places), 5) == counts
