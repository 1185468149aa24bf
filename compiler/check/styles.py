"""Check style: every look belongs to something that the book has, and everything that is drawn has a look.

In:  the book in the core.
Out: nothing.
Reports: RW141 a look of something that is not there; RW708 (a warning, for a book that has a style) what is drawn
         without a look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulewright.dsl.diagnostics import Reporter, did_you_mean

from ..core import nodes as c
from ..core.looks import SYMBOLS, StyleLine
from ..core.maps import Map, locate

FIELD = re.compile(r"[^\W\d]\w*")
PLACES = ("place", "hex")


def check_styles(book: c.Book, report: Reporter) -> None:
    """Report looks that nobody will ever see."""
    for line in book.styles:
        report.case = line.case
        for what, name, known in missing(book, line):
            near = did_you_mean(name, known)
            report.error("RW141", line.span, f'there is no {what} "{name}" to draw', help=near or offered(what, known))
    report.case = ""


def offered(what: str, known: Iterable[str]) -> str:
    names = sorted(known)
    return f"there are: {', '.join(names[:12])}" if names else f"this book has no {what}"


def missing(book: c.Book, line: StyleLine) -> Iterator[tuple[str, str, list[str]]]:
    """What a line names and the book lacks: what it would be, its name, and the names there are.

    A flag of hexes or hexsides that this map has nowhere may lie on the map that an overlay brings.
    """
    board = book.map
    owners = {"hex": PLACES, "unit": ("unit",), "counter": ("unit",)}
    match line.about:
        case "sides" if line.name not in (known := [*(board.sides if board else ()), *of(book, ("hexside",))]):
            yield "kind of hexside on the map", line.name, known
        case "lines" if line.name not in (known := [*(board.lines if board else ()), *of(book, PLACES)]):
            yield "line on the map", line.name, known
        case "side" if line.name not in (known := list(book.kinds.get("side", ()))):
            yield "side", line.name, known
        case "at" | "bank" if board is None or (line.name not in board.names and line.name not in board.hexes):
            yield "place", line.name, [*board.names, *board.hexes] if board else []
        case "hex" | "unit" | "counter":
            known = of(book, owners[line.about])
            if line.about == "counter":
                for name in FIELD.findall(line.look.prints):
                    if name not in known:
                        yield "field of a unit", name, known
            if line.name and line.name not in known and not printed(book, line):
                yield ("field of a hex" if line.about == "hex" else "field or mark of a unit"), line.name, known
            elif line.value and (values := words_of(book, owners[line.about], line.name)) and line.value not in values:
                yield f"{line.name}", line.value, list(values)
        case "ground" if line.value and (board is None or locate(board.grid, line.value) is None):
            yield "hex of the grid", line.value, []
        case "shape" if line.look.hexes and (lost := off_grid(board, line.look.hexes)):
            yield "hex of the grid", lost, []
        case "hidden":
            drawn = {"sides": board.sides, "lines": board.lines}.get(line.value, board.fields) if board else {}
            known = [*drawn, *of(book, ("hexside",) if line.value == "sides" else PLACES)]
            if line.name not in known:
                yield {"sides": "kind of hexside", "lines": "line"}.get(line.value, "field of a hex"), line.name, known
        case _:
            pass


def off_grid(board: Map | None, hexes: Iterable[str]) -> str:
    """The first hex of a list, or end of a run, that no grid has."""
    grids = [board.grid, *(part.grid for part in board.parts)] if board is not None else []
    ends = (end for item in hexes for end in item.split(".."))
    return next((end for end in ends if all(locate(grid, end) is None for grid in grids)), "")


def printed(book: c.Book, line: StyleLine) -> bool:
    """Whether the map prints such a field for overlays that lie beside the book."""
    return line.about == "hex" and book.map is not None and line.name in book.map.fields


def of(book: c.Book, owners: tuple[str, ...]) -> list[str]:
    """The fields and marks of something."""
    return [name for owner, name in (*book.fields, *book.marks) if owner in owners]


def words_of(book: c.Book, owners: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The words that a field or mark can have, where they are those of a kind."""
    for owner in owners:
        found = book.fields.get((owner, name)) or book.marks.get((owner, name))
        if found is not None:
            return book.kinds.get(found.type.plain.name, ())
    return ()


# ---------------------------------------------------------------- what is drawn without a look


def check_drawn(book: c.Book, report: Reporter) -> None:
    """Warn of what a book with a style draws without a look."""
    if not book.styles:
        return
    found = list(undrawn(book))
    if found:
        first = book.styles[0]
        report.warning(
            "RW708",
            first.span,
            f"{len(found)} thing{'s are' if len(found) > 1 else ' is'} drawn without a look: {', '.join(found)}",
            help="give each a line of style, or name it after hidden:",
            case=first.case,
        )


def undrawn(book: c.Book) -> Iterator[str]:
    """Everything that a picture of the book shows and no line of style tells about, written as style writes it."""
    told = {(line.about, line.name, line.value) for line in book.styles}
    hidden = {(line.value, line.name) for line in book.styles if line.about == "hidden"}
    board = book.map
    if board is not None:
        for name, held in board.fields.items():
            declared = any((owner, name) in book.fields for owner in PLACES)
            if not declared or ("hex", name) in hidden or ("hex", name, "") in told:
                continue
            for value in sorted({"" if x is True else str(x) for x in held.values()}):
                if ("hex", name, value) not in told:
                    yield f"{name} {value}".strip()
        for name in board.sides:
            if ("sides", name) not in hidden and ("sides", name, "") not in told:
                yield f"sides {name}"
        for name in board.lines:
            if ("lines", name) not in hidden and ("lines", name, "") not in told:
                yield f"lines {name}"
    if book.units:
        yield from (f"side {word}" for word in book.kinds.get("side", ()) if ("side", word, "") not in told)
        if not any(about == "counter" for about, _, _ in told):
            yield "counter"
    for name in sorted({line.name for line in book.styles if line.value and (symbol(line) or line.look.size)}):
        borne = {str(u.fields[name]) for u in book.units if isinstance(u.fields.get(name), str)}
        yield from (f"unit.{name} {word}" for word in sorted(borne) if ("unit", name, word) not in told)


def symbol(line: StyleLine) -> bool:
    """Whether a line gives counters their symbol."""
    return line.about == "unit" and any(word in SYMBOLS for word in line.look.words)
