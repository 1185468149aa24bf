"""Names in procedures under way that stand for secrets: `let`s, members of loops, arguments.

In:  the book in the core, and what ends in secrets or rests on them.
Out: by procedure and name, the secrets that the name tells: a column (`side_plan`), with its owner where that is known
     (`side_plan=red`, or `side_plan=@s` for the side in a name), another name (`name lot`), a box (`box hand`), the
     argument of whoever acts (`=@actor`), or `*`. The runtime hides the name from whoever may not know one of them.

Secret answers and draws are noted in play, with the side that they belong to; here is what is made from them.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..core import nodes as c
from ..core.walk import all_procedures
from .dependencies import column_of
from .secret_flows import Telling, each_statement, moved_openly, secret_names

Names = dict[str, frozenset[str]]


def names_of_secrets(telling: Telling) -> dict[str, dict[str, tuple[str, ...]]]:
    """By procedure, the names in it that tell secrets, each with those."""
    if not telling:
        return {}
    acting = {id(a.procedure): a for a in telling.book.actions.values()}
    procedures = {f"action {p.name}" if id(p) in acting else p.name: p for p in all_procedures(telling.book)}
    given: dict[str, Names] = {
        name: {x: frozenset(("=@actor",)) for x in telling.kept(acting[id(p)])} if id(p) in acting else {}
        for name, p in procedures.items()
    }
    found: dict[str, Names] = {}
    for _ in range(len(procedures) + 1):  # what is handed on from procedure to procedure
        before = {name: dict(names) for name, names in given.items()}
        found = {name: Block(telling, name, p, given).names for name, p in procedures.items()}
        if given == before:
            break
    return {
        name: {x: tuple(sorted(rests)) for x, rests in sorted(names.items())} for name, names in found.items() if names
    }


class Block:
    """The names of one procedure, followed through its statements."""

    def __init__(self, telling: Telling, name: str, p: c.Procedure, given: dict[str, Names]) -> None:
        self.telling, self.given = telling, given
        self.names: Names = dict(given[name])
        self.still = {x.name for x in p.params} | {"actor"}
        for body in (p.body, *(w.body for w in p.wrappers)):
            self.secret = secret_names(body)
            self.follow(body)

    def follow(self, body: tuple[c.Stmt, ...]) -> None:
        for s in body:
            if isinstance(s, c.Let):
                self.add(self.names, s.name, self.told((s.value,)))
            elif isinstance(s, c.ForEach):
                self.add(self.names, s.var, self.told((s.source,)))
            elif isinstance(s, c.Do) and s.name in self.telling.book.procedures:
                called = self.telling.book.procedures[s.name]
                open_ = {name for inner in each_statement(called.body) for name in shown_by(inner, self.telling)}
                for param, value in zip(called.params, s.given, strict=True):
                    if param.name not in open_:
                        self.add(self.given[s.name], param.name, self.handed_on(self.told((value,))))
            self.follow(s.body)
            self.follow(s.other)

    @staticmethod
    def add(names: Names, name: str, rests: frozenset[str]) -> None:
        if rests:
            names[name] = names.get(name, frozenset()) | rests

    def told(self, exprs: Iterable[c.Expr]) -> frozenset[str]:
        """The secrets that some expressions tell."""
        exprs = tuple(exprs)
        asked = [e for top in exprs for e in top.walk()]
        heard = {e.name for e in asked if isinstance(e, c.Local)}
        found = {f"name {x}" for x in heard & (self.secret | set(self.names))}
        rests = self.telling.rests_on(exprs)
        own = {column_of(e): self.owner(e) for e in asked if isinstance(e, c.MarkOf) and column_of(e) in rests}
        alone = [e for e in asked if isinstance(e, c.MarkOf) and column_of(e) in own]
        direct = len(alone) == len(own) and not self.telling.rests_on(x for e in asked for x in indirect(e))
        return frozenset(found | {x + own.get(x, "") if direct else x for x in rests})

    def handed_on(self, told: frozenset[str]) -> frozenset[str]:
        """Secrets as another procedure can name them, which does not know these names.

        Answers, draws and arguments of actions are followed no further: to hand them on is to act on them.
        """
        known = {x for name in told if name.startswith("name ") for x in self.names.get(name[5:], ())}
        return frozenset(elsewhere(x) for x in {*told, *known} if not x.startswith(("name ", "=@")))

    def owner(self, e: c.MarkOf) -> str:
        """Whose mark it is, as far as the text says."""
        match e.of:
            case c.Const(value=str(value)):
                return f"={value}"
            case c.Local(name) if name in self.still:
                return f"=@{name}"
            case c.Bound(name):
                return f"=@{name}"
            case _:
                return ""


def shown_by(s: c.Stmt, telling: Telling) -> Iterable[str]:
    """The names that a statement shows to everybody: what moves, and where to."""
    moved = tuple(moved_openly(s, telling))
    yield from moved
    if moved and isinstance(s, c.Put) and isinstance(s.place, c.Local):
        yield s.place.name


def indirect(e: c.Expr) -> Iterable[c.Expr]:
    """An operator that reads marks through others."""
    return (e,) if isinstance(e, c.Call | c.OfRoute | c.OfMatching | c.Grown | c.Remembered | c.OfQuota) else ()


def elsewhere(secret: str) -> str:
    """A secret as another procedure can name it: with its owner only where that is the same everywhere."""
    column, _, owner = secret.partition("=")
    return column if owner.startswith("@") else secret
