"""`rulewright doc` on whole books: every link leads somewhere, every case has its place, the bytes are the same."""

import hashlib
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from rulewright.compiler.doc.coverage import inventory, not_measured
from rulewright.compiler.doc.model import AMENDMENTS, case_anchor, page_of
from rulewright.compiler.doc.site import Pages
from rulewright.compiler.pipeline import analyse

BOOKS = ("trc+26.9", "tdv", "fragment")
VOID = {"meta", "link", "br", "img", "input"}


class Page(HTMLParser):
    """The ids, links and words of a page; a tag left open or closed twice is found."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.headings, self.words = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        self.links += [v for k, v in attrs.items() if k in ("href", "src", "action")]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module", params=BOOKS)
def tree(request):
    made = analyse(request.param)
    assert not made.report.failed
    pages = Pages(made, not_measured(), inventory(made), colors=True)
    files = pages.files()
    return made, pages, files, {name: Page(text) for name, text in files.items() if name.endswith(".html")}


def test_every_link_leads_to_an_anchor_of_the_tree(tree):
    _, _, files, parsed = tree
    count = 0
    for name, page in parsed.items():
        assert len(page.ids) == len(set(page.ids)), name
        for link in page.links:
            file, _, anchor = link.partition("#")
            assert (file or name) in files, (name, link)
            if anchor:
                assert unquote(anchor) in parsed[file or name].ids, (name, link)
                count += 1
    assert count > 2000


def test_search_leads_to_anchors_too(tree):
    _, _, files, parsed = tree
    found = re.findall(r'^\["(?:[^"\\]|\\.)*", "(?:[^"\\]|\\.)*", "([^"]*)"\]', files["search.js"], re.M)
    assert len(found) > 300
    for href in found:
        file, _, anchor = href.partition("#")
        assert anchor in parsed[file].ids, href


def test_nothing_comes_from_outside(tree):
    _, _, files, _ = tree
    for name, text in files.items():
        assert not re.search(r"https?:(?!//www\.w3\.org/2000/svg)|url\((?!#)|@import|<iframe|<object", text), name
        assert "/tmp/" not in text and str(Path.home()) + "/" not in text, name


def test_every_case_declaration_and_unit_has_its_place(tree):
    made, pages, files, parsed = tree
    for case in made.book.cases:
        assert case_anchor(case) in parsed[page_of(case)].ids, case
        assert f'href="{page_of(case)}#{case_anchor(case)}"' in files["index.html"], case
    shown = [d for d in pages.model.declarations() if d.state == "stands" or isinstance(d.entry.node, AMENDMENTS)]
    assert {id(e) for e in made.entries} <= {id(d.entry) for d in shown}
    for d in shown:
        assert d.anchor in parsed[page_of(d.case)].ids, d.label
    units = sum(len(found) for found in pages.rosters.values())
    assert units == len(made.book.units) == sum(x.startswith("unit-") for x in parsed["units.html"].ids)
    assert {f"place-{n}" for n in made.book.map.names if n.isidentifier()} <= set(parsed["map.html"].ids)
    for table in made.book.tables.values():
        assert f"<code>{table.name}</code>" in files["tables.html"]
    for row in inventory(made):
        assert case_anchor(row.case) in parsed["coverage.html"].ids


def test_every_note_and_reading_is_shown(tree):
    made, _, _, parsed = tree
    every = {name: " ".join("".join(p.words).split()) for name, p in parsed.items()}
    notes = [x for path in made.sources for x in re.findall(r'^  (?:  )?note "([^"]+)"', path.read_text(), re.M)]
    in_force = [x for x in notes if any(x in text for text in every.values())]
    outside = {x for o in made.overlays.values() if o.name not in made.book.overlays for x in o.span.text.split('"')}
    assert [x for x in notes if x not in in_force and x not in outside] == [] and in_force
    for u in made.book.unclear.values():
        assert len(u.readings) > 1
        for _, text in u.readings:
            assert " ".join(text.split()) in every["unclear.html"] and " ".join(text.split()) in every[page_of(u.case)]


def test_uses_are_told_on_both_ends(tree):
    _, pages, files, _ = tree
    by_href = {d.href: d for d in pages.model.declarations()}
    told = 0
    for d, links in pages.names.links.items():
        for link in links:
            target = by_href.get(link.href)
            if target is None or target is d or d.state == "struck":
                continue
            uses = pages.names.uses[target]
            assert d in uses.rules or d in uses.examples
            body = section(files[page_of(target.case)], target.anchor)
            assert d.anchor + '"' in body, (d.label, target.label)
            told += 1
    assert told > 1000


LANGUAGE = frozenset(
    "done take_back hex point unit flag number place hexside path game here there crossing it usual keep land enter "
    "nobody nowhere never none nothing halted group unassigned actor".split()
)


def test_every_name_used_is_linked_local_or_of_the_language(tree):
    _, pages, _, _ = tree
    assert {word for _, word in pages.names.unknown} <= LANGUAGE


def section(text, anchor):
    """The box of one declaration."""
    start = text.index(f'id="{anchor}"')
    ends = [text.find(mark, start) for mark in ('<div class="declaration', '<details class="example', "</section>")]
    return text[start : min(e for e in ends if e > 0)]


def test_what_the_core_says_of_exceptions_is_shown(tree):
    made, pages, _, _ = tree
    suffers: dict[str, set[str]] = {}
    for target, found in pages.printer.overrides.suffers.items():
        suffers.setdefault(target.case, set()).update(r.label.split(" ")[0] for r in found)

    def below(layer):
        for e in layer.exceptions:
            yield layer.case, e.case
            yield from below(e)
        for w in layer.waivers:
            yield layer.case, w.case

    pairs = set()
    for d in made.book.definitions.values():
        pairs.update(below(d.base))
        pairs.update((d.case, x.layer.case) for x in d.contributions if "." not in d.name)
    for p in (*made.book.procedures.values(), *(a.procedure for a in made.book.actions.values())):
        pairs.update((p.case, w.case) for w in p.wrappers)
    rules = [r for x in (made.book.routes, made.book.actions, made.book.matchings) for y in x.values() for r in y.rules]
    pairs.update((r.case, w.case) for r in rules for w in r.waivers)
    assert len(pairs) > 15
    for target, by in sorted(pairs):
        assert by in suffers.get(target, ()), (target, by)


def test_headings_follow_in_order(tree):
    for name, page in tree[3].items():
        assert page.headings[0] == 1 and page.headings.count(1) == 1, name
        assert all(b - a <= 1 for a, b in zip(page.headings, page.headings[1:], strict=False)), name


@pytest.mark.parametrize("tree", ["fragment"], indirect=True)
def test_another_process_in_another_folder_writes_the_same_bytes(tree, tmp_path):
    made, _, files, _ = tree
    book = made.name.partition("+")[0]
    root = Path(__file__).resolve().parents[2] / "rulebooks" / book
    name = made.name.replace(book, os.path.relpath(root, tmp_path), 1)
    env = {**os.environ, "PYTHONHASHSEED": "7", "RULEWRIGHT_CACHE": str(tmp_path / "cache")}
    run = [sys.executable, "-m", "rulewright.compiler.cli.main", "doc", name, "-o", "pages"]
    subprocess.run(run, cwd=tmp_path, env=env, check=True, capture_output=True, timeout=600)
    written = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in (tmp_path / "pages").iterdir()}
    assert written == {n: hashlib.sha256(t.encode()).hexdigest() for n, t in files.items()}
