"""Why a player that looks ahead chose as it did.

In:  a program, a trial, and who asks.
Out: lines for a reader: how many plans were tried by how many games, what came of the one that was chosen, and of the
     next best ones. Where a rule set keeps secrets, others are told that it was tried and no more.
"""

from __future__ import annotations

from ..program import Program
from ..telling.explain import short
from ..telling.secrecy import keeps_secrets
from ..text import Choice, show_choice
from .player import Trial, Tried

MOST = 3


def tried(program: Program, trial: Trial, asker: str = "") -> list[str]:
    """One trial as lines."""
    open_book = not keeps_secrets(program) or asker in ("", trial.choice.side)
    hidden = trial.decision.secret and not open_book
    shown = f"{trial.choice.side}: a secret answer" if hidden else text_of(program, trial)
    found = [f"lookahead, {shown}"]
    if trial.said:
        found.append(f"  {trial.said}")
    if not trial.tried or not open_book:
        return found if trial.said else [*found, "  what it tried is its own secret"]
    games = [len(x.found) for x in trial.tried]
    apiece = f"{games[-1]} to {games[0]}" if games[0] != games[-1] else f"{games[0]}"
    found.append(
        f"  tried {len(games)} plans by {apiece} games each, {trial.work:,} choices in all, "
        "both sides at random after the plan"
    )
    best = next(x for x in trial.tried if trial.choice.side in {c.side for c in x.plan} and follows(x, trial))
    row = f"choice {trial.step + 1} of {len(best.plan)} of the plan" if len(best.plan) > 1 else "this one"
    found.append(f"  {row} that stood best: {outcome(best)}" if len(best.plan) > 1 else f"  {row}: {outcome(best)}")
    others = [x for x in trial.tried if x is not best][:MOST]
    if others:
        found.append("  next best:")
    for other in others:
        more = f", and {len(other.plan) - 1} more" if len(other.plan) > 1 else ""
        first = show_first(program, other, trial) if other.plan else "let it pass"
        found.append(short(f"    {outcome(other)}: {first}{more}"))
    return found


def follows(one: Tried, trial: Trial) -> bool:
    """Whether a plan is the one that a choice is of."""
    at = one.plan[trial.step] if trial.step < len(one.plan) else None
    return at is not None and (at.name, at.args) == (trial.choice.name, trial.choice.args)


def outcome(one: Tried) -> str:
    """What came of the games of a plan."""
    count = len(one.found)
    won, lost = (sum(x.won == sign for x in one.found) for sign in (1, -1))
    told = f"won {won} and lost {lost} of {count}"
    if any(x.margin for x in one.found):
        told += f", margin {sum(x.margin for x in one.found) / count:+.1f}"
    return f"{told}, units {sum(x.units for x in one.found) / count:+.1f}"


def text_of(program: Program, trial: Trial) -> str:
    return short(show_choice(program, trial.choice, types_of(program, trial)))


def show_first(program: Program, one: Tried, trial: Trial) -> str:
    """The first choice of a plan."""
    first: Choice = one.plan[0]
    types = types_of(program, trial) if trial.step == 0 else None
    return show_choice(program, first, types).partition(": ")[2]


def types_of(program: Program, trial: Trial) -> dict[str, str] | None:
    """How the answer to a question is written."""
    if trial.decision.sort != "ask":
        return None
    asked = next((ask.type for ask in program.asks if ask.name == trial.decision.name), None)
    return {"": asked} if asked is not None else None
