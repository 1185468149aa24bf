"""Check names: words that cannot serve as names, names that hide built-in ones, and names given twice.

In:  the entries of one rule set, before their names are declared.
Out: nothing.
Reports: RW202 a name declared twice, RW217 a word of the language used as a name,
         RW218 a name that hides a built-in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..cache.incremental import Memory
from ..core.builtins import BUILTINS
from ..core.entries import Entry
from ..core.types import ABSENT, PRIMITIVES
from ..core.walk import below
from ..elaborate.expressions.special_calls import SPECIAL
from ..read.calendars import MONTH_NAMES

# Words that open a value or a condition: where a name may stand, the grammar reads these instead.
OPENING = ("not", "any", "no", "every", "supposing", "since", "before", "true", "false")
FOLDING = ("count", "sum", "each", "highest", "lowest")
WORDS = frozenset((*OPENING, *FOLDING))
STEPS = ("here", "there", "crossing", "path")
Named = tuple[str, n.Node]


def check_names(entries: list[Entry], report: Reporter, memory: Memory | None = None) -> None:
    """Warn of names that the author could never use as meant."""
    seen: dict[tuple[str, str], str] = {}
    memory = memory or Memory()
    room = memory.room("check names")
    for entry in entries:
        node = entry.node
        report.case = entry.case
        memory.check(room, "names", entry, partial(own_names, node, report), report)
        if isinstance(node, n.Duty | n.Invariant | n.Unclear | n.Box):
            key = (type(node).__name__.lower(), node.name)
            if key in seen:
                report.error(
                    "RW202",
                    node.span,
                    f'"{node.name}" is declared twice (also in case {seen[key]})',
                    help="rename one of them",
                )
            seen.setdefault(key, entry.case)
        if isinstance(node, n.Action | n.Procedure):
            other = seen.get(("procedure" if isinstance(node, n.Action) else "action", node.name))
            if other is not None:
                report.error(
                    "RW202",
                    node.span,
                    f'"{node.name}" is the name of an action and of a procedure (also in case {other})',
                    help="rename one of them: phrases and `do` name both alike",
                )
            seen.setdefault((type(node).__name__.lower(), node.name), entry.case)
    report.case = ""


def own_names(node: n.Decl, report: Reporter) -> None:
    """The names that one declaration gives, for itself and for the book."""
    for name, where in [*shared_names(node), *local_names(node)]:
        if name in WORDS or name in MONTH_NAMES:
            # Data can still name a value of a kind; everything else could never be named again.
            tell = report.warning if isinstance(where, n.Kind | n.Scale | n.Reading) else report.error
            tell(
                "RW217",
                where.span.find(name),
                f'"{name}" is a word of the language; no condition can use it as a name',
                help=f"take another name, for instance {name.lower()}_",
            )
    for name, where in shared_names(node):
        hidden = "a built-in function" if name in BUILTINS or name in SPECIAL else None
        if name in PRIMITIVES or name in ABSENT:
            hidden = "a word for a type" if name in PRIMITIVES else "a word for what is absent"
        if hidden is not None:
            report.warning(
                "RW218",
                where.span.find(name),
                f'"{name}" hides {hidden}',
                help="take another name, so that readers know which is meant",
            )
    for name, where in hidden_params(node):
        report.warning(
            "RW218",
            where.span.find(name),
            f'the parameter "{name}" is hidden by what the rule itself provides',
            help="rename the parameter",
        )
    for what, names in lists(node):
        for name in sorted({x for x in names if names.count(x) > 1}):
            report.error("RW202", node.span, f'{what} names "{name}" twice', help="rename or strike one of them")


def shared_names(node: n.Decl) -> Iterator[Named]:
    """Names that a declaration gives to the whole book and that stand where values stand."""
    match node:
        case n.Define() | n.Remember() | n.Quota() | n.Grow() | n.Table() | n.Route() | n.Matching() | n.Box():
            yield node.name, node
        case n.Record():
            yield node.name, node
        case n.Mark(owner="game"):
            yield node.name, node
        case n.Kind() | n.Scale():
            yield from ((value, node) for value in node.values if not value[0].isdigit())
        case n.Unclear():
            yield node.name, node
            yield from ((r.name, r) for r in node.readings)
        case _:
            pass


def local_names(node: n.Decl) -> Iterator[Named]:
    """Names for parts of one declaration: parameters, lets, loop variables, answers."""
    for x in below(node):
        match x:
            case n.Param() | n.Let() | n.Roll() | n.Draw() | n.Make() | n.Ask():
                yield x.name, x
            case n.ForEach():
                yield x.var, x
            case n.Phase(var=str() as var) | n.Duty(var=str() as var):
                yield var, x
            case n.Filter() | n.Quantified():
                yield x.var, x
            case n.Matching():
                yield from ((x.item, x), (x.target, x))
            case n.Event():
                yield from ((name, x) for name in x.params)
            case _:
                pass


def hidden_params(node: n.Decl) -> Iterator[Named]:
    given: Iterable[str] = STEPS if isinstance(node, n.Route) else ("actor",) if isinstance(node, n.Action) else ()
    if isinstance(node, n.Route | n.Action):
        yield from ((p.name, p) for p in node.params if p.name in given)


def lists(node: n.Decl) -> Iterator[tuple[str, list[str]]]:
    """Lists of names in which each may stand but once."""
    params = getattr(node, "params", ())
    if params:
        yield f'"{getattr(node, "name", "")}"', [p.name for p in params]
    match node:
        case n.Kind() | n.Scale():
            yield f'the {type(node).__name__.lower()} "{node.name}"', list(node.values)
        case n.Record():
            yield f'the record "{node.name}"', [name for name, _ in node.members]
        case n.Unclear():
            yield f'"{node.name}"', [r.name for r in node.readings]
        case n.Route():
            yield f'the route "{node.name}"', [f.name for f in node.facets]
        case n.Define():
            yield f'"{node.name}"', [s.name for s in node.body.stages]
        case _:
            pass
