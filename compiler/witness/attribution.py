"""Attribute evidence to the facts that cause it.

In:  a worked example that holds under one of two rule sets and fails under the other, and a fact between them.
Out: how the example relates to that fact, and which other facts it needs; None where the fact has no part in it.

Four rule sets decide: before, after, before with this fact alone, after without this fact.

| before with it | after without it | standing |
|---|---|---|
| as after  | as before | `own`: the fact makes the difference by itself |
| as after  | as after  | `shared`: the fact makes it, and others make it too |
| as before | as before | `joint`: it takes this fact and those that are named |
| as before | as after  | none |

A fact that does not compile without others (an exception that uses a new definition) is taken together with these, and
one that others depend on is removed together with those; both are named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.dsl import nodes as n

from ..core.entries import Entry
from ..diff.entries import encode
from ..diff.facts import Fact
from ..diff.match import names_in
from .effort import Patience
from .load_mixed import checked, load_mixed
from .mixed import Mixer
from .rule_set import Rules

Text = str | n.Example
"""A worked example, as text or parsed."""
KEPT = 16
"""How many rule sets are kept at a time."""
TRIED = 48
"""How many rule sets are made for one joint witness before its partners are given up."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How evidence relates to a fact: `own`, `shared`, `joint`, or `hidden` where the other facts undo it."""

    sort: str
    partners: tuple[str, ...] = ()

    @property
    def rank(self) -> int:
        return ("own", "joint", "shared", "hidden").index(self.sort) * 2 + bool(self.partners and self.sort == "own")


class Attribution:
    """The mixed rule sets between two, and the outcomes of examples under them."""

    def __init__(self, mixer: Mixer) -> None:
        self.mixer = mixer
        self.facts = {f.id: f for f in mixer.facts if mixer.movable(f.id)}
        self.every = frozenset(self.facts)
        self.rules: dict[frozenset[str], Rules | None] = {}
        self.standing: dict[tuple[str, frozenset[str]], frozenset[str]] = {}
        self.said: dict[tuple[frozenset[str], str], bool | None] = {}
        self.names = {id: Names(f) for id, f in self.facts.items()}
        self.patience = Patience()

    @property
    def single(self) -> bool:
        """Whether all facts are one inseparable group: then any difference belongs to it."""
        return len({self.mixer.whole([id]) for id in self.facts}) <= 1

    # ------------------------------------------------------------ rule sets and what they say

    def at(self, chosen: Iterable[str]) -> Rules | None:
        """The first rule set with these facts and those inseparable from them."""
        wanted = self.mixer.whole(chosen)
        if wanted not in self.rules:
            made = self.mixer.mix(wanted)
            self.rules[wanted] = None if made is None else Rules(made)
            while len(self.rules) > KEPT:
                del self.rules[next(iter(self.rules))]
        return self.rules[wanted]

    def compiled(self, chosen: Iterable[str]) -> Rules | None:
        """The same with its modules; None where the whole-book checks refuse it."""
        rules = self.at(chosen)
        if rules is None or rules.made in (self.mixer.a, self.mixer.b):
            return rules
        made = checked(rules.made)
        return None if made is None else Rules(made, lambda: load_mixed(made, (self.mixer.a, self.mixer.b)))

    def says(self, chosen: Iterable[str], text: Text) -> bool | None:
        """Whether an example holds there; None where the rule set does not compile or the example does not on it."""
        wanted = self.mixer.whole(chosen)
        key = wanted, text if isinstance(text, str) else f"example {text.title}"
        if key not in self.said:
            self.said[key] = self.answer(self.at(wanted), text)
        return self.said[key]

    def answer(self, rules: Rules | None, text: Text) -> bool | None:
        example = rules.read(text) if rules is not None else None
        if rules is None or example is None:
            return None
        walked = rules.walked(example, self.patience)
        return walked.passed if walked is not None else None

    # ------------------------------------------------------------ with and without

    def alone(self, id: str) -> frozenset[str]:
        """A fact with the fewest others that it compiles with."""
        found = self.mixer.whole([id])
        if ("alone", found) not in self.standing:
            options = (found, self.resting(found), self.resting(found | self.beside(id)))
            first = next((x for x in options if self.at(x) is not None), self.every)
            self.standing["alone", found] = self.mixer.whole(first)
        return self.standing["alone", found]

    def without(self, id: str) -> frozenset[str]:
        """All facts except this one and those that do not compile without it."""
        gone = self.mixer.whole([id])
        if ("without", gone) not in self.standing:
            options = (gone, self.rested(gone), self.rested(gone | self.beside(id)))
            first = next((x for x in options if self.at(self.every - x) is not None), self.every)
            self.standing["without", gone] = self.every - self.mixer.whole(first)
        return self.standing["without", gone]

    def beside(self, id: str) -> frozenset[str]:
        """The facts of the same case."""
        return frozenset(x for x, f in self.facts.items() if f.case == self.facts[id].case)

    def resting(self, found: frozenset[str]) -> frozenset[str]:
        """Facts with all those that add a name they use, or remove uses of one they strike."""
        while True:
            news = {w for id in found for w in self.names[id].uses}
            gone = {w for id in found for w in self.names[id].strikes}
            more = {id for id, x in self.names.items() if x.brings & news or (x.used - x.uses) & gone}
            grown = self.mixer.whole(found | more)
            if grown == found:
                return found
            found = grown

    def rested(self, gone: frozenset[str]) -> frozenset[str]:
        """Facts with all those that use a name they add, or strike one whose uses come back."""
        while True:
            names = {w for id in gone for w in self.names[id].brings}
            back = {w for id in gone for w in self.names[id].used - self.names[id].uses}
            more = {id for id, x in self.names.items() if x.uses & names or x.strikes & back}
            grown = self.mixer.whole(gone | more)
            if grown == gone:
                return gone
            gone = grown

    # ------------------------------------------------------------ filing

    def file(self, id: str, text: Text, holds: bool, joint: bool = True) -> Standing | None:
        """How an example that holds before (or after, unless `holds`) and fails on the other side relates to a fact."""
        if id not in self.facts or self.single:
            return Standing("own") if self.single else None
        alone, rest = self.alone(id), self.without(id)
        makes = self.says(alone, text) is (not holds)
        needed = self.says(rest, text) is holds
        if makes:
            least = self.least(id, alone, text, holds) if alone != self.mixer.whole([id]) else alone
            partners = self.named(id, least)
            return Standing("own" if needed else "shared", partners)
        if not needed or not joint:
            return None
        among = self.mixer.whole([id, *self.near(text)])
        if among != self.every and self.says(among, text) is not (not holds):
            return None
        least = self.least(id, among, text, holds)
        return Standing("joint", self.named(id, least)) if least is not None else None

    def near(self, text: Text) -> list[str]:
        """The facts that can affect an example: all but those of counters and hexes that it does not mention."""
        said = text if isinstance(text, str) else " ".join(words_of(text))
        return [id for id, f in self.facts.items() if f.element not in ("unit", "map feature") or named_in(f, said)]

    def makers(self, text: Text, holds: bool, likely: Iterable[str]) -> dict[str, Standing]:
        """The facts that change an example: the first candidate that does so by itself, or all that are needed."""
        known = [id for id in likely if id in self.facts]
        weaker: dict[str, Standing] = {}
        for id in known:
            standing = self.file(id, text, holds, False)
            if standing is not None and standing.sort == "own":
                return {id: standing}
            if standing is not None:
                weaker[id] = standing
        if weaker:
            return weaker
        near = self.mixer.whole(known)
        among = near if self.says(near, text) is (not holds) else self.every
        least = self.least("", among, text, holds)
        return {id: Standing("joint", self.named(id, least)) for id in self.facts if id in (least or ())}

    def named(self, id: str, chosen: Iterable[str]) -> tuple[str, ...]:
        return tuple(x for x in self.facts if x in set(chosen) and x != id)

    def least(self, id: str, among: frozenset[str], text: Text, holds: bool) -> Any:
        """A minimal set of these facts, with this one, that makes the difference; None where the budget runs out."""
        keep = self.mixer.whole([id] if id else ())
        kept = [x for x in self.facts if x in among]
        tried = 0
        size = max(1, len(kept) // 2)
        while True:
            at = 0
            while at < len(kept):
                gone = frozenset(kept[at : at + size])
                left = frozenset(kept) - self.rested(self.mixer.whole(gone))
                if keep <= left and left < frozenset(kept):
                    tried += 1
                    if tried > TRIED:
                        return None
                    if self.says(left, text) is (not holds):
                        kept = [x for x in kept if x in left]
                        continue
                at += size
            if size == 1:
                return frozenset(kept)
            size = max(1, size // 2)


class Names:
    """The names through which facts depend on one another: added, struck, and used on either side."""

    def __init__(self, f: Fact) -> None:
        old, new = set(declared(f.old)), set(declared(f.new))
        self.brings = new - old if f.kind != "struck" or f.part is not None else set[str]()
        self.strikes = old - new if f.kind != "added" or f.part is not None else set[str]()
        self.uses = set(words(f.new)) - new
        self.used = set(words(f.old)) - old


def named_in(f: Fact, said: str) -> bool:
    """Whether a text mentions a counter or a hex of a fact."""
    listed = f.name if f.element == "unit" else f"{f.where}, {f.before}, {f.after}"
    return any(x.strip() and x.strip() in said for x in re.split(r",|(?<=\d)[/-](?=\d?[A-Z])", listed))


def declared(e: Entry | None) -> Iterator[str]:
    """The names that a declaration introduces."""
    if e is None:
        return
    yield from (x for x in names_in(e.node) if x)
    if isinstance(e.node, n.Field):
        yield from e.node.names


def words_of(node: n.Node) -> list[str]:
    """Every word of a syntax node."""
    found: list[str] = []
    encode(node, found)
    return found


def words(e: Entry | None) -> list[str]:
    """Every word of a declaration and of its guards."""
    found: list[str] = []
    for node in (e.node, *e.under) if e is not None else ():
        encode(node, found)
    return found
