"""Twins: generated code and the oracle play the same games and answer the same questions.

    python tools/twins.py --minutes 10 --report docs/twins.md [BOOK:SCENARIO …]

Same seed and same choices on both; after every choice the decisions, the state, the dice and the log must be the same,
and so must the verdicts on sampled choices, legal and illegal ones, with the cases that refuse. In positions of games
and of examples both are asked for definitions, routes, matchings, tables and quotas with sampled arguments. Every
worked example runs by the oracle, too. What the oracle gives up (too many plans or sets to try) is counted apart.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Any

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core import types as t
from rulewright.compiler.core.builtins import BUILTINS
from rulewright.compiler.core.walk import all_procedures, all_statements, declared, definition_exprs, top_exprs
from rulewright.compiler.examples.run import Runner, load_functions
from rulewright.compiler.interpret.asks import Unknown
from rulewright.compiler.interpret.game import Oracle, OracleGame
from rulewright.compiler.interpret.matchings import Matching
from rulewright.compiler.interpret.routes import Route
from rulewright.compiler.interpret.values import NONSENSE
from rulewright.compiler.interpret.worked import Worked
from rulewright.compiler.interpret.world import World
from rulewright.compiler.loader import import_program, write
from rulewright.compiler.pipeline import Compiled, compile_book
from rulewright.dsl.source import NOWHERE
from rulewright.runtime import dice
from rulewright.runtime.choices import plans, solver
from rulewright.runtime.game import Decision, Game, new_game
from rulewright.runtime.players import RandomPlayer
from rulewright.runtime.problems import Conflict, Fault
from rulewright.runtime.program import Program
from rulewright.runtime.state import State
from rulewright.runtime.text import Choice, show_choice

ROOT = Path(__file__).resolve().parents[1]
KEPT = "phases dice winner over readings soon halted turn_of_phase revealed agains shown".split()
BROKEN = "no value"


@dataclass
class Tally:
    """What was compared for one book, and what differed."""

    book: str
    games: int = 0
    finished: int = 0
    choices: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    examples: int = 0
    unknown: int = 0
    differences: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def differ(self, what: str) -> None:
        self.differences.append(f"{self.book}: {what}")


class Chance:
    """A source of its own, so that what is sampled here changes nothing in the games."""

    def __init__(self, seed: int) -> None:
        self.rng = dice.seed(seed)

    def below(self, n: int) -> int:
        found, self.rng = dice.draw(self.rng, n)
        return found

    def one(self, members: Any) -> Any:
        return members[self.below(len(members))]


@dataclass
class Twins:
    """A book as generated code and as the oracle reads it."""

    name: str
    book: c.Book
    plain: Program
    oracle: Oracle
    tally: Tally
    counting: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.counting = frozenset(f"past_{m.name}" for m in self.book.memories.values() if counts_looks(m))

    @staticmethod
    def of(name: str, folder: Path) -> Twins:
        made = compile_book(name)
        assert made.emitted is not None, made.report.found
        return Twins.made(made, name, folder)

    @staticmethod
    def made(made: Compiled, name: str, folder: Path) -> Twins:
        assert made.book is not None
        write(made, folder)
        shown = str(Path(name).relative_to(ROOT)) if name.startswith("/") and Path(name).is_relative_to(ROOT) else name
        return Twins(shown, made.book, import_program(folder), Oracle(made.book, made.digest), Tally(shown))


def counts_looks(m: c.Memory) -> bool:
    """Whether a memory reckons with what it kept: then it tells how often it was looked at, which no rule defines."""
    tops = list(definition_exprs(m.definition))
    return any(isinstance(x, c.Keep) for e in tops for inner in e.args for x in inner.walk() if not compares(e))


def compares(e: c.Expr) -> bool:
    return isinstance(e, c.Comparison | c.And | c.Or | c.Not | c.IsIn)


# ---------------------------------------------------------------- games


def play_both(twins: Twins, scenario: str | None, seed: int, most: int, every: int = 4, asked: int = 0) -> None:
    """One random game on both; every few choices verdicts are compared, and so many values `asked`."""
    tally, chance = twins.tally, Chance(seed)
    began = time.process_time()
    game = new_game(twins.plain, scenario, seed)
    other = twins.oracle.new(scenario, seed)
    other.take_log()
    players = {side: RandomPlayer(31 * seed + i) for i, side in enumerate(twins.plain.sides)}
    tally.games += 1
    before = len(tally.differences)
    try:
        for number in range(most):
            where = f"{scenario} seed {seed}, after {number} choices"
            compare_position(twins, game, other, where)
            if game.over or len(tally.differences) > before:
                break
            if number % every == 0:
                compare_verdicts(twins, game, other, chance, where)
                compare_listing(twins, game, other, where)
            if asked and number % (5 * every) == 2 * every:
                ask_both(twins, game.state, chance, asked, where)
            step(twins, game, other, players, where)
            tally.choices += 1
        tally.finished += game.over
    except Unknown:
        tally.unknown += 1
    tally.seconds += time.process_time() - began


def step(twins: Twins, game: Game, other: OracleGame, players: dict[str, RandomPlayer], where: str) -> None:
    """Let a random player choose, and do it on both."""
    decisions = game.decisions
    standing = [d for d in decisions if d.sort == "standing"]
    choice = next((x for d in standing if (x := players[d.side].interrupt(game, d)) is not None), None)
    index = None
    if choice is None:
        choice, index = players[decisions[0].side](game, decisions[0]), 0
    told, logged = twins.plain, len(game.log)
    faults = [outcome(game.do, choice), outcome(other.do, index, choice)]
    if faults[0] != faults[1]:
        twins.tally.differ(f"{where}, {show_choice(told, choice)}: {faults}")
        return
    if choice.name == "take_back":
        other.take_log()
        return
    one = [x for x in game.log[logged:] if x["event"] != "choice"]
    two = other.take_log()
    if one != two:
        first = next(((a, b) for a, b in itertools.zip_longest(one, two) if a != b), None)
        twins.tally.differ(f"{where}, {show_choice(told, choice)}: the logs part: {first}")


def compare_position(twins: Twins, game: Game, other: OracleGame, where: str) -> None:
    """The same columns of the state and the same decisions."""
    S, T = game.state, other.S
    for name in (*(x for x in twins.plain.flat if x not in twins.counting), *KEPT):
        one, two = (held(twins.plain, X, name) for X in (S, T))
        if one != two:
            twins.tally.differ(f"{where}: {name} is {parted(one, two)}")
    if game.over != other.over:
        twins.tally.differ(f"{where}: over is {game.over}, {other.over}")
    offered = game.decisions
    mine = [(d.side, d.sort, d.name, d.case, d.secret) for d in offered if d.sort != "standing"]
    yours = [(d.side, d.sort, d.name, d.case, d.secret) for d in other.decisions()]
    if mine != yours:
        twins.tally.differ(f"{where}: decisions are {mine}, {yours}")
    ways = {(name, side): way for name, side, way in other.standing()} if mine == yours else {}
    for (name, side), way in ways.items():
        twins.tally.unknown += way is None
        if way is not None and way != any(d.sort == "standing" and (d.name, d.side) == (name, side) for d in offered):
            twins.tally.differ(f"{where}: the standing offer {name} of {side} is {not way}, {way}")


def held(program: Program, S: State, name: str) -> Any:
    """A column; of one by key only what is not at its start, for a key that was never set is not kept."""
    values = getattr(S, name)
    if not isinstance(values, dict) or name not in program.flat:
        return values
    starts = {f"past_{m.name}": m.start for m in program.memories} | {f"spent_{q}": 0 for q in program.quotas}
    start = program.column[name].start if name in program.column else starts[name]
    return {key: value for key, value in values.items() if value != start}


def parted(one: Any, two: Any) -> str:
    """Where two columns differ."""
    if isinstance(one, dict) and isinstance(two, dict):
        keys = [k for k in {**one, **two} if one.get(k) != two.get(k)]
        return ", ".join(f"{k}: {one.get(k)!r} and {two.get(k)!r}" for k in keys[:3])
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return ", ".join(f"{i}: {a!r} and {b!r}" for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b)[:200]
    return f"{one!r} and {two!r}"[:200]


# ---------------------------------------------------------------- verdicts


def compare_verdicts(twins: Twins, game: Game, other: OracleGame, chance: Chance, where: str) -> None:
    """Sampled legal choices, and what becomes of them when something in them is changed."""
    pending = [d for d in game.decisions if d.sort != "standing"]
    for index, decision in enumerate(pending):
        for choice in sampled(game, decision, chance):
            judge(twins, game, other, index, choice, where)
            for changed in altered(twins, game, choice, chance):
                judge(twins, game, other, index, changed, where)


def sampled(game: Game, decision: Decision, chance: Chance) -> list[Choice]:
    found = []
    for space in game.spaces(decision):
        args, chance.rng = space.sample(chance.rng)
        found.append(Choice(decision.id, decision.side, space.name, args or ()))
    return found


def judge(twins: Twins, game: Game, other: OracleGame, index: int, choice: Choice, where: str) -> None:
    """Both say the same of a choice, and refuse it by the same cases."""
    tally = twins.tally
    grounds = game.refusals(choice)
    try:
        cases = other.against(index, choice)
    except Unknown:
        tally.unknown += 1
        return
    tally.verdicts["refused" if grounds else "legal"] += 1
    wanted = {g.case for g in grounds}
    if bool(grounds) != bool(cases) or wanted - {""} != cases - {""}:
        shown = show_choice(twins.plain, choice)
        tally.differ(f"{where}: {shown} is refused by {sorted(wanted)}, {sorted(cases)}")


def altered(twins: Twins, game: Game, choice: Choice, chance: Chance) -> Iterator[Choice]:
    """Choices near a legal one; most of them are not."""
    program = twins.plain
    types = {p.name: p.type for p in program.actions[choice.name].params} if choice.name in program.actions else {}
    asked = next((a for a in program.asks if a.name == choice.name), None)
    if asked is not None and not types:
        types = {"": asked.type}
    for at, (name, value) in enumerate(choice.args):
        with suppress(NoValue):
            new = changed_value(twins, game.state, types.get(name, ""), value, chance)
            args = (*choice.args[:at], (name, new), *choice.args[at + 1 :])
            yield Choice(choice.decision, choice.side, choice.name, args)
    if chance.below(4) == 0:
        yield Choice(choice.decision, chance.one(program.sides), choice.name, choice.args)
    if program.actions and chance.below(3) == 0:
        action = program.actions[chance.one(list(program.actions))]
        with suppress(NoValue):
            args = tuple((p.name, any_value(twins, game.state, p.type, chance)) for p in action.params)
            yield Choice(choice.decision, choice.side, action.name, args)


class NoValue(Exception):
    """There is no value of a type to be had."""


def changed_value(twins: Twins, S: State, type: str, value: Any, chance: Chance) -> Any:
    """Another value: a little off, or any of its type."""
    board = twins.plain.board
    if type == "path" and value:
        match chance.below(4):
            case 0 if len(value) > 2:
                return value[:-1]
            case 1 if value[-1] < board.hexes and board.neighbors[value[-1]]:
                return (*value, chance.one(board.neighbors[value[-1]]))
            case 2:
                return value[:1]
            case _:
                return (value[0], chance.below(board.hexes))
    if type.startswith("set:") and value and chance.below(2):
        return tuple(x for x in value if x != chance.one(value))
    if type.startswith("set:"):
        return tuple(sorted({*value, any_value(twins, S, type[4:], chance)}))
    if type.startswith("list:") and value:
        return value[1:] + value[:1] if chance.below(2) else value[1:]
    if type.startswith(("plan", "shares")) and value:
        return value[1:] if chance.below(2) else (*value, value[0])
    return any_value(twins, S, type, chance)


def any_value(twins: Twins, S: State, type: str, chance: Chance) -> Any:
    """Some value of a type; of units mostly one that is somewhere."""
    program = twins.plain
    head, _, rest = type.partition(":")
    match head:
        case "unit":
            placed = [u for u, p in enumerate(S.at) if p is not None and p < program.board.hexes]
            return chance.one(placed) if placed and chance.below(10) else chance.below(len(program.units) or none())
        case "place":
            held = [p for p in S.at if p is not None and p < program.board.hexes]
            return chance.one(held) if held and chance.below(2) else chance.below(program.board.hexes or none())
        case "kind":
            return chance.one(program.kinds.get(rest) or none())
        case "scale":
            return chance.below(len(program.scales[rest]))
        case "flag":
            return bool(chance.below(2))
        case "number" | "ratio":
            return chance.below(9)
        case "turn":
            return chance.below(len(program.turns) or none())
        case "hexside":
            here = any_value(twins, S, "place", chance)
            there = chance.one(program.board.neighbors[here] or none())
            return (min(here, there), max(here, there))
        case "set" | "list":
            found = {any_value(twins, S, rest, chance) for _ in range(chance.below(4))}
            if rest == "unit" and found:
                at = S.at[next(iter(found))]
                found = set(S.here[at]) if at is not None else found
            return tuple(sorted(found, key=repr)) if rest not in ("unit", "place") else tuple(sorted(found))
        case "record":
            return tuple(any_value(twins, S, type_of(x), chance) for _, x in twins.book.records[rest])
        case _:
            raise NoValue


def none() -> Any:
    raise NoValue


def type_of(x: t.Type) -> str:
    if x.of is not None:
        return f"{x.sort}:{type_of(x.of)}"
    return f"{x.sort}:{x.name}" if x.sort in ("kind", "scale", "record") else x.name


def compare_listing(twins: Twins, game: Game, other: OracleGame, where: str) -> None:
    """What the oracle finds one after another is legal for generated code, too."""
    pending = [d for d in game.decisions if d.sort != "standing"]
    for item, decision in zip(other.flow.pending, pending, strict=True):
        found: list[Choice] = []
        with suppress(Unknown):
            if isinstance(item.node, c.Ask):
                for value in other.flow.space(item).listing(2):
                    found.append(Choice(decision.id, item.side, item.node.name, (("", value),)))
            else:
                for space in other.spaces(item):
                    for args in itertools.islice(space.ways(), 2):
                        found.append(Choice(decision.id, item.side, space.action.name, args))
        for choice in found:
            twins.tally.verdicts["listed"] += 1
            if grounds := game.refusals(choice):
                shown = show_choice(twins.plain, choice)
                twins.tally.differ(f"{where}: {shown} is refused by {[g.case for g in grounds]}, and listed")


# ---------------------------------------------------------------- values


def ask_both(twins: Twins, state: State, chance: Chance, times: int, where: str) -> None:
    """Definitions, memories and quotas; routes, matchings, tables and least sets; with sampled arguments."""
    one = State.from_plain(twins.plain, state.plain())
    names = list(twins.plain.values)
    for _ in range(times if names else 0):
        ask_definition(twins, one, chance.one(names), chance, where)
    ask_declared(twins, one, twins.oracle.at(state).W, chance, times // 2, where)


def ask_every(twins: Twins, state: State, chance: Chance, times: int, where: str) -> None:
    """Every definition so many times."""
    one = State.from_plain(twins.plain, state.plain())
    for name in twins.plain.values:
        for _ in range(times if twins.plain.values[name][1] else 1):
            ask_definition(twins, one, name, chance, where)


def ask_definition(twins: Twins, S: State, name: str, chance: Chance, where: str) -> None:
    fn, types, kind, _ = twins.plain.values[name]
    with suppress(NoValue):
        args = tuple(any_value(twins, S, x, chance) for x in types)
        theirs = outcome(twins.oracle.program.values[name][0], S, *args)
        same_value(twins, name, args, kind, outcome(fn, S, *args), theirs, where)


def same_value(twins: Twins, name: str, args: Any, kind: str, one: Any, two: Any, where: str) -> None:
    tally = twins.tally
    if "Unknown" in (one, two):
        tally.unknown += 1
        return
    if BROKEN in (one, two):
        tally.values["without a value"] += 1
        return
    tally.values["values"] += 1
    if kind.startswith("set:") and isinstance(one, tuple) and isinstance(two, tuple):
        one, two = sorted(one, key=repr), sorted(two, key=repr)
    if one != two:
        tally.differ(f"{where}: {name}{args} is {one!r}, {two!r}"[:400])


def outcome(fn: Callable[..., Any], *args: Any) -> Any:
    """A value, or the sort of trouble that a question has no answer to."""
    try:
        return fn(*args)
    except Conflict:
        return "Conflict"
    except Unknown:
        return "Unknown"
    except Fault as fault:
        return "not there" if isinstance(fault.__cause__, NONSENSE) else "Fault"
    except NONSENSE:
        return BROKEN


def ask_declared(twins: Twins, S: State, W: World, chance: Chance, times: int, where: str) -> None:
    """What has no function of its own in a program's tables is printed and loaded as an example's lines are."""
    exprs = [e for _ in range(times) if (e := question(twins, S, chance)) is not None]
    lines = tuple(c.ExpectedConflict(e, span=NOWHERE) for e in exprs)
    if not lines:
        return
    example = c.Example(title="twins", case="", lines=lines, span=NOWHERE)
    functions = load_functions(twins.book, twins.plain, [example])[0]
    for i, e in enumerate(exprs):
        fn, shown = functions[i, 0, ""], f"{type(e).__name__} {e.name}"
        args = tuple(x.value for x in e.asked if isinstance(x, c.Const))
        match e:
            case c.Paths():
                same_paths(twins, e, args, outcome(fn, S), W, where)
            case c.Plans():
                same_plans(twins, e, args, outcome(fn, S), W, chance, where)
            case _:
                theirs = outcome(twins.oracle.ev.value, W, e, {})
                same_value(twins, shown, args, type_of(e.type), outcome(fn, S), theirs, where)


def question(twins: Twins, S: State, chance: Chance) -> Any:
    """Something that a book declares, asked with sampled arguments."""
    book = twins.book
    known: list[tuple[type, str, tuple[c.Param, ...], t.Type]] = []
    for r in book.routes.values():
        kinds = (c.PathEnds, c.Paths) if not r.legs else (c.PathEnds,)
        known += [(kind, r.name, r.params, t.set_of(t.PLACE)) for kind in kinds]
    for m in book.matchings.values():
        known += [(c.BlockedItems, m.name, m.params, m.items.type), (c.Plans, m.name, m.params, t.PLAN)]
        known.append((c.UncoveredTargets, m.name, m.params, m.targets.type))
    known += [(c.TableCell, x.name, x.params, x.type) for x in book.tables.values()]
    known += [(c.Grown, g.name, g.params, g.type) for g in book.grows.values()]
    for q in book.quotas.values():
        known += [(kind, q.name, q.definition.params, t.NUMBER) for kind in (c.QuotaLeft, c.QuotaSpent)]
    if not known:
        return None
    kind, name, params, of = chance.one(known)
    try:
        given = [any_value(twins, S, type_of(p.type), chance) for p in params]
    except NoValue:
        return None
    asked = tuple(c.Const(v, type=p.type, span=NOWHERE) for v, p in zip(given, params, strict=True))
    return kind(name, asked, type=of, span=NOWHERE)


def same_paths(twins: Twins, e: c.Paths, args: Any, paths: Any, W: World, where: str) -> None:
    """The same ends; every path listed keeps to the route, and costs what the cheapest path to that end does."""
    route = outcome(Route, twins.oracle.ev, W, e.name, args)
    mine = outcome(route.paths) if isinstance(route, Route) else route
    if BROKEN in (paths, mine) or not isinstance(route, Route) or not isinstance(paths, tuple):
        same_value(twins, f"Paths {e.name}", args, "", paths, mine, where)
        return
    known = [(path[-1], len(path) if {"length", "path"} & {*route.r.needs} else 0, route.cost(path)) for path in mine]
    theirs = [(path[-1], len(path) if {"length", "path"} & {*route.r.needs} else 0, route.cost(path)) for path in paths]
    twins.tally.values["paths"] += len(paths)
    same_value(twins, f"Paths {e.name}", args, "", theirs, known, where)
    if not all(route.accepts(path) for path in paths):
        twins.tally.differ(f"{where}: {e.name}{args} lists a path that it does not accept")


def same_plans(twins: Twins, e: c.Plans, args: Any, found: Any, W: World, chance: Chance, where: str) -> None:
    """The same answer to whether there is a plan; sampled plans, and plans a little off, are accepted alike."""
    mine = outcome(Matching, twins.oracle.ev, W, e.name, args)
    if not isinstance(mine, Matching) or not isinstance(found, plans.Matching):
        return
    try:
        there_is = solver.completable(found)
    except solver.OverBudget:
        twins.tally.unknown += 1
        return
    same_value(twins, f"any {e.name}", args, "", there_is, outcome(mine.any), where)
    if not there_is:
        return
    plan, chance.rng = solver.sample(found, chance.rng)
    for one in (plan, plan[1:] if plan else (), (*(plan or ()), *(plan or ())[:1])):
        twins.tally.values["plans"] += 1
        if (plans.refusal(found, one) is None) != mine.accepts(one):
            twins.tally.differ(f"{where}: the plan {one} of {e.name}{args} is accepted by one of two")


# ---------------------------------------------------------------- examples


def run_examples(twins: Twins, every: int = 1, asked: int = 0) -> None:
    """Worked examples by the oracle; in positions that they leave, values are compared too."""
    chance, began = Chance(7), time.process_time()
    chosen = list(twins.book.examples)[::every]
    functions = load_functions(twins.book, twins.plain, chosen) if asked else []
    for i, example in enumerate(chosen):
        twins.tally.examples += 1
        worked = Worked(twins.oracle)
        where = f"example {example.case} {example.title}"
        try:
            failures = worked.run(example)
        except Unknown:
            twins.tally.unknown += 1
            continue
        if failures:
            twins.tally.differ(f"{where}: {failures}")
        if asked and i % 9 == 0:
            runner = Runner(twins.book, twins.plain, functions[i])
            runner.run(example)
            ask_both(twins, runner.S, chance, asked, where)
    twins.tally.seconds += time.process_time() - began


# ---------------------------------------------------------------- the campaign

EXAMPLE = 1
"""The seconds that the oracle takes for an example of a large book: so many are chosen that they fit in the time."""
BOOKS = {
    "trc": ("battle", "barbarossa"),
    "tdv": ("smolensk", "campaign_start"),
    "fite+errata": ("niemen",),
    "fite": ("niemen",),
    "fragment": ("first_year", "war_in_june"),
}


def small_books() -> dict[str, tuple[str | None, ...]]:
    """Probes and fixture books that are games by themselves."""
    tests = ROOT / "tests"
    found = [*(tests / "books").glob("*.rules"), *(tests / "compiler" / "books").glob("*.rules")]
    probes = tests / "probes"
    found += [*probes.glob("*.rules"), *(x / f"{x.name}.rules" for x in probes.iterdir() if x.is_dir())]
    return {str(path): (None,) for path in sorted(found) if path.is_file()}


def campaign(names: list[str], minutes: float) -> list[Tally]:
    """Every book in turn, each for its share of the time; the small ones share one part."""
    large: dict[str, tuple[str | None, ...]] = {k: v for k, v in BOOKS.items() if not names or k in names}
    small = {k: v for k, v in small_books().items() if not names or k in names or Path(k).stem in names}
    parts = len(large) + (1 if small else 0)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for i, (name, scenarios) in enumerate([*small.items(), *large.items()]):
            share = 60 * minutes / parts / (len(small) if name in small else 1)
            twins = Twins.of(name, Path(folder) / f"book{i}")
            found.append(one_book(twins, scenarios, share))
            print(line(twins.tally), flush=True)
            for text in twins.tally.differences[:5]:
                print("   ", text, flush=True)
    return found


def one_book(twins: Twins, scenarios: tuple[str | None, ...], seconds: float) -> Tally:
    """Examples for at most half of the time, then games, longer and longer."""
    many = len(twins.book.examples)
    run_examples(twins, every=1 if many < 100 else max(1, round(many * EXAMPLE / seconds)), asked=40)
    if not twins.plain.scenarios:
        return twins.tally
    began, seed, most = time.process_time(), 0, 60
    while seed < 3 or (time.process_time() - began < seconds and seed < 40):
        for scenario in scenarios:
            play_both(twins, scenario, seed, most, asked=40)
        seed += 1
        most = min(2 * most, 5000)
        if twins.tally.differences:
            break
    return twins.tally


def line(x: Tally) -> str:
    return (
        f"| `{x.book}` | {x.examples:,} | {x.games:,} | {x.finished:,} | {x.choices:,} | {x.verdicts['legal']:,} | "
        f"{x.verdicts['refused']:,} | {x.verdicts['listed']:,} | {x.values['values']:,} | {x.values['plans']:,} | "
        f"{x.values['without a value']:,} | {x.unknown:,} | {len(x.differences)} | {x.seconds:,.0f} |"
    )


def operators() -> tuple[list[str], list[str]]:
    """The classes of expressions and of statements that the core has."""
    return [x.__name__ for x in c.Expr.__args__], [x.__name__ for x in c.Stmt.__args__]


def used(books: list[c.Book]) -> set[str]:
    """The operators, statements and built-in words that stand in some books."""
    found: set[str] = set()
    for book in books:
        for e in (e for x in declared(book) for top in top_exprs(x) for e in top.walk()):
            found |= {type(e).__name__, *([f"word {e.name}"] if isinstance(e, c.BuiltinCall) else [])}
        for p in all_procedures(book):
            found |= {type(s).__name__ for s in all_statements(p)}
    return found


def report(tallies: list[Tally], minutes: float) -> str:
    exprs, stmts = operators()
    total = Tally("all")
    for x in tallies:
        for f in fields_of(Tally):
            if f.name not in ("book", "differences"):
                setattr(total, f.name, getattr(total, f.name) + getattr(x, f.name))
        total.differences += x.differences
    text = f"""# Generated code and the oracle

Written by `make twins` (`tools/twins.py --minutes {minutes:g}`). The oracle (`compiler/interpret/`) reads the core and
keeps its position in a state of the runtime; it shares no emitter, lowering, search or solver with generated code. It
knows {len(exprs)} operators, {len(stmts)} statements and {len(BUILTINS) + 4} built-in words, which is all there are.

Both play the same games: same seed, same choices. After every choice all columns of the state, the dice, the decisions
and the log are compared; every fourth choice also verdicts on sampled choices, legal ones and ones that are a little
off, with the cases that refuse, and what the oracle lists. Values are definitions, memories, quotas, tables, routes
(ends, prices, paths) and matchings asked with sampled arguments in positions of games and of examples. *Without a
value* are questions about things that are not there (a unit off the map) where one of the two, or both, find nothing to
say. *Given up* are plans and sets too many to try one by one; they are not compared.

| book | examples | games | to the end | choices | legal | refused | listed | values | plans | no value | given up | apart | seconds |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""  # noqa: E501
    text += "\n".join(map(line, tallies)) + "\n" + line(total) + "\n"
    if total.differences:
        text += "\n## Differences\n\n" + "\n".join(f"- {x}" for x in total.differences[:60]) + "\n"
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="*", help="books by name, small ones by the name of their file; all of them")
    parser.add_argument("--minutes", type=float, default=20, help="processor time for all games together")
    parser.add_argument("--report", type=Path, help="write a report there")
    args = parser.parse_args()
    tallies = campaign(args.books, args.minutes)
    if args.report is not None:
        args.report.write_text(report(tallies, args.minutes), encoding="utf-8")
    return 1 if any(x.differences for x in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
