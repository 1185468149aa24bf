"""What changed between two editions: parts of cases that are new, and those that are gone.

In:  an edition, and an earlier one.
Out: for each case that reads otherwise how; an unchanged case is not in it.
"""

from __future__ import annotations

from collections import Counter

from ..core.case_order import natural
from .manifest import Earlier
from .parts import Change, Changes, Edition


def changes(edition: Edition, earlier: Earlier) -> Changes:
    """The changes since an earlier edition, in the order of case numbers."""
    found: dict[str, Change] = {}
    now = edition.cases()
    for id, case in now.items():
        if id not in earlier.cases:
            found[id] = Change(id, case.title, "new", frozenset(case.texts))
            continue
        title, texts = earlier.cases[id]
        new, gone = Counter(case.texts) - Counter(texts), Counter(texts) - Counter(case.texts)
        if new or gone or title != case.title:
            what = "changed" if new or gone else f"retitled, formerly “{title}”"
            old = tuple(x for x in dict.fromkeys(texts) if x in gone)
            found[id] = Change(id, case.title, what, frozenset(new), old)
    for id, (title, texts) in earlier.cases.items():
        if id not in now:
            found[id] = Change(id, title, "gone", frozenset(), texts)
    return Changes(earlier.named, found, sorted(found, key=natural))
