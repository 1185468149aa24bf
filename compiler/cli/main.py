"""Entry point of the command line.

In:  `sys.argv`, the standard streams.
Out: an exit code. `--version` and usage errors must answer at once, so nothing heavy is imported at the top; the
     commands are in `commands`.

Exit codes: 0 fine, 1 findings, 2 usage, 3 our fault, 130 stopped by Ctrl-C (129 and 143: by a closed terminal, by a
request to end).
"""

from __future__ import annotations

import io
import os
import sys

import rulewright

TYPE_CHECKING = False  # `typing` takes longer to import than `--version` takes to answer
if TYPE_CHECKING:
    from typing import TextIO


def main(argv: list[str] | None = None) -> int:
    """Run one command; every exception ends in a message and an exit code."""
    words = sys.argv[1:] if argv is None else argv
    open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # file names that are not UTF-8 print escaped
    if words in (["--version"], ["-V"]):
        print(f"rulewright {rulewright.__version__}")
        return 0
    try:
        from .control_characters import visible_output

        with visible_output(sys.stdout, sys.stderr, colored=words[:1] == ["check"]):
            return finished(words)
    except BrokenPipeError:
        give_up_output()
        return 0


def finished(words: list[str]) -> int:
    try:
        from .commands import run

        code = run(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        raise
    except KeyboardInterrupt as stopped:
        print("stopped", file=sys.stderr)
        return getattr(stopped, "code", 130)
    except Exception as error:
        from .faults import told

        code = told(error, words)
        try:
            sys.stdout.flush()
        except OSError:
            give_up_output()
        return code


def open_streams() -> None:
    """Replace standard streams that the caller closed (`>&-`) by empty ones: Python sets them to None."""
    sys.stdin = sys.stdin or nothing("r")
    sys.stdout = sys.stdout or nothing("w")
    sys.stderr = sys.stderr or nothing("w")


def nothing(mode: str) -> TextIO:
    return io.TextIOWrapper(os.fdopen(os.open(os.devnull, os.O_RDWR), f"{mode}b"), encoding="utf-8")


def give_up_output() -> None:
    """The reader of the pipe has gone: discard further output, so that flushing at exit does not fail as well."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
