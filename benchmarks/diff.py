"""How long the facts of a diff take, against one cold parse: `python benchmarks/diff.py [LINES]`.

Two books of some 10,000 lines are made by repeating a template under distinct names; the second differs in
a hundred places. Both are compiled; then the facts are found from nothing (no hash kept), and one of
the books is parsed from nothing. The figure is the one time divided by the other; it should be at most 0.1.
"""

from __future__ import annotations

import gc
import random
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rulewright.compiler.diff import entries as diff_entries
from rulewright.compiler.diff.facts import facts
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse

HEAD = """book bench "A long book"

case 1 "Pieces":
  kind side: red, blue
  kind terrain: clear, woods
  scale odds: 1:2, 1:1, 2:1
  field strength of unit: number
  field terrain of hex: terrain = clear
  box dead(s: side)
  define enemy(s: side) -> side:
    blue when s = red
    red otherwise
  map board:
    grid: rows A..D, columns from the east
    hexes: A1..A5, B1..B5, C1..C5, D1..D5
    terrain woods: B2, B3
  roster armies:
    form: strength side
    3 red: Red 1 @A1, Red 2 @A2
    4 blue: Blue 1 @D4, Blue 2 @D5
  sequence play:
    repeat at most 10:
      phase side_turn for phasing in [red, blue]:
        phase movement:
          offer phasing: OFFERS
        if no units(enemy(phasing)): win phasing
  scenario battle:
    sequence: play
"""
PART = """
case N.1 "Zones N":
  define zone_N(u: unit) -> set of hex: {u.hex} + neighbors(u.hex)
  define in_zone_N(s: side, h: hex) -> flag: any units(s) where h in zone_N(it)
  define value_N(u: unit) -> number:
    u.strength + 1 when u.hex.terrain = woods and u.side = red
    u.strength + 2 when u.hex.terrain = woods
    u.strength otherwise

case N.2 "Movement N":
  mark moved_N of unit until end of side_turn
  route march_N(u: unit):
    over: land
    from: u.hex
    budget: 3
    enter: 1
    forbid as enemy_there when any units_at(there) where it.side != u.side
  action move_N(u: unit from units(phasing), p: path from march_N(u)) by phasing during movement:
    when not u.moved_N
    when value_N(u) > 1
    walk u along p
    set u.moved_N
    roll d = 1d6
    if results_N(d, odds_N({u}, u.hex)) = "D" and count(units(phasing)) > 1:
      put u in dead(phasing)

case N.3 "Stop in a zone N":
  stop march_N when in_zone_N(enemy(u.side), there)

case N.4 "Woods cost two N":
  except N.2 march_N.enter: 2 when there.terrain = woods
  except N.1 value_N: 1 when u.side = blue and u.strength = 9

case N.5 "Battle N":
  table results_N(die: number, odds: odds) -> text:
    | die | 1:2 | 1:1 | 2:1 |
    | 1   | A   | A   | D   |
    | 2   | A   | A   | D   |
    | 3-6 | A   | D   | D   |
  define odds_N(us: set of unit, h: hex) -> odds:
    on_scale(odds, sum(it.strength over us) / sum(it.strength over units_at(h)))

case N.6 "Examples N":
  example "a zone stops a march N":
    given "Red 1" at @A1, "Blue 1" at @A4
    given phasing = red
    given during movement
    expect in_zone_N(blue, @A3)
    refused red: move_N("Red 1", [@A1, @A2, @A3, @B3]) by N.3
    legal red: move_N("Red 1", [@A3])
    expect odds_N({"Red 1"}, @A4) = 1:2
"""


def book(lines: int) -> str:
    """A book of about so many lines."""
    size = PART.count("\n")
    count = max(1, (lines - HEAD.count("\n")) // size)
    parts = [re.sub(r"(?<![A-Za-z])N(?![A-Za-z])", str(i), PART) for i in range(2, count + 2)]
    return HEAD.replace("OFFERS", ", ".join(f"move_{i}" for i in range(2, count + 2))) + "".join(parts)


def changed(text: str, places: int, seed: int = 1) -> str:
    """The same book with other numbers, cells and exceptions here and there."""
    rng = random.Random(seed)
    lines = text.split("\n")
    swaps = (("budget: 3", "budget: 4"), ("| 2   | A   | A", "| 2   | A   | D"), (": 1 when u.side", ": 2 when u.side"))
    found = [(i, old, new) for i, line in enumerate(lines) for old, new in swaps if old in line]
    for i, old, new in rng.sample(found, min(places, len(found))):
        lines[i] = lines[i].replace(old, new)
    return "\n".join(lines)


def measure(lines: int = 10_000) -> dict[str, float]:
    """Seconds of a cold parse and of the facts, and how many there are."""
    text = book(lines)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("first.rules", "second.rules")]
        paths[0].write_text(text)
        paths[1].write_text(changed(text, 100))
        parse('book warm "up"\n', "<warm>", Reporter())
        start = time.process_time()
        parse(text, "<cold>", Reporter())
        cold = time.process_time() - start
        a, b = (analyse(str(p)) for p in paths)
        for made in (a, b):
            if made.report.failed:
                raise SystemExit("\n".join(d.message for d in made.report.found[:5]))
        rounds = []
        for _ in range(3):
            diff_entries.forget()
            gc.collect()  # what the compile left behind is not the diff's
            start = time.process_time()
            found = facts(a, b)
            rounds.append(time.process_time() - start)
        first = min(rounds)
        start = time.process_time()
        facts(a, b)
        again = time.process_time() - start
    return {"lines": text.count("\n"), "parse": cold, "facts": first, "again": again, "count": len(found)}


def figures() -> list[Any]:
    from .timing import Figure

    found = measure()
    return [Figure("facts of a diff ÷ one cold parse", found["facts"] / found["parse"], most=0.1)]


def main() -> None:
    m = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    print(f"{m['lines']:.0f} lines, {m['count']:.0f} facts")
    print(f"cold parse {m['parse']:.2f} s; facts {m['facts']:.3f} s; facts again {m['again']:.3f} s")
    print(f"facts of a diff ÷ one cold parse: {m['facts'] / m['parse']:.3f} (reach: at most 0.1)")


if __name__ == "__main__":
    main()
