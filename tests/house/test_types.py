"""`make types` passes; it stands among the tests so that it shares the cores with them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_types_hold() -> None:
    command = ["make", "--no-print-directory", "-o", ".venv/.ready", "types", f"BIN={Path(sys.executable).parent}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
