"""Read the files of a rule set.

In:  a source (see library.py), and texts that stand in for files which are open and not saved.
Out: the syntax nodes of its files, and the hash of all texts.
Reports: RW100 a file that cannot be read, and what the parser finds.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import blocks, parse
from rulewright.dsl.source import Origin, Span

from ..cache.parsed_blocks import forget, keep, recall
from .library import Source

FORMAT = "1"
DAY = r"(?:[0-9]{1,2} )?(?:[A-Z][a-z]{2} )?[0-9]{4}[0-9-]*"
"""What may be meant as a day: `1984-08-01`, `1984-08`, `1984`, `1 Aug 1984`, `Aug 1984`."""
Texts = Mapping[Path, str]
"""Texts by the resolved path of the file that they stand in for."""


def split_name(name: str) -> tuple[str, list[str], str]:
    """`fite@1986-08+errata`, `fite@1 Aug 1986` as a book, its overlays, and the day whose errata are in force."""
    book, *overlays = name.split("+")
    day = re.fullmatch(rf"(.+)@({DAY})", book)
    return (day[1], overlays, day[2]) if day else (book, overlays, "")


def read_files(source: Source, report: Reporter, texts: Texts) -> list[n.Decl]:
    """Parse every file of a source; only blocks whose text is new are really parsed."""
    found: list[n.Decl] = []
    for path in source.files:
        draft = texts.get(path.resolve()) if texts else None
        try:
            text = path.read_text(encoding="utf-8") if draft is None else draft
        except (OSError, UnicodeDecodeError) as error:
            report.error("RW100", nowhere(str(path)), f"the file cannot be read: {error}", help="save it as UTF-8 text")
            continue
        real = path.resolve()
        memory = recall(real)
        before = len(memory)
        found += parse(text, display(path, real), report, memory)
        known = {block for _, block in blocks(text)} if draft is not None or len(memory) != before else set()
        if draft is not None:
            # Undo and redo in an editor bring old blocks back: those of the last few versions stay cached.
            if len(memory) > 3 * len(known) + 50:
                forget(memory, known)
        elif len(memory) != before:
            keep(real, memory, known)
    return found


def display(path: Path, real: Path) -> str:
    """The name of a file as an author reads it: from where they stand, if it lies below."""
    here = os.getcwd() + os.sep
    return real.as_posix().removeprefix(here) if str(real).startswith(here) else path.as_posix()


def nowhere(file: str) -> Span:
    """The place of a finding about a file or a name as a whole."""
    return Span(Origin(file), 1, 1, 1, 2)


def digest_texts(name: str, files: Iterable[Path], texts: Texts) -> str:
    """A hash of the rule set's text: the same text, the same modules, wherever the files lie."""
    h = hashlib.sha256(f"{FORMAT}\n{name}\n".encode())
    for path in files:
        draft = texts.get(path.resolve()) if texts else None
        content = path.read_bytes() if draft is None else draft.encode()
        h.update(path.name.encode() + b"\0" + content + b"\0")
    return h.hexdigest()
