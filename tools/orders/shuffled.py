"""Shuffle a book: write its declarations out in another order, into files of other names.

In:  the files of a book, and a source of random numbers.
Out: a folder with the same declarations. Cases change places and files; declarations change places within their case,
     lines within rosters, scenarios and maps. What an order belongs to stays together: `covers` follows its
     declaration, statements and clauses keep their order, and so do the words of kinds and scales.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeVar

from rulewright.compiler.read.library import Source
from rulewright.compiler.read.sources import read_files
from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.print import print_rules

T = TypeVar("T")
FIRST = ("form", "grid", "sheet", "points", "map", "hexes", "water")
"""Lines of a data block that others of it rest on."""


def shuffled(source: Source, folder: Path, random: Random) -> Path:
    """The folder with the shuffled book, of the same name."""
    decls = read_files(source, Reporter(), {})
    heads = [d for d in decls if isinstance(d, n.Book | n.Use | n.Note)]
    mixed = mix([shuffle(d, random) for d in decls if not isinstance(d, n.Book | n.Use | n.Note)], random)
    root = folder / source.name
    root.mkdir(parents=True)
    files = max(1, min(len(mixed) // 4, 30))
    (root / f"{random.randrange(100):02}-head.rules").write_text(print_rules(heads), encoding="utf-8")
    for i in range(files):
        path = root / f"{random.randrange(10**6):06}-{i}.rules"
        path.write_text(print_rules(mixed[i::files]), encoding="utf-8")
    return root


def shuffle(decl: n.Decl, random: Random) -> n.Decl:
    """A declaration with everything inside it that has no order of its own in another one."""
    match decl:
        case n.Case() | n.Under():
            return replace(decl, body=body(decl.body, random))
        case n.House():
            return replace(decl, decl=shuffle(decl.decl, random))
        case n.Overlay():
            return replace(decl, body=tuple(mix([overlay_case(x, random) for x in decl.body], random)))
        case n.Data(kind="roster" | "scenario" | "map"):
            return replace(decl, lines=lines(decl.lines, random))
        case _:
            return decl


def overlay_case(decl: n.Decl, random: Random) -> n.Decl:
    """A case of an overlay: amendments that build on one another stand in one case and keep their order."""
    if isinstance(decl, n.Case) and not any(isinstance(x, AMENDMENTS) for x in decl.body):
        return shuffle(decl, random)
    return decl


AMENDMENTS = (n.Amend, n.AmendPrinted, n.Strike, n.Rows, n.Replace, n.Rename, n.MoveCase, n.Insert)


def body(decls: Sequence[n.Decl], random: Random) -> tuple[n.Decl, ...]:
    """The declarations of a case, each with the notes and `covers` lines after it, in another order."""
    groups: list[list[n.Decl]] = []
    for decl in decls:
        if isinstance(decl, n.Covers | n.Note) and groups:
            groups[-1].append(decl)
        else:
            groups.append([decl])
    inside = [group if len(group) > 1 else [shuffle(group[0], random)] for group in groups]
    return tuple(x for group in mix(inside, random) for x in group)


def lines(raws: Sequence[n.RawLine], random: Random) -> tuple[n.RawLine, ...]:
    """The lines of a data block in another order; those that say how to read the others stay on top."""
    first = [x for x in raws if x.text.partition(":")[0].split(" ")[0] in FIRST]
    rest = [replace(x, below=tuple(mix(x.below, random))) for x in raws if x not in first]
    return (*first, *mix(rest, random))


def mix(items: Sequence[T], random: Random) -> list[T]:
    return random.sample(items, len(items))
