"""Expressions of the core as expressions of Python."""
