"""Write an errata sheet to a file, in the form that its ending names.

In:  a diff.
Out: HTML, Markdown or PDF. The small maps of Markdown are files in a folder beside it, named after it: `may.md` has
     `may_maps/`. A sheet without positions has no such folder; what else lies in one is left alone.
"""

from __future__ import annotations

from pathlib import Path

from ..diff.compare import Diff
from ..pages.pdf import pdf_of
from .html import render_html
from .markdown import render_markdown
from .page import page_of
from .pictures import pictures_of


def sheet_text(made: Diff, form: str, detail: bool = False) -> str:
    """The page as `html` or `md`."""
    page = page_of(made, detail)
    return render_markdown(page) if form == "md" else render_html(page)


def write_sheet(made: Diff, path: Path, detail: bool = False) -> None:
    """The file; the ending is one of `.html`, `.md`, `.pdf`."""
    if path.suffix == ".md":
        page = page_of(made, detail)
        pictures, folder = pictures_of(page), path.with_name(f"{path.stem}_maps")
        if pictures:
            folder.mkdir(exist_ok=True)
        for picture in pictures.values():
            (folder / picture.name).write_bytes(picture.svg.encode())
        path.write_bytes(render_markdown(page, pictures, folder.name).encode())
        return
    text = sheet_text(made, path.suffix.removeprefix("."), detail)
    path.write_bytes(pdf_of(text) if path.suffix == ".pdf" else text.encode())
