"""What `coverage` costs, against `test` of the same book: `python -m benchmarks coverage`.

Both are run as a person runs them, in processes of their own that find the modules of the book compiled: `test` first,
then `coverage` with nothing remembered, then the same again. Times are of the processor, children included.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import Any

from .compile import children, environment

BOOKS = ("fragment", "trc")


def measure(book: str) -> tuple[float, float]:
    """The first and the second run of `coverage`, each divided by `test`."""
    with tempfile.TemporaryDirectory() as cache:
        run("test", book, cache)
        spent = [run(word, book, cache) for word in ("test", "coverage", "coverage")]
    return spent[1] / spent[0], spent[2] / spent[0]


def run(word: str, book: str, cache: str) -> float:
    start = children()
    command = "from rulewright.compiler.cli.main import main; main()"
    subprocess.run(
        [sys.executable, "-c", command, word, book, "--quiet"],
        env={**environment(), "NO_COLOR": "1", "RULEWRIGHT_CACHE": cache},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return children() - start


def figures() -> list[Any]:
    from .timing import Figure

    chosen = [x for x in BOOKS if not os.environ.get("BOOKS") or x in os.environ["BOOKS"].split(",")]
    found = []
    for book in chosen:
        first, second = measure(book)
        found.append(Figure(f"coverage of {book} for the first time ÷ its test", first, most=120))
        found.append(Figure(f"coverage of {book} again ÷ its test", second, most=1))
    return found
