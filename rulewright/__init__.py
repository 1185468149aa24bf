"""Rulewright: wargame rulebooks as running law, in the packages `dsl`, `compiler`, `runtime`, `editor` and `table`."""

__version__ = "0.2.0"
