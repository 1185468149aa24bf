"""Compare counters and rules in both directions.

In:  the book in the core.
Out: nothing.
Reports: RW514 a word that a rule asks for and no counter bears, RW515 (a remark) words that counters bear and no rule
         names, RW517 a counter that no scenario sets up and nothing can bring in (a remark where
         an example uses it), RW518 counters that do not print what rules read.

A word of a kind may also be noted on a unit in play, so words that a mark of that kind can take are not missed on the
counters. Two ways bring a counter in from nowhere: a rule that goes through all counters of a side or draws from a cup,
and one that names the counter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.source import Span

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.types import Type
from ..core.walk import Declared, all_procedures, all_statements, declared, layer_values, top_exprs, waiver_exprs

BRINGING = frozenset(("counters", "spare"))
"""Builtins that list units which are nowhere."""


def check_counters(book: c.Book, report: Reporter, memory: Memory) -> None:
    """Find words without counters, counters whose words mean nothing, and counters that never come."""
    if not book.units:
        return
    spoken = [(case, e) for x in declared(book) for case, top in by_case(x) for e in top.walk()]
    words(book, spoken, report)
    idle(book, [e for _, e in spoken], report, memory)
    unprinted(book, [e for _, e in spoken], report)


def by_case(x: Declared) -> Iterator[tuple[str, c.Expr]]:
    """The expressions of a declaration, each with the case that speaks."""
    if not isinstance(x, c.Definition):
        yield from ((x.case, e) for e in top_exprs(x))
        return
    for layer in x.layers():
        yield from ((layer.case, e) for e in layer_values(layer))
        yield from ((w.case, e) for w in layer.waivers for e in waiver_exprs(w))
    yield from ((x.case, e) for stage in x.stages for e in (stage.most, stage.least) if e is not None)


# ---------------------------------------------------------------- words


def words(book: c.Book, spoken: Iterable[tuple[str, c.Expr]], report: Reporter) -> None:
    named = named_words(spoken)
    charted = charted_words(book)
    for kind, fields in unit_fields(book).items():
        borne: dict[str, int] = {}
        for unit in book.units:
            for field in fields:
                value = unit.fields.get(field.name, field.default)
                for word in value if isinstance(value, tuple | frozenset) else (value,):
                    if isinstance(word, str):
                        borne[word] = borne.get(word, 0) + 1
        noted = any(kind_of(m.type) == kind for m in book.marks.values())
        for word in book.kinds[kind]:
            asked = named.get((kind, word))
            if asked is not None and word not in borne and not noted:
                case, where = asked
                report.warning(
                    "RW514",
                    where,
                    f'a rule asks for {kind} "{word}", and no counter bears it',
                    help="bear it on a counter, or ask for one of: "
                    + ", ".join(w for w in book.kinds[kind] if w in borne),
                    case=case,
                )
        plain = [w for w in book.kinds[kind] if w in borne and (kind, w) not in named and (kind, w) not in charted]
        if plain and len(plain) < len(borne):
            field = fields[0]
            listed = ", ".join(f"{w} ({borne[w]})" for w in plain)
            report.remark(
                "RW515",
                field.span,
                f"counters bear words of {kind} that no rule names: {listed}",
                help="see whether a rule that names another word means one of these too",
                case=field.case,
            )


def unit_fields(book: c.Book) -> dict[str, list[c.FieldDecl]]:
    """The fields of units by the kind that their words are of; sides are no matter of counters alone."""
    found: dict[str, list[c.FieldDecl]] = {}
    for (owner, _), field in book.fields.items():
        kind = kind_of(field.type)
        if owner == "unit" and kind and kind != "side":
            found.setdefault(kind, []).append(field)
    return found


def kind_of(type: Type) -> str:
    while type.of is not None:
        type = type.of
    return type.name if type.sort == "kind" else ""


def named_words(spoken: Iterable[tuple[str, c.Expr]]) -> dict[tuple[str, str], tuple[str, Span]]:
    """The words of kinds that rules write out, each with a case and place where it stands."""
    found: dict[tuple[str, str], tuple[str, Span]] = {}
    for case, e in spoken:
        if isinstance(e, c.Const) and kind_of(e.type):
            for word in e.value if isinstance(e.value, tuple) else (e.value,):
                found.setdefault((kind_of(e.type), str(word)), (case, e.span))
    return found


def charted_words(book: c.Book) -> set[tuple[str, str]]:
    """The words of kinds that charts have a row or column for; charts serve variants too, so nobody need bear them."""
    return {
        (kind_of(param.type), str(keys[i]))
        for table in book.tables.values()
        for i, param in enumerate(table.params)
        if kind_of(param.type)
        for keys in table.cells
    }


# ---------------------------------------------------------------- counters that never come


def idle(book: c.Book, exprs: Iterable[c.Expr], report: Reporter, memory: Memory) -> None:
    """Counters that start nowhere in every scenario, where no rule could bring them in."""
    if not book.scenarios or any(isinstance(e, c.BuiltinCall) and e.name in BRINGING for e in exprs):
        return
    if any(isinstance(s, c.Draw) for p in all_procedures(book) for s in all_statements(p)):
        return
    set_up = {name for s in book.scenarios.values() for name in s.units}
    spoken = set(units_named(exprs))
    nowhere = [(i, unit) for i, unit in enumerate(book.units) if unit.name not in set_up and i not in spoken]
    if not nowhere:  # examples are the largest part of a book: they are looked at only for somebody
        return
    room = memory.room("units of examples")
    shown = {u for x in book.examples for u in room.work((x,), partial(units_shown, x))}
    for number, unit in nowhere:
        tell = report.remark if number in shown else report.warning
        tell(
            "RW517",
            unit.span,
            f'no scenario sets up "{unit.name}", and no rule brings it in',
            help="place it in the roster (NAME @HEX) or in the scenario, or let a rule bring it in",
            case=unit.case,
        )


def units_shown(example: c.Example) -> frozenset[int]:
    """The units that an example writes out."""
    return frozenset(units_named(e for line in example.lines for top in line.exprs for e in top.walk()))


def units_named(exprs: Iterable[c.Expr]) -> Iterator[int]:
    for e in exprs:
        if isinstance(e, c.Const) and (e.type.name == "unit" or (e.type.of is not None and e.type.of.name == "unit")):
            yield from (x for x in (e.value if isinstance(e.value, tuple) else (e.value,)) if isinstance(x, int))


# ---------------------------------------------------------------- values that are not printed


def unprinted(book: c.Book, exprs: Iterable[c.Expr], report: Reporter) -> None:
    """Fields that rules read, without a default, and that some counters do not print."""
    read = {e.key for e in exprs if isinstance(e, c.FieldOf)}
    for key, field in book.fields.items():
        if key[0] != "unit" or key not in read or field.default is not None or field.type.absent:
            continue
        lacking = [unit.name for unit in book.units if field.name not in unit.fields]
        if lacking:
            listed = ", ".join(lacking[:4]) + (f" and {len(lacking) - 4} more" if len(lacking) > 4 else "")
            report.warning(
                "RW518",
                field.span,
                f"rules read {field.name}, it has no default, and these counters do not print it: {listed}",
                help=f"give it a default ({field.name} of unit: {field.type} = …), print it on them, "
                f"or let it be missing: {field.type} or nothing",
                case=field.case,
            )
