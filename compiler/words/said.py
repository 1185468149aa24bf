"""The output of this room: sentences with nested lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence and the list below it; `case` is the case it comes from, where that is another one."""

    text: str
    items: tuple[Said, ...] = ()
    case: str = ""

    def walk(self) -> Iterator[Said]:
        yield self
        for item in self.items:
            yield from item.walk()


def plain(said: Sequence[Said], indent: str = "") -> list[str]:
    """Sentences as lines of text, lists with dashes."""
    found: list[str] = []
    for s in said:
        found.append(f"{indent}{s.text}")
        for line in plain(s.items, ""):
            found.append(f"{indent}  {line}" if line.startswith(("- ", "  ")) else f"{indent}- {line}")
    return found
