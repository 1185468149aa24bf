"""Print core expressions as Python.

In:  a core expression.
Out: Python source over the state `S`; locals are Python names, or entries of a frame `L`.

Every identifier passes `mangle`, every value `literal`; nothing an author wrote is printed raw.
"""

from __future__ import annotations

import builtins
import keyword
import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rulewright.runtime.values import LARGEST

from ..analyse.dependencies import column_name
from ..analyse.inline import TABLE, Fold, asked_here, decided
from ..core import nodes as c

if TYPE_CHECKING:
    from ..analyse.value_ranges import Foreseen

DEEPEST = 5
"""The most definitions that are folded within one another: Python reads no more than some 90 brackets."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,255}\Z")
HELPERS = (
    "NOTHING Fraction ratio bounded exact up up_product down "
    "nearest unique union without flat span first_of highest lowest "
    "on_scale on_scale_of scale Table shifted clamp agree assigned targets placed share edge bank neighbors adjacent "
    "distance "
    "west_of north_of linked units counters all_units units_at units_in on_map occupied places put "
    "set_mark bind spend left spent roll draw win halt reveal note suppose grow enter_phase close_phase "
    "leave_phase end_phase skipped again call usual begin_walk walk walk_on ask offer schedule due skip call_again "
    "together next_item begin_repeat rounds count_down window Matching completable blocked uncovered from_each "
    "ByPlace Reach "
    "ends_of in_order links heappush follows one_each path_to price_of walks legs_reach step_value "
    "tell_again tell_all told_once short "
    "S L T K F FAST HEXES NEAR STILL State near_places kernels data program math "
).split()
WORDS = (
    "memo key value hit parts goals reach found limit mark keep starts plan grounds p q i begin leap seen ahead costs "
    "last free through gone buckets bucket cost queue around total price old known flags asked near node "
    "pick among above reckoning room"
).split()
RESERVED = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *HELPERS, *WORDS}
OURS = re.compile(
    r"(?:[admgrpxeA]|table|ask|offer|when|duty|keys|sets|past|secret|expires|invariant|the|LINKS|F|T)_"
    r"|(?:K|value_|total_|reach_|held_|shut_|halt_|toll_|ways_|back_|within_)\d+\Z"
)
COMPARE = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
DIRECT = {
    "neighbors": "NEAR[{0}]",
    "adjacent": "({1} in NEAR[{0}])",
    "edge": "edge({0}, {1})",
    "bank": "bank({0}, {1})",
    "sides_of": "{0}",
    "distance": "distance(S, {0}, {1})",
    "west_of": "west_of(S, {0}, {1})",
    "north_of": "north_of(S, {0}, {1})",
    "linked": "linked(S, {0}, {1})",
    "links": "({2} in linked(S, {0}, {1}))",
    "on_line": "bool(linked(S, {0}, {1}))",
    "units": "units(S, {0})",
    "counters": "counters(S, {0})",
    "all_units": "all_units(S)",
    "units_at": "units_at(S, {0})",
    "units_in": "units_in(S, {0})",
    "on_map": "on_map(S, {0})",
    "occupied": "occupied(S, {0})",
    "places": "places(S, {0})",
    "name": "data.UNITS[{0}]",
    "up": "up({0})",
    "down": "down({0})",
    "nearest": "nearest({0})",
    "odd": "({0} % 2 == 1)",
    "turns": "data.TURN_NUMBERS",
    "year": "data.TURNS[{0}][1]",
    "month": "data.TURNS[{0}][2]",
    "turn_number": "({0} + 1)",
    "turn_after": "({0} + {1})",
    "first": "{1}[1 : {0} + 1]",
    "last": "{0}[-1]",
    "start": "{0}[0]",
    "length": "(len({0}) - 1)",
    "steps": "{0}",
    "placed": "placed({0})",
    "assigned": "assigned({0}, {1})",
    "targets": "targets({0})",
    "target_groups": "tuple(g[0] for g in {0})",
    "share": "share({0}, {1})",
    "winner": "S.winner",
    "hexes": "HEXES",
    "points": "HEXES",
}


@lru_cache(20_000)
def small_factor(e: c.Expr) -> bool:
    return any(a.op == "const" and abs(a.info) <= 100 for a in e.args)


def mangle(name: str, prefix: str = "") -> str:
    """A safe identifier for an author's name."""
    flat = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if prefix:
        flat = f"{prefix}_{flat}"
    if not NAME.match(flat):
        raise ValueError(f"not a name: {name!r}")
    if not prefix and re.match("v*_", flat):
        flat = f"v{flat}"
    elif not prefix and (flat.rstrip("_") in RESERVED or OURS.match(flat)):
        flat = f"{flat}_"
    return flat


def column_of(owner: str, name: str) -> str:
    """The attribute of the state that holds a mark."""
    found = column_name(owner, name)
    if not NAME.match(found):
        raise ValueError(f"not a name: {found!r}")
    return found


PLAIN = frozenset((str, int, bool, type(None)))


def literal(value: Any) -> str:
    """A Python literal for a plain value."""
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"Fraction({value.numerator}, {value.denominator})"
    if isinstance(value, tuple):
        if PLAIN.issuperset(map(type, value)):
            return repr(value)
        inner = ", ".join([literal(v) for v in value])
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(literal(v) for v in value) + "]"
    if value is None or isinstance(value, bool | int | str):
        return repr(value)
    raise TypeError(f"no plain value: {value!r}")


class Printer:
    """Prints expressions; `frame` says that locals live in `L`, `bound` are those that do not.

    With `traced`, what is remembered is asked through a function that tells.
    """

    def __init__(
        self, book: c.Book, constants: Constants, frame: bool = False, usual: str = "", traced: bool = False
    ) -> None:
        self.book = book
        self.constants = constants
        self.frame = frame
        self.usual = usual
        self.traced = traced
        self.bound: list[str] = []
        self.folding = 0

    def __call__(self, e: c.Expr) -> str:
        method = getattr(self, "_" + e.op, None)
        if method is not None:
            found: str = method(e)
            return found
        if e.op in COMPARE:
            settled = self._settled(e)
            if settled is not None:
                return settled
            one, other = self(e.args[0]), self(e.args[1])
            if (
                e.op in ("=", "!=")
                and "set" in (e.args[0].type.sort, e.args[1].type.sort)
                and all(a.type.many for a in e.args)
            ):
                one, other = (
                    x if a.op in ("const", "union") else f"unique({x})"
                    for a, x in zip(e.args, (one, other), strict=True)
                )
            return f"({one} {COMPARE[e.op]} {other})"
        raise ValueError(f"no Python for {e.op}")

    def _settled(self, e: c.Expr) -> str | None:
        """A comparison with a constant of what is a choice between constants, as the condition of that choice."""
        if e.op not in ("=", "!="):
            return None
        for one, other in (e.args, e.args[::-1]):
            said = self.folded(one) if other.op == "const" else None
            found = decided(said, other) if said is not None else None
            if found is not None:
                return self(found) if e.op == "=" else f"(not {self(found)})"
        return None

    def folded(self, e: c.Expr) -> c.Expr | None:
        """What a definition says, where that is short enough to stand where it is asked."""
        if e.op != "call" or self.folding == DEEPEST:
            return None
        found = self.constants.how(str(e.info))
        if not isinstance(found, c.Operator):
            return None
        return asked_here(found, self.book.definitions[str(e.info)], e.args)

    def args(self, e: c.Expr) -> str:
        return ", ".join(["S", *(self(a) for a in e.args)])

    def key(self, args: tuple[c.Expr, ...]) -> str:
        inner = ", ".join(self(a) for a in args)
        return f"({inner},)" if len(args) == 1 else f"({inner})"

    def with_var(self, name: str, e: c.Expr) -> str:
        self.bound.append(name)
        try:
            return self(e)
        finally:
            self.bound.pop()

    # ------------------------------------------------------------ leaves

    def _const(self, e: c.Expr) -> str:
        return self.fixed(e.info)

    def fixed(self, value: Any) -> str:
        """A plain value; one that takes work to make is made once, when the module is loaded."""
        text = literal(value)
        return self.constants.named(text) if "Fraction(" in text and not isinstance(value, str) else text

    def _local(self, e: c.Expr) -> str:
        name = str(e.info)
        if self.frame and name not in self.bound:
            return f"L[{name!r}]"
        return mangle(name)

    def _total(self, e: c.Expr) -> str:
        return str(e.info)

    def _bind(self, e: c.Expr) -> str:
        return f"S.{mangle(str(e.info), 'bind')}"

    def _field(self, e: c.Expr) -> str:
        owner, name = e.info
        field = self.book.fields[owner, name]
        column = self.constants.column(mangle(f"{owner}_{name}", "F"))
        if owner in ("unit", "place"):
            return f"{column}[{self(e.args[0])}]"
        return f"{column}.get({self(e.args[0])}, {literal(field.default)})"

    def _mark(self, e: c.Expr) -> str:
        owner = e.args[0].type.plain.name if e.args else "game"
        column = f"S.{column_of(owner, str(e.info))}"
        if owner == "game":
            return column
        if owner in ("hexside", "turn"):
            start = self.book.marks[owner, str(e.info)].start
            return f"{column}.get({self(e.args[0])}, {literal(start)})"
        return f"{column}[{self(e.args[0])}]"

    def _memory(self, e: c.Expr) -> str:
        memory = self.book.memories[str(e.info)]
        if self.traced:
            return f"{mangle(memory.name, 'past')}({self.args(e)})"
        return f"S.{mangle(memory.name, 'past')}.get({self.key(e.args)}, {literal(memory.start)})"

    def _at(self, e: c.Expr) -> str:
        return f"S.at[{self(e.args[0])}]"

    def _reading(self, e: c.Expr) -> str:
        return f"S.readings[{str(e.info)!r}]"

    def _in_phase(self, e: c.Expr) -> str:
        return f"({str(e.info)!r} in S.phases)"

    def _box(self, e: c.Expr) -> str:
        return f"data.{mangle(str(e.info), 'BOX')}[{self(e.args[0])}]"

    def _usual(self, e: c.Expr) -> str:
        return self.usual

    def _keep(self, e: c.Expr) -> str:
        return "keep"

    # ------------------------------------------------------------ calls

    def _call(self, e: c.Expr) -> str:
        said = self.folded(e)
        if said is not None:
            self.folding += 1
            text = self(said)
            self.folding -= 1
            return text
        if self.constants.how(str(e.info)) == TABLE:
            table = self.constants.answers(self.book.definitions[str(e.info)])
            answer = f"{table}[{self(e.args[0]) if e.args else None}]"
            return f"tell_again(S, {answer})" if self.constants.traced else answer
        return self._cap(e)

    def _cap(self, e: c.Expr) -> str:
        return f"{mangle(str(e.info), 'd')}({self.args(e)})"

    def _choose(self, e: c.Expr) -> str:
        guard, value, other = e.args
        for one, rest, is_first in ((value, other, True), (other, value, False)):
            if one.op == "const" and isinstance(one.info, bool):
                return self._flag(guard, one.info, rest, is_first)
        return f"({self(value)} if {self(guard)} else {self(other)})"

    def _flag(self, guard: c.Expr, fixed: bool, rest: c.Expr, first: bool) -> str:
        """A choice of which one side is yes or no: it comes first where the guard holds, or last where it does not."""
        test = self(guard) if first == fixed else f"(not {self(guard)})"
        if rest.op == "const" and rest.info is (not fixed):
            return test
        return f"({test} {'or' if fixed else 'and'} {self(rest)})"

    def _left(self, e: c.Expr) -> str:
        return f"left(S, {str(e.info)!r}, {self.key(e.args)})"

    def _spent(self, e: c.Expr) -> str:
        return f"spent(S, {str(e.info)!r}, {self.key(e.args)})"

    def _table(self, e: c.Expr) -> str:
        table = self.book.tables[str(e.info)]
        keys = []
        for param, arg in zip(table.params, e.args, strict=True):
            text = self(arg)
            if param.name in table.clamps:
                low, high = table.clamps[param.name]
                text = f"clamp({text}, {low}, {high})"
            keys.append(text)
        key = f"({', '.join(keys)},)" if len(keys) == 1 else f"({', '.join(keys)})"
        if self.constants.folded:
            return f"{self.constants.table(table)}[{key[1:-1] if len(keys) > 1 else key}]"
        return f"{mangle(table.name, 'table')}(S, {key})"

    def _builtin(self, e: c.Expr) -> str:
        if e.info in ("up", "down") and self.constants.foresees:
            rounded = self._rounded(e.args[0], str(e.info))
            if rounded is not None:
                return rounded
        return DIRECT[str(e.info)].format(*(self(a) for a in e.args))

    def _rounded(self, e: c.Expr, how: str) -> str | None:
        """A number rounded up or down, reckoned in whole numbers where that is plain to see."""
        foreseen = self.constants.foreseen
        if foreseen.is_whole(e):
            return self(e)
        if e.op not in ("*", "/"):
            return None
        one, other = e.args
        times = fraction(other) if e.op == "*" else None
        if e.op == "/":
            divisor = fraction(other)
            times = 1 / divisor if divisor else None
        if times is not None and times > 0 and foreseen.is_whole(one):
            return rounded_part(self(one), times, how)
        inside = foreseen.bounds(e) if e.op == "*" else None
        if inside is None or max(abs(inside.high), abs(inside.low)) >= LARGEST:
            return None
        given = f"{self(one)}, {self(other)}"
        return f"up_product({given})" if how == "up" else f"(-up_product(-{given}))"

    def _route(self, e: c.Expr) -> str:
        return f"{mangle(str(e.info), 'r')}({self.args(e)})"

    def _ends(self, e: c.Expr) -> str:
        return f"{mangle(str(e.info), 'r')}_ends({self.args(e)})"

    def _shortest(self, e: c.Expr) -> str:
        return f"{mangle(str(e.info), 'r')}_shortest({self.args(e)})"

    def _route_cost(self, e: c.Expr) -> str:
        return f"{mangle(str(e.info), 'r')}_cost({self.args(e)})"

    def _matching(self, e: c.Expr) -> str:
        return f"{mangle(str(e.info), 'm')}({self.args(e)})"

    def _blocked(self, e: c.Expr) -> str:
        return f"blocked({self._matching(e)})"

    def _uncovered(self, e: c.Expr) -> str:
        return f"uncovered({self._matching(e)})"

    def _grow(self, e: c.Expr) -> str:
        return f"{mangle(str(e.info), 'g')}({self.args(e)})"

    # ------------------------------------------------------------ operators

    def _and(self, e: c.Expr) -> str:
        return f"({self(e.args[0])} and {self(e.args[1])})"

    def _or(self, e: c.Expr) -> str:
        return f"({self(e.args[0])} or {self(e.args[1])})"

    def _not(self, e: c.Expr) -> str:
        return f"(not {self(e.args[0])})"

    def _neg(self, e: c.Expr) -> str:
        return f"(-{self(e.args[0])})"

    def _in(self, e: c.Expr) -> str:
        right = e.args[1]
        return f"({self(e.args[0])} in {self.members(right) if self.kept(right) else self(right)})"

    def kept(self, e: c.Expr) -> bool:
        """Whether a set is kept ready for look-ups."""
        return e.op == "call" and str(e.info) in self.constants.kept

    def members(self, e: c.Expr) -> str:
        """A set that something can be looked for in at once."""
        if not self.kept(e):
            return f"frozenset({self(e)})"
        self.constants.looked_up.add(str(e.info))
        return f"{mangle(str(e.info), 'd')}__members({self.args(e)})"

    def _between(self, e: c.Expr) -> str:
        return f"({self(e.args[1])} <= {self(e.args[0])} <= {self(e.args[2])})"

    def _within(self, e: c.Expr) -> str:
        return f"(distance(S, {self(e.args[0])}, {self(e.args[2])}) <= {self(e.args[1])})"

    def _arithmetic(self, e: c.Expr) -> str:
        return f"({self(e.args[0])} {e.op} {self(e.args[1])})" if e.op != "*" else self._product(e)

    def _product(self, e: c.Expr) -> str:
        """Only what multiplies can grow without end; small factors are known not to."""
        text = f"({self(e.args[0])} * {self(e.args[1])})"
        if small_factor(e):
            return text
        inside = self.constants.foreseen.bounds(e) if self.constants.foresees else None
        return f"bounded{text}" if inside is None or inside.high >= LARGEST else text

    def __getattr__(self, name: str) -> Any:
        if name in ("_+", "_-", "_*"):
            return self._arithmetic
        if name == "_/":
            return self._quotient
        raise AttributeError(name)

    def _quotient(self, e: c.Expr) -> str:
        if all(a.op == "const" and isinstance(a.info, int | Fraction) for a in e.args) and e.args[1].info:
            return self.fixed(Fraction(e.args[0].info) / Fraction(e.args[1].info))
        return f"ratio({self(e.args[0])}, {self(e.args[1])})"

    def _union(self, e: c.Expr) -> str:
        return f"union({self(e.args[0])}, {self(e.args[1])})"

    def _without(self, e: c.Expr) -> str:
        return f"without({self(e.args[0])}, {self(e.args[1])})"

    def _on_scale(self, e: c.Expr) -> str:
        steps, value = e.info, e.args[0]
        if value.op == "/" and [*steps] == sorted(set(steps)) and all(plainly_small(x) for x in steps):
            scale = self.constants.named(f"scale({literal(steps)})")
            return f"on_scale_of({self(value.args[0])}, {self(value.args[1])}, {scale})"
        return f"on_scale({self(value)}, {self.fixed(steps)})"

    def _shifted(self, e: c.Expr) -> str:
        return f"shifted({self(e.args[0])}, {self(e.args[1])}, {literal(e.info)})"

    def _rank(self, e: c.Expr) -> str:
        if e.info is None:
            return f"({self(e.args[0])} + 1)"
        return f"({literal(e.info)}.index({self(e.args[0])}) + 1)"

    def _other(self, e: c.Expr) -> str:
        one, two = e.info
        return f"({literal(one)} if {self(e.args[0])} == {literal(two)} else {literal(two)})"

    # ------------------------------------------------------------ collections

    def _setlit(self, e: c.Expr) -> str:
        if all(a.op == "const" for a in e.args):
            from rulewright.runtime.values import unique

            return literal(unique(a.info for a in e.args))
        if len(e.args) == 1:
            return f"({self(e.args[0])},)"
        return f"unique(({', '.join(self(a) for a in e.args)},))"

    def _listlit(self, e: c.Expr) -> str:
        if not e.args:
            return "()"
        return f"({', '.join(self(a) for a in e.args)},)"

    def _range(self, e: c.Expr) -> str:
        return f"span({self(e.args[0])}, {self(e.args[1])})"

    def _record(self, e: c.Expr) -> str:
        return self._listlit(e)

    def _get(self, e: c.Expr) -> str:
        return f"{self(e.args[0])}[{e.info}]"

    def _else(self, e: c.Expr) -> str:
        return f"first_of({', '.join('lambda: ' + self(a) for a in e.args)})"

    def _filter(self, e: c.Expr) -> str:
        var = str(e.info)
        base, test = self._narrow(e.args[0], e.args[1], var)
        if test is None:
            return base
        return f"tuple({mangle(var)} for {mangle(var)} in {base} if {self.with_var(var, test)})"

    def _narrow(self, base: c.Expr, test: c.Expr | None, var: str) -> tuple[str, c.Expr | None]:
        """Set aside the part of a filter that never changes, as a constant of the module."""
        if test is None or not is_fixed(base, set()):
            return self(base), test
        fixed: list[c.Expr] = []
        rest: list[c.Expr] = []
        for part in conjuncts(test):
            (fixed if is_fixed(part, {var}) else rest).append(part)
        if not fixed:
            return self(base), test
        name = self.constants.add(base, fixed, var)
        return name, join(rest)

    def _any(self, e: c.Expr) -> str:
        base = e.args[0]
        var = str(e.info)
        if len(e.args) == 1:
            if base.op == "route":
                return f"{mangle(str(base.info), 'r')}_any({self.args(base)})"
            if base.op == "matching":
                return f"completable({self(base)})"
            return f"bool({self(base)})"
        text, test = self._narrow(base, e.args[1], var)
        if test is None:
            return f"bool({text})"
        found = f"any({self.with_var(var, test)} for {mangle(var)} in "
        of_place = base.op == "builtin" and base.info == "units_at"
        if of_place and base.args[0].op == "local" and not base.args[0].type.absent:
            place = f"S.here[{self(base.args[0])}]"
            return f"(len({place}) > 0 and {found}{place}))"  # most places are empty
        return f"{found}{text})"

    def _every(self, e: c.Expr) -> str:
        var = str(e.info)
        return f"all({self.with_var(var, e.args[1])} {self._over(e.args[0], var)})"

    def _count(self, e: c.Expr) -> str:
        var = str(e.info)
        if len(e.args) == 1:
            return f"len({self(e.args[0])})"
        text, test = self._narrow(e.args[0], e.args[1], var)
        if test is None:
            return f"len({text})"
        return f"sum(1 for {mangle(var)} in {text} if {self.with_var(var, test)})"

    def _fold(self, e: c.Expr, form: str) -> str:
        var = str(e.info)
        return form.format(f"{self.with_var(var, e.args[1])} {self._over(e.args[0], var)}")

    def _over(self, base: c.Expr, var: str) -> str:
        """The loop over a set; what leaves members out stands in the loop itself."""
        if base.op != "filter" or str(base.info) != var:
            return f"for {mangle(var)} in {self(base)}"
        text, test = self._narrow(base.args[0], base.args[1], var)
        kept = f" if {self.with_var(var, test)}" if test is not None else ""
        return f"for {mangle(var)} in {text}{kept}"

    def _sum(self, e: c.Expr) -> str:
        return self._fold(e, "sum([{}])")

    def _each(self, e: c.Expr) -> str:
        return self._fold(e, "unique({})")

    def _each_of(self, e: c.Expr) -> str:
        return self._fold(e, "flat({})")

    def _highest(self, e: c.Expr) -> str:
        return self._fold(e, "highest({})")

    def _lowest(self, e: c.Expr) -> str:
        return self._fold(e, "lowest({})")

    def _suppose(self, e: c.Expr) -> str:
        *rest, value = e.args
        changes = []
        for i, (sort, name) in enumerate(e.info):
            what, to = rest[2 * i], rest[2 * i + 1]
            if sort == "at":
                changes.append(f"('at', '', {self(what)}, {self(to)})")
                continue
            owner = "game"
            if sort == "mark":
                kind = what.type.of if what.type.of is not None else what.type
                owner = kind.plain.name
            column = column_of(owner, name)
            changes.append(f"('mark', {column!r}, {self(what)}, {self(to)})")
        return f"suppose(S, ({', '.join(changes)},), lambda: {self(value)})"


Constant = tuple[str, str, str]


class Constants:
    """Sets that never change, computed once when a module is loaded; and sets kept for quick look-ups (`kept`)."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.lines: list[tuple[str, str]] = []
        self.known: dict[str, str] = {}
        self.kept: frozenset[str] = frozenset()
        self.looked_up: set[str] = set()
        self.used: dict[str, Constant] = {}
        self.numbered = 0
        self.folds: dict[str, Fold] = {}
        self.folded = self.traced = False
        self.asked: dict[str, Fold | None] = {}
        self.foreseen: Foreseen

    def how(self, name: str) -> Fold | None:
        """How a definition is asked, where it is not simply called."""
        found = self.asked[name] = self.folds.get(name)
        return found

    def answers(self, d: c.Definition) -> str:
        """The table of a definition that rests on nothing that can change; an answer is found when first asked for."""
        name, about, ask = mangle(d.name, "A"), "".join(mangle(p.name) for p in d.params), mangle(d.name, "d")
        given = f", {about}" if about else ""
        answer = f"told_once(STILL, {ask}{given})" if self.traced else f"{ask}(STILL{given})"
        return self.use(name, name, f"ByPlace(lambda {about or 'p'}: {answer})")

    @property
    def foresees(self) -> bool:
        """Whether numbers are reckoned by what is known of them beforehand."""
        return self.folded or self.traced

    def table(self, table: c.Table) -> str:
        """The cells of a printed table."""
        name = mangle(table.name, "T")
        return self.use(name, name, f"Table(data.{name}, {table.name!r}, {table.case!r})")

    def add(self, base: c.Expr, tests: list[c.Expr], var: str) -> str:
        printer = Printer(self.book, self)
        condition = " and ".join(printer.with_var(var, x) for x in tests)
        text = f"tuple({mangle(var)} for {mangle(var)} in {printer(base)} if {condition})"
        return self.named(text)

    def named(self, text: str) -> str:
        """A value that is made once, by its number."""
        return self.use(text, self.known.get(text, f"K{self.numbered + 1}"), text)

    def column(self, name: str) -> str:
        """A printed column."""
        return self.use(name, name, f"data.{name}")

    def links(self, layers: tuple[str, ...]) -> str:
        """The neighbours of every place over some layers, as one flat table."""
        name = mangle("_".join(layers), "LINKS")
        return self.use(name, name, f"links(data.BOARD, {literal(layers)})")

    def use(self, key: str, name: str, text: str) -> str:
        """A constant by its name; sets are numbered as they are first used."""
        if key not in self.known:
            self.known[key] = name
            self.lines.append((name, text))
            self.numbered += key == text
        self.used[key] = (key, name, text)
        return name

    def fits(self, constants: tuple[Constant, ...]) -> bool:
        """Whether these, used one after the other, have their names now too."""
        following = self.numbered
        for key, name, text in constants:
            known = self.known.get(key)
            if known is None and key == text:
                following += 1
                known = f"K{following}"
            if known not in (name, None):
                return False
        return True


def fraction(e: c.Expr) -> Fraction | None:
    """A number that is written out."""
    if e.op == "/" and all(a.op == "const" for a in e.args) and e.args[1].info:
        return Fraction(e.args[0].info) / Fraction(e.args[1].info)
    return Fraction(e.info) if e.op == "const" and isinstance(e.info, int | Fraction) else None


def rounded_part(text: str, times: Fraction, how: str) -> str:
    """A whole number times a positive fraction, rounded up or down."""
    sign = "-" if how == "up" else ""
    product = f"{sign}{text}" + (f" * {times.numerator}" if times.numerator != 1 else "")
    return f"({sign}({product} // {times.denominator}))" if sign else f"({product} // {times.denominator})"


def plainly_small(x: Any) -> bool:
    """Whether quotients of small numbers can be told from a step of a scale by their nearest float."""
    return abs(Fraction(x).numerator) < 1024 and Fraction(x).denominator < 1024


def conjuncts(e: c.Expr) -> list[c.Expr]:
    return [*conjuncts(e.args[0]), *conjuncts(e.args[1])] if e.op == "and" else [e]


def join(parts: list[c.Expr]) -> c.Expr | None:
    if not parts:
        return None
    found = parts[0]
    for p in parts[1:]:
        found = c.And(found, p, type=found.type, span=found.span)
    return found


FIXED_OPS = {
    "const", "field", "and", "or", "not", "=", "!=", "<", "<=", ">", ">=", "in", "between", "setlit", "get", "local"
}  # fmt: skip
FIXED_BUILTINS = {"hexes", "points"}


def is_fixed(e: c.Expr, names: set[str]) -> bool:
    """Whether an expression has one value for the whole game, given only these names."""
    for x in e.walk():
        if x.op == "builtin" and x.info in FIXED_BUILTINS:
            continue
        if x.op == "local" and x.info not in names:
            return False
        if x.op not in FIXED_OPS:
            return False
    return True
