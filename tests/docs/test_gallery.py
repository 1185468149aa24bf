"""docs/gallery.md: its pictures are the ones that the books' style blocks give now."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from gallery import FOLDER, PICTURES  # noqa: E402

LARGE = {"caseblue.svg"}
"""Some seconds to draw: compared only where RULEWRIGHT_LARGE is set."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_comes_out_as_shown(name: str) -> None:
    if name in LARGE and not os.environ.get("RULEWRIGHT_LARGE"):
        pytest.skip("RULEWRIGHT_LARGE=1 draws it")
    shown = (FOLDER / name).read_text(encoding="utf-8")
    assert shown == PICTURES[name](), "make gallery takes the pictures again"


def test_the_page_shows_every_picture_and_no_other() -> None:
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(gallery/([^)]+)\)", page)) == set(PICTURES) == {p.name for p in FOLDER.iterdir()}
