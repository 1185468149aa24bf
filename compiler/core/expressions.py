"""Expressions of the core: one frozen class an operator.

Each class holds what its operator needs, by name; fields that hold expressions are its *parts*, found once per class
from the annotations. Readers that treat all operators alike (walk, substitute, digest) use `args` and `with_args`;
every other reader is a `match` over `known(e)` that ends in `assert_never`, so that a type checker names each place
that must learn a new operator. `Expr`, the type of fields and arguments, is the base class and not the union
`AnyOperator`: with a union of eighty classes in every signature the type checker took five times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, cast

from rulewright.dsl.records import dataclass
from rulewright.dsl.source import Span

from .types import Type

Value: TypeAlias = "int | Fraction | str | tuple[Value, ...] | None"
"""A constant: a number, flag, word, place or unit (by its number), dice, or a collection of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """What all expressions have: a type, and the text they come from."""

    type: Type
    span: Span

    @property
    def args(self) -> tuple[Expr, ...]:
        """The expressions right below this one, in reading order."""
        return _below(type(self))(self)

    def with_args(self, args: tuple[Expr, ...]) -> Self:
        """The same operator over other expressions; as many as `args` has."""
        made: Self = _rebuilt(self, args)
        return made

    @property
    def own(self) -> tuple[Any, ...]:
        """What the operator holds besides expressions, type and text: names, numbers, words."""
        return _own(type(self))(self)

    def walk(self) -> Iterator[Expr]:
        """This expression and all below it, in reading order."""
        stack: list[Any] = [self]
        while stack:
            e = stack.pop()
            yield e
            if below := e.args:
                stack += below[::-1]


Expr: TypeAlias = Operator
"""An expression, where it does not matter which operator it is."""


# ---------------------------------------------------------------- values and names


@dataclass(frozen=True, slots=True)
class Const(Operator):
    """A value that is written out."""

    value: Value


@dataclass(frozen=True, slots=True)
class Local(Operator):
    """A parameter, a `let`, an answer, or the variable of a loop."""

    name: str


@dataclass(frozen=True, slots=True)
class Usual(Operator):
    """Inside an exception: the value without it."""


@dataclass(frozen=True, slots=True)
class Keep(Operator):
    """Inside a memory that is always settled: the value so far."""


@dataclass(frozen=True, slots=True)
class Bound(Operator):
    """What a phase that runs now is for: the turn, the side in whose impulse we are."""

    name: str


@dataclass(frozen=True, slots=True)
class Reading(Operator):
    """Which reading of an unclear case is in force."""

    name: str


@dataclass(frozen=True, slots=True)
class InPhase(Operator):
    """Whether a phase of this name is running."""

    name: str


# ---------------------------------------------------------------- fields, marks, places


@dataclass(frozen=True, slots=True)
class FieldOf(Operator):
    """A printed field; `key` is what it is printed on, and its name."""

    of: Expr
    key: tuple[str, str]


@dataclass(frozen=True, slots=True)
class MarkOf(Operator):
    """A mark of something, or of the game where `of` is None."""

    of: Expr | None
    name: str

    @property
    def key(self) -> tuple[str, str]:
        """What it is a mark of, and its name."""
        return ("game" if self.of is None else self.of.type.plain.name, self.name)


@dataclass(frozen=True, slots=True)
class PlaceOf(Operator):
    """Where a unit is; nowhere, when it is off the map."""

    unit: Expr


@dataclass(frozen=True, slots=True)
class Member(Operator):
    """A member of a record, by its place in the declaration."""

    of: Expr
    index: int


# ---------------------------------------------------------------- calls of what a book declares


@dataclass(frozen=True, slots=True)
class Named(Operator):
    """Something that a book declares under a name, asked with arguments."""

    name: str
    asked: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Call(Named):
    """The value of a definition."""


@dataclass(frozen=True, slots=True)
class Remembered(Named):
    """The value of a memory."""


@dataclass(frozen=True, slots=True)
class TableCell(Named):
    """The cell of a table."""


@dataclass(frozen=True, slots=True)
class Grown(Named):
    """The least set that a `grow` declaration reaches."""


@dataclass(frozen=True, slots=True)
class BoxOf(Named):
    """A box off the map, of those that a key tells apart."""


@dataclass(frozen=True, slots=True)
class OfQuota(Named):
    """Something asked of a quota."""


@dataclass(frozen=True, slots=True)
class QuotaCap(OfQuota):
    """How much a quota allows."""


@dataclass(frozen=True, slots=True)
class QuotaLeft(OfQuota):
    """How much of a quota is left."""


@dataclass(frozen=True, slots=True)
class QuotaSpent(OfQuota):
    """How much of a quota has been spent."""


@dataclass(frozen=True, slots=True)
class OfRoute(Named):
    """Something asked of a route."""


@dataclass(frozen=True, slots=True)
class Paths(OfRoute):
    """The paths of a route."""


@dataclass(frozen=True, slots=True)
class PathEnds(OfRoute):
    """Every place that a path of a route can end in."""


@dataclass(frozen=True, slots=True)
class ShortestPaths(OfRoute):
    """The paths of a route that cost least."""


@dataclass(frozen=True, slots=True)
class PathCost(OfRoute):
    """What a path costs on a route."""

    path: Expr


@dataclass(frozen=True, slots=True)
class OfMatching(Named):
    """Something asked of a matching."""


@dataclass(frozen=True, slots=True)
class Plans(OfMatching):
    """The plans of a matching."""


@dataclass(frozen=True, slots=True)
class BlockedItems(OfMatching):
    """The items that no complete plan of a matching can place."""


@dataclass(frozen=True, slots=True)
class UncoveredTargets(OfMatching):
    """The targets of every part of a matching that has no complete plan."""


@dataclass(frozen=True, slots=True)
class BuiltinCall(Named):
    """A built-in function (`builtins.py`)."""


@dataclass(frozen=True, slots=True)
class RecordOf(Named):
    """A record of a declared kind, from its members in order."""


# ---------------------------------------------------------------- scales and kinds


@dataclass(frozen=True, slots=True)
class OnScale(Operator):
    """The highest step of a scale not above a number; -1 below the lowest."""

    value: Expr
    steps: tuple[int | Fraction, ...]


@dataclass(frozen=True, slots=True)
class Shifted(Operator):
    """So many steps along a scale, stopping at its ends; `last` is the number of its last step."""

    step: Expr
    by: Expr
    last: int


@dataclass(frozen=True, slots=True)
class Rank(Operator):
    """The place of a value in its kind (`words`), scale or calendar, from 1."""

    value: Expr
    words: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Other(Operator):
    """The other word of a kind that has two."""

    value: Expr
    words: tuple[str, ...]


# ---------------------------------------------------------------- conditions and numbers


@dataclass(frozen=True, slots=True)
class Binary(Operator):
    """Two sides; `sign` is how the language writes what stands between them."""

    left: Expr
    right: Expr
    sign: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class And(Binary):
    sign: ClassVar[str] = "and"


@dataclass(frozen=True, slots=True)
class Or(Binary):
    sign: ClassVar[str] = "or"


@dataclass(frozen=True, slots=True)
class Comparison(Binary):
    """One of the six comparisons."""


@dataclass(frozen=True, slots=True)
class Equal(Comparison):
    sign: ClassVar[str] = "="


@dataclass(frozen=True, slots=True)
class Unequal(Comparison):
    sign: ClassVar[str] = "!="


@dataclass(frozen=True, slots=True)
class Less(Comparison):
    sign: ClassVar[str] = "<"


@dataclass(frozen=True, slots=True)
class AtMost(Comparison):
    sign: ClassVar[str] = "<="


@dataclass(frozen=True, slots=True)
class More(Comparison):
    sign: ClassVar[str] = ">"


@dataclass(frozen=True, slots=True)
class AtLeast(Comparison):
    sign: ClassVar[str] = ">="


@dataclass(frozen=True, slots=True)
class Arithmetic(Binary):
    """One of the four arithmetic operators on two numbers."""


@dataclass(frozen=True, slots=True)
class Plus(Arithmetic):
    sign: ClassVar[str] = "+"


@dataclass(frozen=True, slots=True)
class Minus(Arithmetic):
    sign: ClassVar[str] = "-"


@dataclass(frozen=True, slots=True)
class Times(Arithmetic):
    sign: ClassVar[str] = "*"


@dataclass(frozen=True, slots=True)
class Over(Arithmetic):
    sign: ClassVar[str] = "/"


@dataclass(frozen=True, slots=True)
class Not(Operator):
    value: Expr


@dataclass(frozen=True, slots=True)
class Negative(Operator):
    value: Expr


@dataclass(frozen=True, slots=True)
class Between(Operator):
    """Whether a value lies in a range, both ends included."""

    value: Expr
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Within(Operator):
    """Whether two places lie no farther apart than `reach`, as the crow flies."""

    one: Expr
    reach: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class IsIn(Operator):
    """Whether something is a member of a collection."""

    item: Expr
    many: Expr


# ---------------------------------------------------------------- collections


@dataclass(frozen=True, slots=True)
class SetOf(Operator):
    """A set from its members."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ListOf(Operator):
    """A list from its members, in order; plans and shares are lists of pairs."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range(Operator):
    """The whole numbers from one to another."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Union(Binary):
    """The members of both sets."""

    sign: ClassVar[str] = "+"


@dataclass(frozen=True, slots=True)
class Without(Binary):
    """The members of the first set that are not in the second."""

    sign: ClassVar[str] = "-"


@dataclass(frozen=True, slots=True)
class FirstOf(Operator):
    """The first of several sets that is not empty."""

    tiers: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Loop(Operator):
    """A loop over the collection `base`: `inner` is what it asks of each member, which goes by the name `var`."""

    # Only declared here: as fields they would stand before those of the subclasses, whose order patterns rely on.
    if TYPE_CHECKING:

        @property
        def base(self) -> Expr: ...
        @property
        def var(self) -> str: ...
        @property
        def inner(self) -> Expr | None: ...


@dataclass(frozen=True, slots=True)
class Tested(Loop):
    """A loop with a test on each member; without one every member counts."""

    base: Expr
    test: Expr | None
    var: str

    @property
    def inner(self) -> Expr | None:
        return self.test


@dataclass(frozen=True, slots=True)
class AnyOf(Tested):
    """Whether some member passes the test."""


@dataclass(frozen=True, slots=True)
class EveryOf(Tested):
    """Whether all members pass the test."""


@dataclass(frozen=True, slots=True)
class CountOf(Tested):
    """How many members pass the test."""


@dataclass(frozen=True, slots=True)
class Filter(Loop):
    """The members that pass a test."""

    base: Expr
    test: Expr
    var: str

    @property
    def inner(self) -> Expr:
        return self.test


@dataclass(frozen=True, slots=True)
class Folded(Loop):
    """A loop that takes a value of each member."""

    base: Expr
    value: Expr
    var: str

    @property
    def inner(self) -> Expr:
        return self.value


@dataclass(frozen=True, slots=True)
class SumOf(Folded):
    """The sum of the values."""


@dataclass(frozen=True, slots=True)
class Highest(Folded):
    """The highest of the values."""


@dataclass(frozen=True, slots=True)
class Lowest(Folded):
    """The lowest of the values."""


@dataclass(frozen=True, slots=True)
class Each(Folded):
    """The set of the values."""


@dataclass(frozen=True, slots=True)
class EachOf(Folded):
    """The members of all the values, which are sets themselves."""


# ---------------------------------------------------------------- what if, and what analyses make


@dataclass(frozen=True, slots=True)
class UnitAt:
    """A supposed change: units stand at a place."""

    what: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class MarkAs:
    """A supposed change: a mark of something has a value; for a mark of the game `what` is nothing."""

    what: Expr
    to: Expr
    name: str
    of_game: bool


@dataclass(frozen=True, slots=True)
class Suppose(Operator):
    """A value under supposed changes."""

    changes: tuple[UnitAt | MarkAs, ...]
    value: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (*(x for change in self.changes for x in (change.what, change.to)), self.value)

    @property
    def own(self) -> tuple[Any, ...]:
        return tuple("at" if isinstance(x, UnitAt) else (x.name, x.of_game) for x in self.changes)

    def with_args(self, args: tuple[Expr, ...]) -> Suppose:
        pairs = zip(args[:-1:2], args[1:-1:2], strict=True)
        changes = tuple(replace(x, what=what, to=to) for x, (what, to) in zip(self.changes, pairs, strict=True))
        return Suppose(changes, args[-1], type=self.type, span=self.span)


@dataclass(frozen=True, slots=True)
class Choose(Operator):
    """One value where a test holds, else another: an inlined definition with a clause."""

    test: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Total(Operator):
    """A running total of a gathered number, by the name it has in generated code."""

    name: str


AnyOperator: TypeAlias = (
    Const
    | Local
    | Call
    | MarkOf
    | FieldOf
    | PlaceOf
    | BuiltinCall
    | And
    | Or
    | Not
    | Equal
    | Unequal
    | Less
    | AtMost
    | More
    | AtLeast
    | IsIn
    | Filter
    | AnyOf
    | EveryOf
    | CountOf
    | SumOf
    | Highest
    | Lowest
    | Each
    | EachOf
    | Plus
    | Minus
    | Times
    | Over
    | Negative
    | Between
    | Within
    | Member
    | RecordOf
    | TableCell
    | Remembered
    | Bound
    | Reading
    | InPhase
    | Usual
    | Keep
    | Grown
    | BoxOf
    | QuotaCap
    | QuotaLeft
    | QuotaSpent
    | Paths
    | PathEnds
    | ShortestPaths
    | PathCost
    | Plans
    | BlockedItems
    | UncoveredTargets
    | OnScale
    | Shifted
    | Rank
    | Other
    | SetOf
    | ListOf
    | Range
    | Union
    | Without
    | FirstOf
    | Suppose
    | Choose
    | Total
)
"""Every operator there is: what a reader matches that must know them all."""


def known(e: Expr) -> AnyOperator:
    """The same expression, as one of the operators that there are."""
    return cast(AnyOperator, e)


# ---------------------------------------------------------------- parts

ONE, MAYBE, MANY = "one", "maybe", "many"
_SORTS = {
    "Expr": ONE,
    "Expr | None": MAYBE,
    "tuple[Expr, ...]": MANY,
    "c.Expr": ONE,
    "c.Expr | None": MAYBE,
    "tuple[c.Expr, ...]": MANY,
}
_PARTS: dict[type, tuple[tuple[str, str], ...]] = {}
_BELOW: dict[type, Callable[[Any], tuple[Any, ...]]] = {}
_OWN: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def parts_of(kind: type) -> tuple[tuple[str, str], ...]:
    """The fields of a class that hold expressions, each with how many it holds, in the order of declaration."""
    found = _PARTS.get(kind)
    if found is None:
        kinds = [(f.name, _SORTS.get(str(f.type))) for f in fields(kind)]
        found = _PARTS[kind] = tuple((name, sort) for name, sort in kinds if sort is not None)
    return found


def _below(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """A function from a node of the class to the expressions right below it."""
    found = _BELOW.get(kind)
    if found is None:
        found = _BELOW[kind] = _getter(parts_of(kind))
    return found


def _own(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """A function from a node of the class to what it holds besides expressions, its type and its text."""
    found = _OWN.get(kind)
    if found is None:
        apart = {"type", "span", *(name for name, _ in parts_of(kind))}
        found = _OWN[kind] = _getter(tuple((f.name, ONE) for f in fields(kind) if f.name not in apart))
    return found


def alike(a: Expr, b: Expr) -> bool:
    """The same question, wherever it stands."""
    if type(a) is not type(b) or a.own != b.own or len(a.args) != len(b.args):
        return False
    return all(map(alike, a.args, b.args))


def parts_in(node: Any) -> tuple[Any, ...]:
    """The expressions that a node of any frozen class holds in its fields, in the order of declaration."""
    return _below(type(node))(node)


def _getter(parts: tuple[tuple[str, str], ...]) -> Callable[[Any], tuple[Any, ...]]:
    sorts = [sort for _, sort in parts]
    names = [name for name, _ in parts]
    if not parts:
        return lambda e: ()
    if sorts == [MANY]:
        return attrgetter(names[0])
    if sorts == [ONE]:
        get = attrgetter(names[0])
        return lambda e: (get(e),)
    if set(sorts) == {ONE}:
        return attrgetter(*names)

    def gather(e: Any) -> tuple[Any, ...]:
        found: list[Any] = []
        for name, sort in parts:
            value = getattr(e, name)
            if sort == MANY:
                found += value
            elif value is not None:
                found.append(value)
        return tuple(found)

    return gather


def _rebuilt(e: Any, args: tuple[Any, ...]) -> Any:
    """A copy of a node whose parts are `args`, taken in order; a part that was absent stays so."""
    kind = type(e)
    values = {f.name: getattr(e, f.name) for f in fields(kind)}
    at = 0
    for name, sort in parts_of(kind):
        old = values[name]
        if sort == MANY:
            values[name] = args[at : at + len(old)]
            at += len(old)
        elif old is not None:
            values[name] = args[at]
            at += 1
    assert at == len(args), f"{kind.__name__} has {at} parts, not {len(args)}"
    return kind(**values)
