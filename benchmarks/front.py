"""A large book made from a seed: a front of hexes with terrain, rivers and roads, two armies and their depots.

The text is a book like any other: terrain with a price, rivers on hexsides, roads, zones of control that stop at
rivers, stops and bans. `Front` keeps the same facts as plain columns, for twins in other languages.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from pathlib import Path

TERRAINS = ("clear", "woods", "rough", "marsh", "mountain", "lake")
ARMS = {"foot": 8, "horse": 12, "motor": 20}
PRICES = {
    "foot": (2, 3, 4, 6, 6, 99),
    "horse": (2, 4, 4, 6, 8, 99),
    "motor": (2, 5, 6, 9, 12, 99),
}
SUPPLY_REACH = 16

RULES = """
case 2 "Zones":
  define zone(u: unit) -> set of hex:
    {} when u.arm = horse
    neighbors(u.hex) where not edge(u.hex, it).river otherwise
  define zones(s: side) -> set of hex: each(zone(it) over units(s))
  define in_zone(s: side, h: hex) -> flag: h in zones(s)

case 3 "Movement":
  mark moved of unit until end of movement
  table price(at: terrain, who: arm) -> number:
PRICES
  route march(u: unit):
    from: u.hex
    budget: u.movement
    cross:
      2 when crossing.river and not links(road, here, there)
      0 otherwise
    enter:
      1 when links(road, here, there)
      price(there.terrain, u.arm) otherwise
    forbid as lake when there.terrain = lake
    forbid as enemy_there when any units_at(there) where it.side != u.side
    stop when in_zone(enemy(u.side), there)
  action move(u: unit from units(phasing), way: path from march(u)) by phasing during movement:
    when not u.moved
    walk u along way
    set u.moved

case 4 "Supply":
  define depots(s: side) -> set of hex:
    hexes where it.red_depot when s = red
    hexes where it.blue_depot otherwise
  route supply(u: unit):
    from: u.hex
    to: depots(u.side)
    budget: SUPPLY
    cross:
      2 when crossing.river and not links(road, here, there)
      0 otherwise
    enter:
      1 when links(road, here, there)
      price(there.terrain, foot) otherwise
    forbid as lake when there.terrain = lake
    forbid as enemy_there when any units_at(there) where it.side != u.side
    stop when in_zone(enemy(u.side), there)
  define supplied(u: unit) -> flag: any supply(u)

case 5 "Combat":
  scale odds: 1:3, 1:2, 1:1, 2:1, 3:1, 4:1, 5:1, 6:1
  define value(u: unit) -> number: u.strength
  define defence(u: unit) -> number:
    u.strength * 2 when u.hex.terrain in {rough, mountain}
    u.strength * 3/2 when u.hex.terrain = woods
    u.strength otherwise
  define odds_of(us: set of unit, h: hex) -> odds:
    on_scale(odds, sum(value(it) over us) / sum(defence(it) over units_at(h)))

case 6 "The sequence":
  sequence of_play:
    phase turn for nr in {1..4}:
      phase movement for phasing in [red, blue]:
        offer phasing: move
  scenario first:
    sequence: of_play
"""


@dataclass
class Front:
    """The facts of the book as columns; places are numbered as Rulewright does: row by row."""

    columns: int
    rows: int
    terrain: list[int]
    rivers: set[tuple[int, int]]
    roads: set[tuple[int, int]]
    depots: dict[int, str]
    units: list[tuple[str, str, int, int]]
    """Arm, side, strength and place."""
    text: str = field(default="", repr=False)

    def near(self, place: int) -> list[int]:
        return near(self.columns, self.rows, place)

    def write(self, folder: Path) -> Path:
        path = folder / "front.rules"
        path.write_text(self.text, encoding="utf-8")
        return path


def near(columns: int, rows: int, place: int) -> list[int]:
    """The hexes that touch one; even columns lie half a hex lower than odd ones."""
    y, x = divmod(place, columns)
    low = x % 2  # columns are printed from 1: the first one is odd
    found = [(x, y - 1), (x, y + 1)]
    found += [(x + d, y + s) for d in (-1, 1) for s in ((-1, 0) if low == 0 else (0, 1))]
    return sorted(b * columns + a for a, b in found if 0 <= a < columns and 0 <= b < rows)


def make(columns: int = 150, rows: int = 100, units: int = 3000, depots: int = 200, seed: int = 1) -> Front:
    """A front of so many hexes."""
    rng = random.Random(seed)
    count = columns * rows
    terrain = [0] * count
    for _ in range(count // 12):  # patches of terrain
        kind, place = rng.choices(range(1, 6), (9, 5, 3, 2, 1))[0], rng.randrange(count)
        for _ in range(rng.randint(2, 12)):
            terrain[place] = kind
            place = rng.choice(near(columns, rows, place))
    rivers: set[tuple[int, int]] = set()
    for _ in range(max(1, count // 250)):  # a river follows one bank from hex to hex
        here, there = rng.randrange(count), -1
        there = rng.choice(near(columns, rows, here))
        for _ in range(rng.randint(10, 40)):
            rivers.add((min(here, there), max(here, there)))
            both = [p for p in near(columns, rows, here) if p in near(columns, rows, there)]
            if not both:
                break
            here, there = (rng.choice(both), rng.choice((here, there)))
    roads: set[tuple[int, int]] = set()
    for _ in range(max(1, count // 300)):
        place, goal = rng.randrange(count), rng.randrange(count)
        for _ in range(40):
            y, x = divmod(goal, columns)
            following = min(
                (p for p in near(columns, rows, place) if terrain[p] != 5),
                key=lambda p, x=x, y=y: (abs(p % columns - x) + abs(p // columns - y), p),
                default=place,
            )
            if following == place:
                break
            roads.add((min(place, following), max(place, following)))
            place = following
    open_hexes = [p for p in range(count) if terrain[p] != 5]
    half = columns // 2
    west = [p for p in open_hexes if p % columns < half - 1]
    east = [p for p in open_hexes if p % columns > half]
    chosen = {p: "red" for p in rng.sample(west, depots // 2)} | {p: "blue" for p in rng.sample(east, depots // 2)}
    army = []
    for i in range(units):
        side = "red" if i % 2 == 0 else "blue"
        arm = rng.choices(tuple(ARMS), (6, 2, 3))[0]
        mine = west if side == "red" else east
        place = max((rng.choice(mine) for _ in range(2)), key=lambda p: -abs(p % columns - half))
        army.append((arm, side, rng.randint(1, 9), place))
    army.sort(key=head)  # counters are numbered by what their row begins with
    front = Front(columns, rows, terrain, rivers, roads, chosen, army)
    front.text = book(front)
    return front


def head(unit: tuple[str, str, int, int]) -> tuple[int, int, str, str]:
    arm, side, strength, _ = unit
    return strength, ARMS[arm], arm, side


def spell(front: Front, place: int) -> str:
    y, x = divmod(place, front.columns)
    return f"{x + 1:03}{y + 1:03}"


def book(front: Front) -> str:
    """The text of the book."""
    name = [spell(front, p) for p in range(len(front.terrain))]
    lines = [
        'book front "A large front"',
        'case 1 "The board":',
        "  kind side: red, blue",
        "  kind terrain: " + ", ".join(TERRAINS),
        "  kind arm: " + ", ".join(ARMS),
        "  field strength, movement of unit: number",
        "  field arm of unit: arm",
        "  field terrain of hex: terrain = clear",
        "  field red_depot, blue_depot of hex: flag",
        "  field river of hexside: flag",
        "  define enemy(s: side) -> side:",
        "    blue when s = red",
        "    red otherwise",
        "  map front:",
        f"    grid: columns 001..{front.columns:03}, rows 001..{front.rows:03}, even columns touch n and n+1",
    ]
    for x in range(front.columns):
        lines.append(f"    hexes: {name[x]}..{name[(front.rows - 1) * front.columns + x]}")
    for kind in range(1, 6):
        mine = [name[p] for p, t in enumerate(front.terrain) if t == kind]
        lines += [f"    terrain {TERRAINS[kind]}: {', '.join(mine[i : i + 12])}" for i in range(0, len(mine), 12)]
    for side in ("red", "blue"):
        mine = [name[p] for p, s in sorted(front.depots.items()) if s == side]
        lines += [f"    {side}_depot: {', '.join(mine[i : i + 12])}" for i in range(0, len(mine), 12)]
    sides = [f"{name[a]}/{name[b]}" for a, b in sorted(front.rivers)]
    lines += [f"    sides river: {', '.join(sides[i : i + 8])}" for i in range(0, len(sides), 8)]
    lines += [f"    lines road: {name[a]} {name[b]}" for a, b in sorted(front.roads)]
    lines += ["  roster armies:", "    form: strength-movement arm side"]
    numbered = enumerate(front.units, 1)
    for (strength, movement, arm, side), row in itertools.groupby(numbered, key=lambda x: head(x[1])):
        row_text = ", ".join(f"{side.title()} {i} @{name[unit[3]]}" for i, unit in row)
        lines.append(f"    {strength}-{movement} {arm} {side}: {row_text}")
    prices = ["    | at | " + " | ".join(ARMS) + " |"]
    for t, kind in enumerate(TERRAINS):
        prices.append(f"    | {kind} | " + " | ".join(str(PRICES[arm][t]) for arm in ARMS) + " |")
    rules = RULES.replace("PRICES", "\n".join(prices)).replace("SUPPLY", str(SUPPLY_REACH))
    return "\n".join(lines) + "\n" + rules
