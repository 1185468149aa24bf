"""Emit Python: the modules of one rule set.

In:  the book in the core, its lowered procedures and its dependencies.
Out: a package: `data`, `names` and `fixed`, a module for each chapter, `kept` and `rules`, which assembles the program;
     and the same chapters once more as the traced twin, in `traced`. With them the source map.

The model is complete before a template sees it: templates own the layout of modules, the printer that of code. What is
built comes from small builders over one shared context (context.py), one declaration at a time (chunks.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..analyse.dependencies import Depends
from ..analyse.inline import Fold
from ..analyse.value_ranges import Foreseen
from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.maps import several
from .chunks import Chunks, Printed
from .context import Context, kept_name
from .data import data_rows
from .definitions.definition import definition
from .definitions.memoised import owner, worth_keeping
from .fixed import Fixed
from .layout import (
    Module,
    chapter_module,
    data_module,
    fixed_module,
    kept_module,
    kernels_module,
    names_module,
    rules_module,
)
from .lowering.blocks import Lowered
from .model.expressions import Call, Expr, Lambda, Name, Ref
from .naming import HELPERS, Naming
from .procedures.effects import Effects
from .program.assemble import program_rows
from .program.said import Said, said_by
from .routes.askers import askers
from .routes.kernels import is_large
from .routes.routes import emit_route, route_parts
from .sets import grow, matching, table

Place = tuple[int, str, str, int, str]
"""A line of a module, with its case, file, line of the rules and element."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Emitted:
    """The modules of one rule set by file name; `map` says of every emitted line where it comes from.

    `asked` are the functions of each module with the names and types of what they are asked about. `pieces` holds the
    text of each module cut between its statements, the program at its end left empty; `arguments` is what belongs
    into that.
    """

    modules: Mapping[str, str]
    map: Mapping[str, tuple[Place, ...]]
    asked: Mapping[str, Mapping[str, tuple[tuple[str, str], ...]]]
    pieces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    arguments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def code(self, folder: str = "") -> str:
        """The chapters one after another: of the rules, or of another folder."""
        return "".join(text for name, text in self.modules.items() if name.startswith(f"{folder}chapter_"))


def emit(
    book: c.Book,
    lowered: dict[str, Lowered],
    depends: Depends,
    rules_hash: str,
    folds: dict[str, Fold],
    foreseen: Foreseen,
    memory: Memory | None = None,
    folded: bool = True,
    twin: bool = True,
) -> Emitted:
    """All modules of the rule set; unless `folded`, every definition is asked by a call and has lines of its own.

    Without its `twin` a rule set plays and explains nothing.
    """
    memory = memory or Memory()
    naming = Naming(book)
    fixed, effects, said = Fixed(naming), Effects(book, depends, lowered), said_by(book, depends)

    def built(traced: bool) -> list[Module]:
        given: dict[str, Fold] | None = folds if folded or traced else None
        ctx = Context(book, lowered, depends, naming, fixed, effects, foreseen, given, traced, memory)
        return modules_of(ctx, said, rules_hash, folded)

    plain, traced = built(False), built(True) if twin else []
    shared = [data_module(book, data_rows(book, naming, memory)), names_module(book, naming), fixed_module(book, fixed)]
    if is_large(book):
        shared.append(kernels_module())
    modules = [*shared, *plain, *traced]
    return Emitted(
        modules={m.file: m.text for m in modules},
        map={m.name: m.places() for m in modules if m.functions},
        asked={m.name: {f.name: f.types for f in m.functions if f.types} for m in modules if m.functions},
        pieces={m.name: m.pieces for m in modules if m.walked},
        arguments={m.name: m.arguments for m in modules if m.arguments},
    )


def modules_of(ctx: Context, said: Said, rules_hash: str, folded: bool) -> list[Module]:
    """The chapters of one set of modules, and the program that they make."""
    book = ctx.book
    ctx.askers = askers(book) if ctx.folded else {}
    sets = (d.name for d in book.definitions.values() if d.type.many and worth_keeping(ctx, d))
    ctx.kept_sets = frozenset(sets)
    room = "emit traced" if ctx.traced else "emit" if folded else "emit unfolded"
    ctx.room = ctx.memory.room(room, (seen(book), ctx.kept_sets))
    chunks = Chunks(ctx)
    for t in book.tables.values():
        chunks.chunk((t,), partial(table, ctx, t))
    of_route = {d.name: book.routes[r] for r, asking in ctx.askers.items() for d in asking}
    for d in book.definitions.values():
        r = of_route.get(d.name)
        chunks.chunk((d, owner(ctx, d), *(route_parts(ctx, r) if r else ())), partial(definition, ctx, d))
    for g in book.grows.values():
        chunks.chunk((g,), partial(grow, ctx, g))
    for r in book.routes.values():
        chunks.chunk((*route_parts(ctx, r), *ctx.askers.get(r.name, ())), partial(emit_route, ctx, r))
    for m in book.matchings.values():
        chunks.chunk((m,), partial(matching, ctx, m))
    rows = program_rows(chunks, said, rules_hash)
    folder = "traced/" if ctx.traced else ""
    chapters: dict[str, list[Printed]] = {}
    for f in chunks.printed:
        chapters.setdefault(f.home, []).append(f)
    tables = answers(ctx)
    found = [
        chapter_module(book, folder, name, sorted(functions, key=by_case), tables.get(name, []))
        for name, functions in sorted(chapters.items())
    ]
    kept = kept_module(book, folder, [kept_name(name) for name in ctx.memo])
    return [*found, kept, rules_module(book, folder, rows)]


def answers(ctx: Context) -> dict[str, list[tuple[str, Expr]]]:
    """By chapter, the tables of definitions that depend on nothing that can change."""
    found: dict[str, list[tuple[str, Expr]]] = {}
    for name in sorted(ctx.answers):
        d, ref = ctx.book.definitions[name], ctx.naming.functions["define", name]
        about = tuple(ctx.local(p.name) for p in d.params)
        still: Expr = Ref("rules", "STILL")
        given = tuple(Name(x) for x in about)
        made: Expr = Call(ref, (still, *given))
        if ctx.traced:
            made = Call(HELPERS["told_once"], (still, ref, *given))
        value = Call(HELPERS["ByPlace"], (Lambda(about or ("p",), made),))
        found.setdefault(ref.module, []).append((ref.id.upper(), value))
    return found


def by_case(f: Printed) -> list[tuple[bool, int, str]]:
    """The order of cases in a book: 13.2 before 13.10."""
    return [
        (not x.isdigit(), int(x) if x.isdigit() else 0, x) for x in re.split(r"[^A-Za-z0-9]+|(?<=\d)(?=\D)", f.case)
    ]


def seen(book: c.Book) -> Any:
    """All that the building of one declaration sees of the others."""
    routes = book.routes.values()
    run: list[c.Action | c.Procedure] = [*book.actions.values(), *book.procedures.values()]
    return (
        several(book.map),
        [*book.cases.items()],
        [*book.kinds.items()],
        [*book.scales.items()],
        [*book.records.items()],
        book.calendar.turns if book.calendar is not None else (),
        [(key, x.default) for key, x in book.fields.items()],
        [(key, x.start) for key, x in book.marks.items()],
        [(x.name, x.how, x.start) for x in book.memories.values()],
        [(x.name, x.case, [p.name for p in x.params], x.clamps) for x in book.tables.values()],
        [(x.name, x.case, x.items.type, x.targets.type) for x in book.matchings.values()],
        [(x.name, x.layers, [*x.facets.items()], any(r.sort == "stop" for r in x.rules), bool(x.legs)) for x in routes],
        [(x.name, [p.name for p in x.params]) for x in run],
    )
