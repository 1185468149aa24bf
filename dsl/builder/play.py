"""Build the nodes of actions, procedures, triggers and their statements.

In:  trees of Lark, one method a grammar rule, named as the rule.
Out: syntax nodes.
"""

from __future__ import annotations

from dataclasses import replace

from .. import nodes as n
from ..source import Span
from .base import Item, text_or_none
from .declarations import Declarations

WHEN = ("when_line", "named_when")
"""The lines of an action that are conditions."""


class Play(Declarations):
    def x_action(self, t: Item, c: list[Item], s: Span) -> n.Action:
        name, params, by, timing, *rest = c
        guards = tuple(self(x) for x in rest if x.data in WHEN)
        body = tuple(self(x) for x in rest if x.data not in WHEN)
        phases = tuple(map(str, timing.children)) if timing.data == "timing" else ()
        return n.Action(
            name=str(name), params=self(params), by=self(by), phases=phases, guards=guards, body=body, span=s
        )

    def x_when_line(self, t: Item, c: list[Item], s: Span) -> n.When:
        return n.When(label=None, test=self(c[0]), span=s)

    def x_named_when(self, t: Item, c: list[Item], s: Span) -> n.When:
        return n.When(label=str(c[0]), test=self(c[1]), span=s)

    def x_preview(self, t: Item, c: list[Item], s: Span) -> n.Preview:
        return n.Preview(action=str(c[0]), name=str(c[1]), value=self(c[2]), span=s)

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
