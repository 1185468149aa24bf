"""The compiler: from case blocks to generated Python modules."""

from .load import Loaded, NotCompiled, load

__all__ = ["Loaded", "NotCompiled", "load"]
