"""How many changes of one place have a witness: `python benchmarks/witnesses.py [--mutations N]`.

A copy of a book is changed in one random place (a number, a word, a line, a cell, a counter); what still
compiles and gives a fact about play is searched for a position in which it differs from the book, and the book's
worked examples are run; an example that comes out otherwise is a witness too. What has neither is either judged to
alter nothing, with a reason, or left as something that may alter play. The aims: at least 86 % with a witness, at
most 10 % left open. The same arguments give the same figures. `--stack fite+errata` counts the facts of an overlay.
"""

from __future__ import annotations

import argparse
import importlib.util
import multiprocessing
import random
import shutil
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.compiler.diff.compare import Diff, diff
from rulewright.compiler.diff.facts import Fact, facts
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.compiler.witness.effort import POSITIONS
from rulewright.compiler.witness.evidence import Evidence
from rulewright.compiler.witness.search import searched

HERE = Path(__file__).resolve().parent.parent


def changes() -> tuple[Any, ...]:
    """The ways to change one place of a text, shared with the tests of the diff."""
    spec = importlib.util.spec_from_file_location("mutations", HERE / "tests" / "compiler" / "mutations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return tuple(module.CHANGES)


def sources(book: Path) -> list[Path]:
    return sorted(p for p in book.rglob("*.rules") if not {"examples", "overlays"} & set(p.relative_to(book).parts))


@dataclass(frozen=True)
class Tried:
    """One change: what is known of it (a word of `CLASSES`), and what to tell about it."""

    seen: str
    told: str
    broken: int
    silent: int


class Bench:
    """A copy of a book that is changed in one place at a time."""

    def __init__(self, book: str, folder: str) -> None:
        self.book = HERE / "rulebooks" / book
        base, self.copy = Path(folder) / "before" / book, Path(folder) / "after" / book
        for target in (base, self.copy):
            shutil.copytree(self.book, target)
        self.files = sources(self.book)
        self.weights = [path.stat().st_size for path in self.files]
        self.before = analyse(str(base))
        self.ways = changes()

    def change(self, seed: int, number: int, positions: int) -> Tried:
        """The change of this number, searched."""
        rng = random.Random(f"{seed}:{number}")
        broken = silent = 0
        while True:
            path = self.copy / rng.choices(self.files, self.weights)[0].relative_to(self.book)
            text = path.read_text(encoding="utf-8")
            way = rng.choice(self.ways)
            new = way(text, rng)
            if new is None or new == text:
                continue
            path.write_text(new, encoding="utf-8")
            try:
                after = analyse(str(self.copy))
                if after.report.failed or after.book is None:
                    broken += 1
                    continue
                mine = [f for f in facts(self.before, after) if searched(f)]
                if not mine:
                    silent += 1
                    continue
                made = evident(self.before, after, positions)
            finally:
                path.write_text(text, encoding="utf-8")
            known = classes(made)
            seen = min((known[f.id] for f in mine), key=CLASSES.index)
            return Tried(seen, "\n".join(told(number, seen, way.__name__, mine[0], made.witnesses)), broken, silent)


CLASSES = ("witness", "example", "proved", "may alter", "does not")
"""A position differs; an example changes; games surely begin otherwise; neither shown nor refuted; the same play."""


def evident(before: Compiled, after: Compiled, positions: int, jobs: int = 1) -> Diff:
    """The diff with all that is known of its facts; examples are run where the search found nothing."""
    evidence = Evidence(before, after, positions, jobs)
    found = evidence.witnesses(before, after, facts(before, after))
    open_ = any(not w["example"] or w.get("printed") for w in found)
    return diff(before, after, search=lambda *_: found, file=evidence.file, examples=open_)


def classes(made: Diff) -> dict[str, str]:
    """What is known of each fact that was searched."""
    shown = {w["fact"] for w in made.witnesses if w["example"] and not w.get("printed")}
    known = {}
    for f in made.facts:
        if searched(f):
            j = next((j for j in made.judgements if j.fact == f.id), None)
            if f.id in shown:
                known[f.id] = "witness"
            elif j is not None and j.examples:
                known[f.id] = "example"
            elif j is None or j.play == "not":
                known[f.id] = "does not"
            else:
                known[f.id] = "proved" if j.alters else "may alter"
    return known


def told(number: int, seen: str, way: str, f: Fact, found: list[dict[str, Any]]) -> Iterator[str]:
    yield f"{number:3} {seen:9} {way}: {f.case} {f.element} {f.name} {f.where}"
    yield f"        {f.before[:90]!r} → {f.after[:90]!r}"
    for w in found:
        text = w["example"] or f"none in {w['positions']} positions"
        yield textwrap.indent(text, "        ")


BENCH: list[Bench] = []


def begin(book: str, folder: str) -> None:
    BENCH.append(Bench(book, tempfile.mkdtemp(dir=folder)))


def one(job: tuple[int, int, int]) -> Tried:
    return BENCH[0].change(*job)


def counted(book: str, seen: list[str], what: str) -> Iterator[str]:
    """The shares, each with its aim."""
    count = max(1, len(seen))
    hit, open_ = sum(x in ("witness", "example") for x in seen), seen.count("may alter")
    yield f"{hit} of {len(seen)} {what} of {book} have a witness: {hit / count:.0%} (aim: at least 86 %)"
    yield f"{open_} are left as what may alter play: {open_ / count:.0%} (aim: at most 10 %)"
    yield ", ".join(f"{seen.count(word)} {word}" for word in CLASSES if word in seen)


HEAD = """# Shares of evidence

`make shares` changes one random place of a book at a time and asks the diff what that does to play. A *witness* is a
position that differs, an *example* a worked example of the book that comes out otherwise; *proved* means that games
begin in another position, *may alter* that nothing was shown or refuted, *does not* that play is the same, for a reason
(see [diff.md](diff.md#witnesses)). Wanted: a witness or an example for at least 86 of 100, at most 10 that may alter.

| book | changes | witness | example | proved | may alter | does not | share with evidence | search |
|---|---|---|---|---|---|---|---|---|
"""


def row(book: str, seen: list[str], seed: int, positions: int) -> str:
    """The line of a book in the report."""
    share = sum(x in ("witness", "example") for x in seen) / max(1, len(seen))
    counts = " | ".join(str(seen.count(word)) for word in CLASSES)
    return f"| {book} | {len(seen)} | {counts} | {share:.0%} | seed {seed}, {positions} positions a fact |"


def report(path: Path, book: str, line: str) -> None:
    """Put the line of a book into the report; those of other books stay."""
    kept = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    rows = [x for x in kept if x.startswith("| ") and not x.startswith(("| book |", f"| {book} |"))]
    path.write_text(HEAD + "\n".join(sorted([*rows, line])) + "\n", encoding="utf-8")


def main() -> None:
    p = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    p.add_argument("--mutations", type=int, default=100)
    p.add_argument("--book", default="trc")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--positions", type=int, default=POSITIONS)
    p.add_argument("--jobs", type=int, default=1, help="processes; the figure is the same for any number")
    p.add_argument("--stack", help="count the facts between the book and this stack of overlays instead")
    p.add_argument("--show", action="store_true", help="print each change, and its witness")
    p.add_argument("--report", type=Path, help="write the shares into this page")
    args = p.parse_args()
    if args.stack:
        before, after = analyse(args.stack.split("+")[0]), analyse(args.stack)
        known = list(classes(evident(before, after, args.positions, args.jobs)).values())
        print("\n".join(counted(args.stack, known, "facts")))
        if args.report:
            report(args.report, args.stack, row(args.stack, known, args.seed, args.positions))
        return
    jobs = [(args.seed, i, args.positions) for i in range(1, args.mutations + 1)]
    made: list[Tried] = []
    with tempfile.TemporaryDirectory() as folder:
        pool = multiprocessing.get_context("spawn").Pool(max(1, args.jobs), begin, (args.book, folder))
        with pool:
            for tried in pool.imap(one, jobs):
                made.append(tried)
                if args.show:
                    print(tried.told, flush=True)
    print("\n".join(counted(args.book, [x.seen for x in made], "changes")))
    if args.report:
        report(args.report, args.book, row(args.book, [x.seen for x in made], args.seed, args.positions))
    print(
        f"at most {args.positions} positions a fact; {sum(x.broken for x in made)} more changes did not compile,"
        f" {sum(x.silent for x in made)} changed no play"
    )


if __name__ == "__main__":
    main()
