"""`rulewright diff` on the command line: every format, exit codes, the ignore file."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main

BOOK = str(Path(__file__).parent.parent / "books" / "skirmish.rules")
DIFF = ["diff", "--positions", "5"]
"""A short search: what is asked here is the form of the answer."""
CHANGES = [
    ("budget: 3", "budget: 2"),
    ("| 1-3 | A   | A   | D   |", "| 1-3 | A   | D   | D   |"),
    ("Red 2 @A2", "Red 2 @A2, Red 3"),
    ('"Zones"', '"Zones <&> so on"'),
    ("\n\ncase 3.2", "\n  forbid march when u.strength = 9\n\ncase 3.2"),
]


@pytest.fixture
def other(tmp_path):
    text = Path(BOOK).read_text()
    for old, new in CHANGES:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "other.rules"
    path.write_text(text)
    return str(path)


def test_text_is_short_and_detail_says_more(other, capsys):
    assert main([*DIFF, BOOK, other]) == 0
    short = capsys.readouterr().out
    assert "~ route march, budget: 3 becomes 2" in short and "narrower (proved)" in short
    assert "odds 1:1: A 1/2 → 0; D 1/2 → 1" in short and "\x1b" not in short
    assert main([*DIFF, BOOK, other, "--detail"]) == 0
    detail = capsys.readouterr().out
    assert "why: " in detail and "skirmish.rules:" in detail and len(detail) > len(short)


def test_no_difference_is_one_line(capsys):
    assert main([*DIFF, BOOK, BOOK]) == 0
    assert capsys.readouterr().out.strip().endswith("no difference")


def test_json_has_the_four_lists(other, capsys):
    assert main([*DIFF, BOOK, other, "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert [k for k in made if isinstance(made[k], list)] == [
        "sheets",
        "facts",
        "judgements",
        "witnesses",
        "distributions",
        "examples_of_no_fact",
        "saves",
    ]
    for f in made["facts"]:
        assert {"id", "kind", "case", "before", "after", "where"} <= set(f)
    ids = {f["id"] for f in made["facts"]}
    assert len(ids) == len(made["facts"]) and all(j["fact"] in ids for j in made["judgements"])
    for j in made["judgements"]:
        assert {"id", "alters_play", "direction", "certainty", "reason", "for", "touches", "examples", "saves"} <= set(
            j
        )
    column = made["distributions"][0]["columns"][1]
    assert column["outcomes"][0] == {"outcome": "A", "before": "1/2", "after": "0"}


def test_fail_on_exits_one_only_for_what_it_names(other, tmp_path, capsys):
    assert main([*DIFF, BOOK, other, "--fail-on", "narrower,different"]) == 1
    assert main([*DIFF, BOOK, other, "--fail-on", "wider"]) == 0
    assert main([*DIFF, BOOK, BOOK, "--fail-on", "alters"]) == 0
    assert main([*DIFF, BOOK, other, "--fail-on", "worse"]) == 2
    assert "it knows: alters, may, not, narrower" in capsys.readouterr().err


def test_ignored_ids_are_left_out(other, tmp_path, capsys):
    main([*DIFF, BOOK, other, "--format", "json"])
    made = json.loads(capsys.readouterr().out)
    ignore = tmp_path / "ignore"
    ignore.write_text(
        "# known\n\n" + "\n".join(f"{f['id']}  agreed in May" for f in made["facts"] if f["element"] != "unit")
    )
    assert main([*DIFF, BOOK, other, "--format", "json", "--ignore", str(ignore), "--fail-on", "narrower"]) == 0
    left = json.loads(capsys.readouterr().out)
    assert {f["element"] for f in left["facts"]} == {"unit"} and len(left["judgements"]) == 1
    ignore.write_text(left["judgements"][0]["id"] + " so be it\n")
    assert main([*DIFF, BOOK, other, "--format", "json", "--ignore", str(ignore)]) == 0
    assert left["judgements"][0]["id"] not in capsys.readouterr().out


def test_wrong_usage_exits_two(other, tmp_path, capsys):
    bad = tmp_path / "ignore"
    bad.write_text("narrower\n")
    assert main([*DIFF, BOOK, other, "--ignore", str(bad)]) == 2
    assert "is no id" in capsys.readouterr().err
    assert main([*DIFF, BOOK, other, "--ignore", str(tmp_path / "none")]) == 2
    assert main([*DIFF, BOOK, "nosuchbook"]) == 2
    assert 'there is no book "nosuchbook"' in capsys.readouterr().err
    assert main([*DIFF, BOOK, other, "--save", str(tmp_path / "none.save")]) == 2
    assert main([*DIFF, BOOK]) == 2
    assert "a second rule set is missing" in capsys.readouterr().err


def test_two_folders_are_two_editions(other, tmp_path, capsys):
    for name, text in (("first", Path(BOOK).read_text()), ("second", Path(other).read_text())):
        (tmp_path / name).mkdir()
        head, tail = text.split("\ncase 4 ")
        (tmp_path / name / "1.rules").write_text(head + "\n")
        (tmp_path / name / "2.rules").write_text("case 4 " + tail)
    assert main([*DIFF, str(tmp_path / "first"), str(tmp_path / "second"), "--format", "json"]) == 0
    folders = json.loads(capsys.readouterr().out)
    main([*DIFF, BOOK, other, "--format", "json"])
    assert [f["id"] for f in folders["facts"]] == [f["id"] for f in json.loads(capsys.readouterr().out)["facts"]]


def test_rules_go_to_a_file(other, tmp_path, capsys):
    path = tmp_path / "changes.rules"
    assert main([*DIFF, BOOK, other, "--format", "rules", "-o", str(path)]) == 0
    assert capsys.readouterr().out == ""
    assert main([*DIFF, f"{BOOK}+{path}", other, "--format", "json"]) == 0
    left = json.loads(capsys.readouterr().out)["facts"]
    assert [f["element"] for f in left] == ["title"]


# ---------------------------------------------------------------- html


class Page(HTMLParser):
    """What a page holds, as far as its form is to be checked."""

    VOID = frozenset(("meta", "br", "link", "img"))

    def __init__(self):
        super().__init__()
        self.tags, self.open, self.headings, self.ids, self.links = [], [], [], [], []
        self.tables = []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        if tag not in self.VOID:
            self.open.append(tag)
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if "id" in attrs:
            self.ids.append(attrs["id"])
        self.links += [v for k, v in attrs.items() if k in ("href", "src")]
        if tag == "table":
            self.tables.append([])
        elif self.tables and tag in ("caption", "th", "td"):
            self.tables[-1].append((tag, attrs))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    hi, lo = sorted((luminance(a), luminance(b)), reverse=True)
    return (hi + 0.05) / (lo + 0.05)


def test_html_is_one_page_that_anyone_can_read(other, tmp_path, capsys):
    path = tmp_path / "notes.html"
    assert main([*DIFF, BOOK, other, "--format", "html", "-o", str(path)]) == 0
    text = path.read_text()
    page = Page()
    page.feed(text)
    assert page.open == []
    tags = [t for t, _ in page.tags]
    assert ("html", {"lang": "en"}) in page.tags and tags.count("main") == 1 and tags.count("h1") == 1
    assert "script" not in tags and "link" not in tags and "img" not in tags
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert not re.search(r"https?:|url\((?!#)|@import", text)
    assert str(tmp_path) not in text and "skirmish to other, rules " in text
    assert len(page.ids) == len(set(page.ids))
    assert page.headings[0] == 1 and all(b - a <= 1 for a, b in zip(page.headings, page.headings[1:], strict=False))
    assert len(page.tables) == 2
    for table in page.tables:
        assert table[0][0] == "caption"
        assert all(a.get("scope") in ("col", "row") for t, a in table if t == "th")
    assert "<td>1/2 → 0</td>" in text and "<del>3.</del>" in text and "<ins>2.</ins>" in text
    assert "Zones &lt;&amp;&gt; so on" in text and "<&>" not in text
    colors = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", text))
    for name in ("ink", "soft", "new", "old", "link"):
        assert contrast(colors[name], colors["paper"]) >= 4.5, name
    assert contrast(colors["ink"], colors["mark"]) >= 4.5
