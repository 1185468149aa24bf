"""What a diff with witnesses costs, against a bare parse of the same book: `python -m benchmarks evidence`.

The command is run as a person runs it, in a process of its own that finds the modules of both rule sets compiled.
Times are of the processor, those of its children included; Lark parses the blocks of the book before and after it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from .compile import bare_parse, children, environment

HERE = Path(__file__).resolve().parent.parent
WORK = (("trc", "trc+26.17", 4.0), ("fite", "fite+errata", 40.0))


def load_elsewhere(name: str) -> None:
    """Load a rule set in a process that leaves its modules and their bytecode behind."""
    code = "import sys; from rulewright.compiler import load; load(sys.argv[1]).program.traced()"
    subprocess.run([sys.executable, "-c", code, name], env=environment(), check=True)


def measure(before: str, after: str) -> float:
    """The command's processor time divided by that of a bare parse of the first book."""
    for name in (before, after):
        load_elsewhere(name)
    book = HERE / "rulebooks" / before
    parse = bare_parse(book)
    with tempfile.TemporaryDirectory() as folder:
        start = children()
        command = "from rulewright.compiler.cli.main import main; main()"
        subprocess.run(
            [sys.executable, "-c", command, "diff", before, after, "--quiet", "-o", f"{folder}/out"],
            env={**environment(), "NO_COLOR": "1"},
            check=False,
        )
        spent = children() - start
    return spent / ((parse + bare_parse(book)) / 2)


def figures() -> list[Any]:
    from .timing import Figure

    chosen = [w for w in WORK if not os.environ.get("BOOKS") or w[0] in os.environ["BOOKS"].split(",")]
    said = "{} → {} with witnesses ÷ a bare parse"
    return [Figure(said.format(a, b), measure(a, b), most=most) for a, b, most in chosen]
