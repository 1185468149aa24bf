"""Load variations of a compiled rule set without writing them to disk.

In:  the modules of a rule set as they were written, and the texts of a variation of it.
Out: the program of the variation, in a package that is dropped when the context ends.

Unchanged modules run again from the bytecode of the original. Modules that hold only printed values are not even run
again: the module object of the original is shared.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, ModuleType
from typing import Any

from rulewright.runtime.program import Program

from ..cache.memory_modules import MemoryModules
from ..compiled import module_of
from ..emit.package import SHARED
from ..loader import Loaded, package_of

NAME = "rulewright_in_memory"


class InMemory:
    """A compiled rule set, from which variations that differ in a few modules are loaded."""

    def __init__(self, loaded: Loaded, texts: Mapping[str, str]) -> None:
        self.folder = loaded.folder
        self.as_written = texts
        self.texts = {name.removesuffix(".py"): text for name, text in texts.items() if "/" not in name}
        self.codes: dict[str, CodeType] = {}
        self.shared: dict[str, ModuleType] = {}
        for name in self.texts:
            module = module_of(loaded.program, name)
            code = module.__spec__.loader.get_code(module.__name__)  # type: ignore[union-attr]
            assert code is not None and module.__name__.startswith(package_of(loaded.folder))
            self.codes[name] = code
            if name in SHARED:
                self.shared[name] = module

    @contextmanager
    def program(
        self,
        texts: Mapping[str, str],
        others: Mapping[str, CodeType] | None = None,
        names: Mapping[str, Any] | None = None,
    ) -> Iterator[Program]:
        """The program with these modules; `others` replace some by code, `names` are globals of every module."""
        codes, package = {**self.codes, **(others or {})}, ModuleType(NAME)
        package.__path__ = []
        sys.modules[NAME] = package
        for name in self.texts:
            text = texts.get(f"{name}.py", "")
            if text != self.texts[name]:
                codes[name] = compile(text, str(self.folder / f"{name}.py"), "exec", dont_inherit=True)
        if all(codes[name] is self.codes[name] for name in self.shared):  # they import one another
            for name, module in self.shared.items():
                sys.modules[f"{NAME}.{name}"] = module
                setattr(package, name, module)
        for file, text in texts.items():  # a chapter that the original does not have
            name = file.removesuffix(".py")
            if "/" not in file and name not in codes:
                codes[name] = compile(text, str(self.folder / file), "exec", dont_inherit=True)
        finder = MemoryModules(NAME, {f"{x}.py" for x in codes}, lambda path: codes[path.removesuffix(".py")], names)
        sys.meta_path.insert(0, finder)
        try:
            program: Program = importlib.import_module(f"{NAME}.rules").PROGRAM
            yield program
        finally:
            sys.meta_path.remove(finder)
            for name in [x for x in sys.modules if x == NAME or x.startswith(f"{NAME}.")]:
                del sys.modules[name]
