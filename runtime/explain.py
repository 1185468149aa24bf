"""Explanations: why a choice is legal or refused, and how a value came about, case by case.

They come from the traced twin of the compiled rules: the same functions, telling what they asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .assist import Trace
from .game import Game
from .problems import Ground
from .program import Program
from .state import State
from .text import Choice, show, show_any, show_choice

MOST_LINES = 40
MOST_WIDTH = 160
ALIKE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """An explanation: `grounds` refuse (empty when legal), `trail` shows what was asked."""

    program: Program
    text: str
    legal: bool
    grounds: tuple[Ground, ...]
    trail: tuple[dict[str, Any], ...]
    value: bool = False

    @property
    def cases(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(g.case for g in self.grounds if g.case))

    def lines(self) -> list[str]:
        """The explanation as lines for a reader."""
        if self.value and len(self.trail) == 1:
            return tree(self.program, self.trail[0], 0)[:MOST_LINES]
        found = [self.text if self.value else f"{self.text}: {'legal' if self.legal else 'refused'}"]
        seen: set[tuple[str, str, Any]] = set()
        for g in self.grounds:
            key = (g.case, g.label, str(g.trail)[:200])
            if key in seen:
                continue
            seen.add(key)
            title = self.program.cases.get(g.case, "")
            head = " ".join(filter(None, (g.case, f'"{title}"' if title else "")))
            head += origin(self.program, g.case, g.label)
            found.append(f"  {head}: {g.label}".rstrip(": ") + (f"  ({g.where})" if g.where else ""))
            for sentence in waivers(self.program, g):
                found.append(f"    {sentence}")
            if isinstance(g.trail, tuple):
                for node in g.trail:
                    found += tree(self.program, node, 2)
        if self.legal:
            for node in self.trail:
                found += tree(self.program, node, 1)
        return found[:MOST_LINES]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def why(game: Game, choice: Choice | str) -> Why:
    """Why a choice is legal or not, with the cases and the values they saw."""
    if isinstance(choice, str):
        choice = game.read(choice)
    twin = traced(game)
    trace = twin.state.trace = Trace()
    grounds = tuple(twin.refusals(choice))
    return Why(
        program=game.program,
        text=show_choice(game.program, choice),
        legal=not grounds,
        grounds=grounds,
        trail=tuple(trace.root["below"]),
    )


def explain(game: Game, name: str, *args: Any) -> Why:
    """How the value of a definition comes about now."""
    twin = traced(game)
    trace = twin.state.trace = Trace()
    fn, types, result, _ = twin.program.values[name]
    value = fn(twin.state, *args)
    given = ", ".join(show(game.program, t, a) for t, a in zip(types, args, strict=True))
    text = (
        f"{name}({given}) = {show(game.program, result, value)}"
        if types
        else f"{name} = {show(game.program, result, value)}"
    )
    return Why(program=game.program, text=text, legal=True, grounds=(), trail=tuple(trace.root["below"]), value=True)


def traced(game: Game) -> Game:
    """The same position on the traced twin of the rules."""
    program = game.program.traced() if game.program.traced is not None else game.program
    return Game(program, State.from_plain(program, game.state.plain()), game.journal)


def tree(program: Program, node: dict[str, Any], depth: int, most: int = 4) -> list[str]:
    """A traced value and what it asked, indented; the reckoning of a gathered number line by line."""
    types, result = signature(program, node["name"])
    args = ", ".join(
        show(program, types[i], a) if i < len(types) else show_any(program, a) for i, a in enumerate(node["args"])
    )
    name = f"{node['name']}({args})" if node["args"] else node["name"]
    value = show(program, result, node["value"]) if result else show_any(program, node["value"])
    title = program.cases.get(node["case"], "")
    note = origin(program, node["case"], node["name"])
    by = f"  [{node['case']}{' ' + title if title else ''}{note}]" if node["case"] else ""
    if len(value) > MOST_WIDTH:
        value = value[: MOST_WIDTH - 2] + " …"
    found = [f"{'  ' * depth}{name} = {value}{by}"]
    for case, operation, amount, running in node["parts"]:
        sign = "×" if operation == "times" else "+"
        found.append(f"{'  ' * (depth + 1)}{sign} {amount} → {running}  [{case}]")
    if depth < most:
        found += below_lines(program, node["below"], depth + 1, most)
    return found


def origin(program: Program, case: str, name: str) -> str:
    """Which overlay an element comes from, where it does not come from the book itself."""
    found = program.origins.get(f"{case} {name}") or program.origins.get(case, "")
    return f", {found}" if found else ""


def waivers(program: Program, ground: Ground) -> list[str]:
    """The known overlays that would waive or change what refuses, or what it asked."""
    asked = [(ground.case, ground.label)]
    todo = [node for node in ground.trail or () if isinstance(node, dict)] if isinstance(ground.trail, tuple) else []
    while todo:
        node = todo.pop()
        asked.append((node["case"], node["name"]))
        todo += node["below"]
    known = program.waived_by
    return list(
        dict.fromkeys(s for case, name in asked for key in (f"{case} {name}", case) for s in known.get(key, ()))
    )


def below_lines(program: Program, nodes: list[dict[str, Any]], depth: int, most: int) -> list[str]:
    """What a value asked: each question once, and of many alike the ones with something to tell."""
    distinct = list({(x["name"], x["args"]): x for x in nodes}.values())
    found: list[str] = []
    for name in dict.fromkeys(x["name"] for x in distinct):
        alike = [x for x in distinct if x["name"] == name]
        telling = sorted(alike, key=lambda x: x["value"] in (False, None, (), 0))[:ALIKE]
        for x in telling:
            found += tree(program, x, depth, most)
        if len(alike) > len(telling):
            found.append(f"{'  ' * depth}… and {len(alike) - len(telling)} more of {name}")
    return found


def signature(program: Program, name: str) -> tuple[tuple[str, ...], str]:
    known = program.values.get(name)
    return (known[1], known[2]) if known is not None else ((), "")
