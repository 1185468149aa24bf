"""Duties, triggers, procedures, invariants, scenarios and values of the program.

In:  what a book makes happen, and what can be asked of it from outside.
Out: rows of the program, with the functions that they name.
"""

from __future__ import annotations

from functools import partial

from ...core import nodes as c
from ...core.shown import margin_key
from ...core.texts import type_text
from ...core.types import FLAG
from ..bans import waived
from ..chunks import Chunks
from ..expressions.asked import past
from ..expressions.build import Expressions
from ..lowering.blocks import Lowered
from ..model.expressions import (
    TRUE,
    At,
    Comp,
    Expr,
    Lit,
    Loop,
    Name,
    Tup,
    all_of,
    any_of,
    call,
    every,
    negated,
)
from ..model.statements import Hint, Param
from ..naming import HELPERS, STATE
from ..procedures.steps import Steps
from ..text import ASKED_FOR, asked_type, member_text
from .rows import Row, answer, or_none, row
from .state import plain

STATE_ONLY = (Param("S", STATE),)
TUPLE = Hint("tuple")


class HappeningRows:
    """The rows about what happens in play."""

    def __init__(self, chunks: Chunks) -> None:
        self.chunks = chunks
        self.ctx = chunks.ctx
        self.book = chunks.ctx.book
        self.bool = chunks.ctx.hint(FLAG)

    def duties(self) -> list[Row]:
        return [self.chunks.chunk((d,), partial(self._duty, d)) for d in self.book.duties.values()]

    def _duty(self, d: c.Duty) -> Row:
        ctx, build = self.ctx, Expressions(self.ctx)
        title, at = ctx.title(d.case), At(d.case, d.span, f"duty {d.name}")
        whom: Expr = Lit(((),))
        params: tuple[Param, ...] = STATE_ONLY
        if d.var is not None and d.domain is not None:
            var = Name(ctx.local(d.var))
            whom = every("tuple", Comp(Tup((var,)), (Loop(var, build(d.domain)),)))
            params = (*params, Param(var.id, ctx.hint(d.domain.type.of)))
        base = f"duty_{plain(d.name)}"
        domain = answer(ctx, f"{base}_of", STATE_ONLY, whom, TUPLE, f"{title}: whom {d.name} binds.", at)
        test = build(d.test)
        if d.waivers:
            test = any_of(test, waived(d.waivers, build))
        met = answer(ctx, f"{base}_met", params, test, self.bool, f"{title}: whether {d.name} is met.", at)
        failing = d.failing.name if d.failing is not None else None
        return row(
            call(
                HELPERS["DutyInfo"], name=Lit(d.name), case=Lit(d.case), phases=Lit(d.phases), domain=domain, met=met,
                var=Lit(d.var), failing=Lit(failing), type=Lit(member_text(d.domain)),
            )
        )  # fmt: skip

    def triggers(self) -> list[Row]:
        return [self.chunks.chunk((t,), partial(self._trigger, t)) for t in self.book.triggers]

    def _trigger(self, t: c.Trigger) -> Row:
        ctx, build = self.ctx, Expressions(self.ctx)
        guard = None
        if t.guard is not None or t.waivers:
            test = build(t.guard) if t.guard is not None else TRUE
            if t.waivers:
                test = all_of(test, negated(waived(t.waivers, build)))
            at, doc = At(t.case, t.span, f"trigger {t.id}"), f"{ctx.title(t.case)}: when it happens."
            guard = answer(ctx, f"when_{plain(t.id)}", ctx.params(t.params), test, self.bool, doc, at)
        event = ("soon", "") if t.event[0] == "soon" else t.event
        return row(
            call(
                HELPERS["TriggerInfo"], id=Lit(t.id), case=Lit(t.case), event=Lit(event),
                params=Lit(tuple(x.name for x in t.params)), positions=Lit(self._positions(t)), guard=or_none(guard),
                procedure=Lit(t.procedure.name),
            )
        )  # fmt: skip

    def _positions(self, t: c.Trigger) -> tuple[int, ...]:
        target = self.book.actions.get(t.event[1])
        params = target.params if target is not None else None
        if params is None and t.event[1] in self.book.procedures:
            params = self.book.procedures[t.event[1]].params
        given = [x.name for x in params] if params is not None and t.event[0] in ("happens", "before") else []
        return tuple(given.index(x.name) if x.name in given else i for i, x in enumerate(t.params))

    def procedures(self) -> list[Row]:
        facts = self.ctx.effects.facts
        lowered = self.ctx.lowered.values()
        return [self.chunks.chunk((low, facts(low)), partial(self._procedure, low)) for low in lowered]

    def _procedure(self, low: Lowered) -> Row:
        ctx = self.ctx
        steps = Steps(ctx, low)
        steps.functions()
        wrappers: list[Expr] = []
        for name, guard in low.wrappers:
            fn = None
            if guard is not None:
                actor = (Param("actor"),) if low.sort == "action" else ()
                at = At(low.case, guard.span, name)
                params = (*ctx.params(low.params), *actor)
                fn = answer(
                    ctx,
                    f"when_{plain(name)}",
                    params,
                    Expressions(ctx)(guard),
                    self.bool,
                    f"{low.case}: when {name} applies.",
                    at,
                )
            wrappers.append(Tup((Lit(name), or_none(fn))))
        public = low.name.removeprefix("action ")
        straight = steps.straight and ctx.effects.unheard(public) and not wrappers
        return row(
            call(
                HELPERS["ProcedureInfo"], name=Lit(public), case=Lit(low.case), sort=Lit(low.sort),
                params=Lit(tuple(x.name for x in low.params)), blocks=Tup(tuple(map(or_none, steps.names))),
                wrappers=Tup(tuple(wrappers)), straight=Lit(straight),
            ),
            f"{low.name!r}: ",
        )  # fmt: skip

    def invariants(self) -> list[Row]:
        return [self.chunks.chunk((i,), partial(self._invariant, i)) for i in self.book.invariants.values()]

    def _invariant(self, i: c.Invariant) -> Row:
        ctx = self.ctx
        doc = f"{ctx.title(i.case)}: {i.name} always holds."
        at = At(i.case, i.span, f"invariant {i.name}")
        fn = answer(ctx, f"invariant_{plain(i.name)}", STATE_ONLY, Expressions(ctx)(i.test), self.bool, doc, at)
        return row(Tup((Lit(i.name), Lit(i.case), fn)))

    # ------------------------------------------------------------ data

    def scenarios(self) -> list[Row]:
        index = {name: i for i, name in enumerate(self.book.places)}
        units = {u.name: i for i, u in enumerate(self.book.units)}
        found = []
        for s in self.book.scenarios.values():
            placed = {units[u]: index[self._named(p)] for u, p in s.units.items()}
            made = call(
                HELPERS["ScenarioInfo"], title=Lit(s.title), case=Lit(s.case), sequence=Lit(s.sequence),
                units=Lit(dict(sorted(placed.items()))), marks=Lit(s.marks), **({"map": Lit(s.map)} if s.map else {}),
                **({"margin": Lit(margin_key(s.margin))} if s.margin else {}),
            )  # fmt: skip
            found.append(row(made, f"{s.name!r}: "))
        return found

    def _named(self, place: str) -> str:
        if self.book.map is not None and place in self.book.map.names:
            return self.book.map.names[place]
        return place

    def values(self) -> list[Row]:
        """Definitions and memories that can be asked from outside, with the types of what they take and give."""
        ctx = self.ctx

        def made(d: c.Definition) -> Row:
            types = tuple(type_text(x.type, self.book) for x in d.params)
            fn = past(ctx, d.name) if d.sort == "memory" else ctx.naming.function("define", d.name)
            given = type_text(asked_type(self.book, d), self.book)
            return row(Tup((fn, Lit(types), Lit(given), Lit(d.case))), f"{d.name!r}: ")

        found = []
        for d in self.book.definitions.values():
            if d.sort in ASKED_FOR:
                fn = ctx.naming.functions["define", d.name]
                found.append(ctx.room.work(("value", d, fn.module, fn.id), partial(made, d)))
        return found
