"""The cases that made a value: what an explanation has to cite.

In:  a definition of the core, arguments and the world.
Out: the cases without which the value, or its ground, would be another: the exceptions that stand, the base where it
     speaks for itself, and every contribution that counts. A contribution that adds nothing to a flag or set is none.
"""

from __future__ import annotations

from typing import Any

from ..core import nodes as c
from .asks import Asks, Names
from .definitions import KEEP, USUAL, Answer, Silence
from .world import World


def grounds_of(ask: Asks, W: World, d: c.Definition, args: tuple[Any, ...]) -> frozenset[str]:
    """The cases behind the value of a definition for these arguments."""
    names: Names = {**{p.name: x for p, x in zip(d.params, args, strict=True)}, KEEP: None}
    return Grounds(ask, W, d).behind(d.base, names)


class Grounds(Answer):
    """One definition, asked in one world who made its value."""

    def behind(self, layer: c.Layer, names: Names) -> frozenset[str]:
        base = layer is self.d.base
        inner = {**names, USUAL: lambda: (self.total if base else self.clause)(layer, names)}
        speaking = [x for x in layer.exceptions if self.of(x, inner) is not Silence]
        standing = [x for x in speaking if not any(x.id in y.outranks for y in speaking)]
        if standing:
            return frozenset[str]().union(*(self.behind(x, inner) for x in standing))
        return self.added(layer, names) if base and self.d.gathered else frozenset({layer.case})

    def added(self, base: c.Layer, names: Names) -> frozenset[str]:
        """Who made a gathered value: its base where that says something, and the contributions that count."""
        own = self.clause(base, names)
        given = [(x, self.of(x.layer, names)) for x in self.d.contributions]
        told = [(x, value) for x, value in given if value is not Silence]
        if not self.d.type.many and self.d.type.name in ("number", "ratio"):
            counted = [x for stage in self.d.stages or (None,) for x in in_stage(stage, told)]
            return frozenset({base.case}).union(*(self.behind(x.layer, names) for x in counted))
        makers = [self.behind(x.layer, names) for x, value in told if value]
        if (own is not Silence and own) or not makers:
            makers.append(frozenset({base.case}))
        return frozenset[str]().union(*makers)


def in_stage(stage: c.Stage | None, told: list[tuple[c.Contribution, Any]]) -> list[c.Contribution]:
    """The contributions that count in one step: all of them, or the largest where one does."""
    mine = [(x, value) for x, value in told if stage is None or x.stage == stage.name]
    if stage is not None and stage.once and mine:
        return [max(mine, key=lambda pair: abs(pair[1]))[0]]
    return [x for x, _ in mine]
