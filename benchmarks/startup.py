"""How long the command takes to open: `rulewright --version` beside a bare interpreter, each in a new process."""

from __future__ import annotations

import subprocess
import sys
import time

from .timing import Figure

VERSION = "from rulewright.compiler.cli.main import main; raise SystemExit(main(['--version']))"


def seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def figures(runs: int = 25) -> list[Figure]:
    """The best of many runs of each, taken in turn so that both meet the same machine."""
    seconds(VERSION)
    pairs = [(seconds("pass"), seconds(VERSION)) for _ in range(runs)]
    bare, ours = (min(column) for column in zip(*pairs, strict=True))
    return [Figure("rulewright --version ÷ python -c pass", ours / bare, most=4)]
