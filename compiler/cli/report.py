"""Run `rulewright coverage`, `fmt`, `map` and `check --on`.

In:  the parsed options.
Out: a report, formatted files or a picture; the exit code.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.format import format_text, too_long
from rulewright.dsl.render import render_text
from rulewright.dsl.upgrade import upgrade
from rulewright.dsl.wrap import WIDTH

from ..check.styles import undrawn
from ..core.maps import one_map
from ..examples.coverage import STATUSES, Row, as_json, coverage, read_inventory, totals
from ..loader import NotCompiled
from ..pages.draw_map import ALWAYS, Position, draw_map, usual_ids
from ..pages.map.position import position_of, starting
from ..pages.map.style import style_of
from ..pipeline import analyse
from ..read.library import find_book
from ..read.sources import split_name
from .faults import Usage, near, text_of
from .mark_cases import mark_cases
from .progress import Progress

SHORTER = "spread the keys of a table's row over more rows, give each key a column, or shorten the text"


def run_coverage(args: argparse.Namespace) -> int:
    """Print the report; exit code 1 where a rule of the printed book is missing."""
    inventory = args.inventory
    source = find_book(split_name(args.book)[0])
    if inventory is None and source is not None and len(source.files) > 1:
        own = source.root / "inventory.tsv"
        inventory = own if own.is_file() else None
    if inventory is not None and not inventory.is_file():
        print(f"there is no inventory {inventory}", file=sys.stderr)
        return 2
    if inventory is not None:
        text_of(inventory)
        read_inventory(inventory)
    wanted = frozenset(args.chapters.split(",")) if args.chapters else frozenset()
    with Progress("", 0, args.quiet) as progress:

        def told(what: str, done: int, of: int) -> None:
            progress.what = what
            progress(done, of)

        rows = coverage(args.book, inventory, chapters=wanted, overlays=args.with_overlays, jobs=args.jobs, told=told)
    if args.format == "json":
        print(as_json(args.book, rows))
    else:
        print_rows(rows)
    return 1 if any(r.status == "missing" and r.executable != "prose" for r in rows) else 0


def print_rows(rows: list[Row]) -> None:
    width = max((len(r.case) for r in rows), default=4)
    for r in rows:
        if r.executable != "prose":
            more = f" and {len(r.house) - 3} more" if len(r.house) > 3 else ""
            house = f" (house: {', '.join(r.house[:3])}{more})" if r.house else ""
            under = f" [{r.rule_set}]" if r.rule_set else ""
            print(f"{r.case:{width}}  {r.executable:5} {r.status:12} {r.by}"[:150].rstrip() + under + house)
    for executable, counts in totals(rows).items():
        told = ", ".join(f"{counts[s]} {s}" for s in STATUSES if counts[s])
        flagged = sum(bool(r.house) for r in rows if r.executable == executable and r.status == "run")
        print(f"{executable}: {told}" + (f"; {flagged} of those run rest on house values" if flagged else ""))


def run_fmt(paths: list[Path], check: bool, format: str = "text", upgraded: bool = False) -> int:
    """Format files in place, or list those that would change; `--upgrade` first rewrites outdated syntax."""
    rows: list[dict[str, str]] = []
    left = 0
    files = [f for p in paths for f in (sorted(filter(Path.is_file, p.rglob("*.rules"))) if p.is_dir() else [p])]
    texts = {path: text_of(path) for path in files}
    marked: dict[Path, str] = {}
    for path in files if upgraded else ():
        today, remarks = upgrade(texts[path])
        for remark in remarks:
            print(f"{path}:{remark.line}: {remark.message}", file=sys.stderr)
        left += len(remarks)
        marked[path.resolve()] = today
    marked = mark_cases(marked)
    for path in files:
        text = texts[path]
        report = Reporter()
        new = format_text(marked.get(path.resolve(), text), str(path), report)
        if report.failed:
            print(render_text(report.found), file=sys.stderr)
            rows.append({"file": str(path), "status": "broken"})
        elif new != text:
            rows.append({"file": str(path), "status": "would change" if check else "changed"})
            if not check:
                path.write_text(new, encoding="utf-8")
        for line, length in too_long(new) if not report.failed else ():
            left += 1
            print(f"{path}:{line}: {length} characters, and a line has at most {WIDTH}: {SHORTER}", file=sys.stderr)
    if format == "json":
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        print("".join(f"{row['file']}\n" for row in rows if row["status"] != "broken"), end="")
    return 1 if left or any(row["status"] in ("broken", "would change") for row in rows) else 0


def run_map(args: argparse.Namespace) -> int:
    """Draw the map of a book, optionally with the units of a scenario or a save."""
    made = analyse(args.book)
    book = made.book
    if book is None or made.report.failed:
        raise NotCompiled(args.book, made.report.found)
    if book.map is None:
        print(f"{args.book} has no map", file=sys.stderr)
        return 1
    position = Position()
    names = [part.name for part in book.map.parts]
    drawn = next(iter(names), "")
    if args.scenario:
        if args.scenario not in book.scenarios:
            raise Usage(f'there is no scenario "{args.scenario}"', near(args.scenario, book.scenarios, "scenarios"))
        position = starting(book, args.scenario)
        drawn = book.scenarios[args.scenario].map
    if args.save:
        from rulewright.runtime.begin import resume

        from ..loader import load

        program = load(args.book).program
        game = resume(args.save, lambda _: program)
        position = position_of(book, program, game.state)
        drawn = game.state.map
    if args.map:
        known = names or [x.removeprefix("map ") for x in book.data_cases if x.startswith("map ")]
        if args.map not in known:
            raise Usage(f'there is no map "{args.map}"', near(args.map, known, "maps"))
        drawn = args.map
    board = one_map(book.map, drawn)
    ids = ALWAYS if args.ids else usual_ids(board)
    svg = draw_map(board, style_of(book), position, ids=ids, title=book.title or book.name)
    if not book.styles and (plain := list(undrawn(book))):
        print(f"drawn without a look: {', '.join(plain)}; a style block gives them one", file=sys.stderr)
    if args.output is None:
        print(svg)
    else:
        args.output.write_text(svg, encoding="utf-8")
    return 0


# ---------------------------------------------------------------- check --on


def run_fits(args: argparse.Namespace) -> int:
    """Print how overlays apply to an edition; exit code 1 where an amendment does not."""
    from ..diff.fits import fits

    rows = []
    for name in args.books:
        found, report = fits(name, args.on)
        if report.failed:
            print(render_text(report.found), file=sys.stderr)
            return 1
        rows += found
    if args.format == "json":
        shown = [
            {"case": f.case, "amendment": f.amendment, "status": f.status, "detail": f.detail, "line": f.span.line}
            for f in rows
        ]
        print(json.dumps(shown, indent=1, ensure_ascii=False))
    else:
        for f in rows:
            print(f"{f.case}: {f.amendment}\n  {f.status}" + (f": {f.detail}" if f.detail else ""))
        bad = sum(f.status != "applies" for f in rows)
        print(f"{len(rows) - bad} of {len(rows)} amendments apply to {args.on}")
    return 1 if any(f.status != "applies" for f in rows) else 0
