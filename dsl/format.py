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

from dataclasses import dataclass, field, replace
from itertools import pairwise

from lark import Token, Tree

from .builder.base import strip_comment
from .compare import cells, raw_form, same
from .diagnostics import Reporter
from .grammar import parser
from .parse import PARSING, blocks, parse
from .wrap import ENDS_VALUE, LESS, PROSE, WIDTH, Level, break_line, fill_comment, fill_prose, levels

_CALLS = frozenset(("NAME", "COUNT", "SUM", "EACH", "HIGHEST", "LOWEST"))
_BEFORE_PROSE = frozenset(("NOTE", "LOG", "UNTRANSLATED", "EXAMPLE", "NAME", "CASEID", "STRING", PROSE))
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
        elif token.type == "STRING" and before.type in _BEFORE_PROSE:
            # Inside an expression a text never follows a name, a case or another text directly.
            token.type = PROSE
    known = levels(tokens)
    for i, line in enumerate(whole):
        line.levels, known = known[: len(line.tokens)], known[len(line.tokens) :]
        line.extra = line.levels[0].margin(line.tokens[0]) if i else 0
        line.goes_on = i + 1 < len(whole)


def join_prose(lines: list[Line]) -> list[Line]:
    """Prose that goes over several lines on the line of its head, to be filled anew; a comment keeps lines apart."""
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
        elif tree.data in ("require", "own_require", "invariant"):
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


def wrap_raw(line: Line) -> list[Line]:
    """A line of data: its items go on in lines below it."""
    if line.fixed or len(str(line)) <= WIDTH or line.code.startswith("|"):
        return [line]
    between = " " if line.code.startswith("lines ") else ", "
    items = line.code.split(between)
    texts = [items[0]]
    for i, item in enumerate(items[1:], 1):
        width = WIDTH - 2 * (line.depth + (len(texts) > 1)) - (i + 1 < len(items))
        if len(texts[-1]) + len(between) + len(item) <= width or (between == " " and ":" not in texts[0]):
            texts[-1] += between + item
        else:
            texts[-1] += between.strip()
            texts.append(item)
    above = [replace(line, code="")] if line.comment and len(texts) > 1 else []
    kept = "" if above else line.comment
    return above + [Line(depth=line.depth + (k > 0), raw=True, code=text, comment=kept) for k, text in enumerate(texts)]


def comments_above(line: Line) -> list[Line]:
    """A comment that makes its line too long stands above it; one that is too long itself goes over several lines."""
    if len(str(line)) <= WIDTH or not line.comment:
        return [line]
    bare = replace(line, code="", tokens=[], raw=False)
    margin = 2 * line.depth + line.extra
    above = [replace(bare, comment=text) for text in fill_comment(line.comment, WIDTH - margin)]
    return [*above, replace(line, comment="")] if line.code else above


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
    if token in _TIGHT_BEFORE or before in _TIGHT_AFTER:
        return False
    if before == "-":
        return before.type == LESS
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
