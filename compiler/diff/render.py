"""Print a diff: text for a terminal, or JSON.

In:  a diff.
Out: text. Short by default, one line a fact with its judgement below; `detail` adds whole
     texts, reasons, cases touched, examples and distributions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from .compare import Diff
from .distributions import Distribution
from .facts import Fact
from .judge import Judgement

WIDTH = 100
MARKS = {"added": "+", "struck": "-", "amended": "~", "renumbered": "#", "moved": ">", "renamed": "="}
COLORS = {"added": "32", "struck": "31", "amended": "33"}


def render_json(made: Diff) -> str:
    return json.dumps(made.as_json(), indent=1, ensure_ascii=False)


def render_text(made: Diff, detail: bool = False, color: bool = False) -> str:
    """The facts under their cases, each with what it does to play."""
    return "\n".join(lines(made, detail, color))


def lines(made: Diff, detail: bool, color: bool) -> Iterator[str]:
    yield summary(made)
    judged = {j.fact: j for j in made.judgements}
    titles = {
        **(made.before.book.cases if made.before.book else {}),
        **(made.after.book.cases if made.after.book else {}),
    }
    witnessed = {w["fact"]: w for w in made.witnesses}
    examples = [f for f in made.facts if f.element == "example"]
    shown = made.facts if detail else [f for f in made.facts if f.element != "example"]
    case = None
    for f in shown:
        if f.case != case:
            case = f.case
            yield ""
            yield f"{case} {titles.get(case, '')}".rstrip() or "(no case)"
        yield from fact_lines(f, detail, color)
        if f.id in judged:
            yield from judgement_lines(judged[f.id], detail)
        if f.id in witnessed:
            yield from witness_lines(witnessed[f.id], detail)
    if examples and not detail:
        yield ""
        yield f"worked examples: {counted(examples)} (--detail lists them)"
    yield from distribution_lines(made.distributions, detail)
    yield from balance_lines(made.balance)
    for save in made.saves:
        yield ""
        yield f"save {save['save']}: {save['answer']}" + (f" ({save['reason']})" if save["reason"] else "")


def summary(made: Diff, named: Callable[[str], str] = str) -> str:
    names = f"{named(made.before.name)} → {named(made.after.name)}"
    if not made.facts:
        return f"{names}: no difference"
    words = [f"{len(made.facts)} fact{'s' if len(made.facts) != 1 else ''}"]
    alter = [j for j in made.judgements if j.alters]
    if alter:
        by = {d: sum(j.direction == d for j in alter) for d in ("narrower", "wider", "different")}
        words.append(f"{len(alter)} alter play (" + ", ".join(f"{n} {d}" for d, n in by.items() if n) + ")")
    else:
        words.append("play is the same")
    return f"{names}: " + ", ".join(words)


def counted(facts: list[Fact]) -> str:
    by: dict[str, int] = {}
    for f in facts:
        by[f.kind] = by.get(f.kind, 0) + 1
    return ", ".join(f"{n} {k}" for k, n in by.items())


def fact_lines(f: Fact, detail: bool, color: bool) -> Iterator[str]:
    mark = MARKS.get(f.kind, "~")
    if color and f.kind in COLORS:
        mark = f"\x1b[{COLORS[f.kind]}m{mark}\x1b[0m"
    head = f"{f.element} {f.name}".strip()
    if f.where:
        head += f", {f.where}"
    if not detail:
        yield f"  {mark} {clip(head, 60)}: {change(f)}  [{f.id}]"
        return
    yield f"  {mark} {f.kind} {head}  [{f.id}]"
    for word, text, line in (("before", f.before, f.lines[0]), ("after", f.after, f.lines[1])):
        if text:
            first, *rest = text.split("\n")
            yield f"      {word + ':':8}{first}" + (f"    ({line})" if line else "")
            yield from (f"              {x}" for x in rest)


def change(f: Fact) -> str:
    """Both sides on one line."""
    if f.kind == "added":
        return clip(f.after, WIDTH - 30)
    if f.kind == "struck":
        return clip(f.before, WIDTH - 30)
    if not f.before:
        return f"+ {clip(f.after, WIDTH - 30)}"
    if not f.after:
        return f"- {clip(f.before, WIDTH - 30)}"
    return f"{clip(f.before, 42)} → {clip(f.after, 42)}"


def clip(text: str, width: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def judgement_lines(j: Judgement, detail: bool) -> Iterator[str]:
    if not j.alters and not detail:
        return
    first = j.verdict + (f"; {j.whom}" if j.whom else "")
    yield f"      {clip(first, WIDTH)}"
    if j.examples:
        yield f"      examples that change: {clip(', '.join(e['title'] for e in j.examples), 70)}"
    if not detail:
        return
    yield f"      why: {j.reason}  [{j.id}]"
    if j.touches:
        yield f"      touches: {', '.join(j.touches)}"


TRAIL = 3


def witness_lines(w: dict[str, Any], detail: bool) -> Iterator[str]:
    """The position found for a fact with both answers, or how many were tried."""
    if not w.get("example"):
        yield f"      no witness found ({w.get('positions', 0)} positions tried)"
        return
    first, *rest = w["example"].split("\n")
    yield f"      witness (of {w['positions']} positions, {w['found']} differ):" + (f" {first}" if detail else "")
    yield from (f"      {line}" for line in rest)
    for word, other in (("before", "after"), ("after", "before")):
        side = w[word]
        yield f"        {word}: {clip(side['answer'], WIDTH)}"
        own = [line for line in side["trail"] if line not in w[other]["trail"]]
        trail = side["trail"] if detail else own[:TRAIL]
        yield from (f"          {clip(line, WIDTH) if not detail else line}" for line in trail)


def balance_lines(found: dict[str, Any] | None) -> Iterator[str]:
    """Who wins before and after over the same seeds."""
    if found is None:
        return
    yield ""
    games = f"{found['games']} games of {found['scenario']} with the same seeds"
    yield f"balance over {games}: {found['turned']} have another winner"
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


def distribution_lines(found: list[Distribution], detail: bool) -> Iterator[str]:
    for d in found:
        yield ""
        yield f"odds of {d.table} ({d.case}), {d.dice}" + (f": {d.because}" if d.because else "")
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
