"""Rulewright: wargame rulebooks as running law, in the packages `dsl`, `compiler`, `runtime` and `editor`."""

__version__ = "0.2.0"
