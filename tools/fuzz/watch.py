"""A watch on what a process does: files, imports, processes, network, by Python's audit events.

A hook cannot be taken off, so whoever arms it does so in a process of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

READS = ("open", "os.listdir", "os.scandir", "sqlite3.connect", "glob.glob", "pathlib.Path.glob", "pathlib.Path.rglob")
WRITES = (
    *("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate", "os.utime", "os.chmod", "os.link", "os.symlink"),
    "shutil.rmtree",
)
NEVER = ("subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile", "pty.spawn")
FAR = ("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "ctypes.", "webbrowser.", "shutil.", "code.", "syslog.")
QUIET = (
    *("compile", "object.__", "sys._getframe", "sys.set", "sys.unraisable", "sys.excepthook", "gc.", "builtins.id"),
    *("marshal.", "tempfile.", "array.__new__", "function.__new__", "cpython.", "fcntl.", "mmap.", "time.", "signal."),
    *("sqlite3.connect/handle", "pickle.find_class", "os.fwalk", "os.walk", "os.getxattr", "os.putenv", "os.unsetenv"),
)


class Watch:
    """Notes everything that is done outside the allowed folders while it is armed."""

    def __init__(self, read: tuple[Path, ...], write: tuple[Path, ...], packages: tuple[str, ...]) -> None:
        self.read = tuple(os.path.realpath(p) for p in (*read, *write))
        self.write = tuple(os.path.realpath(p) for p in write)
        self.packages = packages
        self.armed = False
        self.seen: list[str] = []
        sys.addaudithook(self.hook)

    @contextmanager
    def on(self) -> Iterator[list[str]]:
        self.seen = []
        self.armed = True
        try:
            yield self.seen
        finally:
            self.armed = False

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.armed:
            return
        self.armed = False  # what looking does is not looked at
        try:
            wrong = self.judge(event, args)
            if wrong:
                self.seen.append(f"{event} {wrong}"[:200])
        finally:
            self.armed = True

    def judge(self, event: str, args: tuple[Any, ...]) -> str:
        """What is wrong with an event, or nothing."""
        if event.startswith((*NEVER, *FAR)) and event not in WRITES:
            return repr(args)[:120]
        if event == "import":
            name = str(args[0])
            return "" if name in sys.modules or name.startswith(self.packages) else name
        if event == "exec":
            return "" if self.known_code(args[0]) else repr(args[0])
        if event in READS:
            writes = event == "open" and not self.plain_reading(args)
            return self.outside(args[0], self.write if writes else self.read)
        if event in WRITES:
            paths = args[:2] if event in ("os.rename", "os.link", "os.symlink") else args[:1]
            return next(filter(None, (self.outside(path, self.write) for path in paths)), "")
        return "" if event.startswith(QUIET) else f"an event unheard of: {args!r}"[:120]

    def plain_reading(self, args: tuple[Any, ...]) -> bool:
        mode, flags = args[1], args[2] or 0
        return not (set(str(mode or "")) & set("wax+")) and not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)

    def outside(self, path: Any, allowed: tuple[str, ...]) -> str:
        if isinstance(path, int) or path is None:
            return ""
        real = os.path.realpath(os.fsdecode(path))
        return "" if any(real == a or real.startswith(a + os.sep) for a in allowed) else real

    def known_code(self, code: Any) -> bool:
        """Generated modules, worked examples of a book, and the templates and records of the compiler."""
        name = str(getattr(code, "co_filename", ""))
        return name.startswith("<") or not self.outside(name, self.read)
