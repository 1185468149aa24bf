"""`rulewright books`: the books at hand, with their scenarios and overlays.

In:  the folders that books are found in.
Out: a list on standard output, as text or JSON.

Only the opening lines of declarations are read, with no parsing: the command answers at once, and also lists a book
that does not compile.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from ..core.case_order import by_name, natural
from ..read.library import find_book, known_books
from ..read.opening_lines import BOOK, OVERLAY

SCENARIO = re.compile(r'\s+(?:house )?scenario (\w+)(?: "([^"\n]*)")?:')
CASE = re.compile(r" *case (\S+)")
DATE = re.compile(r"  date: *([^#]*[^#\s])")
DEFAULT = re.compile(r"\s+default: *yes\b")


def add_books(p: argparse.ArgumentParser) -> None:
    p.add_argument("book", nargs="?", help="only this book (default: all that are installed or in ./rulebooks)")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.set_defaults(run=run_books)


def run_books(args: argparse.Namespace) -> int:
    """Run the command."""
    from .faults import Usage, near

    names = [args.book] if args.book else known_books()
    found = [x for name in names if (x := listed(name)) is not None]
    if args.book and not found:
        raise Usage(f'there is no book "{args.book}"', near(args.book, known_books(), "books"))
    if args.format == "json":
        print(json.dumps(found, indent=1, ensure_ascii=False))
        return 0
    for book in found:
        print(f"{book['book']}  {book['title']}")
        rows = [(s["scenario"], s["title"]) for s in book["scenarios"]]
        print_rows("scenarios", rows)
        print_rows("overlays", [(f"{book['book']}+{o['call']}", said(o)) for o in book["overlays"]])
    return 0


def print_rows(head: str, rows: list[tuple[str, str]]) -> None:
    width = max((len(name) for name, _ in rows), default=0)
    if rows:
        print(f"  {head}:")
    for name, text in rows:
        print(f"    {name:{width}}  {text}".rstrip())


def said(overlay: dict[str, Any]) -> str:
    date = f", {overlay['date']}" if overlay["date"] else ""
    named = "" if overlay["call"] == overlay["overlay"] else f" ({overlay['overlay']})"
    return f"{overlay['sort']}{date}: {overlay['title']}{named}"


def listed(name: str) -> dict[str, Any] | None:
    """One book: title, overlays, and scenarios, the default one first."""
    source = find_book(name)
    if source is None:
        return None
    found: dict[str, Any] = {"book": name, "title": "", "scenarios": [], "overlays": []}
    for path in source.files:
        read_heads(path, found)
    found["scenarios"] = in_order(found["scenarios"])
    for overlay in found["overlays"]:
        overlay["scenarios"] = in_order(overlay["scenarios"])
    cases: dict[str, list[str]] = {o["overlay"]: o.pop("cases") for o in found["overlays"]}
    for overlay in found["overlays"]:
        overlay["call"] = number_of(overlay["overlay"], cases)
    return found


def in_order(scenarios: list[dict[str, Any]]) -> list[dict[str, str]]:
    """The default scenario first, then by case and name: the order that the compiler uses."""
    order = sorted(scenarios, key=lambda s: (not s["default"], natural(s["case"]), by_name(s["scenario"])))
    return [{"scenario": s["scenario"], "title": s["title"]} for s in order]


def number_of(name: str, cases: dict[str, list[str]]) -> str:
    """The shortest case number that identifies this overlay in `BOOK+NUMBER`, or its name where none does."""
    first = (cases[name] or [""])[0].partition("/")[0].split(".")
    for n in range(2, len(first) + 1):
        word = ".".join(first[:n])
        exact = [o for o, held in cases.items() if word in held]
        meant = exact or [o for o, held in cases.items() if any(x.startswith((f"{word}.", f"{word}/")) for x in held)]
        if meant == [name] and word[0].isdigit():
            return word
    return name


def read_heads(path: Path, found: dict[str, Any]) -> None:
    """Add the title, scenarios and overlays that the lines of one file declare."""
    overlay: dict[str, Any] | None = None
    scenario: dict[str, Any] = {}
    case = ""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if (m := BOOK.match(line)) is not None:
            found["title"] = m[2] or m[1]
        elif (m := OVERLAY.match(line)) is not None:
            overlay = {"overlay": m[2], "sort": m[1], "title": m[4] or "", "date": "", "cases": [], "scenarios": []}
            found["overlays"].append(overlay)
        elif (m := SCENARIO.match(line)) is not None:
            whose = overlay if overlay is not None else found
            scenario = {"scenario": m[1], "title": m[2] or "", "case": case, "default": False}
            whose["scenarios"].append(scenario)
        elif DEFAULT.match(line) is not None:
            scenario["default"] = True
        elif overlay is not None and (m := DATE.match(line)) is not None:
            overlay["date"] = m[1]
        elif (m := CASE.match(line)) is not None:
            case = m[1]
            if overlay is not None and line.startswith("  case"):
                overlay["cases"].append(case)
            elif line.startswith("case"):
                overlay = None
        elif line[:1].strip() and not line.startswith("#"):
            overlay = None
