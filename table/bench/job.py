"""One piece of work of the workbench, in a process of its own: strange rules text is read, compiled and run here.

In:  the words of a job: `mix RULES`, `example RULES FILE LINE`, `diff A B PAGE`, `variant A B NAME TITLE FILE`,
     `carry SAVE A B NEW`.
Out: one line of JSON on standard output.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

SECONDS = 40
"""What a search for positions that differ may take."""
HEAD = re.compile(r'^errata changes of (\S+) "[^"\n]*":$', re.MULTILINE)


def main(words: list[str]) -> None:
    job, *given = words
    kept, sys.stdout = sys.stdout, io.StringIO()
    try:
        found = JOBS[job](*given)
    finally:
        sys.stdout = kept
    print(json.dumps(found, ensure_ascii=False))


def mixed(rules: str) -> dict[str, Any]:
    """What there is to play in a rule set, or why it does not compile; it lies compiled in the cache afterwards."""
    from ..books import mix

    return mix(rules)


def example(rules: str, file: str, line: str) -> dict[str, Any]:
    """The example at a line: whether it holds, where it fails, and its position as a picture."""
    from rulewright.compiler.examples.expressions import load_functions
    from rulewright.compiler.examples.run import Runner
    from rulewright.compiler.loader import load_compiled
    from rulewright.compiler.pages.map.position import position_of
    from rulewright.compiler.pages.map.small import NAMESPACE, small_map
    from rulewright.compiler.pipeline import analyse

    made = analyse(rules)
    wrong = [d for d in made.report.found if d.severity == "error"]
    if wrong or made.book is None:
        return {"refused": [d.message for d in wrong[:4]]}
    here = [x for x in made.book.examples if Path(x.span.file).resolve() == Path(file).resolve()]
    chosen = next((x for x in reversed(here) if x.span.line <= int(line) <= last_line(x)), None)
    if chosen is None:
        return {"none": True}
    program = load_compiled(made).program
    runner = Runner(made.book, program, load_functions(made.book, program, [chosen])[0])
    outcome = runner.run(chosen)
    board, S = program.board, runner.S
    units: dict[str, list[str]] = {}
    for unit, at in enumerate(S.at):
        if at is not None and at < board.hexes:
            units.setdefault(board.places[at], []).append(program.units[unit])
    picture = small_map(
        made.book,
        units,
        title=chosen.title,
        key="example",
        position=position_of(made.book, program, S),
    )
    return {
        "title": chosen.title,
        "case": chosen.case,
        "line": chosen.span.line,
        "holds": outcome.passed,
        "failures": [[at, text] for at, text in outcome.failures],
        "picture": picture.replace("<svg", f"<svg{NAMESPACE}", 1) if picture else "",
    }


def last_line(x: Any) -> int:
    return max(int(row) for row in (x.span.line, x.span.end_row, *(line.span.end_row for line in x.lines)))


def compared(a: str, b: str, page: str) -> dict[str, Any]:
    """What changed from one rule set to another, with positions that show it, as a page."""
    code, said = command("diff", a, b, "--format", "html", "-o", page, "--time", str(SECONDS), "--quiet", "--jobs", "1")
    return {"page": True} if code == 0 else {"refused": said}


def variant(a: str, b: str, name: str, title: str, file: str) -> dict[str, Any]:
    """What changed as an overlay of its own, written to a file."""
    words = ("--format", "rules", "--no-witnesses", "--no-examples", "--quiet")
    code, said = command("diff", a, b, *words, "-o", file)
    if code:
        return {"refused": said}
    path = Path(file)
    text, found = HEAD.subn(f'variant {name} of \\1 "{title}":', path.read_text(encoding="utf-8"), count=1)
    if not found:
        path.unlink()
        return {"refused": ["nothing has been changed that a variant could say"]}
    path.write_text(text, encoding="utf-8")
    rules = f"{a}+{file}"
    return {"rules": rules, "text": text, **{k: v for k, v in mixed(rules).items() if k in ("refused",)}}


def carried(save: str, a: str, b: str, new: str) -> dict[str, Any]:
    """A game under way, from its position on under other rules."""
    from rulewright.compiler.carry import from_now_on as carry
    from rulewright.compiler.carry.ruleset import rule_set
    from rulewright.compiler.loader import load
    from rulewright.compiler.pipeline import analyse

    sides = [rule_set(analyse(name), load(name).program) for name in (a, b)]
    verdict = carry.from_now_on(Path(save), *sides)
    if verdict.game is None:
        told = carry.lines(verdict)[:6]
        while told and (not told[-1] or told[-1].endswith(":")):  # a heading whose lines are cut off
            told.pop()
        return {"refused": told}
    verdict.game.save(new)
    return {"choices": verdict.choices}


def command(*words: str) -> tuple[int, list[str]]:
    """A command of Rulewright, and what it said where it went wrong."""
    from rulewright.compiler.cli.main import main as run

    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        code = int(run(list(words)))
    return code, said.getvalue().strip().splitlines()[:6]


JOBS: dict[str, Callable[..., dict[str, Any]]] = {
    "mix": mixed,
    "example": example,
    "diff": compared,
    "variant": variant,
    "carry": carried,
}

if __name__ == "__main__":
    main(sys.argv[1:])
