"""Print statements, and the pieces that statements and declarations share.

In:  statements, conditions, parameters, clauses.
Out: their lines. Long guards that are chains of `and` are listed below `when:`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from .. import nodes as n
from ..builder.braces import in_braces
from .expressions import ATOM, CHAIN, LINE_WORDS, POSTFIX, SUM, expr, leading

WIDTH = 100


def spine(node: n.Expr, op: str) -> list[n.Expr]:
    """The links of a chain: `a and b and c` as [a, b, c]."""
    links: list[n.Expr] = []
    while isinstance(node, n.Binary) and node.op == op:
        links.append(node.right)
        node = node.left
    return [node, *reversed(links)]


def conditions(node: n.Expr) -> list[str]:
    """The lines of a condition, one link of `and` a line."""
    return [leading(link) for link in spine(node, "and")]


def tail(head: str, word: str, node: n.Expr) -> list[str]:
    """`head when CONDITION`, or the links of a long condition listed below `head when:`."""
    line = f"{head} {word} {expr(node)}".strip()
    if len(line) <= WIDTH or not (isinstance(node, n.Binary) and node.op == "and"):
        return [line]
    return [f"{head} {word}:".strip(), *indented(conditions(node))]


def guarded(head: str, node: n.Expr | None) -> list[str]:
    return [head] if node is None else tail(head, "when", node)


def when(node: n.Expr | None) -> str:
    return "" if node is None else f" when {expr(node)}"


def indented(lines: Iterable[str]) -> Iterator[str]:
    return ("  " + line for line in lines)


def type_name(node: n.TypeName) -> str:
    wrapped = "".join(f"{wrap} of " for wrap in node.wrap) + node.name
    return wrapped if node.absent is None else f"{wrapped} or {node.absent}"


def params(nodes: tuple[n.Param, ...], always: bool = False) -> str:
    if not nodes and not always:
        return ""
    return "(" + ", ".join(param(p) for p in nodes) + ")"


def param(node: n.Param) -> str:
    domain = "" if node.domain is None else f" from {expr(node.domain, CHAIN)}"
    return f"{node.name}: {type_name(node.type)}{domain}"


def title(text: str) -> str:
    return f' "{text}"' if text else ""


def target(node: n.Target) -> str:
    facet = "" if node.facet is None else f".{node.facet}"
    return ", ".join(node.cases) + (f" {node.name}{facet}" if node.name is not None else "")


def event(node: n.Event) -> str:
    match node.sort:
        case "start" | "end":
            return f"{node.sort} of {node.name}"
        case "change":
            return f"change of {node.name}({', '.join(node.params)})"
        case "before":
            return f"before {node.name}({', '.join(node.params)})"
    return f"{node.name}({', '.join(node.params)})"


def clause(node: n.Clause, taken: frozenset[str] = LINE_WORDS) -> list[str]:
    value = leading(node.value, taken=taken)
    if node.operation:
        value = f"{node.operation} {value}"
    if node.last:
        return [f"{value} otherwise"]
    return guarded(value, node.guard)


def body(head: str, node: n.Body, taken: frozenset[str] = LINE_WORDS) -> list[str]:
    """A head and its clauses: one alone stays on the line of the head where it fits."""
    lines = [line for c in node.clauses for line in clause(c, taken)]
    if len(lines) == 1 and not node.lets and not node.stages:
        line = f"{head}: {lines[0]}"
        if len(line) <= WIDTH:
            return [line]
    found = [f"{head}:", *indented(line for let in node.lets for line in statement(let)), *indented(lines)]
    if node.stages:
        found.append("  stages: " + ", ".join(stage(s) for s in node.stages))
    return found


def stage(node: n.Stage) -> str:
    return " ".join([node.name, *map(stage_rule, node.rules)])


def stage_rule(node: n.StageRule) -> str:
    match node.sort:
        case "round":
            return f"round {node.value}"
        case "once":
            return "once"
    assert node.value is not None and not isinstance(node.value, str)
    return f"at {node.sort} {expr(node.value, SUM)}"


def raw(lines: Iterable[n.RawLine]) -> Iterator[str]:
    for line in lines:
        yield line.text
        yield from indented(raw(line.below))


def block(head: str, statements: tuple[n.Stmt, ...]) -> list[str]:
    """A head and its statements: one short simple one stays on the line of the head."""
    lines = [line for stmt in statements for line in statement(stmt)]
    if len(lines) == 1 and isinstance(statements[0], _SIMPLE):
        line = f"{head}: {lines[0]}"
        if len(line) <= WIDTH:
            return [line]
    return [f"{head}:", *indented(lines)]


_SIMPLE = (
    n.Let
    | n.SetMark
    | n.Put
    | n.Make
    | n.Walk
    | n.Roll
    | n.Draw
    | n.Do
    | n.Spend
    | n.Simple
    | n.PhaseChange
    | n.Offer
    | n.Ask
    | n.Log
)


def statement(node: n.Stmt) -> list[str]:
    match node:
        case n.Let(name=name, value=value):
            return [f"let {name} = {expr(value, CHAIN)}"]
        case n.SetMark(what=what, value=value, clear=clear):
            if clear:
                return [f"clear {expr(what, POSTFIX)}"]
            return [f"set {expr(what, POSTFIX)}" + ("" if value is None else f" = {expr(value, CHAIN)}")]
        case n.Put(what=what, place=place):
            return [f"put {expr(what, SUM)} in {expr(place, SUM)}"]
        case n.Make(name=name, pool=pool, place=place, bears=bears, failing=failing):
            marks = (b.mark + ("" if b.value is None else f" = {expr(b.value, SUM)}") for b in bears)
            borne = " with " + ", ".join(marks) if bears else ""
            head = f"make {name} from {expr(pool, SUM)} in {expr(place, SUM)}{borne}"
            return [head] if failing is None else [head, *block("failing", failing)]
        case n.Walk(what=what, path=path):
            return [f"walk {expr(what, SUM)} along {expr(path, SUM)}"]
        case n.Roll(name=name, dice=dice):
            return [f"roll {name} = {expr(dice, SUM)}"]
        case n.Draw(name=name, source=source, secretly_for=side):
            secret = "" if side is None else f" secretly for {expr(side, SUM)}"
            return [f"draw {name} from {expr(source, SUM)}{secret}"]
        case n.Do(call=call):
            return [f"do {expr(call, ATOM)}"]
        case n.Spend(amount=amount, quota=quota):
            spent = "" if amount is None else f"{expr(amount, SUM)} of "
            return [f"spend {spent}{expr(quota, SUM)}"]
        case n.Simple(sort=sort, value=value):
            return [f"{sort} {expr(value, SUM)}"]
        case n.PhaseChange(sort=sort, phase=phase, guard=guard):
            return [f"{'skip next' if sort == 'skip' else sort} {phase}{when(guard)}"]
        case n.Offer(side=side, sort=sort, actions=actions):
            listed = ", ".join(f"{a.action}{when(a.guard)}" for a in actions)
            return [f"offer {expr(side, SUM)}{' ' + sort if sort else ''}: {listed}"]
        case n.Ask():
            return ask(node)
        case n.If(branches=branches, otherwise=otherwise):
            lines = []
            for i, (test, then) in enumerate(branches):
                lines += block(f"{'else if' if i else 'if'} {expr(test)}", then)
            return lines + (block("else", otherwise) if otherwise else [])
        case n.ForEach(var=var, source=source, body=inner):
            return block(f"for each {var} in {expr(source, CHAIN)}", inner)
        case n.Repeat(most=most, condition=condition, body=inner):
            limit = "" if condition is None else f" while {expr(condition)}"
            return block(f"repeat at most {expr(most, SUM)}{limit}", inner)
        case n.Match(value=value, arms=arms, otherwise=rest):
            lines = []
            for values, then in arms:
                lines += block("is " + ", ".join(expr(v, SUM) for v in values), then)
            if rest is not None:
                lines += block("otherwise", rest)
            return [f"match {expr(value, SUM)}:", *indented(lines)]
        case n.Together(body=inner):
            return block("together", inner)
        case n.Phase(name=name, var=var, source=source, guard=guard, body=inner):
            over = "" if source is None else f" for {var} in {expr(source, CHAIN)}"
            return block(f"phase {name}{over}{when(guard)}", inner)
        case n.Log(pieces=pieces):
            told = (in_braces(x) if isinstance(x, str) else f"{{{expr(x, CHAIN)}}}" for x in pieces)
            return [f'log "{"".join(told)}"']
        case _:
            assert_never(node)


def ask(node: n.Ask) -> list[str]:
    head = f"ask {expr(node.side, SUM)}{' secretly' if node.secret else ''}"
    if node.source is None:
        lines = [f"{head} whether {node.name}"]
    else:
        source = expr(node.source, CHAIN)
        if node.sort == "shares":
            assert node.number is not None
            head += f" for shares {node.name} of {expr(node.number, SUM)} among {source}"
        else:
            head += f" for {node.sort} {node.name} from {source}"
            if node.number is not None:
                head += f", {node.limit.replace('_', ' ')} {expr(node.number, SUM)}"
        lines = [head] if node.so_that is None else tail(head, "so that", node.so_that)
    return lines if node.failing is None else [*lines, *block("failing", node.failing)]
