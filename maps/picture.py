"""What only the picture of a house map has: names of waters, land beyond the map, small lakes, banks of towns.

In:  waters.tsv and banks.tsv; of a board, the hex at a place, the course of each river as hexes, its land beyond.
Out: a file of the book with a `style` block; nothing in play rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from banks import PARTS

MOST = 18
LINE_WIDTH = 110

Spot = tuple[float, float]
Ring = Sequence[Spot]


def rows(*kinds: str) -> Iterator[tuple[str, str, str, str]]:
    """The lines of waters.tsv of these kinds."""
    for line in (Path(__file__).parent / "waters.tsv").read_text(encoding="utf-8").splitlines():
        kind, *rest = line.split("\t")
        if kind in kinds:
            name, rank, where = rest
            yield kind, name, rank, where


def seas(hex_at: Callable[[float, float], str | None]) -> Iterator[str]:
    """A line for each sea or lake whose point is water of this board; `hex_at` gives the id of such a hex."""
    named: set[str] = set()
    for _, name, rank, where in rows("sea", "lake"):
        spots = [tuple(float(x) for x in spot.split()) for spot in where.split(", ")]
        found = next((at for north, east in spots if (at := hex_at(north, east)) is not None), None)
        if found is not None and name not in named:
            named.add(name)
            yield f"shape {name}: name rank {rank} {found}"


def rivers(courses: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """A line for each river that has a name: hexes along it, among which the name finds its place."""
    for _, name, rank, parts in rows("river"):
        along = [at for part, course in courses.items() if PARTS.sub("", part) in parts.split() for at in course]
        inner = list(dict.fromkeys(along))
        if len(inner) > 4:
            inner = inner[len(inner) // 8 : len(inner) - len(inner) // 8]
            step = max(1, -(-len(inner) // MOST))
            yield f"shape {name}: river rank {rank} {', '.join(inner[::step])}"


def courses(board: str, spot_of: Callable[[float, float], Spot]) -> Iterator[str]:
    """A line for each water that only the picture of this board has; `spot_of` gives places in hexes, southwards."""
    for line in (Path(__file__).parent / "courses.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith(("#", "maps\t")):
            continue
        maps, name, look, where, *_ = line.split("\t")
        if board in maps.split():
            spots = [spot_of(*(float(x) for x in at.split())) for at in where.split(", ")]
            words = look if look == "water" else f"river {look}".strip()
            yield f"shape {name}: {words} {', '.join(f'{x:.2f} {y:.2f}' for x, y in spots)}"


def away(runs: Sequence[str]) -> Iterator[str]:
    """Land that is not in play."""
    if runs:
        yield f"shape beyond_the_map: land {', '.join(runs)}"


def ponds(rings: Mapping[str, Ring]) -> Iterator[str]:
    """Lakes smaller than a hex, by places in hexes from the corner of the grid."""
    for name, ring in rings.items():
        yield f"shape {name}_water: water {', '.join(f'{x:.2f} {y:.2f}' for x, y in ring)}"


def write(path: Path, case: str, script: str, lines: Sequence[str]) -> None:
    """The file: a style block of its own."""
    head = [
        "# Names of waters and what lies beyond the map, only for the picture;"
        f" `python maps/{script}.py` writes this file.",
        "",
        f"case {case}:",
        "  style waters:",
    ]
    body = [part for line in lines for part in folded(line)]
    path.write_text("\n".join([*head, *body]) + "\n", encoding="utf-8", newline="\n")


def folded(line: str) -> Iterator[str]:
    """A line of style, broken at commas."""
    indent = "    "
    while len(line) + len(indent) > LINE_WIDTH:
        at = line.rfind(", ", 0, LINE_WIDTH - len(indent)) + 1
        yield indent + line[:at]
        line, indent = line[at:].lstrip(), "      "
    yield indent + line
