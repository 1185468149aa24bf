"""Mixed rule sets: the first of two with some of the facts that lead to the second.

In:  two rule sets and the facts between them.
Out: for a set of facts the first rule set with these applied, in the core; None where that does not compile, because
     one of them needs another.

A fact is applied by edits of declarations (one added, one struck, a part taken from the other side) and of printed
values (a counter, a hex, a cell). Facts that share an edit are inseparable. Renumbered cases and renamed things do not
affect play: every mixed rule set uses the numbers and names of the second.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import room_for_chains

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.entries import Entry
from ..diff.entries import digest, each_field, node_digest
from ..diff.facts import Compared, Fact
from ..passes.compiled import Compiled, Pass, stop_on_errors
from ..passes.elaborate import check_names, declare, elaborate, schema
from ..pipeline import run
from .merge import Apart, differences, merge
from .printed_edits import Address, carried, cell_edits, printed_edits, tells

Edit = tuple[Any, ...]
"""An edit by its kind and place: `add` and `strike` an entry, `part` of a pair, `under`, `block` of data, `value`."""

TO_CORE: tuple[Pass, ...] = (check_names, schema, declare, elaborate, stop_on_errors)
KEPT = 16
"""How many rule sets are kept at a time."""
QUIET = frozenset({"phrase", "example", "title", "case", "provenance", "invariant", "untranslated", "overlay"})
KINDS = {
    "roster": ("unit",),
    "map": ("map feature", "map"),
    "calendar": ("calendar",),
    "scenario": ("set-up", "scenario"),
}
BLOCKS = {"unit": "roster", "hex": "map", "side": "map", "set-up": "scenario", "mark": "scenario"}


@dataclass(frozen=True, slots=True)
class Pair:
    """A declaration on both sides, with its differences."""

    old: Entry
    new: Entry
    parts: tuple[Apart, ...] = ()


class Mixer:
    """Makes the mixed rule sets between two."""

    def __init__(self, a: Compiled, b: Compiled, compared: Compared) -> None:
        assert a.book is not None and b.book is not None and a.entries is not None and b.entries is not None
        self.a, self.b = a, b
        self.facts = [f for f in compared.facts if f.element not in QUIET]
        self.books: tuple[c.Book, c.Book] = (a.book, b.book)
        self.ours, self.theirs = each_field(a.entries), each_field(b.entries)
        m = compared.matched
        self.pairs = [Pair(x, y, self.apart(x, y)) for x, y in m.pairs]
        self.added, self.struck = m.added, m.struck
        self.addresses: list[Address] = []
        self.owned: dict[Edit, list[str]] = {}
        self.own_declarations()
        self.own_values()
        self.together = groups([owners for owners in self.owned.values() if owners], [f.id for f in self.facts])
        self.spots = self.anchors()
        self.known: dict[frozenset[str], Compiled | None] = {}
        self.cores: dict[frozenset[Edit], Compiled] = {}
        self.memories: dict[bool, Memory] = {}

    # ------------------------------------------------------------ edits and their facts

    def apart(self, x: Entry, y: Entry) -> tuple[Apart, ...]:
        if isinstance(y.node, n.Data | n.Table | n.Example) or type(x.node) is not type(y.node):
            return ()
        return tuple(differences(x.node, y.node))

    def own_declarations(self) -> None:
        for i, p in enumerate(self.pairs):
            mine = [f for f in self.facts if f.old is p.old or f.new is p.new]
            if isinstance(p.new.node, n.Data | n.Example):
                continue
            if isinstance(p.new.node, n.Table):
                self.own_cells(i, p, mine)
                continue
            if not p.parts:
                self.own(("whole", i), mine)
            if [node_digest(u) for u in p.old.under] != [node_digest(u) for u in p.new.under]:
                self.own(("under", i), [f for f in mine if f.where == "under"] or mine)
            rules = [f for f in mine if f.where != "under" and f.element not in ("provenance", "title")]
            held: set[str] = set()
            rest: list[Edit] = []
            for part in p.parts:
                found = [f for f in rules if f.part is not None and part.within(f.part.before, f.part.after)]
                held |= {f.id for f in found}
                if found:
                    self.own(("part", i, part.path), found)
                else:
                    rest.append(("part", i, part.path))
            idle = [f for f in rules if f.id not in held]
            for edit in rest:
                self.own(edit, idle or rules)
        for i, e in enumerate(self.added):
            self.own(("add", i), [f for f in self.facts if f.new is e or f.old is e] or self.printed(e))
        for i, e in enumerate(self.struck):
            self.own(("strike", i), [f for f in self.facts if f.old is e or f.new is e] or self.printed(e))

    def own_cells(self, i: int, p: Pair, mine: list[Fact]) -> None:
        assert isinstance(p.new.node, n.Table) and isinstance(p.old.node, n.Table)
        same = p.old.node.name == p.new.node.name
        found = cell_edits(*self.books, p.new.node.name) if same else None
        if found is None:
            self.own(("whole", i), mine)
            return
        for address in found:
            self.addresses.append(address)
            self.own(("value", address), [f for f in mine if tells(f, address)] or mine)

    def own_values(self) -> None:
        """The edits of printed values; a value that cannot be edited alone goes with its block."""
        addresses = printed_edits(*self.books)
        told: set[str] = set()
        for address in addresses:
            mine = [f for f in self.facts if tells(f, address)]
            if mine:
                self.addresses.append(address)
                self.own(("value", address), mine)
                told |= {f.id for f in mine}
        for kind, elements in KINDS.items():
            mine = [f for f in self.facts if f.element in elements and f.id not in told and f.kind != "renamed"]
            self.own(("block", kind), mine)

    def printed(self, e: Entry) -> list[Fact]:
        """The facts that describe the edit of one printed value."""
        if not isinstance(e.node, n.AmendPrinted):
            return []
        thing, field = e.node.thing, e.node.field
        words: list[Address] = [("unit", thing, field), ("hex", field, thing)]
        return [f for f in self.facts if any(tells(f, x) for x in words)]

    def own(self, edit: Edit, facts: Iterable[Fact]) -> None:
        self.owned[edit] = list(dict.fromkeys([*self.owned.get(edit, ()), *(f.id for f in facts)]))

    def movable(self, id: str) -> bool:
        """Whether a fact is applied by any edit."""
        return any(id in owners for owners in self.owned.values())

    # ------------------------------------------------------------ a rule set

    def whole(self, chosen: Iterable[str]) -> frozenset[str]:
        """Facts with all those that are inseparable from them."""
        return frozenset(x for id in chosen for x in self.together.get(id, (id,)))

    def mix(self, chosen: Iterable[str]) -> Compiled | None:
        """The first rule set with these facts, in the core; None where that does not compile."""
        wanted = self.whole(chosen)
        if wanted not in self.known:
            self.known[wanted] = self.made(wanted)
            while len(self.known) > KEPT:
                del self.known[next(iter(self.known))]
        return self.known[wanted]

    def made(self, wanted: frozenset[str]) -> Compiled | None:
        if wanted >= {f.id for f in self.facts}:
            return self.b

        def taken(edit: Edit) -> bool:
            owners = self.owned.get(edit)
            return not owners or not wanted.isdisjoint(owners)

        made = self.core(taken, wanted)
        if made.stopped or made.book is None:
            return None
        word = "\n".join((self.a.digest, self.b.digest, *sorted(repr(x) for x in self.owned if taken(x))))
        digest = hashlib.sha256(word.encode()).hexdigest()
        return replace(made, book=self.values(made.book, taken), digest=digest)

    def core(self, taken: Callable[[Edit], bool], wanted: frozenset[str]) -> Compiled:
        """A rule set with the chosen edits of declarations; cached, since all choices of printed values share it."""
        key = frozenset(x for x in self.owned if x[0] != "value" and taken(x))
        if key not in self.cores:
            collected = self.b.collected
            assert collected is not None and self.a.collected is not None
            cases = {**self.a.collected.cases, **collected.cases}
            made = replace(
                self.b,
                report=Reporter(),
                memory=self.memory(wanted),
                collected=replace(collected, cases=cases),
                entries=list(self.entries(taken)),
                digest="",
                emitted=None,
                lowered=None,
            )
            with room_for_chains():
                self.cores[key] = run(TO_CORE, made)
            while len(self.cores) > KEPT:
                del self.cores[next(iter(self.cores))]
        return self.cores[key]

    def memory(self, wanted: frozenset[str]) -> Memory:
        """The incremental cache to use for a rule set: one for those near the first, one for those near the second."""
        few = len(wanted) * 2 < len(self.facts)
        self.memories[few] = self.memories.get(few, self.b.memory).aside()
        return self.memories[few]

    def entries(self, taken: Callable[[Edit], bool]) -> Iterator[Entry]:
        paired = {id(p.new): i for i, p in enumerate(self.pairs)}
        added = {id(e): i for i, e in enumerate(self.added)}
        back: dict[int, list[Entry]] = {}
        for i, e in enumerate(self.struck):
            gone = self.block(e, taken) if isinstance(e.node, n.Data) else taken(("strike", i))
            if not gone and not isinstance(e.node, n.Example):
                back.setdefault(self.spots[i], []).append(e)
        yield from back.get(-1, ())
        for at, e in enumerate(self.theirs):
            if isinstance(e.node, n.Example):
                pass
            elif id(e) in paired:
                yield self.version(paired[id(e)], taken)
            elif id(e) not in added or self.comes(added[id(e)], e, taken):
                yield e
            yield from back.get(at, ())

    def comes(self, i: int, e: Entry, taken: Callable[[Edit], bool]) -> bool:
        """Whether an added entry is included."""
        return self.block(e, taken) if isinstance(e.node, n.Data) else taken(("add", i))

    def block(self, e: Entry, taken: Callable[[Edit], bool]) -> bool:
        """Whether a data block is taken from the second rule set."""
        assert isinstance(e.node, n.Data)
        edit = ("block", e.node.kind)
        return taken(edit) if self.owned.get(edit) else False

    def version(self, i: int, taken: Callable[[Edit], bool]) -> Entry:
        """A declaration of both sides with the chosen differences applied."""
        p = self.pairs[i]
        if isinstance(p.new.node, n.Data):
            return p.new if self.block(p.new, taken) else replace(p.new, node=p.old.node)
        if ("whole", i) in self.owned:
            return p.new if taken(("whole", i)) else replace(p.new, node=p.old.node, under=p.old.under)
        if isinstance(p.new.node, n.Table):
            return replace(p.new, node=p.old.node)
        node = merge(p.old.node, p.new.node, lambda path: taken(("part", i, path)))
        under = p.new.under if taken(("under", i)) else p.old.under
        if node is p.new.node and under is p.new.under:
            return p.new
        whole = not any(taken(("part", i, x.path)) for x in p.parts)
        return replace(p.new, node=p.old.node if whole else node, under=under)

    def values(self, book: c.Book, taken: Callable[[Edit], bool]) -> c.Book:
        """The book with the chosen printed values of the second, and the others of the first."""
        forward, backward = [], []
        for address in self.addresses:
            kind = BLOCKS.get(address[0])
            from_second = kind is not None and bool(self.owned.get(("block", kind))) and taken(("block", kind))
            chosen = taken(("value", address))
            if chosen and not from_second:
                forward.append(address)
            elif from_second and not chosen:
                backward.append(address)
        return carried(carried(book, self.books[1], forward), self.books[0], backward)

    def anchors(self) -> list[int]:
        """For each struck entry the index in the second list after which it belongs; -1 for the beginning."""
        at = {spot(e): i for i, e in enumerate(self.ours)}
        before: dict[str, list[int]] = {}
        for i, e in enumerate(self.ours):
            before.setdefault(digest(e), []).append(i)
        paired = {id(p.new): p.old for p in self.pairs}
        known: list[tuple[int, int]] = []
        for j, e in enumerate(self.theirs):
            if id(e) in paired:
                stood = at.get(spot(paired[id(e)]))
                if stood is not None:
                    known.append((stood, j))
            elif before.get(digest(e)):
                known.append((before[digest(e)].pop(0), j))
        found = []
        for e in self.struck:
            mine = at.get(spot(e), len(self.ours))
            found.append(max(((i, j) for i, j in known if i < mine), default=(0, -1))[1])
        return found


def spot(e: Entry) -> tuple[int, int, int]:
    """The source position of a declaration; a renumbered or renamed copy keeps it."""
    span = e.node.span
    return id(span.origin), span.row, span.column


def groups(shared: Iterable[list[str]], every: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Inseparable facts: the transitive closure of sharing an edit."""
    home = {id: id for id in every}

    def root(x: str) -> str:
        while home[x] != x:
            x = home[x]
        return x

    for ids in shared:
        for other in ids[1:]:
            home[root(other)] = root(ids[0])
    found: dict[str, list[str]] = {}
    for id in home:
        found.setdefault(root(id), []).append(id)
    return {id: tuple(found[root(id)]) for id in home}
