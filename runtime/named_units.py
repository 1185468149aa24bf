"""The units that a value names.

In:  a value and its type, as the compiled book names it.
Out: the units in it, whatever holds them: sets, lists, records, shares, plans.
"""

from __future__ import annotations

from typing import Any

from .program import Program


def units_named(program: Program, type: str, value: Any) -> list[int]:
    """The units that a value names, whatever holds them."""
    head, _, rest = type.partition(":")
    match head:
        case _ if value is None:
            return []
        case "unit":
            return [value]
        case "set" | "list":
            return [u for v in value for u in units_named(program, rest, v)]
        case "record":
            members = zip(program.records[rest], value, strict=True)
            return [u for (_, of), v in members for u in units_named(program, of, v)]
        case "shares":
            return [u for v, _ in value for u in units_named(program, rest, v)]
        case "plan":
            item, _, target = rest.partition("|")
            goals = (u for x, _ in value for u in units_named(program, f"set:{target}", x))
            return [*goals, *(u for _, x in value for u in units_named(program, f"set:{item}", x))]
        case _:
            return []
