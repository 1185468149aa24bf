"""The traced twin against the plain rules: questions about a position of `trc` of which nothing is known yet.

The twin tells which cases made a value and is asked when somebody wants to know why. Each question is put to a state
that has forgotten every answer, of both; the twin fills a trace.
"""

from __future__ import annotations

import statistics
from typing import Any

from rulewright.compiler import load
from rulewright.compiler.emit.package import names_of
from rulewright.runtime.state import State

from .functions import battles
from .timing import Figure, best


def figures() -> list[Figure]:
    book = load("trc")
    S = book.new("battle", seed=1).state
    assert book.program.traced is not None
    plain, traced = names_of(book.program), names_of(book.program.traced())
    T = State.from_plain(traced.PROGRAM, S.plain())
    on_map = [u for u, p in enumerate(S.at) if p is not None and p < plain.data.BOARD.hexes]
    fights = battles(plain, S)
    asked: dict[str, list[tuple[Any, ...]]] = {
        "odds": [(b,) for b in fights[:: max(1, len(fights) // 8)]],
        "allowance": [(u,) for u in on_map],
        "zone": [(u,) for u in on_map],
        "supplied": [(u,) for u in on_map[:: max(1, len(on_map) // 6)]],
    }
    found = []
    for name, questions in asked.items():
        mine, other = getattr(plain, name), getattr(traced, name)

        def ask(mine: Any = mine, questions: Any = questions) -> list[Any]:
            return [(S.forget(), mine(S, *q))[1] for q in questions]

        def trace(other: Any = other, questions: Any = questions) -> list[Any]:
            answers = []
            for q in questions:
                T.forget()
                T.trace = []
                answers.append(other(T, *q))
            return answers

        assert ask() == trace(), name
        idle = [lambda questions=questions, X=X: [X.forget() for _ in questions] for X in (S, T)]
        rest, other_rest, one, two = best(*idle, ask, trace, rounds=11)
        found.append((name, (two - other_rest) / (one - rest)))
    figures = [Figure(f"{name}: traced ÷ plain", value, most=2.0) for name, value in found]
    middle = statistics.geometric_mean([value for _, value in found])
    return [*figures, Figure("traced ÷ plain, mean of the four", middle, most=2.0)]
