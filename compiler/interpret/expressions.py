"""Evaluate core expressions directly.

In:  a core expression, a state and the names in reach.
Out: its value, reckoned anew each time.

This is the plain reading of the core, written apart from `python.py`: no constants set aside, no answers
kept, no generated text. Definitions are evaluated by walking their layers: what waives or excepts a layer
is asked first, then its own clauses.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf
from typing import Any

from rulewright.runtime.choices import plans, solver
from rulewright.runtime.problems import Conflict, Fault
from rulewright.runtime.program import Board
from rulewright.runtime.state import State
from rulewright.runtime.values import bounded, order_key, span

from ..core import nodes as c
from ..core.printed import printed_value
from ..emit.expressions import small_factor

Names = dict[str, Any]
Items = tuple[Any, ...]
Own = Callable[[State, c.Definition, c.Layer, Names], Any]
Silence = object()
USUAL, KEEP = "@usual", "@keep"
FAR = 10**6


class Weary(Exception):
    """More expressions have been asked for than the interpreter was given patience for."""


class Evaluator:
    """Evaluates expressions, definitions and rules of one book over any state."""

    def __init__(self, book: c.Book, board: Board, remembers: bool = False) -> None:
        self.book = book
        self.board = board
        self.remembers = remembers
        self.patience = inf
        self.columns = {key: printed(book, key[0], f) for key, f in book.fields.items()}

    # ------------------------------------------------------------ definitions

    def define(self, S: State, name: str, args: Iterable[Any], keep: Any = None) -> Any:
        """The value of a definition for these arguments."""
        d = self.book.definitions[name]
        if self.remembers and keep is None:
            key = repr((name, args := tuple(args)))
            if key in S.memo[0]:
                return S.memo[0][key]
        names: Names = dict(zip((p.name for p in d.params), args, strict=True))
        names[KEEP] = keep
        value = self.answer(S, d, d.base, names, self.total)
        if self.remembers and keep is None:
            S.memo[0][key] = value
        return value

    def answer(self, S: State, d: c.Definition, layer: c.Layer, names: Names, own: Own) -> Any:
        """What a layer says: nothing when waived, its exceptions when they apply, else its own."""
        if self.waived(S, layer.waivers, names) or (layer is not d.base and not self.applies(S, layer, names)):
            return Silence
        said = []
        for x in layer.exceptions:
            value = self.answer(S, d, x, {**names, USUAL: lambda S: own(S, d, layer, names)}, self.clause)
            if value is not Silence:
                said.append((x, value))
        standing = [(x, v) for x, v in said if not any(x.id in y.outranks for y, _ in said)]
        for (x, v), (y, w) in itertools.combinations(standing, 2):
            if v != w:
                raise Conflict(f"cases {x.case} and {y.case} both except {d.name} and disagree", y.case)
        return standing[0][1] if standing else own(S, d, layer, names)

    def applies(self, S: State, layer: c.Layer, names: Names) -> bool:
        """Whether one of the clauses of a layer holds; only then do exceptions to it count."""
        names = dict(names)
        for name, value in layer.lets:
            names[name] = self.value(S, value, names)
        return any(x.guard is None or self.value(S, x.guard, names) for x in layer.clauses)

    def clause(self, S: State, d: c.Definition, layer: c.Layer, names: Names) -> Any:
        """The first clause of a layer whose guard holds."""
        names = dict(names)
        for name, value in layer.lets:
            names[name] = self.value(S, value, names)
        for clause in layer.clauses:
            if clause.guard is None or self.value(S, clause.guard, names):
                return self.value(S, clause.value, names)
        return Silence

    def total(self, S: State, d: c.Definition, layer: c.Layer, names: Names) -> Any:
        """The base value with every contribution, step by step."""
        value = self.clause(S, d, layer, names)
        if value is Silence:
            remembered = d.sort == "memory" and self.book.memories[d.name].how == "always"
            value = names[KEEP] if remembered else nothing_of(d)
        if not d.gathered:
            return value
        number = not d.type.many and d.type.name in ("number", "ratio")
        for stage in d.stages or (c.Stage(name=""),):
            amounts = []
            for x in d.contributions:
                if d.stages and x.stage != stage.name:
                    continue
                given = self.answer(S, d, x.layer, names, self.clause)
                if given is Silence:
                    continue
                if not number:
                    value = ordered({*value, *given}) if d.type.many else value or given
                    continue
                amounts.append((self.operation(S, d, x.layer, names), given))
            if number:
                value = self.reckon(S, stage, value, amounts, names)
        return value

    def operation(self, S: State, d: c.Definition, layer: c.Layer, names: Names) -> str:
        """Whether a contribution multiplies or adds; an exception to it works as its first clause does."""
        inner = {**names, USUAL: lambda S: self.clause(S, d, layer, names)}
        if not any(self.answer(S, d, x, inner, self.clause) is not Silence for x in layer.exceptions):
            names = dict(names)
            for name, value in layer.lets:
                names[name] = self.value(S, value, names)
            for clause in layer.clauses:
                if clause.guard is None or self.value(S, clause.guard, names):
                    return clause.operation or "plus"
        return layer.clauses[0].operation or "plus"

    def reckon(self, S: State, stage: c.Stage, value: Any, amounts: list[tuple[str, Any]], names: Names) -> Any:
        if stage.once and amounts:
            amounts = [max(amounts, key=lambda a: abs(a[1]))]
        for operation, amount in amounts:
            value = value * amount if operation == "times" else value + amount
        value = rounded(value, stage.round)
        if stage.most is not None:
            value = min(value, self.value(S, stage.most, names))
        if stage.least is not None:
            value = max(value, self.value(S, stage.least, names))
        return value

    # ------------------------------------------------------------ rules

    def waived(self, S: State, waivers: tuple[c.Waiver, ...], names: Names) -> bool:
        return any(
            (w.guard is None or self.value(S, w.guard, names)) and not self.waived(S, w.waivers, names) for w in waivers
        )

    def refuses(self, S: State, rule: c.Rule, names: Names) -> bool:
        """Whether a rule speaks against what the names describe."""
        if rule.sort == "require":
            asked = rule.guard is None or self.value(S, rule.guard, names)
            against = asked and not self.value(S, rule.test, names)
        else:
            against = self.value(S, rule.test, names)
        return bool(against) and not self.waived(S, rule.waivers, names)

    # ------------------------------------------------------------ expressions

    def value(self, S: State, e: c.Expr, names: Names) -> Any:
        """The value of an expression."""

        self.patience -= 1
        if self.patience < 0:
            raise Weary

        def of(x: c.Expr) -> Any:
            return self.value(S, x, names)

        match e.op:
            case "local":
                return names[str(e.info)]
            case "const":
                return e.info
            case "keep":
                return names[KEEP]
            case "usual":
                return names[USUAL](S)
            case "bind":
                return getattr(S, f"bind_{e.info}")
            case "reading":
                return S.readings[str(e.info)]
            case "in_phase":
                return e.info in S.phases
            case "at":
                return S.at[of(e.args[0])]
            case "field":
                return self.field(e.info, of(e.args[0]))
            case "mark":
                return self.mark(S, e, of(e.args[0]) if e.args else None)
            case "memory":
                memory = self.book.memories[str(e.info)]
                return getattr(S, f"past_{memory.name}").get(tuple(map(of, e.args)), memory.start)
            case "box":
                return self.board.places.index(f"{e.info}({of(e.args[0])})")
            case "call" | "cap":
                return self.define(S, str(e.info), [of(a) for a in e.args])
            case "left":
                key = tuple(map(of, e.args))
                return self.define(S, str(e.info), key) - getattr(S, f"spent_{e.info}").get(key, 0)
            case "spent":
                return getattr(S, f"spent_{e.info}").get(tuple(map(of, e.args)), 0)
            case "table":
                return self.table(str(e.info), [of(a) for a in e.args])
            case "grow":
                return self.grow(S, str(e.info), tuple(map(of, e.args)))
            case "route":
                return self.routes.paths(S, str(e.info), tuple(map(of, e.args)))
            case "ends":
                return self.routes.ends(S, str(e.info), tuple(map(of, e.args)))
            case "shortest":
                given = tuple(map(of, e.args))
                ways = self.routes.paths(S, str(e.info), given)
                prices = [self.routes.cost(S, str(e.info), given, way) for way in ways]
                return tuple(way for way, price in zip(ways, prices, strict=True) if price == min(prices, default=0))
            case "route_cost":
                *args, path = map(of, e.args)
                return self.routes.cost(S, str(e.info), tuple(args), path)
            case "matching":
                return self.matching(S, str(e.info), tuple(map(of, e.args)))
            case "blocked":
                return solver.blocked(self.matching(S, str(e.info), tuple(map(of, e.args))))
            case "uncovered":
                return solver.uncovered(self.matching(S, str(e.info), tuple(map(of, e.args))))
            case "and":
                return of(e.args[0]) and of(e.args[1])
            case "or":
                return of(e.args[0]) or of(e.args[1])
            case "not":
                return not of(e.args[0])
            case "=" | "!=":
                a, b = of(e.args[0]), of(e.args[1])
                if "set" in (e.args[0].type.sort, e.args[1].type.sort) and all(x.type.many for x in e.args):
                    a, b = set(a), set(b)
                return (a == b) == (e.op == "=")
            case "<":
                return of(e.args[0]) < of(e.args[1])
            case "<=":
                return of(e.args[0]) <= of(e.args[1])
            case ">":
                return of(e.args[0]) > of(e.args[1])
            case ">=":
                return of(e.args[0]) >= of(e.args[1])
            case "in":
                return of(e.args[0]) in of(e.args[1])
            case "between":
                return of(e.args[1]) <= of(e.args[0]) <= of(e.args[2])
            case "within":
                return self.distance(of(e.args[0]), of(e.args[2])) <= of(e.args[1])
            case "neg":
                return -of(e.args[0])
            case "+":
                return of(e.args[0]) + of(e.args[1])
            case "-":
                return of(e.args[0]) - of(e.args[1])
            case "*":
                value = of(e.args[0]) * of(e.args[1])
                return value if small_factor(e) else bounded(value)
            case "/":
                return divided(of(e.args[0]), of(e.args[1]))
            case "union":
                return ordered({*of(e.args[0]), *of(e.args[1])})
            case "without":
                gone = of(e.args[1])
                return tuple(x for x in of(e.args[0]) if x not in gone)
            case "setlit":
                return ordered({of(a) for a in e.args})
            case "listlit" | "record":
                return tuple(of(a) for a in e.args)
            case "range":
                return span(of(e.args[0]), of(e.args[1]))
            case "get":
                return of(e.args[0])[e.info]
            case "else":
                return next((found for found in map(of, e.args) if found), ())
            case "on_scale":
                found = of(e.args[0])
                return max((i for i, step in enumerate(e.info) if step <= found), default=-1)
            case "shifted":
                return min(max(of(e.args[0]) + floor(of(e.args[1])), 0), e.info)
            case "rank":
                return 1 + (e.info.index(of(e.args[0])) if e.info is not None else of(e.args[0]))
            case "other":
                return e.info[1] if of(e.args[0]) == e.info[0] else e.info[0]
            case "suppose":
                return self.suppose(S, e, names)
            case "builtin":
                return self.builtin(S, str(e.info), [of(a) for a in e.args])
            case _:
                return self.over(S, e, names)

    def over(self, S: State, e: c.Expr, names: Names) -> Any:
        """The value of an expression that goes through the members of a set."""
        base = e.args[0]
        if e.op == "any" and len(e.args) == 1 and base.op == "matching":
            return solver.completable(self.value(S, base, names))
        found = self.value(S, base, names)
        if len(e.args) == 1:
            return bool(found) if e.op == "any" else len(found)
        asked = ((x, self.value(S, e.args[1], {**names, str(e.info): x})) for x in found)
        match e.op:
            case "filter":
                return tuple(x for x, value in asked if value)
            case "any":
                return any(value for _, value in asked)
            case "every":
                return all(value for _, value in asked)
            case "count":
                return sum(1 for _, value in asked if value)
            case "sum":
                return sum(value for _, value in asked)
            case "each":
                return ordered({value for _, value in asked})
            case "each_of":
                return ordered({x for _, value in asked for x in value})
            case "highest" | "lowest":
                values = [value for _, value in asked]
                if not values:
                    raise Fault("highest or lowest of nothing")
                return max(values) if e.op == "highest" else min(values)
            case _:
                raise ValueError(f"the interpreter does not know {e.op}")

    def field(self, key: tuple[str, str], owner: Any) -> Any:
        column = self.columns[key]
        if owner is None:
            raise KeyError(owner)
        return column.get(owner, self.book.fields[key].default)

    def mark(self, S: State, e: c.Expr, owner: Any) -> Any:
        kind = e.args[0].type.plain.name if e.args else "game"
        held = getattr(S, f"{kind}_{e.info}")
        if kind == "game":
            return held
        if kind in ("hexside", "turn"):
            return held.get(owner, self.book.marks[kind, str(e.info)].start)
        return held[owner]

    def table(self, name: str, keys: list[Any]) -> Any:
        table = self.book.tables[name]
        for i, p in enumerate(table.params):
            if p.name in table.clamps:
                low, high = table.clamps[p.name]
                keys[i] = min(max(keys[i], low), high)
        if tuple(keys) not in table.cells:
            raise Fault(f"the table {name} has no cell for {tuple(keys)!r}", table.case)
        return table.cells[tuple(keys)]

    def grow(self, S: State, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The least set: start from none, add who passes, until nobody more does."""
        g = self.book.grows[name]
        key = (name, *args)
        if key in S.growing:
            so_far: tuple[Any, ...] = S.growing[key]
            return so_far
        names: Names = dict(zip((p.name for p in g.params), args, strict=True))
        members = self.value(S, g.domain, names)
        inside: tuple[Any, ...] = ()
        try:
            while True:
                S.growing[key] = inside
                grown = tuple(m for m in members if m in inside or self.value(S, g.test, {**names, "it": m}))
                if grown == inside:
                    return inside
                inside = grown
        finally:
            del S.growing[key]

    def suppose(self, S: State, e: c.Expr, names: Names) -> Any:
        """The value in a copy of the state in which the changes are made."""
        *rest, value = e.args
        there = S.copy()
        there.supposing = S.supposing + 1
        changes = []
        for i, (sort, name) in enumerate(e.info):
            what, to = rest[2 * i], rest[2 * i + 1]
            changes.append((sort, name, what, self.value(S, what, names), self.value(S, to, names)))
        for sort, name, what, owner, new in changes:
            many = what.type.many if what is not None else False
            owners = owner if many else () if owner is None else (owner,)
            if sort == "at":
                for u in owners:
                    there.own("at")[u] = new
            elif sort == "mark" and (what.type.of or what.type).plain.name != "game":
                column = there.own(f"{(what.type.of or what.type).plain.name}_{name}")
                for o in owners:
                    column[o] = new
            else:
                setattr(there, f"game_{name}", new)
        there.settle_places()
        return self.value(there, value, names)

    # ------------------------------------------------------------ matchings

    def matching(self, S: State, name: str, args: tuple[Any, ...]) -> plans.Matching:
        m = self.book.matchings[name]
        names: Names = dict(zip((p.name for p in m.params), args, strict=True))
        forbids = [r for r in m.rules if r.sort == "forbid"]
        needs = [r for r in m.rules if r.sort == "require"]
        whole = [r for r in needs if any(e.op == "local" and e.info == "unassigned" for e in r.test.walk())]
        groups = [r for r in needs if r not in whole]
        items = self.value(S, m.items, names)

        def pair(item: Any, target: Any) -> bool:
            return not any(self.refuses(S, r, {**names, m.item: item, m.target: target}) for r in forbids)

        def group(targets: Items, given: Items, rules: list[c.Rule], idle: Items = ()) -> bool:
            inner = {**names, m.target: targets[0], "group": targets, "assigned": given, "unassigned": idle}
            return not any(self.refuses(S, r, inner) for r in rules)

        def complete(plan: plans.Plan) -> bool:
            idle = tuple(i for i in items if all(i not in given for _, given in plan))
            return all(group(targets, given, whole, idle) for targets, given in plan)

        return plans.Matching(
            items=items,
            targets=self.value(S, m.targets, names),
            pair=pair,
            each_target=lambda targets, given: group(targets, given, groups),
            group=m.groups,
            more_helps=m.more_helps,
            idle=lambda item: m.idle is not None and bool(self.value(S, m.idle, {**names, m.item: item})),
            empty=lambda target: m.empty is not None and bool(self.value(S, m.empty, {**names, m.target: target})),
            whole=complete if whole else None,
            case=m.case,
        )

    # ------------------------------------------------------------ built-in words

    def distance(self, a: int | None, b: int | None) -> int:
        """Steps over the bare grid."""
        board = self.board
        if a is None or b is None or max(a, b) >= board.hexes:
            return FAR
        if board.coordinates:
            dx, dy = (abs(p - q) for p, q in zip(board.coordinates[a], board.coordinates[b], strict=True))
            long, short = (dx, dy) if board.staggered == "rows" else (dy, dx)
            return short + max(0, (long - short) // 2)
        ring, seen, steps = {a}, {a}, 0
        while ring:
            if b in ring:
                return steps
            ring = {y for x in ring for y in board.neighbors[x]} - seen
            seen |= ring
            steps += 1
        return FAR

    def on_board(self, place: int | None) -> bool:
        return place is not None and place < self.board.hexes

    def builtin(self, S: State, name: str, a: list[Any]) -> Any:
        board = self.board
        match name:
            case "hexes" | "points":
                return tuple(range(board.hexes))
            case "neighbors":
                return board.neighbors[a[0]] if a[0] is not None else ()
            case "winner":
                return S.winner
            case "west_of" | "north_of":
                xy, axis = self.board.coordinates, 0 if name == "west_of" else 1
                return None not in a and max(a) < len(xy) and xy[a[0]][axis] < xy[a[1]][axis]
            case "adjacent":
                return None not in a and a[1] in board.neighbors[a[0]]
            case "edge":
                return (min(a), max(a))
            case "bank":
                return a[0][1] if a[0][0] == a[1] else a[0][0]
            case "sides_of":
                return a[0]
            case "distance":
                return self.distance(*a)
            case "linked":
                return board.layers[a[0]][a[1]]
            case "links":
                return a[2] in board.layers[a[0]][a[1]]
            case "on_line":
                return bool(board.layers[a[0]][a[1]])
            case "units":
                return tuple(u for u, p in enumerate(S.at) if self.on_board(p) and S.unit_side[u] == a[0])
            case "counters":
                return tuple(u for u in range(len(S.at)) if S.unit_side[u] == a[0])
            case "all_units":
                return tuple(u for u, p in enumerate(S.at) if self.on_board(p))
            case "units_at":
                return tuple(u for u, p in enumerate(S.at) if p is not None and p == a[0])
            case "units_in":
                return tuple(u for u, p in enumerate(S.at) if p is not None and p in a[0])
            case "on_map":
                return a[0] is not None and self.on_board(S.at[a[0]])
            case "occupied":
                return ordered({p for u, p in enumerate(S.at) if self.on_board(p) and S.unit_side[u] == a[0]})
            case "places":
                return ordered({S.at[u] for u in a[0]} - {None})
            case "name":
                return self.book.units[a[0]].name
            case "up":
                return ceiling(a[0])
            case "down":
                return floor(a[0])
            case "nearest":
                return floor(a[0] + Fraction(1, 2))
            case "odd":
                return a[0] % 2 == 1
            case "turns":
                return tuple(range(len(self.turns)))
            case "year":
                return self.turns[a[0]][1]
            case "month":
                assert self.book.calendar is not None
                return self.book.calendar.months[self.turns[a[0]][2] - 1]
            case "turn_number":
                return a[0] + 1
            case "turn_after":
                return a[0] + a[1]
            case "first":
                return tuple(a[1][1 : a[0] + 1])
            case "last":
                return a[0][-1]
            case "start":
                return a[0][0]
            case "length":
                return len(a[0]) - 1
            case "steps":
                return a[0]
            case "placed":
                return ordered({i for _, items in a[0] for i in items})
            case "assigned":
                return next((items for group, items in a[0] if a[1] in group or a[1] == group), ())
            case "targets":
                return tuple(group[0] if len(group) == 1 else group for group, _ in a[0])
            case "target_groups":
                return tuple(group for group, _ in a[0])
            case "share":
                return dict(a[0]).get(a[1], 0)
            case _:
                raise ValueError(f"the interpreter does not know {name}")

    @property
    def turns(self) -> tuple[tuple[str, int, int], ...]:
        return self.book.calendar.turns if self.book.calendar is not None else ()

    @property
    def routes(self) -> Any:
        from .routes import Routes

        return Routes(self)


# ---------------------------------------------------------------- plain values


def ordered(members: set[Any]) -> tuple[Any, ...]:
    """A set in the one order in which sets are kept."""
    return tuple(sorted(members, key=order_key))


def floor(value: Any) -> int:
    return int(value // 1)


def ceiling(value: Any) -> int:
    return -floor(-value)


def whole(value: Any) -> Any:
    """A fraction that is a whole number as that number."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def divided(a: Any, b: Any) -> Any:
    if b == 0:
        raise Fault("a number is divided by zero")
    return bounded(whole(Fraction(a) / Fraction(b)))


def rounded(value: Any, how: str) -> Any:
    match how:
        case "up":
            return ceiling(value)
        case "down":
            return floor(value)
        case "nearest":
            return floor(value + Fraction(1, 2))
        case _:
            return whole(value)


def nothing_of(d: c.Definition) -> Any:
    """What a definition gives when none of its clauses applies."""
    if d.type.many:
        return ()
    return {"number": 0, "ratio": 0, "flag": False}.get(d.type.name)


def printed(book: c.Book, owner: str, f: c.FieldDecl) -> dict[Any, Any]:
    """The printed values of a field by owner; whoever is not there has the default."""
    if owner == "unit":
        return {u: line.fields[f.name] for u, line in enumerate(book.units) if f.name in line.fields}
    if book.map is None or owner not in ("place", "hexside"):
        return {}
    number = {name: i for i, name in enumerate(book.places)}
    found: dict[Any, Any] = {}
    if owner == "place":
        for name, text in book.map.fields.get(f.name, {}).items():
            if name in number:
                found[number[name]] = printed_value(text, f.type, book.scales)
    sides = [*book.map.sides.get(f.name, ())]
    if f.type.name == "flag":
        for _, chain in book.map.lines.get(f.name, ()):
            sides += itertools.pairwise(chain)
            if owner == "place":
                found |= {number[name]: True for name in chain if name in number}
    if owner == "hexside":
        for one, other in sides:
            if one in number and other in number:
                found[min(number[one], number[other]), max(number[one], number[other])] = True
    return found
