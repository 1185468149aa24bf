"""Inline small definitions into their callers.

In:  the book in the core, and its dependencies.
Out: by the name of a definition, how it is called: inlined, as an expression over its parameters; or through a table,
     for one that depends on nothing that can change, so that each result is computed once per process.

A definition is small when what it says fits into one short expression: a few clauses, exceptions that cannot
contradict one another, and loops only where results are never memoised. The traced twin has tables but inlines
nothing, since it reports every definition under its case; the rules that `coverage` reads have neither, so that every
case has lines of its own.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.types import FLAG, empty_of
from ..core.walk import definition_exprs
from .dependencies import Depends

TABLE = "table"
SMALL = 32
"""The most operators of an inlined expression."""
Effort: TypeAlias = Literal["plain", "loop", "heavy", "apart"]
"""`plain` may be inlined; `loop` binds a variable of its own; `heavy` costs enough for its result to be memoised, as a
loop does; `apart` is evaluated under a hypothesis or only where a set is empty, or is simply never inlined."""

Fold = c.Expr | str


def effort(e: c.Expr) -> Effort:
    """What an operator costs by itself, without its operands."""
    e = c.known(e)
    match e:
        case c.Const() | c.Local() | c.Call() | c.MarkOf() | c.FieldOf() | c.PlaceOf() | c.BuiltinCall():
            return "plain"
        case c.And() | c.Or() | c.Not() | c.Comparison() | c.IsIn() | c.Arithmetic() | c.Negative() | c.Between():
            return "plain"
        case c.Loop():
            return "loop"
        case c.Member() | c.TableCell() | c.Remembered() | c.Bound() | c.Reading() | c.InPhase() | c.Choose():
            return "plain"
        case c.OnScale() | c.Shifted() | c.Rank() | c.Other():
            return "plain"
        case c.Union() | c.Paths() | c.PathEnds() | c.ShortestPaths() | c.Plans() | c.Grown():
            return "heavy"
        case c.Suppose() | c.Usual() | c.Keep() | c.Total() | c.FirstOf() | c.Without():
            return "apart"
        case c.SetOf() | c.ListOf() | c.Range() | c.RecordOf() | c.BoxOf() | c.Within():
            return "apart"
        case c.OfQuota() | c.PathCost() | c.BlockedItems() | c.UncoveredTargets():
            return "apart"
        case _:
            assert_never(e)


def is_plain(e: c.Expr) -> bool:
    """Whether an inlined expression may have this operator."""
    return effort(e) == "plain"


def is_heavy(e: c.Expr) -> bool:
    """Whether an operator costs enough for its result to be memoised."""
    return effort(e) in ("loop", "heavy")


def fold(book: c.Book, depends: Depends, memory: Memory) -> dict[str, Fold]:
    """How each definition is called that is no plain function."""
    room = memory.room("fold")
    found: dict[str, Fold] = {}
    for name, d in book.definitions.items():
        if is_table(d, depends):
            found[name] = TABLE
    said = {name: room.work((d,), lambda d=d: what_it_says(d)) for name, d in book.definitions.items()}  # type: ignore[misc]
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        """The size of a definition's expression, with all that is inlined into it."""
        if name not in sizes:
            sizes[name] = SMALL + 1  # definitions never ask one another in a circle; a `grow` may
            e = said.get(name)
            if e is not None and name not in found:
                sizes[name] = sum(size(x.name) if isinstance(x, c.Call) and x.name in said else 1 for x in e.walk())
        return sizes[name] if sizes[name] <= SMALL else 1

    for name, e in said.items():
        size(name)
        if e is not None and name not in found and sizes[name] <= SMALL:
            found[name] = e
    return found


def is_table(d: c.Definition, depends: Depends) -> bool:
    """Whether a definition of one parameter or none depends on print and map alone, and costs some work."""
    if d.sort != "define" or len(d.params) > 1 or not depends.still("define", d.name):
        return False
    if any(p.type.many or p.type.plain.name not in ("place", "unit") for p in d.params):
        return False
    return any(is_heavy(e) for top in definition_exprs(d) for e in top.walk())


def what_it_says(d: c.Definition) -> c.Expr | None:
    """A definition as one expression, where it can be one."""
    if d.sort != "define":
        return None
    if d.gathered:
        return rounded_product(d)
    if d.contributions:
        return None
    clauses: list[c.Clause] = []
    ordered = sorted(d.base.exceptions, key=lambda x: not x.outranks)
    while ordered:
        layer = ordered.pop(0)
        if layer.exceptions or not {x.id for x in ordered} <= set(layer.outranks):
            return None
        clauses += layer.clauses
        if layer.clauses[-1].guard is None:
            break
    else:
        clauses += d.base.clauses
    if any(x.waivers or x.lets for x in d.base.walk()):
        return None
    parts = [x for clause in clauses for x in (clause.value, clause.guard) if x is not None]
    fitting = ("plain", "loop") if is_never_kept(d) else ("plain",)
    if any(effort(x) not in fitting for part in parts for x in part.walk()):
        return None
    if clauses[-1].guard is None:
        value = clauses.pop().value
    else:
        value = c.Const(empty_of(d.type), type=d.type, span=d.base.span)
    for clause in reversed(clauses):
        assert clause.guard is not None
        value = c.Choose(clause.guard, clause.value, value, type=d.type, span=clause.span)
    return value


def plain_value(d: c.Definition) -> c.Expr | None:
    """What a definition always says, where that is one expression."""
    layer = d.base
    if layer.exceptions or layer.waivers or layer.lets or d.gathered or d.contributions or d.sort == "memory":
        return None
    return layer.clauses[0].value if len(layer.clauses) == 1 and layer.clauses[0].guard is None else None


def rounded_product(d: c.Definition) -> c.Expr | None:
    """A printed number that one case multiplies, rounded."""
    stage = d.stages[0] if len(d.stages) == 1 else None
    layer = d.contributions[0].layer if len(d.contributions) == 1 else None
    if stage is None or layer is None or stage.round not in ("up", "down") or stage.most or stage.least:
        return None
    layers = (d.base, layer)
    if any(x.exceptions or x.waivers or x.lets or len(x.clauses) != 1 for x in layers):
        return None
    first, clause = d.base.clauses[0], layer.clauses[0]
    value = first.value
    if not isinstance(value, c.FieldOf) or first.guard is not None:
        return None
    if clause.guard is None or clause.operation != "times":
        return None
    if not all(is_plain(x) for part in (clause.guard, clause.value) for x in part.walk()):
        return None
    product = c.Times(value, clause.value, type=d.type, span=clause.span)
    rounded = c.BuiltinCall(stage.round, (product,), type=d.type, span=clause.span)
    usual = c.BuiltinCall(stage.round, (value,), type=d.type, span=clause.span)
    return c.Choose(clause.guard, rounded, usual, type=d.type, span=clause.span)


def is_never_kept(d: c.Definition) -> bool:
    """Whether results are looked up by records, of which hardly two are equal."""
    return any(p.type.sort == "record" for p in d.params)


# ---------------------------------------------------------------- where one is asked


def asked_here(said: c.Expr, d: c.Definition, args: tuple[c.Expr, ...]) -> c.Expr | None:
    """A definition inlined for some arguments; None where an argument would be evaluated twice, or not at all."""
    given = {}
    loops = {x.var for x in said.walk() if isinstance(x, c.Loop)}
    if loops & {x.name for arg in args for x in arg.walk() if isinstance(x, c.Local)}:
        return None
    for p, arg in zip(d.params, args, strict=True):
        if not is_simple(arg):
            if loops:
                return None
            uses = sum(isinstance(x, c.Local) and x.name == p.name for x in said.walk())
            if uses != 1 or not is_asked(said, p.name):
                return None
        given[p.name] = arg
    return put_in(said, given)


def is_simple(e: c.Expr) -> bool:
    """Whether a value is as cheap to compute as to memoise: a name, or one column look-up."""
    match e:
        case c.Const() | c.Local() | c.Bound() | c.Total() | c.MarkOf(of=None):
            return True
        case c.PlaceOf(unit=c.Local() as of) | c.MarkOf(of=c.Local() as of) | c.FieldOf(of=c.Local() as of):
            return not of.type.absent
        case _:
            return False


def is_asked(e: c.Expr, name: str) -> bool:
    """Whether a name is evaluated on every branch."""
    match e:
        case c.Local():
            return e.name == name
        case c.And() | c.Or():
            return is_asked(e.left, name)
        case c.Choose():
            return is_asked(e.test, name)
        case _:
            return any(is_asked(x, name) for x in e.args)


def put_in(e: c.Expr, given: dict[str, c.Expr]) -> c.Expr:
    """An expression with its parameters replaced by what is given for them."""
    if isinstance(e, c.Local):
        return given.get(e.name, e)
    args = e.args
    return e.with_args(tuple(put_in(a, given) for a in args)) if args else e


def decided(e: c.Expr, wanted: c.Expr) -> c.Expr | None:
    """When a choice between constants gives a wanted one, as a condition; None where it is no such choice."""
    if not isinstance(wanted, c.Const):
        return None
    match e:
        case c.Const():
            return same(e, wanted)
        case c.Choose(then=c.Const() as then):
            here, rest = same(then, wanted), decided(e.otherwise, wanted)
        case _:
            return None
    if rest is None:
        return None
    if here.value:
        return e.test if is_flag(rest, False) else rest if is_flag(rest, True) else both(c.Or, e.test, rest)
    unless = c.Not(e.test, type=FLAG, span=e.span)
    if is_flag(rest, False) or is_flag(rest, True):
        return rest if is_flag(rest, False) else unless
    return both(c.And, rest, unless) if is_free(rest) else both(c.And, unless, rest)


def same(one: c.Const, wanted: c.Const) -> c.Const:
    """Whether two constants are one value; a flag is no number."""
    found = type(one.value) is type(wanted.value) and one.value == wanted.value
    return c.Const(found, type=FLAG, span=wanted.span)


def is_free(e: c.Expr) -> bool:
    """Whether a condition can be asked before the one that guards it: it looks at nothing that may be missing."""
    return all(isinstance(x, FREE) or (isinstance(x, c.MarkOf) and x.of is None) for x in e.walk())


FREE = (c.Const, c.Bound, c.And, c.Or, c.Not, c.Comparison)


def is_flag(e: c.Expr, value: bool) -> bool:
    return isinstance(e, c.Const) and e.value is value


def both(kind: type[c.And | c.Or], a: c.Expr, b: c.Expr) -> c.Expr:
    return kind(a, b, type=FLAG, span=a.span)
