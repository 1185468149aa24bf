"""Format `.rules` text: the one layout behind `rulewright fmt`.

In:  text.
Out: the same text with two spaces a level, single spaces between tokens, aligned tables, lines of at most 120
     characters and one blank line between top-level blocks. Comments and line breaks stay; quoted prose is filled anew.
Reports: what parsing reports, for text that does not parse; such text comes back as it was.

The layout works on the tokens of the lexer, so it never has to understand a rule. A
last look compares the trees before and after; should they differ, the text is kept.

Some lines cannot be broken without a change of meaning: a row of a table, a head of an overlay, one long word.
`too_long` finds them, and `rulewright fmt` fails until their author has mended them.
"""

from __future__ import annotations

from ..compare import same
from ..diagnostics import Reporter
from ..parse import PARSING, Memory, blocks, parse
from ..wrap import WIDTH, fill_comment
from .breaking import block_colons, comments_above, wrap
from .data import align_tables
from .lines import Line
from .reading import join_prose, place_comments, read


def format_text(text: str, file: str = "<text>", report: Reporter | None = None) -> str:
    """The text in the one layout; unchanged, with its diagnostics in `report`, where it does not parse."""
    report = report if report is not None else Reporter()
    mine = Reporter()
    memory = Memory()
    before = parse(text, file, mine, memory)
    report.found.extend(mine.found)
    if mine.failed:
        return text
    result = lay_out(text)
    if result == text:
        return text
    check = Reporter()
    after = parse(result, file, check, memory)
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


def too_long(text: str) -> list[tuple[int, int]]:
    """The lines over WIDTH, each with its length."""
    return [(i, len(line)) for i, line in enumerate(text.split("\n"), 1) if len(line) > WIDTH]


def outside(lines: list[str]) -> list[str]:
    """Comments between blocks, with at most one blank line in a row."""
    found: list[str] = []
    for line in map(str.strip, lines):
        if line or not found or found[-1]:
            found += fill_comment(line, WIDTH)
    return found


def lay_out_block(block: str) -> list[Line]:
    with PARSING:
        lines = join_prose(read(block))
        colons = block_colons(block, lines)
    place_comments(lines)
    lines = wrap(lines, colons)
    align_tables(lines)
    lines = [part for line in lines for part in comments_above(line)]
    kept: list[Line] = []
    for line in lines:
        opens = kept and kept[-1].code.endswith(":") and not kept[-1].raw
        if not line.blank or not (not kept or kept[-1].blank or opens):
            kept.append(line)
    while kept and kept[-1].blank:
        kept.pop()
    return kept
