"""Amendments hit what they name, or nothing: parts, numbers, what falls with what goes, set-ups, hexsides, dates."""

from pathlib import Path

import pytest

from rulewright.compiler.core.digest import core_form
from rulewright.compiler.pipeline import Compiled, analyse

BOOK = """book small "Small"
case 1 "Pieces":
  kind side: red, blue
  field river of hexside: flag
  field strength of unit: number
  map board:
    grid: rows A..C, columns 1..9 from the west
    hexes: A1..A9, B1..B9, C1..C9
    name Fort: A5
    sides river: A1/A2
  roster armies:
    form: strength side
    3 red: Hammer @A1, Anvil @A2
    4 blue: Tongs @A3
case 2 "Prices":
  define woods_price -> number: 3
  define rate -> number: 1/2
  define loss -> number: -2
case 6 "March":
  route march(u: unit):
    from: u.hex
    budget: 3
    enter:
      1/2 when u.side = red
      woods_price otherwise
    forbid as own when u.strength = 3
  action move(u: unit from units(red), p: path from march(u)) by red during turn:
    when u.strength >= 3
    let spent = 3
    walk u along p
case 7 "Bans":
  forbid march as blocked when any units_at(there) where it.side != u.side
  stop march as stopped when any units_at(there)
case 8 "Blue moves freely":
  waive 7 blocked when u.side = blue
  except 6 march.budget: 5 when u.side = blue
case 11 "The game":
  sequence game:
    phase turn for nr in [1, 2]:
      offer red: move
  scenario first:
    sequence: game
  scenario second:
    sequence: game
    units:
      B1: Hammer, Anvil
      Fort: Tongs
"""


def made(tmp_path: Path, *lines: str, head: str = "", stack: str = "+v") -> Compiled:
    body = "\n".join(f"    {line}" for line in lines)
    text = f'{BOOK}\nvariant v of small "V":\n{head}  case V.1 "It":\n{body}\n'
    (tmp_path / "small.rules").write_text(text)
    return analyse(f"{tmp_path / 'small.rules'}{stack}")


def codes(compiled: Compiled) -> list[str]:
    return [d.code for d in compiled.report.found if d.severity == "error"]


def said(compiled: Compiled) -> str:
    return "\n".join(
        "\n".join((d.message, *d.notes, d.help or "")) for d in compiled.report.found if d.severity == "error"
    )


def changed(tmp_path: Path, *lines: str) -> set[tuple[str, str]]:
    """What of the core differs, by part of the book and name."""
    after = made(tmp_path, *lines)
    assert not codes(after), said(after)
    before = analyse(str(tmp_path / "small.rules"))
    assert before.book is not None and after.book is not None
    one, other = core_form(before.book), core_form(after.book)
    found = set()
    for part in one:
        if one[part] != other[part]:
            left, right = dict(one[part]), dict(other[part])
            found |= {(part, str(k)) for k in {**left, **right} if left.get(k) != right.get(k)}
    return found


PARTS = {
    "march.budget: 3 becomes 4": {("definitions", "march.budget")},
    "march.enter: 1/2 becomes 1/4": {("definitions", "march.enter")},
    "march.enter: woods_price becomes 2": {("definitions", "march.enter")},
    "march.otherwise: woods_price becomes 2": {("definitions", "march.enter")},
    "march.from: u.hex becomes @A1": {("definitions", "march.from")},
    "march.own: 3 becomes 4": {("routes", "march")},
    "move.when: 3 becomes 4": {("actions", "move")},
    "move.by: red becomes blue": {("actions", "move")},
    "move.u: red becomes blue": {("actions", "move")},
    "move.spent: 3 becomes 4": {("actions", "move")},
    "move.body: 3 becomes 4": {("actions", "move")},
}


@pytest.mark.parametrize("line", PARTS)
def test_only_the_named_part_changes(tmp_path: Path, line: str) -> None:
    assert changed(tmp_path, f"amend 6 {line}") == PARTS[line]


MISSES = {
    "amend 6 march.budget: woods_price becomes 5": ("RW402", "there stands: budget: 3"),
    "amend 6 march.enter: 2 becomes 4": ("RW402", "1 / 2 when u.side = red"),
    "amend 6 march.cross: 2 becomes 4": ("RW401", 'has no part "cross"'),
    "amend 2 rate: 2 becomes 4": ("RW402", "1 / 2"),
    "amend 2 loss: 2 becomes 3": ("RW402", "-2"),
    "amend 6 move.when: 4 becomes 5": ("RW402", "u.strength >= 3"),
    "amend 8 march.enter: 5 becomes 6": ("RW401", "its parts: budget"),
}


@pytest.mark.parametrize("line", MISSES)
def test_a_miss_is_refused_with_what_stands_there(tmp_path: Path, line: str) -> None:
    after = made(tmp_path, line)
    code, text = MISSES[line]
    assert codes(after) == [code]
    assert text in said(after)


def test_an_exception_to_a_part_is_found_by_that_part(tmp_path: Path) -> None:
    assert changed(tmp_path, "amend 8 march.budget: 5 becomes 6") == {("definitions", "march.budget")}


def test_a_struck_declaration_names_the_rules_that_fall(tmp_path: Path) -> None:
    after = made(tmp_path, "strike 7 blocked")
    assert codes(after) == ["RW407"]
    assert "8 waive 7 blocked" in said(after) and "strike 7 blocked dropping 8" in said(after)
    assert not codes(made(tmp_path, "strike 7 blocked dropping 8"))


def test_rules_that_the_overlay_strikes_itself_are_no_matter(tmp_path: Path) -> None:
    assert codes(made(tmp_path, "strike 7 blocked", "strike 8")) == []


def test_a_case_that_does_not_fall_cannot_be_dropped(tmp_path: Path) -> None:
    after = made(tmp_path, "strike 7 blocked dropping 8, 6")
    assert codes(after) == ["RW401"] and "no rule of case 6 falls with 7 blocked" in said(after)


def test_a_label_names_one_rule_of_several(tmp_path: Path) -> None:
    bans = '\ncase 9 "Two bans":\n' + "".join(f"  forbid {x} as weak when u.strength = 9\n" for x in ("move", "march"))
    path = tmp_path / "small.rules"

    def after(line: str) -> Compiled:
        path.write_text(f'{BOOK}{bans}\nvariant v of small "V":\n  case V.1 "X":\n    {line}\n', encoding="utf-8")
        return analyse(f"{path}+v")

    both = after("strike 9 weak")
    assert codes(both) == ["RW401"]
    assert "9 forbid move as weak (move.weak), 9 forbid march as weak (march.weak)" in said(both)
    assert codes(after("strike 9 move.strong")) == ["RW401"]
    one = after("strike 9 move.weak")
    assert not codes(one) and one.book is not None
    assert "weak" not in {r.label for r in one.book.actions["move"].rules}
    assert "weak" in {r.label for r in one.book.routes["march"].rules}


NEW = ("  route march({}: unit):", "    from: {}.hex", "    budget: 4", "    enter: 1")


def test_the_same_signature_keeps_all_rules(tmp_path: Path) -> None:
    after = made(tmp_path, "replace 6 march:", *(x.format("u") for x in NEW))
    assert not codes(after), said(after)
    assert after.book is not None
    assert {r.label for r in after.book.routes["march"].rules} == {"blocked", "stopped"}


def test_another_signature_names_them(tmp_path: Path) -> None:
    after = made(tmp_path, "replace 6 march:", *(x.format("who") for x in NEW))
    assert codes(after) == ["RW407"]
    assert "7 forbid march as blocked" in said(after) and "8 except 6 march.budget" in said(after)
    assert "replace 6 march dropping 7, 8: …" in said(after)
    dropped = made(tmp_path, "replace 6 march dropping 7, 8:", *(x.format("who") for x in NEW))
    assert not codes(dropped), said(dropped)
    assert dropped.book is not None and dropped.book.routes["march"].rules == ()


def test_a_case_is_not_moved_onto_another(tmp_path: Path) -> None:
    after = made(tmp_path, "move 6 to 7")
    assert codes(after) == ["RW401"] and "7 forbid march as blocked" in said(after)
    assert codes(made(tmp_path, "move 6 to 6.1")) == []


def test_one_hex_of_a_set_up_is_corrected_in_a_line(tmp_path: Path) -> None:
    lines = ('amend "Hammer".hex: @A1 becomes @A9', 'amend "Tongs".hex in second: Fort becomes @C1')
    after = made(tmp_path, *lines)
    assert not codes(after), said(after)
    assert after.book is not None
    assert after.book.scenarios["first"].units == {"Anvil": "A2", "Hammer": "A9", "Tongs": "A3"}
    assert after.book.scenarios["second"].units == {"Anvil": "B1", "Hammer": "B1", "Tongs": "C1"}
    gone = made(tmp_path, 'amend "Tongs".hex in second: Fort becomes nowhere')
    assert gone.book is not None and "Tongs" not in gone.book.scenarios["second"].units


SET_UPS = {
    'amend "Hammer".hex: @A2 becomes @A9': ("RW402", "what is printed there is @A1"),
    'amend "Tongs".hex in second: @A3 becomes @A9': ("RW402", "what is printed there is @A5"),
    'amend "Tongs".hex in third: @A3 becomes @A9': ("RW401", 'there is no scenario "third"'),
    'amend "Tongs".strength in second: 4 becomes 5': ("RW401", "a scenario says where a unit is"),
    'amend "Tongs".hex: @A3 becomes @Z9': ("RW132", 'there is no place "Z9"'),
    'amend "Tong".hex: @A3 becomes @A9': ("RW401", "Tongs"),
    "amend @A1/A2.river: no becomes yes": ("RW402", "what is printed there is yes"),
    "amend @A1/A9.river: no becomes yes": ("RW401", "A1 and A9 do not touch"),
    "amend @A1/A2.road: no becomes yes": ("RW401", "river"),
}


@pytest.mark.parametrize("line", SET_UPS)
def test_a_printed_value_that_is_not_there_is_refused(tmp_path: Path, line: str) -> None:
    after = made(tmp_path, line)
    code, text = SET_UPS[line]
    assert codes(after) == [code]
    assert text in said(after)


def test_a_hexside_is_amended(tmp_path: Path) -> None:
    after = made(tmp_path, "amend @A1/A2.river: yes becomes no", "amend @A3/A2.river: no becomes yes")
    assert not codes(after), said(after)
    assert after.book is not None and after.book.map is not None
    assert after.book.map.sides["river"] == (("A2", "A3"),)


@pytest.mark.parametrize(
    ("head", "code", "text"),
    [
        ("  date: 31 Feb 1977\n", "RW123", "1976-04-01"),
        ("  date: 1977-13-01\n", "RW123", "is no date"),
        ("  supersedes: nosuch\n", "RW404", "no overlay nosuch of small"),
        ("  after: nosuch\n", "RW404", "no overlay nosuch of small"),
    ],
)
def test_a_head_that_names_nothing_is_diagnosed(tmp_path: Path, head: str, code: str, text: str) -> None:
    after = made(tmp_path, "amend 6 march.budget: 3 becomes 4", head=head)
    assert codes(after) == [code]
    assert text in said(after)


@pytest.mark.parametrize("date", ["1 Jan 1977", "Jan 1977", "1977", "1977-01", "1977-01-01"])
def test_one_reader_of_dates_for_heads_and_rule_sets(tmp_path: Path, date: str) -> None:
    for asked, number in ((date, 4), ("1976-12-31", 3), ("31 Dec 1976", 3), ("2 Jan 1977", 4)):
        text = (
            f'{BOOK}\nerrata v of small "V":\n  date: {date}\n  case V.1 "It":\n    amend 6 march.budget: 3 becomes 4\n'
        )
        (tmp_path / "small.rules").write_text(text)
        after = analyse(f"{tmp_path / 'small.rules'}@{asked}")
        assert not codes(after), said(after)
        assert after.book is not None
        assert after.book.definitions["march.budget"].base.clauses[0].value.value == number  # type: ignore[union-attr]


def test_a_day_that_is_none_is_diagnosed(tmp_path: Path) -> None:
    after = made(tmp_path, "amend 6 march.budget: 3 becomes 4", stack="@1977-13-01")
    assert codes(after) == ["RW403"] and "is no date" in said(after)


def test_an_overlay_after_one_that_is_not_in_force_says_so(tmp_path: Path) -> None:
    first = "\nvariant first of small:\n  case F.1:\n    amend 6 march.budget: 3 becomes 5\n"
    (tmp_path / "first.rules").write_text(first)
    text = (
        f'{BOOK}{first}\nvariant v of small "V":\n  after: first\n  case V.1:\n    amend 6 march.budget: 5 becomes 6\n'
    )
    (tmp_path / "small.rules").write_text(text)
    after = analyse(f"{tmp_path / 'small.rules'}+v")
    assert codes(after) == ["RW402"] and "small+first+v" in said(after)
    assert codes(analyse(f"{tmp_path / 'small.rules'}+first+v")) == []


TURN = """book turn "Turn"

case 1 "Pieces":
  kind side: red, blue
  field strength of unit: number
  map field:
    grid: rows A..B, columns from the east
    hexes: A1..A4, B1..B4
  roster armies:
    form: strength side
    3 red: Red 1 @A1
    2 blue: Blue 1 @B4

case 2 "Marks":
  mark tired of unit until end of movement
  mark fresh of unit until end of weather

case 3 "Boxes":
  box dead

case 4 "Table":
  table hits(die: number) -> number:
    | 1-3 | 0 |
    | 4-6 | 1 |

case 5 "Play":
  sequence play:
    repeat at most 2:
      phase side_turn for phasing in [red, blue]:
        phase weather:
          do look()
        phase movement:
          offer phasing: rest
  procedure look():
    roll d = 1d6
    if hits(d) = 1: win red
  scenario battle:
    sequence: play

case 6 "Rest":
  action rest(u: unit from units(phasing)) by phasing during movement:
    set u.tired

case 7 "On the weather":
  on start of weather:
    for each u in units(phasing): set u.fresh

case 8 "Table, other":
  define weather_bad -> flag: false

case 9 "Dead":
  define gone -> number: count(units_in({dead}))

case 10 "Instead":
  except 5 look when weather_bad:
    win blue

case 11 "Remember":
  remember met(u: unit) -> flag at end of weather: u.tired

case 12 "Example":
  example "hits":
    expect hits(4) = 1
"""
SHORT = (
    "  sequence play:",
    "    repeat at most 2:",
    "      phase side_turn for phasing in [red, blue]:",
    "        phase movement:",
    "          offer phasing: rest",
)
FALLS = {
    "a table": (["strike 4 hits"], {"RW407": "12"}),
    "a table of another type": (
        ["replace 4 hits:", "  table hits(die: number) -> flag:", "    | 1-3 | false |", "    | 4-6 | true |"],
        {"RW407": "12"},
    ),
    "a table, and whoever looks it up": (["strike 4 hits dropping 12"], {"RW201": "5"}),
    "a mark": (["strike 2 tired"], {"RW213": "11", "RW220": "6"}),
    "a mark of another type": (
        ["replace 2 tired:", "  mark tired of unit: number = 0 until end of movement"],
        {"RW211": "11 6"},
    ),
    "a box": (["strike 3 dead"], {"RW201": "9"}),
    "a box with a key": (["replace 3 dead:", "  box dead(s: side)"], {"RW212": "9"}),
    "a sequence": (["strike 5 play"], {"RW407": "7"}),
    "a phase": (["replace 5 play:", *SHORT], {"RW407": "7"}),
    "a phase, and its trigger": (["replace 5 play dropping 7:", *SHORT], {"RW201": "2 11"}),
    "a phase, and all that names it": (
        ["replace 5 play dropping 7:", *SHORT, "strike 2 fresh", "strike 11"],
        {},
    ),
}


@pytest.mark.parametrize("name", FALLS)
def test_nothing_falls_unsaid_with_a_table_a_mark_a_box_a_sequence_or_a_phase(tmp_path: Path, name: str) -> None:
    lines, expected = FALLS[name]
    path = tmp_path / "turn.rules"
    overlay = '\nvariant v of turn "V":\n  case V.1 "X":\n' + "".join(f"    {x}\n" for x in lines)
    path.write_text(TURN + overlay, encoding="utf-8")
    assert not analyse(str(path)).report.failed
    found: dict[str, dict[str, None]] = {}
    for d in analyse(f"{path}+v").report.found:
        if d.severity == "error":
            told = [x.split()[0] for x in d.notes] if d.code == "RW407" else [d.case]
            found.setdefault(d.code, {}).update(dict.fromkeys(told))
    assert {code: " ".join(cases) for code, cases in found.items()} == expected
