"""Read maps.

In:  the raw entries of a map block, each (key, value, line), and a callback for findings.
Out: a `Map` with every hex known, every side and line between hexes that touch.
Reports: RW701 entry not understood, RW702 unknown hex, RW703 given twice, RW704 hexes that do
not touch, RW705 bad range.

Entries, in any order (`grid`, `sheet` and `hexes` are read first):

    map: eastern_front                               the name; also the block's own heading
    grid: rows A..QQ, columns from the east          lettered rows
    grid: columns 01..60, rows 01..40                ids like 4025: column, then row
    sheet 1B/: rows 01..50, columns 01..40 from the east, offset 0 0
    sheet J: columns 1..62, rows 01..35 from the south, ids like J4.33, over G and H
    points: Paris, Rouen                             a map without a grid
    hexes: A3..A24, B7      water: HH20              name Moscow: Q9
    terrain woods: K12..K14     city: Q9             sides coast: KK19/KK20
    lines rail: T14 T13 S12     lines river Don: ... box Reserve     track turn: 1..25
    shares ids with: front                           ids and names that both maps have are the same hexes in print
    default: yes                                     of several maps, the one that is played on where none is named
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, TypeVar

from ..core.case_order import by_name
from ..core.maps import Chain, Grid, Map, Sheet, Side, hex_at, ids_at, locate, spell_id, split_id, touch

T = TypeVar("T")
Entry = tuple[str, str, int]
Report = Callable[[int, str, str, str], None]

_GEOMETRY = ("map", "grid", "sheet", "points")
NOTATION = (*_GEOMETRY, "default", "shares", "hexes", "water", "name", "sides", "lines", "box", "track")
"""Words that open a line of their own; every other word is a field."""
SHARES = "shares ids with"
_SPAN = re.compile(r"(\w+)\.\.(\w+)\Z")
_MOST_HEXES = 10_000
_LIKE = re.compile(r"ids like (\S+)\Z")
_TOUCH = re.compile(r"(odd|even) (rows|columns) touch n and n\+1\Z")


def read_map(entries: Sequence[Entry], report: Report) -> Map:
    """Build the map that the entries describe; whatever is wrong is reported and left out."""
    return _Reader(entries, report).read()


class _Reader:
    """Collects the entries of one block. Two walks: the geometry first, then what lies on it."""

    def __init__(self, entries: Sequence[Entry], report: Report) -> None:
        self.entries = entries
        self.report = report
        self.name = "map"
        self.grid = Grid()
        self.hexes: dict[str, None] = {}
        self.water: dict[str, None] = {}
        self.names: dict[str, str] = {}
        self.fields: dict[str, dict[str, str | bool]] = {}
        self.sides: dict[str, set[Side]] = {}
        self.lines: dict[str, list[Chain]] = {}
        self.boxes: dict[str, None] = {}
        self.tracks: dict[str, tuple[str, ...]] = {}
        self.over: dict[str, tuple[int, list[str]]] = {}

    def read(self) -> Map:
        self._read_geometry()
        for key, value, line in self._keyed("hexes", "water"):
            target = self.hexes if key == "hexes" else self.water
            for place in self._spread(value, line, known=False):
                if self._listed(place):
                    self.report(line, "RW703", f'hex "{place}" is listed twice', "strike one of the two")
                target[place] = None
        for key, value, line in self.entries:
            word, _, rest = key.partition(" ")
            if word not in (*_GEOMETRY, "default", "shares", "hexes", "water"):
                self._read_entry(word, rest.strip(), value.strip(), line)
        return self._finish()

    # -------------------------------------------------------------- geometry
    def _read_geometry(self) -> None:
        sheets: list[Sheet] = []
        staggered: Literal["rows", "columns"] | None = None
        shifted: Literal["odd", "even"] = "odd"
        for key, value, line in self._keyed(*_GEOMETRY):
            word, _, rest = key.partition(" ")
            if word == "map":
                self.name = rest or value.strip()
            elif word == "points":
                self.hexes.update(dict.fromkeys(_items(value)))
            else:
                sheet, stagger = self._read_sheet(rest.strip(), value, line)
                if sheet is not None:
                    sheets.append(sheet)
                if stagger is not None:
                    shifted = "odd" if stagger[0] == "odd" else "even"
                    staggered = "rows" if stagger[1] == "rows" else "columns"
        if staggered is None:
            by_column = bool(sheets) and not sheets[0].rows_first
            staggered = "columns" if by_column else "rows"
        sheets.sort(key=lambda sheet: by_name(sheet.prefix))
        self.grid = Grid(staggered=staggered, shifted=shifted, sheets=tuple(self._piled(sheets)))
        self._check_offsets()

    def _piled(self, sheets: list[Sheet]) -> Iterator[Sheet]:
        """The sheets from the top down: one that lies over another before it, else in the order of their names."""
        known = {sheet.prefix for sheet in sheets}
        for line, below in self.over.values():
            for name in (x for x in below if x not in known):
                help_ = "name sheets of this map: " + ", ".join(sorted(known))
                self.report(line, "RW701", f'there is no sheet "{name}" to lie over', help_)
        left = list(sheets)
        while left:
            free = [x for x in left if not any(x.prefix in self.over.get(y.prefix, (0, []))[1] for y in left)]
            if not free:
                line = min(self.over[x.prefix][0] for x in left if x.prefix in self.over)
                self.report(line, "RW701", "the sheets lie over each other in a circle", "strike one `over`")
                free = left
            left.remove(free[0])
            yield free[0]

    def _read_sheet(self, prefix: str, value: str, line: int) -> tuple[Sheet | None, tuple[str, str] | None]:
        spans: dict[str, tuple[str, str]] = {}
        flags = {"east": False, "south": False}
        offset, stagger, like = (0, 0), None, ""
        for part in _items(value):
            head, _, rest = part.partition(" ")
            edge = re.search(r"\s*from the (east|west|north|south)\Z", " " + rest)
            if edge:
                flags[edge[1]] = True
                rest = (" " + rest)[: edge.start()].strip()
            touched, moved = _TOUCH.match(part), re.match(r"offset (-?\d+) (-?\d+)\Z", part)
            span = _SPAN.match(rest)
            if touched:
                stagger = (touched[1], touched[2])
            elif moved:
                offset = (int(moved[1]), int(moved[2]))
            elif prefix and head == "over" and rest:
                self.over[prefix] = (line, [name.strip() for name in rest.split(" and ")])
            elif example := _LIKE.match(part):
                like = example[1]
            elif head in ("rows", "columns") and (span or edge):
                spans[head] = (span[1], span[2]) if span else ("", "")
            else:
                help_ = "write rows A..QQ, columns 01..60, offset 0 0, ids like J4.33, or odd rows touch n and n+1"
                self.report(line, "RW701", f'"{part}" does not describe a grid', help_)
                return None, None
        rows, columns = spans.get("rows", ("", "")), spans.get("columns", ("", ""))
        lettered = rows[0].isalpha()
        rows_first = lettered or next(iter(spans), "rows") == "rows"
        limits = _row_numbers(rows), _row_numbers(columns)
        if limits[0] is None or (not lettered and limits[1] is None):
            self.report(line, "RW705", "the grid has no first and last row", "write for instance rows A..QQ")
            return None, None
        digits = (len(rows[1]), len(columns[1])) if rows_first else (len(columns[1]), len(rows[1]))
        dotted = re.match(rf"{re.escape(prefix)}(\d+)\.(\d+)\Z", like, re.ASCII) if not lettered else None
        if dotted:
            digits = (len(dotted[1]), len(dotted[2]))
        sheet = Sheet(
            prefix=prefix,
            lettered=lettered,
            rows_first=rows_first,
            rows=limits[0],
            columns=limits[1],
            digits=digits,
            dotted=bool(dotted),
            from_east=flags["east"],
            from_south=flags["south"],
            offset=offset,
        )
        if like and split_id(sheet, like) is None:
            fits = spell_id(sheet, sheet.rows[0], (sheet.columns or (1, 1))[0])
            help_ = f"give an id that the sheet has, such as {fits}, or one with a dot between its numbers"
            self.report(line, "RW701", f'the sheet has no id like "{like}"', help_)
        return sheet, stagger

    def _check_offsets(self) -> None:
        """Sheets fit together only when their staggers agree: the sums x + y share one parity."""
        sums = set()
        for sheet in self.grid.sheets:
            first = spell_id(sheet, sheet.rows[0], (sheet.columns or (1, 1))[0])
            at = locate(self.grid, first)
            if at is not None:
                sums.add((at[0] + at[1]) % 2)
        if len(sums) > 1:
            line = next((line for key, _, line in self.entries if key.startswith("sheet")), 0)
            self.report(line, "RW701", "the sheets do not mesh", "move one sheet by a whole pair of rows")

    # -------------------------------------------------------------- contents
    def _read_entry(self, word: str, rest: str, value: str, line: int) -> None:
        match word:
            case "name":
                self._read_name(rest, value, line)
            case "sides":
                found = self.sides.setdefault(rest, set())
                found.update(side for item in _items(value) if (side := self._side(item, line)))
            case "lines":
                layer, _, called = rest.partition(" ")
                chains = self.lines.setdefault(layer, [])
                if chain := self._chain(value, line):
                    chains.append((called or None, chain))
            case "box":
                self.boxes.update(dict.fromkeys(_items(rest or value)))
            case "track":
                self.tracks[rest] = tuple(self._steps(value, line))
            case _ if word.isidentifier() and " " not in rest:
                self._read_field(word, rest or True, value, line)
            case _:
                message = f'entry "{word} {rest}" is not understood'
                self.report(line, "RW701", message, "see the notation of maps")

    def _read_name(self, name: str, value: str, line: int) -> None:
        if name in self.names:
            self.report(line, "RW703", f'place "{name}" is named twice', "strike one of the two")
        elif self._listed(top := self._top(value)):
            self.names[name] = top
        elif "/" in value and (side := self._side(value, line)):
            self.names[name] = "/".join(side)
        elif "/" not in value:
            self._unknown(value, line)

    def _read_field(self, name: str, mark: str | bool, value: str, line: int) -> None:
        held = self.fields.setdefault(name, {})
        for place in self._spread(value, line, known=True):
            if held.setdefault(place, mark) != mark:
                message = f'hex "{place}" has two values of {name}: {held[place]} and {mark}'
                self.report(line, "RW703", message, "a hex holds one value of a field; strike one")

    def _side(self, item: str, line: int) -> Side | None:
        """`A/B` as two hexes that touch; a sheet prefix may hold a slash of its own."""
        cuts = [at for at, letter in enumerate(item) if letter == "/"]
        splits = [(item[:at].strip(), item[at + 1 :].strip()) for at in cuts]
        for pair in splits:
            one, other = map(self._top, pair)
            if self._listed(one) and self._listed(other):
                if not touch(self.grid, one, other):
                    self._apart(one, other, line)
                    return None
                return (one, other) if self._order(one) < self._order(other) else (other, one)
        if splits:
            self._unknown(next(p for p in splits[0] if not self._listed(self._top(p))), line)
        else:
            self.report(line, "RW701", f'"{item}" is no hexside', "write two hexes with a slash between them")
        return None

    def _chain(self, value: str, line: int) -> tuple[str, ...]:
        places = tuple(self._top(place) for place in value.split())
        unknown = [place for place in places if not self._listed(place)]
        for place in unknown:
            self._unknown(place, line)
        for one, other in itertools.pairwise(places):
            if not unknown and self.grid.sheets and not touch(self.grid, one, other):
                self._apart(one, other, line)
                unknown.append(other)
        return () if unknown else places

    def _spread(self, value: str, line: int, *, known: bool) -> Iterator[str]:
        """The hexes of a comma list with ranges; `known` asks that the map lists them."""
        for item in _items(value):
            first, dots, last = item.partition("..")
            for place in self._between(first.strip(), last.strip(), line) if dots else (item,):
                top = self._top(place)
                if self._listed(top) if known else locate(self.grid, top):
                    yield top
                else:
                    self._unknown(place, line)

    def _between(self, first: str, last: str, line: int) -> Iterable[str]:
        for sheet in self.grid.sheets:
            low, high = split_id(sheet, first), split_id(sheet, last)
            if low and high and max(abs(low[0] - high[0]), abs(low[1] - high[1])) > _MOST_HEXES:
                break
            if low and high and low[0] == high[0] and low[1] <= high[1]:
                return [spell_id(sheet, low[0], column) for column in range(low[1], high[1] + 1)]
            if low and high and low[1] == high[1] and low[0] <= high[0] and not sheet.lettered:
                return [spell_id(sheet, row, low[1]) for row in range(low[0], high[0] + 1)]
        message = f'"{first}..{last}" is no range of hexes'
        self.report(line, "RW705", message, "give the lower number first, both ends in one row of one sheet")
        return ()

    def _steps(self, value: str, line: int) -> Iterator[str]:
        for item in _items(value):
            span = _SPAN.match(item)
            if span is None:
                yield item
            elif span[1].isdigit() and span[2].isdigit() and 0 <= int(span[2]) - int(span[1]) <= _MOST_HEXES:
                yield from (str(step) for step in range(int(span[1]), int(span[2]) + 1))
            else:
                self.report(line, "RW705", f'"{item}" is no range of numbers', "write the lower number first")

    # -------------------------------------------------------------- findings and order
    def _unknown(self, place: str, line: int) -> None:
        near = difflib.get_close_matches(place, [*self.hexes, *self.water], n=3)
        help_ = f"did you mean {', '.join(near)}?" if near else "add it to `hexes:` or correct the id"
        self.report(line, "RW702", f'unknown hex "{place}"', help_)

    def _apart(self, one: str, other: str, line: int) -> None:
        at = locate(self.grid, other)
        steps = [(dx, dy) for dx, dy in ((-2, 0), (2, 0), (0, -2), (0, 2))]
        near = [hex_at(self.grid, (at[0] + dx, at[1] + dy)) for dx, dy in steps] if at else []
        fits = [place for place in near if place and touch(self.grid, one, place)]
        help_ = f"did you mean {', '.join(fits)}?" if fits else "name every hex on the way"
        self.report(line, "RW704", f'hexes "{one}" and "{other}" do not touch', help_)

    def _top(self, place: str) -> str:
        """The id that a hex has on the sheet on top, whatever sheet it is named by."""
        if self._listed(place) or len(self.grid.sheets) < 2:
            return place
        at = locate(self.grid, place)
        return place if at is None else hex_at(self.grid, at) or place

    def _aliases(self) -> Iterator[tuple[str, str]]:
        """The ids of lower sheets, with the id of the same hex on the sheet on top."""
        if len(self.grid.sheets) > 1:
            for place in (*self.hexes, *self.water):
                at = locate(self.grid, place)
                yield from ((other, place) for other in ids_at(self.grid, at or (0, 0)) if other != place)

    def _listed(self, place: str) -> bool:
        return place in self.hexes or place in self.water

    def _keyed(self, *words: str) -> Iterator[Entry]:
        return (entry for entry in self.entries if entry[0].partition(" ")[0] in words)

    def _order(self, place: str) -> tuple[int, int, int, object]:
        for number, sheet in enumerate(self.grid.sheets):
            numbers = split_id(sheet, place)
            if numbers:
                return number, *numbers, ()
        return len(self.grid.sheets), 0, 0, by_name(place)

    def _finish(self) -> Map:
        order = cache(self._order)

        def ordered(places: Iterable[str]) -> tuple[str, ...]:
            return tuple(sorted(places, key=order))

        return Map(
            name=self.name,
            shares=next((value for key, value, _ in self.entries if key == SHARES), ""),
            grid=self.grid,
            hexes=ordered(self.hexes),
            water=ordered(self.water),
            names=by_names(self.names),
            fields={name: {p: held[p] for p in ordered(held)} for name, held in by_names(self.fields).items()},
            sides={
                name: tuple(sorted(found, key=lambda side: (order(side[0]), order(side[1]))))
                for name, found in by_names(self.sides).items()
            },
            lines={layer: tuple(sorted(chains, key=chained)) for layer, chains in by_names(self.lines).items()},
            boxes=tuple(sorted(self.boxes, key=by_name)),
            tracks=by_names(self.tracks),
            aliases=by_names(dict(self._aliases())),
        )


def by_names(held: Mapping[str, T]) -> dict[str, T]:
    """What a map holds under names, in the order of the names: lines of a map have no order."""
    return {name: held[name] for name in sorted(held, key=by_name)}


def chained(chain: Chain) -> tuple[str, tuple[str, ...]]:
    return chain[0] or "", chain[1]


def _items(value: str) -> list[str]:
    return [item.strip() for item in value.split(",") if item.strip()]


def _row_numbers(span: tuple[str, str]) -> tuple[int, int] | None:
    """Numbers of the ends of a span: A..QQ is 1..43, 01..40 is 1..40."""
    numbers = []
    for end in span:
        if end.isdigit():
            numbers.append(int(end))
        elif end.isalpha() and end.isupper() and len(set(end)) == 1:
            numbers.append(26 * (len(end) - 1) + ord(end[0]) - 64)
        else:
            return None
    return (numbers[0], numbers[1]) if numbers[0] <= numbers[1] else None
