"""The parts of a declaration that an amendment can name: `amend 6 march.budget: 3 becomes 4`.

In:  a declaration.
Out: for each name of a part the spots at which it stands. Parts are the facets of a route, rules by their label or
     word, parameters, local names, stages, phases, and the words that open a line: `by`, `when`, `failing`, …

What an exception or a contribution is about (`except 3 march.budget`) is a part of it as well: the whole of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from rulewright.dsl import nodes as n
from rulewright.dsl import print as printing

from .edit_tree import Spot

Part = tuple[str, Spot]


def parts(node: n.Decl) -> dict[str, list[Spot]]:
    """The spots of each part by name, in the order of the text."""
    found: dict[str, list[Spot]] = {}
    for name, spot in listed(node):
        found.setdefault(name, []).append(spot)
    return found


def listed(node: n.Decl) -> Iterator[Part]:
    match node:
        case n.Route():
            yield from named(node.params, "params")
            yield from named(node.facets, "facets")
            for i, facet in enumerate(node.facets):
                yield from in_body(facet.body, ("facets", i, "body"))
            yield from ruled(node.rules)
            if node.legs:
                yield "legs", ("legs",)
        case n.Matching():
            yield from named(node.params, "params")
            yield from (
                ("each", ("items",)),
                (node.item, ("items",)),
                ("to", ("targets",)),
                (node.target, ("targets",)),
            )
            yield from ruled(node.rules)
            yield from ((word, (word,)) for word in ("idle", "empty") if getattr(node, word) is not None)
        case n.Action():
            yield from named(node.params, "params")
            yield "by", ("by",)
            for i, when in enumerate(node.guards):
                yield from ((word, ("guards", i, "test")) for word in ("when", when.label) if word is not None)
            yield "body", ("body",)
            yield from in_block(node.body, ("body",))
        case n.Procedure():
            yield from named(node.params, "params")
            yield "body", ("body",)
            yield from in_block(node.body, ("body",))
        case n.Trigger() | n.Instead():
            if node.guard is not None:
                yield "when", ("guard",)
            if isinstance(node, n.Trigger) and node.condition is not None:
                yield "whenever", ("condition",)
            yield "body", ("body",)
            yield from in_block(node.body, ("body",))
        case n.Define() | n.Quota() | n.Remember():
            yield from named(node.params, "params")
            yield from in_body(node.body, ("body",))
        case n.Except():
            if node.target.facet is not None:
                yield node.target.facet, ("body",)
            yield from in_body(node.body, ("body",))
        case n.Add():
            yield from ((word, ("body",)) for word in (node.facet, node.stage) if word is not None)
            yield from in_body(node.body, ("body",))
        case n.Grow():
            yield from named(node.params, "params")
            yield from (("from", ("domain",)), ("test", ("test",)))
        case n.Rule():
            yield from ruled_by(node, ())
        case n.Waive():
            if node.guard is not None:
                yield "when", ("guard",)
        case n.Duty():
            if node.var is not None:
                yield node.var, ("domain",)
            yield "test", ("test",)
            if node.failing is not None:
                yield "failing", ("failing",)
                yield from in_block(node.failing, ("failing",))
        case n.Mark():
            given = {"starts": node.start, "secret": node.secret_to, "until": node.until}
            spots = {"starts": "start", "secret": "secret_to", "until": "until"}
            yield from ((word, (spots[word],)) for word, held in given.items() if held is not None)
        case n.Table() | n.Box():
            yield from named(node.params, "params")
        case n.Book() | n.Use() | n.Case() | n.Note() | n.Covers() | n.House() | n.Under() | n.Overlay():
            return
        case n.Unclear() | n.Untranslated() | n.Kind() | n.Scale() | n.Record() | n.Field() | n.Data():
            return
        case n.Invariant() | n.Example() | n.Amend() | n.AmendPrinted() | n.Strike() | n.Rows() | n.Replace():
            return
        case n.Prefer():
            held = {"when": ("guard", node.guard), "by": ("by", node.by)}
            yield from ((word, (spot,)) for word, (spot, what) in held.items() if what is not None)
        case n.Judge():
            yield "judge", ("value",)
        case n.Preview():
            yield "value", ("value",)
        case n.Rename() | n.MoveCase() | n.Insert() | n.Otherwise():
            return
        case _:
            assert_never(node)


def named(nodes: tuple[Any, ...], where: str, above: Spot = ()) -> Iterator[Part]:
    """Parts that have names of their own."""
    return ((x.name, (*above, where, i)) for i, x in enumerate(nodes))


def ruled(rules: tuple[n.Rule, ...]) -> Iterator[Part]:
    for i, rule in enumerate(rules):
        yield from ruled_by(rule, ("rules", i))


def ruled_by(rule: n.Rule, spot: Spot) -> Iterator[Part]:
    """A rule goes by its label and by its word; `when` are its conditions."""
    yield rule.sort, spot
    if rule.label is not None:
        yield rule.label, spot
    yield from (("when", (*spot, "tests", i, 1)) for i, (_, guard) in enumerate(rule.tests) if guard is not None)


def in_body(body: n.Body, above: Spot) -> Iterator[Part]:
    """The local names and stages of a definition, and the conditions of its clauses."""
    yield from named(body.lets, "lets", above)
    yield from named(body.stages, "stages", above)
    for i, clause in enumerate(body.clauses):
        if clause.guard is not None:
            yield "when", (*above, "clauses", i, "guard")
        elif clause.last:
            yield "otherwise", (*above, "clauses", i, "value")


def in_block(tree: Any, above: Spot) -> Iterator[Part]:
    """Statements that give something a name: phases, local names, rolls and questions."""
    if isinstance(tree, tuple):
        for i, x in enumerate(tree):
            yield from in_block(x, (*above, i))
    elif isinstance(tree, n.Node):
        if isinstance(tree, n.Phase | n.Let | n.Roll | n.Ask):
            yield tree.name, above
        for field in ("body", "branches", "otherwise", "arms", "failing"):
            yield from in_block(getattr(tree, field, None), (*above, field))


def shown(tree: Any) -> str:
    """What stands at a spot, on one line."""
    match tree:
        case tuple():
            return "; ".join(filter(None, map(shown, tree)))
        case n.Facet():
            return one_line(printing.body(tree.name, tree.body))
        case n.Body():
            return "; ".join(one_line(printing.clause(x)) for x in tree.clauses)
        case n.Rule():
            return one_line(printing.rule(tree))
        case n.Param():
            return printing.param(tree)
        case n.Stage():
            return printing.stage(tree)
        case n.Leg():
            return shown(tree.call)
        case n.Until():
            return "" if tree.condition is None else printing.expr(tree.condition)
        case None:
            return ""
        case _:
            return one_line(as_lines(tree))


def as_lines(tree: Any) -> list[str]:
    """A statement, a declaration or an expression as it is printed."""
    if isinstance(tree, n.Stmt):
        return printing.statement(tree)
    return printing.declaration(tree) if isinstance(tree, n.Decl) else [printing.expr(tree)]


def one_line(lines: list[str], most: int = 140) -> str:
    text = " ".join(" ".join(x.split()) for x in lines)
    return text if len(text) <= most else text[: most - 1] + "…"
