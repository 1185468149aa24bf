"""Exact chances before and after, for what ends in a table or a die.

In:  two rule sets and the facts between them.
Out: for each table that changed, whose dice changed or whose keys are fed by a changed number, and for each
     bound on a roll that changed, the chance of every outcome in every column as exact fractions, with the
     shift of expected values where results are numbers or have a declared loss.

The chances of a table that is entered with a die and modifiers are those of the die alone; a changed modifier
is shown as the shift that it makes by itself.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulewright.dsl import nodes as n

from ..analyse.order_exceptions import collect, holds
from ..core import nodes as c
from ..core.types import NUMBER
from ..evaluate.notation import named
from ..pipeline import Compiled
from .data import plain_key
from .dice import Bound, Dice, LookUp, asks, chances, dice_text
from .facts import Fact

Chances = dict[str, Fraction]
ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: each outcome with its chance before and after, and expected values."""

    name: str
    outcomes: tuple[tuple[str, Fraction, Fraction], ...]
    expected: tuple[tuple[str, Fraction, Fraction], ...] = ()

    @property
    def changed(self) -> bool:
        return any(x != y for _, x, y in self.outcomes)


@dataclass(frozen=True, slots=True)
class Distribution:
    """The chances of one table or bound before and after."""

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
    """The chances of all that the facts touch."""
    assert a.book is not None and b.book is not None
    relevant = [f for f in facts if f.kind in ("added", "struck", "amended") and f.element not in ("example", "title")]
    if not relevant:
        return []
    maker = Maker(a.book, b.book, relevant)
    found = [*maker.tables(), *maker.shifts(), *maker.bounds()]
    return [d for d in found if any(col.changed or col.expected for col in d.columns)]


class Maker:
    def __init__(self, a: c.Book, b: c.Book, facts: list[Fact]) -> None:
        self.a, self.b, self.facts = a, b, facts
        self.ours, self.theirs = Dice(a), Dice(b)

    # ------------------------------------------------------------ tables

    def tables(self) -> Iterator[Distribution]:
        """Tables whose cells or dice differ."""
        for name in sorted({*self.a.tables, *self.b.tables}):
            old, new = self.a.tables.get(name), self.b.tables.get(name)
            if old is None or new is None or len(old.params) != len(new.params):
                continue
            mine = [f.id for f in self.facts if f.element in ("cell", "table") and f.name == name]
            before, after = rolls(self.ours.look_ups, name), rolls(self.theirs.look_ups, name)
            if not mine and before == after:
                continue
            for old_dice, new_dice in pairs(before, after):
                if not mine and old_dice == new_dice:
                    continue
                ids = mine or self.rollers(name)
                because = "" if old_dice == new_dice else f"{dice_word(old_dice)} → {dice_word(new_dice)}"
                columns = self.columns(old, new, old_dice, new_dice)
                yield Distribution(name, new.case, dice_word(new_dice), tuple(ids), because, tuple(columns))

    def rollers(self, name: str) -> list[str]:
        cases = {x.case for d in (self.ours, self.theirs) for x in d.look_ups if x.table == name}
        return [f.id for f in self.facts if f.case in cases and "roll" in (f.where + str(f.before))] or [
            f.id for f in self.facts if f.case in cases
        ]

    def columns(
        self, old: c.Table, new: c.Table, before: Dices, after: Dices, x: int = 0, y: int = 0, axis: int | None = None
    ) -> Iterator[Column]:
        """Every column of both tables; `x` and `y` shift the key on `axis`."""
        ours, theirs = columns_of(old, before, self.a), columns_of(new, after, self.b)
        for key in [*ours, *(k for k in theirs if k not in ours)]:
            left = spread(old, self.a, before, key, x, axis)
            right = spread(new, self.b, after, key, y, axis)
            names = sorted({*left, *right}, key=lambda r: (rank(r, old, self.a), r))
            outcomes = tuple((r, left.get(r, ZERO), right.get(r, ZERO)) for r in names)
            label = ", ".join(f"{new.params[i].name} {v}" for i, v in key)
            yield Column(label, outcomes, tuple(self.expected(old, new, left, right)))

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

    # ------------------------------------------------------------ what feeds them

    def shifts(self) -> Iterator[Distribution]:
        """A changed number that is added to a die or shifts a column: what it does alone."""
        for f in self.facts:
            numbers = numbers_of(f)
            name = fed(f)
            if numbers is None or not name:
                continue
            seen: set[tuple[str, int]] = set()
            for look in self.theirs.look_ups:
                old, new = self.a.tables.get(look.table), self.b.tables.get(look.table)
                if old is None or new is None:
                    continue
                for axis, sign in self.fed_axes(look, name):
                    if (look.table, axis) in seen:
                        continue
                    seen.add((look.table, axis))
                    x, y = sign * numbers[0], sign * numbers[1]
                    dice = dices(look)
                    word = new.params[axis].name
                    because = f"{f.case} {f.name} alone: {word} {x:+d} → {y:+d}"
                    columns = tuple(self.columns(old, new, dice, dice, x, y, axis))
                    yield Distribution(look.table, new.case, dice_word(dice), (f.id,), because, columns)

    def fed_axes(self, look: LookUp, name: str) -> Iterator[tuple[int, int]]:
        for axis, (rolled, arg) in enumerate(zip(look.rolled, look.args, strict=True)):
            if rolled is not None:
                for sign, rest in rolled.rest:
                    if isinstance(rest, c.Call) and asks(self.b, rest, name):
                        yield axis, sign
            else:
                for e in self.unfolded(arg):
                    if isinstance(e, c.Shifted) and isinstance(e.by, c.Call) and asks(self.b, e.by, name):
                        yield axis, 1

    def unfolded(self, arg: c.Expr) -> Iterator[c.Expr]:
        """An argument with the definitions that it calls."""
        for e in arg.walk():
            yield e
            if isinstance(e, c.Call):
                for clause in self.b.definitions[e.name].base.clauses:
                    yield from clause.value.walk()

    def bounds(self) -> Iterator[Distribution]:
        """A roll that must reach a bound, where the bound has changed."""
        for f in self.facts:
            numbers = numbers_of(f)
            if numbers is None:
                continue
            for bound in self.theirs.bounds:
                if self.bound_changed(bound, f, numbers[1]):
                    x, y = (met(bound, v) for v in numbers)
                    words = f"{bound.rolled.name} {bound.kind.sign} {numbers[0]} → {numbers[1]}"
                    column = Column("", (("met", x, y), ("not met", 1 - x, 1 - y)))
                    yield Distribution(f.name, f.case, dice_text(bound.rolled.dice), (f.id,), words, (column,))
                    break

    def bound_changed(self, bound: Bound, f: Fact, after: int) -> bool:
        other = bound.other
        if isinstance(other, c.Const):
            part = f.part.after if f.part is not None else None
            return other.value == after and isinstance(part, n.Node) and part.span == other.span
        name = fed(f)
        return bool(name) and isinstance(other, c.Call) and other.name == name


# ---------------------------------------------------------------- chances

Dices = tuple[tuple[int, int] | None, ...]
Fixed = tuple[tuple[int, Any], ...]


def dices(look: LookUp) -> Dices:
    return tuple(r.dice if r is not None else None for r in look.rolled)


def rolls(look_ups: Iterable[LookUp], table: str) -> list[Dices]:
    return list(dict.fromkeys(dices(x) for x in look_ups if x.table == table))


def pairs(before: list[Dices], after: list[Dices]) -> list[tuple[Dices, Dices]]:
    both = [(x, x) for x in before if x in after]
    gone, come = [x for x in before if x not in after], [x for x in after if x not in before]
    return both + list(zip(gone, come, strict=False))


def dice_word(dice: Dices) -> str:
    return ", ".join(dice_text(d) for d in dice if d is not None)


def columns_of(table: c.Table, dice: Dices, book: c.Book) -> list[Fixed]:
    """The keys that no die settles, in the order of the table."""
    found: dict[Fixed, None] = {}
    for key in table.cells:
        words = plain_key(key, table, book)
        found[tuple((i, w) for i, w in enumerate(words) if i < len(dice) and dice[i] is None)] = None
    return list(found)


def spread(table: c.Table, book: c.Book, dice: Dices, column: Fixed, by: int, axis: int | None) -> Chances:
    """The chance of each result in a column."""
    cells = {plain_key(k, table, book): v for k, v in table.cells.items()}
    fixed = dict(column)
    if axis is not None and axis in fixed:
        fixed[axis] = moved(fixed[axis], table.params[axis], by, book)
    axes = [i for i, d in enumerate(dice) if d is not None]
    found: Chances = {}
    for rolled in itertools.product(*(chances(*d).items() for d in dice if d is not None)):
        key: list[Any] = [fixed.get(i) for i in range(len(table.params))]
        chance = Fraction(1)
        for i, (face, p) in zip(axes, rolled, strict=True):
            key[i] = clamped(face + (by if i == axis else 0), table.params[i].name, table)
            chance *= p
        if tuple(key) in cells:
            result = named(cells[tuple(key)], table.type, book)
        elif any(all(k[i] == v for i, v in column) for k in cells):
            result = "(no cell)"
        else:
            return {}
        found[result] = found.get(result, ZERO) + chance
    return found


def clamped(value: int, param: str, table: c.Table) -> int:
    low, high = table.clamps.get(param, (value, value))
    return max(low, min(high, value))


def moved(value: Any, param: c.Param, by: int, book: c.Book) -> Any:
    """A column shifted; the ends of a scale hold."""
    if param.type.sort == "scale":
        steps = book.scales[param.type.name]
        return steps[max(0, min(len(steps) - 1, steps.index(value) + by))] if value in steps else value
    return value + by if isinstance(value, int) else value


def met(bound: Bound, value: int) -> Fraction:
    """The chance that a roll meets a bound, were the bound this value."""
    test = TESTS[bound.kind]
    return sum((p for d, p in chances(*bound.rolled.dice).items() if test(d, value)), ZERO)


TESTS: dict[type[c.Comparison], Callable[[int, int], bool]] = {
    c.Equal: operator.eq,
    c.Less: operator.lt,
    c.AtMost: operator.le,
    c.More: operator.gt,
    c.AtLeast: operator.ge,
}
"""The comparisons that `Dice` finds as bounds."""


def rank(result: str, table: c.Table, book: c.Book) -> int:
    """Results in the order of their kind, else as they stand in the table."""
    values = list(book.kinds.get(table.type.plain.name, ())) or list(
        dict.fromkeys(named(v, table.type, book) for v in table.cells.values())
    )
    return values.index(result) if result in values else len(values)


# ---------------------------------------------------------------- worth of results


def worths(table: c.Table, book: c.Book) -> dict[str, dict[str, Fraction]]:
    """By name of the value: each result as printed, with what it is worth."""
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
    """What a definition of one result is worth, where that can be read off its clauses."""
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
    """Whether an expression is a constant, or a set of constants."""
    return isinstance(e, c.Const) or (isinstance(e, c.SetOf) and all(isinstance(a, c.Const) for a in e.items))


# ---------------------------------------------------------------- facts


def numbers_of(f: Fact) -> tuple[int, int] | None:
    """The whole numbers before and after, where a fact is one number in place of another."""
    if f.part is not None and f.kind == "amended":
        x, y = number(f.part.before), number(f.part.after)
        return None if x is None or y is None else (x, y)
    if f.element == "contribution" and f.kind in ("added", "struck"):
        entry = f.new or f.old
        node = entry.node if entry is not None else None
        if isinstance(node, n.Add) and len(node.body.clauses) == 1 and not node.body.clauses[0].operation:
            value = number(node.body.clauses[0].value)
            if value is not None:
                return (0, value) if f.kind == "added" else (value, 0)
    return None


def number(x: Any) -> int | None:
    """A whole number that is written out."""
    match x:
        case n.Literal(sort="number", value=int(value)):
            return value
        case n.Unary(op="-", value=inner):
            found = number(inner)
            return None if found is None else -found
    return None


def fed(f: Fact) -> str:
    """The definition whose value a fact changes."""
    entry = f.new or f.old
    match entry.node if entry is not None else None:
        case n.Define(name=name) | n.Add(name=name):
            return name
        case n.Except(target=target):
            return target.name or ""
    return ""
