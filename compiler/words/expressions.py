"""Expressions as noun phrases, conditions as clauses.

In:  an expression of the core, and the noun phrases of the names in scope.
Out: `noun`: a noun phrase for a value; `clause`: a condition, affirmed or denied; `relative`: a relative clause that
     selects members of a collection.

The same expression always gives the same words. A name without a phrase of its own gets one made from the name
(phrases.py); no expression is left as code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from ..core import nodes as c
from .builtins import FLAGS, VALUES
from .called import allowance, bound, called, mark, of_plans, owned, params, plain_name, record, with_args
from .conditions import be, compared, every, joined, lists, some, supposed
from .english import (
    Noun,
    definite,
    listed,
    plural,
    words,
)
from .members import base, filtered, folded
from .phrases import Phrase, of_flag
from .relative import relative
from .scope import Scope, of_names, type_noun
from .shapes import (
    alone,
    base_of,
    named,
    united,
)
from .values import constant

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
                return bound(self, e)
            case c.Reading():
                return Noun(f"reading of “{words(e.name)}”", "the")
            case c.FieldOf():
                return owned(self, e.of, self.phrase(f"{e.key[0]}.{e.key[1]}"), e.key[1], e.type, scope)
            case c.MarkOf():
                return mark(self, e, scope)
            case c.PlaceOf():
                return owned(self, e.unit, None, self.place, e.type, scope)
            case c.Member():
                name = self.book.records[e.of.type.plain.name][e.index][0]
                return owned(self, e.of, self.phrase(f"{e.of.type.plain.name}.{name}"), name, e.type, scope)
            case c.Call() | c.Remembered() | c.TableCell() | c.Grown():
                return called(self, e, scope)
            case c.BoxOf():
                of = listed([str(self.noun(x, scope)) for x in e.asked])
                own = self.phrase(e.name)
                if own is not None:
                    return definite(own.fill(dict.fromkeys(own.slots, Noun(of))))
                return Noun(f"box “{words(e.name)}”" + (f" of {of}" if of else ""), "the")
            case c.QuotaCap():
                return definite(allowance(self, e.name, e.asked, scope))
            case c.QuotaLeft():
                return Noun(f"rest of {allowance(self, e.name, e.asked, scope)}", "the")
            case c.QuotaSpent():
                return Noun(f"amount spent of {allowance(self, e.name, e.asked, scope)}", "the")
            case c.Paths() | c.Plans() if self.phrase(e.name) is not None:
                about = self.book.routes[e.name] if isinstance(e, c.Paths) else self.book.matchings[e.name]
                names = [p.name for p in about.params]
                given = dict(zip(names, (self.noun(x, scope) for x in e.asked), strict=False))
                return definite(self.phrases[e.name].fill(given))
            case c.Paths():
                return with_args(self, "ways of", e, scope, many=True)
            case c.PathEnds():
                return with_args(self, f"{plural(self.place)} that can be reached by", e, scope, many=True)
            case c.ShortestPaths():
                return with_args(self, "shortest ways of", e, scope, many=True)
            case c.PathCost():
                cost = with_args(self, "cost by", e, scope)
                return Noun(f"{cost.head} of {self.noun(e.path, scope)}", "the")
            case c.Plans():
                return with_args(self, "plans of", e, scope, many=True)
            case c.BlockedItems():
                return of_plans(self, e, scope)
            case c.UncoveredTargets():
                return of_plans(self, e, scope)
            case c.BuiltinCall("on_this_map", (c.Const(tuple(places)), *_)):
                return self.noun(c.Const(places[0], type=e.type, span=e.span), scope)
            case c.BuiltinCall() if e.name in VALUES:
                text = VALUES[e.name]
                given = {f"p{i}": self.noun(x, scope) for i, x in enumerate(e.asked)}
                said = Phrase(text.replace("places", plural(self.place)).replace("place", self.place)).fill(given)
                return definite(said)
            case c.BuiltinCall():
                return with_args(self, words(e.name) + " of", e, scope, many=e.type.many)
            case c.RecordOf():
                return record(self, e, scope)
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
                return filtered(self, e, scope)
            case c.CountOf():
                counted = base(self, e, scope)
                which = relative(self, e.test, e, scope) if e.test is not None else ""
                return Noun(f"number of {counted if named(base_of(e), counted) else counted.any}{which}", "the")
            case c.SumOf() | c.Highest() | c.Lowest() | c.Each() | c.EachOf():
                return folded(self, e, scope)
            case c.Suppose():
                return Noun(f"{self.noun(e.value, scope)} (supposing that {supposed(self, e, scope)})", joined=True)
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

    # ------------------------------------------------------------ conditions

    def clause(self, e: c.Expr, scope: Scope, positive: bool = True) -> str:
        """A condition as a clause; negated unless `positive`."""
        match e:
            case c.Const():
                return ("always" if e.value else "never") if positive else ("never" if e.value else "always")
            case c.Not():
                return self.clause(e.value, scope, not positive)
            case c.And() | c.Or():
                return joined(self, e, scope, positive)
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                return compared(self, e, scope, positive)
            case c.Between():
                verb = be(self, e.value, scope, positive)
                return f"{verb} from {self.noun(e.low, scope)} to {self.noun(e.high, scope)}"
            case c.Within():
                verb = be(self, e.one, scope, positive)
                return f"{verb} within {self.noun(e.reach, scope)} of {self.noun(e.other, scope)}"
            case c.IsIn():
                among = "one of" if lists(self, e.many) else "among"
                return f"{be(self, e.item, scope, positive)} {among} {self.noun(e.many, scope)}"
            case c.AnyOf():
                return some(self, e, scope, positive)
            case c.EveryOf():
                return every(self, e, scope, positive)
            case c.InPhase():
                return f"it is {'' if positive else 'not '}the {self.phase(e.name)}"
            case c.Call() | c.Remembered() | c.TableCell() | c.Grown():
                phrase = self.phrase(e.name) or of_flag(plain_name(self, e.name), params(self, e))
                given = dict(zip(params(self, e), (self.noun(x, scope) for x in e.asked), strict=False))
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
                return f"{self.clause(e.value, scope, positive)} (supposing that {supposed(self, e, scope)})"
            case c.Usual():
                return "it would be so otherwise" if positive else "it would not be so otherwise"
            case c.Keep():
                return "it was so before" if positive else "it was not so before"
            case c.Local():
                return f"{self.noun(e, scope)} is {'yes' if positive else 'no'}"
            case _:
                said = self.noun(e, scope)
                return f"{said} is {'' if positive else 'not '}so"


TIMES: dict[object, str] = {2: "twice", 3: "three times"}
PARTS: dict[object, str] = {2: "half of", 3: "a third of", 4: "a quarter of", 5: "a fifth of"}
