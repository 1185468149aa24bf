"""What distinguishes the answers of books, derived from the form of their rules.

In:  a book in the core, and its answers to every concept.
Out: traits: short sentences that the core proves of a book. Nothing is known here of any book: what a trait is said of
     comes from the concepts, what it says from operators, rules, facets and statements.

"Can end a move" means that a `stop` of a route which answers the concept of movement follows the condition in its
direction, as a rule, whatever exceptions there are; where only the dependence is certain, the trait says "has a say
in".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..core import nodes as c
from ..core.case_order import natural
from ..core.names import Name
from ..core.walk import all_statements, definition_exprs, layer_exprs, layer_values, rule_exprs, top_exprs
from ..diff.dependents import Dependents, asked, name_asked
from ..diff.pushes.polarity import uses
from ..words.english import listed, plural, words
from ..words.expressions import Words
from ..words.scope import Scope, type_noun
from ..words.statements import the_phase
from .answers import Answer
from .concepts import Concept

Trait = tuple[str, str]
"""What is proved of a book, and the case that shows it."""
ROUNDING = {"up": "rounds up", "down": "rounds down", "nearest": "rounds to the nearest"}
COSTS = ("enter", "leave", "cross")
WEAKER = (("has a say in where {} ends", "can end {}"), ("has a say in what bars {}", "can bar {}"))
"""What is not said beside the other of the same book."""
FACETS = {
    "costs": "has a say in what {} costs",
    "budget": "has a say in how far {} may go",
    "to": "has a say in where {} may end",
}


class Traits:
    """The traits of one book."""

    def __init__(self, book: c.Book, w: Words, known: Mapping[str, Concept], found: Mapping[str, list[Answer]]) -> None:
        self.book, self.w, self.known, self.found = book, w, known, found
        self.depends = Dependents(book)
        self.weaker = {weak.format(x.thing): strong.format(x.thing) for x in known.values() for weak, strong in WEAKER}
        self.asks: dict[Name, set[Name]] = defaultdict(set)
        for p in self.depends.pieces:
            self.asks[p.owner] |= p.asks
        self.home: dict[Name, list[str]] = defaultdict(list)
        """The concepts that a name answers."""
        for concept, several in found.items():
            for a in several:
                self.home[a.key].append(concept)

    def of(self, concept: Concept) -> dict[str, tuple[str, ...]]:
        """The traits of a concept in the order of its points, each with the cases that show it."""
        mine = self.found[concept.name]
        made: list[Trait] = []
        for point in concept.points:
            match point:
                case "effects":
                    made += self.effects(concept)
                case "rounding":
                    made += self.rounding(mine)
                case "measures":
                    made += self.measures(mine)
                case "dice":
                    made += self.dice(mine)
                case "choosers":
                    made += self.choosers(mine)
                case "phases":
                    made += self.phases(mine)
                case "route":
                    made += self.routes(mine)
                case "winners":
                    made += self.winners(mine)
                case "rests":
                    made += self.rests(concept)
        found: dict[str, dict[str, None]] = {}
        sure = {text for text, _ in made}
        for text, case in made:
            if self.weaker.get(text) in sure:
                continue
            found.setdefault(text, {}).update({case: None} if case else {})
        return {text: tuple(sorted(cases, key=natural)) for text, cases in found.items()}

    # ------------------------------------------------------------ what it does

    def effects(self, concept: Concept) -> Iterator[Trait]:
        """What the conditions of a concept do to the routes and actions that answer other concepts."""
        signs = self.signs({a.key for a in self.found[concept.name]})
        for other in self.known.values():
            if other.name == concept.name:
                continue
            for a in self.found[other.name]:
                match a.node:
                    case c.Route():
                        yield from self.on_route(a.node, other.thing, signs)
                    case c.Action():
                        yield from self.on_rules(a.node.rules, other.thing, signs)

    def on_route(self, r: c.Route, thing: str, signs: Mapping[Name, set[int]]) -> Iterator[Trait]:
        yield from self.on_rules(r.rules, thing, signs)
        for facet, name in r.facets.items():
            d = self.book.definitions.get(name)
            said = "costs" if facet in COSTS else facet
            for case in following(d, signs) if d is not None and said in FACETS else ():
                yield FACETS[said].format(thing), case
        if r.over_test is not None and followed(r.over_test, signs):
            yield f"has a say in where {thing} may go", r.case

    def on_rules(self, rules: Sequence[c.Rule], thing: str, signs: Mapping[Name, set[int]]) -> Iterator[Trait]:
        for r in rules:
            way = followed(r.test, signs)
            if not way and not any(followed(e, signs) for e in rule_exprs(r)):
                continue
            sure = way == ({-1} if r.sort == "require" else {1})
            if r.sort == "stop":
                yield f"can end {thing}" if sure else f"has a say in where {thing} ends", r.case
            else:
                yield f"can bar {thing}" if sure else f"has a say in what bars {thing}", r.case

    def signs(self, targets: set[Name]) -> dict[Name, set[int]]:
        """The definitions that ask these names, directly or through one another, each with the directions in which.

        Routes, actions and procedures are not looked through: what they do is theirs.
        """
        found: dict[Name, set[int]] = {t: {1} for t in targets if t[0] in ("define", "grow", "mark", "table")}
        while True:
            added = False
            for name, d in self.book.definitions.items():
                key = ("define", name)
                if key in targets or "." in name:
                    continue
                ways = in_definition(d, found)
                if ways and ways - found.get(key, set()):
                    found[key] = found.get(key, set()) | ways
                    added = True
            if not added:
                return found

    # ------------------------------------------------------------ how it is made

    def exprs(self, several: Sequence[Answer]) -> Iterator[tuple[c.Expr, str]]:
        """The expressions of answers, and of the definitions that nothing but them asks, each with its case."""
        for a in several:
            yield from ((e, a.case) for e in expressions(a.node))
        mine = {a.key for a in several}
        todo = list(mine)
        while todo:
            for name in sorted(self.asks.get(todo.pop(), ())):
                d = self.book.definitions.get(name[1]) if name[0] == "define" else None
                if d is None or name in mine or {p.owner for p in self.depends.users[name]} - mine:
                    continue
                mine.add(name)
                todo.append(name)
                yield from ((e, d.case) for e in definition_exprs(d))

    def rounding(self, several: Sequence[Answer]) -> Iterator[Trait]:
        for top, case in self.exprs(several):
            for e in top.walk():
                if isinstance(e, c.OnScale):
                    yield "takes the highest step of a scale that is reached", case
                elif isinstance(e, c.BuiltinCall) and e.name in ROUNDING:
                    yield ROUNDING[e.name], case
                elif isinstance(e, c.Shifted):
                    yield "shifts along a scale", case
        for a in several:
            for stage in a.node.stages if isinstance(a.node, c.Definition) else ():
                if stage.round:
                    yield ROUNDING[stage.round], a.case

    def measures(self, several: Sequence[Answer]) -> Iterator[Trait]:
        for top, case in self.exprs(several):
            for e in top.walk():
                if isinstance(e, c.CountOf):
                    of = e.args[0].type.plain.of
                    yield f"counts {plural(type_noun(of, self.w.place)) if of is not None else 'members'}", case
                elif isinstance(e, c.SumOf) and isinstance(e.value, c.FieldOf | c.Call):
                    name = e.value.key[1] if isinstance(e.value, c.FieldOf) else e.value.name
                    yield f"adds up “{words(name)}”", case

    def dice(self, several: Sequence[Answer]) -> Iterator[Trait]:
        for p in self.procedures(several):
            for s in all_statements(p):
                if isinstance(s, c.Roll):
                    yield "a die is rolled", p.case
                elif isinstance(s, c.Draw):
                    yield "something is drawn at random", p.case

    def choosers(self, several: Sequence[Answer]) -> Iterator[Trait]:
        for a in several:
            if isinstance(a.node, c.Action):
                side = self.w.noun(a.node.by, Scope(self.w.nouns_of(a.node.name, a.node.params)))
                yield f"{side} {'choose' if side.plural else 'chooses'}", a.case
        for p in self.procedures(several):
            scope = Scope(self.w.nouns_of(p.name, p.params))
            for s in all_statements(p):
                if isinstance(s, c.AskSide):
                    side = self.w.noun(s.ask.side, scope)
                    yield f"{side} {'choose' if side.plural else 'chooses'}", p.case

    def phases(self, several: Sequence[Answer]) -> Iterator[Trait]:
        for a in several:
            if isinstance(a.node, c.Action):
                if a.node.anytime:
                    yield "at any time", a.case
                elif a.node.phases:
                    yield f"in {listed([the_phase(self.w, p) for p in a.node.phases], 'or')}", a.case

    def routes(self, several: Sequence[Answer]) -> Iterator[Trait]:
        for a in several:
            if not isinstance(a.node, c.Route):
                continue
            r = a.node
            over = listed([words(x) for x in self.layers_of(r)])
            yield f"is made of legs over {over}" if r.legs else f"runs over {over}", a.case
            yield self.length_of(r), a.case

    def layers_of(self, r: c.Route) -> tuple[str, ...]:
        """What a route runs over; a line of legs has no layers but theirs."""
        if not r.legs:
            return r.layers
        return tuple(dict.fromkeys(x for leg in r.legs for x in self.layers_of(self.book.routes[leg.route])))

    def length_of(self, r: c.Route) -> str:
        """Whether a way can be of any length; legs add up, and one that may be repeated has no end."""
        bounded, repeated = self.bounded(r), any(leg.sort == "repeat" for leg in r.legs)
        if bounded and repeated:
            return "each of its legs is limited, and one may be repeated"
        return "its length is limited" if bounded else "its length is not limited"

    def bounded(self, r: c.Route) -> bool:
        """Whether a route, or each of its legs, has a budget."""
        return all(self.bounded(self.book.routes[x.route]) for x in r.legs) if r.legs else "budget" in r.facets

    def winners(self, several: Sequence[Answer]) -> Iterator[Trait]:
        for p in self.procedures(several):
            for s in all_statements(p):
                if isinstance(s, c.Win) and isinstance(s.side, c.Const):
                    side = s.side.value
                    yield f"{words(str(side))} can win" if side is not None else "a draw is possible", p.case

    def procedures(self, several: Sequence[Answer]) -> list[c.Procedure]:
        """What answers run: their own statements, and the procedures that these carry out."""
        todo: list[c.Procedure] = []
        for a in several:
            match a.node:
                case c.Procedure():
                    todo.append(a.node)
                case c.Action() | c.Trigger():
                    todo.append(a.node.procedure)
                case c.Duty() if a.node.failing is not None:
                    todo.append(a.node.failing)
        found: list[c.Procedure] = []
        while todo:
            p = todo.pop(0)
            if any(p is x for x in found):
                continue
            found.append(p)
            for s in all_statements(p):
                if isinstance(s, c.Do) and s.name in self.book.procedures:
                    key = ("procedure", s.name)
                    if key not in self.home:  # what answers another concept is that concept's
                        todo.append(self.book.procedures[s.name])
        return found

    # ------------------------------------------------------------ what it rests on

    def rests(self, concept: Concept) -> Iterator[Trait]:
        """The other concepts that the answers ask, directly or through what is no concept's."""
        own = {a.key: a.asks for a in self.found[concept.name]}
        todo = list(own)
        seen: set[Name] = set()
        met: set[str] = set()
        while todo:
            key = todo.pop()
            if key in seen:
                continue
            seen.add(key)
            for name in own.get(key) or self.asks[key]:
                others = [x for x in self.home.get(name, ()) if x != concept.name]
                met.update(others)
                if not others:
                    todo.append(name)
        for other in self.known.values():
            if other.name in met:
                yield f"rests on {other.title.lower()}", ""


def expressions(node: Any) -> Iterator[c.Expr]:
    match node:
        case c.Memory() | c.Quota():
            yield from definition_exprs(node.definition)
        case c.Table():
            return
        case c.Action() | c.Trigger():
            yield from top_exprs(node)
            yield from top_exprs(node.procedure)
        case _:
            yield from top_exprs(node)


def following(d: c.Definition, signs: Mapping[Name, set[int]]) -> Iterator[str]:
    """The cases of the layers of a definition that follow some names."""
    for x in d.layers():
        if any(followed(e, signs) for e in layer_values(x)):
            yield x.case


def in_definition(d: c.Definition, signs: Mapping[Name, set[int]]) -> set[int]:
    """The directions in which a definition follows some names; 0 where the form does not tell."""
    plain = not d.gathered and len(d.base.clauses) == 1 and d.base.clauses[0].guard is None and not d.base.lets
    found: set[int] = set()
    if plain:
        found |= followed(d.base.clauses[0].value, signs)
        if any(followed(e, signs) for x in d.base.exceptions for e in layer_exprs(x)):
            found.add(0)
        return found
    return {0} if any(followed(e, signs) for e in definition_exprs(d)) else set()


def followed(e: c.Expr, signs: Mapping[Name, set[int]]) -> set[int]:
    """The directions in which an expression follows some names."""
    found: set[int] = set()
    for name in {x for x in asked((e,)) if x in signs}:
        ways = uses(e, lambda x, name=name: name_asked(x) == name)  # type: ignore[misc]
        found |= {a * b for a in ways for b in signs[name]}
    return found
