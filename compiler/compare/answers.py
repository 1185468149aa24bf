"""What a book says of a concept: its declarations, with their sentences.

In:  a book in the core, a concept, the names of the book's own.
Out: the declarations that answer it, each with its case and what it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core import nodes as c
from ..core.names import Name
from ..core.walk import statements
from ..diff.dependents import asked, statement_names
from ..words.cases import said_of
from ..words.english import listed, sentence, words
from ..words.expressions import Words
from ..words.said import Said
from .concepts import WIN, Concept


@dataclass(frozen=True, slots=True)
class Answer:
    """One declaration that answers a concept."""

    key: Name
    case: str
    node: Any
    said: tuple[Said, ...]
    asks: frozenset[Name] = frozenset()
    """What a part of a declaration asks, where only that part answers."""
    house: bool = False


SORTS: tuple[tuple[str, str], ...] = (
    ("define", "definitions"),
    ("grow", "grows"),
    ("define", "memories"),
    ("define", "quotas"),
    ("route", "routes"),
    ("matching", "matchings"),
    ("action", "actions"),
    ("procedure", "procedures"),
    ("duty", "duties"),
    ("table", "tables"),
)


def answers(book: c.Book, w: Words, concept: Concept, own: Sequence[str]) -> list[Answer]:
    """The declarations of a book that answer a concept, those of the shared names first."""
    found: dict[int, Answer] = {}
    for name in dict.fromkeys([*concept.names, *own]):
        if name == WIN:
            for key, node, procedure in winning(book):
                asks = frozenset(statement_names(procedure))
                if isinstance(node, c.Trigger) and node.guard is not None:
                    asks |= frozenset(asked((node.guard,)))
                found[id(node)] = Answer(key, str(node.case), node, tuple(said_of(w, node)), asks, made_up(book, node))
            continue
        for key, node in named(book, name):
            said = (table(node),) if isinstance(node, c.Table) else tuple(said_of(w, node))
            found.setdefault(id(node), Answer(key, str(node.case), node, said, house=made_up(book, node)))
    return list(found.values())


def made_up(book: c.Book, node: Any) -> bool:
    """Whether a declaration is ours, for the print lacks it."""
    name = getattr(node, "name", "")
    return bool(getattr(node, "house", False)) or f"{node.case} {name}" in book.house or node.case in book.house


def named(book: c.Book, name: str) -> Iterator[tuple[Name, Any]]:
    """Every declaration of that name that can be said."""
    kept = {*book.memories, *book.quotas}
    for sort, home in SORTS:
        several: Mapping[str, Any] = getattr(book, home)
        x = several.get(name)
        if x is not None and not (home == "definitions" and (x.sort != "define" or name in kept)):
            yield (sort, name), x
    for (_, mark), x in book.marks.items():
        if mark == name:
            yield ("mark", name), x


def winning(book: c.Book) -> Iterator[tuple[Name, Any, c.Procedure]]:
    """Every procedure, action and trigger in which a side wins, with nothing in it but what leads to that."""
    for name, p in book.procedures.items():
        if wins(p.body):
            made = replace(p, body=leading(p.body), wrappers=())
            yield ("procedure", name), made, made
    for name, a in book.actions.items():
        if wins(a.procedure.body):
            made = replace(a.procedure, body=leading(a.procedure.body), wrappers=())
            yield ("action", name), replace(a, procedure=made), made
    for t in book.triggers:
        if wins(t.procedure.body):
            made = replace(t.procedure, body=leading(t.procedure.body), wrappers=())
            yield ("trigger", t.id), replace(t, procedure=made), made


def wins(body: tuple[c.Stmt, ...]) -> bool:
    return any(isinstance(s, c.Win) for s in statements(body))


def leading(body: tuple[c.Stmt, ...]) -> tuple[c.Stmt, ...]:
    """The statements that lead to a win, with the tests before it and the names that these use."""
    found: list[c.Stmt] = []
    for s in body:
        match s:
            case c.Win() | c.Let() | c.Roll():
                found.append(s)
            case c.If() if wins((s,)):
                found.append(replace(s, block=kept(s.block), otherwise=kept(s.otherwise)))
            case c.ForEach() | c.Repeat() | c.Block() | c.Together() | c.RunPhase() if wins((s,)):
                found.append(replace(s, block=leading(s.block)))
            case _ if wins((s,)):
                found.append(s)
    return tuple(found)


def kept(body: tuple[c.Stmt, ...]) -> tuple[c.Stmt, ...]:
    """A branch: empty where nobody wins in it."""
    return leading(body) if wins(body) else ()


def table(t: c.Table) -> Said:
    by = listed([words(p.name) for p in t.params])
    return Said(sentence(f"a table gives “{words(t.name)}” by {by}"), (), t.case)
