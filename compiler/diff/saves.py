"""The effect of a change on saved games.

In:  a save, and both rule sets loaded.
Out: `replays identically`, or the first event that is refused or comes out differently, with the cases.

The choices of the save are parsed again under each rule set from their text form, with the same seed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rulewright.runtime.begin import begun
from rulewright.runtime.game import Game
from rulewright.runtime.journal import Journal, SaveProblem
from rulewright.runtime.problems import Fault, Refusal
from rulewright.runtime.program import Program
from rulewright.runtime.telling.narrate import narrate
from rulewright.runtime.text import Choice

CITED = re.compile(r"  \[[^\]]*\]\Z")


def ask_save(path: Path, before: Program, after: Program) -> dict[str, Any]:
    """Replay a save under both."""
    try:
        journal = Journal.read(path)
        header, events = journal.header, list(journal.events())
    except SaveProblem as problem:
        return {"save": str(path), "answer": "cannot be read", "reason": str(problem), "event": None, "cases": []}
    if header.rules_hash != before.rules_hash:
        reason = f"saved under {header.rules}, not under the first rule set as it stands"
        return {"save": str(path), "answer": "other rules", "reason": reason, "event": None, "cases": []}
    try:
        ours, theirs = begun(before, header), begun(after, header)
    except (Refusal, Fault, SaveProblem) as problem:
        return answer(path, 0, str(problem), [])
    if told(ours, 0) != told(theirs, 0):
        return answer(path, 0, "the game begins differently", cases(theirs, 0))
    for i, event in enumerate(events, 1):
        seen, other = len(ours.log), len(theirs.log)
        try:
            choice = Choice.from_plain(event)
            text = ours.show(choice)
            ours.do(choice)
        except (Refusal, Fault) as problem:
            reason = f"event {i} does not replay under its own rules: {problem}"
            return {"save": str(path), "answer": "cannot be replayed", "reason": reason, "event": i, "cases": []}
        try:
            theirs.do(theirs.read(text))
        except Refusal as refusal:
            return answer(path, i, f"{text} is refused: {refusal}", list(refusal.cases))
        except Fault as problem:
            return answer(path, i, f"{text}: {problem}", [])
        if told(ours, seen) != told(theirs, other) or ours.over != theirs.over:
            return answer(path, i, f"{text} leads elsewhere", cases(theirs, other))
    return {"save": str(path), "answer": "replays identically", "reason": "", "event": None, "cases": []}


def answer(path: Path, event: int, reason: str, found: list[str]) -> dict[str, Any]:
    under = f" under case {', '.join(found)}" if found else ""
    return {
        "save": str(path),
        "answer": f"first differs at event {event}{under}",
        "reason": reason,
        "event": event,
        "cases": found,
    }


def told(game: Game, since: int) -> list[str | None]:
    lines = (narrate(game.program, event) for event in game.log[since:])
    return [CITED.sub("", line) if line is not None else None for line in lines]


def cases(game: Game, since: int) -> list[str]:
    found = [str(event.get("case", "")) for event in game.log[since:] if isinstance(event, dict)]
    return list(dict.fromkeys(x for x in found if x))[:3]
