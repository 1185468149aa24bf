"""Find which tables and tests end a roll of dice.

In:  a book in the core.
Out: the look-ups of tables whose keys are rolled, and the comparisons of a roll with a bound, each with its
     dice; and exact chances of the sum of dice.

A roll is followed through `let`, sums, and the parameters of procedures and definitions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ..core import nodes as c
from ..core.walk import all_procedures, all_statements, definition_exprs, layer_values

COMPARED = {"<", "<=", ">", ">=", "="}


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
    """One comparison of a roll with something else; `op` reads with the roll on the left."""

    rolled: Rolled
    op: str
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
                if s.op == "roll" and s.args and isinstance(s.args[0].info, tuple):
                    env[str(s.info)] = Rolled(s.args[0].info, str(s.info))
                for e in s.args:
                    self.look(e, env, s.case or p.case)
                if s.op == "let":
                    found = self.rolled(s.args[0], env)
                    if found is not None:
                        env[str(s.info)] = found
                    else:
                        env.pop(str(s.info), None)
                if s.op == "do" and str(s.info) in self.procedures:
                    self.pass_on("do", str(s.info), [x.name for x in self.procedures[str(s.info)].params], s.args, env)
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
            if e.op == "table":
                rolled = tuple(self.rolled(a, env) for a in e.args)
                if any(rolled):
                    self.look_ups.append(LookUp(str(e.info), rolled, e.args, case))
            elif e.op == "call":
                params = [p.name for p in self.book.definitions[str(e.info)].params]
                self.pass_on("call", str(e.info), params, e.args, env)
            elif e.op in COMPARED:
                left, right = (self.rolled(a, env) for a in e.args)
                if left is not None and right is None:
                    self.bounds.append(Bound(left, e.op, e.args[1], case))
                elif right is not None and left is None:
                    turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(e.op, e.op)
                    self.bounds.append(Bound(right, turned, e.args[0], case))

    def pass_on(self, sort: str, name: str, params: list[str], args: Iterable[c.Expr], env: Env) -> None:
        for param, arg in zip(params, args, strict=False):
            found = self.rolled(arg, env)
            if found is not None:
                self.params.setdefault((sort, name), {}).setdefault(param, Rolled(found.dice, found.name, found.rest))

    def rolled(self, e: c.Expr, env: Env) -> Rolled | None:
        """The roll that a number is, or is the sum of with something else."""
        if e.op == "local":
            return env.get(str(e.info))
        if e.op in ("+", "-") and len(e.args) == 2:
            left, right = (self.rolled(a, env) for a in e.args)
            if left is not None and right is None:
                return Rolled(left.dice, left.name, (*left.rest, (1 if e.op == "+" else -1, e.args[1])))
            if right is not None and left is None and e.op == "+":
                return Rolled(right.dice, right.name, (*right.rest, (1, e.args[0])))
        return None


def asks(book: c.Book, e: c.Expr, name: str, depth: int = 4) -> bool:
    """Whether an expression asks for a definition, itself or through others."""
    for x in e.walk():
        if x.op == "call":
            if x.info == name:
                return True
            if depth and any(asks(book, y, name, depth - 1) for y in definition_exprs(book.definitions[str(x.info)])):
                return True
    return False
