"""A game under way: decisions, legal choices, doing, undoing, saving and resuming."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import canon, machine, ops
from .journal import Header, Journal, SaveProblem
from .problems import Fault, Ground, Refusal
from .program import Program
from .spaces import ActionSpace, AskSpace, ask_space
from .state import State, fresh
from .text import Choice, read_choice, show_choice


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

    def __init__(self, program: Program, state: State, journal: Journal) -> None:
        self.program = program
        self.state = state
        self.journal = journal
        self.log: list[dict[str, Any]] = []
        self._past: list[tuple[dict[str, Any], int]] = []

    # ------------------------------------------------------------ what is to be decided

    @property
    def over(self) -> bool:
        return self.state.over or not (self.state.pending or self.state.stack)

    @property
    def winner(self) -> str | None:
        return self.state.winner

    @property
    def decisions(self) -> list[Decision]:
        """All that is pending, standing offers last."""
        found = []
        for item in self.state.pending:
            info = self._info(item)
            name = info.name if item["sort"] == "ask" else " ".join(a for a, _ in info.actions)
            secret = item["sort"] == "ask" and info.secret
            found.append(
                Decision(id=item["id"], side=item["side"], sort=item["sort"], name=name, case=info.case, secret=secret)
            )
        if found:
            found += self._standing()
        return found

    def _standing(self) -> list[Decision]:
        found: list[Decision] = []
        if self.state.together:
            return found
        for action in self.program.actions.values():
            if not action.anytime:
                continue
            by = action.by(self.state)
            for side in by if isinstance(by, tuple) else (by,):
                if side is None:
                    continue
                space = ActionSpace(self.state, action, side)
                if next(space.listing(), None) is not None:
                    index = list(self.program.actions).index(action.name)
                    key = -1 - index * len(self.program.sides) - self.program.sides.index(side)
                    found.append(Decision(id=key, side=side, sort="standing", name=action.name, case=action.case))
        return found

    def _info(self, item: dict[str, Any]) -> Any:
        return (self.program.asks if item["sort"] == "ask" else self.program.offers)[item["ref"]]

    def _pending(self, decision: int) -> dict[str, Any] | None:
        return next((x for x in self.state.pending if x["id"] == decision), None)

    def space(self, decision: int) -> AskSpace:
        """The space of a pending ask."""
        item = self._pending(decision)
        if item is None or item["sort"] != "ask":
            raise Refusal("no such question is pending")
        return ask_space(self.state, self.program.asks[item["ref"]], self.state.stack[item["frame"]][2])

    def action_spaces(self, decision: int) -> list[ActionSpace]:
        """The actions that a window offers now."""
        item = self._pending(decision)
        if item is None:
            return []
        info = self.program.offers[item["ref"]]
        local = self.state.stack[item["frame"]][2]
        found = []
        for name, guard in info.actions:
            if guard is None or guard(self.state, local):
                found.append(ActionSpace(self.state, self.program.actions[name], item["side"]))
        return found

    def legal(self, side: str | None = None) -> Iterator[Choice]:
        """The legal choices, lazily and in a fixed order."""
        for decision in self.decisions:
            if side is not None and decision.side != side:
                continue
            if decision.sort == "ask":
                for value in self.space(decision.id).listing():
                    yield Choice(decision.id, decision.side, decision.name, (("", value),))
            elif decision.sort == "standing":
                action = self.program.actions[decision.name]
                for args in ActionSpace(self.state, action, decision.side).listing():
                    yield _action_choice(decision.id, decision.side, action, args)
            else:
                for space in self.action_spaces(decision.id):
                    for args in space.listing():
                        yield _action_choice(decision.id, decision.side, space.info, args)
                if not self.unmet(decision.id):
                    yield Choice(decision.id, decision.side, "done")
                if self.drafted(decision.id):
                    yield Choice(decision.id, decision.side, "take_back")

    # ------------------------------------------------------------ duties

    def unmet(self, decision: int) -> list[Ground]:
        """The duties that keep a window open: unmet, with no rule for failing them."""
        item = self._pending(decision)
        if item is None:
            return []
        found = []
        for duty in self.program.duties:
            if duty.failing is None and any(p in self.state.phases for p in duty.phases):
                lacking = [m for m in duty.domain(self.state) if not duty.met(self.state, *m)]
                if lacking:
                    found.append(Ground(case=duty.case, label=duty.name, where="", trail=tuple(lacking)))
        if (
            found
            and not self.drafted(decision)
            and not any(next(s.listing(), None) is not None for s in self.action_spaces(decision))
        ):
            return []
        return found

    def _failed_duties(self) -> list[tuple[str, dict[str, Any]]]:
        found: list[tuple[str, dict[str, Any]]] = []
        for duty in self.program.duties:
            if duty.failing is not None and any(p in self.state.phases for p in duty.phases):
                for m in duty.domain(self.state):
                    if not duty.met(self.state, *m):
                        found.append((duty.failing, {duty.var: m[0]} if duty.var is not None else {}))
        return found

    # ------------------------------------------------------------ why

    def refusals(self, choice: Choice) -> list[Ground]:
        """Why a choice is refused; nothing when it is legal."""
        if self.over:
            return [Ground(case="", label="the game is over", where="")]
        item = self._pending(choice.decision)
        if item is None:
            anytime = choice.name in self.program.actions and self.program.actions[choice.name].anytime
            if choice.decision < 0 and anytime and not self.state.together:
                return self._action_refusals(self.program.actions[choice.name], choice)
            now = "; ".join(f"{d.side} decides {d.name}" for d in self.decisions)
            return [Ground(case="", label=f"that decision is not pending: {now}", where="")]
        if item["side"] != choice.side:
            return [Ground(case=item["case"], label=f"{item['side']} decides this", where="")]
        if item["sort"] == "ask":
            info = self.program.asks[item["ref"]]
            if choice.name != info.name or len(choice.args) != 1:
                return [Ground(case=info.case, label=f"the question is {info.name}", where=info.where)]
            return self.space(choice.decision).refusals(choice.args[0][1])
        if choice.name == "done":
            return self.unmet(choice.decision)
        if choice.name == "take_back":
            ready = self.drafted(choice.decision)
            return [] if ready else [Ground(case=item["case"], label="nothing to take back", where="")]
        for space in self.action_spaces(choice.decision):
            if space.info.name == choice.name:
                return self._action_refusals(space.info, choice)
        info_ = self.program.offers[item["ref"]]
        names = ", ".join(a for a, _ in info_.actions)
        return [Ground(case=info_.case, label=f"{choice.name} is not offered now ({names})", where=info_.where)]

    def _action_refusals(self, action: Any, choice: Choice) -> list[Ground]:
        given = dict(choice.args)
        missing = [p.name for p in action.params if p.name not in given]
        if missing:
            return [Ground(case=action.case, label="missing: " + ", ".join(missing), where="")]
        args = tuple(given[p.name] for p in action.params)
        try:
            return ActionSpace(self.state, action, choice.side).refusals(args)
        except (TypeError, IndexError, KeyError, ValueError, AttributeError):
            return [Ground(case=action.case, label="these arguments make no sense", where="")]

    def why(self, choice: Choice | str) -> Any:
        """Why a choice is legal or refused: the cases, and the values they saw."""
        from .explain import why

        return why(self, choice)

    def explain(self, name: str, *args: Any) -> Any:
        """How the value of a definition comes about now, case by case."""
        from .explain import explain

        return explain(self, name, *args)

    # ------------------------------------------------------------ what one side may know

    def view(self, side: str) -> dict[str, Any]:
        """The position as a side may see it."""
        from .view import view

        return view(self, side)

    def log_for(self, side: str) -> list[dict[str, Any]]:
        """The log as a side may read it."""
        from .view import log_for

        return log_for(self, side)

    # ------------------------------------------------------------ doing

    def do(self, choice: Choice | str) -> None:
        """Carry a choice out, or refuse it and leave everything as it was."""
        if isinstance(choice, str):
            choice = self.read(choice)
        grounds = self.refusals(choice)
        if grounds:
            cases = ", ".join(dict.fromkeys(g.case for g in grounds if g.case))
            reasons = "; ".join(dict.fromkeys(g.label for g in grounds if g.label))
            raise Refusal(
                f"{self.show(choice)} is refused"
                + (f" by {cases}" if cases else "")
                + (f": {reasons}" if reasons else ""),
                tuple(grounds),
            )
        before = self.state.plain()
        shown = self.show(choice)
        asked = self._pending(choice.decision)
        hidden = asked is not None and asked["sort"] == "ask" and bool(self._info(asked).secret)
        logged = len(self.log)
        try:
            self._apply(choice)
            machine.run(self.state)
        except Exception as error:
            case = self.program.procedures[self.state.stack[-1][0]].case if self.state.stack else ""
            self.state = State.from_plain(self.program, before)
            if isinstance(error, TypeError | IndexError | KeyError | AttributeError):
                raise Fault(f"a value that a rule asks for is not there: {error}", case) from error
            raise
        self._past.append((before, logged))
        self.log.append({"event": "choice", "text": shown, "case": "", "side": choice.side, "secret": hidden})
        self.log += self.state.log
        self.state.log = []
        self.journal.append(choice.plain())

    def show(self, choice: Choice) -> str:
        """A choice on one line, as `read` reads it."""
        item = self._pending(choice.decision)
        types = {"": self._info(item).type} if item is not None and item["sort"] == "ask" else None
        return show_choice(self.program, choice, types)

    def read(self, text: str) -> Choice:
        """A choice from its text, addressed to the pending decision that it fits."""
        asked = {i.name: i.type for i in map(self._info, (x for x in self.state.pending if x["sort"] == "ask"))}
        choice = read_choice(self.program, text, asked=asked)
        mine = [d for d in self.decisions if d.side == choice.side]
        for d in mine:
            fits = d.name == choice.name if d.sort != "offer" else choice.name in (*d.name.split(), "done", "take_back")
            if fits:
                args = choice.args
                if d.sort == "ask" and len(args) == 1 and not (space := self.space(d.id)).refusals(args[0][1]):
                    args = (("", space.canonical(args[0][1])),)
                return Choice(d.id, choice.side, choice.name, args)
        return Choice(mine[0].id if mine else 0, choice.side, choice.name, choice.args)

    def _apply(self, choice: Choice) -> None:
        S = self.state
        item = self._pending(choice.decision)
        if item is None:
            action = self.program.actions[choice.name]
            machine.interrupt(S, action.procedure, {**dict(choice.args), "actor": choice.side})
            return
        local = S.stack[item["frame"]][2]
        if item["sort"] == "ask":
            info = self.program.asks[item["ref"]]
            value = self.space(choice.decision).canonical(choice.args[0][1])
            local[info.name] = value
            S.pending.remove(item)
            secret = info.secret
            if secret:
                local["@secret"] = [*local.get("@secret", ()), [info.name, choice.side]]
            ops.note(
                S, "answer", info.case, name=info.name, side=choice.side, value=value, secret=secret, type=info.type
            )
            return
        info_ = self.program.offers[item["ref"]]
        frame = S.stack[item["frame"]]
        S.pending.remove(item)
        if choice.name == "done":
            failed = self._failed_duties()
            if "@draft" in local:
                S.drafts.pop()
                del local["@draft"]
            local["@done"] = True
            for procedure, args in reversed(failed):
                machine.push(S, procedure, args)
            return
        if choice.name == "take_back":
            self._take_back(choice)
            return
        if info_.sort == "once":
            local["@done"] = True
        if "@draft" in local:
            base = S.drafts[local["@draft"]]
            if not base:
                S.pending.append(item)
                snapshot = S.plain()
                S.pending.remove(item)
                base.append(snapshot)
            base.append(choice.plain())
        assert frame is S.stack[item["frame"]]
        self._start_action(choice)

    def _start_action(self, choice: Choice) -> None:
        action = self.program.actions[choice.name]
        machine.push(self.state, action.procedure, {**dict(choice.args), "actor": choice.side})

    def drafted(self, decision: int) -> bool:
        """Whether a draft window holds something that can be taken back."""
        item = self._pending(decision)
        if item is None or item["sort"] != "offer":
            return False
        local = self.state.stack[item["frame"]][2]
        return "@draft" in local and len(self.state.drafts[local["@draft"]]) > 1

    def _take_back(self, choice: Choice) -> None:
        """Take the last drafted action back: begin the window anew and repeat the others."""
        item_local = self.state.drafts[-1]
        base, *choices = item_local
        counter = self.state.counter
        self.state = State.from_plain(self.program, base)
        for plain in choices[:-1]:
            machine.run(self.state)
            again = Choice.from_plain(plain)
            pending = self.state.pending[0]["id"]
            self._apply(Choice(pending, again.side, again.name, again.args))
        machine.run(self.state)
        self.state.counter = max(self.state.counter, counter) + 1
        for item in self.state.pending:
            item["id"] = self.state.counter
            self.state.counter += 1

    # ------------------------------------------------------------ undo, save, resume

    def undo(self, agreed: bool = False) -> None:
        """Take the last choice back, unless a die or a secret has been shown since."""
        if not self._past:
            raise Refusal("there is nothing to undo")
        before, logged = self._past[-1]
        if before["revealed"] != self.state.revealed and not agreed:
            raise Refusal("a die or something hidden has been shown since; undo needs the table's agreement")
        self._past.pop()
        self.state = State.from_plain(self.program, before)
        del self.log[logged:]
        self.journal.truncate(len(self.journal) - 1)

    def save(self, path: str | Path) -> None:
        """Write the game to a file that `resume` reads anywhere."""
        self.journal.snapshot(self.state.plain())
        self.journal.save_as(Path(path))

    def check(self) -> None:
        """Check the book's invariants; a broken one is a fault."""
        for name, case, test in self.program.invariants:
            if not test(self.state):
                raise Fault(f"the invariant {name} does not hold", case)

    def digest(self) -> str:
        return self.state.digest()

    def value(self, name: str, *args: Any) -> Any:
        """The value of a definition now."""
        return self.program.values[name][0](self.state, *args)


def _action_choice(decision: int, side: str, action: Any, args: tuple[Any, ...]) -> Choice:
    return Choice(decision, side, action.name, tuple(zip((p.name for p in action.params), args, strict=True)))


def new_game(
    program: Program, scenario: str | None = None, seed: int = 0, readings: dict[str, str] | None = None
) -> Game:
    """A game at its first decision."""
    if scenario is None:
        if not program.scenarios:
            raise Refusal(f"{program.name} has no scenario to play")
        scenario = next(iter(program.scenarios))
    if scenario not in program.scenarios:
        raise Refusal(f'{program.name} has no scenario "{scenario}"; it has: ' + ", ".join(program.scenarios))
    info = program.scenarios[scenario]
    chosen = dict(readings or {})
    for sort, name, value in info.marks:
        if sort == "reading":
            chosen.setdefault(name, value)
    for name, reading in chosen.items():
        if name not in program.readings or reading not in program.readings[name]:
            known = ", ".join(program.readings.get(name, ()) or program.readings)
            raise Refusal(f'"{name} = {reading}" is no reading that this book knows ({known})')
    state = fresh(program, seed, chosen)
    for unit, place in sorted(info.units.items()):
        ops.shift(state, unit, place)
    for sort, name, value in info.marks:
        if sort == "reading":
            continue
        if sort == "game":
            setattr(state, "game_" + name, value)
        else:
            getattr(state, f"{sort}_{name}")[value[0]] = value[1]
    state.queue = []
    for memory in program.memories:
        if memory.how in ("always", "ever"):
            ops.refresh(state, memory)
    for trigger in program.by_event.get(("soon", ""), ()):
        bound = any(trigger.id in who for column, who in program.watches.items() if column.startswith("bind_"))
        state.soon[trigger.id] = not bound and bool(trigger.guard(state)) if trigger.guard is not None else True
    state.queue, state.dirty = [], set()
    state.phases = []
    start = canon.dumps(state.plain())
    machine.start(state, info.sequence)
    header = Header(rules=program.name, rules_hash=program.rules_hash, scenario=scenario, seed=seed, start=start)
    game = Game(program, state, Journal(header))
    machine.run(state)
    game.log += state.log
    state.log = []
    return game


def resume(path: str | Path, load: Callable[[str], Program] | None = None) -> Game:
    """A saved game, as it was; rules other than those it was saved under are named."""
    journal = Journal.open(Path(path))
    header = journal.header
    if load is None:
        load = _find_program
    program = load(header.rules)
    if program.rules_hash != header.rules_hash:
        raise SaveProblem(
            f"this game was saved under other rules of {header.rules}",
            "play on with the rules it was saved under, or migrate the save",
        )
    journal.close()
    seq, latest = journal.latest()
    if seq == len(journal):
        try:
            return Game(program, State.from_plain(program, latest), journal)
        except (KeyError, TypeError, IndexError, AttributeError):
            pass  # a snapshot of another layout: the events rebuild the game
    readings = canon.loads(header.start).get("readings", {})
    game = new_game(program, header.scenario, header.seed, readings)
    for event in journal.events():
        game.do(Choice.from_plain(event))
    return game


def _find_program(name: str) -> Program:
    try:
        loader = importlib.import_module("rulewright." + "compiler")
    except ImportError:
        raise SaveProblem(f"the rules {name} are not at hand", "pass the compiled book to resume") from None
    found: Program = loader.load(name).program
    return found
