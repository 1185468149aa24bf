"""docs/play.md: its screens are real, and can be taken again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("pyte")
pytest.importorskip("pty")

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from capture_play import PAGE, SCREEN, svg, take  # noqa: E402

SCREENS = {m[1]: m for m in SCREEN.finditer(PAGE.read_text(encoding="utf-8"))}


def test_every_screen_is_there_and_fits_its_size() -> None:
    assert {"trc", "search", "set", "why", "tdv", "fragment"} <= set(SCREENS)
    for match in SCREENS.values():
        lines = match[6].splitlines()
        assert 10 < len(lines) <= int(match[3]) and all(len(line) <= int(match[2]) for line in lines)


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_comes_out_as_shown(name: str) -> None:
    match = SCREENS[name]
    terminal = take(int(match[2]), int(match[3]), match[4], [key.strip() for key in match[5].split("|")])
    assert terminal.text().rstrip() == match[6].rstrip(), "python tools/capture_play.py takes the screens again"
    assert svg(terminal).count("<text") > 20
