"""Evidence that a case of the printed book is tested.

In:  a rule set prepared for trials, and a case of the printed book.
Out: its status, and the evidence.

A case runs where a strike of the rule that carries it fails an example of that very case: one that stands in it, or
names it, with `covers` or as the case that refuses, and that runs the part that is struck. Data counts where a
declaration that ran, or an example, reads it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property

from rulewright.dsl import nodes as n
from rulewright.dsl.print import print_rules

from ..core import nodes as c
from ..core.entries import Entry
from ..core.used_names import house_names, used
from ..passes.compiled import given
from .data_names import data_names
from .differences import FUNCTION
from .executed_lines import Line
from .executed_statements import stamp
from .mutants import Mutant
from .strikes import strikes
from .trial import Trials

SILENT = (n.Example, n.Note, n.Covers, n.Unclear, n.Untranslated, n.Use, n.Book)
DATA = (n.Kind, n.Scale, n.Record, n.Field, n.Data, n.Box, n.Mark)
MADE_UP = (n.Kind, n.Scale, n.Record, n.Field, n.Data, n.Box, n.Table, n.Define)
WORD = re.compile(r"\b(?:(chapter_\w+)\.)?([a-z]\w*)\b")


@dataclass(frozen=True, slots=True)
class Found:
    """The status of a case, its evidence, and the house values that its rules read."""

    status: str
    by: str = ""
    where: str = ""
    house: tuple[str, ...] = ()


def named(example: c.Example) -> tuple[str, ...]:
    """The cases of an example: its own, those that it covers, and those cited for refused choices."""
    refusing = (case for line in example.lines if isinstance(line, c.RefusedLine) for case in line.cases)
    return tuple(dict.fromkeys((example.case, *example.covers, *refusing)))


def made_up(entry: Entry) -> bool:
    """Whether an entry is a house value: its effects prove nothing about a printed rule."""
    return entry.house and isinstance(entry.node, MADE_UP)


class Evidence:
    """Finds the evidence for the cases of one rule set."""

    def __init__(self, trials: Trials) -> None:
        self.trials = trials
        self.book = trials.book
        self.entries: list[Entry] = given(trials.made.entries)
        self.claims: dict[str, list[int]] = {}
        for at, e in enumerate(self.entries):
            if not isinstance(e.node, SILENT):
                for case in dict.fromkeys((e.case, *e.covers)):
                    self.claims.setdefault(case, []).append(at)
        self.lines: dict[str, list[tuple[Line, int]]] = {}
        for module, line, case, _, rules_line, _ in trials.loaded.source_lines():
            self.lines.setdefault(case, []).append(((module, line), rules_line))
        self.examples: dict[str, list[int]] = {}
        for i, x in enumerate(trials.examples):
            for case in named(x):
                self.examples.setdefault(case, []).append(i)

    def row(self, case: str, executable: str, known: dict[str, str]) -> tuple[Found, str]:
        """The status of a case, and the key under which its proof is cached in `known`."""
        carriers = self.claims.get(case, [])
        if not carriers:
            return self.without_rule(case), ""
        where = str(self.entries[carriers[0]].node.span)
        printed = [at for at in carriers if not made_up(self.entries[at])]
        if not printed:
            names = [self.entries[at].name for at in carriers]
            return Found("house", "made up for what the print lacks: " + ", ".join(dict.fromkeys(names)), where), ""
        rules = [at for at in printed if not isinstance(self.entries[at].node, DATA)]
        house = tuple(sorted({x for at in rules for x in self.rests_on(self.entries[at])}))
        if not rules:
            return Found(*self.data(printed), where=where), ""
        key = self.key(case, rules)
        noticed = known[key] if key in known else self.struck(case, rules)
        if noticed:
            return Found("run", noticed, where, house), key
        return Found(*self.unproved(case, executable, rules), where=where, house=house), key

    def without_rule(self, case: str) -> Found:
        """The status of a case without declarations: as declared (`unclear`, `untranslated`), or missing."""
        reason = self.book.untranslated.get(case)
        above = case
        while reason is None and (cut := max(above.rfind("/"), above.rfind("."))) > 0:
            above = above[:cut]
            reason = self.book.untranslated.get(above)
        if reason is not None:
            return Found("untranslated", reason)
        doubt = next((u for u in self.book.unclear.values() if u.case == case), None)
        if doubt is not None:
            return Found("unclear", doubt.text, str(doubt.span))
        only = "an example, and no rule that it could be about" if self.examples.get(case) else ""
        return Found("missing", only)

    # ------------------------------------------------------------ rules

    def struck(self, case: str, rules: list[int]) -> str:
        """The first strike of a rule of this case that an example of this case detects, as text."""
        examples = self.examples.get(case, [])
        for mutant in self.strikes(rules) if examples else ():
            meeting = [i for i in examples if self.meets(i, mutant)]
            tried = self.trials.try_out(mutant, meeting) if meeting else None
            if tried is not None and tried.status == "noticed":
                return f"{mutant.what} fails {tried.by}"
        return ""

    def meets(self, example: int, mutant: Mutant) -> bool:
        """Whether an example runs the part that is struck; it may fail for want of that part without coming to it.

        A part that is data and not code, such as a cell or an offer, has nothing that could be seen to run.
        """
        part = 0
        span = mutant.change.span
        for line, rules_line in self.lines.get(mutant.case, ()):
            if span.line <= rules_line <= span.end_line:
                part |= self.bits.get(line, 0)
        return not part or bool(part & self.trials.runs.examples[example].reached)

    @cached_property
    def bits(self) -> dict[Line, int]:
        """The statements of each generated line, a bit each."""
        found: dict[Line, int] = {}
        for i, x in enumerate(self.trials.runs.statements):
            for line in range(x.first, x.last + 1):
                found[x.module, line] = found.get((x.module, line), 0) | 1 << i
        return found

    def strikes(self, rules: list[int]) -> list[Mutant]:
        return [m for at in rules for m in strikes(at, self.entries[at], self.book)]

    def unproved(self, case: str, executable: str, rules: list[int]) -> tuple[str, str]:
        """The status of rules whose strikes no example detects."""
        doubt = next((u for u in self.book.unclear.values() if u.case == case), None)
        executed = any(line in self.trials.runs.lines for at in rules for line in self.lines_of(at))
        if not executed:
            return ("unclear", doubt.text) if doubt is not None else ("compiled", "no example runs it")
        if executable == "data" and all(isinstance(self.entries[at].node, n.Table) for at in rules):
            return "data", "table"
        if not self.examples.get(case):
            return "weak", "no example stands in this case or names it"
        return "weak", f"no strike of it fails one of its {len(self.examples[case])} examples"

    def lines_of(self, at: int) -> list[Line]:
        """The generated lines that come from one declaration."""
        span, case = self.entries[at].node.span, self.entries[at].case
        return [line for line, rules_line in self.lines.get(case, ()) if span.line <= rules_line <= span.end_line]

    # ------------------------------------------------------------ data

    def data(self, carriers: list[int]) -> tuple[str, str]:
        """The status of data: whether something that ran reads it."""
        for at in carriers:
            e = self.entries[at]
            words = data_names(e, self.book)
            reader = next((who for who, asked in self.readers if who != at and not words.isdisjoint(asked)), None)
            if reader is not None:
                who = self.entries[reader]
                title = who.node.title if isinstance(who.node, n.Example) else who.name
                return "data", f"{type(e.node).__name__.lower()} {e.name}, read by {who.case} {title}".strip()
        return "compiled", "nothing that ran reads it"

    @cached_property
    def readers(self) -> list[tuple[int, set[str]]]:
        """The declarations that ran, and the examples, with the names that they use."""
        found = []
        ran = {x.span for x in self.trials.examples}
        for at, e in enumerate(self.entries):
            if isinstance(e.node, n.Example):
                if e.node.span in ran:
                    found.append((at, used(e.node)))
            elif not isinstance(e.node, (*SILENT, *DATA)) and not self.trials.runs.lines.isdisjoint(self.lines_of(at)):
                found.append((at, used(e.node)))
        return found

    # ------------------------------------------------------------ what a case rests on

    @cached_property
    def house(self) -> dict[str, set[str]]:
        return house_names(self.entries)

    def rests_on(self, e: Entry) -> set[str]:
        """The house values that a rule reads, directly or through others."""
        return set().union(*(self.house.get(word, set()) for word in used(e.node)))

    def key(self, case: str, rules: list[int]) -> str:
        """A hash of everything that the strikes and examples of a case depend on."""
        examples = self.examples.get(case, [])
        called = {f for i in examples for f in self.trials.runs.functions[i]}
        texts = [self.pieces[f] for f in sorted(self.reached(called)) if f in self.pieces]
        own = [(e.case, e.covers, print_rules([e.node])) for e in (self.entries[at] for at in rules)]
        worked = [self.trials.examples[i].span.text for i in examples]
        words = (stamp(), case, own, worked, texts, self.program)
        return hashlib.sha256(repr(words).encode()).hexdigest()

    @cached_property
    def program(self) -> str:
        """A hash of what may affect any example: the program itself and the printed values."""
        emitted = given(self.trials.made.emitted)
        parts = (emitted.arguments["rules"], emitted.modules["data.py"], emitted.modules["fixed.py"])
        text = repr(parts).replace(self.trials.made.digest, "")  # the hash of the text changes with every edit
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def pieces(self) -> dict[tuple[str, str], str]:
        """The text of every function."""
        emitted = given(self.trials.made.emitted)
        return {
            (module, name): piece
            for module, pieces in emitted.pieces.items()
            if module.startswith("chapter_")
            for piece in pieces
            for name in FUNCTION.findall(piece)
        }

    @cached_property
    def calls(self) -> dict[tuple[str, str], frozenset[tuple[str, str]]]:
        """The functions that each function may call."""
        return {
            (module, name): frozenset(
                f for where, word in WORD.findall(text) if (f := (where or module, word)) in self.pieces
            )
            for (module, name), text in self.pieces.items()
        }

    def reached(self, functions: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """These functions and all that they may call."""
        found, todo = set(functions), list(functions)
        while todo:
            for f in self.calls.get(todo.pop(), ()):
                if f not in found:
                    found.add(f)
                    todo.append(f)
        return found
