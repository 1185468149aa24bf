"""The log of a game as a diary: what a player of the printed game would write down.

In:  entries of the log, of the game or of one side's own view of it, a batch at a time.
Out: lines. Choices and questions stand in words, a march is one line, dice that a line of the book tells are not told
     twice; marks are told where the book shows them (`shown`). With `detail` every entry is a line of its own, choices
     as they are typed.

A phase is told with the first thing that happens in it; one in which nothing does leaves no line, but for turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..ops import owners
from ..program import Program
from .narrate import cited, many, narrate
from .secrecy import said_for
from .words import capital, heading, phase_words, place, say, say_mark, say_owner

Entry = dict[str, Any]


class Diary:
    """Tells a log from its beginning; `side` is whose own view it is, None for the game itself."""

    def __init__(self, program: Program, side: str | None = None, detail: bool = False) -> None:
        self.program, self.side, self.detail = program, side, detail
        self.headings: dict[str, str] = {}
        self.march: tuple[tuple[int, ...], list[int], str] | None = None
        self.said_ways: list[tuple[int, ...]] = []
        self.said_put: tuple[set[int], set[int]] = (set(), set())

    def lines(self, entries: Iterable[Entry]) -> list[str]:
        """The lines of the next entries."""
        if self.detail:
            found = (narrate(self.program, entry, self.side) for entry in entries)
            return [line for line in found if line is not None]
        told: list[str] = []
        for entry in without_told_marks(self.program, without_told_rolls(list(entries))):
            told += self.entry(entry)
        return [*told, *self.end_march()]

    def entry(self, entry: Entry) -> Iterator[str]:
        sort = entry["event"]
        if sort == "put" and isinstance(entry["units"], tuple) and entry["place"] is not None:
            yield from self.step(entry)
            return
        if sort == "phase":
            yield from self.end_march()
            yield from self.phase(entry)
            return
        if sort == "choice":
            self.headings = {name: x for name, x in self.headings.items() if name in entry["phases"]}
        line = self.line(entry)
        if line is not None:
            yield from self.end_march()
            yield from self.opened()
            yield line
        if sort == "choice":
            yield from self.end_march()
            self.said_ways = [v for v in entry.get("ways", ()) or ways_of(entry) if isinstance(v, tuple)]
            self.said_put = put_by(self.program, entry)

    def opened(self) -> list[str]:
        """The headings of phases that have begun since the last line, but those that a choice has shown to be over."""
        found = [*self.headings.values()]
        self.headings.clear()
        return found

    # ------------------------------------------------------------ marches

    def step(self, entry: Entry) -> Iterator[str]:
        """Units come somewhere: a march goes on, or another begins."""
        units, there = entry["units"], entry["place"]
        case = cited(self.program, entry["case"], "put") if entry["case"] else ""
        board = self.program.board
        if self.march is not None and self.march[0] == units and there < board.hexes:
            self.march[1].append(there)
            return
        yield from self.end_march()
        self.march = (units, [there], case)

    def end_march(self) -> Iterator[str]:
        """The line of a march, unless the choice before it has told the very way, or the unit and where it is put."""
        if self.march is None:
            return
        units, places, case = self.march
        self.march = None
        if any(way[1:] == tuple(places) or way == tuple(places) for way in self.said_ways):
            return
        told, there = self.said_put
        if len(places) == 1 and told.issuperset(units) and places[0] in there:
            self.said_put = (set(), set())
            return
        yield from self.opened()
        way = ", ".join(place(self.program, p) for p in places)
        yield f"    {many(self.program, units)} → {way}{case}"

    # ------------------------------------------------------------ single entries

    def phase(self, entry: Entry) -> Iterator[str]:
        name = phase_words(self.program, entry["name"])
        type = self.program.bindings.get(entry["var"], "") if entry["var"] is not None else ""
        value = f": {heading(self.program, type, entry['value'])}" if type else ""
        line = f"— {capital(name)}{value}"
        if type == "turn":
            self.headings.clear()
            yield line
        else:
            self.headings.pop(entry["name"], None)
            self.headings[entry["name"]] = line

    def line(self, entry: Entry) -> str | None:
        """One entry, or None for what a diary leaves out."""
        program = self.program
        case = cited(program, entry["case"], entry["event"]) if entry.get("case") else ""
        match entry["event"]:
            case "choice" if entry.get("name") == "done":
                return None
            case "choice":
                return str(entry["said"]) if "said" in entry else said_for(program, entry, self.side)
            case "set":
                column = program.column[entry["mark"]]
                if column.name not in program.shown or (column.secret is not None and self.side is None):
                    return None
                of = [say_owner(program, column, o) for o in owners(column, entry["owner"]) if o is not None]
                return f"    {capital(say_mark(program, column, of, entry['value']))}{case}"
            case "spend":
                return None
            case "draw" if entry["secret"] in (None, self.side) and entry["drawn"] is not None:
                return f"    Drawn: {say(program, entry['type'], entry['drawn'])}{case}"
            case "reveal" if entry["value"] in (None, ()):
                return None
            case "reveal":
                return f"    Revealed: {say(program, entry['type'], entry['value'])}{case}"
            case "skip" | "skip_ahead":
                return f"    {capital(phase_words(program, entry['name']))} is skipped{case}"
            case "again":
                return f"    {capital(phase_words(program, entry['name']))} runs again{case}"
            case "win":
                return f"*** {heading(program, 'kind:side', entry['side'])} wins{case}"
            case _:
                return narrate(program, entry, self.side)


def without_told_rolls(entries: list[Entry]) -> list[Entry]:
    """The entries but for rolls that a line of the book tells by name before anything else is chosen."""
    named: set[str] = set()
    kept: list[Entry] = []
    for entry in reversed(entries):
        match entry["event"]:
            case "note":
                named |= set(entry["names"])
            case "choice":
                named.clear()
            case "roll" if entry["name"] in named:
                named.discard(entry["name"])
                continue
        kept.append(entry)
    return kept[::-1]


def without_told_marks(program: Program, entries: list[Entry]) -> list[Entry]:
    """The entries but for marks of a unit that a line of the same case tells right before or behind them, or the choice
    itself: not "the steps that 198 Inf has lost: 1" beside "198 Inf loses a step"."""
    told: set[int] = set()
    chosen: tuple[set[int], list[Any]] = set(), []
    for at, entry in enumerate(entries):
        if entry["event"] == "choice":
            parts = [value for _, value, _, _ in entry.get("parts", ())]
            chosen = put_by(program, entry)[0], [value for value in parts if isinstance(value, str)]
        if entry["event"] == "set" and entry["value"] in chosen[1] and entry["owner"] in chosen[0]:
            told.add(at)
        if entry["event"] != "note":
            continue
        units = {value for type, value, _ in entry["values"] if type == "unit"}
        for step in (-1, 1):
            near = at + step
            while 0 <= near < len(entries) and entries[near]["event"] == "set":
                found = entries[near]
                if found["case"] == entry["case"] and program.column[found["mark"]].sort == "unit":
                    owner = found["owner"]
                    if units.issuperset(owner if isinstance(owner, tuple | list) else (owner,)):
                        told.add(near)
                near += step
    return [entry for at, entry in enumerate(entries) if at not in told]


def ways_of(entry: Entry) -> list[Any]:
    """What a choice names of several things, in order: a path among it."""
    return [value for _, value, _, _ in entry.get("parts", ()) if isinstance(value, tuple)]


def put_by(program: Program, entry: Entry) -> tuple[set[int], set[int]]:
    """The units that a choice names, and the places."""
    action = program.actions.get(entry.get("name", ""))
    types = {p.name: p.type for p in action.params} if action is not None else {}
    units: set[int] = set()
    places: set[int] = set()
    for name, value, _, _ in entry.get("parts", ()):
        if types.get(name) == "unit":
            units.add(value)
        elif types.get(name) == "place":
            places.add(value)
    return units, places
