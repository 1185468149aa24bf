"""What a side keeps is in no frame of anybody else: secrets are planted, and everything that is sent is searched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.table.links import SEAT, WATCH

PLANTED = """
book planted "Planted secrets"

case 1 "Pieces":
  kind side: red, blue
  kind word: ZYGOTE, QUAGGA, XYLEM, OKAPI
  field strength of unit: number
  box hand(s: side) secret to s counted
  box den(s: side) secret to s
  mark plan of side: word or nothing secret to it
  mark code of side: number secret to it
  map field:
    grid: rows A..B, columns 1..4
    hexes: A1..A4, B1..B4
  roster bands:
    form: strength side
    3 red: Red 1 @A1, Red 2 @A2, Redcap @hand(red)
    2 blue: Blue 1 @B3, Blue 2 @B4

case 2 "Play":
  action hide(u: unit from units(phasing)) by phasing during turn:
    when on_map(u)
    put u in den(phasing)
  action march(u: unit from units(phasing), h: hex from neighbors(u.hex)) by phasing during turn:
    when on_map(u)
    put u in h

case 3 "Sequence":
  sequence whole:
    together:
      ask red secretly for one red_word from {ZYGOTE, QUAGGA}
      ask blue secretly for one blue_word from {XYLEM, OKAPI}
    set red.plan = red_word
    set blue.plan = blue_word
    ask red secretly for one number_of_red from {7301 .. 7303}
    set red.code = number_of_red
    repeat at most 9:
      phase turn for phasing in [red, blue]:
        offer phasing once: hide, march
  scenario one:
    sequence: whole
"""


@pytest.fixture
def planted(rooms, tmp_path: Path):
    file = tmp_path / "planted.rules"
    file.write_text(PLANTED)
    return rooms(str(file))


def gathered(room, sitters, seen):
    for name, sitter in sitters.items():
        frame = room.news(sitter)
        if frame is not None:
            seen[name].append(frame)


def test_no_frame_of_another_holds_a_planted_secret(planted):
    room = planted
    by = {x.sides[0] if x.kind == SEAT else x.kind: x for x in room.card.links if x.kind in (SEAT, WATCH)}
    sitters = {name: room.enter(link) for name, link in by.items()}
    seen = {name: [] for name in sitters}
    answers = {name: [] for name in sitters}
    gathered(room, sitters, seen)

    def send(side, **message):
        n = room.chair(side).n
        told = room.obey(sitters[side], {"n": n, **message})
        room.run(None)
        answers[side] += told
        gathered(room, sitters, seen)

    def pick(side, text):
        i = next(i for i, x in enumerate(room.frame(sitters[side])["ask"]["items"]) if x["t"].lower() == text.lower())
        send(side, do="pick", i=i)

    pick("red", "QUAGGA")
    pick("blue", "XYLEM")
    pick("red", "7302")
    pick("red", "hide")
    send("red", do="pick", i=0)
    for name in ("blue", WATCH):
        n = room.chair(sitters[name].side).n
        for message in ({"do": "look", "at": 1}, {"do": "told", "place": 0}, {"do": "told", "place": 8}):
            answers[name] += room.obey(sitters[name], {"n": n, **message})
    for i in range(2):
        send("blue", do="why", i=i)
    send("blue", do="way", i=1, j=0)
    send("blue", do="chances", i=0)
    send("blue", do="pick", i=0)
    assert "QUAGGA" in json.dumps(seen["red"]) and "7302" in json.dumps(seen["red"])
    assert any("Redcap" in json.dumps(f["lit"]) or f["units"] for f in seen["red"])
    hidden = {room.program.unit_index["Redcap"], room.program.unit_index["Red 1"]}
    for name in ("blue", WATCH):
        sent = json.dumps([seen[name], answers[name]])
        for secret in ("ZYGOTE", "QUAGGA", "7301", "7302", "Redcap", *(("XYLEM", "OKAPI") if name == WATCH else ())):
            assert secret not in sent, (name, secret)
        for frame in seen[name]:
            assert room.program.unit_index["Redcap"] not in {u for u, *_ in frame["units"]}
        assert not hidden & {u for u, *_ in seen[name][-1]["units"]}
        counted = {room.program.board.places[p]: n for p, n in seen[name][-1]["hidden"]}
        assert counted == {"hand(red)": 1}, "a box that is not counted tells nothing"
        assert not any("digest" in f or "seed" in json.dumps(f) for f in seen[name])


def test_moments_do_not_count_what_others_choose_in_secret(planted):
    room = planted
    by = {x.sides[0]: x for x in room.card.links if x.kind == SEAT}
    red, blue = room.enter(by["red"]), room.enter(by["blue"])
    before = room.news(blue)["moments"]
    room.obey(red, {"do": "pick", "n": room.chair("red").n, "i": 0})
    assert room.news(blue) is None, "not even that something was chosen is told"
    assert room.frame(blue)["moments"] == before and room.frame(red)["moments"] == 1


def test_steps_that_build_sets_are_the_same_for_every_face(rooms):
    """The page's chair and the terminal's desk stand on one seat."""
    from rulewright.compiler.cli.desk.desk import Desk
    from rulewright.compiler.seat.seat import Seat
    from rulewright.table.chair import Chair

    assert issubclass(Chair, Seat) and issubclass(Desk, Seat)


def test_what_lies_beneath_a_stack_is_in_no_frame_of_another(rooms):
    """A game of the series between two persons: counters that are veiled are neither drawn, nor lit, nor picked."""
    from rulewright.runtime.players import BusyPlayer
    from rulewright.runtime.telling.veils import veiled_units

    room = rooms("ocs", scenario="trial")
    by = {x.sides[0] if x.kind == SEAT else "": x for x in room.card.links if x.kind in (SEAT, WATCH)}
    sitters = {side: room.enter(link) for side, link in by.items()}
    players = {side: BusyPlayer(7 + i) for i, side in enumerate(room.program.sides)}
    hidden = 0
    for _ in range(60):
        game = room.table.game
        decision = game.decisions[0]
        room.table.do(decision.side, players[decision.side](game, decision))
        room.changed()
        for side, sitter in sitters.items():
            frame = room.frame(sitter)
            veiled = set(veiled_units(room.table.game.state, side))
            hidden += len(veiled)
            drawn = {u for u, *_ in frame["units"]}
            lit = {u for _, _, u, _ in frame.get("lit") or ()}
            items = (frame.get("ask") or {}).get("items") or ()
            asked = {x["u"] for x in items if "u" in x}
            assert not veiled & (drawn | lit | asked), side
            names = {room.program.units[u] for u in veiled}
            assert not any(f'"{name}"' in json.dumps(items) for name in names)
    assert hidden > 200
