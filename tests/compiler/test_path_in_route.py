"""`PATH in ROUTE` knows every path that keeps to the route, listed or not; in code and oracle alike."""

from __future__ import annotations

import itertools
from pathlib import Path

from rulewright.compiler.interpret.game import Oracle
from rulewright.compiler.loader import import_program, write
from rulewright.compiler.pipeline import compile_book
from rulewright.runtime.begin import new_game

BOOK = """book ways "Paths of a route"

case 1 "All":
  kind side: red, blue
  mark shut of hex
  house map field:
    grid: rows A..B, columns from the west
    hexes: A1..A3, B1..B3
  house roster army:
    form: side
    red: Ant @A1
  route march(u: unit):
    over: land
    from: u.hex
    budget: 3
    enter: 1
    forbid when there.shut
    require as short: length(path) <= 2
  define keeps(u: unit, p: path) -> flag: p in march(u)
  define listed(u: unit, p: path) -> flag: p in (march(u) where true)
  procedure idle: log "idle"
  sequence days:
    phase day:
      ask red whether ready
      do idle
  scenario one:
    sequence: days
"""


def test_every_path_that_keeps_to_the_route(tmp_path: Path) -> None:
    (tmp_path / "ways.rules").write_text(BOOK)
    made = compile_book(str(tmp_path / "ways.rules"))
    assert made.book is not None and made.emitted is not None, made.report.found
    write(made, tmp_path / "ways")
    program = import_program(tmp_path / "ways")
    game = new_game(program, "one")
    S, unit = game.state, program.unit_index["Ant"]
    S.give(program.column["place_shut"], program.place_index["B1"], True)
    table = Oracle(made.book).at(S)
    board, start = program.board, S.at[unit]
    near = board.neighbors
    right = set()
    for size in (2, 3, 4):
        for path in itertools.product(range(board.hexes), repeat=size):
            fine = path[0] == start and all(b in near[a] for a, b in itertools.pairwise(path))
            if fine and len(path) <= 3 and not any(S.place_shut[p] for p in path[1:]):
                right.add(path)
    paths = [p for size in (1, 2, 3, 4) for p in itertools.product(range(board.hexes), repeat=size)]
    found = {p for p in paths if game.value("keeps", unit, p)}
    assert found == right
    assert found == {p for p in paths if table.ev.define(table.W, "keeps", (unit, p))}
    few = {p for p in paths if game.value("listed", unit, p)}
    assert few < found and few == {p for p in paths if table.ev.define(table.W, "listed", (unit, p))}
