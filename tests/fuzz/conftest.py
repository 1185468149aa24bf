"""The campaigns lie in tools/fuzz; here a few seconds of each are run."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
