"""Where a browser is promised, a test that skips for want of one is a fault: `.ci/run` installs it and says so."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

spec = importlib.util.spec_from_file_location("rulewright_test_browser", Path(__file__).parents[1] / "doc" / "browser.py")
assert spec is not None and spec.loader is not None
chromium = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chromium)


NEEDED = ("playwright", "starlette", "uvicorn", "websockets", "httpx")
"""Without one of these the tests of `tests/table` skip, or are not even collected."""


def test_a_promised_browser_is_at_hand() -> None:
    lacking = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    why_not = chromium.why_not() or (f"not installed: {', '.join(lacking)}" if lacking else "")
    assert os.environ.get("RULEWRIGHT_BROWSER") != "promised" or not why_not, why_not
