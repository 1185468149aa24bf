"""Pages that anyone can read: axe-core finds nothing wrong with them in a real browser.

Skipped, with the reason, where no Chromium or no axe-core is installed.
"""

import importlib.util
import json
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main

HERE = Path(__file__).parent
SKIRMISH = HERE.parent / "books" / "skirmish.rules"
spec = importlib.util.spec_from_file_location("rulewright_test_browser", HERE / "browser.py")
chromium = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chromium)

pytestmark = pytest.mark.skipif(bool(chromium.why_not()), reason=chromium.why_not() or "pages are opened")
WIDE, NARROW_DARK = {"width": 1200, "dark": False}, {"width": 380, "dark": True}
REAL = ("sequence.html",)
VARIANT = """
variant bold of skirmish "Bold play":
  source: a letter
  date: 1 Apr 1816
  case 9 "Bolder":
    note "Marches are longer, and woods are open."
    amend 3 march.budget: 3 becomes 4
    house define boldness -> number: 2
    unclear dusk "Does a battle end at dusk?":
      reading goes_on "it goes on"
      reading breaks_off "it breaks off"
    define odds_at_dusk -> number:
      boldness when dusk = goes_on
      0 otherwise
    except 3.2 march.enter: 1
    strike 6 "odds"
    example "boldness":
      expect boldness = 2 and odds_at_dusk = 2
  case 9.1 "Night":
    untranslated "nothing is said about the night"
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    made = chromium.Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def axe():
    return chromium.find_axe()


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The reference of a small book with an overlay: every sort of page."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "skirmish.rules").write_text(SKIRMISH.read_text() + VARIANT)
    states = (("2", "run"), ("3", "weak"))
    rows = [{"case": c, "executable": "rule", "status": s, "where": "", "by": "so"} for c, s in states]
    (folder / "covered.json").write_text(json.dumps({"book": "skirmish", "rows": rows, "totals": {}}))
    book = f"{folder / 'skirmish.rules'}+bold"
    assert main(["doc", book, "-o", str(folder / "pages"), "--coverage", str(folder / "covered.json")]) == 0
    return folder / "pages"


def look(browser, axe, path, **how):
    browser.open(path, **how)
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert browser.violations(axe) == [], (path.name, how)
    assert browser.run("document.documentElement.scrollWidth") <= how["width"], "the page is wider than its window"


def test_axe_finds_what_is_wrong(browser, axe, tmp_path):
    page = tmp_path / "bad.html"
    page.write_text("<html><body><img src='x.png'><p style='color:#999;background:#aaa'>pale</p></body></html>")
    browser.open(page)
    found = {rule for rule, *_ in browser.violations(axe)}
    assert {"image-alt", "color-contrast", "html-has-lang"} <= found


def test_every_sort_of_page_of_a_reference(browser, axe, small):
    pages = sorted(small.glob("*.html"))
    assert len(pages) >= 15
    for i, page in enumerate(pages):
        look(browser, axe, page, **(WIDE, NARROW_DARK)[i % 2])
        if page.name == "chapter-9.html":
            look(browser, axe, page, **(NARROW_DARK, WIDE)[i % 2])


def test_pages_of_a_book(browser, axe, tmp_path):
    assert main(["doc", "fragment", "-o", str(tmp_path)]) == 0
    for i, name in enumerate(REAL):
        look(browser, axe, tmp_path / name, **(NARROW_DARK, WIDE)[i % 2])


def test_change_notes(browser, axe, tmp_path):
    other = tmp_path / "other.rules"
    text = (
        SKIRMISH.read_text()
        .replace("budget: 3", "budget: 2")
        .replace("| 1-3 | A   | A   | D   |", "| 1-3 | A   | D   | D   |")
    )
    other.write_text(text)
    page = tmp_path / "notes.html"
    args = ["diff", str(SKIRMISH), str(other), "--format", "html", "-o", str(page), "--positions", "40"]
    assert main([*args, "--games", "1", "--jobs", "1"]) == 0
    assert "<figure>" in page.read_text() and "Balance" in page.read_text()
    look(browser, axe, page, **WIDE)
    look(browser, axe, page, **NARROW_DARK)


def test_an_edition(browser, axe, tmp_path):
    book = tmp_path / "skirmish.rules"
    book.write_text(SKIRMISH.read_text() + VARIANT)
    assert main(["edition", str(book), "-o", str(tmp_path / "first"), "--examples", "0"]) == 0
    second = ["edition", f"{book}+bold", "-o", str(tmp_path / "second"), "--since", str(tmp_path / "first")]
    assert main(second) == 0
    page = tmp_path / "second" / "index.html"
    assert all(f'class="{x}"' in page.read_text() for x in ("bar", "example", "unclear", "untranslated", "formerly"))
    look(browser, axe, page, **WIDE)
    look(browser, axe, page, **NARROW_DARK)


def test_search_finds_by_key_and_by_link(browser, small):
    found = "[...document.querySelectorAll('#results a')].map(a => [a.textContent, a.getAttribute('href')])"
    browser.open(small / "index.html", query="?q=in_zone")
    assert ["in_zone", "chapter-2.html#2-define-in_zone"] in browser.run(found)
    assert browser.run("document.getElementById('count').textContent").startswith("1 found, ")
    typed = "const q = document.getElementById('q'); q.value = 'woods cost'; q.dispatchEvent(new Event('input'));"
    browser.run(typed)
    assert browser.run(found) == [["3.2 Woods cost two", "chapter-3.html#case-3.2"]]
    browser.run("q.value = ''; q.dispatchEvent(new Event('input'));")
    assert browser.run("document.getElementById('found').hidden") is True


@pytest.mark.parametrize(
    ("query", "href"),
    [
        ("BUDGET", "chapter-3.html#3-route-march"),
        ("neigh", "chapter-2.html#2-define-zone"),
        ("given refused", "chapter-6.html#6-example"),
        ("nosuchword", None),
    ],
)
def test_search_covers_the_text_of_cases(browser, small, query, href):
    found = "[...document.querySelectorAll('#results a')].map(a => a.getAttribute('href'))"
    browser.open(small / "index.html", query=f"?q={query.replace(' ', '+')}")
    hits = browser.run(found)
    assert href in hits if href else hits == []


def test_a_link_to_an_example_opens_it(browser, small):
    is_open = "document.querySelector('details.example').open"
    browser.open(small / "chapter-6.html")
    assert browser.run(is_open) is False
    browser.open(small / "chapter-6.html", query="#6-example")
    assert browser.run(is_open) is True
