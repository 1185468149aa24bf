"""Emit Python.

In:  the book in the core, its lowered procedures and what everything rests on.
Out: the text of three modules (data, rules, traced twin) and the source map of the rules.

The model is complete before a template sees it: templates own layout, Python owns decisions. What a module is made of
comes in a chain of classes, each of which knows those before it: Module (emit_module.py), Keeping, Clauses, Exceptions,
Reckoning, Layers, Sets, Statements, and the Emitter, which puts it together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..analyse.dependencies import Depends
from ..analyse.inline import Fold
from ..analyse.value_ranges import Foreseen
from ..cache.incremental import Memory
from ..core import nodes as c
from .data import emit_data
from .layout import bare, templates
from .lower import Lowered
from .program import program_lines
from .routes.kernels import is_large
from .routes.routes import emit_route, route_parts
from .statements import Statements
from .text import comment


@dataclass(frozen=True, slots=True, kw_only=True)
class Emitted:
    """The modules of one rule set; `map` is (line of rules.py, case, file, line, element id) for every emitted line.

    `pieces` holds the text of each module cut between its statements, the program at its end left empty;
    `arguments` is what belongs into that. `kernels` are searches as machine code; only a large map has them.
    """

    data: str
    rules: str
    traced: str
    map: tuple[tuple[int, str, str, int, str], ...]
    kernels: str = ""
    pieces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    arguments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def emit(
    book: c.Book,
    lowered: dict[str, Lowered],
    depends: Depends,
    rules_hash: str,
    folds: dict[str, Fold],
    foreseen: Foreseen,
    memory: Memory | None = None,
    folded: bool = True,
) -> Emitted:
    """All modules of the rule set; unless `folded`, every definition is asked by a call and has lines of its own."""
    memory = memory or Memory()
    plain = Emitter(book, lowered, depends, rules_hash, False, memory, folds if folded else None, foreseen).module()
    traced = Emitter(book, lowered, depends, rules_hash, True, memory, folds, foreseen).module()
    template = templates().get_template("data.py.j2")
    head = template.render(title=comment(book.title or book.name), name=comment(book.name))
    data = [head, *(f"\n{name} = {text}" for name, text in emit_data(book, memory)), "\n"]
    return Emitted(
        data="".join(data),
        rules=plain.text(),
        traced=traced.text(),
        map=plain.map(),
        kernels=templates().get_template("kernels.py.j2").render() if is_large(book) else "",
        pieces={"data": tuple(data), "rules": plain.pieces, "traced": traced.pieces},
        arguments={"rules": plain.arguments, "traced": traced.arguments},
    )


class Emitter(Statements):
    """One module, with all that is declared in it."""

    def module(self) -> Emitter:
        """Print everything; the text stands in `pieces`."""
        book = self.book
        self.worth = self.memory.room("worth traced" if self.traced else "worth")
        sets = (d.name for d in book.definitions.values() if d.type.many and self.worth_keeping(d))
        self.constants.kept = frozenset(sets)
        self.room = self.memory.room(self._room(), (seen(book), self.constants.kept))
        for table in book.tables.values():
            self.chunk((table,), partial(self.table, table))
        for d in book.definitions.values():
            self.chunk((d, self.owner(d)), partial(self.definition, d))
        for g in book.grows.values():
            self.chunk((g,), partial(self.grow, g))
        for r in book.routes.values():
            self.chunk(route_parts(self, r), partial(emit_route, self, r))
        for m in book.matchings.values():
            self.chunk((m,), partial(self.matching, m))
        self.arguments = tuple(program_lines(self))
        title = f"{book.title or book.name}: the rules" if not self.traced else f"{book.title or book.name}: traced"
        head = templates().get_template("module.py.j2")
        top = head.render(
            title=comment(title),
            name=comment(book.name),
            traced=self.traced,
            constants=self.constants.lines,
            kernels=is_large(book) and not self.traced,
        )
        end = templates().get_template("program.py.j2").render(program=())
        self.pieces = (bare(top), *(f.text for f in self.printed), end)
        return self

    def _room(self) -> str:
        return "emit traced" if self.traced else "emit" if self.folded else "emit unfolded"

    def text(self) -> str:
        """The whole module."""
        end = templates().get_template("program.py.j2").render(program=self.arguments)
        return "".join((*self.pieces[:-1], end))

    def map(self) -> tuple[tuple[int, str, str, int, str], ...]:
        """Where every line of the module comes from."""
        found = []
        at = self.pieces[0].count("\n") + 1
        for f in self.printed:
            found += [(at + i, case, span.file, span.line, element) for i, case, span, element in f.places]
            at += f.lines
        return tuple(found)


def seen(book: c.Book) -> Any:
    """All that the printing of one declaration sees of the others."""
    routes = book.routes.values()
    run: list[c.Action | c.Procedure] = [*book.actions.values(), *book.procedures.values()]
    return (
        [*book.cases.items()],
        [*book.kinds.items()],
        [(key, x.default) for key, x in book.fields.items()],
        [(key, x.start) for key, x in book.marks.items()],
        [(x.name, x.how, x.start) for x in book.memories.values()],
        [(x.name, x.case, [p.name for p in x.params], x.clamps) for x in book.tables.values()],
        [(x.name, x.case, x.items.type, x.targets.type) for x in book.matchings.values()],
        [(x.name, x.layers, [*x.facets.items()], any(r.sort == "stop" for r in x.rules), bool(x.legs)) for x in routes],
        [(x.name, [p.name for p in x.params]) for x in run],
    )
