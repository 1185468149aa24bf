"""Kinds, fields, scales, records and boxes as sentences: the parts of a game that rules speak about.

In:  declarations as syntax, and the phrases of the book.
Out: a sentence each; None for a declaration of another sort.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import nodes as n

from ..words.english import Noun, a, listed, plural, sentence, words
from ..words.expressions import Words
from ..words.phrases import of_flag
from ..words.said import Said
from ..words.scope import PRIMITIVE
from ..words.values import box as box_name


def component(w: Words, node: n.Decl) -> Said | None:
    match node:
        case n.Kind():
            values = [value_of(w, node.name, value) for value in node.values]
            return Said(sentence(f"{plural(words(node.name))}: {listed(values)}"))
        case n.Scale():
            steps = [value_of(w, node.name, value) for value in node.values]
            return Said(
                sentence(f"the scale “{words(node.name)}” runs from {steps[0]} to {steps[-1]}: {', '.join(steps)}")
            )
        case n.Record():
            members = [member(w, node.name, name) for name, _ in node.members]
            return Said(sentence(f"{a(words(node.name))} has {listed(members)}"))
        case n.Field():
            return fields(w, [node])
        case n.Box():
            return Said(sentence(box(w, node)))
        case _:
            return None


FIELDS = {
    "unit": "the counter of each unit tells",
    "hex": "the map tells of each hex",
    "hexside": "the map tells of each side",
}


def fields(w: Words, nodes: Sequence[n.Field]) -> Said:
    """The fields of one owner in one sentence."""
    owner = words(PRIMITIVE.get(nodes[0].owner, nodes[0].owner))
    told = [field(w, node, name) for node in nodes for name in node.names]
    return Said(sentence(f"{FIELDS.get(owner, f'each {owner} has')} {listed(told)}"))


def field(w: Words, node: n.Field, name: str) -> str:
    """What is printed: a value by its name, a flag as what may hold."""
    own = w.phrase(f"{'place' if node.owner == 'hex' else node.owner}.{name}", f"{node.owner}.{name}")
    if node.type.name == "flag":
        phrase = own if own is not None and own.slots else of_flag(name, ["it"])
        return f"whether {phrase.clause({phrase.slots[0]: Noun('it')}, True)}"
    return f"its {own.text if own is not None and not own.slots else words(name)}"


def value_of(w: Words, kind: str, value: str) -> str:
    own = w.phrase(f"{kind}.{value}")
    if own is None and kind == "side":
        return words(value).title()
    return own.text if own is not None else words(value)


def member(w: Words, owner: str, name: str) -> str:
    own = w.phrase(f"{owner}.{name}")
    return own.text if own is not None and not own.slots else words(name)


def box(w: Words, node: n.Box) -> str:
    """A place off the map, and what is special about it."""
    known = w.book.boxes.get(node.name)
    places = known.named(node.name) if known is not None else (node.name,)
    named = listed([box_name(w.book, place, w.phrases) for place in places])
    special = {
        "cup": "; counters are drawn from it unseen",
        "pool": "; counters are made from it as they are needed",
    }.get(node.sort, "")
    hidden = "; what lies there is secret" if node.secret_to is not None else ""
    return f"off the map: {named}{special}{hidden}"
