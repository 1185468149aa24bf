"""Search for witnesses: for each changed rule a small position in which the two rule sets differ.

In:  two rule sets and the facts between them, and how many positions to try for a fact.
Out: for each fact that may alter play a worked example that holds before and fails after the change, with both
     answers and the cases behind them; or how many positions were tried in vain.

Nothing is taken from the book's own examples. What the search finds is made minimal, printed, read back, and
run under both rule sets by compiled code and by the interpreter; only then is it a witness.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from rulewright.runtime.problems import cases_of
from rulewright.runtime.telling.explain import Why, traced
from rulewright.runtime.telling.narrate import narrate
from rulewright.runtime.telling.trace import nodes

from ..core import nodes as c
from ..diff.facts import Fact
from ..diff.judge import SILENT, late
from ..examples.run import Runner
from ..pipeline import Compiled
from .compare import Both, Candidate, look
from .lines import At, Line
from .minimise import minimise, still
from .position_values import Env
from .positions import Board, Sampler, Source
from .printed_values import must_have, printed_questions
from .questions import Asker, Question, askers, roots
from .reads import Reads, reads
from .rule_set import BROKEN, Clash, Rules, Unknown
from .steer import Steer
from .text import example_text, line_text, literal
from .wishes import Wish, leave, wishes

POSITIONS = 300
MORE = 12
KEPT = 4
DOUBTS = 3
PROOFS = 3
QUIET = frozenset({"provenance", "invariant", "untranslated", "case"})


def witnesses(
    a: Compiled,
    b: Compiled,
    facts: list[Fact],
    positions: int = POSITIONS,
    told: Callable[[int, int], None] = lambda *_: None,
) -> list[dict[str, Any]]:
    """A witness, or how many positions were tried, for each fact that may alter play."""
    wanted = [f for f in facts if searched(f)]
    if not wanted:
        return []
    search = Search(a, b, positions)
    found = []
    for i, f in enumerate(wanted):
        told(i, len(wanted))
        found.append(search.fact(f))
    told(len(wanted), len(wanted))
    return found


def searched(f: Fact) -> bool:
    """Whether a fact says something about play."""
    return (f.kind in ("added", "struck", "amended") and f.element not in SILENT | QUIET) or late(f)


class Search:
    """Both rule sets, and the search for one fact after another."""

    def __init__(self, a: Compiled, b: Compiled, positions: int) -> None:
        self.both: Both = (Rules(a), Rules(b))
        self.boards = Board(self.both[0]), Board(self.both[1])
        self.positions = positions

    def fact(self, f: Fact) -> dict[str, Any]:
        """The witness of one fact."""
        source = Source(int(hashlib.sha256(f.id.encode()).hexdigest()[:12], 16))
        names = [roots(f, rules.book, i) for i, rules in enumerate(self.both)]
        must = [must_have(f, self.both, i) for i in (0, 1)]
        ways: dict[Asker, None] = {}
        for rules, mine in zip(self.both, names, strict=True):
            ways |= dict.fromkeys(askers(mine, rules))
        direct = printed_questions(f, self.both)
        known = {x.question.text for x in direct}
        order = sorted((x for x in ways if x.text not in known), key=lambda x: x.far)
        samplers: dict[tuple[int, str, str], Sampler] = {}
        wished = [self.wished(f, i) for i in (0, 1)]
        found: list[Candidate] = []
        doubts = 0
        tried, last = 0, max(1, self.positions // 4) if direct else self.positions
        most = last
        made: dict[str, Any] | None = None
        while order and tried < last:
            at = tried % len(order) if tried < len(order) else min(source.below(len(order)), source.below(len(order)))
            way, side = order[at], (tried // len(order)) % 2
            if way.sort == "procedure" and way.far and tried >= len(order) and source.often(60):
                way = source.pick(order)
            key = (side, way.sort, way.name)
            if key not in samplers:
                samplers[key] = self.sampler(f, side, names[side], way, source, must[side])
            tried += 1
            lines, env = self.position(samplers[key], way, wished[side], source)
            candidate = look(self.both, way, samplers[key], lines, env)
            if candidate is not None:
                if not found:
                    last = min(last, tried + MORE)
                found.append(candidate)
            if found and tried == last:
                made = self.best(f, found)
                if made is None:
                    found, last, doubts = [], most, doubts + 1
                if doubts == DOUBTS:
                    break
        for candidate in direct if made is None else ():
            tried += 1
            if made is None and still(self.both, candidate.lines, candidate.question) is not None:
                found = [candidate]
                made = self.best(f, found)
        base = {"fact": f.id, "judgement": None, "case": f.case, "positions": tried}
        if made is None:
            return {**base, "found": 0, "direction": None, "example": None}
        pushes = {self.push(x) for x in found}
        return {**base, "found": len(found), "direction": pushes.pop() if len(pushes) == 1 else None, **made}

    def wished(self, f: Fact, side: int) -> list[Wish]:
        """The conditions of the changed text on one side."""
        entry = (f.old, f.new)[side]
        return wishes(self.both[side].book, entry.node.span) if entry is not None else []

    def position(self, sampler: Sampler, way: Asker, wished: list[Wish], source: Source) -> tuple[list[Line], Env]:
        """A position, mostly steered by a condition of the changed rule and by what the way to ask needs."""
        lines = sampler.position(way.phases)
        if source.often(25):
            return lines, {}
        needs = leave(sampler.book, way.name) if way.sort == "action" else []
        wanted = [(e, want if source.often(80) else not want) for e, want in source.some(wished, 1 + source.below(3))]
        return Steer(sampler, lines).towards([*needs, *wanted])

    def best(self, f: Fact, found: list[Candidate]) -> dict[str, Any] | None:
        """The smallest of what was found that stands up to proof."""
        short = sorted(found, key=lambda x: len(x.lines))
        kinds = {(x.question.sort, x.question.text): x for x in reversed(short)}
        chosen = dict.fromkeys([*short[:2], *list(kinds.values())[-KEPT:]])
        small = sorted(
            (minimise(self.both, x) for x in chosen), key=lambda x: (len(x.lines), x.question.sort != "legal")
        )
        return next((made for made in (self.proved(f, x) for x in small[:PROOFS]) if made is not None), None)

    def sampler(
        self, f: Fact, side: int, names: list[Any], way: Asker, source: Source, must: dict[str, list[Any]]
    ) -> Sampler:
        book = self.both[side].book
        lead = {"action": ("action", way.name), "procedure": ("procedure", way.name)}.get(
            way.sort, ("define", way.name)
        )
        found = reads(book, [*names, lead])
        keyed(found, f, book)
        return Sampler(self.boards[side], found, source, must)

    def push(self, candidate: Candidate) -> str:
        """Whether the second rule set allows less or more here; nothing where it is no matter of leave."""
        if candidate.question.sort != "legal":
            return "different"
        before = candidate.question.answer(self.both[0], self.both[0].at(candidate.lines))
        return "narrower" if before else "wider"

    # ------------------------------------------------------------ proof

    def proved(self, f: Fact, candidate: Candidate) -> dict[str, Any] | None:
        """The witness, if its printed text holds before and fails after on compiled code and interpreter alike."""
        question, lines = candidate.question, candidate.lines
        try:
            runners = [rules.at(lines) for rules in self.both]
            answers = [question.answer(r, x) for r, x in zip(self.both, runners, strict=True)]
            claim = question.claim(self.both[0], *answers)
        except (*BROKEN, Unknown):
            return None
        holds = 0
        if claim is None:
            claim, holds = question.claim(self.both[1], answers[1], answers[0]), 1
        if claim is None:
            return None
        named = f"{f.element} {f.name}".strip().replace('"', "'")
        text = example_text(named, [*(line_text(self.both[0], x) for x in lines), claim])
        if verdicts(self.both, text) != [(holds == 0,) * 2, (holds == 1,) * 2]:
            return None
        told = [self.told(r, x, question, answer) for r, x, answer in zip(self.both, runners, answers, strict=True)]
        return {"example": text, "before": told[0], "after": told[1], "places": places_of(lines, question)}

    def told(self, rules: Rules, runner: Runner, question: Question, answer: Any) -> dict[str, Any]:
        """One side's answer in words, and the cases behind it."""
        log = [x for x in (narrate(rules.program, e) for e in runner.game.log) if x is not None]
        trail = [x.strip() for x in log]
        if question.sort == "value":
            if isinstance(answer, Clash):
                return {"answer": f"conflict: {answer}", "trail": trail}
            trail += rules.trail(runner, question.text, question.args)
            return {"answer": shown(question, rules, answer), "trail": trail}
        if question.sort == "pending":
            asked = [f"{side} is asked for {' or '.join(name.split()[:3])}" for side, name in answer]
            return {"answer": "; ".join(asked) or "nothing is asked", "trail": trail}
        why = explained(rules, runner, question)
        cases = cases_of(list(why.grounds))
        word = "legal" if why.legal else "refused" + (f" by {', '.join(cases)}" if cases else "")
        return {"answer": word, "trail": trail + why.lines()[1:]}


def verdicts(both: Both, text: str) -> list[tuple[bool | None, bool | None]]:
    """Whether an example holds under each rule set, by compiled code and by the interpreter."""
    found: list[tuple[bool | None, bool | None]] = []
    for rules in both:
        example = rules.read(text)
        if example is None:
            return []
        walked = rules.walked(example)
        found.append((rules.holds(example).passed, walked.passed if walked is not None else None))
    return found


def explained(rules: Rules, runner: Runner, question: Question) -> Why:
    """Why a choice is legal or not, from the traced twin."""
    assert question.choice is not None
    twin = traced(runner.game)
    root = twin.state.trace
    asking = Runner(rules.book, twin.program, {})
    asking.game, asking.set_up = twin, True
    made, values = rules.encoded(question.choice)
    assert isinstance(made, c.ChoiceLine)
    for k, value in enumerate(values):
        asking.functions[0, k, ""] = lambda S, value=value: value
    grounds = tuple(asking.grounds(asking.choice(0, made)))
    return Why(program=rules.program, text="", legal=not grounds, grounds=grounds, trail=nodes(root))


def shown(question: Question, rules: Rules, answer: Any) -> str:
    type = question.type(rules)
    text = literal(rules, type, answer)
    if type.of is not None and len(text) > 160:
        return f"{text[:150]} … ({len(answer)})"
    return text


def keyed(found: Reads, f: Fact, book: c.Book) -> None:
    """The keys of a changed cell are constants that matter."""
    table = book.tables.get(f.name.split(",")[0].strip()) if f.element == "cell" else None
    for key in f.keys if table is not None else ():
        for p, value in zip(
            table.params if table is not None else (), key if isinstance(key, tuple) else (key,), strict=False
        ):
            found.constant(p.type.name, value)


def places_of(lines: tuple[Line, ...], question: Question) -> dict[str, Any]:
    """What a drawing needs: units by place, and other places that are spoken of."""
    units: dict[str, list[str]] = {}
    others: dict[str, None] = {}
    for line in lines:
        if isinstance(line, At):
            units.setdefault(line.values[1][1], []).append(line.values[0][1])
    givens = [v for line in lines if not isinstance(line, At) for v in line.values]
    givens += [*question.args, *(question.choice.values if question.choice is not None else ())]
    for type, value in givens:
        if value is None:
            continue
        if type.name == "place":
            others[value] = None
        elif type.name in ("path", "hexside") or (type.of is not None and type.of.name == "place"):
            others |= dict.fromkeys(value)
    return {"units": units, "others": [p for p in others if p not in units]}
