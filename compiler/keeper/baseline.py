"""The facts that are known and agreed to: written once, read by every diff after that.

In:  a file with an id a line and a remark after it; or the facts of a diff.
Out: the remarks by id; or the text of such a file.
Reports: ValueError of a line that begins with no id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ..diff.facts import Fact

ID = re.compile(r"[fj][0-9a-f]{9}(-\d+)?")


def read_ids(text: str) -> dict[str, str]:
    """The ids of facts or judgements that a text lists, each with its remark."""
    found = {}
    for i, line in enumerate(text.splitlines(), 1):
        word, _, remark = line.split("#", 1)[0].strip().partition(" ")
        if not word:
            continue
        if not ID.fullmatch(word):
            raise ValueError(f'line {i}: "{word}" is no id of a fact or judgement')
        found[word] = remark.strip()
    return found


def baseline_text(names: tuple[str, str], facts: Iterable[Fact], said: Callable[[Fact], str]) -> str:
    """The facts of a diff as a baseline; the remark says what each is."""
    head = f"# facts from {' to '.join(one_line(x) for x in names)} that are known; the first word of a line counts\n"
    return head + "".join(f"{f.id}  {f.case} {one_line(said(f))}".rstrip() + "\n" for f in facts)


def one_line(text: str) -> str:
    """A text as a remark: on one line, without the sign that begins a comment."""
    return " ".join(text.replace("#", "").split())
