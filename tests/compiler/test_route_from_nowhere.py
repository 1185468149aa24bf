"""A route that begins nowhere has no paths, whatever its other parts say; in code and oracle alike."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulewright.runtime.begin import new_game

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from twin.pair import Twins, outcome

PARTS = {
    "a budget": ["budget: u.hex.room"],
    "ends": ["to: neighbors(u.hex)"],
    "a budget and ends": ["budget: u.hex.room + 1", "to: {u.hex} + neighbors(u.hex)"],
    "a price": ["budget: 2", "enter: u.hex.room + there.room"],
    "a bar": ["budget: 2", "forbid when there.room > u.hex.room"],
    "a stop": ["budget: 3", "stop when there.room >= u.hex.room"],
    "a need": ["budget: u.hex.room", "require as near: length(path) <= u.hex.room"],
    "a need of the start": ["budget: u.hex.room", "require as far: distance(start(path), last(path)) > 1"],
    "a jump": ["budget: u.hex.room", "jump: {@A1, @B3} + neighbors(u.hex)"],
}
BOOK = """book nowhere "A unit off the map"

case 1 "All":
  kind side: red, blue
  field room of hex: number = 1
  box away
  house map field:
    grid: rows A..B, columns from the west
    hexes: A1..A3, B1..B3
  house roster army:
    form: side
    red: Ant @A1, Bee @B2
  route march(u: unit):
    over: land
    from: u.hex
{parts}
  define some(u: unit) -> flag: any march(u)
  define reached(u: unit, h: hex) -> flag: h in ends(march(u))
  define ways(u: unit) -> number: count(march(u))
  define on_it(u: unit, p: path) -> flag: p in march(u)
  define fewest(u: unit) -> number: count(shortest(march(u)))
  sequence days:
    phase day:
      ask red whether ready
      if ready: put "Bee" in away
  scenario one:
    sequence: days
"""


@pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS)
def test_code_and_oracle_agree(parts: list[str], tmp_path: Path) -> None:
    if not any(x.startswith("enter") for x in parts):
        parts = [*parts, "enter: 1"]
    path = tmp_path / "nowhere.rules"
    path.write_text(BOOK.format(parts="\n".join(f"    {x}" for x in parts)))
    pair = Twins.of(str(path), tmp_path / "nowhere")
    game = new_game(pair.plain, "one")
    ant, bee = (pair.plain.unit_index[x] for x in ("Ant", "Bee"))
    S = game.state
    start = S.at[ant]
    assert start is not None
    S.own("at")[bee] = None
    S.settle_places()
    table = pair.oracle.at(S)
    asked = {"some": [()], "ways": [()], "fewest": [()], "reached": [(h,) for h in range(6)]}
    asked["on_it"] = [((start, p),) for p in range(6)] + [((start,),)]
    for name, more in asked.items():
        for given in more:
            for unit in (ant, bee):
                one = outcome(game.value, name, unit, *given)
                two = outcome(table.ev.define, table.W, name, (unit, *given))
                assert one == two, (name, unit, given)
                assert unit == ant or one in (False, 0), (name, given)
