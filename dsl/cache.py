"""Where things computed once are kept: `$RULEWRIGHT_CACHE`, or `~/.cache/rulewright`.

In:  nothing but the environment.
Out: a directory, and a way to write a file there whole or not at all.
Why: the grammar's tables and compiled books are dear to make and cheap to read. A cache
that cannot be read or written costs time and nothing else, so no error leaves this module.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_directory() -> Path:
    """The directory of caches; it need not exist yet."""
    chosen = os.environ.get("RULEWRIGHT_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    if base and Path(base).is_absolute():
        return Path(base) / "rulewright"
    try:
        return Path.home() / ".cache" / "rulewright"
    except RuntimeError:  # a user without a home
        return Path(tempfile.gettempdir()) / f"rulewright-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def write_whole(path: Path, content: bytes) -> bool:
    """Write a file so that a reader sees all of it or none; says whether it was written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".draft")
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(draft, path)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        return False
    return True
