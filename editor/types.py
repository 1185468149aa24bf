"""Types of incomplete expressions, for completion.

In:  a view of the files, the text of the block being typed, and the book in the core as it last compiled.
Out: the name of a type; its members and values.

A case that is being typed usually does not parse: its parameters, marks and fields are read from its lines by pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.types import Type

from .project import View

PLACES = frozenset({"hex", "place", "point"})
BUILT_IN = {"hex": "hex", "side": "side"}
DECLARED = re.compile(r"^\s*(?:house\s+)?(field|mark)\s+([\w, ]+?)\s+of\s+(\w+)(?:\s*:\s*([\w ]+))?", re.M)
OF_GAME = re.compile(r"^\s*(?:house\s+)?mark\s+(\w+)\s*:\s*([\w ]+)", re.M)
DEFINED = re.compile(r"^\s*(?:house\s+)?(?:define|gather|remember)\s+(\w+)(?:\([^)]*\))?\s*->\s*([\w ]+)", re.M)
PARAM = re.compile(r"\b([a-z_]\w*)\s*:\s*((?:set of |list of )?[a-z_]\w*)")


def plain(type_text: str) -> str:
    """The element type of a written type: `unit` for `set of unit`, `side` for `side or nobody`."""
    return re.sub(r"^(set|list) of ", "", type_text.strip()).split(" or ")[0].split(" from ")[0].strip()


class Types:
    """What is known about types at the cursor."""

    def __init__(self, view: View, book: c.Book | None, line: int) -> None:
        self.view, self.book, self.line = view, book, line
        self.block = block_around(view, line)

    # ------------------------------------------------------------ the type of what is typed

    def of(self, text: str) -> str:
        """The name of the type of the expression at the end of a text; empty where unknown."""
        first = r'"[^"]*"|@[A-Za-z0-9]+(?:\.[0-9]+)?|[A-Za-z_]\w*(?:\([^()]*\))?'
        chain = re.search(rf"({first})((?:\.[A-Za-z_]\w*)*)\s*$", text)
        if chain is None:
            return ""
        first = chain[1]
        if first.startswith('"'):
            found = "unit"
        elif first.startswith("@"):
            found = "hex"
        else:
            found = self.of_name(re.sub(r"\(.*", "", first))
        for member in filter(None, chain[2].split(".")):
            found = self.of_member(found, member)
        return found

    def of_name(self, name: str) -> str:
        """The type of a name: a parameter, mark of the game, definition, binding, unit or place."""
        heads = self.heads()
        for text in reversed(heads):
            given = dict(PARAM.findall(text))
            if name in given:
                return plain(given[name])
        for pattern in (OF_GAME, DEFINED):
            found = dict(pattern.findall(self.block)).get(name)
            if found:
                return plain(found)
        book = self.book
        if book is None:
            return ""
        if ("game", name) in book.marks:
            return type_name(book.marks["game", name].type)
        if name in book.definitions:
            return type_name(book.definitions[name].type)
        if name in book.tables:
            return type_name(book.tables[name].type)
        if name in book.bindings:
            return type_name(book.bindings[name])
        return "hex" if book.map is not None and name in book.map.names else ""

    def heads(self) -> list[str]:
        """The lines above the cursor in its block that may declare parameters, nearest last."""
        lines = self.view_lines()[: self.line]
        found: list[str] = []
        for text in reversed(lines):
            found.append(text)
            if re.match(r"case\b|  case\b", text):
                break
        return [x for x in reversed(found) if "(" in x]

    def view_lines(self) -> list[str]:
        file = self.view.file(self.view.path)
        return file.lines if file is not None else []

    def of_member(self, owner: str, member: str) -> str:
        for _, names, of, type_text in DECLARED.findall(self.block):
            if member in [x.strip() for x in names.split(",")] and (not owner or owned_by(of, owner)):
                return plain(type_text) if type_text.strip() else "flag"
        if self.book is not None:
            for known in (self.book.fields, self.book.marks):
                for (of, name), declared in known.items():
                    if name == member and (not owner or owned_by(of, owner)):
                        return type_name(declared.type)
        return BUILT_IN.get(member, "")

    # ------------------------------------------------------------ what goes with a type

    def members(self, owner: str) -> Iterator[tuple[str, str]]:
        """The members of a type, each with its sort; those of every type where it is unknown."""
        for sort, names, of, _ in DECLARED.findall(self.block):
            if not owner or owned_by(of, owner):
                yield from ((name.strip(), sort) for name in names.split(","))
        if self.book is None:
            return
        for sort, known in (("field", self.book.fields), ("mark", self.book.marks)):
            for of, name in known:
                if of != "game" and (not owner or owned_by(of, owner)):
                    yield name, sort
        for name, parts in self.book.records.items():
            if not owner or name == owner:
                yield from ((part, "member") for part, _ in parts)
        if owner in ("unit", ""):
            yield from (("hex", "member"), ("side", "member"))

    def words(self, type_name: str) -> tuple[str, ...]:
        """The values of a type."""
        own = re.search(rf"^\s*(?:house\s+)?(?:kind|scale)\s+{re.escape(type_name)}\s*:\s*(.+)$", self.block, re.M)
        if own is not None and type_name:
            return tuple(x.strip() for x in own[1].split(",") if x.strip())
        if self.book is None:
            return ()
        if type_name == "flag":
            return ("true", "false")
        return tuple(self.book.kinds.get(type_name, ()) or self.book.scales.get(type_name, ()))


def type_name(type_: Type) -> str:
    """The name of a type of the core; for a collection that of its elements."""
    inner = type_.of or type_
    return inner.plain.name


def owned_by(of: str, owner: str) -> bool:
    return of == owner or (of in PLACES and owner in PLACES)


def block_around(view: View, line: int) -> str:
    """The text of the top-level block around a line."""
    file = view.file(view.path)
    lines = file.lines if file is not None else []
    start = min(line, len(lines))
    while start > 1 and not lines[start - 1][:1].strip():
        start -= 1
    end = start
    while end < len(lines) and not lines[end][:1].strip():
        end += 1
    return "\n".join(lines[max(start - 1, 0) : end])
