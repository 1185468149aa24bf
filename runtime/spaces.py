"""Choice spaces: what makes a choice legal, said once.

A space tells whether it accepts an answer (and which rules refuse it), lists answers lazily in
a fixed order, and samples one. Sets are never listed as all their subsets: small ones come
first, up to a bound, and any set may be handed in whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from . import dice, ops, plans, solver
from .assist import traced_since, traced_so_far
from .problems import Ground
from .program import ActionInfo, AskInfo, RuleInfo
from .state import State

LISTED = 400
TRIES = 48


@dataclass(slots=True)
class AskSpace:
    """The answers to one `ask`."""

    S: State
    info: AskInfo
    local: dict[str, Any]
    members: tuple[Any, ...] = ()
    tier: int = -1
    matching: plans.Matching | None = None
    least: int = 0
    most: int = 0
    first: tuple[Any, ...] = field(default=())

    # ------------------------------------------------------------ questions

    def possible(self) -> bool:
        if self.info.sort == "whether":
            return True
        if self.matching is not None and self.info.so_that is None:
            return solver.completable(self.matching)
        if self.info.sort == "one":
            return any(True for _ in self.listing())
        if self.info.sort == "shares":
            return bool(self.members) or self.most == 0
        if not self.members:
            return False
        return len(self.members) >= self.least

    def refusals(self, value: Any) -> list[Ground]:
        """Why an answer is refused; nothing when it is legal."""
        info = self.info
        bad = [Ground(case=info.case, label=self._wrong(value), where=info.where)]
        match info.sort:
            case "whether":
                return [] if isinstance(value, bool) else bad
            case "one":
                if self.matching is not None:
                    wrong = plans.refusal(self.matching, value)
                    if wrong is not None:
                        return [Ground(case=self.matching.case or info.case, label=wrong, where=info.where)]
                    return [] if self._so_that(self.canonical(value)) else bad
                return [] if self._member(value) and self._so_that(value) else bad
            case "shares":
                return [] if self._shares(value) and self._so_that(value) else bad
            case "order":
                fits = isinstance(value, tuple) and sorted(map(repr, value)) == sorted(map(repr, self.members))
                return [] if fits and self._so_that(value) else bad
            case _:
                return [] if self._some(value) and self._so_that(value) else bad

    def listing(self) -> Iterator[Any]:
        match self.info.sort:
            case "whether":
                yield from (True, False)
            case "one":
                source = solver.plans(self.matching, limit=LISTED) if self.matching is not None else iter(self.members)
                for value in source:
                    if self._so_that(value):
                        yield value
            case "order":
                for value in itertools.islice(itertools.permutations(self.members), LISTED):
                    if self._so_that(value):
                        yield value
            case "shares":
                for value in itertools.islice(splits(self.most, self.members), LISTED):
                    if self._so_that(value):
                        yield value
            case _:
                sizes = range(self.least, min(self.most, len(self.members)) + 1)
                every = itertools.chain.from_iterable(itertools.combinations(self.members, n) for n in sizes)
                for value in itertools.islice(every, LISTED):
                    if self._some(value) and self._so_that(value):
                        yield value

    def sample(self, rng: int) -> tuple[Any, int]:
        """One legal answer; None when none is found."""
        value: Any
        match self.info.sort:
            case "whether":
                pick, rng = dice.draw(rng, 2)
                return bool(pick), rng
            case "one" if self.matching is not None:
                for _ in range(TRIES):
                    value, rng = solver.sample(self.matching, rng)
                    if value is None or self._so_that(value):
                        return value, rng
            case "one":
                order, rng = dice.shuffle(rng, self.members)
                return next((v for v in order if self._so_that(v)), None), rng
            case "order":
                for _ in range(TRIES):
                    value, rng = dice.shuffle(rng, self.members)
                    if self._so_that(value):
                        return value, rng
            case "shares":
                for _ in range(TRIES):
                    given = dict.fromkeys(self.members, 0)
                    for _ in range(self.most):
                        at, rng = dice.draw(rng, len(self.members))
                        given[self.members[at]] += 1
                    value = tuple((m, n) for m, n in given.items() if n)
                    if self._so_that(value):
                        return value, rng
            case _:
                for _ in range(TRIES):
                    value, rng = self._sample_some(rng)
                    if self._some(value) and self._so_that(value):
                        return value, rng
        return next(self.listing(), None), rng

    def canonical(self, value: Any) -> Any:
        """A legal answer in the one order that the state keeps, however it was written."""
        match self.info.sort:
            case "one" if self.matching is not None:
                return plans.canonical(self.matching, value)
            case "some":
                return tuple(m for m in self.members if m in value)
            case "shares":
                given = dict(value)
                return tuple((m, given[m]) for m in self.members if m in given)
            case _:
                return value

    # ------------------------------------------------------------ parts

    def _sample_some(self, rng: int) -> tuple[tuple[Any, ...], int]:
        high = min(self.most, len(self.members))
        extra, rng = dice.draw(rng, high - self.least + 1)
        need = self.least + extra
        taken, rng = dice.pick_subset(rng, self.first, min(need, len(self.first)))
        rest = tuple(m for m in self.members if m not in self.first)
        if need > len(taken):
            more, rng = dice.pick_subset(rng, rest, min(need - len(taken), len(rest)))
            taken = (*taken, *more)
        return tuple(m for m in self.members if m in taken), rng

    def _member(self, value: Any) -> bool:
        if value in self.members:
            return True
        accept = self.info.tiers[self.tier][1] if 0 <= self.tier < len(self.info.tiers) else None
        return (
            accept is not None
            and isinstance(value, tuple)
            and len(value) > 0
            and bool(accept(self.S, self.local, value))
        )

    def _some(self, value: Any) -> bool:
        if not isinstance(value, tuple) or len(set(value)) != len(value):
            return False
        if not all(v in self.members for v in value) or not self.least <= len(value) <= self.most:
            return False
        taken = sum(v in self.first for v in value)
        return taken == len(value) or taken == len(self.first)

    def _shares(self, value: Any) -> bool:
        if not isinstance(value, tuple):
            return False
        for pair in value:
            if not (isinstance(pair, tuple) and len(pair) == 2 and pair[0] in self.members):
                return False
            if not isinstance(pair[1], int) or pair[1] < 1:
                return False
        members = [m for m, _ in value]
        return len(set(members)) == len(members) and sum(n for _, n in value) == self.most

    def _so_that(self, value: Any) -> bool:
        test = self.info.so_that
        if test is None:
            return True
        return bool(test(self.S, {**self.local, self.info.name: value}))

    def _wrong(self, value: Any) -> str:
        return f"not among the answers to {self.info.name}"


def ask_space(S: State, info: AskInfo, local: dict[str, Any]) -> AskSpace:
    """The space of an ask as things stand now."""
    space = AskSpace(S, info, local)
    if info.sort == "whether":
        return space
    number = info.number(S, local) if info.number is not None else None
    found: list[Any] = []
    for i, (listing, _) in enumerate(info.tiers):
        members = listing(S, local)
        if isinstance(members, plans.Matching):
            space.matching, space.tier = members, i
            return space
        fresh = [m for m in members if m not in found]
        if fresh and space.tier < 0:
            space.tier, space.first = i, tuple(fresh)
        found += fresh
        if info.sort == "one" and found:
            break
        if info.sort == "some" and info.limit == "exactly" and number is not None and len(found) >= number:
            break
        if info.sort in ("order", "shares") and found:
            break
        if info.sort == "some" and info.limit != "exactly" and found:
            break
    space.members = tuple(found)
    count = len(found)
    if info.limit == "exactly" and number is not None:
        space.least = space.most = int(number)
    elif info.limit == "at_most" and number is not None:
        space.least, space.most = 0, min(count, int(number))
    elif info.limit == "at_least" and number is not None:
        space.least, space.most = int(number), count
    else:
        space.least, space.most = 0, count
    return space


def splits(total: int, members: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, int], ...]]:
    """Every way to share a number out among members."""
    if len(members) == 1:
        yield ((members[0], total),) if total else ()
        return
    if not members:
        if total == 0:
            yield ()
        return
    for n in range(total, -1, -1):
        head = ((members[0], n),) if n else ()
        for rest in splits(total - n, members[1:]):
            yield (*head, *rest)


# ---------------------------------------------------------------- actions


@dataclass(slots=True)
class ActionSpace:
    """The ways a side may take one action now."""

    S: State
    info: ActionInfo
    actor: str

    def open(self) -> list[Ground]:
        """Why the action cannot be taken at all now, whatever its arguments."""
        S, info = self.S, self.info
        by = info.by(S)
        if self.actor != by and not (isinstance(by, tuple) and self.actor in by):
            return [Ground(case=info.case, label=f"not {self.actor}'s to take", where="")]
        if info.phases and not any(p in S.phases for p in info.phases):
            return [Ground(case=info.case, label="only during " + ", ".join(info.phases), where="")]
        return []

    def refusals(self, args: tuple[Any, ...]) -> list[Ground]:
        """Every reason against these arguments."""
        S, info = self.S, self.info
        found = self.open()
        if len(args) != len(info.params):
            return [*found, Ground(case=info.case, label="arguments missing", where="")]
        for i, param in enumerate(info.params):
            if not self._in_domain(i, args):
                found.append(Ground(case=info.case, label=f"{param.name} is out of reach", where=""))
        if any(g.label.endswith("out of reach") for g in found):
            found += self._step_grounds(args)
            return found
        for rule in info.rules:
            mark = traced_so_far(S)
            if rule.refuses(S, self.actor, *args):
                found.append(Ground(case=rule.case, label=rule.label, where=rule.where, trail=traced_since(S, mark)))
        found += self._quota_grounds(args, len(args))
        return found

    def legal(self, args: tuple[Any, ...]) -> bool:
        return not self.refusals(args)

    def _step_grounds(self, args: tuple[Any, ...]) -> list[Ground]:
        """What bars a path on its way, where an argument is a path."""
        found: list[Ground] = []
        for i, param in enumerate(self.info.params):
            if param.type == "path" and param.accepts is not None and isinstance(args[i], tuple):
                try:
                    found += param.accepts(self.S, self.actor, *args[: i + 1], grounds=True)
                except (IndexError, KeyError, TypeError):
                    continue
        return found

    def _in_domain(self, i: int, args: tuple[Any, ...]) -> bool:
        param, value = self.info.params[i], args[i]
        try:
            if param.type == "path" and param.accepts is not None:
                return (
                    isinstance(value, tuple)
                    and len(value) > 1
                    and bool(param.accepts(self.S, self.actor, *args[: i + 1]))
                )
            if param.domain is None:
                return True
            members = param.domain(self.S, self.actor, *args[:i])
            if param.type.startswith(("set:", "list:")):
                return (
                    isinstance(value, tuple)
                    and len(value) > 0
                    and len(set(value)) == len(value)
                    and set(value) <= set(members)
                )
            return value in members
        except (TypeError, IndexError, KeyError):
            return False

    def _quota_grounds(self, args: tuple[Any, ...], level: int) -> list[Ground]:
        found = []
        for quota, key, amount, needs in self.info.spends:
            if needs <= level:
                price = amount(self.S, self.actor, *args)
                if price > 0 and ops.left(self.S, quota, key(self.S, self.actor, *args)) < price:
                    found.append(Ground(case=self.S.program.quotas[quota].case, label=f"{quota} is used up", where=""))
        return found

    # ------------------------------------------------------------ listing and sampling

    def listing(self) -> Iterator[tuple[Any, ...]]:
        if self.open():
            return
        yield from self._fill(())

    def _fill(self, args: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        level = len(args)
        if not self._passes(args, level):
            return
        if level == len(self.info.params):
            yield args
            return
        for value in self._values(args):
            yield from self._fill((*args, value))

    def _passes(self, args: tuple[Any, ...], level: int) -> bool:
        for rule in self.info.rules:
            if rule.level == level and rule.refuses(self.S, self.actor, *args):
                return False
        return not any(needs == level and self._quota_grounds(args, level) for _, _, _, needs in self.info.spends)

    def _values(self, args: tuple[Any, ...]) -> Iterator[Any]:
        param = self.info.params[len(args)]
        members = param.domain(self.S, self.actor, *args) if param.domain is not None else self._everything(param.type)
        if not param.type.startswith(("set:", "list:")):
            yield from members
            return
        members = self._alone(members, args)
        every = itertools.chain.from_iterable(itertools.combinations(members, n) for n in range(1, len(members) + 1))
        yield from itertools.islice(every, LISTED)
        if members and 2 ** min(len(members), 20) > LISTED:
            yield tuple(members)

    def _alone(self, members: tuple[Any, ...], args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The members that no rule about single members shuts out."""
        level = len(args)
        tests: list[RuleInfo] = [
            r for r in self.info.rules if r.member is not None and r.member[1] == level and r.level == level + 1
        ]
        return tuple(m for m in members if not any(r.refuses(self.S, self.actor, *args, (m,)) for r in tests))

    def _everything(self, type: str) -> tuple[Any, ...]:
        program = self.S.program
        if type.startswith("kind:"):
            return program.kinds[type[5:]]
        if type == "flag":
            return (False, True)
        if type == "unit":
            return tuple(range(len(program.units)))
        if type == "place":
            return tuple(range(program.board.hexes))
        return ()

    def sample(self, rng: int) -> tuple[tuple[Any, ...] | None, int]:
        """One legal way to take the action; None when none is found."""
        if self.open():
            return None, rng
        for _ in range(TRIES):
            args, rng = self._walk_down((), rng)
            if args is not None:
                return args, rng
            if not any(p.type.startswith("set:") for p in self.info.params):
                break
        return next(self.listing(), None), rng

    def _walk_down(self, args: tuple[Any, ...], rng: int) -> tuple[tuple[Any, ...] | None, int]:
        level = len(args)
        if not self._passes(args, level):
            return None, rng
        if level == len(self.info.params):
            return args, rng
        param = self.info.params[level]
        members = param.domain(self.S, self.actor, *args) if param.domain is not None else self._everything(param.type)
        if param.type.startswith(("set:", "list:")):
            members = self._alone(members, args)
            if not members:
                return None, rng
            size, rng = dice.draw(rng, len(members))
            value, rng = dice.pick_subset(rng, members, size + 1)
            return self._walk_down((*args, tuple(sorted(value))), rng)
        order, rng = dice.shuffle(rng, tuple(members))
        for value in order:
            found, rng = self._walk_down((*args, value), rng)
            if found is not None:
                return found, rng
        return None, rng
