"""Print declarations.

In:  declarations.
Out: text that parses to the same declarations, and the lines of one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from .. import nodes as n
from ..parse import room_for_chains
from ..syntax_hints import openers
from .expressions import ATOM, CHAIN, LINE_WORDS, SUM, expr, leading
from .statements import (
    WIDTH,
    block,
    body,
    conditions,
    event,
    guarded,
    indented,
    params,
    raw,
    statement,
    target,
    title,
    type_name,
    when,
)

ACTING = LINE_WORDS | openers("act")
"""An exception may also act: what opens a statement cannot open its value."""


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


def declaration(node: n.Decl) -> list[str]:
    match node:
        case n.Book(name=name, on=on, without=without, title=text, date=date):
            dated = f" dated{title(date)}" if date else ""
            below = "" if on is None else f" of {on}" + ("" if without is None else f" without {without}")
            return [f"book {name}{below}{title(text)}{dated}"]
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
        case n.Define(name=name, body=inner, between=(least, most)):
            value = expr(inner.clauses[0].value, SUM)
            return [f"weight {name} = {value} in {expr(least, SUM)} .. {expr(most, SUM)}"]
        case n.Define(name=name, params=given, type=kind, body=inner, gathered=gathered):
            return body(f"{'gather' if gathered else 'define'} {name}{params(given)} -> {type_name(kind)}", inner)
        case n.Add(name=name, facet=facet, stage=at, body=inner):
            head = f"add to {name}" + ("" if facet is None else f".{facet}")
            return body(head + ("" if at is None else f" in {at}"), inner)
        case n.Except(target=what, body=inner):
            return body(f"except {target(what)}", inner, ACTING)
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
            first_lines = [line for each in whens for line in when_line(each)]
            return [
                head,
                *indented(first_lines),
                *indented(line for stmt in inner for line in statement(stmt)),
            ]
        case n.Preview(action=action, name=name, value=value):
            return [f"preview {action} as {name}: {expr(value, SUM)}"]
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
        case n.Overlay(sort=sort, name=name, of=of, title=text, heads=heads, body=decls, sides=sides):
            first, *rest = nested(f"{sort} {name} of {of}{title(text)}{listing('for', sides)}", decls)
            return [first, *(f"  {head.text}".rstrip() for head in heads), *rest]
        case n.Prefer(sort=sort, target=name, case=where, each=each, guard=guard, by=worth):
            there = "" if where is None else f" in {where}"
            orders = "".join(f" each {value} by {expr(order, SUM)}" for value, order in each)
            ranked = "" if worth is None else f" by {expr(worth, SUM)}"
            return [f"{sort} {name}{there}{orders}{when(guard)}{ranked}"]
        case n.Otherwise(word=word):
            return [f"otherwise {word}"]
        case n.Judge(value=value):
            return [f"judge {expr(value, SUM)}"]
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


def when_line(node: n.When) -> list[str]:
    if node.label is None:
        return guarded("", node.test)
    head, text = f"when as {node.label}:", leading(node.test)
    return [f"{head} {text}"] if len(head) + len(text) < WIDTH else [head, *indented(conditions(node.test))]


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
        case "given_map":
            return f"given map {words[0]}"
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
