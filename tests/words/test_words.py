"""The rules in words: everything is said, nothing is left as code, and a phrase is used as it is written."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler.core import nodes as c
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.words.cases import by_case, declared, said_of, sentences
from rulewright.compiler.words.english import Noun, is_plural, listed, plural, verb_phrase
from rulewright.compiler.words.examples import said_example
from rulewright.compiler.words.expressions import Words
from rulewright.compiler.words.phrases import Phrase, phrases_of
from rulewright.compiler.words.said import plain

BOOKS = ("trc", "tdv", "fite", "fragment", "ocs", "caseblue")
ROOT = Path(__file__).parents[2]
EVERY_FORM = Path(__file__).parents[1] / "diagnostics" / "every_form.rules"
CODE = re.compile(r"[_@{}<>=\[\]]|->|\bit\.\w|\w\(\w+[,)]")
"""What only text for the compiler has: joined names, signs, calls."""


@cache
def book(name: str) -> c.Book:
    found = analyse(name).book
    assert found is not None
    return found


@pytest.mark.parametrize("name", [*BOOKS, str(EVERY_FORM)])
def test_every_declaration_is_said_and_nothing_is_left_as_code(name: str) -> None:
    rules = book(name)
    words = Words(rules, phrases_of(rules))
    for span, declaration in declared(rules):
        said = said_of(words, declaration)
        where = f"{span.file}:{span.line}"
        assert said, where
        for sentence in (s for top in said for s in top.walk()):
            assert sentence.text and sentence.text[-1] in ".:!?)", (where, sentence.text)
            assert not CODE.search(unquoted(sentence.text)), (where, sentence.text)


def unquoted(text: str) -> str:
    """Without the braces of a book's own log lines and names in brackets."""
    text = re.sub(r"(log says “[^”]*)\{(\w+)\}", r"\1\2", text)
    return re.sub(r"\([A-Za-z0-9./+\- ]+\)", "", text)


@pytest.mark.parametrize("name", BOOKS)
def test_the_share_of_own_phrases_is_as_the_page_says(name: str) -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    from phrase_share import row

    page = (ROOT / "docs" / "edition.md").read_text(encoding="utf-8")
    assert row(name, book(name)) in page, "python tools/phrase_share.py"


@pytest.mark.parametrize("name", BOOKS)
def test_the_same_rules_give_the_same_words(name: str) -> None:
    assert by_case(book(name)) == by_case(book(name))


def said(text: str, case: str, tmp_path: Path) -> list[str]:
    path = tmp_path / "words.rules"
    path.write_text(text, encoding="utf-8")
    return plain(by_case(book(str(path)))[case])


SMALL = """book small "Small"

case 1 "Pieces":
  kind side: red, blue
  kind arm: foot, partisan
  field strength of unit: number
  field arm of unit: arm
  map field:
    grid: rows A..C, columns from the east
    hexes: A1..A6, B1..B6, C1..C6
  roster all:
    form: strength arm side
    4 foot red: Guard @B1
    2 partisan blue: Scout @B6

case 2 "Zone of control":
  define zone(u: unit) -> set of hex: {u.hex} + neighbors(u.hex)
  words en:
    zone: the zone of control of {u}

case 3 "Partisans":
  except 2 zone: {u.hex} when u.arm = partisan

case 4 "Threat":
  define threatens(u: unit, h: hex) -> flag: h in zone(u) and not u.arm = partisan
"""


def test_a_definition_and_its_exception(tmp_path: Path) -> None:
    assert said(SMALL, "2", tmp_path) == [
        "The zone of control of a unit consists of the unit's hex and the hexes next to the unit's hex.",
        "- Except (3): if the unit's arm is partisan: the unit's hex.",
    ]
    assert said(SMALL, "3", tmp_path) == [
        "For the zone of control of a unit (2): if the unit's arm is partisan: the unit's hex.",
    ]


MORE = (
    SMALL
    + """
case 5 "Marks and bans":
  mark tired of unit
  mark weather of game: number = 0
  define strong(us: set of unit) -> number: sum(threat(it) over us)
  define threat(u: unit) -> number: u.strength
  define steady(u: unit) -> flag: true
  except 5 steady: false when u.tired
  route march(u: unit):
    over: land
    from: u.hex
    budget: 2
    enter: 1
    forbid as enemy_there when any units_at(there) where it.side != u.side
  action strike(hs: set of hex from hexes, us: set of unit from units(red)) by red during battle:
    when every us as a has every hs as h has adjacent(a.hex, h)
    log "{us} strike"
  words en:
    strike: strike at {hs} with {us}
    unit.tired: {it} is tired

case 6 "Scouts":
  waive 5 enemy_there when u.arm = partisan
  sequence play:
    phase battle:
      offer red: strike
  scenario first:
    sequence: play
  example "a scout passes":
    given "Scout" at @B2, "Guard" at @B1
    given during battle
    given "Guard".tired = true
    expect strong({"Scout", "Guard"}) = 6 and not steady("Guard")
    legal red: strike({@B2}, {"Guard"})
    refused red: strike({@A6}, {"Guard"}) by 5
    play red: strike({@B2}, {"Guard"})
    play red: done
"""
)


def test_marks_sums_quantifiers_and_agreement(tmp_path: Path) -> None:
    found = said(MORE, "5", tmp_path)
    assert "Kept for each unit: whether it is tired." in found
    assert "Kept for the game: the weather." in found
    assert "The strong of units is the sum of the threat of each of the units." in found
    at = found.index("As a rule, a unit is steady.")
    assert found[at + 1] == "- Except (5): not if the unit is tired."
    ban = "- (5) Only if for each of the units and each of the hexes, that unit's hex is next to that hex."
    assert ban in found and "In the battle phase, Red may strike at hexes with units:" in found


def test_a_waiver_says_what_it_sets_aside(tmp_path: Path) -> None:
    assert said(MORE, "6", tmp_path)[-1] == (
        "For “march” for a unit (5): “A step is barred if there are units in the hex entered whose side is not the "
        "unit's side” (5) does not count if the unit's arm is partisan."
    )


def test_without_the_diary_nothing_of_the_log_is_said(tmp_path: Path) -> None:
    path = tmp_path / "words.rules"
    path.write_text(MORE, encoding="utf-8")
    for diary in (True, False):
        found = sentences(book(str(path)), diary=diary)["5"]
        lines = [line for one in found.own for line in plain(one.said)]
        assert any("log says" in line for line in lines) == diary


def test_an_example_is_told_with_its_position_and_its_picture(tmp_path: Path) -> None:
    path = tmp_path / "words.rules"
    path.write_text(MORE, encoding="utf-8")
    rules = book(str(path))
    found = said_example(Words(rules, phrases_of(rules)), rules.examples[0])
    assert found.given == "Scout is in B2 and Guard in B1. It is the battle phase. Guard is tired."
    assert found.then == (
        "The strong of Scout and Guard is 6 and Guard is not steady.",
        "Red may strike at B2 with Guard.",
        "Red may not strike at A6 with Guard (5).",
        "Red: strike at B2 with Guard.",
        "Red is done.",
    )
    assert found.units == {"B2": ["Scout"], "B1": ["Guard"]} and found.others == ("A6",)


@pytest.mark.parametrize("name", [*BOOKS, str(EVERY_FORM)])
def test_every_example_is_told_and_nothing_is_left_as_code(name: str) -> None:
    rules = book(name)
    words = Words(rules, phrases_of(rules))
    for x in rules.examples:
        found = said_example(words, x)
        for text in (found.given, *found.then):
            assert not CODE.search(unquoted(text)), (x.case, x.title, text)


def test_a_property_of_a_member_is_told_with_whose(tmp_path: Path) -> None:
    more = (
        SMALL
        + """
case 5 "Mighty":
  define might(u: unit) -> number: u.strength
  define mighty(s: side) -> set of unit: units(s) where might(it) > 3
  words en:
    might: the might of {u}
"""
    )
    assert said(more, "5", tmp_path)[1].endswith(
        "consists of the units of the side on the map whose might is more than 3."
    )


def test_a_flag_is_a_clause_that_can_be_denied(tmp_path: Path) -> None:
    assert said(SMALL, "4", tmp_path) == [
        "A unit threatens a hex if the hex is among the zone of control of the unit and the unit's arm is not partisan."
    ]


def test_another_language_stands_beside_the_first(tmp_path: Path) -> None:
    more = SMALL + "  words de:\n    zone: die Kontrollzone von {u}\n"
    path = tmp_path / "words.rules"
    path.write_text(more, encoding="utf-8")
    assert "Die Kontrollzone von a unit" in plain(by_case(book(str(path)), "de")["2"])[0]
    assert "the zone of control" in plain(by_case(book(str(path)), "en")["2"])[0].lower()


@pytest.mark.parametrize(
    ("verb", "many", "positive", "made"),
    [
        ("is in supply", False, False, "is not in supply"),
        ("has moved", True, True, "have moved"),
        ("can move", False, False, "cannot move"),
        ("counts for stacking", True, False, "do not count for stacking"),
        ("reaches it", True, True, "reach it"),
        ("carries it", False, False, "does not carry it"),
        ("lies on a line", True, True, "lie on a line"),
        ("has a garrison in it", False, False, "does not have a garrison in it"),
        ("had the railroad", True, False, "did not have the railroad"),
    ],
)
def test_verbs(verb: str, many: bool, positive: bool, made: str) -> None:
    assert verb_phrase(verb, many, positive) == made


def test_the_number_of_a_phrase_is_that_of_its_first_noun() -> None:
    many = ("the odds of a battle", "the hexes that a zone reaches from a hex", "the ways off the map that are open")
    one = ("the zone of control of units", "the status", "the number of units", "the Axis", "the box of units")
    assert all(map(is_plural, many)) and not any(map(is_plural, one))


def test_lists_and_plurals() -> None:
    assert listed(["a", "b", "c"]) == "a, b and c" and listed(["a"]) == "a"
    assert [plural(x) for x in ("hex", "army", "unit", "key")] == ["hexes", "armies", "units", "keys"]


def test_an_overlay_may_strike_what_the_book_has_a_phrase_for(tmp_path: Path) -> None:
    rule = '\ncase 9 "March":\n  route way(u: unit):\n    from: u.hex\n    budget: 1\n    enter: 1\n'
    ban = "    forbid as own when any units_at(there)\n"
    over = '{kind} bare of small "Bare":\n  case V.1 "No ban":\n    strike 9 no_own\n'
    path, more = tmp_path / "small.rules", tmp_path / "bare.rules"
    text = SMALL + rule + ban + "  forbid way as no_own when u.strength = 0\n"
    path.write_text(text + "  words en:\n    way.no_own: {u} is spent\n", encoding="utf-8")
    more.write_text(over.format(kind="variant"), encoding="utf-8")
    assert not analyse(str(path)).report.failed
    assert not analyse(f"{path}+{more}").report.failed
    more.write_text(over.format(kind="variant") + "    words en:\n      way.no_own: {u} is weak\n", encoding="utf-8")
    found = analyse(f"{path}+{more}").report.found
    assert [d.code for d in found if d.code == "RW138"] == ["RW138"]


def test_a_parameter_may_have_a_noun(tmp_path: Path) -> None:
    text = """
case 5 "Falling back":
  define far(u: unit, least: number) -> flag: u.strength > least
  words en:
    far: {u} can fall back by at least {least}
    far.least: given distance
"""
    assert said(SMALL + text, "5", tmp_path) == [
        "A unit can fall back by at least a given distance if the unit's strength is more than the given distance."
    ]


SCOPE = """
case 5 "Scope":
  mark pinned of unit
  mark aim of unit: hex or nowhere
  define town(h: hex) -> flag: h in {@A1, @A2}
  define city(h: hex) -> flag: h in {@A3}
  define held(s: side, h: hex) -> flag: any units_at(h) where it.side = s
  define shut(s: side, h: hex) -> flag: (town(h) or city(h)) and held(s, h)
  define free(s: side, h: hex) -> flag: not held(s, h) or town(h) and city(h)
  define safe(s: side) -> flag: (every {@A1, @A2} as h has held(s, h)) and any units(s)
  define both(s: side) -> flag: no {red, blue} where mighty(it)
  define mighty(s: side) -> flag: any units(s) where must_fight(it)
  define must_fight(u: unit) -> flag: u.strength > 3
  define idle(s: side) -> set of unit: units(s) where not must_fight(it)
  define weak_ones(s: side) -> set of unit: (units(s) + units_at(@B1)) where it.strength < 3
  define near(u: unit) -> set of hex: neighbors(u.hex) where
      no neighbors(u.hex) as g where distance(g, @A1) < distance(it, @A1)
  define far(us: set of unit) -> flag: {@A1, @B1} - {@B1, @C1} = {}
  define price(us: set of unit) -> number: sum(2 over us where it.pinned)
  define lazy(u: unit) -> flag: false
  except 5 lazy: true when u.pinned
  define full(s: side) -> set of hex: hexes where (any units_at(it) as u where u.side = s) and town(it)
  procedure calm(us: set of unit, lost: unit):
    clear us.pinned
    set us.aim = @A1
    put lost in @A1
  words en:
    town: {h} is a town
    city: {h} is a city
    held: {s} holds {h}
    mighty: {s} is mighty
    must_fight: {u} must fight
    lazy: {u} avoids its duty
    unit.pinned: {it} is pinned
    unit.aim: target
    calm: {us} calm down beside {lost}
  example "it compiles":
    expect not far({"Guard"})
"""


def test_no_part_of_a_sentence_seems_to_be_of_another(tmp_path: Path) -> None:
    found = said(SMALL + SCOPE, "5", tmp_path)
    for sentence in (
        # `or` stands last in a chain of `and`, and `and` in a chain of `or` behind a comma
        "“shut” is so for a side and a hex if the side holds the hex and either the hex is a town or the hex is a city.",
        "“free” is so for a side and a hex if either the side does not hold the hex, or the hex is a town and the hex is "
        "a city.",
        # what is said of each of several stands last too
        "A side is safe if there are units of the side on the map and for each of A1 and A2, the side holds it.",
        "A side is both if none of Red and Blue is mighty.",
        # who does not have to is not forbidden to
        "The idle of a side consists of the units of the side on the map that need not fight.",
        # a condition on a union is about both
        "The weak ones of a side are those of the units of the side on the map and the units in B1 whose strength is less "
        "than 3.",
        "The near of a unit consists of the hexes next to the unit's hex for which the distance from it to A1 is least.",
        "Units are far if each of A1 and B1 is among B1 and C1.",
        "The price of units is 2 for each of the units that are pinned.",
        "As a rule, a unit does not avoid its duty.",
        "The full of a side consists of the hexes of the map that are towns and that hold units whose side is the side.",
        # the phrase of a mark is used wherever it is set, of one thing or of many
        "- The units are no longer pinned.",
        "- The units' target becomes A1.",
        "- Put the lost unit in A1.",
    ):
        assert sentence in found, (sentence, found)


def test_what_several_things_are_is_plural() -> None:
    assert verb_phrase("is a combat unit", True, True) == "are combat units"
    assert verb_phrase("is an army of the line", True, False) == "are not armies of the line"
    assert verb_phrase("are called up", False, True) == "is called up"
    assert verb_phrase("must attack", True, False) == "need not attack"
    assert verb_phrase("began the turn", False, False) == "did not begin the turn"


def test_what_another_case_does_instead_of_an_action_is_said(tmp_path: Path) -> None:
    more = (
        MORE
        + """
case 7 "Ruses":
  except 5 strike when any us where it.arm = partisan:
    log "a ruse"
    do usual
"""
    )
    said_there = "Except (7) if the arm of at least one of the units is partisan:"
    assert f"- {said_there}" in said(more, "5", tmp_path)
    assert said(more, "7", tmp_path)[0] == (
        "For “strike at hexes with units” (5): if the arm of at least one of the units is partisan:"
    )


def test_a_box_takes_whose_it_is_as_its_owner() -> None:
    box = Phrase("the {it} dead pile")
    assert box.fill({"it": Noun("Axis")}) == "the Axis dead pile"
    assert box.fill({"it": Noun("phasing side", "the")}) == "the phasing side's dead pile"


def test_a_gathered_set_says_what_it_begins_with(tmp_path: Path) -> None:
    more = (
        SMALL
        + """
case 5 "Goals":
  gather goals -> set of hex: {@A1}
  gather prizes -> set of hex: {}
  add to goals: {@A2}
  add to prizes: {@A3}
"""
    )
    assert said(more, "5", tmp_path) == [
        "The goals are A1.",
        "- (5) Add A2.",
        "The prizes are put together as follows:",
        "- (5) Add A3.",
    ]


NAMED = """book named "Named"

case 1 "Pieces":
  kind side: red, blue
  kind arm: foot, horse, guns, staff
  field strength of unit: number
  field arm of unit: arm
  mark fed of unit
  mark order of unit: arm = foot
  map field:
    grid: rows A..C, columns from the east
    hexes: A1..A6, B1..B6, C1..C6
  pool reserve
  roster all:
    form: strength arm side
    4 foot red: Guard @B1
    2 horse blue: Scout @B6
    1 foot red: Depot @reserve
  words en:
    unit.order: the order on {it}
    reserve: the reserve
    unit.fed: {it} has food

case 2 "Many and one":
  define weak(us: set of unit) -> flag: any us where it.strength < 2
  define hungry(us: set of unit) -> flag: any us where not it.fed
  define few(us: set of unit) -> number: count(us where it.strength < 2)
  define ordered -> set of unit: all_units where it.order = foot
  define at_a_side(e: hexside) -> flag: any sides_of(e) where it = @A1
  define close(us: set of unit) -> flag: every us as a has every us as b has adjacent(a.hex, b.hex)
  procedure raise_men(h: hex, n: number):
    repeat at most n + 1:
      make v from reserve in h
      failing:
        log "Nobody is left"
    if n > 3: log "many"
    else if n > 2: log "some"
    for each k in arm: log "The {k} come"
  procedure raise_two(h: hex, m: number):
    do raise_men(h, m * 2 + 1)
  words en:
    weak: {us} are weak
    raise_men: {n} men come to {h}
    raise_two: twice {m} men come to {h}
"""


def test_what_was_named_is_not_said_of_all(tmp_path: Path) -> None:
    """`any us` is about the units given, `sides_of` about one of two, two quantifiers over one set about two members."""
    found = said(NAMED, "2", tmp_path)
    assert "Units are weak if the strength of at least one of the units is less than 2." in found
    assert "Units are hungry if at least one of the units does not have food." in found
    assert "The few of units is the number of the units whose strength is less than 2." in found
    assert "The ordered consists of the units on the map on which the order is foot." in found
    assert any(x.endswith("at least one of the two hexes at the hexside is A1.") for x in found), found
    close = next(x for x in found if x.startswith("Units are close"))
    assert close == (
        "Units are close if for each of the units (a) and each of the units (b), unit a's hex is next to unit b's hex."
    )


def test_numbers_turns_and_counters_are_said_as_a_reader_would(tmp_path: Path) -> None:
    found = said(NAMED, "2", tmp_path)
    at = found.index("A number of men come to a hex:")
    assert found[at + 1 : at + 9] == [
        "- As many times as the number plus 1:",
        "  - Put the next counter of the reserve in the hex, if there is one.",
        "  - If there is none:",
        "    - The log says “Nobody is left”.",
        "- If the number is more than 3:",
        "  - The log says “many”.",
        "- Otherwise, if the number is more than 2, the log says “some”.",
        "- For each of the arms:",
    ]
    assert found[-1] == "- (twice the number plus 1) men come to the hex."


def test_what_a_refusal_says_of_a_need_is_told_apart_from_the_need(tmp_path: Path) -> None:
    """The words of a refusal say the contrary of the condition beside which they stand."""
    text = MORE.replace(
        "    when every us as a has every hs",
        "    when as awake: no us where it.tired\n    when every us as a has every hs",
    ).replace("    strike: strike at", "    strike.awake: somebody is tired\n    strike: strike at")
    lines = [x for x in said(text, "5", tmp_path) if "somebody is tired" in x]
    assert len(lines) == 1 and "Only if" in lines[0] and "(if not: “somebody is tired”)" in lines[0], lines
