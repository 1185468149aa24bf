"""The weights of a doctrine, and a player of it whose weights can be changed.

In:  a rule set, the name of one of its doctrines.
Out: the weights with what they are and may be; a seat whose player goes by the weights that were put last; an overlay
     that gives the doctrine other weights.
Reports: `Refusal` of a doctrine without weights, or of none.

A doctrine is compiled without inlining, so that each weight is a function of its own; that function is exchanged, and
what the modules keep between games is dropped. A test holds games with weights put in this way against games of a
doctrine that an overlay has given the same weights.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from rulewright.runtime.doctrine.player import DoctrinePlayer
from rulewright.runtime.kept.by_place import ByPlace
from rulewright.runtime.problems import Refusal
from rulewright.runtime.values import exact

from ..compiled import package_of_program
from ..loader import Loaded, analysed, load
from ..passes.compiled import given
from ..players import Seat, Unknown, find_seat, known_doctrines, named_level

STEPS = 20
"""Weights are tried at so many equal steps between their bounds."""
Point = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Weight:
    """A number that may be tuned."""

    name: str
    case: str
    now: Fraction
    least: Fraction
    most: Fraction

    def at(self, share: float) -> Fraction:
        """The nearest step to a share of the way from its least to its most."""
        return self.least + (self.most - self.least) * Fraction(round(min(max(share, 0.0), 1.0) * STEPS), STEPS)


class Weighed:
    """A doctrine, and the weights that it goes by."""

    def __init__(self, loaded: Loaded, word: str) -> None:
        name, self.level = named_level(word)
        first, known = name.partition("+")[0], known_doctrines(loaded)
        if not first.endswith(".rules") and first not in known:
            raise Unknown(word, [*known])
        self.word, self.made = word, load(f"{loaded.name}+{name}", loaded.places, folded=False)
        doctrine = self.made.program.doctrine
        if doctrine is None or not doctrine.weights:
            raise Refusal(f'"{name}" has no weights to tune')
        self.name, self.sides = doctrine.name, doctrine.sides
        book = given(analysed(load(f"{loaded.name}+{name}", loaded.places)).book)
        declared = given(book.doctrine).weights
        values = self.made.program.values
        self.weights = tuple(
            Weight(w.name, w.case, Fraction(values[w.name][0](None)), Fraction(str(w.least)), Fraction(str(w.most)))
            for w in declared
        )
        self.seats: Mapping[str, Seat] = {side: self.seat(find_seat(loaded, word, side)) for side in self.sides}

    def seat(self, printed: Seat) -> Seat:
        """A seat like that of the doctrine, by the weights that are in force."""
        make = partial(DoctrinePlayer, self.made.program, level=self.level)
        return Seat(printed.word, printed.name, printed.hash, make)

    @property
    def now(self) -> Point:
        return tuple(w.now for w in self.weights)

    def put(self, point: Point) -> None:
        """Go by these weights from now on."""
        values, prefix = self.made.program.values, package_of_program(self.made.program) + "."
        for weight, number in zip(self.weights, point, strict=True):
            value, known = exact(number), values[weight.name][0]
            setattr(sys.modules[known.__module__], known.__name__, lambda S, value=value: value)
        for name, module in [*sys.modules.items()]:
            if name.startswith(prefix):
                for x in [*vars(module).values()]:
                    if isinstance(x, ByPlace):
                        x.clear()

    def overlay(self, point: Point, name: str, title: str) -> str:
        """The text of an overlay that gives the doctrine these weights."""
        book = self.made.program.name.partition("+")[0]
        lines = [f'variant {name} of {book} "{title}":', '  case TUNED "Weights":']
        for w, value in zip(self.weights, point, strict=True):
            if value != w.now:
                lines += [
                    f"    replace {w.case} {w.name}:",
                    f"      weight {w.name} = {value} in {w.least} .. {w.most}",
                ]
        return "\n".join(lines) + "\n"
