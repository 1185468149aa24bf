"""Questions that can show a change: values, legality, and the state after something has run.

In:  a fact and its two rule sets.
Out: the names that it changes, and the ways to ask about them and about what depends on them, nearest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core.names import Name
from ..core.types import Type
from ..core.walk import all_statements
from ..diff.dependents import Dependents
from ..diff.facts import Fact, inside, waivers
from ..diff.judge import changed_names
from ..examples.run import Runner
from .lines import Given, Play
from .rule_set import Clash, Rules, Unknown
from .text import choice_text, given, literal

ASKERS = 14


# ---------------------------------------------------------------- one question


@dataclass(frozen=True, slots=True)
class Question:
    """`value` asks an expression over `a0`, `a1` …; `legal` whether a choice is; `pending` what is to be decided."""

    sort: str
    text: str = ""
    args: tuple[Given, ...] = ()
    choice: Play | None = None

    def answer(self, rules: Rules, runner: Runner) -> Any:
        if self.sort == "value":
            return rules.value(runner, self.text, self.args)
        if self.sort == "pending":
            return pending(runner)
        assert self.choice is not None
        return not grounds(rules, runner, self.choice)

    def reads(self, rules: Rules) -> frozenset[str] | None:
        """The memories behind the answer; None where that cannot be told."""
        if self.sort == "value":
            return rules.reads_of(self.text, tuple(of for of, _ in self.args))
        if self.choice is not None and self.choice.sort == "action":
            return rules.reads([("action", self.choice.name)])
        return None

    def type(self, rules: Rules) -> Type:
        found = rules.asked(self.text, tuple(of for of, _ in self.args))
        if found is None:
            raise Unknown(self.text)
        return found[0].type

    def spelled(self, rules: Rules) -> str:
        """The expression with its arguments written out."""
        written = [given(rules, value) for value in self.args]
        return re.sub(r"\ba(\d+)\b", lambda m: written[int(m[1])], self.text)

    def claim(self, rules: Rules, one: Any, other: Any) -> str | None:
        """A line of an example that holds with the first answer and fails with the other."""
        if self.sort == "legal":
            assert self.choice is not None
            return choice_text(rules, "legal" if one else "refused", self.choice)
        if self.sort == "pending":
            fresh = [x for x in one if x not in other]
            if fresh:
                return f"expect asked {fresh[0][0]} for {fresh[0][1].split()[0]}"
            return "expect nothing asked" if not one else None
        return f"expect {self.told(rules, one, other)}"

    def told(self, rules: Rules, one: Any, other: Any) -> str | None:
        spelled, type = self.spelled(rules), self.type(rules)
        wide = spelled.startswith(("any ", "no ", "every "))
        if isinstance(one, Clash):
            return f"conflict {spelled}"
        if isinstance(one, bool):
            return spelled if one else f"not ({spelled})" if wide else f"not {spelled}"
        if type.sort == "set" and type.of is not None and not isinstance(other, Clash):
            mine, others = sorted(set(one) - set(other), key=repr), sorted(set(other) - set(one), key=repr)
            if mine:
                return f"{literal(rules, type.of, mine[0])} in {spelled}"
            return f"{literal(rules, type.of, others[0])} not in {spelled}"
        return f"{spelled} = {literal(rules, type, one)}"


def pending(runner: Runner) -> tuple[tuple[str, str], ...]:
    return tuple((d.side, d.name) for d in runner.game.decisions if d.sort != "standing")


def grounds(rules: Rules, runner: Runner, choice: Play) -> list[Any]:
    made, values = rules.encoded(choice)
    assert isinstance(made, c.ChoiceLine)
    j = len(runner.functions)
    for k, value in enumerate(values):
        runner.functions[j, k, ""] = lambda S, value=value: value
    return runner.grounds(runner.choice(j, made))


# ---------------------------------------------------------------- what to ask


@dataclass(frozen=True, slots=True)
class Asker:
    """A way to ask: `value` of an expression, `action` offered, `procedure` run, or `word` (done) in a window."""

    sort: str
    name: str
    text: str = ""
    params: tuple[Type, ...] = ()
    phases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    far: int = 0

    def reads(self, rules: Rules) -> frozenset[str] | None:
        """The memories behind the answers; None where that cannot be told."""
        if self.sort == "value":
            return rules.reads_of(self.text, self.params)
        return rules.reads([("action", self.name)]) if self.sort == "action" else None


def roots(f: Fact, book: c.Book, side: int) -> list[Name]:
    """The names whose meaning a fact changes in one of the books (0 before, 1 after)."""
    found = dict.fromkeys(changed_names(f, book))
    entry = (f.old, f.new)[side]
    if entry is not None:
        if isinstance(entry.node, n.AmendPrinted):
            found["field", entry.node.field] = None
        found |= dict.fromkeys(owners(book, entry.node.span))
    return list(found)


def owners(book: c.Book, span: Span) -> Iterator[Name]:
    """The declarations that contain a span, or are inside it."""

    def here(*pieces: Any) -> bool:
        return any(getattr(x.span, "origin", None) is span.origin and inside(x, span) for x in pieces)

    for name, d in book.definitions.items():
        layers = list(d.layers())
        if here(*layers, *(x for layer in layers for x in waivers(layer.waivers))):
            route, dot, _ = name.partition(".")
            yield ("route", route) if dot else ("define", name)
    for sort, group in (("route", book.routes), ("matching", book.matchings), ("action", book.actions)):
        for name, thing in group.items():
            wrappers = thing.procedure.wrappers if isinstance(thing, c.Action) else ()
            if here(thing, *thing.rules, *(x for r in thing.rules for x in waivers(r.waivers)), *wrappers):
                yield sort, name
    for name, p in book.procedures.items():
        if here(p, *p.wrappers):
            yield "procedure", name
    for trigger in book.triggers:
        if here(trigger, *waivers(trigger.waivers), *trigger.procedure.wrappers):
            yield "trigger", trigger.id
    for name, duty in book.duties.items():
        if here(duty, *waivers(duty.waivers)):
            yield "duty", name
    for name, g in book.grows.items():
        if here(g):
            yield "grow", name
    for name, m in book.memories.items():
        if here(m):
            yield "define", name
    for (_, name), mark in book.marks.items():
        if here(mark):
            yield "mark", name


def askers(found: list[Name], rules: Rules) -> list[Asker]:
    """The ways to ask about a change, nearest first."""
    made: dict[Asker, None] = {}
    seen: dict[Name, None] = {}
    level = found
    for far in range(6):
        following: dict[Name, None] = {}
        for name in level:
            if name in seen:
                continue
            seen[name] = None
            made |= dict.fromkeys(ways(name, rules, far))
            if name[0] != "action":
                following |= dict.fromkeys(sorted({p.owner for p in rules.touch.users.get(name, ())}))
            following |= dict.fromkeys(set_off(name, rules.book, rules.touch))
        level = list(following)
        if not level and not made:
            level = [("procedure", p) for p in opening(rules.book, tuple(rules.book.phases))][:2]
        if len(made) >= ASKERS:
            break
    return list(made)[: ASKERS * 2]


def ways(name: Name, rules: Rules, far: int) -> Iterator[Asker]:
    """The ways to ask about one declaration."""
    sort, word = name
    book = rules.book
    if sort == "define" and word in book.quotas:
        yield value(f"left({word}", book.definitions[word].params, ")", far)
    elif sort == "define" and word in book.definitions:
        yield value(word, book.definitions[word].params, "", far)
    elif sort == "table" and word in book.tables:
        table = book.tables[word]
        parts = [f".{x}" for x, _ in book.records[table.type.name]] if table.type.sort == "record" else [""]
        for part in parts:
            yield value(word, table.params, part, far)
    elif sort == "route" and word in book.routes:
        yield value(f"ends({word}", book.routes[word].params, ")", far)
    elif sort == "matching" and word in book.matchings:
        yield value(f"any {word}", book.matchings[word].params, "", far)
    elif sort == "grow" and word in book.grows:
        yield value(word, book.grows[word].params, "", far)
    elif sort == "field":
        for (owner, field), f in book.fields.items():
            if field == word and owner in ("unit", "place", "hexside"):
                yield Asker("value", word, f"a0.{word}", (f.owner,), far=far + 4)
    elif sort == "mark":
        for (owner, mark), m in book.marks.items():
            if mark == word:
                yield Asker(
                    "value", word, word if owner == "game" else f"a0.{word}", () if owner == "game" else (m.owner,)
                )
    elif sort == "reading" and word in book.unclear:
        yield Asker("value", word, word)
    elif sort == "action" and word in book.actions:
        yield Asker("action", word, phases=book.actions[word].phases, far=far)
    elif sort == "procedure" and word in book.procedures:
        params = book.procedures[word].params
        yield Asker(
            "procedure", word, params=tuple(p.type for p in params), names=tuple(p.name for p in params), far=far
        )
    elif sort == "duty" and word in book.duties:
        yield from (Asker("procedure", p, far=far) for p in opening(book, book.duties[word].phases))


def value(word: str, params: tuple[c.Param, ...], after: str, far: int) -> Asker:
    inner = ", ".join(f"a{i}" for i in range(len(params)))
    text = f"{word}({inner}){after}" if inner else f"{word}{after}"
    return Asker(
        "value",
        word.split("(")[-1].removeprefix("any "),
        text,
        tuple(p.type for p in params),
        names=tuple(p.name for p in params),
        far=far,
    )


def set_off(name: Name, book: c.Book, touch: Dependents) -> list[Name]:
    """What must run for a trigger, a phase or the end of a mark to show."""
    sort, word = name
    if sort == "phase":
        return [("procedure", p) for p in opening(book, (word,))]
    if sort == "mark":
        ends = [m.until[1] for (_, mark), m in book.marks.items() if mark == word and m.until is not None]
        return [("procedure", p) for p in opening(book, tuple(ends))]
    if sort == "define" and word in book.memories:
        event = book.memories[word].event
        found: list[Name] = [("trigger", x.id) for x in book.triggers if x.event == ("change", word)]
        return found + [("procedure", p) for p in opening(book, (event[1],))] if event is not None else found
    if sort != "trigger":
        return []
    trigger = next((x for x in book.triggers if x.id == word), None)
    if trigger is None:
        return []
    what, of = trigger.event
    if what in ("start", "end"):
        return [("procedure", p) for p in opening(book, (of,))]
    if of in book.actions:
        return [("action", of)]
    if of in book.procedures:
        return [("procedure", of)]
    changes: tuple[type[c.Stmt], ...] = (c.Walk, c.Put)
    if of not in ("enter", "leave", "cross", "halted"):
        changes += (c.SetMark,)

    def fires(p: c.Procedure) -> bool:
        return any(isinstance(s, changes) for s in all_statements(p))

    acts: list[Name] = [("action", a) for a, x in book.actions.items() if fires(x.procedure)]
    acts += [("procedure", p) for p, x in book.procedures.items() if fires(x)]
    return acts[:8]


def opening(book: c.Book, phases: tuple[str, ...]) -> list[str]:
    """The procedures that open one of these phases; those without parameters first."""
    found = [
        p.name
        for p in book.procedures.values()
        if any(isinstance(s, c.RunPhase) and s.name in phases for s in all_statements(p))
    ]
    return sorted(found, key=lambda name: (len(book.procedures[name].params), book.procedures[name].sort == "sequence"))


SAMPLED = ("number", "ratio", "flag", "unit", "place", "hexside", "turn", "month", "text")


def can_sample(type: Type, book: c.Book) -> bool:
    if type.of is not None:
        return can_sample(type.of, book)
    if type.sort == "record":
        return all(can_sample(of, book) for _, of in book.records[type.name])
    return type.sort in ("kind", "scale") or type.name in SAMPLED
