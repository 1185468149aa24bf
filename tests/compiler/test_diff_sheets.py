"""Sheets of errata: items and their effects, the three classes of judgement, facts in the hobby's words."""

import json
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.diff.compare import diff
from rulewright.compiler.diff.phrases import phrase
from rulewright.compiler.diff.render import render_text
from rulewright.compiler.pipeline import analyse

BOOK = """book river "The river"

case 1 "Pieces":
  kind side: red, blue
  kind terrain: clear, swamp
  field attack of unit: number
  field moves of unit: number
  field flags of unit: number = 0
  field arrives of unit: turn or never
  field terrain of hex: terrain = clear
  field port of hex: flag = false
  mark score of game: number = 0
  mark weather of game: flag = false
  box dead
  calendar months:
    from: Jan 1942
    to: Apr 1942
    step: 1 month
  map field:
    grid: rows A..B, columns from the east
    hexes: A1..A4, B1..B4
    name Riga: A2
    terrain swamp: B2
  roster armies:
    form: attack-moves side
    8-8 red: 47 Panzer @A1
    3-4 blue: 2 Guards @B4, 3 Guards @B3

case 2 "March":
  route march(u: unit):
    over: land
    from: u.hex
    budget: u.moves
    enter: price(there)
  define price(h: hex) -> number:
    2 when h.terrain = swamp
    1 otherwise
  action move(u: unit from units(phasing), p: path from march(u)) by phasing during movement:
    walk u along p

case 3 "Fire":
  define modifier(h: hex) -> number:
    -2 when h.terrain = swamp
    0 otherwise
  define part() -> number: 1/5
  table hits(die: number) -> number:
    | die | hits |
    | -3-2 | 0 |
    | 3-6 | 1 |
    | 7-9 | 2 |
  action fire(u: unit from units(phasing), e: unit from all_units()) by phasing during movement:
    when e.side != phasing
    when u.attack * part() >= 1
    roll d = 1d6
    if hits(d + modifier(e.hex)) >= 1: put e in dead
    set score = score + 1

case 4 "Victory":
  define enough() -> number: 38
  on end of side_turn:
    if score >= enough(): win red
  on start of side_turn:
    if count(units(blue)) >= 9: win blue

case 5 "Sequence":
  sequence play:
    phase turns for turn in [Jan 1942, Feb 1942]:
      phase side_turn for phasing in [red, blue]:
        phase weather_check:
          set weather = true
        phase movement:
          offer phasing: move, fire
        phase air:
          set weather = false
  scenario battle:
    sequence: play
"""
SHEET = """
errata sheet of river "Corrections":
  source: the designer
  date: 5 May 1977
"""


def compared(tmp_path, items="", swaps=(), **more):
    text = BOOK
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new)
    base, other = tmp_path / "base.rules", tmp_path / "river.rules"
    base.write_text(BOOK)
    other.write_text(text + (SHEET + items if items else ""))
    sides = analyse(str(base if swaps else other)), analyse(f"{other}+sheet" if items else str(other))
    for side in sides:
        assert not side.report.failed, [d.message for d in side.report.found]
    return diff(*sides, examples=False, **more)


def told(made):
    return [phrase(f, made.before, made.after) for f in made.facts]


WORDS = {
    "a counter": ('amend "47 Panzer".attack: 8 becomes 9', "47 Panzer: 8-8 becomes 9-8"),
    "two numbers of a counter": (
        'amend "47 Panzer".attack: 8 becomes 9\n    amend "47 Panzer".moves: 8 becomes 6',
        "47 Panzer: 8-8 becomes 9-6",
    ),
    "a hex": ("amend @A2.terrain: clear becomes swamp", "Riga (A2): clear becomes swamp"),
    "a flag of a hex": ("amend @A1.port: no becomes yes", "A1: now port"),
    "an arrival": ('amend "2 Guards".arrives: never becomes Feb 1942', "2 Guards: arrives Feb 1942 instead of never"),
    "a sign": ("amend 3 modifier: -2 becomes -3", "definition modifier, when h.terrain = swamp: -2 becomes -3"),
    "a fraction": ("amend 3 part: 1/5 becomes 1/7", "definition part: 1/5 becomes 1/7"),
}


@pytest.mark.parametrize("name", WORDS)
def test_facts_are_told_in_the_hobby_s_words_under_their_item(name, tmp_path):
    line, expected = WORDS[name]
    made = compared(tmp_path, f'  case E.1 "An item":\n    {line}\n')
    assert told(made) == [expected]
    (f,) = made.facts
    assert [(i.overlay, i.case, i.nature) for i in f.items] == [("sheet", "E.1", "correction")]


def test_a_phrase_is_a_fact_that_alters_no_play(tmp_path):
    block = "  words en:\n    enough: what red needs\n    modifier: the ground's part in {h}\n"
    texts = ("", block, block.replace("red needs", "it takes").replace("    modifier: the ground's part in {h}\n", ""))
    sides = []
    for i, more in enumerate(texts):
        path = tmp_path / f"{i}.rules"
        path.write_text(BOOK + '\ncase 9 "How it is said":\n' + (more or "  kind unused: a, b\n"))
        sides.append(analyse(str(path)))
        assert not sides[-1].report.failed, [d.message for d in sides[-1].report.found]
    kinds = {}
    for x, y in ((0, 1), (1, 2), (2, 1)):
        made = diff(sides[x], sides[y], examples=False)
        said = {f.id: phrase(f, made.before, made.after) for f in made.facts if f.element == "phrase"}
        kinds[x, y] = sorted(said.values())
        assert {j.verdict for j in made.judgements if j.fact in said} == {
            "does not alter play: a phrase says a rule and changes none"
        }
        assert not any("words" in phrase(f, made.before, made.after) for f in made.facts)
    assert kinds[0, 1] == ["enough is said (en): what red needs", "modifier is said (en): the ground's part in {h}"]
    assert kinds[1, 2] == [
        "enough is said (en): what red needs becomes what it takes",
        "modifier has no phrase any more (en): the ground's part in {h}",
    ]
    assert "modifier is said (en): the ground's part in {h}" in kinds[2, 1]


def test_a_struck_rule_goes_back_to_its_item_by_its_label_or_by_what_it_is_about(tmp_path):
    ban = '\ncase 6 "Bans":\n  forbid move as flagged when u.flags = 1\n  forbid fire as flagged when u.flags = 2\n'
    path = tmp_path / "river.rules"
    for name, gone in (("move.flagged", "move flagged"), ("fire.flagged", "fire flagged")):
        path.write_text(BOOK + ban + SHEET + f'  case E.1 "An item":\n    strike 6 {name}\n')
        made = diff(analyse(str(path)), analyse(f"{path}+sheet"), examples=False)
        (f,) = made.facts
        assert (f.kind, f.name, [i.case for i in f.items]) == ("struck", gone, ["E.1"])


def test_a_counter_stands_under_the_title_of_its_own_roster(tmp_path):
    more = '\ncase 1 "Later pieces":\n  roster reserves:\n    form: attack-moves side\n    5-5 red: 9 Reserve\n'
    path = tmp_path / "river.rules"
    path.write_text(BOOK + more + SHEET + '  case E.1 "An item":\n    amend "9 Reserve".attack: 5 becomes 6\n')
    made = diff(analyse(str(path)), analyse(f"{path}+sheet"), examples=False)
    assert "~ 1 Later pieces: 9 Reserve: 5-5 becomes 6-5" in render_text(made)


def test_a_push_is_followed_through_a_chain_of_wins(tmp_path):
    alone = "    if score >= enough(): win red\n"
    chain = (
        "    if red_wins and blue_wins: win nobody\n    else if red_wins: win red\n    else if blue_wins: win blue\n"
    )
    flags = "  gather red_wins -> flag: false\n  gather blue_wins -> flag: false\n"
    flags += "  add to red_wins: true when score >= 38\n  add to blue_wins: true when score <= 2\n"
    base = BOOK.replace(alone, chain).replace('case 4 "Victory":\n', f'case 4 "Victory":\n{flags}')
    for old, new, said in ((">= 38", ">= 40", "narrower for red"), ("<= 2", "<= 3", "wider for blue")):
        first, second = tmp_path / "chain.rules", tmp_path / "other.rules"
        first.write_text(base)
        second.write_text(base.replace(f"when score {old}", f"when score {new}"))
        (j,) = diff(analyse(str(first)), analyse(str(second)), examples=False).judgements
        assert f"{j.direction} {j.concerns.wins}" == said, j


def test_a_moved_phase_is_one_fact(tmp_path):
    air = "        phase air:\n          set weather = false\n"
    made = compared(tmp_path, swaps=[(air, ""), ("        phase movement:\n", air + "        phase movement:\n")])
    assert told(made) == ["the air phase now comes after weather check (it came after movement)"]
    assert made.judgements[0].play == "may" and made.judgements[0].direction == "different"


def test_a_set_up_hex_and_a_place(tmp_path):
    made = compared(tmp_path, swaps=[("2 Guards @B4", "2 Guards @B1"), ("name Riga: A2", "name Riga: A3")])
    assert sorted(told(made)) == ["2 Guards sets up in B1 instead of B4", "Riga lies in A3 instead of A2"]
    by = {f.element: j for f in made.facts for j in made.judgements if j.fact == f.id}
    assert by["unit"].alters and by["unit"].evidence == "games begin in another position"


def test_a_victory_number_says_for_whom(tmp_path):
    made = compared(tmp_path, swaps=[("enough() -> number: 38", "enough() -> number: 40")])
    (j,) = made.judgements
    assert (j.direction, j.certainty, j.concerns.wins) == ("narrower", "proved", "for red")
    made = compared(tmp_path, swaps=[("count(units(blue)) >= 9", "count(units(blue)) >= 8")])
    (j,) = made.judgements
    assert (j.direction, j.certainty, j.concerns.wins) == ("wider", "proved", "for blue")


def test_a_victory_number_that_is_asked_elsewhere_proves_nothing(tmp_path):
    more = "    when u.attack * part() >= 1 and score < enough()\n"
    text = BOOK.replace("    when u.attack * part() >= 1\n", more)
    for name, body in (("a", text), ("b", text.replace("number: 38", "number: 40"))):
        (tmp_path / f"{name}.rules").write_text(body)
    made = diff(analyse(str(tmp_path / "a.rules")), analyse(str(tmp_path / "b.rules")), examples=False)
    assert made.judgements[0].direction == "different" and not made.judgements[0].concerns.wins


def test_the_three_classes(tmp_path):
    items = (
        '  case E.1 "Never read":\n    amend "47 Panzer".flags: 0 becomes 1\n'
        '  case E.2 "A ban":\n    forbid move when u.attack = 3\n'
        '  case E.3 "Never met":\n    forbid fire when u.side = red and u.side = blue\n'
        '  case E.4 "Out of reach":\n    replace row 3 hits:\n      | 7-9 | 2 |\n      | 7-9 | 3 |\n'
    )
    made = compared(tmp_path, items)
    found = {f.items[0].case: j for f in made.facts for j in made.judgements if j.fact == f.id}
    assert (found["E.1"].play, found["E.1"].reason) == ("not", "no rule reads what is printed there")
    assert (found["E.2"].play, found["E.2"].direction) == ("may", "narrower")
    assert (found["E.4"].play, found["E.4"].reason) == ("not", "no look-up of the table can ask for it")
    seen = compared(
        tmp_path, items, search=lambda a, b, facts: [{"fact": f.id, "found": 2, "positions": 5} for f in facts]
    )
    plays = {f.items[0].case: j.play for f in seen.facts for j in seen.judgements if j.fact == f.id}
    assert plays["E.2"] == "alters" and plays["E.1"] == plays["E.4"] == "not"


def test_a_cell_within_reach_of_a_modifier_is_not_refuted(tmp_path):
    made = compared(tmp_path, swaps=[("| -3-2 | 0 |", "| -3-2 | 1 |")])
    assert made.judgements[0].play == "may"
    (d,) = made.distributions
    assert "no other modifier" in d.because


def test_signs_and_fractions_reach_the_roll_or_give_no_table(tmp_path):
    made = compared(tmp_path, swaps=[("-2 when h.terrain", "-3 when h.terrain")])
    (d,) = made.distributions
    outcomes = {row[0]: (str(row[1]), str(row[2])) for row in d.columns[0].outcomes}
    assert outcomes == {"0": ("2/3", "5/6"), "1": ("1/3", "1/6")} and "-2 → -3" in d.because
    assert compared(tmp_path, swaps=[("part() -> number: 1/5", "part() -> number: 1/7")]).distributions == []


def test_an_item_already_in_the_text_changes_nothing(tmp_path, capsys):
    items = '  case E.1 "Already":\n    nature: correction, already in text\n    amend 3 part: 1/6 becomes 1/5\n'
    made = compared(tmp_path, items)
    assert made.facts == [] and made.judgements == []


def test_a_scope_is_told_from_the_turns_that_both_sides_leave_out(tmp_path):
    base = BOOK.replace("case 5 ", "  forbid move when turn < Feb 1942 and u.side = red\n\ncase 5 ")
    for name, body in (("a", base), ("b", base.replace("turn < Feb 1942", "turn >= Feb 1942"))):
        (tmp_path / f"{name}.rules").write_text(body)
    made = diff(analyse(str(tmp_path / "a.rules")), analyse(str(tmp_path / "b.rules")), examples=False)
    concerns = made.judgements[0].concerns
    assert concerns.turns == () and concerns.sides == ("red",)


def test_what_stands_under_or_limits_nobody(tmp_path):
    made = compared(tmp_path, '  case E.1 "A ban":\n    forbid move when u.side = red or u.attack = 3\n')
    assert str(made.judgements[0].concerns) == ""


def run(tmp_path, capsys, *more):
    path = tmp_path / "river.rules"
    items = (
        '  case E.1 "A sign":\n    amend 3 modifier: -2 becomes -3\n'
        '  case E.2 "A counter":\n    amend "47 Panzer".flags: 0 becomes 1\n'
    )
    path.write_text(BOOK + SHEET + items)
    code = main(["diff", str(path), f"{path}+sheet", "--no-witnesses", "--no-examples", "--quiet", *more])
    return code, capsys.readouterr().out


def test_the_command_knows_cases_facts_and_the_three_classes(tmp_path, capsys):
    code, out = run(tmp_path, capsys)
    assert code == 0 and "errata sheet: Corrections, correction, the designer, 5 May 1977" in out
    assert out.index("E.1 A sign (correction)") < out.index("3 Fire: definition modifier") < out.index("E.2 A counter")
    assert "may alter play: different; no position was tried" in out and "does not alter play: no rule reads" in out
    assert run(tmp_path, capsys, "--fail-on", "alters")[0] == 0
    assert run(tmp_path, capsys, "--fail-on", "may")[0] == 1 and run(tmp_path, capsys, "--fail-on", "not")[0] == 1
    assert run(tmp_path, capsys, "--case", "E.2", "--fail-on", "may")[0] == 0
    data = json.loads(run(tmp_path, capsys, "--format", "json")[1])
    assert [j["play"] for j in data["judgements"]] == ["does not alter", "may alter"]
    assert data["sheets"][0]["date"] == "1977-05-05" and data["facts"][0]["items"] == [
        {"overlay": "sheet", "case": "E.2"}
    ]
    one = data["facts"][1]["id"]
    only = json.loads(run(tmp_path, capsys, "--format", "json", "--fact", one)[1])
    assert [f["id"] for f in only["facts"]] == [one]
    page = run(tmp_path, capsys, "--format", "html")[1]
    assert "the designer" in page and "May alter play" in page and "Does not alter play" in page
    assert Path(data["facts"][1]["lines"]["after"].rpartition(":")[0]).name == "river.rules"


WIDER = (
    BOOK.replace(
        "  field port of hex: flag = false\n", "  field port of hex: flag = false\n  field stream of hexside: flag\n"
    )
    .replace("    terrain swamp: B2\n", "    terrain swamp: B2\n    sides stream: A2/A3\n")
    .replace("    enter: price(there)\n", "    enter: price(there)\n    forbid as wet when crossing.stream\n")
    .replace("  scenario battle:\n    sequence: play\n", "  scenario battle:\n    sequence: play\nSCENARIO")
)
SMALL = """  scenario small:
    sequence: play
    units:
      A2: 47 Panzer
"""
PRINTED = {
    "a start": ('amend "2 Guards".hex: @B4 becomes @B1', "2 Guards sets up in B1 instead of B4"),
    "no start": ('amend "2 Guards".hex: @B4 becomes nowhere', "2 Guards no longer sets up in B4"),
    "a start in a scenario": (
        'amend "47 Panzer".hex in small: @A2 becomes @A3',
        "small: 47 Panzer sets up in A3 instead of A2",
    ),
    "one more in a scenario": ('amend "2 Guards".hex in small: nowhere becomes @B4', "small: 2 Guards sets up in B4"),
    "a hexside": ("amend @A3/A2.stream: yes becomes no", "side stream: gone from the map: A2/A3"),
    "a hexside more": ("amend @A3/A4.stream: no becomes yes", "side stream: new on the map: A3/A4"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_printed_is_one_fact_under_its_item(name, tmp_path):
    line, expected = PRINTED[name]
    path = tmp_path / "river.rules"
    path.write_text(WIDER.replace("SCENARIO", SMALL) + SHEET + f'  case E.1 "An item":\n    {line}\n')
    made = diff(analyse(str(path)), analyse(f"{path}+sheet"), examples=False)
    assert told(made) == [expected]
    assert [[i.case for i in f.items] for f in made.facts] == [["E.1"]]


def test_a_start_that_no_scenario_uses_begins_no_game_elsewhere(tmp_path):
    sheet = SHEET + '  case E.1 "An item":\n    amend "2 Guards".hex: @B4 becomes @B1\n'
    text = WIDER.replace("SCENARIO", "    units:\n      A1: 47 Panzer\n") + sheet
    path = tmp_path / "river.rules"
    path.write_text(text)
    (j,) = diff(analyse(str(path)), analyse(f"{path}+sheet"), examples=False).judgements
    assert j.play == "may" and "no scenario sets it up from there" in j.reason


def test_the_scenario_that_is_played_where_none_is_named_is_a_fact(tmp_path):
    sides = []
    for name, more in (("a", ""), ("b", "    default: yes\n")):
        path = tmp_path / f"{name}.rules"
        path.write_text(WIDER.replace("SCENARIO", SMALL.replace("play\n", f"play\n{more}")))
        sides.append(analyse(str(path)))
        assert not sides[-1].report.failed, [d.message for d in sides[-1].report.found]
    made = diff(*sides, examples=False)
    assert [(f.before, f.after) for f in made.facts] == [("battle", "small")]
    assert made.judgements[0].play == "not" and "where none is named" in made.judgements[0].reason
