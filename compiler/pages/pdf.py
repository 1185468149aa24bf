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


def weasyprint() -> Any:
    """The library, or the reason why it is not to be had."""
    try:
        import weasyprint
        import weasyprint.urls
    except ImportError as error:
        raise NoPdf("a PDF needs the extra pdf: pip install 'rulewright[pdf]'; or write HTML and print it") from error
    except OSError as error:
        raise NoPdf(f"WeasyPrint is installed, and a library that it needs is not: {error}") from error
    return weasyprint


def pdf_of(page: str) -> bytes:
    """The page as PDF; nothing is fetched from anywhere."""
    library = weasyprint()
    logging.getLogger("weasyprint").setLevel(logging.ERROR)
    made = library.HTML(string=page, url_fetcher=library.urls.URLFetcher(allowed_protocols=()))
    return bytes(made.write_pdf(pdf_identifier=hashlib.sha256(page.encode()).digest()[:16], pdf_tags=True))
