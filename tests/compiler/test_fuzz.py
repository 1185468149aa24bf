"""Whatever an author types, the compiler answers with findings, never with a traceback.

Books that use every form of the language are changed a little, by tokens, by expressions and by lines.
Each seed is a test of its own; a failing one names the change.
"""

from __future__ import annotations

import difflib
import random
import re
from pathlib import Path

import pytest

from rulewright.compiler.pipeline import compile_book

HERE = Path(__file__).parents[1]
BOOKS = {"every_form": HERE / "diagnostics" / "every_form.rules", "skirmish": HERE / "books" / "skirmish.rules"}
GRAMMAR = HERE.parent / "dsl" / "rulewright.lark"
ROUNDS = 5

TOKEN = re.compile(r'"[^"\n]*"|@\w+|\w+|\n *|[^\w\s]+| +')
PRIMARY = re.compile(r'"[^"\n]*"|@[\w/]+|[A-Za-z_]\w*\([^()\n]*\)|[A-Za-z_]\w*(?:\.\w+)*|\d+(?::\d+)?')
KEYWORDS = set(re.findall(r'"([a-z]+)"', GRAMMAR.read_text(encoding="utf-8")))
STRANGE = (
    *("rank()", "shifted(1)", "left()", "ends()", "cost()", "on_scale(odds)", "assigned()", "share()", "phase_is(1)"),
    *("{}", "[]", "nothing", "usual", "keep", "it", "path", "here", '"nobody"', "@Z9", "@A1/A2", "Jan 2000", "Jun"),
    *("1d6", "3:1", "1:0", "0", "999999999999", "{1 .. 3}", "units()", "hexes()", "red", "land", "group", "clear"),
    *("left(units(red))", "ends(it)", "each(it over hexes)", "sum(it over hexes)", "highest(red over hexes)"),
    *("supposing alarm = true: 1", "units(red) else 1", "set of unit", "unit", "count(1)", "board", "play", "odds"),
)


def by_tokens(text: str, dice: random.Random) -> str:
    tokens = TOKEN.findall(text)
    words = [i for i, x in enumerate(tokens) if x.strip()]
    at = dice.choice(words)
    tokens[at] = dice.choice(("", f"{tokens[at]} {tokens[at]}", tokens[dice.choice(words)]))
    return "".join(tokens)


def by_expressions(text: str, dice: random.Random) -> str:
    found = [m for m in PRIMARY.finditer(text) if m.group() not in KEYWORDS]
    old = dice.choice(found)
    new = dice.choice(
        (
            dice.choice(found).group(),
            dice.choice(STRANGE),
            f"{old.group()}.{dice.choice(('hex', 'side', 'moved', 'strength', 'terrain', 'zzz'))}",
            re.sub(r"\([^()]*\)$", dice.choice(("()", "(1)", "(red, red, red)", "(x: 1)", "")), old.group()),
        )
    )
    return text[: old.start()] + new + text[old.end() :]


def by_lines(text: str, dice: random.Random) -> str:
    lines = text.split("\n")
    at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    if dice.random() < 0.5:
        del lines[at]
    else:
        lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


WAYS = (by_tokens, by_expressions, by_expressions, by_expressions, by_lines)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", BOOKS)
def test_no_text_breaks_the_compiler(name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    whole = BOOKS[name].read_text(encoding="utf-8")
    dice = random.Random(f"{name} {seed}")
    path = tmp_path / "changed.rules"
    for _ in range(ROUNDS):
        text = whole
        for _ in range(dice.choice((1, 1, 2))):
            text = dice.choice(WAYS)(text, dice)
        path.write_text(text, encoding="utf-8")
        try:
            made = compile_book(str(path))
        except Exception as error:
            changed = [x for x in difflib.unified_diff(whole.split("\n"), text.split("\n"), n=0, lineterm="")]
            pytest.fail(f"{type(error).__name__}: {error}\n" + "\n".join(changed[2:]))
        assert (made.emitted is not None) != made.report.failed
        assert all(d.help for d in made.report.found if d.severity == "error"), made.report.found
        assert all(d.span.line >= 1 and d.span.column >= 1 for d in made.report.found)


def test_the_book_of_every_form_is_sound() -> None:
    """What is changed above is clean to begin with, with its overlay too."""
    for name in (str(BOOKS["every_form"]), f"{BOOKS['every_form']}+fog"):
        assert compile_book(name).report.found == []
