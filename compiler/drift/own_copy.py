"""Read somebody's own copy of the printed rules: a text in any usual encoding, or a PDF.

In:  a file.
Out: its text.
Reports: `Unreadable`, in one line with what to do.
"""

from __future__ import annotations

import io
from pathlib import Path

from .fingerprints import Unreadable

MOST_BYTES = 64_000_000


def text_of_copy(path: Path) -> str:
    """The text of a file."""
    try:
        content = path.read_bytes() if path.stat().st_size <= MOST_BYTES else None
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror or error}") from None
    if content is None:
        raise Unreadable(f"{path} holds more than {MOST_BYTES} bytes; cut it into parts")
    text = text_of_pdf(path, content) if content.startswith(b"%PDF") else decoded(path, content)
    if not text.strip():
        raise Unreadable(f"{path} holds no text; a scanned page must be read by a text recognition first")
    return text


def decoded(path: Path, content: bytes) -> str:
    """Bytes as text: by their mark, as UTF-8, or as the western code page where that gives letters only."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if content.startswith(mark):
            try:
                return content.decode(encoding)
            except UnicodeDecodeError:
                raise Unreadable(f"{path} begins as {encoding} and does not go on so; save it as UTF-8") from None
    for encoding in ("utf-8", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(ord(c) < 32 and c not in "\t\n\r\f" for c in text):
            return text.replace("\r\n", "\n").replace("\r", "\n")
    raise Unreadable(f"{path} is no text in an encoding that is known here; save it as UTF-8")


def text_of_pdf(path: Path, content: bytes) -> str:
    """The text of a PDF, page by page."""
    try:
        from pypdf import PdfReader
    except ImportError:
        raise Unreadable(f"{path} is a PDF; pip install 'rulewright[drift]' reads it, or save it as text") from None
    try:
        return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
    except Exception as error:  # whatever a broken file makes of its reader
        told = str(error).splitlines()[0][:80] if str(error) else type(error).__name__
        raise Unreadable(f"{path} is a PDF that cannot be read ({told}); save it as text") from None
