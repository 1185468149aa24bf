"""Build the nodes of declarations: cases, types, data, state, definitions, routes and matchings.

In:  trees of Lark, one method a grammar rule, named as the rule.
Out: syntax nodes.
"""

from __future__ import annotations

from functools import reduce

from lark import Token, Tree

from .. import nodes as n
from ..source import Span
from .base import Building, GivenTwice, Item, goes_on, strip_comment, text_or_none, unquote
from .braces import pieces


class Declarations(Building):
    # ------------------------------------------------------------ frame

    def x_book(self, t: Item, c: list[Item], s: Span) -> n.Book:
        on, without = text_or_none(c[1]), text_or_none(c[2])
        return n.Book(name=str(c[0]), on=on, without=without, title=unquote(c[3]), date=unquote(c[4]), span=s)

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
        def in_line(tree: Tree[Token], row: int, column: int) -> n.Expr:
            line = self.text.split("\n")[row - 1]
            made: n.Expr = type(self)(self.origin, line[column - 1 :], row, column)(tree.children[0])
            return made

        return n.Log(pieces=pieces(c[0], in_line), span=s)

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
