"""Take the diaries in docs/logs.md again: logs of shipped books, as `rulewright play` prints them.

    python tools/diaries.py            # rewrite the page
    python tools/diaries.py --check    # say what would change; exit 1 where something does

A log stands in the page after a comment that says how it is made, and which part of it is shown:

    <!-- log trc 3..20: play trc --scenario battle --players busy --seed 5 -->
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from functools import cache
from pathlib import Path

from rulewright.compiler.cli.main import main

PAGE = Path(__file__).resolve().parent.parent / "docs" / "logs.md"
LOG = re.compile(r"(<!-- log (\S+) (\d+)\.\.(\d+): (.*?) -->\n+```text\n)(.*?)(```)", re.S)


@cache
def printed(command: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(command.split())
    return out.getvalue()


def taken(command: str, first: int, last: int) -> str:
    """Some lines of what a command prints."""
    return "".join(f"{line}\n" for line in printed(command).split("\n")[first - 1 : last])


def renewed(text: str) -> str:
    """The page with every log taken again."""
    return LOG.sub(lambda m: m[1] + taken(m[5], int(m[3]), int(m[4])) + m[7], text)


if __name__ == "__main__":
    before = PAGE.read_text(encoding="utf-8")
    after = renewed(before)
    if "--check" in sys.argv:
        sys.exit("docs/logs.md would change: python tools/diaries.py" if before != after else 0)
    PAGE.write_text(after, encoding="utf-8")
