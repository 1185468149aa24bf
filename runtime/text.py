"""The one-line text form of values and choices: what logs, scripts, `why` and saves share.

`axis: move(u: "47 Panzer", p: T14>T13>S12)`, `russian: lost("24 Army")`, `axis: done`. Sets stand in braces,
lists and orders in brackets, a plan is `{"I1" to "E1", {"I2", "I3"} to "E2"}` (items to target), shares are
`{"A": 2, "B": 1}`; all of them nest. What `show` prints, `read_choice` reads back as the same value.
"""

from __future__ import annotations

import difflib
import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from .problems import Refusal
from .program import Column, Program
from .values import LARGEST, exact, unique

T = TypeVar("T")

TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"\n]*")|(?P<path>@?[\w./]+(?:\(\w+\))?(?:>@?[\w./]+(?:\(\w+\))?)+)|(?P<ratio>\d+:\d+)|(?P<frac>-?\d+/\d+(?![\w/]))"""
    r"""|(?P<number>-?\d+(?![\w/]))|(?P<word>@?\w[\w./]*(?:\([a-z_0-9]+\))?)|(?P<mark>[(){}\[\],:]))"""
)


WORDS = ("done", "take_back")
Args = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to a decision: `args` by parameter name; an `ask` has one argument, named ''."""

    decision: int
    side: str
    name: str
    args: Args = ()

    def plain(self) -> list[Any]:
        return [self.decision, self.side, self.name, [[k, v] for k, v in self.args]]

    @staticmethod
    def from_plain(value: Any) -> Choice:
        try:
            decision, side, name, args = value
            kinds = [x.__class__ for x in (decision, side, name, *(k for k, _ in args))]
            if kinds != [int, str, str] + [str] * len(args):
                raise ValueError
            return Choice(decision, side, name, tuple((k, v) for k, v in args))
        except (TypeError, ValueError):
            raise Refusal("this is not a choice") from None


def show(program: Program, type: str, value: Any) -> str:
    """A value as a player would write it."""
    if value is None:
        return "nothing"
    head, _, rest = type.partition(":")
    match head:
        case "set" | "list":
            opening, closing = "{}" if head == "set" else "[]"
            return opening + ", ".join(show(program, rest, v) for v in value) + closing
        case "unit":
            return f'"{program.units[value]}"'
        case "place":
            return str(program.board.places[value])
        case "hexside" | "path":
            return ("/" if head == "hexside" else ">").join(program.board.places[p] for p in value)
        case "turn":
            return program.turns[value][0] if 0 <= value < len(program.turns) else f"turn {value}"
        case "scale":
            steps = program.scales[rest]
            return steps[value] if 0 <= value < len(steps) else f"below {steps[0]}"
        case "flag":
            return "yes" if value else "no"
        case "shares":
            return "{" + ", ".join(f"{show(program, rest, m)}: {n}" for m, n in value) + "}"
        case "plan":
            types = rest.split("|")
            groups = ([show_group(program, *x) for x in zip(types, (i, t), strict=True)] for t, i in value)
            return "{" + ", ".join(" to ".join(group) for group in groups) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(show(program, "", v) for v in value) + ")"
    return show(program, "flag", value) if isinstance(value, bool) else str(value)


def show_group(program: Program, type: str, values: tuple[Any, ...]) -> str:
    """Members of a plan: one as it is, several in braces."""
    return show(program, type, values[0]) if len(values) == 1 else show(program, f"set:{type}", values)


def show_owner(program: Program, column: Column, owner: Any) -> str:
    """The bearer of a mark, without quotes; the game has no name."""
    sort = column.sort if column.sort in ("unit", "place", "hexside") else ""
    return "" if owner is None else show(program, sort, owner).strip('"')


def show_choice(program: Program, choice: Choice, types: dict[str, str] | None = None) -> str:
    """The whole choice on one line; `types` are those of the question it answers, where that is known."""
    if choice.name in WORDS:
        return f"{choice.side}: {choice.name}"
    types = types or choice_types(program, choice.name)
    parts = []
    for name, value in choice.args:
        try:
            text = show(program, types.get(name, ""), value)
        except (TypeError, IndexError, KeyError, ValueError, RecursionError):
            text = "…"
        parts.append(f"{name}: {text}" if name else text)
    return f"{choice.side}: {choice.name}({', '.join(parts)})"


def of_type(program: Program, type: str, value: Any) -> bool:
    """Whether a value has the form of its type; what is merely equal (True to 1, 2.0 to 2) has not."""
    head, _, rest = type.partition(":")
    kind, member = value.__class__, {"path": "place", "hexside": "place"}.get(head, rest)
    match head:
        case _ if value is None:
            return True
        case "set" | "list" | "path" | "hexside":
            return kind is tuple and all(of_type(program, member, v) for v in value)
        case "shares" | "plan" if rest:
            first, _, second = rest.partition("|")
            parts = (f"set:{second}", f"set:{first}") if second else (first, "number")
            pairs = kind is tuple and all(v.__class__ is tuple and len(v) == 2 for v in value)
            return pairs and all(of_type(program, *x) for v in value for x in zip(parts, v, strict=True))
        case "unit" | "place":
            return kind is int and 0 <= value < len(program.units if head == "unit" else program.board.places)
        case "number" | "ratio":
            whole = kind is int or (kind is Fraction and value.denominator != 1)
            return whole and max(abs(value.numerator), value.denominator) < LARGEST
        case "kind":
            return kind is str and value in program.kinds[rest]
        case "flag" | "turn" | "scale":
            return kind is (bool if head == "flag" else int)
    return kind in (int, str, bool) or (kind is tuple and all(of_type(program, "", v) for v in value))


def choice_types(program: Program, name: str) -> dict[str, str]:
    action = program.actions.get(name)
    if action is not None:
        return {p.name: p.type for p in action.params}
    return next(({"": a.type} for a in program.asks if a.name == name), {})


def read_choice(program: Program, text: str, asked: dict[str, str]) -> Choice:
    """A choice from its text form; what does not read is refused with the reason.

    `asked` are the types of the questions that are pending, by name: two questions of a book may share one.
    """
    side, colon, rest = text.partition(":")
    side = side.strip()
    if not colon or side not in program.sides:
        raise Refusal(f'"{text[:60]}" does not begin with a side: ' + ", ".join(program.sides))
    reader = Reader(program, rest)
    name = reader.word()
    if name in WORDS and reader.end():
        return Choice(-1, side, name)
    types = {"": asked[name]} if name in asked else choice_types(program, name)
    if name not in program.actions and not types:
        raise Refusal(f'"{name}" is neither an action nor something that is asked')
    given: dict[str, Any] = {}
    names = list(types)

    def argument() -> None:
        key = reader.key(names) or (names[len(given)] if len(given) < len(names) else "")
        given[key] = reader.value(types.get(key, ""))

    if not reader.end():
        reader.several("()", argument)
    if not reader.end():
        raise Refusal(f"something is left over after {name}(…)")
    return Choice(-1, side, name, tuple((n, given[n]) for n in names if n in given))


def meant(name: str, known: Iterable[str]) -> str:
    """The nearest known name, as the end of a refusal."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


class Reader:
    """Reads values of known types from text."""

    def __init__(self, program: Program, text: str) -> None:
        self.program = program
        self.tokens: deque[tuple[str, str]] = deque()
        at = 0
        if len(text) > 20_000:
            raise Refusal("this choice is too long")
        while at < len(text.rstrip()):
            match = TOKEN.match(text, at)
            if match is None:
                raise Refusal(f'"{text[at : at + 20]}" does not read')
            self.tokens.append((match.lastgroup or "", match.group().strip()))
            at = match.end()

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
        name, bracket, inner = text.partition("(")
        if bracket:
            sort = "number" if inner[:-1].isdigit() else "word"
            self.tokens.extendleft([("mark", ")"), (sort, inner[:-1]), ("mark", "(")])
        return name

    def key(self, names: list[str]) -> str | None:
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

    def value(self, type: str) -> Any:
        head, _, rest = type.partition(":")
        match head:
            case "set":
                return unique(self.several("{}", lambda: self.value(rest)))
            case "list" | "path" if head == "list" or self.at("["):
                return tuple(self.several("[]", lambda: self.value(rest or "place")))
            case "shares" if rest:
                return tuple(self.several("{}", lambda: self._share(rest)))
            case "plan" if rest:
                return tuple(self.several("{}", lambda: self._group(*rest.split("|"))))
        sort, text = self.next()
        if text == "nothing":
            return None
        program = self.program
        match head:
            case "unit":
                name = text.strip('"')
                if name in program.unit_index:
                    return program.unit_index[name]
                raise Refusal(f'there is no unit "{name}"' + meant(name, program.units))
            case "place":
                return self._place(text)
            case "path":
                return tuple(self._place(x) for x in text.split(">"))
            case "hexside":
                return self._hexside(text.lstrip("@"))
            case "flag":
                if text in ("yes", "no", "true", "false"):
                    return text in ("yes", "true")
                raise Refusal(f"yes or no is expected where {text} stands")
            case "kind" | "scale":
                known = (program.kinds if head == "kind" else program.scales).get(rest, ())
                if text in known:
                    return text if head == "kind" else known.index(text)
                raise Refusal(f'"{text}" is no {rest}')
            case "number" | "ratio" if sort in ("number", "frac") and len(text) < 40 and not re.search("/0+$", text):
                return exact(Fraction(text))
            case "turn":
                while self.tokens and self.tokens[0][0] != "mark":
                    text += " " + self.next()[1]
                names = [turn[0] for turn in program.turns]
                if text in names:
                    return names.index(text)
        raise Refusal(f'"{text}" does not read as a {type or "value"}')

    def _place(self, text: str) -> int:
        name, board = text.lstrip("@"), self.program.board
        found = self.program.place_index.get(name, board.names.get(name))
        if not isinstance(found, int):
            raise Refusal(f'there is no place "{name}"' + meant(name, (*board.places, *board.names)))
        return found

    def _hexside(self, text: str) -> tuple[int, ...]:
        places, parts = self.program.place_index, text.split("/")
        pairs = (("/".join(parts[:i]), "/".join(parts[i:])) for i in range(1, len(parts)))
        known = next((tuple(sorted((places[a], places[b]))) for a, b in pairs if a in places and b in places), None)
        found = known or self.program.board.names.get(text)
        if isinstance(found, tuple):
            return found
        raise Refusal(f'there is no hexside "{text}"')

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
        several = self.at("{") and not type.startswith(("set", "plan", "shares"))
        return tuple(self.value(f"set:{type}")) if several else (self.value(type),)
