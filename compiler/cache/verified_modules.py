"""Compiled modules in the cache: verified before they run.

In:  a folder with the modules of a rule set, and the text of each.
Out: the modules, imported; `Spoilt` where a file is not the one that was written.

A seal beside the modules holds the hash of each file. All of them are compared with it before the first is run, and a
module again when its text is read; the bytecode that Python keeps of it carries a hash of its own. So a file that was
cut, edited or mixed up is not run: whoever loads the book makes it anew. Who may write to the folder at all is looked
at first (see dsl/cache.py).
"""

from __future__ import annotations

import hashlib
import json
import sys
import types
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from rulewright.dsl.cache import make_folder, trusted, write_whole

SEAL = "seal.json"
SIZE = hashlib.sha256().digest_size


class Spoilt(Exception):
    """Modules that are not as they were written, or that others could have written."""


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_modules(folder: Path, texts: Mapping[str, str]) -> None:
    """Write modules and their seal; what is there already stays. OSError where that cannot be."""
    make_folder(folder)
    sealed = {name: digest(text.encode()) for name, text in texts.items()}
    for name, text in texts.items():
        put(folder / name, text.encode())
    put(folder / SEAL, json.dumps(sealed, indent=0, sort_keys=True).encode())


def put(path: Path, content: bytes) -> None:
    if path.is_file() and path.read_bytes() == content:
        return
    if not write_whole(path, content):
        raise OSError(f"{path} cannot be written")


def read_seal(folder: Path) -> dict[str, str]:
    """The hash of every file; Spoilt where there is none that we can trust."""
    try:
        if not (trusted(folder) and trusted(folder / SEAL)):
            raise Spoilt(f"{folder} is not ours alone to write to")
        found = json.loads((folder / SEAL).read_bytes())
        return {str(name): str(kept) for name, kept in found.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise Spoilt(f"{folder} has no seal") from error


def read_sealed(folder: Path, name: str) -> bytes:
    """A file beside the modules, as it was written."""
    return sealed_content(folder / name, read_seal(folder).get(name, ""))


def sealed_content(path: Path, wanted: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Spoilt(f"{path} cannot be read") from error
    if digest(content) != wanted:
        raise Spoilt(f"{path} is not as it was written")
    return content


def import_sealed(package: str, folder: Path) -> types.ModuleType:
    """Import the package in a folder, once all that it may read later on is verified."""
    known = sys.modules.get(package)
    if known is not None:
        return known
    sealed = read_seal(folder)
    for name, wanted in sealed.items():
        sealed_content(folder / name, wanted)
    FINDER.folders[package] = (folder, sealed)
    spec = FINDER.find_spec(package)
    assert spec is not None and spec.loader is not None
    sys.modules[package] = made = module_from_spec(spec)
    try:
        spec.loader.exec_module(made)
    except BaseException:
        forget_package(package)
        raise
    return made


def forget_package(package: str) -> None:
    """Let go of a package and its modules."""
    FINDER.folders.pop(package, None)
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]


class Finder(MetaPathFinder):
    """Finds the modules of sealed packages."""

    def __init__(self) -> None:
        self.folders: dict[str, tuple[Path, dict[str, str]]] = {}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        package, _, rest = name.partition(".")
        if package not in self.folders:
            return None
        folder, sealed = self.folders[package]
        inner = rest.replace(".", "/")
        as_package = f"{inner}/__init__.py".lstrip("/")
        file = as_package if as_package in sealed else f"{inner}.py"
        if file not in sealed:
            return None
        where = [str((folder / file).parent)] if file == as_package else None
        loader = Verified(name, str(folder / file), sealed[file])
        return spec_from_file_location(name, folder / file, loader=loader, submodule_search_locations=where)


class Verified(SourceFileLoader):
    """Reads a module, or the bytecode that was kept of it, only as it was written."""

    def __init__(self, name: str, path: str, wanted: str) -> None:
        super().__init__(name, path)
        self.wanted = wanted

    def get_data(self, path: str) -> bytes:
        if path == self.path:
            return sealed_content(Path(path), self.wanted)
        content = super().get_data(path)
        code, own = content[:-SIZE], content[-SIZE:]
        if hashlib.sha256(self.wanted.encode() + code).digest() != own:
            raise OSError(f"{path} is not as it was written")  # then the module itself is read
        return code

    def set_data(self, path: str, data: Any, *, _mode: int = 0o600) -> None:
        write_whole(Path(path), bytes(data) + hashlib.sha256(self.wanted.encode() + data).digest())


FINDER = Finder()
sys.meta_path.insert(0, FINDER)
