"""A game played by the oracle: decisions, what may be chosen, and what a choice does.

In:  a book, a scenario and a seed, or a position to begin with.
Out: the same decisions, verdicts, states and log as generated code has for the same choices.

Choices are not checked before they are done: whoever compares asks for the verdict first. To take a draft back, the
game is played again without its last choice.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

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
from .values import as_many
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

    def new(self, scenario: str | None = None, seed: int = 0) -> OracleGame:
        """A game at its first decision."""
        return OracleGame(self, next(iter(self.program.scenarios)) if scenario is None else scenario, seed)

    def at(self, state: State) -> Table:
        """A table with a position of this book on it."""
        return Table(self.ev, World(State.from_plain(self.program, state.plain())))


class OracleGame:
    """One game; `choices` are those that still count."""

    def __init__(self, oracle: Oracle, scenario: str, seed: int) -> None:
        self.oracle, self.scenario, self.seed = oracle, scenario, seed
        self.choices: list[tuple[int | None, Choice]] = []
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
            return set() if item.draft else {item.node.case}
        unmet = {duty.case for duty, _ in lacking(self.table, failing=False)}
        if unmet and not item.draft and not any(space.any() for space in self.spaces(item)):
            return set()
        return unmet

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
        self.choices.append((index, choice))
        self.carry_out(index, choice)

    def carry_out(self, index: int | None, choice: Choice) -> None:
        if index is None:
            go_on(self.flow, self.steps, (None, self.flow.called(choice)))
        else:
            go_on(self.flow, self.steps, (self.flow.pending[index], choice))

    def take_back(self, index: int) -> None:
        """Play the game again without the last drafted action, and whatever was answered in it."""
        draft = self.flow.pending[index].draft
        assert draft
        last = draft[-1]
        keep = max(i for i, (_, choice) in enumerate(self.choices) if choice is last)
        log, self.choices = self.table.log, self.choices[:keep]
        self.table, self.flow, self.steps = self.begun()
        for at, choice in self.choices:
            self.carry_out(at, choice)
        self.table.log = log

    @property
    def winner(self) -> str | None:
        return self.S.winner

    def take_log(self) -> list[dict[str, Any]]:
        """What was logged since this was asked last."""
        found, self.table.log = self.table.log, []
        return found


def set_up(table: Table, info: ScenarioInfo) -> None:
    """Put a scenario's units and marks on the board."""
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
