"""Check the promise `more helps`: that one more item never spoils a group of a matching.

In:  the book in the core.
Out: nothing.
Reports: RW309 `more helps` where a condition may be spoilt, or cannot be shown not to be.

The search of a matching leaves out all but the least sets of items where more helps; were that not so, it would miss
plans. So each condition must be shown to be monotone in `assigned`: through sums of what is never negative,
counts, `any`, and the definitions that they ask. What asks in another way is refused rather than believed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.records import dataclass

from ..analyse.bounds import Printed, bounds
from ..core import nodes as c

Sign = str | tuple["Sign", ...]
"""What a larger set does to a value: "0" nothing, "+" raises, "-" lowers it, "?" either; of a record, part by part."""
ROUNDING = ("up", "down", "nearest")
SET_BY_SET = ("places", "units_in")
COUNTS = ("distance", "length")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the names in scope: their signs, and which are never negative."""

    signs: dict[str, Sign]
    whole: frozenset[str] = frozenset()

    def plus(self, name: str, sign: Sign = "0", positive: bool = False) -> Known:
        return Known({**self.signs, name: sign}, self.whole | {name} if positive else self.whole - {name})


def check_more_helps(book: c.Book, report: Reporter) -> None:
    """Report each condition by which more might not help."""
    signs = Signs(book)
    for m in book.matchings.values():
        for rule in m.rules if m.more_helps else ():
            if rule.sort != "require":
                continue
            whole_plan = any(isinstance(x, c.Local) and x.name == "unassigned" for x in rule.test.walk())
            sign = signs.of_rule(rule)
            if sign in ("0", "+") and not whole_plan:
                continue
            what = f'"{rule.label}"' if rule.label else "this requirement"
            if whole_plan:
                said = f"{what} asks about the whole plan, of which more helps says nothing"
            elif sign == "-":
                said = f"one more item can spoil {what}, so more does not help in {m.name}"
            else:
                said = f"it cannot be seen that one more item never spoils {what}, as more helps says"
            report.error(
                "RW309",
                rule.test.span,
                said,
                help='strike "more helps", or ask for assigned by any, by count or by a sum that is never negative, '
                "and for more of it, not for less",
                case=rule.case,
            )


class Signs:
    """What a larger `assigned` does to values, through all definitions that they ask."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.printed: Printed = {}
        self.known: dict[tuple[str, tuple[Sign, ...], tuple[bool, ...]], Sign] = {}
        self.never_negative: dict[tuple[str, tuple[bool, ...]], bool] = {}

    def of_rule(self, rule: c.Rule) -> Sign:
        known = Known({"assigned": "+"})
        guard = flip(self.of(rule.guard, known)) if rule.guard is not None else "0"
        waivers = [self.of(w.guard, known) for w in rule.waivers if w.guard is not None]
        return join([self.of(rule.test, known), guard, *waivers])

    def of(self, e: c.Expr, known: Known) -> Sign:
        match e:
            case c.Local():
                return known.signs.get(e.name, "0")
            case c.Usual():
                return known.signs.get("usual", "?")
            case c.RecordOf():
                parts = tuple(self.of(x, known) for x in e.asked)
                return "0" if all(part == "0" for part in parts) else parts
            case c.Member():
                record = self.of(e.of, known)
                return record[e.index] if isinstance(record, tuple) else "0" if record == "0" else "?"
            case c.And() | c.Or() | c.Union() | c.Plus():
                return join([self.of(e.left, known), self.of(e.right, known)])
            case c.Not() | c.Negative():
                return flip(self.of(e.value, known))
            case c.Minus() | c.Without() | c.More() | c.AtLeast():
                return join([self.of(e.left, known), flip(self.of(e.right, known))])
            case c.Less() | c.AtMost():
                return join([flip(self.of(e.left, known)), self.of(e.right, known)])
            case c.Times():
                return (
                    self.scaled(e.left, e.right, known)
                    if self.is_still(e.right, known)
                    else self.scaled(e.right, e.left, known)
                )
            case c.Over():
                if self.positive(e.left, known) and self.positive(e.right, known):
                    return join([self.of(e.left, known), flip(self.of(e.right, known))])
                return self.scaled(e.left, e.right, known)
            case c.Equal(left=left, right=c.Const(value=0)) if self.positive(left, known):
                return flip(self.of(left, known))
            case c.AnyOf() | c.CountOf() | c.Filter():
                return self.tested(e, known)
            case c.EveryOf():
                test = self.of(e.test, known.plus(e.var)) if e.test is not None else "0"
                return join([flip(self.of(e.base, known)), test])
            case c.SumOf() | c.Highest() | c.Lowest() | c.Each() | c.EachOf():
                return self.folded(e, known)
            case c.IsIn():
                return self.of(e.many, known) if self.is_still(e.item, known) else "?"
            case c.OnScale() | c.Rank():
                return self.of(e.value, known)
            case c.Shifted():
                return join([self.of(e.step, known), self.of(e.by, known)])
            case c.Choose():
                both = join([self.of(e.then, known), self.of(e.otherwise, known)])
                return both if self.is_still(e.test, known) else "?"
            case c.Suppose():
                still = all(self.is_still(x, known) for x in e.args if x is not e.value)
                return self.of(e.value, known) if still else "?"
            case c.Call():
                return self.called(e, known)
            case c.BuiltinCall() if e.name in (*ROUNDING, *SET_BY_SET):
                return self.of(e.asked[0], known)
            case _:
                return "0" if all(self.is_still(x, known) for x in e.args) else "?"

    def is_still(self, e: c.Expr, known: Known) -> bool:
        return self.of(e, known) == "0"

    def scaled(self, value: c.Expr, by: c.Expr, known: Known) -> Sign:
        """A product or quotient with something that stays the same and is never negative."""
        if self.is_still(by, known) and (self.is_still(value, known) or self.positive(by, known)):
            return self.of(value, known)
        return "?"

    def tested(self, e: c.AnyOf | c.CountOf | c.Filter, known: Known) -> Sign:
        test = self.of(e.test, known.plus(e.var)) if e.test is not None else "0"
        return join([self.of(e.base, known), test])

    def folded(self, e: c.SumOf | c.Highest | c.Lowest | c.Each | c.EachOf, known: Known) -> Sign:
        inner = known.plus(e.var)
        value = self.of(e.value, inner)
        if isinstance(e.base, c.SetOf) and isinstance(e, c.Highest | c.Lowest) and is_name(e.value, e.var):
            return join([self.of(x, known) for x in e.base.items])
        base = self.of(e.base, known)
        match e:
            case c.EachOf():
                return join([base, value])
            case c.Each():
                return base if value == "0" else "?"
            case c.SumOf():
                return join([base, value]) if base == "0" or self.positive(e.value, inner) else "?"
            case c.Highest():
                return join([base, value])
            case c.Lowest():
                return join([flip(base), value])
            case _:
                assert_never(e)

    def called(self, e: c.Call, known: Known) -> Sign:
        signs = tuple(self.of(x, known) for x in e.asked)
        if all(sign == "0" for sign in signs):
            return "0"
        d = self.book.definitions[e.name]
        positive = tuple(self.positive(x, known) for x in e.asked)
        key = (e.name, signs, positive)
        if key not in self.known:
            self.known[key] = "?"  # what asks for itself is not looked into
            names = Known({}, frozenset(p.name for p, yes in zip(d.params, positive, strict=True) if yes))
            for param, sign in zip(d.params, signs, strict=True):
                names.signs[param.name] = sign
            self.known[key] = self.definition(d, names)
        return self.known[key]

    def definition(self, d: c.Definition, known: Known) -> Sign:
        found = [self.layer(d.base, known)]
        factors: dict[str, set[object]] = {}
        for contribution in d.contributions:
            found.append(self.contribution(contribution.layer, known))
            for clause in contribution.layer.clauses:
                number = clause.value.value if isinstance(clause.value, c.Const) else clause.value
                factors.setdefault(contribution.stage, set()).add(number)
        for stage in d.stages:
            found += [self.of(x, known) for x in (stage.most, stage.least) if x is not None]
            if stage.once and len(factors.get(stage.name, ())) > 1:
                found.append("?")
        return join(found)

    def layer(self, layer: c.Layer, known: Known) -> Sign:
        """Clauses chosen by what stays the same; or first the best there is, on a condition that only gains."""
        for name, value in layer.lets:
            known = known.plus(name, self.of(value, known), self.positive(value, known))
        found: list[Sign] = []
        only_best = True
        for clause in layer.clauses:
            guard = self.of(clause.guard, known) if clause.guard is not None else "0"
            if guard == "-" and self.raised_after(clause, layer.clauses, known):
                guard = "0"
            best = self.is_best(clause.value) and only_best
            only_best = best
            found += [self.of(clause.value, known), guard if best or guard == "0" else "?"]
        own = join(found)
        for exception in layer.exceptions:
            found.append(self.layer(exception, known.plus("usual", own)))
        found += ["0" if self.is_still(w.guard, known) else "?" for w in layer.waivers if w.guard is not None]
        return join(found)

    def contribution(self, layer: c.Layer, known: Known) -> Sign:
        """What is added, or by what never negative number it is multiplied; under one condition, how that moves."""
        times = [clause for clause in layer.clauses if clause.operation == "times"]
        if any(not self.positive(x.value, known) or not self.is_still(x.value, known) for x in times):
            return "?"
        if len(layer.clauses) != 1 or layer.exceptions or layer.lets:
            return self.layer(layer, known)
        (clause,) = layer.clauses
        guard = self.of(clause.guard, known) if clause.guard is not None else "0"
        waivers = self.layer(replace(layer, clauses=()), known)
        if guard == "0" or not self.is_still(clause.value, known):
            return self.layer(layer, known)
        limits = bounds(self.book, clause.value, self.printed)
        if clause.operation == "times" and limits is not None and (limits.low >= 1 or limits.high <= 1):
            return join([guard if limits.low >= 1 else flip(guard), waivers])
        if clause.operation == "plus" and self.positive(clause.value, known):
            return join([guard, waivers])
        return self.layer(layer, known)

    def raised_after(self, clause: c.Clause, clauses: tuple[c.Clause, ...], known: Known) -> bool:
        """Whether the clause is the first of two, and the other gives the same step of a scale shifted upwards."""
        match clauses:
            case (first, c.Clause(guard=None, value=c.Shifted(step=c.Local(name=name), by=by))) if first is clause:
                return is_name(clause.value, name) and self.positive(by, known)
        return False

    def is_best(self, value: c.Expr) -> bool:
        """Whether nothing ranks above a value: yes, or the last step of a scale."""
        if not isinstance(value, c.Const):
            return False
        last = len(self.book.scales.get(value.type.name, ())) - 1 if value.type.sort == "scale" else None
        return value.value is True or (last is not None and value.value == last)

    # ------------------------------------------------------------ what is never negative

    def positive(self, e: c.Expr, known: Known) -> bool:
        """Whether a number is never negative, as far as can be seen."""
        match e:
            case c.Local():
                return e.name in known.whole
            case c.Usual() | c.CountOf():
                return True
            case c.Plus() | c.Times() | c.Over():
                return self.positive(e.left, known) and self.positive(e.right, known)
            case c.Highest(base=c.SetOf(items=items)) if is_name(e.value, e.var):
                return any(self.positive(x, known) for x in items)
            case c.Lowest(base=c.SetOf(items=items)) if is_name(e.value, e.var):
                return all(self.positive(x, known) for x in items)
            case c.SumOf() | c.Highest() | c.Lowest():
                return self.positive(e.value, known.plus(e.var))
            case c.Choose():
                return self.positive(e.then, known) and self.positive(e.otherwise, known)
            case c.BuiltinCall() if e.name in ROUNDING:
                return self.positive(e.asked[0], known)
            case c.BuiltinCall() if e.name in COUNTS:
                return True
            case c.Call():
                return self.positive_call(e, known)
            case _:
                found = bounds(self.book, e, self.printed)
                return found is not None and found.low >= 0

    def positive_call(self, e: c.Call, known: Known) -> bool:
        given = tuple(self.positive(x, known) for x in e.asked)
        key = (e.name, given)
        if key not in self.never_negative:
            self.never_negative[key] = False
            d = self.book.definitions[e.name]
            names = frozenset(p.name for p, yes in zip(d.params, given, strict=True) if yes)
            layers: Iterable[c.Layer] = d.layers()
            self.never_negative[key] = all(self.positive_layer(layer, Known({}, names)) for layer in layers)
        return self.never_negative[key]

    def positive_layer(self, layer: c.Layer, known: Known) -> bool:
        for name, value in layer.lets:
            known = known.plus(name, positive=self.positive(value, known))
        return all(self.positive(clause.value, known) for clause in layer.clauses)


def is_name(e: c.Expr, name: str) -> bool:
    return isinstance(e, c.Local) and e.name == name


def join(signs: list[Sign]) -> Sign:
    """What two changes at once do."""
    moving = {sign for sign in signs if sign != "0"}
    if len(moving) > 1 or any(isinstance(sign, tuple) for sign in moving):
        return "?" if len(moving) > 1 else moving.pop()
    return moving.pop() if moving else "0"


def flip(sign: Sign) -> Sign:
    return {"+": "-", "-": "+"}.get(sign, sign) if isinstance(sign, str) else "?"
