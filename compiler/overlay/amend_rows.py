"""Change rows, columns and cells of a table, lines and items of data, and words of a kind.

In:  a table, data block or kind, and what an overlay does to it.
Out: the new declaration, and the spots that were touched.

    replace row|line     old line, new line (in pairs)         strike row|line     the lines as they stand
    replace column       | head | cells … | twice              strike column       | head |
    replace cell         ROW | COLUMN: OLD becomes NEW         insert row|line     new lines, at the end
    replace item         KEY: OLD becomes NEW                  insert column       | head | cells … |
    strike item          KEY: ITEM, ITEM                       insert item         KEY: ITEM, ITEM

A kind is one line of items, which needs no key: `insert item 2.1 arm:` and below it `cavalry, cossacks`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import cells as bars
from rulewright.dsl.compare import raw_form
from rulewright.dsl.diagnostics import choose
from rulewright.dsl.source import Span

from .edit_tree import Spot

Lines = tuple[n.RawLine, ...]
Changed = tuple[Lines, list[Spot]]
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class NotThere(Exception):
    """What an overlay wants to change is not there."""

    def __init__(self, span: Span, message: str, help: str) -> None:
        super().__init__(message)
        self.span, self.message, self.help = span, message, help


Rowed = n.Table | n.Data | n.Kind


def changed(decl: Rowed, node: n.Rows) -> tuple[Rowed, list[Spot]]:
    """The declaration as the overlay wants it."""
    if isinstance(decl, n.Kind):
        return change_words(decl, node)
    lines, spots = change_rows(decl.lines, node)
    return replace(decl, lines=lines), spots


def change_rows(lines: Lines, node: n.Rows) -> Changed:
    """The lines as the overlay wants them."""
    match node.what:
        case "row" | "line":
            return change_lines(lines, node)
        case "column":
            return change_columns(lines, node)
        case "cell":
            return change_cells(lines, node)
        case _:
            return change_items(lines, node)


# ---------------------------------------------------------------- lines


def change_lines(lines: Lines, node: n.Rows) -> Changed:
    if node.act == "insert":
        return (*lines, *node.lines), [row_spot(x) for x in node.lines]
    if node.act == "strike":
        spots = []
        for wanted in node.lines:
            at = place_of(lines, wanted)
            spots.append(row_spot(lines[at]))
            lines = (*lines[:at], *lines[at + 1 :])
        return lines, spots
    spots = []
    for old, new in pairs(node):
        at = place_of(lines, old)
        spots.append(row_spot(lines[at]))
        below = new.below or lines[at].below
        lines = (*lines[:at], replace(new, below=below), *lines[at + 1 :])
    return lines, spots


def pairs(node: n.Rows) -> list[tuple[n.RawLine, n.RawLine]]:
    if len(node.lines) % 2:
        raise NotThere(node.span, "the lines do not make pairs", "write each old line and below it the new one")
    found = list(zip(node.lines[::2], node.lines[1::2], strict=True))
    for old, new in found:
        if form(old) == form(new) and old.below == new.below:
            raise NotThere(new.span, "this amendment changes nothing", "state the new line, or strike this one")
    return found


def place_of(lines: Lines, wanted: n.RawLine) -> int:
    found = [i for i, line in enumerate(lines) if form(line) == form(wanted)]
    if len(found) != 1:
        stands = f"{len(found)} times" if found else "nowhere"
        near = choose(wanted.text, (x.text for x in lines), "lines", 4)
        raise NotThere(wanted.span, f"this line stands {stands} there", f"state it as the book has it now; {near}")
    return found[0]


def form(line: n.RawLine) -> str:
    if line.text.startswith("|"):
        return " | ".join(row_cells(line))
    return raw_form(" ".join(line.text.split()))


def row_spot(line: n.RawLine) -> Spot:
    if line.text.startswith("|"):
        return ("cell", row_cells(line)[0], None)
    return ("line", form(line))


# ---------------------------------------------------------------- tables


def row_cells(line: n.RawLine) -> list[str]:
    """The cells of one row, without the empty texts outside its bars."""
    found = bars(line.text)
    if found and not found[0]:
        found = found[1:]
    return found[:-1] if found and not found[-1] else found


def drawn(cells: list[str], like: n.RawLine) -> n.RawLine:
    return replace(like, text="| " + " | ".join(cells) + " |")


def grid(lines: Lines) -> list[int]:
    return [i for i, line in enumerate(lines) if line.text.startswith("|")]


def column_of(lines: Lines, head: str, span: Span) -> int:
    heads = row_cells(lines[grid(lines)[0]])
    found = [i for i, text in enumerate(heads) if text == head and i]
    if len(found) != 1:
        raise NotThere(span, f'the table has no one column "{head}"', choose(head, heads[1:], "columns"))
    return found[0]


def change_columns(lines: Lines, node: n.Rows) -> Changed:
    rows = grid(lines)
    if not rows:
        raise NotThere(node.span, "this is no table of rows and columns", "name a table")
    spots: list[Spot] = []
    if node.act == "strike":
        for wanted in node.lines:
            head = row_cells(wanted)[0]
            at = column_of(lines, head, wanted.span)
            lines = redrawn(lines, rows, [cells[:at] + cells[at + 1 :] for cells in cells_of(lines, rows)])
            spots.append(("cell", None, head))
    elif node.act == "insert":
        for new in node.lines:
            fresh = full_column(new, rows)
            joined = zip(cells_of(lines, rows), fresh, strict=True)
            lines = redrawn(lines, rows, [[*cells, text] for cells, text in joined])
            spots.append(("cell", None, fresh[0]))
    else:
        for old, new in pairs(node):
            was, fresh = full_column(old, rows), full_column(new, rows)
            at = column_of(lines, was[0], old.span)
            if [cells[at] for cells in cells_of(lines, rows)] != was:
                raise NotThere(old.span, f'the column "{was[0]}" reads otherwise', "state it as the book has it now")
            joined = zip(cells_of(lines, rows), fresh, strict=True)
            lines = redrawn(lines, rows, [put(cells, at, text) for cells, text in joined])
            spots.append(("cell", None, was[0]))
    return lines, spots


def full_column(line: n.RawLine, rows: list[int]) -> list[str]:
    cells = row_cells(line)
    if len(cells) != len(rows):
        raise NotThere(
            line.span,
            f"the column has {len(cells)} cells, the table {len(rows)} rows",
            "write its head, then a cell a row",
        )
    return cells


def cells_of(lines: Lines, rows: list[int]) -> list[list[str]]:
    return [row_cells(lines[r]) for r in rows]


def redrawn(lines: Lines, rows: list[int], cells: list[list[str]]) -> Lines:
    made = list(lines)
    for r, found in zip(rows, cells, strict=True):
        made[r] = drawn(found, lines[r])
    return tuple(made)


def put(cells: list[str], at: int, text: str) -> list[str]:
    return [*cells[:at], text, *cells[at + 1 :]]


def change_cells(lines: Lines, node: n.Rows) -> Changed:
    if node.act != "replace":
        raise NotThere(node.span, "a cell can only be replaced", "replace cell, or strike or insert a row or column")
    spots: list[Spot] = []
    for line in node.lines:
        where, old, new = old_and_new(line)
        row, bar, column = (x.strip() for x in where.partition("|"))
        if not bar:
            raise NotThere(line.span, "a cell has a row and a column", "write: ROW | COLUMN: OLD becomes NEW")
        at = column_of(lines, column, line.span)
        rows = [i for i in grid(lines)[1:] if row_cells(lines[i])[0] == row]
        if len(rows) != 1:
            heads = [row_cells(lines[i])[0] for i in grid(lines)[1:]]
            raise NotThere(line.span, f'the table has no one row "{row}"', choose(row, heads, "rows"))
        cells = row_cells(lines[rows[0]])
        if cells[at] != old:
            raise NotThere(line.span, f'that cell holds "{cells[at]}", not "{old}"', "state it as the book has it now")
        lines = (*lines[: rows[0]], drawn(put(cells, at, new), lines[rows[0]]), *lines[rows[0] + 1 :])
        spots.append(("cell", row, column))
    return lines, spots


def old_and_new(line: n.RawLine) -> tuple[str, str, str]:
    """`WHERE: OLD becomes NEW` in its parts."""
    where, colon, rest = line.text.rpartition(":") if " becomes " in line.text.rpartition(":")[2] else ("", "", "")
    old, word, new = rest.partition(" becomes ")
    if not colon or not word:
        raise NotThere(line.span, "this line does not say what becomes what", "write: WHERE: OLD becomes NEW")
    if old.strip() == new.strip():
        raise NotThere(line.span, "this amendment changes nothing", "state the new value")
    return where.strip(), old.strip(), new.strip()


# ---------------------------------------------------------------- items of a line


def change_items(lines: Lines, node: n.Rows) -> Changed:
    spots: list[Spot] = []
    for line in node.lines:
        if node.act == "replace":
            key, old, new = old_and_new(line)
            lines = with_item(lines, key, old, new, line)
            spots.append(("item", key, old))
            continue
        key, _, listed = line.text.partition(":")
        key = " ".join(key.split())
        for item in split_items(listed):
            lines = with_item(lines, key, None if node.act == "insert" else item, item, line, node.act)
            spots.append(("item", key, item))
    return lines, spots


def with_item(lines: Lines, key: str, old: str | None, new: str, line: n.RawLine, act: str = "replace") -> Lines:
    keyed = [i for i, x in enumerate(lines) if key_of(x) == key]
    if not keyed and act == "insert":
        return (*lines, replace(line, text=f"{key}: {new}"))
    if not keyed:
        raise NotThere(line.span, f'there is no line "{key}"', choose(key, map(key_of, lines), "lines"))
    found = [i for i in keyed if old is not None and old in split_items(lines[i].text.partition(":")[2])]
    if old is None:
        found = keyed[-1:]
    if len(found) != 1:
        held = [x for i in keyed for x in split_items(lines[i].text.partition(":")[2])]
        stands = f"{len(found)} times" if found else "nowhere"
        raise NotThere(line.span, f'"{old}" stands {stands} in the lines "{key}"', choose(old or "", held, "they hold"))
    at = found[0]
    items = split_items(lines[at].text.partition(":")[2])
    if old is None:
        items.append(new)
    elif act == "strike":
        items.remove(old)
    else:
        items[items.index(old)] = new
    if not items:
        return (*lines[:at], *lines[at + 1 :])
    return (*lines[:at], replace(lines[at], text=f"{key}: {', '.join(items)}"), *lines[at + 1 :])


def change_words(kind: n.Kind, node: n.Rows) -> tuple[n.Kind, list[Spot]]:
    """A kind as one line of items."""
    if node.what != "item":
        raise NotThere(
            node.span, f'the kind "{kind.name}" has no {node.what}s', f"write {node.act} item, and its words"
        )
    key = f"{kind.name}: "
    asked = tuple(x if x.text.startswith(key) else replace(x, text=key + x.text) for x in node.lines)
    whole = replace(asked[0], text=key + ", ".join(kind.values), below=())
    lines, spots = change_items((whole,), replace(node, lines=asked))
    words = split_items(lines[0].text.removeprefix(key)) if lines else []
    for word in words:
        if not NAME.fullmatch(word):
            raise NotThere(node.span, f'"{word}" is no word for a kind', "small letters, digits and underscores")
    twice = next((x for x in words if words.count(x) > 1), None)
    if twice is not None or not words:
        wrong = f'"{twice}" is there already' if words else f"no {kind.name} would be left"
        raise NotThere(node.span, wrong, "the book has: " + ", ".join(kind.values))
    return replace(kind, values=tuple(words)), spots


def key_of(line: n.RawLine) -> str:
    return " ".join(line.text.partition(":")[0].split())


def split_items(text: str) -> list[str]:
    """Items between commas; a comma inside quotes or brackets does not cut."""
    found, depth, quoted = [""], 0, False
    for ch in text:
        if ch == '"':
            quoted = not quoted
        elif not quoted and ch in "([{":
            depth += 1
        elif not quoted and ch in ")]}":
            depth -= 1
        if ch == "," and not quoted and not depth:
            found.append("")
        else:
            found[-1] += ch
    return [" ".join(x.split()) for x in found if x.strip()]
