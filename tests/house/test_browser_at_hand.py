"""Where a browser is promised, a test that skips for want of one is a fault: `.ci/run` installs it and says so."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

spec = importlib.util.spec_from_file_location("rulewright_test_browser", Path(__file__).parents[1] / "doc" / "browser.py")
assert spec is not None and spec.loader is not None
chromium = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chromium)


def test_a_promised_browser_is_at_hand() -> None:
    promised = os.environ.get("RULEWRIGHT_BROWSER") == "promised"
    assert not (promised and chromium.why_not()), chromium.why_not()
