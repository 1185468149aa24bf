"""What all emitters of one set of modules share: the book, its names and constants, and what is built so far.

In:  the book, its lowered procedures, its dependencies.
Out: drafts of functions, which chunks.py prints; the registry of memoised results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..analyse.dependencies import Depends
from ..analyse.inline import TABLE, Fold
from ..analyse.value_ranges import Foreseen
from ..cache.incremental import Memory, Room
from ..core import nodes as c
from ..core.texts import type_text
from ..core.types import Type
from .fixed import Fixed
from .lowering.blocks import Lowered
from .memo_dependencies import Rests
from .model.expressions import At, Cited, Expr, Ref
from .model.statements import Function, Hint, Param, Stmt
from .naming import STATE, Naming, chapter_of
from .procedures.effects import Effects


@dataclass(slots=True, eq=False)
class Draft:
    """A function while it is built."""

    home: str
    name: str
    params: tuple[Param, ...]
    returns: Hint | None
    doc: str
    types: tuple[tuple[str, str], ...] = ()
    body: list[Stmt] = field(default_factory=list)

    def finished(self) -> Function:
        return Function(self.name, self.params, self.returns, self.doc, tuple(self.body), self.types)

    @property
    def ref(self) -> Ref:
        return Ref(self.home, self.name)


class Context:
    """The set of modules that is being built: the plain rules, or their traced twin."""

    def __init__(
        self,
        book: c.Book,
        lowered: dict[str, Lowered],
        depends: Depends,
        naming: Naming,
        fixed: Fixed,
        effects: Effects,
        foreseen: Foreseen,
        folds: dict[str, Fold] | None,
        traced: bool,
        memory: Memory,
    ) -> None:
        self.book = book
        self.lowered = lowered
        self.depends = depends
        self.naming = naming
        self.fixed = fixed
        self.effects = effects
        self.foreseen = foreseen
        self.traced = traced
        self.folded = folds is not None and not traced
        self.folds = {k: x for k, x in (folds or {}).items() if x == TABLE or not traced}
        self.memory = memory
        self.worth = memory.room("worth traced" if traced else "worth")
        self.room = Room()
        self.kept_sets: frozenset[str] = frozenset()
        self.askers: Mapping[str, tuple[c.Definition, ...]] = {}
        self.memo: dict[str, Rests] = {}
        self.drafts: list[Draft] = []
        self.names: set[str] = set()
        self.made: set[str] = set()
        self.claimed: set[str] = set()
        self.tried: set[str] = set()
        self.collided = False
        self.noted: list[tuple[str, Rests]] = []
        self.how_asked: dict[str, Fold | None] = {}
        self.answers: dict[str, None] = {}
        self.looked_up: dict[str, None] = {}

    # ------------------------------------------------------------ what is known of the book

    def how(self, name: str) -> Fold | None:
        """How a definition is called, where it is no plain function."""
        found = self.how_asked[name] = self.folds.get(name)
        return found

    @property
    def foresees(self) -> bool:
        """Whether value ranges are used to choose cheaper arithmetic."""
        return self.folded or self.traced

    def title(self, case: str) -> str:
        return f"{case} {self.book.cases.get(case, '')}".strip()

    def local(self, name: str) -> str:
        return self.naming.local(name)

    # ------------------------------------------------------------ functions

    def function(
        self,
        home: str,
        name: str,
        params: Iterable[Param],
        returns: Hint | None,
        doc: str,
        types: Iterable[c.Param] = (),
    ) -> Draft:
        if name in self.names:
            raise ValueError(f"two functions called {name}")
        self.names.add(name)
        self.made.add(name)
        told = tuple((self.local(x.name), type_text(x.type, self.book)) for x in types)
        made = Draft(home, name, tuple(params), returns, doc, told)
        self.drafts.append(made)
        return made

    def about(
        self, case: str, name: str, params: Iterable[c.Param], returns: Hint | None, doc: str, *more: Param
    ) -> Draft:
        """A function of the state and of an author's parameters, in the chapter of a case."""
        given = tuple(params)
        return self.function(chapter_of(case), name, (*self.params(given), *more), returns, doc, given)

    def params(self, params: Iterable[c.Param]) -> tuple[Param, ...]:
        """The state, and what an author's declaration is about."""
        return (Param("S", STATE), *(Param(self.local(x.name), self.naming.hint(x.type)) for x in params))

    def unique(self, name: str) -> str:
        """A name for a function that nobody else calls by its name."""
        found, i = name, 1
        self.tried.add(found)
        while found in self.names or found in self.claimed or found in self.naming.taken:
            self.collided = self.collided or found not in self.made
            i += 1
            found = f"{name}_{i}"
            self.tried.add(found)
        self.claimed.add(found)
        return found

    def sink(self, f: Draft) -> None:
        """Keep helper functions above the one that calls them."""
        self.drafts.remove(f)
        self.drafts.append(f)

    def slot(self, name: str, rests: Rests) -> Ref:
        """The slot of the state that holds a function's memoised results."""
        self.memo[name] = rests
        self.noted.append((name, rests))
        return Ref("kept", kept_name(name))

    def hint(self, t: Type | None) -> Hint | None:
        return self.naming.hint(t)


def kept_name(name: str) -> str:
    """The constant with the number of that slot; two functions never share one."""
    return "KEPT_" + (name.upper() if name == name.lower() else f"AS_{name}")


def at(case: str, span: object, element: str) -> At:
    return At(case, span, element)  # type: ignore[arg-type]


def cited(e: Expr, *places: At) -> Expr:
    """An expression with the cases that speak in it besides."""
    for place in places:
        e = Cited(e, place)
    return e
