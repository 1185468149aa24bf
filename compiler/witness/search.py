"""Search for witnesses: for each changed rule a small position in which the two rule sets differ.

In:  two rule sets and the facts between them, and how many positions to try for a fact.
Out: for each fact that may alter play a worked example that holds on one side and fails on the other, with both
     answers, the cases behind them and its relation to the fact; or how many positions were tried in vain.

What the search finds is minimised, printed, parsed again, and run under both rule sets by compiled code and by the
interpreter, and then under the rule sets that differ by the fact alone; only then is it a witness of that fact.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rulewright.runtime.problems import cases_of
from rulewright.runtime.telling.explain import Why, traced
from rulewright.runtime.telling.narrate import narrate
from rulewright.runtime.telling.trace import nodes

from ..core import nodes as c
from ..diff.facts import Fact, compared
from ..diff.judge import SILENT, late
from ..examples.run import Runner
from ..pipeline import Compiled
from .attribution import Attribution, Standing
from .compare import Both, Candidate, look
from .conditions import Condition, conditions, offer_conditions
from .effort import Effort, Patience
from .lines import At, Line
from .minimise import minimise, still
from .mixed import Mixer
from .position_values import Env
from .positions import Board, Sampler, Source
from .printed_values import must_have, printed_by, printed_questions
from .questions import Asker, Question, askers, roots
from .reads import Reads, reads
from .rule_set import BROKEN, Clash, Rules, Unknown
from .steer import Steer
from .text import example_text, line_text, literal

MORE = 8
FEW = 5
KEPT = 2
PROOFS = 3
QUIET = frozenset({"phrase", "provenance", "invariant", "untranslated", "case"})


def witnesses(
    a: Compiled,
    b: Compiled,
    facts: list[Fact],
    positions: int | None = None,
) -> list[dict[str, Any]]:
    """A witness, or how many positions were tried, for each fact that may alter play."""
    wanted = [f for f in facts if searched(f)]
    if not wanted:
        return []
    search = Search(a, b, Effort.of(len(wanted), positions))
    found = [search.fact(f) for f in wanted]
    search.lend(found)
    return found


def searched(f: Fact) -> bool:
    """Whether a fact says something about play."""
    return (f.kind in ("added", "struck", "amended") and f.element not in SILENT | QUIET) or late(f)


class Search:
    """Both rule sets, and the search for one fact after another."""

    def __init__(self, a: Compiled, b: Compiled, effort: Effort | None = None) -> None:
        self.ends: Both = (Rules(a), Rules(b))
        self.filing = Attribution(Mixer(a, b, compared(a, b)))
        self.effort = effort or Effort()

    @cached_property
    def pair(self) -> Pair:
        return Pair(self.ends, self.filing, self.effort)

    def fact(self, f: Fact) -> dict[str, Any]:
        """The witness of one fact: between the two rule sets, or else between the first and the first with it."""
        self.filing.patience = Patience(self.effort.steps)
        made = self.pair.fact(f)
        felt = made["example"] is not None and not made.get("printed")
        if felt or not self.effort.between or self.filing.single or f.id not in self.filing.facts:
            return made
        alone = self.filing.compiled(self.filing.alone(f.id))
        if alone is None or alone.made is self.ends[1].made:
            return made
        other = Pair((self.ends[0], alone), self.filing, self.effort.half, self.ends[1]).fact(f)
        other["positions"] += made["positions"]
        return other if other["example"] is not None else made

    def lend(self, found: list[dict[str, Any]]) -> None:
        """File the witnesses of other facts under those that have none, where these have a part in them."""
        known = [w for w in found if w["example"] and w["stands"] != "hidden"]
        for w in found if self.effort.between else ():
            if not w["example"]:
                w |= self.lent(w, known)

    def lent(self, bare: dict[str, Any], known: list[dict[str, Any]]) -> dict[str, Any]:
        """What a fact without a witness has from the first witness of another fact in which it has a part."""
        self.filing.patience = Patience(self.effort.steps)
        for other in known:
            standing = self.filing.file(bare["fact"], other["example"], other["holds"] == "before")
            if standing is not None:
                made = {k: other[k] for k in ("example", "holds", "before", "after", "places")}
                made |= {"positions": bare["positions"] + 1, "found": 1}
                return made | {"stands": standing.sort, "partners": list(standing.partners)}
        return {}


Answers = list[tuple[Runner, Any]]


@dataclass(frozen=True, slots=True)
class Filed:
    """A witness as text, whether it holds before, and how it relates to its fact."""

    candidate: Candidate
    text: str
    held: bool
    standing: Standing


class Pair:
    """Two rule sets, and the search for positions in which they differ."""

    def __init__(self, both: Both, filing: Attribution, effort: Effort, last: Rules | None = None) -> None:
        """`last` is the second rule set of the diff where `both` is not the whole of it."""
        self.both, self.filing, self.last = both, filing, last
        self.effort = effort

    @cached_property
    def boards(self) -> tuple[Board, Board]:
        return Board(self.both[0]), Board(self.both[1])

    @cached_property
    def other_boards(self) -> tuple[list[Board], list[Board]]:
        """The boards of the other maps, where a book has several."""
        first, second = ([Board(x, name) for name in [*x.program.grounds][1:]] for x in self.both)
        return first, second

    def ready(self) -> None:
        """Load all that every fact needs."""
        assert all(rules.touch.pieces is not None for rules in self.both) and self.boards

    def fact(self, f: Fact) -> dict[str, Any]:
        """The witness of one fact."""
        source = Source(int(hashlib.sha256(f.id.encode()).hexdigest()[:12], 16))
        names = [roots(f, rules.book, i) for i, rules in enumerate(self.both)]
        must = [must_have(f, self.both, i) for i in (0, 1)]
        others = [self.others(f, i, must[i]) for i in (0, 1)]
        ways: dict[Asker, None] = {}
        for rules, mine in zip(self.both, names, strict=True):
            ways |= dict.fromkeys(askers(mine, rules))
        direct = printed_questions(f, self.both)
        known = {x.question.text for x in direct}
        order = sorted((x for x in ways if x.text not in known), key=lambda x: x.far)
        if not self.effort.between:  # among many facts, a different outcome of a procedure is mostly caused by others
            order = [x for x in order if x.sort != "procedure"] or order
        samplers: dict[tuple[int, str, str], Sampler] = {}
        wished = [self.wished(f, i) for i in (0, 1)]
        found: list[Candidate] = []
        doubts = 0
        tried, last = 0, max(1, self.effort.positions // 4) if direct else self.effort.positions
        most = last
        made: dict[str, Any] | None = None
        counted = f.element == "unit" and not f.where and f.kind != "amended"
        for question in direct if counted else ():  # how many counters a side has needs no position
            tried += 1
            made = made or self.printed(f, question)
        enough = made is not None and (made["rank"] == 0 or not self.effort.between)
        while not enough and order and tried < last:
            at = tried % len(order) if tried < len(order) else min(source.below(len(order)), source.below(len(order)))
            way, side = order[at], (tried // len(order)) % 2
            if way.sort == "procedure" and way.far and tried >= len(order) and source.often(60):
                way = source.pick(order)
            key = (side, way.sort, way.name)
            if key not in samplers:
                samplers[key] = self.sampler(f, side, names[side], way, source, must[side], others[side])
            tried += 1
            lines, env = self.position(samplers[key], way, wished[side], source)
            candidate = look(self.both, way, samplers[key], lines, env)
            if candidate is not None:
                if not found:
                    last = min(last, tried + (MORE if candidate.runs else FEW)) if self.effort.between else tried
                found.append(candidate)
            if found and tried == last:
                better = self.best(f, found)
                if made is None or (better is not None and better["rank"] < made["rank"]):
                    made = better
                if made is not None and made["rank"] == 0:
                    break
                found, last, doubts = [], most, doubts + 1
                if doubts == self.effort.doubts:
                    break
        for question in direct if made is None and not counted else ():
            tried += 1
            if made is None:
                self.filing.patience = Patience(self.effort.steps)
                made, found = self.printed(f, question), [question]
                if made is not None and not question.lines:
                    made["printed"] = True
        base = {"fact": f.id, "judgement": None, "case": f.case, "positions": tried}
        if made is None:
            return {**base, "found": 0, "direction": None, "example": None}
        made.pop("rank")
        return {
            **base,
            "found": 0 if made.get("printed") else max(1, len(found)),
            "direction": made.pop("push"),
            **made,
        }

    def printed(self, f: Fact, candidate: Candidate) -> dict[str, Any] | None:
        """What is printed as evidence, where both rule sets print something else."""
        differs = still(self.both, candidate.lines, candidate.question) is not None
        return self.best(f, [candidate]) if differs else None

    def wished(self, f: Fact, side: int) -> list[Condition]:
        """The conditions of the changed text on one side."""
        entry = (f.old, f.new)[side]
        return conditions(self.both[side].book, entry.node.span) if entry is not None else []

    def position(self, sampler: Sampler, way: Asker, wished: list[Condition], source: Source) -> tuple[list[Line], Env]:
        """A position, mostly steered by a condition of the changed rule and by the needs of the question."""
        lines = sampler.position(way.phases)
        if source.often(25):
            return lines, {}
        needs = offer_conditions(sampler.book, way.name) if way.sort == "action" else []
        wanted = [(e, want if source.often(80) else not want) for e, want in source.some(wished, 1 + source.below(3))]
        return Steer(sampler, lines).towards([*needs, *wanted])

    def best(self, f: Fact, found: list[Candidate]) -> dict[str, Any] | None:
        """The smallest of the candidates that can be proved."""
        short = sorted(found, key=lambda x: len(x.lines))
        kinds = {(x.question.sort, x.question.text): x for x in reversed(short)}
        chosen = dict.fromkeys([*short[:1], *(list(kinds.values())[-KEPT:] if self.effort.between else ())])
        small = sorted(
            ((minimise(self.both, x), x) for x in chosen if self.effort.between or not x.runs or self.likely(f, x)),
            key=lambda x: (len(x[0].lines), x[0].question.sort != "legal"),
        )
        pushes = {self.push(x) for x in found}
        push = pushes.pop() if len(pushes) == 1 else None
        best: Filed | None = None
        for minimal, first in small[:PROOFS]:
            made = self.filed(f, minimal)
            again = self.effort.between and minimal != first and first is small[0][1]
            if made is None and again:  # what is left may be another fact's work
                made = self.filed(f, first)
            if made is not None and (best is None or made.standing.rank < best.standing.rank):
                best = made
            if best is not None and best.standing.rank == 0:
                break
        return self.written(f, best, push) if best is not None else None

    def likely(self, f: Fact, candidate: Candidate) -> bool:
        """Whether a fact has a part in a candidate; asked before the costly minimising."""
        if f.element == "unit":  # positions hold its counter, and none of other facts
            return True
        made = self.claimed(f, candidate)
        return made is not None and self.filing.file(f.id, made[0], made[1], False) is not None

    def filed(self, f: Fact, candidate: Candidate) -> Filed | None:
        """The witness, if it is proved and the fact has a part in it."""
        made = self.claimed(f, candidate)
        if made is None:
            return None
        text, held, _ = made
        if self.last is not None and not self.shows(text, held):
            standing: Standing | None = Standing("hidden", self.filing.named(f.id, self.filing.alone(f.id)))
        else:
            standing = self.filing.file(f.id, text, held, self.effort.between)
        if standing is None or verdicts(self.both, text, self.filing.patience) != [(held,) * 2, (not held,) * 2]:
            return None
        return Filed(candidate, text, held, standing)

    def shows(self, text: str, holds: bool) -> bool:
        """Whether a witness of a mixed rule set also distinguishes the first rule set from the last."""
        assert self.last is not None
        example = self.last.read(text)
        return example is not None and self.last.holds(example).passed is not holds

    def others(self, f: Fact, side: int, must: dict[str, list[Any]]) -> dict[str, frozenset[Any]]:
        """The units and places that only other facts concern; positions without them show this fact alone."""
        rest = [x for id, x in self.filing.facts.items() if x is not f and id not in self.filing.mixer.whole([f.id])]
        found = printed_by(rest, self.both[side]) if f.id in self.filing.facts else {}
        return {sort: known - set(must.get(sort, ())) for sort, known in found.items()}

    def sampler(
        self,
        f: Fact,
        side: int,
        names: list[Any],
        way: Asker,
        source: Source,
        must: dict[str, list[Any]],
        others: dict[str, frozenset[Any]],
    ) -> Sampler:
        book = self.both[side].book
        lead = {"action": ("action", way.name), "procedure": ("procedure", way.name)}.get(
            way.sort, ("define", way.name)
        )
        found = reads(book, [*names, lead])
        keyed(found, f, book)
        made = Sampler(self.boards[side], found, source, must, others)
        if made.at_home:
            return made
        elsewhere = (Sampler(board, found, source, must, others) for board in self.other_boards[side])
        return next((x for x in elsewhere if x.at_home), made)

    def push(self, candidate: Candidate) -> str:
        """Whether the second rule set allows less or more here; empty where the question is not about legality."""
        if candidate.question.sort != "legal":
            return "different"
        rules, question = self.both[0], candidate.question
        before = question.answer(rules, rules.at(candidate.lines, question.reads(rules)))
        return "narrower" if before else "wider"

    # ------------------------------------------------------------ proof

    def claimed(self, f: Fact, candidate: Candidate) -> tuple[str, bool, Answers] | None:
        """A candidate as text, whether it holds before, and both answers; None where it has no text."""
        question, lines = candidate.question, candidate.lines
        try:
            runners = [rules.at(lines, question.reads(rules)) for rules in self.both]
            answers = [question.answer(r, x) for r, x in zip(self.both, runners, strict=True)]
            claim = question.claim(self.both[0], *answers)
        except (*BROKEN, Unknown):
            return None
        held = claim is not None
        if claim is None:
            claim = question.claim(self.both[1], answers[1], answers[0])
        if claim is None:
            return None
        named = f"{f.element} {f.name}".strip().replace('"', "'")
        text = example_text(named, [*(line_text(self.both[0], x) for x in lines), claim])
        return text, held, list(zip(runners, answers, strict=True))

    def written(self, f: Fact, found: Filed, push: str | None) -> dict[str, Any]:
        """A witness with both answers and the cases behind them."""
        question, lines = found.candidate.question, found.candidate.lines
        made = self.claimed(f, found.candidate)
        assert made is not None, "it was claimed before"
        told = [self.told(r, x, question, answer) for r, (x, answer) in zip(self.both, made[2], strict=True)]
        return {
            "example": found.text,
            "holds": "before" if found.held else "after",
            "before": told[0],
            "after": told[1],
            "places": places_of(lines, question),
            "stands": found.standing.sort,
            "partners": list(found.standing.partners),
            "rank": found.standing.rank,
            "push": push,
        }

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


def verdicts(both: Both, text: str, patience: Patience | None = None) -> list[tuple[bool | None, bool | None]]:
    """Whether an example holds under each rule set, by compiled code and by the interpreter."""
    found: list[tuple[bool | None, bool | None]] = []
    for rules in both:
        example = rules.read(text)
        if example is None:
            return []
        walked = rules.walked(example, patience)
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
    """Add the keys of changed cells to the relevant constants."""
    table = book.tables.get(f.name.split(",")[0].strip()) if f.element == "cell" else None
    for key in f.keys if table is not None else ():
        for p, value in zip(
            table.params if table is not None else (), key if isinstance(key, tuple) else (key,), strict=False
        ):
            found.constant(p.type.name, value)


def places_of(lines: tuple[Line, ...], question: Question) -> dict[str, Any]:
    """The input of a drawing: units by place, and other places that are mentioned."""
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
