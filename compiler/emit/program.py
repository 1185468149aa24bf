"""The `Program` at the end of a generated module: tables of functions and plain data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..analyse.dependencies import column_name, hidden_memories
from ..analyse.invalidation import Near, lifetime, narrowed
from ..core import nodes as c
from ..core.types import NUMBER, Type
from ..core.walk import waiver_exprs
from .bans import refusal, waived
from .choice_spaces import Guards, by_ends_of, emit_ways
from .expressions import conjuncts, literal, mangle
from .text import answer_text, member_text, record_texts, told_texts, type_text, where
from .traced import telling, told_lines

if TYPE_CHECKING:
    from .lower import Lowered
    from .modules import Emitter


ASKED_FOR = ("define", "quota", "facet", "memory")


def program_lines(e: Emitter) -> list[str]:
    """The keyword arguments of the program, each of one or more lines."""
    return ProgramModel(e).lines()


class ProgramModel:
    def __init__(self, e: Emitter) -> None:
        self.e = e
        self.book = e.book
        self.near = {} if e.traced else dict(narrowed(e.depends))

    def lines(self) -> list[str]:
        book = self.book
        columns = self.e.once(self._columns)
        memories = self._memories()
        quotas = self._quotas()
        asks = self._asks()
        offers = self._offers()
        actions = self._actions()
        duties = self._duties()
        triggers = self._triggers()
        procedures = self._procedures()
        invariants = self._invariants()
        expiring = self.e.once(self._expiring)
        names = sorted(self.e.constants.looked_up)
        rests = tuple(book.definitions[name] for name in names)
        owners = tuple(map(self.e.owner, rests))
        self.e.chunk(("members", tuple(names), rests, owners), partial(self.e.members, names))
        title = book.title or book.name
        found = [
            f"name={'+'.join([book.name, *book.overlays])!r},",
            f"title={title!r},",
            f"rules_hash={self.e.rules_hash!r},",
            "board=data.BOARD,",
            "units=data.UNITS,",
            f"sides={literal(tuple(book.kinds.get('side', ())))},",
            f"kinds={literal({k: tuple(v) for k, v in book.kinds.items()})},",
            f"scales={literal({k: tuple(v) for k, v in book.scales.items()})},",
            "turns=data.TURNS,",
            f"unit_sides={literal(tuple(u.fields.get('side') for u in book.units))},",
            wrap("columns", columns, "tuple"),
            f"bindings={literal({k: type_text(v) for k, v in book.bindings.items()})},",
            f"readings={literal({k: tuple(r for r, _ in u.readings) for k, u in book.unclear.items()})},",
            wrap("memories", memories, "tuple"),
            wrap("quotas", quotas, "dict"),
            wrap("asks", asks, "tuple"),
            wrap("offers", offers, "tuple"),
            wrap("actions", actions, "dict"),
            wrap("duties", duties, "tuple"),
            wrap("triggers", triggers, "tuple"),
            wrap("procedures", procedures, "dict"),
            wrap("scenarios", self._scenarios(), "dict"),
            wrap("invariants", invariants, "tuple"),
            f"resets={literal(self._resets())},",
            wrap("expiring", expiring, "tuple"),
            f"memo={len(self.e.memo)},",
            f"clears={literal(self._clears())},",
            f"owned={literal(self._owned())},",
            f"watches={literal(self._watches())},",
            f"cases={literal(dict(book.cases))},",
            f"origins={literal(book.origins)},",
            f"waived_by={literal(book.waived_by)},",
            wrap("values", self._values(), "dict"),
            f"records={literal(record_texts(book))},",
            f"told={literal(told_texts(book))},",
            f"hidden={literal(hidden_memories(book, self.e.depends))},",
        ]
        return found

    def _fn(self, name: str, params: str, text: str, doc: str, case: str, span: object, element: str) -> str:
        unique = self.e.unique(name)
        f = self.e.function(unique, params, doc)
        f.lines.append(self.e.at(f"return {text}", case, span, element))  # type: ignore[arg-type]
        return unique

    # ------------------------------------------------------------ state

    def _columns(self) -> list[str]:
        found = []
        for (owner, name), mark in self.book.marks.items():
            sort = owner if owner in ("unit", "place", "game", "hexside") else "key"
            keys: tuple[object, ...] = ()
            if sort == "key":
                keys = tuple(self.book.kinds.get(owner, ()))
                if owner == "turn" and self.book.calendar is not None:
                    keys = tuple(range(len(self.book.calendar.turns)))
            secret = "None"
            if mark.secret_to is not None:
                p = self.e.printer()
                text = p.with_var("it", mark.secret_to)
                params = "S" if owner == "game" else "S, it"
                secret = self._fn(
                    f"secret_{mangle(owner)}_{mangle(name)}",
                    params,
                    text,
                    f"Who may see {name}.",
                    mark.case,
                    mark.span,
                    f"mark {name}",
                )
            found.append(
                f"Column(name={column_name(owner, name)!r}, sort={sort!r}, start={literal(mark.start)}, "
                f"type={type_text(mark.type)!r}, case={mark.case!r}, keys={literal(keys)}, secret={secret}),"
            )
        return found

    def _resets(self) -> dict[tuple[str, str], tuple[str, ...]]:
        found: dict[tuple[str, str], list[str]] = {}
        for (owner, name), mark in self.book.marks.items():
            if mark.until is not None and mark.until_test is None:
                found.setdefault(mark.until, []).append(column_name(owner, name))
        return {k: tuple(v) for k, v in found.items()}

    def _expiring(self) -> list[str]:
        found = []
        for (owner, name), mark in self.book.marks.items():
            if mark.until_test is None:
                continue
            p = self.e.printer()
            params = "S" if owner == "game" else "S, it"
            fn = self._fn(
                f"expires_{mangle(owner)}_{mangle(name)}",
                params,
                p.with_var("it", mark.until_test),
                f"{self.e.title(mark.case)}: when {name} ends.",
                mark.case,
                mark.span,
                f"mark {name}",
            )
            found.append(f"({column_name(owner, name)!r}, {fn}),")
        return found

    def _memories(self) -> list[str]:
        return [self._memory(m) for m in self.book.memories.values()]

    def _memory(self, m: c.Memory) -> str:
        if m.name in self.near:
            return self.e.once(partial(self._near_row, m, self.near[m.name]))
        return self.e.chunk(("memory", m.definition, m.span), partial(self._memories_row, m))

    def _memories_row(self, m: c.Memory) -> str:
        keys = self._fn(
            mangle(m.name, "keys"),
            "S",
            self._keys(m.definition.params),
            f"{self.e.title(m.case)}: what {m.name} is remembered of.",
            m.case,
            m.span,
            f"memory {m.name}",
        )
        return self._memory_row(m, keys)

    def _memory_row(self, m: c.Memory, keys: str, more: str = "") -> str:
        names = [mangle(x.name) for x in m.definition.params]
        key = f"({''.join(name + ', ' for name in names)})"
        name = mangle(m.name, "past")
        f = self.e.function(name, ", ".join(["S", *names]), f"{self.e.title(m.case)}: {m.name}, as it is remembered.")
        value = f"S.{name}.get({key}, {literal(m.start)})"
        given = telling(m.name, key, repr(m.case), value, leaf=True) if self.e.traced else f"return {value}"
        f.lines += told_lines(self.e.at(given, m.case, m.span, f"memory {m.name}"))
        return (
            f"MemoryInfo(name={m.name!r}, case={m.case!r}, how={m.how!r}, event={literal(m.event)}, keys={keys}, "
            f"value={mangle(m.name, 'd')}, start={literal(m.start)}, of={key_of(m)!r}{more}),"
        )

    def _near_row(self, m: c.Memory, near: Near) -> str:
        """A memory of which only the keys are looked at that a change can touch."""
        title, element = self.e.title(m.case), f"memory {m.name}"
        name = self.e.unique(mangle(m.name, "keys"))
        f = self.e.function(
            name, "S, among=None", f"{title}: what {m.name} is remembered of, or what of it is among these."
        )
        every, some = self._keys(m.definition.params), self._keys(m.definition.params, near)
        f.lines += ["if among is None:", self.e.at(f"    return {every}", m.case, m.span, element)]
        f.lines.append(self.e.at(f"return {some}", m.case, m.span, element))
        p = self.e.printer()
        looked = dict.fromkeys(p.members(x) for x in near.sets)
        sets = self._fn(
            mangle(m.name, "sets"),
            "S",
            f"({', '.join(looked)}{',' if looked else ''})",
            f"{title}: the sets that {m.name} is looked for in.",
            m.case,
            m.span,
            element,
        )
        return self._memory_row(m, name, f", sets={sets}")

    def _keys(self, params: tuple[c.Param, ...], near: Near | None = None) -> str:
        if not params:
            return "((),)"
        p = self.e.printer()
        loops = []
        for i, x in enumerate(params):
            name = mangle(x.name)
            if near is not None and i == near.at:
                loops.append(self._among(x, near))
            else:
                loops.append(f"for {name} in {p(x.domain) if x.domain is not None else self._all(x.type)}")
            p.bound.append(x.name)
        names = ", ".join(mangle(x.name) for x in params)
        return f"[({names},) {' '.join(loops)}]"

    def _among(self, x: c.Param, near: Near) -> str:
        """The loop over those keys that a change can touch, in the order of all keys."""
        name, p = mangle(x.name), self.e.printer()
        if near.base is not None:
            loop = f"for {name} in {p(near.base)} if {name} in among"
        else:
            held = "" if x.type.plain.name == "unit" else " and p < len(HEXES)"
            loop = f"for {name} in sorted(p for p in among if p is not None{held})"
        for var, test in near.tests:
            loop += "" if var == x.name else f" for {mangle(var)} in ({name},)"
            loop += f" if {p.with_var(var, test)}"
        return loop

    def _all(self, t: Type) -> str:
        if t.plain.name == "unit":
            return "range(len(data.UNITS))"
        if t.plain.name == "place":
            return "HEXES"
        return literal(tuple(self.book.kinds.get(t.name, ())))

    def _quotas(self) -> list[str]:
        return [
            f"{q.name!r}: QuotaInfo(name={q.name!r}, case={q.case!r}, per={q.per!r}, cap={mangle(q.name, 'd')}),"
            for q in self.book.quotas.values()
        ]

    def _clears(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for i, rests in enumerate(self.e.memo.values()):
            for column in sorted(rests.reads(self.e.depends)):
                found.setdefault(column, []).append(i)
        return {k: tuple(v) for k, v in sorted(found.items())}

    def _owned(self) -> dict[str, tuple[tuple[int, str], ...]]:
        """By column, the kept answers of which only those about its owner are lost, and how these are found."""
        found: dict[str, list[tuple[int, str]]] = {}
        for i, rests in enumerate(self.e.memo.values()):
            for column, how in rests.own(self.e.depends).items():
                found.setdefault(column, []).append((i, how))
        return {k: tuple(v) for k, v in sorted(found.items())}

    def _watches(self) -> dict[str, dict[str, str]]:
        """By column, who looks again when it changes, and how the keys are found that this can touch."""
        found: dict[str, dict[str, str]] = {}
        for m in self.book.memories.values():
            if m.how in ("always", "ever"):
                near = self.near.get(m.name)
                for column in self.e.depends.named("define", m.name):
                    found.setdefault(column, {})[m.name] = near.by[column] if near is not None else "any"
        for t in self.book.triggers:
            if t.event[0] == "soon" and t.guard is not None:
                for column in self.e.depends.of([t.guard, *(x for w in t.waivers for x in waiver_exprs(w))]):
                    found.setdefault(column, {})[t.id] = "any"
        for (owner, name), mark in self.book.marks.items():
            if mark.until_test is not None:
                for column, how in lifetime(self.e.depends, owner, mark).items():
                    found.setdefault(column, {})[f"until {column_name(owner, name)}"] = how
        return {column: dict(sorted(who.items())) for column, who in sorted(found.items())}

    # ------------------------------------------------------------ decisions

    def _asks(self) -> list[str]:
        return [self.e.chunk((a,), partial(self._asks_row, a)) for a in self.book.asks]

    def _asks_row(self, a: c.Ask) -> str:
        p = self.e.printer(frame=True)
        base = f"ask_{a.id}_{mangle(a.name)}"
        element = f"ask {a.id}"
        title = self.e.title(a.case)
        side = self._fn(f"{base}_side", "S, L", p(a.side), f"{title}: who decides {a.name}.", a.case, a.span, element)
        tiers = []
        if a.source is not None:
            for tier in a.source.args if a.source.op == "else" else (a.source,):
                listing = self._fn(
                    f"{base}_from",
                    "S, L",
                    p(tier),
                    f"{title}: what {a.name} is chosen from.",
                    a.case,
                    tier.span,
                    element,
                )
                accept, fn = self._path_accept(tier, p), "None"
                if accept is not None:
                    fn = self.e.unique(f"{base}_path")
                    f = self.e.function(fn, "S, L, path, grounds=False", f"{title}: whether a path will do.")
                    f.lines.append(f"if grounds:\n        return {self._path_grounds(tier)}")
                    f.lines.append(self.e.at(f"return {accept}", a.case, tier.span, element))
                tiers.append(f"({listing}, {fn})")
        number = "None"
        if a.number is not None:
            number = self._fn(f"{base}_number", "S, L", p(a.number), f"{title}: how many.", a.case, a.span, element)
        so_that = "None"
        if a.so_that is not None:
            so_that = self._fn(
                f"{base}_so_that",
                "S, L",
                p(a.so_that),
                f"{title}: what {a.name} must satisfy.",
                a.case,
                a.span,
                element,
            )
        row = f"({', '.join(tiers)}{',' if tiers else ''})"
        return (
            f"AskInfo(case={a.case!r}, sort={a.sort!r}, name={a.name!r}, secret={a.secret}, limit={a.limit!r}, "
            f"type={answer_text(self.book, a)!r}, side={side}, tiers={row}, number={number}, so_that={so_that}, "
            f"where={where(a.span)!r}),"
        )

    def _path_accept(self, tier: c.Expr, p: object) -> str | None:
        """How any path of a route, not only the listed ones, is accepted."""
        printer = self.e.printer(frame=True)
        if tier.op == "route" and not self.book.routes[str(tier.info)].legs:
            return f"{mangle(str(tier.info), 'r')}_accepts({printer.args(tier)}, path)"
        if tier.op == "filter":
            inner = self._path_accept(tier.args[0], p)
            if inner is None:
                return None
            var = str(tier.info)
            test = printer.with_var(var, tier.args[1])
            return f"({inner} and all({test} for {mangle(var)} in (path,)))"
        return None

    def _path_grounds(self, tier: c.Expr) -> str:
        """What the route of a tier has against a path."""
        route = tier.args[0] if tier.op == "filter" else tier
        if route.op == "filter":
            return self._path_grounds(route)
        return f"{mangle(str(route.info), 'r')}_grounds({self.e.printer(frame=True).args(route)}, path)"

    def _offers(self) -> list[str]:
        return [self.e.chunk((o,), partial(self._offers_row, o)) for o in self.book.offers]

    def _offers_row(self, o: c.Offer) -> str:
        p = self.e.printer(frame=True)
        side = self._fn(
            f"offer_{o.id}_side",
            "S, L",
            p(o.side),
            f"{self.e.title(o.case)}: who acts.",
            o.case,
            o.span,
            f"offer {o.id}",
        )
        actions = []
        for name, guard in o.actions:
            fn = "None"
            if guard is not None:
                fn = self._fn(
                    f"offer_{o.id}_{mangle(name)}",
                    "S, L",
                    p(guard),
                    f"{self.e.title(o.case)}: when {name} is offered.",
                    o.case,
                    o.span,
                    f"offer {o.id}",
                )
            actions.append(f"({name!r}, {fn})")
        return (
            f"OfferInfo(case={o.case!r}, sort={o.sort!r}, side={side}, "
            f"actions=({', '.join(actions)}{',' if actions else ''}), where={where(o.span)!r}),"
        )

    def _actions(self) -> list[str]:
        actions = self.book.actions.values()
        return [line for a in actions for line in self.e.chunk((a, by_ends_of(self.book, a)), partial(self._action, a))]

    def _action(self, a: c.Action) -> list[str]:
        p = self.e.printer()
        title = self.e.title(a.case)
        names = [mangle(x.name) for x in a.params]
        base = mangle(a.name, "a")
        by = self._fn(
            f"{base}_by", "S", p(a.by), f"{title}: who may take {a.name}.", a.case, a.span, f"action {a.name}"
        )
        params = []
        for i, x in enumerate(a.params):
            before = ", ".join(["S, actor", *names[:i]])
            domain, accepts = "None", "None"
            if x.domain is not None:
                domain = self._fn(
                    f"{base}_{mangle(x.name)}",
                    before,
                    p(x.domain),
                    f"{title}: what {x.name} may be.",
                    a.case,
                    x.domain.span,
                    f"action {a.name}",
                )
                if x.type.name == "path" and x.domain.op == "route" and not self.book.routes[str(x.domain.info)].legs:
                    route = mangle(str(x.domain.info), "r")
                    args = p.args(x.domain)
                    unique = self.e.unique(f"{base}_{mangle(x.name)}_path")
                    f = self.e.function(
                        unique, f"{before}, path, grounds=False", f"{title}: whether any path will do as {x.name}."
                    )
                    f.lines.append(f"if grounds:\n        return {route}_grounds({args}, path)")
                    f.lines.append(f"return {route}_accepts({args}, path)")
                    accepts = unique
            params.append(f"ParamInfo(name={x.name!r}, type={type_text(x.type)!r}, domain={domain}, accepts={accepts})")
        rules = []
        guards: Guards = []
        single: Guards = []
        every = ", ".join(["S, actor", *(f"{n}=None" for n in names)])
        for r in a.rules:
            used = {str(e.info) for top in (r.test, r.guard) if top is not None for e in top.walk() if e.op == "local"}
            for w in r.waivers:
                used |= waiver_names(w)
            level = max((i + 1 for i, x in enumerate(a.params) if x.name in used), default=0)
            text = refusal(r, p)
            fn = self._fn(
                f"{base}_rule", every, text, f"{self.e.title(r.case)}: {r.sort} {a.name}.", r.case, r.span, r.id
            )
            member = member_of(r, a.params, level)
            guards.append((level, self.e.at(f"if {text}:", r.case, r.span, r.id)))
            if member is not None:
                single.append((member[1], fn))
            rules.append(
                f"RuleInfo(case={r.case!r}, label={said(r)!r}, refuses={fn}, level={level}, "
                f"where={where(r.span)!r}, member={literal(member)})"
            )
        spends = []
        for quota, args_, amount in a.spends:
            used = {str(e.info) for top in (*args_, amount) for e in top.walk() if e.op == "local"}
            level = max((i + 1 for i, x in enumerate(a.params) if x.name in used), default=0)
            key = self._fn(
                f"{base}_key",
                every,
                p.key(args_),
                f"{title}: which quota it draws on.",
                a.case,
                a.span,
                f"action {a.name}",
            )
            price = self._fn(
                f"{base}_price", every, p(amount), f"{title}: what it draws.", a.case, a.span, f"action {a.name}"
            )
            spends.append(f"({quota!r}, {key}, {price}, {level})")
            given = ", ".join(["S, actor", *names[:level]])
            guards.append((level, f"if short(S, {quota!r}, {key}({given}), {price}({given})):"))
        ways = emit_ways(self.e, a, guards, single)
        return [
            f"{a.name!r}: ActionInfo(name={a.name!r}, case={a.case!r}, by={by}, phases={literal(a.phases)}, anytime={a.anytime},",
            f"    params=({', '.join(params)}{',' if params else ''}),",
            "    rules=(",
            *(f"        {r}," for r in rules),
            "    ),",
            f"    spends=({', '.join(spends)}{',' if spends else ''}), procedure={'action ' + a.name!r}, ways={ways}),",
        ]

    # ------------------------------------------------------------ duties, triggers, procedures

    def _duties(self) -> list[str]:
        return [self.e.chunk((d,), partial(self._duties_row, d)) for d in self.book.duties.values()]

    def _duties_row(self, d: c.Duty) -> str:
        p = self.e.printer()
        title = self.e.title(d.case)
        if d.var is not None and d.domain is not None:
            text = f"tuple(({mangle(d.var)},) for {mangle(d.var)} in {p(d.domain)})"
            params = f"S, {mangle(d.var)}"
        else:
            text, params = "((),)", "S"
        domain = self._fn(
            f"duty_{mangle(d.name)}_of",
            "S",
            text,
            f"{title}: whom {d.name} binds.",
            d.case,
            d.span,
            f"duty {d.name}",
        )
        test = p(d.test)
        if d.waivers:
            test = f"({test} or {waived(d.waivers, p)})"
        met = self._fn(
            f"duty_{mangle(d.name)}_met",
            params,
            test,
            f"{title}: whether {d.name} is met.",
            d.case,
            d.span,
            f"duty {d.name}",
        )
        failing = d.failing.name if d.failing is not None else None
        return (
            f"DutyInfo(name={d.name!r}, case={d.case!r}, phases={literal(d.phases)}, domain={domain}, met={met}, "
            f"var={d.var!r}, failing={failing!r}, type={member_text(d.domain)!r}),"
        )

    def _triggers(self) -> list[str]:
        return [self.e.chunk((t,), partial(self._triggers_row, t)) for t in self.book.triggers]

    def _triggers_row(self, t: c.Trigger) -> str:
        p = self.e.printer()
        guard = "None"
        if t.guard is not None or t.waivers:
            params = ", ".join(["S", *(mangle(x.name) for x in t.params)])
            text = p(t.guard) if t.guard is not None else "True"
            if t.waivers:
                text = f"({text} and not {waived(t.waivers, p)})"
            guard = self._fn(
                mangle(t.id, "when"),
                params,
                text,
                f"{self.e.title(t.case)}: when it happens.",
                t.case,
                t.span,
                f"trigger {t.id}",
            )
        event = ("soon", "") if t.event[0] == "soon" else t.event
        positions = self._positions(t)
        return (
            f"TriggerInfo(id={t.id!r}, case={t.case!r}, event={literal(event)}, params={literal(tuple(x.name for x in t.params))}, "
            f"positions={literal(positions)}, guard={guard}, procedure={t.procedure.name!r}),"
        )

    def _positions(self, t: c.Trigger) -> tuple[int, ...]:
        target = self.book.actions.get(t.event[1])
        params = target.params if target is not None else None
        if params is None and t.event[1] in self.book.procedures:
            params = self.book.procedures[t.event[1]].params
        names = [x.name for x in params] if params is not None and t.event[0] in ("happens", "before") else []
        return tuple(names.index(x.name) if x.name in names else i for i, x in enumerate(t.params))

    def _procedures(self) -> list[str]:
        facts = self.e.stirs.facts
        return [self.e.chunk((low, facts(low)), partial(self._procedures_row, low)) for low in self.e.lowered.values()]

    def _procedures_row(self, low: Lowered) -> str:
        steps = self.e.blocks(low)
        wrappers = []
        for name, guard in low.wrappers:
            fn = "None"
            if guard is not None:
                p = self.e.printer()
                params = ", ".join(
                    ["S", *(mangle(x.name) for x in low.params), *(["actor"] if low.sort == "action" else [])]
                )
                fn = self._fn(
                    mangle(name, "when"), params, p(guard), f"When {name} applies.", low.case, guard.span, name
                )
            wrappers.append(f"({name!r}, {fn})")
        params_ = tuple(x.name for x in low.params)
        name = low.name
        public = name.removeprefix("action ")
        return (
            f"{name!r}: ProcedureInfo(name={public!r}, case={low.case!r}, sort={low.sort!r}, params={literal(params_)}, "
            f"blocks=({', '.join(steps.names)},), wrappers=({', '.join(wrappers)}{',' if wrappers else ''}), "
            f"straight={steps.straight and self.e.stirs.unheard(public) and not wrappers}),"
        )

    def _invariants(self) -> list[str]:
        return [self.e.chunk((i,), partial(self._invariants_row, i)) for i in self.book.invariants.values()]

    def _invariants_row(self, i: c.Invariant) -> str:
        p = self.e.printer()
        fn = self._fn(
            f"invariant_{mangle(i.name)}",
            "S",
            p(i.test),
            f"{self.e.title(i.case)}: {i.name} always holds.",
            i.case,
            i.span,
            f"invariant {i.name}",
        )
        return f"({i.name!r}, {i.case!r}, {fn}),"

    def _scenarios(self) -> list[str]:
        index = {name: i for i, name in enumerate(self.book.places)}
        units = {u.name: i for i, u in enumerate(self.book.units)}
        found = []
        for s in self.book.scenarios.values():
            placed = {units[u]: index[self._named(p)] for u, p in s.units.items()}
            found.append(
                f"{s.name!r}: ScenarioInfo(title={s.title!r}, case={s.case!r}, sequence={s.sequence!r}, "
                f"units={literal(dict(sorted(placed.items())))}, marks={literal(s.marks)}),"
            )
        return found

    def _named(self, place: str) -> str:
        if self.book.map is not None and place in self.book.map.names:
            return self.book.map.names[place]
        return place

    def _values(self) -> list[str]:
        """Definitions and memories that can be asked from outside, with the types of what they take and give."""

        def row(d: c.Definition) -> str:
            types = tuple(type_text(x.type, self.book) for x in d.params)
            name = mangle(d.name, "past" if d.sort == "memory" else "d")
            return f"{d.name!r}: ({name}, {literal(types)}, {type_text(asked_type(self.book, d), self.book)!r}, {d.case!r}),"

        asked = (d for d in self.book.definitions.values() if d.sort in ASKED_FOR)
        return [self.e.room.work(("value", d), partial(row, d)) for d in asked]


def asked_type(book: c.Book, d: c.Definition) -> Type:
    """What asking for a definition gives, or for what is remembered: how often a flag held is a number."""
    return NUMBER if d.sort == "memory" and book.memories[d.name].how == "counting" else d.type


def key_of(m: c.Memory) -> str:
    """What the only key of a memory is, where that is a unit or a place."""
    types = [p.type.plain.name for p in m.definition.params]
    return types[0] if types in (["unit"], ["place"]) else ""


def wrap(name: str, rows: list[str], sort: str) -> str:
    left, right = ("(", ")") if sort == "tuple" else ("{", "}")
    return "\n    ".join([f"{name}={left}", *("    " + r.rstrip() for r in rows), f"{right},"])


def said(r: c.Rule) -> str:
    """What a rule without a label is called: its own words."""
    if r.label:
        return r.label
    text = " ".join(r.test.span.text.split())
    return f"needs {text}" if r.sort == "require" else text


def waiver_names(w: c.Waiver) -> set[str]:
    found = {str(e.info) for e in w.guard.walk() if e.op == "local"} if w.guard is not None else set()
    for x in w.waivers:
        found |= waiver_names(x)
    return found


def member_of(r: c.Rule, params: tuple[c.Param, ...], level: int) -> tuple[str, int] | None:
    """The set parameter of which this rule is a test of single members: what refuses one refuses every set with it."""
    if level == 0 or r.guard is not None or r.waivers:
        return None
    param = params[level - 1]
    if not param.type.many:
        return None
    parts = conjuncts(r.test) if r.sort == "require" else disjuncts(r.test)
    for part in parts:
        base = part.args[0] if part.args else None
        wanted = "every" if r.sort == "require" else "any"
        if part.op == wanted and base is not None and holds(base, param.name):
            others = {str(e.info) for e in part.args[1].walk() if e.op == "local"} if len(part.args) > 1 else set()
            if param.name not in others:
                continue
        if param.name in {str(e.info) for e in part.walk() if e.op == "local"}:
            return None
    return (param.name, level - 1)


def holds(base: c.Expr, name: str) -> bool:
    """Whether a set is this parameter, or a union with it."""
    if base.op == "local":
        return bool(base.info == name)
    return base.op == "union" and any(holds(a, name) for a in base.args)


def disjuncts(e: c.Expr) -> list[c.Expr]:
    return [*disjuncts(e.args[0]), *disjuncts(e.args[1])] if e.op == "or" else [e]
