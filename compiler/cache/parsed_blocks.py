"""On-disk cache of parsed case blocks.

In:  the path of a file of rules.
Out: the blocks of it that were parsed before, by their text, wherever they stand in it now.

The unit of parsing is one case block: after an edit only the blocks whose text is new are parsed.
What is read back may hold syntax nodes and nothing else.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.dsl.cache import cache_directory, read_sealed, write_sealed
from rulewright.dsl.grammar import GRAMMAR
from rulewright.dsl.parse import Memory, room_for_chains

ALLOWED = {f"rulewright.dsl.nodes.{family}" for family in ("expressions", "statements", "declarations")}
ALLOWED.add("rulewright.dsl.source")
_FILES: dict[str, Memory] = {}


def recall(path: Path) -> Memory:
    """The parsed blocks of a file, by its real path, from this process or an earlier one."""
    key = str(path)
    if key not in _FILES:
        _FILES[key] = read_back(stored(key))
    return _FILES[key]


def keep(path: Path, memory: Memory, texts: set[str]) -> None:
    """Store the blocks of a file that has new ones; blocks that the file no longer has are dropped."""
    forget(memory, texts)
    with suppress(RecursionError), room_for_chains():  # what is nested too deeply for a cache is parsed anew
        write_sealed(stored(str(path)), pickle.dumps(dict(memory), protocol=5))


def forget(memory: Memory, texts: set[str]) -> None:
    """Drop the blocks that a file no longer has."""
    for gone in [text for text in memory if text not in texts]:
        del memory[gone]


def stored(key: str) -> Path:
    name = hashlib.sha256(key.encode()).hexdigest()[:32]
    return cache_directory() / "blocks" / f"{stamp()}-{name}.pickle"


@cache
def stamp() -> str:
    """A hash of the grammar and the node builder: a newer one invalidates the cache."""
    h = hashlib.sha256()
    # Whatever shapes a node must be in here: trees of an older shape would be read back as if they were of today.
    home = GRAMMAR.parent
    shaping = [home / name for name in ("rulewright.lark", "records.py", "source.py", "grammar.py", "parse.py")]
    for folder in ("nodes", "builder"):
        shaping += sorted(path for path in (home / folder).iterdir() if path.suffix == ".py")
    for path in shaping:
        h.update(path.read_bytes())
    return h.hexdigest()[:16]


def read_back(path: Path) -> Memory:
    content = read_sealed(path)
    if content is None:
        return Memory()
    try:
        return Memory(NodesOnly(io.BytesIO(content)).load())
    except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, TypeError, ValueError):
        return Memory()


class NodesOnly(pickle.Unpickler):
    """Reads syntax nodes, spans and exact numbers; any other class is refused."""

    def find_class(self, module: str, name: str) -> Any:
        if module in ALLOWED or (module, name) == ("fractions", "Fraction"):
            found = super().find_class(module, name)
            if isinstance(found, type) and "." not in name:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no syntax node")
