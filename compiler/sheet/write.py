"""Write an errata sheet to a file, in the form that its ending names.

In:  a diff.
Out: HTML, Markdown or PDF.
"""

from __future__ import annotations

from pathlib import Path

from ..diff.compare import Diff
from ..pages.pdf import pdf_of
from .html import render_html
from .markdown import render_markdown
from .page import page_of


def sheet_text(made: Diff, form: str, detail: bool = False) -> str:
    """The page as `html` or `md`."""
    page = page_of(made, detail)
    return render_markdown(page) if form == "md" else render_html(page)


def write_sheet(made: Diff, path: Path, detail: bool = False) -> None:
    """The file; the ending is one of `.html`, `.md`, `.pdf`."""
    text = sheet_text(made, path.suffix.removeprefix("."), detail)
    path.write_bytes(pdf_of(text) if path.suffix == ".pdf" else text.encode())
