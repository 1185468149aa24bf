"""Load a mixed rule set without writing it to disk.

In:  a rule set in the core, and the two rule sets that it is mixed from.
Out: its program. A module whose text one of the two has as well runs from that one's bytecode; only the others are
     compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec
from types import CodeType

from rulewright.runtime.program import Program

from ..cache.memory_modules import MemoryModules
from ..loader import PACKAGE, TWIN, folder_of, package_of
from ..passes.check import check_circles, check_loops, depend
from ..passes.compiled import Compiled, stop_on_errors
from ..pipeline import finished, run

_CODES: dict[str, CodeType] = {}


def checked(made: Compiled) -> Compiled | None:
    """A rule set with its dependencies analysed; None where a definition or loop would not terminate."""
    found = run((depend, check_circles, check_loops, stop_on_errors), made)
    return None if found.stopped else found


def load_mixed(made: Compiled, near: Iterable[Compiled]) -> Program:
    """The program of a rule set, its modules in memory alone."""
    whole = finished(made)
    assert whole.emitted is not None, "what was checked can be written out"
    texts = {**whole.emitted.modules, "__init__.py": PACKAGE, "traced/__init__.py": TWIN}
    for other in near:
        known_codes(other, texts)
    package = f"rulewright_mixed_{made.digest[:24]}"
    if package not in sys.modules:
        finder = MemoryModules(package, texts, lambda path: code_of(texts[path], f"<{package}/{path}>"))
        sys.meta_path.insert(0, finder)
        spec = finder.find_spec(package)
        assert spec is not None
        sys.modules[package] = module_from_spec(spec)
        try:
            assert spec.loader is not None
            spec.loader.exec_module(sys.modules[package])
        except BaseException:
            del sys.modules[package]
            raise
    program: Program = sys.modules[package].PROGRAM
    return program


def code_of(text: str, name: str) -> CodeType:
    """The bytecode of a module, compiled once for each text."""
    if text not in _CODES:
        _CODES[text] = compile(text, name, "exec", dont_inherit=True)
    return _CODES[text]


def known_codes(made: Compiled, texts: Mapping[str, str]) -> None:
    """Keep the bytecode of the loaded modules of a rule set, by their text."""
    folder = folder_of(made.digest, made.folded)
    package = package_of(folder)
    for path, text in texts.items():
        name = f"{package}.{dotted(path)}"
        module = sys.modules.get(name)
        if text in _CODES or module is None or module.__spec__ is None:
            continue
        file = folder / path
        loader = module.__spec__.loader
        if isinstance(loader, SourceFileLoader) and file.is_file() and file.read_text() == text:
            code = loader.get_code(name)
            if code is not None:
                _CODES[text] = code


def dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
