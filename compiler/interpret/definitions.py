"""Definitions: a base, exceptions to it, exceptions to those, and what other cases add.

In:  a definition of the core, arguments and the world.
Out: its value: what waives or excepts a layer is asked first, then its own clauses; then contributions, step by step.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import PurePath
from typing import Any

from rulewright.runtime.problems import Conflict, Fault

from ..core import nodes as c
from ..core.types import empty_of
from .asks import Asks, Names
from .values import ordered, rounded
from .world import World

Own = Callable[[c.Layer, Names], Any]
Silence = object()
USUAL, KEEP = "@usual", "@keep"


def answer_of(ask: Asks, W: World, d: c.Definition, args: tuple[Any, ...], keep: Any = None) -> Any:
    """The value of a definition for these arguments."""
    names: Names = {p.name: x for p, x in zip(d.params, args, strict=True)}
    names[KEEP] = keep
    answer, base = Answer(ask, W, d), d.base
    try:
        return answer.of(base, names) if base.waivers or base.exceptions else answer.total(base, names)
    except Fault as error:
        error.case = error.case or d.case
        raise


class Answer:
    """One definition, asked in one world."""

    def __init__(self, ask: Asks, W: World, d: c.Definition) -> None:
        self.ask, self.W, self.d = ask, W, d

    def of(self, layer: c.Layer, names: Names) -> Any:
        """What a layer says: nothing when waived, its exceptions where they apply, else its own words."""
        base = layer is self.d.base
        if waived(self.ask, self.W, layer.waivers, names) or (not base and not self.applies(layer, names)):
            return Silence
        own = self.total if base else self.clause
        if not layer.exceptions:
            return own(layer, names)
        inner = {**names, USUAL: lambda: own(layer, names)}
        said = [(x, value) for x in layer.exceptions if (value := self.of(x, inner)) is not Silence]
        standing = [(x, v) for x, v in said if not any(x.id in y.outranks for y, _ in said)]
        for (x, v), (y, w) in combinations(standing, 2):
            if v != w:
                message = f"cases {x.case} and {y.case} both except {self.d.name} and disagree"
                notes = tuple(f"{z.case} ({place(z)})" for z in (x, y))
                raise Conflict(message, y.case, notes, about=self.d.name, between=((x.case, v), (y.case, w)))
        return standing[0][1] if standing else own(layer, names)

    def lets(self, layer: c.Layer, names: Names) -> Names:
        if not layer.lets:
            return names
        names = dict(names)
        for name, value in layer.lets:
            names[name] = self.ask.value(self.W, value, names)
        return names

    def holding(self, layer: c.Layer, names: Names) -> c.Clause | None:
        """The first clause whose guard holds; `names` hold the layer's lets."""
        for clause in layer.clauses:
            if clause.guard is None or self.ask.value(self.W, clause.guard, names):
                return clause
        return None

    def applies(self, layer: c.Layer, names: Names) -> bool:
        """Whether a layer says anything here; only then do exceptions to it count."""
        return self.holding(layer, self.lets(layer, names)) is not None

    def clause(self, layer: c.Layer, names: Names) -> Any:
        names = self.lets(layer, names)
        clause = self.holding(layer, names)
        return Silence if clause is None else self.ask.value(self.W, clause.value, names)

    def total(self, layer: c.Layer, names: Names) -> Any:
        """The base value with every contribution, step by step."""
        d = self.d
        value = self.clause(layer, names)
        if value is Silence:
            remembered = d.sort == "memory" and self.ask.book.memories[d.name].how == "always"
            value = names[KEEP] if remembered else empty_of(d.type)
        if not d.gathered:
            return value
        number = not d.type.many and d.type.name in ("number", "ratio")
        for stage in d.stages or (c.Stage(name=""),):
            amounts: list[tuple[str, Any]] = []
            for x in d.contributions:
                if d.stages and x.stage != stage.name:
                    continue
                given = self.of(x.layer, names)
                if given is Silence:
                    continue
                if number:
                    amounts.append((self.operation(x.layer, names), given))
                else:
                    value = ordered((*value, *given)) if d.type.many else value or given
            if number:
                value = self.stage_value(stage, value, amounts, names)
        return value

    def operation(self, layer: c.Layer, names: Names) -> str:
        """Whether a contribution multiplies or adds; an exception to it works as its first clause does."""
        inner = {**names, USUAL: lambda: self.clause(layer, names)}
        if not any(self.of(x, inner) is not Silence for x in layer.exceptions):
            clause = self.holding(layer, self.lets(layer, names))
            if clause is not None:
                return clause.operation or "plus"
        return layer.clauses[0].operation or "plus"

    def stage_value(self, stage: c.Stage, value: Any, amounts: list[tuple[str, Any]], names: Names) -> Any:
        """One step: its contributions (or the largest of them), then rounding, then caps."""
        if stage.once and amounts:
            amounts = [max(amounts, key=lambda a: abs(a[1]))]
        for operation, amount in amounts:
            value = value * amount if operation == "times" else value + amount
        value = rounded(value, stage.round)
        if stage.most is not None:
            value = min(value, self.ask.value(self.W, stage.most, names))
        if stage.least is not None:
            value = max(value, self.ask.value(self.W, stage.least, names))
        return value


def place(layer: c.Layer) -> str:
    """Where a layer says its first word: a file without its folder, and a line."""
    span = layer.clauses[0].span
    return f"{PurePath(span.file).name}:{span.line}"


def waived(ask: Asks, W: World, waivers: tuple[c.Waiver, ...], names: Names) -> bool:
    """Whether one of these waivers is in force, not being waived itself."""
    return any(
        (w.guard is None or ask.value(W, w.guard, names)) and not waived(ask, W, w.waivers, names) for w in waivers
    )


def refuses(ask: Asks, W: World, rule: c.Rule, names: Names) -> bool:
    """Whether a rule speaks against what the names describe."""
    if rule.sort == "require":
        asked = rule.guard is None or ask.value(W, rule.guard, names)
        against = asked and not ask.value(W, rule.test, names)
    else:
        against = ask.value(W, rule.test, names)
    return bool(against) and not waived(ask, W, rule.waivers, names)
