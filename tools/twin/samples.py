"""Values to ask with and choices to judge, drawn at random: some of any type, and some a little off."""

from __future__ import annotations

from typing import Any

from rulewright.compiler.core import types as t
from rulewright.runtime import dice
from rulewright.runtime.state import State

from .pair import Twins


class Chance:
    """A source of its own, so that what is sampled here changes nothing in the games."""

    def __init__(self, seed: int) -> None:
        self.rng = dice.seed(seed)

    def below(self, n: int) -> int:
        found, self.rng = dice.draw(self.rng, n)
        return found

    def one(self, members: Any) -> Any:
        return members[self.below(len(members))]


class NoValue(Exception):
    """There is no value of a type to be had."""


def changed_value(twins: Twins, S: State, type: str, value: Any, chance: Chance) -> Any:
    """Another value: a little off, or any of its type."""
    board = twins.plain.board
    if type == "path" and value:
        match chance.below(4):
            case 0 if len(value) > 2:
                return value[:-1]
            case 1 if value[-1] in S.ground and board.neighbors[value[-1]]:
                return (*value, chance.one(board.neighbors[value[-1]]))
            case 2:
                return value[:1]
            case _:
                return (value[0], chance.one(S.hexes))
    if type.startswith("set:") and value and chance.below(2):
        return tuple(x for x in value if x != chance.one(value))
    if type.startswith("set:"):
        return tuple(sorted({*value, any_value(twins, S, type[4:], chance)}))
    if type.startswith("list:") and value:
        return value[1:] + value[:1] if chance.below(2) else value[1:]
    if type.startswith(("plan", "shares")) and value:
        return value[1:] if chance.below(2) else (*value, value[0])
    return any_value(twins, S, type, chance)


def any_value(twins: Twins, S: State, type: str, chance: Chance) -> Any:
    """Some value of a type; of units mostly one that is somewhere."""
    program = twins.plain
    head, _, rest = type.partition(":")
    match head:
        case "unit":
            placed = [u for u, p in enumerate(S.at) if p is not None and p in S.ground]
            return chance.one(placed) if placed and chance.below(10) else chance.below(len(program.units) or none())
        case "place":
            held = [p for p in S.at if p is not None and p in S.ground]
            return chance.one(held) if held and chance.below(2) else chance.one(S.hexes or none())
        case "kind":
            return chance.one(program.kinds.get(rest) or none())
        case "scale":
            return chance.below(len(program.scales[rest]))
        case "flag":
            return bool(chance.below(2))
        case "number" | "ratio":
            return chance.below(9)
        case "turn":
            return chance.below(len(program.turns) or none())
        case "hexside":
            here = any_value(twins, S, "place", chance)
            there = chance.one(program.board.neighbors[here] or none())
            return (min(here, there), max(here, there))
        case "set" | "list":
            found = {any_value(twins, S, rest, chance) for _ in range(chance.below(4))}
            if rest == "unit" and found:
                at = S.at[next(iter(found))]
                found = set(S.here[at]) if at is not None else found
            return tuple(sorted(found, key=repr)) if rest not in ("unit", "place") else tuple(sorted(found))
        case "record":
            return tuple(any_value(twins, S, type_of(x), chance) for _, x in twins.book.records[rest])
        case _:
            raise NoValue


def none() -> Any:
    raise NoValue


def type_of(x: t.Type) -> str:
    if x.of is not None:
        return f"{x.sort}:{type_of(x.of)}"
    return f"{x.sort}:{x.name}" if x.sort in ("kind", "scale", "record") else x.name
