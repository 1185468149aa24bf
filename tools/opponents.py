"""Measure every doctrine against the fair random player: `make opponents` writes docs/opponents/figures.md.

Usage: python tools/opponents.py [--pairs N] [--jobs N] [BOOK:SCENARIO …]

In:  books with doctrines on both sides.
Out: pairs of games with sides swapped, and as many of random against random; on each side the share of wins with its
     Wilson interval, whether the intervals exclude one another, and where a scenario counts a margin, the margin.

What is measured is kept in docs/opponents/figures.json, so that one book can be measured anew.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
from pathlib import Path
from typing import Any

from rulewright.compiler.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "opponents"
KEPT, PAGE = FOLDER / "figures.json", FOLDER / "figures.md"
FIRST = 1001
"""Seeds from here on were never looked at while the doctrines were written."""
MEASURED = {
    "tests/books/causeway.rules:crossing": 100,
    "trc:battle": 100,
    "fragment:first_year": 50,
    "tdv:smolensk": 25,
    "caseblue:rostov": 4,
}
HEAD = """# Figures

Written by `make opponents`; measured, not claimed. Each doctrine played the fair random player in pairs: every seed
twice, with sides swapped. Beside it stands what a random player reaches on the same side against another one. Wilson
intervals, 95 %. The seeds begin at 1001; the doctrines were written on seeds below 200.

The random player is a weak yardstick: it shows that a doctrine knows what it wants, and nothing more.

| book | scenario | pairs | pair score | side | doctrine wins | random wins there | apart | margin (random) |
|---|---|---|---|---|---|---|---|---|
"""


def sim(book: str, scenario: str, players: str, pairs: int, jobs: int) -> dict[str, Any]:
    """What `rulewright sim` says of some pairs."""
    words = ["sim", book, "--scenario", scenario, "--players", players, "--seed", str(FIRST), "--jobs", str(jobs)]
    count = ["--pairs", str(pairs)] if "," in players else ["--games", str(2 * pairs)]
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        main([*words, *count, "--no-cases", "--quiet", "--format", "json"])
    found: dict[str, Any] = json.loads(text.getvalue())
    return found


def measure(book: str, scenario: str, pairs: int, jobs: int) -> dict[str, Any]:
    """One book: the doctrines against random, and random against random."""
    against, plain = (sim(book, scenario, players, pairs, jobs) for players in ("doctrine,random", "random"))
    rows = {}
    for seat in (s for s in against["seats"] if s["player"] == 0):
        other = next(s for s in plain["seats"] if s["side"] == seat["side"])
        rows[seat["side"]] = {
            "doctrine": against["players"][0]["seats"][seat["side"]],
            "won": seat["won"],
            "random": other["won"],
            "margin": seat["margin"],
            "random margin": other["margin"],
        }
    return {"pairs": pairs, "score": against["pairs"]["score"], "interval": against["pairs"]["interval"], "sides": rows}


def percent(x: float) -> str:
    return f"{100 * x:.0f}"


def share(won: dict[str, Any]) -> str:
    low, high = won["interval"]
    return f"{percent(won['share'])} % [{percent(low)}–{percent(high)}]"


def apart(won: dict[str, Any], other: dict[str, Any]) -> str:
    """Whether the intervals of two shares exclude one another."""
    return "yes" if won["interval"][0] > other["interval"][1] else "no"


def mean(margin: dict[str, Any] | None) -> str:
    return "–" if margin is None else f"{margin['mean']:.1f} [{margin['interval'][0]:.1f}–{margin['interval'][1]:.1f}]"


def page(kept: dict[str, Any]) -> str:
    """The table of all that was measured."""
    lines = []
    for name, found in kept.items():
        book, _, scenario = name.rpartition(":")
        low, high = found["interval"]
        score = f"{percent(found['score'])} % [{percent(low)}–{percent(high)}]"
        for side, row in found["sides"].items():
            margin = f"{mean(row['margin'])} ({mean(row['random margin'])})" if row["margin"] is not None else "–"
            lines.append(
                f"| {Path(book).stem} | {scenario} | {found['pairs']} | {score} | {side}: {row['doctrine']} |"
                f" {share(row['won'])} | {share(row['random'])} | {apart(row['won'], row['random'])} | {margin} |"
            )
    return HEAD + "\n".join(lines) + "\n"


def run() -> None:
    parser = argparse.ArgumentParser(description="measure the doctrines against the random player")
    parser.add_argument("--pairs", type=int, help="pairs a book, for all of them")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("what", nargs="*", default=[*MEASURED], metavar="BOOK:SCENARIO")
    args = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
    for name in args.what:
        book, _, scenario = name.rpartition(":")
        kept[name] = measure(book, scenario, args.pairs or MEASURED.get(name, 10), args.jobs)
        kept = {name: kept[name] for name in sorted(kept, key=lambda x: ([*MEASURED, x].index(x), x))}
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        PAGE.write_text(page(kept), encoding="utf-8")
        print(page({name: kept[name]}).splitlines()[-1])


if __name__ == "__main__":
    run()
