"""Check the invariants of a book where its scenarios begin.

In:  a compiled program.
Out: the invariants that do not hold at the first decision of a scenario, as lines of text.
"""

from __future__ import annotations

from rulewright.runtime.begin import new_game
from rulewright.runtime.problems import Fault, Refusal
from rulewright.runtime.program import Program


def broken_invariants(program: Program) -> list[str]:
    """One line for each scenario that begins with a broken invariant, or that cannot begin at all."""
    found: list[str] = []
    for name in program.scenarios if program.invariants else ():
        try:
            new_game(program, name).check()
        except (Fault, Refusal) as problem:
            found.append(f"scenario {name}: {problem}")
    return found
