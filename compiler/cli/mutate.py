"""`rulewright mutate`: mutation testing of the worked examples of a book.

In:  a rule set, how many mutants to try, a seed.
Out: the share of mutants that some example detects, and those that none does.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from .options import count, positive

if TYPE_CHECKING:
    from ..examples.campaign import Result


def add_mutate(p: argparse.ArgumentParser) -> None:
    from ..examples.changes import KINDS

    p.add_argument("book")
    p.add_argument("--count", type=positive, default=400, help="how many mutants (default: 400)")
    p.add_argument("--all", action="store_true", help="every mutant there is")
    p.add_argument("--seed", type=count, default=1, help="which of them, the same for the same seed (default: 1)")
    p.add_argument("--kind", action="append", default=[], choices=KINDS, help="only of this kind; may be repeated")
    p.add_argument("--case", action="append", default=[], help="only of this case and those below; may be repeated")
    p.add_argument("--chapters", default="", help="only of these chapters, by commas")
    p.add_argument("--id", action="append", default=[], help="only this mutant; may be repeated")
    p.add_argument("--at-least", type=percent, metavar="PERCENT", help="exit 0 from this score on (default: 100)")
    p.add_argument("--jobs", type=count, default=0, help="processes (default: one a core)")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.add_argument("--quiet", action="store_true", help="no progress")
    p.set_defaults(run=mutate)


def percent(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f'"{text}" is no percentage from 0 to 100')
    return value


def mutate(args: argparse.Namespace) -> int:
    from ..examples.campaign import MOST_EQUIVALENT, as_json, campaign, counts, share
    from ..examples.equivalent import file_of, read_reasons, stale
    from ..examples.mutants import Wanted, mutants, sample
    from ..examples.trial import ready
    from .faults import Usage
    from .progress import Progress

    with Progress("", 0, args.quiet) as progress:

        def told(what: str, done: int, of: int) -> None:
            progress.what = what
            progress(done, of)

        trials = ready(args.book, (), told)
        everything = mutants(trials.made)
        chapters = frozenset(args.chapters.split(",")) if args.chapters else frozenset[str]()
        wanted = Wanted(frozenset(args.id), frozenset(args.kind), tuple(args.case), chapters)
        chosen = [m for m in everything if wanted.case(m.case) and wanted.mutant(m)]
        if not chosen:
            raise Usage(f"{args.book} has no such mutant", "an id holds while its declaration is not edited")
        reasons = read_reasons(file_of(trials.made))
        lost = stale(reasons, (m.id for m in everything))
        limit = None if args.all or args.id else args.count
        order = sample(chosen, args.seed)
        results = campaign(trials, order, limit, args.jobs, reasons, lambda done, of: told("mutants", done, of))
    if args.format == "json":
        print(json.dumps(as_json(args.book, args.seed, results, lost), indent=1, ensure_ascii=False))
    else:
        print_results(args.book, args.seed, results, lost)
    total = counts(results)
    excused = len(reasons) > MOST_EQUIVALENT * len(everything)
    if excused and args.format == "text":
        print(f"{len(reasons)} mutants are argued to be equivalent: more than 3 of 100 of all {len(everything)}")
    refuted = any(r.status == "refuted" for r in results)
    below = 100 * share(total) < (100 if args.at_least is None else args.at_least)
    return 1 if below or lost or excused or refuted else 0


def print_results(book: str, seed: int, results: list[Result], lost: list[str]) -> None:
    from ..examples.campaign import counts, scores, share

    for r in results:
        if r.status in ("unnoticed", "refuted"):
            house = ", house" if r.mutant.house else ""
            print(f"{r.mutant.id}  {r.mutant.span.file}:{r.mutant.span.line}{house}")
            print(f"  {r.mutant.what}")
            if r.status == "refuted":
                print(f"  argued to be equivalent, but it is noticed by {r.by}")
            else:
                met = f"{r.met} examples may meet it and hold" if r.met else "no example runs it"
                print(f"  {met}; again: rulewright mutate {book} --id {r.mutant.id}")
    for id in lost:
        print(f"{id}: argued to be equivalent, but no such mutant is left")
    for kind, row in scores(results).items():
        excused = f", {row['equivalent']} equivalent" if row["equivalent"] else ""
        print(f"{kind:13} {row['noticed']:4} of {row['mutants'] - row['equivalent']:4} noticed{excused}")
    total = counts(results)
    real = total["mutants"] - total["equivalent"]
    excused = f", {total['equivalent']} more equivalent" if total["equivalent"] else ""
    print(f"{total['noticed']} of {real} mutants noticed, seed {seed}: {100 * share(total):.1f} %{excused}")
