"""What a doctrine sees: the position as its side may know it, on the doctrine's own program.

In:  a game, and the program of the same rules with a doctrine.
Out: a state of that program, kept from one decision to the next; answers that no change touches stay memoised.
Reports: `Refusal` where the two programs are not of the same rules.

Where a rule set keeps secrets, the position is the blinded one of view.py: what the other side hides stands at its
start, and the doctrine takes it for true.
"""

from __future__ import annotations

from typing import Any

from .. import ops
from ..game import Game
from ..problems import Refusal
from ..program import Program
from ..state import KEPT, State
from ..telling.secrecy import keeps_secrets
from ..view import blinded

STAGE = ("turn_of_phase", "readings", "winner", "over", "together")
"""What memoised answers may rest on besides columns; where it changes, all of them are dropped."""


class Mind:
    """One position, followed through a game."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.state: State | None = None
        self.known: Program | None = None

    def see(self, game: Game, side: str) -> State:
        """The position that a side has before it."""
        if self.known is not game.program:
            check_same_rules(game.program, self.program)
            self.known, self.state = game.program, None
        source = blinded(game, side).state if keeps_secrets(game.program) else game.state
        plain = source.plain()
        if self.state is None or self.state.map != plain_map(plain, self.state):
            self.state = State.from_plain(self.program, plain)
        else:
            follow(self.state, plain)
        return self.state


def plain_map(plain: dict[str, Any], S: State) -> str:
    """The map of a position; a book with one has no column for it."""
    return str(plain.get("map", S.map))


def follow(S: State, plain: dict[str, Any]) -> None:
    """Bring a state up to a later position; only answers that rest on what is another now are dropped."""
    program = S.program
    stage, phases = {name: getattr(S, name) for name in STAGE}, S.phases
    for name in KEPT:
        setattr(S, name, plain[name])
    before = {name: getattr(S, name) for name in program.flat if getattr(S, name) != plain[name]}
    S.lent.update(before)
    for name in before:
        setattr(S, name, plain[name])
    moved: list[int] = []
    if "at" in before:
        moved = changes(before["at"], S.at)
        for unit in moved:
            S.stand(unit, before["at"][unit], S.at[unit])
    for name, old in before.items():
        column = program.column.get(name)
        if name == "at":
            ops.touch(S, name, unit=moved, place={*(old[u] for u in moved), *(S.at[u] for u in moved)})
        elif column is not None and column.sort in ("unit", "place") and name != "unit_side":
            ops.touch(S, name, **{column.sort: changes(old, plain[name])})
        else:
            ops.touch(S, name)
    if S.phases != phases:
        ops.touch(S, "phases")
    S.dirty.clear()  # a game settles what it remembers before it is looked at
    if any(getattr(S, name) != old for name, old in stage.items()):
        S.forget()


def changes(old: list[Any], new: list[Any]) -> list[int]:
    """Who has another value than before."""
    return [i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]


def check_same_rules(ours: Program, theirs: Program) -> None:
    """A doctrine reads a state of the game as one of its own: both must have the same columns and decisions."""
    alike = (
        ours.flat == theirs.flat
        and ours.units == theirs.units
        and ours.board.places == theirs.board.places
        and [a.name for a in ours.asks] == [a.name for a in theirs.asks]
        and [o.case for o in ours.offers] == [o.case for o in theirs.offers]
        and {*ours.actions} == {*theirs.actions}
    )
    if not alike:
        raise Refusal(f"{theirs.name} is not of the rules that are played ({ours.name})")
