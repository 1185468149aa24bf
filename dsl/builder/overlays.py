"""Build the nodes of overlays, their amendments, and worked examples.

In:  trees of Lark, one method a grammar rule, named as the rule.
Out: syntax nodes.
"""

from __future__ import annotations

from lark import Token, Tree

from .. import nodes as n
from ..source import Span
from .base import Building, Item, strip_comment, unquote


class Overlays(Building):
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

    def x_doctrine(self, t: Item, c: list[Item], s: Span) -> n.Overlay:
        name, of, title, *rest = c
        parts = self.every([x for x in rest if isinstance(x, Tree)])
        return n.Overlay(
            sort="doctrine",
            name=str(name),
            of=str(of),
            title=unquote(title),
            heads=tuple(p for p in parts if isinstance(p, n.RawLine)),
            body=tuple(p for p in parts if not isinstance(p, n.RawLine)),
            sides=tuple(str(x) for x in rest if isinstance(x, Token)),
            span=s,
        )

    def x_weight(self, t: Item, c: list[Item], s: Span) -> n.Define:
        value, least, most = self.every(c[1:])
        clause = n.Clause(value=value, guard=None, last=False, span=value.span)
        return n.Define(
            name=str(c[0]),
            params=(),
            type=n.TypeName(wrap=(), name="number", span=s),
            body=n.Body(lets=(), clauses=(clause,), span=value.span),
            gathered=False,
            between=(least, most),
            span=s,
        )

    def x_prefer(self, t: Item, c: list[Item], s: Span) -> n.Prefer:
        sort, target, case, *each, guard, by = c
        return n.Prefer(
            sort=str(sort),
            target=str(target),
            case=None if case is None else str(case),
            each=tuple(self.every(each)),
            guard=self(guard),
            by=self(by),
            span=s,
        )

    def x_each_by(self, t: Item, c: list[Item], s: Span) -> tuple[str, n.Expr]:
        return str(c[0]), self(c[1])

    def x_otherwise_do(self, t: Item, c: list[Item], s: Span) -> n.Otherwise:
        return n.Otherwise(word=str(c[0]), span=s)

    def x_judge(self, t: Item, c: list[Item], s: Span) -> n.Judge:
        return n.Judge(value=self(c[0]), span=s)

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

    x_given_is = x_given_during = x_given_scenario = x_given_map = x_dice = x_draws = x_play = x_run = _example_line
    x_expect = x_expect_asked = x_expect_quiet = x_expect_conflict = x_refused = x_legal = _example_line

    def x_given_at(self, t: Item, c: list[Item], s: Span) -> n.ExampleLine:
        values = tuple(v for pair in c for v in self.every(pair.children))
        return n.ExampleLine(sort="given_at", values=values, span=s)
