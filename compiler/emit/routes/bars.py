"""Emit what bars a step or ends a path, as the loops of a search ask it.

In:  the rules of a route, ground by ground.
Out: the tests of the search, sorted by what they look at, and the functions that keep answers by place.

What looks at one place alone is kept for it until something it rests on changes, apart for each value of the mover
that it looks at. A set in which a place must lie or not is asked for once a search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...analyse.dependencies import ASKING
from ...core import nodes as c
from ...core.walk import rule_exprs
from ..bans import refusal
from ..expressions import conjuncts, is_fixed, mangle
from ..memo_dependencies import Rests
from .mover import Hoist
from .parts import STEP, Atom, Kept, alternatives, locals_of, unfolded
from .prices import Prices


class Bars(Prices):
    """Grounds against a step, and for the end of a path."""

    def atoms(self, sort: c.RuleSort) -> Iterator[Atom]:
        """The grounds of one sort, each by itself where a rule has several and no waiver speaks of them together."""
        r = self.r
        if sort == "forbid" and r.over_test is not None:
            test: c.Expr = c.Not(r.over_test, type=r.over_test.type, span=r.over_test.span)
            over = c.Rule(
                id=f"route {r.name}", sort=sort, label="", case=r.case, overlay="", test=test, guard=None, waivers=(),
                span=r.span,
            )  # fmt: skip
            yield Atom(over, (test,))
        for rule in r.rules:
            if rule.sort != sort:
                continue
            for test in alternatives(rule.test) if not rule.waivers else (rule.test,):
                one = replace(rule, test=test)
                yield Atom(one, tuple(rule_exprs(one)))

    def text(self, atom: Atom, p: Hoist) -> str:
        return refusal(atom.rule, p)

    def ask(self, atom: Atom, p: Hoist, anywhere: bool = True) -> str:
        begun = "" if anywhere else "there not in begin and "
        return self.e.at(f"if {begun}{self.text(atom, p)}:", atom.rule.case, atom.rule.span, atom.rule.id)

    def ask_once(self, atom: Atom, p: Hoist, anywhere: bool = True) -> str:
        """The same for the traced twin: what a ground asks of one place is asked and told once a search."""
        asks = any(isinstance(x, ASKING) for top in atom.exprs for x in top.walk())
        if not asks or atom.looks_at() not in ({"here"}, {"there"}):
            return self.ask(atom, p, anywhere)
        (side,) = atom.looks_at()
        word = f"{'shut' if atom.rule.sort == 'forbid' else 'halt'}_{len(self.sets) + 1}"
        name = self.sets.setdefault(f"ByPlace(lambda {side}: {self.text(atom, p)})", word)
        begun = "" if anywhere else "there not in begin and "
        return self.e.at(f"if {begun}{name}[{side}]:", atom.rule.case, atom.rule.span, atom.rule.id)

    def by_place(self, atoms: list[Atom], side: str, word: str, p: Hoist) -> list[str]:
        """The grounds that look at one end of a step only, gathered by the values of the mover that they look at."""
        mine = [x for x in atoms if x.looks_at() == {side}]
        groups: dict[frozenset[str], list[Atom]] = {}
        within: list[str] = []
        for atom in mine:
            members = self.members(atom, side, p)
            if members is None:
                groups.setdefault(self.keys_of(atom, p), []).append(atom)
            else:
                within.append(f"{side} in {self.sets.setdefault(members, f'within_{len(self.sets) + 1}')}")
        for small in sorted(groups, key=lambda k: (len(k), sorted(k))):
            wider = [k for k in groups if small < k and len(k) == 1 and not k & set(self.names)]
            if not small and wider:
                groups[min(wider, key=sorted)] += groups.pop(small)
        made: list[str] = []
        for keys in sorted(groups, key=lambda k: (len(k), sorted(k))):
            kept = Kept(f"{word}_{len(made) + 1}", tuple(sorted(keys)), groups[keys])
            self.kept.append(kept)
            first = self.only_where(kept.atoms, side, p)
            made.append(f"(({' or '.join(first)}) and {kept.name}[{side}])" if first else f"{kept.name}[{side}]")
        return [*dict.fromkeys(within), *made]

    def only_where(self, atoms: list[Atom], side: str, p: Hoist) -> list[str]:
        """What must hold of a place for any of some grounds to hold, where that is one look: units, or a printed flag."""
        found: dict[str, None] = {}
        for atom in atoms if self.e.folded else ():
            one = next((x for part in conjuncts(atom.rule.test) for x in [self.one_look(part, side, p)] if x), "")
            if not one:
                return []
            found[one] = None
        return list(found) if len(found) <= 2 else []

    def one_look(self, e: c.Expr, side: str, p: Hoist) -> str:
        said = p.folded(e)
        if said is not None:
            return next((x for part in conjuncts(said) for x in [self.one_look(part, side, p)] if x), "")
        of = e.args[0].args[0] if e.op == "any" and e.args[0].op == "builtin" and e.args[0].info == "units_at" else None
        if of is not None and of.op == "local" and of.info == side:
            return f"{self.sets.setdefault('S.here', f'within_{len(self.sets) + 1}')}[{side}]"
        printed = e.op == "field" and e.info[0] == "place" and e.type.name == "flag"
        return p(e) if printed and e.args[0].op == "local" and e.args[0].info == side else ""

    def members(self, atom: Atom, side: str, p: Hoist) -> str | None:
        """The kept set that a place must not lie in, where that is all that a ground asks."""
        rule = atom.rule
        if rule.waivers or rule.guard is not None:
            return None
        e = unfolded(self.e.book, rule.test)
        inside = e.op == "in" and e.args[0].op == "local" and e.args[0].info == side and e.args[1].op == "call"
        if not inside or str(e.args[1].info) not in self.e.constants.kept or side in locals_of(e.args[1:]):
            return None
        self.e.constants.looked_up.add(str(e.args[1].info))
        return f"{mangle(str(e.args[1].info), 'd')}__members({p.args(e.args[1])})"

    def keys_of(self, atom: Atom, p: Hoist) -> frozenset[str]:
        """What of the mover an answer rests on: its parameters or single values of them."""
        p.used = set()
        self.text(atom, p)
        return frozenset(p.used)

    def is_fixed(self, atom: Atom, p: Hoist, keys: set[str]) -> bool:
        """Whether a ground never changes and looks at no more of the mover than some values."""
        names = {*STEP, *(x.name for x in self.r.params)}
        return all(is_fixed(x, names) for x in atom.exprs) and self.keys_of(atom, p) <= keys

    def keep_functions(self) -> None:
        """For each group of grounds about one place: the answers kept, and the function that finds them."""
        e = self.e
        for kept in self.kept:
            if kept.price:
                self.keep_ways(kept)
                continue
            side = "here" if kept.name.startswith("held") else "there"
            p = Hoist(e, self)
            keys = ", ".join(["S", *kept.keys])
            name = f"{self.base}_{kept.name}"
            what = {"held": "bars a step out of a place", "shut": "bars a step into a place", "halt": "ends a path in a place", "toll": "a step into a place costs"}[kept.name.split("_")[0]]  # fmt: skip
            f = e.function(f"{name}_at", f"{keys}, {side}", f"{self.title}: what {what}.")
            if kept.atoms:
                for atom in kept.atoms:
                    f.lines += [self.ask(atom, p), "    return True"]
                f.lines.append("return False")
                rests = Rests(exprs=tuple(x for atom in kept.atoms for x in p.rest(atom.exprs)))
            else:
                f.lines.append(f"return {self.enter_text()}")
                rests = Rests(("define", self.r.facets["enter"]))
            f = e.function(name, keys, f"{self.title}: the same for every place, kept.")
            f.lines += self.kept_lines(name, kept, rests, keys)

    def kept_lines(self, name: str, kept: Kept, rests: Rests, given: str) -> list[str]:
        """Answers about places, found when they are first looked up and kept apart by values of the mover."""
        return [
            f"memo = S.memo[{self.e.slot(name, rests)}]",
            f"key = ({''.join(k + ', ' for k in kept.keys)})",
            "if key not in memo:",
            f"    memo[key] = ByPlace({name}_at, {given})",
            "return memo[key]",
        ]

    def keep_ways(self, kept: Kept) -> None:
        """The steps out of a place, the cheapest first, kept by place."""
        e, r, p, name = self.e, self.r, Hoist(self.e, self), f"{self.base}_{kept.name}"
        given = ", ".join(["S", *kept.movers, *kept.keys])
        here, there, way = ("here", "there", "out of") if kept.name.startswith("ways") else ("there", "here", "into")
        f = e.function(f"{name}_at", f"{given}, {here}", f"{self.title}: the steps {way} a place with their prices.")
        f.lines += ["found = []", f"for {there} in {e.constants.links(r.layers)}[{here}]:"]
        f.lines.append("    crossing = (here, there) if here < there else (there, here)")
        for atom in kept.atoms:
            f.lines += ["    " + self.ask(atom, p), "        continue"]
        f.lines += [f"    found.append(({kept.price}, {there}))", "return sorted(found)"]
        f = e.function(name, given, f"{self.title}: the same for every place, kept.")
        facets = [self.r.facets[x] for x in ("leave", "cross", "enter") if x in self.r.facets]
        values = [(x, e.book.definitions[x].base.clauses[0].value) for x in facets]
        calls = [c.Call(x, (), type=value.type, span=value.span) for x, value in values]
        rests = Rests(exprs=tuple(x for atom in kept.atoms for x in p.rest(atom.exprs)) + tuple(calls))
        f.lines += self.kept_lines(name, kept, rests, given)
