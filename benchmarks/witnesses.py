"""How many changes of one place have a witness: `python benchmarks/witnesses.py [--mutations N]`.

A copy of a book is changed in one random place (a number, a word, a line, a cell, a counter); what still
compiles and gives a fact about play is searched for a position in which it differs from the book. The
figure is the share in which one is found; the aim is 80 %. The same arguments give the same figure.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

from rulewright.compiler.diff_facts import facts
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.witness import POSITIONS, searched, witnesses

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


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--mutations", type=int, default=100)
    p.add_argument("--book", default="trc")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--positions", type=int, default=POSITIONS)
    p.add_argument("--show", action="store_true", help="print each change, and its witness")
    args = p.parse_args()
    book = HERE / "rulebooks" / args.book
    rng = random.Random(args.seed)
    ways = changes()
    files = sources(book)
    hit = tried = silent = broken = 0
    with tempfile.TemporaryDirectory() as folder:
        base, copy = Path(folder) / "before" / args.book, Path(folder) / "after" / args.book
        for target in (base, copy):
            shutil.copytree(book, target)
        before = analyse(str(base))
        while tried < args.mutations:
            weights = [path.stat().st_size for path in files]
            path = copy / rng.choices(files, weights)[0].relative_to(book)
            text = path.read_text(encoding="utf-8")
            way = rng.choice(ways)
            new = way(text, rng)
            if new is None or new == text:
                continue
            path.write_text(new, encoding="utf-8")
            after = analyse(str(copy))
            path.write_text(text, encoding="utf-8")
            if after.report.failed or after.book is None:
                broken += 1
                continue
            mine = [f for f in facts(before, after) if searched(f)]
            if not mine:
                silent += 1
                continue
            path.write_text(new, encoding="utf-8")
            found = witnesses(before, after, mine, args.positions)
            path.write_text(text, encoding="utf-8")
            tried += 1
            seen = any(w["example"] for w in found)
            hit += seen
            if args.show:
                f = mine[0]
                print(f"{tried:3} {'yes' if seen else 'NO '} {way.__name__} {f.case} {f.element} {f.name} {f.where}: "
                      f"{f.before[:70]!r} -> {f.after[:70]!r}", flush=True)  # fmt: skip
                for w in found:
                    if w["example"]:
                        print("      " + w["example"].replace("\n", "\n      "), flush=True)
                    else:
                        print(f"      {w['positions']} positions", flush=True)
    print(f"{hit} of {tried} changes of {args.book} have a witness: {hit / max(1, tried):.0%}")
    print(f"at most {args.positions} positions a fact; {broken} more did not compile, {silent} changed no play")


if __name__ == "__main__":
    main()
