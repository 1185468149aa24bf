"""Which functions of a compiled rule set differ from those of another.

In:  the modules of both.
Out: the functions that differ by module and name, and whether more than functions does.

An example that calls none of these functions has the same outcome, provided that nothing else differs: it need not run.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from itertools import zip_longest

from ..emit.modules import Emitted

FUNCTION = re.compile(r"^def (\w+)\(", re.MULTILINE)
VALUE = re.compile(r"^([A-Z]\w*)(?:: [^=]+)? = ", re.MULTILINE)
ASKED = re.compile(r"\b(chapter_\w+)\.(\w+)")


@dataclass(frozen=True, slots=True)
class Differences:
    """`functions` differ; with `more`, something else differs that may affect any example."""

    functions: frozenset[tuple[str, str]]
    more: bool

    @property
    def none(self) -> bool:
        return not self.functions and not self.more


def differences(before: Emitted, after: Emitted) -> Differences:
    """What differs between two rule sets, one a mutant of the other."""
    functions: set[tuple[str, str]] = set()
    names: set[str] = set()
    more = False
    for file in sorted({*before.modules, *after.modules}):
        module = file.removesuffix(".py")
        old, new = before.modules.get(file, ""), after.modules.get(file, "")
        if old == new or "/" in file or module in ("kept", "names"):
            continue
        if module == "rules":
            arguments = before.arguments.get(module, ()), after.arguments.get(module, ())
            for a, b in zip_longest(*arguments, fillvalue=""):
                asked, whole = in_program(a, b) if a != b else (set(), False)
                functions |= asked
                more = more or whole
        elif module in ("data", "fixed"):
            names |= differing(values(old), values(new))
        elif module.startswith("chapter_"):
            ours, theirs = before.pieces.get(module, ("",)), after.pieces.get(module, ("",))
            functions |= {(module, name) for piece in {*ours} ^ {*theirs} for name in FUNCTION.findall(piece)}
            names |= differing(values(ours[0]), values(theirs[0]))
        else:
            more = True
    if names:
        names |= made_from(names, before)
        functions |= asking(before, names)
        more = more or word_of(names).search(before.modules["rules.py"]) is not None
    return Differences(frozenset(functions), more)


def in_program(old: str, new: str) -> tuple[set[tuple[str, str]], bool]:
    """The functions named in differing lines of the program, and whether a differing line names none."""
    found: set[tuple[str, str]] = set()
    whole = False
    for line in difflib.unified_diff(old.split("\n"), new.split("\n"), n=0, lineterm=""):
        if line.startswith(("---", "+++", "@@")) or "KEPT_" in line or not line[1:].strip(" (),"):
            continue
        asked = ASKED.findall(line)
        found.update(asked)
        whole = whole or not asked
    return found, whole


def differing(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """The names of the values that differ."""
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


def made_from(names: set[str], emitted: Emitted) -> set[str]:
    """The values of the printed data that are computed from some of them."""
    texts = {**values(emitted.modules["data.py"]), **values(emitted.modules["fixed.py"])}
    found = {*names}
    while True:
        word = word_of(found)
        more = {name for name, text in texts.items() if name not in found and word.search(text)}
        if not more:
            return found
        found |= more


def word_of(names: set[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names)))})\b")


def values(text: str) -> dict[str, str]:
    starts = [*VALUE.finditer(text)]
    ends = [*(m.start() for m in starts[1:]), len(text)]
    return {m[1]: text[m.end() : end] for m, end in zip(starts, ends, strict=False)}


def asking(emitted: Emitted, names: set[str]) -> set[tuple[str, str]]:
    """The functions that use one of these values."""
    word = word_of(names)
    return {
        (module, name)
        for module, pieces in emitted.pieces.items()
        if module.startswith("chapter_")
        for piece in pieces
        if word.search(piece)
        for name in FUNCTION.findall(piece)
    }
