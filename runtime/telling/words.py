"""Values, choices, questions and refusals in words.

In:  a compiled book, and what is to be said.
Out: text for a reader: `Minsk (M18)`, `Axis: move 47 Panzer along P17, Q17, Q18`, `Where does 5 Rumanian retreat?`.

The texts come from the book (`Program.said`); a slot `{name:type}` is filled with a value of that type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..notation import label, spoken
from ..problems import NONSENSE, Ground
from ..program import Column, Program, printed_id
from ..text import WORDS

SLOT = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(?::([^{}]*))?\}")
KEPT = "…"
"""What stands for a value that somebody may not know."""


def text(program: Program, key: str) -> str | None:
    """What the book says for a key, in the language that is spoken or else in English."""
    for language in (program.language, "en"):
        found = program.said.get(language, {}).get(key)
        if found is not None:
            return found
    return None


def plain(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ").strip()


def capital(said: str) -> str:
    return said[:1].upper() + said[1:]


def listed(items: list[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else "".join(items)


# ---------------------------------------------------------------- values


def say(program: Program, type: str, value: Any) -> str:
    """A value in words."""
    head, _, rest = type.partition(":")
    match head:
        case "hidden":
            return KEPT
        case _ if value is None:
            return {"place": "nowhere", "kind": "nobody" if rest == "side" else "nothing"}.get(head, "nothing")
        case "place":
            return place(program, value)
        case "kind":
            return text(program, f"{rest}.{value}") or (capital(plain(value)) if rest == "side" else plain(value))
        case "scale":
            step = label(program, type, value)
            return text(program, f"{rest}.{step}") or step
        case "path":
            return ", ".join(place(program, p) for p in value)
        case "set" | "list":
            return listed([say(program, rest, v) for v in value]) or ("none" if rest == "unit" else "nothing")
        case "record":
            parts = zip(program.records[rest], value, strict=True)
            told = ((name, of, v) for (name, of), v in parts if v not in (None, ()))
            return "; ".join(f"{plain(name)} {say(program, of, v)}" for name, of, v in told)
        case "shares":
            return listed([f"{spoken(n)} to {say(program, rest, m)}" for m, n in value]) or "nothing"
        case "plan":
            item, _, target = rest.partition("|")
            pairs = ((say(program, f"set:{item}", a), say(program, f"set:{target}", b)) for b, a in value)
            return "; ".join(f"{a} to {b}" for a, b in pairs) or "nothing"
        case "phase":
            return text(program, value) or plain(value)
        case "number":
            return spoken(value)
        case _:
            return label(program, type, value)


def heading(program: Program, type: str, value: Any) -> str:
    """A value that stands before a line or over it: without its article, with a capital letter."""
    return capital(say(program, type, value).removeprefix("the "))


def place(program: Program, value: int) -> str:
    """A hex by its name and id; a box as the book calls it."""
    own = printed_id(program.board.places[value])
    if value < program.board.hexes:
        name = program.place_names.get(value)
        return f"{plain(name)} ({own})" if name is not None and name != own else own
    box, _, key = own.partition("(")
    given = text(program, box)
    of = key.removesuffix(")")
    whose = say(program, f"kind:{keyed_by(program, box)}", of)
    if given is not None:
        return given.replace("{it.own}", f"{whose}'s").replace("{it}", whose)
    return f"the {plain(box)}" + (f" of {whose}" if whose else "")


def keyed_by(program: Program, box: str) -> str:
    """The kind by whose words a box is told apart."""
    keys = set(program.board.boxes.get(box, ()))
    if keys <= set(program.sides):
        return "side"
    return next((kind for kind, words in program.kinds.items() if set(words) == keys), "")


def fill(program: Program, said: str, given: Mapping[str, Any], hide: tuple[str, ...] = ()) -> str:
    """A text with its slots filled; what is not known, or not to be known, is left open."""

    def put(m: re.Match[str]) -> str:
        if m[1] not in given or m[1] in hide:
            return KEPT
        try:
            return say(program, m[2] or "", given[m[1]])
        except NONSENSE:
            return KEPT

    return SLOT.sub(put, said)


def phase_words(program: Program, name: str) -> str:
    """A phase as players call it."""
    return (text(program, name) or plain(name)).removeprefix("the ")


# ---------------------------------------------------------------- choices and questions


def say_action(program: Program, name: str, given: Mapping[str, Any], hide: tuple[str, ...] = ()) -> str:
    """What a side does."""
    said = text(program, f"action {name}")
    if said is not None:
        return fill(program, said, given, hide)
    types = {p.name: p.type for p in program.actions[name].params}
    told = (KEPT if k in hide else say(program, types.get(k, ""), v) for k, v in given.items())
    return f"{plain(name)} {', '.join(told)}".rstrip()


def say_word(name: str) -> str:
    """`done` and `take_back`."""
    assert name in WORDS
    return "done" if name == "done" else "takes the last one back"


def question(program: Program, ref: int, given: Mapping[str, Any], hide: tuple[str, ...] = ()) -> str:
    """What a side is asked."""
    said = text(program, f"ask {ref}")
    return capital(fill(program, said, given, hide) if said is not None else f"{plain(program.asks[ref].name)}?")


def slots_of(program: Program, ref: int) -> dict[str, str]:
    """The names that a question holds, with their types."""
    return {m[1]: m[2] or "" for m in SLOT.finditer(text(program, f"ask {ref}") or "")}


# ---------------------------------------------------------------- refusals


def say_ground(program: Program, ground: Ground, given: Mapping[str, Any]) -> str:
    """Why something is refused, in words; the label where the book has none."""
    if ground.quota is not None:
        return say_short(program, *ground.quota)
    said = text(program, f"{ground.case} {ground.where}") if ground.where else None
    if said is None:
        return text(program, ground.label) or ground.label
    there = {"there": ground.trail} if isinstance(ground.trail, int) and not isinstance(ground.trail, bool) else {}
    filled = fill(program, said, {**given, **there})
    return ground.label if KEPT in filled else filled


def say_short(program: Program, name: str, asked: tuple[Any, ...], nothing: bool) -> str:
    """What a quota lacks, and when it is counted anew."""
    said = fill(program, text(program, f"quota {name}") or plain(name), {f"k{i}": x for i, x in enumerate(asked)})
    phases = [phase_words(program, p) for p in program.quotas[name].per if p != "game"]
    anew = f"it is counted anew when the next {' or '.join(phases)} begins" if phases else "it is not renewed"
    return f"{'nothing' if nothing else 'not enough'} is left of {said}; {anew}"


# ---------------------------------------------------------------- marks


def mark_of(program: Program, column: Column) -> tuple[str, str]:
    """What bears a mark (unit, place, hexside, game or a kind) and what the mark is called."""
    sort, _, name = column.name.partition("_")
    if column.sort == "key":  # the name of a kind may hold an underscore
        sort = max((k for k in program.kinds if column.name.startswith(f"{k}_")), key=len, default=sort)
        name = column.name[len(sort) + 1 :]
    return sort, name


def say_owner(program: Program, column: Column, owner: Any) -> str:
    """Who or what bears a mark."""
    sort, _ = mark_of(program, column)
    return say(program, f"kind:{sort}" if column.sort == "key" else sort, owner)


PLURALS = {"is": "are", "has": "have", "was": "were", "does": "do"}


def say_mark(program: Program, column: Column, of: list[str], value: Any) -> str:
    """What a mark says of its owners now; the game has none."""
    sort, name = mark_of(program, column)
    owner = listed(of)
    given = text(program, name if sort == "game" else f"{sort}.{name}")
    shown = say(program, column.type, value)
    if given is None:
        own = f"{owner}: " if owner else ""
        return f"{own}{plain(name)}" + ("" if shown == "yes" else f" {shown}")
    if column.type == "flag":
        head = given if "{it" in given or not owner else f"{{it}} {given}"
        return flag_now(head, len(of) > 1, bool(value)).replace("{it.own}", f"{owner}'s").replace("{it}", owner)
    said = given.replace("{it.own}", f"{owner}'s").replace("{it}", owner)
    return f"{said if '{it' in given or not owner else f'{said} of {owner}'}: {shown}"


def flag_now(clause: str, many: bool, holds: bool) -> str:
    """The clause of a flag with its verb for one owner or several, and `no longer` in it where it has ceased."""
    if not clause.startswith("{it} "):
        return clause if holds else f"no longer: {clause}"
    verb, _, rest = clause.removeprefix("{it} ").partition(" ")
    behind = verb in ("is", "was")
    if many:
        verb = PLURALS.get(verb) or (verb.removesuffix("s") if not verb.endswith("ss") else verb)
    if not holds:
        verb = f"{verb} no longer" if behind else f"no longer {verb}"
    return f"{{it}} {verb} {rest}".rstrip()
