"""Which numbers of a book are whole in every position.

In:  a book in the core.
Out: for an expression whether its value is always a whole number.

A greatest fixed point: every numeric parameter, mark, memory, definition and quota is assumed whole until something
that may be a fraction is assigned to it; what remains when nothing changes any more is proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from ...core import nodes as c
from ...core.printed import column
from ...core.walk import all_procedures, declared, statements, top_exprs

Key = tuple[str, ...]
ROUNDED = frozenset({"up", "down", "nearest", "distance", "length", "share"})
Env = Mapping[str, bool]


class Wholes:
    """What is whole in one book."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.broken: set[Key] = set()
        self.printed: dict[tuple[str, str], bool] = {}
        while True:
            before = len(self.broken)
            for key, e, env in self.given():
                if key not in self.broken and not self.whole(e, env):
                    self.broken.add(key)
            if len(self.broken) == before:
                break

    def whole(self, e: c.Expr, env: Env) -> bool:
        """Whether a number, or every member of a set of numbers, is whole."""
        match e:
            case c.Const():
                return all(is_whole(x) for x in (e.value if isinstance(e.value, tuple) else (e.value,)))
            case c.Local():
                return env.get(e.name, False)
            case c.CountOf() | c.Rank() | c.Range():
                return True
            case c.Plus() | c.Minus() | c.Times() | c.Negative() | c.SetOf() | c.ListOf() | c.Union() | c.FirstOf():
                return all(self.whole(x, env) for x in e.args)
            case c.Without() | c.Usual() | c.Keep():
                return isinstance(e, c.Without) and self.whole(e.left, env)
            case c.Filter():
                return self.whole(e.base, env)
            case c.Folded():
                return self.whole(e.value, {**env, e.var: self.whole(e.base, env)})
            case c.Choose():
                return self.whole(e.then, env) and self.whole(e.otherwise, env)
            case c.BuiltinCall():
                return e.name in ROUNDED
            case c.FieldOf():
                return self.field(e.key)
            case c.TableCell():
                return all(is_whole(x) for x in self.book.tables[e.name].cells.values())
            case c.Member(of=c.TableCell(name=name), index=index):
                return all(isinstance(x, tuple) and is_whole(x[index]) for x in self.book.tables[name].cells.values())
            case c.MarkOf():
                return ("mark", *e.key) not in self.broken
            case c.Call() | c.Remembered() | c.QuotaCap():
                return ("define", e.name) not in self.broken
            case c.QuotaLeft() | c.QuotaSpent():
                return ("define", e.name) not in self.broken and ("spent", e.name) not in self.broken
            case _:
                return False

    def field(self, key: tuple[str, str]) -> bool:
        if key not in self.printed:
            listed = key[0] in ("unit", "place")
            self.printed[key] = listed and all(is_whole(x) for x in column(self.book, key[0], self.book.fields[key]))
        return self.printed[key]

    def params(self, owner: Key, params: Iterable[c.Param]) -> dict[str, bool]:
        """The parameters of something, with what is known of them; arguments of facets and memories are not traced."""
        if owner[0] == "call" and self.book.definitions[owner[1]].sort != "define":
            return {}
        return {p.name: (*owner, p.name) not in self.broken for p in params}

    def of_procedure(self, p: c.Procedure) -> dict[str, bool]:
        """The parameters of a procedure; what an event passes to a trigger is not traced."""
        known = p.sort in ("procedure", "sequence", "action")
        return {name: whole and known for name, whole in self.params(("do", p.name), p.params).items()}

    # ------------------------------------------------------------ what is given to what

    def given(self) -> Iterator[tuple[Key, c.Expr, Env]]:
        """All assignments: the target, its value, and the names in scope."""
        book = self.book
        for (owner, name), m in book.marks.items():
            yield ("mark", owner, name), c.Const(m.start, type=m.type, span=m.span), {}
        for d in book.definitions.values():
            yield from self.definition(d)
        for memory in book.memories.values():
            yield ("define", memory.name), c.Const(memory.start, type=memory.definition.type, span=memory.span), {}
        for a in book.actions.values():
            for p in a.params:
                domain = p.domain or c.Const(None, type=p.type, span=a.span)
                yield ("do", a.procedure.name, p.name), domain, {}
        for run in all_procedures(book):
            for body in (run.body, *(w.body for w in run.wrappers)):
                yield from self.block(body, self.of_procedure(run))
        for s in book.scenarios.values():
            for sort, name, value in s.marks:
                if sort not in ("game", "reading") and isinstance(value, tuple):
                    yield ("mark", sort, name), c.Const(value[1], type=book.marks[sort, name].type, span=s.span), {}
        yield from self.calls()

    def definition(self, d: c.Definition) -> Iterator[tuple[Key, c.Expr, Env]]:
        key = ("define", d.name)
        for layer in d.layers():
            env = self.params(("call", d.name), d.params)
            for name, value in layer.lets:
                env = {**env, name: self.whole(value, env)}
            yield from ((key, clause.value, env) for clause in layer.clauses)
        for stage in d.stages:
            yield from ((key, x, self.params(("call", d.name), d.params)) for x in (stage.most, stage.least) if x)

    def block(self, body: tuple[c.Stmt, ...], env: Env) -> Iterator[tuple[Key, c.Expr, Env]]:
        for s in body:
            match s:
                case c.Let():
                    env = {**env, s.name: self.whole(s.value, env)}
                case c.Roll():
                    env = {**env, s.name: True}
                case c.SetMark():
                    yield ("mark", *s.key), s.value, env
                case c.Spend():
                    yield ("spent", s.quota), s.amount, env
                case c.Do():
                    for p, x in zip(self.book.procedures[s.name].params, s.given, strict=False):
                        yield ("do", s.name, p.name), x, env
                case c.AskSide():
                    source = s.ask.source
                    env = {**env, s.ask.name: source is not None and self.whole(source, env)}
                case c.Draw():
                    env = {**env, s.name: self.whole(s.source, env)}
                case _:
                    pass
            inner = env
            if isinstance(s, c.ForEach):
                inner = {**env, s.var: self.whole(s.source, env)}
            yield from self.block(s.body, inner)
            yield from self.block(s.other, env)

    def calls(self) -> Iterator[tuple[Key, c.Expr, Env]]:
        """Arguments of all calls of definitions; names inside loops are not traced."""
        for top, env in self.tops():
            todo: list[tuple[c.Expr, Env]] = [(top, env)]
            while todo:
                e, names = todo.pop()
                if isinstance(e, c.Call | c.Remembered | c.OfQuota):
                    d = self.book.definitions.get(e.name)
                    for p, x in zip(d.params if d is not None else (), e.asked, strict=False):
                        if p.type.name in ("number", "ratio"):
                            yield ("call", e.name, p.name), x, names
                if isinstance(e, c.Tested | c.Filter | c.Folded):
                    todo.append((e.base, names))
                    if e.inner is not None:
                        todo.append((e.inner, {**names, e.var: self.whole(e.base, names)}))
                else:
                    todo.extend((x, names) for x in e.args)

    def tops(self) -> Iterator[tuple[c.Expr, Env]]:
        """Every outermost expression of the book, with the names in scope."""
        for x in declared(self.book):
            if isinstance(x, c.Definition):
                for layer in x.layers():
                    env = self.params(("call", x.name), x.params)
                    for name, value in layer.lets:
                        yield value, env
                        env = {**env, name: self.whole(value, env)}
                    for clause in layer.clauses:
                        yield from ((y, env) for y in (clause.value, clause.guard) if y is not None)
                continue
            if isinstance(x, c.Procedure):
                own = self.locals_of(x)
                yield from ((y, own) for s in statements(x.body) for y in s.args)
                yield from ((y, own) for w in x.wrappers for s in statements(w.body) for y in s.args)
                yield from ((w.guard, own) for w in x.wrappers if w.guard is not None)
                continue
            yield from ((y, {}) for y in top_exprs(x))

    def locals_of(self, p: c.Procedure) -> Env:
        """The local names of a procedure: whole if every binding of that name in it is."""
        env = self.of_procedure(p)
        for body in (p.body, *(w.body for w in p.wrappers)):
            for s in statements(body):
                match s:
                    case c.Roll():
                        env[s.name] = env.get(s.name, True)
                    case c.Let():
                        env[s.name] = env.get(s.name, True) and self.whole(s.value, env)
                    case c.ForEach():
                        env[s.var] = env.get(s.var, True) and self.whole(s.source, env)
                    case c.AskSide():
                        source = s.ask.source
                        env[s.ask.name] = env.get(s.ask.name, True) and source is not None and self.whole(source, env)
                    case _:
                        pass
        return env


class AllWhole(Wholes):
    """Assumes that every number is whole: declarations that differ even so really differ."""

    def __init__(self, book: c.Book) -> None:
        self.book = book

    def whole(self, e: c.Expr, env: Env) -> bool:
        return True

    def params(self, owner: Key, params: Iterable[c.Param]) -> dict[str, bool]:
        return {}


def is_whole(x: Any) -> bool:
    return (isinstance(x, int) and not isinstance(x, bool)) or (isinstance(x, Fraction) and x.denominator == 1)
