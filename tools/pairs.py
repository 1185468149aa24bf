"""Two random changes of a book at once: does every printed witness hold for the fact it stands under?

    python tools/pairs.py [--book trc] [--pairs 100] [--seed 1] [--jobs 2] [--report docs/pairs.md]

A copy of a book is changed in two random places. The diff of the book and the copy prints witnesses under its facts.
Each is then run by the oracle on four books of text: without either change, with the first, with the second, with
both. A witness is right where it says of its fact what these four show (docs/diff.md, "What a witness proves"); the
books with one change are made by editing the text, and nothing of the machinery that files witnesses is used.
"""

from __future__ import annotations

import argparse
import difflib
import multiprocessing
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))

from benchmarks.witnesses import changes, sources  # noqa: E402
from rulewright.compiler.diff.facts import Fact, facts  # noqa: E402
from rulewright.compiler.pipeline import Compiled, analyse  # noqa: E402
from rulewright.compiler.witness.evidence import Evidence  # noqa: E402
from rulewright.compiler.witness.rule_set import Rules  # noqa: E402
from rulewright.compiler.witness.search import searched  # noqa: E402

Edit = tuple[Path, str]
"""A file of the book, and its text after a change."""


@dataclass
class Tried:
    """One pair of changes: what was printed, and what of it was wrong."""

    facts: int = 0
    printed: int = 0
    changed: int = 0
    """How many of the two changes have a witness."""
    stands: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


class Bench:
    """A book and copies of it, one a combination of two changes."""

    def __init__(self, book: str, folder: str) -> None:
        self.book = HERE / "rulebooks" / book
        self.folders = {k: Path(folder) / k / self.book.name for k in ("neither", "first", "second", "both")}
        for target in self.folders.values():
            shutil.copytree(self.book, target)
        self.files = sources(self.book)
        self.weights = [path.stat().st_size for path in self.files]
        self.before = analyse(str(self.folders["neither"]))
        self.ways = changes()

    def edit(self, rng: random.Random) -> Edit:
        """One random change."""
        while True:
            path = rng.choices(self.files, self.weights)[0]
            text = path.read_text(encoding="utf-8")
            new = rng.choice(self.ways)(text, rng)
            if new is not None and new != text:
                return path.relative_to(self.book), new

    def made(self, which: str, edits: list[Edit]) -> Compiled | None:
        """The copy with these changes and no others; None where it does not compile."""
        folder = self.folders[which]
        for path in sorted(folder.rglob("*.rules")):
            old = (self.book / path.relative_to(folder)).read_text(encoding="utf-8")
            if path.read_text(encoding="utf-8") != old:
                path.write_text(old, encoding="utf-8")
        for path, text in edits:
            (folder / path).write_text(text, encoding="utf-8")
        found = analyse(str(folder))
        return None if found.report.failed or found.book is None else found

    def together(self, one: Edit, other: Edit) -> list[Edit] | None:
        """Both changes; None where they touch the same lines."""
        if one[0] != other[0]:
            return [one, other]
        old = (self.book / one[0]).read_text(encoding="utf-8").splitlines(keepends=True)
        hunks: list[tuple[int, int, list[str]]] = []
        for _, text in (one, other):
            new = text.splitlines(keepends=True)
            lined = difflib.SequenceMatcher(None, old, new, autojunk=False)
            hunks += [(i1, i2, new[j1:j2]) for tag, i1, i2, j1, j2 in lined.get_opcodes() if tag != "equal"]
        hunks.sort(key=lambda x: (x[0], x[1]))
        if any(x[1] >= y[0] for x, y in pairwise(hunks)):
            return None
        for i1, i2, lines in reversed(hunks):
            old[i1:i2] = lines
        return [(one[0], "".join(old))]

    def pair(self, seed: int, number: int, positions: int) -> Tried:
        """The pair of this number, searched and confirmed."""
        rng = random.Random(f"{seed}:{number}")
        while True:
            one, other = self.edit(rng), self.edit(rng)
            edits = self.together(one, other)
            if edits is None:
                continue
            first, second = self.made("first", [one]), self.made("second", [other])
            both = self.made("both", edits) if first is not None and second is not None else None
            if first is None or second is None or both is None:
                continue
            mine = [{f.id for f in facts(self.before, x) if searched(f)} for x in (first, second)]
            if mine[0] and mine[1]:
                break
        found = [f for f in facts(self.before, both) if searched(f)]
        shown = Evidence(self.before, both, positions, jobs=1).witnesses(self.before, both, found)
        rules = {
            k: Rules(x) for k, x in (("neither", self.before), ("first", first), ("second", second), ("both", both))
        }
        tried = Tried(facts=len(found))
        seen = set()
        for f, w in zip(found, shown, strict=True):
            if not w["example"]:
                tried.told.append(f"{number}: none for {told(f)}")
                continue
            homes = [k for k, ids in zip(("first", "second"), mine, strict=True) if f.id in ids]
            tried.printed += 1
            tried.stands[w["stands"]] += 1
            seen |= set(homes)
            for problem in judged(rules, mine, homes, w):
                tried.wrong.append(f"{number}: {told(f)}: {problem}\n{w['example']}")
        tried.changed = len(seen)
        return tried


def told(f: Fact) -> str:
    return f"{f.case} {f.kind} {f.element} {f.name} {f.where}: {f.before[:60]!r} → {f.after[:60]!r}"


def judged(rules: dict[str, Rules], mine: list[set[str]], homes: list[str], w: dict[str, Any]) -> Iterator[str]:
    """What a witness says of its fact and is not so."""
    held = w["holds"] == "before"
    says: dict[str, bool | None] = {}
    for k, r in rules.items():
        example = r.read(w["example"])
        walked = r.walked(example) if example is not None else None
        says[k] = walked.passed if walked is not None else None
    if len(homes) != 1:
        yield f"the fact belongs to {len(homes)} of the changes"
        return
    home = homes[0]
    other = "second" if home == "first" else "first"
    theirs = mine[0 if other == "first" else 1]
    abroad = any(id in theirs for id in w["partners"])
    expected: dict[str, bool] = {"neither": held, "both": not held}
    match w["stands"]:
        case "own" | "joint":
            expected |= {home: held if abroad else not held, other: held}
        case "shared":
            expected |= {home: not held, other: not held}
        case "hidden":
            expected |= {home: not held, "both": held}
    for k, wanted in expected.items():
        if says[k] is not wanted:
            yield f"{w['stands']}, with {k} it {'holds' if says[k] else 'fails' if says[k] is False else 'is unknown'}"


BENCH: list[Bench] = []


def begin(book: str, folder: str) -> None:
    BENCH.append(Bench(book, tempfile.mkdtemp(dir=folder)))


def one_pair(job: tuple[int, int, int]) -> Tried:
    return BENCH[0].pair(*job)


def run(book: str, pairs: int, seed: int, positions: int, jobs: int, show: bool = False) -> list[Tried]:
    """All pairs; the result is the same for any number of processes."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        work = [(seed, i, positions) for i in range(1, pairs + 1)]
        if jobs == 0:
            BENCH[:] = [Bench(book, folder)]
            return [one_pair(x) for x in work]
        with multiprocessing.get_context("spawn").Pool(jobs, begin, (book, folder)) as pool:
            for tried in pool.imap(one_pair, work):
                found.append(tried)
                if show:
                    lines = [f"{len(found)}: {tried.printed} of {tried.facts}", *tried.told, *tried.wrong]
                    print("\n".join(lines), flush=True)
    return found


def summary(book: str, made: list[Tried], positions: int, seed: int) -> list[str]:
    printed, wrong = sum(x.printed for x in made), sum(len(x.wrong) for x in made)
    stands: Counter[str] = sum((x.stands for x in made), Counter())
    changed = sum(x.changed for x in made)
    how = ", ".join(f"{n} {k}" for k, n in sorted(stands.items()))
    facts = sum(x.facts for x in made)
    counts = f"{changed} of {2 * len(made)} | {printed} of {facts} | {wrong} | {how}"
    return [f"| {book} | {len(made)} | {counts} | seed {seed}, {positions} positions a fact |"]


HEAD = """# Pairs of changes

`make pairs` changes a book in two random places at once and confirms every witness of the diff on four texts: without
either change, with one, with the other, with both. It fails where a witness does not hold for the fact that it stands
under (see [diff.md](diff.md#what-a-witness-proves)).

| book | pairs | changes with a witness | facts with a witness | wrong witnesses | how they stand | search |
|---|---|---|---|---|---|---|
"""


def main() -> int:
    p = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    p.add_argument("--book", default="trc")
    p.add_argument("--pairs", type=int, default=100)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--positions", type=int, default=300)
    p.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    p.add_argument("--report", type=Path)
    p.add_argument("--show", action="store_true", help="print each pair as it is done")
    args = p.parse_args()
    made = run(args.book, args.pairs, args.seed, args.positions, max(1, args.jobs), args.show)
    lines = summary(args.book, made, args.positions, args.seed)
    print("\n".join(lines))
    if args.report is not None:
        args.report.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    return 1 if any(x.wrong for x in made) else 0


if __name__ == "__main__":
    sys.exit(main())
