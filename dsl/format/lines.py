"""Lines of a block while it is laid out.

In:  tokens.
Out: `Line`, and the text of tokens with the spaces that belong between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lark import Token

from ..wrap import LESS, Level

CALLS = frozenset(("NAME", "COUNT", "SUM", "EACH", "HIGHEST", "LOWEST"))


TIGHT_BEFORE = frozenset((",", ":", ".", ")", "]", "}"))


TIGHT_AFTER = frozenset(("(", "[", "{", "."))


@dataclass(slots=True)
class Line:
    """One line of a block: its tokens or its comment, and how deep it stands."""

    depth: int = 0
    column: int = 0
    code: str = ""
    comment: str = ""
    extra: int = 0
    raw: bool = False
    fixed: bool = False
    goes_on: bool = False
    tokens: list[Token] = field(default_factory=list)
    levels: list[Level] = field(default_factory=list)

    @property
    def blank(self) -> bool:
        return not self.code and not self.comment

    def __str__(self) -> str:
        margin = "  " * self.depth + " " * self.extra
        return f"{margin}{self.code}{'  ' if self.code and self.comment else ''}{self.comment}".rstrip()


def joined(tokens: list[Token]) -> str:
    """The tokens of a line with the spaces that belong between them."""
    parts: list[str] = []
    before = None
    for token in tokens:
        if before is not None and spaced(before, token):
            parts.append(" ")
        parts.append(str(token))
        before = token
    return "".join(parts)


def spaced(before: Token, token: Token) -> bool:
    if token in TIGHT_BEFORE or before in TIGHT_AFTER:
        return False
    if before == "-":
        return before.type == LESS
    return token != "(" or before.type not in CALLS
