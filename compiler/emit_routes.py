"""Emit routes: for each one search of its own, and what is asked of its paths.

In:  a route of the core.
Out: functions of the generated module: the search with the route's own prices, bars and stops in its loops; the
     paths, ends and costs that rest on it; and what speaks against a given path.

What bars a step is sorted by what it looks at: nothing of the step (asked once a search), the place it leaves
(once a place), the place it enters, or both. Answers about one place alone are kept by place until something
they rest on changes, apart for each value of the mover that they look at. Where prices and bars that look at both
ends rest on values of the mover only, the steps out of a place are kept as well, the cheapest first. A set in which
a place must lie or not is asked for once a search.

Whether there is any path is found from the mover; when several movers alike have asked, once for all of them from
the ends backwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from . import core as c
from .bounds import Bounds, of_definition
from .depends import ASKED, definition_exprs, rule_exprs
from .emit_kernels import Kernel, is_large
from .emit_layout import templates
from .emit_module import Module
from .emit_rests import Rests
from .emit_rules import refusal
from .emit_text import where
from .emit_trace import BEGIN, telling, told_lines
from .fold import plain_value, put_in
from .python import Printer, conjuncts, is_fixed, mangle

STEP = ("here", "there", "crossing")
DEAREST = 1000


def emit_route(e: Module, r: c.Route) -> None:
    """All functions of one route."""
    model = RouteModel(e, r)
    model.step()
    model.stops()
    if r.legs:
        model.legs()
        return
    model.search()
    model.answers()
    model.grounds()


def route_parts(e: Module, r: c.Route) -> tuple[object, ...]:
    """What the functions of a route look at: itself, what its facets say, and what its prices can come to."""
    book = e.book
    plain = tuple(d for rule in r.rules for d in plain_calls(book, rule.test))
    facets = tuple(book.definitions[name] for name in r.facets.values())
    large = (fixed_prices(e, r), *all_calls(book, r)) if is_large(book) else ()
    return ("route", r, facets, str(price_bounds(book, r)), plain, large)


def fixed_prices(e: Module, r: c.Route) -> bool:
    """Whether nothing that happens in play changes what a step costs."""
    facets = [r.facets[x] for x in ("leave", "cross", "enter") if x in r.facets]
    return not any(e.depends.named("define", x) - {"unit_side"} for x in facets)


def plain_calls(book: c.Book, e: c.Expr) -> Iterator[c.Definition]:
    """The definitions that a condition is made of, as far as each is one plain value."""
    for x in e.walk():
        d = book.definitions.get(str(x.info)) if x.op == "call" else None
        if d is not None and plain_value(d) is not None:
            yield d
            yield from plain_calls(book, d.base.clauses[0].value)


def all_calls(book: c.Book, r: c.Route) -> list[c.Definition]:
    """Every definition that the rules of a route ask, directly or through others."""
    found: dict[str, c.Definition] = {}
    waiting = [x for rule in r.rules for x in rule_exprs(rule)]
    while waiting:
        for x in waiting.pop().walk():
            d = book.definitions.get(str(x.info)) if x.op == "call" else None
            if d is not None and d.name not in found:
                found[d.name] = d
                waiting += definition_exprs(d)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Atom:
    """One ground for barring or stopping a step: its expressions (for what it looks at), rule and text maker."""

    rule: c.Rule
    exprs: tuple[c.Expr, ...]

    def looks_at(self) -> frozenset[str]:
        return locals_of(self.exprs) & frozenset(STEP)


@dataclass(slots=True)
class Kept:
    """Answers kept by place: a function of some values of the mover and a place."""

    name: str
    keys: tuple[str, ...]
    atoms: list[Atom] = field(default_factory=list)
    movers: tuple[str, ...] = ()
    price: str = ""


@dataclass(slots=True)
class Search:
    """What the template prints: texts of Python, in the order of the search."""

    table: str
    budget: str | None
    jumps: str | None
    hoisted: list[tuple[str, str]] = field(default_factory=list)
    never: list[str] = field(default_factory=list)
    leaving: list[str] = field(default_factory=list)
    entering: list[str] = field(default_factory=list)
    stepping: list[str] = field(default_factory=list)
    stopping: list[str] = field(default_factory=list)
    price: str = ""
    crossing: bool = False
    whole: bool = False
    steady: bool = False
    rising: bool = False
    found: bool = False
    flood: bool = False
    ways: bool = False
    single: bool = False
    even: int = 0
    limited: bool = False
    goals: str = ""
    counts: bool = False


def locals_of(exprs: tuple[c.Expr, ...]) -> frozenset[str]:
    return frozenset(str(x.info) for top in exprs for x in top.walk() if x.op == "local")


def alternatives(e: c.Expr) -> Iterator[c.Expr]:
    """The parts of a condition that holds as soon as one of them does."""
    if e.op == "or":
        for a in e.args:
            yield from alternatives(a)
    elif e.op == "and" and e.args[1].op == "or":
        for a in alternatives(e.args[1]):
            yield replace(e, args=(e.args[0], a))
    else:
        yield e


def unfolded(book: c.Book, e: c.Expr) -> c.Expr:
    """A condition with plain definitions written out, down to what they ask."""
    while e.op == "call" and str(e.info) in book.definitions:
        d = book.definitions[str(e.info)]
        value = plain_value(d)
        if value is None or any(x.op not in ("in", "call", "local", "const") for x in value.walk()):
            return e
        given = {x.name: a for x, a in zip(d.params, e.args, strict=True)}
        e = put_in(value, given)
    return e


def price_bounds(book: c.Book, r: c.Route) -> Bounds | None:
    """What a step can cost."""
    nothing = Fraction(0)
    total = Bounds(nothing, nothing, True)
    for name in ("leave", "cross", "enter"):
        if name in r.facets:
            one = of_definition(book, book.definitions[r.facets[name]])
            if one is None:
                return None
            total = Bounds(total.low + one.low, total.high + one.high, total.whole and one.whole)
    return total


class RouteModel:
    def __init__(self, e: Module, r: c.Route) -> None:
        self.e = e
        self.r = r
        self.names = [mangle(x.name) for x in r.params]
        self.plain = tuple(mangle(x.name) for x in r.params if x.type.sort in ("kind", "scale"))
        self.movers = frozenset(self.names) - frozenset(self.plain)
        self.params = ", ".join(["S", *self.names])
        self.args = ", ".join(self.names)
        self.base = mangle(r.name, "r")
        self.title = e.title(r.case)
        self.facet = {k: f"{mangle(v, 'd')}({self.params})" for k, v in r.facets.items()}
        self.starts = self.facet.get("from", "HEXES")
        self.goals = self.facet.get("to")
        self.needs = [x for x in r.rules if x.sort == "require"]
        self.goal_set = f"frozenset({self.goals})"
        kept = plain_value(e.book.definitions[r.facets["to"]]) if "to" in r.facets and not e.traced else None
        if kept is not None and kept.op == "call" and str(kept.info) in e.constants.kept:
            e.constants.looked_up.add(str(kept.info))
            self.goal_set = f"{mangle(str(kept.info), 'd')}__members({e.printer().args(kept)})"
        self.hoisted: dict[str, str] = {}
        self.sets: dict[str, str] = {}
        self.alike: tuple[str, ...] | None = None
        self.large = is_large(e.book) and not e.traced
        self.kept: list[Kept] = []

    # ------------------------------------------------------------ one step

    def step(self) -> None:
        """The price of a single step, for paths that somebody else drew."""
        r = self.r
        f = self.e.function(
            f"{self.base}_step",
            f"{self.params}, here, there",
            f"{self.title}: the price of a step, or None where it is barred.",
        )
        p = self.e.printer()
        f.lines.append("crossing = (here, there) if here < there else (there, here)")
        if r.over_test is not None:
            f.lines.append(self.e.at(f"if not {p(r.over_test)}:", r.case, r.span, f"route {r.name}"))
            f.lines.append("    return None")
        for rule in r.rules:
            if rule.sort == "forbid":
                f.lines.append(self.e.at(f"if {refusal(rule, p)}:", rule.case, rule.span, rule.id))
                f.lines.append("    return None")
        f.lines.append("return " + (" + ".join(self.price_calls()) or "0"))

    def price_calls(self) -> list[str]:
        given = f"{self.params}, here, there, crossing"
        return [f"{mangle(self.r.facets[x], 'd')}({given})" for x in ("leave", "cross", "enter") if x in self.r.facets]

    def stops(self) -> None:
        found = [x for x in self.r.rules if x.sort == "stop"]
        if not found:
            return
        f = self.e.function(
            f"{self.base}_stops",
            f"{self.params}, here, there",
            f"{self.title}: whether a path must end on entering.",
        )
        p = self.e.printer()
        f.lines.append("crossing = (here, there) if here < there else (there, here)")
        for rule in found:
            f.lines.append(self.e.at(f"if {refusal(rule, p)}:", rule.case, rule.span, rule.id))
            f.lines.append("    return True")
        f.lines.append("return False")

    def step_call(self) -> str:
        return f"lambda here, there: {self.base}_step({self.params}, here, there)"

    def stops_call(self) -> str:
        if not any(x.sort == "stop" for x in self.r.rules):
            return "None"
        return f"lambda here, there: {self.base}_stops({self.params}, here, there)"

    # ------------------------------------------------------------ the search

    def search(self) -> None:
        """The search for every place in reach, and the one that ends at the first goal."""
        model = self.model()
        self.keep_functions()
        f = self.e.function(
            f"{self.base}_search",
            f"{self.params}, starts, goals=()",
            f"{self.title}: the cheapest way into every place in reach; with goals, no farther than the nearest.",
        )
        fast = self.kernel(model)
        if fast:
            f.lines += [
                "if FAST.on and not goals:",
                f"    reach = {self.base}_fast({self.params}, starts)",
                "    if reach is not None:",
                "        return reach",
            ]
        f.lines += self.render(model)
        if self.quick():
            counts = self.alike_by_values(model)
            f = self.e.function(
                f"{self.base}_found",
                f"{self.params}, starts, goals",
                f"{self.title}: whether a goal is in reach{', told by how many places were seen' if counts else ''}.",
            )
            f.lines += self.render(replace(model, found=True, counts=counts, flood=model.budget is None))
            if counts:
                self.backwards(model, fast)

    def alike_by_values(self, model: Search) -> bool:
        """Whether nothing but some of their values tells one mover from another, so that one search can serve many.

        A side or another word that a route is asked with is such a value.
        """
        p = Hoist(self.e, self)
        plain = self.quick() and model.whole and not model.jumps and not self.e.traced
        atoms = [*self.atoms("forbid"), *self.atoms("stop")]
        if not plain or not self.movers or model.stepping or any(self.keys_of(x, p) & self.movers for x in atoms):
            return False
        if any(x.looks_at() != {"there"} for x in self.atoms("stop")):
            return False
        asked = [x for x in ("leave", "cross", "enter", "to", "budget") if x in self.r.facets]
        if not model.ways and not (model.price == "" or self.enters_only()):
            return False
        return all(self.mover_values(x, p, self.plain) is not None for x in asked)

    def kernel(self, model: Search) -> Kernel | None:
        """What the kernels need of a route whose prices never change, where it can be told."""
        p = Hoist(self.e, self)
        steps = next((k for k in self.kept if k.price), None)
        plain = self.large and model.single and model.limited and steps is not None and fixed_prices(self.e, self.r)
        if not plain or steps is None or model.never or model.leaving or model.stepping:
            return None
        if self.e.depends.of(x for atom in steps.atoms for x in p.rest(atom.exprs)):
            return None
        kernel = Kernel(self, p)
        return kernel if kernel.emit(model, steps) else None

    def backwards(self, model: Search, fast: Kernel | None) -> None:
        """The search from the ends, and the choice between it and one from the mover.

        Movers look for themselves until together they have seen an eighth as many places as there are.
        """
        self.alike = tuple(sorted(self.hoisted.values()))
        names = {name: text for text, name in self.hoisted.items()}
        hoisted = [(name, text) for name, text in model.hoisted if name not in names and name != "ways_1"]
        if model.ways:
            steps = replace(next(k for k in self.kept if k.price), name="back_1")
            self.keep_ways(steps)
            given = ", ".join(["S", *steps.movers, *steps.keys])
            hoisted.append((steps.name, f"{self.base}_{steps.name}({given})"))
        keys = ", ".join([self.params, *self.alike])
        f = self.e.function(
            f"{self.base}_back", keys, f"{self.title}: what it costs from every place to the nearest end in reach."
        )
        f.lines += self.render(replace(model, hoisted=hoisted, goals=self.goal_set), "back.py.j2")
        f = self.e.function(
            f"{self.base}_any",
            self.params,
            f"{self.title}: whether {self.r.name} has any path; found for all movers alike at once when several ask.",
        )
        name, slot = f"{self.base}_any", f"{self.base}_together"
        rests = Rests(("route", self.r.name))
        told = (*self.plain, *self.alike)
        key = told[0] if len(told) == 1 else f"({''.join(k + ', ' for k in told)})"
        index = self.e.slot(name, rests)
        start = self.one_start()
        inside = [f"return {start} in near" if start else f"return not near.isdisjoint({self.starts})"]
        if fast and start:
            inside = [f"place = {start}", "return place is not None and near[place] > 0"]
        elif fast:
            inside = [f"return any(near[p] > 0 for p in {self.starts} if p is not None)"]
        inside[-1] = self.at_route(inside[-1])
        f.lines += [f"{name} = {text}" for name, text in sorted(names.items())]
        f.lines += [
            f"near = S.memo[{index}].get({key})",
            "if near is None:",
            f"    return {slot}({keys})",
            *inside,
        ]
        back = f"{self.base}_back({keys}).keys()"
        patience = "len(HEXES)"
        if fast:
            fast.steps(steps, model.table)
            arrays = f"{self.base}_fast_back_1({given}), {self.base}_fast_flags({', '.join(['S', *fast.flagged])})"
            back = f"FAST.near({arrays}, {self.goal_set}, {model.budget}) if FAST.on else FAST.marked({back}, len({model.table}))"
            patience = "(FAST.patience if FAST.on else len(HEXES))"
        f = self.e.function(slot, keys, f"{self.title}: the same, for oneself or for all movers alike.")
        f.lines += [
            f"memo = S.memo[{self.e.slot(slot, rests)}]",
            f"key = {key}",
            f"if memo.get(key, 0) < {patience}:",
            self.at_route(f"    seen = {self.base}_found({self.params}, {self.starts}, {self.goal_set})"),
            "    memo[key] = memo.get(key, 0) + 8 * (seen if seen > 0 else -seen)",
            "    return seen > 0",
            f"near = S.memo[{index}][key] = {back}",
            *inside,
        ]

    def one_start(self) -> str | None:
        """The place where a path begins, where that is one and plain to see."""
        value = plain_value(self.e.book.definitions[self.r.facets["from"]]) if "from" in self.r.facets else None
        if value is None or value.op != "setlit" or len(value.args) != 1:
            return None
        return self.e.printer()(value.args[0])

    def quick(self) -> bool:
        """Whether the first goal reached settles that there is a path."""
        return self.goals is not None and not self.needs

    def render(self, model: Search, template: str = "search.py.j2") -> list[str]:
        text = templates().get_template(template).render(s=model)
        return [line.rstrip() for line in text.split("\n") if line.strip()]

    def model(self) -> Search:
        r, e = self.r, self.e
        found = Search(table=e.constants.links(r.layers), budget=self.facet.get("budget"), jumps=self.facet.get("jump"))
        bars = list(self.atoms("forbid"))
        stops = list(self.atoms("stop"))
        p = Hoist(e, self)
        limits = price_bounds(e.book, r)
        found.whole = limits is not None and limits.whole and limits.low >= 0 and limits.high <= DEAREST
        found.rising = found.whole and limits is not None and limits.low >= 1
        found.steady = found.rising and self.enters_only()
        if found.steady and limits is not None and limits.low == limits.high:
            found.even = int(limits.low)
        found.limited = found.budget is not None and not e.book.definitions[r.facets["budget"]].type.absent
        if e.traced:
            found.stepping = [self.ask_once(x, p) for x in bars]
            found.stopping = [self.ask_once(x, p, found.whole) for x in stops]
            found.price = " + ".join(self.price_calls())
        else:
            found.never = [self.ask(x, p) for x in bars if not x.looks_at()]
            bars = self.ways(found, bars, p)
            found.leaving = self.by_place(bars, "here", "held", p)
            found.entering = self.by_place(bars, "there", "shut", p)
            found.stepping = [self.ask(x, p) for x in bars if len(x.looks_at()) > 1 or "crossing" in x.looks_at()]
            begun = "" if found.whole else "there not in begin and "
            found.stopping = [f"if {begun}{x}:" for x in self.by_place(stops, "there", "halt", p)]
            found.stopping += [self.ask(x, p, found.whole) for x in stops if x.looks_at() != {"there"}]
            found.price = "price" if found.ways else self.price(p)
            found.single = found.rising and all(x.looks_at() == {"there"} for x in stops)
        found.crossing = any("crossing" in x for x in (*found.stepping, *found.stopping, found.price))
        found.hoisted = [(name, text) for text, name in self.hoisted.items()]
        found.hoisted += [(name, text) for text, name in self.sets.items()]
        found.hoisted += [(k.name, f"{self.base}_{k.name}({', '.join(['S', *k.movers, *k.keys])})") for k in self.kept]
        return found

    def ways(self, found: Search, bars: list[Atom], p: Hoist) -> list[Atom]:
        """Keep the steps out of a place with their prices where the mover counts by its values only.

        Returns the bars that are left to be asked.
        """
        both = [x for x in bars if len(x.looks_at()) > 1 or "crossing" in x.looks_at()]
        needed = both or self.large or (self.two_ended() and not found.steady)
        if found.jumps or not needed:
            return bars
        values = [self.mover_values(name, p) for name in ("leave", "cross", "enter") if name in self.r.facets]
        keys = {k for atom in both for k in self.keys_of(atom, p)}
        if None in values or keys & set(self.names):
            return bars
        keys = keys.union(*(x for x in values if x is not None))
        fixed = [x for x in bars if x not in both and x.looks_at() and self.is_fixed(x, p, keys)]
        mine = [x for x in bars if x in both or x in fixed]
        price = " + ".join(self.price_calls()) or "0"
        movers = tuple(self.names) if values else ()
        self.kept.append(Kept("ways_1", tuple(sorted(keys)), mine, movers, price))
        found.ways = True
        return [x for x in bars if x not in mine]

    def two_ended(self) -> bool:
        """Whether prices look at more than the place entered."""
        return any(x in self.r.facets for x in ("leave", "cross")) or ("enter" in self.r.facets and not self.enters_alone())

    def is_fixed(self, atom: Atom, p: Hoist, keys: set[str]) -> bool:
        """Whether a ground never changes and looks at no more of the mover than some values."""
        names = {*STEP, *(x.name for x in self.r.params)}
        return all(is_fixed(x, names) for x in atom.exprs) and self.keys_of(atom, p) <= keys

    def mover_values(self, facet: str, p: Hoist, plain: tuple[str, ...] = ()) -> frozenset[str] | None:
        """The values of the mover that a price looks at; None where it looks at the mover otherwise.

        Parameters that are plain values themselves count as such.
        """
        if p.off:
            return None
        exprs = tuple(definition_exprs(self.e.book.definitions[self.r.facets[facet]]))
        params = {x.name for x in self.r.params}
        found: set[str] = set()
        stack = list(exprs)
        while stack:
            x = stack.pop()
            if x.op == "suppose" or (x.op != "const" and x.op != "local" and isinstance(x.info, str) and x.info in params):
                return None
            if p.lifts(x):
                found.add(p(x))
            elif x.op == "local" and x.info in params and mangle(str(x.info)) in plain:
                found.add(mangle(str(x.info)))
            elif x.op == "local" and x.info in params:
                return None
            else:
                stack += x.args
        return frozenset(found)

    def atoms(self, sort: str) -> Iterator[Atom]:
        """The grounds of one sort, each by itself where a rule has several and no waiver speaks of them together."""
        r = self.r
        if sort == "forbid" and r.over_test is not None:
            test = c.Expr("not", (r.over_test,), r.over_test.type, r.over_test.span)
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
        asks = any(x.op in ASKED for top in atom.exprs for x in top.walk())
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
            f.lines += [
                f"memo = S.memo[{e.slot(name, rests)}]",
                f"key = ({''.join(k + ', ' for k in kept.keys)})",
                "if key not in memo:",
                f"    memo[key] = ByPlace(lambda {side}: {name}_at({keys}, {side}))",
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
        calls = [replace(e.book.definitions[x].base.clauses[0].value, op="call", args=(), info=x) for x in facets]
        rests = Rests(exprs=tuple(x for atom in kept.atoms for x in p.rest(atom.exprs)) + tuple(calls))
        f.lines += [
            f"memo = S.memo[{e.slot(name, rests)}]",
            f"key = ({''.join(k + ', ' for k in kept.keys)})",
            "if key not in memo:",
            f"    memo[key] = ByPlace(lambda {here}: {name}_at({given}, {here}))",
            "return memo[key]",
        ]

    # ------------------------------------------------------------ prices

    def simple(self, name: str) -> c.Definition | None:
        """A facet that is one plain value, so that it can stand in the loop itself."""
        d = self.e.book.definitions[self.r.facets[name]]
        given = (*(x.name for x in self.r.params), *STEP)
        layer = d.base
        plain = not (layer.exceptions or layer.waivers or layer.lets or d.gathered or d.contributions)
        if not plain or tuple(x.name for x in d.params) != given:
            return None
        return d if len(layer.clauses) == 1 and layer.clauses[0].guard is None else None

    def price(self, p: Hoist) -> str:
        parts = []
        for name in ("leave", "cross", "enter"):
            if name not in self.r.facets:
                continue
            d = self.simple(name)
            if name == "enter" and self.enters_alone():
                if d is not None and d.base.clauses[0].value.op == "const":
                    parts.append(p(d.base.clauses[0].value))
                    continue
                used = sorted(self.params_of("enter"))
                kept = Kept("toll_1", tuple(used))
                self.kept.append(kept)
                parts.append("toll_1[there]")
            elif d is not None:
                parts.append(p(d.base.clauses[0].value))
            else:
                parts.append(f"{mangle(self.r.facets[name], 'd')}({self.params}, here, there, crossing)")
        return " + ".join(parts)

    def enter_text(self) -> str:
        """The price of entering a place where nothing else about the step counts."""
        d = self.simple("enter")
        if d is not None:
            return self.e.printer()(d.base.clauses[0].value)
        given = [x if x in self.params_of("enter") else "None" for x in self.names]
        return f"{mangle(self.r.facets['enter'], 'd')}({', '.join(['S', *given])}, None, there, None)"

    def params_of(self, facet: str) -> set[str]:
        """The parameters of the route that a facet looks at."""
        d = self.e.book.definitions[self.r.facets[facet]]
        used = locals_of(tuple(definition_exprs(d)))
        return {name for name, x in zip(self.names, d.params, strict=False) if x.name in used}

    def enters_alone(self) -> bool:
        """Whether the price of entering looks at no more than the place entered."""
        d = self.e.book.definitions[self.r.facets["enter"]]
        exprs = tuple(definition_exprs(d))
        calls = any(x.op == "usual" for top in exprs for x in top.walk())
        return not calls and not locals_of(exprs) & {"here", "crossing"}

    def enters_only(self) -> bool:
        """Whether every step into a place costs the same."""
        return "leave" not in self.r.facets and "cross" not in self.r.facets and self.enters_alone()

    # ------------------------------------------------------------ what is asked of a route

    def answers(self) -> None:
        """Paths, ends and costs."""
        e, r, base, params = self.e, self.r, self.base, self.params
        rests = Rests(("route", r.name))
        self.kept_answer(
            f"{base}_reach",
            "every place in reach, with the cheapest way in",
            f"{base}_search({params}, {self.starts})",
            rests,
        )
        if self.quick():
            self.kept_answer(
                f"{base}_nearest",
                "no farther than the nearest ends",
                f"{base}_search({params}, {self.starts}, {self.goals})",
                rests,
            )
        f = e.function(f"{base}_fits", f"{params}, path", f"{self.title}: what is required of a whole path.")
        p = e.printer()
        for rule in self.needs:
            f.lines.append(e.at(f"if {refusal(rule, p)}:", rule.case, rule.span, rule.id))
            f.lines.append("    return False")
        f.lines.append("return True")
        self.paths()
        self.any()
        self.ends()
        self.shortest()
        f = e.function(f"{base}_cost", f"{params}, path", f"{self.title}: what a path of {r.name} costs.")
        f.lines.append(f"reach = {base}_{'nearest' if self.quick() else 'reach'}({params})")
        f.lines.append("if path and path[-1] in reach.cost and path_to(reach, path[-1]) == path:")
        f.lines.append("    return reach.cost[path[-1]]")
        f.lines.append(f"return price_of(path, {self.step_call()})")
        f = e.function(f"{base}_accepts", f"{params}, path", f"{self.title}: whether a given path keeps to {r.name}.")
        goal_test = f" and path[-1] in {self.goals}" if self.goals is not None else ""
        f.lines.append(f"return follows({self.walk_args('path, ')}) and {base}_fits({params}, path){goal_test}")

    def kept_answer(self, name: str, doc: str, call: str, rests: Rests) -> None:
        """A function whose answer is kept until something it rests on changes; the traced twin keeps what it asked too."""
        f = self.e.function(name, self.params, f"{self.title}: {doc}.")
        self.e.memoised(f, name, self.args, call, rests)
        if self.e.traced:
            key = self.args if self.args and "," not in self.args else "key"
            f.lines[-3:] = [
                f"    return tell_all(S, S.trace, *memo[{key}])[0]",
                BEGIN,
                f"value = memo[{key}] = tell_all(S, above, {call}, S.trace)",
                "return value[0]",
            ]
        f.lines[-2] = self.at_route(f.lines[-2])

    def tell(self, answer: str) -> str:
        """What the traced twin says of the route as a whole."""
        return telling(self.r.name, self.names, repr(self.r.case), answer)

    def at_route(self, line: str) -> str:
        return self.e.at(line, self.r.case, self.r.span, f"route {self.r.name}")

    def walk_args(self, first: str = "") -> str:
        """What the walks of the runtime ask for: where to begin, what joins places, how far, and a step at a time."""
        table = self.e.constants.links(self.r.layers)
        budget, jumps = self.facet.get("budget", "None"), self.facet.get("jump", "()")
        return f"{first}{self.starts}, {table}, {budget}, {self.step_call()}, {self.stops_call()}, {jumps}"

    def paths(self) -> None:
        base, params = self.base, self.params
        f = self.e.function(base, params, f"{self.title}: the paths of {self.r.name}, one to each end.")
        check = f"{base}_fits({params}, p)"
        at_goal = " and len(p) > 1"
        if self.goals is not None:
            f.lines.append(f"goals = frozenset({self.goals})")
            at_goal = " and p[-1] in goals"
        if "length" in self.r.needs or "path" in self.r.needs:
            f.lines.append(f"return one_each([p for p in walks({self.walk_args()}) if {check}{at_goal}])")
        elif "start" in self.r.needs:
            run = f"lambda start: {base}_search({params}, (start,))"
            f.lines.append(f"return from_each({self.starts}, {run}, lambda p: {check}{at_goal})")
        else:
            f.lines.append(f"reach = {base}_reach({params})")
            inside = " if p in goals" if self.goals is not None else " if reach.last[p] >= 0"
            found = f"path_to(reach, p) for p in sorted(reach.cost){inside}"
            f.lines.append(f"return tuple(p for p in ({found}) if {check})" if self.needs else f"return tuple({found})")

    def any(self) -> None:
        e, base, params = self.e, self.base, self.params
        if self.alike is not None:
            return
        if not self.quick():
            f = e.function(f"{base}_any", params, f"{self.title}: whether {self.r.name} has any path.")
            f.lines.append(f"return bool({base}({params}))")
            return
        call = f"{base}_found({params}, {self.starts}, {self.goal_set})"
        if e.traced:
            f = e.function(f"{base}_any", params, f"{self.title}: whether {self.r.name} has any path.")
            f.lines += [BEGIN, *told_lines(self.at_route(self.tell(call)))]
            return
        rests = Rests(("route", self.r.name))
        self.kept_answer(f"{base}_any", f"whether {self.r.name} has any path", call, rests)

    def ends(self) -> None:
        base, params = self.base, self.params
        doc = f"where {self.r.name} can end"
        rests = Rests(("route", self.r.name))
        if "length" in self.r.needs or "path" in self.r.needs or self.needs:
            self.kept_answer(f"{base}_ends", doc, f"unique(p[-1] for p in {base}({params}))", rests)
        else:
            inside = self.goal_set if self.goals is not None else "None"
            self.kept_answer(f"{base}_ends", doc, f"ends_of({base}_reach({params}), {inside})", rests)

    def shortest(self) -> None:
        base, params = self.base, self.params
        f = self.e.function(f"{base}_shortest", params, f"{self.title}: the paths of {self.r.name} of the least cost.")
        if self.quick():
            f.lines.append(f"reach = {base}_nearest({params})")
            f.lines.append(f"ends = sorted(p for p in frozenset({self.goals}) if p in reach.cost)")
            f.lines.append("least = lowest(reach.cost[p] for p in ends) if ends else 0")
            f.lines.append("return tuple(path_to(reach, p) for p in ends if reach.cost[p] == least)")
            return
        f.lines.append(f"ways = [({base}_cost({params}, p), p) for p in {base}({params})]")
        f.lines.append("least = lowest(x[0] for x in ways) if ways else 0")
        f.lines.append("return tuple(x[1] for x in ways if x[0] == least)")

    def grounds(self) -> None:
        """Why a path is refused: every rule that bars one of its steps, its length, or the whole."""
        r, base, params = self.r, self.base, self.params
        starts, budget, goals = self.starts, self.facet.get("budget", "None"), self.goals
        f = self.e.function(f"{base}_grounds", f"{params}, path", f"{self.title}: what speaks against a path.")
        p = self.e.printer()
        f.lines += ["found = []", f"if path[0] not in {starts}:"]
        f.lines.append(f"    found.append(Ground(case={r.case!r}, label='starts elsewhere', where={where(r.span)!r}))")
        f.lines.append("for i in range(1, len(path)):")
        f.lines.append("    here, there = path[i - 1], path[i]")
        f.lines.append("    crossing = (here, there) if here < there else (there, here)")
        touching = " or ".join(
            "there in NEAR[here]" if x == "land" else f"there in linked(S, {x!r}, here)" for x in r.layers
        )
        f.lines.append(f"    if not ({touching}):")
        f.lines.append(f"        found.append(Ground(case={r.case!r}, label='not joined', where={where(r.span)!r}))")
        for rule in r.rules:
            if rule.sort == "require":
                continue
            text = refusal(rule, p)
            label = rule.label or ("must stop" if rule.sort == "stop" else "barred")
            trail = "there"
            if self.e.traced:
                f.lines.append("    mark = traced_so_far(S)")
                trail = "traced_since(S, mark)"
            if rule.sort == "stop":
                f.lines.append(f"    if i + 1 < len(path) and {text}:")
            else:
                f.lines.append(f"    if {text}:")
            f.lines.append(
                f"        found.append(Ground(case={rule.case!r}, label={label!r}, where={where(rule.span)!r}, trail={trail}))"
            )
        f.lines.append(f"limit = {budget}")
        f.lines.append(f"if limit is not None and not found and {base}_cost({params}, path) > limit:")
        f.lines.append(f"    found.append(Ground(case={r.case!r}, label='too far', where={where(r.span)!r}))")
        for rule in r.rules:
            if rule.sort == "require":
                f.lines.append(f"if {refusal(rule, p)}:")
                f.lines.append(
                    f"    found.append(Ground(case={rule.case!r}, label={(rule.label or 'required')!r}, where={where(rule.span)!r}))"
                )
        if goals is not None:
            f.lines.append(f"if path[-1] not in {goals}:")
            f.lines.append(
                f"    found.append(Ground(case={r.case!r}, label='ends elsewhere', where={where(r.span)!r}))"
            )
        f.lines.append("return found")

    def legs(self) -> None:
        e, r, base, params, args, title = self.e, self.r, self.base, self.params, self.args, self.title
        starts, goals = self.starts, self.goals
        p = e.printer()
        f = e.function(f"{base}_reach", params, f"{title}: where a line of {r.name} can end.")
        rows = []
        for leg in r.legs:
            route = e.book.routes[leg.route]
            inner = ", ".join(["S", *(p(a) for a in leg.args)])
            name = mangle(leg.route, "r")
            facet = {k: f"{mangle(v, 'd')}({inner})" for k, v in route.facets.items()}
            run = f"lambda starts: {name}_search({inner}, starts).cost"
            begins = f"lambda: {facet['from']}" if "from" in facet else "lambda: None"
            ends = f"lambda: {facet['to']}" if "to" in facet else "lambda: None"
            rows.append(f"({leg.sort!r}, {run}, {begins}, {ends}),")
        f.lines.append(f"return legs_reach({starts}, (")
        f.lines += [e.at("    " + row, r.case, r.span, f"route {r.name}") for row in rows]
        f.lines.append("))")
        f = e.function(f"{base}_ends", params, f"{title}: the ends of {r.name}.")
        limit = f"goals = frozenset({goals})" if goals is not None else "goals = None"
        f.lines += [limit, f"return tuple(p for p in {base}_reach({params}) if goals is None or p in goals)"]
        f = e.function(f"{base}_any", params, f"{title}: whether {r.name} reaches an end.")
        if e.traced:
            f.lines += [BEGIN, *told_lines(self.tell(f"bool({base}_ends({params}))"))]
        else:
            e.memoised(f, f"{base}_any", args, f"bool({base}_ends({params}))", Rests(("route", r.name)))
        f = e.function(base, params, f"{title}: {r.name} as bare ends.")
        f.lines.append(f"return tuple((p,) for p in {base}_ends({params}))")


class Hoist(Printer):
    """Prints what a search asks, with the mover's own values taken out of the loop."""

    def __init__(self, e: Module, model: RouteModel) -> None:
        super().__init__(e.book, e.constants)
        self.model = model
        self.params = {x.name for x in model.r.params if not x.type.absent}
        self.used: set[str] = set()
        self.off = 1 if e.traced or self._shadowed() else 0

    def _shadowed(self) -> bool:
        """Whether a rule names a variable of its own like a parameter."""
        tops = [x for rule in self.model.r.rules for x in rule_exprs(rule)]
        return any(
            x.op not in ("local", "const") and x.info in self.params
            for top in tops
            for x in top.walk()
            if isinstance(x.info, str)
        )

    def lifts(self, e: c.Expr) -> bool:
        """Whether an expression is a value of the mover: a mark or printed value of a parameter."""
        inside = e.op in ("mark", "field") and e.args and e.args[0].op == "local"
        return bool(inside) and not self.off and str(e.args[0].info) in self.params

    def lifted(self, e: c.Expr, text: str) -> str:
        if not self.lifts(e):
            return text
        name = e.info if e.op == "mark" else e.info[1]
        found = self.model.hoisted.setdefault(text, mangle(f"{e.args[0].info}_{name}", "the"))
        self.used.add(found)
        return found

    def _mark(self, e: c.Expr) -> str:
        before = set(self.used)
        text = super()._mark(e)
        if self.lifts(e):
            self.used = before
        return self.lifted(e, text)

    def _field(self, e: c.Expr) -> str:
        before = set(self.used)
        text = super()._field(e)
        if self.lifts(e):
            self.used = before
        return self.lifted(e, text)

    def _local(self, e: c.Expr) -> str:
        if str(e.info) not in self.bound and any(x.name == e.info for x in self.model.r.params):
            self.used.add(mangle(str(e.info)))
        return super()._local(e)

    def _suppose(self, e: c.Expr) -> str:
        self.off += 1
        try:
            return super()._suppose(e)
        finally:
            self.off -= 1

    def rest(self, exprs: tuple[c.Expr, ...]) -> list[c.Expr]:
        """The expressions without the values that stand outside: what is left of them rests on the state."""

        def strip(e: c.Expr) -> c.Expr:
            if self.lifts(e):
                return replace(e, op="const", args=(), info=None)
            return e if e.op == "suppose" else replace(e, args=tuple(strip(a) for a in e.args))

        return [strip(e) for e in exprs]
