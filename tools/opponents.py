"""Measure every doctrine against the fair random player: `make opponents` writes docs/opponents/figures.md.

Usage: python tools/opponents.py [--pairs N] [--first SEED] [--player WORD | --duel SIDE] [BOOK:SCENARIO …]

In:  books with doctrines on both sides; with `--player busy` or `--player lookahead` any books.
Out: pairs of games with sides swapped, and as many of random against random; on each side the share of wins with its
     Wilson interval, where a scenario counts a margin its mean with Student's interval, and whether the interval of
     the difference of the one or the other excludes equality. With `--player` one that needs no doctrine; with
     `--duel` the doctrine of a side, and the random player in its place, against the doctrine of the other side: the
     yardstick where a random player loses to nobody else.

What is measured is kept in docs/opponents/figures.json, so that one book can be measured anew.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import time
from math import sqrt
from pathlib import Path
from typing import Any

from rulewright.compiler.cli.main import main
from rulewright.compiler.loader import load
from rulewright.compiler.playtest.intervals import student

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "opponents"
KEPT, PAGE = FOLDER / "figures.json", FOLDER / "figures.md"
FIRST = 1001
"""Seeds from here on were never looked at while the doctrines were written."""
PLAIN = 25
"""At least so many pairs of random against random stand beside: they are cheap."""
MEASURED = {
    "tests/books/causeway.rules:crossing": 100,
    "trc:battle": 100,
    "fragment:first_year": 50,
    "tdv:smolensk": 25,
    "fite:niemen": 30,
    "caseblue:rostov": 4,
}
DOCTRINE = "doctrine"
BUSY = {"tests/books/causeway.rules:crossing": 100, "trc:battle": 60, "fragment:first_year": 50, "fite:niemen": 20}
LOOKAHEAD = {
    "tests/books/causeway.rules:crossing": 30,
    "benchmarks/ridge.rules:first": 50,
    "tests/books/hands.rules:evening": 50,
    "tests/books/skirmish.rules:battle": 50,
    "trc:battle": 8,
    "fragment:first_year": 5,
    "tdv:smolensk": 3,
}
USUAL = {DOCTRINE: MEASURED, "busy": BUSY, "lookahead": LOOKAHEAD, "lookahead:easy": LOOKAHEAD}
"""The settings of each player, with their pairs."""
HEAD = """# Figures

Written by `make opponents`; measured, not claimed. Each doctrine played the fair random player in pairs: every seed
twice, with sides swapped. Beside it stands what a random player reaches on the same side against another one. The
seeds begin at 1001, those of tdv at 2001; the doctrines were written on seeds below 200, Konev on some of 1001 to 1015.

Shares of wins have Wilson's interval, margins Student's, both of 95 %. A margin is what the scenario counts for a side
at the end, less the same of the other side. *Apart* says by what the doctrine lies above the random player on that
side: by wins, by the margin, or by nothing. Whatever is named there has an interval of the difference (Newcombe's of
shares, Welch's of means, 95 %) that excludes equality. Seconds are processor time, a game of the doctrine against
random.

The random player is a weak yardstick: it shows that a doctrine knows what it wants, and nothing more.

| book | scenario | pairs | pair score | side | doctrine wins | random wins there | margin (random) | apart | s |
|---|---|---|---|---|---|---|---|---|---|
"""
BARE_HEAD = """
## Without a doctrine

`busy` and `lookahead` need nothing but the rules. `busy` acts while it can: measured in the same way, it shows that
being busy is no fallback for a book without a doctrine. `lookahead` tries its plans by games ([how](lookahead.md)). It
was written on the causeway, seeds 1 to 10. Before its budgets were settled it was also looked at in ten games of the
battle of trc and a few of ridge, skirmish and the fragment, seeds below 20; nothing else was set by what it did there,
and nothing at all by any figure below. Pairs are few, for its games take long.

| book | scenario | pairs | pair score | side: player | wins | random wins there | margin (random) | apart | s |
|---|---|---|---|---|---|---|---|---|---|
"""


DUEL_HEAD = """
## Against the doctrine of the other side

Where a random player loses to nobody but a doctrine, or wins against every random one, games against the random player
tell little. Here a doctrine, and the random player in its place (in brackets), play the doctrine of the other side, the
same seeds each.

| book | scenario | games | side: doctrine | against | wins | random wins there | margin (random) | apart |
|---|---|---|---|---|---|---|---|---|
"""


def sim(book: str, scenario: str, players: str, pairs: float, first: int) -> dict[str, Any]:
    """What `rulewright sim` says of some pairs."""
    words = ["sim", book, "--scenario", scenario, "--players", players, "--seed", str(first), "--jobs", "1"]
    count = ["--pairs", str(pairs)] if "," in players else ["--games", str(int(2 * pairs))]
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        main([*words, *count, "--no-cases", "--quiet", "--format", "json"])
    found: dict[str, Any] = json.loads(text.getvalue())
    return found


def measure(book: str, scenario: str, who: str, pairs: int, first: int) -> dict[str, Any]:
    """One book: its doctrines (or another player) against random, and random against random."""
    sim(book, scenario, "random", 1, first)  # what is compiled first is not counted
    start = time.process_time()
    against = sim(book, scenario, f"{who},random", pairs, first)
    seconds = (time.process_time() - start) / (2 * pairs)
    plain = sim(book, scenario, "random", max(pairs, PLAIN), first)
    rows = {}
    for seat in (s for s in against["seats"] if s["player"] == 0):
        other = next(s for s in plain["seats"] if s["side"] == seat["side"])
        rows[seat["side"]] = {
            "doctrine": against["players"][0]["seats"][seat["side"]],
            "won": seat["won"],
            "random": other["won"],
            "margin": spread(seat["margin"]),
            "random margin": spread(plain["margin"][seat["side"]]),
        }
    score, interval = against["pairs"]["score"], against["pairs"]["interval"]
    return {
        "pairs": pairs,
        "first": first,
        "score": score,
        "interval": interval,
        "seconds": round(seconds, 2),
        "sides": rows,
    }


def duel(book: str, scenario: str, side: str, games: int, first: int) -> dict[str, Any]:
    """The doctrine of a side against that of the others, and the random player in its place."""
    rows = {}
    for who in (DOCTRINE, "random"):
        team = "/".join(who if x == side else DOCTRINE for x in load(book).program.sides)
        found = sim(book, scenario, team, games / 2, first)
        seat = next(x for x in found["seats"] if x["side"] == side)
        named = found["players"][0]["seats"]
        rows[who] = {"won": seat["won"], "margin": spread(found["margin"][side]), "seats": named}
    return {"games": games, "first": first, "side": side, "duel": rows}


def spread(margin: dict[str, Any] | None) -> dict[str, Any] | None:
    """What of a margin is kept."""
    if margin is None:
        return None
    return {"games": len(margin["values"]), **{key: margin[key] for key in ("mean", "deviation", "interval")}}


def percent(x: float) -> str:
    return f"{100 * x:.0f}"


def share(won: dict[str, Any]) -> str:
    low, high = won["interval"]
    return f"{percent(won['share'])} % [{percent(low)}–{percent(high)}]"


def apart(row: dict[str, Any]) -> str:
    """By what a player lies above the random one on its side."""
    ours, plain = row["margin"], row["random margin"]
    by_wins = lead_in_wins(row["won"], row["random"]) > 0
    by_margin = bool(ours and plain and ours["interval"] and plain["interval"]) and lead_in_margin(ours, plain) > 0
    return " and ".join(name for name, holds in (("wins", by_wins), ("margin", by_margin)) if holds) or "**no**"


def lead_in_wins(won: dict[str, Any], other: dict[str, Any]) -> float:
    """The lower end of the interval of a difference of two shares: Newcombe's, from both Wilson intervals."""
    down, up = won["share"] - won["interval"][0], other["interval"][1] - other["share"]
    return float(won["share"] - other["share"] - sqrt(down**2 + up**2))


def lead_in_margin(ours: dict[str, Any], plain: dict[str, Any]) -> float:
    """The same of two means: Welch's."""
    parts = [(x["deviation"] ** 2 / x["games"], x["games"] - 1) for x in (ours, plain)]
    spread = sum(part for part, _ in parts)
    if not spread:
        return float(ours["mean"] - plain["mean"])
    freedom = spread**2 / sum(part**2 / of for part, of in parts)
    return float(ours["mean"] - plain["mean"] - student(int(freedom)) * sqrt(spread))


def mean(margin: dict[str, Any] | None) -> str:
    if margin is None or margin["interval"] is None:
        return "–"
    low, high = margin["interval"]
    return f"{margin['mean']:+.1f} [{low:+.1f} to {high:+.1f}]"


def table(kept: dict[str, Any]) -> str:
    """The rows of what was measured."""
    lines = []
    for name, found in kept.items():
        book, _, scenario = name.rpartition(" ")[2].rpartition(":")
        low, high = found["interval"]
        score = f"{percent(found['score'])} % [{percent(low)}–{percent(high)}]"
        for side, row in found["sides"].items():
            margin = f"{mean(row['margin'])} ({mean(row['random margin'])})" if row["margin"] is not None else "–"
            seconds = found.get("seconds", "–")
            lines.append(
                f"| {Path(book).stem} | {scenario} | {found['pairs']} | {score} | {side}: {row['doctrine']} |"
                f" {share(row['won'])} | {share(row['random'])} | {margin} | {apart(row)} | {seconds} |"
            )
    return "\n".join(lines) + "\n"


def page(kept: dict[str, Any]) -> str:
    """The tables of all that was measured."""
    duels = {key: found for key, found in kept.items() if "duel" in found}
    bare = {key: found for key, found in kept.items() if " " in key and key not in duels}
    with_doctrines = {key: found for key, found in kept.items() if key not in bare and key not in duels}
    told = HEAD + table(with_doctrines) + (BARE_HEAD + table(bare) if bare else "")
    return told + (DUEL_HEAD + duel_table(duels) if duels else "")


def duel_table(kept: dict[str, Any]) -> str:
    """The rows of duels."""
    lines = []
    for key, found in kept.items():
        book, _, scenario = key.rpartition(" ")[2].rpartition(":")
        side, ours, plain = found["side"], found["duel"][DOCTRINE], found["duel"]["random"]
        against = ", ".join(who for other, who in plain["seats"].items() if other != side)
        lines.append(
            f"| {Path(book).stem} | {scenario} | {found['games']} | {side}: {ours['seats'][side]} | {against} |"
            f" {share(ours['won'])} | {share(plain['won'])} | {mean(ours['margin'])} ({mean(plain['margin'])}) |"
            f" {apart({**ours, 'random': plain['won'], 'random margin': plain['margin']})} |"
        )
    return "\n".join(lines) + "\n"


def key_of(name: str, who: str) -> str:
    """Under which key the figures of a player in a setting are kept."""
    return name if who == DOCTRINE else f"{who} {name}"


def place_of(key: str) -> tuple[int, int, str]:
    """Where a row stands: by player, then by setting."""
    who, _, name = key.rpartition(" ")
    if who.startswith("duel"):
        return len(USUAL), 0, key
    names = [*USUAL.get(who or DOCTRINE, ()), name]
    return [*USUAL, who or DOCTRINE].index(who or DOCTRINE), names.index(name), name


def run() -> None:
    parser = argparse.ArgumentParser(description="measure the doctrines against the random player")
    parser.add_argument("--pairs", type=int, help="pairs a book, for all of them")
    parser.add_argument("--first", type=int, default=FIRST, metavar="SEED", help="the first seed")
    parser.add_argument("--player", default=DOCTRINE, choices=[*USUAL], help="a player without a doctrine")
    parser.add_argument("what", nargs="*", metavar="BOOK:SCENARIO")
    parser.add_argument("--duel", metavar="SIDE", help="against the doctrine of the other side")
    args = parser.parse_args()
    usual = USUAL[args.player]
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
    for name in args.what or usual:
        book, _, scenario = name.rpartition(":")
        key = key_of(name, args.player)
        pairs = args.pairs or usual.get(name, 10)
        if args.duel:
            key, found = f"duel:{args.duel} {name}", duel(book, scenario, args.duel, 2 * pairs, args.first)
        else:
            found = measure(book, scenario, args.player, pairs, args.first)
        kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}  # as it stands by now
        kept[key] = found
        kept = {name: kept[name] for name in sorted(kept, key=place_of)}
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        PAGE.write_text(page(kept), encoding="utf-8")
        print((duel_table if args.duel else table)({key: kept[key]}), end="", flush=True)


if __name__ == "__main__":
    run()
