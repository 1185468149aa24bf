"""A witness for readers: the position as a small map, the question and both answers in words.

In:  a witness of a fact, and both rule sets.
Out: what is given, what is asked, and the answer before and after. Nothing that the witness does not prove: how it
     stands to its fact is said wherever other facts have a part in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse_expression

from ..core import nodes as c
from ..core.types import FLAG, Type
from ..diff.facts import Fact
from ..elaborate.expressions.build import Expressions
from ..pages.map.position import pieces
from ..pages.map.sheet import Piece, Position
from ..pages.map.small import small_map
from ..pipeline import Compiled
from ..read.symbols import Scope
from ..witness.rule_set import Rules
from ..words.english import sentence
from ..words.english import words as plain_words
from ..words.examples import NOBODY, choice, said_example
from ..words.expressions import Words
from ..words.shapes import parity, stripped
from .declared import Declared

SCALE = 1.25


@dataclass(frozen=True, slots=True)
class Shown:
    """A position with a question that has two answers."""

    given: str
    """What stands and holds, in sentences; empty where nothing is given."""
    asked: str
    was: str
    now: str
    picture: str
    stands: str
    """How it relates to its change, where it is not its work alone."""
    example: str
    """The position as a worked example."""
    trails: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


ASKED = re.compile(r"(\w+) is asked for ([\w ]+)")
"""An answer of a witness about what is pending."""


class Positions:
    """Witnesses of one diff, in words."""

    def __init__(self, made: tuple[Compiled, Compiled], declared: tuple[Declared, Declared]) -> None:
        self.made, self.declared = made, declared
        self.rules = Rules(made[0]), Rules(made[1])

    def shown(self, f: Fact, w: dict[str, Any], telling: str) -> Shown | None:
        """The witness of a fact; None where there is none to show.

        A value that is no more than what is printed shows nothing, and a fact that others undo shows nothing either.
        """
        if not w.get("example") or w.get("printed") or w.get("stands") == "hidden":
            return None
        side, example = self.read(w["example"])
        if example is None or self.bare(f, example):
            return None
        about, was, now = self.question(example, w, side)
        units, others = w["places"]["units"], w["places"]["others"]
        picture = small_map(
            self.made[0].book,
            units,
            others,
            title=f"Position: {telling}",
            key=f"w-{w['fact']}",
            position=self.position(units, example, side),
            scale=SCALE,
        )
        trails = tuple(w["before"]["trail"]), tuple(w["after"]["trail"])
        given = self.given(example, side)
        return Shown(given, about, was, now, picture, stands_of(w), w["example"], trails)

    def read(self, text: str) -> tuple[int, c.Example | None]:
        """The example in the first rule set that knows its names."""
        for side in (0, 1):
            found = self.rules[side].read(text)
            if found is not None:
                return side, found
        return 0, None

    def bare(self, f: Fact, example: c.Example) -> bool:
        """Whether a witness only repeats the change: a constant or a cell asked for its value, counters counted."""
        if len(example.lines) > 1 or not isinstance(example.lines[0], c.Expected):
            return False
        inner, _ = subject(example.lines[0].test)
        if f.element == "unit" and f.kind in ("added", "struck"):
            return True
        return isinstance(inner, c.TableCell) or (isinstance(inner, c.Call) and not inner.asked)

    def position(self, units: Mapping[str, Sequence[str]], example: c.Example, side: int) -> Position | None:
        """The counters with what they print, and with the marks that the example gives them."""
        book = self.made[0].book
        if book is None:
            return None
        known, there = pieces(book), self.declared[side].book
        for line in example.lines:
            match line:
                case c.GivenMark(key=("unit", mark), of=c.Const(value=int(unit)), value=c.Const(value=value)):
                    known.setdefault(there.units[unit].name, {})[mark] = value
        return Position(
            units={at: [Piece(name=x, fields=known.get(x, {})) for x in names] for at, names in units.items()}
        )

    # ------------------------------------------------------------ words

    def given(self, example: c.Example, side: int) -> str:
        """What stands, what holds and what happens before the question, in that order."""
        dice = tuple(x for line in example.lines[:-1] if isinstance(line, c.GivenDice) for x in line.faces)
        lines: list[c.ExampleLine] = [line for line in example.lines[:-1] if not isinstance(line, c.GivenDice)]
        first = next((k for k, x in enumerate(lines) if not isinstance(x, c.Given)), len(lines))
        if dice:
            lines.insert(first, c.GivenDice(dice, span=dice[0].span))
        said = said_example(self.declared[side].words, replace(example, lines=tuple(lines)))
        return " ".join(x for x in (said.given, *said.then) if x)

    def question(self, example: c.Example, w: dict[str, Any], side: int) -> tuple[str, str, str]:
        """What the last line asks, and both answers."""
        words = self.declared[side].words
        line = example.lines[-1]
        answers = w["before"]["answer"], w["after"]["answer"]
        match line:
            case c.LegalLine() | c.RefusedLine():
                was, now = (legal(x) for x in answers)
                return f"May {choice(words, line, 'choose', ' ')}?", was, now
            case c.Expected():
                inner, by_value = subject(line.test)
                if by_value:
                    about = sentence(asked(words, line.test)).rstrip(".")
                    was, now = (self.value(x, inner.type, k) for k, x in enumerate(answers))
                    return f"{about}:", was, now
                so = (w["holds"] == "before") == parity(line.test)
                return f"Is it so that {asked(words, line.test)}?", *(("yes", "no") if so else ("no", "yes"))
        was, now = (ASKED.sub(lambda m: self.asking(words, m[1], m[2]), x) for x in answers)
        return "What is asked:", was, now

    def asking(self, words: Words, side: str, names: str) -> str:
        """Which question is put to a side, by its name in words."""
        own = words.phrase(f"side.{side}")
        return f"{own.text if own is not None else plain_words(side).title()} is asked for “{plain_words(names)}”"

    def value(self, text: str, type: Type, side: int) -> str:
        """An answer in words; as it is written where it does not read as a value."""
        made = self.made[side]
        report = Reporter()
        node = parse_expression(text, "answer", report)
        if node is None or made.symbols is None:
            return text
        found = Expressions(made.symbols, report).expr(node, Scope({}), type)
        if report.failed:
            return text
        return str(self.declared[side].words.noun(found, NOBODY))


def subject(test: c.Expr) -> tuple[c.Expr, bool]:
    """What an expectation is about, and whether it is about its value; else about whether it is so."""
    inner = stripped(test)
    if isinstance(inner, c.Equal) and isinstance(inner.right, c.Const) and inner.left.type.plain != FLAG:
        return inner.left, True
    return inner, False


def asked(w: Words, test: c.Expr) -> str:
    """What an expectation asks: a value by its name, a condition as a clause."""
    inner, by_value = subject(test)
    return str(w.noun(inner, NOBODY)) if by_value else w.clause(inner, NOBODY)


def legal(answer: str) -> str:
    """`refused by 2.2` as an answer to whether something may be done."""
    by = answer.removeprefix("refused").removeprefix(" by ")
    return "yes" if answer == "legal" else f"no ({by})" if by else "no"


def stands_of(w: dict[str, Any]) -> str:
    match w.get("stands"):
        case "joint":
            return "It takes this change together with others on this page."
        case "shared":
            return "Another change on this page makes the same difference."
    return ""
