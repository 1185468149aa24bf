"""How each column of the state is read.

In:  a definition, and what is known of its parameters: one is the *key*, a place, a unit or a side.
Out: for each column that it reads, directly or through others, how what it reads there belongs to the key.

- `place`, `unit`: only what the key itself owns: a mark on it, the units in it, what is remembered of it;
- `where`: only of units that stand in the key;
- `side`: only of the units of the key, a side;
- `set`: only through sets that the key is looked for in, which are the same for every key;
- `any`: none of these, or several.

So when a column changes for one owner, it is known which keys that invalidates (invalidation.py), and which memoised
results are dropped (`own`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core import nodes as c
from ..core.walk import waiver_exprs
from .dependencies import Depends

KEY, THERE, OPAQUE = "key", "there", "opaque"
Known = str | c.Expr
"""What is known of a name: it is the key, a unit that belongs to it, a value that no key has a part in, or nothing."""
Names = Mapping[str, Known]

KINDS = ("unit", "place", "side")
THINGS = {"place": ("units_at",), "unit": ("on_map",), "side": ("units", "occupied")}
"""What is asked of a key alone."""
MEMBERS = {"place": ("units_at",), "side": ("units", "counters")}
"""The units that belong to a key."""


def own_columns(depends: Depends, name: str) -> tuple[int, dict[str, str]] | None:
    """The parameter that a definition looks up columns for, and those that it reads only there, with how it does.

    When such a column changes for one owner, only the results for a few keys are dropped.
    """
    if name not in depends.owners:
        depends.owners[name] = find_own_columns(depends, name)
    return depends.owners[name]


def find_own_columns(depends: Depends, name: str) -> tuple[int, dict[str, str]] | None:
    d = depends.book.definitions[name]
    keys = [i for i, p in enumerate(d.params) if p.type.plain.name in KINDS and not p.type.many]
    for i in sorted(keys, key=lambda i: d.params[i].type.plain.name == "side"):
        look = Look(depends, d.params[i].type.plain.name, depends.looks)
        found = look.of(d, tuple(KEY if i == j else OPAQUE for j in range(len(d.params))))
        mine = {column: how for column, how in sorted(found.items()) if how not in ("any", "set")}
        if mine:
            return i, mine
    return None


@dataclass
class Look:
    """Notes how each column is read; `kind` is what a key is.

    With a `cache`, answers about definitions are shared, and sets are not told apart.
    """

    depends: Depends
    kind: str
    cache: dict[tuple[str, str, tuple[str, ...]], dict[str, str]] | None = None
    by: dict[str, str] = field(default_factory=dict)
    sets: list[c.Expr] = field(default_factory=list)
    known: set[tuple[str, tuple[Known, ...]]] = field(default_factory=set)

    def note(self, column: str, how: str) -> None:
        if how == "side" and column == "unit_side":
            how = "any"
        before = self.by.get(column, "set")
        self.by[column] = how if before in ("set", how) else before if how == "set" else "any"

    def note_all(self, columns: Iterable[str], how: str = "any") -> None:
        for column in columns:
            self.note(column, how)

    # ------------------------------------------------------------ expressions

    def at(self, e: c.Expr, names: Names) -> None:
        """Note what an expression reads."""
        match e:
            case c.Suppose() | c.OfQuota() | c.OfRoute() | c.OfMatching() | c.Grown():
                self.note_all(self.depends.of([e]))
                return
            case c.IsIn() if self.cache is None and self.what(e.item, names) == KEY and self.looked_for(e.many, names):
                return
            case c.Call() if self.asked(e, names):
                return
            case c.Loop() if e.inner is not None:
                self.at(e.base, names)
                self.at(e.inner, {**names, e.var: THERE if self.belong(e.base, names) else OPAQUE})
                return
            case _:
                pass
        reads: set[str] = set()
        calls: set[tuple[str, str]] = set()
        self.depends.look_at(e, reads, calls)
        for call in calls:
            reads |= self.depends.named(*call)
        self.note_all(reads, self.owner(e, names))
        for a in e.args:
            self.at(a, names)

    def owner(self, e: c.Expr, names: Names) -> str:
        """How what an expression itself reads belongs to the key."""
        if not isinstance(e, c.MarkOf | c.PlaceOf | c.Remembered | c.BuiltinCall) or len(e.args) != 1:
            return "any"
        what = self.what(e.args[0], names)
        match e:
            case c.BuiltinCall():
                mine = e.name in THINGS[self.kind] if what == KEY else what == THERE and e.name == "on_map"
                return self.kind if mine else "any"
            case c.MarkOf() | c.Remembered() if what == THERE and self.kind == "place":
                return "where"
            case _:
                return self.kind if what in (KEY, THERE) else "any"

    def what(self, e: c.Expr, names: Names) -> Known:
        """What is known of a value."""
        if isinstance(e, c.Local):
            return names.get(e.name, OPAQUE)
        if isinstance(e, c.PlaceOf) and self.kind == "place" and self.what(e.unit, names) == THERE:
            return KEY
        return (closed(e, names) if self.cache is None else None) or OPAQUE

    def belong(self, e: c.Expr, names: Names) -> bool:
        """Whether all members of a set are units that belong to the key: stand in the place, are of the side."""
        match e:
            case c.BuiltinCall():
                return e.name in MEMBERS.get(self.kind, ()) and self.what(e.asked[0], names) == KEY
            case c.Filter():
                return self.belong(e.base, names)
            case c.Without():
                return self.belong(e.left, names)
            case c.Call() if e.asked:
                d = self.depends.book.definitions[e.name]
                inner = self.inner(d, e, names)
                given = [x.value for layer in d.layers() for x in layer.clauses] if KEY in inner.values() else []
                return bool(given) and not d.gathered and all(self.belong(x, inner) for x in given)
            case _:
                return False

    def looked_for(self, e: c.Expr, names: Names) -> bool:
        """Note a set in which the key is looked for; says whether it is the same for every key."""
        found = closed(e, names) if self.cache is None else None
        if found is None:
            return False
        reads = self.depends.of([found])
        if reads and found not in self.sets:
            self.sets.append(found)
        self.note_all(reads, "set")
        return True

    # ------------------------------------------------------------ definitions

    def asked(self, e: c.Call, names: Names) -> bool:
        """Note what a definition reads that is asked about the key; says whether it is."""
        d = self.depends.book.definitions[e.name]
        inner = self.inner(d, e, names)
        given = tuple(inner.values())
        if KEY not in given and THERE not in given:
            return False
        for a in e.asked:
            self.at(a, names)
        if self.cache is not None:
            for column, how in self.of(d, given).items():
                self.note(column, how)
        elif (d.name, given) not in self.known:
            self.known.add((d.name, given))
            self.definition(d, inner)
        return True

    def of(self, d: c.Definition, given: tuple[Any, ...]) -> dict[str, str]:
        """How a definition reads columns when this is known of its parameters."""
        assert self.cache is not None
        key = (self.kind, d.name, given)
        if key not in self.cache:
            look = Look(self.depends, self.kind, self.cache)
            look.definition(d, dict(zip((p.name for p in d.params), given, strict=True)))
            self.cache[key] = look.by
        return self.cache[key]

    def inner(self, d: c.Definition, e: c.Call, names: Names) -> dict[str, Known]:
        """What a definition knows of its parameters."""
        return {p.name: self.what(a, names) for p, a in zip(d.params, e.asked, strict=True)}

    def definition(self, d: c.Definition, names: Names) -> None:
        for layer in d.layers():
            within = dict(names)
            for name, value in layer.lets:
                self.at(value, within)
                within[name] = self.what(value, within)
            for clause in layer.clauses:
                self.at(clause.value, within)
                if clause.guard is not None:
                    self.at(clause.guard, within)
            for w in layer.waivers:
                for e in waiver_exprs(w):
                    self.at(e, names)
        for stage in d.stages:
            for cap in (stage.most, stage.least):
                if cap is not None:
                    self.at(cap, names)


def closed(e: c.Expr, names: Names, bound: frozenset[str] = frozenset()) -> c.Expr | None:
    """An expression in which every name stands for what it is; none where the key has a part in it."""
    match e:
        case c.Keep() | c.Usual():
            return None
        case c.Local() if e.name not in bound:
            found = names.get(e.name, OPAQUE)
            return None if isinstance(found, str) else found
        case c.Loop() if e.inner is not None:
            bound |= {e.var}
        case _:
            pass
    args = [closed(a, names, bound) for a in e.args]
    return None if None in args else e.with_args(tuple(a for a in args if a is not None))
