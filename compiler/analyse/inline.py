"""Fold small definitions into those who ask them.

In:  the book in the core, and what everything rests on.
Out: by the name of a definition how it is asked: an expression over its parameters that stands where it is asked,
     or a table, for one that rests on nothing that can change, so that each answer is found once a process.

A definition is small when what it says fits into one short expression: a few clauses, exceptions that cannot
contradict one another, and loops only where answers are never kept. The traced twin has tables but folds nothing,
for it tells of every definition by its case; the rules that `coverage` reads have neither, so that every case has
lines of its own.
"""

from __future__ import annotations

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.types import FLAG, empty_of
from ..core.walk import definition_exprs
from .dependencies import Depends

TABLE = "table"
SMALL = 32
"""The most parts of an expression that is folded."""
PLAIN = {
    "const", "local", "bind", "field", "mark", "at", "memory", "in_phase", "reading", "table", "builtin", "call", "and",
    "or", "not", "neg", "in", "between", "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "other", "get", "rank",
    "on_scale", "shifted", "choose",
}  # fmt: skip
"""What a folded expression may be made of: nothing that is asked under a hypothesis or only where a set is empty."""
LOOPS = {"filter", "any", "every", "sum", "each", "each_of", "count", "highest", "lowest"}
"""What names a variable of its own."""
HEAVY = {*LOOPS, "union", "route", "ends", "shortest", "matching", "grow"}
"""What is dear enough for its answer to be kept."""

Fold = c.Expr | str


def fold(book: c.Book, depends: Depends, memory: Memory) -> dict[str, Fold]:
    """How every definition is asked that is not simply called."""
    room = memory.room("fold")
    found: dict[str, Fold] = {}
    for name, d in book.definitions.items():
        if is_table(d, depends):
            found[name] = TABLE
    said = {name: room.work((d,), lambda d=d: what_it_says(d)) for name, d in book.definitions.items()}  # type: ignore[misc]
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        """How long the expression of a definition is with all that is folded into it."""
        if name not in sizes:
            sizes[name] = SMALL + 1  # definitions never ask one another in a circle; a `grow` may
            e = said.get(name)
            if e is not None and name not in found:
                sizes[name] = sum(size(str(x.info)) if x.op == "call" and x.info in said else 1 for x in e.walk())
        return sizes[name] if sizes[name] <= SMALL else 1

    for name, e in said.items():
        size(name)
        if e is not None and name not in found and sizes[name] <= SMALL:
            found[name] = e
    return found


def is_table(d: c.Definition, depends: Depends) -> bool:
    """Whether a definition about one thing or none rests on printed values and the map alone, and takes some work."""
    if d.sort != "define" or len(d.params) > 1 or not depends.still("define", d.name):
        return False
    if any(p.type.many or p.type.plain.name not in ("place", "unit") for p in d.params):
        return False
    return any(e.op in HEAVY for top in definition_exprs(d) for e in top.walk())


def what_it_says(d: c.Definition) -> c.Expr | None:
    """A definition as one expression, where it can be one."""
    if d.sort != "define":
        return None
    if d.gathered:
        return reckoned(d)
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
    looping = LOOPS if is_never_kept(d) else set()
    if any(x.op not in PLAIN and x.op not in looping for part in parts for x in part.walk()):
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


def reckoned(d: c.Definition) -> c.Expr | None:
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
    if value.op != "field" or first.guard is not None or clause.guard is None or clause.operation != "times":
        return None
    if any(x.op not in PLAIN for part in (clause.guard, clause.value) for x in part.walk()):
        return None
    product = c.Times(value, clause.value, type=d.type, span=clause.span)
    rounded = c.BuiltinCall(stage.round, (product,), type=d.type, span=clause.span)
    usual = c.BuiltinCall(stage.round, (value,), type=d.type, span=clause.span)
    return c.Choose(clause.guard, rounded, usual, type=d.type, span=clause.span)


def is_never_kept(d: c.Definition) -> bool:
    """Whether answers are asked for by records, of which no two are alike."""
    return any(p.type.sort == "record" for p in d.params)


# ---------------------------------------------------------------- where one is asked


def asked_here(said: c.Expr, d: c.Definition, args: tuple[c.Expr, ...]) -> c.Expr | None:
    """What a definition says of some arguments; None where an argument would be worked out twice, or not at all."""
    given = {}
    loops = {str(x.info) for x in said.walk() if x.op in LOOPS}
    if loops & {str(x.info) for arg in args for x in arg.walk() if x.op == "local"}:
        return None
    for p, arg in zip(d.params, args, strict=True):
        if not is_simple(arg):
            if loops:
                return None
            uses = sum(x.op == "local" and x.info == p.name for x in said.walk())
            if uses != 1 or not is_asked(said, p.name):
                return None
        given[p.name] = arg
    return put_in(said, given)


def is_simple(e: c.Expr) -> bool:
    """Whether a value is no dearer to find again than to keep: a name, or one look into a column."""
    if e.op in ("const", "local", "bind", "total"):
        return True
    if e.op == "mark" and not e.args:
        return True
    return e.op in ("at", "mark", "field") and e.args[0].op == "local" and not e.args[0].type.absent


def is_asked(e: c.Expr, name: str) -> bool:
    """Whether a name is looked at however the conditions turn out."""
    if e.op == "local":
        return bool(e.info == name)
    sure = e.args[:1] if e.op in ("choose", "and", "or") else e.args
    return any(is_asked(x, name) for x in sure)


def put_in(e: c.Expr, given: dict[str, c.Expr]) -> c.Expr:
    """An expression with its parameters replaced by what is given for them."""
    if e.op == "local" and e.info in given:
        return given[str(e.info)]
    return e.with_args(tuple(put_in(a, given) for a in e.args)) if e.args else e


def decided(e: c.Expr, wanted: c.Expr) -> c.Expr | None:
    """When a choice between constants gives a wanted one, as a condition; None where it is no such choice."""
    if wanted.op != "const":
        return None
    if e.op == "const":
        same = type(e.info) is type(wanted.info) and e.info == wanted.info
        return c.Const(same, type=FLAG, span=wanted.span)
    if e.op != "choose" or e.args[1].op != "const":
        return None
    here, rest = decided(e.args[1], wanted), decided(e.args[2], wanted)
    if here is None or rest is None:
        return None
    guard = e.args[0]
    if here.info:
        return guard if is_flag(rest, False) else rest if is_flag(rest, True) else both(c.Or, guard, rest)
    unless = c.Not(guard, type=FLAG, span=e.span)
    if is_flag(rest, False) or is_flag(rest, True):
        return rest if is_flag(rest, False) else unless
    return both(c.And, rest, unless) if is_free(rest) else both(c.And, unless, rest)


def is_free(e: c.Expr) -> bool:
    """Whether a condition can be asked before the one that guards it: it looks at nothing that may be missing."""
    tests = {"and", "or", "not", "=", "!=", "<", "<=", ">", ">=", "const", "bind"}
    return all(x.op in tests or (x.op == "mark" and not x.args) for x in e.walk())


def is_flag(e: c.Expr, value: bool) -> bool:
    return e.op == "const" and e.info is value


def both(kind: type[c.And | c.Or], a: c.Expr, b: c.Expr) -> c.Expr:
    return kind(a, b, type=FLAG, span=a.span)
