"""Turn a parser's complaint into a sentence for an author.

In:  the line, the column where it stopped making sense, the token there, and the terminals
     that could have stood there.
Out: a message that names the mistake, and what to do next.

Each rule knows one mistake that authors make and looks at the spot; the first that recognises it speaks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..diagnostics import near
from .blocks import empty_block, indented_too_far, missing_colon, missing_value
from .expressions import case_or_name, comparison, missing_arrow, open_form, word_for_value
from .first_words import (
    FORMS,
    ask_form,
    capital_keyword,
    else_without_colon,
    former_word,
    if_in_definition,
    keyword_as_name,
    not_a_declaration,
    two_exceptions,
    value_before_otherwise,
    wrong_opener,
)
from .signs import bracket_left_open, foreign_operator, quote_left_open, text_beside_text
from .spot import Hint, Spot, spot_at
from .words import any_of, keywords, texts_of


def hint(line: str, column: int, token: Any, expected: Iterable[str]) -> tuple[str, str]:
    """A message and what to do next."""
    spot = spot_at(line, column, token, expected)
    for rule in RULES:
        found = rule(spot)
        if found is not None:
            return found
    return fallback(spot)


def one_word_missing(spot: Spot) -> Hint:
    """Where only one word can follow, say so."""
    words = texts_of(spot.expected)
    if len(spot.expected) != 1 or len(words) != 1:
        return None
    (word,) = words
    place = "at the end of this line" if spot.ends else f'before "{spot.word}"'
    return f'"{word}" is missing {place}', FORMS.get(spot.first, f'write "{word}" there')


def fallback(spot: Spot) -> tuple[str, str]:
    what = "the end of the line" if spot.ends or not spot.word.strip() else f'"{spot.word.strip()}"'
    if spot.wants_value:
        return f"{what} stands where a value is expected", "write a number, a name, a call or a set there"
    if spot.expected == {"_NL"}:
        return f"{what} is one too many: the line is complete before it", "remove it, or begin a new line"
    help = f"here may stand {any_of(spot.expected)}" if spot.expected else "see docs/language.md"
    return f"{what} does not fit here", help


RULES = (
    bracket_left_open,
    quote_left_open,
    text_beside_text,
    foreign_operator,
    indented_too_far,
    empty_block,
    two_exceptions,
    if_in_definition,
    value_before_otherwise,
    capital_keyword,
    ask_form,
    else_without_colon,
    former_word,
    not_a_declaration,
    wrong_opener,
    keyword_as_name,
    open_form,
    comparison,
    word_for_value,
    missing_arrow,
    case_or_name,
    missing_colon,
    missing_value,
    one_word_missing,
)


def run_together_hint(word: str, keyword: str) -> tuple[str, str]:
    """For a keyword that is only the beginning of a longer word."""
    if word[0].isdigit():
        return f'"{word}" is neither a number nor dice', "dice read 2d6, with at most three digits a side"
    names = near(word, keywords() - {word})
    meant = names[0] if names and names[0] != keyword else keyword
    return f'"{word}" is no word of the language', f'did you mean "{meant}"?'
