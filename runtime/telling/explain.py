"""Explanations: why a choice is legal or refused, and how a value came about, case by case.

They come from the traced twin of the compiled rules: the same functions, telling what they asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Protocol, TypeVar

from ..journal import Journal
from ..notation import number, show
from ..problems import Ground, cases_of
from ..program import Program
from ..state import State
from ..text import Choice, is_choice, show_choice
from ..values import AND
from .house import house_behind
from .trace import ALSO, Node, cases_behind, nodes
from .words import say_ground

MOST_LINES = 40
MOST_WIDTH = 160
ALIKE = 3
MOST_CITED = 4


class Explained(Protocol):
    """What an explanation needs of a game; `Game` itself asks this module, so it cannot be imported here."""

    program: Program
    state: State
    journal: Journal

    def __init__(self, program: Program, state: State, journal: Journal) -> None: ...
    def read(self, text: str) -> Choice: ...
    def refusals(self, choice: Choice) -> list[Ground]: ...
    def value(self, name: str, *args: Any) -> Any: ...


G = TypeVar("G", bound=Explained)


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """An explanation: `grounds` refuse (empty when legal), `trail` shows what was asked.

    Of a value, `shown` is the value itself and `told` its lines, where it is no answer of a definition alone.
    """

    program: Program
    text: str
    legal: bool
    grounds: tuple[Ground, ...]
    trail: tuple[Node, ...]
    value: bool = False
    told: tuple[str, ...] = ()
    shown: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of the choice that is explained."""

    @property
    def cases(self) -> tuple[str, ...]:
        return cases_of(self.grounds)

    def lines(self) -> list[str]:
        """The explanation as lines for a reader."""
        if self.told:
            return list(self.told[:MOST_LINES])
        if self.value and not self.grounds and len(self.trail) == 1:
            return tree(self.program, self.trail[0], 0)[:MOST_LINES]
        found = [self.text if self.value else f"{self.text}: {'legal' if self.legal else 'refused'}"]
        distinct: dict[tuple[str, str, Any], Ground] = {}
        for g in self.grounds:
            told = [x[:4] for x in asked(g)] or g.trail
            distinct.setdefault((g.case, g.label, str(told)[:200]), g)
        for g in distinct.values():
            title = self.program.cases.get(g.case, "")
            head = " ".join(filter(None, (g.case, f'"{title}"' if title else "")))
            head += origin(self.program, g.case, g.label)
            told = say_ground(self.program, g, self.given)
            found.append(f"  {head}: {told}".rstrip(": ") + (f"  ({g.where})" if g.where else ""))
            found += [f"    {sentence}" for sentence in waivers(self.program, g)]
            for node in asked(g):
                found += tree(self.program, node, 2)
        found += below_lines(self.program, self.trail if self.legal else (), 1, 4)
        return found[:MOST_LINES]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def why(game: Explained, choice: Choice | str) -> Why:
    """Why a choice is legal or not, with the cases and the values they saw; of a text that is none, its value."""
    explains = game.program.explains
    if isinstance(choice, str) and explains is not None and not is_choice(game.program, choice):
        answer: Why = explains(game, choice)
        return answer
    if isinstance(choice, str):
        choice = game.read(choice)
    twin = traced(game)
    grounds = tuple(twin.refusals(choice))
    trail, text = nodes(twin.state.trace), show_choice(game.program, choice)
    given = {**dict(choice.args), "actor": choice.side}
    return Why(program=game.program, text=text, legal=not grounds, grounds=grounds, trail=trail, given=given)


def explain(game: Explained, name: str, *args: Any) -> Why:
    """How the value of a definition comes about now."""
    program, twin = game.program, traced(game)
    value = twin.value(name, *args)
    trail, text = nodes(twin.state.trace), said(program, name, args, value)
    shown = show(program, program.signature(name)[1], value)
    return Why(program=program, text=text, legal=True, grounds=(), trail=trail, value=True, shown=shown)


def traced(game: G) -> G:
    """The same position on the traced twin of the rules, with a trace to fill."""
    program = game.program.traced() if game.program.traced is not None else game.program
    twin = type(game)(program, State.from_plain(program, game.state.plain()), game.journal)
    twin.state.trace = []
    return twin


Records = frozenset[tuple[str, Any]]
"""Records that a line above has written out, each with its type."""


def said(program: Program, name: str, args: tuple[Any, ...], value: Any, above: Records = frozenset()) -> str:
    """A value and what it is of; a record that stands in a line above is written `battle(…)`."""
    types, result = program.signature(name)
    given = zip_longest(types[: len(args)], args, fillvalue="")
    told = ", ".join(f"{x[0][7:]}(…)" if x in above else show(program, *x) for x in given)
    shown = short(show(program, result, value))
    return f"{name}({told}) = {shown}" if args else f"{name} = {shown}"


def records_in(program: Program, node: Node) -> Records:
    types = program.signature(node.name)[0]
    return frozenset(x for x in zip(types, node.args, strict=False) if x[0].startswith("record:"))


def short(text: str) -> str:
    """Text that fits on a line."""
    return text if len(text) <= MOST_WIDTH else text[: MOST_WIDTH - 2] + " …"


def cited(program: Program, behind: tuple[str, ...], name: str) -> str:
    """The cases behind a value with their titles, as the end of a line.

    What a library says is the book's to rule on: where the book has cases of its own about it, they come first.
    """
    own = (x for case in behind for x in program.own_cases.get(f"{case} {name}", ()))
    found = [x for x in dict.fromkeys((*own, *behind)) if x]
    told = [f"{x} {program.cases.get(x, '')}".rstrip() + origin(program, x, name) for x in found[:MOST_CITED]]
    if len(found) > MOST_CITED:
        told.append(f"and {len(found) - MOST_CITED} more")
    return f"  [{'; '.join(told)}]" if told else ""


def tree(program: Program, node: Node, depth: int, most: int = 4, above: Records = frozenset()) -> list[str]:
    """A traced value and what it asked, indented; the reckoning of a gathered number line by line."""
    by = cited(program, cases_behind(node), node.name)
    behind = "; ".join(house_behind(program, node)) if ", house" not in by else ""
    if behind:
        by = f"{by.removesuffix(']')}; {behind}]" if by else f"  [{behind}]"
    found = [f"{'  ' * depth}{said(program, node.name, node.args, node.value, above)}{by}"]
    below = nodes(node.below)
    reckoning = (*node.parts, *(part for x in below if not x.name for part in x.parts))
    for case, operation, amount, running in (x for x in reckoning if x[1] != ALSO):
        sign = "×" if operation == "times" else "+"
        found.append(f"{'  ' * (depth + 1)}{sign} {number(amount)} → {number(running)}  [{case.replace(AND, '; ')}]")
    if depth < most:
        found += below_lines(program, below, depth + 1, most, above | records_in(program, node))
    return found


def origin(program: Program, case: str, name: str) -> str:
    """Which overlay an element comes from, where it does not come from the book itself; whether it is house."""
    found = program.origins.get(f"{case} {name}") or program.origins.get(case, "")
    house = program.house.get(f"{case} {name.partition('.')[0]}") or program.house.get(case, "")
    return "".join(f", {text}" for text in (found, house) if text)


def asked(ground: Ground) -> list[Node]:
    """What a rule that refuses has asked, where that was traced; a duty tells who lacks instead."""
    return [x for x in ground.trail if isinstance(x, Node)] if isinstance(ground.trail, tuple) else []


def waivers(program: Program, ground: Ground) -> list[str]:
    """The known overlays that would waive or change what refuses, or what it asked."""
    todo = [Node(ground.label, (), ground.case, None, asked(ground))]
    seen, found = dict[int, Any](), dict[str, None]()
    while todo:
        node = todo.pop()
        keys = (f"{node.case} {node.name}", node.case)
        found |= dict.fromkeys(sentence for key in keys for sentence in program.waived_by.get(key, ()))
        new = {id(x): x for x in node.below if id(x) not in seen}
        seen |= new
        todo += nodes(new.values())
    return list(found)


def below_lines(
    program: Program, asked: Iterable[Node], depth: int, most: int, above: Records = frozenset()
) -> list[str]:
    """What a value asked: each question once, and of many alike the ones with something to tell."""
    distinct = list({(x.name, x.args): x for x in asked if x.name}.values())
    found: list[str] = []
    for name in dict.fromkeys(x.name for x in distinct):
        alike = [x for x in distinct if x.name == name]
        telling = sorted(alike, key=lambda x: x.value in (False, None, (), 0))[:ALIKE]
        for x in telling:
            found += tree(program, x, depth, most, above)
        if len(alike) > len(telling):
            found.append(f"{'  ' * depth}… and {len(alike) - len(telling)} more of {name}")
    return found
