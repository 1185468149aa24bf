"""Facts of the text: what a rulebook states of its map, counters and charts, held against a rule set.

In:  `facts.tsv` of a book: the case, the line of the text, the overlays in force, what is given, and the fact as an
     expression of the language.
Out: the facts; and those that do not hold under a rule set.
"""

from __future__ import annotations

import csv
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..examples.run import run_examples
from ..loader import NotCompiled, load_compiled
from ..overlay.stack import Layer, resolves
from ..pipeline import analyse
from ..read.library import find_book
from ..read.sources import split_name

WORD = re.compile(r'"([^"]*)"|@?([A-Za-z_]\w*)')
ASKED = re.compile(r'(?<![\w."@])[a-z_]\w*')


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement of the text; `overlays` must be in force for it to be asked."""

    case: str
    line: int
    overlays: tuple[str, ...]
    given: tuple[str, ...]
    text: str

    @property
    def words(self) -> frozenset[str]:
        """The names that it speaks of."""
        return frozenset(a or b for a, b in WORD.findall(self.text))

    @property
    def asked(self) -> frozenset[str]:
        """The definitions and tables among them: a field stands behind a point, and rests on nothing."""
        return frozenset(ASKED.findall(re.sub(r'"[^"]*"', "", self.text)))


def facts_of(name: str) -> list[Fact]:
    """The facts of the book of a rule set; none where it has no such file."""
    source = find_book(split_name(name)[0])
    if source is None or source.root.resolve().name != source.name or not (source.root / "facts.tsv").is_file():
        return []
    path = source.root / "facts.tsv"
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    found = csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE)
    return [
        Fact(
            row["case"],
            int(row["line"]),
            tuple(x for x in row["with"].split("+") if x),
            tuple(x.strip() for x in row["given"].split(";") if x.strip()),
            row["fact"],
        )
        for row in found
    ]


def in_force(facts: Iterable[Fact], layers: Iterable[Layer]) -> list[Fact]:
    """The facts whose overlays are all laid over the book."""
    laid = [layer for _, layer in layers]
    return [fact for fact in facts if all(any(resolves(word, o) for o in laid) for word in fact.overlays)]


@dataclass(frozen=True, slots=True)
class Broken:
    """A fact that does not hold, and what is there instead."""

    fact: Fact
    why: str


def broken_facts(name: str, facts: list[Fact]) -> list[Broken]:
    """The facts that a rule set does not keep; one that names what is not there cannot be kept."""
    if not facts:
        return []
    book = split_name(name)[0]
    lines = as_overlay(Path(book).stem, facts)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text_facts.rules"
        path.write_text("\n".join(text for text, _ in lines) + "\n", encoding="utf-8")
        made = analyse(f"{name}+{path}")
        errors = [d for d in made.report.found if d.severity == "error"]
        mine = [(lines[d.span.line - 1][1], d.message) for d in errors if d.span.file.endswith(path.name)]
        if len(mine) < len(errors) or any(fact is None for fact, _ in mine):
            raise NotCompiled(name, errors)
        if mine:
            lost = {fact: Broken(fact, why) for fact, why in mine if fact is not None}
            return [*lost.values(), *broken_facts(name, [fact for fact in facts if fact not in lost])]
        assert made.book is not None
        asked = [example for example in made.book.examples if example.case == CASE]
        outcomes = run_examples(made.book, load_compiled(made).program, asked)
    return [Broken(facts[int(o.example.title)], why) for o in outcomes for _, why in o.failures]


CASE = "TEXT/FACTS"


def as_overlay(book: str, facts: list[Fact]) -> list[tuple[str, Fact | None]]:
    """The facts as the lines of an overlay, one example a fact."""
    out: list[tuple[str, Fact | None]] = [
        (f'errata text_facts of {book} "What the text states":', None),
        ("  nature: clarification", None),
        (f'  case {CASE} "Facts":', None),
    ]
    for number, fact in enumerate(facts):
        out += [(f'    example "{number}":', fact), *((f"      given {part}", fact) for part in fact.given)]
        out += [(f"      expect {fact.text}", fact)]
    return out
