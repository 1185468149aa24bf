"""Find the smallest parts in which two declarations differ.

In:  two syntax nodes of one sort.
Out: for each difference the path to it and the part on either side (None where it is missing).

The comparison descends into an expression only while exactly one part of it differs. Statements, clauses and operands
of `and` are aligned first, so that an inserted one is one difference and not a shift of all that follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Any, get_args

from rulewright.dsl import nodes as n
from rulewright.dsl import print as p
from rulewright.dsl.parse import room_for_chains

from .entries import encode, node_digest, parts

EXPRESSIONS = get_args(n.Expr)
WORDS = {
    "guard": "condition",
    "test": "condition",
    "tests": "condition",
    "clauses": "clause",
    "lets": "let",
    "stages": "step",
    "rules": "rule",
    "facets": "facet",
    "body": "step",
    "branches": "branch",
    "otherwise": "otherwise",
    "params": "parameter",
    "domain": "domain",
    "guards": "condition",
    "phases": "phase",
    "values": "value",
    "lines": "line",
    "failing": "failing",
    "members": "member",
    "readings": "reading",
    "arms": "arm",
    "actions": "offer",
    "type": "type",
    "default": "default",
    "until": "lifetime",
    "event": "event",
    "by": "who acts",
    "target": "target",
}

PLAIN = frozenset(("value", "call", "left", "right", "base", "items", "arguments", ""))


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference of two declarations; `up` are the enclosing expressions, innermost first."""

    path: tuple[str, ...]
    before: Any
    after: Any
    up: tuple[tuple[n.Node, n.Node], ...] = ()

    @property
    def where(self) -> str:
        return ", ".join(dict.fromkeys(self.path))


def smallest(a: n.Node, b: n.Node) -> list[Difference]:
    """The smallest differences of two nodes, in reading order."""
    with room_for_chains():
        return list(compare(a, b, (), ()))


Up = tuple[tuple[n.Node, n.Node], ...]


def equal(a: Any, b: Any) -> bool:
    return bool(code(a) == code(b))


def code(x: Any) -> str:
    if isinstance(x, n.Node):
        return node_digest(x)
    out: list[str] = []
    encode(x, out)
    return "\x1f".join(out)


def compare(a: Any, b: Any, path: tuple[str, ...], up: Up) -> Iterator[Difference]:
    if equal(a, b):
        return
    if isinstance(a, tuple) and isinstance(b, tuple):
        yield from line_up(a, b, path, up)
        return
    if type(a) is not type(b) or not isinstance(a, n.Node):
        yield Difference(path, a, b, up)
        return
    if isinstance(a, EXPRESSIONS):
        yield from expressions(a, b, path, up)
        return
    changed = [f for f in parts(type(a)) if not equal(getattr(a, f), getattr(b, f))]
    if any(not inner(getattr(a, f)) or not inner(getattr(b, f)) for f in changed):
        leaf = [f for f in changed if not inner(getattr(a, f)) or not inner(getattr(b, f))]
        if not isinstance(a, DECLARATIONS):
            yield Difference(path, a, b, up)
            return
        for f in leaf:
            yield Difference((*path, word(f, None)), getattr(a, f), getattr(b, f), up)
        changed = [f for f in changed if f not in leaf]
    for f in changed:
        left, right = getattr(a, f), getattr(b, f)
        label = "" if isinstance(left, n.Body) else word(f, None)
        yield from (
            compare(left, right, path if isinstance(left, tuple) or not label else (*path, label), up)
            if (left is not None and right is not None and not isinstance(left, tuple))
            else sided(left, right, f, path, up)
        )


DECLARATIONS = get_args(n.Decl)


def inner(x: Any) -> bool:
    """Whether the comparison can descend into a part: a node, a tuple of nodes, or None."""
    if x is None or isinstance(x, n.Node):
        return True
    return isinstance(x, tuple) and all(isinstance(i, n.Node | tuple) or i is None for i in x)


def sided(a: Any, b: Any, name: str, path: tuple[str, ...], up: Up) -> Iterator[Difference]:
    if isinstance(a, tuple) and isinstance(b, tuple):
        yield from line_up(a, b, path, up, name)
    else:
        yield Difference((*path, word(name, None)), a, b, up)


def line_up(
    a: tuple[Any, ...], b: tuple[Any, ...], path: tuple[str, ...], up: Up, name: str = ""
) -> Iterator[Difference]:
    """Align two lists by their equal members, and compare the rest."""
    a, b = (tuple(tested(x) for x in items if not isinstance(x, n.Note)) for items in (a, b))
    if [type(x) for x in a] == [type(x) for x in b] and sum(not equal(x, y) for x, y in zip(a, b, strict=True)) == 1:
        i = next(i for i, (x, y) in enumerate(zip(a, b, strict=True)) if not equal(x, y))
        yield from compare(a[i], b[i], step(path, name, i, a), up)
        return
    lined = SequenceMatcher(None, [code(x) for x in a], [code(x) for x in b], autojunk=False)
    for tag, i1, i2, j1, j2 in lined.get_opcodes():
        if tag == "equal":
            continue
        both = min(i2 - i1, j2 - j1)
        for k in range(both):
            yield from compare(a[i1 + k], b[j1 + k], step(path, name, i1 + k, a), up)
        for k in range(i1 + both, i2):
            yield Difference(step(path, name, k, a), a[k], None, up)
        for k in range(j1 + both, j2):
            yield Difference(step(path, name, k, b), None, b[k], up)


def tested(x: Any) -> Any:
    """The condition of a `when` line; its label serves refusals alone."""
    return x.test if isinstance(x, n.When) else x


def step(path: tuple[str, ...], name: str, i: int, items: tuple[Any, ...]) -> tuple[str, ...]:
    item = items[i]
    if isinstance(item, n.Phase):
        return (*path, f"phase {item.name}")
    if isinstance(item, n.Facet):
        return (*path, item.name)
    if isinstance(item, n.Param):
        return (*path, f"parameter {item.name}")
    label = word(name, i if len(items) > 1 else None)
    return (*path, label) if label else path


def word(name: str, i: int | None) -> str:
    if name in PLAIN or (name == "clauses" and i is None):
        return ""
    text = WORDS.get(name, name.replace("_", " "))
    return text if i is None else f"{text} {i + 1}"


def expressions(a: Any, b: Any, path: tuple[str, ...], up: Up) -> Iterator[Difference]:
    """Two expressions of one class: descend while exactly one part differs; a number with its sign is one part."""
    if number(a) is not None and number(b) is not None:
        yield Difference(path, a, b, up)
        return
    around = ((a, b), *up)
    match a, b:
        case n.Binary(op="and" | "or" as link), n.Binary(op=other) if link == other:
            ours, theirs = p.spine(a, link), p.spine(b, link)
            rest = list(line_up(tuple(ours), tuple(theirs), path, around))
            if len(ours) == len(theirs):
                yield from rest
            elif len(rest) == 1 and (rest[0].before is None or rest[0].after is None):
                what = f"one more {link}" if rest[0].before is None else f"one {link} less"
                yield Difference((*path, what), rest[0].before, rest[0].after, around)
            else:
                yield Difference(path, a, b, up)
            return
    changed = [f for f in parts(type(a)) if not equal(getattr(a, f), getattr(b, f))]
    if len(changed) != 1:
        yield Difference(path, a, b, up)
        return
    left, right = getattr(a, changed[0]), getattr(b, changed[0])
    if isinstance(left, n.Node) and isinstance(right, n.Node):
        yield from compare(left, right, path, around)
        return
    if (
        isinstance(left, tuple)
        and isinstance(right, tuple)
        and len(left) == len(right)
        and inner(left)
        and inner(right)
    ):
        odd = [(x, y) for x, y in zip(left, right, strict=True) if not equal(x, y)]
        if len(odd) == 1:
            x, y = odd[0]
            if isinstance(x, n.Argument) and isinstance(y, n.Argument) and x.name == y.name:
                x, y = x.value, y.value
            if isinstance(x, EXPRESSIONS) and isinstance(y, EXPRESSIONS):
                yield from compare(x, y, path, around)
                return
    yield Difference(path, a, b, up)


def number(x: Any) -> int | Fraction | None:
    """The value of a number literal, with its sign, or of a fraction of literals."""
    match x:
        case n.Literal(sort="number" | "ratio", value=int() | Fraction() as value):
            return value
        case n.Unary(op="-", value=inner_):
            found = number(inner_)
            return None if found is None else -found
        case n.Binary(op="/", left=left, right=right):
            top, below = number(left), number(right)
            if top is not None and below:
                return Fraction(top) / Fraction(below)
    return None


# ---------------------------------------------------------------- text


def text(x: Any) -> str:
    """A part as `.rules` text, on one line if it fits."""
    with room_for_chains():
        return said(x)


def said(x: Any) -> str:
    if x is None:
        return ""
    if isinstance(x, EXPRESSIONS):
        written = p.expr(x, p.CHAIN)
        return written.replace(" / ", "/") if number(x) is not None else written
    match x:
        case n.Clause():
            return joined(p.clause(x))
        case n.TypeName():
            return p.type_name(x)
        case n.Param():
            return p.param(x)
        case n.Facet():
            return joined(p.body(x.name, x.body))
        case n.Stage():
            return p.stage(x)
        case n.StageRule():
            return p.stage_rule(x)
        case n.Body():
            return joined(p.body("", x))
        case n.Target():
            return p.target(x)
        case n.Event():
            return p.event(x)
        case n.RawLine():
            return joined(list(p.raw((x,))))
        case n.Until():
            if x.condition is not None:
                return said(x.condition)
            return f"{x.sort.replace('_', ' of ') if '_' in x.sort else x.sort + ' of'} {x.phase}"
        case n.Leg():
            return p.leg(x)
        case n.Offered():
            return x.action + p.when(x.guard)
        case n.Reading():
            return f'{x.name} "{x.text}"'
        case n.Argument():
            return p.argument(x)
        case n.ExampleLine():
            return p.example_line(x)
        case n.Rule():
            return joined(p.rule(x))
    if isinstance(x, STATEMENTS):
        return joined(p.statement(x))
    if isinstance(x, DECLARATIONS):
        return joined(p.declaration(x))
    if isinstance(x, tuple):
        return ", ".join(said(i) for i in x)
    if isinstance(x, bool):
        return "yes" if x else "no"
    return str(x)


STATEMENTS = get_args(n.Stmt)


def joined(lines: list[str]) -> str:
    return lines[0] if len(lines) == 1 else "\n".join(lines)
