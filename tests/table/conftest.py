"""Rooms and servers for tests of the table; skipped, with the reason, where the extra `table` is not installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

LACKING = [name for name in ("starlette", "uvicorn", "websockets", "httpx") if importlib.util.find_spec(name) is None]
collect_ignore_glob = ["test_*.py"] if LACKING else []
BOOKS = Path(__file__).parents[1] / "books"


@pytest.fixture
def shelf(tmp_path: Path):
    from rulewright.table.shelf import Shelf

    return Shelf(tmp_path / "games")


@pytest.fixture
def rooms(shelf) -> Iterator[Callable]:
    """Opens a new table of a book, or again the table of a card."""
    from rulewright.compiler import load
    from rulewright.table.links import new_links
    from rulewright.table.room import Room

    made = []

    def room(book: str, scenario: str = "", players: dict[str, str] | None = None, card=None):
        if card is None:
            rules = str(BOOKS / book) if book.endswith(".rules") else book
            sides = load(rules).program.sides
            words = {side: (players or {}).get(side, "person") for side in sides}
            card = shelf.new(rules, scenario, "", words, new_links([s for s in sides if words[s] == "person"]))
            card.seed = 5
            shelf.keep(card)
        made.append(Room(card, shelf))
        made[-1].run(None)
        return made[-1]

    yield room
    for each in made:
        each.table.game.journal.close()
