"""Hints about colons, indentation and values that are missing.

In:  the spot where parsing stopped.
Out: a message and what to do next; None where the mistake is another one.
"""

from __future__ import annotations

from collections.abc import Iterable

from .spot import Hint, Spot
from .words import openers

INFIX = frozenset(("and", "or", "in", "is", "where", "within", "has", "when", "over", "of", "at"))


def indented_too_far(spot: Spot) -> Hint:
    if spot.kind != "_INDENT":
        return None
    if "\t" in spot.before:
        return (
            "this line is indented with a tab, and deeper than the line above",
            "indent by two spaces a level",
        )
    return (
        "this line is indented deeper, but the line above opens no block",
        "end the line above with a colon, line this one up with it, or go on with a word such as and, or, when",
    )


def empty_block(spot: Spot) -> Hint:
    if spot.ends and spot.expected == {"_INDENT"}:
        return "this block is empty", "indent what belongs to it by two spaces below this line"
    return None


def missing_colon(spot: Spot) -> Hint:
    if "COLON" not in spot.expected or spot.wants_value:
        return None
    if spot.ends:
        return "a colon is missing at the end of this line", 'end a line that opens a block with ":"'
    if spot.word == "=" and spot.expected == {"COLON"}:
        return 'a colon stands before the value, not "="', 'write ":" in place of "="'
    if spot.expected <= {"COLON", "OR", "EQUAL"} or (spot.word in openers("stmt") and spot.word != "note"):
        return (
            f'a colon is missing before "{spot.word}"',
            'write ":" between the head of a block and what it holds',
        )
    return None


def missing_value(spot: Spot) -> Hint:
    if not spot.wants_value:
        return None
    if spot.ends:
        what = f' after "{spot.prior}"' if spot.prior else ""
        return f"a value is missing at the end of this line{what}", "complete the line"
    if spot.word in INFIX or spot.word in (
        ",",
        ")",
        "]",
        "}",
        ":",
        "*",
        "/",
        "=",
        "<",
        ">",
        "<=",
        ">=",
        "!=",
        "+",
    ):
        return f'a value is missing before "{spot.word}"', "write a number, a name, a call or a set there"
    return None


def dedent_hint(line: str, columns: Iterable[int]) -> tuple[str, str]:
    """For a line that returns to a column where no block stands."""
    margin = line[: len(line) - len(line.lstrip())]
    if "\t" in margin:
        return (
            "this line is indented with tabs, and lines up with nothing above",
            "indent by two spaces a level",
        )
    listed = " or ".join(str(column) for column in sorted(set(columns)))
    return (
        "this line lines up with no line above",
        f"indent it by {listed} spaces, as an open block is; two spaces a level",
    )
