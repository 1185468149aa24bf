"""Import the modules of a package from memory.

In:  the name of a package, the paths of its modules, and what gives the code behind a path.
Out: a finder for `sys.meta_path`; `import` then works for that package as if it lay on disk.

Rule sets that are tried once (a mutant, a mix of two editions) are loaded so: nothing of them is left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import CodeType, ModuleType
from typing import Any


class MemoryModules(MetaPathFinder, Loader):
    """Finds and runs the modules of one package; every module starts with `names`.

    `code_of` is called when a module is first imported, so that code which nobody imports need not be compiled.
    """

    def __init__(
        self,
        package: str,
        paths: Collection[str],
        code_of: Callable[[str], CodeType],
        names: Mapping[str, Any] | None = None,
    ) -> None:
        self.package, self.paths, self.code_of, self.names = package, paths, code_of, names or {}

    def path_of(self, name: str) -> str | None:
        """The path of a module by its full name."""
        inner = name.removeprefix(self.package).lstrip(".").replace(".", "/")
        options = [f"{inner}/__init__.py", f"{inner}.py"] if inner else ["__init__.py"]
        return next((x for x in options if x in self.paths), None)

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
        vars(module).update(self.names)
        exec(self.code_of(module.__spec__.origin), vars(module))
