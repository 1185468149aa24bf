"""Choices on one line: what logs, scripts, `why` and saves share.

`axis: move(u: "47 Panzer", p: [@T14, @T13, @S12])`, `russian: lost("24 Army")`, `axis: done`. Arguments are values in
the notation of the language (notation.py); what `show_choice` prints, `read_choice` reads back as the same choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .notation import label, show
from .problems import Refusal
from .program import Column, Program
from .reading import Reader, printable

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


def show_owner(program: Program, column: Column, owner: Any) -> str:
    """The bearer of a mark, without quotes; the game has no name."""
    sort = column.sort if column.sort in ("unit", "place", "hexside") else ""
    return "" if owner is None else label(program, sort, owner)


def show_choice(
    program: Program, choice: Choice, types: dict[str, str] | None = None, veiled: tuple[str, ...] = ()
) -> str:
    """The whole choice on one line, the `veiled` arguments not said; `types` are those of the question it answers,
    where that is known."""
    if choice.name in WORDS:
        return f"{choice.side}: {choice.name}"
    types = types or choice_types(program, choice.name)
    parts = []
    for name, value in choice.args:
        try:
            text = "…" if name in veiled else show(program, types.get(name, ""), value)
        except (TypeError, IndexError, KeyError, ValueError, RecursionError):
            text = "…"
        parts.append(f"{name}: {text}" if name else text)
    return f"{choice.side}: {choice.name}({', '.join(parts)})"


def choice_types(program: Program, name: str) -> dict[str, str]:
    action = program.actions.get(name)
    if action is not None:
        return {p.name: p.type for p in action.params}
    return next(({"": a.type} for a in program.asks if a.name == name), {})


def is_choice(program: Program, text: str) -> bool:
    """Whether a text is meant as a choice: it begins with a side and a colon, as no expression does."""
    side, colon, _ = text.partition(":")
    return bool(colon) and side.strip() in program.sides


def read_choice(program: Program, text: str, asked: dict[str, str], on: str = "") -> Choice:
    """A choice from its text form; what does not read is refused with the reason.

    `asked` are the types of the questions that are pending, by name: two questions of a book may share one; `on` is
    the map in play.
    """
    side, _, rest = text.partition(":")
    side = side.strip()
    if not is_choice(program, text):
        raise Refusal(f'"{printable(text[:60])}" does not begin with a side: ' + ", ".join(program.sides))
    reader = Reader(program, rest, on)
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
