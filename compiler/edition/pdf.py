"""An edition as PDF.

In:  the page of an edition.
Out: the bytes of a PDF, the same for the same page.
Reports: `NoPdf` where the extra is not installed, or the libraries that it needs are not there.
"""

from __future__ import annotations

import hashlib
import logging
from typing import Any


class NoPdf(Exception):
    """PDF cannot be written here."""


def library() -> Any:
    """WeasyPrint, or the reason why it is not to be had."""
    try:
        import weasyprint
        import weasyprint.urls
    except ImportError as error:
        raise NoPdf("PDF needs the extra pdf: pip install 'rulewright[pdf]'") from error
    except OSError as error:
        raise NoPdf(f"WeasyPrint is installed, and a library that it needs is not: {error}") from error
    return weasyprint


def pdf(page: str) -> bytes:
    """The page as PDF; nothing is fetched for it."""
    weasyprint = library()
    logging.getLogger("weasyprint").setLevel(logging.ERROR)
    made = weasyprint.HTML(string=page, url_fetcher=weasyprint.urls.URLFetcher(allowed_protocols=()))
    return bytes(made.write_pdf(pdf_identifier=hashlib.sha256(page.encode()).digest()[:16], pdf_tags=True))
