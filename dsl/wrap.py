"""Break lines that are too long.

In:  the tokens of a line, how deep it stands, and the place of a colon behind which its block may open.
Out: the same tokens over several lines, each with its indentation.

A line is broken where it is joined most loosely: at the tail of a rule (`when`, `so that`), then between the links of
`or` and of `and`, then before `where`, behind commas, at comparisons, at sums. What stands in brackets or within the
reach of `where`, `has` or `supposing` is joined more closely than what stands around it. Links of `and` and `or` get
a line each; everything else fills its lines. Quoted prose is cut at its spaces, into texts that fill their lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from lark import Token

WIDTH = 120

OPEN = frozenset(("LPAR", "LSQB", "LBRACE"))
CLOSE = frozenset(("RPAR", "RSQB", "RBRACE"))
PROSE = "PROSE"
"""The type that the text of a note, a title or a log line is given, to tell it from the name of a unit."""
_GAP = re.compile(r"(?<=\S) (?=\S)")
_GAP_OF_LOG = re.compile(r"(?<=\S) (?=\S)(?![^{}]*\})")
"""A gap at which the text of a log line may be cut: a value in braces stays in one line."""
LESS = "LESS"
"""The type that a minus between two values is given, to tell it from a sign."""
ENDS_VALUE = frozenset(("NAME", "NUMBER", "RATIO", "DATE", "STRING", "HEX", "DICE", "TRUE", "FALSE")) | CLOSE

_RANKS = {
    **dict.fromkeys(("when", "otherwise", "so", "by", "during", "anytime", "becomes", "until", "then"), 0),
    **dict.fromkeys(("else", "from"), 1),
    "or": 2,
    "and": 3,
    **dict.fromkeys(("where", "has"), 4),
    **dict.fromkeys(("=", "!=", "<", "<=", ">", ">=", "in", "not", "within"), 6),
    **dict.fromkeys(("+", "-"), 7),
    **dict.fromkeys(("*", "/"), 8),
}
_LINKS = (2, 3)
_COMMA, _OPENED = 5, 9
_REACHES = frozenset(("where", "has", ":", "when", "that"))
_ENDS_REACH = frozenset(("when", "otherwise", ",", "else", "over", "during", "so", "becomes", "until", "anytime"))


@dataclass(frozen=True, slots=True)
class Level:
    """How deep a token stands in its line: open brackets, and open reaches of where, has and supposing."""

    brackets: int = 0
    reaches: int = 0

    @property
    def depth(self) -> int:
        return self.brackets + self.reaches

    def margin(self, token: Token) -> int:
        """The columns by which a line that goes on with this token stands out from its first line."""
        if token.type in CLOSE:
            return 2 * self.brackets
        return 4 + 2 * self.reaches + 2 * max(0, self.brackets - 1)


def levels(tokens: list[Token]) -> list[Level]:
    """The level of each token of a line: what is open before it."""
    found: list[Level] = []
    open_reaches: list[list[str]] = [[]]
    for i, token in enumerate(tokens):
        reaches = open_reaches[-1]
        if token.type in CLOSE:
            reaches.clear()
        elif token == "has":
            while reaches and reaches.pop() != "every":
                pass
        elif token in _ENDS_REACH | {":"} and not (token in (",", ":") and "supposing" in reaches):
            reaches.clear()
        found.append(Level(len(open_reaches) - 1, sum(r in _REACHES for rs in open_reaches for r in rs)))
        if token.type in OPEN:
            open_reaches.append([])
        elif token.type in CLOSE:
            if len(open_reaches) > 1:
                open_reaches.pop()
        elif token in ("where", "has", "every", "supposing") or (i and token in ("when", "that")):
            reaches.append(str(token))
        elif token == ":" and "supposing" in reaches:
            reaches[len(reaches) - 1 - reaches[::-1].index("supposing")] = ":"
    return found


def break_line(
    tokens: list[Token], known: list[Level], margin: int, joined: Callable[[list[Token]], str], goes_on: bool = False
) -> list[tuple[list[Token], int]]:
    """The tokens over as many lines as they need; with each line how far it stands out from `margin`."""
    out = known[0].margin(tokens[0]) if goes_on else 0
    if margin + out + len(joined(tokens)) <= WIDTH:
        return [(tokens, out)]
    places = {i: (known[i].depth, rank) for i in range(1, len(tokens)) if (rank := rank_of(tokens, i)) is not None}
    if not places:
        return [(tokens, out)]
    best = min(places.values())
    cuts = [0, *(i for i, place in places.items() if place == best), len(tokens)]
    if best[1] not in _LINKS:
        cuts = filled(tokens, known, cuts, margin, joined, goes_on)
    found: list[tuple[list[Token], int]] = []
    for start, end in pairwise(cuts):
        found += break_line(tokens[start:end], known[start:end], margin, joined, goes_on or start > 0)
    return found


def filled(
    tokens: list[Token],
    known: list[Level],
    cuts: list[int],
    margin: int,
    joined: Callable[[list[Token]], str],
    goes_on: bool,
) -> list[int]:
    """Those of the cuts that are needed when each line takes as much as fits; always one at least."""
    kept = [0]
    for i, cut in enumerate(cuts[1:-1], 1):
        start = kept[-1]
        out = known[start].margin(tokens[start]) if goes_on or start else 0
        if margin + out + len(joined(tokens[start : cuts[i + 1]])) > WIDTH:
            kept.append(cut)
    return [*kept, cuts[-1]]


def rank_of(tokens: list[Token], i: int) -> int | None:
    """How loosely a token is joined to what stands before it; None where a line cannot be broken."""
    token, before = tokens[i], tokens[i - 1]
    if before == ",":
        return _COMMA
    if before.type in OPEN:
        return None if token.type in CLOSE else _OPENED
    if token == "-" and token.type != LESS:
        return None
    if token == "when" and tokens[0] == "offer":
        return _COMMA + 1
    if token in ("in", "=") and (before == "not" or tokens[0] in ("let", "roll", "for", "each", "to")):
        return None
    if token == "not" and (i + 1 == len(tokens) or tokens[i + 1] != "in"):
        return None
    if (token == "by" and tokens[0] == "refused") or (token == "during" and "by" in tokens):
        return _COMMA + 1
    if token == "from" and any(t.type in OPEN for t in tokens[:i]):
        return None
    return _RANKS.get(str(token))


# ---------------------------------------------------------------- prose and comments


def fill_prose(
    tokens: list[Token], at: int, margin: int, joined: Callable[[list[Token]], str], out: int
) -> list[tuple[list[Token], int]]:
    """Tokens whose text at `at` goes over as many lines as it needs; `out` is how far the first stands out."""
    text, rest = tokens[at], tokens[at + 1 :]
    gap = _GAP_OF_LOG if any(t.type == "LOG" for t in tokens[:at]) else _GAP
    words = gap.split(text[1:-1])
    found: list[tuple[list[Token], int]] = []
    line, taken = tokens[:at], 0
    while True:
        room = WIDTH - margin - out - len(joined(line)) - bool(line) - 2
        first, taken = taken, taken + 1
        fits = len(words[first])
        while taken < len(words) and fits + 1 + len(words[taken]) <= room:
            fits += 1 + len(words[taken])
            taken += 1
        last = taken == len(words)
        if last and fits + len(joined(rest)) > room and taken - first > 1:
            taken, last = taken - 1, False
        if line and fits > room:
            # Not even one word fits behind the head.
            found.append((line, out))
            taken = first
        else:
            piece = Token.new_borrow_pos(PROSE, f'"{" ".join(words[first:taken])}"', text)
            found.append(([*line, piece, *(rest if last else [])], out))
            if last:
                return found
        line, out = [], out or 4


def fill_comment(comment: str, width: int) -> list[str]:
    """A comment over as many lines as it needs."""
    if len(comment) <= width:
        return [comment]
    found = [""]
    for word in _GAP.split(comment):
        if found[-1] and len(found[-1]) + 1 + len(word) > width:
            found.append("#")
        found[-1] += " " * bool(found[-1]) + word
    return found
