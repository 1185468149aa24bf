"""One Hypothesis profile for every property, one cache for all tests, and few collections of garbage.

A busy machine is not a finding, and a failure comes back as it was. Compiled books of tests lie under `tests/`, where
Hypothesis does not read every generated module for constants. A worker of the tests keeps many rule sets in memory:
collections walk them all and find little.
"""

import gc
import os
from pathlib import Path

from hypothesis import HealthCheck, settings

gc.set_threshold(100_000, 50, 100)
os.environ.setdefault("RULEWRIGHT_CACHE", str(Path(__file__).parent / ".rulewright"))

settings.register_profile(
    "calm", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("calm")
