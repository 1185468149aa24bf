"""Options of Fire in the East change what they say and nothing else: the examples of the book hold under them.

All options on one stack, with the sheet of corrections and without it, are tried under every twelfth example of the
book. A few options at a time are tried under those that one of them can reach: they stand in a case that it names, or
name something that it changes, or an action that rests on it; of many, an even pick. `rulewright test fite+OPTION` runs
all examples under one option.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import analyse

OVERLAYS = Path(__file__).parents[2] / "rulebooks" / "fite" / "overlays"
HEAD = re.compile(r"^option (\S+) of fite", re.M)
OPTIONS = tuple(HEAD.findall("".join(p.read_text(encoding="utf-8") for p in sorted(OVERLAYS.glob("*.rules")))))
ALL = "+".join(("fite", *OPTIONS))
PART, PARTS = 1, 12
"""Which examples are tried under all options at once."""
MOST = 40
"""Examples of the book that are tried for one option."""
GROUPS = 5
"""Options are tried in so many groups; compiling the book under each by itself would take most of the time."""
TOUCHES = re.compile(r"^ *(?:except|waive|amend|add to|forbid|require|stop|on(?: before)?) +(.+)$", re.M)
WORD = re.compile(r"[a-z]\w{3,}")
CASE = re.compile(r"\b\d+(?:\.[\w.]+)?(?:/\w+)?")


@cache
def book_of(name: str) -> Any:
    made = analyse(name)
    assert not made.report.failed and made.book is not None
    return made


@cache
def of_the_book() -> frozenset[tuple[str, str]]:
    return frozenset((e.case, e.title) for e in book_of("fite").book.examples)


def failures(name: str, part: int = 0, parts: int = 1, only: frozenset[tuple[str, str]] | None = None) -> list[object]:
    """The examples of the book that are in force under a rule set and do not hold."""
    made = book_of(name)
    wanted = of_the_book() if only is None else only
    found = [e for e in made.book.examples if (e.case, e.title) in wanted][part::parts]
    assert found
    outcomes = run_examples(made.book, load(name).program, found)
    return [(o.example.case, o.example.title, o.failures) for o in outcomes if not o.passed]


@pytest.mark.parametrize("stack", [ALL, f"{ALL}+errata"], ids=["options", "options+errata"])
def test_the_book_holds_under_all_options(stack: str) -> None:
    assert failures(stack, PART, PARTS) == []


def touched(option: str) -> tuple[set[str], set[str]]:
    """The names of the book that an option changes, with the actions that rest on one of them; and the cases it names."""
    made = book_of("fite")
    names = {getattr(e.node, "name", "") for e in made.entries}
    texts = (path.read_text(encoding="utf-8") for path in sorted(OVERLAYS.glob("*.rules")))
    heads = [line.split(":")[0] for text in texts if option in HEAD.findall(text) for line in TOUCHES.findall(text)]
    changed = {word for head in heads for word in WORD.findall(head)} & names
    actions = [e.node for e in made.entries if type(e.node).__name__ == "Action"]
    resting = {a.name for a in actions if changed & {*WORD.findall(a.span.text)}}
    return changed | resting, {case for head in heads for case in CASE.findall(head)}


def reached(option: str) -> frozenset[tuple[str, str]]:
    """Examples of the cases that an option names, or that name what it changes: evenly picked from all of them."""
    names, cases = touched(option)
    examples = book_of("fite").book.examples
    found = [e for e in examples if e.case in cases or names & {*WORD.findall(e.span.text)}]
    return frozenset((e.case, e.title) for e in found[:: 1 + len(found) // MOST])


@pytest.mark.parametrize("group", [OPTIONS[i::GROUPS] for i in range(GROUPS)], ids="+".join)
def test_the_book_holds_under_a_few_options(group: tuple[str, ...]) -> None:
    required = "advanced+" if "overrun_fire" in group and "advanced" not in group else ""
    reach = frozenset[tuple[str, str]]().union(*map(reached, group))
    assert failures(f"fite+{required}{'+'.join(group)}", only=reach) == []
