"""The living edition: every rule of a small book is in it, with its history, and what changed is marked."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.edition.amendments import amendment
from rulewright.compiler.edition.build import build
from rulewright.compiler.edition.changes import changes
from rulewright.compiler.edition.manifest import as_earlier
from rulewright.compiler.edition.parts import Edition
from rulewright.compiler.edition.render import render
from rulewright.compiler.pages.pdf import pdf_of
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.words.cases import sentences
from rulewright.compiler.words.expressions import Words
from rulewright.compiler.words.said import plain

EVERY_FORM = Path(__file__).parents[1] / "diagnostics" / "every_form.rules"
LONG = "L" + "o" * 120 + "ng"
BOOK = f"""book ferry "The Ferry" dated "Apr 1983"

case 1 "Pieces <b>bold</b>":
  kind side: red, blue
  kind ground: open, woods
  field ground of hex: ground = open
  field strength of unit: number
  map river:
    grid: rows A..D, columns from the west
    hexes: A1..A6, B1..B6, C1..C6, D1..D6
    ground woods: B3, C3
    name Ferry: B4
  roster armies:
    form: strength side
    4 red: 1 Guard @B1, {LONG} @A1
    3 blue: 2 Foot @B6
  house define dusk -> number: 6
  note "Counters <script>alert(1)</script> face \u202eright."

case 2 "Zones":
  define zone(u: unit) -> set of hex: {{u.hex}} + neighbors(u.hex)
  words en:
    zone: the zone of control of {{u}}

case 3 "Marches":
  route march(u: unit):
    over: land
    from: u.hex
    budget: 3
    enter: 1
  stop march when any units(red) + units(blue) where it.side != u.side and there in zone(it)
  action move(u: unit from units(phasing), p: path from march(u)) by phasing during movement:
    when night = allowed and u.strength > 0
    walk u along p
    log "{{u}} goes"
  words en:
    march: the marches of {{u}}
    move: move {{u}} along {{p}}
  example "a zone stops a march":
    given "1 Guard" at @C1, "2 Foot" at @C4
    given phasing = red
    given during movement
    legal red: move("1 Guard", [@C1, @C2])
    refused red: move("1 Guard", [@C1, @C2, @C3, @B3]) by 3
  example "woods can be entered":
    given "1 Guard" at @B1
    given phasing = red
    given during movement
    legal red: move("1 Guard", [@B1, @B2, @B3])

case 3.1 "Woods":
  except 3 march.enter: 2 when there.ground = woods

case 4 "Night":
  unclear night "May a march begin at night?":
    reading allowed "it may, the text names no hour"
    reading barred "it may not, since marches end at dusk"
  untranslated "what lanterns are for"

case 5 "Play":
  table losses(die: number) -> number:
    | die | losses |
    | 1-3 | 0      |
    | 4-6 | 1      |
  sequence play:
    repeat at most dusk + losses(1):
      phase turn for phasing in [red, blue]:
        phase movement:
          offer phasing: move
  scenario crossing "The crossing":
    sequence: play
"""
SHEETS = """errata first_sheet of ferry "First sheet":
  source: a magazine
  date: Aug 1984
  case E.1 "Deep woods":
    amend 3.1 march.enter: 2 becomes 3

errata second_sheet of ferry "Second sheet":
  source: the publisher
  date: 1986
  supersedes: first_sheet
  case F.1 "Woods are closed":
    forbid march as closed when there.ground = woods
  case F.2 "Longer marches":
    amend 3 march.budget: 3 becomes 4
"""


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("books") / "ferry"
    folder.mkdir()
    (folder / "book.rules").write_text(BOOK, encoding="utf-8")
    (folder / "errata.rules").write_text(SHEETS, encoding="utf-8")
    return str(folder)


@pytest.fixture(scope="module")
def editions(ferry: str) -> dict[str, Edition]:
    return {day: build(analyse(f"{ferry}@{day}")) for day in ("1983-04", "1985", "1986")}


class Text(HTMLParser):
    """The text of a page, and what it would fetch."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.fetched: list[str] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [v or "" for k, v in attrs if k in ("src", "href", "data") and not (v or "").startswith("#")]

    @property
    def whole(self) -> str:
        return "".join(self.words)


def test_every_sentence_stands_under_its_case(ferry: str, editions: dict[str, Edition]) -> None:
    book = analyse(f"{ferry}@1986").book
    assert book is not None
    cases = editions["1986"].cases()
    for id, of in sentences(book, diary=False).items():
        told = "\n".join(cases[id].texts)
        for said in [*(s for one in of.own for s in one.said), *of.others]:
            first = plain([said])[0]
            unclear = first.startswith("May a march")
            assert (first if not unclear else said.text.rstrip(".")) in told, (id, first)
    assert "log says" not in render(editions["1986"])


def test_a_page_fetches_nothing_and_runs_nothing(editions: dict[str, Edition]) -> None:
    page = Text(render(editions["1986"]))
    assert page.fetched == [] and "script" not in page.tags and "link" not in page.tags
    assert "@import" not in page.whole and "url(http" not in page.whole


def test_markup_marks_and_long_names_are_text(editions: dict[str, Edition]) -> None:
    html = render(editions["1983-04"])
    page = Text(html)
    assert "Pieces <b>bold</b>" in page.whole and "<script>alert(1)</script>" in page.whole
    assert "\u202e" not in html and "\\u202eright" in page.whole and LONG in page.whole


def test_house_unclear_and_untranslated_are_marked(editions: dict[str, Edition]) -> None:
    cases = editions["1983-04"].cases()
    assert cases["1"].marks == ("house",) and cases["4"].marks == ("unclear", "untranslated")
    page = Text(render(editions["1983-04"])).whole
    for text in ("As played here (“allowed”)", "it may, the text names no hour", "Also read as (“barred”)"):
        assert text in page
    assert "it may not, since marches end at dusk" in page and "what lanterns are for" in page


def test_the_history_of_a_case(editions: dict[str, Edition]) -> None:
    told = {id: [(e.date, e.what) for e in case.history] for id, case in editions["1986"].cases().items()}
    assert told["3.1"] == [
        ("Apr 1983", "printed"),
        ("Aug 1984", "amended by erratum E.1"),
        ("1986", "E.1 superseded"),
    ]
    assert ("1986", "amended by erratum F.2") in told["3"] and ("1986", "ban added by erratum F.1") in told["3"]
    assert told["F.1"] == [("1986", "added by erratum F.1")] and told["2"] == [("Apr 1983", "printed")]
    assert [(e.date, e.what) for e in editions["1985"].cases()["3.1"].history][-1] == told["3.1"][1]


def test_what_changed_is_barred_and_nothing_else(editions: dict[str, Edition]) -> None:
    new = editions["1986"]
    found = changes(new, as_earlier(editions["1985"]))
    assert list(found.order) == ["3", "3.1", "E.1", "F.1", "F.2"]
    assert {id: x.what for id, x in found.cases.items()} == {
        "3": "changed",
        "3.1": "changed",
        "E.1": "gone",
        "F.1": "new",
        "F.2": "new",
    }
    route = next(x for x in new.cases()["3"].parts if x.text.startswith("The marches"))
    move = next(x for x in new.cases()["3"].parts if "may move" in x.text)
    assert route.text in found.cases["3"].new and move.text not in found.cases["3"].new
    assert any("It may cost at most 3." in text for text in found.cases["3"].gone)
    page = render(new, found)
    assert page.count('<div class="bar">') == sum(
        part.text in found.cases[case.id].new
        for case in new.cases().values()
        if case.id in found.cases
        for part in case.parts
    )
    assert '<div class="bar">' not in render(new, changes(new, as_earlier(new)))


def test_references_go_both_ways_and_terms_are_listed(editions: dict[str, Edition]) -> None:
    cases = editions["1986"].cases()
    assert "2" in cases["3"].see and "3" in cases["2"].seen_from
    for id, case in cases.items():
        assert all(id in cases[other].seen_from for other in case.see), id
    terms = {t.word: t for t in editions["1986"].terms}
    assert terms["zone of control"].at == ("2",) and "3" in terms["zone of control"].used
    assert "move … along" in terms


def test_tables_counters_and_the_map_are_there(editions: dict[str, Edition]) -> None:
    parts = {x.sort: x for case in editions["1986"].cases().values() for x in case.parts}
    assert parts["counters"].rows[0].many in (1, 2) and "<svg" in parts["counters"].rows[0].picture
    assert "<svg" in parts["picture"].svg and {"die", "losses"} <= set(
        next(x for x in editions["1986"].cases()["5"].parts if x.sort == "grid" and "by die" in x.caption).heads
    )


# ---------------------------------------------------------------- the command


def test_the_command_writes_the_same_bytes(ferry: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for out in ("one", "two"):
        assert main(["edition", f"{ferry}@1985", "-o", str(tmp_path / out)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'one' / 'index.html'}\n{tmp_path / 'two' / 'index.html'}\n"
    pages = [(tmp_path / out / "index.html").read_bytes() for out in ("one", "two")]
    assert pages[0] == pages[1] and str(tmp_path).encode() not in pages[0]
    assert (tmp_path / "one" / "edition.json").read_bytes() == (tmp_path / "two" / "edition.json").read_bytes()


def test_only_examples_that_hold_are_printed(ferry: str, tmp_path: Path) -> None:
    assert main(["edition", f"{ferry}@1985", "-o", str(tmp_path / "before")]) == 0
    assert main(["edition", f"{ferry}@1986", "-o", str(tmp_path / "after"), "--since", str(tmp_path / "before")]) == 0
    before, after = (Text((tmp_path / x / "index.html").read_text("utf-8")).whole for x in ("before", "after"))
    assert "Example: A zone stops a march" in before and "Example: A zone stops a march" in after
    assert "Example: Woods can be entered" not in before, "three points are not enough for B1 to B3"
    assert "1 more example in the reference" in after
    assert "Red may not move 1 Guard along C1 – C2 – C3 – B3 (3)." in after
    assert "1 Guard at C1" in (tmp_path / "after" / "index.html").read_text("utf-8"), "the picture tells who is where"
    assert "Compared with ferry@1985: 5 cases read otherwise." in after


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{ferry}@1982"], "1982 is before the first edition: ferry was printed in Apr 1983"),
        (["{ferry}@1986", "--since", "1980"], "1980 is before the first edition"),
        (["{ferry}", "--since", "yesterday"], '"yesterday" is neither a date nor the folder of an edition'),
        (["{ferry}", "--since", "{empty}"], "holds no edition: there is no edition.json in it"),
        (["{ferry}", "--since", "{broken}"], "cannot be read as the manifest of an edition"),
        (["{ferry}", "--since", "{newer}"], "has format 99, and this version reads 1"),
        (["{ferry}", "--examples", "many"], '--examples takes a number or all, not "many"'),
        (["{ferry}+nosuch"], 'there is no overlay "nosuch" of'),
    ],
)
def test_what_cannot_be_done_is_said(
    words: list[str], said: str, ferry: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("empty", None), ("broken", "[1, 2"), ("newer", json.dumps({"format": 99}))):
        (tmp_path / name).mkdir()
        if text is not None:
            (tmp_path / name / "edition.json").write_text(text)
    places = {"ferry": ferry, **{x: str(tmp_path / x) for x in ("empty", "broken", "newer")}}
    assert main(["edition", *(w.format(**places) for w in words), "-o", str(tmp_path / "out")]) == 2
    told = capsys.readouterr()
    assert said in told.err and told.out == "" and not (tmp_path / "out").exists()


def test_a_book_says_a_date_or_none(tmp_path: Path) -> None:
    path = tmp_path / "late.rules"
    found = {}
    for date in ("31 Feb 1977", "yesterday", "Apr 1983", "1983-04-01"):
        path.write_text(BOOK.replace("Apr 1983", date), encoding="utf-8")
        found[date] = [d.code for d in analyse(str(path)).report.found if d.severity == "error"]
    assert found == {"31 Feb 1977": ["RW123"], "yesterday": ["RW123"], "Apr 1983": [], "1983-04-01": []}


def test_without_the_extra_one_line_says_so(
    ferry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    assert main(["edition", ferry, "-o", str(tmp_path), "--examples", "0", "--pdf"]) == 2
    assert capsys.readouterr().err.startswith("a PDF needs the extra pdf: pip install 'rulewright[pdf]'")


def test_a_pdf_is_the_same_twice_and_fetches_nothing(tmp_path: Path) -> None:
    pytest.importorskip("weasyprint", reason="pip install 'rulewright[pdf]'", exc_type=(ImportError, OSError))
    picture = tmp_path / "x.svg"
    picture.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>')
    pages = [
        f"<html lang=en><title>T</title><img src='{x}' alt='x'><h1>Ferry</h1></html>" for x in (picture.as_uri(), "")
    ]
    found = [pdf_of(page) for page in (*pages, pages[0])]
    assert found[0][:5] == b"%PDF-" and found[0] == found[2]
    assert abs(len(found[0]) - len(found[1])) < 20, "the picture is not in it"


def test_every_amendment_is_said() -> None:
    made = analyse(f"{EVERY_FORM}+fog+sheet")
    assert made.book is not None and made.layers
    w = Words(made.book)
    said = [
        amendment(w, x, False) for _, layer in made.layers for case in layer.body for x in getattr(case, "body", ())
    ]
    texts = [line for s in said if s is not None for line in plain([s])]
    assert len(texts) > 8 and not [t for t in texts if re.search(r"[{}<>=_]|->", t)], texts
