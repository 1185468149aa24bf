"""Interpret the core: a plain reference for generated code, an oracle only.

In:  a compiled rule set; only its core and its lowered blocks are read, never what was emitted.
Out: a `Program` with the same names and tables, whose functions walk the core.

It keeps no answers and knows no short cuts, so that wherever it and the generated module disagree, one of
them misreads the rules. Both stand on the same runtime for what statements do (ops, machine, spaces).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Protocol

from rulewright.runtime import program as p
from rulewright.runtime.choices.spaces import ActionSpace, Picks
from rulewright.runtime.choices.ways import ways
from rulewright.runtime.state import State

from ..analyse.dependencies import Depends, hidden_memories
from ..core import nodes as c
from ..core.maps import coordinates, neighbors
from ..core.types import Type
from ..emit.lower import Lowered
from ..emit.text import ASKED_FOR, answer_text, asked_type, key_of, member_text, said, type_text, where
from .expressions import Evaluator, Names
from .steps import step_of

Fn = Callable[..., Any]


def interpret(compiled: Analysed, remembers: bool = False) -> p.Program:
    """The program of a rule set, walked instead of generated.

    Where it remembers, an answer is kept until anything at all changes: for large books.
    """
    assert compiled.book is not None and compiled.lowered is not None and compiled.depends is not None
    return Interpreter(compiled.book, compiled.lowered, compiled.depends, remembers).program(compiled.digest)


class Analysed(Protocol):
    """What the interpreter reads of a compiled rule set."""

    @property
    def book(self) -> c.Book | None: ...
    @property
    def lowered(self) -> dict[str, Lowered] | None: ...
    @property
    def depends(self) -> Depends | None: ...
    @property
    def digest(self) -> str: ...


class Everything(dict[str, tuple[int, ...]]):
    """By column, what rests on it: everything that is remembered."""

    def get(self, column: str, default: object = ()) -> tuple[int, ...]:
        return (0,)


class Interpreter:
    def __init__(self, book: c.Book, lowered: dict[str, Lowered], depends: Depends, remembers: bool = False) -> None:
        self.book = book
        self.lowered = lowered
        self.depends = depends
        self.board = board_of(book)
        self.remembers = remembers
        self.ev = Evaluator(book, self.board, remembers)

    def program(self, digest: str) -> p.Program:
        book = self.book
        months = book.calendar.months if book.calendar is not None else ()
        return p.Program(
            name="+".join((book.name, *book.overlays)),
            title=book.title or book.name,
            rules_hash=digest,
            board=self.board,
            units=tuple(u.name for u in book.units),
            sides=tuple(book.kinds.get("side", ())),
            kinds={k: tuple(v) for k, v in book.kinds.items()},
            scales={k: tuple(v) for k, v in book.scales.items()},
            turns=tuple((label, year, months[month - 1]) for label, year, month in self.ev.turns),
            unit_sides=tuple(u.fields["side"] for u in book.units),
            columns=tuple(self.column(m) for m in book.marks.values()),
            bindings={k: type_text(v) for k, v in book.bindings.items()},
            readings={k: tuple(name for name, _ in u.readings) for k, u in book.unclear.items()},
            memories=tuple(self.memory(m) for m in book.memories.values()),
            quotas={
                q.name: p.QuotaInfo(name=q.name, case=q.case, per=q.per, cap=self.defined(q.name))
                for q in book.quotas.values()
            },
            asks=tuple(self.ask(a) for a in book.asks),
            offers=tuple(self.offer(o) for o in book.offers),
            actions={a.name: self.action(a) for a in book.actions.values()},
            duties=tuple(self.duty(d) for d in book.duties.values()),
            triggers=tuple(self.trigger(t) for t in book.triggers),
            procedures={name: self.procedure(low) for name, low in self.lowered.items()},
            scenarios={s.name: self.scenario(s) for s in book.scenarios.values()},
            invariants=tuple((i.name, i.case, self.function(i.test)) for i in book.invariants.values()),
            resets=self.resets(),
            expiring=tuple(self.expiring()),
            memo=int(self.remembers),
            clears=Everything() if self.remembers else {},
            watches=self.watches(),
            cases=dict(book.cases),
            hidden=hidden_memories(book, self.depends),
            values={
                d.name: (
                    self.asked(d),
                    tuple(type_text(x.type) for x in d.params),
                    type_text(asked_type(book, d)),
                    d.case,
                )
                for d in book.definitions.values()
                if d.sort in ASKED_FOR
            },
        )

    # ------------------------------------------------------------ functions

    def function(self, e: c.Expr, *params: str) -> Fn:
        """An expression as a function of the state and these parameters."""
        return lambda S, *args: self.ev.value(S, e, named(params, args))

    def of_frame(self, e: c.Expr | None) -> Fn | None:
        """An expression as a function of the state and a frame's locals."""
        return None if e is None else lambda S, L: self.ev.value(S, e, L)

    def asked(self, d: c.Definition) -> Fn:
        """What is asked from outside: a definition, or what is remembered."""
        if d.sort != "memory":
            return self.defined(d.name)
        start = self.book.memories[d.name].start
        return lambda S, *args: getattr(S, "past_" + d.name).get(args, start)

    def defined(self, name: str) -> Fn:
        return lambda S, *args, keep=None: self.ev.define(S, name, args, keep)

    # ------------------------------------------------------------ state

    def place(self, name: str | None) -> int | None:
        found = self.board.names.get(name, name) if name is not None else None
        if found in self.board.places:
            return self.board.places.index(found)
        return found if isinstance(found, int) else None

    def column(self, m: c.Mark) -> p.Column:
        owner = m.owner.name
        sort = owner if owner in ("unit", "place", "game", "hexside") else "key"
        keys: tuple[Any, ...] = ()
        if sort == "key":
            keys = tuple(range(len(self.ev.turns))) if owner == "turn" else tuple(self.book.kinds.get(owner, ()))
        secret = None if m.secret_to is None else self.function(m.secret_to, *owner_params(owner))
        return p.Column(
            name=f"{owner}_{m.name}", sort=sort, start=m.start, type=type_text(m.type), case=m.case, keys=keys,
            secret=secret,
        )  # fmt: skip

    def resets(self) -> dict[tuple[str, str], tuple[str, ...]]:
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        for m in self.book.marks.values():
            if m.until is not None and m.until_test is None:
                found[m.until] = (*found.get(m.until, ()), f"{m.owner.name}_{m.name}")
        return found

    def expiring(self) -> list[tuple[str, Fn]]:
        return [
            (f"{m.owner.name}_{m.name}", self.function(m.until_test, *owner_params(m.owner.name)))
            for m in self.book.marks.values()
            if m.until_test is not None
        ]

    def memory(self, m: c.Memory) -> p.MemoryInfo:
        return p.MemoryInfo(
            name=m.name, case=m.case, how=m.how, event=m.event, start=m.start, of=key_of(m),
            keys=lambda S: self.keys(S, m.definition.params, {}), value=self.defined(m.name),
        )  # fmt: skip

    def keys(self, S: State, params: tuple[c.Param, ...], names: Names) -> list[tuple[Any, ...]]:
        """Every combination of arguments that a memory is kept for."""
        if not params:
            return [()]
        first, *rest = params
        values = self.ev.value(S, first.domain, names) if first.domain is not None else self.everything(first.type)
        return [(v, *more) for v in values for more in self.keys(S, tuple(rest), {**names, first.name: v})]

    def everything(self, t: Type) -> Any:
        match t.plain.name:
            case "unit":
                return range(len(self.book.units))
            case "place":
                return range(self.board.hexes)
            case _:
                return self.book.kinds.get(t.name, ())

    def watches(self) -> dict[str, dict[str, str]]:
        """Which memories, triggers and lifetimes are looked at again when a column changes."""
        pairs: set[tuple[str, str]] = set()
        for m in self.book.memories.values():
            if m.how in ("always", "ever"):
                pairs |= {(column, m.name) for column in self.depends.named("define", m.name)}
        for t in self.book.triggers:
            if t.event[0] == "soon":
                pairs |= {(column, t.id) for column in self.depends.of(trigger_exprs(t))}
        for mark in self.book.marks.values():
            if mark.until_test is not None:
                name = f"{mark.owner.name}_{mark.name}"
                pairs |= {(column, f"until {name}") for column in {*self.depends.of([mark.until_test]), name}}
        columns = sorted({column for column, _ in pairs})
        return {column: {who: "any" for at, who in sorted(pairs) if at == column} for column in columns}

    # ------------------------------------------------------------ decisions

    def ask(self, a: c.Ask) -> p.AskInfo:
        tiers: tuple[c.Expr, ...] = ()
        if a.source is not None:
            tiers = a.source.args if a.source.op == "else" else (a.source,)
        side = self.of_frame(a.side)
        assert side is not None
        return p.AskInfo(
            case=a.case, sort=a.sort, name=a.name, secret=a.secret, limit=a.limit, side=side,
            type=answer_text(self.book, a),
            tiers=tuple((lambda S, L, t=t: self.ev.value(S, t, L), self.any_path(t)) for t in tiers),
            number=self.of_frame(a.number), so_that=self.of_frame(a.so_that), where=where(a.span),
        )  # fmt: skip

    def any_path(self, tier: c.Expr) -> Fn | None:
        """How a path that is not listed is accepted where paths of a route are asked for."""
        if tier.op == "filter":
            inner = self.any_path(tier.args[0])
            test, var = tier.args[1], str(tier.info)
            if inner is None:
                return None

            def narrowed(S: State, L: Names, path: Any, grounds: bool = False) -> Any:
                found = inner(S, L, path, grounds)
                return found if grounds else found and self.ev.value(S, test, {**L, var: path})

            return narrowed
        if tier.op != "route" or self.book.routes[str(tier.info)].legs:
            return None

        def accepts(S: State, L: Names, path: Any, grounds: bool = False) -> Any:
            asked = self.ev.routes.grounds if grounds else self.ev.routes.accepts
            return asked(S, str(tier.info), self.arguments(S, tier, L), path)

        return accepts

    def arguments(self, S: State, e: c.Expr, names: Names) -> tuple[Any, ...]:
        return tuple(self.ev.value(S, a, names) for a in e.args)

    def offer(self, o: c.Offer) -> p.OfferInfo:
        side = self.of_frame(o.side)
        assert side is not None
        actions = tuple((name, self.of_frame(guard)) for name, guard in o.actions)
        return p.OfferInfo(case=o.case, sort=o.sort, side=side, actions=actions, where=where(o.span))

    def action(self, a: c.Action) -> p.ActionInfo:
        params = ("actor", *(x.name for x in a.params))
        rules = tuple(
            p.RuleInfo(
                case=r.case, label=said(r),
                level=self.level(a, [r.test, r.guard, *waiver_guards(r.waivers)]),
                refuses=lambda S, *args, r=r: self.ev.refuses(S, r, named(params, args)), where=where(r.span),
            )
            for r in a.rules
        )  # fmt: skip
        spends = tuple(
            (
                quota,
                lambda S, *args, keys=keys: tuple(self.ev.value(S, k, named(params, args)) for k in keys),
                self.function(amount, *params),
                self.level(a, [*keys, amount]),
            )
            for quota, keys, amount in a.spends
        )

        def walk(S: State, actor: str, pick: Picks) -> Iterator[tuple[Any, ...]]:
            return iter(()) if ActionSpace(S, info, actor).closed() else ways(S, info, actor, (), pick)

        info = p.ActionInfo(
            name=a.name, case=a.case, by=self.function(a.by), phases=a.phases, anytime=a.anytime,
            rules=rules, spends=spends, ways=walk,
            params=tuple(self.param(x, params[: i + 1]) for i, x in enumerate(a.params)), procedure=f"action {a.name}",
        )  # fmt: skip
        return info

    def level(self, a: c.Action, exprs: list[c.Expr | None]) -> int:
        """How many arguments must be known before these can be told."""
        used = {e.info for top in exprs if top is not None for e in top.walk() if e.op == "local"}
        return max((i for i, x in enumerate(a.params, 1) if x.name in used), default=0)

    def param(self, x: c.Param, before: tuple[str, ...]) -> p.ParamInfo:
        domain = x.domain
        if domain is None:
            return p.ParamInfo(name=x.name, type=type_text(x.type), domain=None, accepts=None)

        def accepts(S: State, *args: Any, grounds: bool = False) -> Any:
            *known, path = args
            given = self.arguments(S, domain, named(before, tuple(known)))
            routes = self.ev.routes
            return (routes.grounds if grounds else routes.accepts)(S, str(domain.info), given, path)

        of_route = x.type.name == "path" and domain.op == "route" and not self.book.routes[str(domain.info)].legs
        return p.ParamInfo(
            name=x.name, type=type_text(x.type), domain=self.function(domain, *before),
            accepts=accepts if of_route else None,
        )  # fmt: skip

    # ------------------------------------------------------------ duties, triggers, procedures

    def duty(self, d: c.Duty) -> p.DutyInfo:
        def domain(S: State) -> tuple[tuple[Any, ...], ...]:
            if d.domain is None or d.var is None:
                return ((),)
            return tuple((x,) for x in self.ev.value(S, d.domain, {}))

        def met(S: State, *args: Any) -> bool:
            names: Names = {d.var: args[0]} if d.var is not None else {}
            return bool(self.ev.value(S, d.test, names)) or self.ev.waived(S, d.waivers, names)

        failing = d.failing.name if d.failing is not None else None
        kind = member_text(d.domain)
        return p.DutyInfo(
            name=d.name, case=d.case, phases=d.phases, domain=domain, met=met, var=d.var, failing=failing, type=kind
        )

    def trigger(self, t: c.Trigger) -> p.TriggerInfo:
        params = tuple(x.name for x in t.params)

        def guard(S: State, *args: Any) -> bool:
            names = named(params, args)
            holds = t.guard is None or bool(self.ev.value(S, t.guard, names))
            return holds and not self.ev.waived(S, t.waivers, names)

        of: tuple[c.Param, ...] = ()
        if t.event[0] in ("happens", "before"):
            target = self.book.actions.get(t.event[1]) or self.book.procedures.get(t.event[1])
            of = target.params if target is not None else ()
        at = {x.name: i for i, x in enumerate(of)}
        return p.TriggerInfo(
            id=t.id, case=t.case, event=("soon", "") if t.event[0] == "soon" else t.event, params=params,
            positions=tuple(at.get(name, i) for i, name in enumerate(params)),
            guard=guard if t.guard is not None or t.waivers else None, procedure=t.procedure.name,
        )  # fmt: skip

    def procedure(self, low: Lowered) -> p.ProcedureInfo:
        params = tuple(x.name for x in low.params)
        known = (*params, "actor") if low.sort == "action" else params
        return p.ProcedureInfo(
            name=low.name.removeprefix("action "), case=low.case, sort=low.sort, params=params,
            blocks=tuple(step_of(self.ev, b) for b in low.blocks),
            wrappers=tuple(
                (name, None if guard is None else self.function(guard, *known)) for name, guard in low.wrappers
            ),
        )  # fmt: skip

    def scenario(self, s: c.Scenario) -> p.ScenarioInfo:
        units = {self.unit(u): self.place(place) for u, place in s.units.items()}
        return p.ScenarioInfo(
            title=s.title, case=s.case, sequence=s.sequence, marks=s.marks,
            units={u: place for u, place in sorted(units.items()) if place is not None},
        )  # fmt: skip

    def unit(self, name: str) -> int:
        return next(i for i, u in enumerate(self.book.units) if u.name == name)


def named(params: tuple[str, ...], args: tuple[Any, ...]) -> Names:
    """Parameters with what is given for them; those not yet known are absent."""
    return dict(zip(params, (*args, *(None for _ in params[len(args) :])), strict=True))


def owner_params(owner: str) -> tuple[str, ...]:
    return () if owner == "game" else ("it",)


def waiver_guards(waivers: tuple[c.Waiver, ...]) -> list[c.Expr | None]:
    return [g for w in waivers for g in (w.guard, *waiver_guards(w.waivers))]


def trigger_exprs(t: c.Trigger) -> list[c.Expr]:
    return [e for e in (t.guard, *waiver_guards(t.waivers)) if e is not None]


def board_of(book: c.Book) -> p.Board:
    """The geography of the core as flat numbers."""
    places = book.places
    number = {name: i for i, name in enumerate(places)}
    m = book.map
    near: list[tuple[int, ...]] = [()] * len(places)
    layers: dict[str, tuple[tuple[int, ...], ...]] = {}
    names: dict[str, Any] = {}
    if m is not None:
        for h in m.hexes:
            near[number[h]] = tuple(sorted(number[x] for x in neighbors(m, h)))
        for layer, chains in m.lines.items():
            joined = {(a, b) for _, chain in chains for a, b in pairwise(chain) if a in number and b in number}
            joined |= {(b, a) for a, b in joined}
            layers[layer] = tuple(tuple(sorted({number[b] for a, b in joined if a == name})) for name in places)
        for name, at in m.names.items():
            ends = [number.get(x) for x in at.split("/")]
            if at in number:
                names[name] = number[at]
            elif len(ends) > 1 and None not in ends:
                names[name] = tuple(sorted(ends))
    boxes = {
        name: {v: number[f"{name}({v})"] for v in values} if values else {None: number[name]}
        for name, (_, values, _) in book.boxes.items()
    }
    return p.Board(
        places=places,
        hexes=book.hexes,
        names=names,
        neighbors=tuple(near),
        layers=layers,
        coordinates=tuple(coordinates(m, h) for h in m.hexes) if m is not None and m.grid.sheets else (),
        staggered=m.grid.staggered if m is not None else "rows",
        boxes=boxes,
        cups=frozenset(at for name, (_, _, cup) in book.boxes.items() if cup for at in boxes[name].values()),
    )
