"""Pages as PDF, by WeasyPrint, which the extra `pdf` installs.

In:  a self-contained page of HTML.
Out: the bytes of a PDF, the same for the same page.
Reports: `NoPdf` where the extra is not installed, or the libraries that it needs are not there.

WeasyPrint lays out print styles, columns and inline SVG without a browser; it is BSD-licensed and kept up.
"""

from __future__ import annotations

import hashlib
import logging
from typing import Any


class NoPdf(Exception):
    """Why no PDF can be made here, in one line."""


def pdf_of(page: str) -> bytes:
    """The page as PDF; nothing is fetched from anywhere."""
    try:
        from weasyprint import HTML
    except ImportError as error:
        raise NoPdf("a PDF needs the extra pdf: pip install 'rulewright[pdf]'; or write HTML and print it") from error
    except OSError as error:
        raise NoPdf(f"WeasyPrint is installed, and a library that it needs is not: {error}") from error
    logging.getLogger("weasyprint").setLevel(logging.ERROR)
    made = HTML(string=page, url_fetcher=refuse)
    found: Any = made.write_pdf(pdf_identifier=hashlib.sha256(page.encode()).digest()[:16], pdf_tags=True)
    return bytes(found)


def refuse(url: str, *_: Any, **__: Any) -> Any:
    """A page holds all that it shows; what it names outside is not there."""
    raise ValueError(f"a page fetches nothing, and {url} was asked for")
