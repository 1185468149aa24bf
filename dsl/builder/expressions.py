"""Build the nodes of expressions.

In:  trees of Lark, one method a grammar rule, named as the rule.
Out: syntax nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .. import nodes as n
from ..source import Span
from .base import Building, Item


class Expressions(Building):
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
