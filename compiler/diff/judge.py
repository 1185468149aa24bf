"""Judge the facts of a diff: what each does to play.

In:  two rule sets and the facts between them; what a search found in positions.
Out: a judgement for each fact that is more than a number, a name or an example, in one of three classes: it alters play
     (a position or worked example shows it, or games begin otherwise), it may alter play (neither shown nor refuted),
     or it does not (with the reason). Besides: narrower, wider or different and how that is known, whom it concerns,
     which cases it touches, which worked examples and saved games come out otherwise.

A direction that is `proved` rests on the form of the change alone; it says which way play can change, not that it does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..core import nodes as c
from ..core.names import Name
from ..examples.workers import ENDLESS, Until
from ..pipeline import Compiled
from .dependents import Dependents, example_names
from .direction import direction
from .examples import Turned, changed_examples
from .facts import Fact
from .match import order
from .pushes.verdict import Verdict
from .whom import Whom, whom

Filed = dict[str, list[dict[str, Any]]]
"""Changed examples by the id of the fact that makes them, each with how it stands to that fact."""
File = Callable[[list[Turned], Mapping[str, set[Name]], list[Fact]], Filed]
SILENT = frozenset({"example", "title", "overlay"})
Play = Literal["alters", "may", "not"]
CLASSES = {"alters": "alters", "may": "may alter", "not": "does not alter"}
MOST_EXAMPLES = 60


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one fact does to play."""

    id: str
    fact: str
    case: str
    play: Play
    direction: str
    certainty: str
    reason: str
    evidence: str
    concerns: Whom
    touches: tuple[str, ...] = ()
    examples: tuple[dict[str, Any], ...] = ()
    saves: tuple[dict[str, Any], ...] = field(default=())
    but: str = ""

    @property
    def alters(self) -> bool:
        """Whether play is surely altered."""
        return self.play == "alters"

    @property
    def verdict(self) -> str:
        """The class and the direction in a few words."""
        if self.play == "not":
            return f"does not alter play: {self.reason}"
        known = f"{self.certainty}, but for {self.but}" if self.but else self.certainty
        way = f"{self.direction} ({known})" if known else self.direction
        if self.play == "alters":
            return f"alters play: {way}"
        return f"may alter play: {way}; {self.evidence}" if self.evidence else f"may alter play: {way}"

    @property
    def whom(self) -> str:
        return str(self.concerns)

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "fact": self.fact,
            "case": self.case,
            "play": CLASSES[self.play],
            "alters_play": {"alters": True, "may": None, "not": False}[self.play],
            "direction": self.direction if self.play != "not" else None,
            "certainty": self.certainty or "unproved",
            "but_for": self.but or None,
            "evidence": self.evidence or None,
            "reason": self.reason,
            "for": self.concerns.as_json(),
            "touches": list(self.touches),
            "examples": list(self.examples),
            "saves": list(self.saves),
        }


class Judge:
    """Judges facts in two steps: first by their form, then by the positions and examples found."""

    def __init__(self, a: Compiled, b: Compiled, facts: list[Fact]) -> None:
        assert a.book is not None and b.book is not None
        self.a, self.b = a, b
        self.books = a.book, b.book
        self.facts = [f for f in facts if judged(f)]
        self.touches = (Dependents(a.book), Dependents(b.book)) if self.facts else None
        self.verdicts: dict[str, Verdict] = {}
        self.reach: dict[str, tuple[set[str], set[Name]]] = {}
        for f in self.facts:
            assert self.touches is not None
            self.verdicts[f.id] = direction(f, *self.books, *self.touches)
            self.reach[f.id] = touched(f, *self.touches, *self.books)

    def open(self) -> list[Fact]:
        """The facts whose form alone does not rule out an effect: those that need a search for witnesses."""
        return [f for f in self.facts if self.verdicts[f.id].alters]

    def examples(self, jobs: int = 1, until: Until = ENDLESS) -> tuple[list[Turned], int]:
        """The worked examples that touch a change and come out otherwise, and how many were not run in time."""
        return examples_of(self.a, self.b, self.facts, self.reach, jobs, until) if self.facts else ([], 0)

    def filed(self, turned: list[Turned], file: File | None = None) -> Filed:
        """The examples of each fact that may alter play; `file` tells whose they are."""
        open_ = self.open()
        return (file or self.only)(turned, {f.id: self.reach[f.id][1] for f in open_}, open_) if turned else {}

    def judgements(
        self, filed: Filed, saves: Iterable[dict[str, Any]], seen: Mapping[str, dict[str, Any]]
    ) -> list[Judgement]:
        """A judgement for each fact; `seen` is what the search said about a fact, `filed` are its examples."""
        replies, made = list(saves), []
        for f in self.facts:
            cases, _ = self.reach[f.id]
            mine = filed.get(f.id, [])
            hit = [s for s in replies if set(s["cases"]) & {f.case, *cases}]
            verdict = self.verdicts[f.id]
            made.append(judgement(f, verdict, whom(f, *self.books), cases, mine, hit, seen.get(f.id)))
        return made

    def only(self, turned: list[Turned], reach: Mapping[str, set[Name]], facts: list[Fact]) -> Filed:
        """Attribute an example to a fact if no other fact can be behind it; other examples stay unattributed."""
        found: Filed = {}
        for e in turned:
            behind = [f.id for f in facts if shares(f, e, *self.reach[f.id])]
            if len(behind) == 1:
                found.setdefault(behind[0], []).append({**e.as_json(), "stands": "own", "partners": []})
        return found


def judged(f: Fact) -> bool:
    """Whether a fact can affect play at all: more than a number, a name or an example."""
    if f.element == "case":
        return False
    return (f.element not in SILENT and f.kind in ("added", "struck", "amended")) or late(f)


def late(f: Fact) -> bool:
    """Whether a fact is a changed order of triggers or phases, which matters although nothing in them changed."""
    return f.kind == "moved" and (f.element == "phase" or (f.element == "trigger" and f.where == "order"))


def shares(f: Fact, e: Turned, cases: set[str], names: set[Name]) -> bool:
    return bool(names & e.names) or e.case == f.case or e.case in cases


def judge(a: Compiled, b: Compiled, facts: list[Fact], *, examples: bool = True) -> list[Judgement]:
    """The judgements without a search for witnesses."""
    found = Judge(a, b, facts)
    return found.judgements(found.filed(found.examples()[0]) if examples else {}, (), {})


def judgement(
    f: Fact,
    verdict: Verdict,
    concerns: Whom,
    cases: set[str],
    own: list[dict[str, Any]],
    saves: list[dict[str, Any]],
    seen: dict[str, Any] | None,
) -> Judgement:
    found = int(seen.get("found", 1)) if seen is not None else 0
    way = verdict.direction
    certainty = "proved" if verdict.certainty == "proved" and way != "different" else ""
    if not certainty and found:
        way = ((seen or {}).get("direction") if verdict.certainty != "proved" else None) or way
        certainty = f"observed in {found} position{'s' if found != 1 else ''}"
    play: Play = "not" if not verdict.alters else "alters" if found or own or verdict.evident else "may"
    evidence = shown(play, verdict, found, own, seen)
    words = "\x1f".join((f.id, str(verdict.alters), verdict.direction, verdict.reason))
    return Judgement(
        id="j" + hashlib.sha256(words.encode()).hexdigest()[:9],
        fact=f.id,
        case=f.case,
        play=play,
        direction=way,
        certainty=certainty,
        reason=verdict.reason,
        evidence=evidence,
        concerns=replace(concerns, wins=verdict.way) if verdict.way else concerns,
        touches=tuple(sorted(cases - {f.case}, key=order)),
        examples=tuple(own),
        saves=tuple(saves),
        but=verdict.but if certainty == "proved" else "",
    )


def shown(play: Play, verdict: Verdict, found: int, own: list[dict[str, Any]], seen: dict[str, Any] | None) -> str:
    """The evidence that play is altered, or what was tried in vain."""
    if play == "not":
        return ""
    if found:
        return "a witness"
    if own:
        return f'the example "{own[0]["title"]}" comes out otherwise'
    if verdict.evident:
        return verdict.reason
    if seen is not None:
        late = seen.get("seconds")
        tried = f"not finished in {late:g} seconds" if late else f"{seen.get('positions', 0)} positions tried"
        return f"no witness found ({tried})"
    return "no position was tried"


# ---------------------------------------------------------------- reach


def touched(f: Fact, ours: Dependents, theirs: Dependents, a: c.Book, b: c.Book) -> tuple[set[str], set[Name]]:
    """The cases and names that depend on what a fact changes, on either side."""
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
        case "phase" if f.kind == "moved":
            return [("procedure", f.where), ("phase", name)]
        case "route" | "matching" | "action" | "procedure" | "duty" | "kind" | "scale" | "record" | "phase" | "box":
            return [(f.element, name)]
        case "sequence":
            return [("procedure", name)]
        case "field":
            return [("field", x.strip()) for x in f.name.split(",")]
        case "mark":
            return [("mark", name)]
        case "unit":
            return [("field", x) for x in f.where.split(", ") if x and x not in ("start", "provenance")]
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
    a: Compiled,
    b: Compiled,
    facts: list[Fact],
    reach: Mapping[str, tuple[set[str], set[Name]]],
    jobs: int,
    until: Until,
) -> tuple[list[Turned], int]:
    """The worked examples that touch a change and come out otherwise, and how many were not run in time."""
    assert a.book is not None and b.book is not None
    changed = {name for f in facts for book in (a.book, b.book) for name in changed_names(f, book)}
    names = {x for _, found in reach.values() for x in found}
    homes = {f.case for f in facts}

    def near(e: c.Example) -> int:
        own = example_names(e)
        if own & changed or e.case in homes:
            return 0
        return 1 if own & names else 2

    return changed_examples(a, b, near, MOST_EXAMPLES, jobs, until)
