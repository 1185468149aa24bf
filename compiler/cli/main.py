"""The door of the command line: light, so that it opens at once; `commands` has the commands.

Exit codes: 0 fine, 1 findings, 2 usage, 3 our fault.
"""

from __future__ import annotations

import io
import os
import sys

import rulewright


def main(argv: list[str] | None = None) -> int:
    """Run one command; whatever goes wrong ends in a line to read and an exit code."""
    words = sys.argv[1:] if argv is None else argv
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that is not UTF-8 can be said all the same
    if words in (["--version"], ["-V"]):
        print(f"rulewright {rulewright.__version__}")
        return 0
    try:
        from .commands import run

        code = run(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 1
    except Exception as error:
        from .faults import told

        return told(error, words)


if __name__ == "__main__":
    sys.exit(main())
