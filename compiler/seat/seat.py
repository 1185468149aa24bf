"""One side at a table: what it sees, what it may pick now, and what each pick leads to.

In:  a table and a side; picks by number.
Out: the steps of the choice that is being built, the lines of the log, the standing of the game, explanations.
Reports: `Refusal` of what cannot be picked or taken back.

Every face of a game draws this and nothing else: the terminal's desk adds typed lines to it, the page in the browser
adds a map to click on. Everything is taken from the side's own view of the game, so that nothing secret can leak.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from rulewright.runtime.doctrine.told import NOBODY, why_that
from rulewright.runtime.game import Decision, Game
from rulewright.runtime.notation import label
from rulewright.runtime.problems import Refusal
from rulewright.runtime.reading import printable
from rulewright.runtime.telling.diary import Diary
from rulewright.runtime.telling.panel import panel
from rulewright.runtime.telling.secrecy import shut
from rulewright.runtime.telling.words import heading, phase_words
from rulewright.runtime.text import Choice, choice_types
from rulewright.runtime.view import blinded, decisions_for, log_for, why_for

from ..evaluate.problems import Unread
from .pick import Picker, Planned, Several, Step, lacking
from .table import Table


class Seat:
    """The state of one side's interface; `steps` are those of the choice that is being built, the first one first."""

    def __init__(self, table: Table, side: str = "") -> None:
        self.table = table
        self.side = side
        self.seen: Game = table.game
        self.decisions: list[Decision] = []
        self.ways: Step | None = None
        self.steps: list[Step] = []
        self.message = ""
        self.page: tuple[str, list[str]] | None = None
        self.lines: list[str] = []

    # ------------------------------------------------------------ what is before the person

    @property
    def step(self) -> Step:
        return self.steps[-1]

    def look_again(self) -> None:
        """Begin with what is to be decided now; the kind of action that was picked last stays open where it can."""
        sticky = self.steps[1].title.split(" › ")[0] if len(self.steps) > 1 else ""
        self.refresh(self.side)
        self.decisions = [d for d in decisions_for(self.seen, self.side) if d.side == self.side]
        self.ways, self.steps = None, []
        if not self.decisions or self.table.over:
            return
        self.ways = Picker(self.seen, self.table.facts, self.side).begin(self.decisions)
        if self.waiting():
            self.ways.hint = "others decide now; you may step in, or pass"
        self.steps = [self.ways]
        self.turned()
        if sticky:
            self.reopen(sticky)

    def waiting(self) -> bool:
        """Whether the side has only standing offers to decide."""
        return bool(self.decisions) and all(d.sort == "standing" for d in self.decisions)

    def refresh(self, side: str) -> None:
        self.side = side
        self.seen = blinded(self.table.game, side)
        self.lines = self.told_log(self.table.detail)

    def told_log(self, detail: bool) -> list[str]:
        """The side's own log as lines."""
        return Diary(self.table.game.program, self.side, detail).lines(log_for(self.table.game, self.side))

    def reopen(self, name: str) -> None:
        """Offer the same kind of action again, if it is still possible."""
        again = next((x for x in self.ways.items if x.text == name), None) if self.ways else None
        if again is not None and not again.shut and self.ways is not None:
            made = self.ways.then(again.value)
            if isinstance(made, Step):
                self.push(made)

    def push(self, step: Step) -> None:
        another = step is not self.step
        if another:
            self.steps.append(step)
        self.turned(another)

    def turned(self, to_another: bool = True) -> None:
        """A step lies open, another one or the same with more picked; a face may want to know."""

    # ------------------------------------------------------------ picking

    def pick(self, step: Step, n: int, times: int = 1) -> Any:
        """What follows line `n` (from 1) of a step."""
        if not 1 <= n <= len(step.items):
            raise Refusal(f"there is no line {n}; the list has {len(step.items)}")
        item = step.items[n - 1]
        if item.shut:
            raise Refusal(f"{item.text}: not yet: {item.shut}")
        return step.pick(n - 1, times)

    def take(self, made: Any) -> None:
        """Continue with the next step, or make a complete choice."""
        if isinstance(made, str):
            self.message = made
        elif isinstance(made, Choice):
            self.choose(made)
        elif isinstance(made, Step):
            while made in self.steps[:-1] and made is not self.step:
                self.steps.pop()
            self.push(made)

    def choose(self, choice: Choice) -> None:
        """Make a choice, or say why it is refused."""
        if self.seen.refusals(choice):
            self.page = ("refused", why_for(self.table.game, self.side, choice).splitlines())
            return
        self.table.do(self.side, choice)
        self.chosen()

    def chosen(self) -> None:
        """A choice has been made: the game goes on."""

    def close(self) -> None:
        """Finish a set, an order, shares or a plan."""
        made = self.step.close()
        if made is None:
            raise Refusal("there is nothing to close here; pick a line")
        self.take(made)

    def fill(self, every: bool) -> None:
        if not self.step.fill(every):
            raise Refusal("one line is to be picked here")

    def back(self) -> None:
        if len(self.steps) < 2:
            raise Refusal("this is the first step; undo takes back what has been done")
        self.steps.pop()
        self.turned()

    def let_go(self) -> None:
        """Let the others go on, where this side could step in at any time."""
        if not self.waiting():
            raise Refusal("something is to be decided here; done finishes a step where that is allowed")
        self.table.passed |= {self.table.key(d) for d in self.decisions}
        self.steps = []

    # ------------------------------------------------------------ words about it

    def status(self) -> str:
        """Book, time and phase in one line."""
        game = self.seen
        program = game.program
        bound = {b: label(program, t, getattr(game.state, "bind_" + b)) for b, t in program.bindings.items()}
        turn = [bound[b] for b, t in program.bindings.items() if t == "turn" and bound[b] != "nothing"]
        whose = [bound[b] for b, t in program.bindings.items() if t == "kind:side" and bound[b] in program.sides]
        phases = [phase_words(program, p) for p in game.state.phases[-2:]]
        scenario = self.table.game.journal.header.scenario
        told = () if program.shown else (*turn[:1], *whose[:1])  # what the book shows stands behind it
        return " · ".join(filter(None, (program.name, scenario, *told, " › ".join(phases))))

    def standing(self, before: str = "") -> str:
        """The state that the book shows its players, in one line; with something before it, where there is any."""
        told = " · ".join(f"{name}: {value}" for name, value in panel(self.seen, self.side))
        return f"{before}{told}" if told else ""

    def question(self) -> str:
        """The question: who decides what, by which case."""
        if not self.steps:
            return self.ending()
        title = self.seen.program.cases.get(self.step.case, "")
        cited = f"  [{self.step.case} {title}".rstrip() + "]" if self.step.case else ""
        return f"{heading(self.seen.program, 'kind:side', self.side)}: {self.step.title}{cited}"

    def hints(self) -> list[str]:
        """What the player can type, and how much of the answer is complete."""
        if not self.steps:
            return []
        back = "back returns" if len(self.steps) > 1 else ""
        return [x for x in ("; ".join(filter(None, (self.step.hint, back))), self.step.state()) if x]

    def step_built(self) -> bool:
        """Whether the answer of the step is built member by member."""
        return bool(self.steps) and type(self.step) is not Step

    def ending(self) -> str:
        game = self.table.game
        if not game.over:
            return f"stopped after {self.table.made} choices"
        return f"the game is over: {game.winner} wins" if game.winner else "the game is over: nobody wins"

    def told(self, place: int) -> str:
        """A place in one line: name, what lies there, who holds it, who stands there."""
        S, facts = self.seen.state, self.table.facts
        held = facts.holder(self.seen, place) if place < self.seen.program.board.hexes else None
        units = [] if shut(self.seen.program.board, place, self.side) else S.here[place]
        here = ", ".join(f"{self.seen.program.units[u]} {facts.points(u)}".rstrip() for u in units)
        parts = (facts.lies_in(place), f"held by {held}" if held else "", here)
        return f"{facts.place(place)}: " + ("; ".join(filter(None, parts)) or "nothing")

    def short(self, choice: Choice) -> str:
        """A choice as its values alone: `{O15, P15} › {47 Panzer}`."""
        types = choice_types(self.seen.program, choice.name)
        shown = (label(self.seen.program, types.get(name, ""), value) for name, value in choice.args)
        return " › ".join(shown) or choice.name

    # ------------------------------------------------------------ why

    def why(self, choice: Choice) -> list[str]:
        """Why a choice is legal or refused, and what is still to be done where a duty stands against it."""
        lines = why_for(self.table.game, self.side, choice).splitlines()
        told = (lacking(self.seen, g, 40) for g in self.seen.refusals(choice))
        return [*lines, *(f"  still to do{text}" for text in told if text)]

    def why_that(self, back: int = 0) -> list[str]:
        """Why an opponent who follows a doctrine chose as it did, as far as this side may know."""
        players = [self.table.players[side] for side in self.table.game.program.sides]
        return why_that(players, self.side or NOBODY, back, self.table.game)

    def meant_line(self, step: Step, n: int) -> Choice:
        """The choice that a line stands for: a set as built so far, else the first choice that the line leads to."""
        if isinstance(step, Several | Planned):
            return self.first(step.then(step.value()))
        return self.first(step.then(step.items[n - 1].value))

    def meant_place(self, place: int) -> Any:
        """A place as a value of the type that the step asks for, even if it is not listed; None where it is none."""
        if not self.steps or type(self.step) is not Step or self.step.kinds or not self.step.items:
            return None
        first = self.step.items[0]
        known = first.value
        if isinstance(known, tuple) and known and isinstance(known[0], int):
            return straight(self.seen, known[0], place) or None
        return place if first.unit is None and first.place == known else None

    def explained(self, text: str) -> list[str]:
        """The explained value of an expression, as far as this side may know it."""
        try:
            return why_for(self.table.game, self.side, text).splitlines()
        except Unread as error:
            said = f'"{printable(text)}" is no line here and no choice; as an expression: {error}'
            raise Refusal(said) from None

    def first(self, made: Any) -> Choice:
        """A choice as it is, or the first one that a step leads to."""
        for _ in range(8):
            if isinstance(made, Choice):
                return made
            if not isinstance(made, Step) or not made.items or type(made) is not Step:
                break
            made = made.then(made.items[0].value)
        raise Refusal("this is not a whole choice yet; pick on, or type it whole")


def straight(game: Game, start: int, goal: int) -> tuple[int, ...]:
    """A shortest path over the map regardless of rules, to explain why it is not allowed."""
    before: dict[int, int] = {start: start}
    todo = deque([start])
    while todo and goal not in before:
        here = todo.popleft()
        for near in game.program.board.neighbors[here]:
            if near not in before:
                before[near] = here
                todo.append(near)
    if goal not in before or goal == start:
        return ()
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return tuple(reversed(way))
