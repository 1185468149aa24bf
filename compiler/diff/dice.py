"""Find which tables and tests end a roll of dice.

In:  a book in the core.
Out: the look-ups of tables whose keys are rolled, and the comparisons of a roll with a bound, each with its
     dice; and exact chances of the sum of dice.

A roll is followed through `let`, sums, and the parameters of procedures and definitions, until nothing new is found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ..core import nodes as c
from ..core.walk import all_procedures, all_statements, definition_exprs, layer_values

TURNED: dict[type[c.Comparison], type[c.Comparison]] = {
    c.Equal: c.Equal,
    c.Unequal: c.Unequal,
    c.Less: c.More,
    c.AtMost: c.AtLeast,
    c.More: c.Less,
    c.AtLeast: c.AtMost,
}
"""Each comparison as it reads with its sides exchanged."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """A number that comes from a roll: the dice, and the rest of the sum it stands in."""

    dice: tuple[int, int]
    name: str
    rest: tuple[tuple[int, c.Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class LookUp:
    """One look-up of a table by a roll; `rolled` has an entry for each key."""

    table: str
    rolled: tuple[Rolled | None, ...]
    args: tuple[c.Expr, ...]
    case: str


@dataclass(frozen=True, slots=True)
class Bound:
    """One comparison of a roll with something else; `kind` reads with the roll on the left."""

    rolled: Rolled
    kind: type[c.Comparison]
    other: c.Expr
    case: str


@cache
def chances(count: int, sides: int) -> dict[int, Fraction]:
    """The exact chance of each sum."""
    found = {0: Fraction(1)}
    for _ in range(count):
        after: dict[int, Fraction] = {}
        for total, chance in found.items():
            for face in range(1, sides + 1):
                after[total + face] = after.get(total + face, Fraction(0)) + chance / sides
        found = after
    return dict(sorted(found.items()))


def dice_text(dice: tuple[int, int]) -> str:
    return f"{dice[0]}d{dice[1]}"


Env = dict[str, Rolled]


class Dice:
    """Follows the rolls of one book."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.look_ups: list[LookUp] = []
        self.bounds: list[Bound] = []
        self.params: dict[tuple[str, str], Env] = {}
        self.procedures = {p.name: p for p in all_procedures(book)}
        for _ in range(8):
            before = {k: dict(v) for k, v in self.params.items()}
            self.look_ups, self.bounds = [], []
            self.pass_over()
            if before == self.params:
                break
        self.look_ups = list(dict.fromkeys(self.look_ups))
        self.bounds = list(dict.fromkeys(self.bounds))

    def pass_over(self) -> None:
        for p in all_procedures(self.book):
            env = dict(self.params.get(("do", p.name), {}))
            for s in all_statements(p):
                match s:
                    case c.Roll(dice=c.Const(value=(int(count), int(sides)))):
                        env[s.name] = Rolled((count, sides), s.name)
                for e in s.args:
                    self.look(e, env, s.case or p.case)
                if isinstance(s, c.Let):
                    found = self.rolled(s.value, env)
                    if found is not None:
                        env[s.name] = found
                    else:
                        env.pop(s.name, None)
                if isinstance(s, c.Do) and s.name in self.procedures:
                    self.pass_on("do", s.name, [x.name for x in self.procedures[s.name].params], s.given, env)
        for name, d in self.book.definitions.items():
            env = self.params.get(("call", name), {})
            if env:
                for layer in d.layers():
                    own = dict(env)
                    for let, value in layer.lets:
                        rolled = self.rolled(value, own)
                        if rolled is not None:
                            own[let] = rolled
                    for e in layer_values(layer):
                        self.look(e, own, layer.case)

    def look(self, top: c.Expr, env: Env, case: str) -> None:
        if not env:
            return
        for e in top.walk():
            match e:
                case c.TableCell():
                    rolled = tuple(self.rolled(a, env) for a in e.asked)
                    if any(rolled):
                        self.look_ups.append(LookUp(e.name, rolled, e.asked, case))
                case c.Call():
                    params = [p.name for p in self.book.definitions[e.name].params]
                    self.pass_on("call", e.name, params, e.asked, env)
                case c.Less() | c.AtMost() | c.More() | c.AtLeast() | c.Equal():
                    left, right = self.rolled(e.left, env), self.rolled(e.right, env)
                    if left is not None and right is None:
                        self.bounds.append(Bound(left, type(e), e.right, case))
                    elif right is not None and left is None:
                        self.bounds.append(Bound(right, TURNED[type(e)], e.left, case))

    def pass_on(self, sort: str, name: str, params: list[str], args: Iterable[c.Expr], env: Env) -> None:
        for param, arg in zip(params, args, strict=False):
            found = self.rolled(arg, env)
            if found is not None:
                self.params.setdefault((sort, name), {}).setdefault(param, Rolled(found.dice, found.name, found.rest))

    def rolled(self, e: c.Expr, env: Env) -> Rolled | None:
        """The roll that a number is, or is the sum of with something else."""
        if isinstance(e, c.Local):
            return env.get(e.name)
        if isinstance(e, c.Plus | c.Minus):
            left, right = self.rolled(e.left, env), self.rolled(e.right, env)
            if left is not None and right is None:
                return Rolled(left.dice, left.name, (*left.rest, (1 if isinstance(e, c.Plus) else -1, e.right)))
            if right is not None and left is None and isinstance(e, c.Plus):
                return Rolled(right.dice, right.name, (*right.rest, (1, e.left)))
        return None


def asks(book: c.Book, e: c.Expr, name: str, depth: int = 4) -> bool:
    """Whether an expression asks for a definition, itself or through others."""
    for x in e.walk():
        if isinstance(x, c.Call):
            if x.name == name:
                return True
            if depth and any(asks(book, y, name, depth - 1) for y in definition_exprs(book.definitions[x.name])):
                return True
    return False
