"""The effect of a change on who wins: random games under both rule sets with the same seeds.

In:  two rule sets, a scenario that both have, and seeds.
Out: wins before and after for each side with the interval of the shift, and how games end under each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..revisions.revision import Revision
from ..simulate import balance, sim, summary


def play_both(
    a: Revision,
    b: Revision,
    scenario: str,
    seeds: Iterable[int],
    jobs: int = 0,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, Any]:
    """Play the same seeds under both rule sets; `told` is called with the number of finished games and the total."""
    wanted = list(seeds)
    games = len(wanted)
    with a.inside():
        before = sim(a.name, scenario, wanted, jobs, told=lambda done: told(done, 2 * games))
    with b.inside():
        after = sim(b.name, scenario, wanted, jobs, told=lambda done: told(games + done, 2 * games))
    sides = a.program().sides
    sides += tuple(s for s in b.program().sides if s not in sides)
    found = balance(before, after, sides)
    ends = {"before": summary(before, sides), "after": summary(after, sides)}
    return {
        "scenario": scenario,
        **found,
        "how": {word: x["how"] for word, x in ends.items()},
        "problems": {word: x["problems"] for word, x in ends.items()},
    }
