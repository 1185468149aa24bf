"""How long the command takes to open: `rulewright --version` beside a bare interpreter.

    python benchmarks/startup.py [--runs 40]

Prints the best of many runs of each, taken in turn so that both meet the same machine, and their ratio.
The ratio stays at 4 or below.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

VERSION = "from rulewright.compiler.cli import main; raise SystemExit(main(['--version']))"


def seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure(runs: int) -> tuple[float, float]:
    """The best times of a bare interpreter and of the command."""
    seconds(VERSION)
    pairs = [(seconds("pass"), seconds(VERSION)) for _ in range(runs)]
    bare, ours = (min(column) for column in zip(*pairs, strict=True))
    return bare, ours


def main() -> int:
    p = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    p.add_argument("--runs", type=int, default=40)
    bare, ours = measure(p.parse_args().runs)
    print(f"python -c pass       {bare * 1000:6.1f} ms")
    print(f"rulewright --version {ours * 1000:6.1f} ms")
    print(f"ratio                {ours / bare:6.2f}")
    return 0 if ours / bare <= 4 else 1


if __name__ == "__main__":
    sys.exit(main())
