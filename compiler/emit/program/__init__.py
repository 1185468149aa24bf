"""The `Program` that a compiled rule set hands to the runtime: tables of functions and plain data."""
