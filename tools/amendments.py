"""Amendments at random: exactly the named place of the core changes, for every part of every shipped book.

    python tools/amendments.py --many 200 --report docs/amendments.md [BOOK …]

A number, a date, a text, a truth value or a name of the book's text is chosen in a part that an amendment can name,
and amended by `amend CASE NAME.PART: OLD becomes NEW`. The overlay pass must change that one spot and nothing else of
all declarations; an amendment that states another value, or another part than the one that holds it, must be refused.
Numbers are amended to the next one besides, and the book is elaborated with them: in the core, one declaration alone
may differ, and in that nothing but this number.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from random import Random
from typing import Any

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.digest import PARTS, Form
from rulewright.compiler.core.entries import Entry, declared_name
from rulewright.compiler.overlay.amend import overlay
from rulewright.compiler.overlay.edit_tree import Spot, at, find
from rulewright.compiler.overlay.heads import read_head
from rulewright.compiler.overlay.parts import parts
from rulewright.compiler.passes.compiled import stop_on_errors
from rulewright.compiler.passes.elaborate import declare, elaborate, schema
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.compiler.pipeline import run as passed
from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse
from rulewright.dsl.print import expr

BOOKS = ("trc", "tdv", "fite", "fragment", "ocs", "caseblue")
HEAD = """# Amendments hit what they name, or nothing

Written by `make amendments` (`tools/amendments.py`). In each book spots are drawn at random among all parts that an
amendment can name; each is amended by a line of text, and every declaration of the book is compared with what it was.
*Refused* are amendments made to miss: a value that does not stand there, or a part that does not hold it. *In the core*
are the amended numbers with which the whole book was elaborated: one declaration of the core differs, in that number
alone. A number that the book does not stand with (a table with a gap, a bound that is none) is not counted there.

| book | parts that can be named | amended | hit exactly | refused | in the core | wrong |
|---|--:|--:|--:|--:|--:|--:|
"""


@dataclass
class Tally:
    book: str
    spots: int = 0
    amended: int = 0
    exact: int = 0
    refused: int = 0
    core: int = 0
    wrong: list[str] = field(default_factory=list)
    sorts: Counter[str] = field(default_factory=Counter)


ELABORATE = (schema, declare, stop_on_errors, elaborate, stop_on_errors)
Chosen = tuple[int, str, Spot]
"""An entry by its place, the name of a part, and a spot inside it."""


def run(book: str, many: int, seed: int, core: bool = True) -> Tally:
    """Random amendments of one book; with `core`, of its numbers once more in the elaborated core."""
    tally, random = Tally(book), Random(seed)
    made = analyse(book)
    assert made.entries is not None
    entries = made.entries
    spots = amendable(entries)
    tally.spots = len(spots)
    for i, part, spot in random.sample(spots, min(many, len(spots))):
        one(entries, i, part, spot, random, tally, made.book.name if made.book is not None else book)
    numbers = [x for x in spots if is_number(at(entries[x[0]].node, x[2]))]
    for i, part, spot in random.sample(numbers, min(many, len(numbers))) if core else ():
        in_core(made, i, part, spot, tally)
    return tally


def is_number(node: Any) -> bool:
    return isinstance(node, n.Literal) and node.sort == "number"


def amendable(entries: list[Entry]) -> list[Chosen]:
    """Every literal that stands once in a part which the case and the name alone lead to."""
    named = Counter((e.case, declared_name(e.node)) for e in entries if not isinstance(e.node, n.Example))
    targets = Counter((e.case, e.node.target) for e in entries if isinstance(e.node, n.Rule) and e.node.label)
    found: list[Chosen] = []
    for i, e in enumerate(entries):
        name = declared_name(e.node)
        if not name or named[e.case, name] + targets[e.case, name] != 1 or isinstance(e.node, n.Example):
            continue
        if isinstance(e.node, n.Field) and len(e.node.names) > 1:  # an amendment of one of several is refused
            continue
        for part, where in {"": [()], **parts(e.node)}.items():
            inside = dict.fromkeys(spot for x in where for spot in literals(at(e.node, x), x))
            for spot in inside:
                old = at(e.node, spot)
                if sum(len(find(at(e.node, x), old, x)) for x in where) == 1:
                    found.append((i, part, spot))
    return found


def literals(tree: Any, spot: Spot) -> list[Spot]:
    """The spots of numbers, dates, texts, hexes, truth values and names in a tree."""
    if isinstance(tree, n.Literal | n.Name):
        return [spot]
    if isinstance(tree, tuple):
        return [x for i, part in enumerate(tree) for x in literals(part, (*spot, i))]
    if isinstance(tree, n.Unary | n.Binary):
        inner = [x for f in fields(tree) if f.name != "span" for x in literals(getattr(tree, f.name), (*spot, f.name))]
        return [x for x in inner if reachable(tree, x[len(spot) :])]
    if isinstance(tree, n.Node):
        return [x for f in fields(tree) if f.name != "span" for x in literals(getattr(tree, f.name), (*spot, f.name))]
    return []


def reachable(tree: Any, spot: Spot) -> bool:
    """Whether a literal is a number of its own, and not half of a fraction or what a sign stands before."""
    return spot in find(tree, at(tree, spot))


def one(entries: list[Entry], i: int, part: str, spot: Spot, random: Random, tally: Tally, book: str) -> None:
    e = entries[i]
    old = at(e.node, spot)
    new = "987653"
    target = f"{e.case} {declared_name(e.node)}" + (f".{part}" if part else "")
    tally.amended += 1
    after, report = carried_out(entries, book, f"amend {target}: {expr(old)} becomes {new}")
    if report.failed:
        tally.wrong.append(f"{target}: {expr(old)} becomes {new}: {report.found[0].message}")
        return
    apart = [(x, y) for x, y in zip(entries, after, strict=True) if not same(x.node, y.node)]
    if len(apart) != 1 or apart[0][0] is not e or differing(e.node, apart[0][1].node) != [spot]:
        tally.wrong.append(f"{target}: {expr(old)} becomes {new}: changed {len(apart)} declarations, or another spot")
        return
    tally.exact += 1
    _, report = carried_out(entries, book, f"amend {target}: 987654 becomes {new}")
    others = [name for name, where in parts(e.node).items() if not any(find(at(e.node, x), old, x) for x in where)]
    missed = [report]
    if others:
        elsewhere = f"{e.case} {declared_name(e.node)}.{random.choice(others)}"
        missed.append(carried_out(entries, book, f"amend {elsewhere}: {expr(old)} becomes {new}")[1])
    for refused in missed:
        tally.refused += refused.failed
        if not refused.failed:
            tally.wrong.append(f"{target}: an amendment that misses was taken")


def in_core(made: Compiled, i: int, part: str, spot: Spot, tally: Tally) -> None:
    """Amend a number to the next one, and hold the elaborated core against what it was."""
    entries, book = made.entries, made.book
    assert entries is not None and book is not None
    e = entries[i]
    old = at(e.node, spot)
    number = int(str(old.value))
    where = f"{e.case} {declared_name(e.node)}" + (f".{part}" if part else "")
    line = f"amend {where}: {number} becomes {number + 1}"
    after, report = carried_out(entries, book.name, line)
    if report.failed:
        tally.wrong.append(f"{line}: {report.found[0].message}")
        return
    aside = replace(made, entries=after, report=Reporter(), memory=made.memory.aside())
    other = passed(ELABORATE, aside)
    if other.stopped or other.book is None:
        return
    apart = declarations_apart(book, other.book)
    target = getattr(e.node, "target", "")
    named = {declared_name(e.node), target.name if isinstance(target, n.Target) else target}
    named = heirs({first_word(x) for x in named if x}, entries)
    # a quota is a definition too, of the same name; a trigger goes by its case
    also = CLEARING if isinstance(e.node, n.Mark) else ()
    hit = {
        first_word(name) for word, name, _ in apart if word not in also and (word != "triggers" or e.case not in name)
    }
    leaves = {x for *_, found in apart for x in found}
    if apart and hit <= named and leaves == {(number, number + 1)}:
        tally.core += 1
    else:
        told = "; ".join(f"{word} {name}: {sorted({*map(str, leaves)})}" for word, name, leaves in apart)
        tally.wrong.append(f"{line}: in the core {told or 'nothing'} differs")


CLEARING = ("procedures", "actions", "triggers")
"""Where `clear` puts the start of a mark."""


def heirs(names: set[str], entries: list[Entry]) -> set[str]:
    """The names, and the routes that are like one of them: what they take over changes with it."""
    found = set(names)
    for _ in entries:
        more = {e.node.name for e in entries if isinstance(e.node, n.Route) and e.node.like in found} - found
        if not more:
            return found
        found |= more
    return found


def first_word(name: str) -> str:
    """The name of a declaration without that of a part: march of march.budget."""
    return name.split(".")[0].split(" ")[0]


def declarations_apart(before: c.Book, after: c.Book) -> list[tuple[str, str, list[tuple[Any, Any]]]]:
    """What differs between two cores: the part of the book, the name of the declaration, and the leaves."""
    one, other = Form(before), Form(after)
    found = []
    for word in (*PARTS, "units", "triggers"):
        ours, theirs = by_name(getattr(before, word)), by_name(getattr(after, word))
        for name in {**ours, **theirs}:
            a, b = ours.get(name), theirs.get(name)
            if a is not b and a != b:
                leaves = leaves_apart(one(a), other(b))
                if leaves:
                    found.append((word, name, leaves))
    places = (
        ("map", leaves_apart(one(before.map), other(after.map))),
        ("calendar", leaves_apart(one(before.calendar), other(after.calendar))),
    )
    return [*found, *((word, "", leaves) for word, leaves in places if leaves)]


def by_name(part: Any) -> dict[str, Any]:
    if isinstance(part, Mapping):
        return {key[-1] if isinstance(key, tuple) else str(key): value for key, value in part.items()}
    return {f"{getattr(x, 'name', '') or getattr(x, 'id', '')} {i}": x for i, x in enumerate(part)}


def leaves_apart(a: Any, b: Any) -> list[tuple[Any, Any]]:
    """The pairs of plain values in which two forms differ."""
    if a == b:
        return []
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return [pair for x, y in zip(a, b, strict=True) for pair in leaves_apart(x, y)]
    return [(a, b)]


def carried_out(entries: list[Entry], book: str, line: str) -> tuple[list[Entry], Reporter]:
    """The entries with one amendment carried out, and what was reported."""
    report = Reporter()
    found = parse(f'errata probe of {book} "Probe":\n  case P.1 "Probe":\n    {line}\n', "<probe>", report)
    if report.failed or not found or not isinstance(found[0], n.Overlay):
        return entries, report
    return overlay(entries, [(read_head(found[0], report), found[0])], report), report


def differing(a: Any, b: Any, spot: Spot = ()) -> list[Spot]:
    """Every spot at which two trees differ, as deep as they are alike."""
    if same(a, b):
        return []
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return [x for i, (p, q) in enumerate(zip(a, b, strict=True)) for x in differing(p, q, (*spot, i))]
    if isinstance(a, n.Node) and type(a) is type(b) and not isinstance(a, n.Literal):
        names = [f.name for f in fields(a) if f.name != "span"]
        return [x for name in names for x in differing(getattr(a, name), getattr(b, name), (*spot, name))]
    return [spot]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("books", nargs="*", default=list(BOOKS))
    parser.add_argument("--many", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path)
    given = parser.parse_args(words)
    found = [run(book, given.many, given.seed) for book in given.books]
    rows = [
        f"| `{x.book}` | {x.spots:,} | {x.amended:,} | {x.exact:,} | {x.refused:,} | {x.core:,} | {len(x.wrong)} |\n"
        for x in found
    ]
    print("".join(rows), end="")
    wrong = [line for x in found for line in x.wrong]
    print("".join(f"{line}\n" for line in wrong[:20]), end="")
    if given.report is not None:
        given.report.write_text(HEAD + "".join(rows) + "".join(f"\n- {line}\n" for line in wrong), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
