"""`rulewright diff A B`: what changed from one rule set to another, and what that does to play.

In:  two rule sets, or one and a revision; optionally settings, saves, seeds, a baseline and an ignore file.
Out: the diff as text, JSON, SARIF, HTML, Markdown or an overlay.

Exit codes: 0 compared, 1 a fact that `--fail-on` names, 2 usage or a rule set that does not compile.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.dsl.render import visible
from rulewright.runtime.problems import Refusal

from ..cache.garbage_collector import collector_paused
from ..examples.workers import Until
from ..pipeline import Compiled
from .faults import Usage, text_of
from .options import add_search, positive
from .progress import Progress
from .sides import read_side, rules_alone, two_sides

if TYPE_CHECKING:
    from ..diff.balance import Shift
    from ..diff.compare import Diff
    from ..diff.facts import Fact
    from ..keeper.settings import Settings
    from ..revisions.revision import Revision
    from ..witness.evidence import Evidence


DOCTRINE_GAMES = 5
"""In so many games two doctrines are compared, unless `--games` says how many."""


def add_diff(p: argparse.ArgumentParser) -> None:
    p.add_argument("before", metavar="A", help="a rule set (trc, fite+errata), a folder or a .rules file")
    p.add_argument("after", metavar="B", nargs="?", help="the rule set to compare with it; with --git, A unless named")
    p.add_argument(
        "--git",
        metavar="REF",
        help="take A from that revision of its git repository: a tag, branch, hash or day; with REF..REF, B too",
    )
    p.add_argument("--format", choices=("text", "json", "rules", "html", "md", "sarif"), default="text")
    p.add_argument("--detail", action="store_true", help="whole texts, reasons, cases touched, all distributions")
    p.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of to standard output")
    p.add_argument(
        "--fail-on",
        metavar="WORDS",
        help="exit 1 on any of these, by commas: alters, may, not, narrower, wider, different, error, warning, note",
    )
    p.add_argument("--case", action="append", default=[], metavar="CASE", help="only facts of this case or item")
    p.add_argument("--fact", action="append", default=[], metavar="ID", help="only this fact")
    p.add_argument("--ignore", type=Path, metavar="FILE", help="ids of facts or judgements to leave out, one a line")
    p.add_argument("--baseline", type=Path, metavar="FILE", help="known facts: not shown, no reason to fail")
    p.add_argument("--write-baseline", type=Path, metavar="FILE", help="write the facts found as a baseline")
    p.add_argument("--config", type=Path, metavar="FILE", help="settings (default: rulewright.toml or pyproject.toml)")
    p.add_argument("--save", type=Path, nargs="+", default=[], metavar="FILE", help="saved games to ask about")
    p.add_argument("--games", type=positive, default=0, metavar="N", help="play N games under both, count wins")
    p.add_argument("--players", default="random", metavar="A,B", help="who plays them, as in sim (default: random)")
    p.add_argument(
        "--sprt",
        metavar="SIDE,POINTS[,ERROR]",
        help="end those games when it is settled whether SIDE wins so much more often in B: axis,0.05 is five points",
    )
    p.add_argument("--scenario", help="the scenario of those games (default: the first)")
    p.add_argument("--seed", type=int, default=0, help="their first seed")
    add_search(p)
    p.set_defaults(run=run_diff)


def run_diff(args: argparse.Namespace) -> int:
    """Compare and print."""
    from ..diff.compare import diff
    from ..diff.saves import ask_save

    until = Until(time.monotonic() + args.time)
    chosen = settings_of(args)
    wanted = fail_words(args.fail_on, chosen)
    ignored = ids_of(args.ignore or chosen.ignore)
    known = {} if args.write_baseline else ids_of(args.baseline or chosen.baseline, "--write-baseline writes one")
    missing = [str(s) for s in args.save if not s.is_file()]
    if missing:
        raise Usage(f"there is no save {', '.join(missing)}")
    ref = args.git if args.git is not None or args.after else chosen.git or None
    revisions = two_sides(args.before, args.after, ref)
    sides = [read_side(side, args.quiet) for side in revisions]
    scenario = scenario_of(args, sides)
    if all(side.book is not None and side.book.doctrine is not None for side in sides):
        return diff_of_doctrines(args)
    (before, one), (after, two) = (rules_alone(*side, args.quiet) for side in zip(revisions, sides, strict=True))
    revisions, sides = (before, after), [one, two]
    saves = [Path(os.path.abspath(path)) for path in args.save]
    programs = [side.program() for side in revisions] if saves else []
    with Progress("witnesses", 0, args.quiet) as progress, collector_paused():
        evidence = gathered(sides, args, until, progress)
        found = diff(
            *sides,
            search=None if args.no_witnesses or args.format == "rules" else evidence.witnesses,
            file=evidence.file,
            ignored=frozenset((*ignored, *known)),
            examples=not args.no_examples and args.format != "rules",
            saves=[{**ask_save(path, *programs), "save": str(s)} for path, s in zip(saves, args.save, strict=True)],
            wanted=only(args.case, args.fact),
            jobs=evidence.jobs,
            until=until,
        )
    if args.games:
        from ..diff.balance import play_both

        asked = shift_of(args.sprt)
        players = args.players.split(",")
        seeds = range(args.seed, args.seed - (-args.games // len(players)))
        try:
            with Progress("games", 2 * args.games, args.quiet) as progress:
                found.balance = play_both(*revisions, scenario, seeds, args.jobs, progress, players, asked)
        except Refusal as refused:
            raise Usage(str(refused)) from None
    text = rendered(found, args, chosen, known, revisions)
    if args.output is None:
        print(text)
    else:
        args.output.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
    if args.write_baseline:
        write_baseline(found, args.write_baseline)
    if not args.quiet:
        remarks(found, args, known)
    return failed(found, wanted, chosen)


def diff_of_doctrines(args: argparse.Namespace) -> int:
    """In which positions of a few games two doctrines choose differently."""
    from ..diff.doctrines import compare
    from ..loader import load

    programs = [load(name).program for name in (args.before, args.after)]
    book = load(args.before.partition("+")[0])
    seeds = range(args.seed, args.seed + (args.games or DOCTRINE_GAMES))
    try:
        sample = compare(book, programs[0], programs[1], args.scenario, seeds)
    except Refusal as refused:
        raise Usage(str(refused)) from None
    told = [json.dumps(sample.data(), indent=2)] if args.format == "json" else map(visible, sample.lines())
    text = "\n".join(told)
    if args.output is None:
        print(text)
    else:
        args.output.write_text(text + "\n", encoding="utf-8")
    return 0


def shift_of(text: str | None) -> Shift | None:
    """The question that ends the games."""
    from ..diff.balance import Shift

    if text is None:
        return None
    side, *numbers = text.split(",")
    try:
        points, *error = map(float, numbers)
        asked = Shift(side, points, *error)
    except (ValueError, TypeError):
        asked = Shift(side, 0)
    if not (0 < abs(asked.points) < 1 and 0 < asked.error < 0.5):
        raise Usage(
            f'"{text}" is no question', "write a side, a shift and perhaps an error: axis,0.05 or axis,-0.05,0.1"
        )
    return asked


def settings_of(args: argparse.Namespace) -> Settings:
    """What the file of settings says."""
    from ..keeper.settings import SettingsProblem, settings

    try:
        return settings(args.config)
    except SettingsProblem as problem:
        raise Usage(visible(problem.message), visible(problem.help)) from problem


def fail_words(given: str | None, chosen: Settings) -> tuple[str, ...]:
    """The words of `--fail-on`, else those of the settings."""
    from ..keeper.settings import VERDICTS

    if given is None:
        return chosen.fail_on
    words = tuple(w for w in given.split(",") if w)
    unknown = [w for w in words if w not in VERDICTS]
    if unknown:
        raise Usage(f"--fail-on does not know {', '.join(unknown)}; it knows: {', '.join(VERDICTS)}")
    return words


def scenario_of(args: argparse.Namespace, sides: list[Compiled]) -> str:
    """The scenario that games are played of; both rule sets have it."""
    if not args.games:
        return ""
    books = [made.book for made in sides if made.book is not None]
    shared = [s for s in books[0].scenarios if s in books[1].scenarios]
    if not shared or (args.scenario and args.scenario not in shared):
        raise Usage(f"both rule sets must have the scenario to play; they share: {', '.join(shared) or 'none'}")
    return args.scenario or shared[0]


def failed(found: Diff, words: tuple[str, ...], chosen: Settings) -> int:
    """The exit code: 1 where a fact is among what is to fail."""
    from ..keeper.severity import failing

    judged = {j.fact: j for j in found.judgements}
    pairs = ((f, judged.get(f.id)) for f in found.facts)
    return 1 if any(failing(words, chosen.levels.of(f, j), j) for f, j in pairs) else 0


def write_baseline(found: Diff, path: Path) -> None:
    """Write the facts that were found, so that a later diff knows them."""
    from ..diff.phrases import phrase
    from ..keeper.baseline import baseline_text

    names = found.before.name, found.after.name
    text = baseline_text(names, found.facts, lambda f: visible(phrase(f, found.before, found.after)))
    path.write_text(text, encoding="utf-8")


def remarks(found: Diff, args: argparse.Namespace, known: dict[str, str]) -> None:
    """What a person should know besides the diff."""
    if (args.case or args.fact) and not found.facts:
        print("no fact between these rule sets has that case or id", file=sys.stderr)
    met = [f.id for f in found.left_out if f.id in known]
    gone = [id for id in known if id.startswith("f") and id not in met]
    if met:
        print(f"{len(met)} fact{'s are' if len(met) != 1 else ' is'} known by the baseline", file=sys.stderr)
    if gone:
        print(f"in the baseline and no longer found: {', '.join(gone)}", file=sys.stderr)


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


def rendered(
    found: Diff,
    args: argparse.Namespace,
    chosen: Settings,
    known: dict[str, str],
    revisions: tuple[Revision, Revision],
) -> str:
    if args.format == "json":
        judged = {j.fact: j for j in found.judgements}
        made = found.as_json()
        for f, row in zip(found.facts, made["facts"], strict=True):
            row["severity"] = chosen.levels.of(f, judged.get(f.id))
        made["known"] = {f.id: known[f.id] for f in found.left_out if f.id in known}
        made["revisions"] = {w: r.commit or None for w, r in zip(("before", "after"), revisions, strict=True)}
        return json.dumps(made, indent=1, ensure_ascii=False)
    if args.format == "sarif":
        from ..keeper.sarif import render_sarif

        asked = only(args.case, args.fact) or (lambda _: True)
        facts = found.facts + [f for f in found.left_out if f.id in known and asked(f)]
        return render_sarif(found, chosen.levels, known, facts, revisions[1].path)
    if args.format == "rules":
        from ..diff.as_overlay import render_rules

        return render_rules(found)
    if args.format in ("html", "md"):
        from ..sheet.write import sheet_text

        return sheet_text(found, args.format, args.detail)
    from ..diff.render import render_text

    color = args.output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return render_text(found, detail=args.detail, color=color)


def ids_of(path: Path | None, help: str = "check the name") -> dict[str, str]:
    """The ids of an ignore file or a baseline: the first word of each line; the rest is a remark."""
    from ..keeper.baseline import read_ids

    if path is None:
        return {}
    try:
        return read_ids(text_of(path))
    except FileNotFoundError:
        raise Usage(f"{path}: there is no such file", help) from None
    except (OSError, ValueError) as error:
        raise Usage(f"{path}: {visible(str(error))}", "each line begins with an id such as f1aafe6c12") from None
