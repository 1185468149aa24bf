"""Build definitions: a function for each, and for each exception that cannot stand in place.

In:  a definition of the core: layers with their exceptions, waivers and clauses.
Out: functions of the generated package, helpers above the one that asks them.
"""

from __future__ import annotations

from dataclasses import replace

from ...core import nodes as c
from ...core.types import empty_of
from ...core.walk import asks_usual, layer_values
from ..answers import BEGIN, VALUE, kept, returned, told
from ..bans import waived
from ..context import Context, Draft
from ..expressions.build import Expressions
from ..model.expressions import NONE, At, Call, Expr, Lit, Name, Ref, S, any_of, names, negated
from ..model.statements import Assign, If, Param, Return, Stmt
from ..naming import HELPERS, mangle
from ..routes.askers import asks_for_all
from .clauses import Asked, in_place
from .contributions import Contributions
from .exceptions import NOTHING, exceptions, part
from .memoised import kept_by, worth_keeping
from .once_each import once_each

TELL_AGAIN = HELPERS["tell_again"]


def definition(ctx: Context, d: c.Definition) -> None:
    """All functions of one definition; where a route answers for it, they are built with the route."""
    if asks_for_all(ctx, d):
        return
    layers = Layers(ctx, d)
    asked = layers.asked
    f = layers.layer(d.base, True)
    if layers.always or not worth_keeping(ctx, d):
        f.body[:] = told(f.body, asked.telling()) if ctx.traced else returned(f.body)
        return
    key, rests = kept_by(ctx, d)
    known: Expr = key.entry
    if ctx.traced:
        known = Call(TELL_AGAIN, (S, known))
    look_up = [*key.look_up(ctx.slot(f.name, rests)), If(key.known, (Return(known),))]
    f.body[:] = [*look_up, *kept(f.body, key, asked.telling() if ctx.traced else None)]


class Layers:
    """One definition, layer by layer."""

    def __init__(self, ctx: Context, d: c.Definition) -> None:
        self.ctx = ctx
        self.d = d
        self.asked = Asked(ctx, d)
        self.always = d.sort == "memory" and ctx.book.memories[d.name].how == "always"
        self.home = ctx.naming.function("define", d.name)
        self.given = (S, *names(*(ctx.local(p.name) for p in d.params)))
        self.number = d.type.name in ("number", "ratio")

    def function(self, name: str, doc: str) -> Draft:
        keep = (Param("keep", None, NONE),) if self.always else ()
        return self.ctx.about(self.d.case, name, self.d.params, self.ctx.hint(self.d.type), doc, *keep)

    def layer(self, layer: c.Layer, base: bool, contribution: str | None = None) -> Draft:
        """A function for what one case says; exceptions first, then its own clauses."""
        ctx, d, asked = self.ctx, self.d, self.asked
        name = self.home.id if base else ctx.unique(f"{self.home.id}__{mangle(layer.case, 'by')}")
        ctx.made.add(name)
        if asks_usual(*(top for x in layer.exceptions for top in layer_values(x))):
            usual = f"{name}__usual"
            keep = (("keep", Name("keep")),) if self.always else ()
            for x in layer.exceptions:
                asked.usuals[x.id] = Call(Ref(self.home.module, usual), self.given, keep)
            own = self.function(usual, f"{ctx.title(layer.case)}: {d.name}, without exceptions.")
            self.clauses(own, layer, base, None, bare=True)
        only = self._always(layer) if contribution is None else None
        made: dict[str, Ref] = {}
        for x in (only or layer).exceptions:
            if not in_place(x):
                made[x.id] = self.layer(x, False).ref
        cases = ", ".join(dict.fromkeys(x.case for x in layer.exceptions)) if base else ""
        more = f" Excepted by {cases}." if cases else ""
        f = self.function(name, f"{ctx.title(layer.case)}: {d.name}.{more}")
        if not base:  # an answer with its case, or nothing
            f.returns = None
        build = asked.build(layer)
        outer, asked.top = asked.top, base
        if base and ctx.traced and not asked.asks_nothing():
            f.body.append(BEGIN)
        if layer.waivers:
            first = layer.waivers[0]
            at = At(first.case, first.span, first.id)
            f.body.append(If(waived(layer.waivers, build), (Return(NOTHING),), (), at))
        if not base and layer.exceptions:
            self._applies(f, layer, build)
        amount = (layer.clauses[0].operation or contribution) if contribution and self.number else ""
        if only is not None:
            f.body += exceptions(asked, only, made, self.given, self.always)
            self.clauses(f, only, False, None)
        else:
            f.body += exceptions(asked, layer, made, self.given, self.always, amount)
            self.clauses(f, layer, base, contribution)
        if ctx.folded:
            f.body[:] = once_each(f.body)
        asked.top = outer
        return f

    def _always(self, layer: c.Layer) -> c.Layer | None:
        """An exception that always applies: what it says stands in for what it excepts."""
        only = layer.exceptions[0] if self.ctx.foresees and len(layer.exceptions) == 1 else None
        if only is None or only.waivers or in_place(only) or only.clauses[-1].guard is not None:
            return None
        return None if asks_usual(*(top for x in only.walk() for top in layer_values(x))) else only

    def _applies(self, f: Draft, layer: c.Layer, build: Expressions) -> None:
        """An exception to an exception counts only where the exception itself applies."""
        guards = [x.guard for x in layer.clauses]
        if any(g is None for g in guards):
            return
        for name, value in layer.lets:
            f.body.append(Assign((Name(self.ctx.local(name)),), build(value)))
        applies = any_of(*(build(g) for g in guards if g is not None))
        f.body.append(If(negated(applies), (Return(NOTHING),)))

    def clauses(self, f: Draft, layer: c.Layer, base: bool, contribution: str | None, bare: bool = False) -> None:
        """What a layer says by itself; `bare` values come without their case."""
        ctx, d, asked = self.ctx, self.d, self.asked
        build = asked.build(layer)
        taken = {x.name for x in d.params} | {name for name, _ in layer.lets}
        for name, value in layer.lets:
            value = asked.sums(f.body, value, build, taken, (layer.case, layer.id))
            at = At(layer.case, value.span, layer.id)
            f.body.append(Assign((Name(ctx.local(name)),), asked.value(value, build), at))
        staged = base and d.gathered
        rows: list[tuple[Expr | None, At, Stmt]] = []
        for clause in layer.clauses:
            if clause.guard is None:
                clause = replace(clause, value=asked.sums(f.body, clause.value, build, taken, (layer.case, layer.id)))
            made = asked.value(clause.value, build)
            at = At(layer.case, clause.span, layer.id)
            given: Stmt
            if staged:
                given = Assign((VALUE,), made, at)
            elif bare:
                given = Return(made, at)
            elif contribution is not None and self.number:
                given = Return(part(Lit(layer.case), clause.operation or contribution, made), at)
            else:
                case = (
                    "" if isinstance(clause.value, c.Keep) else layer.case
                )  # no case is cited for what stays as it was
                given = asked.answer(case, made, at)
            guard = build(clause.guard) if clause.guard is not None else None
            rows.append((guard, At(layer.case, clause.span, layer.id + " guard"), given))
            if guard is None:
                break
        self._laid_out(f, rows, staged, base, bare)
        if staged:

            def helper(x: c.Layer) -> Ref:
                return self.layer(x, False, "plus").ref

            Contributions(asked, f, build, helper).steps(bare)

    def _laid_out(
        self, f: Draft, rows: list[tuple[Expr | None, At, Stmt]], staged: bool, base: bool, bare: bool
    ) -> None:
        """Clauses below one another, with what is so where none of them speaks."""
        total = bool(rows) and rows[-1][0] is None
        empty = Lit(empty_of(self.d.type))
        if staged:
            found: tuple[Stmt, ...] = () if total else (Assign((VALUE,), empty),)
            for guard, at, given in reversed(rows):
                found = (given,) if guard is None else (If(guard, (given,), found, at),)
            f.body += found
            return
        for guard, at, given in rows:
            f.body.append(given if guard is None else If(guard, (given,), (), at))
        if total:
            return
        if base:
            nothing: Expr = Name("keep") if self.always else empty
            f.body.append(Return(nothing) if bare else self.asked.answer("", nothing))
        else:
            f.body.append(Return(NOTHING))
