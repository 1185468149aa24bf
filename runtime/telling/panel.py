"""The state that players have before them: turn, weather, points, whatever a book declares as `shown`.

In:  a game, and the side that looks; None looks at everything.
Out: what each is called and how it stands, in the order of the book. Marks of units and places stand on the map.
"""

from __future__ import annotations

from typing import Any

from ..game import Game
from ..program import Program
from .secrecy import may_see, rests_on_secrets
from .words import capital, heading, mark_of, plain, say, say_owner, text


def panel(game: Game, side: str | None = None) -> list[tuple[str, str]]:
    """Names and values."""
    found: list[tuple[str, str]] = []
    for key in game.program.shown:
        told = row(game, key, side)
        if told is not None:
            found.append(told)
    return found


def row(game: Game, key: str, side: str | None) -> tuple[str, str] | None:
    program, S = game.program, game.state
    if key.startswith("bind_"):
        if side is not None and rests_on_secrets(S, key, side):
            return None
        name, value = key[5:], getattr(S, key)
        return None if value is None else (called(program, name), say(program, program.bindings[name], value))
    if key.startswith("value "):
        name = key[6:]
        said = values(game, name)
        return (called(program, name), said) if said is not None else None
    column = program.column[key]
    if column.sort in ("unit", "place", "hexside"):
        return None
    sort, name = mark_of(program, column)
    rows = [(owner, v) for owner, v in S.each(column) if side is None or may_see(S, column, owner, side)]
    if not rows:
        return None
    if column.sort == "game":
        return called(program, name), say(program, column.type, rows[0][1])
    order = {word: i for i, word in enumerate(program.words(sort))}
    rows.sort(key=lambda x: order.get(x[0], 0))
    told = (f"{say_owner(program, column, owner)} {say(program, column.type, v)}" for owner, v in rows)
    return called(program, name, sort), ", ".join(told)


def values(game: Game, name: str) -> str | None:
    """What is asked, for each of what it can be asked about; None where there is nothing to tell."""
    program = game.program
    _, types, result, _ = program.values[name]
    if not types:
        value = game.value(name)
        return say(program, result, value) if value is not None else None
    head, _, rest = types[0].partition(":")
    keys: tuple[Any, ...] = tuple(range(len(program.scales[rest]))) if head == "scale" else program.words(rest)
    return ", ".join(f"{heading(program, types[0], k)} {say(program, result, game.value(name, k))}" for k in keys)


def called(program: Program, name: str, owner: str = "") -> str:
    """What something that is shown is called, without what it is of."""
    given = text(program, f"{owner}.{name}" if owner else name) or text(program, name)
    bare = given.replace("{it.own}", "").replace("{it}", "").strip() if given is not None else plain(name)
    return capital(bare.removeprefix("the ").removesuffix(" of").strip())
