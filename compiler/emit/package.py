"""Names of the modules of a compiled package, for whatever loads one."""

SHARED = ("data", "names", "fixed", "kernels")
"""Modules that the rules and their traced twin have in common."""
