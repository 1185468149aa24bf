"""Where things computed once are kept: `$RULEWRIGHT_CACHE`, or `~/.cache/rulewright`.

In:  nothing but the environment.
Out: a directory, and ways to write a file there whole or not at all, and to read back only what was written.
Why: the grammar's tables and compiled books are dear to make and cheap to read. A cache that cannot be read or written
costs time and nothing else, so no error leaves this module.

What is kept there is run, so it is kept only where nobody else can write: a folder of another user is not used, and
one of our own that others may write to is closed to them. Where there is no such folder, a private one serves as long
as the process lives.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
from functools import cache
from pathlib import Path

OTHERS = stat.S_IWGRP | stat.S_IWOTH
SEALED = 32


def cache_directory() -> Path:
    """The directory of caches; it need not exist yet."""
    chosen = chosen_directory()
    return chosen if chosen is not None and usable(chosen) else private_directory()


def chosen_directory() -> Path | None:
    """The directory that the environment asks for; None for a user without a home."""
    chosen = os.environ.get("RULEWRIGHT_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    if base and Path(base).is_absolute():
        return Path(base) / "rulewright"
    try:
        return Path.home() / ".cache" / "rulewright"
    except RuntimeError:
        return None


@cache
def private_directory() -> Path:
    """A folder that nobody else can know or enter, gone with this process."""
    made = Path(tempfile.mkdtemp(prefix="rulewright-"))
    atexit.register(forget, made, os.getpid())
    return made


def forget(folder: Path, process: int) -> None:
    if os.getpid() == process:  # not in a process that was forked off
        shutil.rmtree(folder, ignore_errors=True)


def usable(folder: Path) -> bool:
    """Whether a folder is nobody else's to write to, or not there yet; our own is closed to others."""
    try:
        found = folder.stat()
        if found.st_mode & OTHERS and mine(found):
            folder.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
        return trusted(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False


def trusted(path: Path) -> bool:
    """Whether a file or folder is ours alone to change; OSError where it is not there."""
    found = path.stat()
    return not hasattr(os, "geteuid") or (mine(found) and not found.st_mode & OTHERS)


def mine(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def make_folder(path: Path) -> None:
    """A folder with those above it that are missing, closed to others."""
    for folder in reversed([path, *path.parents]):
        if not folder.is_dir():
            folder.mkdir(mode=0o700, exist_ok=True)


def write_whole(path: Path, content: bytes) -> bool:
    """Write a file so that a reader sees all of it or none; says whether it was written."""
    try:
        make_folder(path.parent)
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


def write_sealed(path: Path, content: bytes) -> bool:
    """Write a file whole, with a seal that tells whether it is read back as it was written."""
    return write_whole(path, seal(content) + content)


def read_sealed(path: Path) -> bytes | None:
    """What was written; None where there is nothing, or where a cut or a changed byte shows."""
    try:
        found = path.read_bytes()
    except OSError:
        return None
    content = found[SEALED:]
    return content if seal(content) == found[:SEALED] else None


def seal(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
