"""A rule set as carrying a game over needs it: the core, procedures in steps, and the program that plays.

In:  an analysed rule set and its program.
Out: one value with the three.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulewright.runtime.program import Program

from ..core import nodes as c
from ..emit.lowering.blocks import Lowered
from ..passes.write import lower
from ..pipeline import Compiled


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Core, steps and program of one rule set."""

    made: Compiled
    book: c.Book
    lowered: dict[str, Lowered]
    program: Program


def rule_set(made: Compiled, program: Program) -> RuleSet:
    """A rule set whose procedures are cut into the steps that its program has."""
    assert made.book is not None
    lowered = made.lowered if made.lowered is not None else lower(replace(made)).lowered
    assert lowered is not None
    return RuleSet(made, made.book, lowered, program)
