"""Read the text of a log line: what stands in braces is a value, `{{` and `}}` are braces.

In:  the quoted texts of one line, each with its place.
Out: its pieces, texts and expressions in turn.
Reports: RW101, raised as `Beyond`, where a brace has no partner in its line or holds no expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from .. import nodes as n
from ..chains import check_chains
from ..grammar import Beyond, Misaligned, RunTogether, parser

_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
HELP = "write a value of the rules, {unit} or {odds(b)}; a brace that is text is written twice: {{"

Make = Callable[[Tree[Token], int, int], n.Expr]
"""An expression from its tree, given the row and the column at which its text begins."""


def pieces(quoted: Tree[Token], make: Make) -> tuple[str | n.Expr, ...]:
    """The pieces of a text that may go on in further lines; texts that touch are one piece."""
    found: list[str | n.Expr] = []
    for i, token in enumerate(quoted.children):
        assert isinstance(token, Token)
        for piece in ([" "] if i else []) + list(of_line(token, make)):
            if isinstance(piece, str) and found and isinstance(found[-1], str):
                found[-1] += piece
            elif piece:
                found.append(piece)
    return tuple(found)


def of_line(token: Token, make: Make) -> Iterator[str | n.Expr]:
    """The pieces of one quoted text."""
    text, end = str(token)[1:-1], 0
    for match in _PIECE.finditer(text):
        yield text[end : match.start()]
        end = match.end()
        if match[0] in ("{{", "}}"):
            yield match[0][0]
            continue
        at = Token("STRING", match[0], 0, token.line, (token.column or 1) + 1 + match.start())
        if match[1] is None:
            raise Beyond("RW101", at, "a brace in this text has no partner in its line", HELP)
        yield expression(match[1], at, make)
    yield text[end:]


def expression(text: str, at: Token, make: Make) -> n.Expr:
    """The value in one pair of braces."""
    inner = text.strip()
    column = (at.column or 1) + 1 + len(text) - len(text.lstrip())
    try:
        tree: Tree[Token] = parser("expression").parse(inner + "\n")
        check_chains(tree)
    except (UnexpectedInput, Misaligned, RunTogether):
        raise Beyond("RW101", at, f"{{{inner}}} is no value", HELP) from None
    except Beyond as error:
        raise Beyond(error.code, at, error.message, error.help) from None
    return make(tree, at.line or 1, column)


def in_braces(piece: str) -> str:
    """A piece of text as it is written, its braces twice."""
    return piece.replace("{", "{{").replace("}", "}}")
