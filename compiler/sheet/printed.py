"""Changes of what is printed: counters, set-up, maps, tables and numbers of cases, in the notation of the hobby.

In:  facts about data, and both rule sets.
Out: one line a counter, hex or heading (`47 Panzer: 8-8 becomes 9-8`), and tables of the cells that changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..core import nodes as c
from ..core.notation import named, shown
from ..diff.data import key_text, plain_key
from ..diff.entries import printed_forms
from ..diff.facts import Fact
from ..diff.items import Item, Sheet
from ..diff.phrases import phrase
from ..pipeline import Compiled
from ..words.english import words

SNAKE = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
HEX = re.compile(r"\w+")
MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: heads, and rows of cells; `changed` says which cells are others than before."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: int = 1
    """How many cells of a row are its key."""


def spaced(text: str) -> str:
    """Names of the language as words."""
    return SNAKE.sub(lambda m: words(m[0]), text)


# ---------------------------------------------------------------- lines


def lines_of(facts: Sequence[Fact], made: tuple[Compiled, Compiled], detail: bool) -> list[str]:
    """Facts of data as lines; what changed on one counter is one line."""
    found: dict[str, list[str]] = {}
    for f in facts:
        said = spaced(line_of(f, made))
        name, colon, rest = said.partition(": ")
        if f.element == "unit" and colon and name == f.name:
            found.setdefault(names(f.name, detail), []).append(rest)
        else:
            found.setdefault(clipped(said, f, detail), [])
    return [f"{name}: {'; '.join(rest)}" if rest else name for name, rest in found.items()]


def line_of(f: Fact, made: tuple[Compiled, Compiled]) -> str:
    a, b = made
    match f.element, f.kind:
        case "unit", "added" | "struck":
            side = b if f.kind == "added" else a
            word = f"{'new ' if f.kind == 'added' else ''}counter{'s' if ',' in f.name else ''}"
            end = "" if f.kind == "added" else " out of the game"
            return f"{word}{end}: {f.name}" + (f", {face}" if (face := printed(f, side, f.kind == "added")) else "")
        case "map feature", _ if not f.where and f.name.startswith(("line ", "side ")):
            what = words(f.name.partition(" ")[2])
            where = "between" if f.name.startswith("side ") else "along"
            return f"{what}: {'now' if f.after else 'no longer'} {where} {f.after or f.before}"
        case "unit", "amended" if "," not in f.where and f.where not in ("start", "provenance"):
            return phrase(replace(f, before=f.before.strip('"'), after=f.after.strip('"')), a, b)
        case "case", "renumbered":
            return f"case {f.before} is now case {f.after}"
        case "case", "struck":
            return f"case {f.case} “{f.before}” is gone"
        case "case", _:
            return f"case {f.case} “{f.after}” is new"
        case "title", _:
            return f"case {f.case} is now called “{f.after}” (it was called “{f.before}”)"
        case "provenance", _:
            return f"{words(f.name)}: {f.before} becomes {f.after}"
        case "trigger", "moved":
            return f"at {words(f.name)} the cases now come in this order: {f.after} (it was {f.before})"
    return phrase(f, a, b)


def names(text: str, detail: bool) -> str:
    """Names of counters; many are counted."""
    several = text.split(", ")
    if detail or len(several) <= MOST_NAMES:
        return text
    return f"{', '.join(several[: MOST_NAMES - 2])} and {len(several) - MOST_NAMES + 2} more"


def clipped(said: str, f: Fact, detail: bool) -> str:
    return said.replace(f.name, names(f.name, detail), 1) if f.element == "unit" and f.name in said else said


def printed(f: Fact, made: Compiled, whole: bool) -> str:
    """What counters that came or went have printed on them: their numbers, and of a new one the rest."""
    assert made.book is not None
    several = f.name.split(", ")
    units = [u for u in made.book.units if u.name in several]
    told = {face(u, made, whole) for u in units}
    return told.pop() if len(told) == 1 and len(units) == len(several) else ""


def face(u: c.UnitLine, made: Compiled, whole: bool) -> str:
    assert made.book is not None
    book = made.book
    types = {name: field.type for (owner, name), field in book.fields.items() if owner == "unit"}
    values = {x: shown(v, types.get(x), book).strip('"') for x, v in u.fields.items()}
    groups = [g for e in made.entries or () if e.case == u.case for g in printed_forms(e) if set(g) <= set(values)]
    numbers = "-".join(values.pop(x) for x in groups[0]) if groups else ""
    if not whole:
        return numbers
    rest = [f"{words(x)} {spaced(v)}" for x, v in values.items()]
    start = [f"set up in {u.start}"] if u.start else []
    return ", ".join(x for x in (numbers, *rest, *start) if x)


# ---------------------------------------------------------------- tables


def grids_of(facts: Sequence[Fact], made: tuple[Compiled, Compiled]) -> list[Grid]:
    """For each table its changed cells; one that is new or gone as a whole."""
    found = []
    for name in dict.fromkeys(f.name for f in facts):
        cells = [f for f in facts if f.name == name and f.element == "cell"]
        rows = tuple((spaced(f.where), spaced(f.before) or "none", spaced(f.after) or "none") for f in cells)
        if rows:
            found.append(Grid(f"Table “{words(name)}”", ("", "was", "is"), rows))
        for f in facts:
            if f.name == name and f.element == "table" and f.kind != "amended":
                side = made[f.kind == "added"]
                assert side.book is not None
                if name in side.book.tables:
                    word = "new" if f.kind == "added" else "out of the game"
                    found.append(whole(side.book.tables[name], side.book, word))
    return found


def whole(table: c.Table, book: c.Book, word: str) -> Grid:
    """A table with all its cells; neighbouring rows that are alike are one."""
    cells = {plain_key(k, table, book): named(v, table.type, book) for k, v in table.cells.items()}
    crossed = len(table.params) > 1
    heads = list(dict.fromkeys(k[-1] for k in cells)) if crossed else [table.name]
    leads = list(dict.fromkeys(k[:-1] if crossed else k for k in cells))
    rows: list[tuple[list[tuple[object, ...]], list[str]]] = []
    for lead in leads:
        row = [cells.get((*lead, h) if crossed else lead, "") for h in heads]
        if rows and rows[-1][1] == row and follows(rows[-1][0][-1], lead):
            rows[-1][0].append(lead)
        else:
            rows.append(([lead], row))
    params = table.params[:-1] if crossed else table.params
    made = tuple(
        (
            *(spaced(key_text("", [lead[i] for lead in group]).strip()) for i in range(len(params))),
            *(spaced(x) or "none" for x in row),
        )
        for group, row in rows
    )
    top = (*(words(p.name) for p in params), *(spaced(str(h)) for h in heads))
    return Grid(f"Table “{words(table.name)}” ({word})", top, made, len(params))


def follows(last: tuple[object, ...], lead: tuple[object, ...]) -> bool:
    """Whether the key of a row is one above that of the row before it."""
    if last[:-1] != lead[:-1] or not lead:
        return False
    return isinstance(last[-1], int) and isinstance(lead[-1], int) and lead[-1] == last[-1] + 1


# ---------------------------------------------------------------- whose part


def part_of(f: Fact, item: Item, sheet: Sheet) -> Fact | None:
    """The part of a fact that an item makes, where one fact tells the same change of several items.

    The hexes and counters of a fact are told apart by which of them the text of an item names; where that is not clear
    the fact stays whole. None where the item makes no part of it.
    """
    if len(f.items) < 2 or f.element not in ("unit", "map feature"):
        return f
    mine = text_of(item, sheet)
    others = [text_of(i, sheet) for i in f.items if i != item]

    def own(piece: str) -> bool:
        return in_text(piece, mine) or not any(in_text(piece, x) for x in others)

    def cut(text: str) -> str:
        return ", ".join(x for x in text.split(", ") if own(x))

    if f.element == "unit":
        made = replace(f, name=cut(f.name))
        return made if made.name else None
    if f.where:
        made = replace(f, where=cut(f.where))
        return made if made.where else None
    made = replace(f, before=cut(f.before), after=cut(f.after))
    return made if made.before or made.after else None


def in_text(piece: str, text: str) -> bool:
    """Whether a text names a counter, or every hex of a line or side."""
    return piece in text or all(x in text for x in HEX.findall(piece))


def text_of(item: Item, sheet: Sheet) -> str:
    return " ".join(e.node.span.text for e in sheet.entries if e.case == item.case)


def sorted_out(facts: Iterable[Fact]) -> tuple[list[Fact], list[Fact], list[Fact]]:
    """Facts of tables, facts of other data, and facts of rules."""
    tables, data, rules = [], [], []
    for f in facts:
        if f.element in ("cell", "table"):
            tables.append(f)
        elif f.element in DATA or f.kind in ("renumbered", "renamed") or (f.kind == "moved" and f.element != "phase"):
            data.append(f)
        else:
            rules.append(f)
    return tables, data, rules


DATA = frozenset(
    "unit,map feature,map,set-up,scenario,calendar,case,title,provenance,overlay,untranslated,look,phrase".split(",")
)
