"""Worked examples as English sentences.

In:  an example of the core.
Out: the position, then what follows from it line by line; and the units that it places, by place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, assert_never

from ..core import nodes as c
from ..core.types import FLAG
from . import called
from .english import listed, number, sentence, words
from .expressions import Words
from .phrases import Phrase
from .scope import SHORTEST, Scope
from .statements import done

NOBODY = Scope({})


@dataclass(frozen=True, slots=True)
class SaidExample:
    """An example in words: `given` is one paragraph, `then` a sentence a line."""

    given: str
    then: tuple[str, ...]
    units: dict[str, list[str]]
    others: tuple[str, ...]
    """Hexes that are spoken of and hold no unit."""


def said_example(w: Words, x: c.Example) -> SaidExample:
    """What an example sets up and what it shows."""
    first = next((k for k, line in enumerate(x.lines) if not isinstance(line, c.Given)), len(x.lines))
    position, rest = x.lines[:first], x.lines[first:]
    placed = [line for line in position if isinstance(line, c.GivenAt)]
    frame: list[c.GivenBound | c.GivenPhase] = [y for y in position if isinstance(y, c.GivenBound | c.GivenPhase)]
    more = [line for line in position if not isinstance(line, c.GivenAt | c.GivenBound | c.GivenPhase)]
    given = [*(at(w, line) for line in placed), *([frame_of(w, frame)] if frame else [])]
    given += [said_line(w, line) for line in more]
    then = [said_line(w, line) for line in rest]
    units = places(w.book, placed)
    land = set(w.book.places[: w.book.hexes])
    spoken = [p for line in rest if isinstance(line, c.ChoiceLine) for p in spoken_of(w.book, line)]
    seen = tuple(dict.fromkeys(p for p in spoken if p in land and p not in units))
    return SaidExample(" ".join(given), counted(then), units, seen)


# ---------------------------------------------------------------- the position


def at(w: Words, line: c.GivenAt) -> str:
    """Who stands where."""
    parts = []
    for k, (units, place) in enumerate(line.placed):
        who = w.noun(units, NOBODY)
        verb = "" if k else (" are" if who.plural else " is")
        parts.append(f"{who}{verb} in {w.noun(place, NOBODY)}")
    return sentence(listed(parts))


def frame_of(w: Words, lines: Sequence[c.GivenBound | c.GivenPhase]) -> str:
    """The phase and what it binds, in one sentence: it is the movement phase, and the phasing side is red."""
    phases = [f"the {w.phase(line.phase)}" for line in lines if isinstance(line, c.GivenPhase)]
    bound = []
    for line in lines:
        if isinstance(line, c.GivenBound):
            name = called.bound(w, c.Bound(line.name, type=line.value.type, span=line.span))
            bound.append(f"{name} {'are' if name.plural else 'is'} {w.noun(line.value, NOBODY)}")
    opening = [f"it is {listed(phases)}"] if phases else []
    return sentence(listed([*opening, *bound]))


def said_line(w: Words, line: c.ExampleLine) -> str:
    """One line of an example."""
    match line:
        case c.GivenAt():
            return at(w, line)
        case c.GivenBound() | c.GivenPhase():
            return frame_of(w, [line])
        case c.GivenReading():
            return sentence(f"“{words(line.name)}” is read as “{w.noun(line.value, NOBODY)}”")
        case c.GivenMark():
            return sentence(marked(w, line))
        case c.GivenMemory():
            return sentence(kept(w, line))
        case c.GivenSpent():
            of = listed([str(w.noun(x, NOBODY)) for x in line.asked])
            spent = f"{w.noun(line.value, NOBODY)} of the allowance for “{words(line.name)}”"
            return sentence(f"{spent}{f' of {of}' if of else ''} is spent")
        case c.GivenScenario():
            scenario = w.book.scenarios[line.scenario]
            return sentence(f"the scenario “{scenario.title or words(line.scenario)}” is set up")
        case c.GivenMap():
            return sentence(f"the map is “{words(line.map)}”")
        case c.GivenDice():
            faces = listed([str(w.noun(x, NOBODY)) for x in line.faces])
            return sentence(f"the {'die shows' if len(line.faces) == 1 else 'dice show'} {faces}")
        case c.GivenDraws():
            return sentence(f"{listed([str(w.noun(x, NOBODY)) for x in line.drawn])} is drawn")
        case c.Expected():
            return sentence(w.clause(line.test, NOBODY))
        case c.ExpectedConflict():
            return sentence(f"two cases contradict one another about {w.noun(line.value, NOBODY)}")
        case c.ExpectedAsked():
            what = f" ({words(line.name)})" if line.name is not None and len(line.name) >= SHORTEST else ""
            return sentence(f"{w.noun(line.side, NOBODY)} has to choose{what}")
        case c.ExpectedQuiet():
            return "Nobody has anything to choose."
        case c.RunLine():
            do = c.Do(line.procedure, line.given, case="", span=line.span)
            return sentence(f"now: {done(w, do, NOBODY)}")
        case c.PlayLine():
            return sentence(choice(w, line, "chooses", ": "))
        case c.LegalLine():
            return sentence(choice(w, line, "may choose", " may "))
        case c.RefusedLine():
            by = f" ({', '.join(line.cases)})" if line.cases else ""
            return sentence(f"{choice(w, line, 'may not choose', ' may not ')}{by}")
        case _:
            assert_never(line)


def marked(w: Words, line: c.GivenMark) -> str:
    owner, name = line.key
    phrase = w.phrase(f"{owner}.{name}", name)
    mark = w.book.marks.get(line.key)
    if mark is not None and mark.type.plain == FLAG and isinstance(line.value, c.Const):
        of = w.noun(line.of, NOBODY) if line.of is not None else None
        if of is None:
            return (phrase or Phrase(f"“{words(name)}” is so", True)).clause({}, bool(line.value.value))
        phrase = phrase or Phrase(f"{{it}} is marked “{words(name)}”", True)
        return phrase.clause(dict.fromkeys(phrase.slots, of), bool(line.value.value))
    what = called.mark(w, c.MarkOf(line.of, name, type=line.value.type, span=line.span), NOBODY)
    return f"{what} {'are' if what.plural else 'is'} {w.noun(line.value, NOBODY)}"


def kept(w: Words, line: c.GivenMemory) -> str:
    asked = c.Remembered(line.name, line.asked, type=w.book.memories[line.name].definition.type, span=line.span)
    if asked.type.plain == FLAG and isinstance(line.value, c.Const):
        return w.clause(asked, NOBODY, bool(line.value.value))
    what = w.noun(asked, NOBODY)
    return f"{what} {'are' if what.plural else 'is'} {w.noun(line.value, NOBODY)}"


def choice(w: Words, line: c.ChoiceLine, chooses: str, does: str) -> str:
    """What a side does or answers."""
    side = w.noun(line.side, NOBODY)
    given = [w.noun(x, NOBODY) for x in line.given]
    told = listed([str(x) for x in given])
    if line.sort == "word":
        said = "be done" if line.name == "done" else words(line.name)
        return f"{side} is done" if line.name == "done" and does == ": " else f"{side}{does}{said}"
    if line.sort == "ask":
        what = f" ({words(line.name)})" if len(line.name) >= SHORTEST else ""
        return f"{side} {chooses} {told}{what}"
    own, action = w.phrase(line.name), w.book.actions.get(line.name)
    if own is not None and action is not None:
        return f"{side}{does}{own.fill(dict(zip((p.name for p in action.params), given, strict=False)))}"
    return f"{side}{does}{words(line.name)}" + (f": {told}" if told else "")


def counted(lines: Sequence[str]) -> tuple[str, ...]:
    """Lines of which several alike in a row are said once."""
    found: list[str] = []
    for text, alike in groupby(lines):
        many = len(list(alike))
        found.append(text if many == 1 else f"{text.rstrip('.')}, {number(many)} times.")
    return tuple(found)


# ---------------------------------------------------------------- for the picture


def places(book: c.Book, lines: list[c.GivenAt]) -> dict[str, list[str]]:
    """The units that an example places by name, by place; the last place of a unit counts."""
    spots: dict[str, str] = {}
    for line in lines:
        for units, place in line.placed:
            if isinstance(place, c.Const) and isinstance(place.value, int):
                for unit in constants(units):
                    spots[book.units[unit].name] = book.places[place.value]
    found: dict[str, list[str]] = {}
    for name, spot in spots.items():
        found.setdefault(spot, []).append(name)
    return found


def constants(e: c.Expr) -> list[int]:
    """The units that an expression names one by one."""
    if isinstance(e, c.Const):
        many: Any = e.value if isinstance(e.value, tuple) else (e.value,)
        return [u for u in many if isinstance(u, int)]
    if isinstance(e, c.SetOf | c.ListOf):
        return [u for x in e.items for u in constants(x)]
    return []


def spoken_of(book: c.Book, line: c.ChoiceLine) -> list[str]:
    """The places that a choice names."""
    found = []
    for e in line.given:
        for x in e.walk():
            plain = x.type.plain.of or x.type.plain
            if isinstance(x, c.Const) and plain.name == "place":
                many: Any = x.value if isinstance(x.value, tuple) else (x.value,)
                found += [book.places[v] for v in many if isinstance(v, int)]
    return found
