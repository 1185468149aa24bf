"""Format `.rules` text: the one layout behind `rulewright fmt`.

In:  text.
Out: the same text with two spaces a level, single spaces between tokens, aligned tables
     and one blank line between top-level blocks. Comments and line breaks stay.
Reports: what parsing reports, for text that does not parse; such text comes back as it was.

The layout works on the tokens of the lexer, so it never has to understand a rule. A
last look compares the trees before and after; should they differ, the text is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lark import Token

from .build import strip_comment
from .compare import cells, raw_form, same
from .diagnostics import Reporter
from .grammar import parser
from .parse import PARSING, blocks, parse

_OPEN = frozenset(("LPAR", "LSQB", "LBRACE"))
_CLOSE = frozenset(("RPAR", "RSQB", "RBRACE"))
_ENDS_VALUE = frozenset(("NAME", "NUMBER", "RATIO", "DATE", "STRING", "HEX", "DICE", "TRUE", "FALSE")) | _CLOSE
_CALLS = frozenset(("NAME", "COUNT", "SUM", "EACH", "HIGHEST", "LOWEST"))
_TIGHT_BEFORE = frozenset((",", ":", ".", ")", "]", "}"))
_TIGHT_AFTER = frozenset(("(", "[", "{", "."))


@dataclass(slots=True)
class Line:
    """One line of a block: its tokens or its comment, and how deep it stands."""

    depth: int = 0
    column: int = 0
    code: str = ""
    comment: str = ""
    extra: int = 0
    raw: bool = False
    tokens: list[Token] = field(default_factory=list)

    @property
    def blank(self) -> bool:
        return not self.code and not self.comment

    def __str__(self) -> str:
        margin = "  " * self.depth + " " * self.extra
        return f"{margin}{self.code}{'  ' if self.code and self.comment else ''}{self.comment}".rstrip()


def format_text(text: str, file: str = "<text>", report: Reporter | None = None) -> str:
    """The text in the one layout; unchanged, with its diagnostics in `report`, where it does not parse."""
    report = report if report is not None else Reporter()
    mine = Reporter()
    before = parse(text, file, mine)
    report.found.extend(mine.found)
    if mine.failed:
        return text
    result = lay_out(text)
    check = Reporter()
    after = parse(result, file, check)
    return text if check.failed or not same(before, after, loose=True) else result


def lay_out(text: str) -> str:
    """The layout itself, without the last look."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    found: list[str] = []
    done = 0
    was_block = False
    for start, block in blocks(text):
        between = lines[done : start - 1]
        written = [str(line) for line in lay_out_block(block)]
        done = start - 1 + block.count("\n")
        is_block = len(written) > 1
        gap = outside(between)
        if found and (is_block or was_block):
            gap = ["", *gap] if not gap or gap[0] else gap
        found += (gap if found else gap[gap[:1] == [""] :]) + written
        was_block = is_block
    rest = outside(lines[done:])
    while rest and not rest[-1]:
        rest.pop()
    found += rest if found else rest[rest[:1] == [""] :]
    return "\n".join(found) + "\n" if found else ""


def outside(lines: list[str]) -> list[str]:
    """Comments between blocks, with at most one blank line in a row."""
    found: list[str] = []
    for line in map(str.strip, lines):
        if line or not found or found[-1]:
            found.append(line)
    return found


def lay_out_block(block: str) -> list[Line]:
    with PARSING:
        lines = read(block)
    place_comments(lines)
    for line in lines:
        if line.tokens:
            line.code = joined(line.tokens)
    align_tables(lines)
    kept: list[Line] = []
    for line in lines:
        opens = kept and kept[-1].code.endswith(":") and not kept[-1].raw
        if not line.blank or not (not kept or kept[-1].blank or opens):
            kept.append(line)
    while kept and kept[-1].blank:
        kept.pop()
    return kept


def read(block: str) -> list[Line]:
    """The lines of a block, with the tokens that start on each."""
    texts = block.split("\n")[:-1]
    lines = [Line(column=len(text.expandtabs(8)) - len(text.expandtabs(8).lstrip())) for text in texts]
    ends = [0] * len(texts)
    depth = brackets = 0
    for token in parser().parse_interactive(block).iter_parse():
        if token.type == "_INDENT":
            depth += 1
        elif token.type == "_DEDENT":
            depth -= 1
        elif token.type == "$END" or token.type == "_NL":
            continue
        else:
            at = (token.line or 1) - 1
            line = lines[at]
            if not line.tokens and not line.raw:
                line.depth = depth
                if brackets:
                    line.extra = 2 if token.type in _CLOSE else 4
            if token.type in ("RAW", "HEAD"):
                read_raw(line, token)
                ends[at] = len(texts[at])
                continue
            line.tokens.append(token)
            ends[at] = (token.end_column or 1) - 1
            brackets += (token.type in _OPEN) - (token.type in _CLOSE)
    inside = 0
    for line, text, end in zip(lines, texts, ends, strict=True):
        if not line.raw:
            line.comment = text[end:].strip()
        if not line.tokens and not line.raw and inside:
            line.extra = 4
        inside += sum((t.type in _OPEN) - (t.type in _CLOSE) for t in line.tokens)
    return lines


def read_raw(line: Line, token: Token) -> None:
    text = strip_comment(token)
    line.raw, line.comment = True, token[len(text) :].strip()
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


def joined(tokens: list[Token]) -> str:
    """The tokens of a line with the spaces that belong between them."""
    parts: list[str] = []
    before = two_before = None
    for token in tokens:
        if before is not None and spaced(two_before, before, token):
            parts.append(" ")
        parts.append(str(token))
        two_before, before = before, token
    return "".join(parts)


def spaced(two_before: Token | None, before: Token, token: Token) -> bool:
    if token in _TIGHT_BEFORE or before in _TIGHT_AFTER:
        return False
    if before == "-":
        return two_before is not None and two_before.type in _ENDS_VALUE
    return token != "(" or before.type not in _CALLS


def align_tables(lines: list[Line]) -> None:
    """Even out the columns of each run of rows."""
    run: list[Line] = []
    for line in [*lines, Line()]:
        if line.raw and line.code.startswith("|") and (not run or run[0].depth == line.depth):
            run.append(line)
        elif not (line.comment and not line.code):
            align(run)
            run = [line] if line.raw and line.code.startswith("|") else []


def align(rows: list[Line]) -> None:
    split = [cells(row.code) for row in rows]
    widths: list[int] = []
    for row in split:
        for i, cell in enumerate(row):
            if i == len(widths):
                widths.append(0)
            widths[i] = max(widths[i], len(cell))
    for line, row in zip(rows, split, strict=True):
        closed = row[-1] == ""
        inner = row[1:-1] if closed else row[1:]
        if not inner:
            continue
        text = " | ".join(cell.ljust(widths[i + 1]) for i, cell in enumerate(inner))
        line.code = f"| {text} |" if closed else f"| {text}".rstrip()
