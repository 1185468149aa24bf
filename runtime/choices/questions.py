"""The answers to a question: one choice space.

In:  a question of a program, the state, and the names in reach.
Out: why something is no answer, answers in a fixed order or by chance, and whether there is any.

Where what is asked can be decided for all answers at once (sums.py), it is; otherwise answers are tried up to a bound,
and `undecided` tells where none was found and none is excluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, permutations
from typing import Any

from .. import dice
from ..notation import of_type
from ..problems import NONSENSE, Fault, Ground, rested
from ..program import AskInfo, Fn
from ..state import State
from ..text import Args
from ..values import splits, subsets
from . import deep, plans, solver
from .chance import LISTED, TRIES, Shuffle, Values
from .roaming import MOST_ROAMED, first_unlisted
from .sums import Sets, Shares
from .wanted import this_is_asked, what_is_missing

MOST_SHARES = 10_000
MOST_TRIED = 3_000
"""Answers that are tried before a question with a condition is put without knowing that it has one."""
MOST_GIVEN = 20_000
"""Shares of single members that are asked about before the sharing-out of a large number is decided by trying."""


@dataclass(slots=True)
class AskSpace:
    """The answers to one `ask`.

    `first` are the members of the nearest tier, which a set must use up before it takes others; `accept`
    takes a path that is not listed, and `roams` are the walks among which there may be one where none that is listed
    will do.
    """

    S: State
    info: AskInfo
    local: dict[str, Any]
    members: Values = ()
    first: Values = ()
    accept: Fn | None = None
    roams: Fn | None = None
    matching: plans.Matching | None = None
    least: int = 0
    most: int = 0
    undecided: int = 0
    """Answers after which a listing ended that has neither found one nor shown that there is none."""

    @property
    def name(self) -> str:
        return self.info.name

    def possible(self) -> bool:
        """Whether there is something to decide. A question of which that stays open is put: a side may know better."""
        info, there = self.info, len(self.members)
        if info.sort == "one" and self.matching is not None and info.so_that is None:
            return solver.completable(self.matching)
        if info.sort == "one" and self.matching is None:
            return next(self.listing(), None) is not None or self.undecided > 0
        if info.sort == "shares" and (self.most < 0 or (self.most > 0 and not there)):
            return False
        if info.sort in ("some", "order") and (not there or max(0, self.least) > min(self.most, there)):
            return False
        return info.so_that is None or self._answerable()

    def settled(self) -> bool:
        """Whether there is nothing to decide because the empty set is the only answer there can be."""
        empty = self.info.sort in ("some", "order") and not self.members and self.least <= 0 <= self.most
        return empty and self._so_that(())

    def _answerable(self) -> bool:
        """Whether some answer meets the condition, or more would have to be tried than is good."""
        if (decided := self._by_sums()) is not None:
            return any(map(self._fits, decided)) or (self.info.sort == "some" and self.least <= 0 and self._so_that(()))
        return any(i == MOST_TRIED or (self._fits(v) and self._so_that(v)) for i, v in enumerate(self._candidates()))

    def refusals(self, args: Args) -> list[Ground]:
        case, where = self.info.case, self.info.where
        if [name for name, _ in args] != [""]:
            return [Ground(case=case, label=this_is_asked(self), where=where)]
        value = args[0][1]
        typed = of_type(self.S.program, self.info.type, value)
        if typed and self.matching is not None and (wrong := plans.refusal(self.matching, value)) is not None:
            return [Ground(case=self.matching.case or case, label=wrong, where=where)]
        if typed and self._fits(value) and self._so_that(self.canonical(value)):
            return []
        found = [Ground(case=case, label=what_is_missing(self, value, typed), where=where)]
        with suppress(*NONSENSE):  # a path that leads nowhere
            found += self.accept(self.S, self.local, value, grounds=True) if typed and self.accept is not None else []
        return found

    def listing(self) -> Iterator[Args]:
        rested(self.S)
        most, found = self._most_listed(), False
        for tried, value in enumerate(self._candidates()):
            if most is not None and tried >= most and (found or tried >= MOST_TRIED):
                self.undecided = 0 if found else MOST_TRIED
                return
            if (self.info.sort != "some" or self._fits(value)) and self._so_that(value):
                found = True
                yield (("", value),)
                rested(self.S)
        if not found and self.roams is not None and self.accept is not None:
            path = self.unlisted(self.accept, self.roams)
            if path is not None:
                yield (("", path),)

    def unlisted(self, accept: Fn, roams: Fn) -> Any:
        """A path that will do though it is not listed; `undecided` tells where none is found and none is excluded."""
        S, local = self.S, self.local
        path, still_open = first_unlisted(S, roams(S, local), lambda p: accept(S, local, p) and self._so_that(p))
        self.undecided = MOST_ROAMED if still_open else 0
        rested(S)
        return path

    def sample(self, rng: int, few: bool = False) -> tuple[Args | None, int]:
        """Any answer: a question must be answered, so there is no stopping at a few."""
        for _ in range(TRIES):
            value, rng = self._any(rng)
            if value is None:
                break
            if self._fits(value) and self._so_that(value):
                return (("", value),), rng
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

    def _fits(self, value: Any) -> bool:
        """Whether a value has the form of an answer."""
        match self.info.sort:
            case "whether":
                return isinstance(value, bool)
            case "one" if self.matching is not None:
                return True
            case "one":
                unlisted = self.accept if isinstance(value, tuple) and len(value) > 1 else None
                return value in self.members or bool(unlisted and unlisted(self.S, self.local, value))
            case _ if not isinstance(value, tuple):
                return False
            case "order":
                return sorted(map(repr, value)) == sorted(map(repr, self.members))
            case "shares":
                given = [n for _, n in value if n.__class__ is int and n > 0]
                return sum(given) == self.most and len(given) == len(value) and self.distinct([m for m, _ in value])
            case _:
                taken = sum(v in self.first for v in value)
                right = self.distinct(value) and self.least <= len(value) <= self.most
                return right and taken in (len(value), len(self.first))

    def distinct(self, given: Iterable[Any]) -> bool:
        """Whether these are members, none of them twice."""
        seen = list(given)
        return all(m in self.members for m in seen) and len(set(seen)) == len(seen)

    def _most_listed(self) -> int | None:
        """How many answers are looked at for a listing; more where none of these will do."""
        if self.info.sort == "one" and self.matching is None:
            return None
        more = self.info.sort == "some" and self.info.so_that is not None
        return LISTED + 8 * len(self.members) if more else LISTED

    def _candidates(self) -> Iterator[Any]:
        """Whatever may turn out to be an answer, lazily and always in the same order."""
        match self.info.sort:
            case "whether":
                return iter((True, False))
            case "one" if self.matching is not None:
                return solver.plans(self.matching)
            case "one":
                return iter(self.members)
            case "order":
                return permutations(self.members) if self._any_order() else iter(())
            case "shares":
                decided = self._by_sums()
                return splits(self.most, self.members) if decided is None else iter(decided)
            case _:
                every = subsets(self.members, range(max(0, self.least), min(self.most, len(self.members)) + 1))
                few = list(islice(every, LISTED))
                if len(few) < LISTED or self.info.so_that is None:
                    return chain(few, every)
                known, sets = {frozenset(x) for x in few}, self._by_sums()
                if sets is not None:
                    return chain(few, (x for x in sets if frozenset(x) not in known))
                others = dict.fromkeys(deep.larger(self.members, self.least, self.most))
                return chain(few, (x for x in others if frozenset(x) not in known), every)

    def _any_order(self) -> bool:
        """Whether some order may do; where one order is as good as another, the first tells of all."""
        return not self.info.alike or self._so_that(self.members)

    def _by_sums(self) -> Sets | Shares | None:
        """The answers that meet the condition and the number that is asked for, where that can be decided."""
        info, members, most = self.info, self.members, self.most
        shares = info.sort == "shares"
        if info.margins is None or (shares and (len(members) * most > MOST_GIVEN or len(set(members)) < len(members))):
            return None
        begin, signs = self._margins(()), tuple(sign for _, sign in info.margins)

        def more(some: Values) -> tuple[Any, ...]:
            return tuple(x - y for x, y in zip(self._margins(some), begin, strict=True))

        found: Sets | Shares
        if shares:
            adds = [[more(((m, n),)) for n in range(1, most + 1)] for m in members]
            found = Shares(most, members, adds, begin, signs)
        else:
            each = [(1, 1, *more((m,))) for m in members]
            found = Sets(members, each, (-self.least, -most, *begin), (">=", "<=", *signs))
        return None if found.open else found

    def _margins(self, value: Any) -> tuple[Any, ...]:
        """How far an answer is from each of the things that are asked of it."""
        return tuple(fn(self.S, {**self.local, self.name: value}) for fn, _ in self.info.margins or ())

    def _any(self, rng: int) -> tuple[Any, int]:
        """A random answer, which may still fail; None when there is none."""
        match self.info.sort:
            case "whether":
                pick, rng = dice.draw(rng, 2)
                return bool(pick), rng
            case "one" if self.matching is not None:
                return solver.sample(self.matching, rng)
            case "one":
                source = Shuffle(rng)
                return next((v for v in source.shuffle(self.members) if self._so_that(v)), None), source.rng
            case "order":
                return dice.shuffle(rng, self.members)
            case "shares":
                given = dict.fromkeys(self.members, 0)
                for _ in range(self.most):
                    at, rng = dice.draw(rng, len(self.members))
                    given[self.members[at]] += 1
                return tuple((m, n) for m, n in given.items() if n), rng
            case _:
                extra, rng = dice.draw(rng, min(self.most, len(self.members)) - self.least + 1)
                need = self.least + extra
                taken, rng = dice.pick_subset(rng, self.first, min(need, len(self.first)))
                rest = tuple(m for m in self.members if m not in self.first)
                more, rng = dice.pick_subset(rng, rest, min(need - len(taken), len(rest)))
                return self.canonical((*taken, *more)), rng

    def _so_that(self, value: Any) -> bool:
        test = self.info.so_that
        return test is None or bool(test(self.S, {**self.local, self.name: value}))


def one_unlisted(space: AskSpace, accept: Fn, roams: Fn) -> list[Any]:
    """A path of a tier of which none is listed, for what is asked later is not taken from the next where it has one."""
    path, still_open = first_unlisted(space.S, roams(space.S, space.local), partial(accept, space.S, space.local))
    if still_open:
        told = f"{MOST_ROAMED:,} paths are looked at, and it stays open whether one of them will do as {space.name}"
        raise Fault(told, space.info.case, where=space.info.where)
    return [] if path is None else [path]


def ask_space(S: State, info: AskInfo, local: dict[str, Any]) -> AskSpace:
    """The space of an ask as things stand now: tiers are taken until there is enough to choose from."""
    space = AskSpace(S, info, local)
    number = info.number(S, local) if info.number is not None else None
    if info.sort == "shares" and number is not None and number > MOST_SHARES:
        raise Fault(f"more than {MOST_SHARES:,} are to be shared out", info.case)
    enough = number if info.sort == "some" and info.limit == "exactly" and number is not None else 1
    found: list[Any] = []
    for i, (listing, accept) in enumerate(info.tiers):
        members = listing(S, local)
        if isinstance(members, plans.Matching):
            space.matching = members
            return space
        fresh = [m for m in members if m not in found]
        roams = info.roams[i] if info.roams else None
        if not fresh and roams is not None and accept is not None:
            if i + 1 == len(info.tiers):
                space.accept, space.roams = accept, roams
            else:
                fresh = one_unlisted(space, accept, roams)
        if fresh and not found:
            space.first, space.accept, space.roams = tuple(fresh), accept, roams
        found += fresh
        if len(found) >= enough:
            break
    space.members, space.most = tuple(found), len(found)
    if number is not None and info.limit != "at_most":
        space.least = int(number)
    if number is not None and info.limit != "at_least":
        space.most = int(number) if info.limit == "exactly" else min(len(found), int(number))
    return space
