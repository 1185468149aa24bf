"""Read a block as lines of tokens and comments.

In:  the text of a block that parses.
Out: its lines, each with its depth, its tokens and its comment; prose stands on the line of its head.
"""

from __future__ import annotations

from itertools import pairwise

from lark import Token

from ..builder.base import strip_comment
from ..compare import raw_form
from ..grammar import parser
from ..wrap import ENDS_VALUE, LESS, PROSE, levels
from .lines import Line

BEFORE_PROSE = frozenset(("NOTE", "LOG", "UNTRANSLATED", "EXAMPLE", "NAME", "CASEID", "STRING", PROSE))


def read(block: str) -> list[Line]:
    """The lines of a block, with the tokens that start on each."""
    texts = block.split("\n")[:-1]
    lines = [Line(column=len(text.expandtabs(8)) - len(text.expandtabs(8).lstrip())) for text in texts]
    ends = [0] * len(texts)
    depth = 0
    whole: list[Line] = []
    for token in parser().parse_interactive(block).iter_parse():
        if token.type == "_INDENT":
            depth += 1
        elif token.type == "_DEDENT":
            depth -= 1
        elif token.type in ("_NL", "$END"):
            measure(whole)
            whole = []
        else:
            at = (token.line or 1) - 1
            line = lines[at]
            line.depth = depth
            if token.type in ("RAW", "HEAD", "NATURE"):
                read_raw(line, token)
                ends[at] = len(texts[at])
                continue
            if not line.tokens:
                whole.append(line)
            line.tokens.append(token)
            ends[at] = (token.end_column or 1) - 1
    measure(whole)
    inside = False
    for line, text, end in zip(lines, texts, ends, strict=True):
        if not line.raw:
            line.comment = text[end:].strip()
        if not line.tokens and not line.raw and inside:
            line.extra = 4
        elif line.tokens:
            inside = line.goes_on
    return lines


def measure(whole: list[Line]) -> None:
    """Find the levels of the tokens of a line that goes over several, and how far each of those stands out."""
    tokens = [token for line in whole for token in line.tokens]
    for before, token in pairwise(tokens):
        if token == "-" and before.type in ENDS_VALUE:
            token.type = LESS
        elif token.type == "STRING" and before.type in BEFORE_PROSE:
            # Inside an expression a text never follows a name, a case or another text directly.
            token.type = PROSE
    known = levels(tokens)
    for i, line in enumerate(whole):
        line.levels, known = known[: len(line.tokens)], known[len(line.tokens) :]
        line.extra = line.levels[0].margin(line.tokens[0]) if i else 0
        line.goes_on = i + 1 < len(whole)


def join_prose(lines: list[Line]) -> list[Line]:
    """Prose that goes over several lines on the line of its head, to be filled anew; a comment keeps lines apart."""
    # Elsewhere an author's line breaks stay. In prose they would be those of an earlier wording after every edit.
    found: list[Line] = []
    for line in lines:
        above = found[-1] if found else None
        if above and above.goes_on and not above.comment and line.tokens and line.tokens[0].type == PROSE:
            first, *rest = line.tokens
            if above.tokens[-1].type == PROSE:
                text = f"{above.tokens[-1][:-1]} {first[1:]}"
                above.tokens[-1:] = [Token.new_borrow_pos(PROSE, text, above.tokens[-1]), *rest]
                above.levels += line.levels[1:]
            else:
                above.tokens += line.tokens
                above.levels += line.levels
            above.comment, above.goes_on = line.comment, line.goes_on
        else:
            found.append(line)
    return found


def read_raw(line: Line, token: Token) -> None:
    text = strip_comment(token)
    line.raw, line.comment = True, token[len(text) :].strip()
    line.fixed = token.type != "RAW"
    line.code = raw_form(text) if not text.startswith("|") else text


def place_comments(lines: list[Line]) -> None:
    """Give each comment line the depth of an open block: whose column it keeps, else the next line's."""
    following: list[Line | None] = [None] * len(lines)
    for i in range(len(lines) - 1, 0, -1):
        following[i - 1] = lines[i] if lines[i].tokens or lines[i].raw else following[i]
    columns = [0]
    for line, after in zip(lines, following, strict=True):
        if line.tokens or line.raw:
            if not line.extra:
                del columns[line.depth :]
                columns.append(line.column)
        elif line.comment:
            if line.extra or (after is not None and after.extra):
                line.depth, line.extra = len(columns) - 1, 4
                continue
            lowest = after.depth if after is not None else 1
            if lowest >= len(columns):
                line.depth = lowest
                continue
            fitting = [d for d in range(lowest, len(columns)) if columns[d] <= line.column]
            line.depth = max(fitting, default=lowest)
