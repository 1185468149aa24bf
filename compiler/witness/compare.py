"""Compare two rule sets in one position, and after something has run there.

In:  a position set up on both rule sets.
Out: the first question that they answer differently, or None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rulewright.runtime.choices.questions import AskSpace
from rulewright.runtime.choices.spaces import ActionSpace

from ..core import types as t
from ..core.types import Type
from ..examples.run import Runner
from . import lines as w
from .lines import Given, Line, Play
from .positions import Sampler
from .questions import Asker, Question, can_sample, grounds, pending
from .rule_set import BROKEN, Clash, Rules, Unknown

LISTED = 10
ANSWERS = 6
TRIES = 3

Both = tuple[Rules, Rules]
Runners = tuple[Runner, Runner]
Env = dict[str, Given]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position and a question that two rule sets answer differently in it."""

    lines: tuple[Line, ...]
    question: Question

    @property
    def runs(self) -> bool:
        """Whether any line plays a choice or runs a procedure."""
        return any(isinstance(x, w.Run | w.Play) for x in self.lines)


def look(both: Both, asker: Asker, sampler: Sampler, lines: list[Line], env: Env) -> Candidate | None:
    """Compare one position by one way of asking."""
    try:
        match asker.sort:
            case "value":
                return look_value(both, asker, sampler, lines, env)
            case "action":
                return look_action(both, asker, sampler, lines)
            case _:
                return look_procedure(both, asker, sampler, lines, env)
    except (*BROKEN, Unknown):
        return None


def stand(both: Both, lines: list[Line], asker: Asker | None = None) -> Runners:
    """The position on both; with all that is remembered of it, or as much of that as one way to ask looks at."""
    one, other = (rules.at(lines, asker.reads(rules) if asker is not None else None) for rules in both)
    return one, other


# ---------------------------------------------------------------- values


def look_value(both: Both, asker: Asker, sampler: Sampler, lines: list[Line], env: Env) -> Candidate | None:
    if not all(can_sample(of, sampler.book) for of in asker.params):
        return None
    runners = stand(both, lines, asker)
    for _ in range(TRIES if asker.params else 1):
        args = arguments(asker, sampler, env)
        if any(v is None and not of.absent for of, v in args):
            continue
        question = Question("value", asker.text, args)
        if differ(both, runners, question):
            return Candidate(tuple(lines), question)
    return None


def arguments(asker: Asker, sampler: Sampler, env: Env) -> tuple[Given, ...]:
    """Values for the parameters; mostly those that the position was steered by."""
    found = []
    for name, of in zip(asker.names or ("",) * len(asker.params), asker.params, strict=True):
        known = env.get(name)
        fits = known is not None and known[0].plain == of.plain and sampler.source.often(80)
        found.append(known if fits and known is not None else sampler.given(of))
    return tuple(found)


def differ(both: Both, runners: Runners, question: Question) -> bool:
    try:
        one, other = (question.answer(r, x) for r, x in zip(both, runners, strict=True))
    except (*BROKEN, Unknown):
        return False
    return bool(one != other) and not (isinstance(one, Clash) and isinstance(other, Clash))


# ---------------------------------------------------------------- choices


def look_action(both: Both, asker: Asker, sampler: Sampler, lines: list[Line]) -> Candidate | None:
    """Whether both allow the same, and then whether it comes to the same."""
    runners = stand(both, lines, asker)
    ready: list[Play] = []
    for side in sampler.program.sides:
        choices: dict[Play, None] = {}
        for rules, runner in zip(both, runners, strict=True):
            choices |= dict.fromkeys(ways(rules, runner, asker.name, side, sampler))
        for choice in choices:
            if legal(both, runners, choice):
                return Candidate(tuple(lines), Question("legal", choice=choice))
        ready += [x for x in choices if not grounds(both[0], runners[0], x)]
    ready.sort(key=size, reverse=True)
    for choice in dict.fromkeys([*ready[:1], *sampler.source.some(ready, 2)]):
        begun = [*lines, *(sampler.dice() if sampler.reads.rolls else [])]
        found = after(both, sampler, begun, choice, ANSWERS)
        if found is not None:
            return found
    return None


def ways(rules: Rules, runner: Runner, name: str, side: str, sampler: Sampler) -> Iterator[Play]:
    """Some choices of an action that a side has in this position."""
    action = rules.program.actions.get(name)
    if action is None:
        return
    space = ActionSpace(runner.S, action, side)
    found = list(islice(space.listing(), LISTED))
    if len(found) == LISTED:
        for _ in range(3):
            args, sampler.source.rng = space.sample(sampler.source.rng)
            if args is not None and args not in found:
                found.append(args)
    types = {p.name: p.type for p in rules.book.actions[name].params}
    for args in found:
        yield w.play(side, name, "action", tuple((types[k], rules.decode(types[k], v)) for k, v in args))


def size(choice: Play) -> int:
    """The size of a choice: smaller ones make smaller witnesses."""
    return sum(len(v) for of, v in choice.values if of.of is not None)


def legal(both: Both, runners: Runners, choice: Play) -> bool:
    """Whether a choice is legal under only one of the rule sets."""
    return differ(both, runners, Question("legal", choice=choice))


# ---------------------------------------------------------------- what runs


def look_procedure(both: Both, asker: Asker, sampler: Sampler, lines: list[Line], env: Env) -> Candidate | None:
    args = arguments(asker, sampler, env)
    if any(v is None and not of.absent for of, v in args):
        return None
    begun = [*lines, *(sampler.dice() if sampler.reads.rolls else [])]
    return after(both, sampler, begun, w.run(asker.name, args), ANSWERS * 2)


def after(both: Both, sampler: Sampler, lines: list[Line], first: Line, answers: int) -> Candidate | None:
    """Run something on both, give the same answers to both, and stop at the first difference."""
    done = [*lines]
    runners = stand(both, lines)
    line: Line | None = first
    for _ in range(answers):
        if line is None:
            return None
        for rules, runner in zip(both, runners, strict=True):
            rules.step(runner, line)
        done.append(line)
        question = next(differences(both, runners), None)
        if question is not None:
            return Candidate(tuple(done), question)
        choices = list(replies(both[0], runners[0], sampler))
        choices += [x for x in replies(both[1], runners[1], sampler) if x not in choices]
        for choice in choices:
            if legal(both, runners, choice):
                return Candidate(tuple(done), Question("legal", choice=choice))
        line = chosen(choices, sampler)
    return None


def replies(rules: Rules, runner: Runner, sampler: Sampler) -> Iterator[Play]:
    """Possible replies to the pending decisions: `done` for a window that may close, some answers to a question."""
    game = runner.game
    decision = next(iter(game.decisions), None)
    if decision is None or decision.sort == "standing":
        return
    spaces = game.spaces(decision)
    for space in spaces:
        if space.name == "done":
            if next(space.listing(), None) is not None:
                yield w.play(decision.side, "done", "word", ())
            continue
        if isinstance(space, AskSpace):
            ask = next(a for a in rules.book.asks if a.name == decision.name)
            if not answerable(ask.type):
                return
            args, sampler.source.rng = space.sample(sampler.source.rng)
            listed = [args] if args is not None else []
            listed += [x for x in islice(space.listing(), 4) if x not in listed]
            for given in listed:
                value = rules.decode(ask.type, given[0][1])
                yield w.play(decision.side, decision.name, "ask", ((ask.type.plain, value),))
    open_now = [space for space in spaces if isinstance(space, ActionSpace)]
    for space in sampler.source.some(open_now, 3):
        yield from islice(ways(rules, runner, space.name, decision.side, sampler), 3)


def chosen(choices: list[Play], sampler: Sampler) -> Play | None:
    """The reply to continue with: mostly `done` where that is possible, else some answer."""
    if not choices:
        return None
    word = [x for x in choices if x.sort == "word"]
    return word[0] if word and sampler.source.often(65) else sampler.source.pick(choices)


def answerable(type: Type) -> bool:
    return type.name not in ("plan", "shares") and type.sort != "any"


def differences(both: Both, runners: Runners) -> Iterator[Question]:
    """Questions about every part in which the two states differ."""
    (a, b), (x, y) = both, runners
    one, other = x.S, y.S
    same = a.program.units == b.program.units and a.program.board.places == b.program.board.places
    if pending(x) != pending(y):
        yield from sure(both, runners, Question("pending"))
    if one.winner != other.winner:
        yield from sure(both, runners, Question("value", "winner"))
    for unit in a.program.units if not same or one.at != other.at else ():
        if unit not in b.program.unit_index:
            continue
        places = (r.decode(t.PLACE, s.at[r.program.unit_index[unit]]) for r, s in ((a, one), (b, other)))
        if len({*places}) > 1:
            yield from sure(both, runners, Question("value", "a0.hex", ((t.UNIT, unit),)))
    for (owner, name), mark in a.book.marks.items():
        if (owner, name) in b.book.marks and b.book.marks[owner, name].type == mark.type:
            column = f"{owner}_{name}"
            if same and getattr(one, column) == getattr(other, column):
                continue
            for who in unlike(both, (one, other), column, mark.owner):
                args = () if owner == "game" else ((mark.owner, who),)
                yield from sure(both, runners, Question("value", name if owner == "game" else f"a0.{name}", args))
    for name, memory in a.book.memories.items():
        if name in b.book.memories:
            past = [getattr(s, "past_" + name) for s in (one, other)]
            types = [p.type for p in memory.definition.params]
            yield from kept(both, runners, past, name, "", types)
    for name, quota in a.book.quotas.items():
        if name in b.book.quotas:
            spent = [getattr(s, "spent_" + name) for s in (one, other)]
            types = [p.type for p in quota.definition.params]
            yield from kept(both, runners, spent, name, "spent", types)


def unlike(both: Both, states: tuple[Any, Any], column: str, owner: Type) -> Iterator[Any]:
    """The owners, by name, whose values of a mark differ."""
    values: list[dict[Any, Any]] = []
    for rules, S in zip(both, states, strict=True):
        info = rules.program.column[column]
        pairs = S.each(info)
        values.append({rules.decode(owner, o): v for o, v in pairs if v != info.start})
    for who in sorted({*values[0], *values[1]}, key=repr):
        if values[0].get(who) != values[1].get(who):
            yield who


def kept(
    both: Both, runners: Runners, past: list[dict[Any, Any]], name: str, word: str, types: list[Type]
) -> Iterator[Question]:
    if past[0] == past[1] or len(types) > 3:
        return
    inner = ", ".join(f"a{i}" for i in range(len(types)))
    text = f"{name}({inner})" if inner else name
    for key in sorted({*past[0], *past[1]}, key=repr):
        if past[0].get(key) != past[1].get(key):
            args = tuple((of.plain, both[0].decode(of, v)) for of, v in zip(types, key, strict=True))
            yield from sure(both, runners, Question("value", f"{word}({text})" if word else text, args))


def sure(both: Both, runners: Runners, question: Question) -> Iterator[Question]:
    """The question, if it can be written down and the two answers differ in print as well."""
    if not differ(both, runners, question):
        return
    one, other = (question.answer(r, x) for r, x in zip(both, runners, strict=True))
    if question.claim(both[0], one, other) is not None or question.claim(both[1], other, one) is not None:
        yield question
