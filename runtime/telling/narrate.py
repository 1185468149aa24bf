"""The game's log as lines for a reader, with the cases that made each thing happen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..notation import label
from ..ops import owners
from ..program import Program
from ..text import show_owner
from .words import capital, say

SIMPLE = {
    "spend": "{amount} of {quota} spent",
    "skip": "{name} is skipped",
    "skip_ahead": "{name} is skipped",
    "again": "{name} runs again",
}


def narrate(program: Program, event: dict[str, Any], side: str | None = None) -> str | None:
    """One line, or None for what needs no telling; with a side, of an entry of that side's own log."""
    case = cited(program, event["case"], dice_of(event)) if event.get("case") else ""
    match event["event"]:
        case "choice":
            return str(event["text"])
        case "phase":
            value = ""
            if event["var"] is not None:
                type_ = program.bindings.get(event["var"], "")
                value = f": {label(program, type_, event['value'])}"
            return f"— {event['name']}{value}"
        case "put":
            units = many(program, event["units"])
            place = label(program, "place", event["place"]) if event["place"] is not None else "nowhere"
            return f"    {units} → {place}{case}"
        case "set":
            return _mark(program, event, case, side is not None)
        case "note":
            values = (say(program, type, value) for type, value, _ in event["values"])
            said = "".join(told + next(values, "") for told in event["texts"])
            return f"    {said if event['texts'][0] else capital(said)}{case}"
        case "roll":
            return f"    die: {', '.join(map(str, event['faces']))}{case}"
        case "draw":
            unseen = event["secret"] not in (None, side) or event["drawn"] is None
            drawn = "something" if unseen else label(program, event["type"], event["drawn"])
            return f"    drawn: {drawn}{case}"
        case "win":
            return f"*** {event['side'] or 'nobody'} wins{case}"
        case "reveal":
            return f"    revealed: {label(program, event['type'], event['value'])}{case}"
        case sort:
            return f"    {SIMPLE[sort].format(**event)}{case}" if sort in SIMPLE else None


MANY_HOUSE = 3
"""So many commas between the names of house values: they are counted, and `rulewright house` lists them."""


def cited(program: Program, case: str, dice: Iterable[str]) -> str:
    """The case behind an event; what is house says so, and the tables in which its dice are read."""
    texts = (program.house.get(f"{case} die {name}") for name in dice)
    house = program.house.get(case) or ", ".join(dict.fromkeys(text for text in texts if text))
    if house.count(",") >= MANY_HOUSE:
        house = f"{house.count(',') + 1} house values"
    return f"  [{case}, {house}]" if house else f"  [{case}]"


def dice_of(event: dict[str, Any]) -> Iterable[str]:
    """The names of the rolls that an event tells of, or may: a line of the rules names more than dice."""
    return (event["name"],) if event["event"] == "roll" else event["names"] if event["event"] == "note" else ()


def many(program: Program, units: Any) -> str:
    """Units by name; where only their number may be known, that."""
    if isinstance(units, int):
        return "1 unit" if units == 1 else f"{units} units"
    return ", ".join(label(program, "unit", u) for u in units)


def _mark(program: Program, event: dict[str, Any], case: str, own: bool) -> str | None:
    column = program.column[event["mark"]]
    if column.secret is not None and not own:
        return None
    value = label(program, column.type, event["value"])
    name = column.name.partition("_")[2]
    if column.sort == "game":
        return f"    {name} = {value}{case}"
    said = ", ".join(show_owner(program, column, o) for o in owners(column, event["owner"]) if o is not None)
    return f"    {said}: {name}{'' if value == 'yes' else ' = ' + value}{case}"
