"""Print syntax nodes as canonical `.rules` text.

In:  declarations.
Out: text that parses to the same declarations; spans and comments are not kept.

Every grammar level of an expression has a rank; what ranks lower than its place, and
what reaches to the right where something follows, goes into parentheses. Long guards
that are chains of `and` are listed below `when:`; everything else stays on its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import assert_never

from . import nodes as n
from .parse import room_for_chains
from .syntax_hints import openers

WIDTH = 100

CHAIN, EXPR, OR, AND, NOT, CMP, SUM, TERM, FACTOR, POSTFIX, ATOM = range(11)

_RANKS = {"or": OR, "and": AND, "+": SUM, "-": SUM, "*": TERM, "/": TERM}
_LINE_WORDS = frozenset(
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
_ACTING = _LINE_WORDS | openers("act")
"""An exception may also act: what opens a statement cannot open its value."""
_FIRST_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def print_rules(decls: Iterable[n.Decl]) -> str:
    """The declarations as text, blocks set apart by one blank line."""
    with room_for_chains():
        texts = ["\n".join(declaration(decl)) + "\n" for decl in decls]
    parts: list[str] = []
    for i, text in enumerate(texts):
        if i and (text.count("\n") > 1 or texts[i - 1].count("\n") > 1):
            parts.append("\n")
        parts.append(text)
    return "".join(parts)


def print_expression(node: n.Expr) -> str:
    """One expression as text."""
    with room_for_chains():
        return expr(node, CHAIN)


# ---------------------------------------------------------------- expressions


def expr(node: n.Expr, rank: int = EXPR, last: bool = True) -> str:
    """The text of a node at a place that takes `rank` or higher; `last` where nothing follows it."""
    text, own, reaches = ranked(node)
    return f"({text})" if own < rank or (reaches and not last) else text


def leading(node: n.Expr, rank: int = EXPR, taken: frozenset[str] = _LINE_WORDS) -> str:
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


# ---------------------------------------------------------------- conditions


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


# ---------------------------------------------------------------- pieces of declarations


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


def clause(node: n.Clause, taken: frozenset[str] = _LINE_WORDS) -> list[str]:
    value = leading(node.value, taken=taken)
    if node.operation:
        value = f"{node.operation} {value}"
    if node.last:
        return [f"{value} otherwise"]
    return guarded(value, node.guard)


def body(head: str, node: n.Body, taken: frozenset[str] = _LINE_WORDS) -> list[str]:
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


# ---------------------------------------------------------------- statements


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
        case n.Log(text=text):
            return [f'log "{text}"']
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


# ---------------------------------------------------------------- declarations


def declaration(node: n.Decl) -> list[str]:
    match node:
        case n.Book(name=name, on=on, title=text):
            return [f"book {name}{'' if on is None else ' of ' + on}{title(text)}"]
        case n.Use(name=name):
            return [f"use {name}"]
        case n.Case(id=number, title=text, body=decls, sort=sort, already=already):
            first, *rest = nested(f"case {number}{title(text)}", decls)
            state = ", already in text" if already else ""
            return [first, *([f"  nature: {sort}{state}"] if sort else []), *rest]
        case n.Note(text=text):
            return [f'note "{text}"']
        case n.Covers(cases=cases):
            return [f"covers {', '.join(cases)}"]
        case n.House(decl=decl):
            first, *rest = declaration(decl)
            return [f"house {first}", *rest]
        case n.Unclear(name=name, text=text, readings=readings):
            return [f'unclear {name} "{text}":', *(f'  reading {r.name} "{r.text}"' for r in readings)]
        case n.Untranslated(text=text):
            return [f'untranslated "{text}"']
        case n.Under(guard=guard, body=decls):
            return nested(f"under {expr(guard)}", decls)
        case n.Kind(name=name, values=values):
            return [f"kind {name}: {', '.join(values)}"]
        case n.Scale(name=name, values=values):
            return [f"scale {name}: {', '.join(values)}"]
        case n.Record(name=name, members=fields):
            return [f"record {name}:", *(f"  {key}: {type_name(kind)}" for key, kind in fields)]
        case n.Field(names=names, owner=owner, type=kind, default=default):
            start = "" if default is None else f" = {expr(default, SUM)}"
            return [f"field {', '.join(names)} of {owner}: {type_name(kind)}{start}"]
        case n.Box(name=name, params=given, sort=sort, secret_to=to, counted=counted):
            secret = "" if to is None else f" secret to {expr(to, SUM)}{' counted' if counted else ''}"
            return [f"{sort} {name}{params(given)}{secret}"]
        case n.Table(name=name, params=given, type=kind, lines=lines):
            return [f"table {name}{params(given, True)} -> {type_name(kind)}:", *indented(raw(lines))]
        case n.Data(kind=sort, name=name, title=text, lines=lines):
            return [f"{sort} {name}{title(text)}:", *indented(raw(lines))]
        case n.Mark():
            return [mark(node)]
        case n.Remember(name=name, params=given, type=kind, how=how, event=moment, body=inner):
            word = {"at_event": "at"}.get(how, how) + ("" if moment is None else f" {event(moment)}")
            return body(f"remember {name}{params(given)} -> {type_name(kind)} {word}", inner)
        case n.Quota(name=name, params=given, per=per, body=inner):
            return body(f"quota {name}{params(given)} per {', '.join(per)}", inner)
        case n.Grow(name=name, params=given, type=kind, domain=domain, test=test):
            head = f"grow {name}{params(given)} -> {type_name(kind)} from {expr(domain, CHAIN)}"
            return [f"{head}: {expr(test)}"]
        case n.Define(name=name, params=given, type=kind, body=inner, gathered=gathered):
            return body(f"{'gather' if gathered else 'define'} {name}{params(given)} -> {type_name(kind)}", inner)
        case n.Add(name=name, facet=facet, stage=at, body=inner):
            head = f"add to {name}" + ("" if facet is None else f".{facet}")
            return body(head + ("" if at is None else f" in {at}"), inner)
        case n.Except(target=what, body=inner):
            return body(f"except {target(what)}", inner, _ACTING)
        case n.Rule():
            return rule(node)
        case n.Waive(target=what, guard=guard):
            return guarded(f"waive {target(what)}", guard)
        case n.Duty():
            return duty(node)
        case n.Invariant(name=name, test=test):
            line = f"invariant {name}: {expr(test)}"
            return [line] if len(line) <= WIDTH else [f"invariant {name}:", *indented(conditions(test))]
        case n.Route():
            return route(node)
        case n.Matching():
            return matching(node)
        case n.Action(name=name, params=given, by=by, phases=phases, guards=whens, body=inner):
            timing = f"during {', '.join(phases)}" if phases else "anytime"
            head = f"action {name}{params(given, True)} by {expr(by, SUM)} {timing}:"
            first_lines = [line for guard in whens for line in guarded("", guard)]
            return [
                head,
                *indented(first_lines),
                *indented(line for stmt in inner for line in statement(stmt)),
            ]
        case n.Procedure(name=name, params=given, body=inner, sequence=sequence):
            return block(f"{'sequence' if sequence else 'procedure'} {name}{params(given)}", inner)
        case n.Trigger(event=None, condition=condition, body=inner):
            assert condition is not None
            return block(f"whenever {expr(condition)}", inner)
        case n.Trigger(event=moment, after=after, guard=guard, body=inner):
            assert moment is not None
            later = "" if after is None else f" after {after}"
            return block(f"on {event(moment)}{later}{when(guard)}", inner)
        case n.Instead(target=what, guard=guard, body=inner):
            return block(f"except {target(what)}{when(guard)}", inner)
        case n.Overlay(sort=sort, name=name, of=of, title=text, heads=heads, body=decls):
            first, *rest = nested(f"{sort} {name} of {of}{title(text)}", decls)
            return [first, *(f"  {head.text}".rstrip() for head in heads), *rest]
        case n.Amend(target=what, old=old, new=new, times=times):
            often = "" if times == 1 else f", {times} times"
            return [f"amend {target(what)}{often}: {expr(old, SUM)} becomes {expr(new, SUM)}"]
        case n.AmendPrinted(thing=thing, unit=unit, field=field, old=old, new=new, scenario=where):
            named = f'"{thing}"' if unit else f"@{thing}"
            there = "" if where is None else f" in {where}"
            return [f"amend {named}.{field}{there}: {expr(old, SUM)} becomes {expr(new, SUM)}"]
        case n.Strike(target=what, example=text, dropping=fallen):
            return [f"strike {target(what)}" + ("" if text is None else f' "{text}"') + listing("dropping", fallen)]
        case n.Rows(act=act, what=part, target=what, lines=raw_lines):
            return [f"{act} {part} {target(what)}:", *indented(raw(raw_lines))]
        case n.Replace(target=what, decl=inner_decl, keeping=kept, dropping=fallen):
            fates = listing("keeping", kept) + listing("dropping", fallen)
            return nested(f"replace {target(what)}{fates}", (inner_decl,))
        case n.Rename(target=what, new=name):
            return [f"rename {target(what)} to {name}"]
        case n.MoveCase(old=before_, new=after_):
            return [f"move {before_} to {after_}"]
        case n.Insert(where="strike", phase=phase):
            return [f"strike phase {phase}"]
        case n.Insert(where="replace", phase=phase, body=inner):
            return block(f"replace phase {phase}", inner)
        case n.Insert(where=where, phase=phase, body=inner):
            return block(f"insert {where} {phase}", inner)
        case n.Example(title=text, lines=ex_lines):
            return [f'example "{text}":', *(f"  {example_line(line)}" for line in ex_lines)]
        case _:
            assert_never(node)


def listing(word: str, cases: tuple[str, ...]) -> str:
    return f" {word} {', '.join(cases)}" if cases else ""


def nested(head: str, decls: tuple[n.Decl, ...]) -> list[str]:
    return [f"{head}:", *indented(line for decl in decls for line in declaration(decl))]


def mark(node: n.Mark) -> str:
    text = f"mark {node.name} of {node.owner}"
    if node.type is not None:
        text += f": {type_name(node.type)}"
    if node.start is not None:
        text += f" = {expr(node.start, SUM)}"
    if node.secret_to is not None:
        text += f" secret to {expr(node.secret_to, SUM)}"
    match node.until:
        case None:
            return text
        case n.Until(sort="cond", condition=condition):
            assert condition is not None
            return f"{text} until {leading(condition)}"
        case n.Until(sort=sort, phase=phase):
            return f"{text} until {sort.replace('_', ' of ') if '_' in sort else sort + ' of'} {phase}"


def rule(node: n.Rule) -> list[str]:
    head = node.sort + ("" if node.target is None else f" {node.target}")
    head += "" if node.label is None else f" as {node.label}"
    if node.sort != "require":
        return guarded(head, node.tests[0][1])
    lines = [line for test, guard in node.tests if test is not None for line in guarded(leading(test), guard)]
    if len(lines) == 1 and len(head) + len(lines[0]) < WIDTH:
        return [f"{head}: {lines[0]}"]
    return [f"{head}:", *indented(lines)]


def duty(node: n.Duty) -> list[str]:
    over = "" if node.domain is None else f" for {node.var} in {expr(node.domain, CHAIN)}"
    text = leading(node.test)
    lines = [text] if len(text) <= WIDTH else conditions(node.test)
    if node.failing is not None:
        lines += block("failing", node.failing)
    return [f"duty {node.name}{over} during {', '.join(node.phases)}:", *indented(lines)]


def route(node: n.Route) -> list[str]:
    like = "" if node.like is None else f" like {node.like}"
    lines = [line for facet in node.facets for line in body(facet.name, facet.body)]
    if node.legs:
        lines.append("legs: " + " then ".join(leg(part) for part in node.legs))
    lines += [line for r in node.rules for line in rule(r)]
    return [f"route {node.name}{params(node.params, True)}{like}:", *indented(lines)]


def leg(node: n.Leg) -> str:
    return expr(node.call, ATOM) if node.sort == "one" else f"{node.sort} {expr(node.call, ATOM)}"


def matching(node: n.Matching) -> list[str]:
    lines = [
        f"each {node.item} in {expr(node.items, CHAIN)}",
        f"to {'groups ' if node.groups else ''}{node.target} in {expr(node.targets, CHAIN)}",
        *(line for r in node.rules for line in rule(r)),
    ]
    for word, guard in (("idle", node.idle), ("empty", node.empty)):
        if isinstance(guard, n.Literal) and guard.value is True:
            lines.append(word)
        elif guard is not None:
            lines += guarded(word, guard)
    if node.more_helps:
        lines.append("more helps")
    return [f"matching {node.name}{params(node.params, True)}:", *indented(lines)]


def example_line(node: n.ExampleLine) -> str:
    values, words = node.values, node.words
    match node.sort:
        case "given_at":
            pairs = zip(values[::2], values[1::2], strict=True)
            return "given " + ", ".join(f"{leading(a, SUM)} at {expr(b, SUM)}" for a, b in pairs)
        case "given_is":
            return f"given {leading(values[0], SUM)} = {expr(values[1], SUM)}"
        case "given_during":
            return f"given during {words[0]}"
        case "given_scenario":
            return f"given scenario {words[0]}"
        case "dice":
            return "dice " + ", ".join(expr(v, SUM) for v in values)
        case "draws":
            return "draws " + ", ".join(expr(v, SUM) for v in values)
        case "run":
            return f"run {expr(values[0], ATOM)}"
        case "expect":
            return f"expect {leading(values[0])}"
        case "expect_asked":
            return f"expect asked {expr(values[0], SUM)}" + (f" for {words[0]}" if words else "")
        case "expect_quiet":
            return "expect nothing asked"
        case "expect_conflict":
            return f"expect conflict {expr(values[0])}"
        case "play" | "legal" | "refused":
            by = f" by {', '.join(words)}" if words else ""
            return f"{node.sort} {expr(values[0], SUM)}: {expr(values[1], ATOM)}{by}"
    raise ValueError(f"no form for the example line {node.sort!r}")
