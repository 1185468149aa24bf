"""The plain tables of a book: what a state is made of, and what text forms need to know.

In:  an evaluator of a book.
Out: a `Program` without steps, windows or questions: columns, memories, quotas and names, and the definitions to ask.

A state of the runtime is built from a program; the oracle builds this one from the core. Nobody can play it with the
runtime's machine: the oracle plays by itself (`game.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.runtime import program as p
from rulewright.runtime.state import State

from ..core import nodes as c
from ..core.shown import margin_key, veil_keys
from ..core.types import NUMBER, Type
from .expressions import Evaluator
from .world import World

Fn = Callable[..., Any]
ASKED_FOR = ("define", "quota", "facet", "memory")


def tables(ev: Evaluator, digest: str = "") -> p.Program:
    """The tables of a book."""
    book = ev.book
    months = book.calendar.months if book.calendar is not None else ()
    turns = book.calendar.turns if book.calendar is not None else ()
    return p.Program(
        name="+".join((book.name, *book.overlays)),
        title=book.title or book.name,
        rules_hash=digest,
        board=ev.board,
        units=tuple(u.name for u in book.units),
        sides=tuple(book.kinds.get("side", ())),
        kinds={k: tuple(v) for k, v in book.kinds.items()},
        scales={k: tuple(v) for k, v in book.scales.items()},
        turns=tuple((label, year, months[month - 1]) for label, year, month in turns),
        unit_sides=tuple(u.fields.get("side", "") for u in book.units),
        columns=tuple(column(ev, m) for m in book.marks.values()),
        bindings={k: type_text(v) for k, v in book.bindings.items()},
        readings={k: tuple(name for name, _ in u.readings) for k, u in book.unclear.items()},
        memories=tuple(memory(ev, m) for m in book.memories.values()),
        quotas={
            q.name: p.QuotaInfo(name=q.name, case=q.case, per=q.per, cap=defined(ev, q.name))
            for q in book.quotas.values()
        },
        asks=(),
        offers=(),
        actions={},
        duties=(),
        triggers=(),
        procedures={},
        scenarios={s.name: scenario(ev, s) for s in book.scenarios.values()},
        invariants=tuple((i.name, i.case, of_state(ev, i.test)) for i in book.invariants.values()),
        resets={},
        expiring=(),
        memo=0,
        clears={},
        watches={},
        cases=dict(book.cases),
        veils=veil_keys(book),
        records={name: tuple((m, type_text(t)) for m, t in members) for name, members in book.records.items()},
        homes=homes(book),
        values={d.name: asked(ev, d) for d in book.definitions.values() if d.sort in ASKED_FOR},
    )


def homes(book: c.Book) -> dict[int, int]:
    """Where counters lie before they are made."""
    found: dict[int, int] = {}
    for name, box in book.boxes.items():
        for place in box.named(name) if box.sort == "pool" else ():
            found |= {u: book.places.index(place) for u, line in enumerate(book.units) if line.start == place}
    return found


def defined(ev: Evaluator, name: str) -> Fn:
    """A definition as a function of a state."""
    return lambda S, *args, keep=None: ev.define(World(S), name, args, keep)


def of_state(ev: Evaluator, e: c.Expr, *params: str) -> Fn:
    """An expression as a function of a state and these parameters."""
    return lambda S, *args: ev.value(World(S), e, dict(zip(params, args, strict=True)))


def asked(ev: Evaluator, d: c.Definition) -> tuple[Fn, tuple[str, ...], str, str]:
    """What is asked from outside: a definition, or what is remembered, with the types of what it takes and gives."""
    types = tuple(type_text(x.type) for x in d.params)
    if d.sort != "memory":
        return defined(ev, d.name), types, type_text(d.type), d.case
    m = ev.book.memories[d.name]
    kind = NUMBER if m.how == "counting" else d.type

    def recalled(S: State, *args: Any) -> Any:
        return getattr(S, "past_" + d.name).get(args, m.start)

    return recalled, types, type_text(kind), d.case


def column(ev: Evaluator, m: c.Mark) -> p.Column:
    """A mark as a column of the state."""
    owner = m.owner.name
    sort = owner if owner in ("unit", "place", "game", "hexside") else "key"
    keys: tuple[Any, ...] = ()
    if sort == "key":
        turns = ev.book.calendar.turns if ev.book.calendar is not None else ()
        keys = tuple(range(len(turns))) if owner == "turn" else tuple(ev.book.kinds.get(owner, ()))
    params = () if owner == "game" else ("it",)
    return p.Column(
        name=f"{owner}_{m.name}", sort=sort, start=m.start, type=type_text(m.type), case=m.case, keys=keys,
        secret=None if m.secret_to is None else of_state(ev, m.secret_to, *params),
    )  # fmt: skip


def memory(ev: Evaluator, m: c.Memory) -> p.MemoryInfo:
    return p.MemoryInfo(
        name=m.name, case=m.case, how=m.how, event=m.event, start=m.start,
        keys=lambda S: keys_of(ev, World(S), m), value=defined(ev, m.name),
    )  # fmt: skip


def keys_of(ev: Evaluator, W: World, m: c.Memory) -> list[tuple[Any, ...]]:
    """Every combination of arguments that something is remembered of."""

    def after(params: tuple[c.Param, ...], names: dict[str, Any]) -> list[tuple[Any, ...]]:
        if not params:
            return [()]
        first, *rest = params
        domain = ev.value(W, first.domain, names) if first.domain is not None else everything(ev.book, W, first.type)
        return [(v, *more) for v in domain for more in after(tuple(rest), {**names, first.name: v})]

    return after(m.definition.params, {})


def everything(book: c.Book, W: World, t: Type) -> tuple[Any, ...]:
    """Every value of a type, for a parameter without a set to come from."""
    match t.plain.name:
        case "unit":
            return tuple(range(len(book.units)))
        case "place":
            return tuple(W.ground)
        case "flag":
            return (False, True)
        case _:
            return tuple(book.kinds.get(t.name, ()))


def scenario(ev: Evaluator, s: c.Scenario) -> p.ScenarioInfo:
    names = ev.book.map.names if ev.book.map is not None else {}
    places = {name: i for i, name in enumerate(ev.book.places)}
    units = {u.name: i for i, u in enumerate(ev.book.units)}
    placed = {units[u]: places[names.get(at, at)] for u, at in s.units.items()}
    return p.ScenarioInfo(
        title=s.title,
        case=s.case,
        sequence=s.sequence,
        marks=s.marks,
        units=dict(sorted(placed.items())),
        map=s.map,
        margin=margin_key(s.margin),
    )


# ---------------------------------------------------------------- types as the runtime reads them


def type_text(t: Type) -> str:
    if t.of is not None:
        return f"{t.sort}:{type_text(t.of)}"
    return f"{t.sort}:{t.name}" if t.sort in ("kind", "scale", "record") else t.name


def member_text(e: c.Expr) -> str:
    """The type of a member of a set."""
    head, _, inner = type_text(e.type).partition(":")
    return inner if head in ("set", "list") else head


def answer_text(book: c.Book, ask: c.Ask) -> str:
    """The type of an answer, with what a plan sorts onto what and what shares are given to."""
    if ask.type.name == "shares" and ask.source is not None and ask.source.type.of is not None:
        return f"shares:{type_text(ask.source.type.of)}"
    if ask.type.name == "plan" and ask.type.via in book.matchings:
        m = book.matchings[ask.type.via]
        return f"plan:{type_text(m.items.type.of or m.items.type)}|{type_text(m.targets.type.of or m.targets.type)}"
    return type_text(ask.type)
