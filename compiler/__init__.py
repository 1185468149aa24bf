"""The compiler: from case blocks to generated Python modules.

`Loaded`, `NotCompiled` and `load` are imported when they are asked for: the command line opens without the compiler.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .load import Loaded, NotCompiled, load

__all__ = ["Loaded", "NotCompiled", "load"]


class _Package(type(sys)):  # type: ignore[misc]
    """A package in which `load` is the function, also after the module of that name has been imported."""

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value.load if name == "load" and isinstance(value, type(sys)) else value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.load"), name)
