"""Campaign 1: whatever an author types, the compiler answers with findings."""

from __future__ import annotations

import importlib.util
import re
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.loader import load_compiled
from rulewright.compiler.pipeline import Compiled, analyse, finished
from rulewright.dsl.diagnostics import Diagnostic, Reporter
from rulewright.dsl.format import format_text
from rulewright.dsl.parse import blocks, parse
from rulewright.dsl.print import print_rules
from rulewright.dsl.render import render_json, render_text
from rulewright.runtime import RandomPlayer
from rulewright.runtime.problems import Fault, Refusal

from .mutations import SMALL, grafted, noise, spoiled
from .runner import Tally, Wrong

ROOT = Path(__file__).resolve().parents[2]
TITLE = "the front end"
COUNT = 120_000
WHAT = """
Case blocks of the five rulebooks, the libraries and the probes are changed by letters, tokens, expressions and lines,
cut, nested and grafted onto one another; random syntax trees are printed; noise is added. Seven inputs of ten are
parsed, built and formatted. One in four is a whole small book with such a change and goes through every pass; what
compiles there is emitted, and now and then its examples are run and a few choices played. A few are whole rulebooks
with one changed chapter.

Only diagnostics whose codes docs/diagnostics.md explains may come of it, with a place, a message of one line and, for
an error, a help line; no exception, nothing above 5 s; formatting twice is formatting once.
"""

TEXTS = 3000  # letters; larger blocks are tables and lists of units
WHOLE = ("tests/diagnostics/every_form.rules", "tests/books/skirmish.rules", "tests/compiler/books/oracle.rules")
GREAT = tuple(sorted(p.parent.name for p in (ROOT / "rulebooks").glob("*/00-book.rules")))
PLAYED = 8


def run(tally: Tally, count: int) -> None:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        shelf = Shelf(Path(folder))
        for i in tally.numbers(count):
            if i % 400 == 399 and not tally.short:
                great_book(tally, i)
            elif i % 4 == 0:
                whole_book(tally, i, shelf)
            else:
                text_alone(tally, i)


# ---------------------------------------------------------------- what is changed


@cache
def pieces() -> list[str]:
    """The case blocks of everything that is written in the language."""
    files = [*sorted((ROOT / "rulebooks").rglob("*.rules")), *sorted((ROOT / "tests").rglob("*.rules"))]
    found = [block for path in files for _, block in blocks(path.read_text(encoding="utf-8"))]
    return [block for block in found if len(block) <= TEXTS]


@cache
def trees(count: int = 400) -> list[str]:
    """Random syntax trees as text, the same in every run."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    spec = importlib.util.spec_from_file_location("strategies", ROOT / "tests" / "strategies.py")
    assert spec is not None and spec.loader is not None
    strategies: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(strategies)
    found: list[str] = []

    @seeded(7)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategies.books())
    def gather(book: Any) -> None:
        found.append(print_rules(book))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a strategy with a long name is no concern of ours
        gather()
    return [text for text in found if text.strip()]


class Shelf:
    """Small whole books, copied to a folder of their own so that they can be changed there."""

    def __init__(self, folder: Path) -> None:
        probes = sorted((ROOT / "tests" / "probes").rglob("*.rules"))
        self.books: list[Path] = []
        for path in (*(ROOT / name for name in WHOLE), *probes):
            copy = folder / path.stem / path.name
            copy.parent.mkdir(exist_ok=True)
            if path.stem == "ocs_stub":
                copy = folder / "caseblue_2_5" / path.name
            else:
                self.books.append(copy)
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        self.texts = {path: path.read_text(encoding="utf-8") for path in self.books}


# ---------------------------------------------------------------- the three sizes of input


def text_alone(tally: Tally, i: int) -> None:
    """Parsed, built and formatted."""
    dice = tally.dice("text", i)
    sort = dice.choice(("block",) * 6 + ("graft", "graft", "tree", "tree", "noise"))
    printed = trees(40 if tally.short else 400) if sort in ("graft", "tree") else []
    match sort:
        case "block":
            text = spoiled(dice.choice(pieces()), dice)
        case "graft":
            text = grafted(dice.choice(pieces()), dice.choice((*pieces(), *printed)), dice)
        case "tree":
            text = dice.choice(printed)
            text = spoiled(text, dice) if dice.random() < 0.8 else text
        case _:
            text = noise(dice)
    with tally.trial(f"text: {sort}", str(i), lambda: text):
        report = Reporter()
        parse(text, "changed.rules", report)
        check_findings(report.found)
        if report.failed:
            tally.answer(report.found[0].code)
            return
        tally.answer("parses")
        once = format_text(text, "changed.rules")
        again = Reporter()
        if format_text(once, "changed.rules", again) != once or again.failed:
            raise Wrong("formatting it twice is not formatting it once")


def whole_book(tally: Tally, i: int, shelf: Shelf) -> None:
    """Every pass, on a small book with a change."""
    dice = tally.dice("book", i)
    path = dice.choice(shelf.books)
    whole = shelf.texts[path]
    text = spoiled(whole, dice, SMALL) if dice.random() < 0.8 else grafted(whole, dice.choice(pieces()), dice)
    played = dice.random() < 0.12
    with tally.trial("small book", str(i), lambda: changes(whole, text)):
        if played:
            path.write_text(text, encoding="utf-8")
        try:
            made = analyse(str(path), texts=None if played else {path.resolve(): text})
            check_findings(made.report.found)
            if made.report.failed:
                tally.answer(made.report.found[0].code)
                return
            check_findings(finished(made).report.found)
            tally.answer("compiles")
            if played:
                tally.answer(f"played: {play(made, dice.randrange(1 << 30))}")
        finally:
            if played:
                path.write_text(whole, encoding="utf-8")


def play(made: Compiled, seed: int) -> str:
    """Run the examples, and play a few choices; how that ended."""
    loaded = load_compiled(made)
    assert made.book is not None
    run_examples(made.book, loaded.program)
    if not loaded.program.scenarios:
        return "no scenario"
    try:
        game = loaded.new(seed=seed)
        players = {side: RandomPlayer(seed + k) for k, side in enumerate(loaded.program.sides)}
        for _ in range(PLAYED):
            if game.over:
                break
            decision = game.decisions[0]
            game.do(players[decision.side](game, decision))
            game.digest()
    except Refusal:
        return "refused"
    except Fault:
        return "a fault of the rules, named"
    return "on"


def great_book(tally: Tally, i: int) -> None:
    """Every pass, on a rulebook with one changed chapter."""
    dice = tally.dice("great", i)
    name = GREAT[i // 400 % len(GREAT)]
    folder = ROOT / "rulebooks" / name
    path = dice.choice(sorted(folder.rglob("*.rules")))
    whole = path.read_text(encoding="utf-8")
    text = spoiled(whole, dice, SMALL)
    with tally.trial("rulebook", f"{i} {path.name}", lambda: changes(whole, text)):
        made = analyse(str(folder), texts={path.resolve(): text})
        check_findings(made.report.found)
        tally.answer(made.report.found[0].code if made.report.failed else "compiles")


# ---------------------------------------------------------------- what must hold


@cache
def documented() -> frozenset[str]:
    page = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^### (RW\d+)", page, re.M))


def check_findings(found: list[Diagnostic]) -> None:
    """Every finding has a documented code, a place, a message and a help line, and can be printed."""
    for d in found:
        if d.code not in documented():
            raise Wrong(f"{d.code} is not documented: {d.message}")
        if d.span.line < 1 or d.span.column < 1:
            raise Wrong(f"{d.code} stands nowhere: {d.span}")
        if not d.message or "\n" in d.message:
            raise Wrong(f"{d.code} has no message of one line: {d.message!r}")
        if d.severity == "error" and not d.help:
            raise Wrong(f"{d.code} has no help: {d.message}")
    render_text(found)
    render_json(found)


def changes(before: str, after: str) -> str:
    """The lines that differ."""

    def told() -> Iterator[str]:
        import difflib

        yield from difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")

    return "\n".join(list(told())[2:12])
