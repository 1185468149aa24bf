"""Print a diff: text for a terminal, or JSON.

In:  a diff.
Out: text. Short by default, one line a fact with its judgement below; `detail` adds full texts, reasons, affected
     cases, examples and distributions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from rulewright.dsl.source import Span

from .chances.distributions import Distribution
from .compare import Diff
from .facts import Fact
from .judge import Judgement
from .phrases import house, phrase, words

WIDTH = 100
MARKS = {"added": "+", "struck": "-", "amended": "~", "renumbered": "#", "moved": ">", "renamed": "="}
COLORS = {"added": "32", "struck": "31", "amended": "33"}


def render_json(made: Diff) -> str:
    return json.dumps(made.as_json(), indent=1, ensure_ascii=False)


def render_text(made: Diff, detail: bool = False, color: bool = False) -> str:
    """The facts by case, each with its judgement."""
    return "\n".join(lines(made, detail, color))


def lines(made: Diff, detail: bool, color: bool) -> Iterator[str]:
    yield summary(made)
    show = Shown(made, detail, color)
    yield from show.by_item()
    yield from show.by_case()
    examples = [f for f in made.facts if f.element == "example"]
    if examples and not detail:
        yield ""
        yield f"worked examples: {counted(examples)} (--detail lists them)"
    if made.unrun:
        yield ""
        yield f"the time was up before {made.unrun} worked example{'s were' if made.unrun != 1 else ' was'} run"
    if made.unfiled:
        yield ""
        names = ", ".join(f"{e['title']} ({e['case']})" for e in made.unfiled)
        yield f"examples that change by no single fact, as far as was tried: {names if detail else clip(names, 70)}"
    yield from distribution_lines(made.distributions, detail)
    yield from balance_lines(made.balance)
    for save in made.saves:
        yield ""
        yield f"save {save['save']}: {save['answer']}" + (f" ({save['reason']})" if save["reason"] else "")


class Shown:
    """The facts of a diff as lines: by item of a sheet, then the rest by case."""

    def __init__(self, made: Diff, detail: bool, color: bool) -> None:
        self.made, self.detail, self.color = made, detail, color
        self.judged = {j.fact: j for j in made.judgements}
        self.witnessed = {w["fact"]: w for w in made.witnesses}
        books = made.before.book, made.after.book
        self.titles = {case: title for book in books if book is not None for case, title in book.cases.items()}
        self.facts = made.facts if detail else [f for f in made.facts if f.element != "example"]

    def by_item(self) -> Iterator[str]:
        """Every item of every sheet with its facts."""
        for sheet in self.made.compared.sheets:
            yield ""
            yield f"{sheet.head.sort} {sheet.head.name}: {sheet.told}"
            for item in sheet.items:
                mine = [f for f in self.facts if item in f.items[:1]]
                also = [f for f in self.facts if item in f.items[1:]]
                if not mine and not also and any(item in f.items for f in self.made.left_out):
                    continue
                yield ""
                yield f"{item.case} {item.title} ({item.nature})".replace(" ()", "")
                for f in mine:
                    yield from self.fact(f, [i.case for i in f.items[1:]])
                if also:
                    yield f"  has a part in {', '.join(f.id for f in also)}"
                if not mine and not also:
                    yield "  it is in the text already" if item.already else "  no fact goes back to it"

    def by_case(self) -> Iterator[str]:
        """The facts that belong to no item of a sheet, by case."""
        case = None
        for f in (f for f in self.facts if not f.items):
            if f.case != case:
                case = f.case
                yield ""
                yield self.heading(case)
            yield from self.fact(f, [])

    def heading(self, case: str) -> str:
        return f"{case} {self.titles.get(case, '')}".rstrip() or "(no case)"

    def title(self, f: Fact) -> str:
        """The title of the case a fact stands in; of a counter, the title above its own roster."""
        for made in (self.made.after, self.made.before) if f.element == "unit" else ():
            names, book = f.name.split(", "), made.book
            spans = [u.span for u in (book.units if book is not None else ()) if u.name in names and u.case == f.case]
            found = {e.title for e in made.entries or () for x in spans if holds(e.node.span, x)}
            if len(found) == 1:
                return found.pop()
        return self.titles.get(f.case, "")

    def fact(self, f: Fact, others: list[str]) -> Iterator[str]:
        home = "" if not f.items or f.case == f.items[0].case else f"{f.case} {self.title(f)}".rstrip() + ": "
        yield from fact_lines(f, self.made, home, self.detail, self.color)
        if others:
            yield f"      also by {', '.join(others)}"
        if f.id in self.judged:
            yield from judgement_lines(self.judged[f.id], self.detail)
        for mark, case in self.made.unfollowed.get(f.id, {}).items():
            yield f"      no chances are told through {mark} (case {case}), which keeps a roll"
        if f.id in self.witnessed:
            yield from witness_lines(self.witnessed[f.id], self.detail)


def holds(outer: Span, inner: Span) -> bool:
    """Whether a line stands in a block."""
    return outer.origin is inner.origin and outer.line <= inner.line <= outer.end_line


def summary(made: Diff, named: Callable[[str], str] = str) -> str:
    names = f"{named(made.before.name)} → {named(made.after.name)}"
    if not made.facts and made.left_out:
        return f"{names}: {len(made.left_out)} fact{'s' if len(made.left_out) != 1 else ''}, none shown"
    if not made.facts:
        return f"{names}: no difference"
    words = [f"{len(made.facts)} fact{'s' if len(made.facts) != 1 else ''}"]
    for play, one, many in (("alters", "alters play", "alter play"), ("may", "may alter play", "may alter play")):
        found = [j for j in made.judgements if j.play == play]
        if found:
            by = {d: sum(j.direction == d for j in found) for d in ("narrower", "wider", "different")}
            ways = ", ".join(f"{n} {d}" for d, n in by.items() if n)
            words.append(f"{len(found)} {one if len(found) == 1 else many} ({ways})")
    if all(j.play == "not" for j in made.judgements):
        words.append("play is the same")
    elif rest := sum(j.play == "not" for j in made.judgements):
        words.append(f"{rest} {'does' if rest == 1 else 'do'} not")
    return f"{names}: " + ", ".join(words)


def counted(facts: list[Fact]) -> str:
    by: dict[str, int] = {}
    for f in facts:
        by[f.kind] = by.get(f.kind, 0) + 1
    return ", ".join(f"{n} {k}" for k, n in by.items())


def fact_lines(f: Fact, made: Diff, home: str, detail: bool, color: bool) -> Iterator[str]:
    mark = MARKS.get(f.kind, "~")
    if color and f.kind in COLORS:
        mark = f"\x1b[{COLORS[f.kind]}m{mark}\x1b[0m"
    said = home + phrase(f, made.before, made.after)
    made_up = " (house)" if house(f, made.before, made.after) else ""
    yield f"  {mark} {said if detail else clip(said, WIDTH)}{made_up}  [{f.id}]"
    if not detail:
        return
    for word, text, line in (("before", f.before, f.lines[0]), ("after", f.after, f.lines[1])):
        if text:
            first, *rest = text.split("\n")
            yield f"      {word + ':':8}{first}" + (f"    ({line})" if line else "")
            yield from (f"              {x}" for x in rest)


def clip(text: str, width: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def judgement_lines(j: Judgement, detail: bool) -> Iterator[str]:
    first = j.verdict + (f"; {j.whom}" if j.whom and j.play != "not" else "")
    yield f"      {clip(first, WIDTH) if not detail else first}"
    if j.examples:
        yield f"      examples that change: {clip(', '.join(e['title'] + part(e) for e in j.examples), 70)}"
    if not detail:
        return
    yield f"      why: {j.reason}{f'; {j.evidence}' if j.evidence else ''}  [{j.id}]"
    if j.touches:
        yield f"      touches: {', '.join(j.touches)}"


def part(example: dict[str, Any]) -> str:
    """What a changed example takes besides the fact it stands under."""
    others = ", ".join(f"[{id}]" for id in example.get("partners") or ())
    match example.get("stands"):
        case "joint":
            return f" (together with {others})"
        case "shared":
            return " (which others change too)"
    return f" (with {others})" if others else ""


TRAIL = 3


def witness_lines(w: dict[str, Any], detail: bool) -> Iterator[str]:
    """The position found for a fact with both answers, or how many positions were tried."""
    if not w.get("example"):
        return
    first, *rest = w["example"].split("\n")
    yield f"      {standing(w)} (of {w['positions']} positions, {w['found']} differ):" + (f" {first}" if detail else "")
    yield from (f"      {line}" for line in rest)
    for word, other in (("before", "after"), ("after", "before")):
        side = w[word]
        yield f"        {word}: {clip(side['answer'], WIDTH)}"
        own = [line for line in side["trail"] if line not in w[other]["trail"]]
        trail = side["trail"] if detail else own[:TRAIL]
        yield from (f"          {clip(line, WIDTH) if not detail else line}" for line in trail)


def standing(w: dict[str, Any]) -> str:
    """How a witness relates to its fact, with the other facts that it needs."""
    others = ", ".join(f"[{id}]" for id in w.get("partners") or ())
    if w.get("printed"):
        return "only what is printed differs"
    match w.get("stands"):
        case "joint":
            return f"witness of this fact together with {others}"
        case "shared":
            return "witness of this fact, which others make too"
        case "hidden":
            return "witness of this fact alone, which the others undo"
    return f"witness of this fact with {others}, which it rests on" if others else "witness"


def balance_lines(found: dict[str, Any] | None) -> Iterator[str]:
    """Who wins before and after over the same seeds."""
    if found is None:
        return
    yield ""
    games = f"{found['games']} games of {found['scenario']} with the same seeds"
    yield f"balance over {games}: {found['turned']} have another winner"
    yield from measured_by(found["players"])
    yield from settled(found["question"])
    for side, row in found["sides"].items():
        low, high = row["interval"]
        yield (
            f"  {side} wins {row['before']} → {row['after']}"
            f" (shift {row['shift']:+.1%}; 95 % between {low:+.1%} and {high:+.1%})"
        )
    for word in ("before", "after"):
        for row in found["how"][word][:6]:
            when = f" in {row['turn']}" if row["turn"] else ""
            by = f" by case {row['case']}" if row["case"] else ""
            yield f"  {word}: {row['games']} × {row['winner']}{by}{when}"
        for row in found["problems"][word][:3]:
            yield f"  {word}: seed {row['seed']}: {row['problem']}"


def settled(asked: dict[str, Any] | None) -> Iterator[str]:
    """The answer to a question, and how sure it is."""
    if asked is not None:
        more = "more" if asked["points"] > 0 else "less"
        reply = asked["answer"] or "not settled"
        change = f"{abs(asked['points']):.1%} {more} often"
        yield f"  does {asked['side']} win {change}? {reply}, after {asked['pairs']} seeds"
        yield f"    where it is so much or nothing, about {asked['error']:.0%} of such answers are wrong"


def measured_by(players: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Who played the games: a share of wins tells of them as well as of the rules."""
    names = {word: " and ".join(f"{x['name']} ({x['hash']})" for x in rows) for word, rows in players.items()}
    told = names["before"] if names["before"] == names["after"] else f"{names['before']} before, {names['after']} after"
    yield f"  measured by {told}"
    aimless = {name: why for rows in players.values() for x in rows for name, why in x["aimless"].items()}
    yield from (f"  caution: {name} {why}" for name, why in aimless.items())


def distribution_lines(found: list[Distribution], detail: bool) -> Iterator[str]:
    for d in found:
        yield ""
        yield f"odds of {words(d.table)} ({d.case}), {d.dice}" + (f": {words(d.because)}" if d.because else "")
        for column in d.columns:
            if not column.changed and not detail:
                continue
            yield f"  {column.name or 'all'}: " + "; ".join(
                f"{r} {fraction(x)}" + (f" → {fraction(y)}" if x != y else "") for r, x, y in column.outcomes
            )
            for name, x, y in column.expected:
                yield f"    expected {name}: {fraction(x)} → {fraction(y)} ({signed(y - x)})"


def fraction(x: Fraction) -> str:
    return str(x)


def signed(x: Fraction) -> str:
    return f"+{x}" if x > 0 else str(x)
