"""Load a mixed rule set without writing it anywhere.

In:  a rule set in the core, and the rule sets between which it lies.
Out: its program. Modules that read as those of a neighbour are taken from its bytecode; only the others are compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import CodeType, ModuleType

from rulewright.runtime.program import Program

from ..loader import PACKAGE, TWIN, folder_of, package_of
from ..passes.check import check_circles, check_loops, depend
from ..passes.compiled import Compiled, stop_on_errors
from ..pipeline import finished, run

_CODES: dict[str, CodeType] = {}


def checked(made: Compiled) -> Compiled | None:
    """A rule set with what its modules are made from; None where it would not end."""
    found = run((depend, check_circles, check_loops, stop_on_errors), made)
    return None if found.stopped else found


def load_mixed(made: Compiled, near: Iterable[Compiled]) -> Program:
    """The program of a rule set that is kept nowhere."""
    whole = finished(made)
    assert whole.emitted is not None, "what was checked can be written out"
    texts = {**whole.emitted.modules, "__init__.py": PACKAGE, "traced/__init__.py": TWIN}
    for other in near:
        known_codes(other, texts)
    package = f"rulewright_mixed_{made.digest[:24]}"
    if package not in sys.modules:
        finder = Texts(package, texts)
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


def known_codes(made: Compiled, texts: Mapping[str, str]) -> None:
    """Remember the bytecode of a neighbour's modules, by their text."""
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


class Texts(MetaPathFinder, Loader):
    """Finds the modules of one package in their texts."""

    def __init__(self, package: str, texts: Mapping[str, str]) -> None:
        self.package, self.texts = package, texts

    def path_of(self, name: str) -> str | None:
        """The text behind the name of a module."""
        inner = name.removeprefix(self.package).lstrip(".").replace(".", "/")
        options = [f"{inner}/__init__.py", f"{inner}.py"] if inner else ["__init__.py"]
        return next((x for x in options if x in self.texts), None)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.package and not fullname.startswith(self.package + "."):
            return None
        found = self.path_of(fullname)
        if found is None:
            return None
        return spec_from_loader(fullname, self, origin=found, is_package=found.endswith("__init__.py"))

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None and module.__spec__.origin is not None
        path = module.__spec__.origin
        text = self.texts[path]
        if text not in _CODES:
            _CODES[text] = compile(text, f"<{self.package}/{path}>", "exec", dont_inherit=True)
        exec(_CODES[text], module.__dict__)
