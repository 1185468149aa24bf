"""Read values from text.

In:  text, and the type of the value that it should hold.
Out: the value; what does not read is refused with the reason.

All that `show` prints (notation.py) reads back to the same value. A person who types may leave out signs that the type
makes needless: `T14` for `@T14`, `T14>T13` for `[@T14, @T13]`, `yes` for `true`, a map's own name for a place.
"""

from __future__ import annotations

import difflib
import re
from collections import ChainMap, deque
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

from .notation import ABSENT, braced, sides_of
from .places import edge
from .problems import Refusal
from .program import Program
from .values import LARGEST, exact, unique

T = TypeVar("T")

TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"\n]*")|(?P<path>@?[\w./]+(?:\(\w+\))?(?:>@?[\w./]+(?:\(\w+\))?)+)|(?P<ratio>-?\d+:\d+)"""
    r"""|(?P<number>-?\d+(?:/\d+)?(?![\w/]))|(?P<word>-?@?\w[\w./]*)|(?P<mark>[(){}\[\],:]))"""
)
MOST_TEXT = 20_000
MOST_NESTING = 64


def meant(name: str, known: Iterable[str]) -> str:
    """The nearest known name, as the end of a refusal."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


class Reader:
    """Reads values of known types, one after another."""

    def __init__(self, program: Program, text: str, on: str = "") -> None:
        self.program = program
        self.shared = program.board.shared.get(on, {})
        self.tokens: deque[tuple[str, str]] = deque()
        self.depth = 0
        if len(text) > MOST_TEXT:
            raise Refusal(f"this is longer than {MOST_TEXT:,} characters")
        at, end = 0, len(text.rstrip())
        while at < end:
            match = TOKEN.match(text, at)
            if match is None:
                raise Refusal(f'"{printable(text[at : at + 20])}" does not read')
            self.tokens.append((match.lastgroup or "", match.group().strip()))
            at = match.end()

    # ------------------------------------------------------------ tokens

    def end(self) -> bool:
        return not self.tokens

    def at(self, mark: str, ahead: int = 0) -> bool:
        return len(self.tokens) > ahead and self.tokens[ahead] == ("mark", mark)

    def next(self) -> tuple[str, str]:
        return self.tokens.popleft() if self.tokens else ("", "the end")

    def expect(self, mark: str) -> None:
        token = self.next()
        if token != ("mark", mark):
            raise Refusal(f'"{mark}" is expected where {token[1]} stands')

    def word(self) -> str:
        sort, text = self.next()
        if sort != "word":
            raise Refusal(f"a name is expected where {text} stands")
        return text

    def words(self) -> str:
        """All up to the next mark or `to`: dates are several words."""
        found = []
        while self.tokens and self.tokens[0][0] != "mark" and self.tokens[0][1] != "to":
            found.append(self.next()[1])
        return " ".join(found)

    def key(self, names: Iterable[str]) -> str | None:
        """The name of an argument that is given by name."""
        if not self.at(":", 1) or self.tokens[0][1] not in names:
            return None
        (_, name), _ = self.next(), self.next()
        return name

    def several(self, marks: str, read: Callable[[], T]) -> list[T]:
        """What stands between two marks, by commas."""
        found: list[T] = []
        self.expect(marks[0])
        while not self.at(marks[1]):
            found.append(read())
            if not self.at(marks[1]):
                self.expect(",")
        self.expect(marks[1])
        return found

    # ------------------------------------------------------------ values

    def value(self, type: str) -> Any:
        """The next value, of this type."""
        if self.depth == MOST_NESTING:
            raise Refusal(f"nesting is deeper than {MOST_NESTING}")
        self.depth += 1
        found = self._value(*type.partition(":")[::2])
        self.depth -= 1
        return found

    def _value(self, head: str, rest: str) -> Any:
        program = self.program
        if head in ("kind", "scale"):
            return self._known(head, rest)
        if self.tokens and self.tokens[0] in NOTHING:
            self.next()
            return None
        match head:
            case "set":
                return unique(self.several("{}", lambda: self.value(rest)))
            case "list" | "path" if head == "list" or self.at("["):
                return tuple(self.several("[]", lambda: self.value(rest or "place")))
            case "shares" if rest:
                return tuple(self.several("{}", lambda: self._share(rest)))
            case "plan" if rest:
                return tuple(self.several("{}", lambda: self._group(*rest.split("|"))))
            case "record":
                return self._record(rest)
            case "place":
                return self._place()
            case "hexside":
                return self._hexside()
            case "turn":
                return self._turn()
            case "month" | "phase" | "layer":
                return self.words()
        sort, text = self.next()
        match head:
            case "unit":
                name = text.strip('"')
                if name in program.unit_index:
                    return program.unit_index[name]
                raise Refusal(f'there is no unit "{printable(name)}"' + meant(name, program.units))
            case "path":
                return tuple(self._named_place(x) for x in text.split(">"))
            case "flag":
                if text in ("yes", "no", "true", "false"):
                    return text in ("yes", "true")
                raise Refusal(f"true or false is expected where {text} stands")
            case "text" if sort == "text":
                return text[1:-1]
            case "number" | "ratio" if sort in ("number", "ratio") or text in ("unlimited", "-unlimited"):
                return number(text)
        raise Refusal(f'"{printable(text)}" does not read as a {":".join(filter(None, (head, rest))) or "value"}')

    def _known(self, head: str, name: str) -> Any:
        """A word of a kind or a step of a scale; those come before the words for nothing."""
        known = self.program.words(name) if head == "kind" else self.program.scales.get(name, ())
        sort, text = self.next()
        if text in known and sort != "text":
            return text if head == "kind" else known.index(text)
        if (sort, text) in NOTHING:
            return None
        if head == "scale" and text == "below" and self.next()[1] == known[0]:
            return -1
        if head == "scale" and text == "on_scale" and self.at("("):
            self.several("()", self.next)
            return -1
        raise Refusal(f'"{printable(text)}" is no {name}' + meant(text, known))

    def _place(self) -> int:
        text = self.next()[1]
        if self.at("("):
            text += "(" + ", ".join(self.several("()", lambda: self.next()[1])) + ")"
        return self._named_place(text)

    def _named_place(self, text: str) -> int:
        name, board = text.lstrip("@"), self.program.board
        found = self.shared.get(name, self.program.place_index.get(name, board.names.get(name)))
        if not isinstance(found, int):
            raise Refusal(f'there is no place "{printable(name)}"' + meant(name, (*board.places, *board.names)))
        return found

    def _hexside(self) -> tuple[int, ...]:
        text = self.next()[1].lstrip("@")
        if text == "edge" and self.at("("):
            ends = self.several("()", self._place)
            if len(ends) == 2:
                return edge(*ends)
        found = sides_of(ChainMap({**self.shared}, self.program.place_index), text) or self.program.board.names.get(
            text
        )
        if isinstance(found, tuple):
            return found
        raise Refusal(f'there is no hexside "{printable(text)}"')

    def _turn(self) -> int:
        text, names = self.words(), [turn[0] for turn in self.program.turns]
        if text == "turn_after" and self.at("("):
            self.expect("(")
            base = self._turn()
            self.expect(",")
            far = self.value("number")
            self.expect(")")
            return int(base + far)
        if text in names:
            return names.index(text)
        raise Refusal(f'"{printable(text)}" is no turn' + meant(text, names))

    def _record(self, name: str) -> tuple[Any, ...]:
        """`battle(hexes: {@A1}, units: {})`; by place as well, and what is left out is nothing."""
        members = dict(self.program.records.get(name, ()))
        if self.word() != name:
            raise Refusal(f"a {name} is written {name}({', '.join(members)})")
        given: dict[str, Any] = {}
        names = list(members)

        def member() -> None:
            key = self.key(names) or (names[len(given)] if len(given) < len(names) else "")
            if key not in members or key in given:
                raise Refusal(f"a {name} has no more than its members: " + ", ".join(names))
            given[key] = self.value(members[key])

        self.several("()", member)
        return tuple(given.get(m, () if of.startswith(("set:", "list:")) else None) for m, of in members.items())

    def _share(self, member: str) -> tuple[Any, int]:
        who = self.value(member)
        self.expect(":")
        return who, self.value("number")

    def _group(self, item: str, target: str) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        items = self._one_or_set(item)
        if self.next()[1] != "to":
            raise Refusal('a plan says who goes where: {"A" to "B", …}')
        return self._one_or_set(target), items

    def _one_or_set(self, type: str) -> tuple[Any, ...]:
        """The members of one side of a plan; sets of sets may leave out the outer braces where there is one."""
        several = self.at("{") and (not braced(type) or self.at("{", 1))
        return tuple(self.value(f"set:{type}")) if several else (self.value(type),)


NOTHING = frozenset(("word", x) for x in ABSENT)


def number(text: str) -> Any:
    """A whole number, a fraction or a quotient, of a size that a game can have."""
    if text.endswith("unlimited"):
        return LARGEST if text == "unlimited" else -LARGEST
    top, _, bottom = text.replace(":", "/").partition("/")
    if max(len(top), len(bottom)) > 19 or not int(bottom or 1):
        raise Refusal(f'"{text[:24]}" is no number that a game can have')
    found = exact(Fraction(int(top), int(bottom or 1)))
    if max(abs(found.numerator), found.denominator) >= LARGEST:
        raise Refusal(f'"{text[:24]}" has more than 18 digits')
    return found


def printable(text: str) -> str:
    """Text from outside, so that a message of it stays on its line."""
    return "".join(x if x.isprintable() else "�" for x in text[:80])
