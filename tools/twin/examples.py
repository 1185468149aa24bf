"""The same examples: what holds on generated code holds by the oracle."""

from __future__ import annotations

import time

from rulewright.compiler.examples.expressions import load_functions
from rulewright.compiler.examples.run import Runner
from rulewright.compiler.interpret.asks import Unknown
from rulewright.compiler.interpret.worked import Worked

from .pair import Twins
from .samples import Chance
from .values import ask_both


def run_examples(twins: Twins, every: int = 1, asked: int = 0) -> None:
    """Worked examples by the oracle; in positions that they leave, values are compared too."""
    chance, began = Chance(7), time.process_time()
    chosen = list(twins.book.examples)[::every]
    functions = load_functions(twins.book, twins.plain, chosen) if asked else []
    for i, example in enumerate(chosen):
        twins.tally.examples += 1
        worked = Worked(twins.oracle)
        where = f"example {example.case} {example.title}"
        try:
            failures = worked.run(example)
        except Unknown:
            twins.tally.unknown += 1
            continue
        if failures:
            twins.tally.differ(f"{where}: {failures}")
        if asked and i % 9 == 0:
            runner = Runner(twins.book, twins.plain, functions[i])
            runner.run(example)
            ask_both(twins, runner.S, chance, asked, where)
    twins.tally.seconds += time.process_time() - began
