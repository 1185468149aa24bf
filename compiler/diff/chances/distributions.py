"""Exact probabilities before and after a change, for outcomes of tables and dice.

In:  two rule sets and the facts between them.
Out: for each site that a fact changes (a look-up by a roll, a condition on a roll), the probability of every outcome in
     every column as an exact fraction, with the shift of expected values where results are numbers or declare a loss.

A changed value is traced in the core to the roll: as part of the rolled key, as a shift of the column, as the other
operand of a comparison. If it does not reach a roll there is no table. Each fact is evaluated alone, with the rest of
the rules as after the change; what depends on a position (another modifier) counts as zero, and the output says so.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulewright.dsl import nodes as n

from ...analyse.order_exceptions import collect, holds
from ...core import nodes as c
from ...core.notation import named
from ...core.types import NUMBER
from ...pipeline import Compiled
from ..data import plain_key
from ..facts import Fact
from ..meaning.canonical import Canonical, numeric
from .dice import chances, dice_text
from .evaluate import UNKNOWN, Known, cell
from .rolls import Rolls, Site, asking, expanded
from .values import Changed, Number, changed_value

Chances = dict[str, Fraction]
Tables = tuple[c.Table, c.Table]
ZERO = Fraction(0)
MOST_FACES = 50_000


class Given:
    """A definition of one book, and the value to assume where the clause that applies depends on a position."""

    def __init__(self, changed: Changed, book: c.Book, after: bool = False) -> None:
        self.name = changed.name
        self.calls = {changed.name: changed.after if after else changed.before}
        self.swapped = {changed.name: book.definitions[changed.name]}


Calls = tuple[Given | None, Given | None]


def knowing(book: c.Book, names: dict[str, Any], given: Given | None) -> Known:
    return Known(book, names) if given is None else Known(book, names, given.calls, given.swapped)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: each outcome with its probability before and after, and expected values."""

    name: str
    outcomes: tuple[tuple[str, Fraction, Fraction], ...]
    expected: tuple[tuple[str, Fraction, Fraction], ...] = ()

    @property
    def changed(self) -> bool:
        return any(x != y for _, x, y in self.outcomes)


@dataclass(frozen=True, slots=True)
class Distribution:
    """The probabilities of one table or bound before and after."""

    table: str
    case: str
    dice: str
    facts: tuple[str, ...]
    because: str
    columns: tuple[Column, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "case": self.case,
            "dice": self.dice,
            "facts": list(self.facts),
            "because": self.because,
            "columns": [
                {
                    "column": col.name,
                    "changed": col.changed,
                    "outcomes": [{"outcome": r, "before": str(x), "after": str(y)} for r, x, y in col.outcomes],
                    "expected": [
                        {"value": w, "before": str(x), "after": str(y), "shift": str(y - x)} for w, x, y in col.expected
                    ],
                }
                for col in self.columns
            ],
        }


def distributions(a: Compiled, b: Compiled, facts: list[Fact]) -> list[Distribution]:
    """The probabilities at all sites that the facts affect."""
    assert a.book is not None and b.book is not None
    relevant = [f for f in facts if f.kind in ("added", "struck", "amended") and f.element not in ("example", "title")]
    if not relevant:
        return []
    maker = Maker(a.book, b.book, relevant)
    found = [*maker.tables(), *maker.values(), *maker.parts()]
    return merged(d for d in found if any(col.changed for col in d.columns))


def merged(found: Iterable[Distribution]) -> list[Distribution]:
    """Merge look-ups with the same probabilities into one table."""
    kept: dict[Any, Distribution] = {}
    for d in found:
        kept.setdefault((d.table, d.dice, d.facts, d.because, d.columns), d)
    return list(kept.values())


class Maker:
    """The sites of both books, and the probabilities at each."""

    def __init__(self, a: c.Book, b: c.Book, facts: list[Fact]) -> None:
        self.a, self.b, self.facts = a, b, facts
        self.books = a, b
        self._sites: list[list[Site]] | None = None

    @property
    def sites(self) -> list[list[Site]]:
        if self._sites is None:
            self._sites = [Rolls(book).sites for book in self.books]
        return self._sites

    # ------------------------------------------------------------ tables

    def tables(self) -> Iterator[Distribution]:
        """Distributions for tables whose cells differ, one for each look-up by a roll."""
        names = dict.fromkeys(f.name for f in self.facts if f.element in ("cell", "table"))
        for name in sorted(names):
            old, new = (book.tables.get(name) for book in self.books)
            if old is None or new is None or len(old.params) != len(new.params):
                continue
            mine = tuple(f.id for f in self.facts if f.element in ("cell", "table") and f.name == name)
            for s in self.sites[1]:
                if s.table == name:
                    yield from self.look_up(s, s, mine, "", (old, new))

    def look_up(
        self, x: Site, y: Site, ids: tuple[str, ...], because: str, tables: Tables, calls: Calls = (None, None)
    ) -> Iterator[Distribution]:
        """The probabilities of one look-up before and after; `calls` are assumed values of definitions on each side."""
        old, new = tables
        homes = tuple(self.a if t is self.a.tables.get(t.name) else self.b for t in tables)
        books = (self.b if x is y else self.a, self.b)
        sides = [
            Look(site, table, home, book, given)
            for site, table, home, book, given in zip((x, y), tables, homes, books, calls, strict=True)
        ]
        columns = list(dict.fromkeys([*sides[0].columns(), *sides[1].columns()]))
        made: list[Column] = []
        for column in columns:
            spread = [side.spread(column) for side in sides]
            if spread[0] is None or spread[1] is None:
                return
            left, right = spread[0], spread[1]
            names = sorted({*left, *right}, key=lambda r: (rank(r, old, self.a), r))
            outcomes = tuple((r, left.get(r, ZERO), right.get(r, ZERO)) for r in names)
            label = ", ".join(f"{head(new.params[i])} {v}" for i, v in column)
            made.append(Column(label, outcomes, tuple(self.expected(old, new, left, right))))
        if x.dice_in(x.expr) and [x.dice[d] for d in x.dice_in(x.expr)] != [y.dice[d] for d in y.dice_in(y.expr)]:
            because = because or f"{sides[0].dice} → {sides[1].dice}"
        if any(side.others for side in sides):
            because = "; ".join(filter(None, (because, "no other modifier")))
        yield Distribution(new.name, new.case, sides[1].dice, ids, because, tuple(made))

    def expected(
        self, old: c.Table, new: c.Table, left: Chances, right: Chances
    ) -> Iterator[tuple[str, Fraction, Fraction]]:
        """Expected values: of numbers, of the numbers in a record, of the losses that results declare."""
        ours, theirs = worths(old, self.a), worths(new, self.b)
        for name in ours:
            if name in theirs and left and right and set(left) <= set(ours[name]) and set(right) <= set(theirs[name]):
                x = sum((ours[name][r] * p for r, p in left.items()), ZERO)
                y = sum((theirs[name][r] * p for r, p in right.items()), ZERO)
                yield name, x, y

    # ------------------------------------------------------------ changed values of definitions

    def values(self) -> Iterator[Distribution]:
        """Distributions for a definition with another value, one for each site that uses it."""
        for f in self.facts:
            changed = changed_value(f, self.a, self.b)
            if changed is None:
                continue
            calls = (Given(changed, self.a), Given(changed, self.b, after=True))
            for s in self.sites[1]:
                asked = self.asked(s, self.b, changed.name)
                if asked is None:
                    continue
                site = replace(s, expr=asked)
                if site.table:
                    table = self.b.tables[site.table]
                    yield from self.look_up(site, site, (f.id,), said(f, changed), (table, table), calls)
                else:
                    yield from self.test(site, site, f, said(f, changed), calls)

    def asked(self, s: Site, book: c.Book, name: str) -> c.Expr | None:
        """The expression of a site with plain definitions expanded, if it uses a definition; else None."""
        made = expanded(s.expr, book, name)
        return made if any(True for _ in asking(made, name)) else None

    # ------------------------------------------------------------ changed parts of a site itself

    def parts(self) -> Iterator[Distribution]:
        """Distributions for a part of a look-up or test that changed in place: a bound, a modifier, the dice."""
        for f in self.facts:
            if f.part is None or f.kind != "amended" or changed_value(f, self.a, self.b) is not None:
                continue
            before, after = f.part.before, f.part.after
            if not isinstance(before, n.Node) or not isinstance(after, n.Node):
                continue
            ours = [s for s in self.sites[0] if holds_part(s, before)]
            theirs = [s for s in self.sites[1] if holds_part(s, after)]
            if [s.owner for s in ours] != [s.owner for s in theirs]:
                continue
            for x, y in zip(ours, theirs, strict=True):
                if x.table and y.table:
                    new = self.b.tables[y.table]
                    old = new if x.table == y.table else self.a.tables[x.table]
                    yield from self.look_up(x, y, (f.id,), text_of(f), (old, new))
                elif not x.table and not y.table:
                    yield from self.test(x, y, f, text_of(f))

    def test(self, x: Site, y: Site, f: Fact, because: str, calls: Calls = (None, None)) -> Iterator[Distribution]:
        """The probability that a condition on a roll holds, before and after."""
        sides = [*zip((x, y), (self.b if x is y else self.a, self.b), calls, strict=True)]
        for wide in range(max(len(x.whole), len(y.whole)) + 1):
            asked = [test_of(site, wide, book, given) for site, book, given in sides]
            met = [
                None if e is None else chance_of(site, e, book, given)
                for (site, book, given), e in zip(sides, asked, strict=True)
            ]
            if met[0] is not None and met[1] is not None and asked[1] is not None:
                break
        else:
            return
        outcomes = [("met", met[0][0], met[1][0]), ("not met", met[0][1], met[1][1])]
        left_out = 1 - met[0][0] - met[0][1], 1 - met[1][0] - met[1][1]
        outcomes += [("not asked", *left_out)] if any(left_out) else []
        labels = y.dice_in(asked[1])
        dice = ", ".join(dice_text(y.dice[d]) for d in labels)
        roll = ", ".join(dict.fromkeys(y.names[d] for d in labels))
        title = f"{roll} ({f.name})" if f.name else roll
        yield Distribution(title, y.case, dice, (f.id,), because, (Column("", tuple(outcomes)),))


def head(p: c.Param) -> str:
    """The heading of the columns: the name of the key, or of its scale or kind if that is one letter."""
    return p.type.name if len(p.name) == 1 and p.type.sort in ("scale", "kind") else p.name


def said(f: Fact, changed: Changed) -> str:
    x, y = changed.told
    alone = ", no other modifier" if f.element == "contribution" or changed.adds else ""
    return f"{f.name} {signed_text(x)} → {signed_text(y)}{alone}"


def text_of(f: Fact) -> str:
    return f"{f.before} → {f.after}"


def signed_text(x: Number) -> str:
    return f"+{x}" if x > 0 else str(x)


def holds_part(s: Site, part: n.Node) -> bool:
    """Whether a span is part of a site, or of the roll behind it."""
    spans = [x.span for x in s.expr.walk()]
    span = part.span
    return any(
        own.origin is span.origin
        and (span.row, span.column) <= (own.row, own.column)
        and (own.end_row, own.end_column) <= (span.end_row, span.end_column)
        for own in spans
    )


def test_of(site: Site, wide: int, book: c.Book, given: Given | None) -> c.Expr | None:
    """The condition of a site: the widest that it is a part of at 0, its own at the end; None where there is none."""
    every = (*site.whole, site.expr)
    return expanded(every[wide], book, given.name if given is not None else "") if wide < len(every) else None


def chance_of(site: Site, e: c.Expr, book: c.Book, given: Given | None) -> tuple[Fraction, Fraction] | None:
    """The probabilities that a condition is asked and holds, and is asked and does not, over all faces.

    None where it depends on more than the dice. It is not asked where a condition on the same dice before it decides.
    """
    labels = site.dice_in(e)
    met = unmet = ZERO
    for faces, chance in throws([site.dice[d] for d in labels]):
        known = knowing(book, dict(zip(labels, faces, strict=True)), given)
        value = known.value(e)
        if value is UNKNOWN:
            return None
        if reached(site, known):
            met, unmet = (met + chance, unmet) if value else (met, unmet + chance)
    return met, unmet


def reached(site: Site, known: Known) -> bool:
    """Whether the faces of the dice alone do not lead past a site; what depends on a position is left open."""
    return all(known.value(test) in (holds, UNKNOWN) for test, holds in site.facing)


def throws(dice: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every combination of results of several rolls, with its probability."""
    if math.prod(count * sides for count, sides in dice) > MOST_FACES:
        return
    for way in itertools.product(*(chances(*d).items() for d in dice)):
        yield tuple(face for face, _ in way), math.prod((p for _, p in way), start=Fraction(1))


# ---------------------------------------------------------------- look-ups

Fixed = tuple[tuple[int, Any], ...]


class Look:
    """One look-up on one side: its dice, its columns, and the probabilities in a column."""

    def __init__(self, site: Site, table: c.Table, home: c.Book, book: c.Book, given: Given | None) -> None:
        assert isinstance(site.expr, c.TableCell)
        self.site, self.table, self.home, self.given = site, table, home, given
        self.book, self.canonical = book, Canonical(book)
        keep = given.name if given is not None else ""
        self.args = [expanded(x, book, keep) for x in site.expr.asked]
        self.labels = site.dice_in(site.expr)
        self.rolled = [bool(site.dice_in(x)) for x in self.args]
        self.others = False

    @property
    def dice(self) -> str:
        return ", ".join(dice_text(self.site.dice[d]) for d in self.labels)

    def columns(self) -> list[Fixed]:
        """The keys that no die decides, in the order of the table; a constant key is the only one."""
        fixed = {
            i: value for i, x in enumerate(self.args) if not self.rolled[i] and (value := self.plain(x)) is not UNKNOWN
        }
        told = {i for i, x in enumerate(self.args) if not self.rolled[i] and self.decided(x)}
        found: dict[Fixed, None] = {}
        for key in self.table.cells:
            words = plain_key(key, self.table, self.home)
            if any(self.barred(i, x) for i, x in enumerate(key) if not self.rolled[i]):
                continue
            if all(words[i] == plain_key_of(value, i, self.table, self.home) for i, value in fixed.items()):
                found[tuple((i, w) for i, w in enumerate(words) if not self.rolled[i] and i not in told)] = None
        return list(found)

    def barred(self, axis: int, value: Any) -> bool:
        """Whether a branch around the look-up excludes a column, by comparing the same key with a constant."""
        assert isinstance(self.site.expr, c.TableCell)
        own = self.canonical.key(self.site.expr.asked[axis])
        for test, met in self.site.facing:
            match test:
                case c.Equal(left=left, right=c.Const(value=wanted)) | c.Equal(left=c.Const(value=wanted), right=left):
                    if self.canonical.key(left) == own and (value == wanted) is not met:
                        return True
        return False

    def plain(self, e: c.Expr) -> Any:
        """A key that needs neither dice nor a position."""
        return UNKNOWN if self.asks(e) else Known(self.book).value(e)

    def decided(self, e: c.Expr) -> bool:
        """Whether the changed value alone says which column is read, so that it is not one of many."""
        return self.asks(e) and knowing(self.book, {}, self.given).value(e) is not UNKNOWN

    def asks(self, e: c.Expr) -> bool:
        return self.given is not None and any(True for _ in asking(e, self.given.name))

    def spread(self, column: Fixed) -> Chances | None:
        """The probability of each result in a column; None where a key needs more than dice and one known value."""
        keys = {plain_key(k, self.table, self.home): k for k in self.table.cells}
        fixed = dict(column)
        found: Chances = {}
        for faces, chance in throws([self.site.dice[d] for d in self.labels]):
            known = knowing(self.book, dict(zip(self.labels, faces, strict=True)), self.given)
            key: list[Any] = []
            for i, x in enumerate(self.args):
                if self.rolled[i]:
                    value, others = known.axis(x, self.canonical)
                    if value is UNKNOWN or not isinstance(value, int | Fraction):
                        return None
                    self.others = self.others or others
                    key.append(value)
                else:
                    value = self.moved(known, x, fixed.get(i), i, keys)
                    if value is UNKNOWN:
                        return None
                    key.append(value)
            if not reached(self.site, known):
                found["not asked"] = found.get("not asked", ZERO) + chance
                continue
            result = cell(self.table, tuple(key))
            word = "(no cell)" if result is UNKNOWN else named(result, self.table.type, self.home)
            found[word] = found.get(word, ZERO) + chance
        return found or None

    def moved(self, known: Known, e: c.Expr, word: Any, axis: int, keys: dict[tuple[Any, ...], tuple[Any, ...]]) -> Any:
        """The key of a column in the core, shifted by the known value if that shifts columns."""
        own = next((core[axis] for plain, core in keys.items() if plain[axis] == word), word)
        if not self.asks(e):
            return own
        match e:
            case c.Shifted() if not self.asks(e.step):
                by, others = known.axis(e.by, self.canonical)
                self.others = self.others or others
                return UNKNOWN if by is UNKNOWN else min(max(own + math.floor(by), 0), e.last)
        value = known.value(e)
        if value is not UNKNOWN:
            return value
        if numeric(e.type) and isinstance(own, int):
            part, others = known.axis(e, self.canonical)
            return UNKNOWN if part is UNKNOWN or not others else own + part
        return UNKNOWN


def plain_key_of(value: Any, axis: int, table: c.Table, book: c.Book) -> Any:
    """One key as in the text."""
    p = table.params[axis]
    if p.type.name == "number":
        if p.name in table.clamps:
            low, high = table.clamps[p.name]
            return max(low, min(high, value))
        return value
    return named(value, p.type, book)


def rank(result: str, table: c.Table, book: c.Book) -> int:
    """A sort key for results: the order of their kind, else of the table."""
    values = list(book.kinds.get(table.type.plain.name, ())) or list(
        dict.fromkeys(named(v, table.type, book) for v in table.cells.values())
    )
    return values.index(result) if result in values else len(values)


# ---------------------------------------------------------------- worth of results


def worths(table: c.Table, book: c.Book) -> dict[str, dict[str, Fraction]]:
    """By name of a value: the number that each printed result stands for."""
    results = {named(v, table.type, book): v for v in table.cells.values()}
    if table.type.plain == NUMBER:
        return {table.name: {r: Fraction(v) for r, v in results.items() if v is not None}}
    if table.type.sort == "record":
        members = book.records.get(table.type.name, ())
        return {
            m: {r: Fraction(v[i]) for r, v in results.items()}
            for i, (m, t) in enumerate(members)
            if t == NUMBER and all(isinstance(v, tuple) and isinstance(v[i], int | Fraction) for v in results.values())
        }
    found: dict[str, dict[str, Fraction]] = {}
    for name, d in book.definitions.items():
        if len(d.params) == 1 and d.params[0].type == table.type and d.type == NUMBER:
            worth = {r: declared(d, v, book) for r, v in results.items()}
            if all(w is not None for w in worth.values()):
                found[name] = {r: w for r, w in worth.items() if w is not None}
    return found


def declared(d: c.Definition, value: Any, book: c.Book) -> Fraction | None:
    """The number that a definition gives for each result, if its clauses state it directly."""
    if d.base.exceptions or d.contributions or d.base.lets:
        return None
    param = d.params[0].name
    for clause in d.base.clauses:
        if clause.guard is not None:
            atoms: dict[str, list[Any]] = {}
            simple = collect(book, clause.guard, atoms) or texts(clause.guard, param)
            if not simple or set(atoms) - {param}:
                return None
            if not holds(clause.guard, {param: value}):
                continue
        if not isinstance(clause.value, c.Const) or not isinstance(clause.value.value, int | Fraction):
            return None
        return Fraction(clause.value.value)
    return None


def texts(e: c.Expr, param: str) -> bool:
    """Whether a guard compares the parameter with plain texts only."""
    match e:
        case c.And() | c.Or() | c.Not():
            return all(texts(a, param) for a in e.args)
        case c.Equal(left=c.Local(name=name), right=values) | c.Unequal(left=c.Local(name=name), right=values):
            return name == param and written_out(values)
        case c.IsIn(item=c.Local(name=name), many=values):
            return name == param and written_out(values)
    return False


def written_out(e: c.Expr) -> bool:
    """Whether an expression is a constant or a set of constants."""
    return isinstance(e, c.Const) or (isinstance(e, c.SetOf) and all(isinstance(a, c.Const) for a in e.items))
