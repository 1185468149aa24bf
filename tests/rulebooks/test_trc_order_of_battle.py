"""The order of battle of The Russian Campaign: who exists, when he comes, and whether the set-up has room for him."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime.players import Player, RandomPlayer, play

BOOK = Path(__file__).parents[2] / "rulebooks" / "trc"

# Units that chapters 3 to 26 name, with what the text prints of them (strength, movement; None where it is silent).
NAMED: dict[str, tuple[int | None, int | None]] = {
    "Hitler": (1, 0), "Stalin": (1, 0), "Stavka": (None, None),
    "HQ North": (None, None), "HQ Center": (None, None), "HQ South": (None, None),
    "SS Reserve": (2, 7), "1 SS": (10, 8), "2 SS": (9, 8), "3 SS": (7, 7), "4 SS": (6, 7), "6 SS": (4, 4),
    "15 Mountain": (None, None), "21 Mountain": (None, None), "91 Mountain": (None, None),
    "97 Mountain": (None, None),
    "5 SS Mountain": (None, None), "Hermann Goering": (None, None), "36 Mountain": (None, None),
    "Dietl": (None, None), "11 Motorized": (None, None), "26 Motorized": (None, None),
    "29 Motorized": (None, None), "43 Motorized": (None, None),
    "52 Motorized": (3, None), "1 Cavalry": (None, None), "47 Panzer": (None, None), "38 Infantry": (3, 4),
    "11 Infantry": (None, 4), "30 Infantry": (None, 4), "54 Infantry": (None, 4),
    "3 Rumanian": (None, None), "Rumanian Cavalry": (None, None), "Hungarian Motorized": (None, None),
    "14 Army": (None, None), "3 Army": (None, None), "6 Army": (5, None), "24 Army": (None, None),
    "34 Army": (None, None),
    "62 Army": (5, 3), "16 Army": (5, 3), "30 Army": (5, 3), "9 Guards": (None, None), "12 Armored": (None, None),
    "1 Tank": (None, None), "6 Tank": (2, None), "2 Cavalry": (2, None), "5 Cavalry": (None, None),
    "1 Guards Cavalry": (5, None), "8 Paratroop": (1, None), "Worker Kharkov": (2, 0),
    **{f"Stuka {i}": (None, None) for i in (1, 2, 3)}, **{f"Sturmovik {i}": (None, None) for i in (1, 2, 3)},
    **{f"Partisan {i}": (None, None) for i in (1, 2, 3)},
}  # fmt: skip


@cache
def rosters() -> dict[str, dict[str, Any]]:
    book = analyse(str(BOOK)).book
    assert book is not None
    return {line.name: dict(line.fields) for line in book.units}


@cache
def turns() -> tuple[str, ...]:
    return tuple(label for label, _, _ in load(str(BOOK)).program.turns)


def field(unit: str, name: str) -> Any:
    return rosters()[unit].get(name)


def of(side: str) -> list[str]:
    return [unit for unit, fields in rosters().items() if fields["side"] == side]


def strength(units: list[str]) -> int:
    return sum(int(field(u, "strength")) for u in units)


@pytest.mark.parametrize("unit", NAMED)
def test_every_unit_that_the_rules_name_exists(unit: str) -> None:
    strong, fast = NAMED[unit]
    assert unit in rosters()
    assert strong is None or field(unit, "strength") == strong
    assert fast is None or field(unit, "movement") == fast


def test_formations_are_of_the_types_that_the_rules_ask_for() -> None:
    count = Counter(f["type"] for f in rosters().values())
    assert count["partisan"] == count["paratroop"] == 3
    assert count["leader"] == 2 and count["hq"] == 4 and count["air"] == 6
    army = [f for f in rosters().values() if f["nation"] == "german" and not f.get("ss")]
    infantry = Counter((f["strength"], f["movement"]) for f in army if f["type"] == "infantry")
    assert all(infantry[(s, 4)] >= 5 for s in (3, 4, 5)), "one of each kind can be replaced every year (21.4)"
    for unit in ("15 Mountain", "21 Mountain", "91 Mountain", "97 Mountain", "5 SS Mountain", "36 Mountain", "Dietl"):
        assert field(unit, "type") == "mountain"
    for unit in ("1 SS", "2 SS", "3 SS", "4 SS", "Hermann Goering"):
        assert field(unit, "type") == "armor"
    assert all(field(u, "ss") for u in ("SS Reserve", "1 SS", "2 SS", "3 SS", "4 SS", "6 SS", "5 SS Mountain"))
    assert field("1 Cavalry", "nation") == "german"
    for unit, fields in rosters().items():
        assert bool(fields.get("guards")) == ("Guards" in unit)
        assert fields["type"] != "worker" or (fields["movement"] == 0 and fields.get("size") is None)


def test_a_unit_starts_or_comes_or_is_called_and_never_two_of_these() -> None:
    called = {
        "36 Mountain", "Dietl", "14 Army", "15 Mountain", "21 Mountain", "91 Mountain", "97 Mountain",
        "5 SS Mountain", "4 SS", "Hermann Goering", "11 Motorized", "26 Motorized", "29 Motorized", "43 Motorized",
    }  # fmt: skip
    for unit, fields in rosters().items():
        due = fields.get("arrives") is not None
        assert not (due and fields.get("at_start")), unit
        assert due or fields.get("at_start") or fields["type"] == "air" or unit in called, unit
        assert due or not fields.get("second_month"), unit
        if fields.get("at_start") and fields["side"] == "russian":
            assert (fields.get("district") is not None) != bool(fields.get("starts_in_city")), unit
            assert bool(fields.get("starts_in_city")) == (fields.get("start_city") is not None), unit
        if fields.get("at_start") and fields["side"] == "axis":
            assert (fields.get("army_group") is not None) != (unit == "Hitler"), unit
        if not fields.get("at_start"):
            assert fields.get("army_group") is None and fields.get("district") is None, unit


def test_arrivals_spread_over_the_calendar() -> None:
    due = {side: Counter(field(u, "arrives") for u in of(side)) for side in ("axis", "russian")}
    for count in due.values():
        del count[None]
    assert set(due["axis"]) | set(due["russian"]) == set(range(25))
    assert len(due["axis"]) >= 20 and len(due["russian"]) >= 20
    assert max(due["axis"].values()) <= 6 and max(due["russian"].values()) <= 15
    late = [u for u in of("russian") if (field(u, "arrives") or 0) >= 12]
    late = [u for u in late if field(u, "type") in ("infantry", "cavalry")]
    assert sum(1 for u in late if field(u, "guards")) > len(late) / 2
    halves = Counter(bool(field(u, "second_month")) for u in rosters() if field(u, "arrives") is not None)
    assert halves[True] >= 20 and halves[False] > halves[True]


def test_dates_that_the_text_fixes() -> None:
    when = {u: turns()[field(u, "arrives")] for u in rosters() if field(u, "arrives") is not None}
    assert when["3 Rumanian"] == "Sep/Oct 1942" and not field("3 Rumanian", "second_month")
    moscow = load(str(BOOK)).program.place_index["Q8"]
    five = [u for u in of("russian") if when.get(u) == "Sep/Oct 1941" and field(u, "arrives_in") == moscow]
    assert len(five) == 5 and all(field(u, "size") == "army" and not field(u, "second_month") for u in five)
    assert when["9 Guards"] == "Mar/Apr 1943"
    assert any(when.get(u) == "Mar/Apr 1943" for u in of("russian") if field(u, "type") == "worker")
    order = turns().index
    assert order(when["SS Reserve"]) < order("May/Jun 1942"), "it counts for the replacements of 1942 (26.1)"
    assert all(order("May/Jun 1942") < order(when[u]) <= order("May/Jun 1943") for u in ("2 SS", "3 SS"))
    assert all(order("May/Jun 1943") < order(when[u]) <= order("May/Jun 1944") for u in ("1 SS", "6 SS"))
    assert all(order(when[f"{i} Paratroop"]) <= order("Jan/Feb 1942") for i in (1, 4, 8))
    assert all(field(u, "army_group") == "rumania" for u in ("11 Infantry", "30 Infantry", "54 Infantry"))
    italians = [u for u in of("axis") if field(u, "nation") == "italian"]
    assert all(order(when[u]) < order("Sep/Oct 1943") for u in italians), "Italy leaves then (24.4)"


def test_numbers_and_strengths_are_those_of_a_contest() -> None:
    axis, russian = of("axis"), of("russian")
    first = {side: [u for u in of(side) if field(u, "at_start")] for side in ("axis", "russian")}
    assert 55 <= len(first["axis"]) <= 65 and 40 <= len(first["russian"]) <= 50
    assert 95 <= len(axis) <= 115 and 130 <= len(russian) <= 150
    assert 2 < strength(first["axis"]) / strength(first["russian"]) < 3
    assert 1 < strength(russian) / strength(axis) < 1.6
    workers = [u for u in russian if field(u, "type") == "worker"]
    assert 10 <= strength([u for u in workers if field(u, "at_start")]) <= 14
    assert strength(workers) <= 28


@cache
def area(unit: str) -> frozenset[int]:
    """Where a unit may be set up while the map is empty."""
    loaded = load(str(BOOK))
    return frozenset(loaded.new("barbarossa").value("area", loaded.program.unit_index[unit]))


def room(place: str) -> int:
    """Units that fit into an area whatever their sizes and whatever the Russians did: two to a hex."""
    unit = next(u for u, f in rosters().items() if place in (f.get("district"), f.get("army_group")))
    hexes = area(unit)
    if place in ("rumania", "finland"):
        neighbors = load(str(BOOK)).program.board.neighbors
        taken = {h for u in of("russian") if field(u, "district") for h in area(u)}
        hexes = frozenset(h for h in hexes if not taken & set(neighbors[h]))
    return 2 * len(hexes)


@pytest.mark.parametrize("place", ["leningrad", "baltic", "western", "kiev", "odessa", "rumania", "finland"])
def test_every_area_has_room_whatever_comes_first(place: str) -> None:
    there = [u for u, f in rosters().items() if f.get("at_start") and place in (f.get("district"), f.get("army_group"))]
    assert 3 <= len(there) < room(place)


@pytest.mark.parametrize("seed", range(5))
def test_random_players_set_up_lawfully(seed: int) -> None:
    loaded = load(str(BOOK))
    game = loaded.new("barbarossa", seed=seed)
    players: dict[str, Player] = {s: RandomPlayer(seed * 31 + i) for i, s in enumerate(loaded.program.sides)}
    asked = [u for u, f in rosters().items() if f.get("at_start") and not f.get("starts_in_city")]
    sides = []

    def watch(g: Any, choice: Any) -> None:
        sides.append(choice.side)
        g.check()

    assert play(game, players, len(asked), watch) == len(asked)
    assert sides == sorted(sides, reverse=True), "all Russians before the first Axis unit"
    S = game.state
    index = loaded.program.unit_index
    stacks: dict[int, list[int]] = {}
    for unit, fields in rosters().items():
        place = S.at[index[unit]]
        assert place is not None
        if fields.get("at_start"):
            stacks.setdefault(place, []).append(index[unit])
            assert place < len(loaded.program.board.neighbors)
    fits = loaded.program.values["stack_fits"][0]
    assert all(fits(S, tuple(us), h) for h, us in stacks.items())
    mine = {p for p, us in stacks.items() if "axis" in {loaded.program.unit_sides[u] for u in us}}
    assert all(n in mine or n not in stacks for p in mine for n in loaded.program.board.neighbors[p])
    assert game.decisions[0].side == "axis"
    assert loaded.program.turns[S.bind_now][0] == "May/Jun 1941" and S.bind_nr == 1


def test_the_campaign_runs_through_its_calendar() -> None:
    loaded = load(str(BOOK))
    game = loaded.new("barbarossa", seed=2)
    players: dict[str, Player] = {s: RandomPlayer(77 + i) for i, s in enumerate(loaded.program.sides)}
    assert play(game, players, 60_000) < 60_000
    assert game.over
    assert game.winner is not None or turns()[game.state.bind_now] == "May/Jun 1945"
