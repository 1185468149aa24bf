"""One Hypothesis profile for every property, one cache for all tests, few collections of garbage, bytecode that is kept.

A busy machine is not a finding, and a failure comes back as it was. A worker of the tests keeps many rule sets in
memory: collections walk them all and find little. Hundreds of tests start a command in a process of its own: without
bytecode each would compile the compiler first.
"""

import gc
import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from rulewright.compiler.cache import incremental

gc.set_threshold(100_000, 50, 100)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ.setdefault("RULEWRIGHT_CACHE", str(Path(__file__).parent / ".rulewright"))

incremental.MOST = 24  # the shipped books stay known while books of a test come and go

settings.register_profile(
    "calm", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("calm")

# Hypothesis would read every module that is loaded for constants: ten seconds in each worker, and examples that hang on
# which tests ran before.
providers.is_local_module_file = lambda path: False
