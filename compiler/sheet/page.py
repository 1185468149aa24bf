"""The errata sheet as a model: items in the order of the sheet, each with what it was, what it is, and what it does.

In:  a diff.
Out: the page, ready to be written as HTML or Markdown. What belongs to no item of a sheet (two editions that are
     compared) stands under its case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import rulewright
from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..core.entries import Touch
from ..diff.chances.distributions import Distribution
from ..diff.compare import Diff
from ..diff.facts import Fact
from ..diff.items import Item, Sheet, day
from ..diff.judge import Judgement
from ..diff.phrases import house, words
from ..diff.render import Shown as Titles
from ..diff.render import part
from ..overlay.edit_tree import overlap
from ..overlay.heads import Head, read_head
from ..overlay.stack import resolves
from ..pages.html import short
from .declared import Declared, Key, changed_by, keys_of
from .effect import Effect, effect, said
from .lines import Line, Run, differing, without
from .position import Positions, Shown
from .printed import Grid, grids_of, lines_of, part_of, sorted_out, spaced

HIDDEN = frozenset({"phrase", "look", "example"})
"""What a sheet counts and does not list: it changes how rules are said, drawn or tried, and none of them."""

FOOT = (
    "What alters play is shown by a position or a worked example, or games begin otherwise; a direction marked "
    "“proved” follows from the form of the change. “House” marks values that stand in for print that the source lacks."
)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed: a declaration in words, or printed values."""

    home: str
    lines: tuple[Line, ...]
    grids: tuple[Grid, ...] = ()
    house: bool = False
    effects: tuple[Effect, ...] = ()
    shown: Shown | None = None
    facts: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a sheet, or one case."""

    case: str
    title: str
    nature: str
    state: str = ""
    notes: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    effects: tuple[str, ...] = ()
    chances: tuple[Grid, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """The items of one sheet; or, without a head, the cases of what no sheet accounts for."""

    title: str
    about: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    about: tuple[tuple[str, str], ...]
    """Words and what they say: kind, source, date, version."""
    summary: str
    parts: tuple[Part, ...]
    remarks: tuple[str, ...] = ()
    balance: dict[str, Any] | None = None
    saves: Sequence[dict[str, Any]] = field(default=())
    detail: bool = False
    made_by: str = f"Rulewright {rulewright.__version__}"


def page_of(made: Diff, detail: bool = False) -> Page:
    """The page of a diff."""
    return Writer(made, detail).page()


class Writer:
    """Writes the page of one diff."""

    def __init__(self, made: Diff, detail: bool) -> None:
        assert made.before.book is not None and made.after.book is not None
        self.made, self.detail = made, detail
        self.both = made.before, made.after
        self.books = made.before.book, made.after.book
        self.declared = Declared(self.books[0]), Declared(self.books[1])
        self.positions = Positions(self.both, self.declared)
        self.judged = {j.fact: j for j in made.judgements}
        self.witnessed = {w["fact"]: w for w in made.witnesses}
        self.titles = Titles(made, True, False)
        self.sheets = made.compared.sheets
        said = self.declared[1].words.phrases
        self.sides = {
            s: said[f"side.{s}"].text if f"side.{s}" in said else s for s in self.books[1].kinds.get("side", ())
        }
        self.items = {i for s in self.sheets for i in s.items}

    def page(self) -> Page:
        parts = [self.part(s) for s in self.sheets]
        rest = [f for f in self.made.facts if not f.items and f.element not in HIDDEN]
        if rest:
            parts.append(Part("Case by case" if not parts else "What no item accounts for", "", self.cases(rest)))
        return Page(
            self.title(),
            self.about(),
            counted(self.made),
            tuple(p for p in parts if p.entries or p.title),
            tuple(self.remarks()),
            self.made.balance,
            self.made.saves,
            self.detail,
        )

    # ------------------------------------------------------------ the head

    def title(self) -> str:
        """The title of the sheet, or of the two books."""
        after = self.books[1].title or short(self.both[1].name)
        if len(self.sheets) == 1:
            return f"{after}: {self.sheets[0].head.title or words(self.sheets[0].head.name)}"
        if self.sheets:
            return f"{after}: {len(self.sheets)} sheets of changes"
        before = self.books[0].title or short(self.both[0].name)
        return f"{before}: changes" if before == after else f"{before} and {after}: changes"

    def about(self) -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        if len(self.sheets) == 1:
            found += head_lines(self.sheets[0].head)
        version = f"{short(self.both[0].name)} to {short(self.both[1].name)}"
        digests = " to ".join(x.digest[:10] for x in self.both if x.digest)
        found.append(("Version", f"{version}, rules {digests}" if digests else version))
        return tuple(found)

    def remarks(self) -> Iterable[str]:
        """What the page leaves out, and what was not looked at to its end."""
        for kind, one, many in (
            ("phrase", "phrase of play is worded otherwise", "phrases of play are worded otherwise"),
            ("look", "line of style is other", "lines of style are other"),
            ("example", "worked example is other", "worked examples are other"),
        ):
            if found := sum(f.element == kind for f in self.made.facts):
                yield f"{found} {one if found == 1 else many}; no rule changes by that."
        late = {w.get("seconds") for w in self.made.witnesses if w.get("seconds")}
        for seconds in sorted(x for x in late if x is not None):
            several = sum(w.get("seconds") == seconds for w in self.made.witnesses)
            yield (
                f"The search for positions ended after {seconds:g} seconds; "
                f"{several} change{'s were' if several != 1 else ' was'} not searched to the end."
            )
        if self.made.unrun:
            several = self.made.unrun
            yield f"The time was up before {several} worked example{'s were' if several != 1 else ' was'} run."
        if self.made.unfiled:
            several = len(self.made.unfiled)
            first = "One worked example comes" if several == 1 else f"{several} worked examples come"
            yield f"{first} out otherwise by no single change, as far as was tried."
        for head, by in self.superseded():
            date = f" of {day(head.date)}" if head.date else ""
            old, new = (x.title or words(x.name) for x in (head, by))
            yield f"{head.sort.capitalize()} “{old}”{date} is superseded by “{new}”."

    def superseded(self) -> Iterable[tuple[Head, Head]]:
        """The overlays of the book that one in force supersedes."""
        known = self.both[1].overlays
        for head, _ in self.both[1].layers:
            for word in head.supersedes:
                for overlay in known.values():
                    if resolves(word, overlay):
                        yield read_head(overlay, Reporter()), head

    # ------------------------------------------------------------ items

    def part(self, s: Sheet) -> Part:
        lone = len(self.sheets) == 1
        entries = tuple(self.item(i, s) for i in s.items)
        about = "" if lone else ", ".join(text for _, text in head_lines(s.head))
        return Part("" if lone else s.head.title or words(s.head.name), about, entries)

    def item(self, item: Item, sheet: Sheet) -> Entry:
        mine = [f for f in self.made.facts if item in f.items and f.element not in HIDDEN]
        parts = [f for f in (part_of(f, item, sheet) for f in mine) if f is not None]
        others = frozenset(i.case for i in self.items if i != item)
        changes = self.changes(parts, others, item.case)
        state = "" if changes else self.idle(item, sheet)
        return self.entry(item.case, item.title, item.nature, state, self.notes(item), changes, parts)

    def entry(
        self,
        case: str,
        title: str,
        nature: str,
        state: str,
        notes: tuple[str, ...],
        changes: Sequence[Change],
        facts: Sequence[Fact],
    ) -> Entry:
        """An item with what its changes do to play, each effect said once."""
        effects = said([x for c in changes for x in c.effects])
        return Entry(case, title, nature, state, notes, tuple(changes), effects, self.chances(facts))

    def idle(self, item: Item, sheet: Sheet) -> str:
        """Why an item changes nothing."""
        if item.already:
            return "Already in the text: the rules as they stand say so."
        if by := self.overridden(item):
            return f"Superseded by {', '.join(by)}."
        if any(item in f.items for f in self.made.facts):
            return "No rule changes; only worked examples or the words of play do."
        return "No rule changes."

    def overridden(self, item: Item) -> list[str]:
        """The later items that changed everything again that an item changed; none where something of it stands."""
        found: dict[str, None] = {}
        for e in self.both[1].entries or ():
            for at, t in enumerate(e.touched):
                if (t.overlay, t.case) != (item.overlay, item.case):
                    continue
                later = [x for x in e.touched[at + 1 :] if x.overlay != t.overlay and covers(x, t)]
                if not later:
                    return []
                found |= {f"{x.case} ({x.overlay})": None for x in later}
        return list(found)

    def notes(self, item: Item) -> tuple[str, ...]:
        """The author's remarks in an item."""
        overlay = self.both[1].overlays.get(item.overlay)
        return tuple(
            x.text
            for case in (overlay.body if overlay is not None else ())
            if isinstance(case, n.Case) and case.id == item.case
            for x in case.body
            if isinstance(x, n.Note)
        )

    def cases(self, facts: Sequence[Fact]) -> tuple[Entry, ...]:
        """The facts of no item, by case."""
        found = []
        for case in dict.fromkeys(f.case for f in facts):
            mine = [f for f in facts if f.case == case]
            changes = self.changes(mine, frozenset(), case)
            title = self.titles.titles.get(case, "")
            found.append(self.entry(case or "(no case)", title, "", "", (), changes, mine))
        return tuple(found)

    # ------------------------------------------------------------ changes

    def changes(self, facts: Sequence[Fact], others: frozenset[str], own: str) -> list[Change]:
        """What changed: tables, printed values, then rules declaration by declaration."""
        tables, data, rules = sorted_out(facts)
        found: list[Change] = []
        for home, group in grouped(rules, lambda f: self.key(f)):
            lines = self.in_words(home, group, others)
            if lines or any(f.id in self.judged for f in group):
                found.append(self.change(group, lines or self.as_lines(group), (), own))
        for _, group in grouped(tables, lambda f: f.name):
            grids = tuple(grids_of(group, self.both))
            plain = [f for f in group if f.element == "table" and f.kind == "amended"]
            found.append(self.change(group, self.as_lines(plain), grids, own))
        for _, group in grouped(data, lambda f: self.home(f, own)):
            found.append(self.change(group, self.as_lines(group), (), own))
        return found

    def key(self, f: Fact) -> object:
        keys = keys_of(f, self.books)
        return tuple(keys) if keys else f.id

    def in_words(self, key: object, group: Sequence[Fact], others: frozenset[str]) -> tuple[Line, ...]:
        """The sentences that differ; those of other items are theirs to show."""
        if isinstance(key, tuple):
            keys: list[Key] = list(key)
            was, now = ([x for k in keys for x in d.said(k)] for d in self.declared)
        else:
            was, now = ([*self.declared[side].pieces(group[0], side)] for side in (0, 1))
        if not was and not now:
            was, now = changed_by(group[0].items[0].case if group[0].items else group[0].case, self.declared)
        return without(differing(was, now), others)

    def as_lines(self, facts: Sequence[Fact]) -> tuple[Line, ...]:
        return tuple(Line("same", (Run(x),)) for x in lines_of(facts, self.both, self.detail))

    def change(self, facts: Sequence[Fact], lines: tuple[Line, ...], grids: tuple[Grid, ...], own: str) -> Change:
        told = [(f, self.judged[f.id]) for f in facts if f.id in self.judged]
        effects = tuple(effect(f, j, self.sides) for f, j in told)
        return Change(
            self.home(facts[0], own),
            lines,
            grids,
            any(house(f, *self.both) for f in facts),
            effects,
            self.shown(facts),
            tuple(f.id for f in facts),
            tuple(x for f, j in told for x in self.details(f, j)) if self.detail else (),
        )

    def home(self, f: Fact, own: str) -> str:
        """The case that a change falls on, where it is not the item's own."""
        return "" if f.case == own else f"{f.case} {self.titles.title(f)}".strip()

    def shown(self, facts: Sequence[Fact]) -> Shown | None:
        """The first position that shows one of these facts, one that is its own work before others."""
        ranked = sorted(facts, key=lambda f: self.witnessed.get(f.id, {}).get("stands") != "own")
        for f in ranked:
            if f.id in self.witnessed:
                made = self.positions.shown(f, self.witnessed[f.id], f"{f.case} {words(f.name)}")
                if made is not None:
                    return made
        return None

    def details(self, f: Fact, j: Judgement) -> Iterable[str]:
        """The whole judgement, for readers who want the reasons."""
        yield f"[{f.id}] {j.verdict}" + (f"; {j.whom}" if j.whom and j.play != "not" else "")
        if j.play != "not":
            yield f"Why: {j.reason}" + (f"; {j.evidence}." if j.evidence else ".")
        if j.touches:
            yield f"Touches {', '.join(j.touches)}."
        for e in j.examples:
            yield f"Example of {e['case']}, “{e['title']}”: {e['before']} before, {e['after']} after{part(e)}."
        for mark, case in self.made.unfollowed.get(f.id, {}).items():
            yield f"No chances are told through {mark} (case {case}), which keeps a roll."

    def chances(self, facts: Sequence[Fact]) -> tuple[Grid, ...]:
        """The chances that these facts change."""
        ids = {f.id for f in facts}
        return tuple(chances(d) for d in self.made.distributions if ids & set(d.facts))


def covers(later: Touch, earlier: Touch) -> bool:
    return overlap(later.spot, earlier.spot)


def head_lines(head: Head) -> list[tuple[str, str]]:
    found = [("Kind", f"{head.sort}, {head.kind}" if head.sort != head.kind else head.kind)]
    found.append(("Source", head.source or "not stated"))
    found.append(("Date", day(head.date) if head.date else "undated"))
    return found


def grouped(facts: Iterable[Fact], key: Any) -> list[tuple[Any, list[Fact]]]:
    """Facts by a key, in the order in which they come."""
    found: dict[Any, list[Fact]] = {}
    for f in facts:
        found.setdefault(key(f), []).append(f)
    return list(found.items())


def chances(d: Distribution) -> Grid:
    """The columns that changed, a row each; the outcomes that any of them changes, a cell each."""
    because = f": {spaced(words(d.because))}" if d.because else ""
    columns = [c for c in d.columns if c.changed]
    outcomes = dict.fromkeys(str(r) for c in columns for r, x, y in c.outcomes if x != y)
    expected = dict.fromkeys(w for c in columns for w, _, _ in c.expected)
    rows = []
    for c in columns:
        found = {str(r): (x, y) for r, x, y in c.outcomes}
        means = {w: (x, y) for w, x, y in c.expected}
        cells = [step(found.get(r)) for r in outcomes] + [step(means.get(w)) for w in expected]
        rows.append((spaced(c.name) or "any", *cells))
    heads = ("", *(spaced(r) for r in outcomes), *(f"expected {spaced(w)}" for w in expected))
    return Grid(f"Chances of “{words(d.table)}” ({d.case}), {d.dice}{because}", heads, tuple(rows))


def step(both: tuple[Fraction, Fraction] | None) -> str:
    if both is None:
        return "0"
    return str(both[0]) if both[0] == both[1] else f"{both[0]} → {both[1]}"


def counted(made: Diff) -> str:
    """How many changes there are, by what they do."""
    facts = [f for f in made.facts if f.element not in HIDDEN]
    if not made.facts:
        return "The two rule sets do not differ."
    several = len(facts)
    said = [f"{several} change{'s' if several != 1 else ''}"]
    for play, one, many in (
        ("alters", "alters play", "alter play"),
        ("may", "may alter play", "may alter play"),
        ("not", "does not alter play", "do not alter play"),
    ):
        found = sum(j.play == play for j in made.judgements if not hidden(made, j))
        if found:
            said.append(f"{found} {one if found == 1 else many}")
    return ", ".join(said) + "."


def hidden(made: Diff, j: Judgement) -> bool:
    return any(f.id == j.fact and f.element in HIDDEN for f in made.facts)
