"""Print expressions.

In:  an expression of the syntax.
Out: its text.

Every grammar level of an expression has a rank; what ranks lower than its place, and what reaches to the right where
something follows, goes into parentheses.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import assert_never

from .. import nodes as n
from ..parse import room_for_chains

CHAIN, EXPR, OR, AND, NOT, CMP, SUM, TERM, FACTOR, POSTFIX, ATOM = range(11)


_RANKS = {"or": OR, "and": AND, "+": SUM, "-": SUM, "*": TERM, "/": TERM}


LINE_WORDS = frozenset(
    [
        "times",
        "plus",
        "let",
        "stages",
        "nature",
        "failing",
        "asked",
        "nothing",
        "conflict",
        "during",
        "start",
        "end",
        "next",
    ]
)


_FIRST_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def print_expression(node: n.Expr) -> str:
    """One expression as text."""
    with room_for_chains():
        return expr(node, CHAIN)


def expr(node: n.Expr, rank: int = EXPR, last: bool = True) -> str:
    """The text of a node at a place that takes `rank` or higher; `last` where nothing follows it."""
    text, own, reaches = ranked(node)
    return f"({text})" if own < rank or (reaches and not last) else text


def leading(node: n.Expr, rank: int = EXPR, taken: frozenset[str] = LINE_WORDS) -> str:
    """The text of an expression at a place where some plain words have a meaning of their own."""
    text = expr(node, rank)
    word = _FIRST_WORD.match(text)
    return f"({text})" if word and word.group() in taken else text


def ranked(node: n.Expr) -> tuple[str, int, bool]:
    """Text, rank, and whether the node would take in what follows it."""
    match node:
        case n.Literal():
            return literal(node), ATOM, False
        case n.Name(id=name):
            return name, ATOM, False
        case n.Call(name=name, arguments=arguments):
            return f"{name}({', '.join(map(argument, arguments))})", ATOM, False
        case n.Dot(base=base, name=name):
            return f"{expr(base, POSTFIX)}.{name}", POSTFIX, False
        case n.Binary():
            return binary(node)
        case n.Unary(op="not", value=n.Binary(op="in") as test):
            return f"{expr(test.left, SUM)} not in {reach(test.right)}", CMP, False
        case n.Unary(op="not", value=n.IsTrait(value=value, trait=trait)):
            return f"{expr(value, SUM)} is not {trait}", CMP, False
        case n.Unary(op="not", value=value):
            text, own, reaches = ranked(value)
            return (f"not {text}", NOT, reaches) if own >= NOT else (f"not ({text})", NOT, False)
        case n.Unary(op="-", value=value):
            return f"-{expr(value, FACTOR)}", FACTOR, False
        case n.Unary(op=op, value=value):
            return f"{op} {expr(value, ATOM)}", CMP, False
        case n.IsTrait(value=value, trait=trait):
            return f"{expr(value, SUM)} is {trait}", CMP, False
        case n.Within(value=value, reach=far, of=of):
            return f"{expr(value, SUM)} within {expr(far, SUM)} of {expr(of, SUM)}", CMP, False
        case n.Filter(base=base, var=var, test=test):
            return filtered(base, var, test), NOT, True
        case n.Quantified():
            return quantified(node)
        case n.Fold(sort="lowest" | "highest", base=n.Collection(sort="set", items=(_, _, *_) as items)) if itself(
            node
        ):
            return f"{node.sort}({', '.join(expr(item) for item in items)})", ATOM, False
        case n.Fold(sort=sort, base=base, value=value):
            return f"{sort}({expr(value, last=False)} over {members(base)})", ATOM, False
        case n.Collection(sort=sort, items=items):
            return collection(sort, items)
        case n.Preference(tiers=tiers):
            *first, final = tiers
            texts = [expr(tier, last=False) for tier in first]
            return " else ".join([*texts, expr(final)]), CHAIN, True
        case n.Supposing(changes=changes, value=value):
            listed = ", ".join(
                f"{expr(c.what, SUM)} {'at' if c.sort == 'at' else '='} {expr(c.value, SUM)}" for c in changes
            )
            return f"supposing {listed}: {expr(value)}", NOT, True
        case _:
            assert_never(node)


def itself(node: n.Fold) -> bool:
    """Whether a fold asks for the members themselves, as `lowest(a, b)` does."""
    return node.var == "it" and isinstance(node.value, n.Name) and node.value.id == "it"


def literal(node: n.Literal) -> str:
    value = node.value
    match node.sort, value:
        case "flag", _:
            return "true" if value else "false"
        case "ratio", Fraction():
            return f"{value.numerator}:{value.denominator}"
        case "dice", (count, sides):
            return f"{count}d{sides}"
        case "text", _:
            return f'"{value}"'
        case "hex", _:
            return f"@{value}"
        case "below", _:
            return f"below {value}"
    return str(value)


def argument(node: n.Argument) -> str:
    value = expr(node.value, CHAIN)
    return value if node.name is None else f"{node.name}: {value}"


def binary(node: n.Binary) -> tuple[str, int, bool]:
    rank = _RANKS.get(node.op, CMP)
    if rank == CMP:
        right = reach(node.right) if node.op == "in" else expr(node.right, SUM)
        return f"{expr(node.left, SUM)} {node.op} {right}", CMP, False
    text, own, reaches = ranked(node.right)
    if own <= rank:
        text, reaches = f"({text})", False
    return f"{expr(node.left, rank, last=False)} {node.op} {text}", rank, reaches


def reach(node: n.Expr) -> str:
    """What stands right of `in`: a collection, or a plain range."""
    if isinstance(node, n.Collection) and node.sort == "range":
        return f"{expr(node.items[0], SUM)} .. {expr(node.items[1], SUM)}"
    return expr(node, SUM)


def filtered(base: n.Expr, var: str, test: n.Expr) -> str:
    named = "" if var == "it" else f" as {var}"
    return f"{expr(base, SUM)}{named} where {expr(test)}"


def members(base: n.Expr) -> str:
    """A set at a place that takes a filter without parentheses."""
    return filtered(base.base, base.var, base.test) if isinstance(base, n.Filter) else expr(base, SUM)


def quantified(node: n.Quantified) -> tuple[str, int, bool]:
    if node.sort == "every":
        assert node.test is not None
        known = node.base.var if isinstance(node.base, n.Filter) else "it"
        head = members(node.base) if known == node.var else f"{expr(node.base, SUM)} as {node.var}"
        return f"every {head} has {expr(node.test)}", NOT, True
    inner = expr(node.base, SUM) if node.test is None else filtered(node.base, node.var, node.test)
    if node.sort == "count":
        return f"count({inner})", ATOM, False
    return f"{node.sort} {inner}", NOT, node.test is not None


def collection(sort: str, items: tuple[n.Expr, ...]) -> tuple[str, int, bool]:
    if sort in ("span", "range"):
        first, last = (expr(item, SUM) for item in items)
        return (f"{{{first} .. {last}}}", ATOM, False) if sort == "span" else (f"{first} .. {last}", CMP, False)
    if sort in ("plan", "shares"):
        between = " to " if sort == "plan" else ": "
        pairs = zip(items[::2], items[1::2], strict=True)
        return "{" + ", ".join(f"{expr(a, CHAIN)}{between}{expr(b, CHAIN)}" for a, b in pairs) + "}", ATOM, False
    listed = ", ".join(expr(item, CHAIN) for item in items)
    return f"{{{listed}}}" if sort == "set" else f"[{listed}]", ATOM, False
