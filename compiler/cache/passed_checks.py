"""On-disk cache of checks that passed.

In:  a check, and the text that it looks at.
Out: whether this very text passed this very check before, under the same compiler.

Only digests are stored, and only of what passed: whatever has a finding is looked at again and
reported again. A cache that is absent, cut off or foreign costs time and nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from rulewright.dsl.cache import write_whole

SIZE = 16


class Clean:
    """Digests of inputs that passed; those that the last compile did not use are dropped.

    `passed` holds what passed in another rule set of the same book.
    """

    def __init__(self, path: Path | None = None, passed: Iterable[bytes] = ()) -> None:
        self.path = path
        self.stored: frozenset[bytes] = read(path) if path is not None else frozenset()
        self.before = self.stored.union(passed)
        self.now: set[bytes] = set()

    def passed(self, check: str, *words: object) -> bool:
        """Whether these inputs passed the check before."""
        found = digest(check, *words)
        if found in self.before:
            self.now.add(found)
        return found in self.now

    def note(self, check: str, *words: object) -> None:
        self.now.add(digest(check, *words))

    def store(self) -> None:
        """Write the cache, where something new passed."""
        if self.path is not None and not self.now <= self.stored:
            self.stored = frozenset(self.now)
            self.before |= self.now
            content = b"".join(sorted(self.now))
            write_whole(self.path, digest("clean", content.hex()) + content)


def digest(*words: object) -> bytes:
    return hashlib.blake2b("\0".join(map(str, words)).encode("utf-8", "surrogatepass"), digest_size=SIZE).digest()


@lru_cache(maxsize=1024)
def of_text(text: str) -> str:
    """The digest of a block, computed once for all its declarations."""
    return digest(text).hex()


def read(path: Path) -> frozenset[bytes]:
    try:
        content = path.read_bytes()
    except OSError:
        return frozenset()
    body = content[SIZE:]
    if digest("clean", body.hex()) != content[:SIZE]:
        return frozenset()
    return frozenset(body[i : i + SIZE] for i in range(0, len(body), SIZE))


@cache
def compiler_stamp() -> str:
    """A hash of the compiler itself, so that a newer one invalidates the cache."""
    h = hashlib.sha256()
    compiler = Path(__file__).parents[1]
    dsl = compiler.parent / "dsl"
    for path in sorted([*compiler.rglob("*.py"), *compiler.rglob("*.j2"), *dsl.rglob("*.py"), *dsl.rglob("*.lark")]):
        if path.is_file():
            h.update(path.name.encode() + path.read_bytes())
    return h.hexdigest()[:16]
