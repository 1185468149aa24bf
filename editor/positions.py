"""Convert columns between our spans, which count characters, and the protocol, which counts code units.

In:  a line of text and a column in one of the two.
Out: the column in the other. Columns here start at 0; spans start at 1.

The protocol counts UTF-16 code units unless client and server agree on another encoding: `é` is one unit,
`𝄞` two. A column inside a pair, or beyond the line, is moved to the nearest end before it.
"""

from __future__ import annotations

UTF16 = "utf-16"


def width(letter: str, encoding: str = UTF16) -> int:
    """The number of code units of a character."""
    if encoding == "utf-8":
        return len(letter.encode("utf-8", "surrogatepass"))
    return 2 if encoding == UTF16 and letter > "\uffff" else 1


def to_units(line: str, column: int, encoding: str = UTF16) -> int:
    """The code units before a character column."""
    before = line[: max(column, 0)]
    return len(before) if before.isascii() else sum(width(ch, encoding) for ch in before)


def from_units(line: str, units: int, encoding: str = UTF16) -> int:
    """The character column at which so many code units have passed."""
    if line.isascii():
        return max(0, min(units, len(line)))
    passed = 0
    for column, letter in enumerate(line):
        passed += width(letter, encoding)
        if passed > units:
            return column
    return len(line)


def lines_of(text: str) -> list[str]:
    """The lines of a text as the parser counts them, without their ends."""
    return [line.removesuffix("\r") for line in text.split("\n")]
