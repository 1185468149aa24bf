"""The chances of a choice as data for a page.

In:  a game, a side, a choice.
Out: for each way to answer what is asked before the dice, rows of chance, dice and what comes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.compiler.seat.forecast import Result, Roll, forecast
from rulewright.runtime.game import Game
from rulewright.runtime.telling.secrecy import keeps_secrets
from rulewright.runtime.text import Choice

from .linked import with_both

MOST_WAYS, MOST_LINES = 8, 10
VEILED = "What lies veiled from you is not counted, so what comes may be other than this."
UNSEEN = "Rules look at something that you may not see; it is taken as not set, so what comes may be other than this."


def told_chances(game: Game, side: str, choice: Choice) -> dict[str, Any]:
    """The table of a choice; a choice that rolls no die says what is decided next."""
    found = forecast(game, side, choice)
    secret = "As far as you can know. " if keeps_secrets(game.program) else ""
    unseen = VEILED if game.program.veils else UNSEEN
    if not any(x.rolls for x in found):
        then = f" First is asked: {found[0].asked}" if found[0].asked else ""
        none = f"No die is rolled before the next decision.{then}"
        return {"said": f"{secret}{unseen} Reckoned so: {none}" if found[0].unseen else secret + none}
    groups = []
    for each in found:
        rows = [row(game, result) for result in each.rows()]
        groups.append(
            {"answers": [list(x) for x in each.answers], "rows": rows if each.rolls else [], "asked": each.asked}
        )
    exact = "Exact, up to the next decision."
    return {"said": secret + (unseen if any(x.unseen for x in found) else exact), "groups": groups}


def row(game: Game, result: Result) -> dict[str, Any]:
    chance = result.chance
    lines: list[list[Any]] = [with_both(game.program, line) for line in result.lines[:MOST_LINES]]
    if len(result.lines) > MOST_LINES:
        lines.append([[f"and {len(result.lines) - MOST_LINES} lines more"]])
    if result.asked:
        lines.append([[f"then: {result.asked}"]])
    return {
        "share": float(chance),
        "percent": f"{float(chance):.1%}" if chance != 1 else "100%",
        "chance": str(chance),
        "dice": ways_of(result.dice),
        "lines": lines or [[["nothing more"]]],
    }


def ways_of(dice: Sequence[Sequence[Roll]]) -> str:
    """The sums of the dice: `4–6`, or `3 then 5`."""
    if all(len(way) == 1 for way in dice):
        return spans(sorted({way[0].total for way in dice}))
    shown = list(dict.fromkeys(" then ".join(str(r.total) for r in way) for way in dice))
    more = f" and {len(shown) - MOST_WAYS} ways more" if len(shown) > MOST_WAYS else ""
    return "; ".join(shown[:MOST_WAYS]) + more


def spans(numbers: Sequence[int]) -> str:
    found: list[list[int]] = []
    for n in numbers:
        if found and found[-1][-1] == n - 1:
            found[-1].append(n)
        else:
            found.append([n])
    return ", ".join(str(x[0]) if len(x) == 1 else f"{x[0]}–{x[-1]}" for x in found)
