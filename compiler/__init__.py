"""The compiler: from case blocks to generated Python modules.

`Loaded`, `NotCompiled`, `explain` and `load` are imported when they are asked for: the command line opens without the
compiler.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .loader import Loaded, NotCompiled, explain, load

__all__ = ["Loaded", "NotCompiled", "explain", "load"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import loader

    return getattr(loader, name)
