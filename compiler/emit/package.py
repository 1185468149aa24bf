"""The modules of a compiled package, by name: what whoever loads one has to know."""

SHARED = ("data", "names", "fixed", "kernels")
"""Modules that the rules and their traced twin have in common."""
