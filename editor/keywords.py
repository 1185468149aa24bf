"""The keywords of the language, read from the grammar so that highlighting and parsing cannot disagree.

In:  the grammar file.
Out: `words()`, the keywords that are reserved everywhere in a rule; `placed()`, those that are keywords in one position
     only and names elsewhere: facets of a route and heads of an overlay (before a colon), sorts of overlays (before
     NAME of NAME), and `row` (after replace, strike and insert).
"""

from __future__ import annotations

import re
from functools import cache

from rulewright.dsl.grammar import GRAMMAR
from rulewright.dsl.syntax_hints import keywords

OPENERS_OF_VALUES = ("true", "false")
DECLARING = tuple(
    "define gather remember quota grow table route matching action procedure sequence kind scale record field box cup "
    "pool mark duty invariant unclear phase book use".split()
)
"""Words that a declared name stands behind."""
PLACED = ("FACET", "OVERLAY", "HEAD", "ROWS", "NATURE")


@cache
def placed() -> dict[str, tuple[str, ...]]:
    """The words of each terminal that is a keyword in one position only."""
    text = GRAMMAR.read_text(encoding="utf-8")
    found = {}
    for name in PLACED:
        pattern = re.search(rf"(?m)^{name}(?:\.\d+)?: /(.*)/$", text)
        if pattern is None:
            raise LookupError(f"the grammar has no terminal {name}")
        head = pattern[1].split("(?=")[0].split(":")[0]
        head = re.sub(r"\[[^\]]*\][+*]?", " ", head)
        found[name] = tuple(re.findall(r"[a-z]+", head))
    return found


@cache
def words() -> tuple[str, ...]:
    """Keywords that the rules of the grammar spell out."""
    return tuple(sorted(keywords() - set(OPENERS_OF_VALUES)))


@cache
def patterns() -> dict[str, str]:
    """The literals of the language as regular expressions, from the terminals of the grammar."""
    text = GRAMMAR.read_text(encoding="utf-8")
    found = {}
    for name in ("DICE", "RATIO", "DATE", "HEX", "STRING"):
        pattern = re.search(rf"(?m)^{name}(?:\.\d+)?: /(.*)/$", text)
        if pattern is None:
            raise LookupError(f"the grammar has no terminal {name}")
        found[name] = pattern[1].replace(r"\/", "/")
    return found


def any_of(some: tuple[str, ...]) -> str:
    return "(?:" + "|".join(sorted(some, key=lambda word: (-len(word), word))) + ")"
