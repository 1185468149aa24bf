"""A game played by the oracle: decisions, what may be chosen, and what a choice does.

In:  a book, a scenario and a seed, or a position to begin with.
Out: the same decisions, verdicts, states and log as generated code has for the same choices.

Choices are not checked before they are done: whoever compares asks for the verdict first. To take a drafted action
back, the game is played again without it and its parts.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakSet

from rulewright.runtime.problems import Fault
from rulewright.runtime.program import Program, ScenarioInfo
from rulewright.runtime.state import State, fresh
from rulewright.runtime.text import Choice

from ..core import nodes as c
from . import phases
from .actions import ActionSpace, lacking
from .asks import Unknown
from .expressions import Evaluator
from .flow import Answer, Flow, Over, Pending, Steps
from .program import tables
from .questions import AskSpace
from .table import Table
from .values import NONSENSE, as_many
from .world import World


@dataclass(frozen=True, slots=True)
class Decision:
    """What a side must decide, or may (`standing`)."""

    side: str
    sort: str
    name: str
    case: str
    secret: bool = False


class Oracle:
    """A book that the oracle can play."""

    def __init__(self, book: c.Book, digest: str = "") -> None:
        self.book = book
        self.ev = Evaluator(book)
        self.program: Program = tables(self.ev, digest)
        self._empty: dict[frozenset[str] | None, Table | None] = {}

    def new(self, scenario: str | None = None, seed: int = 0) -> OracleGame:
        """A game at its first decision."""
        return OracleGame(self, next(iter(self.program.scenarios)) if scenario is None else scenario, seed)

    def empty(self, read: frozenset[str] | None = None) -> Table:
        """An empty board of which everything is remembered, or the memories of `read`; without, where that fails."""
        if read not in self._empty:
            table = Table(self.ev, World(fresh(self.program, 0)), read=read)
            try:
                table.first_look()
                self._empty[read] = table
            except (Fault, *NONSENSE):
                self._empty[read] = None
        known = self._empty[read]
        if known is None:
            return Table(self.ev, World(fresh(self.program, 0)), read=read)
        return Table(self.ev, known.W.copy(), read=read, told=set(), keys={**known.keys})

    def at(self, state: State) -> Table:
        """A table with a position of this book on it."""
        return Table(self.ev, World(State.from_plain(self.program, state.plain())))


@dataclass(frozen=True, slots=True)
class Made:
    """A choice that was made: which of the pending decisions it answers, None out of turn, and what it is part of."""

    at: int | None
    choice: Choice
    inside: tuple[Choice | None, ...]

    def falls_with(self, action: Choice) -> bool:
        """Whether it is gone when an action is taken back: it is that action or a part of it, not out of turn."""
        if self.choice is action:
            return True
        depth = next((i for i, outer in enumerate(self.inside) if outer is action), None)
        return depth is not None and self.at is not None and None not in self.inside[depth:]


class OracleGame:
    """One game; `choices` are those that still count."""

    def __init__(self, oracle: Oracle, scenario: str, seed: int) -> None:
        self.oracle, self.scenario, self.seed = oracle, scenario, seed
        self.choices: list[Made] = []
        self.table, self.flow, self.steps = self.begun()

    def begun(self) -> tuple[Table, Flow, Steps]:
        program = self.oracle.program
        info = program.scenarios[self.scenario]
        table = Table(self.oracle.ev, World(fresh(program, self.seed)))
        set_up(table, info)
        phases.begin(table)
        flow = Flow(table)
        steps = flow.call(self.oracle.book.procedures[info.sequence], {})
        go_on(flow, steps)
        return table, flow, steps

    # ------------------------------------------------------------ what is to be decided

    @property
    def S(self) -> State:
        return self.table.S

    @property
    def over(self) -> bool:
        return not self.flow.pending

    def decisions(self) -> list[Decision]:
        """All that is pending; standing offers are told apart by `standing`."""
        return [decision(x) for x in self.flow.pending]

    def standing(self) -> Iterator[tuple[str, str, bool | None]]:
        """The actions that may be taken at any time, by side: whether there is a way; None where that is not known."""
        if self.table.together or not self.flow.pending:
            return
        for action in self.oracle.book.actions.values():
            for side in as_many(self.table.ev.value(self.table.W, action.by, {})) if action.anytime else ():
                try:
                    yield action.name, side, ActionSpace(self.table.ev, self.table.W, action, side).any()
                except Unknown:
                    yield action.name, side, None

    def against(self, index: int | None, choice: Choice) -> set[str]:
        """The cases that speak against a choice, as an answer to the decision at `index` or out of turn.

        Nothing where it is legal; {""} where it is refused by no case.
        """
        ev, W = self.table.ev, self.table.W
        if index is None:
            action = self.oracle.book.actions.get(choice.name)
            if action is None or not action.anytime or self.table.together:
                return {""}
            return ActionSpace(ev, W, action, choice.side).against(choice.args)
        item = self.flow.pending[index]
        if choice.side != item.side:
            return {item.node.case}
        if isinstance(item.node, c.Ask):
            if choice.name != item.node.name:
                return {item.node.case}
            return AskSpace(ev, W, item.node, item.local).against(choice.args)
        if choice.name in ("done", "take_back"):
            return {""} if choice.args else self.word_against(item, choice.name)
        if choice.name not in self.open_actions(item):
            return {item.node.case}
        return ActionSpace(ev, W, self.oracle.book.actions[choice.name], item.side).against(choice.args)

    def open_actions(self, item: Pending) -> list[str]:
        assert isinstance(item.node, c.Offer)
        return [n for n, guard in item.node.actions if guard is None or self.table.value(guard, item.local)]

    def word_against(self, item: Pending, word: str) -> set[str]:
        """What keeps a window open, or a draft from being taken back."""
        if word == "take_back":
            return self.against_taking_back(item)
        unmet = {duty.case for duty, _ in lacking(self.table, failing=False)}
        if unmet and self.against_taking_back(item) and not any(space.any() for space in self.spaces(item)):
            return set()
        return unmet

    def against_taking_back(self, item: Pending) -> set[str]:
        """Nothing was drafted, something has been shown since, or what came since cannot be without it."""
        case = item.node.case
        if not item.draft or item.draft[-1][1] != self.S.revealed:
            return {case}
        refused = self.anew().redo(self, item.draft[-1][0])
        return refused | {case} if refused else set()

    def spaces(self, item: Pending) -> list[ActionSpace]:
        """The actions that a window offers now."""
        actions = self.oracle.book.actions
        return [ActionSpace(self.table.ev, self.table.W, actions[n], item.side) for n in self.open_actions(item)]

    # ------------------------------------------------------------ doing

    def do(self, index: int | None, choice: Choice) -> None:
        """Carry a choice out."""
        if choice.name == "take_back" and index is not None:
            self.take_back(index)
            return
        self.make(index, replace(choice))  # one object is one choice that was made

    def carry_out(self, index: int | None, choice: Choice) -> None:
        if index is None:
            go_on(self.flow, self.steps, (None, self.flow.called(choice)))
        else:
            go_on(self.flow, self.steps, (self.flow.pending[index], choice))

    def take_back(self, index: int) -> None:
        """Play the game again without the last drafted action and its parts; only what comes after it is told anew."""
        draft, log = self.flow.pending[index].draft, self.table.log
        assert draft
        again = self.anew()
        again.redo(self, draft[-1][0])
        self.__dict__.update(again.__dict__)
        self.table.log = log + self.table.log

    def anew(self) -> OracleGame:
        """The same game at its beginning."""
        return OracleGame(self.oracle, self.scenario, self.seed)

    def redo(self, game: OracleGame, action: Choice) -> set[str]:
        """Make the choices of a game again but for an action and its parts, until one that came later is refused.

        Gives the cases that speak against that one.
        """
        later = False
        for made in game.choices:
            later |= made.choice is action
            refused = self.make_unless(made, action, later)
            if refused:
                return refused
        return set()

    def make_unless(self, made: Made, action: Choice, later: bool) -> set[str]:
        """Make a choice again, unless it falls with an action that it came after."""
        if not later:
            self.make(made.at, made.choice)
        elif made.choice is action:
            self.table.log = []
        elif not made.falls_with(action):
            at = made.at if made.at is not None and made.at < len(self.flow.pending) else None
            refused = self.against(at, made.choice)
            if refused:
                return refused
            self.make(at, made.choice)
        return set()

    def make(self, at: int | None, choice: Choice) -> None:
        """Make a choice; one that is repeated is the very same object."""
        self.choices.append(Made(at, choice, tuple(self.flow.doing)))
        self.carry_out(at, choice)

    @property
    def winner(self) -> str | None:
        return self.S.winner

    def take_log(self) -> list[dict[str, Any]]:
        """What was logged since this was asked last."""
        found, self.table.log = self.table.log, []
        return found


def set_up(table: Table, info: ScenarioInfo) -> None:
    """Put a scenario's units and marks on its map."""
    table.S.play_on(info.map)
    for unit, place in sorted(info.units.items()):
        table.W.move([unit], place)
    for sort, name, value in info.marks:
        if sort == "reading":
            table.S.readings[name] = value
        elif sort == "game":
            table.W.give(f"game_{name}", None, value)
        else:
            table.W.give(f"{sort}_{name}", value[0], value[1])


def decision(item: Pending) -> Decision:
    node = item.node
    if isinstance(node, c.Ask):
        return Decision(item.side, "ask", node.name, node.case, node.secret)
    return Decision(item.side, "offer", " ".join(name for name, _ in node.actions), node.case)


WAITING: WeakSet[Steps] = WeakSet()
"""Games that wait for a decision. They are closed while the interpreter still stands: what they would do to leave their
blocks needs modules that are gone when it falls."""


@atexit.register
def close_all() -> None:
    """Close every game that is left waiting."""
    for steps in list(WAITING):
        steps.close()


def go_on(flow: Flow, steps: Steps, answer: Answer | None = None) -> None:
    """Run until a side must decide, or to the end; without an answer a procedure begins."""
    try:
        if answer is None:
            WAITING.add(steps)
            next(steps)
        else:
            steps.send(answer)
    except (StopIteration, Over):
        flow.pending = []
