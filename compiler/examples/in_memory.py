"""Programs of rule sets that are nowhere on disk.

In:  the modules of a rule set as they were written, and those of them that differ in another one.
Out: the program of that other one, in a package of its own that lasts as long as it is asked.

Modules that are the same are run again from the code that was compiled once; those with printed values alone are
shared.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

from rulewright.runtime.program import Program

from ..compiled import module_of
from ..emit.package import SHARED
from ..loader import Loaded, package_of

NAME = "rulewright_in_memory"


class Modules(MetaPathFinder, Loader):
    """The modules of one package, found while it is in use."""

    def __init__(self, codes: Mapping[str, CodeType], names: Mapping[str, Any]) -> None:
        self.codes = codes
        self.names = names

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        return ModuleSpec(fullname, self) if package == NAME and name in self.codes else None

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(self.names)
        exec(self.codes[module.__name__.rpartition(".")[2]], vars(module))


class InMemory:
    """A written rule set, as what others are made from that differ in a few modules."""

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
        """The program of a rule set whose modules these are; `others` stand in for some, `names` are given to all."""
        codes, package = {**self.codes, **(others or {})}, ModuleType(NAME)
        package.__path__ = []
        sys.modules[NAME] = package
        for name in self.texts:
            text = texts.get(f"{name}.py", "")
            if text != self.texts[name]:
                codes[name] = compile(text, str(self.folder / f"{name}.py"), "exec", dont_inherit=True)
        if all(codes[name] is self.codes[name] for name in self.shared):  # they are made from one another
            for name, module in self.shared.items():
                sys.modules[f"{NAME}.{name}"] = module
                setattr(package, name, module)
        for file, text in texts.items():  # a chapter that only the other one has
            name = file.removesuffix(".py")
            if "/" not in file and name not in codes:
                codes[name] = compile(text, str(self.folder / file), "exec", dont_inherit=True)
        finder = Modules(codes, names or {})
        sys.meta_path.insert(0, finder)
        try:
            program: Program = importlib.import_module(f"{NAME}.rules").PROGRAM
            yield program
        finally:
            sys.meta_path.remove(finder)
            for name in [x for x in sys.modules if x == NAME or x.startswith(f"{NAME}.")]:
                del sys.modules[name]
