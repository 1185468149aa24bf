"""The errata sheet as Markdown, for a forum, a wiki or a merge request.

In:  the page as a model.
Out: text; positions are told in words, for Markdown holds no pictures of its own, and shown where the small maps are
     files in a folder beside it. Whatever a book's text holds is printed as text: signs that mean something in Markdown
     or HTML are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from ..pages.map.paper import spelt
from .lines import Line
from .page import FOOT, Change, Entry, Page
from .pictures import Picture
from .printed import Grid

SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
OPENING = re.compile(r"\A(\s*)([-+=]|\d+[.)])(?=\s)")


Pictures = Mapping[str, Picture]


def render_markdown(page: Page, pictures: Pictures | None = None, folder: str = "") -> str:
    """The page; `pictures` are files in `folder`, which lies beside it."""
    return "\n".join(lines(page, pictures or {}, folder)).rstrip("\n") + "\n"


def text(value: object) -> str:
    """A text on one line, with every sign escaped that Markdown or HTML would take for its own."""
    flat = " ".join(spelt(x) for x in str(value).split())
    escaped = SIGNS.sub(r"\\\1", flat)
    return OPENING.sub(lambda m: f"{m[1]}\\{m[2]}" if len(m[2]) == 1 else f"{m[1]}{m[2][:-1]}\\{m[2][-1]}", escaped)


def lines(page: Page, pictures: Pictures, folder: str) -> Iterator[str]:
    yield f"# {text(page.title)}"
    yield ""
    yield from (f"{word}: {text(said)}  " for word, said in page.about)
    yield ""
    yield text(page.summary)
    if page.remarks:
        yield ""
        yield text(" ".join(page.remarks))
    for part in page.parts:
        if part.title:
            yield ""
            yield f"## {text(part.title)}"
        if part.about:
            yield ""
            yield text(part.about)
        for entry in part.entries:
            yield ""
            yield from item(entry, "###" if part.title else "##", page.detail, pictures, folder)
    yield from balance(page)
    if page.saves:
        yield from ("", "## Games under way", "")
        yield from (
            f"- {text(s['save'])}: {text(s['answer'])}" + (f" ({text(s['reason'])})" if s["reason"] else "")
            for s in page.saves
        )
    yield ""
    yield text(f"{FOOT} Written by {page.made_by}.")


def item(e: Entry, head: str, detail: bool, pictures: Pictures, folder: str) -> Iterator[str]:
    yield f"{head} {text(e.case)} {text(e.title)}" + (f" ({text(e.nature)})" if e.nature else "")
    if e.state:
        yield ""
        yield text(e.state)
    for change in e.changes:
        yield from changed(change, detail, pictures, folder)
    for grid in e.chances:
        yield from drawn(grid)
    if e.effects:
        yield ""
        yield f"**{text(' '.join(e.effects))}**"
    for note in e.notes:
        yield ""
        yield f"Note: {text(note)}"


def changed(change: Change, detail: bool, pictures: Pictures, folder: str) -> Iterator[str]:
    home = text(change.home) + (" (house)" if change.house else "")
    if home.strip():
        yield ""
        yield f"On {home.strip()}:" if change.home else f"{home.strip()}:"
    if change.lines:
        yield ""
        for line in change.lines:
            yield from nested(line, "")
    for grid in change.grids:
        yield from drawn(grid)
    if change.shown is not None:
        s = change.shown
        if (picture := pictures.get(s.picture)) is not None:
            yield ""
            yield f"![{text(picture.alternative)}]({quote(folder)}/{quote(picture.name)})"
        yield ""
        given = f"{text(s.given)} " if s.given else ""
        stands = f" {text(s.stands)}" if s.stands else ""
        yield f"> {given}{text(s.asked)} **Was** {text(s.was)}, **is** {text(s.now)}.{stands}"
        if detail:
            yield ""
            for code in (s.example, "before:", *s.trails[0], "after:", *s.trails[1]):
                yield from (f"    {spelt(x)}" for x in code.split("\n"))
    for said in change.details:
        yield ""
        yield text(said)


TAGS = {"was": "*was:* ", "is": "*is:* ", "new": "*new:* ", "gone": "*gone:* ", "same": "", "kept": ""}


def nested(line: Line, indent: str) -> Iterator[str]:
    mark = "~~" if line.sort == "was" else "**"
    said = " ".join(f"{mark}{text(r.text)}{mark}" if r.changed else text(r.text) for r in line.runs)
    yield f"{indent}- {TAGS[line.sort]}{said}"
    for below in line.below:
        yield from nested(below, indent + "  ")


def drawn(g: Grid) -> Iterator[str]:
    yield ""
    yield f"{text(g.caption)}:"
    yield ""
    yield f"| {' | '.join(text(x) or ' ' for x in g.heads)} |"
    yield f"|{'---|' * len(g.heads)}"
    yield from (f"| {' | '.join(text(x) for x in row)} |" for row in g.rows)


def players(found: dict[str, Any]) -> str:
    """Who measured the balance."""
    return " and ".join(x["name"] for x in found["players"]["after"])


def balance(page: Page) -> Iterator[str]:
    found = page.balance
    if not found:
        return
    yield from ("", "## Balance", "")
    yield (
        f"{found['games']} games of {text(found['scenario'])} between {text(players(found))} under each rule set "
        f"with the same seeds; {found['turned']} have another winner."
    )
    rows = tuple(
        (side, str(row["before"]), str(row["after"]), f"{row['shift']:+.1%}") for side, row in found["sides"].items()
    )
    yield from drawn(Grid("Wins before and after", ("side", "before", "after", "shift"), rows))
