"""Break the lines of a block that are too long.

In:  lines, and the colons behind which a block may open.
Out: lines of at most WIDTH characters, as far as they can be broken (wrap.py says where).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from lark import Tree

from ..grammar import parser
from ..wrap import PROSE, WIDTH, break_line, fill_comment, fill_prose, levels
from .data import wrap_raw
from .lines import Line, joined


def block_colons(block: str, lines: list[Line]) -> set[int]:
    """Where the colons stand behind which a block may open on a line of its own."""
    # Reading the tree again costs more than all the rest of the layout: only for blocks that have a line to break.
    if all(line.raw or len(joined(line.tokens)) + 2 * line.depth + line.extra <= WIDTH for line in lines):
        return set()
    tokens = [token for line in lines for token in line.tokens]
    before = {token.start_pos: earlier.start_pos for earlier, token in pairwise(tokens)}
    found: set[int] = set()
    for tree in parser().parse(block).iter_subtrees():
        if tree.data in ("body", "block", "contribution"):
            found.add(tree.meta.start_pos)
        elif tree.data in ("require", "own_require", "invariant", "named_when"):
            inner = [child for child in tree.children if isinstance(child, Tree) and not child.meta.empty]
            found |= {before[child.meta.start_pos] or 0 for child in inner if child.meta.start_pos in before}
    return found


def wrap(lines: list[Line], colons: set[int]) -> list[Line]:
    """The lines with their text; those that are too long broken up."""
    found: list[Line] = []
    opened = 0
    for line in lines:
        if line.raw:
            found += wrap_raw(line)
            continue
        if not line.tokens:
            found.append(line)
            continue
        opened = opened if line.extra else 0
        line.depth += opened
        line.code = joined(line.tokens)
        if len(str(line)) <= WIDTH:
            found.append(line)
            continue
        if len(line.comment) and len(line.code) + 2 * line.depth + line.extra <= WIDTH:
            found += [replace(line, code="", tokens=[]), replace(line, comment="")]
            continue
        if line.comment:
            found.append(replace(line, code="", tokens=[]))
        at = next((i for i, t in enumerate(line.tokens[:-1]) if t == ":" and t.start_pos in colons), None)
        parts = [line.tokens] if at is None else [line.tokens[: at + 1], line.tokens[at + 1 :]]
        start = 0
        for k, part in enumerate(parts):
            base = 2 * (line.depth + k)
            known = line.levels[start : start + len(part)] if not k else levels(part)
            start += len(part)
            goes_on = bool(line.extra) and not k
            prose = next((i for i, token in enumerate(part) if token.type == PROSE), None)
            if prose is None:
                broken = break_line(part, known, base, joined, goes_on)
            else:
                broken = fill_prose(part, prose, base, joined, line.extra if goes_on else 0)
            for tokens, out in broken:
                found.append(Line(depth=line.depth + k, extra=out, code=joined(tokens), tokens=tokens))
        opened += len(parts) - 1
    return found


def comments_above(line: Line) -> list[Line]:
    """A comment that makes its line too long stands above it; one that is too long itself goes over several lines."""
    if len(str(line)) <= WIDTH or not line.comment:
        return [line]
    bare = replace(line, code="", tokens=[], raw=False)
    margin = 2 * line.depth + line.extra
    above = [replace(bare, comment=text) for text in fill_comment(line.comment, WIDTH - margin)]
    return [*above, replace(line, comment="")] if line.code else above
