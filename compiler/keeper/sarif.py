"""A diff as SARIF 2.1.0, for code hosts.

In:  a diff, the level of each fact, the facts that are known already, and where its files lie in the repository.
Out: one run. A rule is a kind of fact (`amended-cell`), a result is a fact: its text and judgement, its line in the
     second rule set, its case, and its id as a fingerprint, which stays the same while the fact does.

Facts that are known are there too, as suppressed. A fact that is `off` is not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import rulewright
from rulewright.dsl.render import sarif_text, visible
from rulewright.dsl.source import Span

from ..diff.compare import Diff
from ..diff.facts import Fact
from ..diff.judge import Judgement
from ..diff.phrases import phrase
from ..pipeline import Compiled
from .severity import Levels

Find = Callable[[str], str | None]
"""The path of a file from the top of its repository; None where it lies outside."""
ROOT = "SRCROOT"
SAID = {
    "added": "is new",
    "struck": "is gone",
    "amended": "is changed",
    "renumbered": "has another number",
    "moved": "stands elsewhere",
    "renamed": "has another name",
}


def render_sarif(made: Diff, levels: Levels, known: Mapping[str, str], facts: list[Fact], find: Find) -> str:
    """The log; `facts` are those of the diff and those that `known` lists by id with their remarks."""
    judged = {j.fact: j for j in made.judgements}
    told = [(f, levels.of(f, judged.get(f.id))) for f in facts]
    told = [(f, level) for f, level in told if level != "off"]
    rules = sorted({rule_of(f) for f, _ in told})
    locate = Locations(made, find)
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "rulewright",
                        "semanticVersion": rulewright.__version__,
                        "rules": [described(rule) for rule in rules],
                    }
                },
                "automationDetails": {"id": f"rulewright-diff/{title(made.after)}/"},
                "invocations": [{"executionSuccessful": True}],
                "originalUriBaseIds": {ROOT: {"description": {"text": "The top of the repository."}}},
                "columnKind": "unicodeCodePoints",
                "results": [
                    result(f, level, judged.get(f.id), rules.index(rule_of(f)), made, known.get(f.id), locate)
                    for f, level in told
                ],
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def title(made: Compiled) -> str:
    return made.book.name if made.book is not None else made.called


def rule_of(f: Fact) -> str:
    """The kind of a fact as the id of a rule."""
    return f"{f.kind}-{f.element}".replace(" ", "-")


def described(rule: str) -> dict[str, Any]:
    kind, _, element = rule.partition("-")
    said = f"{element.replace('-', ' ')} {SAID.get(kind, kind)}"
    return {
        "id": rule,
        "name": "".join(word.capitalize() for word in rule.split("-")),
        "shortDescription": {"text": said[0].upper() + said[1:]},
        "fullDescription": {"text": f"From one revision of the rules to the other: {said}."},
        "help": {"text": "docs/diff.md says how facts and judgements are read."},
        "defaultConfiguration": {"level": "note"},
    }


def result(
    f: Fact, level: str, j: Judgement | None, rule: int, made: Diff, remark: str | None, locate: Locations
) -> dict[str, Any]:
    """One fact."""
    heading = f"{f.case} {locate.titles.get(f.case, '')}".strip()
    said = [f"{heading}: {phrase(f, made.before, made.after)}." if heading else phrase(f, made.before, made.after)]
    if j is not None:
        said.append(f"It {j.verdict}" + (f"; {j.whom}." if j.whom and j.play != "not" else "."))
    found: dict[str, Any] = {
        "ruleId": rule_of(f),
        "ruleIndex": rule,
        "level": level,
        "message": {"text": sarif_text(" ".join(said))},
        "locations": [locate.of(f)],
        "partialFingerprints": {"rulewrightFact/v1": f.id},
        "properties": {
            "case": f.case,
            "items": [f"{i.overlay} {i.case}" for i in f.items],
            **({"play": j.play, "direction": j.direction, "judgement": j.id} if j is not None else {}),
        },
    }
    if remark is not None:
        why = {"justification": sarif_text(remark)} if remark else {}
        found["suppressions"] = [{"kind": "external", "status": "accepted", **why}]
    return found


class Locations:
    """Where facts stand: lines of the second rule set, in files of the repository."""

    def __init__(self, made: Diff, find: Find) -> None:
        self.made, self.find = made, find
        books = made.before.book, made.after.book
        self.titles = {case: name for book in books if book is not None for case, name in book.cases.items()}
        self.units = {u.name: u.span for u in (made.after.book.units if made.after.book is not None else ())}

    def of(self, f: Fact) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for span in self.spans(f):
            path = self.find(span.file)
            if path is not None:
                found["physicalLocation"] = {
                    "artifactLocation": {"uri": quote(path, errors="surrogateescape"), "uriBaseId": ROOT},
                    "region": {"startLine": span.line},
                }
                break
        if f.case:
            found["logicalLocations"] = [{"name": visible(f.case), "fullyQualifiedName": visible(f"case {f.case}")}]
        return found

    def spans(self, f: Fact) -> list[Span]:
        """The best line for a fact first: what changed, its declaration, its case, the case above it, the book."""
        changed = getattr(getattr(f.part, "after", None), "span", None)
        own = [changed] if isinstance(changed, Span) else []
        own += [f.new.node.span] if f.new is not None else []
        own += [self.units[name] for name in f.name.split(", ") if f.element == "unit" and name in self.units]
        entries = self.made.after.entries or []
        for case in (*(i.case for i in f.items), *above(f.case)):
            own += [e.node.span for e in entries if e.case == case][:1]
        return [*own, *(e.node.span for e in entries)]


def above(case: str) -> list[str]:
    """A case and those that it stands below."""
    parts = case.split(".")
    return [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
