"""The template environment and stylesheet that all HTML pages share.

In:  the name of a template and its variables.
Out: text; the same bytes for the same input. All pages share one stylesheet, `templates/page.css.j2`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2

from ..core.case_marks import one_word

TEMPLATES = Path(__file__).with_name("templates")


def environment(**filters: Callable[..., Any]) -> jinja2.Environment:
    """The template environment; variables are escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(filters, one_word=one_word)
    return made


def stylesheet() -> str:
    """The stylesheet, free of markup, so that it can be inlined in a page or written to a file."""
    return (TEMPLATES / "page.css.j2").read_text(encoding="utf-8")


def short(name: str) -> str:
    """The name of a rule set without the folder it was found in: pages hold no path of the machine that made them."""
    return "+".join(part.rpartition("/")[2].removesuffix(".rules") for part in name.split("+"))
