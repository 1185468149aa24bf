"""Maps: the hexes of a board, what lies in them, and which of them touch.

In:  nothing; these are the values that `read_map` builds and everyone else reads.
Out: `Map` and `Grid`, with neighbours, coordinates and distance as plain functions. A book with several maps has one
     `Map` that joins them, whose `parts` say which hexes belong to which and how each of them is laid out.

Coordinates are *doubled*: along the direction in which a grid is staggered one hex counts two,
so that every centre is a pair of whole numbers and distance needs no rounding. x grows to the
east and y to the south, whatever the printed numbers do.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from rulewright.runtime.program import printed_id

T = TypeVar("T")
Chain = tuple[str | None, tuple[str, ...]]
Side = tuple[str, str]

_ROW_STEPS = ((1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1))
_COLUMN_STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
_LETTERED = re.compile(r"([A-Z])(\1*)(\d+)\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One printed sheet: how its hexes are numbered and where it lies on the whole map.

    An id is the prefix, then row and column in the order that `rows_first` says. Lettered rows
    run A..Z, AA..ZZ; otherwise both parts are digits of fixed width, or, with a dot between them
    (`dotted`), of at least that width. A sheet whose `columns` is None sets no limit to its column
    numbers (the `hexes` entry does). Where sheets overlap, a hex has the id of the sheet on top.
    """

    prefix: str = ""
    lettered: bool = False
    rows_first: bool = True
    rows: tuple[int, int]
    columns: tuple[int, int] | None = None
    digits: tuple[int, int] = (2, 2)
    dotted: bool = False
    from_east: bool = False
    from_south: bool = False
    offset: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The geometry of a map: no sheets means points that only lines join.

    `staggered` names what is set off by half a hex; the hexes of `shifted` parity lie half a
    number further on: in an odd row with `shifted` odd, hex n touches n and n+1 of the rows
    above and below. Of sheets that overlap the one that lies on top stands first.
    """

    staggered: Literal["rows", "columns"] = "rows"
    shifted: Literal["odd", "even"] = "odd"
    sheets: tuple[Sheet, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The ground of one of several maps: no hex of it touches a hex of another.

    Where it shares ids with another map, `mark` stands before its own, so that they are other places (`marked`).
    """

    name: str
    grid: Grid
    hexes: tuple[str, ...]
    water: tuple[str, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """A board. Every collection stands in row-major order, so that walking it is deterministic.

    `hexes` are the places that units may enter; `water` are grid hexes that only carry lines
    or sides. `names` maps a place to a hex, or to a hexside written `A/B`; `aliases` maps the id
    that a hex has on a lower sheet to its id on the sheet on top. Several maps joined have `parts`, the one that is
    played on where none is named first; their hexes stand map after map. `shares` names the map whose ids and names
    are the same hexes in print where both have them.
    """

    name: str
    grid: Grid
    hexes: tuple[str, ...]
    water: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, str | bool]] = field(default_factory=dict)
    sides: Mapping[str, tuple[Side, ...]] = field(default_factory=dict)
    lines: Mapping[str, tuple[Chain, ...]] = field(default_factory=dict)
    boxes: tuple[str, ...] = ()
    tracks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    shares: str = ""


def marked(board: Map, mark: str) -> Map:
    """The same map with a mark before every id and name; none takes it away, and `printed_id` does for one of them."""

    def to(place: str) -> str:
        return mark + printed_id(place)

    known = {*board.hexes, *board.water}
    return replace(
        board,
        grid=replace(
            board.grid, sheets=tuple(replace(x, prefix=mark + printed_id(x.prefix)) for x in board.grid.sheets)
        ),
        hexes=tuple(map(to, board.hexes)),
        water=tuple(map(to, board.water)),
        names={to(name): "/".join(map(to, ends_of(at, known))) for name, at in board.names.items()},
        fields={name: {to(at): x for at, x in held.items()} for name, held in board.fields.items()},
        sides={name: tuple((to(a), to(b)) for a, b in sides) for name, sides in board.sides.items()},
        lines={layer: tuple((k, tuple(map(to, chain))) for k, chain in runs) for layer, runs in board.lines.items()},
        aliases={to(other): to(top) for other, top in board.aliases.items()},
    )


def shared_ids(board: Map) -> dict[str, dict[str, str]]:
    """Printed ids and names that several maps have, with the place or hexside that each of the maps means by one."""
    found: dict[str, dict[str, str]] = {}
    for part in board.parts if any(part.mark for part in board.parts) else ():
        own = {*part.hexes}
        for text, at in (*((h, h) for h in part.hexes), *board.aliases.items(), *board.names.items()):
            if own.issuperset(ends_of(at, own)):
                found.setdefault(printed_id(text), {})[part.name] = at
    return {text: on for text, on in found.items() if len(on) > 1}


def ends_of(place: str, known: Collection[str]) -> tuple[str, ...]:
    """The two ends of a hexside `A/B`; a hex by itself."""
    parts = place.split("/") if place not in known else []
    pairs = (("/".join(parts[:i]), "/".join(parts[i:])) for i in range(1, len(parts)))
    return next((pair for pair in pairs if pair[0] in known and pair[1] in known), (place,))


def several(board: Map | None) -> bool:
    """Whether a book has several maps, of which a game is played on one."""
    return board is not None and bool(board.parts)


def parts_of(board: Map) -> tuple[Part, ...]:
    """The maps that a board joins; a map by itself is its only part."""
    return board.parts or (Part(name=board.name, grid=board.grid, hexes=board.hexes, water=board.water),)


def part_with(board: Map, place: str) -> Part | None:
    """The part that has a hex."""
    return next((part for part in parts_of(board) if place in part.hexes or place in part.water), None)


def numbers_of(board: Map | None) -> dict[str, range]:
    """By the name of each of several maps, the numbers of its hexes; nothing where there is but one."""
    found: dict[str, range] = {}
    first = 0
    for part in board.parts if board is not None else ():
        found[part.name] = range(first, first + len(part.hexes))
        first += len(part.hexes)
    return found


def elsewhere(board: Map | None, name: str, place: object) -> str:
    """Of several maps, the other one that has the hex of this number; nothing for a hex of `name` or a box."""
    maps = numbers_of(board).items()
    return next((x for x, numbers in maps if x != name and isinstance(place, int) and place in numbers), "")


def one_map(board: Map, name: str) -> Map:
    """One of the maps that a board joins, with what is printed on it; a map by itself is itself."""
    part = next((x for x in board.parts if x.name == name), None)
    if part is None:
        return board
    own = {*part.hexes, *part.water}
    cut = Map(
        name=part.name,
        grid=part.grid,
        hexes=part.hexes,
        water=part.water,
        names={k: at for k, at in board.names.items() if at in own or set(at.split("/")) <= own},
        fields=_kept({k: {at: x for at, x in v.items() if at in own} for k, v in board.fields.items()}),
        sides=_kept({k: tuple(x for x in v if own.issuperset(x)) for k, v in board.sides.items()}),
        lines=_kept({k: tuple(x for x in v if own.issuperset(x[1])) for k, v in board.lines.items()}),
        boxes=board.boxes,
        tracks=board.tracks,
        aliases={k: top for k, top in board.aliases.items() if top in own},
    )
    return marked(cut, "") if part.mark else cut


def _kept(held: dict[str, T]) -> dict[str, T]:
    """What is printed at all."""
    return {name: found for name, found in held.items() if found}


def neighbors(board: Map, place: str) -> tuple[str, ...]:
    """The enterable hexes that touch `place`, clockwise from the north (or north-east).

    On a map of points: the points that a line joins to it, in the order of the lines.
    """
    if not board.grid.sheets:
        return _joined(board, place)
    enterable = frozenset(board.hexes)
    return tuple(near for near in touching(board.grid, place) if near in enterable)


def coordinates(board: Map, place: str) -> tuple[int, int]:
    """The doubled coordinates of a hex of the grid, whether a unit may enter it or not."""
    found = locate(board.grid, place)
    if found is None:
        raise KeyError(place)
    return found


def centres(board: Map) -> tuple[tuple[int, int], ...]:
    """The doubled coordinates of the hexes, each on its own map; the maps of a book lie in no place to one another."""
    found = (locate(part.grid, h) for part in parts_of(board) for h in part.hexes)
    return tuple(at for at in found if at is not None)


def distance(board: Map, start: str, goal: str) -> int:
    """The hexes from one to the other over the bare grid, sea and edges disregarded."""
    ax, ay = coordinates(board, start)
    bx, by = coordinates(board, goal)
    along, across = abs(ax - bx), abs(ay - by)
    if board.grid.staggered == "columns":
        along, across = across, along
    return across + max(0, (along - across) // 2)


def touching(grid: Grid, place: str) -> tuple[str, ...]:
    """The ids of the grid around `place`, in fixed order, sea included, edges left out."""
    at = locate(grid, place)
    if at is None:
        return ()
    steps = _ROW_STEPS if grid.staggered == "rows" else _COLUMN_STEPS
    around = (hex_at(grid, (at[0] + dx, at[1] + dy)) for dx, dy in steps)
    return tuple(near for near in around if near is not None)


def all_touching(grid: Grid, places: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The same of many hexes at once, of which those count that are among them and not hidden by another sheet."""
    steps = _ROW_STEPS if grid.staggered == "rows" else _COLUMN_STEPS
    where = {place: locate(grid, place) for place in places}
    top = {at: place for place, at in where.items() if at is not None and hex_at(grid, at) == place}
    found: dict[str, tuple[str, ...]] = {}
    for place, at in where.items():
        around = [] if at is None else [top.get((at[0] + dx, at[1] + dy)) for dx, dy in steps]
        found[place] = tuple([near for near in around if near is not None])
    return found


def touch(grid: Grid, one: str, other: str) -> bool:
    """Whether two hexes share a side."""
    return other in touching(grid, one)


def locate(grid: Grid, place: str) -> tuple[int, int] | None:
    """The doubled coordinates of an id, or None where the grid has no such id."""
    for sheet in grid.sheets:
        numbers = split_id(sheet, place)
        if numbers is not None:
            return _place(grid, sheet, *numbers)
    return None


def hex_at(grid: Grid, at: tuple[int, int]) -> str | None:
    """The id at doubled coordinates, on the sheet on top, or None where no sheet reaches."""
    return next(ids_at(grid, at), None)


def ids_at(grid: Grid, at: tuple[int, int]) -> Iterator[str]:
    """Every id at doubled coordinates, from the sheet on top down."""
    for sheet in grid.sheets:
        numbers = _number(grid, sheet, at)
        if numbers is not None:
            yield spell_id(sheet, *numbers)


def split_id(sheet: Sheet, place: str) -> tuple[int, int] | None:
    """(row, column) that an id spells on this sheet, or None when it is not of this sheet."""
    if not place.startswith(sheet.prefix):
        return None
    rest = place[len(sheet.prefix) :]
    if sheet.lettered:
        spelled = _LETTERED.match(rest)
        if spelled is None or spelled[3].startswith("0"):
            return None
        row, column = 26 * len(spelled[2]) + ord(spelled[1]) - 64, int(spelled[3])
    else:
        first, second = sheet.digits
        one, dot, other = rest.partition(".") if sheet.dotted else (rest[:first], ".", rest[first:])
        if not dot or len(rest) > 12 or not (rest.isascii() and one.isdigit() and other.isdigit()):
            return None
        if (one, other) != (f"{int(one):0{first}d}", f"{int(other):0{second}d}"):
            return None
        row, column = int(one), int(other)
        if not sheet.rows_first:
            row, column = column, row
    return (row, column) if _within(sheet, row, column) else None


def spell_id(sheet: Sheet, row: int, column: int) -> str:
    """The id of a row and column, as the sheet prints it."""
    if sheet.lettered:
        letter = chr(65 + (row - 1) % 26)
        return f"{sheet.prefix}{letter * (1 + (row - 1) // 26)}{column}"
    first, second = (row, column) if sheet.rows_first else (column, row)
    between = "." if sheet.dotted else ""
    return f"{sheet.prefix}{first:0{sheet.digits[0]}d}{between}{second:0{sheet.digits[1]}d}"


def _within(sheet: Sheet, row: int, column: int) -> bool:
    low, high = sheet.columns or (1, 10**6)
    return sheet.rows[0] <= row <= sheet.rows[1] and low <= column <= high


def _place(grid: Grid, sheet: Sheet, row: int, column: int) -> tuple[int, int]:
    """Doubled coordinates of printed numbers; the stagger follows the printed parity."""
    parity = 1 if grid.shifted == "odd" else 0
    across, down = sheet.offset
    if grid.staggered == "rows":
        x, y = 2 * column + (row % 2 == parity), row
        across *= 2
    else:
        x, y = column, 2 * row + (column % 2 == parity)
        down *= 2
    return (-x if sheet.from_east else x) + across, (-y if sheet.from_south else y) + down


def _number(grid: Grid, sheet: Sheet, at: tuple[int, int]) -> tuple[int, int] | None:
    """Printed (row, column) of doubled coordinates, or None where this sheet has no hex."""
    across, down = sheet.offset
    if grid.staggered == "rows":
        across *= 2
    else:
        down *= 2
    x, y = at[0] - across, at[1] - down
    x, y = -x if sheet.from_east else x, -y if sheet.from_south else y
    row, column = (y, x // 2) if grid.staggered == "rows" else (y // 2, x)
    if not _within(sheet, row, column) or _place(grid, sheet, row, column) != at:
        return None
    return row, column


def _joined(board: Map, place: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for chains in board.lines.values():
        for _, chain in chains:
            for here, there in itertools.pairwise(chain):
                if here == place:
                    found[there] = None
                elif there == place:
                    found[here] = None
    return tuple(found)
