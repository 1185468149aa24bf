"""Ways to spoil a text: by letters, tokens, expressions, lines and pieces of other texts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from rulewright.dsl.grammar import GRAMMAR

TOKEN = re.compile(r'"[^"\n]*"|@\w+|\w+|\n *|[^\w\s]+| +')
PRIMARY = re.compile(r'"[^"\n]*"|@[\w/]+(?:\.\d+)?|[A-Za-z_]\w*\([^()\n]*\)|[A-Za-z_]\w*(?:\.\w+)*|\d+(?::\d+)?')
KEYWORDS = sorted(set(re.findall(r'"([a-z]+)"', Path(GRAMMAR).read_text(encoding="utf-8"))))
STRANGE = (
    *("rank()", "shifted(1)", "left()", "ends()", "cost()", "on_scale(odds)", "assigned()", "share()", "phase_is(1)"),
    *("{}", "[]", "nothing", "usual", "keep", "it", "path", "here", '"nobody"', "@Z9", "@A1/A2", "Jan 2000", "Jun"),
    *("1d6", "3:1", "1:0", "0", "999999999999", "{1 .. 3}", "units()", "hexes()", "red", "land", "group", "clear"),
    *("left(units(red))", "ends(it)", "each(it over hexes)", "sum(it over hexes)", "highest(red over hexes)"),
    *("supposing alarm = true: 1", "units(red) else 1", "set of unit", "unit", "count(1)", "board", "play", "odds"),
    *("0:0", "1/0", "0d0", "999d999", "0d6", "-1", "- - 1", "{1 .. 999999999999}", "31 Feb 1942", "not not true"),
)
LETTERS = "\0\x01\x0b\x0c\r\t\n \"#'\\(){}[]:,.;@|+-*/=<>!$%&~`^_0aZé\u00a0\u200b\u202e\u2028\ufeff\U0001f600ΑаＡ"

Way = Callable[[str, random.Random], str]


def by_letters(text: str, dice: random.Random) -> str:
    """Some letters changed, put in or taken out."""
    letters = list(text)
    for _ in range(dice.choice((1, 1, 2, 5))):
        at = dice.randrange(len(letters) + 1)
        end = at + dice.choice((0, 1, 1, 3, 20))
        new = [dice.choice(LETTERS) for _ in range(dice.choice((0, 1, 1, 2)))]
        letters[at:end] = new
    return "".join(letters)


def by_tokens(text: str, dice: random.Random) -> str:
    """A token taken out, doubled, or given the place of another."""
    tokens = TOKEN.findall(text)
    words = [i for i, x in enumerate(tokens) if x.strip()]
    if not words:
        return text
    at, other = dice.choice(words), dice.choice(words)
    match dice.randrange(5):
        case 0:
            tokens[at] = ""
        case 1:
            tokens[at] = f"{tokens[at]} {tokens[at]}"
        case 2:
            tokens[at] = dice.choice(KEYWORDS)
        case 3:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case _:
            tokens[at] = tokens[other]
    return "".join(tokens)


def by_expressions(text: str, dice: random.Random) -> str:
    """An expression replaced by another of the text, or by a strange one."""
    found = [m for m in PRIMARY.finditer(text) if m.group() not in KEYWORDS]
    if not found:
        return text
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
    """A line taken out, doubled, moved in or out, or two lines changed about."""
    lines = text.split("\n")
    at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(5):
        case 0 | 1:
            del lines[at]
        case 2:
            lines.insert(other, lines[at])
        case 3:
            lines[at] = dice.choice(("  ", " ", "    ", "")) + lines[at].lstrip(dice.choice((" ", "")))
        case _:
            lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def by_cutting(text: str, dice: random.Random) -> str:
    """A part of the text: its beginning, its end, or all but a stretch."""
    at, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    return dice.choice((text[:at], text[at:], text[:at] + text[end:], text[:end] + text[at:]))


def by_nesting(text: str, dice: random.Random) -> str:
    """One expression in many brackets, under many signs, or many times over."""
    found = list(PRIMARY.finditer(text))
    if not found:
        return text
    old, deep = dice.choice(found), dice.choice((3, 30, 70, 300, 2000))
    word = old.group()
    new = dice.choice(
        (
            "(" * deep + word + ")" * deep,
            "{" * deep + word + "}" * deep,
            "not " * deep + word,
            "-" * deep + word,
            " + ".join([word] * deep),
            " or ".join([word] * deep),
            word * deep,
            "f(" * deep + word + ")" * deep,
            word + ".hex" * deep,
            "9" * deep,
            "a" * deep,
        )
    )
    return text[: old.start()] + new + text[old.end() :]


SMALL: tuple[Way, ...] = (by_tokens, by_expressions, by_expressions, by_expressions, by_lines)
ANY: tuple[Way, ...] = (*SMALL, by_tokens, by_letters, by_letters, by_cutting, by_nesting)


def spoiled(text: str, dice: random.Random, ways: Sequence[Way] = ANY) -> str:
    """A text changed once, or a few times."""
    for _ in range(dice.choice((1, 1, 1, 2, 2, 5))):
        text = dice.choice(ways)(text, dice)
    return text


def grafted(text: str, other: str, dice: random.Random) -> str:
    """Lines of another text in the place of some of this one."""
    mine, theirs = text.split("\n"), other.split("\n")
    at, start = dice.randrange(len(mine)), dice.randrange(len(theirs))
    mine[at : at + dice.choice((0, 1, 3))] = theirs[start : start + dice.choice((1, 2, 6))]
    return "\n".join(mine)


def noise(dice: random.Random) -> str:
    """Letters without sense: any at all, those of the language, or words of it in a row."""
    size = dice.choice((1, 5, 40, 200, 1000))
    match dice.randrange(4):
        case 0:
            return dice.randbytes(size).decode("latin-1")
        case 1:
            return dice.randbytes(size).decode("utf-8", "replace")
        case 2:
            return "".join(dice.choice(LETTERS) for _ in range(size))
        case _:
            return " ".join(dice.choice((*KEYWORDS, *STRANGE, "\n ", "\n  ", ":", "\ncase 1:")) for _ in range(size))
