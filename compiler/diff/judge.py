"""Judge the facts of a diff: what each does to play.

In:  two rule sets and the facts between them.
Out: a judgement for each fact that is more than a number, a name or an example: whether it alters play, for
     whom, narrower, wider or different and how that is known, which cases it touches, which worked examples
     and saved games come out otherwise.

`proved` rests on the form of the change alone. What the form does not settle is `different` and
`unproved` until positions have been found in which both rule sets answer differently; then it is
`observed in N positions` (`observed` takes those counts).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core import nodes as c
from ..pipeline import Compiled
from .direction import Verdict, direction
from .examples import changed_examples
from .facts import Fact
from .match import order
from .touched import Name, Touch, example_names
from .whom import Whom, whom

SILENT = frozenset({"example", "title", "overlay"})
MOST_EXAMPLES = 60


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one fact does to play."""

    id: str
    fact: str
    case: str
    alters: bool
    direction: str
    certainty: str
    reason: str
    concerns: Whom
    touches: tuple[str, ...] = ()
    examples: tuple[dict[str, Any], ...] = ()
    saves: tuple[dict[str, Any], ...] = field(default=())

    @property
    def verdict(self) -> str:
        return f"{self.direction} ({self.certainty})" if self.alters else "play is the same"

    @property
    def whom(self) -> str:
        return str(self.concerns)

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "fact": self.fact,
            "case": self.case,
            "alters_play": self.alters,
            "direction": self.direction if self.alters else None,
            "certainty": self.certainty,
            "reason": self.reason,
            "for": self.concerns.as_json(),
            "touches": list(self.touches),
            "examples": list(self.examples),
            "saves": list(self.saves),
        }


def judge(
    a: Compiled,
    b: Compiled,
    facts: list[Fact],
    *,
    examples: bool = True,
    saves: Iterable[dict[str, Any]] = (),
    observed: Mapping[str, int] | None = None,
    pushes: Mapping[str, str] | None = None,
) -> list[Judgement]:
    """A judgement for each fact that says something about play.

    `saves` are the answers of saved games; `observed` counts the positions found for a fact, and `pushes` says
    which way they all point.
    """
    assert a.book is not None and b.book is not None
    judged = [f for f in facts if (f.element not in SILENT and f.kind in ("added", "struck", "amended")) or late(f)]
    judged = [f for f in judged if f.element != "case"]
    if not judged:
        return []
    ours, theirs = Touch(a.book), Touch(b.book)
    reach = {f.id: touched(f, ours, theirs, a.book, b.book) for f in judged}
    turned = examples_of(a, b, judged, reach) if examples else []
    replies = list(saves)
    made = []
    for f in judged:
        cases, names = reach[f.id]
        verdict = direction(f, a.book, b.book, ours, theirs)
        mine = [e for e in turned if names & e.names or e.case == f.case or e.case in cases]
        hit = [s for s in replies if set(s["cases"]) & {f.case, *cases}]
        seen = (observed or {}).get(f.id, 0)
        push = (pushes or {}).get(f.id, "")
        made.append(judgement(f, verdict, whom(f, a.book, b.book), cases, mine, hit, seen, push))
    return made


def late(f: Fact) -> bool:
    """Another order of triggers is a change of play, though nothing in them changed."""
    return f.kind == "moved" and f.element == "trigger" and f.where == "order"


def judgement(
    f: Fact,
    verdict: Verdict,
    concerns: Whom,
    cases: set[str],
    turned: Iterable[Any],
    saves: list[dict[str, Any]],
    seen: int,
    push: str = "",
) -> Judgement:
    alters, certainty, way = verdict.alters, verdict.certainty, verdict.direction
    if alters and certainty != "proved" and seen:
        way = push or way
        certainty = f"observed in {seen} position{'s' if seen != 1 else ''}"
    words = "\x1f".join((f.id, str(alters), verdict.direction, verdict.reason))
    return Judgement(
        id="j" + hashlib.sha256(words.encode()).hexdigest()[:9],
        fact=f.id,
        case=f.case,
        alters=alters,
        direction=way,
        certainty=certainty,
        reason=verdict.reason,
        concerns=concerns,
        touches=tuple(sorted(cases - {f.case}, key=order)),
        examples=tuple(e.as_json() for e in turned),
        saves=tuple(saves),
    )


# ---------------------------------------------------------------- reach


def touched(f: Fact, ours: Touch, theirs: Touch, a: c.Book, b: c.Book) -> tuple[set[str], set[Name]]:
    """The cases and names that rest on what a fact changes, on either side."""
    cases: set[str] = set()
    names: set[Name] = set()
    for touch in (ours, theirs):
        found = touch.of(changed_names(f, touch.book))
        cases |= found.cases
        names |= found.names
    return cases, names


def changed_names(f: Fact, book: c.Book) -> list[Name]:
    """The names whose meaning a fact changes."""
    name = f.name.split(",")[0].strip()
    first = name.split(" ")[0].partition(".")[0]
    match f.element:
        case "definition" | "memory" | "quota" | "exception" | "contribution":
            if "." in name:
                return [("route", first)]
            return [("define", name), ("grow", name)]
        case "prohibition" | "requirement" | "stop":
            return [(sort, first) for sort in ("route", "matching", "action") if first in table(book, sort)]
        case "waiver" | "replacement":
            sorts = ("route", "matching", "action", "procedure", "define", "duty")
            return [(sort, first) for sort in sorts if first in table(book, sort)]
        case "growing set":
            return [("grow", name)]
        case "table" | "cell":
            return [("table", name)]
        case "route" | "matching" | "action" | "procedure" | "duty" | "kind" | "scale" | "record" | "phase" | "box":
            return [(f.element, name)]
        case "sequence":
            return [("procedure", name)]
        case "field":
            return [("field", x.strip()) for x in f.name.split(",")]
        case "mark":
            return [("mark", name)]
        case "unit":
            return [("field", f.where)] if f.where and f.where not in ("start", "provenance") else []
        case "map feature":
            word = f.name.rpartition(" ")[2]
            return [("field", f.name), ("layer", word), ("field", word)]
        case "unclear":
            return [("reading", name), ("kind", name)]
    return []


def table(book: c.Book, sort: str) -> Mapping[str, Any]:
    known: dict[str, Mapping[str, Any]] = {
        "route": book.routes,
        "matching": book.matchings,
        "action": book.actions,
        "procedure": book.procedures,
        "define": book.definitions,
        "duty": book.duties,
    }
    return known[sort]


# ---------------------------------------------------------------- examples


def examples_of(
    a: Compiled, b: Compiled, facts: list[Fact], reach: Mapping[str, tuple[set[str], set[Name]]]
) -> list[Any]:
    """The worked examples that touch a change and come out otherwise."""
    assert a.book is not None and b.book is not None
    changed = {name for f in facts for book in (a.book, b.book) for name in changed_names(f, book)}
    names = {x for _, found in reach.values() for x in found}
    homes = {f.case for f in facts}

    def near(e: c.Example) -> int:
        own = example_names(e)
        if own & changed or e.case in homes:
            return 0
        return 1 if own & names else 2

    return changed_examples(a, b, near, MOST_EXAMPLES)
