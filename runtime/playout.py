"""Random games in great numbers.

In:  a game at a decision, and a random player for each side.
Out: the same game at its end, by the same choices as in `play`; nothing of it can be undone, saved or read afterwards.

A window whose actions run straight through is filled in place, as soon as it opens: nothing is left pending, offered
or noted down in between. Random words are worked out many at a time.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from struct import Struct
from typing import Any

from . import machine
from .choices.chance import Shuffle, takes_sets
from .dice import MASK, ONCE, STEP, TWICE, draw
from .game import Game
from .kept.by_place import touch_places
from .players import Player, RandomPlayer, Watch, out_of_turn
from .program import ActionInfo, Fn, Program
from .state import State
from .text import Choice

MANY = 64
HIGH = bytes([255] * 6)
Way = tuple[ActionInfo, tuple[str, ...], Fn]


def playout(
    game: Game, players: Mapping[str, Player], most: int = 1_000_000, watch: Watch | None = None, log: Any = None
) -> int:
    """Let random players answer until the game is over; returns how many choices were made.

    `watch` is told of each choice, before or amid what follows from it; to `log` what happens is appended, walks apart.
    """
    run = Playout(game, players, most, watch)
    try:
        while run.made < most and not game.over:
            game.state.log, game.state.playout = log, run
            if not run.reopens(game.state):
                decisions = game.decisions
                choice = out_of_turn(game, players, decisions) or players[decisions[0].side](game, decisions[0])
                run.made += 1
                if watch is not None:
                    watch(game, choice)
                run.take_over()
                game.playout(choice)
                run.give_back()
    finally:
        game.state.log, game.state.playout = [], None
    return run.made


class Playout:
    """Plays whole windows without returning to the game between choices.

    A window is filled in place where every side has a random player of its own, all its actions run without a
    decision, no standing offer exists and no duty keeps it open; every other decision is left pending. Where no rule
    observes single steps, a walk is one move. The draws come in the same order as in `play`, so both make the same
    choices.
    """

    def __init__(self, game: Game, players: Mapping[str, Player], most: int, watch: Watch | None) -> None:
        self.game, self.most, self.watch = game, most, watch
        self.made = 0
        program = game.program
        self.unwatched = not program.watches.get("at")
        self.clears = program.clears.get("at", ())
        self.by_side, self.by_unit, self.by_where, self.by_place = (
            [i for i, by in program.owned.get("at", ()) if by == sort] for sort in ("side", "unit", "where", "place")
        )
        self.by_owner = {*self.by_side, *self.by_unit, *self.by_where, *self.by_place}
        self.placed = [i for i, how in program.placed.get("at", ()) if how != "set"]
        self.ground = game.state.ground
        share_lasting(game.state)
        self.sources = {side: Ahead(p) for side, p in players.items() if type(p) is RandomPlayer}
        self.open: dict[int, tuple[Fn, tuple[Way, ...]]] = {}
        others = len({id(source.player) for source in self.sources.values()}) < len(players)
        shut = others or program.duties or any(a.anytime for a in program.actions.values())
        for i, offer in enumerate(program.offers) if not shut else ():
            actions = [program.actions[name] for name, guard in offer.actions if guard is None]
            single = [a for a in actions if not any(takes_sets(p.type) for p in a.params)]
            ways = [(a, program.procedures[a.procedure]) for a in single]
            if ways and not offer.sort and len(ways) == len(offer.actions) and all(p.straight for _, p in ways):
                self.open[i] = (offer.side, tuple((a, p.params, p.blocks[0]) for a, p in ways))

    def reopens(self, S: State) -> bool:
        """Fill the pending window in place where that is possible; returns whether it was."""
        item = S.pending[0]
        if item["sort"] != "offer" or item["ref"] not in self.open or len(S.pending) > 1:
            return False
        S.pending, S.counter = [], S.counter - 1
        self.take_over()
        machine.run(S)
        self.give_back()
        return True

    def take_over(self) -> None:
        """Take the random sources over from the players."""
        for source in self.sources.values() if self.open else ():
            if source.rng != source.player.rng:
                source.rng = source.player.rng

    def give_back(self) -> None:
        """Hand the random sources back to the players."""
        for source in self.sources.values() if self.open else ():
            source.player.rng = source.rng

    def fill(self, S: State, index: int, L: dict[str, Any]) -> bool:
        """Take actions in a window until its side is done; False where it is left to others."""
        if index not in self.open:
            return False
        who, ways = self.open[index]
        while self.made < self.most:
            side = who(S, L)
            if side is None:
                return True
            source, found = self.sources[side], None
            S.steps = S.work = 0
            for action, params, block in source.shuffle(ways) if len(ways) > 1 else ways:
                found = source.some(S, action, side)
                if found is not None:
                    local = dict(zip(params, found))  # noqa: B905  (a word more would take as long again)
                    local["actor"] = side
                    block(S, local)
                    break
            S.counter += 1
            self.made += 1
            if self.watch is not None:
                args = tuple(zip(params, found, strict=True)) if found is not None else ()
                self.watch(self.game, Choice(S.counter - 1, side, action.name if found is not None else "done", args))
            if found is None:
                return True
        return False

    def walk(self, S: State, unit: int, place: int) -> None:
        """A walk that no rule observes: only answers that depend on where this unit stands are invalidated."""
        old = S.at[unit]
        if old is None or old == place:
            return
        if S.shared is None:
            S.here[old].remove(unit)
            insort(S.here[place], unit)
        else:
            S.stand(unit, old, place)
        S.own("at")[unit] = place
        memo, side = S.memo, S.unit_side[unit]
        for i in self.clears:
            if memo[i] or memo[i].__class__ is not dict:
                memo[i] = {}
        if S.shared:
            for i in S.shared.intersection(self.by_owner):
                S.own_memo(i)
        for i in self.by_side:
            memo[i].pop(side, None)
        for i in self.by_unit:
            memo[i].pop(unit, None)
        for i in self.by_where:
            memo[i].pop(place, None)
        for i in self.by_place:
            if memo[i]:
                memo[i].pop(place, None)
                memo[i].pop(old, None)
        for i in self.placed:
            if S.shared is not None:
                touch_places(memo[i], (old, place))
                continue
            for answers in memo[i].values():
                answers.again.update((old, place))
        if old in self.ground and place in self.ground:
            S.lists.pop(("occupied", side), None)
        else:
            S.lists.clear()


LASTING: list[tuple[Program, dict[str, str], dict[int, dict[Any, Any]]]] = []
"""The rule set played last, its readings, and its memoised answers that nothing in play can change."""


def share_lasting(S: State) -> None:
    """Share such answers with the games played before this one."""
    program = S.program
    readings = {**S.readings, "": S.map}  # no reading goes by no name
    if not LASTING or LASTING[0][0] is not program or LASTING[0][1] != readings:
        LASTING[:] = [(program, readings, {i: {} for i in program.lasting})]
    for i, answers in LASTING[0][2].items():
        S.memo[i] = answers


# ---------------------------------------------------------------- random words in bulk


class Ahead(Shuffle):
    """The random source of a player, with words computed ahead in bulk."""

    def __init__(self, player: RandomPlayer) -> None:
        self.player = player
        self.words: list[int] = []
        self.opening = False
        super().__init__(player.rng)

    @property
    def rng(self) -> int:
        """The state of the source: the player's own, advanced by the words used since."""
        return self.last - len(self.words) * STEP & MASK

    @rng.setter
    def rng(self, state: int) -> None:
        self.last = state
        self.words.clear()

    def below(self, n: int) -> int:
        words = self.words  # the next one at the end
        if words:
            return words.pop() % n
        words += reversed(next_words(self.last, MANY))
        if words:
            self.last = self.last + MANY * STEP & MASK
            return words.pop() % n
        value, self.last = draw(self.last, n)
        return value

    def shuffle(self, members: Sequence[Any], most: int = -1) -> Iterator[Any]:
        """The members in a random order, drawn one by one; no more than the most."""
        order = list(members)
        words, count = self.words, len(order)
        for left in range(count, 1 if most < 0 else max(1, count - most), -1):
            at = words.pop() % left if words else self.below(left)
            chosen = order[at]
            order[at] = order[left - 1]
            yield chosen
        if order and (most < 0 or most >= count):
            yield order[0]

    def some(self, S: State, info: ActionInfo, actor: str) -> tuple[Any, ...] | None:
        if not info.params:
            return super().some(S, info, actor)
        self.opening = True
        return self.first(S, info, actor, self.choose)

    def choose(self, members: tuple[Any, ...], sets: bool) -> Iterable[Any]:
        """A few of the first members that are asked for, all of the others."""
        if self.opening:
            self.opening = False
            return self.shuffle(members, self.below(len(members) + 1))
        return self.pick(members, sets) if sets else self.shuffle(members)


def next_words(state: int, count: int) -> tuple[int, ...]:
    """The next words of a source; empty where one is so high that rejection sampling may redraw it."""
    if count > MANY:
        first, rest = next_words(state, MANY), next_words(state + MANY * STEP & MASK, count - MANY)
        return first + rest if first and rest and count < 1 << 16 else ()
    each, steps, mask, form = lanes(count)
    word = each * state + steps & mask
    word = ((word ^ word >> 30) & mask) * ONCE & mask
    word = ((word ^ word >> 27) & mask) * TWICE & mask
    told = (word ^ word >> 31).to_bytes(form.size, "little")
    return () if HIGH in told else form.unpack(told)


@cache
def lanes(count: int) -> tuple[int, int, int, Struct]:
    """Constants for arithmetic on many words in one large integer, 128 bits apart.

    A one in each lane, the offset of each lane from the first state, the mask of all lanes, and how to unpack them.
    """
    each = sum(1 << 128 * i for i in range(count))
    steps = sum((i + 1) * STEP % (MASK + 1) << 128 * i for i in range(count))
    return each, steps, each * MASK, Struct("<" + "Q8x" * count)
