"""Shuffles: every shipped book in other orders of files, cases, declarations and rosters plays the same games.

    python tools/shuffles.py --orders 10 --games 2 --most 2000 --report docs/shuffles.md [BOOK …]

For each order the core must be the same, in its order; then seeded games are played choice by choice on both, and every
decision, choice, line of the log and position must be the same.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from pathlib import Path

from orders.compare import Compared, compare

BOOKS: dict[str, tuple[str | None, ...]] = {
    "trc": ("barbarossa", "battle", "frontier"),
    "tdv": ("campaign", "smolensk"),
    "fite": ("niemen", "onega"),
    "fite+errata": ("niemen",),
    "fragment": ("first_year", "war_in_june"),
}
HEAD = """# The same game in any order of the text

Written by `make shuffles` (`tools/shuffles.py{words}`). Each book is
written out anew with its cases in other places and other files, the declarations of each case in another order, and
so the lines of rosters, scenarios and maps, and the cases of overlays. What an order belongs to is left alone:
statements, clauses, the words of kinds and scales, and amendments that stand in one case. The core of each
twin is compared with that of the book as it is, order included; then both play the same seeded
games, and every decision, choice, line of the log and position is compared.

| book | orders | games | to the end | choices | apart | seconds |
|---|--:|--:|--:|--:|--:|--:|
"""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("books", nargs="*", default=list(BOOKS))
    parser.add_argument("--orders", type=int, default=10)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--most", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--report", type=Path)
    given = parser.parse_args(words)
    todo = [(book, given.seed + i, given.games, given.most) for book in given.books for i in range(given.orders)]
    rows: dict[str, list[tuple[Compared, float]]] = {}
    with multiprocessing.get_context("spawn").Pool(given.jobs) as pool:
        for found, seconds in pool.imap(one, todo, chunksize=1):
            rows.setdefault(found.book, []).append((found, seconds))
            print(found, flush=True)
    apart = [x for found in rows.values() for x, _ in found if x.difference]
    if given.report is not None:
        said = f" --orders {given.orders} --games {given.games} --most {given.most} --seed {given.seed}"
        text = HEAD.format(words=said) + "".join(line(book, found) for book, found in rows.items())
        text += "".join(f"\n- `{x.book}`, order {x.seed}: {x.difference}\n" for x in apart)
        given.report.write_text(text, encoding="utf-8")
    return 1 if apart else 0


def one(job: tuple[str, int, int, int]) -> tuple[Compared, float]:
    book, seed, games, most = job
    began = time.process_time()
    return compare(book, seed, BOOKS.get(book, (None,)), games, most), time.process_time() - began


def line(book: str, found: list[tuple[Compared, float]]) -> str:
    many = [x for x, _ in found]
    return (
        f"| `{book}` | {len(many)} | {sum(x.games for x in many):,} | {sum(x.finished for x in many):,} | "
        f"{sum(x.choices for x in many):,} | {sum(bool(x.difference) for x in many)} | "
        f"{sum(seconds for _, seconds in found):,.0f} |\n"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
