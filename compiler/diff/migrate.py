"""The effect of other rules on a saved game that is played again from its beginning.

In:  a save, the rules it was played under, and the new ones.
Out: `unaffected` (no changed rule was ever evaluated), `replays identically`, or the first event that differs, with the
     cases; and the game converted to the new rules, as far as it replays.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulewright.runtime.begin import begun
from rulewright.runtime.game import Game
from rulewright.runtime.journal import Journal
from rulewright.runtime.program import Program
from rulewright.runtime.text import Choice

from ..core.entries import Entry
from ..examples.executed_lines import Line, LineTracer
from ..loader import Loaded
from ..revisions.revision import Revision
from .facts import QUIET, Fact, compared
from .saves import ask_save

DATA = ("unit", "map", "table", "scenario", "calendar", "field", "mark", "kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """The answer, its reason, and the last event that is the same under the new rules."""

    answer: str
    reason: str
    event: int | None
    cases: tuple[str, ...]
    upto: int
    rules: str


def migrate(save: Path, old: Revision, new: Revision) -> tuple[Migration, Program]:
    """The effect of new rules on a save that was played under old ones."""
    before, after = old.program(), new.program()
    found = ask_save(save, before, after)
    events = choices(save)
    event = found["event"]
    answer = found["answer"]
    if answer == "replays identically":
        facts = compared(old.analysed(), new.analysed()).facts
        sides = old.loaded(folded=False), new.loaded(folded=False)
        if not any(looked_at(fact, save, *sides, events) for fact in facts):
            answer = "unaffected"
    made = Migration(
        answer=answer,
        reason=found["reason"],
        event=event,
        cases=tuple(found["cases"]),
        upto=len(events) if event is None else max(event - 1, 0),
        rules=after.name,
    )
    return made, after


def choices(save: Path) -> list[Choice]:
    return [Choice.from_plain(event) for event in Journal.read(save).events()]


def replayed(save: Path, program: Program, texts: list[str]) -> Game:
    """Replay a save under other rules, choice by choice."""
    game = begun(program, Journal.read(save).header)
    for text in texts:
        game.do(game.read(text))
    return game


def texts_of(save: Path, program: Program, events: list[Choice]) -> list[str]:
    """The choices of a save as text, which other rule sets can parse."""
    game = replayed(save, program, [])
    found = []
    for choice in events:
        found.append(game.show(choice))
        game.do(choice)
    return found


def carry_over(save: Path, program: Program, before: Program, upto: int, output: Path) -> None:
    """Write the save of the game under other rules, as far as it replays."""
    texts = texts_of(save, before, choices(save)[:upto])
    replayed(save, program, texts).save(str(output))


def looked_at(fact: Fact, save: Path, before: Loaded, after: Loaded, events: list[Choice]) -> bool:
    """Whether the code of a changed declaration ran in the game; data always counts as read."""
    if fact.element in QUIET:
        return False
    if fact.element in DATA:
        return True
    sides = ((fact.old, before), (fact.new, after))
    return any(entry is not None and ran(entry, save, loaded, before, events) for entry, loaded in sides)


def ran(entry: Entry, save: Path, loaded: Loaded, before: Loaded, events: list[Choice]) -> bool:
    span = entry.node.span
    rows = loaded.source_lines()
    mine = [row for row in rows if f"/{span.file}".endswith(f"/{row[3]}")]
    lines = {(module, line) for module, line, _, _, at, _ in mine if span.line <= at <= span.end_line}
    return bool(lines & executed(save, loaded, before, events)) or not lines


_EXECUTED: dict[tuple[str, str], set[Line]] = {}


def executed(save: Path, loaded: Loaded, before: Loaded, events: list[Choice]) -> set[Line]:
    """The lines of a rule set's chapters that run while a save is played again."""
    key = (str(save.resolve()), str(loaded.folder))
    if key not in _EXECUTED:
        texts = texts_of(save, before.program, events)
        with LineTracer(loaded.folder) as tracer:
            replayed(save, loaded.program, texts)
        _EXECUTED[key] = tracer.lines
    return _EXECUTED[key]
