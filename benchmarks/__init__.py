"""Figures about Rulewright, each a ratio of two times taken side by side: `python -m benchmarks`."""
