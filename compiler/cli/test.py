"""`rulewright test`: run the worked examples of a rule set, its invariants, and the facts of its text.

In:  a rule set.
Out: which examples, invariants and facts hold, as text or JSON; exit code 1 where one does not.

If the rule set has an owner's file, its values are checked against the facts of the text. An example that fails with
the owner's values but holds with the house values is listed apart: it was worked out on other numbers.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .options import compiled, held

if TYPE_CHECKING:
    from ..core import nodes as c
    from ..examples.run import Outcome
    from ..pipeline import Compiled
    from ..provenance.facts import Broken


def add_test(p: argparse.ArgumentParser) -> None:
    p.add_argument("books", nargs="+", metavar="BOOK")
    p.add_argument("--holding", action="store_true", help="test the books and overlays that these files belong to")
    p.add_argument(
        "--case", action="append", default=[], help="only the examples of this case and of those below; may be repeated"
    )
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.add_argument("--quiet", action="store_true", help="no progress")
    p.set_defaults(run=run_test)


@dataclass(slots=True)
class Result:
    """Outcomes of the examples, invariants and facts of a rule set."""

    outcomes: list[Outcome]
    otherwise: list[Outcome] = field(default_factory=list)
    promises: list[str] = field(default_factory=list)
    facts: list[Broken] = field(default_factory=list)
    asked: int = 0

    @property
    def failed(self) -> list[Outcome]:
        apart = set(map(id, self.otherwise))
        return [o for o in self.outcomes if not o.passed and id(o) not in apart]

    @property
    def passed(self) -> int:
        return sum(o.passed for o in self.outcomes)

    @property
    def code(self) -> int:
        return 1 if self.failed or self.promises or self.facts else 0


def run_test(args: argparse.Namespace) -> int:
    """Test each rule set; the exit code is that of the worst."""
    names = held(args.books) if args.holding else args.books
    results = {}
    for name in dict.fromkeys(names):
        results[name] = tested(name, args)
        if args.format == "text":
            if len(names) > 1:
                print(f"{name}:")
            print_result(results[name])
    if args.format == "json":
        rows = [{**({"book": x} if len(names) > 1 else {}), **row} for x, r in results.items() for row in as_rows(r)]
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    return max((result.code for result in results.values()), default=0)


def tested(name: str, args: argparse.Namespace) -> Result:
    """The examples, invariants and facts of one rule set."""
    from ..examples.invariants import broken_invariants
    from ..examples.run import run_examples
    from ..pipeline import analyse
    from .progress import Progress

    loaded = compiled(name)
    made = analyse(name)
    assert made.book is not None
    chosen = examples_of(made.book, name, args.case)
    with Progress("examples", len(chosen), args.quiet) as progress:
        result = Result(run_examples(made.book, loaded.program, chosen, progress))
    result.promises = [] if args.case else broken_invariants(loaded.program)
    hold_against_the_print(name, made, args.case, result)
    return result


def examples_of(book: c.Book, name: str, cases: list[str]) -> list[c.Example]:
    """The examples of the given cases, or all; Usage where a case has none."""
    known = dict.fromkeys(case for e in book.examples for case in (e.case, *e.covers))
    for wanted in cases:
        if not any(below(case, wanted) for case in known):
            from .faults import Usage, near

            text = near(wanted, known, "cases with examples") if len(known) < 40 or wanted in book.cases else ""
            raise Usage(f"{name} has no example of case {wanted}", text or "rulewright coverage lists the cases")
    return [e for e in book.examples if not cases or under(cases, (e.case, *e.covers))]


def under(wanted: list[str], cases: Iterable[str]) -> bool:
    return any(below(case, one) for case in cases for one in wanted)


def below(case: str, wanted: str) -> bool:
    """Whether a case is the wanted one or one of its subcases: 12.1 and 12.5/p2 are subcases of 12."""
    return not wanted or case == wanted or case.startswith((f"{wanted}.", f"{wanted}/"))


# ---------------------------------------------------------------- an owner's values


def hold_against_the_print(name: str, made: Compiled, cases: list[str], result: Result) -> None:
    """With an owner's values: which facts of the text they contradict, and which examples they change."""
    from ..overlay.heads import PRINTED
    from ..provenance.facts import broken_facts, facts_of, in_force

    owners = [layer for head, layer in made.layers if head.kind == PRINTED]
    if not owners:
        return
    asked = [f for f in in_force(facts_of(name), made.layers) if not cases or under(cases, (f.case,))]
    result.asked = len(asked)
    result.facts = broken_facts(name, asked)
    words = name.split("+")
    names = {layer.name for layer in owners}
    files = {layer.span.file for layer in owners}
    paths = {Path(file).resolve() for file in files}
    without = "+".join(w for i, w in enumerate(words) if not i or (w not in names and Path(w).resolve() not in paths))
    if without != name:
        result.otherwise = hold_without(without, [o for o in result.failed if o.example.span.file not in files])


def hold_without(name: str, failed: list[Outcome]) -> list[Outcome]:
    """The failed examples that hold with the house values."""
    from ..examples.run import run_examples
    from ..pipeline import analyse

    if not failed:
        return []
    book = analyse(name).book
    assert book is not None
    there = {(e.case, e.title): e for e in book.examples}
    wanted = {
        id(o): there[o.example.case, o.example.title] for o in failed if (o.example.case, o.example.title) in there
    }
    again = {id(o.example): o.passed for o in run_examples(book, compiled(name).program, wanted.values())}
    return [o for o in failed if id(o) in wanted and again[id(wanted[id(o)])]]


# ---------------------------------------------------------------- output


def as_rows(result: Result) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [{"case": "", "title": x, "passed": False, "failures": []} for x in result.promises]
    rows += [
        {"case": b.fact.case, "title": f"the text: {b.fact.text}", "passed": False, "failures": [[0, b.why]]}
        for b in result.facts
    ]
    apart = set(map(id, result.otherwise))
    for o in result.outcomes:
        row: dict[str, object] = {"case": o.example.case, "title": o.example.title, "passed": o.passed}
        rows.append({**row, "failures": o.failures, **({"otherwise": True} if id(o) in apart else {})})
    return rows


def print_result(result: Result) -> None:
    for line in result.promises:
        print(line)
    for broken in result.facts:
        given = f" (given {'; '.join(broken.fact.given)})" if broken.fact.given else ""
        print(f"case {broken.fact.case}: the text says otherwise\n  {broken.fact.text}{given}\n  {broken.why}")
    for outcome in result.failed:
        print_outcome(outcome)
    if result.otherwise:
        print("worked out on house values, and other on yours:")
        for outcome in result.otherwise:
            print_outcome(outcome, "  ")
    bad = len(result.failed) + len(result.promises) + len(result.facts)
    told = [f"{result.passed} passed", f"{bad} failed"]
    if result.otherwise:
        told.append(f"{len(result.otherwise)} come out otherwise on your values")
    if result.asked:
        told.append(f"{result.asked - len({b.fact for b in result.facts})} of {result.asked} facts of the text hold")
    print(", ".join(told))


def print_outcome(outcome: Outcome, margin: str = "") -> None:
    print(f"{margin}case {outcome.example.case}: {outcome.example.title}")
    for line, why in outcome.failures:
        print(f"{margin}  {outcome.example.span.file}:{line}: {why}")
