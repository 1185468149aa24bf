"""A game under way: decisions, legal choices, doing and undoing them, saving.

In:  a program, a state at a decision, and choices.
Out: the state after each choice, the journal and the log.
Reports: `Refusal` of a choice that is not legal, `Fault` where the rules cannot go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from . import machine, ops
from .choices.drafts import Draft, Kept, of_window, record, shown_since, without_last
from .choices.duties import against_closing
from .choices.owed import unmet
from .choices.questions import ask_space
from .choices.spaces import ActionSpace, Space, WordSpace
from .files.past import Past
from .journal import Header, Journal
from .problems import Fault, Ground, Refusal, cases_of
from .program import Program
from .state import State
from .telling.faults import leads_home, listed_home, raise_located
from .telling.secrecy import open_question, parts, veiled_parts
from .telling.veils import veiled, veiled_units
from .telling.words import question, say, say_ground
from .text import WORDS, Choice, read_choice, show_choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Something that a side must decide (or may, when it is a standing offer)."""

    id: int
    side: str
    sort: str
    name: str
    case: str
    secret: bool = False


class Game:
    """One game of one rule set. All play goes through `do`."""

    def __init__(self, program: Program, state: State, journal: Journal | None = None) -> None:
        self.program = program
        self.state = state
        self.journal = Journal(Header()) if journal is None else journal
        self.log: list[dict[str, Any]] = []
        self._past = Past()

    # ------------------------------------------------------------ what is to be decided

    @property
    def over(self) -> bool:
        return self.state.over or not (self.state.pending or self.state.stack)

    @property
    def winner(self) -> str | None:
        return self.state.winner

    @property
    @leads_home
    def decisions(self) -> list[Decision]:
        """All that is pending, standing offers last."""
        found = self.pending
        return found + self._standing() if found else found

    @property
    def pending(self) -> list[Decision]:
        """What somebody must decide."""
        found = []
        for item in self.state.pending:
            info, asked = self._info(item), item["sort"] == "ask"
            name = info.name if asked else " ".join(action for action, _ in info.actions)
            at = {"id": item["id"], "side": item["side"], "sort": item["sort"]}
            found.append(Decision(**at, name=name, case=info.case, secret=asked and info.secret))
        return found

    def _standing(self) -> list[Decision]:
        found: list[Decision] = []
        sides = self.program.sides
        for i, action in enumerate(self.program.actions.values()):
            anytime = action.anytime and not self.state.together
            for side in ops.as_many(action.by(self.state)) if anytime else ():
                if next(ActionSpace(self.state, action, side).listing(), None) is not None:
                    key = -1 - i * len(sides) - sides.index(side)
                    found.append(Decision(id=key, side=side, sort="standing", name=action.name, case=action.case))
        return found

    def _info(self, item: dict[str, Any]) -> Any:
        return (self.program.asks if item["sort"] == "ask" else self.program.offers)[item["ref"]]

    def _local(self, item: dict[str, Any]) -> dict[str, Any]:
        local: dict[str, Any] = self.state.stack[item["frame"]][2]
        return local

    def _pending(self, decision: int) -> dict[str, Any] | None:
        return next((x for x in self.state.pending if x["id"] == decision), None)

    @leads_home
    def spaces(self, decision: Decision) -> list[Space]:
        """The ways to answer a decision: a question has one; a window has its actions, `done` and `take_back`."""
        item = self._pending(decision.id)
        if item is not None:
            return self._spaces(item)
        standing = decision.sort == "standing"
        return [ActionSpace(self.state, self.program.actions[decision.name], decision.side)] if standing else []

    def _spaces(self, item: dict[str, Any]) -> list[Space]:
        S, info, local = self.state, self._info(item), self._local(item)
        if item["sort"] == "ask":
            return [ask_space(S, info, local)]
        open_now = [name for name, guard in info.actions if guard is None or guard(S, local)]
        actions = [ActionSpace(S, self.program.actions[name], item["side"]) for name in open_now]
        back = WordSpace("take_back", lambda: self._against_taking_back(item["case"], of_window(S, local)))
        return [*actions, WordSpace("done", lambda: against_closing(S, actions, back)), back]

    def drafts(self, decision: Decision) -> bool:
        """Whether a decision is a window whose actions can be taken back until it closes."""
        item = self._pending(decision.id)
        return item is not None and item["sort"] == "offer" and self._info(item).sort == "draft"

    @listed_home
    def legal(self, side: str | None = None) -> Iterator[Choice]:
        """The legal choices, lazily and in a fixed order."""
        for decision in self.decisions:
            if side is None or decision.side == side:
                for space in self.spaces(decision):
                    for args in space.listing():
                        yield Choice(decision.id, decision.side, space.name, args)

    # ------------------------------------------------------------ why

    @leads_home
    def refusals(self, choice: Choice) -> list[Ground]:
        """Why a choice is refused; nothing when it is legal."""
        if self.over:
            return [Ground(label="the game is over")]
        item = self._pending(choice.decision)
        if item is None:
            action = self.program.actions.get(choice.name)
            if choice.decision < 0 and action is not None and action.anytime and not self.state.together:
                return ActionSpace(self.state, action, choice.side).refusals(choice.args)
            now = "; ".join(f"{d.side} decides {d.name}" for d in self.decisions)
            return [Ground(label=f"that decision is not pending: {now}")]
        if item["side"] != choice.side:
            return [Ground(case=item["case"], label=f"{say(self.program, 'kind:side', item['side'])} decides this")]
        for space in self._spaces(item):
            if space.name == choice.name:
                return space.refusals(choice.args)
        info = self._info(item)
        if item["sort"] == "ask":
            asked = question(self.program, item["ref"], self._local(item))
            return [Ground(case=info.case, label=f"this is asked: {asked}", where=info.where)]
        names = ", ".join(name for name, _ in info.actions)
        return [Ground(case=info.case, label=f"{choice.name} is not offered now ({names})", where=info.where)]

    def reasons(self, choice: Choice, grounds: Sequence[Ground]) -> str:
        """Why a choice is refused, in words."""
        given = {**dict(choice.args), "actor": choice.side}
        return "; ".join(dict.fromkeys(filter(None, (say_ground(self.program, g, given) for g in grounds))))

    def asks(self, decision: Decision) -> str:
        """What a side is asked, in words; nothing for a window."""
        item = self._pending(decision.id)
        return question(self.program, item["ref"], self._local(item)) if item and item["sort"] == "ask" else ""

    @leads_home
    def why(self, choice: Choice | str) -> Any:
        """Why a choice is legal or refused: the cases, and the values they saw.

        A text that is no choice is an expression; only a game whose book was loaded by the compiler answers for that.
        """
        from .telling.explain import why

        return why(self, choice)

    # ------------------------------------------------------------ choices as text

    def show(self, choice: Choice) -> str:
        """A choice on one line, as `read` reads it."""
        item = self._pending(choice.decision)
        types = {"": self._info(item).type} if item is not None and item["sort"] == "ask" else None
        return show_choice(self.program, choice, types)

    @leads_home
    def read(self, text: str) -> Choice:
        """A choice from its text, addressed to the pending decision that it fits."""
        asked = {i.name: i.type for i in map(self._info, (x for x in self.state.pending if x["sort"] == "ask"))}
        choice = read_choice(self.program, text, asked, self.state.map)
        mine = [d for d in self.decisions if d.side == choice.side]
        for d in mine:
            if choice.name in d.name.split() or (d.sort == "offer" and choice.name in WORDS):
                return self._canonical(replace(choice, decision=d.id))
        return replace(choice, decision=mine[0].id if mine else 0)

    def _canonical(self, choice: Choice) -> Choice:
        """The answer to a question in the one order that the state keeps, where it is legal."""
        item = self._pending(choice.decision)
        if item is None or item["sort"] != "ask":
            return choice
        space = ask_space(self.state, self._info(item), self._local(item))
        if space.refusals(choice.args):
            return choice
        return replace(choice, args=(("", space.canonical(choice.args[0][1])),))

    # ------------------------------------------------------------ doing

    def do(self, choice: Choice | str) -> None:
        """Carry a choice out, or refuse it and leave everything as it was; so does whatever interrupts it."""
        if isinstance(choice, str):
            choice = self.read(choice)
        grounds = self.refusals(choice)
        shown = self.show(choice)
        if grounds:
            cases, reasons = ", ".join(cases_of(grounds)), self.reasons(choice, grounds)
            by = (f" by {cases}" if cases else "") + (f": {reasons}" if reasons else "")
            raise Refusal(f"{shown} is refused{by}", tuple(grounds))
        before, made = self.state.plain(), len(self.journal)
        asked = self._pending(choice.decision)
        hidden = asked is not None and asked["sort"] == "ask" and bool(self._info(asked).secret)
        told: dict[str, Any] = {"event": "choice", "text": shown, "case": "", "side": choice.side, "secret": hidden}
        told |= {"name": choice.name, "phases": list(self.state.phases)}
        if choice.name in self.program.actions:
            told["parts"] = parts(self.program, self.state, choice)
        elif asked is not None and asked["sort"] == "ask":
            told |= self._answered(asked, choice)
        type = self._info(asked).type if asked is not None and asked["sort"] == "ask" else ""
        told |= ops.kept_from(veiled_parts(self.program, self.state, choice, type))
        eyes = (choice.side,) if not type else self.program.sides
        unseen = {side: veiled_units(self.state, side) for side in eyes}
        try:
            self._apply(choice)
            machine.run(self.state)
            self.journal.append(choice.plain())
        except BaseException as error:
            if len(self.journal) > made:  # interrupted when it was written down already
                self._made(before, told)
                raise
            case = self.program.procedures[self.state.stack[-1][0]].case if self.state.stack else ""
            self.state = State.from_plain(self.program, before)
            if not isinstance(error, Exception):
                raise
            raise_located(error, case)
        told |= self._learned(unseen)
        self._made(before, told)

    def _learned(self, unseen: dict[str, list[int]]) -> dict[str, Any]:
        """Whether a side now sees units that were veiled from it before a choice: that cannot be taken back.

        It is asked of the side that chose, and of all where it answered another's question. Whoever uncovers a unit of
        its own by moving has learned nothing.
        """
        S = self.state
        seen = any(S.at[u] is None or not veiled(S, u, side) for side, units in unseen.items() for u in units)
        return {"learned": True} if seen else {}

    def _answered(self, asked: dict[str, Any], choice: Choice) -> dict[str, Any]:
        """A question and its answer in words, and whether others may read the question: it may name what is kept."""
        ref, local = asked["ref"], self._local(asked)
        answer = say(self.program, self._info(asked).type, choice.args[0][1])
        told = {"asked": question(self.program, ref, local), "answer": answer, "ways": [choice.args[0][1]]}
        return {**told, "open": open_question(self.state, asked)}

    def _made(self, before: dict[str, Any], told: dict[str, Any]) -> None:
        """A choice has been carried out: keep how it was before, and log it."""
        logged = len(self.log)
        self.log += [told, *(self.state.log or ())]
        self.state.log = []
        self._past.add(before, logged)

    def _was(self, at: int) -> State:
        """The position before a choice that can be undone; one that was not kept is played again from one that was."""
        kept, before = self._past.nearest(at)
        game = Game(self.program, State.from_plain(self.program, before))
        first = len(self.journal) - len(self._past)
        for event in islice(self.journal.events(), first + kept, first + at):
            game.playout(Choice.from_plain(event))
            game.state.log = []
        return game.state

    @leads_home
    def playout(self, choice: Choice) -> None:
        """Carry out a choice that a space of this game has given, for good: not checked again, kept or written down."""
        self._apply(choice)
        machine.run(self.state)

    def take_log(self) -> None:
        """Move what the state has logged into the game's log."""
        self.log += self.state.log or ()
        self.state.log = []

    def _apply(self, choice: Choice) -> None:
        S = self.state
        item = self._pending(choice.decision)
        args = {**dict(choice.args), "actor": choice.side}
        if S.drafts and choice.name != "take_back":
            record(S, item, choice)
        if item is None:
            machine.interrupt(S, self.program.actions[choice.name].procedure, args)
        elif item["sort"] == "ask":
            space = ask_space(S, self._info(item), self._local(item))
            machine.answer(S, item, space.canonical(choice.args[0][1]))
        elif choice.name == "take_back":
            self._take_back(of_window(S, self._local(item)))
        elif choice.name == "done":
            failed = [(duty, m) for duty, lacking in unmet(S, True) for m in lacking]
            machine.close(S, item)
            for duty, m in reversed(failed):
                machine.push(S, str(duty.failing), {duty.var: m[0]} if duty.var is not None else {})
        else:
            machine.act(S, item, self.program.actions[choice.name].procedure, args)

    def _against_taking_back(self, case: str, draft: Draft) -> list[Ground]:
        """Why the last drafted action stands."""
        if not draft:
            return [Ground(case=case, label="nothing to take back")]
        if shown_since(self.state, draft):
            return [Ground(case=case, label="a die or something hidden has been shown since")]
        known = bool(draft[0])  # what a side may not see is veiled: it learns of the rest when it tries
        return self._without_last(case, draft)[1] if known and without_last(draft)[1] else []

    def _without_last(self, case: str, draft: Draft) -> tuple[State, list[Ground]]:
        """The position without the last drafted action, or why what was done out of turn since is impossible there."""
        game = Game(self.program, State.from_plain(self.program, draft[0]))
        before, since = without_last(draft)
        for kept in before:
            game.playout(game._kept(kept))
        game.state.log = []  # what was before has been logged; what came after it is done anew
        for kept in since:
            choice = game._kept(kept)
            if grounds := game.refusals(choice):
                stands = Ground(case=case, label=f"{choice.name} came after it and is not possible without it")
                return game.state, [stands, *grounds]
            game.playout(choice)
        return game.state, []

    def _kept(self, kept: Kept) -> Choice:
        """A choice of a draft, addressed to what is pending now."""
        _, at, _, *what = kept
        there = 0 <= at < len(self.state.pending)
        return Choice(self.state.pending[at]["id"] if there else -1, *what)

    def _take_back(self, draft: Draft) -> None:
        """Take the last drafted action back: begin the window anew and repeat the rest."""
        S = self.state
        self.state, _ = self._without_last("", draft)
        self.state.log = [*(S.log or ()), *(self.state.log or ())]
        self.state.counter = max(self.state.counter, S.counter) + 1
        for item in self.state.pending:
            item["id"] = self.state.counter
            self.state.counter += 1

    # ------------------------------------------------------------ undo, save, check

    def undo(self, agreed: bool = False, steps: int = 1, but: Sequence[Choice] = ()) -> None:
        """Take the last choices back, all or none of them, unless a die or a secret has been shown since.

        Those in `but` are made again: questions of others that stood open before, and that they have answered since.
        """
        if len(self._past) < steps:
            raise Refusal("there is nothing to undo")
        at = len(self._past) - steps
        logged = self._past[at][1]
        state = self._was(at)
        learned = any(entry.get("learned") for entry in self.log[logged:])
        if (state.revealed != self.state.revealed or learned) and not agreed:
            raise Refusal("a die or something hidden has been shown since; undo needs the table's agreement")
        self.journal.truncate(len(self.journal) - steps)
        self.state = state
        del self._past[at:], self.log[logged:]
        for choice in but:
            self.do(choice)

    def save(self, path: str | Path) -> None:
        """Write the game to a file that `resume` reads anywhere."""
        self.journal.snapshot(self.state.plain())
        self.journal.save_as(Path(path))

    @leads_home
    def check(self) -> None:
        """Check the book's invariants; a broken one is a fault."""
        for name, case, test in self.program.invariants:
            if not test(self.state):
                raise Fault(f"the invariant {name} does not hold", case)

    def digest(self) -> str:
        return self.state.digest()

    @leads_home
    def value(self, name: str, *args: Any) -> Any:
        """The value of a definition now."""
        return self.program.values[name][0](self.state, *args)
