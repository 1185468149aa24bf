"""The sequence of play as a tree of steps and as a diagram.

In:  the sequences that scenarios run, and the procedures that they call.
Out: a tree of steps; an SVG of nested boxes with a title and a description. Sorts of steps differ by shape, not by
     colour alone.

A procedure with phases or decisions is expanded where it is called; any other is one line with a link.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from textwrap import wrap

from markupsafe import Markup, escape

from rulewright.dsl import nodes as n
from rulewright.dsl.print import print_expression as text_of

from .model import Declaration, Model
from .names import Names

WIDTH, LINE, PAD, LETTER = 720, 22, 8, 6.9
MOST = 7


@dataclass(slots=True)
class Step:
    """One step; `sort` is phase, window, ask, do, loop, choice, end or note. `cases` follow the text, each a link."""

    sort: str
    text: str
    href: str = ""
    below: list[Step] = field(default_factory=list)
    cases: tuple[tuple[str, str], ...] = ()

    def walk(self) -> Iterator[Step]:
        yield self
        for x in self.below:
            yield from x.walk()


def sequences(model: Model, names: Names) -> list[tuple[str, list[str], Declaration, list[Step]]]:
    """For each sequence that scenarios run: its name, the titles of the scenarios, its link, and its steps."""
    found: dict[str, list[str]] = {}
    for s in model.book.scenarios.values():
        found.setdefault(s.sequence, []).append(s.title or s.name)
    made = []
    for name, titles in found.items():
        home = procedure(names, name)
        if home is not None:
            made.append((name, titles, home, Reader(model, names).of(home, ())))
    return made


def procedure(names: Names, name: str) -> Declaration | None:
    return next((d for d in names.realm(name, "name") if isinstance(d.entry.node, n.Procedure)), None)


class Reader:
    def __init__(self, model: Model, names: Names) -> None:
        self.names = names
        self.events: dict[str, list[tuple[str, Declaration]]] = {}
        for d in model.declarations():
            node = d.entry.node
            if d.state == "stands" and isinstance(node, n.Trigger) and node.event is not None:
                self.events.setdefault(node.event.name, []).append((node.event.sort, d))

    def of(self, home: Declaration, above: tuple[str, ...]) -> list[Step]:
        node = home.entry.node
        assert isinstance(node, n.Procedure)
        return list(self.steps(node.body, home, (*above, node.name)))

    def steps(self, body: Iterable[n.Stmt], home: Declaration, above: tuple[str, ...]) -> Iterator[Step]:
        for x in body:
            yield from self.step(x, home, above)

    def step(self, x: n.Stmt, home: Declaration, above: tuple[str, ...]) -> Iterator[Step]:
        match x:
            case n.Phase():
                each = f" for {x.var} in {text_of(x.source)}" if x.var and x.source is not None else ""
                guard = f" when {text_of(x.guard)}" if x.guard is not None else ""
                below = [*self.at("start", x.name), *self.steps(x.body, home, above), *self.at("end", x.name)]
                yield Step("phase", f"{x.name}{each}{guard}", home.href, below)
            case n.Offer():
                may = ", ".join(
                    a.action + (f" (when {text_of(a.guard)})" if a.guard is not None else "") for a in x.actions
                )
                yield Step("window", f"{text_of(x.side)} may: {may}", home.href)
            case n.Ask():
                yield Step("ask", f"{text_of(x.side)} settles {x.name}", home.href)
            case n.Do():
                yield from self.done(x, home, above)
            case n.If():
                for i, (test, body) in enumerate(x.branches):
                    yield from some(f"{'or ' if i else ''}if {text_of(test)}", self.steps(body, home, above))
                yield from some("otherwise", self.steps(x.otherwise, home, above))
            case n.ForEach():
                yield from some(f"for each {x.var} in {text_of(x.source)}", self.steps(x.body, home, above), "loop")
            case n.Repeat():
                yield from some(f"repeat, at most {text_of(x.most)} times", self.steps(x.body, home, above), "loop")
            case n.Match():
                for values, body in x.arms:
                    yield from some(f"for {', '.join(map(text_of, values))}", self.steps(body, home, above))
                yield from some("otherwise", self.steps(x.otherwise or (), home, above))
            case n.Together():
                yield from self.steps(x.body, home, above)
            case n.PhaseChange():
                yield Step("do", f"{x.sort} {x.phase}", home.href)
            case n.Simple() if x.sort == "win":
                yield Step("end", f"{text_of(x.value)} wins", home.href)
            case n.Log():
                yield Step("note", "".join(y if isinstance(y, str) else text_of(y) for y in x.pieces))
            case _:
                return

    def done(self, x: n.Do, home: Declaration, above: tuple[str, ...]) -> Iterator[Step]:
        name = x.call.name if isinstance(x.call, n.Call) else x.call.id if isinstance(x.call, n.Name) else ""
        target = procedure(self.names, name)
        inner = self.of(target, above) if target is not None and name not in above else []
        if any(s.sort in ("phase", "window", "ask") for top in inner for s in top.walk()):
            if isinstance(x.call, n.Call) and x.call.arguments:
                yield Step("loop", text_of(x.call), target.href if target is not None else "", inner)
            else:
                yield from inner
        else:
            yield Step("do", f"do {text_of(x.call)}", target.href if target is not None else home.href)

    def at(self, moment: str, phase: str) -> Iterator[Step]:
        """The triggers on the beginning or end of a phase."""
        first: dict[str, str] = {}
        for sort, d in self.events.get(phase, ()):
            if sort == moment:
                first.setdefault(d.case, d.href)
        cases = list(first.items())
        for i in range(0, len(cases), MOST):
            yield Step("do", f"at its {moment}:", "", cases=tuple(cases[i : i + MOST]))


def some(head: str, below: Iterable[Step], sort: str = "choice") -> Iterator[Step]:
    """Steps under a heading; nothing where there are none."""
    inner = list(below)
    if inner:
        yield Step(sort, head, "", inner)


# ---------------------------------------------------------------- the diagram


def draw(name: str, title: str, steps: list[Step]) -> Markup:
    """The diagram: boxes for phases, bars for decisions, lines for the rest."""
    parts: list[str] = []
    bottom = PAD
    for step in steps:
        bottom = put(step, 1, bottom, WIDTH - 2, parts) + PAD
    key = f"sequence-{name}"
    phases = [s for top in steps for s in top.walk() if s.sort == "phase"]
    told = f"{len(phases)} phases: " + ", ".join(dict.fromkeys(s.text.split(" ")[0] for s in phases))
    head = (
        f'<svg class="sequence" viewBox="0 0 {WIDTH} {bottom}" role="group"'
        f' aria-labelledby="{escape(key)}-t" aria-describedby="{escape(key)}-d">'
        f'<title id="{escape(key)}-t">{escape(title)}</title><desc id="{escape(key)}-d">{escape(told)}</desc>'
    )
    return Markup(head + "".join(parts) + "</svg>")


def put(step: Step, left: int, top: int, width: int, parts: list[str]) -> int:
    """Draw one step; returns the y coordinate of its lower edge."""
    boxed = step.sort in ("phase", "choice", "loop")
    lines = wrap(step.text, int((width - 24) / LETTER))
    high = LINE * len(lines) + (4 if step.sort in ("phase", "window", "ask") else 0)
    at = len(parts)
    bottom = top + high
    for x in step.below:
        bottom = put(x, left + 12, bottom, width - 24, parts) + (4 if x.below or x.sort in ("window", "ask") else 0)
    if step.below:
        bottom += PAD - 2
    shape = ""
    if boxed or step.sort in ("window", "ask"):
        round = 11 if step.sort in ("window", "ask") else 4
        shape = f'<rect class="{step.sort}" x="{left}" y="{top}" width="{width}" height="{bottom - top}" rx="{round}"/>'
    more = "".join(f' <a href="{escape(href)}"><tspan>{escape(case)}</tspan></a>' for case, href in step.cases)
    label = "".join(
        f'<text class="{step.sort}" x="{left + 12}" y="{top + 16 + LINE * i}">{escape(line)}'
        f"{more if line is lines[-1] else ''}</text>"
        for i, line in enumerate(lines)
    )
    if step.href:
        label = f'<a href="{escape(step.href)}">{label}</a>'
    parts.insert(at, shape + label)
    return bottom
