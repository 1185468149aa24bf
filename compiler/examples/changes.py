"""Mutation operators: single changes of a declaration.

In:  a declaration as syntax, and the names of the book's sides.
Out: every single change that a transcription error could make, each with its kind, position and description: a number
     plus one, a negated condition, a removed clause. The declaration itself is not modified; `changed` makes the copy.

Whether a mutant compiles is found out by compiling it: predicting that here would repeat the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.print import clause, declaration, print_expression, statement
from rulewright.dsl.source import Span

from ..overlay.edit_tree import Spot
from .cells import cell_changes

STRIKES = (
    "exception",
    "contribution",
    "ban",
    "require",
    "stop",
    "waiver",
    "duty",
    "trigger",
    "clause",
    "statement",
    "phase",
    "lifetime",
    "cell",
)
"""The kinds of change that take something out; a cell gives way to another."""
KINDS = ("number", "condition", "comparison", "and-or", "when", *STRIKES, "side", "rounding")
"""The kinds of change, in the order in which they are listed."""

STRUCK = {
    n.Except: "exception",
    n.Add: "contribution",
    n.Waive: "waiver",
    n.Duty: "duty",
    n.Trigger: "trigger",
    n.Instead: "exception",
}
RULES = {"forbid": "ban", "require": "require", "stop": "stop"}
SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ROUNDED = {"up": "down", "down": "up", "nearest": "down"}
CONDITIONS = {
    n.Clause: ("guard",),
    n.Waive: ("guard",),
    n.Trigger: ("guard", "condition"),
    n.Instead: ("guard",),
    n.Filter: ("test",),
    n.Quantified: ("test",),
    n.Duty: ("test",),
    n.Grow: ("test",),
    n.PhaseChange: ("guard",),
    n.Offered: ("guard",),
    n.Phase: ("guard",),
    n.Repeat: ("condition",),
    n.Until: ("condition",),
    n.Ask: ("so_that",),
}
"""The fields that hold a condition; those of rules, `if` and actions stand in tuples."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change: `node` replaces the part at `spot`, or removes it if None; `words` describe the change."""

    kind: str
    spot: Spot
    node: Any
    words: Callable[[], str]
    span: Span

    @property
    def what(self) -> str:
        """The description of the change."""
        return self.words()


def changes(node: n.Decl, sides: tuple[str, ...]) -> Iterator[Change]:
    """Every single change of a declaration."""
    whole = strike(node)
    if whole is not None:
        yield whole
    if isinstance(node, n.Table):
        for spot, row, what, span in cell_changes(node):
            yield Change("cell", spot, row, partial(str, what), span)
    yield from inside(node, (), sides)


def strike(node: n.Decl) -> Change | None:
    """The removal of the whole declaration, for sorts that only add to others."""
    kind = RULES[node.sort] if isinstance(node, n.Rule) else STRUCK.get(type(node))
    return Change(kind, (), None, partial(struck, node), node.span) if kind else None


def inside(node: n.Node, spot: Spot, sides: tuple[str, ...]) -> Iterator[Change]:
    """The changes of a node and of everything below it."""
    yield from own_changes(node, spot, sides)
    for f in fields(node):
        if f.name == "span":
            continue
        value = getattr(node, f.name)
        if f.name in CONDITIONS.get(type(node), ()) and value is not None:
            yield from condition_changes(value, (*spot, f.name), isinstance(node, n.Filter | n.Quantified))
        yield from below(value, (*spot, f.name), sides)


def below(value: Any, spot: Spot, sides: tuple[str, ...]) -> Iterator[Change]:
    if only_tells(value):
        return
    if isinstance(value, n.Node):
        yield from inside(value, spot, sides)
    elif isinstance(value, tuple):
        for i, x in enumerate(value):
            yield from below(x, (*spot, i), sides)


def own_changes(node: n.Node, spot: Spot, sides: tuple[str, ...]) -> Iterator[Change]:
    """The changes of the node itself, without those of its parts."""
    match node:
        case n.Literal(sort="number", value=int() as number):
            for other in (number + 1, number - 1):
                yield said("number", spot, node, replace(node, value=other))
        case n.Literal(sort="ratio", value=Fraction() as ratio):
            yield said("number", spot, node, replace(node, value=Fraction(ratio.numerator + 1, ratio.denominator)))
        case n.Literal(sort="flag"):
            yield said("condition", spot, node, replace(node, value=not node.value))
        case n.Name() if node.id in sides and len(sides) > 1:
            other_side = sides[(sides.index(node.id) + 1) % len(sides)]
            yield said("side", spot, node, replace(node, id=other_side))
        case n.Binary(op="and" | "or"):
            yield said("and-or", spot, node, replace(node, op="or" if node.op == "and" else "and"))
        case n.Binary() if node.op in SHIFTED:
            yield said("comparison", spot, node, replace(node, op=SHIFTED[node.op]))
        case n.Call(name="up" | "down" | "nearest"):
            yield said("rounding", spot, node, replace(node, name=ROUNDED[node.name]))
        case n.Body():
            for i, x in enumerate(node.clauses if len(node.clauses) > 1 else ()):
                yield Change("clause", (*spot, "clauses", i), None, partial(without_clause, x), x.span)
        case n.Stage():
            for i, rule in enumerate(node.rules):
                yield from stage_changes(node, rule, (*spot, "rules", i))
        case n.Rule():
            yield from rule_changes(node, spot)
        case n.Action():
            for i, when in enumerate(node.guards):
                yield from condition_changes(when.test, (*spot, "guards", i, "test"), False)
        case n.If():
            for i, (test, _) in enumerate(node.branches):
                yield said("condition", (*spot, "branches", i, 0), test, negated(test))
        case n.Match():
            for i, (values, _) in enumerate(node.arms):
                words = partial(without, "the arm", values)
                yield Change("clause", (*spot, "arms", i), None, words, values[0].span)
        case n.Offer():
            for i, offered in enumerate(node.actions if len(node.actions) > 1 else ()):
                words = partial(str, f"without the offer of {offered.action}")
                yield Change("statement", (*spot, "actions", i), None, words, offered.span)
        case n.Mark(until=n.Until() as until):
            words = partial(str, f"{node.name} is never cleared by itself")
            yield Change("lifetime", (*spot, "until"), None, words, until.span)
    yield from block_changes(node, spot)
    yield from link_changes(node, spot)


# ---------------------------------------------------------------- conditions


def condition_changes(node: n.Expr, spot: Spot, quiet: bool) -> Iterator[Change]:
    """A condition negated, and removed; that of a filter is removed operand by operand only."""
    yield said("condition", spot, node, negated(node))
    if not quiet and not is_and(node):
        yes = n.Literal(sort="flag", value=True, span=node.span)
        yield Change("when", spot, yes, partial(without, "the condition", (node,)), node.span)


def link_changes(node: n.Node, spot: Spot) -> Iterator[Change]:
    """Each operand of a chain of `and` or `or` negated, and those of `and` removed."""
    match node:
        case n.Binary(op="and" | "or" as word, left=left, right=right):
            links = (("left", left, right), ("right", right, left))
        case _:
            return
    for name, link, other in links:
        match link:
            case n.Binary(op=inner) if inner == word:
                continue
        yield said("condition", (*spot, name), link, negated(link))
        if word == "and":
            yield Change("when", spot, other, partial(without, "the condition", (link,)), link.span)


def is_and(node: n.Expr) -> bool:
    return isinstance(node, n.Binary) and node.op == "and"


def negated(node: n.Expr) -> n.Expr:
    if isinstance(node, n.Unary) and node.op == "not":
        return node.value
    if isinstance(node, n.Binary) and node.op in ("=", "!="):
        return replace(node, op="!=" if node.op == "=" else "=")
    return n.Unary(op="not", value=node, span=node.span)


def rule_changes(node: n.Rule, spot: Spot) -> Iterator[Change]:
    """Changes of the conditions of a rule; and the removal of each rule of several, or of one inside a route."""
    kind = RULES[node.sort]
    if spot:
        yield Change(kind, spot, None, partial(struck, node), node.span)
    for i, pair in enumerate(node.tests):
        for k, part in enumerate(pair):
            if part is not None:
                yield from condition_changes(part, (*spot, "tests", i, k), False)
        if len(node.tests) > 1:
            parts = tuple(x for x in pair if x is not None)
            yield Change(kind, (*spot, "tests", i), None, partial(without, node.sort, parts), parts[0].span)


# ---------------------------------------------------------------- statements and stages

BLOCKS = ("body", "failing", "otherwise")


def block_changes(node: n.Node, spot: Spot) -> Iterator[Change]:
    """The removal of each statement of the blocks of a node, except `let` and what only writes to the log."""
    blocks: list[tuple[Spot, Any]] = [((*spot, name), getattr(node, name, None)) for name in BLOCKS]
    if isinstance(node, n.If):
        blocks += [((*spot, "branches", i, 1), block) for i, (_, block) in enumerate(node.branches)]
    if isinstance(node, n.Match):
        blocks += [((*spot, "arms", i, 1), block) for i, (_, block) in enumerate(node.arms)]
    for where, block in blocks:
        for i, s in enumerate(block if isinstance(block, tuple) else ()):
            if not isinstance(s, n.Let) and not only_tells(s):
                kind = "phase" if isinstance(s, n.Phase) else "statement"
                yield Change(kind, (*where, i), None, partial(without_statement, s), s.span)


def only_tells(value: Any) -> bool:
    """Whether a statement does nothing but write to the log, on whatever condition: that alters no play."""
    match value:
        case n.Log():
            return True
        case n.If():
            return all(map(only_tells, (*(s for _, block in value.branches for s in block), *value.otherwise)))
        case n.Match():
            blocks = (*(block for _, block in value.arms), value.otherwise or ())
            return all(only_tells(s) for block in blocks for s in block)
        case n.ForEach():
            return all(map(only_tells, value.body))
    return False


def stage_changes(node: n.Stage, rule: n.StageRule, spot: Spot) -> Iterator[Change]:
    if rule.sort == "round":
        other = ROUNDED[str(rule.value)]
        what = f"{node.name} round {rule.value} becomes round {other}"
        yield Change("rounding", spot, replace(rule, value=other), partial(str, what), rule.span)
    else:
        what = f"{node.name} without {'at ' + rule.sort if rule.value is not None else rule.sort}"
        yield Change("clause", spot, None, partial(str, what), rule.span)


# ---------------------------------------------------------------- words


def said(kind: str, spot: Spot, old: n.Expr, new: n.Expr) -> Change:
    return Change(kind, spot, new, partial(becomes, old, new), old.span)


def becomes(old: n.Expr, new: n.Expr) -> str:
    return f"{shown(old)} becomes {shown(new)}"


def struck(node: n.Decl) -> str:
    return f"struck: {first_line(declaration(node))}"


def without(word: str, parts: tuple[n.Expr, ...]) -> str:
    return f"without {word} {' when '.join(map(shown, parts))}"


def without_clause(node: n.Clause) -> str:
    return f"without the clause {first_line(clause(node))}"


def without_statement(node: n.Stmt) -> str:
    return f"without: {first_line(statement(node))}"


def shown(node: n.Expr) -> str:
    return print_expression(node)


def first_line(lines: list[str]) -> str:
    return lines[0].strip() + (" …" if len(lines) > 1 else "")


# ---------------------------------------------------------------- carrying out


def changed(tree: Any, spot: Spot, new: Any) -> Any:
    """A copy of the tree with a part replaced; a member of a tuple is removed where `new` is None."""
    first, *rest = spot
    if isinstance(tree, tuple):
        assert isinstance(first, int)
        if not rest and new is None:
            return (*tree[:first], *tree[first + 1 :])
        part = changed(tree[first], tuple(rest), new) if rest else new
        return (*tree[:first], part, *tree[first + 1 :])
    name = str(first)
    return replace(tree, **{name: changed(getattr(tree, name), tuple(rest), new) if rest else new})
