"""Print an edition as one page of HTML.

In:  an edition, and what changed since an earlier one.
Out: one file without outside parts and without a script; the same bytes for the same edition. Texts of a book are
     escaped, and marks in them that would steer a reader (U+202E) are spelt out.
"""

from __future__ import annotations

from typing import Any

from markupsafe import Markup, escape

from ..core.case_marks import one_word
from ..doc.cases import cited
from ..pages.html import TEMPLATES, environment
from ..pages.map.paper import spelt
from .history import latest
from .parts import Changes, Edition, Part


def render(edition: Edition, since: Changes | None = None) -> str:
    """The page of an edition."""
    known = edition.cases()

    def prose(text: str) -> Markup:
        """A text with the case numbers in it linked."""
        out, at = Markup(""), 0
        for start, end, case in cited(text, known):
            out, at = out + escape(spelt(text[at:start])) + link(case), end
        return out + escape(spelt(text[at:]))

    def barred(case: str, part: Part) -> bool:
        """Whether a part stands beside a change bar."""
        change = since.cases.get(case) if since is not None else None
        return change is not None and part.text in change.new

    made = environment(prose=prose, link=link, anchor=anchor)
    made.finalize = plain
    page = made.get_template("edition.html.j2")
    style = Markup((TEMPLATES / "edition.css.j2").read_text(encoding="utf-8"))
    return page.render(e=edition, since=since, barred=barred, latest=latest, style=style)


def plain(value: Any) -> Any:
    """A value as a template prints it; texts with steering marks spelt out."""
    return spelt(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def link(case: str) -> Markup:
    return Markup('<a href="#{}">{}</a>').format(anchor(case), spelt(case))


def anchor(case: str) -> str:
    return f"case-{one_word(case)}"
