"""Where rolls of dice are used: the look-ups and tests of a book that depend on a die.

In:  a book in the core.
Out: sites, each a look-up of a table or a condition with only dice free: `let`, parameters of procedures and of
     definitions that receive a die are expanded, so that a site can be evaluated for every face.

A roll that is stored in a mark and read elsewhere is not traced (see kept_rolls.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ...analyse.inline import plain_value
from ...core import nodes as c
from ...core.types import NUMBER
from ...core.walk import all_procedures

Dice = tuple[int, int]
Env = Mapping[str, c.Expr]
Facing = tuple[tuple[c.Expr, bool], ...]
"""The conditions of the branches around a site, closed, and whether they hold there."""
DEEPEST = 6
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Site:
    """One look-up or test that depends on a die; `at` distinguishes the sites of one owner.

    `facing` are the conditions on the way to it, `whole` the conditions that it is a part of, the widest first.
    """

    owner: str
    at: int
    case: str
    expr: c.Expr
    dice: Mapping[str, Dice] = field(compare=False)
    names: Mapping[str, str] = field(compare=False)
    facing: Facing = ()
    whole: tuple[c.Expr, ...] = ()

    @property
    def table(self) -> str:
        return self.expr.name if isinstance(self.expr, c.TableCell) else ""

    def dice_in(self, e: c.Expr) -> list[str]:
        """The dice in an expression, in reading order."""
        found = (x.name for x in e.walk() if isinstance(x, c.Local) and x.name in self.dice)
        return list(dict.fromkeys(found))


class Rolls:
    """All sites of one book, in the order of its procedures."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.dice: dict[str, Dice] = {}
        self.names: dict[str, str] = {}
        self.sites: list[Site] = []
        self.counts: dict[str, int] = {}
        self.facing: Facing = ()
        self.procedures = {p.name: p for p in all_procedures(book)}
        for p in all_procedures(book):
            for body in (p.body, *(w.body for w in p.wrappers)):
                self.block(body, {}, p, (p.name,))

    def block(
        self, body: Iterable[c.Stmt], env: Env, p: c.Procedure, way: tuple[str, ...], facing: Facing = ()
    ) -> None:
        env = dict(env)
        before, self.facing = self.facing, facing
        for s in body:
            for e in s.args:
                self.look(e, env, s.case or p.case, way)
            match s:
                case c.Roll(dice=c.Const(value=(int(count), int(sides)))):
                    label = f"@{' '.join(way)} {s.name} {s.span.row}.{s.span.column}"
                    self.dice[label], self.names[label] = (count, sides), s.name
                    env[s.name] = c.Local(label, type=NUMBER, span=s.dice.span)
                case c.Let():
                    env[s.name] = closed(s.value, env)
                    if sum(1 for _ in env[s.name].walk()) > LONGEST:
                        del env[s.name]
                case c.Roll() | c.Draw():
                    env.pop(s.name, None)
                case c.AskSide():
                    env.pop(s.ask.name, None)
                case c.Do():
                    self.run(s, env, way)
                case _:
                    pass
            inner = {k: v for k, v in env.items() if not (isinstance(s, c.ForEach) and k == s.var)}
            test = closed(s.test, env) if isinstance(s, c.If) else None
            self.block(s.body, inner, p, way, facing if test is None else (*facing, (test, True)))
            self.block(s.other, env, p, way, facing if test is None else (*facing, (test, False)))
        self.facing = before

    def run(self, s: c.Do, env: Env, way: tuple[str, ...]) -> None:
        """Visit a procedure that receives a die as argument."""
        given = [closed(x, env) for x in s.given]
        if not any(self.rolled(x) for x in given) or s.name in way or len(way) >= DEEPEST:
            return
        p = self.procedures[s.name]
        names = {param.name: x for param, x in zip(p.params, given, strict=False)}
        for body in (p.body, *(w.body for w in p.wrappers)):
            self.block(body, names, p, (*way, s.name), self.facing)

    def rolled(self, e: c.Expr) -> bool:
        return any(isinstance(x, c.Local) and x.name in self.dice for x in e.walk())

    def looks_up(self, e: c.Expr) -> bool:
        """Whether an expression depends on a die only through a table: that look-up is a site of its own."""
        return any(isinstance(x, c.TableCell) and self.rolled(x) for x in e.walk())

    def look(self, top: c.Expr, env: Env, case: str, way: tuple[str, ...]) -> None:
        """The sites of one expression."""
        if not env or not self.rolled(top := closed(top, env)):
            return
        for e, around in links(top):
            if not self.rolled(e) or (isinstance(e, c.Comparison | c.IsIn | c.Between) and self.looks_up(e)):
                continue
            match e:
                case c.TableCell() if any(self.rolled(x) for x in e.asked):
                    self.add(e, case, way)
                case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                    self.add(e, case, way, around)
                case c.IsIn() | c.Between():
                    self.add(e, case, way, around)
                case c.Call() if any(self.rolled(x) for x in e.asked) and len(way) < DEEPEST and e.name not in way:
                    d = self.book.definitions[e.name]
                    names = {p.name: x for p, x in zip(d.params, e.asked, strict=False)}
                    for layer in d.layers():
                        self.clauses(layer, names, (*way, e.name))

    def clauses(self, layer: c.Layer, own: Env, way: tuple[str, ...]) -> None:
        """The sites of a layer: the guard of a clause is asked where those before it do not hold."""
        before = self.facing
        for let, value in layer.lets:
            own = {**own, let: closed(value, own)}
            self.look(own[let], own, layer.case, way)
        for clause in layer.clauses:
            around = self.facing
            guard = None if clause.guard is None else closed(clause.guard, own)
            if guard is not None:
                self.look(guard, own, layer.case, way)
                self.facing = (*around, (guard, True))
            self.look(clause.value, own, layer.case, way)
            self.facing = around if guard is None else (*around, (guard, False))
        self.facing = before

    def add(self, e: c.Expr, case: str, way: tuple[str, ...], whole: tuple[c.Expr, ...] = ()) -> None:
        owner = " ".join(way)
        self.counts[owner] = self.counts.get(owner, -1) + 1
        self.sites.append(Site(owner, self.counts[owner], case, e, self.dice, self.names, self.facing, whole))


def links(top: c.Expr) -> Iterator[tuple[c.Expr, tuple[c.Expr, ...]]]:
    """All expressions below one, itself first, each with the `and`, `or` and `not` around it, the widest first."""
    todo: list[tuple[c.Expr, tuple[c.Expr, ...]]] = [(top, ())]
    while todo:
        e, around = todo.pop()
        yield e, around
        inner = (*around, e) if isinstance(e, c.And | c.Or | c.Not) else ()
        todo += [(x, inner) for x in reversed(e.args)]


def closed(e: c.Expr, env: Env) -> c.Expr:
    """An expression with the names of `env` substituted; names bound by a loop are not."""
    if not env:
        return e
    if isinstance(e, c.Local):
        return env.get(e.name, e)
    if isinstance(e, c.AnyOf | c.EveryOf | c.CountOf | c.Filter | c.SumOf | c.Highest | c.Lowest | c.Each | c.EachOf):
        inner = {k: v for k, v in env.items() if k != e.var}
        base = closed(e.base, env)
        parts = (base,) if e.inner is None else (base, closed(e.inner, inner))
        return e.with_args(parts)
    return e.with_args(tuple(closed(x, env) for x in e.args))


def expanded(e: c.Expr, book: c.Book, keep: str = "", deep: int = 4) -> c.Expr:
    """An expression with definitions of one plain value expanded, except for the one named `keep`."""
    if isinstance(e, c.Call) and e.name != keep and deep:
        d = book.definitions[e.name]
        value = plain_value(d)
        if value is not None:
            given = {p.name: expanded(x, book, keep, deep) for p, x in zip(d.params, e.asked, strict=False)}
            return expanded(closed(value, given), book, keep, deep - 1)
    return e.with_args(tuple(expanded(x, book, keep, deep) for x in e.args))


def asking(e: c.Expr, name: str) -> Iterator[c.Expr]:
    """The subexpressions that call a definition."""
    return (x for x in e.walk() if isinstance(x, c.Call) and x.name == name)
