"""The manifest of a compiled rule set: what it was made from, with a content hash a case."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from .pipeline import Compiled


def manifest(made: Compiled) -> str:
    """Names, hashes and counts as JSON, the same bytes for the same text."""
    assert made.book is not None and made.entries is not None
    book = made.book
    cases: dict[str, Any] = {}
    for entry in made.entries:
        h = cases.setdefault(entry.case, hashlib.sha256())
        h.update(entry.node.span.text.encode())
    document = {
        "book": book.name,
        "title": book.title,
        "overlays": list(book.overlays),
        "digest": made.digest,
        "cases": {case: h.hexdigest()[:16] for case, h in cases.items()},
        "files": [p.name for p in made.sources],
        "house": [{"what": what, "case": case} for what, case, _ in book.house],
        "unclear": [
            {"name": u.name, "case": u.case, "readings": [r for r, _ in u.readings]} for u in book.unclear.values()
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
