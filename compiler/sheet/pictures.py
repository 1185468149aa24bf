"""The small maps of a sheet as files of their own, for Markdown, which holds no pictures.

In:  the page as a model.
Out: for every small map its name as a file (by the item, `9.2.svg`, `9.2-2.svg`), what the file holds, and what stands
     for it where pictures are not shown.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from html import unescape

from ..pages.map.small import NAMESPACE
from .page import Page

NAME = re.compile(r"[^0-9A-Za-z.]+")
SAID = re.compile(r"<(title|desc)\b[^>]*>([^<]*)</\1>")
"""What a picture says of itself: its own title and description stand before those of its counters."""
PAPER = ' style="background:#ffffff"'
"""A page of its own may be dark."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One file."""

    name: str
    svg: str
    alternative: str


def pictures_of(page: Page) -> dict[str, Picture]:
    """The pictures by the small map that they hold, in the order of the page."""
    found: dict[str, Picture] = {}
    seen: Counter[str] = Counter()
    for part in page.parts:
        for entry in part.entries:
            stem = NAME.sub("-", entry.case).strip("-.").lower() or "item"
            for change in entry.changes:
                drawn = change.shown.picture if change.shown is not None else ""
                if drawn and drawn not in found:
                    seen[stem] += 1
                    name = f"{stem}.svg" if seen[stem] == 1 else f"{stem}-{seen[stem]}.svg"
                    found[drawn] = Picture(name, alone(drawn), alternative(drawn))
    return found


def alone(drawn: str) -> str:
    """A picture of a page as a file."""
    return drawn.replace("<svg", f"<svg{NAMESPACE}{PAPER}", 1).rstrip("\n") + "\n"


def alternative(drawn: str) -> str:
    """The title of a picture and its description in words."""
    said = [unescape(m[2]).replace("_", " ").strip() for m in SAID.finditer(drawn)][:2]
    return ". ".join(x[:1].upper() + x[1:] for x in said if x)
