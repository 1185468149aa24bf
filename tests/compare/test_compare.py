"""`rulewright compare`: one question to several small books; differences come from the form of their rules."""

import json

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.compare.concepts import POINTS, concepts
from rulewright.compiler.compare.table import compared
from rulewright.compiler.pipeline import analyse

PIECES = """
case 1 "Pieces":
  kind side: red, blue
  field strength of unit: number
  box dead
  map field:
    grid: rows A..B, columns from the east
    hexes: A1..A4, B1..B4
  roster armies:
    form: strength side
    3 red: Red 1 @A1
    2 blue: Blue 1 @B4
  define enemy(s: side) -> side: other(s)
"""
ZONES = """
case 2 "Zones":
  define zone(u: unit) -> set of hex: neighbors(u.hex)
  define enemy_zone(s: side, h: hex) -> flag: any units(enemy(s)) where h in zone(it)
"""
MOVE = """
case 3 "March":
  route ground(u: unit):
    over: land
    from: u.hex
    budget: 3
    enter: PRICE
  action move(u: unit from units(phasing), p: path from ground(u)) by phasing during movement:
    walk u along p
RULE
"""
END = """
case 9 "Sequence":
  sequence play:
    repeat at most 4:
      phase side_turn for phasing in [red, blue]:
        phase movement:
          offer phasing: move
      if no units(red): win blue
  scenario battle:
    sequence: play
"""


def book(name, zones=ZONES, price="1", rule="", more=""):
    return (
        f'book {name} "{name.title()}"\n{PIECES}{zones}{MOVE.replace("PRICE", price).replace("RULE", rule)}{more}{END}'
    )


BOOKS = {
    "halting": book("halting", rule='case 3.1 "Halt":\n  stop ground when enemy_zone(u.side, there)'),
    "dear": book("dear", price="price(u, there)", more="""
case 4 "Price":
  define price(u: unit, h: hex) -> number:
    2 when enemy_zone(u.side, h)
    1 otherwise
"""),
    "odd": book("odd", rule='case 3.1 "Only there":\n  forbid ground as free when not enemy_zone(u.side, there)'),
    "barring": book("barring", rule="""case 3.1 "Never":
  define closed(u: unit, h: hex) -> flag: h = @A4 or enemy_zone(u.side, h)
  forbid ground as closed when closed(u, there)"""),
    "plain": book("plain", zones=""),
}  # fmt: skip


@pytest.fixture(scope="module")
def cores(tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    found = []
    for name, text in BOOKS.items():
        path = folder / f"{name}.rules"
        path.write_text(text)
        made = analyse(str(path))
        assert not made.report.failed, made.report.found
        found.append((str(path), made.book))
    return found


@pytest.fixture(scope="module")
def zones(cores):
    known = concepts()
    return compared(known["zones"], known, cores)


def test_the_library_has_the_concepts_that_every_wargamer_asks_about():
    known = concepts()
    asked = "zones stacking odds retreat supply weather overrun reinforcements control replacements isolation victory"
    assert set(asked.split()) <= set(known) and all(x.question.endswith("?") and x.points for x in known.values())
    assert all(point in POINTS for x in known.values() for point in x.points)


def test_what_zones_do_follows_from_the_rules(zones):
    traits = {b.name: dict(b.traits) for b in zones.books}
    assert traits["halting"] == {"can end a move": ("3.1",)}
    assert traits["dear"] == {"has a say in what a move costs": ("3",)}
    assert traits["barring"] == {"can bar a move": ("3.1",)}
    assert dict(zones.differences)["can end a move"] == {"halting": ("3.1",)} and zones.shared == []


def test_a_direction_that_is_not_proved_is_not_claimed(zones):
    (odd,) = [b for b in zones.books if b.name == "odd"]
    assert dict(odd.traits) == {"has a say in what bars a move": ("3.1",)}


def test_a_book_without_the_concept_says_so(zones):
    (plain,) = [b for b in zones.books if b.name == "plain"]
    assert (
        plain.answers == ()
        and plain.lacks == "none of its declarations is called zone or zones or in_zone or enemy_zone"
    )


def test_victory_shows_only_what_leads_to_it(cores):
    known = concepts()
    made = compared(known["victory"], known, cores[:1])
    (answer,) = made.books[0].answers
    told = [x.text for s in answer.said for x in s.walk()]
    assert any("blue wins" in x.lower() for x in told) and not any("may act" in x for x in told)
    assert "blue can win" in made.books[0].traits


ODDS = """
case 5 "Odds":
  scale odds: 1:2, 1:1, 2:1
  define odds_of(a: number, d: number) -> odds: on_scale(odds, VALUE)
  define enough(n: number) -> flag: HALF > 2
"""


def test_rounding_is_read_from_the_operators(tmp_path):
    known, found = concepts(), []
    for name, value in (("ceil", "up(a / d)"), ("floor", "down(a / d)"), ("bare", "a / d")):
        path = tmp_path / f"{name}.rules"
        path.write_text(book(name, more=ODDS.replace("VALUE", value).replace("HALF", "up(n / 2)")))
        made = analyse(str(path))
        assert not made.report.failed, made.report.found
        found.append((str(path), made.book))
    odds = compared(known["odds"], known, found)
    assert odds.shared == ["takes the highest step of a scale that is reached"]
    assert {t: list(b) for t, b in odds.differences} == {"rounds up": ["ceil"], "rounds down": ["floor"]}


LEGS = """
case 5 "Supply":
  route overland(u: unit):
    from: u.hex
    budget: 3
    enter: 1
  route by_rail(u: unit):
    over: rail
    enter: 1LIMIT
  route supply_line(u: unit):
    legs: HOW overland(u) then maybe by_rail(u)
    from: u.hex
    to: {@A1}
"""


def test_a_line_of_legs_has_the_layers_and_the_length_of_its_legs(tmp_path):
    known, found = concepts(), []
    for name, how, limit in (("endless", "one", ""), ("chain", "repeat", "\n    budget: 5"), ("short", "maybe", "\n    budget: 5")):
        path = tmp_path / f"{name}.rules"
        text = book(name, more=LEGS.replace("HOW ", "" if how == "one" else f"{how} ").replace("LIMIT", limit))
        path.write_text(text.replace("B1..B4\n", "B1..B4\n    lines rail: A1 A2 A3\n", 1))
        made = analyse(str(path))
        assert not made.report.failed, made.report.found
        found.append((str(path), made.book))
    supply = compared(known["supply"], known, found)
    assert supply.shared == ["is made of legs over land and rail"]
    assert {t: list(b) for t, b in supply.differences} == {
        "its length is not limited": ["endless"],
        "each of its legs is limited, and one may be repeated": ["chain"],
        "its length is limited": ["short"],
    }
    assert not any("runs over" in x.text for b in supply.books for a in b.answers for s in a.said for x in s.walk())


# ---------------------------------------------------------------- a book's own names


def own(tmp_path, text):
    path = tmp_path / "halting.rules"
    path.write_text(BOOKS["halting"] + '\ncase 6 "More":\n  define grip(u: unit) -> set of hex: zone(u)\n')
    (tmp_path / "halting.concepts.tsv").write_text(text)
    return str(path)


def test_a_book_names_its_own_answers(tmp_path, capsys):
    name = own(tmp_path, "# ours\nconcept\tnames\nzones\tgrip\n")
    assert main(["compare", "zones", name, "--format", "json", "--quiet"]) == 0
    (made,) = json.loads(capsys.readouterr().out)["books"]
    assert [(a["name"], a["case"]) for a in made["answers"]] == [("zone", "2"), ("enemy_zone", "2"), ("grip", "6")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("concept\tnames\nzonse\tgrip\n", 'there is no concept "zonse"; did you mean "zones"?'),
        ("concept\tnames\nzones\tgrib\n", 'zones names "grib", which halting does not have; did you mean "grip"?'),
        ("concept\tnames\nzones grip\n", "a row has 2 cells, by tabs"),
        ("zones\tgrip\n", "the first row names the columns"),
    ],
)
def test_a_wrong_file_is_one_clear_line(tmp_path, capsys, text, said):
    assert main(["compare", "zones", own(tmp_path, text), "--quiet"]) == 2
    told = capsys.readouterr().err.strip()
    assert said in told and "halting.concepts.tsv" in told and "\n" not in told


def test_a_file_in_an_unknown_encoding_is_one_clear_line(tmp_path, capsys):
    name = own(tmp_path, "")
    (tmp_path / "halting.concepts.tsv").write_bytes(b"\xff\xfe\x00")
    assert main(["compare", "zones", name, "--quiet"]) == 2
    assert "cannot be read" in capsys.readouterr().err


# ---------------------------------------------------------------- the command


def test_without_a_concept_the_concepts_are_listed(capsys):
    assert main(["compare"]) == 0
    assert "zones           Zones of control: " in capsys.readouterr().out
    assert main(["compare", "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) >= 12


def test_an_unknown_concept_is_suggested(capsys):
    assert main(["compare", "zonez"]) == 2
    assert 'there is no concept "zonez"' in (said := capsys.readouterr().err) and '"zones"' in said


def test_every_format_prints_a_books_text_as_text(tmp_path, capsys):
    path = tmp_path / "bad.rules"
    path.write_text(BOOKS["halting"].replace('"Halting"', '"<b>*x*</b> \u202eabc | y"'))
    outputs = {}
    for form in ("text", "md", "html", "json"):
        assert main(["compare", "zones", str(path), "--format", form, "--quiet"]) == 0
        outputs[form] = capsys.readouterr().out
    assert all("\u202e" not in outputs[x] for x in ("text", "md", "html"))
    assert "&lt;b&gt;*x*&lt;/b&gt;" in outputs["html"] and "<b>" not in outputs["html"].replace("<br>", "")
    assert r"\<b\>\*x\*\</b\>" in outputs["md"] and r"\| y" in outputs["md"]
    assert "what its rules show:\n  can end a move\n" in outputs["text"] and "in some of them" not in outputs["text"]


def test_a_game_answers_by_the_names_of_its_series(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    series = tmp_path / "rulebooks" / "big"
    game = tmp_path / "rulebooks" / "little"
    series.mkdir(parents=True)
    game.mkdir()
    more = '\ncase 5 "Grip":\n  define grip(u: unit) -> flag: u.strength > 2\n'
    (series / "rules.rules").write_text(book("big", more=more))
    (series / "concepts.tsv").write_text("concept\tnames\nzones\tgrip\n")
    (game / "little.rules").write_text('book little of big "Little"\n\ncase 1 "Its own":\n  note "a game"\n')
    found = analyse("little").book
    assert found is not None
    made = compared(concepts()["zones"], concepts(), [("little", found)])
    assert any("grip" in line.text.lower() for answer in made.books[0].answers for line in answer.said), made
