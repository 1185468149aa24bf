"""Pages: what all HTML that we write has in common.

In:  the name of a template and what it is to show.
Out: text; the same bytes for the same input. All pages share one stylesheet, `templates/page.css.j2`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2

TEMPLATES = Path(__file__).with_name("templates")


def environment(**filters: Callable[..., Any]) -> jinja2.Environment:
    """Templates of pages: whatever is put into them is escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(filters)
    return made


def stylesheet() -> str:
    """The one stylesheet: it holds no markup, so that it can stand in a page or in a file of its own."""
    return (TEMPLATES / "page.css.j2").read_text(encoding="utf-8")


def short(name: str) -> str:
    """A rule set's name without the folders it was found in: a page tells nobody where it was made."""
    return "+".join(part.rpartition("/")[2].removesuffix(".rules") for part in name.split("+"))
