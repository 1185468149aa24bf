"""Parse `.rules` text.

In:  the text of a file.
Out: its declarations as syntax nodes with spans.
Reports: RW101 text that does not parse, RW102 to RW106 text beyond a cap.

A file is cut into blocks at the lines that start in its first column; each block is
parsed on its own and remembered by its text, so an edit costs one block.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError, Indenter

from . import nodes as n
from .build import build
from .diagnostics import Reporter
from .source import Origin, Span
from .syntax_hints import hint

GRAMMAR = Path(__file__).with_name("rulewright.lark")
MOST_BYTES = 4_000_000
MOST_NESTING = 64
MOST_NAME = 128
MOST_DIGITS = 18
MOST_LINE = 20_000


class Layout(Indenter):
    """Turns leading white space into _INDENT and _DEDENT."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]  # noqa: RUF012
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


@cache
def parser() -> Lark:
    """The one LALR parser of the language."""
    return Lark(
        GRAMMAR.read_text(),
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


class Memory(dict[str, tuple[n.Decl, ...]]):
    """Blocks parsed earlier, by their text. The nodes of one text share one Origin, moved to where it stands."""


def parse(text: str, file: str, report: Reporter, memory: Memory | None = None) -> tuple[n.Decl, ...]:
    """All declarations of one file."""
    if not within_caps(text, file, report):
        return ()
    found: list[n.Decl] = []
    for line, block in blocks(text):
        known = memory.get(block) if memory is not None else None
        if known is not None and known and known[0].span.origin.file == file:
            known[0].span.origin.line = line
            found.extend(known)
            continue
        parsed = parse_block(block, Origin(file, line, block), report)
        if parsed and memory is not None:
            memory[block] = parsed
        found.extend(parsed)
    return tuple(found)


def blocks(text: str) -> list[tuple[int, str]]:
    """The blocks of a file with the line each starts at."""
    lines = text.replace("\r\n", "\n").split("\n")
    starts = [i for i, line in enumerate(lines) if line and line[0] not in " \t#"]
    found = []
    for k, start in enumerate(starts):
        end = starts[k + 1] if k + 1 < len(starts) else len(lines)
        body = lines[start:end]
        while len(body) > 1 and (not body[-1].strip() or body[-1].startswith("#")):
            body.pop()
        found.append((start + 1, "\n".join(body) + "\n"))
    first = next((i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), None)
    if first is not None and (not starts or first < starts[0]):
        found.insert(0, (first + 1, "\n".join(lines[first : starts[0] if starts else len(lines)]) + "\n"))
    return found


def parse_block(block: str, origin: Origin, report: Reporter) -> tuple[n.Decl, ...]:
    try:
        tree: Tree[Token] = parser().parse(block)
    except UnexpectedInput as error:
        report_syntax(error, block, origin, report)
        return ()
    except DedentError:
        row = 1
        report.error(
            "RW101",
            Span(origin, row, 1, row, 2),
            "the indentation of this block does not line up",
            help="indent each level by two spaces, and return to a column that an earlier line started at",
        )
        return ()
    except RecursionError:
        report.error("RW104", Span(origin, 1, 1, 1, 2), "this block nests too deeply", help="split it up")
        return ()
    try:
        return build(tree, origin)
    except RecursionError:
        report.error(
            "RW105",
            Span(origin, 1, 1, 1, 2),
            "an expression in this block is too long a chain",
            help="name its parts with definitions",
        )
        return ()


def report_syntax(error: UnexpectedInput, block: str, origin: Origin, report: Reporter) -> None:
    row = error.line if error.line and error.line > 0 else block.count("\n") or 1
    column = error.column if error.column and error.column > 0 else 1
    token: Any = getattr(error, "token", None)
    width = len(str(token)) if token is not None and "\n" not in str(token) else 1
    match = re.match(r"case\s+(\S+)", block)
    expected = set(getattr(error, "accepts", None) or getattr(error, "expected", None) or ())
    expected |= set(getattr(error, "allowed", None) or ())
    lines = block.split("\n")
    message, help = hint(lines[row - 1] if row <= len(lines) else "", column, token, expected)
    report.error(
        "RW101",
        Span(origin, row, column, row, column + max(width, 1)),
        message,
        help=help,
        case=match.group(1) if match else "",
    )


def within_caps(text: str, file: str, report: Reporter) -> bool:
    """Whether the text keeps within what the parser takes; each cap has its own code."""
    origin = Origin(file, 1, text if len(text) < MOST_BYTES else "")
    start = Span(origin, 1, 1, 1, 2)
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        report.error("RW102", start, f"the file is larger than {MOST_BYTES:,} bytes", help="split it up")
        return False
    for row, line in enumerate(text.split("\n"), 1):
        here = Span(origin, row, 1, row, min(len(line), 80) + 1)
        if len(line) > MOST_LINE:
            report.error("RW102", here, f"the line is longer than {MOST_LINE:,} characters", help="wrap it")
            return False
        depth = (len(line) - len(line.lstrip())) // 2
        if depth > MOST_NESTING or max(line.count(c) for c in "([{") > MOST_NESTING * 8 or deep(line):
            report.error(
                "RW104", here, f"nesting is deeper than {MOST_NESTING}", help="name the inner parts with definitions"
            )
            return False
        for match in re.finditer(r"[A-Za-z_][A-Za-z0-9_]{128,}", line):
            where = Span(origin, row, match.start() + 1, row, match.end() + 1)
            report.error("RW103", where, f"a name is longer than {MOST_NAME} characters", help="shorten it")
            return False
        for match in re.finditer(r"[0-9]{19,}", line):
            where = Span(origin, row, match.start() + 1, row, match.end() + 1)
            report.error("RW106", where, f"a number has more than {MOST_DIGITS} digits", help="use a smaller number")
            return False
        if len(re.findall(r"\b(?:and|or|else)\b|[-+*/]", line)) > 500 and not line.lstrip().startswith(("|", "lines")):
            report.error("RW105", here, "an expression is a chain of more than 500 links", help="name its parts")
            return False
    return True


def deep(line: str) -> bool:
    depth = most = 0
    for ch in line:
        if ch in "([{":
            depth += 1
            most = max(most, depth)
        elif ch in ")]}":
            depth -= 1
    return most > MOST_NESTING
