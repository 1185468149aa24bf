"""Columns, memories and quotas of the program, and what a change of a column invalidates.

In:  the marks, memories and quotas of the book, and the registry of memoised results.
Out: rows of the program, with the functions that they name.
"""

from __future__ import annotations

import re
from functools import partial

from ...analyse.dependencies import column_name
from ...analyse.invalidation import Near, lifetime, narrowed
from ...core import nodes as c
from ...core.maps import several
from ...core.texts import type_text
from ...core.types import Type
from ...core.walk import waiver_exprs
from ..answers import Telling
from ..chunks import Chunks
from ..context import kept_name
from ..expressions.asked import past
from ..expressions.build import Expressions
from ..fixed import HEXES, UNITS, every_hex
from ..model.expressions import (
    NONE,
    At,
    Attr,
    Comp,
    Dct,
    Expr,
    Lit,
    Loop,
    Name,
    Ref,
    S,
    Tup,
    all_of,
    call,
    compare,
    every,
    length,
    method,
    names,
)
from ..model.statements import Give, Hint, If, Param, Return
from ..naming import HELPERS, STATE
from ..text import key_of
from .rows import Row, answer, function, row

LIST = Hint("list")


class StateRows:
    """The rows about what a state holds."""

    def __init__(self, chunks: Chunks) -> None:
        self.chunks = chunks
        self.ctx = chunks.ctx
        self.book = chunks.ctx.book
        self.near: dict[str, Near] = {} if self.ctx.traced else dict(narrowed(self.ctx.depends))

    # ------------------------------------------------------------ marks

    def columns(self) -> list[Row]:
        return [self._column(owner, name, mark) for (owner, name), mark in self.book.marks.items()]

    def _column(self, owner: str, name: str, mark: c.Mark) -> Row:
        sort = owner if owner in ("unit", "place", "game", "hexside") else "key"
        keys: tuple[object, ...] = ()
        if sort == "key":
            keys = tuple(self.book.kinds.get(owner, ()))
            if owner == "turn" and self.book.calendar is not None:
                keys = tuple(range(len(self.book.calendar.turns)))
        secret: Expr = NONE
        if mark.secret_to is not None:
            secret = self._of_owner(mark, owner, mark.secret_to, "secret", f"who may see {name}")
        return row(
            call(
                HELPERS["Column"], name=Lit(column_name(owner, name)), sort=Lit(sort), start=Lit(mark.start),
                type=Lit(type_text(mark.type)), case=Lit(mark.case), keys=Lit(keys), secret=secret,
            )
        )  # fmt: skip

    def _of_owner(self, mark: c.Mark, owner: str, e: c.Expr, word: str, doc: str) -> Ref:
        """A function about the bearer of a mark."""
        it = (Param(self.ctx.local("it"), self.ctx.hint(mark.owner)),) if owner != "game" else ()
        value = Expressions(self.ctx).with_var("it", e)
        name = f"{word}_{plain(owner)}_{plain(mark.name)}"
        at = At(mark.case, mark.span, f"mark {mark.name}")
        params = (Param("S", STATE), *it)
        return answer(self.ctx, name, params, value, self.ctx.hint(e.type), f"{self.ctx.title(mark.case)}: {doc}.", at)

    def resets(self) -> Expr:
        found: dict[tuple[str, str], list[str]] = {}
        for (owner, name), mark in self.book.marks.items():
            if mark.until is not None and mark.until_test is None:
                found.setdefault(mark.until, []).append(column_name(owner, name))
        return Lit({k: tuple(v) for k, v in found.items()})

    def expiring(self) -> list[Row]:
        found = []
        for (owner, name), mark in self.book.marks.items():
            if mark.until_test is not None:
                fn = self._of_owner(mark, owner, mark.until_test, "expires", f"when {name} ends")
                found.append(row(Tup((Lit(column_name(owner, name)), fn))))
        return found

    # ------------------------------------------------------------ memories and quotas

    def memories(self) -> list[Row]:
        return [self._memory(m) for m in self.book.memories.values()]

    def _memory(self, m: c.Memory) -> Row:
        if m.name in self.near:
            return self.chunks.once(partial(self._near_row, m, self.near[m.name]))
        return self.chunks.chunk(("memory", m.definition, m.span), partial(self._plain_row, m))

    def _base(self, m: c.Memory) -> str:
        return self.ctx.naming.function("define", m.name).id

    def _at(self, m: c.Memory) -> At:
        return At(m.case, m.span, f"memory {m.name}")

    def _plain_row(self, m: c.Memory) -> Row:
        doc = f"{self.ctx.title(m.case)}: what {m.name} is remembered of."
        keys = answer(
            self.ctx,
            f"keys_{self._base(m)}",
            (Param("S", STATE),),
            self._keys(m.definition.params),
            LIST,
            doc,
            self._at(m),
        )
        return self._memory_row(m, keys)

    def _memory_row(self, m: c.Memory, keys: Ref, **more: Expr) -> Row:
        ctx = self.ctx
        params = m.definition.params
        key = Tup(names(*(ctx.local(x.name) for x in params)))
        doc = f"{ctx.title(m.case)}: {m.name}, as it is remembered."
        f = ctx.about(m.case, past(ctx, m.name).id, params, None, doc)
        value = method(Attr(S, f"past_{m.name}"), "get", key, Lit(m.start))
        if ctx.traced:
            f.body += Telling(m.name, key, True).told(Give(value, Lit(m.case), self._at(m)))
        else:
            f.body.append(Return(value, self._at(m)))
        return row(
            call(
                HELPERS["MemoryInfo"], name=Lit(m.name), case=Lit(m.case), how=Lit(m.how), event=Lit(m.event),
                keys=keys, value=ctx.naming.function("define", m.name), start=Lit(m.start), of=Lit(key_of(m)), **more,
            )
        )  # fmt: skip

    def _near_row(self, m: c.Memory, near: Near) -> Row:
        """A memory of which only invalidated keys are recomputed."""
        ctx, at = self.ctx, self._at(m)
        title = ctx.title(m.case)
        params = (Param("S", STATE), Param("among", None, NONE))
        doc = f"{title}: what {m.name} is remembered of, or what of it is among these."
        f = function(ctx, f"keys_{self._base(m)}", params, LIST, doc, m.case)
        every_key, some = self._keys(m.definition.params), self._keys(m.definition.params, near)
        f.body += [If(compare(Name("among"), "is", NONE), (Return(every_key, at),)), Return(some, at)]
        build = Expressions(ctx)
        looked = tuple(dict.fromkeys(build.asks.members(x) for x in near.sets))
        doc = f"{title}: the sets that {m.name} is looked for in."
        sets = answer(ctx, f"sets_{self._base(m)}", (Param("S", STATE),), Tup(looked), Hint("tuple"), doc, at)
        return self._memory_row(m, f.ref, sets=sets)

    def _keys(self, params: tuple[c.Param, ...], near: Near | None = None) -> Expr:
        if not params:
            return Lit(((),))
        build = Expressions(self.ctx)
        loops: list[Loop] = []
        for i, x in enumerate(params):
            if near is not None and i == near.at:
                loops += self._among(x, near)
            else:
                over = build(x.domain) if x.domain is not None else self._all(x.type)
                loops.append(build.sets.loop(x.name, over))
            build.bound.append(x.name)
        return Comp(Tup(names(*(self.ctx.local(x.name) for x in params))), tuple(loops), "[]")

    def _among(self, x: c.Param, near: Near) -> list[Loop]:
        """The loop over invalidated keys, in the order of all keys."""
        name, build = Name(self.ctx.local(x.name)), Expressions(self.ctx)
        if near.base is not None:
            loops = [Loop(name, build(near.base), (compare(name, "in", Name("among")),))]
        else:
            p = Name("p")
            tests = [compare(p, "is not", NONE)]
            if x.type.plain.name != "unit":
                one_map = compare(p, "<", length(HEXES))
                tests.append(compare(p, "in", Attr(S, "ground")) if several(self.book.map) else one_map)
            loops = [Loop(name, every("sorted", Comp(p, (Loop(p, Name("among"), (all_of(*tests),)),))))]
        for var, test in near.tests:
            if var != x.name:
                loops.append(Loop(Name(self.ctx.local(var)), Tup((name,))))
            last = loops[-1]
            loops[-1] = Loop(last.target, last.over, (*last.tests, build.with_var(var, test)))
        return loops

    def _all(self, t: Type) -> Expr:
        if t.plain.name == "unit":
            return every("range", length(UNITS))
        if t.plain.name == "place":
            return every_hex(self.book)
        return Lit(tuple(self.book.kinds.get(t.name, ())))

    def quotas(self) -> list[Row]:
        return [
            row(
                call(
                    HELPERS["QuotaInfo"], name=Lit(q.name), case=Lit(q.case), per=Lit(q.per),
                    cap=self.ctx.naming.function("define", q.name),
                ),
                f"{q.name!r}: ",
            )
            for q in self.book.quotas.values()
        ]  # fmt: skip

    # ------------------------------------------------------------ memoised results

    def clears(self) -> Expr:
        """By column, the memo slots that a change of it clears."""
        found: dict[str, list[Expr]] = {}
        for name, rests in self.ctx.memo.items():
            for column in sorted(rests.reads(self.ctx.depends)):
                found.setdefault(column, []).append(Ref("kept", kept_name(name)))
        return Dct(tuple((Lit(k), Tup(tuple(v))) for k, v in sorted(found.items())))

    def owned(self) -> Expr:
        """By column, the memo slots of which only the owner's part is cleared, and how that is found."""
        found: dict[str, list[Expr]] = {}
        for name, rests in self.ctx.memo.items():
            for column, how in rests.own(self.ctx.depends).items():
                found.setdefault(column, []).append(Tup((Ref("kept", kept_name(name)), Lit(how))))
        return Dct(tuple((Lit(k), Tup(tuple(v))) for k, v in sorted(found.items())))

    def placed(self) -> Expr:
        """By column, the memo slots with answers about places, and how those are found that a change touches."""
        found: dict[str, list[Expr]] = {}
        for name, rests in self.ctx.memo.items():
            for column, how in rests.placed:
                found.setdefault(column, []).append(Tup((Ref("kept", kept_name(name)), Lit(how))))
        return Dct(tuple((Lit(k), Tup(tuple(v))) for k, v in sorted(found.items())))

    def growing(self) -> Expr:
        """By least set, the memo slots whose results depend on it."""
        found: dict[str, list[Expr]] = {}
        for name, rests in self.ctx.memo.items():
            for grown in sorted(rests.grows(self.ctx.depends)):
                found.setdefault(grown, []).append(Ref("kept", kept_name(name)))
        return Dct(tuple((Lit(k), Tup(tuple(v))) for k, v in sorted(found.items())))

    def watches(self) -> Expr:
        """By column, the memories to recompute when it changes, and which of their keys."""
        found: dict[str, dict[str, str]] = {}
        for m in self.book.memories.values():
            if m.how in ("always", "ever"):
                near = self.near.get(m.name)
                for column in self.ctx.depends.named("define", m.name):
                    found.setdefault(column, {})[m.name] = near.by[column] if near is not None else "any"
        for t in self.book.triggers:
            if t.event[0] == "soon" and t.guard is not None:
                for column in self.ctx.depends.of([t.guard, *(x for w in t.waivers for x in waiver_exprs(w))]):
                    found.setdefault(column, {})[t.id] = "any"
        for (owner, name), mark in self.book.marks.items():
            if mark.until_test is not None:
                for column, how in lifetime(self.ctx.depends, owner, mark).items():
                    found.setdefault(column, {})[f"until {column_name(owner, name)}"] = how
        return Lit({column: dict(sorted(who.items())) for column, who in sorted(found.items())})


def plain(name: str) -> str:
    """A word of the book as part of a name."""
    return re.sub(r"\W+", "_", name)
