"""Resolve the words of a rule set to declarations, for links and lists of uses.

In:  the declarations of a model.
Out: for each declaration its links (position of a word, and the target), and the declarations that use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from rulewright.dsl import nodes as n
from rulewright.dsl.words import NAME, code_of

from ..core.builtins import BUILTINS
from ..core.maps import Map
from ..elaborate.expressions.special_calls import SPECIAL
from ..index import REALMS, Mention
from .model import Declaration, Model, case_anchor, case_href
from .name_types import fits, meanings

HIDDEN = ("local",)
DEPTH = 4
"""A waiver of a rule of a route sees what the rule sees, and so what the route takes."""
_QUOTED = re.compile(r'"([^"\n]*)"')
_AT = re.compile(r"@([A-Za-z0-9_]+(?:\.[0-9]+)?)(?![/A-Za-z0-9_])")


@dataclass(frozen=True, slots=True)
class Link:
    """A range of one line of a declaration, and the link target."""

    row: int
    column: int
    end: int
    href: str


@dataclass(slots=True)
class Uses:
    """Users of a declaration: other declarations, and worked examples separately."""

    rules: dict[Declaration, None] = field(default_factory=dict)
    examples: dict[Declaration, None] = field(default_factory=dict)


class Names:
    """The name resolution of a rule set."""

    def __init__(self, model: Model, rows: Iterable[str] = ()) -> None:
        self.model = model
        self.rows = frozenset(rows)
        self.declared: dict[str, list[tuple[Mention, Declaration]]] = {}
        for d in model.declarations():
            if d.state == "stands":
                for m in d.mentions:
                    if m.declares and m.realm not in HIDDEN:
                        self.declared.setdefault(m.text, []).append((m, d))
        self.meanings = meanings(model.book)
        self.places = places(model.book.map)
        self.layers = layers(model.book.map)
        self.home = next((d for d in model.declarations() if d.sort == "map" and d.state == "stands"), None)
        self.named = {at: word for word, at in reversed(self.places.items())}
        self.units = {u.name for u in model.book.units}
        self.links: dict[Declaration, list[Link]] = {}
        self.uses: dict[Declaration, Uses] = {}
        self.words: dict[str, dict[Declaration, None]] = {}
        self.unknown: list[tuple[Declaration, str]] = []
        for d in model.declarations():
            self.links[d] = self.look(d)

    # ------------------------------------------------------------ links

    def look(self, d: Declaration) -> list[Link]:
        """The links of one declaration, in reading order; records the declaration as a user of their targets."""
        found: dict[tuple[int, int], Link] = {}
        lines = d.text.split("\n")
        for m in d.mentions:
            if m.declares or not (0 <= m.row < len(lines)) or lines[m.row][m.column : m.end] != m.text:
                continue
            href = self.target(m, d)
            if href:
                found.setdefault((m.row, m.column), Link(m.row, m.column, m.end, href))
        for row, line in enumerate(lines):
            for q in _QUOTED.finditer(line):
                if q[1] in self.units:
                    found.setdefault((row, q.start() + 1), Link(row, q.start() + 1, q.end() - 1, unit_href(q[1])))
            for q in _AT.finditer(code_of(line)):
                if q[1] in self.named:
                    found.setdefault((row, q.start()), Link(row, q.start(), q.end(), place_href(self.named[q[1]])))
        return [found[key] for key in sorted(found)]

    def target(self, m: Mention, d: Declaration) -> str:
        """The link target of a use; empty for local names and built-in types."""
        if m.form == "case":
            return self.case(m.meant)
        if m.form == "name" and self.local(m.text, d):
            return ""
        found = self.meaning(m.text, m.form)
        if m.cases:
            found = [x for x in found if x.case in m.cases] or self.amending(m) or found
        elif len(found) > 1:
            found = self.narrowed(found, m, d)
        if not found and m.text in self.layers and self.home is not None:
            found = [self.home]
        if found:
            for one in found:
                if one is not d and d.state != "struck":
                    uses = self.uses.setdefault(one, Uses())
                    (uses.examples if d.sort == "example" else uses.rules)[d] = None
            return found[0].href
        if m.text in self.places:
            return place_href(m.text)
        if m.text in BUILTINS or m.text in SPECIAL:
            self.words.setdefault(m.text, {})[d] = None
            return word_href(m.text)
        self.unknown.append((d, m.text))
        return ""

    def amending(self, m: Mention) -> list[Declaration]:
        """The exceptions and contributions of some cases to a name: an amendment may aim at one of these."""
        found = []
        for case in m.cases:
            here = self.model.cases.get(case)
            found += [x for x in (here.declarations() if here else ()) if x.state == "stands" and m.text in aims(x)]
        return found

    def meaning(self, word: str, form: str) -> list[Declaration]:
        """The declarations that a word in this form can refer to."""
        known = word in BUILTINS or word in SPECIAL
        for realm in REALMS[form]:
            found = self.realm(word, realm)
            if found and not (known and form == "name" and realm not in ("name", "phase")):
                return found
        return []

    def narrowed(self, found: list[Declaration], m: Mention, d: Declaration) -> list[Declaration]:
        """Of several candidates those that match the type of a use; rules come before data."""
        node = d.entry.node
        if not d.before:
            meant = self.meanings.get((node.span.file, node.span.line + m.row, node.span.column + m.end))
            fitting = [x for x in found if meant is not None and fits(x.entry.node, meant)]
            if fitting:
                return fitting
        found = [x for x in found if not isinstance(x.entry.node, n.Data)] or found
        called = d.text.split("\n")[m.row][m.end : m.end + 1] == "("
        return [x for x in found if bool(getattr(x.entry.node, "params", ())) == called] or found

    def realm(self, word: str, realm: str) -> list[Declaration]:
        return list(dict.fromkeys(d for m, d in self.declared.get(word, ()) if m.realm == realm))

    def case(self, number: str) -> str:
        """The link to a case, or to the nearest case above it that exists."""
        while number:
            if number in self.model.cases:
                return case_href(number)
            if number in self.rows:
                return row_href(number)
            number = number[: max(number.rfind("/"), number.rfind("."), 0)]
        return ""

    def value(self, word: str, kinds: tuple[str, ...] = ()) -> str:
        """The link target of a word in a table or roster: a value of one of these kinds, a field, a box, a place."""
        found = self.declared.get(word, ())
        for m, d in found:
            if m.declares == "value" and d.name in kinds:
                return d.href
        for m, d in found:
            if (m.declares == "value" and not kinds) or m.declares == "member" or d.sort in ("field", "box"):
                return d.href
        return place_href(word) if word in self.places else ""

    # ------------------------------------------------------------ local names

    def local(self, word: str, d: Declaration) -> bool:
        """Whether a word is a parameter or local name, of the declaration itself or of one whose parameters it sees."""
        owners: list[Declaration] = [d]
        for _ in range(DEPTH):
            for one in owners:
                item = one.item
                if item is not None and (word in item.locals or any(word == p[0] for p in item.params)):
                    return True
            owners = [x for one in owners for x in self.lenders(one)]
        return False

    def lenders(self, d: Declaration) -> list[Declaration]:
        """The declarations whose parameters an exception, a waiver, a ban or an amendment sees."""
        node, lends = d.entry.node, d.item.lends if d.item is not None else ""
        if isinstance(node, n.Amend):
            lends = node.target.name or "@" + ",".join(node.target.cases)
        if lends.startswith("@"):
            cases = [self.model.cases[x] for x in lends[1:].split(",") if x in self.model.cases]
            return [x for case in cases for x in case.declarations() if x is not d and x.sort != "example"]
        found = [*self.realm(lends, "name"), *self.realm(lends, "label")] if lends else []
        return [x for x in found if x is not d]


def aims(d: Declaration) -> tuple[str, ...]:
    """The name under which an exception, a contribution or a rule is found: that of its target."""
    return (d.entry.name, d.item.lends if d.item is not None else "")


def slug(word: str) -> str:
    """A word as part of an HTML id: letters and digits stay, any other character becomes its code point."""
    return "".join(ch if ch.isascii() and NAME.fullmatch("a" + ch) else f"-{ord(ch):x}-" for ch in word).strip("-")


def places(board: Map | None) -> dict[str, str]:
    """The named places of a board; on a board of points every point is one."""
    if board is None:
        return {}
    return dict(board.names) if board.grid.sheets else {**{x: x for x in board.hexes}, **board.names}


def layers(board: Map | None) -> frozenset[str]:
    """The lines and sides that a board draws: roads, rails, rivers."""
    return frozenset() if board is None else frozenset((*board.lines, *board.sides))


def row_href(case: str) -> str:
    return f"coverage.html#{case_anchor(case)}"


def unit_href(name: str) -> str:
    return f"units.html#unit-{slug(name)}"


def place_href(name: str) -> str:
    return f"map.html#place-{slug(name)}"


def word_href(name: str) -> str:
    return f"words.html#word-{slug(name)}"
