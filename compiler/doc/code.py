"""Show `.rules` text as HTML, with links and syntax highlighting.

In:  a text and its links.
Out: markup. Highlighting needs Pygments, which is optional; without it the text is plain and the links stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from markupsafe import Markup, escape

from .names import Link

Tokens = Callable[[str], Iterable[tuple[int, str, str]]]


def tokens() -> Tokens | None:
    """A tokenizer of texts into (start, class, words); None where Pygments is not installed."""
    try:
        from pygments.lexers import get_lexer_by_name
        from pygments.token import Comment, Keyword, Literal, Name, Number, String
        from pygments.util import ClassNotFound
    except ImportError:
        return None
    try:
        lexer = get_lexer_by_name("rules")
    except ClassNotFound:
        return None
    classes = (
        (Comment, "c"),
        (Keyword, "k"),
        (Name.Function, "f"),
        (Name.Class, "f"),
        (Name.Label, "l"),
        (String, "s"),
        (Number, "m"),
        (Literal, "m"),
    )

    def cut(text: str) -> Iterable[tuple[int, str, str]]:
        for start, token, words in lexer.get_tokens_unprocessed(text):
            yield start, next((name for kind, name in classes if token in kind), ""), words

    return cut


class Code:
    """Prints texts; `cut` is the tokenizer used for highlighting."""

    def __init__(self, cut: Tokens | None) -> None:
        self.cut = cut

    def html(self, text: str, links: Iterable[Link] = (), page: str = "") -> Markup:
        """A text with its links; a link into `page` itself needs no file name."""
        starts = [0]
        for line in text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        spans = [(starts[x.row] + x.column, starts[x.row] + x.end, near(x.href, page)) for x in links]
        pieces = list(self.cut(text)) if self.cut is not None else [(0, "", text)]
        out: list[str] = []
        at = 0
        for start, end, href in [*spans, (len(text), len(text), "")]:
            if start < at:
                continue
            out.append(colored(pieces, text, at, start))
            if href:
                out.append(f'<a href="{escape(href)}">{colored(pieces, text, start, end)}</a>')
            at = end
        return Markup("".join(out))


def colored(pieces: list[tuple[int, str, str]], text: str, start: int, end: int) -> str:
    """A part of the text, each token that has a class in a `span`."""
    out = []
    low, high = 0, len(pieces)
    while low < high:
        middle = (low + high) // 2
        if pieces[middle][0] + len(pieces[middle][2]) <= start:
            low = middle + 1
        else:
            high = middle
    for at, name, words in pieces[low:]:
        if at >= end:
            break
        shown = escape(text[max(at, start) : min(at + len(words), end)])
        out.append(f'<span class="{name}">{shown}</span>' if name else str(shown))
    return "".join(out)


def near(href: str, page: str) -> str:
    return href.removeprefix(page) if page and href.startswith(f"{page}#") else href
