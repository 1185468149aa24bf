"""The same verdicts: sampled choices, what becomes of them when something is changed, and what the oracle lists."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress

from rulewright.compiler.core import nodes as c
from rulewright.compiler.interpret.asks import Unknown
from rulewright.compiler.interpret.game import OracleGame
from rulewright.runtime.game import Decision, Game
from rulewright.runtime.text import Choice, show_choice

from .pair import Twins
from .samples import Chance, NoValue, any_value, changed_value


def compare_verdicts(twins: Twins, game: Game, other: OracleGame, chance: Chance, where: str) -> None:
    """Sampled legal choices, and what becomes of them when something in them is changed."""
    pending = [d for d in game.decisions if d.sort != "standing"]
    for index, decision in enumerate(pending):
        for choice in sampled(game, decision, chance):
            judge(twins, game, other, index, choice, where)
            for changed in altered(twins, game, choice, chance):
                judge(twins, game, other, index, changed, where)


def sampled(game: Game, decision: Decision, chance: Chance) -> list[Choice]:
    found = []
    for space in game.spaces(decision):
        args, chance.rng = space.sample(chance.rng)
        found.append(Choice(decision.id, decision.side, space.name, args or ()))
    return found


def judge(twins: Twins, game: Game, other: OracleGame, index: int, choice: Choice, where: str) -> None:
    """Both say the same of a choice, and refuse it by the same cases."""
    tally = twins.tally
    grounds = game.refusals(choice)
    try:
        cases = other.against(index, choice)
    except Unknown:
        tally.unknown += 1
        return
    tally.verdicts["refused" if grounds else "legal"] += 1
    wanted = {g.case for g in grounds}
    if bool(grounds) != bool(cases) or wanted - {""} != cases - {""}:
        shown = show_choice(twins.plain, choice)
        tally.differ(f"{where}: {shown} is refused by {sorted(wanted)}, {sorted(cases)}")


def altered(twins: Twins, game: Game, choice: Choice, chance: Chance) -> Iterator[Choice]:
    """Choices near a legal one; most of them are not."""
    program = twins.plain
    types = {p.name: p.type for p in program.actions[choice.name].params} if choice.name in program.actions else {}
    asked = next((a for a in program.asks if a.name == choice.name), None)
    if asked is not None and not types:
        types = {"": asked.type}
    for at, (name, value) in enumerate(choice.args):
        with suppress(NoValue):
            new = changed_value(twins, game.state, types.get(name, ""), value, chance)
            args = (*choice.args[:at], (name, new), *choice.args[at + 1 :])
            yield Choice(choice.decision, choice.side, choice.name, args)
    if chance.below(4) == 0:
        yield Choice(choice.decision, chance.one(program.sides), choice.name, choice.args)
    if program.actions and chance.below(3) == 0:
        action = program.actions[chance.one(list(program.actions))]
        with suppress(NoValue):
            args = tuple((p.name, any_value(twins, game.state, p.type, chance)) for p in action.params)
            yield Choice(choice.decision, choice.side, action.name, args)


def compare_listing(twins: Twins, game: Game, other: OracleGame, where: str) -> None:
    """What the oracle finds one after another is legal for generated code, too."""
    pending = [d for d in game.decisions if d.sort != "standing"]
    for item, decision in zip(other.flow.pending, pending, strict=True):
        found: list[Choice] = []
        with suppress(Unknown):
            if isinstance(item.node, c.Ask):
                for value in other.flow.space(item).listing(2):
                    found.append(Choice(decision.id, item.side, item.node.name, (("", value),)))
            else:
                for space in other.spaces(item):
                    for args in itertools.islice(space.ways(), 2):
                        found.append(Choice(decision.id, item.side, space.action.name, args))
        for choice in found:
            twins.tally.verdicts["listed"] += 1
            if grounds := game.refusals(choice):
                shown = show_choice(twins.plain, choice)
                twins.tally.differ(f"{where}: {shown} is refused by {[g.case for g in grounds]}, and listed")
