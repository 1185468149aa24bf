"""Take the pictures of docs/gallery.md again: the maps and counters of the books, as their style blocks describe them.

In:  the books, and the tutorial game of docs/language.md.
Out: docs/gallery/*.svg, the same bytes for the same books. `make gallery` runs this; a test compares.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.compiler.cache.incremental import memory_of
from rulewright.compiler.core.book import Book
from rulewright.compiler.core.maps import one_map
from rulewright.compiler.pages.draw_map import ALWAYS, NEVER, draw_map, usual_ids
from rulewright.compiler.pages.map import counters
from rulewright.compiler.pages.map.paper import SANS, num, said
from rulewright.compiler.pages.map.position import pieces, standing, starting
from rulewright.compiler.pages.map.sheet import Piece
from rulewright.compiler.pages.map.style import style_of
from rulewright.compiler.passes.elaborate import elaborate
from rulewright.compiler.pipeline import PASSES, Compiled, analyse, run

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "gallery"
TUTORIAL = re.compile(r"<!-- rules: continues causeway -->\n```rules\n(.*?)```", re.DOTALL)
BOOKS = ("trc", "tdv", "fite", "fragment")
COUNTERS = (*BOOKS, "caseblue")
MAPS = {"fite": "whole"}
"""Which of its maps is drawn of a book with several."""
LARGE = 5000
"""A map of so many hexes would be half again as long with an id for each."""
ACROSS = 14
ROOM = 46.0


@cache
def book(name: str) -> Book:
    """A book as far as pictures need it: its map, counters and style."""
    made = run(PASSES[: PASSES.index(elaborate)], Compiled(name=name, memory=memory_of(name, (), ROOT)))
    assert made.symbols is not None and not made.report.failed, name
    return made.symbols.book.finished()


def whole(name: str, on: str = "") -> str:
    """The map of a book; of several, the one of that name."""
    found = book(name)
    assert found.map is not None
    board = one_map(found.map, on)
    ids = usual_ids(board) if len(board.hexes) < LARGE else NEVER
    return draw_map(board, style_of(found), ids=ids, title=found.title)


def scene(name: str, scenario: str, around: str) -> str:
    """The part of a set-up round one hex."""
    found = analyse(name).book
    assert found is not None and found.map is not None
    return draw_map(found.map, style_of(found), starting(found, scenario), around=around, ids=ALWAYS)


def set_up(name: str, scenario: str) -> str:
    """The map of a scenario with its counters."""
    found = analyse(name).book
    assert found is not None and found.map is not None
    board = one_map(found.map, found.scenarios[scenario].map)
    title = found.scenarios[scenario].title
    return draw_map(board, style_of(found), starting(found, scenario), ids=usual_ids(board), title=title)


def tutorial() -> str:
    """The game that Part 1 of the language page builds, with its counters where they start."""
    text = "\n".join(TUTORIAL.findall((ROOT / "docs" / "language.md").read_text(encoding="utf-8")))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "causeway.rules"
        path.write_text(text[: text.index("variant flood")], encoding="utf-8")
        found = book(str(path))
    assert found.map is not None
    units: dict[str, list[str]] = {}
    for unit in found.units:
        units.setdefault(unit.start or "", []).append(unit.name)
    return draw_map(found.map, style_of(found), standing(found, units), ids=ALWAYS, title=found.title)


def counter_sheet() -> str:
    """One counter of each look of every book, book by book."""
    parts: list[str] = []
    defs: set[str] = set()
    y = 0.0
    for name in COUNTERS:
        found = book(name)
        style = style_of(found)
        first: dict[tuple[str, str, str], Piece] = {}
        for unit, fields in pieces(found).items():
            look = style.counter(fields)
            if look.symbol:
                first.setdefault((look.color, look.shape, look.symbol), Piece(name=unit, fields=fields))
        defs |= set(counters.symbols([style.counter(p.fields).symbol for p in first.values()], "g"))
        parts.append(f'<text x="8" y="{num(y + 24)}" font-size="15">{said(found.title, 60)}</text>')
        y += 36
        for k, piece in enumerate(first.values()):
            spot = (8 + ROOM / 2 + ROOM * (k % ACROSS), y + ROOM / 2 + ROOM * (k // ACROSS))
            parts.append(counters.counter(piece, style, "g", spot))
        y += ROOM * -(-len(first) // ACROSS) + 8
    wide, high = 16 + ROOM * ACROSS, y + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(wide)} {num(high)}" width="{num(wide)}"'
        f' height="{num(high)}" role="img" font-family="{SANS}"><title>Counters</title>'
        f'<rect width="{num(wide)}" height="{num(high)}" fill="#fdfbf4"/><defs>{"".join(sorted(defs))}</defs>'
        + "\n".join(parts)
        + "</svg>\n"
    )


PICTURES = {
    **{f"{name}.svg": (lambda name=name: whole(name, MAPS.get(name, ""))) for name in BOOKS},
    "causeway.svg": tutorial,
    "counters.svg": counter_sheet,
    "trc-frontier.svg": lambda: scene("trc", "frontier", "N23"),
    "caseblue.svg": lambda: whole("caseblue+whole", "whole"),
    "rostov.svg": lambda: set_up("caseblue", "rostov"),
    "stalingrad.svg": lambda: set_up("caseblue", "stalingrad"),
}
"""Every picture by its file."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
