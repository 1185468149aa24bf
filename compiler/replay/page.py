"""A replay as one page of HTML: it opens from disk, asks no network, and holds no engine.

In:  a `Replay`, the onlooker that has seen it, the map as drawn for the gallery.
Out: the text of the page, the same bytes for the same input. The game lies in it once, compressed, as differences from
     step to step; what recurs (words, looks of counters) is told once.

The page's policy admits its own script and stylesheet by their hashes and nothing else.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from rulewright.runtime.program import Program
from rulewright.runtime.telling.words import capital, place

from ..pages.draw_map import Picture
from ..pages.html import TEMPLATES, environment
from ..pages.map.counters import SIZE, face, outline, short, sprite, symbols
from ..pages.map.sheet import Piece
from ..pages.map.signs import sign
from ..pages.map.style import CounterLook
from .record import Replay, Step
from .seen import Onlooker


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the page says of the game it shows."""

    title: str
    rules: str
    scenario: str
    side: str
    notes: Sequence[str] = ()


class Texts:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


def replay_page(replay: Replay, onlooker: Onlooker, picture: Picture | None, about: About) -> str:
    """The page."""
    texts = Texts()
    steps = [plain_step(step, texts) for step in replay.steps]
    data = {
        "steps": steps,
        "texts": list(texts.numbers),
        "units": units_named(onlooker, replay),
        "places": places_named(onlooker.program, picture),
        "hexes": onlooker.program.board.hexes,
        "map": picture.svg if picture is not None else "",
        "sprite": drawings(onlooker.looks, onlooker.drawn),
        "faces": [[look.symbol in sprite(), look.ink, faded(look)] for look in onlooker.looks],
        "ending": replay.ending,
    }
    packed = gzip.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 9, mtime=0)
    script = (TEMPLATES / "replay.js.j2").read_text(encoding="utf-8")
    style = (TEMPLATES / "replay.css.j2").read_text(encoding="utf-8")
    template = environment().get_template("replay.html.j2")
    return template.render(
        about=about,
        ending=replay.ending,
        choices=replay.choices,
        script=Markup(script),
        style=Markup(style),
        policy=policy(script, style),
        data=base64.b64encode(packed).decode(),
    )


def policy(script: str, style: str) -> str:
    """What the page may load and run: itself."""
    own = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    return (
        f"default-src 'none'; script-src 'sha256-{own[0]}'; style-src 'sha256-{own[1]}'; img-src blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def plain_step(step: Step, texts: Texts) -> dict[str, Any]:
    """A step as the page reads it; what is empty is left out."""
    found: dict[str, Any] = {"s": texts(step.said), "t": texts(step.turn), "f": texts(step.phase)}
    units = [[u, *(stand if stand is not None else ())] for u, stand in step.units.items()]
    told = {
        "w": texts(step.side) if step.side else None,
        "l": [texts(line) for line in step.lines],
        "y": [texts(line) for line in step.why],
        "u": units,
        "g": [[p, [list(mark) for mark in marks]] for p, marks in step.signs.items()],
        "c": [[p, n] for p, n in step.cups.items()],
        "p": [[texts(k), texts(v) if v is not None else -1] for k, v in step.panel.items()],
        "a": step.path,
    }
    return found | {key: value for key, value in told.items() if value not in (None, [])}


def units_named(onlooker: Onlooker, replay: Replay) -> list[Any]:
    """The names of the units that are ever seen, by number; a unit that never is has none."""
    seen = {u for step in replay.steps for u in step.units}
    names = onlooker.program.units
    return [[name, short(name)] if u in seen else 0 for u, name in enumerate(names[: max(seen, default=-1) + 1])]


def places_named(program: Program, picture: Picture | None) -> list[Any]:
    """Every place with what it is called, and its spot if the map has one."""
    spots: Mapping[str, tuple[float, float]] = picture.spots if picture is not None else {}
    found = []
    for p, id in enumerate(program.board.places):
        spot = spots.get(id) if p < program.board.hexes else None
        named = capital(place(program, p))
        found.append([named, round(spot[0], 1), round(spot[1], 1)] if spot is not None else [named])
    return found


def faded(look: CounterLook) -> bool:
    return any(badge == "fade" for badge, _, _ in look.badges)


def drawings(looks: Mapping[CounterLook, int], signs: Mapping[tuple[str, str], int]) -> str:
    """Every look of a counter and every sign as something to use: `k3`, `g1`."""
    parts = [*symbols((look.symbol for look in looks), "k")]
    for look, number in looks.items():
        body = "".join(face(Piece(name=""), look, "k"))
        parts.append(f'<g id="k{number}">{outline(look, SIZE / 2)}{body}</g>')
    for (kind, color), number in signs.items():
        parts.append(f'<g id="g{number}">{sign(kind, (0.0, 0.0), color)}</g>')
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{"".join(parts)}</defs></svg>'


__all__ = ["About", "policy", "replay_page"]
