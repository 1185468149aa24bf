"""Hover texts.

In:  a view of the files, the position of the cursor, and the book in the core if it compiles.
Out: Markdown: for a case its title and note; for a name its declaration (a table with its rows), its case, what amends
     it, and its value if that is constant.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.builtins import BUILTINS
from rulewright.compiler.core.notation import shown
from rulewright.compiler.elaborate.expressions.special_calls import SPECIAL
from rulewright.compiler.interpret.expressions import Evaluator
from rulewright.compiler.interpret.world import World
from rulewright.dsl.words import word_at

from .project import Spot, View

PATIENCE = 5000
MOST = 12
MOST_ROWS = 40


def hover(view: View, line: int, column: int, book: c.Book | None) -> tuple[str, int, int] | None:
    """The text for a position (line and column from 1), with the columns of its word."""
    spot = view.at(line, column)
    if spot is not None:
        text = of_spot(view, spot, book)
        return (text, spot.mention.column, spot.mention.end) if text else None
    file = view.file(view.path)
    if file is None or line > len(file.lines):
        return None
    word = word_at(file.lines[line - 1], column - 1)
    if word is None:
        return None
    text = ""
    if word.sort == "hex" and book is not None:
        text = of_hex(word.text.removeprefix("@"), book)
    elif word.sort == "text" and book is not None:
        text = of_unit(word.text, book)
    elif word.sort in ("case", "name"):
        found = view.meaning(word.text, word.sort)
        text = of_declarations(view, found, book) if found else builtin(word.text)
    return (text, word.start + 1, word.end + 1) if text else None


def of_spot(view: View, spot: Spot, book: c.Book | None) -> str:
    found = view.resolve(spot)
    if found:
        return of_declarations(view, found, book)
    word = spot.mention.text
    local = view.local(word, spot.item)
    if local is not None:
        return code(f"{word}: {local[1]}") if local[1] else f"`{word}` is named in this declaration"
    if book is not None and book.map is not None and word in book.map.names:
        return of_hex(book.map.names[word], book)
    return builtin(word)


def of_declarations(view: View, found: list[Spot], book: c.Book | None) -> str:
    """The declarations of one name, with their amendments."""
    parts = []
    for spot in found[:MOST]:
        item = spot.item
        if item is None:
            continue
        if spot.mention.declares == "case":
            parts.append(f"**case {item.name}** {item.title}".rstrip() + (f"\n\n{item.note}" if item.note else ""))
            continue
        where = f"case {item.case} {item.title}".rstrip() if item.case else item.title
        lines = [code(drawn(view, spot) or item.head.removesuffix(":"))]
        if spot.mention.declares in ("value", "reading", "member", "answer", "phase", "of each phase"):
            lines.append(f"`{spot.mention.text}`: {spot.mention.declares}")
        value = constant(spot.mention.text, book) if spot.mention.realm == "name" else ""
        if value:
            lines.append(f"always {value}")
        lines.append(f"*{where}*" + (f" in {item.overlay}" if item.overlay else ""))
        if item.note:
            lines.append(item.note)
        parts.append("\n\n".join(lines))
    amended = amendments(view, found)
    if amended:
        parts.append("amended by " + ", ".join(amended[:MOST]) + (", …" if len(amended) > MOST else ""))
    return "\n\n---\n\n".join(parts)


def drawn(view: View, spot: Spot) -> str:
    """The text of a table with its rows; empty for any other declaration."""
    item, file = spot.item, view.file(spot.path)
    if item is None or file is None or item.sort != "table":
        return ""
    first = spot.line - spot.mention.row + item.row
    rows = textwrap.dedent("\n".join(file.lines[first - 1 : first + item.end_row - item.row])).split("\n")
    return "\n".join(rows[:MOST_ROWS] + (["…"] if len(rows) > MOST_ROWS else []))


def amendments(view: View, found: list[Spot]) -> list[str]:
    """The cases whose exceptions, contributions and waivers aim at one of these declarations."""
    names = {x.mention.text for x in found if x.mention.realm in ("name", "label")}
    cases = []
    for file in view.files:
        for _, item in file.items():
            if item.lends in names and item.sort in ("except", "add", "waive") and item.case not in cases:
                cases.append(item.case)
    return cases


def constant(name: str, book: c.Book | None) -> str:
    """The value of a definition without parameters that reads nothing of the state; else an empty string."""
    d = book.definitions.get(name) if book is not None else None
    if book is None or d is None or d.params:
        return ""
    try:
        asked = Evaluator(book)
        asked.patience = PATIENCE
        value: Any = asked.define(World.blank(), name, ())
        text = shown(value, d.type, book)
    except Exception:
        # There is no state here: anything that reads one fails in some way, and then there is no value to show.
        return ""
    return text if len(text) <= 200 else text[:200] + " …"


def of_hex(place: str, book: c.Book) -> str:
    """The printed fields of a hex."""
    if book.map is not None:
        place = book.map.aliases.get(place, place)
    if book.map is None or place not in (*book.map.hexes, *book.map.water):
        return ""
    names = [name for name, at in book.map.names.items() if at == place]
    printed = {key: values[place] for key, values in book.map.fields.items() if place in values}
    lines = [f"**@{place}** " + ", ".join(names)]
    lines += [f"also {x}" for x, top in book.map.aliases.items() if top == place]
    lines += [key if value is True else f"{key} {value}" for key, value in sorted(printed.items()) if value]
    return "\n\n".join(line.strip() for line in lines)


def of_unit(name: str, book: c.Book) -> str:
    """A unit of the roster with its printed fields."""
    unit = next((u for u in book.units if u.name == name), None)
    if unit is None:
        return ""
    fields = {key: f for (owner, key), f in book.fields.items() if owner == "unit"}
    text: Callable[[str, Any], str] = lambda key, v: shown(v, fields[key].type if key in fields else None, book)  # noqa: E731
    printed = ", ".join(f"{key} {text(key, v)}" for key, v in unit.fields.items())
    return f"**{unit.name}**\n\n{printed}\n\n*case {unit.case}*" + (" (house)" if unit.house else "")


def builtin(word: str) -> str:
    """A built-in word."""
    if word in BUILTINS:
        b = BUILTINS[word]
        takes = f"({', '.join(map(str, b.params))})" if b.params else ""
        return code(f"{word}{takes} -> {b.type}") + (f"\n\n{b.text}" if b.text else "")
    if word in SPECIAL:
        return code(f"{word}({', '.join(SPECIAL[word])})")
    return ""


def code(text: str) -> str:
    return f"```rules\n{text}\n```"
