"""A campaign of mutants over the shipped books, and its report.

    python tools/mutants.py --count 400 --seed 1 --report docs/mutants.md

Each book is mutated by `rulewright mutate`; results are kept in a folder, and a book whose results are there is not
tried again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

BOOKS = {"trc": 96, "tdv": 96, "fite": 93, "fragment": 93, "ocs": 93, "caseblue": 93}
"""The books with the percentage that each aims at."""
MAIN = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"
COMMAND = [sys.executable, "-c", MAIN, "mutate"]


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("books", nargs="*", default=list(BOOKS))
    p.add_argument("--count", type=int, default=400)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--jobs", type=int, default=0)
    p.add_argument("--results", type=Path, help="where results are kept (default: a folder of its own)")
    p.add_argument("--report", type=Path, required=True)
    args = p.parse_args()
    folder = args.results or Path(tempfile.mkdtemp(prefix="mutants-"))
    folder.mkdir(parents=True, exist_ok=True)
    found = {book: results(book, args, folder / f"{book}.json") for book in args.books}
    args.report.write_text(report(found), encoding="utf-8")
    return 0 if all(100 * d["score"] >= BOOKS.get(book, 100) for book, d in found.items()) else 1


def results(book: str, args: argparse.Namespace, path: Path) -> dict[str, Any]:
    """What the command says about a book."""
    if not path.is_file():
        numbers = ["--count", str(args.count), "--seed", str(args.seed), "--jobs", str(args.jobs)]
        words = [*COMMAND, book, *numbers, "--format", "json"]
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1) or not done.stdout:
            raise SystemExit(f"{book}: no result")
        path.write_text(done.stdout, encoding="utf-8")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def report(found: dict[str, dict[str, Any]]) -> str:
    """The scores book by book and kind by kind, and the mutants that nobody noticed."""
    kinds = list(dict.fromkeys(kind for d in found.values() for kind in d["kinds"]))
    lines = [
        "# Mutants of the shipped books",
        "",
        "`make mutants` writes this page. Each book was changed in one place at a time, and its worked examples were",
        "run until one failed ([commands.md](commands.md#how-sharp-the-examples-are)). A cell holds those noticed",
        "and those there were, without the ones argued to be equivalent.",
        "",
        f"| | {' | '.join(found)} |",
        f"|---|{'---|' * len(found)}",
    ]
    for kind in kinds:
        lines.append(f"| `{kind}` | " + " | ".join(cell(d["kinds"].get(kind)) for d in found.values()) + " |")
    lines.append("| all | " + " | ".join(cell(d) for d in found.values()) + " |")
    lines.append("| tried | " + " | ".join(str(d["mutants"]) for d in found.values()) + " |")
    lines.append("| equivalent | " + " | ".join(str(d["equivalent"]) for d in found.values()) + " |")
    lines.append("| noticed | " + " | ".join(f"{100 * d['score']:.1f} %" for d in found.values()) + " |")
    lines.append("| aim | " + " | ".join(f"{BOOKS.get(book, 100)} %" for book in found) + " |")
    lines.append("| seed | " + " | ".join(str(d["seed"]) for d in found.values()) + " |")
    for book, d in found.items():
        left = [r for r in d["mutants_tried"] if r["status"] == "unnoticed"]
        lines += ["", f"## Not noticed in {book}: {len(left)}", ""]
        lines += [f"- `{r['id']}` line {r['line']} of `{Path(r['file']).name}`: {r['what']}" for r in left]
    return "\n".join(lines) + "\n"


def cell(row: dict[str, int] | None) -> str:
    return "" if row is None else f"{row['noticed']} of {row['mutants'] - row['equivalent']}"


if __name__ == "__main__":
    sys.exit(main())
