"""A hypothesis: what would be so with some units elsewhere, or some marks changed.

In:  a state, changes, and a question.
Out: the answer; the state and what it remembers are as before.

Only what is touched is copied: the changed columns and the occupants of the places that units leave and enter. Of the
kept answers those are set aside that depend on what was changed, and hold again afterwards: all of a slot, those of
some owners, or those about some places. What is found about others on the way is true without the hypothesis too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops import as_many, owners, shift
from ..state import State
from .by_place import Aside

Change = tuple[str, str, Any, Any]


def suppose(S: State, changes: tuple[Change, ...], ask: Callable[[], Any]) -> Any:
    """The answer as it would be with some units elsewhere or some marks changed."""
    columns: dict[str, Any] = {}
    occupants: dict[int, list[int]] = {}
    answers = Answers(S)
    lists, growing, lent = S.lists, S.growing, {*S.lent}
    S.growing = {}
    S.supposing += 1
    try:
        for sort, name, owner, value in changes:
            column = "at" if sort == "at" else name
            columns.setdefault(column, getattr(S, column))
            S.lent.add(column)
            if sort != "at":
                mark = S.program.column[name]
                for o in owners(mark, owner):
                    answers.meet(mark.sort, o)
                    S.give(mark, o, value)
                    answers.meet(mark.sort, o)
                continue
            for u in as_many(owner):
                for place in (S.at[u], value):
                    if place is not None and place not in occupants:
                        occupants[place] = S.here[place]
                        S.here[place] = list(S.here[place])
                answers.meet("unit", u)
                shift(S, u, value)
                answers.meet("unit", u)
        if columns.keys() & {"at", "unit_side"}:
            S.lists = {}
        answers.set_aside(columns, growing)
        return ask()
    finally:
        for column, old in columns.items():
            setattr(S, column, old)
        for place, units in occupants.items():
            S.here[place] = units
        answers.put_back()
        S.lists, S.growing, S.lent = lists, growing, lent
        S.supposing -= 1


class Answers:
    """The kept answers of a state while something is supposed."""

    def __init__(self, S: State) -> None:
        self.S = S
        self.met: dict[str, set[Any]] = {"unit": set(), "place": set(), "where": set(), "side": set()}
        self.whole: dict[int, dict[Any, Any]] = {}
        self.some: dict[int, tuple[set[Any], dict[Any, Any]]] = {}
        self.places: dict[int, dict[Any, Any]] = {}

    def meet(self, sort: str, owner: Any) -> None:
        """Note who is changed: a unit with its side and the place where it stands, or a place."""
        if sort == "unit":
            place = self.S.at[owner]
            self.met["unit"].add(owner)
            self.met["side"].add(self.S.unit_side[owner])
            self.met["where"].add(place)
            self.met["place"].add(place)
        elif sort == "place":
            self.met["place"].add(owner)

    def set_aside(self, columns: dict[str, Any], growing: dict[Any, Any]) -> None:
        """Set aside what depends on these columns, or on a set that grows just now: here it counts in full."""
        program, memo = self.S.program, self.S.memo
        for i in {i for column in columns for i in program.clears.get(column, ())}.union(
            i for key in growing for i in program.growing.get(key[0], ())
        ):
            self.whole[i], memo[i] = memo[i], {}
        for column in columns:  # a mark of a hexside, a kind or the game touches the answers about all
            if column != "at" and program.column[column].sort not in ("unit", "place"):
                for i, _ in (*program.owned.get(column, ()), *program.placed.get(column, ())):
                    if i not in self.whole:
                        self.whole[i], memo[i] = memo[i], {}
        for column in columns:
            for i, by in program.owned.get(column, ()):
                if i not in self.whole:
                    self.part(i, self.met[by])
        for column in columns:
            for i, _ in program.placed.get(column, ()):
                if i not in self.whole and i not in self.places:
                    self.places[i], memo[i] = memo[i], Aside(memo[i], self.met["place"])

    def part(self, i: int, gone: set[Any]) -> None:
        """Set aside the answers of some owners."""
        known, aside = self.some.setdefault(i, (set(), {}))
        known |= gone
        answers = self.S.own_memo(i)
        for owner in gone:
            if owner in answers:
                aside[owner] = answers.pop(owner)

    def put_back(self) -> None:
        memo = self.S.memo
        for i, answers in self.whole.items():
            memo[i] = answers
        for i, (gone, answers) in self.some.items():
            for owner in gone:
                memo[i].pop(owner, None)
            memo[i].update(answers)
        for i, below in self.places.items():
            for key, found in memo[i].items():
                if key not in below:
                    found.again.update(self.met["place"])
                    below[key] = found
            memo[i] = below
