"""`rulewright doc` on small books: what a page says of each declaration."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.core.case_order import natural
from rulewright.compiler.doc import code as doc_code
from rulewright.compiler.doc.coverage import inventory, not_measured
from rulewright.compiler.doc.site import doc
from rulewright.compiler.pipeline import analyse

SKIRMISH = (Path(__file__).parent.parent / "books" / "skirmish.rules").read_text()
SHEET = """
errata sheet of skirmish "Corrections <b>":
  source: a letter & more
  date: 1 Apr 1816
  case E.1 "Corrections":
    note "Zones & <marches>."
    amend 3 march.budget: 3 becomes 4
    replace row 4 results:
      | 1-3 | A   | A   | D   |
      | 1-3 | A   | D   | D   |
    rename 2 in_zone to held
    move 3.1 to 3.9
    strike 6 "odds"
    insert after movement:
      log "the guns open up"
    house define bold(u: unit) -> flag: u.strength > 3
    except 3.2 march.enter: 1 when bold(u)
    amend "Red 2".strength: 3 becomes 5
"""


def pages_of(folder, text, name="skirmish.rules", colors=True):
    path = folder / name.partition("+")[0]
    path.write_text(text)
    made = analyse(str(folder / name))
    assert not made.report.failed, [d.message for d in made.report.found]
    return doc(made, not_measured(), inventory(made), colors)


def box(page, anchor):
    """The words of one declaration's box."""
    start = page.index(f'id="{anchor}"')
    ends = [page.find(mark, start) for mark in ('<div class="declaration', "<h3>", "</section>")]
    inner = re.sub(r"</?(?:span|a)\b[^>]*>", "", page[start : min(e for e in ends if e > 0)])
    return " ".join(unescape(re.sub("<[^>]+>", " ", inner)).split())


@pytest.fixture(scope="module")
def amended(tmp_path_factory):
    return pages_of(tmp_path_factory.mktemp("book"), SKIRMISH + SHEET, "skirmish.rules+sheet")


def test_an_amended_declaration_shows_both_texts_and_who_amends_it(amended):
    text = box(amended["chapter-3.html"], "3-route-march")
    assert "budget: 4" in text and "as amended by E.1 (sheet)" in text
    assert "As the book has it" in text and "budget: 3" in text
    assert "amended by E.1 amend 3 march (sheet)" in text
    assert "amends 3 route march" in box(amended["chapter-E.html"], "E.1-amend-3-march")


def test_a_table_is_drawn_with_the_new_row(amended):
    text = box(amended["chapter-4.html"], "4-table-results")
    assert "1-3 A D D 4-6 A D D" in text and "amended by E.1" in text
    assert '<th scope="row">1-3</th><td>A</td><td>D</td><td>D</td>' in amended["tables.html"]


def test_a_moved_case_stands_at_its_new_number(amended):
    page = amended["chapter-3.html"]
    assert "held(enemy(u.side), there)" in unescape(re.sub("<[^>]+>", "", page[page.index('id="case-3.9"') :]))
    assert "This case has another number now: 3.9" in page and 'id="case-3.1"' in page


def test_a_renamed_name_is_linked_everywhere(amended):
    assert 'href="chapter-2.html#2-define-held"' in amended["chapter-3.html"]
    assert "in_zone" not in amended["names.html"]


def test_what_is_struck_stays_to_be_read(amended):
    page = amended["chapter-6.html"]
    assert re.search(r"<summary>odds <span class=\"badge\">struck</span></summary>", page)
    assert "struck by E.1 strike 6 “odds” (sheet)" in box(page, "6-example-2")


def test_exceptions_to_exceptions_lead_both_ways(amended):
    assert "exception in E.1 except 3.2 march (sheet)" in box(amended["chapter-3.html"], "3.2-except-3-march")
    text = box(amended["chapter-E.html"], "E.1-except-3-2-march")
    assert "makes an exception to 3.2 except 3 march" in text and "from sheet" in text


def test_house_values_are_marked_and_listed(amended):
    assert "define bold house from sheet" in box(amended["chapter-E.html"], "E.1-define-bold")
    assert "E.1 define bold" in amended["house.html"]


def test_rosters_show_what_units_print(amended):
    text = box(amended["chapter-1.html"], "1-roster-armies")
    assert "Red 2 red 5 A2" in text and "Blue 1 blue 4 D4" in text
    assert re.search(r'<tr id="unit-Red-20-2"><th scope="row">Red 2</th><td>[^<]*strength 5', amended["units.html"])


def test_overlays_say_where_they_come_from(amended):
    text = " ".join(unescape(re.sub("<[^>]+>", " ", amended["overlays.html"])).split())
    assert "Errata sheet: Corrections <b>" in text and "source a letter & more date 1816-04-01" in text
    assert "E.1 strikes 6 “odds”" in text


def test_the_sequence_is_drawn_and_told(amended):
    page = amended["sequence.html"]
    assert page.count("<svg") == 1 and "<title" in page and "<desc" in page
    picture = page[page.index("<svg") : page.index("</svg>")]
    for word in ("side_turn for phasing in [red, blue]", "movement", "the guns open up", "phasing may: attack"):
        assert word in picture and word in page[page.index("</svg>") :]


def test_nothing_that_an_author_writes_becomes_markup(tmp_path):
    evil = SKIRMISH.replace('"Zones"', '"<script>alert(1)</script>"').replace('"A skirmish"', '"</title><b>"')
    evil = evil.replace("case 3.1", 'case 2.5 "x":\n  note "</p><img src=x onerror=y>"\n\ncase 3.1')
    for name, text in pages_of(tmp_path, evil).items():
        if name == "search.js":
            continue  # a script of its own, in which these are texts; the page shows them as texts too
        assert "<script>alert" not in text and "<img src=x" not in text and "</title><b>" not in text


def test_without_pygments_the_text_is_plain_and_linked(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pygments.token", None)
    assert doc_code.tokens() is None
    page = pages_of(tmp_path, SKIRMISH)["chapter-2.html"]
    assert '<span class="k">' not in page and '<a href="chapter-1.html#1-kind-side">side</a>' in page


def test_colors_and_links_leave_the_text_as_it_is(tmp_path):
    for colors in (True, False):
        page = pages_of(tmp_path, SKIRMISH, colors=colors)["chapter-2.html"]
        shown = [unescape(re.sub("<[^>]+>", "", x)) for x in re.findall(r'<pre class="code">(.*?)</pre>', page, re.S)]
        assert shown == [
            "define zone(u: unit) -> set of hex: {u.hex} + neighbors(u.hex)",
            "define in_zone(s: side, h: hex) -> flag: any units(s) where h in zone(it)",
        ]


def test_a_note_leads_to_the_cases_it_names(tmp_path):
    text = SKIRMISH.replace('case 3.2 "Woods cost two":', 'case 3.2 "Woods":\n  note "Not 3.9 nor 13.1, but 3.1."')
    assert (
        '<p class="note">Not 3.9 nor 13.1, but <a href="#case-3.1">3.1</a>.</p>'
        in pages_of(tmp_path, text)["chapter-3.html"]
    )


def test_case_numbers_in_their_order():
    numbers = ["2", "2.1", "2.1/p2", "2.1.1", "2.2", "2.10", "10", "10.A/p1", "10.A.b", "ABS/CRT", "HOUSE/x"]
    assert sorted(reversed(numbers), key=natural) == numbers


# ---------------------------------------------------------------- the command


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "skirmish.rules"
    path.write_text(SKIRMISH)
    (tmp_path / "inventory.tsv").write_text(
        "case\ttitle\texecutable\n2\tZones\trule\n2/p2\tMore\trule\n7\tLost\tprose\n"
    )
    return path


def test_coverage_is_measured_only_when_asked(book, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["doc", str(book), "-o", str(out)]) == 0
    assert "was not measured" in (out / "index.html").read_text()
    assert main(["doc", str(book), "-o", str(out), "--coverage"]) == 0
    page = (out / "chapter-2.html").read_text()
    assert "measured against its inventory" in page and re.search(r'badge" title="[^"]*">rule: (run|weak)', page)
    rows = " ".join(unescape(re.sub("<[^>]+>", " ", (out / "coverage.html").read_text())).split())
    assert "2/p2 More rule no block missing" in rows and "7 Lost prose no block" in rows


def test_coverage_of_another_rule_set_says_so(book, tmp_path, capsys):
    file = tmp_path / "c.json"
    row = {"case": "2", "executable": "rule", "status": "weak", "where": "", "by": "4 mutants unnoticed"}
    file.write_text(json.dumps({"book": "other+x", "rows": [row], "totals": {}}))
    assert main(["doc", str(book), "-o", str(tmp_path / "out"), "--coverage", str(file)]) == 0
    page = (tmp_path / "out" / "chapter-2.html").read_text()
    assert "measured earlier for other+x, not for skirmish" in page and "rule: weak" in page


@pytest.mark.parametrize("text", ["", "[]", '{"book": 1}', '{"book": "x", "rows": [{"case": "2"}]}'])
def test_a_file_that_is_no_coverage(book, tmp_path, capsys, text):
    file = tmp_path / "c.json"
    file.write_text(text)
    assert main(["doc", str(book), "-o", str(tmp_path / "out"), "--coverage", str(file)]) == 2
    assert "no report of rulewright coverage" in capsys.readouterr().err and not (tmp_path / "out").exists()


def test_old_pages_go_and_other_files_stay(book, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["doc", str(book), "-o", str(out)]) == 0
    (out / "mine.html").write_text("mine")
    book.write_text(SKIRMISH.replace("case 6 ", "case 8 "))
    assert main(["doc", str(book), "-o", str(out)]) == 0
    assert (out / "mine.html").read_text() == "mine"
    assert not (out / "chapter-6.html").exists() and (out / "chapter-8.html").exists()


def test_a_book_with_errors_writes_nothing(book, tmp_path, capsys):
    book.write_text(SKIRMISH.replace("budget: 3", "budget: threee"))
    assert main(["doc", str(book), "-o", str(tmp_path / "out")]) == 2
    assert "threee" in capsys.readouterr().err and not (tmp_path / "out").exists()
    assert main(["doc", str(book), "-o", str(book)]) == 2
