"""How the builders write a map: lists with ranges, chains that continue, lines of a length, all read back once.

In:  the entries of a map block, unwrapped.
Out: the lines of a file, and the map as the compiler reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from rulewright.compiler.core.maps import Map
from rulewright.compiler.read.map_blocks import read_map

T = TypeVar("T")


def listed(key: str, items: Iterable[T], spell: Callable[[T], str], follows: Callable[[T, T], bool]) -> list[str]:
    """An entry, runs of items that follow one another as ranges; nothing where there are no items."""
    runs: list[list[T]] = []
    for item in items:
        if runs and follows(runs[-1][-1], item):
            runs[-1].append(item)
        else:
            runs.append([item])
    spelled = [f"{spell(r[0])}..{spell(r[-1])}" if len(r) > 2 else ", ".join(map(spell, r)) for r in runs]
    return [f"{key}: {', '.join(spelled)}"] if spelled else []


def joined(runs: Iterable[Sequence[T]]) -> list[list[T]]:
    """Runs that continue each other become one line of the file."""
    out: list[list[T]] = []
    for run in runs:
        if out and out[-1][-1] == run[0]:
            out[-1] += run[1:]
        else:
            out.append(list(run))
    return out


def wrap(entry: str, width: int) -> Iterator[str]:
    """Long lists repeat their key; chains break where the next line can take up the last hex."""
    key = entry.partition(": ")[0]
    chain = key.startswith("lines")
    while len(entry) > width and not entry.startswith(("#", "sheet")):
        at = entry.rfind(" " if chain else ", ", 0, width)
        yield entry[:at]
        rest = entry[at:].lstrip(", ")
        entry = f"{key}: {entry[:at].rsplit(' ', 1)[1]} {rest}" if chain else f"{key}: {rest}"
    yield entry


def read_back(lines: Iterable[str]) -> Map:
    """Read the lines of a map block as the compiler will; any finding is our own mistake."""
    findings: list[str] = []
    pairs = [line.strip().partition(":") for line in lines if not line.strip().startswith("#")]
    entries = [(key, value.strip(), number) for number, (key, _, value) in enumerate(pairs)]
    built = read_map(entries, lambda *finding: findings.append(" ".join(map(str, finding))))
    assert not findings, findings[:8]
    return built


def block(text: str, depth: int = 4) -> list[str]:
    """The lines of a file that stand in its map block."""
    return [line for line in text.splitlines() if line.startswith(" " * depth)]
