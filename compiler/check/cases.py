"""Check citations: cases that are named somewhere and declared nowhere.

In:  the entries of one rule set, its cases, and the ids of the printed book's inventory where there is one.
Out: nothing.
Reports: RW113 a case that is cited and not declared.

A declaration may cover a paragraph (`12.5/p2`) or a case folded into its parent: without an inventory a
citation is known when some case of its chapter is declared.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, did_you_mean

from ..core.entries import Entry


def check_cases(entries: list[Entry], declared: set[str], printed: set[str], report: Reporter) -> None:
    """Warn of a citation that leads nowhere."""
    chapters = {x for case in declared for x in (case, *above(case))}
    for entry in entries:
        for case, node, word in cited(entry):
            if case in declared or case in printed:
                continue
            if word != "by" and not printed and any(x in chapters for x in (case, *above(case))):
                continue
            report.warning(
                "RW113",
                node.span,
                f"case {case} is cited here and declared nowhere",
                help=did_you_mean(case, declared | printed) or "correct the number, or declare the case",
                case=entry.case,
            )


def cited(entry: Entry) -> Iterator[tuple[str, n.Node, str]]:
    for case in entry.covers:
        yield case, entry.node, "covers"
    if isinstance(entry.node, n.Example):
        for line in entry.node.lines:
            if line.sort == "refused":
                yield from ((case, line, "by") for case in line.words)


def above(case: str) -> Iterator[str]:
    """`12.5/p2` stands below 12.5, which stands below 12."""
    while "/" in case or "." in case:
        case = case[: max(case.rfind("/"), case.rfind("."))]
        yield case
