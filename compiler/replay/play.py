"""From a book or a save to the page of a replay.

In:  a loaded rule set, the game at its beginning, its choices, and the side that looks on.
Out: the text of the page.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.runtime.game import Game
from rulewright.runtime.telling.secrecy import keeps_secrets
from rulewright.runtime.telling.words import heading, plain
from rulewright.runtime.text import Choice

from ..core.maps import one_map
from ..loader import Loaded, analysed
from ..pages.draw_map import draw
from ..pages.html import short
from ..pages.map.style import style_of
from .page import About, replay_page
from .record import record
from .seen import Onlooker


def replay(loaded: Loaded, game: Game, choices: Iterable[Choice], side: str | None) -> str:
    """The page of a game: `game` stands at its beginning and is played on by `choices`."""
    book = analysed(loaded).book
    assert book is not None
    program, style = loaded.program, style_of(book)
    board = one_map(book.map, game.state.map) if book.map is not None else None
    onlooker = Onlooker(book, program, board, style, side)
    made = record(game, choices, onlooker, side)
    title = book.title or short(loaded.name)
    picture = draw(board, style, title=title) if board is not None else None
    info = program.scenarios.get(game.journal.header.scenario)
    scenario = (info.title if info is not None else "") or plain(game.journal.header.scenario)
    about = About(
        title=title,
        rules=short(loaded.name),
        scenario=scenario,
        side=heading(program, "kind:side", side) if side is not None else "",
        notes=notes(game, side),
    )
    return replay_page(made, onlooker, picture, about)


def notes(game: Game, side: str | None) -> list[str]:
    """What a reader should know of the page."""
    program, found = game.program, []
    if side is not None:
        found.append("The page holds what this side may know, and nothing else.")
    elif keeps_secrets(program):
        held = "The page holds everything, also what sides keep from one another"
        found.append(f"{held}." if game.over else f"{held}: do not send it to a player while the game goes on.")
    if game.journal.header.before:
        found.append("Other rules were in force before the beginning that is shown.")
    if program.house:
        found.append("Charts, counters or maps that the rules text lacks are house stand-ins.")
    return found
