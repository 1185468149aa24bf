"""What all parts of the builder share: spans, texts, and how a tree finds its method.

In:  a tree or a token of Lark.
Out: its node, its span, or its text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token, Tree

from .. import nodes as n
from ..source import Origin, Span

Item = Any


class GivenTwice(Exception):
    """A second line of a sort that a declaration holds once."""

    def __init__(self, word: str, span: Span) -> None:
        super().__init__(word)
        self.word, self.span = word, span


class Building:
    """Builds the nodes of one block: each method is named as its rule of the grammar, `x_` and the rule."""

    def __init__(self, origin: Origin, text: str | None = None, row: int = 1, column: int = 1) -> None:
        """`text` is what the trees were read from, where that is not the block itself: it begins at a row and column
        of it, and lies in one line."""
        self.origin = origin
        self.text = origin.text if text is None else text
        self.down, self.right = row - 1, column - 1

    def __call__(self, item: Item) -> Item:
        if isinstance(item, Tree):
            # Lark names rules by text, so the method is found by name; a table of all rules would say the same twice.
            # The book of tests/golden has every rule of the grammar: one without a method fails there.
            item.data = str(item.data)
            method: Callable[[Tree[Token], list[Item], Span], Item] = getattr(self, "x_" + item.data)
            return method(item, item.children, self.span(item))
        return item

    def every(self, items: list[Item]) -> list[Item]:
        return [self(i) for i in items if i is not None]

    def span(self, item: Tree[Token] | Token) -> Span:
        if isinstance(item, Token):
            row, column = item.line or 1, item.column or 1
            return self.placed(row, column, item.end_line or row, item.end_column or column)
        meta = item.meta
        if meta.empty:
            return self.placed(1, 1, 1, 1)
        end_row, end_column = meta.end_line, meta.end_column
        if end_column == 1 or end_row > meta.line:
            # A node that ends with its line would reach into the next one: keep to the last text.
            end_row, end_column = self._trim(meta.line, meta.column, meta.start_pos, meta.end_pos)
        return self.placed(meta.line, meta.column, end_row, end_column)

    def placed(self, row: int, column: int, end_row: int, end_column: int) -> Span:
        """A span of the block, from one of the text."""
        return Span(self.origin, row + self.down, column + self.right, end_row + self.down, end_column + self.right)

    def _trim(self, row: int, column: int, start: int, end: int) -> tuple[int, int]:
        text = self.text[start:end].rstrip()
        lines = text.split("\n")
        kept = [line for line in lines if not line.lstrip().startswith("#")] or lines[:1]
        last = len(lines) - 1 - next((i for i, x in enumerate(reversed(lines)) if x in kept), 0)
        width = len(lines[last].rstrip())
        return row + last, (column + width) if last == 0 else width + 1


def goes_on(text: str, below: n.RawLine) -> bool:
    """Whether a line of data goes on in the line below it: behind a comma, or where that is no `key: value`."""
    return not text.startswith("|") and not below.below and (text.endswith(",") or ":" not in below.text)


def unquote(quoted: Tree[Token] | None) -> str:
    """The text in quotes; one that goes on in further lines is joined by spaces."""
    return " ".join(str(piece)[1:-1] for piece in quoted.children) if quoted is not None else ""


def text_or_none(token: Item) -> str | None:
    return None if token is None else str(token)


def strip_comment(text: str) -> str:
    """A raw line without its trailing comment; a `#` inside quotes stays."""
    quoted = False
    for i, ch in enumerate(text):
        if ch == '"':
            quoted = not quoted
        elif ch == "#" and not quoted:
            return text[:i].rstrip()
    return text.rstrip()
