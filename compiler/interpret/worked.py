"""Worked examples by the oracle.

In:  an example of the core.
Out: the lines of it that do not hold, each with the reason; none where it holds.
"""

from __future__ import annotations

from typing import Any, assert_never

from rulewright.runtime.problems import Conflict, Fault, Refusal
from rulewright.runtime.text import Choice

from ..core import nodes as c
from . import phases
from .actions import ActionSpace
from .flow import Flow, Pending, Steps
from .game import Made, Oracle, OracleGame, go_on, set_up
from .questions import AskSpace
from .values import NONSENSE, as_many
from .world import World


class Stop(Exception):
    """The example cannot go on."""


class Worked(OracleGame):
    """An example under way."""

    def __init__(self, oracle: Oracle, read: frozenset[str] | None = None) -> None:
        """`read` are the memories that the example can read, where that is known; no other looks at its position."""
        self.oracle, self.read = oracle, read
        self.choices = []
        self.steps: Steps
        self.lines: list[tuple[c.ExampleLine, Made | None]] = []
        self.clear()

    def clear(self) -> None:
        """An empty board."""
        self.table = self.oracle.empty(self.read)
        self.flow = Flow(self.table)
        self.under_way: list[str] = []
        self.stored: list[tuple[str, str, tuple[Any, ...], Any]] = []
        self.stands = False

    def run(self, example: c.Example) -> list[tuple[int, str]]:
        """What does not hold, by the number of the line in the text."""
        found: list[tuple[int, str]] = []
        for line in example.lines:
            try:
                problem = self.kept(line)
            except Stop as stop:
                return [*found, (line.span.line, str(stop))]
            except (Fault, Refusal, AssertionError, *NONSENSE) as error:
                return [*found, (line.span.line, f"{type(error).__name__}: {error}")]
            if problem is not None:
                found.append((line.span.line, problem))
        return found

    def value(self, e: c.Expr) -> Any:
        return self.table.ev.value(self.table.W, e, {})

    # ------------------------------------------------------------ lines

    def kept(self, line: c.ExampleLine) -> str | None:
        """Run a line and keep it, with the choice that it makes; one that takes back leaves what is kept then."""
        before = len(self.choices)
        problem = self.line(line)
        if not (isinstance(line, c.PlayLine) and line.name == "take_back"):
            self.lines.append((line, self.choices[-1] if len(self.choices) > before else None))
        return problem

    def line(self, line: c.ExampleLine) -> str | None:
        if isinstance(line, c.Given):
            self.given(line)
            return None
        if not self.stands:
            self.stands = True
            phases.begin(self.table, self.under_way)
            for kept in self.stored:
                self.store(*kept)
        match line:
            case c.Expected(test=test):
                return None if self.value(test) else "this does not hold"
            case c.ExpectedAsked(side=side, name=wanted):
                names = self.asked(self.value(side))
                return None if names and (wanted is None or wanted in names) else f"asked: {names}"
            case c.ExpectedQuiet():
                return f"something is asked: {self.decisions()}" if self.flow.pending else None
            case c.ExpectedConflict(value=value):
                try:
                    return f"no conflict: the value is {self.value(value)!r}"
                except Conflict:
                    return None
            case c.RunLine(procedure=name, given=given):
                p = self.oracle.book.procedures[name]
                args = [self.value(e) for e in given]
                self.start((p, dict(zip((x.name for x in p.params), args, strict=True))))
                return None
            case c.PlayLine():
                return self.play(line)
            case c.LegalLine() | c.RefusedLine():
                return self.judge(line)
            case _:
                assert_never(line)

    def start(self, called: tuple[c.Procedure, dict[str, Any]]) -> None:
        """Run something, in the middle of what is pending or by itself."""
        if self.flow.pending:
            go_on(self.flow, self.steps, (None, called))
        elif not self.S.over:
            self.steps = self.flow.call(*called)
            go_on(self.flow, self.steps)

    def given(self, line: c.GivenLine) -> None:
        """Set something up; nothing settles before the position stands."""
        table, S = self.table, self.S
        match line:
            case c.GivenAt(placed=placed):
                for units, place in placed:
                    table.W.changed(table.W.move(as_many(self.value(units)), self.value(place)))
                if self.stands:
                    table.settle()
            case c.GivenPhase(phase=phase):
                if self.stands:
                    S.phases.append(phase)
                    table.W.changed([("phase", phase)])
                    phases.start(table, phase)
                else:
                    self.under_way.append(phase)
            case c.GivenScenario(scenario=scenario):
                table.unremembered()
                set_up(table, self.oracle.program.scenarios[scenario])
                table.W = World(S)
            case c.GivenMap(map=name):
                table.unremembered()
                S.play_on(name)
                table.W = World(S)
            case c.GivenDice(faces=faces):
                S.dice["script"] = [*S.dice["script"], *(int(self.value(e)) for e in faces)]
            case c.GivenDraws(drawn=drawn):
                S.dice["draws"] = [*S.dice.get("draws", []), *(self.value(e) for e in drawn)]
            case c.GivenBound(name=name, value=value):
                table.W.bind(name, self.value(value))
            case c.GivenReading(name=name, value=value):
                S.readings[name] = self.value(value)
                table.W.changed([("reading", name)])
            case c.GivenMark(key=key, value=value, of=of):
                table.together += not self.stands
                table.set_mark("_".join(key), self.value(of) if of is not None else None, self.value(value), "")
                table.together -= not self.stands
            case c.GivenMemory(name=name):
                self.keep("past", line)
            case c.GivenSpent(name=name):
                self.keep("spent", line)
            case _:
                assert_never(line)

    def keep(self, column: str, line: c.GivenMemory | c.GivenSpent) -> None:
        """Put a value where the state remembers it, and again once the given phases have begun."""
        kept = (column, line.name, tuple(self.value(e) for e in line.asked), self.value(line.value))
        self.store(*kept)
        how = "at" if isinstance(line, c.GivenSpent) else self.oracle.book.memories[line.name].how
        if how in ("always", "ever") and self.table.told is not None:
            self.table.told.add(("memory", *kept[1:3]))
        if how == "at" and not self.stands:
            self.stored.append(kept)

    def store(self, column: str, name: str, key: tuple[Any, ...], value: Any) -> None:
        self.S.own(f"{column}_{name}")[key] = value
        self.table.W.changed([(column, name, key)])

    # ------------------------------------------------------------ choices

    def asked(self, side: str) -> list[str]:
        """The names of what a side may decide."""
        names = [n for d in self.decisions() if d.side == side for n in d.name.split()]
        return names + [name for name, who, way in self.standing() if who == side and way is not False]

    def item(self, side: str, name: str, word: bool) -> int | None:
        """The pending decision that a choice of this name answers."""
        for i, d in enumerate(self.decisions()):
            if d.side == side and ((word and d.sort == "offer") or name in d.name.split()):
                return i
        return None

    def choice(self, line: c.ChoiceLine) -> tuple[int | None, Choice]:
        name, side = line.name, self.value(line.side)
        args = [self.value(e) for e in line.given]
        at = self.item(side, name, line.sort == "word")
        if line.sort == "word":
            return at, Choice(0, side, name)
        if line.sort == "ask":
            value = args[0] if at is None else self.listed(self.flow.pending[at], args[0], line.given[0])
            return at, Choice(0, side, name, (("", value),))
        given: list[tuple[str, Any]] = []
        for p, value in zip(self.oracle.book.actions[name].params, args, strict=True):
            if p.type.name == "path" and len(value) == 1 and p.domain is not None:
                paths = self.table.ev.value(self.table.W, p.domain, {**dict(given), "actor": side})
                value = next((way for way in paths if way[-1] == value[0]), (*value, *value))
            given.append((p.name, value))
        return at, Choice(0, side, name, tuple(given))

    def listed(self, item: Pending, value: Any, e: c.Expr) -> Any:
        """An answer; a path given by its end alone is the listed path to that end."""
        if not isinstance(e, c.ListOf) or len(value) != 1 or not isinstance(item.node, c.Ask):
            return value
        if item.node.type.name != "path":
            return value
        space = AskSpace(self.table.ev, self.table.W, item.node, item.local)
        return next((p for p in space.members if p[-1] == value[0] and space.holds(p)), value)

    def grounds(self, at: int | None, choice: Choice) -> set[str]:
        if self.S.over:
            return {""}
        if at is None and not self.flow.pending and choice.name in self.oracle.book.actions:
            action = self.oracle.book.actions[choice.name]
            return ActionSpace(self.table.ev, self.table.W, action, choice.side).against(choice.args)
        return self.against(at, choice)

    def play(self, line: c.PlayLine) -> str | None:
        at, choice = self.choice(line)
        cases = self.grounds(at, choice)
        if cases:
            raise Stop(f"refused by {', '.join(sorted(cases))}")
        if at is None and not self.flow.pending:
            self.start(self.flow.called(choice))
        else:
            self.do(at, choice)
        return None

    def anew(self) -> Worked:
        return Worked(self.oracle, self.read)

    def redo(self, game: OracleGame, action: Choice) -> set[str]:
        """Run the lines of an example again, but for an action and its parts."""
        assert isinstance(game, Worked)
        later = False
        for line, made in game.lines:
            later |= made is not None and made.choice is action
            if made is None:
                self.kept(line)
                continue
            before = len(self.choices)
            refused = self.make_unless(made, action, later)
            if refused:
                return refused
            if len(self.choices) > before:
                self.lines.append((line, self.choices[-1]))
        return set()

    def judge(self, line: c.JudgedLine) -> str | None:
        cases = self.grounds(*self.choice(line))
        by = f"refused by {', '.join(sorted(cases))}"
        match line:
            case c.LegalLine():
                return by if cases else None
            case c.RefusedLine(cases=wanted):
                missing = [x for x in wanted if x not in cases]
                return "this is legal" if not cases else f"{by}, but not by {', '.join(missing)}" if missing else None
            case _:
                assert_never(line)
