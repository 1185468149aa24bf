"""`rulewright diff A B`: what changed from one rule set to another, and what that does to play.

In:  two rule sets; optionally saves, seeds and an ignore file.
Out: the diff as text, JSON, HTML, Markdown or an overlay.

Exit codes: 0 compared, 1 a judgement that `--fail-on` names, 2 usage or a rule set that does not compile.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.dsl.render import render_text as render_diagnostics

from ..cache.garbage_collector import collector_paused
from ..examples.workers import Until
from ..pipeline import Compiled, analyse
from .faults import text_of
from .options import count, positive
from .progress import Progress, busy

if TYPE_CHECKING:
    from ..diff.facts import Fact
    from ..witness.evidence import Evidence

TIME = 300
VERDICTS = ("alters", "may", "not", "narrower", "wider", "different")


def add_diff(p: argparse.ArgumentParser) -> None:
    p.add_argument("before", metavar="A", help="a rule set (trc, fite+errata), a folder or a .rules file")
    p.add_argument("after", metavar="B", help="the rule set to compare with it")
    p.add_argument("--format", choices=("text", "json", "rules", "html", "md"), default="text")
    p.add_argument("--detail", action="store_true", help="whole texts, reasons, cases touched, all distributions")
    p.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of to standard output")
    p.add_argument(
        "--fail-on",
        default="",
        metavar="WORDS",
        help="exit 1 on any judgement of these, by commas: " + ", ".join(VERDICTS),
    )
    p.add_argument("--case", action="append", default=[], metavar="CASE", help="only facts of this case or item")
    p.add_argument("--fact", action="append", default=[], metavar="ID", help="only this fact")
    p.add_argument("--ignore", type=Path, metavar="FILE", help="ids of facts or judgements to leave out, one a line")
    p.add_argument("--save", type=Path, nargs="+", default=[], metavar="FILE", help="saved games to ask about")
    p.add_argument("--no-examples", action="store_true", help="do not run worked examples under both")
    p.add_argument("--no-witnesses", action="store_true", help="do not search for positions that differ")
    p.add_argument(
        "--time",
        type=positive,
        default=TIME,
        metavar="SECONDS",
        help=f"end the search and the examples then (default {TIME})",
    )
    p.add_argument(
        "--positions",
        type=positive,
        metavar="N",
        help="positions to try for a fact (default: 300, fewer where there are many facts)",
    )
    p.add_argument("--games", type=positive, default=0, metavar="N", help="play N random games under both and compare")
    p.add_argument("--scenario", help="the scenario of those games (default: the first)")
    p.add_argument("--seed", type=int, default=0, help="their first seed")
    p.add_argument("--jobs", type=count, default=0, help="processes for witnesses and games (default: one a core)")
    p.add_argument("--quiet", action="store_true", help="no progress")
    p.set_defaults(run=run_diff)


def run_diff(args: argparse.Namespace) -> int:
    """Compare and print."""
    from ..diff.compare import diff

    until = Until(time.monotonic() + args.time)
    wanted = [w for w in args.fail_on.split(",") if w]
    unknown = [w for w in wanted if w not in VERDICTS]
    if unknown:
        return wrong(f"--fail-on does not know {', '.join(unknown)}; it knows: {', '.join(VERDICTS)}")
    try:
        ignored = read_ignored(args.ignore)
    except (OSError, ValueError) as error:
        return wrong(f"{args.ignore}: {error}")
    missing = [str(s) for s in args.save if not s.is_file()]
    if missing:
        return wrong(f"there is no save {', '.join(missing)}")
    sides: list[Compiled] = []
    for name in (args.before, args.after):
        with busy(f"reading {name}", args.quiet):
            made = analyse(name)
        if made.report.failed or made.book is None or made.depends is None:
            return wrong(render_diagnostics([d for d in made.report.found if d.severity == "error"]))
        sides.append(made)
    scenario = args.scenario
    if args.games:
        shared = [s for s in sides[0].book.scenarios if s in sides[1].book.scenarios]  # type: ignore[union-attr]
        if not shared or (scenario and scenario not in shared):
            return wrong(f"both rule sets must have the scenario to play; they share: {', '.join(shared) or 'none'}")
        scenario = scenario or shared[0]
    with Progress("witnesses", 0, args.quiet) as progress, collector_paused():
        evidence = gathered(sides, args, until, progress)
        found = diff(
            *sides,
            search=None if args.no_witnesses or args.format == "rules" else evidence.witnesses,
            file=evidence.file,
            ignored=ignored,
            examples=not args.no_examples and args.format != "rules",
            saves=tuple(args.save),
            wanted=only(args.case, args.fact),
            jobs=evidence.jobs,
            until=until,
        )
    if args.games:
        from ..diff.balance import play_both

        seeds = range(args.seed, args.seed + args.games)
        with Progress("games", 2 * args.games, args.quiet) as progress:
            found.balance = play_both(sides[0], sides[1], scenario, seeds, args.jobs, progress)
    text = rendered(found, args)
    if args.output is None:
        print(text)
    else:
        args.output.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
    if (args.case or args.fact) and not found.facts and not args.quiet:
        print("no fact between these rule sets has that case or id", file=sys.stderr)
    hit = [j for j in found.judgements if j.play in wanted or (j.play != "not" and j.direction in wanted)]
    return 1 if hit else 0


def only(cases: list[str], ids: list[str]) -> Callable[[Fact], bool] | None:
    """A filter of facts by case, by item of a sheet, or by id."""
    if not cases and not ids:
        return None

    def wanted(f: Fact) -> bool:
        named = {f.case, *(i.case for i in f.items)}
        return f.id in ids or any(x == c or x.startswith(f"{c}.") for c in cases for x in named)

    return wanted


def gathered(sides: list[Compiled], args: argparse.Namespace, until: Until, told: Progress) -> Evidence:
    """The search for evidence; a person who watches sees how far it is, and each result as it comes."""
    from ..diff.phrases import phrase
    from ..witness.evidence import Evidence, outcome

    def shown(f: Fact, found: dict[str, Any]) -> None:
        told.say(f"{f.case} {phrase(f, sides[0], sides[1])} [{f.id}]: {outcome(found)}")

    return Evidence(sides[0], sides[1], args.positions, args.jobs, args.time, until, told, shown)


def rendered(found: object, args: argparse.Namespace) -> str:
    from ..diff.compare import Diff

    assert isinstance(found, Diff)
    if args.format == "json":
        from ..diff.render import render_json

        return render_json(found)
    if args.format == "rules":
        from ..diff.as_overlay import render_rules

        return render_rules(found)
    if args.format in ("html", "md"):
        from ..sheet.write import sheet_text

        return sheet_text(found, args.format, args.detail)
    from ..diff.render import render_text

    color = args.output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return render_text(found, detail=args.detail, color=color)


def read_ignored(path: Path | None) -> frozenset[str]:
    """The ids of an ignore file: the first word of each line; the rest is a comment."""
    if path is None:
        return frozenset()
    found = set()
    for i, line in enumerate(text_of(path).splitlines(), 1):
        word = line.split("#", 1)[0].split()
        if not word:
            continue
        if not re.fullmatch(r"[fj][0-9a-f]{9}(-\d+)?", word[0]):
            raise ValueError(f'line {i}: "{word[0]}" is no id of a fact or judgement')
        found.add(word[0])
    return frozenset(found)


def wrong(text: str) -> int:
    print(text, file=sys.stderr)
    return 2
