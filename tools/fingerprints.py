"""Make the fingerprints of a printed text: `python tools/fingerprints.py TEXT INVENTORY -o FILE`.

INVENTORY is a table with the columns `case` and `lines` (`12-18` or `12-18;40`), TEXT the print whose lines it counts.
Only hashes are written (compiler/drift/fingerprints.py).
"""

from __future__ import annotations

import argparse
import csv
import re
from pathlib import Path

from rulewright.compiler.drift.fingerprints import Print, of_text, written

_LINES = re.compile(r"(\d+)(?:\s*-\s*(\d+))?")


def lines_of(inventory: str) -> dict[str, list[tuple[int, int]]]:
    """The lines of each case of an inventory."""
    rows = csv.DictReader(inventory.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    found: dict[str, list[tuple[int, int]]] = {}
    for row in rows:
        spans = [(int(a), int(b or a)) for a, b in _LINES.findall(row["lines"] or "")]
        if spans:
            found[row["case"]] = spans
    return found


def prints_of(text: Path, inventory: Path) -> list[Print]:
    return of_text(text.read_text(encoding="utf-8"), lines_of(inventory.read_text(encoding="utf-8")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", type=Path)
    parser.add_argument("inventory", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    args.output.write_text(written(prints_of(args.text, args.inventory)), encoding="utf-8")
