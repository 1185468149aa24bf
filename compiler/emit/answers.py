"""How functions give results: returned, memoised until a dependency changes, or recorded by the traced twin.

In:  a function's body with its results marked (`Give`), and how they are memoised.
Out: statements that give them. The traced twin notes each down as a node (see runtime/telling/trace.py) in the list
     above it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .context import Context
from .memo_dependencies import Rests
from .model.expressions import Attr, Call, Dct, Expr, Index, Lit, Lst, Name, S, Tup, bare, compare, method, names
from .model.statements import Assign, Do, Give, If, Return, Stmt, rewritten
from .naming import HELPERS

TRACE, ABOVE, MEMO, VALUE, NODE = Attr(S, "trace"), Name("above"), Name("memo"), Name("value"), Name("node")
BEGIN = Assign((Tup((ABOVE, TRACE)),), Tup((TRACE, Lst(()))))
"""The first statement of a function that asks others: what they tell goes below it."""


@dataclass(frozen=True, slots=True)
class Key:
    """The key of memoised results: some variables, and a table per owner where there is one.

    Of a parameter of which one value counts, such as its side, that value is a variable of its own.
    """

    names: tuple[str, ...]
    owner: str = ""
    values: tuple[tuple[str, Expr], ...] = ()

    @property
    def expr(self) -> Expr:
        return Name(self.names[0]) if len(self.names) == 1 else Name("key")

    def look_up(self, slot: Expr) -> list[Stmt]:
        """The look-up at the start of a memoised function."""
        memo: Expr = Index(Attr(S, "memo"), slot)
        if self.owner:
            memo = method(memo, "setdefault", Name(self.owner), Dct(()))
        found: list[Stmt] = [Assign((MEMO,), memo), *(Assign((Name(name),), value) for name, value in self.values)]
        if len(self.names) != 1:
            found.append(Assign((Name("key"),), Tup(names(*self.names))))
        return found

    @property
    def known(self) -> Expr:
        return compare(self.expr, "in", MEMO)

    @property
    def entry(self) -> Expr:
        return Index(MEMO, self.expr)


def memoised(ctx: Context, name: str, key: Key, value: Expr, rests: Rests, at: object = None) -> list[Stmt]:
    """Memoise results until a dependency changes."""
    return [
        *key.look_up(ctx.slot(name, rests)),
        If(key.known, (Return(key.entry),)),
        Assign((VALUE, key.entry), value, at),  # type: ignore[arg-type]
        Return(VALUE),
    ]


@dataclass(frozen=True, slots=True)
class Telling:
    """What the traced twin says with an answer: the name and arguments of the question; a leaf asks nothing in turn."""

    name: str
    args: Expr
    leaf: bool = False

    def told(self, give: Give, key: Key | None = None) -> tuple[Stmt, ...]:
        """Give an answer and tell it; with a key, its node is kept."""
        once = found_once(give.value) if self.leaf else None
        if once is not None:
            node = Tup((Lit(self.name), self.args, give.case, Index(NODE, Lit(3)), Tup((NODE,)), give.parts))
            told = Do(method(TRACE, "append", node))
            return (Assign((NODE,), once, give.at), told, Return(Index(NODE, Lit(3))))
        below: Expr = Tup(()) if self.leaf else TRACE
        found: list[Stmt] = [] if give.value == VALUE else [Assign((VALUE,), give.value, give.at)]
        told_node: Expr = Tup((Lit(self.name), self.args, give.case, VALUE, below, give.parts))
        if key is not None:
            found.append(Assign((NODE, key.entry), told_node))
            told_node = NODE
        if self.leaf:
            return (*found, Do(method(TRACE, "append", told_node)), Return(VALUE))
        return (*found, Do(method(ABOVE, "append", told_node)), Assign((TRACE,), ABOVE), Return(VALUE))


def found_once(value: Expr) -> Expr | None:
    """The node of an answer that is found once per process, where that is all that a value is."""
    value = bare(value)
    if isinstance(value, Call) and value.fn == HELPERS["tell_again"]:
        return value.args[1]
    return None


def asked_with(ids: list[str]) -> Expr:
    """The arguments of a question, as its node holds them."""
    return Tup(names(*ids))


def returned(body: list[Stmt]) -> list[Stmt]:
    """Answers that are simply returned."""
    return [*rewritten(tuple(body), lambda s: (Return(s.value, s.at),) if isinstance(s, Give) else (s,))]


def told(body: list[Stmt], telling: Telling) -> list[Stmt]:
    """Answers that are told."""
    return [*rewritten(tuple(body), lambda s: telling.told(s) if isinstance(s, Give) else (s,))]


def kept(body: list[Stmt], key: Key, telling: Telling | None) -> list[Stmt]:
    """Answers that are kept, and told where somebody listens."""

    def change(s: Stmt) -> tuple[Stmt, ...]:
        if isinstance(s, Give) and telling is not None:
            return telling.told(s, key)
        if isinstance(s, Give | Return) and s.value is not None:
            return (Assign((VALUE, key.entry), s.value, s.at), Return(VALUE))
        return (s,)

    return [*rewritten(tuple(body), change)]
