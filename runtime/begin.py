"""How a game begins: anew, or from a save.

In:  a program, a scenario and a seed; or the file of a saved game.
Out: a game at a decision.
Reports: `Refusal` of a scenario or reading that the book does not know, `SaveProblem` of a save that cannot go on.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from . import canon, machine, ops
from .forms import sound
from .game import Game
from .journal import Header, Journal, SaveProblem
from .problems import Fault, Refusal
from .program import Program
from .state import State, fresh, of_today
from .telling.faults import leads_home
from .text import Choice

RESTORE = "restore a copy of the file"
FINDERS: list[Callable[[str], Program]] = []
"""Ways to find a program by the name of its rule set, tried in order by `resume`."""


@leads_home
def new_game(
    program: Program, scenario: str | None = None, seed: int = 0, readings: dict[str, str] | None = None
) -> Game:
    """A game at its first decision."""
    if not program.scenarios:
        raise Refusal(f"{program.name} has no scenario to play")
    scenario = next(iter(program.scenarios)) if scenario is None else scenario
    if scenario not in program.scenarios:
        raise Refusal(f'{program.name} has no scenario "{scenario}"; it has: ' + ", ".join(program.scenarios))
    info = program.scenarios[scenario]
    state = fresh(program, seed)
    ops.set_up(state, info)
    state.readings |= readings or {}
    for name, reading in state.readings.items():
        if reading not in program.readings.get(name, ()):
            known = ", ".join(program.readings.get(name, ()) or program.readings)
            raise Refusal(f'"{name} = {reading}" is no reading that this book knows ({known})')
    ops.refresh_all(state)
    for trigger in program.by_event.get(("soon", ""), ()):
        bound = any(trigger.id in who for column, who in program.watches.items() if column.startswith("bind_"))
        state.soon[trigger.id] = not bound and bool(trigger.guard(state)) if trigger.guard is not None else True
    state.queue, state.dirty = [], {}
    start = state.plain()
    header = Header(rules=program.name, rules_hash=program.rules_hash, scenario=scenario, seed=seed, start=start)
    game = Game(program, state, Journal(header))
    machine.push(state, info.sequence, {})
    machine.run(state)
    game.take_log()
    return game


def resume(path: str | Path, load: Callable[[str], Program] | None = None) -> Game:
    """A saved game, as it was; rules other than those it was saved under are named."""
    journal = Journal.read(Path(path))
    header = journal.header
    program = (load or _find_program)(header.rules)
    if program.rules_hash != header.rules_hash:
        by = f", written by Rulewright {header.version}," if header.version else ""
        help = "play on with the rules it was saved under, or migrate the save"
        raise SaveProblem(f"this game{by} was saved under other rules of {header.rules}", help)
    seq, latest = journal.latest()
    latest = of_today(latest)
    if seq and sound(program, latest):
        game = Game(program, State.from_plain(program, latest), journal.opening(seq))
    else:
        game = begun(program, header)  # without a snapshot, or with one of another layout, the events rebuild the game
        if canon.dumps(of_today(canon.loads(header.first()))) != game.journal.header.first():
            raise SaveProblem(f"the game in {path} does not begin as its rules say", RESTORE)
    for event in islice(journal.events(), len(game.journal), None):
        try:
            game.do(Choice.from_plain(event))
        except (Refusal, Fault) as problem:
            which = f"event {len(game.journal) + 1} of {path}"
            raise SaveProblem(f"{which} does not replay: {problem}", RESTORE) from problem
    return game


def begun(program: Program, header: Header) -> Game:
    """A new game that begins as a saved one did: at the start of its scenario, or where its rules took over."""
    start = canon.loads(header.first())
    if header.before:
        return taken_over(program, header, of_today(start))
    try:
        return new_game(program, header.scenario, header.seed, dict(start["readings"]))
    except (Refusal, LookupError, TypeError, ValueError) as problem:
        raise SaveProblem(f"the saved game cannot begin: {problem}", RESTORE) from problem


def taken_over(program: Program, header: Header, start: Any) -> Game:
    """A game in the position in which its rules took over from others."""
    if program.rules_hash != header.rules_hash:
        message = f"this game went over to {header.rules} in its middle, and cannot begin under other rules"
        raise SaveProblem(message, "ask how it goes on from now: rulewright migrate SAVE --from-now-on")
    if not sound(program, start):
        raise SaveProblem(f"the position in which {header.rules} took over is not one of these rules", RESTORE)
    return Game(program, State.from_plain(program, start), Journal(header))


def _find_program(name: str) -> Program:
    """The rules that a save names, from whoever can provide them in this process.

    The runtime knows no compiler: whoever can turn a name into a program registers in `FINDERS`.
    """
    problem: Exception | None = None
    for find in FINDERS:
        try:
            return find(name)
        except Exception as error:  # no such book here, or one that does not compile
            problem = error
    help = "pass the compiled book to resume" + ("" if FINDERS else ", or import rulewright.compiler.load first")
    raise SaveProblem(f"the rules {name} are not at hand", help) from problem
