"""Work in another process, with limits of memory and time.

In:  a job and its words.
Out: what it answers, or in words why it ended without an answer.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

MEMORY = 3 << 30
SECONDS = 120
"""Of processor time, and twice as much by the clock."""
LIMITED = """
import resource, runpy, sys
memory, seconds, module = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
sys.argv = sys.argv[3:]
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""
JOB = "rulewright.table.bench.job"


def limited(module: str, *words: str, seconds: int = SECONDS, memory: int = MEMORY) -> list[str]:
    """The command line of a module in a process with limits."""
    return [sys.executable, "-c", LIMITED, str(memory), str(seconds), module, *words]


async def work(*words: str, seconds: int = SECONDS) -> dict[str, Any]:
    """Do a job; one that takes too much is ended and said so."""
    process = await asyncio.create_subprocess_exec(
        *limited(JOB, *words, seconds=seconds),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(2 * seconds):
            out, errors = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return {"refused": [f"this took more than {2 * seconds} seconds and was ended"]}
    except asyncio.CancelledError:
        process.kill()
        raise
    if process.returncode == 0:
        told: dict[str, Any] = json.loads(out)
        return told
    if (process.returncode or 0) < 0 or b"MemoryError" in errors:
        return {"refused": ["this took more time or memory than is allowed and was ended"]}
    said = errors.decode("utf-8", "replace").strip().splitlines()
    return {"refused": [said[-1] if said else "this did not work"]}
