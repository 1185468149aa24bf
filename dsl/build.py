"""Build syntax nodes from Lark's trees: one method a grammar rule, named as the rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Any

from lark import Token, Tree

from . import nodes as n
from .source import Origin, Span

Item = Any


class GivenTwice(Exception):
    """A second line of a sort that a declaration holds once."""

    def __init__(self, word: str, span: Span) -> None:
        super().__init__(word)
        self.word, self.span = word, span


def build(tree: Tree[Token], origin: Origin) -> tuple[n.Decl, ...]:
    """The declarations of one parsed block."""
    return tuple(Builder(origin).every(tree.children))


def build_expression(tree: Tree[Token], origin: Origin) -> n.Expr:
    """One parsed expression."""
    found: n.Expr = Builder(origin)(tree.children[0])
    return found


class Builder:
    def __init__(self, origin: Origin) -> None:
        self.origin = origin

    def __call__(self, item: Item) -> Item:
        if isinstance(item, Tree):
            item.data = str(item.data)
            method: Callable[[Tree[Token], list[Item], Span], Item] = getattr(self, "x_" + item.data)
            return method(item, item.children, self.span(item))
        return item

    def every(self, items: list[Item]) -> list[Item]:
        return [self(i) for i in items if i is not None]

    def span(self, item: Tree[Token] | Token) -> Span:
        if isinstance(item, Token):
            row, column = item.line or 1, item.column or 1
            return Span(self.origin, row, column, item.end_line or row, item.end_column or column)
        meta = item.meta
        if meta.empty:
            return Span(self.origin, 1, 1, 1, 1)
        end_row, end_column = meta.end_line, meta.end_column
        if end_column == 1 or end_row > meta.line:
            # A node that ends with its line would reach into the next one: keep to the last text.
            end_row, end_column = self._trim(meta.line, meta.column, meta.start_pos, meta.end_pos)
        return Span(self.origin, meta.line, meta.column, end_row, end_column)

    def _trim(self, row: int, column: int, start: int, end: int) -> tuple[int, int]:
        text = self.origin.text[start:end].rstrip()
        lines = text.split("\n")
        kept = [line for line in lines if not line.lstrip().startswith("#")] or lines[:1]
        last = len(lines) - 1 - next((i for i, x in enumerate(reversed(lines)) if x in kept), 0)
        width = len(lines[last].rstrip())
        return row + last, (column + width) if last == 0 else width + 1

    # ------------------------------------------------------------ frame

    def x_book(self, t: Item, c: list[Item], s: Span) -> n.Book:
        return n.Book(name=str(c[0]), on=text_or_none(c[1]), title=unquote(c[2]), span=s)

    def x_use(self, t: Item, c: list[Item], s: Span) -> n.Use:
        return n.Use(name=str(c[0]), span=s)

    def x_case(self, t: Item, c: list[Item], s: Span) -> n.Case:
        sort, already = self(c[2]) or ("", False)
        return n.Case(
            id=str(c[0]), title=unquote(c[1]), sort=sort, already=already, body=tuple(self.every(c[3:])), span=s
        )

    def x_nature(self, t: Item, c: list[Item], s: Span) -> tuple[str, bool]:
        """`nature: change`, or `nature: change, already in text`."""
        sort, _, rest = strip_comment(str(c[0])).partition(":")[2].partition(",")
        already = " ".join(rest.split()) == "already in text"
        return " ".join(sort.split()) + ("" if already or not rest else f",{rest}"), already

    def x_note(self, t: Item, c: list[Item], s: Span) -> n.Note:
        return n.Note(text=unquote(c[0]), span=s)

    def x_log(self, t: Item, c: list[Item], s: Span) -> n.Log:
        return n.Log(text=unquote(c[0]), span=s)

    def x_covers(self, t: Item, c: list[Item], s: Span) -> n.Covers:
        return n.Covers(cases=tuple(map(str, c)), span=s)

    def x_house(self, t: Item, c: list[Item], s: Span) -> n.House:
        return n.House(decl=self(c[0]), span=s)

    def x_unclear(self, t: Item, c: list[Item], s: Span) -> n.Unclear:
        return n.Unclear(name=str(c[0]), text=unquote(c[1]), readings=tuple(self.every(c[2:])), span=s)

    def x_reading(self, t: Item, c: list[Item], s: Span) -> n.Reading:
        return n.Reading(name=str(c[0]), text=unquote(c[1]), span=s)

    def x_untranslated(self, t: Item, c: list[Item], s: Span) -> n.Untranslated:
        return n.Untranslated(text=unquote(c[0]), span=s)

    def x_under(self, t: Item, c: list[Item], s: Span) -> n.Under:
        return n.Under(guard=self(c[0]), body=tuple(self.every(c[1:])), span=s)

    # ------------------------------------------------------------ types and data

    def x_kind(self, t: Item, c: list[Item], s: Span) -> n.Kind:
        return n.Kind(name=str(c[0]), values=tuple(map(str, c[1:])), span=s)

    def x_scale(self, t: Item, c: list[Item], s: Span) -> n.Scale:
        return n.Scale(name=str(c[0]), values=tuple(map(str, c[1:])), span=s)

    def x_record(self, t: Item, c: list[Item], s: Span) -> n.Record:
        return n.Record(name=str(c[0]), members=tuple(self.every(c[1:])), span=s)

    def x_member(self, t: Item, c: list[Item], s: Span) -> tuple[str, n.TypeName]:
        return str(c[0]), self(c[1])

    def x_field(self, t: Item, c: list[Item], s: Span) -> n.Field:
        *names, owner, kind, default = c
        return n.Field(names=tuple(map(str, names)), owner=str(owner), type=self(kind), default=self(default), span=s)

    def x_box(self, t: Item, c: list[Item], s: Span) -> n.Box:
        name, params, *told = c
        to, counted = told or (None, None)
        return n.Box(
            name=str(name),
            params=self(params) or (),
            sort=str(t.data),
            secret_to=self(to) if to is not None else None,
            counted=counted is not None,
            span=s,
        )

    x_cup = x_pool = x_box

    def x_table(self, t: Item, c: list[Item], s: Span) -> n.Table:
        return n.Table(name=str(c[0]), params=self(c[1]), type=self(c[2]), lines=tuple(self.every(c[3:])), span=s)

    def x_data(self, t: Item, c: list[Item], s: Span) -> n.Data:
        return n.Data(kind=str(c[0]), name=str(c[1]), title=unquote(c[2]), lines=tuple(self.every(c[3:])), span=s)

    def x_raw(self, t: Item, c: list[Item], s: Span) -> n.RawLine:
        text = strip_comment(str(c[0]))
        where = self.span(c[0])
        where = Span(where.origin, where.row, where.column, where.row, where.column + len(text))
        below: list[n.RawLine] = self.every(c[1:])
        while below and goes_on(text, below[0]):
            text = f"{text} {below.pop(0).text}"
        return n.RawLine(text=text, below=tuple(below), span=where)

    def x_type(self, t: Item, c: list[Item], s: Span) -> n.TypeName:
        inner: n.TypeName = self(c[0])
        return n.TypeName(wrap=inner.wrap, name=inner.name, absent=text_or_none(c[1]), span=s)

    def x_named_type(self, t: Item, c: list[Item], s: Span) -> n.TypeName:
        return n.TypeName(wrap=(), name=str(c[0]), span=s)

    def x_set_of(self, t: Item, c: list[Item], s: Span) -> n.TypeName:
        inner: n.TypeName = self(c[0])
        wrap = "set" if t.data == "set_of" else "list"
        return n.TypeName(wrap=(wrap, *inner.wrap), name=inner.name, span=s)

    x_list_of = x_set_of

    def x_params(self, t: Item, c: list[Item], s: Span) -> tuple[n.Param, ...]:
        return tuple(self.every(c))

    def x_param(self, t: Item, c: list[Item], s: Span) -> n.Param:
        return n.Param(name=str(c[0]), type=self(c[1]), domain=self(c[2]), span=s)

    # ------------------------------------------------------------ state

    def x_mark(self, t: Item, c: list[Item], s: Span) -> n.Mark:
        return n.Mark(
            name=str(c[0]),
            owner=str(c[1]),
            type=self(c[2]),
            start=self(c[3]),
            secret_to=self(c[4]),
            until=self(c[5]),
            span=s,
        )

    def _until(self, t: Item, c: list[Item], s: Span) -> n.Until:
        if t.data == "until_cond":
            return n.Until(sort="cond", phase="", condition=self(c[0]), span=s)
        return n.Until(sort=t.data.removeprefix("until_"), phase=str(c[0]), span=s)

    x_until_start = x_until_end = x_until_end_next = x_until_cond = _until

    def x_remember(self, t: Item, c: list[Item], s: Span) -> n.Remember:
        how = c[3]
        event = self(how.children[0]) if how.children else None
        return n.Remember(
            name=str(c[0]),
            params=self(c[1]) or (),
            type=self(c[2]),
            how=str(how.data),
            event=event,
            body=self(c[4]),
            span=s,
        )

    def x_quota(self, t: Item, c: list[Item], s: Span) -> n.Quota:
        per = tuple(str(x) for x in c[2:-1])
        return n.Quota(name=str(c[0]), params=self(c[1]) or (), per=per, body=self(c[-1]), span=s)

    def x_grow(self, t: Item, c: list[Item], s: Span) -> n.Grow:
        return n.Grow(
            name=str(c[0]), params=self(c[1]) or (), type=self(c[2]), domain=self(c[3]), test=self(c[4]), span=s
        )

    # ------------------------------------------------------------ definitions

    def x_define(self, t: Item, c: list[Item], s: Span) -> n.Define:
        return n.Define(
            name=str(c[0]),
            params=self(c[1]) or (),
            type=self(c[2]),
            body=self(c[3]),
            gathered=t.data == "gather",
            span=s,
        )

    x_gather = x_define

    def x_add(self, t: Item, c: list[Item], s: Span) -> n.Add:
        name, facet = self(c[0])
        return n.Add(name=name, facet=facet, stage=text_or_none(c[1]), body=self(c[2]), span=s)

    def x_contribution(self, t: Item, c: list[Item], s: Span) -> n.Body:
        parts = self.every(c)
        return n.Body(
            lets=tuple(p for p in parts if isinstance(p, n.Let)),
            clauses=tuple(p for p in parts if isinstance(p, n.Clause)),
            span=s,
        )

    def x_op_clause(self, t: Item, c: list[Item], s: Span) -> n.Clause:
        clause: n.Clause = self(c[-1])
        operation = next((str(x) for x in c[:-1] if x is not None), "")
        return n.Clause(value=clause.value, guard=clause.guard, last=clause.last, operation=operation, span=clause.span)

    def x_except_(self, t: Item, c: list[Item], s: Span) -> n.Except:
        return n.Except(target=self(c[0]), body=self(c[1]), span=s)

    def x_targets(self, t: Item, c: list[Item], s: Span) -> n.Target:
        *cases, dotted = c
        name, facet = self(dotted) or (None, None)
        return n.Target(cases=tuple(map(str, cases)), name=name, facet=facet, span=s)

    x_target = x_targets

    def x_dotted(self, t: Item, c: list[Item], s: Span) -> tuple[str, str | None]:
        return str(c[0]), text_or_none(self(c[1]))

    def x_f_from(self, t: Item, c: list[Item], s: Span) -> str:
        return str(t.data.removeprefix("f_"))

    x_f_to = x_f_from

    def x_body(self, t: Item, c: list[Item], s: Span) -> n.Body:
        parts = self.every(c)
        stages = next((p for p in parts if isinstance(p, tuple)), ())
        return n.Body(
            lets=tuple(p for p in parts if isinstance(p, n.Let)),
            clauses=tuple(p for p in parts if isinstance(p, n.Clause)),
            stages=stages,
            span=s,
        )

    def x_stages(self, t: Item, c: list[Item], s: Span) -> tuple[n.Stage, ...]:
        return tuple(self.every(c))

    def x_stage(self, t: Item, c: list[Item], s: Span) -> n.Stage:
        return n.Stage(name=str(c[0]), rules=tuple(self.every(c[1:])), span=s)

    def x_rounded(self, t: Item, c: list[Item], s: Span) -> n.StageRule:
        return n.StageRule(sort="round", value=str(c[0]), span=s)

    def x_only_once(self, t: Item, c: list[Item], s: Span) -> n.StageRule:
        return n.StageRule(sort="once", value=None, span=s)

    def x_capped(self, t: Item, c: list[Item], s: Span) -> n.StageRule:
        return n.StageRule(sort="most" if t.data == "capped" else "least", value=self(c[0]), span=s)

    x_floored = x_capped

    def x_clause(self, t: Item, c: list[Item], s: Span) -> n.Clause:
        guard = self(c[1]) if len(c) > 1 else None
        return n.Clause(value=self(c[0]), guard=guard, last=t.data == "otherwise", span=s)

    x_otherwise = x_clause

    def x_guard(self, t: Item, c: list[Item], s: Span) -> n.Expr:
        guard: n.Expr = self(c[0])
        return guard

    x_guard_all = x_guard
    x_when_line = x_guard

    def _joined(self, op: str, items: list[Item], s: Span) -> n.Expr:
        joined: n.Expr = reduce(lambda a, b: n.Binary(op=op, left=a, right=b, span=s), self.every(items))
        return joined

    def x_conds(self, t: Item, c: list[Item], s: Span) -> n.Expr:
        return self._joined("and", c, s)

    def x_label(self, t: Item, c: list[Item], s: Span) -> str | None:
        return text_or_none(c[0]) if c else None

    def _rule(self, sort: str, target: str | None, rest: list[Item], s: Span) -> n.Rule:
        label, *tests = rest
        if sort == "require":
            pairs = tuple(self(x) for x in tests)
        else:
            pairs = ((None, self(tests[0]) if tests else None),)
        return n.Rule(sort=sort, target=target, label=self(label), tests=pairs, span=s)

    def x_forbid(self, t: Item, c: list[Item], s: Span) -> n.Rule:
        return self._rule(t.data, str(c[0]), c[1:], s)

    x_require = x_stop = x_forbid

    def x_own_forbid(self, t: Item, c: list[Item], s: Span) -> n.Rule:
        return self._rule(t.data.removeprefix("own_"), None, c, s)

    x_own_require = x_own_stop = x_own_forbid

    def x_required(self, t: Item, c: list[Item], s: Span) -> tuple[n.Expr, n.Expr | None]:
        return self(c[0]), self(c[1]) if len(c) > 1 else None

    def x_waive(self, t: Item, c: list[Item], s: Span) -> n.Waive:
        cases = tuple(str(x) for x in c if isinstance(x, Token))
        dotted = next((x for x in c if isinstance(x, Tree) and x.data == "dotted"), None)
        guard = next((x for x in c if isinstance(x, Tree) and x.data.startswith("guard")), None)
        name, facet = self(dotted) or (None, None)
        return n.Waive(target=n.Target(cases=cases, name=name, facet=facet, span=s), guard=self(guard), span=s)

    def x_duty(self, t: Item, c: list[Item], s: Span) -> n.Duty:
        name, var, domain, *rest = c
        failing = rest.pop()
        phases = tuple(str(x) for x in rest if isinstance(x, Token))
        conds = [x for x in rest if isinstance(x, Tree)]
        return n.Duty(
            name=str(name),
            var=text_or_none(var),
            domain=self(domain),
            phases=phases,
            test=self._joined("and", conds, s),
            failing=self(failing),
            span=s,
        )

    def x_failing(self, t: Item, c: list[Item], s: Span) -> tuple[n.Stmt, ...]:
        body: tuple[n.Stmt, ...] = self(c[0])
        return body

    def x_invariant(self, t: Item, c: list[Item], s: Span) -> n.Invariant:
        return n.Invariant(name=str(c[0]), test=self._joined("and", c[1:], s), span=s)

    # ------------------------------------------------------------ routes and matchings

    def _once(self, lines: list[tuple[Item, str]]) -> None:
        """Stop at the second of two lines of which a declaration holds one."""
        words = [word for _, word in lines]
        for i, (item, word) in enumerate(lines):
            if word in words[:i]:
                raise GivenTwice(word, self.span(item))

    def x_route(self, t: Item, c: list[Item], s: Span) -> n.Route:
        parts = self.every(c[3:])
        self._once([(x, "legs") for x, p in zip(c[3:], parts, strict=True) if isinstance(p, tuple)])
        return n.Route(
            name=str(c[0]),
            params=self(c[1]),
            like=text_or_none(c[2]),
            facets=tuple(p for p in parts if isinstance(p, n.Facet)),
            legs=next((p for p in parts if isinstance(p, tuple)), ()),
            rules=tuple(p for p in parts if isinstance(p, n.Rule)),
            span=s,
        )

    def x_facet(self, t: Item, c: list[Item], s: Span) -> n.Facet:
        name = str(c[0]) if t.data == "facet" else t.data.removeprefix("facet_")
        return n.Facet(name=name, body=self(c[-1]), span=s)

    x_facet_from = x_facet_to = x_facet

    def x_legs(self, t: Item, c: list[Item], s: Span) -> tuple[n.Leg, ...]:
        return tuple(self.every(c))

    def x_leg_one(self, t: Item, c: list[Item], s: Span) -> n.Leg:
        return n.Leg(sort=t.data.removeprefix("leg_"), call=self(c[0]), span=s)

    x_leg_maybe = x_leg_repeat = x_leg_one

    def x_matching(self, t: Item, c: list[Item], s: Span) -> n.Matching:
        name, params, item, items, *rest = c
        groups = isinstance(rest[0], Token) and rest[0].type == "GROUPS"
        if groups:
            rest.pop(0)
        target, targets, *facets = rest
        parts = self.every(facets)
        lines = [(x, p[0]) for x, p in zip(facets, parts, strict=True) if isinstance(p, tuple)]
        self._once([(x, str(word).replace("_", " ")) for x, word in lines])
        extra = {p[0]: p[1] for p in parts if isinstance(p, tuple)}
        return n.Matching(
            name=str(name),
            params=self(params),
            item=str(item),
            items=self(items),
            target=str(target),
            targets=self(targets),
            groups=groups,
            rules=tuple(p for p in parts if isinstance(p, n.Rule)),
            idle=extra.get("idle"),
            empty=extra.get("empty"),
            more_helps="more_helps" in extra,
            span=s,
        )

    def x_may_idle(self, t: Item, c: list[Item], s: Span) -> tuple[str, n.Expr]:
        name = {"may_idle": "idle", "may_be_empty": "empty"}[t.data]
        return name, self(c[0]) if c else n.Literal(sort="flag", value=True, span=s)

    x_may_be_empty = x_may_idle

    def x_more_helps(self, t: Item, c: list[Item], s: Span) -> tuple[str, None]:
        return "more_helps", None

    # ------------------------------------------------------------ play

    def x_action(self, t: Item, c: list[Item], s: Span) -> n.Action:
        name, params, by, timing, *rest = c
        guards = tuple(self(x) for x in rest if x.data == "when_line")
        body = tuple(self(x) for x in rest if x.data != "when_line")
        phases = tuple(map(str, timing.children)) if timing.data == "timing" else ()
        return n.Action(
            name=str(name), params=self(params), by=self(by), phases=phases, guards=guards, body=body, span=s
        )

    def x_procedure(self, t: Item, c: list[Item], s: Span) -> n.Procedure:
        params = self(c[1]) if t.data == "procedure" else None
        return n.Procedure(name=str(c[0]), params=params or (), body=self(c[-1]), sequence=t.data == "sequence", span=s)

    x_sequence = x_procedure

    def x_on(self, t: Item, c: list[Item], s: Span) -> n.Trigger:
        return n.Trigger(
            event=self(c[0]), condition=None, after=text_or_none(c[1]), guard=self(c[2]), body=self(c[3]), span=s
        )

    def x_soon(self, t: Item, c: list[Item], s: Span) -> n.Trigger:
        return n.Trigger(event=None, condition=self(c[0]), after=None, guard=None, body=self(c[1]), span=s)

    def _event(self, t: Item, c: list[Item], s: Span) -> n.Event:
        sort = {"at_start": "start", "at_end": "end", "at_change": "change", "happening": "happens"}
        return n.Event(
            sort=sort.get(t.data, "before"),
            name=str(c[0]),
            params=tuple(str(x) for x in c[1:] if x is not None),
            span=s,
        )

    x_at_start = x_at_end = x_at_change = x_happening = x_announced = _event

    def x_block(self, t: Item, c: list[Item], s: Span) -> tuple[n.Stmt, ...]:
        return tuple(self.every(c))

    def x_let(self, t: Item, c: list[Item], s: Span) -> n.Let:
        return n.Let(name=str(c[0]), value=self(c[1]), span=s)

    def x_set_(self, t: Item, c: list[Item], s: Span) -> n.SetMark:
        return n.SetMark(what=self(c[0]), value=self(c[1]), clear=False, span=s)

    def x_clear(self, t: Item, c: list[Item], s: Span) -> n.SetMark:
        return n.SetMark(what=self(c[0]), value=None, clear=True, span=s)

    def x_put(self, t: Item, c: list[Item], s: Span) -> n.Put:
        return n.Put(what=self(c[0]), place=self(c[1]), span=s)

    def x_walk(self, t: Item, c: list[Item], s: Span) -> n.Walk:
        return n.Walk(what=self(c[0]), path=self(c[1]), span=s)

    def x_roll(self, t: Item, c: list[Item], s: Span) -> n.Roll:
        return n.Roll(name=str(c[0]), dice=self(c[1]), span=s)

    def x_draw(self, t: Item, c: list[Item], s: Span) -> n.Draw:
        return n.Draw(name=str(c[0]), source=self(c[1]), secretly_for=self(c[2]), span=s)

    def x_secretly_for(self, t: Item, c: list[Item], s: Span) -> n.Expr:
        return self.x_guard(t, c, s)

    def x_do(self, t: Item, c: list[Item], s: Span) -> n.Do:
        return n.Do(call=self(c[0]), span=s)

    def x_spend(self, t: Item, c: list[Item], s: Span) -> n.Spend:
        if c[1] is None:
            return n.Spend(amount=None, quota=self(c[0]), span=s)
        return n.Spend(amount=self(c[0]), quota=self(c[1]), span=s)

    def _simple(self, t: Item, c: list[Item], s: Span) -> n.Simple:
        return n.Simple(sort=t.data, value=self(c[0]), span=s)

    x_reveal = x_win = x_halt = _simple

    def x_skip(self, t: Item, c: list[Item], s: Span) -> n.PhaseChange:
        return n.PhaseChange(sort=t.data, phase=str(c[0]), guard=self(c[1]), span=s)

    x_again = x_skip

    def x_offer(self, t: Item, c: list[Item], s: Span) -> n.Offer:
        side, sort, *actions = c
        return n.Offer(side=self(side), sort=str(sort or ""), actions=tuple(self.every(actions)), span=s)

    def x_offered(self, t: Item, c: list[Item], s: Span) -> n.Offered:
        return n.Offered(action=str(c[0]), guard=self(c[1]), span=s)

    def x_ask(self, t: Item, c: list[Item], s: Span) -> n.Ask:
        asked: n.Ask = self(c[0])
        return replace(asked, span=s, so_that=self(c[1]) if len(c) > 1 else None)

    def x_ask_for(self, t: Item, c: list[Item], s: Span) -> n.Ask:
        side, secret, amount, name, source, howmany = c
        return n.Ask(
            side=self(side),
            secret=secret is not None,
            sort=str(amount.data),
            name=str(name),
            source=self(source),
            limit=str(howmany.data) if howmany is not None else "",
            number=self(howmany.children[0]) if howmany is not None else None,
            so_that=None,
            span=s,
        )

    def x_ask_shares(self, t: Item, c: list[Item], s: Span) -> n.Ask:
        side, secret, name, number, source = c
        return n.Ask(
            side=self(side),
            secret=secret is not None,
            sort="shares",
            name=str(name),
            source=self(source),
            limit="exactly",
            number=self(number),
            so_that=None,
            span=s,
        )

    def x_ask_whether(self, t: Item, c: list[Item], s: Span) -> n.Ask:
        return n.Ask(
            side=self(c[0]),
            secret=c[1] is not None,
            sort="whether",
            name=str(c[2]),
            source=None,
            limit="",
            number=None,
            so_that=None,
            span=s,
        )

    def x_ask_else(self, t: Item, c: list[Item], s: Span) -> n.Ask:
        asked: n.Ask = self(c[0])
        return replace(asked, failing=self(c[1]))

    def x_make(self, t: Item, c: list[Item], s: Span) -> n.Make:
        name, pool, place, *marks = c
        bears = tuple(self.every([x for x in marks if x is not None]))
        return n.Make(name=str(name), pool=self(pool), place=self(place), bears=bears, span=s)

    def x_bearing(self, t: Item, c: list[Item], s: Span) -> n.Bearing:
        return n.Bearing(mark=str(c[0]), value=self(c[1]), span=s)

    def x_make_else(self, t: Item, c: list[Item], s: Span) -> n.Make:
        made: n.Make = self(c[0])
        return replace(made, failing=self(c[1]))

    def x_if_(self, t: Item, c: list[Item], s: Span) -> n.If:
        test, body, *rest = c
        otherwise = rest.pop()
        branches = [(self(test), self(body)), *(self(x) for x in rest)]
        return n.If(branches=tuple(branches), otherwise=self(otherwise) or (), span=s)

    def x_elif_(self, t: Item, c: list[Item], s: Span) -> tuple[n.Expr, tuple[n.Stmt, ...]]:
        return self(c[0]), self(c[1])

    def x_else_(self, t: Item, c: list[Item], s: Span) -> tuple[n.Stmt, ...]:
        return self.x_failing(t, c, s)

    def x_for_(self, t: Item, c: list[Item], s: Span) -> n.ForEach:
        return n.ForEach(var=str(c[0]), source=self(c[1]), body=self(c[2]), span=s)

    def x_repeat(self, t: Item, c: list[Item], s: Span) -> n.Repeat:
        return n.Repeat(most=self(c[0]), condition=self(c[1]), body=self(c[2]), span=s)

    def x_match(self, t: Item, c: list[Item], s: Span) -> n.Match:
        value, *arms = c
        rest = arms.pop()
        return n.Match(
            value=self(value), arms=tuple(self.every(arms)), otherwise=self(rest) if rest is not None else None, span=s
        )

    def x_is_(self, t: Item, c: list[Item], s: Span) -> tuple[tuple[n.Expr, ...], tuple[n.Stmt, ...]]:
        *values, body = c
        return tuple(self.every(values)), self(body)

    def x_match_rest(self, t: Item, c: list[Item], s: Span) -> tuple[n.Stmt, ...]:
        return self.x_failing(t, c, s)

    def x_together(self, t: Item, c: list[Item], s: Span) -> n.Together:
        return n.Together(body=self(c[0]), span=s)

    def x_phase(self, t: Item, c: list[Item], s: Span) -> n.Phase:
        return n.Phase(
            name=str(c[0]), var=text_or_none(c[1]), source=self(c[2]), guard=self(c[3]), body=self(c[4]), span=s
        )

    # ------------------------------------------------------------ overlays, examples

    def x_instead(self, t: Item, c: list[Item], s: Span) -> n.Instead:
        return n.Instead(target=self(c[0]), guard=self(c[1]), body=self(c[2]), span=s)

    def x_overlay(self, t: Item, c: list[Item], s: Span) -> n.Overlay:
        sort, name, of, title, *rest = c
        parts = self.every(rest)
        return n.Overlay(
            sort=str(sort),
            name=str(name),
            of=str(of),
            title=unquote(title),
            heads=tuple(p for p in parts if isinstance(p, n.RawLine)),
            body=tuple(p for p in parts if not isinstance(p, n.RawLine)),
            span=s,
        )

    def x_head(self, t: Item, c: list[Item], s: Span) -> n.RawLine:
        key, _, value = strip_comment(str(c[0])).partition(":")
        return n.RawLine(text=f"{key.strip()}: {value.strip()}", below=(), span=s)

    def x_amend(self, t: Item, c: list[Item], s: Span) -> n.Amend:
        times = int(str(c[1])) if c[1] is not None else 1
        return n.Amend(target=self(c[0]), times=times, old=self(c[2]), new=self(c[3]), span=s)

    def x_amend_hex(self, t: Item, c: list[Item], s: Span) -> n.AmendPrinted:
        unit = t.data == "amend_unit"
        thing = str(c[0])[1:-1] if unit else str(c[0]).removeprefix("@")
        where = str(c[2]) if unit and c[2] is not None else None
        old, new = self(c[-2]), self(c[-1])
        return n.AmendPrinted(thing=thing, unit=unit, field=str(c[1]), scenario=where, old=old, new=new, span=s)

    x_amend_unit = x_amend_hex

    def x_strike(self, t: Item, c: list[Item], s: Span) -> n.Strike:
        return n.Strike(target=self(c[0]), dropping=self(c[1]) or (), span=s)

    def x_dropping(self, t: Item, c: list[Item], s: Span) -> tuple[str, ...]:
        return tuple(map(str, c))

    x_keeping = x_dropping

    def x_strike_example(self, t: Item, c: list[Item], s: Span) -> n.Strike:
        target = n.Target(cases=(str(c[0]),), name=None, span=s)
        return n.Strike(target=target, example=unquote(c[1]), span=s)

    def x_replace_rows(self, t: Item, c: list[Item], s: Span) -> n.Rows:
        act = t.data.removesuffix("_rows")
        return n.Rows(act=act, what=str(c[0]), target=self(c[1]), lines=tuple(self.every(c[2:])), span=s)

    x_strike_rows = x_insert_rows = x_replace_rows

    def x_replace(self, t: Item, c: list[Item], s: Span) -> n.Replace:
        keeping, dropping = (self(x) or () for x in c[1:3])
        return n.Replace(target=self(c[0]), decl=self(c[3]), keeping=keeping, dropping=dropping, span=s)

    def x_rename(self, t: Item, c: list[Item], s: Span) -> n.Rename:
        return n.Rename(target=self(c[0]), new=str(c[1]), span=s)

    def x_move_case(self, t: Item, c: list[Item], s: Span) -> n.MoveCase:
        return n.MoveCase(old=str(c[0]), new=str(c[1]), span=s)

    def x_insert_before(self, t: Item, c: list[Item], s: Span) -> n.Insert:
        where = t.data.removeprefix("insert_").removesuffix("_phase")
        return n.Insert(where=where, phase=str(c[0]), body=self(c[1]) if len(c) > 1 else (), span=s)

    x_insert_after = x_insert_into = x_replace_phase = x_strike_phase = x_insert_before

    def x_example(self, t: Item, c: list[Item], s: Span) -> n.Example:
        return n.Example(title=unquote(c[0]), lines=tuple(self.every(c[1:])), span=s)

    def _example_line(self, t: Item, c: list[Item], s: Span) -> n.ExampleLine:
        values = tuple(self(x) for x in c if isinstance(x, Tree))
        words = tuple(str(x) for x in c if isinstance(x, Token))
        return n.ExampleLine(sort=t.data, values=values, words=words, span=s)

    x_given_is = x_given_during = x_given_scenario = x_dice = x_draws = x_play = x_run = _example_line
    x_expect = x_expect_asked = x_expect_quiet = x_expect_conflict = x_refused = x_legal = _example_line

    def x_given_at(self, t: Item, c: list[Item], s: Span) -> n.ExampleLine:
        values = tuple(v for pair in c for v in self.every(pair.children))
        return n.ExampleLine(sort="given_at", values=values, span=s)

    # ------------------------------------------------------------ expressions

    def _binary(self, op: str) -> Callable[[Item, list[Item], Span], n.Binary]:
        return lambda t, c, s: n.Binary(op=op, left=self(c[0]), right=self(c[1]), span=s)

    def x_or_(self, t: Item, c: list[Item], s: Span) -> n.Binary:
        return self._binary("or")(t, c, s)

    def x_and_(self, t: Item, c: list[Item], s: Span) -> n.Binary:
        return self._binary("and")(t, c, s)

    def x_eq(self, t: Item, c: list[Item], s: Span) -> n.Binary:
        return self._binary("=")(t, c, s)

    def x_in_(self, t: Item, c: list[Item], s: Span) -> n.Binary:
        return self._binary("in")(t, c, s)

    def x_plus(self, t: Item, c: list[Item], s: Span) -> n.Binary:
        return self._binary("+")(t, c, s)

    def x_minus(self, t: Item, c: list[Item], s: Span) -> n.Binary:
        return self._binary("-")(t, c, s)

    def x_times(self, t: Item, c: list[Item], s: Span) -> n.Binary:
        return self._binary("*")(t, c, s)

    def x_over(self, t: Item, c: list[Item], s: Span) -> n.Binary:
        return self._binary("/")(t, c, s)

    def x_cmp(self, t: Item, c: list[Item], s: Span) -> n.Binary:
        return n.Binary(op=str(c[1]), left=self(c[0]), right=self(c[2]), span=s)

    def x_not_in(self, t: Item, c: list[Item], s: Span) -> n.Unary:
        return n.Unary(op="not", value=self.x_in_(t, c, s), span=s)

    def x_not_(self, t: Item, c: list[Item], s: Span) -> n.Unary:
        op = {"not_": "not", "neg": "-"}.get(t.data, t.data)
        return n.Unary(op=op, value=self(c[0]), span=s)

    x_neg = x_since = x_before = x_not_

    def x_is_trait(self, t: Item, c: list[Item], s: Span) -> n.IsTrait:
        return n.IsTrait(value=self(c[0]), trait=str(c[1]), span=s)

    def x_is_not_trait(self, t: Item, c: list[Item], s: Span) -> n.Unary:
        return n.Unary(op="not", value=self.x_is_trait(t, c, s), span=s)

    def x_within(self, t: Item, c: list[Item], s: Span) -> n.Within:
        return n.Within(value=self(c[0]), reach=self(c[1]), of=self(c[2]), span=s)

    def x_filter(self, t: Item, c: list[Item], s: Span) -> n.Filter:
        var = "it" if t.data == "filter" else str(c[1])
        return n.Filter(base=self(c[0]), var=var, test=self(c[-1]), span=s)

    x_filter_as = x_filter

    def x_any_(self, t: Item, c: list[Item], s: Span) -> n.Quantified:
        sort = t.data.removesuffix("_")
        base = self(c[0])
        if isinstance(base, n.Filter):
            return n.Quantified(sort=sort, base=base.base, var=base.var, test=base.test, span=s)
        return n.Quantified(sort=sort, base=base, var="it", test=None, span=s)

    x_no_ = x_any_

    def x_every(self, t: Item, c: list[Item], s: Span) -> n.Quantified:
        base = self(c[0])
        if t.data == "every_as":
            var = str(c[1])
        else:
            var = base.var if isinstance(base, n.Filter) else "it"
        return n.Quantified(sort="every", base=base, var=var, test=self(c[-1]), span=s)

    x_every_as = x_every

    def x_supposing(self, t: Item, c: list[Item], s: Span) -> n.Supposing:
        *changes, value = c
        return n.Supposing(changes=tuple(self.every(changes)), value=self(value), span=s)

    def x_supposed_at(self, t: Item, c: list[Item], s: Span) -> n.Change:
        return n.Change(sort=t.data.removeprefix("supposed_"), what=self(c[0]), value=self(c[1]), span=s)

    x_supposed_is = x_supposed_at

    def x_else_set(self, t: Item, c: list[Item], s: Span) -> n.Preference:
        first, last = self(c[0]), self(c[1])
        tiers = (*first.tiers, last) if isinstance(first, n.Preference) else (first, last)
        return n.Preference(tiers=tiers, span=s)

    def x_dot(self, t: Item, c: list[Item], s: Span) -> n.Dot:
        return n.Dot(base=self(c[0]), name=str(c[1]), span=s)

    def x_number(self, t: Item, c: list[Item], s: Span) -> n.Literal:
        return n.Literal(sort="number", value=int(c[0]), span=s)

    def x_ratio(self, t: Item, c: list[Item], s: Span) -> n.Literal:
        left, right = map(int, str(c[0]).split(":"))
        value = Fraction(left, right) if right else Fraction(0)
        return n.Literal(sort="ratio", value=value if right else str(c[0]), span=s)

    def x_below(self, t: Item, c: list[Item], s: Span) -> n.Literal:
        return n.Literal(sort="below", value=str(c[0]).split()[1], span=s)

    def x_date(self, t: Item, c: list[Item], s: Span) -> n.Literal:
        return n.Literal(sort="date", value=str(c[0]), span=s)

    def x_text(self, t: Item, c: list[Item], s: Span) -> n.Literal:
        return n.Literal(sort="text", value=str(c[0])[1:-1], span=s)

    def x_hex(self, t: Item, c: list[Item], s: Span) -> n.Literal:
        return n.Literal(sort="hex", value=str(c[0])[1:], span=s)

    def x_dice_lit(self, t: Item, c: list[Item], s: Span) -> n.Literal:
        count, sides = map(int, str(c[0]).split("d"))
        return n.Literal(sort="dice", value=(count, sides), span=s)

    def x_true(self, t: Item, c: list[Item], s: Span) -> n.Literal:
        return n.Literal(sort="flag", value=t.data == "true", span=s)

    x_false = x_true

    def x_name(self, t: Item, c: list[Item], s: Span) -> n.Name:
        return n.Name(id=str(c[0]), span=s)

    def x_call(self, t: Item, c: list[Item], s: Span) -> n.Call:
        arguments = []
        for item in c[1:]:
            if item is None:
                continue
            value = self(item)
            if isinstance(value, n.Argument):
                arguments.append(value)
            else:
                arguments.append(n.Argument(name=None, value=value, span=value.span))
        return n.Call(name=str(c[0]), arguments=tuple(arguments), span=s)

    def x_named_arg(self, t: Item, c: list[Item], s: Span) -> n.Argument:
        return n.Argument(name=str(c[0]), value=self(c[1]), span=s)

    def x_set_lit(self, t: Item, c: list[Item], s: Span) -> n.Collection:
        sort = {"set_lit": "set", "list_lit": "list", "span_set": "span", "span": "range"}[t.data]
        return n.Collection(sort=sort, items=tuple(self.every(c)), span=s)

    x_list_lit = x_span_set = x_span = x_set_lit

    def x_plan_lit(self, t: Item, c: list[Item], s: Span) -> n.Collection:
        sort = {"plan_lit": "plan", "shares_lit": "shares"}[t.data]
        return n.Collection(sort=sort, items=tuple(self(x) for pair in c for x in pair.children), span=s)

    x_shares_lit = x_plan_lit

    def x_count(self, t: Item, c: list[Item], s: Span) -> n.Quantified:
        return self.x_any_(t, c, s)

    def x_sum(self, t: Item, c: list[Item], s: Span) -> n.Fold:
        base = self(c[1])
        var = base.var if isinstance(base, n.Filter) else "it"
        return n.Fold(sort=t.data, base=base, var=var, value=self(c[0]), span=s)

    x_each = x_highest = x_lowest = x_sum

    def x_lowest_of(self, t: Item, c: list[Item], s: Span) -> n.Fold:
        """`lowest(a, b)` says the same as `lowest(it over {a, b})`."""
        listed = n.Collection(sort="set", items=tuple(self.every(c)), span=s)
        return n.Fold(sort=t.data.removesuffix("_of"), base=listed, var="it", value=n.Name(id="it", span=s), span=s)

    x_highest_of = x_lowest_of


def goes_on(text: str, below: n.RawLine) -> bool:
    """Whether a line of data goes on in the line below it: behind a comma, or where that is no `key: value`."""
    return not text.startswith("|") and not below.below and (text.endswith(",") or ":" not in below.text)


def unquote(quoted: Tree[Token] | None) -> str:
    """The text in quotes; one that goes on in further lines is joined by spaces."""
    return " ".join(str(piece)[1:-1] for piece in quoted.children) if quoted is not None else ""


def text_or_none(token: Item) -> str | None:
    return None if token is None else str(token)


def strip_comment(text: str) -> str:
    """A raw line without its trailing comment; a `#` inside quotes stays."""
    quoted = False
    for i, ch in enumerate(text):
        if ch == '"':
            quoted = not quoted
        elif ch == "#" and not quoted:
            return text[:i].rstrip()
    return text.rstrip()
