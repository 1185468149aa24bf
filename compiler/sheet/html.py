"""The errata sheet as a page of HTML.

In:  the page as a model.
Out: one self-contained page: no script, no network, the same bytes for the same page. Every text of a book is escaped,
     and marks that would steer a reader's screen are spelt out.
"""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from ..pages.html import TEMPLATES, environment, stylesheet
from ..pages.map.paper import spelt
from .page import FOOT, Page

TAGS = {"was": "was", "is": "is", "new": "new", "gone": "gone"}


def render_html(page: Page) -> str:
    """The page."""
    pages = environment()
    pages.finalize = plain
    own = (TEMPLATES / "sheet.css.j2").read_text(encoding="utf-8")
    style = Markup(stylesheet() + own)
    return pages.get_template("sheet.html.j2").render(page=page, style=style, tags=TAGS, pictures=Markup, foot=FOOT)


def plain(value: Any) -> Any:
    """A text with control and direction marks spelt out; line breaks stay."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "\n".join(spelt(line) for line in value.split("\n"))
