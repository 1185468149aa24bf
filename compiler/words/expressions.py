"""Expressions as noun phrases, conditions as clauses.

In:  an expression of the core, and the noun phrases of the names in scope.
Out: `noun`: a noun phrase for a value; `clause`: a condition, affirmed or denied; `relative`: a relative clause that
     selects members of a collection.

The same expression always gives the same words. A name without a phrase of its own gets one made from the name
(phrases.py); no expression is left as code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from ..core import nodes as c
from ..core.types import FLAG, Type
from .builtins import FLAGS, VALUES
from .english import Noun, article, base_form, is_plural, is_verb, listed, plural, several_of, words
from .phrases import TAIL, Phrase, of_flag, of_value
from .scope import Scope, of_names, type_noun
from .values import constant

SIGNS = {
    "=": ("is", "is not"),
    "!=": ("is not", "is"),
    "<": ("is less than", "is at least"),
    "<=": ("is at most", "is more than"),
    ">": ("is more than", "is at most"),
    ">=": ("is at least", "is less than"),
}
BEFORE = {
    "<": ("is before", "is not before"),
    "<=": ("is not after", "is after"),
    ">": ("is after", "is not after"),
    ">=": ("is not before", "is before"),
}


SPANS = ("phase", "turn", "impulse", "segment", "round", "step", "month", "week", "day", "year", "game")
"""Names that say by themselves that they are a stretch of time."""


class Words:
    """Phrases for the expressions of one book."""

    def __init__(self, book: c.Book, phrases: Mapping[str, Phrase] | None = None, diary: bool = True) -> None:
        self.book = book
        self.diary = diary
        """Whether lines of the log are said."""
        self.phrases: dict[str, Phrase] = dict(phrases or {})
        self.place = "hex" if book.map is None or book.map.grid.sheets else "point"

    def nouns_of(self, home: str, params: Iterable[c.Param], known_already: bool = True) -> dict[str, Noun]:
        """The noun phrases of the parameters of a declaration; a book may give its own (`fall_back.least: …`)."""
        known = [(p.name, p.type) for p in params]
        own = {name: self.phrases[f"{home}.{name}"].text for name, _ in known if f"{home}.{name}" in self.phrases}
        return of_names(known, self.place, known_already, own)

    # ------------------------------------------------------------ values

    def noun(self, e: c.Expr, scope: Scope) -> Noun:
        """A noun phrase for a value."""
        e = c.known(e)
        match e:
            case c.Const():
                return constant(self.book, self.phrases, e.value, e.type)
            case c.Local():
                return scope.nouns.get(e.name) or of_names([(e.name, e.type)], self.place)[e.name]
            case c.Usual() if e.type.many:
                return Noun("those", plural=True)
            case c.Usual():
                return Noun("usual value", "the")
            case c.Keep():
                return Noun("same as before", "the")
            case c.Bound():
                return self.bound(e)
            case c.Reading():
                return Noun(f"reading of “{words(e.name)}”", "the")
            case c.FieldOf():
                return self.owned(e.of, self.phrase(f"{e.key[0]}.{e.key[1]}"), e.key[1], e.type, scope)
            case c.MarkOf():
                return self.mark(e, scope)
            case c.PlaceOf():
                return self.owned(e.unit, None, self.place, e.type, scope)
            case c.Member():
                name = self.book.records[e.of.type.plain.name][e.index][0]
                return self.owned(e.of, self.phrase(f"{e.of.type.plain.name}.{name}"), name, e.type, scope)
            case c.Call() | c.Remembered() | c.TableCell() | c.Grown():
                return self.called(e, scope)
            case c.BoxOf():
                of = listed([str(self.noun(x, scope)) for x in e.asked])
                own = self.phrase(e.name)
                if own is not None:
                    return definite(own.fill(dict.fromkeys(own.slots, Noun(of))))
                return Noun(f"box “{words(e.name)}”" + (f" of {of}" if of else ""), "the")
            case c.QuotaCap():
                return definite(self.allowance(e.name, e.asked, scope))
            case c.QuotaLeft():
                return Noun(f"rest of {self.allowance(e.name, e.asked, scope)}", "the")
            case c.QuotaSpent():
                return Noun(f"amount spent of {self.allowance(e.name, e.asked, scope)}", "the")
            case c.Paths() | c.Plans() if self.phrase(e.name) is not None:
                about = self.book.routes[e.name] if isinstance(e, c.Paths) else self.book.matchings[e.name]
                names = [p.name for p in about.params]
                given = dict(zip(names, (self.noun(x, scope) for x in e.asked), strict=False))
                return definite(self.phrases[e.name].fill(given))
            case c.Paths():
                return self.with_args("ways of", e, scope, many=True)
            case c.PathEnds():
                return self.with_args(f"{plural(self.place)} that can be reached by", e, scope, many=True)
            case c.ShortestPaths():
                return self.with_args("shortest ways of", e, scope, many=True)
            case c.PathCost():
                cost = self.with_args("cost by", e, scope)
                return Noun(f"{cost.head} of {self.noun(e.path, scope)}", "the")
            case c.Plans():
                return self.with_args("plans of", e, scope, many=True)
            case c.BlockedItems():
                return self.of_plans(e, scope)
            case c.UncoveredTargets():
                return self.of_plans(e, scope)
            case c.BuiltinCall("on_this_map", (c.Const(tuple(places)), *_)):
                return self.noun(c.Const(places[0], type=e.type, span=e.span), scope)
            case c.BuiltinCall() if e.name in VALUES:
                text = VALUES[e.name]
                given = {f"p{i}": self.noun(x, scope) for i, x in enumerate(e.asked)}
                said = Phrase(text.replace("places", plural(self.place)).replace("place", self.place)).fill(given)
                return definite(said)
            case c.BuiltinCall():
                return self.with_args(words(e.name) + " of", e, scope, many=e.type.many)
            case c.RecordOf():
                return self.record(e, scope)
            case c.OnScale():
                return Noun(f"column of {self.noun(e.value, scope)}", "the")
            case c.Shifted():
                return Noun(f"{self.noun(e.step, scope)}, shifted by {self.noun(e.by, scope)}", joined=True)
            case c.Rank():
                return Noun(f"rank of {self.noun(e.value, scope)}", "the")
            case c.Other():
                return Noun(f"{type_noun(e.type, self.place)} other than {self.noun(e.value, scope)}", "the")
            case c.Plus() | c.Minus() | c.Times() | c.Over():
                return self.arithmetic(e, scope)
            case c.Negative():
                return Noun(f"minus {self.noun(e.value, scope)}")
            case c.ListOf() if e.type.plain.of is not None and e.type.plain.of.name == "place" and e.items:
                return Noun(" – ".join(str(self.noun(x, scope)) for x in e.items), joined=True)
            case c.SetOf() | c.ListOf():
                members = [str(self.noun(x, scope)) for x in e.items]
                if e.type.plain.of is not None and e.type.plain.of.name == "place":
                    members = ["nowhere" if x == "nothing" else x for x in members]
                return Noun(listed(members) or "nothing", plural=len(members) != 1, joined=len(members) > 1)
            case c.Range():
                return Noun(f"numbers from {self.noun(e.low, scope)} to {self.noun(e.high, scope)}", "the", True)
            case c.Union():
                sets = united(e)
                parts = [str(self.noun(x, scope)) for x in sets]
                if any(
                    isinstance(x, c.Filter) and not alone(x.base) for x in sets[:-1]
                ):  # the last is no part of those
                    return Noun(f"{', '.join(parts[:-1])}, and also {parts[-1]}", plural=True, joined=True)
                return Noun(listed(parts), plural=True, joined=True)
            case c.Without():
                left, right = self.noun(e.left, scope), self.noun(e.right, scope)
                return Noun(f"{left.head} without {right}", left.article, left.plural, joined=True)
            case c.FirstOf():
                tiers = [str(self.noun(x, scope)) for x in e.tiers]
                return Noun("; if there is none, ".join(tiers), plural=True, joined=True)
            case c.Filter():
                return self.filtered(e, scope)
            case c.CountOf():
                counted = self.base(e, scope)
                which = self.relative(e.test, e, scope) if e.test is not None else ""
                return Noun(f"number of {counted if named(base_of(e), counted) else counted.any}{which}", "the")
            case c.SumOf() | c.Highest() | c.Lowest() | c.Each() | c.EachOf():
                return self.folded(e, scope)
            case c.Suppose():
                return Noun(f"{self.noun(e.value, scope)} (supposing that {self.supposed(e, scope)})", joined=True)
            case c.Choose():
                then, other = self.noun(e.then, scope), self.noun(e.otherwise, scope)
                return Noun(f"{then} if {self.clause(e.test, scope)}, otherwise {other}", joined=True)
            case c.Total():
                return Noun("total so far", "the")
            case (
                c.InPhase() | c.And() | c.Or() | c.Not() | c.Between() | c.Within() | c.IsIn() | c.AnyOf() | c.EveryOf()
            ):
                return Noun(f"whether {self.clause(e, scope)}", joined=True)
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                return Noun(f"whether {self.clause(e, scope)}", joined=True)
            case _:
                assert_never(e)

    def phrase(self, *keys: str) -> Phrase | None:
        """The book's own phrase for something, looked up by its most specific name first."""
        return next((self.phrases[key] for key in keys if key in self.phrases), None)

    def phase(self, name: str) -> str:
        """The name of a phase as words, without its article."""
        own = self.phrase(name)
        if own is not None and not own.slots:  # else it is that of something else with this name
            return own.text.removeprefix("the ")
        said = words(name)
        return said if said.endswith(SPANS) else f"{said} phase"

    def bound(self, e: c.Bound) -> Noun:
        given = self.phrase(e.name)
        if given is not None:
            return definite(given.text)
        if e.name == "phasing":
            return Noun("phasing side", "the")
        if e.name == "now":
            return Noun("present turn", "the")
        return Noun(words(e.name), "the", is_plural(words(e.name)))

    def mark(self, e: c.MarkOf, scope: Scope) -> Noun:
        if e.of is None:
            given = self.phrase(e.name)
            return definite(given.text) if given else definite(f"the {words(e.name)}")
        return self.owned(e.of, self.phrase(f"{e.key[0]}.{e.name}", e.name), e.name, e.type, scope)

    def owned(self, of: c.Expr, given: Phrase | None, name: str, type: Type, scope: Scope) -> Noun:
        """A field, mark or member with its owner: the unit's strength, the strength of the units that …"""
        owner = self.noun(of, scope)
        if given is not None and given.slots:
            return definite(given.fill({given.slots[0]: owner}))
        said = given.text.removeprefix("the ") if given is not None else words(name)
        if type == FLAG and given is None:
            return Noun(f"whether {of_flag(name, ['it']).clause({'it': owner}, True)}", joined=True)
        if owner.short:
            return Noun(f"{owner.owning} {said}", plural=is_plural(said))
        return Noun(f"{said} of {owner}", "the", is_plural(said), owner.joined)

    def called(self, e: c.Call | c.Remembered | c.TableCell | c.Grown, scope: Scope) -> Noun:
        if e.type.plain == FLAG:
            return Noun(f"whether {self.clause(e, scope)}", joined=True)
        phrase = self.phrase(e.name) or of_value(self.plain_name(e.name), self.params(e))
        given = dict(zip(self.params(e), (self.noun(x, scope) for x in e.asked), strict=False))
        last = phrase.slots[-1] if phrase.text.endswith("}") else ""
        for name, x in zip(self.params(e), e.asked, strict=False):
            if name == last and isinstance(x, c.Plus | c.Minus):  # what follows the phrase would seem part of the sum
                given[name] = Noun(f"({given[name]})", joined=True)
            elif worked_out(x, given[name]):
                given[name] = replace(given[name], amount=True)
        if phrase.made and len(given) == 1:
            owner = next(iter(given.values()))
            if owner.short and self.plain_name(e.name).rpartition("_")[2] not in TAIL:
                said = words(self.plain_name(e.name))
                return Noun(f"{owner.owning} {said}", plural=is_plural(said))
        return definite(phrase.fill(given))

    def plain_name(self, name: str) -> str:
        """A declared name as words; a facet of a route reads as part of the route."""
        return name.replace(".", " ")

    def params(self, e: c.Named) -> list[str]:
        """The names of the parameters of a declaration."""
        book = self.book
        match e:
            case c.Call():
                found = book.definitions[e.name].params if e.name in book.definitions else ()
            case c.Remembered():
                found = book.memories[e.name].definition.params
            case c.TableCell():
                found = book.tables[e.name].params
            case c.Grown():
                found = book.grows[e.name].params
            case _:
                found = ()
        names = [p.name for p in found]
        return [*names, *(f"p{i}" for i in range(len(names), len(e.asked)))]

    def allowance(self, quota: str, asked: Iterable[c.Expr], scope: Scope) -> str:
        """A quota, for whom or what it is counted."""
        given = [self.noun(x, scope) for x in asked]
        own = self.phrase(quota)
        if own is not None:
            names = [p.name for p in self.book.quotas[quota].definition.params]
            return own.fill(dict(zip(names, given, strict=False)))
        of = f" of {listed([str(x) for x in given])}" if given else ""
        return f"the allowance for “{words(quota)}”{of}"

    def with_args(self, head: str, e: c.Named, scope: Scope, many: bool = False) -> Noun:
        given = listed([str(self.noun(x, scope)) for x in e.asked])
        own = self.phrase(e.name)
        said = own.text if own is not None and not own.slots else f"“{words(self.plain_name(e.name))}”"
        if isinstance(e, c.BuiltinCall):
            return Noun(f"{head} {given}".strip(), "the", many)
        return Noun(f"{head} {said}" + (f" for {given}" if given else ""), "the", many)

    def of_plans(self, e: c.BlockedItems | c.UncoveredTargets, scope: Scope) -> Noun:
        """The items that no plan places, the targets of the parts that have no plan."""
        about = self.book.matchings[e.name]
        own = self.phrase(e.name)
        given = dict(zip((p.name for p in about.params), (self.noun(x, scope) for x in e.asked), strict=False))
        plans = definite(own.fill(given)) if own is not None else self.with_args("plans of", e, scope, many=True)
        if isinstance(e, c.BlockedItems):
            return Noun(
                f"{plural(type_noun(item_type(about.items), self.place))} that none of {plans} can place", "the", True
            )
        what = plural(type_noun(item_type(about.targets), self.place))
        return Noun(f"{what} of those parts for which there are no {plans.any}", "the", True)

    def record(self, e: c.RecordOf, scope: Scope) -> Noun:
        members = self.book.records[e.name]
        parts = []
        for (name, _), value in zip(members, e.asked, strict=True):
            if isinstance(value, c.Const) and value.value in ((), None):
                continue
            if isinstance(value, c.Const) and value.type.plain == FLAG:
                parts += [words(name)] if value.value else []
                continue
            said = self.noun(value, scope)
            parts.append(f"{said} as {words(name)}" if str(said) != f"the {words(name)}" else str(said))
        return Noun(words(e.name) + (f" with {listed(parts)}" if parts else ""), "a", joined=True)

    def arithmetic(self, e: c.Plus | c.Minus | c.Times | c.Over, scope: Scope) -> Noun:
        """Arithmetic; times two and a half are phrased as `twice` and `half`."""
        left, right = e.left, e.right
        if isinstance(e, c.Times):
            for one, two in ((left, right), (right, left)):
                if isinstance(one, c.Const) and one.value in TIMES:
                    return Noun(f"{TIMES[one.value]} {self.noun(two, scope)}", joined=True)
            return Noun(f"{self.term(left, scope)} times {self.term(right, scope)}", joined=True)
        if isinstance(e, c.Over):
            if isinstance(left, c.Const) and left.value == 1 and isinstance(right, c.Const) and right.value in PARTS:
                return Noun(PARTS[right.value].removesuffix(" of"))
            if isinstance(right, c.Const) and right.value in PARTS:
                return Noun(f"{PARTS[right.value]} {self.noun(left, scope)}", joined=True)
            return Noun(f"{self.term(left, scope)} divided by {self.term(right, scope)}", joined=True)
        sign = "plus" if isinstance(e, c.Plus) else "minus"
        return Noun(f"{self.noun(left, scope)} {sign} {self.term(right, scope)}", joined=True)

    def term(self, e: c.Expr, scope: Scope) -> str:
        """An operand of a product or difference; a sum goes in brackets."""
        said = str(self.noun(e, scope))
        return f"({said})" if isinstance(e, c.Plus | c.Minus) else said

    def base(self, e: c.Loop, scope: Scope) -> Noun:
        """The collection that a loop runs over, as a plural."""
        found = self.noun(base_of(e), scope)
        if found.plural or found.joined or "{" in found.head:
            return found if found.plural or found.joined else Noun(found.head, found.article, True)
        return Noun(f"{plural(type_noun(member_type(e), self.place))} in {found}", "the", True)

    def filtered(self, e: c.Filter, scope: Scope) -> Noun:
        """The members that pass a filter; nested filters become one list of conditions."""
        tests: list[tuple[c.Expr, c.Loop]] = []
        inner: c.Expr = e
        while isinstance(inner, c.Filter):
            tests.insert(0, (inner.test, inner))
            inner = inner.base
        many = self.noun(inner, scope)
        which = " and".join(self.relative(test, loop, scope) for test, loop in tests)
        if isinstance(inner, c.Usual):
            return Noun(f"only those of them{which}", plural=True, joined=True)
        if len(tests) == 1 and alone(inner):
            loop = tests[0][1]
            inside = scope.in_loop(loop_var(loop), member_type(loop), self.place)
            return Noun(f"{many} (if {self.clause(tests[0][0], inside)})", joined=True)
        if several(inner) and many.joined:  # the condition is about all of them, not about the last
            return Noun(f"those of {many}{which}", plural=True, joined=True)
        return Noun(f"{many.head}{which}", many.article, True, joined=True)

    def folded(self, e: c.SumOf | c.Highest | c.Lowest | c.Each | c.EachOf, scope: Scope) -> Noun:
        many = self.base(e, scope)
        inside = scope.in_loop(e.var, member_type(e), self.place)
        if isinstance(e, c.Highest | c.Lowest) and isinstance(e.base, c.SetOf) and is_it(e.value, e.var):
            which = "larger" if isinstance(e, c.Highest) else "smaller"
            members = [str(self.noun(x, scope)) for x in e.base.items]
            if any(" and " in x for x in members):
                members = [f"({x})" if " " in x else x for x in members]
            return Noun(f"the {which} of {listed(members)}", joined=True)
        if is_it(e.value, e.var):
            said = "members"
        else:
            said = str(self.noun(e.value, inside)).removeprefix("its ")
        own = isinstance(e.value, c.FieldOf | c.MarkOf | c.PlaceOf) and is_it(
            e.value.args[0] if e.value.args else e.value, e.var
        )
        match e:
            case c.SumOf() if own:
                return Noun(f"total {said} of {many}", "the", joined=True)
            case c.SumOf() if not any(is_it(x, e.var) for x in e.value.walk()):
                return Noun(f"{self.noun(e.value, scope)} for each of {many}", joined=True)
            case c.SumOf():
                each = inside.with_name(e.var, Noun(f"each of {many}", joined=True))
                return Noun(f"sum of {self.noun(e.value, each)}", "the", joined=True)
            case c.Highest():
                return Noun(
                    f"highest {said.removeprefix('the ')} of {many}" if own else self.over("highest", e, inside, many),
                    "the",
                )
            case c.Lowest():
                return Noun(
                    f"lowest {said.removeprefix('the ')} of {many}" if own else self.over("lowest", e, inside, many),
                    "the",
                )
            case c.Each() | c.EachOf() if own and not e.value.type.many:
                return Noun(f"{plural(said)} of {many}", "the", True)
            case c.Each() | c.EachOf():
                value = self.noun(e.value, inside)
                if str(value).endswith(" it"):  # the hexes next to it
                    return Noun(f"{str(value).removeprefix('the ').removesuffix(' it')} {many}", "the", True)
                return Noun(f"{value}, for each of {many}", plural=True, joined=True)
            case _:
                assert_never(e)

    def over(self, which: str, e: c.Folded, inside: Scope, many: Noun) -> str:
        said = str(self.noun(e.value, inside))
        if said.startswith("the ") and said.endswith(" of it") and not re.search(r"\bits?\b", said[:-3]):
            return f"{which} {said[4:-6]} of {many}"
        return f"{which} of {said}, over {many}"

    # ------------------------------------------------------------ conditions

    def clause(self, e: c.Expr, scope: Scope, positive: bool = True) -> str:
        """A condition as a clause; negated unless `positive`."""
        match e:
            case c.Const():
                return ("always" if e.value else "never") if positive else ("never" if e.value else "always")
            case c.Not():
                return self.clause(e.value, scope, not positive)
            case c.And() | c.Or():
                return self.joined(e, scope, positive)
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                return self.compared(e, scope, positive)
            case c.Between():
                verb = self.be(e.value, scope, positive)
                return f"{verb} from {self.noun(e.low, scope)} to {self.noun(e.high, scope)}"
            case c.Within():
                verb = self.be(e.one, scope, positive)
                return f"{verb} within {self.noun(e.reach, scope)} of {self.noun(e.other, scope)}"
            case c.IsIn():
                among = "one of" if self.lists(e.many) else "among"
                return f"{self.be(e.item, scope, positive)} {among} {self.noun(e.many, scope)}"
            case c.AnyOf():
                return self.some(e, scope, positive)
            case c.EveryOf():
                return self.every(e, scope, positive)
            case c.InPhase():
                return f"it is {'' if positive else 'not '}the {self.phase(e.name)}"
            case c.Call() | c.Remembered() | c.TableCell() | c.Grown():
                phrase = self.phrase(e.name) or of_flag(self.plain_name(e.name), self.params(e))
                given = dict(zip(self.params(e), (self.noun(x, scope) for x in e.asked), strict=False))
                return phrase.clause(given, positive)
            case c.BuiltinCall() if e.name in FLAGS:
                given = {f"p{i}": self.noun(x, scope) for i, x in enumerate(e.asked)}
                return Phrase(FLAGS[e.name]).clause(given, positive)
            case c.FieldOf():
                phrase = self.phrase(f"{e.key[0]}.{e.key[1]}") or of_flag(e.key[1], ["it"])
                return phrase.clause({slot: self.noun(e.of, scope) for slot in phrase.slots}, positive)
            case c.Member():
                name = self.book.records[e.of.type.plain.name][e.index][0]
                phrase = self.phrase(f"{e.of.type.plain.name}.{name}") or of_flag(name, ["it"])
                if not phrase.slots:
                    phrase = of_flag(phrase.text, ["it"])
                return phrase.clause(dict.fromkeys(phrase.slots, self.noun(e.of, scope)), positive)
            case c.MarkOf():
                if e.of is None:
                    return (self.phrase(e.name) or of_flag(e.name, [])).clause({}, positive)
                phrase = self.phrase(f"{e.key[0]}.{e.name}", e.name) or Phrase(
                    f"{{it}} is marked “{words(e.name)}”", True
                )
                return phrase.clause({slot: self.noun(e.of, scope) for slot in phrase.slots}, positive)
            case c.Choose():
                test, then = self.clause(e.test, scope), self.clause(e.then, scope, positive)
                return f"{then} if {test}, otherwise {self.clause(e.otherwise, scope, positive)}"
            case c.Suppose():
                return f"{self.clause(e.value, scope, positive)} (supposing that {self.supposed(e, scope)})"
            case c.Usual():
                return "it would be so otherwise" if positive else "it would not be so otherwise"
            case c.Keep():
                return "it was so before" if positive else "it was not so before"
            case c.Local():
                return f"{self.noun(e, scope)} is {'yes' if positive else 'no'}"
            case _:
                said = self.noun(e, scope)
                return f"{said} is {'' if positive else 'not '}so"

    def joined(self, e: c.And | c.Or, scope: Scope, positive: bool) -> str:
        """A chain of one connective.

        A chain of `or` is marked by `either` wherever it could be taken for more or less than it is, and stands last in
        a chain of `and`, as does what is said of each of several: so nothing behind it seems to be part of it.
        """
        conjunction = isinstance(e, c.And) == positive
        closed: list[str] = []
        trailing: list[str] = []
        for x in chain(e):
            said = self.clause(x, scope, positive)
            if isinstance(stripped(x), c.Choose):
                said = f"({said})"
            if conjunction and disjunction(x, positive):
                trailing.append(said if said.startswith("either ") else f"either {said}")
            else:
                (trailing if said.startswith("for ") or " either " in said else closed).append(said)
        parts = [*closed, *trailing]
        if conjunction:
            return listed(parts, "and")
        if any(" and " in x or ", " in x for x in parts):
            return f"either {', or '.join(parts)}"
        return f"either {listed(parts, 'or')}" if len(parts) == 2 else listed(parts, "or")

    def compared(self, e: c.Comparison, scope: Scope, positive: bool) -> str:
        left, right = e.left, e.right
        sign = e.sign
        if left.type.plain == FLAG and isinstance(right, c.Const):
            return self.clause(left, scope, (bool(right.value) == (sign == "=")) == positive)
        if left.type.plain.name == "turn" and sign in BEFORE:
            verb = BEFORE[sign][not positive]
            return f"{self.noun(left, scope)} {verb} {self.noun(right, scope)}"
        if isinstance(left, c.CountOf) and isinstance(right, c.Const) and right.value == 0 and sign in ("=", ">", "!="):
            some = (sign != "=") == positive
            return f"there {'are' if some else 'are no'} {str(self.noun(left, scope)).removeprefix('the number of ')}"
        if isinstance(right, c.Const) and right.value is None and sign in ("=", "!="):
            absent = (sign == "=") == positive
            if isinstance(left, c.Keep):
                return f"there was {'none' if absent else 'one'} before"
            if left.type.plain.name == "place" and isinstance(left, c.PlaceOf):
                unit = self.noun(left.unit, scope)
                return f"{unit} {'are' if unit.plural else 'is'} {'nowhere' if absent else 'somewhere'}"
            said = self.noun(left, scope)
            bare = isinstance(left, c.MarkOf) and left.of is None and self.phrase(left.name) is None
            if bare or said.article != "the":
                named = f"“{said.head}”" if bare else str(said)
                return f"{named} {'are' if said.plural else 'is'} {'not set' if absent else 'set'}"
            if said.plural:
                return f"there are {'no ' if absent else ''}{said.head}"
            return f"there is {'no' if absent else article(said.head)} {said.head}"
        if isinstance(right, c.SetOf | c.Const) and (
            right.type.many and not getattr(right, "items", getattr(right, "value", None))
        ):
            return self.there_is(left, self.noun(left, scope), scope, (sign == "=") != positive)
        noun = self.noun(left, scope)
        verb = SIGNS[sign][not positive]
        if noun.plural:
            verb = "are" + verb.removeprefix("is")
        return f"{noun} {verb} {self.noun(right, scope)}"

    def be(self, e: c.Expr, scope: Scope, positive: bool) -> str:
        noun = self.noun(e, scope)
        return f"{noun} {'are' if noun.plural else 'is'}{'' if positive else ' not'}"

    def lists(self, e: c.Expr) -> bool:
        """The members of a collection that the rule lists one by one."""
        return isinstance(e, c.Const | c.SetOf | c.ListOf)

    def nested(self, e: c.AnyOf | c.EveryOf, each: str, scope: Scope) -> str | None:
        """Two quantifiers of one sort, the second over a collection of its own: `for each of a and each of b, …`."""
        inner = e.test
        if inner is None or type(inner) is not type(e) or not isinstance(inner, c.AnyOf | c.EveryOf):
            return None
        types = member_type(e), member_type(inner)
        if inner.test is None or any(is_it(x, e.var) for x in base_of(inner).walk()):
            return None
        alike = types[0] == types[1]
        if alike and ("it" in (e.var, inner.var) or each != "each"):
            return None
        nouns = {
            x.var: Noun(f"{noun} {x.var}") if alike else Noun(noun, "that")
            for x, noun in zip((e, inner), (type_noun(t, self.place) for t in types), strict=True)
        }
        inside = Scope({**scope.nouns, **nouns}, (*scope.loops, (e.var, types[0]), (inner.var, types[1])))
        marks = (f" ({e.var})", f" ({inner.var})") if alike else ("", "")
        both = f"{each} of {self.base(e, scope)}{marks[0]} and {each} of {self.base(inner, scope)}{marks[1]}"
        return f"for {both}, {self.clause(inner.test, inside)}"

    def some(self, e: c.AnyOf, scope: Scope, positive: bool) -> str:
        both = self.nested(e, "at least one", scope) if positive else None
        if both is not None:
            return both
        many = self.base(e, scope)
        if e.test is None:
            if many.head.startswith("{"):  # to be filled, with nothing at times
                return f"{many} are named" if positive else "nothing is named"
            return self.there_is(base_of(e), many, scope, positive)
        if many.head.startswith("{"):
            inside = scope.in_loop(e.var, member_type(e), self.place)
            verb = self.predicate(e.test, e.var, inside, False)
            if verb is not None:
                return f"{'one' if positive else 'none'} of {many} {verb}"
        if (several(base_of(e)) and many.joined) or not many.head or named(base_of(e), many):
            inside = scope.in_loop(e.var, member_type(e), self.place)
            verb = self.predicate(e.test, e.var, inside, False)
            if verb is not None:
                return f"{'at least one' if positive else 'none'} of {many} {verb}"
            if self.speaks_once(e.test, e.var):
                one = Noun(f"{'at least one' if positive else 'each'} of {many}", joined=True)
                return self.clause(e.test, scope.with_name(e.var, one), positive)
            if positive:
                return f"for at least one of {many}, {self.clause(e.test, inside)}"
            return f"for each of {many}, {self.clause(e.test, inside, False)}"
        return f"there {'are' if positive else 'are no'} {many.any}{self.relative(e.test, e, scope)}"

    def there_is(self, e: c.Expr, many: Noun, scope: Scope, positive: bool) -> str:
        """Whether a collection has members."""
        if isinstance(e, c.Without):
            taken: list[c.Expr] = []
            while isinstance(e, c.Without):
                taken.insert(0, e.right)
                e = e.left
            among = f"among {listed([str(self.noun(x, scope)) for x in taken])}"
            left = self.noun(e, scope)
            return f"at least one of {left} is not {among}" if positive else f"each of {left} is {among}"
        if (many.joined and several(e)) or named(e, many) or many.head.startswith("those "):
            return f"there is {'at least one' if positive else 'none'} of {many}"
        return f"there {'are' if positive else 'are no'} {many.any}"

    def every(self, e: c.EveryOf, scope: Scope, positive: bool) -> str:
        both = self.nested(e, "each", scope) if positive else None
        if both is not None:
            return both
        many = self.base(e, scope)
        assert e.test is not None
        inside = scope.in_loop(e.var, member_type(e), self.place)
        if not positive and not parity(e.test):
            verb = self.predicate(stripped(e.test), e.var, inside, False)
            if verb is not None:
                return f"at least one of {many} {verb}"
        if positive and self.is_property(e.test, e.var) and not many.joined:
            return self.clause(e.test, scope.with_name(e.var, Noun(f"each of {many}", joined=True)))
        verb = self.predicate(e.test, e.var, inside, not positive)
        if verb is not None:
            return f"each of {many} {verb}" if positive else f"not all of {many} {verb}"
        if positive:
            return f"for each of {many}, {self.clause(e.test, inside)}"
        return f"for at least one of {many}, {self.clause(e.test, inside, False)}"

    def is_property(self, e: c.Expr, var: str) -> bool:
        """Whether a condition compares one property of the member that a definition finds: its holder."""
        if not isinstance(e, c.Comparison) or not isinstance(e.left, c.Call | c.Remembered):
            return False
        asked = e.left.asked
        return len(asked) == 1 and is_it(asked[0], var) and sum(is_it(x, var) for x in e.walk()) == 1

    def speaks_once(self, e: c.Expr, var: str) -> bool:
        """Whether a comparison is of something of the member that it names once: the marker on it."""
        if not isinstance(e, c.Comparison | c.IsIn | c.Between) or isinstance(e.args[0], c.Loop):
            return False
        return sum(is_it(x, var) for x in e.args[0].walk()) == sum(is_it(x, var) for x in e.walk()) == 1

    def relative(self, test: c.Expr, loop: c.Loop, scope: Scope) -> str:
        """A relative clause to follow the noun: ` that have fought`, ` whose side is red`, ` for which …`."""
        inside = scope.in_loop(loop_var(loop), member_type(loop), self.place)
        parts = []
        for part in chain(test) if isinstance(test, c.And) else [test]:
            least = self.extreme(part, loop, inside)
            if least is not None:
                parts.append(least)
                continue
            whose = self.whose(part, loop_var(loop), inside)
            verb = self.predicate(part, loop_var(loop), inside, True) if whose is None else None
            if whose is not None:
                parts.append(whose)
            elif verb is not None:
                parts.append(f"that {verb}")
            else:
                parts.append(of_which(self.clause(part, inside)))
        parts.sort(
            key=lambda x: bool(NESTED.search(x))
        )  # what is said of others last: more behind it would seem of them
        return f" {listed(parts)}"

    def extreme(self, part: c.Expr, loop: c.Loop, inside: Scope) -> str | None:
        """`for which the distance is least`: none of the same collection has less of it."""
        inner = stripped(part)
        if parity(part) or not isinstance(inner, c.AnyOf) or not c.alike(base_of(inner), base_of(loop)):
            return None
        test = inner.test
        if not isinstance(test, c.Less | c.More):
            return None
        own, other = loop_var(loop), inner.var
        left, right = test.left, test.right
        if any(is_it(x, own) for x in left.walk()) or any(is_it(x, other) for x in right.walk()):
            return None
        said = self.noun(right, inside)
        if str(said) != str(self.noun(left, inside.with_name(other, inside.nouns[own]))):
            return None
        verb, most = "are" if said.plural else "is", "least" if isinstance(test, c.Less) else "greatest"
        return f"for which {said} {verb} {most}"

    def whose(self, e: c.Expr, var: str, inside: Scope) -> str | None:
        """`whose strength is 3`, for a comparison of a property of the member."""
        inner, positive = stripped(e), parity(e)
        if not isinstance(inner, c.Comparison | c.IsIn | c.Between):
            return None
        subject = inner.args[0]
        if isinstance(subject, c.Call | c.Remembered) and len(subject.asked) == 1 and is_it(subject.asked[0], var):
            noun, said = str(self.noun(subject, inside)), self.clause(inner, inside, positive)
            if noun.startswith("the ") and noun.endswith(" of it") and said.startswith(f"{noun} "):
                return f"whose {noun[4:-6]}{said.removeprefix(noun)}"
        turned = self.about_it(subject, inner, inside, positive)
        if turned is not None:
            return turned
        if not isinstance(subject, c.FieldOf | c.MarkOf | c.PlaceOf | c.Member) or subject.type.plain == FLAG:
            return None
        if not subject.args or not is_it(subject.args[0], var):
            return None
        said = self.clause(inner, inside, positive)
        return "whose " + said.removeprefix("its ") if said.startswith("its ") else None

    def about_it(self, subject: c.Expr, test: c.Expr, inside: Scope, positive: bool) -> str | None:
        """`on which the marker is red`, `whose owner is red`: the subject speaks of the member once, at its end."""
        noun, said = str(self.noun(subject, inside)), self.clause(test, inside, positive)
        found = AT_ITS_END.fullmatch(noun)
        if found is None or not said.startswith(f"{noun} ") or re.search(r"\bits?\b", found[1]):
            return None
        rest = said.removeprefix(noun)
        return f"whose {found[1]}{rest}" if found[2] == "of" else f"{found[2]} which the {found[1]}{rest}"

    def predicate(self, e: c.Expr, var: str, inside: Scope, many: bool) -> str | None:
        """The predicate of a condition whose subject is the member."""
        inner, positive = stripped(e), parity(e)
        if isinstance(inner, c.AnyOf) and held_by(base_of(inner), var):
            which = self.relative(inner.test, inner, inside) if inner.test is not None else ""
            return f"{'hold' if many else 'holds'} {'' if positive else 'no '}units{which}"
        said = self.clause(inner, inside, positive)
        if (
            isinstance(inner, c.And | c.Or)
            or not said.startswith("it ")
            or isinstance(inner, c.InPhase | c.Usual | c.Keep)
        ):
            return None
        if isinstance(inner, c.MarkOf) and inner.of is None:
            return None
        if isinstance(inner, c.Call | c.Remembered) and not inner.asked:
            return None
        return agree(theirs(said.removeprefix("it "))) if many else said.removeprefix("it ")

    def supposed(self, e: c.Suppose, scope: Scope) -> str:
        said = []
        for change in e.changes:
            if isinstance(change, c.UnitAt):
                what = self.noun(change.what, scope)
                said.append(f"{what} {'are' if what.plural else 'is'} in {self.noun(change.to, scope)}")
                continue
            name = self.phrase(f"{change.what.type.plain.of or change.what.type.plain}.{change.name}", change.name)
            if change.of_game:
                said.append(f"{name.text if name else words(change.name)} is {self.noun(change.to, scope)}")
            elif isinstance(change.to, c.Const) and change.to.type.plain == FLAG:
                phrase = name or Phrase(f"{{it}} is marked “{words(change.name)}”", True)
                what = self.noun(change.what, scope)
                said.append(phrase.clause({slot: what for slot in phrase.slots}, bool(change.to.value)))
            else:
                mark = self.owned(change.what, name, change.name, change.to.type, scope)
                said.append(f"{mark} {'are' if mark.plural else 'is'} {self.noun(change.to, scope)}")
        return listed(said)


TIMES: dict[object, str] = {2: "twice", 3: "three times"}
PARTS: dict[object, str] = {2: "half of", 3: "a third of", 4: "a quarter of", 5: "a fifth of"}


def definite(text: str) -> Noun:
    """A phrase as a noun, in the number of its words: the odds are plural, the zone of a unit is singular."""
    many = is_plural(text)
    for word in ("the", "a", "an"):
        if text.startswith(f"{word} "):
            return Noun(text[len(word) + 1 :], word, many)
    return Noun(text, plural=many)


def agree(verb: str) -> str:
    """A singular verb phrase in the plural."""
    first, _, rest = verb.partition(" ")
    changed = {"is": "are", "has": "have", "was": "were", "does": "do"}.get(first)
    if changed in ("are", "were"):
        denied = "not " if rest.startswith("not ") else ""
        rest = f"{denied}{several_of(rest.removeprefix('not '))}"
    if changed is None:
        changed = first if is_verb(first) else base_form(first)
    return f"{changed} {rest}".strip()


NESTED = re.compile(r"\w (?:whose|that|for which) .*|\Afor which either |\Asuch ")
"""A relative clause that has another in it, or a choice."""


AT_ITS_END = re.compile(r"the (.+) (of|on|in|at|for|to|from|by) it")
"""A noun phrase that ends with the member it is about: the marker on it."""
DEFINITE = re.compile(r"(?:first|the|its|two|three|four|five|six|both|all) ")
"""How a collection begins that is no sort of things but those things."""


def named(e: c.Expr, many: Noun) -> bool:
    """Whether a collection is one that was named before, so that `there are units` would say too little."""
    return isinstance(e, c.Local) or DEFINITE.match(many.head) is not None


def worked_out(e: c.Expr, said: Noun) -> bool:
    """Whether an argument is a number that takes several words."""
    return e.type.plain.name == "number" and not isinstance(e, c.Const | c.Local) and len(said.head.split()) > 2


def of_which(said: str) -> str:
    """A relative clause of a clause about `it`: `in which the enemies stand`, `for which it is the turn`."""
    found = re.fullmatch(r"(.+) (of|on|in|at|to|from|by) it", said)
    if found is not None and not re.search(r"\b(?:its?|that|which|whose)\b", found[1]):
        return f"{found[2]} which {found[1]}"
    return f"{'such that' if said.startswith('for ') else 'for which'} {said}"


def theirs(verb: str) -> str:
    """A predicate whose subject becomes plural: `its` in it is the subject's, up to what speaks of others."""
    found = re.split(r"(?= (?:whose|that|for which) )", verb, maxsplit=1)
    return re.sub(r"\bits\b", "their", found[0]) + "".join(found[1:])


def held_by(e: c.Expr, var: str) -> bool:
    """Whether a collection is the units in the member."""
    return isinstance(e, c.BuiltinCall) and e.name in ("units_at", "units_in") and is_it(e.asked[0], var)


def united(e: c.Expr) -> list[c.Expr]:
    """The sets of a chain of unions."""
    return [*united(e.left), *united(e.right)] if isinstance(e, c.Union) else [e]


def several(e: c.Expr) -> bool:
    """Whether a collection is named by a list, so that a condition behind it would seem to be about the last."""
    if isinstance(e, c.SetOf | c.ListOf):
        return len(e.items) > 1
    if isinstance(e, c.Const):
        return isinstance(e.value, tuple) and len(e.value) > 1
    return isinstance(e, c.Union | c.Without | c.FirstOf)


def alone(e: c.Expr) -> bool:
    """Whether a collection is written as one member."""
    if isinstance(e, c.SetOf):
        return len(e.items) == 1
    return isinstance(e, c.Const) and isinstance(e.value, tuple) and len(e.value) == 1


def item_type(e: c.Expr) -> Type:
    return e.type.plain.of or e.type.plain


def disjunction(e: c.Expr, positive: bool) -> bool:
    """Whether a condition, affirmed or denied, is a chain of `or`."""
    inner = stripped(e)
    return isinstance(inner, c.Or if parity(e) == positive else c.And)


def chain(e: c.Expr) -> list[c.Expr]:
    """The operands of a chain of one connective."""
    if not isinstance(e, c.And | c.Or):
        return [e]
    found: list[c.Expr] = []
    for side in (e.left, e.right):
        found += chain(side) if type(side) is type(e) else [side]
    return found


def stripped(e: c.Expr) -> c.Expr:
    return stripped(e.value) if isinstance(e, c.Not) else e


def parity(e: c.Expr) -> bool:
    return not parity(e.value) if isinstance(e, c.Not) else True


def is_it(e: c.Expr, var: str) -> bool:
    return isinstance(e, c.Local) and e.name == var


def base_of(e: c.Loop) -> c.Expr:
    return e.args[0]


def loop_var(e: c.Loop) -> str:
    match e:
        case c.Tested() | c.Filter() | c.Folded():
            return e.var
        case _:
            raise TypeError(type(e).__name__)


def member_type(e: c.Loop) -> Type:
    """The type of the members of a loop."""
    of = base_of(e).type.plain.of
    return of if of is not None else base_of(e).type.plain
