"""Choice spaces: what makes a choice legal, said once.

A space is one way to answer a decision, by its `name`. It tells every reason against an answer (`refusals`,
nothing when it is legal), lists answers lazily in a fixed order (`listing`), and gives some answer, None where
none is found, with the next random source (`sample`). An answer is the arguments of a choice. Sets are never
listed as all their subsets: small ones come first, up to a bound, and any set may be handed in whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .. import ops
from ..notation import of_type
from ..problems import NONSENSE, Fault, Ground, rested
from ..program import ActionInfo
from ..state import State
from ..telling.faults import raise_located
from ..telling.trace import traced_since, traced_so_far
from ..telling.words import phase_words, text
from ..text import Args
from . import chance, deep
from .chance import LISTED, Values, every, takes_sets
from .owed import owes
from .questions import AskSpace
from .roaming import MOST_ROAMED


@dataclass(slots=True)
class WordSpace:
    """`done` and `take_back`: a word without arguments, open when nothing speaks against it."""

    name: str
    against: Callable[[], list[Ground]]
    known: list[Ground] | None = None

    def refusals(self, args: Args) -> list[Ground]:
        if args:
            return [Ground(label=f"{self.name} takes no arguments")]
        self.known = self.against() if self.known is None else self.known
        return self.known

    def listing(self) -> Iterator[Args]:
        return iter([] if self.refusals(()) else [()])

    def sample(self, rng: int, few: bool = False) -> tuple[Args | None, int]:
        return next(self.listing(), None), rng


@dataclass(slots=True)
class ActionSpace:
    """The ways a side may take one action now."""

    S: State
    info: ActionInfo
    actor: str
    undecided: int = 0
    """Steps after which a search ended that has neither found a way nor shown that there is none."""

    @property
    def name(self) -> str:
        return self.info.name

    def refusals(self, args: Args) -> list[Ground]:
        """Why the action cannot be taken at all now, then every reason against these arguments."""
        case, given, known = self.info.case, dict(args), {p.name: p.type for p in self.info.params}
        if missing := [name for name in known if name not in given]:
            return [Ground(case=case, label="missing: " + ", ".join(missing))]
        strange = [n for n, v in args if n not in known or not of_type(self.S.program, known[n], v)]
        if strange or len(args) > len(known):
            return [Ground(case=case, label="of no sense here: " + ", ".join(strange or known))]
        try:
            return self.closed() + self._against(tuple(map(given.get, known)))
        except NONSENSE:
            return [Ground(case=case, label="these arguments make no sense")]

    def listing(self) -> Iterator[Args]:
        """The ways in a fixed order.

        Where sets are too many to list and none that is listed will do, one that will; where a side owes something and
        no listed path will do, one that is not listed and will.
        """
        cut: list[bool] = []

        def pick(members: Values, sets: bool) -> Iterable[Any]:
            if sets and 2 ** min(len(members), 20) > LISTED:
                cut.append(True)
            return every(members, sets)

        found = None
        try:
            rested(self.S)
            for values in self.info.ways(self.S, self.actor, pick):
                found = values
                yield self.named(values)
                rested(self.S)
            paths = any(p.roams for p in self.info.params)
            if found is None and (cut or (paths and owes(self.S))):
                rested(self.S)
                found = self._searched(MOST_ROAMED if paths else deep.STEPS)
                if found is not None:
                    yield self.named(found)
        except (Fault, *NONSENSE) as error:
            raise_located(error, self.info.case)

    def _searched(self, steps: int) -> Values | None:
        search = deep.Deep(self.S, self.info, self.actor, steps)
        found = search.first()
        self.undecided = steps if found is None and search.open else 0
        return found

    def sample(self, rng: int, few: bool = False) -> tuple[Args | None, int]:
        """With `few`, as a player looks who is free to stop: see chance.py."""
        found, rng = chance.sample(self.S, self.info, self.actor, rng, few)
        if found is None and not few and any(takes_sets(p.type) or p.roams for p in self.info.params):
            return next(self.listing(), None), rng
        return self.named(found) if found is not None else None, rng

    def open_among(self, among: frozenset[int]) -> bool:
        """Whether there is a way for one of some units, as its first argument."""
        return chance.first_among(self.S, self.info, self.actor, among) is not None

    def sample_among(self, rng: int, among: frozenset[int]) -> tuple[Args | None, int]:
        """A way for one of some units, as its first argument."""
        found, rng = chance.sample_among(self.S, self.info, self.actor, rng, among)
        return self.named(found) if found is not None else None, rng

    def named(self, values: Values) -> Args:
        return tuple((p.name, value) for p, value in zip(self.info.params, values, strict=True))

    def closed(self) -> list[Ground]:
        """Why the action cannot be taken at all now."""
        S, info = self.S, self.info
        if self.actor not in ops.as_many(info.by(S)):
            return [Ground(case=info.case, label=f"not {self.actor}'s to take")]
        if info.phases and not any(p in S.phases for p in info.phases):
            phases = " or ".join(phase_words(S.program, p) for p in info.phases)
            return [Ground(case=info.case, label=f"only during {phases}")]
        return []

    def _against(self, args: Values) -> list[Ground]:
        S, info = self.S, self.info
        far = [p.name for i, p in enumerate(info.params) if not self._in_domain(i, args)]
        found = [Ground(case=info.case, label=f"{self._called(name)} is out of reach") for name in far]
        if far:
            return found + self._step_grounds(args)
        for rule in info.rules:
            mark = traced_so_far(S)
            if rule.refuses(S, self.actor, *args):
                found.append(Ground(case=rule.case, label=rule.label, where=rule.where, trail=traced_since(S, mark)))
        return found + self._quota_grounds(args)

    def _step_grounds(self, args: Values) -> list[Ground]:
        """What bars a path on its way, where an argument is a path."""
        found: list[Ground] = []
        for i, param in enumerate(self.info.params):
            if param.type == "path" and param.accepts is not None and isinstance(args[i], tuple):
                with suppress(IndexError, KeyError, TypeError):
                    found += param.accepts(self.S, self.actor, *args[: i + 1], grounds=True)
        return found

    def _in_domain(self, i: int, args: Values) -> bool:
        param, value = self.info.params[i], args[i]
        with suppress(TypeError, IndexError, KeyError):
            if param.type == "path" and param.accepts is not None:
                if len(value) > 1:
                    return bool(param.accepts(self.S, self.actor, *args[: i + 1]))
                return param.domain is not None and value in param.domain(self.S, self.actor, *args[:i])
            if param.domain is None:
                return True
            members = param.domain(self.S, self.actor, *args[:i])
            if not takes_sets(param.type):
                return value in members
            return len(set(value)) == len(value) > 0 and set(value) <= set(members)
        return False

    def _called(self, param: str) -> str:
        """A parameter in words."""
        return text(self.S.program, f"{self.info.name}.{param}") or param

    def _quota_grounds(self, args: Values) -> list[Ground]:
        S, found = self.S, []
        for quota, key, amount, _ in self.info.spends:
            asked = key(S, self.actor, *args)
            if ops.short(S, quota, asked, amount(S, self.actor, *args)):
                short = quota, asked, ops.left(S, quota, asked) <= 0
                found.append(Ground(case=S.program.quotas[quota].case, label=f"{quota} is used up", quota=short))
        return found


Space = WordSpace | AskSpace | ActionSpace
