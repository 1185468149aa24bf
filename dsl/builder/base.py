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

    def __init__(self, origin: Origin) -> None:
        self.origin = origin

    def __call__(self, item: Item) -> Item:
        if isinstance(item, Tree):
            item.data = str(item.data)
            method: Callable[[Tree[Token], list[Item], Span], Item] = getattr(self, "x_" + item.data)
            return method(item, item.children, self.span(item))
        return item

    def every(self, items: list[Item]) -> list[Item]:
        return [self(i) for i in items if i is not None]

    def span(self, item: Tree[Token] | Token) -> Span:
        if isinstance(item, Token):
            row, column = item.line or 1, item.column or 1
            return Span(self.origin, row, column, item.end_line or row, item.end_column or column)
        meta = item.meta
        if meta.empty:
            return Span(self.origin, 1, 1, 1, 1)
        end_row, end_column = meta.end_line, meta.end_column
        if end_column == 1 or end_row > meta.line:
            # A node that ends with its line would reach into the next one: keep to the last text.
            end_row, end_column = self._trim(meta.line, meta.column, meta.start_pos, meta.end_pos)
        return Span(self.origin, meta.line, meta.column, end_row, end_column)

    def _trim(self, row: int, column: int, start: int, end: int) -> tuple[int, int]:
        text = self.origin.text[start:end].rstrip()
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
