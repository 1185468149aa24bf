"""Elaborate statements of procedures, actions, triggers and sequences.

In:  syntax statements and the scope they stand in.
Out: core statements.
Reports: RW220 set of something that is no mark, RW221 unknown procedure, RW222 a window offers an unknown action,
         RW224 `do usual` outside a wrapper, RW226 a match that leaves a value out, RW227 a roll whose sum is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import did_you_mean
from rulewright.dsl.print import print_expression

from ..core import nodes as c
from ..core import types as t
from ..core.nodes import Ask, Expr, Offer, Stmt
from ..core.types import Type
from ..read.symbols import Scope
from .expressions.build import Expressions
from .expressions.calls import arguments


class Statements:
    """Builds the statements of one declaration, all citing one case."""

    def __init__(self, expressions: Expressions, case: str, usual: bool = False) -> None:
        self.e = expressions
        self.book = expressions.book
        self.symbols = expressions.symbols
        self.report = expressions.report
        self.case = case
        self.usual = usual
        self.matches = 0

    def block(self, body: tuple[n.Stmt, ...], scope: Scope) -> tuple[Stmt, ...]:
        found = []
        for node in self.spelt_out(body):
            stmt, scope = self.stmt(node, scope)
            if stmt is not None:
                found.append(stmt)
        return tuple(found)

    def spelt_out(self, body: tuple[n.Stmt, ...]) -> Iterator[n.Stmt]:
        """Statements, with `roll x = 1d6 + 1` as a roll and a sum: `roll x = 1d6`, `let x = x + 1`."""
        for node in body:
            if not isinstance(node, n.Roll) or not isinstance(node.dice, n.Binary):
                yield node
                continue
            dice = [part for part in summands(node.dice) if isinstance(part, n.Literal) and part.sort == "dice"]
            itself = re.search(rf"\b{node.name}\b", print_expression(node.dice))
            if len(dice) != 1 or itself:
                said = f'asks for "{node.name}", which is its own result' if itself else "does not hold dice just once"
                self.report.error(
                    "RW227",
                    node.dice.span,
                    f"the sum of this roll {said}",
                    help="write roll NAME = 2d6 + 1; roll other dice in a line of their own, and add the two by let",
                )
                node = replace(node, dice=n.Literal(sort="dice", value=(1, 6), span=node.span))
                yield node
                continue
            yield replace(node, dice=dice[0])
            yield n.Let(name=node.name, value=with_roll(node.dice, node.name), span=node.span)

    def stmt(self, node: n.Stmt, scope: Scope) -> tuple[Stmt | None, Scope]:
        made: Stmt | None = None
        e, case, span = self.e, self.case, node.span
        match node:
            case n.Log():
                texts, values = [""], []
                for piece in node.pieces:
                    if isinstance(piece, str):
                        texts[-1] += piece
                    else:
                        values.append(e.hinted(piece, scope, None))
                        texts.append("")
                made = c.Note(tuple(texts), tuple(values), case=case, span=span)
            case n.Let():
                value = e.hinted(node.value, scope, None)
                made = c.Let(node.name, value, case=case, span=span)
                scope = scope.plus(**{node.name: value.type})
            case n.SetMark():
                made = self._set(node, scope)
            case n.Put():
                what = e.hinted(node.what, scope, None)
                if not t.fits(what.type, t.UNIT) and not t.fits(what.type, t.set_of(t.UNIT)):
                    self.report.error(
                        "RW211",
                        node.what.span,
                        f"only units are put somewhere; this is a {what.type}",
                        help=e.say(t.UNIT),
                    )
                made = c.Put(what, e.expr(node.place, scope, t.PLACE), case=case, span=span)
            case n.Make():
                made, scope = self._make(node, scope)
            case n.Walk():
                path = e.expr(node.path, scope, t.PATH)
                made = c.Walk(e.expr(node.what, scope, t.UNIT), path, case=case, span=span)
            case n.Roll():
                dice = e.expr(node.dice, scope, t.DICE)
                made = c.Roll(node.name, dice, case=case, span=span)
                scope = scope.plus(**{node.name: t.NUMBER})
            case n.Draw():
                source = e.hinted(node.source, scope, None)
                if source.type.plain == t.PLACE:
                    source = c.BuiltinCall("units_at", (source,), type=t.set_of(t.UNIT), span=source.span)
                secret = e.expr(node.secretly_for, scope, t.SIDE) if node.secretly_for is not None else None
                made = c.Draw(node.name, source, secret, case=case, span=span)
                scope = scope.plus(**{node.name: source.type.of or t.ANY})
            case n.Do():
                made = self._do(node, scope)
            case n.Spend():
                made = self._spend(node, scope)
            case n.Simple():
                made = self._simple(node, scope)
            case n.PhaseChange():
                self.e.check_phase(node.phase, node.span)
                guard = self._guard(node.guard, scope)
                kind = c.SkipPhase if node.sort == "skip" else c.RepeatPhase
                made = kind(node.phase, guard, case=case, span=span)
            case n.Offer():
                made = self._offer(node, scope)
            case n.Ask():
                made, scope = self._ask(node, scope)
            case n.If():
                made = self._if(node, scope)
            case n.ForEach():
                source = e.collection(node.source, scope)
                inner = scope.plus(**{node.var: source.type.of or t.ANY})
                body = self.block(node.body, inner)
                made = c.ForEach(node.var, source, body, case=case, span=span)
            case n.Repeat():
                most, condition = e.number(node.most, scope), self._guard(node.condition, scope)
                made = c.Repeat(most, condition, self.block(node.body, scope), case=case, span=span)
            case n.Match():
                made = self._match(node, scope)
            case n.Together():
                parts: list[Stmt] = []
                for inner_node in self.spelt_out(node.body):  # what is named inside stays known after it
                    one, scope = self.stmt(inner_node, scope)
                    parts += [one] if one is not None else []
                made = c.Together(tuple(parts), case=case, span=span) if parts else None
            case n.Phase():
                made = self._phase(node, scope)
        return made, scope

    # ------------------------------------------------------------ helpers

    def _guard(self, node: n.Expr | None, scope: Scope) -> Expr | None:
        return self.e.flag(node, scope) if node is not None else None

    def _simple(self, node: n.Simple, scope: Scope) -> Stmt:
        if node.sort == "win":
            winner = self.e.expr(node.value, scope, Type("kind", "side", absent=True))
            return c.Win(winner, case=self.case, span=node.span)
        if node.sort == "halt":
            return c.Halt(self.e.expr(node.value, scope, t.UNIT), case=self.case, span=node.span)
        return c.Reveal(self.e.expr(node.value, scope, None), case=self.case, span=node.span)

    def _set(self, node: n.SetMark, scope: Scope) -> Stmt | None:
        target = node.what
        owner: Expr | None = None
        if isinstance(target, n.Name):
            key = ("game", target.id)
        elif isinstance(target, n.Dot):
            base = self.e.hinted(target.base, scope, None)
            kind = base.type.of if base.type.of is not None else base.type
            key = (kind.plain.name, target.name)
            owner = base
        else:
            self.report.error("RW220", node.span, "only a mark can be set", help="write set THING.mark = value")
            return None
        mark = self.book.marks.get(key)
        if mark is None:
            known = [m for o, m in self.book.marks if o == key[0]]
            if key[1] in ("hex", "point", "place"):
                help = "units are moved with put … in … or walk … along …"
            elif key in self.book.fields:
                help = f"{key[1]} is a printed field; declare a mark if it changes in play"
            else:
                help = did_you_mean(key[1], known) or f"declare it: mark {key[1]} of {key[0]}"
            self.report.error("RW220", node.span, f'there is no mark "{key[1]}" on {key[0]}', help=help)
            return None
        if node.clear:
            value: Expr = c.Const(mark.start, type=mark.type, span=node.span)
        elif node.value is None:
            if mark.type != t.FLAG:
                self.report.error(
                    "RW211",
                    node.span,
                    f"{mark.name} is a {mark.type}; give it a value with =",
                    help=self.e.say(mark.type),
                )
            value = c.Const(True, type=t.FLAG, span=node.span)
        else:
            value = self.e.expr(node.value, scope, mark.type)
        return c.SetMark(key, value, owner, case=self.case, span=node.span)

    def _do(self, node: n.Do, scope: Scope) -> Stmt | None:
        call = node.call
        name = call.id if isinstance(call, n.Name) else call.name if isinstance(call, n.Call) else ""
        if name == "usual":
            if not self.usual:
                self.report.error(
                    "RW224",
                    node.span,
                    "do usual has a meaning only in an exception to a procedure",
                    help="name the procedure to run",
                )
            return c.DoUsual(case=self.case, span=node.span)
        signature = self.symbols.procedures.get(name)
        if signature is None:
            self.report.error(
                "RW221",
                node.span,
                f'unknown procedure "{name}"',
                help=did_you_mean(name, self.symbols.procedures) or f"declare it: procedure {name}: …",
            )
            return None
        self.symbols.read.add(("procedure", name))
        as_call = call if isinstance(call, n.Call) else n.Call(name=name, arguments=(), span=call.span)
        args = arguments(self.e, as_call, signature.params, scope)
        return c.Do(name, args, case=self.case, span=node.span)

    def _spend(self, node: n.Spend, scope: Scope) -> Stmt | None:
        quota = self.e.hinted(node.quota, scope, None)
        if not isinstance(quota, c.QuotaCap):
            self.report.error("RW211", node.span, "spend needs a quota", help="write spend NUMBER of QUOTA(…)")
            return None
        self.symbols.read.add(("spend", quota.name))
        one = c.Const(1, type=t.NUMBER, span=node.span)
        amount = one if node.amount is None else self.e.number(node.amount, scope)
        return c.Spend(quota.name, amount, quota.asked, case=self.case, span=node.span)

    def _offer(self, node: n.Offer, scope: Scope) -> Stmt:
        actions = []
        for offered in node.actions:
            if offered.action not in self.symbols.actions:
                self.report.error(
                    "RW222",
                    offered.span,
                    f'unknown action "{offered.action}"',
                    help=did_you_mean(offered.action, self.symbols.actions)
                    or f"declare it: action {offered.action}(…) by …",
                )
                continue
            self.symbols.read.add(("action", offered.action))
            actions.append((offered.action, self._guard(offered.guard, scope)))
        offer = Offer(
            id=len(self.book.offers),
            case=self.case,
            sort=node.sort,
            side=self.e.expr(node.side, scope, t.SIDE),
            actions=tuple(actions),
            span=node.span,
        )
        self.book.offers.append(offer)
        return c.OfferWindow(offer, case=self.case, span=node.span)

    def _ask(self, node: n.Ask, scope: Scope) -> tuple[Stmt, Scope]:
        side = self.e.expr(node.side, scope, t.SIDE)
        source = None
        element: Type = t.ANY
        if node.source is not None:
            source = self.e.collection(node.source, scope)
            element = source.type.of or t.ANY
        answer = {
            "one": element,
            "some": t.set_of(element),
            "order": t.list_of(element),
            "shares": t.SHARES,
            "whether": t.FLAG,
        }[node.sort]
        number = self.e.number(node.number, scope) if node.number is not None else None
        after = scope.plus(**{node.name: answer})
        so_that = self.e.flag(node.so_that, after) if node.so_that is not None else None
        ask = Ask(
            id=len(self.book.asks),
            case=self.case,
            sort=node.sort,
            name=node.name,
            secret=node.secret,
            limit=node.limit,
            side=side,
            source=source,
            number=number,
            so_that=so_that,
            type=answer,
            span=node.span,
        )
        self.book.asks.append(ask)
        failing = self.block(node.failing, scope) if node.failing is not None else None
        return c.AskSide(ask, failing, case=self.case, span=node.span), after

    def _make(self, node: n.Make, scope: Scope) -> tuple[Stmt, Scope]:
        """The next counter of a pool comes into play, with its marks in the same instant.

        There is no statement for that in the core: it is a name, a test and a `put` that every reader knows already.
        """
        case, span = self.case, node.span
        pool = self.e.expr(node.pool, scope, t.PLACE)
        maybe = Type("prim", "unit", absent=True)
        spare = c.BuiltinCall("spare", (pool,), type=maybe, span=node.pool.span)
        scope = scope.plus(**{node.name: t.UNIT})
        made = c.Local(node.name, type=t.UNIT, span=span)
        effects: list[Stmt] = []
        for bears in node.bears:
            target = n.Dot(base=n.Name(id=node.name, span=bears.span), name=bears.mark, span=bears.span)
            given = self._set(n.SetMark(what=target, value=bears.value, clear=False, span=bears.span), scope)
            effects += [given] if given is not None else []
        effects.append(c.Put(made, self.e.expr(node.place, scope, t.PLACE), case=case, span=span))
        nothing = c.Const(None, type=maybe, span=span)
        there = c.Unequal(c.Local(node.name, type=maybe, span=span), nothing, type=t.FLAG, span=span)
        body: tuple[Stmt, ...] = (c.Together(tuple(effects), case=case, span=span),)
        failing = self.block(node.failing, scope) if node.failing is not None else ()
        let = c.Let(node.name, spare, case=case, span=span)
        return c.Block((let, c.If(there, body, failing, case=case, span=span)), case=case, span=span), scope

    def _if(self, node: n.If, scope: Scope) -> Stmt:
        otherwise = self.block(node.otherwise, scope)
        made: c.If | None = None
        for test, body in reversed(node.branches):
            made = c.If(self.e.flag(test, scope), self.block(body, scope), otherwise, case=self.case, span=node.span)
            otherwise = (made,)
        assert made is not None
        return made

    def _match(self, node: n.Match, scope: Scope) -> Stmt:
        value = self.e.hinted(node.value, scope, None)
        self.matches += 1
        name = f"matched{self.matches}_{1 if self.usual else 0}"
        local = c.Local(name, type=value.type, span=node.value.span)
        otherwise: tuple[Stmt, ...] = self.block(node.otherwise, scope) if node.otherwise is not None else ()
        covered: list[object] = []
        for values, body in reversed(node.arms):
            exprs = [self.e.expr(v, scope, value.type) for v in values]
            covered += [x.value for x in exprs if isinstance(x, c.Const)]
            tests = [c.Equal(local, x, type=t.FLAG, span=x.span) for x in exprs]
            test: Expr = tests[0]
            for more in tests[1:]:
                test = c.Or(test, more, type=t.FLAG, span=node.span)
            inner = self.block(body, scope)
            otherwise = (c.If(test, inner, otherwise, case=self.case, span=node.span),)
        if node.otherwise is None and value.type.sort == "kind":
            missing = [v for v in self.book.kinds.get(value.type.name, ()) if v not in covered]
            if missing:
                self.report.error(
                    "RW226",
                    node.span,
                    f"this match leaves out {', '.join(missing)}",
                    help="add an arm for each, or an otherwise arm",
                )
        let = c.Let(name, value, case=self.case, span=node.span)
        return c.Block((let, *otherwise), case=self.case, span=node.span)

    def _phase(self, node: n.Phase, scope: Scope) -> Stmt:
        source = None
        if node.source is not None and node.var is not None:
            source = self.e.collection(node.source, scope)
        guard, body = self._guard(node.guard, scope), self.block(node.body, scope)
        return c.RunPhase(node.name, node.var, source, guard, body, case=self.case, span=node.span)


def summands(node: n.Expr) -> list[n.Expr]:
    """The parts of a sum, whatever their signs."""
    if isinstance(node, n.Binary) and node.op in ("+", "-"):
        return [*summands(node.left), *summands(node.right)]
    return [node]


def with_roll(node: n.Expr, name: str) -> n.Expr:
    """A sum in which a name stands for the dice."""
    if isinstance(node, n.Binary) and node.op in ("+", "-"):
        return replace(node, left=with_roll(node.left, name), right=with_roll(node.right, name))
    return n.Name(id=name, span=node.span) if isinstance(node, n.Literal) and node.sort == "dice" else node
