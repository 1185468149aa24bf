"""What a page may send: one schema a message, everything else is refused.

In:  the text of a frame from a socket.
Out: a message as a dictionary whose members have been checked.
Reports: `Bad` with a word that tells the sender nothing about the server.

A message names lines by number in the list that was sent with the number `n`, never a value and never a side; a
place is named by number only where something is to be explained, or as the next bend of a way that the rules judge.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

LONGEST = 4096
MOST = 9_999
WAYPOINTS = 60

N = {"type": "integer", "required": True, "min": 0, "max": 10**9}
LINE = {"type": "integer", "required": True, "min": 0, "max": MOST}
YES = {"type": "boolean", "required": True}
PLACE = {"type": "integer", "min": 0, "max": 99_999}

MESSAGES: dict[str, dict[str, Any]] = {
    "sit": {"token": {"type": "string", "required": True, "minlength": 10, "maxlength": 64}},
    "lift": {},
    "pick": {"n": N, "i": LINE, "times": {"type": "integer", "min": 0, "max": MOST}},
    "way": {"n": N, "i": LINE, "j": {**LINE, "required": False}},
    "via": {"n": N, "places": {"type": "list", "required": True, "maxlength": WAYPOINTS, "schema": PLACE}},
    "ok": {"n": N},
    "fill": {"n": N, "every": YES},
    "back": {"n": N},
    "pass": {"n": N},
    "why": {"n": N, "i": {**LINE, "required": False}, "place": PLACE},
    "chances": {"n": N, "i": {**LINE, "required": False}},
    "undo": {"n": N, "how": {"type": "string", "required": True, "allowed": ["own", "phase", "ask"]}},
    "agree": {"yes": YES},
    "that": {"back": {"type": "integer", "required": True, "min": 0, "max": 999}},
    "look": {"at": {"type": "integer", "required": True, "min": 0, "max": 10**6}},
    "told": {"place": {**PLACE, "required": True}},
}
"""The messages by what they do."""


class Bad(Exception):
    """A message that is none of ours."""


@cache
def validator(do: str) -> Any:
    from cerberus import Validator

    return Validator({"do": {"type": "string"}, **MESSAGES[do]})


def read(text: str | bytes | None) -> dict[str, Any]:
    """A message, checked."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise Bad("not a message")
    try:
        found = json.loads(text, parse_constant=unreadable, parse_int=whole)
    except (ValueError, RecursionError):
        raise Bad("not a message") from None
    do = found.get("do") if isinstance(found, dict) else None
    if not isinstance(do, str) or do not in MESSAGES:
        raise Bad("not a message")
    if not validator(do).validate(plain(found)):
        raise Bad(f"not a message of the sort {do}")
    return dict(found)


def plain(found: dict[Any, Any]) -> dict[str, Any]:
    """Booleans are no numbers here, whatever Python thinks of them."""
    for key, value in found.items():
        whose = MESSAGES[found["do"]].get(key, {})
        if isinstance(value, bool) and whose.get("type") == "integer":
            raise Bad("not a message")
        if isinstance(value, list) and any(isinstance(x, bool) for x in value):
            raise Bad("not a message")
    return found


def whole(text: str) -> int:
    if len(text) > 12:
        raise ValueError
    return int(text)


def unreadable(text: str) -> Any:
    raise ValueError(text)
