"""`rulewright house`: list the house values of a rule set. `rulewright own`: replace them with an owner's values.

In:  a rule set; for `own` also a spreadsheet that the owner has filled in.
Out: a list; for `own` a sheet to fill in, or an overlay with the owner's values.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .faults import Usage, near, text_of

if TYPE_CHECKING:
    from rulewright.dsl.nodes import Decl

    from ..core.entries import Entry
    from ..pipeline import Compiled
    from ..provenance.listing import Listed


def add_house(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("names", nargs="*", metavar="NAME", help="only these, with all that the text fixes about them")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.set_defaults(run=run_house)


def add_own(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("names", nargs="+", metavar="NAME", help="house values by name, or all: charts, counters, map")
    p.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="FILE.rules to lay over the book, or FILE.csv"
    )
    p.add_argument("--from", dest="sheet", type=Path, metavar="FILE.csv", help="a chart or counters as a spreadsheet")
    p.set_defaults(run=run_own)


def analysed(name: str) -> Compiled:
    """The analysed rule set; NotCompiled, with its findings, where it has errors."""
    from ..loader import NotCompiled
    from ..pipeline import analyse

    made = analyse(name)
    if made.book is None or made.entries is None or made.report.failed:
        raise NotCompiled(name, made.report.found)
    return made


# ---------------------------------------------------------------- house

FIRST = ("table", "roster", "map")
"""What owners look for comes first."""


def run_house(args: argparse.Namespace) -> int:
    """Print all house values, or the named ones with what the printed text says about them."""
    from ..provenance.listing import listed

    found = listed(analysed(args.book))
    for name in args.names:
        if not any(x.value.name == name for x in found):
            raise Usage(f'{args.book} has no house value "{name}"', near(name, (x.value.name for x in found), "names"))
    if args.names:
        found = [x for x in found if x.value.name in args.names]
    if args.format == "json":
        print(json.dumps([as_json(x) for x in found], indent=1, ensure_ascii=False))
    elif args.names:
        for x in found:
            print_one(x)
    else:
        print_all(args.book, found)
    return 0


def as_json(x: Listed) -> dict[str, Any]:
    v = x.value
    facts = [{"case": f.case, "given": list(f.given), "fact": f.text} for f in x.facts]
    place = {"file": v.span.file, "line": v.span.line, "overlay": v.overlay}
    return {"sort": v.sort, "name": v.name, "case": v.case, "title": v.title, **place, "size": x.size, "facts": facts}


def print_all(book: str, found: list[Listed]) -> None:
    if not found:
        print(f"{book} has no house values")
        return
    found = sorted(found, key=lambda x: FIRST.index(x.value.sort) if x.value.sort in FIRST else len(FIRST))
    rows = [(x.value.what, f"{x.value.case} {x.value.title}".strip(), x) for x in found]
    wide = [max(len(what) for what, _, _ in rows), max(len(case) for _, case, _ in rows)]
    for what, case, x in rows:
        facts = f"the text fixes {len(x.facts)}" if x.facts else ""
        size = ", ".join(part for part in (x.size, facts) if part)
        place = f"{x.value.span.file}:{x.value.span.line}"
        print(f"{what:{wide[0]}}  {case:{wide[1]}}  {place}" + (f"  ({size})" if size else ""))
    print(f"{len(found)} house values; rulewright house {book} NAME tells what the text fixes about one")


def print_one(x: Listed) -> None:
    v = x.value
    print(f"{v.what}  {v.case} {v.title}".rstrip() + (f" (overlay {v.overlay})" if v.overlay else ""))
    print(f"  {v.span.file}:{v.span.line}" + (f", {x.size}" if x.size else ""))
    for note in x.notes:
        print(f"  note: {note}")
    for f in x.facts:
        print(f"  {f.case}: {f.text}" + (f"  (given {'; '.join(f.given)})" if f.given else ""))
    if not x.facts:
        print("  no fact of the text names it")


# ---------------------------------------------------------------- own


def run_own(args: argparse.Namespace) -> int:
    """Write a sheet of house values to fill in, or turn a filled-in sheet into an overlay."""
    from ..provenance.own import GROUPS, chosen, from_sheet, owners_file, replaceable, sheet_of
    from ..provenance.sheets import NoSheet

    made = analysed(args.book)
    assert made.book is not None and made.entries is not None
    known = replaceable(made.entries)
    entries, lost = chosen(known, args.names)
    if lost:
        raise Usage(f'{args.book} has no house value "{lost[0]}"', near(lost[0], (*GROUPS, *known), "names"))
    path: Path = args.output
    if path.suffix not in (".rules", ".csv"):
        raise Usage(f"{path} is neither .rules nor .csv", "name the file mine.rules, or mine.csv for a spreadsheet")
    if path.exists():
        raise Usage(f"there is a file {path} already", "choose another name, or move the file")
    fields = frozenset(name for owner, name in made.book.fields if owner == "unit") | {"side"}
    try:
        if path.suffix == ".csv":
            if args.sheet is not None:
                raise Usage("--from reads a spreadsheet into a .rules file", "name the file to write -o mine.rules")
            with path.open("w", encoding="utf-8", newline="") as out:
                csv.writer(out, lineterminator="\n").writerows(sheet_of(entries, fields))
            words = " ".join(args.names)
            print(f"{path} is written; fill in your copy's values, then:")
            print(f"  rulewright own {args.book} {words} --from {path} -o {path.with_suffix('.rules')}")
            return 0
        edited = from_sheet(entries, read_sheet(args.sheet), fields) if args.sheet is not None else {}
    except NoSheet as error:
        raise Usage(error.message, error.help) from None
    name = re.sub(r"\W", "_", path.stem)
    name = name if re.match(r"[A-Za-z_]", name) else f"own_{name}"
    path.write_text(owners_file(name, made.book.name, entries, edited), encoding="utf-8")
    return tell(made, path, entries, edited, fields)


def read_sheet(path: Path) -> list[list[str]]:
    """The rows of a CSV file separated by commas, semicolons or tabs."""
    if not path.is_file():
        raise Usage(f"there is no file {path}", "check the name")
    text = text_of(path).removeprefix("\ufeff")
    first = text.partition("\n")[0]
    between = max(",;\t", key=first.count)
    return list(csv.reader(io.StringIO(text), delimiter=between))


def tell(before: Compiled, path: Path, entries: list[Entry], edited: dict[str, Decl], fields: frozenset[str]) -> int:
    """Print what was written, the problems found in it, and the next step."""
    from rulewright.dsl.render import render_text

    from ..pipeline import analyse
    from ..provenance.own import differing

    made = f"{before.name}+{path}"
    print(f"{path} is written")
    counts = {e.name: differing(e.node, edited[e.name], fields) for e in entries if e.name in edited}
    for name, (other, size, what) in counts.items():
        if other or len(counts) == 1:
            print(f"  {name}: {other} of {size} {what} differ from the house value")
    alike = sum(not other for other, _, _ in counts.values())
    if alike and len(counts) > 1:
        print(f"  {alike} of {len(counts)} as the house has them")
    known = {(d.code, d.message) for d in before.report.found}
    found = [d for d in analyse(made).report.wrong if (d.code, d.message) not in known]
    if found:
        print(render_text(found), file=sys.stderr)
        return 1
    steps = [f"check {made}", f"test {made}", f"play {made}"]
    first = [] if edited else [f"  edit {path}: put in the values of your copy, and strike the word house"]
    print("next:", *first, *(f"  rulewright {step}" for step in steps), sep="\n")
    return 0
