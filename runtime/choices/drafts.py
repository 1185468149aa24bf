"""Drafts: what is done in a window until it closes, kept so that the last of it can be taken back.

In:  the state, and each choice before it is carried out.
Out: the choices that stand when the last drafted action is taken back, each with where it was made.

A draft is empty until something is drafted; then it holds the position before that and every choice since, whoever
made it: the window's own actions, their parts (answers, and what is chosen in windows inside them), and what others or
the side itself did out of turn. Taking back leaves out the last action with its parts. What was done out of turn was
never drafted: it is done again, and where it cannot be, nothing is taken back. Drafts are tuples: copies share them.
"""

from __future__ import annotations

from typing import Any

from ..notation import of_type
from ..program import Program
from ..state import State
from ..text import WORDS, Choice

ACTION, PART, OUT_OF_TURN = "action", "part", "out of turn"

Kept = tuple[str, int, int, str, str, Any]
"""What it is, its place among what was pending (-1: none), how much had been shown before it, side, name, arguments."""
Draft = tuple[Any, ...]
"""The position it began with, and what was chosen since."""


def record(S: State, item: dict[str, Any] | None, choice: Choice) -> None:
    """Every draft that is under way keeps a choice that is about to be made; a first action begins one."""
    at = -1 if item is None else S.pending.index(item)
    own = None
    if item is not None and item["sort"] == "offer" and choice.name not in WORDS:
        own = S.stack[item["frame"]][2].get("@draft")
    base = S.plain() if own is not None and not S.drafts[own] else None
    for i, draft in enumerate(S.drafts):
        if draft or i == own:
            sort = ACTION if i == own else OUT_OF_TURN if item is None or interrupted(S, i) else PART
            kept = (sort, at, S.revealed, choice.side, choice.name, choice.args)
            S.drafts[i] = (*(draft or (base,)), kept)


def interrupted(S: State, draft: int) -> bool:
    """Whether what goes on now was begun out of turn while a draft was open."""
    windows = (i for i, frame in enumerate(S.stack) if frame[2].get("@draft") == draft)
    window = next(windows, len(S.stack))
    return any(depth > window for depth, _ in S.parked)


def of_window(S: State, local: dict[str, Any]) -> Draft:
    """What has been drafted in a window; one that is no draft window has nothing."""
    draft: Draft = S.drafts[local["@draft"]] if "@draft" in local else ()
    return draft


def shown_since(S: State, draft: Draft) -> bool:
    """Whether a die or a secret has been shown since the last drafted action was begun."""
    return bool(draft[last_action(draft)][2] != S.revealed)


def last_action(draft: Draft) -> int:
    return max(i for i, kept in enumerate(draft) if i and kept[0] == ACTION)


def without_last(draft: Draft) -> tuple[list[Kept], list[Kept]]:
    """What stands without the last drafted action: the choices before it, and those out of turn since."""
    last = last_action(draft)
    return list(draft[1:last]), [kept for kept in draft[last + 1 :] if kept[0] == OUT_OF_TURN]


def veiled(draft: Draft) -> Draft:
    """A draft of which no more is told than how many actions it holds."""
    return ((), *((ACTION, 0, kept[2], "", "", ()) for kept in draft[1:] if kept[0] == ACTION)) if draft else ()


def well_formed(program: Program, kept: Any) -> bool:
    """Whether a choice in a draft of a save has the form that play gives it; arguments are read when it is redone."""
    sort, at, revealed, side, name, args = kept
    good = sort in (ACTION, PART, OUT_OF_TURN) and side in program.sides and of_type(program, "number", at)
    known = name in program.actions or name in WORDS or any(ask.name == name for ask in program.asks)
    return good and known and revealed.__class__ is int and all(key.__class__ is str for key, _ in args)
