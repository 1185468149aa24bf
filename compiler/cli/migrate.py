"""`rulewright migrate`: the effect of other rules on a saved game.

In:  a save and the overlays to add, or the revision of the rules that it was saved under.
Out: whether the game replays the same, or whether it can go on from its present position; on request the save under
     the new rules. Nothing is written unless asked, and nothing over the save itself.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from rulewright.dsl.render import visible
from rulewright.runtime.journal import Journal

from ..diff.migrate import Migration, carry_over, migrate
from ..revisions.revision import Revision, present, revision
from .faults import Usage
from .progress import busy


def add_migrate(p: argparse.ArgumentParser) -> None:
    p.add_argument("save")
    p.add_argument("--overlay", action="append", default=[], metavar="NAME", help="an overlay to add; may be repeated")
    p.add_argument("--git", metavar="REF", help="the save was played under the rules of that revision")
    p.add_argument("--book", help="the rule set of the save, where it is not found by the name in it")
    p.add_argument("--from-now-on", action="store_true", help="go on under the new rules from the present position")
    p.add_argument("--write", "-o", metavar="FILE", help="write the game under the new rules, as far as it is lawful")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.set_defaults(run=run_migrate)


def run_migrate(args: argparse.Namespace) -> int:
    """Print the answer; exit code 1 where the game would have gone differently, or cannot go on."""
    save = Path(args.save)
    book = args.book or Journal.read(save).header.rules
    if not args.overlay and args.git is None:
        help = "--overlay NAME adds one; --git REF says under which the save was played"
        raise Usage("which rules are to hold?", help)
    if args.write and os.path.exists(args.write) and os.path.samefile(args.write, save):
        raise Usage("a save is not written over", "name another file")
    before, after = sides_of(book, args)
    return go_on(save, before, after, args) if args.from_now_on else replay(save, before, after, args)


def sides_of(book: str, args: argparse.Namespace) -> tuple[Revision, Revision]:
    """The rules of before and of after."""
    from ..revisions.git import GitProblem

    after = present("+".join((book, *args.overlay)))
    if args.git is None:
        return present(book), after
    try:
        return revision(book, args.git), after
    except GitProblem as problem:
        raise Usage(visible(problem.message), visible(problem.help)) from problem


def replay(save: Path, before: Revision, after: Revision, args: argparse.Namespace) -> int:
    """The game played again from its beginning."""
    made, program = migrate(save, before, after)
    if args.format == "json":
        print(json.dumps({"save": str(save), **as_json(made)}, indent=1, ensure_ascii=False))
    else:
        print(made.answer + (f": {made.reason}" if made.reason else ""))
    if args.write:
        carry_over(save, program, before.program(), made.upto, Path(args.write))
        if args.format == "text":
            print(f"{args.write}: {made.upto} choices under {made.rules}")
    return 0 if (made.event is None and "replays" in made.answer) or made.answer == "unaffected" else 1


def as_json(made: Migration) -> dict[str, object]:
    return {
        "rules": made.rules,
        "answer": made.answer,
        "event": made.event,
        "cases": list(made.cases),
        "reason": made.reason,
    }


def go_on(save: Path, before: Revision, after: Revision, args: argparse.Namespace) -> int:
    """The game from its present position on."""
    from ..carry import from_now_on as carry
    from ..carry.ruleset import rule_set
    from .sides import read_side

    sides = [rule_set(read_side(side, False), side.program()) for side in (before, after)]
    with busy("holding the game against the new rules"):
        verdict = carry.from_now_on(save, *sides)
    if args.format == "json":
        print(json.dumps({"save": str(save), **carry.as_json(verdict)}, indent=1, ensure_ascii=False))
    else:
        print("\n".join(carry.lines(verdict)))
    if args.write:
        if verdict.game is None:
            print(f"{args.write} is not written")
        else:
            verdict.game.save(args.write)
            if args.format == "text":
                print(f"\n{args.write}: goes on under {verdict.rules[1]} after {verdict.choices} choices")
    return 0 if verdict.lawful else 1
