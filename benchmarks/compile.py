"""How long a compile takes, side by side with a bare parse of the same text.

    python benchmarks/compile.py [BOOK] [--rounds N] [--format json]

Works on a copy of the book in a temporary folder, with a cache of its own, so that nothing
known from elsewhere helps. One run prints, split by pass:

  parse   Lark alone over the same blocks, with the grammar's tables loaded
  cold    a compile that remembers nothing
  again   one number of one case edited, in the same process
  fresh   one number of one case edited, in a new process that finds the cache of an earlier one

`again` and `fresh` edit a different case each round; the middle time of the rounds counts.
The grammar's tables are built before anything is timed, and Python finds its bytecode: both are made once for a
machine.
Times are of the processor, in milliseconds, so that other work on the machine weighs little.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

Times = dict[str, float]


def timed(folder: Path, book: str) -> Times:
    """One compile and what each pass of it took; `all` is the whole, imports apart."""
    from rulewright.compiler import pipeline

    spent: Times = {}

    def watched(step: pipeline.Pass) -> pipeline.Pass:
        def run(made: pipeline.Compiled) -> pipeline.Compiled:
            start = time.process_time()
            try:
                return step(made)
            finally:
                spent[step.__name__] = spent.get(step.__name__, 0.0) + time.process_time() - start

        return run

    kept = pipeline.CORE, pipeline.MODULES
    pipeline.CORE, pipeline.MODULES = (tuple(map(watched, steps)) for steps in kept)
    start = time.process_time()
    try:
        made = pipeline.compile_book(book, (folder,))
    finally:
        pipeline.CORE, pipeline.MODULES = kept
    spent["all"] = time.process_time() - start
    if made.emitted is None:
        raise SystemExit("the copy does not compile: " + "; ".join(d.message for d in made.report.found[:3]))
    return spent


def bare_parse(folder: Path) -> float:
    """Lark over every block of the copy; no nodes are built."""
    from rulewright.dsl.grammar import parser
    from rulewright.dsl.parse import blocks

    texts = [block for path in files(folder) for _, block in blocks(path.read_text(encoding="utf-8"))]
    lark = parser()
    start = time.process_time()
    for text in texts:
        lark.parse(text)
    return time.process_time() - start


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.rules"))


NUMBER = re.compile(
    r"^( +(?:define|except|budget|[a-z_]+ when)\b[^#\"\n]*?[ (])([1-9][0-9]?)((?: when .*)?)$", re.M
)


def edit(folder: Path, round: int) -> str:
    """Change one number of one case; each round takes another. Returns where.

    Contributions are left alone: with another factor a matching may no longer be seen to gain by one more item.
    """
    places = []
    for path in files(folder):
        if "examples" in path.parts or "house" in path.parts:
            continue
        text = path.read_text(encoding="utf-8")
        places += [(path, text, match) for match in NUMBER.finditer(text)]
    path, text, match = places[(7 * round + 3) % len(places)]
    number = int(match.group(2)) + 1
    path.write_text(text[: match.start(2)] + str(number) + text[match.end(2) :], encoding="utf-8")
    return f"{path.name}:{text[: match.start(2)].count(chr(10)) + 1}"


def children() -> float:
    used = os.times()
    return used.children_user + used.children_system


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def child(folder: Path, book: str, cache: Path) -> Times:
    """The same in a new process: imports, passes, and the process from start to end."""
    before = children()
    done = subprocess.run(
        [sys.executable, __file__, book, "--inside", str(folder)],
        env={**environment(), "RULEWRIGHT_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(cache.parent / "bytecode")},
        capture_output=True,
        text=True,
        check=False,
    )
    whole = children() - before
    if done.returncode:
        raise SystemExit(done.stderr.strip() or done.stdout.strip())
    found: Times = json.loads(done.stdout)
    found["process"] = whole
    return found


def inside(folder: Path, book: str) -> None:
    start = time.process_time()
    from rulewright.compiler import pipeline

    imports = time.process_time() - start
    assert pipeline
    found = timed(folder, book)
    found["import"] = imports
    print(json.dumps(found))


def measure(book: str, rounds: int) -> dict[str, Any]:
    from rulewright.compiler.read.library import find_book

    source = find_book(book, ())
    if source is None:
        raise SystemExit(f'there is no book "{book}"')
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "books" / source.root.name
        shutil.copytree(source.root, folder)
        caches = Path(scratch) / "caches"
        os.environ["RULEWRIGHT_CACHE"] = str(caches / "grammar")
        from rulewright.dsl.grammar import parser

        parser()
        [grammar] = (caches / "grammar").glob("grammar-*.bin")

        def new_cache(name: str) -> Path:
            (caches / name).mkdir(parents=True)
            shutil.copy(grammar, caches / name)
            return caches / name

        bare_parse(folder)
        parse = statistics.median(bare_parse(folder) for _ in range(rounds))
        warm = new_cache("warm")
        child(folder, str(folder), warm)
        cold, fresh = [], []
        for i in range(rounds):  # in turns, so that a busy machine weighs on both alike
            edit(folder, i)
            fresh.append(child(folder, str(folder), warm))
            cold.append(child(folder, str(folder), new_cache(f"cold{i}")))
        os.environ["RULEWRIGHT_CACHE"] = str(new_cache("here"))
        first = timed(folder, str(folder))
        again, places = [], []
        for i in range(rounds + 1):
            places.append(edit(folder, rounds + i))
            again.append(timed(folder, str(folder)))
    return {
        "parse": {"all": parse},
        "cold": middle(cold),
        "first": first,
        "again": middle(again[1:]),
        "fresh": middle(fresh),
        "edited": places[1:],
    }


def middle(runs: list[Times]) -> Times:
    return {name: statistics.median(run.get(name, 0.0) for run in runs) for name in runs[0]}


def ratios(found: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Each ratio with the bound it is held to; `fresh` counts whole processes, imports and all."""
    return {
        "cold / parse": (found["cold"]["all"] / found["parse"]["all"], 3.0),
        "again / cold": (found["again"]["all"] / found["cold"]["all"], 0.05),
        "fresh / cold": (found["fresh"]["process"] / found["cold"]["process"], 0.3),
    }


def table(found: dict[str, Any]) -> str:
    columns = ("parse", "cold", "again", "fresh")
    rows = [f"{'ms':14}" + "".join(f"{name:>9}" for name in columns)]
    names = dict.fromkeys(("process", "import", "all", *(name for column in columns for name in found[column])))
    for name in names:
        cells = [found[column].get(name) for column in columns]
        if any(cells):
            rows.append(f"{name:14}" + "".join(f"{'' if x is None else f'{1000 * x:.1f}':>9}" for x in cells))
    rows.append("")
    for name, (value, bound) in ratios(found).items():
        rows.append(f"{name:14}{value:9.3f}   {'within' if value <= bound else 'beyond'} {bound}")
    return "\n".join(rows)


def figures() -> list[Any]:
    """The ratios, found in a process that has compiled nothing yet."""
    from .timing import Figure

    done = subprocess.run([sys.executable, __file__, "--format", "json"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr.strip())
    found = ratios(json.loads(done.stdout))
    return [Figure(f"compile of trc: {name}", value, most=bound) for name, (value, bound) in found.items()]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    asked.add_argument("book", nargs="?", default="trc")
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--format", choices=("text", "json"), default="text")
    asked.add_argument("--inside", help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.inside:
        inside(Path(given.inside), given.book)
        return
    found = measure(given.book, given.rounds)
    if given.format == "json":
        print(json.dumps({**found, "ratios": {k: v for k, (v, _) in ratios(found).items()}}, indent=1))
    else:
        print(table(found))


if __name__ == "__main__":
    main()
