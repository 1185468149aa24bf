"""Conditions on a set, or on shares, that are sums over the members.

In:  a rule of an action and the name of a set parameter, or a question for a set or for shares.
Out: numbers, each of which must be at least, at most, above, below or equal to 0, and each of which is a sum over the
     members: what the set as a whole has is what the empty set has, and what each member adds. None where a condition
     is not seen to be of that kind.

`count(us) >= 20`, `sum(it.power over us) = 27`, `any us where it.arm = guns`, `"Guard" in us` and their negations and
conjunctions are such conditions, also through definitions that say no more. With them it is decided whether a set
exists, however many members there are to choose from (runtime/choices/sums.py). Of shares each summand may look at the
share of one member, in whatever way: `every us as u has share(x, u) <= u.load`, `sum(share(x, it) * it.cost over us)`.
"""

from __future__ import annotations

from ..core import nodes as c
from ..core.types import FLAG, NUMBER
from ..core.walk import binds, local_names

Margin = tuple[c.Expr, str]
"""A number, and how it must stand to 0: `>=`, `>`, `<=`, `<` or `=`."""
FLIPPED = {">=": "<", ">": "<=", "<=": ">", "<": ">="}
DEPTH = 8


def margins_of(book: c.Book, rule: c.Rule, name: str) -> list[Margin] | None:
    """What a rule asks of a set, as sums over its members; it permits the set exactly where all of them are met."""
    if rule.waivers or (rule.guard is not None and name in local_names(rule.guard)):
        return None
    found = Additive(book, name).condition(rule.test, rule.sort == "require")
    if found is None or rule.guard is None:
        return found
    return [(guarded(rule.guard, number, sign), sign) for number, sign in found]


def margins_of_answer(book: c.Book, ask: c.Ask) -> list[Margin] | None:
    """The same of what a question asks of a set, or of shares, that are its answer."""
    if ask.sort not in ("some", "shares") or ask.so_that is None:
        return None
    kind = Additive if ask.sort == "some" else Shared
    return kind(book, ask.name).condition(ask.so_that, True)


def all_orders_alike(ask: c.Ask) -> bool:
    """Whether what a question asks of an order holds of every order or of none: it looks at members only."""
    return ask.sort == "order" and ask.so_that is not None and not sees_order(ask.so_that, ask.name)


def sees_order(e: c.Expr, name: str) -> bool:
    """Whether an expression may tell two orders of a list apart; loops that count, add up or look for one do not."""
    if isinstance(e, c.Local):
        return e.name == name
    blind: c.Expr | None = None
    if isinstance(e, c.AnyOf | c.EveryOf | c.CountOf | c.SumOf | c.Highest | c.Lowest):
        blind = e.base
    elif isinstance(e, c.IsIn):
        blind = e.many
    rest = [x for x in e.args if x is not blind]
    while isinstance(blind, c.Filter):
        rest.append(blind.test)
        blind = blind.base
    if blind is not None and not isinstance(blind, c.Local):
        rest.append(blind)
    return any(sees_order(x, name) for x in rest)


def guarded(guard: c.Expr, number: c.Expr, sign: str) -> c.Expr:
    """The number where the guard holds, else one that meets the condition."""
    idle = {">": 1, "<": -1}.get(sign, 0)
    return c.Choose(test=guard, then=number, otherwise=const(idle, number), type=NUMBER, span=number.span)


def const(value: int, like: c.Expr) -> c.Expr:
    return c.Const(value=value, type=NUMBER, span=like.span)


class Additive:
    """Conditions on the set of one name."""

    def __init__(self, book: c.Book, name: str) -> None:
        self.book, self.name = book, name

    def condition(self, e: c.Expr, wanted: bool) -> list[Margin] | None:
        """The numbers by which a condition holds, or where it is not `wanted`, fails."""
        match e:
            case c.Not():
                return self.condition(e.value, not wanted)
            case c.And() if wanted:
                return self.both(e.left, e.right, wanted)
            case c.Or() if not wanted:
                return self.both(e.left, e.right, wanted)
            case c.Between() if wanted:
                low, high = (c.Minus(left=e.value, right=x, type=NUMBER, span=e.span) for x in (e.low, e.high))
                sums = self.is_sum(low, self.name) and self.is_sum(high, self.name)
                return [(low, ">="), (high, "<=")] if sums and e.value.type.plain == NUMBER else None
            case _ if self.hangs_on_one(e):
                held = c.Choose(test=e, then=const(1, e), otherwise=const(0, e), type=NUMBER, span=e.span)
                return [(held, ">" if wanted else "<=")]
            case c.AtLeast() | c.More() | c.AtMost() | c.Less() | c.Equal() if e.left.type.plain == NUMBER:
                number = c.Minus(left=e.left, right=e.right, type=NUMBER, span=e.span)
                sign = e.sign if wanted else FLIPPED.get(e.sign, "")
                return [(number, sign)] if sign and self.is_sum(number, self.name) else None
            case c.AnyOf():
                return self.counted(e.base, e.test, e.var, e, wanted)
            case c.EveryOf() if e.test is not None:
                return self.counted(e.base, c.Not(value=e.test, type=FLAG, span=e.span), e.var, e, not wanted)
            case c.IsIn() if self.name not in local_names(e.item) and e.item.type.of is None:
                var = c.Local(name="it", type=e.item.type, span=e.span)
                if "it" in local_names(e.item):
                    return None
                same = c.Equal(left=var, right=e.item, type=FLAG, span=e.span)
                return self.counted(e.many, same, "it", e, wanted)
            case _:
                return None

    def hangs_on_one(self, e: c.Expr) -> bool:
        """Whether a condition does not look at the set; such a one is a summand as it stands."""
        return self.name not in local_names(e)

    def both(self, left: c.Expr, right: c.Expr, wanted: bool) -> list[Margin] | None:
        one, two = self.condition(left, wanted), self.condition(right, wanted)
        return None if one is None or two is None else [*one, *two]

    def counted(self, base: c.Expr, test: c.Expr | None, var: str, e: c.Expr, some: bool) -> list[Margin] | None:
        """That some members pass a test, or none does."""
        number = c.CountOf(base=base, test=test, var=var, type=NUMBER, span=e.span)
        return [(number, ">" if some else "<=")] if self.is_sum(number, self.name) else None

    def is_sum(self, e: c.Expr, name: str, depth: int = 0) -> bool:
        """Whether a number is a sum over the members of a set."""
        if name not in local_names(e):
            return True
        match e:
            case c.CountOf():
                return self.is_part(e.base, name) and (e.test is None or name not in local_names(e.test))
            case c.SumOf():
                return self.is_part(e.base, name) and name not in local_names(e.value)
            case c.Plus() | c.Minus():
                return self.is_sum(e.left, name, depth) and self.is_sum(e.right, name, depth)
            case c.Negative():
                return self.is_sum(e.value, name, depth)
            case c.Times():
                still = name not in local_names(e.left) or name not in local_names(e.right)
                return still and self.is_sum(e.left, name, depth) and self.is_sum(e.right, name, depth)
            case c.Over():
                return name not in local_names(e.right) and self.is_sum(e.left, name, depth)
            case c.Call() if e.name in self.book.definitions and depth < DEPTH:
                return self.is_plain_sum(e, name, depth + 1)
            case _:
                return False

    def is_plain_sum(self, e: c.Call, name: str, depth: int) -> bool:
        """The same of a definition that says one thing, without conditions, exceptions or contributions."""
        d = self.book.definitions[e.name]
        layer = d.base
        plain = not (d.gathered or d.contributions or layer.exceptions or layer.waivers or layer.lets)
        if not plain or len(layer.clauses) != 1 or layer.clauses[0].guard is not None:
            return False
        handed = [p.name for p, x in zip(d.params, e.asked, strict=True) if name in local_names(x)]
        whole = all(isinstance(x, c.Local) or name not in local_names(x) for x in e.asked)
        return whole and len(handed) == 1 and self.is_sum(layer.clauses[0].value, handed[0], depth)

    def is_part(self, e: c.Expr, name: str) -> bool:
        """Whether a set is the named one, or those of its members that pass a test of their own."""
        if isinstance(e, c.Filter):
            return self.is_part(e.base, name) and name not in local_names(e.test)
        return isinstance(e, c.Local) and e.name == name


class Shared(Additive):
    """Conditions on the shares of one name."""

    def hangs_on_one(self, e: c.Expr) -> bool:
        """Whether a condition looks at the share of one member at most."""
        return self.name not in local_names(e) or self.of_one(e, self.name)

    def is_sum(self, e: c.Expr, name: str, depth: int = 0) -> bool:
        if name not in local_names(e) or self.of_one(e, name):
            return True
        match e:
            case c.CountOf():
                return self.is_part(e.base, name) and (e.test is None or self.of_var(e.test, name, e.var))
            case c.SumOf():
                return self.is_part(e.base, name) and self.of_var(e.value, name, e.var)
            case _:
                return super().is_sum(e, name, depth)

    def is_part(self, e: c.Expr, name: str) -> bool:
        """Whether who belongs to a set does not hang on the shares of others."""
        if isinstance(e, c.Filter):
            return self.is_part(e.base, name) and self.of_var(e.test, name, e.var)
        return name not in local_names(e)

    def of_var(self, e: c.Expr, name: str, var: str) -> bool:
        """Whether an expression looks at no share but that of the member which goes by `var`."""
        whose = shares_in(e, name)
        return (
            whose is not None and all(isinstance(x, c.Local) and x.name == var for x in whose) and not binds(e, {var})
        )

    def of_one(self, e: c.Expr, name: str) -> bool:
        """Whether an expression looks at the share of one member only, whichever that is."""
        whose = shares_in(e, name)
        if whose is None or name in local_names(*whose):
            return False
        return len({written(x) for x in whose}) == 1 and not binds(e, local_names(*whose))


def shares_in(e: c.Expr, name: str) -> list[c.Expr] | None:
    """The members whose shares an expression looks at; None where it looks at the shares in another way."""
    calls = [x for x in e.walk() if isinstance(x, c.BuiltinCall) and x.name == "share"]
    whose = [x.asked[1] for x in calls if isinstance(x.asked[0], c.Local) and x.asked[0].name == name]
    looks = sum(isinstance(x, c.Local) and x.name == name for x in e.walk())
    return whose if looks == len(whose) else None


def written(e: c.Expr) -> tuple[object, ...]:
    """An expression without the places of its text."""
    return (type(e), e.own, *map(written, e.args))
