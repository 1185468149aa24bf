"""Twins: generated code and the oracle play the same games and answer the same questions.

    python tools/twins.py --minutes 10 --report docs/twins.md [BOOK …]

Same seed and same choices on both; after every choice the decisions, the state, the dice and the log must be the same,
and so must the verdicts on sampled choices, legal and illegal ones, with the cases that refuse. In positions of games
and of examples both are asked for definitions, routes, matchings, tables and quotas with sampled arguments. Worked
examples run by the oracle, too. What the oracle gives up (too many plans or sets to try) is counted apart.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from dataclasses import fields as fields_of
from pathlib import Path

from twin.examples import run_examples
from twin.games import play_both
from twin.pair import ROOT, Tally, Twins

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.builtins import BUILTINS
from rulewright.compiler.core.walk import all_procedures, all_statements, declared, top_exprs

EXAMPLE = 1
"""The seconds that the oracle takes for an example of a large book: so many are chosen that they fit in the time."""
BOOKS = {
    "trc": ("battle", "barbarossa"),
    "tdv": ("smolensk", "campaign_start"),
    "fite+errata": ("niemen",),
    "fite": ("niemen",),
    "fragment": ("first_year", "war_in_june"),
    "ocs": ("trial",),
    "caseblue": ("proving",),
}


def small_books() -> dict[str, tuple[str | None, ...]]:
    """Probes and fixture books that are games by themselves."""
    tests = ROOT / "tests"
    found = [*(tests / "books").glob("*.rules"), *(tests / "compiler" / "books").glob("*.rules")]
    probes = tests / "probes"
    found += [*probes.glob("*.rules"), *(x / f"{x.name}.rules" for x in probes.iterdir() if x.is_dir())]
    return {str(path): (None,) for path in sorted(found) if path.is_file()}


Job = tuple[str, tuple[str | None, ...], float]


def campaign(names: list[str], minutes: float, jobs: int) -> list[Tally]:
    """Every book for its share of the time; the small ones have one share together."""
    large: dict[str, tuple[str | None, ...]] = {k: v for k, v in BOOKS.items() if not names or k in names}
    small = {k: v for k, v in small_books().items() if not names or k in names or Path(k).stem in names}
    share = 60 * minutes / (len(large) + bool(small))
    todo: list[Job] = [(name, scenarios, share) for name, scenarios in large.items()]
    todo += [(name, scenarios, share / len(small)) for name, scenarios in small.items()]
    found: list[Tally] = []
    with multiprocessing.Pool(jobs) as pool:
        for tally in pool.imap(one_book, todo, chunksize=1):
            found.append(tally)
            print(line(tally), flush=True)
            for text in tally.differences[:5]:
                print("   ", text, flush=True)
    return found


def one_book(job: Job) -> Tally:
    """Examples first, as many as there is time for; then games, longer and longer."""
    name, scenarios, seconds = job
    with tempfile.TemporaryDirectory() as folder:
        twins = Twins.of(name, Path(folder) / "book")
        many = len(twins.book.examples)
        run_examples(twins, every=1 if many < 100 else max(1, round(many * EXAMPLE / seconds)), asked=40)
        began, seed, most = time.process_time(), 0, 40
        while twins.plain.scenarios and (seed < 2 or (time.process_time() - began < seconds and seed < 60)):
            for scenario in scenarios:
                play_both(twins, scenario, seed, most, asked=40)
            seed, most = seed + 1, min(2 * most, 5000)
            if twins.tally.differences:
                break
        return twins.tally


def line(x: Tally) -> str:
    return (
        f"| `{x.book}` | {x.examples:,} | {x.games:,} | {x.finished:,} | {x.choices:,} | {x.verdicts['legal']:,} | "
        f"{x.verdicts['refused']:,} | {x.verdicts['listed']:,} | {x.values['values']:,} | {x.values['plans']:,} | "
        f"{x.values['without a value']:,} | {x.unknown:,} | {len(x.differences)} | {x.seconds:,.0f} |"
    )


def core_classes() -> tuple[list[str], list[str]]:
    """The classes of expressions and of statements that the core has."""
    return [x.__name__ for x in c.AnyOperator.__args__], [x.__name__ for x in c.Stmt.__args__]


def used(books: list[c.Book]) -> set[str]:
    """The operators, statements and built-in words that stand in some books."""
    found: set[str] = set()
    for book in books:
        for e in (e for x in declared(book) for top in top_exprs(x) for e in top.walk()):
            found |= {type(e).__name__, *([f"word {e.name}"] if isinstance(e, c.BuiltinCall) else [])}
        for p in all_procedures(book):
            found |= {type(s).__name__ for s in all_statements(p)}
    return found


FOUND = """
## What it has brought to light

Mended in generated code, in the runtime or in the runner of examples:

- A route `like` another that calls its mover by another name kept prices by place for all movers alike: the first that
  asked decided for the others. Compared in `tests/compiler/test_routes.py`.
- A question for a path of a route without `to` accepted the start alone, which is no path of it; an action refused that
  path where the start is one of the ends, and listed it. Compared on `tests/compiler/books/standing.rules`.
- A route whose unit is off the map was asked for its budget, by the oracle in searches and by code where a path was
  handed in: a fault where the budget looks at the unit's hex. Compared in `tests/compiler/test_route_from_nowhere.py`.
- A path that jumps from a place to the same place was accepted. Compared on `tests/compiler/books/oracle.rules`.
- Marks that an example gives settled one by one, so that memories saw half a position; one example of `tdv` relied on
  that. Compared on `tests/compiler/books/words.rules`.
- A place that was touched and stayed as it was went out of the answers kept for searches; a route missed its next
  change, and units were in supply that were not. Two differences of `ocs` showed it, the game agrees since. Compared in
  `tests/compiler/test_kept_searches.py`.

Known and open:

- A memory `always` that reckons with `keep` (`keep + 1`) tells how often it was looked at. The language does not say
  how often that is, and such a column is not compared; `tests/compiler/books/memories.rules` has one.
- Of several paths of the same price either may be listed; ends and prices are compared, and that each path is accepted.
"""


def report(tallies: list[Tally], minutes: float) -> str:
    exprs, stmts = core_classes()
    total = Tally("all")
    for x in tallies:
        for f in fields_of(Tally):
            if f.name not in ("book", "differences"):
                setattr(total, f.name, getattr(total, f.name) + getattr(x, f.name))
        total.differences += x.differences
    text = f"""# Generated code and the oracle

Written by `make twins` (`tools/twins.py --minutes {minutes:g}`). The oracle (`compiler/interpret/`) reads the core and
keeps its position in a state of the runtime; it shares no emitter, lowering, search or solver with generated code. It
knows {len(exprs) - 1} operators, {len(stmts)} statements and {len(BUILTINS) + 4} built-in words: all that stand in the core of a
book (`Total` is made by the emitter for itself).

Both play the same games: same seed, same choices. After every choice all columns of the state, the dice, the decisions
and the log are compared; every fourth choice also verdicts on sampled choices, legal ones and ones that are a little
off, with the cases that refuse, and what the oracle lists. Values are definitions, memories, quotas, tables, routes
(ends, prices, paths) and matchings asked with sampled arguments in positions of games and of examples. *No value* have
questions about things that are not there (a unit off the map): one of the two, or both, find nothing to say. *Given up*
are plans and sets too many to try one by one; they are not compared.

| book | examples | games | to the end | choices | legal | refused | listed | values | plans | no value | given up | apart | seconds |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""  # noqa: E501
    text += "\n".join(map(line, tallies)) + "\n" + line(total) + "\n"
    text += FOUND
    if total.differences:
        text += "\n## Differences\n\n" + "\n".join(f"- {x}" for x in total.differences[:60]) + "\n"
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="*", help="books by name, small ones by the name of their file; all of them")
    parser.add_argument("--minutes", type=float, default=20, help="processor time for all games together")
    parser.add_argument("--jobs", type=int, default=2, help="books at a time")
    parser.add_argument("--report", type=Path, help="write a report there")
    args = parser.parse_args()
    tallies = campaign(args.books, args.minutes, args.jobs)
    if args.report is not None:
        args.report.write_text(report(tallies, args.minutes), encoding="utf-8")
    return 1 if any(x.differences for x in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
