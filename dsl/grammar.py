"""The grammar: one LALR parser of the language, its layout of lines and blocks, and the caps on its input.

In:  `rulewright.lark`; its tables are cached, so that a process which parses nothing new builds nothing.
Out: `parser()`, and `Layout`, which turns leading white space into blocks and raises where text is beyond a cap.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token
from lark.indenter import DedentError, Indenter

from .cache import cache_directory, read_sealed, write_sealed

GRAMMAR = Path(__file__).with_name("rulewright.lark")
MOST_BYTES = 4_000_000
MOST_NESTING = 64
MOST_CHAIN = 150
MOST_NAME = 128
MOST_DIGITS = 18
MOST_WORDS = 20_000

_LONG_RAW = re.compile(r'"[^"]*"?|#.*|(?P<name>[A-Za-z_][A-Za-z0-9_]{128,})|(?P<number>[0-9]{19,})|[A-Za-z0-9_]+')
GOES_ON = frozenset("and or not when where has + - * / = != < <= > >= ,".split())
"""Behind these a line may go on in the next one, if that is indented deeper."""
WORDLY = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Beyond(Exception):
    """Text beyond a cap: the code, the token it shows at, and what to say."""

    def __init__(self, code: str, token: Token, message: str, help: str) -> None:
        super().__init__(message)
        self.code, self.token, self.message, self.help = code, token, message, help


class Misaligned(DedentError):
    """A line that returns to a column at which no open block stands."""

    def __init__(self, row: int, columns: tuple[int, ...]) -> None:
        super().__init__(f"row {row} does not line up")
        self.row, self.columns = row, columns


class RunTogether(Exception):
    """Two tokens without a gap. Where only keywords may stand, the lexer would read `doubled` as `do ubled`."""

    def __init__(self, last: Token, token: Token) -> None:
        super().__init__(f"{last}{token}")
        self.last, self.token = last, token


class Layout(Indenter):
    """Turns leading white space into _INDENT and _DEDENT, joins lines that go on, and watches the caps on the way.

    A line goes on in the next where that is indented deeper, and either opens with an operator (the lexer's _ON) or
    follows one (GOES_ON). Behind a colon, and among lines of data, deeper lines are blocks.
    """

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]  # noqa: RUF012
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8
    always_accept = ("_NL", "_ON")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[Token] = []

    def _process(self, stream: Iterator[Token]) -> Iterator[Token]:
        self.open = []
        token = last = None
        words = 0
        for token in stream:
            kind = token.type
            words += 1
            if kind in ("_NL", "_ON"):
                if self.paren_level == 0 and not (last is not None and self.goes_on(last, token)):
                    words = 0
                    yield from self.handle_NL(Token.new_borrow_pos("_NL", token, token))
                    if len(self.indent_level) > MOST_NESTING + 1:
                        raise too_deep(token)
                    last = None
                continue
            if last is not None and last.end_pos == token.start_pos and {last[-1], token[0]} <= WORDLY:
                raise RunTogether(last, token)
            if kind == "CASEID" and len(parts := token.split()) > 1:
                token = token.update(value=" ".join(parts))
            last = token
            if kind in ("LPAR", "LSQB", "LBRACE"):
                self.paren_level += 1
                self.open.append(token)
                if self.paren_level > MOST_NESTING:
                    raise too_deep(token)
            elif kind in ("RPAR", "RSQB", "RBRACE"):
                if self.paren_level:
                    self.paren_level -= 1
                    self.open.pop()
            elif len(token) > MOST_DIGITS:
                check_length(token)
            if words > MOST_WORDS:
                raise Beyond("RW105", token, f"a line is longer than {MOST_WORDS:,} words", "use a table or data")
            yield token
        while len(self.indent_level) > 1:
            self.indent_level.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token) if token else Token("_DEDENT", "")

    def goes_on(self, last: Token, end: Token) -> bool:
        """Whether the line that closes with `last` goes on behind its end."""
        if last.type in ("RAW", "HEAD", "NATURE") or not (end.type == "_ON" or last in GOES_ON):
            return False
        margin = end.rsplit("\n", 1)[1]
        return last != ":" and len(margin.expandtabs(self.tab_len)) > self.indent_level[-1]

    def handle_NL(self, token: Token) -> Iterator[Token]:
        known = tuple(self.indent_level)
        try:
            yield from super().handle_NL(token)
        except DedentError:
            raise Misaligned(token.end_line or 1, known) from None


def too_deep(token: Token) -> Beyond:
    return Beyond("RW104", token, f"nesting is deeper than {MOST_NESTING}", "name the inner parts with definitions")


def check_length(token: Token) -> None:
    kind = token.type
    if kind in ("NAME", "CASEID") and len(token) > MOST_NAME:
        what = "a name" if kind == "NAME" else "a case number"
        raise Beyond("RW103", token, f"{what} is longer than {MOST_NAME} characters", "shorten it")
    if kind in ("RAW", "HEAD", "NATURE"):
        for match in _LONG_RAW.finditer(token):
            if match.lastgroup is None:
                continue
            where = Token(match.lastgroup, match.group(), 0, token.line, (token.column or 1) + match.start())
            if match.lastgroup == "name":
                raise Beyond("RW103", where, f"a name is longer than {MOST_NAME} characters", "shorten it")
            raise long_number(where)


def long_number(token: Token) -> Beyond:
    return Beyond("RW106", token, f"a number has more than {MOST_DIGITS} digits", "use a smaller number")


def parser(start: str = "start") -> Lark:
    """The one LALR parser of the language, for whole files or for an `expression`."""
    return made_parser(start)


@cache
def made_parser(start: str) -> Lark:
    """Read from the cache where it is known; one for each start, since that is part of its tables."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    key = hashlib.sha256("\n".join((lark.__version__, sys.version, grammar, start)).encode()).hexdigest()[:32]
    path = cache_directory() / f"grammar-{key}.bin"
    return load_parser(path) or build_parser(grammar, path, start)


def build_parser(grammar: str, path: Path, start: str = "start") -> Lark:
    made = Lark(
        grammar,
        start=start,
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
    )
    content = io.BytesIO()
    made.save(content, {"postlex"})
    write_sealed(path, content.getvalue())
    return made


def load_parser(path: Path) -> Lark | None:
    """The parser kept at `path`; None where it is absent, cut off or not what we wrote."""
    try:
        content = read_sealed(path)
        if content is None:
            return None
        tables = PlainUnpickler(io.BytesIO(content)).load()
        loaded: Lark = Lark.__new__(Lark)._load(tables, postlex=Layout())
    except Exception:
        # Whatever is wrong with a cache, building the grammar anew is right.
        return None
    return loaded


class PlainUnpickler(pickle.Unpickler):
    """Reads numbers, texts and collections of them; a file that names a class is refused."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a grammar")
