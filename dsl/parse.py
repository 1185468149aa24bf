"""Parse `.rules` text.

In:  the text of a file.
Out: its declarations as syntax nodes with spans.
Reports: RW101 text that does not parse, RW102 a file too large, RW103 a name too long,
RW104 nesting too deep, RW105 too long a chain, RW106 a number too long, RW107 a letter
outside ASCII in a name, RW108 a line given twice.

A file is cut into blocks at the lines that start in its first column; each block is
parsed on its own and remembered by its text, so an edit costs one block. All caps but
the file's size are watched while the tokens pass by, so they cost no reading of their own.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from lark import Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from . import nodes as n
from .builder import build, build_expression
from .builder.base import GivenTwice, strip_comment
from .chains import check_chains
from .diagnostics import Reporter
from .grammar import (
    MOST_BYTES,
    MOST_CHAIN,
    MOST_DIGITS,
    MOST_NESTING,
    WORDLY,
    Beyond,
    Misaligned,
    RunTogether,
    long_number,
    parser,
)
from .source import Origin, Span
from .syntax_hints import dedent_hint, hint, letter_hint, run_together_hint

MOST_ERRORS = 100
T = TypeVar("T")

PARSING = threading.RLock()
"""The parser keeps its place in the layout: one text at a time, whichever thread asks."""

_DIGITS = re.compile(r"[0-9]+")


def run_together(last: Token, token: Token) -> Beyond:
    """The message for two tokens without a gap between them."""
    if last.type == "NUMBER" and len(last) == MOST_DIGITS and token.isdigit():
        return long_number(Token("NUMBER", last + token, 0, last.line, last.column))
    word = Token("NAME", last + (re.match(r"\w+", token) or token)[0], 0, last.line, last.column)
    return Beyond("RW101", word, *run_together_hint(word, last))


@contextmanager
def room_for_chains() -> Iterator[None]:
    """Raise the recursion limit so that walks can follow the longest chain the caps allow."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10 * (MOST_CHAIN + MOST_NESTING)))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


# ---------------------------------------------------------------- files and blocks


class Memory(dict[str, tuple[n.Decl, ...]]):
    """Blocks parsed earlier, by their text; their nodes share one Origin, moved to where it stands."""


def parse(text: str, file: str, report: Reporter, memory: Memory | None = None) -> tuple[n.Decl, ...]:
    """All declarations of one file."""
    if not within_caps(text, file, report):
        return ()
    found: list[n.Decl] = []
    failed = 0
    placed: set[str] = set()
    for line, block in blocks(text):
        twice = block in placed
        placed.add(block)
        known = memory.get(block) if memory is not None and not twice else None
        if known:
            origin = known[0].span.origin
            origin.file, origin.line = file, line
            found.extend(known)
            continue
        parsed = parse_block(block, Origin(file, line, block), report)
        if parsed and memory is not None and not twice:
            memory[block] = parsed
        found.extend(parsed)
        failed += not parsed
        if failed == MOST_ERRORS:
            report.error(
                "RW101",
                Span(Origin(file, line, block), 1, 1, 1, 2),
                f"{MOST_ERRORS} blocks of this file do not parse; the rest is not read",
                help="mend these first, and check that this is a file of rules",
                case="",
            )
            break
    return tuple(found)


def blocks(text: str) -> list[tuple[int, str]]:
    """The blocks of a file with the line each starts at."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    starts = [i for i, line in enumerate(lines) if line and line[0] not in " \t#"]
    found = []
    for k, start in enumerate(starts):
        end = starts[k + 1] if k + 1 < len(starts) else len(lines)
        body = lines[start:end]
        while len(body) > 1 and (not body[-1].strip() or body[-1].startswith("#")):
            body.pop()
        found.append((start + 1, "\n".join(body) + "\n"))
    first = next((i for i, line in enumerate(lines) if line.strip() and line.lstrip()[0] != "#"), None)
    if first is not None and (not starts or first < starts[0]):
        found.insert(0, (first + 1, "\n".join(lines[first : starts[0] if starts else len(lines)]) + "\n"))
    return found


def parse_block(block: str, origin: Origin, report: Reporter) -> tuple[n.Decl, ...]:
    with PARSING:
        return _parse_block(block, origin, report)


def parse_expression(text: str, file: str, report: Reporter) -> n.Expr | None:
    """One expression that stands by itself, on one line; None where it does not parse."""
    line = " ".join(text.split("\n")).strip()
    origin = Origin(file, 1, line)
    if not within_caps(text, file, report):
        return None
    if not strip_comment(line).strip():
        report.error("RW101", Span(origin, 1, 1, 1, 2), "an expression is expected", help="name a value of the book")
        return None
    with PARSING:
        return _parsed(line + "\n", origin, report, "expression", build_expression)


def _parse_block(block: str, origin: Origin, report: Reporter) -> tuple[n.Decl, ...]:
    return _parsed(block, origin, report, "start", build) or ()


def _parsed(
    block: str, origin: Origin, report: Reporter, start: str, make: Callable[[Tree[Token], Origin], T]
) -> T | None:
    try:
        tree: Tree[Token] = parser(start).parse(block)
        check_chains(tree)
        with room_for_chains():
            return make(tree, origin)
    except UnexpectedInput as error:
        report_syntax(error, block, origin, report)
    except Misaligned as error:
        line = block.split("\n")[error.row - 1]
        width = len(line) - len(line.lstrip())
        message, help = dedent_hint(line, error.columns)
        _report("RW101", Span(origin, error.row, 1, error.row, width + 1), message, help, block, report)
    except RunTogether as error:
        beyond = run_together(error.last, error.token)
        _report(beyond.code, _span(beyond.token, origin), beyond.message, beyond.help, block, report)
    except Beyond as error:
        _report(error.code, _span(error.token, origin), error.message, error.help, block, report)
    except GivenTwice as error:
        help = "join the two, or strike one"
        _report("RW108", error.span, f'a second line "{error.word}" would hide the first', help, block, report)
    except RecursionError:
        first = Span(origin, 1, 1, 1, 2)
        _report("RW105", first, "an expression in this block is too deep", "name its parts", block, report)
    return None


def within_caps(text: str, file: str, report: Reporter) -> bool:
    """Whether the file is small enough to read; the other caps are watched by Layout."""
    if len(text) <= MOST_BYTES // 4 or len(text.encode("utf-8", "surrogatepass")) <= MOST_BYTES:
        return True
    start = Span(Origin(file, 1, text[:80].split("\n")[0]), 1, 1, 1, 2)
    report.error("RW102", start, f"the file is larger than {MOST_BYTES:,} bytes", help="split it up")
    return False


# ---------------------------------------------------------------- reports


def report_syntax(error: UnexpectedInput, block: str, origin: Origin, report: Reporter) -> None:
    lines = block.split("\n")
    token = error.token if isinstance(error, UnexpectedToken) else None
    row, column, width = _place(error, token, lines)
    line = lines[row - 1] if row <= len(lines) else ""
    digits = next((m for m in _DIGITS.finditer(line) if m.start() < column <= m.end() + 1), None)
    if digits and len(digits.group()) > MOST_DIGITS:
        beyond = long_number(Token("NUMBER", digits.group(), 0, row, digits.start() + 1))
        _report(beyond.code, _span(beyond.token, origin), beyond.message, beyond.help, block, report)
        return
    letter = line[column - 1 : column]
    if letter > "\x7f" and (token is None or token.type == "RAW"):
        message, help, width = letter_hint(line, column)
        code = "RW107" if letter.isalpha() else "RW101"
        _report(code, Span(origin, row, column, row, column + width), message, help, block, report)
        return
    if token is not None and column > 1 and token[:1] in WORDLY and line[column - 2] in WORDLY:
        start = len(line[: column - 1].rstrip("".join(WORDLY)))
        last = Token("NAME", line[start : column - 1], start, row, start + 1)
        beyond = run_together(last, token)
        _report(beyond.code, _span(beyond.token, origin), beyond.message, beyond.help, block, report)
        return
    expected = set(getattr(error, "accepts", None) or getattr(error, "expected", None) or ())
    expected |= set(getattr(error, "allowed", None) or ())
    bracket = unclosed(lines, row)
    if bracket is not None:
        row, column, width = bracket.line or 1, bracket.column or 1, 1
        line, token = lines[row - 1], Token("$END", "")
    message, help = hint(line, column, token, expected)
    while 1 < column <= len(line) and set(line[column - 2 : column]) <= set("=<>!&|+*:-"):
        column, width = column - 1, width + 1  # mark both signs of `==`
    _report("RW101", Span(origin, row, column, row, column + width), message, help, block, report)


def unclosed(lines: list[str], row: int) -> Token | None:
    """A bracket of an earlier line, open at `row`, that finds no end in the lines indented below it."""
    layout: Any = parser().options.postlex
    bracket: Token | None = layout.open[-1] if layout.open else None
    if bracket is None or (bracket.line or 1) >= row:
        return None
    start = (bracket.line or 1) - 1
    margin = len(lines[start]) - len(lines[start].lstrip())
    depth = 0
    for at in range(start, len(lines)):
        text = lines[at][(bracket.column or 1) - 1 :] if at == start else lines[at]
        if at > start and text.strip() and len(text) - len(text.lstrip()) <= margin:
            return bracket
        for ch in re.sub(r'"[^"]*"', "", strip_comment(text)):
            depth += (ch in "([{") - (ch in ")]}")
            if depth == 0:
                return None
    return bracket


def _place(error: UnexpectedInput, token: Token | None, lines: list[str]) -> tuple[int, int, int]:
    """Row, column and width of what does not fit; the end of a line is just behind its last text."""
    row, column = error.line or 1, error.column or 1
    if token is not None and token.type == "_INDENT":
        row = min(token.end_line or row, len(lines))
        return row, len(lines[row - 1]) - len(lines[row - 1].lstrip()) + 1, 1
    if token is not None and (token.type in ("_NL", "_DEDENT", "$END") or not token.strip()):
        row = len(lines) if row < 1 or token.type == "$END" else min(row, len(lines))
        while row > 1 and not strip_comment(lines[row - 1]).strip():
            row -= 1
        return row, len(strip_comment(lines[row - 1])) + 1, 1
    width = 1
    if token is not None:
        piece = re.match(r"\w+|[^\w\s]+", token) if token.type in ("RAW", "HEAD", "NATURE") else None
        width = len(piece.group() if piece else token.split("\n")[0])
    return max(row, 1), max(column, 1), width


def _span(token: Any, origin: Origin) -> Span:
    row, column = getattr(token, "line", None) or 1, getattr(token, "column", None) or 1
    if getattr(token, "type", "") == "_NL":
        row, column = token.end_line or row, token.end_column or column
    return Span(origin, row, column, row, column + max(len(str(token).split("\n")[0]), 1))


def _report(code: str, span: Span, message: str, help: str, block: str, report: Reporter) -> None:
    """Report under the innermost case that stands open where the span is."""
    case, depth = "", 1 << 30
    for line in reversed(block.split("\n")[: span.row]):
        text = line.lstrip()
        if text and not text.startswith("#") and len(line) - len(text) < depth:
            depth = len(line) - len(text)
            match = re.match(r"case[ \t]+([^\s:\"]+)", text)
            if match:
                case = match.group(1)
                break
    report.error(code, span, message, help=help, case=case)
