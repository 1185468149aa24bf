"""The facts of a diff: small, stable, from the core and never from the text."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler.diff.compare import diff
from rulewright.compiler.diff.facts import facts
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.format import format_text

BOOK = Path(__file__).parent.parent / "books" / "skirmish.rules"
TEXT = BOOK.read_text()
PROBES = Path(__file__).parent.parent / "probes"


def changed(tmp_path, *swaps, text=TEXT, base=BOOK):
    """The facts from the book to a copy in which some words are others."""
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new)
    path = tmp_path / "other.rules"
    path.write_text(text)
    b = analyse(str(path))
    assert not b.report.failed, [d.message for d in b.report.found]
    return facts(analyse(str(base)), b)


def one(found):
    assert len(found) == 1, [(f.kind, f.element, f.name, f.before, f.after) for f in found]
    f = found[0]
    return f.kind, f.element, f.case, f.name, f.where, f.before, f.after


def test_a_book_does_not_differ_from_itself():
    a = analyse(str(BOOK))
    made = diff(a, a)
    assert made.facts == [] and made.judgements == [] and made.distributions == [] and made.witnesses == []


@pytest.mark.parametrize("path", [BOOK, *sorted(PROBES.glob("fite*.rules"))], ids=lambda p: p.stem)
def test_a_formatted_copy_gives_no_facts(path, tmp_path):
    copy = tmp_path / path.name
    text = format_text(path.read_text(), str(path), Reporter())
    copy.write_text(text.replace("\n\ncase", "\n\n# a remark\n\ncase"))
    assert facts(analyse(str(path)), analyse(str(copy))) == []


def test_comments_notes_and_other_ways_to_write_the_same_give_no_facts(tmp_path):
    assert not changed(
        tmp_path,
        ('case 2 "Zones":', 'case 2 "Zones":  # here\n  note "Six hexes around, and its own."'),
        ("{u.hex} + neighbors(u.hex)", "({u.hex} + neighbors(u.hex))"),
        ("| 1-3 | A   | A   | D   |", "| 1 | A | A | D |\n    | 2-3 | A | A | D |"),
        ("hexes: A1..A5, B1..B5", "hexes: A1, A2..A5, B1..B5"),
        ("when odds_of(us, h) >= 1:2", "when (odds_of(us, h) >= 1:2)"),
    )


NAMES = {"u": "mover", "h": "target", "us": "attackers", "d": "thrown", "s": "whose", "p": "course"}


def test_other_names_of_parameters_and_locals_give_no_facts(tmp_path):
    cut = TEXT.index('case 6 "Examples"')
    body, count = TEXT[:cut], 0
    for old, new in NAMES.items():
        body, times = re.subn(rf"(?<![\w.@\"]){old}\b", new, body)
        count += times
    assert count >= 35
    path = tmp_path / "other.rules"
    path.write_text(body + TEXT[cut:])
    other = analyse(str(path))
    assert not other.report.failed, [d.message for d in other.report.found]
    assert facts(analyse(str(BOOK)), other) == []


def test_an_amendment_that_says_the_same_in_other_words_is_no_fact(tmp_path):
    path = tmp_path / "skirmish.rules"
    same = "    amend 3 move: (not u.moved) becomes (u.moved = false)\n"
    path.write_text(TEXT + '\nerrata sheet of skirmish "Words":\n  case E.1 "Words":\n' + same)
    assert facts(analyse(str(path)), analyse(f"{path}+sheet")) == []


def test_another_name_of_an_answer_is_told_as_a_name(tmp_path):
    found = changed(
        tmp_path,
        ("lost from us", "gone from us"),
        ("put lost in", "put gone in"),
        ("for lost", "for gone"),
        ("lost(", "gone("),
    )
    told = [(f.kind, f.element, f.before, f.after) for f in found if f.element != "example"]
    assert told == [("renamed", "answer", "lost", "gone")]


def test_no_line_of_a_fact_holds_a_path_of_this_machine(tmp_path):
    for f in changed(tmp_path, ("budget: 3", "budget: 4")):
        assert not any(Path(line).is_absolute() for line in f.lines)


NUMBERS = {"1": "7", "2": "8", "3": "30", "3.1": "30.1", "3.2": "31", "4": "3", "5": "4", "6": "12"}


def renumbered(text):
    text = re.sub(r"(?m)^case ([\d.]+) ", lambda m: f"case {NUMBERS[m[1]]} ", text)
    text = re.sub(r"(except|by) ([\d.]+)(?=\s)", lambda m: f"{m[1]} {NUMBERS[m[2]]}", text)
    return text


def test_a_renumbered_copy_gives_only_renumbered_facts_and_no_judgement(tmp_path):
    path = tmp_path / "other.rules"
    path.write_text(renumbered(TEXT))
    made = diff(analyse(str(BOOK)), analyse(str(path)))
    assert {f.kind for f in made.facts} == {"renumbered"}
    assert {(f.before, f.after) for f in made.facts} == set(NUMBERS.items())
    assert made.judgements == [] and made.distributions == []


def test_a_renumbered_and_changed_copy_tells_both(tmp_path):
    found = changed(tmp_path, ("case 3.2 ", "case 3.9 "), ("march.enter: 2 when", "march.enter: 3 when"))
    assert [(f.kind, f.before, f.after) for f in found] == [("renumbered", "3.2", "3.9"), ("amended", "2", "3")]


KINDS = {
    "a number": ([("budget: 3", "budget: 4")], ("amended", "route", "3", "march", "budget", "3", "4")),
    "an exception's value": (
        [("march.enter: 2 when", "march.enter: 3 when")],
        ("amended", "exception", "3.2", "march.enter", "", "2", "3"),
    ),
    "an exception struck": (
        [("  except 3 march.enter: 2 when there.terrain = woods", '  note "Gone."')],
        ("struck", "exception", "3.2", "march.enter", "", "except 3 march.enter: 2 when there.terrain = woods", ""),
    ),
    "a prohibition": (
        [("\n\ncase 3.2", "\n  forbid march when u.strength = 9\n\ncase 3.2")],
        ("added", "prohibition", "3.1", "march", "", "", "forbid march when u.strength = 9"),
    ),
    "a requirement": (
        [("\n\ncase 3.2", "\n  require move: u.strength > 0\n\ncase 3.2")],
        ("added", "requirement", "3.1", "move", "", "", "require move: u.strength > 0"),
    ),
    "a stop narrowed": (
        [("(enemy(u.side), there)", "(enemy(u.side), there) and u.strength < 5")],
        (
            "amended",
            "stop",
            "3.1",
            "march",
            "condition",
            "in_zone(enemy(u.side), there)",
            "in_zone(enemy(u.side), there) and u.strength < 5",
        ),
    ),
    "a ban inside a route": (
        [("    forbid as enemy_there when any units_at(there) where it.side != u.side\n", "")],
        (
            "struck",
            "prohibition",
            "3",
            "march enemy_there",
            "",
            "forbid as enemy_there when any units_at(there) where it.side != u.side",
            "",
        ),
    ),
    "a condition of an action": (
        [("    when no us where it.fought\n", "")],
        ("amended", "action", "4", "attack", "condition 2", "no us where it.fought", ""),
    ),
    "a cell": (
        [("| 1-3 | A   | A   | D   |", "| 1-3 | A   | D   | D   |")],
        ("amended", "cell", "4", "results", "die 1-3, odds 1:1", "A", "D"),
    ),
    "a unit's field": (
        [("    3 red: Red 1", "    5 red: Red 1")],
        ("amended", "unit", "1", "Red 1, Red 2", "strength", "3", "5"),
    ),
    "a unit": ([("Red 2 @A2", "Red 2 @A2, Red 3")], ("added", "unit", "1", "Red 3", "", "", "side red, strength 3")),
    "a unit's start": ([("Blue 1 @D4", "Blue 1 @D3")], ("amended", "unit", "1", "Blue 1", "start", "D4", "D3")),
    "a map feature": (
        [("terrain woods: B2, B3", "terrain woods: B2, B3, C3")],
        ("added", "map feature", "1", "terrain", "C3", "", "woods"),
    ),
    "hexes": ([("D1..D5", "D1..D6")], ("added", "map feature", "1", "hexes", "", "", "D6")),
    "a phase": (
        [
            (
                "phase combat:\n          offer phasing: attack\n",
                "phase combat:\n          offer phasing: attack\n        phase rest:\n          offer phasing: move\n",
            )
        ],
        (
            "added",
            "phase",
            "5",
            "rest",
            "play: step, phase side_turn, phase rest",
            "",
            "phase rest: offer phasing: move",
        ),
    ),
    "a kind": (
        [("kind terrain: clear, woods", "kind terrain: clear, woods, hill")],
        ("amended", "kind", "1", "terrain", "value", "clear, woods", "clear, woods, hill"),
    ),
    "a field": (
        [("  field terrain of hex", "  field speed of unit: number = 1\n  field terrain of hex")],
        ("added", "field", "1", "speed", "", "", "field speed of unit: number = 1"),
    ),
    "a mark": (
        [("mark moved of unit until end of side_turn", "mark moved of unit until end of movement")],
        ("amended", "mark", "3", "moved", "lifetime", "end of side_turn", "end of movement"),
    ),
    "a box": ([("  box dead(", "  box reserve\n  box dead(")], ("added", "box", "1", "reserve", "", "", "box reserve")),
    "a quota": (
        [("  mark fought", "  quota raids(s: side) per side_turn: 2\n  mark fought")],
        ("added", "quota", "4", "raids", "", "", "quota raids(s: side) per side_turn: 2"),
    ),
    "a trigger": (
        [("\n\ncase 3.2", '\n  on start of combat: log "To arms"\n\ncase 3.2')],
        ("added", "trigger", "3.1", "combat", "", "", 'on start of combat: log "To arms"'),
    ),
    "a duty": (
        [("\n\ncase 3.2", "\n  duty hold during combat:\n    any units(red)\n\ncase 3.2")],
        ("added", "duty", "3.1", "hold", "", "", "duty hold during combat:\n  any units(red)"),
    ),
    "an invariant": (
        [("\n\ncase 3.2", "\n  invariant alive: any all_units()\n\ncase 3.2")],
        ("added", "invariant", "3.1", "alive", "", "", "invariant alive: any all_units()"),
    ),
    "a scenario": (
        [
            (
                "    sequence: play\n",
                "    sequence: play\n    units:\n      A3: Red 1\n      A2: Red 2\n      D4: Blue 1\n      D5: Blue 2\n",
            )
        ],
        ("amended", "set-up", "5", "battle", "Red 1", "A1", "A3"),
    ),
    "a title": ([('"Zones"', '"Zones of control"')], ("amended", "title", "2", "2", "", "Zones", "Zones of control")),
    "an unclear case": (
        [
            (
                "\n\ncase 3.2",
                '\n  unclear halting "Does it end?":\n    reading yes "It does."\n    reading no_ "Not so."\n\ncase 3.2',
            )
        ],
        (
            "added",
            "unclear",
            "3.1",
            "halting",
            "",
            "",
            'unclear halting "Does it end?":\n  reading yes "It does."\n  reading no_ "Not so."',
        ),
    ),
    "house": (
        [("  table results", "  house table results")],
        ("amended", "provenance", "4", "results", "", "printed", "house"),
    ),
    "an example": (
        [('expect odds_of({"Red 1", "Red 2"}, @A3) = 1:1\n    dice 1', "dice 1")],
        ("amended", "example", "6", "odds", "line 4", 'expect odds_of({"Red 1", "Red 2"}, @A3) = 1:1', ""),
    ),
    "a term": ([("in_zone", "covered")], ("renamed", "definition", "2", "covered", "", "in_zone", "covered")),
    "a phase's name": (
        [("phase movement:", "phase march_phase:"), ("during movement", "during march_phase")],
        ("renamed", "sequence term", "5", "march_phase", "", "movement", "march_phase"),
    ),
    "a unit's name": ([("Blue 2", "Blue 7")], ("renamed", "unit", "1", "Blue 7", "", "Blue 2", "Blue 7")),
    "a declaration in another case": (
        [
            ("  mark fought of unit until end of side_turn\n", ""),
            ("  mark moved", "  mark fought of unit until end of side_turn\n  mark moved"),
        ],
        ("moved", "mark", "3", "fought", "", "4", "3"),
    ),
    "a condition of a block": (
        [("  stop march when in_zone", "  under phasing = red:\n    stop march when in_zone")],
        ("amended", "stop", "3.1", "march", "under", "", "phasing = red"),
    ),
    "a contribution": (
        [
            ("  define enemy", "  gather worth(u: unit) -> number: u.strength\n  define enemy"),
            ("\n\ncase 3.2", "\n  add to worth: 1 when u.side = red\n\ncase 3.2"),
        ],
        None,
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_change_is_one_small_fact(name, tmp_path):
    swaps, expected = KINDS[name]
    found = changed(tmp_path, *swaps)
    if expected is not None:
        assert one(found) == expected
    else:
        assert [(f.kind, f.element) for f in found] == [("added", "definition"), ("added", "contribution")]


def test_a_case_that_comes_or_goes_is_a_fact_beside_what_it_declares(tmp_path):
    found = changed(tmp_path, ("case 4 ", 'case 3.3 "Fog":\n  forbid march when false\n\ncase 4 '))
    assert [(f.kind, f.element, f.case) for f in found] == [("added", "case", "3.3"), ("added", "prohibition", "3.3")]


def test_where_the_triggers_of_one_event_stand_in_the_text_is_no_fact_but_their_cases_are(tmp_path):
    base = tmp_path / "base.rules"
    extra = (
        'case 7.1 "First":\n  on start of combat: log "one"\n\ncase 7.2 "Second":\n  on start of combat: log "two"\n'
    )
    turned = (
        'case 7.2 "Second":\n  on start of combat: log "two"\n\ncase 7.1 "First":\n  on start of combat: log "one"\n'
    )
    base.write_text(TEXT + "\n" + extra)
    assert changed(tmp_path, text=TEXT + "\n" + turned, base=base) == []
    later = extra.replace('on start of combat: log "one"', 'on start of combat after 7.2: log "one"')
    found = changed(tmp_path, text=TEXT + "\n" + later, base=base)
    assert [(f.kind, f.element, f.case, f.where) for f in found if f.kind == "moved"] == [
        ("moved", "trigger", "7.2", "order")
    ]


def test_ids_and_order_are_the_same_under_every_hash_seed(tmp_path):
    path = tmp_path / "other.rules"
    text = TEXT.replace("budget: 3", "budget: 5").replace("| 4-6 | A   | D   |", "| 4-6 | D   | A   |")
    path.write_text(text.replace("Red 2 @A2", "Red 2 @A3, Red 9, Red 8").replace("in_zone", "covered"))
    code = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"
    said = set()
    for seed in ("0", "77"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code, "diff", str(BOOK), str(path), "--format", "json"]
        said.add(subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout)
    assert len(said) == 1
    assert len(set(re.findall(r'"id": "(f\w+)"', said.pop()))) >= 5


def test_an_overlay_is_told_as_what_it_changes(tmp_path):
    path = tmp_path / "skirmish.rules"
    path.write_text(
        TEXT
        + '\noption mud of skirmish "Mud":\n  case 9.1 "Mud":\n    amend 3 march: 3 becomes 2\n    strike 3.1\n'
        + "    forbid move when u.strength > 8\n"
    )
    found = facts(analyse(str(path)), analyse(f"{path}+mud"))
    assert [(f.kind, f.element, f.case) for f in found] == [
        ("amended", "route", "3"),
        ("struck", "stop", "3.1"),
        ("added", "prohibition", "9.1"),
    ]
    assert [[i.case for i in f.items] for f in found] == [["9.1"], ["9.1"], ["9.1"]]


# ---------------------------------------------------------------- heads of overlays

SHEETS = """
option night of skirmish "Night":
  source: the first edition
  case N.1 "Dark":
    define dark -> flag: true

option fog of skirmish:
  case N.2 "Fog":
    define foggy -> flag: true

errata sheet of skirmish "Corrections":
  source: a letter
  date: 1 Apr 1816
  requires: night
  case E.1 "Budget":
    amend 3 march.budget: 3 becomes 4
"""


def sheets(folder, *swaps):
    text = (Path(__file__).parent.parent / "books" / "skirmish.rules").read_text() + SHEETS
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new)
    folder.mkdir()
    path = folder / "skirmish.rules"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("old", "new", "kind", "where", "before", "after"),
    [
        ("  source: a letter\n", "  source: a second letter\n", "amended", "source", "a letter", "a second letter"),
        ("  date: 1 Apr 1816\n", "  date: 2 Apr 1816\n", "amended", "date", "1816-04-01", "1816-04-02"),
        ("  requires: night\n", "", "struck", "requires", "night", ""),
        ("  requires: night\n", "  requires: night, fog\n", "amended", "requires", "night", "fog, night"),
        ("  requires: night\n", "  requires: night\n  excludes: fog\n", "added", "excludes", "", "fog"),
        ("  date: 1 Apr", "  nature: change\n  date: 1 Apr", "amended", "kind", "correction", "change"),
    ],
)
def test_a_head_that_changed_is_a_fact(tmp_path, old, new, kind, where, before, after):
    a, b = analyse(sheets(tmp_path / "a")), analyse(sheets(tmp_path / "b", (old, new)))
    assert not a.report.failed and not b.report.failed
    found = facts(a, b)
    assert [(f.kind, f.element, f.case, f.name, f.where, f.before, f.after) for f in found] == [
        (kind, "overlay", "E.1", "sheet", where, before, after)
    ]
    assert all(line.endswith(f":{b.overlays['sheet'].span.line}") for line in found[0].lines)
    made = diff(a, b, examples=False)
    assert made.judgements == [] and len(made.facts) == 1


def test_the_same_head_in_another_form_is_no_fact(tmp_path):
    swaps = [
        ("  date: 1 Apr 1816", "  date: Apr 1816"),
        ("  source: a letter", "  nature: correction\n  source: a  letter"),
    ]
    swaps.append(("  requires: night", "  requires: fog, night"))
    a = analyse(sheets(tmp_path / "a", ("  requires: night", "  requires: night , fog")))
    b = analyse(sheets(tmp_path / "b", *swaps))
    assert [f for f in facts(a, b) if f.where != "source"] == []


def test_heads_are_told_for_rule_sets_in_which_they_are_in_force(tmp_path):
    a = analyse(sheets(tmp_path / "a") + "+night+sheet")
    b = analyse(
        sheets(tmp_path / "b", ("3 becomes 4", "3 becomes 5"), ("source: a letter", "source: none")) + "+night+sheet"
    )
    assert {(f.element, f.where) for f in facts(a, b)} == {("overlay", "source"), ("route", "budget")}
