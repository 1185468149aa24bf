"""A terminal to drive a program in: a pseudo-terminal, and a screen that reads what the program draws."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from pathlib import Path

import pyte

PATIENCE = 60.0


class Terminal:
    """A program in a terminal of so many columns and lines."""

    def __init__(
        self, command: list[str], width: int, height: int, folder: Path, settings: dict[str, str] | None = None
    ) -> None:
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # pragma: no cover (the child)
            os.chdir(folder)
            plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
            kept = {"TERM": "xterm-256color", "PYTHONUTF8": "1"}
            os.execvpe(command[0], command, plain | kept | (settings or {}))
        self.resize(width, height)
        self.status: int | None = None

    def resize(self, width: int, height: int) -> None:
        self.screen.resize(height, width)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def type(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def read(self, seconds: float) -> bool:
        """Take in what the program draws; False when it is at its end."""
        late = time.monotonic() + seconds
        while time.monotonic() < late:
            ready, _, _ = select.select([self.fd], [], [], 0.05)
            if not ready:
                continue
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.raw += data.decode(errors="replace")
            self.stream.feed(data)
            if b"\x1b[6n" in data:  # the program asks where the cursor is
                os.write(self.fd, f"\x1b[{self.screen.cursor.y + 1};{self.screen.cursor.x + 1}R".encode())
        return True

    def wait(self, *words: str) -> None:
        """Until all the words stand on the screen."""
        late = time.monotonic() + PATIENCE
        while not all(word in self.text() for word in words):
            if not self.read(0.1) or time.monotonic() > late:
                missing = [word for word in words if word not in self.text()]
                raise AssertionError(f"not on the screen: {missing}\n{self.text()}")
        self.read(0.1)

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def left_over(self) -> str:
        """All that was ever written, without what moves and colours."""
        import re

        return re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][0-9A-Z]|[=>])", "", self.raw)

    def colored(self) -> bool:
        cells = (cell for row in self.screen.buffer.values() for cell in row.values())
        return any(cell.fg != "default" or cell.bg != "default" for cell in cells)

    def end(self) -> int:
        """Wait for the program to end; its exit code."""
        late = time.monotonic() + PATIENCE
        while self.read(0.1) and time.monotonic() < late:
            pass
        while self.status is None and time.monotonic() < late:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if done else None
            time.sleep(0.02)
        if self.status is None:
            raise AssertionError(f"the program does not end\n{self.text()}")
        return self.status

    def stop(self) -> None:
        """End the program, whatever it does."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            _, status = os.waitpid(self.pid, 0)
            self.status = os.waitstatus_to_exitcode(status)
        os.close(self.fd)
