"""Whether the modules of a rule set that was compiled before still stand.

In:  the name of a rule set and where to look for it.
Out: the hash of its text and the folder of its modules, unless a file that it was made of has changed since, or a
     name in it leads elsewhere now.

A stamp is found by the files that a name leads to, never by the folder that one stands in: the same book is compiled
once, wherever it is asked for from. Only digests and folders are read back, and a stamp that is cut off or foreign
costs a compile and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.dsl.cache import cache_directory, read_sealed, write_sealed

from ..cache.passed_checks import compiler_stamp
from ..cache.verified_modules import SEAL
from .library import Lookup, find, find_book
from .sources import split_name


@dataclass(frozen=True, slots=True)
class Stamp:
    """A rule set that was compiled: the hash of its text, and where its modules are."""

    digest: str
    folder: Path


def stamp_file(name: str, places: tuple[Path, ...], folded: bool) -> Path:
    """Where the stamp of a rule set lies."""
    book, overlays, day = split_name(name)
    asked = [meant(book, places), day, *(meant(word, places) for word in overlays), *(str(p.resolve()) for p in places)]
    key = hashlib.sha256(os.fsencode("\0".join((*asked, str(folded))))).hexdigest()[:24]
    return cache_directory() / "stamps" / f"{key}.json"


def meant(word: str, places: tuple[Path, ...]) -> str:
    """The file or folder that a word leads to from here; an overlay inside its book leads nowhere."""
    source = find_book(word, places)
    if source is None:
        return word
    root = source.files[0] if source.files[:1] == source.files else source.root
    return f"{source.name} {root.resolve()}"


def read_stamp(path: Path) -> Stamp | None:
    """What was compiled last, unless it would be compiled otherwise now."""
    try:
        stamp = json.loads(read_sealed(path) or b"")
        found = Stamp(str(stamp["digest"]), Path(stamp["folder"]))
        stands = stamp["compiler"] == compiler_stamp() and (found.folder / SEAL).is_file()
        unchanged = all(state(name) == kept for name, kept in stamp["files"].items())
        return found if stands and unchanged and all(map(leads_there, stamp["lookups"])) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def state(name: str) -> list[int]:
    """When a file or folder changed last; of a file also its size."""
    info = os.stat(name)
    return [info.st_mtime_ns, info.st_size if os.path.isfile(name) else 0]


def leads_there(kept: list[Any]) -> bool:
    """Whether a name that the rule set holds leads to the same place as before."""
    sort, name, places, root = kept
    source = find(Lookup(sort, name, tuple(map(Path, places))))
    return bool(root == (str(source.root.resolve()) if source is not None else None))


def write_stamp(path: Path, stamp: Stamp, sources: Iterable[Path], lookups: Iterable[Lookup]) -> None:
    """Keep what was compiled; a folder is watched too, for a file that comes into it."""
    files = [p.resolve() for p in sources]
    watched = dict.fromkeys([*map(str, files), *(str(p.parent) for p in files)])
    kept = {
        "digest": stamp.digest,
        "folder": str(stamp.folder.resolve()),
        "files": {name: state(name) for name in watched},
        "lookups": [
            [x.sort, x.name, [str(p) for p in x.places], str(x.root) if x.root is not None else None] for x in lookups
        ],
        "compiler": compiler_stamp(),
    }
    write_sealed(path, json.dumps(kept).encode())
