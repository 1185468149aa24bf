"""Overlays: what each amendment does, what it may not do, and what overlays say of one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.diff.facts import compared
from rulewright.compiler.diff.fits import fits
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.runtime.telling.explain import explain, why

BASE = (Path(__file__).parent.parent / "books" / "skirmish.rules").read_text(encoding="utf-8")


def made(tmp_path: Path, overlays: str, stack: str, base: str = BASE) -> Compiled:
    path = tmp_path / "skirmish.rules"
    path.write_text(f"{base}\n{overlays}", encoding="utf-8")
    return analyse(f"{path}{stack}")


def codes(compiled: Compiled) -> list[str]:
    return [d.code for d in compiled.report.wrong]


def value(tmp_path: Path, overlays: str, stack: str, name: str, *args: object) -> object:
    path = tmp_path / "skirmish.rules"
    path.write_text(f"{BASE}\n{overlays}", encoding="utf-8")
    game = load(f"{path}{stack}").new("battle")
    return game.program.values[name][0](game.state, *args)


ROWS = {
    "replace row": ("replace row 4 results", "| 1-3 | A | A | D |", "| 1-3 | A | A | A |"),
    "replace cell": ("replace cell 4 results", "1-3 | 2:1: D becomes A"),
    "replace column": ("replace column 4 results", "| 2:1 | D | D |", "| 2:1 | A | D |"),
}


@pytest.mark.parametrize("lines", ROWS.values(), ids=ROWS)
def test_rows_columns_and_cells(tmp_path: Path, lines: tuple[str, ...]) -> None:
    head, *below = lines
    text = f"errata sheet of skirmish:\n  case E.1:\n    {head}:\n" + "".join(f"      {x}\n" for x in below)
    text += '    example "the cell":\n      expect results(2, 2:1) = "A" and results(2, 1:1) = "A" and results(5, 2:1) = "D"\n'
    base = BASE + '  example "the old cell":\n    expect results(2, 2:1) = "D"\n'
    compiled = made(tmp_path, text, "+sheet", base)
    assert codes(compiled) == [] and compiled.book is not None
    program = load(f"{tmp_path / 'skirmish.rules'}+sheet").program
    passed = {o.example.title: o.passed for o in run_examples(compiled.book, program)}
    assert passed == {"a zone stops a march": True, "odds": True, "the old cell": False, "the cell": True}


def test_lines_and_items_of_data(tmp_path: Path) -> None:
    text = """errata sheet of skirmish:
  case E.1:
    strike item 1 armies:
      3 red: Red 2 @A2
    insert item 1 armies:
      3 red: Red 3 @A3
      5 blue: Blue 3 @C5
    replace item 1 armies:
      4 blue: Blue 1 @D4 becomes Blue 1 @D3
    replace line 1 board:
      terrain woods: B2, B3
      terrain woods: B2
"""
    book = made(tmp_path, text, "+sheet", BASE.split("case 6")[0]).book
    assert book is not None
    assert {(u.name, u.start) for u in book.units} == {
        ("Red 1", "A1"), ("Red 3", "A3"), ("Blue 1", "D3"), ("Blue 2", "D5"), ("Blue 3", "C5"),
    }  # fmt: skip


def test_a_whole_declaration_is_replaced(tmp_path: Path) -> None:
    text = """variant open of skirmish:
  case V.1 "No zones":
    replace 2 zone:
      define zone(u: unit) -> set of hex: {u.hex}
"""
    assert value(tmp_path, text, "+open", "zone", 0) == (0,)


SHARED = 'case 9 "More":\n  field power, pace, luck of unit: number = 2\n'
SHARED_LINE = {
    "amend 9 pace: 2 becomes 3": {"power": 2, "pace": 3, "luck": 2},
    "amend 9 power: 2 becomes 3": {"power": 3, "pace": 2, "luck": 2},
    "strike 9 power": {"pace": 2, "luck": 2},
    "rename 9 luck to might": {"power": 2, "pace": 2, "might": 2},
    "replace 9 power:\n      field power of unit: number = 3": {"power": 3, "pace": 2, "luck": 2},
    "replace 9 power:\n      field pace, luck of unit: number = 3": {"pace": 3, "luck": 3},
    "amend 9 luck: 2 becomes 3\n    strike 9 pace": {"power": 2, "luck": 3},
}  # fmt: skip


@pytest.mark.parametrize("line", SHARED_LINE)
def test_one_of_several_fields_in_a_line_is_hit_alone(tmp_path: Path, line: str) -> None:
    compiled = made(tmp_path, f"errata sheet of skirmish:\n  case E.1:\n    {line}\n", "+sheet", BASE + SHARED)
    assert not compiled.report.failed and compiled.book is not None
    found = {name: f.default for (_, name), f in compiled.book.fields.items()}
    assert {name: found[name] for name in ("power", "pace", "luck", "might") if name in found} == SHARED_LINE[line]


def test_a_diff_tells_of_the_field_that_an_amendment_hits(tmp_path: Path) -> None:
    text = "errata sheet of skirmish:\n  case E.1:\n    amend 9 pace: 2 becomes 3\n"
    after = made(tmp_path, text, "+sheet", BASE + SHARED)
    before = analyse(str(tmp_path / "skirmish.rules"))
    facts = compared(before, after).facts
    told = [(f.kind, f.element, f.name, f.before, f.after) for f in facts if f.element != "case"]
    assert told == [("amended", "field", "pace", "2", "3")]


TINY = 'book tiny "Tiny"\n\ncase 1 "Sight":\n  kind side: red, blue\n  define range(n: number) -> number: 3\n'
SHEET = "errata {} of tiny:\n{}  case {}:\n    amend 1 range: 3 becomes {}\n"


def stacked(tmp_path: Path, names: str, *sheets: tuple[str, str, str, int]) -> Compiled:
    path = tmp_path / "tiny.rules"
    path.write_text("\n".join([TINY, *(SHEET.format(*x) for x in sheets)]), encoding="utf-8")
    return analyse(f"{path}{names}")


def test_no_overlay_takes_itself_out_of_force(tmp_path: Path) -> None:
    """Neither by its own name, nor by a number that it shares with what it supersedes, nor with another in a circle."""
    for key in ("supersedes", "after", "requires", "excludes"):
        [said] = stacked(tmp_path, "+s", ("s", f"  {key}: s\n", "E.1", 4)).report.wrong
        assert (said.code, said.message) == ("RW404", f'errata s has "{key}: s", and is that overlay itself')
    for word in ("s", "E.1"):
        made = stacked(tmp_path, "+s+r", ("s", "", "E.1", 4), ("r", f"  supersedes: {word}\n", "E.1", 5))
        assert made.book is not None and [str(x.value.value) for x in made.book.definitions["range"].base.clauses] == ["5"]
    ring = [("s", "  supersedes: r\n", "E.1", 4), ("r", "  supersedes: q\n", "E.2", 5), ("q", "  supersedes: s\n", "E.3", 6)]
    [said] = stacked(tmp_path, "+s+r+q", *ring).report.wrong
    assert "supersede one another, so that none of them would hold: s, r, q" in said.message
    assert not stacked(tmp_path, "+s+r", *ring[:2], ("q", "", "E.3", 6)).report.failed


def test_phases_are_struck_and_replaced(tmp_path: Path) -> None:
    text = """variant quiet of skirmish:
  case V.1 "No battle":
    strike phase combat
variant march of skirmish:
  case V.2 "Twice":
    replace phase combat:
      phase movement_again:
        log "on they go"
"""
    struck, replaced = (made(tmp_path, text, s).book for s in ("+quiet", "+march"))
    assert struck is not None and "combat" not in struck.phases
    assert replaced is not None and "movement_again" in replaced.phases and "combat" not in replaced.phases


NEWS = """variant news of skirmish:
  case V.{one}:
    insert before combat:
      phase first:
        log "one"
  case V.{two}:
    insert before combat:
      phase second:
        log "two"
  case V.3:
    insert before second:
      phase between:
        log "between"
"""


def test_inserted_phases_stand_in_the_order_of_their_cases(tmp_path: Path) -> None:
    def order(text: str) -> list[str]:
        book = made(tmp_path, text, "+news").book
        assert book is not None
        return [p for p in book.phases if p in ("first", "second", "between", "combat")]

    head, *cases = NEWS.format(one=1, two=2).split("  case ")
    backwards = head + "  case " + "  case ".join(reversed(cases))
    assert order(NEWS.format(one=1, two=2)) == order(backwards) == ["first", "between", "second", "combat"]
    assert order(NEWS.format(one=2, two=1)) == ["between", "second", "first", "combat"]


def test_an_amendment_states_how_often(tmp_path: Path) -> None:
    text = """errata sheet of skirmish:
  case E.1:
    amend 3.2 march.enter: 2 becomes 3
    amend 4 odds_of{often}: it.strength becomes it.strength + 1
"""
    assert codes(made(tmp_path, text.format(often=", 2 times"), "+sheet")) == []
    assert codes(made(tmp_path, text.format(often=""), "+sheet")) == ["RW402"]
    assert codes(made(tmp_path, text.format(often=", 3 times"), "+sheet")) == ["RW402"]


def test_a_new_value_may_hold_the_old_one(tmp_path: Path) -> None:
    text = """case 7 "Both":
  define both(u: unit) -> number: u.strength + u.strength
errata sheet of skirmish:
  case E.1:
    amend 7 both, 2 times: u.strength becomes u.strength + 1
"""
    assert value(tmp_path, text, "+sheet", "both", 0) == 3 + 1 + 3 + 1


def test_a_worked_example_is_struck_with_the_rule_that_changes_it(tmp_path: Path) -> None:
    text = """variant open of skirmish:
  case V.1 "No zones":
    strike 3.1
    strike 6 "{title}"
"""
    compiled = made(tmp_path, text.format(title="a zone stops a march"), "+open")
    assert codes(compiled) == []
    assert compiled.book is not None and [e.title for e in compiled.book.examples] == ["odds"]
    missed = made(tmp_path, text.format(title="a zone stop a march"), "+open")
    assert codes(missed) == ["RW401"]
    assert "a zone stops a march" in missed.report.found[0].help


def test_two_overlays_may_strike_the_same_example(tmp_path: Path) -> None:
    text = """variant open of skirmish:
  case V.1 "No zones":
    strike 3.1
    strike 6 "a zone stops a march"
variant wide of skirmish:
  case V.2 "Farther":
    amend 3 march.budget: 3 becomes 4
    strike 6 "a zone stops a march"
"""
    compiled = made(tmp_path, text, "+open+wide")
    assert codes(compiled) == []
    assert compiled.book is not None and [e.title for e in compiled.book.examples] == ["odds"]


MIX = """option sharp of skirmish "Sharper":
  source: Journal 12
  case O.1 "Longer":
    amend 3 march.budget: 3 becomes 4
option keen of skirmish "Keener":
  {head}
  case O.2 "Longest":
    amend 3 march.budget: {old} becomes 5
"""


def test_two_overlays_on_one_element_conflict_until_one_yields(tmp_path: Path) -> None:
    def found(head: str, old: str, stack: str = "+sharp+keen") -> Compiled:
        return made(tmp_path, MIX.format(head=head, old=old), stack)

    for old in "34":
        conflict = found("source: Journal 13", old)
        assert codes(conflict) == ["RW405"]
        assert "Journal 12" in conflict.report.found[0].message and "Journal 13" in conflict.report.found[0].message
        assert "after: sharp" in conflict.report.found[0].help
    assert budget(found("after: sharp", "4")) == 5
    assert budget(found("after: sharp", "4", "+keen+sharp")) == 5, "after holds in whatever order they are named"
    assert budget(found("priority: 2", "3")) == 5
    assert budget(found("supersedes: O.1", "3")) == 5
    assert budget(found("source: x", "3", "+sharp")) == 4


def budget(compiled: Compiled) -> object:
    assert codes(compiled) == []
    assert compiled.book is not None
    return compiled.book.definitions["march.budget"].base.clauses[0].value.value


def test_struck_and_amended_is_a_conflict_too(tmp_path: Path) -> None:
    text = """option still of skirmish:
  case O.1:
    strike 3.2
option mud of skirmish:
  case O.2:
    amend 3.2 march.enter: 2 becomes 3
"""
    for stack in ("+still+mud", "+mud+still"):
        assert codes(made(tmp_path, text, stack)) == ["RW405"]


def test_what_overlays_require_and_exclude(tmp_path: Path) -> None:
    text = """option one of skirmish:
  case O.1:
    amend 3.2 march.enter: 2 becomes 3
option two of skirmish "Second":
  requires: O.1
  excludes: three
  case O.2:
    strike 3.1
    strike 6 "a zone stops a march"
option three of skirmish:
  case O.3:
    amend 3 march.budget: 3 becomes 4
"""
    assert codes(made(tmp_path, text, "+one+two")) == []
    lacking, both = made(tmp_path, text, "+two"), made(tmp_path, text, "+O.1+two+O.3")
    assert codes(lacking) == codes(both) == ["RW404"]
    assert "requires O.1" in lacking.report.found[0].message
    assert "excludes option three" in both.report.found[0].message


def test_what_an_overlay_includes_comes_into_force_below_it(tmp_path: Path) -> None:
    text = """option two of skirmish:
  includes: O.1
  after: one
  case O.2:
    amend 3.2 march.enter: 3 becomes 4
option one of skirmish:
  case O.1:
    amend 3.2 march.enter: 2 becomes 3
option lost of skirmish:
  includes: O.9
  case O.3:
    amend 3 march.budget: 3 becomes 4
"""
    for stack in ("+two", "+one+two", "+two+one"):
        compiled = made(tmp_path, text, stack)
        assert codes(compiled) == []
        assert compiled.book is not None and compiled.book.overlays == ("one", "two")
    assert codes(made(tmp_path, text, "+lost")) == ["RW403"]


def test_the_one_scenario_that_an_overlay_brings_is_the_first(tmp_path: Path) -> None:
    text = """expansion dusk of skirmish:
  case S.1:
    scenario at_dusk:
      sequence: of_play
expansion dawn of skirmish:
  case S.2:
    scenario at_dawn:
      sequence: of_play
"""

    def first(stack: str) -> str:
        book = made(tmp_path, text, stack).book
        assert book is not None
        return next(iter(book.scenarios))

    assert first("+dusk") == "at_dusk"
    assert first("+dusk+dawn") == first("")


def test_an_overlay_is_known_by_one_name(tmp_path: Path) -> None:
    text = "option one of skirmish:\n  case O.1:\n    amend 3.2 march.enter: 2 becomes 3\n"
    book = made(tmp_path, text, "+O.1").book
    assert book is not None and book.overlays == ("one",)


def test_a_day_brings_the_errata_published_by_then(tmp_path: Path) -> None:
    text = """errata first of skirmish:
  date: 1 Apr 1976
  case E.1:
    amend 3 march.budget: 3 becomes 4
errata second of skirmish:
  date: Aug 1984
  after: first
  case E.2:
    amend 3 march.budget: 4 becomes 5
"""
    path = tmp_path / "skirmish.rules"
    path.write_text(f"{BASE}\n{text}", encoding="utf-8")

    def on(day: str) -> object:
        return budget(analyse(f"{path}@{day}"))

    assert [on("1975"), on("1976-04-01"), on("1984-07-31"), on("1984-08")] == [3, 4, 4, 5]


def test_the_head_of_an_overlay_has_a_schema(tmp_path: Path) -> None:
    text = "option one of skirmish:\n  nature: folly\n  case O.1:\n    amend 3.2 march.enter: 2 becomes 3\n"
    assert codes(made(tmp_path, text, "+one")) == ["RW123"]
    text = text.replace("nature: folly", "date: yesterday")
    assert codes(made(tmp_path, text, "+one")) == ["RW123"]


def test_an_explanation_names_the_overlay_in_place_of_the_case(tmp_path: Path) -> None:
    text = """option blind of skirmish:
  case O.1 "Blind":
    except 2 zone: {u.hex}
  case O.2 "Longer":
    amend 2 in_zone: (h in zone(it)) becomes (h in zone(it) + zone(it))
"""
    path = tmp_path / "skirmish.rules"
    path.write_text(f"{BASE}\n{text}", encoding="utf-8")
    game = load(f"{path}+blind").new("battle")
    shown = "\n".join(explain(game, "in_zone", "red", 3).lines())
    assert "[O.1 Blind, blind in place of 2]" in shown
    assert "[2 Zones, as amended by O.2 (blind)]" in shown


def test_a_refusal_names_the_overlay_that_would_waive_it(tmp_path: Path) -> None:
    text = """option bold of skirmish:
  case O.1 "Bold":
    strike 3.1
    strike 6 "a zone stops a march"
"""
    path = tmp_path / "skirmish.rules"
    path.write_text(
        f"{BASE}\n{text}".replace("Blue 1 @D4", "Blue 1 @A4").replace("budget: 3", "budget: 9"), encoding="utf-8"
    )
    choice = 'red: move(u: "Red 1", p: A1>A2>A3>B3)'
    plain, bold = (load(f"{path}{stack}").new("battle") for stack in ("", "+bold"))
    assert "option bold (O.1) waives this" in str(why(plain, choice))
    assert why(bold, choice).legal


KIND = (
    BASE.split("case 6")[0]
    + """
case 9 "Arms":
  kind arm: foot, horse
  field arm of unit: arm = foot
  define fast(u: unit) -> flag: u.arm = horse
"""
)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("insert item 9 arm:", "guns, rockets"), ("foot", "horse", "guns", "rockets")),
        (("insert item 9 arm:", "guns", "rockets"), ("foot", "horse", "guns", "rockets")),
        (("insert item 9 arm:", "arm: guns"), ("foot", "horse", "guns")),
        (("replace item 9 arm:", "foot becomes boot"), ("boot", "horse")),
    ],
)
def test_words_of_a_kind(tmp_path: Path, lines: tuple[str, ...], words: tuple[str, ...]) -> None:
    head, *below = lines
    base = KIND.replace(" = foot", " = boot") if "boot" in words else KIND
    text = f"variant more of skirmish:\n  case V.1:\n    {head}\n" + "".join(f"      {x}\n" for x in below)
    compiled = made(tmp_path, text, "+more", base)
    assert set(codes(compiled)) <= {"RW514"} and compiled.book is not None, "no counter of this book is horse"
    assert compiled.book.kinds["arm"] == words


@pytest.mark.parametrize(
    ("lines", "message", "help_"),
    [
        ("strike item 9 arm:\n      camels", '"camels" stands nowhere in the lines "arm"', "they hold: foot, horse"),
        ("strike item 9 arm:\n      foot, horse", "no arm would be left", "the book has: foot, horse"),
        ("insert item 9 arm:\n      horse", '"horse" is there already', "the book has: foot, horse"),
        ("insert item 9 arm:\n      9 guns", '"9 guns" is no word for a kind', "small letters, digits and underscores"),
        ("insert row 9 arm:\n      guns", 'the kind "arm" has no rows', "write insert item, and its words"),
    ],
)
def test_words_of_a_kind_that_do_not_go(tmp_path: Path, lines: str, message: str, help_: str) -> None:
    compiled = made(tmp_path, f"variant more of skirmish:\n  case V.1:\n    {lines}\n", "+more", KIND)
    assert [(d.code, d.message, d.help) for d in compiled.report.found] == [("RW402", message, help_)]


def test_rows_of_what_has_none_say_where_such_a_thing_stands(tmp_path: Path) -> None:
    """A field and a kind often share a name, in two cases."""
    base = KIND.replace("  kind arm: foot, horse\n", "") + '\ncase 10 "Kinds":\n  kind arm: foot, horse\n'
    text = "variant more of skirmish:\n  case V.1:\n    insert item 9 arm:\n      guns\n"
    found = made(tmp_path, text, "+more", base).report.found
    help_ = "a table, kind or data block of that name stands in case 10"
    assert [(d.code, d.message, d.help) for d in found] == [("RW401", '"arm" has no items in case 9', help_)]


ALREADY = {
    "value": ("amend 3 march.budget: 4 becomes 3", "amend 3 march.budget: 3 becomes 4"),
    "strike": ("strike 3.1 nothing", "strike 3.1"),
    "declaration": ("define enemy(s: side) -> side:\n      blue when s = red\n      red otherwise", "box gone"),
    "row": (
        "replace row 4 results:\n      | 1-3 | D | A | D |\n      | 1-3 | A | A | D |",
        "replace row 4 results:\n      | 1-3 | A | A | D |\n      | 1-3 | D | A | D |",
    ),
    "item": ("insert item 1 armies:\n      3 red: Red 2 @A2", "strike item 1 armies:\n      3 red: Red 2 @A2"),
    "word": ("insert item 1 side:\n      blue", "insert item 1 side:\n      green"),
}


@pytest.mark.parametrize("there, not_there", ALREADY.values(), ids=ALREADY)
def test_an_item_already_in_the_text_is_checked(tmp_path: Path, there: str, not_there: str) -> None:
    def sheet(line: str) -> Compiled:
        text = f"errata sheet of skirmish:\n  case 1:\n    nature: change, already in text\n    {line}\n"
        return made(tmp_path, text, "+sheet")

    assert codes(sheet(there)) == []
    assert codes(sheet(not_there)) == ["RW406"]


def test_how_an_overlay_fits_a_later_edition(tmp_path: Path) -> None:
    old, new = tmp_path / "skirmish", tmp_path / "second"
    for folder in (old, new):
        folder.mkdir()
    second = BASE.split("case 6")[0].replace("budget: 3", "budget: 4").replace("case 3.2", "case 3.5")
    second = (
        second.replace("mark fought", "mark attacked")
        .replace("fought", "attacked")
        .replace("define enemy", "define foe")
    )
    (old / "book.rules").write_text(BASE, encoding="utf-8")
    (new / "book.rules").write_text(second.replace("enemy(", "foe("), encoding="utf-8")
    variant = tmp_path / "mine.rules"
    variant.write_text(
        """variant mine of skirmish "Mine":
  case V.1:
    amend 3 march.budget: 3 becomes 5
    strike 3.2 march
    strike 3.1
    strike 4 fought
    replace cell 4 results:
      1-3 | 2:1: D becomes A
    except 1 enemy: red when s = red
    except 2 zone: {u.hex}
""",
        encoding="utf-8",
    )
    found, report = fits(str(variant), str(new), (tmp_path,))
    assert not report.failed
    assert [f.status for f in found] == ["target changed", "moved", "applies", "gone", "applies", "gone", "applies"]
    assert "3.5" in found[1].detail
    again, _ = fits(str(variant), str(old), (tmp_path,))
    assert {f.status for f in again} == {"applies"}


KINDS = {
    "a clarification that is silent": (':\n    nature: clarification\n    note "as before"\n', []),
    "a clarification that says it otherwise": (":\n    nature: clarification\n    replace 2 zone:\n      define zone(u: unit) -> set of hex:\n        {u.hex} + neighbors(u.hex)\n", ["RW402"]),
    "a clarification that changes": (":\n    nature: clarification\n    amend 3 march.budget: 3 becomes 4\n", ["RW406"]),
    "a change": (":\n    nature: change\n    amend 3 march.budget: 3 becomes 4\n", []),
    "a change by a new rule": (":\n    nature: ruling\n    forbid march when there.terrain = woods\n", []),
    "a declaration in place of another": (":\n    nature: change\n    replace 1 enemy:\n      define enemy(s: side) -> side:\n        blue when red = s\n        red otherwise\n", []),
    "a change of words only": (':\n    nature: change\n    note "as before"\n', ["RW406"]),
    "a struck rule": (':\n    nature: correction\n    strike 3.2\n', []),
}  # fmt: skip


@pytest.mark.parametrize("body, found", KINDS.values(), ids=KINDS)
def test_an_item_is_of_the_kind_that_it_says(tmp_path: Path, body: str, found: list[str]) -> None:
    compiled = made(tmp_path, f'errata sheet of skirmish:\n  case E.1 "Item"{body}', "+sheet")
    assert [d.code for d in compiled.report.found if d.severity == "error"] == found


def test_an_overlay_as_a_whole_is_of_its_kind(tmp_path: Path) -> None:
    text = 'variant none of skirmish:\n  case V.1 "Only talk":\n    note "as before"\n    example "odd":\n      expect "Red 1".strength = 3\n'
    compiled = made(tmp_path, text, "+none")
    assert codes(compiled) == ["RW406"]
    assert "changes nothing in play" in compiled.report.found[0].message


TWO_MAPS = """book two "Two maps"
case 1 "Maps":
  kind side: red, blue
  map lowlands:
    grid: rows A..A, columns from the west
    hexes: A1..A3
  map uplands:
    sheet U: rows A..A, columns from the west
    hexes: UA1..UA2
  roster men:
    form: side
    red: Guard @A1
  define reach -> number: count(hexes)
"""
FLAT = """variant flat of two:
  case F.1:
    strike 1 uplands
"""
NOTES = """variant notes of two:
  case N.1:
    define twice -> number: 2 * reach
    example "on the heights":
      given map {}
      expect reach = 2
    example "in the plain":
      given map lowlands
      expect reach = 3
"""


@pytest.mark.parametrize("stack", ["+flat+notes", "+notes+flat"])
def test_examples_of_an_overlay_go_with_a_map_that_another_strikes(tmp_path: Path, stack: str) -> None:
    path = tmp_path / "two.rules"
    path.write_text(f"{TWO_MAPS}\n{FLAT}\n{NOTES.format('uplands')}", encoding="utf-8")
    titles = {}
    for name in ("+notes", stack):
        compiled = analyse(f"{path}{name}")
        assert codes(compiled) == [] and compiled.book is not None
        titles[name] = [e.title for e in compiled.book.examples]
    assert titles == {"+notes": ["on the heights", "in the plain"], stack: ["in the plain"]}
    path.write_text(f"{TWO_MAPS}\n{FLAT}\n{NOTES.format('highlands')}", encoding="utf-8")
    assert "RW201" in codes(analyse(f"{path}{stack}")), "a map that nobody knows is a slip of the pen"
