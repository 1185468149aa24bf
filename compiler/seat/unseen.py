"""Whether rules look at what a side may not see, while a choice is tried on a blinded copy.

In:  the position as it is, a side; then copies of it on which rules run.
Out: `looked`, once a value was asked for that the side may not see. A look is noticed, not whether it decides anything:
who hears that none was made may rely on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.program import Column
from rulewright.runtime.state import State
from rulewright.runtime.telling.secrecy import may_see, names_kept, rests_on_secrets
from rulewright.runtime.text import Choice


class Watch:
    """What a side may not see of a position, and whether anything has looked at it."""

    def __init__(self, S: State, side: str) -> None:
        self.S, self.side = S, side
        self.looked = self.watching = False
        program = S.program
        self.columns = [c for c in program.columns if c.secret]
        tables = [*(("past_", m.name) for m in program.memories), *(("spent_", q) for q in program.quotas)]
        self.tables = [
            prefix + name
            for prefix, name in tables
            if rests_on_secrets(S, name if prefix == "past_" else prefix + name, side)
        ]
        bound = any(rests_on_secrets(S, "bind_" + name, side) for name in program.bindings)
        alone = any(c.sort == "game" and not may_see(S, c, None, side) for c in self.columns)
        self.names = [names_kept(S, frame, side) for frame in S.stack]
        self.always = bound or alone
        """Values that stand by themselves cannot be watched: where one is hidden, it counts as looked at."""

    @contextmanager
    def over(self, S: State) -> Iterator[None]:
        """Watch what rules ask of a copy."""
        for column in self.columns:
            values = getattr(S, column.name)
            if isinstance(values, list):
                setattr(S, column.name, WatchedList(values, self, column))
            elif isinstance(values, dict):
                setattr(S, column.name, WatchedDict(values, self, column))
        for name in self.tables:
            setattr(S, name, WatchedDict(getattr(S, name), self, None))
        for frame, kept in zip(S.stack, self.names, strict=False):
            if kept:
                frame[2] = WatchedNames(frame[2], self, kept)
        self.watching = True
        self.looked = self.looked or self.always
        try:
            yield
        finally:
            self.watching = False
            for name in (*(c.name for c in self.columns), *self.tables):
                values = getattr(S, name)
                if isinstance(values, WatchedList | WatchedDict):
                    setattr(S, name, list(values) if isinstance(values, list) else dict(values))
            for frame in S.stack:
                if isinstance(frame[2], WatchedNames):
                    frame[2] = dict(frame[2])

    def look(self, column: Column | None, owner: Any) -> None:
        if self.watching and not self.looked:
            self.looked = column is None or owner is ... or not may_see(self.S, column, owner, self.side)


class WatchedList(list[Any]):
    """The values of a mark by owner; a copy is watched, too."""

    def __init__(self, values: list[Any], watch: Watch, column: Column) -> None:
        super().__init__(values)
        self.watch, self.column = watch, column

    def __getitem__(self, at: Any) -> Any:
        self.watch.look(self.column, at)
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[Any]:
        self.watch.look(self.column, ...)
        return super().__iter__()

    def __contains__(self, value: object) -> bool:
        self.watch.look(self.column, ...)
        return super().__contains__(value)

    def copy(self) -> WatchedList:
        made = WatchedList([], self.watch, self.column)
        made.extend(super().copy())
        return made


class WatchedDict(dict[Any, Any]):
    """The values of a mark, or of a memory or quota, by key; a copy is watched, too."""

    def __init__(self, values: dict[Any, Any], watch: Watch, column: Column | None) -> None:
        super().__init__(values)
        self.watch, self.column = watch, column

    def __getitem__(self, key: Any) -> Any:
        self.watch.look(self.column, key)
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        self.watch.look(self.column, key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.watch.look(self.column, key)
        return super().__contains__(key)

    def __iter__(self) -> Iterator[Any]:
        self.watch.look(self.column, ...)
        return super().__iter__()

    def items(self) -> Any:
        self.watch.look(self.column, ...)
        return super().items()

    def keys(self) -> Any:
        self.watch.look(self.column, ...)
        return super().keys()

    def values(self) -> Any:
        self.watch.look(self.column, ...)
        return super().values()

    def copy(self) -> WatchedDict:
        made = WatchedDict({}, self.watch, self.column)
        made.update(super().copy())
        return made


class WatchedNames(dict[str, Any]):
    """The names of a procedure under way, some of which stand for secrets."""

    def __init__(self, values: dict[str, Any], watch: Watch, kept: set[str]) -> None:
        super().__init__(values)
        self.watch, self.kept = watch, kept

    def __getitem__(self, name: str) -> Any:
        if name in self.kept:
            self.watch.look(None, name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        if name in self.kept:
            self.watch.look(None, name)
        return super().get(name, default)


def answered_in_secret(game: Game, side: str, choice: Choice) -> bool:
    """Whether a choice is an answer in a procedure in which others answer, or have answered, in secret.

    What comes of it then waits for them, or rests on them; who asks must not learn which of the two.
    """
    S = game.state
    item = next((x for x in S.pending if x["id"] == choice.decision), None)
    if item is None or item["sort"] != "ask":
        return False
    others = [x for x in S.pending if x["sort"] == "ask" and x["side"] != side and x["frame"] == item["frame"]]
    if any(game.program.asks[x["ref"]].secret for x in others):
        return True
    return any(whose != side for _, whose in S.stack[item["frame"]][2].get("@secret", ()))
