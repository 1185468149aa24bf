"""`rulewright sheet`: what a publisher would post, from a small book with one sheet of every sort of item."""

import re
import sys
from dataclasses import replace
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.diff.compare import diff
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.sheet.page import page_of
from rulewright.compiler.sheet.write import sheet_text, write_sheet
from rulewright.compiler.witness.search import witnesses

BOOK = """book river "The river"

case 1 "Pieces":
  kind side: red, blue
  kind terrain: clear, deep_swamp
  field attack of unit: number
  field moves of unit: number
  field terrain of hex: terrain = clear
  box dead
  map field:
    grid: rows A..B, columns from the east
    hexes: A1..A4, B1..B4
    name Riga: A2
    terrain deep_swamp: B2
  roster armies:
    form: attack-moves side
    8-8 red: 47 Panzer @A1
    3-4 blue: 2 Guards @B4, 3 Guards @B3
  words en:
    side.red: the Reds
    move: march {u} along {p}

case 2 "March":
  route march(u: unit):
    over: land
    from: u.hex
    budget: u.moves
    enter: price(there)
  define price(h: hex) -> number:
    2 when h.terrain = deep_swamp
    1 otherwise
  action move(u: unit from units(phasing), p: path from march(u)) by phasing during movement:
    walk u along p

case 3 "Fire":
  table hits(die: number) -> number:
    | die | hits |
    | 1-2 | 0    |
    | 3   | 0    |
    | 4-6 | 1    |
  action fire(u: unit from units(phasing), e: unit from all_units()) by phasing during movement:
    when e.side != phasing
    when adjacent(u.hex, e.hex)
    roll d = 1d6
    if hits(d) >= 1: put e in dead

case 4 "Sequence":
  sequence play:
    repeat at most 4:
      phase side_turn for phasing in [red, blue]:
        phase movement:
          offer phasing: move, fire
  scenario battle:
    sequence: play

errata old of river "First corrections":
  date: Mar 1980
  case 8.1 "Price":
    amend 2 price: 2 becomes 4

errata sheet of river "Corrections":
  source: the designer
  date: May 1984
  supersedes: old
  case 9.1 "Two counters":
    amend "47 Panzer".attack: 8 becomes 9
    amend @A3.terrain: clear becomes deep_swamp
  case 9.2 "Swamps":
    except 2 price: 3 when h.terrain = deep_swamp
  case 9.3 "The weak stay":
    forbid move when u.side = red
  case 9.4 "Fire":
    replace row 3 hits:
      | 3   | 0    |
      | 3   | 1    |
  case 9.5 "Budget":
    nature: correction, already in text
    amend "2 Guards".moves: 5 becomes 4
  case 9.6 "Boats":
    nature: clarification
    note "There are no boats."
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("river")
    (made / "river.rules").write_text(BOOK)
    return made


@pytest.fixture(scope="module")
def found(folder):
    a, b = (analyse(f"{folder / 'river.rules'}{x}") for x in ("", "+sheet"))
    assert not a.report.failed and not b.report.failed, b.report.found
    return diff(a, b, search=lambda x, y, facts: witnesses(x, y, facts, 60))


@pytest.fixture(scope="module")
def page(found):
    return page_of(found)


def entry(page, case):
    return next(e for part in page.parts for e in part.entries if e.case == case)


def said(lines):
    return [x for line in lines for x in [f"{line.sort}: {line.text}", *said(line.below)]]


def test_the_head_names_source_date_and_version(page):
    about = dict(page.about)
    assert (
        page.title == "The river: Corrections" and about["Source"] == "the designer" and about["Date"] == "1 May 1984"
    )
    assert re.fullmatch(r"river to river\+sheet, rules [0-9a-f]{10} to [0-9a-f]{10}", about["Version"])
    assert [e.case for e in page.parts[0].entries] == ["9.1", "9.2", "9.3", "9.4", "9.5", "9.6"]


def test_a_superseded_sheet_is_said_so(page):
    assert "Errata “First corrections” of 1 Mar 1980 is superseded by “Corrections”." in page.remarks


def test_counters_and_hexes_are_in_the_hobbys_notation(page):
    lines = [x for c in entry(page, "9.1").changes for x in said(c.lines)]
    assert "same: 47 Panzer: 8-8 becomes 9-8" in lines and "same: A3: clear becomes deep swamp" in lines


def test_an_exception_is_one_new_line_below_the_rule(page):
    (change,) = entry(page, "9.2").changes
    assert said(change.lines) == [
        "same: The price of a hex is, by the first of these that applies:",
        "new: Except (9.2): if the hex's terrain is deep swamp: 3.",
    ]
    assert change.shown.was == "2" and change.shown.now == "3" and "<svg" in change.shown.picture


def test_a_ban_says_what_it_does_and_shows_a_choice(page):
    e = entry(page, "9.3")
    assert e.effects == ("Alters play: less is allowed than before (proved). Concerns the Reds.",)
    shown = e.changes[0].shown
    assert re.fullmatch(r"May the Reds march .+ along .+\?", shown.asked)
    assert (shown.was, shown.now) == ("yes", "no (9.3)")


def test_a_table_shows_changed_cells_and_exact_chances(page):
    e = entry(page, "9.4")
    assert e.changes[0].grids[0].rows == (("die 3", "0", "1"),)
    (chances,) = e.chances
    assert chances.heads == ("", "0", "1", "expected hits") and chances.rows[0][1:] == (
        "1/2 → 1/3",
        "1/2 → 2/3",
        "1/2 → 2/3",
    )


def test_items_without_effect_say_why(page):
    assert entry(page, "9.5").state == "Already in the text: the rules as they stand say so."
    assert entry(page, "9.6").state == "No rule changes." and entry(page, "9.6").notes == ("There are no boats.",)


def test_what_was_not_searched_is_not_claimed(folder):
    a, b = (analyse(f"{folder / 'river.rules'}{x}") for x in ("", "+sheet"))
    bare = page_of(diff(a, b))
    assert entry(bare, "9.3").effects == (
        "May alter play; if so, less is allowed than before (proved); no position was tried. Concerns the Reds.",
    )
    assert all(c.shown is None for p in bare.parts for e in p.entries for c in e.changes)
    late = diff(a, b, search=lambda x, y, facts: [dict(fact=f.id, example=None, found=0, seconds=2) for f in facts])
    cut = page_of(late)
    assert any(r.startswith("The search for positions ended after 2 seconds; ") for r in cut.remarks)
    assert "the search for a position ended after 2 seconds" in " ".join(entry(cut, "9.3").effects)


def test_the_same_bytes_each_time(found):
    for form in ("html", "md"):
        assert sheet_text(found, form) == sheet_text(found, form)


def test_the_small_maps_of_markdown_are_files_beside_it(found, tmp_path):
    (tmp_path / "again").mkdir()
    for folder in (tmp_path, tmp_path / "again"):
        write_sheet(found, folder / "the (May) sheet.md")
    text = (tmp_path / "the (May) sheet.md").read_text()
    links = re.findall(r"^!\[(.+)\]\((\S+)\)$", text, re.M)
    maps = sorted((tmp_path / "the (May) sheet_maps").iterdir())
    assert sorted(unquote(link) for _, link in links) == [f"the (May) sheet_maps/{x.name}" for x in maps]
    assert [x.name for x in maps] == ["9.1.svg", "9.2.svg", "9.3.svg", "9.4.svg"]
    for file, (said, _) in zip(maps, links, strict=True):
        root = ElementTree.fromstring(file.read_bytes())
        assert root.tag == "{http://www.w3.org/2000/svg}svg" and said.startswith("Position: ")
        assert file.read_bytes() == (tmp_path / "again" / "the (May) sheet_maps" / file.name).read_bytes()
        assert said.lower() == f"{root[0].text}. {root[1].text}".replace("_", " ").lower()
    assert links[0][0] == "Position: 1 terrain. Also spoken of: A3." and " at " in links[2][0]
    assert re.sub(r"!\[.+\n\n", "", text) == sheet_text(found, "md")
    assert text == (tmp_path / "again" / "the (May) sheet.md").read_text()


def test_markdown_without_positions_has_no_folder(folder, tmp_path):
    a, b = (analyse(f"{folder / 'river.rules'}{x}") for x in ("", "+sheet"))
    write_sheet(diff(a, b), tmp_path / "bare.md")
    assert [x.name for x in tmp_path.iterdir()] == ["bare.md"]


def test_detail_has_the_example_and_the_traces(found):
    short, long = sheet_text(found, "md"), sheet_text(found, "md", detail=True)
    assert 'example "prohibition move"' in long and "before:" in long and "Why: " in long
    assert 'example "prohibition move"' not in short and len(short) < len(long)


def test_markup_escapes_and_direction_marks_are_printed_as_text(tmp_path):
    nasty = "<b>*x*</b> [y](z) `q` | \u202eabc" + "n" * 90
    text = BOOK.replace("The weak stay", nasty).replace("There are no boats.", nasty).replace("the designer", nasty)
    (tmp_path / "bad.rules").write_text(text.replace("47 Panzer", "<i>&amp;"))
    a, b = (analyse(f"{tmp_path / 'bad.rules'}{x}") for x in ("", "+sheet"))
    assert not b.report.failed, b.report.found
    found = diff(a, b, search=lambda x, y, facts: witnesses(x, y, facts, 60))
    html, md = (sheet_text(found, form) for form in ("html", "md"))
    for made in (html, md):
        assert "\u202e" not in made and "\\u202e" in made
    assert "<b>*x*" not in html and "&lt;b&gt;*x*&lt;/b&gt;" in html and "<i>" not in html
    assert r"\<b\>\*x\*\</b\> \[y\](z) \`q\` \|" in md and "<b>" not in md
    assert "n" * 90 in html


# ---------------------------------------------------------------- the command


def test_the_ending_names_the_form(folder, tmp_path, capsys):
    name = f"{folder / 'river.rules'}+sheet"
    for form, opening in ((".html", b"<!doctype html>"), (".md", b"# The river: Corrections")):
        out = tmp_path / f"sheet{form}"
        assert main(["sheet", name, "-o", str(out), "--no-witnesses", "--quiet"]) == 0
        assert out.read_bytes().startswith(opening) and str(folder).encode() not in out.read_bytes()
    assert main(["sheet", name, "-o", str(tmp_path / "sheet.doc"), "--quiet"]) == 2
    assert ".html, .md, .pdf" in capsys.readouterr().err


def test_a_book_without_overlays_has_no_sheet(folder, tmp_path, capsys):
    assert main(["sheet", str(folder / "river.rules"), "-o", str(tmp_path / "x.md")]) == 2
    assert "has no overlay" in capsys.readouterr().err
    assert main(["sheet", f"{folder / 'river.rules'}+none", "-o", str(tmp_path / "x.md")]) == 2
    assert (
        main(["sheet", f"{folder / 'river.rules'}+sheet", "-o", str(tmp_path / "no" / "x.md"), "--no-witnesses"]) == 2
    )


def test_a_pdf_without_its_extra_is_one_clear_line(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    name = f"{folder / 'river.rules'}+sheet"
    assert main(["sheet", name, "-o", str(tmp_path / "x.pdf"), "--no-witnesses", "--quiet"]) == 2
    said = capsys.readouterr().err.strip()
    assert "rulewright[pdf]" in said and "\n" not in said and not (tmp_path / "x.pdf").exists()


def test_a_pdf_has_the_same_bytes_each_time(page):
    pytest.importorskip("weasyprint")
    from rulewright.compiler.pages.pdf import pdf_of
    from rulewright.compiler.sheet.html import render_html

    few = replace(page, parts=(replace(page.parts[0], entries=page.parts[0].entries[-2:]),))
    first = pdf_of(render_html(few))
    assert first.startswith(b"%PDF") and first == pdf_of(render_html(few))
