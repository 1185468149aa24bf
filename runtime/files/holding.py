"""One writer a file: a hold on a save that ends with its process, however that ends.

In:  the path of a file.
Out: a handle that nobody else gets while it is open; None where the system has no such locks.

The hold is on the file itself and not on its name, and keeps nobody from reading.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # not a Unix system: SQLite's own locks must do
    fcntl = None  # type: ignore[assignment]


class Held(Exception):
    """Somebody else has the file."""


def hold(path: Path) -> int | None:
    """Take hold of a file that is there; Held where another has it."""
    if fcntl is None:
        return None
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise Held from None
        except OSError:  # a file system without locks
            os.close(handle)
            return None
        if os.path.samestat(os.fstat(handle), os.stat(path)):
            return handle
        os.close(handle)  # another file has come under the name meanwhile


def let_go(handle: int | None) -> None:
    if handle is not None:
        with suppress(OSError):
            os.close(handle)
