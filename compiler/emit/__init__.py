"""Generate Python modules from the core."""
