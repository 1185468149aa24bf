"""Where secrets flow: arguments of actions, bindings of phases, keys and amounts of quotas.

In:  the book in the core, the dependencies, and which rules look into secret boxes.
Out: for each action the arguments that end in something secret, each with where it ends; for each binding and quota
     the secrets that it depends on. The runtime leaves them out for whoever may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..core import nodes as c
from ..core.shown import veil_keys
from ..core.types import NUMBER
from ..core.walk import all_procedures
from .dependencies import Depends, column_name, hidden_memories
from .secret_boxes import SecretBoxes

NOBODY = "*"
"""In place of a mark: a secret answer or draw of a procedure under way, which no mark shows the owner of."""

Sinks = dict[str, frozenset[str]]
"""Of some names, the columns of the secret marks that they end in."""


@dataclass(slots=True)
class Telling:
    """What ends in a secret, by action and procedure; built once for a book."""

    book: c.Book
    depends: Depends
    boxes: SecretBoxes
    other: frozenset[str] = frozenset()
    """Columns to follow in place of those of secret marks."""
    guarded: bool = True
    """Whether what decides if something is set ends there, too."""
    secret: frozenset[str] = field(init=False)
    memories: Mapping[str, tuple[str, ...]] = field(init=False)
    known: dict[str, Sinks] = field(default_factory=dict)

    def __post_init__(self) -> None:
        marks = self.book.marks.items()
        self.secret = self.other or frozenset(column_name(*key) for key, mark in marks if mark.secret_to is not None)
        self.memories = hidden_memories(self.book, self.depends) if self.secret else {}

    def __bool__(self) -> bool:
        return bool(self.secret or self.boxes)

    def kept(self, action: c.Action) -> Sinks:
        """The arguments of an action that end in something secret and are not moved in the open."""
        found = self.sinks(action.procedure)
        open_ = {name for s in action.procedure.body for name in moved_openly(s, self)}
        return {p.name: found[p.name] for p in action.params if p.name in found and p.name not in open_}

    def sinks(self, p: c.Procedure) -> Sinks:
        """The parameters of a procedure that end in something secret, in it or in what it runs."""
        if p.name not in self.known:
            self.known[p.name] = {}  # a circle adds nothing
            ends: dict[str, set[str]] = {x.name: set() for x in p.params}
            for body in (p.body, *(w.body for w in p.wrappers)):
                self._block(body, {x.name: frozenset((x.name,)) for x in p.params}, frozenset(), ends)
            self.known[p.name] = {name: frozenset(found) for name, found in ends.items() if found}
        return self.known[p.name]

    def _block(
        self,
        body: tuple[c.Stmt, ...],
        outer: Mapping[str, frozenset[str]],
        guards: frozenset[str],
        ends: dict[str, set[str]],
    ) -> None:
        """Follow the parameters through a block; `outer` says which of them each name is made from."""
        env = dict(outer)
        for s in body:
            for names, sink in self._ends(s, env):
                for name in names | (guards if self.guarded else frozenset()):
                    ends[name].add(sink)
            inner, within = env, guards
            if isinstance(s, c.Let):
                env[s.name] = made_from((s.value,), env)
            elif isinstance(s, c.ForEach):
                inner = {**env, s.var: made_from((s.source,), env)}
            if isinstance(s, c.If | c.ForEach | c.Repeat | c.RunPhase):
                within = guards | made_from(s.args, env)
            self._block(s.body, inner, within, ends)
            self._block(s.other, inner, within, ends)

    def _ends(self, s: c.Stmt, env: Mapping[str, frozenset[str]]) -> Iterable[tuple[frozenset[str], str]]:
        """The secrets that a statement itself makes, each with the parameters that it makes them from."""
        if isinstance(s, c.SetMark) and column_name(*s.key) in self.secret:
            yield made_from(s.args, env), column_name(*s.key)
        elif isinstance(s, c.Do) and s.name in self.book.procedures:
            called = self.book.procedures[s.name]
            inner = self.sinks(called)
            for param, given in zip(called.params, s.given, strict=True):
                for sink in sorted(inner.get(param.name, ())):
                    yield made_from((given,), env), sink

    def rests_on(self, exprs: Iterable[c.Expr], hidden: frozenset[str] = frozenset()) -> set[str]:
        """The secrets that some expressions read, or hear of from names that are `hidden`."""
        exprs = tuple(exprs)
        reads = self.depends.of(exprs)
        found = set(reads & self.secret) | {f"box {name}" for name in self.boxes.of(exprs)}
        found |= {x for name, columns in self.memories.items() if f"past_{name}" in reads for x in columns}
        names = {e.name for top in exprs for e in top.walk() if isinstance(e, c.Local)}
        return found | ({NOBODY} if names & hidden else set())


def made_from(exprs: Iterable[c.Expr], env: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The parameters that some expressions are made from."""
    names = (e.name for top in exprs for e in top.walk() if isinstance(e, c.Local))
    return frozenset(x for name in names for x in env.get(name, ()))


def moved_openly(s: c.Stmt, telling: Telling) -> Iterable[str]:
    """The names of what a statement moves before everybody's eyes."""
    if isinstance(s, c.Put) and isinstance(s.what, c.Local) and not telling.boxes.of((s.place,)):
        yield s.what.name
    elif isinstance(s, c.Walk) and isinstance(s.unit, c.Local):
        yield s.unit.name


def secret_names(body: tuple[c.Stmt, ...]) -> frozenset[str]:
    """The names of secret answers and draws in a block."""
    found: set[str] = set()
    for s in body:
        if isinstance(s, c.AskSide) and s.ask.secret:
            found.add(s.ask.name)
        elif isinstance(s, c.Draw) and s.secretly_for is not None:
            found.add(s.name)
        found |= secret_names(s.body) | secret_names(s.other)
    return frozenset(found)


def each_statement(body: tuple[c.Stmt, ...]) -> Iterable[c.Stmt]:
    for s in body:
        yield s
        yield from each_statement(s.body)
        yield from each_statement(s.other)


def kept_arguments(telling: Telling) -> dict[str, tuple[str, ...]]:
    """The arguments of actions that only the acting side may read.

    Of what ends in a mark of places that is veiled these are the numbers: how much is laid down or taken up.
    """
    found = {name: tuple(telling.kept(action)) for name, action in telling.book.actions.items()} if telling else {}
    veiled = frozenset(key for key in veil_keys(telling.book) if key != "unit")
    follow = Telling(telling.book, telling.depends, telling.boxes, veiled)
    for name, action in telling.book.actions.items() if veiled else ():
        sinks = follow.sinks(action.procedure)
        amounts = [p.name for p in action.params if p.name in sinks and p.type.plain == NUMBER]
        found[name] = tuple(dict.fromkeys((*found.get(name, ()), *amounts)))
    return {name: kept for name, kept in found.items() if kept}


def hidden_tables(telling: Telling) -> dict[str, tuple[str, ...]]:
    """The bindings (`bind_NAME`) and quotas (`spent_NAME`) that depend on secrets, each with those secrets."""
    found: dict[str, set[str]] = {}
    if not telling:
        return {}
    for p in all_procedures(telling.book):
        for body in (p.body, *(w.body for w in p.wrappers)):
            hidden = secret_names(body)
            for s in each_statement(body):
                if isinstance(s, c.RunPhase) and s.var is not None and s.source is not None:
                    found.setdefault(f"bind_{s.var}", set()).update(telling.rests_on((s.source,), hidden))
                elif isinstance(s, c.Spend):
                    found.setdefault(f"spent_{s.quota}", set()).update(telling.rests_on(s.args, hidden))
    for action in telling.book.actions.values():
        kept = telling.kept(action)
        said = (s for s in each_statement(action.procedure.body) if isinstance(s, c.Spend))
        for quota, given, amount in (*action.spends, *((s.quota, s.given, s.amount) for s in said)):
            names = {e.name for top in (*given, amount) for e in top.walk() if isinstance(e, c.Local)}
            rests = telling.rests_on((*given, amount)) | {x for name in names for x in kept.get(name, ())}
            found.setdefault(f"spent_{quota}", set()).update(rests)
    return {name: tuple(sorted(rests)) for name, rests in sorted(found.items()) if rests}
