"""docs/logs.md: its logs are what the books print today."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from diaries import LOG, PAGE, taken  # noqa: E402

SHOWN = {m[2]: m for m in LOG.finditer(PAGE.read_text(encoding="utf-8"))}


def test_every_book_has_its_log() -> None:
    assert set(SHOWN) == {"trc", "tdv", "fite", "fragment", "caseblue", "caseblue-battle"}


@pytest.mark.parametrize("book", SHOWN)
def test_a_log_is_printed_as_it_stands(book: str) -> None:
    m = SHOWN[book]
    assert taken(m[5], int(m[3]), int(m[4])) == m[6], "python tools/diaries.py takes the logs again"
    assert m[6].strip()
