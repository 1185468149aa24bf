"""Every block of rules that the docs show compiles, and its examples hold.

A block fenced as ```rules stands under a comment that says what it is part of:

    <!-- rules: standalone as NAME -->          a whole book; `as NAME` lets later blocks stand inside it
    <!-- rules: continues NAME -->              the next piece of a book that grows through the page
    <!-- rules: inside NAME -->                 declarations (or whole cases, or an overlay) added to a book
    <!-- rules: inside NAME, statements -->     the body of a procedure, which is run
    <!-- rules: inside NAME, lines -->          the lines of an example, which must hold
    <!-- rules: library NAME -->                a library that later blocks may `use`
    <!-- rules: …, finds RW303 -->              the compiler must report exactly this

A book is one that the pages have shown, or a file of tests/docs/frames. An overlay in a block is
also stacked on its book, and its own examples run there.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.core.builtins import BUILTINS
from rulewright.compiler.elaborate.expressions.special_calls import CALLED
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.read.schema import SCHEMAS
from rulewright.dsl.diagnostics import Diagnostic
from rulewright.dsl.format import lay_out
from rulewright.dsl.render import render_text
from rulewright.dsl.syntax_hints import keywords, openers
from rulewright.runtime.players import Player, RandomPlayer, play

ROOT = Path(__file__).resolve().parents[2]
FRAMES = Path(__file__).with_name("frames")
LANGUAGE = ROOT / "docs" / "language.md"
PAGES = [ROOT / "README.md", LANGUAGE, *(p for p in sorted((ROOT / "docs").glob("*.md")) if p != LANGUAGE)]
OTHERS = ("diagnostics.md",)  # tests/compiler/test_diagnostics.py runs those blocks
MARKER = re.compile(r"<!-- rules: (?P<how>.*?) -->\s*\Z")
OVERLAY = re.compile(r"^(?:option|errata|expansion|variant|edition|doctrine) (\w+) of ", re.M)


@dataclass(frozen=True)
class Snippet:
    """One fenced block: where it stands, what it is part of, and the whole book that it makes."""

    where: str
    how: str
    text: str
    finds: tuple[str, ...] = ()
    book: str = ""
    libraries: dict[str, str] = field(default_factory=dict)
    beside: dict[str, str] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        return self.how.startswith("standalone")


def fences(page: Path) -> Iterator[tuple[int, str | None, str]]:
    """The ```rules blocks of a page: line, marker or None, text."""
    lines = page.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        if re.match(r"\s*```rules\b", lines[at]) and page.name not in OTHERS:
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "```")
            marker = MARKER.search("\n".join(lines[max(0, at - 2) : at]))
            yield at + 1, marker["how"] if marker else None, "\n".join(lines[at + 1 : end]) + "\n"
            at = end
        at += 1


def snippets() -> list[Snippet]:
    """Every block of every page, each as part of a whole book."""
    books = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FRAMES.glob("*.rules"))}
    libraries: dict[str, str] = {}
    found = []
    for page in PAGES:
        if not page.is_file():
            continue
        for line, how, text in fences(page):
            where = f"{page.relative_to(ROOT).as_posix()}:{line}"
            if how is None:
                found.append(Snippet(where=where, how="", text=text))
                continue
            head, *rest = [part.strip() for part in how.split(",")]
            word, _, name = head.partition(" ")
            finds = tuple(code for part in rest if part.startswith("finds ") for code in part.split()[1:])
            form = next((part for part in rest if not part.startswith("finds ")), "")
            if word == "standalone":
                book = text
                if name:
                    books[name.removeprefix("as ")] = book
            elif word == "continues":
                book = books[name] = (books[name] + "\n" if name in books else "") + text
            elif word == "library":
                libraries[name] = text
                continue
            else:
                assert word == "inside", f"{where}: {how!r} is no way to read a block"
                book = books[name].rstrip("\n") + "\n\n" + framed(text, form)
            series = re.match(r"book \w+ of (\w+)", book)
            beside = {series[1]: books[series[1]]} if series else {}
            kept = dict(libraries)
            found.append(
                Snippet(where=where, how=head, text=text, finds=finds, book=book, libraries=kept, beside=beside)
            )
    return found


def framed(text: str, form: str) -> str:
    """A fragment as a case of its own."""
    if form == "statements":
        body = textwrap.indent(text, "    ")
        shown = '  example "it runs":\n    given scenario first\n    given now = Mar 1815\n    given phasing = red\n'
        return f'case Z "Shown":\n  procedure shown:\n{body}{shown}    given during movement\n    run shown\n'
    if form == "lines":
        return f'case Z "Shown":\n  example "it holds":\n{textwrap.indent(text, "    ")}'
    first = next((x for x in text.split("\n") if x.strip() and not x.startswith("#")), "")
    if first.startswith("case ") or OVERLAY.match(first):
        return text
    return f'case Z "Shown":\n{textwrap.indent(text, "  ")}'


SNIPPETS = snippets()


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    patch.setenv("RULEWRIGHT_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


def write(snippet: Snippet, folder: Path) -> Path:
    path = folder / "shown.rules"
    path.write_text(snippet.book, encoding="utf-8")
    for name, text in snippet.beside.items():
        (folder / f"{name}.rules").write_text(text, encoding="utf-8")
    if snippet.libraries:
        (folder / "lib").mkdir()
        for name, text in snippet.libraries.items():
            (folder / "lib" / f"{name}.rules").write_text(text, encoding="utf-8")
    return path


def errors(found: list[Diagnostic]) -> list[Diagnostic]:
    return [d for d in found if d.severity == "error"]


def hold(name: str, known: frozenset[str] = frozenset()) -> frozenset[str]:
    """Compile a rule set and run its examples, but those known already; the titles of all."""
    made = analyse(name)
    assert not errors(made.report.found), "\n" + render_text(made.report.found)
    assert made.book is not None
    chosen = [e for e in made.book.examples if e.title not in known]
    outcomes = run_examples(made.book, load(name).program, chosen)
    failed = [f"{o.example.title}: line {line}: {why}" for o in outcomes for line, why in o.failures]
    assert not failed, "\n" + "\n".join(failed)
    return known | {e.title for e in made.book.examples}


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda s: s.where)
def test_block(snippet: Snippet, tmp_path: Path) -> None:
    assert snippet.how, f"{snippet.where}: say what the block is part of: <!-- rules: inside NAME -->"
    path = write(snippet, tmp_path)
    if snippet.finds:
        found = {d.code for d in analyse(str(path)).report.found}
        assert found >= set(snippet.finds), found
        return
    titles = hold(str(path))
    for overlay in OVERLAY.findall(snippet.text):
        hold(f"{path}+{overlay}", titles)


def grown() -> list[tuple[str, Snippet]]:
    """The last state of every book that grows, and every whole book."""
    last = {s.how: s for s in SNIPPETS if s.how.startswith("continues")}
    whole = [(s.where, s) for s in SNIPPETS if s.whole and not s.finds]
    return [(how.split()[-1], s) for how, s in last.items()] + whole


@pytest.mark.parametrize(("name", "snippet"), grown(), ids=[name for name, _ in grown()])
def test_whole_book_is_clean_and_plays_to_an_end(name: str, snippet: Snippet, tmp_path: Path) -> None:
    path = write(snippet, tmp_path)
    for rules in (str(path), *(f"{path}+{x}" for x in OVERLAY.findall(snippet.book))):
        found = analyse(rules).report.wrong
        assert not found, "\n" + render_text(found)
        loaded = load(rules)
        if not loaded.program.scenarios:
            continue
        for seed in range(6):
            game = loaded.new(seed=seed)
            sides = loaded.program.sides
            players: dict[str, Player] = {side: RandomPlayer(seed * 7 + i) for i, side in enumerate(sides)}
            play(game, players, 2_000, lambda g, _: g.check())
            assert game.over, f"{rules}, seed {seed}: not over after 2,000 choices"


WORDS = set(re.findall(r"[A-Za-z_]+", LANGUAGE.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "names",
    [
        keywords() | openers("decl") | openers("stmt") | openers("exline"),
        frozenset(BUILTINS),
        frozenset(CALLED),
        frozenset(SCHEMAS) | frozenset(key for schema in SCHEMAS.values() for key in schema),
    ],
    ids=["words of the grammar", "builtins", "special forms", "data"],
)
def test_the_reference_names_everything(names: frozenset[str]) -> None:
    assert not sorted(name for name in names if not set(name.split()) <= WORDS)


def test_every_word_of_the_grammar_is_used_in_a_block() -> None:
    """A word is documented when some block that compiles uses it."""
    used = {w for s in SNIPPETS for w in re.findall(r"[A-Za-z_]+", re.sub(r'"[^"]*"|#.*', "", s.text))}
    assert not sorted((keywords() | frozenset(BUILTINS)) - used)


def test_the_tutorial_game_and_its_doctrines_are_those_that_are_measured() -> None:
    """`make opponents` plays the game of the tutorial from files: they hold what the pages show."""
    books = ROOT / "tests" / "books"
    [whole] = [text for name, text in ((s.how, s.book) for s in SNIPPETS) if name == "continues causeway"][-1:]
    assert (books / "causeway.rules").read_text(encoding="utf-8") == lay_out(whole)  # pages stand a little closer
    shown = [s.text for s in SNIPPETS if s.where.startswith("docs/doctrines.md")]
    for name in ("pincer", "garrison"):
        assert (books / "doctrines" / f"{name}.rules").read_text(encoding="utf-8") in shown
