"""Join the maps of a book into one board, whose parts do not touch.

In:  the maps that were read, each with the block that declares it.
Out: one map; of several the one that says `default: yes` comes first, else that of the lowest case.
Reports: RW201 a map that is not there, RW709 a hex, place or track that two maps have, maps laid out otherwise, two
         default maps.

A game is played on one of them. Ids and names are one to a book, so that `@A1` and a name mean one hex wherever they
stand, unless a map says that it shares them with another: then they mean the hex of the map in play, and inside the
book its hexes bear a mark. What maps print in hexes (terrain, rivers, roads) may be the same on all. A box that several
maps print is one box, and a box with the id of a hex of another map is that hex.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose

from ..core.case_order import by_name
from ..core.entries import Entry
from ..core.maps import Chain, Grid, Map, Part, Side, marked, touching
from .map_blocks import SHARES, by_names
from .schema import Line

Read = tuple[Entry, n.Data, dict[str, list[Line]], Map]
"""A map with its block and its lines by key."""


def join_maps(read: list[Read], report: Reporter) -> Map | None:
    """The one map of a book, or its maps as parts of one board."""
    check_shares(read, report)
    if len(read) < 2:
        return read[0][3] if read else None
    ordered = [
        (entry, data, lines, set_apart(data.name, board)) for entry, data, lines, board in first_map(read, report)
    ]
    check_apart(ordered, report)
    return joined([(data.name, board) for _, data, _, board in ordered])


def joined(maps: list[tuple[str, Map]]) -> Map:
    """Maps as parts of one board, their hexes map after map."""
    boards = [board for _, board in maps]
    listed = {h for m in boards for h in m.hexes}
    grid = boards[0].grid
    fields: dict[str, dict[str, str | bool]] = {}
    sides: dict[str, tuple[Side, ...]] = {}
    lines: dict[str, tuple[Chain, ...]] = {}
    for m in boards:
        for name, held in m.fields.items():
            fields.setdefault(name, {}).update(held)
        for name, crossed in m.sides.items():
            sides[name] = (*sides.get(name, ()), *crossed)
        for name, chains in m.lines.items():
            lines[name] = (*lines.get(name, ()), *chains)
    return Map(
        name=boards[0].name,
        grid=replace(grid, sheets=tuple(sheet for m in boards for sheet in m.grid.sheets)),
        hexes=tuple(dict.fromkeys(h for m in boards for h in m.hexes)),
        water=tuple(dict.fromkeys(h for m in boards for h in m.water)),
        names=by_names({name: at for m in boards for name, at in m.names.items()}),
        fields=by_names(fields),
        sides=by_names(sides),
        lines=by_names(lines),
        boxes=tuple(sorted({box for m in boards for box in m.boxes} - listed, key=by_name)),
        tracks=by_names({name: steps for m in boards for name, steps in m.tracks.items()}),
        aliases=by_names({other: top for m in boards for other, top in m.aliases.items() if other not in listed}),
        parts=tuple(
            Part(name=name, grid=m.grid, hexes=m.hexes, water=m.water, mark=mark_of(name) if m.shares else "")
            for name, m in maps
        ),
    )


def mark_of(name: str) -> str:
    return f"{name}:"


def set_apart(name: str, board: Map) -> Map:
    """A map that shares ids with another, its own under a mark."""
    return marked(board, mark_of(name)) if board.shares else board


def check_shares(maps: list[Read], report: Reporter) -> None:
    """Whether maps that share ids are there, and whether the hexes of both touch alike."""
    known = {data.name: board for _, data, _, board in maps}
    for entry, data, lines, board in maps:
        other = known.get(board.shares)
        if board.shares and (other is None or board.shares == data.name):
            names = [name for name in known if name != data.name]
            report.error(
                "RW201",
                lines[SHARES][0].span,
                f'there is no other map "{board.shares}"',
                help=choose(board.shares, names, "maps"),
                case=entry.case,
            )
        for one, two in otherwise(board, other) if other is not None else ():
            report.error(
                "RW709",
                lines[SHARES][0].span,
                f'the hexes "{one}" and "{two}" touch on one of the maps {board.shares} and {data.name} alone',
                help="ids that maps share are the same hexes in print: lay out the sheets of both alike",
                case=entry.case,
            )


def otherwise(one: Map, other: Map) -> Iterator[Side]:
    """The first two hexes that both maps have and that touch on one of them only."""
    both = {*one.hexes} & {*other.hexes}
    for place in (x for x in one.hexes if x in both and one.grid != other.grid):
        apart = {*touching(one.grid, place)} ^ {*touching(other.grid, place)}
        if near := sorted(apart & both, key=by_name):
            yield place, near[0]
            return


def first_map(read: list[Read], report: Reporter) -> list[Read]:
    """The maps of a rule set; the first is played on where none is named."""
    stated = [x for x in read if "default" in x[2]]
    for entry, _, lines, _ in stated[1:]:
        report.error(
            "RW709",
            lines["default"][0].span,
            f'two maps are the default one; "{stated[0][1].name}" of case {stated[0][0].case} says so too',
            help="strike one of the two default: lines",
            case=entry.case,
        )
    return stated[:1] + [x for x in read if x not in stated[:1]]


def check_apart(maps: list[Read], report: Reporter) -> None:
    """Report what two maps of a book cannot both have."""
    first, grid = maps[0][1].name, maps[0][3].grid
    hexes: dict[str, str] = {}
    names: dict[str, str] = {}
    tracks: dict[str, tuple[str, tuple[str, ...]]] = {}
    for entry, data, _, board in maps:
        report.case = entry.case
        if laid_out(board.grid) != laid_out(grid):
            report.error(
                "RW709",
                data.span,
                f'the map "{first}" has {laid_out(grid)}, the map "{data.name}" {laid_out(board.grid)}',
                help="the maps of a book are all laid out alike: stagger both by rows or both by columns",
            )
        for what, ids, known in (
            ("hex", (*board.hexes, *board.water, *board.aliases), hexes),
            ("place", tuple(board.names), names),
        ):
            twice = [x for x in ids if known.setdefault(x, data.name) != data.name]
            if twice:
                more = f" and {len(twice) - 1} more" if len(twice) > 1 else ""
                report.error(
                    "RW709",
                    data.span,
                    f'the {what} "{twice[0]}"{more} is on two maps: {known[twice[0]]} and {data.name}',
                    help=APART[what],
                )
        for track, steps in board.tracks.items():
            where, known_steps = tracks.setdefault(track, (data.name, steps))
            if known_steps != steps:
                report.error(
                    "RW709",
                    data.span,
                    f'the track "{track}" has other spaces on the map {where} than on {data.name}',
                    help="a track is one to a book: give both the same spaces, or one of them another name",
                )
    report.case = ""


APART = {
    "hex": "an id is one hex of the book: give the sheets of one map a letter (sheet N: …), or list the hex once; "
    "where both are the same hex in print, say so: shares ids with: MAP",
    "place": "a name is one place of the book: give it another name on one of the maps, or let them share ids",
}


def laid_out(grid: Grid) -> str:
    """How the hexes of a map lie, in words."""
    return f"staggered {grid.staggered}" if grid.sheets else "points"
