"""Asks, offers and actions of the program.

In:  the decisions of the book.
Out: rows of the program, with the functions that they name: who decides, over what, within which limits.
"""

from __future__ import annotations

from functools import partial

from rulewright.dsl.source import Span

from ...analyse.additive import all_orders_alike, margins_of, margins_of_answer
from ...analyse.listed_paths import unlisted_in_params, unlisted_in_question
from ...core import nodes as c
from ...core.texts import answer_text, type_text
from ...core.types import SIDE
from ...core.walk import local_names
from ..bans import refusal
from ..choice_spaces import Guards, by_ends_of, emit_ways
from ..chunks import Chunks
from ..expressions.arithmetic import conjuncts
from ..expressions.build import Expressions
from ..model.expressions import (
    NONE,
    At,
    Call,
    Comp,
    Expr,
    Lit,
    Loop,
    Name,
    Ref,
    S,
    Tup,
    all_of,
    call,
    every,
    names,
)
from ..model.statements import Hint, If, Param, Return
from ..naming import HELPERS, STATE
from ..text import said, where
from .rows import Row, answer, frame, function, or_none, row
from .state import plain

BOOL, TUPLE = Hint("bool"), Hint("tuple")
PATH, GROUNDS = Name("path"), Name("grounds")
ASKED_PATH = (Param("path", TUPLE), Param("grounds", BOOL, Lit(False)))


class DecisionRows:
    """The rows about what a side may decide."""

    def __init__(self, chunks: Chunks) -> None:
        self.chunks = chunks
        self.ctx = chunks.ctx
        self.book = chunks.ctx.book

    # ------------------------------------------------------------ questions

    def asks(self) -> list[Row]:
        return [
            self.chunks.chunk((a, unlisted_in_question(self.book, a)), partial(self._ask, a)) for a in self.book.asks
        ]

    def _ask(self, a: c.Ask) -> Row:
        ctx = self.ctx
        build = Expressions(ctx, frame=True)
        base = f"ask_{a.id}_{plain(a.name)}"
        title = ctx.title(a.case)

        def made(word: str, e: c.Expr, doc: str, span: Span = a.span) -> Ref:
            at = At(a.case, span, f"ask {a.id}")
            value = build.asks.matching(e) if isinstance(e, c.Plans) else build(e)
            return answer(ctx, f"{base}_{word}", frame(ctx), value, ctx.hint(e.type), f"{title}: {doc}.", at)

        side = made("side", a.side, f"who decides {a.name}")
        tiers: list[Expr] = []
        if a.source is not None:
            for tier in a.source.tiers if isinstance(a.source, c.FirstOf) else (a.source,):
                listing = made("from", tier, f"what {a.name} is chosen from", tier.span)
                accept, fn = self._path_accept(tier), None
                if accept is not None:
                    f = function(
                        ctx,
                        f"{base}_path",
                        (*frame(ctx), *ASKED_PATH),
                        None,
                        f"{title}: whether a path will do.",
                        a.case,
                    )
                    f.body.append(If(GROUNDS, (Return(self._path_grounds(tier)),)))
                    f.body.append(Return(accept, At(a.case, tier.span, f"ask {a.id}")))
                    fn = f.ref
                tiers.append(Tup((listing, or_none(fn))))
        number = made("number", a.number, "how many") if a.number is not None else None
        so_that = made("so_that", a.so_that, f"what {a.name} must satisfy") if a.so_that is not None else None
        sums = margins_of_answer(self.book, a)
        doc = f"how far {a.name} is from what is asked"
        margins = {"margins": Tup(tuple(Tup((made("margin", x, doc), Lit(sign))) for x, sign in sums))} if sums else {}
        alike = {"alike": Lit(True)} if all_orders_alike(a) else {}
        doc = f"the walks among which a {a.name} may be"
        walks = [
            self._roam(x, Expressions(ctx, frame=True), f"{base}_roam", frame(ctx), f"{title}: {doc}.", a.case)
            for x in unlisted_in_question(self.book, a)
        ]
        roams = {"roams": Tup(tuple(walks))} if walks else {}
        return row(
            call(
                HELPERS["AskInfo"], case=Lit(a.case), sort=Lit(a.sort), name=Lit(a.name), secret=Lit(a.secret),
                limit=Lit(a.limit), type=Lit(answer_text(self.book, a)), side=side, tiers=Tup(tuple(tiers)),
                number=or_none(number), so_that=or_none(so_that), where=Lit(where(a.span)), **margins, **alike, **roams,
            )
        )  # fmt: skip

    def _roam(
        self, paths: c.Paths | None, build: Expressions, name: str, params: tuple[Param, ...], doc: str, case: str
    ) -> Expr:
        """The walks of a route whose listed paths do not tell whether one will do."""
        if paths is None:
            return NONE
        f = function(self.ctx, name, params, None, doc, case)
        f.body.append(Return(Call(self.ctx.naming.helper("route", paths.name, "_roam"), build.args(paths))))
        return f.ref

    def _path_accept(self, tier: c.Expr) -> Expr | None:
        """How any path of a route, not only the listed ones, is accepted."""
        build = Expressions(self.ctx, frame=True)
        if isinstance(tier, c.Paths) and not self.book.routes[tier.name].legs:
            return Call(self.ctx.naming.helper("route", tier.name, "_accepts"), (*build.args(tier), PATH))
        if isinstance(tier, c.Filter):
            inner = self._path_accept(tier.base)
            if inner is None:
                return None
            test = build.with_var(tier.var, tier.test)
            return all_of(inner, every("all", Comp(test, (Loop(Name(self.ctx.local(tier.var)), Tup((PATH,))),))))
        return None

    def _path_grounds(self, tier: c.Expr) -> Expr:
        """What the route of a tier has against a path."""
        while isinstance(tier, c.Filter):
            tier = tier.base
        assert isinstance(tier, c.Paths), "only paths are accepted without being listed"
        given = Expressions(self.ctx, frame=True).args(tier)
        return Call(self.ctx.naming.helper("route", tier.name, "_grounds"), (*given, PATH))

    # ------------------------------------------------------------ windows

    def offers(self) -> list[Row]:
        return [self.chunks.chunk((o,), partial(self._offer, o)) for o in self.book.offers]

    def _offer(self, o: c.Offer) -> Row:
        ctx = self.ctx
        build = Expressions(ctx, frame=True)
        at = At(o.case, o.span, f"offer {o.id}")
        title = ctx.title(o.case)
        side = answer(
            ctx, f"offer_{o.id}_side", frame(ctx), build(o.side), ctx.hint(o.side.type), f"{title}: who acts.", at
        )
        actions: list[Expr] = []
        for name, guard in o.actions:
            fn = None
            if guard is not None:
                doc = f"{title}: when {name} is offered."
                fn = answer(ctx, f"offer_{o.id}_{plain(name)}", frame(ctx), build(guard), BOOL, doc, at)
            actions.append(Tup((Lit(name), or_none(fn))))
        return row(
            call(
                HELPERS["OfferInfo"], case=Lit(o.case), sort=Lit(o.sort), side=side, actions=Tup(tuple(actions)),
                where=Lit(where(o.span)),
            )
        )  # fmt: skip

    # ------------------------------------------------------------ actions

    def actions(self) -> list[Row]:
        actions = self.book.actions.values()
        return [
            self.chunks.chunk((a, by_ends_of(self.book, a), unlisted_in_params(self.book, a)), partial(self._action, a))
            for a in actions
        ]

    def _action(self, a: c.Action) -> Row:
        ctx = self.ctx
        build = Expressions(ctx)
        title = ctx.title(a.case)
        base = f"action_{plain(a.name)}"
        element = f"action {a.name}"
        at = At(a.case, a.span, element)
        doc = f"{title}: who may take {a.name}."
        by = answer(ctx, f"{base}_by", (Param("S", STATE),), build(a.by), ctx.hint(a.by.type), doc, at)
        actor = Param("actor", ctx.hint(SIDE))
        mine = [Param(ctx.local(x.name), ctx.hint(x.type)) for x in a.params]
        params = [self._param(a, i, base, (Param("S", STATE), actor, *mine[:i])) for i in range(len(a.params))]
        every_one = (Param("S", STATE), actor, *(Param(p.name, p.hint, NONE) for p in mine))
        guards: Guards = []
        single: list[tuple[int, Ref]] = []
        rules: list[Expr] = []
        for r in a.rules:
            used = local_names(r.test, r.guard).union(*map(waiver_names, r.waivers))
            level = max((i + 1 for i, x in enumerate(a.params) if x.name in used), default=0)
            test, place = refusal(r, build), At(r.case, r.span, r.id)
            fn = answer(ctx, f"{base}_rule", every_one, test, BOOL, f"{ctx.title(r.case)}: {r.sort} {a.name}.", place)
            member = member_of(r, a.params, level)
            guards.append((level, test, place))
            if member is not None:
                single.append((member[1], fn))
            rules.append(
                call(
                    HELPERS["RuleInfo"], case=Lit(r.case), label=Lit(said(r)), refuses=fn, level=Lit(level),
                    where=Lit(where(r.span)), member=Lit(member), **self._margins(a, r, level, member, base, every_one),
                )
            )  # fmt: skip
        spends: list[Expr] = []
        for quota, args, amount in a.spends:
            used = local_names(*args, amount)
            level = max((i + 1 for i, x in enumerate(a.params) if x.name in used), default=0)
            doc = f"{title}: which quota it draws on."
            key = answer(ctx, f"{base}_key", every_one, build.key(args), TUPLE, doc, at)
            doc = f"{title}: what it draws."
            price = answer(ctx, f"{base}_price", every_one, build(amount), ctx.hint(amount.type), doc, at)
            spends.append(Tup((Lit(quota), key, price, Lit(level))))
            given = (S, Name("actor"), *names(*(p.name for p in mine[:level])))
            guards.append((level, Call(HELPERS["short"], (S, Lit(quota), Call(key, given), Call(price, given))), None))
        ways = emit_ways(ctx, a, base, guards, single)
        return row(
            call(
                HELPERS["ActionInfo"], name=Lit(a.name), case=Lit(a.case), by=by, phases=Lit(a.phases),
                anytime=Lit(a.anytime), params=Tup(tuple(params)), rules=Tup(tuple(rules)), spends=Tup(tuple(spends)),
                procedure=Lit("action " + a.name), ways=ways, **self._previews(a),
            ),
            f"{a.name!r}: ",
        )  # fmt: skip

    def _previews(self, a: c.Action) -> dict[str, Expr]:
        """What is told of a choice before it is made."""
        found = tuple((x.name, x.definition) for x in self.book.previews if x.action == a.name)
        return {"previews": Lit(found)} if found else {}

    def _margins(
        self, a: c.Action, r: c.Rule, level: int, member: object, base: str, params: tuple[Param, ...]
    ) -> dict[str, Expr]:
        """The numbers by which a rule permits a set, where they are sums over its members."""
        if not level or not a.params[level - 1].type.many or member is not None:
            return {}
        found = margins_of(self.book, r, a.params[level - 1].name)
        if found is None:
            return {}
        ctx, build = self.ctx, Expressions(self.ctx)
        doc, place = f"{ctx.title(r.case)}: how far a set is from what is asked.", At(r.case, r.span, r.id)
        made = [
            Tup((answer(ctx, f"{base}_margin", params, build(number), ctx.hint(number.type), doc, place), Lit(sign)))
            for number, sign in found
        ]
        return {"margins": Tup(tuple(made))}

    def _param(self, a: c.Action, i: int, base: str, before: tuple[Param, ...]) -> Expr:
        """One parameter: what it may be, and for a path whether any other will do."""
        ctx, x = self.ctx, a.params[i]
        build = Expressions(ctx)
        domain = accepts = cost = None
        roams: Expr = NONE
        title = ctx.title(a.case)
        if x.domain is not None:
            at = At(a.case, x.domain.span, f"action {a.name}")
            doc = f"{title}: what {x.name} may be."
            domain = answer(ctx, f"{base}_{plain(x.name)}", before, build(x.domain), ctx.hint(x.domain.type), doc, at)
            paths = x.domain if x.type.name == "path" else None
            if isinstance(paths, c.Paths) and not self.book.routes[paths.name].legs:
                given = (*build.args(paths), PATH)
                doc = f"{title}: whether any path will do as {x.name}."
                f = function(ctx, f"{base}_{plain(x.name)}_path", (*before, *ASKED_PATH), None, doc, a.case)
                name = paths.name
                f.body.append(If(GROUNDS, (Return(Call(ctx.naming.helper("route", name, "_grounds"), given)),)))
                f.body.append(Return(Call(ctx.naming.helper("route", name, "_accepts"), given)))
                accepts = f.ref
            cost = self._cost(a, x, base, before)
            doc = f"{title}: the walks among which a {x.name} may be."
            unlisted = unlisted_in_params(self.book, a)[i]
            roams = self._roam(unlisted, build, f"{base}_{plain(x.name)}_roam", before, doc, a.case)
        priced = {"cost": cost} if cost is not None else {}
        walked = {"roams": roams} if roams is not NONE else {}
        return call(
            HELPERS["ParamInfo"], name=Lit(x.name), type=Lit(type_text(x.type)), domain=or_none(domain),
            accepts=or_none(accepts), **priced, **walked,
        )  # fmt: skip

    def _cost(self, a: c.Action, x: c.Param, base: str, before: tuple[Param, ...]) -> Expr | None:
        """What a path costs by its route, where the parameter is a path of one."""
        paths = x.domain if x.type.name == "path" else None
        while isinstance(paths, c.Filter):
            paths = paths.base
        if not isinstance(paths, c.Paths) or self.book.routes[paths.name].legs:
            return None
        ctx = self.ctx
        doc = f"{ctx.title(a.case)}: what {x.name} costs."
        f = function(ctx, f"{base}_{plain(x.name)}_cost", (*before, ASKED_PATH[0]), None, doc, a.case)
        given = (*Expressions(ctx).args(paths), PATH)
        f.body.append(Return(Call(ctx.naming.helper("route", paths.name, "_cost"), given)))
        return f.ref


def waiver_names(w: c.Waiver) -> frozenset[str]:
    return local_names(w.guard).union(*map(waiver_names, w.waivers))


def member_of(r: c.Rule, params: tuple[c.Param, ...], level: int) -> tuple[str, int] | None:
    """The set parameter of which this rule is a test of single members: what refuses one refuses every set with it."""
    if level == 0 or r.guard is not None or r.waivers:
        return None
    param = params[level - 1]
    if not param.type.many:
        return None
    parts = conjuncts(r.test) if r.sort == "require" else disjuncts(r.test)
    for part in parts:
        if param.name in local_names(of_each(part, c.EveryOf if r.sort == "require" else c.AnyOf, param.name)):
            return None
    return (param.name, level - 1)


def of_each(e: c.Expr, sort: type[c.EveryOf | c.AnyOf], name: str) -> c.Expr | None:
    """What a condition asks of each member of a set on its own; the whole condition, where it asks otherwise."""
    return e.test if isinstance(e, c.EveryOf | c.AnyOf) and isinstance(e, sort) and holds(e.base, name) else e


def holds(base: c.Expr, name: str) -> bool:
    """Whether a set is this parameter, or a union with it."""
    match base:
        case c.Local(own):
            return own == name
        case c.Union(left, right):
            return holds(left, name) or holds(right, name)
        case _:
            return False


def disjuncts(e: c.Expr) -> list[c.Expr]:
    return [*disjuncts(e.left), *disjuncts(e.right)] if isinstance(e, c.Or) else [e]
