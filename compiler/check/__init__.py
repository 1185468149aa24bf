"""Checks of a whole rule set; each reports diagnostics and changes nothing."""
